#include <stdint.h>
#include <stdlib.h>
#include <string.h>
/* pointers in a table moved when the arena is reallocated by hand: relocation by difference */
double f(double *x, long n) {
  double *a = malloc(n*8); double *t[8];
  for (long i = 0; i < n; i++) { a[i] = x[i]*x[i]; t[i] = a + (n-1-i); }
  double *b = malloc(2*n*8);
  for (long i = 0; i < n; i++) b[i] = a[i];
  intptr_t d = (intptr_t)b - (intptr_t)a;
  for (long i = 0; i < n; i++) t[i] = (double *)((intptr_t)t[i] + d);
  free(a);
  double s = 0; for (long i = 0; i < n; i++) s += (i+1) * *t[i];
  free(b);
  return s;
}
