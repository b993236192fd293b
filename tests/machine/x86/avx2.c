/* What stays a call of x86's own functions in what compilers write for SSE and AVX. All take four doubles. */
#include <immintrin.h>
#include <math.h>

static double sum4(__m256d v) { return v[0] + 2 * v[1] + 3 * v[2] - v[3]; }
static double sum2(__m128d v) { return v[0] - 3 * v[1]; }
static double sumf(__m128 v) { return v[0] + 2 * v[1] + 3 * v[2] - v[3]; }
static double sumf8(__m256 v) { return sumf(_mm256_castps256_ps128(v)) - 2 * sumf(_mm256_extractf128_ps(v, 1)); }
static __m256d in(const double *x) { return _mm256_loadu_pd(x); }
static __m128d low(const double *x) { return _mm_loadu_pd(x); }
static __m128 inf(const double *x) { return _mm256_cvtpd_ps(_mm256_loadu_pd(x)); }
static __m256 inf8(const double *x) { __m128 v = inf(x); return _mm256_set_m128(_mm_mul_ps(v, v), v); }
static __m256d sq(__m256d v) { return _mm256_mul_pd(v, v); }

double hadd(const double *x) { return sum4(_mm256_hadd_pd(in(x), sq(in(x)))); }
double hsub(const double *x) { return sum4(_mm256_hsub_pd(in(x), sq(in(x)))); }
double hadd2(const double *x) { return sum2(_mm_hadd_pd(low(x), _mm_mul_pd(low(x + 2), low(x)))); }
double haddf(const double *x) { return sumf(_mm_hadd_ps(inf(x), _mm_mul_ps(inf(x), inf(x)))); }
double haddf8(const double *x) { return sumf8(_mm256_hadd_ps(inf8(x), _mm256_mul_ps(inf8(x), inf8(x)))); }
double hsubf8(const double *x) { return sumf8(_mm256_hsub_ps(inf8(x), _mm256_mul_ps(inf8(x), inf8(x)))); }
double addsub(const double *x) { return sum4(_mm256_addsub_pd(in(x), sq(in(x)))); }
double addsubf(const double *x) { return sumf(_mm_addsub_ps(inf(x), _mm_mul_ps(inf(x), inf(x)))); }
double fmaddsub(const double *x) { return sum4(_mm256_fmaddsub_pd(in(x), sq(in(x)), in(x))); }
double fmsubadd(const double *x) { return sum4(_mm256_fmsubadd_pd(in(x), sq(in(x)), in(x))); }
double dot(const double *x) { return sum2(_mm_dp_pd(low(x), low(x + 2), 0x31)); }
double dotf(const double *x) { return sumf(_mm_dp_ps(inf(x), _mm_mul_ps(inf(x), inf(x)), 0x7d)); }
double dotf8(const double *x) { return sumf8(_mm256_dp_ps(inf8(x), _mm256_mul_ps(inf8(x), inf8(x)), 0xb6)); }

double largest(const double *x) { return sum4(_mm256_max_pd(in(x), sq(in(x)))); }
double smallest(const double *x) { return sum4(_mm256_min_pd(in(x), sq(in(x)))); }
double lowest(const double *x) { return sum2(_mm_min_sd(low(x), _mm_mul_pd(low(x), low(x)))); }
double largestf(const double *x) { return sumf(_mm_max_ss(inf(x), _mm_mul_ps(inf(x), inf(x)))); }
double blend(const double *x) {
  return sum4(_mm256_blendv_pd(in(x), sq(in(x)), _mm256_cmp_pd(in(x), _mm256_set1_pd(0.8), _CMP_LT_OQ)));
}
double blendf(const double *x) { return sumf(_mm_blendv_ps(inf(x), _mm_mul_ps(inf(x), inf(x)), _mm_sub_ps(inf(x), _mm_set1_ps(0.8f)))); }
double compared(const double *x) {
  __m128d mask = _mm_cmplt_sd(low(x), low(x + 1));
  return (_mm_movemask_pd(mask) & 1) * x[2] * x[3] + x[0];
}
double branch(const double *x) {
  if (_mm_comilt_sd(low(x), low(x + 1))) return x[0] * x[1];
  return _mm256_movemask_pd(_mm256_cmp_pd(in(x), _mm256_set1_pd(1), _CMP_GT_OQ)) * x[2] * x[3];
}
double tested(const double *x) { return (_mm256_testz_pd(_mm256_sub_pd(in(x), _mm256_set1_pd(9)), in(x)) + 2) * x[0] * x[1]; }

double fraction(const double *x) { __m256d v = _mm256_mul_pd(sq(in(x)), _mm256_set1_pd(3)); return sum4(_mm256_mul_pd(v, _mm256_sub_pd(v, _mm256_floor_pd(v)))); }
double nearest(const double *x) { __m256d v = sq(in(x)); return sum4(_mm256_mul_pd(v, _mm256_round_pd(v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC))); }
double ceiled(const double *x) { __m128d v = low(x); return sum2(_mm_mul_pd(v, _mm_ceil_sd(_mm_mul_pd(v, v), v))); }
double truncated(const double *x) {
  __m256d v = _mm256_mul_pd(sq(in(x)), _mm256_set1_pd(5));
  return sum4(_mm256_mul_pd(v, _mm256_sub_pd(v, _mm256_cvtepi32_pd(_mm256_cvttpd_epi32(v)))));
}
double rounded(const double *x) { return _mm_cvtsd_si32(low(x)) * x[0] * x[1]; }
double narrowed(const double *x) { return sumf(_mm_mul_ps(_mm_cvtpd_ps(low(x)), inf(x))); }
double low_narrowed(const double *x) { return sumf(_mm_cvtsd_ss(inf(x), _mm_mul_sd(low(x), low(x + 1)))); }

double inverse(const double *x) { __m128 r = _mm_rcp_ps(inf(x)); return sumf(_mm_mul_ps(r, _mm_sub_ps(_mm_set1_ps(2), _mm_mul_ps(r, inf(x))))); }
double root(const double *x) {
  __m256 v = inf8(x), r = _mm256_rsqrt_ps(v);
  return sumf8(_mm256_mul_ps(r, _mm256_sub_ps(_mm256_set1_ps(1.5f), _mm256_mul_ps(_mm256_mul_ps(_mm256_set1_ps(0.5f), v), _mm256_mul_ps(r, r)))));
}
double low_root(const double *x) { __m128 v = inf(x), r = _mm_rsqrt_ss(v); return sumf(_mm_mul_ps(r, v)); }

double permuted(const double *x) {
  __m256i at = _mm256_set_epi64x(x[0] < 1 ? 2 : 0, 0, x[1] < 1 ? 0 : 2, 2);
  return sum4(_mm256_mul_pd(_mm256_permutevar_pd(sq(in(x)), at), in(x)));
}
double permutedf(const double *x) {
  __m256i at = _mm256_set_epi32(x[0] < 1 ? 7 : 0, 3, 3, 5, x[1] < 1 ? 6 : 2, 0, 4, 1);
  return sumf8(_mm256_mul_ps(_mm256_permutevar8x32_ps(inf8(x), at), inf8(x)));
}
double loaded(const double *x) {
  __m256i mask = _mm256_set_epi64x(-1, 0, x[0] < 1 ? -1 : 0, -1);
  return sum4(sq(_mm256_maskload_pd(x, mask)));
}
double stored(const double *x) {
  double y[4] = {x[3], x[2], x[1], x[0]};
  _mm256_maskstore_pd(y, _mm256_set_epi64x(-1, 0, x[0] < 1 ? -1 : 0, -1), sq(in(x)));
  return y[0] * y[1] + y[2] * y[3];
}
double gathered(const double *x) {
  __m128i at = _mm_set_epi32(x[0] < 1 ? 3 : 0, 1, 1, 2);
  return sum4(sq(_mm256_i32gather_pd(x, at, 8)));
}
double gathered_some(const double *x) {
  __m256d mask = _mm256_cmp_pd(in(x), _mm256_set1_pd(0.9), _CMP_LT_OQ);
  return sum4(sq(_mm256_mask_i64gather_pd(in(x), x, _mm256_set_epi64x(0, 1, 3, 2), mask, 8)));
}
double gatheredf(const double *x) {
  float y[8];
  _mm256_storeu_ps(y, inf8(x));
  return sumf(_mm_mul_ps(_mm256_i64gather_ps(y, _mm256_set_epi64x(7, 1, 3, 2), 4), inf(x)));
}
double halves(const double *x) { return sumf(_mm_mul_ps(_mm_cvtph_ps(_mm_cvtps_ph(inf(x), 0)), inf(x))); }
double conjugated(const double *x) {
  __m256d other = _mm256_xor_pd(in(x), _mm256_set_pd(-0.0, 0.0, -0.0, 0.0));
  return sum4(_mm256_mul_pd(other, sq(in(x))));
}
double selected(const double *x) {
  __m128 mask = _mm_castsi128_ps(_mm_set_epi32(0, -1, 0, -1));
  return sumf(_mm_mul_ps(_mm_or_ps(_mm_and_ps(mask, inf(x)), _mm_andnot_ps(mask, _mm_set1_ps(2))), inf(x)));
}
double mixed(const double *x) {
  __m256d mask = _mm256_castsi256_pd(_mm256_set_epi64x(0, -1, -1, 0));
  return sum4(_mm256_mul_pd(_mm256_or_pd(_mm256_and_pd(mask, in(x)), _mm256_andnot_pd(mask, sq(in(x)))), in(x)));
}
double by_hand(const double *x) { /* as Eigen has it */
  __m256d made = in(x);
  __asm__("vfmadd231pd %[a], %[b], %[c]" : [c] "+x"(made) : [a] "x"(in(x)), [b] "x"(sq(in(x))));
  return sum4(made);
}
