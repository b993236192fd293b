/* results go to the one or to the other; what is read again was written to the active one */
double f(double *x, double *c, long n) {
  double out[8] = {0}, s = 0;
  for (long i = 0; i < n; i++) {
    double *to = i % 2 ? out : c;
    to[i] = i % 2 ? x[i] * x[i] : 2.0;
  }
  for (long i = 0; i < n; i++) { double *from = i % 2 ? out : c; s += (i + 1) * from[i] * x[0]; }
  return s;
}
