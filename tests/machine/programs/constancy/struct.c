/* a struct of a weight and of pointers to both kinds, in a call that is not inlined */
struct model { double weight, *x, *c; };
__attribute__((noinline)) static double term(struct model *m, long i) { return m->weight * m->x[i] * m->c[i] * m->c[i]; }
double f(double *x, double *c, long n) {
  struct model m = {x[0] * x[1], x, c};
  double s = 0;
  for (long i = 0; i < n; i++) s += term(&m, i);
  return s;
}
