/* The price of an option by simulation, with a random number generator of integers. */
#include <math.h>
#include <stdint.h>

static double uniform(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) / 9007199254740992.0;
}

double monte_carlo(double spot, double strike, double rate, double volatility, int paths)
{
    uint64_t state = 88172645463325252u;
    double sum = 0;
    for (int i = 0; i < paths; i++) {
        double normal = 0;
        for (int k = 0; k < 12; k++)
            normal += uniform(&state);
        double price = spot * exp(rate - 0.5 * volatility * volatility + volatility * (normal - 6));
        if (price > strike)
            sum += price - strike;
    }
    return exp(-rate) * sum / paths;
}
