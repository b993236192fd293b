"""Derivatives of programs on eight host devices: are they right, and what do they send, beside JAX's.

Five ways to spread a model: data parallel (a mean over devices in the loss), fully sharded (weights gathered where they
are used), tensor parallel, a pipeline (`ppermute`), a mixture of experts (`all_to_all`). Each is written with
`shard_map`, and by sharding annotations where that says it as well, on meshes with automatic and with explicit axes.

    python benchmarks/sharding.py             # what is sent: number and bytes of collectives in the compiled program
    python benchmarks/sharding.py --scaling   # weak scaling on 1, 2, 4, 8 devices: the collectives' share of the time

Gradients are compared with those of the same model on one device, and with JAX's. Exit status 1: one is wrong, or
more is sent than by JAX's derivative. Devices that share two cores are slow, and so is what they send: times say how
the share grows, beside JAX, and nothing of a cluster.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

DEVICES = 8
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count={DEVICES}".strip()

import jax  # noqa: E402 (it reads the flags)
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import AxisType, NamedSharding  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

import gradir.jax  # noqa: E402
from gradir.backends.hlo import Collective, collectives  # noqa: E402

AXIS = "i"

# -- what a compiled program sends -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sent:
    """How many collectives a device takes part in, and the bytes that it gets."""

    number: int
    bytes: int

    @staticmethod
    def by(compiled: Any) -> Sent:
        made = collectives(compiled.as_text())
        return Sent(sum(c.times for c in made), sum(c.bytes * c.times for c in made))

    def __str__(self) -> str:
        return f"{self.number:5d} {self.bytes:9,d} B"


# -- programs ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A loss on one device and on a mesh, with its arguments and how they are split."""

    name: str
    whole: Callable[..., Any]
    split: Callable[[Any], Callable[..., Any]]
    arguments: Callable[[int, np.random.Generator], tuple[np.ndarray, ...]]
    """For so many devices: each has as much to do, however many they are."""
    specs: tuple[P, ...]


def draw(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return (rng.normal(size=shape) / np.sqrt(shape[-2] if len(shape) > 1 else 1)).astype(np.float32)


def mlp(x: Any, w: Any, v: Any, y: Any) -> Any:
    return jnp.mean((jax.nn.relu(x @ w) @ v - y) ** 2)


def mlp_arguments(n: int, rng: np.random.Generator, width: int = 128, batch: int = 32) -> tuple[np.ndarray, ...]:
    return draw(rng, batch * n, 64), draw(rng, 64, width), draw(rng, width, 16), draw(rng, batch * n, 16)


def shard_map(mesh: Any, fun: Callable[..., Any], in_specs: Any) -> Callable[..., Any]:
    """A loss that each device computes from its parts."""
    return jax.shard_map(fun, mesh=mesh, in_specs=in_specs, out_specs=P())


DATA = (P(AXIS), P(), P(), P(AXIS))


def data_parallel(mesh: Any) -> Callable[..., Any]:
    return shard_map(mesh, lambda *xs: lax.pmean(mlp(*xs), AXIS), DATA)


FSDP = (P(AXIS), P(None, AXIS), P(AXIS, None), P(AXIS))


def fully_sharded(mesh: Any) -> Callable[..., Any]:
    def local(x: Any, w: Any, v: Any, y: Any) -> Any:
        w = lax.all_gather(w, AXIS, axis=1, tiled=True)
        v = lax.all_gather(v, AXIS, axis=0, tiled=True)
        return lax.pmean(mlp(x, w, v, y), AXIS)

    return shard_map(mesh, local, FSDP)


TENSOR = (P(), P(None, AXIS), P(AXIS, None), P())


def tensor_parallel(mesh: Any) -> Callable[..., Any]:
    def local(x: Any, w: Any, v: Any, y: Any) -> Any:
        return jnp.mean((lax.psum(jax.nn.relu(x @ w) @ v, AXIS) - y) ** 2)

    return shard_map(mesh, local, TENSOR)


def tensor_arguments(n: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return mlp_arguments(1, rng, width=64 * n)


def layers(ws: Any, x: Any, y: Any) -> Any:
    """One layer after the other, on all parts of a batch."""
    h = x
    for w in ws:
        h = jnp.tanh(h @ w)
    return jnp.mean((h - y) ** 2)


def pipeline(mesh: Any) -> Callable[..., Any]:
    """A layer on each device; parts of the batch go from one to the next."""

    def local(w: Any, x: Any, y: Any) -> Any:
        n, at = lax.axis_size(AXIS), lax.axis_index(AXIS)
        parts = x.shape[0]

        def step(h: Any, t: Any) -> tuple[Any, Any]:
            given = jnp.where(at == 0, x[jnp.minimum(t, parts - 1)], h)
            made = jnp.tanh(given @ w[0])
            return lax.ppermute(made, AXIS, [(k, (k + 1) % n) for k in range(n)]), made

        start = lax.pcast(jnp.zeros_like(x[0]), AXIS, to="varying")
        _, made = lax.scan(step, start, jnp.arange(parts + n - 1))
        error = jnp.mean((made[n - 1 :] - y) ** 2)
        return lax.psum(jnp.where(at == n - 1, error, 0.0), AXIS)

    return shard_map(mesh, local, (P(AXIS), P(), P()))


def pipeline_arguments(n: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return draw(rng, n, 32, 32), draw(rng, 8, 16, 32), draw(rng, 8, 16, 32)


def expert(x: Any, w: Any, v: Any) -> Any:
    return jax.nn.relu(x @ w) @ v


def experts(x: Any, r: Any, w: Any, v: Any) -> Any:
    """Each token goes to the expert that its place in its device's batch says, weighed by a gate."""
    n, gate = w.shape[0], jax.nn.softmax(x @ r)
    tokens = x.reshape(n, n, -1, x.shape[-1])  # device, expert, token
    made = jax.vmap(expert, in_axes=(1, 0, 0), out_axes=1)(tokens, w, v).reshape(x.shape)
    return jnp.mean((made * gate) ** 2)


def mixture(mesh: Any) -> Callable[..., Any]:
    def local(x: Any, r: Any, w: Any, v: Any) -> Any:
        n = lax.axis_size(AXIS)
        gate = jax.nn.softmax(x @ r)
        tokens = lax.all_to_all(x.reshape(n, -1, x.shape[-1]), AXIS, 0, 0, tiled=True)
        made = lax.all_to_all(expert(tokens, w[0], v[0]), AXIS, 0, 0, tiled=True).reshape(x.shape)
        return lax.pmean(jnp.mean((made * gate) ** 2), AXIS)

    return shard_map(mesh, local, (P(AXIS), P(), P(AXIS), P(AXIS)))


def expert_arguments(n: int, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    return draw(rng, n * n * 8, 32), draw(rng, 32, 32), draw(rng, n, 32, 64), draw(rng, n, 64, 32)


def annotated(mesh: Any, hidden: P, out: P) -> Callable[..., Any]:
    """The model of one device on split arrays: the partitioner finds what is to be sent."""

    def product(spec: P) -> Callable[..., Any]:
        is_explicit = mesh.axis_types[0] == AxisType.Explicit
        return partial(jnp.dot, out_sharding=NamedSharding(mesh, spec)) if is_explicit else jnp.dot

    def loss(x: Any, w: Any, v: Any, y: Any) -> Any:
        return jnp.mean((product(out)(jax.nn.relu(product(hidden)(x, w)), v) - y) ** 2)

    return loss


BY_ROWS = partial(annotated, hidden=P(AXIS, None), out=P(AXIS, None))
BY_COLUMNS = partial(annotated, hidden=P(None, AXIS), out=P(None, None))
PROGRAMS = [
    Program("data parallel", mlp, data_parallel, mlp_arguments, DATA),
    Program("data parallel, annotated", mlp, BY_ROWS, mlp_arguments, DATA),
    Program("fully sharded", mlp, fully_sharded, mlp_arguments, FSDP),
    Program("fully sharded, annotated", mlp, BY_ROWS, mlp_arguments, FSDP),
    Program("tensor parallel", mlp, tensor_parallel, tensor_arguments, TENSOR),
    Program("tensor parallel, annotated", mlp, BY_COLUMNS, tensor_arguments, TENSOR),
    Program("pipeline", layers, pipeline, pipeline_arguments, (P(AXIS), P(), P())),
    Program("mixture of experts", experts, mixture, expert_arguments, (P(AXIS), P(), P(AXIS), P(AXIS))),
]

# -- tables ------------------------------------------------------------------------------------------------------------

CLOSE = {"rtol": 2e-4, "atol": 2e-6}
"""Sums of some hundreds of floats of 32 bits, in other orders; gradients are of size 1e-3 to 1e-1."""


def mesh_of(n: int, kind: AxisType) -> Any:
    return jax.make_mesh((n,), (AXIS,), axis_types=(kind,), devices=jax.devices()[:n])


def compiled(api: Any, program: Program, mesh: Any, arguments: tuple[Any, ...]) -> Any:
    numbers = tuple(range(len(arguments)))
    return jax.jit(api.grad(program.split(mesh), argnums=numbers)).lower(*arguments).compile()


def placed(program: Program, mesh: Any, arguments: tuple[np.ndarray, ...]) -> tuple[Any, ...]:
    return tuple(jax.device_put(a, NamedSharding(mesh, s)) for a, s in zip(arguments, program.specs, strict=True))


def check(program: Program, kind: AxisType) -> bool:
    """A row: whether the gradients are right and lie as their arguments do, and what is sent."""
    mesh, given = mesh_of(DEVICES, kind), program.arguments(DEVICES, np.random.default_rng(0))
    wanted = jax.jit(jax.grad(program.whole, argnums=tuple(range(len(given)))))(*given)
    arguments = placed(program, mesh, given)
    ours, theirs = (compiled(api, program, mesh, arguments) for api in (gradir.jax, jax))
    made, others = ours(*arguments), theirs(*arguments)
    right = all(
        np.allclose(a, b, **CLOSE) and np.allclose(a, c, **CLOSE) for a, b, c in zip(made, wanted, others, strict=True)
    )
    kept = all(g.sharding.is_equivalent_to(a.sharding, a.ndim) for g, a in zip(made, arguments, strict=True))
    mine, jaxs = Sent.by(ours), Sent.by(theirs)
    good = right and mine.number <= jaxs.number and mine.bytes <= jaxs.bytes
    print(
        f"{program.name:28} {kind.name:9} {mine}   {jaxs}   {'equal' if right else 'WRONG':6}"
        f" {'as arguments' if kept else 'otherwise':13}{'' if good else '  <--'}",
        flush=True,
    )
    return good


def table() -> bool:
    print(f"{'':38} {'gradir':>17}   {'JAX':>17}   gradients")
    rows = [check(program, kind) for program in PROGRAMS for kind in (AxisType.Auto, AxisType.Explicit)]
    return all(rows)


def least(run: Callable[[], Any], rounds: int = 15) -> float:
    """Seconds of the best of some rounds."""
    run()
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        jax.block_until_ready(run())
        best = min(best, time.perf_counter() - start)
    return best


def alone(mesh: Any, n: int, what: Collective, many: int = 16) -> float:
    """Seconds of a collective by itself, one after the other."""
    ring = [(k, (k + 1) % n) for k in range(n)]
    elements = what.bytes // 4
    each = -(-elements // n) * n
    small = max(1, elements // n)
    do: dict[str, tuple[int, Callable[[Any], Any]]] = {
        "all-reduce": (elements, lambda x: lax.psum(x, AXIS) / n),
        "all-gather": (small, lambda x: lax.all_gather(x, AXIS, tiled=True)[:small]),
        "reduce-scatter": (small * n, lambda x: jnp.tile(lax.psum_scatter(x, AXIS, tiled=True), n)),
        "all-to-all": (each, lambda x: lax.all_to_all(x, AXIS, 0, 0, tiled=True)),
        "collective-permute": (elements, lambda x: lax.ppermute(x, AXIS, ring)),
    }
    size, one = do[what.kind]
    repeated = jax.shard_map(
        lambda x: lax.fori_loop(0, many, lambda _, x: one(x), x),
        mesh=mesh, in_specs=P(AXIS), out_specs=P(AXIS), check_vma=False,
    )  # fmt: skip
    x = jax.device_put(np.ones(size * n, np.float32), NamedSharding(mesh, P(AXIS)))
    run = jax.jit(repeated)
    return least(lambda: run(x), 5) / many


def scaling() -> None:
    """Each device has as much to do, however many there are: how long a step takes, and how much of it is sending."""
    print(f"{'':28} {'devices':>8} {'gradir':>10} {'sending':>8} {'JAX':>10} {'sending':>8}")
    for program in PROGRAMS:
        if "annotated" in program.name:
            continue
        for n in (1, 2, 4, 8):
            mesh = mesh_of(n, AxisType.Auto)
            arguments = placed(program, mesh, program.arguments(n, np.random.default_rng(0)))
            cells = []
            for api in (gradir.jax, jax):
                made = compiled(api, program, mesh, arguments)
                step = least(partial(made, *arguments))
                sending = sum(c.times * alone(mesh, n, c) for c in collectives(made.as_text())) if n > 1 else 0.0
                cells.append(f"{1e3 * step:7.2f} ms {100 * min(1.0, sending / step):6.0f} %")
            print(f"{program.name:28} {n:8d} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    if "--scaling" in sys.argv[1:]:
        scaling()
    else:
        sys.exit(not table())
