/* Bodies of the linear algebra that Numba calls, in one precision: matrices by columns. Products are of real or complex
   matrices (two parts), the rest is of real ones. */

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

static inline REAL NAMED(numba_nrm2)(INT n, const REAL *x, INT step) {
  REAL sum = 0;
  for (INT i = 0; i < n; i++) sum += x[i * step] * x[i * step];
  return (REAL)__builtin_sqrt(sum);
}

/* P A = L U in place, with the rows that were exchanged; as LAPACK it says which of U's diagonal is 0 first. */
static inline int NAMED(numba_getrf)(INT m, INT n, REAL *a, INT lda, int *ipiv) {
  int info = 0;
  for (INT j = 0; j < (m < n ? m : n); j++) {
    INT p = j;
    for (INT i = j + 1; i < m; i++) {
      REAL one = a[i + j * lda], best = a[p + j * lda];
      if ((one < 0 ? -one : one) > (best < 0 ? -best : best)) p = i;
    }
    ipiv[j] = (int)p + 1;
    if (a[p + j * lda] == 0) {
      if (!info) info = (int)j + 1;
      continue;
    }
    for (INT c = 0; p != j && c < n; c++) {
      REAL other = a[j + c * lda];
      a[j + c * lda] = a[p + c * lda];
      a[p + c * lda] = other;
    }
    for (INT i = j + 1; i < m; i++) a[i + j * lda] /= a[j + j * lda];
    for (INT c = j + 1; c < n; c++) {
      REAL factor = a[j + c * lda];
      for (INT i = j + 1; i < m; i++) a[i + c * lda] -= a[i + j * lda] * factor;
    }
  }
  return info;
}
/* x = A^-1 x from the factors of A */
static inline void NAMED(numba_solve)(INT n, const REAL *lu, INT lda, const int *ipiv, REAL *x) {
  for (INT i = 0; i < n; i++) {
    INT p = ipiv[i] - 1;
    REAL other = x[i];
    x[i] = x[p];
    x[p] = other;
  }
  for (INT j = 0; j < n; j++)
    for (INT i = j + 1; i < n; i++) x[i] -= lu[i + j * lda] * x[j];
  for (INT j = n - 1; j >= 0; j--) {
    x[j] /= lu[j + j * lda];
    for (INT i = 0; i < j; i++) x[i] -= lu[i + j * lda] * x[j];
  }
}
static inline int NAMED(numba_gesv)(INT n, INT k, REAL *a, INT lda, int *ipiv, REAL *b, INT ldb) {
  int info = NAMED(numba_getrf)(n, n, a, lda, ipiv);
  for (INT j = 0; !info && j < k; j++) NAMED(numba_solve)(n, a, lda, ipiv, b + j * ldb);
  return info;
}
static inline int NAMED(numba_getri)(INT n, REAL *a, INT lda, const int *ipiv) {
  for (INT i = 0; i < n; i++)
    if (a[i + i * lda] == 0) return (int)i + 1;
  REAL *made = __builtin_malloc(n * n * sizeof(REAL));
  for (INT j = 0; j < n; j++) {
    for (INT i = 0; i < n; i++) made[i + j * n] = i == j;
    NAMED(numba_solve)(n, a, lda, ipiv, made + j * n);
  }
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < n; i++) a[i + j * lda] = made[i + j * n];
  __builtin_free(made);
  return 0;
}
/* A = L L' in place of A's lower triangle, or U' U in the upper one. */
static inline int NAMED(numba_potrf)(char u, INT n, REAL *a, INT lda) {
  INT row = is(u, 'U') ? lda : 1, column = is(u, 'U') ? 1 : lda;
  for (INT j = 0; j < n; j++) {
    REAL rest = a[j * row + j * column];
    for (INT k = 0; k < j; k++) rest -= a[j * row + k * column] * a[j * row + k * column];
    if (!(rest > 0)) return (int)j + 1;
    REAL diagonal = (REAL)__builtin_sqrt(rest);
    a[j * row + j * column] = diagonal;
    for (INT i = j + 1; i < n; i++) {
      REAL below = a[i * row + j * column];
      for (INT k = 0; k < j; k++) below -= a[i * row + k * column] * a[j * row + k * column];
      a[i * row + j * column] = below / diagonal;
    }
  }
  return 0;
}
