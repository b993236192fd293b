"""Programs over what people write in JAX, each once: gradients by gradir beside JAX's own, in one run.

    python benchmarks/corpus.py                     # all, in f32
    python benchmarks/corpus.py --dtype bf16
    python benchmarks/corpus.py --only graph,flow   # those whose names begin so
    python benchmarks/corpus.py --quick             # fewer turns
    python benchmarks/corpus.py --json out.json     # the rows, to be compared
    python benchmarks/corpus.py --processes 8       # eight compile at a time, and time in turn

For each program: the time of a compiled gradient, the temporary memory that XLA says it takes, the time to trace,
differentiate and lower it, and the error, all beside JAX's. Contenders take short turns and the best time of each
counts. The error is the distance of the gradient from JAX's in f32, over its length; in bf16 JAX's own stands beside
gradir's. Ratios are JAX's over gradir's: above 1, gradir is ahead.
"""

from __future__ import annotations

import argparse
import fcntl
import inspect
import json
import os
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax, nn
from loops import flat
from optimizer import call_time, copies, measure

import gradir.jax

PROGRAMS: dict[str, Callable[[Arrays], tuple[Callable[..., Any], tuple[Any, ...]]]] = {}


class Arrays:
    """Where a program takes its inputs from: `a(3, 4)` is random, in the type that is measured."""

    def __init__(self, name: str, dtype: Any) -> None:
        self.rng, self.dtype = np.random.default_rng(zlib.crc32(name.encode())), dtype

    def __call__(self, *shape: int, scale: float = 1.0) -> Any:
        return jnp.asarray(self.rng.normal(size=shape) * scale, self.dtype)

    def weight(self, *shape: int) -> Any:
        return self(*shape, scale=1 / np.sqrt(shape[-2] if len(shape) > 1 else shape[0]))

    def positive(self, *shape: int) -> Any:
        return jnp.asarray(self.rng.uniform(0.5, 1.5, size=shape), self.dtype)

    def ints(self, high: int, *shape: int) -> Any:
        return jnp.asarray(self.rng.integers(high, size=shape))


def program(made: Any) -> Any:
    PROGRAMS[made.__name__] = made
    return made


def mse(x: Any, y: Any) -> Any:
    return jnp.mean((x - y) ** 2)


def rms(x: Any) -> Any:
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5)


# -- attention, in its variants ----------------------------------------------------------------------------------------


def attend(q: Any, k: Any, v: Any, bias: Any = 0) -> Any:
    scores = jnp.einsum("bthd,bshd->bhts", q, k) / np.sqrt(q.shape[-1]) + bias
    return jnp.einsum("bhts,bshd->bthd", nn.softmax(scores), v)


def causal(t: int) -> Any:
    return jnp.where(jnp.tril(jnp.ones((t, t), bool)), 0.0, -1e4)


@program
def attention_causal(a: Arrays) -> Any:
    x, w, o = a(4, 128, 128), a.weight(128, 384), a.weight(128, 128)

    def loss(w: Any, o: Any, x: Any) -> Any:
        q, k, v = (h.reshape(4, 128, 4, 32) for h in jnp.split(x @ w, 3, -1))
        return jnp.mean((attend(q, k, v, causal(128).astype(x.dtype)).reshape(x.shape) @ o) ** 2)

    return loss, (w, o, x)


@program
def attention_grouped_rotary(a: Arrays) -> Any:
    """Rotated queries and keys, of which four heads share one."""
    x, wq, wk, wv = a(2, 128, 128), a.weight(128, 128), a.weight(128, 32), a.weight(128, 32)
    angle = np.arange(128)[:, None] * 100.0 ** (-np.arange(8) / 8)
    c, s = (jnp.asarray(f(angle)[:, None], a.dtype) for f in (np.cos, np.sin))

    def turn(h: Any) -> Any:
        u, v = jnp.split(h, 2, -1)
        return jnp.concatenate([u * c - v * s, u * s + v * c], -1)

    def loss(wq: Any, wk: Any, wv: Any, x: Any) -> Any:
        q = turn((x @ wq).reshape(2, 128, 8, 16))
        k = jnp.repeat(turn((x @ wk).reshape(2, 128, 2, 16)), 4, 2)
        v = jnp.repeat((x @ wv).reshape(2, 128, 2, 16), 4, 2)
        return jnp.mean(attend(q, k, v, causal(128).astype(x.dtype)) ** 2)

    return loss, (wq, wk, wv, x)


@program
def attention_relative(a: Arrays) -> Any:
    """With a learned bias by distance."""
    q, k, v, bias = a(2, 96, 4, 32), a(2, 96, 4, 32), a(2, 96, 4, 32), a(4, 191)
    far = np.arange(96)[:, None] - np.arange(96) + 95

    return lambda q, k, v, bias: jnp.mean(attend(q, k, v, bias[:, far]) ** 2), (q, k, v, bias)


@program
def attention_linear(a: Arrays) -> Any:
    q, k, v = a(4, 256, 4, 32), a(4, 256, 4, 32), a(4, 256, 4, 32)

    def loss(q: Any, k: Any, v: Any) -> Any:
        q, k = nn.elu(q) + 1, nn.elu(k) + 1
        state = jnp.einsum("bthd,bthe->bhde", k, v)
        norm = jnp.einsum("bthd,bhd->bth", q, jnp.sum(k, 1))
        return jnp.mean((jnp.einsum("bthd,bhde->bthe", q, state) / norm[..., None]) ** 2)

    return loss, (q, k, v)


@program
def attention_in_blocks(a: Arrays) -> Any:
    """Keys a block at a time, with a running maximum and sum."""
    q, k, v = a(8, 128, 32), a(8, 512, 32), a(8, 512, 32)

    def loss(q: Any, k: Any, v: Any) -> Any:
        def step(carry: Any, block: Any) -> Any:
            m, s, o = carry
            kb, vb = block
            scores = jnp.einsum("htd,hsd->hts", q, kb) / np.sqrt(32)
            new = jnp.maximum(m, jnp.max(scores, -1))
            p, old = jnp.exp(scores - new[..., None]), jnp.exp(m - new)
            o = o * old[..., None] + jnp.einsum("hts,hsd->htd", p, vb)
            return (new, s * old + jnp.sum(p, -1), o), None

        blocks = [jnp.moveaxis(x.reshape(8, 8, 64, 32), 1, 0) for x in (k, v)]
        start = (jnp.full((8, 128), -1e4, q.dtype), jnp.zeros((8, 128), q.dtype), jnp.zeros_like(q))
        (_, s, o), _ = lax.scan(step, start, blocks)
        return jnp.mean((o / s[..., None]) ** 2)

    return loss, (q, k, v)


@program
def transformer_block(a: Arrays) -> Any:
    p = {"qkv": a.weight(128, 384), "out": a.weight(128, 128), "up": a.weight(128, 512), "down": a.weight(512, 128)}

    def loss(p: Any, x: Any) -> Any:
        q, k, v = (h.reshape(2, 128, 4, 32) for h in jnp.split(rms(x) @ p["qkv"], 3, -1))
        x = x + attend(q, k, v).reshape(x.shape) @ p["out"]
        return jnp.mean((x + nn.gelu(rms(x) @ p["up"]) @ p["down"]) ** 2)

    return loss, (p, a(2, 128, 128))


@program
def gated_unit(a: Arrays) -> Any:
    """SwiGLU."""
    w, v, o, x = a.weight(128, 256), a.weight(128, 256), a.weight(256, 128), a(256, 128)
    return lambda w, v, o, x: jnp.mean(((nn.silu(x @ w) * (x @ v)) @ o) ** 2), (w, v, o, x)


@program
def mixture_of_experts(a: Arrays) -> Any:
    """The two best of eight experts for each token."""
    gate, up, down, x = a.weight(64, 8), a.weight(8, 64, 128), a.weight(8, 128, 64), a(256, 64)

    def loss(gate: Any, up: Any, down: Any, x: Any) -> Any:
        best, which = lax.top_k(x @ gate, 2)
        share = jnp.zeros((256, 8), x.dtype).at[jnp.arange(256)[:, None], which].set(nn.softmax(best))
        each = jnp.einsum("enh,ehd->end", nn.gelu(jnp.einsum("nd,edh->enh", x, up)), down)
        return jnp.mean(jnp.einsum("end,ne->nd", each, share) ** 2)

    return loss, (gate, up, down, x)


@program
def language_loss(a: Arrays) -> Any:
    """An embedding, and the cross entropy over a vocabulary with the same matrix."""
    table, w, tokens = a(1000, 64, scale=0.1), a.weight(64, 64), a.ints(1000, 8, 64)

    def loss(table: Any, w: Any, tokens: Any) -> Any:
        logits = jnp.tanh(table[tokens] @ w) @ table.T
        picked = jnp.take_along_axis(nn.log_softmax(logits[:, :-1]), tokens[:, 1:, None], -1)
        return -jnp.mean(picked)

    return loss, (table, w, tokens)


# -- recurrences and state spaces --------------------------------------------------------------------------------------


@program
def gru(a: Arrays) -> Any:
    w, u, xs = a.weight(64, 192), a.weight(64, 192), a(100, 16, 64)

    def loss(w: Any, u: Any, xs: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            z, r, n = jnp.split(x @ w, 3, -1)
            zu, ru, nu = jnp.split(h @ u, 3, -1)
            z, r = nn.sigmoid(z + zu), nn.sigmoid(r + ru)
            h = (1 - z) * jnp.tanh(n + r * nu) + z * h
            return h, None

        return jnp.mean(lax.scan(step, jnp.zeros((16, 64), xs.dtype), xs)[0] ** 2)

    return loss, (w, u, xs)


@program
def state_space_by_scan(a: Arrays) -> Any:
    """A diagonal linear recurrence with gates of the input, by an associative scan."""
    w, b, x = a.weight(64, 64), a.weight(64, 64), a(256, 8, 64)

    def loss(w: Any, b: Any, x: Any) -> Any:
        keep, new = nn.sigmoid(x @ w), x @ b
        join = lambda s, t: (s[0] * t[0], t[0] * s[1] + t[1])  # noqa: E731
        return jnp.mean(lax.associative_scan(join, (keep, new))[1] ** 2)

    return loss, (w, b, x)


@program
def state_space_by_convolution(a: Arrays) -> Any:
    """A long convolution with a kernel of decaying exponentials, by Fourier transforms."""
    rate, c, x = a.positive(32, 16), a(32, 16), a(8, 32, 512)
    x = x.astype(jnp.float32)

    def loss(rate: Any, c: Any, x: Any) -> Any:
        t = jnp.arange(512, dtype=jnp.float32) / 512
        kernel = jnp.einsum("dn,dnt->dt", c.astype(t.dtype), jnp.exp(-rate.astype(t.dtype)[..., None] * t))
        y = jnp.fft.irfft(jnp.fft.rfft(x, 1024) * jnp.fft.rfft(kernel, 1024))[..., :512]
        return jnp.mean(nn.gelu(y) ** 2)

    return loss, (rate, c, x)


@program
def echo_state(a: Arrays) -> Any:
    """A fixed recurrence with a readout, the gradient by the spectral radius and the inputs' weights."""
    w, win, out, xs = a.weight(128, 128), a.weight(8, 128), a.weight(128, 1), a(200, 8)

    def loss(radius: Any, win: Any, out: Any, xs: Any) -> Any:
        step = lambda h, x: ((h := jnp.tanh(radius * (h @ w) + x @ win)), h @ out)  # noqa: E731
        return jnp.mean(lax.scan(step, jnp.zeros(128, xs.dtype), xs)[1] ** 2)

    return loss, (jnp.asarray(0.9, a.dtype), win, out, xs)


# -- convolutional nets ------------------------------------------------------------------------------------------------


def conv(x: Any, w: Any, stride: int = 1, groups: int = 1) -> Any:
    return lax.conv_general_dilated(
        x, w, (stride, stride), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"), feature_group_count=groups
    )


@program
def residual_net(a: Arrays) -> Any:
    ws = [a.weight(3, 3, 3, 16), a.weight(3, 3, 16, 16), a.weight(3, 3, 16, 16)]

    def loss(ws: Any, x: Any) -> Any:
        x = nn.relu(conv(x, ws[0]))
        for w in ws[1:]:
            y = conv(x, w)
            mean, var = jnp.mean(y, (0, 1, 2)), jnp.var(y, (0, 1, 2))
            x = nn.relu(x + (y - mean) * lax.rsqrt(var + 1e-5))
        return jnp.mean(jnp.mean(x, (1, 2)) ** 2)

    return loss, (ws, a(8, 32, 32, 3))


@program
def depthwise_net(a: Arrays) -> Any:
    """ConvNeXt's block: a depthwise convolution, a norm, and two products."""
    d, up, down, x = a.weight(7, 7, 1, 32), a.weight(32, 128), a.weight(128, 32), a(4, 32, 32, 32)

    def loss(d: Any, up: Any, down: Any, x: Any) -> Any:
        y = conv(x, d, groups=32)
        y = (y - jnp.mean(y, -1, keepdims=True)) * lax.rsqrt(jnp.var(y, -1, keepdims=True) + 1e-6)
        return jnp.mean((x + nn.gelu(y @ up) @ down) ** 2)

    return loss, (d, up, down, x)


@program
def u_net(a: Arrays) -> Any:
    ws = [a.weight(3, 3, 1, 8), a.weight(3, 3, 8, 16), a.weight(3, 3, 16, 8), a.weight(3, 3, 16, 1)]

    def loss(ws: Any, x: Any) -> Any:
        top = nn.relu(conv(x, ws[0]))
        low = nn.relu(conv(lax.reduce_window(top, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME"), ws[1]))
        up = jax.image.resize(conv(low, ws[2]), top.shape, "nearest")
        return mse(conv(jnp.concatenate([top, up], -1), ws[3]), x)

    return loss, (ws, a(4, 32, 32, 1))


@program
def pooled_features(a: Arrays) -> Any:
    """Average and maximum pools of several sizes, side by side."""
    x, w = a(8, 32, 32, 8), a.weight(3, 3, 8, 8)

    def loss(w: Any, x: Any) -> Any:
        y = conv(x, w)
        pools = []
        for n in (2, 4, 8):
            window = (1, n, n, 1)
            pools.append(jnp.mean(lax.reduce_window(y, -jnp.inf, lax.max, window, window, "VALID") ** 2))
            pools.append(jnp.mean((lax.reduce_window(y, 0.0, lax.add, window, window, "VALID") / n**2) ** 2))
        return sum(pools)

    return loss, (w, x)


@program
def style_loss(a: Arrays) -> Any:
    """Gram matrices of features."""
    w, x, y = a.weight(3, 3, 3, 32), a(2, 48, 48, 3), a(2, 48, 48, 3)

    def gram(x: Any) -> Any:
        f = nn.relu(conv(x, w)).reshape(2, -1, 32)
        return jnp.einsum("bic,bid->bcd", f, f) / f.shape[1]

    return lambda x, y: mse(gram(x), gram(y)), (x, y)


# -- graphs and points -------------------------------------------------------------------------------------------------


@program
def graph_convolution(a: Arrays) -> Any:
    w1, w2, x = a.weight(32, 64), a.weight(64, 8), a(500, 32)
    source, target = a.ints(500, 3000), a.ints(500, 3000)

    def loss(w1: Any, w2: Any, x: Any) -> Any:
        degree = jax.ops.segment_sum(jnp.ones(3000, x.dtype), target, 500) + 1
        for w in (w1, w2):
            x = x @ w
            x = nn.relu((x + jax.ops.segment_sum(x[source], target, 500)) / degree[:, None])
        return jnp.mean(x**2)

    return loss, (w1, w2, x)


@program
def graph_attention(a: Arrays) -> Any:
    w, left, right, x = a.weight(32, 32), a(32), a(32), a(500, 32)
    source, target = a.ints(500, 3000), a.ints(500, 3000)

    def loss(w: Any, left: Any, right: Any, x: Any) -> Any:
        h = x @ w
        score = nn.leaky_relu((h @ left)[source] + (h @ right)[target])
        score = jnp.exp(score - jax.ops.segment_max(score, target, 500)[target])
        share = score / (jax.ops.segment_sum(score, target, 500)[target] + 1e-6)
        return jnp.mean(jax.ops.segment_sum(share[:, None] * h[source], target, 500) ** 2)

    return loss, (w, left, right, x)


@program
def message_passing(a: Arrays) -> Any:
    """Messages by a network over both ends and the distance, four rounds."""
    w1, w2, x, at = a.weight(33, 32), a.weight(32, 16), a(200, 16), a(200, 3)
    source, target = a.ints(200, 1600), a.ints(200, 1600)

    def loss(w1: Any, w2: Any, x: Any, at: Any) -> Any:
        far = jnp.sum((at[source] - at[target]) ** 2, -1, keepdims=True)

        def round_(_: int, x: Any) -> Any:
            message = nn.silu(jnp.concatenate([x[source], x[target], far], -1) @ w1) @ w2
            return jnp.tanh(x + jax.ops.segment_sum(message, target, 200) / 8)

        return jnp.mean(lax.fori_loop(0, 4, round_, x) ** 2)

    return loss, (w1, w2, x, at)


@program
def point_sets(a: Arrays) -> Any:
    """A network on each point, the maximum over them, and a network on that."""
    w1, w2, w3, x = a.weight(3, 64), a.weight(64, 128), a.weight(128, 10), a(16, 256, 3)
    return (
        lambda w1, w2, w3, x: jnp.mean((jnp.max(nn.relu(nn.relu(x @ w1) @ w2), 1) @ w3) ** 2),
        (w1, w2, w3, x),
    )


# -- differential equations --------------------------------------------------------------------------------------------


def runge_kutta(f: Any, y: Any, h: float, steps: int) -> Any:
    def step(y: Any, _: Any) -> Any:
        k1 = f(y)
        k2 = f(y + h / 2 * k1)
        k3 = f(y + h / 2 * k2)
        return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + f(y + h * k3)), None

    return lax.scan(step, y, None, length=steps)[0]


@program
def ode_lorenz(a: Arrays) -> Any:
    def loss(p: Any, y: Any) -> Any:
        def f(y: Any) -> Any:
            u, v, w = y
            return jnp.stack([p[0] * (v - u), u * (p[1] - w) - v, u * v - p[2] * w])

        return jnp.mean(runge_kutta(f, y, 0.01, 200) ** 2)

    return loss, (jnp.asarray([10.0, 28.0, 8 / 3], a.dtype), a(3, 64))


@program
def ode_neural(a: Arrays) -> Any:
    w1, w2, y = a.weight(8, 64), a.weight(64, 8), a(64, 8)
    return (
        lambda w1, w2, y: jnp.mean(runge_kutta(lambda y: jnp.tanh(y @ w1) @ w2, y, 0.05, 40) ** 2),
        (w1, w2, y),
    )


@program
def ode_stiff_implicit(a: Arrays) -> Any:
    """Backward Euler with three Newton steps each, a system of three reactions."""

    def loss(p: Any, y: Any) -> Any:
        def f(y: Any) -> Any:
            u, v, w = y
            return jnp.stack([-p[0] * u + p[1] * v * w, p[0] * u - p[1] * v * w - p[2] * v * v, p[2] * v * v])

        def step(y: Any, _: Any) -> Any:
            def newton(_: int, z: Any) -> Any:
                g = lambda z: z - y - 0.1 * f(z)  # noqa: E731
                return z - jnp.linalg.solve(jax.jacfwd(g)(z), g(z))

            return lax.fori_loop(0, 3, newton, y), None

        return jnp.sum(lax.scan(step, y, None, length=30)[0] ** 2)

    return loss, (jnp.array([0.04, 1.0, 3.0]), jnp.array([1.0, 0.1, 0.1]))


@program
def sde_euler(a: Arrays) -> Any:
    """Paths of a stochastic volatility model, and the price of an option on them."""
    noise, p = a(100, 2, 512), jnp.asarray([0.04, 1.5, 0.04, 0.3], a.dtype)

    def loss(p: Any, noise: Any) -> Any:
        def step(state: Any, z: Any) -> Any:
            s, v = state
            v_plus = jnp.maximum(v, 1e-4)
            s = s * jnp.exp(-v_plus / 200 + jnp.sqrt(v_plus / 100) * z[0])
            return (s, v + p[1] * (p[2] - v_plus) / 100 + p[3] * jnp.sqrt(v_plus / 100) * z[1]), None

        s, _ = lax.scan(step, (jnp.ones(512, noise.dtype), jnp.full(512, p[0])), noise)[0]
        return jnp.mean(nn.relu(s - 1.0))

    return loss, (p, noise)


@program
def pde_heat(a: Arrays) -> Any:
    k, u = a.positive(64, 64), a(64, 64)

    def loss(k: Any, u: Any) -> Any:
        def step(_: int, u: Any) -> Any:
            p = jnp.pad(u, 1, mode="edge")
            flow = p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u
            return u + 0.1 * k * flow

        return jnp.mean(lax.fori_loop(0, 50, step, u) ** 2)

    return loss, (k, u)


@program
def pde_burgers_upwind(a: Arrays) -> Any:
    u = a(16, 512)

    def loss(nu: Any, u: Any) -> Any:
        def step(u: Any, _: Any) -> Any:
            left, right = jnp.roll(u, 1, -1), jnp.roll(u, -1, -1)
            slope = jnp.where(u > 0, u - left, right - u)
            return u - 0.05 * u * slope + nu * (left - 2 * u + right), None

        return jnp.mean(lax.scan(step, u, None, length=100)[0] ** 2)

    return loss, (jnp.asarray(0.1, a.dtype), u)


@program
def pde_wave_spectral(a: Arrays) -> Any:
    """The wave equation on a torus, its derivatives by Fourier transforms."""
    speed, u = jnp.abs(a(64, 64).astype(jnp.float32)) * 0.1 + 0.5, a(64, 64).astype(jnp.float32)
    k = np.fft.fftfreq(64, 1 / 64)
    square = jnp.asarray(k[:, None] ** 2 + np.fft.rfftfreq(64, 1 / 64) ** 2, jnp.float32)

    def loss(speed: Any, u: Any) -> Any:
        def step(s: Any, _: Any) -> Any:
            u, v = s
            v = v - 1e-4 * speed * jnp.fft.irfft2(square * jnp.fft.rfft2(u))
            return (u + 0.1 * v, v), None

        return jnp.mean(lax.scan(step, (u, jnp.zeros_like(u)), None, length=40)[0][0] ** 2)

    return loss, (speed, u)


@program
def pde_poisson_jacobi(a: Arrays) -> Any:
    f = a(64, 64)

    def loss(f: Any) -> Any:
        def sweep(_: int, u: Any) -> Any:
            p = jnp.pad(u, 1)
            return (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] + f) / 4

        return jnp.sum(lax.fori_loop(0, 80, sweep, jnp.zeros_like(f)) ** 2)

    return loss, (f,)


@program
def lattice_boltzmann(a: Arrays) -> Any:
    c = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    w = jnp.asarray([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4, a.dtype)
    cs = jnp.asarray(c, a.dtype)

    def loss(omega: Any, u: Any) -> Any:
        def equilibrium(rho: Any, u: Any) -> Any:
            cu = jnp.einsum("qi,xyi->xyq", cs, u)
            return rho[..., None] * w * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * jnp.sum(u * u, -1, keepdims=True))

        def step(f: Any, _: Any) -> Any:
            rho = jnp.sum(f, -1)
            u = jnp.einsum("xyq,qi->xyi", f, cs) / rho[..., None]
            f = f + omega * (equilibrium(rho, u) - f)
            return jnp.stack([jnp.roll(f[..., q], c[q], (0, 1)) for q in range(9)], -1), None

        f = lax.scan(step, equilibrium(jnp.ones((32, 32), u.dtype), u), None, length=20)[0]
        return jnp.mean(jnp.einsum("xyq,qi->xyi", f, cs) ** 2)

    return loss, (jnp.asarray(1.2, a.dtype), a(32, 32, 2, scale=0.05))


@program
def physics_informed(a: Arrays) -> Any:
    """The residual of a differential equation at points, of a network's second derivatives."""
    ws = [a.weight(2, 32), a.weight(32, 32), a.weight(32, 1)]

    def loss(ws: Any, points: Any, m: Any = jax) -> Any:
        def u(p: Any) -> Any:
            return (jnp.tanh(jnp.tanh(p @ ws[0]) @ ws[1]) @ ws[2])[0]

        def residual(p: Any) -> Any:
            h = m.hessian(u)(p)
            return h[0, 0] + h[1, 1] - u(p) ** 3

        return jnp.mean(jax.vmap(residual)(points) ** 2)

    return loss, (ws, a(128, 2))


# -- particles, mechanics, robots --------------------------------------------------------------------------------------


@program
def molecules_lennard_jones(a: Arrays) -> Any:
    grid = np.stack(np.meshgrid(*[np.arange(5.0)] * 3), -1).reshape(-1, 3) * 1.1
    at = jnp.asarray(grid, a.dtype) + a(125, 3, scale=0.03)
    pairs = ~jnp.eye(125, dtype=bool)

    def energy(at: Any) -> Any:
        d = at[:, None] - at
        r2 = jnp.where(pairs, jnp.sum(d * d, -1), 1.0)
        i6 = 1 / r2**3
        return jnp.sum(jnp.where(pairs & (r2 < 6.25), i6 * i6 - i6, 0.0)) * 2

    return energy, (at,)


@program
def molecules_simulated(a: Arrays) -> Any:
    """The gradient through fifty steps of a simulation whose forces are gradients."""
    at, charge = a(32, 3, scale=3.0), a(32)

    def energy(at: Any, charge: Any) -> Any:
        d = at[:, None] - at
        return jnp.sum(charge[:, None] * charge * jnp.exp(-jnp.sum(d * d, -1) / 2))

    def loss(at: Any, charge: Any, m: Any = jax) -> Any:
        def step(s: Any, _: Any) -> Any:
            x, v = s
            v = v - 0.01 * m.grad(energy)(x, charge)
            return (x + 0.01 * v, v), None

        return jnp.mean(lax.scan(step, (at, jnp.zeros_like(at)), None, length=50)[0][0] ** 2)

    return loss, (at, charge)


@program
def gravity(a: Arrays) -> Any:
    at, mass = a(64, 3), a.positive(64)

    def loss(at: Any, mass: Any) -> Any:
        def pull(x: Any) -> Any:
            d = x - x[:, None]
            return jnp.einsum("ijk,ij,j->ik", d, (jnp.sum(d * d, -1) + 0.1) ** -1.5, mass)

        def step(s: Any, _: Any) -> Any:
            x, v = s
            v = v + 0.005 * pull(x)
            return (x + 0.005 * v, v), None

        return jnp.mean(lax.scan(step, (at, jnp.zeros_like(at)), None, length=40)[0][0] ** 2)

    return loss, (at, mass)


@program
def cloth(a: Arrays) -> Any:
    """Springs between neighbours in a net, and the wind that brings a corner somewhere."""
    rest = np.stack(np.meshgrid(np.arange(16.0), np.arange(16.0)), -1).reshape(16, 16, 2)
    start = jnp.concatenate([jnp.asarray(rest, a.dtype), jnp.zeros((16, 16, 1), a.dtype)], -1)

    def loss(wind: Any) -> Any:
        def force(x: Any) -> Any:
            f = jnp.zeros_like(x) + wind
            for axis in (0, 1):
                d = jnp.diff(x, axis=axis)
                length = jnp.sqrt(jnp.sum(d * d, -1, keepdims=True) + 1e-6)
                t = 50 * (length - 1) * d / length
                low = [(0, 1) if k == axis else (0, 0) for k in range(3)]
                high = [(1, 0) if k == axis else (0, 0) for k in range(3)]
                f = f + jnp.pad(t, low) - jnp.pad(t, high)
            return f.at[0].set(0.0)

        def step(s: Any, _: Any) -> Any:
            x, v = s
            v = 0.99 * (v + 0.02 * force(x))
            return (x + 0.02 * v, v), None

        x = lax.scan(step, (start, jnp.zeros_like(start)), None, length=60)[0][0]
        return jnp.sum((x[-1, -1] - jnp.asarray([15.0, 15.0, 3.0], x.dtype)) ** 2)

    return loss, (a(3, scale=0.1),)


def rotation(axis: Any, angle: Any) -> Any:
    """Rodrigues' formula."""
    zero = jnp.zeros_like(axis[0])
    k = jnp.stack([zero, -axis[2], axis[1], axis[2], zero, -axis[0], -axis[1], axis[0], zero]).reshape(3, 3)
    return jnp.eye(3, dtype=axis.dtype) + jnp.sin(angle) * k + (1 - jnp.cos(angle)) * (k @ k)


@program
def robot_arm(a: Arrays) -> Any:
    """Forward kinematics of seven joints at many poses."""
    axes = np.eye(3)[[2, 1, 0, 1, 2, 1, 0]]

    def loss(angles: Any, goal: Any) -> Any:
        def hand(q: Any) -> Any:
            turn, at = jnp.eye(3, dtype=q.dtype), jnp.zeros(3, q.dtype)
            for axis, angle in zip(axes, q, strict=True):
                turn = turn @ rotation(jnp.asarray(axis, q.dtype), angle)
                at = at + turn @ jnp.asarray([0.0, 0.0, 0.3], q.dtype)
            return at

        return mse(jax.vmap(hand)(angles), goal)

    return loss, (a(128, 7), a(128, 3))


@program
def pendulum_control(a: Arrays) -> Any:
    """Torques over time that swing a double pendulum up."""

    def loss(torque: Any) -> Any:
        def step(s: Any, u: Any) -> Any:
            q1, q2, w1, w2 = s
            c, d = jnp.cos(q1 - q2), jnp.sin(q1 - q2)
            m = 2 - c * c
            a1 = (-d * (w2 * w2 + c * w1 * w1) - 19.6 * jnp.sin(q1) + 9.8 * c * jnp.sin(q2) + u) / m
            a2 = (d * (2 * w1 * w1 + c * w2 * w2) + 19.6 * (c * jnp.sin(q1) - jnp.sin(q2)) - c * u) / m
            w1, w2 = w1 + 0.02 * a1, w2 + 0.02 * a2
            return (q1 + 0.02 * w1, q2 + 0.02 * w2, w1, w2), u * u

        zero = jnp.zeros((), torque.dtype)
        s, cost = lax.scan(step, (zero, zero, zero, zero), torque)
        return (jnp.cos(s[0]) + 1) ** 2 + (jnp.cos(s[1]) + 1) ** 2 + 1e-3 * jnp.mean(cost)

    return loss, (a(200),)


# -- probability -------------------------------------------------------------------------------------------------------


@program
def kalman_filter(a: Arrays) -> Any:
    f, q, ys = np.eye(4) + 0.05 * np.eye(4, k=1), a.positive(4), a(100, 2).astype(jnp.float32)
    h, f = jnp.eye(2, 4), jnp.asarray(f, jnp.float32)

    def loss(q: Any, ys: Any) -> Any:
        def step(s: Any, y: Any) -> Any:
            m, p, total = s
            m, p = f @ m, f @ p @ f.T + jnp.diag(q.astype(jnp.float32))
            gain_of = h @ p @ h.T + jnp.eye(2)
            r = y - h @ m
            k = jnp.linalg.solve(gain_of, h @ p).T
            total = total + r @ jnp.linalg.solve(gain_of, r) + jnp.linalg.slogdet(gain_of)[1]
            return (m + k @ r, p - k @ h @ p, total), None

        return lax.scan(step, (jnp.zeros(4), jnp.eye(4), 0.0), ys)[0][2]

    return loss, (q, ys)


@program
def particle_filter(a: Arrays) -> Any:
    noise, ys = a(50, 256), a(50)

    def loss(p: Any, noise: Any, ys: Any) -> Any:
        def step(s: Any, given: Any) -> Any:
            x, total = s
            z, y = given
            x = p[0] * x + p[1] * z
            logs = -0.5 * ((y - x) / 0.5) ** 2
            weights = nn.softmax(logs)
            which = jnp.searchsorted(jnp.cumsum(weights), (jnp.arange(256) + 0.5) / 256)
            return (x[jnp.minimum(which, 255)], total + nn.logsumexp(logs)), None

        start = (jnp.zeros(256, noise.dtype), jnp.zeros((), noise.dtype))
        return -lax.scan(step, start, (noise, ys))[0][1] / 50

    return loss, (jnp.asarray([0.9, 0.5], a.dtype), noise, ys)


@program
def markov_model(a: Arrays) -> Any:
    move, emit, seen = a(24, 24), a(24, 12), a.ints(12, 200)

    def loss(move: Any, emit: Any, seen: Any) -> Any:
        move, emit = nn.log_softmax(move), nn.log_softmax(emit)
        step = lambda s, y: (nn.logsumexp(s[:, None] + move, 0) + emit[:, y], None)  # noqa: E731
        return -nn.logsumexp(lax.scan(step, jnp.full(24, -np.log(24), move.dtype), seen)[0]) / 200

    return loss, (move, emit, seen)


@program
def tagger_by_paths(a: Arrays) -> Any:
    """A conditional random field: the score of one path against that of all."""
    w, move, x, tags = a.weight(32, 12), a(12, 12), a(64, 40, 32), a.ints(12, 64, 40)

    def loss(w: Any, move: Any, x: Any, tags: Any) -> Any:
        score = x @ w

        def one(score: Any, tags: Any) -> Any:
            path = jnp.sum(score[jnp.arange(40), tags]) + jnp.sum(move[tags[:-1], tags[1:]])
            step = lambda s, e: (nn.logsumexp(s[:, None] + move, 0) + e, None)  # noqa: E731
            return nn.logsumexp(lax.scan(step, score[0], score[1:])[0]) - path

        return jnp.mean(jax.vmap(one)(score, tags))

    return loss, (w, move, x, tags)


@program
def gaussian_process(a: Arrays) -> Any:
    x, y = a(128, 3).astype(jnp.float32), a(128).astype(jnp.float32)

    def loss(p: Any, x: Any, y: Any) -> Any:
        d = (x[:, None] - x) / jnp.exp(p[:3])
        k = jnp.exp(p[3]) * jnp.exp(-0.5 * jnp.sum(d * d, -1)) + (jnp.exp(p[4]) + 1e-3) * jnp.eye(128)
        root = jnp.linalg.cholesky(k)
        z = jax.scipy.linalg.solve_triangular(root, y, lower=True)
        return 0.5 * z @ z + jnp.sum(jnp.log(jnp.diagonal(root)))

    return loss, (jnp.zeros(5), x, y)


@program
def flow_coupling(a: Arrays) -> Any:
    """A normalising flow of affine couplings."""
    ws = [(a.weight(4, 64), a.weight(64, 8)) for _ in range(4)]

    def loss(ws: Any, x: Any) -> Any:
        total = jnp.zeros(x.shape[0], x.dtype)
        for w1, w2 in ws:
            u, v = jnp.split(x, 2, -1)
            scale, shift = jnp.split(jnp.tanh(u @ w1) @ w2, 2, -1)
            scale = jnp.tanh(scale)
            x = jnp.concatenate([v * jnp.exp(scale) + shift, u], -1)
            total = total + jnp.sum(scale, -1)
        return jnp.mean(0.5 * jnp.sum(x * x, -1) - total)

    return loss, (ws, a(512, 8))


@program
def flow_spline(a: Arrays) -> Any:
    """Piecewise rational maps with learned knots."""
    w, h, d, x = a(8, 16), a(8, 16), a(8, 17), jnp.clip(nn.sigmoid(a(512, 8)), 0.01, 0.99)

    def loss(w: Any, h: Any, d: Any, x: Any) -> Any:
        w, h, d = nn.softmax(w), nn.softmax(h), nn.softplus(d) + 0.1
        at, up = jnp.pad(jnp.cumsum(w, -1), ((0, 0), (1, 0))), jnp.pad(jnp.cumsum(h, -1), ((0, 0), (1, 0)))
        k = jnp.clip(jax.vmap(jnp.searchsorted, (0, 1), 1)(at, x) - 1, 0, 15)
        take = lambda t: jnp.take_along_axis(t[None], k[..., None], 2)[..., 0]  # noqa: E731
        s, t = take(h) / take(w), (x - take(at[:, :-1])) / take(w)
        left, right = take(d[:, :-1]), take(d[:, 1:])
        bottom = s + (left + right - 2 * s) * t * (1 - t)
        y = take(up[:, :-1]) + take(h) * (s * t * t + left * t * (1 - t)) / bottom
        slope = s * s * (right * t * t + 2 * s * t * (1 - t) + left * (1 - t) ** 2) / bottom**2
        return jnp.mean(y**2 - jnp.log(slope))

    return loss, (w, h, d, x)


@program
def variational_autoencoder(a: Arrays) -> Any:
    e1, e2, d1, d2 = a.weight(64, 128), a.weight(128, 16), a.weight(8, 128), a.weight(128, 64)

    def loss(ws: Any, x: Any, noise: Any) -> Any:
        e1, e2, d1, d2 = ws
        mean, log = jnp.split(nn.relu(x @ e1) @ e2, 2, -1)
        y = nn.relu((mean + jnp.exp(log / 2) * noise) @ d1) @ d2
        kl = -0.5 * jnp.mean(jnp.sum(1 + log - mean**2 - jnp.exp(log), -1))
        return jnp.mean(jnp.sum((y - x) ** 2, -1)) + kl

    return loss, ((e1, e2, d1, d2), a(128, 64), a(128, 8))


@program
def diffusion_step(a: Arrays) -> Any:
    w1, w2, w3 = a.weight(65, 128), a.weight(128, 128), a.weight(128, 64)

    def loss(ws: Any, x: Any, noise: Any, t: Any) -> Any:
        mixed = jnp.cos(t) * x + jnp.sin(t) * noise
        h = jnp.concatenate([mixed, t], -1)
        for w in ws[:-1]:
            h = nn.silu(h @ w)
        return mse(h @ ws[-1], noise)

    return loss, ((w1, w2, w3), a(256, 64), a(256, 64), a.positive(256, 1))


@program
def gaussian_mixture(a: Arrays) -> Any:
    def loss(weights: Any, means: Any, logs: Any, x: Any) -> Any:
        d = (x[:, None] - means) * jnp.exp(-logs)
        each = nn.log_softmax(weights) - 0.5 * jnp.sum(d * d, -1) - jnp.sum(logs, -1)
        return -jnp.mean(nn.logsumexp(each, -1))

    return loss, (a(20), a(20, 8), a(20, 8, scale=0.1), a(500, 8))


@program
def bayesian_regression(a: Arrays) -> Any:
    """The log density of a hierarchical model of counts."""
    group, x, y = a.ints(20, 400), a(400, 5), a.ints(8, 400)

    def loss(p: Any, x: Any) -> Any:
        tau = jnp.exp(p["tau"])
        rate = p["mean"] + tau * p["group"][group] + x @ p["slopes"]
        counts = jnp.sum(y * rate - jnp.exp(rate))
        prior = jnp.sum(p["group"] ** 2) + jnp.sum(p["slopes"] ** 2) + p["tau"] ** 2
        return (0.5 * prior - counts) / 400

    p = {"tau": a(), "mean": a(), "group": a(20), "slopes": a(5)}
    return loss, (p, x)


@program
def option_prices(a: Arrays) -> Any:
    """The closed formula for many strikes, and the volatility that explains the prices."""

    def loss(vol: Any, spot: Any, strike: Any) -> Any:
        root = vol * np.sqrt(0.5)
        d = jnp.log(spot / strike) / root + root / 2
        price = spot * jax.scipy.stats.norm.cdf(d) - strike * jax.scipy.stats.norm.cdf(d - root)
        return jnp.mean((price - 0.1) ** 2)

    return loss, (a.positive(4096), a.positive(4096), a.positive(4096))


# -- losses with order, transport, alignment ---------------------------------------------------------------------------


@program
def sorted_loss(a: Arrays) -> Any:
    x, w = a(64, 512), a(512)
    return lambda x, w: jnp.mean(jnp.sort(x) * w), (x, w)


@program
def quantile_loss(a: Arrays) -> Any:
    w, x, y, q = a.weight(16, 9), a(512, 16), a(512, 1), jnp.asarray(np.linspace(0.1, 0.9, 9), a.dtype)

    def loss(w: Any, x: Any, y: Any) -> Any:
        e = y - jnp.sort(x @ w, -1)
        return jnp.mean(jnp.maximum(q * e, (q - 1) * e))

    return loss, (w, x, y)


@program
def ranking_loss(a: Arrays) -> Any:
    """The log likelihood of an order, by the cumulative sums of sorted scores."""
    w, x, order = a.weight(32, 1), a(64, 50, 32), jnp.asarray(a.rng.permuted(np.tile(np.arange(50), (64, 1)), axis=1))

    def loss(w: Any, x: Any) -> Any:
        s = jnp.take_along_axis((x @ w)[..., 0], order, 1)
        return -jnp.mean(s - jnp.log(jnp.cumsum(jnp.exp(s)[:, ::-1], 1)[:, ::-1]))

    return loss, (w, x)


@program
def optimal_transport(a: Arrays) -> Any:
    """Sinkhorn's iteration in logarithms."""
    x, y = a(128, 4), a(128, 4)

    def loss(x: Any, y: Any) -> Any:
        cost = jnp.sum((x[:, None] - y) ** 2, -1)

        def step(_: int, fg: Any) -> Any:
            f, g = fg
            f = -nn.logsumexp(g[None] - cost, 1)
            return f, -nn.logsumexp(f[:, None] - cost, 0)

        f, g = lax.fori_loop(0, 30, step, (jnp.zeros(128, x.dtype), jnp.zeros(128, x.dtype)))
        return jnp.sum(jnp.exp(f[:, None] + g - cost) * cost) / 128

    return loss, (x, y)


@program
def time_warping(a: Arrays) -> Any:
    """The soft distance of two series, by anti-diagonals."""
    x, y = a(64), a(64)

    def loss(x: Any, y: Any) -> Any:
        cost = (x[:, None] - y) ** 2

        def row(above: Any, c: Any) -> Any:
            def cell(left: Any, given: Any) -> Any:
                up, diagonal, c = given
                here = c - nn.logsumexp(-jnp.stack([left, up, diagonal]))
                return here, here

            big = jnp.asarray(1e3, c.dtype)
            now = lax.scan(cell, big, (above[1:], above[:-1], c))[1]
            return jnp.concatenate([big[None], now]), None

        first = jnp.concatenate([jnp.zeros(1, x.dtype), jnp.full(64, 1e3, x.dtype)])
        return lax.scan(row, first, cost)[0][-1]

    return loss, (x, y)


@program
def contrastive_loss(a: Arrays) -> Any:
    w, x, y = a.weight(64, 32), a(128, 64), a(128, 64)

    def loss(w: Any, x: Any, y: Any) -> Any:
        u, v = (z / jnp.linalg.norm(z, axis=-1, keepdims=True) for z in (x @ w, y @ w))
        scores = u @ v.T / 0.1
        return -jnp.mean(jnp.diagonal(nn.log_softmax(scores)) + jnp.diagonal(nn.log_softmax(scores.T)))

    return loss, (w, x, y)


# -- pictures and signals ----------------------------------------------------------------------------------------------


@program
def render_spheres(a: Arrays) -> Any:
    """Rays that meet spheres, the nearest softly, with one light."""
    across = np.linspace(-1, 1, 48)
    rays = np.stack([*np.meshgrid(across, across), np.ones((48, 48))], -1).reshape(-1, 3)
    rays = jnp.asarray(rays / np.linalg.norm(rays, axis=-1, keepdims=True), a.dtype)

    def loss(at: Any, radius: Any, colour: Any) -> Any:
        b = rays @ at.T
        inside = b * b - jnp.sum(at * at, -1) + radius**2
        depth = jnp.where(inside > 0, b - jnp.sqrt(jnp.maximum(inside, 1e-6)), 1e3)
        near = nn.softmax(-4 * depth, -1) * nn.sigmoid(20 * inside)
        hit = rays[:, None] * depth[..., None] - at
        light = nn.relu(hit @ jnp.asarray([0.5, 0.7, -0.5], at.dtype)) / radius
        return jnp.mean(jnp.einsum("rs,rs,sc->rc", near, light, colour) ** 2)

    return loss, (a(12, 3, scale=0.5) + jnp.asarray([0, 0, 4], a.dtype), a.positive(12) * 0.5, a.positive(12, 3))


@program
def radiance_field(a: Arrays) -> Any:
    """Positions in waves, a network, and what is seen along rays."""
    w1, w2, rays = a.weight(36, 64), a.weight(64, 4), a(64, 32, 3)
    waves = jnp.asarray(2.0 ** np.arange(6), a.dtype)

    def loss(w1: Any, w2: Any, rays: Any) -> Any:
        turned = (rays[..., None] * waves).reshape(64, 32, 18)
        out = nn.relu(jnp.concatenate([jnp.sin(turned), jnp.cos(turned)], -1) @ w1) @ w2
        alpha = 1 - jnp.exp(-nn.softplus(out[..., 0]) / 32)
        left = jnp.cumprod(1 - alpha + 1e-6, -1)
        weight = alpha * jnp.concatenate([jnp.ones((64, 1), left.dtype), left[:, :-1]], -1)
        return jnp.mean(jnp.einsum("rs,rsc->rc", weight, nn.sigmoid(out[..., 1:])) ** 2)

    return loss, (w1, w2, rays)


@program
def image_warp(a: Arrays) -> Any:
    """A picture moved by a field, between its pixels."""
    picture, field = a(64, 64), a(2, 64, 64)

    def loss(field: Any, picture: Any) -> Any:
        y, x = jnp.meshgrid(jnp.arange(64.0), jnp.arange(64.0), indexing="ij")
        at = [y.astype(field.dtype) + field[0], x.astype(field.dtype) + field[1]]
        return mse(jax.scipy.ndimage.map_coordinates(picture, at, order=1, mode="nearest"), picture)

    return loss, (field, picture)


@program
def total_variation(a: Arrays) -> Any:
    u, seen = a(128, 128), a(128, 128)

    def loss(u: Any, seen: Any) -> Any:
        dx, dy = jnp.diff(u, axis=0)[:, :-1], jnp.diff(u, axis=1)[:-1]
        return mse(u, seen) + 0.1 * jnp.mean(jnp.sqrt(dx * dx + dy * dy + 1e-4))

    return loss, (u, seen)


@program
def spectrogram_loss(a: Arrays) -> Any:
    wave, goal = a(4, 4096).astype(jnp.float32), a(4, 4096).astype(jnp.float32)
    window = jnp.asarray(np.hanning(256), jnp.float32)
    frames = np.arange(31)[:, None] * 128 + np.arange(256)

    def loss(wave: Any, goal: Any) -> Any:
        spectrum = lambda w: jnp.log(jnp.abs(jnp.fft.rfft(w[:, frames] * window)) + 1e-3)  # noqa: E731
        return mse(spectrum(wave), spectrum(goal))

    return loss, (wave, goal)


# -- derivatives of derivatives, and of each example -------------------------------------------------------------------


def network(ws: Any, x: Any) -> Any:
    for w in ws[:-1]:
        x = jnp.tanh(x @ w)
    return x @ ws[-1]


@program
def meta_gradient(a: Arrays) -> Any:
    """The loss after ten steps of training, by the start."""
    ws, x, y = (a.weight(8, 32), a.weight(32, 1)), a(64, 8), a(64, 1)

    def loss(ws: Any, x: Any, y: Any, m: Any = jax) -> Any:
        miss = lambda ws: mse(network(ws, x), y)  # noqa: E731

        def step(ws: Any, _: Any) -> Any:
            return jax.tree.map(lambda w, g: w - 0.1 * g, ws, m.grad(miss)(ws)), None

        return miss(lax.scan(step, ws, None, length=10)[0])

    return loss, (ws, x, y)


@program
def hessian_vector_product(a: Arrays) -> Any:
    ws, x, y = (a.weight(16, 64), a.weight(64, 64), a.weight(64, 1)), a(128, 16), a(128, 1)
    v = tuple(jnp.ones_like(w) for w in ws)

    def loss(ws: Any, x: Any, y: Any, m: Any = jax) -> Any:
        """Half of the product with v on both sides: its gradient is a third derivative."""
        slope = m.grad(lambda ws: mse(network(ws, x), y))
        product = m.jvp(slope, (ws,), (v,))[1]
        return sum(jnp.vdot(p, d) for p, d in zip(product, v, strict=True)) / 2

    return loss, (ws, x, y)


@program
def gradient_penalty(a: Arrays) -> Any:
    ws, x = (a.weight(16, 64), a.weight(64, 64), a.weight(64, 1)), a(128, 16)

    def loss(ws: Any, x: Any, m: Any = jax) -> Any:
        slopes = jax.vmap(m.grad(lambda x: network(ws, x)[0]))(x)
        return jnp.mean((jnp.sqrt(jnp.sum(slopes**2, -1) + 1e-6) - 1) ** 2)

    return loss, (ws, x)


@program
def clipped_examples(a: Arrays) -> Any:
    """Gradients of each example, made no longer than one, and summed: as private training does."""
    ws, x, y = (a.weight(16, 32), a.weight(32, 1)), a(64, 16), a(64, 1)

    def loss(ws: Any, x: Any, y: Any, m: Any = jax) -> Any:
        one = m.grad(lambda ws, x, y: mse(network(ws, x), y))
        each = jax.vmap(one, (None, 0, 0))(ws, x, y)
        size = jnp.sqrt(sum(jnp.sum(g.reshape(64, -1) ** 2, -1) for g in each) + 1e-6)
        return sum(jnp.sum((g / jnp.maximum(size, 1.0).reshape(-1, *[1] * (g.ndim - 1))) ** 2) for g in each)

    return loss, (ws, x, y)


@program
def natural_gradient(a: Arrays) -> Any:
    """A step along the solution of a linear equation with the Fisher matrix of a small model."""
    w, x, y = a(12).astype(jnp.float32), a(128, 12).astype(jnp.float32), a(128).astype(jnp.float32)

    def loss(w: Any, x: Any, y: Any, m: Any = jax) -> Any:
        miss = lambda w: jnp.mean(nn.softplus(-y * (x @ w)))  # noqa: E731
        fisher = m.hessian(miss)(w) + 0.1 * jnp.eye(12)
        return miss(w - jnp.linalg.solve(fisher, m.grad(miss)(w)))

    return loss, (w, x, y)


# -- linear algebra and tables -----------------------------------------------------------------------------------------


@program
def matrix_exponential(a: Arrays) -> Any:
    m = a(24, 24).astype(jnp.float32) / 5
    return lambda m: jnp.sum(jax.scipy.linalg.expm(m) ** 2), (m,)


@program
def low_rank_factors(a: Arrays) -> Any:
    u, v, seen, mask = a.weight(300, 16), a.weight(16, 200), a(300, 200), a(300, 200) > 1
    return lambda u, v: jnp.sum(jnp.where(mask, u @ v - seen, 0) ** 2) / 5000, (u, v)


@program
def factorisation_machine(a: Arrays) -> Any:
    """Pairs of features of a table, by their embeddings."""
    table, bias, rows = a(2000, 8, scale=0.1), a(2000), a.ints(2000, 512, 10)

    def loss(table: Any, bias: Any) -> Any:
        e = table[rows]
        pairs = 0.5 * jnp.sum(jnp.sum(e, 1) ** 2 - jnp.sum(e**2, 1), -1)
        return jnp.mean(nn.softplus(jnp.sum(bias[rows], 1) + pairs))

    return loss, (table, bias)


@program
def singular_values(a: Arrays) -> Any:
    m = a(32, 16).astype(jnp.float32)
    return lambda m: jnp.sum(jnp.log(1 + jnp.linalg.svd(m, compute_uv=False))), (m,)


@program
def soft_trees(a: Arrays) -> Any:
    """Trees of depth five whose decisions are soft."""
    w, leaves, x = a.weight(16, 31), a(32, 4), a(512, 16)

    def loss(w: Any, leaves: Any, x: Any) -> Any:
        right = nn.sigmoid(x @ w)
        share = jnp.ones((512, 1), x.dtype)
        for depth in range(5):
            here = right[:, 2**depth - 1 : 2 ** (depth + 1) - 1]
            share = jnp.stack([share * (1 - here), share * here], -1).reshape(512, -1)
        return jnp.mean((share @ leaves) ** 2)

    return loss, (w, leaves, x)


# -- measuring ---------------------------------------------------------------------------------------------------------


def gradient(loss: Callable[..., Any], api: Any) -> Callable[..., Any]:
    """By gradir also where the loss has derivatives of its own: those that take the module as `m`."""
    given = inspect.signature(loss).parameters.get("m")
    own = given is not None and given.default is jax
    return api.grad(lambda *args: loss(*args, m=api)) if own else api.grad(loss)


def lowering_time(f: Callable[..., Any], args: Any, repeats: int) -> float:
    best = np.inf
    for _ in range(repeats):
        jax.clear_caches()
        start = time.process_time()
        jax.jit(lambda *a: f(*a)).lower(*args)  # noqa: PLW0108 (jit knows a function when it sees it again)
        best = min(best, time.process_time() - start)
    return best


Rows = dict[str, dict[str, float]]
Run = Callable[[int], dict[str, float]]


def prepare(name: str, dtype: Any, repeats: int) -> tuple[dict[str, float], Run]:
    """What is known of a program before it is timed, and what times it, in so many turns."""
    loss, args = PROGRAMS[name](Arrays(name, dtype))
    exact_loss, exact_args = PROGRAMS[name](Arrays(name, jnp.float32))
    contenders = {"gradir": gradient(loss, gradir.jax), "jax": gradient(loss, jax)}
    found: dict[str, float] = {}
    runs = {}
    for who, f in contenders.items():
        found[f"lower {who}"] = lowering_time(f, args, repeats)
        compiled = jax.jit(f).lower(*args).compile()
        found[f"bytes {who}"] = compiled.memory_analysis().temp_size_in_bytes
        runs[who] = copies(f, args)
    right = flat(gradient(exact_loss, jax)(*exact_args))
    for who in contenders:
        found[f"error {who}"] = float(np.linalg.norm(flat(runs[who][0](*args)) - right) / np.linalg.norm(right))

    def run(turns: int) -> dict[str, float]:
        best = measure({who: (lambda turn, who=who: call_time(runs[who], args, turn)) for who in runs}, turns)
        return {f"time {who}": seconds for who, seconds in best.items()}

    return found, run


def measure_each(names: list[str], dtype: Any, *, quick: bool) -> Rows:
    rows = {}
    for name in names:
        try:
            found, run = prepare(name, dtype, 2 if quick else 3)
            rows[name] = found | run(6 if quick else 20)
        except Exception as error:
            print(f"{name:28}{type(error).__name__}: {str(error).splitlines()[0][:90]}", flush=True)
            continue
        show(name, rows[name])
    return rows


def measure_in_turn(names: list[str], dtype: Any, lock: Path, *, quick: bool) -> Rows:
    """Compile all, and time them when no other process compiles or times."""
    prepared, rows = {}, {}
    with lock.open() as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        for name in names:
            try:
                prepared[name] = prepare(name, dtype, 2 if quick else 3)
            except Exception as error:
                print(f"{name:28}{type(error).__name__}: {str(error).splitlines()[0][:90]}", flush=True)
        fcntl.flock(held, fcntl.LOCK_UN)
        fcntl.flock(held, fcntl.LOCK_EX)
        for name, (found, run) in prepared.items():
            rows[name] = found | run(6 if quick else 20)
            show(name, rows[name])
    return rows


def measure_by(processes: int, names: list[str], arguments: argparse.Namespace) -> Rows:
    """Several processes compile at the same time, each its share; they time one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        lock = Path(folder) / "lock"
        lock.touch()
        command = [sys.executable, __file__, "--dtype", arguments.dtype, "--lock", str(lock)]
        command += ["--quick"] if arguments.quick else []
        started = [
            subprocess.Popen([*command, "--only", ",".join(names[k::processes]), "--json", f"{folder}/{k}.json"])
            for k in range(min(processes, len(names)))
        ]
        for process in started:
            process.wait()
        made = [Path(folder) / f"{k}.json" for k in range(len(started))]
        rows = {name: row for path in made if path.exists() for name, row in json.loads(path.read_text()).items()}
    return {name: rows[name] for name in names if name in rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="fewer turns")
    parser.add_argument("--only", default="", help="programs whose names begin so (comma-separated)")
    parser.add_argument("--dtype", choices=["f32", "bf16"], default="f32")
    parser.add_argument("--json", help="where to write the rows")
    parser.add_argument("--processes", type=int, default=1, help="how many compile at a time; they time in turn")
    parser.add_argument("--lock", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    chosen = [n for n in PROGRAMS if n.startswith(tuple(arguments.only.split(",")))]
    dtype = {"f32": jnp.float32, "bf16": jnp.bfloat16}[arguments.dtype]
    if arguments.lock:
        rows = measure_in_turn(chosen, dtype, arguments.lock, quick=arguments.quick)
    else:
        if arguments.processes > 1:
            os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # else the first takes most of a GPU's memory
        print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}, {arguments.dtype}: JAX's over gradir's")
        print(f"{'':28}{'gradir us':>12}{'time':>8}{'memory':>8}{'lowering':>10}{'error':>10}{'JAX error':>10}")
        sys.stdout.flush()
        if arguments.processes > 1:
            rows = measure_by(arguments.processes, chosen, arguments)
        else:
            rows = measure_each(chosen, dtype, quick=arguments.quick)
        if rows:
            summary(list(rows.values()))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(rows, indent=1))


def show(name: str, r: dict[str, float]) -> None:
    print(f"{name:28}{1e6 * r['time gradir']:12.1f}{ratio(r, 'time'):8.2f}{memory(r):8.2f}"
          f"{ratio(r, 'lower'):10.2f}{r['error gradir']:10.0e}{r['error jax']:10.0e}", flush=True)  # fmt: skip


def ratio(r: dict[str, float], what: str) -> float:
    return r[f"{what} jax"] / r[f"{what} gradir"]


def memory(r: dict[str, float]) -> float:
    """Of temporary memory; a program that takes none takes a page."""
    return max(r["bytes jax"], 4096) / max(r["bytes gradir"], 4096)


def summary(rows: list[dict[str, float]]) -> None:
    mean = lambda xs: float(np.exp(np.mean(np.log(xs))))  # noqa: E731
    times = [ratio(r, "time") for r in rows]
    behind = sum(t < 0.97 for t in times)
    print(f"time: geometric mean {mean(times):.2f}, least {min(times):.2f}, under 0.97: {behind} of {len(rows)}")
    print(f"memory: geometric mean {mean([memory(r) for r in rows]):.2f}")
    print(f"lowering: geometric mean {mean([ratio(r, 'lower') for r in rows]):.2f}")


if __name__ == "__main__":
    main()
