"""Derivatives of single functions of JAX's that are written out here: nothing is traced or lowered for them.

They are JAX's own, where that of the op which JAX lowers a primitive to is another (`abs` at 0), or may be out of range
(of a negative power, as a quotient), and those of functions with rules that many programs call.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.tensor.analysis.activity import Mask
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.context import context
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.custom import RULE_SOURCES, unwritten


@dataclass(frozen=True)
class Written:
    """A module with the entry `main`."""

    module: ir.Module


@dataclass(eq=False)
class Elementwise:
    """A function of real operands of one type, with its derivatives: a `RuleSource`."""

    name: str
    type: str
    """That of its operands and of its result, as text: contexts come and go."""
    value: Callable[..., Expr]
    slopes: tuple[Callable[..., Expr], ...]
    """By each operand: of a tangent or a cotangent, the result, and the operands."""

    modes = frozenset({"jvp", "vjp"})

    def __post_init__(self) -> None:
        self.id = RULE_SOURCES.add(self)
        self._made: dict[tuple[str, Mask], tuple[Written, ...]] = {}

    @cached_property
    def body(self) -> Written:
        return self._written(len(self.slopes), lambda *xs: [self.value(*xs)])

    def jvp(self, active: Mask) -> Written:
        n = len(self.slopes)

        def pushed(*given: Expr) -> list[Expr]:
            xs, y = given[:n], _called(self, *given[:n])
            moved = [f(d, y, *xs) for f, d, on in zip(self.slopes, given[n:], active, strict=True) if on]
            return [y, reduce(Expr.__add__, moved) if moved else E.zeros_like(y)]

        return self._once("jvp", active, lambda: (self._written(2 * n, pushed),))[0]

    def vjp(self, active: Mask, wanted: Mask) -> tuple[Written, Written]:
        n = len(self.slopes)

        def augmented(*xs: Expr) -> list[Expr]:
            y = _called(self, *xs)
            return [y, y, *xs]

        def backward(y: Expr, *given: Expr) -> list[Expr]:
            xs, d = given[:n], given[n]
            return [f(d, y, *xs) if on else E.zeros_like(d) for f, on in zip(self.slopes, active, strict=True)]

        made = self._once("vjp", active, lambda: (self._written(n, augmented), self._written(n + 2, backward)))
        return made[0], made[1]

    def fingerprint(self) -> tuple[object, ...]:
        """What tells this rule from others."""
        return self.name, self.type

    def _once(self, mode: str, active: Mask, make: Callable[[], tuple[Written, ...]]) -> tuple[Written, ...]:
        if (mode, active) not in self._made:
            self._made[mode, active] = make()
        return self._made[mode, active]

    def _written(self, takes: int, body: Callable[..., Sequence[Expr]]) -> Written:
        with context(), ir.Location.unknown():
            module = ir.Module.create()
            t = ir.Type.parse(self.type)
            with ir.InsertionPoint(module.body):
                main = func.FuncOp("main", ir.FunctionType.get([t] * takes, []))
            with ir.InsertionPoint(main.add_entry_block()):
                results = body(*E.exprs(main.entry_block.arguments))
                func.ReturnOp([r.value for r in results])
            made = ir.FunctionType.get([t] * takes, [r.value.type for r in results])
            main.operation.attributes["function_type"] = ir.TypeAttr.get(made)
            return Written(module)


def absolute(t: str) -> Elementwise:
    """The absolute value, whose derivative at 0 is 1."""
    return Elementwise("abs", t, E.absolute, (lambda d, y, x: E.select(x >= 0, d, -d),))


def negative_power(t: str, exponent: int) -> Elementwise:
    """1 / x ** n. Its derivative is n times the next such power, whose derivative is a matter of that power's rule."""
    further: list[Elementwise] = []

    def slope(d: Expr, y: Expr, x: Expr) -> Expr:
        if not further:
            further.append(negative_power(t, exponent - 1))
        return d * (_called(further[0], x) * exponent)

    return Elementwise(f"integer_pow_minus_{-exponent}", t, lambda x: 1 / _power(x, -exponent), (slope,))


def logaddexp(t: str) -> Elementwise:
    """`log(exp(a) + exp(b))`, of which `softplus` is one."""

    def value(a: Expr, b: Expr) -> Expr:
        away = a - b
        return E.select(away.ne(away), a + b, E.maximum(a, b) + E.log1p(E.exp(-E.absolute(away))))

    def share(x: Expr, y: Expr) -> Expr:
        x, y = (E.select(v.eq(math.inf), 0, v) for v in (x, y))
        return E.exp(x - y)

    return Elementwise(
        "logaddexp", t, value, (lambda d, y, a, b: d * share(a, y), lambda d, y, a, b: d * share(b, y))
    )


def _power(x: Expr, exponent: int) -> Expr:
    """By squaring, as JAX does it."""
    found = None
    while exponent:
        if exponent & 1:
            found = x if found is None else found * x
        exponent >>= 1
        x = x * x if exponent else x
    assert found is not None
    return found


def _called(rule: Elementwise, *xs: Expr) -> Expr:
    """A call of the function that has a rule, in a module that is being written: for the derivative to come."""
    block = ir.InsertionPoint.current.block
    module = block.owner.parent.opview
    types = [x.type for x in xs]
    with ir.InsertionPoint(module.body):
        made = declared(rule.name, rule.id, types, types[:1])
    callee = {"callee": ir.FlatSymbolRefAttr.get(made.name.value)}
    return Expr(E.ops("func.call", xs, types[:1], callee).results[0])


def declared(name: str, rule: int, takes: Sequence[ir.Type], gives: Sequence[ir.Type]) -> func.FuncOp:
    """A private function whose body and derivatives a source of rules has."""
    made = func.FuncOp(name, ir.FunctionType.get(list(takes), list(gives)), visibility="private")
    unwritten(made)
    made.operation.attributes["gradir.rule"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rule)
    return made
