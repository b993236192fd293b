"""Collectives among four replicas (which XLA alone runs; the reference interpreter has one device)."""

from __future__ import annotations

from collections.abc import Sequence

from cases import case, complex_normal, normal

ALL, PAIRS = "dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>", "dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>"


def tensor(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


def collective(
    op: str,
    label: str,
    attributes: str,
    shape: Sequence[int],
    to: Sequence[int] | None = None,
    *,
    by: str | None = None,
    dtype: str = "f64",
    operands: int = 1,
) -> None:
    """An op on tensors of one shape, to results of another (or the same), that combines values `by` an op or not."""
    x, y = tensor(shape, dtype), tensor(shape if to is None else to, dtype)
    region = ""
    if by is not None:
        region = f"""({{
          ^bb0(%a: tensor<{dtype}>, %b: tensor<{dtype}>):
            %c = stablehlo.{by} %a, %b : tensor<{dtype}>
            stablehlo.return %c : tensor<{dtype}>
        }})"""
    names = [f"%x{k}" for k in range(operands)]
    ins, outs = (", ".join([t] * operands) for t in (x, y))
    text = f"""module attributes {{mhlo.num_replicas = 4 : i32}} {{
      func.func public @f({", ".join(f"{n}: {x}" for n in names)}) -> ({outs}) {{
        %y:{operands} = "stablehlo.{op}"({", ".join(names)}) {region} {{{attributes}}} : ({ins}) -> ({outs})
        return {", ".join(f"%y#{k}" for k in range(operands))} : {outs}
      }}
    }}"""
    draw = normal if dtype == "f64" else complex_normal
    case(f"stablehlo.{op}", label, text, draw(*[shape] * operands), backends=("xla",))


GROUPS, HALVES = f"replica_groups = {ALL}", f"replica_groups = {PAIRS}"
# Groups of replicas as ids of devices, as JAX writes them.
DEVICES = f"{HALVES}, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids"

collective("all_reduce", "sum", GROUPS, [2], by="add")
collective("all_reduce", "sum in groups of devices", DEVICES, [2], by="add")
collective("all_reduce", "sum of several", HALVES, [2], by="add", operands=2)
collective("all_reduce", "complex sum", HALVES, [2], by="add", dtype="complex<f64>")
collective("all_reduce", "maximum", GROUPS, [2], by="maximum")
collective("all_reduce", "minimum of several", HALVES, [], by="minimum", operands=2)
collective("all_reduce", "product", HALVES, [2], by="multiply")
collective("cross-replica-sum", "in groups", HALVES, [2])
collective("all_gather", "along the last dimension", "all_gather_dim = 1 : i64, " + HALVES, [2, 1], [2, 2])
collective("all_gather", "of devices", "all_gather_dim = 0 : i64, " + DEVICES, [1, 2], [2, 2])
collective("reduce_scatter", "sum", "scatter_dimension = 0 : i64, " + GROUPS, [4], [1], by="add")
collective(
    "reduce_scatter", "sum in groups of devices", "scatter_dimension = 1 : i64, " + DEVICES, [1, 4], [1, 2], by="add"
)
collective("reduce_scatter", "product", "scatter_dimension = 0 : i64, " + HALVES, [4], [2], by="multiply")
collective(
    "all_to_all",
    "to another dimension",
    "split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, " + HALVES,
    [1, 4],
    [2, 2],
)
collective(
    "all_to_all",
    "along one dimension",
    "split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, " + GROUPS,
    [4],
)
collective(
    "collective_permute",
    "one sends and gets nothing",
    "source_target_pairs = dense<[[0, 1], [1, 3], [3, 2]]> : tensor<3x2xi64>",
    [2],
)
