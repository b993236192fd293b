/* Sparse Cholesky: triplets, compressed columns, an elimination tree, symbolic and numeric factorisation row by row, a
   fill-reducing order by least degree, solves and a log determinant. The numbers are conductances of a network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int n, room, count;
    int *starts, *rows;
    double *values;
} Sparse;

static Sparse *sparse_new(int n, int room)
{
    Sparse *a = malloc(sizeof *a);
    a->n = n, a->room = room, a->count = 0;
    a->starts = calloc(n + 1, sizeof *a->starts);
    a->rows = malloc(room * sizeof *a->rows);
    a->values = malloc(room * sizeof *a->values);
    return a;
}

static void sparse_free(Sparse *a)
{
    free(a->starts), free(a->rows), free(a->values);
    free(a);
}

typedef struct {
    int count, room;
    struct { int row, column; double value; } *at;
} Triplets;

static void put(Triplets *t, int row, int column, double value)
{
    if (t->count == t->room) {
        t->room = t->room ? 2 * t->room : 4;
        t->at = realloc(t->at, t->room * sizeof *t->at);
    }
    t->at[t->count].row = row, t->at[t->count].column = column, t->at[t->count].value = value;
    t->count++;
}

static void put_symmetric(Triplets *t, int i, int j, double value)
{
    put(t, i, i, value), put(t, j, j, value);
    put(t, i, j, -value), put(t, j, i, -value);
}

/* Columns of what triplets say, entries of one place summed up. */
static Sparse *compress(const Triplets *t, int n)
{
    Sparse *a = sparse_new(n, t->count);
    int *next = calloc(n + 1, sizeof *next), *seen = malloc(n * sizeof *seen), used = 0;
    for (int k = 0; k < t->count; k++) a->starts[t->at[k].column + 1]++;
    for (int j = 0; j < n; j++) a->starts[j + 1] += a->starts[j], next[j] = a->starts[j];
    for (int k = 0; k < t->count; k++) {
        int to = next[t->at[k].column]++;
        a->rows[to] = t->at[k].row;
        a->values[to] = t->at[k].value;
    }
    for (int i = 0; i < n; i++) seen[i] = -1;
    for (int j = 0; j < n; j++) {
        int begin = used;
        for (int k = a->starts[j]; k < next[j]; k++) {
            int row = a->rows[k];
            if (seen[row] >= begin) a->values[seen[row]] += a->values[k];
            else {
                seen[row] = used;
                a->rows[used] = row;
                a->values[used++] = a->values[k];
            }
        }
        a->starts[j] = begin;
    }
    a->starts[n] = a->count = used;
    free(next), free(seen);
    return a;
}

/* The node of least degree first, its neighbours joined: what elimination does to the graph. */
static int *least_degree(const Sparse *a)
{
    int n = a->n, *order = malloc(n * sizeof *order);
    char *linked = calloc((size_t)n * n, 1), *gone = calloc(n, 1);
    for (int j = 0; j < n; j++)
        for (int k = a->starts[j]; k < a->starts[j + 1]; k++)
            if (a->rows[k] != j) linked[a->rows[k] * n + j] = linked[j * n + a->rows[k]] = 1;
    for (int step = 0; step < n; step++) {
        int best = -1, least = n + 1;
        for (int i = 0; i < n; i++) {
            int degree = 0;
            for (int j = 0; j < n && !gone[i]; j++) degree += linked[i * n + j] && !gone[j];
            if (!gone[i] && degree < least) least = degree, best = i;
        }
        order[step] = best;
        gone[best] = 1;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if (i != j && !gone[i] && !gone[j] && linked[best * n + i] && linked[best * n + j]) linked[i * n + j] = 1;
    }
    free(linked), free(gone);
    return order;
}

/* The upper triangle of a matrix in another order. */
static Sparse *permute(const Sparse *a, const int *order)
{
    int n = a->n, *place = malloc(n * sizeof *place);
    Triplets t = {0};
    for (int i = 0; i < n; i++) place[order[i]] = i;
    for (int j = 0; j < n; j++)
        for (int k = a->starts[j]; k < a->starts[j + 1]; k++)
            if (place[a->rows[k]] <= place[j]) put(&t, place[a->rows[k]], place[j], a->values[k]);
    Sparse *c = compress(&t, n);
    free(t.at), free(place);
    return c;
}

static int *elimination_tree(const Sparse *a)
{
    int *parent = malloc(a->n * sizeof *parent), *ancestor = malloc(a->n * sizeof *ancestor);
    for (int j = 0; j < a->n; j++) {
        parent[j] = ancestor[j] = -1;
        for (int k = a->starts[j]; k < a->starts[j + 1]; k++)
            for (int i = a->rows[k], next; i != -1 && i < j; i = next) {
                next = ancestor[i];
                ancestor[i] = j;
                if (next == -1) parent[i] = j;
            }
    }
    free(ancestor);
    return parent;
}

/* The columns in which row j of the factor has entries, in the order of the tree; where in `stack` they begin. */
static int reach(const Sparse *a, int j, const int *parent, int *stack, int *mark)
{
    int top = a->n;
    mark[j] = j;
    for (int k = a->starts[j]; k < a->starts[j + 1]; k++) {
        int length = 0, i = a->rows[k];
        for (; mark[i] != j; i = parent[i]) stack[length++] = i, mark[i] = j;
        while (length > 0) stack[--top] = stack[--length];
    }
    return top;
}

static Sparse *factorise(const Sparse *a, const int *parent)
{
    int n = a->n, *stack = malloc(n * sizeof *stack), *mark = malloc(n * sizeof *mark), *next = malloc(n * sizeof *next);
    int *counts = calloc(n, sizeof *counts), total = 0;
    for (int i = 0; i < n; i++) mark[i] = -1;
    for (int j = 0; j < n; j++) {
        counts[j]++;
        for (int top = reach(a, j, parent, stack, mark); top < n; top++) counts[stack[top]]++;
    }
    for (int j = 0; j < n; j++) total += counts[j];
    Sparse *l = sparse_new(n, total);
    for (int j = 0; j < n; j++) l->starts[j + 1] = l->starts[j] + counts[j], next[j] = l->starts[j];
    double *row = calloc(n, sizeof *row);
    for (int i = 0; i < n; i++) mark[i] = -1;
    for (int j = 0; j < n; j++) {
        int top = reach(a, j, parent, stack, mark);
        for (int k = a->starts[j]; k < a->starts[j + 1]; k++) row[a->rows[k]] = a->values[k];
        double pivot = row[j];
        row[j] = 0;
        for (; top < n; top++) {
            int i = stack[top];
            double entry = row[i] / l->values[l->starts[i]];
            row[i] = 0;
            for (int k = l->starts[i] + 1; k < next[i]; k++) row[l->rows[k]] -= l->values[k] * entry;
            pivot -= entry * entry;
            l->rows[next[i]] = j;
            l->values[next[i]++] = entry;
        }
        if (pivot <= 0) abort();
        l->rows[next[j]] = j;
        l->values[next[j]++] = sqrt(pivot);
    }
    l->count = total;
    free(stack), free(mark), free(next), free(counts), free(row);
    return l;
}

static void solve(const Sparse *l, double *b)
{
    for (int j = 0; j < l->n; j++) {
        b[j] /= l->values[l->starts[j]];
        for (int k = l->starts[j] + 1; k < l->starts[j + 1]; k++) b[l->rows[k]] -= l->values[k] * b[j];
    }
    for (int j = l->n - 1; j >= 0; j--) {
        for (int k = l->starts[j] + 1; k < l->starts[j + 1]; k++) b[j] -= l->values[k] * b[l->rows[k]];
        b[j] /= l->values[l->starts[j]];
    }
}

double sparse_cholesky(const double *x, int n)
{
    const int side = 5, nodes = side * side;
    Triplets t = {0};
    for (int i = 0, k = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            if (j + 1 < side) put_symmetric(&t, i * side + j, i * side + j + 1, x[k++ % n]);
            if (i + 1 < side) put_symmetric(&t, i * side + j, (i + 1) * side + j, x[k++ % n] * x[0]);
            put(&t, i * side + j, i * side + j, 0.1);
        }
    Sparse *a = compress(&t, nodes);
    int *order = least_degree(a);
    Sparse *c = permute(a, order);
    int *parent = elimination_tree(c);
    Sparse *l = factorise(c, parent);
    double b[25], result = 0;
    for (int i = 0; i < nodes; i++) b[i] = sin(1 + order[i]) * x[order[i] % n];
    solve(l, b);
    for (int i = 0; i < nodes; i++) result += b[i] * b[i] * (1 + order[i] % 3) + 0.2 * log(l->values[l->starts[i]]);
    sparse_free(a), sparse_free(c), sparse_free(l);
    free(order), free(parent), free(t.at);
    return result;
}
