// Hessians and Jacobians of which only what is not zero is kept: shadows that functions read and write.
#include "check.h"
#include <cmath>
#include <cstdlib>
#include <vector>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename R, typename... A> R __enzyme_fwddiff(A...);
template <typename R, typename... A> R __enzyme_todense(A...);

template <typename T> struct Entry { size_t row, column; T value; };
template <typename T> using Entries = std::vector<Entry<T>>;

template <typename T> T nothing(unsigned long long, size_t, Entries<T> &) { return 0; }
template <typename T> void keep(T value, unsigned long long bytes, size_t column, Entries<T> &entries) {
  if (value != 0) entries.push_back({(size_t)bytes / sizeof(T), column, value});
}
template <typename T> T unit(unsigned long long bytes, size_t column) { return bytes / sizeof(T) == column; }
template <typename T> void never(T, unsigned long long, size_t) { std::abort(); }

template <typename T> __attribute__((noinline)) static T distance(T ax, T ay, T bx, T by) {
  return std::sqrt((ax - bx) * (ax - bx) + (ay - by) * (ay - by));
}
template <typename T> __attribute__((noinline)) static T energy(size_t n, const T *x) {
  T sum = 0;
  for (size_t i = 0; i < n; i++) {
    size_t j = (i + 1) % n;
    T stretch = distance(x[2 * i], x[2 * i + 1], x[2 * j], x[2 * j + 1]) - 1;
    sum += stretch * stretch;
  }
  return sum;
}
template <typename T> void gradient(size_t n, const T *x, T *d_x) {
  __enzyme_autodiff<void>((void *)energy<T>, enzyme_const, n, enzyme_dup, x, d_x);
}
template <typename T> __attribute__((noinline)) Entries<T> hessian(size_t n, const T *x) {
  Entries<T> entries;
  for (size_t i = 0; i < 2 * n; i++)
    __enzyme_fwddiff<void>((void *)gradient<T>, enzyme_const, n, enzyme_dup, x, __enzyme_todense<T *>(unit<T>, never<T>, i),
                           enzyme_dupnoneed, (T *)nullptr, __enzyme_todense<T *>(nothing<T>, keep<T>, i, &entries));
  return entries;
}

template <typename T> void check_hessian(const char *what, double tolerance) {
  const size_t n = 5, size = 2 * n;
  T x[size], h = sizeof(T) == 4 ? 1e-2 : 1e-5;
  for (size_t i = 0; i < size; i++) x[i] = 2 * std::sin(T(i * i) + 1);
  auto entries = hessian<T>(n, x);
  check("only neighbours", entries.size() <= n * 6 * 8, 1);
  double dense[size][size] = {};
  for (auto &e : entries) dense[e.row][e.column] += e.value;
  for (size_t c = 0; c < size; c++) {
    T up[size] = {}, down[size] = {}, at = x[c];
    x[c] = at + h, gradient(n, x, up);
    x[c] = at - h, gradient(n, x, down);
    x[c] = at;
    for (size_t r = 0; r < size; r++) {
      double wanted = (up[r] - down[r]) / (2 * h);
      check(what, std::abs(dense[r][c] - wanted) < tolerance * (1 + std::abs(wanted)), 1);
    }
  }
}

int main() {
  check_hessian<double>("hessian", 1e-8);  // central differences of step 1e-5
  check_hessian<float>("hessian of floats", 1e-2);
  return 0;
}
