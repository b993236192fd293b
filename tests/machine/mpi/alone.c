/* The sums over all processes of what functions in programs.c give, in one process: x holds what the p processes have. */
#include <math.h>
#include <stdlib.h>

double alone_dot(const double *x, int n, int p) {
  double s = 0;
  for (int i = 0; i < n * p; i++) s += sin(x[i]) * x[i];
  return p * s * s;
}

double alone_ring(const double *x, int n, int p) {
  double s = 0;
  for (int me = 0; me < p; me++) {
    const double *own = x + me * n, *got = x + (me + p - 1) % p * n;
    for (int i = 0; i < n; i++) s += got[i] * got[i] * own[i] * (me + 1);
  }
  return s;
}

double alone_halo(const double *x, int n, int p) {
  int all = n * p;
  double *u = calloc(all + 2, sizeof *u), *v = calloc(all + 2, sizeof *v), s = 0;
  for (int i = 0; i < all; i++) u[i + 1] = x[i];
  for (int t = 0; t < 5; t++) {
    for (int i = 1; i <= all; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    for (int i = 1; i <= all; i++) u[i] = v[i];
  }
  for (int i = 1; i <= all; i++) s += u[i] * u[i];
  free(u);
  free(v);
  return sqrt(s);
}

double alone_matmul(const double *x, int n, int p) {
  double *a = malloc(p * p * sizeof *a), s = 0;
  for (int me = 0; me < p; me++)
    for (int j = 0; j < p; j++) a[me * p + j] = x[me * n + j % n] * (j + 1) + x[me * n + (j + 1) % n];
  for (int me = 0; me < p; me++)
    for (int i = 0; i < p; i++) {
      double c = 0;
      for (int k = 0; k < p; k++) c += a[me * p + k] * a[k * p + i];
      s += c * c * (me + 1);
    }
  free(a);
  return s;
}

double alone_persistent(const double *x, int n, int p) {
  double *out = malloc(2 * p * sizeof *out), *in = malloc(2 * p * sizeof *in), s = 0;
  for (int me = 0; me < p; me++)
    for (int i = 0; i < 2; i++) out[2 * me + i] = x[me * n + i];
  for (int t = 0; t < 4; t++) {
    for (int me = 0; me < p; me++)
      for (int i = 0; i < 2; i++) in[2 * me + i] = out[2 * ((me + p - 1) % p) + i];
    for (int me = 0; me < p; me++) {
      for (int i = 0; i < 2; i++) out[2 * me + i] = in[2 * me + i] * in[2 * me + i] * 0.5 + out[2 * me + i] * x[me * n + i + 2];
      s += out[2 * me] * out[2 * me + 1];
    }
  }
  free(out);
  free(in);
  return s;
}
