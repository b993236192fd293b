/* Five programs with parallel loops, for parallel.py: they give the same without OpenMP. */
#include <math.h>
#include <stdlib.h>
double dot(const double *x, const double *y, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * y[i];
  return s;
}
double heat(const double *x, double *u, double *v, int n, int steps) {
  double s = 0;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < n; i++) u[i] = x[i];
    for (int t = 0; t < steps; t++) {
#pragma omp for
      for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
#pragma omp for
      for (int i = 1; i < n - 1; i++) u[i] = v[i];
    }
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += u[i] * u[i];
  }
  return s;
}
double particles(const double *x, const int *neighbours, int n, int k) {
  double e = 0;
#pragma omp parallel for reduction(+ : e)
  for (int i = 0; i < n; i++)
    for (int m = 0; m < k; m++) {
      int j = neighbours[i * k + m];
      double r2 = 0.01;
      for (int d = 0; d < 3; d++) { double w = x[3 * i + d] - x[3 * j + d]; r2 += w * w; }
      e += exp(-r2) / sqrt(r2);
    }
  return e;
}
double matmul(const double *a, const double *b, double *c, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i * n + j] = 0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    for (int j = 0; j < n; j++) s += c[i * n + j] * c[i * n + j];
  }
  return s;
}
double monte_carlo(const double *p, int n, int steps) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; i++) {
    unsigned long state = 88172645463325252ul + 2654435761ul * (unsigned long)i;
    double s = p[0];
    for (int t = 0; t < steps; t++) {
      double z = -6;
      for (int k = 0; k < 12; k++) {
        state = state * 6364136223846793005ul + 1442695040888963407ul;
        z += (double)(state >> 11) * 0x1p-53;
      }
      s *= exp((p[1] - 0.5 * p[2] * p[2]) * 0.01 + p[2] * 0.1 * z);
    }
    total += s > p[3] ? s - p[3] : 0;
  }
  return total / n;
}
