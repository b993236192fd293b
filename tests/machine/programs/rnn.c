/* A recurrent network, its state overwritten at each step. */
#include <math.h>

double rnn(const double *weights, const double *inputs, int hidden, int steps)
{
    double state[hidden], next[hidden], loss = 0;
    for (int i = 0; i < hidden; i++)
        state[i] = 0;
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < hidden; i++) {
            double sum = inputs[t];
            for (int j = 0; j < hidden; j++)
                sum += weights[i * hidden + j] * state[j];
            next[i] = tanh(sum);
        }
        for (int i = 0; i < hidden; i++)
            state[i] = next[i];
        double miss = state[0] - inputs[t + 1];
        loss += miss * miss;
    }
    return loss;
}
