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
from functools import partial
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


Run = Callable[[], Any]


def table(title: str, columns: list[Any], rows: dict[str, list[Run | None]], rounds: int = 60) -> None:
    """Microseconds of a call: the contenders of a column take turns, and the best of each counts."""
    print(f"{title:44}" + "".join(f"{column:>12}" for column in columns))
    best = {(name, k): float("inf") for name in rows for k in range(len(columns))}
    for k in range(len(columns)):
        runs = {name: run for name, cells in rows.items() if (run := cells[k]) is not None}
        calls = {name: _calls(run) for name, run in runs.items()}
        for _ in range(rounds):
            for name, run in runs.items():
                best[name, k] = min(best[name, k], _seconds(run, calls[name]))
    for name in rows:
        cells = [best[name, k] for k in range(len(columns))]
        print(f"{name:44}" + "".join(f"{1e6 * c:12.2f}" if c < float("inf") else f"{'':12}" for c in cells), flush=True)
    print()


def _calls(run: Run, seconds: float = 0.003) -> int:
    run()
    return max(1, int(seconds / max(_seconds(run, 3), 1e-7)))


def _seconds(run: Run, calls: int) -> float:
    start = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - start) / calls


def numpy_rows(m: gradir.NativeModule, sizes: list[int]) -> None:
    arrays = [(np.linspace(0, 1, n), np.empty(n)) for n in sizes]
    cubed, square = m.cubed, m.square
    slope, gradient, both = m.grad("cubed"), m.grad("energy"), m.value_and_grad("energy")
    pull, push = m.vjp("square"), m.jvp("square")
    rows: dict[str, list[Run | None]] = {
        "call": [lambda: cubed(1.5), *(partial(square, x, y, x.size, 2.0) for x, y in arrays)],
        "gradient": [lambda: slope(1.5), *(partial(gradient, x, x.size) for x, _ in arrays)],
        "value and gradient": [None, *(partial(both, x, x.size) for x, _ in arrays)],
        "vjp": [None, *(partial(pull, x, y, x.size, 2.0, x) for x, y in arrays)],
        "jvp": [None, *(partial(push, x, y, x.size, 2.0, x) for x, y in arrays)],
        "numpy's own a * x * x": [None, *(lambda x=x: 2.0 * x * x for x, _ in arrays)],
    }
    table("NumPy", ["a number", *sizes], rows)


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
    a = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    tensors = [torch.linspace(0, 1, n, dtype=torch.float64, requires_grad=True) for n in sizes]
    ones = [torch.ones_like(x) for x in tensors]
    for x in tensors:
        assert torch.equal(ours(x, a), ByHand.apply(x, a))
    rows: dict[str, list[Run | None]] = {}
    for name, f in (("gradir.torch.function", ours), ("autograd.Function by hand", ByHand.apply)):
        rows[f"{name}: forward"] = [partial(f, x, a) for x in tensors]
        rows[f"{name}: forward and backward"] = [
            lambda x=x, o=o, f=f: torch.autograd.grad(f(x, a), (x, a), o) for x, o in zip(tensors, ones, strict=True)
        ]
    table("PyTorch", sizes, rows)


def jax_rows(m: gradir.NativeModule, sizes: list[int]) -> None:
    import jax
    import jax.numpy as jnp

    import gradir.jax

    jax.config.update("jax_enable_x64", True)
    square = gradir.jax.function(m.square, y="x", n=_length)
    arrays = [jnp.linspace(0, 1, n) for n in sizes]

    def rows_of(name: str, f: Callable[..., Any]) -> dict[str, list[Run | None]]:
        run, slope = jax.jit(f), jax.jit(jax.grad(lambda x: jnp.sum(f(x, 2.0))))
        return {
            name: [lambda x=x: run(x, 2.0).block_until_ready() for x in arrays],
            f"{name}: gradient": [lambda x=x: slope(x).block_until_ready() for x in arrays],
        }

    rows = rows_of("gradir.jax.function", square) | rows_of("the same in jax.numpy", lambda x, a: a * x * x)
    table("JAX, in jit", sizes, rows)

    def loss(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) * x)

    rows = {}
    for name, transform in (("gradir.jax", gradir.jax), ("jax", jax)):
        one, both = transform.grad(loss), transform.value_and_grad(loss)
        rows[f"{name}.grad"] = [lambda x=x, g=one: g(x).block_until_ready() for x in arrays]
        rows[f"{name}.value_and_grad"] = [lambda x=x, g=both: g(x)[1].block_until_ready() for x in arrays]
    table("JAX, outside of jit: sum(sin(x) * x)", sizes, rows)


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
