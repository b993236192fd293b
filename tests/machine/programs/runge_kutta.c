/* The classical Runge-Kutta method, with the right-hand side as a function pointer and its parameters behind void*. */
#include <math.h>

typedef void (*Field)(double, const double *, double *, const void *);

typedef struct { double damping, force; } Pendulum;

static void pendulum(double t, const double *y, double *dy, const void *context)
{
    const Pendulum *p = context;
    dy[0] = y[1];
    dy[1] = -sin(y[0]) - p->damping * y[1] + p->force * cos(t);
}

__attribute__((noinline)) static void step(Field f, double t, double h, double *y, const void *context)
{
    double k1[2], k2[2], k3[2], k4[2], z[2];
    f(t, y, k1, context);
    for (int i = 0; i < 2; i++) z[i] = y[i] + 0.5 * h * k1[i];
    f(t + 0.5 * h, z, k2, context);
    for (int i = 0; i < 2; i++) z[i] = y[i] + 0.5 * h * k2[i];
    f(t + 0.5 * h, z, k3, context);
    for (int i = 0; i < 2; i++) z[i] = y[i] + h * k3[i];
    f(t + h, z, k4, context);
    for (int i = 0; i < 2; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

double runge_kutta(double *y, double damping, double force, int steps)
{
    Pendulum p = {damping, force};
    double h = 3.0 / steps, energy = 0;
    for (int i = 0; i < steps; i++) {
        step(pendulum, i * h, h, y, &p);
        energy += 0.5 * y[1] * y[1] - cos(y[0]);
    }
    return energy;
}
