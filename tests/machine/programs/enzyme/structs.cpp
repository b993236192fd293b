// Structs that are passed by value, in pieces: all of the value first, then all of its shadow. Debug information tells.
#include "check.h"
#include <cmath>
#include <complex>

extern int enzyme_dup, enzyme_out, enzyme_const;
template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(void *, Arguments...);

struct Span {
  double *data;
  long size;
};
struct Point {
  double x, y;
};
struct Large {
  double v[5];
};
static double norm(Span span, double scale) {
  double sum = 0;
  for (long i = 0; i < span.size; i++) sum += span.data[i] * span.data[i];
  return scale * std::sqrt(sum);
}
static double product(Point p, double z) { return p.x * p.y * p.y * z; }
static double weigh(Large l, double z) { return l.v[1] * l.v[4] * z; }
static double size(std::complex<double> z) { return z.real() * z.real() + z.imag() * z.imag(); }

int main() {
  double data[2] = {3, 4}, shadow[2] = {0, 0};
  double d_scale = __enzyme_autodiff<double>((void *)norm, enzyme_dup, Span{data, 2}, Span{shadow, 2}, enzyme_out, 2.0);
  check("scale", d_scale, 5);
  check("span", shadow[1], 1.6);
  Point gradient = __enzyme_autodiff<Point>((void *)product, enzyme_out, Point{2, 3}, enzyme_const, 5.0);
  check("point.x", gradient.x, 45);
  check("point.y", gradient.y, 60);
  Large l{{1, 2, 3, 4, 5}};
  check("large", __enzyme_autodiff<double>((void *)weigh, enzyme_const, l, enzyme_out, 1.0), 10);
  double along = __enzyme_fwddiff<double>((void *)product, enzyme_dup, Point{2, 3}, Point{1, 10}, enzyme_const, 5.0);
  check("along", along, 45 + 600);
  std::complex<double> z{3, 4}, dz{0, 1};
  check("complex", __enzyme_fwddiff<double>((void *)size, enzyme_dup, z, dz), 8);
  return 0;
}
