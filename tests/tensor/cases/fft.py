"""Fourier transforms: every kind, over one to three dimensions, of even and odd lengths."""

from __future__ import annotations

from collections.abc import Sequence

from cases import case, complex_normal, normal

R, C = "f64", "complex<f64>"


def tensor(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


def fft(kind: str, label: str, shape: Sequence[int], lengths: Sequence[int]) -> None:
    """`shape` is that of the values in space; the spectrum of a real transform has its last dimension cut."""
    half = (*shape[:-1], lengths[-1] // 2 + 1)
    space = tensor(shape, C if kind in ("FFT", "IFFT") else R)
    spectrum = tensor(half, C) if kind in ("RFFT", "IRFFT") else space
    x, y = (spectrum, space) if kind == "IRFFT" else (space, spectrum)
    text = (
        f"func.func public @f(%x: {x}) -> {y} {{ "
        f"%y = stablehlo.fft %x, type = {kind}, length = [{', '.join(map(str, lengths))}] : ({x}) -> {y}\n"
        f"return %y : {y} }}"
    )
    inputs = normal(shape) if kind == "RFFT" else complex_normal(half if kind == "IRFFT" else shape)
    # The reference interpreter's IRFFT of an odd length is not the inverse of its RFFT (NumPy's and XLA's are).
    backends = ("xla",) if kind in ("RFFT", "IRFFT") and lengths[-1] % 2 else ("reference", "xla")
    case("stablehlo.fft", f"{kind} {label}", text, inputs, backends=backends)


for _kind in ("FFT", "IFFT", "RFFT", "IRFFT"):
    fft(_kind, "even", (2, 4), (4,))
    fft(_kind, "odd", (5,), (5,))
    fft(_kind, "of one point", (2, 1), (1,))
    fft(_kind, "of two dimensions", (2, 3, 2), (3, 2))
    fft(_kind, "of three dimensions", (2, 2, 3), (2, 2, 3))
