#include "check.h"
#include <complex.h>
#include <math.h>

extern int enzyme_buffer, enzyme_width, enzyme_vector, enzyme_scalar, enzyme_out, enzyme_const, enzyme_const_return, enzyme_dup;

typedef struct { double v[4]; } Four;
Four __enzyme_batch(void *, ...);
double __enzyme_autodiff(void *, ...);
void __enzyme_double(void *, size_t);
double __enzyme_call_inactive(void *, ...);
double __enzyme_ignore_derivatives(double);
float __enzyme_ignore_derivatives_float(float);

double scaled(double x, double factor) { return factor * x * x; }
double logged(double x) { return x * __enzyme_call_inactive(scaled, x, 2.0); }
double detached(double x) { return x * exp(__enzyme_ignore_derivatives(x * x)) * __enzyme_ignore_derivatives_float(x); }
double slope(double x) { return __enzyme_autodiff(detached, x); }
__attribute__((noinline)) double again(double x, int n) { return n == 0 ? 1 : x * x * again(x * 0.9, n - 1) + sin(x); }
double twice(double x) { return again(x, 2); }
double twice_slope(double x) { return __enzyme_autodiff(twice, x); }
void copy(char *to, const char *from, int n) {
  for (int i = 0; i < n; i++) to[i] = from[i];
}
double opaque(void *memory) {
  double x, y;
  __enzyme_double(memory, sizeof(double));
  __builtin_memcpy(&x, memory, sizeof x);
  y = x * x;
  return y;
}
double sum(const double *x, int n, double factor) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * factor;
  return s;
}
double complex __enzyme_autodiff_complex(void *, ...);
double complex squared(double complex z) { return z * z; }
double writes(double *x) {
  x[1] = x[0] * x[0];
  return x[0] * 1000;
}

int main(void) {
  Four four = __enzyme_batch(scaled, enzyme_width, 4, enzyme_vector, 1.0, 2.0, 3.0, 4.0, enzyme_scalar, 0.5);
  for (int i = 0; i < 4; i++) check("batch", four.v[i], 0.5 * (i + 1) * (i + 1));
  double rows[4][2] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  four = __enzyme_batch(sum, enzyme_width, 4, enzyme_buffer, (int)sizeof *rows, rows, enzyme_scalar, 2, enzyme_vector, 1.0, 2.0, 3.0, 4.0);
  for (int i = 0; i < 4; i++) check("batch of rows", four.v[i], (4 * i + 3) * (i + 1));
  /* Of (x^2 - y^2, 2 x y) with the cotangents (5, 7) at (1, 2). */
  double complex slopes = __enzyme_autodiff_complex(squared, enzyme_out, 1 + 2.0 * I, 5 + 7.0 * I);
  check("complex, real", creal(slopes), 5 * 2 + 7 * 4);
  check("complex, imaginary", cimag(slopes), 5 * -4 + 7 * 2);
  check("call inactive", __enzyme_autodiff(logged, 3.0), 18);
  check("ignored", slope(2.0), 2 * exp(4.0));
  check("ignored twice", __enzyme_autodiff(slope, 2.0), 0);
  check("recursion", twice_slope(0.7), 4 * 0.81 * 0.343 + 2 * 0.7 * sin(0.63) + 0.9 * 0.49 * cos(0.63) + cos(0.7));
  check("recursion twice", __enzyme_autodiff(twice_slope, 0.7),
        12 * 0.81 * 0.49 + 2 * sin(0.63) + 4 * 0.9 * 0.7 * cos(0.63) - 0.81 * 0.49 * sin(0.63) - sin(0.7));
  double x = 3, dx = 0;
  __enzyme_autodiff(opaque, &x, &dx);
  check("annotated", dx, 6);
  double pair[2] = {3, 0}, d_pair[2] = {0, 1};
  __enzyme_autodiff(writes, enzyme_const_return, pair, d_pair);
  check("without the result", d_pair[0], 6);
  return 0;
}
