/* __enzyme_iter(n, k): a series of n terms whose derivative takes k more. */
#include "check.h"
#include <math.h>
#include <stddef.h>

size_t __enzyme_iter(size_t, size_t);
int __enzyme_iter_int(int, int);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/* The sum of x^i / i! for i < n: each derivative of the series with one term more is the series itself. */
static double exponential(double x, long n) {
  double sum = 0, term = 1;
  for (long i = 0; i < n; i++) sum += term, term *= x / (i + 1);
  return sum;
}
double series(double x) { return exponential(x, __enzyme_iter(5, 1)); }
double fixed(double x) { return exponential(x, __enzyme_iter(5, 0)); }
double doubled(double x) { return exponential(x, __enzyme_iter_int(4, 2)); }
double given(double x, size_t n) { return exponential(x, __enzyme_iter(n, 1)); }
__attribute__((noinline)) static double inner(double x) { return exponential(x, __enzyme_iter(3, 1)); }
double outer(double x) { return inner(x) * x; }

double d_series(double x) { return __enzyme_autodiff(series, x); }
double dd_series(double x) { return __enzyme_autodiff(d_series, x); }
double ddd_series(double x) { return __enzyme_fwddiff(dd_series, x, 1.0); }

int main(void) {
  double x = 1.25;
  check("series", series(x), exponential(x, 5));
  check("reverse", d_series(x), exponential(x, 5));
  check("forward", __enzyme_fwddiff(series, x, 1.0), exponential(x, 5));
  check("second", dd_series(x), exponential(x, 5));
  check("third", ddd_series(x), exponential(x, 5));
  check("fixed", __enzyme_autodiff(fixed, x), exponential(x, 4));
  check("doubled", __enzyme_autodiff(doubled, x), exponential(x, 5));
  check("given", __enzyme_autodiff(given, x, (size_t)6), exponential(x, 6));
  check("outer", outer(x), exponential(x, 3) * x);
  check("d outer", __enzyme_autodiff(outer, x), exponential(x, 3) * x + exponential(x, 4));
  return 0;
}
