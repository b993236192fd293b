/* the callee can't know that what the struct points to is constant */
struct model { double weight; double *c; };
__attribute__((noinline)) static double term(struct model *m, long i) {
  if (m->weight < 0) m->c[i] = m->weight;
  return m->weight * m->c[i] * m->c[i];
}
double f(double *x, double *c, long n) {
  double s = 0;
  for (long i = 0; i < n; i++) {
    struct model m = {x[i] * x[i], c};
    s += term(&m, i);
  }
  return s;
}
