/* C's own complex numbers: products, quotients, exp and absolute value. */
#include <complex.h>

double complex_numbers(double re, double im, double a, double b)
{
    double complex c = re + im * I, z = 0, w = a + b * I;
    for (int i = 0; i < 4; i++)
        z = z * z + c;
    w = cexp(w) / (z + 2.0);
    return cabs(w) + creal(z * w) - cimag(conj(w));
}
