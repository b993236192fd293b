/* A convolution of images with channels and strides: six nested loops. */
void convolution(const double *image, const double *kernel, double *out, int channels, int height, int width,
                 int filters, int size, int stride)
{
    int rows = (height - size) / stride + 1, columns = (width - size) / stride + 1;
    for (int f = 0; f < filters; f++)
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < columns; x++) {
                double sum = 0;
                for (int c = 0; c < channels; c++)
                    for (int i = 0; i < size; i++)
                        for (int j = 0; j < size; j++)
                            sum += image[(c * height + y * stride + i) * width + x * stride + j]
                                   * kernel[((f * channels + c) * size + i) * size + j];
                out[(f * rows + y) * columns + x] = sum > 0 ? sum : 0.1 * sum;
            }
}
