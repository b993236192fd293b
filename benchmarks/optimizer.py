"""What the optimiser gains: gradients on XLA, by gradir, by gradir without it, and by JAX, in one run.

    python benchmarks/optimizer.py                 # all tables
    python benchmarks/optimizer.py --quick         # fewer repeats
    python benchmarks/optimizer.py --only kan,lstm # rows whose names begin so
    python benchmarks/optimizer.py --enzyme PYTHON # with Enzyme-JAX, by a Python that has `enzyme-ad` installed

Contenders take short turns, and the best time of each counts. The last tables are the time to optimise beside that to
differentiate, the slice of a product, and the number of rules.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from programs import Program, gpt, keys, make, weight

import gradir

ROWS: dict[str, Callable[[], Program]] = {}


def row(name: str) -> Callable[[Callable[[], Program]], Callable[[], Program]]:
    def add(made: Callable[[], Program]) -> Callable[[], Program]:
        ROWS[name] = made
        return made

    return add


# -- x / norm(x), recomputed for each element --------------------------------------------------------------------------


def norm(x: Any) -> Any:
    return jnp.sqrt(jnp.sum(x * x))


def by_vmap(x: Any) -> Any:
    return jax.vmap(lambda i: x[i] / norm(x))(jnp.arange(x.shape[0]))


def by_map(x: Any) -> Any:
    return lax.map(lambda i: x[i] / norm(x), jnp.arange(x.shape[0]))


def by_fori_loop(x: Any) -> Any:
    return lax.fori_loop(0, x.shape[0], lambda i, out: out.at[i].set(x[i] / norm(x)), jnp.zeros_like(x))


def _norm_rows(kind: str, normalised: Callable[[Any], Any], n: int) -> None:
    @row(f"norm {kind} {n}")
    def made() -> Program:
        return lambda x: jnp.sum(normalised(x) ** 3), (jax.random.normal(keys(1)[0], (n,)),)


for _kind, _by in (("vmap", by_vmap), ("lax.map", by_map), ("fori_loop", by_fori_loop)):
    for _n in (256, 1024, 4096):
        _norm_rows(_kind, _by, _n)


# -- networks ----------------------------------------------------------------------------------------------------------


def _kan(basis: Callable[[Any], Any]) -> Program:
    ks = keys(4)
    params = [weight(ks[0], 16 * 5, 32), weight(ks[1], 32 * 5, 1)]
    x, y = jax.random.normal(ks[2], (256, 16)), jax.random.normal(ks[3], (256, 1))

    def loss(params: Any, x: Any, y: Any) -> Any:
        for w in params:
            x = basis(x).reshape(x.shape[0], -1) @ w
        return jnp.mean((x - y) ** 2)

    return loss, (params, x, y)


@row("kan powers")
def kan_powers() -> Program:
    return _kan(lambda x: jnp.tanh(x)[..., None] ** jnp.arange(5))


@row("kan radial")
def kan_radial() -> Program:
    centres = jnp.linspace(-2, 2, 5)
    return _kan(lambda x: jnp.exp(-((x[..., None] - centres) ** 2) * 2))


def _laplacian(d: int) -> None:
    @row(f"laplacian {d}")
    def made() -> Program:
        """The Laplacian of a network at some points, as a physics-informed network has it."""
        ks = keys(5)
        params = [(weight(ks[0], d, 64), jnp.zeros(64)), (weight(ks[1], 64, 64), jnp.zeros(64)), weight(ks[2], 64, 1)]

        def network(params: Any, x: Any) -> Any:
            for w, b in params[:-1]:
                x = jnp.tanh(x @ w + b)
            return (x @ params[-1])[0]

        return Second(network), (params, jax.random.normal(ks[3], (8, d)))


class Second:
    """Not the gradient of a loss, but the traces of a network's Hessians at some points."""

    def __init__(self, network: Callable[[Any, Any], Any]) -> None:
        self.network = network

    def laplacians(self, hessian: Callable[..., Any]) -> Callable[..., Any]:
        def each(params: Any, x: Any) -> Any:
            return jax.vmap(lambda x: jnp.trace(hessian(lambda x: self.network(params, x))(x)))(x)

        return each


def derivative(of: Any, api: Any) -> Callable[..., Any]:
    """What is measured: the gradient of a loss, or Laplacians, by JAX or by gradir."""
    if isinstance(of, Second):
        return getattr(api, "optimize", lambda f: f)(of.laplacians(api.hessian))
    return api.grad(of)


for _d in (8, 32, 128):
    _laplacian(_d)


@row("transformer step")
def transformer() -> Program:
    loss, args = gpt(1)
    return loss, args


@row("attention")
def attention() -> Program:
    return make("attention")


@row("layer norm")
def layer_norm() -> Program:
    return make("normalised")


@row("convnet")
def convnet() -> Program:
    return make("convnet")


@row("stencil fori_loop")
def stencil() -> Program:
    """Heat flow on a plane whose conductivity is learned."""
    u = jnp.sin(jnp.linspace(0, 6, 64))[:, None] * jnp.cos(jnp.linspace(0, 5, 64))

    def loss(k: Any, u: Any) -> Any:
        def step(_: Any, u: Any) -> Any:
            inside = u[1:-1, 1:-1]
            flow = u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * inside
            return u.at[1:-1, 1:-1].set(inside + 0.1 * jnp.exp(k) * flow)

        return jnp.sum(lax.fori_loop(0, 20, step, u) ** 2)

    return loss, (jnp.zeros((62, 62)), u)


@row("lstm scan")
def lstm() -> Program:
    return make("lstm")


@row("hmm scan")
def hidden_markov() -> Program:
    """A hidden Markov model's likelihood, in logarithms: many short rounds, each of which waits for the last."""
    ks = keys(3)
    states, symbols, steps = 32, 16, 512
    params = {"move": weight(ks[0], states, states), "emit": weight(ks[1], states, symbols)}
    seen = jax.random.randint(ks[2], (steps,), 0, symbols)

    def loss(p: Any, seen: Any) -> Any:
        move, emit = jax.nn.log_softmax(p["move"]), jax.nn.log_softmax(p["emit"])

        def step(alpha: Any, symbol: Any) -> Any:
            return jax.nn.logsumexp(alpha[:, None] + move, 0) + emit[:, symbol], None

        return -jax.nn.logsumexp(lax.scan(step, jnp.full(states, -np.log(states)), seen)[0])

    return loss, (params, seen)


@row("selective scan")
def selective_scan() -> Program:
    """A state-space layer whose step and gates depend on the input, round by round."""
    ks = keys(5)
    batch, steps, d, n = 4, 512, 64, 16
    params = {
        "step": weight(ks[0], d, d), "b": weight(ks[1], d, n), "c": weight(ks[2], d, n), "a": jnp.zeros((d, n)),
    }  # fmt: skip
    xs, y = jax.random.normal(ks[3], (steps, batch, d)), jax.random.normal(ks[4], (steps, batch, d))

    def loss(p: Any, xs: Any, y: Any) -> Any:
        def step(h: Any, x: Any) -> Any:
            dt = jax.nn.softplus(x @ p["step"])
            h = jnp.exp(-dt[..., None] * jnp.exp(p["a"])) * h + (dt * x)[..., None] * (x @ p["b"])[:, None, :]
            return h, jnp.sum(h * (x @ p["c"])[:, None, :], -1)

        _, ys = lax.scan(step, jnp.zeros((batch, d, n)), xs)
        return jnp.mean((ys - y) ** 2)

    return loss, (params, xs, y)


@row("mixture")
def mixture() -> Program:
    return make("mixture")


# -- measuring ---------------------------------------------------------------------------------------------------------


COPIES = 3
"""Of every contender so many are compiled: where one finds its buffers is worth up to 15 % of its time."""


def copies(f: Callable[..., Any], args: Any) -> list[Any]:
    """The function, compiled some times over."""
    made = [jax.jit(lambda *a: f(*a)) for _ in range(COPIES)]  # noqa: PLW0108 (jit knows a function when it sees it again)
    for run in made:
        jax.block_until_ready(run(*args))
    return made


def call_time(runs: list[Any], args: Any, turn: int, seconds: float = 0.03) -> float:
    """The best time of a call of the copy whose turn it is, over calls that fill about `seconds`.

    On a GPU calls are queued, twenty at a time: waiting for one takes longer than most of them run.
    """
    run, queued = runs[turn % len(runs)], 1 if jax.default_backend() == "cpu" else 20
    best, end = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(queued):
            made = run(*args)
        jax.block_until_ready(made)
        best = min(best, (time.perf_counter() - start) / queued)
    return best


def measure(contenders: dict[str, Callable[[int], float]], rounds: int) -> dict[str, float]:
    """The best of each contender's times, all of them taking short turns."""
    best = dict.fromkeys(contenders, np.inf)
    for turn in range(rounds):
        for name, timed in contenders.items():
            best[name] = min(best[name], timed(turn))
    return best


def error(ours: Any, theirs: Any) -> float:
    return max(
        float(np.max(np.abs(a - b)) / (np.max(np.abs(b)) + 1e-30))
        for a, b in zip(jax.tree.leaves(ours), jax.tree.leaves(theirs), strict=True)
    )


def run_times(names: list[str], rounds: int, peer: str | None) -> None:
    import gradir.jax

    print("run time of gradients on XLA, microseconds")
    print(
        f"{'':22}{'gradir':>10}{'unoptim.':>10}{'fast':>10}{'jax':>10}{'enzyme':>10}"
        f"{'fast/gradir':>12}{'jax/gradir':>12}{'enzyme/gr.':>12}{'error':>10}"
    )
    ratios: dict[str, list[float]] = {"fast": [], "jax": [], "enzyme": []}
    for name in names:
        loss, args = ROWS[name]()
        runs = {name: copies(derivative(loss, api), args) for name, api in (("gradir", gradir.jax), ("jax", jax))}
        with gradir.optimizing(False):
            runs["plain"] = copies(derivative(loss, gradir.jax), args)
        with gradir.optimizing(numerics="fast"):
            runs["fast"] = copies(derivative(loss, gradir.jax), args)
        ours, theirs = runs["gradir"][0](*args), runs["jax"][0](*args)
        contenders: dict[str, Callable[[int], float]] = {n: partial(call_time, r, args) for n, r in runs.items()}
        with Enzyme(peer, name) as enzyme:
            if enzyme.is_ready:
                contenders |= {name: partial(enzyme.call_time, name) for name in ("enzyme", "gradir there")}
            best = measure(contenders, rounds)
        if "enzyme" in best:  # a process may be faster than another: gradir runs in both
            best["enzyme"] *= best["gradir"] / best["gradir there"]
        for other, some in ratios.items():
            if other in best:
                some.append(best[other] / best["gradir"])
        figures = "".join(
            f"{1e6 * best[c]:10.1f}" if c in best else f"{'':10}" for c in ("gradir", "plain", "fast", "jax", "enzyme")
        )
        ahead = "".join(f"{best[c] / best['gradir']:12.2f}" if c in best else f"{'':12}" for c in ratios)
        print(f"{name:22}{figures}{ahead}{error(ours, theirs):10.0e}", flush=True)
    for other, some in ratios.items():
        if some:
            mean = np.exp(np.mean(np.log(some)))
            print(f"{other} / gradir: geometric mean {mean:.2f}, least {min(some):.2f} ({len(some)} rows)")


class Enzyme:
    """The same row by Enzyme-JAX (and by gradir), in a process of its own by a Python that has it.

    It is not ready if it can't do it.
    """

    def __init__(self, python: str | None, name: str) -> None:
        self.is_ready = False
        if python is not None:
            command = [python, str(Path(__file__)), "--as-enzyme", name]
            path = {"PYTHONPATH": str(Path(gradir.__file__).parents[1])}
            self.process = subprocess.Popen(
                command, env={**os.environ, **path}, text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            self.is_ready = self._answer() == "ready"

    def __enter__(self) -> Enzyme:
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "process"):
            self.process.kill()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def call_time(self, contender: str, turn: int) -> float:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{turn} {contender}\n")
        self.process.stdin.flush()
        return float(self._answer() or "inf")


def as_enzyme(name: str) -> None:
    """Be the other end of `Enzyme`."""
    from enzyme_ad.jax import enzyme_jax_ir

    import gradir.jax

    loss, args = ROWS[name]()
    peer = Second(enzyme_jax_ir()(loss.network)) if isinstance(loss, Second) else enzyme_jax_ir()(loss)
    made = {"gradir there": derivative(loss, gradir.jax), "enzyme": derivative(peer, jax)}
    runs = {name: copies(f, args) for name, f in made.items()}
    print("ready", flush=True)
    for line in sys.stdin:
        turn, _, name = line.strip().partition(" ")
        print(call_time(runs[name], args, int(turn)), flush=True)


# -- time to optimise --------------------------------------------------------------------------------------------------


def optimising(repeats: int) -> None:
    """Differentiating a GPT's loss with the optimiser off, and what the optimiser adds, by the number of layers.

    Differentiating is tracing and lowering the function and transforming the program; the transform alone is given,
    too.
    Times are those of the processor, which other work on the machine does not change.
    """
    import gradir
    from gradir.jax.program import program_of
    from gradir.tensor.ir.module import operations

    print("\ntime to optimise beside that to differentiate, milliseconds")
    print(f"{'':10}{'ops':>8}{'differentiate':>15}{'(transform)':>13}{'optimise':>10}{'ratio':>8}{'µs an op':>10}")
    for layers in (3, 6, 12, 24):
        loss, args = gpt(layers)
        leaves, tree = jax.tree.flatten(args)

        def flat(*values: Any, loss: Any = loss, tree: Any = tree) -> list[Any]:
            return [loss(*jax.tree.unflatten(tree, values))]

        best = {False: np.inf, True: np.inf}
        tracing, size = np.inf, 0
        for _ in range(repeats):
            for on in (False, True):
                with gradir.optimizing(on):
                    jax.clear_caches()
                    start = time.process_time()
                    program, _ = program_of(lambda *v, flat=flat: flat(*v), leaves)
                    tracing = min(tracing, time.process_time() - start)
                    program.memo.clear()
                    program.deriver._memo.clear()
                    size = len(operations(program.deriver.functions[program.symbol]))
                    active = tuple(jnp.issubdtype(a.dtype, jnp.inexact) for a in program.ins)
                    start = time.process_time()
                    program.reverse(active, (True,), True)
                    best[on] = min(best[on], time.process_time() - start)
        transform, extra = 1e3 * best[False], 1e3 * (best[True] - best[False])
        whole = 1e3 * tracing + transform
        figures = f"{size:8}{whole:15.1f}{transform:13.1f}{extra:10.1f}{extra / whole:8.2f}{1e3 * extra / size:10.1f}"
        print(f"gpt {layers:<6}{figures}", flush=True)


def slice_of_product() -> None:
    """Of a product of 10,000 elements, ten are asked for."""
    import gradir
    from gradir.tensor.ir.module import operations
    from gradir.tensor.optimize import total

    n = 10_000

    def f(x: Any, y: Any, z: Any) -> Any:
        return jnp.sum((jnp.dot(x, y) * z)[0:10] * 4)

    written = gradir.load(jax.jit(f).lower(jnp.ones((n, 8)), jnp.ones(8), jnp.ones(n)))
    for name, m in (("as written", written), ("optimised", written.optimize())):
        held = m.ir
        work = total(operations(held)[2:])
        print(f"slice of a product, {name}: {work.flops:.0f} flops, {work.bytes:.0f} bytes moved")


def rules() -> None:
    from collections import Counter

    from gradir.tensor.optimize import RULES

    counted = Counter(r.family for r in RULES.values())
    print(f"\n{len(RULES)} rules: " + ", ".join(f"{family} {n}" for family, n in counted.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="rows whose names begin so (comma-separated)")
    parser.add_argument("--enzyme", metavar="PYTHON", help="a Python that has enzyme-ad")
    parser.add_argument("--as-enzyme", metavar="ROW", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.as_enzyme:
        as_enzyme(options.as_enzyme)
        return
    starts = tuple(options.only.split(",")) if options.only else ("",)
    names = [name for name in ROWS if name.startswith(starts)]
    rounds = 15 if options.quick else 50
    print(f"jax {jax.__version__}, {jax.devices()[0].device_kind}")
    run_times(names, rounds, options.enzyme)
    if not options.only:
        optimising(2 if options.quick else 5)
        slice_of_product()
        rules()


if __name__ == "__main__":
    main()
