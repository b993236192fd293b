/* Batcher's network for eight numbers, in place. */
static void exchange(double *x, int i, int j)
{
    double low = x[i] < x[j] ? x[i] : x[j], high = x[i] < x[j] ? x[j] : x[i];
    x[i] = low;
    x[j] = high;
}

void sorting_network(double *x)
{
    static const int pairs[19][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3}, {4, 6}, {5, 7}, {1, 2}, {5, 6},
                                     {0, 4}, {1, 5}, {2, 6}, {3, 7}, {2, 4}, {3, 5}, {1, 2}, {3, 4}, {5, 6}};
    for (int i = 0; i < 19; i++)
        exchange(x, pairs[i][0], pairs[i][1]);
    for (int i = 1; i < 8; i++)
        x[i] += x[i - 1] * x[i];
}
