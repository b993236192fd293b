/* Derivatives of MPI's calls.

   `make_library.py` compiles this file once for each ABI; only builtins and MPI itself are called. For each call there
   are three functions, with a shadow after each pointer: `augmented` and `reverse`, with a tape between them, and
   `forward`. A shadow that is the memory itself, or null, is none: what lies there is constant.

   Both ends of a message must agree on what is sent, but each knows only its own activity. So what is sent depends on
   the datatype alone, which both ends share: data with floats always has a derivative on its way, zeros where it is
   constant, and data without floats never has.

   Derivatives travel as *flat* arrays of doubles, whatever the datatype: MPI's own packing gives the order, and its
   own answers about a datatype tell which of the packed bytes are floats.

   - messages.h: point to point. A message of the program takes the tangents along, or the tag by which its adjoint
     comes back: it is matched as the program's own, whatever the order, and wildcards cost nothing.
   - collectives.h: linear maps on flat arrays, each with a transpose among them. */

#ifdef OPEN_MPI
#include "openmpi.h"
#else
#include "mpich.h"
#endif
#include "mpi_calls.h"

#define RULE(name, mode, type) __attribute__((noinline)) type gradir$mpi$##name##$##mode
#define SIZE(items) ((unsigned long)(items) > 0 ? (unsigned long)(items) : 1)
#define NEW(type, items) ((type *)__builtin_calloc(SIZE(items), sizeof(type)))

typedef struct { void *tape; int value; } Augmented;

int dprintf(int file, const char *format, ...);

static void refuse(const char *what, const char *way_out) {
  dprintf(2, "gradir: MPI: %s has no derivative\n  way out: %s\n", what, way_out);
  MPI_Abort(MPI_COMM_WORLD, 1);
  __builtin_trap();
}

static int is_constant(const void *memory, const void *shadow) { return !shadow || shadow == memory; }

/* -- datatypes ---------------------------------------------------------------------------------------------------- */

/* How many floats of which kind one element has: (d)ouble, (s)ingle, (b)ytes of unknown kind, (x) refused. */
typedef struct { const char *name; char kind; int floats; } leaf;

static leaf leaf_named(const char *name) {
  static const leaf leaves[] = {
      {"MPI_DOUBLE", 'd', 1}, {"MPI_DOUBLE_PRECISION", 'd', 1}, {"MPI_REAL8", 'd', 1},
      {"MPI_C_DOUBLE_COMPLEX", 'd', 2}, {"MPI_DOUBLE_COMPLEX", 'd', 2}, {"MPI_COMPLEX16", 'd', 2},
      {"MPI_CXX_DOUBLE_COMPLEX", 'd', 2},
      {"MPI_FLOAT", 's', 1}, {"MPI_REAL", 's', 1}, {"MPI_REAL4", 's', 1},
      {"MPI_C_COMPLEX", 's', 2}, {"MPI_C_FLOAT_COMPLEX", 's', 2}, {"MPI_COMPLEX", 's', 2}, {"MPI_COMPLEX8", 's', 2},
      {"MPI_CXX_FLOAT_COMPLEX", 's', 2},
      {"MPI_BYTE", 'b', 0}, {"MPI_PACKED", 'b', 0},
      {"MPI_LONG_DOUBLE", 'x', 0}, {"MPI_REAL2", 'x', 0}, {"MPI_REAL16", 'x', 0}, {"MPI_COMPLEX4", 'x', 0},
      {"MPI_COMPLEX32", 'x', 0}, {"MPI_C_LONG_DOUBLE_COMPLEX", 'x', 0}, {"MPI_CXX_LONG_DOUBLE_COMPLEX", 'x', 0},
      {"MPI_FLOAT_INT", 'x', 0}, {"MPI_DOUBLE_INT", 'x', 0}, {"MPI_LONG_DOUBLE_INT", 'x', 0}, {"MPI_2REAL", 'x', 0},
      {"MPI_2DOUBLE_PRECISION", 'x', 0}, {"", 'x', 0}};
  for (unsigned i = 0; i < sizeof leaves / sizeof *leaves; i++)
    if (!__builtin_strcmp(name, leaves[i].name)) return leaves[i];
  return (leaf){0, 'i', 0};
}

static leaf leaf_of(MPI_Datatype type) {
  char name[MAX_NAME] = "";
  int length;
  if (type == MPI_DOUBLE) return (leaf){0, 'd', 1};
  MPI_Type_get_name(type, name, &length);
  leaf found = leaf_named(name);
  if (found.kind == 'x') refuse(*name ? name : "a datatype by kind", "use MPI_DOUBLE or MPI_FLOAT, and arrays or structs of them");
  return found;
}

static long size_of(MPI_Datatype type) {
  int size;
  MPI_Type_size(type, &size);
  return size;
}

static long extent_of(MPI_Datatype type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(type, &lower, &extent);
  return extent;
}

/* What a derived datatype is made of, in the order in which it is packed: so many of each inner type. */
typedef struct { int count, *blocks; MPI_Datatype *inner; } contents;

static int is_named(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  if (type == MPI_DOUBLE) return 1;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  return types == 0;
}

/* Only a struct has several inner types; its integers are their number, then how many there are of each. */
static contents contents_of(MPI_Datatype type) {
  int integers, addresses, types, combiner;
  MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
  int *numbers = NEW(int, integers);
  MPI_Aint *places = NEW(MPI_Aint, addresses);
  contents found = {types, NEW(int, types), NEW(MPI_Datatype, types)};
  MPI_Type_get_contents(type, integers, addresses, types, numbers, places, found.inner);
  if (types == 1) {
    long size = size_of(found.inner[0]);
    found.blocks[0] = size ? size_of(type) / size : 0;
  } else
    for (int k = 0; k < types; k++) found.blocks[k] = numbers[1 + k];
  __builtin_free(numbers);
  __builtin_free(places);
  return found;
}

static void release_contents(contents found) {
  for (int k = 0; k < found.count; k++)
    if (!is_named(found.inner[k])) MPI_Type_free(&found.inner[k]);
  __builtin_free(found.blocks);
  __builtin_free(found.inner);
}

/* The floats in one element; `bytes` is told whether there are bytes of unknown kind. */
static long floats_of(MPI_Datatype type, int *bytes) {
  if (is_named(type)) {
    leaf found = leaf_of(type);
    *bytes |= found.kind == 'b';
    return found.floats;
  }
  contents parts = contents_of(type);
  long sum = 0;
  for (int k = 0; k < parts.count; k++) sum += parts.blocks[k] * floats_of(parts.inner[k], bytes);
  release_contents(parts);
  return sum;
}

static void check_library(void) {
  static int checked;
  if (checked) return;
  checked = 1;
  char text[MAX_VERSION] = "";
  int length;
  MPI_Get_library_version(text, &length);
  int is_open_mpi = !__builtin_strncmp(text, "Open MPI", 8);
  if (is_open_mpi != (LIBRARY_VERSION[0] == 'O'))
    refuse("the running MPI library, whose handles are not those that the derivative was made for (" LIBRARY_VERSION "),",
           "make the derivative from code that was compiled with this library's mpi.h");
}

/* How many floats an element has: none, and the derivative has no part in the call. */
static long floats_in(MPI_Datatype type, const void *memory, const void *shadow) {
  int bytes = 0;
  check_library();
  long found = floats_of(type, &bytes);
  if (bytes && !is_constant(memory, shadow))
    refuse("MPI_BYTE or MPI_PACKED of memory that may hold floats", "send floats as MPI_DOUBLE or MPI_FLOAT");
  return found;
}

/* -- flat arrays -------------------------------------------------------------------------------------------------- */

typedef enum { TAKE, SET, ADD } way;

#define WALK(real)                                                        \
  for (long i = 0; i < n; i++) {                                          \
    real *at = (real *)*packed + i;                                       \
    if (how == TAKE) flat[0][i] = *at;                                    \
    else *at = how == SET ? flat[0][i] : *at + flat[0][i];                \
  }

/* Through packed elements and their floats side by side. */
static void walk(MPI_Datatype type, long count, char **packed, double **flat, way how) {
  if (is_named(type)) {
    leaf found = leaf_of(type);
    long n = count * found.floats;
    if (found.kind == 'd') WALK(double)
    if (found.kind == 's') WALK(float)
    *packed += count * size_of(type);
    *flat += n;
    return;
  }
  contents parts = contents_of(type);
  if (parts.count == 1)
    walk(parts.inner[0], count * parts.blocks[0], packed, flat, how);
  else
    for (long i = 0; i < count; i++)
      for (int k = 0; k < parts.count; k++) walk(parts.inner[k], parts.blocks[k], packed, flat, how);
  release_contents(parts);
}

/* Packed, elements are the bytes of their parts in a row, as between machines of one kind. */
static long pack(const void *memory, int count, MPI_Datatype type, MPI_Comm comm, char *to) {
  int position = 0;
  long size = count * size_of(type);
  if (is_named(type)) {
    __builtin_memcpy(to, memory, size);
    return size;
  }
  MPI_Pack(memory, count, type, to, size, &position, comm);
  if (position != size) refuse("packed data with a head of its own", "use an MPI library for machines of one kind");
  return size;
}

static void unpack(const char *from, long size, void *memory, int count, MPI_Datatype type, MPI_Comm comm) {
  int position = 0;
  if (is_named(type))
    __builtin_memcpy(memory, from, count * size_of(type));
  else
    MPI_Unpack(from, size, &position, memory, count, type, comm);
}

/* Floats of memory to a flat array, or back. */
static void exchange(void *memory, int count, MPI_Datatype type, MPI_Comm comm, double *flat, way how) {
  if (count <= 0) return;
  char *at = memory;
  if (is_named(type)) {
    walk(type, count, &at, &flat, how);
    return;
  }
  long size = count * size_of(type);
  char *packed = at = NEW(char, size);
  pack(memory, count, type, comm, packed);
  walk(type, count, &at, &flat, how);
  if (how != TAKE) unpack(packed, size, memory, count, type, comm);
  __builtin_free(packed);
}

static void clear(void *memory, int count, MPI_Datatype type, MPI_Comm comm, long floats) {
  double *zeros = NEW(double, floats);
  exchange(memory, count, type, comm, zeros, SET);
  __builtin_free(zeros);
}

/* -- sends that nobody waits for ---------------------------------------------------------------------------------- */

typedef struct along { struct along *next; MPI_Request request; void *memory; } along;
static along *under_way;

static void settle(int all) {
  along **at = &under_way;
  while (*at) {
    along *one = *at;
    int done = 1;
    if (all) MPI_Wait(&one->request, MPI_STATUS_IGNORE);
    else MPI_Test(&one->request, &done, MPI_STATUS_IGNORE);
    if (!done) {
      at = &one->next;
      continue;
    }
    *at = one->next;
    __builtin_free(one->memory);
    __builtin_free(one);
  }
}

static int send_along(void *memory, long count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  along *one = NEW(along, 1);
  settle(0);
  one->memory = memory;
  one->next = under_way;
  under_way = one;
  return MPI_Isend(memory, count, type, peer, tag, comm, &one->request);
}

/* -- tapes -------------------------------------------------------------------------------------------------------- */

/* Communicators and datatypes that the program has freed, while calls are on tapes that still need them. */
typedef struct freed { struct freed *next; MPI_Comm comm; MPI_Datatype type; } freed;
static freed *to_free;

/* How many calls are on tapes. With the last of them, all that was sent along has to have arrived. */
static long tapes;

static void open_tape(void) { tapes++; }

static void close_tape(void) {
  if (--tapes) return;
  settle(1);
  while (to_free) {
    freed *one = to_free;
    to_free = one->next;
    if (one->comm != MPI_COMM_NULL) MPI_Comm_free(&one->comm);
    if (one->type != MPI_DATATYPE_NULL) MPI_Type_free(&one->type);
    __builtin_free(one);
  }
}

static void free_later(MPI_Comm comm, MPI_Datatype type) {
  freed **at = &to_free, *one = NEW(freed, 1);
  *one = (freed){0, comm, type};
  while (*at) at = &(*at)->next;
  *at = one;
}

/* A handle that is freed is null afterwards, and what it stood for lives until no tape needs it. */
#define FREE(name, HANDLE, NOTHING, COMM, TYPE)                            \
  RULE(name, augmented, Augmented)(HANDLE *handle, void *shadow) {         \
    if (!tapes) return (Augmented){0, MPI_##name(handle)};                 \
    free_later(COMM, TYPE);                                                \
    *handle = NOTHING;                                                     \
    return (Augmented){0, 0};                                              \
  }                                                                        \
  RULE(name, reverse, void)(HANDLE *handle, void *shadow, void *tape) {}
FREE(Comm_free, MPI_Comm, MPI_COMM_NULL, *handle, MPI_DATATYPE_NULL)
FREE(Type_free, MPI_Datatype, MPI_DATATYPE_NULL, MPI_COMM_NULL, *handle)

#include "messages.h"
#include "collectives.h"

#ifndef OPEN_MPI
#include "mpi_fortran.h"
#endif
