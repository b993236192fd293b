#include <stdint.h>
#include <stddef.h>
double f(double *x, long n) {
  double a[8], b[8];
  for (long i = 0; i < n; i++) { a[i] = x[i]*x[i]; b[i] = 3*x[i]; }
  ptrdiff_t d = (char *)b - (char *)a;
  double s = 0;
  for (long i = 0; i < n; i++) { double *p = a + i; s += *p * *(double *)((char *)p + d); }
  return s;
}
