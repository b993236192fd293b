"""JAX programs of every family, each a scalar loss with its arguments: what is measured here and checked in tests.

`make(name)` gives `(loss, arguments)`; the loss is differentiated by its first argument, a pytree of parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

Program = tuple[Callable[..., Any], tuple[Any, ...]]
PROGRAMS: dict[str, Callable[[], Program]] = {}


def program(make: Callable[[], Program]) -> Callable[[], Program]:
    PROGRAMS[make.__name__] = make
    return make


def make(name: str) -> Program:
    return PROGRAMS[name]()


def keys(n: int) -> list[Any]:
    return list(jax.random.split(jax.random.key(0), n))


def weight(key: Any, *shape: int) -> Any:
    return jax.random.normal(key, shape) / jnp.sqrt(shape[0])


@program
def mlp() -> Program:
    ks = keys(5)
    params = [(weight(ks[0], 64, 128), jnp.zeros(128)), (weight(ks[1], 128, 128), jnp.zeros(128)),
              (weight(ks[2], 128, 10), jnp.zeros(10))]  # fmt: skip
    x, y = jax.random.normal(ks[3], (64, 64)), jax.random.randint(ks[4], (64,), 0, 10)

    def loss(params: Any, x: Any, y: Any) -> Any:
        for w, b in params[:-1]:
            x = jax.nn.relu(x @ w + b)
        w, b = params[-1]
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ w + b), y[:, None], 1))

    return loss, (params, x, y)


@program
def convnet() -> Program:
    ks = keys(6)
    params = {
        "c1": weight(ks[0], 3, 3, 3, 16) / 3, "g1": jnp.ones(16), "b1": jnp.zeros(16),
        "c2": weight(ks[1], 3, 3, 16, 32) / 3, "g2": jnp.ones(32), "b2": jnp.zeros(32),
        "out": weight(ks[2], 32, 10),
    }  # fmt: skip
    x, y = jax.random.normal(ks[3], (8, 32, 32, 3)), jax.random.randint(ks[4], (8,), 0, 10)

    def block(x: Any, c: Any, g: Any, b: Any) -> Any:
        x = lax.conv_general_dilated(x, c, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        mean, var = x.mean((0, 1, 2)), x.var((0, 1, 2))
        x = jax.nn.relu((x - mean) * lax.rsqrt(var + 1e-5) * g + b)
        return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def loss(p: Any, x: Any, y: Any) -> Any:
        x = block(block(x, p["c1"], p["g1"], p["b1"]), p["c2"], p["g2"], p["b2"])
        x = lax.reduce_window(x, 0.0, lax.add, (1, 8, 8, 1), (1, 8, 8, 1), "VALID").reshape(8, 32) / 64
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ p["out"]), y[:, None], 1))

    return loss, (params, x, y)


@program
def lstm() -> Program:
    ks = keys(4)
    n, h, steps, batch = 32, 64, 50, 16
    params = {"w": weight(ks[0], n + h, 4 * h), "b": jnp.zeros(4 * h), "out": weight(ks[1], h, 1)}
    xs, y = jax.random.normal(ks[2], (steps, batch, n)), jax.random.normal(ks[3], (batch, 1))

    def loss(p: Any, xs: Any, y: Any) -> Any:
        def cell(carry: Any, x: Any) -> Any:
            h, c = carry
            i, f, g, o = jnp.split(jnp.concatenate([x, h], 1) @ p["w"] + p["b"], 4, 1)
            c = jax.nn.sigmoid(f + 1) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
            h = jax.nn.sigmoid(o) * jnp.tanh(c)
            return (h, c), h

        zero = jnp.zeros((batch, h))
        _, hs = lax.scan(cell, (zero, zero), xs)
        return jnp.mean((hs[-1] @ p["out"] - y) ** 2) + 1e-3 * jnp.mean(hs**2)

    return loss, (params, xs, y)


@program
def attention() -> Program:
    ks = keys(4)
    q, k, v = (jax.random.normal(key, (4, 64, 4, 32)) for key in ks[:3])

    def loss(qkv: Any) -> Any:
        q, k, v = qkv
        s = jnp.einsum("bthd,bshd->bhts", q, k) / jnp.sqrt(32.0)
        a = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((64, 64), bool)), s, -1e30))
        return jnp.sum(jnp.einsum("bhts,bshd->bthd", a, v) ** 2)

    return loss, ((q, k, v),)


def gpt(
    layers: int, *, width: int = 64, heads: int = 4, vocabulary: int = 128, length: int = 32, batch: int = 2
) -> Program:
    """A decoder-only transformer with tied embeddings, as a next-token loss."""
    ks = iter(keys(4 * layers + 3))
    d = width

    def layer() -> dict[str, Any]:
        return {
            "qkv": weight(next(ks), d, 3 * d), "o": weight(next(ks), d, d), "g1": jnp.ones(d), "g2": jnp.ones(d),
            "w1": weight(next(ks), d, 4 * d), "b1": jnp.zeros(4 * d),
            "w2": weight(next(ks), 4 * d, d), "b2": jnp.zeros(d),
        }  # fmt: skip

    params = {
        "emb": weight(next(ks), vocabulary, d),
        "pos": weight(next(ks), length, d),
        "layers": [layer() for _ in range(layers)],
        "g": jnp.ones(d),
    }
    tokens = jax.random.randint(next(ks), (batch, length + 1), 0, vocabulary)

    def norm(x: Any, g: Any) -> Any:
        mean = x.mean(-1, keepdims=True)
        var = ((x - mean) ** 2).mean(-1, keepdims=True)
        return (x - mean) * lax.rsqrt(var + 1e-5) * g

    def block(p: Any, x: Any) -> Any:
        q, k, v = (a.reshape(*a.shape[:-1], heads, d // heads) for a in jnp.split(norm(x, p["g1"]) @ p["qkv"], 3, -1))
        s = jnp.einsum("bthd,bshd->bhts", q, k) / jnp.sqrt(d // heads)
        s = jnp.where(jnp.tril(jnp.ones((length, length), bool)), s, -1e30)
        x = x + jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s), v).reshape(x.shape) @ p["o"]
        return x + jax.nn.gelu(norm(x, p["g2"]) @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]

    def loss(p: Any, tokens: Any) -> Any:
        x = p["emb"][tokens[:, :-1]] + p["pos"]
        for layer in p["layers"]:
            x = block(layer, x)
        logits = jax.nn.log_softmax(norm(x, p["g"]) @ p["emb"].T)
        return -jnp.take_along_axis(logits, tokens[:, 1:, None], -1).mean()

    return loss, (params, tokens)


@program
def gpt6() -> Program:
    return gpt(6)


@program
def gpt12() -> Program:
    return gpt(12)


def positive(key: Any, n: int) -> Any:
    a = jax.random.normal(key, (n, n))
    return a @ a.T / n + jnp.eye(n)


@program
def gaussian_process() -> Program:
    """Marginal likelihood: Cholesky factor and triangular solves."""
    ks = keys(2)
    x, y = jax.random.normal(ks[0], (48, 3)), jax.random.normal(ks[1], (48,))

    def loss(p: Any, x: Any, y: Any) -> Any:
        d2 = jnp.sum((x[:, None] - x[None]) ** 2 * jnp.exp(p["scale"]), -1)
        k = jnp.exp(p["amplitude"] - d2) + (1e-2 + jnp.exp(p["noise"])) * jnp.eye(48)
        c = jnp.linalg.cholesky(k)
        alpha = jax.scipy.linalg.cho_solve((c, True), y)
        return 0.5 * y @ alpha + jnp.sum(jnp.log(jnp.diag(c)))

    return loss, ({"scale": jnp.zeros(3), "amplitude": jnp.zeros(()), "noise": jnp.asarray(-1.0)}, x, y)


@program
def solve() -> Program:
    ks = keys(2)

    def loss(a: Any, b: Any) -> Any:
        return jnp.sum(jnp.sin(jnp.linalg.solve(a, b)))

    return loss, (positive(ks[0], 24), jax.random.normal(ks[1], (24, 5)))


@program
def svd() -> Program:
    def loss(a: Any) -> Any:
        u, s, v = jnp.linalg.svd(a, full_matrices=False)
        return jnp.sum(jnp.sqrt(s)) + jnp.sum((u * jnp.tanh(s)) @ v)

    return loss, (jax.random.normal(keys(1)[0], (12, 8)),)


@program
def eigh() -> Program:
    def loss(a: Any) -> Any:
        w, v = jnp.linalg.eigh(a)
        return jnp.sum(jnp.exp(-w)) + jnp.sum((v * jnp.sin(w)) @ v.T)

    return loss, (positive(keys(1)[0], 12),)


@program
def fft() -> Program:
    ks = keys(2)

    def loss(x: Any, filter: Any) -> Any:
        return jnp.sum(jnp.fft.irfft(jnp.fft.rfft(x) * filter[: x.shape[-1] // 2 + 1]) ** 2)

    return loss, (jax.random.normal(ks[0], (8, 256)), jax.random.normal(ks[1], (256,)))


@program
def complex_numbers() -> Program:
    """A wave propagated by phase masks: complex parameters, a real loss."""
    ks = keys(3)
    wave = jax.random.normal(ks[0], (32, 32)) + 1j * jax.random.normal(ks[1], (32, 32))

    def loss(p: Any, wave: Any) -> Any:
        for phase in p:
            wave = jnp.fft.fft2(wave * jnp.exp(1j * phase)) / 32
        return jnp.sum(jnp.abs(wave) ** 2 * jnp.linspace(0, 1, 32))

    return loss, (jax.random.normal(ks[2], (3, 32, 32)), wave)


@program
def sort() -> Program:
    ks = keys(2)

    def loss(x: Any, w: Any) -> Any:
        order = jnp.argsort(x[0])
        return jnp.sum(jnp.sort(x, axis=-1) * w) + jnp.sum(jnp.tanh(x[:, order]) * w**2)

    return loss, (jax.random.normal(ks[0], (16, 200)), jax.random.normal(ks[1], (200,)))


@program
def gather_scatter() -> Program:
    """Message passing on a graph."""
    ks = keys(4)
    nodes, edges = 200, 1000
    senders, receivers = jax.random.randint(ks[0], (2, edges), 0, nodes)

    def loss(p: Any, x: Any, senders: Any, receivers: Any) -> Any:
        for w in p:
            messages = jnp.tanh(x[senders] @ w)
            x = x + jnp.zeros_like(x).at[receivers].add(messages)
            top = jnp.full((nodes, 16), -1e9).at[receivers].max(messages)
            x = x + jnp.where(top > -1e8, top, 0.0)
        return jnp.mean(x**2)

    return loss, (jax.random.normal(ks[1], (3, 16, 16)) / 4, jax.random.normal(ks[2], (nodes, 16)), senders, receivers)


@program
def control_flow() -> Program:
    """Branches inside a loop of constant length, with a stencil."""

    def loss(p: Any, u: Any) -> Any:
        def step(i: Any, u: Any) -> Any:
            flow = p["k"] * (jnp.roll(u, 1) + jnp.roll(u, -1) - 2 * u)
            return lax.cond(i % 2 == 0, lambda u: u + flow, lambda u: u + jnp.sin(flow) * p["s"], u)

        return jnp.sum(lax.fori_loop(0, 20, step, u) ** 2)

    return loss, ({"k": jnp.asarray(0.1), "s": jnp.linspace(0.5, 1, 128)}, jnp.sin(jnp.linspace(0, 6, 128)))


@program
def mixture() -> Program:
    """The likelihood of a Gaussian mixture with diagonal covariances."""
    ks = keys(3)

    def loss(p: Any, x: Any) -> Any:
        d = (x[:, None] - p["mean"]) * jnp.exp(p["log_precision"])
        terms = p["logits"] + jnp.sum(p["log_precision"] - 0.5 * d**2, -1)
        return -jnp.mean(jax.scipy.special.logsumexp(terms, -1) - jax.scipy.special.logsumexp(p["logits"]))

    p = {"mean": jax.random.normal(ks[0], (25, 10)), "log_precision": jnp.zeros((25, 10)), "logits": jnp.zeros(25)}
    return loss, (p, jax.random.normal(ks[1], (1000, 10)))


@program
def normalised() -> Program:
    """Layer norm with its scale and shift, on its own."""
    x = jax.random.normal(keys(1)[0], (64, 512))

    def loss(p: Any, x: Any) -> Any:
        mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
        return jnp.sum(jnp.tanh((x - mean) * lax.rsqrt(var + 1e-5) * p["g"] + p["b"]))

    return loss, ({"g": jnp.ones(512), "b": jnp.zeros(512)}, x)
