/* Shadows that all stand behind the arguments. */
#include "check.h"

extern int enzyme_dup, enzyme_const, enzyme_interleave, enzyme_runtime_activity;
void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff(void *, ...);

typedef struct { double a, b; } Pair;
void scaled(const Pair *x, const double *factor, double *y) { *y = x->a * x->b * *factor; }
double product(const Pair *x, const double *y, int n) { return n * x->a * x->b * *y; }

int main(void) {
  Pair x = {2, 3}, dx = {1, 0}, gx = {0, 0};
  double factor = 5, y, dy, z = 7, gz = 0;
  __enzyme_fwddiff(scaled, enzyme_dup, &x, enzyme_const, &factor, enzyme_dup, &y, enzyme_interleave, &dx, &dy);
  check("value", y, 30);
  check("tangent", dy, 15);
  /* pointers have shadows unless they are marked; what is said of the whole call may stand anywhere */
  double d_factor = 1;
  __enzyme_fwddiff(scaled, &x, &factor, &y, enzyme_interleave, &dx, &d_factor, &dy, enzyme_runtime_activity);
  check("both", dy, 21);
  __enzyme_autodiff(product, enzyme_dup, &x, enzyme_dup, &z, enzyme_const, 2, enzyme_interleave, &gx, &gz);
  check("a", gx.a, 42);
  check("b", gx.b, 28);
  check("z", gz, 12);
  return 0;
}
