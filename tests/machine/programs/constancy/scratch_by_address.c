/* Functions that are called by their addresses write to memory that nobody reads, and nobody asks what they give: that
 * memory has no shadow but itself. */
static double kept(double *scratch, double v)
{
    scratch[0] = v;
    return 3 * v;
}

static double squared(double *scratch, double v)
{
    scratch[1] = 2 * v;
    return v * v;
}

static double (*const table[2])(double *, double) = {kept, squared};

double f(double *x, double *c, long n)
{
    double scratch[2] = {3, 5}, sum = 0;
    for (long i = 0; i < n; i++) {
        double v = 2 * x[i];
        table[i % 2](scratch, v);
        sum += c[i] * v * v;
    }
    return sum;
}
