"""The driver: tries rules on ops until none applies, looking again only at what has changed.

Rules are found by the op's name and by what makes its operands, so that one that can't match is never tried. A phase
has a fixed set of rules that never undo each other; the first to match, in the order of the table, fires. The number of
firings is bounded by the size of the program, so that the end comes even if a rule is wrong, and the result depends on
nothing but the program and the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from jaxlib.mlir import ir

from gradir.errors import GradirError
from gradir.tensor.analysis.adjoints import scales
from gradir.tensor.analysis.cost import CPU, Cost, Device, cost, total
from gradir.tensor.analysis.counting import Counter as LoopCounter
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.facts import Facts
from gradir.tensor.analysis.magnitudes import keeps_range
from gradir.tensor.analysis.zeros import keeps_zero_signs
from gradir.tensor.ir.dead import drop_dead, has_effect, merge_equal, sink_constants
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.reading import float_type, is_used, kind, maker, number_in, single_use, splat_of
from gradir.tensor.ir.regions import captures
from gradir.tensor.optimize.effects import DERIVATIVE, RANGE, ZERO_SIGN, Numerics
from gradir.tensor.optimize.pattern import (
    CLASSES,
    COMMUTATIVE,
    Bound,
    MatchOp,
    Node,
    Number,
    Splat,
    matcher,
    names_of,
)
from gradir.tensor.optimize.pattern import Any as AnyValue
from gradir.tensor.optimize.rule import Replacement, Rewrite, arguments
from gradir.tensor.optimize.watch import Fired, Watch, watch_now

T = TypeVar("T")

CONTROL = frozenset({"stablehlo.while", "stablehlo.if", "stablehlo.case", "sdy.manual_computation"})
"""Ops whose regions are programs, to be optimised like the rest; a reduction's computation stays what it is."""

FIRINGS = 12
"""How often rules may fire, for each op that there is at the start."""

NEIGHBOURS = 6
"""Of how many ops that use the same value one is asked whether it is equal to a new one."""

TRIES = 2
"""At how many places that look alike a proof is tried. (A program of many layers has as many such places.)"""

DEPTH = 2
"""How far a look goes, over the operands."""

CONSTANT = "stablehlo.constant"
Sight = str | Number | None
Candidate = tuple[Rewrite, list[MatchOp]]
"""A rule and the forms of its pattern."""


LOOKED_AT = 3
"""At how many operands of an op a first sight looks."""


def key_of(op: ir.Operation) -> int:
    """What tells an op from all others that live now. (Its own hash is that of a handle, which comes and goes.)"""
    try:
        return hash(op.results[0])
    except IndexError:
        return 0


def look_of(op: ir.Operation, depth: int = DEPTH) -> Hashable:
    """What an op looks like, with what makes its operands."""
    name, types = op.name, tuple(r.type for r in op.results)
    if name == CONSTANT:
        return name, types, number_in(op)
    if not depth:
        return name, types
    return name, types, tuple(None if m is None else look_of(m, depth - 1) for m in map(maker, op.operands))


class Index:
    """The rules of a phase, by what they match at first sight."""

    def __init__(self, rules: Iterable[Rewrite]) -> None:
        self.by_root: dict[str, list[tuple[Rewrite, Node]]] = {}
        for r in rules:
            for variant in r.variants:
                for name in CLASSES.get(variant.op, (variant.op,)):
                    self.by_root.setdefault(name, []).append((r, variant))
        self.numbers = frozenset(n for some in self.by_root.values() for _, p in some for n in _numbers(p))
        self.roots = frozenset(self.by_root) | COMMUTATIVE
        """The names of ops that are worth a look. (Of commutative ones, the operands may have to be swapped.)"""
        self._found: dict[tuple[str, str, int, bool, tuple[Sight, ...]], tuple[Candidate, ...]] = {}

    def candidates(
        self, name: str, of: str, operands: Sequence[ir.Value], makers: Sequence[ir.Operation | None]
    ) -> tuple[Candidate, ...]:
        """What may match an op of this name whose result is of a kind, by what makes its operands."""
        n = len(makers)
        same = n == 2 and operands[0] == operands[1]
        key = (name, of, n, same, tuple(map(self._sight, makers[:LOOKED_AT])))
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = tuple(self._look(*key).items())
        return found

    def _look(self, name: str, of: str, n: int, same: bool, sights: Sequence[Sight]) -> dict[Rewrite, list[MatchOp]]:
        makers = [s if s is None or isinstance(s, str) else CONSTANT for s in sights]
        forms: dict[Rewrite, list[MatchOp]] = {}
        for r, p in self.by_root.get(name, ()):
            if (of not in r.kinds and name not in CONTROL) or not _may_have(r, makers, n):
                continue
            if _may_match(p, makers, sights, n) and (same or n != 2 or not _wants_same(p)):
                forms.setdefault(r, []).append(matcher(p))
        return forms

    def _sight(self, op: ir.Operation | None) -> Sight:
        """The name of an op; of a constant with a number that rules ask for, that number."""
        if op is None:
            return None
        name = op.name
        if name != CONSTANT:
            return name
        number = number_in(op)
        return number if number in self.numbers else CONSTANT


def _numbers(pattern: Node) -> Iterator[Number]:
    return (p.number for p in pattern.operands if isinstance(p, Splat) and p.number is not None)


def _wants_same(pattern: Node) -> bool:
    """Whether both operands are one value, by name."""
    first = pattern.operands[0] if len(pattern.operands) == 2 else None
    return isinstance(first, AnyValue) and first == pattern.operands[1]


def _may_have(rewrite: Rewrite, makers: Sequence[str | None], n: int) -> bool:
    """Whether a rule may want an op with n operands, by what makes the first of them."""
    if rewrite.operands is None and rewrite.some is None:  # as most
        return True
    is_all = len(makers) == n
    if rewrite.operands is not None:
        others = [m for m in makers if m != CONSTANT or m in rewrite.operands]
        if (is_all and not others) or not all(m in rewrite.operands for m in others):
            return False
    return rewrite.some is None or not is_all or any(m in rewrite.some for m in makers)


def _may_match(pattern: Node, makers: Sequence[str | None], sights: Sequence[Sight], n: int) -> bool:
    """Whether a pattern may match an op with n operands, by the first of them."""
    first = pattern.first
    if n != len(first) and (pattern.rest is None or n < len(first)):
        return False
    for p, m, s in zip(first, makers, sights, strict=False):
        if isinstance(p, Node) and m not in names_of(p.op):
            return False
        if isinstance(p, Splat) and not (m == CONSTANT and (p.number is None or s == p.number or p.number != p.number)):
            return False
    return True


@dataclass
class Driver:
    """One function being optimised."""

    index: Index
    numerics: Numerics = Numerics.DEFAULT
    device: Device = CPU
    log: list[Fired] | None = None
    """Where to write down what fires."""
    gates: bool = True
    """Whether rules that are a matter of cost must pay (a test wants to see them all)."""
    proofs: bool = True
    """Whether what a rule may do to numbers must be shown not to matter (likewise)."""
    settled: Collection[int] = ()
    """The keys of ops that need a look only when something around them changes."""
    ahead: bool = False
    """Whether a derivative is ahead: some things pay in it only."""
    shadows: frozenset[int] = frozenset()
    """The function's results of which nobody asks for the sign of a zero: derivatives."""
    watch: Watch | None = None
    """Whom to show what a rule has left."""
    fired: int = 0
    declined: int = 0
    untidy: bool = False
    """Whether a loop or a branch was taken apart: that leaves ops behind that nothing uses."""
    limit: int = 0
    facts: Facts = field(default_factory=Facts)
    _queue: dict[int, ir.Operation] = field(default_factory=dict)
    _stack: list[int] = field(default_factory=list)
    _later: list[int] = field(default_factory=list)
    _known: set[int] = field(default_factory=set)
    _untouched: set[int] = field(default_factory=set)
    _gone: int = 0
    """How many ops were erased."""
    _seen: dict[Hashable, Any] = field(default_factory=dict)
    _seen_at: tuple[int, int] = (0, 0)
    _failed: dict[str, Counter[Hashable]] = field(default_factory=dict)
    """How often the proof that a rule is harmless failed, at places that look so."""

    @property
    def is_fast(self) -> bool:
        """Whether numbers are taken to be finite."""
        return self.numerics is Numerics.FAST

    @property
    def minds_zero_signs(self) -> bool:
        return self.proofs and not self.is_fast

    def is_added_up_after(self, op: ir.Operation) -> bool:
        """Whether an op must not come before what repeats its operands (a broadcast, the rounds of a loop) yet.

        The derivative adds up what comes back from all repetitions: after the op, or before it. So it matters in which
        type, where the op makes a narrower one (a thousand terms in bf16 stay at 256), and whether the terms have been
        scaled, where a type has little range (f16 ends at 65504).
        """
        if not self.ahead or not self.proofs or self.is_fast:
            return False
        made = float_type(op.results[0].type)
        given = [t.width for v in op.operands if (t := float_type(v.type)) is not None and splat_of(v) is None]
        if made is None or not given:
            return False
        return made.width < max(given) or (made.width < 32 and not isinstance(made, ir.BF16Type))

    def is_kept_apart(self, op: ir.Operation) -> bool:
        """Whether an op must not become one with an equal op yet.

        The derivative of one op adds up the cotangents of all who use it, and then scales the sum, which may be out of
        range where what the program adds up, each scaled by itself, is not.
        """
        return self.ahead and self.proofs and not self.is_fast and scales(op)

    def seen(self, key: Hashable, look: Callable[[], T]) -> T:
        """What was seen in the program, which is looked at again only when it has changed.

        (Several rules ask how often a loop runs, and many ops who else cuts pieces from an array.)
        """
        now = self.fired, self._gone
        if now != self._seen_at:
            self._seen.clear()
            self._seen_at = now
        if key not in self._seen:
            self._seen[key] = look()
        found: T = self._seen[key]
        return found

    def counter(self, loop: ir.Operation) -> LoopCounter | None:
        """The counter of a loop whose number of rounds is known, for a rule that has not changed anything yet."""
        return self.seen(("counter", key_of(loop)), lambda: count(loop))

    def acts(self, op: ir.Operation) -> bool:
        """Whether an op with regions does more than give its results, for a rule that has not changed anything yet."""
        return self.seen(("acts", key_of(op)), lambda: has_effect(op))

    # -- the worklist

    def run(self, root: ir.Operation, own: Index | None = None) -> None:
        """Optimise what an op (a function) holds.

        Where a phase before has left nothing to clean, ops that are still untouched are looked at by this phase's `own`
        rules alone.
        """
        self.facts.assume_finite = self.is_fast
        root.walk(self._take_in_op, ir.WalkOrder.PRE_ORDER)
        self.limit = FIRINGS * len(self._known) + 500
        if own is not None:
            self._queue = {k: op for k, op in self._queue.items() if op.name in own.by_root}
        self._untouched.update(self._queue)
        self._stack.reverse()  # first things first
        while self._stack or self._later:
            if not self._stack:  # loops and branches come when nothing is left to do inside
                self._stack, self._later = self._later, []
            key = self._stack.pop()
            op = self._queue.pop(key, None)
            if op is None or self.fired >= self.limit:
                continue
            before = self.fired
            if key in self._untouched:
                self.visit(op, own or self.index)
            elif not self._is_merged(op):
                self.visit(op, self.index)
            if self.watch is not None and self.fired > before:
                self.watch.note(root)

    def _take_in_op(self, op: ir.Operation) -> ir.WalkResult:
        key = key_of(op)
        if key:
            self._known.add(key)
            if key not in self.settled and op.name in self.index.roots:
                self._queue[key] = op
                (self._later if op.name in CONTROL else self._stack).append(key)
        inside = not key or op.name in CONTROL or not len(op.regions)  # (functions have no results)
        return ir.WalkResult.ADVANCE if inside else ir.WalkResult.SKIP

    def _take_in(self, block: ir.Block) -> None:
        for view in block.operations:
            op = view.operation
            self._known.add(key_of(op))
            self.push(op)
            if op.name in CONTROL:
                for region in op.regions:
                    for inner in region.blocks:
                        self._take_in(inner)

    def push(self, op: ir.Operation) -> None:
        name = op.name
        if name not in self.index.roots:
            return
        key = key_of(op)
        self._untouched.discard(key)
        if key and key not in self._queue:
            self._queue[key] = op
            (self._later if name in CONTROL else self._stack).append(key)

    def adopt(self, op: ir.Operation) -> None:
        """Take in an op that a rule has made beside what it gives."""
        self._known.add(key_of(op))
        self.push(op)

    def taken(self, value: Expr) -> Expr:
        """A value beside what a rule gives, with the ops that the rule has made for it taken in."""
        for op in self._new_ops([value.value]):
            self.push(op)
        return value

    def push_users(self, value: ir.Value) -> None:
        for use in value.uses:
            self.push(use.owner.operation)

    def _push_holder(self, op: ir.Operation) -> None:
        """What happens in a loop or a branch may matter to the op that holds it."""
        parent = op.parent
        if parent is not None and parent.operation.name in CONTROL:
            self.push(parent.operation)

    def forget(self, op: ir.Operation) -> None:
        """An op is about to go: its place in memory may soon be another's."""
        if len(op.regions):
            for region in op.regions:
                for block in region.blocks:
                    for view in block.operations:
                        self.forget(view.operation)
        key = key_of(op)
        self._gone += 1
        self._queue.pop(key, None)
        self._known.discard(key)
        self._untouched.discard(key)

    def erase(self, op: ir.Operation) -> None:
        """Erase an op, and what only it used: a rule that asks whether a value has one use must not count the dead."""
        todo = {key_of(op): op}
        while todo:
            _, last = todo.popitem()
            operands = dict.fromkeys(last.operands)
            self.forget(last)
            last.erase()
            for v in operands:
                uses = iter(v.uses)
                use = next(uses, None)
                if use is not None and next(uses, None) is not None:
                    continue
                m = maker(v)
                if use is not None:  # a rule may have waited for it to have one use
                    self.push(use.owner.operation)
                if m is None:
                    continue
                if use is not None or any(is_used(r) for r in m.results) or _acts(m):
                    self.push(m)
                else:
                    todo[key_of(m)] = m

    # -- one op

    def visit(self, op: ir.Operation, index: Index) -> None:
        name, operands = op.name, list(op.operands)
        makers = list(map(maker, operands))
        if name in COMMUTATIVE and len(operands) == 2 and _is_constant(makers[0]) and not _is_constant(makers[1]):
            operands.reverse()  # constants stand on the right
            makers.reverse()
            op.operands[0], op.operands[1] = operands
        for rewrite, forms in index.candidates(name, kind(op.results[0].type), operands, makers):
            if rewrite.when is not None and not rewrite.when(op):
                continue
            for matches in forms:
                env: dict[str, Bound] = {}
                if not matches(op, operands, makers, env):
                    continue
                if not is_used(op.results[0]) and not any(map(is_used, op.results)) and not _acts(op):  # made in vain
                    self.erase(op)
                    return
                if self.attempt(rewrite, op, env):
                    return

    def _is_merged(self, op: ir.Operation) -> bool:
        """Put an equal op that is there already in the place of one that is new, or has new operands."""
        if not len(op.operands) or single_use(op.operands[0]) or len(op.regions) or self.is_kept_apart(op):
            return False
        name, operands = op.name, list(op.operands)
        for use in islice(operands[0].uses, NEIGHBOURS):
            other = use.owner.operation
            if other.name != name or other == op or list(other.operands) != operands or not _are_alike(op, other):
                continue
            first, second = (other, op) if other.is_before_in_block(op) else (op, other)
            for old, new in zip(second.results, first.results, strict=True):
                self.push_users(old)
                old.replace_all_uses_with(new)
            self.push(first)
            self.erase(second)
            return second is op
        return False

    def attempt(self, rewrite: Rewrite, op: ir.Operation, env: dict[str, Bound]) -> bool:
        """Let a rule that matches have its way, if it wants to and it pays."""
        failed = self._failed.get(rewrite.name)
        if failed is not None and failed[look_of(op)] >= TRIES:
            return False
        control = op.name in CONTROL  # which a rule may empty into another
        before = cost(op) if control and (rewrite.gated or self.log is not None) else None
        with op.location, ir.InsertionPoint(op):
            made = rewrite.apply(*arguments(rewrite, op, env, self))
        if made is None:
            self.declined += 1
            return False
        values = _values(made)
        results = list(op.results)
        if values == results:  # changed in place
            self._log(rewrite, op, before or Cost(), cost(op) if before else Cost())
            self.fired += 1
            self.reconsider(op)
            return True
        for r, v in zip(results, values, strict=True):
            if r.type != v.type:
                raise GradirError(f"the rule {rewrite.name} makes {v.type} of {r.type}", hint="this is a bug in gradir")
        new = self._new_ops(values)
        if not self._is_harmless(rewrite, op, values, new):
            self._failed.setdefault(rewrite.name, Counter())[look_of(op)] += 1
            self._discard(new)
            return False
        if rewrite.gated or self.log is not None:
            before, after = before or self._dying(op, new, values), total(new)
            if rewrite.gated and self.gates and not after.on(self.device) < before.on(self.device):
                self._discard(new)
                return False
            self._log(rewrite, op, before, after)
        self.fired += 1
        self.untidy = self.untidy or control
        self._push_holder(op)
        for r, v in zip(results, values, strict=True):
            self.push_users(r)
            r.replace_all_uses_with(v)
        for n in new:
            self.push(n)
            if n.name in CONTROL:
                for region in n.regions:
                    for block in region.blocks:
                        self._take_in(block)
        for v in values:  # whose use has changed, though it has not
            if (m := maker(v)) is not None:
                self.push(m)
        self._retire(op)  # and with it what nothing uses now, which may be among these
        return True

    def _is_harmless(
        self, rewrite: Rewrite, op: ir.Operation, values: Sequence[ir.Value], new: Sequence[ir.Operation]
    ) -> bool:
        """Whether what a rule may do to numbers is shown not to matter here, if that is asked for."""
        effects = rewrite.effects
        if not self.proofs or self.numerics is not Numerics.DEFAULT or not effects & (RANGE | ZERO_SIGN):
            return True
        if ZERO_SIGN in effects and not keeps_zero_signs(op, values, self.shadows):
            return False
        return RANGE not in effects or keeps_range(op, new, self.facts)

    def _discard(self, new: Sequence[ir.Operation]) -> None:
        """What a rule has made goes again. (What has a user beside was made before, and nobody had taken it in.)"""
        for n in new:
            if any(is_used(r) for r in n.results):
                self.push(n)
            else:
                self.forget(n)
                n.erase()

    def reconsider(self, op: ir.Operation) -> None:
        """An op has been changed in place, with what it holds."""
        for region in op.regions:
            for block in region.blocks:
                self._take_in(block)
        for r in op.results:
            self.push_users(r)
        self.push(op)

    def _retire(self, op: ir.Operation) -> None:
        if op.name in CONTROL or not _acts(op):  # what a loop or a branch does besides is done by what stands for it
            self.erase(op)

    def _new_ops(self, values: Iterable[ir.Value]) -> list[ir.Operation]:
        """The ops that a rule has emitted, users before what they use."""
        found: dict[int, ir.Operation] = {}

        def visit(value: ir.Value) -> None:
            m = maker(value)
            if m is None or (key := key_of(m)) in self._known:
                return
            self._known.add(key)
            for v in m.operands:
                visit(v)
            if len(m.regions):
                for v in captures(m.regions):
                    visit(v)
            found[key] = m

        for v in values:
            visit(v)
        return list(reversed(found.values()))

    def _dying(self, op: ir.Operation, new: Sequence[ir.Operation], values: Sequence[ir.Value]) -> Cost:
        """What goes if values stand for an op's: the op, and what only it uses (and neither they nor new ops do)."""
        dying, fresh = {key_of(op)}, {key_of(n) for n in new}
        fresh.update(key_of(m) for v in values if (m := maker(v)) is not None)
        cost_so_far, todo = cost(op), [op]
        while todo:
            for v in todo.pop().operands:
                m = maker(v)
                if m is None or key_of(m) in dying or key_of(m) in fresh:
                    continue
                if all(key_of(use.owner.operation) in dying for r in m.results for use in r.uses):
                    dying.add(key_of(m))
                    cost_so_far += cost(m)
                    todo.append(m)
        return cost_so_far

    def _log(self, rewrite: Rewrite, op: ir.Operation, before: Cost, after: Cost) -> None:
        if self.log is not None:
            place = location_text(op.location)
            self.log.append(Fired(rewrite.name, rewrite.family, op.name, place, before, after))


def _are_alike(op: ir.Operation, other: ir.Operation) -> bool:
    """Whether ops of the same name and operands do the same, in the same block."""
    if op.block != other.block or _acts(op) or [r.type for r in op.results] != [r.type for r in other.results]:
        return False
    return dict(op.attributes.items()) == dict(other.attributes.items())


def _is_constant(op: ir.Operation | None) -> bool:
    return op is not None and op.name == CONSTANT


def _values(made: Replacement) -> list[ir.Value]:
    assert made is not None
    return [made.value] if isinstance(made, Expr) else [m.value for m in made]


_WATCHED = frozenset({"stablehlo.custom_call", "func.call", *CONTROL})
_EFFECTS = frozenset(
    f"stablehlo.{n}" for n in ("infeed", "outfeed", "send", "recv", "async_start", "rng", "rng_bit_generator")
)


def _acts(op: ir.Operation) -> bool:
    """Whether an op does more than give its results."""
    name = op.name
    return has_effect(op) if name in _WATCHED else _always_acts(name)


@cache
def _always_acts(name: str) -> bool:
    known = name.startswith(("stablehlo.", "chlo.")) or name == "enzyme.ignore_derivatives"
    return name in _EFFECTS or not known


@cache
def index_of(rules: tuple[Rewrite, ...]) -> Index:
    return Index(rules)


@cache
def late_of(rules: tuple[Rewrite, ...]) -> Index:
    """Those among them that may not have had their way in the first phase, or before differentiation."""
    return index_of(tuple(r for r in rules if r.phase != "clean" or r.effects & (RANGE | DERIVATIVE)))


@cache
def paying_on(rules: tuple[Rewrite, ...], device: Device) -> tuple[Rewrite, ...]:
    """Those among them that may pay on a device."""
    return tuple(r for r in rules if r.on is None or r.on == device)


@cache
def ahead_of(rules: tuple[Rewrite, ...]) -> tuple[Rewrite, ...]:
    """Those among them that keep the range of what is yet to be differentiated.

    What is shown of a value is not shown of its derivative: the sum that x / y hands to y is of quotients, and that of
    x * (1 / y) is of products.
    """
    return tuple(r for r in rules if not r.effects & (RANGE | DERIVATIVE))


def _first_look(function: ir.Operation) -> tuple[bool, bool]:
    """Whether the size of an array is known at run time only, and whether something is sorted.

    What says how large things are must stay as back ends know it.
    (A sort has a comparator whose constants merging puts outside, where its derivative can't have them.)
    """
    types, sorts = [a.type for a in function.regions[0].blocks[0].arguments], False

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal sorts
        name = op.name
        if name in _MAKE_OPEN:
            types.extend(r.type for r in op.results)
        sorts = sorts or name == "stablehlo.sort"
        return ir.WalkResult.ADVANCE

    function.walk(visit, ir.WalkOrder.PRE_ORDER)
    is_open = any(isinstance(t, ir.RankedTensorType) and not t.has_static_shape for t in types)
    return is_open, sorts


_MAKE_OPEN = frozenset(
    f"stablehlo.{n}"
    for n in (
        "dynamic_broadcast_in_dim", "dynamic_conv", "dynamic_gather", "dynamic_iota", "dynamic_pad", "dynamic_reshape",
        "real_dynamic_slice", "set_dimension_size", "custom_call",
    )
)  # fmt: skip


def drive(
    function: ir.Operation,
    phases: Sequence[tuple[Rewrite, ...]],
    *,
    numerics: Numerics = Numerics.DEFAULT,
    device: Device = CPU,
    log: list[Fired] | None = None,
    gates: bool = True,
    proofs: bool = True,
    settled: Collection[int] = (),
    ahead: bool = False,
    shadows: frozenset[int] = frozenset(),
) -> int:
    """Run one phase after the other on a function, in place; gives how many rules fired."""
    fired = 0
    watch = watch_now() if log is None else None
    is_open, sorts = _first_look(function)
    keeps = ahead and proofs and numerics is not Numerics.FAST
    is_apart = scales if keeps else None
    _merge(function, sorts, is_apart)
    if is_open:
        return 0
    for n, phase in enumerate(map(ahead_of, phases) if keeps else phases):
        rules = paying_on(phase, device) if gates else phase
        if not rules:
            continue
        looked_at = settled if n == 0 else ()
        told = log if watch is None else watch.fired
        driver = Driver(index_of(rules), numerics, device, told, gates, proofs, looked_at, ahead, shadows, watch)
        driver.run(function, late_of(rules) if n else None)
        fired += driver.fired
        if driver.untidy:
            for region in function.regions:
                drop_dead(region.blocks[0])
        if driver.fired or driver.declined:
            _merge(function, sorts, is_apart)
    return fired


def _merge(function: ir.Operation, sorts: bool, is_apart: Callable[[ir.Operation], bool] | None) -> None:
    """Merge what is equal, and drop what is dead: also what a rule made before it thought better of it."""
    merge_equal(function, is_apart)
    if sorts:
        sink_constants(function)
