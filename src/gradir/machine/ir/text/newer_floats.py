"""Floats as LLVM 23 writes them: decimal for every type, `f0x` and bits, `+inf`, `-nan(0x1)`. Older LLVMs read others.

An older LLVM takes a decimal number for a `double`, and refuses it in another type unless it is exact there. So each
number is given by its bits, in the type that stands before it.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NamedTuple

__all__ = ["with_older_floats"]


class _Format(NamedTuple):
    """A binary format of IEEE 754's kind: bits of the significand that are written down, and of the exponent."""

    digits: int
    exponent: int

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.digits

    @property
    def sign(self) -> int:
        return 1 << (self.digits + self.exponent)


_DOUBLE = _Format(52, 11)
_FORMATS = {"half": _Format(10, 5), "bfloat": _Format(7, 8), "float": _Format(23, 8), "double": _DOUBLE}

_TOKEN = re.compile(
    r"""(?P<other>;[^\n]*|[%@!\#$^c]?"[^"]*"|[%@!\#$^][-\w$.]+)
    |(?P<line>\n)
    |(?<![\w.$-])(?P<type>half|bfloat|float|double|fp128|x86_fp80|ppc_fp128)(?![\w.$:-])
    |(?<![\w.$-])(?P<number>
        f0x[0-9A-Fa-f]+|[-+](?:inf|qnan|s?nan\(0x[0-9A-Fa-f]+\))|[-+]?\d+\.\d*(?:[eE][-+]?\d+)?)(?![\w.$])""",
    re.VERBOSE,
)


def with_older_floats(text: str) -> str:
    """A module's text with its floats as LLVMs before 23 read them.

    >>> print(with_older_floats("%y = fmul float %x, 1.000000e-01\\n%z = fadd <2 x double> %v, splat (double -inf)"))
    %y = fmul float %x, 0x3FB99999A0000000
    %z = fadd <2 x double> %v, splat (double 0xFFF0000000000000)
    """
    pieces: list[str] = []
    at, type = 0, ""
    for found in _TOKEN.finditer(text):
        if found["line"]:
            type = ""
        elif found["type"]:
            type = found["type"]
        elif found["number"] and type in _FORMATS:
            bits = _bits(found["number"], _FORMATS[type])
            pieces += [text[at : found.start()], _older(type, bits)]
            at = found.end()
    return "".join([*pieces, text[at:]])


def _older(type: str, bits: int) -> str:
    if type in ("half", "bfloat"):
        return f"0x{'H' if type == 'half' else 'R'}{bits:04X}"
    return f"0x{_widened(bits) if type == 'float' else bits:016X}"


def _widened(bits: int) -> int:
    """The double that is equal to a float."""
    f = _FORMATS["float"]
    sign, rest = divmod(bits, f.sign)
    if rest >= f.infinity:  # what a NaN carries stays at its upper end
        return sign * _DOUBLE.sign + _DOUBLE.infinity + ((rest - f.infinity) << (_DOUBLE.digits - f.digits))
    return sign * _DOUBLE.sign + _rounded(_value(rest, f), _DOUBLE)


def _bits(number: str, f: _Format) -> int:
    if number.startswith("f0x"):
        return int(number[3:], 16)
    sign, size = number.startswith("-"), number.lstrip("+-")
    if size == "inf":
        found = f.infinity
    elif size == "qnan":
        found = f.infinity + (1 << (f.digits - 1))
    elif "nan" in size:
        found = f.infinity + int(size.partition("(")[2].rstrip(")"), 16)
        found += 0 if size.startswith("snan") else 1 << (f.digits - 1)
    else:
        found = _rounded(Fraction(size), f)
    return found + sign * f.sign


def _rounded(value: Fraction, f: _Format) -> int:
    """The bits of the nearest number in a format, the even one of two."""
    if not value:
        return 0
    lowest = 2 - (1 << (f.exponent - 1))
    exponent = max(_log2(value), lowest)
    significand = round(value / Fraction(2) ** (exponent - f.digits))
    return min(((exponent - lowest) << f.digits) + significand, f.infinity)


def _log2(value: Fraction) -> int:
    """Rounded down."""
    guess = value.numerator.bit_length() - value.denominator.bit_length()
    return guess if Fraction(2) ** guess <= value else guess - 1


def _value(bits: int, f: _Format) -> Fraction:
    """The number that finite bits are."""
    exponent, significand = divmod(bits, 1 << f.digits)
    if exponent:
        significand += 1 << f.digits
    return significand * Fraction(2) ** (max(exponent, 1) + 1 - (1 << (f.exponent - 1)) - f.digits)
