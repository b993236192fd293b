"""Memory for the tapes of calls, as LLVM IR: each is given back before those that were taken before it.

So there is an *arena*, { block, top, bytes left }, which stands at byte 32 of the list that a derivative hands to all
that it calls (`storage.FREED`). To take memory is to move the top, and to give it back as well. Blocks begin with
{ capacity, the block before }, and what they hold with the first multiple of 64 bytes that is at least 64 further on; a
full one is followed by one twice as large. The largest waits in a pool for the next derivative, of whichever thread.

Measured on a recursive Fourier transform and a robot's dynamics in C++ with containers: with a block from `malloc` for
each call their gradients took 15 and 23 times the function, half of it in `malloc` and `free`.
"""

from __future__ import annotations

from gradir.machine.ir import I64, PTR, struct

__all__ = ["ALIGN", "CALLS", "DEFINITIONS", "POOL", "RUNTIME", "SEGMENTS"]

POOL, RUNTIME = "gradir.pool.arena", "gradir.arena"
ALIGN = 64
"""Of all that is taken."""

SEGMENTS = struct([PTR, I64, I64, I64, PTR])
"""A buffer that grows by segments: where its byte 0 would be if the last segment reached down to it, capacity and use
in bytes, the first byte in the last segment, and that."""

CALLS: dict[str, tuple[str, ...]] = {
    "gradir.arena.acquire": ("gradir.arena.open",),
    "gradir.arena.acquire_once": ("gradir.arena.acquire",),
    "gradir.arena.borrow": ("gradir.arena.acquire", "gradir.reserve"),
    "gradir.arena.borrow_zero": ("gradir.arena.acquire", "gradir.reserve", "calloc", "free"),
    "gradir.arena.tape": ("gradir.arena.acquire",),
    "gradir.arena.wide_tape": ("gradir.arena.tape",),
    "gradir.arena.open": ("malloc", "free", "gradir.arena.data"),
    "gradir.arena.data": (),
    "gradir.arena.grow": ("gradir.arena.acquire",),
    "gradir.arena.reserve": ("gradir.arena.grow",),
    "gradir.arena.pop": ("gradir.arena.shrink",),
    "gradir.arena.shrink": (),
    "gradir.arena.release": (),
    "gradir.arena.keep": (),
    "gradir.arena.back": ("gradir.arena.shelve", "gradir.arena.data"),
    "gradir.arena.rewind": ("gradir.arena.back",),
    "gradir.arena.shelve": ("free",),
    "gradir.arena.end": ("gradir.arena.shelve",),
}
"""Each function with what it calls."""

_LEAST = (1 << 16) - 128
"""Bytes that the first block holds."""

_LENT = 1 << 14
"""Up to so many bytes, what the program allocates for itself comes from here as well."""

DEFINITIONS = {
    "gradir.arena.acquire": """
define internal noalias ptr @gradir.arena.acquire(ptr %list, i64 %bytes) noinline nounwind {
  %top.at = getelementptr i8, ptr %list, i64 40
  %left.at = getelementptr i8, ptr %list, i64 48
  %top = load ptr, ptr %top.at
  %left = load i64, ptr %left.at
  %more = add i64 %bytes, 63
  %size = and i64 %more, -64
  %fits = icmp ule i64 %size, %left
  br i1 %fits, label %take, label %full, !prof !{!"branch_weights", i32 1000, i32 1}
take:
  %next = getelementptr i8, ptr %top, i64 %size
  %rest = sub i64 %left, %size
  store ptr %next, ptr %top.at
  store i64 %rest, ptr %left.at
  ret ptr %top
full:
  %new = call ptr @gradir.arena.open(ptr %list, i64 %size)
  ret ptr %new
}""",
    "gradir.arena.acquire_once": """
define internal ptr @gradir.arena.acquire_once(ptr %slot, ptr %list, i64 %bytes) alwaysinline nounwind {
  %old = load ptr, ptr %slot
  %none = icmp eq ptr %old, null
  br i1 %none, label %first, label %done
first:
  %new = call noalias ptr @gradir.arena.acquire(ptr %list, i64 %bytes)
  store ptr %new, ptr %slot
  ret ptr %new
done:
  ret ptr %old
}""",
    # Memory of the program's own, which nobody else gives back. More than some is not worth the room: the allocator has
    # that, and the list gives it back.
    "gradir.arena.borrow": f"""
define internal ptr @gradir.arena.borrow(ptr %list, ptr %pool, i64 %bytes, ptr %allocate, ptr %free) alwaysinline {{
  %small = icmp ule i64 %bytes, {_LENT}
  br i1 %small, label %lend, label %make
lend:
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %lent = call noalias ptr @gradir.arena.acquire(ptr %list, i64 %some)
  br label %ready
make:
  %made = call noalias ptr %allocate(i64 %bytes)
  %at = call ptr @gradir.reserve(ptr %list, ptr %pool, i64 32)
  %free.at = getelementptr i8, ptr %at, i64 8
  store ptr %made, ptr %at
  store ptr %free, ptr %free.at
  br label %ready
ready:
  %given = phi ptr [ %lent, %lend ], [ %made, %make ]
  ret ptr %given
}}
declare i64 @llvm.umax.i64(i64, i64)""",
    "gradir.arena.borrow_zero": f"""
define internal ptr @gradir.arena.borrow_zero(ptr %list, ptr %pool, i64 %bytes) alwaysinline nounwind {{
  %small = icmp ule i64 %bytes, {_LENT}
  br i1 %small, label %lend, label %make
lend:
  %some = call i64 @llvm.umax.i64(i64 %bytes, i64 1)
  %lent = call noalias ptr @gradir.arena.acquire(ptr %list, i64 %some)
  call void @llvm.memset.p0.i64(ptr %lent, i8 0, i64 %bytes, i1 false)
  br label %ready
make:
  %made = call noalias ptr @calloc(i64 1, i64 %bytes)
  %at = call ptr @gradir.reserve(ptr %list, ptr %pool, i64 32)
  %free.at = getelementptr i8, ptr %at, i64 8
  store ptr %made, ptr %at
  store ptr @free, ptr %free.at
  br label %ready
ready:
  %given = phi ptr [ %lent, %lend ], [ %made, %make ]
  ret ptr %given
}}
declare i64 @llvm.umax.i64(i64, i64)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)""",
    # The tape of a call, before which stands where it was taken from.
    "gradir.arena.tape": """
define internal noalias ptr @gradir.arena.tape(ptr %list, i64 %bytes) noinline nounwind {
  %whole = add i64 %bytes, 64
  %begin = call ptr @gradir.arena.acquire(ptr %list, i64 %whole)
  store ptr %list, ptr %begin
  %tape = getelementptr i8, ptr %begin, i64 64
  ret ptr %tape
}""",
    # The same, of memory that is to begin at a multiple of more.
    "gradir.arena.wide_tape": """
define internal noalias ptr @gradir.arena.wide_tape(i64 %align, ptr %list, i64 %bytes) noinline nounwind {
  %whole = add i64 %bytes, %align
  %begin = call ptr @gradir.arena.tape(ptr %list, i64 %whole)
  %address = ptrtoint ptr %begin to i64
  %mask = sub i64 %align, 1
  %beyond = and i64 %address, %mask
  %gap = sub i64 %align, %beyond
  %tape = getelementptr i8, ptr %begin, i64 %gap
  %list.at = getelementptr i8, ptr %tape, i64 -64
  store ptr %list, ptr %list.at
  ret ptr %tape
}""",
    # One more block, of which so many bytes are taken at once.
    "gradir.arena.open": f"""
define internal ptr @gradir.arena.open(ptr %list, i64 %size) noinline nounwind {{
entry:
  %block.at = getelementptr i8, ptr %list, i64 32
  %top.at = getelementptr i8, ptr %list, i64 40
  %left.at = getelementptr i8, ptr %list, i64 48
  %full = load ptr, ptr %block.at
  %pooled = atomicrmw xchg ptr @{POOL}, ptr null acq_rel
  %none = icmp eq ptr %pooled, null
  br i1 %none, label %measure, label %check
check:
  %room = load i64, ptr %pooled
  %fits = icmp ule i64 %size, %room
  br i1 %fits, label %ready, label %drop
drop:
  call void @free(ptr %pooled)
  br label %measure
measure:
  %first = icmp eq ptr %full, null
  br i1 %first, label %make, label %double
double:
  %before = load i64, ptr %full
  %twice = shl i64 %before, 1
  br label %make
make:
  %least = phi i64 [ {_LEAST}, %measure ], [ %twice, %double ]
  %enough = call i64 @llvm.umax.i64(i64 %least, i64 %size)
  %total = add i64 %enough, 128
  %made = call ptr @malloc(i64 %total)
  store i64 %enough, ptr %made
  br label %ready
ready:
  %block = phi ptr [ %pooled, %check ], [ %made, %make ]
  %capacity = load i64, ptr %block
  %before.at = getelementptr i8, ptr %block, i64 8
  store ptr %full, ptr %before.at
  %data = call ptr @gradir.arena.data(ptr %block)
  %top = getelementptr i8, ptr %data, i64 %size
  %left = sub i64 %capacity, %size
  store ptr %block, ptr %block.at
  store ptr %top, ptr %top.at
  store i64 %left, ptr %left.at
  ret ptr %data
}}
declare i64 @llvm.umax.i64(i64, i64)""",
    # What a block holds.
    "gradir.arena.data": """
define internal ptr @gradir.arena.data(ptr %block) alwaysinline nounwind {
  %address = ptrtoint ptr %block to i64
  %beyond = add i64 %address, 127
  %begin = and i64 %beyond, -64
  %gap = sub i64 %begin, %address
  %data = getelementptr i8, ptr %block, i64 %gap
  ret ptr %data
}""",
    # A buffer grows by one more segment, { data, capacity, low and last segment of the buffer before }, and 64 bytes
    # further on what it holds: what was taken in between is given back before what came into the segments before it.
    "gradir.arena.grow": f"""
define internal void @gradir.arena.grow(ptr %buffer, ptr %list, i64 %needed) noinline nounwind {{
  %capacity.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 2
  %low.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 3
  %last.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 4
  %data = load ptr, ptr %buffer
  %capacity = load i64, ptr %capacity.at
  %used = load i64, ptr %used.at
  %low = load i64, ptr %low.at
  %last = load ptr, ptr %last.at
  %bytes = sub i64 %needed, %used
  %twice = call i64 @llvm.umax.i64(i64 %bytes, i64 %used)
  %holds = call i64 @llvm.umax.i64(i64 %twice, i64 192)
  %whole = add i64 %holds, 64
  %segment = call ptr @gradir.arena.acquire(ptr %list, i64 %whole)
  %before = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 1
  %lowest = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 2
  %previous = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 3
  store ptr %data, ptr %segment
  store i64 %capacity, ptr %before
  store i64 %low, ptr %lowest
  store ptr %last, ptr %previous
  %back = sub i64 64, %used
  %shifted = getelementptr i8, ptr %segment, i64 %back
  %end = add i64 %used, %holds
  store ptr %shifted, ptr %buffer
  store i64 %end, ptr %capacity.at
  store i64 %used, ptr %low.at
  store ptr %segment, ptr %last.at
  ret void
}}
declare i64 @llvm.umax.i64(i64, i64)""",
    "gradir.arena.reserve": f"""
define internal ptr @gradir.arena.reserve(ptr %buffer, ptr %list, i64 %bytes) alwaysinline nounwind {{
  %capacity.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 2
  %used = load i64, ptr %used.at
  %capacity = load i64, ptr %capacity.at
  %needed = add i64 %used, %bytes
  %fits = icmp ule i64 %needed, %capacity
  br i1 %fits, label %ready, label %grow, !prof !{{!"branch_weights", i32 1000, i32 1}}
grow:
  call void @gradir.arena.grow(ptr %buffer, ptr %list, i64 %needed)
  br label %ready
ready:
  %data = load ptr, ptr %buffer
  %place = getelementptr i8, ptr %data, i64 %used
  store i64 %needed, ptr %used.at
  ret ptr %place
}}""",
    # Where the last so many bytes are, which are in use no longer. Their segment is left with the first of them: they
    # are read before anything is given back that was taken before it, and it is not looked at any more.
    "gradir.arena.pop": f"""
define internal ptr @gradir.arena.pop(ptr %buffer, i64 %bytes) alwaysinline nounwind {{
  %used.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 2
  %low.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 3
  %before = load i64, ptr %used.at
  %used = sub i64 %before, %bytes
  store i64 %used, ptr %used.at
  %data = load ptr, ptr %buffer
  %place = getelementptr i8, ptr %data, i64 %used
  %low = load i64, ptr %low.at
  %here = icmp ugt i64 %used, %low
  br i1 %here, label %ready, label %shrink, !prof !{{!"branch_weights", i32 1000, i32 1}}
shrink:
  call void @gradir.arena.shrink(ptr %buffer)
  br label %ready
ready:
  ret ptr %place
}}""",
    # Back to the segment before, if there is one.
    "gradir.arena.shrink": f"""
define internal void @gradir.arena.shrink(ptr %buffer) noinline nounwind {{
  %capacity.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 1
  %low.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 3
  %last.at = getelementptr {SEGMENTS}, ptr %buffer, i32 0, i32 4
  %segment = load ptr, ptr %last.at
  %none = icmp eq ptr %segment, null
  br i1 %none, label %done, label %back
back:
  %capacity.was = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 1
  %low.was = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 2
  %last.was = getelementptr {{ ptr, i64, i64, ptr }}, ptr %segment, i32 0, i32 3
  %data = load ptr, ptr %segment
  %capacity = load i64, ptr %capacity.was
  %low = load i64, ptr %low.was
  %last = load ptr, ptr %last.was
  store ptr %data, ptr %buffer
  store i64 %capacity, ptr %capacity.at
  store i64 %low, ptr %low.at
  store ptr %last, ptr %last.at
  br label %done
done:
  ret void
}}""",
    # A part of what goes at once.
    "gradir.arena.release": """
define internal void @gradir.arena.release(ptr %list, ptr %data) alwaysinline nounwind {
  ret void
}""",
    # What the list has instead of a function that frees.
    "gradir.arena.keep": """
define internal void @gradir.arena.keep(ptr %memory, i64 %first, i64 %second) nounwind {
  ret void
}""",
    # A tape, and all that was taken since.
    "gradir.arena.back": """
define internal void @gradir.arena.back(ptr %tape) noinline nounwind {
entry:
  %memory = getelementptr i8, ptr %tape, i64 -64
  %list = load ptr, ptr %memory
  %block.at = getelementptr i8, ptr %list, i64 32
  %top.at = getelementptr i8, ptr %list, i64 40
  %left.at = getelementptr i8, ptr %list, i64 48
  %last = load ptr, ptr %block.at
  %address = ptrtoint ptr %memory to i64
  br label %look
look:
  %block = phi ptr [ %last, %entry ], [ %before, %leave ]
  %data = call ptr @gradir.arena.data(ptr %block)
  %begin = ptrtoint ptr %data to i64
  %used = sub i64 %address, %begin
  %capacity = load i64, ptr %block
  %inside = icmp ult i64 %used, %capacity
  br i1 %inside, label %done, label %leave, !prof !{!"branch_weights", i32 1000, i32 1}
leave:
  %before.at = getelementptr i8, ptr %block, i64 8
  %before = load ptr, ptr %before.at
  call void @gradir.arena.shelve(ptr %block)
  br label %look
done:
  %left = sub i64 %capacity, %used
  store ptr %block, ptr %block.at
  store ptr %memory, ptr %top.at
  store i64 %left, ptr %left.at
  ret void
}""",
    # The same of a tape that is in the list, where an exception may have left it.
    "gradir.arena.rewind": """
define internal void @gradir.arena.rewind(ptr %tape) alwaysinline nounwind {
  call void @gradir.arena.back(ptr %tape)
  ret void
}""",
    # The larger one of a block and the one in the pool waits there.
    "gradir.arena.shelve": f"""
define internal void @gradir.arena.shelve(ptr %block) noinline nounwind {{
  %pooled = atomicrmw xchg ptr @{POOL}, ptr null acq_rel
  %none = icmp eq ptr %pooled, null
  br i1 %none, label %put, label %compare
compare:
  %one = load i64, ptr %block
  %other = load i64, ptr %pooled
  %larger = icmp uge i64 %one, %other
  %keep = select i1 %larger, ptr %block, ptr %pooled
  %drop = select i1 %larger, ptr %pooled, ptr %block
  call void @free(ptr %drop)
  br label %put
put:
  %put.in = phi ptr [ %block, %0 ], [ %keep, %compare ]
  %between = atomicrmw xchg ptr @{POOL}, ptr %put.in acq_rel
  call void @free(ptr %between)
  ret void
}}""",
    "gradir.arena.end": """
define internal void @gradir.arena.end(ptr %list) nounwind {
entry:
  %block.at = getelementptr i8, ptr %list, i64 32
  %last = load ptr, ptr %block.at
  br label %look
look:
  %block = phi ptr [ %last, %entry ], [ %before, %leave ]
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %leave
leave:
  %before.at = getelementptr i8, ptr %block, i64 8
  %before = load ptr, ptr %before.at
  call void @gradir.arena.shelve(ptr %block)
  br label %look
done:
  ret void
}""",
}
