#include <stdint.h>
#include <stdlib.h>
struct node { double v; uint32_t next; };
double f(double *x, long n) {
  struct node *pool = malloc((n+1) * sizeof *pool);
  uint32_t head = 0; uintptr_t base = (uintptr_t)pool;
  for (long i = 0; i < n; i++) { struct node *p = pool + i + 1; p->v = x[i]*x[i]; p->next = head; head = (uint32_t)((uintptr_t)p - base); }
  double s = 0; long k=1; for (uint32_t q = head; q; ) { struct node *p = (struct node *)(base + q); s += k++*p->v; q = p->next; }
  free(pool);
  return s;
}
