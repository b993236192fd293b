/* rows of a table, some of them constant */
double f(double *x, double *c, long n) {
  double *rows[3] = {x, c, x + 1}, s = 0;
  for (long i = 0; i + 1 < n; i++) s += rows[i % 3][i] * rows[(i + 1) % 3][i] * (i + 1);
  return s;
}
