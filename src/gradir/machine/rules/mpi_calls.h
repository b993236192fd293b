/* The functions of MPI that derivatives call, in the ABI that was included before. */

typedef long MPI_Aint;
#define MAX_NAME 512
#define MAX_VERSION 8192

int MPI_Get_library_version(char *text, int *length);
int MPI_Abort(MPI_Comm comm, int code);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Comm_test_inter(MPI_Comm comm, int *flag);
int MPI_Comm_get_attr(MPI_Comm comm, int key, void *value, int *flag);
int MPI_Comm_free(MPI_Comm *comm);

int MPI_Type_size(MPI_Datatype type, int *size);
int MPI_Type_get_extent(MPI_Datatype type, MPI_Aint *lower, MPI_Aint *extent);
int MPI_Type_get_name(MPI_Datatype type, char *name, int *length);
int MPI_Type_get_envelope(MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner);
int MPI_Type_get_contents(MPI_Datatype type, int integers, int addresses, int types, int *i, MPI_Aint *a, MPI_Datatype *t);
int MPI_Type_free(MPI_Datatype *type);
int MPI_Pack(const void *from, int count, MPI_Datatype type, void *to, int size, int *position, MPI_Comm comm);
int MPI_Unpack(const void *from, int size, int *position, void *to, int count, MPI_Datatype type, MPI_Comm comm);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype type, int *count);
int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype type, int count);

int MPI_Send(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Ssend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Bsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Rsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv(const void *sent, int sends, MPI_Datatype sent_type, int dest, int send_tag, void *got, int gets,
                 MPI_Datatype got_type, int source, int tag, MPI_Comm comm, MPI_Status *status);
int MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype type, int dest, int send_tag, int source, int tag,
                         MPI_Comm comm, MPI_Status *status);
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status);

int MPI_Isend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Issend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ibsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irsend(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Irecv(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Send_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Ssend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Bsend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Rsend_init(const void *buf, int count, MPI_Datatype type, int dest, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Recv_init(void *buf, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Request *request);
int MPI_Start(MPI_Request *request);
int MPI_Startall(int count, MPI_Request *requests);
int MPI_Wait(MPI_Request *request, MPI_Status *status);
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses);
int MPI_Waitany(int count, MPI_Request *requests, int *index, MPI_Status *status);
int MPI_Waitsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status);
int MPI_Testall(int count, MPI_Request *requests, int *flag, MPI_Status *statuses);
int MPI_Testany(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status);
int MPI_Testsome(int count, MPI_Request *requests, int *done, int *indices, MPI_Status *statuses);
int MPI_Request_free(MPI_Request *request);

int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm);
int MPI_Reduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm);
int MPI_Allreduce(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter(const void *sent, void *got, const int *counts, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Reduce_scatter_block(const void *sent, void *got, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);
int MPI_Gather(const void *sent, int sends, MPI_Datatype sent_type, void *got, int gets, MPI_Datatype got_type, int root,
               MPI_Comm comm);
int MPI_Gatherv(const void *sent, int sends, MPI_Datatype sent_type, void *got, const int *gets, const int *places,
                MPI_Datatype got_type, int root, MPI_Comm comm);
int MPI_Scatter(const void *sent, int sends, MPI_Datatype sent_type, void *got, int gets, MPI_Datatype got_type, int root,
                MPI_Comm comm);
int MPI_Scatterv(const void *sent, const int *sends, const int *places, MPI_Datatype sent_type, void *got, int gets,
                 MPI_Datatype got_type, int root, MPI_Comm comm);
int MPI_Allgather(const void *sent, int sends, MPI_Datatype sent_type, void *got, int gets, MPI_Datatype got_type,
                  MPI_Comm comm);
int MPI_Allgatherv(const void *sent, int sends, MPI_Datatype sent_type, void *got, const int *gets, const int *places,
                   MPI_Datatype got_type, MPI_Comm comm);
int MPI_Alltoall(const void *sent, int sends, MPI_Datatype sent_type, void *got, int gets, MPI_Datatype got_type,
                 MPI_Comm comm);
int MPI_Alltoallv(const void *sent, const int *sends, const int *from, MPI_Datatype sent_type, void *got, const int *gets,
                  const int *to, MPI_Datatype got_type, MPI_Comm comm);
