"""Random programs give the same with and without the optimiser, cost no more, and so do their derivatives.

Some are drawn op by op (`random_programs.py`); others are grown from the left sides of rules, one standing in another,
so that what one rule makes is what the next one finds. `python test_optimize_fuzz.py 1000 9000` tries more of both.
"""

from __future__ import annotations

import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from instances import Draw
from instances import Retry as NoInstance
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from random_programs import FLOATS, Value, draw_program
from special_instances import GENERATORS

import gradir
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.context import context
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import functions, parse, verify
from gradir.tensor.ir.reading import kind
from gradir.tensor.optimize import CPU, RULES, optimize, total
from gradir.tensor.optimize.effects import FINITE
from gradir.tensor.optimize.rule import Rewrite

TOLERANCE = {"float32": 3e-4, "float64": 1e-6, "bfloat16": 6e-2, "float16": 1e-2, "complex64": 3e-4, "complex128": 1e-6}
"""(A number of 64 bits may come from one of 32.)"""
DTYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i1": np.bool_}


# -- values ------------------------------------------------------------------------------------------------------------


def arguments(values: Sequence[Value], seed: int, special: bool) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [some_values(v, rng, special) for v in values]


def some_values(v: Value, rng: np.random.Generator, special: bool) -> np.ndarray:
    if v.dtype == "i1":
        return np.asarray(rng.random(v.shape) < 0.5)
    if v.dtype.startswith("complex"):
        numbers = rng.uniform(-2, 2, v.shape) + 1j * rng.uniform(-2, 2, v.shape)
        return np.asarray(numbers).astype(np.complex64 if v.dtype.endswith("f32>") else np.complex128)
    if v.dtype in FLOATS:
        numbers = rng.integers(-4, 5, v.shape).astype(float) if v.exact else rng.uniform(-3, 3, v.shape)
        if special:
            odd = rng.choice([np.nan, np.inf, -np.inf, 0.0, 1.0], v.shape)
            numbers = np.where(rng.random(v.shape) < 0.3, odd, numbers)
        return np.asarray(numbers).astype(DTYPES[v.dtype])
    unsigned, bits = v.dtype.startswith("u"), re.sub(r"\D", "", v.dtype)
    return np.asarray(rng.integers(0 if unsigned else -3, 5, v.shape)).astype(f"{'u' * unsigned}int{bits}")


def difference(before: np.ndarray, after: np.ndarray, signs: bool = True) -> str | None:
    """How two results differ by more than rounding, if they do; of infinities the signs count or not."""
    if before.shape != after.shape or before.dtype != after.dtype:
        return f"{before.dtype}{before.shape} became {after.dtype}{after.shape}"
    tolerance = TOLERANCE.get(before.dtype.name)
    said = f"{before}\nbecame\n{after}"
    if tolerance is None:
        return None if np.array_equal(before, after) else said
    wide = np.complex128 if before.dtype.kind == "c" else np.float64
    x, y = before.astype(wide), after.astype(wide)
    finite, infinite = np.isfinite(x), np.isinf(x)
    if (np.isnan(x) != np.isnan(y)).any() or (finite != np.isfinite(y)).any():
        return said
    if signs and wide is np.float64 and (x[infinite] != y[infinite]).any():
        return said
    scale = 1 + np.abs(x[finite]).max(initial=0)
    return said if (np.abs(x[finite] - y[finite]) > tolerance * scale).any() else None


def run(module: gradir.Module, name: str, given: Sequence[np.ndarray]) -> list[np.ndarray]:
    out = module.run(name, *given, backend="reference")
    return [np.asarray(o) for o in (out if isinstance(out, tuple) else (out,))]


# -- one program -------------------------------------------------------------------------------------------------------


def cost_of(module: ir.Module) -> float:
    return total(view.operation for view in functions(module)["main"].regions[0].blocks[0].operations).on(CPU)


def check(text: str, values: Sequence[Value], seed: int, special: bool, ill: bool = False) -> bool:
    """The program is as it was, up to rounding, and not dearer; or it can't be run, then False.

    Results that are `ill` may change by more if an argument changes by a rounding: then they are not compared.
    """
    before, after = parse(text), parse(text)
    optimize(after)
    verify(after)
    assert cost_of(after) <= 1.1 * cost_of(before) + 100, f"{text}\nbecame dearer:\n{after}"
    plain, optimised = gradir.Module(before), gradir.Module(after)
    for odd in (False, True) if special else (False,):
        given = arguments(values, seed, odd)
        try:
            expected = run(plain, "main", given)
        except gradir.BackendError:  # the interpreter has not all ops for complex numbers
            return False
        got = run(optimised, "main", given)
        for k, (a, b) in enumerate(zip(expected, got, strict=True)):
            said = difference(a, b, signs=not ill)
            if said is None or (ill and is_ill(plain, given, k, a)):
                continue
            raise AssertionError(f"result {k} of\n{text}\n{said}\nby\n{after}")
    return True


def is_ill(module: gradir.Module, given: Sequence[np.ndarray], k: int, result: np.ndarray) -> bool:
    """Whether a result depends on the last digits of arguments."""
    rng = np.random.default_rng(0)
    for _ in range(4):
        near = [x * (1 + 3e-7 * rng.uniform(-1, 1, x.shape)) if x.dtype.kind in "fc" else x for x in given]
        shaken = run(module, "main", [np.asarray(n).astype(x.dtype) for n, x in zip(near, given, strict=True)])[k]
        if difference(result, shaken, signs=False):
            return True
    return False


def check_derivative(text: str, values: Sequence[Value], seed: int) -> bool:
    """What a reverse sweep gives is the same with and without the optimiser, at ties too."""
    module = gradir.load(text)
    signature = module.function("main")
    wrt = [k for k, a in enumerate(signature.arguments) if a.dtype in (np.float32, np.float64)]
    inexact = [r for r in signature.results if r.dtype.name in TOLERANCE]
    if not wrt or not inexact or "bf16" in text or "f16" in text or "complex" in text:
        return False
    with gradir.optimizing(False):
        plain = module.vjp("main", wrt)
    optimised = module.vjp("main", wrt)
    verify(optimised.ir)
    rng, given = np.random.default_rng(seed), arguments(values, seed, False)
    more = plain.function("vjp_main").arguments[len(given) :]
    given += [np.asarray(rng.uniform(0.5, 1.5, a.shape)).astype(a.dtype) for a in more]
    for a, b in zip(run(plain, "vjp_main", given), run(optimised, "vjp_main", given), strict=True):
        finite = np.isfinite(a) if a.dtype.kind == "f" else np.ones(a.shape, bool)  # 0 * inf may be left out
        said = difference(np.where(finite, a, 0).astype(a.dtype), np.where(finite, b, 0).astype(b.dtype))
        assert said is None, f"{text}\n{said}\nby\n{optimised}"
    return True


# -- programs grown from rules -----------------------------------------------------------------------------------------

GROWING = [r for r in RULES.values() if FINITE not in r.effects and r.family != "collectives"]


@dataclass
class Grown(Draw):
    """A program whose arguments are, where it fits, left sides of other rules, or values that are there already."""

    pool: list[Expr] = field(default_factory=list)
    depth: int = 0

    def argument(self, t: ir.Type) -> Expr:
        if self.depth < 3 and isinstance(t, ir.RankedTensorType):
            there = [v for v in self.pool if v.type == t]
            if there and self.chance(0.5):
                return self.pick(there)
            if self.chance(0.55) and (made := self.left_side(t)) is not None:
                return made
        made = super().argument(t)
        self.pool.append(made)
        return made

    def left_side(self, t: ir.RankedTensorType) -> Expr | None:
        for _ in range(4):
            r = self.some_rule()
            if kind(t) in r.kinds and r.name not in GENERATORS:
                made = self.grown(r, t)
                if made:
                    return made[0]
        return None

    def some_rule(self) -> Rewrite:
        """Any rule: by its name, so that a rule more in the table changes few programs."""
        salt = str(self.integer(0, 1 << 30))
        return min(GROWING, key=lambda r: zlib.crc32((salt + r.name).encode()))

    def grown(self, r: Rewrite, t: ir.RankedTensorType | None = None) -> list[Expr]:
        """The left side of a rule, of a type if told; nothing if that does not work out."""
        held = self.names, self.constants, self.moves
        self.names, self.constants = {}, r.operands == {"stablehlo.constant"}
        self.moves = self.chance(0.2)
        self.depth += 1
        try:
            if t is None and r.name in GENERATORS:
                made = GENERATORS[r.name](self)
            else:
                made = self.build(r.pattern, t or E.tensor(self.shape(), self.dtype(sorted(r.kinds))))
        except (NoInstance, ValueError, KeyError, TypeError, AssertionError, ir.MLIRError):
            return []
        finally:
            self.depth -= 1
            self.names, self.constants, self.moves = held
        found = [made] if isinstance(made, Expr) else list(made)
        self.pool += found
        return found


def grow_program(seed: int) -> str | None:
    """The text of a module with a function `main`; None if what was drawn is no program."""
    with context(), ir.Location.unknown():
        module = ir.Module.create()
        with ir.InsertionPoint(module.body):
            main = func.FuncOp("main", ir.FunctionType.get([], []))
        block, results = main.add_entry_block(), list[Expr]()
        draw = Grown(np.random.default_rng(seed), block)
        with ir.InsertionPoint(block):
            while len(results) < 4:
                results += draw.grown(draw.some_rule())
            func.ReturnOp([r.value for r in results])
        types = ir.FunctionType.get([a.type for a in block.arguments], [r.type for r in results])
        main.attributes["function_type"] = ir.TypeAttr.get(types)
        try:
            module.operation.verify()
            text = str(module)
            parse(text)  # not all that is valid can be written
        except (ir.MLIRError, gradir.GradirError):
            return None
        return text


def values_of(text: str) -> list[Value]:
    module = parse(text)
    given = functions(module)["main"].type.inputs
    return [Value("", tuple(t.shape), str(t.element_type), exact=False) for t in given]


def check_grown(seed: int) -> bool:
    text = grow_program(seed)
    if text is None:
        return False
    special = "complex" not in text
    return check(text, values_of(text), seed, special, ill=True)


# -- tests -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(60))
def test_random_programs_stay_what_they_are(seed: int) -> None:
    text, values, special = draw_program(seed, 20)
    check(text, values, seed, special)


@pytest.mark.parametrize("seed", range(40))
def test_derivatives_of_random_programs_stay_what_they_are(seed: int) -> None:
    text, values, _ = draw_program(1000 + seed, 12)
    if not check_derivative(text, values, seed):
        pytest.skip("nothing to differentiate")


@pytest.mark.parametrize("seed", range(10))
def test_programs_grown_from_rules_stay_what_they_are(seed: int) -> None:
    assert sum(check_grown(1000 * seed + k) for k in range(10)) >= 3


def more(first: int, last: int) -> None:
    """Programs of these seeds, for as long as one likes."""
    for seed in range(first, last):
        for name, of in (("drawn", check_drawn), ("grown", check_grown)):
            try:
                of(seed)
            except Exception as error:
                print(f"{name} {seed}: {type(error).__name__} {error}\n", flush=True)


def check_drawn(seed: int) -> Any:
    text, values, special = draw_program(seed, 25)
    check(text, values, seed, special)
    return check_derivative(text, values, seed)


if __name__ == "__main__":
    more(*map(int, sys.argv[1:3]))
