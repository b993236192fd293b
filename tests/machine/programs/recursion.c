/* Recursion: pairwise summation of a recursive polynomial. */
__attribute__((noinline)) static double horner(const double *c, int n, double x)
{
    return n == 0 ? 0 : c[0] + x * horner(c + 1, n - 1, x);
}

__attribute__((noinline)) static double pairwise(const double *c, int from, int to, double x)
{
    if (to - from < 3)
        return horner(c + from, to - from, x);
    int middle = (from + to) / 2;
    double left = pairwise(c, from, middle, x), right = pairwise(c, middle, to, x);
    return left * right * 0.25 + left - right;
}

double recursion(const double *c, int n, double x) { return horner(c, n, x) * pairwise(c, 0, n, x); }
