; What derivatives on a device keep: each thread has a slab of a buffer that the host passes, and takes from it what it
; needs. What does not fit comes from the device's own heap, which is slow, and small unless the host says otherwise.

; The first byte, the bytes of a slab, the first byte behind the last slab, and the number of the launch, from 1 on.
@gradir_tape = addrspace(1) externally_initialized global { ptr, i64, ptr, i64 } zeroinitializer, align 8

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.trap()
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()

define internal ptr @gradir.cuda.slab(i64 %bytes) nounwind {
  %base = load ptr, ptr addrspace(1) @gradir_tape, align 8
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %tz = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bz = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %gx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %gy = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %b1 = mul i32 %bz, %gy
  %b2 = add i32 %b1, %by
  %b3 = mul i32 %b2, %gx
  %block = add i32 %b3, %bx
  %t1 = mul i32 %tz, %ny
  %t2 = add i32 %t1, %ty
  %t3 = mul i32 %t2, %nx
  %thread = add i32 %t3, %tx
  %n1 = mul i32 %nx, %ny
  %count = mul i32 %n1, %nz
  %block.wide = zext i32 %block to i64
  %count.wide = zext i32 %count to i64
  %thread.wide = zext i32 %thread to i64
  %before = mul i64 %block.wide, %count.wide
  %number = add i64 %before, %thread.wide
  %at = mul i64 %number, %bytes
  %slab = getelementptr i8, ptr %base, i64 %at
  ret ptr %slab
}

define internal i64 @gradir.cuda.slab.size() nounwind {
  %at = getelementptr { ptr, i64, ptr, i64 }, ptr addrspace(1) @gradir_tape, i32 0, i32 1
  %size = load i64, ptr addrspace(1) %at, align 8
  ret i64 %size
}

; Each thread's slab begins with the number of the launch that used it last, and the bytes that are in use; the host has
; filled it with zeros at first.
define internal ptr @gradir.cuda.malloc(i64 %bytes) noinline nounwind {
  %size = call i64 @gradir.cuda.slab.size()
  %none = icmp eq i64 %size, 0
  br i1 %none, label %heap, label %some
some:
  %slab = call ptr @gradir.cuda.slab(i64 %size)
  %launch.at = getelementptr { ptr, i64, ptr, i64 }, ptr addrspace(1) @gradir_tape, i32 0, i32 3
  %launch = load i64, ptr addrspace(1) %launch.at, align 8
  %last = load i64, ptr %slab, align 8
  %used.at = getelementptr i8, ptr %slab, i64 8
  %left = load i64, ptr %used.at, align 8
  %same = icmp eq i64 %last, %launch
  %used = select i1 %same, i64 %left, i64 16
  %more = add i64 %bytes, 15
  %whole = and i64 %more, -16
  %end = add i64 %used, %whole
  %fits = icmp ule i64 %end, %size
  br i1 %fits, label %take, label %heap
take:
  store i64 %launch, ptr %slab, align 8
  store i64 %end, ptr %used.at, align 8
  %place = getelementptr i8, ptr %slab, i64 %used
  ret ptr %place
heap:
  %got = call ptr @malloc(i64 %bytes)
  %failed = icmp eq ptr %got, null
  br i1 %failed, label %trap, label %got.it
trap:
  call void @llvm.trap()
  unreachable
got.it:
  ret ptr %got
}

define internal void @gradir.cuda.free(ptr %data) noinline nounwind {
  %base = load ptr, ptr addrspace(1) @gradir_tape, align 8
  %at = getelementptr { ptr, i64, ptr, i64 }, ptr addrspace(1) @gradir_tape, i32 0, i32 2
  %end = load ptr, ptr addrspace(1) %at, align 8
  %above = icmp uge ptr %data, %base
  %below = icmp ult ptr %data, %end
  %mine = and i1 %above, %below
  br i1 %mine, label %done, label %heap
heap:
  call void @free(ptr %data)
  br label %done
done:
  ret void
}

; In place of those that keep blocks for the next call (machine/transform/runtime.py).

define internal ptr @gradir.acquire(ptr %pool, i64 %bytes) nounwind {
  %got = call ptr @gradir.cuda.malloc(i64 %bytes)
  ret ptr %got
}

define internal void @gradir.release(ptr %pool, ptr %data) nounwind {
  call void @gradir.cuda.free(ptr %data)
  ret void
}

define internal void @gradir.grow(ptr %buffer, ptr %pool, i64 %needed) noinline nounwind {
  %capacity.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %used = load i64, ptr %used.at
  %twice = shl i64 %needed, 1
  %wanted = call i64 @llvm.umax.i64(i64 %twice, i64 128)
  %new = call ptr @gradir.cuda.malloc(i64 %wanted)
  %empty = icmp eq ptr %data, null
  br i1 %empty, label %done, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %data, i64 %used, i1 false)
  call void @gradir.cuda.free(ptr %data)
  br label %done
done:
  store ptr %new, ptr %buffer
  store i64 %wanted, ptr %capacity.at
  ret void
}
