/* The gradient of lstm.c's loss by its parameters, written by hand: backpropagation through time, keeping of each
 * step the gates and the cell's tanh of each layer, from which everything else follows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORGET, IN, OUT, CHANGE, CELL, TANH, HIDDEN, KEPT };

static double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

void lstm_by_hand(int l, int c, int b, const double *main, const double *extra, double *state, const double *sequence,
                  double *loss, double *d_main, double *d_extra)
{
    int layer_size = KEPT * b, step_size = l * layer_size + 1, steps = c - 1;
    /* One step more than there are, for the state before the first. */
    double *tape = malloc((size_t)(steps + 1) * step_size * sizeof(double)), *kept = tape + step_size;
    double *input = malloc(b * sizeof(double)), *d_state = calloc(2 * l * b, sizeof(double));
    double total = 0;
    for (int layer = 0; layer < l; layer++) {
        memcpy(tape + layer * layer_size + HIDDEN * b, state + 2 * b * layer, b * sizeof(double));
        memcpy(tape + layer * layer_size + CELL * b, state + 2 * b * layer + b, b * sizeof(double));
    }

    for (int t = 0; t < steps; t++, kept += step_size) {
        const double *now = sequence + t * b, *next = now + b, *below = input;
        for (int i = 0; i < b; i++)
            input[i] = now[i] * extra[i];
        for (int layer = 0; layer < l; layer++) {
            const double *weight = main + 8 * b * layer, *bias = weight + 4 * b;
            double *k = kept + layer * layer_size;
            const double *before = k - step_size;
            for (int i = 0; i < b; i++) {
                double hidden = before[HIDDEN * b + i], cell = before[CELL * b + i];
                double forget = k[FORGET * b + i] = sigmoid(below[i] * weight[i] + bias[i]);
                double in = k[IN * b + i] = sigmoid(hidden * weight[b + i] + bias[b + i]);
                double out = k[OUT * b + i] = sigmoid(below[i] * weight[2 * b + i] + bias[2 * b + i]);
                double change = k[CHANGE * b + i] = tanh(hidden * weight[3 * b + i] + bias[3 * b + i]);
                cell = k[CELL * b + i] = cell * forget + in * change;
                double squashed = k[TANH * b + i] = tanh(cell);
                k[HIDDEN * b + i] = out * squashed;
            }
            below = k + HIDDEN * b;
        }
        double sum = 2, gold = 0;
        for (int i = 0; i < b; i++) {
            double prediction = below[i] * extra[b + i] + extra[2 * b + i];
            sum += exp(prediction);
            total += next[i] * prediction;
            gold += next[i];
        }
        total -= gold * log(sum);
        kept[l * layer_size] = gold / sum;
    }
    *loss = -total / (steps * b);
    for (int layer = 0; layer < l; layer++) {
        memcpy(state + 2 * b * layer, kept - step_size + layer * layer_size + HIDDEN * b, b * sizeof(double));
        memcpy(state + 2 * b * layer + b, kept - step_size + layer * layer_size + CELL * b, b * sizeof(double));
    }

    memset(d_main, 0, 8 * l * b * sizeof(double));
    memset(d_extra, 0, 3 * b * sizeof(double));
    double seed = -1.0 / (steps * b);
    for (int t = steps - 1; t >= 0; t--) {
        kept -= step_size;
        const double *now = sequence + t * b, *next = now + b, *top = kept + (l - 1) * layer_size + HIDDEN * b;
        double *d_top = d_state + 2 * b * (l - 1);
        for (int i = 0; i < b; i++) {
            double prediction = top[i] * extra[b + i] + extra[2 * b + i];
            double d = seed * (next[i] - kept[l * layer_size] * exp(prediction));
            d_extra[b + i] += d * top[i];
            d_extra[2 * b + i] += d;
            d_top[i] += d * extra[b + i];
        }
        for (int layer = l - 1; layer >= 0; layer--) {
            const double *weight = main + 8 * b * layer, *k = kept + layer * layer_size, *before = k - step_size;
            const double *below = layer ? k - layer_size + HIDDEN * b : now;
            double *d_weight = d_main + 8 * b * layer, *d_bias = d_weight + 4 * b;
            double *d_hidden = d_state + 2 * b * layer, *d_cell = d_hidden + b, *d_below = layer ? d_hidden - 2 * b : 0;
            for (int i = 0; i < b; i++) {
                double forget = k[FORGET * b + i], in = k[IN * b + i], out = k[OUT * b + i];
                double change = k[CHANGE * b + i], squashed = k[TANH * b + i];
                double dh = d_hidden[i], dc = d_cell[i] + dh * out * (1 - squashed * squashed);
                double d_forget = dc * before[CELL * b + i] * forget * (1 - forget);
                double d_in = dc * change * in * (1 - in);
                double d_out = dh * squashed * out * (1 - out);
                double d_change = dc * in * (1 - change * change);
                double hidden = before[HIDDEN * b + i], x = layer ? below[i] : now[i] * extra[i];
                d_weight[i] += d_forget * x;
                d_weight[b + i] += d_in * hidden;
                d_weight[2 * b + i] += d_out * x;
                d_weight[3 * b + i] += d_change * hidden;
                d_bias[i] += d_forget;
                d_bias[b + i] += d_in;
                d_bias[2 * b + i] += d_out;
                d_bias[3 * b + i] += d_change;
                d_cell[i] = dc * forget;
                d_hidden[i] = d_in * weight[b + i] + d_change * weight[3 * b + i];
                double dx = d_forget * weight[i] + d_out * weight[2 * b + i];
                if (layer)
                    d_below[i] += dx;
                else
                    d_extra[i] += dx * now[i];
            }
        }
    }
    free(tape);
    free(input);
    free(d_state);
}
