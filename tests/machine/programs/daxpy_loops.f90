! Explicit shapes, loops that count down and stride, a select case.
subroutine daxpy_loops(n, a, x, y) bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  real(c_double), value :: a
  real(c_double), intent(in) :: x(n)
  real(c_double), intent(inout) :: y(n)
  integer :: i
  do i = 1, n
     y(i) = y(i) + a * x(i)
  end do
  do i = n, 2, -2
     y(i) = y(i) * y(i - 1)
  end do
  do i = 1, n
     select case (mod(i, 3))
     case (0)
        y(i) = sin(y(i))
     case (1)
        y(i) = y(i)**2
     case default
        y(i) = y(i) - x(i)
     end select
  end do
end subroutine
