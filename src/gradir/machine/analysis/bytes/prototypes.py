"""What functions without a body take and give: which of their pointers lead to floats, which to integers.

Only types are here; what such functions do, and their derivatives, is in `machine.rules`.
"""

from __future__ import annotations

import re
from functools import cache

from gradir.machine.analysis.bytes.contents import Kind

__all__ = ["POLYMORPHIC", "pointees"]

POLYMORPHIC = frozenset(
    {"gradir.acquire", "gradir.release", "gradir.grow", "gradir.free_all"}
    | {f"gradir.arena.{verb}" for verb in ("acquire", "borrow", "borrow_zero", "tape", "wide_tape", "release")}
    | {f"gradir.arena.{verb}" for verb in ("grow", "back", "rewind")}
)
"""Functions of the runtime that manage memory of any type: what one caller passes is nothing to the others."""

_PRECISIONS = {"s": Kind.float32, "d": Kind.float64, "c": Kind.float32, "z": Kind.float64}

# c: characters, i: 32-bit integers, x: numbers of the routine's precision.
_BLAS = {
    "dot": "ixixi",
    "dotu": "ixixi",
    "dotc": "ixixi",
    "nrm2": "ixi",
    "asum": "ixi",
    "axpy": "ixxixi",
    "scal": "ixxi",
    "copy": "ixixi",
    "swap": "ixixi",
    "rot": "ixixixx",
    "gemv": "ciixxixixxi",
    "ger": "iixxixixi",
    "syr": "cixxixi",
    "symv": "cixxixixxi",
    "trmv": "cccixixi",
    "trsv": "cccixixi",
    "gemm": "cciiixxixixxi",
    "symm": "cciixxixixxi",
    "syrk": "cciixxixxi",
    "syr2k": "cciixxixixxi",
    "trmm": "cccciixxixi",
    "trsm": "cccciixxixi",
    "potrf": "cixii",
    "potrs": "ciixixii",
    "getrf": "iixiii",
    "getrs": "ciixiixii",
    "gesv": "iixiixii",
    "syev": "ccixixxii",
    "geqrf": "iixixxii",
}
_BLAS_NAME = re.compile(r"(?:cblas_|LAPACKE_)?([sdcz])([a-z][a-z0-9]*?)_?(?:64_?)?$")

# One letter for each argument: d double, f float, i int, . anything else.
_C = {
    "frexp": ".i",
    "modf": ".d",
    "sincos": ".dd",
    "remquo": "..i",
    "lgamma_r": ".i",
    "frexpf": ".i",
    "modff": ".f",
    "sincosf": ".ff",
    "remquof": "..i",
    "lgammaf_r": ".i",
}
_LETTERS = {"d": (Kind.float64, 8), "f": (Kind.float32, 4), "i": (Kind.integer, 4)}


@cache
def pointees(name: str, count: int) -> tuple[tuple[Kind, int] | None, ...]:
    """What each of `count` arguments points to, if it is a pointer: the kind and its size.

    >>> pointees("modf", 2)
    (None, (<Kind.float64: 'double'>, 8))
    """
    if name in _C:
        return tuple(_LETTERS.get(c) for c in _C[name])
    m = _BLAS_NAME.match(name)
    if m is None or m[2] not in _BLAS:
        return (None,) * count
    number = (_PRECISIONS[m[1]], _PRECISIONS[m[1]].size)
    if name.startswith("cblas_"):
        return (number,) * count
    if name.startswith("LAPACKE_"):  # pivots are integers: the letters without `info`, after the storage order
        letters = ["c", *_BLAS[m[2]].removesuffix("i")]
    else:
        letters = list(_BLAS[m[2]])
    table = {"x": number, "i": (Kind.integer, 4), "c": None}
    found = [table[c] for c in letters[:count]]
    return (*found, *(None,) * (count - len(found)))
