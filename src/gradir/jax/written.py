"""Derivatives of single primitives that are written out here: nothing is traced or lowered for them.

They are JAX's own, where that of the op which JAX lowers a primitive to is another (`abs` at 0), or may be out of range
(of a negative power, as a quotient).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

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
    """A real function of one operand, with its derivative: a `RuleSource`."""

    name: str
    type: str
    """That of its operand and result, as text: contexts come and go."""
    value: Callable[[Expr], Expr]
    slope: Callable[[Expr, Expr], Expr]
    """Of a tangent, or a cotangent, and the operand."""

    modes = frozenset({"jvp", "vjp"})

    def __post_init__(self) -> None:
        self.id = RULE_SOURCES.add(self)

    @cached_property
    def body(self) -> Written:
        return self._written(1, lambda x: [self.value(x)])

    @cached_property
    def _jvp(self) -> Written:
        return self._written(2, lambda x, d: [_called(self, x), self.slope(d, x)])

    @cached_property
    def _vjp(self) -> tuple[Written, Written]:
        return self._written(1, lambda x: [_called(self, x), x]), self._written(2, lambda x, d: [self.slope(d, x)])

    def jvp(self, active: Mask) -> Written:
        return self._jvp

    def vjp(self, active: Mask, wanted: Mask) -> tuple[Written, Written]:
        return self._vjp

    def fingerprint(self) -> tuple[object, ...]:
        """What tells this rule from others."""
        return self.name, self.type

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
    return Elementwise("abs", t, E.absolute, lambda d, x: E.select(x >= 0, d, -d))


def negative_power(t: str, exponent: int) -> Elementwise:
    """1 / x ** n. Its derivative is n times the next such power, whose derivative is a matter of that power's rule."""
    further: list[Elementwise] = []

    def slope(d: Expr, x: Expr) -> Expr:
        if not further:
            further.append(negative_power(t, exponent - 1))
        return d * (_called(further[0], x) * exponent)

    return Elementwise(f"integer_pow_minus_{-exponent}", t, lambda x: 1 / _power(x, -exponent), slope)


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


def _called(rule: Elementwise, x: Expr) -> Expr:
    """A call of the function that has a rule, in a module that is being written: for the derivative to come."""
    block = ir.InsertionPoint.current.block
    module = block.owner.parent.opview
    with ir.InsertionPoint(module.body):
        made = declared(rule.name, rule.id, [x.type], [x.type])
    callee = {"callee": ir.FlatSymbolRefAttr.get(made.name.value)}
    return Expr(E.ops("func.call", [x], [x.type], callee).results[0])


def declared(name: str, rule: int, takes: Sequence[ir.Type], gives: Sequence[ir.Type]) -> func.FuncOp:
    """A private function whose body and derivatives a source of rules has."""
    made = func.FuncOp(name, ir.FunctionType.get(list(takes), list(gives)), visibility="private")
    unwritten(made)
    made.operation.attributes["gradir.rule"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rule)
    return made
