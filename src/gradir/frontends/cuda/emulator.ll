; Made by make_emulator.py from emulator.c, 7ab8b7966b268389
%struct.anon = type { [3 x i32], [3 x i32], [3 x i32], [3 x i32], i32, i32, i32, ptr, [56 x i8], %struct.Context, ptr, ptr, [48 x i8] }
%struct.Context = type { i64, ptr, ptr, i32, i64, [8152 x i8] }
%struct.Thread = type { %struct.Context, i32, i32, i64, [48 x i8] }
@gradir.emulator.grid = linkonce_odr hidden global %struct.anon zeroinitializer, align 64
define internal i32 @gradir.nvvm.read.ptx.sreg.tid.x() {
  %1 = load volatile i32, ptr @gradir.emulator.grid, align 64
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.tid.y() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 4), align 4
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.tid.z() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8), align 8
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ctaid.x() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 12), align 4
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ctaid.y() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 16), align 16
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ctaid.z() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 20), align 4
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ntid.x() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 24), align 8
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ntid.y() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 28), align 4
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.ntid.z() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 32), align 32
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.nctaid.x() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 36), align 4
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.nctaid.y() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 40), align 8
  ret i32 %1
}
define internal i32 @gradir.nvvm.read.ptx.sreg.nctaid.z() {
  %1 = load volatile i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 44), align 4
  ret i32 %1
}
define internal void @gradir.nvvm.barrier.cta.sync.aligned.all(i32 %0) {
  %2 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %3 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %4 = sext i32 %3 to i64
  %5 = getelementptr inbounds %struct.Thread, ptr %2, i64 %4
  %6 = getelementptr inbounds i8, ptr %5, i64 8192
  store i32 1, ptr %6, align 64
  %7 = getelementptr inbounds i8, ptr %5, i64 8196
  store i32 0, ptr %7, align 4
  %8 = call i32 @swapcontext(ptr %5, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  ret void
}
define internal void @gradir.nvvm.barrier0() {
  %1 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %2 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %3 = sext i32 %2 to i64
  %4 = getelementptr inbounds %struct.Thread, ptr %1, i64 %3
  %5 = getelementptr inbounds i8, ptr %4, i64 8192
  store i32 1, ptr %5, align 64
  %6 = getelementptr inbounds i8, ptr %4, i64 8196
  store i32 0, ptr %6, align 4
  %7 = call i32 @swapcontext(ptr %4, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  ret void
}
define internal void @gradir.nvvm.bar.warp.sync(i32 %0) {
  %2 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %3 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %4 = sext i32 %3 to i64
  %5 = getelementptr inbounds %struct.Thread, ptr %2, i64 %4
  %6 = getelementptr inbounds i8, ptr %5, i64 8192
  store i32 2, ptr %6, align 64
  %7 = getelementptr inbounds i8, ptr %5, i64 8196
  store i32 %0, ptr %7, align 4
  %8 = call i32 @swapcontext(ptr %5, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  ret void
}
define internal void @gradir.nvvm.membar.gl() {
  ret void
}
define internal void @gradir.nvvm.membar.cta() {
  ret void
}
define internal void @gradir.nvvm.membar.sys() {
  ret void
}
define internal i32 @gradir.nvvm.shfl.sync.up.i32(i32 %0, i32 %1, i32 %2, i32 %3) {
  %5 = zext i32 %1 to i64
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %7 = srem i32 %6, 32
  %8 = and i32 %2, 31
  %9 = and i32 %3, 31
  %10 = lshr i32 %3, 8
  %11 = and i32 %10, 31
  %12 = and i32 %7, %11
  %13 = xor i32 %11, -1
  %14 = and i32 %9, %13
  %15 = or i32 %12, %14
  %16 = sub nsw i32 %7, %8
  %17 = icmp slt i32 %16, %15
  %18 = select i1 %17, i32 %7, i32 %16
  %19 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %5, i32 %18)
  %20 = trunc i64 %19 to i32
  ret i32 %20
}
define internal fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %1, i32 %2) {
  %4 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %5 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %6 = sext i32 %5 to i64
  %7 = getelementptr inbounds %struct.Thread, ptr %4, i64 %6
  %8 = getelementptr inbounds i8, ptr %7, i64 8200
  store i64 %1, ptr %8, align 8
  %9 = getelementptr inbounds i8, ptr %7, i64 8192
  store i32 2, ptr %9, align 64
  %10 = getelementptr inbounds i8, ptr %7, i64 8196
  store i32 %0, ptr %10, align 4
  %11 = call i32 @swapcontext(ptr %7, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  %12 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %13 = srem i32 %12, 32
  %14 = add i32 %12, %2
  %15 = sub i32 %14, %13
  %16 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 52), align 4
  %17 = icmp slt i32 %15, %16
  br i1 %17, label %18, label %27
18:
  %19 = srem i32 %5, 32
  %20 = sub nsw i32 0, %19
  %21 = sext i32 %20 to i64
  %22 = getelementptr inbounds %struct.Thread, ptr %7, i64 %21
  %23 = sext i32 %2 to i64
  %24 = getelementptr inbounds %struct.Thread, ptr %22, i64 %23
  %25 = getelementptr inbounds i8, ptr %24, i64 8200
  %26 = load i64, ptr %25, align 8
  br label %27
27:
  %28 = phi i64 [ %26, %18 ], [ %1, %3 ]
  %29 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %30 = sext i32 %12 to i64
  %31 = getelementptr inbounds %struct.Thread, ptr %29, i64 %30
  %32 = getelementptr inbounds i8, ptr %31, i64 8192
  store i32 2, ptr %32, align 64
  %33 = getelementptr inbounds i8, ptr %31, i64 8196
  store i32 %0, ptr %33, align 4
  %34 = call i32 @swapcontext(ptr %31, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  ret i64 %28
}
define internal float @gradir.nvvm.shfl.sync.up.f32(i32 %0, float %1, i32 %2, i32 %3) {
  %5 = bitcast float %1 to i32
  %6 = zext i32 %5 to i64
  %7 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %8 = srem i32 %7, 32
  %9 = and i32 %2, 31
  %10 = and i32 %3, 31
  %11 = lshr i32 %3, 8
  %12 = and i32 %11, 31
  %13 = and i32 %8, %12
  %14 = xor i32 %12, -1
  %15 = and i32 %10, %14
  %16 = or i32 %13, %15
  %17 = sub nsw i32 %8, %9
  %18 = icmp slt i32 %17, %16
  %19 = select i1 %18, i32 %8, i32 %17
  %20 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %6, i32 %19)
  %21 = trunc i64 %20 to i32
  %22 = bitcast i32 %21 to float
  ret float %22
}
define internal i32 @gradir.nvvm.shfl.sync.down.i32(i32 %0, i32 %1, i32 %2, i32 %3) {
  %5 = zext i32 %1 to i64
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %7 = srem i32 %6, 32
  %8 = and i32 %2, 31
  %9 = and i32 %3, 31
  %10 = lshr i32 %3, 8
  %11 = and i32 %10, 31
  %12 = and i32 %7, %11
  %13 = xor i32 %11, -1
  %14 = and i32 %9, %13
  %15 = or i32 %12, %14
  %16 = add nsw i32 %7, %8
  %17 = icmp sgt i32 %16, %15
  %18 = select i1 %17, i32 %7, i32 %16
  %19 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %5, i32 %18)
  %20 = trunc i64 %19 to i32
  ret i32 %20
}
define internal float @gradir.nvvm.shfl.sync.down.f32(i32 %0, float %1, i32 %2, i32 %3) {
  %5 = bitcast float %1 to i32
  %6 = zext i32 %5 to i64
  %7 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %8 = srem i32 %7, 32
  %9 = and i32 %2, 31
  %10 = and i32 %3, 31
  %11 = lshr i32 %3, 8
  %12 = and i32 %11, 31
  %13 = and i32 %8, %12
  %14 = xor i32 %12, -1
  %15 = and i32 %10, %14
  %16 = or i32 %13, %15
  %17 = add nsw i32 %8, %9
  %18 = icmp sgt i32 %17, %16
  %19 = select i1 %18, i32 %8, i32 %17
  %20 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %6, i32 %19)
  %21 = trunc i64 %20 to i32
  %22 = bitcast i32 %21 to float
  ret float %22
}
define internal i32 @gradir.nvvm.shfl.sync.bfly.i32(i32 %0, i32 %1, i32 %2, i32 %3) {
  %5 = zext i32 %1 to i64
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %7 = srem i32 %6, 32
  %8 = and i32 %2, 31
  %9 = and i32 %3, 31
  %10 = lshr i32 %3, 8
  %11 = and i32 %10, 31
  %12 = and i32 %7, %11
  %13 = xor i32 %11, -1
  %14 = and i32 %9, %13
  %15 = or i32 %12, %14
  %16 = xor i32 %7, %8
  %17 = icmp sgt i32 %16, %15
  %18 = select i1 %17, i32 %7, i32 %16
  %19 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %5, i32 %18)
  %20 = trunc i64 %19 to i32
  ret i32 %20
}
define internal float @gradir.nvvm.shfl.sync.bfly.f32(i32 %0, float %1, i32 %2, i32 %3) {
  %5 = bitcast float %1 to i32
  %6 = zext i32 %5 to i64
  %7 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %8 = srem i32 %7, 32
  %9 = and i32 %2, 31
  %10 = and i32 %3, 31
  %11 = lshr i32 %3, 8
  %12 = and i32 %11, 31
  %13 = and i32 %8, %12
  %14 = xor i32 %12, -1
  %15 = and i32 %10, %14
  %16 = or i32 %13, %15
  %17 = xor i32 %8, %9
  %18 = icmp sgt i32 %17, %16
  %19 = select i1 %18, i32 %8, i32 %17
  %20 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %6, i32 %19)
  %21 = trunc i64 %20 to i32
  %22 = bitcast i32 %21 to float
  ret float %22
}
define internal i32 @gradir.nvvm.shfl.sync.idx.i32(i32 %0, i32 %1, i32 %2, i32 %3) {
  %5 = zext i32 %1 to i64
  %6 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %7 = srem i32 %6, 32
  %8 = lshr i32 %3, 8
  %9 = and i32 %8, 31
  %10 = and i32 %7, %9
  %11 = xor i32 %9, 31
  %12 = and i32 %11, %3
  %13 = and i32 %11, %2
  %14 = or i32 %10, %13
  %15 = icmp ugt i32 %13, %12
  %16 = select i1 %15, i32 %7, i32 %14
  %17 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %5, i32 %16)
  %18 = trunc i64 %17 to i32
  ret i32 %18
}
define internal float @gradir.nvvm.shfl.sync.idx.f32(i32 %0, float %1, i32 %2, i32 %3) {
  %5 = bitcast float %1 to i32
  %6 = zext i32 %5 to i64
  %7 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %8 = srem i32 %7, 32
  %9 = lshr i32 %3, 8
  %10 = and i32 %9, 31
  %11 = and i32 %8, %10
  %12 = xor i32 %10, 31
  %13 = and i32 %12, %3
  %14 = and i32 %12, %2
  %15 = or i32 %11, %14
  %16 = icmp ugt i32 %14, %13
  %17 = select i1 %16, i32 %8, i32 %15
  %18 = call fastcc i64 @gradir.emulator.exchanged(i32 %0, i64 %6, i32 %17)
  %19 = trunc i64 %18 to i32
  %20 = bitcast i32 %19 to float
  ret float %20
}
define internal i32 @gradir.launch(ptr %0, ptr %1, ptr %2, i32 %3) {
  store ptr %0, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8320), align 64
  store ptr %1, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8328), align 8
  store i32 %3, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 56), align 8
  br label %15
5:
  %6 = getelementptr inbounds i8, ptr %2, i64 12
  %7 = load i32, ptr %6, align 4
  %8 = getelementptr inbounds i8, ptr %2, i64 16
  %9 = load i32, ptr %8, align 4
  %10 = mul nsw i32 %9, %7
  %11 = getelementptr inbounds i8, ptr %2, i64 20
  %12 = load i32, ptr %11, align 4
  %13 = mul nsw i32 %10, %12
  store i32 %13, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 52), align 4
  %14 = icmp eq i32 %3, 0
  br i1 %14, label %31, label %25
15:
  %16 = phi i64 [ 0, %4 ], [ %23, %15 ]
  %17 = getelementptr inbounds i32, ptr %2, i64 %16
  %18 = load i32, ptr %17, align 4
  %19 = getelementptr inbounds i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 36), i64 %16
  store i32 %18, ptr %19, align 4
  %20 = getelementptr inbounds i8, ptr %17, i64 12
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr inbounds i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 24), i64 %16
  store i32 %21, ptr %22, align 4
  %23 = add nsw i64 %16, 1
  %24 = icmp eq i64 %23, 3
  br i1 %24, label %5, label %15
25:
  %26 = sext i32 %13 to i64
  %27 = mul nsw i64 %26, 8256
  %28 = call ptr @malloc(i64 %27)
  %29 = shl nsw i64 %26, 18
  %30 = call ptr @malloc(i64 %29)
  br label %31
31:
  %32 = phi ptr [ %28, %25 ], [ null, %5 ]
  %33 = phi ptr [ %30, %25 ], [ null, %5 ]
  store ptr %32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %34 = getelementptr inbounds i8, ptr %2, i64 8
  %35 = load i32, ptr %34, align 4
  %36 = icmp sgt i32 %35, 0
  br i1 %36, label %37, label %50
37:
  %38 = getelementptr inbounds i8, ptr %2, i64 4
  %39 = load i32, ptr %38, align 4
  br label %40
40:
  %41 = phi i32 [ %35, %37 ], [ %64, %63 ]
  %42 = phi i32 [ %39, %37 ], [ %65, %63 ]
  %43 = phi i32 [ %13, %37 ], [ %66, %63 ]
  %44 = phi i32 [ %39, %37 ], [ %67, %63 ]
  %45 = phi i32 [ 0, %37 ], [ %69, %63 ]
  %46 = phi i32 [ 0, %37 ], [ %68, %63 ]
  %47 = icmp sgt i32 %44, 0
  br i1 %47, label %48, label %63
48:
  %49 = load i32, ptr %2, align 4
  br label %52
50:
  %51 = phi i32 [ 0, %31 ], [ %68, %63 ]
  br i1 %14, label %275, label %273
52:
  %53 = phi i32 [ %77, %76 ], [ %42, %48 ]
  %54 = phi i32 [ %78, %76 ], [ %43, %48 ]
  %55 = phi i32 [ %79, %76 ], [ %49, %48 ]
  %56 = phi i32 [ %81, %76 ], [ 0, %48 ]
  %57 = phi i32 [ %80, %76 ], [ %46, %48 ]
  %58 = icmp sgt i32 %55, 0
  %59 = icmp eq i32 %57, 0
  %60 = select i1 %58, i1 %59, i1 false
  br i1 %60, label %83, label %76
61:
  %62 = load i32, ptr %34, align 4
  br label %63
63:
  %64 = phi i32 [ %41, %40 ], [ %62, %61 ]
  %65 = phi i32 [ %42, %40 ], [ %77, %61 ]
  %66 = phi i32 [ %43, %40 ], [ %78, %61 ]
  %67 = phi i32 [ %44, %40 ], [ %77, %61 ]
  %68 = phi i32 [ %46, %40 ], [ %80, %61 ]
  %69 = add nsw i32 %45, 1
  %70 = icmp slt i32 %69, %64
  br i1 %70, label %40, label %50
71:
  %72 = phi i32 [ %116, %115 ], [ %271, %268 ]
  %73 = phi i32 [ 1, %115 ], [ 0, %268 ]
  %74 = phi i32 [ %110, %115 ], [ %269, %268 ]
  %75 = load i32, ptr %38, align 4
  br label %76
76:
  %77 = phi i32 [ %53, %52 ], [ %75, %71 ]
  %78 = phi i32 [ %54, %52 ], [ %74, %71 ]
  %79 = phi i32 [ %55, %52 ], [ %72, %71 ]
  %80 = phi i32 [ %57, %52 ], [ %73, %71 ]
  %81 = add nsw i32 %56, 1
  %82 = icmp slt i32 %81, %77
  br i1 %82, label %52, label %61
83:
  %84 = phi i32 [ %269, %268 ], [ %54, %52 ]
  %85 = phi i32 [ %270, %268 ], [ 0, %52 ]
  store i32 %85, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 12), align 4
  store i32 %56, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 16), align 16
  store i32 %45, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 20), align 4
  %86 = icmp sgt i32 %84, 0
  br i1 %86, label %91, label %87
87:
  %88 = phi i32 [ %84, %83 ], [ %107, %105 ]
  %89 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 56), align 8
  %90 = icmp eq i32 %89, 0
  br i1 %90, label %268, label %109
91:
  %92 = phi i32 [ %106, %105 ], [ 0, %83 ]
  %93 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 56), align 8
  %94 = icmp eq i32 %93, 0
  br i1 %94, label %95, label %104
95:
  store i32 %92, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %96 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 24), align 8
  %97 = srem i32 %92, %96
  store i32 %97, ptr @gradir.emulator.grid, align 64
  %98 = sdiv i32 %92, %96
  %99 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 28), align 4
  %100 = srem i32 %98, %99
  store i32 %100, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 4), align 4
  %101 = sdiv i32 %98, %99
  store i32 %101, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8), align 8
  %102 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8320), align 64
  %103 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8328), align 8
  call void %102(ptr %103)
  br label %105
104:
  call fastcc void @gradir.emulator.start(i32 %92, ptr %33)
  br label %105
105:
  %106 = add nsw i32 %92, 1
  %107 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 52), align 4
  %108 = icmp slt i32 %106, %107
  br i1 %108, label %91, label %87
109:
  %110 = phi i32 [ %126, %235 ], [ %88, %87 ]
  %111 = phi i32 [ %129, %235 ], [ %88, %87 ]
  %112 = phi i32 [ %128, %235 ], [ %88, %87 ]
  %113 = phi i32 [ %236, %235 ], [ 1, %87 ]
  %114 = icmp eq i32 %113, 0
  br i1 %114, label %115, label %117
115:
  %116 = load i32, ptr %2, align 4
  br label %71
117:
  %118 = icmp sgt i32 %112, 0
  br i1 %118, label %119, label %125
119:
  %120 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  br label %241
121:
  %122 = icmp sgt i32 %263, 0
  br i1 %122, label %123, label %125
123:
  %124 = zext i32 %263 to i64
  br label %133
125:
  %126 = phi i32 [ %262, %121 ], [ %110, %117 ], [ %262, %133 ]
  %127 = phi i1 [ false, %121 ], [ false, %117 ], [ true, %133 ]
  %128 = phi i32 [ %263, %121 ], [ %112, %117 ], [ %263, %133 ]
  %129 = phi i32 [ %263, %121 ], [ %111, %117 ], [ %263, %133 ]
  %130 = phi i32 [ 0, %121 ], [ 0, %117 ], [ %145, %133 ]
  %131 = phi i32 [ 0, %121 ], [ 0, %117 ], [ %142, %133 ]
  %132 = icmp eq i32 %130, %128
  br i1 %132, label %268, label %148
133:
  %134 = phi i64 [ 0, %123 ], [ %146, %133 ]
  %135 = phi i32 [ 0, %123 ], [ %142, %133 ]
  %136 = phi i32 [ 0, %123 ], [ %145, %133 ]
  %137 = getelementptr inbounds %struct.Thread, ptr %264, i64 %134
  %138 = getelementptr inbounds i8, ptr %137, i64 8192
  %139 = load i32, ptr %138, align 64
  %140 = icmp eq i32 %139, 1
  %141 = zext i1 %140 to i32
  %142 = add nsw i32 %135, %141
  %143 = icmp eq i32 %139, 3
  %144 = zext i1 %143 to i32
  %145 = add nsw i32 %136, %144
  %146 = add nsw i64 %134, 1
  %147 = icmp eq i64 %146, %124
  br i1 %147, label %125, label %133
148:
  %149 = add nsw i32 %131, %130
  %150 = icmp eq i32 %149, %128
  br i1 %150, label %155, label %151
151:
  br i1 %127, label %152, label %235
152:
  %153 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %154 = zext i32 %128 to i64
  br label %169
155:
  br i1 %127, label %156, label %235
156:
  %157 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %158 = zext i32 %128 to i64
  br label %159
159:
  %160 = phi i64 [ 0, %156 ], [ %167, %166 ]
  %161 = getelementptr inbounds %struct.Thread, ptr %157, i64 %160
  %162 = getelementptr inbounds i8, ptr %161, i64 8192
  %163 = load i32, ptr %162, align 64
  %164 = icmp eq i32 %163, 1
  br i1 %164, label %165, label %166
165:
  store i32 0, ptr %162, align 64
  br label %166
166:
  %167 = add nsw i64 %160, 1
  %168 = icmp eq i64 %167, %158
  br i1 %168, label %235, label %159
169:
  %170 = phi i64 [ 0, %152 ], [ %233, %231 ]
  %171 = phi i32 [ 0, %152 ], [ %232, %231 ]
  %172 = getelementptr inbounds %struct.Thread, ptr %153, i64 %170
  %173 = and i64 %170, 31
  %174 = sub nsw i64 0, %173
  %175 = getelementptr inbounds %struct.Thread, ptr %172, i64 %174
  %176 = getelementptr inbounds i8, ptr %172, i64 8192
  %177 = load i32, ptr %176, align 64
  %178 = icmp eq i32 %177, 2
  br i1 %178, label %179, label %231
179:
  %180 = getelementptr inbounds i8, ptr %172, i64 8196
  %181 = load i32, ptr %180, align 4
  %182 = and i64 %170, 2147483616
  br label %183
183:
  %184 = phi i64 [ 0, %179 ], [ %208, %206 ]
  %185 = phi i32 [ 1, %179 ], [ %207, %206 ]
  %186 = or i64 %184, %182
  %187 = icmp ult i64 %186, %154
  br i1 %187, label %191, label %188
188:
  %189 = phi i32 [ %207, %206 ], [ %185, %183 ]
  %190 = icmp eq i32 %189, 0
  br i1 %190, label %231, label %210
191:
  %192 = trunc nsw i64 %184 to i32
  %193 = shl i32 1, %192
  %194 = and i32 %193, %181
  %195 = icmp eq i32 %194, 0
  br i1 %195, label %206, label %196
196:
  %197 = getelementptr inbounds %struct.Thread, ptr %175, i64 %184
  %198 = getelementptr inbounds i8, ptr %197, i64 8192
  %199 = load i32, ptr %198, align 64
  switch i32 %199, label %205 [
    i32 3, label %206
    i32 2, label %200
  ]
200:
  %201 = getelementptr inbounds i8, ptr %197, i64 8196
  %202 = load i32, ptr %201, align 4
  %203 = icmp eq i32 %202, %181
  %204 = select i1 %203, i32 %185, i32 0
  br label %206
205:
  br label %206
206:
  %207 = phi i32 [ %185, %191 ], [ %185, %196 ], [ %204, %200 ], [ 0, %205 ]
  %208 = add nsw i64 %184, 1
  %209 = icmp eq i64 %208, 32
  br i1 %209, label %188, label %183
210:
  %211 = phi i64 [ %229, %227 ], [ 0, %188 ]
  %212 = phi i32 [ %228, %227 ], [ %171, %188 ]
  %213 = or i64 %211, %182
  %214 = icmp ult i64 %213, %154
  br i1 %214, label %215, label %231
215:
  %216 = trunc nsw i64 %211 to i32
  %217 = shl i32 1, %216
  %218 = and i32 %217, %181
  %219 = icmp eq i32 %218, 0
  br i1 %219, label %227, label %220
220:
  %221 = getelementptr inbounds %struct.Thread, ptr %175, i64 %211
  %222 = getelementptr inbounds i8, ptr %221, i64 8192
  %223 = load i32, ptr %222, align 64
  %224 = icmp eq i32 %223, 2
  br i1 %224, label %225, label %227
225:
  store i32 0, ptr %222, align 64
  %226 = add nsw i32 %212, 1
  br label %227
227:
  %228 = phi i32 [ %226, %225 ], [ %212, %220 ], [ %212, %215 ]
  %229 = add nsw i64 %211, 1
  %230 = icmp eq i64 %229, 32
  br i1 %230, label %231, label %210
231:
  %232 = phi i32 [ %171, %169 ], [ %171, %188 ], [ %212, %210 ], [ %228, %227 ]
  %233 = add nsw i64 %170, 1
  %234 = icmp eq i64 %233, %154
  br i1 %234, label %235, label %169
235:
  %236 = phi i32 [ %131, %155 ], [ %131, %166 ], [ 0, %151 ], [ %232, %231 ]
  %237 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 56), align 8
  %238 = icmp ne i32 %237, 0
  %239 = icmp sgt i32 %236, -1
  %240 = select i1 %238, i1 %239, i1 false
  br i1 %240, label %109, label %268
241:
  %242 = phi i32 [ %110, %119 ], [ %262, %261 ]
  %243 = phi i32 [ %111, %119 ], [ %263, %261 ]
  %244 = phi ptr [ %120, %119 ], [ %264, %261 ]
  %245 = phi i64 [ 0, %119 ], [ %265, %261 ]
  %246 = getelementptr inbounds %struct.Thread, ptr %244, i64 %245
  %247 = getelementptr inbounds i8, ptr %246, i64 8192
  %248 = load i32, ptr %247, align 64
  %249 = icmp eq i32 %248, 0
  br i1 %249, label %250, label %261
250:
  %251 = trunc nsw i64 %245 to i32
  store i32 %251, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %252 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 24), align 8
  %253 = srem i32 %251, %252
  store i32 %253, ptr @gradir.emulator.grid, align 64
  %254 = sdiv i32 %251, %252
  %255 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 28), align 4
  %256 = srem i32 %254, %255
  store i32 %256, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 4), align 4
  %257 = sdiv i32 %254, %255
  store i32 %257, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8), align 8
  %258 = call i32 @swapcontext(ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128), ptr %246)
  %259 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %260 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 52), align 4
  br label %261
261:
  %262 = phi i32 [ %242, %241 ], [ %260, %250 ]
  %263 = phi i32 [ %243, %241 ], [ %260, %250 ]
  %264 = phi ptr [ %244, %241 ], [ %259, %250 ]
  %265 = add nsw i64 %245, 1
  %266 = sext i32 %263 to i64
  %267 = icmp slt i64 %265, %266
  br i1 %267, label %241, label %121
268:
  %269 = phi i32 [ %88, %87 ], [ %126, %235 ], [ %126, %125 ]
  %270 = add nsw i32 %85, 1
  %271 = load i32, ptr %2, align 4
  %272 = icmp slt i32 %270, %271
  br i1 %272, label %83, label %71
273:
  call void @free(ptr %33)
  %274 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  call void @free(ptr %274)
  br label %275
275:
  ret i32 %51
}
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @swapcontext(ptr, ptr)
define internal fastcc void @gradir.emulator.start(i32 %0, ptr %1) {
  %3 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %4 = sext i32 %0 to i64
  %5 = getelementptr inbounds %struct.Thread, ptr %3, i64 %4
  %6 = getelementptr inbounds i8, ptr %5, i64 8192
  store i32 0, ptr %6, align 64
  %7 = call i32 @getcontext(ptr %5)
  %8 = shl nsw i64 %4, 18
  %9 = getelementptr inbounds i8, ptr %1, i64 %8
  %10 = getelementptr inbounds i8, ptr %5, i64 16
  store ptr %9, ptr %10, align 16
  %11 = getelementptr inbounds i8, ptr %5, i64 32
  store i64 262144, ptr %11, align 32
  %12 = getelementptr inbounds i8, ptr %5, i64 8
  store ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128), ptr %12, align 8
  call void (ptr, ptr, i32, ...) @makecontext(ptr %5, ptr @gradir.emulator.run_thread, i32 0)
  ret void
}
declare i32 @getcontext(ptr)
declare void @makecontext(ptr, ptr, i32, ...)
define internal void @gradir.emulator.run_thread() {
  %1 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8320), align 64
  %2 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 8328), align 8
  call void %1(ptr %2)
  %3 = load ptr, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 64), align 64
  %4 = load i32, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 48), align 16
  %5 = sext i32 %4 to i64
  %6 = getelementptr inbounds %struct.Thread, ptr %3, i64 %5
  %7 = getelementptr inbounds i8, ptr %6, i64 8192
  store i32 3, ptr %7, align 64
  %8 = call i32 @swapcontext(ptr %6, ptr getelementptr inbounds (i8, ptr @gradir.emulator.grid, i64 128))
  ret void
}
