/* Hand tracking: how far the vertices of a posed hand are from the points that a camera saw.
 *
 *   theta      [26]               rotation of the hand (axis times angle) 3, its position 3, and of each of five fingers
 *                                 four angles: of the root joint flexion and abduction, of the next two flexion
 *   parents    [bones]            of each bone the one it hangs on, which comes before it; -1 for the first
 *   relatives  [bones][12]        where it sits there, at rest: an affine map, 3 rows of 4
 *   inverses   [bones][12]        from the rest pose into the bone's own frame
 *   vertices   [count][3]         at rest
 *   weights    [bones][count]     how far a vertex follows a bone (linear blend skinning)
 *   matched    [points]           of each point the vertex that it belongs to
 *   points     [points][3]
 *   errors     [points][3]
 *
 * The first two bones (forearm and palm) don't bend; after them come five fingers of three joints and a tip.
 */
#include <math.h>
#include <stdlib.h>

/* out = a b, for affine maps. */
void compose(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? a[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++)
                sum += a[4 * i + k] * b[4 * k + j];
            out[4 * i + j] = sum;
        }
}

/* Turns about x, then y, then z. */
void euler(const double *angles, double *out)
{
    double cx = cos(angles[0]), sx = sin(angles[0]);
    double cy = cos(angles[1]), sy = sin(angles[1]);
    double cz = cos(angles[2]), sz = sin(angles[2]);
    out[0] = cy * cz;
    out[1] = sx * sy * cz - cx * sz;
    out[2] = sx * sz + cx * sy * cz;
    out[4] = cy * sz;
    out[5] = cx * cz + sx * sy * sz;
    out[6] = cx * sy * sz - sx * cz;
    out[8] = -sy;
    out[9] = sx * cy;
    out[10] = cx * cy;
    out[3] = out[7] = out[11] = 0;
}

void axis_angle(const double *turn, double *out)
{
    double square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2];
    double angle = sqrt(square);
    if (angle < 1e-4) {
        for (int i = 0; i < 9; i++)
            out[i] = i % 4 == 0;
        return;
    }
    double x = turn[0] / angle, y = turn[1] / angle, z = turn[2] / angle, s = sin(angle), c = cos(angle);
    out[0] = x * x + (1 - x * x) * c;
    out[1] = x * y * (1 - c) - z * s;
    out[2] = x * z * (1 - c) + y * s;
    out[3] = x * y * (1 - c) + z * s;
    out[4] = y * y + (1 - y * y) * c;
    out[5] = y * z * (1 - c) - x * s;
    out[6] = x * z * (1 - c) - y * s;
    out[7] = z * y * (1 - c) + x * s;
    out[8] = z * z + (1 - z * z) * c;
}

/* The angles of each bone, from the 20 numbers of the fingers. */
void joint_angles(int bones, const double *fingers, double *angles)
{
    for (int i = 0; i < 3 * bones; i++)
        angles[i] = 0;
    for (int finger = 0; finger < 5; finger++) {
        const double *from = fingers + 4 * finger;
        double *root = angles + 3 * (2 + 4 * finger);
        root[0] = from[0];
        root[1] = from[1];
        root[3] = from[2];
        root[6] = from[3];
    }
}

void skin(const double *theta, int bones, const int *parents, const double *relatives, const double *inverses,
                 int count, const double *vertices, const double *weights, double *positions)
{
    double *angles = malloc(3 * bones * sizeof(double));
    double *absolutes = malloc(12 * bones * sizeof(double));
    double bend[12], relative[12], transform[12], turn[9];

    for (int i = 0; i < 3 * count; i++)
        positions[i] = 0;
    joint_angles(bones, theta + 6, angles);
    for (int b = 0; b < bones; b++) {
        double *absolute = absolutes + 12 * b;
        euler(angles + 3 * b, bend);
        compose(relatives + 12 * b, bend, relative);
        if (parents[b] < 0)
            for (int i = 0; i < 12; i++)
                absolute[i] = relative[i];
        else
            compose(absolutes + 12 * parents[b], relative, absolute);
        compose(absolute, inverses + 12 * b, transform);
        for (int v = 0; v < count; v++) {
            const double *at = vertices + 3 * v;
            double weight = weights[b * count + v];
            for (int i = 0; i < 3; i++)
                positions[3 * v + i] += weight * (transform[4 * i] * at[0] + transform[4 * i + 1] * at[1]
                                                  + transform[4 * i + 2] * at[2] + transform[4 * i + 3]);
        }
    }
    axis_angle(theta, turn);
    for (int v = 0; v < count; v++) {
        double *at = positions + 3 * v, x = at[0], y = at[1], z = at[2];
        for (int i = 0; i < 3; i++)
            at[i] = turn[3 * i] * x + turn[3 * i + 1] * y + turn[3 * i + 2] * z + theta[3 + i];
    }
    free(angles);
    free(absolutes);
}

void hand_objective(const double *theta, int bones, const int *parents, const double *relatives,
                    const double *inverses, int count, const double *vertices, const double *weights, int n,
                    const int *matched, const double *points, double *errors)
{
    double *positions = malloc(3 * count * sizeof(double));
    skin(theta, bones, parents, relatives, inverses, count, vertices, weights, positions);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            errors[3 * i + j] = points[3 * i + j] - positions[3 * matched[i] + j];
    free(positions);
}
