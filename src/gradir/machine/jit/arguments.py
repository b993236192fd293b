"""Python's values as a native function's arguments: checked before the call, passed without a copy.

Every complaint names the function, the argument, what it wants and what it was given.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from gradir.errors import InputError
from gradir.machine.analysis.languages.derived_types import CFI_TYPES, CFI_VERSION
from gradir.machine.jit.signature import Argument, Array, Descriptor, Parameter, Pointer, Scalar, Struct, Unknown, View

__all__ = [
    "Binder",
    "Bound",
    "address_of",
    "are_apart",
    "bind",
    "bind_shadow",
    "binder",
    "integer_limits",
    "overlapping",
    "parameter_count",
    "shadow_like",
    "shadows_like",
]

NDArray = np.ndarray[Any, np.dtype[Any]]


Maker = Callable[[NDArray], Any]
"""Makes of a NumPy array one of another kind, on the same memory."""


class Bound(NamedTuple):
    """An argument as it is passed: one value for each of its parameters, and the memory behind the first.

    `keep` must live until the call is over; `like` makes arrays of the kind that the caller gave, if not NumPy's.
    """

    values: tuple[Any, ...]
    array: NDArray | None = None
    keep: Any = None
    like: Maker | None = None


Binder = Callable[[Any], Bound]


def binder(argument: Argument, parameters: Sequence[Parameter], function: str, *, writes: bool) -> Binder:
    """What checks a value for an argument and makes it ready to be passed.

    Nearly all values fit, and are found to do so in a few comparisons; `bind` has all that can be said of others.
    """

    def slow(value: Any) -> Bound:
        return bind(argument, parameters, value, function, writes=writes)

    kind, pointee = argument.type, argument.pointee
    if isinstance(kind, Scalar) and pointee is None:
        return _number_binder(kind, parameters[0].type, slow)
    element = kind.element if isinstance(kind, View) else pointee
    if not isinstance(element, Scalar) or element.dtype is None:
        return slow
    dtype, least = element.dtype, max(parameters[0].minimum_bytes, element.dtype.itemsize * argument.by_reference)
    if isinstance(kind, View):
        if kind.order != "C" or any(n is not None for n in kind.extents):
            return slow
        rank = kind.rank

        def view(value: Any) -> Bound:
            if type(value) is np.ndarray and value.dtype is dtype and value.ndim == rank:
                flags = value.flags
                if flags.c_contiguous and (flags.writeable or not writes):
                    return Bound((address_of(value), *value.shape), value)
            return slow(value)

        return view

    def pointer(value: Any) -> Bound:
        if type(value) is np.ndarray and value.dtype is dtype and value.nbytes >= least:
            flags = value.flags
            if flags.c_contiguous and (flags.writeable or not writes):
                return Bound((address_of(value),), value)
        return slow(value)

    return pointer


def _number_binder(kind: Scalar, llvm_type: str, slow: Binder) -> Binder:
    if kind.kind == "f" and llvm_type in ("double", "float", "half"):
        return lambda value: Bound((value,)) if type(value) is float else slow(value)
    if kind.kind not in "iu":
        return slow
    low, high = integer_limits(kind)

    def integer(value: Any) -> Bound:
        return Bound((value,)) if type(value) is int and low <= value < high else slow(value)

    return integer


def integer_limits(kind: Scalar) -> tuple[int, int]:
    """The smallest integer of a type, and the one after its largest."""
    return (0, 1 << kind.bits) if kind.kind == "u" else (-(1 << kind.bits - 1), 1 << kind.bits - 1)


def parameter_count(argument: Argument) -> int:
    """How many LLVM parameters an argument takes."""
    return argument.type.parameter_count if isinstance(argument.type, View) else 1


def bind(argument: Argument, parameters: Sequence[Parameter], value: Any, function: str, *, writes: bool) -> Bound:
    """Check a value and make it ready to be passed."""
    if (foreign := _foreign(value)) is not None:
        array, like, words = foreign
        return _bind(_Wants(argument, function, writes, words), parameters, array)._replace(like=like)
    return _bind(_Wants(argument, function, writes), parameters, value)


def _bind(wants: _Wants, parameters: Sequence[Parameter], value: Any) -> Bound:
    argument, writes = wants.argument, wants.writes
    if isinstance(argument.type, View):
        array = wants.array(value, argument.type.element)
        wants.rank(array, argument.type)
        strides = array.strides if argument.type.order == "A" else ()
        return Bound((address_of(array), *array.shape, *strides), array)
    pointee = argument.pointee
    if pointee is None:
        return Bound((wants.number(value, parameters[0].type),))
    if value is None and not argument.by_reference:
        return Bound((0,))
    match pointee:
        case Scalar():
            if argument.by_reference and not writes and isinstance(value, (bool, int, float, complex, np.generic)):
                value = wants.boxed(value, pointee)
            array = wants.array(value, pointee)
            wants.contiguous(array, fortran=False)
            wants.at_least(array, 1 if argument.by_reference else 0)
        case Array(element, extents):
            array = wants.array(value, element) if isinstance(element, Scalar) else wants.memory(value, None)
            wants.contiguous(array, fortran=argument.by_reference)
            wants.extents(array, extents, argument.by_reference)
        case Descriptor(element, rank):
            array = wants.array(value, element) if isinstance(element, Scalar) else wants.memory(value, None)
            if array.ndim != rank:
                raise wants.error(f"an array of rank {rank}", f"one of rank {array.ndim}")
            content = _descriptor(array)
            return Bound((address_of(content),), array, content)
        case Struct(size=size):
            array = wants.memory(value, size)
        case Pointer() | Unknown() | View():
            array = wants.memory(value, None)
    if array.nbytes < parameters[0].minimum_bytes:
        raise wants.error(f"of at least {parameters[0].minimum_bytes} bytes", f"{array.nbytes}")
    return Bound((address_of(array),), array)


class _Words(NamedTuple):
    """How an array is made to fit, in the words of the library that it is of."""

    convert: str
    contiguous: str


_NUMPY = _Words("x.astype('{}')", "numpy.ascontiguousarray(x)")
_TORCH = _Words("x.to(torch.{})", "x.contiguous()")
_JAX = _Words("x.astype('{}'), after jax.config.update('jax_enable_x64', True) if it has 64 bits", "jax.numpy.copy(x)")


@dataclass(frozen=True)
class _Wants:
    argument: Argument
    function: str
    writes: bool
    words: _Words = _NUMPY

    def error(self, expected: str, given: str, hint: str | None = None) -> InputError:
        return InputError(f"{self.function}: the argument '{self.argument}' must be {expected}, not {given}", hint=hint)

    def number(self, value: Any, llvm_type: str) -> Any:
        wanted = self.argument.type
        if isinstance(value, np.ndarray) and value.ndim == 0:
            value = value[()]
        kind = np.asarray(value).dtype.kind if isinstance(value, (float, np.generic)) else "?"
        if isinstance(value, int):  # of any size
            kind = "i"
        is_float = isinstance(wanted, Scalar) and wanted.is_float
        if kind not in ("fiub" if is_float else "iub"):
            raise self.error("a number" if is_float else "an integer", _describe(value))
        if is_float:
            return np.longdouble(value).tobytes() if llvm_type in ("x86_fp80", "fp128") else float(value)
        number = int(value)
        if isinstance(wanted, Scalar):
            low, high = integer_limits(wanted)
            if not low <= number < high:
                raise self.error(f"from {low} to {high - 1}", str(number))
        return number

    def boxed(self, value: Any, wanted: Scalar) -> NDArray:
        if not wanted.is_float and np.asarray(value).dtype.kind in "fc":
            raise self.error("an integer", _describe(value))
        return np.array(value, wanted.dtype)

    def array(self, value: Any, element: Scalar) -> NDArray:
        if not isinstance(value, np.ndarray):
            raise self.error(
                f"a NumPy array of {element.dtype}", _describe(value), hint="numpy.array(...) makes one of it"
            )
        if element.dtype is not None and value.dtype != element.dtype:
            hint = f"convert it: {self.words.convert.format(element.dtype)}"
            raise self.error(f"an array of {element.dtype}", f"one of {value.dtype}", hint=hint)
        self.usable(value)
        return value

    def memory(self, value: Any, size: int | None) -> NDArray:
        """Any block of memory, as bytes or as the array that it is."""
        if isinstance(value, np.ndarray):
            array = value
        elif isinstance(value, (ctypes.Structure, ctypes.Array, ctypes.Union, bytearray, memoryview, bytes, np.void)):
            array = np.frombuffer(value, np.uint8)  # type: ignore[arg-type]
        else:
            raise self.error("an array, bytes or a ctypes structure", _describe(value))
        self.usable(array)
        self.contiguous(array, fortran=False)
        if size is not None and (array.nbytes < size or array.nbytes % max(size, 1)):
            raise self.error(f"of {size} bytes (or a multiple)", f"{array.nbytes}")
        return array

    def usable(self, array: NDArray) -> None:
        if self.writes and not array.flags.writeable:
            raise self.error("writable, since the function writes into it", "read-only")
        if not array.dtype.isnative:
            raise self.error("in the byte order of this machine", f"of type {array.dtype.str}")

    def contiguous(self, array: NDArray, *, fortran: bool) -> None:
        if fortran and not array.flags.f_contiguous:
            hint = "numpy.asfortranarray(x) makes a copy that is"
            raise self.error("contiguous in Fortran's order", f"with strides {array.strides}", hint=hint)
        if not fortran and not array.flags.c_contiguous:
            hint = f"{self.words.contiguous} makes a copy that is"
            raise self.error("contiguous in C's order", f"with strides {array.strides}", hint=hint)

    def at_least(self, array: NDArray, count: int) -> None:
        if array.size < count:
            raise self.error(f"of at least {count} element{'s' * (count != 1)}", f"{array.size}")

    def extents(self, array: NDArray, extents: tuple[int | None, ...], is_whole: bool) -> None:
        """What is known of an array's extents: all of them in Fortran, those after the first in C."""
        known = [n for n in extents if n is not None]
        count = int(np.prod(known)) if known else 0
        if is_whole and None not in extents:
            self.at_least(array, count)
        elif count and array.size % count:
            raise self.error(f"of a multiple of {count} elements", f"{array.size}")

    def rank(self, array: NDArray, view: View) -> None:
        if array.ndim != view.rank:
            raise self.error(f"an array of {view.rank} dimensions", f"one of {array.ndim}")
        wanted = tuple(array.shape[d] if n is None else n for d, n in enumerate(view.extents))
        if view.extents and array.shape != wanted:
            raise self.error(f"of shape {wanted}", f"of shape {array.shape}")
        if view.order != "A":
            self.contiguous(array, fortran=view.order == "F")


def _describe(value: Any) -> str:
    return f"{value!r} of type {type(value).__name__}" if np.isscalar(value) else f"a {type(value).__name__}"


def _asked_address(array: NDArray) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


_HEADER = object.__basicsize__
_word_at = ctypes.c_size_t.from_address


def _read_address(array: NDArray) -> int:
    """NumPy's C interface has an array's address in its first field: it takes a tenth of the time of asking."""
    return _word_at(id(array) + _HEADER).value


def _can_be_read() -> bool:
    if sys.implementation.name != "cpython":
        return False
    probe = np.zeros(8)
    return all(_read_address(a) == _asked_address(a) for a in (probe, probe[3:], probe[::-2], np.zeros((2, 2), "i1")))


address_of = _read_address if _can_be_read() else _asked_address


def _foreign(value: Any) -> tuple[NDArray, Maker, _Words] | None:
    """The memory of another library's array as a NumPy array, what makes such arrays, and its words; None if
    it is none.

    JAX's arrays can't be written to, so that NumPy's view of them can't, either.
    """
    if isinstance(value, (np.ndarray, np.generic)) or not hasattr(value, "__dlpack__"):
        return None
    is_tensor = type(value).__module__.startswith("torch")
    try:
        array = np.from_dlpack(value.detach() if is_tensor else value)
    except (BufferError, RuntimeError, TypeError, ValueError):  # on another device, or of a type that NumPy hasn't
        return None
    if is_tensor:
        import torch

        return array, torch.from_numpy, _TORCH
    if type(value).__module__.startswith("jax"):
        return array, _as_jax, _JAX
    return array, lambda made: made, _NUMPY


def _as_jax(array: NDArray) -> Any:
    import jax

    with jax.enable_x64(True):
        return jax.device_put(array)


# Fortran's CFI_cdesc_t: base address, element length, version, rank, type, attribute, extra, and for each dimension
# lower bound, extent and stride in bytes.


def _descriptor(array: NDArray) -> NDArray:
    kind = CFI_TYPES.get(f"{array.dtype.kind}{array.dtype.itemsize}", -1)
    head = struct.pack("=QqibbbB", address_of(array), array.itemsize, CFI_VERSION, array.ndim, kind, 0, 0)
    dimensions = (struct.pack("=qqq", 1, n, s) for n, s in zip(array.shape, array.strides, strict=True))
    return np.frombuffer(bytearray(head + b"".join(dimensions)), np.uint8)


# -- Memory beside memory --------------------------------------------------------------------------------------------


def shadow_like(array: NDArray, width: int = 1) -> NDArray:
    """Zeroed memory for the shadow of an array: of its strides too, since its addresses are computed alike.

    With a width, `width` numbers stand for each one, side by side, in a new last dimension.
    """
    if width == 1:
        flags = array.flags
        if flags.c_contiguous:
            return np.zeros(array.shape, array.dtype)
        if flags.f_contiguous:
            return np.zeros_like(array)
    return shadows_like([array], width)[0]


def shadows_like(arrays: Sequence[NDArray], width: int = 1) -> list[NDArray]:
    """Shadows of arrays that may overlap: they overlap alike."""
    bounds = [_bounds(array) for array in arrays]
    low = min(start for start, _ in bounds)
    whole = np.zeros((max(end for _, end in bounds) - low) * width, np.uint8)
    return [
        np.ndarray(
            (*array.shape, width) if width > 1 else array.shape,
            array.dtype,
            whole.data,
            (address_of(array) - low) * width,
            (*(s * width for s in array.strides), array.itemsize) if width > 1 else array.strides,
        )
        for array in arrays
    ]


def _bounds(array: NDArray) -> tuple[int, int]:
    """The first address of an array, and the one after its last."""
    start = address_of(array)
    flags = array.flags
    if flags.c_contiguous or flags.f_contiguous:
        return start, start + (array.nbytes or array.itemsize)
    reach = [s * max(n - 1, 0) for n, s in zip(array.shape, array.strides, strict=True)]
    return start + sum(r for r in reach if r < 0), start + sum(r for r in reach if r > 0) + array.itemsize


def bind_shadow(bound: Bound, shadow: NDArray) -> tuple[int, Any]:
    """What is passed for the shadow of an argument, and what must live until the call is over."""
    if bound.keep is None:
        return address_of(shadow), shadow
    # The shadow of a descriptor describes the shadow; all else in it is only looked up in the primal one.
    content = bound.keep.copy()
    content[:8] = np.frombuffer(struct.pack("=Q", address_of(shadow)), np.uint8)
    return address_of(content), (content, shadow)


def are_apart(bounds: Sequence[Bound]) -> bool:
    """Whether it is seen at first sight that arguments share no memory: without gaps, each ends before the next.

    >>> a = np.zeros(4)
    >>> are_apart([Bound((address_of(x),), x) for x in (a[2:], a[:2])])
    True
    """
    spans = []
    for values, array, keep, _ in bounds:
        if array is None or keep is not None or not array.flags.c_contiguous:
            return False
        spans.append((values[0], values[0] + array.nbytes))
    spans.sort()
    return all(end <= start for (_, end), (start, _) in pairwise(spans))


def overlapping(arrays: Sequence[tuple[NDArray, bool]]) -> list[list[int]]:
    """Which arrays share memory that is written: groups of numbers, of arrays given as `(array, is it written)`.

    >>> a = np.zeros(4)
    >>> overlapping([(a[:2], True), (a[2:], False)]), overlapping([(a[:3], True), (np.ones(1), True), (a[2:], False)])
    ([], [[0, 2]])
    """
    if len(arrays) < 2 or not any(written for _, written in arrays):
        return []
    spans = sorted([(*_bounds(array), i) for i, (array, _) in enumerate(arrays) if array.size])
    groups: list[list[int]] = []
    reach = 0
    for start, end, i in spans:
        if start < reach:
            groups[-1].append(i)
        else:
            groups.append([i])
        reach = max(reach, end)
    return [group for group in groups if len(group) > 1 and any(arrays[i][1] for i in group)]
