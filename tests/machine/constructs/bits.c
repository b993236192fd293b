/* The bits of floats as integers: what mathematical libraries and games do with them. */
#include <math.h>
#include <stdint.h>
#include <string.h>

static uint64_t bits_of(double x) { uint64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
static double from_bits(uint64_t bits) { double x; memcpy(&x, &bits, sizeof x); return x; }

static double split(double x, int *exponent)
{
    uint64_t bits = bits_of(x);
    *exponent = (int)(bits >> 52 & 0x7ff) - 1022;
    return from_bits((bits & 0x800fffffffffffffu) | 0x3fe0000000000000u);
}

/* frexp by hand: the sign stays. */
double mantissas(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int exponent;
        double m = split((i % 2 ? -3 : 3) * x[i], &exponent);
        sum += m * m * m * (exponent + 2);
    }
    return sum;
}

/* The digits of a float under an exponent that is computed. */
double rescaled(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[0] * from_bits((bits_of(x[i]) & 0x000fffffffffffffu) | (uint64_t)(1020 + i) << 52);
    return sum;
}

double logarithms(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int exponent;
        double m = split(5 * x[i], &exponent);
        if (m < 0.70710678) m *= 2, exponent--;
        double t = (m - 1) / (m + 1), s = t * t;
        sum += x[i] * (2 * t * (1 + s * (1. / 3 + s * (1. / 5 + s * (1. / 7 + s * (1. / 9 + s / 11))))) + exponent * 0.6931471805599453);
    }
    return sum;
}

/* A first guess from the bits, then Newton's steps. */
static double inverse_root(double x)
{
    double y = from_bits(0x5fe6eb50c7b537a9u - (bits_of(x) >> 1));
    for (int k = 0; k < 4; k++) y *= 1.5 - 0.5 * x * y * y;
    return y;
}

double inverse_roots(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * inverse_root(x[i]);
    return sum;
}

double cube_roots(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double y = from_bits(bits_of(x[i]) / 3 + 0x2a9f7893782da1ceu);
        for (int k = 0; k < 4; k++) y -= (y * y * y - x[i]) / (3 * y * y);
        sum += x[0] * y;
    }
    return sum;
}

/* The guess alone, where no step hides its slope: it is linear between powers of two. */
double guesses(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[0] * from_bits(0x5fe6eb50c7b537a9u - (bits_of(x[i]) >> 1));
    return sum;
}

/* The nearest whole number by a large constant, in the sum and in its last bits. */
static double exponential(double x)
{
    double shifted = x * 1.4426950408889634 + 6755399441055744.0;
    int32_t power = (int32_t)bits_of(shifted);
    double r = x - (shifted - 6755399441055744.0) * 0.6931471805599453;
    double p = 1 + r * (1 + r * (0.5 + r * (1. / 6 + r * (1. / 24 + r * (1. / 120 + r * (1. / 720 + r / 5040))))));
    return p * from_bits((uint64_t)(power + 1023) << 52);
}

double exponentials(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += exponential(2 * x[i]);
    return sum;
}

/* The bits as a number: a straight line between powers of two. */
double numbers_of_bits(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double log2 = (double)bits_of(x[i]) * 0x1p-52 - 1023;
        sum += x[0] * log2 * log2 + (double)(bits_of(-5 * x[i]) >> 4 & 0xffffffffffffu) * 0x1p-46;
    }
    return sum;
}

/* frexp once more: the digits as a number. */
double numbers_of_digits(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        uint64_t bits = bits_of(5 * x[i]);
        double m = 1 + (double)(bits & 0xfffffffffffffu) * 0x1p-52;
        sum += m * m * m * ((int)(bits >> 52) - 1020);
    }
    return sum;
}

/* A power of two whose exponent has digits behind the point, which become those of the float. */
double bits_of_numbers(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[0] * from_bits((uint64_t)(int64_t)(0x1p52 * (2 * x[i] + 1022.95)));
    return sum;
}
