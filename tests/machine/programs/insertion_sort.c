/* Sorting by insertion: memory moves by as much as the data say. */
double insertion_sort(double *x, int n)
{
    for (int i = 1; i < n; i++) {
        double v = x[i];
        int j = i - 1;
        while (j >= 0 && x[j] > v) {
            x[j + 1] = x[j];
            j--;
        }
        x[j + 1] = v;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * (i + 1);
    return sum;
}
