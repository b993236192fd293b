/* Bodies of functions of the C library that have several results, in one precision: included by library.c.

   They are differentiated as they stand, so what they call has a rule: M(sin), M(hypot)... */

BODY(modf, REAL)(REAL x, REAL *whole) {
  *whole = M(trunc)(x);
  return M(copysign)(__builtin_isinf(x) ? 0 : x - *whole, x);
}

/* By an intrinsic that has a rule. */
BODY(frexp, REAL)(REAL x, int *exponent) { return M(frexp)(x, exponent); }

BODY(sincos, void)(REAL x, REAL *sine, REAL *cosine) {
  *sine = M(sin)(x);
  *cosine = M(cos)(x);
}

BODY_NAMED(LGAMMA_R, REAL)(REAL x, int *sign) {
  *sign = x < 0 && M(fmod)(M(floor)(x), 2) != 0 ? -1 : x == 0 && __builtin_signbit(x) ? -1 : 1;
  return M(lgamma)(x);
}

/* The last three bits of the quotient, with its sign: what is eight times y or more does not count. */
BODY(remquo, REAL)(REAL x, REAL y, int *quotient) {
  REAL r = M(remainder)(x, y), small = M(fmod)(x, 8 * y);
  int q = (int)M(rint)((small - r) / y);  /* from 0 to 8, as glibc has it */
  int magnitude = q < 0 ? -q : q;
  *quotient = __builtin_signbit(x) != __builtin_signbit(y) ? -magnitude : magnitude;
  return r;
}

/* -- complex numbers: in and out as two reals --------------------------------------------------------------------- */

typedef struct { REAL re, im; } NAMED(complex);
#define C NAMED(complex)
#define MAKE(re, im) ((C){re, im})

static inline C NAMED(times)(C z, C w) { return MAKE(z.re * w.re - z.im * w.im, z.re * w.im + z.im * w.re); }
static inline REAL NAMED(box)(REAL x) { return M(copysign)(__builtin_isinf(x) ? 1 : 0, x); }
static inline REAL NAMED(no_nan)(REAL x) { return __builtin_isnan(x) ? M(copysign)(0, x) : x; }

/* C99, annex G: infinities are recovered from products that came out as nan. */
BODY_NAMED(MUL, C)(REAL a, REAL b, REAL c, REAL d) {
  C z = NAMED(times)(MAKE(a, b), MAKE(c, d));
  if (__builtin_isnan(z.re) && __builtin_isnan(z.im)) {
    int again = 0;
    if (__builtin_isinf(a) || __builtin_isinf(b))
      a = NAMED(box)(a), b = NAMED(box)(b), c = NAMED(no_nan)(c), d = NAMED(no_nan)(d), again = 1;
    if (__builtin_isinf(c) || __builtin_isinf(d))
      c = NAMED(box)(c), d = NAMED(box)(d), a = NAMED(no_nan)(a), b = NAMED(no_nan)(b), again = 1;
    if (!again && (__builtin_isinf(a * c) || __builtin_isinf(b * d) || __builtin_isinf(a * d) || __builtin_isinf(b * c)))
      a = NAMED(no_nan)(a), b = NAMED(no_nan)(b), c = NAMED(no_nan)(c), d = NAMED(no_nan)(d), again = 1;
    if (again) {
      REAL huge = HUGE;
      z = MAKE(huge * (a * c - b * d), huge * (a * d + b * c));
    }
  }
  return z;
}

static inline C NAMED(over)(C z, C w) {
  REAL a = z.re, b = z.im, c = w.re, d = w.im;
  int shift = 0;
  REAL size = M(fmax)(M(fabs)(c), M(fabs)(d));
  REAL exponent = M(logb)(size);
  if (__builtin_isfinite(exponent)) {
    shift = (int)exponent;
    c = M(ldexp)(c, -shift), d = M(ldexp)(d, -shift);
  }
  REAL denominator = c * c + d * d;
  C q = MAKE(M(ldexp)((a * c + b * d) / denominator, -shift), M(ldexp)((b * c - a * d) / denominator, -shift));
  if (__builtin_isnan(q.re) && __builtin_isnan(q.im)) {
    if (denominator == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b)))
      q = MAKE(M(copysign)(HUGE, c) * a, M(copysign)(HUGE, c) * b);
    else if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d))
      a = NAMED(box)(a), b = NAMED(box)(b), q = MAKE(HUGE * (a * c + b * d), HUGE * (b * c - a * d));
    else if (__builtin_isinf(exponent) && exponent > 0 && __builtin_isfinite(a) && __builtin_isfinite(b))
      c = NAMED(box)(c), d = NAMED(box)(d), q = MAKE(0 * (a * c + b * d), 0 * (b * c - a * d));
  }
  return q;
}
BODY_NAMED(DIV, C)(REAL a, REAL b, REAL c, REAL d) { return NAMED(over)(MAKE(a, b), MAKE(c, d)); }

static inline C NAMED(exponential)(C z) {
  REAL r = M(exp)(z.re);
  if (z.im == 0) return MAKE(r, r * z.im);
  return MAKE(r * M(cos)(z.im), r * M(sin)(z.im));
}
static inline C NAMED(logarithm)(C z) { return MAKE(M(log)(M(hypot)(z.re, z.im)), M(atan2)(z.im, z.re)); }

static inline C NAMED(root)(C z) {
  if (z.re == 0 && z.im == 0) return MAKE(0, z.im);
  REAL scale = 1;
  if (M(fmax)(M(fabs)(z.re), M(fabs)(z.im)) > LARGE) z.re /= 4, z.im /= 4, scale = 2;
  REAL t = M(sqrt)((M(fabs)(z.re) + M(hypot)(z.re, z.im)) / 2);
  if (z.re >= 0) return MAKE(scale * t, scale * z.im / (2 * t));
  return MAKE(scale * M(fabs)(z.im) / (2 * t), scale * M(copysign)(t, z.im));
}

BODY(cabs, REAL)(REAL x, REAL y) { return M(hypot)(x, y); }
BODY(carg, REAL)(REAL x, REAL y) { return M(atan2)(y, x); }
BODY(creal, REAL)(REAL x, REAL y) { return x; }
BODY(cimag, REAL)(REAL x, REAL y) { return y; }
BODY(conj, C)(REAL x, REAL y) { return MAKE(x, -y); }
BODY(cproj, C)(REAL x, REAL y) {
  if (__builtin_isinf(x) || __builtin_isinf(y)) return MAKE(HUGE, M(copysign)(0, y));
  return MAKE(x, y);
}
BODY(cexp, C)(REAL x, REAL y) { return NAMED(exponential)(MAKE(x, y)); }
BODY(clog, C)(REAL x, REAL y) { return NAMED(logarithm)(MAKE(x, y)); }
BODY(clog10, C)(REAL x, REAL y) {
  return MAKE(M(log10)(M(hypot)(x, y)), M(atan2)(y, x) * (REAL)0.43429448190325182765);
}
BODY(csqrt, C)(REAL x, REAL y) { return NAMED(root)(MAKE(x, y)); }

BODY(csin, C)(REAL x, REAL y) { return MAKE(M(sin)(x) * M(cosh)(y), M(cos)(x) * M(sinh)(y)); }
BODY(ccos, C)(REAL x, REAL y) { return MAKE(M(cos)(x) * M(cosh)(y), -(M(sin)(x) * M(sinh)(y))); }
BODY(csinh, C)(REAL x, REAL y) { return MAKE(M(sinh)(x) * M(cos)(y), M(cosh)(x) * M(sin)(y)); }
BODY(ccosh, C)(REAL x, REAL y) { return MAKE(M(cosh)(x) * M(cos)(y), M(sinh)(x) * M(sin)(y)); }

/* Kahan's formulas, which lose nothing near the axes. */
static inline C NAMED(hyperbolic_tangent)(C z) {
  if (M(fabs)(z.re) > STEEP)
    return MAKE(M(copysign)(1, z.re), 4 * M(sin)(z.im) * M(cos)(z.im) * M(exp)(-2 * M(fabs)(z.re)));
  REAL t = M(tan)(z.im), beta = 1 + t * t, s = M(sinh)(z.re), rho = M(sqrt)(1 + s * s);
  REAL denominator = 1 + beta * s * s;
  return MAKE(beta * rho * s / denominator, t / denominator);
}
BODY(ctanh, C)(REAL x, REAL y) { return NAMED(hyperbolic_tangent)(MAKE(x, y)); }
BODY(ctan, C)(REAL x, REAL y) {
  C z = NAMED(hyperbolic_tangent)(MAKE(-y, x));
  return MAKE(z.im, -z.re);
}
static inline C NAMED(arcsine)(C z) {
  C below = NAMED(root)(MAKE(1 - z.re, -z.im)), above = NAMED(root)(MAKE(1 + z.re, z.im));
  return MAKE(M(atan2)(z.re, below.re * above.re - below.im * above.im),
              M(asinh)(below.re * above.im - below.im * above.re));
}
BODY(casin, C)(REAL x, REAL y) { return NAMED(arcsine)(MAKE(x, y)); }
BODY(casinh, C)(REAL x, REAL y) {
  C z = NAMED(arcsine)(MAKE(-y, x));
  return MAKE(z.im, -z.re);
}
BODY(cacos, C)(REAL x, REAL y) {
  C below = NAMED(root)(MAKE(1 - x, -y)), above = NAMED(root)(MAKE(1 + x, y));
  return MAKE(2 * M(atan2)(below.re, above.re), M(asinh)(above.re * below.im - above.im * below.re));
}
BODY(cacosh, C)(REAL x, REAL y) {
  C below = NAMED(root)(MAKE(x - 1, y)), above = NAMED(root)(MAKE(x + 1, y));
  return MAKE(M(asinh)(below.re * above.re + below.im * above.im), 2 * M(atan2)(below.im, above.re));
}
static inline C NAMED(hyperbolic_arctangent)(C z) {
  REAL x = z.re, y = z.im;
  return MAKE(M(log1p)(4 * x / ((1 - x) * (1 - x) + y * y)) / 4, M(atan2)(2 * y, (1 - x) * (1 + x) - y * y) / 2);
}
BODY(catanh, C)(REAL x, REAL y) { return NAMED(hyperbolic_arctangent)(MAKE(x, y)); }
BODY(catan, C)(REAL x, REAL y) {
  C z = NAMED(hyperbolic_arctangent)(MAKE(-y, x));
  return MAKE(z.im, -z.re);
}

static inline C NAMED(power)(C z, C w) {
  if (w.re == 0 && w.im == 0) return MAKE(1, 0);
  if (z.re == 0 && z.im == 0) return MAKE(0, 0);
  return NAMED(exponential)(NAMED(times)(w, NAMED(logarithm)(z)));
}
BODY(cpow, C)(REAL a, REAL b, REAL c, REAL d) { return NAMED(power)(MAKE(a, b), MAKE(c, d)); }

static inline C NAMED(whole_power)(C z, long n) {
  C result = MAKE(1, 0);
  if (n < 0) z = NAMED(over)(result, z);
  for (unsigned long left = n < 0 ? -(unsigned long)n : n; left; left >>= 1) {
    if (left & 1) result = NAMED(times)(result, z);
    z = NAMED(times)(z, z);
  }
  return result;
}
BODY_NAMED(POWI, C)(REAL x, REAL y, int n) { return NAMED(whole_power)(MAKE(x, y), n); }
BODY_NAMED(POWK, C)(REAL x, REAL y, long n) { return NAMED(whole_power)(MAKE(x, y), n); }
#undef C
#undef MAKE
