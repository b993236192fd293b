"""How many bytes a compiled function takes beside its arguments and results, at its worst moment: an estimate.

Values are followed in the order of the program, as XLA assigns buffers: cheap elementwise ops are fused into those that
use them and have no buffer; a loop's carried values have one buffer each, in which rounds write; an update in place is
one; what an op is the last to read can hold its result; what becomes a result of the function is none of its temporary
values, and until it is written its place holds others. A loop of one round is none. Calls must have been inlined.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import size
from gradir.tensor.analysis.counting import count
from gradir.tensor.ir.reading import ints, splat_of
from gradir.tensor.ir.regions import captures, copy_block, terminator

__all__ = ["peak_bytes"]


def peak_bytes(function: ir.Operation) -> int:
    """The most bytes of temporary values that are alive at one time in a function without calls.

    Loops of one round are dissolved: give it a copy.
    """
    block = function.regions[0].blocks[0]
    dissolve_single_rounds(block)
    frame = Frame(block, results=terminator(block).operands)
    frame.run()
    return most_at_once(*frame.lives())


def dissolve_single_rounds(block: ir.Block) -> None:
    """Replace each loop that runs once by its body, as compilers do."""
    for op in [view.operation for view in block.operations]:
        for inner in (b for region in op.regions for b in region.blocks):
            dissolve_single_rounds(inner)
        if op.name == "stablehlo.while" and (counter := count(op)) is not None and counter.trips == 1:
            body = op.regions[1].blocks[0]
            with ir.InsertionPoint(op), op.location:
                results = copy_block(body, dict(zip(body.arguments, op.operands, strict=True)))
            for old, new in zip(op.results, results, strict=True):
                old.replace_all_uses_with(new)
            op.erase()


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
IN_PLACE = frozenset(f"stablehlo.{n}" for n in ("sort", "scatter", "dynamic_update_slice"))
"""Ops that write each result where the operand was that has its place."""
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
    nested: dict[int, list[Frame]] = field(default_factory=dict)
    """The blocks within an op, by its place."""
    given: list[Buffer] = field(default_factory=list)
    results: Sequence[ir.Value] = ()
    """Those of the function, which have a place outside."""

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
        for b in (self.buffers[v] for v in self.results if v in self.buffers):
            b.counts = False
            self.given.append(b)

    def _needed(self, user: ir.Operation, k: int) -> int:
        """Until when an operand of an op at place k is read."""
        if self._has_buffer(user) or not len(user.results):
            return max([k, *(self.last.get(r, k) for r in user.results)]) if user.name in ALIASES else k
        return max(self.last.get(r, k) for r in user.results)

    def _has_buffer(self, op: ir.Operation) -> bool:
        if op.name in FREE:
            return self._filled_for(op.results[0]) >= 0 and not _is_table(op)
        if op.name in ALIASES:
            return False
        if op.name in ROOTS:
            return True
        users = [user for _, user in self.users.get(op.results[0], ())] if len(op.results) else []
        if op.name == "stablehlo.transpose" and all(u.name == "stablehlo.dot_general" for u in users):
            return False
        if any(self._ends_fusion(user, op) for user in users):
            return not _is_constant(op)
        if any(user.name == "stablehlo.reduce" for user in self._fused_into(op)) and _spreads(op):
            return True
        return op.name in DEAR and len(users) > 1

    def _filled_for(self, constant: ir.Value) -> int:
        """The last op that needs an array of what is one number elsewhere: all that is sorted, or scattered; or -1."""
        last = -1
        for k, user in self.users.get(constant, ()):
            if user.name == "stablehlo.sort" or _is_scattered(constant, user):
                last = max(last, k)
            elif user.name in ALIASES:
                last = max(last, *map(self._filled_for, user.results))
        return last

    def _fused_into(self, op: ir.Operation) -> Iterable[ir.Operation]:
        """The ops that read a value by elementwise ops alone, itself or fused into them."""
        todo, seen = [op], set[ir.Operation]()
        while todo:
            for user in (u for r in todo.pop().results for _, u in self.users.get(r, ())):
                if user not in seen:
                    seen.add(user)
                    yield user
                    if user.name not in MOVES and user.name not in ROOTS and not _spreads(user):
                        todo.append(user)

    def _ends_fusion(self, user: ir.Operation, op: ir.Operation) -> bool:
        if user.name in ALIASES:
            return any(self._ends_fusion(u, user) for r in user.results for _, u in self.users.get(r, ()))
        return user.name in WHOLE or not len(user.results) or _reads_a_buffer(user)

    def _allocate(self, k: int, op: ir.Operation) -> None:
        if op.name in ALIASES:
            for r, v in zip(op.results, op.operands, strict=False):
                self._share(r, v)
            return
        if op.name == "stablehlo.while":
            self._loop(k, op)
            return
        if op.name in ("stablehlo.if", "stablehlo.case"):
            self.nested[k] = [Frame.inside(region.blocks[0]) for region in op.regions]
        if not self._has_buffer(op):
            return
        for r in op.results:
            taken = self._dying(op, k, r)
            if taken is None:
                end = self._filled_for(r) if op.name in FREE else self.last[r]
                self.buffers[r] = Buffer(nbytes(r), self._ready(op), end)
            else:
                taken.end = max(taken.end, self.last[r])
                self.buffers[r] = taken

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
        in_place = op.name in IN_PLACE
        if result in self.results and not in_place:  # it has a place already
            return None
        for v in [op.operands[result.result_number]] if in_place else self._roots(op, elementwise=True):
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
            elif found is not None and found.end <= k and id(found) not in mine and not _waits(v):
                found.end = max(found.end, self.last[r], k)
                self.buffers[r] = found
            else:  # a copy of an argument or of something that is still needed; or what a constant fills
                self.buffers[r] = Buffer(nbytes(r), self._filled(v, k), max(self.last[r], k))
            if r in self.buffers:
                mine.add(id(self.buffers[r]))
        self.nested[k] = [Frame.inside(body)]

    def _filled(self, value: ir.Value, k: int) -> int:
        """The place where the copy of a value is made that a loop at place k writes to.

        Of a constant that several loops begin with, all copies are made when the first of them begins.
        """
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "stablehlo.constant":
            return k
        alike = (c for c in self.users if _is_same_constant(c, value))
        return min(j for c in alike for j, user in self.users[c] if user.name == "stablehlo.while")

    @classmethod
    def inside(cls, block: ir.Block) -> Frame:
        """A block whose arguments are held by what is around it. A round's results are written where these were."""
        frame = cls(block)
        for a in block.arguments:
            frame.buffers[a] = Buffer(nbytes(a), -1, -1, counts=False)
        frame.run()
        return frame

    def lives(self, clock: Iterator[int] | None = None) -> tuple[list[Life], list[Life]]:
        """When the buffers of this block and of those within it are needed, on one clock; and those given away."""
        clock = itertools.count() if clock is None else clock
        inner: list[Life] = []
        begins, ends = {-1: next(clock)}, {}
        ends[-1] = begins[-1]
        for k in range(len(self.block.operations)):
            begins[k] = next(clock)
            for frame in self.nested.get(k, ()):
                inner += frame.lives(clock)[0]
            ends[k] = next(clock)

        def life(b: Buffer) -> Life:
            return Life(b.bytes, begins[b.begin], ends[b.end])

        own = {id(b): b for b in self.buffers.values() if b.counts}.values()
        return [*map(life, own), *inner], [life(b) for b in self.given]


@dataclass(frozen=True)
class Life:
    """Bytes that are needed from one time to another."""

    bytes: int
    begin: int
    end: int


def most_at_once(temporary: Sequence[Life], results: Sequence[Life]) -> int:
    """The most bytes at one time. The largest first, values go where a result will be written later, if they fit."""
    places: list[tuple[int, list[Life]]] = [(r.bytes, [Life(r.bytes, r.begin, sys.maxsize)]) for r in results]
    change: dict[int, int] = {}
    for life in sorted(temporary, key=lambda life: -life.bytes):
        for room, held in places:
            if life.bytes <= room and all(life.end < h.begin or h.end < life.begin for h in held):
                held.append(life)
                break
        else:
            change[life.begin] = change.get(life.begin, 0) + life.bytes
            change[life.end + 1] = change.get(life.end + 1, 0) - life.bytes
    return max(itertools.accumulate(change[t] for t in sorted(change)), default=0)


def reads(op: ir.Operation) -> Iterable[ir.Value]:
    yield from op.operands
    if len(op.regions):
        yield from captures(op.regions)


def _reads_a_buffer(op: ir.Operation) -> bool:
    """Whether a sum or the like is one that nothing is fused into: that of a vector, in stages of 32."""
    if op.name != "stablehlo.reduce" or len(op.results) > 1:
        return False
    shape = ir.RankedTensorType(op.operands[0].type).shape
    return len(shape) == 1 and shape[0] > 32


def _waits(value: ir.Value) -> bool:
    """Whether a value is a loop's, held back by a barrier: what goes on from there works on a copy."""
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "stablehlo.optimization_barrier":
        return False
    held = value.owner.operation.operands[value.result_number]
    return not isinstance(held, ir.BlockArgument) and held.owner.operation.name == "stablehlo.while"


def _is_scattered(value: ir.Value, op: ir.Operation) -> bool:
    return op.name == "stablehlo.scatter" and value != op.operands[len(op.results)]


def _spreads(op: ir.Operation) -> bool:
    """Whether an elementwise op reads a value that is repeated along another axis than the last ones."""
    if len(op.results) != 1 or op.name in MOVES:
        return False
    makers = (v.owner.operation for v in op.operands if not isinstance(v, ir.BlockArgument))
    spread = (m for m in makers if m.name == "stablehlo.broadcast_in_dim")
    dims = (ints(m, "broadcast_dimensions") for m in spread)
    return any(d != tuple(range(len(d))) for d in dims if d)


def _is_same_constant(a: ir.Value, b: ir.Value) -> bool:
    if isinstance(a, ir.BlockArgument) or a.type != b.type or a.owner.operation.name != "stablehlo.constant":
        return False
    return a.owner.operation.attributes["value"] == b.owner.operation.attributes["value"]


def _is_table(op: ir.Operation) -> bool:
    """Whether it is a constant array that is stored in the program."""
    return op.name == "stablehlo.constant" and splat_of(op.results[0]) is None


def _is_constant(op: ir.Operation) -> bool:
    """Whether a value is the same number everywhere, which is made anew wherever it is needed."""
    while op.name in ("stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.convert"):
        if isinstance(op.operands[0], ir.BlockArgument):
            return False
        op = op.operands[0].owner.operation
    return op.name in FREE
