#include <string.h>
/* copies out of the one or the other */
double f(double *x, double *c, long n) {
  double t[8], s = 0;
  for (long k = 0; k < 4; k++) {
    double *from = k % 2 ? c : x;
    memcpy(t, from, sizeof t);
    for (long i = 0; i < n; i++) s += (k + 1) * t[i] * t[i] * x[(i + k) % n];
  }
  return s;
}
