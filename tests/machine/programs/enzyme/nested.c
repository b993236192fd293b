#include "check.h"
#include <math.h>

extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_inner(void *, ...);
double __enzyme_fwddiff(void *, ...);
double __enzyme_fwddiff_inner(void *, ...);

double quartic(double x) { return x * x * x * x; }
double first(double x) { return __enzyme_autodiff_inner(quartic, x); }
double first_forward(double x) { return __enzyme_fwddiff_inner(quartic, x, 1.0); }
double second(double x) { return __enzyme_fwddiff(first, x, 1.0); }

double rosenbrock(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i + 1 < n; i++) {
    double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
    sum += a * a + 100 * b * b;
  }
  return sum;
}
void gradient(const double *x, double *g, int n) {
  for (int i = 0; i < n; i++) g[i] = 0;
  __enzyme_autodiff(rosenbrock, enzyme_dup, x, g, enzyme_const, n);
}

int main(void) {
  check("reverse over reverse", __enzyme_autodiff(first, 2.0), 48);
  check("forward over reverse", __enzyme_fwddiff(first, 2.0, 1.0), 48);
  check("reverse over forward", __enzyme_autodiff(first_forward, 2.0), 48);
  check("third", __enzyme_autodiff(second, 2.0), 48);

  double x[3] = {1.2, 0.8, 1.1}, v[3] = {1, 2, -1}, g[3], hv[3];
  __enzyme_fwddiff(gradient, enzyme_dup, x, v, enzyme_dup, g, hv, 3);
  check("hv0", hv[0], (2 - 400 * (x[1] - 3 * x[0] * x[0])) * v[0] - 400 * x[0] * v[1]);
  check("hv1", hv[1], -400 * x[0] * v[0] + (202 - 400 * (x[2] - 3 * x[1] * x[1])) * v[1] - 400 * x[1] * v[2]);
  check("hv2", hv[2], -400 * x[1] * v[1] + 200 * v[2]);
  return 0;
}
