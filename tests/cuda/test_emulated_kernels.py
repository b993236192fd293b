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
