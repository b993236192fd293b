/* Shadows that functions read and write, in both modes, beside dense ones. */
#include "check.h"
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_dupnoneed, enzyme_const;
double __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);
void *__enzyme_todense(void *, ...);

static long reads, writes;
static double get(size_t bytes, double *memory) { return reads++, memory[bytes / sizeof(double)]; }
static void put(double value, size_t bytes, double *memory) { writes++, memory[bytes / sizeof(double)] = value; }
static double unit(size_t bytes, int i) { return bytes == i * sizeof(double); }
static void never(double value, size_t bytes, int i) { abort(); }
static void *dense(double *memory) { return __enzyme_todense((void *)get, (void *)put, memory); }

static void products(const double *x, double *y, int n) {
  double sums[8];
  memset(sums, 0, sizeof sums);
  for (int i = 0; i < n; i++) sums[i] += x[i] * x[(i + 1) % n];
  memset(y, 0, n * sizeof *y);
  for (int i = 0; i < n; i++) y[i] += sums[i] * x[0];
}
static void copies(const double *x, double *y) {
  memcpy(y, x, 4 * sizeof *y);
  y[0] *= x[1];
  memmove(y + 2, x, 2 * sizeof *y);
}
static double chosen(double *x) {
  double *second = x + 1, *one = *second > 0 ? x : second;
  return *second * *one * x[2];
}
static void in_a_loop(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) {
    y[i] = x[i] * x[i];
    if (i) y[i] += x[i - 1];
  }
}

int main(void) {
  double x[4] = {1, 2, 3, 4}, y[4];
  for (int c = 0; c < 4; c++) {
    double v[4] = {0}, got[4] = {5, 5, 5, 5}, want[4];
    v[c] = 1;
    __enzyme_fwddiff((void *)products, x, __enzyme_todense((void *)unit, (void *)never, c), y, dense(got), 4);
    __enzyme_fwddiff((void *)products, x, v, y, want, 4);
    for (int i = 0; i < 4; i++) check("forward", got[i], want[i]);
    __enzyme_fwddiff((void *)copies, x, __enzyme_todense((void *)unit, (void *)never, c), y, dense(got));
    __enzyme_fwddiff((void *)copies, x, v, y, want);
    for (int i = 0; i < 4; i++) check("copied", got[i], want[i]);
  }
  double got[4] = {0}, want[4] = {0}, d_got[4] = {1, 2, 3, 4}, d_want[4] = {1, 2, 3, 4};
  __enzyme_autodiff((void *)products, x, dense(got), y, dense(d_got), 4);
  __enzyme_autodiff((void *)products, x, want, y, d_want, 4);
  for (int i = 0; i < 4; i++) check("reverse", got[i], want[i]);
  for (int i = 0; i < 4; i++) check("reverse, cleared", d_got[i], 0);
  memset(got, 0, sizeof got);
  __enzyme_autodiff((void *)chosen, x, dense(got));
  for (int i = 0; i < 3; i++) check("chosen", got[i], 6 / x[i]);
  check("by the functions", reads > 0 && writes > 0, 1);
  double *memory = dense(got);
  memory[1] = 7;
  memory[2] = memory[1] + memory[0];
  check("without a derivative", got[2], 13);

  double v[4] = {1, 1, 0, 0}, d_y[4] = {0}, d_x[4] = {0};
  __enzyme_fwddiff((void *)in_a_loop, x, v, enzyme_dupnoneed, (double *)0, d_y, 4);
  check("null", d_y[0], 2);
  check("null", d_y[1], 5);
  check("null", d_y[2], 1);
  double seed[4] = {1, 1, 0, 0};
  __enzyme_autodiff((void *)in_a_loop, x, d_x, enzyme_dupnoneed, (double *)0, seed, 4);
  check("null, reverse", d_x[0], 3);
  check("null, reverse", d_x[1], 4);
  return 0;
}
