/* Functions of a variable number of arguments: of the program's own, and such that hand theirs on to printf. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static double weighted(int count, ...)
{
    va_list list;
    double sum = 0;
    va_start(list, count);
    for (int i = 0; i < count; i++) {
        double value = va_arg(list, double);
        int weight = va_arg(list, int);
        sum += weight * value * value;
    }
    va_end(list);
    return sum;
}

double of_numbers(const double *x, int n)
{
    return weighted(3, x[0], 1, x[1], 2, x[2], 3) + weighted(1, x[3] * x[4], 2) + sin(x[n - 1]);
}

static double product(int count, va_list list)
{
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double *value = va_arg(list, const double *);
        sum += *value * *value;
    }
    return sum;
}

static double twice(int count, ...)
{
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double result = product(count, list) * product(count, again);
    va_end(again);
    va_end(list);
    return result;
}

double of_pointers(const double *x, int n)
{
    return twice(2, x, x + 1) + x[n - 1];
}

static int message(char *text, size_t room, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int used = vsnprintf(text, room, format, list);
    va_end(list);
    return used;
}

double with_messages(const double *x, int n)
{
    char text[80];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
        if (message(text, sizeof text, "%s %d: %.3f", "round", i, sum) < 10) return -1;
    }
    return sum + (text[6] == '0' + n - 1 ? x[0] : 0);
}
