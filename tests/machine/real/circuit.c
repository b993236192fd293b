/* A simulator of electric circuits in the manner of SPICE: a netlist of lines of text, devices with tables of functions,
   nodes by name in a hash table, modified nodal analysis, a sparse matrix of linked entries factored with Markowitz' choice
   of pivots, Newton's method with limited steps, the operating point and a transient by the trapezoidal rule.
   The numbers are the values of the devices: `$3` in the netlist is the third. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- sparse matrices ----------------------------------------------------------------------------------------------- */

typedef struct Entry {
    double value;
    int row, column;
    struct Entry *next;
} Entry;

typedef struct {
    int size;
    Entry **rows, *pool;
    int used, room;
} Matrix;

static Matrix *matrix_new(int size)
{
    Matrix *m = malloc(sizeof *m);
    m->size = size;
    m->room = 8 * size * size;
    m->used = 0;
    m->rows = calloc(size, sizeof *m->rows);
    m->pool = malloc(m->room * sizeof *m->pool);
    return m;
}

static void matrix_clear(Matrix *m)
{
    memset(m->rows, 0, m->size * sizeof *m->rows);
    m->used = 0;
}

static void matrix_free(Matrix *m)
{
    free(m->rows), free(m->pool), free(m);
}

/* The entry at a place, made if there is none; rows are in the order of columns. */
static double *at(Matrix *m, int row, int column)
{
    Entry **p = &m->rows[row];
    while (*p && (*p)->column < column) p = &(*p)->next;
    if (!*p || (*p)->column != column) {
        if (m->used == m->room) abort();
        Entry *e = &m->pool[m->used++];
        e->value = 0, e->row = row, e->column = column, e->next = *p;
        *p = e;
    }
    return &(*p)->value;
}

static void add(Matrix *m, int row, int column, double value)
{
    if (row && column) *at(m, row - 1, column - 1) += value;
}

/* Gauss' elimination; the pivot is the large enough entry that fills in least. b becomes the solution. */
static int matrix_solve(Matrix *m, double *b)
{
    int n = m->size, *taken = calloc(n, sizeof *taken), *counts = malloc(n * sizeof *counts);
    int *pivot_row = malloc(n * sizeof *pivot_row), *pivot_column = malloc(n * sizeof *pivot_column), failed = 0;
    double *x = calloc(n, sizeof *x);
    for (int k = 0; k < n && !failed; k++) {
        memset(counts, 0, n * sizeof *counts);
        for (int r = 0; r < n; r++)
            if (!taken[r])
                for (Entry *e = m->rows[r]; e; e = e->next) counts[e->column]++;
        long best = -1;
        Entry *pivot = NULL;
        for (int r = 0; r < n; r++) {
            if (taken[r]) continue;
            double largest = 0;
            int length = 0;
            for (Entry *e = m->rows[r]; e; e = e->next) largest = fmax(largest, fabs(e->value)), length++;
            for (Entry *e = m->rows[r]; e; e = e->next) {
                long cost = (long)(length - 1) * (counts[e->column] - 1);
                if (fabs(e->value) >= 1e-3 * largest && e->value != 0 && (best < 0 || cost < best)) best = cost, pivot = e;
            }
        }
        if (!pivot) {
            failed = 1;
            break;
        }
        pivot_row[k] = pivot->row, pivot_column[k] = pivot->column;
        taken[pivot->row] = 1;
        for (int r = 0; r < n; r++) {
            if (taken[r]) continue;
            Entry **p = &m->rows[r];
            while (*p && (*p)->column != pivot->column) p = &(*p)->next;
            if (!*p) continue;
            double factor = (*p)->value / pivot->value;
            *p = (*p)->next;
            for (Entry *e = m->rows[pivot->row]; e; e = e->next)
                if (e != pivot) *at(m, r, e->column) -= factor * e->value;
            b[r] -= factor * b[pivot->row];
        }
    }
    for (int k = n - 1; k >= 0 && !failed; k--) {
        double sum = b[pivot_row[k]], diagonal = 1;
        for (Entry *e = m->rows[pivot_row[k]]; e; e = e->next) {
            if (e->column == pivot_column[k]) diagonal = e->value;
            else sum -= e->value * x[e->column];
        }
        x[pivot_column[k]] = sum / diagonal;
    }
    if (!failed) memcpy(b, x, n * sizeof *b);
    free(x), free(pivot_column), free(pivot_row), free(counts), free(taken);
    return failed;
}

/* -- devices ------------------------------------------------------------------------------------------------------- */

typedef struct Device Device;
typedef struct {
    double time, step; /* a step of 0 is the operating point */
    const double *now, *before;
    Matrix *matrix;
    double *right;
} State;

typedef struct {
    char letter;
    int nodes, branch;
    void (*stamp)(Device *d, State *s);
    void (*accept)(Device *d, State *s);
} Kind;

struct Device {
    const Kind *kind;
    char name[8];
    int node[3], branch;
    double value, extra, current, voltage;
    Device *next;
};

static double volts(const double *v, int node) { return node ? v[node - 1] : 0; }

static void conductance(State *s, int a, int b, double g)
{
    add(s->matrix, a, a, g), add(s->matrix, b, b, g), add(s->matrix, a, b, -g), add(s->matrix, b, a, -g);
}

static void current_source(State *s, int from, int to, double i)
{
    if (from) s->right[from - 1] -= i;
    if (to) s->right[to - 1] += i;
}

static void resistor(Device *d, State *s) { conductance(s, d->node[0], d->node[1], 1 / d->value); }

static void capacitor(Device *d, State *s)
{
    if (s->step == 0) return;
    double g = 2 * d->value / s->step;
    conductance(s, d->node[0], d->node[1], g);
    current_source(s, d->node[1], d->node[0], g * d->voltage + d->current);
}

static void capacitor_accept(Device *d, State *s)
{
    double v = volts(s->now, d->node[0]) - volts(s->now, d->node[1]);
    if (s->step != 0) d->current = 2 * d->value / s->step * (v - d->voltage) - d->current;
    d->voltage = v;
}

static void branch_rows(Device *d, State *s)
{
    add(s->matrix, d->node[0], d->branch, 1), add(s->matrix, d->node[1], d->branch, -1);
    add(s->matrix, d->branch, d->node[0], 1), add(s->matrix, d->branch, d->node[1], -1);
}

static void voltage_source(Device *d, State *s)
{
    branch_rows(d, s);
    s->right[d->branch - 1] += 3 * d->value * (d->extra != 0 ? 1 + 0.5 * sin(d->extra * s->time) : 1);
}

static void inductor(Device *d, State *s)
{
    branch_rows(d, s);
    if (s->step == 0) return;
    double r = 2 * d->value / s->step;
    add(s->matrix, d->branch, d->branch, -r);
    s->right[d->branch - 1] -= r * d->current + d->voltage;
}

static void inductor_accept(Device *d, State *s)
{
    d->current = s->now[d->branch - 1];
    d->voltage = volts(s->now, d->node[0]) - volts(s->now, d->node[1]);
}

static double junction(double v, double saturation, double thermal, double *slope)
{
    double limit = 40 * thermal, e = exp(fmin(v, limit) / thermal), over = v > limit ? (v - limit) / thermal : 0;
    *slope = saturation * e / thermal + 1e-9;
    return saturation * (e * (1 + over) - 1) + 1e-9 * v;
}

static void diode(Device *d, State *s)
{
    double v = volts(s->now, d->node[0]) - volts(s->now, d->node[1]), g;
    double i = junction(v, 1e-3 * d->value, 0.1, &g);
    conductance(s, d->node[0], d->node[1], g);
    current_source(s, d->node[0], d->node[1], i - g * v);
}

/* Ebers and Moll: collector, base, emitter. */
static void transistor(Device *d, State *s)
{
    int c = d->node[0], b = d->node[1], e = d->node[2];
    double vbe = volts(s->now, b) - volts(s->now, e), vbc = volts(s->now, b) - volts(s->now, c), gf, gr;
    double forward = junction(vbe, 1e-3, 0.1, &gf), backward = junction(vbc, 1e-3, 0.1, &gr);
    double bf = 20 * d->value, br = 0.5 + d->extra;
    conductance(s, b, e, gf / bf), conductance(s, b, c, gr / br);
    current_source(s, b, e, (forward - gf * vbe) / bf), current_source(s, b, c, (backward - gr * vbc) / br);
    add(s->matrix, c, b, gf - gr), add(s->matrix, c, e, -gf), add(s->matrix, c, c, gr);
    add(s->matrix, e, b, gr - gf), add(s->matrix, e, e, gf), add(s->matrix, e, c, -gr);
    current_source(s, c, e, forward - backward - gf * vbe + gr * vbc);
}

static const Kind kinds[] = {
    {'R', 2, 0, resistor, NULL},          {'C', 2, 0, capacitor, capacitor_accept}, {'V', 2, 1, voltage_source, NULL},
    {'L', 2, 1, inductor, inductor_accept}, {'D', 2, 0, diode, NULL},                 {'Q', 3, 0, transistor, NULL},
};

/* -- netlists ------------------------------------------------------------------------------------------------------ */

typedef struct Name {
    char text[8];
    int node;
    struct Name *next;
} Name;

typedef struct {
    Device *devices, **last;
    Name *names[16];
    int nodes, branches;
} Circuit;

static int node_of(Circuit *c, const char *text)
{
    if (!strcmp(text, "0")) return 0;
    unsigned hash = 5381;
    for (const char *p = text; *p; p++) hash = hash * 33 + (unsigned char)*p;
    Name **p = &c->names[hash % 16];
    for (; *p; p = &(*p)->next)
        if (!strcmp((*p)->text, text)) return (*p)->node;
    *p = calloc(1, sizeof **p);
    snprintf((*p)->text, sizeof (*p)->text, "%s", text);
    return (*p)->node = ++c->nodes;
}

static const char *word(const char *p, char *out, int room)
{
    while (*p == ' ') p++;
    while (*p && !isspace((unsigned char)*p)) {
        if (room-- > 1) *out++ = *p;
        p++;
    }
    *out = 0;
    return p;
}

static double number(const char *text, const double *x, int n)
{
    if (text[0] != '$') return text[0] ? strtod(text, NULL) : 0;
    int index = atoi(text + 1);
    return x[index % n];
}

static void parse(Circuit *c, const char *netlist, const double *x, int n)
{
    c->last = &c->devices;
    while (*netlist) {
        char text[16];
        netlist = word(netlist, text, sizeof text);
        const Kind *kind = NULL;
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (kinds[k].letter == toupper((unsigned char)text[0])) kind = &kinds[k];
        if (kind) {
            Device *d = calloc(1, sizeof *d);
            d->kind = kind;
            snprintf(d->name, sizeof d->name, "%.7s", text);
            for (int k = 0; k < kind->nodes; k++) netlist = word(netlist, text, sizeof text), d->node[k] = node_of(c, text);
            netlist = word(netlist, text, sizeof text), d->value = number(text, x, n);
            netlist = word(netlist, text, sizeof text), d->extra = number(text, x, n);
            *c->last = d, c->last = &d->next;
        }
        while (*netlist && *netlist++ != '\n') {}
    }
    for (Device *d = c->devices; d; d = d->next)
        if (d->kind->branch) d->branch = c->nodes + ++c->branches;
}

static void circuit_free(Circuit *c)
{
    for (Device *d = c->devices, *next; d; d = next) next = d->next, free(d);
    for (int k = 0; k < 16; k++)
        for (Name *p = c->names[k], *next; p; p = next) next = p->next, free(p);
}

/* -- analyses ------------------------------------------------------------------------------------------------------ */

static int newton(Circuit *c, State *s, double *v, int size)
{
    for (int turn = 0; turn < 60; turn++) {
        double change = 0;
        matrix_clear(s->matrix);
        memset(s->right, 0, size * sizeof *s->right);
        s->now = v;
        for (Device *d = c->devices; d; d = d->next) d->kind->stamp(d, s);
        for (int k = 1; k <= c->nodes; k++) add(s->matrix, k, k, 1e-9);
        if (matrix_solve(s->matrix, s->right)) return -1;
        for (int k = 0; k < size; k++) {
            double step = s->right[k] - v[k];
            change = fmax(change, fabs(step));
            v[k] += step > 0.5 ? 0.5 : step < -0.5 ? -0.5 : step;
        }
        if (change < 1e-11) return turn;
    }
    return -2;
}

static const char *netlist = "V1 in 0 $0 2.0\n"
                             "R1 in a $1\n"
                             "C1 a 0 $2\n"
                             "* a rectifier\n"
                             "D1 a b $3\n"
                             "R2 b 0 $4\n"
                             "C2 b 0 $5\n"
                             "L1 b c $6\n"
                             "R3 c base $7\n"
                             "Q1 col base e $8 $9\n"
                             "V2 vcc 0 1.2\n"
                             "R4 vcc col $10\n"
                             "R5 e 0 $11\n";

double circuit(const double *x, int n)
{
    Circuit c = {0};
    parse(&c, netlist, x, n);
    int size = c.nodes + c.branches;
    double *v = calloc(size, sizeof *v), *right = malloc(size * sizeof *right), energy = 0;
    State s = {.matrix = matrix_new(size), .right = right};
    int failed = newton(&c, &s, v, size) < 0;
    int out = node_of(&c, "col"), filtered = node_of(&c, "b");
    double result = volts(v, out);
    s.step = 0.1;
    for (Device *d = c.devices; d; d = d->next)
        if (d->kind->accept) s.now = v, d->kind->accept(d, &s), d->current = d->kind->branch ? d->current : 0;
    for (int k = 1; k <= 12 && !failed; k++) {
        s.time = k * s.step;
        failed = newton(&c, &s, v, size) < 0;
        for (Device *d = c.devices; d; d = d->next)
            if (d->kind->accept) d->kind->accept(d, &s);
        energy += s.step * (volts(v, out) * volts(v, out) + volts(v, filtered));
    }
    if (failed) fprintf(stderr, "no convergence\n");
    free(v), free(right), matrix_free(s.matrix), circuit_free(&c);
    return failed ? NAN : result + energy;
}
