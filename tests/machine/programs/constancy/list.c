#include <stdlib.h>
/* a list of pointers into both */
struct node { double *at; struct node *next; };
__attribute__((noinline)) static double sum(struct node *p, double w) { return p ? w * *p->at * *p->at + sum(p->next, 0.5 * w) : 0; }
double f(double *x, double *c, long n) {
  struct node *head = 0;
  for (long i = 0; i < n; i++) { struct node *p = malloc(sizeof *p); p->at = i % 3 ? x + i : c + i; p->next = head; head = p; }
  double s = sum(head, 1.0) * x[0];
  while (head) { struct node *next = head->next; free(head); head = next; }
  return s;
}
