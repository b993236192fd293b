"""Fourier transforms: linear, and each one's adjoint is another.

The complex transforms are symmetric matrices, so their adjoints are their conjugates. (N times the inverse is the same,
but libraries scale an inverse in a pass of its own.) The adjoint of a real transform over N points is N times its
inverse up to weights, since it leaves out the half of the spectrum that mirrors the other: a frequency that stands for
two (all but 0 and, for even lengths, the last) counts half on its way back from one, and double on its way back to one.
"""

from __future__ import annotations

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr, i64s
from gradir.tensor.rules.rule import Site, batched_type, linear


def _transpose_fft(site: Site, ct: Expr) -> Expr:
    kind, lengths = str(hlo.FftTypeAttr(site.attr("fft_type")).value), list(site.attr("fft_length"))
    t = site.in_type(0)
    if not E.size(t.shape):
        return E.full(t, 0)
    if kind in ("FFT", "IFFT"):
        return E.conj(site.again([E.conj(ct)])[0])
    n = E.size(lengths)
    if kind == "RFFT":
        ct = ct * _mirrored(ct.type, lengths[-1], 0.5)
    out = E.op(
        "stablehlo.fft",
        ct,
        result=t,
        fft_type=hlo.FftTypeAttr.get("IRFFT" if kind == "RFFT" else "RFFT"),
        fft_length=i64s(lengths),
    )
    return out * n if kind == "RFFT" else out * (1 / n) * _mirrored(t, lengths[-1], 2)


def _mirrored(spectrum: ir.RankedTensorType, length: int, weight: float) -> Expr:
    """1 for the frequencies of a real transform that stand for themselves, `weight` for those that stand for two."""
    i32 = ir.IntegerType.get_signless(32)
    last = spectrum.rank - 1
    frequency = E.iota(spectrum.shape, last, i32)
    alone = frequency.eq(0)
    if length % 2 == 0:
        alone = alone | frequency.eq(length // 2)
    return E.select(alone, 1, E.full(spectrum, weight))


def _batch_fft(site: Site) -> list[Expr]:
    """Only trailing dimensions are transformed."""
    return site.again(site.ins, [batched_type(site.out_type(), site.size)])


linear("stablehlo.fft", _transpose_fft, batch=_batch_fft)
