/* The whole Jacobian of ba.c's objective, as blocks[p][15][2], from derivatives that are in a library: both rows of an
 * observation's error in one reverse sweep of two directions, whose numbers lie side by side. */
void ba_rows(const double *camera, double *d_camera, const double *point, double *d_point, const double *weight,
             double *d_weight, const double *feature, double *error, double *d_error);
void ba_weight_row(const double *weight, double *d_weight, double *error, double *d_error);

void ba_shipped(int n, int m, int p, const double *cameras, const double *points, const double *weights,
                const int *observed, const double *features, double *errors, double *weight_errors, double *blocks,
                double *weight_blocks)
{
    for (int i = 0; i < p; i++) {
        double *block = blocks + 30 * i, seeds[4] = {1, 0, 0, 1};
        for (int j = 0; j < 30; j++)
            block[j] = 0;
        ba_rows(cameras + 11 * observed[2 * i], block, points + 3 * observed[2 * i + 1], block + 22, weights + i,
                block + 28, features + 2 * i, errors + 2 * i, seeds);
    }
    for (int i = 0; i < p; i++) {
        double seed = 1;
        weight_blocks[i] = 0;
        ba_weight_row(weights + i, weight_blocks + i, weight_errors + i, &seed);
    }
}
