#include <utility>
struct Span { double *begin, *end; };
static void exchange(Span *a, long i, long j) { Span t = a[i]; a[i] = a[j]; a[j] = t; }
extern "C" double f(double *x, long n) {
  double buffer[32]; Span rows[8]; double *p = buffer;
  for (long i = 0; i < n; i++) { rows[i].begin = p; for (long k = 0; k <= i % 3; k++) *p++ = x[i] * x[(i + k) % n]; rows[i].end = p; }
  for (long i = 0; i < n / 2; i++) exchange(rows, i, n - 1 - i);
  double s = 0;
  for (long i = 0; i < n; i++) for (double *q = rows[i].begin; q != rows[i].end; ++q) s += (i + 1) * *q * *q;
  return s;
}
