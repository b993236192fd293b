/* One buffer as source and target of the same function, shifted against itself. */
__attribute__((noinline)) static void combine(const double *a, const double *b, double *out, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = a[i] * b[i] + 0.1 * a[n - 1 - i];
}

void in_and_out(double *x, int n)
{
    combine(x, x, x, n);
    combine(x, x + 1, x + 2, n - 2);
    combine(x + 2, x, x + 1, n - 2);
}
