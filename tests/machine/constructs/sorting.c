/* qsort and bsearch with callbacks, of numbers, structs, pointers and indices. */
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
