/* Fortran's names for the calls: bodies that call C's, which are then differentiated. Handles are the same numbers; what
   Fortran has special addresses for is passed on as C's. */

/* The common blocks of mpif.h: MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE; and MPI_STATUSES_IGNORE. */
extern int mpipriv1_[7], mpipriv2_[6];

#define BODY(name) void gradir$body$mpi_##name##_
typedef int *N;

static int is_in_place(const void *memory) { return memory == &mpipriv1_[1]; }
static MPI_Status *all_of(int *statuses) {
  return statuses == mpipriv2_ ? MPI_STATUSES_IGNORE : (MPI_Status *)statuses;
}

#define SEND_BODY(name, call) \
  BODY(name)(void *b, N n, N t, N peer, N tag, N c, N error) { *error = call(b, *n, *t, *peer, *tag, *c); }
SEND_BODY(send, MPI_Send)
SEND_BODY(ssend, MPI_Ssend)
SEND_BODY(bsend, MPI_Bsend)
SEND_BODY(rsend, MPI_Rsend)
BODY(recv)(void *b, N n, N t, N peer, N tag, N c, N status, N error) {
  *error = MPI_Recv(b, *n, *t, *peer, *tag, *c, (MPI_Status *)status);
}
BODY(sendrecv)(void *b, N n, N t, N peer, N tag, void *g, N gn, N gt, N from, N gtag, N c, N status, N error) {
  *error = MPI_Sendrecv(b, *n, *t, *peer, *tag, g, *gn, *gt, *from, *gtag, *c, (MPI_Status *)status);
}
BODY(sendrecv_replace)(void *b, N n, N t, N peer, N tag, N from, N gtag, N c, N status, N error) {
  *error = MPI_Sendrecv_replace(b, *n, *t, *peer, *tag, *from, *gtag, *c, (MPI_Status *)status);
}
#define BEGIN_BODY(name, call) \
  BODY(name)(void *b, N n, N t, N peer, N tag, N c, N request, N error) { *error = call(b, *n, *t, *peer, *tag, *c, request); }
BEGIN_BODY(isend, MPI_Isend)
BEGIN_BODY(issend, MPI_Issend)
BEGIN_BODY(ibsend, MPI_Ibsend)
BEGIN_BODY(irsend, MPI_Irsend)
BEGIN_BODY(irecv, MPI_Irecv)
BEGIN_BODY(send_init, MPI_Send_init)
BEGIN_BODY(ssend_init, MPI_Ssend_init)
BEGIN_BODY(bsend_init, MPI_Bsend_init)
BEGIN_BODY(rsend_init, MPI_Rsend_init)
BEGIN_BODY(recv_init, MPI_Recv_init)
BODY(start)(N request, N error) { *error = MPI_Start(request); }
BODY(startall)(N n, N requests, N error) { *error = MPI_Startall(*n, requests); }
BODY(request_free)(N request, N error) { *error = MPI_Request_free(request); }
BODY(wait)(N request, N status, N error) { *error = MPI_Wait(request, (MPI_Status *)status); }
BODY(waitall)(N n, N requests, N statuses, N error) { *error = MPI_Waitall(*n, requests, all_of(statuses)); }
BODY(waitany)(N n, N requests, N index, N status, N error) {
  int found;
  *error = MPI_Waitany(*n, requests, &found, (MPI_Status *)status);
  *index = found == MPI_UNDEFINED ? found : found + 1;
}
BODY(test)(N request, N flag, N status, N error) { *error = MPI_Test(request, flag, (MPI_Status *)status); }
BODY(testall)(N n, N requests, N flag, N statuses, N error) {
  *error = MPI_Testall(*n, requests, flag, all_of(statuses));
}
BODY(bcast)(void *b, N n, N t, N root, N c, N error) { *error = MPI_Bcast(b, *n, *t, *root, *c); }
BODY(reduce)(void *s, void *g, N n, N t, N op, N root, N c, N error) {
  *error = MPI_Reduce(is_in_place(s) ? MPI_IN_PLACE : s, g, *n, *t, *op, *root, *c);
}
BODY(allreduce)(void *s, void *g, N n, N t, N op, N c, N error) {
  *error = MPI_Allreduce(is_in_place(s) ? MPI_IN_PLACE : s, g, *n, *t, *op, *c);
}
BODY(reduce_scatter)(void *s, void *g, N counts, N t, N op, N c, N error) {
  *error = MPI_Reduce_scatter(is_in_place(s) ? MPI_IN_PLACE : s, g, counts, *t, *op, *c);
}
BODY(reduce_scatter_block)(void *s, void *g, N n, N t, N op, N c, N error) {
  *error = MPI_Reduce_scatter_block(is_in_place(s) ? MPI_IN_PLACE : s, g, *n, *t, *op, *c);
}
BODY(gather)(void *s, N n, N t, void *g, N gn, N gt, N root, N c, N error) {
  *error = MPI_Gather(is_in_place(s) ? MPI_IN_PLACE : s, *n, *t, g, *gn, *gt, *root, *c);
}
BODY(gatherv)(void *s, N n, N t, void *g, N counts, N places, N gt, N root, N c, N error) {
  *error = MPI_Gatherv(is_in_place(s) ? MPI_IN_PLACE : s, *n, *t, g, counts, places, *gt, *root, *c);
}
BODY(scatter)(void *s, N n, N t, void *g, N gn, N gt, N root, N c, N error) {
  *error = MPI_Scatter(s, *n, *t, is_in_place(g) ? MPI_IN_PLACE : g, *gn, *gt, *root, *c);
}
BODY(scatterv)(void *s, N counts, N places, N t, void *g, N gn, N gt, N root, N c, N error) {
  *error = MPI_Scatterv(s, counts, places, *t, is_in_place(g) ? MPI_IN_PLACE : g, *gn, *gt, *root, *c);
}
BODY(allgather)(void *s, N n, N t, void *g, N gn, N gt, N c, N error) {
  *error = MPI_Allgather(is_in_place(s) ? MPI_IN_PLACE : s, *n, *t, g, *gn, *gt, *c);
}
BODY(allgatherv)(void *s, N n, N t, void *g, N counts, N places, N gt, N c, N error) {
  *error = MPI_Allgatherv(is_in_place(s) ? MPI_IN_PLACE : s, *n, *t, g, counts, places, *gt, *c);
}
BODY(alltoall)(void *s, N n, N t, void *g, N gn, N gt, N c, N error) {
  *error = MPI_Alltoall(is_in_place(s) ? MPI_IN_PLACE : s, *n, *t, g, *gn, *gt, *c);
}
BODY(alltoallv)(void *s, N counts, N places, N t, void *g, N gcounts, N gplaces, N gt, N c, N error) {
  *error = MPI_Alltoallv(is_in_place(s) ? MPI_IN_PLACE : s, counts, places, *t, g, gcounts, gplaces, *gt, *c);
}
BODY(comm_free)(N comm, N error) { *error = MPI_Comm_free(comm); }
BODY(type_free)(N type, N error) { *error = MPI_Type_free(type); }
