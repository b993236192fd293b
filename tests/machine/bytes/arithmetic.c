// Arithmetic on the bits of floats, and bits that change their order and change it back.
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
#define NI __attribute__((noinline))
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
