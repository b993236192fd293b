/* A local array, changed in place again and again. */
double stack_array(const double *x)
{
    double a[8];
    for (int i = 0; i < 8; i++)
        a[i] = x[i] * x[(i + 3) % 8];
    for (int round = 0; round < 5; round++)
        for (int i = 0; i < 8; i++)
            a[i] = a[i] * 0.5 + a[(i + 1) % 8] * a[(i + 5) % 8] * 0.25;
    double sum = 0;
    for (int i = 0; i < 8; i++)
        sum += a[i] * (i + 1);
    return sum;
}
