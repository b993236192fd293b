/* memcpy, memmove (with overlap) and memset of structs and arrays. */
#include <string.h>

typedef struct { double a; int tag; double b[2]; } Record;

double mem_functions(const double *x, int n)
{
    Record first, second, records[4];
    double window[12], sum = 0;
    memset(records, 0, sizeof records);
    memset(window, 0, sizeof window);
    first = (Record){x[0], 3, {x[1], x[2]}};
    memcpy(&second, &first, sizeof first);
    second.a *= x[3];
    memcpy(&records[second.tag], &second, sizeof second);
    memcpy(window, x, n * sizeof(double));
    memmove(window + 2, window, n * sizeof(double));
    memmove(window, window + 1, n * sizeof(double));
    memset(window + 4, 0, sizeof(double));
    for (int i = 0; i < 4; i++)
        sum += records[i].a * records[i].b[0] + records[i].b[1] * records[i].tag;
    for (int i = 0; i < 12; i++)
        sum += window[i] * window[i] * (i + 1);
    return sum;
}
