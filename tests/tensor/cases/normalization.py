"""Batch normalisation: every result, by every operand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import case
from cases.products import tensor


def inputs(shape: Sequence[int], features: int, signs: str):  # type: ignore[no-untyped-def]
    """Arrays of the whole shape for `x`, of the features for `f`, and positive ones of the features for `v`."""

    def draw(rng: np.random.Generator) -> list[np.ndarray]:
        kinds = {"x": lambda: rng.normal(size=shape), "f": lambda: rng.normal(size=features)}
        return [kinds[s]() if s in kinds else rng.uniform(0.5, 2, features) for s in signs]

    return draw


def norm(op: str, label: str, shape: Sequence[int], feature: int, operands: str, results: str) -> None:
    types = {"x": tensor(shape), "f": tensor([shape[feature]]), "v": tensor([shape[feature]])}
    arguments = ", ".join(f"%a{i}: {types[s]}" for i, s in enumerate(operands))
    values = ", ".join(f"%a{i}" for i in range(len(operands)))
    ins, outs = (", ".join(types[s] for s in side) for side in (operands, results))
    returned = ", ".join(f"%r#{k}" for k in range(len(results)))
    text = f"""func.func public @f({arguments}) -> ({outs}) {{
      %r:{len(results)} = "stablehlo.{op}"({values}) {{epsilon = 0.01 : f32, feature_index = {feature} : i64}}
        : ({ins}) -> ({outs})
      return {returned} : {outs}
    }}"""
    # The reference interpreter has none of these ops.
    case(f"stablehlo.{op}", label, text, inputs(shape, shape[feature], operands), backends=("xla",))


for label, shape, feature in [("features last", [4, 2], 1), ("features in the middle", [2, 2, 3], 1)]:
    norm("batch_norm_training", label, shape, feature, "xff", "xff")
    norm("batch_norm_grad", label, shape, feature, "xffvx", "xff")
    norm("batch_norm_inference", label, shape, feature, "xfffv", "x")
norm("batch_norm_inference", "features alone", [3], 0, "xfffv", "x")
