"""How the threads of a GPU's grid add to shadows of memory that others may add to as well.

- A thread that alone reads an element adds to its shadow as if it were alone in the world.
- Threads of a warp that read the same element at the same time sum up what they have, and one of them adds that.
- All others add by atomics.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from gradir.machine.analysis.parallel.grid import EVERY, Divergence
from gradir.machine.ir import I1, I32, Instruction
from gradir.machine.ir.builder import Expr
from gradir.machine.transform.parallel import teams
from gradir.machine.transform.runtime.teams import add_alone
from gradir.machine.transform.shadows.shadow import Addition

if TYPE_CHECKING:
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Grid"]

_WARP = 32
_TOGETHER = 8
"""So many sums are waited for at least, so that what is read in between lies side by side."""


class _Sum(NamedTuple):
    """What a lane of a warp adds to a place, unless another lane does that."""

    at: Expr
    x: Expr
    other: Expr | None = None


class Grid:
    """What the reverse sweep of a kernel knows of the threads that run it."""

    def __init__(self, reverse: Reverse) -> None:
        self.r = reverse
        self.own = teams.own(reverse)
        self._made: dict[object, Expr] = {}
        self._pending: dict[int, list[_Sum]] = {}

    def begin(self) -> None:
        """On empty paper."""
        self._made.clear()

    @cached_property
    def _divergence(self) -> Divergence:
        return Divergence(self.r.cfg)

    # -- adding -----------------------------------------------------------------------------------------------------

    def addition(self, read: Instruction) -> Addition | None:
        """How the shadow of what is read is added to, if not by atomics."""
        program, scalar = self.r.frame.program, str(read.type.scalar)
        scope = program.scope("shadow")
        launch = self.r.frame.options.launch
        if self.own.is_own(read) and (launch is None or launch.is_line):
            alone = self._once("alone", self._in_x) if launch is None else self.r.reverse.constant(I1, 1)
            program.define(*add_alone(scalar))
            return lambda at, x: self._say(f"call void @gradir.add.{x.type}({at}, {x}, {alone}){scope}")
        axes = self._divergence.axes(read.pointer)
        if axes == EVERY or scalar not in ("float", "double") or self._divergence.apart(read.block) is not None:
            return None
        along, across = "x" not in axes, not axes or axes == {"x"}
        if launch is not None:
            lanes = lanes_of(launch.block, along, across)
            return (lambda at, x: self._wait(lanes, _Sum(at, x))) if lanes else None
        program.need_runtime("gradir.warp.lanes")
        program.need_runtime(f"gradir.warp.add.{scalar}")
        given = f"call i32 @gradir.warp.lanes(i1 {int(along)}, i1 {int(across)})"
        some = self._once(axes, lambda: self.r.reverse.emit(I32, given, "lanes"))
        return lambda at, x: self._say(f"call void @gradir.warp.add.{x.type}({at}, {x}, {some}){scope}")

    def _say(self, line: str) -> None:
        self.r.reverse.line(line)

    def clear(self, store: Instruction, there: Expr, pointers: Sequence[Expr]) -> bool:
        """Let the shadow of what is stored be zero, unless it is: then the store waits for the load. A GPU holds up all
        memory accesses for a store to where something is still being read. False if this is not for such a shadow."""
        program = self.r.frame.program
        if str(there.type) not in ("float", "double"):
            return False
        program.need_runtime(f"gradir.thread.clear.{there.type}")
        for p in pointers:
            self._say(f"call void @gradir.thread.clear.{there.type}({p}, {there}){program.scope('shadow')}")
        return True

    # -- sums of several places at once -----------------------------------------------------------------------------

    def _wait(self, lanes: int, sum: _Sum) -> None:
        """Sum up later, together with others: as many as there are lanes take as few steps as one."""
        waiting = self._pending.setdefault(lanes, [])
        if waiting and waiting[0].x.type != sum.x.type:
            self.flush()
            waiting = self._pending.setdefault(lanes, [])
        waiting.append(sum)
        if len(waiting) >= max(1 << lanes.bit_count(), _TOGETHER):
            self._add(lanes, self._pending.pop(lanes))

    def flush(self) -> None:
        """Before somebody else looks at the shadows, or threads go on to another phase."""
        while self._pending:
            self._add(*self._pending.popitem())

    def _add(self, lanes: int, sums: list[_Sum]) -> None:
        """Of each pair of sums a lane passes one on to its neighbour, and gets its part of the other."""
        for bit in (1 << k for k in range(_WARP.bit_length() - 1) if lanes >> k & 1):
            pairs = [sums[k : k + 2] for k in range(0, len(sums), 2)]
            sums = [self._halved(bit, *pair) if len(pair) == 2 else self._joined(bit, *pair) for pair in pairs]
        for sum in sums:
            self._add_one(sum)

    def _halved(self, bit: int, a: _Sum, b: _Sum) -> _Sum:
        upper = self._upper(bit)
        kept, given = upper.select(b.x, a.x), upper.select(a.x, b.x)
        others = [s.other or self.r.reverse.constant(I1, 0) for s in (b, a)] if a.other or b.other else None
        other = upper.select(*others) if others else None
        return _Sum(upper.select(b.at, a.at), kept + self._exchanged(given, bit), other)

    def _joined(self, bit: int, a: _Sum) -> _Sum:
        upper = self._upper(bit)
        other = self.r.reverse.emit(I1, f"or {a.other}, {upper.ref}") if a.other else upper
        return _Sum(a.at, a.x + self._exchanged(a.x, bit), other)

    def _exchanged(self, x: Expr, bit: int) -> Expr:
        self.r.frame.program.need_runtime(f"gradir.warp.exchange.{x.type}")
        return self.r.reverse.emit(x.type, f"call {x.type} @gradir.warp.exchange.{x.type}({x}, i32 {bit})", "other")

    def _upper(self, bit: int) -> Expr:
        """Whether a thread's number has a bit."""

        def make() -> Expr:
            self.r.frame.program.need_runtime("gradir.block.number")
            number = self._once("number", lambda: self.r.reverse.emit(I32, "call i32 @gradir.block.number()", "number"))
            some = self.r.reverse.emit(I32, f"and {number}, {bit}")
            return self.r.reverse.emit(I1, f"icmp ne {some}, 0", "upper")

        return self._once(bit, make)

    def _add_one(self, sum: _Sum) -> None:
        scope = self.r.frame.program.scope("shadow")
        if sum.other is None:
            self._say(f"atomicrmw fadd {sum.at}, {sum.x} monotonic{scope}")
            return
        self.r.frame.program.need_runtime(f"gradir.lead.add.{sum.x.type}")
        given = f"{sum.at}, {sum.x}, {sum.other}"
        self._say(f"call void @gradir.lead.add.{sum.x.type}({given}){scope}")

    # -- what is computed at the beginning --------------------------------------------------------------------------

    def _once(self, key: object, make: Callable[[], Expr]) -> Expr:
        if key not in self._made:
            code = self.r.reverse
            here = code.here
            code.at(code.entry)
            self._made[key] = make()
            code.at(here)
        return self._made[key]

    def _in_x(self) -> Expr:
        """Whether the kernel was launched in x alone, so that the numbers of threads there tell them apart."""
        y, z, ys, zs = map(self._register, ("ntid.y", "ntid.z", "nctaid.y", "nctaid.z"))
        few = self._register("ntid.x") * self._register("nctaid.x") < (1 << 31)
        others = y * z * ys * zs
        return self.r.reverse.emit(few.type, f"and {few}, {others.eq(1).ref}", "in.x")

    def _register(self, name: str) -> Expr:
        name = f"llvm.nvvm.read.ptx.sreg.{name}"
        self.r.frame.program.declare(f"declare i32 @{name}() nosync nounwind speculatable willreturn memory(none)")
        code = self.r.reverse
        return code.to_i64(code.emit(I32, f"call i32 @{name}()"))


def lanes_of(block: tuple[int, int, int], along: bool, across: bool) -> int:
    """The bits in which the numbers of lanes may differ that are in the same row of their block, or in the same column;
    none unless all warps are full, and rows end where warps do. (`gradir.warp.lanes` is the same at run time.)

    >>> bin(lanes_of((16, 16, 1), along=True, across=False)), bin(lanes_of((16, 16, 1), along=False, across=True))
    ('0b1111', '0b10000')
    >>> lanes_of((24, 4, 1), along=True, across=False), lanes_of((24, 4, 1), along=True, across=True)
    (0, 31)
    """
    x, y, z = block
    if x * y * z % _WARP:
        return 0
    if along and across:
        return _WARP - 1
    if x % _WARP and x & (x - 1):
        return 0
    row = _WARP - 1 if x % _WARP == 0 else x - 1
    return (row if along else 0) | (row ^ (_WARP - 1) if across else 0)
