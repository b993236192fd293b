"""Enzyme's interface in LLVM IR: calls like `__enzyme_autodiff(f, enzyme_dup, x, dx)` become calls of derivatives."""

from __future__ import annotations

from gradir.machine.enzyme.lower import lower_text, requests_of

__all__ = ["lower_text", "requests_of"]
