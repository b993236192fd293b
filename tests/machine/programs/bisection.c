/* A root bracketed by bisection, then polished by one step of Newton's, which carries the derivative. */
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
    return x - (exp(x * 0.5) + a * x - b) / (0.5 * exp(x * 0.5) + a);
}
