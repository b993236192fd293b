"""Programs in MLIR's own dialects with `enzyme` ops, run and compared with central differences.

Each file has a function `f`, and functions that ask for its derivatives: `forward` (a tangent after each float or array
of floats), `reverse` (a shadow after each array, the cotangent last), and both for two directions at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

pytest.importorskip("torch_mlir")

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.mlir"))

STEP = 1e-5
"""The error of a central difference is about STEP**2 = 1e-10 of the third derivative, and 1e-16 / STEP of rounding."""
CLOSE = {"rtol": 2e-7, "atol": 2e-8}


@cache
def load(name: str) -> Any:
    return gradir.load(FOLDER / f"{name}.mlir")


class Function:
    """`f` as a function of all its floats: memory is given, and given back, together with what is returned."""

    def __init__(self, name: str) -> None:
        self.native = load(name)["f"]
        rng = np.random.default_rng(len(name))
        self.inputs = [self._argument(a.type, rng) for a in self.native.arguments]
        self.floats = [i for i, x in enumerate(self.inputs) if not isinstance(x, int)]

    @staticmethod
    def _argument(kind: Any, rng: np.random.Generator) -> Any:
        if hasattr(kind, "rank"):
            return np.array(rng.uniform(0.6, 1.6, [4 if n is None else n for n in kind.extents]))
        return float(rng.uniform(0.6, 1.6)) if kind.kind == "f" else 4

    def tangents(self, seed: int) -> dict[int, Any]:
        rng = np.random.default_rng(seed)
        return {i: np.array(rng.normal(size=np.shape(self.inputs[i]))) for i in self.floats}

    def outputs(self, inputs: Sequence[Any]) -> list[Any]:
        """The result, if any, then the memory after the call."""
        given = [x.copy() if isinstance(x, np.ndarray) else x for x in inputs]
        result = self.native(*given)
        return [*([] if result is None else [result]), *(x for x in given if isinstance(x, np.ndarray))]

    def slope(self, tangents: dict[int, Any]) -> list[Any]:
        ends = []
        for sign in (1, -1):
            ends.append(self.outputs([self._moved(i, sign * STEP, tangents) for i in range(len(self.inputs))]))
        return [(a - b) / (2 * STEP) for a, b in zip(*ends, strict=True)]

    def _moved(self, i: int, step: float, tangents: dict[int, Any]) -> Any:
        x = self.inputs[i]
        if i not in tangents:
            return x
        moved = x + step * tangents[i]
        return np.array(moved) if isinstance(x, np.ndarray) else float(moved)

    @property
    def returns(self) -> bool:
        return self.native.signature.result is not None


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward(name: str) -> None:
    f = Function(name)
    tangents = f.tangents(1)
    given: list[Any] = []
    shadows = []
    for i, x in enumerate(f.inputs):
        given.append(x.copy() if isinstance(x, np.ndarray) else x)
        if i in tangents:
            given.append(tangents[i].copy() if isinstance(x, np.ndarray) else float(tangents[i]))
            shadows += [given[-1]] if isinstance(x, np.ndarray) else []
    result = load(name)["forward"](*given)
    expected = f.slope(tangents)
    if f.returns:
        np.testing.assert_allclose(result[0], f.outputs(f.inputs)[0], rtol=1e-12)
        np.testing.assert_allclose(result[1], expected[0], **CLOSE)
    for found, wanted in zip(shadows, expected[int(f.returns) :], strict=True):
        np.testing.assert_allclose(found, wanted, **CLOSE)


@pytest.mark.parametrize("name", PROGRAMS)
def test_forward_in_two_directions(name: str) -> None:
    f = Function(name)
    directions = [f.tangents(1), f.tangents(2)]
    given: list[Any] = []
    shadows = []
    for i, x in enumerate(f.inputs):
        given.append(x.copy() if isinstance(x, np.ndarray) else x)
        if i in directions[0] and isinstance(x, np.ndarray):
            given.append(np.stack([t[i] for t in directions]))
            shadows.append(given[-1])
        elif i in directions[0]:
            given += [float(t[i]) for t in directions]
    result = load(name)["forward2"](*given)
    for lane, tangents in enumerate(directions):
        expected = f.slope(tangents)
        if f.returns:
            np.testing.assert_allclose(result[lane], expected[0], **CLOSE)
        for found, wanted in zip(shadows, expected[int(f.returns) :], strict=True):
            np.testing.assert_allclose(found[lane], wanted, **CLOSE)


def cotangents_of(f: Function, seed: int) -> list[Any]:
    rng = np.random.default_rng(seed)
    return [np.array(rng.normal(size=np.shape(x))) for x in f.outputs(f.inputs)]


def check_gradients(f: Function, gradients: dict[int, Any], cotangents: Sequence[Any]) -> None:
    """The gradient's product with a direction is the cotangent's with the slope in it: for three directions."""
    for seed in (3, 4, 5):
        tangents = f.tangents(seed)
        slope = f.slope(tangents)
        expected = sum(np.sum(c * s) for c, s in zip(cotangents, slope, strict=True))
        found = sum(np.sum(gradients[i] * tangents[i]) for i in f.floats)
        scale = sum(np.sum(np.abs(c * s)) for c, s in zip(cotangents, slope, strict=True))
        np.testing.assert_allclose(found, expected, rtol=CLOSE["rtol"], atol=CLOSE["atol"] * max(1, scale))


@pytest.mark.parametrize("name", PROGRAMS)
def test_reverse(name: str) -> None:
    f = Function(name)
    cotangents = cotangents_of(f, 7)
    waiting = iter(cotangents[int(f.returns) :])
    given: list[Any] = []
    gradients: dict[int, Any] = {}
    for i, x in enumerate(f.inputs):
        given.append(x.copy() if isinstance(x, np.ndarray) else x)
        if isinstance(x, np.ndarray):
            gradients[i] = next(waiting).copy()
            given.append(gradients[i])
    memory = [x for x in given if isinstance(x, np.ndarray)][::2]
    result = load(name)["reverse"](*given, *([float(cotangents[0])] if f.returns else []))
    results = list(result) if isinstance(result, tuple) else [] if result is None else [result]
    outputs = f.outputs(f.inputs)
    if f.returns:
        np.testing.assert_allclose(results.pop(0), outputs[0], rtol=1e-12)
    for found, wanted in zip(memory, outputs[int(f.returns) :], strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-12)
    gradients |= dict(zip([i for i in f.floats if isinstance(f.inputs[i], float)], results, strict=True))
    check_gradients(f, gradients, cotangents)


@pytest.mark.parametrize("name", PROGRAMS)
def test_reverse_in_two_directions(name: str) -> None:
    f = Function(name)
    both = [cotangents_of(f, 7), cotangents_of(f, 8)]
    places = iter(range(int(f.returns), len(both[0])))
    given: list[Any] = []
    shadows: dict[int, Any] = {}
    for i, x in enumerate(f.inputs):
        given.append(x.copy() if isinstance(x, np.ndarray) else x)
        if isinstance(x, np.ndarray):
            k = next(places)
            shadows[i] = np.stack([c[k] for c in both])
            given.append(shadows[i])
    result = load(name)["reverse2"](*given, *([float(c[0]) for c in both] if f.returns else []))
    results = list(result) if isinstance(result, tuple) else []
    numbers = [i for i in f.floats if isinstance(f.inputs[i], float)]
    for lane, cotangents in enumerate(both):
        gradients = {i: s[lane] for i, s in shadows.items()} | dict(zip(numbers, results[lane::2], strict=True))
        check_gradients(f, gradients, cotangents)
