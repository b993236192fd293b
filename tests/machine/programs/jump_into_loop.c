/* A loop that is entered in its middle, or at its head, as the data say; and a way back to before it. */
double jump_into_loop(double *x, int n, double a)
{
    double s = a, t = 1;
    int i = 0, restarts = 0;
restart:
    if (x[i] < 0)
        goto middle;
    while (i < n) {
        s += x[i] * t;
        x[i] *= s;
    middle:
        t = t * 0.5 + s * x[i] * 0.25;
        i++;
        if (t > 3 && restarts < 2 && i < n) {
            restarts++;
            t = 1 / t;
            goto restart;
        }
    }
    return s * t;
}
