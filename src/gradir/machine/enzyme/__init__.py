"""Enzyme's interface in LLVM IR: calls like `__enzyme_autodiff(f, enzyme_dup, x, dx)` become calls of derivatives."""

from __future__ import annotations

from pathlib import Path

from gradir.machine.enzyme.lower import lower_text, requests_of

__all__ = ["include", "lower_text", "requests_of"]


def include() -> str:
    """The folder for `-I`, where `gradir/enzyme.h` is: the markers and functions, declared for C and C++.

    >>> (Path(include()) / "gradir" / "enzyme.h").is_file()
    True
    """
    return str(Path(__file__).parents[2] / "include")
