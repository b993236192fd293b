/* The likelihood of observations under a hidden Markov model, rescaled at each step. */
#include <math.h>

double hidden_markov(const double *move, const double *emit, const int *seen, int states, int symbols, int steps)
{
    double alpha[states], next[states], likelihood = 0;
    for (int i = 0; i < states; i++)
        alpha[i] = 1.0 / states;
    for (int t = 0; t < steps; t++) {
        double total = 0;
        for (int i = 0; i < states; i++) {
            double sum = 0;
            for (int j = 0; j < states; j++)
                sum += alpha[j] * exp(move[j * states + i]);
            next[i] = sum * exp(emit[i * symbols + seen[t]]);
            total += next[i];
        }
        for (int i = 0; i < states; i++)
            alpha[i] = next[i] / total;
        likelihood += log(total);
    }
    return likelihood;
}
