// The calls with types: what is given for each kind of argument and result.
#include "check.h"
#include <array>
#include <cmath>
#include <enzyme/enzyme>
#include <gradir/enzyme.h>

extern int enzyme_dup, enzyme_width;  // programs name more than the header does

static double product(double x, double y) { return x * x * y; }
static float single(float x) { return x * x; }
static double sum(const double *x, int n, double factor) {
  double total = 0;
  for (int i = 0; i < n; i++) total += x[i] * x[i];
  return total * factor;
}
static void squares(const std::array<double, 2> &x, std::array<double, 2> &y) {
  for (int i = 0; i < 2; i++) y[i] = x[i] * x[1 - i] * x[i];
}
static double norm(const std::array<double, 2> &x) { return std::sqrt(x[0] * x[0] + x[1] * x[1]); }
static int count(double *x) { return *x *= *x, 3; }
struct Scale {
  double factor;
  double operator()(double x, double y) const { return factor * x * y * y; }
};

int main() {
  using namespace enzyme;
  enzyme::tuple<enzyme::tuple<double, double>> both = autodiff<Reverse>(product, Active(3.0), Active(5.0));
  check("x", get<0>(get<0>(both)), 30);
  check("y", get<1>(get<0>(both)), 9);
  auto [gradient, value] = autodiff<ReverseWithPrimal>(product, Const(3.0), Active<double>{5.0});
  check("value", value, 45);
  check("of y", get<1>(gradient), 9);
  check("float", get<0>(get<0>(autodiff<Reverse>(single, Active(3.0f)))), 6);

  double x[3] = {1, 2, 3}, dx[3] = {};
  auto [of_sum] = autodiff<Reverse>(sum, Duplicated<const double *>(x, dx), Const(3), Active(2.0));
  check("shadow", dx[2], 12);
  check("factor", get<2>(of_sum), 14);
  std::array<double, 2> a{2, 3}, da{}, b, db{1, 1};
  using Array = std::array<double, 2>;
  autodiff<Reverse>(squares, Duplicated<const Array &>(a, da), DuplicatedNoNeed<Array &>(b, db));
  check("a0", da[0], 2 * 2 * 3 + 9);
  check("a1", da[1], 4 + 2 * 2 * 3);
  Array dn{};
  auto [none, length] = autodiff<ReverseWithPrimal>(norm, Duplicated<const Array &>(a, dn));
  check("length", length, std::sqrt(13.));
  check("norm", dn[1], 3 / std::sqrt(13.));
  double seeded = 3, d_seeded = 1;
  autodiff<Reverse>(count, Duplicated(&seeded, &d_seeded));
  check("cotangent", d_seeded, 6);

  check("tangent", get<0>(autodiff<Forward>(product, Duplicated(3.0, 1.0), Const(5.0))), 30);
  auto [v, t] = autodiff<Forward, Duplicated<double>>(product, Duplicated(3.0, 1.0), Duplicated(5.0, 2.0));
  check("v", v, 45);
  check("t", t, 48);
  auto [constant] = autodiff<Forward, Const<double>>(product, Const(3.0), Const(5.0));
  check("constant", constant, 45);
  autodiff<Forward>(squares, Duplicated<const Array &>(a, da), Duplicated<Array &>(b, db));
  check("pushed", db[0], da[0] * 12 + da[1] * 4);

  Scale scale{4};
  check("object", get<1>(get<0>(autodiff<Reverse>(scale, Active(2.0), Active(3.0)))), 48);
  __enzyme_autodiff<void>(sum, enzyme_dup, x, dx, enzyme_const, 3, enzyme_const, 2.0);
  check("by hand", dx[2], 24);
  double k = 7;
  auto closure = [&k](double z) { return k * z * z; };
  check("closure", get<0>(autodiff<Forward>(closure, Duplicated(2.0, 1.0))), 28);
  double (*pointer)(double, double) = product;
  check("pointer", get<0>(get<0>(autodiff<Reverse>(pointer, Active(3.0), Const(5.0)))), 30);
  return 0;
}
