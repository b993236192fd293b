/* Two functions that call each other, and write on the way. */
#include <math.h>

static void odd(double *x, int n);

__attribute__((noinline)) static void even(double *x, int n)
{
    if (n == 0)
        return;
    x[0] = sin(x[0]) * x[1];
    odd(x + 1, n - 1);
    x[0] += x[1] * x[1];
}

__attribute__((noinline)) static void odd(double *x, int n)
{
    if (n == 0)
        return;
    x[0] = x[0] * x[0] + x[1];
    even(x + 1, n - 1);
    x[0] *= 0.5 + x[1];
}

void mutual_recursion(double *x, int n) { even(x, n - 1); }
