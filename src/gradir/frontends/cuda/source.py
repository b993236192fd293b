"""CUDA C++: by clang, without CUDA's toolkit."""

from __future__ import annotations

from pathlib import Path

from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.c import clang
from gradir.frontends.compiler import compile_to_llvm
from gradir.machine import llvm

__all__ = ["to_llvm"]

_INCLUDE = Path(__file__).parent / "include"
_FLAGS = (
    *("-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-nocudainc", "-nocudalib", "-nostdinc"),
    *("-isystem", str(_INCLUDE), "-include", "gradir_cuda.h", "-Wno-unknown-cuda-version", "-std=c++17"),
    *("-c", "-emit-llvm", "-g", "-Xclang", "-debug-info-kind=limited", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-fno-math-errno", "-fno-discard-value-names"),
)


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile the device's part of a .cu file, for NVPTX."""
    driver = clang(options.compiler)
    if driver[-1] == "ziglang":
        driver.append("clang")
    return compile_to_llvm([*driver, *_FLAGS, *options.flags, str(source), "-o"], source)
