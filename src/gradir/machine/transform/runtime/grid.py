"""What derivatives on a GPU's grid bring along, as LLVM IR.

What a thread keeps (`room`) is in room of its own, on its stack, unless it is too much: a GPU has a stack for each
thread that runs at present, laid out so that threads side by side are served at once; what comes from `malloc` is far
away. These take the place of those of `runtime.py` that keep blocks for the next call.

Sums over threads: of the lanes of a warp that add to the same place (`warp`), and of a whole block (`block`).
"""

from __future__ import annotations

__all__ = ["CALLS", "DEFINITIONS", "ROOM", "SLOT", "SLOTS", "SUMS"]

ROOM = 1024
"""Bytes on the stack for what is kept of one type in one loop."""

SLOTS, SLOT = 64, 256
"""A sum over very many blocks goes to so many places first, so many bytes apart: a GPU adds to one place one by one."""

SUMS = "gradir.block.sums"
"""Shared memory for the sums of a block's warps, 256 bytes, which whoever uses `gradir.block.add` provides."""

_STEPS = (1, 2, 4, 8, 16)
_FLOATS = ("float", "double")


def _register(name: str) -> str:
    called = f"llvm.nvvm.read.ptx.sreg.{name}"
    return f"declare i32 @{called}() nosync nounwind speculatable willreturn memory(none)"


_PLACE = "\n".join(_register(f"{name}.{axis}") for name in ("tid", "ntid") for axis in "xyz")
_GRID = "\n".join(map(_register, ("ctaid.x", "ctaid.y", "ctaid.z", "nctaid.x", "nctaid.y")))


def _clear(type: str) -> str:
    return f"""
define internal void @gradir.thread.clear.{type}(ptr %at, {type} %there) alwaysinline nounwind {{
  %some = fcmp une {type} %there, 0.0
  br i1 %some, label %clear, label %done
clear:
  store {type} 0.0, ptr %at
  br label %done
done:
  ret void
}}"""


def _exchange(type: str) -> str:
    """What the lane has whose number differs in one bit."""
    shuffle = "llvm.nvvm.shfl.sync.bfly"
    given = f"{type} %x, i32 %step"
    name = f"define internal {type} @gradir.warp.exchange.{type}({given}) alwaysinline convergent nounwind {{"
    if type == "float":
        return f"""
{name}
  %y = call float @{shuffle}.f32(i32 -1, float %x, i32 %step, i32 31)
  ret float %y
}}
declare float @{shuffle}.f32(i32, float, i32, i32) convergent nocallback nounwind"""
    return f"""
{name}
  %bits = bitcast double %x to i64
  %low = trunc i64 %bits to i32
  %up = lshr i64 %bits, 32
  %high = trunc i64 %up to i32
  %a = call i32 @{shuffle}.i32(i32 -1, i32 %low, i32 %step, i32 31)
  %b = call i32 @{shuffle}.i32(i32 -1, i32 %high, i32 %step, i32 31)
  %a.wide = zext i32 %a to i64
  %b.wide = zext i32 %b to i64
  %b.up = shl i64 %b.wide, 32
  %both = or i64 %a.wide, %b.up
  %y = bitcast i64 %both to double
  ret double %y
}}
declare i32 @{shuffle}.i32(i32, i32, i32, i32) convergent nocallback nounwind"""


def _warp_sum(type: str) -> str:
    """The sum over the lanes whose numbers differ in some bits, which each of them gets."""
    lines, before = [], "entry"
    for step in _STEPS:
        last = "%x" if step == 1 else f"%x{step // 2}"
        lines += [
            f"  %bit{step} = and i32 %lanes, {step}",
            f"  %has{step} = icmp ne i32 %bit{step}, 0",
            f"  br i1 %has{step}, label %add{step}, label %next{step}",
            f"add{step}:",
            f"  %other{step} = call {type} @gradir.warp.exchange.{type}({type} {last}, i32 {step})",
            f"  %sum{step} = fadd {type} {last}, %other{step}",
            f"  br label %next{step}",
            f"next{step}:",
            f"  %x{step} = phi {type} [ {last}, %{before} ], [ %sum{step}, %add{step} ]",
        ]
        before = f"next{step}"
    body = "\n".join(lines)
    return f"""
define internal {type} @gradir.warp.sum.{type}({type} %x, i32 %lanes) alwaysinline convergent nounwind {{
entry:
{body}
  ret {type} %x{_STEPS[-1]}
}}"""


def _warp_add(type: str) -> str:
    """Add to a place that the lanes have in common whose numbers differ in some bits: one of them, the sum."""
    return f"""
define internal void @gradir.warp.add.{type}(ptr %at, {type} %x, i32 %lanes) alwaysinline convergent nounwind {{
  %sum = call {type} @gradir.warp.sum.{type}({type} %x, i32 %lanes)
  %number = call i32 @gradir.block.number()
  %mine = and i32 %number, %lanes
  %other = icmp ne i32 %mine, 0
  call void @gradir.lead.add.{type}(ptr %at, {type} %sum, i1 %other)
  ret void
}}"""


def _lead_add(type: str) -> str:
    """Add to a place, unless somebody else does it."""
    return f"""
define internal void @gradir.lead.add.{type}(ptr %at, {type} %x, i1 %other) alwaysinline nounwind {{
  br i1 %other, label %done, label %add
add:
  %was = atomicrmw fadd ptr %at, {type} %x monotonic
  br label %done
done:
  ret void
}}"""


def _fold(type: str) -> str:
    """Add the sums of all slots to where they belong, and clear them: what a warp does."""
    half = SLOTS // 2
    return f"""
define internal void @gradir.warp.fold.{type}(ptr %slots, ptr %at) convergent nounwind {{
  %lane = call i32 @gradir.block.number()
  %one = mul i32 %lane, {SLOT}
  %one.at = getelementptr i8, ptr %slots, i32 %one
  %two.at = getelementptr i8, ptr %one.at, i32 {half * SLOT}
  %a = load {type}, ptr %one.at
  %b = load {type}, ptr %two.at
  store {type} 0.0, ptr %one.at
  store {type} 0.0, ptr %two.at
  %ab = fadd {type} %a, %b
  %sum = call {type} @gradir.warp.sum.{type}({type} %ab, i32 31)
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %add, label %done
add:
  %there = load {type}, ptr %at
  %total = fadd {type} %there, %sum
  store {type} %total, ptr %at
  br label %done
done:
  ret void
}}"""


def _block_add(type: str) -> str:
    """Add the sum of what the threads of a block have: all of them come here."""
    return f"""
define internal void @gradir.block.add.{type}(ptr %at, {type} %x) convergent nounwind {{
  %number = call i32 @gradir.block.number()
  %count = call i32 @gradir.block.count()
  %rest = and i32 %count, 31
  %full = icmp eq i32 %rest, 0
  br i1 %full, label %warps, label %each
each:
  %was.each = atomicrmw fadd ptr %at, {type} %x monotonic
  ret void
warps:
  %of.warp = call {type} @gradir.warp.sum.{type}({type} %x, i32 31)
  %lane = and i32 %number, 31
  %warp = lshr i32 %number, 5
  %sum.at = getelementptr {type}, ptr @{SUMS}, i32 %warp
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %say, label %said
say:
  store {type} %of.warp, ptr %sum.at
  br label %said
said:
  call void @gradir.block.meet()
  %in.first = icmp eq i32 %warp, 0
  br i1 %in.first, label %first, label %done
first:
  %of = lshr i32 %count, 5
  %there = icmp ult i32 %lane, %of
  %safe = select i1 %there, i32 %lane, i32 0
  %one.at = getelementptr {type}, ptr @{SUMS}, i32 %safe
  %one = load {type}, ptr %one.at
  %part = select i1 %there, {type} %one, {type} 0.0
  %total = call {type} @gradir.warp.sum.{type}({type} %part, i32 31)
  br i1 %leads, label %add, label %done
add:
  %was = atomicrmw fadd ptr %at, {type} %total monotonic
  br label %done
done:
  call void @gradir.block.meet()
  ret void
}}"""

_BLOCK = ("gradir.block.number", "gradir.block.count", "gradir.block.meet")

CALLS: dict[str, tuple[str, ...]] = {
    "gradir.room.acquire": ("malloc",),
    "gradir.room.acquire_once": ("gradir.room.acquire",),
    "gradir.room.release": ("free",),
    "gradir.room.grow": ("malloc", "gradir.room.release"),
    "gradir.room.reserve": ("gradir.room.grow",),
    **dict.fromkeys(_BLOCK, ()),
    "gradir.block.clear": ("gradir.block.number", "gradir.block.count"),
    "gradir.warp.lanes": ("gradir.block.count",),
    "gradir.grid.slot": (),
    **{f"gradir.warp.fold.{type}": (f"gradir.warp.sum.{type}", "gradir.block.number") for type in _FLOATS},
    **{f"gradir.thread.clear.{type}": () for type in _FLOATS},
    **{f"gradir.lead.add.{type}": () for type in _FLOATS},
    **{f"gradir.warp.exchange.{type}": () for type in _FLOATS},
    **{f"gradir.warp.sum.{type}": (f"gradir.warp.exchange.{type}",) for type in _FLOATS},
    **{
        f"gradir.warp.add.{type}": (f"gradir.warp.sum.{type}", f"gradir.lead.add.{type}", "gradir.block.number")
        for type in _FLOATS
    },
    **{
        f"gradir.block.add.{type}": (f"gradir.warp.sum.{type}", *_BLOCK) for type in _FLOATS
    },
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
    # What a buffer that grows has next: {data, capacity}. Its own state stays in registers, since nobody else sees it.
    "gradir.room.grow": f"""
define internal {{ ptr, i64 }} @gradir.room.grow(ptr %data, i64 %used, ptr %room, i64 %needed) noinline nounwind {{
  %twice = shl i64 %needed, 1
  %wanted = call i64 @llvm.umax.i64(i64 %twice, i64 {2 * ROOM})
  %new = call ptr @malloc(i64 %wanted)
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %data, i64 %used, i1 false)
  call void @gradir.room.release(ptr %room, ptr %data)
  %one = insertvalue {{ ptr, i64 }} poison, ptr %new, 0
  %both = insertvalue {{ ptr, i64 }} %one, i64 %wanted, 1
  ret {{ ptr, i64 }} %both
}}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i64 @llvm.umax.i64(i64, i64)""",
    # Room in a buffer that grows: {data, capacity, used}, in bytes.
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
  %held = load ptr, ptr %buffer
  %grown = call {{ ptr, i64 }} @gradir.room.grow(ptr %held, i64 %used, ptr %room, i64 %needed)
  %new = extractvalue {{ ptr, i64 }} %grown, 0
  %more = extractvalue {{ ptr, i64 }} %grown, 1
  store ptr %new, ptr %buffer
  store i64 %more, ptr %capacity.at
  br label %ready
ready:
  %data = load ptr, ptr %buffer
  %place = getelementptr i8, ptr %data, i64 %used
  store i64 %needed, ptr %used.at
  ret ptr %place
}}""",
    # The number of a thread in its block, and how many there are.
    "gradir.block.number": f"""
define internal i32 @gradir.block.number() alwaysinline nounwind {{
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %zy = mul i32 %z, %ny
  %zy.y = add i32 %zy, %y
  %row = mul i32 %zy.y, %nx
  %number = add i32 %row, %x
  ret i32 %number
}}
{_PLACE}""",
    "gradir.block.count": f"""
define internal i32 @gradir.block.count() alwaysinline nounwind {{
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %nz = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %nxy = mul i32 %nx, %ny
  %count = mul i32 %nxy, %nz
  ret i32 %count
}}
{_PLACE}""",
    "gradir.block.meet": """
define internal void @gradir.block.meet() alwaysinline convergent nounwind {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) convergent nocallback nounwind""",
    # Zero some bytes (a multiple of four), each thread of the block its part.
    "gradir.block.clear": """
define internal void @gradir.block.clear(ptr %p, i32 %bytes) nounwind {
entry:
  %first = call i32 @gradir.block.number()
  %step = call i32 @gradir.block.count()
  %words = lshr i32 %bytes, 2
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %body ]
  %more = icmp ult i32 %i, %words
  br i1 %more, label %body, label %done
body:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 0, ptr %at
  %next = add i32 %i, %step
  br label %head
done:
  ret void
}""",
    # The bits in which the numbers of lanes may differ that are in the same row of their block (`along`), or in the
    # same column of it (`across`). None unless all warps are full and their rows end where warps do.
    "gradir.warp.lanes": f"""
define internal i32 @gradir.warp.lanes(i1 %along, i1 %across) alwaysinline nounwind {{
  %count = call i32 @gradir.block.count()
  %rest = and i32 %count, 31
  %full = icmp eq i32 %rest, 0
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %nx.rest = and i32 %nx, 31
  %rows = icmp eq i32 %nx.rest, 0
  %less = sub i32 %nx, 1
  %common = and i32 %nx, %less
  %power = icmp eq i32 %common, 0
  %even = or i1 %rows, %power
  %low = and i32 %less, 31
  %row = select i1 %rows, i32 31, i32 %low
  %column = xor i32 %row, 31
  %row.asked = select i1 %along, i32 %row, i32 0
  %column.asked = select i1 %across, i32 %column, i32 0
  %asked = or i32 %row.asked, %column.asked
  %both = and i1 %along, %across
  %ordered = or i1 %even, %both
  %known = and i1 %full, %ordered
  %every = select i1 %both, i32 31, i32 %asked
  %lanes = select i1 %known, i32 %every, i32 0
  ret i32 %lanes
}}
{_PLACE}""",
    # Where a block adds its sum.
    "gradir.grid.slot": f"""
define internal ptr @gradir.grid.slot(ptr %slots) alwaysinline nounwind {{
  %x = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.z()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()
  %zy = mul i32 %z, %ny
  %zy.y = add i32 %zy, %y
  %row = mul i32 %zy.y, %nx
  %block = add i32 %row, %x
  %slot = and i32 %block, {SLOTS - 1}
  %byte = mul i32 %slot, {SLOT}
  %at = getelementptr i8, ptr %slots, i32 %byte
  ret ptr %at
}}
{_GRID}""",
    **{f"gradir.warp.fold.{type}": _fold(type) for type in _FLOATS},
    **{f"gradir.thread.clear.{type}": _clear(type) for type in _FLOATS},
    **{f"gradir.lead.add.{type}": _lead_add(type) for type in _FLOATS},
    **{f"gradir.warp.exchange.{type}": _exchange(type) for type in _FLOATS},
    **{f"gradir.warp.sum.{type}": _warp_sum(type) for type in _FLOATS},
    **{f"gradir.warp.add.{type}": _warp_add(type) for type in _FLOATS},
    **{f"gradir.block.add.{type}": _block_add(type) for type in _FLOATS},
}
