/* A blur in two passes, with pixels beyond the edge taken from the edge. */
#define CLAMP(i, n) ((i) < 0 ? 0 : (i) >= (n) ? (n) - 1 : (i))

void image_blur(const double *image, int height, int width, const double *kernel, int radius, double *out)
{
    double rows[height][width];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int k = -radius; k <= radius; k++)
                sum += kernel[k + radius] * image[y * width + CLAMP(x + k, width)];
            rows[y][x] = sum;
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            double sum = 0;
            for (int k = -radius; k <= radius; k++)
                sum += kernel[k + radius] * rows[CLAMP(y + k, height)][x];
            out[y * width + x] = sum;
        }
}
