/* Points turned by a quaternion, which is normalised first. Structs in arrays, changed in place. */
#include <math.h>

typedef struct { double w, x, y, z; } Quaternion;
typedef struct { double x, y, z; } Vec;

static Quaternion times(Quaternion a, Quaternion b)
{
    return (Quaternion){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

void quaternion(const Quaternion *turn, Vec *points, int n)
{
    double norm = sqrt(turn->w * turn->w + turn->x * turn->x + turn->y * turn->y + turn->z * turn->z);
    Quaternion q = {turn->w / norm, turn->x / norm, turn->y / norm, turn->z / norm};
    Quaternion back = {q.w, -q.x, -q.y, -q.z};
    for (int i = 0; i < n; i++) {
        Quaternion p = times(times(q, (Quaternion){0, points[i].x, points[i].y, points[i].z}), back);
        points[i] = (Vec){p.x, p.y, p.z};
    }
}
