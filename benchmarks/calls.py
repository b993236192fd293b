"""What a call costs: native functions from NumPy, PyTorch and JAX, beside what one would write by hand.

    python benchmarks/calls.py

Microseconds for a call, the least of many rounds: on a machine that does something else meanwhile, take all of it from
one run. The function is y = a x² in C, on arrays of doubles. "by hand" is a `torch.autograd.Function` that calls the
same compiled code on the tensors' addresses.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import gradir

KERNEL = """
double cubed(double x) { return x * x * x; }
double energy(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i] * x[i]; return s; }
void square(const double *x, double *y, int n, double a) { for (int i = 0; i < n; i++) y[i] = a * x[i] * x[i]; }
"""


def _length(x: Any) -> int:
    return len(x)


def least(run: Callable[[], Any], rounds: int = 40, seconds: float = 0.01) -> float:
    """Microseconds of a call, in the best of some rounds."""
    run()
    start = time.perf_counter()
    run()
    calls = max(1, int(seconds / max(time.perf_counter() - start, 1e-7)))
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(calls):
            run()
        best = min(best, (time.perf_counter() - start) / calls)
    return best * 1e6


def row(what: str, *cells: float) -> None:
    print(f"{what:44}" + "".join(f"{cell:12.2f}" for cell in cells), flush=True)


def numpy_rows(m: gradir.NativeModule, sizes: list[int]) -> None:
    print(f"{'NumPy':44}{'a number':>12}" + "".join(f"{n:12}" for n in sizes))
    arrays = [(np.linspace(0, 1, n), np.empty(n)) for n in sizes]
    row("call", least(lambda: m.cubed(1.5)), *(least(lambda x=x, y=y: m.square(x, y, x.size, 2.0)) for x, y in arrays))
    slope, gradient, pull, push = m.grad("cubed"), m.grad("energy"), m.vjp("square"), m.jvp("square")
    row("gradient", least(lambda: slope(1.5)), *(least(lambda x=x: gradient(x, x.size)) for x, _ in arrays))
    nothing = float("nan")
    row("vjp", nothing, *(least(lambda x=x, y=y: pull(x, y, x.size, 2.0, x)) for x, y in arrays))
    row("jvp", nothing, *(least(lambda x=x, y=y: push(x, y, x.size, 2.0, x)) for x, y in arrays))
    row("numpy's own a * x * x", nothing, *(least(lambda x=x: 2.0 * x * x) for x, _ in arrays))


def torch_rows(m: gradir.NativeModule, sizes: list[int]) -> None:
    import torch

    import gradir.torch
    from gradir.native.kernel import Layout, kernel_of
    from gradir.native.pure import Pure

    kernel = kernel_of(Layout(Pure(m.square, {"y": "x", "n": _length})))
    call, back = kernel.call, kernel.vjp((True, True)).call

    class ByHand(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, a: Any) -> Any:
            ctx.save_for_backward(x, a)
            y, n = torch.empty_like(x), len(x)
            call(x.data_ptr(), a.data_ptr(), y.data_ptr(), n, n, n)
            return y

        @staticmethod
        def backward(ctx: Any, ct: Any) -> Any:
            x, a = ctx.saved_tensors
            dx, da, n = torch.empty_like(x), torch.empty_like(a), len(x)
            back(x.data_ptr(), a.data_ptr(), ct.data_ptr(), dx.data_ptr(), da.data_ptr(), n, n, n)
            return dx, da

    ours = gradir.torch.function(m.square, y="x", n=_length)
    print(f"{'PyTorch':44}{'':12}" + "".join(f"{n:12}" for n in sizes))
    a = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    tensors = [torch.linspace(0, 1, n, dtype=torch.float64, requires_grad=True) for n in sizes]
    ones = [torch.ones_like(x) for x in tensors]
    for x in tensors:
        assert torch.equal(ours(x, a), ByHand.apply(x, a))
    for name, f in (("gradir.torch.function", ours), ("autograd.Function by hand", ByHand.apply)):
        row(f"{name}: forward", float("nan"), *(least(lambda x=x, f=f: f(x, a)) for x in tensors))
        both = [
            least(lambda x=x, o=o, f=f: torch.autograd.grad(f(x, a), (x, a), o))
            for x, o in zip(tensors, ones, strict=True)
        ]
        row(f"{name}: forward and backward", float("nan"), *both)


def jax_rows(m: gradir.NativeModule, sizes: list[int]) -> None:
    import jax
    import jax.numpy as jnp

    import gradir.jax

    jax.config.update("jax_enable_x64", True)
    square = gradir.jax.function(m.square, y="x", n=_length)
    print(f"{'JAX, in jit':44}{'':12}" + "".join(f"{n:12}" for n in sizes))
    arrays = [jnp.linspace(0, 1, n) for n in sizes]
    for name, f in (("gradir.jax.function", square), ("the same in jax.numpy", lambda x, a: a * x * x)):
        run, slope = jax.jit(f), jax.jit(jax.grad(lambda x, f=f: jnp.sum(f(x, 2.0))))
        row(name, float("nan"), *(least(lambda x=x, run=run: run(x, 2.0).block_until_ready()) for x in arrays))
        row(f"{name}: gradient", float("nan"), *(least(lambda x=x, s=slope: s(x).block_until_ready()) for x in arrays))


def main() -> None:
    sizes = [100, 1_000_000]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "kernel.c"
        source.write_text(KERNEL)
        m = gradir.load(source)
    for rows in (numpy_rows, torch_rows, jax_rows):
        rows(m, sizes)


if __name__ == "__main__":
    main()
