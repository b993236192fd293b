#include "check.h"
#include <cmath>

extern int enzyme_dup, enzyme_const;
template <typename Result, typename... Arguments> Result __enzyme_autodiff(void *, Arguments...);
template <typename T> T __enzyme_virtualreverse(T);

struct Callback {
  double (*function)(double);
  double value;
};
static double square(double x) { return x * x; }
static double wave(double x) { return std::sin(x); }
__attribute__((noinline)) static double call(const Callback *callback) { return 3 * callback->function(callback->value); }

struct Shape {
  double size;
  explicit Shape(double s) : size(s) {}
  virtual double area() const = 0;
};
struct Square : Shape {
  using Shape::Shape;
  double area() const override { return size * size; }
};
struct Circle : Shape {
  using Shape::Shape;
  double area() const override { return 3 * size * size; }
};
__attribute__((noinline)) static double total(const Shape *a, const Shape *b) { return a->area() + 2 * b->area(); }
static void **table(Shape *shape) { return reinterpret_cast<void **>(shape); }

int main(int argc, char **) {
  Callback callback{argc > 1 ? wave : square, 3}, shadow{nullptr, 0};
  using Function = double (*)(double);
  shadow.function = argc > 1 ? (Function)__enzyme_virtualreverse((void *)wave) : (Function)__enzyme_virtualreverse((void *)square);
  __enzyme_autodiff<void>((void *)call, enzyme_dup, &callback, &shadow);
  check("function", shadow.value, 18);

  Square square_shape(2), d_square(0);
  Circle circle(5), d_circle(0);
  *table(&d_square) = __enzyme_virtualreverse(*table(&d_square));
  *table(&d_circle) = __enzyme_virtualreverse(*table(&d_circle));
  __enzyme_autodiff<void>((void *)total, (Shape *)&square_shape, (Shape *)&d_square, (Shape *)&circle, (Shape *)&d_circle);
  check("square", d_square.size, 4);
  check("circle", d_circle.size, 60);
  return 0;
}
