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

double alone_scatter(const double *x, int n, int p) {
  int counts[16], places[16], total = 0;
  for (int i = 0; i < p; i++) counts[i] = 1 + i % 2, places[i] = total + i, total += counts[i];
  int all = total + p;
  double *whole = calloc(all, sizeof *whole), *back = calloc(all, sizeof *back), s = 0;
  for (int i = 0; i < all; i++) whole[i] = sin(x[i % n] * (i + 1));
  for (int me = 0; me < p; me++)
    for (int i = 0; i < counts[me]; i++) back[places[me] + i] = whole[places[me] + i] * x[me * n + i];
  for (int i = 0; i < all; i++) s += back[i] * back[i];
  for (int me = 0; me < p; me++) {
    double first = whole[me], second = whole[me] * x[me * n];
    s += (first * first + second * second) * x[1];
  }
  for (int me = 0; me < p; me++)
    for (int i = 0; i < all; i++) s += back[i] * (i + me);
  free(whole);
  free(back);
  return s;
}

/* What the processes have of the i-th of some numbers, as one: their sum, product, largest and least. */
static double sum_of(const double *v, int i, int width, int p) {
  double s = 0;
  for (int k = 0; k < p; k++) s += v[k * width + i];
  return s;
}
static double product_of(const double *v, int i, int width, int p) {
  double s = 1;
  for (int k = 0; k < p; k++) s *= v[k * width + i];
  return s;
}
static double largest_of(const double *v, int i, int width, int p) {
  double s = v[i];
  for (int k = 1; k < p; k++) s = v[k * width + i] > s ? v[k * width + i] : s;
  return s;
}
static double least_of(const double *v, int i, int width, int p) {
  double s = v[i];
  for (int k = 1; k < p; k++) s = v[k * width + i] < s ? v[k * width + i] : s;
  return s;
}

double alone_reductions(const double *x, int n, int p) {
  int wide = 2 * p;
  double *v = malloc(4 * p * sizeof *v), *many = malloc(wide * p * sizeof *many), s = 0, sums[4];
  for (int me = 0; me < p; me++) {
    for (int i = 0; i < 4; i++) v[me * 4 + i] = x[me * n + i] * x[me * n + (i + 1) % 4];
    for (int i = 0; i < wide; i++) many[me * wide + i] = x[me * n + i % 4] * (i + 1);
  }
  for (int i = 0; i < 4; i++) sums[i] = sum_of(v, i, 4, p);
  for (int me = 0; me < p; me++) {
    double of = 0;
    for (int i = 0; i < 4; i++) {
      double most = largest_of(v, i, 4, p), product = product_of(v, i, 4, p);
      of += most * most * (i + me + 1) + least_of(v, i, 4, p) * v[me * 4 + i] + product * product;
      of += sums[i] * sums[i] * x[me * n + i];
    }
    if (me == p - 1) of += product_of(v, 0, 4, p) * product_of(v, 1, 4, p);
    of += sum_of(many, 2 * me, wide, p) * sum_of(many, 2 * me + 1, wide, p);
    double first = largest_of(many, 2 * me, wide, p);
    of += first * first * largest_of(many, 2 * me + 1, wide, p);
    s += of * p + sums[0] * sums[1] * x[me * n];
  }
  free(v);
  free(many);
  return s;
}

double alone_datatypes(const double *x, int n, int p) {
  double s = 0;
  for (int me = 0; me < p; me++) {
    const double *own = x + me * n, *left = x + (me + p - 1) % p * n, *right = x + (me + 1) % p * n;
    for (int i = 0; i < 4; i++) {
      double column = left[i] * 2 + left[1];
      s += column * column * own[i] + (left[i] + left[0]) * (own[i] * 3 + own[2]);
    }
    s += right[0] * (right[1] * right[2]) * ((me + 1) % p + 1) + right[3] * right[3] * 3;
    s += x[1] * x[2] * x[3];
  }
  return s;
}

double alone_workers(const double *x, int n, int p) {
  double s = 0;
  for (int me = 1; me < p; me++) s += x[me * n] * x[me * n + 1] * x[me * n + 2] * me * (me + 4) * 2;
  for (int me = 0; me < p; me++) {
    double sum = 0;
    for (int i = 0; i < p; i++) {
      double out = x[i * n + 3] * x[i * n + 3];
      if (i != me) s += out * out * (i + 1);
      if (i % 2 == me % 2) sum += out;
    }
    s += sum * sum;
  }
  return s;
}

double alone_pairs(const double *x, int n, int p) {
  double s = 0;
  for (int k = 0; k + 1 < p; k += 2) {
    double a[2][4], b[2][4];
    for (int me = 0; me < 2; me++)
      for (int i = 0; i < n; i++) a[me][i] = x[(k + me) * n + i], b[me][i] = x[(k + me) * n + i] * x[(k + me) * n];
    for (int t = 0; t < 2; t++)
      for (int i = 0; i < n; i++) {
        double first = a[0][i], second = a[1][i], third = b[0][i];
        a[0][i] = first * second, a[1][i] = second * first;
        b[0][i] = b[1][i] * 3, b[1][i] = third * 3;
      }
    for (int me = 0; me < 2; me++)
      for (int i = 0; i < n; i++) s += a[me][i] * b[me][i];
    s += (k + 2.0) * 2 * x[k * n];
  }
  return s;
}
