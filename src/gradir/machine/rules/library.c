/* What is easiest said in C: bodies of library functions, derivatives of BLAS and LAPACK, special functions.

   `python -m gradir.machine.rules.make_library` compiles this file to library.ll, which is committed, so that nobody
   needs a C compiler to use it. Only builtins are called: no header of any system is read. */

typedef long INT;
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)
#define NAMED(name) JOIN(JOIN(LETTER, _), name)
/* Names that no C program has: make_library turns the dollar signs into dots. */
#define DEFINE(name, type) __attribute__((noinline)) type name

/* -- special functions -------------------------------------------------------------------------------------------- */

#define PI 3.14159265358979323846

static double hurwitz_zeta(double s, double x) {
  /* Euler and Maclaurin: a few terms one by one, the rest as an integral with corrections B2k / (2k)! */
  static const double corrections[] = {
      1.0 / 12, -1.0 / 720, 1.0 / 30240, -1.0 / 1209600, 1.0 / 47900160, -691.0 / 1307674368000, 1.0 / 74724249600,
      -3617.0 / 10670622842880000, 43867.0 / 5109094217170944000};
  double sum = 0;
  while (x < 12) sum += __builtin_pow(x, -s), x += 1;
  double power = __builtin_pow(x, -s);
  sum += power * x / (s - 1) + power / 2;
  double factor = s * power / x;
  for (int k = 0; k < 9; k++) {
    sum += corrections[k] * factor;
    factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (x * x);
  }
  return sum;
}

static double digamma(double x) {
  static const double corrections[] = {-1.0 / 12, 1.0 / 120, -1.0 / 252, 1.0 / 240, -1.0 / 132, 691.0 / 32760, -1.0 / 12,
                                       3617.0 / 8160};
  double sum = 0;
  while (x < 12) sum -= 1 / x, x += 1;
  double t = 1 / (x * x), series = 0;
  for (int k = 7; k >= 0; k--) series = (series + corrections[k]) * t;
  return sum + __builtin_log(x) - 0.5 / x + series;
}

/* The nth derivative of pi cot(pi x), as a polynomial in the cotangent. */
static double cotangent(int n, double x) {
  double c = 1 / __builtin_tan(PI * (x - __builtin_floor(x))), p[20] = {0, 1}, result = 0;
  if (n > 17) return __builtin_nan("");
  for (int k = 0; k < n; k++) {
    double q[20] = {0};
    for (int i = 1; i <= k + 1; i++) q[i - 1] -= i * p[i], q[i + 1] -= i * p[i];
    for (int i = 0; i < 20; i++) p[i] = q[i];
  }
  for (int i = n + 1; i >= 0; i--) result = result * c + p[i];
  for (int k = 0; k <= n; k++) result *= PI;
  return result;
}

/* The derivatives of the logarithm of the gamma function, from the first (n = 0). */
DEFINE(gradir$polygamma, double)(int n, double x) {
  if (x <= 0 && x == __builtin_floor(x)) return __builtin_nan("");
  if (x < 0.5) {
    double mirrored = gradir$polygamma(n, 1 - x);
    return (n & 1 ? -mirrored : mirrored) - cotangent(n, x);
  }
  if (n == 0) return digamma(x);
  double factorial = n & 1 ? 1 : -1;
  for (int k = 2; k <= n; k++) factorial *= k;
  return factorial * hurwitz_zeta(n + 1, x);
}

/* -- shadows that last -------------------------------------------------------------------------------------------- */

/* The shadows of all memory that the program has allocated, by their addresses: a table with gaps, at most half full.
   What globals lead to in it stays from one derivative to the next, and has to be zero when that begins. Behind each
   byte of memory lie `scale` of its shadow. */
typedef void clear_floats(void *nothing, void *block, unsigned long bytes);
typedef struct gradir$shadow {
  char *block;
  unsigned long bytes, scale;
  clear_floats *clear;
  struct gradir$shadow *waiting;
  unsigned long round;
} shadow;
static struct gradir$shadows {
  shadow *table;
  unsigned long room, used, live, round;
  char taken;
} gradir$shadows;
#define shadows gradir$shadows
#define GONE ((char *)1)
#define ADDRESSES (1ul << 47)

static void lock_shadows(void) {
  while (__atomic_exchange_n(&shadows.taken, 1, __ATOMIC_ACQUIRE)) {
  }
}

static void unlock_shadows(void) { __atomic_store_n(&shadows.taken, 0, __ATOMIC_RELEASE); }

/* Where a block is in the table, or where it would be put. */
static shadow *shadow_of(char *block) {
  unsigned long at = ((unsigned long)block >> 4) * 0x9e3779b97f4a7c15;
  for (at = at >> 16;; at++) {
    shadow *found = &shadows.table[at & (shadows.room - 1)];
    if (!found->block || found->block == block) return found;
  }
}

static void make_room_for_shadows(void) {
  shadow *old = shadows.table;
  unsigned long room = shadows.room, left = 0;
  for (unsigned long i = 0; i < room; i++) left += old[i].block && old[i].block != GONE;
  shadows.room = room && left < room / 4 ? room : room ? 2 * room : 64;
  shadows.used = left;
  shadows.table = __builtin_calloc(shadows.room, sizeof(shadow));
  for (unsigned long i = 0; i < room; i++)
    if (old[i].block && old[i].block != GONE) *shadow_of(old[i].block) = old[i];
  __builtin_free(old);
}

DEFINE(gradir$shadows$keep, void)(char *block, unsigned long bytes, unsigned long scale, clear_floats *clear) {
  if (!block) return;
  lock_shadows();
  if (2 * shadows.used >= shadows.room) make_room_for_shadows();
  shadow *place = shadow_of(block);
  shadows.used += !place->block;
  shadows.live += !place->block;
  *place = (shadow){block, bytes, scale, clear, 0, 0};
  unlock_shadows();
}

DEFINE(gradir$shadows$drop, void)(char *block) {
  lock_shadows();
  if (block && shadows.room) {
    shadow *place = shadow_of(block);
    if (place->block) {
      place->block = GONE;
      shadows.live--;
    }
    if (!shadows.live) {
      __builtin_free(shadows.table);
      shadows.table = 0;
      shadows.room = shadows.used = 0;
    }
  }
  unlock_shadows();
}

/* The block that an address leads to. One in a global may lead into its middle. */
static shadow *shadow_around(char *address, int anywhere) {
  if (!address || (unsigned long)address >= ADDRESSES) return 0;
  shadow *found = shadow_of(address);
  if (found->block) return found;
  for (unsigned long i = 0; anywhere && i < shadows.room; i++) {
    found = &shadows.table[i];
    if (found->block != GONE && found->block < address && address < found->block + found->bytes * found->scale)
      return found;
  }
  return 0;
}

/* Let what the addresses in some memory lead to wait for being cleared. */
static shadow *with_shadows_in(char *memory, unsigned long bytes, shadow *waiting, int anywhere) {
  for (unsigned long at = 0; at + 8 <= bytes; at += 8) {
    char *address;
    __builtin_memcpy(&address, memory + at, 8);
    shadow *found = shadow_around(address, anywhere);
    if (found && found->round != shadows.round) {
      found->round = shadows.round;
      found->waiting = waiting;
      waiting = found;
    }
  }
  return waiting;
}

/* Clear the floats in all that the addresses in the shadow of a global lead to. */
DEFINE(gradir$shadows$clear, void)(char *global, unsigned long bytes) {
  lock_shadows();
  shadows.round++;
  shadow *waiting = shadows.room ? with_shadows_in(global, bytes, 0, 1) : 0;
  while (waiting) {
    shadow *next = waiting;
    waiting = with_shadows_in(next->block, next->bytes * next->scale, next->waiting, 0);
    next->clear(0, next->block, next->bytes);
  }
  unlock_shadows();
}

/* -- memory, and what Numba calls --------------------------------------------------------------------------------- */

void *aligned_alloc(unsigned long, unsigned long);

DEFINE(gradir$body$posix_memalign, int)(void **result, unsigned long align, unsigned long size) {
  void *memory = aligned_alloc(align, size);
  if (!memory) return 12;
  *result = memory;
  return 0;
}

/* What a C++ exception says of itself: the third of its virtual functions, after two destructors. */
DEFINE(gradir$what, const char *)(void *exception) { return (*(const char *(***)(void *))exception)[2](exception); }

DEFINE(gradir$body$NRT_MemInfo_data, void *)(void **info) { return info[3]; }

DEFINE(gradir$body$numba_frexp, double)(double x, int *exponent) {
  return __builtin_frexp(x, exponent);
}

/* -- threads ------------------------------------------------------------------------------------------------------ */

/* Threads are made and joined by two functions, of which there are two forms. Here a thread runs where it is made, before its
   maker goes on: an order that there always is, as long as nobody waits for what comes later. In the other one it runs
   beside its maker (`passes/threads.py`). Who made it knows it by what it gave, or by what is noted of it. They are weak so
   that nothing is taken for granted of them where they are called. */
typedef unsigned long thread;

__attribute__((weak)) DEFINE(gradir$spawn, thread)(void *(*run)(void *), void *given) { return (thread)run(given); }

__attribute__((weak)) DEFINE(gradir$joined, void *)(thread made) { return (void *)made; }

DEFINE(gradir$body$pthread_create, int)(thread *made, const void *attributes, void *(*run)(void *), void *given) {
  *made = gradir$spawn(run, given);
  return 0;
}

DEFINE(gradir$body$pthread_join, int)(thread joined, void **result) {
  void *given = gradir$joined(joined);
  if (result) *result = given;
  return 0;
}

DEFINE(gradir$body$pthread_detach, int)(thread detached) { return 0; }

/* std::thread of GNU's library: what it runs is a virtual function of an object that it owns, after two destructors. */
typedef struct state { void (**functions)(struct state *); } state;

static void *run_state(void *given) {
  state *own = given;
  own->functions[2](own);
  own->functions[1](own);
  return (void *)1;
}

DEFINE(gradir$body$_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE, void)
(thread *made, state **owned, void *unused) {
  state *own = *owned;
  *owned = 0;
  *made = gradir$spawn(run_state, own);
}

DEFINE(gradir$body$_ZNSt6thread6_StateD2Ev, void)(state *own) {}

DEFINE(gradir$body$_ZNSt6thread4joinEv, void)(thread *joined) {
  gradir$joined(*joined);
  *joined = 0;
}

DEFINE(gradir$body$_ZNSt6thread6detachEv, void)(thread *detached) { *detached = 0; }

/* That of libc++ makes threads itself, and notes in each what is to be told at its end. */
DEFINE(gradir$body$_ZNSt3__16thread4joinEv, void)(thread *joined) {
  gradir$joined(*joined);
  *joined = 0;
}

DEFINE(gradir$body$_ZNSt3__16thread6detachEv, void)(thread *detached) { *detached = 0; }

DEFINE(gradir$body$_ZNSt3__16threadD1Ev, void)(thread *gone) {
  if (*gone) __builtin_trap();
}

DEFINE(gradir$body$_ZNSt3__115__thread_structC1Ev, void)(void **notes) { *notes = 0; }

DEFINE(gradir$body$_ZNSt3__115__thread_structD1Ev, void)(void **notes) {}

DEFINE(gradir$body$_ZNSt3__119__thread_local_dataEv, void *)(void) {
  static unsigned key = -1u; /* none that there is */
  return &key;
}

int pthread_mutex_lock(void *);
int pthread_mutex_trylock(void *);
int pthread_mutex_unlock(void *);

DEFINE(gradir$body$_ZNSt3__15mutex4lockEv, void)(void *mutex) { pthread_mutex_lock(mutex); }

DEFINE(gradir$body$_ZNSt3__15mutex8try_lockEv, _Bool)(void *mutex) { return pthread_mutex_trylock(mutex) == 0; }

DEFINE(gradir$body$_ZNSt3__15mutex6unlockEv, void)(void *mutex) { pthread_mutex_unlock(mutex); }

DEFINE(gradir$body$_ZNSt3__15mutexD1Ev, void)(void *mutex) {}

/* -- sorting with a callback -------------------------------------------------------------------------------------- */

typedef int compare(const void *, const void *);
typedef int compare_with(const void *, const void *, void *);

/* How two elements are compared, by a function that may take something besides. */
#define COMPARED(left, right) compared(base + order[left] * size, base + order[right] * size OTHERS)
/* Sorting: elements are moved once, when their order is known: what was compared has no part in the derivative. Of the
   two runs of `order` that begin at `from` and `middle` comes one in `merged`; equal elements stay in their order. */
#define SORT                                                                                                         \
  if (count < 2 || size < 1) return;                                                                                 \
  INT *order = __builtin_malloc(2 * count * sizeof(INT)), *merged = order + count;                                   \
  for (INT i = 0; i < count; i++) order[i] = i;                                                                      \
  for (INT run = 1; run < count; run *= 2) {                                                                         \
    for (INT from = 0; from < count; from += 2 * run) {                                                              \
      INT middle = from + run < count ? from + run : count, end = middle + run < count ? middle + run : count;       \
      for (INT i = from, left = from, right = middle; i < end; i++) {                                                \
        int from_left = left < middle && (right >= end || COMPARED(left, right) <= 0);                               \
        merged[i] = from_left ? order[left++] : order[right++];                                                      \
      }                                                                                                              \
    }                                                                                                                \
    for (INT i = 0; i < count; i++) order[i] = merged[i];                                                            \
  }                                                                                                                  \
  char *moved = __builtin_malloc(count * size);                                                                      \
  for (INT i = 0; i < count; i++) __builtin_memcpy(moved + i * size, base + order[i] * size, size);                  \
  __builtin_memcpy(base, moved, count * size);                                                                       \
  __builtin_free(moved);                                                                                             \
  __builtin_free(order);

#define OTHERS
DEFINE(gradir$body$qsort, void)(char *base, INT count, INT size, compare *compared) { SORT }
#undef OTHERS
#define OTHERS , other
DEFINE(gradir$body$qsort_r, void)(char *base, INT count, INT size, compare_with *compared, void *other) { SORT }

DEFINE(gradir$body$bsearch, void *)(const void *key, const void *base, INT count, INT size, compare *compared) {
  for (INT from = 0, end = count; from < end;) {
    INT middle = from + (end - from) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compared(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) end = middle;
    else from = middle + 1;
  }
  return 0;
}

/* -- Fortran's arrays: flang's descriptors ------------------------------------------------------------------------ */

typedef struct { INT lower, extent, stride; } dimension;
typedef struct {
  void *base;
  unsigned long size;
  int version;
  signed char rank, type;
  unsigned char attribute, extra;
  dimension dim[15];
} descriptor;
enum { LAST_INTEGER = 24, TRUTH = 39 };
enum { FLOAT = 27, DOUBLE = 28, FLOAT_COMPLEX = 34, DOUBLE_COMPLEX = 35, POINTER = 1, ALLOCATABLE = 2 };

static inline INT rows(const descriptor *x) { return x->rank ? x->dim[0].extent : 1; }
static inline INT columns(const descriptor *x) {
  INT count = 1;
  for (int r = 1; r < x->rank; r++) count *= x->dim[r].extent;
  return count;
}
static inline INT column_offset(const descriptor *x, INT c) {
  if (x->rank <= 2) return x->rank < 2 ? 0 : c * x->dim[1].stride;
  INT offset = 0;
  for (int r = 1; r < x->rank; r++) offset += c % x->dim[r].extent * x->dim[r].stride, c /= x->dim[r].extent;
  return offset;
}
static inline char *element(const descriptor *x, INT c, INT i) {
  return (char *)x->base + column_offset(x, c) + i * x->dim[0].stride;
}
/* Whether a mask lets an element through: there may be none, or one truth value for all. */
static inline int is_wanted(const descriptor *mask, INT c, INT i) {
  if (!mask || !mask->base) return 1;
  const char *at = (const char *)mask->base;
  if (mask->rank) at += column_offset(mask, c) + i * mask->dim[0].stride;
  return mask->size == 8 ? *(const long *)at != 0 : mask->size == 4 ? *(const int *)at != 0 : *at != 0;
}
/* Room for an array of as many elements as another has, without gaps. */
static inline void establish(descriptor *x, const descriptor *shape) {
  INT stride = shape->size, bytes = stride * rows(shape) * columns(shape);
  x->base = __builtin_malloc(bytes ? bytes : 1);
  x->size = shape->size, x->version = 20180515, x->rank = shape->rank, x->type = shape->type;
  x->attribute = ALLOCATABLE, x->extra = 0;
  for (int r = 0; r < shape->rank; r++) {
    x->dim[r] = (dimension){1, shape->dim[r].extent, stride};
    stride *= shape->dim[r].extent;
  }
}

/* -- both precisions ---------------------------------------------------------------------------------------------- */

#define OF(name) JOIN(JOIN(JOIN(gradir$, LETTER), $), name)
#define OWN(name, type) DEFINE(OF(name), type)
#define OF_BLAS(name) JOIN(OF(blas$), name)
#define AUGMENTED(name) OWN(name##$augmented, TAPE *)
#define REVERSE(name) OWN(name##$reverse, void)
#define FORWARD(name, type) OWN(name##$forward, type)
#define BODY(name, type) DEFINE(JOIN(gradir$body$, M_NAME(name)), type)
#define FORTRAN(name, kind, type) FORTRAN_(name##kind, BYTES, type)
#define FORTRAN_(name, bytes, type) DEFINE(JOIN(gradir$body$_FortranA##name, bytes), type)
#define FORTRAN2(name) DEFINE(JOIN(JOIN(JOIN(gradir$body$_FortranA##name##Real, BYTES), Real), BYTES), void)
#define BODY_NAMED(name, type) DEFINE(JOIN(gradir$body$, name), type)

/* The options of BLAS: letters of either case. */
static inline int is(char option, char letter) { return (option & ~32) == letter; }
static inline int transposed(char t) { return !is(t, 'N'); }
static inline char flipped(char t) { return transposed(t) ? 'N' : 'T'; }
/* Whether element (i, j) belongs to a triangle, without its diagonal if that is told to be ones. */
static inline int inside(char uplo, char diag, INT i, INT j) {
  return i == j ? !is(diag, 'U') : is(uplo, 'U') ? i < j : i > j;
}

enum { BY_ROWS = 101 };

#define LETTER d
#define BYTES 8
#define GREATEST __DBL_MAX__
#define TYPE_CODE DOUBLE
#define COMPLEX_CODE DOUBLE_COMPLEX
#define REAL double
#define M(name) __builtin_##name
#define M_NAME(name) name
#define LGAMMA_R lgamma_r
#define MUL __muldc3
#define DIV __divdc3
#define POWI _FortranAzpowi
#define POWK _FortranAzpowk
#define HUGE __builtin_huge_val()
#define LARGE 0x1p1020
#define STEEP 22
#include "library.h"

static d_complex at(const double *z) { return (d_complex){z[0], z[1]}; }

DEFINE(gradir$body$numba_cpow, void)(double *z, double *w, double *out) {
  d_complex result = d_power(at(z), at(w));
  out[0] = result.re, out[1] = result.im;
}

#undef LETTER
#undef REAL
#undef M
#undef M_NAME
#undef LGAMMA_R
#undef MUL
#undef DIV
#undef POWI
#undef POWK
#undef HUGE
#undef LARGE
#undef STEEP
#undef BYTES
#undef GREATEST
#undef TYPE_CODE
#undef COMPLEX_CODE

#define LETTER s
#define BYTES 4
#define GREATEST __FLT_MAX__
#define TYPE_CODE FLOAT
#define COMPLEX_CODE FLOAT_COMPLEX
#define REAL float
#define M(name) __builtin_##name##f
#define M_NAME(name) name##f
#define LGAMMA_R lgammaf_r
#define MUL __mulsc3
#define DIV __divsc3
#define POWI _FortranAcpowi
#define POWK _FortranAcpowk
#define HUGE __builtin_huge_valf()
#define LARGE 0x1p124f
#define STEEP 11
#include "library.h"

/* -- Fortran's assignment of arrays ------------------------------------------------------------------------------- */

/* Once in the library, and inlined in programs, where the kinds of number vanish. */
#define SHARED __attribute__((noinline))

/* The first and the last byte of an array, whichever way it runs. */
static inline const char *edge(const descriptor *x, int last) {
  const char *at = x->base;
  for (int r = 0; r < x->rank; r++) {
    INT way = (x->dim[r].extent - 1) * x->dim[r].stride;
    if (last ? way > 0 : way < 0) at += way;
  }
  return last ? at + x->size : at;
}
static inline int may_overlap(const descriptor *x, const descriptor *y) {
  return edge(x, 0) < edge(y, 1) && edge(y, 0) < edge(x, 1);
}
static inline int is_integer(const descriptor *x) {
  return ((x->type > 0 && x->type <= LAST_INTEGER) || x->type == TRUTH) && x->size <= 8;
}
/* Integers and truth values, by their size; a single one goes everywhere. */
#define ASSIGN(type)                                                                             \
  {                                                                                              \
    type first = from->rank ? 0 : *(type *)from->base;                                           \
    for (INT c = 0; c < columns(to); c++)                                                        \
      for (INT i = 0; i < rows(to); i++)                                                         \
        *(type *)element(to, c, i) = from->rank ? *(type *)element(from, c, i) : first;          \
  }
static inline void assign_integers(descriptor *to, const descriptor *from) {
  if (from->size == 8) ASSIGN(long)
  else if (from->size == 4) ASSIGN(int)
  else if (from->size == 2) ASSIGN(short)
  else ASSIGN(char)
}
static SHARED void fortran_assign(descriptor *to, const descriptor *from) {
  int parts = from->type == DOUBLE_COMPLEX || from->type == FLOAT_COMPLEX ? 2 : 1;
  if (from->type == DOUBLE || from->type == DOUBLE_COMPLEX) d_assign(to, from, parts);
  else if (from->type == FLOAT || from->type == FLOAT_COMPLEX) s_assign(to, from, parts);
  else assign_integers(to, from);
}
static inline int fits(const descriptor *to, const descriptor *from) {
  if (!to->base) return 0;
  for (int r = 0; r < from->rank; r++)
    if (to->dim[r].extent != from->dim[r].extent) return 0;
  return 1;
}

static inline int is_number(const descriptor *x) {
  return x->type == DOUBLE || x->type == DOUBLE_COMPLEX || x->type == FLOAT || x->type == FLOAT_COMPLEX || is_integer(x);
}

static SHARED void fortran_assigned_numbers(descriptor *to, descriptor *from) {
  if (to->attribute == ALLOCATABLE && !fits(to, from)) {
    void *old = to->base;
    descriptor made;
    establish(&made, from);
    fortran_assign(&made, from);
    to->base = made.base;
    for (int r = 0; r < from->rank; r++) to->dim[r] = made.dim[r];
    __builtin_free(old);
  } else if (from->rank == 0 || !may_overlap(to, from)) {
    fortran_assign(to, from); /* which reads a single number before it writes any */
  } else {
    descriptor copy;
    establish(&copy, from);
    fortran_assign(&copy, from);
    fortran_assign(to, &copy);
    __builtin_free(copy.base);
  }
}

#include "flang_arrays.h"

/* -- LAPACK's drivers, as the steps that they take ---------------------------------------------------------------- */

#define DRIVERS(letter, real)                                                                                              \
  DEFINE(gradir$body$##letter##gesv_, void)                                                                                \
  (int *n, int *k, real *a, int *lda, int *ipiv, real *b, int *ldb, int *info) {                                           \
    letter##getrf_(n, n, a, lda, ipiv, info);                                                                              \
    if (*info == 0) letter##getrs_("N", n, k, a, lda, ipiv, b, ldb, info);                                                 \
  }                                                                                                                        \
  DEFINE(gradir$body$##letter##posv_, void)                                                                                \
  (const char *u, int *n, int *k, real *a, int *lda, real *b, int *ldb, int *info) {                                       \
    letter##potrf_(u, n, a, lda, info);                                                                                    \
    if (*info == 0) letter##potrs_(u, n, k, a, lda, b, ldb, info);                                                         \
  }
DRIVERS(d, double)
DRIVERS(s, float)

/* -- Numba's products: the letter says which numbers -------------------------------------------------------------- */

#define BY_KIND(function, ...)                                          \
  if (kind == 'd' || kind == 'z') d_##function(kind == 'd' ? 1 : 2, __VA_ARGS__); \
  else s_##function(kind == 's' ? 1 : 2, __VA_ARGS__);                  \
  return 0;

DEFINE(gradir$body$numba_xxdot, int)(char kind, char conjugated, INT n, void *x, void *y, void *result) {
  BY_KIND(numba_dot, conjugated, n, x, y, result)
}
DEFINE(gradir$body$numba_xxgemv, int)(char kind, char t, INT m, INT n, void *alpha, void *a, INT lda, void *x, void *beta,
                                      void *y) {
  BY_KIND(numba_gemv, t, m, n, alpha, a, lda, x, beta, y)
}
DEFINE(gradir$body$numba_xxgemm, int)(char kind, char ta, char tb, INT m, INT n, INT k, void *alpha, void *a, INT lda,
                                      void *b, INT ldb, void *beta, void *c, INT ldc) {
  BY_KIND(numba_gemm, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

/* Complex factorisations have no body. */
extern int factorisation_of_complex_numbers(void);

#define BY_REAL_KIND(function, ...)                            \
  return kind == 'd'   ? d_##function(__VA_ARGS__)             \
         : kind == 's' ? s_##function(__VA_ARGS__)             \
                       : factorisation_of_complex_numbers();

DEFINE(gradir$body$numba_xxgetrf, int)(char kind, INT m, INT n, void *a, INT lda, int *ipiv) {
  BY_REAL_KIND(numba_getrf, m, n, a, lda, ipiv)
}
DEFINE(gradir$body$numba_ez_xxgetri, int)(char kind, INT n, void *a, INT lda, int *ipiv) {
  BY_REAL_KIND(numba_getri, n, a, lda, ipiv)
}
DEFINE(gradir$body$numba_xgesv, int)(char kind, INT n, INT k, void *a, INT lda, int *ipiv, void *b, INT ldb) {
  BY_REAL_KIND(numba_gesv, n, k, a, lda, ipiv, b, ldb)
}
DEFINE(gradir$body$numba_xxpotrf, int)(char kind, char u, INT n, void *a, INT lda) {
  BY_REAL_KIND(numba_potrf, u, n, a, lda)
}
DEFINE(gradir$body$numba_xxnrm2, int)(char kind, INT n, void *x, INT step, void *result) {
  if (kind == 'd') *(double *)result = d_numba_nrm2(n, x, step);
  else if (kind == 's') *(float *)result = s_numba_nrm2(n, x, step);
  else return factorisation_of_complex_numbers();
  return 0;
}

/* Strides that give an array another shape without a copy, if there are any. Dimensions are taken in groups of as many
   elements before and after; those of one group must lie without gaps. */
DEFINE(gradir$body$numba_attempt_nocopy_reshape, int)
(INT rank, const INT *shape, const INT *strides, INT new_rank, const INT *new_shape, INT *new_strides, INT size, int by_columns) {
  INT from = 0, into = 0, step = size;
  while (from < rank || into < new_rank) {
    while (from < rank && shape[from] == 1) from++;
    INT before = 1, after = 1, first = from, start = into, last = -1;
    if (from < rank) before = shape[from], last = from++;
    if (into < new_rank) after = new_shape[into++];
    while (before != after) {
      if (after < before) {
        if (into == new_rank) return 0;
        after *= new_shape[into++];
      } else {
        while (from < rank && shape[from] == 1) from++;
        if (from == rank) return 0;
        int apart = by_columns ? strides[from] != shape[last] * strides[last] : strides[last] != shape[from] * strides[from];
        if (apart) return 0;
        before *= shape[from], last = from++;
      }
    }
    if (last >= 0) step = by_columns ? strides[first] : strides[last];
    for (INT k = 0; k < into - start; k++) {
      INT i = by_columns ? start + k : into - 1 - k;
      new_strides[i] = step;
      step *= new_shape[i];
    }
  }
  return 1;
}
