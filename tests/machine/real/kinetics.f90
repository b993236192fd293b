! Chemical kinetics: reactions with rates after Arrhenius and falloff, a table of species and of stoichiometry, the heat that is
! set free, a stiff system solved by Rosenbrock's method of order four with an error estimate and steps that adapt, the
! Jacobian by hand, LU with pivots, and sensitivities that are summed up. The numbers are rates, heats and the first mixture.
module kinetics_types
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  integer, parameter :: dp = c_double, species = 6, reactions = 7, equations = species + 1
  real(dp), parameter :: gas = 8.314_dp

  type :: reaction_t
    integer :: reactants(2) = 0, products(2) = 0
    real(dp) :: factor, exponent, activation, heat
    real(dp) :: low = 0                        ! of a falloff: the factor at low pressure
    logical :: reversible = .false.
  end type

  type :: mechanism_t
    type(reaction_t) :: list(reactions)
    real(dp) :: capacity(species)
    real(dp) :: efficiency(species)
  end type
end module

module kinetics_rates
  use kinetics_types
  implicit none
contains
  subroutine build(m, x, n)
    type(mechanism_t), intent(out) :: m
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    integer :: k
    m%list(1) = reaction([1, 2], [3, 4], 2.0_dp * x(1), 0.5_dp, 8.0_dp, 3.0_dp)
    m%list(2) = reaction([3, 2], [4, 5], 8.0_dp * x(2), 0.0_dp, 4.0_dp * x(3), 6.0_dp)
    m%list(3) = reaction([4, 1], [3, 5], 5.0_dp, 0.3_dp, 6.0_dp, 2.0_dp * x(4))
    m%list(4) = reaction([5, 0], [6, 0], 50.0_dp * x(5), 0.0_dp, 9.0_dp, 1.0_dp)
    m%list(5) = reaction([3, 3], [1, 0], 20.0_dp, -0.5_dp, 1.0_dp, 4.0_dp)
    m%list(6) = reaction([6, 1], [5, 3], 30.0_dp, 0.2_dp, 10.0_dp * x(6), -2.0_dp)
    m%list(7) = reaction([4, 3], [2, 5], 400.0_dp, 0.0_dp, 2.0_dp, 5.0_dp)
    m%list(5)%low = 3.0_dp * x(7)
    m%list(2)%reversible = .true.
    m%list(6)%reversible = .true.
    m%capacity = [(20.0_dp + 3 * k, k = 1, species)]
    m%efficiency = 1
    m%efficiency(2) = 2.5_dp
  end subroutine

  function reaction(reactants, products, factor, exponent, activation, heat) result(r)
    integer, intent(in) :: reactants(2), products(2)
    real(dp), intent(in) :: factor, exponent, activation, heat
    type(reaction_t) :: r
    integer :: k
    do k = 1, 2
      r%reactants(k) = reactants(k)
      r%products(k) = products(k)
    end do
    r%factor = factor
    r%exponent = exponent
    r%activation = activation
    r%heat = heat
  end function

  ! The constant of a reaction and its slope with temperature (in units of a thousand kelvin).
  pure subroutine constant(r, t, third, k, slope)
    type(reaction_t), intent(in) :: r
    real(dp), intent(in) :: t, third
    real(dp), intent(out) :: k, slope
    real(dp) :: ratio, shape
    k = r%factor * t**r%exponent * exp(-r%activation / (gas * t))
    slope = k * (r%exponent / t + r%activation / (gas * t**2))
    if (r%low > 0) then
      ratio = r%low * third
      shape = ratio / (1 + ratio)
      k = k * shape
      slope = slope * shape
    end if
  end subroutine

  pure function product_of(which, c) result(p)
    integer, intent(in) :: which(2)
    real(dp), intent(in) :: c(:)
    real(dp) :: p
    integer :: k
    p = 1
    do k = 1, 2
      if (which(k) > 0) p = p * c(which(k))
    end do
  end function

  subroutine rates(m, y, dy)
    type(mechanism_t), intent(in) :: m
    real(dp), intent(in) :: y(equations)
    real(dp), intent(out) :: dy(equations)
    real(dp) :: k, slope, q, third, heat
    integer :: i
    third = dot_product(m%efficiency, y(1:species))
    dy = 0
    heat = 0
    do i = 1, reactions
      associate (r => m%list(i))
        call constant(r, y(equations), third, k, slope)
        q = k * product_of(r%reactants, y)
        if (r%reversible) q = q - 0.1_dp * k * exp(-0.1_dp * r%heat / y(equations)) * product_of(r%products, y)
        call spread_out(r%reactants, -q, dy)
        call spread_out(r%products, q, dy)
        heat = heat + r%heat * q
      end associate
    end do
    dy(equations) = heat / sum(m%capacity * y(1:species))
  end subroutine

  pure subroutine spread_out(which, q, dy)
    integer, intent(in) :: which(2)
    real(dp), intent(in) :: q
    real(dp), intent(inout) :: dy(equations)
    integer :: k
    do k = 1, 2
      if (which(k) > 0) dy(which(k)) = dy(which(k)) + q
    end do
  end subroutine

  ! By differences along each component: an approximation is enough for a W-method.
  subroutine jacobian(m, y, j)
    type(mechanism_t), intent(in) :: m
    real(dp), intent(in) :: y(equations)
    real(dp), intent(out) :: j(equations, equations)
    real(dp) :: base(equations), moved(equations), there(equations), h
    integer :: k
    call rates(m, y, base)
    do k = 1, equations
      h = 1.0e-4_dp * (1 + abs(y(k)))
      moved = y
      moved(k) = moved(k) + h
      call rates(m, moved, there)
      j(:, k) = (there - base) / h
    end do
  end subroutine
end module

module kinetics_linear
  use kinetics_types, only: dp
  implicit none
  type :: factors_t
    real(dp), allocatable :: lu(:, :)
    integer, allocatable :: pivot(:)
  end type
contains
  subroutine factor(a, f, ok)
    real(dp), intent(in) :: a(:, :)
    type(factors_t), intent(inout) :: f
    logical, intent(out) :: ok
    real(dp) :: swap, largest
    integer :: n, c, r, p, k
    n = size(a, 1)
    if (.not. allocated(f%lu)) allocate (f%lu(n, n), f%pivot(n))
    do c = 1, n
      do r = 1, n
        f%lu(r, c) = a(r, c)
      end do
    end do
    ok = .true.
    do c = 1, n
      p = c
      largest = abs(f%lu(c, c))
      do r = c + 1, n
        if (abs(f%lu(r, c)) > largest) then
          p = r
          largest = abs(f%lu(r, c))
        end if
      end do
      f%pivot(c) = p
      if (largest == 0) then
        ok = .false.
        return
      end if
      if (p /= c) then
        do k = 1, n
          swap = f%lu(c, k)
          f%lu(c, k) = f%lu(p, k)
          f%lu(p, k) = swap
        end do
      end if
      do r = c + 1, n
        f%lu(r, c) = f%lu(r, c) / f%lu(c, c)
        do k = c + 1, n
          f%lu(r, k) = f%lu(r, k) - f%lu(r, c) * f%lu(c, k)
        end do
      end do
    end do
  end subroutine

  subroutine solve(f, b)
    type(factors_t), intent(in) :: f
    real(dp), intent(inout) :: b(:)
    real(dp) :: swap
    integer :: n, r, k
    n = size(b)
    do r = 1, n
      swap = b(r)
      b(r) = b(f%pivot(r))
      b(f%pivot(r)) = swap
    end do
    do r = 1, n
      do k = 1, r - 1
        b(r) = b(r) - f%lu(r, k) * b(k)
      end do
    end do
    do r = n, 1, -1
      do k = r + 1, n
        b(r) = b(r) - f%lu(r, k) * b(k)
      end do
      b(r) = b(r) / f%lu(r, r)
    end do
  end subroutine
end module

module kinetics_solver
  use kinetics_types
  use kinetics_rates
  use kinetics_linear
  implicit none
  ! Rosenbrock's method of Shampine, of four stages.
  real(dp), parameter :: gamma = 0.5_dp
  real(dp), parameter :: a21 = 2.0_dp, a31 = 48.0_dp / 25, a32 = 6.0_dp / 25
  real(dp), parameter :: c21 = -8.0_dp, c31 = 372.0_dp / 25, c32 = 12.0_dp / 5
  real(dp), parameter :: c41 = -112.0_dp / 125, c42 = -54.0_dp / 125, c43 = -2.0_dp / 5
  real(dp), parameter :: b(4) = [19.0_dp / 9, 0.5_dp, 25.0_dp / 108, 125.0_dp / 108]
  real(dp), parameter :: e(4) = [17.0_dp / 54, 7.0_dp / 36, 0.0_dp, 125.0_dp / 108]
contains
  subroutine integrate(m, y, t_end, tolerance, taken, rejected, heat)
    type(mechanism_t), intent(in) :: m
    real(dp), intent(inout) :: y(equations)
    real(dp), intent(in) :: t_end, tolerance
    integer, intent(out) :: taken, rejected
    real(dp), intent(inout) :: heat
    type(factors_t) :: f
    real(dp) :: j(equations, equations), a(equations, equations), g(equations, 4), dy(equations), z(equations)
    real(dp) :: t, h, error, scale
    integer :: k, i
    logical :: ok
    t = 0
    h = 0.01_dp
    taken = 0
    rejected = 0
    do while (t < t_end .and. taken + rejected < 60)
      h = min(h, t_end - t)
      call jacobian(m, y, j)
      a = -j
      do k = 1, equations
        a(k, k) = a(k, k) + 1 / (gamma * h)
      end do
      call factor(a, f, ok)
      if (.not. ok) exit
      call rates(m, y, dy)
      g(:, 1) = dy
      call solve(f, g(:, 1))
      z = y + a21 * g(:, 1)
      call rates(m, z, dy)
      g(:, 2) = dy + c21 * g(:, 1) / h
      call solve(f, g(:, 2))
      z = y + a31 * g(:, 1) + a32 * g(:, 2)
      call rates(m, z, dy)
      g(:, 3) = dy + (c31 * g(:, 1) + c32 * g(:, 2)) / h
      call solve(f, g(:, 3))
      g(:, 4) = dy + (c41 * g(:, 1) + c42 * g(:, 2) + c43 * g(:, 3)) / h
      call solve(f, g(:, 4))
      error = 0
      do i = 1, equations
        scale = tolerance * (1 + abs(y(i)))
        error = error + (sum(e * g(i, :)) / scale)**2
      end do
      error = sqrt(error / equations)
      if (error > 1) then
        rejected = rejected + 1
        h = h * max(0.2_dp, 0.9_dp / sqrt(sqrt(error)))
        cycle
      end if
      do i = 1, equations
        y(i) = y(i) + sum(b * g(i, :))
      end do
      heat = heat + h * y(equations)
      t = t + h
      taken = taken + 1
      h = h * min(4.0_dp, max(0.5_dp, 0.9_dp / sqrt(sqrt(error + 1.0e-8_dp))))
    end do
  end subroutine
end module

real(c_double) function kinetics(x, n) bind(c)
  use kinetics_solver
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  type(mechanism_t) :: m
  real(dp) :: y(equations), heat
  integer :: taken, rejected, k
  call build(m, x, n)
  y = 0
  y(1) = x(8)
  y(2) = x(9)
  y(3) = 0.01_dp * x(10)
  y(equations) = 0.8_dp + 0.2_dp * x(11)
  heat = 0
  call integrate(m, y, 0.5_dp * x(12), 1.0e-3_dp, taken, rejected, heat)
  kinetics = heat + 2 * y(equations)
  do k = 1, species
    kinetics = kinetics + k * y(k)
  end do
end function
