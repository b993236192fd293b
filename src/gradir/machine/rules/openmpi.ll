; Made by make_library.py from the C files beside it, 52e283a39534dc71
%struct.end = type { ptr, ptr, i32, ptr, i32, i32, ptr }
%struct.Augmented = type { ptr, i32 }
%struct.MPI_Status = type { i32, i32, i32, i32, i64 }
%struct.waiting = type { i32, ptr, ptr }
%struct.contents = type { i32, ptr, ptr }
%struct.leaf = type { ptr, i8, i32 }
@gradir.mpi.tapes = linkonce_odr hidden global i64 0, align 8
@ompi_mpi_datatype_null = external global [0 x i8], align 1
@ompi_mpi_comm_null = external global [0 x i8], align 1
@gradir.mpi.to_free = linkonce_odr hidden global ptr null, align 8
@gradir.mpi.str.7 = private constant [54 x i8] c"MPI_BYTE or MPI_PACKED of memory that may hold floats\00", align 1
@gradir.mpi.str.8 = private constant [39 x i8] c"send floats as MPI_DOUBLE or MPI_FLOAT\00", align 1
@gradir.mpi.check_library.checked = linkonce_odr hidden global i1 false, align 4
@gradir.mpi.str.10 = private constant [98 x i8] c"the running MPI library, whose handles are not those that the derivative was made for (Open MPI),\00", align 1
@gradir.mpi.str.11 = private constant [74 x i8] c"make the derivative from code that was compiled with this library's mpi.h\00", align 1
@ompi_mpi_double = external global [0 x i8], align 1
@gradir.mpi.str.12 = private constant [19 x i8] c"a datatype by kind\00", align 1
@gradir.mpi.str.13 = private constant [59 x i8] c"use MPI_DOUBLE or MPI_FLOAT, and arrays or structs of them\00", align 1
@gradir.mpi.leaf_named.leaves = internal constant [30 x { ptr, i8, [3 x i8], i32 }] [{ ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.14, i8 100, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.15, i8 100, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.16, i8 100, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.17, i8 100, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.18, i8 100, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.19, i8 100, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.20, i8 100, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.21, i8 115, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.22, i8 115, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.23, i8 115, [3 x i8] zeroinitializer, i32 1 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.24, i8 115, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.25, i8 115, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.26, i8 115, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.27, i8 115, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.28, i8 115, [3 x i8] zeroinitializer, i32 2 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.29, i8 98, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.30, i8 98, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.31, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.32, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.33, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.34, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.35, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.36, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.37, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.38, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.39, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.40, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.41, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.42, i8 120, [3 x i8] zeroinitializer, i32 0 }, { ptr, i8, [3 x i8], i32 } { ptr @gradir.mpi.str.43, i8 120, [3 x i8] zeroinitializer, i32 0 }], align 16
@gradir.mpi.str.14 = private constant [11 x i8] c"MPI_DOUBLE\00", align 1
@gradir.mpi.str.15 = private constant [21 x i8] c"MPI_DOUBLE_PRECISION\00", align 1
@gradir.mpi.str.16 = private constant [10 x i8] c"MPI_REAL8\00", align 1
@gradir.mpi.str.17 = private constant [21 x i8] c"MPI_C_DOUBLE_COMPLEX\00", align 1
@gradir.mpi.str.18 = private constant [19 x i8] c"MPI_DOUBLE_COMPLEX\00", align 1
@gradir.mpi.str.19 = private constant [14 x i8] c"MPI_COMPLEX16\00", align 1
@gradir.mpi.str.20 = private constant [23 x i8] c"MPI_CXX_DOUBLE_COMPLEX\00", align 1
@gradir.mpi.str.21 = private constant [10 x i8] c"MPI_FLOAT\00", align 1
@gradir.mpi.str.22 = private constant [9 x i8] c"MPI_REAL\00", align 1
@gradir.mpi.str.23 = private constant [10 x i8] c"MPI_REAL4\00", align 1
@gradir.mpi.str.24 = private constant [14 x i8] c"MPI_C_COMPLEX\00", align 1
@gradir.mpi.str.25 = private constant [20 x i8] c"MPI_C_FLOAT_COMPLEX\00", align 1
@gradir.mpi.str.26 = private constant [12 x i8] c"MPI_COMPLEX\00", align 1
@gradir.mpi.str.27 = private constant [13 x i8] c"MPI_COMPLEX8\00", align 1
@gradir.mpi.str.28 = private constant [22 x i8] c"MPI_CXX_FLOAT_COMPLEX\00", align 1
@gradir.mpi.str.29 = private constant [9 x i8] c"MPI_BYTE\00", align 1
@gradir.mpi.str.30 = private constant [11 x i8] c"MPI_PACKED\00", align 1
@gradir.mpi.str.31 = private constant [16 x i8] c"MPI_LONG_DOUBLE\00", align 1
@gradir.mpi.str.32 = private constant [10 x i8] c"MPI_REAL2\00", align 1
@gradir.mpi.str.33 = private constant [11 x i8] c"MPI_REAL16\00", align 1
@gradir.mpi.str.34 = private constant [13 x i8] c"MPI_COMPLEX4\00", align 1
@gradir.mpi.str.35 = private constant [14 x i8] c"MPI_COMPLEX32\00", align 1
@gradir.mpi.str.36 = private constant [26 x i8] c"MPI_C_LONG_DOUBLE_COMPLEX\00", align 1
@gradir.mpi.str.37 = private constant [28 x i8] c"MPI_CXX_LONG_DOUBLE_COMPLEX\00", align 1
@gradir.mpi.str.38 = private constant [14 x i8] c"MPI_FLOAT_INT\00", align 1
@gradir.mpi.str.39 = private constant [15 x i8] c"MPI_DOUBLE_INT\00", align 1
@gradir.mpi.str.40 = private constant [20 x i8] c"MPI_LONG_DOUBLE_INT\00", align 1
@gradir.mpi.str.41 = private constant [10 x i8] c"MPI_2REAL\00", align 1
@gradir.mpi.str.42 = private constant [22 x i8] c"MPI_2DOUBLE_PRECISION\00", align 1
@gradir.mpi.str.43 = private constant [1 x i8] zeroinitializer, align 1
@gradir.mpi.str.44 = private constant [49 x i8] c"gradir: MPI: %s has no derivative\0A  way out: %s\0A\00", align 1
@ompi_mpi_comm_world = external global [0 x i8], align 1
@ompi_mpi_byte = external global [0 x i8], align 1
@gradir.mpi.str.45 = private constant [36 x i8] c"a tag in the upper half of the tags\00", align 1
@gradir.mpi.str.46 = private constant [17 x i8] c"use smaller tags\00", align 1
@gradir.mpi.new_tag.used = linkonce_odr hidden global i64 0, align 8
@gradir.mpi.str.47 = private constant [52 x i8] c"a function with more messages than half of the tags\00", align 1
@gradir.mpi.str.48 = private constant [26 x i8] c"differentiate it in parts\00", align 1
@gradir.mpi.str.49 = private constant [35 x i8] c"packed data with a head of its own\00", align 1
@gradir.mpi.str.50 = private constant [44 x i8] c"use an MPI library for machines of one kind\00", align 1
@gradir.mpi.under_way = linkonce_odr hidden global ptr null, align 8
@ompi_request_null = external global [0 x i8], align 1
@gradir.mpi.str.51 = private constant [54 x i8] c"a message that ends inside an element of the datatype\00", align 1
@gradir.mpi.str.52 = private constant [23 x i8] c"receive whole elements\00", align 1
@gradir.mpi.str.53 = private constant [72 x i8] c"MPI_Irecv with MPI_ANY_SOURCE and MPI_ANY_TAG at once, in reverse mode,\00", align 1
@gradir.mpi.str.54 = private constant [35 x i8] c"receive by a tag, or with MPI_Recv\00", align 1
@gradir.mpi.channels = linkonce_odr hidden global ptr null, align 8
@gradir.mpi.str.55 = private constant [48 x i8] c"MPI_Request_free of a receive that is under way\00", align 1
@gradir.mpi.str.56 = private constant [12 x i8] c"wait for it\00", align 1
@gradir.mpi.str.57 = private constant [42 x i8] c"a collective call on an intercommunicator\00", align 1
@gradir.mpi.str.58 = private constant [31 x i8] c"merge it (MPI_Intercomm_merge)\00", align 1
@ompi_mpi_op_sum = external global [0 x i8], align 1
@gradir.mpi.transposed.of = internal constant [8 x i32] [i32 1, i32 0, i32 2, i32 4, i32 3, i32 6, i32 5, i32 7], align 16
@ompi_mpi_op_prod = external global [0 x i8], align 1
@ompi_mpi_op_max = external global [0 x i8], align 1
@ompi_mpi_op_min = external global [0 x i8], align 1
@gradir.mpi.str.59 = private constant [87 x i8] c"a reduction of floats by another operation than MPI_SUM, MPI_PROD, MPI_MAX and MPI_MIN\00", align 1
@gradir.mpi.str.60 = private constant [64 x i8] c"gather what is to be reduced, and reduce it in code of your own\00", align 1
@gradir.mpi.str.61 = private constant [41 x i8] c"a product of complex numbers by MPI_PROD\00", align 1
@gradir.mpi.str.62 = private constant [37 x i8] c"gather the factors and multiply them\00", align 1
define internal { ptr, i32 } @gradir.mpi.Comm_free.augmented(ptr %0, ptr %1) {
2:
  %3 = load i64, ptr @gradir.mpi.tapes, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %7

5:
  %6 = call i32 @MPI_Comm_free(ptr %0)
  br label %17

7:
  %8 = load ptr, ptr %0, align 8
  %9 = call ptr @calloc(i64 1, i64 24)
  %10 = getelementptr inbounds i8, ptr %9, i64 8
  store ptr %8, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %9, i64 16
  store ptr @ompi_mpi_datatype_null, ptr %11, align 8
  br label %12

12:
  %13 = phi ptr [ @gradir.mpi.to_free, %7 ], [ %14, %12 ]
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %12

16:
  store ptr %9, ptr %13, align 8
  store ptr @ompi_mpi_comm_null, ptr %0, align 8
  br label %17

17:
  %18 = phi i32 [ 0, %16 ], [ %6, %5 ]
  %19 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %18, 1
  ret { ptr, i32 } %19
}
declare i32 @MPI_Comm_free(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
define internal void @gradir.mpi.Comm_free.reverse(ptr %0, ptr %1, ptr %2) {
3:
  ret void
}
define internal { ptr, i32 } @gradir.mpi.Type_free.augmented(ptr %0, ptr %1) {
2:
  %3 = load i64, ptr @gradir.mpi.tapes, align 8
  %4 = icmp eq i64 %3, 0
  br i1 %4, label %5, label %7

5:
  %6 = call i32 @MPI_Type_free(ptr %0)
  br label %17

7:
  %8 = load ptr, ptr %0, align 8
  %9 = call ptr @calloc(i64 1, i64 24)
  %10 = getelementptr inbounds i8, ptr %9, i64 8
  store ptr @ompi_mpi_comm_null, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %9, i64 16
  store ptr %8, ptr %11, align 8
  br label %12

12:
  %13 = phi ptr [ @gradir.mpi.to_free, %7 ], [ %14, %12 ]
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %12

16:
  store ptr %9, ptr %13, align 8
  store ptr @ompi_mpi_datatype_null, ptr %0, align 8
  br label %17

17:
  %18 = phi i32 [ 0, %16 ], [ %6, %5 ]
  %19 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %18, 1
  ret { ptr, i32 } %19
}
declare i32 @MPI_Type_free(ptr)
define internal void @gradir.mpi.Type_free.reverse(ptr %0, ptr %1, ptr %2) {
3:
  ret void
}
define internal i32 @gradir.mpi.Send.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  store ptr %0, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %11, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %13, align 4
  %14 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %16, align 4
  %17 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %17, align 8
  %18 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = call i32 @MPI_Send(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %24

22:
  %23 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr null)
  br label %24

24:
  %25 = phi i32 [ %23, %22 ], [ %21, %20 ]
  ret i32 %25
}
declare i32 @MPI_Send(ptr, i32, ptr, i32, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Send.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  %11 = alloca %struct.Augmented, align 8
  call void @llvm.memset.p0.i64(ptr %11, i8 0, i64 16, i1 false)
  store ptr %0, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %14, align 4
  %15 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %17, align 4
  %18 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %18, align 8
  %19 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %21, label %23

21:
  %22 = call i32 @MPI_Send(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %26

23:
  %24 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr %11)
  %25 = load ptr, ptr %11, align 8
  br label %26

26:
  %27 = phi ptr [ %25, %23 ], [ null, %21 ]
  %28 = phi i32 [ %24, %23 ], [ %22, %21 ]
  %29 = insertvalue { ptr, i32 } poison, ptr %27, 0
  %30 = insertvalue { ptr, i32 } %29, i32 %28, 1
  ret { ptr, i32 } %30
}
define internal void @gradir.mpi.Send.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9) {
10:
  %11 = icmp eq ptr %9, null
  br i1 %11, label %15, label %12

12:
  call void @gradir.mpi.take_back(ptr %9)
  %13 = getelementptr inbounds i8, ptr %9, i64 80
  %14 = load ptr, ptr %13, align 8
  call void @free(ptr %14)
  call void @free(ptr %9)
  call void @gradir.mpi.close_tape()
  br label %15

15:
  ret void
}
define internal void @gradir.mpi.take_back(ptr %0) {
1:
  %2 = load ptr, ptr %0, align 8
  %3 = getelementptr inbounds i8, ptr %0, i64 8
  %4 = load ptr, ptr %3, align 8
  %5 = getelementptr inbounds i8, ptr %0, i64 16
  %6 = load i32, ptr %5, align 8
  %7 = getelementptr inbounds i8, ptr %0, i64 24
  %8 = load ptr, ptr %7, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %10 = load ptr, ptr %9, align 8
  call void @gradir.mpi.await(ptr %0)
  %11 = getelementptr inbounds i8, ptr %0, i64 88
  %12 = call i32 @MPI_Wait(ptr %11, ptr null)
  %13 = call i32 @MPI_Request_free(ptr %11)
  %14 = icmp ne ptr %4, null
  %15 = icmp ne ptr %4, %2
  %16 = and i1 %14, %15
  br i1 %16, label %17, label %20

17:
  %18 = getelementptr inbounds i8, ptr %0, i64 80
  %19 = load ptr, ptr %18, align 8
  call void @gradir.mpi.exchange(ptr %4, i32 %6, ptr %8, ptr %10, ptr %19, i32 2)
  br label %20

20:
  ret void
}
define internal i32 @gradir.mpi.Ssend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  store ptr %0, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %11, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %13, align 4
  %14 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %16, align 4
  %17 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %17, align 8
  %18 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = call i32 @MPI_Ssend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %24

22:
  %23 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 1, ptr null)
  br label %24

24:
  %25 = phi i32 [ %23, %22 ], [ %21, %20 ]
  ret i32 %25
}
declare i32 @MPI_Ssend(ptr, i32, ptr, i32, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Ssend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  %11 = alloca %struct.Augmented, align 8
  call void @llvm.memset.p0.i64(ptr %11, i8 0, i64 16, i1 false)
  store ptr %0, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %14, align 4
  %15 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %17, align 4
  %18 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %18, align 8
  %19 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %21, label %23

21:
  %22 = call i32 @MPI_Ssend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %26

23:
  %24 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 1, ptr %11)
  %25 = load ptr, ptr %11, align 8
  br label %26

26:
  %27 = phi ptr [ %25, %23 ], [ null, %21 ]
  %28 = phi i32 [ %24, %23 ], [ %22, %21 ]
  %29 = insertvalue { ptr, i32 } poison, ptr %27, 0
  %30 = insertvalue { ptr, i32 } %29, i32 %28, 1
  ret { ptr, i32 } %30
}
define internal void @gradir.mpi.Ssend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9) {
10:
  %11 = icmp eq ptr %9, null
  br i1 %11, label %15, label %12

12:
  call void @gradir.mpi.take_back(ptr %9)
  %13 = getelementptr inbounds i8, ptr %9, i64 80
  %14 = load ptr, ptr %13, align 8
  call void @free(ptr %14)
  call void @free(ptr %9)
  call void @gradir.mpi.close_tape()
  br label %15

15:
  ret void
}
define internal i32 @gradir.mpi.Bsend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  store ptr %0, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %11, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %13, align 4
  %14 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %16, align 4
  %17 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %17, align 8
  %18 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = call i32 @MPI_Bsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %24

22:
  %23 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr null)
  br label %24

24:
  %25 = phi i32 [ %23, %22 ], [ %21, %20 ]
  ret i32 %25
}
declare i32 @MPI_Bsend(ptr, i32, ptr, i32, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Bsend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  %11 = alloca %struct.Augmented, align 8
  call void @llvm.memset.p0.i64(ptr %11, i8 0, i64 16, i1 false)
  store ptr %0, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %14, align 4
  %15 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %17, align 4
  %18 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %18, align 8
  %19 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %21, label %23

21:
  %22 = call i32 @MPI_Bsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %26

23:
  %24 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr %11)
  %25 = load ptr, ptr %11, align 8
  br label %26

26:
  %27 = phi ptr [ %25, %23 ], [ null, %21 ]
  %28 = phi i32 [ %24, %23 ], [ %22, %21 ]
  %29 = insertvalue { ptr, i32 } poison, ptr %27, 0
  %30 = insertvalue { ptr, i32 } %29, i32 %28, 1
  ret { ptr, i32 } %30
}
define internal void @gradir.mpi.Bsend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9) {
10:
  %11 = icmp eq ptr %9, null
  br i1 %11, label %15, label %12

12:
  call void @gradir.mpi.take_back(ptr %9)
  %13 = getelementptr inbounds i8, ptr %9, i64 80
  %14 = load ptr, ptr %13, align 8
  call void @free(ptr %14)
  call void @free(ptr %9)
  call void @gradir.mpi.close_tape()
  br label %15

15:
  ret void
}
define internal i32 @gradir.mpi.Rsend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  store ptr %0, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %11, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %13, align 4
  %14 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %16, align 4
  %17 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %17, align 8
  %18 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %20, label %22

20:
  %21 = call i32 @MPI_Rsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %24

22:
  %23 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr null)
  br label %24

24:
  %25 = phi i32 [ %23, %22 ], [ %21, %20 ]
  ret i32 %25
}
declare i32 @MPI_Rsend(ptr, i32, ptr, i32, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Rsend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.end, align 8
  %11 = alloca %struct.Augmented, align 8
  call void @llvm.memset.p0.i64(ptr %11, i8 0, i64 16, i1 false)
  store ptr %0, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %10, i64 16
  store i32 %2, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %10, i64 20
  store i32 0, ptr %14, align 4
  %15 = getelementptr inbounds i8, ptr %10, i64 24
  store ptr %3, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %10, i64 32
  store i32 %5, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %10, i64 36
  store i32 %6, ptr %17, align 4
  %18 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %7, ptr %18, align 8
  %19 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %21, label %23

21:
  %22 = call i32 @MPI_Rsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7)
  br label %26

23:
  %24 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %10, i32 0, ptr %11)
  %25 = load ptr, ptr %11, align 8
  br label %26

26:
  %27 = phi ptr [ %25, %23 ], [ null, %21 ]
  %28 = phi i32 [ %24, %23 ], [ %22, %21 ]
  %29 = insertvalue { ptr, i32 } poison, ptr %27, 0
  %30 = insertvalue { ptr, i32 } %29, i32 %28, 1
  ret { ptr, i32 } %30
}
define internal void @gradir.mpi.Rsend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9) {
10:
  %11 = icmp eq ptr %9, null
  br i1 %11, label %15, label %12

12:
  call void @gradir.mpi.take_back(ptr %9)
  %13 = getelementptr inbounds i8, ptr %9, i64 80
  %14 = load ptr, ptr %13, align 8
  call void @free(ptr %14)
  call void @free(ptr %9)
  call void @gradir.mpi.close_tape()
  br label %15

15:
  ret void
}
define internal i32 @gradir.mpi.Recv.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i32 @gradir.mpi.receive(ptr byval(%struct.end) %12, ptr %9, ptr null)
  ret i32 %20
}
define internal i32 @gradir.mpi.receive(ptr byval(%struct.end) %0, ptr %1, ptr %2) {
3:
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca %struct.MPI_Status, align 8
  %7 = alloca %struct.MPI_Status, align 8
  %8 = load ptr, ptr %0, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 24
  %12 = load ptr, ptr %11, align 8
  %13 = getelementptr inbounds i8, ptr %0, i64 32
  %14 = call i64 @gradir.mpi.floats_in(ptr %12, ptr %8, ptr %10)
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %16, label %25

16:
  %17 = getelementptr inbounds i8, ptr %0, i64 16
  %18 = load i32, ptr %17, align 8
  %19 = load i32, ptr %13, align 8
  %20 = getelementptr inbounds i8, ptr %0, i64 36
  %21 = load i32, ptr %20, align 4
  %22 = getelementptr inbounds i8, ptr %0, i64 40
  %23 = load ptr, ptr %22, align 8
  %24 = call i32 @MPI_Recv(ptr %8, i32 %18, ptr %12, i32 %19, i32 %21, ptr %23, ptr %1)
  br label %91

25:
  %26 = getelementptr inbounds i8, ptr %0, i64 36
  %27 = load i32, ptr %26, align 4
  %28 = getelementptr inbounds i8, ptr %0, i64 40
  %29 = load ptr, ptr %28, align 8
  %30 = sext i32 %27 to i64
  %31 = call i64 @gradir.mpi.first_tag_of_adjoints(ptr %29)
  %32 = icmp sgt i64 %31, %30
  br i1 %32, label %34, label %33

33:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.45, ptr @gradir.mpi.str.46)
  unreachable

34:
  %35 = icmp ne ptr %2, null
  %36 = load i32, ptr %13, align 8
  %37 = icmp eq i32 %36, -1
  %38 = select i1 %35, i1 %37, i1 false
  %39 = icmp eq i32 %27, -1
  %40 = select i1 %38, i1 %39, i1 false
  br i1 %40, label %41, label %67

41:
  store i32 0, ptr %5, align 4
  %42 = call i64 @gradir.mpi.first_tag_of_adjoints(ptr %29)
  %43 = call i32 @MPI_Comm_size(ptr %29, ptr %4)
  %44 = getelementptr inbounds i8, ptr %6, i64 4
  %45 = call i32 @MPI_Iprobe(i32 0, i32 -1, ptr %29, ptr %5, ptr %6)
  %46 = load i32, ptr %5, align 4
  %47 = icmp ne i32 %46, 0
  %48 = load i32, ptr %44, align 4
  %49 = sext i32 %48 to i64
  %50 = icmp sgt i64 %42, %49
  %51 = select i1 %47, i1 %50, i1 false
  br i1 %51, label %64, label %52

52:
  %53 = phi i32 [ %56, %52 ], [ 0, %41 ]
  %54 = add nsw i32 %53, 1
  %55 = load i32, ptr %4, align 4
  %56 = srem i32 %54, %55
  %57 = call i32 @MPI_Iprobe(i32 %56, i32 -1, ptr %29, ptr %5, ptr %6)
  %58 = load i32, ptr %5, align 4
  %59 = icmp ne i32 %58, 0
  %60 = load i32, ptr %44, align 4
  %61 = sext i32 %60 to i64
  %62 = icmp sgt i64 %42, %61
  %63 = select i1 %59, i1 %62, i1 false
  br i1 %63, label %64, label %52

64:
  %65 = phi i32 [ 0, %41 ], [ %56, %52 ]
  %66 = phi i32 [ %48, %41 ], [ %60, %52 ]
  store i32 %65, ptr %13, align 8
  store i32 %66, ptr %26, align 4
  br label %68

67:
  br i1 %35, label %68, label %77

68:
  %69 = phi i32 [ %65, %64 ], [ %36, %67 ]
  %70 = phi i32 [ %66, %64 ], [ %27, %67 ]
  %71 = call ptr @calloc(i64 1, i64 96)
  call void @llvm.memcpy.p0.p0.i64(ptr %71, ptr %0, i64 32, i1 false)
  %72 = getelementptr inbounds i8, ptr %71, i64 32
  store i32 %69, ptr %72, align 8
  %73 = getelementptr inbounds i8, ptr %71, i64 36
  call void @llvm.memcpy.p0.p0.i64(ptr %73, ptr %26, i64 12, i1 false)
  %74 = getelementptr inbounds i8, ptr %71, i64 52
  store i32 %69, ptr %74, align 4
  %75 = load i64, ptr @gradir.mpi.tapes, align 8
  %76 = add nsw i64 %75, 1
  store i64 %76, ptr @gradir.mpi.tapes, align 8
  store ptr %71, ptr %2, align 8
  br label %77

77:
  %78 = phi i32 [ %69, %68 ], [ %36, %67 ]
  %79 = phi i32 [ %70, %68 ], [ %27, %67 ]
  %80 = phi ptr [ %71, %68 ], [ null, %67 ]
  %81 = xor i1 %35, true
  %82 = zext i1 %81 to i32
  %83 = call i64 @gradir.mpi.room_for(ptr byval(%struct.end) %0, i32 %82)
  %84 = call i64 @llvm.umax.i64(i64 %83, i64 1)
  %85 = call ptr @calloc(i64 %84, i64 1)
  %86 = trunc i64 %83 to i32
  %87 = call i32 @MPI_Recv(ptr %85, i32 %86, ptr @ompi_mpi_byte, i32 %78, i32 %79, ptr %29, ptr %7)
  call void @gradir.mpi.unbundle(ptr byval(%struct.end) %0, ptr %85, ptr %7, ptr %80)
  %88 = icmp eq ptr %1, null
  br i1 %88, label %90, label %89

89:
  call void @llvm.memcpy.p0.p0.i64(ptr %1, ptr %7, i64 24, i1 false)
  br label %90

90:
  call void @free(ptr %85)
  br label %91

91:
  %92 = phi i32 [ %87, %90 ], [ %24, %16 ]
  ret i32 %92
}
define internal { ptr, i32 } @gradir.mpi.Recv.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.Augmented, align 8
  %13 = alloca %struct.end, align 8
  call void @llvm.memset.p0.i64(ptr %12, i8 0, i64 16, i1 false)
  store ptr %0, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %13, i64 8
  store ptr %1, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %13, i64 16
  store i32 %2, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %13, i64 20
  store i32 0, ptr %16, align 4
  %17 = getelementptr inbounds i8, ptr %13, i64 24
  store ptr %3, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %13, i64 32
  store i32 %5, ptr %18, align 8
  %19 = getelementptr inbounds i8, ptr %13, i64 36
  store i32 %6, ptr %19, align 4
  %20 = getelementptr inbounds i8, ptr %13, i64 40
  store ptr %7, ptr %20, align 8
  %21 = call i32 @gradir.mpi.receive(ptr byval(%struct.end) %13, ptr %9, ptr %12)
  %22 = load ptr, ptr %12, align 8
  %23 = insertvalue { ptr, i32 } poison, ptr %22, 0
  %24 = insertvalue { ptr, i32 } %23, i32 %21, 1
  ret { ptr, i32 } %24
}
define internal void @gradir.mpi.Recv.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = icmp eq ptr %11, null
  br i1 %13, label %17, label %14

14:
  call void @gradir.mpi.send_back(ptr %11)
  %15 = getelementptr inbounds i8, ptr %11, i64 80
  %16 = load ptr, ptr %15, align 8
  call void @free(ptr %16)
  call void @free(ptr %11)
  call void @gradir.mpi.close_tape()
  br label %17

17:
  ret void
}
define internal void @gradir.mpi.send_back(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load i32, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 24
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 40
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds i8, ptr %0, i64 72
  %11 = load i64, ptr %10, align 8
  %12 = icmp eq i64 %11, 0
  br i1 %12, label %32, label %13

13:
  %14 = load ptr, ptr %0, align 8
  %15 = call ptr @calloc(i64 %11, i64 8)
  %16 = icmp ne ptr %3, null
  %17 = icmp ne ptr %3, %14
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %24

19:
  call void @gradir.mpi.exchange(ptr %3, i32 %5, ptr %7, ptr %9, ptr %15, i32 0)
  %20 = load i64, ptr %10, align 8
  %21 = call i64 @llvm.umax.i64(i64 %20, i64 1)
  %22 = call ptr @calloc(i64 %21, i64 8)
  call void @gradir.mpi.exchange(ptr %3, i32 %5, ptr %7, ptr %9, ptr %22, i32 1)
  call void @free(ptr %22)
  %23 = load i64, ptr %10, align 8
  br label %24

24:
  %25 = phi i64 [ %23, %19 ], [ %11, %13 ]
  %26 = getelementptr inbounds i8, ptr %0, i64 52
  %27 = load i32, ptr %26, align 4
  %28 = getelementptr inbounds i8, ptr %0, i64 64
  %29 = load i64, ptr %28, align 8
  %30 = trunc i64 %29 to i32
  %31 = call i32 @gradir.mpi.send_along(ptr %15, i64 %25, ptr @ompi_mpi_double, i32 %27, i32 %30, ptr %9)
  br label %32

32:
  ret void
}
define internal i32 @gradir.mpi.Sendrecv.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11, i32 %12, i32 %13, ptr %14, ptr %15, ptr %16, ptr %17) {
18:
  %19 = alloca %struct.end, align 8
  %20 = alloca %struct.end, align 8
  store ptr %0, ptr %19, align 8
  %21 = getelementptr inbounds i8, ptr %19, i64 8
  store ptr %1, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %19, i64 16
  store i32 %2, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %19, i64 20
  store i32 0, ptr %23, align 4
  %24 = getelementptr inbounds i8, ptr %19, i64 24
  store ptr %3, ptr %24, align 8
  %25 = getelementptr inbounds i8, ptr %19, i64 32
  store i32 %5, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %19, i64 36
  store i32 %6, ptr %26, align 4
  %27 = getelementptr inbounds i8, ptr %19, i64 40
  store ptr %14, ptr %27, align 8
  store ptr %7, ptr %20, align 8
  %28 = getelementptr inbounds i8, ptr %20, i64 8
  store ptr %8, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %20, i64 16
  store i32 %9, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %20, i64 20
  store i32 0, ptr %30, align 4
  %31 = getelementptr inbounds i8, ptr %20, i64 24
  store ptr %10, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %20, i64 32
  store i32 %12, ptr %32, align 8
  %33 = getelementptr inbounds i8, ptr %20, i64 36
  store i32 %13, ptr %33, align 4
  %34 = getelementptr inbounds i8, ptr %20, i64 40
  store ptr %14, ptr %34, align 8
  %35 = call i32 @gradir.mpi.send_and_receive(ptr byval(%struct.end) %19, ptr byval(%struct.end) %20, ptr %16, ptr null)
  ret i32 %35
}
define internal i32 @gradir.mpi.send_and_receive(ptr byval(%struct.end) %0, ptr byval(%struct.end) %1, ptr %2, ptr %3) {
4:
  %5 = alloca i32, align 4
  %6 = alloca ptr, align 8
  %7 = alloca ptr, align 8
  %8 = alloca ptr, align 8
  store ptr null, ptr %6, align 8
  store ptr null, ptr %7, align 8
  store ptr @ompi_request_null, ptr %8, align 8
  %9 = load ptr, ptr %0, align 8
  %10 = getelementptr inbounds i8, ptr %0, i64 8
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 24
  %13 = load ptr, ptr %12, align 8
  %14 = call i64 @gradir.mpi.floats_in(ptr %13, ptr %9, ptr %11)
  %15 = icmp eq i64 %14, 0
  br i1 %15, label %20, label %16

16:
  %17 = icmp eq ptr %3, null
  %18 = select i1 %17, ptr null, ptr %6
  %19 = call i32 @gradir.mpi.post(ptr byval(%struct.end) %0, i32 0, ptr %18)
  br label %39

20:
  %21 = getelementptr inbounds i8, ptr %0, i64 32
  %22 = getelementptr inbounds i8, ptr %0, i64 16
  %23 = load i32, ptr %22, align 8
  %24 = sext i32 %23 to i64
  %25 = call i32 @MPI_Type_size(ptr %13, ptr %5)
  %26 = load i32, ptr %5, align 4
  %27 = sext i32 %26 to i64
  %28 = mul nsw i64 %27, %24
  %29 = call i64 @llvm.umax.i64(i64 %28, i64 1)
  %30 = call ptr @calloc(i64 %29, i64 1)
  %31 = getelementptr inbounds i8, ptr %0, i64 40
  %32 = load ptr, ptr %31, align 8
  %33 = call i64 @gradir.mpi.pack(ptr %9, i32 %23, ptr %13, ptr %32, ptr %30)
  %34 = trunc i64 %28 to i32
  %35 = load i32, ptr %21, align 8
  %36 = getelementptr inbounds i8, ptr %0, i64 36
  %37 = load i32, ptr %36, align 4
  %38 = call i32 @MPI_Isend(ptr %30, i32 %34, ptr @ompi_mpi_byte, i32 %35, i32 %37, ptr %32, ptr %8)
  br label %39

39:
  %40 = phi ptr [ null, %16 ], [ %30, %20 ]
  %41 = icmp eq ptr %3, null
  %42 = select i1 %41, ptr null, ptr %7
  %43 = call i32 @gradir.mpi.receive(ptr byval(%struct.end) %1, ptr %2, ptr %42)
  %44 = call i32 @MPI_Wait(ptr %8, ptr null)
  call void @free(ptr %40)
  br i1 %41, label %49, label %45

45:
  %46 = load ptr, ptr %6, align 8
  %47 = load ptr, ptr %7, align 8
  store ptr %46, ptr %3, align 8
  %48 = getelementptr inbounds i8, ptr %3, i64 8
  store ptr %47, ptr %48, align 8
  br label %49

49:
  ret i32 %43
}
define internal { ptr, i32 } @gradir.mpi.Sendrecv.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11, i32 %12, i32 %13, ptr %14, ptr %15, ptr %16, ptr %17) {
18:
  %19 = alloca %struct.end, align 8
  %20 = alloca %struct.end, align 8
  %21 = call ptr @calloc(i64 1, i64 16)
  store ptr %0, ptr %19, align 8
  %22 = getelementptr inbounds i8, ptr %19, i64 8
  store ptr %1, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %19, i64 16
  store i32 %2, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %19, i64 20
  store i32 0, ptr %24, align 4
  %25 = getelementptr inbounds i8, ptr %19, i64 24
  store ptr %3, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %19, i64 32
  store i32 %5, ptr %26, align 8
  %27 = getelementptr inbounds i8, ptr %19, i64 36
  store i32 %6, ptr %27, align 4
  %28 = getelementptr inbounds i8, ptr %19, i64 40
  store ptr %14, ptr %28, align 8
  store ptr %7, ptr %20, align 8
  %29 = getelementptr inbounds i8, ptr %20, i64 8
  store ptr %8, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %20, i64 16
  store i32 %9, ptr %30, align 8
  %31 = getelementptr inbounds i8, ptr %20, i64 20
  store i32 0, ptr %31, align 4
  %32 = getelementptr inbounds i8, ptr %20, i64 24
  store ptr %10, ptr %32, align 8
  %33 = getelementptr inbounds i8, ptr %20, i64 32
  store i32 %12, ptr %33, align 8
  %34 = getelementptr inbounds i8, ptr %20, i64 36
  store i32 %13, ptr %34, align 4
  %35 = getelementptr inbounds i8, ptr %20, i64 40
  store ptr %14, ptr %35, align 8
  %36 = call i32 @gradir.mpi.send_and_receive(ptr byval(%struct.end) %19, ptr byval(%struct.end) %20, ptr %16, ptr %21)
  %37 = insertvalue { ptr, i32 } poison, ptr %21, 0
  %38 = insertvalue { ptr, i32 } %37, i32 %36, 1
  ret { ptr, i32 } %38
}
declare ptr @calloc(i64, i64)
define internal void @gradir.mpi.Sendrecv.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11, i32 %12, i32 %13, ptr %14, ptr %15, ptr %16, ptr %17, ptr %18) {
19:
  call void @gradir.mpi.undo_both(ptr %18)
  ret void
}
define internal void @gradir.mpi.undo_both(ptr %0) {
1:
  %2 = load ptr, ptr %0, align 8
  %3 = icmp eq ptr %2, null
  br i1 %3, label %5, label %4

4:
  call void @gradir.mpi.await(ptr %2)
  br label %5

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = load ptr, ptr %6, align 8
  %8 = icmp eq ptr %7, null
  br i1 %8, label %10, label %9

9:
  call void @gradir.mpi.send_back(ptr %7)
  br label %10

10:
  %11 = load ptr, ptr %0, align 8
  %12 = icmp eq ptr %11, null
  br i1 %12, label %17, label %13

13:
  call void @gradir.mpi.take_back(ptr %11)
  %14 = load ptr, ptr %0, align 8
  %15 = getelementptr inbounds i8, ptr %14, i64 80
  %16 = load ptr, ptr %15, align 8
  call void @free(ptr %16)
  call void @free(ptr %14)
  call void @gradir.mpi.close_tape()
  br label %17

17:
  %18 = load ptr, ptr %6, align 8
  %19 = icmp eq ptr %18, null
  br i1 %19, label %23, label %20

20:
  %21 = getelementptr inbounds i8, ptr %18, i64 80
  %22 = load ptr, ptr %21, align 8
  call void @free(ptr %22)
  call void @free(ptr %18)
  call void @gradir.mpi.close_tape()
  br label %23

23:
  call void @free(ptr %0)
  ret void
}
define internal i32 @gradir.mpi.Sendrecv_replace.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, i32 %7, i32 %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  %14 = alloca %struct.end, align 8
  %15 = alloca %struct.end, align 8
  store ptr %0, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %1, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %14, i64 16
  store i32 %2, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %14, i64 20
  store i32 0, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %14, i64 24
  store ptr %3, ptr %19, align 8
  %20 = getelementptr inbounds i8, ptr %14, i64 32
  store i32 %5, ptr %20, align 8
  %21 = getelementptr inbounds i8, ptr %14, i64 36
  store i32 %6, ptr %21, align 4
  %22 = getelementptr inbounds i8, ptr %14, i64 40
  store ptr %9, ptr %22, align 8
  store ptr %0, ptr %15, align 8
  %23 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %1, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %15, i64 16
  store i32 %2, ptr %24, align 8
  %25 = getelementptr inbounds i8, ptr %15, i64 20
  store i32 0, ptr %25, align 4
  %26 = getelementptr inbounds i8, ptr %15, i64 24
  store ptr %3, ptr %26, align 8
  %27 = getelementptr inbounds i8, ptr %15, i64 32
  store i32 %7, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %15, i64 36
  store i32 %8, ptr %28, align 4
  %29 = getelementptr inbounds i8, ptr %15, i64 40
  store ptr %9, ptr %29, align 8
  %30 = call i32 @gradir.mpi.send_and_receive(ptr byval(%struct.end) %14, ptr byval(%struct.end) %15, ptr %11, ptr null)
  ret i32 %30
}
define internal { ptr, i32 } @gradir.mpi.Sendrecv_replace.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, i32 %7, i32 %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  %14 = alloca %struct.end, align 8
  %15 = alloca %struct.end, align 8
  %16 = call ptr @calloc(i64 1, i64 16)
  store ptr %0, ptr %14, align 8
  %17 = getelementptr inbounds i8, ptr %14, i64 8
  store ptr %1, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %14, i64 16
  store i32 %2, ptr %18, align 8
  %19 = getelementptr inbounds i8, ptr %14, i64 20
  store i32 0, ptr %19, align 4
  %20 = getelementptr inbounds i8, ptr %14, i64 24
  store ptr %3, ptr %20, align 8
  %21 = getelementptr inbounds i8, ptr %14, i64 32
  store i32 %5, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %14, i64 36
  store i32 %6, ptr %22, align 4
  %23 = getelementptr inbounds i8, ptr %14, i64 40
  store ptr %9, ptr %23, align 8
  store ptr %0, ptr %15, align 8
  %24 = getelementptr inbounds i8, ptr %15, i64 8
  store ptr %1, ptr %24, align 8
  %25 = getelementptr inbounds i8, ptr %15, i64 16
  store i32 %2, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %15, i64 20
  store i32 0, ptr %26, align 4
  %27 = getelementptr inbounds i8, ptr %15, i64 24
  store ptr %3, ptr %27, align 8
  %28 = getelementptr inbounds i8, ptr %15, i64 32
  store i32 %7, ptr %28, align 8
  %29 = getelementptr inbounds i8, ptr %15, i64 36
  store i32 %8, ptr %29, align 4
  %30 = getelementptr inbounds i8, ptr %15, i64 40
  store ptr %9, ptr %30, align 8
  %31 = call i32 @gradir.mpi.send_and_receive(ptr byval(%struct.end) %14, ptr byval(%struct.end) %15, ptr %11, ptr %16)
  %32 = insertvalue { ptr, i32 } poison, ptr %16, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Sendrecv_replace.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, i32 %7, i32 %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13) {
14:
  call void @gradir.mpi.undo_both(ptr %13)
  ret void
}
define internal i32 @gradir.mpi.Isend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Isend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %27

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 1, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 1)
  br label %27

27:
  %28 = phi i32 [ %23, %22 ], [ %26, %24 ]
  ret i32 %28
}
declare i32 @MPI_Isend(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Isend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Isend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %29

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 0, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 0)
  %27 = getelementptr inbounds i8, ptr %25, i64 88
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ null, %22 ], [ %28, %24 ]
  %31 = phi i32 [ %23, %22 ], [ %26, %24 ]
  %32 = insertvalue { ptr, i32 } poison, ptr %30, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Isend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.undo_start(ptr %11)
  ret void
}
define internal void @gradir.mpi.undo_start(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %11, label %3

3:
  %4 = getelementptr inbounds i8, ptr %0, i64 48
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %8, label %7

7:
  call void @gradir.mpi.take_back(ptr %0)
  br label %8

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 80
  %10 = load ptr, ptr %9, align 8
  call void @free(ptr %10)
  call void @free(ptr %0)
  call void @gradir.mpi.close_tape()
  br label %11

11:
  ret void
}
define internal i32 @gradir.mpi.Issend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Issend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %27

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 1, i32 1, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 1)
  br label %27

27:
  %28 = phi i32 [ %23, %22 ], [ %26, %24 ]
  ret i32 %28
}
declare i32 @MPI_Issend(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Issend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Issend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %29

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 1, i32 0, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 0)
  %27 = getelementptr inbounds i8, ptr %25, i64 88
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ null, %22 ], [ %28, %24 ]
  %31 = phi i32 [ %23, %22 ], [ %26, %24 ]
  %32 = insertvalue { ptr, i32 } poison, ptr %30, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Issend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.undo_start(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Ibsend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Ibsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %27

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 1, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 1)
  br label %27

27:
  %28 = phi i32 [ %23, %22 ], [ %26, %24 ]
  ret i32 %28
}
declare i32 @MPI_Ibsend(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Ibsend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Ibsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %29

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 0, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 0)
  %27 = getelementptr inbounds i8, ptr %25, i64 88
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ null, %22 ], [ %28, %24 ]
  %31 = phi i32 [ %23, %22 ], [ %26, %24 ]
  %32 = insertvalue { ptr, i32 } poison, ptr %30, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Ibsend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.undo_start(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Irsend.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Irsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %27

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 1, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 1)
  br label %27

27:
  %28 = phi i32 [ %23, %22 ], [ %26, %24 ]
  ret i32 %28
}
declare i32 @MPI_Irsend(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Irsend.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Irsend(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %29

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 0, i32 0, i32 0, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 0)
  %27 = getelementptr inbounds i8, ptr %25, i64 88
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ null, %22 ], [ %28, %24 ]
  %31 = phi i32 [ %23, %22 ], [ %26, %24 ]
  %32 = insertvalue { ptr, i32 } poison, ptr %30, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Irsend.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.undo_start(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Irecv.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Irecv(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %27

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 0, i32 0, i32 0, i32 1, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 1)
  br label %27

27:
  %28 = phi i32 [ %23, %22 ], [ %26, %24 ]
  ret i32 %28
}
declare i32 @MPI_Irecv(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Irecv.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Irecv(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %29

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 0, i32 0, i32 0, i32 0, ptr %9)
  %26 = call i32 @gradir.mpi.start(ptr %25, i32 0)
  %27 = getelementptr inbounds i8, ptr %25, i64 88
  %28 = load ptr, ptr %27, align 8
  br label %29

29:
  %30 = phi ptr [ null, %22 ], [ %28, %24 ]
  %31 = phi i32 [ %23, %22 ], [ %26, %24 ]
  %32 = insertvalue { ptr, i32 } poison, ptr %30, 0
  %33 = insertvalue { ptr, i32 } %32, i32 %31, 1
  ret { ptr, i32 } %33
}
define internal void @gradir.mpi.Irecv.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.undo_start(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Send_init.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Send_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 0, i32 1, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  ret i32 %27
}
declare i32 @MPI_Send_init(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Send_init.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Send_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 0, i32 0, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  %28 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %27, 1
  ret { ptr, i32 } %28
}
define internal void @gradir.mpi.Send_init.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  ret void
}
define internal i32 @gradir.mpi.Ssend_init.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Ssend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 1, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  ret i32 %27
}
declare i32 @MPI_Ssend_init(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Ssend_init.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Ssend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 0, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  %28 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %27, 1
  ret { ptr, i32 } %28
}
define internal void @gradir.mpi.Ssend_init.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  ret void
}
define internal i32 @gradir.mpi.Bsend_init.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Bsend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 1, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  ret i32 %27
}
declare i32 @MPI_Bsend_init(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Bsend_init.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Bsend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 0, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  %28 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %27, 1
  ret { ptr, i32 } %28
}
define internal void @gradir.mpi.Bsend_init.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  ret void
}
define internal i32 @gradir.mpi.Rsend_init.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Rsend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 1, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  ret i32 %27
}
declare i32 @MPI_Rsend_init(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Rsend_init.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Rsend_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 1, i32 1, i32 1, i32 0, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  %28 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %27, 1
  ret { ptr, i32 } %28
}
define internal void @gradir.mpi.Rsend_init.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  ret void
}
define internal i32 @gradir.mpi.Recv_init.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Recv_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 0, i32 1, i32 0, i32 1, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  ret i32 %27
}
declare i32 @MPI_Recv_init(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Recv_init.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = alloca %struct.end, align 8
  store ptr %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store i32 %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 20
  store i32 0, ptr %15, align 4
  %16 = getelementptr inbounds i8, ptr %12, i64 24
  store ptr %3, ptr %16, align 8
  %17 = getelementptr inbounds i8, ptr %12, i64 32
  store i32 %5, ptr %17, align 8
  %18 = getelementptr inbounds i8, ptr %12, i64 36
  store i32 %6, ptr %18, align 4
  %19 = getelementptr inbounds i8, ptr %12, i64 40
  store ptr %7, ptr %19, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %24

22:
  %23 = call i32 @MPI_Recv_init(ptr %0, i32 %2, ptr %3, i32 %5, i32 %6, ptr %7, ptr %9)
  br label %26

24:
  %25 = call ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %12, i32 0, i32 1, i32 0, i32 0, ptr %9)
  br label %26

26:
  %27 = phi i32 [ 0, %24 ], [ %23, %22 ]
  %28 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %27, 1
  ret { ptr, i32 } %28
}
define internal void @gradir.mpi.Recv_init.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, i32 %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  ret void
}
define internal i32 @gradir.mpi.Wait.forward(ptr %0, ptr %1, ptr %2, ptr %3) {
4:
  %5 = call i32 @gradir.mpi.wait_all(i32 1, ptr %0, ptr %2, ptr null)
  ret i32 %5
}
define internal i32 @gradir.mpi.wait_all(i32 %0, ptr %1, ptr %2, ptr %3) {
4:
  %5 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %5, i32 %0, ptr %1)
  %6 = getelementptr inbounds i8, ptr %5, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = call i32 @MPI_Waitall(i32 %0, ptr %1, ptr %7)
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %5, i32 %0, ptr null, ptr %1, ptr %2, ptr %3)
  %9 = getelementptr inbounds i8, ptr %5, i64 8
  %10 = load ptr, ptr %9, align 8
  call void @free(ptr %10)
  call void @free(ptr %7)
  ret i32 %8
}
define internal { ptr, i32 } @gradir.mpi.Wait.augmented(ptr %0, ptr %1, ptr %2, ptr %3) {
4:
  %5 = alloca ptr, align 8
  store ptr null, ptr %5, align 8
  %6 = call i32 @gradir.mpi.wait_all(i32 1, ptr %0, ptr %2, ptr %5)
  %7 = load ptr, ptr %5, align 8
  %8 = insertvalue { ptr, i32 } poison, ptr %7, 0
  %9 = insertvalue { ptr, i32 } %8, i32 %6, 1
  ret { ptr, i32 } %9
}
define internal void @gradir.mpi.Wait.reverse(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4) {
5:
  call void @gradir.mpi.undo_ends(ptr %4)
  ret void
}
define internal void @gradir.mpi.undo_ends(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %26, label %3

3:
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load i32, ptr %0, align 8
  %6 = icmp sgt i32 %5, 0
  br i1 %6, label %11, label %7

7:
  %8 = getelementptr inbounds i8, ptr %0, i64 8
  %9 = load i32, ptr %0, align 8
  %10 = icmp sgt i32 %9, 0
  br i1 %10, label %27, label %26

11:
  %12 = phi i64 [ %22, %21 ], [ 0, %3 ]
  %13 = getelementptr inbounds ptr, ptr %4, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %21, label %16

16:
  %17 = getelementptr inbounds i8, ptr %14, i64 48
  %18 = load i32, ptr %17, align 8
  %19 = icmp eq i32 %18, 0
  br i1 %19, label %21, label %20

20:
  call void @gradir.mpi.await(ptr %14)
  br label %21

21:
  %22 = add nsw i64 %12, 1
  %23 = load i32, ptr %0, align 8
  %24 = sext i32 %23 to i64
  %25 = icmp slt i64 %22, %24
  br i1 %25, label %11, label %7

26:
  call void @free(ptr %0)
  ret void

27:
  %28 = phi i64 [ %38, %37 ], [ 0, %7 ]
  %29 = getelementptr inbounds ptr, ptr %8, i64 %28
  %30 = load ptr, ptr %29, align 8
  %31 = icmp eq ptr %30, null
  br i1 %31, label %37, label %32

32:
  %33 = getelementptr inbounds i8, ptr %30, i64 48
  %34 = load i32, ptr %33, align 8
  %35 = icmp eq i32 %34, 0
  br i1 %35, label %36, label %37

36:
  call void @gradir.mpi.send_back(ptr %30)
  br label %37

37:
  %38 = add nsw i64 %28, 1
  %39 = load i32, ptr %0, align 8
  %40 = sext i32 %39 to i64
  %41 = icmp slt i64 %38, %40
  br i1 %41, label %27, label %26
}
define internal i32 @gradir.mpi.Waitall.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
5:
  %6 = call i32 @gradir.mpi.wait_all(i32 %0, ptr %1, ptr %3, ptr null)
  ret i32 %6
}
define internal { ptr, i32 } @gradir.mpi.Waitall.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
5:
  %6 = alloca ptr, align 8
  store ptr null, ptr %6, align 8
  %7 = call i32 @gradir.mpi.wait_all(i32 %0, ptr %1, ptr %3, ptr %6)
  %8 = load ptr, ptr %6, align 8
  %9 = insertvalue { ptr, i32 } poison, ptr %8, 0
  %10 = insertvalue { ptr, i32 } %9, i32 %7, 1
  ret { ptr, i32 } %10
}
define internal void @gradir.mpi.Waitall.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5) {
6:
  call void @gradir.mpi.undo_ends(ptr %5)
  ret void
}
define internal i32 @gradir.mpi.Waitany.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = call i32 @gradir.mpi.wait_any(i32 %0, ptr %1, ptr %3, ptr %5, ptr null)
  ret i32 %8
}
define internal i32 @gradir.mpi.wait_any(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
5:
  %6 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %6, i32 %0, ptr %1)
  %7 = getelementptr inbounds i8, ptr %6, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = call i32 @MPI_Waitany(i32 %0, ptr %1, ptr %2, ptr %8)
  %10 = load i32, ptr %2, align 4
  %11 = icmp eq i32 %10, -32766
  br i1 %11, label %13, label %12

12:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %6, i32 1, ptr %2, ptr %1, ptr %3, ptr %4)
  br label %13

13:
  %14 = getelementptr inbounds i8, ptr %6, i64 8
  %15 = load ptr, ptr %14, align 8
  call void @free(ptr %15)
  call void @free(ptr %8)
  ret i32 %9
}
define internal { ptr, i32 } @gradir.mpi.Waitany.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = alloca ptr, align 8
  store ptr null, ptr %8, align 8
  %9 = call i32 @gradir.mpi.wait_any(i32 %0, ptr %1, ptr %3, ptr %5, ptr %8)
  %10 = load ptr, ptr %8, align 8
  %11 = insertvalue { ptr, i32 } poison, ptr %10, 0
  %12 = insertvalue { ptr, i32 } %11, i32 %9, 1
  ret { ptr, i32 } %12
}
define internal void @gradir.mpi.Waitany.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @gradir.mpi.undo_ends(ptr %7)
  ret void
}
define internal i32 @gradir.mpi.Waitsome.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %10, i32 %0, ptr %1)
  %11 = getelementptr inbounds i8, ptr %10, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = call i32 @MPI_Waitsome(i32 %0, ptr %1, ptr %3, ptr %5, ptr %12)
  %14 = load i32, ptr %3, align 4
  %15 = icmp eq i32 %14, -32766
  br i1 %15, label %17, label %16

16:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %10, i32 %14, ptr %5, ptr %1, ptr %7, ptr null)
  br label %17

17:
  %18 = getelementptr inbounds i8, ptr %10, i64 8
  %19 = load ptr, ptr %18, align 8
  call void @free(ptr %19)
  call void @free(ptr %12)
  ret i32 %13
}
declare i32 @MPI_Waitsome(i32, ptr, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Waitsome.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.waiting, align 8
  %11 = alloca ptr, align 8
  store ptr null, ptr %11, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %10, i32 %0, ptr %1)
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = call i32 @MPI_Waitsome(i32 %0, ptr %1, ptr %3, ptr %5, ptr %13)
  %15 = load i32, ptr %3, align 4
  %16 = icmp eq i32 %15, -32766
  br i1 %16, label %19, label %17

17:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %10, i32 %15, ptr %5, ptr %1, ptr %7, ptr %11)
  %18 = load ptr, ptr %11, align 8
  br label %19

19:
  %20 = phi ptr [ null, %9 ], [ %18, %17 ]
  %21 = getelementptr inbounds i8, ptr %10, i64 8
  %22 = load ptr, ptr %21, align 8
  call void @free(ptr %22)
  call void @free(ptr %13)
  %23 = insertvalue { ptr, i32 } poison, ptr %20, 0
  %24 = insertvalue { ptr, i32 } %23, i32 %14, 1
  ret { ptr, i32 } %24
}
define internal void @gradir.mpi.Waitsome.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9) {
10:
  call void @gradir.mpi.undo_ends(ptr %9)
  ret void
}
define internal i32 @gradir.mpi.Test.forward(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5) {
6:
  %7 = call i32 @gradir.mpi.test_all(i32 1, ptr %0, ptr %2, ptr %4, ptr null)
  ret i32 %7
}
define internal i32 @gradir.mpi.test_all(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4) {
5:
  %6 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %6, i32 %0, ptr %1)
  %7 = getelementptr inbounds i8, ptr %6, i64 16
  %8 = load ptr, ptr %7, align 8
  %9 = call i32 @MPI_Testall(i32 %0, ptr %1, ptr %2, ptr %8)
  %10 = load i32, ptr %2, align 4
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %13, label %12

12:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %6, i32 %0, ptr null, ptr %1, ptr %3, ptr %4)
  br label %13

13:
  %14 = getelementptr inbounds i8, ptr %6, i64 8
  %15 = load ptr, ptr %14, align 8
  call void @free(ptr %15)
  call void @free(ptr %8)
  ret i32 %9
}
define internal { ptr, i32 } @gradir.mpi.Test.augmented(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5) {
6:
  %7 = alloca ptr, align 8
  store ptr null, ptr %7, align 8
  %8 = call i32 @gradir.mpi.test_all(i32 1, ptr %0, ptr %2, ptr %4, ptr %7)
  %9 = load ptr, ptr %7, align 8
  %10 = insertvalue { ptr, i32 } poison, ptr %9, 0
  %11 = insertvalue { ptr, i32 } %10, i32 %8, 1
  ret { ptr, i32 } %11
}
define internal void @gradir.mpi.Test.reverse(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6) {
7:
  call void @gradir.mpi.undo_ends(ptr %6)
  ret void
}
define internal i32 @gradir.mpi.Testall.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = call i32 @gradir.mpi.test_all(i32 %0, ptr %1, ptr %3, ptr %5, ptr null)
  ret i32 %8
}
define internal { ptr, i32 } @gradir.mpi.Testall.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6) {
7:
  %8 = alloca ptr, align 8
  store ptr null, ptr %8, align 8
  %9 = call i32 @gradir.mpi.test_all(i32 %0, ptr %1, ptr %3, ptr %5, ptr %8)
  %10 = load ptr, ptr %8, align 8
  %11 = insertvalue { ptr, i32 } poison, ptr %10, 0
  %12 = insertvalue { ptr, i32 } %11, i32 %9, 1
  ret { ptr, i32 } %12
}
define internal void @gradir.mpi.Testall.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7) {
8:
  call void @gradir.mpi.undo_ends(ptr %7)
  ret void
}
define internal i32 @gradir.mpi.Testany.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = call i32 @gradir.mpi.test_any(i32 %0, ptr %1, ptr %3, ptr %5, ptr %7, ptr null)
  ret i32 %10
}
define internal i32 @gradir.mpi.test_any(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5) {
6:
  %7 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %7, i32 %0, ptr %1)
  %8 = getelementptr inbounds i8, ptr %7, i64 16
  %9 = load ptr, ptr %8, align 8
  %10 = call i32 @MPI_Testany(i32 %0, ptr %1, ptr %2, ptr %3, ptr %9)
  %11 = load i32, ptr %3, align 4
  %12 = icmp eq i32 %11, 0
  br i1 %12, label %17, label %13

13:
  %14 = load i32, ptr %2, align 4
  %15 = icmp eq i32 %14, -32766
  br i1 %15, label %17, label %16

16:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %7, i32 1, ptr %2, ptr %1, ptr %4, ptr %5)
  br label %17

17:
  %18 = getelementptr inbounds i8, ptr %7, i64 8
  %19 = load ptr, ptr %18, align 8
  call void @free(ptr %19)
  call void @free(ptr %9)
  ret i32 %10
}
define internal { ptr, i32 } @gradir.mpi.Testany.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = alloca ptr, align 8
  store ptr null, ptr %10, align 8
  %11 = call i32 @gradir.mpi.test_any(i32 %0, ptr %1, ptr %3, ptr %5, ptr %7, ptr %10)
  %12 = load ptr, ptr %10, align 8
  %13 = insertvalue { ptr, i32 } poison, ptr %12, 0
  %14 = insertvalue { ptr, i32 } %13, i32 %11, 1
  ret { ptr, i32 } %14
}
define internal void @gradir.mpi.Testany.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9) {
10:
  call void @gradir.mpi.undo_ends(ptr %9)
  ret void
}
define internal i32 @gradir.mpi.Testsome.forward(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.waiting, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %10, i32 %0, ptr %1)
  %11 = getelementptr inbounds i8, ptr %10, i64 16
  %12 = load ptr, ptr %11, align 8
  %13 = call i32 @MPI_Testsome(i32 %0, ptr %1, ptr %3, ptr %5, ptr %12)
  %14 = load i32, ptr %3, align 4
  %15 = icmp eq i32 %14, -32766
  br i1 %15, label %17, label %16

16:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %10, i32 %14, ptr %5, ptr %1, ptr %7, ptr null)
  br label %17

17:
  %18 = getelementptr inbounds i8, ptr %10, i64 8
  %19 = load ptr, ptr %18, align 8
  call void @free(ptr %19)
  call void @free(ptr %12)
  ret i32 %13
}
declare i32 @MPI_Testsome(i32, ptr, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Testsome.augmented(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8) {
9:
  %10 = alloca %struct.waiting, align 8
  %11 = alloca ptr, align 8
  store ptr null, ptr %11, align 8
  call void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %10, i32 %0, ptr %1)
  %12 = getelementptr inbounds i8, ptr %10, i64 16
  %13 = load ptr, ptr %12, align 8
  %14 = call i32 @MPI_Testsome(i32 %0, ptr %1, ptr %3, ptr %5, ptr %13)
  %15 = load i32, ptr %3, align 4
  %16 = icmp eq i32 %15, -32766
  br i1 %16, label %19, label %17

17:
  call void @gradir.mpi.done(ptr byval(%struct.waiting) %10, i32 %15, ptr %5, ptr %1, ptr %7, ptr %11)
  %18 = load ptr, ptr %11, align 8
  br label %19

19:
  %20 = phi ptr [ null, %9 ], [ %18, %17 ]
  %21 = getelementptr inbounds i8, ptr %10, i64 8
  %22 = load ptr, ptr %21, align 8
  call void @free(ptr %22)
  call void @free(ptr %13)
  %23 = insertvalue { ptr, i32 } poison, ptr %20, 0
  %24 = insertvalue { ptr, i32 } %23, i32 %14, 1
  ret { ptr, i32 } %24
}
define internal void @gradir.mpi.Testsome.reverse(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9) {
10:
  call void @gradir.mpi.undo_ends(ptr %9)
  ret void
}
define internal i32 @gradir.mpi.Start.forward(ptr %0, ptr %1) {
2:
  %3 = call i32 @gradir.mpi.start_all(i32 1, ptr %0, ptr null)
  ret i32 %3
}
define internal i32 @gradir.mpi.start_all(i32 %0, ptr %1, ptr %2) {
3:
  %4 = icmp sgt i32 %0, 0
  br i1 %4, label %5, label %10

5:
  %6 = icmp eq ptr %2, null
  %7 = zext i1 %6 to i32
  %8 = getelementptr inbounds i8, ptr %2, i64 8
  %9 = zext i32 %0 to i64
  br label %12

10:
  %11 = phi i32 [ 0, %3 ], [ %38, %37 ]
  ret i32 %11

12:
  %13 = phi i64 [ 0, %5 ], [ %39, %37 ]
  %14 = phi i32 [ 0, %5 ], [ %38, %37 ]
  %15 = getelementptr inbounds ptr, ptr %1, i64 %13
  %16 = load ptr, ptr %15, align 8
  br label %17

17:
  %18 = phi ptr [ @gradir.mpi.channels, %12 ], [ %19, %21 ]
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  br i1 %20, label %25, label %21

21:
  %22 = getelementptr inbounds i8, ptr %19, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = icmp eq ptr %23, %16
  br i1 %24, label %29, label %17

25:
  %26 = call i32 @MPI_Start(ptr %15)
  %27 = icmp eq i32 %14, 0
  %28 = select i1 %27, i32 %26, i32 %14
  br label %37

29:
  %30 = call i32 @gradir.mpi.start(ptr %19, i32 %7)
  %31 = icmp eq i32 %14, 0
  %32 = select i1 %31, i32 %30, i32 %14
  br i1 %6, label %37, label %33

33:
  %34 = getelementptr inbounds i8, ptr %19, i64 88
  %35 = load ptr, ptr %34, align 8
  %36 = getelementptr inbounds ptr, ptr %8, i64 %13
  store ptr %35, ptr %36, align 8
  br label %37

37:
  %38 = phi i32 [ %28, %25 ], [ %32, %33 ], [ %32, %29 ]
  %39 = add nsw i64 %13, 1
  %40 = icmp eq i64 %39, %9
  br i1 %40, label %10, label %12
}
define internal { ptr, i32 } @gradir.mpi.Start.augmented(ptr %0, ptr %1) {
2:
  %3 = call ptr @calloc(i64 1, i64 16)
  store i32 1, ptr %3, align 8
  %4 = call i32 @gradir.mpi.start_all(i32 1, ptr %0, ptr %3)
  %5 = insertvalue { ptr, i32 } poison, ptr %3, 0
  %6 = insertvalue { ptr, i32 } %5, i32 %4, 1
  ret { ptr, i32 } %6
}
define internal void @gradir.mpi.Start.reverse(ptr %0, ptr %1, ptr %2) {
3:
  call void @gradir.mpi.undo_starts(ptr %2)
  ret void
}
define internal void @gradir.mpi.undo_starts(ptr %0) {
1:
  %2 = load i32, ptr %0, align 8
  %3 = icmp sgt i32 %2, 0
  br i1 %3, label %4, label %6

4:
  %5 = zext i32 %2 to i64
  br label %7

6:
  call void @free(ptr %0)
  ret void

7:
  %8 = phi i64 [ %5, %4 ], [ %9, %7 ]
  %9 = add nsw i64 %8, -1
  %10 = getelementptr ptr, ptr %0, i64 %8
  %11 = load ptr, ptr %10, align 8
  call void @gradir.mpi.undo_start(ptr %11)
  %12 = icmp ugt i64 %8, 1
  br i1 %12, label %7, label %6
}
define internal i32 @gradir.mpi.Startall.forward(i32 %0, ptr %1, ptr %2) {
3:
  %4 = call i32 @gradir.mpi.start_all(i32 %0, ptr %1, ptr null)
  ret i32 %4
}
define internal { ptr, i32 } @gradir.mpi.Startall.augmented(i32 %0, ptr %1, ptr %2) {
3:
  %4 = sext i32 %0 to i64
  %5 = shl nsw i64 %4, 3
  %6 = add nsw i64 %5, 8
  %7 = call ptr @calloc(i64 1, i64 %6)
  store i32 %0, ptr %7, align 8
  %8 = call i32 @gradir.mpi.start_all(i32 %0, ptr %1, ptr %7)
  %9 = insertvalue { ptr, i32 } poison, ptr %7, 0
  %10 = insertvalue { ptr, i32 } %9, i32 %8, 1
  ret { ptr, i32 } %10
}
define internal void @gradir.mpi.Startall.reverse(i32 %0, ptr %1, ptr %2, ptr %3) {
4:
  call void @gradir.mpi.undo_starts(ptr %3)
  ret void
}
define internal i32 @gradir.mpi.Request_free.forward(ptr %0, ptr %1) {
2:
  %3 = call i32 @gradir.mpi.give_up(ptr %0)
  ret i32 %3
}
define internal i32 @gradir.mpi.give_up(ptr %0) {
1:
  %2 = load ptr, ptr %0, align 8
  br label %3

3:
  %4 = phi ptr [ @gradir.mpi.channels, %1 ], [ %5, %7 ]
  %5 = load ptr, ptr %4, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %11, label %7

7:
  %8 = getelementptr inbounds i8, ptr %5, i64 8
  %9 = load ptr, ptr %8, align 8
  %10 = icmp eq ptr %9, %2
  br i1 %10, label %13, label %3

11:
  %12 = call i32 @MPI_Request_free(ptr %0)
  br label %26

13:
  %14 = getelementptr inbounds i8, ptr %5, i64 72
  %15 = load i32, ptr %14, align 8
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %24, label %17

17:
  %18 = getelementptr inbounds i8, ptr %5, i64 64
  %19 = load i32, ptr %18, align 8
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %21, label %22

21:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.55, ptr @gradir.mpi.str.56)
  unreachable

22:
  %23 = call i32 @MPI_Wait(ptr %0, ptr null)
  br label %24

24:
  %25 = call i32 @MPI_Request_free(ptr %0)
  call void @gradir.mpi.close_channel(ptr %5)
  br label %26

26:
  %27 = phi i32 [ %25, %24 ], [ %12, %11 ]
  ret i32 %27
}
define internal { ptr, i32 } @gradir.mpi.Request_free.augmented(ptr %0, ptr %1) {
2:
  %3 = call i32 @gradir.mpi.give_up(ptr %0)
  %4 = insertvalue { ptr, i32 } { ptr null, i32 poison }, i32 %3, 1
  ret { ptr, i32 } %4
}
define internal void @gradir.mpi.Request_free.reverse(ptr %0, ptr %1, ptr %2) {
3:
  ret void
}
define internal i32 @gradir.mpi.Bcast.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, ptr %6, ptr %7) {
8:
  %9 = call ptr @gradir.mpi.broadcast(ptr %0, ptr %1, i32 %2, ptr %3, i32 %5, ptr %6)
  %10 = icmp eq ptr %9, null
  br i1 %10, label %15, label %11

11:
  %12 = getelementptr inbounds i8, ptr %9, i64 8
  %13 = load ptr, ptr %12, align 8
  %14 = call ptr @gradir.mpi.taken(ptr %13, i32 1, ptr %6)
  br label %15

15:
  %16 = phi ptr [ %14, %11 ], [ null, %8 ]
  %17 = call i32 @MPI_Bcast(ptr %0, i32 %2, ptr %3, i32 %5, ptr %6)
  call void @gradir.mpi.push(ptr %9, ptr %16)
  ret i32 %17
}
define internal ptr @gradir.mpi.broadcast(ptr %0, ptr %1, i32 %2, ptr %3, i32 %4, ptr %5) {
6:
  %7 = alloca i32, align 4
  %8 = call i64 @gradir.mpi.floats_in(ptr %3, ptr %0, ptr %1)
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %20, label %10

10:
  %11 = call i32 @MPI_Comm_rank(ptr %5, ptr %7)
  %12 = load i32, ptr %7, align 4
  %13 = icmp eq i32 %12, %4
  br i1 %13, label %14, label %16

14:
  %15 = call ptr @gradir.mpi.new_side(ptr %0, ptr %1, ptr %3, i32 1, i32 %2, ptr null, ptr null)
  br label %16

16:
  %17 = phi ptr [ %15, %14 ], [ null, %10 ]
  %18 = call ptr @gradir.mpi.new_side(ptr %0, ptr %1, ptr %3, i32 1, i32 %2, ptr null, ptr null)
  %19 = call ptr @gradir.mpi.new_collective(i32 0, ptr %17, ptr %18, i32 %4, ptr %5)
  br label %20

20:
  %21 = phi ptr [ %19, %16 ], [ null, %6 ]
  ret ptr %21
}
define internal ptr @gradir.mpi.taken(ptr %0, i32 %1, ptr %2) {
3:
  %4 = icmp eq ptr %0, null
  br i1 %4, label %21, label %5

5:
  %6 = getelementptr inbounds i8, ptr %0, i64 56
  %7 = load i32, ptr %6, align 8
  %8 = call i32 @llvm.umax.i32(i32 %7, i32 1)
  %9 = sext i32 %8 to i64
  %10 = call ptr @calloc(i64 %9, i64 8)
  %11 = icmp eq i32 %1, 0
  %12 = load ptr, ptr %0, align 8
  br i1 %11, label %19, label %13

13:
  %14 = getelementptr inbounds i8, ptr %0, i64 8
  %15 = load ptr, ptr %14, align 8
  %16 = icmp ne ptr %15, null
  %17 = icmp ne ptr %15, %12
  %18 = and i1 %16, %17
  br i1 %18, label %19, label %21

19:
  %20 = phi ptr [ %12, %5 ], [ %15, %13 ]
  call void @gradir.mpi.exchange_side(ptr %0, ptr %20, ptr %10, ptr %2, i32 0)
  br label %21

21:
  %22 = phi ptr [ null, %3 ], [ %10, %13 ], [ %10, %19 ]
  ret ptr %22
}
declare i32 @MPI_Bcast(ptr, i32, ptr, i32, ptr)
define internal void @gradir.mpi.push(ptr %0, ptr %1) {
2:
  %3 = icmp eq ptr %0, null
  br i1 %3, label %65, label %4

4:
  %5 = getelementptr inbounds i8, ptr %0, i64 16
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %14, label %8

8:
  %9 = getelementptr inbounds i8, ptr %6, i64 56
  %10 = load i32, ptr %9, align 8
  %11 = call i32 @llvm.umax.i32(i32 %10, i32 1)
  %12 = sext i32 %11 to i64
  %13 = call ptr @calloc(i64 %12, i64 8)
  br label %14

14:
  %15 = phi ptr [ %13, %8 ], [ null, %4 ]
  %16 = icmp eq ptr %1, null
  br i1 %16, label %43, label %17

17:
  %18 = getelementptr inbounds i8, ptr %0, i64 40
  %19 = load ptr, ptr %18, align 8
  %20 = icmp eq ptr %19, null
  br i1 %20, label %43, label %21

21:
  %22 = getelementptr inbounds i8, ptr %0, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = getelementptr inbounds i8, ptr %23, i64 56
  %25 = load i32, ptr %24, align 8
  %26 = call i32 @llvm.smax.i32(i32 %25, i32 0)
  %27 = zext i32 %26 to i64
  %28 = icmp slt i32 %25, 1
  br i1 %28, label %43, label %29

29:
  %30 = phi i64 [ %41, %38 ], [ 0, %21 ]
  %31 = getelementptr inbounds double, ptr %19, i64 %30
  %32 = load double, ptr %31, align 8
  %33 = fcmp oeq double %32, 0.000000e+00
  br i1 %33, label %38, label %34

34:
  %35 = getelementptr inbounds double, ptr %1, i64 %30
  %36 = load double, ptr %35, align 8
  %37 = fmul double %32, %36
  br label %38

38:
  %39 = phi double [ %37, %34 ], [ 0.000000e+00, %29 ]
  %40 = getelementptr inbounds double, ptr %1, i64 %30
  store double %39, ptr %40, align 8
  %41 = add nsw i64 %30, 1
  %42 = icmp eq i64 %41, %27
  br i1 %42, label %43, label %29

43:
  %44 = load i32, ptr %0, align 8
  %45 = getelementptr inbounds i8, ptr %0, i64 8
  %46 = load ptr, ptr %45, align 8
  %47 = getelementptr inbounds i8, ptr %0, i64 24
  %48 = load i32, ptr %47, align 8
  %49 = getelementptr inbounds i8, ptr %0, i64 32
  %50 = load ptr, ptr %49, align 8
  call void @gradir.mpi.apply(i32 %44, ptr %46, ptr %1, ptr %6, ptr %15, i32 %48, ptr %50)
  %51 = icmp eq ptr %15, null
  br i1 %51, label %64, label %52

52:
  %53 = load ptr, ptr %5, align 8
  %54 = load ptr, ptr %49, align 8
  %55 = icmp eq ptr %53, null
  br i1 %55, label %64, label %56

56:
  %57 = load ptr, ptr %53, align 8
  %58 = getelementptr inbounds i8, ptr %53, i64 8
  %59 = load ptr, ptr %58, align 8
  %60 = icmp ne ptr %59, null
  %61 = icmp ne ptr %59, %57
  %62 = and i1 %60, %61
  br i1 %62, label %63, label %64

63:
  call void @gradir.mpi.exchange_side(ptr %53, ptr %59, ptr %15, ptr %54, i32 1)
  br label %64

64:
  call void @free(ptr %1)
  call void @free(ptr %15)
  call void @gradir.mpi.release_collective(ptr %0)
  br label %65

65:
  ret void
}
define internal { ptr, i32 } @gradir.mpi.Bcast.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, ptr %6, ptr %7) {
8:
  %9 = call ptr @gradir.mpi.broadcast(ptr %0, ptr %1, i32 %2, ptr %3, i32 %5, ptr %6)
  %10 = icmp eq ptr %9, null
  br i1 %10, label %14, label %11

11:
  %12 = load i64, ptr @gradir.mpi.tapes, align 8
  %13 = add nsw i64 %12, 1
  store i64 %13, ptr @gradir.mpi.tapes, align 8
  br label %14

14:
  %15 = call i32 @MPI_Bcast(ptr %0, i32 %2, ptr %3, i32 %5, ptr %6)
  %16 = insertvalue { ptr, i32 } poison, ptr %9, 0
  %17 = insertvalue { ptr, i32 } %16, i32 %15, 1
  ret { ptr, i32 } %17
}
define internal void @gradir.mpi.Bcast.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, i32 %5, ptr %6, ptr %7, ptr %8) {
9:
  call void @gradir.mpi.pull(ptr %8)
  ret void
}
define internal void @gradir.mpi.pull(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %86, label %3

3:
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 32
  %7 = load ptr, ptr %6, align 8
  %8 = call ptr @gradir.mpi.taken(ptr %5, i32 1, ptr %7)
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  %11 = icmp eq ptr %10, null
  br i1 %11, label %18, label %12

12:
  %13 = getelementptr inbounds i8, ptr %10, i64 56
  %14 = load i32, ptr %13, align 8
  %15 = call i32 @llvm.umax.i32(i32 %14, i32 1)
  %16 = sext i32 %15 to i64
  %17 = call ptr @calloc(i64 %16, i64 8)
  br label %18

18:
  %19 = phi ptr [ %17, %12 ], [ null, %3 ]
  %20 = load ptr, ptr %4, align 8
  %21 = icmp eq ptr %20, null
  br i1 %21, label %38, label %22

22:
  %23 = load ptr, ptr %20, align 8
  %24 = getelementptr inbounds i8, ptr %20, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp ne ptr %25, null
  %27 = icmp ne ptr %25, %23
  %28 = and i1 %26, %27
  br i1 %28, label %29, label %38

29:
  %30 = getelementptr inbounds i8, ptr %20, i64 56
  %31 = load i32, ptr %30, align 8
  %32 = call i32 @llvm.umax.i32(i32 %31, i32 1)
  %33 = sext i32 %32 to i64
  %34 = call ptr @calloc(i64 %33, i64 8)
  %35 = load ptr, ptr %6, align 8
  call void @gradir.mpi.exchange_side(ptr %20, ptr %25, ptr %34, ptr %35, i32 1)
  call void @free(ptr %34)
  %36 = load ptr, ptr %4, align 8
  %37 = load ptr, ptr %9, align 8
  br label %38

38:
  %39 = phi ptr [ %37, %29 ], [ %10, %22 ], [ %10, %18 ]
  %40 = phi ptr [ %36, %29 ], [ %20, %22 ], [ null, %18 ]
  %41 = load i32, ptr %0, align 8
  %42 = zext i32 %41 to i64
  %43 = getelementptr inbounds i32, ptr @gradir.mpi.transposed.of, i64 %42
  %44 = load i32, ptr %43, align 4
  %45 = getelementptr inbounds i8, ptr %0, i64 24
  %46 = load i32, ptr %45, align 8
  %47 = load ptr, ptr %6, align 8
  call void @gradir.mpi.apply(i32 %44, ptr %40, ptr %8, ptr %39, ptr %19, i32 %46, ptr %47)
  %48 = icmp eq ptr %19, null
  br i1 %48, label %85, label %49

49:
  %50 = getelementptr inbounds i8, ptr %0, i64 40
  %51 = load ptr, ptr %50, align 8
  %52 = icmp eq ptr %51, null
  %53 = load ptr, ptr %9, align 8
  br i1 %52, label %74, label %54

54:
  %55 = getelementptr inbounds i8, ptr %53, i64 56
  %56 = load i32, ptr %55, align 8
  %57 = call i32 @llvm.smax.i32(i32 %56, i32 0)
  %58 = zext i32 %57 to i64
  %59 = icmp slt i32 %56, 1
  br i1 %59, label %76, label %60

60:
  %61 = phi i64 [ %72, %69 ], [ 0, %54 ]
  %62 = getelementptr inbounds double, ptr %51, i64 %61
  %63 = load double, ptr %62, align 8
  %64 = fcmp oeq double %63, 0.000000e+00
  br i1 %64, label %69, label %65

65:
  %66 = getelementptr inbounds double, ptr %19, i64 %61
  %67 = load double, ptr %66, align 8
  %68 = fmul double %63, %67
  br label %69

69:
  %70 = phi double [ %68, %65 ], [ 0.000000e+00, %60 ]
  %71 = getelementptr inbounds double, ptr %19, i64 %61
  store double %70, ptr %71, align 8
  %72 = add nsw i64 %61, 1
  %73 = icmp eq i64 %72, %58
  br i1 %73, label %74, label %60

74:
  %75 = icmp eq ptr %53, null
  br i1 %75, label %85, label %76

76:
  %77 = load ptr, ptr %53, align 8
  %78 = getelementptr inbounds i8, ptr %53, i64 8
  %79 = load ptr, ptr %78, align 8
  %80 = icmp ne ptr %79, null
  %81 = icmp ne ptr %79, %77
  %82 = and i1 %80, %81
  br i1 %82, label %83, label %85

83:
  %84 = load ptr, ptr %6, align 8
  call void @gradir.mpi.exchange_side(ptr %53, ptr %79, ptr %19, ptr %84, i32 2)
  br label %85

85:
  call void @free(ptr %19)
  call void @free(ptr %8)
  call void @gradir.mpi.release_collective(ptr %0)
  call void @gradir.mpi.close_tape()
  br label %86

86:
  ret void
}
define internal i32 @gradir.mpi.Reduce.forward(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.reduced(i32 1, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 %9, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = call ptr @gradir.mpi.taken(ptr %17, i32 1, ptr %10)
  br label %19

19:
  %20 = phi ptr [ %18, %15 ], [ null, %12 ]
  %21 = call i32 @MPI_Reduce(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, i32 %9, ptr %10)
  call void @gradir.mpi.push(ptr %13, ptr %20)
  ret i32 %21
}
define internal ptr @gradir.mpi.reduced(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 %5, ptr %6, ptr %7, ptr %8, i32 %9, ptr %10) {
11:
  %12 = alloca i32, align 4
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = icmp eq ptr %1, inttoptr (i64 1 to ptr)
  %17 = select i1 %16, ptr %3, ptr %1
  %18 = select i1 %16, ptr %4, ptr %2
  %19 = call i64 @gradir.mpi.floats_in(ptr %7, ptr %17, ptr %18)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %164, label %21

21:
  %22 = call i32 @MPI_Comm_rank(ptr %10, ptr %15)
  %23 = load i32, ptr %15, align 4
  %24 = icmp eq i32 %0, 6
  br i1 %24, label %25, label %28

25:
  %26 = call i32 @MPI_Comm_size(ptr %10, ptr %14)
  %27 = load i32, ptr %14, align 4
  br label %28

28:
  %29 = phi i32 [ %27, %25 ], [ 1, %21 ]
  %30 = call ptr @gradir.mpi.new_side(ptr %17, ptr %18, ptr %7, i32 %29, i32 %5, ptr %6, ptr null)
  %31 = icmp slt i32 %9, 0
  %32 = icmp eq i32 %23, %9
  %33 = select i1 %31, i1 true, i1 %32
  br i1 %33, label %34, label %43

34:
  %35 = icmp eq ptr %6, null
  br i1 %35, label %40, label %36

36:
  %37 = sext i32 %23 to i64
  %38 = getelementptr inbounds i32, ptr %6, i64 %37
  %39 = load i32, ptr %38, align 4
  br label %40

40:
  %41 = phi i32 [ %39, %36 ], [ %5, %34 ]
  %42 = call ptr @gradir.mpi.new_side(ptr %3, ptr %4, ptr %7, i32 1, i32 %41, ptr null, ptr null)
  br label %43

43:
  %44 = phi ptr [ %42, %40 ], [ null, %28 ]
  %45 = call ptr @gradir.mpi.new_collective(i32 %0, ptr %30, ptr %44, i32 %9, ptr %10)
  %46 = icmp eq ptr %45, null
  %47 = icmp eq ptr %8, @ompi_mpi_op_sum
  %48 = or i1 %47, %46
  br i1 %48, label %164, label %49

49:
  %50 = icmp ne ptr %8, @ompi_mpi_op_prod
  %51 = icmp ne ptr %8, @ompi_mpi_op_max
  %52 = and i1 %50, %51
  %53 = icmp ne ptr %8, @ompi_mpi_op_min
  %54 = and i1 %53, %52
  br i1 %54, label %55, label %56

55:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.59, ptr @gradir.mpi.str.60)
  unreachable

56:
  %57 = getelementptr inbounds i8, ptr %45, i64 8
  %58 = load ptr, ptr %57, align 8
  %59 = getelementptr inbounds i8, ptr %58, i64 16
  %60 = load ptr, ptr %59, align 8
  %61 = call i32 @gradir.mpi.is_named(ptr %60)
  %62 = icmp eq i32 %61, 0
  br i1 %62, label %69, label %63

63:
  %64 = call i64 @gradir.mpi.leaf_of(ptr %60)
  %65 = lshr i64 %64, 32
  %66 = trunc i64 %65 to i32
  %67 = icmp slt i32 %66, 2
  br i1 %67, label %69, label %68

68:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.61, ptr @gradir.mpi.str.62)
  unreachable

69:
  %70 = getelementptr inbounds i8, ptr %45, i64 32
  %71 = load ptr, ptr %70, align 8
  %72 = call ptr @gradir.mpi.taken(ptr %58, i32 0, ptr %71)
  %73 = getelementptr inbounds i8, ptr %58, i64 56
  %74 = load i32, ptr %73, align 8
  %75 = call i32 @llvm.umax.i32(i32 %74, i32 1)
  %76 = sext i32 %75 to i64
  %77 = call ptr @calloc(i64 %76, i64 8)
  %78 = getelementptr inbounds i8, ptr %45, i64 40
  store ptr %77, ptr %78, align 8
  %79 = icmp eq ptr %8, @ompi_mpi_op_prod
  br i1 %79, label %80, label %123

80:
  %81 = call ptr @calloc(i64 %76, i64 8)
  %82 = call ptr @calloc(i64 %76, i64 8)
  %83 = call ptr @calloc(i64 %76, i64 8)
  %84 = icmp sgt i32 %74, 0
  br i1 %84, label %85, label %101

85:
  %86 = zext i32 %74 to i64
  br label %90

87:
  %88 = call i32 @MPI_Allreduce(ptr %83, ptr %77, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_prod, ptr %71)
  %89 = call i32 @MPI_Allreduce(ptr %81, ptr %82, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_sum, ptr %71)
  br label %104

90:
  %91 = phi i64 [ 0, %85 ], [ %99, %90 ]
  %92 = getelementptr inbounds double, ptr %72, i64 %91
  %93 = load double, ptr %92, align 8
  %94 = fcmp oeq double %93, 0.000000e+00
  %95 = uitofp i1 %94 to double
  %96 = getelementptr inbounds double, ptr %81, i64 %91
  store double %95, ptr %96, align 8
  %97 = select i1 %94, double 1.000000e+00, double %93
  %98 = getelementptr inbounds double, ptr %83, i64 %91
  store double %97, ptr %98, align 8
  %99 = add nsw i64 %91, 1
  %100 = icmp eq i64 %99, %86
  br i1 %100, label %87, label %90

101:
  %102 = call i32 @MPI_Allreduce(ptr %83, ptr %77, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_prod, ptr %71)
  %103 = call i32 @MPI_Allreduce(ptr %81, ptr %82, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_sum, ptr %71)
  br label %122

104:
  %105 = phi i64 [ 0, %87 ], [ %120, %117 ]
  %106 = getelementptr inbounds double, ptr %82, i64 %105
  %107 = load double, ptr %106, align 8
  %108 = getelementptr inbounds double, ptr %81, i64 %105
  %109 = load double, ptr %108, align 8
  %110 = fcmp ogt double %107, %109
  br i1 %110, label %117, label %111

111:
  %112 = getelementptr inbounds double, ptr %77, i64 %105
  %113 = load double, ptr %112, align 8
  %114 = getelementptr inbounds double, ptr %83, i64 %105
  %115 = load double, ptr %114, align 8
  %116 = fdiv double %113, %115
  br label %117

117:
  %118 = phi double [ %116, %111 ], [ 0.000000e+00, %104 ]
  %119 = getelementptr inbounds double, ptr %77, i64 %105
  store double %118, ptr %119, align 8
  %120 = add nsw i64 %105, 1
  %121 = icmp eq i64 %120, %86
  br i1 %121, label %122, label %104

122:
  call void @free(ptr %81)
  call void @free(ptr %82)
  call void @free(ptr %83)
  br label %163

123:
  %124 = call ptr @calloc(i64 %76, i64 8)
  %125 = call ptr @calloc(i64 %76, i64 8)
  %126 = call ptr @calloc(i64 %76, i64 8)
  %127 = call i32 @MPI_Comm_rank(ptr %71, ptr %12)
  %128 = call i32 @MPI_Comm_size(ptr %71, ptr %13)
  %129 = call i32 @MPI_Allreduce(ptr %72, ptr %124, i32 %74, ptr @ompi_mpi_double, ptr %8, ptr %71)
  %130 = icmp sgt i32 %74, 0
  br i1 %130, label %131, label %135

131:
  %132 = load i32, ptr %12, align 4
  %133 = load i32, ptr %13, align 4
  %134 = zext i32 %74 to i64
  br label %141

135:
  %136 = call i32 @MPI_Allreduce(ptr %125, ptr %126, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_min, ptr %71)
  br label %162

137:
  %138 = call i32 @MPI_Allreduce(ptr %125, ptr %126, i32 %74, ptr @ompi_mpi_double, ptr @ompi_mpi_op_min, ptr %71)
  %139 = load i32, ptr %12, align 4
  %140 = sitofp i32 %139 to double
  br label %153

141:
  %142 = phi i64 [ 0, %131 ], [ %151, %141 ]
  %143 = getelementptr inbounds double, ptr %72, i64 %142
  %144 = load double, ptr %143, align 8
  %145 = getelementptr inbounds double, ptr %124, i64 %142
  %146 = load double, ptr %145, align 8
  %147 = fcmp oeq double %144, %146
  %148 = select i1 %147, i32 %132, i32 %133
  %149 = sitofp i32 %148 to double
  %150 = getelementptr inbounds double, ptr %125, i64 %142
  store double %149, ptr %150, align 8
  %151 = add nsw i64 %142, 1
  %152 = icmp eq i64 %151, %134
  br i1 %152, label %137, label %141

153:
  %154 = phi i64 [ 0, %137 ], [ %160, %153 ]
  %155 = getelementptr inbounds double, ptr %126, i64 %154
  %156 = load double, ptr %155, align 8
  %157 = fcmp oeq double %156, %140
  %158 = uitofp i1 %157 to double
  %159 = getelementptr inbounds double, ptr %77, i64 %154
  store double %158, ptr %159, align 8
  %160 = add nsw i64 %154, 1
  %161 = icmp eq i64 %160, %134
  br i1 %161, label %162, label %153

162:
  call void @free(ptr %124)
  call void @free(ptr %125)
  call void @free(ptr %126)
  br label %163

163:
  call void @free(ptr %72)
  br label %164

164:
  %165 = phi ptr [ null, %11 ], [ %45, %43 ], [ %45, %163 ]
  ret ptr %165
}
declare i32 @MPI_Reduce(ptr, ptr, i32, ptr, ptr, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Reduce.augmented(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.reduced(i32 1, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 %9, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %18, label %15

15:
  %16 = load i64, ptr @gradir.mpi.tapes, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, ptr @gradir.mpi.tapes, align 8
  br label %18

18:
  %19 = call i32 @MPI_Reduce(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, i32 %9, ptr %10)
  %20 = insertvalue { ptr, i32 } poison, ptr %13, 0
  %21 = insertvalue { ptr, i32 } %20, i32 %19, 1
  ret { ptr, i32 } %21
}
define internal void @gradir.mpi.Reduce.reverse(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, i32 %9, ptr %10, ptr %11, ptr %12) {
13:
  call void @gradir.mpi.pull(ptr %12)
  ret void
}
define internal i32 @gradir.mpi.Allreduce.forward(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = call ptr @gradir.mpi.reduced(i32 2, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 -1, ptr %9)
  %13 = icmp eq ptr %12, null
  br i1 %13, label %18, label %14

14:
  %15 = getelementptr inbounds i8, ptr %12, i64 8
  %16 = load ptr, ptr %15, align 8
  %17 = call ptr @gradir.mpi.taken(ptr %16, i32 1, ptr %9)
  br label %18

18:
  %19 = phi ptr [ %17, %14 ], [ null, %11 ]
  %20 = call i32 @MPI_Allreduce(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, ptr %9)
  call void @gradir.mpi.push(ptr %12, ptr %19)
  ret i32 %20
}
declare i32 @MPI_Allreduce(ptr, ptr, i32, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Allreduce.augmented(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = call ptr @gradir.mpi.reduced(i32 2, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 -1, ptr %9)
  %13 = icmp eq ptr %12, null
  br i1 %13, label %17, label %14

14:
  %15 = load i64, ptr @gradir.mpi.tapes, align 8
  %16 = add nsw i64 %15, 1
  store i64 %16, ptr @gradir.mpi.tapes, align 8
  br label %17

17:
  %18 = call i32 @MPI_Allreduce(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, ptr %9)
  %19 = insertvalue { ptr, i32 } poison, ptr %12, 0
  %20 = insertvalue { ptr, i32 } %19, i32 %18, 1
  ret { ptr, i32 } %20
}
define internal void @gradir.mpi.Allreduce.reverse(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.pull(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Reduce_scatter.forward(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.reduced(i32 6, ptr %0, ptr %1, ptr %2, ptr %3, i32 0, ptr %4, ptr %6, ptr %8, i32 -1, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = call ptr @gradir.mpi.taken(ptr %17, i32 1, ptr %10)
  br label %19

19:
  %20 = phi ptr [ %18, %15 ], [ null, %12 ]
  %21 = call i32 @MPI_Reduce_scatter(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %10)
  call void @gradir.mpi.push(ptr %13, ptr %20)
  ret i32 %21
}
declare i32 @MPI_Reduce_scatter(ptr, ptr, ptr, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Reduce_scatter.augmented(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.reduced(i32 6, ptr %0, ptr %1, ptr %2, ptr %3, i32 0, ptr %4, ptr %6, ptr %8, i32 -1, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %18, label %15

15:
  %16 = load i64, ptr @gradir.mpi.tapes, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, ptr @gradir.mpi.tapes, align 8
  br label %18

18:
  %19 = call i32 @MPI_Reduce_scatter(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %10)
  %20 = insertvalue { ptr, i32 } poison, ptr %13, 0
  %21 = insertvalue { ptr, i32 } %20, i32 %19, 1
  ret { ptr, i32 } %21
}
define internal void @gradir.mpi.Reduce_scatter.reverse(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  call void @gradir.mpi.pull(ptr %12)
  ret void
}
define internal i32 @gradir.mpi.Reduce_scatter_block.forward(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = call ptr @gradir.mpi.reduced(i32 6, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 -1, ptr %9)
  %13 = icmp eq ptr %12, null
  br i1 %13, label %18, label %14

14:
  %15 = getelementptr inbounds i8, ptr %12, i64 8
  %16 = load ptr, ptr %15, align 8
  %17 = call ptr @gradir.mpi.taken(ptr %16, i32 1, ptr %9)
  br label %18

18:
  %19 = phi ptr [ %17, %14 ], [ null, %11 ]
  %20 = call i32 @MPI_Reduce_scatter_block(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, ptr %9)
  call void @gradir.mpi.push(ptr %12, ptr %19)
  ret i32 %20
}
declare i32 @MPI_Reduce_scatter_block(ptr, ptr, i32, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Reduce_scatter_block.augmented(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10) {
11:
  %12 = call ptr @gradir.mpi.reduced(i32 6, ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr null, ptr %5, ptr %7, i32 -1, ptr %9)
  %13 = icmp eq ptr %12, null
  br i1 %13, label %17, label %14

14:
  %15 = load i64, ptr @gradir.mpi.tapes, align 8
  %16 = add nsw i64 %15, 1
  store i64 %16, ptr @gradir.mpi.tapes, align 8
  br label %17

17:
  %18 = call i32 @MPI_Reduce_scatter_block(ptr %0, ptr %2, i32 %4, ptr %5, ptr %7, ptr %9)
  %19 = insertvalue { ptr, i32 } poison, ptr %12, 0
  %20 = insertvalue { ptr, i32 } %19, i32 %18, 1
  ret { ptr, i32 } %20
}
define internal void @gradir.mpi.Reduce_scatter_block.reverse(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  call void @gradir.mpi.pull(ptr %11)
  ret void
}
define internal i32 @gradir.mpi.Gather.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12) {
13:
  %14 = call ptr @gradir.mpi.gathered(i32 3, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, i32 %10, ptr %11)
  %15 = icmp eq ptr %14, null
  br i1 %15, label %20, label %16

16:
  %17 = getelementptr inbounds i8, ptr %14, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = call ptr @gradir.mpi.taken(ptr %18, i32 1, ptr %11)
  br label %20

20:
  %21 = phi ptr [ %19, %16 ], [ null, %13 ]
  %22 = call i32 @MPI_Gather(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, i32 %10, ptr %11)
  call void @gradir.mpi.push(ptr %14, ptr %21)
  ret i32 %22
}
define internal ptr @gradir.mpi.gathered(i32 %0, ptr %1, ptr %2, i32 %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, i32 %11, ptr %12) {
13:
  %14 = alloca i32, align 4
  %15 = alloca i32, align 4
  %16 = alloca i32, align 4
  %17 = icmp slt i32 %11, 0
  br i1 %17, label %22, label %18

18:
  %19 = call i32 @MPI_Comm_rank(ptr %12, ptr %16)
  %20 = load i32, ptr %16, align 4
  %21 = icmp eq i32 %20, %11
  br label %22

22:
  %23 = phi i1 [ true, %13 ], [ %21, %18 ]
  %24 = icmp eq ptr %1, inttoptr (i64 1 to ptr)
  br i1 %24, label %25, label %28

25:
  %26 = call i64 @gradir.mpi.floats_in(ptr %10, ptr %5, ptr %6)
  %27 = icmp eq i64 %26, 0
  br i1 %27, label %47, label %31

28:
  %29 = call i64 @gradir.mpi.floats_in(ptr %4, ptr %1, ptr %2)
  %30 = icmp eq i64 %29, 0
  br i1 %30, label %47, label %31

31:
  br i1 %23, label %32, label %36

32:
  %33 = call i32 @MPI_Comm_size(ptr %12, ptr %15)
  %34 = load i32, ptr %15, align 4
  %35 = call ptr @gradir.mpi.new_side(ptr %5, ptr %6, ptr %10, i32 %34, i32 %7, ptr %8, ptr %9)
  br label %36

36:
  %37 = phi ptr [ %35, %32 ], [ null, %31 ]
  br i1 %24, label %38, label %42

38:
  %39 = call i32 @MPI_Comm_rank(ptr %12, ptr %14)
  %40 = load i32, ptr %14, align 4
  %41 = call ptr @gradir.mpi.part_of(ptr %37, i32 %40)
  br label %44

42:
  %43 = call ptr @gradir.mpi.new_side(ptr %1, ptr %2, ptr %4, i32 1, i32 %3, ptr null, ptr null)
  br label %44

44:
  %45 = phi ptr [ %41, %38 ], [ %43, %42 ]
  %46 = call ptr @gradir.mpi.new_collective(i32 %0, ptr %45, ptr %37, i32 %11, ptr %12)
  br label %47

47:
  %48 = phi ptr [ %46, %44 ], [ null, %28 ], [ null, %25 ]
  ret ptr %48
}
declare i32 @MPI_Gather(ptr, i32, ptr, ptr, i32, ptr, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Gather.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12) {
13:
  %14 = call ptr @gradir.mpi.gathered(i32 3, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, i32 %10, ptr %11)
  %15 = icmp eq ptr %14, null
  br i1 %15, label %19, label %16

16:
  %17 = load i64, ptr @gradir.mpi.tapes, align 8
  %18 = add nsw i64 %17, 1
  store i64 %18, ptr @gradir.mpi.tapes, align 8
  br label %19

19:
  %20 = call i32 @MPI_Gather(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, i32 %10, ptr %11)
  %21 = insertvalue { ptr, i32 } poison, ptr %14, 0
  %22 = insertvalue { ptr, i32 } %21, i32 %20, 1
  ret { ptr, i32 } %22
}
define internal void @gradir.mpi.Gather.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12, ptr %13) {
14:
  call void @gradir.mpi.pull(ptr %13)
  ret void
}
define internal i32 @gradir.mpi.Gatherv.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15) {
16:
  %17 = call ptr @gradir.mpi.gathered(i32 3, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 0, ptr %7, ptr %9, ptr %11, i32 %13, ptr %14)
  %18 = icmp eq ptr %17, null
  br i1 %18, label %23, label %19

19:
  %20 = getelementptr inbounds i8, ptr %17, i64 8
  %21 = load ptr, ptr %20, align 8
  %22 = call ptr @gradir.mpi.taken(ptr %21, i32 1, ptr %14)
  br label %23

23:
  %24 = phi ptr [ %22, %19 ], [ null, %16 ]
  %25 = call i32 @MPI_Gatherv(ptr %0, i32 %2, ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, i32 %13, ptr %14)
  call void @gradir.mpi.push(ptr %17, ptr %24)
  ret i32 %25
}
declare i32 @MPI_Gatherv(ptr, i32, ptr, ptr, ptr, ptr, ptr, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Gatherv.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15) {
16:
  %17 = call ptr @gradir.mpi.gathered(i32 3, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 0, ptr %7, ptr %9, ptr %11, i32 %13, ptr %14)
  %18 = icmp eq ptr %17, null
  br i1 %18, label %22, label %19

19:
  %20 = load i64, ptr @gradir.mpi.tapes, align 8
  %21 = add nsw i64 %20, 1
  store i64 %21, ptr @gradir.mpi.tapes, align 8
  br label %22

22:
  %23 = call i32 @MPI_Gatherv(ptr %0, i32 %2, ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, i32 %13, ptr %14)
  %24 = insertvalue { ptr, i32 } poison, ptr %17, 0
  %25 = insertvalue { ptr, i32 } %24, i32 %23, 1
  ret { ptr, i32 } %25
}
define internal void @gradir.mpi.Gatherv.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15, ptr %16) {
17:
  call void @gradir.mpi.pull(ptr %16)
  ret void
}
define internal i32 @gradir.mpi.Allgather.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.gathered(i32 5, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, i32 -1, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = call ptr @gradir.mpi.taken(ptr %17, i32 1, ptr %10)
  br label %19

19:
  %20 = phi ptr [ %18, %15 ], [ null, %12 ]
  %21 = call i32 @MPI_Allgather(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, ptr %10)
  call void @gradir.mpi.push(ptr %13, ptr %20)
  ret i32 %21
}
declare i32 @MPI_Allgather(ptr, i32, ptr, ptr, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Allgather.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.gathered(i32 5, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, i32 -1, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %18, label %15

15:
  %16 = load i64, ptr @gradir.mpi.tapes, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, ptr @gradir.mpi.tapes, align 8
  br label %18

18:
  %19 = call i32 @MPI_Allgather(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, ptr %10)
  %20 = insertvalue { ptr, i32 } poison, ptr %13, 0
  %21 = insertvalue { ptr, i32 } %20, i32 %19, 1
  ret { ptr, i32 } %21
}
define internal void @gradir.mpi.Allgather.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  call void @gradir.mpi.pull(ptr %12)
  ret void
}
define internal i32 @gradir.mpi.Allgatherv.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14) {
15:
  %16 = call ptr @gradir.mpi.gathered(i32 5, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 0, ptr %7, ptr %9, ptr %11, i32 -1, ptr %13)
  %17 = icmp eq ptr %16, null
  br i1 %17, label %22, label %18

18:
  %19 = getelementptr inbounds i8, ptr %16, i64 8
  %20 = load ptr, ptr %19, align 8
  %21 = call ptr @gradir.mpi.taken(ptr %20, i32 1, ptr %13)
  br label %22

22:
  %23 = phi ptr [ %21, %18 ], [ null, %15 ]
  %24 = call i32 @MPI_Allgatherv(ptr %0, i32 %2, ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, ptr %13)
  call void @gradir.mpi.push(ptr %16, ptr %23)
  ret i32 %24
}
declare i32 @MPI_Allgatherv(ptr, i32, ptr, ptr, ptr, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Allgatherv.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14) {
15:
  %16 = call ptr @gradir.mpi.gathered(i32 5, ptr %0, ptr %1, i32 %2, ptr %3, ptr %5, ptr %6, i32 0, ptr %7, ptr %9, ptr %11, i32 -1, ptr %13)
  %17 = icmp eq ptr %16, null
  br i1 %17, label %21, label %18

18:
  %19 = load i64, ptr @gradir.mpi.tapes, align 8
  %20 = add nsw i64 %19, 1
  store i64 %20, ptr @gradir.mpi.tapes, align 8
  br label %21

21:
  %22 = call i32 @MPI_Allgatherv(ptr %0, i32 %2, ptr %3, ptr %5, ptr %7, ptr %9, ptr %11, ptr %13)
  %23 = insertvalue { ptr, i32 } poison, ptr %16, 0
  %24 = insertvalue { ptr, i32 } %23, i32 %22, 1
  ret { ptr, i32 } %24
}
define internal void @gradir.mpi.Allgatherv.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15) {
16:
  call void @gradir.mpi.pull(ptr %15)
  ret void
}
define internal i32 @gradir.mpi.Scatter.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12) {
13:
  %14 = call ptr @gradir.mpi.scattered(ptr %0, ptr %1, i32 %2, ptr null, ptr null, ptr %3, ptr %5, ptr %6, i32 %7, ptr %8, i32 %10, ptr %11)
  %15 = icmp eq ptr %14, null
  br i1 %15, label %20, label %16

16:
  %17 = getelementptr inbounds i8, ptr %14, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = call ptr @gradir.mpi.taken(ptr %18, i32 1, ptr %11)
  br label %20

20:
  %21 = phi ptr [ %19, %16 ], [ null, %13 ]
  %22 = call i32 @MPI_Scatter(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, i32 %10, ptr %11)
  call void @gradir.mpi.push(ptr %14, ptr %21)
  ret i32 %22
}
define internal ptr @gradir.mpi.scattered(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, i32 %8, ptr %9, i32 %10, ptr %11) {
12:
  %13 = alloca i32, align 4
  %14 = alloca i32, align 4
  %15 = call i32 @MPI_Comm_rank(ptr %11, ptr %14)
  %16 = load i32, ptr %14, align 4
  %17 = icmp eq i32 %16, %10
  %18 = icmp eq ptr %6, inttoptr (i64 1 to ptr)
  br i1 %17, label %19, label %22

19:
  %20 = call i64 @gradir.mpi.floats_in(ptr %5, ptr %0, ptr %1)
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %38, label %25

22:
  %23 = call i64 @gradir.mpi.floats_in(ptr %9, ptr %6, ptr %7)
  %24 = icmp eq i64 %23, 0
  br i1 %24, label %38, label %29

25:
  %26 = call i32 @MPI_Comm_size(ptr %11, ptr %13)
  %27 = load i32, ptr %13, align 4
  %28 = call ptr @gradir.mpi.new_side(ptr %0, ptr %1, ptr %5, i32 %27, i32 %2, ptr %3, ptr %4)
  br label %29

29:
  %30 = phi ptr [ %28, %25 ], [ null, %22 ]
  br i1 %18, label %31, label %33

31:
  %32 = call ptr @gradir.mpi.part_of(ptr %30, i32 %10)
  br label %35

33:
  %34 = call ptr @gradir.mpi.new_side(ptr %6, ptr %7, ptr %9, i32 1, i32 %8, ptr null, ptr null)
  br label %35

35:
  %36 = phi ptr [ %32, %31 ], [ %34, %33 ]
  %37 = call ptr @gradir.mpi.new_collective(i32 4, ptr %30, ptr %36, i32 %10, ptr %11)
  br label %38

38:
  %39 = phi ptr [ %37, %35 ], [ null, %22 ], [ null, %19 ]
  ret ptr %39
}
declare i32 @MPI_Scatter(ptr, i32, ptr, ptr, i32, ptr, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Scatter.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12) {
13:
  %14 = call ptr @gradir.mpi.scattered(ptr %0, ptr %1, i32 %2, ptr null, ptr null, ptr %3, ptr %5, ptr %6, i32 %7, ptr %8, i32 %10, ptr %11)
  %15 = icmp eq ptr %14, null
  br i1 %15, label %19, label %16

16:
  %17 = load i64, ptr @gradir.mpi.tapes, align 8
  %18 = add nsw i64 %17, 1
  store i64 %18, ptr @gradir.mpi.tapes, align 8
  br label %19

19:
  %20 = call i32 @MPI_Scatter(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, i32 %10, ptr %11)
  %21 = insertvalue { ptr, i32 } poison, ptr %14, 0
  %22 = insertvalue { ptr, i32 } %21, i32 %20, 1
  ret { ptr, i32 } %22
}
define internal void @gradir.mpi.Scatter.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12, ptr %13) {
14:
  call void @gradir.mpi.pull(ptr %13)
  ret void
}
define internal i32 @gradir.mpi.Scatterv.forward(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15) {
16:
  %17 = call ptr @gradir.mpi.scattered(ptr %0, ptr %1, i32 0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %9, i32 %10, ptr %11, i32 %13, ptr %14)
  %18 = icmp eq ptr %17, null
  br i1 %18, label %23, label %19

19:
  %20 = getelementptr inbounds i8, ptr %17, i64 8
  %21 = load ptr, ptr %20, align 8
  %22 = call ptr @gradir.mpi.taken(ptr %21, i32 1, ptr %14)
  br label %23

23:
  %24 = phi ptr [ %22, %19 ], [ null, %16 ]
  %25 = call i32 @MPI_Scatterv(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, i32 %10, ptr %11, i32 %13, ptr %14)
  call void @gradir.mpi.push(ptr %17, ptr %24)
  ret i32 %25
}
declare i32 @MPI_Scatterv(ptr, ptr, ptr, ptr, ptr, i32, ptr, i32, ptr)
define internal { ptr, i32 } @gradir.mpi.Scatterv.augmented(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15) {
16:
  %17 = call ptr @gradir.mpi.scattered(ptr %0, ptr %1, i32 0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %9, i32 %10, ptr %11, i32 %13, ptr %14)
  %18 = icmp eq ptr %17, null
  br i1 %18, label %22, label %19

19:
  %20 = load i64, ptr @gradir.mpi.tapes, align 8
  %21 = add nsw i64 %20, 1
  store i64 %21, ptr @gradir.mpi.tapes, align 8
  br label %22

22:
  %23 = call i32 @MPI_Scatterv(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, i32 %10, ptr %11, i32 %13, ptr %14)
  %24 = insertvalue { ptr, i32 } poison, ptr %17, 0
  %25 = insertvalue { ptr, i32 } %24, i32 %23, 1
  ret { ptr, i32 } %25
}
define internal void @gradir.mpi.Scatterv.reverse(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, i32 %10, ptr %11, ptr %12, i32 %13, ptr %14, ptr %15, ptr %16) {
17:
  call void @gradir.mpi.pull(ptr %16)
  ret void
}
define internal i32 @gradir.mpi.Alltoall.forward(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.exchanged(ptr %0, ptr %1, i32 %2, ptr null, ptr null, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %19, label %15

15:
  %16 = getelementptr inbounds i8, ptr %13, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = call ptr @gradir.mpi.taken(ptr %17, i32 1, ptr %10)
  br label %19

19:
  %20 = phi ptr [ %18, %15 ], [ null, %12 ]
  %21 = call i32 @MPI_Alltoall(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, ptr %10)
  call void @gradir.mpi.push(ptr %13, ptr %20)
  ret i32 %21
}
define internal ptr @gradir.mpi.exchanged(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, i32 %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  %14 = alloca i32, align 4
  %15 = call i64 @gradir.mpi.floats_in(ptr %11, ptr %6, ptr %7)
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %29, label %17

17:
  %18 = call i32 @MPI_Comm_size(ptr %12, ptr %14)
  %19 = load i32, ptr %14, align 4
  %20 = call ptr @gradir.mpi.new_side(ptr %6, ptr %7, ptr %11, i32 %19, i32 %8, ptr %9, ptr %10)
  %21 = icmp eq ptr %0, inttoptr (i64 1 to ptr)
  br i1 %21, label %22, label %24

22:
  %23 = call ptr @gradir.mpi.new_side(ptr %6, ptr %7, ptr %11, i32 %19, i32 %8, ptr %9, ptr %10)
  br label %26

24:
  %25 = call ptr @gradir.mpi.new_side(ptr %0, ptr %1, ptr %5, i32 %19, i32 %2, ptr %3, ptr %4)
  br label %26

26:
  %27 = phi ptr [ %23, %22 ], [ %25, %24 ]
  %28 = call ptr @gradir.mpi.new_collective(i32 7, ptr %27, ptr %20, i32 -1, ptr %12)
  br label %29

29:
  %30 = phi ptr [ %28, %26 ], [ null, %13 ]
  ret ptr %30
}
declare i32 @MPI_Alltoall(ptr, i32, ptr, ptr, i32, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Alltoall.augmented(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11) {
12:
  %13 = call ptr @gradir.mpi.exchanged(ptr %0, ptr %1, i32 %2, ptr null, ptr null, ptr %3, ptr %5, ptr %6, i32 %7, ptr null, ptr null, ptr %8, ptr %10)
  %14 = icmp eq ptr %13, null
  br i1 %14, label %18, label %15

15:
  %16 = load i64, ptr @gradir.mpi.tapes, align 8
  %17 = add nsw i64 %16, 1
  store i64 %17, ptr @gradir.mpi.tapes, align 8
  br label %18

18:
  %19 = call i32 @MPI_Alltoall(ptr %0, i32 %2, ptr %3, ptr %5, i32 %7, ptr %8, ptr %10)
  %20 = insertvalue { ptr, i32 } poison, ptr %13, 0
  %21 = insertvalue { ptr, i32 } %20, i32 %19, 1
  ret { ptr, i32 } %21
}
define internal void @gradir.mpi.Alltoall.reverse(ptr %0, ptr %1, i32 %2, ptr %3, ptr %4, ptr %5, ptr %6, i32 %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12) {
13:
  call void @gradir.mpi.pull(ptr %12)
  ret void
}
define internal i32 @gradir.mpi.Alltoallv.forward(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, ptr %17) {
18:
  %19 = call ptr @gradir.mpi.exchanged(ptr %0, ptr %1, i32 0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %9, i32 0, ptr %10, ptr %12, ptr %14, ptr %16)
  %20 = icmp eq ptr %19, null
  br i1 %20, label %25, label %21

21:
  %22 = getelementptr inbounds i8, ptr %19, i64 8
  %23 = load ptr, ptr %22, align 8
  %24 = call ptr @gradir.mpi.taken(ptr %23, i32 1, ptr %16)
  br label %25

25:
  %26 = phi ptr [ %24, %21 ], [ null, %18 ]
  %27 = call i32 @MPI_Alltoallv(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %10, ptr %12, ptr %14, ptr %16)
  call void @gradir.mpi.push(ptr %19, ptr %26)
  ret i32 %27
}
declare i32 @MPI_Alltoallv(ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define internal { ptr, i32 } @gradir.mpi.Alltoallv.augmented(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, ptr %17) {
18:
  %19 = call ptr @gradir.mpi.exchanged(ptr %0, ptr %1, i32 0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %9, i32 0, ptr %10, ptr %12, ptr %14, ptr %16)
  %20 = icmp eq ptr %19, null
  br i1 %20, label %24, label %21

21:
  %22 = load i64, ptr @gradir.mpi.tapes, align 8
  %23 = add nsw i64 %22, 1
  store i64 %23, ptr @gradir.mpi.tapes, align 8
  br label %24

24:
  %25 = call i32 @MPI_Alltoallv(ptr %0, ptr %2, ptr %4, ptr %6, ptr %8, ptr %10, ptr %12, ptr %14, ptr %16)
  %26 = insertvalue { ptr, i32 } poison, ptr %19, 0
  %27 = insertvalue { ptr, i32 } %26, i32 %25, 1
  ret { ptr, i32 } %27
}
define internal void @gradir.mpi.Alltoallv.reverse(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10, ptr %11, ptr %12, ptr %13, ptr %14, ptr %15, ptr %16, ptr %17, ptr %18) {
19:
  call void @gradir.mpi.pull(ptr %18)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal i32 @gradir.mpi.post(ptr byval(%struct.end) %0, i32 %1, ptr %2) {
3:
  %4 = getelementptr inbounds i8, ptr %0, i64 36
  %5 = load i32, ptr %4, align 4
  %6 = getelementptr inbounds i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  %8 = sext i32 %5 to i64
  %9 = call i64 @gradir.mpi.first_tag_of_adjoints(ptr %7)
  %10 = icmp sgt i64 %9, %8
  br i1 %10, label %12, label %11

11:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.45, ptr @gradir.mpi.str.46)
  unreachable

12:
  %13 = icmp eq ptr %2, null
  br i1 %13, label %16, label %14

14:
  %15 = call ptr @gradir.mpi.sent_message(ptr byval(%struct.end) %0)
  store ptr %15, ptr %2, align 8
  br label %16

16:
  %17 = phi ptr [ %15, %14 ], [ null, %12 ]
  %18 = zext i1 %13 to i32
  %19 = call i64 @gradir.mpi.room_for(ptr byval(%struct.end) %0, i32 %18)
  %20 = icmp eq i64 %19, 0
  br i1 %20, label %23, label %21

21:
  %22 = call i64 @gradir.mpi.room_for(ptr byval(%struct.end) %0, i32 %18)
  br label %23

23:
  %24 = phi i64 [ %22, %21 ], [ 1, %16 ]
  %25 = call ptr @calloc(i64 %24, i64 1)
  %26 = icmp eq ptr %17, null
  br i1 %26, label %30, label %27

27:
  %28 = getelementptr inbounds i8, ptr %17, i64 64
  %29 = load i64, ptr %28, align 8
  br label %30

30:
  %31 = phi i64 [ %29, %27 ], [ 0, %23 ]
  %32 = call i64 @gradir.mpi.bundle_up(ptr byval(%struct.end) %0, ptr %25, i32 %18, i64 %31)
  %33 = icmp eq i32 %1, 0
  br i1 %33, label %34, label %38

34:
  %35 = getelementptr inbounds i8, ptr %0, i64 32
  %36 = load i32, ptr %35, align 8
  %37 = call i32 @gradir.mpi.send_along(ptr %25, i64 %32, ptr @ompi_mpi_byte, i32 %36, i32 %5, ptr %7)
  br label %43

38:
  %39 = trunc i64 %32 to i32
  %40 = getelementptr inbounds i8, ptr %0, i64 32
  %41 = load i32, ptr %40, align 8
  %42 = call i32 @MPI_Ssend(ptr %25, i32 %39, ptr @ompi_mpi_byte, i32 %41, i32 %5, ptr %7)
  call void @free(ptr %25)
  br label %43

43:
  %44 = phi i32 [ %42, %38 ], [ %37, %34 ]
  ret i32 %44
}
define internal i64 @gradir.mpi.floats_in(ptr %0, ptr %1, ptr %2) {
3:
  %4 = alloca [8192 x i8], align 16
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  store i32 0, ptr %6, align 4
  %7 = load i1, ptr @gradir.mpi.check_library.checked, align 4
  br i1 %7, label %14, label %8

8:
  store i1 true, ptr @gradir.mpi.check_library.checked, align 4
  call void @llvm.memset.p0.i64(ptr %4, i8 0, i64 8192, i1 false)
  %9 = call i32 @MPI_Get_library_version(ptr %4, ptr %5)
  %10 = load i64, ptr %4, align 16
  %11 = icmp eq i64 %10, 5282807164592025679
  br i1 %11, label %13, label %12

12:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.10, ptr @gradir.mpi.str.11)
  unreachable

13:
  br label %14

14:
  %15 = call i64 @gradir.mpi.floats_of(ptr %0, ptr %6)
  %16 = load i32, ptr %6, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %23, label %18

18:
  %19 = icmp ne ptr %2, null
  %20 = icmp ne ptr %2, %1
  %21 = and i1 %19, %20
  br i1 %21, label %22, label %23

22:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.7, ptr @gradir.mpi.str.8)
  unreachable

23:
  ret i64 %15
}
define internal i64 @gradir.mpi.floats_of(ptr %0, ptr %1) {
2:
  %3 = alloca %struct.contents, align 8
  %4 = call i32 @gradir.mpi.is_named(ptr %0)
  %5 = icmp eq i32 %4, 0
  br i1 %5, label %14, label %6

6:
  %7 = call i64 @gradir.mpi.leaf_of(ptr %0)
  %8 = and i64 %7, 255
  %9 = icmp eq i64 %8, 98
  %10 = zext i1 %9 to i32
  %11 = load i32, ptr %1, align 4
  %12 = or i32 %11, %10
  store i32 %12, ptr %1, align 4
  %13 = ashr i64 %7, 32
  br label %38

14:
  call void @gradir.mpi.contents_of(ptr sret(%struct.contents) %3, ptr %0)
  %15 = load i32, ptr %3, align 8
  %16 = icmp sgt i32 %15, 0
  br i1 %16, label %17, label %23

17:
  %18 = getelementptr inbounds i8, ptr %3, i64 8
  %19 = load ptr, ptr %18, align 8
  %20 = getelementptr inbounds i8, ptr %3, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = zext i32 %15 to i64
  br label %25

23:
  %24 = phi i64 [ 0, %14 ], [ %35, %25 ]
  call void @gradir.mpi.release_contents(ptr byval(%struct.contents) %3)
  br label %38

25:
  %26 = phi i64 [ 0, %17 ], [ %36, %25 ]
  %27 = phi i64 [ 0, %17 ], [ %35, %25 ]
  %28 = getelementptr inbounds i32, ptr %19, i64 %26
  %29 = load i32, ptr %28, align 4
  %30 = sext i32 %29 to i64
  %31 = getelementptr inbounds ptr, ptr %21, i64 %26
  %32 = load ptr, ptr %31, align 8
  %33 = call i64 @gradir.mpi.floats_of(ptr %32, ptr %1)
  %34 = mul nsw i64 %33, %30
  %35 = add nsw i64 %34, %27
  %36 = add nsw i64 %26, 1
  %37 = icmp eq i64 %36, %22
  br i1 %37, label %23, label %25

38:
  %39 = phi i64 [ %13, %6 ], [ %24, %23 ]
  ret i64 %39
}
define internal void @gradir.mpi.refuse(ptr %0, ptr %1) {
2:
  %3 = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @gradir.mpi.str.44, ptr %0, ptr %1)
  %4 = call i32 @MPI_Abort(ptr @ompi_mpi_comm_world, i32 1)
  call void @llvm.trap()
  unreachable
}
declare i32 @MPI_Get_library_version(ptr, ptr)
define internal i32 @gradir.mpi.is_named(ptr %0) {
1:
  %2 = alloca i32, align 4
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = icmp eq ptr %0, @ompi_mpi_double
  br i1 %6, label %12, label %7

7:
  %8 = call i32 @MPI_Type_get_envelope(ptr %0, ptr %2, ptr %3, ptr %4, ptr %5)
  %9 = load i32, ptr %4, align 4
  %10 = icmp eq i32 %9, 0
  %11 = zext i1 %10 to i32
  br label %12

12:
  %13 = phi i32 [ %11, %7 ], [ 1, %1 ]
  ret i32 %13
}
define internal i64 @gradir.mpi.leaf_of(ptr %0) {
1:
  %2 = alloca [512 x i8], align 16
  %3 = alloca i32, align 4
  call void @llvm.memset.p0.i64(ptr %2, i8 0, i64 512, i1 false)
  %4 = icmp eq ptr %0, @ompi_mpi_double
  br i1 %4, label %25, label %5

5:
  %6 = call i32 @MPI_Type_get_name(ptr %0, ptr %2, ptr %3)
  br label %10

7:
  %8 = add nsw i64 %11, 1
  %9 = icmp eq i64 %8, 30
  br i1 %9, label %25, label %10

10:
  %11 = phi i64 [ 0, %5 ], [ %8, %7 ]
  %12 = getelementptr inbounds %struct.leaf, ptr @gradir.mpi.leaf_named.leaves, i64 %11
  %13 = load ptr, ptr %12, align 16
  %14 = call i32 @strcmp(ptr %2, ptr %13)
  %15 = icmp eq i32 %14, 0
  br i1 %15, label %16, label %7

16:
  %17 = getelementptr inbounds i8, ptr %12, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = add nsw i64 %11, -17
  %20 = icmp ult i64 %19, 13
  br i1 %20, label %21, label %25

21:
  %22 = load i8, ptr %2, align 16
  %23 = icmp eq i8 %22, 0
  %24 = select i1 %23, ptr @gradir.mpi.str.12, ptr %2
  call void @gradir.mpi.refuse(ptr %24, ptr @gradir.mpi.str.13)
  unreachable

25:
  %26 = phi i64 [ 4294967396, %1 ], [ %18, %16 ], [ 105, %7 ]
  ret i64 %26
}
define internal void @gradir.mpi.contents_of(ptr sret(%struct.contents) %0, ptr %1) {
2:
  %3 = alloca i32, align 4
  %4 = alloca i32, align 4
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  %9 = call i32 @MPI_Type_get_envelope(ptr %1, ptr %5, ptr %6, ptr %7, ptr %8)
  %10 = load i32, ptr %5, align 4
  %11 = call i32 @llvm.umax.i32(i32 %10, i32 1)
  %12 = sext i32 %11 to i64
  %13 = call ptr @calloc(i64 %12, i64 4)
  %14 = load i32, ptr %6, align 4
  %15 = call i32 @llvm.umax.i32(i32 %14, i32 1)
  %16 = sext i32 %15 to i64
  %17 = call ptr @calloc(i64 %16, i64 8)
  %18 = load i32, ptr %7, align 4
  store i32 %18, ptr %0, align 8
  %19 = getelementptr inbounds i8, ptr %0, i64 4
  store i32 0, ptr %19, align 4
  %20 = getelementptr inbounds i8, ptr %0, i64 8
  %21 = call i32 @llvm.umax.i32(i32 %18, i32 1)
  %22 = sext i32 %21 to i64
  %23 = call ptr @calloc(i64 %22, i64 4)
  store ptr %23, ptr %20, align 8
  %24 = getelementptr inbounds i8, ptr %0, i64 16
  %25 = call ptr @calloc(i64 %22, i64 8)
  store ptr %25, ptr %24, align 8
  %26 = call i32 @MPI_Type_get_contents(ptr %1, i32 %10, i32 %14, i32 %18, ptr %13, ptr %17, ptr %25)
  %27 = load i32, ptr %7, align 4
  %28 = icmp eq i32 %27, 1
  br i1 %28, label %33, label %29

29:
  %30 = icmp sgt i32 %27, 0
  br i1 %30, label %31, label %54

31:
  %32 = zext i32 %27 to i64
  br label %47

33:
  %34 = load ptr, ptr %25, align 8
  %35 = call i32 @MPI_Type_size(ptr %34, ptr %4)
  %36 = load i32, ptr %4, align 4
  %37 = icmp eq i32 %36, 0
  br i1 %37, label %45, label %38

38:
  %39 = sext i32 %36 to i64
  %40 = call i32 @MPI_Type_size(ptr %1, ptr %3)
  %41 = load i32, ptr %3, align 4
  %42 = sext i32 %41 to i64
  %43 = sdiv i64 %42, %39
  %44 = trunc i64 %43 to i32
  br label %45

45:
  %46 = phi i32 [ %44, %38 ], [ 0, %33 ]
  store i32 %46, ptr %23, align 4
  br label %54

47:
  %48 = phi i64 [ 0, %31 ], [ %49, %47 ]
  %49 = add nsw i64 %48, 1
  %50 = getelementptr inbounds i32, ptr %13, i64 %49
  %51 = load i32, ptr %50, align 4
  %52 = getelementptr inbounds i32, ptr %23, i64 %48
  store i32 %51, ptr %52, align 4
  %53 = icmp eq i64 %49, %32
  br i1 %53, label %54, label %47

54:
  call void @free(ptr %13)
  call void @free(ptr %17)
  ret void
}
define internal void @gradir.mpi.release_contents(ptr byval(%struct.contents) %0) {
1:
  %2 = load i32, ptr %0, align 8
  %3 = icmp sgt i32 %2, 0
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  br i1 %3, label %6, label %8

6:
  %7 = zext i32 %2 to i64
  br label %11

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = load ptr, ptr %9, align 8
  call void @free(ptr %10)
  call void @free(ptr %5)
  ret void

11:
  %12 = phi i64 [ 0, %6 ], [ %20, %19 ]
  %13 = getelementptr inbounds ptr, ptr %5, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = call i32 @gradir.mpi.is_named(ptr %14)
  %16 = icmp eq i32 %15, 0
  br i1 %16, label %17, label %19

17:
  %18 = call i32 @MPI_Type_free(ptr %13)
  br label %19

19:
  %20 = add nsw i64 %12, 1
  %21 = icmp eq i64 %20, %7
  br i1 %21, label %8, label %11
}
declare i32 @MPI_Type_get_envelope(ptr, ptr, ptr, ptr, ptr)
declare i32 @MPI_Type_get_name(ptr, ptr, ptr)
declare i32 @strcmp(ptr, ptr)
declare i32 @MPI_Type_get_contents(ptr, i32, i32, i32, ptr, ptr, ptr)
declare void @free(ptr)
declare i32 @MPI_Type_size(ptr, ptr)
declare i32 @dprintf(i32, ptr, ...)
declare i32 @MPI_Abort(ptr, i32)
declare void @llvm.trap()
define internal ptr @gradir.mpi.sent_message(ptr byval(%struct.end) %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 32
  %3 = load i32, ptr %2, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 36
  %5 = call ptr @calloc(i64 1, i64 96)
  call void @llvm.memcpy.p0.p0.i64(ptr %5, ptr %0, i64 32, i1 false)
  %6 = getelementptr inbounds i8, ptr %5, i64 32
  store i32 %3, ptr %6, align 8
  %7 = getelementptr inbounds i8, ptr %5, i64 36
  call void @llvm.memcpy.p0.p0.i64(ptr %7, ptr %4, i64 12, i1 false)
  %8 = getelementptr inbounds i8, ptr %5, i64 48
  store i32 1, ptr %8, align 8
  %9 = getelementptr inbounds i8, ptr %5, i64 52
  store i32 %3, ptr %9, align 4
  %10 = load i64, ptr @gradir.mpi.tapes, align 8
  %11 = add nsw i64 %10, 1
  store i64 %11, ptr @gradir.mpi.tapes, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 16
  %13 = load i32, ptr %12, align 8
  %14 = sext i32 %13 to i64
  %15 = load ptr, ptr %0, align 8
  %16 = getelementptr inbounds i8, ptr %0, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %0, i64 24
  %19 = load ptr, ptr %18, align 8
  %20 = call i64 @gradir.mpi.floats_in(ptr %19, ptr %15, ptr %17)
  %21 = mul nsw i64 %20, %14
  %22 = getelementptr inbounds i8, ptr %5, i64 72
  store i64 %21, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %0, i64 40
  %24 = load ptr, ptr %23, align 8
  %25 = call i64 @gradir.mpi.first_tag_of_adjoints(ptr %24)
  %26 = load i64, ptr @gradir.mpi.tapes, align 8
  %27 = icmp slt i64 %26, %25
  br i1 %27, label %29, label %28

28:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.47, ptr @gradir.mpi.str.48)
  unreachable

29:
  %30 = load i64, ptr @gradir.mpi.new_tag.used, align 8
  %31 = add nsw i64 %30, 1
  store i64 %31, ptr @gradir.mpi.new_tag.used, align 8
  %32 = srem i64 %30, %25
  %33 = add nsw i64 %32, %25
  %34 = getelementptr inbounds i8, ptr %5, i64 64
  store i64 %33, ptr %34, align 8
  ret ptr %5
}
define internal i64 @gradir.mpi.room_for(ptr byval(%struct.end) %0, i32 %1) {
2:
  %3 = alloca i32, align 4
  %4 = icmp eq i32 %1, 0
  %5 = getelementptr inbounds i8, ptr %0, i64 16
  %6 = load i32, ptr %5, align 8
  br i1 %4, label %7, label %11

7:
  %8 = getelementptr inbounds i8, ptr %0, i64 24
  %9 = load ptr, ptr %8, align 8
  %10 = sext i32 %6 to i64
  br label %22

11:
  %12 = sext i32 %6 to i64
  %13 = load ptr, ptr %0, align 8
  %14 = getelementptr inbounds i8, ptr %0, i64 8
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds i8, ptr %0, i64 24
  %17 = load ptr, ptr %16, align 8
  %18 = call i64 @gradir.mpi.floats_in(ptr %17, ptr %13, ptr %15)
  %19 = shl nsw i64 %12, 3
  %20 = mul i64 %19, %18
  %21 = add i64 %20, 16
  br label %22

22:
  %23 = phi i64 [ %10, %7 ], [ %12, %11 ]
  %24 = phi ptr [ %9, %7 ], [ %17, %11 ]
  %25 = phi i64 [ 16, %7 ], [ %21, %11 ]
  %26 = call i32 @MPI_Type_size(ptr %24, ptr %3)
  %27 = load i32, ptr %3, align 4
  %28 = sext i32 %27 to i64
  %29 = mul nsw i64 %23, %28
  %30 = add i64 %29, %25
  ret i64 %30
}
define internal i64 @gradir.mpi.bundle_up(ptr byval(%struct.end) %0, ptr %1, i32 %2, i64 %3) {
4:
  %5 = getelementptr inbounds i8, ptr %1, i64 16
  %6 = icmp eq i32 %2, 0
  %7 = getelementptr inbounds i8, ptr %0, i64 24
  br i1 %6, label %27, label %8

8:
  %9 = getelementptr inbounds i8, ptr %0, i64 16
  %10 = load i32, ptr %9, align 8
  %11 = sext i32 %10 to i64
  %12 = load ptr, ptr %0, align 8
  %13 = getelementptr inbounds i8, ptr %0, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = load ptr, ptr %7, align 8
  %16 = call i64 @gradir.mpi.floats_in(ptr %15, ptr %12, ptr %14)
  %17 = mul nsw i64 %16, %11
  store i64 %17, ptr %1, align 8
  %18 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %3, ptr %18, align 8
  %19 = shl i64 %17, 3
  call void @llvm.memset.p0.i64(ptr %5, i8 0, i64 %19, i1 false)
  %20 = icmp ne ptr %14, null
  %21 = icmp ne ptr %14, %12
  %22 = and i1 %20, %21
  br i1 %22, label %23, label %33

23:
  %24 = getelementptr inbounds i8, ptr %0, i64 40
  %25 = load ptr, ptr %24, align 8
  call void @gradir.mpi.exchange(ptr %14, i32 %10, ptr %15, ptr %25, ptr %5, i32 0)
  %26 = load i64, ptr %1, align 8
  br label %33

27:
  store i64 0, ptr %1, align 8
  %28 = getelementptr inbounds i8, ptr %1, i64 8
  store i64 %3, ptr %28, align 8
  %29 = load ptr, ptr %0, align 8
  %30 = getelementptr inbounds i8, ptr %0, i64 16
  %31 = load i32, ptr %30, align 8
  %32 = load ptr, ptr %7, align 8
  br label %33

33:
  %34 = phi ptr [ %32, %27 ], [ %15, %8 ], [ %15, %23 ]
  %35 = phi i32 [ %31, %27 ], [ %10, %8 ], [ %10, %23 ]
  %36 = phi ptr [ %29, %27 ], [ %12, %8 ], [ %12, %23 ]
  %37 = phi i64 [ 0, %27 ], [ %17, %8 ], [ %26, %23 ]
  %38 = getelementptr inbounds double, ptr %5, i64 %37
  %39 = shl nsw i64 %37, 3
  %40 = add nsw i64 %39, 16
  %41 = getelementptr inbounds i8, ptr %0, i64 40
  %42 = load ptr, ptr %41, align 8
  %43 = call i64 @gradir.mpi.pack(ptr %36, i32 %35, ptr %34, ptr %42, ptr %38)
  %44 = add nsw i64 %40, %43
  ret i64 %44
}
define internal i32 @gradir.mpi.send_along(ptr %0, i64 %1, ptr %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = call ptr @calloc(i64 1, i64 24)
  call void @gradir.mpi.settle(i32 0)
  %8 = getelementptr inbounds i8, ptr %7, i64 16
  store ptr %0, ptr %8, align 8
  %9 = load ptr, ptr @gradir.mpi.under_way, align 8
  store ptr %9, ptr %7, align 8
  store ptr %7, ptr @gradir.mpi.under_way, align 8
  %10 = trunc i64 %1 to i32
  %11 = getelementptr inbounds i8, ptr %7, i64 8
  %12 = call i32 @MPI_Isend(ptr %0, i32 %10, ptr %2, i32 %3, i32 %4, ptr %5, ptr %11)
  ret i32 %12
}
define internal i64 @gradir.mpi.first_tag_of_adjoints(ptr %0) {
1:
  %2 = alloca ptr, align 8
  %3 = alloca i32, align 4
  %4 = call i32 @MPI_Comm_get_attr(ptr %0, i32 0, ptr %2, ptr %3)
  %5 = load i32, ptr %3, align 4
  %6 = icmp eq i32 %5, 0
  br i1 %6, label %13, label %7

7:
  %8 = load ptr, ptr %2, align 8
  %9 = load i32, ptr %8, align 4
  %10 = sext i32 %9 to i64
  %11 = add nsw i64 %10, 1
  %12 = sdiv i64 %11, 2
  br label %13

13:
  %14 = phi i64 [ %12, %7 ], [ 16384, %1 ]
  ret i64 %14
}
declare i32 @MPI_Comm_get_attr(ptr, i32, ptr, ptr)
define internal void @gradir.mpi.exchange(ptr %0, i32 %1, ptr %2, ptr %3, ptr %4, i32 %5) {
6:
  %7 = alloca i32, align 4
  %8 = alloca ptr, align 8
  %9 = alloca ptr, align 8
  store ptr %4, ptr %8, align 8
  %10 = icmp slt i32 %1, 1
  br i1 %10, label %29, label %11

11:
  store ptr %0, ptr %9, align 8
  %12 = call i32 @gradir.mpi.is_named(ptr %2)
  %13 = icmp eq i32 %12, 0
  %14 = zext i32 %1 to i64
  br i1 %13, label %16, label %15

15:
  call void @gradir.mpi.walk(ptr %2, i64 %14, ptr %9, ptr %8, i32 %5)
  br label %28

16:
  %17 = call i32 @MPI_Type_size(ptr %2, ptr %7)
  %18 = load i32, ptr %7, align 4
  %19 = sext i32 %18 to i64
  %20 = mul nsw i64 %19, %14
  %21 = icmp eq i32 %18, 0
  %22 = select i1 %21, i64 1, i64 %20
  %23 = call ptr @calloc(i64 %22, i64 1)
  store ptr %23, ptr %9, align 8
  %24 = call i64 @gradir.mpi.pack(ptr %0, i32 %1, ptr %2, ptr %3, ptr %23)
  call void @gradir.mpi.walk(ptr %2, i64 %14, ptr %9, ptr %8, i32 %5)
  %25 = icmp eq i32 %5, 0
  br i1 %25, label %27, label %26

26:
  call void @gradir.mpi.unpack(ptr %23, i64 %20, ptr %0, i32 %1, ptr %2, ptr %3)
  br label %27

27:
  call void @free(ptr %23)
  br label %28

28:
  br label %29

29:
  ret void
}
define internal i64 @gradir.mpi.pack(ptr %0, i32 %1, ptr %2, ptr %3, ptr %4) {
5:
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  store i32 0, ptr %7, align 4
  %8 = sext i32 %1 to i64
  %9 = call i32 @MPI_Type_size(ptr %2, ptr %6)
  %10 = load i32, ptr %6, align 4
  %11 = sext i32 %10 to i64
  %12 = mul nsw i64 %11, %8
  %13 = call i32 @gradir.mpi.is_named(ptr %2)
  %14 = icmp eq i32 %13, 0
  br i1 %14, label %16, label %15

15:
  call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr %0, i64 %12, i1 false)
  br label %23

16:
  %17 = trunc i64 %12 to i32
  %18 = call i32 @MPI_Pack(ptr %0, i32 %1, ptr %2, ptr %4, i32 %17, ptr %7, ptr %3)
  %19 = load i32, ptr %7, align 4
  %20 = sext i32 %19 to i64
  %21 = icmp eq i64 %12, %20
  br i1 %21, label %23, label %22

22:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.49, ptr @gradir.mpi.str.50)
  unreachable

23:
  ret i64 %12
}
define internal void @gradir.mpi.walk(ptr %0, i64 %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = alloca i32, align 4
  %7 = alloca %struct.contents, align 8
  %8 = call i32 @gradir.mpi.is_named(ptr %0)
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %79, label %10

10:
  %11 = call i64 @gradir.mpi.leaf_of(ptr %0)
  %12 = ashr i64 %11, 32
  %13 = mul i64 %12, %1
  %14 = trunc i64 %11 to i8
  switch i8 %14, label %70 [    i8 100, label %15    i8 115, label %41  ]

15:
  %16 = icmp sgt i64 %13, 0
  br i1 %16, label %17, label %70

17:
  %18 = load ptr, ptr %2, align 8
  br label %19

19:
  %20 = phi i64 [ 0, %17 ], [ %39, %38 ]
  %21 = getelementptr inbounds double, ptr %18, i64 %20
  switch i32 %4, label %30 [    i32 0, label %22    i32 1, label %26  ]

22:
  %23 = load double, ptr %21, align 8
  %24 = load ptr, ptr %3, align 8
  %25 = getelementptr inbounds double, ptr %24, i64 %20
  store double %23, ptr %25, align 8
  br label %38

26:
  %27 = load ptr, ptr %3, align 8
  %28 = getelementptr inbounds double, ptr %27, i64 %20
  %29 = load double, ptr %28, align 8
  br label %36

30:
  %31 = load double, ptr %21, align 8
  %32 = load ptr, ptr %3, align 8
  %33 = getelementptr inbounds double, ptr %32, i64 %20
  %34 = load double, ptr %33, align 8
  %35 = fadd double %31, %34
  br label %36

36:
  %37 = phi double [ %29, %26 ], [ %35, %30 ]
  store double %37, ptr %21, align 8
  br label %38

38:
  %39 = add nsw i64 %20, 1
  %40 = icmp eq i64 %39, %13
  br i1 %40, label %70, label %19

41:
  %42 = icmp sgt i64 %13, 0
  br i1 %42, label %43, label %70

43:
  %44 = load ptr, ptr %2, align 8
  br label %45

45:
  %46 = phi i64 [ 0, %43 ], [ %68, %67 ]
  %47 = getelementptr inbounds float, ptr %44, i64 %46
  switch i32 %4, label %57 [    i32 0, label %48    i32 1, label %53  ]

48:
  %49 = load float, ptr %47, align 4
  %50 = fpext float %49 to double
  %51 = load ptr, ptr %3, align 8
  %52 = getelementptr inbounds double, ptr %51, i64 %46
  store double %50, ptr %52, align 8
  br label %67

53:
  %54 = load ptr, ptr %3, align 8
  %55 = getelementptr inbounds double, ptr %54, i64 %46
  %56 = load double, ptr %55, align 8
  br label %64

57:
  %58 = load float, ptr %47, align 4
  %59 = fpext float %58 to double
  %60 = load ptr, ptr %3, align 8
  %61 = getelementptr inbounds double, ptr %60, i64 %46
  %62 = load double, ptr %61, align 8
  %63 = fadd double %62, %59
  br label %64

64:
  %65 = phi double [ %56, %53 ], [ %63, %57 ]
  %66 = fptrunc double %65 to float
  store float %66, ptr %47, align 4
  br label %67

67:
  %68 = add nsw i64 %46, 1
  %69 = icmp eq i64 %68, %13
  br i1 %69, label %70, label %45

70:
  %71 = call i32 @MPI_Type_size(ptr %0, ptr %6)
  %72 = load i32, ptr %6, align 4
  %73 = sext i32 %72 to i64
  %74 = mul nsw i64 %1, %73
  %75 = load ptr, ptr %2, align 8
  %76 = getelementptr inbounds i8, ptr %75, i64 %74
  store ptr %76, ptr %2, align 8
  %77 = load ptr, ptr %3, align 8
  %78 = getelementptr inbounds double, ptr %77, i64 %13
  store ptr %78, ptr %3, align 8
  br label %115

79:
  call void @gradir.mpi.contents_of(ptr sret(%struct.contents) %7, ptr %0)
  %80 = load i32, ptr %7, align 8
  %81 = icmp eq i32 %80, 1
  br i1 %81, label %91, label %82

82:
  %83 = icmp sgt i64 %1, 0
  br i1 %83, label %84, label %114

84:
  %85 = icmp sgt i32 %80, 0
  %86 = getelementptr inbounds i8, ptr %7, i64 16
  %87 = load ptr, ptr %86, align 8
  %88 = getelementptr inbounds i8, ptr %7, i64 8
  %89 = load ptr, ptr %88, align 8
  %90 = zext i32 %80 to i64
  br label %100

91:
  %92 = getelementptr inbounds i8, ptr %7, i64 16
  %93 = load ptr, ptr %92, align 8
  %94 = load ptr, ptr %93, align 8
  %95 = getelementptr inbounds i8, ptr %7, i64 8
  %96 = load ptr, ptr %95, align 8
  %97 = load i32, ptr %96, align 4
  %98 = sext i32 %97 to i64
  %99 = mul nsw i64 %1, %98
  call void @gradir.mpi.walk(ptr %94, i64 %99, ptr %2, ptr %3, i32 %4)
  br label %114

100:
  %101 = phi i64 [ 0, %84 ], [ %103, %102 ]
  br i1 %85, label %105, label %102

102:
  %103 = add nsw i64 %101, 1
  %104 = icmp eq i64 %103, %1
  br i1 %104, label %114, label %100

105:
  %106 = phi i64 [ %112, %105 ], [ 0, %100 ]
  %107 = getelementptr inbounds ptr, ptr %87, i64 %106
  %108 = load ptr, ptr %107, align 8
  %109 = getelementptr inbounds i32, ptr %89, i64 %106
  %110 = load i32, ptr %109, align 4
  %111 = sext i32 %110 to i64
  call void @gradir.mpi.walk(ptr %108, i64 %111, ptr %2, ptr %3, i32 %4)
  %112 = add nsw i64 %106, 1
  %113 = icmp eq i64 %112, %90
  br i1 %113, label %102, label %105

114:
  call void @gradir.mpi.release_contents(ptr byval(%struct.contents) %7)
  br label %115

115:
  ret void
}
define internal void @gradir.mpi.unpack(ptr %0, i64 %1, ptr %2, i32 %3, ptr %4, ptr %5) {
6:
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store i32 0, ptr %8, align 4
  %9 = call i32 @gradir.mpi.is_named(ptr %4)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %17, label %11

11:
  %12 = sext i32 %3 to i64
  %13 = call i32 @MPI_Type_size(ptr %4, ptr %7)
  %14 = load i32, ptr %7, align 4
  %15 = sext i32 %14 to i64
  %16 = mul nsw i64 %15, %12
  call void @llvm.memcpy.p0.p0.i64(ptr %2, ptr %0, i64 %16, i1 false)
  br label %20

17:
  %18 = trunc i64 %1 to i32
  %19 = call i32 @MPI_Unpack(ptr %0, i32 %18, ptr %8, ptr %2, i32 %3, ptr %4, ptr %5)
  br label %20

20:
  ret void
}
declare i32 @MPI_Unpack(ptr, i32, ptr, ptr, i32, ptr, ptr)
declare i32 @MPI_Pack(ptr, i32, ptr, ptr, i32, ptr, ptr)
define internal void @gradir.mpi.settle(i32 %0) {
1:
  %2 = alloca i32, align 4
  %3 = load ptr, ptr @gradir.mpi.under_way, align 8
  %4 = icmp eq ptr %3, null
  br i1 %4, label %26, label %5

5:
  %6 = icmp eq i32 %0, 0
  br label %7

7:
  %8 = phi ptr [ %3, %5 ], [ %24, %22 ]
  %9 = phi ptr [ @gradir.mpi.under_way, %5 ], [ %23, %22 ]
  store i32 1, ptr %2, align 4
  %10 = getelementptr inbounds i8, ptr %8, i64 8
  br i1 %6, label %13, label %11

11:
  %12 = call i32 @MPI_Wait(ptr %10, ptr null)
  br label %15

13:
  %14 = call i32 @MPI_Test(ptr %10, ptr %2, ptr null)
  br label %15

15:
  %16 = load i32, ptr %2, align 4
  %17 = icmp eq i32 %16, 0
  br i1 %17, label %22, label %18

18:
  %19 = load ptr, ptr %8, align 8
  store ptr %19, ptr %9, align 8
  %20 = getelementptr inbounds i8, ptr %8, i64 16
  %21 = load ptr, ptr %20, align 8
  call void @free(ptr %21)
  call void @free(ptr %8)
  br label %22

22:
  %23 = phi ptr [ %9, %18 ], [ %8, %15 ]
  %24 = load ptr, ptr %23, align 8
  %25 = icmp eq ptr %24, null
  br i1 %25, label %26, label %7

26:
  ret void
}
declare i32 @MPI_Wait(ptr, ptr)
declare i32 @MPI_Test(ptr, ptr, ptr)
define internal void @gradir.mpi.await(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 56
  %3 = load i32, ptr %2, align 8
  %4 = icmp eq i32 %3, 0
  br i1 %4, label %5, label %22

5:
  store i32 1, ptr %2, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 72
  %7 = load i64, ptr %6, align 8
  %8 = call i64 @llvm.umax.i64(i64 %7, i64 1)
  %9 = call ptr @calloc(i64 %8, i64 8)
  %10 = getelementptr inbounds i8, ptr %0, i64 80
  store ptr %9, ptr %10, align 8
  %11 = getelementptr inbounds i8, ptr %0, i64 88
  store ptr @ompi_request_null, ptr %11, align 8
  %12 = trunc i64 %7 to i32
  %13 = getelementptr inbounds i8, ptr %0, i64 52
  %14 = load i32, ptr %13, align 4
  %15 = getelementptr inbounds i8, ptr %0, i64 64
  %16 = load i64, ptr %15, align 8
  %17 = trunc i64 %16 to i32
  %18 = getelementptr inbounds i8, ptr %0, i64 40
  %19 = load ptr, ptr %18, align 8
  %20 = call i32 @MPI_Recv_init(ptr %9, i32 %12, ptr @ompi_mpi_double, i32 %14, i32 %17, ptr %19, ptr %11)
  %21 = call i32 @MPI_Start(ptr %11)
  br label %22

22:
  ret void
}
declare i32 @MPI_Request_free(ptr)
declare i32 @MPI_Start(ptr)
define internal void @gradir.mpi.close_tape() {
0:
  %1 = load i64, ptr @gradir.mpi.tapes, align 8
  %2 = add nsw i64 %1, -1
  store i64 %2, ptr @gradir.mpi.tapes, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %4, label %24

4:
  call void @gradir.mpi.settle(i32 1)
  %5 = load ptr, ptr @gradir.mpi.to_free, align 8
  %6 = icmp eq ptr %5, null
  br i1 %6, label %24, label %7

7:
  %8 = phi ptr [ %22, %21 ], [ %5, %4 ]
  %9 = load ptr, ptr %8, align 8
  store ptr %9, ptr @gradir.mpi.to_free, align 8
  %10 = getelementptr inbounds i8, ptr %8, i64 8
  %11 = load ptr, ptr %10, align 8
  %12 = icmp eq ptr %11, @ompi_mpi_comm_null
  br i1 %12, label %15, label %13

13:
  %14 = call i32 @MPI_Comm_free(ptr %10)
  br label %15

15:
  %16 = getelementptr inbounds i8, ptr %8, i64 16
  %17 = load ptr, ptr %16, align 8
  %18 = icmp eq ptr %17, @ompi_mpi_datatype_null
  br i1 %18, label %21, label %19

19:
  %20 = call i32 @MPI_Type_free(ptr %16)
  br label %21

21:
  call void @free(ptr %8)
  %22 = load ptr, ptr @gradir.mpi.to_free, align 8
  %23 = icmp eq ptr %22, null
  br i1 %23, label %24, label %7

24:
  ret void
}
declare i32 @MPI_Recv(ptr, i32, ptr, i32, i32, ptr, ptr)
define internal void @gradir.mpi.unbundle(ptr byval(%struct.end) %0, ptr %1, ptr %2, ptr %3) {
4:
  %5 = alloca i32, align 4
  %6 = alloca i32, align 4
  %7 = call i32 @MPI_Get_count(ptr %2, ptr @ompi_mpi_byte, ptr %6)
  %8 = load i32, ptr %6, align 4
  %9 = icmp slt i32 %8, 16
  br i1 %9, label %61, label %10

10:
  %11 = getelementptr inbounds i8, ptr %1, i64 16
  %12 = load i64, ptr %1, align 8
  %13 = getelementptr inbounds double, ptr %11, i64 %12
  %14 = getelementptr inbounds i8, ptr %0, i64 24
  %15 = load ptr, ptr %14, align 8
  %16 = call i32 @MPI_Type_size(ptr %15, ptr %5)
  %17 = load i32, ptr %5, align 4
  %18 = sext i32 %17 to i64
  %19 = load i32, ptr %6, align 4
  %20 = sext i32 %19 to i64
  %21 = shl i64 %12, 3
  %22 = sub i64 %20, %21
  %23 = add i64 %22, -16
  %24 = icmp eq i32 %17, 0
  br i1 %24, label %27, label %25

25:
  %26 = sdiv i64 %23, %18
  br label %27

27:
  %28 = phi i64 [ %26, %25 ], [ 0, %10 ]
  %29 = mul nsw i64 %28, %18
  %30 = icmp eq i64 %29, %23
  br i1 %30, label %32, label %31

31:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.51, ptr @gradir.mpi.str.52)
  unreachable

32:
  %33 = load ptr, ptr %0, align 8
  %34 = trunc i64 %28 to i32
  %35 = getelementptr inbounds i8, ptr %0, i64 40
  %36 = load ptr, ptr %35, align 8
  call void @gradir.mpi.unpack(ptr %13, i64 %23, ptr %33, i32 %34, ptr %15, ptr %36)
  %37 = call i32 @MPI_Status_set_elements(ptr %2, ptr %15, i32 %34)
  %38 = icmp eq ptr %3, null
  br i1 %38, label %51, label %39

39:
  %40 = getelementptr inbounds i8, ptr %3, i64 16
  store i32 %34, ptr %40, align 8
  %41 = getelementptr inbounds i8, ptr %0, i64 8
  %42 = load ptr, ptr %41, align 8
  %43 = call i64 @gradir.mpi.floats_in(ptr %15, ptr %33, ptr %42)
  %44 = mul nsw i64 %43, %28
  %45 = getelementptr inbounds i8, ptr %3, i64 72
  store i64 %44, ptr %45, align 8
  %46 = load i32, ptr %2, align 8
  %47 = getelementptr inbounds i8, ptr %3, i64 52
  store i32 %46, ptr %47, align 4
  %48 = getelementptr inbounds i8, ptr %1, i64 8
  %49 = load i64, ptr %48, align 8
  %50 = getelementptr inbounds i8, ptr %3, i64 64
  store i64 %49, ptr %50, align 8
  br label %61

51:
  %52 = load i64, ptr %1, align 8
  %53 = icmp eq i64 %52, 0
  br i1 %53, label %61, label %54

54:
  %55 = getelementptr inbounds i8, ptr %0, i64 8
  %56 = load ptr, ptr %55, align 8
  %57 = icmp ne ptr %56, null
  %58 = icmp ne ptr %56, %33
  %59 = and i1 %57, %58
  br i1 %59, label %60, label %61

60:
  call void @gradir.mpi.exchange(ptr %56, i32 %34, ptr %15, ptr %36, ptr %11, i32 1)
  br label %61

61:
  ret void
}
declare i32 @MPI_Comm_size(ptr, ptr)
declare i32 @MPI_Iprobe(i32, i32, ptr, ptr, ptr)
declare i32 @MPI_Get_count(ptr, ptr, ptr)
declare i32 @MPI_Status_set_elements(ptr, ptr, i32)
define internal ptr @gradir.mpi.open_channel(ptr byval(%struct.end) %0, i32 %1, i32 %2, i32 %3, i32 %4, ptr %5) {
6:
  %7 = call ptr @calloc(i64 1, i64 96)
  %8 = getelementptr inbounds i8, ptr %0, i64 36
  %9 = load i32, ptr %8, align 4
  %10 = getelementptr inbounds i8, ptr %0, i64 40
  %11 = load ptr, ptr %10, align 8
  %12 = sext i32 %9 to i64
  %13 = call i64 @gradir.mpi.first_tag_of_adjoints(ptr %11)
  %14 = icmp sgt i64 %13, %12
  br i1 %14, label %16, label %15

15:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.45, ptr @gradir.mpi.str.46)
  unreachable

16:
  %17 = or i32 %4, %1
  %18 = icmp eq i32 %17, 0
  %19 = getelementptr inbounds i8, ptr %0, i64 32
  %20 = load i32, ptr %19, align 8
  %21 = icmp eq i32 %20, -1
  %22 = select i1 %18, i1 %21, i1 false
  %23 = icmp eq i32 %9, -1
  %24 = select i1 %22, i1 %23, i1 false
  br i1 %24, label %25, label %26

25:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.53, ptr @gradir.mpi.str.54)
  unreachable

26:
  %27 = icmp eq i32 %1, 0
  %28 = load ptr, ptr @gradir.mpi.channels, align 8
  store ptr %28, ptr %7, align 8
  %29 = getelementptr inbounds i8, ptr %7, i64 8
  store ptr @ompi_request_null, ptr %29, align 8
  %30 = getelementptr inbounds i8, ptr %7, i64 16
  call void @llvm.memcpy.p0.p0.i64(ptr %30, ptr %0, i64 48, i1 false)
  %31 = getelementptr inbounds i8, ptr %7, i64 64
  store i32 %1, ptr %31, align 8
  %32 = getelementptr inbounds i8, ptr %7, i64 68
  store i32 %2, ptr %32, align 4
  %33 = getelementptr inbounds i8, ptr %7, i64 80
  store ptr %7, ptr @gradir.mpi.channels, align 8
  %34 = call i64 @gradir.mpi.room_for(ptr byval(%struct.end) %0, i32 %4)
  %35 = call i64 @llvm.umax.i64(i64 %34, i64 1)
  %36 = call ptr @calloc(i64 %35, i64 1)
  store ptr %36, ptr %33, align 8
  br i1 %27, label %37, label %40

37:
  %38 = trunc i64 %34 to i32
  %39 = call i32 @MPI_Recv_init(ptr %36, i32 %38, ptr @ompi_mpi_byte, i32 %20, i32 %9, ptr %11, ptr %29)
  br label %47

40:
  %41 = icmp eq i32 %3, 0
  %42 = trunc i64 %34 to i32
  br i1 %41, label %45, label %43

43:
  %44 = call i32 @MPI_Ssend_init(ptr %36, i32 %42, ptr @ompi_mpi_byte, i32 %20, i32 %9, ptr %11, ptr %29)
  br label %47

45:
  %46 = call i32 @MPI_Send_init(ptr %36, i32 %42, ptr @ompi_mpi_byte, i32 %20, i32 %9, ptr %11, ptr %29)
  br label %47

47:
  %48 = load ptr, ptr %29, align 8
  store ptr %48, ptr %5, align 8
  ret ptr %7
}
define internal i32 @gradir.mpi.start(ptr %0, i32 %1) {
2:
  %3 = icmp eq i32 %1, 0
  %4 = getelementptr inbounds i8, ptr %0, i64 64
  %5 = load i32, ptr %4, align 8
  %6 = icmp eq i32 %5, 0
  br i1 %3, label %7, label %25

7:
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  br i1 %6, label %9, label %20

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 48
  %11 = load i32, ptr %10, align 8
  %12 = getelementptr inbounds i8, ptr %0, i64 52
  %13 = call ptr @calloc(i64 1, i64 96)
  call void @llvm.memcpy.p0.p0.i64(ptr %13, ptr %8, i64 32, i1 false)
  %14 = getelementptr inbounds i8, ptr %13, i64 32
  store i32 %11, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %13, i64 36
  call void @llvm.memcpy.p0.p0.i64(ptr %15, ptr %12, i64 12, i1 false)
  %16 = getelementptr inbounds i8, ptr %13, i64 52
  store i32 %11, ptr %16, align 4
  %17 = load i64, ptr @gradir.mpi.tapes, align 8
  %18 = add nsw i64 %17, 1
  store i64 %18, ptr @gradir.mpi.tapes, align 8
  %19 = getelementptr inbounds i8, ptr %0, i64 88
  store ptr %13, ptr %19, align 8
  br label %35

20:
  %21 = call ptr @gradir.mpi.sent_message(ptr byval(%struct.end) %8)
  %22 = load i32, ptr %4, align 8
  %23 = icmp eq i32 %22, 0
  %24 = getelementptr inbounds i8, ptr %0, i64 88
  store ptr %21, ptr %24, align 8
  br i1 %23, label %35, label %26

25:
  br i1 %6, label %35, label %29

26:
  %27 = getelementptr inbounds i8, ptr %21, i64 64
  %28 = load i64, ptr %27, align 8
  br label %29

29:
  %30 = phi i64 [ %28, %26 ], [ 0, %25 ]
  %31 = getelementptr inbounds i8, ptr %0, i64 16
  %32 = getelementptr inbounds i8, ptr %0, i64 80
  %33 = load ptr, ptr %32, align 8
  %34 = call i64 @gradir.mpi.bundle_up(ptr byval(%struct.end) %31, ptr %33, i32 %1, i64 %30)
  br label %35

35:
  %36 = getelementptr inbounds i8, ptr %0, i64 72
  store i32 1, ptr %36, align 8
  %37 = getelementptr inbounds i8, ptr %0, i64 8
  %38 = call i32 @MPI_Start(ptr %37)
  ret i32 %38
}
define internal void @gradir.mpi.wait_for(ptr sret(%struct.waiting) %0, i32 %1, ptr %2) {
3:
  store i32 %1, ptr %0, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 4
  store i32 0, ptr %4, align 4
  %5 = getelementptr inbounds i8, ptr %0, i64 8
  %6 = call i32 @llvm.umax.i32(i32 %1, i32 1)
  %7 = sext i32 %6 to i64
  %8 = call ptr @calloc(i64 %7, i64 8)
  store ptr %8, ptr %5, align 8
  %9 = getelementptr inbounds i8, ptr %0, i64 16
  %10 = call ptr @calloc(i64 %7, i64 24)
  store ptr %10, ptr %9, align 8
  call void @gradir.mpi.settle(i32 0)
  %11 = icmp sgt i32 %1, 0
  br i1 %11, label %12, label %14

12:
  %13 = zext i32 %1 to i64
  br label %15

14:
  ret void

15:
  %16 = phi i64 [ 0, %12 ], [ %34, %33 ]
  %17 = getelementptr inbounds ptr, ptr %2, i64 %16
  %18 = load ptr, ptr %17, align 8
  br label %19

19:
  %20 = phi ptr [ @gradir.mpi.channels, %15 ], [ %21, %23 ]
  %21 = load ptr, ptr %20, align 8
  %22 = icmp eq ptr %21, null
  br i1 %22, label %33, label %23

23:
  %24 = getelementptr inbounds i8, ptr %21, i64 8
  %25 = load ptr, ptr %24, align 8
  %26 = icmp eq ptr %25, %18
  br i1 %26, label %27, label %19

27:
  %28 = getelementptr inbounds i8, ptr %21, i64 72
  %29 = load i32, ptr %28, align 8
  %30 = icmp eq i32 %29, 0
  br i1 %30, label %33, label %31

31:
  %32 = getelementptr inbounds ptr, ptr %8, i64 %16
  store ptr %21, ptr %32, align 8
  br label %33

33:
  %34 = add nsw i64 %16, 1
  %35 = icmp eq i64 %34, %13
  br i1 %35, label %14, label %15
}
declare i32 @MPI_Waitall(i32, ptr, ptr)
define internal void @gradir.mpi.done(ptr byval(%struct.waiting) %0, i32 %1, ptr %2, ptr %3, ptr %4, ptr %5) {
6:
  %7 = icmp eq ptr %5, null
  br i1 %7, label %13, label %8

8:
  %9 = sext i32 %1 to i64
  %10 = shl nsw i64 %9, 3
  %11 = add nsw i64 %10, 8
  %12 = call ptr @calloc(i64 1, i64 %11)
  store i32 %1, ptr %12, align 8
  store ptr %12, ptr %5, align 8
  br label %13

13:
  %14 = icmp sgt i32 %1, 0
  br i1 %14, label %15, label %23

15:
  %16 = icmp eq ptr %2, null
  %17 = getelementptr inbounds i8, ptr %0, i64 8
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds i8, ptr %0, i64 16
  %20 = load ptr, ptr %19, align 8
  %21 = icmp eq ptr %4, null
  %22 = zext i32 %1 to i64
  br label %24

23:
  ret void

24:
  %25 = phi i64 [ 0, %15 ], [ %66, %65 ]
  %26 = trunc nsw i64 %25 to i32
  br i1 %16, label %30, label %27

27:
  %28 = getelementptr inbounds i32, ptr %2, i64 %25
  %29 = load i32, ptr %28, align 4
  br label %30

30:
  %31 = phi i32 [ %29, %27 ], [ %26, %24 ]
  %32 = sext i32 %31 to i64
  %33 = getelementptr inbounds ptr, ptr %18, i64 %32
  %34 = load ptr, ptr %33, align 8
  %35 = icmp eq ptr %34, null
  br i1 %35, label %55, label %36

36:
  %37 = getelementptr inbounds ptr, ptr %3, i64 %32
  %38 = getelementptr inbounds i8, ptr %34, i64 88
  %39 = load ptr, ptr %38, align 8
  store ptr null, ptr %38, align 8
  %40 = getelementptr inbounds i8, ptr %34, i64 72
  store i32 0, ptr %40, align 8
  %41 = getelementptr inbounds i8, ptr %34, i64 64
  %42 = load i32, ptr %41, align 8
  %43 = icmp eq i32 %42, 0
  br i1 %43, label %44, label %49

44:
  %45 = getelementptr inbounds %struct.MPI_Status, ptr %20, i64 %25
  %46 = getelementptr inbounds i8, ptr %34, i64 16
  %47 = getelementptr inbounds i8, ptr %34, i64 80
  %48 = load ptr, ptr %47, align 8
  call void @gradir.mpi.unbundle(ptr byval(%struct.end) %46, ptr %48, ptr %45, ptr %39)
  br label %49

49:
  %50 = getelementptr inbounds i8, ptr %34, i64 68
  %51 = load i32, ptr %50, align 4
  %52 = icmp eq i32 %51, 0
  br i1 %52, label %53, label %55

53:
  %54 = call i32 @MPI_Request_free(ptr %37)
  call void @gradir.mpi.close_channel(ptr %34)
  br label %55

55:
  %56 = phi ptr [ null, %30 ], [ %39, %49 ], [ %39, %53 ]
  br i1 %7, label %61, label %57

57:
  %58 = load ptr, ptr %5, align 8
  %59 = getelementptr inbounds i8, ptr %58, i64 8
  %60 = getelementptr inbounds ptr, ptr %59, i64 %25
  store ptr %56, ptr %60, align 8
  br label %61

61:
  br i1 %21, label %65, label %62

62:
  %63 = getelementptr inbounds %struct.MPI_Status, ptr %4, i64 %25
  %64 = getelementptr inbounds %struct.MPI_Status, ptr %20, i64 %25
  call void @llvm.memcpy.p0.p0.i64(ptr %63, ptr %64, i64 24, i1 false)
  br label %65

65:
  %66 = add nsw i64 %25, 1
  %67 = icmp eq i64 %66, %22
  br i1 %67, label %23, label %24
}
define internal void @gradir.mpi.close_channel(ptr %0) {
1:
  br label %2

2:
  %3 = phi ptr [ @gradir.mpi.channels, %1 ], [ %4, %6 ]
  %4 = load ptr, ptr %3, align 8
  %5 = icmp eq ptr %4, null
  br i1 %5, label %10, label %6

6:
  %7 = icmp eq ptr %4, %0
  br i1 %7, label %8, label %2

8:
  %9 = load ptr, ptr %0, align 8
  store ptr %9, ptr %3, align 8
  br label %10

10:
  %11 = getelementptr inbounds i8, ptr %0, i64 80
  %12 = load ptr, ptr %11, align 8
  call void @free(ptr %12)
  call void @free(ptr %0)
  ret void
}
declare i32 @MPI_Waitany(i32, ptr, ptr, ptr)
declare i32 @MPI_Testall(i32, ptr, ptr, ptr)
declare i32 @MPI_Testany(i32, ptr, ptr, ptr, ptr)
define internal ptr @gradir.mpi.new_side(ptr %0, ptr %1, ptr %2, i32 %3, i32 %4, ptr %5, ptr %6) {
7:
  %8 = alloca i64, align 8
  %9 = alloca i64, align 8
  %10 = call ptr @calloc(i64 1, i64 72)
  %11 = call i64 @gradir.mpi.floats_in(ptr %2, ptr %0, ptr %1)
  %12 = call i32 @MPI_Type_get_extent(ptr %2, ptr %8, ptr %9)
  %13 = load i64, ptr %9, align 8
  %14 = call i32 @llvm.umax.i32(i32 %3, i32 1)
  %15 = sext i32 %14 to i64
  %16 = call ptr @calloc(i64 %15, i64 4)
  %17 = call ptr @calloc(i64 %15, i64 4)
  %18 = call ptr @calloc(i64 %15, i64 4)
  %19 = call ptr @calloc(i64 %15, i64 8)
  store ptr %0, ptr %10, align 8
  %20 = getelementptr inbounds i8, ptr %10, i64 8
  store ptr %1, ptr %20, align 8
  %21 = getelementptr inbounds i8, ptr %10, i64 16
  store ptr %2, ptr %21, align 8
  %22 = getelementptr inbounds i8, ptr %10, i64 24
  store i32 %3, ptr %22, align 8
  %23 = getelementptr inbounds i8, ptr %10, i64 32
  store ptr %16, ptr %23, align 8
  %24 = getelementptr inbounds i8, ptr %10, i64 40
  store ptr %17, ptr %24, align 8
  %25 = getelementptr inbounds i8, ptr %10, i64 48
  store ptr %18, ptr %25, align 8
  %26 = getelementptr inbounds i8, ptr %10, i64 56
  %27 = getelementptr inbounds i8, ptr %10, i64 64
  store ptr %19, ptr %27, align 8
  %28 = icmp sgt i32 %3, 0
  br i1 %28, label %29, label %35

29:
  %30 = icmp eq ptr %5, null
  %31 = icmp eq ptr %6, null
  %32 = trunc i64 %11 to i32
  %33 = zext i32 %3 to i64
  br label %36

34:
  store i32 %57, ptr %26, align 8
  br label %35

35:
  ret ptr %10

36:
  %37 = phi i64 [ 0, %29 ], [ %60, %50 ]
  %38 = phi i32 [ 0, %29 ], [ %57, %50 ]
  %39 = phi i64 [ 0, %29 ], [ %59, %50 ]
  br i1 %30, label %43, label %40

40:
  %41 = getelementptr inbounds i32, ptr %5, i64 %37
  %42 = load i32, ptr %41, align 4
  br label %43

43:
  %44 = phi i32 [ %42, %40 ], [ %4, %36 ]
  %45 = getelementptr inbounds i32, ptr %16, i64 %37
  store i32 %44, ptr %45, align 4
  br i1 %31, label %50, label %46

46:
  %47 = getelementptr inbounds i32, ptr %6, i64 %37
  %48 = load i32, ptr %47, align 4
  %49 = sext i32 %48 to i64
  br label %50

50:
  %51 = phi i64 [ %49, %46 ], [ %39, %43 ]
  %52 = mul nsw i64 %51, %13
  %53 = getelementptr inbounds i64, ptr %19, i64 %37
  store i64 %52, ptr %53, align 8
  %54 = mul i32 %44, %32
  %55 = getelementptr inbounds i32, ptr %17, i64 %37
  store i32 %54, ptr %55, align 4
  %56 = getelementptr inbounds i32, ptr %18, i64 %37
  store i32 %38, ptr %56, align 4
  %57 = add nsw i32 %38, %54
  %58 = sext i32 %44 to i64
  %59 = add nsw i64 %39, %58
  %60 = add nsw i64 %37, 1
  %61 = icmp eq i64 %60, %33
  br i1 %61, label %34, label %36
}
define internal ptr @gradir.mpi.new_collective(i32 %0, ptr %1, ptr %2, i32 %3, ptr %4) {
5:
  %6 = alloca i32, align 4
  %7 = call i32 @MPI_Comm_test_inter(ptr %4, ptr %6)
  %8 = load i32, ptr %6, align 4
  %9 = icmp eq i32 %8, 0
  br i1 %9, label %11, label %10

10:
  call void @gradir.mpi.refuse(ptr @gradir.mpi.str.57, ptr @gradir.mpi.str.58)
  unreachable

11:
  %12 = call ptr @calloc(i64 1, i64 48)
  store i32 %0, ptr %12, align 8
  %13 = getelementptr inbounds i8, ptr %12, i64 8
  store ptr %1, ptr %13, align 8
  %14 = getelementptr inbounds i8, ptr %12, i64 16
  store ptr %2, ptr %14, align 8
  %15 = getelementptr inbounds i8, ptr %12, i64 24
  store i32 %3, ptr %15, align 8
  %16 = getelementptr inbounds i8, ptr %12, i64 32
  store ptr %4, ptr %16, align 8
  ret ptr %12
}
declare i32 @MPI_Comm_rank(ptr, ptr)
declare i32 @MPI_Type_get_extent(ptr, ptr, ptr)
declare i32 @MPI_Comm_test_inter(ptr, ptr)
define internal void @gradir.mpi.exchange_side(ptr %0, ptr %1, ptr %2, ptr %3, i32 %4) {
5:
  %6 = getelementptr inbounds i8, ptr %0, i64 24
  %7 = load i32, ptr %6, align 8
  %8 = icmp sgt i32 %7, 0
  br i1 %8, label %9, label %14

9:
  %10 = getelementptr inbounds i8, ptr %0, i64 64
  %11 = getelementptr inbounds i8, ptr %0, i64 32
  %12 = getelementptr inbounds i8, ptr %0, i64 16
  %13 = getelementptr inbounds i8, ptr %0, i64 48
  br label %15

14:
  ret void

15:
  %16 = phi i64 [ 0, %9 ], [ %30, %15 ]
  %17 = load ptr, ptr %10, align 8
  %18 = getelementptr inbounds i64, ptr %17, i64 %16
  %19 = load i64, ptr %18, align 8
  %20 = getelementptr inbounds i8, ptr %1, i64 %19
  %21 = load ptr, ptr %11, align 8
  %22 = getelementptr inbounds i32, ptr %21, i64 %16
  %23 = load i32, ptr %22, align 4
  %24 = load ptr, ptr %12, align 8
  %25 = load ptr, ptr %13, align 8
  %26 = getelementptr inbounds i32, ptr %25, i64 %16
  %27 = load i32, ptr %26, align 4
  %28 = sext i32 %27 to i64
  %29 = getelementptr inbounds double, ptr %2, i64 %28
  call void @gradir.mpi.exchange(ptr %20, i32 %23, ptr %24, ptr %3, ptr %29, i32 %4)
  %30 = add nsw i64 %16, 1
  %31 = load i32, ptr %6, align 8
  %32 = sext i32 %31 to i64
  %33 = icmp slt i64 %30, %32
  br i1 %33, label %15, label %14
}
define internal void @gradir.mpi.apply(i32 %0, ptr %1, ptr %2, ptr %3, ptr %4, i32 %5, ptr %6) {
7:
  switch i32 %0, label %75 [    i32 0, label %8    i32 1, label %19    i32 2, label %23    i32 3, label %27    i32 4, label %40    i32 5, label %53    i32 6, label %61    i32 7, label %65  ]

8:
  %9 = icmp eq ptr %2, null
  br i1 %9, label %15, label %10

10:
  %11 = getelementptr inbounds i8, ptr %3, i64 56
  %12 = load i32, ptr %11, align 8
  %13 = sext i32 %12 to i64
  %14 = shl nsw i64 %13, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %4, ptr %2, i64 %14, i1 false)
  br label %15

15:
  %16 = getelementptr inbounds i8, ptr %3, i64 56
  %17 = load i32, ptr %16, align 8
  %18 = call i32 @MPI_Bcast(ptr %4, i32 %17, ptr @ompi_mpi_double, i32 %5, ptr %6)
  br label %75

19:
  %20 = getelementptr inbounds i8, ptr %1, i64 56
  %21 = load i32, ptr %20, align 8
  %22 = call i32 @MPI_Reduce(ptr %2, ptr %4, i32 %21, ptr @ompi_mpi_double, ptr @ompi_mpi_op_sum, i32 %5, ptr %6)
  br label %75

23:
  %24 = getelementptr inbounds i8, ptr %1, i64 56
  %25 = load i32, ptr %24, align 8
  %26 = call i32 @MPI_Allreduce(ptr %2, ptr %4, i32 %25, ptr @ompi_mpi_double, ptr @ompi_mpi_op_sum, ptr %6)
  br label %75

27:
  %28 = getelementptr inbounds i8, ptr %1, i64 56
  %29 = load i32, ptr %28, align 8
  %30 = icmp eq ptr %3, null
  br i1 %30, label %36, label %31

31:
  %32 = getelementptr inbounds i8, ptr %3, i64 40
  %33 = load ptr, ptr %32, align 8
  %34 = getelementptr inbounds i8, ptr %3, i64 48
  %35 = load ptr, ptr %34, align 8
  br label %36

36:
  %37 = phi ptr [ %33, %31 ], [ null, %27 ]
  %38 = phi ptr [ %35, %31 ], [ null, %27 ]
  %39 = call i32 @MPI_Gatherv(ptr %2, i32 %29, ptr @ompi_mpi_double, ptr %4, ptr %37, ptr %38, ptr @ompi_mpi_double, i32 %5, ptr %6)
  br label %75

40:
  %41 = icmp eq ptr %1, null
  br i1 %41, label %47, label %42

42:
  %43 = getelementptr inbounds i8, ptr %1, i64 40
  %44 = load ptr, ptr %43, align 8
  %45 = getelementptr inbounds i8, ptr %1, i64 48
  %46 = load ptr, ptr %45, align 8
  br label %47

47:
  %48 = phi ptr [ %44, %42 ], [ null, %40 ]
  %49 = phi ptr [ %46, %42 ], [ null, %40 ]
  %50 = getelementptr inbounds i8, ptr %3, i64 56
  %51 = load i32, ptr %50, align 8
  %52 = call i32 @MPI_Scatterv(ptr %2, ptr %48, ptr %49, ptr @ompi_mpi_double, ptr %4, i32 %51, ptr @ompi_mpi_double, i32 %5, ptr %6)
  br label %75

53:
  %54 = getelementptr inbounds i8, ptr %1, i64 56
  %55 = load i32, ptr %54, align 8
  %56 = getelementptr inbounds i8, ptr %3, i64 40
  %57 = load ptr, ptr %56, align 8
  %58 = getelementptr inbounds i8, ptr %3, i64 48
  %59 = load ptr, ptr %58, align 8
  %60 = call i32 @MPI_Allgatherv(ptr %2, i32 %55, ptr @ompi_mpi_double, ptr %4, ptr %57, ptr %59, ptr @ompi_mpi_double, ptr %6)
  br label %75

61:
  %62 = getelementptr inbounds i8, ptr %1, i64 40
  %63 = load ptr, ptr %62, align 8
  %64 = call i32 @MPI_Reduce_scatter(ptr %2, ptr %4, ptr %63, ptr @ompi_mpi_double, ptr @ompi_mpi_op_sum, ptr %6)
  br label %75

65:
  %66 = getelementptr inbounds i8, ptr %1, i64 40
  %67 = load ptr, ptr %66, align 8
  %68 = getelementptr inbounds i8, ptr %1, i64 48
  %69 = load ptr, ptr %68, align 8
  %70 = getelementptr inbounds i8, ptr %3, i64 40
  %71 = load ptr, ptr %70, align 8
  %72 = getelementptr inbounds i8, ptr %3, i64 48
  %73 = load ptr, ptr %72, align 8
  %74 = call i32 @MPI_Alltoallv(ptr %2, ptr %67, ptr %69, ptr @ompi_mpi_double, ptr %4, ptr %71, ptr %73, ptr @ompi_mpi_double, ptr %6)
  br label %75

75:
  ret void
}
define internal void @gradir.mpi.release_collective(ptr %0) {
1:
  %2 = getelementptr inbounds i8, ptr %0, i64 8
  %3 = load ptr, ptr %2, align 8
  call void @gradir.mpi.release_side(ptr %3)
  %4 = getelementptr inbounds i8, ptr %0, i64 16
  %5 = load ptr, ptr %4, align 8
  call void @gradir.mpi.release_side(ptr %5)
  %6 = getelementptr inbounds i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  call void @free(ptr %7)
  call void @free(ptr %0)
  ret void
}
define internal void @gradir.mpi.release_side(ptr %0) {
1:
  %2 = icmp eq ptr %0, null
  br i1 %2, label %12, label %3

3:
  %4 = getelementptr inbounds i8, ptr %0, i64 32
  %5 = load ptr, ptr %4, align 8
  call void @free(ptr %5)
  %6 = getelementptr inbounds i8, ptr %0, i64 40
  %7 = load ptr, ptr %6, align 8
  call void @free(ptr %7)
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %9 = load ptr, ptr %8, align 8
  call void @free(ptr %9)
  %10 = getelementptr inbounds i8, ptr %0, i64 64
  %11 = load ptr, ptr %10, align 8
  call void @free(ptr %11)
  call void @free(ptr %0)
  br label %12

12:
  ret void
}
define internal ptr @gradir.mpi.part_of(ptr %0, i32 %1) {
2:
  %3 = load ptr, ptr %0, align 8
  %4 = getelementptr inbounds i8, ptr %0, i64 8
  %5 = load ptr, ptr %4, align 8
  %6 = getelementptr inbounds i8, ptr %0, i64 16
  %7 = load ptr, ptr %6, align 8
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = load ptr, ptr %8, align 8
  %10 = sext i32 %1 to i64
  %11 = getelementptr inbounds i32, ptr %9, i64 %10
  %12 = load i32, ptr %11, align 4
  %13 = call ptr @gradir.mpi.new_side(ptr %3, ptr %5, ptr %7, i32 1, i32 %12, ptr null, ptr null)
  %14 = getelementptr inbounds i8, ptr %0, i64 64
  %15 = load ptr, ptr %14, align 8
  %16 = getelementptr inbounds i64, ptr %15, i64 %10
  %17 = load i64, ptr %16, align 8
  %18 = getelementptr inbounds i8, ptr %13, i64 64
  %19 = load ptr, ptr %18, align 8
  store i64 %17, ptr %19, align 8
  ret ptr %13
}
declare i64 @llvm.umax.i64(i64, i64)
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
