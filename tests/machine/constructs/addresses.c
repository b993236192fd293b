/* What programs do with differences of addresses, and with addresses as numbers. */
#include <stdlib.h>

/* What is left of a difference, rounded, is a count: of shadows side by side it would be rounded elsewhere. To a function it is a number. */
__attribute__((noinline)) static void sift(double *h, long hole, long count, double v)
{
    for (;;) {
        long child = 2 * hole + 1;
        if (child >= count) break;
        if (child + 1 < count && h[child + 1] > h[child]) child++;
        if (h[child] <= v) break;
        h[hole] = h[child];
        hole = child;
    }
    h[hole] = v;
}
double heap(const double *x, int n)
{
    double *begin = 0, *end = 0, *room = 0;
    for (int i = 0; i < n; i++) {
        if (end == room) {
            long count = end - begin, more = count ? 2 * count : 1;
            double *grown = malloc(more * sizeof *grown);
            for (long k = 0; k < count; k++) grown[k] = begin[k];
            free(begin);
            begin = grown, end = grown + count, room = grown + more;
        }
        *end++ = x[i] * x[i];
    }
    for (long k = (unsigned long)(end - begin - 2) / 2; k >= 0; k--) sift(begin, k, end - begin, begin[k]);
    double sum = 0;
    for (int k = 0; k < n; k++) sum += (k + 1) * begin[k];
    free(begin);
    return sum;
}

/* The smaller one of a difference of addresses and a number is a difference. */
double clipped(const double *x, int n)
{
    double *block = calloc(n, sizeof *block), *other = calloc(n, sizeof *other);
    double *from = n > 100 ? other : block, sum = other[0];
    size_t bytes = (char *)(block + 2) - (char *)from;
    bytes = bytes < 1000 ? bytes : 1000;
    *(double *)((char *)block + bytes) = x[1] * x[2];
    block[0] = x[0];
    for (int i = 0; i < n; i++) sum += (i + 1) * block[i] * block[i];
    free(block);
    free(other);
    return sum;
}

/* Addresses that are rounded to multiples of 16. */
double aligned(const double *x, int n)
{
    double *block = malloc((n + 2) * sizeof *block), *v = __builtin_align_up(block, 16), sum = 0;
    for (int i = 0; i < n; i++) v[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        double *pair = __builtin_align_down(v + i, 16);
        sum += pair[0] * v[i];
    }
    free(block);
    return sum;
}
