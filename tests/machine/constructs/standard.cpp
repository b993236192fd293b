// std::sort with an order of its own: LLVM takes out the parameter that says it, and the others move up.
#include <algorithm>
#include <functional>
#include <vector>

extern "C" double descending(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    std::sort(v.begin(), v.end(), std::greater<double>());
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i + 1) * v[i] * v[i];
    return sum;
}
