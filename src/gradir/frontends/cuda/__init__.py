"""CUDA kernels: `.cu` files, or LLVM IR for NVPTX, differentiated as kernels and launched on a GPU or emulated.

    k = gradir.load("kernel.cu")
    k["saxpy"][grid, block](n, a, x, y)
    k.vjp("saxpy")[grid, block](n, a, x, y, da, dx, dy)     # adds to da and dx, takes dy

`source.py` compiles, `flat.py` takes address spaces away and puts them back, `derive.py` makes the kernels that are
launched, `emulator.py` runs them on the CPU and `device.py` on a GPU.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gradir.errors import InputError, RequestError
from gradir.frontends import CompilerOptions, content_of
from gradir.frontends.cuda import derive, device, flat, source
from gradir.frontends.cuda.derive import Kernel
from gradir.frontends.cuda.emulator import Emulated
from gradir.machine import llvm
from gradir.machine.jit.signature import Argument, Pointer, Scalar, Signature, Unknown, holds_floats, signatures
from gradir.request import Mode

if TYPE_CHECKING:
    from gradir.frontends.cuda.driver import Loaded

__all__ = ["CudaModule", "Launchable", "load"]

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
        Path(path).write_text(self.text)

    def _find(self, name: str | None) -> Signature:
        found = [s for s in self._signatures.values() if name in (None, s.name, s.symbol)]
        if len(found) != 1:
            known = ", ".join(s.name for s in self._signatures.values())
            what = f"no kernel '{name}'" if not found else "several kernels: say which"
            raise InputError(what, hint=f"there are {known}")
        return found[0]

    def __getitem__(self, name: str | None) -> Launchable:
        """A kernel as it was written: `k["f"][grid, block](…)`."""
        signature = self._find(name)
        if signature.symbol not in self._made:
            arguments = [_Argument(a) for a in signature.arguments]
            self._made[signature.symbol] = Launchable(derive.primal(self._flat, signature.symbol), arguments)
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

    def _derivative(self, name: str | None, mode: Mode, wrt: Wrt) -> Launchable:
        signature = self._find(name)
        active = _active(signature, wrt)
        key = (signature.symbol, mode, tuple(active))
        if key not in self._made:
            chosen = [a for a, wanted in zip(signature.arguments, active, strict=True) if wanted]
            arguments = [_Argument(a) for a in signature.arguments]
            arguments += [_Argument(a, shadow=True, summed=mode is Mode.reverse) for a in chosen]
            made = derive.derivative(self._flat, signature.symbol, mode, active)
            self._made[key] = Launchable(made, arguments)
        return self._made[key]


class Launchable:
    """A kernel, or a derivative of one: `f[grid, block](…)` runs it."""

    def __init__(self, kernel: Kernel, arguments: Sequence[_Argument]) -> None:
        self.kernel = kernel
        self._arguments = arguments

    @cached_property
    def _emulated(self) -> Emulated:
        return Emulated(self.kernel)

    @cached_property
    def _loaded(self) -> Loaded:
        from gradir.frontends.cuda.driver import Loaded

        return Loaded(self.kernel)

    def ptx(self, cpu: str = "sm_80") -> str:
        """The assembly for GPUs of a generation and all that came later."""
        return device.ptx(self.kernel, cpu)

    def listing(self, cpu: str = "sm_80") -> str:
        """The assembly, with a comment that says how it is launched."""
        text = self.ptx(cpu)
        lines = [f"{self.kernel.symbol} is launched with the grid and the blocks of the original. It takes:"]
        lines += [f"  {argument}" for argument in self._arguments]
        if device.TAPE in text:
            lines += [
                f"What it keeps beside its stack comes from the heap, unless {device.TAPE} is set before a launch:",
                "  { a buffer of zeros, bytes for each thread, the end of the buffer, number of the launch from 1 on }",
            ]
        return "\n".join([*(f"// {line}" for line in lines), text])

    def __getitem__(self, sizes: tuple[Any, Any]) -> _Launch:
        if not isinstance(sizes, tuple) or len(sizes) != 2:
            raise RequestError("a launch takes the sizes of the grid and of a block: f[grid, block](…)")
        return _Launch(self, _three(sizes[0]) + _three(sizes[1]))

    def __repr__(self) -> str:
        return f"<gradir.Launchable {self.kernel.symbol}({', '.join(map(str, self._arguments))})>"

    def _run(self, sizes: Sequence[int], values: Sequence[Any]) -> None:
        if len(values) != len(self._arguments):
            takes = ", ".join(map(str, self._arguments))
            raise InputError(f"{self.kernel.symbol} takes {len(self._arguments)} values ({takes}), not {len(values)}")
        on_device = any(hasattr(v, "__cuda_array_interface__") for v in values)
        cells = [a.cell(v, on_device) for a, v in zip(self._arguments, values, strict=True)]
        pointers = (ctypes.c_void_p * max(len(cells), 1))(*(ctypes.addressof(c) for c in cells))
        if on_device:
            self._loaded.launch(sizes, ctypes.addressof(pointers))
        else:
            self._emulated.launch(sizes, ctypes.addressof(pointers))


class _Launch:
    def __init__(self, function: Launchable, sizes: Sequence[int]) -> None:
        self._function, self._sizes = function, sizes

    def __call__(self, *values: Any) -> None:
        self._function._run(self._sizes, values)


class _Argument:
    """What is passed for a parameter, or for its shadow."""

    def __init__(self, argument: Argument, *, shadow: bool = False, summed: bool = False) -> None:
        self.name = f"d{argument.name}" if shadow else argument.name
        pointee = argument.pointee
        self.is_array = pointee is not None or summed
        self.type = pointee if pointee is not None else argument.type
        self.is_output = shadow or not argument.is_const

    def __str__(self) -> str:
        return f"{self.name}: {self.type}{' *' if self.is_array else ''}"

    def cell(self, value: Any, on_device: bool) -> Any:
        """The memory that holds what is passed."""
        if self.is_array:
            return ctypes.c_void_p(self._on_device(value) if on_device else self._address(value))
        dtype = self.type.dtype if isinstance(self.type, Scalar) else None
        if dtype is None:
            raise InputError(f"{self.name}: a {self.type} can't be passed")
        number = np.array(value).astype(dtype, casting="same_kind" if dtype.kind == "f" else "unsafe")
        return (ctypes.c_char * dtype.itemsize).from_buffer_copy(number.tobytes())

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


def _three(size: Any) -> tuple[int, int, int]:
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
