/* How often the loops run depends on the data. */
double data_dependent(double x, double y)
{
    double sum = 0;
    while (x > 0.3) {
        double z = y;
        while (z < 5) {
            sum += z * x;
            z *= 1.7 + 0.1 * x;
        }
        x *= 0.8;
    }
    return sum + x * y;
}
