/* The library of mathematics, from atan2 to lgamma, with the functions that write through pointers. */
#include <math.h>

double special_functions(double x, double y)
{
    double whole, part = modf(3.3 * x, &whole);
    int exponent;
    double mantissa = frexp(x * y, &exponent);
    return hypot(x, y) + atan2(y, x) * pow(x, y) + lgamma(x + 1) * tgamma(y + 1) + fmod(5.5 * x, 2.0)
           + cbrt(x) * expm1(y) + log1p(x) * log2(y) + exp2(x) * log10(y) + asinh(x) * acosh(1 + y) + atanh(x / 4)
           + sinh(x) / cosh(y) + asin(x / 3) * acos(y / 3) + part * whole + ldexp(mantissa, exponent / 2)
           + copysign(x, -y) * fma(x, y, x) + fdim(x * 3, y) + remainder(x, 0.7) + erfc(x) * tan(y / 2) + j0(x) * j1(y);
}
