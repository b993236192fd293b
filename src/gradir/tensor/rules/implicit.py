"""Functions that solve an equation, differentiated by the implicit function theorem and not through their iterations.

- `gradir.implicit = @residual` says that the results of a function `(args…) -> x…` make `residual(x…, args…)` zero: one
  residual for each result of a float type, of its type;
- `gradir.fixed_point = @map` says that they are what `map(x…, args…)` makes of them.

With A the derivative of the residual by x and B that by the arguments,

    A dx = -B da,      Aᵀ l = ct  and  -Bᵀ l  in reverse.

However the function finds x, and however long it takes, its derivative is one linear equation. Its solution is again a
function that solves an equation, `A v - b = 0`, and so has derivatives of every order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import RequestError
from gradir.request import Activity, Mode, Request
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.inline import inline_every
from gradir.tensor.ir.module import location_text, operations
from gradir.tensor.rules.control import is_open
from gradir.tensor.rules.interface import Derivations
from gradir.tensor.rules.solvers import eliminated, iterated, roundings

__all__ = ["FIXED_POINT", "IMPLICIT", "Equation"]

IMPLICIT, FIXED_POINT = "gradir.implicit", "gradir.fixed_point"
DIRECT = 128
"""So many unknowns or fewer are found by elimination: the matrix has 16,384 numbers then, and the loop 128 rounds."""


@dataclass(frozen=True)
class Equation:
    """A function, and the residual that its results make zero."""

    deriver: Derivations
    function: func.FuncOp
    residual: str

    @classmethod
    def of(cls, deriver: Derivations, function: func.FuncOp) -> Equation | None:
        attributes, name = function.operation.attributes, function.name.value
        named = [key for key in (IMPLICIT, FIXED_POINT) if key in attributes]
        if not named:
            return None
        given = attributes[named[0]]
        where = location_text(function.location)
        if len(named) > 1 or not isinstance(given, ir.FlatSymbolRefAttr):
            raise RequestError(
                f"@{name}: {' and '.join(f'{key} = {attributes[key]}' for key in named)} does not name one function",
                location=where,
                hint=f"write {IMPLICIT} = @residual or {FIXED_POINT} = @map",
            )
        if given.value not in deriver.functions:
            raise RequestError(f"there is no function @{given.value}, the {named[0]} of @{name}", location=where)
        symbol, found = given.value, deriver.functions[given.value]
        results = list(function.type.results)
        takes = [*results, *function.type.inputs]
        unknowns = [t for t in results if E.is_differentiable(t)]
        for what, has, wants in (("takes", found.type.inputs, takes), ("gives", found.type.results, unknowns)):
            if list(has) != wants:
                raise RequestError(
                    f"@{symbol} can't be the {named[0]} of @{name}: it {what} ({', '.join(map(str, has))})",
                    location=location_text(found.location),
                    hint=f"it should {what[:-1]} ({', '.join(map(str, wants))})",
                )
        dtypes = {t.element_type for t in unknowns}
        if len(dtypes) > 1 or any(E.is_complex(t) for t in dtypes) or any(not t.has_static_shape for t in unknowns):
            raise RequestError(
                f"@{name} has {', '.join(map(str, unknowns))} for unknowns",
                location=where,
                hint="they should be real, of one element type and of static shapes",
            )
        return cls(deriver, function, _residual(deriver, function, symbol, named[0] == FIXED_POINT))

    # -- the function's parts ------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        return self.function.name.value

    @property
    def _results(self) -> list[ir.Type]:
        return list(self.function.type.results)

    @property
    def _types(self) -> list[ir.Type]:
        """Those of the residual's arguments: the function's results, then its arguments."""
        return [*self._results, *self.function.type.inputs]

    @property
    def _unknowns(self) -> list[int]:
        """The residual's arguments by which A is its derivative."""
        return [i for i, t in enumerate(self._results) if E.is_differentiable(t)]

    @property
    def _given(self) -> list[int]:
        """Those by which B is."""
        n = len(self._results)
        return [i for i, t in enumerate(self._types) if i >= n and E.is_differentiable(t)]

    # -- its derivatives, as `CustomRule` calls them -------------------------------------------------------------------

    def jvp(self) -> str:
        """`(args…, tangents…) -> (results…, tangents…)`"""
        n = len(self.function.type.inputs)
        types = [*self.function.type.inputs, *(self._types[i] for i in self._given)]

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            args, tangents = arguments[:n], arguments[n:]
            results = self.deriver.call(self.name, args)
            at = [*results, *args]
            known = [-b for b in self._forward(at, self._given, tangents)]
            return [*results, *self.deriver.call(self._linear(transposed=False), [*known, *at])]

        return self._define("jvp", types, body)

    def vjp(self) -> tuple[str, str]:
        """`(args…) -> (results…, results…, args…)` and `(results…, args…, cotangents…) -> (cotangents…)`"""

        def augmented(args: Sequence[Expr]) -> list[Expr]:
            results = self.deriver.call(self.name, args)
            return [*results, *results, *args]

        def backward(arguments: Sequence[Expr]) -> list[Expr]:
            n = len(self._types)
            at, cotangents = list(arguments[:n]), arguments[n:]
            factors = self.deriver.call(self._linear(transposed=True), [*cotangents, *at])
            return [-g for g in self._reverse(at, self._given, factors)]

        shadows = [self._types[i] for i in self._unknowns]
        return (
            self._define("augmented", self.function.type.inputs, augmented),
            self._define("backward", [*self._types, *shadows], backward),
        )

    def _forward(self, at: Sequence[Expr], by: Sequence[int], tangents: Sequence[Expr], width: int = 1) -> list[Expr]:
        """The residual's tangents, for these of some of its arguments."""
        activity = tuple(Activity.dup if i in by else Activity.const for i in range(len(at)))
        rets = (Activity.dupnoneed,) * len(self._unknowns)
        symbol = self.deriver.derive(Request(self.residual, Mode.forward, activity, rets, width))
        shadows = iter(tangents)
        operands = [v for i, x in enumerate(at) for v in ([x, next(shadows)] if i in by else [x])]
        return self.deriver.call(symbol, operands)

    def _reverse(self, at: Sequence[Expr], by: Sequence[int], cotangents: Sequence[Expr]) -> list[Expr]:
        """The cotangents of some of the residual's arguments, for these of its results."""
        activity = tuple(Activity.active if i in by else Activity.const for i in range(len(at)))
        rets = (Activity.activenoneed,) * len(self._unknowns)
        symbol = self.deriver.derive(Request(self.residual, Mode.reverse, activity, rets))
        return self.deriver.call(symbol, [*at, *cotangents])

    def _product(self, at: Sequence[Expr], v: Sequence[Expr], transposed: bool) -> list[Expr]:
        """`A v` or `Aᵀ v`."""
        return (self._reverse if transposed else self._forward)(at, self._unknowns, v)

    # -- the linear equation -------------------------------------------------------------------------------------------

    def _linear(self, transposed: bool) -> str:
        """`(b…, results…, args…) -> v…` with `A v = b` or `Aᵀ v = b`, which is defined by that equation as well."""
        n = len(self._unknowns)
        shadows = [self._types[i] for i in self._unknowns]

        def equation(arguments: Sequence[Expr]) -> list[Expr]:
            v, b, at = arguments[:n], arguments[n : 2 * n], arguments[2 * n :]
            return [p - q for p, q in zip(self._product(at, v, transposed), b, strict=True)]

        def solution(arguments: Sequence[Expr]) -> list[Expr]:
            b, at = _flat(arguments[:n]), arguments[n:]
            if b.shape[0] == 0:
                return list(arguments[:n])
            if b.shape[0] <= DIRECT:
                matrix = self._matrix(at)
                flat = eliminated(*(_widened(x) for x in (matrix if transposed else E.transpose(matrix, [1, 0]), b)))
            else:

                def product(by_rows: bool) -> Callable[[Expr], Expr]:
                    split = lambda v: list(_split(E.convert(v, b.dtype), shadows))  # noqa: E731
                    return lambda v: _widened(_flat(self._product(at, split(v), by_rows)))

                flat = iterated(product(transposed), product(not transposed), _widened(b), roundings(b.dtype))
            return list(_split(E.convert(flat, b.dtype), shadows))

        symbol = self._define("transposed" if transposed else "linear", [*shadows, *self._types], solution)
        residual = self._define("equation", [*shadows, *shadows, *self._types], equation)
        made = self.deriver.functions[symbol]
        made.operation.attributes[IMPLICIT] = ir.FlatSymbolRefAttr.get(residual)
        return symbol

    def _matrix(self, at: Sequence[Expr]) -> Expr:
        """`Aᵀ`, a row for each unknown."""
        n = sum(E.size(self._types[i].shape) for i in self._unknowns)
        element = self._types[self._unknowns[0]].element_type
        i32 = ir.IntegerType.get_signless(32)
        units = E.convert(E.iota([n, n], 0, i32).eq(E.iota([n, n], 1, i32)), element)
        tangents, start = [], 0
        for i in self._unknowns:
            shape = self._types[i].shape
            part = E.slice_in_dim(units, start, start + E.size(shape), 1)
            tangents.append(E.reshape(part, [n, *shape] if n > 1 else shape))
            start += E.size(shape)
        moved = self._forward(at, self._unknowns, tangents, width=n)
        return E.concatenate([E.reshape(x, [n, E.size(x.shape) // n]) for x in moved], 1)

    def _define(self, name: str, types: Sequence[ir.Type], body: Callable[[Sequence[Expr]], Sequence[Expr]]) -> str:
        return self.deriver.define(f"{self.name}.{name}", list(types), body, self.function.location)


def _residual(deriver: Derivations, function: func.FuncOp, symbol: str, is_map: bool) -> str:
    """The named function, or `map(x…, args…) - x…`, with products in full precision.

    (Where hardware rounds the factors of a product, as GPUs do unless they are asked not to, no iteration comes nearer
    to a solution than those roundings.)
    """
    types = [*function.type.results, *function.type.inputs]

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        outs = deriver.call(symbol, arguments)
        unknowns = [x for x in arguments[: len(function.type.results)] if E.is_differentiable(x.type)]
        return [y - x for y, x in zip(outs, unknowns, strict=True)] if is_map else outs

    made = deriver.define(f"{function.name.value}.residual", types, body, function.location)
    inline_every(deriver.functions[made], lambda name: deriver.function(name) if is_open(deriver, name) else None)
    for op in operations(deriver.functions[made]):
        if op.name in ("stablehlo.dot_general", "stablehlo.convolution"):
            op.attributes["precision_config"] = ir.ArrayAttr.get([hlo.PrecisionAttr.get("HIGHEST")] * 2)
    return made


def _flat(xs: Sequence[Expr]) -> Expr:
    return E.concatenate([E.reshape(x, [E.size(x.shape)]) for x in xs], 0)


def _split(x: Expr, types: Sequence[ir.Type]) -> Iterator[Expr]:
    start = 0
    for t in types:
        n = E.size(t.shape)
        yield E.reshape(E.slice_in_dim(x, start, start + n, 0), t.shape)
        start += n


def _widened(x: Expr) -> Expr:
    """At least in f32."""
    return E.convert(x, ir.F32Type.get()) if x.dtype in (ir.F16Type.get(), ir.BF16Type.get()) else x
