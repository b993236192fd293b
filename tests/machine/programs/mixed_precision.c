/* Sums in double of products in float, stored as float on the way. */
#include <math.h>

double mixed_precision(const float *x, const double *y, float *stored, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        float product = x[i] * (float)y[i];
        stored[i] = sinf(product) + (float)sum;
        sum += (double)product * y[i] + stored[i];
    }
    return sum;
}
