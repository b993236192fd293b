// Loops in time, whose rounds are run again by derivatives that keep few states.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In place.
double heat(double *u, int n, int steps, double k) {
  for (int t = 0; t < steps; ++t) {
    double left = u[0];
    for (int i = 1; i < n - 1; ++i) {
      double here = u[i];
      u[i] = here + k * (left - 2 * here + u[i + 1]) + 0.01 * sin(here) * here;
      left = here;
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i) s += u[i] * u[i];
  return s;
}

// Two arrays that are swapped by their pointers.
double leapfrog(const double *u0, double *a, double *b, int n, int steps) {
  memcpy(a, u0, n * sizeof *a);
  memcpy(b, u0, n * sizeof *b);
  double *now = a, *old = b;
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      old[i] = 2 * now[i] - old[i] + 0.1 * (now[i - 1] - 2 * now[i] + now[i + 1]) - 0.05 * now[i] * now[i] * now[i];
    double *swapped = now;
    now = old;
    old = swapped;
  }
  double e = 0;
  for (int i = 0; i < n; ++i) e += now[i] * now[i];
  return e;
}

// Until it has converged: nobody knows when.
double root(double a) {
  double x = a;
  int n = 0;
  while (fabs(x * x - a) > 1e-13 * a && n < 1000) {
    x -= 0.1 * (x * x - a) / (2 * x);
    n++;
  }
  return x;
}

// Left early, with local memory.
double decay(const double *x, int steps, double least) {
  double y[8];
  for (int i = 0; i < 8; ++i) y[i] = x[i];
  int t = 0;
  for (; t < steps; ++t) {
    double r = 0;
    for (int i = 0; i < 8; ++i) {
      y[i] = 0.97 * sin(y[i]);
      r += y[i] * y[i];
    }
    if (r < least) break;
  }
  double s = 0;
  for (int i = 0; i < 8; ++i) s += y[i];
  return s * t;
}

// Loops in loops, with memory from the heap.
double plate(const double *x, int n, int m, int steps) {
  double *u = malloc(n * m * sizeof *u), *v = malloc(n * m * sizeof *v);
  for (int i = 0; i < n * m; ++i) u[i] = v[i] = x[i];
  for (int t = 0; t < steps; ++t) {
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) {
        double *c = u + i * m + j;
        v[i * m + j] = *c + 0.1 * (c[-1] + c[1] + c[-m] + c[m] - 4 * *c) - 0.01 * *c * *c;
      }
    for (int i = 1; i < n - 1; ++i)
      for (int j = 1; j < m - 1; ++j) u[i * m + j] = v[i * m + j];
  }
  double s = 0;
  for (int i = 0; i < n * m; ++i) s += u[i] * u[i] * u[i];
  free(u);
  free(v);
  return s;
}

// What it reads is overwritten afterwards, and it leaves a history.
double history(double *x, double *c, double *sums, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    double s = 0;
    for (int i = 0; i < n; ++i) {
      x[i] = c[i] * sin(x[i]);
      s += x[i];
    }
    sums[t] = s;
  }
  for (int i = 0; i < n; ++i) c[i] = 0;
  double s = 0;
  for (int t = 0; t < steps; ++t) s += sums[t] * sums[t];
  return s;
}

// Two halves of one array, by turns.
double halves(const double *x, int n, int steps) {
  double u[2][16];
  for (int i = 0; i < 16; ++i) u[0][i] = u[1][i] = i < n ? x[i] : 0;
  for (int t = 0; t < steps; ++t)
    for (int i = 1; i < 15; ++i)
      u[(t + 1) % 2][i] = 0.5 * sin(u[t % 2][i]) + 0.25 * (u[t % 2][i - 1] + u[t % 2][i + 1]);
  double s = 0;
  for (int i = 0; i < 16; ++i) s += u[steps % 2][i];
  return s;
}

// Memory of a round's own.
double scratch(double *x, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    double *w = malloc(n * sizeof *w);
    for (int i = 0; i < n; ++i) w[i] = sin(x[i]);
    for (int i = 0; i < n; ++i) x[i] = 0.5 * w[i] + 0.4 * w[n - 1 - i] * w[i];
    free(w);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i];
  return s;
}

// In a function that is called twice, so that its memory changes after its loop.
__attribute__((noinline)) static void simulate(double *x, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i) x[i] = 0.9 * sin(x[i]) + 0.1 * x[i] * x[i];
}

double twice(double *x, double *y, int n, int steps) {
  simulate(x, n, steps);
  for (int i = 0; i < n; ++i) y[i] = x[i] * y[i];
  simulate(x, n, steps + 3);
  simulate(y, n, steps);
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * y[i];
  return s;
}

// Results in memory: a Jacobian takes several directions at once.
void flow(const double *x, double *y, int n, int steps) {
  for (int i = 0; i < n; ++i) y[i] = x[i];
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i) y[i] = 0.9 * sin(y[i]) + 0.05 * y[(i + 1) % n] * x[i];
}

// A pointer that moves on, a list, and a text: what can't be put back is left as it is.
double prints(double x, int n) {
  for (int i = 0; i < n; ++i) {
    x = 1.1 * sin(x);
    if (x > 1e9) printf("%g\n", x);
  }
  return x;
}

double spread(double *x, const int *where, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i) x[where[i]] = sin(x[i]);
  return x[0];
}

double prefix(double *x, int n) {
  for (int i = 1; i < n; ++i) x[i] = sin(x[i]) * x[i - 1];
  return x[n - 1];
}

// What a round writes, another reads by an address from a table.
double table(double *x, double **rows, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    for (int i = 0; i < n; ++i) x[i] = 0.9 * sin(rows[0][i]) + 0.1 * rows[1][n - 1 - i];
  return x[0];
}

double by_table(const double *x, int n, int steps) {
  double u[16];
  for (int i = 0; i < n; ++i) u[i] = x[i];
  double *rows[2] = {u, u};
  return table(u, rows, n, steps);
}

// One of two arrays, the other of which is too short.
double either(double *x, double *y, int n, int which, int steps) {
  double *chosen = which ? x : y;
  for (int t = 0; t < steps; ++t) {
    double *now = t % 2 ? chosen : x;
    for (int i = 0; i < n; ++i) now[i] = sin(now[i]) * 1.1;
  }
  return x[0] * x[1];
}

// An address that goes on, by as much as what is found there says.
double words(const double *x, double base) {
  double total = 0;
  while (*x >= 0) {
    double value = 0;
    while (*x >= 0 && *x < 10) value = value * base + *x++;
    total += value;
    if (*x >= 10) x++;
  }
  return total;
}

void steps(double *x, const int *far, int n, int rounds) {
  double *at = x;
  for (int t = 0; t < rounds; ++t) {
    *at = sin(*at) + x[0];
    at += far[t % n];
  }
}

// A loop that calls, with memory of this function's, some of which comes later.
__attribute__((noinline)) static void turn(double *u, double *v, int n) {
  for (int i = 0; i < n; ++i) v[i] = sin(u[i]) + 0.1 * u[(i + 1) % n];
  for (int i = 0; i < n; ++i) u[i] = 0.9 * v[i];
}

double calls(const double *x, int n, int rounds) {
  double u[16], *v = malloc(n * sizeof *v);
  for (int i = 0; i < n; ++i) u[i] = x[i];
  for (int t = 0; t < rounds; ++t) turn(u, v, n);
  double *w = malloc(n * sizeof *w), s = 0;
  turn(u, w, n);
  for (int i = 0; i < n; ++i) s += u[i] * w[i] + v[i];
  free(v);
  free(w);
  return s;
}

double entered(double x, int how, int rounds) {
  int t = 0;
  switch (how) {
    case 0: x *= 2;
    case 1:
    case 4:
    case 7:
      do x = sin(x) * 1.1; while (++t < rounds);
      break;
    default: x = x * x;
  }
  return x;
}
