/* Bodies of Fortran's functions that move elements of arrays, as flang calls them: reshape, transpose, pack and their
   kind, and of the statements that allocate. Elements are numbers, complex numbers, integers or truth values. */

enum { TEXT = 40, OBJECT = 42, NO_TYPE = -1, BYTES_OF_OBJECTS = 88, NOT_DESTROYED = 430, ALREADY_THERE = 12, NOT_THERE = 11 };

/* Nobody defines it: what would call it is refused by its name. It is not handed descriptors, of which LLVM would know
   nothing any more. */
extern void _FortranAElementsOfAnotherKind(void);
/* What is done with one object, by the table of its type; written for the types of a program (passes/objects.py). */
extern void gradir$objects$initialize(void *, const void *);
extern void gradir$objects$destroy(void *, const void *);
extern void gradir$objects$assign(void *, const void *, const void *);
extern void _FortranAReportFatalUserError(const char *, const char *, int);

static inline INT elements(const descriptor *x) { return rows(x) * columns(x); }
/* Elements by their number, in the order in which they lie in an array without gaps. */
static SHARED char *fortran_nth(const descriptor *x, INT n) {
  if (x->rank == 0) return x->base;
  if (x->rank == 1) return (char *)x->base + n * x->dim[0].stride;
  return (char *)x->base + column_offset(x, n / rows(x)) + n % rows(x) * x->dim[0].stride;
}
static SHARED int fortran_is_true(const descriptor *mask, INT n) {
  return !mask || mask->rank == 0 ? is_wanted(mask, 0, 0) : is_wanted(mask, n / rows(mask), n % rows(mask));
}
static inline INT integer(const descriptor *x, INT n) {
  const char *at = fortran_nth(x, n);
  return x->size == 8 ? *(const long *)at : x->size == 4 ? *(const int *)at : x->size == 2 ? *(const short *)at : *at;
}
static inline void set_integer(const descriptor *x, INT n, INT value) {
  char *at = fortran_nth(x, n);
  if (x->size == 8) *(long *)at = value;
  else if (x->size == 4) *(int *)at = value;
  else if (x->size == 2) *(short *)at = value;
  else *at = value;
}
/* Where the table of the type of objects is: behind the dimensions. */
static inline const char **type_of(const descriptor *x) { return (const char **)(x->dim + x->rank); }
/* Whether a descriptor describes objects that own memory, by the table of their type. */
static inline int owns_memory(const descriptor *x) {
  return x->type == OBJECT && (!x->extra || !(*type_of(x))[NOT_DESTROYED]);
}
/* One element, as what it is; nothing is a zero. */
static SHARED void fortran_copy(char *to, const char *from, const descriptor *like) {
  if (like->type == DOUBLE || like->type == DOUBLE_COMPLEX) {
    ((double *)to)[0] = from ? ((const double *)from)[0] : 0;
    if (like->type == DOUBLE_COMPLEX) ((double *)to)[1] = from ? ((const double *)from)[1] : 0;
  } else if (like->type == FLOAT || like->type == FLOAT_COMPLEX) {
    ((float *)to)[0] = from ? ((const float *)from)[0] : 0;
    if (like->type == FLOAT_COMPLEX) ((float *)to)[1] = from ? ((const float *)from)[1] : 0;
  } else if (is_integer(like)) {
    if (like->size == 8) *(long *)to = from ? *(const long *)from : 0;
    else if (like->size == 4) *(int *)to = from ? *(const int *)from : 0;
    else if (like->size == 2) *(short *)to = from ? *(const short *)from : 0;
    else *to = from ? *from : 0;
  } else if (owns_memory(like)) {
    gradir$objects$initialize(to, *type_of(like));
    if (from) gradir$objects$assign(to, from, *type_of(like));
  } else if (from) __builtin_memcpy(to, from, like->size);
  else
    for (INT n = 0; n < like->size; n++) to[n] = like->type == OBJECT ? 0 : ' ';
}
#define SHAPE(shape, like, its_rank) \
  descriptor shape;                  \
  shape.size = like->size, shape.type = like->type, shape.rank = its_rank;
/* Elements before those that lie one step along a dimension (counted from 1) further. */
static inline INT inner(const descriptor *x, int dim) {
  INT count = 1;
  for (int r = 0; r < dim - 1; r++) count *= x->dim[r].extent;
  return count;
}
static inline INT around(INT n, INT extent) {
  INT rest = extent ? n % extent : 0;
  return rest < 0 ? rest + extent : rest;
}

#define MOVES(name) DEFINE(gradir$body$_FortranA##name, void)

/* -- objects ------------------------------------------------------------------------------------------------------ */

static SHARED void fortran_initialized(const descriptor *x) {
  INT count = elements(x);
  for (INT n = 0; n < count; n++) gradir$objects$initialize(fortran_nth(x, n), *type_of(x));
}
static SHARED void fortran_destroyed(const descriptor *x) {
  INT count = elements(x);
  for (INT n = 0; n < count; n++) gradir$objects$destroy(fortran_nth(x, n), *type_of(x));
}
static SHARED void fortran_assigned(const descriptor *to, const descriptor *from) {
  INT count = elements(to);
  for (INT n = 0; n < count; n++)
    gradir$objects$assign(fortran_nth(to, n), from->rank ? fortran_nth(from, n) : from->base, *type_of(from));
}
/* Objects of their own that are like others. */
static SHARED void fortran_copied_objects(descriptor *made, const descriptor *from) {
  establish(made, from);
  made->extra = 1, *type_of(made) = *type_of(from);
  fortran_initialized(made);
  fortran_assigned(made, from);
}
/* What is allocated takes the shape and the type of what is assigned to it. */
static SHARED void fortran_assigned_objects(descriptor *to, const descriptor *from) {
  descriptor made;
  if (to->attribute == ALLOCATABLE && !(fits(to, from) && *type_of(to) == *type_of(from))) {
    fortran_copied_objects(&made, from);
    if (to->base) fortran_destroyed(to);
    __builtin_free(to->base);
    to->base = made.base, to->size = from->size, to->type = OBJECT;
    for (int r = 0; r < from->rank; r++) to->dim[r] = made.dim[r];
    *type_of(to) = *type_of(from);
  } else if (from->rank == 0 || !may_overlap(to, from)) {
    fortran_assigned(to, from);
  } else {
    fortran_copied_objects(&made, from);
    fortran_assigned(to, &made);
    fortran_destroyed(&made);
    __builtin_free(made.base);
  }
}
MOVES(Initialize)(const descriptor *x, const char *file, int line) {
  if (x->type == OBJECT && x->extra) fortran_initialized(x);
}
MOVES(Destroy)(const descriptor *x) {
  if (x->type == OBJECT && x->extra) fortran_destroyed(x);
}
MOVES(DestroyWithoutFinalization)(const descriptor *x) {
  if (x->type == OBJECT && x->extra) fortran_destroyed(x);
}
/* Text, which is cut or filled up with blanks; what is allocatable takes the length of what is assigned to it. */
static SHARED void fortran_assigned_text(descriptor *to, const descriptor *from) {
  if (to->attribute == ALLOCATABLE && !(fits(to, from) && to->size == from->size)) {
    void *old = to->base;
    descriptor made;
    establish(&made, from);
    INT count = elements(from);
    for (INT n = 0; n < count; n++) __builtin_memcpy((char *)made.base + n * from->size, fortran_nth(from, n), from->size);
    to->base = made.base, to->size = from->size;
    for (int r = 0; r < from->rank; r++) to->dim[r] = made.dim[r];
    __builtin_free(old);
    return;
  }
  INT count = elements(to), same = from->size < to->size ? from->size : to->size;
  for (INT n = 0; n < count; n++) {
    char *at = fortran_nth(to, n);
    __builtin_memmove(at, from->rank ? fortran_nth(from, n) : from->base, same);
    for (INT k = same; k < to->size; k++) at[k] = ' ';
  }
}
/* Whatever is no number. Both sides have the same type: it is asked of the right one, whose descriptor is as a rule made
   for this call. */
static SHARED void fortran_assigned_other(descriptor *to, descriptor *from) {
  if (from->type == OBJECT && from->extra) fortran_assigned_objects(to, from);
  else if (from->type == TEXT) fortran_assigned_text(to, from);
  else _FortranAElementsOfAnotherKind();
}
MOVES(AssignPolymorphic)(descriptor *to, descriptor *from, const char *file, int line) {
  if (is_number(from)) fortran_assigned_numbers(to, from);
  else fortran_assigned_other(to, from);
}
MOVES(Assign)(descriptor *to, descriptor *from, const char *file, int line) {
  if (is_number(from)) fortran_assigned_numbers(to, from);
  else fortran_assigned_other(to, from);
}
MOVES(AssignTemporary)(descriptor *to, descriptor *from, const char *file, int line) {
  if (from->type == OBJECT && from->extra && to->base) fortran_initialized(to);
  if (is_number(from)) fortran_assigned_numbers(to, from);
  else fortran_assigned_other(to, from);
}
/* A variable of a class becomes one of a type, and is not there yet. */
static SHARED void fortran_becomes(descriptor *x, const char *type, int rank, int attribute) {
  x->base = 0, x->size = *(const INT *)(type + BYTES_OF_OBJECTS), x->version = 20180515;
  x->rank = rank, x->type = OBJECT, x->attribute = attribute, x->extra = 1;
  *type_of(x) = type;
}
MOVES(AllocatableInitDerivedForAllocate)(descriptor *x, const char *type, int rank, int corank) {
  if (!x->base) fortran_becomes(x, type, rank, ALLOCATABLE);
}
MOVES(AllocatableInitDerived)(descriptor *x, const char *type, int rank, int corank) {
  fortran_becomes(x, type, rank, ALLOCATABLE);
}
MOVES(PointerNullifyDerived)(descriptor *x, const char *type, int rank, int corank) {
  fortran_becomes(x, type, rank, POINTER);
}
static SHARED void fortran_takes_mold(descriptor *x, const descriptor *mold, int rank) {
  x->size = mold->size, x->rank = rank, x->type = mold->type;
  for (int r = 0; r < rank && r < mold->rank; r++) x->dim[r] = mold->dim[r];
  if (x->extra && mold->extra) *type_of(x) = *type_of(mold);
}
MOVES(AllocatableApplyMold)(descriptor *x, const descriptor *mold, int rank) {
  if (!x->base) fortran_takes_mold(x, mold, rank);
}
MOVES(PointerApplyMold)(descriptor *x, const descriptor *mold, int rank) { fortran_takes_mold(x, mold, rank); }

/* -- elements that move ------------------------------------------------------------------------------------------- */

MOVES(Reshape)(descriptor *out, const descriptor *source, const descriptor *shape, const descriptor *pad,
               const descriptor *order, const char *file, int line) {
  SHAPE(made, source, shape->dim[0].extent)
  for (int r = 0; r < made.rank; r++) {
    INT extent = integer(shape, r);
    made.dim[r].extent = extent < 0 ? 0 : extent;
  }
  establish(out, &made);
  INT count = elements(out), there = elements(source), more = pad ? elements(pad) : 0;
  for (INT n = 0; n < count; n++) {
    const char *from = n < there ? fortran_nth(source, n) : more ? fortran_nth(pad, (n - there) % more) : 0;
    INT offset = n * out->size;
    if (order) {
      INT rest = n;
      offset = 0;
      for (int r = 0; r < made.rank; r++) {
        INT d = integer(order, r) - 1;
        offset += rest % out->dim[d].extent * out->dim[d].stride, rest /= out->dim[d].extent;
      }
    }
    fortran_copy((char *)out->base + offset, from, source);
  }
}
MOVES(Transpose)(descriptor *out, const descriptor *x, const char *file, int line) {
  SHAPE(made, x, 2)
  made.dim[0].extent = x->dim[1].extent, made.dim[1].extent = x->dim[0].extent;
  establish(out, &made);
  for (INT j = 0; j < x->dim[0].extent; j++)
    for (INT i = 0; i < x->dim[1].extent; i++)
      fortran_copy((char *)out->base + (j * x->dim[1].extent + i) * out->size,
           (const char *)x->base + j * x->dim[0].stride + i * x->dim[1].stride, x);
}
/* Shifts along a dimension: around, or with elements that come in from a boundary. */
static SHARED void fortran_shifted(descriptor *out, const descriptor *x, const descriptor *shifts, INT shift, int dim, int turns,
                           const descriptor *boundary) {
  establish(out, x);
  INT step = inner(x, dim), extent = x->dim[dim - 1].extent, count = elements(x);
  for (INT n = 0; n < count; n++) {
    INT along = n / step % extent, other = n % step + n / (step * extent) * step;
    INT by = !shifts ? shift : integer(shifts, shifts->rank ? other : 0), at = along + by;
    if (turns) at = around(at, extent);
    const char *from = at >= 0 && at < extent ? fortran_nth(x, n + (at - along) * step)
                       : boundary             ? fortran_nth(boundary, boundary->rank ? other : 0)
                                              : 0;
    fortran_copy((char *)out->base + n * out->size, from, x);
  }
}
MOVES(CshiftVector)(descriptor *out, const descriptor *x, INT shift, const char *file, int line) {
  fortran_shifted(out, x, 0, shift, 1, 1, 0);
}
MOVES(Cshift)(descriptor *out, const descriptor *x, const descriptor *shift, int dim, const char *file, int line) {
  fortran_shifted(out, x, shift, 0, dim, 1, 0);
}
MOVES(EoshiftVector)(descriptor *out, const descriptor *x, INT shift, const descriptor *boundary, const char *file,
                     int line) {
  fortran_shifted(out, x, 0, shift, 1, 0, boundary);
}
MOVES(Eoshift)(descriptor *out, const descriptor *x, const descriptor *shift, const descriptor *boundary, int dim,
               const char *file, int line) {
  fortran_shifted(out, x, shift, 0, dim, 0, boundary);
}
MOVES(Spread)(descriptor *out, const descriptor *x, int dim, INT copies, const char *file, int line) {
  if (copies < 0) copies = 0;
  SHAPE(made, x, x->rank + 1)
  for (int r = 0; r < made.rank; r++)
    made.dim[r].extent = r == dim - 1 ? copies : x->dim[r < dim - 1 ? r : r - 1].extent;
  establish(out, &made);
  INT step = inner(out, dim), count = elements(out);
  for (INT n = 0; n < count; n++)
    fortran_copy((char *)out->base + n * out->size, fortran_nth(x, n % step + n / (step * copies) * step), x);
}
MOVES(Pack)(descriptor *out, const descriptor *x, const descriptor *mask, const descriptor *vector, const char *file,
            int line) {
  INT count = elements(x), wanted = 0, at = 0;
  for (INT n = 0; n < count; n++) wanted += fortran_is_true(mask, n) != 0;
  SHAPE(made, x, 1)
  made.dim[0].extent = vector ? vector->dim[0].extent : wanted;
  establish(out, &made);
  for (INT n = 0; n < count; n++)
    if (fortran_is_true(mask, n)) fortran_copy((char *)out->base + at++ * out->size, fortran_nth(x, n), x);
  if (vector)
    for (; at < made.dim[0].extent; at++) fortran_copy((char *)out->base + at * out->size, fortran_nth(vector, at), x);
}
MOVES(Unpack)(descriptor *out, const descriptor *vector, const descriptor *mask, const descriptor *field,
              const char *file, int line) {
  SHAPE(made, vector, mask->rank)
  for (int r = 0; r < mask->rank; r++) made.dim[r].extent = mask->dim[r].extent;
  establish(out, &made);
  INT count = elements(mask), at = 0;
  for (INT n = 0; n < count; n++)
    fortran_copy((char *)out->base + n * out->size, fortran_is_true(mask, n) ? fortran_nth(vector, at++) : fortran_nth(field, n), vector);
}

/* -- along one dimension ------------------------------------------------------------------------------------------ */

static inline INT reduced(descriptor *out, const descriptor *x, int dim) {
  SHAPE(made, x, x->rank - 1)
  for (int r = 0; r < made.rank; r++) made.dim[r].extent = x->dim[r < dim - 1 ? r : r + 1].extent;
  establish(out, &made);
  return elements(out);
}
#define ALONG(type, start, take)                                              \
  for (INT n = 0; n < count; n++) {                                           \
    type result = start;                                                      \
    for (INT k = 0; k < extent; k++) {                                        \
      INT at = n % step + (k + n / step * extent) * step;                     \
      if (fortran_is_true(mask, at)) {                                                \
        type here = *(const type *)fortran_nth(x, at);                                \
        take;                                                                 \
      }                                                                       \
    }                                                                         \
    ((type *)out->base)[n] = result;                                          \
  }
#define REDUCES(name, of_double, of_float, of_long, of_int, take)                                                     \
  MOVES(name##Dim)(descriptor *out, const descriptor *x, int dim, const char *file, int line, const descriptor *mask) { \
    INT count = reduced(out, x, dim), step = inner(x, dim), extent = x->dim[dim - 1].extent;                          \
    if (x->type == DOUBLE) ALONG(double, of_double, take)                                                             \
    else if (x->type == FLOAT) ALONG(float, of_float, take)                                                           \
    else if (is_integer(x) && x->size == 8) ALONG(long, of_long, take)                                          \
    else if (is_integer(x) && x->size == 4) ALONG(int, of_int, take)                                            \
    else _FortranAElementsOfAnotherKind();                                                                     \
  }
REDUCES(Sum, 0, 0, 0, 0, result += here)
REDUCES(Product, 1, 1, 1, 1, result *= here)
REDUCES(Maxval, -__DBL_MAX__, -__FLT_MAX__, -__LONG_MAX__ - 1, -__INT_MAX__ - 1, if (here > result) result = here)
REDUCES(Minval, __DBL_MAX__, __FLT_MAX__, __LONG_MAX__, __INT_MAX__, if (here < result) result = here)

/* Where the largest or smallest element is, counted from 1; zero if there is none. */
#define BETTER(type, here, there, most) \
  (most ? *(const type *)(here) > *(const type *)(there) : *(const type *)(here) < *(const type *)(there))
static SHARED int fortran_better(const descriptor *x, INT here, INT there, int most, int back) {
  const char *a = fortran_nth(x, here), *b = fortran_nth(x, there);
  int yes = 0, no = 0;
  if (x->type == DOUBLE) yes = BETTER(double, a, b, most), no = BETTER(double, b, a, most);
  else if (x->type == FLOAT) yes = BETTER(float, a, b, most), no = BETTER(float, b, a, most);
  else if (is_integer(x)) {
    INT p = integer(x, here), q = integer(x, there);
    yes = most ? p > q : p < q, no = most ? q > p : q < p;
  } else _FortranAElementsOfAnotherKind();
  return back ? !no : yes;
}
static SHARED void fortran_located(descriptor *out, const descriptor *x, int kind, const descriptor *mask, int back, int most) {
  SHAPE(made, x, 1)
  made.size = kind, made.type = kind == 8 ? 10 : kind == 4 ? 9 : kind == 2 ? 8 : 7, made.dim[0].extent = x->rank;
  establish(out, &made);
  INT count = elements(x), best = -1;
  for (INT n = 0; n < count; n++)
    if (fortran_is_true(mask, n) && (best < 0 || fortran_better(x, n, best, most, back))) best = n;
  for (int r = 0; r < x->rank; r++) {
    set_integer(out, r, best < 0 ? 0 : best % x->dim[r].extent + 1);
    if (best >= 0) best /= x->dim[r].extent;
  }
}
static SHARED void fortran_located_along(descriptor *out, const descriptor *x, int kind, int dim, const descriptor *mask, int back,
                                 int most) {
  SHAPE(made, x, x->rank - 1)
  made.size = kind, made.type = kind == 8 ? 10 : kind == 4 ? 9 : kind == 2 ? 8 : 7;
  for (int r = 0; r < made.rank; r++) made.dim[r].extent = x->dim[r < dim - 1 ? r : r + 1].extent;
  establish(out, &made);
  INT count = elements(out), step = inner(x, dim), extent = x->dim[dim - 1].extent;
  for (INT n = 0; n < count; n++) {
    INT best = -1, first = n % step + n / step * extent * step;
    for (INT k = 0; k < extent; k++)
      if (fortran_is_true(mask, first + k * step) &&
          (best < 0 || fortran_better(x, first + k * step, first + best * step, most, back)))
        best = k;
    set_integer(out, n, best + 1);
  }
}
#define LOCATES(name, most)                                                                                             \
  MOVES(name##Real8)(descriptor *out, const descriptor *x, int kind, const char *file, int line,                        \
                     const descriptor *mask, _Bool back) { fortran_located(out, x, kind, mask, back, most); }                   \
  MOVES(name##Real4)(descriptor *out, const descriptor *x, int kind, const char *file, int line,                        \
                     const descriptor *mask, _Bool back) { fortran_located(out, x, kind, mask, back, most); }                   \
  MOVES(name##Dim)(descriptor *out, const descriptor *x, int kind, int dim, const char *file, int line,                 \
                   const descriptor *mask, _Bool back) { fortran_located_along(out, x, kind, dim, mask, back, most); }
LOCATES(Maxloc, 1)
LOCATES(Minloc, 0)

DEFINE(gradir$body$_FortranACount, INT)(const descriptor *mask, const char *file, int line, int dim) {
  INT count = 0;
  for (INT n = 0; n < elements(mask); n++) count += fortran_is_true(mask, n) != 0;
  return count;
}
DEFINE(gradir$body$_FortranAAll, _Bool)(const descriptor *mask, const char *file, int line, int dim) {
  for (INT n = 0; n < elements(mask); n++)
    if (!fortran_is_true(mask, n)) return 0;
  return 1;
}
DEFINE(gradir$body$_FortranAAny, _Bool)(const descriptor *mask, const char *file, int line, int dim) {
  for (INT n = 0; n < elements(mask); n++)
    if (fortran_is_true(mask, n)) return 1;
  return 0;
}

/* -- allocate, deallocate ----------------------------------------------------------------------------------------- */

static inline void set_bounds(descriptor *x, int dim, INT lower, INT upper) {
  x->dim[dim].lower = upper < lower ? 1 : lower, x->dim[dim].extent = upper < lower ? 0 : upper - lower + 1;
}
static inline int failed(int status, int has_status, const char *why, const char *file, int line) {
  if (!has_status) _FortranAReportFatalUserError(why, file, line);
  return status;
}
/* Room for what a descriptor describes. Objects of derived types have first values, and may own memory. */
static inline void allocated(descriptor *x, const char *file, int line) {
  INT stride = x->size;
  for (int r = 0; r < x->rank; r++) x->dim[r].stride = stride, stride *= x->dim[r].extent;
  x->base = __builtin_malloc(stride ? stride : 1);
  if (x->type == OBJECT) fortran_initialized(x);
}
static inline int deallocated(descriptor *x, int has_status, const char *file, int line) {
  if (!x->base) return failed(NOT_THERE, has_status, "nothing is allocated that is deallocated", file, line);
  if (x->type == OBJECT) fortran_destroyed(x);
  __builtin_free(x->base);
  x->base = 0;
  return 0;
}
static inline void filled(descriptor *x, const descriptor *source, const char *file, int line) {
  if (source->type == OBJECT) {
    fortran_assigned_objects(x, source);
    return;
  }
  INT count = elements(x);
  for (INT n = 0; n < count; n++) fortran_copy((char *)x->base + n * x->size, fortran_nth(source, n), source);
}
#define STATUS(name, ...)                     \
  DEFINE(gradir$body$_FortranA##name, int)    \
  (__VA_ARGS__, _Bool stat, const descriptor *said, const char *file, int line)
MOVES(PointerSetBounds)(descriptor *x, int dim, INT lower, INT upper) { set_bounds(x, dim, lower, upper); }
MOVES(AllocatableSetBounds)(descriptor *x, int dim, INT lower, INT upper) { set_bounds(x, dim, lower, upper); }
STATUS(PointerAllocate, descriptor *x) {
  allocated(x, file, line);
  return 0;
}
STATUS(AllocatableAllocate, descriptor *x) {
  if (x->base) return failed(ALREADY_THERE, stat, "an array is allocated that is allocated already", file, line);
  allocated(x, file, line);
  return 0;
}
STATUS(PointerAllocateSource, descriptor *x, const descriptor *source) {
  allocated(x, file, line);
  filled(x, source, file, line);
  return 0;
}
STATUS(AllocatableAllocateSource, descriptor *x, const descriptor *source) {
  if (x->base) return failed(ALREADY_THERE, stat, "an array is allocated that is allocated already", file, line);
  allocated(x, file, line);
  filled(x, source, file, line);
  return 0;
}
STATUS(PointerDeallocate, descriptor *x) { return deallocated(x, stat, file, line); }
STATUS(AllocatableDeallocate, descriptor *x) { return deallocated(x, stat, file, line); }
/* Who was of a type is of a class again. */
static SHARED int fortran_forgotten(descriptor *x, const char *type, int status) {
  if (status) return status;
  if (x->extra) *type_of(x) = type;
  x->type = type ? OBJECT : NO_TYPE;
  return 0;
}
STATUS(AllocatableDeallocatePolymorphic, descriptor *x, const char *type) {
  return fortran_forgotten(x, type, deallocated(x, stat, file, line));
}
STATUS(PointerDeallocatePolymorphic, descriptor *x, const char *type) {
  return fortran_forgotten(x, type, deallocated(x, stat, file, line));
}
STATUS(MoveAlloc, descriptor *to, descriptor *from, const char *type) {
  if (to == from) return 0;
  if (to->base && to->type == OBJECT) fortran_destroyed(to);
  __builtin_free(to->base);
  to->base = from->base;
  from->base = 0;
  for (int r = 0; r < from->rank; r++) to->dim[r] = from->dim[r];
  if (from->type == OBJECT && from->extra) {
    to->size = from->size, *type_of(to) = *type_of(from);
    if (type) *type_of(from) = type;
  }
  return 0;
}

/* -- [a, b, (c(i), i = 1, n)] of an unknown number of elements ---------------------------------------------------- */

typedef struct {
  descriptor *to;
  INT next, room;
} pushed;

MOVES(InitArrayConstructorVector)(pushed *all, descriptor *to, _Bool lengths, int size, const char *file, int line) {
  all->to = to, all->next = 0, all->room = to->base ? elements(to) : 0;
}
/* Where the next elements go: there is room for them, as in an allocatable array, or it is made. */
static SHARED char *fortran_room_for(pushed *all, INT count) {
  descriptor *to = all->to;
  INT size = to->size;
  if (!to->base || all->room < all->next + count) {
    INT room = 2 * (all->next + count);
    if (!to->base && to->attribute == ALLOCATABLE && to->dim[0].extent > room) room = to->dim[0].extent;
    char *made = __builtin_malloc(room * size), *old = to->base;
    for (INT n = 0; n < all->next; n++) fortran_copy(made + n * size, old + n * size, to);
    __builtin_free(old);
    to->base = made, all->room = room;
    to->dim[0].lower = 1, to->dim[0].extent = all->next, to->dim[0].stride = size;
  }
  char *at = (char *)to->base + all->next * size;
  all->next += count;
  if (to->dim[0].extent < all->next) to->dim[0].lower = 1, to->dim[0].extent = all->next;
  return at;
}
MOVES(PushArrayConstructorValue)(pushed *all, const descriptor *from) {
  INT count = elements(from);
  char *at = fortran_room_for(all, count);
  for (INT n = 0; n < count; n++) fortran_copy(at + n * from->size, fortran_nth(from, n), from);
}
MOVES(PushArrayConstructorSimpleScalar)(pushed *all, const void *from) { fortran_copy(fortran_room_for(all, 1), from, all->to); }
