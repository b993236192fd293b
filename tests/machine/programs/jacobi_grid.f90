! A grid in columns, swept in place, with assumed-shape arrays in a module procedure.
module grids
  use iso_c_binding
  implicit none
contains
  subroutine sweep(u, f)
    real(c_double), intent(inout) :: u(:, :)
    real(c_double), intent(in) :: f(:, :)
    integer :: i, j
    do j = 2, size(u, 2) - 1
       do i = 2, size(u, 1) - 1
          u(i, j) = 0.25d0 * (u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - f(i, j) * u(i, j))
       end do
    end do
  end subroutine
end module

subroutine jacobi_grid(n, u, f, sweeps) bind(c)
  use grids
  implicit none
  integer(c_int), value :: n, sweeps
  real(c_double), intent(inout) :: u(n, n)
  real(c_double), intent(in) :: f(n, n)
  integer :: k
  do k = 1, sweeps
     call sweep(u, f)
  end do
end subroutine
