"""Fortran's derived types with allocatable components: objects that live and die inside what is differentiated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.errors import GradirError
from gradir.frontends.fortran import flang

try:
    flang()
except GradirError:
    pytest.skip("there is no Fortran compiler", allow_module_level=True)

PROGRAM = """\
module grids
  implicit none
  type :: grid
    integer :: n
    real(8) :: h
    real(8), allocatable :: u(:)
  end type
  type :: pair
    type(grid) :: first
    real(8) :: weight = 2.0d0
    real(8), allocatable :: m(:, :)
    real(8), pointer :: p => null()
  end type
contains
  subroutine setup(g, n)
    type(grid), intent(inout) :: g
    integer, intent(in) :: n
    g%n = n
    g%h = 1.0d0 / n
    if (allocated(g%u)) deallocate(g%u)
    allocate(g%u(n))
    g%u = 0.0d0
  end subroutine
  function energy(g) result(e)
    type(grid), intent(in) :: g
    real(8) :: e
    integer :: i
    e = 0
    do i = 1, g%n
      e = e + g%h * g%u(i)**2
    end do
  end function
  function total(x, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: e
    type(grid) :: g
    call setup(g, n)
    g%u = x * x
    e = energy(g)
  end function
  function again(x, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: e
    integer :: k
    e = 0
    do k = 1, 3
      block
        type(grid) :: g
        call setup(g, n)
        if (k > 1) call setup(g, n)
        g%u = k * x
        e = e + energy(g)
      end block
    end do
  end function
  function nested(x, n) result(e)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n)
    real(8) :: e
    type(pair) :: q
    integer :: i, j
    call setup(q%first, n)
    q%first%u = 0.5d0 * x + 0.5d0 * x
    allocate(q%m(n, n))
    do j = 1, n
      do i = 1, n
        q%m(i, j) = x(i) * x(j)
      end do
    end do
    e = q%weight * energy(q%first)
    do j = 1, n
      do i = 1, n
        e = e + q%m(i, j)
      end do
    end do
    if (associated(q%p)) e = 0
  end function
end module
"""
X = np.array([1.0, 2.0, 3.0])


@pytest.fixture(scope="module")
def m(tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path: Path = tmp_path_factory.mktemp("types") / "grids.f90"
    path.write_text(PROGRAM)
    return gradir.load(path)


@pytest.mark.parametrize(
    ("name", "value", "gradient"),
    [
        ("total", np.sum(X**4) / 3, 4 * X**3 / 3),
        ("again", 14 * np.sum(X**2) / 3, 28 * X / 3),
        ("nested", 2 * np.sum(X**2) / 3 + np.sum(X) ** 2, 4 * X / 3 + 2 * np.sum(X)),
    ],
)
def test_objects_live_and_die_within(m, name: str, value: float, gradient: np.ndarray):
    x = X.copy()
    assert m[name](x, 3) == pytest.approx(value, rel=1e-14)
    for _ in range(3):  # what is freed twice, or not at all, shows sooner or later
        got, slope = m.value_and_grad(name)(x, 3)
        assert got == pytest.approx(value, rel=1e-14)
        np.testing.assert_allclose(slope, gradient, rtol=1e-13)
    _, moved = m.jvp(name)(x, 3, np.ones(3))
    assert moved == pytest.approx(np.sum(gradient), rel=1e-13)

