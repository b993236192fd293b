#include <stdint.h>
#include <stdlib.h>
/* aligned blocks that remember in front of them where they begin */
static void *aligned(size_t bytes, size_t align) {
  char *raw = malloc(bytes + align + sizeof(void *));
  uintptr_t p = ((uintptr_t)raw + sizeof(void *) + align - 1) / align * align;
  ((void **)p)[-1] = raw;
  return (void *)p;
}
static void release(void *p) { free(((void **)p)[-1]); }
double f(double *x, long n) {
  double *a = aligned(n * sizeof(double), 64), s = 0;
  for (long i = 0; i < n; i++) a[i] = x[i] * x[i] * x[i];
  for (long i = 0; i < n; i++) s += (i + 1) * a[i];
  release(a);
  return s;
}
