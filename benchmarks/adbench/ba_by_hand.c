/* The Jacobian of ba.c's objective, written by hand.
 *
 *   blocks         [p][2][15]  of each observation's error: by its camera 11, its point 3, its weight 1
 *   weight_blocks  [p]
 */
#include <math.h>

/* out = R p, by_point = R and by_rotation[i][j] = d out[i] / d r[j], for R = a I + b [r]x + g r r'. */
static void rotate(const double *r, const double *p, double *out, double by_point[3][3], double by_rotation[3][3])
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double a = 1, b = 1, g = 0.5, da = -1, db = 0, dg = 0; /* da, db, dg: derivatives by half the square */
    if (square != 0) {
        double angle = sqrt(square), inverse = 1 / square;
        a = cos(angle);
        b = sin(angle) / angle;
        g = (1 - a) * inverse;
        da = -b;
        db = (a - b) * inverse;
        dg = (b - 2 * g) * inverse;
    } else { /* as the primal has it: the first order only */
        g = 0;
        da = 0;
    }
    double along = r[0] * p[0] + r[1] * p[1] + r[2] * p[2];
    double turned[3] = {r[1] * p[2] - r[2] * p[1], r[2] * p[0] - r[0] * p[2], r[0] * p[1] - r[1] * p[0]};
    double turn[3][3] = {{0, -r[2], r[1]}, {r[2], 0, -r[0]}, {-r[1], r[0], 0}};
    double by_turn[3][3] = {{0, p[2], -p[1]}, {-p[2], 0, p[0]}, {p[1], -p[0], 0}};
    for (int i = 0; i < 3; i++) {
        out[i] = a * p[i] + b * turned[i] + g * along * r[i];
        double radial = da * p[i] + db * turned[i] + dg * along * r[i];
        for (int j = 0; j < 3; j++) {
            by_point[i][j] = b * turn[i][j] + g * r[i] * r[j];
            by_rotation[i][j] = radial * r[j] + b * by_turn[i][j] + g * p[j] * r[i];
        }
        by_point[i][i] += a;
        by_rotation[i][i] += g * along;
    }
}

static void reprojection_block(const double *camera, const double *point, double weight, const double *feature,
                               double *error, double *block)
{
    const double *centre = camera + 3, *principal = camera + 7, *radial = camera + 9;
    double moved[3] = {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]};
    double seen[3], by_point[3][3], by_rotation[3][3];
    rotate(camera, moved, seen, by_point, by_rotation);
    double depth = 1 / seen[2], u = seen[0] * depth, v = seen[1] * depth;
    double square = u * u + v * v, focal = camera[6];
    double distortion = 1 + radial[0] * square + radial[1] * square * square;
    double slope = 2 * (radial[0] + 2 * radial[1] * square);
    double plane[2] = {u, v};
    for (int k = 0; k < 2; k++) {
        double *row = block + 15 * k, scale = weight * focal;
        double by_u = scale * (plane[k] * slope * u + (k == 0 ? distortion : 0));
        double by_v = scale * (plane[k] * slope * v + (k == 1 ? distortion : 0));
        double by_seen[3] = {by_u * depth, by_v * depth, -(by_u * u + by_v * v) * depth};
        for (int j = 0; j < 3; j++) {
            row[j] = by_seen[0] * by_rotation[0][j] + by_seen[1] * by_rotation[1][j] + by_seen[2] * by_rotation[2][j];
            double by = by_seen[0] * by_point[0][j] + by_seen[1] * by_point[1][j] + by_seen[2] * by_point[2][j];
            row[3 + j] = -by;
            row[11 + j] = by;
        }
        row[6] = weight * plane[k] * distortion;
        row[7] = k == 0 ? weight : 0;
        row[8] = k == 1 ? weight : 0;
        row[9] = scale * plane[k] * square;
        row[10] = scale * plane[k] * square * square;
        row[14] = plane[k] * distortion * focal + principal[k] - feature[k];
        error[k] = weight * row[14];
    }
}

void ba_by_hand(int n, int m, int p, const double *cameras, const double *points, const double *weights,
                const int *observed, const double *features, double *errors, double *weight_errors, double *blocks,
                double *weight_blocks)
{
    for (int i = 0; i < p; i++) {
        int camera = observed[2 * i], point = observed[2 * i + 1];
        reprojection_block(cameras + 11 * camera, points + 3 * point, weights[i], features + 2 * i, errors + 2 * i,
                           blocks + 30 * i);
    }
    for (int i = 0; i < p; i++) {
        weight_errors[i] = 1 - weights[i] * weights[i];
        weight_blocks[i] = -2 * weights[i];
    }
}
