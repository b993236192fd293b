#include "check.h"
#include <cmath>
#include <stdexcept>
#include <vector>

int enzyme_dup, enzyme_out, enzyme_const;
template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(void *, Arguments...);

namespace marks {
extern int enzyme_const;
}

template <typename T> T cube(T x) { return x * x * x; }

struct Spring {
  double stiffness, rest;
  double energy(double length) const { return 0.5 * stiffness * (length - rest) * (length - rest); }
  double operator()(double length) const { return energy(length); }
  static double scaled(double x) { return 3 * x; }
};
static double energy(const Spring *spring, double length) { return spring->energy(length); }
template <typename F> static double apply(const F *f, double x) { return (*f)(x); }

struct Node {
  double value;
  Node *next;
};
static double sum(const Node *node) {
  double total = 0;
  for (; node != nullptr; node = node->next) total += node->value * node->value;
  return total;
}
static void transform(const std::vector<double> &in, std::vector<double> &out) {
  for (std::size_t i = 0; i < in.size(); i++) out[i] = std::exp(in[i]) * in[0];
}
static double careful(double x) {
  if (x < 0) throw std::domain_error("negative");
  return std::sqrt(x);
}
struct Gradient {
  double x, y;
};
static double saddle(double x, double y) { return x * x * y; }

int main() {
  check("double", __enzyme_autodiff<double>((void *)cube<double>, 2.0), 12);
  check("float", __enzyme_autodiff<float>((void *)cube<float>, 2.0f), 12);
  Gradient g = __enzyme_autodiff<Gradient>((void *)saddle, enzyme_out, 3.0, enzyme_out, 5.0);
  check("x", g.x, 30);
  check("y", g.y, 9);

  Spring spring{4, 1}, d_spring{0, 0};
  double d_length = __enzyme_autodiff<double>((void *)energy, enzyme_dup, &spring, &d_spring, enzyme_out, 3.0);
  check("length", d_length, 8);
  check("stiffness", d_spring.stiffness, 2);
  check("rest", d_spring.rest, -8);
  check("functor", __enzyme_autodiff<double>((void *)apply<Spring>, enzyme_const, &spring, 3.0), 8);
  check("static member", __enzyme_fwddiff<double>((void *)Spring::scaled, 3.0, 1.0), 3);
  double (*lambda)(double) = [](double x) { return x * std::sin(x); };
  check("lambda", __enzyme_autodiff<double>((void *)lambda, 2.0), std::sin(2.) + 2 * std::cos(2.));
  double factor = 3;
  auto scale = [&factor](double x) { return factor * x * x; };
  check("closure", __enzyme_autodiff<double>((void *)apply<decltype(scale)>, marks::enzyme_const, (void *)&scale, 2.0), 12);

  Node nodes[3] = {{1, nodes + 1}, {2, nodes + 2}, {3, nullptr}}, shadows[3] = {{0, shadows + 1}, {0, shadows + 2}, {0, nullptr}};
  __enzyme_autodiff<void>((void *)sum, nodes, shadows);
  for (int i = 0; i < 3; i++) check("node", shadows[i].value, 2 * nodes[i].value);

  std::vector<double> in{1, 2, 3}, d_in(3, 0.0), out(3, 0.0), d_out{1, 1, 1};
  __enzyme_autodiff<void>((void *)transform, enzyme_dup, &in, &d_in, enzyme_dup, &out, &d_out);
  check("vector 0", d_in[0], std::exp(1.) + (std::exp(1.) + std::exp(2.) + std::exp(3.)));
  check("vector 1", d_in[1], std::exp(2.));
  try {
    check("no exception", __enzyme_autodiff<double>((void *)careful, 4.0), 0.25);
  } catch (const std::exception &) {
    check("exception", 1, 0);
  }
  return 0;
}
namespace marks {
int enzyme_const;
}
