/* Work beside the mathematics that carries no derivative: counters, checks, messages that are never sent. */
#include <stdio.h>
#include <stdlib.h>

static long evaluations;

double logging(const double *x, int n, int verbose)
{
    double sum = 0;
    int *order = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        order[i] = n - 1 - i;
    evaluations++;
    for (int i = 0; i < n; i++) {
        if (x[i] > 1e6) {
            fprintf(stderr, "value %d is too large: %g\n", i, x[i]);
            exit(1);
        }
        if (verbose)
            printf("%g\n", x[order[i]]);
        sum += x[i] * x[order[i]] * (i + 1);
    }
    free(order);
    return sum;
}
