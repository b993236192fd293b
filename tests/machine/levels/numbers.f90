module shapes
  implicit none
  type point
    real(8) :: x, y
  end type
  type body
    real(8) :: mass
    type(point) :: at
    real(8), allocatable :: history(:)
  end type
  type tree
    real(8) :: value
    type(tree), pointer :: next => null()
  end type
  real(8) :: factor = 2.0d0
contains
  function norm(p) result(r)
    type(point), intent(in) :: p
    real(8) :: r
    r = sqrt(p%x**2 + p%y**2)
  end function
  subroutine step(b, h)
    type(body), intent(inout) :: b
    real(8), intent(in) :: h
    b%at%x = b%at%x + h * b%at%y
    b%at%y = b%at%y - h * b%at%x * b%mass
  end subroutine
end module

real(8) function derived(x, n) bind(c)
  use shapes
  real(8), value :: x
  integer, value :: n
  type(point) :: p(3)
  integer :: i
  do i = 1, 3
    p(i)%x = x * i
    p(i)%y = x * x + i
  end do
  derived = 0
  do i = 1, min(n, 3)
    derived = derived + norm(p(i)) * p(4 - i)%x
  end do
end function

real(8) function allocated_arrays(x, n) bind(c)
  real(8), value :: x
  integer, value :: n
  real(8), allocatable :: a(:), b(:,:)
  integer :: i, j
  allocate(a(n), b(n, n))
  do i = 1, n
    a(i) = x ** i
  end do
  do j = 1, n
    do i = 1, n
      b(i, j) = a(i) * a(j) + i
    end do
  end do
  allocated_arrays = sum(b) + maxval(a) + dot_product(a, b(:, 1))
  deallocate(a, b)
end function

real(8) function components(x, n) bind(c)
  use shapes
  real(8), value :: x
  integer, value :: n
  type(body) :: b
  integer :: i
  b%mass = x
  b%at%x = 1
  b%at%y = x
  allocate(b%history(n))
  do i = 1, n
    call step(b, 0.1d0)
    b%history(i) = b%at%x * b%at%y
  end do
  components = sum(b%history) + b%at%x
end function

real(8) function modules(x, n) bind(c)
  use shapes
  real(8), value :: x
  integer, value :: n
  integer :: i
  factor = 1
  do i = 1, n
    factor = factor * x + 1
  end do
  modules = factor * factor
end function

real(8) function pointers(x, n) bind(c)
  real(8), value :: x
  integer, value :: n
  real(8), target :: a(8)
  real(8), pointer :: p(:)
  integer :: i
  do i = 1, 8
    a(i) = x * i
  end do
  p => a(1:8:2)
  do i = 1, min(n, 4)
    p(i) = p(i) * p(i)
  end do
  pointers = sum(a)
end function

real(8) function linked(x, n) bind(c)
  use shapes
  real(8), value :: x
  integer, value :: n
  type(tree), pointer :: head, node
  integer :: i
  nullify(head)
  do i = 1, n
    allocate(node)
    node%value = x * i
    node%next => head
    head => node
  end do
  linked = 0
  node => head
  do while (associated(node))
    linked = linked * 0.5d0 + node%value ** 2
    node => node%next
  end do
end function

real(8) function automatic(x, n) bind(c)
  real(8), value :: x
  integer, value :: n
  real(8) :: w(n), v(n)
  w = [(x * i, i = 1, n)]
  v = w * w + sin(w)
  where (v > 2) v = v / 2
  automatic = sum(v * w)
end function

real(8) function grown(x, n) bind(c)
  real(8), value :: x
  integer, value :: n
  real(8), allocatable :: a(:)
  integer :: i
  a = [x]
  do i = 1, n
    a = [a, a(size(a)) * x]
  end do
  grown = sum(a)
end function

real(8) function arrays_of_types(x, n) bind(c)
  use shapes
  real(8), value :: x
  integer, value :: n
  type(point), allocatable :: p(:)
  type(point) :: q
  integer :: i
  allocate(p(n))
  do i = 1, n
    p(i) = point(x * i, x / i)
  end do
  q = p(1)
  do i = 2, n
    q%x = q%x + p(i)%x * q%y
    q%y = q%y * p(i)%y
  end do
  arrays_of_types = q%x + q%y
end function

real(8) function products(x, n) bind(c)
  real(8), value :: x
  integer, value :: n
  real(8) :: a(3,3), b(3,3)
  integer :: i, j
  do j = 1, 3
    do i = 1, 3
      a(i, j) = x * i + j
    end do
  end do
  b = matmul(a, transpose(a))
  products = sum(b) + n * b(1, 2)
end function

module machines
  implicit none
  type gauge
    integer :: at
    real(8) :: highest
    real(8), allocatable :: record(:), table(:, :)
  end type
  type machine
    type(gauge) :: gauges(0:1, 2)
    real(8) :: time = 0.5d0
    procedure(twice), pointer, nopass :: rule => null()
  end type
contains
  real(8) function twice(x)
    real(8), intent(in) :: x
    twice = 2 * x
  end function
end module

real(8) function objects_in_objects(x, n) bind(c)
  use machines
  real(8), value :: x
  integer, value :: n
  type(machine) :: m
  integer :: i
  if (.not. associated(m%rule)) m%rule => twice
  do i = 1, 2
    allocate(m%gauges(0, i)%record(n), m%gauges(1, i)%table(2, n))
    m%gauges(0, i)%record = x * i
    m%gauges(1, i)%table = x * x
  end do
  objects_in_objects = m%rule(sum(m%gauges(0, 2)%record) * m%gauges(1, 1)%table(2, 1)) + m%time
end function

real(8) function copied_objects(x, n) bind(c)
  use machines
  real(8), value :: x
  integer, value :: n
  type(gauge) :: a, b
  type(machine) :: m
  a = gauge(1, x, null(), null())
  allocate(a%record(n), b%record(2))
  a%record = x * x
  b = a
  b%record(1) = b%record(1) * x
  a = a
  a%at = a%at + b%at
  m%gauges(1, 2) = b
  copied_objects = a%record(1) * b%record(1) + a%at * sum(m%gauges(1, 2)%record) + b%highest + size(b%record)
end function

module stages
  implicit none
contains
  subroutine squared(a, b)
    real(8), intent(in) :: a(:)
    real(8), intent(out) :: b(:)
    integer :: i
    do i = 1, size(a)
      b(i) = a(i) * a(i) + 0.5d0
    end do
  end subroutine
  subroutine advance(y, h)
    real(8), intent(inout) :: y(:)
    real(8), intent(in) :: h
    integer :: i
    do i = 1, size(y)
      y(i) = y(i) + h * sin(y(i))
    end do
  end subroutine
end module

! What one procedure reads as its argument, another one overwrites as its own.
real(8) function overwritten_arguments(x, n) bind(c)
  use stages
  real(8), value :: x
  integer, value :: n
  real(8) :: y(5), z(5)
  integer :: k
  y = [(x * k, k = 1, 5)]
  overwritten_arguments = 0
  do k = 1, n
    call squared(y, z)
    call advance(y, 0.1d0)
    overwritten_arguments = overwritten_arguments + sum(z) / 5 + y(1)
  end do
end function

! What is one argument of a procedure at first is another one then.
real(8) function exchanged_arguments(x, n) bind(c)
  use stages
  real(8), value :: x
  integer, value :: n
  real(8) :: y(3), z(3)
  integer :: k
  y = [(0.2d0 * x * k, k = 1, 3)]
  do k = 1, min(n, 2)
    call squared(y, z)
    call squared(z, y)
  end do
  exchanged_arguments = sum(y) + z(2)
end function
