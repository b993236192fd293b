#include <stdint.h>
#include <stdlib.h>
double f(double *x, long n) {
  char *raw = malloc(n*8 + 64);
  double *a = (double *)(((uintptr_t)raw + 63) & ~(uintptr_t)63);
  for (long i = 0; i < n; i++) a[i] = x[i]*x[i];
  double s = 0; for (long i = 0; i < n; i++) s += a[i]*a[(i+1)%n];
  free(raw);
  return s;
}
