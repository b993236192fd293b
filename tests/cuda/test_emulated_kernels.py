"""Small kernels, each with something that is hard to get right: both modes against central differences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir

PROGRAMS = {
    # What is read was written by another thread, and is overwritten before the reverse sweep.
    "neighbours in shared memory": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int k = 0; k < n; k++) {
    double v = s[(t + 1) % 64] * s[t];
    __syncthreads();
    s[t] = v + 0.5;
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[t];
}""",
    "neighbours at a constant distance": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[65];
  int t = threadIdx.x;
  s[t] = x[blockIdx.x * 64 + t];
  if (t == 0) s[64] = 0.3;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    double v = s[t + 1];
    __syncthreads();
    s[t] = sin(v) * s[t];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[t];
}""",
    "global memory in place": """
__global__ void f(const double *x, double *y, int n) {
  int t = blockIdx.x * 64 + threadIdx.x, other = blockIdx.x * 64 + (threadIdx.x + 1) % 64;
  y[t] = x[t];
  __syncthreads();
  for (int k = 0; k < n; k++) {
    double v = y[other] * y[t];
    __syncthreads();
    y[t] = v;
    __syncthreads();
  }
}""",
    "halves": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x;
  s[t] = 1 + 0.1 * x[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d; d >>= 1) {
    if (t < d) s[t] *= s[t + d];
    __syncthreads();
  }
  y[blockIdx.x * 64 + t] = s[0] * x[blockIdx.x * 64 + t];
}""",
    "an element of shared memory for all": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double factor;
  if (threadIdx.x == 5) factor = x[blockIdx.x * 64] * x[blockIdx.x * 64 + 1];
  __syncthreads();
  y[blockIdx.x * 64 + threadIdx.x] = factor * factor * x[blockIdx.x * 64 + threadIdx.x];
}""",
    "shared memory that is used twice": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = x[i] * x[i];
  __syncthreads();
  double a = s[63 - t];
  __syncthreads();
  s[63 - t] = exp(x[i]);
  __syncthreads();
  y[i] = a * s[t] * s[(t + 7) % 64];
}""",
    "atomics in shared memory": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[4];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (t < 4) s[t] = 0;
  __syncthreads();
  atomicAdd(&s[t % 4], x[i] * x[i]);
  __syncthreads();
  y[i] = s[t / 16] * x[i];
}""",
    "two dimensions": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[8][9];
  int a = threadIdx.x % 8, b = threadIdx.x / 8, base = blockIdx.x * 64;
  s[b][a] = x[base + threadIdx.x];
  __syncthreads();
  y[base + threadIdx.x] = s[a][b] * x[base + threadIdx.x];
}""",
    "vectors": """
__global__ void f(const double *x, double *y, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (threadIdx.x >= 32) return;
  double2 v = ((const double2 *)x)[blockIdx.x * 32 + threadIdx.x];
  ((double2 *)y)[blockIdx.x * 32 + threadIdx.x] = make_double2(v.x * v.y, sin(v.x));
}""",
    "a grid's stride": """
__global__ void f(const double *x, double *y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < 128; i += gridDim.x * blockDim.x / 2)
    atomicAdd(&y[i], x[i] * x[i]);
}""",
    "local arrays": """
__global__ void f(const double *x, double *y, int n) {
  double a[4] = {1, 2, 3, 4};
  int i = blockIdx.x * 64 + threadIdx.x;
  for (int k = 0; k < n + 4; k++) a[k % 4] = a[(k + 1) % 4] * x[i] + 0.1;
  y[i] = a[n % 4];
}""",
    "a warp": """
__global__ void f(const double *x, double *y, int n) {
  __shared__ double s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  s[t] = x[i];
  __syncwarp();
  y[i] = s[t ^ 1] * s[t ^ 3];
}""",
}

SHUFFLES = {
    "down": "__shfl_down_sync(~0u, v, 5)",
    "down in halves": "__shfl_down_sync(~0u, v, 3, 16)",
    "up": "__shfl_up_sync(~0u, v, 7)",
    "up in eighths": "__shfl_up_sync(~0u, v, 2, 4)",
    "xor": "__shfl_xor_sync(~0u, v, 9)",
    "xor beyond": "__shfl_xor_sync(~0u, v, 12, 8)",
    "one lane": "__shfl_sync(~0u, v, 3)",
    "any lane": "__shfl_sync(~0u, v, (threadIdx.x * 7) % 5)",
    "a lane of eight": "__shfl_sync(~0u, v, 10, 8)",
    "some lanes": "((threadIdx.x & 31) < 16 ? __shfl_xor_sync(0xffffu, v, 5) : v)",
}


def shuffled(expression: str, real: str = "double") -> str:
    return f"""
__global__ void f(const {real} *x, {real} *y, int n) {{
  int i = blockIdx.x * 64 + threadIdx.x;
  {real} v = x[i] * x[i], w = {expression};
  y[i] = w * x[i] + w * w;
}}"""


def load(folder: Path, text: str) -> Any:
    (folder / "f.cu").write_text(text)
    return gradir.load(folder / "f.cu")


def check(k: Any, n: int = 3) -> None:
    """Central differences in a random direction, in both modes."""
    rng = np.random.default_rng(0)
    x, tx, seed = (rng.uniform(0.2, 1.2, 128) for _ in range(3))

    def run(x: Any) -> Any:
        y = np.zeros(128)
        k["f"][2, 64](x, y, n)
        return y

    h = 1e-6
    numeric = (run(x + h * tx) - run(x - h * tx)) / (2 * h)
    tangent = np.zeros(128)
    k.jvp("f")[2, 64](x, np.zeros(128), n, tx, tangent)
    # A step of 1e-6 leaves about nine digits.
    np.testing.assert_allclose(tangent, numeric, rtol=2e-7, atol=1e-8)
    dx, dy = np.zeros(128), seed.copy()
    k.vjp("f")[2, 64](x, np.zeros(128), n, dx, dy)
    np.testing.assert_allclose(dx @ tx, tangent @ seed, rtol=1e-11)
    # Not only along one direction: each element of the gradient by a tangent of its own, of some.
    for at in (0, 1, 31, 32, 63, 64, 100, 127):
        one, tangent = np.eye(128)[at], np.zeros(128)
        k.jvp("f")[2, 64](x, np.zeros(128), n, one, tangent)
        np.testing.assert_allclose(dx[at], tangent @ seed, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", PROGRAMS)
def test_derivatives(tmp_path: Path, name: str) -> None:
    check(load(tmp_path, PROGRAMS[name]))


@pytest.mark.parametrize("name", SHUFFLES)
def test_shuffles_are_transposed(tmp_path: Path, name: str) -> None:
    check(load(tmp_path, shuffled(SHUFFLES[name])))


def test_shuffles_of_single_precision(tmp_path: Path) -> None:
    k = load(tmp_path, shuffled(SHUFFLES["down in halves"], "float"))
    x = np.random.default_rng(0).uniform(0.2, 1.2, 128).astype(np.float32)
    dx, dy, y = np.zeros(128, np.float32), np.ones(128, np.float32), np.zeros(128, np.float32)
    k.vjp("f")[2, 64](x, y, 1, dx, dy)
    lane = np.arange(128) % 16
    source = np.where(lane < 13, np.arange(128) + 3, np.arange(128))
    w = x[source] ** 2
    expected = w.copy()
    np.add.at(expected, source, (x + 2 * w) * 2 * x[source])
    np.testing.assert_allclose(dx, expected, rtol=1e-6)


@pytest.mark.parametrize(("real", "block"), [("float", 32), ("double", 1)])
def test_numbers_of_many_blocks(tmp_path: Path, real: str, block: int) -> None:
    """Sums over more than a thousand blocks are made in several places first, and added to what is there."""
    (tmp_path / "f.cu").write_text(
        "__global__ void f(int n, real a, real b, const real *__restrict__ x, real *__restrict__ y) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = a * x[i] + b * b;\n"
        "}\n"
    )
    k, dtype = gradir.load(tmp_path / "f.cu", flags=[f"-Dreal={real}"]), np.dtype(real if real == "double" else "f4")
    n = 1024
    rng = np.random.default_rng(0)
    x, seed = rng.integers(-4, 5, (2, n)).astype(dtype)  # sums of integers are exact
    da, db, dx = np.ones(1, dtype), np.ones(1, dtype), np.zeros(n, dtype)
    for again in (1, 2):  # what is left of the first launch does not count in the second
        k.vjp("f")[1024, block](n, 2.0, 3.0, x, np.zeros(n, dtype), da, db, dx, seed.copy())
        assert da == 1 + again * (x * seed).sum() and db == 1 + again * 6 * seed.sum()
    np.testing.assert_array_equal(dx, 4 * seed)


@pytest.mark.parametrize("block", [(8, 4), (16, 4), (24, 4), (32, 2), (5, 3), (64, 1), (4, 4, 2)], ids=str)
def test_what_threads_read_together(tmp_path: Path, block: tuple[int, ...]) -> None:
    """Lanes that read the same element sum up first: those of a row, of a column, of a block; in code for this launch
    and in code for any."""
    (tmp_path / "f.cu").write_text(
        "__global__ void f(int n, const double *x, const float *w, double *y) {\n"
        "  int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;\n"
        "  double sum = 0;\n"
        "  for (int k = 0; k < n; k++) sum += x[k] * (k + tx) + x[n + ty] * x[tx] + x[tz] * w[k];\n"
        "  for (int k = 0; k < 3; k++) sum += x[ty + k] * w[ty] * x[tx + k] + x[blockIdx.x];\n"
        "  y[((blockIdx.x * blockDim.z + tz) * blockDim.y + ty) * blockDim.x + tx] = sum;\n"
        "}\n"
    )
    shape = (2, *(*block, 1)[2::-1])
    _, tz, ty, tx = np.indices(shape)
    rng, n = np.random.default_rng(0), 5
    x, w = rng.normal(size=80), rng.normal(size=80).astype(np.float32)
    seed = rng.normal(size=shape)
    f = gradir.load(tmp_path / "f.cu").vjp("f")

    def expected() -> tuple[Any, Any]:
        dx, dw = np.zeros(80), np.zeros(80)
        for k in range(n):
            np.add.at(dx, k, (seed * (k + tx)).sum())
            np.add.at(dx, n + ty, seed * x[tx])
            np.add.at(dx, tx, seed * x[n + ty])
            np.add.at(dx, tz, seed * w[k])
            np.add.at(dw, k, (seed * x[tz]).sum())
        for k in range(3):
            np.add.at(dx, ty + k, seed * w[ty] * x[tx + k])
            np.add.at(dx, tx + k, seed * w[ty] * x[ty + k])
            np.add.at(dw, ty, seed * x[ty + k] * x[tx + k])
            np.add.at(dx, np.indices(shape)[0], seed)
        return dx, dw

    generic = f._made_for(None, 0)
    for made_for in (f._made_for, lambda launch, shared: generic):
        f._made_for = made_for
        dx, dw = np.zeros(80), np.zeros(80, np.float32)
        f[2, block](n, x, w, np.zeros(shape), dx, dw, seed.copy())
        for found, wanted, digits in zip((dx, dw), expected(), (1e-12, 2e-5), strict=True):  # sums in another order
            np.testing.assert_allclose(found, wanted, rtol=digits, atol=digits * abs(wanted).max())


@pytest.mark.parametrize("threads", [32, 48])
def test_shared_memory_of_a_launch(tmp_path: Path, threads: int) -> None:
    """The launch says how much `extern __shared__` memory there is; two variables of it are the same memory to CUDA, so
    that a program has one."""
    (tmp_path / "f.cu").write_text(
        "extern __shared__ double s[];\n"
        "__global__ void f(const double *__restrict__ x, double *__restrict__ y) {\n"
        "  int t = threadIdx.x, n = blockDim.x, i = blockIdx.x * n + t;\n"
        "  s[t] = x[i];\n"
        "  s[n + t] = x[i] * x[i];\n"
        "  __syncthreads();\n"
        "  y[i] = s[n - 1 - t] * s[n + (t + 1) % n];\n"
        "}\n"
    )
    k = gradir.load(tmp_path / "f.cu")
    x, seed = np.random.default_rng(0).normal(size=(2, 2, threads))
    y, dx = np.zeros_like(x), np.zeros_like(x)
    bytes = 2 * threads * 8
    k["f"][2, threads, 0, bytes](x, y)
    np.testing.assert_allclose(y, x[:, ::-1] * np.roll(x, -1, 1) ** 2)
    k.vjp("f")[2, threads, 0, bytes](x, np.zeros_like(x), dx, seed.copy())
    expected = (seed * np.roll(x, -1, 1) ** 2)[:, ::-1] + np.roll(seed * x[:, ::-1], 1, 1) * 2 * x
    np.testing.assert_allclose(dx, expected)
    assert ".shared" in k.vjp("f").ptx(shared=bytes)


def test_numbers_of_mixed_kinds_in_math(tmp_path: Path) -> None:
    """As in CUDA: integers beside floats are floats, beside doubles doubles, and doubles to functions of one number."""
    (tmp_path / "f.cu").write_text(
        "__global__ void f(int n, const float *x, float *y, double *z) {\n"
        "  int i = threadIdx.x;\n"
        "  y[i] = pow(x[i], 3) + pow(x[i], 1.5f) + fmax(x[i], 0) + sqrt(x[i]) + rsqrt(x[i]) + fabs(x[i]);\n"
        "  z[i] = pow(2.0, n) + sqrt(n) + fmax(x[i], 1.0) + atan2(x[i], 2) + exp(n) + pow(n, 2) + pow(z[i], n);\n"
        "  static_assert(sizeof(pow(1.0f, 2)) == 4 && sizeof(pow(1.0f, 2.0)) == 8 && sizeof(pow(1, 2)) == 8, \"\");\n"
        "}\n"
    )
    k = gradir.load(tmp_path / "f.cu")
    x, z, n = np.array([1.5, 2], np.float32), np.array([2.0, 3]), 2
    y, after = np.zeros(2, np.float32), z.copy()
    k["f"][1, 2](n, x, y, after)
    np.testing.assert_allclose(y, x**3 + x**1.5 + x + np.sqrt(x) + 1 / np.sqrt(x) + x, rtol=1e-6)
    np.testing.assert_allclose(after, 8 + np.sqrt(2) + x + np.arctan2(x, np.float32(2)) + np.exp(2) + z**2, rtol=1e-7)
    dx, dy, dz = np.zeros(2, np.float32), np.ones(2, np.float32), np.ones(2)
    k.vjp("f")[1, 2](n, x, y, z.copy(), dx, dy, dz)
    slope = 3 * x**2 + 1.5 * np.sqrt(x) + 1 + 0.5 / np.sqrt(x) - 0.5 * x**-1.5 + 1 + 1 + 2 / (x**2 + 4)
    np.testing.assert_allclose(dx, slope, rtol=1e-6)
    np.testing.assert_allclose(dz, 2 * z)
