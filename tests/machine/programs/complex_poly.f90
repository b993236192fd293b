! Fortran's complex numbers, passed as pairs of reals.
subroutine complex_poly(n, c, z) bind(c)
  use iso_c_binding
  implicit none
  integer(c_int), value :: n
  complex(c_double_complex), intent(in) :: c(n)
  complex(c_double_complex), intent(inout) :: z
  complex(c_double_complex) :: sum
  integer :: i
  sum = (0.0d0, 0.0d0)
  do i = n, 1, -1
     sum = sum * z + c(i)
  end do
  z = sum * conjg(z) + cmplx(aimag(sum), real(z), c_double_complex)
end subroutine
