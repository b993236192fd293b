/* A table of function pointers, chosen by data; and one passed down. */
#include <math.h>

typedef double (*Function)(double, double);

static double add(double a, double b) { return a + b * b; }
static double multiply(double a, double b) { return a * b; }
static double wave(double a, double b) { return sin(a) * cos(b); }

static const Function table[3] = {add, multiply, wave};

__attribute__((noinline)) static double fold(Function f, const double *x, int n)
{
    double result = x[0];
    for (int i = 1; i < n; i++)
        result = f(result, x[i]);
    return result;
}

double function_pointers(const int *which, const double *x, int n)
{
    double result = 0.5;
    for (int i = 0; i < n; i++)
        result = table[which[i]](result, x[i]);
    return result + fold(which[0] ? add : wave, x, n);
}
