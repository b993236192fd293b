#include "check.h"
#include <math.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_tape, enzyme_allocated, enzyme_const, enzyme_nofree, enzyme_not_overwritten;

typedef struct { void *tape; double value; } Augmented;
void *__enzyme_augmentfwd(void *, ...);
Augmented __enzyme_augmentfwd_value(void *, ...);
double __enzyme_reverse(void *, ...);
int __enzyme_augmentsize(void *, ...);
double __enzyme_fwdsplit(void *, ...);

void step(double *x) {
  x[0] = sin(x[0]) * x[1];
  x[1] = exp(x[0]);
}
double norm(double *x, int n, double scale) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return scale * sqrt(sum);
}

double product(double x, double y) { return x * x * sin(y); }

int main(void) {
  double x[2] = {0.5, 2}, dx[2] = {0, 1};
  void *tape = __enzyme_augmentfwd(step, enzyme_dup, x, dx);
  double y0 = sin(0.5) * 2, y1 = exp(y0);
  check("x0", x[0], y0);
  check("x1", x[1], y1);
  x[0] = x[1] = 1e9; /* what the reverse sweep needs is on the tape */
  __enzyme_reverse(step, enzyme_dup, x, dx, tape);
  check("dx0", dx[0], y1 * cos(0.5) * 2);
  check("dx1", dx[1], y1 * sin(0.5));

  double a[3] = {1, 2, 2}, da[3] = {0};
  Augmented both = __enzyme_augmentfwd_value(norm, a, da, 3, 2.0);
  check("norm", both.value, 6);
  double d_scale = __enzyme_reverse(norm, a, da, 3, 2.0, 10.0, both.tape);
  check("scale", d_scale, 30);
  for (int i = 0; i < 3; i++) check("da", da[i], 10 * 2 * a[i] / 3);

  double b[2] = {0.5, 2}, db[2] = {0, 1};
  int size = __enzyme_augmentsize(step, enzyme_dup);
  void *memory = malloc(size ? size : 1);
  __enzyme_augmentfwd(step, enzyme_allocated, size, enzyme_tape, memory, b, db);
  __enzyme_reverse(step, enzyme_allocated, size, enzyme_tape, memory, b, db);
  free(memory);
  check("db0", db[0], y1 * cos(0.5) * 2);
  check("db1", db[1], y1 * sin(0.5));

  double slope = __enzyme_fwdsplit(product, enzyme_nofree, enzyme_dup, 2.0, 1.0, enzyme_dup, 0.5, 3.0, (void *)0);
  check("forward, without a tape", slope, 4 * sin(0.5) + 3 * 4 * cos(0.5));
  double v[3] = {1, 0, 2};
  Augmented again = __enzyme_augmentfwd_value(norm, a, da, enzyme_const, 3, enzyme_const, 2.0);
  for (int i = 0; i < 2; i++) /* the tape is released by the second call */
    if (i)
      slope = __enzyme_fwdsplit(norm, enzyme_not_overwritten, a, v, enzyme_const, 3, enzyme_const, 2.0, again.tape);
    else
      slope = __enzyme_fwdsplit(norm, enzyme_not_overwritten, enzyme_nofree, a, v, enzyme_const, 3, enzyme_const, 2.0, again.tape);
  check("forward, with a tape", slope, 2 * (1 + 4) / 3.0);
  return 0;
}
