// Code in the shapes that optimisers give it: dead lanes, masks, values computed ahead, bits, structs in one integer.
// Gradients are checked against differences, so that the last word of a line's name is the tolerance of a float.
#include "check.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define N 16
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// -- values that are computed ahead of the branch that decides against them

double guarded(double *x) {
  double sum = 0, zero = x[7] * 0;
  for (int i = 0; i < N; i++) {
    sum += x[i] > 10 ? sqrt(x[i] - 10) : x[i];
    sum += x[i] < 0 ? log(-x[i]) : log(x[i]);
    double d = x[i] - x[i], r = sqrt(d), w = x[i] / r * x[(i + 1) % N];
    if (d != 0) sum += 1 / d;
    sum += r > 0 ? w * w : x[i] * x[i];
    if (zero != 0) sum += x[i] * (x[0] / zero);
  }
  return sum;
}

// -- lanes that nobody reads, and globals whose alignment is more than that of their type

static double total, table[8], *second;
static __thread double own[6];
__attribute__((noinline)) static void add(double v) { total += v * v; }
__attribute__((noinline)) static void fill(double *x) {
  for (int i = 0; i < 6; i++) own[i] = x[i] * x[i + 2];
}
double globals(double *x) {
  total = x[0];
  for (int i = 0; i < 8; i++) table[i] = x[i] * total;
  second = table + 1;
  for (int i = 0; i < 7; i++) second[i] *= table[i];
  for (int i = 0; i < 8; i++) add(x[i] * total * 0.1);
  fill(x);
  return total * table[3] + table[7] + own[1] * own[4];
}
double straight(double *x) {
  double a = x[0] / x[1], b = x[2] / x[3], c = x[4] / x[5], p = a * b - c, q = a * c + b;
  return sqrt(p * p + q * q) * x[6] + p / q + log(a) + log(b) * x[7];
}
double product(double *x) {
  double c[4][4] = {{0}}, sum = 0;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 4; k++) c[i][j] += x[4 * i + k] * x[4 * k + j];
  for (int i = 0; i < 16; i++) sum += c[i / 4][i % 4] * c[i % 4][i / 4];
  return sum;
}

// -- masks

static const int order[32] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};
double gathered(double *x) {
  double sum = 0;
  for (int i = 0; i < 32; i++) sum += x[order[i]] * x[order[31 - i]];
  return sum;
}
double masked(double *restrict x) {
  double *b = malloc(100 * sizeof(double)), sum = 0;
  for (int i = 0; i < 100; i++) b[i] = 0.5 * i;
  for (int i = 0; i < N; i++)
    if (x[i] > 0.8) b[i] = sqrt(x[i]);
  for (int i = 0; i < N; i++)
    if (x[i] > 1.0) b[i] *= x[i];
  for (int i = 0; i < 100; i++) sum += b[i] * b[i];
  free(b);
  return sum;
}
double packed_lanes(double *x) {
  double s = 0;
  for (int n = 1; n < 8; n++) {
    double b[n];
    for (int i = 0; i < n; i++) b[i] = x[i] * x[n - 1 - i];
    for (int i = 0; i < n; i++) s += b[i] * b[n - 1 - i] * b[0];
  }
  return s;
}

// -- bits

double bits(double *x) {
  double sum = 0;
  for (int i = 0; i < N; i++) {
    double v = x[i] - 0.9, a, b, c, low, power, mantissa;
    long l, k;
    memcpy(&l, &v, 8);
    k = l & 0x7fffffffffffffffL, memcpy(&a, &k, 8);
    k = l | 1L << 63, memcpy(&b, &k, 8);
    k = l ^ 1L << 63, memcpy(&c, &k, 8);
    memcpy(&l, x + i, 8);
    k = l & ~0xffL, memcpy(&low, &k, 8);
    k = l & 0x7ff0000000000000L, memcpy(&power, &k, 8);
    k = (l & 0xfffffffffffffL) | 0x3ff0000000000000L, memcpy(&mantissa, &k, 8);
    sum += a * a + b * x[i] + c * c * c + low * low + power * x[i] + mantissa * mantissa;
  }
  return sum;
}

// -- structs that travel as one integer, and overlapping moves of structs

typedef struct { float a; int i; } Pair;
typedef struct { double v; int k; double *p; } Link;
__attribute__((noinline)) Pair step(Pair s) {
  s.a = s.a * s.a * s.i;
  s.i += 2;
  return s;
}
double structs(double *x) {
  Pair p = {x[0], 2}, a[8];
  p = step(step(p));
  for (int i = 0; i < 8; i++) a[i] = (Pair){x[i], i + 1};
  for (int i = 0; i < 7; i++) a[i] = a[i + 1];
  Pair t = a[0];
  a[0] = a[2], a[2] = t;
  if (x[3] > 0) a[1] = (Pair){0.5f, 3};
  memmove(a + 2, a, 5 * sizeof(Pair));
  double sum = p.a * x[1] + a[0].a * x[7];
  for (int i = 0; i < 8; i++) sum += a[i].a * a[i].a * a[i].i;
  return sum;
}
double links(double *x) {
  Link b[9];
  int n = 0;
  for (int i = 0; i < 8; i++) {
    int at = 0;
    while (at < n && b[at].v < x[i]) at++;
    memmove(b + at + 1, b + at, (n - at) * sizeof(Link));
    b[at] = (Link){x[i], i, x + i};
    n++;
  }
  double sum = 0;
  for (int i = 0; i < 8; i++) sum += b[i].v * (i + 1) * *b[i].p;
  return sum;
}
double angles(double *x) {
  double complex z = x[0] + I * x[1], w = clog(z) * cpow(z, x[2] + I * x[3]);
  return creal(w) * carg(w);
}

static void test(const char *name, double (*f)(double *), double *reverse, double *forward, double h) {
  double x[N], at[N];
  for (int i = 0; i < N; i++) x[i] = 0.7131 + 0.0373 * i - 0.0213 * (i * i % 5);
  for (int i = 0; i < N; i++) {
    double d[2];
    for (int k = 0; k < 2; k++) {
      memcpy(at, x, sizeof x), at[i] = x[i] + (k + 1) * h, d[k] = f(at);
      memcpy(at, x, sizeof x), at[i] = x[i] - (k + 1) * h, d[k] = (d[k] - f(at)) / (2 * (k + 1) * h);
    }
    double want = (4 * d[0] - d[1]) / 3, scale = h > 1e-3 ? 1e-3 : 1;  // floats are known to three digits less
    check(name, 100 + scale * reverse[i], 100 + scale * want);
    check(name, 100 + scale * forward[i], 100 + scale * want);
  }
}

#define TEST(f, h)                                                                                 \
  {                                                                                                \
    double x[N], at[N], reverse[N] = {0}, forward[N];                                              \
    for (int i = 0; i < N; i++) x[i] = 0.7131 + 0.0373 * i - 0.0213 * (i * i % 5);                 \
    memcpy(at, x, sizeof x);                                                                       \
    __enzyme_autodiff((void *)f, at, reverse);                                                     \
    for (int i = 0; i < N; i++) {                                                                  \
      double d[N] = {0};                                                                           \
      d[i] = 1;                                                                                    \
      memcpy(at, x, sizeof x);                                                                     \
      forward[i] = __enzyme_fwddiff((void *)f, at, d);                                             \
    }                                                                                              \
    test("float " #f, f, reverse, forward, h);                                                     \
  }

int main(void) {
  TEST(guarded, 1e-4)
  TEST(globals, 1e-4)
  TEST(straight, 1e-4)
  TEST(product, 1e-4)
  TEST(gathered, 1e-4)
  TEST(masked, 1e-4)
  TEST(packed_lanes, 1e-4)
  TEST(bits, 1e-6)
#ifndef NO_STRUCTS
  TEST(structs, 1e-2)
#endif
  TEST(links, 1e-4)
  TEST(angles, 1e-4)
  return 0;
}
