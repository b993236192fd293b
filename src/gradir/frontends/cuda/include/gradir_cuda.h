// What a kernel needs of CUDA, without CUDA's toolkit: included before every .cu file that gradir compiles.
//
// Warp shuffles of floats are functions with derivatives of their own (`_augmented`, `_reverse`, `_forward`: see
// machine/rules/registry.py). Nothing else here is special: the rest is differentiated as any code is.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict
#define GRADIR_CUDA 1
#define __CUDACC__ 1

#define GRADIR_INLINE static __inline__ __attribute__((device, always_inline))

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INT8_TYPE__ int8_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __INT16_TYPE__ int16_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __INT32_TYPE__ int32_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT64_TYPE__ uint64_t;

// -- Vectors ----------------------------------------------------------------------------------------------------------

#define GRADIR_VECTORS(T, name)                                                                                     \
  struct __attribute__((aligned(2 * sizeof(T)))) name##2 { T x, y; };                                               \
  struct name##3 { T x, y, z; };                                                                                    \
  struct __attribute__((aligned(4 * sizeof(T) > 16 ? 16 : 4 * sizeof(T)))) name##4 { T x, y, z, w; };               \
  GRADIR_INLINE name##2 make_##name##2(T x, T y) { return {x, y}; }                                                 \
  GRADIR_INLINE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                         \
  GRADIR_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
GRADIR_VECTORS(float, float)
GRADIR_VECTORS(double, double)
GRADIR_VECTORS(int, int)
GRADIR_VECTORS(unsigned, uint)
#undef GRADIR_VECTORS

struct dim3 {
  unsigned x, y, z;
  __device__ constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// -- Where a thread is --------------------------------------------------------------------------------------------------

#define GRADIR_REGISTER(name, sreg)                                                                                 \
  struct __gradir_##name {                                                                                          \
    __declspec(property(get = get_x)) unsigned x;                                                                   \
    __declspec(property(get = get_y)) unsigned y;                                                                   \
    __declspec(property(get = get_z)) unsigned z;                                                                   \
    static __inline__ __attribute__((device, always_inline)) unsigned get_x() {                                     \
      return __nvvm_read_ptx_sreg_##sreg##_x();                                                                     \
    }                                                                                                               \
    static __inline__ __attribute__((device, always_inline)) unsigned get_y() {                                     \
      return __nvvm_read_ptx_sreg_##sreg##_y();                                                                     \
    }                                                                                                               \
    static __inline__ __attribute__((device, always_inline)) unsigned get_z() {                                     \
      return __nvvm_read_ptx_sreg_##sreg##_z();                                                                     \
    }                                                                                                               \
  };                                                                                                                \
  extern const __device__ __attribute__((weak)) __gradir_##name name;
GRADIR_REGISTER(threadIdx, tid)
GRADIR_REGISTER(blockIdx, ctaid)
GRADIR_REGISTER(blockDim, ntid)
GRADIR_REGISTER(gridDim, nctaid)
#undef GRADIR_REGISTER
#define warpSize 32

GRADIR_INLINE unsigned __gradir_lane() {
  unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  return t & 31;
}

GRADIR_INLINE void __syncwarp(unsigned mask = ~0u) { __nvvm_bar_warp_sync(mask); }
GRADIR_INLINE void __threadfence() { __nvvm_membar_gl(); }
GRADIR_INLINE void __threadfence_block() { __nvvm_membar_cta(); }

template <class T> GRADIR_INLINE T __ldg(const T *p) { return *p; }

// -- Atomics ------------------------------------------------------------------------------------------------------------

#define GRADIR_ATOMIC(name, operation, T)                                                                           \
  GRADIR_INLINE T name(T *p, T v) { return operation(p, v, __ATOMIC_RELAXED); }
#define GRADIR_ATOMICS(T)                                                                                           \
  GRADIR_ATOMIC(atomicAdd, __atomic_fetch_add, T)                                                                   \
  GRADIR_ATOMIC(atomicSub, __atomic_fetch_sub, T)                                                                   \
  GRADIR_ATOMIC(atomicMin, __atomic_fetch_min, T)                                                                   \
  GRADIR_ATOMIC(atomicMax, __atomic_fetch_max, T)                                                                   \
  GRADIR_ATOMIC(atomicAnd, __atomic_fetch_and, T)                                                                   \
  GRADIR_ATOMIC(atomicOr, __atomic_fetch_or, T)                                                                     \
  GRADIR_ATOMIC(atomicXor, __atomic_fetch_xor, T)                                                                   \
  GRADIR_ATOMIC(atomicExch, __atomic_exchange_n, T)                                                                 \
  GRADIR_INLINE T atomicCAS(T *p, T expected, T v) {                                                                \
    __atomic_compare_exchange_n(p, &expected, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                        \
    return expected;                                                                                                \
  }
GRADIR_ATOMICS(int)
GRADIR_ATOMICS(unsigned)
GRADIR_ATOMICS(unsigned long long)
#undef GRADIR_ATOMICS
GRADIR_ATOMIC(atomicAdd, __atomic_fetch_add, float)
GRADIR_ATOMIC(atomicAdd, __atomic_fetch_add, double)
#undef GRADIR_ATOMIC

// -- Warp shuffles --------------------------------------------------------------------------------------------------------

GRADIR_INLINE int __gradir_segment(int width, int clamp) { return ((32 - width) << 8) | clamp; }

#define GRADIR_SHUFFLE(name, builtin, clamp)                                                                        \
  GRADIR_INLINE int __gradir_##name(unsigned mask, int v, int by, int width) {                                      \
    return __nvvm_shfl_sync_##builtin##_i32(mask, v, by, __gradir_segment(width, clamp));                           \
  }                                                                                                                 \
  GRADIR_INLINE float __gradir_##name(unsigned mask, float v, int by, int width) {                                  \
    return __nvvm_shfl_sync_##builtin##_f32(mask, v, by, __gradir_segment(width, clamp));                           \
  }                                                                                                                 \
  GRADIR_INLINE double __gradir_##name(unsigned mask, double v, int by, int width) {                                \
    long long bits = __builtin_bit_cast(long long, v);                                                              \
    int low = __gradir_##name(mask, (int)bits, by, width), high = __gradir_##name(mask, (int)(bits >> 32), by, width); \
    return __builtin_bit_cast(double, ((long long)high << 32) | (unsigned)low);                                     \
  }                                                                                                                 \
  GRADIR_INLINE int __shfl_##name##_sync(unsigned mask, int v, int by, int width = 32) {                            \
    return __gradir_##name(mask, v, by, width);                                                                     \
  }                                                                                                                 \
  GRADIR_INLINE unsigned __shfl_##name##_sync(unsigned mask, unsigned v, int by, int width = 32) {                  \
    return __gradir_##name(mask, (int)v, by, width);                                                                \
  }
GRADIR_SHUFFLE(down, down, 31)
GRADIR_SHUFFLE(up, up, 0)
GRADIR_SHUFFLE(xor, bfly, 31)
GRADIR_SHUFFLE(idx, idx, 31)
#undef GRADIR_SHUFFLE
GRADIR_INLINE int __shfl_sync(unsigned mask, int v, int lane, int width = 32) {
  return __gradir_idx(mask, v, lane, width);
}
GRADIR_INLINE unsigned __shfl_sync(unsigned mask, unsigned v, int lane, int width = 32) {
  return __gradir_idx(mask, (int)v, lane, width);
}

// What a lane gets back: the cotangents of those lanes that read its value, itself among them at the ends.
template <class T> GRADIR_INLINE T __gradir_down_back(unsigned mask, T d, int by, int width) {
  int lane = __gradir_lane() & (width - 1);
  T other = __gradir_up(mask, d, by, width);
  return (lane + (by & 31) >= width ? d : 0) + (lane >= (by & 31) ? other : 0);
}
template <class T> GRADIR_INLINE T __gradir_up_back(unsigned mask, T d, int by, int width) {
  int lane = __gradir_lane() & (width - 1);
  T other = __gradir_down(mask, d, by, width);
  return (lane < (by & 31) ? d : 0) + (lane + (by & 31) < width ? other : 0);
}
template <class T> GRADIR_INLINE T __gradir_xor_back(unsigned mask, T d, int by, int width) {
  int lane = __gradir_lane(), from = lane ^ (by & 31);
  T other = __gradir_xor(mask, d, by, 32);
  return (from > (lane | (width - 1)) ? d : 0) + (lane <= (from | (width - 1)) ? other : 0);
}
template <class T> GRADIR_INLINE T __gradir_idx_back(unsigned mask, T d, int by, int width) {
  int lane = __gradir_lane(), from = (lane & ~(width - 1)) | (by & (width - 1));
  T sum = 0;
  for (int k = 0; k < 32; k++) {
    if (!(mask >> k & 1)) continue;
    int source = __gradir_idx(mask, from, k, 32);
    T other = __gradir_idx(mask, d, k, 32);
    if (source == lane) sum += other;
  }
  return sum;
}

template <class T> struct __gradir_taped { void *tape; T value; };
template <class T> struct __gradir_dual { T value, tangent; };

#define GRADIR_KEPT extern "C" __device__ __attribute__((noinline, used))
#define GRADIR_RULES(name, public, T, suffix)                                                                       \
  GRADIR_KEPT T __gradir_shfl_##name##_##suffix(unsigned mask, T v, int by, int width) {                            \
    return __gradir_##name(mask, v, by, width);                                                                     \
  }                                                                                                                 \
  GRADIR_KEPT __gradir_taped<T> __gradir_shfl_##name##_##suffix##_augmented(unsigned mask, T v, int by, int width) { \
    return {nullptr, __gradir_##name(mask, v, by, width)};                                                          \
  }                                                                                                                 \
  GRADIR_KEPT T __gradir_shfl_##name##_##suffix##_reverse(unsigned mask, T v, int by, int width, T d, void *) {     \
    return __gradir_##name##_back(mask, d, by, width);                                                              \
  }                                                                                                                 \
  GRADIR_KEPT __gradir_dual<T> __gradir_shfl_##name##_##suffix##_forward(unsigned mask, T v, T d, int by, int width) { \
    return {__gradir_##name(mask, v, by, width), __gradir_##name(mask, d, by, width)};                              \
  }                                                                                                                 \
  GRADIR_INLINE T public(unsigned mask, T v, int by, int width = 32) {                                              \
    return __gradir_shfl_##name##_##suffix(mask, v, by, width);                                                     \
  }
#define GRADIR_BOTH(name, public) GRADIR_RULES(name, public, float, f32) GRADIR_RULES(name, public, double, f64)
GRADIR_BOTH(down, __shfl_down_sync)
GRADIR_BOTH(up, __shfl_up_sync)
GRADIR_BOTH(xor, __shfl_xor_sync)
GRADIR_BOTH(idx, __shfl_sync)
#undef GRADIR_BOTH
#undef GRADIR_RULES

// -- Math -----------------------------------------------------------------------------------------------------------------

// Integers are doubles to functions of one number, and beside a double; beside a float they are floats, as in CUDA.
template <bool, class T> struct __gradir_if {};
template <class T> struct __gradir_if<true, T> { typedef T type; };
template <class A, class B> struct __gradir_common { typedef double type; };
template <class B> struct __gradir_common<float, B> { typedef typename __gradir_if<__is_integral(B), float>::type type; };
template <class A> struct __gradir_common<A, float> { typedef typename __gradir_if<__is_integral(A), float>::type type; };
template <> struct __gradir_common<float, double> { typedef double type; };
template <> struct __gradir_common<double, float> { typedef double type; };
template <> struct __gradir_common<float, float> {};
template <> struct __gradir_common<double, double> {};

#define GRADIR_MATH1(name)                                                                                          \
  template <class T> GRADIR_INLINE typename __gradir_if<__is_integral(T), double>::type name(T x) {                 \
    return __builtin_##name(x);                                                                                     \
  }                                                                                                                 \
  GRADIR_INLINE float name##f(float x) { return __builtin_##name##f(x); }                                           \
  GRADIR_INLINE float name(float x) { return __builtin_##name##f(x); }                                              \
  GRADIR_INLINE double name(double x) { return __builtin_##name(x); }
#define GRADIR_MATH2(name)                                                                                          \
  GRADIR_INLINE float name##f(float x, float y) { return __builtin_##name##f(x, y); }                               \
  GRADIR_INLINE float name(float x, float y) { return __builtin_##name##f(x, y); }                                  \
  GRADIR_INLINE double name(double x, double y) { return __builtin_##name(x, y); }                                  \
  template <class A, class B> GRADIR_INLINE typename __gradir_common<A, B>::type name(A x, B y) {                   \
    typedef typename __gradir_common<A, B>::type T;                                                                 \
    return name((T)x, (T)y);                                                                                        \
  }
GRADIR_MATH1(exp) GRADIR_MATH1(exp2) GRADIR_MATH1(expm1) GRADIR_MATH1(log) GRADIR_MATH1(log2) GRADIR_MATH1(log10)
GRADIR_MATH1(log1p) GRADIR_MATH1(sqrt) GRADIR_MATH1(cbrt) GRADIR_MATH1(sin) GRADIR_MATH1(cos) GRADIR_MATH1(tan)
GRADIR_MATH1(asin) GRADIR_MATH1(acos) GRADIR_MATH1(atan) GRADIR_MATH1(sinh) GRADIR_MATH1(cosh) GRADIR_MATH1(tanh)
GRADIR_MATH1(asinh) GRADIR_MATH1(acosh) GRADIR_MATH1(atanh) GRADIR_MATH1(erf) GRADIR_MATH1(erfc) GRADIR_MATH1(tgamma)
GRADIR_MATH1(lgamma) GRADIR_MATH1(fabs) GRADIR_MATH1(floor) GRADIR_MATH1(ceil) GRADIR_MATH1(trunc) GRADIR_MATH1(rint)
GRADIR_MATH1(round) GRADIR_MATH2(pow) GRADIR_MATH2(fmin) GRADIR_MATH2(fmax) GRADIR_MATH2(fmod) GRADIR_MATH2(hypot)
GRADIR_MATH2(atan2) GRADIR_MATH2(copysign)
#undef GRADIR_MATH1
#undef GRADIR_MATH2
GRADIR_INLINE float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GRADIR_INLINE float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
GRADIR_INLINE double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
GRADIR_INLINE float abs(float x) { return __builtin_fabsf(x); }
GRADIR_INLINE double abs(double x) { return __builtin_fabs(x); }
GRADIR_INLINE int abs(int x) { return x < 0 ? -x : x; }
GRADIR_INLINE float rsqrtf(float x) { return 1.0f / __builtin_sqrtf(x); }
GRADIR_INLINE float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }
GRADIR_INLINE double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }
GRADIR_INLINE float __expf(float x) { return __builtin_expf(x); }
GRADIR_INLINE float __logf(float x) { return __builtin_logf(x); }
GRADIR_INLINE float __sinf(float x) { return __builtin_sinf(x); }
GRADIR_INLINE float __cosf(float x) { return __builtin_cosf(x); }
GRADIR_INLINE float __powf(float x, float y) { return __builtin_powf(x, y); }
GRADIR_INLINE float __fdividef(float x, float y) { return x / y; }
GRADIR_INLINE bool isnan(double x) { return __builtin_isnan(x); }
GRADIR_INLINE bool isinf(double x) { return __builtin_isinf(x); }
#define GRADIR_ORDER(T)                                                                                             \
  GRADIR_INLINE T min(T x, T y) { return x < y ? x : y; }                                                           \
  GRADIR_INLINE T max(T x, T y) { return x > y ? x : y; }
GRADIR_ORDER(int) GRADIR_ORDER(unsigned) GRADIR_ORDER(long) GRADIR_ORDER(unsigned long)
GRADIR_ORDER(float) GRADIR_ORDER(double)
#undef GRADIR_ORDER
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
#define CUDART_INF_F __builtin_inff()
#define CUDART_INF __builtin_inf()
namespace std {
using ::exp; using ::log; using ::sqrt; using ::sin; using ::cos; using ::tanh; using ::pow; using ::fabs; using ::abs;
using ::min; using ::max; using ::fma; using ::size_t;
}
