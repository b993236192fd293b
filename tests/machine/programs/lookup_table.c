/* Interpolation in a table, at a place that the data decide. */
#include <math.h>

static const double table[9] = {0.0, 0.3, 1.1, 1.9, 2.2, 1.7, 0.9, 0.4, 0.1};

static double read(double x)
{
    double scaled = x * 4;
    int i = (int)floor(scaled);
    if (i < 0)
        return table[0];
    if (i >= 8)
        return table[8];
    double part = scaled - i;
    return table[i] * (1 - part) + table[i + 1] * part;
}

double lookup_table(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += read(x[i]) * x[i] + read(sum * 0.1);
    return sum;
}
