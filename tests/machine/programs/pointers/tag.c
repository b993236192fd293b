#include <stdint.h>
#include <stdlib.h>
struct node { double v; uintptr_t next; };
double f(double *x, long n) {
  uintptr_t head = 0;
  for (long i = 0; i < n; i++) { struct node *p = malloc(sizeof *p); p->v = x[i]*x[i]; p->next = head | (i & 1); head = (uintptr_t)p; }
  double s = 0; uintptr_t q = head;
  while (q & ~(uintptr_t)7) { struct node *p = (struct node *)(q & ~(uintptr_t)7); s += (q & 1) ? p->v : 2*p->v; q = p->next; free(p);}
  return s;
}
