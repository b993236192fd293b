#include <stdint.h>
#include <stdlib.h>
/* a bump allocator whose state is an integer, with alignment as asked */
typedef struct { uintptr_t at, end; } Arena;
static void *take(Arena *a, size_t bytes, size_t align) { uintptr_t p = (a->at + align - 1) & ~(uintptr_t)(align - 1); a->at = p + bytes; return (void *)p; }
double f(double *x, long n) {
  char *block = malloc(4096);
  Arena a = {(uintptr_t)block + 1, (uintptr_t)block + 4096};
  double *u = take(&a, n * sizeof(double), 32), *v = take(&a, n * sizeof(double), 64), s = 0;
  for (long i = 0; i < n; i++) { u[i] = x[i] * x[i]; v[i] = u[i] * x[n - 1 - i]; }
  for (long i = 0; i < n; i++) s += u[i] * v[i] * (i + 1);
  free(block);
  return s;
}
