"""What has no derivative is refused by its name and line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradir

REFUSED = {
    "a barrier for some": (
        """
__global__ void f(const float *x, float *y, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}""",
        "some threads",
        "f.cu:5",
    ),
    "a barrier behind a return": (
        """
__global__ void f(const float *x, float *y, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  s[threadIdx.x] = x[i];
  __syncthreads();
  y[i] = s[0];
}""",
        "some threads",
        "f.cu:7",
    ),
    "a barrier in a loop of its own length": (
        """
__global__ void f(const float *x, float *y, int n) {
  __shared__ float s[64];
  for (int i = 0; i < threadIdx.x; i++) {
    s[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = s[0];
  }
}""",
        "some threads",
        "f.cu:6",
    ),
    "a variable that outlasts the launch": (
        """
__device__ float total;
__global__ void f(const float *x, float *y, int n) {
  total += x[0];
  y[threadIdx.x] = total;
}""",
        "__device__ variable",
        "f.cu:4",
    ),
    "an exchange": (
        """
__global__ void f(const float *x, float *y, int n) {
  unsigned old = atomicCAS((unsigned *)y, __builtin_bit_cast(unsigned, x[0]), __builtin_bit_cast(unsigned, x[1]));
  y[1] = __builtin_bit_cast(float, old);
}""",
        "integers are written where floats are read",
        "f.cu:4",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_its_line(tmp_path: Path, name: str) -> None:
    text, message, line = REFUSED[name]
    (tmp_path / "f.cu").write_text(text)
    k = gradir.load(tmp_path / "f.cu")
    with pytest.raises(gradir.GradirError, match=message) as caught:
        k.vjp("f")
    assert line in str(caught.value)


def test_barriers_that_all_come_to(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text("""
__global__ void f(const float *x, float *y, int n, const int *count) {
  __shared__ float s[64];
  for (int i = 0; i < *count; i++) {
    __syncthreads();
    if (threadIdx.x < 32) s[threadIdx.x] = x[i];
    while (s[0] > threadIdx.x) s[threadIdx.x] *= 0.5f;
  }
  if (n > 3) __syncthreads();
  if (blockIdx.x > 2) return;
  __syncthreads();
  y[threadIdx.x] = s[63 - threadIdx.x];
}""")
    assert "vjp_" in repr(gradir.load(tmp_path / "f.cu").vjp("f"))


def test_files_that_are_no_kernels(tmp_path: Path) -> None:
    with pytest.raises(gradir.GradirError, match="no such file"):
        gradir.load(tmp_path / "none.cu")
    (tmp_path / "f.cu").write_text("__device__ float g(float x) { return x; }")
    with pytest.raises(gradir.GradirError, match="__global__"):
        gradir.load(tmp_path / "f.cu")
    (tmp_path / "f.cu").write_text("__global__ void f() { nothing(); }")
    with pytest.raises(gradir.GradirError, match=r"f\.cu:1.*|doesn't compile"):
        gradir.load(tmp_path / "f.cu")
    (tmp_path / "f.cu").write_text("__global__ void f(float *x) { extern __shared__ float s[]; s[0] = x[0]; }")
    with pytest.raises(gradir.GradirError, match=r"extern __shared__\), here 0"):
        gradir.load(tmp_path / "f.cu")["f"][1, 1](np.zeros(1, np.float32))
    (tmp_path / "g.cu").write_text("__global__ void g(float *x) { x[0] = 1; }")
    with pytest.raises(gradir.GradirError, match="no shared memory whose size a launch says"):
        gradir.load(tmp_path / "g.cu")["g"][1, 1, 0, 64](np.zeros(1, np.float32))


@pytest.mark.parametrize("n", [2.5, 2**31, -(2**31) - 1, "3", None])
def test_what_is_no_integer_is_refused(tmp_path: Path, n: object) -> None:
    """Numbers are not cut to what a parameter holds."""
    source = tmp_path / "f.cu"
    source.write_text("__global__ void f(const float *x, float *y, int n) { y[0] = x[n & 3]; }")
    x = np.ones(4, np.float32)
    with pytest.raises(gradir.InputError, match=r"\bn\b"):
        gradir.load(source)["f"][1, 1](x, x.copy(), n)


def test_two_names_of_the_same_memory(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(
        "extern __shared__ float s[];\nextern __shared__ float r[];\n"
        "__global__ void f(float *x) { s[0] = x[0]; x[0] = r[0]; }\n"
        "__global__ void g(float *x) { s[0] = x[0]; x[0] = s[0]; }\n"
        "__global__ void h(float *x) { x[0] *= 2; }\n"
    )
    k = gradir.load(tmp_path / "f.cu")
    with pytest.raises(gradir.GradirError, match="r and s are the same shared memory"):
        k.vjp("f")
    x, dx = np.ones((2, 1), np.float32)
    k.vjp("g")[1, 1, 0, 4](x, dx)
    assert dx == 1
    k.vjp("h")[1, 1](x, dx)
    assert dx == 2


def test_shadows_that_share_memory(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(
        "__global__ void f(const double *__restrict__ x, const double *__restrict__ y, double *__restrict__ z) {\n"
        "  z[threadIdx.x] = x[threadIdx.x] * y[threadIdx.x];\n"
        "}\n"
    )
    f = gradir.load(tmp_path / "f.cu").vjp("f")
    x, y, z, dx, dz = np.ones((5, 4))
    with pytest.raises(gradir.InputError, match="dx and dy share memory"):
        f[1, 4](x, y, z, dx, dx, dz)
    with pytest.raises(gradir.InputError, match="dz and x share memory"):
        f[1, 4](x, y, z, dx, y.copy(), x)
    both, shadow = np.arange(8.0), np.zeros(8)  # parts of one array, and of its shadow
    f[1, 4](both[:4], both[4:], z, shadow[:4], shadow[4:], dz)
    np.testing.assert_array_equal(shadow, np.roll(both, 4))
