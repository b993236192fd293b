/* Values kept as half precision between sums in single precision. */
float half_precision(const float *x, const float *y, int n)
{
    _Float16 products[16];
    float sum = 0;
    for (int i = 0; i < n; i++)
        products[i] = (_Float16)(x[i] * y[i]);
    for (int i = 0; i < n; i++)
        sum += (float)products[i] * (i + 1);
    return sum;
}
