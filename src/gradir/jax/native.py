"""Native functions as JAX primitives, called by XLA itself: no Python runs between the arrays and the code.

`native_p` calls a kernel; under `jax.jvp` it comes with `native_tangent_p`, which is linear in the tangents, and whose
transpose is a call of the kernel of the reverse sweep. Under `jax.vmap` a call runs the kernel for each element of the
batch. All are calls of kernels, so that derivatives have derivatives.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import compress
from typing import Any

import jax
import numpy as np

from gradir.errors import InputError
from gradir.jax import cuda
from gradir.jax.calls import Batch, KernelCall
from gradir.jax.lowering import lower_opaquely
from gradir.jax_internals import ad, batching, dispatch, jax_core, mlir
from gradir.machine.jit import Library
from gradir.native.cuda import CudaKernel, CudaLayout
from gradir.native.ffi import HANDLER, handler_library
from gradir.native.kernel import Kernel, Layout, Mask, Spec, kernel_of
from gradir.native.pure import Pure
from gradir.tensor.rules.custom_call import register_custom_call

__all__ = ["kernel_function", "native_function"]

Values = Sequence[Any]


native_p = jax_core.Primitive("gradir_native")
native_p.multiple_results = True
native_tangent_p = jax_core.Primitive("gradir_native_tangent")
native_tangent_p.multiple_results = True

native_p.def_impl(partial(dispatch.apply_primitive, native_p))
native_tangent_p.def_impl(partial(dispatch.apply_primitive, native_tangent_p))


@native_p.def_abstract_eval
def _types(*_: Any, call: KernelCall) -> Values:
    return call.outs


@native_tangent_p.def_abstract_eval
def _tangent_types(*_: Any, call: KernelCall, active: Mask) -> Values:
    return list(compress(call.outs, call.kernel.float_outs))


# -- lowering ----------------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_targets: dict[str, tuple[Library, Any]] = {}


def _target(kernel: Kernel) -> str:
    """The kernel's name for XLA. Programs that XLA keeps for other processes name it: so it says what the code is."""
    name = f"gradir.native.{kernel.digest}"
    with _lock:
        if name not in _targets:
            library = handler_library(kernel)
            address = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(library.address(HANDLER))
            _targets[name] = library, address  # code that XLA may call lives as long as the process
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
            register_custom_call(name)  # in a batch of gradir's own, it is called for one example after the other
    return name


def _layout(spec: Spec, rank: int, batch: int) -> tuple[int, ...]:
    """The order of the dimensions in memory, from that whose elements lie side by side."""
    one = range(batch, rank)
    return (*(one if spec.fortran else one[::-1]), *range(batch))


def _lower(ctx: mlir.LoweringRuleContext, *args: Any, call: KernelCall) -> Values:
    if isinstance(call.kernel, CudaKernel):
        return cuda.lower_emulated(ctx, *args, call=call)
    kernel, batch = call.kernel, call.batch
    fronts = [*map(int, call.mask), *[int(batch is not None)] * len(kernel.outs)]
    shapes = [*call.shapes, *call.form.outs]
    specs = [*kernel.ins, *kernel.outs]
    steps = [
        f * int(np.prod(s, dtype=np.int64)) * p.dtype.itemsize for f, s, p in zip(fronts, shapes, specs, strict=True)
    ]
    layouts = [_layout(p, len(s) + f, f) for p, s, f in zip(specs, shapes, fronts, strict=True)]
    lowering = jax.ffi.ffi_lowering(
        _target(kernel), operand_layouts=layouts[: len(kernel.ins)], result_layouts=layouts[len(kernel.ins) :]
    )
    return lowering(
        ctx,
        *args,
        count=np.int64(1 if batch is None else batch.size),
        statics=np.array([*call.form.statics, 0], np.int64),
        steps=np.array([*steps, 0], np.int64),
    )


def _lower_tangent(ctx: mlir.LoweringRuleContext, *args: Any, call: KernelCall, active: Mask) -> Values:
    return _lower(ctx, *args, call=call.jvp(active))


def _launch_tangent(ctx: mlir.LoweringRuleContext, *args: Any, call: KernelCall, active: Mask) -> Values:
    return cuda.lower_launch(ctx, *args, call=call.jvp(active))


mlir.register_lowering(native_p, _lower, platform="cpu")
mlir.register_lowering(native_tangent_p, _lower_tangent, platform="cpu")
mlir.register_lowering(native_p, cuda.lower_launch, platform="cuda")
mlir.register_lowering(native_tangent_p, _launch_tangent, platform="cuda")
lower_opaquely(native_p)
lower_opaquely(native_tangent_p)


# -- jvp and transpose -------------------------------------------------------------------------------------------------


def _jvp(primals: Values, tangents: Values, *, call: KernelCall) -> tuple[Values, Values]:
    kernel = call.kernel
    active = tuple(type(t) is not ad.Zero and f for t, f in zip(tangents, kernel.float_ins, strict=True))
    outs = native_p.bind(*primals, call=call)
    zeros = [ad.Zero(jax.typeof(o).to_tangent_aval()) for o in outs]
    if not any(active):
        return outs, zeros
    given = [t for t, a in zip(tangents, active, strict=True) if a]
    moved = iter(native_tangent_p.bind(*primals, *given, call=call, active=active))
    return outs, [next(moved) if f else z for f, z in zip(kernel.float_outs, zeros, strict=True)]


def _tangent_jvp(primals: Values, tangents: Values, *, call: KernelCall, active: Mask) -> tuple[Values, Values]:
    return _jvp(primals, tangents, call=call.jvp(active))


def _tangent_transpose(cotangents: Values, *args: Any, call: KernelCall, active: Mask) -> Values:
    n = len(call.kernel.ins)
    given = [ad.instantiate_zeros(ct) for ct in cotangents]
    found = iter(native_p.bind(*args[:n], *given, call=call.vjp(active)))
    is_batch = call.batch is not None
    summed = [next(found).sum(0) if is_batch and not m else next(found) for m in compress(call.mask, active)]
    return [None] * n + summed


ad.primitive_jvps[native_p] = _jvp
ad.primitive_jvps[native_tangent_p] = _tangent_jvp
ad.primitive_transposes[native_tangent_p] = _tangent_transpose


# -- batching ----------------------------------------------------------------------------------------------------------


def _fronted(args: Values, dims: Sequence[Any], before: Mask, size: int, call: KernelCall) -> tuple[list[Any], Batch]:
    """Arguments with the new dimension and the one that a batch had before as one."""
    mask = tuple(d is not None for d in dims)
    moved = [jax.numpy.moveaxis(x, d, 0) if m else x for x, d, m in zip(args, dims, mask, strict=True)]
    if call.batch is None:
        return moved, Batch(mask, size)
    inner = call.batch.size
    flat = []
    for x, outer, had in zip(moved, mask, before, strict=True):
        if not (outer or had):
            flat.append(x)
            continue
        full = x if outer else x[None]
        full = full if had else full[:, None]
        rest = full.shape[2:]
        flat.append(jax.numpy.broadcast_to(full, (size, inner, *rest)).reshape(size * inner, *rest))
    return flat, Batch(tuple(a or b for a, b in zip(mask, before, strict=True)), size * inner)


def _size(args: Values, dims: Sequence[Any]) -> int:
    return next(x.shape[d] for x, d in zip(args, dims, strict=True) if d is not None)


def _unflattened(outs: Values, size: int, call: KernelCall) -> tuple[Values, Sequence[int]]:
    if call.batch is not None:
        outs = [o.reshape(size, call.batch.size, *o.shape[1:]) for o in outs]
    return outs, [0] * len(outs)


def _batch(args: Values, dims: Sequence[Any], *, call: KernelCall) -> tuple[Values, Sequence[int]]:
    size = _size(args, dims)
    flat, batch = _fronted(args, dims, call.mask, size, call)
    many = replace(call, batch=batch)
    return _unflattened(native_p.bind(*flat, call=many), size, call)


def _batch_tangent(
    args: Values, dims: Sequence[Any], *, call: KernelCall, active: Mask
) -> tuple[Values, Sequence[int]]:
    """An input is batched if it or its tangent is."""
    size, n = _size(args, dims), len(call.kernel.ins)
    places = [i for i, a in enumerate(active) if a]
    mapped = [d is not None for d in dims]
    args, dims = list(args), list(dims)
    for k, i in enumerate(places):
        for one, other in ((i, n + k), (n + k, i)):
            if mapped[one] and not mapped[other]:
                args[other] = jax.numpy.broadcast_to(args[other], (size, *jax.numpy.shape(args[other])))
                dims[other] = 0
    flat, batch = _fronted(args, dims, call.kernel.jvp_ins(call.mask, active), size, call)
    many = replace(call, batch=Batch(batch.mask[:n], batch.size))
    return _unflattened(native_tangent_p.bind(*flat, call=many, active=active), size, call)


batching.primitive_batchers[native_p] = _batch
batching.primitive_batchers[native_tangent_p] = _batch_tangent


# -- functions ---------------------------------------------------------------------------------------------------------


def native_function(pure: Pure) -> Callable[..., Any]:
    """A native function on JAX arrays."""
    layout = Layout(pure)
    kernel = kernel_of(layout)
    fixed, name = layout.fixed.values(), pure.function.name

    def called(*args: Any) -> Any:
        values, integers = layout.passed(args, fixed)
        arrays = [_as_array(value, spec, name) for value, spec in zip(values, kernel.ins, strict=True)]
        shapes = tuple(x.shape for x in arrays)
        call = KernelCall(kernel, shapes, layout.form(shapes, integers))
        results = native_p.bind(*arrays, call=call)
        return results[0] if len(results) == 1 else tuple(results)

    called.__name__ = called.__qualname__ = name
    return called


def kernel_function(layout: CudaLayout) -> Callable[..., Any]:
    """A CUDA kernel on JAX arrays."""
    kernel, name, names = CudaKernel(layout), layout.function.name, layout.pure.names

    def called(*args: Any) -> Any:
        if len(args) != len(names):
            raise InputError(f"{name} takes {', '.join(names)}, and {len(args)} arguments came")
        by_index = dict(zip(layout.pure.inputs, args, strict=True))
        arrays = [_as_array(by_index[i], spec, name) for i, spec in zip(layout.tensors, kernel.ins, strict=True)]
        shapes = tuple(x.shape for x in arrays)
        call = KernelCall(kernel, shapes, layout.form(shapes, [by_index[i] for i in layout.integers]))
        results = native_p.bind(*arrays, call=call)
        chosen = [results[k] for k in layout.asked]
        return chosen[0] if len(chosen) == 1 else tuple(chosen)

    called.__name__ = called.__qualname__ = name
    return called


def _as_array(value: Any, spec: Spec, name: str) -> Any:
    """A number takes the type of the argument; an array must have it."""
    found = value
    if isinstance(value, (bool, int, float, np.ndarray, np.generic, list, tuple)):
        found = jax.numpy.asarray(value, None if isinstance(value, (np.ndarray, np.generic)) else spec.dtype)
    if found.dtype == spec.dtype:
        return found
    hint = f"convert it: x.astype('{spec.dtype}')"
    if spec.dtype.itemsize == 8 and not jax.config.jax_enable_x64:
        hint = 'JAX has 64 bits after jax.config.update("jax_enable_x64", True)'
    raise InputError(f"{name}: '{spec.name}' must be an array of {spec.dtype}, not one of {found.dtype}", hint=hint)
