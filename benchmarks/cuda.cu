// Ten kernels, for tests/cuda and benchmarks/cuda.py. `real` is float unless the compiler is told otherwise.
#ifndef real
#define real float
#endif
#define TILE 16
#define THREADS 256

// y = a x + y
extern "C" __global__ void saxpy(int n, real a, const real *__restrict__ x, real *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// C = A B, by tiles in shared memory; n is a multiple of TILE.
extern "C" __global__ void matmul(int n, const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c) {
  __shared__ real as[TILE][TILE], bs[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  real sum = 0;
  for (int k = 0; k < n; k += TILE) {
    as[ty][tx] = a[row * n + k + tx];
    bs[ty][tx] = b[(k + ty) * n + column];
    __syncthreads();
    for (int j = 0; j < TILE; j++) sum += as[ty][j] * bs[j][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__device__ real warp_sum(real v) {
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  return v;
}

// The sum of squares: warps by shuffles, blocks by shared memory, the grid by atomics.
extern "C" __global__ void sum_squares(int n, const real *__restrict__ x, real *__restrict__ out) {
  __shared__ real parts[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  real v = 0;
  if (i < n) v = x[i] * x[i];
  v = warp_sum(v);
  if ((t & 31) == 0) parts[t >> 5] = v;
  __syncthreads();
  if (t < 32) {
    real w = 0;
    if (t < (blockDim.x >> 5)) w = parts[t];
    w = warp_sum(w);
    if (t == 0) atomicAdd(out, w);
  }
}

// Each block has a row: the largest and the sum by halving in shared memory.
extern "C" __global__ void softmax(int n, const real *__restrict__ x, real *__restrict__ y) {
  __shared__ real s[THREADS];
  int t = threadIdx.x;
  const real *row = x + blockIdx.x * n;
  real most = row[t];
  for (int i = t; i < n; i += blockDim.x) most = fmax(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = blockDim.x / 2; d; d >>= 1) {
    if (t < d) s[t] = fmax(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  real sum = 0;
  for (int i = t; i < n; i += blockDim.x) sum += exp(row[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  for (int i = t; i < n; i += blockDim.x) y[blockIdx.x * n + i] = exp(row[i] - most) / s[0];
}

// Each block has a row; n is a multiple of the block's size.
extern "C" __global__ void layer_norm(int n, const real *__restrict__ x, const real *__restrict__ gain,
                                      const real *__restrict__ bias, real *__restrict__ y) {
  __shared__ real s[THREADS], q[THREADS];
  int t = threadIdx.x;
  const real *row = x + blockIdx.x * n;
  real sum = 0, squares = 0;
  for (int i = t; i < n; i += blockDim.x) {
    sum += row[i];
    squares += row[i] * row[i];
  }
  s[t] = sum;
  q[t] = squares;
  __syncthreads();
  for (int d = blockDim.x / 2; d; d >>= 1) {
    if (t < d) {
      s[t] += s[t + d];
      q[t] += q[t + d];
    }
    __syncthreads();
  }
  real mean = s[0] / n, scale = rsqrt(q[0] / n - mean * mean + (real)1e-5);
  for (int i = t; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (row[i] - mean) * scale * gain[i] + bias[i];
}

// A step of u' = div(grad u) + u (1 - u), on the inner points.
extern "C" __global__ void stencil(int n, real k, const real *__restrict__ u, real *__restrict__ v) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, i = y * n + x;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  real here = u[i];
  v[i] = here + k * (u[i - 1] + u[i + 1] + u[i - n] + u[i + n] - 4 * here) + here * (1 - here);
}

// Accelerations of n bodies (a multiple of the block's size), by tiles in shared memory.
extern "C" __global__ void nbody(int n, const real *__restrict__ p, const real *__restrict__ m, real *__restrict__ a) {
  __shared__ real s[4][THREADS];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  real x = p[3 * i], y = p[3 * i + 1], z = p[3 * i + 2], ax = 0, ay = 0, az = 0;
  for (int tile = 0; tile < n; tile += blockDim.x) {
    int j = tile + t;
    s[0][t] = p[3 * j];
    s[1][t] = p[3 * j + 1];
    s[2][t] = p[3 * j + 2];
    s[3][t] = m[j];
    __syncthreads();
    for (int k = 0; k < blockDim.x; k++) {
      real dx = s[0][k] - x, dy = s[1][k] - y, dz = s[2][k] - z;
      real r = rsqrt(dx * dx + dy * dy + dz * dz + (real)0.01), f = s[3][k] * r * r * r;
      ax += f * dx;
      ay += f * dy;
      az += f * dz;
    }
    __syncthreads();
  }
  a[3 * i] = ax;
  a[3 * i + 1] = ay;
  a[3 * i + 2] = az;
}

// Newton's iteration for the cube root, until it stands still: each thread takes as many turns as it needs.
extern "C" __global__ void newton(int n, const real *__restrict__ x, real *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  real v = x[i], r = 1;
  while (fabs(r * r * r - v) > (real)1e-5 * v) r = r - (r * r * r - v) / (3 * r * r);
  y[i] = r;
}

// Weighted values into bins.
extern "C" __global__ void scatter(int n, const int *__restrict__ bin, const real *__restrict__ w,
                                   const real *__restrict__ x, real *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&out[bin[i]], w[i] * x[i]);
}

struct Gelu {
  __device__ real operator()(real x) const {
    return (real)0.5 * x * (1 + tanh((real)0.7978845608 * (x + (real)0.044715 * x * x * x)));
  }
};
__device__ real softplus(real x) { return log(1 + exp(x)); }
template <class F> __device__ real twice(F f, real x) { return f(f(x)); }

// Device functions that are given to others, as an object and by their address.
extern "C" __global__ void functions(int n, const real *__restrict__ x, real *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = twice(Gelu(), x[i]) * twice(softplus, x[i]);
}
