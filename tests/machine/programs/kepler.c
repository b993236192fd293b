/* Where a planet is: Kepler's equation solved by Newton's method in a do-while. */
#include <math.h>

void kepler(const double *times, double *positions, int n, double eccentricity, double period)
{
    for (int i = 0; i < n; i++) {
        double anomaly = 2 * 3.14159265358979323846 * times[i] / period, e = anomaly, move;
        int left = 30;
        do {
            move = (e - eccentricity * sin(e) - anomaly) / (1 - eccentricity * cos(e));
            e -= move;
        } while (fabs(move) > 1e-13 && --left);
        positions[2 * i] = cos(e) - eccentricity;
        positions[2 * i + 1] = sqrt(1 - eccentricity * eccentricity) * sin(e);
    }
}
