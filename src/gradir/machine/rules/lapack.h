/* Derivatives of LAPACK's factorisations and solvers in one precision: as blas.h, which comes first.

   A routine that fails (info is not 0) has no derivative worth the name: what it left is differentiated as if it were
   the result. */

/* -- Cholesky: A = L L' or U' U, in one triangle ------------------------------------------------------------------ */

AUGMENTED(potrf)(char u, INT n, REAL *a, REAL *da, INT lda, int *info) {
  OF_BLAS(potrf)(u, n, a, lda, info);
  TAPE *tape = OF(new_tape)();
  if (da) tape->a = OF(keep_matrix)(n, n, a, lda);
  return tape;
}
/* With L' dL = p below and half on the diagonal, the cotangent of A is L^-T p L^-1; an upper factor is L'. */
REVERSE(potrf)(char u, INT n, REAL *a, REAL *da, INT lda, int *info, TAPE *tape) {
  if (da && n > 0) {
    int upper = is(u, 'U');
    char plain = upper ? 'T' : 'N', back = upper ? 'N' : 'T';
    REAL *p = OF(room)(n, n);
    for (INT j = 0; j < n; j++)
      for (INT i = j; i < n; i++) p[i + j * n] = upper ? da[j + i * lda] : da[i + j * lda];
    OF_BLAS(trmm)('L', u, back, 'N', n, n, 1, tape->a, n, p, n);
    for (INT j = 0; j < n; j++) {
      for (INT i = 0; i < j; i++) p[i + j * n] = 0;
      p[j + j * n] /= 2;
    }
    OF_BLAS(trsm)('L', u, back, 'N', n, n, 1, tape->a, n, p, n);
    OF_BLAS(trsm)('R', u, plain, 'N', n, n, 1, tape->a, n, p, n);
    for (INT j = 0; j < n; j++)
      for (INT i = 0; i < n; i++)
        if (inside(u, 'N', i, j)) da[i + j * lda] = i == j ? p[i + i * n] : p[i + j * n] + p[j + i * n];
    __builtin_free(p);
  }
  OF(release)(tape);
}
FORWARD(potrf, void)(char u, INT n, REAL *a, REAL *da, INT lda, int *info) {
  OF_BLAS(potrf)(u, n, a, lda, info);
  if (!da || n <= 0) return;
  int upper = is(u, 'U');
  char plain = upper ? 'T' : 'N', back = upper ? 'N' : 'T';
  REAL *p = OF(unfolded)(u, n, da, lda);
  for (INT j = 0; j < n; j++) p[j + j * n] /= 2;
  OF_BLAS(trsm)('L', u, plain, 'N', n, n, 1, a, lda, p, n);
  OF_BLAS(trsm)('R', u, back, 'N', n, n, 1, a, lda, p, n);
  for (INT j = 0; j < n; j++) {
    for (INT i = 0; i < j; i++) p[i + j * n] = 0;
    p[j + j * n] /= 2;
  }
  OF_BLAS(trmm)('L', u, plain, 'N', n, n, 1, a, lda, p, n);
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < n; i++)
      if (inside(u, 'N', i, j)) da[i + j * lda] = upper ? p[j + i * n] : p[i + j * n];
  __builtin_free(p);
}

/* X = A^-1 B, from the factor of A */
AUGMENTED(potrs)(char u, INT n, INT k, const REAL *a, REAL *da, INT lda, REAL *b, REAL *db, INT ldb, int *info) {
  TAPE *tape = OF(new_tape)();
  if (db) tape->a = OF(keep_matrix)(n, n, a, lda);
  OF_BLAS(potrs)(u, n, k, a, lda, b, ldb, info);
  if (db && da) tape->b = OF(keep_matrix)(n, k, b, ldb);
  return tape;
}
/* s = the symmetric part of x y', times minus two, applied to the factor: how A moves with its factor. */
REVERSE(potrs)(char u, INT n, INT k, const REAL *a, REAL *da, INT lda, REAL *b, REAL *db, INT ldb, int *info, TAPE *tape) {
  if (db && n > 0 && k > 0) {
    int status;
    OF_BLAS(potrs)(u, n, k, tape->a, n, db, ldb, &status);
    if (da) {
      REAL *s = OF(room)(n, n);
      OF_BLAS(gemm)('N', 'T', n, n, k, -1, db, ldb, tape->b, n, 0, s, n);
      OF_BLAS(gemm)('N', 'T', n, n, k, -1, tape->b, n, db, ldb, 1, s, n);
      OF_BLAS(trmm)(is(u, 'U') ? 'L' : 'R', u, 'N', 'N', n, n, 1, tape->a, n, s, n);
      OF(add_triangle)(u, 'N', n, 1, s, n, da, lda);
      __builtin_free(s);
    }
  }
  OF(release)(tape);
}
FORWARD(potrs, void)(char u, INT n, INT k, const REAL *a, REAL *da, INT lda, REAL *b, REAL *db, INT ldb, int *info) {
  OF_BLAS(potrs)(u, n, k, a, lda, b, ldb, info);
  if (!db || n <= 0 || k <= 0) return;
  if (da) { /* dB -= (dL L' + L dL') X */
    char plain = is(u, 'U') ? 'T' : 'N', back = is(u, 'U') ? 'N' : 'T';
    REAL *moved = OF(triangle)(u, 'N', n, da, lda), *x = OF(keep_matrix)(n, k, b, ldb);
    OF_BLAS(trmm)('L', u, back, 'N', n, k, 1, a, lda, x, n);
    OF_BLAS(gemm)(plain, 'N', n, k, n, -1, moved, n, x, n, 1, db, ldb);
    OF_BLAS(gemm)(back, 'N', n, k, n, 1, moved, n, b, ldb, 0, x, n);
    OF_BLAS(trmm)('L', u, plain, 'N', n, k, -1, a, lda, x, n);
    OF(add)(n, k, 1, x, n, db, ldb);
    __builtin_free(moved);
    __builtin_free(x);
  }
  int status;
  OF_BLAS(potrs)(u, n, k, a, lda, db, ldb, &status);
}

/* -- LU with row exchanges: P A = L U ----------------------------------------------------------------------------- */

/* The exchanges of rows, in their order or backwards. */
OWN(exchange, void)(INT n, REAL *x, INT ldx, INT k, const int *ipiv, int backwards) {
  for (INT step = 0; step < k; step++) {
    INT i = backwards ? k - 1 - step : step, p = ipiv[i] - 1;
    for (INT j = 0; p != i && j < n; j++) {
      REAL other = x[i + j * ldx];
      x[i + j * ldx] = x[p + j * ldx];
      x[p + j * ldx] = other;
    }
  }
}

AUGMENTED(getrf)(INT m, INT n, REAL *a, REAL *da, INT lda, int *ipiv, int *info) {
  OF_BLAS(getrf)(m, n, a, lda, ipiv, info);
  TAPE *tape = OF(new_tape)();
  INT k = m < n ? m : n;
  if (da && k > 0) {
    tape->a = OF(keep_matrix)(m, n, a, lda);
    tape->b = __builtin_malloc(k * sizeof(int));
    for (INT i = 0; i < k; i++) ((int *)tape->b)[i] = ipiv[i];
  }
  return tape;
}
/* In place: dA holds the cotangents of L (below the diagonal) and U. First what lies beyond the square part moves into
   it, L2 = B2 U^-1 or U2 = L^-1 B2; then the square part is L^-T (below(L' dL) + above(dU U')) U^-T. */
REVERSE(getrf)(INT m, INT n, REAL *a, REAL *da, INT lda, int *ipiv, int *info, TAPE *tape) {
  INT k = m < n ? m : n;
  if (da && k > 0) {
    const REAL *lu = tape->a;
    REAL *p = OF(room)(k, k), *q = OF(room)(k, k);
    if (m > k) {
      OF_BLAS(trsm)('R', 'U', 'T', 'N', m - k, k, 1, lu, m, da + k, lda);
      OF_BLAS(gemm)('T', 'N', k, k, m - k, -1, lu + k, m, da + k, lda, 0, p, k);
      OF(add_triangle)('U', 'N', k, 1, p, k, da, lda);
    }
    if (n > k) {
      OF_BLAS(trsm)('L', 'L', 'T', 'U', k, n - k, 1, lu, m, da + k * lda, lda);
      OF_BLAS(gemm)('N', 'T', k, k, n - k, -1, da + k * lda, lda, lu + k * m, m, 0, p, k);
      OF(add_triangle)('L', 'U', k, 1, p, k, da, lda);
    }
    for (INT j = 0; j < k; j++)
      for (INT i = 0; i < k; i++) {
        p[i + j * k] = i > j ? da[i + j * lda] : 0;
        q[i + j * k] = i > j ? 0 : da[i + j * lda];
      }
    OF_BLAS(trmm)('L', 'L', 'T', 'U', k, k, 1, lu, m, p, k);
    OF_BLAS(trmm)('R', 'U', 'T', 'N', k, k, 1, lu, m, q, k);
    for (INT j = 0; j < k; j++)
      for (INT i = 0; i < k; i++) da[i + j * lda] = i > j ? p[i + j * k] : q[i + j * k];
    OF_BLAS(trsm)('L', 'L', 'T', 'U', k, k, 1, lu, m, da, lda);
    OF_BLAS(trsm)('R', 'U', 'T', 'N', k, k, 1, lu, m, da, lda);
    OF(exchange)(n, da, lda, k, (const int *)tape->b, 1);
    __builtin_free(p);
    __builtin_free(q);
  }
  OF(release)(tape);
}
FORWARD(getrf, void)(INT m, INT n, REAL *a, REAL *da, INT lda, int *ipiv, int *info) {
  OF_BLAS(getrf)(m, n, a, lda, ipiv, info);
  INT k = m < n ? m : n;
  if (!da || k <= 0) return;
  OF(exchange)(n, da, lda, k, ipiv, 0);
  REAL *p = OF(keep_matrix)(k, k, da, lda), *q = OF(room)(k, k);
  OF_BLAS(trsm)('L', 'L', 'N', 'U', k, k, 1, a, lda, p, k);
  OF_BLAS(trsm)('R', 'U', 'N', 'N', k, k, 1, a, lda, p, k);
  for (INT j = 0; j < k; j++)
    for (INT i = 0; i <= j; i++) q[i + j * k] = p[i + j * k], p[i + j * k] = 0;
  OF_BLAS(trmm)('L', 'L', 'N', 'U', k, k, 1, a, lda, p, k); /* the tangent of L */
  OF_BLAS(trmm)('R', 'U', 'N', 'N', k, k, 1, a, lda, q, k); /* the tangent of U */
  if (m > k) {
    OF_BLAS(gemm)('N', 'N', m - k, k, k, -1, a + k, lda, q, k, 1, da + k, lda);
    OF_BLAS(trsm)('R', 'U', 'N', 'N', m - k, k, 1, a, lda, da + k, lda);
  }
  if (n > k) {
    OF_BLAS(gemm)('N', 'N', k, n - k, k, -1, p, k, a + k * lda, lda, 1, da + k * lda, lda);
    OF_BLAS(trsm)('L', 'L', 'N', 'U', k, n - k, 1, a, lda, da + k * lda, lda);
  }
  for (INT j = 0; j < k; j++)
    for (INT i = 0; i < k; i++) da[i + j * lda] = p[i + j * k] + q[i + j * k];
  __builtin_free(p);
  __builtin_free(q);
}

/* X = op(A)^-1 B, from the factors of A */
AUGMENTED(getrs)(char t, INT n, INT k, const REAL *a, REAL *da, INT lda, int *ipiv, REAL *b, REAL *db, INT ldb, int *info) {
  TAPE *tape = OF(new_tape)();
  if (db && n > 0) {
    tape->a = OF(keep_matrix)(n, n, a, lda);
    tape->c = __builtin_malloc(n * sizeof(int));
    for (INT i = 0; i < n; i++) ((int *)tape->c)[i] = ipiv[i];
  }
  OF_BLAS(getrs)(t, n, k, a, lda, ipiv, b, ldb, info);
  if (db && da) tape->b = OF(keep_matrix)(n, k, b, ldb);
  return tape;
}
REVERSE(getrs)(char t, INT n, INT k, const REAL *a, REAL *da, INT lda, int *ipiv, REAL *b, REAL *db, INT ldb, int *info,
               TAPE *tape) {
  if (db && n > 0 && k > 0) {
    int status, *pivots = (int *)tape->c;
    OF_BLAS(getrs)(flipped(t), n, k, tape->a, n, pivots, db, ldb, &status);
    if (da) {
      REAL *p = OF(room)(n, n), *q;
      if (transposed(t)) OF_BLAS(gemm)('N', 'T', n, n, k, -1, tape->b, n, db, ldb, 0, p, n);
      else OF_BLAS(gemm)('N', 'T', n, n, k, -1, db, ldb, tape->b, n, 0, p, n);
      OF(exchange)(n, p, n, n, pivots, 0);
      q = OF(keep_matrix)(n, n, p, n);
      OF_BLAS(trmm)('R', 'U', 'T', 'N', n, n, 1, tape->a, n, p, n);
      OF_BLAS(trmm)('L', 'L', 'T', 'U', n, n, 1, tape->a, n, q, n);
      OF(add_triangle)('L', 'U', n, 1, p, n, da, lda);
      OF(add_triangle)('U', 'N', n, 1, q, n, da, lda);
      __builtin_free(p);
      __builtin_free(q);
    }
  }
  OF(release)(tape);
}
/* The tangent of op(A) X with A fixed in its factors: P' (dL U + L dU) */
FORWARD(getrs, void)(char t, INT n, INT k, const REAL *a, REAL *da, INT lda, int *ipiv, REAL *b, REAL *db, INT ldb,
                     int *info) {
  OF_BLAS(getrs)(t, n, k, a, lda, ipiv, b, ldb, info);
  if (!db || n <= 0 || k <= 0) return;
  if (da) {
    REAL *p = OF(triangle)('L', 'U', n, da, lda), *q = OF(triangle)('U', 'N', n, da, lda);
    OF_BLAS(trmm)('R', 'U', 'N', 'N', n, n, 1, a, lda, p, n);
    OF_BLAS(trmm)('L', 'L', 'N', 'U', n, n, 1, a, lda, q, n);
    OF(add)(n, n, 1, q, n, p, n);
    OF(exchange)(n, p, n, n, ipiv, 1);
    OF_BLAS(gemm)(t, 'N', n, k, n, -1, p, n, b, ldb, 1, db, ldb);
    __builtin_free(p);
    __builtin_free(q);
  }
  int status;
  OF_BLAS(getrs)(t, n, k, a, lda, ipiv, db, ldb, &status);
}
