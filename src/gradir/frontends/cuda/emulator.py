"""Kernels on the CPU, thread by thread (emulator.c): slow, and right wherever there is no GPU."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Sequence
from functools import cache, cached_property
from importlib import resources

from gradir.errors import BackendError
from gradir.frontends.cuda.derive import Kernel
from gradir.frontends.cuda.flat import for_host
from gradir.machine.jit import Entry, Library, compile_library

__all__ = ["Emulated"]

_ENTRY, _LAUNCH = "gradir.kernel", "gradir.launch"
_turn = threading.Lock()


class Emulated:
    """A kernel compiled for this machine."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @cached_property
    def _library(self) -> Library:
        text = for_host("\n".join([self.kernel.text, _entry(self.kernel)]), _emulator(), self.kernel.shared)
        launch = Entry(_LAUNCH, ("ptr", "ptr", "ptr", "i32"), "i32")
        return compile_library(text, [launch], exports=[_ENTRY, *self.kernel.shared])

    def launch(self, sizes: Sequence[int], arguments: int) -> None:
        """Run all threads. `sizes` are those of the grid and of a block, `arguments` an array of the addresses of
        values."""
        library, given = self._library, (ctypes.c_int * 6)(*sizes)
        with _turn:  # the emulator's state, and shared memory, are there once
            failed = library[_LAUNCH](
                library.address(_ENTRY), arguments, ctypes.addressof(given), int(self.kernel.waits)
            )
        if failed:
            raise BackendError(
                f"threads of {self.kernel.symbol} wait at a barrier or a shuffle for others that never come there",
                hint="all threads of a block must reach the same barriers",
            )


@cache
def _emulator() -> str:
    return resources.files("gradir.frontends.cuda").joinpath("emulator.ll").read_text()


def _entry(kernel: Kernel) -> str:
    """What the emulator calls for each thread."""
    lines, given = [], []
    for k, type in enumerate(kernel.parameters):
        lines += [
            f"  %a{k} = getelementptr ptr, ptr %arguments, i64 {k}",
            f"  %p{k} = load ptr, ptr %a{k}",
            f"  %x{k} = load {type}, ptr %p{k}, align 1",
        ]
        given.append(f"{type} %x{k}")
    called = f'  call void @"{kernel.symbol}"({", ".join(given)})'
    return "\n".join([f"define void @{_ENTRY}(ptr %arguments) {{", *lines, called, "  ret void", "}", ""])
