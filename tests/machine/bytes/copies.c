// Copies and fills of memory: lengths known at run time only, structs cut in the middle, overlaps, long doubles.
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>

// n = 8, 64, 0
double constant_places(const double *x, long n) {
    double a[8] = {0}, y[16] = {0};
    a[0] = x[0];
    memcpy(y, a, n);
    return y[0]*y[0];
}

// n = 0, 8, 16, 24, 32
double cut(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, y[4] = {1, 2, 3, 4};
    memcpy(y, a, n);
    return y[0]*y[1]+y[2]*y[3];
}

struct mix { double a; int k; float f; double b; char c; double d[3]; };

// n = 0, 1, 2
double structs(const double *x, long n) {
    struct mix s[3], t[3];
    memset(s, 0, sizeof s);
    memset(t, 0, sizeof t);
    for (int i = 0; i<3; i++) {
        s[i].a = x[0]*i;
        s[i].k = i;
        s[i].f = x[1];
        s[i].b = x[2];
        s[i].c = i;
        s[i].d[1] = x[3];
        s[i].d[2] = x[0];
    }
    memcpy(t, s, n*sizeof(struct mix));
    double r = 0;
    for (int i = 0; i<3; i++) r += t[i].a*t[i].b+t[i].f*t[i].k+t[i].d[1]*t[i].d[2];
    return r;
}

// n = 0, 8, 16, 24, 32, 56, 112
double struct_bytes(const double *x, long n) {
    struct mix s[3], t[3];
    memset(s, 0, sizeof s);
    memset(t, 0, sizeof t);
    for (int i = 0; i<3; i++) {
        s[i].a = x[0]*i;
        s[i].k = i;
        s[i].f = x[1];
        s[i].b = x[2];
        s[i].c = i;
        s[i].d[1] = x[3];
        s[i].d[2] = x[0];
    }
    memcpy(t, s, n);
    double r = 0;
    for (int i = 0; i<3; i++) r += t[i].a*t[i].b+t[i].f*t[i].k+t[i].d[1]*t[i].d[2];
    return r;
}

// n = 8, 16, 24, 56
double one_struct(const double *x, long n) {
    struct mix s = {0}, t = {0};
    s.a = x[0];
    s.k = 2;
    s.f = x[1];
    s.b = x[2];
    s.d[1] = x[3];
    s.d[2] = x[0]*x[1];
    memcpy(&t, &s, n);
    return t.a*t.b+t.f*t.k+t.d[1]*t.d[2]+t.a*t.a;
}

// n = 0, 8, 16
double moved(const double *x, long n) {
    double a[6] = {x[0], x[1], x[2], x[3], 1, 2};
    memmove((char*)a+n, a, 24);
    return a[0]*a[1]+a[2]*a[3]+a[4]*a[5];
}

// n = 0, 8, 16
double moved_down(const double *x, long n) {
    double a[6] = {x[0], x[1], x[2], x[3], 1, 2};
    memmove(a, (char*)a+n, n+8);
    return a[0]*a[1]+a[2]*a[3]+a[4]*a[5];
}

// n = 0, 8, 16, 32
double moved_len(const double *x, long n) {
    double a[6] = {x[0], x[1], x[2], x[3], 1, 2};
    memmove(a+1, a, n);
    return a[0]*a[1]+a[2]*a[3]+a[4]*a[5];
}

// n = 0, 8, 16
double middle(const double *x, long n) {
    double a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    memcpy(a+2, x, n+8);
    return a[2]*a[3]*a[4]+a[1];
}

// n = 2, 4
double heap(const double *x, long n) {
    double *p = malloc(n*8);
    memcpy(p, x, n*8);
    double *q = malloc(64);
    q[4] = 0;
    memcpy(q, p, n*8);
    double r = q[0]*q[1];
    free(p);
    free(q);
    return r;
}

// n = 8, 16, 32
double re(const double *x, long n) {
    double *p = malloc(16);
    p[0] = x[0]*x[1];
    p[1] = x[2];
    p = realloc(p, n);
    double r = p[0]*p[0];
    if (n>8) r += p[1];
    free(p);
    return r;
}

// n = 1, 5, 9
double re_loop(const double *x, long n) {
    double *p = 0;
    long cap = 0;
    for (long i = 0; i<n; i++) {
        if (i == cap) {
            cap = cap?cap*2:1;
            p = realloc(p, cap*sizeof *p);
        }
        p[i] = x[i&3]*x[(i+1)&3];
    }
    double r = 0;
    for (long i = 0; i<n; i++) r += p[i]*p[n-1-i];
    free(p);
    return r;
}

struct vec { double *d; size_t len, cap; };

static void push(struct vec *v, double a) {
    if (v->len == v->cap) {
        size_t c = v->cap?v->cap*2:2;
        double *n = malloc(c*8);
        if (v->len) memcpy(n, v->d, v->len*8);
        free(v->d);
        v->d = n;
        v->cap = c;
    }
    v->d[v->len++] = a;
}

// n = 3, 7
double vec(const double *x, long n) {
    struct vec v = {0};
    for (long i = 0; i<n; i++) push(&v, x[i&3]*i);
    double r = 0;
    for (size_t i = 0; i<v.len; i++) r += v.d[i]*v.d[i];
    free(v.d);
    return r;
}

// n = 0, 8, 24, 32
double zeroed(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]};
    memset(a, 0, n);
    return a[0]*a[1]+a[2]*a[3]+a[3];
}

// n = 1, 2, 3
double zeroed_mid(const double *x, long n) {
    struct mix s;
    s.a = x[0];
    s.k = 3;
    s.f = x[1];
    s.b = x[2];
    s.d[0] = x[3];
    s.d[1] = x[0];
    s.d[2] = x[2];
    memset(&s.d, 0, n*8);
    memset(&s.f, 0, 4);
    return s.a*s.b+s.f+s.d[0]*s.d[1]+s.d[2]*s.k;
}

union u { double d; struct { float a,b; } f; uint64_t i; };

// n = 0, 1
double unions(const double *x, long n) {
    union u a[2], b[2];
    a[0].d = x[0];
    a[1].f.a = x[1];
    a[1].f.b = x[2];
    memcpy(b, a, (n+1)*sizeof(union u));
    return b[0].d*x[3] + (n? b[1].f.a*b[1].f.b:0);
}

struct ld { long double l; int k; double d; };

// n = 0, 1
double longdouble(const double *x, long n) {
    struct ld s = {x[0]*x[1], 2, x[2]}, t;
    memcpy(&t, &s, sizeof s);
    struct ld u = t;
    return u.l*u.d+u.k*t.l;
}

static struct ld make(const double*x) {
    struct ld s = {x[0], 1, x[1]*x[2]};
    return s;
}

static double usel(struct ld s) {
    return s.l*s.d;
}

// n = 0, 2
double longdouble_val(const double *x, long n) {
    struct ld s[3];
    for (int i = 0; i<3; i++) s[i] = make(x);
    struct ld t[3];
    memcpy(t, s, sizeof t);
    return usel(t[n])*2 + t[1].l;
}

// n = 16, 32, 48
double longdouble_run(const double *x, long n) {
    long double a[3] = {x[0], x[1]*x[2], x[3]}, b[3] = {1, 2, 3};
    memcpy(b, a, n);
    return b[0]*b[1]+b[2]*b[2];
}

#include <complex.h>

// n = 1, 2
double complexes(const double *x, long n) {
    double complex a[2] = {x[0]+x[1]*I, x[2]+x[3]*I}, b[2] = {1, 2};
    memcpy(b, a, n*sizeof *a);
    double complex z = b[0]*b[1];
    return creal(z)+3*cimag(z);
}

// n = 2, 4
double half(const double *x, long n) {
    _Float16 a[2] = {1, 2};
    float b[2] = {x[0], x[1]};
    float c[2] = {0};
    memcpy(c, b, n*2);
    return c[0]*c[1]+c[0]+a[0];
}

struct bf { double a; unsigned p:3, q:5; float f; unsigned r:30; double b; };

// n = 1, 2
double bitfields(const double *x, long n) {
    struct bf s[2], t[2];
    for (int i = 0; i<2; i++) {
        s[i].a = x[0]*x[i];
        s[i].p = 3;
        s[i].q = 9;
        s[i].f = x[2];
        s[i].r = 100;
        s[i].b = x[3];
    }
    t[1] = s[0];
    memcpy(t, s, n*sizeof*s);
    t[0].q = 2;
    return t[0].a*t[1].b+t[0].f*t[1].p+t[0].q;
}

static int cmp(const void*a,const void*b) {
    double u = *(double*)a, v = *(double*)b;
    return u<v?-1:u>v;
}

// n = 4
double sorted(const double *x, long n) {
    double a[4];
    memcpy(a, x, n*8);
    for (int i = 1; i<4; i++) for (int j = i; j>0 && cmp(a+j, a+j-1)<0; j--) {
        char t[8];
        memcpy(t, a+j, 8);
        memcpy(a+j, a+j-1, 8);
        memcpy(a+j-1, t, 8);
    }
    return a[0]*a[1]+a[2]*a[3]*a[3];
}

static __attribute__((noinline)) void cp(void *to, const void *from, size_t n) {
    memcpy(to, from, n);
}

// n = 8, 24, 32
double callee(const double *x, long n) {
    double a[4] = {x[0]*x[1], x[1], x[2], x[3]}, y[4] = {1, 2, 3, 4};
    cp(y, a, n);
    return y[0]*y[1]+y[2]*y[3];
}

static __attribute__((noinline)) void cps(struct mix *to, const struct mix *from, size_t n) {
    memcpy(to, from, n*sizeof *to);
}

// n = 1, 2
double callee_struct(const double *x, long n) {
    struct mix s[2] = {{0}}, t[2] = {{0}};
    s[0].a = x[0];
    s[0].b = x[1];
    s[1].d[2] = x[2];
    s[1].f = x[3];
    s[0].k = 2;
    cps(t, s, n);
    return t[0].a*t[0].b*t[0].k+t[1].d[2]*t[1].f;
}

// n = 1, 2, 3
double mixed_re(const double *x, long n) {
    struct mix *p = malloc(sizeof *p*n);
    for (long i = 0; i<n; i++) {
        p[i].a = x[i]*x[0];
        p[i].f = x[3];
        p[i].k = i;
    }
    p = realloc(p, sizeof *p*(n+1));
    p[n].a = x[1];
    p[n].f = 1;
    p[n].k = 1;
    double r = 0;
    for (long i = 0; i <= n; i++) r += p[i].a*p[i].f*p[i].k;
    free(p);
    return r;
}

// n = 3
double header(const double *x, long n) {
    char *buf = malloc(8+n*8);
    *(long*)buf = n;
    memcpy(buf+8, x, n*8);
    char *two = malloc(8+n*8);
    memcpy(two, buf, 8+n*8);
    double r = 0;
    for (long i = 0; i<*(long*)two; i++) {
        double v;
        memcpy(&v, two+8+8*i, 8);
        r += v*v*(i+1);
    }
    free(buf);
    free(two);
    return r;
}

// n = 0, 1
double bcopy_in(const double *x, long n) {
    float a[4] = {x[0], x[1], x[2], x[3]};
    double t[2];
    memcpy(t, a, 16);
    float b[4];
    memcpy(b, t, 8+8*n);
    return n? b[0]*b[1]+b[2]*b[3] : b[0]*b[1];
}

// Records that change places: a count and a float are moved in one word, to one of several places.
// n = 1, 3, 4
double sorted_records(const double *x, long n) {
    struct { double key; int id; float w; } r[4], held;
    for (int i = 0; i<4; i++) r[i].key = x[i], r[i].id = i+1, r[i].w = (float)(x[i]*2);
    for (int i = 1; i<n; i++) {
        int j = i;
        for (held = r[i]; j>0 && held.key<r[j-1].key; j--) r[j] = r[j-1];
        r[j] = held;
    }
    double s = 0;
    for (int i = 0; i<4; i++) s += r[i].key*r[i].id*(i+1)+r[i].w*(i+2);
    return s;
}
