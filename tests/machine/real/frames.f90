! Structures of bars, beams and springs: elements of several classes behind an abstract one, materials that are shared by
! pointers, an assembly by degrees of freedom, loads by abstract interface, a banded Cholesky solver, a Newton iteration
! for cables that bear tension alone, and a report of strain energies. The numbers are stiffnesses, areas, loads and places.
module frames_base
  use, intrinsic :: iso_c_binding, only: c_double, c_int
  implicit none
  integer, parameter :: dp = c_double
  integer, parameter :: per_node = 3                     ! two displacements and a rotation

  type :: material_t
    real(dp) :: young = 1, density = 0
    integer :: grade = 0
  end type

  type :: node_t
    real(dp) :: x, y
  end type

  type, abstract :: element_t
    integer :: first = 0, last = 0
    type(material_t), pointer :: material => null()
  contains
    procedure(stiffness_i), deferred :: stiffness
    procedure(energy_i), deferred :: energy
    procedure :: mass => no_mass
    procedure, non_overridable :: connect
    procedure, non_overridable :: places
  end type

  abstract interface
    subroutine stiffness_i(self, nodes, u, k)
      import :: element_t, node_t, dp
      class(element_t), intent(in) :: self
      type(node_t), intent(in) :: nodes(:)
      real(dp), intent(in) :: u(:)
      real(dp), intent(out) :: k(6, 6)
    end subroutine
    function energy_i(self, nodes, u) result(e)
      import :: element_t, node_t, dp
      class(element_t), intent(in) :: self
      type(node_t), intent(in) :: nodes(:)
      real(dp), intent(in) :: u(:)
      real(dp) :: e
    end function
    pure function load_i(t) result(p)
      import :: dp
      real(dp), intent(in) :: t
      real(dp) :: p
    end function
  end interface

contains

  function no_mass(self, nodes) result(m)
    class(element_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp) :: m
    m = 0
  end function

  subroutine connect(self, first, last, material)
    class(element_t), intent(inout) :: self
    integer, intent(in) :: first, last
    type(material_t), intent(in), target :: material
    self%first = first
    self%last = last
    self%material => material
  end subroutine

  ! The degrees of freedom of both ends.
  subroutine places(self, at)
    class(element_t), intent(in) :: self
    integer, intent(out) :: at(6)
    integer :: k
    do k = 1, per_node
      at(k) = per_node * (self%first - 1) + k
      at(per_node + k) = per_node * (self%last - 1) + k
    end do
  end subroutine

  ! Length and direction of what connects two nodes.
  pure subroutine direction(nodes, first, last, length, c, s)
    type(node_t), intent(in) :: nodes(:)
    integer, intent(in) :: first, last
    real(dp), intent(out) :: length, c, s
    real(dp) :: dx, dy
    dx = nodes(last)%x - nodes(first)%x
    dy = nodes(last)%y - nodes(first)%y
    length = sqrt(dx**2 + dy**2)
    c = dx / length
    s = dy / length
  end subroutine
end module

module frames_elements
  use frames_base
  implicit none

  type, extends(element_t) :: bar_t
    real(dp) :: area = 1
  contains
    procedure :: stiffness => bar_stiffness
    procedure :: energy => bar_energy
    procedure :: mass => bar_mass
  end type

  ! A bar that goes slack: its stiffness depends on what it is pulled.
  type, extends(bar_t) :: cable_t
    real(dp) :: prestress = 0
  contains
    procedure :: stiffness => cable_stiffness
  end type

  type, extends(element_t) :: beam_t
    real(dp) :: area = 1, inertia = 1
    real(dp) :: taper(3) = 1                             ! of the inertia, at points along the axis
  contains
    procedure :: stiffness => beam_stiffness
    procedure :: energy => quadratic_energy
    procedure :: mass => beam_mass
    procedure :: shape => beam_shape
    procedure, private :: mean_inertia
  end type

  type, extends(element_t) :: spring_t
    real(dp) :: constants(per_node) = 0
  contains
    procedure :: stiffness => spring_stiffness
    procedure :: energy => quadratic_energy_spring
  end type

contains

  ! The quadratic form of a stiffness.
  pure function form(k, v) result(q)
    real(dp), intent(in) :: k(6, 6), v(6)
    real(dp) :: q
    integer :: j
    q = 0
    do j = 1, 6
      q = q + v(j) * dot_product(k(:, j), v)
    end do
  end function

  subroutine axial(k, c, s, ea)
    real(dp), intent(inout) :: k(6, 6)
    real(dp), intent(in) :: c, s, ea
    real(dp) :: d(6)
    integer :: i, j
    d = [-c, -s, 0.0_dp, c, s, 0.0_dp]
    do j = 1, 6
      do i = 1, 6
        k(i, j) = k(i, j) + ea * d(i) * d(j)
      end do
    end do
  end subroutine

  subroutine bar_stiffness(self, nodes, u, k)
    class(bar_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp), intent(out) :: k(6, 6)
    real(dp) :: length, c, s
    call direction(nodes, self%first, self%last, length, c, s)
    k = 0
    call axial(k, c, s, self%material%young * self%area / length)
  end subroutine

  function bar_energy(self, nodes, u) result(e)
    class(bar_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp) :: e, k(6, 6), v(6)
    integer :: at(6)
    call self%places(at)
    v = u(at)
    call self%stiffness(nodes, u, k)
    e = 0.5_dp * form(k, v)
  end function

  function bar_mass(self, nodes) result(m)
    class(bar_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp) :: m, length, c, s
    call direction(nodes, self%first, self%last, length, c, s)
    m = self%material%density * self%area * length
  end function

  subroutine cable_stiffness(self, nodes, u, k)
    class(cable_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp), intent(out) :: k(6, 6)
    real(dp) :: length, c, s, strain, softening
    integer :: at(6)
    call direction(nodes, self%first, self%last, length, c, s)
    call self%places(at)
    strain = (c * (u(at(4)) - u(at(1))) + s * (u(at(5)) - u(at(2)))) / length + self%prestress
    softening = 0.5_dp * (1 + tanh(20 * strain))
    k = 0
    call axial(k, c, s, self%material%young * self%area / length * (softening + 0.05_dp))
  end subroutine

  subroutine beam_shape(self, area, inertia, taper)
    class(beam_t), intent(inout) :: self
    real(dp), intent(in) :: area, inertia
    real(dp), intent(in), optional :: taper(3)
    integer :: k
    self%area = area
    self%inertia = inertia
    if (.not. present(taper)) return
    do k = 1, 3
      self%taper(k) = taper(k)
    end do
  end subroutine

  function mean_inertia(self) result(i)
    class(beam_t), intent(in) :: self
    real(dp) :: i
    i = self%inertia * sum(self%taper) / size(self%taper)
  end function

  subroutine beam_stiffness(self, nodes, u, k)
    class(beam_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp), intent(out) :: k(6, 6)
    real(dp) :: length, c, s, ei, local(4, 4), turn(4, 6)
    integer :: i, j, m
    call direction(nodes, self%first, self%last, length, c, s)
    ei = self%material%young * self%mean_inertia() / length**3
    local(:, 1) = [12.0_dp, 6 * length, -12.0_dp, 6 * length]
    local(:, 2) = [6 * length, 4 * length**2, -6 * length, 2 * length**2]
    local(:, 3) = -local(:, 1)
    local(:, 4) = [6 * length, 2 * length**2, -6 * length, 4 * length**2]
    turn = 0
    turn(1, 1) = -s
    turn(1, 2) = c
    turn(2, 3) = 1
    turn(3, 4) = -s
    turn(3, 5) = c
    turn(4, 6) = 1
    do j = 1, 6
      do i = 1, 6
        k(i, j) = 0
        do m = 1, 4
          k(i, j) = k(i, j) + ei * turn(m, i) * sum(local(m, :) * turn(:, j))
        end do
      end do
    end do
    call axial(k, c, s, self%material%young * self%area / length)
  end subroutine

  function quadratic_energy(self, nodes, u) result(e)
    class(beam_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp) :: e, k(6, 6), v(6)
    integer :: at(6)
    call self%places(at)
    v = u(at)
    call self%stiffness(nodes, u, k)
    e = 0.5_dp * form(k, v)
  end function

  function beam_mass(self, nodes) result(m)
    class(beam_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp) :: m, length, c, s
    call direction(nodes, self%first, self%last, length, c, s)
    m = self%material%density * self%area * length
  end function

  subroutine spring_stiffness(self, nodes, u, k)
    class(spring_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp), intent(out) :: k(6, 6)
    integer :: i
    k = 0
    do i = 1, per_node
      k(i, i) = self%constants(i)
    end do
  end subroutine

  function quadratic_energy_spring(self, nodes, u) result(e)
    class(spring_t), intent(in) :: self
    type(node_t), intent(in) :: nodes(:)
    real(dp), intent(in) :: u(:)
    real(dp) :: e
    integer :: at(6)
    call self%places(at)
    e = 0.5_dp * sum(self%constants * u(at(1:3))**2)
  end function
end module

module frames_model
  use frames_base
  use frames_elements
  implicit none

  ! Elements lie in arrays of their classes; a list points to all of them.
  type :: slot_t
    class(element_t), pointer :: element => null()
  end type

  type :: model_t
    type(node_t), pointer :: nodes(:) => null()
    type(slot_t) :: slots(12)
    real(dp), allocatable :: forces(:)
    procedure(load_i), pointer, nopass :: history => null()
    integer :: count = 0
    logical :: fixed(15) = .false.                       ! by degree of freedom
  contains
    procedure :: add
    procedure :: assemble
    procedure :: solve => model_solve
    procedure :: report
  end type

contains

  subroutine add(self, element)
    class(model_t), intent(inout) :: self
    class(element_t), intent(in), target :: element
    self%count = self%count + 1
    self%slots(self%count)%element => element
  end subroutine

  subroutine assemble(self, u, k)
    class(model_t), intent(in) :: self
    real(dp), intent(in) :: u(:)
    real(dp), intent(out) :: k(:, :)
    real(dp) :: part(6, 6)
    integer :: e, i, j, at(6)
    k = 0
    do e = 1, self%count
      associate (element => self%slots(e)%element)
        call element%stiffness(self%nodes, u, part)
        call element%places(at)
        do j = 1, 6
          do i = 1, 6
            k(at(i), at(j)) = k(at(i), at(j)) + part(i, j)
          end do
        end do
      end associate
    end do
    do j = 1, size(k, 1)
      if (self%fixed(j)) then
        k(j, :) = 0
        k(:, j) = 0
        k(j, j) = 1
      end if
    end do
  end subroutine

  subroutine cholesky(a, b, ok)
    real(dp), intent(inout) :: a(:, :), b(:)
    logical, intent(out) :: ok
    integer :: i, j, n
    n = size(b)
    ok = .false.
    do j = 1, n
      a(j, j) = a(j, j) - dot_product(a(j, 1:j - 1), a(j, 1:j - 1))
      if (a(j, j) <= 0) return
      a(j, j) = sqrt(a(j, j))
      do i = j + 1, n
        a(i, j) = (a(i, j) - dot_product(a(i, 1:j - 1), a(j, 1:j - 1))) / a(j, j)
      end do
    end do
    do i = 1, n
      b(i) = (b(i) - dot_product(a(i, 1:i - 1), b(1:i - 1))) / a(i, i)
    end do
    do i = n, 1, -1
      b(i) = (b(i) - dot_product(a(i + 1:n, i), b(i + 1:n))) / a(i, i)
    end do
    ok = .true.
  end subroutine

  ! Loads in steps; in each the secant stiffness is solved for until little changes.
  subroutine model_solve(self, steps, u, work)
    class(model_t), intent(inout) :: self
    integer, intent(in) :: steps
    real(dp), intent(out) :: u(:)
    real(dp), intent(out) :: work
    real(dp), allocatable :: k(:, :), next(:)
    real(dp) :: change
    integer :: step, turn, j
    logical :: ok
    allocate (k(size(u), size(u)))
    u = 0
    work = 0
    do step = 1, steps
      do turn = 1, 12
        call self%assemble(u, k)
        next = self%forces * self%history(real(step, dp) / steps)
        do j = 1, size(next)
          if (self%fixed(j)) next(j) = 0
        end do
        call cholesky(k, next, ok)
        if (.not. ok) exit
        change = maxval(abs(next - u))
        do j = 1, size(u)
          u(j) = 0.3_dp * u(j) + 0.7_dp * next(j)
        end do
        if (change < 1.0e-3_dp) exit
      end do
      work = work + dot_product(self%forces, u) / steps
    end do
  end subroutine

  function report(self, u) result(total)
    class(model_t), intent(in) :: self
    real(dp), intent(in) :: u(:)
    real(dp) :: total
    integer :: e
    total = 0
    do e = 1, self%count
      associate (element => self%slots(e)%element)
        total = total + 0.2_dp * element%mass(self%nodes) + e * element%energy(self%nodes, u)
        select type (element)
        type is (cable_t)
          total = total + element%prestress**2
        class is (bar_t)
          total = total + 0.1_dp * element%area
        type is (beam_t)
          total = total + 0.1_dp * (element%taper(1) - 1)
        class default
          total = total - 0.05_dp
        end select
      end associate
    end do
  end function
end module

real(c_double) function frames(x, n) bind(c)
  use frames_model
  implicit none
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  type(model_t) :: model
  type(node_t), target :: nodes(5)
  type(material_t), target :: steel, timber
  type(beam_t), target :: left, right, lintel, rafter, strut
  type(bar_t), target :: brace
  type(cable_t), target :: stay
  type(spring_t), target :: ground
  real(dp), allocatable :: u(:)
  real(dp) :: work
  integer :: k
  steel = material_t(200 * x(1), 1.0_dp, 1)
  timber = material_t(80 * x(2), 0.4_dp, 2)
  model%nodes => nodes
  do k = 1, 4
    nodes(k) = node_t(real(mod(k - 1, 2), dp), real((k - 1) / 2, dp) * (0.8_dp + 0.2_dp * x(3)))
  end do
  nodes(5) = node_t(0.5_dp, 1.6_dp + 0.2_dp * x(4))
  do k = 1, per_node
    model%fixed(k) = .true.
  end do
  model%fixed(5) = .true.
  call left%connect(1, 3, steel)
  call left%shape(0.1_dp, 0.01_dp * x(5))
  call right%connect(2, 4, steel)
  call right%shape(0.1_dp, 0.01_dp, [x(6), 1.0_dp, 0.8_dp])
  call lintel%connect(3, 4, steel)
  call lintel%shape(0.1_dp, 0.008_dp)
  call rafter%connect(3, 5, timber)
  call rafter%shape(0.08_dp, 0.006_dp)
  call strut%connect(4, 5, timber)
  call strut%shape(0.08_dp, 0.006_dp)
  call brace%connect(1, 4, timber)
  brace%area = 0.05_dp * x(7)
  call stay%connect(2, 3, timber)
  stay%area = 0.03_dp
  stay%prestress = 0.01_dp * x(8)
  call ground%connect(2, 1, timber)
  ground%constants(1) = 3.0_dp * x(9)
  ground%constants(3) = 1
  call model%add(left)
  call model%add(right)
  call model%add(lintel)
  call model%add(rafter)
  call model%add(strut)
  call model%add(brace)
  call model%add(stay)
  call model%add(ground)
  allocate (model%forces(per_node * size(nodes)), u(per_node * size(nodes)))
  model%forces = 0
  model%forces(13) = 0.5_dp * x(10)
  model%forces(14) = -1.0_dp * x(11)
  model%forces(9) = 0.1_dp * x(12)
  model%history => ramp
  call model%solve(3, u, work)
  frames = 10 * work + 10 * model%report(u) + 50 * sum(u(13:14)**2)
contains
  pure function ramp(t) result(p)
    real(dp), intent(in) :: t
    real(dp) :: p
    p = t * (2 - t)
  end function
end function
