"""The few functions that derivatives call at run time, as LLVM IR: they travel inside the module that needs them.

Memory of a tape is kept for the next call, since fresh pages cost more than the arithmetic that fills them: each site
has a pool of
one block, exchanged atomically, so threads never share a block and nothing grows. `gradir_release_memory` gives all
back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gradir.machine.ir import I64, PTR, struct

__all__ = [
    "FUNCTIONS",
    "RESULTS",
    "TAPE",
    "WINDOW",
    "Move",
    "accumulate",
    "add_alone",
    "add_to_window",
    "definition",
    "each_field",
    "give_doubles",
    "in_chunks",
    "move_addresses",
    "through",
]

FUNCTIONS: dict[str, tuple[str, ...]] = {
    "gradir.acquire": ("malloc", "free"),
    "gradir.acquire_once": ("gradir.acquire",),
    "gradir.copy_bytes": (),
    "gradir.release": ("free",),
    "gradir.grow": ("malloc", "free"),
    "gradir.reserve": ("gradir.grow",),
    "gradir.free_all": ("gradir.release",),
    "gradir.list": ("gradir.reserve", "free"),
    "gradir.unlist": (),
    "gradir.guard": ("gradir.reserve", "gradir.drop"),
    "gradir.drop": ("free",),
    "gradir.team.new": ("calloc",),
    "gradir.team.enter": ("calloc", "omp_get_thread_num"),
    "gradir.team.entry": (),
    "gradir.team.mine": ("gradir.team.entry", "omp_get_thread_num", "omp_get_num_threads", "puts", "abort"),
    "gradir.team.adopt": ("gradir.reserve", "gradir.release", "gradir.team.drop"),
    "gradir.team.drop": ("free",),
    "gradir.turns": ("calloc",),
    "gradir.turn": (),
    "gradir.wait": ("sched_yield",),
    "gradir.leave": (),
}
"""Each with what it calls."""

_DECLARATIONS = {
    "malloc": 'declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)',
    "free": "declare void @free(ptr)",
    "calloc": 'declare noalias ptr @calloc(i64, i64) allockind("alloc,zeroed") allocsize(0,1)',
    "puts": "declare i32 @puts(ptr)",
    "abort": "declare void @abort()",
    "sched_yield": "declare i32 @sched_yield()",
    "omp_get_thread_num": "declare i32 @omp_get_thread_num()",
    "omp_get_num_threads": "declare i32 @omp_get_num_threads()",
}

TAPE, RESULTS = 48, 64
"""Where in the entry of a thread (`transform/teams.py`) its tape is, and what it gives."""

_OTHER_TEAM = "gradir: the reverse sweep got another number of threads than the region had; set OMP_DYNAMIC=false"

_DEFINITIONS = {
    # A block begins with its capacity; what is handed out begins 64 bytes further on.
    "gradir.acquire": """
define internal noalias ptr @gradir.acquire(ptr %pool, i64 %bytes) noinline nounwind {
  %old = atomicrmw xchg ptr %pool, ptr null acq_rel
  %none = icmp eq ptr %old, null
  br i1 %none, label %fresh, label %check
check:
  %capacity = load i64, ptr %old
  %fits = icmp uge i64 %capacity, %bytes
  br i1 %fits, label %take, label %drop
take:
  %kept = getelementptr i8, ptr %old, i64 64
  ret ptr %kept
drop:
  call void @free(ptr %old)
  br label %fresh
fresh:
  %total = add i64 %bytes, 128
  %new = call ptr @malloc(i64 %total)
  store i64 %bytes, ptr %new
  %data = getelementptr i8, ptr %new, i64 64
  ret ptr %data
}""",
    "gradir.acquire_once": """
define internal ptr @gradir.acquire_once(ptr %slot, ptr %pool, i64 %bytes) alwaysinline nounwind {
  %old = load ptr, ptr %slot
  %none = icmp eq ptr %old, null
  br i1 %none, label %first, label %done
first:
  %new = call noalias ptr @gradir.acquire(ptr %pool, i64 %bytes)
  store ptr %new, ptr %slot
  ret ptr %new
done:
  ret ptr %old
}""",
    "gradir.copy_bytes": """
define internal void @gradir.copy_bytes(ptr %to, ptr %from, i64 %bytes) nounwind {
entry:
  %none = icmp eq i64 %bytes, 0
  br i1 %none, label %done, label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %from.at = getelementptr i8, ptr %from, i64 %i
  %byte = load i8, ptr %from.at
  %to.at = getelementptr i8, ptr %to, i64 %i
  store i8 %byte, ptr %to.at
  %next = add i64 %i, 1
  %last = icmp eq i64 %next, %bytes
  br i1 %last, label %done, label %body
done:
  ret void
}""",
    "gradir.release": """
define internal void @gradir.release(ptr %pool, ptr %data) noinline nounwind {
  %none = icmp eq ptr %data, null
  br i1 %none, label %done, label %give
give:
  %block = getelementptr i8, ptr %data, i64 -64
  %old = atomicrmw xchg ptr %pool, ptr %block acq_rel
  call void @free(ptr %old)
  br label %done
done:
  ret void
}""",
    # A buffer that grows: {data, capacity, used}, in bytes. Twice as large each time, so the copies are few.
    "gradir.grow": """
define internal void @gradir.grow(ptr %buffer, ptr %pool, i64 %needed) noinline nounwind {
  %capacity.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %capacity = load i64, ptr %capacity.at
  %used = load i64, ptr %used.at
  %twice = shl i64 %needed, 1
  %wanted = call i64 @llvm.umax.i64(i64 %twice, i64 4096)
  %empty = icmp eq ptr %data, null
  br i1 %empty, label %first, label %again
first:
  %pooled = atomicrmw xchg ptr %pool, ptr null acq_rel
  %none = icmp eq ptr %pooled, null
  br i1 %none, label %fresh, label %check
check:
  %room = load i64, ptr %pooled
  %fits = icmp uge i64 %room, %needed
  br i1 %fits, label %take, label %drop
take:
  %kept = getelementptr i8, ptr %pooled, i64 64
  store ptr %kept, ptr %buffer
  store i64 %room, ptr %capacity.at
  ret void
drop:
  call void @free(ptr %pooled)
  br label %fresh
again:
  br label %fresh
fresh:
  %total = add i64 %wanted, 128
  %new = call ptr @malloc(i64 %total)
  store i64 %wanted, ptr %new
  %moved = getelementptr i8, ptr %new, i64 64
  br i1 %empty, label %done, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %moved, ptr %data, i64 %used, i1 false)
  %block = getelementptr i8, ptr %data, i64 -64
  call void @free(ptr %block)
  br label %done
done:
  store ptr %moved, ptr %buffer
  store i64 %wanted, ptr %capacity.at
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)""",
    "gradir.reserve": """
define internal ptr @gradir.reserve(ptr %buffer, ptr %pool, i64 %bytes) alwaysinline nounwind {
  %capacity.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 1
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %used = load i64, ptr %used.at
  %capacity = load i64, ptr %capacity.at
  %needed = add i64 %used, %bytes
  %fits = icmp ule i64 %needed, %capacity
  br i1 %fits, label %ready, label %grow, !prof !{!"branch_weights", i32 1000, i32 1}
grow:
  call void @gradir.grow(ptr %buffer, ptr %pool, i64 %needed)
  br label %ready
ready:
  %data = load ptr, ptr %buffer
  %place = getelementptr i8, ptr %data, i64 %used
  store i64 %needed, ptr %used.at
  ret ptr %place
}""",
    # Memory that the program has freed is freed at the end of the reverse sweep, which still reads it. Entries are
    # the memory,
    # the function that frees it, and what else that one takes (size and alignment in Rust and C++; C's ignores them).
    # The last is freed first: what a tape holds comes after it.
    "gradir.free_all": """
define internal void @gradir.free_all(ptr %buffer, ptr %pool) noinline nounwind {
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %used = load i64, ptr %used.at
  br label %head
head:
  %at = phi i64 [ %used, %0 ], [ %next, %body ]
  %more = icmp ne i64 %at, 0
  br i1 %more, label %body, label %done
body:
  %next = sub i64 %at, 32
  %entry.at = getelementptr i8, ptr %data, i64 %next
  %entry = load ptr, ptr %entry.at
  %function.at = getelementptr i8, ptr %entry.at, i64 8
  %function = load ptr, ptr %function.at
  %first.at = getelementptr i8, ptr %entry.at, i64 16
  %first = load i64, ptr %first.at
  %second.at = getelementptr i8, ptr %entry.at, i64 24
  %second = load i64, ptr %second.at
  call void %function(ptr %entry, i64 %first, i64 %second)
  br label %head
done:
  call void @gradir.release(ptr %pool, ptr %data)
  ret void
}""",
    # Of a function that may throw: its tape is freed at the end, whether it is undone or not.
    "gradir.list": """
define internal void @gradir.list(ptr %list, ptr %pool, ptr %memory) alwaysinline nounwind {
  %entry = call ptr @gradir.reserve(ptr %list, ptr %pool, i64 32)
  store ptr %memory, ptr %entry
  %function.at = getelementptr i8, ptr %entry, i64 8
  store ptr @free, ptr %function.at
  ret void
}""",
    "gradir.unlist": """
define internal void @gradir.unlist(ptr %memory) alwaysinline nounwind {
  ret void
}""",
    # Of a function that may throw: what its tape holds besides itself is freed at the end, if it was not given back.
    "gradir.guard": """
define internal void @gradir.guard(ptr %list, ptr %pool, ptr %state) noinline nounwind {
  %entry = call ptr @gradir.reserve(ptr %list, ptr %pool, i64 32)
  store ptr %state, ptr %entry
  %function.at = getelementptr i8, ptr %entry, i64 8
  store ptr @gradir.drop, ptr %function.at
  ret void
}""",
    # A team of threads: {threads, first entry, first lock, outermost team}. Each thread enters itself.
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
entry:
  %made = call ptr @calloc(i64 1, i64 %size)
  %number = call i32 @omp_get_thread_num()
  %wide = sext i32 %number to i64
  %team.at = getelementptr i8, ptr %made, i64 24
  store ptr %team, ptr %team.at
  %next.at = getelementptr i8, ptr %made, i64 32
  %number.at = getelementptr i8, ptr %made, i64 40
  store i64 %wide, ptr %number.at
  %count = atomicrmw add ptr %team, i64 1 acq_rel
  %first.at = getelementptr i8, ptr %team, i64 8
  %first = load atomic ptr, ptr %first.at acquire, align 8
  br label %try
try:
  %next = phi ptr [ %first, %entry ], [ %found, %try ]
  store ptr %next, ptr %next.at
  %both = cmpxchg ptr %first.at, ptr %next, ptr %made acq_rel acquire
  %found = extractvalue { ptr, i1 } %both, 0
  %done = extractvalue { ptr, i1 } %both, 1
  br i1 %done, label %in, label %try
in:
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
  %next.at = getelementptr i8, ptr %it, i64 32
  %its.at = getelementptr i8, ptr %it, i64 40
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
  %next.at = getelementptr i8, ptr %it, i64 32
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
  %next.at = getelementptr i8, ptr %it, i64 32
  %next = load ptr, ptr %next.at
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
    # The counter of a lock's turns in a team: {turns, lock, next counter}. Outside of teams there is none.
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
  %made = call ptr @calloc(i64 1, i64 24)
  %lock.at = getelementptr i8, ptr %made, i64 8
  store ptr %lock, ptr %lock.at
  %after.at = getelementptr i8, ptr %made, i64 16
  %head = load atomic ptr, ptr %first.at acquire, align 8
  br label %try
try:
  %after = phi ptr [ %head, %make ], [ %now, %try ]
  store ptr %after, ptr %after.at
  %both = cmpxchg ptr %first.at, ptr %after, ptr %made acq_rel acquire
  %now = extractvalue { ptr, i1 } %both, 0
  %in = extractvalue { ptr, i1 } %both, 1
  br i1 %in, label %new, label %try
new:
  ret ptr %made
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
    "gradir.drop": """
define internal void @gradir.drop(ptr %state, i64 %first, i64 %second) nounwind {
  %data = load ptr, ptr %state
  %none = icmp eq ptr %data, null
  br i1 %none, label %done, label %give
give:
  %block = getelementptr i8, ptr %data, i64 -64
  call void @free(ptr %block)
  br label %done
done:
  ret void
}""",
}


def definition(name: str) -> str:
    """The text of a function of the runtime, or the declaration of one that it calls."""
    return _DEFINITIONS.get(name) or _DECLARATIONS[name]


class Move(NamedTuple):
    """What is done to a field of two stretches of memory: `body` writes it, given a suffix for its names."""

    offset: int
    size: int
    body: Callable[[str], str]
    """Of the addresses `%to.<suffix>` and `%from.<suffix>`."""


def accumulate(name: str, type: str, size: int, *, shared: bool = False) -> str:
    """A function that adds one array of floats to another and clears the first: what a copy does in reverse.

    Other threads may add to one that is shared.
    """
    plain = f"""  %y = load {type}, ptr %y.at, align 1
  %sum = fadd {type} %y, %x
  store {type} %sum, ptr %y.at, align 1"""
    add = f"  %y = atomicrmw fadd ptr %y.at, {type} %x monotonic" if shared else plain
    return f"""
define internal void @{name}(ptr %to, ptr %from, i64 %bytes) nounwind {{
entry:
  %count = udiv i64 %bytes, {size}
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %x.at = getelementptr {type}, ptr %from, i64 %i
  %y.at = getelementptr {type}, ptr %to, i64 %i
  %x = load {type}, ptr %x.at, align 1
  store {type} zeroinitializer, ptr %x.at, align 1
{add}
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %body, label %done
done:
  ret void
}}"""


WINDOW = struct([I64, I64, PTR, I64])
"""What a thread adds to memory that it shares, before it hands it over: where that begins, how many bytes, a copy of
them with its sums, and how often an address was outside."""

_PAGE = 4096


def add_to_window(type: str, size: int) -> dict[str, str]:
    """Functions by name: one that adds to a thread's own sums, and one that hands them over to the memory.

    An address outside of the window makes that larger, but only so much as there were such addresses: whoever looks
    into few places of a large array adds to them by atomics.
    """
    add, widen, flush = (f"gradir.window.{verb}.{type}" for verb in ("add", "widen", "flush"))
    return {
        add: f"""
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
  call void @{widen}(ptr %window, i64 %address)
  ret void
}}""",
        widen: f"""
define internal void @{widen}(ptr %window, i64 %address) noinline nounwind {{
  %bytes.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 1
  %sums.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 2
  %count.at = getelementptr {WINDOW}, ptr %window, i32 0, i32 3
  %begin = load i64, ptr %window
  %bytes = load i64, ptr %bytes.at
  %sums = load ptr, ptr %sums.at
  %before = load i64, ptr %count.at
  %count = add i64 %before, 1
  store i64 %count, ptr %count.at
  %none = icmp eq ptr %sums, null
  %from = select i1 %none, i64 %address, i64 %begin
  %end = add i64 %from, %bytes
  %ahead = icmp ult i64 %address, %from
  %past = add i64 %address, {size}
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
}}""",
        flush: f"""
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
}}""",
    }


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
  %sum = fadd {type} %y, %x
  store {type} %sum, ptr %at
  ret void
shared:
  %old = atomicrmw fadd ptr %at, {type} %x monotonic
  ret void
}}""",
    )


_ADDRESSES = 1 << 47
"""Addresses of programs are less. Taken for doubles they are less than 1e-309, which no adjoint that counts is."""


def move_addresses(scale: int, *, copy: bool) -> Callable[[str], str]:
    """What a copy does to the shadow of a word that may be a pointer, a double or an integer, or if it is no `copy`, a
    fill with zeros: an address goes, and that of the source comes. Adjoints are left alone."""
    type, zero = _words(scale), "zeroinitializer"

    def body(mark: str) -> str:
        text = _load_word("to", mark, type)
        text += f"  %new.{mark} = select {type.flags} %to.tiny.{mark}, {type.bits} {zero}, "
        text += f"{type.bits} %to.word.{mark}\n"
        if copy:
            text += _load_word("from", mark, type)
            text += f"  %some.{mark} = icmp ne {type.bits} %from.word.{mark}, {zero}\n"
            text += f"  %address.{mark} = and {type.flags} %some.{mark}, %from.tiny.{mark}\n"
            text += f"  %now.{mark} = select {type.flags} %address.{mark}, {type.bits} %from.word.{mark}, "
            text += f"{type.bits} %new.{mark}\n"
        return text + f"  store {type.bits} %{'now' if copy else 'new'}.{mark}, ptr %to.{mark}, align 1\n"

    return body


def give_doubles(scale: int, *, add: bool) -> Callable[[str], str]:
    """The same in reverse: adjoints are added, unless they are only cleared. Addresses are left alone."""
    type, zero = _words(scale), "zeroinitializer"

    def body(mark: str) -> str:
        text = _load_word("from", mark, type)
        text += f"  %rest.{mark} = select {type.flags} %from.tiny.{mark}, {type.bits} %from.word.{mark}, "
        text += f"{type.bits} {zero}\n  store {type.bits} %rest.{mark}, ptr %from.{mark}, align 1\n"
        if add:
            text += f"  %x.{mark} = bitcast {type.bits} %from.word.{mark} to {type.floats}\n"
            text += f"  %y.{mark} = load {type.floats}, ptr %to.{mark}, align 1\n"
            text += f"  %sum.{mark} = fadd {type.floats} %y.{mark}, %x.{mark}\n"
            text += f"  %s.{mark} = select {type.flags} %from.tiny.{mark}, {type.floats} %y.{mark}, "
            text += f"{type.floats} %sum.{mark}\n  store {type.floats} %s.{mark}, ptr %to.{mark}, align 1\n"
        return text

    return body


class _Words(NamedTuple):
    """The types of the words that are the shadow of one: as bits, as floats, and of an answer for each."""

    bits: str
    floats: str
    flags: str
    splat: Callable[[int], str]


def _words(scale: int) -> _Words:
    if scale == 1:
        return _Words("i64", "double", "i1", str)
    return _Words(f"<{scale} x i64>", f"<{scale} x double>", f"<{scale} x i1>", lambda n: f"splat (i64 {n})")


def _load_word(end: str, mark: str, type: _Words) -> str:
    """Of one end, `%<end>.word`, and whether it is so small, whatever its sign, that it is an address or nothing."""
    return (
        f"  %{end}.word.{mark} = load {type.bits}, ptr %{end}.{mark}, align 1\n"
        f"  %{end}.size.{mark} = and {type.bits} %{end}.word.{mark}, {type.splat((1 << 63) - 1)}\n"
        f"  %{end}.tiny.{mark} = icmp ult {type.bits} %{end}.size.{mark}, {type.splat(_ADDRESSES)}\n"
    )


def through(name: str, move: str, clear: str, scale: int) -> str:
    """A function that does what `move` does where the two stretches may overlap (`memmove`): by way of a copy.

    With the name of what clears the fields that were moved, if they are to be.
    """
    cleared = f"  call void @{clear}(ptr null, ptr %from, i64 %bytes)\n" if clear else ""
    return f"""
define internal void @{name}(ptr %to, ptr %from, i64 %bytes) nounwind {{
entry:
  %all = mul i64 %bytes, {scale}
  %held = call ptr @malloc(i64 %all)
  call void @llvm.memcpy.p0.p0.i64(ptr %held, ptr %from, i64 %all, i1 false)
{cleared}  call void @{move}(ptr %to, ptr %held, i64 %bytes)
  call void @free(ptr %held)
  ret void
}}"""


def in_chunks(name: str, move: str, apart: str, scale: int, *, back: bool) -> str:
    """A function that does what `move` does for a copy byte by byte, whose ends may overlap.

    Bytes that are copies of copies come again and again after as many bytes as the ends are apart: it moves so many at
    a time, from the first on or `back` from the last. Where it is not so, `apart` does it. Going back, the first
    stretch is what was copied from, and the second what was copied to.
    """
    ahead, behind = ("%from", "%to") if back else ("%to", "%from")
    return f"""
define internal void @{name}(ptr %to, ptr %from, i64 %bytes) nounwind {{
entry:
  %ahead = ptrtoint ptr {ahead} to i64
  %behind = ptrtoint ptr {behind} to i64
  %between = sub i64 %ahead, %behind
  %distance = udiv i64 %between, {scale}
  %overlap = icmp ult i64 %distance, %bytes
  br i1 %overlap, label %check, label %at.once
at.once:
  call void @{apart}(ptr %to, ptr %from, i64 %bytes)
  br label %done
check:
  %same = icmp eq i64 %distance, 0
  br i1 %same, label %done, label %chunks
chunks:
  %before.last = sub i64 %bytes, 1
  %last = udiv i64 %before.last, %distance
  br label %chunk
chunk:
  %n = phi i64 [ 0, %chunks ], [ %next, %chunk ]
  %rest = sub i64 %last, %n
  %at = mul i64 {"%rest" if back else "%n"}, %distance
  %left = sub i64 %bytes, %at
  %less = icmp ult i64 %left, %distance
  %size = select i1 %less, i64 %left, i64 %distance
  %offset = mul i64 %at, {scale}
  %to.at = getelementptr i8, ptr %to, i64 %offset
  %from.at = getelementptr i8, ptr %from, i64 %offset
  call void @{move}(ptr %to.at, ptr %from.at, i64 %size)
  %next = add i64 %n, 1
  %all = icmp eq i64 %n, %last
  br i1 %all, label %done, label %chunk
done:
  ret void
}}"""


def each_field(name: str, once: Sequence[Move], begin: int, period: int, repeated: Sequence[Move], scale: int) -> str:
    """A function that does something to the fields of two stretches of memory, as far as they reach.

    Some fields are there `once`; from `begin` on others are `repeated` every `period` bytes. A field that doesn't lie
    in the first `bytes` bytes with all of its own is left alone. Behind each byte lie `scale` of either stretch.
    """

    def field(move: Move, mark: str, base: str = "") -> str:
        text, at = "", str(move.offset * scale)
        if base:
            text, at = f"  %at.{mark} = add i64 {base}, {move.offset * scale}\n", f"%at.{mark}"
        for end in ("to", "from"):
            text += f"  %{end}.{mark} = getelementptr i8, ptr %{end}, i64 {at}\n"
        return text + move.body(mark)

    def guarded(moves: Sequence[Move], stage: str, base: str, rest: str, after: str) -> str:
        """One field after the other, up to the first that is not there any more."""
        text = ""
        for n, move in enumerate(moves):
            following = f"{stage}.{n + 1}" if n + 1 < len(moves) else after
            text += f"{stage}.{n}:\n  %{stage}.fits.{n} = icmp uge i64 {rest}, {move.offset + move.size}\n"
            text += f"  br i1 %{stage}.fits.{n}, label %{stage}.do.{n}, label %done\n"
            text += f"{stage}.do.{n}:\n{field(move, f'{stage}.{n}', base)}  br label %{following}\n"
        return text

    text = f"\ndefine internal void @{name}(ptr %to, ptr %from, i64 %bytes) nounwind {{\nentry:\n"
    text += f"  br label %{'once.0' if once else 'pieces'}\n" + guarded(once, "once", "", "%bytes", "pieces")
    text += "pieces:\n"
    if repeated:
        repeated = [m._replace(offset=m.offset - begin) for m in repeated]
        body = "".join(field(move, f"piece.{n}", "%offset") for n, move in enumerate(repeated))
        text += f"""  %rest = call i64 @llvm.usub.sat.i64(i64 %bytes, i64 {begin})
  %count = udiv i64 %rest, {period}
  %none = icmp eq i64 %count, 0
  br i1 %none, label %tail, label %body
body:
  %i = phi i64 [ 0, %pieces ], [ %next, %body ]
  %before = mul i64 %i, {period * scale}
  %offset = add i64 %before, {begin * scale}
{body}  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %body, label %tail
tail:
  %whole = mul i64 %count, {period}
  %left = sub i64 %rest, %whole
  %passed = add i64 %whole, {begin}
  %end = mul i64 %passed, {scale}
  br label %tail.0
{guarded(repeated, "tail", "%end", "%left", "done")}"""
    else:
        text += "  br label %done\n"
    return text + "done:\n  ret void\n}"
