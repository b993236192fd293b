// Memory that holds one type first, and then another: what was read there is gone when the reverse sweep comes back.
#include <alloca.h>
#include <cmath>
#include <cstdlib>
#include <new>
#include <variant>
#include <vector>

extern "C" double indices_first(const double *x, int n)
{
    void *block = std::malloc(n * sizeof(double));
    int *order = (int *)block;
    double *products = (double *)block, sum = 0;
    for (int i = 0; i < n; i++) order[i] = n - 1 - i;
    for (int i = 0; i < n; i++) sum += x[order[i]] * x[i] * (i + 1);
    for (int i = 0; i < n; i++) products[i] = x[i] * sum;
    for (int i = 0; i < n; i++) sum += products[i];
    std::free(block);
    return sum;
}

extern "C" double counts_first(const double *x, int n)
{
    void *block = std::malloc(n * sizeof(double));
    long *counts = (long *)block;
    double *products = (double *)block, sum = 0;
    for (int i = 0; i < n; i++) counts[i] = n - i;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * (double)counts[i];
    for (int i = 0; i < n; i++) products[i] = x[i] * sum;
    for (int i = 0; i < n; i++) sum += products[i];
    std::free(block);
    return sum;
}

extern "C" double singles_first(const double *x, int n)
{
    void *block = std::malloc(n * sizeof(double));
    float *weights = (float *)block;
    double *products = (double *)block, sum = 0;
    for (int i = 0; i < n; i++) weights[i] = n - i;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * weights[i];
    for (int i = 0; i < n; i++) products[i] = x[i] * sum;
    for (int i = 0; i < n; i++) sum += products[i];
    std::free(block);
    return sum;
}

extern "C" double pointers_first(const double *x, int n)
{
    void *block = std::malloc(n * sizeof(double));
    const double **to = (const double **)block;
    double *products = (double *)block, sum = 0;
    for (int i = 0; i < n; i++) to[i] = x + (n - 1 - i);
    for (int i = 0; i < n; i++) sum += *to[i] * x[i] * (i + 1);
    for (int i = 0; i < n; i++) products[i] = x[i] * sum;
    for (int i = 0; i < n; i++) sum += products[i] * products[i];
    std::free(block);
    return sum;
}

// A frame of memory that is given out anew in every round.
struct Arena {
    char *bytes;
    size_t used;
    void *take(size_t n) { void *p = bytes + used; used += (n + 7) / 8 * 8; return p; }
};

struct Node { int count; double weight; };

static __attribute__((noinline)) double round(Arena &arena, const double *x, int n, int turn)
{
    double sum = 0;
    if (turn & 1) {
        double *first = (double *)arena.take(sizeof(double));
        *first = x[0] * turn;
        sum += *first * *first;
    }
    Node *nodes = (Node *)arena.take(n * sizeof(Node));
    for (int i = 0; i < n; i++) new (nodes + i) Node{i + turn, x[i] * x[(i + turn) % n]};
    for (int i = 0; i < n; i++) sum += nodes[i].count * nodes[i].weight * nodes[nodes[i].count % n].weight;
    return sum;
}

extern "C" double arena(const double *x, int n)
{
    Arena arena{(char *)std::malloc(4096), 0};
    double sum = 0;
    for (int turn = 0; turn < 5; turn++) {
        arena.used = 0;
        sum = 0.5 * sum + round(arena, x, n, turn);
    }
    std::free(arena.bytes);
    return sum;
}

extern "C" double reassigned(const double *x, int n)
{
    std::vector<std::variant<long, double>> all(n);
    double sum = 0;
    for (int i = 0; i < n; i++) all[i] = long(n - i);
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * std::get<long>(all[i]);
    for (int i = 0; i < n; i++) all[i] = x[i] * sum;
    for (auto &each : all) sum += std::get<double>(each);
    return sum;
}

// Not scratch, but memory nevertheless: a variable for each round of a loop, and one that is volatile.
extern "C" double on_the_stack(const double *x, int n)
{
    double *each[64], sum = 0;
    for (int i = 0; i < 40; i++) { each[i] = (double *)alloca(sizeof(double)); *each[i] = x[i % n] * x[i % n] * i; }
    for (int i = 0; i < 40; i++) sum += *each[i];
    return sum;
}

extern "C" double rounded(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        volatile double shifted = x[i] * i + 6755399441055744.0;
        double rest = x[i] * i - (shifted - 6755399441055744.0);
        sum += rest * rest;
    }
    return sum;
}

extern "C" double quotients(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int q;
        double rest = std::remquo(7.9 * x[i], x[(i + 1) % n], &q);
        sum += q * x[0] + rest * rest;
    }
    return sum;
}
