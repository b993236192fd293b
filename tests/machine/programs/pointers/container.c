#include <stddef.h>
#include <stdlib.h>
/* intrusive lists: from a link to the struct around it */
struct link { struct link *next; };
struct item { double v, w; struct link in; };
#define ITEM(l) ((struct item *)((char *)(l) - offsetof(struct item, in)))
double f(double *x, long n) {
  struct link *head = 0; double s = 0;
  for (long i = 0; i < n; i++) { struct item *t = malloc(sizeof *t); t->v = x[i] * x[i]; t->w = i + 1; t->in.next = head; head = &t->in; }
  while (head) { struct item *t = ITEM(head); s += t->v * t->w; head = head->next; free(t); }
  return s;
}
