/* A library of B-splines: knots, basis functions and their derivatives, curves and surfaces, insertion of knots, fits by
   least squares with a banded Cholesky factorisation, lengths by Gauss's quadrature. Points are the numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEGREE 7

typedef struct {
    int degree, count, knot_count, dimension;
    double *knots, *points;
} Spline;

typedef struct {
    Spline *u, *v;
    double *points;
} Surface;

static Spline *spline_new(int degree, int count, int dimension)
{
    Spline *s = malloc(sizeof *s);
    s->degree = degree, s->count = count, s->dimension = dimension;
    s->knot_count = count + degree + 1;
    s->knots = malloc(s->knot_count * sizeof *s->knots);
    s->points = calloc(count * dimension, sizeof *s->points);
    return s;
}

static void spline_free(Spline *s)
{
    if (!s) return;
    free(s->knots);
    free(s->points);
    free(s);
}

static void clamp_knots(Spline *s)
{
    int inner = s->count - s->degree;
    for (int i = 0; i < s->knot_count; i++) {
        int k = i - s->degree;
        s->knots[i] = k <= 0 ? 0 : k >= inner ? 1 : (double)k / inner;
    }
}

/* Knots that follow the parameters of data, as averages. */
static void average_knots(Spline *s, const double *t, int n)
{
    for (int i = 0; i <= s->degree; i++) s->knots[i] = 0, s->knots[s->knot_count - 1 - i] = 1;
    double step = (double)n / (s->count - s->degree);
    for (int j = 1; j < s->count - s->degree; j++) {
        int i = (int)(j * step);
        double a = j * step - i;
        s->knots[s->degree + j] = (1 - a) * t[i - 1] + a * t[i];
    }
}

static int find_span(const Spline *s, double t)
{
    int low = s->degree, high = s->count;
    if (t >= s->knots[high]) return high - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (t < s->knots[middle]) high = middle;
        else low = middle;
    }
    return low;
}

/* Cox and de Boor, without dividing zero by zero. */
static void basis(const Spline *s, int span, double t, double *b)
{
    double left[MAX_DEGREE + 1], right[MAX_DEGREE + 1];
    b[0] = 1;
    for (int j = 1; j <= s->degree; j++) {
        left[j] = t - s->knots[span + 1 - j];
        right[j] = s->knots[span + j] - t;
        double saved = 0;
        for (int r = 0; r < j; r++) {
            double share = b[r] / (right[r + 1] + left[j - r]);
            b[r] = saved + right[r + 1] * share;
            saved = left[j - r] * share;
        }
        b[j] = saved;
    }
}

static void evaluate(const Spline *s, double t, double *out)
{
    double b[MAX_DEGREE + 1];
    int span = find_span(s, t);
    basis(s, span, t, b);
    memset(out, 0, s->dimension * sizeof *out);
    for (int j = 0; j <= s->degree; j++) {
        const double *p = s->points + (span - s->degree + j) * s->dimension;
        for (int d = 0; d < s->dimension; d++) out[d] += b[j] * p[d];
    }
}

/* The derivative of a spline is one of a lower degree. */
static Spline *derivative(const Spline *s)
{
    Spline *d = spline_new(s->degree - 1, s->count - 1, s->dimension);
    memcpy(d->knots, s->knots + 1, d->knot_count * sizeof *d->knots);
    for (int i = 0; i < d->count; i++) {
        double factor = s->degree / (s->knots[i + s->degree + 1] - s->knots[i + 1]);
        for (int k = 0; k < s->dimension; k++)
            d->points[i * s->dimension + k] =
                factor * (s->points[(i + 1) * s->dimension + k] - s->points[i * s->dimension + k]);
    }
    return d;
}

/* Boehm: one more knot, the same curve. */
static Spline *insert_knot(const Spline *s, double t)
{
    int span = find_span(s, t), n = s->dimension;
    Spline *r = spline_new(s->degree, s->count + 1, n);
    memcpy(r->knots, s->knots, (span + 1) * sizeof *r->knots);
    r->knots[span + 1] = t;
    memcpy(r->knots + span + 2, s->knots + span + 1, (s->knot_count - span - 1) * sizeof *r->knots);
    for (int i = 0; i < r->count; i++) {
        double *to = r->points + i * n;
        if (i <= span - s->degree) memcpy(to, s->points + i * n, n * sizeof *to);
        else if (i > span) memcpy(to, s->points + (i - 1) * n, n * sizeof *to);
        else {
            double a = (t - s->knots[i]) / (s->knots[i + s->degree] - s->knots[i]);
            for (int k = 0; k < n; k++) to[k] = a * s->points[i * n + k] + (1 - a) * s->points[(i - 1) * n + k];
        }
    }
    return r;
}

/* A x = b with a symmetric positive matrix in bands: a[i][j] is A(i, i - j). */
static int banded_solve(double **a, int n, int band, double *b, int columns)
{
    for (int i = 0; i < n; i++)
        for (int j = i - band < 0 ? 0 : i - band; j <= i; j++) {
            double sum = a[i][i - j];
            for (int k = i - band < 0 ? 0 : i - band; k < j; k++)
                if (j - k <= band) sum -= a[i][i - k] * a[j][j - k];
            if (i == j) {
                if (sum <= 0) return -1;
                a[i][0] = sqrt(sum);
            } else a[i][i - j] = sum / a[j][0];
        }
    for (int c = 0; c < columns; c++) {
        for (int i = 0; i < n; i++) {
            for (int k = i - band < 0 ? 0 : i - band; k < i; k++) b[i * columns + c] -= a[i][i - k] * b[k * columns + c];
            b[i * columns + c] /= a[i][0];
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n && k - i <= band; k++) b[i * columns + c] -= a[k][k - i] * b[k * columns + c];
            b[i * columns + c] /= a[i][0];
        }
    }
    return 0;
}

static Spline *fit(const double *data, const double *t, int n, int dimension, int degree, int count, double smoothing)
{
    Spline *s = spline_new(degree, count, dimension);
    average_knots(s, t, n);
    double **a = malloc(count * sizeof *a), b[MAX_DEGREE + 1];
    for (int i = 0; i < count; i++) a[i] = calloc(degree + 1, sizeof **a);
    for (int q = 0; q < n; q++) {
        int span = find_span(s, t[q]);
        basis(s, span, t[q], b);
        for (int j = 0; j <= degree; j++) {
            int row = span - degree + j;
            for (int k = 0; k <= j; k++) a[row][j - k] += b[j] * b[k];
            for (int d = 0; d < dimension; d++) s->points[row * dimension + d] += b[j] * data[q * dimension + d];
        }
    }
    for (int i = 0; i < count; i++) a[i][0] += smoothing;
    if (banded_solve(a, count, degree, s->points, dimension) != 0) abort();
    for (int i = 0; i < count; i++) free(a[i]);
    free(a);
    return s;
}

static double length(const Spline *s, int pieces)
{
    static const double at[] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[] = {5. / 9, 8. / 9, 5. / 9};
    Spline *d = derivative(s);
    double sum = 0, out[4];
    for (int i = 0; i < pieces; i++)
        for (int q = 0; q < 3; q++) {
            evaluate(d, (i + 0.5 + 0.5 * at[q]) / pieces, out);
            double square = 0;
            for (int k = 0; k < s->dimension; k++) square += out[k] * out[k];
            sum += weight[q] / (2 * pieces) * sqrt(square);
        }
    spline_free(d);
    return sum;
}

static double surface_at(const Surface *f, double u, double v)
{
    double *rows = malloc(f->u->count * sizeof *rows), value;
    for (int i = 0; i < f->u->count; i++) {
        Spline row = *f->v;
        row.points = f->points + i * f->v->count;
        evaluate(&row, v, rows + i);
    }
    Spline across = *f->u;
    across.points = rows;
    evaluate(&across, u, &value);
    free(rows);
    return value;
}

double bspline(const double *x, int n)
{
    double data[64], t[32], out[2];
    for (int i = 0; i < n; i++) {
        data[2 * i] = i + 0.3 * x[i], data[2 * i + 1] = x[i] * x[(i + 3) % n];
    }
    t[0] = 0;
    for (int i = 1; i < n; i++) t[i] = t[i - 1] + hypot(data[2 * i] - data[2 * i - 2], data[2 * i + 1] - data[2 * i - 1]);
    for (int i = 1; i < n; i++) t[i] /= t[n - 1];
    Spline *curve = fit(data, t, n, 2, 3, n / 2 + 1, 1e-3), *finer = insert_knot(curve, 0.35);
    double sum = length(curve, 8) + 0.5 * length(finer, 8);
    evaluate(finer, 0.6, out);
    sum += out[0] * out[1];
    Surface surface = {spline_new(2, 4, 1), spline_new(3, 5, 1), malloc(20 * sizeof(double))};
    clamp_knots(surface.u), clamp_knots(surface.v);
    for (int i = 0; i < 20; i++) surface.points[i] = sin(x[i % n] + i);
    for (int i = 0; i < 5; i++) sum += surface_at(&surface, 0.15 + 0.17 * i, 0.9 - 0.16 * i);
    free(surface.points);
    spline_free(surface.u), spline_free(surface.v), spline_free(curve), spline_free(finer);
    return sum;
}
