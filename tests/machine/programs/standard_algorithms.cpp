// std::array, std::accumulate, std::transform, std::inner_product, std::swap and std::max.
#include <algorithm>
#include <array>
#include <numeric>

extern "C" double standard_algorithms(const double *x)
{
    std::array<double, 6> a, b;
    std::copy(x, x + 6, a.begin());
    std::transform(a.begin(), a.end(), b.begin(), [](double v) { return v * v - 1; });
    std::swap(a[0], b[3]);
    std::reverse(b.begin(), b.end());
    double sum = std::accumulate(a.begin(), a.end(), 0.5, [](double s, double v) { return s * 0.9 + v; });
    return sum * std::max(b[1], b[2]) + std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
