"""Every rule, on random instances of its left side: both sides give the same on StableHLO's reference interpreter.

The rules come from the registry, so a new one is here without anyone's doing; one without instances fails.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from instances import Draw, Retry, from_pattern
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from special_instances import GENERATORS

import gradir
from gradir.tensor.ir.context import context
from gradir.tensor.ir.module import functions, verify
from gradir.tensor.optimize import RULES
from gradir.tensor.optimize.driver import drive
from gradir.tensor.optimize.effects import FINITE, ROUNDS, Numerics
from gradir.tensor.optimize.rule import Rewrite

WANTED, TRIES = 8, 4000
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e30, 2.5]


def draw_instance(
    rewrite: Rewrite, rng: np.random.Generator, make: Callable[..., Draw] = Draw, **how: Any
) -> ir.Module | None:
    """A module with the rule's left side as `before`, and as `after` what the rule makes of it; None if it does not."""
    module = ir.Module.create()
    with ir.InsertionPoint(module.body):
        before = func.FuncOp("before", ir.FunctionType.get([], []))
        block = before.add_entry_block()
        draw = make(rng, block, FINITE in rewrite.effects)
        try:
            with ir.InsertionPoint(block):
                made = GENERATORS.get(rewrite.name, lambda d: from_pattern(rewrite, d))(draw)
                results = [made] if not isinstance(made, (list, tuple)) else list(made)
                func.ReturnOp([r.value for r in results])
        except (Retry, ValueError, ir.MLIRError):
            return None
        kind = ir.FunctionType.get([a.type for a in block.arguments], [r.type for r in results])
        before.attributes["function_type"] = ir.TypeAttr.get(kind)
        try:
            before.operation.verify()
        except ir.MLIRError:
            return None
        after = before.operation.clone()
        after.attributes["sym_name"] = ir.StringAttr.get("after")
    level = Numerics.FAST if FINITE in rewrite.effects else Numerics.DEFAULT
    fired = drive(after, [(rewrite,)], **{"numerics": level, "gates": False, "proofs": False, **how})
    return module if fired else None


def arguments(module: ir.Module, rng: np.random.Generator, kind: str) -> list[np.ndarray]:
    signature = gradir.Module(module).function("before")
    return [some_values(spec.shape, spec.dtype, rng, kind) for spec in signature.arguments]


def some_values(shape: tuple[int, ...], dtype: Any, rng: np.random.Generator, kind: str) -> np.ndarray:
    """Values that are all positive, or ordinary, or in part special."""
    if dtype.kind == "b":
        return rng.random(shape) < 0.5
    if dtype.kind in "iu":
        return np.asarray(rng.integers(1 if dtype.kind == "u" else -4, 5, shape)).astype(dtype) | 1
    size = rng.uniform(0.3, 2.0, shape) * (1 if kind == "positive" else rng.choice([1, 1, -1], shape))
    if dtype.kind == "c":
        return (size + 1j * rng.uniform(-2, 2, shape)).astype(dtype)
    if kind == "special":
        size = np.where(rng.random(shape) < 0.5, rng.choice(SPECIAL, shape), size)
    return np.asarray(size, dtype)


def assert_same(rewrite: Rewrite, before: np.ndarray, after: np.ndarray, module: ir.Module) -> None:
    """Equal, and where the rule rounds, close; infinities and what is not a number at the same places."""
    message = f"{rewrite}\n{module}\nbefore {before}\nafter {after}"
    assert before.shape == after.shape and before.dtype == after.dtype, message
    if ROUNDS not in rewrite.effects or before.dtype.kind not in "fc":
        assert np.array_equal(before, after, equal_nan=before.dtype.kind in "fc"), message
        return
    assert (np.isnan(before) == np.isnan(after)).all(), message
    assert (np.isinf(before) == np.isinf(after)).all(), message
    ordinary = np.isfinite(before)
    single = before.dtype in (np.float32, np.complex64)
    tolerance = 2e-5 if single else 1e-12
    scale = 1 + np.abs(before[ordinary])
    assert (np.abs(before[ordinary] - after[ordinary]) <= tolerance * scale).all(), message
    infinite = np.isinf(before)
    assert (before[infinite] == after[infinite]).all() or before.dtype.kind == "c", message


def instances(rewrite: Rewrite, rng: np.random.Generator, tries: int) -> Iterator[ir.Module]:
    """Modules with both sides of a rule, of so many that are drawn."""
    for _ in range(tries):
        module = draw_instance(rewrite, rng)
        if module is not None:
            verify(module)
            yield module


def check(rewrite: Rewrite) -> int:
    rng = np.random.default_rng(zlib.crc32(rewrite.name.encode()))
    count = 0
    with context(), ir.Location.unknown():
        for module in instances(rewrite, rng, TRIES):
            compare_sides(rewrite, module, rng)
            count += 1
            if count == WANTED:
                break
    assert count, f"{rewrite}: no instance in {TRIES} draws"
    return count


def compare_sides(rewrite: Rewrite, module: ir.Module, rng: np.random.Generator) -> None:
    """Both sides, one after the other, in one run of the interpreter for each set of values."""
    parts = functions(module)
    inputs, results = list(parts["before"].type.inputs), list(parts["before"].type.results)
    with ir.InsertionPoint(module.body):
        main = func.FuncOp("both", ir.FunctionType.get(inputs, [*results, *results]))
        with ir.InsertionPoint(main.add_entry_block()):
            given = list(main.entry_block.arguments)
            outs = [v for side in ("before", "after") for v in func.CallOp(parts[side], given).results]
            func.ReturnOp(outs)
    replicas = 2 if rewrite.family == "collectives" else 1
    if replicas > 1:  # which the interpreter has not
        module.operation.attributes["mhlo.num_replicas"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), replicas)
    has_all = rewrite.family not in ("collectives", "empty")  # (nor has it products over nothing)
    run = gradir.Module(module).compile("both", backend="reference" if has_all else "xla")
    for kind in ("positive",) if FINITE in rewrite.effects else ("ordinary", "special"):
        sets = [arguments(module, rng, kind) for _ in range(replicas)]
        got = run(*(list(v) for v in zip(*sets, strict=True))) if replicas > 1 else run(*sets[0])
        got = got if isinstance(got, tuple) else (got,)
        for before, after in zip(got[: len(results)], got[len(results) :], strict=True):
            assert_same(rewrite, np.asarray(before), np.asarray(after), module)


@pytest.mark.parametrize("name", RULES)
def test_both_sides_of_every_rule_are_equal(name: str) -> None:
    assert check(RULES[name]) > 0


def report() -> None:
    """The number of instances of each rule, by family."""
    counted: dict[str, dict[str, int]] = {}
    for name, rewrite in RULES.items():
        counted.setdefault(rewrite.family, {})[name] = check(rewrite)
    for family, rules in counted.items():
        print(f"{family}: {len(rules)} rules, {sum(rules.values())} instances")
        for name, n in rules.items():
            print(f"  {name:32}{n}")
    print(f"{len(RULES)} rules, {sum(sum(r.values()) for r in counted.values())} instances, none failing")


if __name__ == "__main__":
    import os

    os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=2")
    report()
