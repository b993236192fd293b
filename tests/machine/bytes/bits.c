// Floats through their bits and bytes: copied one by one, shifted, swapped, masked, hashed, kept as integers.
#include <string.h>
#include <stdlib.h>
#include <stdint.h>
#include <math.h>
static double bytewise(double v) {
    double r;
    unsigned char *a = (unsigned char*)&v, *b = (unsigned char*)&r;
    for (int i = 0; i<8; i++) b[i] = a[i];
    return r;
}

// n = 3
double byte_loop(const double *x, long n) {
    return bytewise(x[0])*bytewise(x[1]*x[2]);
}

// n = 8, 16, 32
double byte_run(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    char *p = (char*)a, *q = (char*)b;
    for (long i = 0; i<n; i++) q[i] = p[i];
    return b[0]*b[1]+b[2]*b[3];
}

static __attribute__((noinline)) double known_first(double *to, const double *from) {
    double known = from[0]*from[0];
    for (int i = 0; i<24; i++) ((char*)to)[i] = ((const char*)from)[i];
    return known;
}

// n = 0, 1, 2
double byte_first(const double *x, long n) {
    double a[8] = {x[0], x[1], x[2], x[3], 1, 2, x[0], x[1]};
    double known = known_first(a+n+3, a+n);
    return known*a[3]+a[4]*a[5]+a[6]*a[7];
}

// n = 8, 16, 32
double byte_back(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    char *p = (char*)a, *q = (char*)b;
    for (long i = n-1; i >= 0; i--) q[i] = p[i];
    return b[0]*b[1]+b[2]*b[3];
}

// n = 8, 16, 32
double byte_while(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    char *p = (char*)a, *q = (char*)b;
    while (n--) *q++ = *p++;
    return b[0]*b[1]+b[2]*b[3];
}

// n = 2, 4, 8
double word_run(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    uint32_t p[8], q[8];
    memcpy(p, a, 32);
    memcpy(q, b, 32);
    for (long i = 0; i<n; i++) q[i] = p[i];
    memcpy(b, q, 32);
    return b[0]*b[1]+b[2]*b[3];
}

static __attribute__((noinline)) void copyb(char *to, const char *from, long n) {
    for (long i = 0; i<n; i++) to[i] = from[i];
}

// n = 8, 16, 32
double byte_callee(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    copyb((char*)b, (char*)a, n);
    return b[0]*b[1]+b[2]*b[3];
}

static __attribute__((noinline)) void swapb(char *a, char *b, long n) {
    for (long i = 0; i<n; i++) {
        char t = a[i];
        a[i] = b[i];
        b[i] = t;
    }
}

// n = 3
double byte_swap_two(const double *x, long n) {
    double a = x[0]*x[1], b = x[2];
    swapb((char*)&a, (char*)&b, 8);
    return a*a+b*x[3];
}

// n = 3
double shifts(const double *x, long n) {
    unsigned char buf[8];
    double v = x[0]*x[1];
    uint64_t u;
    memcpy(&u, &v, 8);
    for (int i = 0; i<8; i++) buf[i] = u>>(8*i);
    uint64_t w = 0;
    for (int i = 0; i<8; i++) w |= (uint64_t)buf[i]<<(8*i);
    double r;
    memcpy(&r, &w, 8);
    return r*r;
}

// n = 3
double shifts_big(const double *x, long n) {
    unsigned char buf[8];
    double v = x[0]*x[1];
    uint64_t u;
    memcpy(&u, &v, 8);
    for (int i = 0; i<8; i++) buf[7-i] = u>>(8*i);
    uint64_t w = 0;
    for (int i = 0; i<8; i++) w = w<<8|buf[i];
    double r;
    memcpy(&r, &w, 8);
    return r*r;
}

// n = 3
double shifts_float(const double *x, long n) {
    unsigned char buf[4];
    float v = x[0]*x[1];
    uint32_t u;
    memcpy(&u, &v, 4);
    for (int i = 0; i<4; i++) buf[i] = u>>(8*i);
    uint32_t w = 0;
    for (int i = 0; i<4; i++) w |= (uint32_t)buf[i]<<(8*i);
    float r;
    memcpy(&r, &w, 4);
    return r;
}

// n = 2, 4
double bswap_arr(const double *x, long n) {
    uint64_t t[4];
    for (long i = 0; i<n; i++) {
        uint64_t u;
        memcpy(&u, x+i, 8);
        t[i] = __builtin_bswap64(u);
    }
    double r = 1;
    for (long i = 0; i<n; i++) {
        uint64_t u = __builtin_bswap64(t[i]);
        double d;
        memcpy(&d, &u, 8);
        r *= d;
    }
    return r;
}

// n = 3
double bswap_one(const double *x, long n) {
    uint64_t u;
    memcpy(&u, x, 8);
    u = __builtin_bswap64(u);
    volatile uint64_t k = 0;
    u = __builtin_bswap64(u+k);
    double d;
    memcpy(&d, &u, 8);
    return d*d;
}

static __attribute__((noinline)) void out(unsigned char *buf, double v) {
    uint64_t u;
    memcpy(&u, &v, 8);
    for (int i = 0; i<8; i++) buf[i] = u>>(8*i);
}

static __attribute__((noinline)) double in(const unsigned char *buf) {
    uint64_t w = 0;
    for (int i = 0; i<8; i++) w |= (uint64_t)buf[i]<<(8*i);
    double r;
    memcpy(&r, &w, 8);
    return r;
}

// n = 3
double serial(const double *x, long n) {
    unsigned char buf[32];
    for (long i = 0; i<4; i++) out(buf+8*i, x[i]);
    double r = 1;
    for (long i = 0; i<4; i++) r *= in(buf+8*i);
    return r;
}

static double maskabs(double v) {
    uint64_t u;
    memcpy(&u, &v, 8);
    u &= 0x7fffffffffffffffull;
    memcpy(&v, &u, 8);
    return v;
}

// n = 3
double fabs_mask(const double *x, long n) {
    return maskabs(x[0]*x[2])*x[1]+maskabs(x[2]);
}

static double maskneg(double v) {
    union{double d; uint64_t u; } c;
    c.d = v;
    c.u ^= 1ull<<63;
    return c.d;
}

// n = 3
double neg_mask(const double *x, long n) {
    return maskneg(x[0]*x[2])*x[1];
}

static float maskabsf(float v) {
    uint32_t u;
    memcpy(&u, &v, 4);
    u &= 0x7fffffffu;
    memcpy(&v, &u, 4);
    return v;
}

// n = 3
double fabsf_mask(const double *x, long n) {
    double a = maskabsf((float)x[2]);
    return a;
}

static double copysign_mask(double a,double b) {
    uint64_t u, w;
    memcpy(&u, &a, 8);
    memcpy(&w, &b, 8);
    u = (u&~(1ull<<63))|(w&(1ull<<63));
    memcpy(&a, &u, 8);
    return a;
}

// n = 3
double copysign_m(const double *x, long n) {
    return copysign_mask(x[0], x[2])*x[1];
}

static double frexp_mask(double v,int *e) {
    uint64_t u;
    memcpy(&u, &v, 8);
    *e = (int)(u>>52&0x7ff)-1022;
    u = (u&0x800fffffffffffffull)|0x3fe0000000000000ull;
    memcpy(&v, &u, 8);
    return v;
}

// n = 3
double frexp_m(const double *x, long n) {
    int e;
    double m = frexp_mask(x[3], &e);
    return m*m*e;
}

static double pow2i(int e) {
    uint64_t u = (uint64_t)(e+1023)<<52;
    double d;
    memcpy(&d, &u, 8);
    return d;
}

// n = 3
double exp2_bits(const double *x, long n) {
    double k = floor(x[3]*1.44+0.5);
    return exp(x[3]-k*0.693)*pow2i((int)k);
}

// n = 3
double exponent_test(const double *x, long n) {
    uint64_t u;
    memcpy(&u, x, 8);
    int e = (int)((u>>52)&0x7ff);
    return e == 0x7ff? 0 : x[0]*x[1]*(e>1000?2:3);
}

// n = 3
double hashed(const double *x, long n) {
    const unsigned char *p = (const unsigned char*)x;
    uint32_t h = 2166136261u;
    for (int i = 0; i<32; i++) h = (h^p[i])*16777619u;
    double w[4] = {1, 1, 1, 1};
    int k = (h&0)+1;
    return w[k]*x[0]*x[1];
}

// n = 3
double memcmped(const double *x, long n) {
    double a[2] = {x[0], x[1]}, b[2] = {x[0], x[2]};
    return memcmp(a, b, 16)>0? a[0]*b[1] : a[0]*b[1]+0*a[1];
}

// n = 3
double signbit_t(const double *x, long n) {
    uint64_t u;
    memcpy(&u, &x[2], 8);
    return u>>63 ? -x[2]*x[1] : x[2]*x[0];
}

// n = 3
double isnan_bits(const double *x, long n) {
    uint64_t u;
    memcpy(&u, &x[1], 8);
    u &= 0x7fffffffffffffffull;
    return u>0x7ff0000000000000ull ? 0 : x[1]*x[1];
}

// n = 3
double fast_inv(const double *x, long n) {
    float v = x[0];
    int32_t i;
    memcpy(&i, &v, 4);
    i = 0x5f3759df-(i>>1);
    float y;
    memcpy(&y, &i, 4);
    y = y*(1.5f-0.5f*v*y*y);
    return y;
}

// n = 3
double lowbits(const double *x, long n) {
    double v = x[0]*x[1];
    uint32_t w[2];
    memcpy(w, &v, 8);
    w[0] = 0;
    memcpy(&v, w, 8);
    return v*x[2];
}

// n = 3
double words(const double *x, long n) {
    double v = x[0]*x[1], r;
    uint32_t w[2];
    memcpy(w, &v, 8);
    uint32_t z[2];
    z[0] = w[0];
    z[1] = w[1];
    memcpy(&r, z, 8);
    return r*x[2];
}

// n = 3
double half16(const double *x, long n) {
    double v = x[0]*x[1], r;
    uint16_t w[4];
    memcpy(w, &v, 8);
    uint16_t z[4];
    for (int i = 3; i >= 0; i--) z[i] = w[i];
    memcpy(&r, z, 8);
    return r*x[2];
}

// n = 3
double hiword(const double *x, long n) {
    union{double d; struct{uint32_t lo, hi; } w; } u;
    u.d = x[3];
    uint32_t hx = u.w.hi;
    int k = (int)(hx>>20)-1023;
    u.w.hi = (hx&0xfffff)|0x3ff00000;
    double f = u.d-1;
    return f*f+k*0.69;
}

// n = 3
double log_fdlibm(const double *x, long n) {
    union{double d; uint64_t i; } u = {x[3]};
    uint32_t hx = u.i>>32;
    hx += 0x3ff00000-0x3fe6a09e;
    int k = (int)(hx>>20)-0x3ff;
    hx = (hx&0xfffff)+0x3fe6a09e;
    u.i = (uint64_t)hx<<32|(u.i&0xffffffff);
    double f = u.d-1.0;
    return f - f*f/2 + k*0.6931;
}

// n = 3
double lerp_int(const double *x, long n) {
    uint64_t u;
    memcpy(&u, x, 8);
    double d = (double)(u>>60);
    return d*x[1];
}

// n = 3
double xor_swap(const double *x, long n) {
    uint64_t a, b;
    double p = x[0]*x[1], q = x[2];
    memcpy(&a, &p, 8);
    memcpy(&b, &q, 8);
    a ^= b;
    b ^= a;
    a ^= b;
    memcpy(&p, &a, 8);
    memcpy(&q, &b, 8);
    return p*p*q;
}

// n = 3
double select_bits(const double *x, long n) {
    uint64_t a, b, m = x[0]>0.5?~0ull:0;
    memcpy(&a, &x[1], 8);
    memcpy(&b, &x[2], 8);
    uint64_t c = (a&m)|(b&~m);
    double r;
    memcpy(&r, &c, 8);
    return r*x[3];
}

// n = 3
double select_mul(const double *x, long n) {
    uint64_t a;
    memcpy(&a, &x[1], 8);
    a *= (x[0]>0.5);
    double r;
    memcpy(&r, &a, 8);
    return r*x[3];
}

static uint64_t g_slot;

// n = 3
double global_bits(const double *x, long n) {
    double v = x[0]*x[1];
    memcpy(&g_slot, &v, 8);
    uint64_t u = g_slot;
    double r;
    memcpy(&r, &u, 8);
    return r*x[2];
}

static unsigned char g_buf[16];

static __attribute__((noinline)) void put(const void *p) {
    memcpy(g_buf, p, 8);
}

static __attribute__((noinline)) void get(void *p) {
    memcpy(p, g_buf, 8);
}

// n = 3
double global_buf(const double *x, long n) {
    double v = x[0]*x[1], r;
    put(&v);
    get(&r);
    return r*x[2];
}

static __attribute__((noinline)) uint64_t as_bits(double v) {
    uint64_t u;
    memcpy(&u, &v, 8);
    return u;
}

static __attribute__((noinline)) double as_double(uint64_t u) {
    double v;
    memcpy(&v, &u, 8);
    return v;
}

// n = 3
double bits_calls(const double *x, long n) {
    return as_double(as_bits(x[0]*x[1]))*x[2];
}

// n = 3
double bits_calls_key(const double *x, long n) {
    uint64_t k = as_bits(x[0]);
    k = k>>63 ? ~k : k|1ull<<63;
    k = k>>63 ? k&~(1ull<<63) : ~k;
    return as_double(k)*x[1];
}

// n = 3
double radix(const double *x, long n) {
    uint64_t k[4];
    for (int i = 0; i<4; i++) {
        k[i] = as_bits(x[i]);
        k[i] ^= (k[i]>>63)? ~0ull : 1ull<<63;
    }
    for (int i = 1; i<4; i++) for (int j = i; j>0 && k[j]<k[j-1]; j--) {
        uint64_t t = k[j];
        k[j] = k[j-1];
        k[j-1] = t;
    }
    double r = 0;
    for (int i = 0; i<4; i++) {
        uint64_t u = k[i];
        u ^= (u>>63)? 1ull<<63 : ~0ull;
        r += as_double(u)*(i+1)*x[0];
    }
    return r;
}

// n = 3
double atomic_bits(const double *x, long n) {
    static _Atomic uint64_t s;
    double v = x[0]*x[1];
    uint64_t u;
    memcpy(&u, &v, 8);
    __c11_atomic_store(&s, u, 5);
    uint64_t w = __c11_atomic_load(&s, 5);
    double r;
    memcpy(&r, &w, 8);
    return r*x[2];
}

// n = 3
double i128(const double *x, long n) {
    double a[2] = {x[0]*x[1], x[2]};
    unsigned __int128 u;
    memcpy(&u, a, 16);
    u = u<<64 | u>>64;
    double b[2];
    memcpy(b, &u, 16);
    return b[0]*b[0]+b[1]*x[3];
}

// n = 3
double two_floats(const double *x, long n) {
    float a[2] = {x[0], x[1]};
    uint64_t u;
    memcpy(&u, a, 8);
    u = u<<32|u>>32;
    float b[2];
    memcpy(b, &u, 8);
    return b[0]*2+b[1]*3;
}

typedef union { float f; uint32_t u; uint8_t b[4]; } fu;

// n = 3
double union_bytes(const double *x, long n) {
    fu a, b;
    a.f = x[0]*x[1];
    for (int i = 0; i<4; i++) b.b[i] = a.b[i];
    return b.f;
}

// n = 3
double union_rev(const double *x, long n) {
    fu a, b, c;
    a.f = x[0]*x[1];
    for (int i = 0; i<4; i++) b.b[3-i] = a.b[i];
    for (int i = 0; i<4; i++) c.b[3-i] = b.b[i];
    return c.f;
}

// n = 3
double zero_bytes(const double *x, long n) {
    double a[2] = {x[0]*x[1], x[2]};
    for (int i = 0; i<8; i++) ((char*)a)[i] = 0;
    return a[0]*x[3]+a[1]*a[1];
}

// n = 3
double two_zeros(const double *x, long n) {
    float a[4] = {x[0], x[1], x[2], x[3]};
    uint64_t z = 0;
    memcpy(a+n%2, &z, 8);
    return a[0]*a[1]+a[2]*a[3]+a[3];
}

struct tagged { int tag; union { double d; int i; } v; };

// n = 3
double tagged_union(const double *x, long n) {
    struct tagged t[4];
    for (int i = 0; i<4; i++) {
        if ((i+n)%2) {
            t[i].tag = 1;
            t[i].v.d = x[i]*x[0];
        }
        else {
            t[i].tag = 0;
            t[i].v.i = i;
        }
    }
    struct tagged u[4];
    memcpy(u, t, sizeof t);
    double r = 0;
    for (int i = 0; i<4; i++) r += u[i].tag? u[i].v.d*x[1] : u[i].v.i*x[2];
    return r;
}

static __attribute__((noinline)) int category(double v) {
    uint64_t u;
    memcpy(&u, &v, 8);
    int e = (int)(u>>52&0x7ff)-1023;
    return e<0?0:e == 0?1:2;
}

// n = 3
double table_by_bits(const double *x, long n) {
    static const double w[3] = {2, 3, 5};
    double r = 0;
    for (int i = 0; i<4; i++) r += w[category(x[i])]*x[i]*x[0];
    return r;
}

static __attribute__((noinline)) double scale2(double v, int e) {
    uint64_t u = (uint64_t)(e+1023)<<52;
    double d;
    memcpy(&d, &u, 8);
    return v*d;
}

static __attribute__((noinline)) int whole(double v) {
    return (int)(v+0.5);
}

// n = 3
double scaled_by_whole(const double *x, long n) {
    return scale2(x[0]*x[1], whole(x[3]));
}

static __attribute__((noinline)) double from_key(uint64_t k) {
    double d;
    k = ~k;
    memcpy(&d, &k, 8);
    return d;
}

// n = 3
double key_through_call(const double *x, long n) {
    uint64_t u;
    memcpy(&u, x, 8);
    return from_key(~u)*x[1];
}

// n = 3
double hash_in_memory(const double *x, long n) {
    uint64_t h[2] = {1, 2};
    for (int i = 0; i<4; i++) {
        uint64_t u;
        memcpy(&u, x+i, 8);
        h[i&1] = (h[i&1]^u)*1099511628211ull;
    }
    return (h[0] != h[1]? x[0]*x[1] : 0) + x[2];
}

// Words of floats that are moved by loops over integers.

// n = 2, 4, 8
double word_heap(const double *x, long n) {
    uint32_t *p=malloc(4*n+32), *q=malloc(4*n+32);
    memcpy(p, x, 32);
    for (long i = 0; i<8; i++) q[i] = 0;
    for (long i = 0; i<n; i++) q[i] = p[i];
    double b[4]; memcpy(b, q, 32);
    free(p); free(q);
    return b[0]*b[1]+b[2]*b[3];
}

// n = 2, 4, 8
double word_hash(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    uint32_t p[8], q[8], h=0;
    memcpy(p, a, 32); memcpy(q, b, 32);
    for (long i = 0; i<n; i++) { q[i] = p[i]; h = h*31+p[i]; }
    memcpy(b, q, 32);
    return b[0]*b[1]+b[2]*b[3]+(h==77);
}

// n = 2, 4, 8
double word_back(const double *x, long n) {
    double a[4] = {x[0], x[1], x[2], x[3]};
    uint32_t p[8], q[8]={0};
    memcpy(p, a, 32);
    for (long i = n-1; i>=0; i--) q[i] = p[i];
    memcpy(a, q, 32);
    return a[0]*a[1]+a[2]*a[3];
}

// n = 1, 2
double long_floats(const double *x, long n) {
    float a[4] = {x[0], x[1], x[2], x[3]}, b[4] = {1, 1, 1, 1};
    uint64_t p[2], q[2];
    memcpy(p, a, 16); memcpy(q, b, 16);
    for (long i = 0; i<n; i++) q[i] = p[i];
    memcpy(b, q, 16);
    return b[0]*b[1]+b[2]*b[3];
}

// Integers of their own, next to floats or in memory that is taken for theirs.

static __attribute__((noinline)) void *xmalloc(long n) { void *p = malloc(n); if (!p) abort(); return p; }

// n = 3
double own_allocator(const double *x, long n) {
    double *d=xmalloc(8*n); int *ix=xmalloc(4*n), *iy=xmalloc(4*n);
    for (long i=0;i<n;i++) { d[i]=x[i]*x[i]; ix[i]=(int)(i*2)%3; }
    for (long i=0;i<n;i++) iy[i]=ix[n-1-i];
    double r=0; for (long i=0;i<n;i++) r+=d[i]*x[iy[i]];
    free(d); free(ix); free(iy); return r;
}

static __attribute__((noinline)) void gcopy(void *to, const void *from, int kind, long n) {
    if (kind) for (long i=0;i<n;i++) ((int*)to)[i]=((const int*)from)[n-1-i];
    else for (long i=0;i<n;i++) ((double*)to)[i]=((const double*)from)[n-1-i]*2;
}

// n = 3
double generic_copy(const double *x, long n) {
    double d[4], e[4]; int ix[4], iy[4];
    for (long i=0;i<n;i++) { d[i]=x[i]*x[i]; ix[i]=(int)(i*2)%3; }
    gcopy(e,d,0,n); gcopy(iy,ix,1,n);
    double r=0; for (long i=0;i<n;i++) r+=e[i]*x[iy[i]];
    return r;
}

typedef union { double d; int i; } Either;

// n = 3, 4
double array_of_unions(const double *x, long n) {
    Either s[4], t[4];
    for (long i=0;i<n;i++) { if (i%2) s[i].i=(int)i; else s[i].d=x[i]*x[i]; }
    for (long i=0;i<n;i++) { if (i%2) t[i].i=s[i].i; else t[i].d=s[i].d*2; }
    double r=0; for (long i=0;i<n;i++) r+= i%2 ? x[t[i].i] : t[i].d;
    return r;
}

// n = 3
double workspace(const double *x, long n) {
    static double w[64]; int *ix=(int*)w, *iy=(int*)(w+8);
    for (long i=0;i<n;i++) { w[16+i]=x[i]*x[i]; ix[i]=(int)(i*2)%3; }
    for (long i=0;i<n;i++) iy[i]=ix[n-1-i];
    double r=0; for (long i=0;i<n;i++) r+=w[16+i]*x[iy[i]];
    return r;
}

// n = 3
double arena(const double *x, long n) {
    char *m = malloc(1024); int *ix=(int*)m; int *iy=ix+n; double *d=(double*)(m+8*n);
    for (long i=0;i<n;i++) { d[i]=x[i]*x[i]; ix[i]=(int)(i*2)%3; }
    for (long i=0;i<n;i++) iy[i]=ix[n-1-i];
    double r=0; for (long i=0;i<n;i++) r+=d[i]*x[iy[i]];
    free(m); return r;
}

typedef struct { float a; int i; float b; int j; } InRegisters;

__attribute__((noinline)) static InRegisters bumped(InRegisters p, double s) {
    p.a = (float)(0.5*p.a+s); p.b = (float)(0.25*p.b-s); p.i += 1; p.j += 2;
    return p;
}

// n = 2
double in_registers(const double *x, long n) {
    InRegisters p = {(float)x[0], 2, (float)(x[1]*x[2]), 3};
    p = bumped(bumped(p, x[3]), x[0]);
    return p.a*p.i+p.b*p.j*n;
}

// n = 0, 1
double turned_registers(const double *x, long n) {
    InRegisters p = {(float)x[0], 2, (float)x[1], 3}, q = bumped(p, x[2]);
    InRegisters r = n ? bumped(q, x[3]) : q;
    return (double)r.b*r.i+(double)r.a*r.j;
}

__attribute__((noinline)) static uint64_t negated_bits(uint64_t u) { return u^0x8000000000000000ull; }
__attribute__((noinline)) static uint64_t chosen_bits(int c, uint64_t u, uint64_t v) {
    return (u&-(uint64_t)c)|(v&~-(uint64_t)c);
}

// n = 0, 1
double bits_not_inlined(const double *x, long n) {
    uint64_t w[3]; double d[3] = {x[0]*x[1], x[2], x[3]*x[0]}, r;
    memcpy(w, d, sizeof w);
    w[0] = negated_bits(w[0]);
    w[1] = chosen_bits(n&1, w[0], w[2]);
    memcpy(&r, &w[1], 8);
    return r*x[2];
}

// One of two is a constant.
// n = 0, 1
double constant_or_bits(const double *x, long n) {
    double d = x[0]*x[1], r;
    uint64_t u, m = -(uint64_t)(x[2]<x[3]&&n);
    memcpy(&u, &d, 8);
    u = (u&~m)|(0x3fe8000000000000ull&m);
    memcpy(&r, &u, 8);
    return r*r+d;
}
