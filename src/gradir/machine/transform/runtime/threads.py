"""What derivatives of threads call at run time, as LLVM IR: `threads.py` says what for.

A record is as `passes/parallel/threads.py` has it, with what runs and waits. What is listed to be freed at the end is
listed by who made the thread, as its record is, with which that goes.
"""

from __future__ import annotations

from gradir.machine.passes.parallel.threads import UNDO, UNDOER, UNDOING

__all__ = ["CALLS", "DECLARATIONS", "DEFINITIONS", "POOL"]

POOL = "gradir.pool.freed"
"""Where lists of what is to be freed wait."""

CALLS: dict[str, tuple[str, ...]] = {
    "gradir.thread.new": ("calloc", "free", "gradir.reserve", "gradir.thread.drop", "gradir.team.drop"),
    "gradir.thread.undo": ("free", "pthread_create"),
    "gradir.thread.undone": ("gradir.arena.end", "pthread_join"),
    "gradir.thread.drop": ("free", "gradir.free_all", "gradir.arena.end"),
}
"""Each function with what it calls."""

DECLARATIONS = {
    "pthread_create": "declare i32 @pthread_create(ptr, ptr, ptr, ptr)",
    "pthread_join": "declare i32 @pthread_join(i64, ptr)",
}

DEFINITIONS = {
    # A record, first in the list of who makes the thread. Threads that take locks are in one team for the turns of
    # these: there is one from the first of them on.
    "gradir.thread.new": f"""
define internal ptr @gradir.thread.new(ptr %freed, i64 %size) noinline nounwind {{
  %record = call ptr @calloc(i64 1, i64 %size)
  %listed = call ptr @gradir.reserve(ptr %freed, ptr @{POOL}, i64 32)
  store ptr %record, ptr %listed
  %drop.at = getelementptr i8, ptr %listed, i64 8
  store ptr @gradir.thread.drop, ptr %drop.at
  %team.at = getelementptr i8, ptr %freed, i64 24
  %there = load ptr, ptr %team.at
  %none = icmp eq ptr %there, null
  br i1 %none, label %first, label %done
first:
  %made = call ptr @calloc(i64 1, i64 32)
  %outermost.at = getelementptr i8, ptr %made, i64 24
  store ptr %made, ptr %outermost.at
  %block = call ptr @gradir.reserve(ptr %freed, ptr @{POOL}, i64 64)
  store ptr %made, ptr %block
  %free.at = getelementptr i8, ptr %block, i64 8
  store ptr @free, ptr %free.at
  %locks = getelementptr i8, ptr %block, i64 32
  store ptr %made, ptr %locks
  %locks.drop.at = getelementptr i8, ptr %block, i64 40
  store ptr @gradir.team.drop, ptr %locks.drop.at
  store ptr %made, ptr %team.at
  br label %done
done:
  %team = phi ptr [ %there, %0 ], [ %made, %first ]
  %its.at = getelementptr i8, ptr %record, i64 24
  store ptr %team, ptr %its.at
  ret ptr %record
}}""",
    # Where a thread was joined, another one begins to undo what it did. Of one that has no derivative nothing is left.
    "gradir.thread.undo": f"""
define internal void @gradir.thread.undo(ptr %record) noinline nounwind {{
  %undo.at = getelementptr i8, ptr %record, i64 {UNDO}
  %undo = load ptr, ptr %undo.at
  %plain = icmp eq ptr %undo, null
  br i1 %plain, label %drop, label %begin
drop:
  call void @free(ptr %record)
  ret void
begin:
  %undoer = getelementptr i8, ptr %record, i64 {UNDOER}
  %failed = call i32 @pthread_create(ptr %undoer, ptr null, ptr %undo, ptr %record)
  %made = icmp eq i32 %failed, 0
  %undoing = zext i1 %made to i64
  %undoing.at = getelementptr i8, ptr %record, i64 {UNDOING}
  store i64 %undoing, ptr %undoing.at
  ret void
}}""",
    # Where a thread was made, all that it did has to be undone: at once, if that was not begun.
    "gradir.thread.undone": f"""
define internal void @gradir.thread.undone(ptr %record) noinline nounwind {{
  %undoing.at = getelementptr i8, ptr %record, i64 {UNDOING}
  %undoing = load i64, ptr %undoing.at
  %begun = icmp ne i64 %undoing, 0
  br i1 %begun, label %join, label %now
join:
  %undoer.at = getelementptr i8, ptr %record, i64 {UNDOER}
  %undoer = load i64, ptr %undoer.at
  %said = call i32 @pthread_join(i64 %undoer, ptr null)
  br label %done
now:
  call void @gradir.thread.wait(ptr %record)
  %undo.at = getelementptr i8, ptr %record, i64 {UNDO}
  %undo = load ptr, ptr %undo.at
  %nothing = call ptr %undo(ptr %record)
  br label %done
done:
  call void @gradir.arena.end(ptr %record)
  %block.at = getelementptr i8, ptr %record, i64 32
  call void @llvm.memset.p0.i64(ptr %block.at, i8 0, i64 24, i1 false)
  ret void
}}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)""",
    "gradir.thread.drop": f"""
define internal void @gradir.thread.drop(ptr %record, i64 %0, i64 %1) noinline nounwind {{
  call void @gradir.thread.wait(ptr %record)
  call void @gradir.free_all(ptr %record, ptr @{POOL})
  call void @gradir.arena.end(ptr %record)
  call void @free(ptr %record)
  ret void
}}""",
}
