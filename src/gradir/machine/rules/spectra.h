/* Derivatives of LAPACK's symmetric eigenvalues and singular values in one precision: as lapack.h, which comes first.

   Signs, and bases where values are equal, are nobody's choice: they stand still, so that no vector has a derivative along
   itself. Equal values have no derivative of their vectors: what depends on it is infinite. What does not, has its own.

   What a routine leaves where it only works (`work`, and A where it gives no vectors) is constant. A call that asks for the
   size of `work` does nothing else. */

/* x / y. That 0 / 0 is 0 is no reason for its derivative to be. */
static inline REAL NAMED(quotient)(REAL x, REAL y) { return x == 0 && y == 0 ? x * LARGE : x / y; }

OWN(clear_matrix, void)(INT m, INT n, REAL *x, INT ldx) {
  if (x) OF(scale)(m, n, 0, x, ldx);
}

/* What becomes of `work`, of which a query writes the first number. */
OWN(clear_work, void)(INT lwork, INT liwork, REAL *dwork) {
  OF(clear_matrix)(lwork == -1 || liwork == -1 ? 1 : lwork, 1, dwork, 1);
}

/* -- symmetric matrices: A = V w V', with w ascending --------------------------------------------------------------

   A tape has all vectors (a) and values (b) of A, in whose place those are that the program has been given: `count`, from
   `first` on. */

/* What the routine at hand won't tell of A, before it runs; null where it is only asked for a size. */
OWN(spectrum, TAPE *)(int is_wanted, int is_told, char u, INT n, const REAL *a, INT lda, INT lwork, INT liwork) {
  if (lwork == -1 || liwork == -1 || n <= 0) return 0;
  TAPE *tape = OF(new_tape)();
  if (!is_wanted) return tape;
  tape->b = OF(room)(n, 1);
  tape->a = is_told ? OF(room)(n, n) : OF(keep_matrix)(n, n, a, lda);
  if (!is_told) {
    int status;
    REAL *work = OF(room)(3 * n, 1);
    OF_BLAS(syev)('V', u, n, tape->a, n, tape->b, work, 3 * n, &status);
    __builtin_free(work);
  }
  return tape;
}

/* What it has told, after it has run: values, and vectors if there are any. */
OWN(told_spectrum, void)(TAPE *tape, INT n, INT count, const REAL *w, const REAL *v, INT ldv) {
  if (!tape || !tape->b) return;
  INT first = 0;
  if (count < n && count > 0)
    for (INT i = 1; i + count <= n; i++)
      if (M(fabs)(tape->b[i] - w[0]) < M(fabs)(tape->b[first] - w[0])) first = i;
  tape->first = first, tape->count = count;
  for (INT j = 0; v && j < count; j++) {
    tape->b[first + j] = w[j];
    for (INT i = 0; i < n; i++) tape->a[i + (first + j) * n] = v[i + j * ldv];
  }
}

/* The cotangent of A's triangle is added to da; those of the values are cleared, those of the vectors (without gaps) not. */
OWN(spectrum_reverse, void)(char u, INT n, REAL *da, INT lda, REAL *dw, const REAL *dv, const TAPE *tape) {
  INT count = tape->count, first = tape->first;
  if (!tape->b || count <= 0) return;
  const REAL *all = tape->a, *w = tape->b, *given = all + first * n;
  REAL *p = OF(room)(n, count), *q = OF(room)(n, count), *g = OF(room)(n, n);
  if (dv) OF_BLAS(gemm)('T', 'N', n, count, n, 1, all, n, dv, n, 0, p, n);
  for (INT j = 0; j < count; j++)
    for (INT i = 0; i < n; i++) {
      INT other = i - first;
      REAL gap = w[first + j] - w[i];
      if (other == j) q[i + j * n] = dw ? dw[j] : 0;
      else if (other < 0 || other >= count) q[i + j * n] = NAMED(quotient)(p[i + j * n], gap);
      else q[i + j * n] = NAMED(quotient)(p[i + j * n] - p[first + j + other * n], gap) / 2; /* that of A is symmetric */
    }
  OF_BLAS(gemm)('N', 'N', n, count, n, 1, all, n, q, n, 0, p, n);
  OF_BLAS(gemm)('N', 'T', n, n, count, 1, p, n, given, n, 0, g, n);
  OF(add_folded)(u, n, 1, g, n, da, lda);
  OF(clear_matrix)(count, 1, dw, count);
  __builtin_free(p);
  __builtin_free(q);
  __builtin_free(g);
}

/* The tangents of the values, and of the vectors where there is memory for them, by that of A's triangle; they may share
   memory. */
OWN(spectrum_forward, void)(char u, INT n, const REAL *da, INT lda, REAL *dw, REAL *dv, INT ldv, const TAPE *tape) {
  INT count = tape->count, first = tape->first;
  if (!tape->b || count <= 0) return;
  const REAL *all = tape->a, *w = tape->b, *given = all + first * n;
  REAL *moved = OF(unfolded)(u, n, da, lda), *p = OF(room)(n, count), *q = OF(room)(n, count);
  for (INT i = 0; i < n; i++) moved[i + i * n] /= 2;
  OF_BLAS(gemm)('N', 'N', n, count, n, 1, moved, n, given, n, 0, q, n);
  OF_BLAS(gemm)('T', 'N', n, count, n, 1, all, n, q, n, 0, p, n);
  for (INT j = 0; j < count; j++) {
    if (dw) dw[j] = p[first + j + j * n];
    for (INT i = 0; dv && i < n; i++)
      q[i + j * n] = i == first + j ? 0 : NAMED(quotient)(p[i + j * n], w[first + j] - w[i]);
  }
  if (dv) OF_BLAS(gemm)('N', 'N', n, count, n, 1, all, n, q, n, 0, dv, ldv);
  __builtin_free(moved);
  __builtin_free(p);
  __builtin_free(q);
}

OWN(clear_triangle, void)(char u, INT n, REAL *x, INT ldx) {
  for (INT j = 0; x && j < n; j++)
    for (INT i = 0; i < n; i++)
      if (inside(u, 'N', i, j)) x[i + j * ldx] = 0;
}

/* Vectors come in A's place. */
OWN(syev_reverse, void)(char job, char u, INT n, REAL *da, INT lda, REAL *dw, TAPE *tape) {
  if (!tape) return;
  int has_vectors = is(job, 'V');
  REAL *dv = da && has_vectors ? OF(keep_matrix)(n, n, da, lda) : 0;
  if (has_vectors) OF(clear_matrix)(n, n, da, lda);
  else OF(clear_triangle)(u, n, da, lda);
  if (da) OF(spectrum_reverse)(u, n, da, lda, dw, dv, tape);
  else OF(clear_matrix)(n, 1, dw, n);
  __builtin_free(dv);
  OF(release)(tape);
}
OWN(syev_forward, void)(char job, char u, INT n, REAL *da, INT lda, REAL *dw, TAPE *tape) {
  if (!tape) return;
  int has_vectors = is(job, 'V');
  if (da) OF(spectrum_forward)(u, n, da, lda, dw, has_vectors ? da : 0, lda, tape);
  else OF(clear_matrix)(n, 1, dw, n);
  if (!has_vectors) OF(clear_triangle)(u, n, da, lda);
  OF(release)(tape);
}

AUGMENTED(syev)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork, INT lwork,
                int *info) {
  TAPE *tape = OF(spectrum)(da != 0, is(job, 'V'), u, n, a, lda, lwork, 0);
  OF_BLAS(syev)(job, u, n, a, lda, w, work, lwork, info);
  OF(told_spectrum)(tape, n, n, w, is(job, 'V') ? a : 0, lda);
  return tape;
}
REVERSE(syev)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork, INT lwork,
              int *info, TAPE *tape) {
  OF(clear_work)(lwork, 0, dwork);
  OF(syev_reverse)(job, u, n, da, lda, dw, tape);
}
FORWARD(syev, void)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork,
                    INT lwork, int *info) {
  TAPE *tape = OF(syev$augmented)(job, u, n, a, da, lda, w, dw, work, dwork, lwork, info);
  OF(clear_work)(lwork, 0, dwork);
  OF(syev_forward)(job, u, n, da, lda, dw, tape);
}

/* By dividing and conquering */
AUGMENTED(syevd)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork, INT lwork,
                 int *iwork, INT liwork, int *info) {
  TAPE *tape = OF(spectrum)(da != 0, is(job, 'V'), u, n, a, lda, lwork, liwork);
  OF_BLAS(syevd)(job, u, n, a, lda, w, work, lwork, iwork, liwork, info);
  OF(told_spectrum)(tape, n, n, w, is(job, 'V') ? a : 0, lda);
  return tape;
}
REVERSE(syevd)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork, INT lwork,
               int *iwork, INT liwork, int *info, TAPE *tape) {
  OF(clear_work)(lwork, liwork, dwork);
  OF(syev_reverse)(job, u, n, da, lda, dw, tape);
}
FORWARD(syevd, void)(char job, char u, INT n, REAL *a, REAL *da, INT lda, REAL *w, REAL *dw, REAL *work, REAL *dwork,
                     INT lwork, int *iwork, INT liwork, int *info) {
  TAPE *tape = OF(syevd$augmented)(job, u, n, a, da, lda, w, dw, work, dwork, lwork, iwork, liwork, info);
  OF(clear_work)(lwork, liwork, dwork);
  OF(syev_forward)(job, u, n, da, lda, dw, tape);
}

/* Some or all, with vectors in a place of their own */
AUGMENTED(syevr)(char job, char range, char u, INT n, REAL *a, REAL *da, INT lda, const REAL *vl, const REAL *vu,
                 const int *il, const int *iu, const REAL *abstol, int *found, REAL *w, REAL *dw, REAL *z, REAL *dz, INT ldz,
                 int *isuppz, REAL *work, REAL *dwork, INT lwork, int *iwork, INT liwork, int *info) {
  TAPE *tape = OF(spectrum)(da != 0, is(job, 'V') && is(range, 'A'), u, n, a, lda, lwork, liwork);
  OF_BLAS(syevr)(job, range, u, n, a, lda, vl, vu, il, iu, abstol, found, w, z, ldz, isuppz, work, lwork, iwork, liwork, info);
  if (tape) {
    tape->count = *found;
    OF(told_spectrum)(tape, n, *found, w, is(job, 'V') ? z : 0, ldz);
  }
  return tape;
}
REVERSE(syevr)(char job, char range, char u, INT n, REAL *a, REAL *da, INT lda, const REAL *vl, const REAL *vu,
               const int *il, const int *iu, const REAL *abstol, int *found, REAL *w, REAL *dw, REAL *z, REAL *dz, INT ldz,
               int *isuppz, REAL *work, REAL *dwork, INT lwork, int *iwork, INT liwork, int *info, TAPE *tape) {
  OF(clear_work)(lwork, liwork, dwork);
  if (!tape) return;
  INT count = tape->count;
  REAL *dv = dz && is(job, 'V') ? OF(keep_matrix)(n, count, dz, ldz) : 0;
  if (dv) OF(clear_matrix)(n, count, dz, ldz);
  OF(clear_triangle)(u, n, da, lda);
  if (da) OF(spectrum_reverse)(u, n, da, lda, dw, dv, tape);
  OF(clear_matrix)(n, 1, dw, n);
  __builtin_free(dv);
  OF(release)(tape);
}
FORWARD(syevr, void)(char job, char range, char u, INT n, REAL *a, REAL *da, INT lda, const REAL *vl, const REAL *vu,
                     const int *il, const int *iu, const REAL *abstol, int *found, REAL *w, REAL *dw, REAL *z, REAL *dz,
                     INT ldz, int *isuppz, REAL *work, REAL *dwork, INT lwork, int *iwork, INT liwork, int *info) {
  TAPE *tape = OF(syevr$augmented)(job, range, u, n, a, da, lda, vl, vu, il, iu, abstol, found, w, dw, z, dz, ldz, isuppz,
                                   work, dwork, lwork, iwork, liwork, info);
  OF(clear_work)(lwork, liwork, dwork);
  if (!tape) return;
  OF(clear_matrix)(n, 1, dw, n);
  if (is(job, 'V')) OF(clear_matrix)(n, tape->count, dz, ldz);
  if (da) OF(spectrum_forward)(u, n, da, lda, dw, is(job, 'V') ? dz : 0, ldz, tape);
  OF(clear_triangle)(u, n, da, lda);
  OF(release)(tape);
}

/* -- singular values: A = U s V' -------------------------------------------------------------------------------------

   A tape has U (a, with as many columns as the program has been given, k = min(m, n) at least), s (b) and V (c, by
   columns). */

/* Where vectors are that a routine was told to give: nowhere, in A's place, in their own, and how many. */
typedef struct { REAL *at; INT ld, count; } NAMED(vectors);
#define VECTORS NAMED(vectors)
static inline VECTORS NAMED(given)(char job, INT size, INT k, REAL *a, INT lda, REAL *own, INT ld) {
  if (is(job, 'N')) return (VECTORS){0, 0, 0};
  return is(job, 'O') ? (VECTORS){a, lda, k} : (VECTORS){own, ld, is(job, 'A') ? size : k};
}

/* A copy by columns; without any vectors, zeros for those that there must be. */
OWN(columns, REAL *)(INT size, INT k, int by_rows, VECTORS given) {
  REAL *kept = OF(room)(size, given.count > k ? given.count : k);
  for (INT j = 0; given.at && j < given.count; j++)
    for (INT i = 0; i < size; i++) kept[i + j * size] = by_rows ? given.at[j + i * given.ld] : given.at[i + j * given.ld];
  return kept;
}

OWN(put_columns, void)(INT size, int by_rows, const REAL *x, VECTORS given) {
  for (INT j = 0; given.at && j < given.count; j++)
    for (INT i = 0; i < size; i++)
      if (by_rows) given.at[j + i * given.ld] = x ? x[i + j * size] : 0;
      else given.at[i + j * given.ld] = x ? x[i + j * size] : 0;
}

OWN(svd, TAPE *)(int is_wanted, int is_told, INT m, INT n, const REAL *a, INT lda, INT lwork) {
  INT k = m < n ? m : n, size = 5 * (m + n);
  if (lwork == -1 || k <= 0) return 0;
  TAPE *tape = OF(new_tape)();
  if (!is_wanted) return tape;
  tape->b = OF(room)(k, 1);
  if (is_told) return tape;
  int status;
  REAL *copy = OF(keep_matrix)(m, n, a, lda), *right = OF(room)(k, n), *work = OF(room)(size, 1);
  tape->a = OF(room)(m, k);
  OF_BLAS(gesvd)('S', 'S', m, n, copy, m, tape->b, tape->a, m, right, k, work, size, &status);
  tape->c = OF(columns)(n, k, 1, (VECTORS){right, k, k});
  __builtin_free(copy);
  __builtin_free(right);
  __builtin_free(work);
  return tape;
}

/* The program's vectors on one side take the place of the tape's, which the other side follows. */
OWN(turn, REAL *)(INT size, INT k, REAL *old, REAL *told, INT size_of_other, REAL *other) {
  REAL *turned = OF(room)(k, k), *followed = OF(room)(size_of_other, k);
  OF_BLAS(gemm)('T', 'N', k, k, size, 1, old, size, told, size, 0, turned, k);
  OF_BLAS(gemm)('N', 'N', size_of_other, k, k, 1, other, size_of_other, turned, k, 0, followed, size_of_other);
  __builtin_free(turned);
  __builtin_free(old);
  __builtin_free(other);
  return followed;
}

OWN(told_svd, void)(TAPE *tape, INT m, INT n, const REAL *s, VECTORS left, VECTORS right) {
  INT k = m < n ? m : n;
  if (!tape || !tape->b) return;
  for (INT i = 0; i < k; i++) tape->b[i] = s[i];
  REAL *u = left.at ? OF(columns)(m, k, 0, left) : 0, *v = right.at ? OF(columns)(n, k, 1, right) : 0;
  if (u && !v) v = OF(turn)(m, k, tape->a, u, n, tape->c);
  else if (v && !u) u = OF(turn)(n, k, tape->c, v, m, tape->a);
  if (u && v) tape->a = u, tape->c = v;
}

/* The cotangents of some vectors, which are cleared: in the first k columns. The others, a basis of what is left over, turn
   with them. */
OWN(gathered, REAL *)(INT size, INT k, int by_rows, VECTORS d, const REAL *vectors) {
  INT others = d.at ? d.count - k : 0;
  REAL *all = OF(columns)(size, k, by_rows, d);
  OF(put_columns)(size, by_rows, 0, d);
  if (others > 0 && vectors) {
    REAL *x = OF(room)(others, k);
    OF_BLAS(gemm)('T', 'N', others, k, size, 1, all + k * size, size, vectors, size, 0, x, others);
    OF_BLAS(gemm)('N', 'N', size, k, others, -1, vectors + k * size, size, x, others, 1, all, size);
    __builtin_free(x);
  }
  return all;
}

/* x = V y + (x - V z) / s, of a matrix with columns for each of s: what lies across all vectors is divided by their value. */
OWN(across, void)(INT size, INT k, const REAL *s, const REAL *vectors, const REAL *y, char t, const REAL *z, REAL *x) {
  if (size > k) OF_BLAS(gemm)('N', t, size, k, k, -1, vectors, size, z, k, 1, x, size);
  for (INT j = 0; j < k; j++)
    for (INT i = 0; i < size; i++) x[i + j * size] = size > k ? NAMED(quotient)(x[i + j * size], s[j]) : 0;
  if (y) OF_BLAS(gemm)('N', 'N', size, k, k, 1, vectors, size, y, k, 1, x, size);
}

OWN(svd_reverse, void)(INT m, INT n, REAL *da, INT lda, REAL *ds, VECTORS left, VECTORS right, TAPE *tape) {
  if (!tape) return;
  INT k = m < n ? m : n;
  const REAL *u = tape->a, *s = tape->b, *v = tape->c;
  REAL *du = OF(gathered)(m, k, 0, left, u), *dv = OF(gathered)(n, k, 1, right, v);
  if (da) {
    REAL *y = OF(room)(k, k), *z = OF(room)(k, k), *q = OF(room)(k, k);
    OF_BLAS(gemm)('T', 'N', k, k, m, 1, u, m, du, m, 0, y, k);
    OF_BLAS(gemm)('T', 'N', k, k, n, 1, v, n, dv, n, 0, z, k);
    for (INT j = 0; j < k; j++)
      for (INT i = 0; i < k; i++) {
        REAL a = y[i + j * k] - y[j + i * k], b = z[i + j * k] - z[j + i * k];
        if (i == j) q[i + j * k] = ds ? ds[i] : 0;
        else q[i + j * k] = NAMED(quotient)(a + b, s[j] - s[i]) / 2 + NAMED(quotient)(a - b, s[j] + s[i]) / 2;
      }
    OF(across)(m, k, s, u, q, 'N', y, du);
    OF(across)(n, k, s, v, 0, 'N', z, dv);
    OF_BLAS(gemm)('N', 'T', m, n, k, 1, du, m, v, n, 0, da, lda);
    OF_BLAS(gemm)('N', 'T', m, n, k, 1, u, m, dv, n, 1, da, lda);
    __builtin_free(y);
    __builtin_free(z);
    __builtin_free(q);
  }
  OF(clear_matrix)(k, 1, ds, k);
  __builtin_free(du);
  __builtin_free(dv);
  OF(release)(tape);
}

/* What is left over turns with the vectors that have values. */
OWN(put_tangents, void)(INT size, INT k, int by_rows, const REAL *vectors, const REAL *dx, VECTORS d) {
  INT others = d.at ? d.count - k : 0;
  REAL *all = OF(columns)(size, k, 0, (VECTORS){(REAL *)dx, size, k});
  if (others > 0) {
    REAL *x = OF(room)(k, others);
    __builtin_free(all);
    all = OF(room)(size, d.count);
    OF(add)(size, k, 1, dx, size, all, size);
    OF_BLAS(gemm)('T', 'N', k, others, size, 1, dx, size, vectors + k * size, size, 0, x, k);
    OF_BLAS(gemm)('N', 'N', size, others, k, -1, vectors, size, x, k, 0, all + k * size, size);
    __builtin_free(x);
  }
  OF(put_columns)(size, by_rows, all, d);
  __builtin_free(all);
}

OWN(svd_forward, void)(INT m, INT n, REAL *da, INT lda, REAL *ds, VECTORS left, VECTORS right, TAPE *tape) {
  if (!tape) return;
  INT k = m < n ? m : n;
  const REAL *u = tape->a, *s = tape->b, *v = tape->c;
  if (!da) {
    OF(clear_matrix)(k, 1, ds, k);
    OF(put_columns)(m, 0, 0, left);
    OF(put_columns)(n, 1, 0, right);
    OF(release)(tape);
    return;
  }
  REAL *p = OF(room)(k, k), *y = OF(room)(k, k), *z = OF(room)(k, k), *du = OF(room)(m, k), *dv = OF(room)(n, k);
  OF_BLAS(gemm)('N', 'N', m, k, n, 1, da, lda, v, n, 0, du, m);
  OF_BLAS(gemm)('T', 'N', n, k, m, 1, da, lda, u, m, 0, dv, n);
  OF_BLAS(gemm)('T', 'N', k, k, m, 1, u, m, du, m, 0, p, k);
  OF(clear_matrix)(m, n, da, lda);
  for (INT i = 0; ds && i < k; i++) ds[i] = p[i + i * k];
  if (left.at || right.at) {
    for (INT j = 0; j < k; j++)
      for (INT i = 0; i < k; i++) {
        if (i == j) continue;
        REAL even = NAMED(quotient)(p[i + j * k] + p[j + i * k], s[j] - s[i]) / 2;
        REAL odd = NAMED(quotient)(p[i + j * k] - p[j + i * k], s[j] + s[i]) / 2;
        y[i + j * k] = even + odd, z[i + j * k] = even - odd;
      }
    OF(across)(m, k, s, u, y, 'N', p, du);
    OF(across)(n, k, s, v, z, 'T', p, dv);
    OF(put_tangents)(m, k, 0, u, du, left);
    OF(put_tangents)(n, k, 1, v, dv, right);
  }
  __builtin_free(p);
  __builtin_free(y);
  __builtin_free(z);
  __builtin_free(du);
  __builtin_free(dv);
  OF(release)(tape);
}

#define SMALLER (m < n ? m : n)
#define LEFT(job, a, u) NAMED(given)(job, m, SMALLER, a, lda, u, ldu)
#define RIGHT(job, a, vt) NAMED(given)(job, n, SMALLER, a, lda, vt, ldvt)

AUGMENTED(gesvd)(char jobu, char jobvt, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du,
                 INT ldu, REAL *vt, REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *info) {
  TAPE *tape = OF(svd)(da != 0, !is(jobu, 'N') && !is(jobvt, 'N'), m, n, a, lda, lwork);
  OF_BLAS(gesvd)(jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info);
  OF(told_svd)(tape, m, n, s, LEFT(jobu, a, u), RIGHT(jobvt, a, vt));
  return tape;
}
REVERSE(gesvd)(char jobu, char jobvt, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du,
               INT ldu, REAL *vt, REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *info, TAPE *tape) {
  OF(clear_work)(lwork, 0, dwork);
  OF(svd_reverse)(m, n, da, lda, ds, LEFT(jobu, da, du), RIGHT(jobvt, da, dvt), tape);
}
FORWARD(gesvd, void)(char jobu, char jobvt, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du,
                     INT ldu, REAL *vt, REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *info) {
  TAPE *tape = OF(gesvd$augmented)(jobu, jobvt, m, n, a, da, lda, s, ds, u, du, ldu, vt, dvt, ldvt, work, dwork, lwork, info);
  OF(clear_work)(lwork, 0, dwork);
  OF(svd_forward)(m, n, da, lda, ds, LEFT(jobu, da, du), RIGHT(jobvt, da, dvt), tape);
}

/* By dividing and conquering; 'O' puts those vectors in A's place that fit. */
#define JOBU (!is(job, 'O') ? job : m >= n ? 'O' : 'S')
#define JOBVT (!is(job, 'O') ? job : m >= n ? 'S' : 'O')

AUGMENTED(gesdd)(char job, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du, INT ldu, REAL *vt,
                 REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *iwork, int *info) {
  TAPE *tape = OF(svd)(da != 0, !is(job, 'N'), m, n, a, lda, lwork);
  OF_BLAS(gesdd)(job, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info);
  OF(told_svd)(tape, m, n, s, LEFT(JOBU, a, u), RIGHT(JOBVT, a, vt));
  return tape;
}
REVERSE(gesdd)(char job, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du, INT ldu, REAL *vt,
               REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *iwork, int *info, TAPE *tape) {
  OF(clear_work)(lwork, 0, dwork);
  OF(svd_reverse)(m, n, da, lda, ds, LEFT(JOBU, da, du), RIGHT(JOBVT, da, dvt), tape);
}
FORWARD(gesdd, void)(char job, INT m, INT n, REAL *a, REAL *da, INT lda, REAL *s, REAL *ds, REAL *u, REAL *du, INT ldu,
                     REAL *vt, REAL *dvt, INT ldvt, REAL *work, REAL *dwork, INT lwork, int *iwork, int *info) {
  TAPE *tape = OF(gesdd$augmented)(job, m, n, a, da, lda, s, ds, u, du, ldu, vt, dvt, ldvt, work, dwork, lwork, iwork, info);
  OF(clear_work)(lwork, 0, dwork);
  OF(svd_forward)(m, n, da, lda, ds, LEFT(JOBU, da, du), RIGHT(JOBVT, da, dvt), tape);
}
#undef SMALLER
#undef LEFT
#undef RIGHT
#undef JOBU
#undef JOBVT
#undef VECTORS
