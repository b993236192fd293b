/* A trip count known at run time only, and a scalar carried through the loop. */
double power_loop(double x, int n)
{
    double y = 1;
    for (int i = 0; i < n; i++)
        y = y * x + 0.5 / (i + 1);
    return y;
}
