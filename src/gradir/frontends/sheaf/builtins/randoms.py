"""Random numbers: explicit keys, and Threefry as JAX has it, so that a seed gives the same stream as there."""

from __future__ import annotations

import jax
import jax.numpy as jnp

from gradir.frontends.sheaf.builtins.shapes import shape_of, whole
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.values import Value, is_traced, tensor

__all__: list[str] = []


@builtin("random-key")
def random_key(seed: Value, /) -> Value:
    return jax.random.key(seed if is_traced(seed) else whole(seed))


@builtin("random-split")
def random_split(key: Value, n: Value = 2, /) -> Value:
    return jax.random.split(key, whole(n))


@builtin("random-fold-in")
def random_fold_in(key: Value, data: Value, /) -> Value:
    return jax.random.fold_in(key, tensor(data))


@builtin("random-normal")
def random_normal(key: Value, shape: Value = (), /) -> Value:
    return jax.random.normal(key, shape_of(shape), jnp.float32)


@builtin("random-uniform")
def random_uniform(key: Value, shape: Value = (), low: Value = 0.0, high: Value = 1.0, /) -> Value:
    return jax.random.uniform(key, shape_of(shape), jnp.float32, low, high)


@builtin("random-bernoulli")
def random_bernoulli(key: Value, p: Value, shape: Value = (), /) -> Value:
    return jax.random.bernoulli(key, tensor(p), shape_of(shape))


@builtin("random-randint")
def random_randint(key: Value, shape: Value, low: Value, high: Value, /) -> Value:
    return jax.random.randint(key, shape_of(shape), tensor(low), tensor(high))


@builtin("random-permutation")
def random_permutation(key: Value, x: Value, /) -> Value:
    return jax.random.permutation(key, x if isinstance(x, int) else jnp.asarray(tensor(x)))


@builtin("random-categorical")
def random_categorical(key: Value, logits: Value, /, *, axis: Value = -1) -> Value:
    return jax.random.categorical(key, jnp.asarray(tensor(logits)), axis=whole(axis))


@builtin("choice")
def choice(key: Value, values: Value, shape: Value = (), /, *, p: Value = None, replace: Value = True) -> Value:
    what = values if isinstance(values, int) else jnp.asarray(tensor(values))
    weights = None if p is None else jnp.asarray(tensor(p))
    return jax.random.choice(key, what, shape_of(shape), bool(replace), weights)
