// Vectors that are swapped, and a loop in a program that catches exceptions.
#include <vector>
#include <cmath>
#include <stdexcept>
extern "C" double sim(const double *x, int n, int steps) {
  std::vector<double> u(x, x + n), v(n);
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i + 1 < n; ++i) v[i] = u[i] + 0.1 * (u[i-1] - 2*u[i] + u[i+1]) + 0.01*std::sin(u[i]);
    std::swap(u, v);
  }
  double s = 0;
  for (double y : u) s += y * y;
  return s;
}
extern "C" double caught(const double *x, int n, int steps) {
  double y = x[0];
  try { if (n < 0) throw std::runtime_error("no"); y += x[1]; } catch (std::exception &) { y = 0; }
  for (int t = 0; t < steps; ++t) y = 0.9 * std::sin(y) + 0.1 * x[0];
  return y;
}
