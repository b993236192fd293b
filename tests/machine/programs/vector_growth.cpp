// std::vector that grows, is copied and sorted by hand.
#include <vector>

extern "C" double vector_growth(const double *x, int n)
{
    std::vector<double> values;
    for (int i = 0; i < n; i++) {
        values.push_back(x[i] * x[i]);
        if (x[i] > 0)
            values.push_back(x[i]);
    }
    std::vector<double> copy = values;
    for (std::size_t i = 1; i < copy.size(); i++)
        copy[i] += copy[i - 1] * values[i];
    double sum = 0;
    for (double v : copy)
        sum += v;
    return sum;
}
