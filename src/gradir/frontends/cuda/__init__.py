"""CUDA kernels: `.cu` files, or LLVM IR for NVPTX, differentiated as kernels and launched on a GPU or emulated.

    k = gradir.load("kernel.cu")
    k["saxpy"][grid, block](n, a, x, y)
    k.vjp("saxpy")[grid, block](n, a, x, y, da, dx, dy)     # adds to da and dx, takes dy

`source.py` compiles, `flat.py` takes address spaces away and puts them back, `derive.py` makes the kernels that are
launched, `emulator.py` runs them on the CPU and `device.py` on a GPU.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gradir.errors import InputError, RequestError
from gradir.files import write_file
from gradir.frontends import CompilerOptions, content_of
from gradir.frontends.cuda import derive, device, flat, source
from gradir.frontends.cuda.derive import Kernel
from gradir.frontends.cuda.emulator import Emulated
from gradir.machine import llvm
from gradir.machine.analysis.parallel.grid import Launch
from gradir.machine.jit.arguments import integer_limits
from gradir.machine.jit.signature import Argument, Pointer, Scalar, Signature, Unknown, holds_floats, signatures
from gradir.machine.transform.runtime.grid import SLOT, SLOTS
from gradir.request import Mode

if TYPE_CHECKING:
    from gradir.frontends.cuda.driver import Loaded

__all__ = ["CudaModule", "Launchable", "load", "three"]

Wrt = Sequence[str | int] | str | int | None


class CudaModule:
    """Kernels, by name. Derivatives are kernels, too, launched in the same way."""

    def __init__(self, text: str) -> None:
        self.text = text
        """LLVM IR for NVPTX, which `gradir.load` takes as well: for a machine without a compiler."""
        self._flat = flat.flatten(text)
        every = signatures(text)
        self._signatures = {s: every[s] for s in self._flat.kernels}
        self._made: dict[object, Launchable] = {}
        if not self._signatures:
            raise InputError("there is no __global__ function in it")

    @property
    def kernels(self) -> Mapping[str, Signature]:
        """What can be launched, by symbol."""
        return dict(self._signatures)

    def __repr__(self) -> str:
        return f"<gradir.CudaModule: {'; '.join(map(str, self._signatures.values()))}>"

    def save(self, path: str | Path) -> None:
        """Write the LLVM IR to a file (`.ll`)."""
        write_file(path, self.text.encode())

    def signature(self, name: str | None) -> Signature:
        """That of a kernel, by its name; of the only one, without."""
        found = [s for s in self._signatures.values() if name in (None, s.name, s.symbol)]
        if len(found) != 1:
            known = ", ".join(s.name for s in self._signatures.values())
            what = f"no kernel '{name}'" if not found else "several kernels: say which"
            raise InputError(what, hint=f"there are {known}")
        return found[0]

    def __getitem__(self, name: str | None) -> Launchable:
        """A kernel as it was written: `k["f"][grid, block](…)`."""
        signature = self.signature(name)
        if signature.symbol not in self._made:
            arguments = [_Argument(a) for a in signature.arguments]
            self._made[signature.symbol] = self._launchable(partial(self._primal, signature.symbol), arguments)
        return self._made[signature.symbol]

    def vjp(self, name: str | None = None, wrt: Wrt = None) -> Launchable:
        """The reverse derivative: takes the kernel's arguments, then a cotangent for each of `wrt`.

        The cotangents of arrays are arrays like them; those of what the kernel writes are given (and are zero
        afterwards where it overwrites), those of what it reads are added to. That of a number is an array of one
        element, which is added to. Without `wrt`, all floats are meant.
        """
        return self._derivative(name, Mode.reverse, wrt)

    def jvp(self, name: str | None = None, wrt: Wrt = None) -> Launchable:
        """The forward derivative: takes the kernel's arguments, then a tangent for each of `wrt`; of arrays that it
        writes, the tangents are written."""
        return self._derivative(name, Mode.forward, wrt)

    def boxed(self, name: str | None, mode: Mode | None, wrt: Wrt) -> Launchable:
        """A kernel (without a mode) or a derivative, all of whose floats are passed by their addresses."""
        if mode is not None:
            return self._derivative(name, mode, wrt, boxed=True)
        signature = self.signature(name)
        key = (signature.symbol, None)
        if key not in self._made:
            arguments = [_Argument(a, boxed=True) for a in signature.arguments]
            self._made[key] = self._launchable(partial(self._primal, signature.symbol, boxed=True), arguments)
        return self._made[key]

    def _primal(self, symbol: str, launch: Launch | None, shared: int, *, boxed: bool = False) -> Kernel:
        return derive.primal(self._flat, symbol, shared, boxed=boxed)

    def _launchable(self, make: Callable[[Launch | None, int], Kernel], arguments: Sequence[_Argument]) -> Launchable:
        return Launchable(make, arguments, is_sized=self._flat.is_sized)

    def _derivative(self, name: str | None, mode: Mode, wrt: Wrt, *, boxed: bool = False) -> Launchable:
        signature = self.signature(name)
        active = _active(signature, wrt)
        key = (signature.symbol, mode, tuple(active), boxed)
        if key not in self._made:
            chosen = [(k, a) for k, a in enumerate(signature.arguments) if active[k]]
            summed = mode is Mode.reverse
            arguments = [_Argument(a, boxed=boxed) for a in signature.arguments]
            arguments += [_Argument(a, of=k, summed=summed, boxed=boxed) for k, a in chosen]
            make = partial(derive.derivative, self._flat, signature.symbol, mode, active, boxed=boxed)
            self._made[key] = self._launchable(make, arguments)
        return self._made[key]


class Launchable:
    """A kernel, or a derivative of one: `f[grid, block](…)` runs it, or `f[grid, block, stream, shared](…)`, with the
    address of a stream of CUDA's (0 is the default one) and the bytes of `extern __shared__` memory."""

    def __init__(
        self, make: Callable[[Launch | None, int], Kernel], arguments: Sequence[_Argument], *, is_sized: bool
    ) -> None:
        """`make` gives the kernel for launches of one kind, or of any, and for so many bytes of shared memory: one for
        any at once, to be refused at once. `is_sized` says that launches give no shared memory."""
        self._made_for, self._arguments, self._is_sized = cache(make), arguments, is_sized
        self.symbol = self._made_for(None, 0 if is_sized else _SOME_BYTES).symbol
        self._emulated, self._loaded = cache(Emulated), cache(_loaded)
        self._summed = [k for k, a in enumerate(arguments) if a.is_summed]
        self._slots: dict[tuple[bool, int], list[Any]] = {}
        """Where sums over many blocks are made, on each stream of the device and here: all zero between launches."""
        self._turn = threading.Lock()

    def ptx(self, cpu: str = "sm_80", shared: int = 0) -> str:
        """The assembly for GPUs of a generation and all that came later. Of a kernel with `extern __shared__` memory,
        it is for so many bytes of that, which the launch does not give any more."""
        return device.ptx(self._made_for(None, shared), cpu)

    def listing(self, cpu: str = "sm_80", shared: int = 0) -> str:
        """The assembly, with a comment that says how it is launched."""
        text = self.ptx(cpu, shared)
        lines = [f"{self.symbol} is launched with the grid and the blocks of the original. It takes:"]
        lines += [f"  {argument}" for argument in self._arguments]
        if device.TAPE in text:
            lines += [
                f"What it keeps beside its stack comes from the heap, unless {device.TAPE} is set before a launch:",
                "  { a buffer of zeros, bytes for each thread, the end of the buffer, number of the launch from 1 on }",
            ]
        return "\n".join([*(f"// {line}" for line in lines), text])

    def __getitem__(self, sizes: tuple[Any, ...]) -> _Launch:
        if not isinstance(sizes, tuple) or not 2 <= len(sizes) <= 4:
            raise RequestError("a launch takes the sizes of the grid and of a block: f[grid, block](…)")
        grid, block, stream, shared = (*sizes, 0, 0)[:4]
        return _Launch(self, (*three(grid), *three(block), index(shared)), index(stream))

    def __repr__(self) -> str:
        return f"<gradir.Launchable {self.symbol}({', '.join(map(str, self._arguments))})>"

    def _run(self, sizes: Sequence[int], values: Sequence[Any], stream: int) -> None:
        if len(values) != len(self._arguments):
            takes = ", ".join(map(str, self._arguments))
            raise InputError(f"{self.symbol} takes {len(self._arguments)} values ({takes}), not {len(values)}")
        self._check_apart(values)
        on_device = any(hasattr(v, "__cuda_array_interface__") for v in values)
        cells = [a.cell(v, on_device) for a, v in zip(self._arguments, values, strict=True)]
        self._launch_for(sizes, cells, on_device, stream)

    def _check_apart(self, values: Sequence[Any]) -> None:
        """Refuse shadows that share memory, unless what they are the shadows of does so as well: threads add to each
        as if there were no other."""
        places = [_range(v) if a.is_array else None for a, v in zip(self._arguments, values, strict=True)]
        shadows = [k for k, a in enumerate(self._arguments) if a.of is not None and places[k] is not None]
        for k in shadows:
            for other, place in enumerate(places):
                if other == k or place is None or not _overlap(places[k], place):
                    continue
                of, of_other = self._arguments[k].of, self._arguments[other].of
                if of_other is None or not _overlap(places[of or 0], places[of_other]):
                    names = f"{self._arguments[k].name} and {self._arguments[other].name}"
                    raise InputError(f"{names} share memory", hint="give each its own, and add up afterwards")

    def launch(self, sizes: Sequence[int], values: Sequence[int], *, on_device: bool, stream: int = 0) -> None:
        """Run it on addresses and integers: the sizes of the grid and of a block, in three directions each, and the
        bytes of shared memory."""
        cells = [a.plain_cell(v) for a, v in zip(self._arguments, values, strict=True)]
        self._launch_for(sizes, cells, on_device, stream)

    def _launch_for(self, sizes: Sequence[int], cells: list[Any], on_device: bool, stream: int) -> None:
        *sizes, shared = sizes
        if self._is_sized and shared:
            raise RequestError(f"{self.symbol} has no shared memory whose size a launch says (extern __shared__)")
        blocks, (x, y, z) = math.prod(sizes[:3]), sizes[3:]
        is_line = y * z == 1 and blocks == sizes[0] and blocks * x < 1 << 31
        spreads = bool(self._summed) and blocks >= _MANY_BLOCKS
        kernel = self._made_for(Launch((x, y, z), is_line, spreads), shared)
        if not spreads:
            self._launch(kernel, sizes, cells, on_device, stream)
            return
        with self._turn:
            slots = self._slots.pop((on_device, stream), None) or [_zeros(on_device) for _ in self._summed]
            sums = [cells[k] for k in self._summed]
            for k, slot in zip(self._summed, slots, strict=True):
                cells[k] = ctypes.c_void_p(slot.address if on_device else slot.ctypes.data)
            self._launch(kernel, sizes, cells, on_device, stream)
            for k, total in zip(self._summed, sums, strict=True):
                fold = derive.folding("double" if str(self._arguments[k].type) == "double" else "float")
                self._launch(fold, (1, 1, 1, 32, 1, 1), [cells[k], total], on_device, stream)
            self._slots[on_device, stream] = slots  # unless something went wrong

    def _launch(
        self, kernel: Kernel, sizes: Sequence[int], cells: Sequence[Any], on_device: bool, stream: int
    ) -> None:
        pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(c) for c in cells))
        if on_device:
            self._loaded(kernel).launch(sizes, ctypes.addressof(pointers), stream)
        else:
            self._emulated(kernel).launch(sizes, ctypes.addressof(pointers))


def _range(value: Any) -> tuple[int, int] | None:
    """Where an array lies."""
    if isinstance(value, np.ndarray):
        return value.ctypes.data, value.ctypes.data + value.nbytes
    said = getattr(value.detach() if hasattr(value, "detach") else value, "__cuda_array_interface__", None)
    if said is None:
        return None
    start = said["data"][0]
    return start, start + math.prod(said["shape"]) * np.dtype(said["typestr"]).itemsize


def _overlap(a: tuple[int, int] | None, b: tuple[int, int] | None) -> bool:
    return a is not None and b is not None and a[0] < b[1] and b[0] < a[1]


_SOME_BYTES = 1 << 14
"""Shared memory that a kernel is tried with when it is differentiated, before a launch says how much there is."""

_MANY_BLOCKS = 1024
"""So many blocks get in each other's way where they add to one number."""


def _zeros(on_device: bool) -> Any:
    slots = np.zeros(SLOTS * SLOT, np.uint8)
    if not on_device:
        return slots
    from gradir.frontends.cuda.driver import DeviceArray

    return DeviceArray(slots)


def _loaded(kernel: Kernel) -> Loaded:
    from gradir.frontends.cuda.driver import Loaded

    return Loaded(kernel)


class _Launch:
    def __init__(self, function: Launchable, sizes: Sequence[int], stream: int) -> None:
        self._function, self._sizes, self._stream = function, sizes, stream

    def __call__(self, *values: Any) -> None:
        self._function._run(self._sizes, values, self._stream)


class _Argument:
    """What is passed for a parameter, or for its shadow."""

    def __init__(
        self, argument: Argument, *, of: int | None = None, summed: bool = False, boxed: bool = False
    ) -> None:
        """With `of`, it is the shadow of the parameter of that number. With `boxed`, a float is passed by its address.
        Of reverse mode, its cotangent (`summed`) always is."""
        self.of = of
        self.name = argument.name if of is None else f"d{argument.name}"
        pointee = argument.pointee
        self.is_summed = summed and pointee is None
        self.is_array = pointee is not None or summed or (boxed and _is_float(argument))
        self.type = pointee if pointee is not None else argument.type
        self.is_output = of is not None or not argument.is_const

    def __str__(self) -> str:
        return f"{self.name}: {self.type}{' *' if self.is_array else ''}"

    def cell(self, value: Any, on_device: bool) -> Any:
        """The memory that holds what is passed."""
        if self.is_array:
            return ctypes.c_void_p(self._on_device(value) if on_device else self._address(value))
        dtype = self.type.dtype if isinstance(self.type, Scalar) else None
        if dtype is None:
            raise InputError(f"{self.name}: a {self.type} can't be passed")
        return (ctypes.c_char * dtype.itemsize).from_buffer_copy(self._number(value, dtype).tobytes())

    def plain_cell(self, value: int) -> Any:
        """The memory that holds an address, or an integer that fits."""
        if self.is_array:
            return ctypes.c_void_p(value)
        assert isinstance(self.type, Scalar) and self.type.dtype is not None
        return (ctypes.c_char * self.type.dtype.itemsize).from_buffer_copy(np.array(value, self.type.dtype).tobytes())

    def _number(self, value: Any, dtype: np.dtype[Any]) -> Any:
        """A number as the kernel takes it. No digits of an integer are lost, nor what stands behind its point."""
        assert isinstance(self.type, Scalar)
        try:
            if dtype.kind in "iu":
                low, high = integer_limits(self.type)
                if not low <= index(value) < high:
                    raise InputError(f"{self.name}: {value} is no {self.type}")
            return np.array(value).astype(dtype, casting="unsafe" if dtype.kind in "iu" else "same_kind")
        except TypeError:
            raise InputError(f"{self.name} is a {type(value).__name__}, not a {self.type}") from None

    def _check(self, dtype: np.dtype[Any]) -> None:
        wanted = self.type.dtype if isinstance(self.type, Scalar) else None
        if wanted is not None and dtype != wanted:
            raise InputError(f"{self.name} is an array of {dtype}, not of {wanted}")

    def _on_device(self, value: Any) -> int:
        if hasattr(value, "detach"):
            value = value.detach()
        said = getattr(value, "__cuda_array_interface__", None)
        if said is None:
            raise InputError(f"{self.name} is a {type(value).__name__}, not an array on the GPU")
        self._check(np.dtype(said["typestr"]))
        if said.get("strides") is not None and 0 not in said["shape"]:
            raise InputError(f"{self.name} is an array with gaps")
        return int(said["data"][0])

    def _address(self, value: Any) -> int:
        if not isinstance(value, np.ndarray):
            raise InputError(f"{self.name} is a {type(value).__name__}, not an array")
        self._check(value.dtype)
        if not value.flags.c_contiguous or (self.is_output and not value.flags.writeable):
            raise InputError(f"{self.name} is an array with gaps, or one that can't be written to")
        return value.ctypes.data


def three(size: Any) -> tuple[int, int, int]:
    """The sizes in x, y and z."""
    given = (size,) if isinstance(size, (int, np.integer)) else tuple(size)
    if not 1 <= len(given) <= 3 or any(int(n) < 1 for n in given):
        raise RequestError(f"the size of a grid or a block is one to three numbers from 1 on, not {size}")
    return tuple([*map(int, given), 1, 1][:3])  # type: ignore[return-value]


def _active(signature: Signature, wrt: Wrt) -> list[bool]:
    """Which parameters have shadows."""
    if wrt is None:
        vague = [a.name for a in signature.arguments if isinstance(a.pointee, Unknown)]
        if vague:
            raise RequestError(f"nobody says what {vague[0]} points to", hint="name the parameters by wrt=[...]")
        return [_is_float(a) for a in signature.arguments]
    wanted = [wrt] if isinstance(wrt, (str, int)) else list(wrt)
    names = [a.name for a in signature.arguments]
    for w in wanted:
        if not (w in names if isinstance(w, str) else 0 <= w < len(names)):
            raise RequestError(f"{signature.name} has no parameter {w!r}", hint=f"there are {', '.join(names)}")
    return [a.name in wanted or k in wanted for k, a in enumerate(signature.arguments)]


def _is_float(a: Argument) -> bool:
    return bool(holds_floats(a.pointee if isinstance(a.type, Pointer) else a.type))


def load(path: Path, *, flags: Sequence[str] = (), compiler: str | None = None) -> CudaModule:
    """Read a `.cu` file, or the LLVM IR that was made of one."""
    if path.suffix == ".cu":
        if not path.is_file():
            raise InputError("no such file", location=str(path))
        return CudaModule(str(source.to_llvm(path, CompilerOptions(tuple(flags), compiler))))
    return CudaModule(str(llvm.parse(content_of(path), str(path), untrusted=True)))
