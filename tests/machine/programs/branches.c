/* if/else chains, ternaries, fabs, fmin and fmax. */
#include <math.h>

double branches(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i];
        if (v > 1)
            sum += v * v;
        else if (v > 0 && i % 2 == 0)
            sum += sin(v) * v;
        else if (v < -1 || i % 3 == 0)
            sum -= exp(v);
        else
            sum += v > -0.5 ? v * 3 : v * v * v;
        sum += fabs(v) * fmin(v, 0.7) - fmax(v * v, 0.2);
    }
    return sum;
}
