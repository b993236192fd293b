"""The loss curve, in the terminal or as a PNG."""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

__all__ = ["in_terminal", "png"]

DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a braille character, by row and column."""


def in_terminal(losses: Sequence[float] | np.ndarray[Any, Any], width: int = 60, height: int = 12) -> str:
    """The curve in braille dots, with its ends beside it.

    >>> print(in_terminal([4.0, 2.0, 1.0, 0.5], width=8, height=2))  # doctest: +SKIP
    """
    grid = np.zeros((height * 4, width * 2), bool)
    for (x0, y0), (x1, y1) in _lines(losses, width * 2, height * 4):
        _draw(grid, x0, y0, x1, y1)
    rows = []
    for r in range(height):
        cells = (
            sum(DOTS[i][j] for i in range(4) for j in range(2) if grid[4 * r + i, 2 * c + j]) for c in range(width)
        )
        rows.append("".join(chr(0x2800 + bits) for bits in cells))
    low, high = _range(losses)
    labels = {0: f"{high:.4g}", height - 1: f"{low:.4g}"}
    margin = max(map(len, labels.values()))
    return "\n".join(f"{labels.get(r, ''):>{margin}} {row}".rstrip() for r, row in enumerate(rows))


def png(losses: Sequence[float] | np.ndarray[Any, Any], width: int = 900, height: int = 500) -> bytes:
    """The curve as a picture: white ground, a frame with lines at powers of ten, the loss in blue.

    Written here, in forty lines: a plotting library would be ten times the size of gradir itself.
    """
    image = np.full((height, width, 3), 255, np.uint8)
    margin = 20
    grid = np.zeros((height - 2 * margin, width - 2 * margin), bool)
    inner = image[margin:-margin, margin:-margin]
    low, high = _range(losses)
    for power in range(math.ceil(math.log10(low)), math.floor(math.log10(high)) + 1) if low > 0 else ():
        inner[_row(10.0**power, low, high, grid.shape[0])] = (225, 225, 225)
    inner[0], inner[-1], inner[:, 0], inner[:, -1] = ((150, 150, 150),) * 4
    for (x0, y0), (x1, y1) in _lines(losses, grid.shape[1], grid.shape[0]):
        _draw(grid, x0, y0, x1, y1)
    thick = grid | np.roll(grid, 1, 0)
    inner[thick] = (31, 91, 181)
    raw = b"".join(b"\0" + row.tobytes() for row in image)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (_part(b"IHDR", header), _part(b"IDAT", zlib.compress(raw, 9)), _part(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def _range(losses: Any) -> tuple[float, float]:
    finite = np.asarray(losses, float)
    finite = finite[np.isfinite(finite)]
    return (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)


def _row(loss: float, low: float, high: float, height: int) -> int:
    """The row of a loss: by its logarithm, where all are positive and far apart."""
    if low > 0 and high / low > 10:
        loss, low, high = math.log(loss), math.log(low), math.log(high)
    share = (high - loss) / (high - low) if high > low else 0.5
    return min(height - 1, max(0, round(share * (height - 1))))


def _lines(losses: Any, width: int, height: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The curve as lines between points; several losses in a column are shown by their mean."""
    values = np.asarray(losses, float)
    low, high = _range(values)
    points = []
    for column, group in enumerate(np.array_split(values, min(width, len(values))) if len(values) else []):
        finite = group[np.isfinite(group)]
        if finite.size:
            x = round(column * (width - 1) / max(1, min(width, len(values)) - 1))
            points.append((x, _row(float(finite.mean()), low, high, height)))
    return list(pairwise(points)) or [(p, p) for p in points]


def _draw(grid: np.ndarray[Any, Any], x0: int, y0: int, x1: int, y1: int) -> None:
    steps = max(abs(x1 - x0), abs(y1 - y0), 1)
    for i in range(steps + 1):
        grid[round(y0 + (y1 - y0) * i / steps), round(x0 + (x1 - x0) * i / steps)] = True
