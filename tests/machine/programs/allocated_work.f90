! Allocatable arrays, exit and cycle, min and max, an internal procedure.
function allocated_work(n, x) result(total) bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: total
  real(c_double), allocatable :: work(:, :)
  integer :: i, j
  allocate(work(n, n))
  do j = 1, n
     do i = 1, n
        work(i, j) = x(i) * x(j) + merge(1.0d0, 0.0d0, i == j)
     end do
  end do
  total = 0
  do i = 1, n
     if (x(i) < -1.5d0) cycle
     total = total + step(work(i, i), x(i))
     if (total > 50) exit
  end do
  deallocate(work)
contains
  function step(w, v) result(r)
    real(c_double), intent(in) :: w, v
    real(c_double) :: r
    r = max(w, v) * min(w, 2.0d0) + abs(v)
  end function
end function
