"""Functions of modules as PyTorch functions: differentiated as often as one likes, under `vmap` and `torch.compile`.

An `Operator` runs on tensors and knows the operators of its derivatives. One `torch.autograd.Function` serves all of
them: the backward of an operator is a call of another, so that it has a backward, too. `torch.compile` sees a custom
op with the name of the operator.
"""

from __future__ import annotations

import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import compress
from pickle import PicklingError
from typing import Any

import jax
import numpy as np
import torch
from torch import Tensor
from torch.autograd import forward_ad

from gradir.backends import Executable
from gradir.errors import InputError, RequestError
from gradir.frontends.cuda import CudaModule
from gradir.jax.functions import function as in_jax
from gradir.jax.program import Program, differentiable, program_in
from gradir.module import Module, load
from gradir.native import NativeFunction, NativeModule
from gradir.native.cuda import CudaKernel, CudaLayout
from gradir.native.function import Wrt
from gradir.native.kernel import Form, Kernel, Layout, Mask, Spec, kernel_of
from gradir.native.pure import Pure
from gradir.torch.aten.table import TABLE
from gradir.torch.exchange import to_jax, to_torch

__all__ = ["function"]


def function(
    f: Any,
    fn: str | None = None,
    *,
    outputs: Wrt = None,
    grid: Any = None,
    block: Any = None,
    shared: Any = 0,
    **given: Any,
) -> Callable[..., Any]:
    """A native function, one of a module, or a CUDA kernel, as a differentiable function of tensors.

    Native functions and modules take tensors on the CPU. A kernel takes those of one device, and `grid`, `block`
    and `shared` (the bytes of `extern __shared__` memory), the sizes of its launch, or functions that compute these
    from arguments by their names.

    Tensors are given for arrays and floating-point numbers (a number will do for these), integers as they are. Results
    are what the function returns and the arrays that it writes (or those of them that `outputs` names): one tensor,
    or a tuple. Arguments stay as they are. Keywords say what arguments are that are left out: of an array that is
    written the shape, of others the value; a function of other arguments' names computes either, from shapes.

    >>> import gradir, torch
    >>> m = gradir.load('''
    ... define double @square(double %x) {
    ...   %y = fmul double %x, %x
    ...   ret double %y
    ... }''')
    >>> x = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
    >>> function(m, "square")(x).backward()
    >>> x.grad.item()
    6.0
    """
    if isinstance(f, CudaModule):
        if grid is None or block is None:
            raise RequestError("a kernel needs the sizes of its launch", hint="give grid=… and block=…")
        return _Cuda(CudaLayout(f, fn, given, outputs, grid=grid, block=block, shared=shared))
    if grid is not None or block is not None:
        raise RequestError("only CUDA kernels have a grid and blocks")
    if isinstance(f, NativeModule):
        f = f.function(fn)
    elif isinstance(f, Module):
        if given or outputs is not None:
            raise RequestError("a StableHLO function takes all of its arguments and gives all of its results")
        return _of_module(f, fn)
    if isinstance(f, NativeFunction):
        return _Native(Layout(Pure(f, given, outputs)))
    raise RequestError(f"a {type(f).__name__} is no native function or module", hint="give what gradir.load gives")


# -- Operators -------------------------------------------------------------------------------------------------------


class Operator(ABC):
    """Tensors (and integers) to tensors, with the operators of its derivatives."""

    float_ins: Mask
    float_outs: Mask
    shared: Mask
    """Inputs that all elements of a batch share, but have a gradient for each."""

    def run(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        """The results. Who traces what PyTorch does (or makes tensors without contents) is told of a custom op."""
        if _watched():
            return tuple(_compiled(self.key, list(integers), list(tensors)))
        try:
            return self.compute(tensors, integers)
        except RuntimeError:  # the memory of such tensors can't be asked for
            if not any(map(_is_batched, tensors)):
                raise
        return self._over_hidden_batch(tensors, integers)

    def _over_hidden_batch(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        """Over the batch that PyTorch hides in tensors, in a backward pass for many cotangents (`is_grads_batched`)."""
        torch._C._vmapmode_increment_nesting()
        level = torch._C._vmapmode_decrement_nesting()
        mask = tuple(map(_is_batched, tensors))
        shown = [torch._remove_batch_dim(t, level, 1, 0) if b else t for t, b in zip(tensors, mask, strict=True)]
        if any(map(_is_batched, shown)):
            raise RequestError("a batch of cotangents within another", hint="use torch.func.vmap")
        size = next(len(t) for t, b in zip(shown, mask, strict=True) if b)
        return tuple(torch._add_batch_dim(r, 0, level) for r in self.batch_call(mask, size, integers, shown))

    @abstractmethod
    def compute(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]: ...

    @abstractmethod
    def shapes(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Sequence[tuple[int, ...]]:
        """The results' shapes, for inputs of these."""

    @property
    @abstractmethod
    def dtypes(self) -> Sequence[torch.dtype]:
        """The results' types."""

    @abstractmethod
    def vjp(self, active: Mask) -> Operator:
        """`(inputs…, cotangents of float results…) -> gradients of the active inputs…`."""

    @abstractmethod
    def jvp(self, active: Mask) -> Operator:
        """`(inputs…, tangents of active inputs…) -> tangents of float results…`."""

    @abstractmethod
    def batched(self, mask: Mask, size: int) -> Operator:
        """Over a new first dimension of the inputs in the mask, and of all results."""

    @abstractmethod
    def batch_call(self, mask: Mask, size: int, integers: Any, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        """A call over a new first dimension, of which autograd knows."""

    @cached_property
    def key(self) -> str:
        """What it is called in code that `torch.compile` makes.

        That is kept on disk, for other processes to find by its content: so no two processes have the same names.
        """
        key = f"{_process}.{len(_operators)}"
        _operators[key] = self
        return key


_process = uuid.uuid4().hex
_operators: dict[str, Operator] = {}


class _Apply(torch.autograd.Function):  # type: ignore[misc]
    """A call of an operator that autograd knows of."""

    @staticmethod
    def forward(ctx: Any, operator: Operator, integers: Any, *tensors: Tensor) -> Any:
        output = operator.run(tensors, integers)
        _remember(ctx, operator, integers, tensors, output)
        return output

    @staticmethod
    def backward(ctx: Any, *cotangents: Any) -> Any:
        operator, tensors = ctx.operator, ctx.saved_tensors
        active = tuple(n and f for n, f in zip(ctx.needs_input_grad[2:], operator.float_ins, strict=True))
        given = compress(cotangents, operator.float_outs)
        return None, None, *_gradients(operator, active, tensors, given, ctx.integers, _call)

    @staticmethod
    def jvp(ctx: Any, _operator: Any, _integers: Any, *tangents: Any) -> Any:
        operator, tensors = ctx.operator, ctx.saved_tensors
        active = tuple(t is not None and f for t, f in zip(tangents, operator.float_ins, strict=True))
        if not any(active):
            return (None,) * len(operator.float_outs)
        found = iter(_call(operator.jvp(active), ctx.integers, [*tensors, *compress(tangents, active)]))
        return tuple(next(found) if f else None for f in operator.float_outs)


class _ApplyInTransforms(_Apply):
    """The same, of which `torch.func` knows as well: PyTorch takes 30 µs more for a call of such a function."""

    @staticmethod
    def forward(operator: Operator, integers: Any, *tensors: Tensor) -> Any:  # type: ignore[override]
        return operator.run(tensors, integers)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: tuple[Tensor, ...]) -> None:
        operator, integers, *tensors = inputs
        _remember(ctx, operator, integers, tensors, output)

    @staticmethod
    def vmap(info: Any, in_dims: Any, operator: Operator, integers: Any, *tensors: Tensor) -> Any:
        size = info.batch_size
        mask = tuple(d is not None for d in in_dims[2:])
        fronted = [t if d is None else t.movedim(d, 0) for t, d in zip(tensors, in_dims[2:], strict=True)]
        results = operator.batch_call(mask, size, integers, fronted)
        return tuple(results), (0,) * len(results)


def _remember(ctx: Any, operator: Operator, integers: Any, tensors: Sequence[Tensor], output: Sequence[Tensor]) -> None:
    ctx.operator, ctx.integers = operator, integers
    ctx.save_for_backward(*tensors)
    if _in_forward_mode() or _in_transforms():
        ctx.save_for_forward(*tensors)
    if not all(operator.float_outs):
        ctx.mark_non_differentiable(*(o for o, f in zip(output, operator.float_outs, strict=True) if not f))


_watched: Callable[[], int] = getattr(torch._C, "_len_torch_dispatch_stack", lambda: 0)
"""How many modes see each op: `make_fx`'s, those of tensors without contents, users' own."""
_is_batched: Callable[[Tensor], bool] = getattr(torch._C._functorch, "is_legacy_batchedtensor", lambda _: False)
_in_transforms: Callable[[], bool] = getattr(torch._C, "_are_functorch_transforms_active", lambda: True)


def _in_forward_mode() -> bool:
    return getattr(forward_ad, "_current_level", 0) >= 0


def _call(operator: Operator, integers: Any, tensors: Sequence[Tensor]) -> Any:
    if _in_transforms():
        return _ApplyInTransforms.apply(operator, integers, *tensors)
    if torch.is_grad_enabled() or _in_forward_mode():
        return _Apply.apply(operator, integers, *tensors)
    return operator.run(tensors, integers)  # nobody asks for a derivative, as in most backward passes


def _gradients(
    operator: Operator, active: Mask, tensors: Sequence[Tensor], given: Iterable[Tensor], integers: Any, call: Any
) -> list[Tensor | None]:
    """One for each input, None for those that are not active."""
    if not any(active):
        return [None] * len(active)
    found = iter(call(operator.vjp(active), integers, [*tensors, *given]))
    return [
        (next(found).sum(0) if s else next(found)) if a else None for a, s in zip(active, operator.shared, strict=True)
    ]


# -- torch.compile ---------------------------------------------------------------------------------------------------


@torch.library.custom_op("gradir::call", mutates_args=())
def _compiled(operator: str, integers: list[int], tensors: list[Tensor]) -> list[Tensor]:
    return list(_operators[operator].compute(tensors, integers))


@_compiled.register_fake
def _(operator: str, integers: list[int], tensors: list[Tensor]) -> list[Tensor]:
    op = _operators[operator]
    shapes = op.shapes([tuple(t.shape) for t in tensors], integers)
    return [torch.empty(shape, dtype=dtype) for shape, dtype in zip(shapes, op.dtypes, strict=True)]


def _setup(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.operator, ctx.integers, tensors = inputs
    ctx.active = [t.requires_grad for t in tensors]
    ctx.save_for_backward(*tensors)


def _backward(ctx: Any, cotangents: Sequence[Tensor | None]) -> Any:
    operator, tensors = _operators[ctx.operator], ctx.saved_tensors
    active = tuple(a and f for a, f in zip(ctx.active, operator.float_ins, strict=True))
    given = compress(cotangents, operator.float_outs)

    def call(op: Operator, integers: Any, values: Sequence[Tensor]) -> Any:
        return _compiled(op.key, integers, list(values))

    gradients = _gradients(operator, active, tensors, given, ctx.integers, call)
    return None, [None] * len(ctx.integers), gradients


_compiled.register_autograd(_backward, setup_context=_setup)


def _lowered(operator: str, integers: Sequence[int], tensors: Sequence[Any]) -> Sequence[Any]:
    """In a module that is made into a StableHLO program, a StableHLO function is a part of it."""
    found = _operators[operator]
    if not isinstance(found, _ProgramOperator):
        reason = "it is native code, which a StableHLO program can't hold: train the module by PyTorch"
        raise NotImplementedError(reason)
    results = in_jax(load(found.program.bytecode()), "main")(*tensors)
    return results if isinstance(results, tuple) else (results,)


TABLE[torch.ops.gradir.call.default] = _lowered


# -- Native functions ------------------------------------------------------------------------------------------------


_NAMES = ("float16", "float32", "float64", "bool", "int8", "int16", "int32", "int64")
_DTYPES: dict[Any, torch.dtype] = {np.dtype(n): getattr(torch, n) for n in (*_NAMES, *(f"u{n}" for n in _NAMES[4:]))}


class _Function:
    """What is called on tensors. As Python's functions, it is the same in copies of what holds it."""

    __name__: str

    def __deepcopy__(self, _: Any) -> Any:
        return self

    def __copy__(self) -> Any:
        return self

    def __reduce__(self) -> Any:
        raise PicklingError(f"{self.__name__} is compiled code, which can't be pickled: save a module's state_dict()")


class _Native(_Function):
    """A native function on tensors."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.operator = _KernelOperator(kernel_of(layout), layout.form)
        tensors, self._integers = layout.places
        self._slots = [(k, _DTYPES[spec.dtype]) for k, spec in zip(tensors, layout.ins, strict=True)]
        self._fixed = [torch.as_tensor(v, dtype=_DTYPES[layout.spec(i).dtype]) for i, v in layout.fixed.items()]
        self._names, self._count = layout.pure.names, len(layout.pure.names)
        self._is_one = len(layout.outs) == 1
        self._key = self.operator.key
        self.__name__ = layout.pure.function.name

    def __repr__(self) -> str:
        return f"<gradir.torch.function {self.__name__}({', '.join(self._names)})>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        if named:
            args = (*args, *(named.pop(n) for n in self._names[len(args) :] if n in named))
        if len(args) != self._count or named:
            raise self.layout.miscounted(args)
        # What `Layout.passed` gives, as tensors at once: all of a call takes ten microseconds.
        values = (*args, *self._fixed)
        tensors = [x if isinstance(x := values[k], Tensor) else torch.as_tensor(x, dtype=d) for k, d in self._slots]
        integers = [values[k] for k in self._integers]
        if torch.compiler.is_compiling():
            results = _compiled(self._key, integers, tensors)
        else:
            results = _call(self.operator, integers, tensors)
        return results[0] if self._is_one else tuple(results)


class _Cuda(_Function):
    """A CUDA kernel on tensors."""

    def __init__(self, layout: CudaLayout) -> None:
        self.layout = layout
        self.operator = _CudaOperator(CudaKernel(layout), layout.form)
        self.__name__ = layout.function.name

    def __repr__(self) -> str:
        return f"<gradir.torch.function {self.__name__}({', '.join(self.layout.pure.names)})>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        layout, names = self.layout, self.layout.pure.names
        args = (*args, *(named.pop(n) for n in names[len(args) :] if n in named))
        if len(args) != len(names) or named:
            raise InputError(f"{self.__name__} takes {', '.join(names)}, and {len(args)} arguments came")
        by_index = dict(zip(layout.pure.inputs, args, strict=True))
        device = next((x.device for x in args if isinstance(x, Tensor)), None)
        tensors = [
            x if isinstance(x := by_index[i], Tensor) else torch.as_tensor(x, dtype=_DTYPES[s.dtype], device=device)
            for i, s in zip(layout.tensors, layout.ins, strict=True)
        ]
        integers = [by_index[i] for i in layout.integers]
        if torch.compiler.is_compiling():
            results = _compiled(self.operator.key, integers, tensors)
        else:
            results = _call(self.operator, integers, tensors)
        chosen = [results[k] for k in layout.asked]
        return chosen[0] if len(chosen) == 1 else tuple(chosen)


def _as_tensor(value: Any, dtype: torch.dtype) -> Tensor:
    return value if isinstance(value, Tensor) else torch.as_tensor(value, dtype=dtype)


class _KernelOperator(Operator):
    """A kernel. `form` gives what it is passed besides memory."""

    def __init__(self, kernel: Kernel, form: Callable[[Any, Any], Form]) -> None:
        self.kernel, self._form = kernel, form
        self.float_ins, self.float_outs = kernel.float_ins, kernel.float_outs
        self.shared = (False,) * len(kernel.ins)
        self._expected = [(_DTYPES[s.dtype], s) for s in kernel.ins]
        self._outs = [(_DTYPES[s.dtype], s.fortran) for s in kernel.outs]
        self._forms: dict[Any, Form] = {}
        self._made: dict[Any, Operator] = {}

    @property
    def dtypes(self) -> Sequence[torch.dtype]:
        return [dtype for dtype, _ in self._outs]

    def form(self, shapes: Any, integers: Any) -> Form:
        """Made once for each set of shapes."""
        found = self._forms.get(key := (*shapes, *integers))
        if found is None:
            if len(self._forms) > 1000:
                self._forms.clear()
            found = self._forms[key] = self._form(shapes, integers)
        return found

    def shapes(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Sequence[tuple[int, ...]]:
        return self._form(shapes, integers).outs

    def compute(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        addresses, kept = [], []
        for t, (dtype, spec) in zip(tensors, self._expected, strict=True):
            if t.dtype is not dtype or spec.fortran or not t.is_cpu or t.is_neg() or not t.is_contiguous():
                t = self._dense(t, dtype, spec)  # noqa: PLW2901
                kept.append(t)
            addresses.append(t.data_ptr())
        form = self.form([t.shape for t in tensors], integers)
        outs = [_empty(shape, dtype, fortran) for shape, (dtype, fortran) in zip(form.outs, self._outs, strict=True)]
        self.kernel.run(addresses, [o.data_ptr() for o in outs], form.statics)
        return tuple(outs)

    def _dense(self, tensor: Tensor, dtype: torch.dtype, spec: Spec, batch: int = 0) -> Tensor:
        """A tensor whose memory is as the kernel wants it."""
        if tensor.dtype is not dtype:
            raise InputError(
                f"{self.kernel.name}: '{spec.name}' must be a tensor of {dtype}, not one of {tensor.dtype}",
                hint=f"convert it: x.to({dtype})",
            )
        if not tensor.is_cpu:
            raise InputError(
                f"{self.kernel.name}: '{spec.name}' is on {tensor.device}", hint="native code takes x.cpu()"
            )
        if tensor.layout is not torch.strided:
            what = f"{self.kernel.name}: '{spec.name}' is {tensor.layout}"
            raise InputError(what, hint="native code takes x.to_dense()")
        tensor = tensor.resolve_neg()
        return _turned(tensor, batch).contiguous() if spec.fortran else tensor.contiguous()

    def vjp(self, active: Mask) -> Operator:
        found = self._made.get(("vjp", active))
        if found is None:
            found = self._made["vjp", active] = self._derivative(
                self.kernel.vjp(active), lambda shapes, form: form.giving(shapes, active)
            )
        return found

    def jvp(self, active: Mask) -> Operator:
        found = self._made.get(("jvp", active))
        if found is None:
            found = self._made["jvp", active] = self._derivative(
                self.kernel.jvp(active), lambda _, form: form.giving(form.outs, self.float_outs)
            )
        return found

    def _derivative(self, kernel: Kernel, given: Callable[[Any, Form], Form]) -> Operator:
        """A kernel that takes more inputs after these, and is passed what `given` says at their shapes."""
        n = len(self.kernel.ins)

        def form(shapes: Any, integers: Any) -> Form:
            return given(shapes[:n], self.form(shapes[:n], integers))

        return _KernelOperator(kernel, form)

    def batch_call(self, mask: Mask, size: int, integers: Any, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        return _call(self.batched(mask, size), integers, tensors)

    def batched(self, mask: Mask, size: int) -> Operator:
        key = "batched", mask, size
        if key not in self._made:
            self._made[key] = _BatchOperator(self, mask, size)
        return self._made[key]


class _CudaOperator(Operator):
    """A CUDA kernel: on tensors of a GPU, or emulated on the CPU."""

    def __init__(self, kernel: CudaKernel, form: Callable[[Any, Any], Form]) -> None:
        self.kernel, self._form = kernel, form
        self.float_ins, self.float_outs = kernel.float_ins, kernel.float_outs
        self.shared = (False,) * len(kernel.ins)
        self._made: dict[Any, Operator] = {}

    @property
    def dtypes(self) -> Sequence[torch.dtype]:
        return [_DTYPES[s.dtype] for s in self.kernel.outs]

    def shapes(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Sequence[tuple[int, ...]]:
        return self._form(shapes, integers).outs

    def compute(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        kernel, form = self.kernel, self._form([t.shape for t in tensors], integers)
        given = [self._dense(t, spec) for t, spec in zip(tensors, kernel.ins, strict=True)]
        device = given[0].device if given else torch.device("cpu")
        own = iter(kernel.own_shapes([t.shape for t in tensors], form.statics))
        passed, results = [], {}
        for b in kernel.passed:
            if b is None:
                continue
            t = None if b.source is None else given[b.source]
            if b.is_own:
                shape = next(own)
                t = torch.zeros(shape, dtype=_DTYPES[b.spec.dtype], device=device) if t is None else t.clone()
            assert t is not None
            if t.device != device:
                raise InputError(f"{kernel.name}: '{b.spec.name}' is on {t.device}, others are on {device}")
            passed.append(t)
            if b.result is not None:
                results[b.result] = t
        on_device = device.type == "cuda"
        stream = torch.cuda.current_stream(device).cuda_stream if on_device else 0
        kernel.launch([t.data_ptr() for t in passed], form.statics, on_device=on_device, stream=stream)
        for t in passed if on_device else ():
            t.record_stream(torch.cuda.current_stream(device))
        return tuple(results[k] for k in range(len(kernel.outs)))

    def _dense(self, tensor: Tensor, spec: Spec) -> Tensor:
        wanted = _DTYPES[spec.dtype]
        if tensor.dtype is not wanted:
            raise InputError(
                f"{self.kernel.name}: '{spec.name}' must be a tensor of {wanted}, not one of {tensor.dtype}",
                hint=f"convert it: x.to({wanted})",
            )
        return tensor.detach().resolve_neg().contiguous()

    def vjp(self, active: Mask) -> Operator:
        return self._derivative("vjp", active, lambda shapes, form: form.giving(shapes, active))

    def jvp(self, active: Mask) -> Operator:
        return self._derivative("jvp", active, lambda _, form: form.giving(form.outs, self.float_outs))

    def _derivative(self, kind: str, active: Mask, given: Callable[[Any, Form], Form]) -> Operator:
        n = len(self.kernel.ins)
        if (kind, active) not in self._made:
            kernel = getattr(self.kernel, kind)(active)
            self._made[kind, active] = _CudaOperator(
                kernel, lambda shapes, integers: given(shapes[:n], self._form(shapes[:n], integers))
            )
        return self._made[kind, active]

    def batched(self, mask: Mask, size: int) -> Operator:
        raise RequestError(f"{self.kernel.name}: a kernel has no batches", hint="call it for each element")

    def batch_call(self, mask: Mask, size: int, integers: Any, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        each = [
            _call(self, integers, [t[k] if m else t for t, m in zip(tensors, mask, strict=True)]) for k in range(size)
        ]
        return tuple(map(torch.stack, zip(*each, strict=True)))


def _turned(tensor: Tensor, batch: int = 0) -> Tensor:
    """With its dimensions in reverse, but for those of a batch."""
    return tensor.permute((*range(batch), *range(tensor.ndim - 1, batch - 1, -1)))


def _empty(shape: tuple[int, ...], dtype: torch.dtype, fortran: bool, batch: tuple[int, ...] = ()) -> Tensor:
    if not fortran or len(shape) < 2:
        return torch.empty(batch + shape, dtype=dtype)
    return _turned(torch.empty((*batch, *shape[::-1]), dtype=dtype), len(batch))


class _BatchOperator(Operator):
    """A kernel for each element of a batch, one after the other."""

    def __init__(self, one: _KernelOperator, mask: Mask, size: int) -> None:
        self.one, self.mask, self.size = one, mask, size
        self.float_ins, self.float_outs = one.float_ins, one.float_outs
        self.shared = tuple(not m for m in mask)

    @property
    def dtypes(self) -> Sequence[torch.dtype]:
        return self.one.dtypes

    def _single(self, shapes: Sequence[Any]) -> list[Any]:
        return [tuple(s[1:]) if m else s for s, m in zip(shapes, self.mask, strict=True)]

    def shapes(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Sequence[tuple[int, ...]]:
        return [(self.size, *s) for s in self.one.shapes(self._single(shapes), integers)]

    def compute(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        one = self.one
        dense = [
            one._dense(t, dtype, s, int(m)) for t, (dtype, s), m in zip(tensors, one._expected, self.mask, strict=True)
        ]
        form = one.form(self._single([t.shape for t in tensors]), integers)
        outs = [_empty(s, dtype, f, (self.size,)) for s, (dtype, f) in zip(form.outs, one._outs, strict=True)]
        steps = [
            t.element_size() * t[0].numel() if m and self.size else 0 for t, m in zip(dense, self.mask, strict=True)
        ]
        steps += [o.element_size() * o[0].numel() if self.size else 0 for o in outs]
        one.kernel.run_many([t.data_ptr() for t in (*dense, *outs)], steps, self.size, form.statics)
        return tuple(outs)

    def vjp(self, active: Mask) -> Operator:
        mask = self.one.kernel.vjp_ins(self.mask, [True] * len(self.float_outs))
        return self.one.vjp(active).batched(mask, self.size)

    def jvp(self, active: Mask) -> Operator:
        return self.one.jvp(active).batched(self.one.kernel.jvp_ins(self.mask, active), self.size)

    def batched(self, mask: Mask, size: int) -> Operator:
        raise NotImplementedError("a batch of batches is one batch")

    def batch_call(self, mask: Mask, size: int, integers: Any, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        sizes = size, self.size
        flat = []
        for t, outer, inner in zip(tensors, mask, self.mask, strict=True):
            if outer or inner:
                full = t if outer else t.unsqueeze(0)
                full = full if inner else full.unsqueeze(1)
                flat.append(full.expand(*sizes, *full.shape[2:]).flatten(0, 1))
            else:
                flat.append(t)
        both = tuple(a or b for a, b in zip(mask, self.mask, strict=True))
        found = _call(self.one.batched(both, size * self.size), integers, flat)
        return tuple(t.unflatten(0, sizes) for t in found)


# -- StableHLO -------------------------------------------------------------------------------------------------------


class _ProgramOperator(Operator):
    """A StableHLO program on XLA, which shares memory with tensors."""

    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name
        self.float_ins, self.float_outs = differentiable(program.ins), differentiable(program.outs)
        self.shared = (False,) * len(program.ins)

    @cached_property
    def _executable(self) -> Executable:
        return load(self.program.bytecode()).compile("main")

    @cached_property
    def _types(self) -> list[tuple[tuple[int, ...], Any]]:
        return [(a.shape, a.dtype) for a in self.program.ins]

    @cached_property
    def dtypes(self) -> Sequence[torch.dtype]:
        return [_torch_dtype(a.dtype, self.name) for a in self.program.outs]

    def shapes(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Sequence[tuple[int, ...]]:
        return [a.shape for a in self.program.outs]

    def compute(self, tensors: Sequence[Tensor], integers: Sequence[int]) -> tuple[Tensor, ...]:
        results = self._executable(*map(to_jax, tensors))
        found = results if isinstance(results, tuple) else (results,)
        jax.block_until_ready(found)  # nobody may write to the arguments before
        return tuple(map(to_torch, found))

    def vjp(self, active: Mask) -> Operator:
        return self._made(self.program.reverse(active, self.float_outs, False))

    def jvp(self, active: Mask) -> Operator:
        return self._made(self.program.forward(active, self.float_outs))

    def batched(self, mask: Mask, size: int) -> Operator:
        return self._made(self.program.batch_all(mask, size))

    def batch_call(self, mask: Mask, size: int, integers: Any, tensors: Sequence[Tensor]) -> tuple[Tensor, ...]:
        return _call(self.batched(mask, size), integers, tensors)

    @cached_property
    def _operators(self) -> dict[Program, Operator]:
        return {}

    def _made(self, program: Program) -> Operator:
        if program not in self._operators:
            self._operators[program] = _ProgramOperator(program, self.name)
        return self._operators[program]


def _torch_dtype(dtype: Any, name: str) -> torch.dtype:
    found = getattr(torch, "bool" if np.dtype(dtype).kind == "b" else np.dtype(dtype).name, None)
    if not isinstance(found, torch.dtype) or found.is_complex:
        raise RequestError(f"{name}: tensors of {np.dtype(dtype).name} can't be passed from here")
    return found


def _of_module(module: Module, fn: str | None) -> Callable[..., Any]:
    signature = module.function(fn)
    if not signature.is_static:
        raise InputError(f"{signature.name} has dimensions that are known at run time only: {signature}")
    operator = _ProgramOperator(program_in(module.lower(keeps_ends=True).ir, signature.name), signature.name)
    types = [(spec, _torch_dtype(spec.dtype, signature.name)) for spec in signature.arguments]
    is_one, key = len(operator.dtypes) == 1, operator.key

    def called(*args: Any) -> Any:
        if len(args) != len(types):
            raise InputError(f"{signature.name} takes {len(types)} arguments, not {len(args)}", hint=f"{signature}")
        tensors = [_as_tensor(x, dtype) for x, (_, dtype) in zip(args, types, strict=True)]
        for i, (t, (spec, dtype)) in enumerate(zip(tensors, types, strict=True)):
            if t.dtype is not dtype or tuple(t.shape) != spec.shape:
                got = f"{t.dtype}[{','.join(map(str, t.shape))}]"
                raise InputError(f"argument {i} of {signature.name}: expected {spec} but got {got}")
        if torch.compiler.is_compiling():
            results = _compiled(key, [], tensors)
        else:
            results = _call(operator, (), tensors)
        return results[0] if is_one else tuple(results)

    called.__name__ = called.__qualname__ = signature.name
    return called
