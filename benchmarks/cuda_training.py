"""Kernels of cuda.cu trained in a loop, from PyTorch and from JAX under jit: the losses beside those of the framework
alone, and the time of a step.

    python benchmarks/cuda_training.py                # on a machine with a GPU and a compiler (ziglang)
    python benchmarks/cuda_training.py --from DIR     # with what `cuda.py --prepare DIR` has written
    python benchmarks/cuda_training.py --small        # emulated, where there is no GPU

The model is `functions(layer_norm(x W))`, with the kernels `layer_norm` and `functions`, whose gain, bias and W learn.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from cuda import kernels
from cuda_cases import CASES

import gradir.jax

STEPS, RATE = 30, 0.05


def data(small: bool) -> tuple[list[np.ndarray], np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    rows, inner, n = (8, 5, 64) if small else (8192, 64, 1024)
    x = rng.normal(size=(rows, inner)).astype(np.float32)
    w = rng.normal(size=(inner, n)).astype(np.float32) / inner**0.5
    goal = rng.normal(size=(rows, n)).astype(np.float32)
    return [w, np.ones(n, np.float32), np.zeros(n, np.float32)], x, goal


def launches(block: int) -> tuple[dict[str, Any], dict[str, Any]]:
    norm = {"grid": lambda x: x.shape[0], "block": block, "n": lambda x: x.shape[1], "y": "x"}
    each = {"grid": lambda x: -(-x.size // block), "block": block, "n": lambda x: x.size, "y": "x"}
    return norm, each


def by_torch(k: Any, own: bool, small: bool) -> tuple[list[float], float]:
    import torch

    import gradir.torch

    device = "cpu" if small else "cuda"
    torch.backends.cuda.matmul.allow_tf32 = False
    parameters, x, goal = data(small)
    weights = [torch.tensor(p, device=device, requires_grad=True) for p in parameters]
    x, goal = torch.tensor(x, device=device), torch.tensor(goal, device=device)
    each = CASES["functions"].function
    if own:
        how = launches(32 if small else 256)
        layer_norm, functions = (
            gradir.torch.function(k, n, **h) for n, h in zip(("layer_norm", "functions"), how, strict=True)
        )
    else:

        class Numpy:  # the names that the functions of cuda_cases.py ask for
            sqrt, tanh, log, exp = torch.sqrt, torch.tanh, torch.log, torch.exp

        def layer_norm(h: Any, gain: Any, bias: Any) -> Any:
            mean = h.mean(1, keepdim=True)
            return (h - mean) / torch.sqrt((h * h).mean(1, keepdim=True) - mean**2 + 1e-5) * gain + bias

        def functions(h: Any) -> Any:
            return each(Numpy, 0, h, None)

    def step() -> Any:
        w, gain, bias = weights
        loss = (functions(layer_norm(x @ w, gain, bias)) - goal).pow(2).mean()
        for p, g in zip(weights, torch.autograd.grad(loss, weights), strict=True):
            p.data -= RATE * g
        return loss.detach()

    return measured(step, (lambda: None) if small else torch.cuda.synchronize)


def by_jax(k: Any, own: bool, small: bool) -> tuple[list[float], float]:
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_default_matmul_precision", "highest")
    weights, x, goal = data(small)
    if own:
        how = launches(32 if small else 256)
        layer_norm, functions = (
            gradir.jax.function(k, n, **h) for n, h in zip(("layer_norm", "functions"), how, strict=True)
        )
    else:

        def layer_norm(h: Any, gain: Any, bias: Any) -> Any:
            return CASES["layer_norm"].function(jnp, 0, h, gain, bias, None)

        def functions(h: Any) -> Any:
            return CASES["functions"].function(jnp, 0, h, None)

    def loss(weights: Any) -> Any:
        w, gain, bias = weights
        return ((functions(layer_norm(x @ w, gain, bias)) - goal) ** 2).mean()

    @jax.jit
    def update(weights: Any) -> Any:
        value, slopes = jax.value_and_grad(loss)(weights)
        return value, [p - RATE * g for p, g in zip(weights, slopes, strict=True)]

    state = [[jnp.asarray(p) for p in weights]]

    def step() -> Any:
        value, state[0] = update(state[0])
        return value

    return measured(step, lambda: jax.block_until_ready(state[0]))


def measured(step: Any, wait: Any) -> tuple[list[float], float]:
    """The losses of the first steps, and the time of one of those that follow."""
    losses = [float(step()) for _ in range(STEPS)]
    best = 1e9
    for _ in range(5):
        wait()
        start = time.perf_counter()
        for _ in range(10):
            step()
        wait()
        best = min(best, (time.perf_counter() - start) / 10)
    return losses, best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--from", dest="folder", type=Path, metavar="DIR")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    k = kernels("float", options.folder)
    for name, train in (("PyTorch", by_torch), ("JAX", by_jax)):
        (ours, time_ours), (theirs, time_theirs) = (train(k, own, options.small) for own in (True, False))
        apart = max(abs(a - b) / b for a, b in zip(ours, theirs, strict=True))
        print(
            f"{name:8} loss {ours[0]:.5f} -> {ours[-1]:.5f} (alone {theirs[-1]:.5f}, apart by {apart:.1e}), "
            f"a step {time_ours * 1e3:.3f} ms (alone {time_theirs * 1e3:.3f} ms)",
            flush=True,
        )


if __name__ == "__main__":
    main()
