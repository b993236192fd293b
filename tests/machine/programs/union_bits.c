/* Doubles that travel as integers: through a union and through memcpy. */
#include <stdint.h>
#include <string.h>

union Cell { double real; uint64_t bits; };

__attribute__((noinline)) static void move(const uint64_t *from, uint64_t *to, int n)
{
    for (int i = 0; i < n; i++)
        to[n - 1 - i] = from[i];
}

double union_bits(const double *x, int n)
{
    union Cell cells[16];
    double mirrored[16], sum = 0;
    for (int i = 0; i < n; i++) {
        uint64_t bits;
        memcpy(&bits, x + i, sizeof bits);
        cells[i].bits = bits;
    }
    move((const uint64_t *)cells, (uint64_t *)mirrored, n);
    for (int i = 0; i < n; i++)
        sum += mirrored[i] * mirrored[i] * cells[i].real;
    return sum;
}
