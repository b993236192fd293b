"""CUDA's driver, by ctypes: what loads PTX and launches it."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from gradir.errors import BackendError
from gradir.frontends.cuda.derive import Kernel
from gradir.frontends.cuda.device import TAPE, ptx

__all__ = ["DeviceArray", "Loaded", "device_name", "synchronize"]

_LARGEST_SLAB = 1 << 14
"""What a thread may keep beside its stack, in bytes; more comes from the device's heap."""


@cache
def _driver() -> Any:
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        hint = "on NumPy's arrays kernels run without one"
        raise BackendError(f"there is no CUDA driver: {error}", hint=hint) from None
    library.cuMemAlloc_v2.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
    library.cuMemFree_v2.argtypes = [ctypes.c_uint64]
    library.cuMemcpyHtoD_v2.argtypes = [ctypes.c_uint64, ctypes.c_void_p, ctypes.c_size_t]
    library.cuMemcpyDtoH_v2.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_size_t]
    library.cuMemsetD32Async.argtypes = [ctypes.c_uint64, ctypes.c_uint, ctypes.c_size_t, ctypes.c_void_p]
    library.cuMemsetD8_v2.argtypes = [ctypes.c_uint64, ctypes.c_ubyte, ctypes.c_size_t]
    return library


def _call(name: str, *arguments: Any) -> None:
    status = getattr(_driver(), name)(*arguments)
    if status:
        text = ctypes.c_char_p()
        _driver().cuGetErrorString(status, ctypes.byref(text))
        raise BackendError(f"{name}: {(text.value or b'?').decode()} ({status})")


@cache
def _context() -> ctypes.c_void_p:
    """That of the first device, which torch, CuPy and JAX use as well."""
    _call("cuInit", 0)
    context = ctypes.c_void_p()
    _call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
    return context


def _enter() -> None:
    _call("cuCtxSetCurrent", _context())


def device_name() -> str:
    """The GPU that kernels run on."""
    _enter()
    name = ctypes.create_string_buffer(100)
    _call("cuDeviceGetName", name, 100, 0)
    return name.value.decode()


@cache
def _generation() -> str:
    """What PTX is made for: the device's own generation, or the newest that is known here."""
    major, minor = ctypes.c_int(), ctypes.c_int()
    _call("cuDeviceGetAttribute", ctypes.byref(major), 75, 0)
    _call("cuDeviceGetAttribute", ctypes.byref(minor), 76, 0)
    return f"sm_{min(10 * major.value + minor.value, 80)}"


def synchronize() -> None:
    """Wait until all that was launched is done."""
    _enter()
    _call("cuCtxSynchronize")


class DeviceArray:
    """A copy of an array of NumPy's on the device, where there is neither torch nor CuPy nor JAX to make one."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        _enter()
        self._like = np.ascontiguousarray(array)
        place = ctypes.c_uint64()
        _call("cuMemAlloc_v2", ctypes.byref(place), max(self._like.nbytes, 1))
        self.address = place.value
        self.set(self._like)

    def set(self, array: np.ndarray[Any, Any]) -> None:
        """Overwrite all of it."""
        given = np.ascontiguousarray(array, self._like.dtype)
        assert given.shape == self._like.shape
        _call("cuMemcpyHtoD_v2", self.address, given.ctypes.data, given.nbytes)

    def get(self) -> np.ndarray[Any, Any]:
        """What is there, once all that was launched is done."""
        synchronize()
        made = np.empty_like(self._like)
        _call("cuMemcpyDtoH_v2", made.ctypes.data, self.address, made.nbytes)
        return made

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        like = self._like
        return {"shape": like.shape, "typestr": like.dtype.str, "data": (self.address, False), "version": 3}

    def __del__(self) -> None:
        if getattr(self, "address", 0):
            _driver().cuMemFree_v2(self.address)


class Loaded:
    """A kernel on the device."""

    def __init__(self, kernel: Kernel) -> None:
        _enter()
        self.ptx = ptx(kernel, _generation())
        self._module, self._function = ctypes.c_void_p(), ctypes.c_void_p()
        _call("cuModuleLoadData", ctypes.byref(self._module), self.ptx.encode() + b"\0")
        _call("cuModuleGetFunction", ctypes.byref(self._function), self._module, kernel.symbol.encode())
        self._keeps = TAPE in self.ptx
        self._tape: _Tape | None = None

    def launch(self, sizes: Sequence[int], arguments: int, stream: int = 0) -> None:
        """Run all threads, some time after what is on the stream now. `sizes` are those of the grid and of a block,
        `arguments` an array of the addresses of values."""
        _enter()
        if self._keeps:
            self._set_tape(sizes, stream)
        given = ctypes.c_void_p(arguments)
        _call("cuLaunchKernel", self._function, *sizes, 0, ctypes.c_void_p(stream), given, None)

    def _set_tape(self, sizes: Sequence[int], stream: int) -> None:
        """Let the kernel find the buffer, and the number of this launch."""
        threads = 1
        for n in sizes:
            threads *= n
        place, size = ctypes.c_uint64(), ctypes.c_size_t()
        _call("cuModuleGetGlobal_v2", ctypes.byref(place), ctypes.byref(size), self._module, TAPE.encode())
        if self._tape is None or self._tape.threads != threads:
            if self._tape is not None:
                synchronize()  # what was launched may still use it
            self._tape = None  # gives the old one back first
            self._tape = _Tape(threads)
            begin, slab = self._tape.address, self._tape.slab
            said = (ctypes.c_uint64 * 4)(begin, slab, begin + slab * threads, 0)
            _call("cuMemcpyHtoD_v2", place, said, ctypes.sizeof(said))
        self._tape.launches += 1
        _call("cuMemsetD32Async", place.value + 24, self._tape.launches, 1, ctypes.c_void_p(stream))


class _Tape:
    """The buffer for what threads keep: a slab for each, of a quarter of what memory there is at most."""

    def __init__(self, threads: int) -> None:
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        _call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        self.threads, self.launches = threads, 0
        self.slab = min(_LARGEST_SLAB, free.value // 4 // threads) // 16 * 16
        place = ctypes.c_uint64()
        if self.slab:
            _call("cuMemAlloc_v2", ctypes.byref(place), self.slab * threads)
            _call("cuMemsetD8_v2", place.value, 0, self.slab * threads)
        self.address = place.value

    def __del__(self) -> None:
        if self.address:
            _driver().cuMemFree_v2(self.address)
