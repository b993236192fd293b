/* exp(A) by scaling, Taylor's series and squaring, with scratch on the heap. */
#include <stdlib.h>
#include <string.h>

static void multiply(int n, const double *a, const double *b, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            out[i * n + j] = sum;
        }
}

void matrix_exponential(const double *a, double *out, int n)
{
    size_t bytes = n * n * sizeof(double);
    double *scaled = malloc(bytes), *term = malloc(bytes), *product = malloc(bytes);
    for (int i = 0; i < n * n; i++) {
        scaled[i] = a[i] / 8;
        out[i] = term[i] = i % (n + 1) == 0;
    }
    for (int order = 1; order <= 8; order++) {
        multiply(n, term, scaled, product);
        for (int i = 0; i < n * n; i++) {
            term[i] = product[i] / order;
            out[i] += term[i];
        }
    }
    for (int i = 0; i < 3; i++) {
        multiply(n, out, out, product);
        memcpy(out, product, bytes);
    }
    free(scaled);
    free(term);
    free(product);
}
