/* Structs by value, as arguments and results of functions that stay calls. */
#include <math.h>

typedef struct { double x, y, z; } Vec;
typedef struct { double value; int index; } Found;

__attribute__((noinline)) static Vec cross(Vec a, Vec b)
{
    Vec c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

__attribute__((noinline)) static Found largest(Vec v)
{
    Found f = {v.x, 0};
    if (v.y > f.value) f = (Found){v.y, 1};
    if (v.z > f.value) f = (Found){v.z, 2};
    return f;
}

double struct_value(const double *p)
{
    Vec a = {p[0], p[1], p[2]}, b = {p[3], p[4], p[5]};
    Vec c = cross(a, b), d = cross(c, a);
    Found f = largest(d);
    return f.value * (f.index + 1) + c.x * d.y + sqrt(c.x * c.x + c.y * c.y + c.z * c.z);
}
