/* The loss of a character model: l layers of b diagonal LSTM cells over a sequence of c characters of b bits.
 *
 *   main     [l][2][4][b]  of each layer the weights, then the biases, of its gates: forget, in, out, change
 *   extra    [3][b]        weights of the input; weights and biases of the prediction
 *   state    [l][2][b]     of each layer the hidden state, then the cell; advanced in place
 *   sequence [c][b]
 */
#include <math.h>
#include <stdlib.h>

double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

void lstm_cell(int b, const double *weight, const double *bias, double *hidden, double *cell,
                      const double *input)
{
    for (int i = 0; i < b; i++) {
        double forget = sigmoid(input[i] * weight[i] + bias[i]);
        double in = sigmoid(hidden[i] * weight[b + i] + bias[b + i]);
        double out = sigmoid(input[i] * weight[2 * b + i] + bias[2 * b + i]);
        double change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
        cell[i] = cell[i] * forget + in * change;
        hidden[i] = out * tanh(cell[i]);
    }
}

void lstm_predict(int l, int b, const double *main, const double *extra, double *state, const double *input,
                         double *output)
{
    for (int i = 0; i < b; i++)
        output[i] = input[i] * extra[i];
    const double *below = output;
    for (int layer = 0; layer < l; layer++) {
        const double *weight = main + 8 * b * layer;
        double *hidden = state + 2 * b * layer;
        lstm_cell(b, weight, weight + 4 * b, hidden, hidden + b, below);
        below = hidden;
    }
    for (int i = 0; i < b; i++)
        output[i] = below[i] * extra[b + i] + extra[2 * b + i];
}

/* log(2 + sum(exp(v))) */
double log_sum_exp(int n, const double *v)
{
    double sum = 2;
    for (int i = 0; i < n; i++)
        sum += exp(v[i]);
    return log(sum);
}

void lstm_objective(int l, int c, int b, const double *main, const double *extra, double *state,
                    const double *sequence, double *loss)
{
    double total = 0;
    double *prediction = malloc(b * sizeof(double));
    for (int t = 0; t < c - 1; t++) {
        const double *now = sequence + t * b, *next = now + b;
        lstm_predict(l, b, main, extra, state, now, prediction);
        double normaliser = log_sum_exp(b, prediction);
        for (int i = 0; i < b; i++)
            total += next[i] * (prediction[i] - normaliser);
    }
    free(prediction);
    *loss = -total / ((c - 1) * b);
}
