/* y = A x for a sparse matrix by compressed rows, twice. */
static void multiply(int n, const int *starts, const int *columns, const double *values, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = starts[i]; k < starts[i + 1]; k++)
            y[i] += values[k] * x[columns[k]];
    }
}

void sparse_product(int n, const int *starts, const int *columns, const double *values, double *x, double *y)
{
    multiply(n, starts, columns, values, x, y);
    multiply(n, starts, columns, values, y, x);
}
