"""How many bytes a compiled function takes beside its arguments and results, at its worst moment: an estimate.

Values are followed in the order of the program, as XLA assigns buffers: cheap elementwise ops are fused into those that
use them and have no buffer; a loop's carried values have one buffer each, in which rounds write; an update in place is
one; what an op is the last to read can hold its result; what becomes a result of the function is none of its temporary
values. Calls must have been inlined.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import size
from gradir.tensor.ir.regions import captures, terminator

__all__ = ["peak_bytes"]


def peak_bytes(function: ir.Operation) -> int:
    """The most bytes of temporary values that are alive at one time in a function without calls."""
    block = function.regions[0].blocks[0]
    frame = Frame(block)
    frame.run()
    frame.give_away(terminator(block).operands)
    return frame.peak()


def nbytes(value: ir.Value) -> int:
    return size(value.type)[1]


ALIASES = frozenset(f"stablehlo.{n}" for n in ("reshape", "optimization_barrier", "bitcast_convert", "tuple"))
FREE = frozenset(f"stablehlo.{n}" for n in ("constant", "iota"))
DEAR = frozenset(
    f"stablehlo.{n}"
    for n in (
        "exponential", "log", "sine", "cosine", "tan", "tanh", "logistic", "power", "exponential_minus_one",
        "log_plus_one", "cbrt", "atan2", "remainder", "divide", "sqrt", "rsqrt",
    )
)  # fmt: skip
"""Elementwise ops that are not computed twice for two users."""
WHOLE = frozenset(
    f"stablehlo.{n}"
    for n in (
        "dot_general", "convolution", "while", "if", "case", "sort", "scatter", "fft", "cholesky", "triangular_solve",
        "custom_call", "rng_bit_generator", "rng", "reduce_window", "select_and_scatter", "all_reduce", "all_gather",
    )
) | {"func.call"}  # fmt: skip
"""Ops that nothing is fused into, and that are fused into nothing."""
ROOTS = WHOLE | {"stablehlo.reduce", "stablehlo.dynamic_update_slice", "stablehlo.gather"}
"""Ops whose results always have a buffer."""
MOVES = WHOLE | frozenset(
    f"stablehlo.{n}"
    for n in (
        "reduce", "gather", "concatenate", "transpose", "pad", "reverse", "slice", "dynamic_slice", "broadcast_in_dim",
    )
)  # fmt: skip
"""Ops that read elsewhere than they write: their result can't be where an operand was."""


@dataclass(eq=False)
class Buffer:
    """Some bytes, from the op that writes them to the last that reads them, by their places."""

    bytes: int
    begin: int
    end: int
    counts: bool = True
    """Whether they are the block's own: not an argument's, nor a result's."""


@dataclass
class Frame:
    """One block: which values have a buffer of their own, and for how long."""

    block: ir.Block
    buffers: dict[ir.Value, Buffer] = field(default_factory=dict)
    at: dict[int, int] = field(default_factory=dict)
    """Bytes that are needed within an op, by its place."""

    def run(self) -> None:
        ops = [view.operation for view in self.block.operations]
        self.users: dict[ir.Value, list[tuple[int, ir.Operation]]] = {}
        for k, op in enumerate(ops):
            for v in dict.fromkeys(reads(op)):
                self.users.setdefault(v, []).append((k, op))
        self.last: dict[ir.Value, int] = {}
        for k in reversed(range(len(ops))):  # how long each value is needed, also by what is fused
            for r in ops[k].results:
                self.last[r] = max((self._needed(user, j) for j, user in self.users.get(r, ())), default=k)
        for a in self.block.arguments:
            self.last[a] = max((self._needed(user, j) for j, user in self.users.get(a, ())), default=-1)
        self.made = {r: k for k, op in enumerate(ops) for r in op.results}
        for a in self.buffers:  # arguments of a body
            self.buffers[a].end = self.last[a]
        for k, op in enumerate(ops[:-1]):
            self._allocate(k, op)

    def _needed(self, user: ir.Operation, k: int) -> int:
        """Until when an operand of an op at place k is read."""
        if self._has_buffer(user) or not len(user.results):
            return max([k, *(self.last.get(r, k) for r in user.results)]) if user.name in ALIASES else k
        return max(self.last.get(r, k) for r in user.results)

    def _has_buffer(self, op: ir.Operation) -> bool:
        if op.name in FREE or op.name in ALIASES:
            return False
        if op.name in ROOTS:
            return True
        users = [user for _, user in self.users.get(op.results[0], ())] if len(op.results) else []
        if op.name == "stablehlo.transpose" and all(u.name == "stablehlo.dot_general" for u in users):
            return False
        if any(self._ends_fusion(user, op) for user in users):
            return not _is_constant(op)
        return op.name in DEAR and len(users) > 1

    def _ends_fusion(self, user: ir.Operation, op: ir.Operation) -> bool:
        if user.name in ALIASES:
            return any(self._ends_fusion(u, user) for r in user.results for _, u in self.users.get(r, ()))
        return user.name in WHOLE or not len(user.results)

    def _allocate(self, k: int, op: ir.Operation) -> None:
        if op.name in ALIASES:
            for r, v in zip(op.results, op.operands, strict=False):
                self._share(r, v)
            return
        if op.name == "stablehlo.while":
            self._loop(k, op)
            return
        if op.name in ("stablehlo.if", "stablehlo.case"):
            self.at[k] = max(Frame.inside(region.blocks[0]) for region in op.regions)
        if not self._has_buffer(op):
            return
        for r in op.results:
            taken = self._dying(op, k, r)
            if taken is None:
                self.buffers[r] = Buffer(nbytes(r), self._ready(op), self.last[r])
            else:
                taken.end = max(taken.end, self.last[r])
                self.buffers[r] = taken
        if op.name == "stablehlo.sort":
            self.at[k] = sum(nbytes(r) for r in op.results)

    def _ready(self, op: ir.Operation) -> int:
        """The place from which on an op can be run: compilers don't wait for what does not hold it up."""
        return max((self.made.get(v, -1) for v in self._roots(op)), default=-1) + 1

    def _share(self, result: ir.Value, source: ir.Value) -> None:
        found = self.buffers.get(source)
        if found is not None:
            found.end = max(found.end, self.last[result])
            self.buffers[result] = found

    def _dying(self, op: ir.Operation, k: int, result: ir.Value) -> Buffer | None:
        """A buffer of the size of a result that nobody reads after this op."""
        for v in self._roots(op, elementwise=True):
            found = self.buffers.get(v)
            if found is None or found.bytes != nbytes(result) or found.end > k:
                continue
            if not isinstance(v, ir.BlockArgument) or self._becomes(result, v):
                return found
        return None

    def _becomes(self, value: ir.Value, argument: ir.BlockArgument) -> bool:
        """Whether a value is what the next round has for an argument."""
        next_round = terminator(self.block).operands
        if argument.arg_number >= len(next_round):
            return False
        end = next_round[argument.arg_number]
        while end != value and not isinstance(end, ir.BlockArgument) and end.owner.operation.name in ALIASES:
            end = end.owner.operation.operands[end.result_number]
        return end == value

    def _roots(self, op: ir.Operation, elementwise: bool = False) -> Iterable[ir.Value]:
        """The values with a buffer that an op reads, itself or by what is fused into it; `elementwise` or anyhow."""
        todo, seen = [] if elementwise and op.name in MOVES else list(op.operands), set[ir.Value]()
        while todo:
            v = todo.pop()
            if v in seen:
                continue
            seen.add(v)
            if v in self.buffers or isinstance(v, ir.BlockArgument):
                yield v
            elif v.owner.operation.block == self.block and not (elementwise and v.owner.operation.name in MOVES):
                todo.extend(v.owner.operation.operands)

    def _loop(self, k: int, op: ir.Operation) -> None:
        body = op.regions[1].blocks[0]
        mine: set[int] = set()
        for r, v, end in zip(op.results, op.operands, terminator(body).operands, strict=True):
            found = self.buffers.get(v)
            unchanged = isinstance(end, ir.BlockArgument) and end.owner == body and end.arg_number == r.result_number
            if unchanged:
                self._share(r, v)
            elif found is not None and found.end <= k and id(found) not in mine:
                found.end = max(found.end, self.last[r], k)
                self.buffers[r] = found
            else:  # a copy of an argument or of something that is still needed; or what a constant fills
                self.buffers[r] = Buffer(nbytes(r), k, max(self.last[r], k))
            if r in self.buffers:
                mine.add(id(self.buffers[r]))
        self.at[k] = Frame.inside(body)

    @classmethod
    def inside(cls, block: ir.Block) -> int:
        """What a block takes beside its arguments. The results of a round are written where its arguments were."""
        frame = cls(block)
        for a in block.arguments:
            frame.buffers[a] = Buffer(nbytes(a), -1, -1, counts=False)
        frame.run()
        return frame.peak()

    def give_away(self, values: Sequence[ir.Value]) -> None:
        """These have a place outside."""
        for v in values:
            if v in self.buffers:
                self.buffers[v].counts = False

    def peak(self) -> int:
        change: dict[int, int] = {}
        for b in {id(b): b for b in self.buffers.values()}.values():
            if b.counts:
                change[b.begin] = change.get(b.begin, 0) + b.bytes
                change[b.end + 1] = change.get(b.end + 1, 0) - b.bytes
        most = now = 0
        for k in sorted({*change, *self.at}):
            now += change.get(k, 0)
            most = max(most, now + self.at.get(k, 0))
        return most


def reads(op: ir.Operation) -> Iterable[ir.Value]:
    yield from op.operands
    if len(op.regions):
        yield from captures(op.regions)


def _is_constant(op: ir.Operation) -> bool:
    """Whether a value is the same number everywhere, which is made anew wherever it is needed."""
    while op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.convert"):
        if isinstance(op.operands[0], ir.BlockArgument):
            return False
        op = op.operands[0].owner.operation
    return op.name in FREE
