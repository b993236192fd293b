/* Functions that stay calls: by value, by pointer, and calls of calls in a loop. */
#include <math.h>

__attribute__((noinline)) static double inner(double x, double y) { return x * sin(y) + y; }

__attribute__((noinline)) static double middle(const double *x, int i, double *carried)
{
    double v = inner(x[i], *carried);
    *carried = *carried * 0.5 + inner(v, x[i]);
    return v * *carried;
}

__attribute__((noinline)) static void scale(double *x, int n, double by)
{
    for (int i = 0; i < n; i++)
        x[i] *= by;
}

double calls(double *x, int n)
{
    double carried = 0.25, sum = 0;
    for (int i = 0; i < n; i++)
        sum += middle(x, i, &carried);
    scale(x, n, carried);
    return sum + inner(x[0], x[n - 1]);
}
