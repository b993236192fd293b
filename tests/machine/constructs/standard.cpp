// Streams beside active numbers, and std::sort with an order of its own: LLVM takes out the parameter that says it, and the others move up.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
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

// A vector that grows, of what owns its numbers: what LLVM moves is at a distance of so many bytes.
struct Matrix {
    int rows, columns;
    std::unique_ptr<double[]> numbers;
    Matrix(int r, int c) : rows(r), columns(c), numbers(new double[r * c]()) {}
    double &at(int i, int j) { return numbers[i * columns + j]; }
};

extern "C" double matrices(const double *x, int n)
{
    std::vector<Matrix> all;
    for (int i = 0; i < n; i++) {
        all.emplace_back(2, 2);
        all.back().at(i & 1, 1) = x[i] * x[0];
    }
    std::swap(all[0], all[2]);
    double sum = 0;
    for (auto &m : all) sum = 0.5 * sum + m.at(0, 1) * m.at(0, 1) + m.at(1, 1);
    return sum;
}

extern "C" double alternatives(const double *x, int n)
{
    std::vector<std::variant<double, std::vector<double>>> all;
    for (int i = 0; i < n; i++) {
        if (i % 2) all.push_back(x[i] * x[i]);
        else all.push_back(std::vector<double>(2, x[i]));
    }
    double sum = 0;
    for (auto &a : all) {
        if (auto *number = std::get_if<double>(&a)) sum = 0.5 * sum + *number;
        else sum += std::get<1>(a)[0] * std::get<1>(a)[1] * sum + std::get<1>(a)[1];
    }
    return sum;
}

// Iterators of two pointers, some in registers and some in memory, beside an order that LLVM takes out and a depth.
extern "C" double backwards(const double *x, int n)
{
    std::vector<std::pair<double, int>> v;
    for (int i = 0; i < n; i++) v.emplace_back(x[i] * x[i], i);
    std::sort(v.rbegin(), v.rend());
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (i + 1) * v[i].first * (v[i].second + 1);
    return sum;
}
