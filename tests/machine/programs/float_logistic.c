/* Logistic regression in single precision. */
#include <math.h>

float float_logistic(const float *weights, const float *x, const int *labels, int n, int d)
{
    float loss = 0;
    for (int i = 0; i < n; i++) {
        float z = weights[d];
        for (int j = 0; j < d; j++)
            z += weights[j] * x[i * d + j];
        loss += logf(1 + expf(labels[i] ? -z : z));
    }
    return loss / n;
}
