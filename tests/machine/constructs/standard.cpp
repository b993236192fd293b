// Streams beside active numbers, and std::sort with an order of its own: LLVM takes out the parameter that says it, and the others move up.
#include <algorithm>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

extern "C" double descending(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    std::sort(v.begin(), v.end(), std::greater<double>());
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i + 1) * v[i] * v[i];
    return sum;
}

extern "C" double described(const double *x, int n)
{
    std::istringstream in("scale = 2.5\nshift = 0.25\n");
    std::ostringstream log;
    std::string line;
    double sum = 0;
    for (int i = 0; std::getline(in, line); i++) {
        double number = std::stod(line.substr(line.find('=') + 1));
        sum += number * x[i] * x[i + n / 2];
        log << line << ": " << sum << std::endl;
    }
    if (log.str().size() < 10) std::cerr << "nothing was read" << std::endl;
    return sum;
}
