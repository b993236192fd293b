"""How a value of each MLIR type crosses the border to a function that is differentiated.

A derivative of the machine level knows numbers and memory. So whatever carries a derivative crosses in memory: a memref
as it is, a float, complex number or vector in a slot on the stack, a tensor in a buffer. Whatever carries none crosses
as a number, if it is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.layout import Layout, is_float, llvm_type

__all__ = ["Carrier", "Memory", "Slots", "Tensor", "carrier", "joined", "lanes", "shadow_types"]

Slots = Callable[[ir.Type], ir.Value]
"""Makes a place on the stack for a value of a type of LLVM's."""


@dataclass(frozen=True)
class Carrier:
    """How values of `type` cross, as an argument or as a result."""

    type: ir.Type

    @property
    def is_differentiable(self) -> bool:
        """Whether its values can carry a derivative."""
        return False

    @property
    def is_memory(self) -> bool:
        """Whether its values are memory, whose shadow is memory of the caller's."""
        return False

    @property
    def parameters(self) -> list[ir.Type]:
        """As an argument. Only the first carries a derivative."""
        raise NotImplementedError

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        """The parameters of a value, for the caller."""
        raise NotImplementedError

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        """The value of parameters, in the function that is called."""
        raise NotImplementedError

    @property
    def places(self) -> list[ir.Type]:
        """As a result: what lies in each of the places that the function is given to write it to."""
        return self.parameters

    def make_places(self, slots: Slots, like: ir.Value | None) -> list[ir.Value]:
        """New places for a result, or for a shadow, that is as large as a value of this type."""
        return [slots(t) for t in self.places]

    def destinations(self, places: Sequence[ir.Value]) -> Sequence[ir.Value]:
        """The places of a result as `put` takes them, in the function that is called: before the result is there."""
        return places

    def put(self, value: ir.Value, places: Sequence[ir.Value]) -> None:
        """Write a result to its destinations, in the function that is called."""
        for part, place in zip(self.give(value, emit.alloca), places, strict=True):
            emit.store(part, place)

    def collect(self, places: Sequence[ir.Value]) -> ir.Value:
        """The result that was written, for the caller."""
        return self.take([emit.load(t, place) for t, place in zip(self.places, places, strict=True)])

    # -- Shadows of values that are not memory

    def set_shadow(self, value: ir.Value | None, place: ir.Value) -> None:
        """Let the shadow at a place be a value; zero if there is none."""
        raise NotImplementedError

    def shadow_at(self, place: ir.Value) -> ir.Value:
        """The shadow at a place."""
        raise NotImplementedError


class Number(Carrier):
    """An integer, or a float that is constant."""

    @property
    def parameters(self) -> list[ir.Type]:
        return [llvm_type(self.type)]

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        return [emit.cast(value, llvm_type(self.type))]

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        return emit.cast(parameters[0], self.type)


class Address(Number):
    """A pointer of LLVM's."""

    @property
    def is_differentiable(self) -> bool:
        return True

    @property
    def is_memory(self) -> bool:
        return True


class Held(Carrier):
    """A float, a complex number or a vector, which crosses in a slot on the stack."""

    @property
    def is_differentiable(self) -> bool:
        return is_float(self.type)

    @property
    def parameters(self) -> list[ir.Type]:
        return [emit.pointer()]

    @property
    def places(self) -> list[ir.Type]:
        return [llvm_type(self.type)]

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        place = slots(llvm_type(self.type))
        emit.store(emit.cast(value, llvm_type(self.type)), place)
        return [place]

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        return emit.cast(emit.load(llvm_type(self.type), parameters[0]), self.type)

    def put(self, value: ir.Value, places: Sequence[ir.Value]) -> None:
        emit.store(emit.cast(value, llvm_type(self.type)), places[0])

    def collect(self, places: Sequence[ir.Value]) -> ir.Value:
        return self.take(places)

    def set_shadow(self, value: ir.Value | None, place: ir.Value) -> None:
        t = llvm_type(self.type)
        emit.store(emit.zero(t) if value is None else emit.cast(value, t), place)

    def shadow_at(self, place: ir.Value) -> ir.Value:
        return self.take([place])


class Memory(Carrier):
    """A memref."""

    @cached_property
    def layout(self) -> Layout:
        return Layout(self.type)

    @property
    def is_differentiable(self) -> bool:
        return is_float(self.type)

    @property
    def is_memory(self) -> bool:
        return True

    @property
    def parameters(self) -> list[ir.Type]:
        return self.layout.parameters

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        return [self.layout.address(value), *self.layout.numbers(value)]

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        return self.layout.rebuilt(parameters[0], parameters[1:])


class Unranked(Carrier):
    """A memref of any rank: its descriptor is memory, whose shadow is the shadow's descriptor."""

    @property
    def is_differentiable(self) -> bool:
        return is_float(self.type)

    @property
    def is_memory(self) -> bool:
        return True

    @property
    def parameters(self) -> list[ir.Type]:
        return [emit.pointer(), emit.i64()]

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        descriptor = emit.cast(value, _unranked_descriptor())
        return [emit.extract(descriptor, emit.pointer(), 1), emit.extract(descriptor, emit.i64(), 0)]

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        made = emit.emit("llvm.mlir.poison", [_unranked_descriptor()], [])
        made = emit.insert(parameters[0], emit.insert(parameters[1], made, 0), 1)
        return emit.cast(made, self.type)


def _unranked_descriptor() -> ir.Type:
    return ir.Type.parse("!llvm.struct<(i64, ptr)>")


class Tensor(Carrier):
    """A tensor, which crosses in a buffer."""

    @cached_property
    def buffer(self) -> Memory:
        return Memory(ir.MemRefType.get(self.type.shape, self.type.element_type))

    @property
    def is_differentiable(self) -> bool:
        return is_float(self.type)

    @property
    def parameters(self) -> list[ir.Type]:
        return self.buffer.parameters

    def give(self, value: ir.Value, slots: Slots) -> list[ir.Value]:
        return self.buffer.give(self.as_buffer(value), slots)

    def as_buffer(self, value: ir.Value) -> ir.Value:
        """The memory of a tensor, to be read."""
        return emit.emit("bufferization.to_buffer", [self.buffer.type], [value], read_only=ir.UnitAttr.get())

    def take(self, parameters: Sequence[ir.Value]) -> ir.Value:
        return self.as_tensor(self.buffer.take(parameters))

    def as_tensor(self, buffer: ir.Value) -> ir.Value:
        """Memory as a tensor."""
        return emit.emit("bufferization.to_tensor", [self.type], [buffer], restrict=ir.UnitAttr.get())

    @property
    def places(self) -> list[ir.Type]:
        return self.parameters

    def make_places(self, slots: Slots, like: ir.Value | None) -> list[ir.Value]:
        """The address of a new buffer, and the sizes that the type doesn't say."""
        sizes = [] if like is None else self._sizes(like)
        segments = ir.DenseI32ArrayAttr.get([len(sizes), 0])
        made = emit.emit("memref.alloc", [self.buffer.type], sizes, operandSegmentSizes=segments)
        return [self.buffer.layout.address(made), *(emit.cast(n, emit.i64()) for n in sizes)]

    def check_sizes(self, a: ir.Value, b: ir.Value, message: str) -> None:
        """Let the program stop if two values differ in sizes that the type doesn't say."""
        for one, other in zip(self._sizes(a), self._sizes(b), strict=True):
            emit.check_equal(emit.cast(one, emit.i64()), emit.cast(other, emit.i64()), message)

    def _sizes(self, value: ir.Value) -> list[ir.Value]:
        """Those that the type doesn't say."""
        unknown = [d for d, n in enumerate(self.buffer.layout.sizes) if n is None]
        return [emit.emit("tensor.dim", [ir.IndexType.get()], [value, _index(d)]) for d in unknown]

    def destinations(self, places: Sequence[ir.Value]) -> Sequence[ir.Value]:
        return [self.buffer.take(places), *places[1:]]

    def put(self, value: ir.Value, places: Sequence[ir.Value]) -> None:
        for found, size in zip(self._sizes(value), places[1:], strict=True):
            emit.check_equal(emit.cast(found, emit.i64()), size, "a result has another size than its cotangent")
        self._write(value, places[0])

    def _write(self, value: ir.Value, buffer: ir.Value) -> None:
        emit.emit(
            "bufferization.materialize_in_destination",
            [],
            [value, buffer],
            restrict=ir.UnitAttr.get(),
            writable=ir.UnitAttr.get(),
        )

    def set_shadow(self, value: ir.Value | None, place: ir.Value) -> None:
        buffer = self._buffer_at(place)
        if value is not None:
            self._write(value, buffer)
            return
        element = self.type.element_type
        nothing = emit.cast(emit.zero(llvm_type(element)), element)
        fill = ir.Operation.create(
            "linalg.fill",
            [],
            [nothing, buffer],
            attributes={"operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 1])},
            regions=1,
        )
        block = ir.Block.create_at_start(fill.regions[0], [element, element], [ir.Location.current] * 2)
        with ir.InsertionPoint(block):
            emit.emit("linalg.yield", [], [block.arguments[0]])

    def shadow_at(self, place: ir.Value) -> ir.Value:
        return self.as_tensor(self._buffer_at(place))

    def collect(self, places: Sequence[ir.Value]) -> ir.Value:
        return self.shadow_at(places[0])

    def _buffer_at(self, place: ir.Value) -> ir.Value:
        """The buffer at an address: the one that was made there, if it was made here, so that it has an owner."""
        made = place
        for _ in range(2):  # it is taken out of a descriptor, which the buffer was cast to
            owner = made.owner
            if isinstance(owner, ir.Block):
                break
            made = owner.operation.operands[0]
        if made.type == self.buffer.type and isinstance(made.owner, ir.Operation | ir.OpView):
            return made
        return self.buffer.layout.rebuilt(place, [])


def carrier(t: ir.Type, *, constant: bool) -> Carrier | None:
    """How values of a type cross; None if they can't. What is `constant` needs no memory, unless it is large."""
    if isinstance(t, ir.MemRefType):
        return Memory(t) if Layout(t).is_known else None
    if isinstance(t, ir.UnrankedMemRefType):
        return Unranked(t) if t.memory_space is None else None
    if isinstance(t, ir.RankedTensorType):
        return Tensor(t) if llvm_type(t.element_type) is not None else None
    if str(t) == "!llvm.ptr":
        return Address(t)
    if llvm_type(t) is None:
        return None
    if isinstance(t, (ir.ComplexType, ir.VectorType)) or (isinstance(t, ir.FloatType) and not constant):
        return Held(t)
    return Number(t)


# -- Several shadows at once -----------------------------------------------------------------------------------------


def shadow_types(t: ir.Type, width: int) -> list[ir.Type]:
    """The types that `width` shadows of a value have together: the first is the usual one."""
    if width == 1:
        return [t]
    if isinstance(t, ir.MemRefType):
        return [ir.MemRefType.get([width, *t.shape], t.element_type)] if Layout(t).is_plain else []
    if isinstance(t, ir.RankedTensorType):
        return [ir.RankedTensorType.get([width, *t.shape], t.element_type)]
    if isinstance(t, ir.VectorType):
        return [ir.VectorType.get([width, *t.shape], t.element_type)]
    if isinstance(t, (ir.FloatType, ir.ComplexType)):
        vector = [ir.VectorType.get([width], t)] if isinstance(t, ir.FloatType) else []
        return [ir.RankedTensorType.get([width], t), *vector]
    return []


def lanes(value: ir.Value, t: ir.Type, width: int) -> list[ir.Value]:
    """Each of the shadows of a `t` that one value holds. (Of memory: its address.)"""
    if isinstance(t, ir.MemRefType):
        whole = Layout(value.type)
        address = whole.address(value)
        if width == 1:
            return [address]
        step = whole.stride(value, 0)
        steps = [emit.emit("llvm.mul", [emit.i64()], [step, emit.constant(i)]) for i in range(width)]
        return [emit.element_pointer(address, whole.element, n) for n in steps]
    if isinstance(t, ir.UnrankedMemRefType):
        return Unranked(t).give(value, emit.alloca)[:1]
    if width == 1:
        return [value]
    if isinstance(value.type, ir.VectorType):
        return [
            emit.emit("vector.extract", [t], [value], static_position=ir.DenseI64ArrayAttr.get([i]))
            for i in range(width)
        ]
    if isinstance(t, ir.RankedTensorType):
        return [_slice(value, t, i) for i in range(width)]
    return [emit.emit("tensor.extract", [t], [value, _index(i)]) for i in range(width)]


def joined(values: Sequence[ir.Value], t: ir.Type) -> ir.Value:
    """One value of type `t` that holds several shadows."""
    if len(values) == 1:
        return values[0]
    if isinstance(t, ir.VectorType):
        whole = emit.cast(emit.zero(llvm_type(t)), t)
        for i, value in enumerate(values):
            position = ir.DenseI64ArrayAttr.get([i])
            whole = emit.emit("vector.insert", [t], [value, whole], static_position=position)
        return whole
    if isinstance(values[0].type, ir.RankedTensorType):
        whole = emit.emit("tensor.empty", [t], [])
        for i, value in enumerate(values):
            whole = emit.emit("tensor.insert_slice", [t], [value, whole], **_whole_slice(values[0].type, i))
        return whole
    return emit.emit("tensor.from_elements", [t], values)


def _slice(value: ir.Value, t: ir.RankedTensorType, i: int) -> ir.Value:
    return emit.emit("tensor.extract_slice", [t], [value], **_whole_slice(t, i, extract=True))


def _whole_slice(t: ir.RankedTensorType, i: int, extract: bool = False) -> dict[str, ir.Attribute]:
    rank = len(t.shape)
    array = ir.DenseI64ArrayAttr.get
    return {
        "static_offsets": array([i] + [0] * rank),
        "static_sizes": array([1, *t.shape]),
        "static_strides": array([1] * (rank + 1)),
        "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0, 0] if extract else [1, 1, 0, 0, 0]),
    }


def _index(i: int) -> ir.Value:
    t = ir.IndexType.get()
    return emit.emit("arith.constant", [t], [], value=ir.IntegerAttr.get(t, i))
