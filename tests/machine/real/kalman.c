/* A Kalman filter and the smoother of Rauch, Tung and Striebel, for a target that is tracked by two sensors: matrices on the
   heap, a solver by Cholesky's factorisation, the likelihood of the measurements. The numbers are the model's parameters. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int rows, columns;
    double *at;
} Matrix;

#define AT(m, i, j) ((m).at[(i) * (m).columns + (j)])

static Matrix matrix(int rows, int columns)
{
    Matrix m = {rows, columns, calloc((size_t)rows * columns, sizeof(double))};
    if (!m.at) {
        fprintf(stderr, "no memory for %d x %d numbers\n", rows, columns);
        exit(1);
    }
    return m;
}

static Matrix identity(int n, double scale)
{
    Matrix m = matrix(n, n);
    for (int i = 0; i < n; i++) AT(m, i, i) = scale;
    return m;
}

static Matrix copy(Matrix a)
{
    Matrix m = matrix(a.rows, a.columns);
    memcpy(m.at, a.at, (size_t)a.rows * a.columns * sizeof(double));
    return m;
}

static void release(Matrix *m)
{
    free(m->at);
    m->at = NULL;
}

static void replace(Matrix *m, Matrix by)
{
    release(m);
    *m = by;
}

static Matrix product(Matrix a, Matrix b)
{
    Matrix m = matrix(a.rows, b.columns);
    for (int i = 0; i < a.rows; i++)
        for (int k = 0; k < a.columns; k++)
            for (int j = 0; j < b.columns; j++) AT(m, i, j) += AT(a, i, k) * AT(b, k, j);
    return m;
}

/* a times the transpose of b */
static Matrix product_t(Matrix a, Matrix b)
{
    Matrix m = matrix(a.rows, b.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.rows; j++)
            for (int k = 0; k < a.columns; k++) AT(m, i, j) += AT(a, i, k) * AT(b, j, k);
    return m;
}

static Matrix transposed(Matrix a)
{
    Matrix m = matrix(a.columns, a.rows);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < a.columns; j++) AT(m, j, i) = AT(a, i, j);
    return m;
}

static void add(Matrix a, double factor, Matrix b)
{
    for (int i = 0; i < a.rows * a.columns; i++) a.at[i] += factor * b.at[i];
}

/* f p f' */
static Matrix moved(Matrix f, Matrix p)
{
    Matrix fp = product(f, p), m = product_t(fp, f);
    release(&fp);
    return m;
}

/* The lower factor of a symmetric matrix; the logarithm of its determinant is given. */
static double factorise(Matrix a)
{
    double sum = 0;
    for (int j = 0; j < a.rows; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < a.rows; i++) AT(a, i, j) -= AT(a, i, k) * AT(a, j, k);
        double pivot = AT(a, j, j);
        if (pivot <= 0) return -INFINITY;
        sum += log(pivot);
        for (int i = j; i < a.rows; i++) AT(a, i, j) /= sqrt(pivot);
    }
    return sum;
}

static void solve(Matrix factor, Matrix b)
{
    for (int c = 0; c < b.columns; c++) {
        for (int i = 0; i < b.rows; i++) {
            for (int k = 0; k < i; k++) AT(b, i, c) -= AT(factor, i, k) * AT(b, k, c);
            AT(b, i, c) /= AT(factor, i, i);
        }
        for (int i = b.rows - 1; i >= 0; i--) {
            for (int k = i + 1; k < b.rows; k++) AT(b, i, c) -= AT(factor, k, i) * AT(b, k, c);
            AT(b, i, c) /= AT(factor, i, i);
        }
    }
}

typedef struct {
    Matrix f, q, h, r;
} Model;

typedef struct {
    Matrix mean, covariance, predicted_mean, predicted_covariance;
} State;

static Model constant_velocity(const double *x, double step)
{
    Model m = {identity(4, 1), matrix(4, 4), matrix(2, 4), matrix(2, 2)};
    AT(m.f, 0, 2) = AT(m.f, 1, 3) = step;
    AT(m.f, 2, 2) = AT(m.f, 3, 3) = exp(-0.1 * x[4] * step);
    for (int d = 0; d < 2; d++) {
        AT(m.q, d, d) = x[0] * step * step * step / 3;
        AT(m.q, d, d + 2) = AT(m.q, d + 2, d) = x[0] * step * step / 2;
        AT(m.q, d + 2, d + 2) = x[0] * step;
    }
    AT(m.h, 0, 0) = 1, AT(m.h, 0, 1) = 0.2 * x[1];
    AT(m.h, 1, 1) = 1;
    AT(m.r, 0, 0) = x[2] * x[2], AT(m.r, 1, 1) = x[3] * x[3];
    AT(m.r, 0, 1) = AT(m.r, 1, 0) = 0.2 * x[2] * x[3];
    return m;
}

static void release_model(Model *m)
{
    release(&m->f), release(&m->q), release(&m->h), release(&m->r);
}

/* One step of the filter; the logarithm of the measurement's density is given. */
static double filter(const Model *m, Matrix mean, Matrix covariance, Matrix measured, State *out)
{
    out->predicted_mean = product(m->f, mean);
    out->predicted_covariance = moved(m->f, covariance);
    add(out->predicted_covariance, 1, m->q);
    Matrix innovation = product(m->h, out->predicted_mean), s = moved(m->h, out->predicted_covariance);
    for (int i = 0; i < innovation.rows; i++) innovation.at[i] = measured.at[i] - innovation.at[i];
    add(s, 1, m->r);
    double logarithm = factorise(s);
    Matrix hp = product(m->h, out->predicted_covariance), gain_t = copy(hp), weighted = copy(innovation);
    solve(s, gain_t);
    solve(s, weighted);
    Matrix gain = transposed(gain_t), change = product(gain, innovation), less = product(gain, hp);
    out->mean = copy(out->predicted_mean);
    out->covariance = copy(out->predicted_covariance);
    add(out->mean, 1, change);
    add(out->covariance, -1, less);
    double distance = 0;
    for (int i = 0; i < innovation.rows; i++) distance += innovation.at[i] * weighted.at[i];
    Matrix *all[] = {&innovation, &s, &hp, &gain_t, &weighted, &gain, &change, &less};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) release(all[i]);
    return -0.5 * (distance + logarithm + measured.rows * log(6.283185307179586));
}

static void smooth(const Model *m, State *now, const State *later)
{
    Matrix factor = copy(later->predicted_covariance), gain_t = product(m->f, now->covariance);
    factorise(factor);
    solve(factor, gain_t);
    Matrix gain = transposed(gain_t), difference = copy(later->mean), spread = copy(later->covariance);
    add(difference, -1, later->predicted_mean);
    add(spread, -1, later->predicted_covariance);
    Matrix change = product(gain, difference), wider = moved(gain, spread);
    add(now->mean, 1, change);
    add(now->covariance, 1, wider);
    release(&factor), release(&gain_t), release(&gain), release(&difference), release(&spread);
    release(&change), release(&wider);
}

static void measure(Matrix z, int k, double step)
{
    double t = k * step;
    z.at[0] = 0.8 * t + 0.3 * sin(5 * t) + 0.05 * sin(37 * t);
    z.at[1] = 1 + 0.5 * t * t - 0.04 * cos(23 * t);
}

double kalman(const double *x, int n)
{
    const int steps = 20;
    const double step = 0.1;
    Model model = constant_velocity(x, step);
    State *states = malloc(steps * sizeof *states);
    Matrix mean = matrix(4, 1), covariance = identity(4, 1 + x[n - 1]), measured = matrix(2, 1);
    mean.at[2] = x[5];
    double sum = 0;
    for (int k = 0; k < steps; k++) {
        measure(measured, k, step);
        sum += filter(&model, mean, covariance, measured, &states[k]);
        replace(&mean, copy(states[k].mean));
        replace(&covariance, copy(states[k].covariance));
    }
    for (int k = steps - 2; k >= 0; k--) smooth(&model, &states[k], &states[k + 1]);
    for (int k = 0; k < steps; k++) {
        sum += 0.1 * states[k].mean.at[0] * states[k].mean.at[3] - AT(states[k].covariance, 1, 1);
        release(&states[k].mean), release(&states[k].covariance);
        release(&states[k].predicted_mean), release(&states[k].predicted_covariance);
    }
    free(states);
    release(&mean), release(&covariance), release(&measured);
    release_model(&model);
    return sum;
}
