/* Threads that read the same rows of memory: products of matrices, rows far from each other, two rows at a time. */
double product(const double *x, const double *b, double *c, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += x[i * n + k] * b[k * n + j];
    for (int j = 0; j < n; j++) s += c[i * n + j] * c[i * n + j];
  }
  return s;
}
double far(const double *x, const double *b, int n, int rows, long apart) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int k = 0; k < rows; k++)
      for (int j = 0; j < 3; j++) s += x[i] * b[k * apart + j + 1];
  return s;
}
double two(const double *x, const double *b, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j + 1 < n; j++) s += x[i] * b[j] * b[j + 1];
  return s;
}
