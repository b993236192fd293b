"""Derivatives of expressions, which are expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import gradir.jax
from gradir.errors import InputError
from gradir.expressions.expression import Array, Environment, Expression, Var, finished, fit, lowered, ordered
from gradir.formula import Formula, infix, python, sexpr
from gradir.formula.program import formula_of
from gradir.module import Module
from gradir.tensor.ir.module import merged

__all__ = ["ValueAndGrad", "grad", "hessian", "value_and_grad"]


class _Derivative(Expression):
    """What gradir makes of an expression, by one of its variables."""

    def __init__(self, of: Expression, by: Var, derive: Callable[..., Any], shape: tuple[int, ...]) -> None:
        self.name, self.operands = "derivative", ()
        self.of, self.by, self.derive = of, by, derive
        self.shape, self.dtype = shape, by.dtype

    @cached_property
    def variables(self) -> tuple[Var, ...]:
        return self.of.variables

    @cached_property
    def has_derivative(self) -> bool:
        return True

    def compute(self, values: Environment, operands: Sequence[Array]) -> Array:
        return self.derive(lambda x: self.of.evaluate({**values, self.by: x}))(values[self.by])


def grad(of: Expression, by: Var | str) -> Expression:
    """The gradient of an expression by a variable.

    >>> x, w = Var("x", (3,)), Var("w", (3,))
    >>> grad((w * x).sum() ** 2, w)
    2 * x * sum(w * x)
    """
    variable = of.differentiable_by(by)
    return _Derivative(of, variable, gradir.jax.grad, variable.shape)


def hessian(of: Expression, by: Var | str) -> Expression:
    """The second derivatives of an expression by a variable.

    >>> x = Var("x")
    >>> hessian(x**3, x)
    6 * x
    """
    variable = of.differentiable_by(by)
    return _Derivative(of, variable, gradir.jax.hessian, variable.shape * 2)


def value_and_grad(of: Expression, by: Sequence[Var | str] | None = None) -> ValueAndGrad:
    """The value of an expression and its gradients by some variables, or by all of them, computed together.

    >>> x, y = Var("x"), Var("y")
    >>> both = value_and_grad(x * y + x)
    >>> both
    value = x * y + x
    grad_x = y + 1
    grad_y = x
    >>> value, gradients = both(x=2.0, y=3.0)
    >>> float(value), {name: float(g) for name, g in gradients.items()}
    (8.0, {'x': 4.0, 'y': 2.0})
    """
    chosen = [v for v in of.variables if v.is_differentiable] if by is None else by
    if not chosen:
        raise InputError(f"{of!r} has no variable to differentiate by")
    return ValueAndGrad(of, [of.differentiable_by(v) for v in chosen])


class ValueAndGrad:
    """An expression and its gradients, as one program: `@value_and_grad`."""

    def __init__(self, value: Expression, by: Sequence[Var]) -> None:
        self.value = value
        self.by = tuple(by)
        self.gradients = {v.name: grad(value, v) for v in by}
        self.variables = value.variables

    def jax(self) -> Callable[..., tuple[Array, dict[str, Array]]]:
        """A JAX function of the variables: the value, and a dictionary of gradients."""
        places = tuple(self.variables.index(v) for v in self.by)
        both = gradir.jax.value_and_grad(self.value.jax(), argnums=places)

        def function(*arguments: Array, **by_name: Array) -> tuple[Array, dict[str, Array]]:
            value, gradients = both(*ordered(self.variables, arguments, by_name))
            return value, dict(zip(self.gradients, gradients, strict=True))

        return function

    @cached_property
    def _module(self) -> Module:
        function = self.jax()

        def flat(*arguments: Array) -> tuple[Array, ...]:
            value, gradients = function(*arguments)
            return value, *gradients.values()

        return finished(merged({"value_and_grad": lowered(flat, self.variables)}))

    def stablehlo(self) -> Module:
        """The program, whose results are the value and the gradients."""
        return self._module

    def __call__(self, *arguments: Array, **by_name: Array) -> tuple[Array, dict[str, Array]]:
        given = ordered(self.variables, arguments, by_name)
        fitting = [fit(v, x) for v, x in zip(self.variables, given, strict=True)]
        value, *gradients = self._module.run("value_and_grad", *fitting)
        return value, dict(zip(self.gradients, gradients, strict=True))

    def as_formula(self, name: str = "value_and_grad") -> Formula:
        names = [v.name for v in self.variables]
        results = ["value", *(f"grad_{v.name}" for v in self.by)]
        return formula_of(self._module.ir, "value_and_grad", name=name, parameters=names, results=results)

    def formula(self) -> str:
        return infix(self.as_formula())

    def sexpr(self) -> str:
        return sexpr(self.as_formula())

    def python(self, name: str = "value_and_grad") -> str:
        return python(self.as_formula(name))

    def __repr__(self) -> str:
        return self.formula()
