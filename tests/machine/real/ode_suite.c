/* Solvers of ordinary differential equations behind one interface: methods are tables of functions, equations are callbacks
   with a context. Explicit Runge and Kutta with steps that adapt, Adams and Bashforth, implicit steps by Newton's method
   with Jacobians by differences, a root of an event, dense output. The numbers are parameters and initial values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void Rhs(double t, const double *y, double *dy, void *context);

typedef struct {
    const char *name;
    int size;
    Rhs *rhs;
    void *context;
} Problem;

typedef struct Solver Solver;
typedef struct {
    const char *name;
    size_t words;
    double (*step)(Solver *s, double t, double h, double *y);
    int adaptive;
} Method;

struct Solver {
    const Method *method;
    const Problem *problem;
    double tolerance, *work;
    int calls, rejected, started;
};

static void call(Solver *s, double t, const double *y, double *dy)
{
    s->calls++;
    s->problem->rhs(t, y, dy, s->problem->context);
}

/* -- methods ------------------------------------------------------------------------------------------------------- */

static double rk4(Solver *s, double t, double h, double *y)
{
    int n = s->problem->size;
    double *k[4], *z = s->work + 4 * n;
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
    for (int j = 0; j < 4; j++) {
        k[j] = s->work + j * n;
        for (int i = 0; i < n; i++) z[i] = y[i] + (j ? h * at[j] * k[j - 1][i] : 0);
        call(s, t + at[j] * h, z, k[j]);
    }
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < n; i++) y[i] += h * weight[j] * k[j][i];
    return 0;
}

/* Bogacki and Shampine: of third order, with the error of a second. */
static double bs23(Solver *s, double t, double h, double *y)
{
    int n = s->problem->size;
    double *k1 = s->work, *k2 = k1 + n, *k3 = k2 + n, *k4 = k3 + n, *z = k4 + n, error = 0;
    call(s, t, y, k1);
    for (int i = 0; i < n; i++) z[i] = y[i] + 0.5 * h * k1[i];
    call(s, t + 0.5 * h, z, k2);
    for (int i = 0; i < n; i++) z[i] = y[i] + 0.75 * h * k2[i];
    call(s, t + 0.75 * h, z, k3);
    for (int i = 0; i < n; i++) z[i] = y[i] + h * (2 * k1[i] + 3 * k2[i] + 4 * k3[i]) / 9;
    call(s, t + h, z, k4);
    for (int i = 0; i < n; i++) {
        double other = y[i] + h * (7. / 24 * k1[i] + 0.25 * k2[i] + k3[i] / 3 + 0.125 * k4[i]);
        double e = (z[i] - other) / (s->tolerance * (1 + fabs(y[i])));
        error += e * e / n;
    }
    memcpy(y, z, n * sizeof *y);
    return sqrt(error);
}

static double adams(Solver *s, double t, double h, double *y)
{
    int n = s->problem->size;
    double *before = s->work, *now = before + n;
    call(s, t, y, now);
    if (!s->started) memcpy(before, now, n * sizeof *now), s->started = 1;
    for (int i = 0; i < n; i++) y[i] += h * (1.5 * now[i] - 0.5 * before[i]);
    memcpy(before, now, n * sizeof *now);
    return 0;
}

/* a x = b with the largest pivot of each column; b becomes x. */
static int solve(double *a, double *b, int n)
{
    for (int c = 0; c < n; c++) {
        int p = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[p * n + c])) p = r;
        if (a[p * n + c] == 0) return -1;
        if (p != c) {
            for (int k = 0; k < n; k++) {
                double swap = a[c * n + k];
                a[c * n + k] = a[p * n + k], a[p * n + k] = swap;
            }
            double swap = b[c];
            b[c] = b[p], b[p] = swap;
        }
        for (int r = c + 1; r < n; r++) {
            double factor = a[r * n + c] / a[c * n + c];
            for (int k = c; k < n; k++) a[r * n + k] -= factor * a[c * n + k];
            b[r] -= factor * b[c];
        }
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) b[r] -= a[r * n + k] * b[k];
        b[r] /= a[r * n + r];
    }
    return 0;
}

/* The trapezoidal rule by Newton's method. */
static double trapezoidal(Solver *s, double t, double h, double *y)
{
    int n = s->problem->size;
    double *f = s->work, *z = f + n, *g = z + n, *bumped = g + n, *r = bumped + n, *a = r + n;
    call(s, t, y, f);
    for (int i = 0; i < n; i++) z[i] = y[i] + h * f[i];
    for (int round = 0; round < 8; round++) {
        double size = 0;
        call(s, t + h, z, g);
        for (int i = 0; i < n; i++) r[i] = y[i] + 0.5 * h * (f[i] + g[i]) - z[i];
        for (int j = 0; j < n; j++) {
            double keep = z[j], by = 1e-6 * (1 + fabs(keep));
            z[j] += by;
            call(s, t + h, z, bumped);
            z[j] = keep;
            for (int i = 0; i < n; i++) a[i * n + j] = (i == j) - 0.5 * h * (bumped[i] - g[i]) / by;
        }
        if (solve(a, r, n) != 0) {
            fprintf(stderr, "%s: a singular matrix at %g\n", s->method->name, t);
            return INFINITY;
        }
        for (int i = 0; i < n; i++) z[i] += r[i], size += r[i] * r[i];
        if (size < 1e-26) break;
    }
    memcpy(y, z, n * sizeof *y);
    return 0;
}

static const Method METHODS[] = {
    {"rk4", 5, rk4, 0}, {"bs23", 5, bs23, 1}, {"adams", 2, adams, 0}, {"trapezoidal", 5, trapezoidal, 0}};

/* -- driver -------------------------------------------------------------------------------------------------------- */

static const Method *method_named(const char *name)
{
    for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++)
        if (strcmp(METHODS[i].name, name) == 0) return &METHODS[i];
    return NULL;
}

static int integrate(const Problem *p, const char *name, double end, int steps, double *y)
{
    Solver s = {method_named(name), p, 1e-5, NULL, 0, 0, 0};
    if (!s.method) return -1;
    s.work = malloc((s.method->words * p->size + p->size * p->size) * sizeof *s.work);
    double t = 0, h = end / steps, *trial = malloc(p->size * sizeof *trial);
    while (t < end - 1e-12) {
        if (t + h > end) h = end - t;
        memcpy(trial, y, p->size * sizeof *y);
        double error = s.method->step(&s, t, h, trial);
        if (s.method->adaptive && error > 1 && h > 1e-6) {
            s.rejected++;
            h *= 0.5;
            continue;
        }
        t += h;
        memcpy(y, trial, p->size * sizeof *y);
        if (s.method->adaptive && error < 0.1) h *= 1.5;
    }
    free(trial);
    free(s.work);
    return s.calls;
}

/* -- equations ----------------------------------------------------------------------------------------------------- */

static void lotka_volterra(double t, const double *y, double *dy, void *context)
{
    const double *p = context;
    (void)t;
    dy[0] = p[0] * y[0] - p[1] * y[0] * y[1];
    dy[1] = p[2] * y[0] * y[1] - p[3] * y[1];
}

static void oscillator(double t, const double *y, double *dy, void *context)
{
    const double *p = context;
    dy[0] = y[1];
    dy[1] = p[4] * (1 - y[0] * y[0]) * y[1] - y[0] + 0.3 * p[5] * sin(t);
}

typedef struct { int cells; const double *p; } Rod;

static void heat(double t, const double *y, double *dy, void *context)
{
    const Rod *rod = context;
    for (int i = 0; i < rod->cells; i++) {
        double left = i ? y[i - 1] : rod->p[6], right = i + 1 < rod->cells ? y[i + 1] : 0.2;
        dy[i] = 4 * rod->p[7] * (left - 2 * y[i] + right) + 0.1 * exp(-t) * y[i];
    }
}

double ode_suite(const double *x, int n)
{
    Rod rod = {6, x};
    Problem problems[] = {
        {"predators", 2, lotka_volterra, (void *)x}, {"oscillator", 2, oscillator, (void *)x}, {"heat", 6, heat, &rod}};
    double sum = 0, y[8];
    for (int m = 0; m < 4; m++)
        for (int q = 0; q < 3; q++) {
            const Problem *p = &problems[q];
            for (int i = 0; i < p->size; i++) y[i] = 0.5 + x[(i + q) % n];
            if (integrate(p, METHODS[m].name, 0.8, 24, y) < 0) return -1;
            for (int i = 0; i < p->size; i++) sum += (1 + 0.1 * m) * y[i] * y[i];
        }
    return sum;
}
