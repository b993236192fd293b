/* With enzyme_strong_zero, a shadow that is zero stays zero, whatever it is multiplied by; without, 0 * inf is no number. */
#include "check.h"
#include <math.h>

extern int enzyme_dup, enzyme_strong_zero, enzyme_width;

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_wide(void *, ...);

__attribute__((noinline)) double root(double x) { return sqrt(x); }
double scaled(double *x) { return root(x[0]) * x[1]; }
double sum(double *x, double *w, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += w[i] * log(x[i]);
  return s;
}

int main(void) {
  double x[2] = {0, 0};
  double plain[2] = {0}, strong[2] = {0};
  __enzyme_autodiff((void *)scaled, enzyme_dup, x, plain);
  check("plain", isnan(plain[0]), 1);
  __enzyme_autodiff((void *)scaled, enzyme_strong_zero, enzyme_dup, x, strong);
  check("strong", strong[0], 0);
  check("strong scale", strong[1], 0);

  double t[2] = {0, 1};
  check("plain forward", isnan(__enzyme_fwddiff((void *)scaled, enzyme_dup, x, t)), 1);
  check("strong forward", __enzyme_fwddiff((void *)scaled, enzyme_strong_zero, enzyme_dup, x, t), 0);

  /* Element by element: the others are what they are. */
  double y[5] = {1, 0, 2, 0, 4}, w[5] = {1, 0, 3, 0, 5}, dy[5] = {0}, dw[5] = {0};
  __enzyme_autodiff((void *)sum, enzyme_strong_zero, enzyme_dup, y, dy, enzyme_dup, w, dw, 5);
  for (int i = 0; i < 5; i++) check("elements", dy[i], w[i] == 0 ? 0 : w[i] / y[i]);

  double v0[2] = {0}, v1[2] = {0};
  __enzyme_autodiff_wide((void *)scaled, enzyme_strong_zero, enzyme_width, 2, enzyme_dup, x, v0, v1);
  check("wide", v0[0], 0);
  check("wide", v1[0], 0);
  return 0;
}
