"""What a reverse sweep keeps from the forward sweep, and what it computes again: a minimum cut by bytes.

Everything a reverse sweep asks for is a `Need`. Some are at hand anyway (arguments, constants, what dominates the
return); some follow
from others by cheap instructions; loads can be repeated where nothing has overwritten what they read. Of the rest, and
of what follows from it, the set with the fewest bytes is kept. Addresses, indices and loop counters are hardly ever
in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal, NamedTuple

from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.analysis.parallel.grid import Restored
from gradir.machine.analysis.twins import find_twins
from gradir.machine.ir import Argument, Block, Constant, Global, Instruction, Value
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.rules.rule import rule_for
from gradir.network import Network

__all__ = ["Need", "Needs"]


class Need(NamedTuple):
    """Something of the forward sweep that the reverse sweep asks for.

    - `primal`: a value
    - `shadow`: the shadow of a pointer (`part` tells which, where there are several)
    - `turns`: how often a loop went back, where its bound doesn't tell
    - `left`: by which block a loop was left
    - `came`: from which block a block was entered
    - `tape`: what a call recorded
    """

    kind: Literal["primal", "shadow", "turns", "left", "came", "tape"]
    of: Value | Loop
    part: int = 0


_CHEAP_CALLS = (
    "fabs", "copysign", "fma", "fmuladd", "minnum", "maxnum", "minimum", "maximum", "floor", "ceil", "trunc", "rint",
    "sqrt", "smax", "smin", "umax", "umin", "abs", "ctpop", "ctlz", "cttz", "bswap", "fshl", "fshr", "vector.reduce",
    "sadd.sat", "usub.sat",
)  # fmt: skip


class Needs:
    """What each need can be had from, for one function."""

    def __init__(
        self,
        cfg: CFG,
        memory: Memory,
        *,
        combined: bool,
        late_shadows: bool = False,
        closed: bool,
        lasting: frozenset[int] = frozenset(),
        shadow_inputs: Callable[[Instruction], Sequence[tuple[Literal["primal", "shadow"], Value]] | None],
        restored: Restored | None = None,
    ) -> None:
        self.cfg, self.memory = cfg, memory
        self.combined = combined
        """Whether both sweeps are in one function, so that one can use what dominates the end of the other."""
        self.late_shadows = late_shadows
        """Whether the reverse sweep is given the shadows of arguments itself."""
        self.closed = closed
        """Whether memory from outside is the same at the begin of the reverse sweep as at the end of the forward
        sweep."""
        self.lasting = lasting
        """Of one whose caller knows more: the arguments that lead to memory of which that is so as far as the caller
        goes."""
        self.shadow_inputs = shadow_inputs
        """What the shadow of a pointer is computed from."""
        self.restored = restored
        """Of a kernel: shared memory that is put back as it was."""
        self.returns = [b for b in cfg.order if b.terminator.opcode in cfg.ends]
        self._inputs: dict[Need, list[Need] | None] = {}
        self._overwritten: dict[Instruction, bool] = {}
        self._twins: dict[Instruction, Instruction] | None = None

    # -- where a need belongs ---------------------------------------------------------------------------------------

    def loop(self, need: Need) -> Loop | None:
        """The innermost loop in which there is one such thing for each turn."""
        of = need.of
        if isinstance(of, Loop):
            return of.parent
        if isinstance(of, Instruction):
            return self.cfg.loop_of[of.block]
        return self.cfg.loop_of[of] if isinstance(of, Block) else None

    def size(self, need: Need) -> int:
        match need.kind:
            case "primal":
                return max(1, need.of.type.size)  # type: ignore[union-attr]
            case "left" | "came":
                return 1
            case _:
                return 8

    # -- how it can be had ------------------------------------------------------------------------------------------

    def free(self, need: Need) -> bool:
        """Whether it is at hand in the reverse sweep without further ado."""
        of = need.of
        if isinstance(of, Loop):
            return False
        if isinstance(of, (Constant, Global)):
            return True
        if isinstance(of, Argument):
            return self.combined or (self.late_shadows and need.kind == "shadow")
        if isinstance(of, Instruction) and need.kind in ("primal", "shadow", "tape"):
            if is_static_alloca(of, self.cfg):
                return True
            if self.combined and self.cfg.loop_of[of.block] is None:
                return all(self.cfg.available(of, r) for r in self.returns)
        return False

    def inputs(self, need: Need) -> list[Need] | None:
        """What it follows from; None if it can only be kept."""
        if need not in self._inputs:
            self._inputs[need] = self._find_inputs(need)
        return self._inputs[need]

    def _find_inputs(self, need: Need) -> list[Need] | None:
        of = need.of
        if self.free(need):
            return []
        if need.kind in ("turns", "left", "came", "tape") or not isinstance(of, Instruction):
            return None
        if of.opcode == "phi":
            return self._phi_inputs(need, of)
        if of.opcode == "load":
            if not self.overwritten(of):
                return [Need(need.kind, of.pointer, need.part)]
            if self.restored is not None and need.kind == "primal" and self.restored.is_read_again(of):
                return [Need("primal", of.pointer)]
            twin = self.twin(need)
            return None if twin is None else [twin]
        if self.restored is not None and self.restored.outlives(of):
            return None
        if need.kind == "shadow":
            found = self.shadow_inputs(of)
            return None if found is None else [Need(k, v, need.part if k == "shadow" else 0) for k, v in found]
        if masked_access(of) is not None:
            return None if self.overwritten(of) else [Need("primal", a) for a in of.arguments]
        if OPCODES[of.opcode].again:
            return [Need("primal", o) for o in of.operands]
        if of.opcode == "call" and self._is_cheap(of):
            return [Need("primal", a) for a in of.arguments]
        return None

    def twin(self, need: Need) -> Need | None:
        """What has the same values turn by turn: a load in a loop before, which is kept in the place of both."""
        if need.kind != "primal":
            return None
        if self._twins is None:
            self._twins = find_twins(self.cfg, self.memory)
        twin = self._twins.get(need.of)  # type: ignore[call-overload]
        return None if twin is None else Need("primal", twin)

    def _phi_inputs(self, need: Need, phi: Instruction) -> list[Need] | None:
        loop = self.cfg.loop_of[phi.block]
        if loop is not None and phi in loop.inductions:
            return [Need(need.kind, loop.inductions[phi].start, need.part)]
        incoming = [v for v, b in phi.incoming if b in self.cfg.live]
        if len(incoming) == 1:  # LCSSA: the same value, if its last turn is this turn
            value = incoming[0]
            if not isinstance(value, Instruction) or self.cfg.loop_of[value.block] is loop:
                return [Need(need.kind, value, need.part)]
        return None

    def is_lasting(self, place: Place) -> bool:
        """Whether memory from outside is the same when the reverse sweep begins as at the end of the forward sweep.

        Where the caller vouches for it, the function may be one of several that run at once: none of them writes there.
        """
        if self.closed:
            return True
        vouched = [isinstance(o, Argument) and o.index in self.lasting for o in place.origins]
        return bool(vouched) and all(vouched) and not self.memory.is_written(place)

    def overwritten(self, load: Instruction) -> bool:
        if load not in self._overwritten:
            masked = masked_access(load)
            place = self.memory.place(masked.pointer if masked is not None else load.pointer)
            outside = (
                place.external
                and not self.is_lasting(place)
                and not all(isinstance(o, Global) and o.constant for o in place.origins or [None])
            )
            self._overwritten[load] = outside or self.memory.overwritten(load)
        return self._overwritten[load]

    def _is_cheap(self, call: Instruction) -> bool:
        name = call.callee_name
        if name is None or (rule_for(call) is None and not name.startswith("llvm.")):
            return False
        base = name.removeprefix("llvm.")
        return any(base == c or base.startswith((c + ".", c + "f")) for c in _CHEAP_CALLS)

    # -- the choice -------------------------------------------------------------------------------------------------

    def weight(self, loop: Loop | None) -> int:
        """About how many times a value in the loop is made."""
        times = 1
        for l in loop.nest if loop else []:
            constant = l.trip.constant if l.trip else None
            times *= 50 if constant is None else min(constant + 1, 1000)
        return times

    def keep(self, required: Iterable[Need]) -> set[Need]:
        """The needs to keep, so that all that is required can be had."""
        network = Network()
        seen: set[Need] = set()
        work = list(required)
        for need in work:
            network.link((need, "out"), "sink", None)
        while work:
            need = work.pop()
            if need in seen:
                continue
            seen.add(need)
            inputs = self.inputs(need)
            cost = 0 if self.free(need) else self.size(need) * self.weight(self.loop(need))
            network.link((need, "in"), (need, "out"), cost or None)
            if inputs is None:
                network.link("source", (need, "in"), None)
            else:
                for i in inputs:
                    network.link((i, "out"), (need, "in"), None)
                    work.append(i)
        after = network.cut_at_sink()
        return {n for n in seen if (n, "out") in after and (n, "in") not in after}


def is_static_alloca(instruction: Instruction, cfg: CFG) -> bool:
    """Whether it sets aside a fixed amount of stack, once in a call."""
    if instruction.opcode != "alloca" or instruction.block is not cfg.function.entry:
        return False
    return all(isinstance(o, Constant) for o in instruction.operands)
