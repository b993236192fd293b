/* A generator that goes on where it left off, in the inner of two loops: the state machine that a switch into loops is. */
struct state {
    int line, i, j;
    double sum;
};

static double next(struct state *s, const double *x, int n)
{
    switch (s->line) {
    case 0:
        for (s->i = 0; s->i < n; s->i++) {
            s->sum = 0.5 * s->sum + x[s->i];
            if (s->sum > 1) {
                s->line = 1;
                return s->sum;
            }
    case 1:
            for (s->j = 0; s->j < s->i; s->j++) {
                s->sum += x[s->i] * x[s->j];
                if (s->sum < 0.5) {
                    s->line = 2;
                    return s->sum * s->sum;
                }
    case 2:
                s->sum *= 0.9;
            }
        }
    }
    s->line = 3;
    return s->sum;
}

double coroutine(const double *x, int n)
{
    struct state s = {0, 0, 0, 0.1};
    double product = 1;
    for (int k = 0; k < 40 && s.line != 3; k++)
        product = 0.8 * product + next(&s, x, n);
    return product;
}
