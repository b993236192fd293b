/* Sums by a team of threads: of some the derivative needs nothing, of others it does. */
double total(const double *x, const double *y, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
double squared(const double *x, const double *y, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s * s;
}
double product(const double *x, const double *y, int n) {
  double s = 1;
#pragma omp parallel for reduction(* : s)
  for (int i = 0; i < n; i++) s *= x[i] + 0.1 * y[i];
  return s;
}
double twice(const double *x, const double *y, int n) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i];
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += s > 1e6 ? 0 : x[i] * y[i];
  }
  return s;
}
double steered(const double *x, const double *y, int n) {
  double s = 0;
  for (int k = 0; k < 2; k++) {
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += (k + 1) * x[i] * y[i];
    if (s < 0) s = 3 * s;
  }
  return s;
}
double both(const double *x, const double *y, int n, double *out) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  out[0] = s * y[0];
  return s;
}
