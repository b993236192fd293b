/* LAPACK's C interface in one precision: Fortran's routines, on matrices by columns or by rows, with room to work in. */

#define FORTRAN_NAME(name) JOIN(LETTER, name##_)
#define LAPACKE(name) BODY_NAMED(JOIN(JOIN(LAPACKE_, LETTER), name), int)

void FORTRAN_NAME(potrf)(const char *, const int *, REAL *, const int *, int *);
void FORTRAN_NAME(potrs)(const char *, const int *, const int *, REAL *, const int *, REAL *, const int *, int *);
void FORTRAN_NAME(getrf)(const int *, const int *, REAL *, const int *, int *, int *);
void FORTRAN_NAME(getrs)(const char *, const int *, const int *, REAL *, const int *, int *, REAL *, const int *, int *);
void FORTRAN_NAME(syev)(const char *, const char *, const int *, REAL *, const int *, REAL *, REAL *, const int *, int *);
void FORTRAN_NAME(syevd)(const char *, const char *, const int *, REAL *, const int *, REAL *, REAL *, const int *, int *,
                         const int *, int *);
void FORTRAN_NAME(gesvd)(const char *, const char *, const int *, const int *, REAL *, const int *, REAL *, REAL *,
                         const int *, REAL *, const int *, REAL *, const int *, int *);
void FORTRAN_NAME(gesdd)(const char *, const int *, const int *, REAL *, const int *, REAL *, REAL *, const int *, REAL *,
                         const int *, REAL *, const int *, int *, int *);

/* A matrix by columns: the caller's, or a copy of one by rows. */
typedef struct { REAL *at; int ld; } NAMED(columns);
static inline NAMED(columns) NAMED(by_columns)(int layout, INT m, INT n, REAL *a, int lda) {
  if (layout != BY_ROWS || !a) return (NAMED(columns)){a, lda};
  NAMED(columns) made = {__builtin_malloc((m > 0 ? m : 1) * (n > 0 ? n : 1) * sizeof(REAL)), m > 0 ? (int)m : 1};
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) made.at[i + j * made.ld] = a[i * lda + j];
  return made;
}
/* The matrix is no longer needed by columns; it goes back to the caller's, if it has changed. */
static inline void NAMED(by_rows)(int layout, INT m, INT n, REAL *a, int lda, NAMED(columns) made, int has_changed) {
  if (layout != BY_ROWS || !a) return;
  for (INT j = 0; has_changed && j < n; j++)
    for (INT i = 0; i < m; i++) a[i * lda + j] = made.at[i + j * made.ld];
  __builtin_free(made.at);
}

LAPACKE(potrf)(int layout, char u, int n, REAL *a, int lda) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda);
  FORTRAN_NAME(potrf)(&u, &n, x.at, &x.ld, &info);
  NAMED(by_rows)(layout, n, n, a, lda, x, 1);
  return info;
}
LAPACKE(potrs)(int layout, char u, int n, int k, REAL *a, int lda, REAL *b, int ldb) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda), y = NAMED(by_columns)(layout, n, k, b, ldb);
  FORTRAN_NAME(potrs)(&u, &n, &k, x.at, &x.ld, y.at, &y.ld, &info);
  NAMED(by_rows)(layout, n, n, a, lda, x, 0);
  NAMED(by_rows)(layout, n, k, b, ldb, y, 1);
  return info;
}
LAPACKE(posv)(int layout, char u, int n, int k, REAL *a, int lda, REAL *b, int ldb) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda), y = NAMED(by_columns)(layout, n, k, b, ldb);
  FORTRAN_NAME(potrf)(&u, &n, x.at, &x.ld, &info);
  if (info == 0) FORTRAN_NAME(potrs)(&u, &n, &k, x.at, &x.ld, y.at, &y.ld, &info);
  NAMED(by_rows)(layout, n, n, a, lda, x, 1);
  NAMED(by_rows)(layout, n, k, b, ldb, y, 1);
  return info;
}
LAPACKE(getrf)(int layout, int m, int n, REAL *a, int lda, int *ipiv) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, m, n, a, lda);
  FORTRAN_NAME(getrf)(&m, &n, x.at, &x.ld, ipiv, &info);
  NAMED(by_rows)(layout, m, n, a, lda, x, 1);
  return info;
}
LAPACKE(getrs)(int layout, char t, int n, int k, REAL *a, int lda, int *ipiv, REAL *b, int ldb) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda), y = NAMED(by_columns)(layout, n, k, b, ldb);
  FORTRAN_NAME(getrs)(&t, &n, &k, x.at, &x.ld, ipiv, y.at, &y.ld, &info);
  NAMED(by_rows)(layout, n, n, a, lda, x, 0);
  NAMED(by_rows)(layout, n, k, b, ldb, y, 1);
  return info;
}
LAPACKE(gesv)(int layout, int n, int k, REAL *a, int lda, int *ipiv, REAL *b, int ldb) {
  int info;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda), y = NAMED(by_columns)(layout, n, k, b, ldb);
  FORTRAN_NAME(getrf)(&n, &n, x.at, &x.ld, ipiv, &info);
  if (info == 0) FORTRAN_NAME(getrs)("N", &n, &k, x.at, &x.ld, ipiv, y.at, &y.ld, &info);
  NAMED(by_rows)(layout, n, n, a, lda, x, 1);
  NAMED(by_rows)(layout, n, k, b, ldb, y, 1);
  return info;
}
LAPACKE(syev)(int layout, char job, char u, int n, REAL *a, int lda, REAL *w) {
  int info, size = -1;
  REAL wanted;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda);
  FORTRAN_NAME(syev)(&job, &u, &n, x.at, &x.ld, w, &wanted, &size, &info);
  size = (int)wanted;
  REAL *work = __builtin_malloc(size * sizeof(REAL));
  FORTRAN_NAME(syev)(&job, &u, &n, x.at, &x.ld, w, work, &size, &info);
  __builtin_free(work);
  NAMED(by_rows)(layout, n, n, a, lda, x, 1);
  return info;
}
LAPACKE(syevd)(int layout, char job, char u, int n, REAL *a, int lda, REAL *w) {
  int info, size = -1, integers = -1, wanted_integers;
  REAL wanted;
  NAMED(columns) x = NAMED(by_columns)(layout, n, n, a, lda);
  FORTRAN_NAME(syevd)(&job, &u, &n, x.at, &x.ld, w, &wanted, &size, &wanted_integers, &integers, &info);
  size = (int)wanted, integers = wanted_integers;
  REAL *work = __builtin_malloc(size * sizeof(REAL));
  int *iwork = __builtin_malloc(integers * sizeof(int));
  FORTRAN_NAME(syevd)(&job, &u, &n, x.at, &x.ld, w, work, &size, iwork, &integers, &info);
  __builtin_free(work);
  __builtin_free(iwork);
  NAMED(by_rows)(layout, n, n, a, lda, x, 1);
  return info;
}

#define SMALLER (m < n ? m : n)
/* How many vectors there are in their own place. */
static inline int NAMED(own)(char job, int size, int k) { return is(job, 'A') ? size : is(job, 'S') ? k : 0; }

LAPACKE(gesvd)(int layout, char jobu, char jobvt, int m, int n, REAL *a, int lda, REAL *s, REAL *u, int ldu, REAL *vt,
               int ldvt, REAL *superb) {
  int info, size = -1, left = NAMED(own)(jobu, m, SMALLER), right = NAMED(own)(jobvt, n, SMALLER);
  REAL wanted;
  NAMED(columns) x = NAMED(by_columns)(layout, m, n, a, lda), y = NAMED(by_columns)(layout, m, left, u, ldu);
  NAMED(columns) z = NAMED(by_columns)(layout, right, n, vt, ldvt);
  FORTRAN_NAME(gesvd)(&jobu, &jobvt, &m, &n, x.at, &x.ld, s, y.at, &y.ld, z.at, &z.ld, &wanted, &size, &info);
  size = (int)wanted;
  REAL *work = __builtin_malloc(size * sizeof(REAL));
  FORTRAN_NAME(gesvd)(&jobu, &jobvt, &m, &n, x.at, &x.ld, s, y.at, &y.ld, z.at, &z.ld, work, &size, &info);
  for (int i = 0; i < SMALLER - 1; i++) superb[i] = work[i + 1];
  __builtin_free(work);
  NAMED(by_rows)(layout, m, n, a, lda, x, 1);
  NAMED(by_rows)(layout, m, left, u, ldu, y, 1);
  NAMED(by_rows)(layout, right, n, vt, ldvt, z, 1);
  return info;
}
LAPACKE(gesdd)(int layout, char job, int m, int n, REAL *a, int lda, REAL *s, REAL *u, int ldu, REAL *vt, int ldvt) {
  int info, size = -1, in_place = is(job, 'O');
  int left = in_place ? (m < n ? m : 0) : NAMED(own)(job, m, SMALLER);
  int right = in_place ? (m < n ? 0 : n) : NAMED(own)(job, n, SMALLER);
  REAL wanted;
  NAMED(columns) x = NAMED(by_columns)(layout, m, n, a, lda), y = NAMED(by_columns)(layout, m, left, u, ldu);
  NAMED(columns) z = NAMED(by_columns)(layout, right, n, vt, ldvt);
  int *iwork = __builtin_malloc(8 * (SMALLER > 0 ? SMALLER : 1) * sizeof(int));
  FORTRAN_NAME(gesdd)(&job, &m, &n, x.at, &x.ld, s, y.at, &y.ld, z.at, &z.ld, &wanted, &size, iwork, &info);
  size = (int)wanted;
  REAL *work = __builtin_malloc(size * sizeof(REAL));
  FORTRAN_NAME(gesdd)(&job, &m, &n, x.at, &x.ld, s, y.at, &y.ld, z.at, &z.ld, work, &size, iwork, &info);
  __builtin_free(work);
  __builtin_free(iwork);
  NAMED(by_rows)(layout, m, n, a, lda, x, 1);
  NAMED(by_rows)(layout, m, left, u, ldu, y, 1);
  NAMED(by_rows)(layout, right, n, vt, ldvt, z, 1);
  return info;
}
#undef SMALLER
#undef FORTRAN_NAME
#undef LAPACKE
