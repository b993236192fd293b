/* The Jacobian of hand.c's errors, and one product with its transpose, written by hand. Both know what a tool can't:
 * that only the matched vertices matter, and that an angle moves no bone but those of its own finger.
 *
 *   jacobian [points][3][26]
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void compose(const double *a, const double *b, double last, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            double sum = j == 3 ? last * a[4 * i + 3] : 0;
            for (int k = 0; k < 3; k++)
                sum += a[4 * i + k] * b[4 * k + j];
            out[4 * i + j] = sum;
        }
}

/* Ry(y) Rx(x), all that the joints of a hand do, and its derivatives. */
static void bend(double x, double y, double *out, double *by_x, double *by_y)
{
    double cx = cos(x), sx = sin(x), cy = cos(y), sy = sin(y);
    double r[12] = {cy, sx * sy, cx * sy, 0, 0, cx, -sx, 0, -sy, sx * cy, cx * cy, 0};
    double rx[12] = {0, cx * sy, -sx * sy, 0, 0, -sx, -cx, 0, 0, cx * cy, -sx * cy, 0};
    double ry[12] = {-sy, sx * cy, cx * cy, 0, 0, 0, 0, 0, -cy, -sx * sy, -cx * sy, 0};
    memcpy(out, r, sizeof r);
    memcpy(by_x, rx, sizeof rx);
    memcpy(by_y, ry, sizeof ry);
}

/* R = c I + s [u]x + (1-c) u u' for u = turn / angle, and its derivatives by turn. */
static void axis_angle(const double *turn, double *out, double by[3][9])
{
    double square = turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2], angle = sqrt(square);
    memset(by, 0, 27 * sizeof(double));
    if (angle < 1e-4) {
        for (int i = 0; i < 9; i++)
            out[i] = i % 4 == 0;
        return;
    }
    double c = cos(angle), b = sin(angle) / angle, g = (1 - c) / square;
    double db = (c - b) / square, dg = (b - 2 * g) / square;
    double x = turn[0], y = turn[1], z = turn[2];
    double skew[9] = {0, -z, y, z, 0, -x, -y, x, 0};
    static const double generators[3][9] = {
        {0, 0, 0, 0, 0, -1, 0, 1, 0}, {0, 0, 1, 0, 0, 0, -1, 0, 0}, {0, -1, 0, 1, 0, 0, 0, 0, 0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = (i == j ? c : 0) + b * skew[3 * i + j] + g * turn[i] * turn[j];
            double radial = (i == j ? -b : 0) + db * skew[3 * i + j] + dg * turn[i] * turn[j];
            for (int k = 0; k < 3; k++)
                by[k][3 * i + j] = radial * turn[k] + b * generators[k][3 * i + j]
                                   + g * ((i == k ? turn[j] : 0) + (j == k ? turn[i] : 0));
        }
}

static int angle_of(int bone, int axis) /* which entry of theta turns this bone about x or y; -1 if none does */
{
    int finger = (bone - 2) / 4, joint = (bone - 2) % 4;
    if (bone < 2 || joint == 3 || (axis && joint))
        return -1;
    return 6 + 4 * finger + (joint ? joint + 1 : axis);
}

typedef struct {
    double *relative, *bent, *absolute, *transform, *by_x, *by_y;
    double turn[9], by_turn[3][9];
} Pose;

static Pose pose(const double *theta, int bones, const int *parents, const double *relatives, const double *inverses)
{
    double *room = malloc(6 * 12 * bones * sizeof(double));
    Pose p = {room, room + 12 * bones, room + 24 * bones, room + 36 * bones, room + 48 * bones, room + 60 * bones};
    for (int b = 0; b < bones; b++) {
        int flexion = angle_of(b, 0), abduction = angle_of(b, 1);
        bend(flexion < 0 ? 0 : theta[flexion], abduction < 0 ? 0 : theta[abduction], p.relative + 12 * b,
             p.by_x + 12 * b, p.by_y + 12 * b);
        compose(relatives + 12 * b, p.relative + 12 * b, 1, p.bent + 12 * b);
        if (parents[b] < 0)
            memcpy(p.absolute + 12 * b, p.bent + 12 * b, 12 * sizeof(double));
        else
            compose(p.absolute + 12 * parents[b], p.bent + 12 * b, 1, p.absolute + 12 * b);
        compose(p.absolute + 12 * b, inverses + 12 * b, 1, p.transform + 12 * b);
    }
    axis_angle(theta, p.turn, p.by_turn);
    return p;
}

static void blend(const Pose *p, int bones, int count, const double *at, const double *weights, int v, double *out)
{
    double blended[12] = {0};
    for (int b = 0; b < bones; b++)
        for (int i = 0; i < 12; i++)
            blended[i] += weights[b * count + v] * p->transform[12 * b + i];
    for (int i = 0; i < 3; i++)
        out[i] = blended[4 * i] * at[0] + blended[4 * i + 1] * at[1] + blended[4 * i + 2] * at[2] + blended[4 * i + 3];
}

void hand_by_hand_jacobian(const double *theta, int bones, const int *parents, const double *relatives,
                           const double *inverses, int count, const double *vertices, const double *weights, int n,
                           const int *matched, const double *points, double *errors, double *jacobian)
{
    Pose p = pose(theta, bones, parents, relatives, inverses);
    memset(jacobian, 0, 3 * 26 * n * sizeof(double));
    for (int q = 0; q < n; q++) {
        double at[3], *block = jacobian + 3 * 26 * q;
        blend(&p, bones, count, vertices + 3 * matched[q], weights, matched[q], at);
        for (int i = 0; i < 3; i++) {
            double sum = theta[3 + i];
            for (int j = 0; j < 3; j++) {
                sum += p.turn[3 * i + j] * at[j];
                for (int k = 0; k < 3; k++)
                    block[26 * i + k] -= p.by_turn[k][3 * i + j] * at[j];
            }
            errors[3 * q + i] = points[3 * q + i] - sum;
            block[26 * i + 3 + i] = -1;
        }
    }
    double *moves = malloc(24 * bones * sizeof(double)), *transforms = moves + 12 * bones, place[12];
    for (int bone = 2; bone < bones; bone++)
        for (int axis = 0; axis < 2; axis++) {
            int column = angle_of(bone, axis), end = bone + 4 - (bone - 2) % 4;
            if (column < 0)
                continue;
            compose(p.absolute + 12 * parents[bone], relatives + 12 * bone, 1, place);
            compose(place, (axis ? p.by_y : p.by_x) + 12 * bone, 0, moves + 12 * bone);
            for (int b = bone; b < end; b++) {
                if (b > bone)
                    compose(moves + 12 * parents[b], p.bent + 12 * b, 1, moves + 12 * b);
                compose(moves + 12 * b, inverses + 12 * b, 1, transforms + 12 * b);
            }
            for (int q = 0; q < n; q++) {
                const double *at = vertices + 3 * matched[q];
                double moved[3] = {0, 0, 0};
                for (int b = bone; b < end; b++) {
                    double weight = weights[b * count + matched[q]];
                    const double *t = transforms + 12 * b;
                    for (int i = 0; i < 3; i++)
                        moved[i] += weight * (t[4 * i] * at[0] + t[4 * i + 1] * at[1] + t[4 * i + 2] * at[2] + t[4 * i + 3]);
                }
                for (int i = 0; i < 3; i++)
                    jacobian[26 * (3 * q + i) + column] =
                        -(p.turn[3 * i] * moved[0] + p.turn[3 * i + 1] * moved[1] + p.turn[3 * i + 2] * moved[2]);
            }
        }
    free(moves);
    free(p.relative);
}

void hand_by_hand_vjp(const double *theta, int bones, const int *parents, const double *relatives,
                      const double *inverses, int count, const double *vertices, const double *weights, int n,
                      const int *matched, const double *points, double *errors, const double *seed, double *d_theta)
{
    Pose p = pose(theta, bones, parents, relatives, inverses);
    double *d_transform = calloc(24 * bones, sizeof(double)), *d_absolute = d_transform + 12 * bones;
    memset(d_theta, 0, 26 * sizeof(double));
    for (int q = 0; q < n; q++) {
        const double *from = vertices + 3 * matched[q];
        double at[3], back[3] = {0, 0, 0};
        blend(&p, bones, count, from, weights, matched[q], at);
        for (int i = 0; i < 3; i++) {
            double sum = theta[3 + i], d = -seed[3 * q + i];
            d_theta[3 + i] += d;
            for (int j = 0; j < 3; j++) {
                sum += p.turn[3 * i + j] * at[j];
                back[j] += p.turn[3 * i + j] * d;
                for (int k = 0; k < 3; k++)
                    d_theta[k] += p.by_turn[k][3 * i + j] * at[j] * d;
            }
            errors[3 * q + i] = points[3 * q + i] - sum;
        }
        for (int b = 0; b < bones; b++) {
            double weight = weights[b * count + matched[q]];
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                    d_transform[12 * b + 4 * i + j] += weight * back[i] * from[j];
                d_transform[12 * b + 4 * i + 3] += weight * back[i];
            }
        }
    }
    for (int b = bones - 1; b >= 0; b--) {
        double *d = d_absolute + 12 * b, place[12];
        for (int i = 0; i < 3; i++) {
            const double *dt = d_transform + 12 * b + 4 * i, *inverse = inverses + 12 * b;
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++)
                    d[4 * i + j] += dt[k] * inverse[4 * j + k];
            d[4 * i + 3] += dt[3];
        }
        if (parents[b] < 0)
            continue;
        double *d_parent = d_absolute + 12 * parents[b];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 4; k++)
                    d_parent[4 * i + j] += d[4 * i + k] * p.bent[12 * b + 4 * j + k];
            d_parent[4 * i + 3] += d[4 * i + 3];
        }
        compose(p.absolute + 12 * parents[b], relatives + 12 * b, 1, place);
        for (int axis = 0; axis < 2; axis++) {
            int column = angle_of(b, axis);
            if (column < 0)
                continue;
            double move[12], sum = 0;
            compose(place, (axis ? p.by_y : p.by_x) + 12 * b, 0, move);
            for (int i = 0; i < 12; i++)
                sum += i % 4 == 3 ? 0 : d[i] * move[i];
            d_theta[column] = sum;
        }
    }
    free(d_transform);
    free(p.relative);
}
