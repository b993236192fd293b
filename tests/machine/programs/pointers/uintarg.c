#include <stdint.h>
__attribute__((noinline)) static double at(uintptr_t base, long i) { return ((double *)base)[i] * ((double*)base)[0]; }
__attribute__((noinline)) static uintptr_t step(uintptr_t p, long k) { return p + 8*k; }
double f(double *x, long n) {
  double y[8]; for (long i = 0; i < n; i++) y[i] = x[i]*x[i];
  double s = 0; for (long i = 0; i < n; i++) s += at((uintptr_t)y, i) + *(double *)step((uintptr_t)y, i);
  return s;
}
