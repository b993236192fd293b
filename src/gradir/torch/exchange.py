"""Tensors as JAX arrays and back, by DLPack: the same memory, seen by both.

JAX takes an array's contents to stay as they are, and PyTorch writes into tensors as it likes. So an array made of a
tensor is for programs that have ended before anybody writes: `Module.run` and the like wait for their results.
"""

from __future__ import annotations

from typing import Any

import jax
import torch

from gradir.backends.xla import on_host
from gradir.errors import InputError

__all__ = ["to_jax", "to_torch"]


def to_jax(tensor: torch.Tensor) -> Any:
    """A tensor's memory as a JAX array. It is copied only if it is not contiguous, or not aligned as XLA likes it.

    >>> import torch
    >>> x = torch.arange(3.0, dtype=torch.float64)
    >>> to_jax(x).unsafe_buffer_pointer() == x.data_ptr()
    True
    """
    if tensor.layout is not torch.strided or tensor.is_meta:
        kind = "of the meta device" if tensor.is_meta else f"of layout {tensor.layout}"
        raise InputError(f"a tensor {kind} has no memory to share", hint="give a dense tensor, e.g. x.to_dense()")
    dense = tensor.detach()
    if dense.is_complex() or dense.is_neg():
        dense = dense.resolve_conj().resolve_neg()
    dense = dense.contiguous()
    if dense.device.type != "cpu":
        with jax.enable_x64(True):
            return jax.dlpack.from_dlpack(dense)
    # NumPy is the short way to the same memory (jax.dlpack takes ten times as long), where it has the type.
    if dense.dtype is torch.bfloat16:
        return on_host(dense.view(torch.int16).numpy().view(jax.numpy.bfloat16))
    return on_host(dense.numpy())


def to_torch(array: Any) -> torch.Tensor:
    """A JAX array's memory as a tensor, which may be written to if nobody needs the array any more.

    >>> import jax.numpy as jnp
    >>> to_torch(jnp.arange(3.0))
    tensor([0., 1., 2.])
    """
    return torch.from_dlpack(array)
