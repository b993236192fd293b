/* A transformer in plain C: all parameters in one block with pointers into it, activations in another, layers as functions
   on arrays, a loss by cross entropy of the next token. The numbers scale parts of the parameters. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int length, vocabulary, layers, heads, channels;
} Config;

enum { EMBEDDING, POSITION, NORM1_W, NORM1_B, QKV_W, QKV_B, OUT_W, OUT_B, NORM2_W, NORM2_B, UP_W, UP_B, DOWN_W, DOWN_B,
       NORM_W, NORM_B, TENSORS };

typedef struct {
    Config config;
    size_t sizes[TENSORS], count;
    double *parameters[TENSORS], *memory;
} Model;

typedef struct {
    double *encoded, *normed, *qkv, *attention, *weights, *projected, *residual, *hidden, *logits, *losses;
} Activations;

static uint64_t state;

static double uniform(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (double)((state * 0x2545F4914F6CDD1Du) >> 40) / (1 << 24) - 0.5;
}

static void sizes(Model *m)
{
    size_t v = m->config.vocabulary, c = m->config.channels, l = m->config.layers, t = m->config.length;
    size_t found[TENSORS] = {v * c, t * c, l * c, l * c, l * 3 * c * c, l * 3 * c, l * c * c, l * c,
                             l * c, l * c, l * 4 * c * c, l * 4 * c, l * 4 * c * c, l * c, c, c};
    memcpy(m->sizes, found, sizeof found);
    m->count = 0;
    for (int i = 0; i < TENSORS; i++) m->count += found[i];
}

static void build(Model *m, Config config, const double *x, int n)
{
    m->config = config;
    sizes(m);
    m->memory = malloc(m->count * sizeof *m->memory);
    double *at = m->memory;
    state = 12345;
    for (int i = 0; i < TENSORS; i++) {
        m->parameters[i] = at;
        int is_scale = i == NORM1_W || i == NORM2_W || i == NORM_W;
        for (size_t k = 0; k < m->sizes[i]; k++) at[k] = (is_scale ? 1 : 0) + x[(i + k) % n] * uniform();
        at += m->sizes[i];
    }
}

static void encode(double *out, const int *tokens, const double *embedding, const double *position, int t, int c)
{
    for (int i = 0; i < t; i++)
        for (int k = 0; k < c; k++) out[i * c + k] = embedding[tokens[i] * c + k] + position[i * c + k];
}

static void layernorm(double *out, const double *in, const double *weight, const double *bias, int t, int c)
{
    for (int i = 0; i < t; i++) {
        const double *row = in + i * c;
        double mean = 0, variance = 0;
        for (int k = 0; k < c; k++) mean += row[k];
        mean /= c;
        for (int k = 0; k < c; k++) variance += (row[k] - mean) * (row[k] - mean);
        double scale = 1 / sqrt(variance / c + 1e-5);
        for (int k = 0; k < c; k++) out[i * c + k] = (row[k] - mean) * scale * weight[k] + bias[k];
    }
}

static void matmul(double *out, const double *in, const double *weight, const double *bias, int t, int c, int wide)
{
    for (int i = 0; i < t; i++)
        for (int o = 0; o < wide; o++) {
            double sum = bias ? bias[o] : 0;
            for (int k = 0; k < c; k++) sum += in[i * c + k] * weight[o * c + k];
            out[i * wide + o] = sum;
        }
}

/* Each position looks at itself and those before. */
static void attend(double *out, double *weights, const double *qkv, int t, int c, int heads)
{
    int size = c / heads;
    double scale = 1 / sqrt(size);
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < t; i++) {
            const double *query = qkv + i * 3 * c + h * size;
            double *row = weights + (h * t + i) * t, most = -1e30, sum = 0;
            for (int j = 0; j <= i; j++) {
                const double *key = qkv + j * 3 * c + h * size + c;
                double dot = 0;
                for (int k = 0; k < size; k++) dot += query[k] * key[k];
                row[j] = dot * scale;
                if (row[j] > most) most = row[j];
            }
            for (int j = 0; j <= i; j++) sum += row[j] = exp(row[j] - most);
            for (int j = 0; j < t; j++) row[j] = j <= i ? row[j] / sum : 0;
            double *to = out + i * c + h * size;
            memset(to, 0, size * sizeof *to);
            for (int j = 0; j <= i; j++) {
                const double *value = qkv + j * 3 * c + h * size + 2 * c;
                for (int k = 0; k < size; k++) to[k] += row[j] * value[k];
            }
        }
}

static void gelu(double *x, int count)
{
    for (int i = 0; i < count; i++) x[i] *= 0.5 * (1 + tanh(0.7978845608028654 * (x[i] + 0.044715 * x[i] * x[i] * x[i])));
}

static void add(double *to, const double *from, int count)
{
    for (int i = 0; i < count; i++) to[i] += from[i];
}

static void losses(double *out, const double *logits, const int *targets, int t, int v)
{
    for (int i = 0; i < t; i++) {
        const double *row = logits + i * v;
        double most = row[0], sum = 0;
        for (int k = 1; k < v; k++) most = row[k] > most ? row[k] : most;
        for (int k = 0; k < v; k++) sum += exp(row[k] - most);
        out[i] = log(sum) + most - row[targets[i]];
    }
}

static double *carve(double **at, size_t count)
{
    double *part = *at;
    *at += count;
    return part;
}

static double forward(const Model *m, const int *tokens, const int *targets)
{
    int t = m->config.length, c = m->config.channels, v = m->config.vocabulary, heads = m->config.heads;
    size_t room = (size_t)t * (11 * c + v + 1) + (size_t)heads * t * t;
    double *memory = malloc(room * sizeof *memory), *at = memory, mean = 0;
    Activations a;
    a.encoded = carve(&at, t * c), a.normed = carve(&at, t * c), a.qkv = carve(&at, 3 * t * c);
    a.attention = carve(&at, t * c), a.weights = carve(&at, heads * t * t), a.projected = carve(&at, t * c);
    a.hidden = carve(&at, 4 * t * c), a.logits = carve(&at, t * v), a.losses = carve(&at, t);
    a.residual = a.encoded;
    double *const *p = m->parameters;
    encode(a.encoded, tokens, p[EMBEDDING], p[POSITION], t, c);
    for (int l = 0; l < m->config.layers; l++) {
        layernorm(a.normed, a.residual, p[NORM1_W] + l * c, p[NORM1_B] + l * c, t, c);
        matmul(a.qkv, a.normed, p[QKV_W] + l * 3 * c * c, p[QKV_B] + l * 3 * c, t, c, 3 * c);
        attend(a.attention, a.weights, a.qkv, t, c, heads);
        matmul(a.projected, a.attention, p[OUT_W] + l * c * c, p[OUT_B] + l * c, t, c, c);
        add(a.residual, a.projected, t * c);
        layernorm(a.normed, a.residual, p[NORM2_W] + l * c, p[NORM2_B] + l * c, t, c);
        matmul(a.hidden, a.normed, p[UP_W] + l * 4 * c * c, p[UP_B] + l * 4 * c, t, c, 4 * c);
        gelu(a.hidden, 4 * t * c);
        matmul(a.projected, a.hidden, p[DOWN_W] + l * 4 * c * c, p[DOWN_B] + l * c, t, 4 * c, c);
        add(a.residual, a.projected, t * c);
    }
    layernorm(a.normed, a.residual, p[NORM_W], p[NORM_B], t, c);
    matmul(a.logits, a.normed, p[EMBEDDING], NULL, t, c, v);
    losses(a.losses, a.logits, targets, t, v);
    for (int i = 0; i < t; i++) mean += a.losses[i] / t;
    free(memory);
    return mean;
}

/* Text to tokens: letters, spaces, all the rest. */
static int token(char letter) { return letter >= 'a' && letter <= 'z' ? letter - 'a' : letter == ' ' ? 26 : 27; }

/* What training adds to the loss: large weights cost, gains and shifts do not. */
static double decay(const Model *m, double rate)
{
    static const int matrices[] = {EMBEDDING, QKV_W, OUT_W, UP_W, DOWN_W};
    int c = m->config.channels, l = m->config.layers, sizes[] = {m->config.vocabulary * c, 3 * l * c * c, l * c * c,
                                                                 4 * l * c * c, 4 * l * c * c};
    double sum = 0;
    for (int k = 0; k < 5; k++)
        for (int i = 0; i < sizes[k]; i++) sum += m->parameters[matrices[k]][i] * m->parameters[matrices[k]][i];
    return 0.5 * rate * sum;
}

double network(const double *x, int n)
{
    static const char text[] = "to be or not to be";
    Model model;
    Config config = {8, 28, 2, 2, 8};
    int tokens[8], targets[8];
    double sum = 0;
    build(&model, config, x, n);
    for (int batch = 0; batch < 2; batch++) {
        for (int i = 0; i < config.length; i++) {
            tokens[i] = token(text[batch * config.length + i]);
            targets[i] = token(text[batch * config.length + i + 1]);
        }
        sum += forward(&model, tokens, targets);
    }
    sum += decay(&model, 0.01);
    free(model.memory);
    return sum;
}
