/* Numbers that take each other's places byte by byte, as functions do that know sizes alone. */
#include <stddef.h>
#include <string.h>

static void exchange(void *a, void *b, size_t size)
{
    char *p = a, *q = b;
    while (size--) { char byte = *p; *p++ = *q; *q++ = byte; }
}

double turned(const double *x, int n)
{
    double a[7] = {0};
    memcpy(a, x, n * sizeof *a);
    for (int i = 0; i < n; i++) a[i] *= x[0];
    for (int i = 0; i <= n / 2; i++) exchange(&a[i], &a[n - i], sizeof *a); /* the one in the middle with itself */
    double sum = 0;
    for (int i = 0; i <= n; i++) sum += (i + 1) * a[i] * a[i];
    return sum;
}
