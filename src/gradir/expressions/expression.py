"""Expressions over variables: built by Python's operators, computed by JAX, shown as formulas."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gradir.jax
from gradir.errors import GradirError, InputError, RequestError
from gradir.formula import Formula, infix, python, sexpr
from gradir.formula.program import formula_of
from gradir.formula.tree import postorder
from gradir.module import Module
from gradir.tensor.ir.dead import drop_dead
from gradir.tensor.ir.module import clone, functions, merged
from gradir.tensor.optimize import optimize

__all__ = ["Constant", "Expression", "Var", "expression", "finished", "fit", "lowered", "ordered"]

Array = Any
Environment = Mapping["Var", Array]


class Expression:
    """Something that is computed from variables: an operation on other expressions.

    >>> x = Var("x", (3,))
    >>> e = (2 * x + 1).sum()
    >>> e, e.shape, e(x=[0, 1, 2])
    (sum(2 * x + 1), (), array(9., dtype=float32))
    """

    __array_ufunc__ = None  # NumPy's arrays leave their operators to us

    def __init__(self, name: str, function: Callable[..., Array], operands: Sequence[Expression]) -> None:
        self.name = name
        self.function = function
        self.operands = tuple(operands)
        with precision(self.variables):
            specs = [jax.ShapeDtypeStruct(o.shape, o.dtype) for o in self.operands]
            try:
                made = jax.eval_shape(function, *specs)
            except (TypeError, ValueError, IndexError) as error:
                raise _misfit(name, self.operands, error) from None
        if not isinstance(made, jax.ShapeDtypeStruct):
            raise InputError(f"{name} gives several arrays, and an expression is one")
        self.shape: tuple[int, ...] = made.shape
        self.dtype: np.dtype[Any] = np.dtype(made.dtype)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def T(self) -> Expression:
        return Expression("transpose", jnp.transpose, [self])

    @cached_property
    def variables(self) -> tuple[Var, ...]:
        """The variables, in the order in which they appear."""
        found = dict.fromkeys(v for o in self.operands for v in o.variables)
        named: dict[str, Var] = {}
        for v in found:
            if named.setdefault(str(v.name), v) is not v:
                raise InputError(f"two variables are called {v.name}, of shapes {named[v.name].shape} and {v.shape}")
        return tuple(found)

    def variable(self, which: Var | str) -> Var:
        """The variable of this name."""
        for v in self.variables:
            if v is which or v.name == which:
                return v
        names = ", ".join(v.name for v in self.variables) or "none"
        raise InputError(f"{_short(self)} has no variable {which}", hint=f"its variables are {names}")

    @property
    def is_number(self) -> bool:
        """Whether it is one real number, which has a gradient."""
        return self.shape == () and np.issubdtype(self.dtype, np.floating)

    def differentiable_by(self, which: Var | str) -> Var:
        """The variable, if there is a gradient by it."""
        if not self.is_number:
            raise RequestError(
                f"the gradient of {_short(self)} is wanted, whose shape is {self.shape} and type {self.dtype}",
                hint="a gradient is that of a real number: take the sum or the mean",
            )
        variable = self.variable(which)
        if not variable.is_differentiable:
            raise RequestError(f"{variable.name} is of {variable.dtype}: there is no derivative by it")
        return variable

    # -- Values

    def evaluate(self, values: Environment) -> Array:
        """The value, by JAX; what is used twice is computed once."""
        done: dict[Expression, Array] = {}
        for e in postorder([self], lambda e: e.operands):
            done[e] = e.compute(values, [done[o] for o in e.operands])
        return done[self]

    def compute(self, values: Environment, operands: Sequence[Array]) -> Array:
        """The value by those of the operands."""
        del values
        return self.function(*operands)

    def jax(self) -> Callable[..., Array]:
        """A JAX function of the variables, in their order."""

        def function(*arguments: Array) -> Array:
            return self.evaluate(dict(zip(self.variables, arguments, strict=True)))

        return named(function, self.variables)

    def numpy(self) -> Callable[..., np.ndarray[Any, Any]]:
        """A compiled function of the variables, in their order: NumPy arrays go in and come out."""
        run = self._module.compile("forward")
        arguments = self.variables

        def function(*values: Array) -> np.ndarray[Any, Any]:
            return np.asarray(run(*(fit(v, x) for v, x in zip(arguments, values, strict=True))))

        return named(function, arguments)

    @cached_property
    def _module(self) -> Module:
        return Module(merged({"forward": lowered(self.jax(), self.variables)}))

    @cached_property
    def _compiled(self) -> Callable[..., np.ndarray[Any, Any]]:
        return self.numpy()

    def __call__(self, *arguments: Array, **by_name: Array) -> np.ndarray[Any, Any]:
        """The value for these values of the variables, in their order or by name."""
        return self._compiled(*ordered(self.variables, arguments, by_name))

    # -- As a program

    def stablehlo(self, *wrt: Var | str) -> Module:
        """A program with `@forward` and, if this is a number, `@grad_x` for each variable x, or for those named."""
        pieces = {"forward": lowered(self.jax(), self.variables)}
        chosen = [self.differentiable_by(w) for w in wrt]
        if not wrt and self.is_number:
            chosen = [v for v in self.variables if v.is_differentiable]
        for v in chosen:
            gradient = gradir.jax.grad(self.jax(), argnums=self.variables.index(v))
            pieces[f"grad_{v.name}"] = lowered(gradient, self.variables)
        return finished(merged(pieces))

    # -- As a formula

    def as_formula(self, name: str = "f") -> Formula:
        """The tree of the formula."""
        return formula_of(
            self._module.ir,
            "forward",
            name=name,
            parameters=[v.name for v in self.variables],
            optimised=self.has_derivative,
        )

    @cached_property
    def has_derivative(self) -> bool:
        """Whether a derivative is a part of it: then it is optimised before it is shown; else shown as written."""
        return any(o.has_derivative for o in self.operands)

    def formula(self) -> str:
        """The formula as a book has it."""
        return infix(self.as_formula())

    def sexpr(self) -> str:
        """The formula as an S-expression, which is Sheaf."""
        return sexpr(self.as_formula())

    def python(self, name: str = "f") -> str:
        """A Python function on NumPy arrays, as source."""
        return python(self.as_formula(name))

    def __repr__(self) -> str:
        try:
            return self.formula()
        except GradirError:  # it has no formula
            return f"<{self.name} of {', '.join(v.name for v in self.variables)}: {self.dtype}{list(self.shape)}>"

    # -- Operators

    def __add__(self, other: Any) -> Expression:
        return binary("+", jnp.add, self, other)

    def __radd__(self, other: Any) -> Expression:
        return binary("+", jnp.add, other, self)

    def __sub__(self, other: Any) -> Expression:
        return binary("-", jnp.subtract, self, other)

    def __rsub__(self, other: Any) -> Expression:
        return binary("-", jnp.subtract, other, self)

    def __mul__(self, other: Any) -> Expression:
        return binary("*", jnp.multiply, self, other)

    def __rmul__(self, other: Any) -> Expression:
        return binary("*", jnp.multiply, other, self)

    def __truediv__(self, other: Any) -> Expression:
        return binary("/", jnp.divide, self, other)

    def __rtruediv__(self, other: Any) -> Expression:
        return binary("/", jnp.divide, other, self)

    def __matmul__(self, other: Any) -> Expression:
        return binary("@", jnp.matmul, self, other)

    def __rmatmul__(self, other: Any) -> Expression:
        return binary("@", jnp.matmul, other, self)

    def __pow__(self, other: Any) -> Expression:
        if isinstance(other, (int, float)):  # a number that is known has a simpler derivative
            return Expression("**", lambda x: x**other, [self])
        return binary("**", jnp.power, self, other)

    def __rpow__(self, other: Any) -> Expression:
        return binary("**", jnp.power, other, self)

    def __neg__(self) -> Expression:
        return Expression("-", jnp.negative, [self])

    def __abs__(self) -> Expression:
        return Expression("abs", jnp.abs, [self])

    def __lt__(self, other: Any) -> Expression:
        return binary("<", jnp.less, self, other)

    def __le__(self, other: Any) -> Expression:
        return binary("<=", jnp.less_equal, self, other)

    def __gt__(self, other: Any) -> Expression:
        return binary(">", jnp.greater, self, other)

    def __ge__(self, other: Any) -> Expression:
        return binary(">=", jnp.greater_equal, self, other)

    def __getitem__(self, index: Any) -> Expression:
        return Expression("[]", lambda x: x[index], [self])

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"{_short(self)} is a number and has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Expression]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        raise TypeError(f"{_short(self)} is neither true nor false before it has a value: use where(condition, a, b)")

    def sum(self, axis: Any = None, keepdims: bool = False) -> Expression:
        return Expression("sum", lambda x: jnp.sum(x, axis=axis, keepdims=keepdims), [self])

    def mean(self, axis: Any = None, keepdims: bool = False) -> Expression:
        return Expression("mean", lambda x: jnp.mean(x, axis=axis, keepdims=keepdims), [self])

    def max(self, axis: Any = None, keepdims: bool = False) -> Expression:
        return Expression("max", lambda x: jnp.max(x, axis=axis, keepdims=keepdims), [self])

    def min(self, axis: Any = None, keepdims: bool = False) -> Expression:
        return Expression("min", lambda x: jnp.min(x, axis=axis, keepdims=keepdims), [self])

    def reshape(self, *shape: Any) -> Expression:
        wanted = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        return Expression("reshape", lambda x: jnp.reshape(x, wanted), [self])


class Var(Expression):
    """A variable: a name, a shape, and an element type. Without a shape it is a number.

    >>> Var("W", (2, 8)).shape
    (2, 8)
    """

    def __init__(self, name: str, shape: int | Sequence[int] = (), dtype: Any = "float32") -> None:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise InputError(f"{name!r} can't be a variable's name", hint="a name is a word, such as x or W1")
        sizes = (shape,) if isinstance(shape, int) else tuple(shape)
        if not all(isinstance(n, int) and n > 0 for n in sizes):
            raise InputError(f"{name} can't have the shape {shape!r}", hint="a shape is a tuple such as (2, 8)")
        self.name, self.shape, self.operands = name, sizes, ()
        try:
            self.dtype = np.dtype(DTYPES.get(dtype, dtype))
        except TypeError:
            raise InputError(f"{name}: there is no element type {dtype!r}", hint=f"use {', '.join(DTYPES)}") from None

    @cached_property
    def variables(self) -> tuple[Var, ...]:
        return (self,)

    @property
    def is_differentiable(self) -> bool:
        return np.issubdtype(self.dtype, np.floating)

    def compute(self, values: Environment, operands: Sequence[Array]) -> Array:
        return values[self]

    def __repr__(self) -> str:
        return self.name


DTYPES = {"f16": "float16", "f32": "float32", "f64": "float64", "i32": "int32", "i64": "int64"}


class Constant(Expression):
    """A number or an array."""

    def __init__(self, value: Any) -> None:
        self.value = value if isinstance(value, (bool, int, float)) else np.asarray(value)
        array = np.asarray(value)
        if array.dtype.kind not in "bifu":
            raise InputError(f"{value!r} is neither an expression nor an array of real numbers")
        self.name, self.shape, self.operands = "constant", array.shape, ()
        # Numbers of Python take the type of what they meet, as in NumPy; arrays of doubles that of what JAX computes.
        self.dtype = np.dtype(np.float32) if array.dtype == np.float64 else array.dtype

    @cached_property
    def variables(self) -> tuple[Var, ...]:
        return ()

    def compute(self, values: Environment, operands: Sequence[Array]) -> Array:
        return self.value if isinstance(self.value, (bool, int, float)) else jnp.asarray(self.value)


def expression(value: Any) -> Expression:
    """An expression: as it is, or a number or an array as one."""
    return value if isinstance(value, Expression) else Constant(value)


def binary(name: str, function: Callable[..., Array], x: Any, y: Any) -> Expression:
    """An operation on two operands; numbers of Python are built in, so that they don't change the other's type."""
    if isinstance(y, (bool, int, float)):
        return Expression(name, lambda a: function(a, y), [expression(x)])
    if isinstance(x, (bool, int, float)):
        return Expression(name, lambda b: function(x, b), [expression(y)])
    return Expression(name, function, [expression(x), expression(y)])


def precision(variables: Sequence[Var]) -> AbstractContextManager[Any]:
    """Where there are doubles, JAX is to compute with them."""
    wide = any(v.dtype.itemsize == 8 for v in variables)
    return jax.enable_x64(True) if wide else nullcontext()


def lowered(function: Callable[..., Array], variables: Sequence[Var]) -> Any:
    """The MLIR module of a JAX function of these variables."""
    specs = [jax.ShapeDtypeStruct(v.shape, v.dtype) for v in variables]
    with precision(variables):
        return clone(jax.jit(function, keep_unused=True).lower(*specs).compiler_ir("stablehlo"))


def finished(module: Any) -> Module:
    """A program without what it has no use for."""
    optimize(module)
    with module.context:
        for function in functions(module).values():
            drop_dead(function.entry_block)
    return Module(module)


def named(function: Callable[..., Any], variables: Sequence[Var]) -> Callable[..., Any]:
    """A function that can be called by its variables' names as well."""

    def by_name(*arguments: Array, **keywords: Array) -> Any:
        return function(*ordered(variables, arguments, keywords))

    return by_name


def ordered(variables: Sequence[Var], arguments: Sequence[Array], by_name: Mapping[str, Array]) -> list[Array]:
    """The values of variables, given in their order or by name."""
    names = [v.name for v in variables]
    takes = f"it takes {', '.join(names) or 'nothing'}"
    if len(arguments) > len(names):
        raise InputError(f"{len(arguments)} values for {len(names)} variables", hint=takes)
    values = dict(zip(names, arguments, strict=False))
    for name, value in by_name.items():
        if name in values or name not in names:
            raise InputError(f"{name} is given twice" if name in values else f"there is no variable {name}", hint=takes)
        values[name] = value
    missing = [n for n in names if n not in values]
    if missing:
        raise InputError(f"there is no value for {', '.join(missing)}", hint=takes)
    return [values[n] for n in names]


def fit(variable: Var, value: Array) -> np.ndarray[Any, Any]:
    """A value as the variable takes it."""
    array = np.asarray(value)
    if array.shape != variable.shape:
        raise InputError(f"{variable.name} has the shape {variable.shape}, and its value {array.shape}")
    return array.astype(variable.dtype)


def _misfit(name: str, operands: Sequence[Expression], error: Exception) -> InputError:
    """What was asked for doesn't fit: say what each operand is."""
    shown = " and ".join(f"{_short(o)} of shape {o.shape}" for o in operands)
    reason = str(error).strip().partition("\n")[0].rstrip(".")
    return InputError(f"{name} can't be applied to {shown}: {reason}")


def _short(e: Expression) -> str:
    text = repr(e) if not isinstance(e, Constant) else str(e.value)
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}..."
