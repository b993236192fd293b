"""Derivatives of a JAX function's StableHLO beside those that JAX has of the function itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

import gradir

QUICK = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}
"""What XLA compiles here runs for microseconds."""

Function = Callable[..., Any]
Arrays = Sequence[np.ndarray]


def as_list(results: Any) -> list[np.ndarray]:
    return [np.asarray(r) for r in results] if isinstance(results, (tuple, list)) else [np.asarray(results)]


def load(f: Function, xs: Arrays) -> gradir.Module:
    return gradir.load(jax.jit(f, keep_unused=True).lower(*xs))


def run(module: gradir.Module, *xs: np.ndarray) -> list[np.ndarray]:
    return as_list(module.run("d", *xs, xla_options=QUICK))


def jvp(f: Function, xs: Arrays, tangents: Arrays) -> list[np.ndarray]:
    """The tangents of all results, by all arguments."""
    out = run(load(f, xs).jvp(wrt=range(len(xs)), name="d"), *xs, *tangents)
    return out[len(out) // 2 :]


def vjp(f: Function, xs: Arrays, *cotangents: np.ndarray) -> list[np.ndarray]:
    return run(load(f, xs).vjp(wrt=range(len(xs)), name="d"), *xs, *cotangents)[len(cotangents) :]


def close(mine: Arrays, theirs: Any, rtol: float = 1e-10) -> None:
    """Equal up to rounding, and of the same types and shapes."""
    theirs = as_list(theirs)
    assert len(mine) == len(theirs)
    for a, b in zip(mine, theirs, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        wide = np.float64 if a.dtype.kind != "c" else np.complex128
        np.testing.assert_allclose(a.astype(wide), b.astype(wide), rtol=rtol, atol=rtol)


def check(f: Function, *xs: np.ndarray, rtol: float = 1e-10, twice: bool = True) -> None:
    """The derivatives of the one result by all arguments: forwards, backwards, and forwards over backwards."""
    rng = np.random.default_rng(0)
    y = jax.jit(f)(*xs)
    tangents = [np.asarray(rng.normal(size=x.shape)).astype(x.dtype) for x in xs]
    cotangent = np.asarray(rng.normal(size=y.shape)).astype(y.dtype)
    close(jvp(f, xs, tangents), jax.jit(lambda xs, ts: jax.jvp(f, xs, ts)[1])(tuple(xs), tuple(tangents)), rtol)

    def pull(*xs: Any) -> Any:
        return jax.vjp(f, *xs)[1](cotangent)

    close(vjp(f, xs, cotangent), jax.jit(pull)(*xs), rtol)
    if not twice:
        return
    gradient = load(f, xs).vjp(wrt=range(len(xs)), name="g").jvp("g", wrt=range(len(xs)), name="d")
    second = run(gradient, *xs, cotangent, *tangents)
    close(second[-len(xs) :], jax.jit(lambda xs, ts: jax.jvp(pull, xs, ts)[1])(tuple(xs), tuple(tangents)), rtol)
