/* Loops that count down, stride, and nest in triangles. */
double loop_shapes(double *x, int n)
{
    double sum = 0;
    for (int i = n - 1; i >= 0; i--)
        sum = sum * 0.5 + x[i] * x[i];
    for (int i = 0; i < n; i += 3)
        x[i] *= sum;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j += 2)
            for (int k = j; k > i; k--)
                sum += x[i] * x[j] * x[k] * 0.01;
    for (unsigned i = n; i-- > 1;)
        x[i] -= x[i - 1] * sum;
    for (long i = 1; i < n; i *= 2)
        sum += x[i] * x[n - i];
    return sum;
}
