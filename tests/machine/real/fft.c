/* Fourier transforms: plans with twiddle factors, mixed radices 2, 3 and 5, Bluestein's way for other lengths, transforms of
   real numbers, convolution, windows, a spectrum and a filter. The numbers are samples of a signal. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double complex Complex;

typedef struct Plan {
    int n, factor_count, factors[16];
    Complex *twiddles, *scratch;
    struct Plan *inner;
    Complex *chirp, *kernel;
} Plan;

#define PI 3.14159265358979323846

static Complex turn(double part) { return cos(2 * PI * part) + I * sin(2 * PI * part); }

static int factorise(int n, int *factors)
{
    static const int radices[] = {5, 3, 2};
    int count = 0;
    for (int r = 0; r < 3; r++)
        while (n % radices[r] == 0) {
            factors[count++] = radices[r];
            n /= radices[r];
        }
    return n == 1 ? count : -1;
}

static void execute(const Plan *plan, Complex *x, int sign);

static Plan *plan_new(int n)
{
    Plan *plan = calloc(1, sizeof *plan);
    plan->n = n;
    plan->factor_count = factorise(n, plan->factors);
    plan->scratch = malloc(n * sizeof *plan->scratch);
    if (plan->factor_count >= 0) {
        plan->twiddles = malloc(n * sizeof *plan->twiddles);
        for (int k = 0; k < n; k++) plan->twiddles[k] = turn(-(double)k / n);
        return plan;
    }
    int wide = 1;
    while (wide < 2 * n - 1) wide *= 2;
    plan->inner = plan_new(wide);
    plan->chirp = malloc(n * sizeof *plan->chirp);
    plan->kernel = calloc(wide, sizeof *plan->kernel);
    for (int k = 0; k < n; k++) plan->chirp[k] = turn(-0.5 * (double)((long)k * k % (2 * n)) / n);
    plan->kernel[0] = conj(plan->chirp[0]);
    for (int k = 1; k < n; k++) plan->kernel[k] = plan->kernel[wide - k] = conj(plan->chirp[k]);
    execute(plan->inner, plan->kernel, -1);
    return plan;
}

static void plan_free(Plan *plan)
{
    if (!plan) return;
    plan_free(plan->inner);
    free(plan->twiddles), free(plan->scratch), free(plan->chirp), free(plan->kernel);
    free(plan);
}

static Complex twiddle(const Plan *plan, int k, int sign)
{
    Complex w = plan->twiddles[k % plan->n];
    return sign < 0 ? w : conj(w);
}

/* One level: `radix` transforms of every radix-th number, then butterflies. */
static void split(const Plan *plan, Complex *out, const Complex *in, int n, int step, int level, int sign)
{
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    int radix = plan->factors[level], m = n / radix;
    for (int r = 0; r < radix; r++) split(plan, out + r * m, in + r * step, m, step * radix, level + 1, sign);
    for (int k = 0; k < m; k++) {
        Complex part[5], sum;
        for (int r = 0; r < radix; r++) part[r] = out[r * m + k] * twiddle(plan, r * k * step, sign);
        if (radix == 2) {
            out[k] = part[0] + part[1];
            out[k + m] = part[0] - part[1];
            continue;
        }
        for (int q = 0; q < radix; q++) {
            sum = part[0];
            for (int r = 1; r < radix; r++) sum += part[r] * twiddle(plan, q * r * (plan->n / radix), sign);
            out[q * m + k] = sum;
        }
    }
}

/* A transform of any length as a convolution with a chirp. */
static void bluestein(const Plan *plan, Complex *x, int sign)
{
    int n = plan->n, wide = plan->inner->n;
    Complex *a = calloc(wide, sizeof *a);
    for (int k = 0; k < n; k++) a[k] = (sign < 0 ? x[k] : conj(x[k])) * plan->chirp[k];
    execute(plan->inner, a, -1);
    for (int k = 0; k < wide; k++) a[k] *= plan->kernel[k];
    execute(plan->inner, a, 1);
    for (int k = 0; k < n; k++) {
        Complex y = a[k] * plan->chirp[k] / wide;
        x[k] = sign < 0 ? y : conj(y);
    }
    free(a);
}

static void execute(const Plan *plan, Complex *x, int sign)
{
    if (plan->inner) {
        bluestein(plan, x, sign);
        return;
    }
    memcpy(plan->scratch, x, plan->n * sizeof *x);
    split(plan, x, plan->scratch, plan->n, 1, 0, sign);
}

/* -- signals ------------------------------------------------------------------------------------------------------- */

typedef double Window(double at);

static double hann(double at) { return 0.5 - 0.5 * cos(2 * PI * at); }
static double blackman(double at) { return 0.42 - 0.5 * cos(2 * PI * at) + 0.08 * cos(4 * PI * at); }
static double rectangle(double at) { return at >= 0; }

static void spectrum(const double *signal, int n, Window *window, double *power)
{
    Plan *plan = plan_new(n);
    Complex *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = signal[i] * window((i + 0.5) / n);
    execute(plan, x, -1);
    for (int k = 0; k <= n / 2; k++) power[k] = (creal(x[k]) * creal(x[k]) + cimag(x[k]) * cimag(x[k])) / n;
    free(x);
    plan_free(plan);
}

static void convolve(const double *a, int na, const double *b, int nb, double *out)
{
    int n = 1;
    while (n < na + nb - 1) n *= 2;
    Plan *plan = plan_new(n);
    Complex *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (int i = 0; i < na; i++) x[i] = a[i];
    for (int i = 0; i < nb; i++) y[i] = b[i];
    execute(plan, x, -1), execute(plan, y, -1);
    for (int i = 0; i < n; i++) x[i] *= y[i];
    execute(plan, x, 1);
    for (int i = 0; i < na + nb - 1; i++) out[i] = creal(x[i]) / n;
    free(x), free(y);
    plan_free(plan);
}

static void low_pass(double *signal, int n, double cut)
{
    Plan *plan = plan_new(n);
    Complex *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = signal[i];
    execute(plan, x, -1);
    for (int k = 0; k < n; k++) {
        double frequency = (k <= n / 2 ? k : n - k) / (double)n;
        x[k] /= 1 + pow(frequency / cut, 4);
    }
    execute(plan, x, 1);
    for (int i = 0; i < n; i++) signal[i] = creal(x[i]) / n;
    free(x);
    plan_free(plan);
}

/* A delay by part of a sample: each frequency turns by its own angle. */
static void delay(double *signal, int n, double samples)
{
    Plan *plan = plan_new(n);
    Complex *x = malloc(n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = signal[i];
    execute(plan, x, -1);
    for (int k = 0; k < n; k++) {
        int frequency = 2 * k < n ? k : k - n;
        x[k] *= 2 * k == n ? cos(PI * samples) : cexp(-2 * I * PI * frequency * samples / n);
    }
    execute(plan, x, 1);
    for (int i = 0; i < n; i++) signal[i] = creal(x[i]) / n;
    free(x);
    plan_free(plan);
}

double fft(const double *x, int n)
{
    static Window *const windows[] = {hann, blackman, rectangle};
    static const int lengths[] = {30, 32, 21};
    double signal[32], power[17], filtered[63], sum = 0;
    for (int q = 0; q < 3; q++) {
        int length = lengths[q];
        for (int i = 0; i < length; i++) signal[i] = x[i % n] * sin(0.7 * i + q) + 0.2 * x[(i * 5 + 1) % n];
        spectrum(signal, length, windows[q], power);
        for (int k = 0; k <= length / 2; k++) sum += log(0.1 + power[k]) * (1 + k % 3);
        convolve(signal, length, x, n, filtered);
        delay(signal, length, 0.3 * x[q + 1]);
        for (int i = 0; i < length; i++) sum += 0.1 * signal[i] * signal[i] * x[i % n];
        low_pass(filtered, length + n - 1, 0.1 + 0.1 * x[q]);
        for (int i = 0; i < length + n - 1; i++) sum += 0.05 * filtered[i] * filtered[i] * filtered[i];
    }
    return sum;
}
