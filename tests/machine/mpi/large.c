/* Messages that are too large to be buffered by MPI, sent by all processes before any receives: none must wait for
   another in its derivative. What comes of it is known: the gradient of the sum is 2 x. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

extern int enzyme_dup, enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 300000 };

double f(const double *x, int n) {
  int me, p;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  int to = (me + 1) % p, from = (me + p - 1) % p;
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b), *c = malloc(n * sizeof *c), s = 0, one = 1;
  MPI_Request q;
  MPI_Isend(x, n, MPI_DOUBLE, to, 1, MPI_COMM_WORLD, &q);
  MPI_Recv(a, n, MPI_DOUBLE, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&q, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) b[i] = a[i] * a[i];
  MPI_Sendrecv(b, n, MPI_DOUBLE, to, 2, c, n, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Bsend(c, n, MPI_DOUBLE, to, 3, MPI_COMM_WORLD);
  MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  MPI_Recv(a, n, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  for (int i = 0; i < n; i++) s += a[i] * one;
  free(a);
  free(b);
  free(c);
  return s;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int me, size = N * sizeof(double) + MPI_BSEND_OVERHEAD, wrong = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  void *buffer = malloc(size);
  MPI_Buffer_attach(buffer, size);
  double *x = malloc(N * sizeof *x), *d = calloc(N, sizeof *d), *t = malloc(N * sizeof *t), sums[2] = {0, 0}, all[2];
  for (int i = 0; i < N; i++) x[i] = 1 + me + 1e-6 * i, t[i] = 1;
  __enzyme_autodiff((void *)f, enzyme_dup, x, d, enzyme_const, N);
  for (int i = 0; i < N; i++) wrong += d[i] != 2 * x[i], sums[0] += d[i];
  sums[1] = __enzyme_fwddiff((void *)f, enzyme_dup, x, t, enzyme_const, N);
  MPI_Allreduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  wrong += fabs(all[0] - all[1]) > 1e-9 * all[0];
  printf(wrong ? "wrong\n" : "right\n");
  free(x);
  free(d);
  free(t);
  MPI_Buffer_detach(&buffer, &size);
  free(buffer);
  MPI_Finalize();
  return wrong != 0;
}
