/* Heun's method with a step chosen by its error: how many steps depends on the data. */
#include <math.h>

double adaptive_ode(double y, double rate, double end)
{
    double t = 0, h = 0.1;
    int rejected = 0;
    while (t < end) {
        if (t + h > end)
            h = end - t;
        double k1 = rate * y * cos(t), guess = y + h * k1;
        double k2 = rate * guess * cos(t + h), better = y + 0.5 * h * (k1 + k2);
        double error = fabs(better - guess);
        if (error > 1e-2) {
            h *= 0.5;
            if (++rejected > 100)
                break;
            continue;
        }
        t += h;
        y = better;
        if (error < 1e-3)
            h *= 1.5;
    }
    return y * y + rejected;
}
