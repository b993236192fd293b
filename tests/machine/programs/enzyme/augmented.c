/* What __enzyme_augmentfwd gives: the tape, the result, and the shadow of a pointer; the call's own type tells the order. */
#include "check.h"
#include <math.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_tape, enzyme_allocated;

typedef struct { void *tape; double value; } TapeFirst;
typedef struct { double value; void *tape; } TapeLast;
typedef struct { float value; void *tape; } FloatFirst;
typedef struct { int value; void *tape; } IntegerFirst;
typedef struct { double value; } Alone;
TapeFirst __enzyme_augmentfwd_first(void *, ...);
TapeLast __enzyme_augmentfwd_last(void *, ...);
FloatFirst __enzyme_augmentfwd_float(void *, ...);
IntegerFirst __enzyme_augmentfwd_integer(void *, ...);
Alone __enzyme_augmentfwd_alone(void *, ...);
double __enzyme_augmentfwd_double(void *, ...);
double __enzyme_reverse(void *, ...);
float __enzyme_reverse_float(void *, ...);
void __enzyme_reverse_void(void *, ...);
int __enzyme_augmentsize(void *, ...);

double norm(double *x, int n, double scale) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return scale * sqrt(sum);
}
float single(float x) { return sinf(x) * x; }
int rounds(double *x) {
  int n = 0;
  while (x[0] < 10) x[0] *= x[0], n++;
  return n;
}

int main(void) {
  double a[3] = {1, 2, 2}, da[3] = {0};
  TapeFirst first = __enzyme_augmentfwd_first(norm, a, da, 3, 2.0);
  check("first", first.value, 6);
  check("first scale", __enzyme_reverse(norm, a, da, 3, 2.0, 10.0, first.tape), 30);
  for (int i = 0; i < 3; i++) check("first da", da[i], 20 * a[i] / 3);

  double b[3] = {1, 2, 2}, db[3] = {0};
  TapeLast last = __enzyme_augmentfwd_last(norm, b, db, 3, 2.0);
  check("last", last.value, 6);
  check("last scale", __enzyme_reverse(norm, b, db, 3, 2.0, 10.0, last.tape), 30);
  for (int i = 0; i < 3; i++) check("last db", db[i], 20 * b[i] / 3);

  FloatFirst lone = __enzyme_augmentfwd_float(single, 0.5);
  check("float", lone.value, sinf(0.5f) * 0.5f);
  check("float dx", __enzyme_reverse_float(single, 0.5, 1.0, lone.tape), cosf(0.5f) * 0.5f + sinf(0.5f));

  double c[1] = {2}, dc[1] = {1};
  IntegerFirst count = __enzyme_augmentfwd_integer(rounds, c, dc);
  check("rounds", count.value, 2);
  __enzyme_reverse_void(rounds, c, dc, count.tape);
  check("rounds dc", dc[0], 32); /* of x^4 at 2 */

  double d[3] = {1, 2, 2}, dd[3] = {0};
  int size = __enzyme_augmentsize(norm, enzyme_dup, enzyme_const, enzyme_const);
  char memory[256];
  double value = __enzyme_augmentfwd_double(norm, enzyme_allocated, size, enzyme_tape, memory, d, dd, 3, enzyme_const, 2.0);
  check("memory", value, 6);
  __enzyme_reverse(norm, enzyme_allocated, size, enzyme_tape, memory, d, dd, 3, enzyme_const, 2.0, 10.0);
  for (int i = 0; i < 3; i++) check("memory dd", dd[i], 20 * d[i] / 3);

  double e[3] = {1, 2, 2}, de[3] = {0};
  Alone alone = __enzyme_augmentfwd_alone(norm, enzyme_allocated, size, enzyme_tape, memory, e, de, 3, enzyme_const, 2.0);
  check("alone", alone.value, 6);
  __enzyme_reverse(norm, enzyme_allocated, size, enzyme_tape, memory, e, de, 3, enzyme_const, 2.0, 10.0);
  for (int i = 0; i < 3; i++) check("alone de", de[i], 20 * e[i] / 3);
  return 0;
}
