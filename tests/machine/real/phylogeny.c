/* The likelihood of a phylogeny: a tree in Newick's notation, Felsenstein's pruning over the sites of an alignment, a general
   reversible model of substitution with rates that vary by a discrete gamma distribution, exponentials of the rate matrix by
   its symmetric eigenproblem (Jacobi's rotations), scaling against underflow, invariant sites, and branch lengths by
   Newton's method. The numbers are the rates, frequencies and branch lengths. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char letters[] = "ACGT";
enum { BASES = 4, SITES = 16, CATEGORIES = 3 };

typedef struct Node {
    char name[8];
    double length;
    struct Node *child, *sibling, *parent;
    const char *sequence;
    double (*partial)[CATEGORIES][BASES]; /* by site */
    int *scaled;
} Node;

typedef struct {
    double frequency[BASES], exchange[BASES][BASES];
    double value[BASES], vector[BASES][BASES], inverse[BASES][BASES];
    double rate[CATEGORIES], invariant;
} Model;

static const struct { const char *name, *sequence; } alignment[] = {
    {"human", "ACGTACGTTAGCCATA"}, {"chimp", "ACGTACGATAGCCATA"}, {"gorilla", "ACGAACGTTAGCTATA"},
    {"orang", "ACTTACGTCAGCCGTA"}, {"gibbon", "GCTTATGTCAGACGTT"}, {"macaque", "GC-TATGTCTGACGTC"},
};
static const char *newick = "((((human:0.1,chimp:0.12):0.05,gorilla:0.2):0.08,orang:0.3):0.1,(gibbon:0.25,macaque:0.4):0.15);";

/* -- trees --------------------------------------------------------------------------------------------------------- */

static Node *parse(const char **at, Node *parent)
{
    Node *node = calloc(1, sizeof *node);
    node->parent = parent;
    if (**at == '(') {
        Node **last = &node->child;
        do {
            ++*at;
            *last = parse(at, node);
            last = &(*last)->sibling;
        } while (**at == ',');
        if (**at != ')') fprintf(stderr, "a bracket is open at %s\n", *at);
        ++*at;
    }
    int used = 0;
    while (isalpha((unsigned char)**at)) {
        if (used < 7) node->name[used++] = **at;
        ++*at;
    }
    if (**at == ':') {
        char *end;
        node->length = strtod(*at + 1, &end);
        *at = end;
    }
    for (size_t k = 0; k < sizeof alignment / sizeof *alignment; k++)
        if (!strcmp(alignment[k].name, node->name)) node->sequence = alignment[k].sequence;
    node->partial = malloc(SITES * sizeof *node->partial);
    node->scaled = calloc(SITES, sizeof *node->scaled);
    return node;
}

static void release(Node *node)
{
    if (!node) return;
    release(node->child);
    release(node->sibling);
    free(node->partial), free(node->scaled), free(node);
}

/* Each branch is stretched by a number; the order is that of the walk. */
static int stretch(Node *node, const double *x, int n, int count)
{
    if (node->parent) node->length *= 0.5 + 0.5 * x[count++ % n];
    for (Node *c = node->child; c; c = c->sibling) count = stretch(c, x, n, count);
    return count;
}

/* -- the model ----------------------------------------------------------------------------------------------------- */

/* The eigenvalues of a symmetric matrix, left on its diagonal, and its vectors. */
static void jacobi(double a[BASES][BASES], double v[BASES][BASES])
{
    for (int i = 0; i < BASES; i++)
        for (int j = 0; j < BASES; j++) v[i][j] = i == j;
    for (int sweep = 0; sweep < 8; sweep++)
        for (int p = 0; p < BASES; p++)
            for (int q = p + 1; q < BASES; q++) {
                if (fabs(a[p][q]) < 1e-30) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1)), c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < BASES; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - s * y, a[k][q] = s * x + c * y;
                }
                for (int k = 0; k < BASES; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - s * y, a[q][k] = s * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - s * y, v[k][q] = s * x + c * y;
                }
            }
}

/* The incomplete gamma function by its series. */
static double gamma_p(double a, double x)
{
    double term = 1 / a, sum = term;
    for (int k = 1; k < 200 && term > 1e-16 * sum; k++) term *= x / (a + k), sum += term;
    return sum * exp(-x + a * log(x) - lgamma(a));
}

static double gamma_quantile(double p, double a)
{
    double x = a * 0.9;
    for (int k = 0; k < 30; k++) {
        double density = exp((a - 1) * log(x) - x - lgamma(a)), step = (gamma_p(a, x) - p) / density;
        x = step < x ? x - step : 0.5 * x;
        if (fabs(step) < 1e-14 * x) break;
    }
    return x;
}

static void prepare(Model *m, const double *frequencies, const double *rates, double shape, double invariant)
{
    double sum = 0, scale = 0, symmetric[BASES][BASES], mean = 0;
    for (int i = 0; i < BASES; i++) sum += frequencies[i];
    for (int i = 0; i < BASES; i++) m->frequency[i] = frequencies[i] / sum;
    for (int i = 0, k = 0; i < BASES; i++)
        for (int j = i + 1; j < BASES; j++, k++) m->exchange[i][j] = m->exchange[j][i] = k < 5 ? rates[k] : 1;
    for (int i = 0; i < BASES; i++) {
        m->exchange[i][i] = 0;
        for (int j = 0; j < BASES; j++)
            if (i != j) {
                double q = m->exchange[i][j] * m->frequency[j];
                m->exchange[i][i] -= q / m->frequency[i];
                scale += m->frequency[i] * q;
            }
    }
    for (int i = 0; i < BASES; i++)
        for (int j = 0; j < BASES; j++)
            symmetric[i][j] = sqrt(m->frequency[i] * m->frequency[j]) * m->exchange[i][j] / scale;
    jacobi(symmetric, m->vector);
    for (int k = 0; k < BASES; k++) m->value[k] = symmetric[k][k];
    for (int i = 0; i < BASES; i++)
        for (int k = 0; k < BASES; k++) {
            double root = sqrt(m->frequency[i]);
            m->inverse[k][i] = m->vector[i][k] * root, m->vector[i][k] /= root;
        }
    for (int k = 0; k < CATEGORIES; k++) mean += m->rate[k] = gamma_quantile((2 * k + 1.) / (2 * CATEGORIES), shape);
    for (int k = 0; k < CATEGORIES; k++) m->rate[k] *= CATEGORIES / mean / (1 - invariant);
    m->invariant = invariant;
}

static void transition(const Model *m, double time, double p[BASES][BASES])
{
    double e[BASES];
    for (int k = 0; k < BASES; k++) e[k] = exp(m->value[k] * time);
    for (int i = 0; i < BASES; i++)
        for (int j = 0; j < BASES; j++) {
            p[i][j] = 0;
            for (int k = 0; k < BASES; k++) p[i][j] += m->vector[i][k] * e[k] * m->inverse[k][j];
        }
}

/* -- likelihood ---------------------------------------------------------------------------------------------------- */

static void prune(Node *node, const Model *m)
{
    for (int s = 0; s < SITES; s++) {
        node->scaled[s] = 0;
        for (int c = 0; c < CATEGORIES; c++)
            for (int b = 0; b < BASES; b++) {
                const char *found = node->sequence ? strchr(letters, node->sequence[s]) : NULL;
                node->partial[s][c][b] = found ? found - letters == b : 1;
            }
    }
    for (Node *child = node->child; child; child = child->sibling) {
        prune(child, m);
        for (int c = 0; c < CATEGORIES; c++) {
            double p[BASES][BASES];
            transition(m, child->length * m->rate[c], p);
            for (int s = 0; s < SITES; s++)
                for (int i = 0; i < BASES; i++) {
                    double sum = 0;
                    for (int j = 0; j < BASES; j++) sum += p[i][j] * child->partial[s][c][j];
                    node->partial[s][c][i] *= sum;
                }
        }
        for (int s = 0; s < SITES; s++) node->scaled[s] += child->scaled[s];
    }
    for (int s = 0; s < SITES; s++) {
        double largest = 0;
        for (int c = 0; c < CATEGORIES; c++)
            for (int b = 0; b < BASES; b++) largest = fmax(largest, node->partial[s][c][b]);
        if (largest >= 0x1p-6) continue;
        node->scaled[s]++;
        for (int c = 0; c < CATEGORIES; c++)
            for (int b = 0; b < BASES; b++) node->partial[s][c][b] *= 64;
    }
}

static int is_invariant(int site)
{
    for (size_t k = 1; k < sizeof alignment / sizeof *alignment; k++)
        if (alignment[k].sequence[site] != alignment[0].sequence[site]) return 0;
    return 1;
}

static double log_likelihood(Node *root, const Model *m)
{
    double total = 0;
    prune(root, m);
    for (int s = 0; s < SITES; s++) {
        double site = 0;
        for (int c = 0; c < CATEGORIES; c++)
            for (int b = 0; b < BASES; b++) site += m->frequency[b] * root->partial[s][c][b] / CATEGORIES;
        site = (1 - m->invariant) * ldexp(site, -6 * root->scaled[s]);
        if (is_invariant(s)) site += m->invariant * m->frequency[strchr(letters, alignment[0].sequence[s]) - letters];
        total += log(site);
    }
    return total;
}

/* A step of Newton's method for the length of one branch, with differences for derivatives. */
static double improve(Node *root, Node *branch, const Model *m)
{
    double h = 0.3 * branch->length, at = branch->length, here = log_likelihood(root, m);
    branch->length = at + h;
    double after = log_likelihood(root, m);
    branch->length = at - h;
    double before = log_likelihood(root, m), second = (after - 2 * here + before) / (h * h);
    branch->length = at - 0.5 * (after - before) / (2 * h) / (second < -1 ? second : -1);
    if (branch->length < 0.01) branch->length = 0.01;
    return here;
}

double phylogeny(const double *x, int n)
{
    const char *at = newick;
    Node *root = parse(&at, NULL);
    Model model;
    stretch(root, x, n, 3);
    prepare(&model, x, x + 4, 0.5 + x[n - 2], 0.15 * x[n - 1]);
    double first = improve(root, root->child, &model), second = log_likelihood(root, &model);
    release(root);
    return -0.1 * (first + second);
}
