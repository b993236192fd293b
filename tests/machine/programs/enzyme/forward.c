#include "check.h"
#include <math.h>

int enzyme_dup, enzyme_dupv, enzyme_const, enzyme_width, enzyme_primal_return;

typedef struct { double v[3]; } Three;
typedef struct { double value, tangent; } Dual;
typedef struct { double a, b, c; } Triple;

double __enzyme_fwddiff(void *, ...);
Three __enzyme_fwddiff_three(void *, ...);
Dual __enzyme_fwddiff_dual(void *, ...);
Triple __enzyme_fwddiff_triple(void *, ...);
float __enzyme_fwddiff_float(float (*)(float), float, float);

double product(double x, double y) { return x * y + 1 / y; }
float root(float x) { return sqrtf(x); }
void squares(const double *in, double *out, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] * in[i] * in[0];
}
Triple powers(double x) { return (Triple){x, x * x, x * x * x}; }

int main(void) {
  check("along x", __enzyme_fwddiff(product, enzyme_dup, 3.0, 1.0, enzyme_const, 2.0), 2);
  check("along both", __enzyme_fwddiff(product, 3.0, 1.0, 2.0, 1.0), 4.75);
  check("float", __enzyme_fwddiff_float(root, 4.0f, 1.0f), 0.25);
  Three three = __enzyme_fwddiff_three(product, enzyme_width, 3, enzyme_dup, 3.0, 1.0, 0.0, 1.0, enzyme_dup, 2.0, 0.0, 1.0, 1.0);
  check("wide 0", three.v[0], 2);
  check("wide 1", three.v[1], 2.75);
  check("wide 2", three.v[2], 4.75);
  Dual dual = __enzyme_fwddiff_dual(product, enzyme_primal_return, enzyme_dup, 3.0, 1.0, enzyme_dup, 2.0, 1.0);
  check("primal", dual.value, 6.5);
  check("tangent", dual.tangent, 4.75);
  Triple triple = __enzyme_fwddiff_triple(powers, enzyme_dup, 2.0, 1.0);
  check("through memory a", triple.a, 1);
  check("through memory b", triple.b, 4);
  check("through memory c", triple.c, 12);

  double in[3] = {1, 2, 3}, d_in[3] = {1, 0.5, 0}, out[3], d_out[3] = {0};
  __enzyme_fwddiff(squares, enzyme_dup, in, d_in, enzyme_dup, out, d_out, 3);
  for (int i = 0; i < 3; i++) {
    check("out", out[i], in[i] * in[i]);
    check("d_out", d_out[i], 2 * in[i] * d_in[i] * in[0] + in[i] * in[i] * d_in[0]);
  }
  double basis[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, columns[9] = {0};
  __enzyme_fwddiff(squares, enzyme_width, 3, enzyme_dupv, sizeof(double[3]), in, basis, enzyme_dup, out, columns, columns + 3,
                   columns + 6, enzyme_const, 3);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      check("jacobian", columns[3 * j + i], (i == j ? 2 * in[i] * in[0] : 0) + (j == 0 ? in[i] * in[i] : 0));
  return 0;
}
