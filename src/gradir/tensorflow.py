"""TensorFlow: programs out of it, and functions into it. It is imported when first used, which takes seconds.

>>> import gradir.tensorflow as gt                              # doctest: +SKIP
>>> gt.value_and_grad(loss)(x)                                  # of a tf.function, by its variables    # doctest: +SKIP
>>> gt.function(gradir.load("kernel.c"), "curve", r="x", n=4)   # a native function as an op            # doctest: +SKIP
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import compress
from typing import Any

import numpy as np

from gradir.errors import InputError, MissingExtra, RequestError
from gradir.jax.program import Program, differentiable, program_in
from gradir.module import Module
from gradir.module import load as load_module
from gradir.native import NativeFunction, NativeModule
from gradir.native.function import several
from gradir.native.kernel import Form, Kernel, Layout, Mask, kernel_of
from gradir.native.pure import Pure
from gradir.tensorflow_graph import refuse_lost_derivatives

__all__ = ["function", "load", "value_and_grad"]


@cache
def _tf() -> Any:
    if find_spec("tensorflow") is None:
        raise MissingExtra("tensorflow", "tensorflow")
    return import_module("tensorflow")


# -- Out of TensorFlow -----------------------------------------------------------------------------------------------


def load(f: Any, *inputs: Any) -> Module:
    """The program of a `tf.function` (or of any function) at inputs like these, as XLA is given it.

    Its function `main` takes the inputs and then what the function captures, variables among them, in the order of
    `f.get_concrete_function(*inputs).captured_inputs`; it gives the results, and then the new contents of variables
    that the function assigns to.
    """
    compiled = _compiled(f)
    return _program(compiled, compiled.get_concrete_function(*inputs), inputs)


def _program(compiled: Any, concrete: Any, inputs: Sequence[Any]) -> Module:
    refuse_lost_derivatives(concrete)
    module = load_module(compiled.experimental_get_compiler_ir(*inputs)(stage="stablehlo"))
    taken, given = len(module.function("main").arguments), len(concrete.inputs)
    if taken != given:
        raise InputError(
            f"of {given} inputs and captured values TensorFlow's compiler takes {taken}: those that are empty, or that "
            "shapes are computed from, are part of the program",
            hint="give shapes as Python's numbers, and leave empty tensors out",
        )
    return module


def value_and_grad(f: Any, variables: Sequence[Any] | None = None) -> Callable[..., tuple[Any, list[Any]]]:
    """Inputs -> the value of a `tf.function`, and its gradients by variables, as an optimizer of Keras takes them.

    `variables` are TensorFlow's or Keras' (`model.trainable_variables`), of which one that the function doesn't capture
    has None; without, they are those of `f.get_concrete_function(*inputs).trainable_variables`, in that order. For each
    set of shapes, the derivative is made once. Variables that the function assigns to (a batch norm's averages) are
    assigned to.
    """
    compiled = _compiled(f)
    chosen = None if variables is None else [_of_keras(v) for v in variables]
    made: dict[Any, _Step] = {}

    def called(*inputs: Any) -> tuple[Any, list[Any]]:
        given = _tf().nest.map_structure(_tf().convert_to_tensor, inputs)
        flat = _tf().nest.flatten(given)
        key = (*((tuple(x.shape), x.dtype) for x in flat), _structure(given))
        if key not in made:
            made[key] = _Step(compiled, given, chosen)
        return made[key](flat)

    return called


def _structure(tree: Any) -> str:
    """What a nest of tensors is but for the tensors."""
    return str(_tf().nest.map_structure(lambda _: 0, tree))


class _Step:
    """A function's value and gradients at inputs of certain shapes, compiled."""

    def __init__(self, compiled: Any, inputs: Sequence[Any], variables: Sequence[Any] | None) -> None:
        concrete = compiled.get_concrete_function(*inputs)
        if len(concrete.outputs) != 1:
            raise RequestError(f"the function gives {len(concrete.outputs)} results, and gradients are of one number")
        self._captured = [_variable(c, concrete.variables) for c in concrete.captured_inputs]
        asked = concrete.trainable_variables if variables is None else variables
        places = [_place(v, self._captured) if v.dtype.is_floating or v.dtype.is_complex else None for v in asked]
        self._is_by = [place is not None for place in places]
        if not any(self._is_by):
            raise RequestError("the function captures no variable that is trained")
        front = len(_tf().nest.flatten(inputs))
        module = _program(compiled, concrete, inputs)
        self._assigned = [self._captured[i - front] for i in _assigned(module)]
        wrt = tuple(front + place for place in places if place is not None)
        self._executable = module.value_and_grad("main", wrt=wrt).compile("value_and_grad_main")

    def __call__(self, inputs: Sequence[Any]) -> tuple[Any, list[Any]]:
        value, *rest = self._executable(*(x.numpy() for x in (*inputs, *self._captured)))
        for variable, new in zip(self._assigned, rest, strict=False):
            variable.assign(new)
        gradients = map(_tf().convert_to_tensor, rest[len(self._assigned) :])
        return _tf().convert_to_tensor(value), [next(gradients) if is_by else None for is_by in self._is_by]


def _assigned(module: Module) -> list[int]:
    """The arguments of `main` that its results after the first are the new contents of."""
    extra = len(module.function("main").results) - 1
    if not extra:
        return []
    attributes = module.ir.operation.attributes
    known = attributes.get("mhlo.input_output_alias", ())
    place = {
        output: alias["alias"]["parameter_number"].value for alias in known for output in [*alias["output_index"]][:1]
    }
    if sorted(place) != [*range(1, extra + 1)]:
        raise RequestError(
            "the function assigns to variables, and TensorFlow does not say which",
            hint="assign to them outside of it",
        )
    return [place[i + 1] for i in range(extra)]


def _compiled(f: Any) -> Any:
    """The function for XLA: TensorFlow gives the program of such functions alone."""
    return _tf().function(getattr(f, "python_function", f), jit_compile=True)


def _variable(captured: Any, variables: Sequence[Any]) -> Any:
    """The variable that a captured handle belongs to; what is no handle is a value."""
    return next((v for v in variables if v.handle is captured), captured)


def _of_keras(variable: Any) -> Any:
    """TensorFlow's variable that one of Keras holds."""
    return variable if isinstance(variable, _tf().Variable) else variable.value


def _place(variable: Any, among: Sequence[Any]) -> int | None:
    return next((i for i, v in enumerate(among) if v is variable), None)


# -- Into TensorFlow -------------------------------------------------------------------------------------------------


def function(
    f: Any, fn: str | None = None, *, outputs: Any = None, batch: str | Sequence[str] = (), **given: Any
) -> Callable[..., Any]:
    """A native function, or one of a `Module`, as a differentiable TensorFlow function, for layers that train.

    Tensors are given for arrays and floating-point numbers, integers as they are. `batch` names (or numbers, for a
    module) the arguments that have a first dimension for a batch: the function runs for each of its elements. Results
    are what the function returns and the arrays that it writes. Keywords say what arguments are that are left out: of
    an array that is written the shape, of others the value; a function of other arguments' names computes either, from
    shapes. It runs on the CPU, outside of TensorFlow's own compiler (`jit_compile=False`).
    """
    if isinstance(f, NativeModule):
        f = f.function(fn)
    if isinstance(f, NativeFunction):
        return _native(Layout(Pure(f, given, outputs)), several(batch))
    if isinstance(f, Module):
        if given or outputs is not None:
            raise RequestError("a StableHLO function takes all of its arguments and gives all of its results")
        return _stablehlo(f, fn, several(batch))
    raise RequestError(f"a {type(f).__name__} is no native function or module", hint="give what gradir.load gives")


class _Operator(ABC):
    """Arrays to arrays, with the operator of its derivative. Inputs in the `mask` have a batch's dimension."""

    dtypes: Sequence[Any]
    float_ins: Mask
    float_outs: Mask
    mask: Mask

    @abstractmethod
    def run(self, arrays: Sequence[Any]) -> list[Any]: ...

    @abstractmethod
    def shapes(self, shapes: Sequence[Any]) -> list[Any]: ...

    @abstractmethod
    def vjp(self, active: Mask) -> _Operator: ...


def _apply(operator: _Operator, tensors: Sequence[Any]) -> list[Any]:
    """The operator as an op with a gradient, which has one, too."""
    active = operator.float_ins

    @_tf().custom_gradient
    def called(*xs: Any) -> Any:
        def run(*arrays: Any) -> list[Any]:
            return operator.run(arrays)

        found = _tf().numpy_function(run, xs, [_tf().as_dtype(d) for d in operator.dtypes], stateful=False)
        results = list(found) if isinstance(found, (list, tuple)) else [found]
        for result, shape in zip(results, operator.shapes([tuple(x.shape) for x in xs]), strict=True):
            result.set_shape(shape)

        def gradient(*cotangents: Any) -> list[Any]:
            pulled = iter(_apply(operator.vjp(active), [*xs, *compress(cotangents, operator.float_outs)]))
            sums = any(operator.mask)
            return [
                (_tf().reduce_sum(next(pulled), 0) if sums and not m else next(pulled)) if a else None
                for a, m in zip(active, operator.mask, strict=True)
            ]

        return results, gradient

    results = called(*tensors)
    return list(results) if isinstance(results, (list, tuple)) else [results]


class _KernelOperator(_Operator):
    def __init__(self, kernel: Kernel, form: Callable[[Sequence[Any]], Form], mask: Mask) -> None:
        self.kernel, self._form, self.mask = kernel, form, mask
        self.dtypes = [s.dtype for s in kernel.outs]
        self.float_ins, self.float_outs = kernel.float_ins, kernel.float_outs

    def _one(self, shapes: Sequence[Any]) -> list[Any]:
        return [tuple(s[1:]) if m else tuple(s) for s, m in zip(shapes, self.mask, strict=True)]

    def shapes(self, shapes: Sequence[Any]) -> list[Any]:
        single = self._one(shapes)
        if any(n is None for s in single for n in s):
            return [None] * len(self.dtypes)
        sizes = [s[0] for s, m in zip(shapes, self.mask, strict=True) if m]
        front = (next((n for n in sizes if n is not None), None),) if sizes else ()
        return [(*front, *s) for s in self._form(single).outs]

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        arrays = list(map(np.asarray, arrays))
        form = self._form(self._one([a.shape for a in arrays]))
        dense = [
            np.ascontiguousarray(_turned(a, m) if s.fortran else a, s.dtype)
            for a, s, m in zip(arrays, self.kernel.ins, self.mask, strict=True)
        ]
        sizes = {len(a) for a, m in zip(arrays, self.mask, strict=True) if m}
        if len(sizes) > 1:
            raise InputError(f"{self.kernel.name}: batches of {' and '.join(map(str, sorted(sizes)))} elements")
        front = tuple(sizes)
        shapes = [s[::-1] if spec.fortran else s for s, spec in zip(form.outs, self.kernel.outs, strict=True)]
        outs = [np.empty((*front, *s), d) for s, d in zip(shapes, self.dtypes, strict=True)]
        batched = [*self.mask, *[bool(front)] * len(outs)]
        steps = [a.strides[0] if m else 0 for a, m in zip((*dense, *outs), batched, strict=True)]
        count = front[0] if front else 1
        self.kernel.run_many([a.ctypes.data for a in (*dense, *outs)], steps, count, form.statics)
        return [_turned(o, bool(front)) if s.fortran else o for o, s in zip(outs, self.kernel.outs, strict=True)]

    def vjp(self, active: Mask) -> _Operator:
        n, mask = len(self.mask), self.kernel.vjp_ins(self.mask, [any(self.mask)] * len(self.float_outs))

        def form(shapes: Sequence[Any]) -> Form:
            return self._form(shapes[:n]).giving(shapes[:n], active)

        return _KernelOperator(self.kernel.vjp(active), form, mask)


def _turned(array: Any, batch: bool) -> Any:
    """With its dimensions in reverse, but for that of a batch."""
    return array.transpose(*range(batch), *range(array.ndim - 1, batch - 1, -1))


def _native(layout: Layout, batch: Sequence[str | int]) -> Callable[..., Any]:
    kernel = kernel_of(layout)
    batched = {layout.pure.function.index(b) for b in batch}
    mask = tuple(i in batched for i in layout.tensors)
    fixed = layout.fixed.values()

    def called(*args: Any) -> Any:
        values, integers = layout.passed(args, fixed)
        tensors = [
            _fitting(value, spec.dtype, f"'{spec.name}'", kernel.name)
            for value, spec in zip(values, kernel.ins, strict=True)
        ]
        operator = _KernelOperator(kernel, lambda shapes: layout.form(shapes, integers), mask)
        results = _apply(operator, tensors)
        return results[0] if len(results) == 1 else tuple(results)

    called.__name__ = called.__qualname__ = kernel.name
    return called


def _fitting(value: Any, dtype: Any, what: str, name: str) -> Any:
    found = _tf().convert_to_tensor(value, dtype if isinstance(value, (bool, int, float)) else None)
    if found.dtype != _tf().as_dtype(dtype):
        raise InputError(
            f"{name}: {what} must be a tensor of {np.dtype(dtype)}, not one of {found.dtype.name}",
            hint=f"convert it: tf.cast(x, '{np.dtype(dtype)}')",
        )
    return found


class _ProgramOperator(_Operator):
    def __init__(self, program: Program, mask: Mask) -> None:
        self.program, self.mask = program, mask
        self.dtypes = [np.dtype(a.dtype) for a in program.outs]
        self.float_ins, self.float_outs = differentiable(program.ins), differentiable(program.outs)
        self._executables: dict[int, Any] = {}

    def shapes(self, shapes: Sequence[Any]) -> list[Any]:
        sizes = [s[0] for s, m in zip(shapes, self.mask, strict=True) if m]
        front = (next((n for n in sizes if n is not None), None),) if sizes else ()
        return [(*front, *a.shape) for a in self.program.outs]

    def run(self, arrays: Sequence[Any]) -> list[Any]:
        size = next((len(a) for a, m in zip(arrays, self.mask, strict=True) if m), 0)
        if size not in self._executables:
            program = self.program.batch_all(self.mask, size) if any(self.mask) else self.program
            self._executables[size] = load_module(program.bytecode()).compile("main")
        found = self._executables[size](*arrays)
        return list(found) if isinstance(found, tuple) else [found]

    def vjp(self, active: Mask) -> _Operator:
        if active not in self._pulled:
            mask = (*self.mask, *[any(self.mask)] * sum(self.float_outs))
            self._pulled[active] = _ProgramOperator(self.program.reverse(active, self.float_outs, False), mask)
        return self._pulled[active]

    @cached_property
    def _pulled(self) -> dict[Mask, _Operator]:
        return {}


def _stablehlo(module: Module, fn: str | None, batch: Sequence[str | int]) -> Callable[..., Any]:
    signature = module.function(fn)
    if not signature.is_static:
        raise InputError(f"{signature.name} has dimensions that are known at run time only: {signature}")
    names = [spec.name for spec in signature.arguments]
    batched = {names.index(b) if isinstance(b, str) and b in names else b for b in batch}
    wrong = [b for b in batched if not isinstance(b, int) or not 0 <= b < len(names)]
    if wrong:
        raise RequestError(f"{signature.name} has no argument {wrong[0]!r}", hint=str(signature))
    mask = tuple(i in batched for i in range(len(names)))
    operator = _ProgramOperator(program_in(module.lower(keeps_ends=True).ir, signature.name), mask)

    def called(*args: Any) -> Any:
        if len(args) != len(names):
            raise InputError(f"{signature.name} takes {len(names)} arguments, not {len(args)}")
        tensors = [
            _fitting(x, a.dtype, f"argument {i}", signature.name)
            for i, (x, a) in enumerate(zip(args, operator.program.ins, strict=True))
        ]
        results = _apply(operator, tensors)
        return results[0] if len(results) == 1 else tuple(results)

    called.__name__ = called.__qualname__ = signature.name
    return called
