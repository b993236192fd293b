/* Bodies that attract each other: an array of structs, stepped in place. */
#include <math.h>

typedef struct { double position[3], velocity[3], mass; } Body;

double n_body(Body *bodies, int n, double step, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++) {
                double d[3], square = 0.1;
                for (int k = 0; k < 3; k++) {
                    d[k] = bodies[i].position[k] - bodies[j].position[k];
                    square += d[k] * d[k];
                }
                double force = step / (square * sqrt(square));
                for (int k = 0; k < 3; k++) {
                    bodies[i].velocity[k] -= d[k] * bodies[j].mass * force;
                    bodies[j].velocity[k] += d[k] * bodies[i].mass * force;
                }
            }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < 3; k++)
                bodies[i].position[k] += step * bodies[i].velocity[k];
    }
    double energy = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++)
            energy += 0.5 * bodies[i].mass * bodies[i].velocity[k] * bodies[i].velocity[k];
    return energy;
}
