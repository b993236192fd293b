/* A natural cubic spline through given points: Thomas's elimination, then a search for the piece. */
static int piece(const double *x, int n, double at)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (x[middle] > at)
            high = middle;
        else
            low = middle;
    }
    return low;
}

void spline(const double *x, const double *y, int n, const double *at, double *out, int count)
{
    double bend[n], work[n];
    bend[0] = work[0] = 0;
    for (int i = 1; i < n - 1; i++) {
        double ratio = (x[i] - x[i - 1]) / (x[i + 1] - x[i - 1]), pivot = ratio * bend[i - 1] + 2;
        double jump = (y[i + 1] - y[i]) / (x[i + 1] - x[i]) - (y[i] - y[i - 1]) / (x[i] - x[i - 1]);
        bend[i] = (ratio - 1) / pivot;
        work[i] = (6 * jump / (x[i + 1] - x[i - 1]) - ratio * work[i - 1]) / pivot;
    }
    bend[n - 1] = 0;
    for (int i = n - 2; i >= 0; i--)
        bend[i] = bend[i] * bend[i + 1] + work[i];
    for (int k = 0; k < count; k++) {
        int i = piece(x, n, at[k]);
        double h = x[i + 1] - x[i], a = (x[i + 1] - at[k]) / h, b = (at[k] - x[i]) / h;
        out[k] = a * y[i] + b * y[i + 1] + ((a * a * a - a) * bend[i] + (b * b * b - b) * bend[i + 1]) * h * h / 6;
    }
}
