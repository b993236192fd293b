/* Bundle adjustment: the errors of p observations of m points by n cameras, each with a weight of its own.
 *
 *   cameras  [n][11]   rotation (axis times angle) 3, centre 3, focal length 1, principal point 2, radial distortion 2
 *   points   [m][3]
 *   weights  [p]
 *   observed [p][2]    which camera saw which point
 *   features [p][2]    and where
 *   errors   [p][2]    weighted distances to where the point is projected
 *   weight_errors [p]  one minus the weight's square
 */
#include <math.h>

void cross(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* Rodrigues' formula. */
void rotate(const double *rotation, const double *point, double *out)
{
    double square = rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2];
    double turned[3];
    if (square != 0) {
        double angle = sqrt(square), c = cos(angle), s = sin(angle), inverse = 1.0 / angle;
        double axis[3] = {rotation[0] * inverse, rotation[1] * inverse, rotation[2] * inverse};
        cross(axis, point, turned);
        double along = (axis[0] * point[0] + axis[1] * point[1] + axis[2] * point[2]) * (1 - c);
        for (int i = 0; i < 3; i++)
            out[i] = point[i] * c + turned[i] * s + axis[i] * along;
    } else {
        cross(rotation, point, turned);
        for (int i = 0; i < 3; i++)
            out[i] = point[i] + turned[i];
    }
}

void project(const double *camera, const double *point, double *out)
{
    const double *centre = camera + 3, *principal = camera + 7, *radial = camera + 9;
    double moved[3] = {point[0] - centre[0], point[1] - centre[1], point[2] - centre[2]}, seen[3];
    rotate(camera, moved, seen);
    double u = seen[0] / seen[2], v = seen[1] / seen[2];
    double square = u * u + v * v;
    double distortion = 1 + radial[0] * square + radial[1] * square * square;
    out[0] = u * distortion * camera[6] + principal[0];
    out[1] = v * distortion * camera[6] + principal[1];
}

void ba_reprojection_error(const double *camera, const double *point, const double *weight, const double *feature,
                           double *error)
{
    double projected[2];
    project(camera, point, projected);
    error[0] = *weight * (projected[0] - feature[0]);
    error[1] = *weight * (projected[1] - feature[1]);
}

void ba_weight_error(const double *weight, double *error)
{
    *error = 1 - *weight * *weight;
}

void ba_objective(int n, int m, int p, const double *cameras, const double *points, const double *weights,
                  const int *observed, const double *features, double *errors, double *weight_errors)
{
    for (int i = 0; i < p; i++) {
        int camera = observed[2 * i], point = observed[2 * i + 1];
        ba_reprojection_error(cameras + 11 * camera, points + 3 * point, weights + i, features + 2 * i, errors + 2 * i);
    }
    for (int i = 0; i < p; i++)
        ba_weight_error(weights + i, weight_errors + i);
}
