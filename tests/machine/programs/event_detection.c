/* A ball that bounces: the moment it hits the floor decides what happens next. */
#include <math.h>

double event_detection(double height, double bounce, double gravity)
{
    double y = height, v = 0, t = 0;
    for (int hits = 0; hits < 4;) {
        double step = 0.1, next = y + step * v - 0.5 * gravity * step * step;
        if (next < 0) { /* it hits within the step: when exactly? */
            step = (v + sqrt(v * v + 2 * gravity * y)) / gravity;
            v = -(v - gravity * step) * bounce;
            y = 0;
            hits++;
            if (v < 0.3)
                break;
        } else {
            y = next;
            v -= gravity * step;
        }
        t += step;
    }
    return t + v;
}
