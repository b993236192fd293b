/* Digits that carry derivatives: a number read in a base that is differentiated, until a mark that ends it. */
double active_parser(const double *digits, double base)
{
    double total = 0;
    const double *at = digits;
    while (*at >= 0) {
        double value = 0, weight = 1;
        while (*at >= 0 && *at < 10)
            value = value * base + *at++;
        if (*at >= 10) {
            at++;
            while (*at >= 0 && *at < 10) {
                weight /= base;
                value += weight * *at++;
            }
        }
        total += value;
        if (*at >= 10)
            at++;
    }
    return total;
}
