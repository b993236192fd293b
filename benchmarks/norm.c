/* The example of differentiating after optimising: once the norm is taken out of the loop, both it and its derivative
 * cost O(n); a derivative made before that costs O(n²), and no optimiser can repair it. */
#include <math.h>

__attribute__((noinline)) static double magnitude(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sqrt(sum);
}

void norm(const double *in, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = in[i] / magnitude(in, n);
}
