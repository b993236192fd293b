/* Globals: a table of constants, and memory that functions leave values in for each other. */
static const double coefficients[5] = {0.5, -1.25, 2.0, 0.125, -0.3};
static double workspace[8];
static int calls;

__attribute__((noinline)) static void fill(const double *x, int n)
{
    for (int i = 0; i < n; i++)
        workspace[i] = x[i] * coefficients[i % 5] + (i ? workspace[i - 1] * x[i] : 0);
    calls++;
}

__attribute__((noinline)) static double reduce(int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += workspace[i] * workspace[n - 1 - i];
    return sum;
}

double globals(const double *x, int n)
{
    fill(x, n);
    double sum = reduce(n);
    fill(x + 1, n - 1);
    return sum + reduce(n - 1);
}
