// Copies and fills of memory in which numbers and pointers take turns: only its shadow tells which is where.
#include <string.h>
#include <stdlib.h>

typedef union { double d; double *p; long i; } word;

// n = 0, 1, 3, 4
double mixed(const double *x, long n) {
    double kept[2] = {x[0]*x[1], x[2]}, zero = 1;
    word from[4], to[4];
    for (int i = 0; i<4; i++) {
        if (i&1) from[i].p = &kept[i>>1], to[i].p = &zero;
        else from[i].d = x[i]*x[3], to[i].d = 1;
    }
    memcpy(to, from, n*sizeof(word));
    return to[0].d**to[1].p+to[2].d**to[3].p+from[2].d;
}

// n = 0, 1, 2, 3
double moved_up(const double *x, long n) {
    double kept[2] = {x[0]*x[1], x[2]};
    word w[6];
    for (int i = 0; i<6; i += 2) {
        w[i].d = x[i&3]*(i+1);
        w[i+1].p = &kept[i&1];
    }
    memmove(w+2, w, (n&1)*2*sizeof(word));
    memmove(w, w+2, (n>>1)*2*sizeof(word));
    double r = 0;
    for (int i = 0; i<6; i += 2) r += w[i].d**w[i+1].p;
    return r;
}

// n = 0, 1, 2, 4
double cleared(const double *x, long n) {
    double kept = x[1]*x[2];
    word w[4];
    for (int i = 0; i<4; i += 2) {
        w[i].d = x[i]*x[0];
        w[i+1].p = &kept;
    }
    memset(w, 0, n*sizeof(word));
    double r = 0;
    for (int i = 0; i<4; i += 2) r += w[i].d*(w[i+1].p ? *w[i+1].p : 3);
    return r;
}

// n = 0, 1, 2, 3
double turned(const double *x, long n) {
    double kept[3] = {x[0], x[1], x[2]};
    word a[4], b[4];
    memset(b, 0, sizeof b);
    double r = 0;
    for (int turn = 0; turn<3; turn++) {
        for (int i = 0; i<4; i++) {
            if ((i+turn)&1) a[i].p = &kept[turn];
            else a[i].d = x[i]*kept[turn]+b[i].d*0;
        }
        memcpy(b, a, n*sizeof(word));
        for (int i = 0; i<n; i++) {
            if ((i+turn)&1) { r += *b[i].p*(i+1); b[i].d = 0; }
            else r += b[i].d*x[turn];
        }
        memset(b, 0, sizeof b);
    }
    return r;
}

typedef struct { long kind; union { double d; double *p; } u; } either;

// n = 0, 1, 5
double either_grown(const double *x, long n) {
    double kept[4] = {x[0]*x[0], x[1], x[2], x[3]};
    either *v = malloc(2*sizeof(either));
    long size = 0, space = 2;
    for (int i = 0; i<n; i++) {
        if (size==space) {
            either *more = malloc(2*space*sizeof(either));
            memcpy(more, v, size*sizeof(either));
            free(v);
            v = more;
            space *= 2;
        }
        v[size].kind = i&1;
        if (i&1) v[size].u.p = &kept[i&3];
        else v[size].u.d = x[i&3]*x[1];
        size++;
    }
    double r = 0;
    for (long i = 0; i<size; i++) r += v[i].kind ? *v[i].u.p*(double)i : v[i].u.d*v[i].u.d;
    free(v);
    return r;
}

static __attribute__((noinline)) void copy(void *to, const void *from, long bytes) { memmove(to, from, bytes); }

// n = 0, 1, 2
double generic(const double *x, long n) {
    double a[4] = {x[0], x[1]*x[2], x[3], 1}, b[4] = {0};
    double *p[4] = {a, a+1, a+2, a+3}, *q[4] = {a+3, a+3, a+3, a+3};
    copy(b, a, (n+1)*sizeof(double));
    copy(q, p, n*sizeof(double *));
    a[0] = 2*x[3];
    return b[0]*b[1]+b[2]+*q[0]**q[1];
}
