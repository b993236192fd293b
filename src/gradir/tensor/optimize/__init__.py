"""The optimiser: makes the primal small before, and the derivative small after.

Rules are small and named (`rule.py`), stand in families (one file each), and are tried by a driver (`driver.py`) that
looks again only at what has changed. Where two forms of a program compete, a cost model decides (`cost.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial

from jaxlib.mlir import ir

from gradir.errors import RequestError, nearest
from gradir.tensor.analysis.cost import CPU, GPU, Cost, Device, cost, total
from gradir.tensor.ir.dead import drop_unnamed
from gradir.tensor.ir.inline import callee_of, inline_small
from gradir.tensor.ir.module import functions, location_text, operations
from gradir.tensor.optimize import (
    algebra,
    batching,
    branches,
    carried,
    chains,
    choices,
    collectives,
    complexes,
    converts,
    convolutions,
    empty,
    fission,
    folding,
    indexing,
    joins,
    loops,
    pieces,
    products,
    raising,
    reductions,
    scattering,
    shapes,
    unrolling,
)  # fmt: skip
from gradir.tensor.optimize.driver import drive
from gradir.tensor.optimize.effects import KINKS, Effect, Numerics
from gradir.tensor.optimize.rule import FAMILIES, RULES, Rewrite
from gradir.tensor.optimize.switch import is_optimizing, numerics_now
from gradir.tensor.optimize.watch import Fired

__all__ = [
    "CPU", "FAMILIES", "GPU", "RULES", "Cost", "Device", "Effect", "Fired", "Numerics", "Rewrite", "chosen", "cost",
    "numerics_of", "optimize", "optimize_function", "optimizer", "total",
]  # fmt: skip

ROOMS = (
    empty, batching, folding, algebra, choices, complexes, converts, shapes, pieces, joins, reductions, products,
    chains, convolutions, indexing, scattering, loops, carried, raising, fission, branches, collectives,
    unrolling,
)  # fmt: skip
"""The files that hold the rules."""


@cache
def phases(
    names: tuple[str, ...] | None = None, numerics: Numerics = Numerics.DEFAULT, kinks: bool = True
) -> tuple[tuple[Rewrite, ...], ...]:
    """The rules of each phase: those that clean up and those that move up, then those that clean up and move down, and
    those that come last."""
    rules = [r for r in chosen(names, numerics) if kinks or KINKS not in r.effects]
    rules.sort(key=lambda r: r.family != "empty")  # others need not think of arrays without elements then
    up, down, last = (
        tuple(r for r in rules if r.phase in wanted) for wanted in (("clean", "up"), ("clean", "down"), ("last",))
    )
    return up, *([down] if any(r.phase == "down" for r in down) else []), *([last] if last else [])


def chosen(names: Sequence[str] | None = None, numerics: Numerics = Numerics.DEFAULT) -> list[Rewrite]:
    """The rules that names of families and rules stand for; all, if there are none.

    >>> [r.name for r in chosen(["neg_neg", "complex"])][:3]
    ['neg_neg', 'real_of_complex', 'imag_of_complex']
    """
    found: list[Rewrite] = []
    for name in names if names is not None else FAMILIES:
        some = [RULES[name]] if name in RULES else [r for r in RULES.values() if r.family == name]
        if not some:
            otherwise = f"the families are {', '.join(FAMILIES)}; see --list-rules"
            hint = nearest(name, [*RULES, *FAMILIES], otherwise)
            raise RequestError(f"there is no rule or family '{name}'", hint=hint)
        found += some
    return [r for r in found if numerics.allows(r.effects)]


def optimize(
    module: ir.Module,
    passes: Sequence[str] | None = None,
    *,
    numerics: Numerics = Numerics.DEFAULT,
    device: Device = CPU,
    log: list[Fired] | None = None,
) -> int:
    """Optimise every function of a module, in place, by all rules or those named; gives how many times rules fired.

    With all rules, small private functions are put where they are called. A function that has the attribute
    `gradir.numerics` is optimised by these.

    >>> from gradir.tensor.ir.module import parse
    >>> module = parse('''
    ... func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    ...   %0 = stablehlo.negate %x : tensor<4xf32>
    ...   %1 = stablehlo.negate %0 : tensor<4xf32>
    ...   return %1 : tensor<4xf32>
    ... }''')
    >>> optimize(module)
    1
    >>> print(module)
    module {
      func.func @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {
        return %arg0 : tensor<4xf32>
      }
    }
    """
    names = None if passes is None else tuple(passes)
    chosen(names)  # which refuses what it does not know
    fired = 0
    with module.context:
        if passes is None:
            _inline(module)
        for f in functions(module).values():
            if not f.is_external:
                level = numerics_of(f.operation, numerics)
                fired += drive(f.operation, phases(names, level), numerics=level, device=device, log=log)
    return fired


def numerics_of(function: ir.Operation, otherwise: Numerics) -> Numerics:
    """The numerics that a function's attribute `gradir.numerics` asks for."""
    if NUMERICS not in function.attributes:
        return otherwise
    level = function.attributes[NUMERICS]
    if not isinstance(level, ir.StringAttr):
        raise RequestError(
            f"{NUMERICS} = {level} is not a string",
            location=location_text(function.location),
            hint=f'write {NUMERICS} = "exact", "default" or "fast"',
        )
    return Numerics.of(level.value)


NUMERICS = "gradir.numerics"


def _inline(module: ir.Module) -> None:
    """Put small private functions where they are called: what goes on around a call matters to rules."""
    found = functions(module)
    called = {callee_of(op) for op in operations(module) if op.name == "func.call"}
    hidden = {
        name: f
        for name, f in found.items()
        if name in called and "sym_visibility" in f.attributes and not f.is_external
        if not any(a.startswith("gradir.") for a in f.operation.attributes)  # a rule, or numerics, of its own
    }
    if hidden:
        for f in found.values():
            if not f.is_external:
                inline_small(f, hidden.get)
        drop_unnamed(module, (f for name, f in found.items() if name not in hidden))


def optimizer(device: Device = CPU) -> Callable[..., int] | None:
    """What the transforms are handed to make functions cheaper on the way; None where that is switched off."""
    return partial(optimize_function, numerics=numerics_now(), device=device) if is_optimizing() else None


def optimize_function(
    function: ir.Operation,
    *,
    last: bool = True,
    numerics: Numerics = Numerics.DEFAULT,
    device: Device = CPU,
    settled: Collection[int] = (),
    shadows: Collection[int] = (),
) -> int:
    """Optimise one function in place, in such a way that it can still be differentiated: derivatives at kinks stay.

    If it is about to be (and so this is not the `last` word), things are not moved down. Ops that are
    `settled` (by their `key_of`) are looked at only if something around them changes. Results that are `shadows`
    (by their place) are derivatives: nobody asks for the sign of their zeros.
    """
    level = numerics_of(function, numerics)
    stages = phases(None, level, kinks=False)
    stages = stages if last else stages[:1]
    return drive(
        function, stages, numerics=level, device=device, settled=settled, ahead=not last, shadows=frozenset(shadows)
    )
