/* Cooley and Tukey's transform in place, radix two; the numbers are pairs of real and imaginary part. */
#include <math.h>

void fft(double *x, int n)
{
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j)
            for (int k = 0; k < 2; k++) {
                double t = x[2 * i + k];
                x[2 * i + k] = x[2 * j + k];
                x[2 * j + k] = t;
            }
    }
    for (int length = 2; length <= n; length <<= 1)
        for (int i = 0; i < n; i += length)
            for (int j = 0; j < length / 2; j++) {
                double angle = -2 * 3.14159265358979323846 * j / length, c = cos(angle), s = sin(angle);
                double *a = x + 2 * (i + j), *b = x + 2 * (i + j + length / 2);
                double re = b[0] * c - b[1] * s, im = b[0] * s + b[1] * c;
                b[0] = a[0] - re;
                b[1] = a[1] - im;
                a[0] += re;
                a[1] += im;
            }
    for (int i = 0; i < n; i++) /* the power of each frequency, so that it isn't all linear */
        x[2 * i] = x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1];
}
