"""Random JAX programs, as text: what stands in a step is what one would write, so a finding is a program to read.

A program has a narrow type `F`, another one `G`, and steps that each make a value of earlier ones. Of each value the
shape, the type and about how large it is are known, so that programs stay within their type while their inputs come
from the ends of its range: there what a rewrite does to an intermediate result shows.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

Array = Any
Shape = tuple[int, ...]

DTYPES: dict[str, Any] = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64}
RANGE = {"f16": (-14, 15), "bf16": (-126, 127), "f32": (-126, 127), "f64": (-126, 127)}
"""The exponents of the smallest normal number and of the largest. (The ends of f64 have no wider type to be measured
by: its programs are those of f32.)"""
BELOW = {"f16": 10, "bf16": 7, "f32": 23, "f64": 23}
"""How many further powers of two are subnormal."""

PRELUDE = """\
import jax, jax.numpy as jnp, numpy as np
from jax import lax

@jax.custom_jvp
def cj(x):
    return jnp.sin(x) * 2
@cj.defjvp
def _(primals, tangents):
    (x,), (t,) = primals, tangents
    return cj(x), 2 * jnp.cos(x) * t

@jax.custom_jvp
def cj2(x, y):
    return x * y
@cj2.defjvp
def _(primals, tangents):
    (x, y), (t, s) = primals, tangents
    return x * y, t * y + x * s

@jax.custom_vjp
def cv(x):
    return jnp.tanh(x)
def _fwd(x):
    y = jnp.tanh(x)
    return y, y
cv.defvjp(_fwd, lambda y, ct: (ct * (1 - y * y),))

@jax.custom_vjp
def clip_gradient(x):
    return x
clip_gradient.defvjp(lambda x: (x, None), lambda _, ct: (jnp.clip(ct, -2, 2),))
"""


class Retry(Exception):
    """This draw leads nowhere."""


@dataclass(frozen=True)
class Known:
    """What is known of a value: its shape, its type (`F`, `G`, `I`, `B`), and the exponent of its largest element."""

    shape: Shape
    type: str
    size: float = 0.0

    @property
    def count(self) -> int:
        return math.prod(self.shape)


@dataclass(frozen=True)
class Step:
    """A value, made of earlier ones: `{0}` stands for the first of `args`."""

    text: str
    args: tuple[int, ...]


@dataclass(frozen=True)
class Program:
    """Inputs, steps, and which values are the results."""

    main: str
    other: str
    inputs: tuple[Known, ...]
    steps: tuple[Step, ...]
    results: tuple[int, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        """A loop of unknown length has forward mode only, and a rule for reverse mode has that only."""
        text = " ".join(s.text for s in self.steps)
        forward = not any(f"{name}(" in text for name in ("cv", "clip_gradient"))
        reverse = not any(step.text in WHILE for step in self.steps)
        return ("jvp",) * forward + ("vjp",) * reverse

    def source(self) -> str:
        names = [f"x{k}" for k in range(len(self.inputs))]
        lines = [f"def f({', '.join(names)}):"]
        for step in self.steps:
            name = f"v{len(names)}"
            lines.append(f"    {name} = {step.text.format(*(names[a] for a in step.args))}")
            names.append(name)
        lines.append(f"    return {', '.join(names[r] for r in self.results)},")
        return "\n".join(lines) + "\n"

    def whole_source(self) -> str:
        """With all that it needs to run."""
        types = {"f16": "jnp.float16", "bf16": "jnp.bfloat16", "f32": "jnp.float32", "f64": "jnp.float64"}
        return f"{PRELUDE}\nF, G = {types[self.main]}, {types[self.other]}\n{self.source()}"

    @functools.cached_property
    def function(self) -> Callable[..., tuple[Array, ...]]:
        """`f`, which JAX traces once, whoever asks."""
        scope = dict(_prelude())
        scope |= {"F": jnp.dtype(DTYPES[self.main]), "G": jnp.dtype(DTYPES[self.other])}
        exec(self.source(), scope)
        return jax.jit(scope["f"], inline=True)

    def dtype(self, type: str) -> Any:
        return np.dtype({"F": DTYPES[self.main], "G": DTYPES[self.other], "I": np.int32, "B": np.bool_}[type])


@functools.cache
def _prelude() -> dict[str, Any]:
    scope: dict[str, Any] = {}
    exec(PRELUDE, scope)
    return scope


# -- drawing -----------------------------------------------------------------------------------------------------------


@dataclass
class Draw:
    """A program that is being drawn."""

    rng: np.random.Generator
    main: str
    other: str
    values: list[Known] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)

    def chance(self, p: float) -> bool:
        return bool(self.rng.random() < p)

    def integer(self, low: int, high: int) -> int:
        """From `low` to `high`, both included."""
        return int(self.rng.integers(low, high + 1))

    def pick(self, options: Sequence[Any]) -> Any:
        if not options:
            raise Retry
        return options[self.integer(0, len(options) - 1)]

    def number(self) -> float:
        """A constant that one might write."""
        return self.pick([0.5, 2.0, 3.0, 0.1, 1.5, -1.0, 0.25, 10.0, 0.7, -0.3])

    def ends(self, type: str) -> tuple[int, int]:
        return RANGE[self.main if type == "F" else self.other]

    def power(self, at: float, type: str) -> str:
        """A power of two near `2**at` that the type holds."""
        low, high = self.ends(type)
        return repr(2.0 ** min(max(round(at), low + 1), high - 1))

    def value(self, test: Callable[[Known], bool] = lambda v: True, types: str = "FG") -> int:
        """A value of these types: one of the last, more often than not."""
        fit = [k for k, v in enumerate(self.values) if v.type in types and test(v)]
        if fit and self.chance(0.6):
            fit = fit[-3:]
        return self.pick(fit)

    def array(self, low: int = 1, test: Callable[[Known], bool] = lambda v: True) -> int:
        """A float array with at least `low` dimensions and an element."""
        return self.value(lambda v: len(v.shape) >= low and v.count > 0 and test(v))

    def like(self, k: int) -> int:
        v = self.values[k]
        return self.value(lambda w: w.shape == v.shape and w.type == v.type)

    def emit(self, text: str, args: Sequence[int], size: float = 0.0) -> int:
        """A step, if it works out and its value stays within its type."""
        step = Step(text, tuple(args))
        made = self.shape_of(step)
        dtype = np.dtype(made.dtype)
        floats = {DTYPES[self.other]: "G", DTYPES[self.main]: "F"}
        kind = floats.get(dtype.type) or {"b": "B", "i": "I", "u": "I"}.get(dtype.kind)
        if kind is None or math.prod(made.shape) > 64:
            raise Retry
        if kind in "FG":
            low, high = self.ends(kind)
            if not low + 1 <= size <= high - 0.5:
                raise Retry
        self.values.append(Known(tuple(made.shape), kind, size))
        self.steps.append(step)
        return len(self.values) - 1

    def shape_of(self, step: Step) -> Any:
        known = tuple(self.values[a] for a in step.args)
        n = len(known)
        program = Program(self.main, self.other, known, (Step(step.text, tuple(range(n))),), (n,))
        given = [jax.ShapeDtypeStruct(v.shape, program.dtype(v.type)) for v in known]
        try:
            (made,) = jax.eval_shape(program.function, *given)
        except (TypeError, ValueError, IndexError, NotImplementedError, ZeroDivisionError) as error:
            raise Retry(step.text) from error
        return made


Row = Callable[[Draw], object]


def _axis(d: Draw, v: Known) -> int:
    return d.integer(0, len(v.shape) - 1)


# Elementwise: the text, how large its argument may be, and how large its value is.
UNARY: list[tuple[str, float, Callable[[float], float]]] = [
    ("-{0}", 999, lambda m: m),
    ("jnp.abs({0})", 999, lambda m: m),
    ("jnp.sin({0})", 4, lambda m: min(m, 0)),
    ("jnp.cos({0})", 4, lambda m: 0),
    ("jnp.tanh({0})", 999, lambda m: min(m, 0)),
    ("jax.nn.sigmoid({0})", 4, lambda m: -1),
    ("jax.nn.relu({0})", 999, lambda m: m),
    ("jax.nn.softplus({0})", 12, lambda m: max(m, 0)),
    ("jax.nn.silu({0})", 12, lambda m: m),
    ("jax.nn.gelu({0})", 4, lambda m: m),
    ("jax.nn.elu({0})", 12, lambda m: max(m, 0)),
    ("jnp.exp({0})", 3, lambda m: 1.45 * 2**m if m > 0 else 0.5),
    ("jnp.exp(-jnp.abs({0}))", 3, lambda m: 0),
    ("jnp.expm1({0})", 3, lambda m: 1.45 * 2**m if m > 0 else m),
    ("jnp.exp2({0})", 3, lambda m: 2**m),
    ("jnp.log(jnp.abs({0}))", 999, lambda m: 6),
    ("jnp.log1p(jnp.abs({0}))", 999, lambda m: math.log2(max(m, 1)) if m > 0 else m),
    ("jnp.sqrt(jnp.abs({0}))", 999, lambda m: m / 2),
    ("lax.rsqrt(jnp.abs({0}))", 999, lambda m: -m / 2),
    ("jnp.cbrt({0})", 999, lambda m: m / 3),
    ("jnp.square({0})", 999, lambda m: 2 * m),
    ("{0} * {0}", 999, lambda m: 2 * m),
    ("{0} ** 3", 999, lambda m: 3 * m),
    ("{0} ** -2", 999, lambda m: -2 * m),
    ("jnp.abs({0}) ** 0.5", 999, lambda m: m / 2),
    ("jnp.abs({0}) ** 1.5", 999, lambda m: 1.5 * m),
    ("1 / {0}", 999, lambda m: -m),
    ("jnp.reciprocal({0})", 999, lambda m: -m),
    ("jnp.arctan({0})", 999, lambda m: min(m, 0.6)),
    ("jnp.arcsinh({0})", 999, lambda m: min(m, 6)),
    ("jnp.sinh({0})", 2, lambda m: max(m, 1.4 * 2**m)),
    ("jax.lax.erf({0})", 4, lambda m: min(m, 0)),
    ("lax.erf_inv(jnp.tanh({0}) * 0.9)", 4, lambda m: min(m, 0)),
    ("lax.lgamma(jnp.abs({0}) + 1)", 3, lambda m: 4),
    ("lax.digamma(jnp.abs({0}) + 1)", 3, lambda m: 2),
    ("jnp.floor({0})", 999, lambda m: max(m, 0)),
    ("jnp.sign({0}) * {0}", 999, lambda m: m),
    ("jnp.where({0} > 0, {0}, jnp.zeros_like({0}))", 999, lambda m: m),
    ("lax.stop_gradient({0}) * {0}", 999, lambda m: 2 * m),
    ("lax.stop_gradient({0})", 999, lambda m: m),
    ("jax.jit(lambda u: jnp.cos(u) * u)({0})", 4, lambda m: m),
    ("jax.checkpoint(lambda u: jnp.sin(u) * u)({0})", 4, lambda m: m),
    ("cj({0})", 4, lambda m: min(m, 1)),
    ("cv({0})", 999, lambda m: min(m, 0)),
    ("clip_gradient({0})", 999, lambda m: m),
    ("{0} + 0.0", 999, lambda m: m),
    ("0.0 - {0}", 999, lambda m: m),
    ("jnp.sqrt({0} * {0} + 1)", 999, lambda m: max(2 * m, 0) / 2),
    ("jnp.nan_to_num({0})", 999, lambda m: m),
    ("jnp.tan({0} * 0.3)", 1, lambda m: m),
    ("jnp.sqrt(jnp.maximum({0}, 0))", 999, lambda m: m / 2),
    ("lax.reduce_precision({0}, 5, 10)", 14, lambda m: m),
]

BINARY: list[tuple[str, float, Callable[[float, float], float]]] = [
    ("{0} + {1}", 999, lambda a, b: max(a, b) + 0.5),
    ("{0} - {1}", 999, lambda a, b: max(a, b) + 0.5),
    ("{0} * {1}", 999, lambda a, b: a + b),
    ("{0} / {1}", 999, lambda a, b: a - b),
    ("{0} / jnp.abs({1})", 999, lambda a, b: a - b),
    ("{0} / ({1} + 1)", 999, lambda a, b: a - max(b, 0)),
    ("jnp.maximum({0}, {1})", 999, max),
    ("jnp.minimum({0}, {1})", 999, max),
    ("jnp.hypot({0}, {1})", 999, lambda a, b: max(a, b) + 0.5),
    ("jnp.arctan2({0}, {1})", 999, lambda a, b: 1.5),
    ("jnp.where({0} > {1}, {0}, {1} * 2)", 999, lambda a, b: max(a, b) + 1),
    ("jnp.where({0} < {1}, {0} * {1}, {1})", 999, lambda a, b: max(a + b, b)),
    ("jnp.abs({0}) ** jnp.tanh({1})", 999, lambda a, b: abs(a)),
    ("jnp.logaddexp({0}, {1})", 12, lambda a, b: max(a, b, 0)),
    ("jnp.sqrt({0} * {0} + {1} * {1})", 999, lambda a, b: max(a, b) + 0.5 if 2 * max(a, b) < 126 else 999),
    ("cj2({0}, {1})", 999, lambda a, b: a + b),
    ("{0} * {1} / {0}", 999, lambda a, b: b),
    ("{0} / ({0} + jnp.abs({1}))", 999, lambda a, b: a - max(a, b)),
    ("jnp.fmod({0}, jnp.abs({1}) + 0.5)", 6, lambda a, b: a),
    ("jnp.select([{0} > 0, {1} > 0], [{0}, {1}], 0.5)", 999, lambda a, b: max(a, b, -1)),
    ("lax.select({0} == {0}, {0}, {1})", 999, max),
]


def unary(d: Draw) -> None:
    text, most, size = d.pick(UNARY)
    k = d.value(lambda v: v.size <= most)
    d.emit(text, [k], size(d.values[k].size))


def binary(d: Draw) -> None:
    text, most, size = d.pick(BINARY)
    k = d.value(lambda v: v.size <= most)
    other = d.like(k) if d.chance(0.7) else d.value(lambda w: w.type == d.values[k].type)
    a, b = (k, other) if d.chance(0.5) else (other, k)
    if max(d.values[a].size, d.values[b].size) > most:
        raise Retry
    d.emit(text, [a, b], size(d.values[a].size, d.values[b].size))


def scale(d: Draw) -> None:
    """By a power of two or any number; to a size that the rest may like, or a little."""
    k = d.value()
    v = d.values[k]
    low, high = d.ends(v.type)
    target = d.pick([0, 0, 2, v.size + 4, v.size - 4, high / 2 - 1, low / 2 + 1, high - 2, low + 3])
    by = target - v.size
    way = d.pick(["{0} * $C", "$C * {0}", "{0} / $C", "{0} * $C * $C", "{0} / $C / $C"])
    twice = 2 if way.count("$C") == 2 else 1
    exponent = round(by / twice) * (-1 if "/" in way else 1)
    c = d.power(exponent, v.type)
    if d.chance(0.3):
        c = repr(float(c) * d.pick([1.5, 1.25]))
    moved = math.log2(float(c)) * twice * (-1 if "/" in way else 1)
    d.emit(way.replace("$C", c), [k], v.size + moved)


def shift(d: Draw) -> None:
    k = d.value(lambda v: v.size <= 10)
    c = d.number()
    d.emit(d.pick(["{0} + $C", "{0} - $C", "$C - {0}"]).replace("$C", repr(c)), [k], max(d.values[k].size, 3) + 0.5)


GUARDED = [
    "{0} / jnp.max({0})",
    "{0} / jnp.max(jnp.abs({0}))",
    "{0} / jnp.sum(jnp.abs({0}))",
    "{0} / lax.stop_gradient(jnp.max(jnp.abs({0})))",
    "({0} - jnp.max({0})) / jnp.max(jnp.abs({0}))",
    "{0} / jnp.linalg.norm({0})",
    "{0} / ($C * jnp.sqrt(jnp.sum(jnp.square({0} / $C))))",
    "({0} / $C) * lax.rsqrt(jnp.mean(jnp.square({0} / $C)))",
    "{0} / jnp.max(jnp.abs({0})) * lax.rsqrt(jnp.mean(jnp.square({0} / jnp.max(jnp.abs({0})))) + 1e-3)",
    "jax.nn.softmax({0} / $C)",
    "jax.nn.log_softmax({0} / $C)",
    "({0} / $C) @ ({0} / $C).T",
    "(({0} / $C - jnp.mean({0} / $C)) / jnp.std({0} / $C))",
    "jax.nn.standardize({0} / $C)",
    "{0} / ({0} / jnp.max(jnp.abs({0})) + 2)/ $C",
    "jnp.sum(({0} / $C) * ({0} / $C)) * jnp.ones(3, {0}.dtype)",
    "jnp.tanh({0} / $C)",
    "({0} / jnp.max(jnp.abs({0}))) / (jnp.flip({0}) / jnp.max(jnp.abs({0})))",
]
"""What brings a value of any size to about 1; `$C` is about as large as the value."""

REDUCE: list[tuple[str, Callable[[float, int], float]]] = [
    ("jnp.sum({0}$A)", lambda m, n: m + math.log2(n)),
    ("jnp.mean({0}$A)", lambda m, n: m),
    ("jnp.mean({0} / 16$A)", lambda m, n: m),
    ("jnp.max({0}$A)", lambda m, n: m),
    ("jnp.min({0}$A)", lambda m, n: m),
    ("jnp.prod({0}$A)", lambda m, n: m * n),
    ("jnp.var({0}$A)", lambda m, n: 2 * m),
    ("jnp.std({0}$A)", lambda m, n: m if 2 * m < 126 else 999),
    ("jnp.sqrt(jnp.sum(jnp.square({0})$A))", lambda m, n: m + math.log2(n) / 2),
    ("$C * jnp.sqrt(jnp.sum(jnp.square({0} / $C)$A))", lambda m, n: m + math.log2(n) / 2),
    ("$C * jnp.sqrt(jnp.mean(jnp.square(({0} - jnp.mean({0}$A, keepdims=True)) / $C)$A))", lambda m, n: m + 1),
    ("jnp.linalg.norm({0})", lambda m, n: m + math.log2(n) / 2),
    ("jnp.max(jnp.abs({0})$A)", lambda m, n: m),
    ("jax.nn.logsumexp({0}$A)", lambda m, n: max(m, math.log2(n)) if m < 12 else 999),
    ("jnp.ptp({0}$A)", lambda m, n: m + 1),
    ("jnp.median({0}$A)", lambda m, n: m),
    ("jnp.trace({0})", lambda m, n: m + 2),
    ("jnp.sum({0}$A, initial=0.5)", lambda m, n: max(m + math.log2(n), 0)),
    ("jnp.max({0}$A, initial=-0.5)", lambda m, n: max(m, -1)),
    ("jnp.sum({0}, where={0} > 0$A)", lambda m, n: m + math.log2(n)),
    ("jnp.max(jnp.cumsum({0} / 16$A)$A)", lambda m, n: m),
]

MOVES = [
    "{0}.T", "jnp.ravel({0})", "jnp.stack([{0}, {0} * 0.5])", "{0}[None]", "jnp.flip({0}, 0)", "jnp.roll({0}, 1)",
    "{0}[1:]", "{0}[:2]", "{0}[..., ::2]", "{0}[::-1]", "{0}[0]", "{0}[-1]", "{0}[..., 0]",
    "{0}[jnp.array([0, -1, 0])]", "{0}[..., jnp.array([0, 0])]", "jnp.pad({0}, 1)", "jnp.pad({0}, 1, mode='edge')",
    "jnp.pad({0}, [(1, 0)] + [(0, 0)] * ({0}.ndim - 1), mode='edge')", "jnp.pad({0}, 1, mode='reflect')",
    "jnp.pad({0}, [(0, 1)] * {0}.ndim, mode='wrap')", "jnp.concatenate([{0}, {0}[::-1]])", "jnp.tile({0}, 2)",
    "jnp.repeat({0}, 2, 0)", "jnp.broadcast_to({0}, (2, *{0}.shape))", "jnp.sort({0}, -1)", "jnp.sort({0}, 0)",
    "-jnp.sort(-{0}, -1)", "lax.top_k({0}, 2)[0]", "{0}[jnp.argsort({0}, 0)[0]]", "lax.cummax({0}, 0)",
    "jnp.triu({0})", "jnp.diag({0})", "jnp.expand_dims({0}, -1)", "jnp.moveaxis({0}, 0, -1)",
    "lax.dynamic_slice_in_dim({0}, 1, 1)", "{0}.at[0].set(0.5)", "{0}.at[0].set({0}[-1])", "{0}.at[0].add({0}[-1])",
    "{0}.at[jnp.array([0, -1])].add({0}[:2])", "{0}.at[jnp.array([0, 0])].max({0}[:2])", "{0}.at[0].mul(0.5)",
    "{0}.at[1:].set({0}[:-1])", "lax.dynamic_update_slice_in_dim({0}, {0}[:1] * 0.5, 1, 0)",
    "jnp.concatenate([{0}[:0], {0}])", "jnp.concatenate([{0}, jnp.zeros((0, *{0}.shape[1:]), {0}.dtype)])",
    "jnp.split({0}, 2)[0]", "jnp.where(jnp.arange({0}.shape[0]) == 0, {0}.T, 0).T",
    "jnp.take({0}, jnp.array([1, 9]), mode='clip')",
    "jnp.take({0}, jnp.array([1, 0]), axis=0)", "jnp.squeeze({0}[:1], 0)",
    "jnp.stack([{0}[i] for i in range({0}.shape[0])])",
    "jnp.stack([{0}[-1] * {0}[i] / jnp.max(jnp.abs({0})) for i in range({0}.shape[0])])",
    "jnp.vstack([{0}, {0}])", "jnp.rot90({0})", "jnp.swapaxes({0}, 0, -1)",
    "{0}.astype(G)", "{0}.astype(F)", "{0}.astype(jnp.float32).astype(F)", "{0}.astype(G).astype(F)",
]  # fmt: skip
"""Texts whose values are about as large as their argument."""

EMPTY = [
    "{0}[:0]", "jnp.sum({0}[:0]) + 0.5", "jnp.sum({0}[:0], 0)", "jnp.max({0}[:0], initial=-0.5)",
    "jnp.prod({0}[:0])", "jnp.zeros((0, 2), F) @ jnp.ones((2, 3), F)", "jnp.sum(jnp.zeros((3, 0), F), 1)",
    "jnp.ones((2, 0), F) @ jnp.ones((0, 3), F)", "jnp.concatenate([jnp.sin({0}[:0]), {0}])",
    "jnp.max(jnp.exp(jnp.ravel({0})[:0]), initial=-0.5)", "jnp.cumsum({0}[:0])", "jnp.sort({0}[:0])",
    "lax.scan(lambda c, u: (c + u, c), 0.5 * {0}[0], {0}[:0])[0]", "jnp.stack([{0}[:0], {0}[:0]])",
    "lax.reduce(jnp.broadcast_to({0}, (0, *{0}.shape)), -jnp.asarray(0.5, {0}.dtype), lax.max, (0,))",
    "jnp.where({0}[:0] > 0, {0}[:0], 1)", "jnp.pad({0}[:0], [(1, 1)] + [(0, 0)] * ({0}.ndim - 1))",
]  # fmt: skip

SOFT = [
    "jax.nn.softmax({0}, -1)", "jax.nn.softmax({0}, 0)", "jax.nn.log_softmax({0}, -1)", "jax.nn.standardize({0}, -1)",
    "{0} * lax.rsqrt(jnp.mean(jnp.square({0}), -1, keepdims=True) + 1e-5)",
    "({0} - jnp.mean({0}, -1, keepdims=True)) / jnp.sqrt(jnp.var({0}, -1, keepdims=True) + 1e-5)",
    "jnp.cumsum({0}, 0)", "jnp.cumsum({0}, -1)", "jnp.cumprod({0}, -1)", "lax.cumlogsumexp({0})", "lax.cummax({0}, 0)",
    "jnp.diff({0}, axis=0)",
    "jnp.interp(0.5, jnp.arange({0}.shape[0]) * 1.0, jnp.ravel({0})[:{0}.shape[0]]).astype({0}.dtype)",
    "lax.associative_scan(jnp.add, {0})", "lax.associative_scan(jnp.multiply, {0})",
    "jnp.convolve(jnp.ravel({0}), jnp.ravel({0})[:2], mode='same')",
    "lax.reduce_window({0}, -jnp.inf, lax.max, (2,) * {0}.ndim, (1,) * {0}.ndim, 'VALID')",
    "lax.reduce_window({0}, 0., lax.add, (2,) * {0}.ndim, (1,) * {0}.ndim, 'SAME')",
    "jax.nn.softmax(jnp.where(jnp.tril(jnp.ones({0}.shape[-2:], bool)), {0}, -jnp.inf), -1)",
    "jnp.outer({0}, {0})", "jax.vmap(lambda r: r / (1 + jnp.sum(r ** 2)))({0})",
    "jax.nn.one_hot(jnp.argmax({0}, -1), 3, dtype=F)",
    "jnp.einsum('i...,i...->...', {0}, {0})", "jnp.mean(jnp.abs({0} - jnp.median({0})))",
]  # fmt: skip
"""Texts for values of ordinary size."""

PRODUCTS = [
    "{0} @ {1}", "{0} @ {1}.T", "{0}.T @ {1}", "jnp.dot({0}, {1})", "jnp.vdot({0}, {1})", "jnp.outer({0}, {1})",
    "jnp.einsum('i...,i...->...', {0}, {1})", "jnp.einsum('...i,...i->...', {0}, {1})", "jnp.tensordot({0}, {1}, 1)",
    "jnp.einsum('ij,jk->ki', {0}, {1})", "jnp.einsum('ij,ik->jk', {0}, {1})", "jnp.einsum('bij,bjk->bik', {0}, {1})",
    "jnp.convolve({0}, {1})", "jnp.convolve({0}, {1}, mode='same')", "jnp.correlate({0}, {1})",
    "lax.conv_general_dilated({0}[None, None], {1}[None, None], (1,) * {0}.ndim, 'SAME')[0, 0]",
    "lax.conv_general_dilated({0}[:, None], {1}[:, None], (1,) * ({0}.ndim - 1), 'SAME')[:, 0]",
    "jax.nn.softmax({0} @ {1}.T, -1) @ {1}", "jax.nn.softmax(({0} * 0.125) @ {1}.T, -1) @ {1}",
    "jnp.sum({0} * {1}) / (jnp.linalg.norm({0}) * jnp.linalg.norm({1}))", "jnp.sum({0} / jnp.linalg.norm({0}) * {1})",
    "lax.dot_general({0}, {1}, (((0,), (0,)), ((), ())))", "jnp.kron({0}, {1})",
    "jnp.einsum('ij,ij->i', {0}, {1})", "jnp.matmul({0}, {1}[..., None])[..., 0]",
]  # fmt: skip

LOOPS = [
    "lax.scan(lambda c, u: (jnp.tanh(c + u), c * u), 0.3 * {0}[0], {0})[1]",
    "lax.scan(lambda c, u: (c * 0.5 + u, c), jnp.zeros_like({0}[0]), {0})[0]",
    "lax.scan(lambda c, u: (jnp.maximum(c, u), c - u), {0}[0], {0}, reverse=True)[1]",
    "lax.scan(lambda c, u: (c * 0.5, c[0] + jnp.sum(u)), {0}, {0})[1]",
    "lax.scan(lambda c, i: (c.at[i].mul(0.5), c[i]), {0}, jnp.arange({0}.shape[0]))[1]",
    "lax.scan(lambda c, u: (lax.cond(jnp.sum(u) > 0, lambda: c + u, lambda: c * 0.5), u), {0}[0], {0})[0]",
    "lax.fori_loop(0, 3, lambda i, y: jnp.sin(y) + 0.1 * i.astype(y.dtype) * {0}, {0})",
    "lax.fori_loop(0, 4, lambda i, y: y * 0.5 + {0}, {0})",
    "lax.fori_loop(0, {0}.shape[0], lambda i, y: y.at[i].set(y[i - 1] * 0.5), {0})",
    "lax.fori_loop(1, {0}.shape[0], lambda i, s: s + {0}[i] * {0}[i - 1], jnp.zeros_like({0}[0]))",
    "lax.map(lambda u: jnp.tanh({0}[0]) * u, {0})",
    "lax.map(lambda u: u / (1 + jnp.sum(u * u)), {0})",
    "lax.cond(jnp.sum({0}) > 0.2, lambda u: jnp.sin(u) * 2, lambda u: u / (1 + u * u), {0})",
    "lax.cond({0}.ravel()[0] > {0}.ravel()[-1], lambda: {0} * 2, lambda: {0} - 1)",
    "lax.switch(jnp.argmax({0}.ravel()) % 3, [jnp.sin, jnp.tanh, lambda u: u * u], {0})",
    "jax.checkpoint(lambda u: lax.scan(lambda c, a: (c + jnp.sin(a), c), u[0], u)[1])({0})",
    "lax.scan(lambda c, u: (cj(c) + u, cv(c)), {0}[0], {0})[1]",
    "lax.scan(lambda c, u: (c, jax.nn.softmax(c * u)), {0}, {0})[1]",
    "jax.vmap(lambda u: lax.fori_loop(0, 2, lambda i, y: y * u + 0.1, u))({0})",
]  # fmt: skip
WHILE = [
    "lax.while_loop(lambda s: s[0] < 3, lambda s: (s[0] + 1, s[1] * 0.5 + jnp.sin(s[1])), (0, {0}))[1]",
    "lax.while_loop(lambda s: jnp.sum(jnp.abs(s)) > 1, lambda s: s * 0.5, {0})",
    "lax.fori_loop(0, jnp.argmax({0}.ravel()), lambda i, y: y * 0.5 + 0.1, {0})",
]

INTEGERS = [
    "jnp.argmax({0}, 0)", "jnp.argsort({0}, -1)", "({0} > 0.5)", "jnp.sum({0} > 0)", "jnp.arange(3)",
    "jnp.searchsorted(jnp.sort({0}.ravel()), {0}.ravel())", "jnp.isfinite({0})",
    "jnp.floor(jnp.clip({0}, -4, 4)).astype(int)",
]  # fmt: skip
USES = [
    "jnp.take({0}, {1} % 2, axis=0)", "{0}[{1} % {0}.shape[0]]", "jnp.where({1} > 0, {0}, 0.5)",
    "{0} * {1}.astype({0}.dtype)",
    "{0}.at[{1} % {0}.shape[0]].add(0.5)", "{0}.at[{1} % {0}.shape[0]].set(0.25)", "jnp.take_along_axis({0}, {1}, -1)",
    "jax.ops.segment_sum({0}, {1}.ravel()[:{0}.shape[0]] % 2, 3)", "jnp.where({1}, {0}, -{0})",
]  # fmt: skip


def guarded(d: Draw) -> None:
    k = d.array()
    v = d.values[k]
    d.emit(d.pick(GUARDED).replace("$C", d.power(v.size, v.type)), [k], 1)


def reduction(d: Draw) -> None:
    text, size = d.pick(REDUCE)
    k = d.array()
    v = d.values[k]
    axis = d.pick(["", f", axis={_axis(d, v)}", ", axis=-1"])
    n = v.count if not axis else v.shape[int(axis.rsplit("=")[-1])]
    text = text.replace("$C", d.power(v.size, v.type)).replace("$A", axis)
    d.emit(text, [k], size(v.size, max(n, 1)))


def move(d: Draw) -> None:
    k = d.array()
    d.emit(d.pick(MOVES), [k], d.values[k].size)


def empty(d: Draw) -> None:
    k = d.value(lambda v: v.size <= 3)
    d.emit(d.pick(EMPTY), [k], max(d.values[k].size, 0))


def soft(d: Draw) -> None:
    k = d.array(test=lambda v: abs(v.size) <= 4)
    d.emit(d.pick(SOFT), [k], max(d.values[k].size, 1))


def loop(d: Draw) -> None:
    k = d.array(test=lambda v: abs(v.size) <= 4)
    d.emit(d.pick(LOOPS), [k], max(d.values[k].size, 1) + 1)


def while_loop(d: Draw) -> None:
    k = d.array(test=lambda v: abs(v.size) <= 4)
    d.emit(d.pick(WHILE), [k], max(d.values[k].size, 1) + 1)


def product(d: Draw) -> None:
    k = d.array()
    v = d.values[k]
    other = k if d.chance(0.1) else d.value(lambda w: w.type == v.type and w.count > 0)
    size = v.size + d.values[other].size
    text = d.pick(PRODUCTS)
    if d.chance(0.3) and "{0} @" in text:  # a guard before the product
        c = d.power(v.size, v.type)
        text, size = text.replace("{0} @", f"({{0}} / {c}) @"), size - v.size
    d.emit(text, [k, other], size + 2 if "norm" not in text else 1)


def integer(d: Draw) -> None:
    d.emit(d.pick(INTEGERS), [d.array()])


def use(d: Draw) -> None:
    k = d.array()
    d.emit(d.pick(USES), [k, d.value(types="IB")], d.values[k].size)


ROWS: list[tuple[Row, float]] = [
    (unary, 5), (binary, 5), (scale, 4), (shift, 1), (guarded, 2.5), (reduction, 3), (move, 3), (empty, 0.4), (soft, 2),
    (loop, 1), (while_loop, 0.1), (product, 2), (integer, 0.5), (use, 1),
]  # fmt: skip
WEIGHTS = np.array([w for _, w in ROWS]) / sum(w for _, w in ROWS)


def program(seed: int) -> Program:
    """A program of three to nine steps."""
    rng = np.random.default_rng([seed, 1])
    main = ["f16", "f16", "f16", "f32", "f32", "f32", "bf16", "bf16", "f64"][rng.integers(9)]
    other = ["f16", "bf16", "f32", "f64"][rng.integers(4)] if rng.random() < 0.3 else main
    d = Draw(rng, main, other)
    sizes = [d.pick([1, 2, 3, 4, 4, 5]) for _ in range(2)]
    if d.chance(0.03):
        sizes[0] = 0
    shapes = [(), (sizes[0],), (sizes[0],), (sizes[0], sizes[1]), (sizes[1],), (2, sizes[0], sizes[1])]
    main_shape = d.pick(shapes)
    for _ in range(d.integer(1, 3)):
        shape = main_shape if d.chance(0.7) else d.pick(shapes)
        d.values.append(Known(shape, "F", _input_size(d, "F")))
    if d.chance(0.15):
        d.values.append(Known(d.pick(shapes), d.pick("GIB"), 0))
    inputs = tuple(d.values)
    wanted = d.integer(3, 9)
    for _ in range(40):
        if len(d.steps) == wanted:
            break
        row = ROWS[int(rng.choice(len(ROWS), p=WEIGHTS))][0]
        try:
            row(d)
        except Retry:
            continue
    made = [k for k, v in enumerate(d.values) if k >= len(inputs)]
    floats = [k for k in made if d.values[k].type in "FG"]
    if not floats:
        d.emit("{0} * 2", [0], 0) if d.values[0].size < 1 else d.emit("{0} * 0.5", [0], d.values[0].size - 1)
        floats = [len(d.values) - 1]
    results = {floats[-1], *(d.pick(floats) for _ in range(d.integer(0, 2)))}
    drawn = Program(main, other, inputs, tuple(d.steps), tuple(sorted(results)))
    return needed(drawn)


def _input_size(d: Draw, type: str) -> float:
    """Ordinary numbers, or the ends of the range, or somewhere between."""
    low, high = d.ends(type)
    half, third = high // 2, high // 3
    return float(d.pick([0, 0, 1, 2, high - 1, high - 3, half - 1, half + 1, third, low // 2, low + 2, low]))


def needed(p: Program) -> Program:
    """Without the steps and inputs that no result needs."""
    n = len(p.inputs)
    kept: set[int] = set()
    todo = list(p.results)
    while todo:
        k = todo.pop()
        if k not in kept:
            kept.add(k)
            todo += p.steps[k - n].args if k >= n else ()
    kept.add(next(k for k, v in enumerate(p.inputs) if v.type == "F"))  # one to differentiate by
    place = {k: i for i, k in enumerate(sorted(kept))}
    return replace(
        p,
        inputs=tuple(v for k, v in enumerate(p.inputs) if k in kept),
        steps=tuple(Step(s.text, tuple(place[a] for a in s.args)) for k, s in enumerate(p.steps, n) if k in kept),
        results=tuple(place[r] for r in p.results),
    )


# -- inputs ------------------------------------------------------------------------------------------------------------


def inputs(p: Program, seed: int) -> list[Array]:
    """Numbers of about the sizes that the program was drawn for; some are zeros of both signs, subnormal, or alike."""
    rng = np.random.default_rng([seed, 2])
    return [_numbers(rng, v, p) for v in p.inputs]


def _numbers(rng: np.random.Generator, v: Known, p: Program) -> Array:
    if v.type == "I":
        return rng.integers(0, 4, v.shape).astype(np.int32)
    if v.type == "B":
        return np.asarray(rng.random(v.shape) < 0.5)
    name = p.main if v.type == "F" else p.other
    spread = [0.5, 3, 6][rng.integers(3)]
    numbers = np.exp2(v.size - spread * rng.random(v.shape))
    if rng.random() < 0.6:
        numbers = numbers * rng.choice([-1.0, 1.0], v.shape)
    if rng.random() < 0.15:
        numbers = np.where(rng.random(v.shape) < 0.3, rng.choice([0.0, -0.0], v.shape), numbers)
    if rng.random() < 0.1:
        small = np.exp2(RANGE[name][0] - BELOW[name] * rng.random(v.shape))
        numbers = np.where(rng.random(v.shape) < 0.3, small, numbers)
    if rng.random() < 0.1 and numbers.ndim:
        numbers[...] = numbers.flat[0] if numbers.size else 0
    return np.asarray(numbers).astype(DTYPES[name])


def directions(p: Program, given: Sequence[Array], seed: int) -> list[Array]:
    """Tangents of the float inputs: as large as the inputs, or as ordinary numbers, where the inputs are.

    (Along a tangent that is 2**100 times its input every derivative is at the end of the range, and which products
    overflow on the way is a matter of luck, in JAX too.)
    """
    rng = np.random.default_rng([seed, 3])
    relative = rng.random() < 0.6 or any(abs(v.size) > 8 for v in p.inputs)
    out = []
    for x in given:
        if x.dtype.kind in "ib":
            continue
        t = rng.uniform(0.5, 1, x.shape) * rng.choice([-1.0, 1.0], x.shape)
        out.append(np.asarray(t * x.astype(np.float64) if relative else t).astype(x.dtype))
    return out


def cotangents(values: Sequence[Array], seed: int) -> list[Array]:
    """For float results: ordinary numbers, or such that cotangent and value together are ordinary."""
    rng = np.random.default_rng([seed, 4])
    relative = rng.random() < 0.4
    out = []
    for y in values:
        ct = rng.uniform(0.5, 1, y.shape) * rng.choice([-1.0, 1.0], y.shape)
        wide = np.abs(np.asarray(y).astype(np.float64))
        top = wide[np.isfinite(wide)].max(initial=0.0)
        ends = ml_dtypes.finfo(y.dtype)
        scale = np.clip(1 / top, 4 * float(ends.tiny), float(ends.max) / 4) if relative and top else 1.0
        out.append(np.asarray(ct * scale).astype(y.dtype))
    return out
