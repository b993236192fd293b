/* log(sum(exp(x))) with the largest taken out first. */
#include <math.h>

double log_sum_exp(const double *x, int n)
{
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}
