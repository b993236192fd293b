"""How a loop of known length is undone under a checkpointing policy: nests of loops whose lengths are all known.

A nest `(q, m)` keeps the state at the beginning of q segments; each is run again, keeping what its m rounds need,
before it is undone. Deeper nests keep fewer states and run rounds once more for each level: L levels hold about
L n^(1/L) states. (Binomial schedules need less time for the same memory, but loops of varying length, which a compiler
can't count; their place is where the length is not known anyway, see `rules/checkpoints`.)

What does not fill a nest comes before it, as a smaller nest, and is run again from the loop's own inputs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import lru_cache

from jaxlib.mlir import ir

from gradir.errors import NoRule, RequestError
from gradir.policy import AUTO, LEAST, MOST, Policy, checkpointing, policy_now
from gradir.tensor.ir.module import location_text

__all__ = [
    "CHECKPOINTING",
    "DEFAULT_SLOTS",
    "Nest",
    "Plan",
    "following",
    "own_policy",
    "plan",
    "policy_of",
    "settings",
    "slots",
]

CHECKPOINTING, SLOTS = "gradir.checkpointing", "gradir.checkpoints"
DEFAULT_SLOTS = 64
DEEPEST = 8
"""Levels that a budget can ask for: 8 of them, of 10 rounds each, reach over 100,000,000."""

DEEP = 5
"""Levels up to which k states are kept by a nest: beyond, a binomial schedule pays, though no compiler counts it."""

Nest = tuple[int, ...]


@dataclass(frozen=True)
class Plan:
    """How n rounds are undone."""

    nests: tuple[Nest, ...]
    """One after the other in the order of the rounds, each from its outermost level to its innermost."""
    begins_kept: bool = True
    """Whether the last nest keeps its first level on the way forwards; else it, too, is run again from its inputs."""
    cut: bool = True
    """Whether a round keeps what a minimum cut says, or all that its backward round asks for."""
    is_tight: bool = False
    """Whether there is no room for stacks but these, by which an optimiser would save time."""


# -- what was asked for ------------------------------------------------------------------------------------------------


def own_policy(op: ir.Operation) -> Policy | None:
    """What the attributes of a loop or a function say, those of the `enzyme` dialect among them."""
    attributes = op.attributes
    if CHECKPOINTING in attributes:
        return _read(op, attributes[CHECKPOINTING])
    if SLOTS in attributes:
        found = attributes[SLOTS]
        if isinstance(found, ir.IntegerAttr):
            return _read(op, found)
        raise _refusal(op, f"{SLOTS} is {found}", f"a number of states, {LEAST} to {MOST}")
    return _enzyme_policy(op)


def _read(op: ir.Operation, found: ir.Attribute) -> Policy:
    name = CHECKPOINTING if CHECKPOINTING in op.attributes else SLOTS
    value = found.value if isinstance(found, (ir.StringAttr, ir.IntegerAttr)) else str(found)
    try:
        return Policy.of(value)
    except RequestError as error:
        raise _refusal(op, f"{name} is {found}: {error.message}", error.hint) from None


def _refusal(op: ir.Operation, message: str, hint: str | None) -> NoRule:
    return NoRule(message, location=location_text(op.location), hint=hint)


def _enzyme_policy(op: ir.Operation) -> Policy | None:
    """`enzyme.checkpoint_period` is a number of segments, in spite of its name."""
    attributes = op.attributes
    on = attributes.get("enzyme.enable_checkpointing")
    if isinstance(on, ir.BoolAttr) and not on.value:
        return AUTO
    binomial = "enzyme.binomial_checkpointing" in attributes
    if "enzyme.checkpoint_period" in attributes:
        found = attributes["enzyme.checkpoint_period"]
        if not isinstance(found, ir.IntegerAttr) or not 1 <= found.value <= MOST:
            raise _refusal(op, f"enzyme.checkpoint_period is {found}", f"a number of segments, 1 to {MOST}")
        return Policy("revolve" if binomial else "periodic", max(found.value, LEAST))
    if binomial:
        return Policy("revolve", DEFAULT_SLOTS)
    return None if on is None else Policy("sqrt")


def settings(loop: ir.Operation) -> dict[str, ir.Attribute]:
    """What a loop says of its derivative, for loops that are made of it."""
    return {name: value for name, value in loop.attributes.items() if name.startswith(("gradir.", "enzyme."))}


def policy_of(loop: ir.Operation) -> Policy:
    """A loop's own policy, or that of the function or the program that is being derived."""
    own = own_policy(loop)
    if own is not None:
        return own
    around: ir.Operation | None = loop
    while around is not None:
        if "enzyme.disable_mincut" in around.attributes:
            return Policy("none")
        around = around.parent.operation if around.parent is not None else None
    now = policy_now()
    return Policy("budget", _share(loop, now.amount)) if now.kind == "budget" else now


def _share(loop: ir.Operation, budget: int) -> int:
    """A loop's part of a budget for all: loops of one block share it, and one that holds others leaves them half."""
    for around in reversed(list(_enclosing_loops(loop))):
        budget = _share_in_block(around, budget) // 2
    holds_loops = any(_loops(block) for region in loop.regions for block in region.blocks)
    return _share_in_block(loop, budget) // (2 if holds_loops else 1)


def _share_in_block(loop: ir.Operation, budget: int) -> int:
    return budget // max(1, sum(op.operation.name == "stablehlo.while" for op in loop.block.operations))


def _enclosing_loops(op: ir.Operation) -> Iterator[ir.Operation]:
    while op.parent is not None:
        op = op.parent.operation
        if op.name == "stablehlo.while":
            yield op


def _loops(block: ir.Block) -> bool:
    return any(
        view.operation.name == "stablehlo.while" or any(_loops(b) for r in view.operation.regions for b in r.blocks)
        for view in block.operations
    )


@contextmanager
def following(function: ir.Operation) -> Iterator[None]:
    """Within, the policy of a function holds, if it has one of its own: for its loops, and for what it calls."""
    own = own_policy(function)
    with nullcontext() if own is None else checkpointing(own):
        yield


# -- plans -------------------------------------------------------------------------------------------------------------


def slots(policy: Policy, state: int) -> int:
    """The states that a loop of unknown length keeps, of so many bytes each."""
    if policy.kind in ("revolve", "periodic"):
        return policy.amount
    if policy.kind == "budget":
        return min(max(policy.amount // max(state, 1) - 1, LEAST), MOST)
    return DEFAULT_SLOTS


def plan(policy: Policy, rounds: int, state: int = 1, kept: int = 1) -> Plan | None:
    """How to undo so many rounds, where a state has `state` bytes and a round keeps `kept`.

    None if so few states can be kept that no nest will do.

    >>> [plan(Policy.of(p), n).nests for p, n in (("sqrt", 10_000), ("sqrt", 17), ("revolve:64", 100_000))]
    [((100, 100),), ((2,), (5, 3)), ((40,), (34, 30, 98))]
    """
    match policy.kind:
        case "none":
            return Plan(((rounds,),), cut=False)
        case "full":
            return Plan(_nests(rounds, 2), begins_kept=False)
        case "sqrt":
            return Plan(_nests(rounds, 2))
        case "periodic" if rounds > policy.amount:
            length = rounds // policy.amount
            rest = rounds - length * policy.amount
            return Plan((*(((rest,),) if rest else ()), (policy.amount, length)))
        case "revolve":
            depth = _depth(rounds, policy.amount)
            nests = _nests(rounds, depth, 1.0, policy.amount) if depth <= DEEPEST else ()
            return Plan(nests) if nests else None
        case "budget":
            depth = _affordable(policy.amount, rounds, max(state, 1), max(kept, 1))
            if depth > DEEPEST:
                return None
            return Plan(_nests(rounds, depth, max(kept, 1) / max(state, 1)), is_tight=depth > 1)
    return Plan(((rounds,),))


def _depth(rounds: int, most: int) -> int:
    """How many levels it takes, of which all but the innermost keep `most` states together, and that twice the rounds.

    (With rounds for states alone it would often be a level more, and so a run of the loop.)
    """
    depths = (depth for depth in range(2, most + 2) if 2 * most * (most // (depth - 1)) ** (depth - 1) >= rounds)
    return 1 if rounds <= most else next(depths, MOST)


def _affordable(budget: int, rounds: int, state: int, kept: int) -> int:
    """The fewest levels that a budget is enough for, or those that take least."""
    taken = [depth * (rounds * state ** (depth - 1) * kept) ** (1 / depth) for depth in range(1, DEEPEST + 2)]
    return next((k for k, bytes_ in enumerate(taken, 1) if bytes_ <= budget), 1 + taken.index(min(taken)))


@lru_cache(maxsize=4096)
def _nests(rounds: int, depth: int, ratio: float = 1.0, most: int | None = None) -> tuple[Nest, ...]:
    """A nest of so many levels, after what it leaves over, with as few bytes as there can be.

    A round of the innermost level takes `ratio` times the bytes of a state; the others keep `most` states together.
    """
    if depth == 1 or rounds <= 3:
        return ((rounds,),)
    if depth > DEEPEST:
        return ()
    share = (rounds * ratio) ** (1 / depth)
    if most is not None:
        share = min(share, most / (depth - 1))
    best: tuple[float, tuple[Nest, ...]] | None = None
    lasts = _near(rounds / share ** (depth - 1), depth)
    for *middle, last in itertools.product(*[_near(share, depth)] * (depth - 2), lasts):
        number, rest = divmod(rounds, last * math.prod(middle))
        if number < 2 or rest > last**2 or (most is not None and (number + sum(middle) > most or rest > most * last)):
            continue
        # (What is left over is one or two more copies of the body to compile.)
        taken = (number + sum(middle) + ratio * last) * (1.0 if rest == 0 else 1.1 if rest <= last else 1.3)
        if best is None or taken < best[0]:
            first = () if rest == 0 else _nests(rest, 1 if rest <= last else 2, 1.0, None if rest <= last else most)
            best = taken, (*first, (number, *middle, last))
    if best is not None:
        return best[1]
    return _nests(rounds, depth + (1 if most is not None else -1), ratio, most)


def _near(ideal: float, depth: int) -> Sequence[int]:
    """Lengths to try for a level, fewer where there are more levels."""
    low, high = max(int(0.7 * ideal), 1), int(1.4 * ideal) + 2
    tried = {2: 400, 3: 40, 4: 14}.get(depth, 6)
    return range(low, high, max(1, (high - low) // tried))
