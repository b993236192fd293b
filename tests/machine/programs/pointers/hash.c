#include <stdint.h>
#include <stdlib.h>
/* a table indexed by a hash of the address */
double f(double *x, long n) {
  double y[8], *key[16] = {0}, val[16] = {0};
  for (long i = 0; i < n; i++) { y[i] = x[i]*x[i];
    uintptr_t h = ((uintptr_t)&y[i] >> 3) * 0x9E3779B97F4A7C15ull >> 60;
    while (key[h] && key[h] != &y[i]) h = (h + 1) & 15;
    key[h] = &y[i]; val[h] = x[i]; }
  double s = 0;
  for (long i = 0; i < 16; i++) if (key[i]) s += *key[i] * val[i];
  return s;
}
