"""What gradir uses of JAX beyond its public interface. No other file imports `jax._src`.

JAX makes no promise to keep these, so each new version is tried before it is named here (`TESTED`): with
`tests/jax` and `tests/test_data_parallel.py`, in an environment of that version. Where two versions differ, this is the
file that knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jax._src import ad_checkpoint, ad_util, custom_derivatives, dispatch, pjit, random
from jax._src import core as jax_core
from jax._src.interpreters import ad, batching, mlir, partial_eval
from jax._src.lax import lax, linalg, special
from jax._src.lax.control_flow import loops, solves
from jax._src.sharding_impls import GSPMDSharding

__all__ = [
    "TESTED",
    "GSPMDSharding",
    "ad",
    "ad_checkpoint",
    "ad_util",
    "batching",
    "calls_back",
    "custom_derivatives",
    "dispatch",
    "hoisted",
    "integer_pow",
    "jax_core",
    "lax",
    "linalg",
    "loops",
    "lowered_by",
    "mlir",
    "pjit",
    "random",
    "saves",
    "solves",
    "special",
]

TESTED = ("0.10.2", "0.11.2")
"""The versions of JAX that all of this is known to be right for."""

integer_pow: mlir.LoweringRule = lax._integer_pow_lowering
"""How JAX lowers a power by an integer."""


def lowered_by(traced: Any, rules: Sequence[tuple[jax_core.Primitive, mlir.LoweringRule]]) -> Any:
    """A `jax.jit(f).trace(…)` lowered with these rules in the place of JAX's own."""
    return traced.lower(_private_parameters=mlir.LoweringParameters(override_lowering_rules=tuple(rules)))


def calls_back(lowered: Any) -> bool:
    """Whether what was lowered calls back into Python."""
    return bool(lowered._lowering.compile_args["host_callbacks"])


def hoisted(traced: Any) -> list[Any]:
    """The values from outside that JAX makes a traced function's first arguments, since one of them is a tracer."""
    return list(traced._consts)


def saves(policy: Any, eqn: Any) -> bool:
    """Whether a policy of `jax.checkpoint` keeps the results of an equation (to offload them is to keep them, here)."""
    answer = policy(eqn.primitive, *(v.aval for v in eqn.invars), **eqn.params)
    return not isinstance(partial_eval.ensure_enum(answer), partial_eval.RecomputeType)
