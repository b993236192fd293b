/* Returns, breaks and continues out of nested loops. */
double early_return(const double *x, int n, double limit)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            continue;
        for (int j = i; j < n; j++) {
            if (x[j] > 2.5)
                break;
            sum += x[i] * x[j];
            if (sum > 40)
                return sum * x[i] - limit * limit;
        }
        if (sum > limit)
            return sum * sum;
    }
    return sum + limit;
}
