/* one of two arrays, as the data will have it */
double f(double *x, double *c, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    double *p = x[i] > 1.0 ? x : c;
    s += (i + 1) * p[i] * p[i] * x[n - 1 - i];
  }
  return s;
}
