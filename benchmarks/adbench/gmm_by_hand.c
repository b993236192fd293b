/* The gradient of gmm.c's objective, written by hand: for each point, the responsibilities of the components weigh
 * the gradients of their terms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The softmax of v in place; gives log(sum(exp(v))). */
static double softmax(int n, double *v)
{
    double largest = v[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (v[i] > largest)
            largest = v[i];
    for (int i = 0; i < n; i++)
        sum += v[i] = exp(v[i] - largest);
    for (int i = 0; i < n; i++)
        v[i] /= sum;
    return largest + log(sum);
}

void gmm_by_hand(int d, int k, int n, const double *alphas, const double *means, const double *icf, const double *x,
                 double gamma, int m, double *err, double *d_alphas, double *d_means, double *d_icf)
{
    int size = d * (d + 1) / 2, freedom = d + m + 1;
    double *diagonals = malloc(k * d * sizeof(double));
    double *log_dets = malloc(k * sizeof(double));
    double *centred = malloc(k * d * sizeof(double));
    double *whitened = malloc(k * d * sizeof(double));
    double *terms = malloc(k * sizeof(double));
    memset(d_alphas, 0, k * sizeof(double));
    memset(d_means, 0, k * d * sizeof(double));
    memset(d_icf, 0, k * size * sizeof(double));

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
            const double *diagonal = diagonals + j * d, *lower = icf + j * size + d;
            double *c = centred + j * d, *w = whitened + j * d;
            for (int i = 0; i < d; i++) {
                c[i] = x[p * d + i] - means[j * d + i];
                w[i] = diagonal[i] * c[i];
            }
            for (int i = 0; i < d; i++) {
                for (int r = i + 1; r < d; r++)
                    w[r] += lower[r - i - 1] * c[i];
                lower += d - i - 1;
            }
            double norm = 0;
            for (int i = 0; i < d; i++)
                norm += w[i] * w[i];
            terms[j] = alphas[j] + log_dets[j] - 0.5 * norm;
        }
        likelihood += softmax(k, terms);

        for (int j = 0; j < k; j++) {
            double weight = terms[j];
            const double *diagonal = diagonals + j * d, *lower = icf + j * size + d;
            const double *c = centred + j * d, *w = whitened + j * d;
            double *d_diagonal = d_icf + j * size, *d_lower = d_icf + j * size + d;
            d_alphas[j] += weight;
            for (int i = 0; i < d; i++) {
                double back = diagonal[i] * w[i], scale = weight * c[i];
                for (int r = i + 1; r < d; r++) {
                    back += lower[r - i - 1] * w[r];
                    d_lower[r - i - 1] -= scale * w[r];
                }
                lower += d - i - 1;
                d_lower += d - i - 1;
                d_means[j * d + i] += weight * back;
                d_diagonal[i] += weight * (1 - w[i] * diagonal[i] * c[i]);
            }
        }
    }

    double constant = freedom * d * (log(gamma) - 0.5 * log(2.0)) - 0.25 * d * (d - 1) * log(3.14159265358979323846);
    for (int i = 1; i <= d; i++)
        constant -= lgamma(0.5 * freedom + 0.5 * (1 - i));
    double prior = -k * constant;
    for (int j = 0; j < k; j++) {
        double frobenius = 0;
        for (int i = 0; i < d; i++) {
            double q = diagonals[j * d + i];
            frobenius += q * q;
            d_icf[j * size + i] += gamma * gamma * q * q - m;
        }
        for (int i = d; i < size; i++) {
            double l = icf[j * size + i];
            frobenius += l * l;
            d_icf[j * size + i] += gamma * gamma * l;
        }
        prior += 0.5 * gamma * gamma * frobenius - m * log_dets[j];
    }

    memcpy(terms, alphas, k * sizeof(double));
    double normaliser = softmax(k, terms);
    for (int j = 0; j < k; j++)
        d_alphas[j] -= n * terms[j];
    *err = -n * d * 0.5 * log(2 * 3.14159265358979323846) + likelihood - n * normaliser + prior;

    free(diagonals);
    free(log_dets);
    free(centred);
    free(whitened);
    free(terms);
}
