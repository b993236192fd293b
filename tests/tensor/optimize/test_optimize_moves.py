"""Movements, reductions and products that meet, as derivatives and front ends write them, and what is left of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

import gradir
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.context import context
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import functions, verify
from gradir.tensor.optimize import Fired, optimize
from gradir.tensor.optimize.effects import Numerics
from gradir.tensor.optimize.shapes import groups

Build = Callable[..., Expr | Sequence[Expr]]


def t(x: Expr, *order: int) -> Expr:
    return E.transpose(x, order or tuple(reversed(range(x.rank))))


def matmul(x: Expr, y: Expr) -> Expr:
    return E.dot_general(x, y, ([x.rank - 1], [0]))


def batched(x: Expr, y: Expr) -> Expr:
    return E.dot_general(x, y, ([2], [1]), ([0], [0]))


def outer(x: Expr, y: Expr) -> Expr:
    """Of each row of one with the same row of the other, all products."""
    shape = [*x.shape, y.shape[1]]
    return E.broadcast(x, shape, [0, 1]) * E.broadcast(y, shape, [0, 2])


def windows(x: Expr, size: Sequence[int], body: str, init: float) -> Expr:
    """Windows that lie side by side."""
    shape = [m // n for m, n in zip(x.shape, size, strict=True)]
    attributes = {"window_dimensions": E.i64s(size), "window_strides": E.i64s(size)}
    scalar = E.tensor([], x.dtype)
    made = E.ops(
        "stablehlo.reduce_window", [x, E.full(scalar, init)], [E.tensor(shape, x.dtype)], attributes, regions=1
    )
    E.fill(made.regions[0], [scalar, scalar], lambda a, b: [E.op(f"stablehlo.{body}", a, b)])
    return Expr(made.results[0])


def rows_added(x: Expr) -> Expr:
    parts = [E.slice_in_dim(x, k, k + 1, 0) for k in range(x.shape[0])]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return E.reshape(total, x.shape[1:])


CASES: dict[str, tuple[Sequence[Sequence[int]], Build, dict[str, int]]] = {
    "column-major product": ([[8, 5], [6, 8]], lambda a, b: t(matmul(t(a), t(b))), {"transpose": 0}),
    "chain between transposes": (
        [[3, 4], [3, 4]], lambda x, y: t(E.tanh(t(x) * 2) * E.exp(t(y)) + t(x)), {"transpose": 0},
    ),
    "one side only": ([[3, 4], [4, 3]], lambda x, y: t(t(x) * y), {"transpose": 1}),
    "choice between transposes": (
        [[3, 4], [3, 4]], lambda x, y: t(E.select(t(x) > t(y), t(x), t(y))), {"transpose": 0},
    ),
    "bias below a transpose": (
        [[6, 5], [6, 4], [6]], lambda x, y, b: matmul(E.tanh(t(x) + E.broadcast(b, [5, 6], [1])), y), {"transpose": 0},
    ),
    "split and moved": ([[6, 4]], lambda x: t(E.reshape(t(x), [4, 2, 3]), 1, 2, 0), {"transpose": 0}),
    "a broadcast that transposes": (
        [[3, 4], [3, 5]], lambda x, y: matmul(E.broadcast(x, [4, 3], [1, 0]), y), {"broadcast_in_dim": 0},
    ),
    "outer product, mirrored": (
        [[3]], lambda x: t(E.broadcast(x, [3, 3], [0]) * E.broadcast(x, [3, 3], [1])), {"transpose": 0},
    ),
    "outer products, added up": (
        [[9, 4], [9, 6], [9, 4], [9, 6]], lambda a, b, c, d: E.reduce_sum(outer(a, b) + outer(c, d), [0]),
        {"dot_general": 2, "broadcast_in_dim": 0, "reduce": 0},
    ),
    "outer products, one of them wanted": (
        [[9, 4], [9, 6], [9, 4], [9, 6]],
        lambda a, b, c, d: [E.reduce_sum((p := outer(a, b)) + outer(c, d), [0]), E.sin(p)], {"dot_general": 0},
    ),
    "view, product, view": (
        [[4, 16, 8], [8, 3]], lambda x, w: E.reshape(matmul(E.reshape(x, [64, 8]), w), [4, 16, 3]), {"reshape": 0},
    ),
    "batch of one": (
        [[9, 5], [5, 4]], lambda x, y: E.reshape(batched(E.reshape(x, [1, 9, 5]), E.reshape(y, [1, 5, 4])), [9, 4]),
        {"reshape": 0},
    ),
    "one matrix for all of a batch": (
        [[4, 9, 5], [5, 3]], lambda x, y: batched(x, E.broadcast(y, [4, 5, 3], [1, 2])), {"broadcast_in_dim": 0},
    ),
    "product with ones": ([[64, 32]], lambda x: matmul(x, E.full(E.tensor([32, 8], x.dtype), 1)), {"dot_general": 0}),
    "both scaled": ([[9, 5], [5, 4]], lambda x, y: matmul(x * 2, y * 3) * 0.5, {"multiply": 1}),
    "signs": ([[9, 5], [5, 4], [9, 4]], lambda x, y, z: z - matmul(-x, y), {"negate": 0, "subtract": 0}),
    "twins": (
        [[9, 32], [32, 7]], lambda x, y: [matmul(x, y), E.dot_general(y, x, ([0], [1]))], {"dot_general": 1},
    ),
    "columns put together": (
        [[64, 32], [32, 8], [32, 9]], lambda x, y, z: E.concatenate([matmul(x, y), matmul(x, z)], 1),
        {"dot_general": 1},
    ),
    "padded alike": (
        [[9, 4], [4, 3]], lambda x, y: matmul(E.pad(x, 0, [0, 2], [0, 1]), E.pad(y, 0, [2, 0], [1, 0])), {"pad": 0},
    ),
    "sum of a batch": ([[4, 9, 5], [4, 5, 3]], lambda x, y: E.reduce_sum(batched(x, y), [0]), {"reduce": 0}),
    "a sum that is a product": (
        [[30, 40], [40]], lambda x, y: E.reduce_sum(x * E.broadcast(y, [30, 40], [1]), [1]), {"reduce": 0},
    ),
    "three factors": (
        [[30, 8], [20, 8], [8]],
        lambda x, y, z: E.reduce_sum(
            E.broadcast(x, [30, 20, 8], [0, 2])
            * E.broadcast(y, [30, 20, 8], [1, 2])
            * E.broadcast(z, [30, 20, 8], [2]),
            [2],
        ),
        {"reduce": 0, "dot_general": 1},
    ),
    "the same along what is summed": (
        [[3], []], lambda x, s: E.reduce_sum(E.broadcast(x, [3, 4], [0]) - E.broadcast(s, [3, 4], []), [1]),
        {"reduce": 0},
    ),
    "merged and summed": ([[3, 4, 5]], lambda x: E.reduce_sum(E.reshape(x, [12, 5]), [0]), {"reshape": 0}),
    "pooling": ([[2, 8, 6]], lambda x: windows(x, [1, 2, 3], "add", 0), {"reduce_window": 0}),
    "greatest of a pool": ([[2, 8, 6]], lambda x: windows(x, [1, 2, 3], "maximum", -np.inf), {"reduce_window": 0}),
    "rows, one by one": ([[6, 50]], rows_added, {"add": 0, "reduce": 1}),
    "greatest of what is scaled": (
        [[5, 7]], lambda x: E.reduce(x * -2, [1], "stablehlo.maximum", -np.inf), {"reduce": 1},
    ),
}  # fmt: skip


FAST = ("both scaled", "signs", "three factors")
"""Where another order of factors may overflow, or a zero has another sign."""


def made(shapes: Sequence[Sequence[int]], build: Build) -> ir.Module:
    module = ir.Module.create()
    f32 = ir.F32Type.get()
    with ir.InsertionPoint(module.body):
        f = func.FuncOp("main", ir.FunctionType.get([E.tensor(s, f32) for s in shapes], []))
        block = f.add_entry_block()
        with ir.InsertionPoint(block):
            out = build(*E.exprs(block.arguments))
            outs = [out] if isinstance(out, Expr) else list(out)
            func.ReturnOp([o.value for o in outs])
        kind = ir.FunctionType.get([a.type for a in block.arguments], [o.type for o in outs])
        f.attributes["function_type"] = ir.TypeAttr.get(kind)
    verify(module)
    return module


def left(module: ir.Module) -> Counter[str]:
    block = functions(module)["main"].entry_block
    return Counter(view.operation.name.removeprefix("stablehlo.") for view in block.operations)


def results(module: ir.Module, arguments: Sequence[Any]) -> tuple[Any, ...]:
    got = gradir.Module(module).run(*arguments)
    return got if isinstance(got, tuple) else (got,)


@pytest.mark.parametrize("name", CASES)
def test_what_is_left(name: str) -> None:
    shapes, build, limits = CASES[name]
    rng = np.random.default_rng(0)
    arguments = [np.asarray(rng.normal(size=s), np.float32) for s in shapes]
    with context(), ir.Location.unknown():
        module = made(shapes, build)
        before = results(module, arguments)
        module = made(shapes, build)
        log: list[Fired] = []
        optimize(module, log=log, numerics=Numerics.FAST if name in FAST else Numerics.DEFAULT)
        verify(module)
        counts = left(module)
        assert all(counts[op] <= most for op, most in limits.items()), f"{module}\n{[f.rule for f in log]}"
        assert len(log) < 40
        for x, y in zip(before, results(module, arguments), strict=True):
            np.testing.assert_allclose(y, x, rtol=1e-4, atol=1e-4)


def test_chains_are_reordered_where_that_is_known_to_be_right() -> None:
    def chain(x: Expr, y: Expr, z: Expr) -> Expr:
        return matmul(matmul(x, y), z)

    def masked(x: Expr, y: Expr, z: Expr) -> Expr:
        return matmul(matmul(*(E.convert(v > 0, v.dtype) for v in (x, y))), E.convert(z > 0, z.dtype))

    def largest(build: Build, **options: Any) -> int:
        module = made([[64, 64], [64, 64], [64]], build)
        optimize(module, **options)
        products = [
            view.operation
            for view in functions(module)["main"].entry_block.operations
            if view.operation.name == "stablehlo.dot_general"
        ]
        return max(len(op.results[0].type.shape) for op in products)

    with context(), ir.Location.unknown():
        assert largest(chain) == 2  # an infinity in x would meet other partners
        assert largest(chain, numerics=Numerics.FAST) == 1
        assert largest(masked) == 1


def test_dimensions_of_a_reshape_are_grouped() -> None:
    assert groups([6, 4], [2, 3, 4]) == [([0], [0, 1]), ([1], [2])]
    assert groups([2, 3, 4], [6, 2, 2]) == [([0, 1], [0]), ([2], [1, 2])]
    assert groups([], [1, 1]) == [([], [0]), ([], [1])]
    assert groups([4, 1, 6], [8, 3]) == [([0, 2], [0, 1]), ([1], [])]


def test_bits_there_and_back_have_no_derivative_optimised_or_not() -> None:
    """By convention: a rule that sees they are the number itself is not for what is still to be differentiated."""
    text = """
    func.func @f(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<i32>
      %1 = stablehlo.bitcast_convert %0 : (tensor<i32>) -> tensor<f32>
      return %1 : tensor<f32>
    }"""
    for optimised in (True, False):
        with gradir.optimizing(optimised):
            assert float(gradir.load(text).grad("f").run("grad_f", np.float32(0.7))) == 0
