#include <stdint.h>
#include <stdlib.h>
struct node { double v; uintptr_t link; };
double f(double *x, long n) {
  struct node *a = calloc(n, sizeof *a);
  for (long i = 0; i < n; i++) { a[i].v = x[i]*x[i]*x[i];
    a[i].link = (i ? (uintptr_t)&a[i-1] : 0) ^ (i+1<n ? (uintptr_t)&a[i+1] : 0); }
  double s = 0; uintptr_t prev = 0, cur = (uintptr_t)a; long k = 1;
  while (cur) { struct node *p = (struct node *)cur; s += k++ * p->v; uintptr_t nx = p->link ^ prev; prev = cur; cur = nx; }
  free(a);
  return s;
}
