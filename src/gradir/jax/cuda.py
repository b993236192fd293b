"""CUDA kernels in programs of XLA's: launched on the stream of the program, or emulated where it runs on the CPU.

XLA calls a handler of its foreign function interface for each launch. This one is Python, which takes some 30 µs of the
host while the device works on what came before; no data passes through it.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from gradir.errors import GradirError
from gradir.jax.calls import KernelCall
from gradir.jax_internals import mlir
from gradir.native.cuda import CudaKernel
from gradir.native.ffi import Frame

__all__ = ["lower_emulated", "lower_launch"]

_HANDLER = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)
_handlers: dict[str, Any] = {}
_lock = threading.Lock()


def lower_emulated(ctx: mlir.LoweringRuleContext, *args: Any, call: KernelCall) -> Sequence[Any]:
    """On the CPU."""
    kernel, statics = call.kernel, call.form.statics
    assert isinstance(kernel, CudaKernel)

    def run(*arrays: Any) -> Any:
        def one(*given: Any) -> Any:
            return tuple(kernel.run_on_host([np.asarray(x) for x in given], statics))

        return jax.pure_callback(one, replace(call, batch=None).outs, *arrays)

    return mlir.lower_fun(_for_each(run, call), multiple_results=True)(ctx, *args)


def lower_launch(ctx: mlir.LoweringRuleContext, *args: Any, call: KernelCall) -> Sequence[Any]:
    """On a GPU: a call with a result for each buffer that is the launch's own, which begins as a copy of an operand."""
    kernel = call.kernel
    if not isinstance(kernel, CudaKernel):
        raise NotImplementedError(f"{kernel.name} is native code, which runs on the CPU: jit it with backend='cpu'")

    def run(*arrays: Any) -> Any:
        shapes = kernel.own_shapes([x.shape for x in arrays], call.form.statics)
        own = [b for b in kernel.passed if b is not None and b.is_own]
        types = [jax.ShapeDtypeStruct(s, b.spec.dtype) for s, b in zip(shapes, own, strict=True)]
        starts = [
            jax.numpy.zeros(t.shape, t.dtype) if b.source is None else arrays[b.source].reshape(t.shape)
            for b, t in zip(own, types, strict=True)
        ]
        aliases = {len(arrays) + k: k for k in range(len(own))}
        called = jax.ffi.ffi_call(_target(kernel, call.form.statics), types, input_output_aliases=aliases)
        made = called(*arrays, *starts)
        results = {b.result: x for b, x in zip(own, made, strict=True) if b.result is not None}
        return [results[k] for k in range(len(kernel.outs))]

    return mlir.lower_fun(_for_each(run, call), multiple_results=True)(ctx, *args)


def _for_each(run: Callable[..., Any], call: KernelCall) -> Callable[..., Any]:
    """Of a batch: for one element after the other."""
    if call.batch is None:
        return run
    mask = call.mask

    def all_of(*args: Any) -> Any:
        mapped = [x for x, m in zip(args, mask, strict=True) if m]

        def one(elements: Any) -> Any:
            given = iter(elements)
            return run(*(next(given) if m else x for x, m in zip(args, mask, strict=True)))

        return jax.lax.map(one, mapped)

    return all_of


def _target(kernel: CudaKernel, statics: Sequence[int]) -> str:
    """The name by which XLA knows a launch: programs that it keeps for other processes name it."""
    name = f"gradir.cuda.{kernel.digest}.{'.'.join(map(str, statics))}"
    with _lock:
        if name not in _handlers:
            kernel.launchable  # noqa: B018 (what can't be differentiated is refused here, not when it runs)
            _handlers[name] = _HANDLER(_handler(kernel, tuple(statics)))
            jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(_handlers[name]), platform="CUDA")
    return name


def _handler(kernel: CudaKernel, statics: Sequence[int]) -> Callable[[int], int | None]:
    inputs = len(kernel.ins)
    buffers = [b for b in kernel.passed if b is not None]

    def handle(address: int) -> int | None:
        frame = Frame(address)
        if frame.tells_version():
            return None
        try:
            given, own = frame.arguments(inputs), iter(frame.results(sum(b.is_own for b in buffers)))
            places = [next(own) if b.is_own else given[b.source or 0] for b in buffers]
            kernel.launch(places, statics, on_device=True, stream=frame.stream())
        except GradirError as error:
            return frame.error(str(error))
        return None

    return handle

