"""Ten CUDA kernels on a GPU: their gradients against JAX's, and what a gradient costs.

    python benchmarks/cuda.py                      # on a machine with a GPU and a compiler (ziglang)
    python benchmarks/cuda.py --prepare DIR        # on one with a compiler: writes DIR/*.ll
    python benchmarks/cuda.py --from DIR           # on one with a GPU alone

Values are compared in double precision at small sizes, times taken in single precision at large ones. `ratio` is the
time of the reverse derivative (which runs the kernel, too) over that of the kernel. Bytes per second count each array
once, and in the gradient each shadow twice.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))

from cuda_cases import CASES, Case, is_float

import gradir
from gradir.frontends.cuda.driver import DeviceArray, device_name, synchronize

SOURCE = Path(__file__).parent / "cuda.cu"
REALS = ("double", "float")


def kernels(real: str, folder: Path | None) -> Any:
    if folder is not None:
        return gradir.load(folder / f"cuda_{real}.ll")
    return gradir.load(SOURCE, flags=[f"-Dreal={real}"])


def given(arguments: list[Any], dtype: Any) -> list[Any]:
    """The arguments on the device."""
    return [
        DeviceArray(v.astype(dtype) if v.dtype.kind == "f" else v) if isinstance(v, np.ndarray) else v
        for v in arguments
    ]


def shadows_of(case: Case, arguments: list[Any], seed: Any, dtype: Any) -> list[Any]:
    made = []
    for k, v in enumerate(arguments):
        if is_float(v):
            made.append(DeviceArray(np.asarray(seed if k == case.output else np.zeros(np.shape(v) or 1), dtype)))
    return made


def check(k: Any, name: str, case: Case) -> float:
    """The largest difference to JAX's values, gradients and tangents, in units of the largest of each."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)
    rng = np.random.default_rng(0)
    grid, block, arguments = case.make(rng, False)
    floats = [n for n, v in enumerate(arguments) if is_float(v)]

    def function(*values: Any) -> Any:
        full = list(arguments)
        for n, v in zip(floats, values, strict=True):
            full[n] = v
        return case.function(jnp, *full)

    with jax.default_device(jax.devices("cpu")[0]):
        wanted, pull = jax.vjp(function, *(arguments[n] for n in floats))
        seed = rng.normal(size=wanted.shape)
        expected = [np.asarray(e) for e in pull(seed)]
        tangents = [rng.normal(size=np.shape(arguments[n])) for n in floats]
        _, pushed = jax.jvp(function, [arguments[n] for n in floats], tangents)
    run = given(arguments, np.float64)
    k[name][grid, block](*run)
    pairs = [(run[case.output].get(), np.asarray(wanted))]
    shadows = shadows_of(case, arguments, seed, np.float64)
    k.vjp(name)[grid, block](*given(arguments, np.float64), *shadows)
    pairs += [(s.get().reshape(e.shape), e) for s, e in zip(shadows, expected, strict=True)]
    moved = [float(t) if np.ndim(t) == 0 else DeviceArray(t) for t in tangents]
    k.jvp(name)[grid, block](*given(arguments, np.float64), *moved)
    pairs.append((moved[floats.index(case.output)].get(), np.asarray(pushed)))
    return max(float(np.max(abs(a - b)) / (np.max(abs(b)) + 1e-30)) if np.any(b != a) else 0.0 for a, b in pairs)


def seconds(launch: Any, arguments: list[Any]) -> float:
    """The time of one launch, of many."""
    for _ in range(3):
        launch(*arguments)
    synchronize()
    count, best = 1, 1e9
    for _ in range(6):
        start = time.perf_counter()
        for _ in range(count):
            launch(*arguments)
        synchronize()
        took = (time.perf_counter() - start) / count
        best = min(best, took)
        count = max(1, min(200, int(0.02 / took)))
    return best


def speed(k: Any, name: str, case: Case) -> str:
    rng = np.random.default_rng(0)
    grid, block, arguments = case.make(rng, True)
    dtype = np.float32
    run = given(arguments, dtype)
    seed = rng.normal(size=np.shape(arguments[case.output]))
    shadows = shadows_of(case, arguments, seed, dtype)
    bytes = sum(v.size * 4 for v in arguments if isinstance(v, np.ndarray))
    more = sum(2 * v.size * 4 for v in arguments if isinstance(v, np.ndarray) and v.dtype.kind == "f")
    primal = seconds(k[name][grid, block], run)
    gradient = seconds(k.vjp(name)[grid, block], [*run, *shadows])
    rates = f"{bytes / primal / 1e9:7.0f} GB/s {(bytes + more) / gradient / 1e9:7.0f} GB/s"
    return f"{primal * 1e6:10.1f} us {gradient * 1e6:11.1f} us  ratio {gradient / primal:6.2f}  {rates}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--prepare", type=Path, metavar="DIR")
    parser.add_argument("--from", dest="folder", type=Path, metavar="DIR")
    parser.add_argument("names", nargs="*", help="some of the kernels")
    options = parser.parse_args()
    if options.prepare is not None:
        options.prepare.mkdir(parents=True, exist_ok=True)
        for real in REALS:
            kernels(real, None).save(options.prepare / f"cuda_{real}.ll")
        return
    double, single = (kernels(real, options.folder) for real in REALS)
    print(device_name())
    for name in options.names or CASES:
        try:
            print(f"{name:12} error {check(double, name, CASES[name]):.1e}", end=" ", flush=True)
            print(speed(single, name, CASES[name]), flush=True)
        except gradir.GradirError as error:
            print(f"\n{name}: {error}", flush=True)


if __name__ == "__main__":
    main()
