/* Predators and prey by Euler's method. */
void euler_ode(double *state, const double *rates, double step, int steps)
{
    for (int i = 0; i < steps; i++) {
        double prey = state[0], predators = state[1];
        state[0] += step * (rates[0] * prey - rates[1] * prey * predators);
        state[1] += step * (rates[2] * prey * predators - rates[3] * predators);
    }
}
