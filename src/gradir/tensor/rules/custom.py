"""Functions that come with a derivative of their own.

In MLIR, attributes of the function name the functions that compute it:

- `gradir.jvp = @rule`: `(args…, tangents…) -> (results…, tangents…)`;
- `gradir.vjp = [@forward, @backward]`: `(args…) -> (results…, residuals…)` and
  `(residuals…, cotangents…) -> (cotangents…)`;
- `gradir.vjp = @rule`: `(args…, cotangents…) -> (cotangents…)`;
- `gradir.implicit = @residual` and `gradir.fixed_point = @map`: what its results solve (see `implicit.py`);
- `gradir.inactive`: the derivative is zero; `gradir.remat`: the backward sweep keeps nothing and runs it again.

There is a tangent or cotangent for every argument or result of a float type. With a jvp alone, reverse mode transposes
it. A front end may name a *source* instead (`gradir.rule = 7 : i64`), which makes the functions when they are needed.
With `gradir.unwritten`, the function's own body is to be had from there, too, and what stands in its place is nothing.
Batched, a function keeps its rule: `gradir.batched = [@function, 3]` says that it is another one over three examples.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol
from weakref import WeakValueDictionary

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import NoRule, RequestError
from gradir.tensor.analysis.activity import Mask
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.regions import copy_op
from gradir.tensor.rules.control import or_zero
from gradir.tensor.rules.implicit import Equation
from gradir.tensor.rules.interface import Derivations, Forward, Pullback, Reverse, Shadow
from gradir.tensor.rules.rule import zero_of


class Functions(Protocol):
    """A module with an entry `main`, to be taken into another."""

    @property
    def module(self) -> ir.Module: ...


class RuleSource(Protocol):
    """A front end's derivative of a function, made when asked for. `modes` says which of `jvp` and `vjp` it has.

    The mask says which arguments of a float type really carry a derivative. The others' tangents are zero and their
    cotangents are not looked at, so a source may do without them. `wanted` says the same of the results' cotangents.
    """

    modes: frozenset[str]

    @property
    def body(self) -> Functions:
        """The function itself."""

    def jvp(self, active: Mask) -> Functions: ...
    def vjp(self, active: Mask, wanted: Mask) -> tuple[Functions, Functions]: ...


class RuleSources:
    """The sources that functions name by number (`gradir.rule = 7 : i64`). Who keeps the module keeps them alive."""

    def __init__(self) -> None:
        self._sources: WeakValueDictionary[int, RuleSource] = WeakValueDictionary()
        self._numbers = itertools.count()

    def add(self, source: RuleSource) -> int:
        number = next(self._numbers)
        self._sources[number] = source
        return number

    def __getitem__(self, number: int) -> RuleSource:
        return self._sources[number]


RULE_SOURCES = RuleSources()


@dataclass
class CustomRule:
    """The derivative that a user gave a function: how it is called in each mode."""

    name: str
    jvp: Callable[[Mask], str] | None
    vjp: Callable[[Mask, Mask], tuple[str, ...]] | None

    def forward(self, t: Forward, op: ir.Operation) -> None:
        if self.jvp is None and not any(r in t.useful for r in op.results):
            copy_op(op, t.env)
            return
        if self.jvp is None:
            raise NoRule(
                f"@{self.name} has a rule for reverse mode only",
                location=location_text(op.location),
                hint=f"give @{self.name} a rule for forward mode (gradir.jvp), or differentiate it in reverse mode",
            )
        tangents = [t.tangents.get(v) for v in differentiable(op.operands)]
        shadows = [or_zero(s, v.type) for s, v in zip(tangents, differentiable(op.operands), strict=True)]
        symbol = self.jvp(tuple(s is not None for s in tangents))
        outs = t.deriver.call(symbol, [*(t.lookup(v) for v in op.operands), *shadows])
        rest = iter(outs[len(op.results) :])
        for result, primal in zip(op.results, outs, strict=False):
            t.bind(result, primal, next(rest) if E.is_differentiable(result.type) else None)

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        if self.vjp is None:
            return self._transposed(t, op)
        operands, results = list(op.operands), list(op.results)
        rule = self.vjp(t.active.mask(differentiable(operands)), t.active.mask(differentiable(results)))
        ins = kept = [t.primal(v) for v in operands]
        if len(rule) == 2:
            outs = t.deriver.call(rule[0], ins)
            kept = outs[len(results) :]
            for result, value in zip(results, outs, strict=False):
                t.env[result] = value.value
        else:
            copy_op(op, t.env)

        def pullback(cotangents: Sequence[Shadow]) -> None:
            given = [
                or_zero(ct, v.type) for ct, v in zip(cotangents, results, strict=True) if E.is_differentiable(v.type)
            ]
            gradients = t.deriver.call(rule[-1], [*(t.residual(x.value) for x in kept), *given])
            for v, ct in zip(differentiable(operands), gradients, strict=True):
                t.add(v, ct)

        return pullback

    def _transposed(self, t: Reverse, op: ir.Operation) -> Pullback:
        """A jvp is linear in its tangents: reverse mode over them, at any point, is its transpose.

        So what it does to tangents is taken as it is, whatever derivative rules there are for it: a rule may well call
        its own function on a tangent.
        """
        assert self.jvp is not None
        operands, results = list(op.operands), list(op.results)
        shadows, tangents = differentiable(operands), differentiable(results)
        args = (False,) * len(operands) + tuple(v in t.active for v in shadows)
        rets = (False,) * len(results) + tuple(v in t.active for v in tangents)
        split = t.deriver.split_of(self.jvp(t.active.mask(shadows)), args, rets, t.strong_zero, linear=True)
        ins = [*(t.primal(v) for v in operands), *(zero_of(v.type) for v in shadows)]
        outs = t.deriver.call(split.augmented, ins)
        for result, value in zip(results, outs, strict=False):
            t.env[result] = value.value

        def pullback(cotangents: Sequence[Shadow]) -> None:
            given = [or_zero(ct, v.type) for ct, v in zip(cotangents, results, strict=True) if v in t.active]
            kept = [t.residual((ins if kind == "arg" else outs)[i].value) for kind, i in split.residuals]
            gradients = iter(t.deriver.call(split.backward, [*given, *kept]))
            for v in shadows:
                if v in t.active:
                    t.add(v, next(gradients))

        return pullback


# -- reading -----------------------------------------------------------------------------------------------------------


def read_rule(deriver: Derivations, function: func.FuncOp) -> CustomRule | None:
    """The rule that a function's attributes name, checked against the function's type."""
    attributes, name = function.operation.attributes, function.name.value
    if "gradir.rule" in attributes:
        return _from_source(deriver, name, _source(function))
    if "gradir.batched" in attributes:
        return _batched(deriver, name, *ir.ArrayAttr(attributes["gradir.batched"]))
    equation = Equation.of(deriver, function)
    if equation is not None:
        tangents, sweeps = functools.cache(equation.jvp), functools.cache(equation.vjp)
        return CustomRule(name, lambda _: tangents(), lambda *_: sweeps())
    jvp = _symbols(function, "gradir.jvp")
    vjp = _symbols(function, "gradir.vjp")
    if not jvp and not vjp:
        return None
    for symbol in (*jvp, *vjp):
        if symbol not in deriver.functions:
            raise RequestError(
                f"there is no function @{symbol}, which should be a rule of @{name}",
                location=location_text(function.location),
            )
    for symbol, takes, gives in _wanted_types(function, jvp, vjp):
        _check(deriver.functions[symbol], function, takes, gives)
    if len(vjp) == 2:
        _check_residuals(function, *(deriver.functions[s] for s in vjp))
    return CustomRule(name, (lambda _: jvp[0]) if jvp else None, (lambda *_: vjp) if vjp else None)


UNWRITTEN = "gradir.unwritten"
"""Of a function whose body its source of rules has."""


def unwritten(function: func.FuncOp) -> None:
    """Let something stand in a function until its body is asked for. (Passes of Shardy's know no function without.)"""
    with ir.InsertionPoint(function.add_entry_block()):
        nothing = ir.Operation.create(UNWRITTEN, results=list(function.type.results))
        func.ReturnOp(list(nothing.results))
    function.operation.attributes[UNWRITTEN] = ir.UnitAttr.get()


def body_of(function: func.FuncOp) -> Functions:
    """The body of a function that is unwritten."""
    return _source(function).body


def _source(function: func.FuncOp) -> RuleSource:
    try:
        return RULE_SOURCES[ir.IntegerAttr(function.attributes["gradir.rule"]).value]
    except KeyError:
        raise NoRule(
            f"the rule of @{function.name.value} belongs to a program of a front end that is not here any more",
            location=location_text(function.location),
            hint="differentiate the program first, and save the derivative",
        ) from None


def _from_source(deriver: Derivations, name: str, source: RuleSource) -> CustomRule:
    made: dict[int, str] = {}

    def taken(functions: Functions, mode: str) -> str:
        if id(functions) not in made:
            made[id(functions)] = deriver.take_in(functions.module, f"{name}.{mode}")
        return made[id(functions)]

    def jvp(active: Mask) -> str:
        return taken(source.jvp(active), "jvp")

    def vjp(active: Mask, wanted: Mask) -> tuple[str, ...]:
        return tuple(taken(f, "vjp") for f in source.vjp(active, wanted))

    return CustomRule(name, jvp if "jvp" in source.modes else None, vjp if "vjp" in source.modes else None)


def _batched(deriver: Derivations, name: str, function: ir.Attribute, size: ir.Attribute) -> CustomRule:
    """The rule of a function over n examples: that of the function, over n examples."""
    rule = deriver.custom_rule(ir.FlatSymbolRefAttr(function).value)
    assert rule is not None
    jvp, vjp, shape = rule.jvp, rule.vjp, [ir.IntegerAttr(size).value]
    return CustomRule(
        name,
        None if jvp is None else lambda active: deriver.batch(jvp(active), shape),
        None if vjp is None else lambda *masks: tuple(deriver.batch(symbol, shape) for symbol in vjp(*masks)),
    )


def _symbols(function: func.FuncOp, attribute: str) -> tuple[str, ...]:
    attributes = function.operation.attributes
    if attribute not in attributes:
        return ()
    given = attributes[attribute]
    symbols = list(given) if isinstance(given, ir.ArrayAttr) else [given]
    limit = 2 if attribute == "gradir.vjp" else 1
    if not 1 <= len(symbols) <= limit or not all(isinstance(s, ir.FlatSymbolRefAttr) for s in symbols):
        wanted = "one or two functions" if limit == 2 else "a function"
        raise RequestError(
            f"@{function.name.value}: {attribute} = {given} does not name {wanted}",
            location=location_text(function.location),
            hint="write gradir.jvp = @rule, gradir.vjp = @rule or gradir.vjp = [@forward, @backward]",
        )
    return tuple(ir.FlatSymbolRefAttr(s).value for s in symbols)


Types = Sequence[ir.Type]


def _wanted_types(
    function: func.FuncOp, jvp: tuple[str, ...], vjp: tuple[str, ...]
) -> list[tuple[str, Types | None, Types | None]]:
    """The argument and result types that each rule function must have, where the function alone says so."""
    args, results = list(function.type.inputs), list(function.type.results)
    shadows_in = [t for t in args if E.is_differentiable(t)]
    shadows_out = [t for t in results if E.is_differentiable(t)]
    wanted: list[tuple[str, Types | None, Types | None]] = []
    if jvp:
        wanted.append((jvp[0], [*args, *shadows_in], [*results, *shadows_out]))
    if len(vjp) == 1:
        wanted.append((vjp[0], [*args, *shadows_out], shadows_in))
    if len(vjp) == 2:
        wanted += [(vjp[0], args, None), (vjp[1], None, shadows_in)]
    return wanted


def _check(rule: func.FuncOp, function: func.FuncOp, args: Types | None, results: Types | None) -> None:
    for what, has, wants in (("takes", rule.type.inputs, args), ("gives", rule.type.results, results)):
        if wants is not None and list(has) != list(wants):
            raise RequestError(
                f"@{rule.name.value} can't be a rule of @{function.name.value}: it {what} ({_list(has)})",
                location=location_text(rule.location),
                hint=f"it should {'take' if what == 'takes' else 'give'} ({_list(wants)})",
            )


def _check_residuals(function: func.FuncOp, forward: func.FuncOp, backward: func.FuncOp) -> None:
    """The forward rule gives the results and then residuals; the backward rule takes those and then the cotangents."""
    results = list(function.type.results)
    shadows = [t for t in results if E.is_differentiable(t)]
    gives = list(forward.type.results)
    _check(forward, function, None, [*results, *gives[len(results) :]])
    _check(backward, function, [*gives[len(results) :], *shadows], None)


def _list(types: Types) -> str:
    return ", ".join(map(str, types))


def differentiable(values: Sequence[ir.Value]) -> list[ir.Value]:
    return [v for v in values if E.is_differentiable(v.type)]
