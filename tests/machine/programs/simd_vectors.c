/* Vectors of four doubles, as clang and gcc have them. */
#include <string.h>

typedef double Four __attribute__((vector_size(32)));

double simd_vectors(const double *x, const double *y, int n)
{
    Four sum = {0, 0, 0, 0}, scale = {1, 0.5, -1, 2};
    for (int i = 0; i + 4 <= n; i += 4) {
        Four a, b;
        memcpy(&a, x + i, sizeof a);
        memcpy(&b, y + i, sizeof b);
        sum += a * b * scale - a / (b * b + 1);
        sum[i / 4] *= a[0];
    }
    return sum[0] + sum[1] * sum[2] - sum[3];
}
