/* Functions that return pointers: after the tape come the pointer and its shadow. */
#include "check.h"
#include <stdlib.h>

extern int enzyme_dup, enzyme_const, enzyme_tape, enzyme_allocated;

typedef struct { void *tape; double *value, *shadow; } All;
typedef struct { double *value, *shadow; } Both;
All __enzyme_augmentfwd_all(void *, ...);
Both __enzyme_augmentfwd_both(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

double *squares(double *x, int n) {
  double *y = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) y[i] = x[i] * x[i];
  return y;
}
double *largest(double *x, int n) {
  double *found = x;
  for (int i = 1; i < n; i++)
    if (x[i] > *found) found = x + i;
  *found *= 3;
  return found;
}
void cube(double *x) { *x = *x * *x * *x; }

int main(void) {
  double a[3] = {1, 2, 2}, da[3] = {0};
  All all = __enzyme_augmentfwd_all(squares, a, da, 3);
  for (int i = 0; i < 3; i++) check("square", all.value[i], a[i] * a[i]);
  for (int i = 0; i < 3; i++) all.shadow[i] += i + 1;
  __enzyme_reverse(squares, a, da, 3, all.tape);
  for (int i = 0; i < 3; i++) check("da", da[i], 2 * a[i] * (i + 1));

  double b[4] = {1, 5, 3, 2}, db[4] = {0};
  All one = __enzyme_augmentfwd_all(largest, b, db, 4);
  check("largest", *one.value, 15);
  check("its shadow", one.shadow - db, 1);
  *one.shadow += 7;
  __enzyme_reverse(largest, b, db, 4, one.tape);
  for (int i = 0; i < 4; i++) check("db", db[i], i == 1 ? 21 : 0);

  double c[4] = {1, 5, 3, 2}, dc[4] = {0};
  char memory[256];
  Both both = __enzyme_augmentfwd_both(largest, enzyme_allocated, 256, enzyme_tape, memory, c, dc, 4);
  check("both", *both.value, 15);
  *both.shadow += 7;
  __enzyme_reverse(largest, enzyme_allocated, 256, enzyme_tape, memory, c, dc, 4);
  for (int i = 0; i < 4; i++) check("dc", dc[i], i == 1 ? 21 : 0);

  double d = 2, dd = 1;
  void *tape = __enzyme_augmentfwd(cube, &d, &dd);
  __enzyme_reverse(cube, &d, &dd, tape);
  check("cube", dd, 12);
  return 0;
}
