"""What a thread of a GPU's grid keeps, as LLVM IR: in room of its own, on its stack, unless it is too much.

A GPU has a stack for each thread that runs at present, laid out so that threads side by side are served at once; what
comes from `malloc` is far away. These take the place of those of `runtime.py` that keep blocks for the next call.
"""

from __future__ import annotations

__all__ = ["CALLS", "DEFINITIONS", "ROOM"]

ROOM = 1024
"""Bytes on the stack for what is kept of one type in one loop."""

CALLS: dict[str, tuple[str, ...]] = {
    "gradir.room.acquire": ("malloc",),
    "gradir.room.acquire_once": ("gradir.room.acquire",),
    "gradir.room.release": ("free",),
    "gradir.room.grow": ("malloc", "gradir.room.release"),
    "gradir.room.reserve": ("gradir.room.grow",),
}

DEFINITIONS = {
    "gradir.room.acquire": f"""
define internal ptr @gradir.room.acquire(ptr %room, i64 %bytes) alwaysinline nounwind {{
  %fits = icmp ule i64 %bytes, {ROOM}
  br i1 %fits, label %here, label %there
here:
  ret ptr %room
there:
  %new = call ptr @malloc(i64 %bytes)
  ret ptr %new
}}""",
    "gradir.room.acquire_once": """
define internal ptr @gradir.room.acquire_once(ptr %slot, ptr %room, i64 %bytes) alwaysinline nounwind {
  %old = load ptr, ptr %slot
  %none = icmp eq ptr %old, null
  br i1 %none, label %first, label %done
first:
  %new = call ptr @gradir.room.acquire(ptr %room, i64 %bytes)
  store ptr %new, ptr %slot
  ret ptr %new
done:
  ret ptr %old
}""",
    "gradir.room.release": """
define internal void @gradir.room.release(ptr %room, ptr %data) alwaysinline nounwind {
  %none = icmp eq ptr %data, null
  %here = icmp eq ptr %data, %room
  %nothing = or i1 %none, %here
  br i1 %nothing, label %done, label %give
give:
  call void @free(ptr %data)
  br label %done
done:
  ret void
}""",
    # A buffer that grows: {data, capacity, used}, in bytes.
    "gradir.room.grow": f"""
define internal void @gradir.room.grow(ptr %buffer, ptr %room, i64 %needed) noinline nounwind {{
  %capacity.at = getelementptr {{ ptr, i64, i64 }}, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr {{ ptr, i64, i64 }}, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %used = load i64, ptr %used.at
  %twice = shl i64 %needed, 1
  %wanted = call i64 @llvm.umax.i64(i64 %twice, i64 {2 * ROOM})
  %new = call ptr @malloc(i64 %wanted)
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %data, i64 %used, i1 false)
  call void @gradir.room.release(ptr %room, ptr %data)
  store ptr %new, ptr %buffer
  store i64 %wanted, ptr %capacity.at
  ret void
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)""",
    "gradir.room.reserve": f"""
define internal ptr @gradir.room.reserve(ptr %buffer, ptr %room, i64 %bytes) alwaysinline nounwind {{
  %capacity.at = getelementptr {{ ptr, i64, i64 }}, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr {{ ptr, i64, i64 }}, ptr %buffer, i32 0, i32 2
  %before = load ptr, ptr %buffer
  %none = icmp eq ptr %before, null
  br i1 %none, label %first, label %later
first:
  store ptr %room, ptr %buffer
  store i64 {ROOM}, ptr %capacity.at
  br label %later
later:
  %used = load i64, ptr %used.at
  %capacity = load i64, ptr %capacity.at
  %needed = add i64 %used, %bytes
  %fits = icmp ule i64 %needed, %capacity
  br i1 %fits, label %ready, label %grow, !prof !{{!"branch_weights", i32 1000, i32 1}}
grow:
  call void @gradir.room.grow(ptr %buffer, ptr %room, i64 %needed)
  br label %ready
ready:
  %data = load ptr, ptr %buffer
  %place = getelementptr i8, ptr %data, i64 %used
  store i64 %needed, ptr %used.at
  ret ptr %place
}}""",
}
