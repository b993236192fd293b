/* while (1) with two ways out. */
#include <math.h>

double while_break(double x, double y)
{
    double sum = 0;
    int i = 0;
    while (1) {
        x = 0.9 * x + 0.05 * sin(y);
        if (x < 0.2)
            break;
        sum += x * y;
        y *= 1.1;
        if (y > 6) {
            sum *= y;
            break;
        }
        i++;
    }
    return sum + x * i;
}
