// std::complex: a polynomial and its Newton steps.
#include <complex>

extern "C" void std_complex(double *z, int steps)
{
    std::complex<double> x(z[0], z[1]);
    for (int i = 0; i < steps; i++)
        x -= (x * x * x - 1.0) / (3.0 * x * x);
    x *= std::polar(std::abs(x), z[2]);
    z[0] = x.real();
    z[1] = x.imag();
}
