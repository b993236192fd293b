#include <stdint.h>
#include <stdlib.h>
/* 48-bit pointer packed with a 16-bit count */
double f(double *x, long n) {
  uint64_t w[8]; double s = 0;
  for (long i = 0; i < n; i++) { double *p = malloc(16); p[0] = x[i]*x[i]; p[1] = x[i]; w[i] = ((uint64_t)(uintptr_t)p << 16) | (uint64_t)i; }
  for (long i = 0; i < n; i++) { double *p = (double *)(uintptr_t)(w[i] >> 16); s += p[0]*p[1]*(double)(w[i] & 0xffff); free(p); }
  return s;
}
