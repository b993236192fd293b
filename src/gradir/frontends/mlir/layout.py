"""What a memref is in LLVM IR, and the few numbers that it is passed as to a function that is differentiated.

MLIR passes a memref as allocated pointer, aligned pointer, offset, sizes and strides. Of these only the address of the
first element can carry a derivative, and only what the type doesn't say is different from call to call: `Layout` takes
a memref apart into that address and those numbers, and makes one of them again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from torch_mlir import ir

from gradir.frontends.mlir import emit

__all__ = ["Layout", "is_float", "llvm_type"]


def is_float(t: ir.Type) -> bool:
    """Whether a type holds floats."""
    if isinstance(t, (ir.ComplexType, ir.VectorType, ir.MemRefType, ir.UnrankedMemRefType, ir.RankedTensorType)):
        return is_float(t.element_type)
    return isinstance(t, ir.FloatType)


def llvm_type(t: ir.Type) -> ir.Type | None:
    """What a value of a type is in LLVM IR; None if that takes more than one, or isn't known."""
    if isinstance(t, ir.IndexType):
        return emit.i64()
    if isinstance(t, (ir.IntegerType, ir.FloatType)) or str(t) == "!llvm.ptr":
        return t
    if isinstance(t, ir.ComplexType):
        part = llvm_type(t.element_type)
        return None if part is None else ir.Type.parse(f"!llvm.struct<({part}, {part})>")
    if isinstance(t, ir.VectorType) and not t.scalable:
        element = llvm_type(t.element_type)
        if element is None or not t.shape:
            return None
        nested = ir.VectorType.get([t.shape[-1]], element)
        for n in reversed(t.shape[:-1]):
            nested = ir.Type.parse(f"!llvm.array<{n} x {nested}>")
        return nested
    return None


@dataclass(frozen=True)
class Layout:
    """The layout of a ranked memref in the memory of the machine."""

    type: ir.MemRefType

    @cached_property
    def element(self) -> ir.Type:
        """The element's type in LLVM IR."""
        return llvm_type(self.type.element_type)

    @property
    def is_known(self) -> bool:
        """Whether it can be taken apart: elements that LLVM has, strides, and no memory of another device."""
        if self.element is None or (self.type.memory_space is not None and str(self.type.memory_space) != "0 : i64"):
            return False
        try:
            self.type.get_strides_and_offset()
        except (ValueError, RuntimeError):
            return False
        return True

    @property
    def rank(self) -> int:
        return len(self.type.shape)

    @cached_property
    def sizes(self) -> list[int | None]:
        """None where the type doesn't say it."""
        return [None if self.type.is_dynamic_size(n) else n for n in self.type.shape]

    @cached_property
    def strides(self) -> list[int | None]:
        return [_known(n) for n in self.type.get_strides_and_offset()[0]]

    @cached_property
    def offset(self) -> int | None:
        return _known(self.type.get_strides_and_offset()[1])

    @property
    def is_plain(self) -> bool:
        """Whether elements lie in a row, so that sizes tell the strides."""
        return isinstance(self.type.layout, ir.AffineMapAttr)

    @property
    def descriptor(self) -> ir.Type:
        if not self.rank:
            return ir.Type.parse("!llvm.struct<(ptr, ptr, i64)>")
        numbers = f"array<{self.rank} x i64>"
        return ir.Type.parse(f"!llvm.struct<(ptr, ptr, i64, {numbers}, {numbers})>")

    @property
    def parameters(self) -> list[ir.Type]:
        """The address, then sizes and (unless sizes tell them) strides that the type doesn't say."""
        return [emit.pointer()] + [emit.i64()] * (
            self.sizes.count(None) + (0 if self.is_plain else self.strides.count(None))
        )

    # -- Taking apart

    def address(self, memref: ir.Value) -> ir.Value:
        """Of the first element; where the type has an offset, of what stands that far before it."""
        descriptor = emit.cast(memref, self.descriptor)
        aligned = emit.extract(descriptor, emit.pointer(), 1)
        if self.offset is not None:
            return aligned
        return emit.element_pointer(aligned, self.element, emit.extract(descriptor, emit.i64(), 2))

    def numbers(self, memref: ir.Value) -> list[ir.Value]:
        """The sizes and strides that are parameters."""
        found = [self.size(memref, i) for i, n in enumerate(self.sizes) if n is None]
        if not self.is_plain:
            found += [self.stride(memref, i) for i, n in enumerate(self.strides) if n is None]
        return found

    def size(self, memref: ir.Value, i: int) -> ir.Value:
        return emit.extract(emit.cast(memref, self.descriptor), emit.i64(), 3, i)

    def stride(self, memref: ir.Value, i: int) -> ir.Value:
        return emit.extract(emit.cast(memref, self.descriptor), emit.i64(), 4, i)

    # -- Putting together

    def rebuilt(self, address: ir.Value, numbers: Sequence[ir.Value]) -> ir.Value:
        """The memref of an address and the numbers that are parameters."""
        waiting = iter(numbers)
        sizes = [emit.constant(n) if n is not None else next(waiting) for n in self.sizes]
        if self.is_plain:
            strides = _plain_strides(sizes)
        else:
            strides = [emit.constant(n) if n is not None else next(waiting) for n in self.strides]
        made = emit.emit("llvm.mlir.poison", [self.descriptor], [])
        for place in (0, 1):
            made = emit.insert(address, made, place)
        made = emit.insert(emit.constant(self.offset or 0), made, 2)
        for i, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
            made = emit.insert(stride, emit.insert(size, made, 3, i), 4, i)
        return emit.cast(made, self.type)


def _plain_strides(sizes: Sequence[ir.Value]) -> list[ir.Value]:
    strides: list[ir.Value] = []
    for i in range(len(sizes)):
        strides.insert(0, emit.constant(1) if not i else emit.emit("llvm.mul", [emit.i64()], [strides[0], sizes[-i]]))
    return strides


def _known(n: int) -> int | None:
    return None if n == ir.ShapedType.get_dynamic_stride_or_offset() else n
