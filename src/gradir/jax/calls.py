"""Calls of native code and of kernels: what the primitives are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gradir.jax_internals import jax_core
from gradir.native.cuda import CudaKernel
from gradir.native.kernel import Form, Kernel, Mask

__all__ = ["Batch", "KernelCall"]


@dataclass(frozen=True)
class Batch:
    """A call for each of `size` elements: which inputs have one for each, along a first dimension. All outputs have."""

    mask: Mask
    size: int

    def vjp(self, kernel: Kernel | CudaKernel) -> Batch:
        return Batch(kernel.vjp_ins(self.mask, [True] * len(kernel.outs)), self.size)

    def jvp(self, kernel: Kernel | CudaKernel, active: Mask) -> Batch:
        return Batch(kernel.jvp_ins(self.mask, active), self.size)


@dataclass(frozen=True)
class KernelCall:
    """A kernel, and what it is passed besides arrays. `shapes` are those of the inputs of one call."""

    kernel: Kernel | CudaKernel
    shapes: tuple[tuple[int, ...], ...]
    form: Form
    batch: Batch | None = None

    def __repr__(self) -> str:
        return f"{self.kernel.name}[{self.kernel.digest}, {self.shapes}, {self.form}, {self.batch}]"

    @property
    def outs(self) -> list[Any]:
        front = () if self.batch is None else (self.batch.size,)
        return [
            jax_core.ShapedArray((*front, *shape), spec.dtype)
            for shape, spec in zip(self.form.outs, self.kernel.outs, strict=True)
        ]

    @property
    def mask(self) -> Mask:
        """Which inputs have one for each element of a batch."""
        return (False,) * len(self.kernel.ins) if self.batch is None else self.batch.mask

    def vjp(self, active: Mask) -> KernelCall:
        """Gradients of the active inputs; in a batch one for each element, even of what all share."""
        kernel, form = self.kernel, self.form.giving(self.shapes, active)
        shapes, batch = kernel.vjp_ins(self.shapes, self.form.outs), self.batch and self.batch.vjp(kernel)
        return KernelCall(kernel.vjp(active), shapes, form, batch)

    def jvp(self, active: Mask) -> KernelCall:
        kernel, form = self.kernel, self.form.giving(self.form.outs, self.kernel.float_outs)
        shapes, batch = kernel.jvp_ins(self.shapes, active), self.batch and self.batch.jvp(kernel, active)
        return KernelCall(kernel.jvp(active), shapes, form, batch)
