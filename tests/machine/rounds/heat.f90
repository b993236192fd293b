! The heat equation with a source, in time.
subroutine heat(u, n, steps, k, e)
  implicit none
  integer, intent(in) :: n, steps
  real(8), intent(inout) :: u(n)
  real(8), intent(in) :: k
  real(8), intent(out) :: e
  real(8) :: w(n)
  integer :: t, i
  do t = 1, steps
    do i = 2, n - 1
      w(i) = u(i) + k * (u(i-1) - 2 * u(i) + u(i+1)) + 0.01d0 * sin(u(i)) * u(i)
    end do
    u(2:n-1) = w(2:n-1)
  end do
  e = sum(u * u)
end subroutine
