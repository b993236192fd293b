/* Bodies of the matrix products that Numba calls, in one precision: matrices by columns, real or complex (two parts). */

typedef struct { const REAL *at; INT row, column; int parts; REAL sign; } NAMED(matrix);
static inline NAMED(matrix) NAMED(option)(char option, const REAL *at, INT ld, int parts) {
  int plain = is(option, 'N');
  return (NAMED(matrix)){at, plain ? parts : ld * parts, plain ? ld * parts : parts, parts, is(option, 'C') ? -1 : 1};
}

/* c = alpha op(a) op(b) + beta c */
static inline void NAMED(multiply)(INT m, INT n, INT k, const REAL *alpha, NAMED(matrix) a, NAMED(matrix) b, const REAL *beta,
                                   REAL *c, INT ldc) {
  if (a.parts == 1) {
    for (INT j = 0; j < n; j++) {
      for (INT i = 0; i < m; i++) c[i + j * ldc] = *beta == 0 ? 0 : *beta * c[i + j * ldc];
      for (INT p = 0; p < k; p++) {
        REAL factor = *alpha * b.at[p * b.row + j * b.column];
        for (INT i = 0; i < m; i++) c[i + j * ldc] += a.at[i * a.row + p * a.column] * factor;
      }
    }
    return;
  }
  NAMED(complex) first = {alpha[0], alpha[1]}, second = {beta[0], beta[1]};
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) {
      REAL *out = c + 2 * (i + j * ldc);
      NAMED(complex) sum = {0, 0}, old = {out[0], out[1]};
      for (INT p = 0; p < k; p++) {
        const REAL *x = a.at + i * a.row + p * a.column, *y = b.at + p * b.row + j * b.column;
        NAMED(complex) product = NAMED(times)((NAMED(complex)){x[0], a.sign * x[1]}, (NAMED(complex)){y[0], b.sign * y[1]});
        sum.re += product.re, sum.im += product.im;
      }
      sum = NAMED(times)(first, sum), old = NAMED(times)(second, old);
      int empty = second.re == 0 && second.im == 0;
      out[0] = sum.re + (empty ? 0 : old.re), out[1] = sum.im + (empty ? 0 : old.im);
    }
}
static inline void NAMED(numba_gemm)(int parts, char ta, char tb, INT m, INT n, INT k, REAL *alpha, REAL *a, INT lda, REAL *b,
                                     INT ldb, REAL *beta, REAL *c, INT ldc) {
  NAMED(multiply)(m, n, k, alpha, NAMED(option)(ta, a, lda, parts), NAMED(option)(tb, b, ldb, parts), beta, c, ldc);
}
static inline void NAMED(numba_gemv)(int parts, char t, INT m, INT n, REAL *alpha, REAL *a, INT lda, REAL *x, REAL *beta,
                                     REAL *y) {
  INT rows = transposed(t) ? n : m, columns = transposed(t) ? m : n;
  NAMED(multiply)(rows, 1, columns, alpha, NAMED(option)(t, a, lda, parts), NAMED(option)('N', x, columns, parts), beta, y,
                  rows);
}
static inline void NAMED(numba_dot)(int parts, char conjugated, INT n, REAL *x, REAL *y, REAL *result) {
  REAL one[] = {1, 0}, zero[] = {0, 0};
  NAMED(multiply)(1, 1, n, one, NAMED(option)(conjugated ? 'C' : 'T', x, n, parts), NAMED(option)('N', y, n, parts), zero,
                  result, 1);
}
