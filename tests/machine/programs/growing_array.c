/* An array that grows by realloc as values come. */
#include <stdlib.h>

double growing_array(const double *x, int n)
{
    int room = 2, count = 0;
    double *values = malloc(room * sizeof(double)), sum = 0;
    for (int i = 0; i < n; i++)
        for (double v = x[i]; v > 0.1; v *= 0.6) {
            if (count == room) {
                room *= 2;
                values = realloc(values, room * sizeof(double));
            }
            values[count++] = v * v;
        }
    for (int i = 0; i < count; i++)
        sum += values[i] * values[count - 1 - i];
    free(values);
    return sum;
}
