"""Tensors and JAX arrays share memory, whatever the type; what has no plain memory is copied or refused."""

from __future__ import annotations

import pytest
import torch

import gradir
import gradir.torch as gt

TYPES = ("float32", "float64", "bfloat16", "float16", "bool", "int64", "int8", "uint8", "complex64", "complex128")
SHAPES = {
    "offset": lambda: torch.arange(101.0)[1:],
    "transposed": lambda: torch.randn(5, 7).T,
    "empty": lambda: torch.zeros(0, 3),
    "scalar": lambda: torch.tensor(3.0),
    "strided": lambda: torch.randn(8)[::2],
    "broadcast": lambda: torch.ones(1).expand(4),
    "channels last": lambda: torch.randn(2, 3, 4, 5).to(memory_format=torch.channels_last),
    "conjugate": lambda: torch.randn(3, dtype=torch.complex64).conj(),
    "parameter": lambda: torch.nn.Parameter(torch.randn(3)),
}


@pytest.mark.parametrize("name", TYPES)
def test_memory_is_shared(name: str) -> None:
    tensor = torch.arange(6).reshape(2, 3).to(getattr(torch, name))
    array = gt.to_jax(tensor)
    assert array.dtype == name and array.shape == (2, 3)
    assert array.unsafe_buffer_pointer() == tensor.data_ptr()
    back = gt.to_torch(array)
    assert back.data_ptr() == tensor.data_ptr() and back.dtype == tensor.dtype
    assert torch.equal(back, tensor)


@pytest.mark.parametrize("kind", SHAPES)
def test_any_stride(kind: str) -> None:
    tensor = SHAPES[kind]()
    assert torch.equal(gt.to_torch(gt.to_jax(tensor)), tensor)


def test_no_memory() -> None:
    with pytest.raises(gradir.InputError, match=r"layout torch.sparse_coo.*\n.*to_dense"):
        gt.to_jax(torch.eye(3).to_sparse())
    with pytest.raises(gradir.InputError, match="meta"):
        gt.to_jax(torch.zeros(3, device="meta"))
