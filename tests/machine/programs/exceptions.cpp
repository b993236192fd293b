// Checks that throw, on paths that aren't taken; objects with destructors stand ready to be unwound.
#include <cmath>
#include <stdexcept>
#include <vector>

__attribute__((noinline)) static double root(double x)
{
    if (x < 0)
        throw std::domain_error("negative");
    return std::sqrt(x);
}

extern "C" double exceptions(const double *x, int n)
{
    std::vector<double> roots(n);
    if (n < 1)
        throw std::invalid_argument("nothing to do");
    for (int i = 0; i < n; i++)
        roots.at(i) = root(x[i] * x[i] + 1);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += roots.at(i) * roots.at(n - 1 - i) * x[i];
    return sum;
}
