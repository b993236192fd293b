// Exceptions that are thrown and caught, with work on both sides that has to be undone.
#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#define EXPORT extern "C" double

static double third(double x, int k) { if (k % 3 == 2) throw std::runtime_error("third"); return x * k + std::sin(x); }

EXPORT in_a_loop(double x) {
  double s = 0;
  for (int k = 0; k < 7; k++) {
    try { s += third(x, k) * s + x; } catch (const std::runtime_error &) { s *= x; }
  }
  return s;
}

struct Scope { double &total; double amount; ~Scope() { total += amount * amount; } };

EXPORT by_destructors(double x) {
  double total = 0;
  for (int k = 0; k < 5; k++) {
    try { Scope scope{total, x * k}; total += third(x * x, k); } catch (...) { total *= 2 * x; }
  }
  return total;
}

__attribute__((noinline)) static double inner(double x) { if (x > 1) throw std::domain_error("large"); return x * x * x; }
static double middle(double x, double *note) {
  try { return inner(x); } catch (const std::domain_error &) { *note = x * x; throw; }
}
EXPORT two_frames_up(double x) {
  double note = 0;
  try { return middle(x, &note) * x; } catch (const std::exception &) { return note * std::exp(-x) + x; }
}

EXPORT end_of_container(double x) {
  std::vector<double> v;
  for (int i = 0; i < 6; i++) v.push_back(x * i);
  double s = 0;
  try { for (int i = 0;; i++) s += v.at(i) * v.at(i); } catch (const std::out_of_range &) { s *= x; }
  return s;
}

EXPORT with_heap(double x) {
  double s = 0;
  try {
    std::unique_ptr<double[]> p(new double[4]);
    for (int i = 0; i < 4; i++) { p[i] = x * i; s += p[i] * p[i]; if (s > 3) throw 1; }
  } catch (int) { s = s * s; }
  return s;
}

EXPORT nested(double x) {
  double s = x;
  try { try { if (x > 0) throw 1.5f; s *= x; } catch (int) { s = 0; } } catch (float f) { s = s * x * f; }
  return s;
}

struct Model { virtual double eval(double x) const = 0; virtual ~Model() {} };
struct Square : Model { double eval(double x) const override { if (x < 1) throw std::domain_error("small"); return x * x; } };
struct Cube : Model { double eval(double x) const override { return x * x * x; } };
EXPORT from_virtual(double x) {
  std::unique_ptr<Model> m;
  if (x > 5) m.reset(new Cube); else m.reset(new Square);
  try { return m->eval(x) * x; } catch (const std::exception &) { return x * 3; }
}

__attribute__((noinline)) static void fill(double *y, double x, int n) {
  for (int i = 0; i < n; i++) {
    y[i % 3] = y[(i + 1) % 3] * x + std::sin(x * i);
    if (y[i % 3] > 2 && i > 4) throw i;
  }
}
EXPORT half_done(double x) {
  double y[3] = {x, x * x, 1};
  int k = 0;
  try { fill(y, x, 9); } catch (int i) { k = i; }
  return y[0] * y[1] + y[2] * (1 + k);
}

static double walk(double *sum, double x, int n) {
  *sum += x * n;
  if (n == 0) { if (x > 1) throw std::runtime_error("bottom"); return *sum * x; }
  if (n % 2) return walk(sum, x * 1.1, n - 1) * x;
  try { return walk(sum, x * x, n - 1) + *sum; }
  catch (const std::runtime_error &) { *sum *= x; if (n > 2) throw; return *sum * 3; }
}
EXPORT in_recursion(double x) {
  double sum = x, r;
  try { r = walk(&sum, x, 5); } catch (...) { r = x * sum; }
  return r * sum + sum;
}

struct Op { virtual void run(std::vector<double> &s, double x) = 0; virtual ~Op() {} };
struct Push : Op { void run(std::vector<double> &s, double x) override { s.push_back(x * x); s.push_back(std::sin(x)); } };
struct Mul : Op {
  void run(std::vector<double> &s, double x) override {
    double a = s.at(s.size() - 1); s.pop_back();
    double b = s.at(s.size() - 1); s.pop_back();
    s.push_back(a * b * x);
  }
};
struct Check : Op {
  void run(std::vector<double> &s, double x) override {
    s.at(0) *= x;
    if (s.at(0) > 1) { std::unique_ptr<double> t(new double(x)); s.at(0) -= *t; throw std::domain_error("big"); }
    s.at(0) += 1;
  }
};
EXPORT stack_machine(double x) {
  std::vector<std::unique_ptr<Op>> ops;
  for (int i = 0; i < 9; i++)
    if (i % 3 == 0) ops.emplace_back(new Push); else if (i % 3 == 1) ops.emplace_back(new Check); else ops.emplace_back(new Mul);
  std::vector<double> s;
  double out = 0;
  for (auto &o : ops) { try { o->run(s, x); } catch (const std::domain_error &) { out += s.at(0); } }
  for (double v : s) out += v * v;
  return out;
}

EXPORT tried_again(double x) {
  std::function<double(double)> f = [](double y) { if (y > 2) throw y > 4 ? 2 : 1; return y * y; };
  double y = x;
  for (int k = 0; k < 6; k++) { try { return f(y) * x; } catch (int n) { y = y * 0.7 - 0.01 * n * x; } }
  return y;
}

struct Guard { double *p; double k; ~Guard() { *p = *p * k; } };
__attribute__((noinline)) static void thrower(double *p, double x) { *p += x; if (x > 1) { *p *= 3; throw 1; } *p *= x; }
__attribute__((noinline)) static void through(double *p, double x) { Guard g{p, x * 2}; *p += x * x; thrower(p, x); *p += 3 * x; }
EXPORT through_a_frame(double x) {
  double p = x;
  try { through(&p, x); } catch (int) { p *= x; }
  return p * p;
}

static double limited(double x, int k) {
  if (k % 3 == 2) throw std::range_error("too large by " + std::to_string(k) + " and " + std::to_string(x));
  return x * k + std::sin(x);
}
EXPORT numbers_as_text(double x) {
  double s = 0;
  for (int k = 0; k < 5; k++) {
    try { s += limited(x, k) * s + x; } catch (const std::exception &) { s *= x; }
  }
  return s;
}
