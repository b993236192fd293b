/* Memory that functions give which are called by an address, the allocators of C among them. */
#include <stdlib.h>

typedef struct { void *(*get)(size_t); void (*put)(void *); } Ops;

static void *cleared(size_t n) { return calloc(n, 1); }
static void *taken(size_t n) { return malloc(n); }
static void kept(void *p) { (void)p; }

double chosen(const double *x, int n)
{
    void *(*get)(size_t) = n > 50 ? taken : cleared;
    double *y = get(n * sizeof *y);
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
    double s = y[0] * y[n - 1];
    free(y);
    return s;
}

double by_a_table(const double *x, int n)
{
    Ops ops = {n > 50 ? taken : malloc, n > 70 ? kept : free};
    double s = 0;
    for (int k = 1; k <= n; k++) {
        double *y = ops.get(k * sizeof *y);
        for (int i = 0; i < k; i++) y[i] = x[i] * x[i] * x[k - 1];
        s += y[0] * y[k - 1];
        ops.put(y);
    }
    return s;
}

double zeroed(const double *x, int n)
{
    void *(*get)(size_t, size_t) = n > 50 ? 0 : calloc;
    double *y = get(n, sizeof *y);
    for (int i = 0; i < n; i++) y[i / 2] += x[i] * x[i];
    double s = y[0] * y[n / 2 - 1];
    free(y);
    return s;
}

double grown(const double *x, int n)
{
    void *(*grow)(void *, size_t) = n > 50 ? 0 : realloc;
    double *y = 0;
    for (int i = 0; i < n; i++) {
        y = grow(y, (i + 1) * sizeof *y);
        y[i] = x[i] * x[i] * (i ? y[i - 1] : 1);
    }
    double s = y[0] * y[n - 1];
    free(y);
    return s;
}

static void *(*hook)(size_t);

double hooked(const double *x, int n)
{
    hook = n > 50 ? taken : malloc;
    double *y = hook(n * sizeof *y);
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
    double s = y[0] * y[n - 1];
    free(y);
    return s;
}

double told_apart(const double *x, int n)
{
    void (*put)(void *) = n > 50 ? kept : free;
    double *y = malloc(sizeof *y);
    *y = x[0] * x[1];
    double s = put == free ? *y * *y : *y;
    if (put != free) s *= 2;
    put(y);
    return s;
}
