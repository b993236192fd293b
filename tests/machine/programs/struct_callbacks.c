/* Structs too large for registers, by value through function pointers: as arguments (which the callee changes) and as
 * results. */
#include <math.h>

typedef struct { double w, x, y, z; int turns; } Turn;
typedef Turn (*Combine)(Turn, Turn);

__attribute__((noinline)) static Turn product(Turn a, Turn b)
{
    a.turns += b.turns;
    a.w *= 0.5;
    return (Turn){a.w * b.w - a.x * b.x, a.w * b.x + a.x * b.w, a.y * b.y - a.z, a.z * b.z + a.y, a.turns};
}

__attribute__((noinline)) static Turn blend(Turn a, Turn b)
{
    for (int i = 0; i < 3; i++) {
        a.x = sin(a.x) + b.x * a.w;
        b.w -= a.x;
    }
    a.w = b.w;
    return a;
}

static Combine const table[2] = {product, blend};

double struct_callbacks(const double *p, const int *which, int n)
{
    Turn a = {p[0], p[1], p[2], p[3], 1}, b = {p[4], p[5], p[6], p[7], 2};
    for (int i = 0; i < n; i++) {
        Turn c = table[which[i]](a, b);
        b = a;
        a = c;
    }
    return a.w * b.x + a.y * a.z + b.w * a.turns;
}
