/* Functions that are chosen when the program runs: by a parameter, from a table, in branches that become one call. */
#include "check.h"
#include <math.h>

extern int enzyme_primal_return;
typedef struct { double value, slope; } Both;
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
double __enzyme_fwddiff(void *, ...);
Both __enzyme_fwddiff_both(void *, ...);

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double wave(double x) { return sin(x); }
static double (*const table[])(double) = {square, cube, wave};

__attribute__((noinline)) static double passed(double (*f)(double), double x) { return __enzyme_autodiff((void *)f, x); }
__attribute__((noinline)) static double passed_on(double (*f)(double), double x) { return 2 * passed(f, x); }
__attribute__((noinline)) double from_table(int k, double x) { return __enzyme_fwddiff((void *)table[k], x, 1.0); }
__attribute__((noinline)) double by_number(int k, double x) {
  switch (k) {
    case 0: return __enzyme_autodiff((void *)square, x);
    case 1: return __enzyme_autodiff((void *)cube, x);
    default: return __enzyme_autodiff((void *)wave, x);
  }
}
__attribute__((noinline)) Both by_memory(int k, double x) {
  return k ? __enzyme_fwddiff_both((void *)square, enzyme_primal_return, x, 1.0)
           : __enzyme_fwddiff_both((void *)wave, enzyme_primal_return, x, 1.0);
}
static double slope_of_square(double x) { return __enzyme_autodiff((void *)square, x) * x; } /* 2 x^2 */
__attribute__((noinline)) double nested(int k, double x) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    sum += k > i ? __enzyme_autodiff((void *)slope_of_square, x) : __enzyme_autodiff((void *)cube, x);
  return sum;
}
static void squared(double *x) { *x *= *x; }
static void tripled(double *x) { *x *= 3; }
__attribute__((noinline)) void in_place(int k, double *x, double *d) {
  if (k)
    __enzyme_autodiff_void((void *)squared, x, d);
  else
    __enzyme_autodiff_void((void *)tripled, x, d);
}

int main(void) {
  double x = 0.7, slopes[] = {2 * x, 3 * x * x, cos(x)};
  check("passed", passed_on(square, x), 2 * slopes[0]);
  check("passed", passed_on(cube, x), 2 * slopes[1]);
  for (int k = 0; k < 3; k++) {
    check("from a table", from_table(k, x), slopes[k]);
    check("by a switch", by_number(k, x), slopes[k]);
  }
  check("result", by_memory(1, x).value, x * x);
  check("slope", by_memory(0, x).slope, slopes[2]);
  check("nested", nested(1, x), 4 * x + 2 * slopes[1]);
  double y = 2, d = 1;
  in_place(1, &y, &d);
  check("in place", d, 4);
  y = 2, d = 1;
  in_place(0, &y, &d);
  check("in place", d, 3);
  return 0;
}
