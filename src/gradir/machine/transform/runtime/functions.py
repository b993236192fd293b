"""The few functions that derivatives call at run time, as LLVM IR: they travel inside the module that needs them.

Memory of a tape is kept for the next call, since fresh pages cost more than the arithmetic that fills them: each site
has a pool of one block, exchanged atomically, so threads never share a block and nothing grows.
`gradir_release_memory` gives all back. What teams of threads need besides is in `team_runtime.py`,
and what a GPU's threads do instead in `grid_runtime.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from gradir.machine.ir.graphs import reachable
from gradir.machine.transform.runtime import arena as arena_runtime
from gradir.machine.transform.runtime import grid as grid_runtime
from gradir.machine.transform.runtime import teams as team_runtime
from gradir.machine.transform.runtime import threads as thread_runtime

__all__ = [
    "FUNCTIONS",
    "Move",
    "accumulate",
    "definition",
    "each_field",
    "from_first_word",
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
    **arena_runtime.CALLS,
    **grid_runtime.CALLS,
    **team_runtime.CALLS,
    **thread_runtime.CALLS,
}
"""Each with what it calls."""

_DECLARATIONS = {
    "malloc": 'declare noalias ptr @malloc(i64) allockind("alloc,uninitialized") allocsize(0)',
    "free": "declare void @free(ptr)",
    **team_runtime.DECLARATIONS,
    **thread_runtime.DECLARATIONS,
}

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
    **arena_runtime.DEFINITIONS,
    **grid_runtime.DEFINITIONS,
    **team_runtime.DEFINITIONS,
    **thread_runtime.DEFINITIONS,
}


def with_callees(name: str) -> str:
    """The text of a function of the runtime, with all that it calls."""
    names = reachable(FUNCTIONS, name)
    lines = "\n".join(definition(n) for n in sorted(names)).splitlines()
    declared = dict.fromkeys(line for line in lines if line.startswith("declare"))
    return "\n".join([*declared, *(line for line in lines if line not in declared)])


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


def from_first_word(name: str, move: str, ends: Sequence[str]) -> str:
    """A function that does what `move` does from the first address on that is a multiple of a word, and nothing where
    the two `ends` are no whole words apart: what is moved there is none."""
    return f"""
define internal void @{name}(ptr %to, ptr %from, i64 %bytes) nounwind {{
entry:
  %end = ptrtoint ptr %{ends[0]} to i64
  %other = ptrtoint ptr %{ends[-1]} to i64
  %apart = sub i64 %end, %other
  %odd = and i64 %apart, 7
  %even = icmp eq i64 %odd, 0
  %left = sub i64 0, %end
  %skipped = and i64 %left, 7
  %long = icmp ugt i64 %bytes, %skipped
  %some = and i1 %even, %long
  br i1 %some, label %whole, label %done
whole:
  %to.whole = getelementptr i8, ptr %to, i64 %skipped
  %from.whole = getelementptr i8, ptr %from, i64 %skipped
  %rest = sub i64 %bytes, %skipped
  call void @{move}(ptr %to.whole, ptr %from.whole, i64 %rest)
  br label %done
done:
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
