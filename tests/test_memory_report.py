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


def scan_in_scan(w: Any, x: Any) -> Any:
    def inner(h: Any, a: Any) -> tuple[Any, Any]:
        h = jnp.tanh(h @ w + a)
        return h, h

    def outer(h: Any, a: Any) -> tuple[Any, Any]:
        h, ys = lax.scan(inner, h, a)
        return h, jnp.sum(ys * ys)

    return jnp.sum(lax.scan(outer, jnp.zeros((16, 32), np.float32), x)[1])


def while_in_scan(x: Any, a: Any) -> Any:
    """Square roots by Newton's iteration, one after the other."""

    def goes_on(s: Any) -> Any:
        return (jnp.max(jnp.abs(s[0] * s[0] - s[2])) > 1e-4) & (s[1] < 50)

    def step(y: Any, b: Any) -> tuple[Any, Any]:
        begin = (jnp.abs(y) + 1, 0, b * b + 1)
        y = lax.while_loop(goes_on, lambda s: (0.5 * (s[0] + s[2] / s[0]), s[1] + 1, s[2]), begin)[0]
        return y, jnp.sum(y)

    return jnp.sum(lax.scan(step, x, a)[1])


def pendulum(p: Any, q: Any) -> Any:
    """Pendulums by the implicit midpoint rule, each step solved by Newton's iteration."""
    h = 0.05

    def step(s: Any, _: Any) -> tuple[Any, None]:
        q, v = s

        def residual(new: Any) -> Any:
            return new - v + h * p * jnp.sin(q + 0.25 * h * (v + new))

        def newton(c: Any) -> Any:
            slope = 1 + 0.25 * h * h * p * jnp.cos(q + 0.25 * h * (v + c[0]))
            return c[0] - residual(c[0]) / slope, c[1] + 1

        new = lax.while_loop(lambda c: (jnp.max(jnp.abs(residual(c[0]))) > 1e-6) & (c[1] < 20), newton, (v, 0))[0]
        return (q + h * 0.5 * (v + new), new), None

    q, v = lax.scan(step, (q, jnp.zeros_like(q)), None, length=200)[0]
    return jnp.sum(q**2 + v**2)


def adaptive(k: Any, y: Any) -> Any:
    """An ODE whose step follows from its error."""

    def f(y: Any) -> Any:
        return -k * y + jnp.sin(y)

    def step(s: Any) -> Any:
        t, h, y = s
        k1 = f(y)
        better = y + 0.5 * h * (k1 + f(y + h * k1))
        error = jnp.max(jnp.abs(y + h * k1 - better)) + 1e-12
        good = error < 1e-3
        h, t = h * jnp.clip(0.9 * jnp.sqrt(1e-3 / error), 0.2, 2.0), jnp.where(good, t + h, t)
        return t, h, jnp.where(good, better, y)

    begin = (jnp.float32(0), jnp.float32(0.01), y)
    return jnp.sum(lax.while_loop(lambda s: s[0] < 1, step, begin)[2])


def three_deep(x: Any) -> Any:
    def a(_: Any, y: Any) -> Any:
        return lax.fori_loop(0, 8, b, y) * 0.9 + x

    def b(_: Any, y: Any) -> Any:
        return lax.fori_loop(0, 6, lambda k, z: jnp.sin(z) * x, y) + 0.1 * x

    return jnp.sum(lax.fori_loop(0, 10, a, x))


def while_in_while(x: Any, n: Any) -> Any:
    def inner(y: Any) -> Any:
        goes_on = lambda s: (s[0] < n) & (jnp.max(s[1]) < 10)  # noqa: E731
        return lax.while_loop(goes_on, lambda s: (s[0] + 1, jnp.sin(s[1]) * x + 0.1), (0, y))[1]

    return jnp.sum(lax.while_loop(lambda s: s[0] < n, lambda s: (s[0] + 1, inner(s[1])), (0, x))[1])


def with_branches(w: Any, x: Any) -> Any:
    def step(i: Any, h: Any) -> Any:
        return lax.cond(i % 3 == 0, lambda h: jnp.tanh(h @ w), lambda h: jnp.sin(h) * 0.9, h)

    return jnp.sum(lax.fori_loop(0, 60, step, x) ** 2)


def filtered(x: Any, h: Any) -> Any:
    """A loop that stacks its states, as results."""

    def step(h: Any, u: Any) -> tuple[Any, Any]:
        h = 0.9 * h + jnp.sin(u) * h
        return h, h

    return jnp.sum(lax.scan(step, h, x)[1] ** 2)


def bodies(x: Any, v: Any) -> Any:
    def step(s: Any, _: Any) -> tuple[Any, None]:
        x, v = s
        d = x[:, None] - x[None]
        r = jnp.sum(d * d, -1) + 0.1
        v = v - 0.01 * jnp.sum(d / (r * jnp.sqrt(r))[..., None], 1)
        return (x + 0.01 * v, v), None

    return jnp.sum(lax.scan(step, (x, v), None, length=50)[0][0] ** 2)


def training(rate: Any, w: Any, x: Any, y: Any) -> Any:
    """An optimiser within: what the loss is after 100 steps, by their length."""

    def loss(w: Any) -> Any:
        return jnp.mean((jnp.tanh(x @ w) - y) ** 2)

    return loss(lax.fori_loop(0, 100, lambda i, w: w - rate * jax.grad(loss)(w), w))


def gpt(x: Any, *ws: Any) -> Any:
    def norm(x: Any) -> Any:
        d = x - x.mean(-1, keepdims=True)
        return d * lax.rsqrt((d**2).mean(-1, keepdims=True) + 1e-5)

    b, s, d = x.shape
    for k in range(0, len(ws), 6):
        q, key, v, o, up, down = ws[k : k + 6]
        y = norm(x)
        q, key, v = ((y @ m).reshape(b, s, 4, d // 4).transpose(0, 2, 1, 3) for m in (q, key, v))
        score = jnp.where(np.tril(np.ones((s, s), bool)), q @ key.swapaxes(-1, -2) / 4, -1e9)
        x = x + (jax.nn.softmax(score) @ v).transpose(0, 2, 1, 3).reshape(b, s, d) @ o
        x = x + jax.nn.gelu(norm(x) @ up) @ down
    return jnp.mean(x**2)


def convolutions(x: Any, *ws: Any) -> Any:
    for w in ws:
        x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        x = jax.nn.relu(x)
    return jnp.mean(x**2)


def classifier(x: Any, w: Any, v: Any, y: Any) -> Any:
    return -jnp.mean(jnp.sum(jax.nn.log_softmax(jax.nn.relu(x @ w) @ v) * y, -1))


def ordered(x: Any) -> Any:
    return jnp.sum(jnp.sort(x) * jnp.arange(x.shape[0]))


def log_determinant(a: Any) -> Any:
    return jnp.sum(jnp.log(jnp.diag(jnp.linalg.cholesky(a @ a.T + jnp.eye(64)))))


LAYER = [(64, 64)] * 4 + [(64, 256), (256, 64)]

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
    "scan_in_scan": (scan_in_scan, [array(32, 32), array(12, 20, 16, 32)], "auto full budget:200kB"),
    "while_in_scan": (while_in_scan, [array(2000), array(40, 2000)], "auto revolve:8 budget:200kB"),
    "pendulum": (pendulum, [np.abs(array(1000)) + 1, array(1000)], "none sqrt revolve:8 budget:200kB"),
    "adaptive": (adaptive, [np.abs(array(3000)), array(3000)], "auto revolve:8"),
    "three_deep": (three_deep, [array(2000)], "none sqrt revolve:8 budget:200kB"),
    "while_in_while": (while_in_while, [array(2000), np.int32(7)], "auto revolve:8"),
    "with_branches": (with_branches, [array(64, 64), array(32, 64)], "auto full"),
    "filtered": (filtered, [array(200, 500), array(500)], "auto none full sqrt revolve:8 budget:200kB"),
    "bodies": (bodies, [array(64, 3), array(64, 3)], "auto none sqrt"),
    "training": (training, [np.float32(0.1), array(32, 16), array(64, 32), array(64, 16)], "auto none revolve:8"),
    "gpt": (gpt, [array(4, 64, 64), *(array(*s) for _ in range(2) for s in LAYER)], "auto"),
    "convolutions": (convolutions, [array(4, 16, 16, 8), *(array(3, 3, 8, 8) for _ in range(4))], "auto"),
    "classifier": (classifier, [array(128, 784), array(784, 256), array(256, 10), array(128, 10)], "auto"),
    "ordered": (ordered, [array(5000)], "auto"),
    "log_determinant": (log_determinant, [array(64, 64)], "auto"),
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


@pytest.mark.parametrize("name", ["rnn", "mlp", "attention", "filtered", "classifier", "ordered", "bodies"])
def test_bytes_with_the_value(name: str) -> None:
    f, arguments, policies = PROGRAMS[name]
    m = gradir.load(jax.jit(f).lower(*arguments))
    chosen = list(dict.fromkeys(["auto", policies.split()[-1]]))
    report = m.memory_report(derivative="value_and_grad", policies=chosen)
    for policy in chosen:
        with gradir.checkpointing(policy):
            taken = measured(m.value_and_grad().ir, "value_and_grad_main", arguments)
        assert 0.8 * taken <= report[policy].usage.bytes <= 1.2 * taken, policy


def test_rounds_that_are_run_again_keep_no_results() -> None:
    """A stack that a loop only writes is no part of the states that checkpoints keep: it would be in each of them."""
    f, arguments, _ = PROGRAMS["filtered"]
    m = gradir.load(jax.jit(f).lower(*arguments))
    stack = arguments[0].nbytes

    def taken(policy: str) -> int:
        with gradir.checkpointing(policy):
            return measured(m.grad().ir, "grad_main", arguments)

    assert taken("none") > 3 * stack
    for policy in ("full", "sqrt", "revolve:8", "revolve:16", "budget:200kB"):
        assert taken(policy) < 2.1 * stack, policy


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
