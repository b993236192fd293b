/* What generated programs are written in: the scalar T, its narrow and its wide companion F and L, and floats as bits.
 *
 * With ORACLE they are dual numbers of dual numbers, and what goes through bits goes through a copy instead, which is
 * what bits mean for a derivative. Valid C and C++.
 */
#ifndef FUZZ_SCALAR
#define FUZZ_SCALAR
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define LINK extern "C"
#else
#define LINK
#endif
#define NOINLINE __attribute__((noinline))
#define RESTRICT __restrict

#include <setjmp.h>
#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#endif

#ifdef ORACLE

#include "dual.hpp"
#define VOLATILE
typedef Dual<Dual<double>> T;
typedef Dual<Dual<float>> F;
typedef Dual<Dual<long double>> L;
typedef struct { T t; } Bits;

static inline Bits to_bits(T x) { return {x}; }
static inline T of_bits(Bits b) { return b.t; }
static inline Bits bits_through_union(T x) { return {x}; }
static inline Bits bits_through_cast(const T *x) { return {*x}; }
static inline Bits bits_abs(Bits b) { return {fabs(b.t)}; }
static inline Bits bits_neg(Bits b) { return {-b.t}; }
static inline Bits bits_swapped(Bits b) { return b; }
static inline Bits bits_select(int c, Bits a, Bits b) { return c ? a : b; }
static inline Bits bits_sign_of(Bits a, Bits b) { return {copysign(a.t, b.t)}; }
static inline Bits bits_halves(Bits b) { return b; }
static inline int bits_negative(Bits b) { return b.t < T(0); }
static inline T by_shifts(T x) { return x; }
static inline void atomic_add(T *p, T v) { *p = *p + v; }
#define ALIGNED(p) ((void *)(p))

#else

#define VOLATILE volatile
#ifdef __cplusplus
#include <cmath>
#include <cstdlib>
#include <cstring>
#else
#include <math.h>
#include <stdlib.h>
#include <string.h>
#endif
typedef double T;
typedef float F;
typedef long double L;
typedef uint64_t Bits;

static inline Bits to_bits(T x) { Bits b; memcpy(&b, &x, sizeof b); return b; }
static inline T of_bits(Bits b) { T x; memcpy(&x, &b, sizeof x); return x; }
static inline Bits bits_through_union(T x) { union { T t; Bits b; } u; u.t = x; return u.b; }
static inline Bits bits_through_cast(const T *x) { return *(const Bits *)x; }
static inline Bits bits_abs(Bits b) { return b & 0x7fffffffffffffffu; }
static inline Bits bits_neg(Bits b) { return b ^ 0x8000000000000000u; }
static inline Bits bits_swapped(Bits b) { return __builtin_bswap64(b); }
static inline Bits bits_select(int c, Bits a, Bits b) { Bits m = (Bits)0 - (Bits)(c != 0); return (a & m) | (b & ~m); }
static inline Bits bits_sign_of(Bits a, Bits b) {
    return (a & 0x7fffffffffffffffu) | (b & 0x8000000000000000u);
}
static inline Bits bits_halves(Bits b) {
    uint32_t h[2];
    h[0] = (uint32_t)b;
    h[1] = (uint32_t)(b >> 32);
    return ((Bits)h[1] << 32) | h[0];
}
static inline int bits_negative(Bits b) { return (int)(b >> 63); }
static inline T by_shifts(T x) {
    unsigned char bytes[8];
    Bits b = to_bits(x), r = 0;
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(b >> (8 * i));
    for (int i = 7; i >= 0; i--)
        r = (r << 8) | bytes[i];
    return of_bits(r);
}
static inline void atomic_add(T *p, T v) {
    T old, added;
    __atomic_load(p, &old, __ATOMIC_SEQ_CST);
    do
        added = old + v;
    while (!__atomic_compare_exchange(p, &old, &added, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}
#define ALIGNED(p) __builtin_align_down((char *)(p) + 7, 8)

#endif

/* Byte by byte, through memory: exact for any scalar. */
static inline void copy_bytes(void *to, const void *from, size_t n) {
    unsigned char *p = (unsigned char *)to;
    const unsigned char *q = (const unsigned char *)from;
    for (size_t i = 0; i < n; i++)
        p[i] = q[i];
}

#endif
