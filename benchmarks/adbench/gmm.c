/* The log-likelihood of n points under a mixture of k Gaussians in d dimensions, with a Wishart prior.
 *
 *   alphas [k]                     log-weights, not normalised
 *   means  [k][d]
 *   icf    [k][d + d(d-1)/2]       of each inverse covariance's factor: the logarithms of the diagonal,
 *                                  then the strict lower triangle by columns
 *   x      [n][d]
 */
#include <math.h>
#include <stdlib.h>

double square_norm(int n, const double *v)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i] * v[i];
    return sum;
}

double log_sum_exp(int n, const double *v)
{
    double largest = v[0];
    for (int i = 1; i < n; i++)
        if (v[i] > largest)
            largest = v[i];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(v[i] - largest);
    return largest + log(sum);
}

/* The logarithm of the multivariate gamma function. */
double log_multigamma(double a, int p)
{
    double sum = 0.25 * p * (p - 1) * log(3.14159265358979323846);
    for (int j = 1; j <= p; j++)
        sum += lgamma(a + 0.5 * (1 - j));
    return sum;
}

/* out = L v, where L has the given diagonal and, by columns, the given strict lower triangle. */
void times_lower(int d, const double *diagonal, const double *lower, const double *v, double *out)
{
    for (int i = 0; i < d; i++)
        out[i] = diagonal[i] * v[i];
    int at = 0;
    for (int i = 0; i < d; i++)
        for (int j = i + 1; j < d; j++, at++)
            out[j] += lower[at] * v[i];
}

double log_wishart_prior(int d, int k, double gamma, int m, const double *log_dets, const double *diagonals,
                                const double *icf)
{
    int size = d * (d + 1) / 2, freedom = d + m + 1;
    double constant = freedom * d * (log(gamma) - 0.5 * log(2.0)) - log_multigamma(0.5 * freedom, d);
    double sum = 0;
    for (int j = 0; j < k; j++) {
        double frobenius = square_norm(d, diagonals + j * d) + square_norm(size - d, icf + j * size + d);
        sum += 0.5 * gamma * gamma * frobenius - m * log_dets[j];
    }
    return sum - k * constant;
}

void gmm_objective(int d, int k, int n, const double *alphas, const double *means, const double *icf, const double *x,
                   double gamma, int m, double *err)
{
    int size = d * (d + 1) / 2;
    double *diagonals = malloc(k * d * sizeof(double));
    double *log_dets = malloc(k * sizeof(double));
    double *centred = malloc(d * sizeof(double));
    double *whitened = malloc(d * sizeof(double));
    double *terms = malloc(k * sizeof(double));

    for (int j = 0; j < k; j++) {
        log_dets[j] = 0;
        for (int i = 0; i < d; i++) {
            log_dets[j] += icf[j * size + i];
            diagonals[j * d + i] = exp(icf[j * size + i]);
        }
    }

    double likelihood = 0;
    for (int p = 0; p < n; p++) {
        for (int j = 0; j < k; j++) {
            for (int i = 0; i < d; i++)
                centred[i] = x[p * d + i] - means[j * d + i];
            times_lower(d, diagonals + j * d, icf + j * size + d, centred, whitened);
            terms[j] = alphas[j] + log_dets[j] - 0.5 * square_norm(d, whitened);
        }
        likelihood += log_sum_exp(k, terms);
    }

    double constant = -n * d * 0.5 * log(2 * 3.14159265358979323846);
    *err = constant + likelihood - n * log_sum_exp(k, alphas)
           + log_wishart_prior(d, k, gamma, m, log_dets, diagonals, icf);

    free(diagonals);
    free(log_dets);
    free(centred);
    free(whitened);
    free(terms);
}
