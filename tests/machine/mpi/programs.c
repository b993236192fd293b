#include <stddef.h>
#include <string.h>
#include <mpi.h>
#include <math.h>
#include <stdlib.h>
/* distributed dot product */
double dot(const double *x, int n) {
  double s = 0, total;
  for (int i = 0; i < n; i++) s += sin(x[i]) * x[i];
  MPI_Allreduce(&s, &total, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return total * total;
}
double ring(const double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double *got = malloc(n * sizeof *got), s = 0;
  if (rank % 2 == 0) {
    MPI_Send(x, n, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD);
    MPI_Recv(got, n, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(got, n, MPI_DOUBLE, (rank + size - 1) % size, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(x, n, MPI_DOUBLE, (rank + 1) % size, 3, MPI_COMM_WORLD);
  }
  for (int i = 0; i < n; i++) s += got[i] * got[i] * x[i];
  free(got);
  return s * (rank + 1);
}
double halo(const double *x, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int left = rank ? rank - 1 : MPI_PROC_NULL, right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  double *u = calloc(n + 2, sizeof *u), *v = calloc(n + 2, sizeof *v), s = 0;
  for (int i = 0; i < n; i++) u[i + 1] = x[i];
  for (int t = 0; t < 5; t++) {
    MPI_Request r[4];
    MPI_Irecv(&u[0], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(&u[n + 1], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &r[1]);
    MPI_Isend(&u[n], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &r[2]);
    MPI_Isend(&u[1], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &r[3]);
    MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
    for (int i = 1; i <= n; i++) v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) * u[i];
    for (int i = 1; i <= n; i++) u[i] = v[i];
  }
  for (int i = 1; i <= n; i++) s += u[i] * u[i];
  free(u); free(v);
  double all;
  MPI_Reduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  return rank == 0 ? sqrt(all) : 0;
}
static int rank_of(MPI_Comm c) { int r; MPI_Comm_rank(c, &r); return r; }
static int size_of(MPI_Comm c) { int s; MPI_Comm_size(c, &s); return s; }

/* A matrix product: rows of A and columns of B are distributed, the transposition goes by MPI_Alltoall. n = size * 1 */
double matmul(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  double *rows = malloc(p * sizeof *rows), *columns = malloc(p * sizeof *columns), s = 0;
  for (int j = 0; j < p; j++) rows[j] = x[j % n] * (j + 1) + x[(j + 1) % n];
  MPI_Alltoall(rows, 1, MPI_DOUBLE, columns, 1, MPI_DOUBLE, MPI_COMM_WORLD);
  double *all = malloc(p * p * sizeof *all);
  MPI_Allgather(columns, p, MPI_DOUBLE, all, p, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < p; i++) {
    double c = 0;
    for (int k = 0; k < p; k++) c += rows[k] * all[i * p + k];
    s += c * c * (me + 1);
  }
  free(rows); free(columns); free(all);
  return s;
}

/* Numbers go out from one process and are gathered again, in pieces of several lengths. */
double scatter(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  int counts[16], places[16], total = 0;
  for (int i = 0; i < p; i++) counts[i] = 1 + i % 2, places[i] = total + i, total += counts[i];
  double *whole = calloc(total + p, sizeof *whole), mine[2] = {0, 0}, *back = calloc(total + p, sizeof *back), s = 0;
  if (me == 0) for (int i = 0; i < total + p; i++) whole[i] = sin(x[i % n] * (i + 1));
  MPI_Scatterv(whole, counts, places, MPI_DOUBLE, mine, counts[me], MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < counts[me]; i++) mine[i] *= x[i];
  MPI_Gatherv(mine, counts[me], MPI_DOUBLE, back, counts, places, MPI_DOUBLE, p - 1, MPI_COMM_WORLD);
  if (me == p - 1) for (int i = 0; i < total + p; i++) s += back[i] * back[i];
  double part[2] = {0, 0}, four[64] = {0};
  MPI_Scatter(whole, 1, MPI_DOUBLE, part, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  part[1] = part[0] * x[0];
  MPI_Gather(part, 2, MPI_DOUBLE, four, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (me == 0) for (int i = 0; i < 2 * p; i++) s += four[i] * four[i] * x[1];
  int more[16], at[16];
  for (int i = 0; i < p; i++) more[i] = counts[i], at[i] = places[i];
  MPI_Allgatherv(mine, counts[me], MPI_DOUBLE, back, more, at, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int i = 0; i < p; i++) more[i] = at[i] = 0;
  for (int i = 0; i < total + p; i++) s += back[i] * (i + me);
  free(whole); free(back);
  return s;
}

/* Reductions of all kinds. */
double reductions(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  double v[4], r[4], s = 0;
  for (int i = 0; i < 4; i++) v[i] = x[i] * x[(i + 1) % 4];
  MPI_Allreduce(v, r, 4, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) s += r[i] * r[i] * (i + me + 1);
  MPI_Allreduce(v, r, 4, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) s += r[i] * v[i];
  MPI_Allreduce(v, r, 4, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) s += r[i] * r[i];
  MPI_Reduce(v, r, 4, MPI_DOUBLE, MPI_PROD, p - 1, MPI_COMM_WORLD);
  if (me == p - 1) s += r[0] * r[1];
  MPI_Allreduce(MPI_IN_PLACE, v, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  for (int i = 0; i < 4; i++) s += v[i] * v[i] * x[i];
  double many[32], own[2];
  int counts[16];
  for (int i = 0; i < 2 * p; i++) many[i] = x[i % 4] * (i + 1);
  for (int i = 0; i < p; i++) counts[i] = 2;
  MPI_Reduce_scatter(many, own, counts, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  s += own[0] * own[1];
  MPI_Reduce_scatter_block(many, own, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  s += own[0] * own[0] * own[1];
  float f = x[0] * x[1], g;
  MPI_Allreduce(&f, &g, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  int one = 1, all;
  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(v, 3, MPI_DOUBLE, p - 1, MPI_COMM_WORLD);
  return s * all + v[0] * v[1] * x[0];
}

/* The same messages again and again. */
double persistent(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  double out[2] = {x[0], x[1]}, in[2], s = 0;
  MPI_Request r[2];
  MPI_Send_init(out, 2, MPI_DOUBLE, (me + 1) % p, 7, MPI_COMM_WORLD, &r[0]);
  MPI_Recv_init(in, 2, MPI_DOUBLE, (me + p - 1) % p, 7, MPI_COMM_WORLD, &r[1]);
  for (int t = 0; t < 4; t++) {
    if (t % 2) MPI_Startall(2, r); else { MPI_Start(&r[1]); MPI_Start(&r[0]); }
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) out[i] = in[i] * in[i] * 0.5 + out[i] * x[i + 2];
    s += out[0] * out[1];
  }
  MPI_Request_free(&r[0]);
  MPI_Request_free(&r[1]);
  return s;
}

/* Columns, and structs with integers among the numbers. */
typedef struct { int id; double a; float b; int other; double c[2]; } item;
double datatypes(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  double grid[4][3], column[4], s = 0;
  for (int i = 0; i < 4; i++) for (int j = 0; j < 3; j++) grid[i][j] = x[i] * (j + 1) + x[j];
  MPI_Datatype strided, pair;
  MPI_Type_vector(4, 1, 3, MPI_DOUBLE, &strided);
  MPI_Type_commit(&strided);
  MPI_Sendrecv(&grid[0][1], 1, strided, (me + 1) % p, 1, column, 4, MPI_DOUBLE, (me + p - 1) % p, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; i++) s += column[i] * column[i] * x[i];
  MPI_Sendrecv_replace(&grid[0][0], 1, strided, (me + 1) % p, 2, (me + p - 1) % p, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < 4; i++) s += grid[i][0] * grid[i][2];
  item it = {me, x[0], 0, 3, {x[1] * x[2], x[3]}}, got;
  int blocks[] = {1, 1, 1, 1, 2};
  MPI_Aint at[] = {offsetof(item, id), offsetof(item, a), offsetof(item, b), offsetof(item, other), offsetof(item, c)};
  MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_FLOAT, MPI_INT, MPI_DOUBLE}, whole;
  MPI_Type_create_struct(5, blocks, at, types, &whole);
  MPI_Type_commit(&whole);
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Request r[2];
  MPI_Irecv(&got, 1, whole, (me + 1) % p, 5, MPI_COMM_WORLD, &r[0]);
  MPI_Isend(&it, 1, whole, (me + p - 1) % p, 5, MPI_COMM_WORLD, &r[1]);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  s += got.a * got.c[0] * (got.id + 1) + got.c[1] * got.c[1] * got.other;
  MPI_Bcast(it.c, 1, pair, 0, MPI_COMM_WORLD);
  s += it.c[0] * it.c[1];
  MPI_Type_free(&strided);
  MPI_Type_free(&whole);
  MPI_Type_free(&pair);
  return s;
}

/* Workers send when they like: from anybody, with Test and Waitany; on a communicator of its own. */
double workers(const double *x, int n) {
  MPI_Comm comm, half;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  int p = size_of(comm), me = rank_of(comm);
  double s = 0, w[2];
  MPI_Comm_split(comm, me % 2, me, &half);
  if (me == 0) {
    double got[2];
    for (int i = 1; i < p; i++) {
      MPI_Status status;
      MPI_Recv(got, 2, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
      int count;
      MPI_Get_count(&status, MPI_DOUBLE, &count);
      s += got[0] * got[1] * status.MPI_SOURCE * (status.MPI_TAG + 1) * count;
    }
  } else {
    w[0] = x[0] * x[1]; w[1] = x[2];
    MPI_Send(w, 2, MPI_DOUBLE, 0, me + 3, comm);
  }
  MPI_Barrier(comm);
  double in[8], out = x[3] * x[3];
  MPI_Request r[8], q;
  int left = 0;
  for (int i = 0; i < p; i++) if (i != me) MPI_Irecv(&in[i], 1, MPI_DOUBLE, i, 9, comm, &r[left++]);
  for (int i = 0; i < p; i++) if (i != me) {
    MPI_Isend(&out, 1, MPI_DOUBLE, i, 9, comm, &q);
    int flag = 0;
    while (!flag) MPI_Test(&q, &flag, MPI_STATUS_IGNORE);
  }
  for (int k = 0; k < left; k++) {
    int which;
    MPI_Waitany(left, r, &which, MPI_STATUS_IGNORE);
    int from = which < me ? which : which + 1;
    s += in[from] * in[from] * (from + 1);
  }
  double sum;
  MPI_Allreduce(&out, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
  s += sum * sum;
  MPI_Comm_free(&half);
  MPI_Comm_free(&comm);
  return s;
}

/* Two receives of one tag, completed in the other order; a function that is not inlined; constants sent. */
__attribute__((noinline)) void swap(double *local, double *remote, int n, int other) {
  MPI_Request r[4];
  double first[4], second[4];
  MPI_Irecv(first, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &r[0]);
  MPI_Irecv(second, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &r[1]);
  MPI_Isend(local, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD, &r[2]);
  MPI_Ssend(remote, n, MPI_DOUBLE, other, 1, MPI_COMM_WORLD);
  MPI_Wait(&r[1], MPI_STATUS_IGNORE);
  MPI_Wait(&r[0], MPI_STATUS_IGNORE);
  MPI_Wait(&r[2], MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) local[i] *= first[i], remote[i] = second[i] * 3;
}
double pairs(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  if (p % 2 && me == p - 1) return 0;
  double a[4], b[4], s = 0, c[2] = {me + 1.0, 2}, d[2];
  for (int i = 0; i < n; i++) a[i] = x[i], b[i] = x[i] * x[0];
  for (int t = 0; t < 2; t++) swap(a, b, n, me ^ 1);
  if (me % 2) MPI_Send(c, 2, MPI_DOUBLE, me - 1, 2, MPI_COMM_WORLD);
  else { MPI_Recv(d, 2, MPI_DOUBLE, me + 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); s += d[0] * d[1] * x[0]; }
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  return s;
}

/* What is received is active where what was sent is constant: only the receiver knows. */
double constants(const double *x, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  double two[2] = {2, 3}, v = 0;
  if (me == 0)
    for (int i = 1; i < p; i++) MPI_Send(two, 2, MPI_DOUBLE, i, 0, MPI_COMM_WORLD);
  else {
    double got[2];
    MPI_Recv(got, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    v = got[0] * got[1];
  }
  return v * x[0] * x[1];
}

/* Calls by pointers. */
typedef void combine(double *, int);
__attribute__((noinline)) static void summed(double *v, int n) {
  MPI_Allreduce(MPI_IN_PLACE, v, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
__attribute__((noinline)) static void doubled(double *v, int n) {
  for (int i = 0; i < n; i++) v[i] *= 2;
}
double pointers(const double *x, int n) {
  double v[4], s = 0;
  combine *each[2] = {summed, doubled};
  for (int i = 0; i < n; i++) v[i] = x[i] * x[i];
  for (int i = 0; i < 2; i++) each[(n + i) % 2](v, n);
  for (int i = 0; i < n; i++) s += v[i] * v[i];
  return s;
}

/* A communicator, requests and memory in one struct, passed to functions that begin an exchange and end it. */
typedef struct { MPI_Comm comm; int rank, size; double *ghost; MPI_Request requests[2]; } grid;
__attribute__((noinline)) static void begin(grid *g, double *u, int n) {
  MPI_Irecv(g->ghost, n, MPI_DOUBLE, (g->rank + 1) % g->size, 5, g->comm, &g->requests[0]);
  MPI_Isend(u, n, MPI_DOUBLE, (g->rank + g->size - 1) % g->size, 5, g->comm, &g->requests[1]);
}
__attribute__((noinline)) static void end(grid *g) {
  MPI_Status statuses[2];
  MPI_Waitall(2, g->requests, statuses);
}
double structs(const double *x, int n) {
  grid g;
  MPI_Comm_dup(MPI_COMM_WORLD, &g.comm);
  g.rank = rank_of(g.comm);
  g.size = size_of(g.comm);
  g.ghost = malloc(n * sizeof(double));
  double *u = malloc(n * sizeof(double)), s = 0;
  for (int i = 0; i < n; i++) u[i] = x[i];
  for (int t = 0; t < 3; t++) {
    begin(&g, u, n);
    double inner = 0;
    for (int i = 0; i < n; i++) inner += u[i] * u[i];
    end(&g);
    for (int i = 0; i < n; i++) u[i] = 0.5 * u[i] * g.ghost[i] + 0.1 * inner;
  }
  for (int i = 0; i < n; i++) s += u[i];
  free(u);
  free(g.ghost);
  MPI_Comm_free(&g.comm);
  return s;
}

/* Conjugate gradients: a solver that stops when it is done. */
static double product(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i];
  MPI_Allreduce(MPI_IN_PLACE, &s, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return s;
}
static void apply(const double *k, const double *u, double *out, int n) {
  int p = size_of(MPI_COMM_WORLD), me = rank_of(MPI_COMM_WORLD);
  int left = me ? me - 1 : MPI_PROC_NULL, right = me < p - 1 ? me + 1 : MPI_PROC_NULL;
  double before = 0, after = 0;
  MPI_Sendrecv(&u[n - 1], 1, MPI_DOUBLE, right, 0, &before, 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[0], 1, MPI_DOUBLE, left, 1, &after, 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) out[i] = (2 + k[i]) * u[i] - (i ? u[i - 1] : before) - (i < n - 1 ? u[i + 1] : after);
}
double solver(const double *x, int n) {
  double *u = calloc(n, sizeof *u), *r = malloc(n * sizeof *r), *d = malloc(n * sizeof *d), *q = malloc(n * sizeof *q), s = 0;
  for (int i = 0; i < n; i++) r[i] = d[i] = 1 + i;
  double left = product(r, r, n);
  for (int step = 0; step < 60 && left > 1e-26; step++) {
    apply(x, d, q, n);
    double a = left / product(d, q, n);
    for (int i = 0; i < n; i++) u[i] += a * d[i], r[i] -= a * q[i];
    double next = product(r, r, n), b = next / left;
    left = next;
    for (int i = 0; i < n; i++) d[i] = r[i] + b * d[i];
  }
  for (int i = 0; i < n; i++) s += u[i] * u[i];
  free(u);
  free(r);
  free(d);
  free(q);
  return s;
}
