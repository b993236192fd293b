/* What handles and constants are in the ABI that MPICH, Intel MPI, MVAPICH and Cray's MPI share: handles are numbers. */

typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request;
typedef struct { int count_lo, count_hi_and_cancelled, MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;

#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x0c000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
#define MPI_BYTE ((MPI_Datatype)0x4c00010d)
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
#define MPI_MAX ((MPI_Op)0x58000001)
#define MPI_MIN ((MPI_Op)0x58000002)
#define MPI_SUM ((MPI_Op)0x58000003)
#define MPI_PROD ((MPI_Op)0x58000004)
#define MPI_TAG_UB 0x64400001
#define MPI_UNDEFINED (-32766)
#define MPI_ANY_SOURCE (-2)
#define MPI_ANY_TAG (-1)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define LIBRARY_VERSION "MPICH"

/* Handles as arguments of rules. */
#define TYPE(name) MPI_Datatype name
#define OPERATION MPI_Op op
#define COMM MPI_Comm comm
