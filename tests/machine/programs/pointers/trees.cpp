#include <memory>
#include <utility>
struct Node { double v; std::unique_ptr<Node> left, right; };
static void add(std::unique_ptr<Node> &t, double v) { if (!t) { t = std::make_unique<Node>(); t->v = v; } else add(v < t->v ? t->left : t->right, v); }
static void mirror(std::unique_ptr<Node> &t) { if (t) { std::swap(t->left, t->right); mirror(t->left); mirror(t->right); } }
static double sum(const std::unique_ptr<Node> &t, double w) { return t ? w * t->v * t->v + sum(t->left, 0.5 * w) + sum(t->right, 0.25 * w) : 0; }
extern "C" double f(double *x, long n) { std::unique_ptr<Node> t; for (long i = 0; i < n; i++) add(t, x[i]); mirror(t); return sum(t, 1.0); }
