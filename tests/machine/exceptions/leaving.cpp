// Exceptions that nobody catches: thrown for negative numbers.
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <variant>
#include <vector>
#define EXPORT extern "C" double

EXPORT domain(double x) { if (x < 0) throw std::domain_error("negative"); return std::sqrt(x) * x; }
EXPORT range(double x) { std::vector<double> v(3, x); double s = x; for (int i = 0; i < 2 + (x < 0); i++) s *= v.at(2 * i - 1 + (i == 0)); return s; }
EXPORT array(double x) { std::array<double, 3> a{x, 2 * x, x * x}; return a.at(x < 0 ? 5 : 2) * x; }
EXPORT text(double x) { if (x < 0) throw "a text"; return x * x; }
EXPORT number(double x) { if (x < 0) throw 7; return x * x; }
EXPORT optional(double x) { std::optional<double> o; if (x > 0) o = x * x; return o.value() * x; }
EXPORT callback(double x) { std::function<double(double)> f; if (x > 0) f = [](double y) { return y * y; }; return f(x) * x; }
EXPORT variant(double x) { std::variant<double, int> v; if (x > 0) v = x; else v = 3; return std::get<double>(v) * x; }
struct Worse : std::exception { const char *what() const noexcept override { return "worse"; } };
static double down(double x, int n) { std::vector<double> v(n + 1, x); if (n == 0 && x < 0) throw Worse(); return n == 0 ? x : down(x * 1.1, n - 1) * v[n]; }
EXPORT recursion(double x) { return down(x, 4); }
