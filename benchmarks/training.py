"""Training XOR for 500 epochs, by every route, in one run; and a step of the character GPT, beside JAX's.

    python benchmarks/training.py
    python benchmarks/training.py --sheaf /path/to/env/bin/python    # an environment with sheaf-lang 1.2.0
    python benchmarks/training.py --quick

The routes take turns, and the best time of each counts, since machines are noisy. Compiling is not counted; starting a
process is, where the route is a process. All must end with the loss that the right gradient gives, or the run fails.
Sizes of the packages are those of `gradir build`.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gradir.jax
from gradir import train
from gradir.backends.iree import load_functions
from gradir.train.package import build

HERE = Path(__file__).parent
XOR, GPT = (HERE.parent / "examples" / f"{name}.shf" for name in ("xor", "gpt"))
LOSS = 0.00423934
EPOCHS, RATE = 500, 0.7

Route = Callable[[], float]
"""Trains, and gives the last loss."""


# -- JAX ---------------------------------------------------------------------------------------------------------------


def _loss(p: Any, x: Any, y: Any) -> Any:
    hidden = jax.nn.relu(x @ p["W1"] + p["b1"])
    return jnp.mean((jax.nn.sigmoid(hidden @ p["W2"] + p["b2"]) - y) ** 2)


def _step(p: Any, x: Any, y: Any, rate: Any) -> Any:
    loss, gradients = jax.value_and_grad(_loss)(p, x, y)
    return jax.tree.map(lambda w, g: w - rate * g, p, gradients), loss


def jax_loop(task: train.Task) -> Route:
    step = jax.jit(_step)

    def run() -> float:
        p = dict(task.parameters)
        for _ in range(EPOCHS):
            p, loss = step(p, task.data["x"], task.data["y"], RATE)
        return float(loss)

    return run


def jax_fori(task: train.Task) -> Route:
    @jax.jit
    def whole(p: Any, x: Any, y: Any, rate: Any, epochs: Any) -> Any:
        return jax.lax.fori_loop(0, epochs, lambda _, c: _step(c[0], x, y, rate), (p, jnp.float32(0)))

    def run() -> float:
        p, loss = whole(dict(task.parameters), task.data["x"], task.data["y"], RATE, EPOCHS)
        jax.block_until_ready(p)
        return float(loss)

    return run


# -- gradir ------------------------------------------------------------------------------------------------------------


def on_xla(loop: train.Loop) -> Route:
    def run() -> float:
        state = loop.advance(loop.start(), EPOCHS)
        jax.block_until_ready(state.parameters)
        return float(state.losses[-1])

    return run


def on_iree(task: train.Task, folder: Path) -> Route:
    call = load_functions((folder / "training_loop.vmfb").read_bytes(), ["train"], "llvm-cpu")["train"]
    given = [np.asarray(v) for v in (task.data["x"], task.data["y"], *(task.parameters[n] for n in NAMES))]
    return lambda: float(call(*given, np.float32(RATE), EPOCHS)[-1])


NAMES = ("W1", "b1", "W2", "b2")


def by_runner(folder: Path, runner: str) -> Route:
    script = folder / "run.sh"

    def run() -> float:
        path = f"{Path(runner).parent}:/usr/bin:/bin"
        shown = subprocess.run([script], capture_output=True, text=True, check=True, env={"PATH": path}).stdout
        return float(re.findall(r"^f32=(.*)$", shown, re.M)[0])

    return run


# -- Sheaf -------------------------------------------------------------------------------------------------------------


class SheafV1:
    """A process in another environment, which trains when it is told to, and says how long it took."""

    def __init__(self, python: str) -> None:
        self.process = subprocess.Popen(
            [python, HERE / "sheaf_v1.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __call__(self, how: str) -> tuple[float, float]:
        assert self.process.stdin is not None and self.process.stdout is not None
        print(how, EPOCHS, file=self.process.stdin, flush=True)
        seconds, loss = map(float, self.process.stdout.readline().split())
        return seconds, loss

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


# -- Measuring ---------------------------------------------------------------------------------------------------------


def timed(route: Route) -> tuple[float, float]:
    start = time.perf_counter()
    loss = route()
    return time.perf_counter() - start, loss


def measure(routes: dict[str, Callable[[], tuple[float, float]]], repeats: dict[str, int]) -> dict[str, float]:
    """The best seconds of each route. The first call of each is not counted: it compiles."""
    best, names = dict.fromkeys(routes, np.inf), list(routes)
    for turn in range(max(repeats.values()) + 1):
        first = turn % len(names)  # whoever comes after a slow one finds its caches cold
        for name in names[first:] + names[:first]:
            if turn > repeats[name]:
                continue
            seconds, loss = routes[name]()
            if abs(loss - LOSS) > 1e-6:
                sys.exit(f"{name}: the loss is {loss}, not {LOSS}")
            if turn:
                best[name] = min(best[name], seconds)
    return best


def gpt(repeats: int) -> None:
    """Steps of the character GPT with AdamW: the same model, differentiated by gradir and by JAX, in turns."""
    task = train.load(GPT)
    recipe = train.Recipe.of(task.settings)
    assert recipe.batch is not None
    p, batch = task.parameters["p"], {n: x[: recipe.batch] for n, x in task.data.items()}

    def step(value_and_grad: Any) -> Any:
        def run(p: Any, state: Any) -> Any:
            loss, gradients = value_and_grad(lambda p: task.loss(p, **batch))(p)
            return *recipe.update(p, gradients, state, recipe.rate), loss

        return jax.jit(run)

    steps = {"gradir": step(gradir.jax.value_and_grad), "JAX": step(jax.value_and_grad)}
    best, losses = dict.fromkeys(steps, np.inf), {}
    for turn in range(repeats + 1):
        for name, run in steps.items():
            start = time.perf_counter()
            *_, losses[name] = jax.block_until_ready(run(p, recipe.start(p)))
            if turn:
                best[name] = min(best[name], time.perf_counter() - start)
    # About 3.8 in f32, by sums of some thousand terms in two orders.
    if abs(losses["gradir"] - losses["JAX"]) > 1e-5:
        sys.exit(f"the losses differ: {losses}")
    size = sum(x.size for x in jax.tree.leaves(p))
    print(f"\na step of the character GPT, {size:,} parameters: best ms")
    for name, seconds in best.items():
        print(f"{name:30}{1e3 * seconds:10.3f}{best['JAX'] / seconds:20.2f}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sheaf", metavar="PYTHON", help="the Python of an environment with sheaf-lang 1.2.0")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    arguments = parser.parse_args()

    task = train.load(XOR)
    loop = train.Loop(task, train.Recipe.of(task.settings))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        packages = {
            "all functions": build(loop, folder / "all"),
            "train alone": build(loop, folder / "train", only=["train"]),
            "all, parallel form": build(loop, folder / "parallel", form="parallel"),
        }
        plain: dict[str, Route] = {
            "JAX, fori_loop": jax_fori(task),
            "gradir on XLA": on_xla(loop),
            "gradir on IREE, in process": on_iree(task, folder / "all"),
            "the same, parallel form": on_iree(task, folder / "parallel"),
            "JAX, Python loop": jax_loop(task),
        }
        runner = shutil.which("iree-run-module", path=f"{Path(sys.executable).parent}:/usr/bin:/usr/local/bin")
        if runner:
            plain["gradir by iree-run-module"] = by_runner(folder / "all", runner)
        routes = {n: (lambda route=route: timed(route)) for n, route in plain.items()}
        count = 20 if arguments.quick else 100
        repeats = dict.fromkeys(routes, count)
        sheaf = SheafV1(arguments.sheaf) if arguments.sheaf else None
        if sheaf:
            routes |= {"Sheaf V1, :jit": lambda: sheaf("jit"), "Sheaf V1": lambda: sheaf("interpreted")}
            repeats |= {"Sheaf V1, :jit": count, "Sheaf V1": 2 if arguments.quick else 4}
        best = measure(routes, repeats)
        if sheaf:
            sheaf.close()

    print(f"XOR, {EPOCHS} epochs, loss {LOSS} in the last: best ms, and how often as fast as")
    columns = [n for n in ("JAX, fori_loop", "JAX, Python loop", "Sheaf V1") if n in best]
    print(f"{'':30}{'ms':>10}" + "".join(f"{c:>20}" for c in columns))
    for name, seconds in sorted(best.items(), key=lambda item: item[1]):
        ratios = "".join(f"{best[c] / seconds:20.2f}" for c in columns)
        print(f"{name:30}{1e3 * seconds:10.3f}{ratios}")
    print("\nVMFB, bytes")
    for name, package in packages.items():
        print(f"{name:30}{package.files['training_loop.vmfb']:10,}")
    gpt(20 if arguments.quick else 100)


if __name__ == "__main__":
    main()
