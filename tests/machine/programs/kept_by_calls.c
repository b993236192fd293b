/* What calls keep for the reverse sweep: in loops of lengths that nobody knows, between calls, in recursion, in variables
   that want more than common alignment. */
#include <math.h>

/* Keeps as many numbers as its loop has rounds, which is known when it is over. */
__attribute__((noinline)) static double halved(double x, double least, int *rounds)
{
    double s = 0;
    *rounds = 0;
    while (fabs(x) > least) {
        s += sin(x) * x;
        x *= 0.5 + 0.1 * cos(x);
        ++*rounds;
    }
    return s + x * x;
}

/* Keeps between the calls, so that its memory grows while that of the calls is there. */
__attribute__((noinline)) static double walk(const double *x, int n, int start)
{
    double s = 0.1, least = 0.02;
    int at = start, rounds;
    while (at < 40 * n) {
        double t = halved(x[at % n] + s, least, &rounds);
        s = 0.7 * s + sin(t * s) * x[(at + rounds) % n];
        at += 1 + rounds % 3;
        if (rounds % 2) s += 0.1 * halved(s, 0.2, &rounds);
    }
    return s;
}

typedef struct { _Alignas(128) double v[20]; } Wide;

__attribute__((noinline)) static double deep(const double *x, int n, int depth)
{
    Wide w;
    for (int i = 0; i < 20; i++) w.v[i] = cos(x[i % n] + 0.1 * depth) / (1 + i);
    double *volatile p = w.v; /* it stays in memory */
    if (depth > 0) {
        double below = deep(x, n, depth - 1);
        return 0.9 * below * p[depth % 20] + p[3] * w.v[4] + walk(x, n, 38 * n + depth % n);
    }
    double s = 0;
    for (int i = 0; i < 20; i++) s += p[i] * p[(i + 1) % 20];
    return s;
}

double kept_by_calls(const double *x, int n)
{
    double s = 0;
    for (int k = 0; k < 3; k++) s += (k + 1) * walk(x, n, k);
    return s + deep(x, n, 60);
}
