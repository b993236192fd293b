! A module with a derived type, a saved variable and a recursive function.
module oscillator
  use iso_c_binding
  implicit none
  type :: state
     real(c_double) :: x, v
     integer :: steps
  end type
  real(c_double), save :: stiffness
contains
  subroutine advance(s, h)
    type(state), intent(inout) :: s
    real(c_double), intent(in) :: h
    s%v = s%v - h * stiffness * s%x
    s%x = s%x + h * s%v
    s%steps = s%steps + 1
  end subroutine

  recursive function power(x, n) result(r)
    real(c_double), intent(in) :: x
    integer, intent(in) :: n
    real(c_double) :: r
    if (n == 0) then
       r = 1
    else
       r = x * power(x, n - 1)
    end if
  end function
end module

function module_state(x, k, n) result(energy) bind(c)
  use oscillator
  implicit none
  real(c_double), value :: x, k
  integer(c_int), value :: n
  real(c_double) :: energy
  type(state) :: s
  s%x = x
  s%v = 0.5d0
  s%steps = 0
  stiffness = k
  do while (s%steps < n)
     call advance(s, 0.05d0)
  end do
  energy = power(s%x, 3) + 0.5d0 * s%v**2
end function
