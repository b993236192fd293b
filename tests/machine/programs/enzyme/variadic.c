/* Functions of a variable number of arguments that others may call, too. */
#include "check.h"
#include <math.h>
#include <stdarg.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

double squares(int count, ...) {
  va_list list;
  double sum = 0;
  va_start(list, count);
  for (int i = 1; i <= count; i++) {
    double value = va_arg(list, double);
    sum += i * value * value;
  }
  va_end(list);
  return count > 2 ? sum + squares(2, sum, 1.0) : sum; /* sum + sum^2 + 2 */
}
static double chosen(const double *x, int count, ...) {
  va_list list, again;
  double sum = 0;
  va_start(list, count);
  va_copy(again, list);
  for (int i = 0; i < count; i++) sum += x[va_arg(list, int)] * va_arg(again, int);
  va_end(list);
  va_end(again);
  return sum * x[0];
}

double of_numbers(double x) { return squares(3, x, 2.0, sin(x)); }
double of_indices(const double *x) { return chosen(x, 2, 1, 2); } /* (x[1] + 2 x[2]) x[0] */

int main(void) {
  double x = 0.7, s = sin(x), c = cos(x), sum = x * x + 8 + 3 * s * s, slope = 2 * x + 6 * s * c;
  check("result", of_numbers(x), sum + sum * sum + 2);
  check("reverse", __enzyme_autodiff((void *)of_numbers, x), slope * (1 + 2 * sum));
  check("forward", __enzyme_fwddiff((void *)of_numbers, x, 1.0), slope * (1 + 2 * sum));
  double v[3] = {2, 3, 5}, d[3] = {0};
  __enzyme_autodiff((void *)of_indices, v, d);
  check("factor", d[0], 13);
  check("first index", d[1], 2);
  check("second index", d[2], 4);
  return 0;
}
