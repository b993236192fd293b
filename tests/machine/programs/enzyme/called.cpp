/* Functions that are called by addresses from memory without a shadow: arguments marked constant, and variables that
   were set before. */
#include "check.h"
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

extern "C" double __enzyme_autodiff(void *, ...);
extern "C" double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const, enzyme_out;

typedef double (*Function)(double, const double *);
static double scaled(double x, const double *p) { return x * p[0]; }
static double wave(double x, const double *p) { return std::sin(x) + p[1]; }

static double apply(Function f, double x, const double *p) { return f(x, p) * x; }

struct Step {
  Function function;
  double factor;
};
static double run(const Step *steps, int n, double x, const double *p) {
  for (int i = 0; i < n; i++) x = steps[i].factor * steps[i].function(x, p);
  return x;
}

static Function registered[4];
static int count;
__attribute__((noinline)) void add(Function f) { registered[count++] = f; }
__attribute__((noinline)) void set_up() {
  add(scaled);
  add(wave);
}
static double all(double x, const double *p) {
  for (int i = 0; i < count; i++) x = registered[i](x, p);
  return x;
}

struct Layer {
  virtual void forward(const double *in, double *out, int n) const = 0;
  virtual ~Layer() = default;
};
struct Squares : Layer {
  void forward(const double *in, double *out, int n) const override {
    for (int i = 0; i < n; i++) out[i] = in[i] * in[i];
  }
};
struct Weights : Layer {
  std::vector<double> w;
  void forward(const double *in, double *out, int n) const override {
    for (int i = 0; i < n; i++) out[i] = in[i] * w[i];
  }
};
static double network(const std::vector<std::unique_ptr<Layer>> *layers, const double *x, int n) {
  std::vector<double> a(x, x + n), b(n);
  for (auto &layer : *layers) {
    layer->forward(a.data(), b.data(), n);
    std::swap(a, b);
  }
  double s = 0;
  for (double v : a) s += v;
  return s;
}

static double call(const std::function<double(double)> &f, double x) { return f(x) * x; }

struct Shape {
  double size;
  explicit Shape(double s) : size(s) {}
  virtual double area(double k) const = 0;
  virtual ~Shape() = default;
};
struct Square : Shape {
  using Shape::Shape;
  double area(double k) const override { return size * size * k; }
};
struct Circle : Shape {
  using Shape::Shape;
  double area(double k) const override { return 3 * size * size + k; }
};
static double total(const Shape *a, const Shape *b, double k) { return a->area(k) + 2 * b->area(k); }

int main(int argc, char **) {
  double p[2] = {2, 3}, dp[2] = {0, 0}, x = 0.5;
  Function chosen = argc > 7 ? wave : scaled;
  check("argument", __enzyme_autodiff((void *)apply, enzyme_const, chosen, enzyme_out, x, enzyme_dup, p, dp), 2);
  check("its parameter", dp[0], x * x);
  check("forward", __enzyme_fwddiff((void *)apply, enzyme_const, chosen, enzyme_dup, x, 1.0, enzyme_const, p), 2);

  Step steps[2] = {{scaled, 3}, {wave, (double)argc}};
  double slope = 6 * std::cos(6 * x);
  check("table", __enzyme_autodiff((void *)run, enzyme_const, steps, enzyme_const, 2, enzyme_out, x, enzyme_const, p), slope);
  check("table forward",
        __enzyme_fwddiff((void *)run, enzyme_const, steps, enzyme_const, 2, enzyme_dup, x, 1.0, enzyme_const, p), slope);

  set_up();
  dp[0] = dp[1] = 0;
  check("variable", __enzyme_autodiff((void *)all, enzyme_out, x, enzyme_dup, p, dp), 2 * std::cos(2 * x));
  check("its parameters", dp[0] + 10 * dp[1], x * std::cos(2 * x) + 10);
  check("variable forward", __enzyme_fwddiff((void *)all, enzyme_dup, x, 1.0, enzyme_const, p), 2 * std::cos(2 * x));

  std::vector<std::unique_ptr<Layer>> layers;
  auto weights = std::make_unique<Weights>();
  weights->w = {1, 2};
  layers.push_back(std::move(weights));
  layers.push_back(std::make_unique<Squares>());
  double in[2] = {3, 5}, d_in[2] = {0, 0};
  __enzyme_autodiff((void *)network, enzyme_const, &layers, enzyme_dup, in, d_in, enzyme_const, 2);
  check("virtual 0", d_in[0], 6);
  check("virtual 1", d_in[1], 40);

  /* Shadows that are made like any object hold the functions themselves, or nothing. */
  std::unique_ptr<Shape> a = std::make_unique<Square>(2), b = std::make_unique<Circle>(5);
  std::unique_ptr<Shape> da = std::make_unique<Square>(0), db = std::make_unique<Circle>(0);
  check("objects", __enzyme_autodiff((void *)total, enzyme_dup, a.get(), da.get(), enzyme_dup, b.get(), db.get(), enzyme_out, x), 6);
  check("objects 0", da->size, 4 * x);
  check("objects 1", db->size, 60);
  Step copies[2] = {{scaled, 0}, {wave, 0}}, zeros[2] = {};
  for (Step *shadows : {copies, zeros}) {
    __enzyme_autodiff((void *)run, enzyme_dup, steps, shadows, enzyme_const, 2, enzyme_out, x, enzyme_const, p);
    check("shadow of a table", shadows[0].factor, 2 * x * std::cos(6 * x));
  }
  double first = 2 * x * std::cos(6 * x);
  copies[0].factor = 1, copies[1].factor = 0;
  check("tangent", __enzyme_fwddiff((void *)run, enzyme_dup, steps, copies, enzyme_const, 2, enzyme_const, x, enzyme_const, p), first);

  std::function<double(double)> f = [&p](double t) { return p[0] * t * t; };
  check("std::function", __enzyme_autodiff((void *)call, enzyme_const, &f, enzyme_out, x), 6 * x * x);
}
