#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
/* links that are distances from where they are kept */
struct node { double v; ptrdiff_t next; };
double f(double *x, long n) {
  struct node *pool = calloc(n, sizeof *pool);
  for (long i = 0; i < n; i++) { pool[i].v = x[i] * x[i]; long k = (i * 3 + 1) % n; pool[i].next = (char *)&pool[k] - (char *)&pool[i]; }
  double s = 0; struct node *p = pool;
  for (long i = 0; i < n; i++) { s += (i + 1) * p->v; p = (struct node *)((char *)p + p->next); }
  free(pool);
  return s;
}
