/* Pointers to pointers: a matrix as rows on the heap. */
#include <stdlib.h>

static double **matrix(int n)
{
    double **rows = malloc(n * sizeof(double *));
    for (int i = 0; i < n; i++)
        rows[i] = calloc(n, sizeof(double));
    return rows;
}

static void release(double **rows, int n)
{
    for (int i = 0; i < n; i++)
        free(rows[i]);
    free(rows);
}

double heap_matrix(const double *a, const double *b, int n)
{
    double **x = matrix(n), **y = matrix(n), **z = matrix(n), trace = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            x[i][j] = a[i * n + j];
            y[j][i] = b[i * n + j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                z[i][j] += x[i][k] * y[k][j];
    for (int i = 0; i < n; i++)
        trace += z[i][i] * z[n - 1 - i][i];
    release(x, n);
    release(y, n);
    release(z, n);
    return trace;
}
