/* What handles and constants are in Open MPI: handles are addresses, those of the library's own objects by name. As all
   pointers that a rule takes, a handle is followed by a shadow, which means nothing. */

typedef void *MPI_Comm, *MPI_Datatype, *MPI_Op, *MPI_Request;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, cancelled; unsigned long count; } MPI_Status;

extern char ompi_mpi_comm_world[], ompi_mpi_comm_null[], ompi_mpi_datatype_null[], ompi_request_null[];
extern char ompi_mpi_byte[], ompi_mpi_double[];
extern char ompi_mpi_op_max[], ompi_mpi_op_min[], ompi_mpi_op_sum[], ompi_mpi_op_prod[];

#define MPI_COMM_WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define MPI_COMM_NULL ((MPI_Comm)ompi_mpi_comm_null)
#define MPI_DATATYPE_NULL ((MPI_Datatype)ompi_mpi_datatype_null)
#define MPI_REQUEST_NULL ((MPI_Request)ompi_request_null)
#define MPI_BYTE ((MPI_Datatype)ompi_mpi_byte)
#define MPI_DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define MPI_MAX ((MPI_Op)ompi_mpi_op_max)
#define MPI_MIN ((MPI_Op)ompi_mpi_op_min)
#define MPI_SUM ((MPI_Op)ompi_mpi_op_sum)
#define MPI_PROD ((MPI_Op)ompi_mpi_op_prod)
#define MPI_TAG_UB 0
#define MPI_UNDEFINED (-32766)
#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-1)
#define MPI_IN_PLACE ((void *)1)
#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define LIBRARY_VERSION "Open MPI"

#define TYPE(name) MPI_Datatype name, void *d_##name
#define OPERATION MPI_Op op, void *d_op
#define COMM MPI_Comm comm, void *d_comm
