"""What the threads of a team call at run time, as LLVM IR: `teams.py` says what for.

A *team* is { threads, first entry, first lock, outermost team }, the *entry* of a thread { its list of what is to be
freed (24 bytes), team, arena (24 bytes), next entry, number, tape, results… }, a *lock* { turns, lock, next lock, how
often it is held }: a thread may take one again that it holds.
"""

from __future__ import annotations

from gradir.machine.ir import I64, PTR, struct
from gradir.machine.ir.builder import OURS

__all__ = ["CALLS", "DECLARATIONS", "DEFINITIONS", "RESULTS", "TAPE", "WINDOW", "add_alone", "add_to_window"]

CALLS: dict[str, tuple[str, ...]] = {
    "gradir.push": (),
    "gradir.team.new": ("calloc",),
    "gradir.team.enter": ("calloc", "omp_get_thread_num", "gradir.push"),
    "gradir.team.entry": (),
    "gradir.team.mine": ("gradir.team.entry", "omp_get_thread_num", "omp_get_num_threads", "puts", "abort"),
    "gradir.team.adopt": ("gradir.reserve", "gradir.release", "gradir.team.drop"),
    "gradir.team.drop": ("free", "gradir.arena.end"),
    "gradir.turns": ("calloc", "gradir.push"),
    "gradir.take": (),
    "gradir.let": (),
    "gradir.turn": (),
    "gradir.wait": ("sched_yield",),
    "gradir.leave": (),
}
"""Each function with what it calls."""

DECLARATIONS = {
    "calloc": 'declare noalias ptr @calloc(i64, i64) allockind("alloc,zeroed") allocsize(0,1)',
    "puts": "declare i32 @puts(ptr)",
    "abort": "declare void @abort()",
    "sched_yield": "declare i32 @sched_yield()",
    "omp_get_thread_num": "declare i32 @omp_get_thread_num()",
    "omp_get_num_threads": "declare i32 @omp_get_num_threads()",
}

TAPE, RESULTS = 72, 80
"""Where in the entry of a thread its tape is, and what it gives."""

_OTHER_TEAM = "gradir: the reverse sweep got another number of threads than the region had; set OMP_DYNAMIC=false"

DEFINITIONS = {
    # Put something at the head of a list to which other threads may add.
    "gradir.push": """
define internal void @gradir.push(ptr %first.at, ptr %made, ptr %next.at) alwaysinline nounwind {
entry:
  %first = load atomic ptr, ptr %first.at acquire, align 8
  br label %try
try:
  %next = phi ptr [ %first, %entry ], [ %now, %try ]
  store ptr %next, ptr %next.at
  %both = cmpxchg ptr %first.at, ptr %next, ptr %made acq_rel acquire
  %now = extractvalue { ptr, i1 } %both, 0
  %in = extractvalue { ptr, i1 } %both, 1
  br i1 %in, label %done, label %try
done:
  ret void
}""",
    # Each thread enters itself.
    "gradir.team.new": """
define internal ptr @gradir.team.new(ptr %freed) noinline nounwind {
  %team = call ptr @calloc(i64 1, i64 32)
  %outer.at = getelementptr i8, ptr %freed, i64 24
  %outer = load ptr, ptr %outer.at
  %none = icmp eq ptr %outer, null
  br i1 %none, label %done, label %inside
inside:
  %its.at = getelementptr i8, ptr %outer, i64 24
  %its = load ptr, ptr %its.at
  br label %done
done:
  %outermost = phi ptr [ %team, %0 ], [ %its, %inside ]
  %outermost.at = getelementptr i8, ptr %team, i64 24
  store ptr %outermost, ptr %outermost.at
  ret ptr %team
}""",
    "gradir.team.enter": """
define internal ptr @gradir.team.enter(ptr %team, i64 %size) noinline nounwind {
  %made = call ptr @calloc(i64 1, i64 %size)
  %number = call i32 @omp_get_thread_num()
  %wide = sext i32 %number to i64
  %team.at = getelementptr i8, ptr %made, i64 24
  store ptr %team, ptr %team.at
  %next.at = getelementptr i8, ptr %made, i64 56
  %number.at = getelementptr i8, ptr %made, i64 64
  store i64 %wide, ptr %number.at
  %count = atomicrmw add ptr %team, i64 1 acq_rel
  %first.at = getelementptr i8, ptr %team, i64 8
  call void @gradir.push(ptr %first.at, ptr %made, ptr %next.at)
  ret ptr %made
}""",
    "gradir.team.entry": """
define internal ptr @gradir.team.entry(ptr %team, i64 %number) noinline nounwind {
entry:
  %first.at = getelementptr i8, ptr %team, i64 8
  br label %look
look:
  %at = phi ptr [ %first.at, %entry ], [ %next.at, %look ]
  %it = load ptr, ptr %at
  %next.at = getelementptr i8, ptr %it, i64 56
  %its.at = getelementptr i8, ptr %it, i64 64
  %its = load i64, ptr %its.at
  %same = icmp eq i64 %its, %number
  br i1 %same, label %done, label %look
done:
  ret ptr %it
}""",
    "gradir.team.mine": f"""
@gradir.team.text = private constant [{len(_OTHER_TEAM) + 1} x i8] c"{_OTHER_TEAM}\\00\""""
    + """
define internal ptr @gradir.team.mine(ptr %team) noinline nounwind {
  %number = call i32 @omp_get_thread_num()
  %wide = sext i32 %number to i64
  %threads = call i32 @omp_get_num_threads()
  %all = sext i32 %threads to i64
  %had = load i64, ptr %team
  %same = icmp eq i64 %all, %had
  br i1 %same, label %good, label %bad
bad:
  %said = call i32 @puts(ptr @gradir.team.text)
  call void @abort()
  unreachable
good:
  %mine = call ptr @gradir.team.entry(ptr %team, i64 %wide)
  ret ptr %mine
}""",
    # What the threads list to be freed at the end is listed by who called them.
    "gradir.team.adopt": """
define internal void @gradir.team.adopt(ptr %team, ptr %freed, ptr %pool) noinline nounwind {
entry:
  %first.at = getelementptr i8, ptr %team, i64 8
  br label %head
head:
  %at = phi ptr [ %first.at, %entry ], [ %next.at, %next ]
  %it = load ptr, ptr %at
  %none = icmp eq ptr %it, null
  br i1 %none, label %done, label %look
look:
  %data = load ptr, ptr %it
  %used.at = getelementptr i8, ptr %it, i64 16
  %used = load i64, ptr %used.at
  %empty = icmp eq ptr %data, null
  br i1 %empty, label %next, label %move
move:
  %to = call ptr @gradir.reserve(ptr %freed, ptr %pool, i64 %used)
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %data, i64 %used, i1 false)
  call void @gradir.release(ptr %pool, ptr %data)
  br label %next
next:
  %next.at = getelementptr i8, ptr %it, i64 56
  br label %head
done:
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)""",
    "gradir.team.drop": """
define internal void @gradir.team.drop(ptr %team, i64 %0, i64 %1) noinline nounwind {
entry:
  %first.at = getelementptr i8, ptr %team, i64 8
  %first = load ptr, ptr %first.at
  %locks.at = getelementptr i8, ptr %team, i64 16
  %locks = load ptr, ptr %locks.at
  store ptr null, ptr %first.at
  store ptr null, ptr %locks.at
  br label %head
head:
  %it = phi ptr [ %first, %entry ], [ %next, %body ]
  %none = icmp eq ptr %it, null
  br i1 %none, label %locked, label %body
body:
  %next.at = getelementptr i8, ptr %it, i64 56
  %next = load ptr, ptr %next.at
  call void @gradir.arena.end(ptr %it)
  call void @free(ptr %it)
  br label %head
locked:
  %lock = phi ptr [ %locks, %head ], [ %after, %one ]
  %end = icmp eq ptr %lock, null
  br i1 %end, label %done, label %one
one:
  %after.at = getelementptr i8, ptr %lock, i64 16
  %after = load ptr, ptr %after.at
  call void @free(ptr %lock)
  br label %locked
done:
  ret void
}""",
    # The counter of a lock's turns in a team. Outside of teams there is none.
    "gradir.turns": """
define internal ptr @gradir.turns(ptr %freed, ptr %lock) noinline nounwind {
entry:
  %team.at = getelementptr i8, ptr %freed, i64 24
  %team = load ptr, ptr %team.at
  %none = icmp eq ptr %team, null
  br i1 %none, label %alone, label %search
alone:
  ret ptr null
search:
  %outermost.at = getelementptr i8, ptr %team, i64 24
  %outermost = load ptr, ptr %outermost.at
  %first.at = getelementptr i8, ptr %outermost, i64 16
  %first = load atomic ptr, ptr %first.at acquire, align 8
  br label %look
look:
  %at = phi ptr [ %first, %search ], [ %next, %other ]
  %end = icmp eq ptr %at, null
  br i1 %end, label %make, label %compare
compare:
  %its.at = getelementptr i8, ptr %at, i64 8
  %its = load ptr, ptr %its.at
  %same = icmp eq ptr %its, %lock
  br i1 %same, label %found, label %other
other:
  %next.at = getelementptr i8, ptr %at, i64 16
  %next = load ptr, ptr %next.at
  br label %look
found:
  ret ptr %at
make:
  %made = call ptr @calloc(i64 1, i64 32)
  %lock.at = getelementptr i8, ptr %made, i64 8
  store ptr %lock, ptr %lock.at
  %after.at = getelementptr i8, ptr %made, i64 16
  call void @gradir.push(ptr %first.at, ptr %made, ptr %after.at)
  ret ptr %made
}""",
    # The counter, if the lock was not held before it is taken, or is not held any more when it is let go.
    "gradir.take": """
define internal ptr @gradir.take(ptr %turns) noinline nounwind {
  %none = icmp eq ptr %turns, null
  br i1 %none, label %alone, label %count
alone:
  ret ptr null
count:
  %held.at = getelementptr i8, ptr %turns, i64 24
  %before = load i64, ptr %held.at
  %after = add i64 %before, 1
  store i64 %after, ptr %held.at
  %more = icmp sgt i64 %before, 0
  %counter = select i1 %more, ptr null, ptr %turns
  ret ptr %counter
}""",
    "gradir.let": """
define internal ptr @gradir.let(ptr %turns) noinline nounwind {
  %none = icmp eq ptr %turns, null
  br i1 %none, label %alone, label %count
alone:
  ret ptr null
count:
  %held.at = getelementptr i8, ptr %turns, i64 24
  %before = load i64, ptr %held.at
  %after = sub i64 %before, 1
  store i64 %after, ptr %held.at
  %more = icmp sgt i64 %after, 0
  %counter = select i1 %more, ptr null, ptr %turns
  ret ptr %counter
}""",
    "gradir.turn": """
define internal i64 @gradir.turn(ptr %turns) noinline nounwind {
  %none = icmp eq ptr %turns, null
  br i1 %none, label %alone, label %count
alone:
  ret i64 0
count:
  %turn = atomicrmw add ptr %turns, i64 1 acq_rel
  ret i64 %turn
}""",
    # Until all later turns are undone.
    "gradir.wait": """
define internal void @gradir.wait(ptr %turns, i64 %turn) noinline nounwind {
  %none = icmp eq ptr %turns, null
  br i1 %none, label %done, label %begin
begin:
  %mine = add i64 %turn, 1
  br label %look
look:
  %now = load atomic i64, ptr %turns acquire, align 8
  %ready = icmp eq i64 %now, %mine
  br i1 %ready, label %done, label %pause
pause:
  %said = call i32 @sched_yield()
  br label %look
done:
  ret void
}""",
    "gradir.leave": """
define internal void @gradir.leave(ptr %turns) noinline nounwind {
  %none = icmp eq ptr %turns, null
  br i1 %none, label %done, label %back
back:
  %turn = atomicrmw sub ptr %turns, i64 1 acq_rel
  br label %done
done:
  ret void
}""",
}

WINDOW = struct([I64, I64, PTR, I64])
"""What a thread adds to memory that it shares, before it hands it over: where that begins, how many bytes, a copy of
them with its sums, and how often an address was outside."""

_PAGE = 4096


def add_to_window(type: str, size: int) -> dict[str, str]:
    """Functions by name: those that add to a thread's own sums, and one that hands them over to the memory.

    An address outside of the window makes that larger, but only so much as there were such addresses: whoever looks
    into few places of a large array adds to them by atomics. A loop that goes through a row of memory has the window
    hold all of it first, and then adds to what is there.
    """
    add, widen, row, hold, flush = (f"gradir.window.{verb}.{type}" for verb in ("add", "widen", "row", "hold", "flush"))
    return {
        add: _adding(add, widen, type, size),
        widen: _widening(widen, size),
        row: _finding(row),
        hold: _holding(hold, row, widen, flush),
        flush: _flushing(flush, type, size),
    }


def _finding(row: str) -> str:
    """Where the sums of a row are, if the window holds all of it."""
    return f"""
define internal ptr @{row}(ptr %window, ptr %first, i64 %length) nounwind {{
  %bytes.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 1
  %sums.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 2
  %begin = load i64, ptr %window
  %bytes = load i64, ptr %bytes.at
  %sums = load ptr, ptr %sums.at
  %address = ptrtoint ptr %first to i64
  %offset = sub i64 %address, %begin
  %left = sub i64 %bytes, %offset
  %begins = icmp ult i64 %offset, %bytes
  %ends = icmp ule i64 %length, %left
  %inside = and i1 %begins, %ends
  %place = getelementptr i8, ptr %sums, i64 %offset
  %found = select i1 %inside, ptr %place, ptr null
  ret ptr %found
}}"""


def _holding(hold: str, row: str, widen: str, flush: str) -> str:
    """Where the sums of a row are, which the window holds from now on: if it is too far, without all else."""
    return f"""
define internal ptr @{hold}(ptr %window, ptr %first, i64 %length) nounwind {{
entry:
  %here = call ptr @{row}(ptr %window, ptr %first, i64 %length)
  %none = icmp eq ptr %here, null
  br i1 %none, label %larger, label %done
larger:
  call void @{widen}(ptr %window, ptr %first, i64 %length)
  %now = call ptr @{row}(ptr %window, ptr %first, i64 %length)
  %far = icmp eq ptr %now, null
  br i1 %far, label %anew, label %done
anew:
  call void @{flush}(ptr %window)
  store {{ i64, i64, ptr }} zeroinitializer, ptr %window
  call void @{widen}(ptr %window, ptr %first, i64 %length)
  %new = call ptr @{row}(ptr %window, ptr %first, i64 %length)
  br label %done
done:
  %found = phi ptr [ %here, %entry ], [ %now, %larger ], [ %new, %anew ]
  ret ptr %found
}}"""


def _adding(add: str, widen: str, type: str, size: int) -> str:
    return f"""
define internal void @{add}(ptr %window, ptr %at, {type} %x) alwaysinline nounwind {{
  %bytes.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 1
  %sums.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 2
  %begin = load i64, ptr %window
  %bytes = load i64, ptr %bytes.at
  %address = ptrtoint ptr %at to i64
  %offset = sub i64 %address, %begin
  %inside = icmp ult i64 %offset, %bytes
  br i1 %inside, label %own, label %outside, !prof !{{!"branch_weights", i32 1000, i32 1}}
own:
  %sums = load ptr, ptr %sums.at
  %place = getelementptr i8, ptr %sums, i64 %offset
  %y = load {type}, ptr %place
  %sum = fadd {type} %y, %x
  store {type} %sum, ptr %place
  ret void
outside:
  %old = atomicrmw fadd ptr %at, {type} %x monotonic
  call void @{widen}(ptr %window, ptr %at, i64 {size})
  ret void
}}"""


def _widening(widen: str, size: int) -> str:
    return f"""
define internal void @{widen}(ptr %window, ptr %first, i64 %length) noinline nounwind {{
  %bytes.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 1
  %sums.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 2
  %count.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 3
  %begin = load i64, ptr %window
  %bytes = load i64, ptr %bytes.at
  %sums = load ptr, ptr %sums.at
  %address = ptrtoint ptr %first to i64
  %before = load i64, ptr %count.at
  %more = udiv i64 %length, {size}
  %count = add i64 %before, %more
  store i64 %count, ptr %count.at
  %none = icmp eq ptr %sums, null
  %from = select i1 %none, i64 %address, i64 %begin
  %end = add i64 %from, %bytes
  %ahead = icmp ult i64 %address, %from
  %past = add i64 %address, %length
  %far = icmp ugt i64 %past, %end
  %further = add i64 %bytes, {_PAGE}
  %low = sub i64 %address, %further
  %high = add i64 %past, %further
  %lower = select i1 %ahead, i64 %low, i64 %from
  %upper = select i1 %far, i64 %high, i64 %end
  %start = and i64 %lower, -{size}
  %size = sub i64 %upper, %start
  %allowed = mul i64 %count, {4 * _PAGE}
  %fits = icmp ule i64 %size, %allowed
  br i1 %fits, label %grow, label %done
grow:
  %new = call ptr @calloc(i64 1, i64 %size)
  %shift = sub i64 %from, %start
  %to = getelementptr i8, ptr %new, i64 %shift
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %sums, i64 %bytes, i1 false)
  call void @free(ptr %sums)
  store i64 %start, ptr %window
  store i64 %size, ptr %bytes.at
  store ptr %new, ptr %sums.at
  br label %done
done:
  ret void
}}"""


def _flushing(flush: str, type: str, size: int) -> str:
    return f"""
define internal void @{flush}(ptr %window) noinline nounwind {{
entry:
  %bytes.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 1
  %sums.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 2
  %begin = load ptr, ptr %window
  %bytes = load i64, ptr %bytes.at
  %sums = load ptr, ptr %sums.at
  br label %head
head:
  %offset = phi i64 [ 0, %entry ], [ %next, %on ]
  %next = add i64 %offset, {size}
  %more = icmp ule i64 %next, %bytes
  br i1 %more, label %look, label %done
look:
  %from = getelementptr i8, ptr %sums, i64 %offset
  %x = load {type}, ptr %from
  %some = fcmp une {type} %x, 0.0
  br i1 %some, label %add, label %on
add:
  %to = getelementptr i8, ptr %begin, i64 %offset
  %old = atomicrmw fadd ptr %to, {type} %x monotonic
  br label %on
on:
  br label %head
done:
  call void @free(ptr %sums)
  ret void
}}"""


def add_alone(type: str) -> tuple[str, str]:
    """The name and the text of a function that adds to memory, by an atomic unless no other thread can add there."""
    name = f"gradir.add.{type}"
    return (
        name,
        f"""
define internal void @{name}(ptr %at, {type} %x, i1 %alone) alwaysinline nounwind {{
  br i1 %alone, label %plain, label %shared
plain:
  %y = load {type}, ptr %at
  %sum = fadd {OURS} {type} %y, %x
  store {type} %sum, ptr %at
  ret void
shared:
  %old = atomicrmw fadd ptr %at, {type} %x monotonic
  ret void
}}""",
    )
