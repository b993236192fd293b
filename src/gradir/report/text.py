"""Numbers as a person reads them."""

from __future__ import annotations

from gradir.report.model import Cost

__all__ = ["bytes", "compared", "costs", "number", "ratio"]

_STEPS = (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15))


def number(x: float | None) -> str:
    """
    >>> number(950), number(12_345), number(1.5e9), number(None)
    ('950', '12.3k', '1.5G', '?')
    """
    return "?" if x is None else _scaled(x, "").replace(" ", "")


def bytes(x: float | None) -> str:
    """
    >>> bytes(96), bytes(2_000_000), bytes(0)
    ('96 B', '2 MB', '0 B')
    """
    return "?" if x is None else _scaled(x, "B")


def _scaled(x: float, unit: str) -> str:
    name, step = next((s for s in reversed(_STEPS) if abs(x) >= s[1]), _STEPS[0])
    value = x / step
    shown = f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.1f}".removesuffix(".0")
    return f"{shown} {name}{unit}"


def ratio(x: float, to: float) -> str:
    """
    >>> ratio(3, 2), ratio(1, 0)
    ('1.5×', '–')
    """
    return f"{x / to:.3g}×" if to else "–"


def costs(work: Cost, primal: Cost) -> list[str]:
    """Operations and bytes, each beside how much that is of the primal's: four cells of a table.

    >>> costs(Cost(3, 8), Cost(2, 8))
    ['3', '1.5×', '8 B', '1×']
    """
    return [
        number(work.operations),
        ratio(work.operations, primal.operations),
        bytes(work.bytes),
        ratio(work.bytes, primal.bytes),
    ]


def compared(x: float, primal: float) -> str:
    """
    >>> compared(3, 2), compared(1, 0)
    ('1.5× of the primal', 'the primal has none')
    """
    return f"{ratio(x, primal)} of the primal" if primal else "the primal has none"
