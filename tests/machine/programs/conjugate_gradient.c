/* A linear system by conjugate gradients, with the matrix behind a callback. */
#include <stdlib.h>

typedef void (*Operator)(const void *, const double *, double *, int);

static void dense(const void *context, const double *x, double *y, int n)
{
    const double *a = context;
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int j = 0; j < n; j++)
            y[i] += a[i * n + j] * x[j];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

__attribute__((noinline)) static void solve(Operator apply, const void *context, const double *b, double *x, int n)
{
    double *r = malloc(n * sizeof(double)), *p = malloc(n * sizeof(double)), *q = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++) {
        x[i] = 0;
        r[i] = p[i] = b[i];
    }
    double rho = dot(r, r, n);
    for (int round = 0; round < n && rho > 1e-20; round++) {
        apply(context, p, q, n);
        double alpha = rho / dot(p, q, n);
        for (int i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        double next = dot(r, r, n), beta = next / rho;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + beta * p[i];
        rho = next;
    }
    free(r);
    free(p);
    free(q);
}

void conjugate_gradient(const double *a, const double *b, double *x, int n) { solve(dense, a, b, x, n); }
