/* Functions that give a pointer and a number in one piece, which takes two registers. */
#include <math.h>

typedef struct { const double *at; double sum; } Found;
typedef struct { double sum; const double *at; } Turned;

__attribute__((noinline)) static Found largest(const double *y, int n)
{
    Found p = {y, 0};
    for (int i = 0; i < n; i++) {
        p.sum += y[i] * y[i];
        if (y[i] > *p.at) p.at = &y[i];
    }
    return p;
}

double found_in_a_row(const double *x, int n)
{
    Found p = largest(x, n);
    return *p.at * p.sum;
}

__attribute__((noinline)) static Found walk(const double *y, int n)
{
    if (n == 1) {
        Found p = {y, y[0] * y[0]};
        return p;
    }
    Found p = walk(y + 1, n - 1);
    if (y[0] > *p.at) p.at = y;
    p.sum += sin(y[0]) * p.sum;
    return p;
}

double found_by_recursion(const double *x, int n)
{
    double s = 0;
    for (int k = 1; k <= n; k++) {
        Found p = walk(x, k);
        s += p.sum * *p.at;
    }
    return s;
}

__attribute__((noinline)) static Turned next(Turned p)
{
    p.sum = sin(p.sum) * *p.at++;
    return p;
}

double handed_on(const double *x, int n)
{
    Turned p = {1, x};
    for (int k = 0; k < n; k++) p = next(p);
    return p.sum;
}
