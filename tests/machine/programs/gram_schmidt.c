/* An orthonormal basis in place, rows of a two-dimensional array. */
#include <math.h>

void gram_schmidt(double (*a)[4], int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            double dot = 0;
            for (int k = 0; k < 4; k++)
                dot += a[i][k] * a[j][k];
            for (int k = 0; k < 4; k++)
                a[i][k] -= dot * a[j][k];
        }
        double norm = 0;
        for (int k = 0; k < 4; k++)
            norm += a[i][k] * a[i][k];
        norm = sqrt(norm);
        for (int k = 0; k < 4; k++)
            a[i][k] /= norm;
    }
}
