! Programs on several processes in Fortran, with MPI's names as they are in mpif.h.

! A rod's temperature: each process has a part of it, and its neighbours' ends.
function rod(x, n) result(energy) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  real(c_double), intent(in) :: x(*)
  integer(c_int), value :: n
  real(c_double) :: energy
  double precision, allocatable :: u(:), v(:)
  double precision :: part
  integer :: rank, size, left, right, error, t, i, requests(4), status(MPI_STATUS_SIZE)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  left = rank - 1
  right = rank + 1
  if (left < 0) left = MPI_PROC_NULL
  if (right >= size) right = MPI_PROC_NULL
  allocate(u(0:n + 1), v(n))
  u(0) = 0
  u(n + 1) = 0
  do i = 1, n
    u(i) = x(i)
  end do
  do t = 1, 3
    call mpi_irecv(u(0), 1, MPI_DOUBLE_PRECISION, left, 0, MPI_COMM_WORLD, requests(1), error)
    call mpi_irecv(u(n + 1), 1, MPI_DOUBLE_PRECISION, right, 1, MPI_COMM_WORLD, requests(2), error)
    call mpi_isend(u(n), 1, MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, requests(3), error)
    call mpi_isend(u(1), 1, MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, requests(4), error)
    call mpi_waitall(4, requests, MPI_STATUSES_IGNORE, error)
    do i = 1, n
      v(i) = u(i) + 0.1d0 * (u(i - 1) - 2 * u(i) + u(i + 1)) * u(i)
    end do
    do i = 1, n
      u(i) = v(i)
    end do
  end do
  part = 0
  do i = 1, n
    part = part + u(i)**2
  end do
  call mpi_allreduce(MPI_IN_PLACE, part, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
  energy = sqrt(part)
  call mpi_sendrecv_replace(u(1), n, MPI_DOUBLE_PRECISION, mod(rank + 1, size), 4, mod(rank + size - 1, size), 4, &
    MPI_COMM_WORLD, status, error)
  energy = energy + u(1) * u(n) * x(2)
  deallocate(u, v)
end function

! A mean, and how far from it the largest is: the root tells all.
function spread(x, n) result(far) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  real(c_double), intent(in) :: x(*)
  integer(c_int), value :: n
  real(c_double) :: far
  double precision :: total, mean, largest, own(2)
  double precision, allocatable :: all(:)
  integer :: rank, size, error, i
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  total = 0
  do i = 1, n
    total = total + x(i) * x(i)
  end do
  call mpi_reduce(total, mean, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) mean = mean / (n * size)
  call mpi_bcast(mean, 1, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, error)
  call mpi_allreduce(total, largest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)
  allocate(all(2 * size))
  own(1) = x(1) * mean
  own(2) = x(2) * x(3)
  call mpi_allgather(own, 2, MPI_DOUBLE_PRECISION, all, 2, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  far = (largest - mean)**2
  do i = 1, 2 * size
    far = far + all(i)**2 * (rank + 1)
  end do
  deallocate(all)
end function
