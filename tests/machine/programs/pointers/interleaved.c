#include <stdint.h>
struct both { double v; double *p; };
double f(double *x, long n) {
  struct both a[8], b[8]; double y[8], s = 0;
  for (long i = 0; i < n; i++) { y[i] = 2 * x[i]; a[i].v = x[i] * x[i]; a[i].p = &y[n - 1 - i]; }
  for (long i = 0; i < n; i++) b[i] = a[n - 1 - i];
  for (long i = 0; i < n; i++) s += (i + 1) * b[i].v * *b[i].p;
  return s;
}
