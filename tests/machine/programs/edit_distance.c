/* The cheapest way from one series to another: hard minima over a table, integers deciding the costs. */
double edit_distance(const int *a, int n, const int *b, int m, const double *costs)
{
    double row[m + 1], previous;
    for (int j = 0; j <= m; j++)
        row[j] = j * costs[0];
    for (int i = 1; i <= n; i++) {
        previous = row[0];
        row[0] = i * costs[1];
        for (int j = 1; j <= m; j++) {
            double change = previous + (a[i - 1] == b[j - 1] ? 0 : costs[2] * costs[2]);
            previous = row[j];
            double drop = row[j] + costs[1], add = row[j - 1] + costs[0];
            row[j] = change < drop ? (change < add ? change : add) : (drop < add ? drop : add);
        }
    }
    return row[m];
}
