// Arithmetic on the bits of floats, and bits that change their order and change it back.
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
#define NI __attribute__((noinline))
#define SIGN 0x8000000000000000u
static NI uint64_t bits(double x) { uint64_t u; memcpy(&u, &x, 8); return u; }
static NI double number(uint64_t u) { double x; memcpy(&x, &u, 8); return x; }

// n = 0, 3
double next_up(const double *x, long n) { double v = x[0]; uint64_t u; memcpy(&u, &v, 8); u++; memcpy(&v, &u, 8); return v * x[1]; }
// n = 0, 3
double next_by(const double *x, long n) { double v = x[0]; uint64_t u; memcpy(&u, &v, 8); u += n; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 0, 3
double next_direct(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u += n; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 0, 3
double next_calls(const double *x, long n) { return number(bits(x[0]) + n) * x[1]; }
// n = 1
double next_down(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u -= n; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 3
double exponent_up(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u += (uint64_t)n << 52; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 0, 3
double next_array(const double *x, long n) { uint64_t u[4]; double v[4]; memcpy(u, x, 32); for (int i = 0; i < 4; i++) u[i] += n; memcpy(v, u, 32); return v[0] * v[1] + v[2] * v[3]; }
// n = 0, 3
double next_cast(const double *x, long n) { double v = x[0]; uint64_t *u = (uint64_t *)&v; *u += n; return v * x[1]; }
// n = 0, 3
double next_union(const double *x, long n) { union { double d; uint64_t u; } v; v.d = x[0]; v.u += n; return v.d * v.d * x[1]; }
static NI void put(double *to, uint64_t u, long n) { u += n; memcpy(to, &u, 8); }
// n = 0, 3
double arg_put(const double *x, long n) { double v; put(&v, bits(x[0]), n); return v * x[1]; }
static NI void put_word(uint64_t *to, uint64_t u, long n) { *to = u + n; }
// n = 0, 3
double arg_put_word(const double *x, long n) { double v = 0; put_word((uint64_t *)&v, bits(x[0]), n); return v * x[1]; }
static NI void bump(uint64_t *p, long n) { *p += n; }
// n = 0, 3
double arg_bump(const double *x, long n) { double v = x[0]; bump((uint64_t *)&v, n); return v * x[1]; }
static NI void bump_bytes(void *p, long n) { uint64_t u; memcpy(&u, p, 8); u += n; memcpy(p, &u, 8); }
// n = 0, 3
double arg_bump_bytes(const double *x, long n) { double v = x[0]; bump_bytes(&v, n); return v * x[1]; }
struct mixed { int a[4]; double b[2]; };
static NI void copy_mixed(struct mixed *to, const struct mixed *from, int k) {
  for (int i = 0; i < 4; i++) to->a[(i + k) % 4] = from->a[i];
  for (int i = 0; i < 2; i++) to->b[(i + k) % 2] = from->b[i]; }
// n = 0, 1
double st_callee(const double *x, long n) { struct mixed s = {{1, 2, 3, 4}, {x[0], x[1]}}, t; copy_mixed(&t, &s, (int)n); return t.b[0] * t.a[0] + t.b[1] * t.b[1] * t.a[1]; }
static NI double swapped(double v) { uint64_t b; memcpy(&b, &v, 8); b = __builtin_bswap64(__builtin_bswap64(b)); memcpy(&v, &b, 8); return v * v; }
// n = 0
double swap_twice(const double *x, long n) { return swapped(x[0]) * x[1]; }

__attribute__((noinline)) static void reversed(void *to, const void *from, long n) {
  char *a = to;
  const char *b = from;
  for (long i = 0; i < n; i++)
    a[i] = b[n - 1 - i];
}

// n = 16
double reverse_twice(const double *x, long n) {
  double y[2], z[2];
  reversed(y, x, n);
  reversed(z, y, n);
  return z[0] * z[1];
}
// n = 0
double swap_stored(const double *x, long n) { uint64_t t[4]; for (int i = 0; i < 4; i++) { uint64_t u; memcpy(&u, &x[i], 8); t[i] = __builtin_bswap64(u); } double s = 0; for (int i = 0; i < 4; i++) { uint64_t u = __builtin_bswap64(t[3 - i]); double v; memcpy(&v, &u, 8); s += v * v * (i + 1); } return s; }
// n = 0
double by_shifts(const double *x, long n) { double v = x[0] * x[1]; uint64_t b, r = 0; memcpy(&b, &v, 8); unsigned char c[8]; for (int i = 0; i < 8; i++) c[i] = (unsigned char)(b >> (8 * i)); for (int i = 7; i >= 0; i--) r = r << 8 | c[i]; memcpy(&v, &r, 8); return v * v; }
static NI void pack(unsigned char *c, double v) { uint64_t b; memcpy(&b, &v, 8); for (int i = 0; i < 8; i++) c[i] = (unsigned char)(b >> (8 * i)); }
static NI double unpack(const unsigned char *c) { uint64_t r = 0; for (int i = 7; i >= 0; i--) r = r << 8 | c[i]; double v; memcpy(&v, &r, 8); return v; }
// n = 0
double packed_calls(const double *x, long n) { unsigned char c[16]; pack(c, x[0] * x[1]); pack(c + 8, x[2]); return unpack(c) * unpack(c + 8); }
// n = 0, 1
double negated_add(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u += 0x8000000000000000ULL; double v; memcpy(&v, &u, 8); return v * v * v * x[1]; }
static NI uint64_t mix(uint64_t u, long n) { return u + (uint64_t)n; }
// n = 0, 3
double ret_sum(const double *x, long n) { return number(mix(bits(x[0]), n)) * x[1]; }
// n = 0, 3
double ordered(const double *x, long n) { int64_t u; memcpy(&u, x, 8); u = u < 0 ? INT64_MIN - u : u; u += n; u = u < 0 ? INT64_MIN - u : u; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 0, 1
double not_not(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u = ~u; u = ~u; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 5
double keyed(const double *x, long n) { uint64_t u, k = 0x1234567u * (uint64_t)n; memcpy(&u, x, 8); u ^= k; uint64_t w[2] = {u, k}; u = w[0] ^ w[1]; double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 5
double rotated(const double *x, long n) { uint64_t u; memcpy(&u, x, 8); u = u << n | u >> (64 - n); u = u >> n | u << (64 - n); double v; memcpy(&v, &u, 8); return v * v * x[1]; }
// n = 2
double float_next(const double *x, long n) { float f = (float)x[0]; uint32_t u; memcpy(&u, &f, 4); u += n; memcpy(&f, &u, 4); return f * x[1]; }
// n = 0
double sign_of(const double *x, long n) { double v = x[0] * x[1], w = x[2]; uint64_t a, b; memcpy(&a, &v, 8); memcpy(&b, &w, 8); a = (a & ~SIGN) | (b & SIGN); memcpy(&v, &a, 8); return v * v * v; }
// n = 0, 1
double sign_flip(const double *x, long n) { double v = x[0] * x[1], w = x[2]; uint64_t a, b; memcpy(&a, &v, 8); memcpy(&b, &w, 8); a ^= b & SIGN; memcpy(&v, &a, 8); return v * v * v; }
// n = 0, 1
double sign_shift(const double *x, long n) { uint64_t a; memcpy(&a, x, 8); a ^= (uint64_t)n << 63; double v; memcpy(&v, &a, 8); return v * v * v * x[1]; }
// n = 0
double sign_calls(const double *x, long n) { return number((bits(x[0]) & ~SIGN) | (bits(x[2]) & SIGN)) * x[1]; }
// n = 0
double sign_float(const double *x, long n) { float v = (float)x[0], w = (float)x[2]; uint32_t a, b; memcpy(&a, &v, 4); memcpy(&b, &w, 4); a = (a & 0x7fffffffu) | (b & 0x80000000u); memcpy(&v, &a, 4); return v * x[1]; }
static NI uint64_t big(double v) { uint64_t b; memcpy(&b, &v, 8); return __builtin_bswap64(b); }
static NI double little(uint64_t b) { double v; b = __builtin_bswap64(b); memcpy(&v, &b, 8); return v; }
// n = 0
double big_endian(const double *x, long n) { return little(big(x[0] * x[1])) * x[2]; }
// n = 4
double big_endian_file(const double *x, long n) { uint64_t *t = malloc(n * 8), *u = malloc(n * 8); for (long i = 0; i < n; i++) t[i] = big(x[i]); memcpy(u, t, n * 8); double s = 0; for (long i = 0; i < n; i++) s += little(u[i]) * little(t[n - 1 - i]) * (i + 1); free(t); free(u); return s; }
// n = 0
double big_endian_float(const double *x, long n) { float f = (float)x[0]; uint32_t u[2]; memcpy(u, &f, 4); u[0] = __builtin_bswap32(u[0]); u[1] = u[0]; u[1] = __builtin_bswap32(u[1]); memcpy(&f, u + 1, 4); return f * x[1]; }
// n = 0, 3
double big_endian_array(const double *x, long n) { uint64_t u[8]; for (int i = 0; i < 8; i++) { double v = x[i & 3] * x[n]; memcpy(u + i, &v, 8); u[i] = __builtin_bswap64(u[i]); } double s = 0; for (int i = 0; i < 8; i++) { uint64_t w = __builtin_bswap64(u[(i + n) & 7]); double v; memcpy(&v, &w, 8); s += v * (i + 1); } return s; }
// n = 0, 2
double sign_of_constant(const double *x, long n) { uint64_t u; memcpy(&u, x + n, 8); u = (u & SIGN) | 0x3fe9000000000000; double v; memcpy(&v, &u, 8); return v * x[n] * x[1]; }
// n = 0, 1
double raw_offset(const double *x, long n) { char raw[40]; double b[4]; memcpy(raw, x, 32); memcpy(b, raw + (((n & 1) ^ 1) << 3), 24); return b[0] * b[1] * b[2]; }
// n = 0
double pairs_swapped(const double *x, long n) { float b[8]; double s = 0; for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1); for (int i = 0; i < 8; i += 2) { uint64_t w; memcpy(&w, b + i, 8); w = __builtin_bswap64(w); memcpy(b + i, &w, 8); } for (int i = 0; i < 8; i++) { uint32_t w; memcpy(&w, b + i, 4); w = __builtin_bswap32(w); memcpy(b + i, &w, 4); } for (int i = 0; i < 8; i++) s += b[i] * (i + 1); return s; }
// n = 0
double big_endian_count(const double *x, long n) { uint64_t t[4] = {big(x[0]), __builtin_bswap64(3), big(x[1]), __builtin_bswap64(5)}; double s = 0; for (int i = 0; i < 4; i += 2) s += little(t[i]) * (double)__builtin_bswap64(t[i + 1]); return s * s; }
// n = 0
double swapped_mask(const double *x, long n) { uint64_t a; memcpy(&a, x + 2, 8); a = __builtin_bswap64(a); a &= ~(uint64_t)0x80; a = __builtin_bswap64(a); double v; memcpy(&v, &a, 8); return v * x[1]; }
// n = 0
double swapped_mask_stored(const double *x, long n) { static uint64_t t[2]; for (int i = 0; i < 2; i++) { uint64_t a; memcpy(&a, x + 2 + i, 8); t[i] = __builtin_bswap64(a); } for (int i = 0; i < 2; i++) t[i] &= ~(uint64_t)0x80; double s = 0; for (int i = 0; i < 2; i++) { uint64_t a = __builtin_bswap64(t[i]); double v; memcpy(&v, &a, 8); s += v * x[i]; } return s; }
static NI void copy(void *to, const void *from, size_t n) { unsigned char *p = to; const unsigned char *q = from; for (size_t i = 0; i < n; i++) p[i] = q[i]; }
// n = 0, 1, 3
double byte_alias(const double *x, long n) { double *t = malloc(64); for (int i = 0; i < 8; i++) t[i] = x[i % 4] * (i + 1); copy(t + 1, t + 4, n * 8); double s = 0; for (int i = 0; i < 8; i++) s += t[i] * t[7 - i]; free(t); return s; }
// n = 1, 2, 4
double byte_smear(const double *x, long n) { double t[8]; for (int i = 0; i < 8; i++) t[i] = x[i % 4] * (i + 1); copy(t + 1, t, n * 8); double s = 0; for (int i = 0; i < 8; i++) s += t[i] * t[7 - i]; return s; }
// n = 2
double byte_fixed(const double *x, long n) { double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, x[0], 1, 1}; double *p = n > 1 ? a : b, *q = n > 2 ? a + 1 : b; unsigned char *s = (unsigned char *)p, *t = (unsigned char *)q; for (int i = 0; i < 24; i++) t[i] = s[i]; return b[0] * b[1] + b[2] * a[3] * a[1]; }
typedef struct { int kind; union { double t; double pair[2]; long i; } u; } either;
// n = 1, 2, 3
double either_local(const double *x, long n) { either e; double s = 0; for (int k = 0; k < 4; k++) { if (k % n == 0) { e.kind = 0; e.u.t = x[k] * x[0]; } else { e.kind = 1; e.u.i = k * n; } s += e.kind == 0 ? e.u.t * e.u.t : x[1] * (double)e.u.i; } return s; }
static NI void set(either *e, const double *x, int k, long n) { if (k % n == 0) { e->kind = 0; e->u.t = x[k] * x[0]; } else { e->kind = 1; e->u.i = k * n; } }
static NI double get(const either *e, double v) { return e->kind == 0 ? e->u.t * e->u.t : v * (double)e->u.i; }
// n = 1, 2, 3
double either_calls(const double *x, long n) { either e[4]; double s = 0; for (int k = 0; k < 4; k++) set(&e[k], x, k, n); for (int k = 0; k < 4; k++) s += get(&e[3 - k], x[1]); return s; }
// n = 1, 2, 3
double either_copied(const double *x, long n) { either e[4], f[4]; double s = 0; for (int k = 0; k < 4; k++) set(&e[k], x, k, n); memcpy(f, e, sizeof e); f[1] = e[2]; for (int k = 0; k < 4; k++) s += get(&f[3 - k], x[1]); return s; }
// n = 1, 2
double either_count(const double *x, long n) { either e; e.kind = n == 1; double s = 0; if (n == 1) e.u.i = 0; else e.u.t = x[0]; for (int k = 0; k < 3; k++) { if (e.kind) e.u.i++; else e.u.t *= x[1]; s += get(&(either){!e.kind ? 0 : 1, {e.u.t}}, x[2]); } return s; }
