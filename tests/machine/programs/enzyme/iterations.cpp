// __enzyme_iter as C++ writes it: a template, and called where an exception would have something to clean up.
#include "check.h"
#include <cmath>
#include <vector>

template <typename T> T __enzyme_iter(T, T);
template <typename... T> double __enzyme_autodiff(void *, T...);

static double geometric(double x) {
  std::vector<double> powers;
  powers.push_back(1);
  for (unsigned i = 1, n = __enzyme_iter(6u, 1u); i < n; i++) powers.push_back(powers.back() * x);
  double sum = 0;
  for (double p : powers) sum += p;
  return sum;
}
static double by_hand(double x, int n) {
  double sum = 0;
  for (int i = 1; i < n; i++) sum += i * std::pow(x, i - 1);
  return sum;
}

int main() {
  check("geometric", geometric(0.5), 2 - 1 / 32.);
  check("derivative", __enzyme_autodiff((void *)geometric, 0.5), by_hand(0.5, 7));
  return 0;
}
