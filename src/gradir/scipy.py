"""What SciPy's solvers ask for: functions with exact derivatives, in the form in which each solver takes them.

>>> import gradir.scipy, jax.numpy as jnp, scipy.optimize
>>> rosenbrock = gradir.scipy.objective(lambda x: jnp.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2))
>>> found = scipy.optimize.minimize(rosenbrock.fun, [0.5, 2.0, 1.0], jac=rosenbrock.jac, hess=rosenbrock.hess,
...                                 method="trust-exact")
>>> found.x.round(4).tolist()
[1.0, 1.0, 1.0]

A function is one of a `NativeModule`, one of a `Module`, or any that JAX can trace.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from gradir.errors import RequestError
from gradir.module import Module
from gradir.native import NativeFunction, NativeModule
from gradir.native.pure import Pure

__all__ = ["Objective", "Residuals", "objective", "residuals"]


class Objective:
    """A function to one number. `x` comes where the function has it, other arguments around it as they are."""

    def __init__(self, source: _Source, sparse: bool, pattern: Any) -> None:
        self._source, self._sparse, self._pattern = source, sparse, pattern

    def fun(self, *args: Any) -> float:
        """The value: `minimize(p.fun, x0)`."""
        value = np.asarray(self._source.value(*args))
        if value.size != 1:
            raise RequestError(
                f"an objective is one number, and the function gives {value.size}", hint="use gradir.scipy.residuals"
            )
        return float(value.item())

    def jac(self, *args: Any) -> Any:
        """The gradient: `minimize(..., jac=p.jac)`."""
        return self._source.gradient(*args)[1]

    def fun_and_jac(self, *args: Any) -> tuple[float, Any]:
        """Value and gradient of one sweep: `minimize(p.fun_and_jac, x0, jac=True)`."""
        value, gradient = self._source.gradient(*args)
        return float(value), gradient

    @cached_property
    def hess(self) -> Callable[..., Any]:
        """The Hessian: a matrix, or a `scipy.sparse` one if that was asked for."""
        return self._source.hessian(self._sparse, self._pattern)

    @cached_property
    def hessp(self) -> Callable[..., Any]:
        """`(x, p, *args)` -> the Hessian's product with p: `minimize(..., hessp=p.hessp)`."""
        product, at = self._source.hessian_product(), self._source.at

        def hessp(*args: Any) -> Any:
            return product(args[at + 1], *args[: at + 1], *args[at + 2 :])

        return hessp


class Residuals:
    """A function to several numbers: residuals, equations, constraints, the right side of a differential equation."""

    def __init__(self, source: _Source, sparse: bool, pattern: Any) -> None:
        self._source, self._sparse, self._pattern = source, sparse, pattern

    def fun(self, *args: Any) -> Any:
        """The values, one after the other: `least_squares(r.fun, x0)`, `root(r.fun, x0)`, `solve_ivp(r.fun, ...)`."""
        return np.ravel(self._source.value(*args))

    @cached_property
    def jac(self) -> Callable[..., Any]:
        """The Jacobian, with a row for each value: `jac=r.jac`."""
        return self._source.jacobian(self._sparse, self._pattern)

    @cached_property
    def hess(self) -> Callable[..., Any]:
        """`(x, v)` -> the Hessian of the values' sum with weights v: `NonlinearConstraint(r.fun, ..., hess=r.hess)`."""
        return self._source.weighted_hessian()


def objective(
    f: Any,
    fn: str | None = None,
    *,
    wrt: str | int | None = None,
    sparse: bool = False,
    pattern: Any = None,
    **given: Any,
) -> Objective:
    """`fun`, `jac`, `hess` and `hessp` of a function to one number, as `scipy.optimize.minimize` takes them.

    `f` is a native function, a function that JAX can trace, or a module with the name of its function. `wrt` names or
    numbers the argument that SciPy varies, if not the first that holds floats. With `sparse`, the Hessian is a SciPy
    sparse matrix of the pattern that is found, or given. Keywords are the values of arguments that SciPy doesn't pass:
    of an array that a native function writes, its shape; a function of other arguments' names computes either.

    >>> import jax.numpy as jnp, numpy as np
    >>> chain = objective(lambda x, k: jnp.sum(jnp.cos(x[1:] - x[:-1])) * k, sparse=True, k=2.0)
    >>> chain.hess(np.zeros(1000)).nnz
    2998
    """
    return Objective(_source(f, fn, wrt, given), sparse, pattern)


def residuals(
    f: Any,
    fn: str | None = None,
    *,
    wrt: str | int | None = None,
    sparse: bool = False,
    pattern: Any = None,
    **given: Any,
) -> Residuals:
    """`fun` and `jac` of a function to several numbers, as `least_squares`, `root` and `solve_ivp` take them.

    Arguments are those of `objective`. SciPy passes what it varies where the function has it: `wrt=1` is for the
    `f(t, y)` of `solve_ivp`.

    >>> import jax.numpy as jnp, numpy as np
    >>> decay = residuals(lambda t, y: -t * y, wrt=1)
    >>> decay.jac(2.0, np.array([3.0])).tolist()
    [[-2.0]]
    """
    return Residuals(_source(f, fn, wrt, given), sparse, pattern)


# -- Where functions come from ---------------------------------------------------------------------------------------


class _Source(ABC):
    """A function of the arguments that SciPy passes; number `at` of them is what it varies, in one dimension."""

    at: int

    @abstractmethod
    def value(self, *args: Any) -> Any: ...

    @abstractmethod
    def gradient(self, *args: Any) -> tuple[Any, Any]:
        """The value, and its gradient."""

    @abstractmethod
    def hessian(self, sparse: bool, pattern: Any) -> Callable[..., Any]: ...

    @abstractmethod
    def hessian_product(self) -> Callable[..., Any]:
        """`(p, *args)` -> the Hessian's product with p."""

    @abstractmethod
    def jacobian(self, sparse: bool, pattern: Any) -> Callable[..., Any]: ...

    @abstractmethod
    def weighted_hessian(self) -> Callable[..., Any]:
        """`(*args, v)` -> the Hessian of the values' sum with weights v."""


def _source(f: Any, fn: str | None, wrt: str | int | None, given: dict[str, Any]) -> _Source:
    if isinstance(f, NativeModule):
        return _Native(f.function(fn), wrt, given)
    if isinstance(f, Module):
        from gradir.jax import function

        return _Traced(function(f, fn), wrt, given, f.function(fn).arguments)
    if fn is not None:
        raise RequestError(f"fn={fn!r} is for modules, and this is a {type(f).__name__}")
    if isinstance(f, NativeFunction):
        return _Native(f, wrt, given)
    if callable(f):
        return _Traced(f, wrt, given)
    raise RequestError(
        f"a {type(f).__name__} is no function",
        hint="give a native function, a module, or a function that JAX can trace",
    )


class _Native(_Source):
    def __init__(self, function: NativeFunction, wrt: str | int | None, given: dict[str, Any]) -> None:
        self.pure = Pure(function, given, function.written)
        floats = [i for i in self.pure.inputs if function.roles[i].is_input]
        chosen = function.index(wrt) if wrt is not None else floats[0] if floats else -1
        if chosen not in self.pure.inputs:
            raise RequestError(
                f"{function.name}: there is no argument that SciPy could vary", hint=str(function.signature)
            )
        self.wrt, self.at = chosen, self.pure.inputs.index(chosen)
        self.function = function
        self._gradient = function.value_and_grad(chosen)

    @cached_property
    def dtype(self) -> Any:
        """Of what SciPy varies."""
        return self.pure.dtype(self.wrt)

    def arguments(self, args: Sequence[Any]) -> list[Any]:
        args = list(args)
        args[self.at] = np.ascontiguousarray(args[self.at], self.dtype)
        if len(args) == len(self.pure.inputs):
            return self.pure.arguments(args)
        raise RequestError(
            f"{self.function.name}: SciPy passed {len(args)} arguments, where {', '.join(self.pure.names)} are needed",
            hint="give the others by keyword, or by SciPy's args=",
        )

    def value(self, *args: Any) -> Any:
        found = self.pure.results(self.arguments(args))
        if self.function.returns_float or len(found) == 1:
            return found[0]
        return np.concatenate([np.ravel(part) for part in found])

    def gradient(self, *args: Any) -> tuple[Any, Any]:
        return self._gradient(*self.arguments(args))

    def hessian(self, sparse: bool, pattern: Any) -> Callable[..., Any]:
        made = self.function.sparse_hessian(self.wrt, pattern=pattern) if sparse else self.function.hessian(self.wrt)
        return lambda *args: made(*self.arguments(args))

    def hessian_product(self) -> Callable[..., Any]:
        made = self.function.hvp(self.wrt)
        return lambda p, *args: made(*self.arguments(args), np.asarray(p, self.dtype))

    def jacobian(self, sparse: bool, pattern: Any) -> Callable[..., Any]:
        if sparse:
            made = self.function.sparse_jacobian(self.wrt, pattern=pattern)
            return lambda *args: made(*self.arguments(args))
        dense = self.function.jacobian(self.wrt)

        def jacobian(*args: Any) -> Any:
            found = dense(*self.arguments(args))
            n = np.size(args[self.at])
            return np.concatenate(
                [np.reshape(part, (-1, n)) for part in (found if isinstance(found, tuple) else [found])]
            )

        return jacobian

    def weighted_hessian(self) -> Callable[..., Any]:
        made = self.function.hessian(self.wrt, weighted=True)

        def hessian(*args: Any) -> Any:
            arguments, weights, shared = self.arguments(args[:-1]), [], np.asarray(args[-1], float)
            if self.function.returns_float:
                weights, shared = [shared[0]], shared[1:]
            for i in self.pure.outputs:
                size = arguments[i].size
                weights.append(shared[:size].reshape(arguments[i].shape))
                shared = shared[size:]
            n = np.size(args[self.at])
            return np.reshape(made(*arguments, *weights), (n, n))

        return hessian


class _Traced(_Source):
    """A function that JAX can trace, in 64 bits: those are SciPy's."""

    def __init__(
        self, f: Callable[..., Any], wrt: str | int | None, given: dict[str, Any], specs: Sequence[Any] | None = None
    ) -> None:
        import inspect

        import jax

        parameters = list(inspect.signature(f).parameters)
        unknown = [name for name in given if name not in parameters]
        if unknown:
            raise RequestError(f"the function has no argument '{unknown[0]}'", hint=f"it has {', '.join(parameters)}")
        left = [i for i, name in enumerate(parameters) if name not in given]
        number = parameters.index(wrt) if isinstance(wrt, str) and wrt in parameters else wrt
        if number is None:
            number = left[0] if left else -1
        if number not in left:
            raise RequestError(
                f"there is no argument {wrt!r} that SciPy could vary", hint=f"it has {', '.join(parameters)}"
            )
        self.at = left.index(number)
        self._dtype = np.float64 if specs is None else specs[number].dtype
        shape = None if specs is None else specs[number].shape

        def called(*args: Any) -> Any:
            if len(args) > len(left):
                raise RequestError(f"the function takes {len(left)} arguments here, and {len(args)} came")
            passed = [x if i != self.at or shape is None else x.reshape(shape) for i, x in enumerate(args)]
            by_name = {**given, **dict(zip((parameters[i] for i in left), passed, strict=False))}
            return f(*(by_name[name] for name in parameters if name in by_name))

        self._f = called
        self._value = jax.jit(called)

    def _run(self, made: Callable[..., Any], args: Sequence[Any]) -> Any:
        import jax

        args = [np.asarray(a, self._dtype) if i == self.at else a for i, a in enumerate(args)]
        with jax.enable_x64(True):
            return made(*args)

    def value(self, *args: Any) -> Any:
        return np.asarray(self._run(self._value, args), float)

    @cached_property
    def _gradient(self) -> Callable[..., Any]:
        import jax

        from gradir.jax import value_and_grad

        return jax.jit(value_and_grad(self._f, self.at))

    def gradient(self, *args: Any) -> tuple[Any, Any]:
        value, gradient = self._run(self._gradient, args)
        return value, np.asarray(gradient, float)

    def hessian(self, sparse: bool, pattern: Any) -> Callable[..., Any]:
        import jax

        from gradir.jax import hessian, sparse_hessian

        if sparse:
            made = sparse_hessian(self._f, self.at, pattern=pattern)
            return lambda *args: self._run(made, args).astype(float)
        dense = jax.jit(hessian(self._f, self.at))
        return lambda *args: np.asarray(self._run(dense, args), float)

    def hessian_product(self) -> Callable[..., Any]:
        import jax

        from gradir.jax import grad, jvp

        at, gradient = self.at, grad(self._f, self.at)

        def product(p: Any, *args: Any) -> Any:
            return jvp(lambda x: gradient(*args[:at], x, *args[at + 1 :]), (args[at],), (p,))[1]

        made = jax.jit(product)
        return lambda p, *args: np.asarray(self._run(lambda *a: made(np.asarray(p, self._dtype), *a), args), float)

    def jacobian(self, sparse: bool, pattern: Any) -> Callable[..., Any]:
        import jax

        from gradir.jax import jacobian, sparse_jacobian

        if sparse:
            made = sparse_jacobian(self._f, self.at, pattern=pattern)
            return lambda *args: self._run(made, args).astype(float)
        dense = jax.jit(jacobian(self._f, self.at))

        def rows(*args: Any) -> Any:
            return np.asarray(self._run(dense, args), float).reshape(-1, np.size(args[self.at]))

        return rows

    def weighted_hessian(self) -> Callable[..., Any]:
        import jax

        from gradir.jax import hessian

        def weighed(*args: Any) -> Any:
            return jax.numpy.vdot(args[-1], self._f(*args[:-1]))

        made = jax.jit(hessian(weighed, self.at))
        return lambda *args: np.asarray(self._run(made, args), float)
