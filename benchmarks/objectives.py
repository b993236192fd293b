"""The inputs of the four ADBench objectives (the C sources in `adbench/`), made at random and always the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["SOURCES", "ba", "gmm", "hand", "lstm"]

SOURCES = Path(__file__).parent / "adbench"

Arguments = dict[str, Any]
"""The arguments of an objective by name, in order: arrays and numbers."""


def gmm(d: int, k: int, n: int) -> Arguments:
    """A mixture of `k` Gaussians in `d` dimensions, and `n` points."""
    rng = np.random.default_rng(1)
    return {
        "d": d,
        "k": k,
        "n": n,
        "alphas": rng.normal(size=k),
        "means": rng.uniform(size=(k, d)),
        "icf": rng.normal(size=(k, d * (d + 1) // 2)) / np.sqrt(d),
        "x": rng.normal(size=(n, d)),
        "gamma": 1.0,
        "m": 0,
        "err": np.zeros(1),
    }


def lstm(l: int, c: int, b: int) -> Arguments:
    """`l` layers over a sequence of `c` characters of `b` bits."""
    rng = np.random.default_rng(2)
    return {
        "l": l,
        "c": c,
        "b": b,
        "main": rng.uniform(-0.5, 0.5, size=(l, 2, 4, b)),
        "extra": rng.uniform(-0.5, 0.5, size=(3, b)),
        "state": rng.uniform(-0.5, 0.5, size=(l, 2, b)),
        "sequence": rng.integers(0, 2, size=(c, b)).astype(float),
        "loss": np.zeros(1),
    }


def ba(n: int, m: int, p: int) -> Arguments:
    """`p` observations of `m` points by `n` cameras, which stand around them."""
    rng = np.random.default_rng(3)
    cameras = np.zeros((n, 11))
    cameras[:, 0:3] = rng.normal(size=(n, 3)) * 0.2
    cameras[:, 3:6] = rng.normal(size=(n, 3)) * 0.3 + [0, 0, -6]
    cameras[:, 6] = rng.uniform(400, 600, n)
    cameras[:, 7:9] = rng.normal(size=(n, 2)) * 10
    cameras[:, 9:11] = rng.normal(size=(n, 2)) * [1e-2, 1e-3]
    observed = np.stack([rng.integers(0, n, p), rng.integers(0, m, p)], axis=1).astype(np.int32)
    return {
        "n": n,
        "m": m,
        "p": p,
        "cameras": cameras,
        "points": rng.normal(size=(m, 3)),
        "weights": rng.uniform(0.5, 1.5, size=p),
        "observed": observed,
        "features": rng.normal(size=(p, 2)) * 100,
        "errors": np.zeros((p, 2)),
        "weight_errors": np.zeros(p),
    }


def hand(n: int = 100, count: int = 544) -> Arguments:
    """A hand of 22 bones and `count` vertices, and `n` points near it."""
    rng = np.random.default_rng(4)
    bones = 22
    parents = np.array([-1, 0] + [1 if b % 4 == 2 else b - 1 for b in range(2, bones)], dtype=np.int32)
    relatives = np.tile(np.eye(3, 4), (bones, 1, 1))
    relatives[1:, :, 3] = rng.normal(size=(bones - 1, 3)) * 0.1
    relatives[1:, 1, 3] += 0.4  # along the finger
    for b in range(2, bones, 4):
        relatives[b, 0, 3] += 0.25 * ((b - 2) // 4 - 2)  # side by side
    relatives[1:, :, :3] = [_turn(angles) for angles in rng.normal(size=(bones - 1, 3)) * 0.2]
    absolutes = np.zeros((bones, 4, 4))
    for b, parent in enumerate(parents):
        own = np.vstack([relatives[b], [0, 0, 0, 1]])
        absolutes[b] = own if parent < 0 else absolutes[parent] @ own
    inverses = np.linalg.inv(absolutes)[:, :3]
    home = rng.integers(0, bones, count)
    vertices = absolutes[home, :3, 3] + rng.normal(size=(count, 3)) * 0.15
    distances = ((vertices - absolutes[:, None, :3, 3]) ** 2).sum(-1)
    weights = np.exp(-distances / 0.05)
    weights /= weights.sum(0)
    matched = rng.integers(0, count, n).astype(np.int32)
    return {
        "theta": rng.normal(size=26) * 0.3,
        "bones": bones,
        "parents": parents,
        "relatives": np.ascontiguousarray(relatives.reshape(bones, 12)),
        "inverses": np.ascontiguousarray(inverses.reshape(bones, 12)),
        "count": count,
        "vertices": np.ascontiguousarray(vertices),
        "weights": weights,
        "n": n,
        "matched": matched,
        "points": vertices[matched] + rng.normal(size=(n, 3)) * 0.05,
        "errors": np.zeros((n, 3)),
    }


def _turn(angles: np.ndarray) -> np.ndarray:
    """The rotation about x, then y, then z."""
    (cx, cy, cz), (sx, sy, sz) = np.cos(angles), np.sin(angles)
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return z @ y @ x
