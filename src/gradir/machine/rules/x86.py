"""The families of functions that only x86 has, by their names in LLVM (without `llvm.x86.`)."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["family_of"]

_FAMILIES = {
    "extremes": r"(?:sse2?|avx|avx512)\.(max|min)\.p[sd](?:\.256|\.512)?",
    "low_extreme": r"sse2?\.(max|min)\.s[sd]",
    "rounded": r"avx512\.(add|sub|mul|div)\.p[sd]\.512",
    "root": r"avx512\.sqrt\.p[sd]\.512",
    "low_masked": r"avx512\.mask\.(add|sub|mul|div|max|min|sqrt)\.s[sd](?:\.round)?",
    "fused": r"avx512\.vfmadd\.(?:p[sd]\.512|f32|f64)",
    "fused_by_turns": r"fma\.vfmaddsub\.p[sd](?:\.256)?|avx512\.vfmaddsub\.p[sd]\.512",
    "sums_by_turns": r"(?:sse3|avx)\.addsub\.p[sd](?:\.256)?",
    "neighbours": r"(?:sse3|avx)\.h(add|sub)\.p[sd](?:\.256)?",
    "products": r"(?:sse41\.dpp[sd]|avx\.dp\.ps\.256)",
    "rounds": r"(?:sse41|avx)\.round\.p[sd](?:\.256)?",
    "low_rounds": r"sse41\.round\.s[sd]",
    "rounds_masked": r"avx512\.mask\.rndscale\.p[sd]\.(?:128|256|512)",
    "low_rounds_masked": r"avx512\.mask\.rndscale\.s[sd]",
    "narrowed": r"sse2\.cvtpd2ps|avx\.cvt\.pd2\.ps\.256",
    "low_narrowed": r"sse2\.cvtsd2ss",
    "converted_masked": r"avx512\.mask\.cvt(?:pd2ps|ps2pd)\.512",
    "low_converted_masked": r"avx512\.mask\.cvt(?:sd2ss|ss2sd)\.round",
    "to_half": r"vcvtps2ph\.(?:128|256)",
    "to_half_masked": r"avx512\.mask\.vcvtps2ph\.(?:128|256|512)",
    "from_half_masked": r"avx512\.mask\.vcvtph2ps\.512",
    "from_integers": r"avx512\.([su])itofp\.round\.\w+\.\w+",
    "low_from_integer": r"avx512\.cvt(u?)si(?:64)?2s[sd](?:32|64)?",
    "low_compared": r"sse2?\.cmp\.s[sd]",
    "blended": r"sse41\.blendvp[sd]|avx\.blendv\.p[sd]\.256",
    "permuted_in_pieces": r"avx(?:512)?\.vpermilvar\.p[sd](?:\.256|\.512)?",
    "permuted_all": r"avx2\.perm(?:ps|d)|avx512\.permvar\.(?:[sd]f|[sd]i)\.\d+",
    "permuted_of_two": r"avx512\.vpermi2var\.(?:p[sd]|[dq])\.\d+",
    "loaded": r"avx\.maskload\.p[sd](?:\.256)?|avx2\.maskload\.[dq](?:\.256)?",
    "stored": r"avx\.maskstore\.p[sd](?:\.256)?|avx2\.maskstore\.[dq](?:\.256)?",
    "gathered_by_signs": r"avx2\.gather\.[dq]\.(?:p[sd]|[dq])(?:\.256)?",
    "gathered_by_bits": r"avx512\.mask\.gather\w*\.\w+(?:\.512)?",
    "scattered": r"avx512\.mask\.scatter\w*\.\w+(?:\.512)?",
    "low_estimate": r"sse\.(rcp|rsqrt)\.ss",
    "of_all_lanes": r"avx512\.(?:rcp14|rsqrt14|mask\.(?:getexp|getmant|scalef|reduce))\.p[sd]\.(?:128|256|512)",
}
"""What is in groups tells the members of a family apart."""


@cache
def family_of(name: str) -> tuple[str, tuple[str, ...]] | None:
    """The family of a function, and what tells it from the others there.

    >>> family_of("avx.hsub.pd.256"), family_of("ssse3.pshuf.b.128")
    (('neighbours', ('sub',)), None)
    """
    for family, pattern in _FAMILIES.items():
        if found := re.fullmatch(pattern, name):
            return family, found.groups()
    return None
