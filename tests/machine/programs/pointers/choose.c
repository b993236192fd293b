#include <stdint.h>
/* branch-free choice between two addresses by a mask */
double f(double *x, long n) {
  double a[8], b[8], s = 0;
  for (long i = 0; i < n; i++) { a[i] = x[i] * x[i]; b[i] = x[i] * x[i] * x[i]; }
  for (long i = 0; i < n; i++) {
    uintptr_t p = (uintptr_t)&a[i], q = (uintptr_t)&b[i], m = -(uintptr_t)(x[i] > 1.0);
    double *c = (double *)(p ^ ((p ^ q) & m));
    s += *c * (i + 1);
  }
  return s;
}
