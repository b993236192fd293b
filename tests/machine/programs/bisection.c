/* A root bracketed by bisection, then polished by steps of Newton's: each carries one more order of derivative. */
#include <math.h>

double bisection(double a, double b)
{
    double low = 0, high = 4;
    do {
        double middle = 0.5 * (low + high);
        if (exp(middle * 0.5) + a * middle < b)
            low = middle;
        else
            high = middle;
    } while (high - low > 1e-9);
    double x = low;
    for (int i = 0; i < 3; i++)
        x -= (exp(x * 0.5) + a * x - b) / (0.5 * exp(x * 0.5) + a);
    return x;
}
