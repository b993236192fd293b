/* The same for AVX-512. All take eight doubles. */
#include <immintrin.h>

static double sum8(__m512d v) {
  double made = 0;
  for (int i = 0; i < 8; i++) made += (i % 3 - 1.5) * v[i];
  return made;
}
static double sum16(__m512 v) {
  double made = 0;
  for (int i = 0; i < 16; i++) made += (i % 3 - 1.5) * v[i];
  return made;
}
static __m512d in(const double *x) { return _mm512_loadu_pd(x); }
static __m512d sq(__m512d v) { return _mm512_mul_pd(v, v); }
static __m512 inf(const double *x) {
  __m256 v = _mm512_cvtpd_ps(in(x));
  return _mm512_insertf32x8(_mm512_castps256_ps512(v), _mm256_mul_ps(v, v), 1);
}
static __mmask8 some(const double *x) { return _mm512_cmp_pd_mask(in(x), _mm512_set1_pd(0.9), _CMP_LT_OQ); }

double largest(const double *x) { return sum8(_mm512_max_pd(in(x), sq(in(x)))); }
double smallestf(const double *x) { return sum16(_mm512_min_ps(inf(x), _mm512_mul_ps(inf(x), inf(x)))); }
double summed(const double *x) { return sum8(_mm512_add_round_pd(in(x), sq(in(x)), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC)); }
double divided(const double *x) { return sum8(_mm512_div_round_pd(in(x), _mm512_add_pd(sq(in(x)), in(x)), _MM_FROUND_CUR_DIRECTION)); }
double rooted(const double *x) { return sum8(_mm512_sqrt_round_pd(in(x), _MM_FROUND_CUR_DIRECTION)); }
double low_root(const double *x) { __m128d v = _mm_loadu_pd(x); return _mm_mask_sqrt_round_sd(v, some(x), v, _mm_mul_sd(v, v), _MM_FROUND_CUR_DIRECTION)[0] * x[1]; }
double fused(const double *x) { return sum8(_mm512_fmadd_round_pd(in(x), in(x), sq(in(x)), _MM_FROUND_CUR_DIRECTION)); }
double fused_by_turns(const double *x) { return sum8(_mm512_fmaddsub_pd(in(x), in(x), sq(in(x)))); }
double fraction(const double *x) { __m512d v = _mm512_mul_pd(sq(in(x)), _mm512_set1_pd(3)); return sum8(_mm512_mul_pd(v, _mm512_sub_pd(v, _mm512_floor_pd(v)))); }
double quarters(const double *x) { return sum8(_mm512_mul_pd(in(x), _mm512_mask_roundscale_pd(sq(in(x)), some(x), sq(in(x)), 0x20))); }
double rest(const double *x) { return sum8(_mm512_mul_pd(in(x), _mm512_mask_reduce_pd(in(x), some(x), sq(in(x)), 0x10))); }
double mantissa(const double *x) { return sum8(_mm512_mul_pd(in(x), _mm512_getmant_pd(sq(in(x)), _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src))); }
double exponent(const double *x) { return sum8(_mm512_mul_pd(in(x), _mm512_mask_getexp_pd(in(x), some(x), sq(in(x))))); }
double scaled(const double *x) { return sum8(_mm512_mask_scalef_pd(in(x), some(x), sq(in(x)), _mm512_mul_pd(in(x), _mm512_set1_pd(3)))); }
double inverse(const double *x) { __m512d r = _mm512_mask_rcp14_pd(in(x), some(x), in(x)); return sum8(_mm512_mul_pd(r, r)); }
double root(const double *x) { return sum8(_mm512_rsqrt14_pd(in(x))); }
double estimates(const double *x) { return sum16(_mm512_mul_ps(_mm512_rcp14_ps(inf(x)), _mm512_rsqrt14_ps(inf(x)))); }
double widened(const double *x) { return sum8(_mm512_cvtps_pd(_mm512_castps512_ps256(inf(x)))); }
double narrowed(const double *x) { return sum16(_mm512_mul_ps(inf(x), inf(x))); }
double counted(const double *x) { return sum8(_mm512_mul_pd(in(x), _mm512_cvtepi64_pd(_mm512_cvtpd_epi64(_mm512_mul_pd(sq(in(x)), _mm512_set1_pd(5)))))); }
double classified(const double *x) { return (_mm512_fpclass_pd_mask(in(x), 0x22) + 1) * x[0] * x[7]; }
double permuted(const double *x) {
  __m512i at = _mm512_set_epi64(x[0] < 1 ? 7 : 0, 3, 3, 5, x[1] < 1 ? 6 : 2, 0, 4, 1);
  return sum8(_mm512_mul_pd(_mm512_permutexvar_pd(at, sq(in(x))), in(x)));
}
double permuted_of_two(const double *x) {
  __m512i at = _mm512_set_epi64(x[0] < 1 ? 15 : 0, 3, 11, 5, x[1] < 1 ? 6 : 12, 0, 4, 9);
  return sum8(_mm512_mul_pd(_mm512_permutex2var_pd(sq(in(x)), at, in(x)), in(x)));
}
double gathered(const double *x) {
  __m256i at = _mm256_set_epi32(x[0] < 1 ? 7 : 0, 3, 3, 5, 6, 0, 4, 1);
  return sum8(sq(_mm512_mask_i32gather_pd(in(x), some(x), at, x, 8)));
}
double scattered(const double *x) {
  double y[8];
  for (int i = 0; i < 8; i++) y[i] = x[7 - i];
  _mm512_mask_i32scatter_pd(y, some(x), _mm256_set_epi32(7, 6, 4, 5, 1, 0, 3, 2), sq(in(x)), 8);
  return sum8(sq(in(y)));
}
double reduced(const double *x) { return _mm512_reduce_add_pd(sq(in(x))) * _mm512_reduce_max_pd(in(x)) * _mm512_mask_reduce_mul_pd(some(x), in(x)); }
double absolute(const double *x) { __m512d v = _mm512_sub_pd(in(x), _mm512_set1_pd(1)); return sum8(_mm512_mul_pd(_mm512_abs_pd(v), in(x))); }
double negated(const double *x) { return sum8(_mm512_xor_pd(sq(in(x)), _mm512_set_pd(-0.0, 0.0, -0.0, 0.0, 0.0, -0.0, 0.0, -0.0))); }
double beyond(const double *x) { __m512d v = _mm512_mul_pd(in(x), _mm512_set1_pd(1e305)); return sum8(_mm512_mul_pd(_mm512_roundscale_pd(v, 0xf0), _mm512_set1_pd(1e-305))) + x[0] * x[1]; }
double chosen_root(const double *x) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2), c = _mm_loadu_pd(x + 4);
  __m128d r = _mm_mask_sqrt_round_sd(a, some(x), b, c, _MM_FROUND_CUR_DIRECTION);
  return r[0] * x[6] + r[1] * x[7];
}
