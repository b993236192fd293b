"""Whole Jacobians: a sweep for all unit vectors of an argument or of a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from jaxlib.mlir import ir

from gradir.errors import RequestError
from gradir.request import Activity, Mode, Request
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.transform.desk import Desk

_IDLE = (Activity.const, Activity.constnoneed)


def jacobian_function(
    desk: Desk,
    name: str,
    activity: Sequence[Activity],
    ret_activity: Sequence[Activity],
    strong_zero: bool,
    mode: str,
) -> str:
    """The function that gives, for each active result and then each active argument, the array of derivatives."""
    source = desk.function(name)
    asked = Asked(
        desk,
        name,
        list(source.type.inputs),
        list(source.type.results),
        [i for i, a in enumerate(activity) if a not in _IDLE],
        [j for j, a in enumerate(ret_activity) if a not in _IDLE],
        strong_zero,
    )
    by_columns = asked.chosen(mode) == "forward"

    def body(arguments: Sequence[Expr]) -> list[Expr]:
        blocks = dict(asked.columns(arguments) if by_columns else asked.rows(arguments))
        return [asked.empty(j, i) or blocks[j, i] for j, i in product(asked.outs, asked.args)]

    every = range(len(asked.outs) * len(asked.args))
    return desk.define(f"{name}.jacobian", asked.inputs, body, source.location, shadows=every)


@dataclass
class Asked:
    """What is wanted of a function: the derivatives of the results `outs` by the arguments `args`."""

    desk: Desk
    name: str
    inputs: list[ir.RankedTensorType]
    results: list[ir.RankedTensorType]
    args: list[int]
    outs: list[int]
    strong_zero: bool

    def chosen(self, mode: str) -> str:
        """Forward or reverse mode, if the Jacobian can be had in it."""
        for t in (*(self.inputs[i] for i in self.args), *(self.results[j] for j in self.outs)):
            if not t.has_static_shape:
                raise self._refused(f"the Jacobian of @{self.name}: {t} has no static shape")
        for j, i in product(self.outs, self.args):
            if E.is_complex(self.inputs[i].element_type) and not E.is_complex(self.results[j].element_type):
                derivatives = f"two derivatives by each element of its complex argument {i}"
                raise self._refused(f"the real result {j} of @{self.name} has {derivatives}")
        # A cotangent of a complex result pulls only a real part back to a real argument: columns have it all.
        halved = any(E.is_complex(self.results[j].element_type) for j in self.outs) and not all(
            E.is_complex(self.inputs[i].element_type) for i in self.args
        )
        if halved and mode == "reverse":
            raise self._refused(
                f"@{self.name} has complex results and real arguments: its Jacobian can't be computed in reverse mode",
                "use forward mode",
            )
        if mode != "auto":
            return mode
        n_args = sum(E.size(self.inputs[i].shape) for i in self.args)
        n_outs = sum(E.size(self.results[j].shape) for j in self.outs)
        return "forward" if halved or n_args <= n_outs else "reverse"

    def columns(self, arguments: Sequence[Expr]) -> Iterator[tuple[tuple[int, int], Expr]]:
        """The derivatives of all results by one argument after the other: a tangent for each of its elements."""
        rets = tuple(Activity.dupnoneed if j in self.outs else Activity.constnoneed for j in range(len(self.results)))
        for i in self.args:
            of = self.inputs[i]
            if E.size(of.shape):
                dups = tuple(Activity.dup if k == i else Activity.const for k in range(len(self.inputs)))
                request = Request(self.name, Mode.forward, dups, rets, E.size(of.shape), self.strong_zero)
                given = [*arguments[: i + 1], unit_vectors(of), *arguments[i + 1 :]]
                products = self.desk.call(self.desk.derive(request), given)
                for j, p in zip(self.outs, products, strict=True):
                    yield (j, i), last_to_front(p, of, self.results[j])

    def rows(self, arguments: Sequence[Expr]) -> Iterator[tuple[tuple[int, int], Expr]]:
        """The derivatives of one result after the other by all arguments: a cotangent for each of its elements."""
        acts = tuple(Activity.active if i in self.args else Activity.const for i in range(len(self.inputs)))
        for j in self.outs:
            of = self.results[j]
            if E.size(of.shape):
                rets = [Activity.constnoneed] * len(self.results)
                rets[j] = Activity.activenoneed
                request = Request(self.name, Mode.reverse, acts, tuple(rets), E.size(of.shape), self.strong_zero)
                products = self.desk.call(self.desk.derive(request), [*arguments, unit_vectors(of)])
                for i, p in zip(self.args, products, strict=True):
                    block = E.reshape(E.conj(p), [*of.shape, *self.inputs[i].shape])
                    yield (j, i), E.convert(block, of.element_type)

    def empty(self, j: int, i: int) -> Expr | None:
        """The derivatives of a result by an argument, where one of them has no elements."""
        shape = [*self.results[j].shape, *self.inputs[i].shape]
        return None if E.size(shape) else E.full(E.tensor(shape, self.results[j].element_type), 0)

    def _refused(self, why: str, hint: str = "ask for products with (co)tangents: jvp or vjp") -> RequestError:
        return RequestError(why, location=location_text(self.desk.function(self.name).location), hint=hint)


def unit_vectors(t: ir.RankedTensorType) -> Expr:
    """All unit vectors of a type, stacked along a new first dimension (which width 1 does not have)."""
    n, i32 = E.size(t.shape), ir.IntegerType.get_signless(32)
    if n == 1:
        return E.full(t, 1)
    eye = E.iota([n, n], 0, i32).eq(E.iota([n, n], 1, i32))
    return E.reshape(E.convert(eye, t.element_type), [n, *t.shape])


def last_to_front(product: Expr, argument: ir.RankedTensorType, result: ir.RankedTensorType) -> Expr:
    """Jacobian–vector products `[n, *result]` as the array `[*result, *argument]`."""
    shape = [*result.shape, *argument.shape]
    if E.size(argument.shape) > 1:
        product = E.transpose(product, [*range(1, product.rank), 0])
    return E.reshape(product, shape)
