"""What the memory report says: the bytes that XLA measures, and operations that follow from the schedule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import gradir
from gradir.cli import main
from gradir.jax.primitive import call
from gradir.jax.program import program_in
from gradir.memory import usage
from gradir.policy import Policy
from gradir.tensor.analysis.schedule import plan

rng = np.random.default_rng(0)


def array(*shape: int) -> Any:
    return (rng.normal(size=shape) / np.sqrt(shape[0])).astype(np.float32)


def recurrence(x: Any) -> Any:
    return jnp.sum(lax.fori_loop(0, 200, lambda i, y: jnp.sin(y) * x + 0.1, x))


def rnn(w: Any, x: Any) -> Any:
    def step(h: Any, a: Any) -> tuple[Any, Any]:
        h = jnp.tanh(h @ w + a)
        return h, jnp.sum(h)

    return jnp.sum(lax.scan(step, jnp.zeros((32, 64), np.float32), x)[1] ** 2)


def lstm(w: Any, x: Any) -> Any:
    def step(s: Any, a: Any) -> tuple[Any, None]:
        h, c = s
        i, f, g, o = jnp.split((h + a) @ w, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    return jnp.sum(lax.scan(step, (x[0], x[0]), x)[0][0])


def mlp(x: Any, *ws: Any) -> Any:
    for w in ws:
        x = jnp.tanh(x @ w)
    return jnp.sum(x**2)


def residual(x: Any, *ws: Any) -> Any:
    for w in ws:
        x = x + jax.nn.gelu(x @ w)
    return jnp.mean(x**2)


def attention(x: Any, *ws: Any) -> Any:
    for q, k, v in zip(ws[::3], ws[1::3], ws[2::3], strict=True):
        x = x + jax.nn.softmax((x @ q) @ (x @ k).T / 8) @ (x @ v)
    return jnp.sum(x**2)


def layers(ws: Any, x: Any) -> Any:
    return jnp.sum(lax.scan(lambda h, w: (h + jnp.tanh(h @ w), None), x, ws)[0] ** 2)


def runge_kutta(p: Any, x: Any) -> Any:
    def f(y: Any) -> Any:
        return jnp.tanh(y @ p)

    def step(y: Any, _: Any) -> tuple[Any, None]:
        k1 = f(y)
        k2 = f(y + 0.05 * k1)
        k3 = f(y + 0.05 * k2)
        k4 = f(y + 0.1 * k3)
        return y + 0.1 / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

    return jnp.sum(lax.scan(step, x, None, length=100)[0])


def heat(x: Any) -> Any:
    def step(_: Any, u: Any) -> Any:
        return u + 0.1 * (jnp.roll(u, 1) + jnp.roll(u, -1) - 2 * u) * (1 + u)

    return jnp.sum(lax.fori_loop(0, 300, step, x) ** 2)


def nested(x: Any) -> Any:
    def inner(y: Any) -> Any:
        return lax.fori_loop(0, 20, lambda j, z: jnp.sin(z) * x, y)

    return jnp.sum(lax.fori_loop(0, 30, lambda i, y: inner(y) + y, x))


def open_ended(x: Any, n: Any) -> Any:
    return jnp.sum(lax.while_loop(lambda s: s[1] < n, lambda s: (jnp.sin(s[0]) * x, s[1] + 1), (x, 0))[0])


PROGRAMS: dict[str, tuple[Callable[..., Any], list[Any], str]] = {
    "recurrence": (recurrence, [array(4000)], "auto none full sqrt revolve:10 budget:400kB"),
    "rnn": (rnn, [array(64, 64), array(100, 32, 64)], "auto sqrt revolve:10"),
    "lstm": (lstm, [array(64, 256), array(60, 32, 64)], "auto none sqrt budget:1MB"),
    "mlp": (mlp, [array(256, 128), *(array(128, 128) for _ in range(6))], "auto"),
    "residual": (residual, [array(256, 128), *(array(128, 128) for _ in range(6))], "auto"),
    "attention": (attention, [array(256, 64), *(array(64, 64) for _ in range(9))], "auto"),
    "layers": (layers, [array(40, 64, 64), array(128, 64)], "auto none sqrt"),
    "runge_kutta": (runge_kutta, [array(32, 32), array(64, 32)], "auto sqrt budget:400kB"),
    "heat": (heat, [array(4000)], "auto full revolve:10"),
    "nested": (nested, [array(4000)], "auto sqrt"),
    "open_ended": (open_ended, [array(4000), np.int32(7)], "auto revolve:10 budget:400kB"),
}


def measured(module: Any, name: str, arguments: list[Any]) -> int:
    program = program_in(module, name)
    compiled = jax.jit(lambda *xs: call(program, *xs)).lower(*arguments).compile()
    return compiled.memory_analysis().temp_size_in_bytes


@pytest.mark.parametrize("name", PROGRAMS)
def test_bytes_are_those_that_xla_measures(name: str) -> None:
    """Within a fifth: XLA may fuse, order and place values in other ways than we think."""
    f, arguments, policies = PROGRAMS[name]
    m = gradir.load(jax.jit(f).lower(*arguments))
    report = m.memory_report(derivative="grad", policies=policies.split())
    for policy in policies.split():
        with gradir.checkpointing(policy):
            taken = measured(m.grad().ir, "grad_main", arguments)
        assert 0.8 * taken <= report[policy].usage.bytes <= 1.2 * taken, policy


def test_operations_are_those_of_the_schedule() -> None:
    """A level of segments runs the loop once more, but for what its rounds do for the backward sweep alone."""
    f, arguments, _ = PROGRAMS["recurrence"]
    m = gradir.load(jax.jit(f).lower(*arguments))
    report = m.memory_report(derivative="value_and_grad", policies=["auto", "none", "sqrt", "full"])
    loop = usage(m.ir, "main").flops
    assert loop is not None
    assert report["none"].recomputed == 0
    auto, sqrt, full = (report[p].recomputed for p in ("auto", "sqrt", "full"))
    assert auto is not None and sqrt is not None and full is not None
    assert len(plan(Policy("sqrt"), 200).nests[-1]) == 2  # type: ignore[union-attr]
    assert sqrt - auto == pytest.approx(loop, rel=0.05) and full - sqrt == pytest.approx(loop, rel=0.05)


def test_operations_of_loops_of_unknown_length_are_not_counted() -> None:
    f, arguments, _ = PROGRAMS["open_ended"]
    report = gradir.load(jax.jit(f).lower(*arguments)).memory_report(derivative="grad", policies=["auto"])
    assert report["auto"].recomputed is None and "run time" in str(report)


def test_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "f.mlir", tmp_path / "g.mlir"
    f, arguments, _ = PROGRAMS["recurrence"]
    source.write_text(str(gradir.load(jax.jit(f).lower(*arguments))))
    command = ["diff", str(source), "--value-and-grad", "--report", "--checkpoints", "32", "-o", str(target)]
    assert main(command) == 0
    out = capsys.readouterr().out
    words = [line.split()[0] for line in out.splitlines()]
    assert words == ["main", "itself", "revolve:32", "auto", "none", "full", "sqrt", "revolve:16", "revolve:64"]
    assert "value_and_grad_main" in target.read_text()
