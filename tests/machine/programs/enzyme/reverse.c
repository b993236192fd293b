#include "check.h"
#include <math.h>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const, enzyme_primal_return, enzyme_width;

typedef struct { double x, y; } Two;
typedef struct { double x, y, z; } Three;
typedef struct { float x, y; } Floats;
typedef struct { double value, x, y; } ValueAndGradient;

double __enzyme_autodiff(void *, ...);
double __enzyme_autodiff1(double (*)(double), double);
float __enzyme_autodiffFloat(float (*)(float), float);
Two __enzyme_autodiff_two(void *, ...);
Three __enzyme_autodiff_three(void *, ...);
Floats __enzyme_autodiff_floats(void *, ...);
ValueAndGradient __enzyme_autodiff_value(void *, ...);
Two __enzyme_autodiff_wide(void *, ...);

static double square(double x) { return x * x; }
static float square_float(float x) { return x * x; }
static double area(double x, double y) { return sin(x) * y; }
static double volume(double x, double y, double z) { return x * y * z; }
static float area_float(float x, float y) { return x * y; }
double sum_and_multiply(double *array, size_t size, double factor) {
  double sum = 0;
  for (size_t i = 0; i < size; i++) sum += array[i] * array[i];
  return sum * factor;
}
void loss(double *out, const double *weights, const double *input, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += exp(weights[i] * input[i]);
  *out = sum;
}
void rotate(const double *in, double *out, double angle) {
  out[0] = cos(angle) * in[0] - sin(angle) * in[1];
  out[1] = sin(angle) * in[0] + cos(angle) * in[1];
}
double chosen(double x, short times) {
  double y = 1;
  for (short i = 0; i < times; i++) y *= x;
  return y;
}

int main(int argc, char **argv) {
  check("by prototype", __enzyme_autodiff1(square, 3), 6);
  check("float", __enzyme_autodiffFloat(square_float, 1.5f), 3);
  check("by default", __enzyme_autodiff(square, 5.0), 10);
  check("seeded", __enzyme_autodiff(square, 5.0, 2.0), 20);

  Two two = __enzyme_autodiff_two((void *)area, 0.5, 3.0);
  check("two.x", two.x, cos(0.5) * 3);
  check("two.y", two.y, sin(0.5));
  check("one of two", __enzyme_autodiff(area, enzyme_const, 0.5, enzyme_out, 3.0), sin(0.5));
  Three three = __enzyme_autodiff_three(volume, enzyme_out, 2.0, enzyme_out, 3.0, enzyme_out, 4.0);
  check("three.x", three.x, 12);
  check("three.z", three.z, 6);
  Floats floats = __enzyme_autodiff_floats(area_float, 2.0f, 3.0f);
  check("floats.x", floats.x, 3);
  check("floats.y", floats.y, 2);
  ValueAndGradient all = __enzyme_autodiff_value(area, enzyme_primal_return, 0.5, 3.0);
  check("value", all.value, sin(0.5) * 3);
  check("value.x", all.x, cos(0.5) * 3);
  check("value.y", all.y, sin(0.5));

  double array[4] = {1, 2, 3, 4}, d_array[4] = {0}, d_factor;
  d_factor = __enzyme_autodiff(sum_and_multiply, array, d_array, (size_t)4, 0.5);
  check("factor", d_factor, 30);
  for (int i = 0; i < 4; i++) check("array", d_array[i], array[i]);
  __enzyme_autodiff(sum_and_multiply, enzyme_dup, array, d_array, enzyme_const, (size_t)4, enzyme_const, 0.5);
  for (int i = 0; i < 4; i++) check("array, added to", d_array[i], 2 * array[i]);

  double out = 0, d_out = 1, d_weights[4] = {0};
  __enzyme_autodiff(loss, enzyme_dupnoneed, &out, &d_out, enzyme_dup, array, d_weights, enzyme_const, d_array, 4);
  for (int i = 0; i < 4; i++) check("weights", d_weights[i], d_array[i] * exp(array[i] * d_array[i]));
  check("seed is used up", d_out, 0);

  double in[2] = {2, 3}, rotated[2], rows[4] = {0}, seeds[4] = {1, 0, 0, 1};
  two = __enzyme_autodiff_wide(rotate, enzyme_width, 2, enzyme_dup, in, rows, rows + 2, enzyme_dup, rotated, seeds, seeds + 2,
                               enzyme_out, 0.25);
  check("wide 00", rows[0], cos(0.25));
  check("wide 01", rows[1], -sin(0.25));
  check("wide 10", rows[2], sin(0.25));
  check("wide 11", rows[3], cos(0.25));
  check("wide angle 0", two.x, -sin(0.25) * 2 - cos(0.25) * 3);
  check("wide angle 1", two.y, cos(0.25) * 2 - sin(0.25) * 3);

  check("short", __enzyme_autodiff(chosen, 2.0, (short)(argc + 2)), 12);
  for (int i = 0; i < 3; i++) check("in a loop", __enzyme_autodiff(area, enzyme_out, 0.1 * i, enzyme_const, 2.0), 2 * cos(0.1 * i));
  if (argc > 5)
    check("one way", __enzyme_autodiff(square, 1.0), 2);
  else
    check("other way", __enzyme_autodiff(chosen, enzyme_out, 3.0, enzyme_const, 4), 108);
  return 0;
}
