"""CUDA kernels as functions of values: from arrays to arrays, with kernels for their derivatives.

What a kernel writes comes back as a result, and nothing that it is given changes: this is how PyTorch and JAX call one
in their own ways (`gradir.torch.function`, `gradir.jax.function`). Where arrays and floats lie in memory is all that a
launch is passed, with integers by value: numbers that are differentiated by are read by the kernel itself, so that they
may be results of the device that the host has not seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress
from operator import index
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gradir.errors import RequestError
from gradir.frontends.cuda import CudaModule, Launchable, three
from gradir.machine.jit.arguments import integer_limits
from gradir.machine.jit.signature import Argument, Scalar, Signature
from gradir.native.function import Role, Wrt, index_of
from gradir.native.kernel import Form, Mask, Spec
from gradir.native.pure import Pure, Shaped, element_of
from gradir.request import Mode

__all__ = ["Buffer", "CudaKernel", "CudaLayout"]

T = TypeVar("T")


class Buffer(NamedTuple):
    """Memory that a launch is passed: an input as it is, or memory of its own that begins as a copy of one, or as
    zeros."""

    spec: Spec
    source: int | None
    """The number of the input; None for zeros."""
    is_own: bool = False
    result: int | None = None
    """Which of the results it is afterwards, if any."""


class _KernelFunction:
    """A kernel, as `Pure` asks about functions."""

    def __init__(self, module: CudaModule, name: str | None) -> None:
        self.module = module
        self.signature: Signature = module.signature(name)
        self.name, self.arguments = self.signature.name, self.signature.arguments
        self.roles = [Role(True, not a.is_const, None, a.pointee is not None) for a in self.arguments]

    def index(self, which: str | int) -> int:
        return index_of(self.name, self.arguments, which)


class CudaLayout:
    """Which of a kernel's parameters are inputs, outputs and integers, and how it is launched."""

    def __init__(
        self,
        module: CudaModule,
        name: str | None,
        given: Mapping[str, Any],
        outputs: Wrt = None,
        *,
        grid: Any,
        block: Any,
        shared: Any = 0,
    ) -> None:
        """`grid`, `block` and `shared` (the bytes of `extern __shared__` memory) are sizes, or functions of arguments
        by their names. `outputs` are those of what the kernel writes that are asked for."""
        self.function = _KernelFunction(module, name)
        asked = Pure(self.function, given, outputs).outputs  # type: ignore[arg-type]
        self.pure = Pure(self.function, given)  # type: ignore[arg-type]
        self.asked = [self.pure.outputs.index(i) for i in asked]
        """Of what is written."""
        arguments = self.function.arguments
        self.tensors = [i for i, a in enumerate(arguments) if i not in self.pure.fresh and not _is_integer(a)]
        self.integers = [i for i in self.pure.inputs if _is_integer(arguments[i])]
        """Those that the caller gives."""
        for i in self.tensors:
            if i not in self.pure.inputs:
                raise RequestError(
                    f"{self.function.name}: '{arguments[i].name}' is no integer and nothing that the kernel writes",
                    hint="let the caller give it",
                )
        self.ins, self.outs = [self.spec(i) for i in self.tensors], [self.spec(i) for i in self.pure.outputs]
        self._sizes, self._shared = (grid, block), shared

    def spec(self, i: int) -> Spec:
        argument = self.function.arguments[i]
        element = element_of(argument)
        if element is None or element.dtype is None or element.kind not in "fiub":
            raise RequestError(f"{self.function.name}: '{argument}' can't be passed from here")
        return Spec(argument.name, element.dtype)

    def form(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Form:
        """What a launch is passed besides memory, for inputs of these shapes: integers, and the sizes of the grid, of
        a block and of shared memory."""
        known: dict[int, Any] = {i: Shaped(tuple(s)) for i, s in zip(self.tensors, shapes, strict=True)}
        known |= dict(zip(self.integers, integers, strict=True))
        resolved = self.pure.resolved([known[i] for i in self.pure.inputs])
        numbers = [self._integer(i, {**known, **resolved}[i]) for i in self.numbers]
        sizes = [n for size in self._sizes for n in three(self._size(size, known))]
        outs = self.shapes(shapes, numbers)
        shared = index(self._size(self._shared, known))
        return Form(tuple(outs[i] for i in self.pure.outputs), (*numbers, *sizes, shared))

    def shapes(self, shapes: Sequence[tuple[int, ...]], numbers: Sequence[int]) -> dict[int, tuple[int, ...]]:
        """The shapes of all memory that a launch is passed, by parameter, for inputs of these and for integers."""
        known: dict[int, Any] = {i: Shaped(tuple(s)) for i, s in zip(self.tensors, shapes, strict=False)}
        known |= dict(zip(self.numbers, numbers, strict=True))
        resolved = self.pure.resolved([known[i] for i in self.pure.inputs])
        found = {i: tuple(known[i].shape) for i in self.tensors}
        return found | {i: tuple(resolved[i]) for i in self.pure.fresh}

    @cached_property
    def numbers(self) -> list[int]:
        return [i for i, a in enumerate(self.function.arguments) if _is_integer(a)]

    def _size(self, rule: Any, known: Mapping[int, Any]) -> Any:
        """The size of a grid or a block: as it is, or computed from arguments by their names."""
        return rule(*self.pure.named(rule, known)) if callable(rule) else rule

    def _integer(self, i: int, value: Any) -> int:
        argument = self.function.arguments[i]
        kind = argument.type
        assert isinstance(kind, Scalar)
        try:
            number = value.__index__()
        except (AttributeError, TypeError):
            what = f"'{argument}' must be an integer known beforehand, not a {type(value).__name__}"
            raise RequestError(f"{self.function.name}: {what}") from None
        low, high = integer_limits(kind)
        if not low <= number < high:
            raise RequestError(f"{self.function.name}: {number} is no {kind} ('{argument}')")
        return int(number)


def _is_integer(argument: Argument) -> bool:
    return isinstance(argument.type, Scalar) and argument.type.kind in "iub"


class CudaKernel:
    """A kernel from inputs to outputs: itself, its vjp or its jvp."""

    def __init__(self, layout: CudaLayout, mode: Mode | None = None, active: Mask = ()) -> None:
        self.layout, self.mode, self.active = layout, mode, active
        self._made: dict[tuple[Mode, Mask], CudaKernel] = {}
        floats = [s for s in layout.outs if s.is_float]
        chosen = list(compress(layout.ins, active))
        self.ins, self.outs, self.name = layout.ins, layout.outs, layout.function.name
        if mode is Mode.reverse:
            self.ins = [*layout.ins, *(replace(s, name=f"ct_{s.name}") for s in floats)]
            self.outs = [replace(s, name=f"d_{s.name}") for s in chosen]
        elif mode is Mode.forward:
            self.ins = [*layout.ins, *(replace(s, name=f"d_{s.name}") for s in chosen)]
            self.outs = [replace(s, name=f"d_{s.name}") for s in floats]
        self.float_ins: Mask = tuple(s.is_float for s in self.ins)
        self.float_outs: Mask = tuple(s.is_float for s in self.outs)

    def __repr__(self) -> str:
        kind = "kernel" if self.mode is None else {Mode.reverse: "vjp of", Mode.forward: "jvp of"}[self.mode]
        return f"<{kind} {self.name}({', '.join(s.name for s in self.ins)}) -> {', '.join(s.name for s in self.outs)}>"

    @cached_property
    def digest(self) -> str:
        """What tells it from any other, in any process."""
        layout = self.layout
        function = layout.function
        said = (function.module.text, function.signature.symbol, self.mode, self.active, layout.pure.fresh)
        return hashlib.sha256(repr(said).encode()).hexdigest()[:24]

    def vjp(self, active: Mask) -> CudaKernel:
        """`(inputs…, cotangents of float outputs…) -> gradients of the active inputs…`."""
        return self._derived(Mode.reverse, active)

    def jvp(self, active: Mask) -> CudaKernel:
        """`(inputs…, tangents of the active inputs…) -> tangents of float outputs…`."""
        return self._derived(Mode.forward, active)

    def vjp_ins(self, ins: Sequence[T], outs: Sequence[T]) -> tuple[T, ...]:
        """For each input of a vjp what is said of the input or output that it belongs to."""
        return (*ins, *compress(outs, self.float_outs))

    def jvp_ins(self, ins: Sequence[T], active: Mask) -> tuple[T, ...]:
        """The same for each input of a jvp."""
        return (*ins, *compress(ins, active))

    def _derived(self, mode: Mode, active: Mask) -> CudaKernel:
        if self.mode is not None:
            raise RequestError(
                f"{self.name}: a kernel has no second derivatives",
                hint="differentiate once, or write the derivative as a kernel of its own",
            )
        if (mode, active) not in self._made:
            self._made[mode, active] = CudaKernel(self.layout, mode, active)
        return self._made[mode, active]

    @cached_property
    def launchable(self) -> Launchable:
        """What is launched: with the addresses of arrays and floats, and with integers."""
        function = self.layout.function
        wrt = [function.arguments[i].name for i in self._shadowed]
        return function.module.boxed(function.signature.symbol, self.mode, wrt)

    @cached_property
    def _shadowed(self) -> list[int]:
        """The parameters with shadows: what is active, and the floats that are written."""
        if self.mode is None:
            return []
        layout = self.layout
        active = {i for i, a in zip(layout.tensors, self.active, strict=True) if a}
        floats = {i for i in layout.pure.written if layout.spec(i).is_float}
        return sorted(active | floats)

    @cached_property
    def passed(self) -> list[Buffer | None]:
        """What a launch is passed, in the order of the kernel's parameters and shadows; None for an integer."""
        layout = self.layout
        places = {i: k for k, i in enumerate(layout.tensors)}
        outputs = {i: k for k, i in enumerate(layout.pure.outputs)}
        made: list[Buffer | None] = []
        for i in range(len(layout.function.arguments)):
            if i in layout.numbers:
                made.append(None)
            elif i in layout.pure.written:
                result = outputs.get(i) if self.mode is None else None
                made.append(Buffer(layout.spec(i), places.get(i), True, result))
            else:
                made.append(Buffer(layout.spec(i), places[i]))
        return [*made, *(self._shadow(i, places, outputs) for i in self._shadowed)]

    def _shadow(self, i: int, places: Mapping[int, int], outputs: Mapping[int, int]) -> Buffer:
        layout, spec, n = self.layout, self.layout.spec(i), len(self.layout.tensors)
        active = [k for k, a in enumerate(self.active) if a]
        floats = [k for k, s in enumerate(layout.outs) if s.is_float]
        of_input = active.index(places[i]) if i in places and places[i] in active else None
        of_output = floats.index(outputs[i]) if i in outputs else None
        if self.mode is Mode.reverse:
            return Buffer(spec, None if of_output is None else n + of_output, True, of_input)
        tangent = None if of_input is None else n + of_input
        if i in layout.pure.written:
            return Buffer(spec, tangent, True, of_output)
        return Buffer(spec, tangent)

    def own_shapes(self, shapes: Sequence[tuple[int, ...]], statics: Sequence[int]) -> list[tuple[int, ...]]:
        """The shapes of the buffers that are a launch's own, for inputs of these shapes."""
        known = self.layout.shapes(shapes, statics[:-7])
        parameters = [*range(len(self.layout.function.arguments)), *self._shadowed]
        return [known[i] for i, b in zip(parameters, self.passed, strict=True) if b is not None and b.is_own]

    def launch(self, addresses: Sequence[int], statics: Sequence[int], *, on_device: bool, stream: int = 0) -> None:
        """Run it on memory: one address for each buffer that it is passed."""
        numbers, sizes = iter(statics[:-7]), statics[-7:]
        places = iter(addresses)
        values = [next(numbers) if b is None else next(places) for b in self.passed]
        self.launchable.launch(sizes, values, on_device=on_device, stream=stream)

    def run_on_host(self, inputs: Sequence[Any], statics: Sequence[int]) -> list[Any]:
        """The results for NumPy's arrays, by the emulator."""
        given = [np.asarray(x, order="C") for x in inputs]
        own = iter(self.own_shapes([x.shape for x in given], statics))
        arrays, results = [], {}
        for b in self.passed:
            if b is None:
                continue
            array = given[b.source] if b.source is not None else None
            if b.is_own:
                shape = next(own)
                array = np.zeros(shape, b.spec.dtype) if array is None else np.array(array).reshape(shape)
            assert array is not None
            arrays.append(array)
            if b.result is not None:
                results[b.result] = array
        self.launch([a.ctypes.data for a in arrays], statics, on_device=False)
        return [results[k] for k in range(len(self.outs))]
