/* two pointers change places round by round */
double f(double *x, double *c, long n) {
  double *p = x, *q = c, s = 0;
  for (long i = 0; i < n; i++) { s += (i + 1) * p[i] * p[i] * q[n - 1 - i]; double *t = p; p = q; q = t; }
  return s;
}
