"""Every rule that is allowed by default, at the ends of the range of each element type.

Instances are drawn as for `test_optimize_rules.py`, in f16, bf16, f32, f64 and complex, with constants and arguments
from both ends of the range, subnormal numbers, zeros of both signs, and ordinary ones; the rule fires only where the
driver lets it. Both sides run on StableHLO's reference interpreter, which rounds to the element type after each op.
What the program makes finite must stay finite, what is not 0 must not become 0, what is right (near what the program
gives in f64) must stay right, and a 0 must keep its sign unless the rule says that it may not.
"""

from __future__ import annotations

import functools
import re
import zlib
from typing import Any

import ml_dtypes
import numpy as np
import pytest
import special_instances
from instances import Draw
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from test_optimize_rules import draw_instance

import gradir
from gradir.tensor.ir.context import context
from gradir.tensor.ir.module import functions, parse
from gradir.tensor.optimize import RULES
from gradir.tensor.optimize.effects import FINITE, ROUNDS, ZERO_SIGN
from gradir.tensor.optimize.rule import Rewrite

ELEMENTS = {"f16": (-14, 15), "bf16": (-126, 127), "f32": (-126, 127), "f64": (-1022, 1023)}
"""The exponents of the least and greatest ordinary number of each type."""
WANTED, TRIES, SETS = 3, 60, 12
NEAR = 64
"""How many units in the last place a result may be off and still be right: instances add up to some ten terms."""


def power(rng: np.random.Generator, element: str) -> int:
    """An exponent: near either end, in the middle of the way there, or ordinary."""
    low, high = ELEMENTS[element]
    near = rng.integers(0, 4)
    options = [low + near, high - near, low // 2 + near, high // 2 - near, low - near, 0, 0, 1]
    return int(options[rng.integers(0, len(options))])


def values(spec: Any, rng: np.random.Generator, positive: bool) -> np.ndarray:
    """Elements of about one size; some of them 0, -0, subnormal or ordinary."""
    shape, dtype = spec.shape, spec.dtype
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return np.asarray(rng.integers(0, 4, shape)).astype(dtype)
    if dtype.kind == "c":
        parts = [values(Spec(shape, np.dtype(np.float32)), rng, positive) for _ in range(2)]
        return (parts[0] + 1j * parts[1]).astype(dtype)
    element = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64"}[str(dtype)]
    size = rng.uniform(1.0, 1.99, shape) * 2.0 ** power(rng, element)
    subnormal = 2.0 ** (ELEMENTS[element][0] - 3)
    special = rng.choice([0.0, 0.0, -0.0, -0.0, 1.0, 2.5, subnormal], shape)
    size = np.where(rng.random(shape) < rng.choice([0, 0.1, 0.6]), special, size)
    if not positive:
        size = size * rng.choice([1, 1, -1], shape)
    with np.errstate(all="ignore"):
        return np.asarray(size).astype(dtype)


class Spec:
    def __init__(self, shape: Any, dtype: Any) -> None:
        self.shape, self.dtype = shape, dtype


def extreme_draw(rng: np.random.Generator, block: ir.Block, finite: bool, *, element: str) -> Draw:
    scales = [power(rng, element) for _ in range(4)]
    return Draw(rng, block, finite, floats=(element,), scales=scales, inexact=True)


def run_both(module: ir.Module, sets: list[list[np.ndarray]]) -> list[list[tuple[np.ndarray, np.ndarray]]]:
    """The results of both sides for each set of arguments, in one run."""
    parts = functions(module)
    inputs, results = list(parts["before"].type.inputs), list(parts["before"].type.results)
    with ir.InsertionPoint(module.body):
        main = func.FuncOp("both", ir.FunctionType.get(inputs * len(sets), results * 2 * len(sets)))
        with ir.InsertionPoint(main.add_entry_block()):
            given, outs = list(main.entry_block.arguments), []
            for k in range(len(sets)):
                mine = given[k * len(inputs) : (k + 1) * len(inputs)]
                outs += [v for side in ("before", "after") for v in func.CallOp(parts[side], mine).results]
            func.ReturnOp(outs)
    got = gradir.Module(module).compile("both", backend="reference")(*(a for s in sets for a in s))
    got = [np.asarray(g) for g in (got if isinstance(got, tuple) else (got,))]
    n = len(results)
    runs = [got[2 * k * n : 2 * (k + 1) * n] for k in range(len(sets))]
    return [list(zip(run[:n], run[n:], strict=True)) for run in runs]


def in_f64(module: ir.Module) -> gradir.Module:
    """The left side with floats of 64 bits, constants as they are."""
    text = str(functions(module)["before"])
    for element, bits in (("f16", "f2"), ("bf16", "bf"), ("f32", "f4")):
        text = re.sub(rf"dense<0x([0-9A-F]+)> : tensor<((?:\d+x)*){element}>", functools.partial(_hex, bits), text)
        text = re.sub(rf"(?<![\w]){element}\b", "f64", re.sub(rf"x{element}\b", "xf64", text))
    return gradir.Module(parse(text))


def _hex(bits: str, found: re.Match[str]) -> str:
    raw = bytes.fromhex(found[1])[::-1]
    number = np.frombuffer(raw, ml_dtypes.bfloat16 if bits == "bf" else bits)[0].astype(np.float64)
    return f"dense<0x{number.view(np.uint64):016X}> : tensor<{found[2]}f64>"


def wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


class Truth:
    """What the program gives in f64, and how much that changes with the last digits of its arguments."""

    def __init__(self, module: ir.Module, arguments: list[np.ndarray], eps: float, rng: np.random.Generator) -> None:
        program = in_f64(module).compile("before", backend="reference")

        def run(args: list[np.ndarray]) -> list[np.ndarray]:
            got = program(*args)
            return [np.asarray(g) for g in (got if isinstance(got, tuple) else (got,))]

        given = [wide(a) if a.dtype.kind not in "biu" else a for a in arguments]
        self.results, self.moves = run(given), [0.0] * 99
        for _ in range(2):
            moved = [a * (1 + eps * rng.choice([-1, 1], a.shape)) if a.dtype.kind not in "biu" else a for a in given]
            with np.errstate(all="ignore"):
                self.moves = [np.maximum(m, np.abs(a - b)) for m, a, b in zip(self.moves, run(moved), self.results)]


def faults(rewrite: Rewrite, module: ir.Module, arguments: list[np.ndarray], pairs: Any, rng: Any) -> list[str]:
    found, truth = [], None
    for k, (before, after) in enumerate(pairs):
        if before.dtype.kind in "biu":
            if not np.array_equal(before, after):
                found.append("another truth value or integer")
            continue
        info = ml_dtypes.finfo(before.dtype if before.dtype.kind != "c" else np.float32)
        before, after = wide(before), wide(after)
        eps, tiny = float(info.eps), float(info.tiny)
        same = (before == after) | (np.isnan(before) & np.isnan(after))
        zeros = (before == 0) & (after == 0)
        signed = before.dtype.kind != "c" and not re.search(
            "dot_general|convolution", str(module)
        )  # which devices choose
        if signed and ZERO_SIGN not in rewrite.effects and (np.signbit(before) != np.signbit(after))[zeros].any():
            found.append("another sign of zero")
        if same.all():
            continue
        if ROUNDS not in rewrite.effects and (np.isfinite(before) & ~same).any():
            found.append("another number, without rounding")
        try:
            truth = truth or Truth(module, arguments, eps, rng)
        except Exception as error:
            raise AssertionError(f"{module}") from error
        with np.errstate(all="ignore"):
            exact, moves = truth.results[k], truth.moves[k]
            slack = NEAR * (eps * np.abs(exact) + np.nan_to_num(moves, nan=np.inf) + tiny * eps)
            size, off = np.abs(before - exact), np.abs(after - exact)
            firm = np.abs(exact) > slack
            ends = [
                np.abs(wide(a)).max(initial=0) > float(info.max) / 16 for a in arguments if a.dtype.kind not in "biu"
            ]
            cancels = any(ends) and any((wide(a) < 0).any() for a in arguments if a.dtype.kind not in "biuc")
            if (np.isfinite(before) & ~np.isfinite(after)).any() and not cancels:  # in some order, which devices choose
                found.append("finite becomes infinite or NaN")
            if ((before != 0) & (after == 0) & (np.abs(exact) >= tiny) & firm).any():
                found.append("something becomes 0")
            counts = np.isfinite(before) & (np.isfinite(after) | (not cancels)) & (np.abs(exact) >= tiny)
            if (counts & (size <= slack) & ~(off <= 8 * slack)).any():
                found.append("right becomes wrong")
    return found


def examine(rewrite: Rewrite, element: str, wanted: int = WANTED, seed: int = 0) -> tuple[int, list[str]]:
    """How many instances were drawn, and what was wrong with one."""
    rng = np.random.default_rng(zlib.crc32(f"{rewrite.name} {element} {seed}".encode()))
    make = functools.partial(extreme_draw, element=element)
    how = {"proofs": True, "shadows": frozenset(range(99)) if ZERO_SIGN in rewrite.effects else frozenset()}
    count = 0
    special_instances.ELEMENT = element
    try:
        with context(), ir.Location.unknown():
            for _ in range(TRIES):
                module = draw_instance(rewrite, rng, make, **how)
                if module is None:
                    continue
                given = gradir.Module(module).function("before").arguments
                sets = [[values(spec, rng, k % 2 == 0) for spec in given] for k in range(SETS)]
                for arguments, pairs in zip(sets, run_both(module, sets)):
                    wrong = faults(rewrite, module, arguments, pairs, rng)
                    if wrong:
                        return count, [f"{wrong}: {rewrite}\n{module}\n{arguments}\n{pairs}"]
                count += 1
                if count == wanted:
                    break
    finally:
        special_instances.ELEMENT = "f32"
    return count, []


ALLOWED = [r.name for r in RULES.values() if FINITE not in r.effects and r.family not in ("collectives", "empty")]


@pytest.mark.parametrize("name", ALLOWED)
def test_no_rule_leaves_the_range(name: str) -> None:
    element = list(ELEMENTS)[zlib.crc32(name.encode()) % 3]
    _, wrong = examine(RULES[name], element, wanted=1)
    assert not wrong, wrong[0]


def report(names: list[str]) -> None:
    for name in names:
        line = []
        for element in ELEMENTS:
            try:
                n, wrong = examine(RULES[name], element)
            except Exception as error:
                n, wrong = -1, [f"[{type(error).__name__} {str(error)[:80]!r}]"]
            line.append(f"{element} {n} {wrong[0].partition(']')[0] + ']' if wrong else ''}")
        print(f"{name:36}", " | ".join(line), flush=True)


if __name__ == "__main__":
    import sys

    report(sys.argv[1:] or ALLOWED)
