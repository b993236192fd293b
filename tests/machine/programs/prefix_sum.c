/* Prefix sums in place by doubling strides, and back down. */
void prefix_sum(double *x, int n)
{
    for (int stride = 1; stride < n; stride *= 2)
        for (int i = 2 * stride - 1; i < n; i += 2 * stride)
            x[i] += x[i - stride] * x[i];
    for (int stride = n / 4; stride > 0; stride /= 2)
        for (int i = 3 * stride - 1; i < n; i += 2 * stride)
            x[i] += x[i - stride];
}
