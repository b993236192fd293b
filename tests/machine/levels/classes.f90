! Objects of classes, which are allocated, assigned and copied with the type that they have when the program runs.
module geometry
  use iso_c_binding
  implicit none
  real(c_double), parameter :: pi = 3.14159265358979d0
  type, abstract :: shape
    character(8) :: label = 'none'
  contains
    procedure(area_i), deferred :: area
    procedure :: doubled
  end type
  abstract interface
    function area_i(self) result(r)
      import :: shape, c_double
      class(shape), intent(in) :: self
      real(c_double) :: r
    end function
    pure function fun_i(v) result(r)
      import :: c_double
      real(c_double), intent(in) :: v
      real(c_double) :: r
    end function
  end interface
  type, extends(shape) :: circle
    real(c_double) :: r
  contains
    procedure :: area => circle_area
  end type
  type, extends(shape) :: box
    real(c_double) :: w, h
  contains
    procedure :: area => box_area
  end type
  type :: holder
    class(shape), allocatable :: s
  end type
  type :: vec
    real(c_double) :: x, y, z
  contains
    procedure, private :: vadd
    generic :: operator(+) => vadd
    procedure :: norm => vnorm
  end type
  interface operator(.dot.)
    module procedure vdot
  end interface
  interface operator(*)
    module procedure vscale
  end interface
  interface total
    module procedure total1, total2
  end interface
  type :: matrix_t
    integer :: n = 0
    real(c_double), allocatable :: a(:, :)
    type(vec), allocatable :: v(:)
  end type
  type :: tree
    real(c_double) :: key
    type(tree), pointer :: l => null(), r => null()
  end type
  type :: callback
    procedure(fun_i), pointer, nopass :: f => null()
    real(c_double) :: scale
  end type
contains
  function circle_area(self) result(r)
    class(circle), intent(in) :: self
    real(c_double) :: r
    r = pi * self%r**2
  end function
  function box_area(self) result(r)
    class(box), intent(in) :: self
    real(c_double) :: r
    r = self%w * self%h
  end function
  function doubled(self) result(r)
    class(shape), intent(in) :: self
    real(c_double) :: r
    r = 2 * self%area()
  end function
  pure function vadd(a, b) result(r)
    class(vec), intent(in) :: a
    type(vec), intent(in) :: b
    type(vec) :: r
    r = vec(a%x + b%x, a%y + b%y, a%z + b%z)
  end function
  pure function vdot(a, b) result(r)
    type(vec), intent(in) :: a, b
    real(c_double) :: r
    r = a%x * b%x + a%y * b%y + a%z * b%z
  end function
  pure function vscale(k, a) result(r)
    real(c_double), intent(in) :: k
    type(vec), intent(in) :: a
    type(vec) :: r
    r = vec(k * a%x, k * a%y, k * a%z)
  end function
  pure function vnorm(a) result(r)
    class(vec), intent(in) :: a
    real(c_double) :: r
    r = sqrt(a%x**2 + a%y**2 + a%z**2)
  end function
  function total1(a) result(r)
    real(c_double), intent(in) :: a(:)
    real(c_double) :: r
    r = sum(a)
  end function
  function total2(a) result(r)
    real(c_double), intent(in) :: a(:, :)
    real(c_double) :: r
    r = sum(a(:, 1)) * sum(a(1, :))
  end function
  pure function cube(v) result(r)
    real(c_double), intent(in) :: v
    real(c_double) :: r
    r = v**3
  end function
  pure function wave(v) result(r)
    real(c_double), intent(in) :: v
    real(c_double) :: r
    r = sin(v) * v
  end function
  recursive subroutine insert(t, key)
    type(tree), pointer, intent(inout) :: t
    real(c_double), intent(in) :: key
    if (.not. associated(t)) then
      allocate(t)
      t%key = key
    else if (key < t%key) then
      call insert(t%l, key)
    else
      call insert(t%r, key)
    end if
  end subroutine
  recursive subroutine walk(t, s, d)
    type(tree), pointer, intent(inout) :: t
    real(c_double), intent(inout) :: s
    integer, intent(in) :: d
    if (associated(t)) then
      call walk(t%l, s, d + 1)
      s = s * 0.5d0 + t%key**2 * d
      call walk(t%r, s, d + 1)
      deallocate(t)
    end if
  end subroutine
end module

function dyn_class(x, n) bind(c, name="dyn_class") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  class(shape), allocatable :: s
  integer :: i
  r = 0
  do i = 1, n
    if (mod(i, 2) == 0) then
      s = circle('c', x(i))
    else
      s = box('b', x(i), x(1))
    end if
    r = r + s%area() * s%doubled()
  end do
end function
function class_alloc(x, n) bind(c, name="class_alloc") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  class(shape), allocatable :: s
  integer :: i
  r = 0
  do i = 1, n
    if (mod(i, 2) == 0) then
      allocate(circle :: s)
    else
      allocate(box :: s)
    end if
    select type (s)
    type is (circle)
      s%r = x(i)
    type is (box)
      s%w = x(i)
      s%h = x(1)
    end select
    r = r + s%area() * x(2)
    deallocate(s)
  end do
end function
function class_holders(x, n) bind(c, name="class_holders") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(holder) :: h(6)
  integer :: i
  do i = 1, n
    if (mod(i, 2) == 0) then
      allocate(h(i)%s, source=circle('c', x(i)))
    else
      allocate(h(i)%s, source=box('b', x(i), x(1)))
    end if
  end do
  r = 0
  do i = 1, n
    r = r + h(i)%s%area() * i
  end do
end function
function class_args(x, n) bind(c, name="class_args") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(circle) :: c
  type(box), target :: b
  class(shape), pointer :: p
  c%r = x(1)
  b = box('b', x(2), x(3))
  p => b
  r = c%area() + c%doubled() * p%area() + side(b) + side(c)
contains
  function side(s) result(q)
    class(shape), intent(in) :: s
    real(c_double) :: q
    select type (s)
    class is (box)
      q = s%w * x(4)
    class default
      q = s%area() * x(5)
    end select
  end function
end function
function vectors(x, n) bind(c, name="vectors") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(vec) :: a, b, list(3)
  a = vec(x(1), x(2), x(3))
  b = vec(x(4), y=x(5), z=x(6))
  list = [a, b, a + b]
  list(2) = 2d0 * list(3) + list(1)
  r = (list(2) .dot. a) * b%norm() + sum(list%x * list%y)
end function
function components(x, n) bind(c, name="components") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(matrix_t) :: m, k
  integer :: i
  m%n = 3
  allocate(m%a(3, 3))
  allocate(m%v(2))
  do i = 1, 3
    m%a(:, i) = x(i:i + 2) * i
  end do
  m%v(1) = vec(x(1), x(2), x(3))
  m%v(2) = m%v(1) + m%v(1)
  k = m
  k%a = matmul(k%a, transpose(m%a))
  r = sum(k%a) + m%v(2)%norm() + k%v(1)%x * k%n + total(k%a) * total(x)
end function
function trees(x, n) bind(c, name="trees") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(tree), pointer :: t
  integer :: i
  t => null()
  do i = 1, n
    call insert(t, x(i) * 2)
  end do
  r = 0
  call walk(t, r, 1)
end function
function callbacks(x, n) bind(c, name="callbacks") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(callback) :: list(2)
  procedure(fun_i), pointer :: p
  integer :: i
  list(1)%f => cube
  list(2)%f => wave
  list%scale = x(1:2)
  r = x(3)
  do i = 1, 4
    p => list(mod(i, 2) + 1)%f
    r = p(r) * list(mod(i, 2) + 1)%scale * 0.5d0 + x(4)
  end do
end function
function allocs(x, n) bind(c, name="allocs") result(r)
  use geometry
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(c_double), allocatable :: a(:), b(:), c(:, :)
  integer :: i
  allocate(a(0))
  do i = 1, n
    a = [a, x(i) * i, x(1)]
  end do
  call move_alloc(a, b)
  allocate(c, source=reshape(b, [3, 4]))
  b = c(:, 2) * c(:, 3)
  allocate(a(2:5), mold=x(2:5))
  a = c(1, :)
  r = sum(b) * size(b) + a(2) * a(ubound(a, 1))
  if (allocated(c)) deallocate(c)
end function
module solvers_of_equations
  use iso_c_binding
  implicit none
  type, abstract :: base
  contains
    procedure(ev), deferred :: eval
  end type
  abstract interface
    function ev(self, x) result(r)
      import :: base, c_double
      class(base), intent(in) :: self
      real(c_double), intent(in) :: x
      real(c_double) :: r
    end function
  end interface
  type, extends(base) :: var
  contains
    procedure :: eval => evar
  end type
  type, extends(base) :: const
    real(c_double) :: c
  contains
    procedure :: eval => econst
  end type
  type, abstract :: solver
    real(c_double) :: dt = 0.1d0
  contains
    procedure(st), deferred :: step
    procedure :: solve
  end type
  abstract interface
    subroutine st(self, y)
      import :: solver, c_double
      class(solver), intent(inout) :: self
      real(c_double), intent(inout) :: y(:)
    end subroutine
  end interface
  type, extends(solver) :: euler
  contains
    procedure :: step => euler_step
  end type
  type, extends(solver) :: heun
    real(c_double), allocatable :: k(:)
  contains
    procedure :: step => heun_step
  end type
contains
  recursive function evar(self, x) result(r)
    class(var), intent(in) :: self
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = x
  end function
  recursive function econst(self, x) result(r)
    class(const), intent(in) :: self
    real(c_double), intent(in) :: x
    real(c_double) :: r
    r = self%c
  end function
  subroutine solve(self, y, n)
    class(solver), intent(inout) :: self
    real(c_double), intent(inout) :: y(:)
    integer, intent(in) :: n
    integer :: i
    do i = 1, n
      call self%step(y)
    end do
  end subroutine
  subroutine euler_step(self, y)
    class(euler), intent(inout) :: self
    real(c_double), intent(inout) :: y(:)
    y = y - self%dt * y**2
  end subroutine
  subroutine heun_step(self, y)
    class(heun), intent(inout) :: self
    real(c_double), intent(inout) :: y(:)
    if (.not. allocated(self%k)) allocate(self%k(size(y)))
    self%k = -y**2
    y = y + 0.5d0 * self%dt * (self%k - (y + self%dt * self%k)**2)
  end subroutine
  subroutine make(kind, s, dt)
    integer, intent(in) :: kind
    class(solver), allocatable, intent(out) :: s
    real(c_double), intent(in) :: dt
    select case (kind)
    case (1)
      allocate(euler :: s)
    case default
      allocate(heun :: s)
    end select
    s%dt = dt
  end subroutine
  subroutine grow(a, v)
    real(c_double), allocatable, intent(inout) :: a(:)
    real(c_double), intent(in) :: v
    real(c_double), allocatable :: t(:)
    if (.not. allocated(a)) then
      allocate(a(1))
      a = v
    else
      allocate(t(size(a) + 1))
      t(:size(a)) = a
      t(size(a) + 1) = v
      call move_alloc(t, a)
    end if
  end subroutine
end module
function solvers(x, n) bind(c, name="solvers") result(r)
  use solvers_of_equations
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, y(3)
  class(solver), allocatable :: s
  integer :: k
  r = 0
  do k = 1, 2
    call make(k, s, 0.1d0 * x(1))
    y = x(2:4)
    call s%solve(y, 5)
    r = r + sum(y**2) * k
  end do
end function
function grown(x, n) bind(c, name="grown") result(r)
  use solvers_of_equations
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(c_double), allocatable :: a(:)
  integer :: i
  do i = 1, n
    call grow(a, x(i) * i)
  end do
  r = sum(a(1:n - 1) * a(2:n))
end function
function class_lists(x, n) bind(c, name="class_lists") result(r)
  use solvers_of_equations
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  class(base), allocatable :: l(:)
  integer :: i
  allocate(const :: l(3))
  select type (l)
  type is (const)
    l%c = x(1:3)
  end select
  r = 0
  do i = 1, 3
    r = r + l(i)%eval(x(4)) * x(i + 1)
  end do
end function
