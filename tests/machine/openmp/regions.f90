! Parallel regions of Fortran: the same numbers without OpenMP.
module regions
  use iso_c_binding
contains
  real(c_double) function energy(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: s, p
    integer :: i
    s = 0; p = 1
    !$omp parallel do reduction(+:s) reduction(*:p) schedule(dynamic, 2)
    do i = 1, n
      s = s + x(i)*x(i)*x(1)
      p = p*(1 + 0.1d0*x(i))
    end do
    !$omp end parallel do
    energy = s*p
  end function

  real(c_double) function steps(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: u(n), v(n), a, t
    integer :: i, k
    a = sin(x(1)); t = 0
    !$omp parallel private(k) firstprivate(a)
    !$omp do
    do i = 1, n
      u(i) = x(i)*a
    end do
    !$omp end do
    do k = 1, 4
      !$omp do
      do i = 2, n - 1
        v(i) = u(i) + 0.2d0*(u(i - 1) - 2*u(i) + u(i + 1))*u(i)
      end do
      !$omp end do
      !$omp do
      do i = 2, n - 1
        u(i) = v(i)
      end do
      !$omp end do
    end do
    !$omp single
    u(2) = u(2)*u(1)
    !$omp end single
    !$omp do
    do i = 1, n
      !$omp atomic
      t = t + u(i)*u(i)
    end do
    !$omp end do
    !$omp end parallel
    steps = t
  end function

  real(c_double) function tops(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(8) :: m, s
    integer :: i
    m = 0; s = 0
    !$omp parallel do
    do i = 1, n
      !$omp atomic
      m = max(m, x(i)*x(i))
      !$omp critical
      s = s + x(i)*x(n + 1 - i)
      !$omp end critical
    end do
    !$omp end parallel do
    tops = m*s
  end function
end module
