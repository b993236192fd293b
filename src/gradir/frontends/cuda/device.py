"""PTX of kernels, by LLVM's back end for NVPTX: math comes from NVIDIA's libdevice, which many wheels bring along."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from glob import glob
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends.cuda.derive import Kernel
from gradir.frontends.cuda.flat import for_device
from gradir.machine import llvm
from gradir.machine.ir import Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import words
from gradir.machine.passes.loops import early_loads

__all__ = ["TAPE", "libdevice", "ptx"]

TAPE = "gradir_tape"
"""The variable by which the host passes a buffer: its address, the bytes for each thread, its end, and the number of
the launch. Not there if nothing is kept."""
TRIPLE = "nvptx64-nvidia-cuda"


def ptx(kernel: Kernel, cpu: str = "sm_80") -> str:
    """The assembly of a kernel, for GPUs of a generation and all that came later."""
    target = llvm.Target(TRIPLE, cpu, "+ptx78")
    module = read(kernel.text)
    keep = [kernel.symbol]
    if _use_slabs(module):
        keep.append(TAPE)
    wanted = _use_libdevice(module)
    # With debug info, the assembler would not optimise.
    linked = llvm.without_debug_info(for_device(str(module), kernel.shared, [kernel.symbol]))
    if wanted:
        linked = llvm.link([linked, _math()])
    llvm.extract(linked, keep)
    llvm.optimise(linked, target=target)
    llvm.extract(linked, keep)
    llvm.run_pass(linked, "instruction_namer")
    made = read(str(linked))
    early_loads.run(made.functions[kernel.symbol])
    return llvm.emit_assembly(llvm.reparsed(str(made)), target=target)


# -- What is kept ----------------------------------------------------------------------------------------------------


def _use_slabs(module: Module) -> bool:
    """Let the memory that a derivative allocates come from the buffer that the host passes. Whether there is any."""
    instead = {"malloc": "gradir.cuda.malloc", "free": "gradir.cuda.free"}
    if not any(name in module.functions for name in instead):
        return False
    own = ("gradir.acquire", "gradir.release", "gradir.grow")
    added = read(resources.files("gradir.frontends.cuda").joinpath("tape.ll").read_text())
    for function in [f for f in module.definitions if f.name not in own]:
        for i in function.instructions():
            if i.callee_name in instead:
                i.set_operand(len(i.operands) - 1, added.globals[instead[i.callee_name]])
    for name in own:
        if name not in module.functions:
            added.remove(name)
    extend(module, str(added))
    return True


# -- Math ------------------------------------------------------------------------------------------------------------

_NATIVE = words(
    "sqrt fma fmuladd fabs floor ceil trunc rint nearbyint round roundeven minnum maxnum minimum maximum copysign"
)
"""Intrinsics that the back end has instructions for."""

_INTRINSIC = re.compile(r"llvm\.(\w+)\.f(32|64)(?:\.i32)?$")


def _use_libdevice(module: Module) -> list[str]:
    """Let functions of the C library, and LLVM's intrinsics, be those of libdevice. Their names there."""
    found: dict[str, str] = {}
    for function in [f for f in module.functions.values() if f.is_declaration]:
        name = _in_libdevice(function.name)
        if name is not None:
            found[function.name] = name
            given = ", ".join(str(a.type) for a in function.arguments)
            extend(module, f"declare {function.result} @{name}({given})")
    for function in module.definitions if found else ():
        for i in function.instructions():
            if (i.callee_name or "") in found:
                i.set_operand(len(i.operands) - 1, module.globals[found[i.callee_name or ""]])
    for name in found:
        module.remove(name)
    return sorted(set(found.values()))


def _in_libdevice(name: str) -> str | None:
    """What a function is called in libdevice; None if it is none of the C library's."""
    if intrinsic := _INTRINSIC.match(name):
        base, bits = intrinsic.groups()
        return None if base in _NATIVE else f"__nv_{base}{'f' if bits == '32' else ''}"
    return None if "." in name or name.startswith("__") or name in _RUNTIME else f"__nv_{name}"


_RUNTIME = ("malloc", "free")
"""What the driver has."""


def libdevice() -> Path:
    """Where libdevice is: the file that GRADIR_LIBDEVICE names, in a wheel, or in CUDA's toolkit."""
    for place in _places():
        if place.is_file():
            return place
    raise BackendError(
        "there is no libdevice, which has the math of kernels",
        hint="install triton or nvidia-cuda-nvcc, or name the file libdevice.10.bc by GRADIR_LIBDEVICE",
    )


def _places() -> Iterator[Path]:
    if wanted := os.environ.get("GRADIR_LIBDEVICE"):
        yield Path(wanted)
    wheels = (("triton", "backends/nvidia/lib"), ("nvidia", "*/nvvm/libdevice"), ("jaxlib", "**/libdevice"))
    for package, below in wheels:
        spec = find_spec(package)
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from sorted(Path(folder).glob(f"{below}/libdevice.10.bc"))
    toolkits = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), *sorted(glob("/usr/local/cuda*"))]
    yield from (Path(folder, "nvvm/libdevice/libdevice.10.bc") for folder in toolkits if folder)


@cache
def _math() -> bytes:
    return libdevice().read_bytes()
