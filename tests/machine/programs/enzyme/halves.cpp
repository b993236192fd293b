// Two halves whose shadows are not the same, and reverse halves that run several times.
#include "check.h"
#include <cmath>
#include <cstdlib>
#include <vector>

extern int enzyme_dup, enzyme_const, enzyme_nofree, enzyme_tape, enzyme_allocated, enzyme_width;
template <typename Result, typename... Arguments> Result __enzyme_augmentfwd(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_reverse(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_augmentsize(void *, Arguments...);

struct Augmented {
  void *tape;
  double value;
};

void cubes(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i] * x[0];
}
__attribute__((noinline)) double product(const double *x, int n) { return n == 0 ? 1 : x[0] * x[0] * product(x + 1, n - 1); }
double calls(const double *x, int n) { return product(x, n) + product(x + 1, n - 1); }
double local(const double *x, int n) {
  double squares[4], *sums = (double *)malloc(n * sizeof(double)), total = 0;
  for (int i = 0; i < n; i++) squares[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) sums[i] = total += squares[i] * squares[(i + 1) % n];
  for (int i = 0; i < n; i++) squares[i] = sums[i] * x[0];
  total = squares[n - 1] + sums[0];
  free(sums);
  return total;
}

__attribute__((noinline)) double sum_of_cubes(const std::vector<double> &v) {
  double sum = 0;
  for (double e : v) sum += e * e * e;
  return sum;
}
double own(const double *x, int n) {
  std::vector<double> v;
  for (int i = 0; i < n; i++) v.push_back(2 * x[i]);
  return sum_of_cubes(v);
}

int main() {
  // no shadows yet
  double x[3] = {1, 2, 3}, y[3], *none = nullptr;
  void *tape = __enzyme_augmentfwd<void *>((void *)cubes, enzyme_dup, x, none, enzyme_dup, y, none, enzyme_const, 3);
  check("value", y[2], 9);
  for (int k = 0; k < 3; k++) {  // rows of the Jacobian
    double dx[3] = {}, dy[3] = {};
    dy[k] = 1;
    if (k < 2) __enzyme_reverse<void>((void *)cubes, enzyme_nofree, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3, tape);
    else __enzyme_reverse<void>((void *)cubes, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, 3, tape);
    for (int j = 0; j < 3; j++) check("row", dx[j], (j == k ? 2 * x[k] * x[0] : 0) + (j == 0 ? x[k] * x[k] : 0));
    check("taken", dy[k], 0);
  }

  // functions that are called are given the second shadows, too
  double first[3] = {}, second[3] = {};
  Augmented both = __enzyme_augmentfwd<Augmented>((void *)calls, enzyme_dup, x, first, enzyme_const, 3);
  __enzyme_reverse<void>((void *)calls, enzyme_dup, x, second, enzyme_const, 3, 1.0, both.tape);
  check("called 0", second[0], 72);
  check("called 2", second[2], 24 + 24);
  check("not the first", first[0], 0);

  // pointers to memory that the function allocates are none of those that it was given
  double of_own[3] = {};
  both = __enzyme_augmentfwd<Augmented>((void *)own, enzyme_dup, x, none, enzyme_const, 3);
  __enzyme_reverse<void>((void *)own, enzyme_dup, x, of_own, enzyme_const, 3, 1.0, both.tape);
  check("own", of_own[2], 24 * 9);

  // local memory begins anew each time; here the tape is in memory of the program's
  int size = __enzyme_augmentsize<int>((void *)local, enzyme_dup, enzyme_const);
  void *memory = malloc(size);
  __enzyme_augmentfwd<double>((void *)local, enzyme_allocated, size, enzyme_tape, memory, x, none, 3);
  for (int k = 1; k <= 3; k++) {
    double dx[3] = {};
    if (k < 3) __enzyme_reverse<void>((void *)local, enzyme_nofree, enzyme_allocated, size, enzyme_tape, memory, x, dx, 3, 1.0 * k);
    else __enzyme_reverse<void>((void *)local, enzyme_allocated, size, enzyme_tape, memory, x, dx, 3, 1.0 * k);
    // x0 (x0² x1² + x1² x2² + x2² x0²) + x0² x1²
    check("local 0", dx[0], k * (3 * (4. + 9) + 36 + 8));
    check("local 1", dx[1], k * (4. + 36 + 4));
    check("local 2", dx[2], k * (24. + 6));
  }
  free(memory);

  // two directions
  double w[2][3] = {};
  both = __enzyme_augmentfwd<Augmented>((void *)calls, enzyme_width, 2, enzyme_dup, x, none, none, enzyme_const, 3);
  __enzyme_reverse<void>((void *)calls, enzyme_width, 2, enzyme_dup, x, w[0], w[1], enzyme_const, 3, 1.0, 2.0, both.tape);
  check("first direction", w[0][0], 72);
  check("second direction", w[1][2], 96);
  return 0;
}
