/* The largest eigenvalue, until it settles. */
#include <math.h>
#include <string.h>

double power_iteration(const double *a, int n)
{
    double v[n], w[n], value = 0, before;
    for (int i = 0; i < n; i++)
        v[i] = 1;
    int round = 0;
    do {
        before = value;
        double norm = 0;
        for (int i = 0; i < n; i++) {
            w[i] = 0;
            for (int j = 0; j < n; j++)
                w[i] += a[i * n + j] * v[j];
            norm += w[i] * w[i];
        }
        value = sqrt(norm);
        for (int i = 0; i < n; i++)
            w[i] /= value;
        memcpy(v, w, n * sizeof(double));
    } while (fabs(value - before) > 1e-12 && ++round < 200);
    return value;
}
