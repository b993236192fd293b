"""What a loop keeps: the minimum cut against an exhaustive search, and the flow that finds it against SciPy's."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from jaxlib.mlir import ir
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from gradir.tensor.analysis.cache import REPEATABLE, Network, bits, keep, price, sources
from gradir.tensor.ir.module import functions, parse, verify
from gradir.tensor.rules.counted import again

# -- flow --------------------------------------------------------------------------------------------------------------


def node(k: int, n: int) -> object:
    return {0: "source", n - 1: "sink"}.get(k, k)


@pytest.mark.parametrize("seed", range(30))
def test_the_cut_is_as_small_as_the_greatest_flow(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 12))
    capacity = np.where(rng.random((n, n)) < 0.4, rng.integers(1, 20, (n, n)), 0)
    np.fill_diagonal(capacity, 0)
    capacity[:, 0] = capacity[-1] = 0
    network = Network()
    for a, b in itertools.product(range(n), range(n)):
        if capacity[a, b]:
            network.link(node(a, n), node(b, n), int(capacity[a, b]))
    inside = network.cut_at_sink()
    near = [k for k in range(n) if node(k, n) in inside]
    assert n - 1 in near and 0 not in near
    cut = sum(capacity[a, b] for a in range(n) if a not in near for b in near)
    assert cut == maximum_flow(csr_array(capacity.astype(np.int32)), 0, n - 1).flow_value


def test_the_cut_next_to_the_sink_is_taken() -> None:
    """A chain of equal edges could be cut anywhere."""
    network = Network()
    for a, b in itertools.pairwise(["source", 1, 2, 3, "sink"]):
        network.link(a, b, 5)
    assert network.cut_at_sink() == {"sink"}


def test_without_a_path_nothing_is_cut() -> None:
    network = Network()
    network.link("source", 1, 3)
    network.link(2, "sink", None)
    assert network.cut_at_sink() == {"sink", 2}


def test_many_paths_of_one_length() -> None:
    """They are filled together: one after the other, each with a search of its own, this would take minutes."""
    network = Network()
    for k in range(20_000):
        network.link("source", (k, "in"), None)
        network.link((k, "in"), (k, "out"), 65)
        network.link((k, "out"), "sink", None)
    assert len(network.cut_at_sink()) == 20_001


# -- what to keep ------------------------------------------------------------------------------------------------------

V, W, L = "tensor<4xf64>", "tensor<2xf64>", "tensor<64x4xf64>"
OPS = [
    ("cheap", V, lambda a, b: f"stablehlo.add {a}, {b} : {V}"),
    ("cheap", V, lambda a, b: f"stablehlo.multiply {a}, {b} : {V}"),
    ("cheap", V, lambda a, b: f"stablehlo.negate {a} : {V}"),
    ("slow", V, lambda a, b: f"stablehlo.sine {a} : {V}"),
    ("dear", V, lambda a, b: f"chlo.erf {a} : {V} -> {V}"),
    ("narrow", W, lambda a, b: f"stablehlo.slice {a} [0:2] : ({V}) -> {W}"),
    ("wide", V, lambda a, b: f"stablehlo.concatenate {a}, {b}, dim = 0 : ({W}, {W}) -> {V}"),
]


def straight_line(rng: np.random.Generator, n: int) -> str:
    """A function of random ops: cheap and dear ones, which narrow and widen."""
    values = {V: ["%x", "%y", "%outside"], W: []}
    lines = []
    for k in range(n):
        kind, t, text = OPS[rng.integers(len(OPS))]
        operands = values[W if kind == "wide" else V]
        if not operands:
            continue
        lines.append(f"  %{k} = {text(*rng.choice(operands, 2))}")
        values[t].append(f"%{k}")
    return f"func.func @f(%x: {V}, %y: {V}, %outside: {V}) {{\n{chr(10).join(lines)}\n  return\n}}"


def computable(value: ir.Value, kept: Sequence[ir.Value], outside: ir.Value) -> bool:
    if value in kept or value == outside:
        return True
    if isinstance(value, ir.BlockArgument) or value.owner.operation.name not in REPEATABLE:
        return False
    return all(computable(v, kept, outside) for v in value.owner.operation.operands)


def recomputed(values: Iterable[ir.Value], kept: Sequence[ir.Value], outside: ir.Value) -> set[ir.Value]:
    found: set[ir.Value] = set()
    todo = [v for v in values if v not in kept and v != outside]
    while todo:
        value = todo.pop()
        if value not in found:
            found.add(value)
            todo += [v for v in value.owner.operation.operands if v not in kept and v != outside]
    return found


@pytest.mark.parametrize("seed", range(40))
def test_what_is_kept_and_what_is_computed_again_cost_least(seed: int) -> None:
    """No set of values that determines what is wanted costs less, in bits and operations."""
    rng = np.random.default_rng(seed)
    module = parse(straight_line(rng, 7))
    block = functions(module)["f"].entry_block
    *arguments, outside = block.arguments
    local = [*arguments, *(r for view in list(block.operations)[:-1] for r in view.operation.results)]
    wanted = [v for v in local if rng.random() < 0.4]
    kept = keep(wanted, lambda v: v != outside)

    def cost(values: Sequence[ir.Value]) -> int:
        again = recomputed(wanted, values, outside)
        return sum(bits(v) + 1 for v in values) + sum(price(v.owner.operation) or 0 for v in again)

    assert all(computable(v, kept, outside) for v in wanted)
    for n in range(len(local) + 1):
        for other in itertools.combinations(local, n):
            if all(computable(v, other, outside) for v in wanted):
                assert cost(other) >= cost(kept)
    assert kept == keep(wanted, lambda v: v != outside), "always in the same order"


def function(body: str) -> tuple[ir.Module, dict[str, ir.Value]]:
    """A function of %x and %y, and its values by the names they have there."""
    module = parse(f"func.func @f(%x: {V}, %y: {V}) {{\n{body}\n return\n}}")
    block = functions(module)["f"].entry_block
    names = [line.split("=")[0].strip() for line in body.strip().splitlines()]
    results = [view.operation.results[0] for view in list(block.operations)[:-1]]
    return module, {"%x": block.arguments[0], "%y": block.arguments[1], **dict(zip(names, results, strict=True))}


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("%x", "%x"),
        ("%sum %double", "%sum"),  # one array instead of two: the second follows
        ("%double", "%double"),  # of equal size, the nearest
        ("%part", "%part"),  # half the size
        ("%part %sum", "%sum"),
        ("%s %sum", "%sum"),  # a sine is computed again
        ("%e %sum", "%e %sum"),  # an error function is not
        ("%sq", "%sq"),
        ("%s %sq", "%s"),
        ("%sum %sq %p", "%sum %p"),  # nor is a product with many terms
        ("%zero", ""),
        ("%shifted", "%shifted"),
        ("%shifted %sum", "%sum"),
        ("%product %x %y", "%x %y"),
        ("", ""),
    ],
)
def test_examples(wanted: str, expected: str) -> None:
    module, v = function(f"""
      %sum = stablehlo.add %x, %y : {V}
      %double = stablehlo.add %sum, %sum : {V}
      %part = stablehlo.slice %double [0:2] : ({V}) -> {W}
      %s = stablehlo.sine %sum : {V}
      %e = chlo.erf %sum : {V} -> {V}
      %sq = stablehlo.multiply %s, %s : {V}
      %long = stablehlo.iota dim = 0 : {L}
      %wide = stablehlo.dot_general %long, %sum, contracting_dims = [1] x [0] : ({L}, {V}) -> tensor<64xf64>
      %p = stablehlo.dot_general %wide, %long, contracting_dims = [0] x [0] : (tensor<64xf64>, {L}) -> {V}
      %one = stablehlo.constant dense<1.0> : {V}
      %zero = stablehlo.subtract %one, %one : {V}
      %shifted = stablehlo.add %sum, %one : {V}
      %product = stablehlo.multiply %x, %y : {V}""")
    assert set(keep([v[n] for n in wanted.split()], lambda _: True)) == {v[n] for n in expected.split()}
    verify(module)


def test_what_is_outside_costs_nothing() -> None:
    module, v = function(f"%sum = stablehlo.add %x, %y : {V}\n%s = chlo.erf %y : {V} -> {V}")
    assert keep([v["%sum"]], lambda x: x not in (v["%x"], v["%y"])) == []
    assert keep([v["%s"]], lambda x: x != v["%y"]) == [v["%s"]], "it is dear, wherever it comes from"
    found = sources([v["%sum"]], set(), lambda x: x not in (v["%x"], v["%y"]))
    assert set(found) == {v["%x"], v["%y"]}
    assert sources([v["%sum"]], {v["%sum"]}, lambda x: x == v["%sum"]) == []
    verify(module)


def test_computing_again() -> None:
    """What is wanted, and what it needs of what is not known; each once, in an order that works."""
    module, v = function(f"""
      %sum = stablehlo.add %x, %y : {V}
      %double = stablehlo.add %sum, %sum : {V}
      %other = stablehlo.subtract %x, %y : {V}
      %product = stablehlo.multiply %double, %sum : {V}""")
    known = {v["%sum"]: v["%x"], v["%y"]: v["%y"]}
    block = functions(module)["f"].entry_block
    with module.context, ir.Location.unknown(), ir.InsertionPoint(list(block.operations)[-1]):
        again([v["%product"], v["%double"], v["%sum"]], known)
    verify(module)
    made = [view.operation for view in block.operations][4:-1]
    assert [op.name for op in made] == ["stablehlo.add", "stablehlo.multiply"]
    assert list(made[0].operands) == [v["%x"], v["%x"]]
    assert list(made[1].operands) == [made[0].results[0], v["%x"]]
    assert known[v["%product"]] == made[1].results[0]
    assert v["%other"] not in known


def test_a_chain_of_any_length() -> None:
    n = 3000
    module, v = function("\n".join(f"%{k + 1} = stablehlo.negate %{k if k else 'x'} : {V}" for k in range(n)))
    wanted = list(v.values())[2:]
    assert keep(wanted, lambda _: True) == [v["%1"]]
    known = {v["%1"]: v["%y"]}
    block = functions(module)["f"].entry_block
    with module.context, ir.Location.unknown(), ir.InsertionPoint(list(block.operations)[-1]):
        again(reversed(wanted), known)
    assert len(known) == n


@pytest.mark.parametrize(
    ("t", "expected"),
    [
        ("tensor<3x4xf64>", 768),
        ("tensor<f32>", 32),
        ("tensor<2xbf16>", 32),
        ("tensor<5xf8E4M3FN>", 40),
        ("tensor<3xcomplex<f64>>", 384),
        ("tensor<7xi1>", 7),
        ("tensor<2xui8>", 16),
        ("tensor<0x9xf64>", 0),
        ("tensor<?xf64>", 0),
        ("!stablehlo.token", 0),
    ],
)
def test_bits(t: str, expected: int) -> None:
    module = parse(f"func.func @f(%x: {t}) {{ return }}")
    assert bits(functions(module)["f"].entry_block.arguments[0]) == expected
