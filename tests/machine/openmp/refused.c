/* What has no derivative in a parallel region: one function for each. */
#include <stdlib.h>

typedef struct omp_lock_t { void *p; } omp_lock_t;
int omp_test_lock(omp_lock_t *);
void omp_unset_lock(omp_lock_t *);

double tried(const double *x, int n) {
  double s = 0;
  omp_lock_t lock = {0};
#pragma omp parallel for shared(s)
  for (int i = 0; i < n; i++) {
    while (!omp_test_lock(&lock)) {}
    s += x[i] * x[i];
    omp_unset_lock(&lock);
  }
  return s;
}

double across(const double *x, int n) {
  double *y = malloc(n * sizeof *y), s = 0;
  y[0] = x[0];
#pragma omp parallel for ordered(1)
  for (int i = 1; i < n; i++) {
#pragma omp ordered depend(sink : i - 1)
    y[i] = y[i - 1] * x[i];
#pragma omp ordered depend(source)
  }
  s = y[n - 1];
  free(y);
  return s;
}

double private_copies(const double *x, int n) {
  double a = 0, s = 0;
#pragma omp parallel private(a) reduction(+ : s)
  {
#pragma omp single copyprivate(a)
    a = x[0] * x[1];
    s += a * n;
  }
  return s;
}

int MPI_Send(const void *, int, int, int, int, int);

double sent(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
    MPI_Send(&v, 1, 0x4c00080b, 0, i, 0x44000000);
    s += v;
  }
  return s;
}
