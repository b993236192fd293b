/* Parallel regions: each function gives a number of x, which the same code without OpenMP gives as well. */
#include <math.h>
#include <stdlib.h>

double dot(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * x[n - 1 - i];
  return s;
}

double shared_scalar(const double *x, int n) { /* x[0] is read by all */
  double *y = malloc(n * sizeof *y), s = 0;
  double a = sin(x[0]);
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] = a * x[i] * x[0];
  for (int i = 0; i < n; i++) s += y[i] * y[i];
  free(y);
  return s;
}

double first_private(const double *x, int n) {
  double a = x[1] * x[2], s = 0;
  float b = (float)x[3];
#pragma omp parallel for firstprivate(a, b) reduction(+ : s)
  for (int i = 0; i < n; i++) s += a * exp(-b * x[i]);
  return s;
}

double last_private(const double *x, int n) {
  double t = 0, s = 0;
#pragma omp parallel for lastprivate(t) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    t = x[i] * x[i];
    s += t;
  }
  return s * t;
}

double private_scratch(const double *x, int n) {
  double s = 0, w[4];
#pragma omp parallel for private(w) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 4; k++) w[k] = x[(i + k) % n] * (k + 1);
    for (int k = 1; k < 4; k++) w[k] *= w[k - 1];
    s += w[3];
  }
  return s;
}

double product(const double *x, int n) {
  double p = x[0];
#pragma omp parallel for reduction(* : p)
  for (int i = 1; i < n; i++) p *= 1 + 0.1 * x[i];
  return p;
}

double largest(const double *x, int n) {
  double m = -1e300, k = 1e300;
#pragma omp parallel for reduction(max : m) reduction(min : k)
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
    m = v > m ? v : m;
    k = v < k ? v : k;
  }
  return m * m + 3 * k;
}

double static_chunks(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(static, 3) reduction(+ : s)
  for (int i = 0; i < n; i++) s += sin(x[i]) * (i + 1);
  return s;
}

double dynamic_chunks(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    double v = x[i];
    for (int k = 0; k < i % 5; k++) v = sin(v) + 0.1 * v;
    s += v * x[(i * 7) % n];
  }
  return s;
}

double guided_chunks(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(guided) reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[i];
  return s;
}

double runtime_schedule(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * x[i] * i;
  return s;
}

double collapsed(const double *x, int n) {
  double *c = malloc(n * n * sizeof *c), s = 0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) c[i * n + j] = x[i] * sin(x[j]);
#pragma omp parallel for collapse(2) schedule(dynamic) reduction(+ : s)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s += c[i * n + j] * c[j * n + i];
  free(c);
  return s;
}

double heat(const double *x, int n) { /* one region, a barrier after each step */
  double *u = malloc(n * sizeof *u), *v = malloc(n * sizeof *v), s = 0;
  for (int i = 0; i < n; i++) u[i] = x[i];
#pragma omp parallel
  for (int t = 0; t < 5; t++) {
#pragma omp for
    for (int i = 1; i < n - 1; i++) v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
#pragma omp for
    for (int i = 1; i < n - 1; i++) u[i] = v[i];
  }
  for (int i = 0; i < n; i++) s += u[i] * u[i];
  free(u);
  free(v);
  return s;
}

double singles(const double *x, int n) {
  double a = 0, b = 1, s = 0;
#pragma omp parallel shared(a, b)
  {
#pragma omp single
    a = x[0] * x[1];
#pragma omp master
    b = x[2] * a;
#pragma omp barrier
#pragma omp for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a * x[i] * b;
  }
  return s;
}

double criticals(const double *x, int n) { /* the order matters to what each gets, not to the result */
  double p = 1, s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double v = 1 + 0.05 * x[i] * x[i];
#pragma omp critical
    p *= v;
#pragma omp critical(other)
    s += v * x[i];
  }
  return p + s;
}

double ordered_sections(const double *x, int n) {
  double r = 1;
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < n; i++) {
    double v = sin(x[i]);
#pragma omp ordered
    r = r * 0.9 + v * r;
  }
  return r;
}

double atomics(const double *x, int n) {
  double bins[4] = {0, 0, 0, 0}, s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp atomic
    bins[i % 4] += x[i] * x[i];
  }
  for (int k = 0; k < 4; k++) s += bins[k] * bins[k];
  return s;
}

double array_reduction(const double *x, int n) {
  double h[4] = {0, 0, 0, 0}, s = 0;
#pragma omp parallel for reduction(+ : h)
  for (int i = 0; i < n; i++) h[(i * 3) % 4] += sin(x[i]);
  for (int k = 0; k < 4; k++) s += h[k] * h[k];
  return s;
}

double with_simd(const double *x, int n) {
  double s = 0;
#pragma omp parallel for simd reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * exp(x[i]);
  return s;
}

double nested(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s) num_threads(2)
  for (int i = 0; i < 3; i++) {
    double t = 0;
#pragma omp parallel for reduction(+ : t) num_threads(2)
    for (int j = 0; j < n; j++) t += x[j] * x[i];
    s += t * x[i];
  }
  return s;
}

double sections(const double *x, int n) {
  double a = 0, b = 0;
#pragma omp parallel sections
  {
#pragma omp section
    for (int i = 0; i < n; i++) a += x[i] * x[i];
#pragma omp section
    for (int i = 0; i < n; i++) b += sin(x[i]);
  }
  return a * b;
}

double chosen(const double *x, int n) { /* alone for few, together for many */
  double s = 0;
#pragma omp parallel for if (n > 8) reduction(+ : s)
  for (int i = 0; i < n; i++) s += x[i] * x[i] * x[0];
  return s;
}

static double __attribute__((noinline)) apart(const double *x, int i, int n) {
  double v = 0;
  for (int k = 0; k <= i % 4; k++) v += x[(i + k) % n] * x[0];
  return v;
}

double calls(const double *x, int n) {
  double s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) s += sin(apart(x, i, n));
  return s;
}

double scratch_on_heap(const double *x, int n) {
  double s = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : s)
  for (int i = 0; i < n; i++) {
    double *w = malloc((i + 1) * sizeof *w);
    for (int k = 0; k <= i; k++) w[k] = x[k] * x[i];
    for (int k = 0; k <= i; k++) s += w[k] * w[k];
    free(w);
  }
  return s;
}

typedef struct {
  double re, im;
} number;
static number times(number a, number b) {
  number c = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  return c;
}
#pragma omp declare reduction(times : number : omp_out = times(omp_out, omp_in)) initializer(omp_priv = {1, 0})

double own_reduction(const double *x, int n) {
  number z = {1, 0};
#pragma omp parallel for reduction(times : z)
  for (int i = 0; i < n; i++) {
    number w = {cos(0.1 * x[i]), sin(0.2 * x[i])};
    z = times(z, w);
  }
  return z.re + 2 * z.im;
}

typedef struct {
  double a[40];
} many;

double copies(const double *x, int n) { /* a struct that all threads copy */
  many all = {{0}};
  double s = 0;
  for (int i = 0; i < n; i++) all.a[i] = x[i] * x[i];
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    many mine = all;
    for (int k = 0; k < n; k++) mine.a[k] *= mine.a[i];
    for (int k = 0; k < n; k++) s += mine.a[(k + i) % n] * mine.a[k];
  }
  return s;
}

static void __attribute__((noinline)) meet(int *count) {
#pragma omp barrier
  (*count)++;
}

double meeting_elsewhere(const double *x, int n) {
  double *y = malloc(n * sizeof *y), s = 0;
#pragma omp parallel reduction(+ : s)
  {
    int count = 0;
#pragma omp for nowait
    for (int i = 0; i < n; i++) y[i] = sin(x[i]);
    meet(&count);
#pragma omp for
    for (int i = 0; i < n; i++) s += y[n - 1 - i] * y[i] * count;
  }
  free(y);
  return s;
}

double multiplied(const double *x, int n) {
  double p = 1, m = 0, s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double v = x[i] * x[i];
#pragma omp atomic
    p *= 1 + 0.1 * v;
#pragma omp atomic
    s += v;
  }
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double now, v = x[n - 1 - i] * p;
#pragma omp atomic read
    now = s;
#pragma omp atomic
    s /= 1 + 0.01 * x[i];
    if (now < 0) m += v;
  }
  return p * s + m;
}

double captured(const double *x, int n) { /* what each thread finds depends on the order, the sum does not */
  double s = 0, t = 0;
#pragma omp parallel for reduction(+ : t)
  for (int i = 0; i < n; i++) {
    double before;
#pragma omp atomic capture
    { before = s; s += x[i]; }
    t += (before + x[i] / 2) * x[i];
  }
  return t;
}

static double sum_by_tasks(const double *x, int n) {
  if (n < 4) { double s = 0; for (int i = 0; i < n; i++) s += sin(x[i]) * x[i]; return s; }
  double a, b;
#pragma omp task shared(a)
  a = sum_by_tasks(x, n / 2);
#pragma omp task shared(b)
  b = sum_by_tasks(x + n / 2, n - n / 2);
#pragma omp taskwait
  return a + b * a;
}
double tasks(const double *x, int n) {
  double s = 0;
#pragma omp parallel
#pragma omp single
  s = sum_by_tasks(x, n);
  return s;
}
double dependent_tasks(const double *x, int n) {
  double a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
  {
    double f = x[1];
#pragma omp task depend(out : a) shared(a) firstprivate(f)
    a = x[0] * f;
#pragma omp task depend(in : a) depend(out : b) shared(a, b)
    b = sin(a);
#pragma omp task depend(in : b) shared(b, c) if (n > 100)
    c = b * x[2];
#pragma omp taskwait
  }
  return a + b * c;
}
double task_loop(const double *x, int n) {
  double *y = malloc(n * sizeof *y), s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += y[i] * y[n - 1 - i];
  free(y);
  return s;
}

double each_makes_tasks(const double *x, int n) {
  double *y = malloc(n * sizeof *y), s = 0;
#pragma omp parallel for
  for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
    y[i] = x[i] * x[0] + sin(x[n - 1 - i]);
  }
  for (int i = 0; i < n; i++) s += y[i] * y[i];
  free(y);
  return s;
}

double neighbours(const double *x, int n) { /* chunks that are shorter than what they look around for */
  double *y = malloc(n * sizeof *y), s = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
#pragma omp for schedule(dynamic, 4) reduction(+ : s)
    for (int i = 2; i < n - 1; i++) s += sin(y[i - 2]) * y[i + 1] - y[i] * x[i + 1];
  }
  free(y);
  return s;
}

double rows(const double *x, int n) { /* each thread has rows of c to itself, and all of them read x */
  double *c = malloc(n * n * sizeof *c), s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) c[i * n + j] = sin(x[i]);
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) c[i * n + j] += x[(i + k) % n] * x[(k * 3 + j) % n] * c[i * n + j];
    for (int j = 0; j < n; j++) s += c[i * n + j] * c[i * n + j];
  }
  free(c);
  return s;
}
