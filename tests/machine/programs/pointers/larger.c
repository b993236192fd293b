/* The larger and the smaller of two addresses, and addresses that the compiler aligns. */
#include <stdint.h>

static uintptr_t larger(uintptr_t a, uintptr_t b)
{
    return a > b ? a : b;
}

double f(double *x, long n)
{
    double squares[12];
    double *begin = (double *)__builtin_align_up((char *)squares + 8, 32);
    for (long i = 0; i < n; i++)
        begin[i] = x[i] * x[i];
    double *last = (double *)larger((uintptr_t)(begin + 1), (uintptr_t)(begin + n - 3));
    double *even = (double *)__builtin_align_down((char *)(begin + n / 2 + 1), 16);
    double sum = *even * begin[1];
    uintptr_t distance = larger((uintptr_t)last, (uintptr_t)begin) - (uintptr_t)begin;
    for (double *p = begin; (uintptr_t)p < (uintptr_t)begin + distance; p++)
        sum += *p * *last;
    return sum + *(double *)((char *)even + distance / 2 / 8 * 8);
}
