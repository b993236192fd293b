/* Duff's device: a jump into the middle of a loop. */
double duff(const double *x, int n)
{
    double sum = 0;
    int i = 0, rounds = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            sum = sum * 0.9 + x[i] * x[i];
            i++;
    case 3:
            sum = sum * 0.8 + x[i];
            i++;
    case 2:
            sum = sum * 0.7 + x[i] * 2;
            i++;
    case 1:
            sum = sum * 0.6 + x[i] * x[i] * x[i];
            i++;
        } while (--rounds > 0);
    }
    return sum;
}
