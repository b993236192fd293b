/* a function by its address, with constant parameters behind a void pointer */
typedef double integrand(double, void *);
struct power { double a, b; };
static double linear(double t, void *p) { struct power *q = p; return q->a * t + q->b; }
static double square(double t, void *p) { struct power *q = p; return q->a * t * t + q->b * t; }
__attribute__((noinline)) static double sum(integrand *g, void *p, double *x, long n) { double s = 0; for (long i = 0; i < n; i++) s += g(x[i], p); return s; }
double f(double *x, double *c, long n) {
  struct power constant = {c[0], c[1]}, active = {x[0], x[1] * c[2]};
  return sum(linear, &constant, x, n) * sum(square, &constant, x, n) + sum(c[3] > 0 ? linear : square, &active, x, n);
}
