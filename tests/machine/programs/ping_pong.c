/* Two blocks that jump to each other, each with a loop inside and a way out: neither comes first. */
#include <math.h>

double ping_pong(const double *x, int n, double a)
{
    double y = a;
    int i = 0;
    if (a > 1)
        goto pong;
ping:
    y = sin(y) + x[i];
    while (y > 1)
        y = 0.6 * y;
    if (++i >= n)
        goto done;
    if (y < 0)
        goto ping;
pong:
    y = y * x[i] + 0.3;
    for (int k = 0; k < i; k++)
        y += 0.1 * x[k] * y;
    if (++i >= n)
        goto done;
    goto ping;
done:
    return y * y;
}
