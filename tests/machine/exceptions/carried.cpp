// Exceptions that carry numbers from where they are thrown to where they are caught.
#include <cmath>
#include <cstring>
#include <stdexcept>
#define EXPORT extern "C" double

EXPORT a_number(double x) { try { if (x > 1) throw x * x; return x; } catch (double e) { return e * x; } }

struct Bad : std::runtime_error {
  double value; int code;
  Bad(double v, int c) : std::runtime_error("bad"), value(v), code(c) {}
};
static double check(double x, int k) { if (x > 2) throw Bad(x * x + k, k); return std::sin(x); }
EXPORT a_member(double x) {
  double s = 0;
  for (int k = 0; k < 4; k++)
    try { s += check(x + k, k) * s + 1; } catch (const Bad &b) { s += b.value * b.value + b.code * x; }
  return s;
}
EXPORT a_copy(double x) { try { return check(x, 1); } catch (Bad b) { b.value *= x; return b.value * b.value; } }

struct Point { double v[3]; };
__attribute__((noinline)) static double deep(double x, int n) {
  if (n == 0) { Point p{{x, x * x, std::exp(-x)}}; throw p; }
  return deep(x * 1.5, n - 1) * x;
}
EXPORT through_recursion(double x) { try { return deep(x, 3); } catch (const Point &p) { return p.v[0] * p.v[1] + p.v[2]; } }
static double again(double x) { try { return deep(x, 2); } catch (Point &p) { p.v[0] *= x; throw; } }
EXPORT changed_on_the_way(double x) { try { return again(x); } catch (const Point &p) { return p.v[0] * p.v[1]; } }
EXPORT one_for_another(double x) {
  double s = 0;
  for (int i = 1; i < 5; i++)
    try { try { throw x * i; } catch (double e) { s += e; throw e * e; } } catch (double e) { s += e * x; }
  return s;
}

struct Name { long id = 7; virtual ~Name() {} };
struct Amount { double amount; virtual ~Amount() {} };
struct Both : Name, Amount {};
static void give(double x) { Both b; b.amount = x * x * x; throw b; }
EXPORT a_base(double x) { try { give(x); } catch (const Amount &a) { return a.amount * x; } return x; }

static double known(double x, int k) {
  if (x > 2.5) throw Bad(x * x + k, k);
  if (x > 1.5) throw std::range_error(k > 1 ? "too large" : "large");
  return std::sin(x);
}
EXPORT what_it_says(double x) {
  double s = 0;
  for (int k = 0; k < 3; k++)
    try { s += known(x + k, k) * s + 1; }
    catch (const Bad &b) { s += b.value * std::strlen(b.what()); }
    catch (const std::exception &e) { s += x * std::strlen(e.what()); }
  return s;
}
