/* Derivatives of BLAS and LAPACK in one precision: included by library.c with REAL, its letter and the name of things.

   Matrices are stored by columns, scalars are passed by value; `blas.py` wraps these functions for the spellings that
   programs use (cblas_dgemm, dgemm_) and gives the primitives (PRIMITIVE) that they call: the program's own BLAS.

   For each routine there are three functions. A pointer is followed by its shadow, which is null where it is not active.
   A scalar is followed in `augmented` and `reverse` by where its cotangent is added (null: nowhere), in `forward` by its
   tangent. `augmented` computes, and keeps on the tape what `reverse` needs, since the program may overwrite it. */

typedef struct { REAL *a, *b, *c; INT first, count; } NAMED(tape);
#undef TAPE
#define TAPE NAMED(tape)

/* The primitives, as they are called from here. */

REAL OF_BLAS(dot)(INT n, const REAL *x, INT incx, const REAL *y, INT incy);
REAL OF_BLAS(nrm2)(INT n, const REAL *x, INT incx);
REAL OF_BLAS(asum)(INT n, const REAL *x, INT incx);
void OF_BLAS(axpy)(INT n, REAL alpha, const REAL *x, INT incx, REAL *y, INT incy);
void OF_BLAS(scal)(INT n, REAL alpha, REAL *x, INT incx);
void OF_BLAS(copy)(INT n, const REAL *x, INT incx, REAL *y, INT incy);
void OF_BLAS(swap)(INT n, REAL *x, INT incx, REAL *y, INT incy);
void OF_BLAS(rot)(INT n, REAL *x, INT incx, REAL *y, INT incy, REAL c, REAL s);
void OF_BLAS(gemv)(char t, INT m, INT n, REAL alpha, const REAL *a, INT lda, const REAL *x, INT incx, REAL beta, REAL *y,
                   INT incy);
void OF_BLAS(symv)(char u, INT n, REAL alpha, const REAL *a, INT lda, const REAL *x, INT incx, REAL beta, REAL *y, INT incy);
void OF_BLAS(trmv)(char u, char t, char diag, INT n, const REAL *a, INT lda, REAL *x, INT incx);
void OF_BLAS(trsv)(char u, char t, char diag, INT n, const REAL *a, INT lda, REAL *x, INT incx);
void OF_BLAS(ger)(INT m, INT n, REAL alpha, const REAL *x, INT incx, const REAL *y, INT incy, REAL *a, INT lda);
void OF_BLAS(syr)(char u, INT n, REAL alpha, const REAL *x, INT incx, REAL *a, INT lda);
void OF_BLAS(gemm)(char ta, char tb, INT m, INT n, INT k, REAL alpha, const REAL *a, INT lda, const REAL *b, INT ldb,
                   REAL beta, REAL *c, INT ldc);
void OF_BLAS(symm)(char side, char u, INT m, INT n, REAL alpha, const REAL *a, INT lda, const REAL *b, INT ldb, REAL beta,
                   REAL *c, INT ldc);
void OF_BLAS(syrk)(char u, char t, INT n, INT k, REAL alpha, const REAL *a, INT lda, REAL beta, REAL *c, INT ldc);
void OF_BLAS(trmm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, const REAL *a, INT lda, REAL *b, INT ldb);
void OF_BLAS(trsm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, const REAL *a, INT lda, REAL *b, INT ldb);
void OF_BLAS(potrf)(char u, INT n, REAL *a, INT lda, int *info);
void OF_BLAS(potrs)(char u, INT n, INT k, const REAL *a, INT lda, REAL *b, INT ldb, int *info);
void OF_BLAS(getrf)(INT m, INT n, REAL *a, INT lda, int *ipiv, int *info);
void OF_BLAS(getrs)(char t, INT n, INT k, const REAL *a, INT lda, const int *ipiv, REAL *b, INT ldb, int *info);
void OF_BLAS(syev)(char job, char u, INT n, REAL *a, INT lda, REAL *w, REAL *work, INT lwork, int *info);
void OF_BLAS(syevd)(char job, char u, INT n, REAL *a, INT lda, REAL *w, REAL *work, INT lwork, int *iwork, INT liwork,
                    int *info);
void OF_BLAS(syevr)(char job, char range, char u, INT n, REAL *a, INT lda, const REAL *vl, const REAL *vu, const int *il,
                    const int *iu, const REAL *abstol, int *found, REAL *w, REAL *z, INT ldz, int *isuppz, REAL *work,
                    INT lwork, int *iwork, INT liwork, int *info);
void OF_BLAS(gesvd)(char jobu, char jobvt, INT m, INT n, REAL *a, INT lda, REAL *s, REAL *u, INT ldu, REAL *vt, INT ldvt,
                    REAL *work, INT lwork, int *info);
void OF_BLAS(gesdd)(char job, INT m, INT n, REAL *a, INT lda, REAL *s, REAL *u, INT ldu, REAL *vt, INT ldvt, REAL *work,
                    INT lwork, int *iwork, int *info);

/* -- what is kept ------------------------------------------------------------------------------------------------- */

OWN(new_tape, TAPE *)(void) { return __builtin_calloc(1, sizeof(TAPE)); }

OWN(release, void)(TAPE *tape) {
  if (!tape) return;
  __builtin_free(tape->a);
  __builtin_free(tape->b);
  __builtin_free(tape->c);
  __builtin_free(tape);
}

/* A copy without gaps, in logical order: a negative increment counts from the end. */
OWN(keep, REAL *)(INT n, const REAL *x, INT inc) {
  if (n <= 0) return 0;
  REAL *kept = __builtin_malloc(n * sizeof(REAL));
  if (inc < 0) x -= (n - 1) * inc;
  for (INT i = 0; i < n; i++) kept[i] = x[i * inc];
  return kept;
}

OWN(keep_matrix, REAL *)(INT m, INT n, const REAL *a, INT lda) {
  if (m <= 0 || n <= 0) return 0;
  REAL *kept = __builtin_malloc(m * n * sizeof(REAL));
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) kept[i + j * m] = a[i + j * lda];
  return kept;
}

OWN(room, REAL *)(INT m, INT n) { return m > 0 && n > 0 ? __builtin_calloc(m * n, sizeof(REAL)) : 0; }

/* -- small linear algebra on matrices as they are stored ---------------------------------------------------------- */

OWN(inner, REAL)(INT m, INT n, const REAL *a, INT lda, const REAL *b, INT ldb) {
  REAL sum = 0;
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) sum += a[i + j * lda] * b[i + j * ldb];
  return sum;
}

/* y += alpha x */
OWN(add, void)(INT m, INT n, REAL alpha, const REAL *x, INT ldx, REAL *y, INT ldy) {
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) y[i + j * ldy] += alpha * x[i + j * ldx];
}

OWN(scale, void)(INT m, INT n, REAL alpha, REAL *x, INT ldx) {
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) x[i + j * ldx] = alpha == 0 ? 0 : alpha * x[i + j * ldx];
}

/* The triangle of y += alpha x */
OWN(add_triangle, void)(char uplo, char diag, INT n, REAL alpha, const REAL *x, INT ldx, REAL *y, INT ldy) {
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < n; i++)
      if (inside(uplo, diag, i, j)) y[i + j * ldy] += alpha * x[i + j * ldx];
}

/* A symmetric matrix is its triangle twice: the triangle of y += alpha (x + x'), the diagonal once. */
OWN(add_folded, void)(char uplo, INT n, REAL alpha, const REAL *x, INT ldx, REAL *y, INT ldy) {
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < n; i++)
      if (inside(uplo, 'N', i, j))
        y[i + j * ldy] += i == j ? alpha * x[i + j * ldx] : alpha * (x[i + j * ldx] + x[j + i * ldx]);
}

/* The triangle of x and its mirror image, added: the diagonal is doubled. */
OWN(unfolded, REAL *)(char uplo, INT n, const REAL *x, INT ldx) {
  REAL *full = OF(room)(n, n);
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < n; i++)
      if (inside(uplo, 'N', i, j)) full[i + j * n] += x[i + j * ldx], full[j + i * n] += x[i + j * ldx];
  return full;
}

/* -- level 1 ------------------------------------------------------------------------------------------------------ */

AUGMENTED(dot)(INT n, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy, INT incy, REAL *result) {
  *result = OF_BLAS(dot)(n, x, incx, y, incy);
  TAPE *tape = OF(new_tape)();
  if (dy) tape->a = OF(keep)(n, x, incx);
  if (dx) tape->b = OF(keep)(n, y, incy);
  return tape;
}
REVERSE(dot)(INT n, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy, INT incy, REAL d, TAPE *tape) {
  if (dx) OF_BLAS(axpy)(n, d, tape->b, 1, dx, incx);
  if (dy) OF_BLAS(axpy)(n, d, tape->a, 1, dy, incy);
  OF(release)(tape);
}
FORWARD(dot, REAL)(INT n, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy, INT incy, REAL *result) {
  *result = OF_BLAS(dot)(n, x, incx, y, incy);
  return (dx ? OF_BLAS(dot)(n, dx, incx, y, incy) : 0) + (dy ? OF_BLAS(dot)(n, x, incx, dy, incy) : 0);
}

AUGMENTED(nrm2)(INT n, const REAL *x, REAL *dx, INT incx, REAL *result) {
  *result = OF_BLAS(nrm2)(n, x, incx);
  TAPE *tape = OF(new_tape)();
  if (dx) tape->a = OF(keep)(n, x, incx), tape->b = OF(keep)(1, result, 1);
  return tape;
}
REVERSE(nrm2)(INT n, const REAL *x, REAL *dx, INT incx, REAL d, TAPE *tape) {
  if (dx && n > 0 && *tape->b != 0) OF_BLAS(axpy)(n, d / *tape->b, tape->a, 1, dx, incx);
  OF(release)(tape);
}
FORWARD(nrm2, REAL)(INT n, const REAL *x, REAL *dx, INT incx, REAL *result) {
  *result = OF_BLAS(nrm2)(n, x, incx);
  return dx && *result != 0 ? OF_BLAS(dot)(n, x, incx, dx, incx) / *result : 0;
}

AUGMENTED(asum)(INT n, const REAL *x, REAL *dx, INT incx, REAL *result) {
  *result = OF_BLAS(asum)(n, x, incx);
  TAPE *tape = OF(new_tape)();
  if (dx) tape->a = OF(keep)(n, x, incx);
  return tape;
}
static inline REAL NAMED(sign)(REAL x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
REVERSE(asum)(INT n, const REAL *x, REAL *dx, INT incx, REAL d, TAPE *tape) {
  for (INT i = 0; dx && i < n && incx > 0; i++) dx[i * incx] += d * NAMED(sign)(tape->a[i]);
  OF(release)(tape);
}
FORWARD(asum, REAL)(INT n, const REAL *x, REAL *dx, INT incx, REAL *result) {
  *result = OF_BLAS(asum)(n, x, incx);
  REAL sum = 0;
  for (INT i = 0; dx && i < n && incx > 0; i++) sum += dx[i * incx] * NAMED(sign)(x[i * incx]);
  return sum;
}

AUGMENTED(axpy)(INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  TAPE *tape = OF(new_tape)();
  if (dalpha && dy) tape->a = OF(keep)(n, x, incx);
  OF_BLAS(axpy)(n, alpha, x, incx, y, incy);
  return tape;
}
REVERSE(axpy)(INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, TAPE *tape) {
  if (dy && dalpha) *dalpha += OF_BLAS(dot)(n, tape->a, 1, dy, incy);
  if (dy && dx) OF_BLAS(axpy)(n, alpha, dy, incy, dx, incx);
  OF(release)(tape);
}
FORWARD(axpy, void)(INT n, REAL alpha, REAL dalpha, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  if (dy && dalpha != 0) OF_BLAS(axpy)(n, dalpha, x, incx, dy, incy);
  if (dy && dx) OF_BLAS(axpy)(n, alpha, dx, incx, dy, incy);
  OF_BLAS(axpy)(n, alpha, x, incx, y, incy);
}

AUGMENTED(scal)(INT n, REAL alpha, REAL *dalpha, REAL *x, REAL *dx, INT incx) {
  TAPE *tape = OF(new_tape)();
  if (dalpha && dx) tape->a = OF(keep)(n, x, incx);
  OF_BLAS(scal)(n, alpha, x, incx);
  return tape;
}
REVERSE(scal)(INT n, REAL alpha, REAL *dalpha, REAL *x, REAL *dx, INT incx, TAPE *tape) {
  if (dx && dalpha && incx > 0) *dalpha += OF_BLAS(dot)(n, tape->a, 1, dx, incx);
  if (dx) OF_BLAS(scal)(n, alpha, dx, incx);
  OF(release)(tape);
}
FORWARD(scal, void)(INT n, REAL alpha, REAL dalpha, REAL *x, REAL *dx, INT incx) {
  if (dx) OF_BLAS(scal)(n, alpha, dx, incx);
  if (dx && dalpha != 0 && incx > 0) OF_BLAS(axpy)(n, dalpha, x, incx, dx, incx);
  OF_BLAS(scal)(n, alpha, x, incx);
}

/* x *= alpha, also where x runs backwards, which BLAS leaves alone */
OWN(scale_vector, void)(INT n, REAL alpha, REAL *x, INT inc) { OF_BLAS(scal)(n, alpha, x, inc < 0 ? -inc : inc); }

/* x = 0, also where it was infinite */
OWN(clear, void)(INT n, REAL *x, INT inc) {
  if (inc < 0) x -= (n - 1) * inc;
  for (INT i = 0; i < n; i++) x[i * inc] = 0;
}

AUGMENTED(copy)(INT n, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  OF_BLAS(copy)(n, x, incx, y, incy);
  return 0;
}
REVERSE(copy)(INT n, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, TAPE *tape) {
  if (!dy) return;
  if (dx) OF_BLAS(axpy)(n, 1, dy, incy, dx, incx);
  OF(clear)(n, dy, incy);
}
FORWARD(copy, void)(INT n, const REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  if (dy && dx) OF_BLAS(copy)(n, dx, incx, dy, incy);
  if (dy && !dx) OF(clear)(n, dy, incy);
  OF_BLAS(copy)(n, x, incx, y, incy);
}

OWN(swap_shadows, void)(INT n, REAL *dx, INT incx, REAL *dy, INT incy) {
  if (dx && dy) OF_BLAS(swap)(n, dx, incx, dy, incy);
  else if (dx) OF(clear)(n, dx, incx);
  else if (dy) OF(clear)(n, dy, incy);
}
AUGMENTED(swap)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  OF_BLAS(swap)(n, x, incx, y, incy);
  return 0;
}
REVERSE(swap)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, TAPE *tape) {
  OF(swap_shadows)(n, dx, incx, dy, incy);
}
FORWARD(swap, void)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy) {
  OF(swap_shadows)(n, dx, incx, dy, incy);
  OF_BLAS(swap)(n, x, incx, y, incy);
}

/* The rotation of shadows; one that is not there is a vector of zeros. */
OWN(rotate_shadows, void)(INT n, REAL *dx, INT incx, REAL *dy, INT incy, REAL c, REAL s) {
  if (dx && dy) OF_BLAS(rot)(n, dx, incx, dy, incy, c, s);
  else if (dx) OF(scale_vector)(n, c, dx, incx);
  else if (dy) OF(scale_vector)(n, c, dy, incy);
}
AUGMENTED(rot)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, REAL c, REAL *dc, REAL s, REAL *ds) {
  TAPE *tape = OF(new_tape)();
  if ((dc || ds) && (dx || dy)) tape->a = OF(keep)(n, x, incx), tape->b = OF(keep)(n, y, incy);
  OF_BLAS(rot)(n, x, incx, y, incy, c, s);
  return tape;
}
REVERSE(rot)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, REAL c, REAL *dc, REAL s, REAL *ds,
             TAPE *tape) {
  if (dc && dx) *dc += OF_BLAS(dot)(n, dx, incx, tape->a, 1);
  if (dc && dy) *dc += OF_BLAS(dot)(n, dy, incy, tape->b, 1);
  if (ds && dx) *ds += OF_BLAS(dot)(n, dx, incx, tape->b, 1);
  if (ds && dy) *ds -= OF_BLAS(dot)(n, dy, incy, tape->a, 1);
  OF(rotate_shadows)(n, dx, incx, dy, incy, c, -s);
  OF(release)(tape);
}
FORWARD(rot, void)(INT n, REAL *x, REAL *dx, INT incx, REAL *y, REAL *dy, INT incy, REAL c, REAL dc, REAL s, REAL ds) {
  OF(rotate_shadows)(n, dx, incx, dy, incy, c, s);
  if (dx) OF_BLAS(axpy)(n, dc, x, incx, dx, incx), OF_BLAS(axpy)(n, ds, y, incy, dx, incx);
  if (dy) OF_BLAS(axpy)(n, dc, y, incy, dy, incy), OF_BLAS(axpy)(n, -ds, x, incx, dy, incy);
  OF_BLAS(rot)(n, x, incx, y, incy, c, s);
}

/* -- level 2 ------------------------------------------------------------------------------------------------------ */

/* y = alpha op(A) x + beta y */
AUGMENTED(gemv)(char t, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *x, REAL *dx,
                INT incx, REAL beta, REAL *dbeta, REAL *y, REAL *dy, INT incy) {
  TAPE *tape = OF(new_tape)();
  INT nx = transposed(t) ? m : n, ny = transposed(t) ? n : m;
  if (dy && (dx || dalpha)) tape->a = OF(keep_matrix)(m, n, a, lda);
  if (dy && (da || dalpha)) tape->b = OF(keep)(nx, x, incx);
  if (dy && dbeta) tape->c = OF(keep)(ny, y, incy);
  OF_BLAS(gemv)(t, m, n, alpha, a, lda, x, incx, beta, y, incy);
  return tape;
}
REVERSE(gemv)(char t, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *x, REAL *dx,
              INT incx, REAL beta, REAL *dbeta, REAL *y, REAL *dy, INT incy, TAPE *tape) {
  INT nx = transposed(t) ? m : n, ny = transposed(t) ? n : m;
  if (dy && m > 0 && n > 0) {
    if (dx || dalpha) {
      REAL *back = OF(room)(nx, 1);
      OF_BLAS(gemv)(flipped(t), m, n, 1, tape->a, m, dy, incy, 0, back, 1);
      if (dx) OF_BLAS(axpy)(nx, alpha, back, 1, dx, incx);
      if (dalpha) *dalpha += OF_BLAS(dot)(nx, back, 1, tape->b, 1);
      __builtin_free(back);
    }
    if (da && transposed(t)) OF_BLAS(ger)(m, n, alpha, tape->b, 1, dy, incy, da, lda);
    if (da && !transposed(t)) OF_BLAS(ger)(m, n, alpha, dy, incy, tape->b, 1, da, lda);
    if (dbeta) *dbeta += OF_BLAS(dot)(ny, tape->c, 1, dy, incy);
    OF(scale_vector)(ny, beta, dy, incy);
  }
  OF(release)(tape);
}
FORWARD(gemv, void)(char t, INT m, INT n, REAL alpha, REAL dalpha, const REAL *a, REAL *da, INT lda, const REAL *x,
                    REAL *dx, INT incx, REAL beta, REAL dbeta, REAL *y, REAL *dy, INT incy) {
  if (dy && m > 0 && n > 0) {
    OF(scale_vector)(transposed(t) ? n : m, beta, dy, incy);
    if (dbeta != 0) OF_BLAS(axpy)(transposed(t) ? n : m, dbeta, y, incy, dy, incy);
    if (dalpha != 0) OF_BLAS(gemv)(t, m, n, dalpha, a, lda, x, incx, 1, dy, incy);
    if (da) OF_BLAS(gemv)(t, m, n, alpha, da, lda, x, incx, 1, dy, incy);
    if (dx) OF_BLAS(gemv)(t, m, n, alpha, a, lda, dx, incx, 1, dy, incy);
  }
  OF_BLAS(gemv)(t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}

/* y = alpha A x + beta y, of a symmetric A in one triangle */
AUGMENTED(symv)(char u, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *x, REAL *dx, INT incx,
                REAL beta, REAL *dbeta, REAL *y, REAL *dy, INT incy) {
  TAPE *tape = OF(new_tape)();
  if (dy && (dx || dalpha)) tape->a = OF(keep_matrix)(n, n, a, lda);
  if (dy && (da || dalpha)) tape->b = OF(keep)(n, x, incx);
  if (dy && dbeta) tape->c = OF(keep)(n, y, incy);
  OF_BLAS(symv)(u, n, alpha, a, lda, x, incx, beta, y, incy);
  return tape;
}
REVERSE(symv)(char u, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *x, REAL *dx, INT incx,
              REAL beta, REAL *dbeta, REAL *y, REAL *dy, INT incy, TAPE *tape) {
  if (dy && n > 0) {
    REAL *d = OF(keep)(n, dy, incy);
    if (dx || dalpha) {
      REAL *back = OF(room)(n, 1);
      OF_BLAS(symv)(u, n, 1, tape->a, n, d, 1, 0, back, 1);
      if (dx) OF_BLAS(axpy)(n, alpha, back, 1, dx, incx);
      if (dalpha) *dalpha += OF_BLAS(dot)(n, back, 1, tape->b, 1);
      __builtin_free(back);
    }
    if (da) {
      REAL *outer = OF(room)(n, n);
      OF_BLAS(ger)(n, n, 1, d, 1, tape->b, 1, outer, n);
      OF(add_folded)(u, n, alpha, outer, n, da, lda);
      __builtin_free(outer);
    }
    if (dbeta) *dbeta += OF_BLAS(dot)(n, tape->c, 1, d, 1);
    OF(scale_vector)(n, beta, dy, incy);
    __builtin_free(d);
  }
  OF(release)(tape);
}
FORWARD(symv, void)(char u, INT n, REAL alpha, REAL dalpha, const REAL *a, REAL *da, INT lda, const REAL *x, REAL *dx,
                    INT incx, REAL beta, REAL dbeta, REAL *y, REAL *dy, INT incy) {
  if (dy) {
    OF(scale_vector)(n, beta, dy, incy);
    if (dbeta != 0) OF_BLAS(axpy)(n, dbeta, y, incy, dy, incy);
    if (dalpha != 0) OF_BLAS(symv)(u, n, dalpha, a, lda, x, incx, 1, dy, incy);
    if (da) OF_BLAS(symv)(u, n, alpha, da, lda, x, incx, 1, dy, incy);
    if (dx) OF_BLAS(symv)(u, n, alpha, a, lda, dx, incx, 1, dy, incy);
  }
  OF_BLAS(symv)(u, n, alpha, a, lda, x, incx, beta, y, incy);
}

/* The triangle of da += alpha d x' (or its transpose) */
OWN(add_outer, void)(char u, char t, char diag, INT n, REAL alpha, const REAL *d, const REAL *x, REAL *da, INT lda) {
  REAL *outer = OF(room)(n, n);
  OF_BLAS(ger)(n, n, alpha, transposed(t) ? x : d, 1, transposed(t) ? d : x, 1, outer, n);
  OF(add_triangle)(u, diag, n, 1, outer, n, da, lda);
  __builtin_free(outer);
}

/* x = op(A) x, of a triangular A */
AUGMENTED(trmv)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx) {
  TAPE *tape = OF(new_tape)();
  if (dx) tape->a = OF(keep_matrix)(n, n, a, lda);
  if (dx && da) tape->b = OF(keep)(n, x, incx);
  OF_BLAS(trmv)(u, t, diag, n, a, lda, x, incx);
  return tape;
}
REVERSE(trmv)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx, TAPE *tape) {
  if (dx && n > 0) {
    REAL *d = OF(keep)(n, dx, incx);
    if (da) OF(add_outer)(u, t, diag, n, 1, d, tape->b, da, lda);
    OF_BLAS(trmv)(u, flipped(t), diag, n, tape->a, n, dx, incx);
    __builtin_free(d);
  }
  OF(release)(tape);
}
/* A triangle and nothing else, so that a general product can use it */
OWN(triangle, REAL *)(char u, char diag, INT n, const REAL *a, INT lda) {
  REAL *full = OF(room)(n, n);
  OF(add_triangle)(u, diag, n, 1, a, lda, full, n);
  return full;
}
FORWARD(trmv, void)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx) {
  if (dx && n > 0) {
    OF_BLAS(trmv)(u, t, diag, n, a, lda, dx, incx);
    if (da) {
      REAL *moved = OF(triangle)(u, diag, n, da, lda);
      OF_BLAS(gemv)(t, n, n, 1, moved, n, x, incx, 1, dx, incx);
      __builtin_free(moved);
    }
  }
  OF_BLAS(trmv)(u, t, diag, n, a, lda, x, incx);
}

/* x = op(A)^-1 x */
AUGMENTED(trsv)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx) {
  TAPE *tape = OF(new_tape)();
  if (dx) tape->a = OF(keep_matrix)(n, n, a, lda);
  OF_BLAS(trsv)(u, t, diag, n, a, lda, x, incx);
  if (dx && da) tape->b = OF(keep)(n, x, incx);
  return tape;
}
REVERSE(trsv)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx, TAPE *tape) {
  if (dx && n > 0) {
    OF_BLAS(trsv)(u, flipped(t), diag, n, tape->a, n, dx, incx);
    if (da) {
      REAL *d = OF(keep)(n, dx, incx);
      OF(add_outer)(u, t, diag, n, -1, d, tape->b, da, lda);
      __builtin_free(d);
    }
  }
  OF(release)(tape);
}
FORWARD(trsv, void)(char u, char t, char diag, INT n, const REAL *a, REAL *da, INT lda, REAL *x, REAL *dx, INT incx) {
  OF_BLAS(trsv)(u, t, diag, n, a, lda, x, incx);
  if (!dx || n <= 0) return;
  if (da) {
    REAL *moved = OF(triangle)(u, diag, n, da, lda);
    OF_BLAS(gemv)(t, n, n, -1, moved, n, x, incx, 1, dx, incx);
    __builtin_free(moved);
  }
  OF_BLAS(trsv)(u, t, diag, n, a, lda, dx, incx);
}

/* A = alpha x y' + A */
AUGMENTED(ger)(INT m, INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy, INT incy,
               REAL *a, REAL *da, INT lda) {
  TAPE *tape = OF(new_tape)();
  if (da && (dy || dalpha)) tape->a = OF(keep)(m, x, incx);
  if (da && (dx || dalpha)) tape->b = OF(keep)(n, y, incy);
  OF_BLAS(ger)(m, n, alpha, x, incx, y, incy, a, lda);
  return tape;
}
REVERSE(ger)(INT m, INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy, INT incy,
             REAL *a, REAL *da, INT lda, TAPE *tape) {
  if (da && m > 0 && n > 0) {
    if (dx) OF_BLAS(gemv)('N', m, n, alpha, da, lda, tape->b, 1, 1, dx, incx);
    if (dy) OF_BLAS(gemv)('T', m, n, alpha, da, lda, tape->a, 1, 1, dy, incy);
    if (dalpha) {
      REAL *back = OF(room)(m, 1);
      OF_BLAS(gemv)('N', m, n, 1, da, lda, tape->b, 1, 0, back, 1);
      *dalpha += OF_BLAS(dot)(m, back, 1, tape->a, 1);
      __builtin_free(back);
    }
  }
  OF(release)(tape);
}
FORWARD(ger, void)(INT m, INT n, REAL alpha, REAL dalpha, const REAL *x, REAL *dx, INT incx, const REAL *y, REAL *dy,
                   INT incy, REAL *a, REAL *da, INT lda) {
  if (da && dalpha != 0) OF_BLAS(ger)(m, n, dalpha, x, incx, y, incy, da, lda);
  if (da && dx) OF_BLAS(ger)(m, n, alpha, dx, incx, y, incy, da, lda);
  if (da && dy) OF_BLAS(ger)(m, n, alpha, x, incx, dy, incy, da, lda);
  OF_BLAS(ger)(m, n, alpha, x, incx, y, incy, a, lda);
}

/* A = alpha x x' + A, of a symmetric A in one triangle */
AUGMENTED(syr)(char u, INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, REAL *a, REAL *da, INT lda) {
  TAPE *tape = OF(new_tape)();
  if (da) tape->a = OF(keep)(n, x, incx);
  OF_BLAS(syr)(u, n, alpha, x, incx, a, lda);
  return tape;
}
REVERSE(syr)(char u, INT n, REAL alpha, REAL *dalpha, const REAL *x, REAL *dx, INT incx, REAL *a, REAL *da, INT lda,
             TAPE *tape) {
  if (da && n > 0) {
    REAL *full = OF(unfolded)(u, n, da, lda), *back = OF(room)(n, 1);
    OF_BLAS(gemv)('N', n, n, 1, full, n, tape->a, 1, 0, back, 1);
    if (dx) OF_BLAS(axpy)(n, alpha, back, 1, dx, incx);
    if (dalpha) *dalpha += OF_BLAS(dot)(n, back, 1, tape->a, 1) / 2;
    __builtin_free(full);
    __builtin_free(back);
  }
  OF(release)(tape);
}
FORWARD(syr, void)(char u, INT n, REAL alpha, REAL dalpha, const REAL *x, REAL *dx, INT incx, REAL *a, REAL *da, INT lda) {
  if (da && dalpha != 0) OF_BLAS(syr)(u, n, dalpha, x, incx, da, lda);
  if (da && dx && n > 0) {
    REAL *outer = OF(room)(n, n);
    OF_BLAS(ger)(n, n, alpha, x, incx, dx, incx, outer, n);
    OF(add_folded)(u, n, 1, outer, n, da, lda);
    for (INT i = 0; i < n; i++) da[i + i * lda] += outer[i + i * n];
    __builtin_free(outer);
  }
  OF_BLAS(syr)(u, n, alpha, x, incx, a, lda);
}

/* -- level 3 ------------------------------------------------------------------------------------------------------ */

/* C = alpha op(A) op(B) + beta C */
AUGMENTED(gemm)(char ta, char tb, INT m, INT n, INT k, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda,
                const REAL *b, REAL *db, INT ldb, REAL beta, REAL *dbeta, REAL *c, REAL *dc, INT ldc) {
  TAPE *tape = OF(new_tape)();
  if (dc && (db || dalpha)) tape->a = transposed(ta) ? OF(keep_matrix)(k, m, a, lda) : OF(keep_matrix)(m, k, a, lda);
  if (dc && (da || dalpha)) tape->b = transposed(tb) ? OF(keep_matrix)(n, k, b, ldb) : OF(keep_matrix)(k, n, b, ldb);
  if (dc && dbeta) tape->c = OF(keep_matrix)(m, n, c, ldc);
  OF_BLAS(gemm)(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  return tape;
}
/* The cotangent of A is alpha times this, that of alpha its inner product with A. */
OWN(gemm_back_a, void)(char ta, char tb, INT m, INT n, INT k, REAL alpha, const REAL *d, INT ldd, const REAL *b, INT ldb,
                       REAL *out, INT ldo) {
  if (transposed(ta)) OF_BLAS(gemm)(tb, 'T', k, m, n, alpha, b, ldb, d, ldd, 1, out, ldo);
  else OF_BLAS(gemm)('N', flipped(tb), m, k, n, alpha, d, ldd, b, ldb, 1, out, ldo);
}
REVERSE(gemm)(char ta, char tb, INT m, INT n, INT k, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda,
              const REAL *b, REAL *db, INT ldb, REAL beta, REAL *dbeta, REAL *c, REAL *dc, INT ldc, TAPE *tape) {
  if (dc && m > 0 && n > 0) {
    INT rows = transposed(ta) ? k : m, columns = transposed(ta) ? m : k;
    INT kept_b = transposed(tb) ? n : k;
    if (k > 0 && dalpha) {
      REAL *back = OF(room)(rows, columns);
      OF(gemm_back_a)(ta, tb, m, n, k, 1, dc, ldc, tape->b, kept_b, back, rows);
      *dalpha += OF(inner)(rows, columns, back, rows, tape->a, rows);
      if (da) OF(add)(rows, columns, alpha, back, rows, da, lda);
      __builtin_free(back);
    } else if (k > 0 && da) {
      OF(gemm_back_a)(ta, tb, m, n, k, alpha, dc, ldc, tape->b, kept_b, da, lda);
    }
    if (k > 0 && db && transposed(tb)) OF_BLAS(gemm)('T', ta, n, k, m, alpha, dc, ldc, tape->a, rows, 1, db, ldb);
    if (k > 0 && db && !transposed(tb))
      OF_BLAS(gemm)(flipped(ta), 'N', k, n, m, alpha, tape->a, rows, dc, ldc, 1, db, ldb);
    if (dbeta) *dbeta += OF(inner)(m, n, tape->c, m, dc, ldc);
    OF(scale)(m, n, beta, dc, ldc);
  }
  OF(release)(tape);
}
FORWARD(gemm, void)(char ta, char tb, INT m, INT n, INT k, REAL alpha, REAL dalpha, const REAL *a, REAL *da, INT lda,
                    const REAL *b, REAL *db, INT ldb, REAL beta, REAL dbeta, REAL *c, REAL *dc, INT ldc) {
  if (dc) {
    OF(scale)(m, n, beta, dc, ldc);
    if (dbeta != 0) OF(add)(m, n, dbeta, c, ldc, dc, ldc);
    if (dalpha != 0) OF_BLAS(gemm)(ta, tb, m, n, k, dalpha, a, lda, b, ldb, 1, dc, ldc);
    if (da) OF_BLAS(gemm)(ta, tb, m, n, k, alpha, da, lda, b, ldb, 1, dc, ldc);
    if (db) OF_BLAS(gemm)(ta, tb, m, n, k, alpha, a, lda, db, ldb, 1, dc, ldc);
  }
  OF_BLAS(gemm)(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* C = alpha A B + beta C (or B A), of a symmetric A in one triangle */
AUGMENTED(symm)(char side, char u, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *b,
                REAL *db, INT ldb, REAL beta, REAL *dbeta, REAL *c, REAL *dc, INT ldc) {
  TAPE *tape = OF(new_tape)();
  INT order = is(side, 'L') ? m : n;
  if (dc && (db || dalpha)) tape->a = OF(keep_matrix)(order, order, a, lda);
  if (dc && (da || dalpha)) tape->b = OF(keep_matrix)(m, n, b, ldb);
  if (dc && dbeta) tape->c = OF(keep_matrix)(m, n, c, ldc);
  OF_BLAS(symm)(side, u, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
  return tape;
}
REVERSE(symm)(char side, char u, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, const REAL *b,
              REAL *db, INT ldb, REAL beta, REAL *dbeta, REAL *c, REAL *dc, INT ldc, TAPE *tape) {
  if (dc && m > 0 && n > 0) {
    INT order = is(side, 'L') ? m : n;
    if (db || dalpha) {
      REAL *back = OF(room)(m, n);
      OF_BLAS(symm)(side, u, m, n, 1, tape->a, order, dc, ldc, 0, back, m);
      if (dalpha) *dalpha += OF(inner)(m, n, back, m, tape->b, m);
      if (db) OF(add)(m, n, alpha, back, m, db, ldb);
      __builtin_free(back);
    }
    if (da) {
      REAL *full = OF(room)(order, order);
      if (is(side, 'L')) OF_BLAS(gemm)('N', 'T', m, m, n, 1, dc, ldc, tape->b, m, 0, full, m);
      else OF_BLAS(gemm)('T', 'N', n, n, m, 1, tape->b, m, dc, ldc, 0, full, n);
      OF(add_folded)(u, order, alpha, full, order, da, lda);
      __builtin_free(full);
    }
    if (dbeta) *dbeta += OF(inner)(m, n, tape->c, m, dc, ldc);
    OF(scale)(m, n, beta, dc, ldc);
  }
  OF(release)(tape);
}
FORWARD(symm, void)(char side, char u, INT m, INT n, REAL alpha, REAL dalpha, const REAL *a, REAL *da, INT lda,
                    const REAL *b, REAL *db, INT ldb, REAL beta, REAL dbeta, REAL *c, REAL *dc, INT ldc) {
  if (dc) {
    OF(scale)(m, n, beta, dc, ldc);
    if (dbeta != 0) OF(add)(m, n, dbeta, c, ldc, dc, ldc);
    if (dalpha != 0) OF_BLAS(symm)(side, u, m, n, dalpha, a, lda, b, ldb, 1, dc, ldc);
    if (da) OF_BLAS(symm)(side, u, m, n, alpha, da, lda, b, ldb, 1, dc, ldc);
    if (db) OF_BLAS(symm)(side, u, m, n, alpha, a, lda, db, ldb, 1, dc, ldc);
  }
  OF_BLAS(symm)(side, u, m, n, alpha, a, lda, b, ldb, beta, c, ldc);
}

/* C = alpha op(A) op(A)' + beta C, of a symmetric C in one triangle */
AUGMENTED(syrk)(char u, char t, INT n, INT k, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, REAL beta,
                REAL *dbeta, REAL *c, REAL *dc, INT ldc) {
  TAPE *tape = OF(new_tape)();
  if (dc) tape->a = transposed(t) ? OF(keep_matrix)(k, n, a, lda) : OF(keep_matrix)(n, k, a, lda);
  if (dc && dbeta) tape->c = OF(keep_matrix)(n, n, c, ldc);
  OF_BLAS(syrk)(u, t, n, k, alpha, a, lda, beta, c, ldc);
  return tape;
}
REVERSE(syrk)(char u, char t, INT n, INT k, REAL alpha, REAL *dalpha, const REAL *a, REAL *da, INT lda, REAL beta,
              REAL *dbeta, REAL *c, REAL *dc, INT ldc, TAPE *tape) {
  if (dc && n > 0) {
    if (k > 0 && (da || dalpha)) {
      INT rows = transposed(t) ? k : n, columns = transposed(t) ? n : k;
      REAL *full = OF(unfolded)(u, n, dc, ldc), *back = OF(room)(rows, columns);
      if (transposed(t)) OF_BLAS(gemm)('N', 'N', k, n, n, 1, tape->a, k, full, n, 0, back, k);
      else OF_BLAS(gemm)('N', 'N', n, k, n, 1, full, n, tape->a, n, 0, back, n);
      if (da) OF(add)(rows, columns, alpha, back, rows, da, lda);
      if (dalpha) *dalpha += OF(inner)(rows, columns, back, rows, tape->a, rows) / 2;
      __builtin_free(full);
      __builtin_free(back);
    }
    for (INT j = 0; j < n; j++)
      for (INT i = 0; i < n; i++)
        if (inside(u, 'N', i, j)) {
          if (dbeta) *dbeta += tape->c[i + j * n] * dc[i + j * ldc];
          dc[i + j * ldc] = beta == 0 ? 0 : beta * dc[i + j * ldc];
        }
  }
  OF(release)(tape);
}
FORWARD(syrk, void)(char u, char t, INT n, INT k, REAL alpha, REAL dalpha, const REAL *a, REAL *da, INT lda, REAL beta,
                    REAL dbeta, REAL *c, REAL *dc, INT ldc) {
  if (dc && n > 0) {
    for (INT j = 0; j < n; j++)
      for (INT i = 0; i < n; i++)
        if (inside(u, 'N', i, j)) dc[i + j * ldc] = (beta == 0 ? 0 : beta * dc[i + j * ldc]) + dbeta * c[i + j * ldc];
    if (dalpha != 0) OF_BLAS(syrk)(u, t, n, k, dalpha, a, lda, 1, dc, ldc);
    if (da && k > 0) {
      REAL *full = OF(room)(n, n);
      OF_BLAS(gemm)(t, flipped(t), n, n, k, alpha, a, lda, da, lda, 0, full, n);
      OF(add_folded)(u, n, 1, full, n, dc, ldc);
      for (INT i = 0; i < n; i++) dc[i + i * ldc] += full[i + i * n];
      __builtin_free(full);
    }
  }
  OF_BLAS(syrk)(u, t, n, k, alpha, a, lda, beta, c, ldc);
}

/* The triangle of da += alpha times the cotangent of op(A), from op(A) B (or B op(A)) with cotangent d. */
OWN(add_product, void)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, const REAL *d, INT ldd, const REAL *b,
                       INT ldb, REAL *da, INT lda) {
  INT order = is(side, 'L') ? m : n;
  REAL *full = OF(room)(order, order);
  const REAL *left = is(side, 'L') ? d : b, *right = is(side, 'L') ? b : d;
  INT ldl = is(side, 'L') ? ldd : ldb, ldr = is(side, 'L') ? ldb : ldd;
  if (transposed(t)) {
    const REAL *other = left;
    INT ldo = ldl;
    left = right, ldl = ldr, right = other, ldr = ldo;
  }
  if (is(side, 'L')) OF_BLAS(gemm)('N', 'T', m, m, n, 1, left, ldl, right, ldr, 0, full, m);
  else OF_BLAS(gemm)('T', 'N', n, n, m, 1, left, ldl, right, ldr, 0, full, n);
  OF(add_triangle)(u, diag, order, alpha, full, order, da, lda);
  __builtin_free(full);
}

/* B = alpha op(A) B (or B op(A)), of a triangular A */
AUGMENTED(trmm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da,
                INT lda, REAL *b, REAL *db, INT ldb) {
  TAPE *tape = OF(new_tape)();
  INT order = is(side, 'L') ? m : n;
  if (db) tape->a = OF(keep_matrix)(order, order, a, lda);
  if (db && (da || dalpha)) tape->b = OF(keep_matrix)(m, n, b, ldb);
  OF_BLAS(trmm)(side, u, t, diag, m, n, alpha, a, lda, b, ldb);
  return tape;
}
REVERSE(trmm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da,
              INT lda, REAL *b, REAL *db, INT ldb, TAPE *tape) {
  if (db && m > 0 && n > 0) {
    INT order = is(side, 'L') ? m : n;
    if (da) OF(add_product)(side, u, t, diag, m, n, alpha, db, ldb, tape->b, m, da, lda);
    OF_BLAS(trmm)(side, u, flipped(t), diag, m, n, 1, tape->a, order, db, ldb);
    if (dalpha) *dalpha += OF(inner)(m, n, db, ldb, tape->b, m);
    OF(scale)(m, n, alpha, db, ldb);
  }
  OF(release)(tape);
}
FORWARD(trmm, void)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL dalpha, const REAL *a, REAL *da,
                    INT lda, REAL *b, REAL *db, INT ldb) {
  if (db && m > 0 && n > 0) {
    INT order = is(side, 'L') ? m : n;
    if (dalpha != 0) { /* alpha B moves as alpha dB + dalpha B */
      OF(scale)(m, n, alpha, db, ldb);
      OF(add)(m, n, dalpha, b, ldb, db, ldb);
    }
    OF_BLAS(trmm)(side, u, t, diag, m, n, dalpha != 0 ? 1 : alpha, a, lda, db, ldb);
    if (da) {
      REAL *moved = OF(triangle)(u, diag, order, da, lda);
      if (is(side, 'L')) OF_BLAS(gemm)(t, 'N', m, n, m, alpha, moved, m, b, ldb, 1, db, ldb);
      else OF_BLAS(gemm)('N', t, m, n, n, alpha, b, ldb, moved, n, 1, db, ldb);
      __builtin_free(moved);
    }
  }
  OF_BLAS(trmm)(side, u, t, diag, m, n, alpha, a, lda, b, ldb);
}

/* B = alpha op(A)^-1 B (or B op(A)^-1) */
AUGMENTED(trsm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da,
                INT lda, REAL *b, REAL *db, INT ldb) {
  TAPE *tape = OF(new_tape)();
  INT order = is(side, 'L') ? m : n;
  if (db) tape->a = OF(keep_matrix)(order, order, a, lda);
  if (db && dalpha) tape->c = OF(keep_matrix)(m, n, b, ldb);
  OF_BLAS(trsm)(side, u, t, diag, m, n, alpha, a, lda, b, ldb);
  if (db && da) tape->b = OF(keep_matrix)(m, n, b, ldb);
  return tape;
}
REVERSE(trsm)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL *dalpha, const REAL *a, REAL *da,
              INT lda, REAL *b, REAL *db, INT ldb, TAPE *tape) {
  if (db && m > 0 && n > 0) {
    INT order = is(side, 'L') ? m : n;
    OF_BLAS(trsm)(side, u, flipped(t), diag, m, n, 1, tape->a, order, db, ldb);
    if (da) OF(add_product)(side, u, t, diag, m, n, -1, db, ldb, tape->b, m, da, lda);
    if (dalpha) *dalpha += OF(inner)(m, n, db, ldb, tape->c, m);
    OF(scale)(m, n, alpha, db, ldb);
  }
  OF(release)(tape);
}
FORWARD(trsm, void)(char side, char u, char t, char diag, INT m, INT n, REAL alpha, REAL dalpha, const REAL *a, REAL *da,
                    INT lda, REAL *b, REAL *db, INT ldb) {
  if (db && m > 0 && n > 0) {
    OF(scale)(m, n, alpha, db, ldb);
    if (dalpha != 0) OF(add)(m, n, dalpha, b, ldb, db, ldb);
  }
  OF_BLAS(trsm)(side, u, t, diag, m, n, alpha, a, lda, b, ldb);
  if (!db || m <= 0 || n <= 0) return;
  if (da) {
    INT order = is(side, 'L') ? m : n;
    REAL *moved = OF(triangle)(u, diag, order, da, lda);
    if (is(side, 'L')) OF_BLAS(gemm)(t, 'N', m, n, m, -1, moved, m, b, ldb, 1, db, ldb);
    else OF_BLAS(gemm)('N', t, m, n, n, -1, b, ldb, moved, n, 1, db, ldb);
    __builtin_free(moved);
  }
  OF_BLAS(trsm)(side, u, t, diag, m, n, 1, a, lda, db, ldb);
}
