"""Random JAX programs with fixed seeds, judged as `fuzzing/oracle.py` says; `fuzzing/run.py` tries more of them."""

from __future__ import annotations

import jax
import numpy as np
import pytest
from fuzzing.generate import Known, Program, Step
from fuzzing.oracle import Case, Lowered
from fuzzing.run import outcome

BATCH = 20
SEEDS = range(500)


@pytest.mark.parametrize("first", range(0, len(SEEDS), BATCH))
def test_fuzzed_programs(first: int) -> None:
    found = [outcome(seed) for seed in SEEDS[first : first + BATCH]]
    bad = [f"{o.seed} {f.whose} {f.kind} {f.where} {f.why}" for o in found for f in o.findings]
    assert not bad, "\n".join(bad)
    assert sum(o.kind in ("right", "bad") for o in found) >= BATCH * 3 // 4  # the others say nothing


# -- the interpreter ---------------------------------------------------------------------------------------------------

STEPS = [
    "jnp.sort({0}, 0)", "lax.top_k({0}, 2)[0]", "{0}[jnp.array([0, -1, 0])]", "{0}.at[jnp.array([0, -1])].add({0}[:2])",
    "{0}.at[jnp.array([0, 0])].max({0}[:2])", "jnp.pad({0}, 1, mode='reflect')", "jnp.cumprod({0}, -1)",
    "lax.conv_general_dilated({0}[None, None], {0}[None, None, :2], (1, 2), 'SAME', rhs_dilation=(2, 1))[0, 0]",
    "lax.reduce_window({0}, -jnp.inf, lax.max, (2, 2), (1, 2), 'SAME')", "jax.nn.softmax({0} @ {0}.T) @ {0}",
    "lax.scan(lambda c, u: (jnp.tanh(c + u), c * u), 0.3 * {0}[0], {0})[1]", "{0}[..., ::2]", "jnp.median({0}, 0)",
    "lax.switch(jnp.argmax({0}.ravel()) % 3, [jnp.sin, jnp.tanh, lambda u: u * u], {0})", "lax.erf_inv(jnp.tanh({0}))",
    "lax.lgamma(jnp.abs({0}) + 1) + jax.nn.gelu({0})", "jnp.floor(jnp.clip({0}, -4, 4)).astype(int) * {0}",
    "jnp.take_along_axis({0}, jnp.argsort({0}, -1), -1)", "jnp.sum({0}[:0], 0) + jnp.prod({0}, 1, keepdims=True)",
]  # fmt: skip


@pytest.mark.parametrize("text", STEPS)
def test_the_interpreter_agrees_with_xla(text: str) -> None:
    """In f64, on ordinary numbers: 1e-12 is thousands of units, and both sum less than a hundred terms."""
    with jax.enable_x64(True):
        x = np.random.default_rng(1).uniform(-2, 2, (4, 3))
        case = Case(Program("f64", "f64", (Known((4, 3), "F"),), (Step(text, (0,)),), (1,)), [x], [x[::-1]], 1)
        lowered = Lowered(jax, case, False)
        (shape,) = jax.eval_shape(case.program.function, x)
        given = ([x], [np.stack([x, x[::-1]])], [np.cos(x)], [np.ones(shape.shape, shape.dtype)])
        mine = lowered.interpreter()(*jax.tree.leaves(given))
        theirs = jax.tree.leaves(jax.jit(lowered.run)(*given))
        for a, b in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
