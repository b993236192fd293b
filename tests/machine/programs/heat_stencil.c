/* Heat flow in two buffers that take turns. */
#include <stdlib.h>

double heat_stencil(const double *start, double k, int n, int steps)
{
    double *now = malloc(n * sizeof(double)), *next = malloc(n * sizeof(double)), sum = 0;
    for (int i = 0; i < n; i++)
        now[i] = next[i] = start[i];
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = now[i] + k * now[i] * (now[i - 1] - 2 * now[i] + now[i + 1]);
        double *swap = now;
        now = next;
        next = swap;
    }
    for (int i = 0; i < n; i++)
        sum += now[i] * now[i];
    free(now);
    free(next);
    return sum;
}
