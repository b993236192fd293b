#include "check.h"
#include <math.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

/* What has a rule of its own may not be inlined by the compiler that runs before. */
#define RULE __attribute__((noinline))

/* Their derivatives are wrong on purpose: 10 and 100 times too large, so that it shows who was asked. */
RULE double tenfold(double x) { return x * x; }
typedef struct { void *tape; double value; } Augmented;
Augmented tenfold_augmented(double x) { return (Augmented){0, x * x}; }
double tenfold_reverse(double x, double seed, void *tape) { return 20 * x * seed; }
void *__enzyme_register_gradient_tenfold[] = {(void *)tenfold, (void *)tenfold_augmented, (void *)tenfold_reverse};
double tenfold_forward(double x, double dx) { return 20 * x * dx; }
void *__enzyme_register_derivative_tenfold[] = {(void *)tenfold, (void *)tenfold_forward};

RULE void fill(const double *in, double *out) { out[0] = in[0] * in[0]; }
void *fill_augmented(const double *in, double *d_in, double *out, double *d_out) {
  out[0] = in[0] * in[0];
  double *kept = malloc(sizeof(double));
  *kept = in[0];
  return kept;
}
void fill_reverse(const double *in, double *d_in, double *out, double *d_out, void *tape) {
  d_in[0] += 200 * *(double *)tape * d_out[0];
  d_out[0] = 0;
  free(tape);
}
void *__enzyme_register_gradient_fill[] = {(void *)fill, (void *)fill_augmented, (void *)fill_reverse};

__attribute__((weak)) double stop(double x) { return x; }
void *__enzyme_inactivefn_stop[] = {(void *)stop};

double my_logarithm(double x);
void *__enzyme_function_like_my_logarithm[] = {(void *)my_logarithm, "log"};

void *my_allocate(size_t bytes);
void my_release(void *memory);
void *__enzyme_allocation_like_mine[] = {(void *)my_allocate, (void *)0, "-1", (void *)my_release};

double calls_tenfold(double x) { return tenfold(x) + x; }
double calls_fill(const double *in) {
  double out[1];
  fill(in, out);
  return 3 * out[0];
}
double calls_stop(double x) { return stop(x) * x; }
double calls_logarithm(double x) { return my_logarithm(x) * 2; }
double calls_allocate(double x) {
  double *memory = my_allocate(2 * sizeof(double));
  memory[0] = x;
  memory[1] = memory[0] * x;
  double y = memory[1] * 2;
  my_release(memory);
  return y;
}

int main(void) {
  check("reverse rule", __enzyme_autodiff(calls_tenfold, 3.0), 61);
  check("forward rule", __enzyme_fwddiff(calls_tenfold, 3.0, 1.0), 61);
  check("of the function itself", __enzyme_autodiff(tenfold, 3.0), 60);
  double in = 2, d_in = 0;
  __enzyme_autodiff(calls_fill, &in, &d_in);
  check("rule with memory", d_in, 1200);
  check("inactive", __enzyme_autodiff(calls_stop, 5.0), 5);
  check("inactive forward", __enzyme_fwddiff(calls_stop, 5.0, 1.0), 5);
  check("function like", __enzyme_autodiff(calls_logarithm, 4.0), 0.5);
  check("library function", __enzyme_autodiff(cbrt, 8.0), 1.0 / 12);
  check("allocation like", __enzyme_autodiff(calls_allocate, 3.0), 12);
  return 0;
}
