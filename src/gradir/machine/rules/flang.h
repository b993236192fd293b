/* Bodies of Fortran's intrinsics on arrays, as flang calls them: arrays come as descriptors. In one precision.

   Where a program builds the descriptors itself, they vanish once these are inlined, and plain loops are left. */

/* The element of an array in column c (all dimensions but the first, counted through) and row i. */
static inline REAL *NAMED(element)(const descriptor *x, INT c, INT i) {
  return (REAL *)((char *)x->base + column_offset(x, c) + i * x->dim[0].stride);
}
#undef EACH
#define EACH(x, mask)                                                     \
  for (INT c = 0, columns_ = columns(x), rows_ = rows(x); c < columns_; c++) \
    for (INT i = 0; i < rows_; i++)                                       \
      if (is_wanted(mask, c, i))

FORTRAN(Sum, Real, REAL)(const descriptor *x, const char *file, int line, int dim, const descriptor *mask) {
  REAL sum = 0;
  EACH(x, mask) sum += *NAMED(element)(x, c, i);
  return sum;
}
FORTRAN(Product, Real, REAL)(const descriptor *x, const char *file, int line, int dim, const descriptor *mask) {
  REAL product = 1;
  EACH(x, mask) product *= *NAMED(element)(x, c, i);
  return product;
}
FORTRAN(Maxval, Real, REAL)(const descriptor *x, const char *file, int line, int dim, const descriptor *mask) {
  REAL most = -GREATEST;
  EACH(x, mask) {
    REAL here = *NAMED(element)(x, c, i);
    if (here > most) most = here;
  }
  return most;
}
FORTRAN(Minval, Real, REAL)(const descriptor *x, const char *file, int line, int dim, const descriptor *mask) {
  REAL least = GREATEST;
  EACH(x, mask) {
    REAL here = *NAMED(element)(x, c, i);
    if (here < least) least = here;
  }
  return least;
}
FORTRAN(Norm2, _, REAL)(const descriptor *x, const char *file, int line, int dim) {
  REAL sum = 0, most = 0;
  EACH(x, 0) sum += *NAMED(element)(x, c, i) * *NAMED(element)(x, c, i);
  if (sum > 1 / LARGE && sum < LARGE) return M(sqrt)(sum);
  EACH(x, 0) most = M(fmax)(most, M(fabs)(*NAMED(element)(x, c, i))); /* too large or too small to be squared */
  if (most == 0) return 0;
  sum = 0;
  EACH(x, 0) {
    REAL here = *NAMED(element)(x, c, i) / most;
    sum += here * here;
  }
  return most * M(sqrt)(sum);
}
FORTRAN(DotProduct, Real, REAL)(const descriptor *x, const descriptor *y, const char *file, int line) {
  REAL sum = 0;
  for (INT i = 0; i < rows(x); i++) sum += *NAMED(element)(x, 0, i) * *NAMED(element)(y, 0, i);
  return sum;
}

/* c = a b: of matrices, of a matrix and a vector, or of a vector and a matrix; a may be taken transposed. */
static inline void NAMED(product)(descriptor *out, const descriptor *a, const descriptor *b, int flip) {
  INT m = a->rank == 1 ? 1 : flip ? columns(a) : rows(a), k = rows(b), n = columns(b);
  INT row = a->rank == 1 ? 0 : a->dim[flip ? 1 : 0].stride, along = a->dim[a->rank == 1 || flip ? 0 : 1].stride;
  INT down = a->rank == 1 ? 0 : out->dim[0].stride, across = b->rank == 1 ? 0 : out->dim[a->rank == 1 ? 0 : 1].stride;
  for (INT j = 0; j < n; j++) {
    char *column = (char *)out->base + j * across;
    for (INT i = 0; i < m; i++) *(REAL *)(column + i * down) = 0;
    for (INT p = 0; p < k; p++) {
      REAL factor = *NAMED(element)(b, j, p);
      const char *from = (const char *)a->base + p * along;
      for (INT i = 0; i < m; i++) *(REAL *)(column + i * down) += *(const REAL *)(from + i * row) * factor;
    }
  }
}
static inline void NAMED(allocated_product)(descriptor *out, const descriptor *a, const descriptor *b, int flip) {
  descriptor shape;
  shape.size = sizeof(REAL), shape.type = TYPE_CODE, shape.rank = (a->rank > 1) + (b->rank > 1);
  shape.dim[0].extent = a->rank == 1 ? b->dim[1].extent : a->dim[flip ? 1 : 0].extent;
  if (shape.rank > 1) shape.dim[1].extent = b->dim[1].extent;
  establish(out, &shape);
  NAMED(product)(out, a, b, flip);
}
FORTRAN2(Matmul)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  NAMED(allocated_product)(out, a, b, 0);
}
FORTRAN2(MatmulTranspose)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  NAMED(allocated_product)(out, a, b, 1);
}
FORTRAN2(MatmulDirect)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  NAMED(product)(out, a, b, 0);
}
FORTRAN2(MatmulTransposeDirect)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  NAMED(product)(out, a, b, 1);
}

/* Complex numbers: results of functions are written to where an address says. */
FORTRAN(CppSum, Complex, void)(REAL *out, const descriptor *x, const char *file, int line, int dim,
                               const descriptor *mask) {
  REAL re = 0, im = 0;
  EACH(x, mask) re += NAMED(element)(x, c, i)[0], im += NAMED(element)(x, c, i)[1];
  out[0] = re, out[1] = im;
}
FORTRAN(CppProduct, Complex, void)(REAL *out, const descriptor *x, const char *file, int line, int dim,
                                   const descriptor *mask) {
  REAL re = 1, im = 0;
  EACH(x, mask) {
    REAL a = NAMED(element)(x, c, i)[0], b = NAMED(element)(x, c, i)[1], both = re * a - im * b;
    im = re * b + im * a, re = both;
  }
  out[0] = re, out[1] = im;
}
FORTRAN(CppDotProduct, Complex, void)(REAL *out, const descriptor *x, const descriptor *y, const char *file, int line) {
  REAL re = 0, im = 0;
  for (INT i = 0; i < rows(x); i++) { /* the first is taken conjugate */
    const REAL *a = NAMED(element)(x, 0, i), *b = NAMED(element)(y, 0, i);
    re += a[0] * b[0] + a[1] * b[1], im += a[0] * b[1] - a[1] * b[0];
  }
  out[0] = re, out[1] = im;
}
static inline void NAMED(complex_product)(descriptor *out, const descriptor *a, const descriptor *b) {
  INT m = a->rank == 1 ? 1 : rows(a), k = rows(b), n = columns(b);
  INT row = a->rank == 1 ? 0 : a->dim[0].stride, along = a->dim[a->rank == 1 ? 0 : 1].stride;
  INT down = a->rank == 1 ? 0 : out->dim[0].stride, across = b->rank == 1 ? 0 : out->dim[a->rank == 1 ? 0 : 1].stride;
  for (INT j = 0; j < n; j++)
    for (INT i = 0; i < m; i++) {
      REAL re = 0, im = 0;
      for (INT p = 0; p < k; p++) {
        const REAL *x = (const REAL *)((const char *)a->base + p * along + i * row), *y = NAMED(element)(b, j, p);
        re += x[0] * y[0] - x[1] * y[1], im += x[0] * y[1] + x[1] * y[0];
      }
      REAL *to = (REAL *)((char *)out->base + j * across + i * down);
      to[0] = re, to[1] = im;
    }
}
#define FORTRAN2_COMPLEX(name) DEFINE(JOIN(JOIN(JOIN(gradir$body$_FortranA##name##Complex, BYTES), Complex), BYTES), void)
FORTRAN2_COMPLEX(Matmul)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  descriptor shape;
  shape.size = 2 * sizeof(REAL), shape.type = COMPLEX_CODE, shape.rank = (a->rank > 1) + (b->rank > 1);
  shape.dim[0].extent = a->rank == 1 ? b->dim[1].extent : a->dim[0].extent;
  if (shape.rank > 1) shape.dim[1].extent = b->dim[1].extent;
  establish(out, &shape);
  NAMED(complex_product)(out, a, b);
}
FORTRAN2_COMPLEX(MatmulDirect)(descriptor *out, const descriptor *a, const descriptor *b, const char *file, int line) {
  NAMED(complex_product)(out, a, b);
}
#undef FORTRAN2_COMPLEX

/* to = from, element by element; a single number goes everywhere. */
static inline void NAMED(assign)(descriptor *to, const descriptor *from, int parts) {
  REAL first = from->rank ? 0 : ((REAL *)from->base)[0], second = from->rank || parts < 2 ? 0 : ((REAL *)from->base)[1];
  for (INT c = 0; c < columns(to); c++)
    for (INT i = 0; i < rows(to); i++) {
      REAL *out = NAMED(element)(to, c, i);
      out[0] = from->rank ? NAMED(element)(from, c, i)[0] : first;
      if (parts == 2) out[1] = from->rank ? NAMED(element)(from, c, i)[1] : second;
    }
}
