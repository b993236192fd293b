"""What runs a StableHLO module. A back end is an object with a name that turns a module into a callable.

    xla        jax's client: CPU and GPU, one or several devices
    iree       IREE's compiler and runtime (extra `iree`)
    reference  StableHLO's own interpreter: slow, and the arbiter of what an op means

Everything a user hands over is checked here, before any back end sees it.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from gradir.errors import InputError, RequestError

if TYPE_CHECKING:
    from gradir.tensor.ir.entry import Program
    from gradir.tensor.ir.signature import TensorSpec

__all__ = ["BACKENDS", "Array", "Backend", "Executable", "Runner", "backend"]

Array = Any
"""A NumPy array, a JAX array, or anything with `__dlpack__` or the buffer protocol."""

Runner = Callable[[list[Array]], list[Array]]
Shapes = tuple[tuple[int, ...], ...]

BACKENDS = ("xla", "iree", "reference")


class Backend(Protocol):
    """One way to run a program."""

    name: str
    extra: str | None
    """The extra of gradir that installs what the back end needs; None if gradir always has it."""

    def available(self) -> bool:
        """Whether the packages it needs are installed."""
        ...

    def describe(self) -> str:
        """What is there, in a few words, for `gradir doctor`."""
        ...

    def compile(self, program: Program, **options: Any) -> Runner:
        """A callable from arrays to arrays. What it is given fits the signature, whose dimensions are all known."""
        ...


def backend(name: str) -> Backend:
    """The back end of that name.

    >>> backend("xla").name
    'xla'
    """
    if name not in BACKENDS:
        raise RequestError(f"there is no back end '{name}'", hint=f"the back ends are {', '.join(BACKENDS)}")
    return cast(Backend, import_module(f"gradir.backends.{name}").BACKEND)


class Executable:
    """A compiled function: call it with arrays.

    It returns NumPy arrays, or JAX arrays if any argument was one; a tuple if the function has several results.
    """

    def __init__(self, program: Program, backend: Backend, options: Mapping[str, Any]) -> None:
        self.signature = program.signature
        self.backend = backend.name
        _check_options(backend, options)
        self._program = program
        self._backend = backend
        self._options = dict(options)
        self._runners: dict[Shapes, Runner] = {}
        self._expected = [(spec.shape, spec.dtype) for spec in self.signature.arguments]
        if program.signature.is_static:  # errors of compilation come now rather than at the first call
            self._runner([])

    def __call__(self, *arguments: Array) -> Any:
        specs = self.signature.arguments
        if len(arguments) != len(specs):
            raise InputError(
                f"{self.signature.name} takes {len(specs)} argument{'s' * (len(specs) != 1)} but got {len(arguments)}",
                hint=f"its signature is {self.signature}",
            )
        jax_array: Any = jax_array_type()
        checked = [
            x
            # What fits is the rule, so it is found out before anything is said about what doesn't.
            if type(x) is jax_array and x.shape == shape and x.dtype == dtype
            else self._check(i, specs[i], x)
            for i, (x, (shape, dtype)) in enumerate(zip(arguments, self._expected, strict=True))
        ]
        results = self._runner(checked)(checked)
        given = _as_jax if any(map(is_jax, checked)) else _as_numpy
        if given is _as_numpy or self.backend != "xla":  # whose results are JAX arrays already
            results = [[given(x) for x in r] if isinstance(r, list) else given(r) for r in results]
        return results[0] if len(results) == 1 else tuple(results)

    def _runner(self, arguments: Sequence[Array]) -> Runner:
        """The compiled program; one for each set of shapes, where dimensions are known at run time only."""
        shapes: Shapes = ()
        if not self.signature.is_static:
            shapes = tuple((x[0] if isinstance(x, list) else x).shape for x in arguments)
        if shapes not in self._runners:
            program = self._program if self.signature.is_static else self._program.refined(shapes)
            self._runners[shapes] = self._backend.compile(program, **self._options)
        return self._runners[shapes]

    def __repr__(self) -> str:
        return f"<gradir.Executable on {self.backend}: {self.signature}>"

    def _check(self, i: int, spec: TensorSpec, value: Array) -> Array:
        if self._program.replicas > 1 and isinstance(value, (list, tuple)) and len(value) == self._program.replicas:
            return [self._check(i, spec, one) for one in value]
        name = f"argument {i}" + (f" ({spec.name})" if spec.name else "") + f" of {self.signature.name}"
        array = as_array(value, spec, name)
        if array.dtype != spec.dtype or not spec.accepts(array.shape):
            got = f"{array.dtype}[{','.join(map(str, array.shape))}]"
            hint = None
            if array.dtype != spec.dtype and spec.accepts(array.shape):
                hint = f"convert it, e.g. with x.astype({str(spec.dtype)!r})"
            raise InputError(f"{name}: expected {spec} but got {got}", hint=hint)
        return array


def _check_options(backend: Backend, options: Mapping[str, Any]) -> None:
    known = [p.name for p in inspect.signature(backend.compile).parameters.values() if p.kind is p.KEYWORD_ONLY]
    for option in options:
        if option not in known:
            raise RequestError(
                f"the {backend.name} back end has no option '{option}'", hint=f"its options are {', '.join(known)}"
            )


def jax_array_type() -> type | None:
    """The type of JAX's arrays; None where JAX is not imported, and so there are none."""
    client = sys.modules.get("jaxlib.xla_client")
    return None if client is None else client.ArrayImpl


def is_jax(value: Array) -> bool:
    """Whether this is (or holds) a JAX array."""
    if isinstance(value, list):
        return any(map(is_jax, value))
    return type(value) is jax_array_type()


def _is_traced(value: Array) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(value, jax.core.Tracer)


def _as_jax(result: Array) -> Array:
    if is_jax(result):
        return result
    import jax

    with jax.enable_x64(True):
        return jax.device_put(result)


def _as_numpy(result: Array) -> Array:
    import numpy as np

    return np.asarray(result)


def as_array(value: Array, spec: TensorSpec, name: str) -> Array:
    """`value` as a NumPy or JAX array, without a copy where it is one already, in whatever form it has.

    Python numbers and lists have no dtype of their own, so they take the argument's, if that loses nothing.
    """
    import numpy as np

    if isinstance(value, np.ndarray) or is_jax(value):
        return value
    if _is_traced(value):
        raise InputError(
            f"{name}: a value that JAX is tracing has no contents yet", hint="under jit, grad or vmap use gradir.jax"
        )
    if spec.dtype is None:
        raise InputError(f"{name}: {spec} has no form as an array")
    try:
        if isinstance(value, np.generic):
            return np.asarray(value)
        if isinstance(value, (bool, int, float, complex, Sequence)) and not isinstance(value, (str, bytes)):
            return _literal(value, spec, name)
        if hasattr(value, "__dlpack__"):
            return _from_dlpack(value)
        return np.asarray(value if hasattr(value, "__array__") else memoryview(value))
    except (TypeError, ValueError, BufferError, OverflowError, RuntimeError) as error:
        reason = str(error).partition(". ")[0]
        raise InputError(f"{name}: expected {spec} but got a {type(value).__name__}: {reason}") from None


def _literal(value: Any, spec: TensorSpec, name: str) -> Array:
    """Python numbers as an array of the argument's dtype: from integer to real to complex, never back."""
    import ml_dtypes
    import numpy as np

    natural = np.asarray(value)
    if natural.size and natural.dtype.kind not in _LITERALS[spec.kind]:
        raise InputError(f"{name}: {value!r} is no {spec}")
    if natural.size and spec.kind == "integer":
        limits = ml_dtypes.iinfo(spec.dtype)
        if natural.min() < limits.min or natural.max() > limits.max:
            raise InputError(f"{name}: {value!r} doesn't fit into {spec.element}")
    return natural.astype(spec.dtype)


_LITERALS = {"truth": "b", "integer": "iu", "real": "iuf", "complex": "iufc"}
"""NumPy's kinds of the literals that an argument of each kind takes."""


def _from_dlpack(value: Any) -> Array:
    import numpy as np

    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError):  # on a GPU, or of a type that NumPy doesn't have, such as bf16
        import jax

        with jax.enable_x64(True):
            return jax.dlpack.from_dlpack(value)
