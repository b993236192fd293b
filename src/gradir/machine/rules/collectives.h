/* Collective calls: `mpi.c` comes first.

   Each is a linear map from what goes in to what comes out, both in parts that belong to the processes; a reduction
   weighs what goes in (a product by the other factors, a maximum by whether it is it). On flat arrays the transpose of
   each map is another of them, so forward mode applies the map, and reverse mode its transpose. */

typedef enum { BCAST, REDUCE, ALLREDUCE, GATHER, SCATTER, ALLGATHER, REDUCE_SCATTER, ALLTOALL } map;

static map transposed(map kind) {
  static const map of[] = {REDUCE, BCAST, ALLREDUCE, SCATTER, GATHER, REDUCE_SCATTER, ALLGATHER, ALLTOALL};
  return of[kind];
}

/* What goes in, or comes out, at this process: parts, each of so many elements and floats, at some byte, and in the
   flat array from some float on. */
typedef struct {
  char *memory, *shadow;
  MPI_Datatype type;
  int parts, *counts, *floats, *starts, total;
  long *places;
} side;

static side *new_side(const void *memory, void *shadow, MPI_Datatype type, int parts, int count, const int *counts,
                      const int *displacements) {
  side *made = NEW(side, 1);
  long each = floats_in(type, memory, shadow), extent = extent_of(type), next = 0;
  *made = (side){(char *)memory, shadow, type, parts, NEW(int, parts), NEW(int, parts), NEW(int, parts), 0, NEW(long, parts)};
  for (int k = 0; k < parts; k++) {
    made->counts[k] = counts ? counts[k] : count;
    made->places[k] = (displacements ? displacements[k] : next) * extent;
    made->floats[k] = made->counts[k] * each;
    made->starts[k] = made->total;
    made->total += made->floats[k];
    next += made->counts[k];
  }
  return made;
}

/* One part of a side, where a process leaves its own part in place. */
static side *part_of(const side *whole, int k) {
  side *made = new_side(whole->memory, whole->shadow, whole->type, 1, whole->counts[k], 0, 0);
  made->places[0] = whole->places[k];
  return made;
}

static void release_side(side *one) {
  if (!one) return;
  __builtin_free(one->counts);
  __builtin_free(one->floats);
  __builtin_free(one->starts);
  __builtin_free(one->places);
  __builtin_free(one);
}

static void exchange_side(const side *at, char *memory, double *flat, MPI_Comm comm, way how) {
  for (int k = 0; k < at->parts; k++)
    exchange(memory + at->places[k], at->counts[k], at->type, comm, flat + at->starts[k], how);
}

static double *taken(const side *at, int shadow, MPI_Comm comm) {
  if (!at) return 0;
  double *flat = NEW(double, at->total);
  if (!shadow) exchange_side(at, at->memory, flat, comm, TAKE);
  else if (!is_constant(at->memory, at->shadow)) exchange_side(at, at->shadow, flat, comm, TAKE);
  return flat;
}

static void given(const side *at, double *flat, MPI_Comm comm, way how) {
  if (at && !is_constant(at->memory, at->shadow)) exchange_side(at, at->shadow, flat, comm, how);
}

/* -- the maps ----------------------------------------------------------------------------------------------------- */

typedef struct {
  map kind;
  side *in, *out;
  int root;
  MPI_Comm comm;
  double *weights; /* null: all are 1 */
} collective;

static void apply(map kind, const side *in, double *x, const side *out, double *y, int root, MPI_Comm comm) {
  switch (kind) {
  case BCAST:
    if (x) __builtin_memcpy(y, x, out->total * sizeof(double));
    MPI_Bcast(y, out->total, MPI_DOUBLE, root, comm);
    break;
  case REDUCE: MPI_Reduce(x, y, in->total, MPI_DOUBLE, MPI_SUM, root, comm); break;
  case ALLREDUCE: MPI_Allreduce(x, y, in->total, MPI_DOUBLE, MPI_SUM, comm); break;
  case GATHER:
    MPI_Gatherv(x, in->total, MPI_DOUBLE, y, out ? out->floats : 0, out ? out->starts : 0, MPI_DOUBLE, root, comm);
    break;
  case SCATTER:
    MPI_Scatterv(x, in ? in->floats : 0, in ? in->starts : 0, MPI_DOUBLE, y, out->total, MPI_DOUBLE, root, comm);
    break;
  case ALLGATHER: MPI_Allgatherv(x, in->total, MPI_DOUBLE, y, out->floats, out->starts, MPI_DOUBLE, comm); break;
  case REDUCE_SCATTER: MPI_Reduce_scatter(x, y, in->floats, MPI_DOUBLE, MPI_SUM, comm); break;
  case ALLTOALL:
    MPI_Alltoallv(x, in->floats, in->starts, MPI_DOUBLE, y, out->floats, out->starts, MPI_DOUBLE, comm);
    break;
  }
}

static void weigh(const collective *c, double *flat) {
  for (int i = 0; c->weights && i < c->in->total; i++) flat[i] = c->weights[i] == 0 ? 0 : c->weights[i] * flat[i];
}

static void release_collective(collective *c) {
  release_side(c->in);
  release_side(c->out);
  __builtin_free(c->weights);
  __builtin_free(c);
}

/* After the call itself, with the tangents that went in. */
static void push(collective *c, double *x) {
  if (!c) return;
  double *y = c->out ? NEW(double, c->out->total) : 0;
  if (x) weigh(c, x);
  apply(c->kind, c->in, x, c->out, y, c->root, c->comm);
  if (y) given(c->out, y, c->comm, SET);
  __builtin_free(x);
  __builtin_free(y);
  release_collective(c);
}

static void pull(collective *c) {
  if (!c) return;
  double *y = taken(c->out, 1, c->comm), *x = c->in ? NEW(double, c->in->total) : 0;
  if (c->out && !is_constant(c->out->memory, c->out->shadow)) {
    double *zeros = NEW(double, c->out->total);
    given(c->out, zeros, c->comm, SET);
    __builtin_free(zeros);
  }
  apply(transposed(c->kind), c->out, y, c->in, x, c->root, c->comm);
  if (x) {
    weigh(c, x);
    given(c->in, x, c->comm, ADD);
  }
  __builtin_free(x);
  __builtin_free(y);
  release_collective(c);
  close_tape();
}

/* A product's weights are those of the other factors: of all that are not zero, divided by this one, if no other is
   zero. */
static void weigh_product(collective *c, double *x, double *weights) {
  int n = c->in->total;
  double *zero = NEW(double, n), *zeros = NEW(double, n), *rest = NEW(double, n);
  for (int i = 0; i < n; i++) zero[i] = x[i] == 0, rest[i] = zero[i] ? 1 : x[i];
  MPI_Allreduce(rest, weights, n, MPI_DOUBLE, MPI_PROD, c->comm);
  MPI_Allreduce(zero, zeros, n, MPI_DOUBLE, MPI_SUM, c->comm);
  for (int i = 0; i < n; i++) weights[i] = zeros[i] - zero[i] > 0 ? 0 : weights[i] / rest[i];
  __builtin_free(zero);
  __builtin_free(zeros);
  __builtin_free(rest);
}

/* Of equal ones the first process has the maximum. */
static void weigh_extreme(collective *c, MPI_Op op, double *x, double *weights) {
  int n = c->in->total, rank, size;
  double *best = NEW(double, n), *owner = NEW(double, n), *first = NEW(double, n);
  MPI_Comm_rank(c->comm, &rank);
  MPI_Comm_size(c->comm, &size);
  MPI_Allreduce(x, best, n, MPI_DOUBLE, op, c->comm);
  for (int i = 0; i < n; i++) owner[i] = x[i] == best[i] ? rank : size;
  MPI_Allreduce(owner, first, n, MPI_DOUBLE, MPI_MIN, c->comm);
  for (int i = 0; i < n; i++) weights[i] = first[i] == rank;
  __builtin_free(best);
  __builtin_free(owner);
  __builtin_free(first);
}

static int holds_complex(MPI_Datatype type) { return is_named(type) && leaf_of(type).floats > 1; }

static collective *reduction(collective *c, MPI_Op op) {
  if (!c || op == MPI_SUM) return c;
  if (op != MPI_PROD && op != MPI_MAX && op != MPI_MIN)
    refuse("a reduction of floats by another operation than MPI_SUM, MPI_PROD, MPI_MAX and MPI_MIN",
           "gather what is to be reduced, and reduce it in code of your own");
  if (holds_complex(c->in->type)) refuse("a product of complex numbers by MPI_PROD", "gather the factors and multiply them");
  double *x = taken(c->in, 0, c->comm);
  c->weights = NEW(double, c->in->total);
  if (op == MPI_PROD) weigh_product(c, x, c->weights);
  else weigh_extreme(c, op, x, c->weights);
  __builtin_free(x);
  return c;
}

static collective *new_collective(map kind, side *in, side *out, int root, MPI_Comm comm) {
  int inter;
  MPI_Comm_test_inter(comm, &inter);
  if (inter) refuse("a collective call on an intercommunicator", "merge it (MPI_Intercomm_merge)");
  collective *made = NEW(collective, 1);
  *made = (collective){kind, in, out, root, comm, 0};
  return made;
}

static int rank_in(MPI_Comm comm) {
  int rank;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static int size_of_comm(MPI_Comm comm) {
  int size;
  MPI_Comm_size(comm, &size);
  return size;
}

/* -- the calls: what goes in and what comes out; null if there are no floats -------------------------------------- */

static collective *broadcast(void *buf, void *shadow, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (!floats_in(type, buf, shadow)) return 0;
  side *in = rank_in(comm) == root ? new_side(buf, shadow, type, 1, count, 0, 0) : 0;
  return new_collective(BCAST, in, new_side(buf, shadow, type, 1, count, 0, 0), root, comm);
}

/* Reductions: `counts` are those of the parts that processes get; with root -1 all processes get something. */
static collective *reduced(map kind, const void *sent, void *d_sent, void *got, void *d_got, int count, const int *counts,
                           MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
  const void *from = sent == MPI_IN_PLACE ? got : sent;
  void *d_from = sent == MPI_IN_PLACE ? d_got : d_sent;
  if (!floats_in(type, from, d_from)) return 0;
  int rank = rank_in(comm), parts = kind == REDUCE_SCATTER ? size_of_comm(comm) : 1;
  side *in = new_side(from, d_from, type, parts, count, counts, 0), *out = 0;
  if (root < 0 || rank == root) out = new_side(got, d_got, type, 1, counts ? counts[rank] : count, 0, 0);
  return reduction(new_collective(kind, in, out, root, comm), op);
}

/* From all processes to the root, or to all (root -1). */
static collective *gathered(map kind, const void *sent, void *d_sent, int sends, MPI_Datatype sent_type, void *got,
                            void *d_got, int gets, const int *counts, const int *places, MPI_Datatype got_type, int root,
                            MPI_Comm comm) {
  int gathers = root < 0 || rank_in(comm) == root, in_place = sent == MPI_IN_PLACE;
  if (!(in_place ? floats_in(got_type, got, d_got) : floats_in(sent_type, sent, d_sent))) return 0;
  side *out = gathers ? new_side(got, d_got, got_type, size_of_comm(comm), gets, counts, places) : 0;
  side *in = in_place ? part_of(out, rank_in(comm)) : new_side(sent, d_sent, sent_type, 1, sends, 0, 0);
  return new_collective(kind, in, out, root, comm);
}

static collective *scattered(const void *sent, void *d_sent, int sends, const int *counts, const int *places,
                             MPI_Datatype sent_type, void *got, void *d_got, int gets, MPI_Datatype got_type, int root,
                             MPI_Comm comm) {
  int scatters = rank_in(comm) == root, in_place = got == MPI_IN_PLACE;
  if (!(scatters ? floats_in(sent_type, sent, d_sent) : floats_in(got_type, got, d_got))) return 0;
  side *in = scatters ? new_side(sent, d_sent, sent_type, size_of_comm(comm), sends, counts, places) : 0;
  side *out = in_place ? part_of(in, root) : new_side(got, d_got, got_type, 1, gets, 0, 0);
  return new_collective(SCATTER, in, out, root, comm);
}

static collective *exchanged(const void *sent, void *d_sent, int sends, const int *sends_each, const int *from,
                             MPI_Datatype sent_type, void *got, void *d_got, int gets, const int *gets_each, const int *to,
                             MPI_Datatype got_type, MPI_Comm comm) {
  if (!floats_in(got_type, got, d_got)) return 0;
  int size = size_of_comm(comm);
  side *out = new_side(got, d_got, got_type, size, gets, gets_each, to);
  side *in = sent == MPI_IN_PLACE ? new_side(got, d_got, got_type, size, gets, gets_each, to)
                                  : new_side(sent, d_sent, sent_type, size, sends, sends_each, from);
  return new_collective(ALLTOALL, in, out, -1, comm);
}

#define COLLECTIVE(name, DESCRIBED, CALL, ...)                      \
  RULE(name, forward, int)(__VA_ARGS__) {                           \
    collective *c = DESCRIBED;                                      \
    double *x = c ? taken(c->in, 1, comm) : 0;                      \
    int value = CALL;                                               \
    push(c, x);                                                     \
    return value;                                                   \
  }                                                                 \
  RULE(name, augmented, Augmented)(__VA_ARGS__) {                   \
    collective *c = DESCRIBED;                                      \
    if (c) open_tape();                                             \
    return (Augmented){c, CALL};                                    \
  }                                                                 \
  RULE(name, reverse, void)(__VA_ARGS__, collective *c) { pull(c); }

#define ONE const void *sent, void *d_sent
#define OTHER void *got, void *d_got
#define NUMBERS(name) const int *name, void *d_##name

COLLECTIVE(Bcast, broadcast(buf, shadow, count, type, root, comm), MPI_Bcast(buf, count, type, root, comm), void *buf,
           void *shadow, int count, TYPE(type), int root, COMM)
COLLECTIVE(Reduce, reduced(REDUCE, sent, d_sent, got, d_got, count, 0, type, op, root, comm),
           MPI_Reduce(sent, got, count, type, op, root, comm), ONE, OTHER, int count, TYPE(type), OPERATION, int root,
           COMM)
COLLECTIVE(Allreduce, reduced(ALLREDUCE, sent, d_sent, got, d_got, count, 0, type, op, -1, comm),
           MPI_Allreduce(sent, got, count, type, op, comm), ONE, OTHER, int count, TYPE(type), OPERATION,
           COMM)
COLLECTIVE(Reduce_scatter, reduced(REDUCE_SCATTER, sent, d_sent, got, d_got, 0, counts, type, op, -1, comm),
           MPI_Reduce_scatter(sent, got, counts, type, op, comm), ONE, OTHER, NUMBERS(counts), TYPE(type), OPERATION,
           COMM)
COLLECTIVE(Reduce_scatter_block, reduced(REDUCE_SCATTER, sent, d_sent, got, d_got, count, 0, type, op, -1, comm),
           MPI_Reduce_scatter_block(sent, got, count, type, op, comm), ONE, OTHER, int count, TYPE(type), OPERATION,
           COMM)
COLLECTIVE(Gather, gathered(GATHER, sent, d_sent, sends, sent_type, got, d_got, gets, 0, 0, got_type, root, comm),
           MPI_Gather(sent, sends, sent_type, got, gets, got_type, root, comm), ONE, int sends, TYPE(sent_type),
           OTHER, int gets, TYPE(got_type), int root, COMM)
COLLECTIVE(Gatherv, gathered(GATHER, sent, d_sent, sends, sent_type, got, d_got, 0, gets, places, got_type, root, comm),
           MPI_Gatherv(sent, sends, sent_type, got, gets, places, got_type, root, comm), ONE, int sends,
           TYPE(sent_type), OTHER, NUMBERS(gets), NUMBERS(places), TYPE(got_type), int root, COMM)
COLLECTIVE(Allgather, gathered(ALLGATHER, sent, d_sent, sends, sent_type, got, d_got, gets, 0, 0, got_type, -1, comm),
           MPI_Allgather(sent, sends, sent_type, got, gets, got_type, comm), ONE, int sends, TYPE(sent_type), OTHER,
           int gets, TYPE(got_type), COMM)
COLLECTIVE(Allgatherv, gathered(ALLGATHER, sent, d_sent, sends, sent_type, got, d_got, 0, gets, places, got_type, -1, comm),
           MPI_Allgatherv(sent, sends, sent_type, got, gets, places, got_type, comm), ONE, int sends,
           TYPE(sent_type), OTHER, NUMBERS(gets), NUMBERS(places), TYPE(got_type), COMM)
COLLECTIVE(Scatter, scattered(sent, d_sent, sends, 0, 0, sent_type, got, d_got, gets, got_type, root, comm),
           MPI_Scatter(sent, sends, sent_type, got, gets, got_type, root, comm), ONE, int sends, TYPE(sent_type),
           OTHER, int gets, TYPE(got_type), int root, COMM)
COLLECTIVE(Scatterv, scattered(sent, d_sent, 0, sends, places, sent_type, got, d_got, gets, got_type, root, comm),
           MPI_Scatterv(sent, sends, places, sent_type, got, gets, got_type, root, comm), ONE, NUMBERS(sends),
           NUMBERS(places), TYPE(sent_type), OTHER, int gets, TYPE(got_type), int root, COMM)
COLLECTIVE(Alltoall, exchanged(sent, d_sent, sends, 0, 0, sent_type, got, d_got, gets, 0, 0, got_type, comm),
           MPI_Alltoall(sent, sends, sent_type, got, gets, got_type, comm), ONE, int sends, TYPE(sent_type), OTHER,
           int gets, TYPE(got_type), COMM)
COLLECTIVE(Alltoallv, exchanged(sent, d_sent, 0, sends, from, sent_type, got, d_got, 0, gets, to, got_type, comm),
           MPI_Alltoallv(sent, sends, from, sent_type, got, gets, to, got_type, comm), ONE, NUMBERS(sends), NUMBERS(from),
           TYPE(sent_type), OTHER, NUMBERS(gets), NUMBERS(to), TYPE(got_type), COMM)
