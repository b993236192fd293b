/* The whole Jacobian of ba.c's objective, as blocks[p][2][15], from the derivative of one observation's error: both of
 * its rows in one reverse sweep. The derivative is declared here and made by gradir. */
void ba_reprojection_rows(const double *camera, double *d_camera_0, double *d_camera_1, const double *point,
                          double *d_point_0, double *d_point_1, const double *weight, double *d_weight_0,
                          double *d_weight_1, const double *feature, double *error, double *seed_0, double *seed_1);
void ba_weight_row(const double *weight, double *d_weight, double *error, double *seed);

void ba_jacobian(int n, int m, int p, const double *cameras, const double *points, const double *weights,
                 const int *observed, const double *features, double *errors, double *weight_errors, double *blocks,
                 double *weight_blocks)
{
    for (int i = 0; i < p; i++) {
        double *row_0 = blocks + 30 * i, *row_1 = row_0 + 15, seed_0[2] = {1, 0}, seed_1[2] = {0, 1};
        for (int j = 0; j < 30; j++)
            row_0[j] = 0;
        ba_reprojection_rows(cameras + 11 * observed[2 * i], row_0, row_1, points + 3 * observed[2 * i + 1], row_0 + 11,
                             row_1 + 11, weights + i, row_0 + 14, row_1 + 14, features + 2 * i, errors + 2 * i, seed_0,
                             seed_1);
    }
    for (int i = 0; i < p; i++) {
        double seed = 1;
        weight_blocks[i] = 0;
        ba_weight_row(weights + i, weight_blocks + i, weight_errors + i, &seed);
    }
}
