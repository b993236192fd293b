"""The derivatives people ask for by name, each added to a module as one public function.

A `Deriver` gives derivatives in the `enzyme` dialect's order with explicit shadows; here they get the arguments and
results that a caller expects: `grad` seeds its own cotangent, `jvp` separates primals from tangents, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from jaxlib.mlir import ir

from gradir.errors import RequestError
from gradir.request import Activity, Mode, Request, operand_slots, result_slots
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import drop_unnamed
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.signature import Wrt, places, signature
from gradir.tensor.rules.rule import prepend
from gradir.tensor.transform.derive import Deriver
from gradir.tensor.transform.desk import Optimizer

__all__ = ["Calculus", "JacobianMode"]

JacobianMode = Literal["auto", "forward", "reverse"]
Body = Callable[[Sequence[Expr]], Sequence[Expr]]

Origin = tuple[Literal["arg", "result"], int]
"""Of which argument or result of the function a value is the primal, tangent, cotangent or gradient."""

SHARDINGS = ("sdy.sharding", "mhlo.sharding")


class Calculus:
    """Adds derivatives of `function` to `module`, in place, under the name `name`."""

    def __init__(self, module: ir.Module, function: str, name: str, optimizer: Optimizer | None = None) -> None:
        self.deriver = Deriver(module, optimizer)
        self.given = list(self.deriver.functions.values())
        self.function = function
        self.source = self.deriver.function(function)
        self.name = name
        self.inputs: list[ir.Type] = list(self.source.type.inputs)
        self.results: list[ir.Type] = list(self.source.type.results)
        self.location = self.source.location
        if name in self.deriver.symbols:
            raise RequestError(
                f"there is a function @{name} already",
                location=location_text(self.deriver.functions[name].location),
                hint="give the derivative another name with name=",
            )

    def grad(self, wrt: Wrt, *, value: bool) -> None:
        """The gradient of the first result, which is a real scalar; with `value`, after all results."""
        chosen = self._wrt(wrt)
        self._scalar_first_result()
        keep = Activity.const if value else Activity.constnoneed
        seeded = Activity.active if value else Activity.activenoneed
        gradient = self._gradient(chosen, (seeded, *[keep] * (len(self.results) - 1)))
        kept = len(self.results) if value else 0

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            out = gradient(arguments)
            return out[:kept] + self._in_order(out[kept:], chosen)

        self._define(self.inputs, body, self._args(), [*self._results()[:kept], *self._args(chosen)])

    def vjp(self, wrt: Wrt) -> None:
        """(arguments, cotangents of the float results) -> (results, gradients)."""
        chosen = self._wrt(wrt)
        self._some_float_result()
        activity = [Activity.active if E.is_differentiable(t) else Activity.const for t in self.results]
        pullback = self._reverse(chosen, activity)
        n, m = len(self.inputs), len(self.results)

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            out = pullback(arguments[:n], arguments[n:])
            return out[:m] + self._in_order(out[m:], chosen)

        cotangents = [j for j, t in enumerate(self.results) if E.is_differentiable(t)]
        self._define(
            [*self.inputs, *(self.results[j] for j in cotangents)],
            body,
            [*self._args(), *self._results(cotangents)],
            [*self._results(), *self._args(chosen)],
        )

    def jvp(self, wrt: Wrt) -> None:
        """(arguments, tangents of the `wrt` arguments) -> (results, tangents of the float results)."""
        chosen = self._wrt(wrt)
        self._some_float_result()
        activity = [Activity.dup if i in chosen else Activity.const for i in range(len(self.inputs))]
        ret_activity = [Activity.dup if E.is_differentiable(t) else Activity.const for t in self.results]
        symbol = self.deriver.derive(Request(self.function, Mode.forward, tuple(activity), tuple(ret_activity)))
        n = len(self.inputs)

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            tangents = dict(zip(chosen, arguments[n:], strict=True))
            slots = operand_slots(Mode.forward, activity, ret_activity)
            out = self.deriver.call(symbol, [arguments[i] if p == "primal" else tangents[i] for _, i, p in slots])
            parts = [part for _, _, part in result_slots(Mode.forward, activity, ret_activity)]
            return [o for want in ("primal", "shadow") for o, part in zip(out, parts, strict=True) if part == want]

        tangents = [j for j, t in enumerate(self.results) if E.is_differentiable(t)]
        self._define(
            [*self.inputs, *(self.inputs[i] for i in chosen)],
            body,
            [*self._args(), *self._args(chosen)],
            [*self._results(), *self._results(tangents)],
        )

    def jacobian(self, wrt: Wrt, mode: JacobianMode) -> None:
        """arguments -> for each float result, for each `wrt` argument: the array of derivatives."""
        self._some_float_result()
        self._define_jacobian(self.function, self._wrt(wrt), mode)

    def hessian(self, wrt: Wrt) -> None:
        """arguments -> for each `wrt` argument, for each `wrt` argument: the second derivatives of the first result.

        Forward over reverse: the gradient's Jacobian has as many columns as the gradient has inputs.
        """
        chosen = self._wrt(wrt)
        for i in chosen:
            if E.is_complex(self._tensor(self.inputs[i]).element_type):
                raise self._error(
                    f"argument {i} of @{self.function} is complex: a real result has four second derivatives by it",
                    hint="differentiate the gradient along the directions of interest, with jvp",
                )
        self._scalar_first_result()
        gradient = self._gradient(chosen, (Activity.activenoneed, *[Activity.constnoneed] * (len(self.results) - 1)))

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            return self._in_order(gradient(arguments), chosen)

        symbol = self.deriver.define(f"{self.function}.gradient", self.inputs, body, self.location)
        self._define_jacobian(symbol, chosen, "forward")

    def batch(self, size: int, in_axes: Sequence[int | None] | None) -> None:
        """`size` calls in one: each argument has a batch axis (or, where its axis is None, serves all calls).

        Each result has the batch as its leading axis.
        """
        axes = self._axes(size, in_axes)
        mask = tuple(axis is not None for axis in axes)
        symbol, batched = self.deriver.batch_of(self.function, mask, size)
        types = [
            t if axis is None else E.tensor([*t.shape[:axis], size, *t.shape[axis:]], t.element_type)
            for t, axis in zip(map(self._tensor, self.inputs), axes, strict=True)
        ]

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            moved = [
                E.transpose(x, [axis, *(d for d in range(x.rank) if d != axis)]) if axis else x
                for x, axis in zip(arguments, axes, strict=True)
            ]
            out = self.deriver.call(symbol, moved)
            return [o if has else prepend(o, size) for o, has in zip(out, batched, strict=True)]

        self._define(types, body)

    # -- parts

    def _reverse(
        self, chosen: Sequence[int], ret_activity: Sequence[Activity]
    ) -> Callable[[Sequence[Expr], Sequence[Expr]], list[Expr]]:
        """The reverse-mode derivative as (arguments, cotangents) -> results and gradients in argument order."""
        symbol = self.deriver.derive(self._request(chosen, ret_activity))
        return lambda arguments, cotangents: self.deriver.call(symbol, [*arguments, *cotangents])

    def _gradient(
        self, chosen: Sequence[int], ret_activity: Sequence[Activity]
    ) -> Callable[[Sequence[Expr]], list[Expr]]:
        """The same with a cotangent of 1, as arguments -> results and gradients."""
        symbol = self.deriver.gradient(self._request(chosen, ret_activity))
        return lambda arguments: self.deriver.call(symbol, arguments)

    def _request(self, chosen: Sequence[int], ret_activity: Sequence[Activity]) -> Request:
        activity = tuple(Activity.active if i in chosen else Activity.const for i in range(len(self.inputs)))
        return Request(self.function, Mode.reverse, activity, tuple(ret_activity))

    def _define_jacobian(self, function: str, chosen: Sequence[int], mode: JacobianMode) -> None:
        results = self.deriver.function(function).type.results
        activity = [Activity.active if i in chosen else Activity.const for i in range(len(self.inputs))]
        ret_activity = [Activity.active if E.is_differentiable(t) else Activity.const for t in results]
        symbol = self.deriver.jacobian(function, activity, ret_activity, mode=mode)

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            blocks = self.deriver.call(symbol, arguments)
            n = len(chosen)
            return [b for row in range(0, len(blocks), n) for b in self._in_order(blocks[row : row + n], chosen)]

        self._define(self.inputs, body, self._args())

    def _define(
        self, types: Sequence[ir.Type], body: Body, origins: Sequence[Origin] = (), results: Sequence[Origin] = ()
    ) -> None:
        """Add the public function. A derivative is named and sharded like that of which it is one."""
        function = self.deriver.function(self.deriver.define(self.name, types, body, self.location))
        del function.attributes["sym_visibility"]  # public
        for new, old in zip(function.entry_block.arguments, self.source.entry_block.arguments, strict=False):
            if isinstance(old.location, ir.NameLoc):  # an argument's name, from JAX
                new.set_location(old.location)
        for key, found in (("arg_attrs", origins), ("res_attrs", results)):
            shardings = [self._sharding(origin) for origin in found]
            if any(map(len, shardings)):
                function.attributes[key] = ir.ArrayAttr.get(shardings)
        drop_unnamed(self.deriver.module, self.given)

    def _args(self, which: Sequence[int] | None = None) -> list[Origin]:
        return [("arg", i) for i in (range(len(self.inputs)) if which is None else which)]

    def _results(self, which: Sequence[int] | None = None) -> list[Origin]:
        return [("result", j) for j in (range(len(self.results)) if which is None else which)]

    def _sharding(self, origin: Origin) -> ir.DictAttr:
        key, i = ("arg_attrs" if origin[0] == "arg" else "res_attrs"), origin[1]
        attributes = self.source.attributes
        given: Any = ir.DictAttr(ir.ArrayAttr(attributes[key])[i]) if key in attributes else {}
        return ir.DictAttr.get({name: given[name] for name in SHARDINGS if name in given})

    def _in_order(self, gradients: Sequence[Expr], chosen: Sequence[int]) -> list[Expr]:
        """From the arguments' order to the order in which they were asked for."""
        by_argument = dict(zip(sorted(chosen), gradients, strict=True))
        return [by_argument[i] for i in chosen]

    # -- checks

    def _wrt(self, wrt: Wrt) -> tuple[int, ...]:
        chosen = places(signature(self.source), wrt, location_text(self.location))
        if not chosen or len(set(chosen)) < len(chosen):
            raise self._error(f"wrt={wrt}: name each argument once, and at least one")
        for i in chosen:
            if not E.is_differentiable(self.inputs[i]):
                raise self._error(
                    f"argument {i} of @{self.function} is {self.inputs[i]}, which has no derivative",
                    hint="wrt can name arguments of float or complex element type",
                )
        return chosen

    def _scalar_first_result(self) -> None:
        first = self.results[0] if self.results else None
        if (
            not isinstance(first, ir.RankedTensorType)
            or first.rank != 0
            or not isinstance(first.element_type, ir.FloatType)
        ):
            raise self._error(
                f"the first result of @{self.function} is {first or 'not there'}, and a gradient is of a real scalar",
                hint="use jacobian, or vjp with a cotangent of your own",
            )

    def _some_float_result(self) -> None:
        if not any(map(E.is_differentiable, self.results)):
            raise self._error(
                f"@{self.function} gives {', '.join(map(str, self.results)) or 'nothing'}, which has no derivative",
                hint="a derivative needs a result of float or complex element type",
            )

    def _axes(self, size: int, in_axes: Sequence[int | None] | None) -> list[int | None]:
        if size < 1:
            raise self._error(f"a batch of {size}: the size is at least 1")
        axes: list[int | None] = [0] * len(self.inputs) if in_axes is None else list(in_axes)
        if len(axes) != len(self.inputs):
            raise self._error(
                f"in_axes has {len(axes)} entries for the {len(self.inputs)} arguments of @{self.function}"
            )
        if all(axis is None for axis in axes):
            raise self._error("in_axes: at least one argument has a batch axis")
        for i, axis in enumerate(axes):
            rank = self._tensor(self.inputs[i]).rank
            if axis is not None and not -rank - 1 <= axis <= rank:
                raise self._error(f"in_axes[{i}]={axis}: the batched argument {i} has {rank + 1} axes")
            axes[i] = None if axis is None else axis % (rank + 1)
        return axes

    def _error(self, message: str, hint: str | None = None) -> RequestError:
        return RequestError(message, location=location_text(self.location), hint=hint)

    def _tensor(self, t: ir.Type) -> ir.RankedTensorType:
        if not isinstance(t, ir.RankedTensorType):
            raise self._error(f"@{self.function} takes a {t}, which can't be batched")
        return t
