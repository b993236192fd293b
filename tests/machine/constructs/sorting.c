/* qsort and bsearch with callbacks, of numbers, structs, pointers and indices. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double sorted(const double *x, int n)
{
    double *v = malloc(n * sizeof *v), sum = 0;
    memcpy(v, x, n * sizeof *v);
    qsort(v, n, sizeof *v, by_value);
    for (int i = 0; i < n; i++) sum += (i + 1) * v[i] * v[i];
    free(v);
    return sum;
}

typedef struct { int id; double weight, value; } Item;

static int by_weight(const void *a, const void *b)
{
    const Item *x = a, *y = b;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

double sorted_structs(const double *x, int n)
{
    Item items[16];
    double sum = 0;
    for (int i = 0; i < n; i++) items[i] = (Item){i, x[i], x[i] * x[(i + 1) % n]};
    qsort(items, n, sizeof *items, by_weight);
    for (int i = 0; i < n; i++) sum += (i + 1) * items[i].value + items[i].id * items[i].weight;
    return sum;
}

static int by_target(const void *a, const void *b) { return by_value(*(const double *const *)a, *(const double *const *)b); }

double sorted_pointers(const double *x, int n)
{
    const double *p[16];
    double sum = 0;
    for (int i = 0; i < n; i++) p[i] = x + i;
    qsort(p, n, sizeof *p, by_target);
    for (int i = 0; i < n; i++) sum += (i + 1) * *p[i] * *p[i];
    return sum;
}

double found(const double *x, int n)
{
    double v[16], sum = 0;
    memcpy(v, x, n * sizeof *v);
    qsort(v, n, sizeof *v, by_value);
    for (int i = 0; i < n; i++) {
        const double *here = bsearch(x + i, v, n, sizeof *v, by_value);
        if (here) sum += (here - v + 1) * *here * *here;
    }
    double absent = -1;
    return bsearch(&absent, v, n, sizeof *v, by_value) ? 0 : sum;
}

// A comparison that is told by what: indices are sorted by active numbers, and structs by one of their members.
extern void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
static int by_numbers(const void *a, const void *b, void *numbers)
{
    const double *x = numbers, p = x[*(const int *)a], q = x[*(const int *)b];
    return p < q ? 1 : p > q ? -1 : 0;
}
static int by_member(const void *a, const void *b, void *member)
{
    const double p = ((const double *)a)[*(int *)member], q = ((const double *)b)[*(int *)member];
    return (p > q) - (p < q);
}
double told(const double *x, int n)
{
    int order[6], member = 1;
    double pairs[6][2];
    for (int i = 0; i < n; i++) order[i] = i, pairs[i][0] = x[i] * i, pairs[i][1] = sin(3 * x[i]);
    qsort_r(order, n, sizeof *order, by_numbers, (void *)x);
    qsort_r(pairs, n, sizeof *pairs, by_member, &member);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i + 1) * x[order[i]] * x[order[i]] + i * pairs[i][0] * pairs[i][1];
    return sum;
}
