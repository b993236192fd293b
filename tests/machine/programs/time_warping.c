/* Dynamic time warping with a soft minimum. */
#include <math.h>
#include <stdlib.h>

static double soft_minimum(double a, double b, double c, double gamma)
{
    double least = fmin(a, fmin(b, c));
    return least - gamma * log(exp((least - a) / gamma) + exp((least - b) / gamma) + exp((least - c) / gamma));
}

double time_warping(const double *x, int n, const double *y, int m, double gamma)
{
    double *cost = malloc((n + 1) * (m + 1) * sizeof(double));
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                cost[i * (m + 1) + j] = i == j ? 0 : 1e3;
                continue;
            }
            double d = x[i - 1] - y[j - 1];
            const double *at = cost + i * (m + 1) + j;
            cost[i * (m + 1) + j] = d * d + soft_minimum(at[-1], at[-m - 1], at[-m - 2], gamma);
        }
    double result = cost[n * (m + 1) + m];
    free(cost);
    return result;
}
