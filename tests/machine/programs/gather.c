/* An array of pointers into an array, shuffled, written and read through. */
double gather(double *x, const int *order, int n)
{
    double *places[16], sum = 0;
    for (int i = 0; i < n; i++)
        places[i] = x + order[i];
    for (int i = 0; i + 1 < n; i++) {
        double *swap = places[i];
        places[i] = places[n - 1 - i];
        places[n - 1 - i] = swap;
        *places[i] *= *places[i + 1];
    }
    for (int i = 0; i < n; i++)
        sum += *places[i] * (i + 1);
    return sum;
}
