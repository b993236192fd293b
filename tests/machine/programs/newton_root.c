/* Newton's iteration until it converges, from a first guess. */
#include <math.h>

double newton_root(double a, double b)
{
    double x = 1;
    for (int i = 0; i < 50; i++) {
        double f = x * x * x + a * x - b, slope = 3 * x * x + a;
        double move = f / slope;
        x -= move;
        if (fabs(move) < 1e-14)
            break;
    }
    return x;
}
