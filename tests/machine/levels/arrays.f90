! Functions of Fortran on arrays that flang leaves to its runtime library.
module lists
  use iso_c_binding
  implicit none
  real(c_double), target, save :: shared = 2d0
  type :: node
    real(c_double) :: v
    type(node), pointer :: next => null()
  end type
  type :: cell
    real(c_double), pointer :: p => shared
    real(c_double) :: v
  end type
  type :: bag
    real(c_double), allocatable :: d(:)
    integer, allocatable :: k(:)
    character(8) :: name
  end type
end module

function reshaped(x, n) bind(c, name="reshaped") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, a(2, 3), b(3, 2), c(2, 2, 2), w(4, 2)
  a = reshape(x, [2, 3])
  b = reshape(x(:4), [3, 2], pad=x(5:6), order=[2, 1])
  c = reshape(x, [2, 2, 2], pad=[x(1) * x(2)])
  w = reshape(a, [4, 2], pad=[2d0, x(3)])
  r = sum(a * transpose(b)) + c(2, 2, 1) * c(1, 2, 2) + c(2, 1, 2) * x(1) + sum(w(:, 2) * w(:, 1)) + b(1, 2) * b(3, 1)
end function
function shifts(x, n) bind(c, name="shifts") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, a(2, 3), b(2, 3), c(2, 3), v(n)
  a = reshape(x, [2, 3])
  b = cshift(a, 1, dim=2) * a
  c = cshift(a, [1, -1], dim=2) + eoshift(a, -1, dim=1)
  v = eoshift(x, 2, boundary=x(1) * x(2)) * cshift(x, -1)
  r = sum(b * c) + sum(v * v) + sum(eoshift(a, [1, 2], boundary=[x(1), x(2)], dim=2) * b)
end function
function spreads(x, n) bind(c, name="spreads") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, a(2, 3), b(3, 2), c(2, 4, 3)
  a = spread(x(1:3), 1, 2)
  b = spread(x(1:3) * x(4:6), 2, 2)
  c = spread(a * transpose(b), 2, 4)
  r = sum(a * transpose(b)) + sum(c(:, 3, :) * a) + sum(spread(x(2), 1, 3) * x(1:3))
end function
function packs(x, n) bind(c, name="packs") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, u(n), a(2, 3), w(2, 3)
  real(c_double), allocatable :: p(:)
  integer, allocatable :: k(:)
  logical :: m(n)
  integer :: i
  m = x > 0.8d0
  p = pack(x, m)
  k = pack([(i, i=1, n)], m)
  u = unpack(p * p, m, x)
  a = reshape(x, [2, 3])
  w = unpack(p, reshape(m, [2, 3]), 0.5d0)
  r = sum(p) * size(p) + sum(u * x) + count(m) * x(1) + sum(x(k) * k) + sum(pack(a, a > 1, vector=x) * x) + sum(w * a)
  r = r + sum(pack(a, .true.) * x)
end function
function along(x, n) bind(c, name="along") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, a(2, 3), c(2, 3, 2)
  a = reshape(x, [2, 3])
  c(:, :, 1) = a
  c(:, :, 2) = a * a
  r = sum(sum(a, dim=2)**2) + sum(maxval(a, dim=1) * product(a, dim=1)) + sum(minval(a, dim=2, mask=a > 0.6d0))
  r = r + sum(sum(c, dim=2) * product(c, dim=2))
  r = r + merge(1, 0, any(a > 1.5d0)) * x(1) + merge(1, 0, all(a > 0)) * x(2)
end function
function located(x, n) bind(c, name="located") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r, a(2, 3)
  integer :: k(2), l(3), i
  a = reshape(x, [2, 3])
  k = maxloc(a)
  l = minloc(a, dim=1)
  r = a(k(1), k(2)) * 3 + x(maxloc(x, dim=1, mask=x < 1)) * x(minloc(x, 1)) + sum(minloc(x)) * x(1)
  do i = 1, 3
    r = r + a(l(i), i)**2 * i
  end do
end function
function linked(x, n) bind(c, name="linked") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(node), pointer :: head, p
  integer :: i
  nullify (head)
  do i = 1, n
    allocate (p)
    p%v = x(i)**2
    p%next => head
    head => p
  end do
  r = 0
  i = 1
  do while (associated(head))
    r = r + head%v * i
    i = i + 1
    p => head%next
    deallocate (head)
    head => p
  end do
end function
function targets(x, n) bind(c, name="targets") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(cell) :: w
  type(cell), pointer :: q
  shared = x(1)
  w%v = x(2)
  allocate (q)
  q%v = x(3)
  r = w%p * w%v + q%p * q%v
  deallocate (q)
end function
function pointed(x, n) bind(c, name="pointed") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(c_double), target :: a(n), m(2, 3)
  real(c_double), pointer :: p(:), q(:, :), s
  integer :: status
  a = x * x
  p => a(::2)
  p = p * x(1)
  q(1:2, 1:3) => a
  m = q
  q => m(:, 2:)
  q(1, 1) = x(4)
  allocate (p(0:2), stat=status)
  p = m(1, :)
  allocate (s, source=x(2) * x(3))
  r = sum(a * a) + sum(q) * p(0) * p(2) + s * s + status
  deallocate (p, s)
end function
function grown(x, n) bind(c, name="grown") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(c_double), allocatable :: a(:), b(:, :), c(:), d(:)
  integer :: i, j
  allocate (a(0))
  do i = 1, n
    a = [a, x(i) * i]
  end do
  allocate (b(n, 0:2), source=1d0)
  allocate (d, source=a)
  b(:, 1) = a * d
  call move_alloc(a, c)
  a = c(2:4)
  c = b(:, 1)
  d = [(x(1:i) * i, i=1, 3), (([x(j), x(i)], j=1, i), i=1, 2)]
  r = sum(b) + sum(a) * c(3) + size(a) * ubound(b, 2) * x(1) + sum(d * d) * size(d)
end function
function complexes(x, n) bind(c, name="complexes") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  complex(c_double_complex) :: z, w(3), m(2, 2), v(2)
  z = cmplx(x(1), x(2), c_double)
  w = [z, z**2, conjg(z)]
  m = reshape([z, w(2), w(3), z * x(3)], [2, 2])
  v = matmul(m, w(1:2))
  m = matmul(m, transpose(m))
  r = real(sum(w * exp(z))) + real(m(1, 2) / m(2, 1)) + aimag(dot_product(w, [z, z * x(4), z])) + real(product(w) * v(1) * v(2))
end function
function bags(x, n) bind(c, name="bags") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  type(bag) :: a, b
  a%d = x * x
  a%k = [3, 1, 2]
  a%name = "first"
  b = a
  b%d(2) = x(1)
  b%k(1) = 5
  r = sum(a%d) * b%d(2) + b%d(b%k(1)) * a%d(a%k(1)) + len_trim(b%name) * x(2)
end function
function singles(x, n) bind(c, name="singles") result(r)
  use lists
  integer(c_int), value :: n
  real(c_double), intent(in) :: x(n)
  real(c_double) :: r
  real(c_float) :: f(2, 3)
  f = reshape([0.5, 1.5, 0.25, 2.0, 1.0, 3.0], [2, 3])
  r = sum(sum(f, dim=1) * x(1:3)) + sum(maxval(f, dim=2)) * x(4) * x(5) + sum(cshift(f, 1, 2)) * x(6)
end function
