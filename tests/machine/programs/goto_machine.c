/* Loops and exits made of goto. */
double goto_machine(const double *x, int n)
{
    double sum = 0, product = 1;
    int i = 0;
again:
    if (i >= n)
        goto done;
    if (x[i] < 0)
        goto negative;
    sum += x[i] * product;
    goto next;
negative:
    product *= x[i];
    if (product > 4)
        goto done;
next:
    i++;
    goto again;
done:
    return sum * product;
}
