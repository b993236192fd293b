// Bytes that are copied one after the other between memory that may overlap.

static void forth(void *to, const void *from, unsigned long n) {
    unsigned char *p = to;
    const unsigned char *q = from;
    for (unsigned long i = 0; i < n; i++) p[i] = q[i];
}

static double sum(const double *b) {
    double r = 0;
    for (int i = 0; i < 8; i++) r += b[i] * b[i] * (i + 1);
    return r;
}

// n = 0, 1, 4
double loop_up(const double *x, long n) {
    double b[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1);
    forth(b + 2, b, n * sizeof *b);
    return sum(b);
}

// n = 1, 3, 6
double loop_next(const double *x, long n) {
    double b[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1);
    forth(b + 1, b, n * sizeof *b);
    return sum(b);
}

// n = 2, 5
double loop_down(const double *x, long n) {
    double b[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1);
    forth(b, b + 2, n * sizeof *b);
    return sum(b);
}

// n = 1, 2, 3
double loop_either(const double *x, long n) {
    double b[8], c[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1), c[i] = x[i & 1] + i;
    double *p = n & 1 ? b : c, *q = n & 2 ? b + 3 : c + 1;
    forth(p, q, (n + 2) * sizeof *b);
    return sum(b) + sum(c);
}

// n = 0, 1, 2, 5
double loop_one(const double *x, long n) {
    double b[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1);
    forth(b + n, b + n / 2, sizeof *b);
    return sum(b);
}

// n = 1, 4
double loop_floats(const double *x, long n) {
    float b[8];
    double r = 0;
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1);
    forth(b + 2, b, n * sizeof *b);
    for (int i = 0; i < 8; i++) r += b[i] * b[i];
    return r;
}

// n = 1, 3
double loop_structs(const double *x, long n) {
    struct { double d; int i; } b[4];
    double r = 0;
    for (int i = 0; i < 4; i++) b[i].d = x[i] * x[i], b[i].i = i + 1;
    forth(b + 1, b, n * sizeof *b);
    for (int i = 0; i < 4; i++) r += b[i].d * b[i].i;
    return r;
}

// n = 1, 3
double loop_constants(const double *x, long n) {
    double b[8], c[8];
    for (int i = 0; i < 8; i++) b[i] = x[i & 3] * (i + 1), c[i] = i * 0.5;
    forth(b + (n & 1), c, n * sizeof *b);
    return sum(b);
}
