/* Prices of options, in one output array for each kind. */
#include <math.h>

static double normal(double x) { return 0.5 * (1 + erf(x / sqrt(2.0))); }

void black_scholes(const double *spot, const double *strike, double rate, double volatility, double time, double *call,
                   double *put, int n)
{
    double root = volatility * sqrt(time), discount = exp(-rate * time);
    for (int i = 0; i < n; i++) {
        double d = (log(spot[i] / strike[i]) + (rate + 0.5 * volatility * volatility) * time) / root;
        call[i] = spot[i] * normal(d) - strike[i] * discount * normal(d - root);
        put[i] = call[i] - spot[i] + strike[i] * discount;
    }
}
