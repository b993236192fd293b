// Pointers that are found by their distance from another one.
#include <stdint.h>
#include <string.h>
#include <stdlib.h>
#include <math.h>
#define NI __attribute__((noinline))
typedef struct node { double v; intptr_t next; } node;
static NI node *make(double v) { node *n = malloc(sizeof *n); n->v = v; n->next = 0; return n; }
static NI void link_to(node *a, node *b) { a->next = (intptr_t)b - (intptr_t)a; }
static NI node *follow(node *a) { return a->next ? (node *)((intptr_t)a + a->next) : NULL; }
// n = 4
double self_relative(const double *x, long n) { node *first = make(x[0]), *at = first; for (long i = 1; i < n; i++) { node *m = make(x[i]); link_to(at, m); at = m; }
  double s = 0; int k = 1; for (at = first; at; at = follow(at)) s += at->v * at->v * k++; while (first) { at = follow(first); free(first); first = at; } return s; }
// n = 4
double self_relative_char(const double *x, long n) { node *a = malloc(2 * sizeof *a), *b = a + 1; a->v = x[0]; b->v = x[1]; a->next = (char *)b - (char *)a; b->next = 0;
  node *c = (node *)((char *)a + a->next); double r = c->v * c->v * a->v; free(a); return r; }
// n = 3
double offset_table(const double *x, long n) { double *base = malloc(4 * 8), *p[3]; intptr_t off[3]; *base = x[3]; for (int i = 0; i < 3; i++) { p[i] = base + 1 + i; *p[i] = x[i]; off[i] = (char *)p[i] - (char *)base; }
  double s = 0; for (int i = 0; i < n; i++) s += *(double *)((char *)base + off[i]) * (i + 1); s *= *base; free(base); return s; }
