// Exceptions that carry numbers, in ways that are not known: refused, or right.
#include <stdexcept>
#include <cstring>
struct Bad : std::exception { double value; Bad(double v) : value(v) {} const char *what() const noexcept override { return "bad"; } };
extern "C" double f(double x) {
  try { if (x > 1) throw Bad(x * x); return x; }
  catch (const Bad &b) { return b.value; }
  catch (const std::exception &e) { return x * std::strlen(e.what()); }
}
extern "C" double g(double x) {
  struct Boxed { double v; };
  try { if (x > 1) throw new Boxed{x * x}; return x; } catch (Boxed *b) { double v = b->v; delete b; return v; }
}
struct Changing : std::exception {
  mutable double value;
  Changing(double v) : value(v) {}
  const char *what() const noexcept override { value = value * value; return "changed"; }
};
extern "C" double h(double x) {
  try { if (x > 1) throw Changing(x); return x; }
  catch (const std::exception &e) { return std::strlen(e.what()) > 2 ? static_cast<const Changing &>(e).value : x; }
}
