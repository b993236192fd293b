// Functions with fewer digits, beside the same ones written with floats.
#include "check.h"
#include <cmath>

template <typename R, typename... A> R __enzyme_autodiff(A...);
template <typename F> F *__enzyme_truncate_op_func(F *, int, int);
template <typename F> F *__enzyme_truncate_op_func(F *, int, int, int);
template <typename F> F *__enzyme_truncate_mem_func(F *, int, int);
double __enzyme_truncate_mem_value(double, int, int);
double __enzyme_expand_mem_value(double, int, int);

template <typename T> T wave(T x) { return T(std::sin((double)x)); }  // rounded once, as the library's is
template <> double wave(double x) { return std::sin(x); }

template <typename T> __attribute__((noinline)) T power(T x, int n) {
  if (n == 0) return std::fma(x, x, 1 / x);
  T more = power(x, n - 1), turned = wave(x) * n;
  return x * more + turned;
}
template <typename T> void all(T *x, int n) {
  for (int i = 0; i < n; i++) x[i] = power(x[i], i) > 2 ? x[i] * T(3.3) : std::sqrt(x[i]) + x[i] / 7;
}
template <typename T> T cube(T x) { return x * x * x; }

int main() {
  const int n = 6;
  double x[n], kept[n];
  float wanted[n];
  for (int i = 0; i < n; i++) x[i] = 0.3 + 0.37 * i, wanted[i] = x[i], kept[i] = __enzyme_truncate_mem_value(x[i], 64, 32);
  __enzyme_truncate_op_func(all<double>, 64, 32)(x, n);
  all(wanted, n);
  for (int i = 0; i < n; i++) check("operations", x[i], wanted[i]);
  check("one call", __enzyme_truncate_op_func(power<double>, 64, 8, 23)(1.1, 3), power<float>(1.1f, 3));
  __enzyme_truncate_mem_func(all<double>, 64, 32)(kept, n);
  for (int i = 0; i < n; i++) check("memory", __enzyme_expand_mem_value(kept[i], 64, 32), wanted[i]);
  _Float16 half = 1.1;
  check("half", __enzyme_truncate_op_func(cube<double>, 64, 16)(1.1), (double)(_Float16)((_Float16)(half * half) * half));
  check("not the original", cube(1.1), 1.1 * 1.1 * 1.1);
  check("derivative", __enzyme_autodiff<double>((void *)__enzyme_truncate_op_func(cube<double>, 64, 32), 1.5), 6.75);
  return 0;
}
