"""Calls with plain arguments take a short way: it gives what the general way does, and leaves all others to that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir
from gradir.errors import GradirError

SOURCE = """
double cubed(double x, float w) { return w * x * x * x; }
double energy(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += k * x[i] * x[i];
  return s;
}
void scaled(const float *x, float *y, signed char n, float a) { for (int i = 0; i < n; i++) y[i] = a * x[i] * x[i]; }
void mixed(const double *x, const double *z, double *y, long n, const int *order) {
  for (long i = 0; i < n; i++) y[order[i]] += x[i] * z[i];
}
void norm(const double *x, int n, double *out) { *out = 0; for (int i = 0; i < n; i++) *out += x[i] * x[i]; }
double reversed(const double *x, int n) {
  double s = 0;
  if (n < 0) for (int i = 0; i < -n; i++) s -= x[i] * x[i];
  return s;
}
unsigned char small(unsigned char k) { return k + 1; }
"""
X, Z = np.linspace(0.5, 1.5, 6), np.linspace(-1, 1, 6)
F = X.astype(np.float32)
ORDER = np.array([3, 1, 0, 5, 4, 2], np.int32)


@pytest.fixture(scope="module")
def m(tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path = tmp_path_factory.mktemp("direct") / "k.c"
    path.write_text(SOURCE)
    return gradir.load(path)


Case = tuple[Callable[[gradir.NativeModule], Any], Callable[[], tuple[Any, ...]], Any]

CASES: dict[str, Case] = {
    "a gradient of a number": (lambda m: m.grad("cubed"), lambda: (2.0, 3.0), 36.0),
    "gradients of numbers": (lambda m: m.grad("cubed", ("x", "w")), lambda: (2.0, 3.0), (36.0, 8.0)),
    "value and gradients": (
        lambda m: m.value_and_grad("energy", ("x", "k")),
        lambda: (X, 6, 2.0),
        (2 * np.sum(X * X), (4 * X, np.sum(X * X))),
    ),
    "a gradient through memory": (lambda m: m.grad("norm"), lambda: (X, 6, np.zeros(1)), 2 * X),
    "value in memory": (
        lambda m: m.value_and_grad("norm"),
        lambda: (X, 6, np.zeros(1)),
        (np.sum(X * X), 2 * X),
    ),
    "a vjp": (lambda m: m.vjp("scaled"), lambda: (F, np.empty_like(F), 6, 2.0, F), (None, 4 * F * F)),
    "a vjp of what is returned": (
        lambda m: m.vjp("energy"),
        lambda: (X, 6, 2.0, 3.0),
        (2 * np.sum(X * X), 12 * X),
    ),
    "a vjp through what is added to": (
        lambda m: m.vjp("mixed", ("x", "y", "z")),
        lambda: (X, Z, np.zeros(6), 6, ORDER, X),
        (None, (X[ORDER] * Z, X, X[ORDER] * X)),
    ),
    "a jvp": (
        lambda m: m.jvp("mixed", ("z", "x")),
        lambda: (X, Z, np.zeros(6), 6, ORDER, X, Z),
        (None, (X * X + Z * Z)[np.argsort(ORDER)]),
    ),
    "a jvp of numbers": (lambda m: m.jvp("cubed", ("x", "w")), lambda: (2.0, 3.0, 1.0, 0.5), (24.0, 40.0)),
    "an integer below zero": (lambda m: m.grad("reversed"), lambda: (X, -6), -2 * X),
    "a cotangent with gaps": (
        lambda m: m.vjp("mixed"),
        lambda: (X, Z, np.zeros(6), 6, ORDER, np.repeat(X, 2)[::2]),
        (None, X[ORDER] * Z),
    ),
    "matrices": (lambda m: m.grad("energy"), lambda: (X.reshape(2, 3), 6, 2.0), 4 * X.reshape(2, 3)),
    "the function": (lambda m: m.energy, lambda: (X, 6, 2.0), 2 * np.sum(X * X)),
    "a function of bytes": (lambda m: m.small, lambda: (41,), 42),
}


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, tuple):
        return len(found) == len(expected) and all(map(same, found, expected))
    if expected is None:
        return found is None
    return np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=1e-6, atol=0)


@pytest.mark.parametrize("name", CASES)
def test_the_short_way_is_right(m: gradir.NativeModule, name: str) -> None:
    make, values, expected = CASES[name]
    f = make(m)
    general = [same(f(*values()), expected)]  # the first call is of the general kind
    if name != "a function of bytes":
        f._direct.__globals__["general"] = None  # whoever asks for it now fails
    assert [*general, same(f(*values()), expected), same(f(*values()), expected)] == [True] * 3


@pytest.fixture
def vjp(m: gradir.NativeModule) -> Any:
    made = m.vjp("mixed", ("x", "z"))
    made(X, Z, np.zeros(6), 6, ORDER, X)
    return made


def overlapping() -> tuple[Any, ...]:
    whole = np.linspace(1, 2, 9)
    return whole[:6], Z, whole[3:], 6, np.arange(6, dtype=np.int32), X


OTHERS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "arrays that overlap": overlapping,
    "the same array twice, not written": lambda: (X, X, np.zeros(6), 6, ORDER, X),
    "a number of NumPy's": lambda: (X, Z, np.zeros(6), np.int64(6), ORDER, X),
    "a cotangent of another type": lambda: (X, Z, np.zeros(6), 6, ORDER, F),
    "a cotangent that is a list": lambda: (X, Z, np.zeros(6), 6, ORDER, list(X)),
    "nothing in it": lambda: (X[:0], Z[:0], np.zeros(0), 0, ORDER[:0], X[:0]),
    "integers that are floats": lambda: (X, Z, np.zeros(6), 6.0, ORDER, X),
    "an integer that is too large": lambda: (X, Z, np.zeros(6), 1 << 63, ORDER, X),
    "gaps": lambda: (np.repeat(X, 2)[::2], Z, np.zeros(6), 6, ORDER, X),
    "floats of another size": lambda: (F, Z, np.zeros(6), 6, ORDER, X),
    "a list": lambda: (list(X), Z, np.zeros(6), 6, ORDER, X),
    "a cotangent of another shape": lambda: (X, Z, np.zeros(6), 6, ORDER, X[:5]),
    "one too few": lambda: (X, Z, np.zeros(6), 6, ORDER),
    "one too many": lambda: (X, Z, np.zeros(6), 6, ORDER, X, X),
}


def outcome(f: Callable[[], Any]) -> Any:
    try:
        return f()
    except GradirError as error:
        return str(error)


@pytest.mark.parametrize("name", OTHERS)
def test_others_take_the_general_way(vjp: Any, name: str) -> None:
    first, second = OTHERS[name](), OTHERS[name]()
    found, expected = outcome(lambda: vjp(*first)), outcome(lambda: vjp._general(second, {}))
    assert isinstance(found, str) == isinstance(expected, str)
    assert found == expected if isinstance(found, str) else same(found, expected)
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))


def test_memory_that_cant_be_written_and_names(vjp: Any) -> None:
    fixed = np.zeros(6)
    fixed.flags.writeable = False
    with pytest.raises(GradirError, match="writable"):
        vjp(X, Z, fixed, 6, ORDER, X)
    _, (dx, _) = vjp(X, Z, np.zeros(6), 6, X, order=ORDER)
    assert np.allclose(dx, X[ORDER] * Z)
    assert type(vjp(X, Z, np.zeros(6), 6, ORDER, X)[1][0]) is np.ndarray


def test_shadows_are_fresh_and_arguments_stay(vjp: Any) -> None:
    ct = X.copy()
    first = vjp(X, Z, np.zeros(6), 6, ORDER, ct)[1][0]
    kept = first.copy()
    second = vjp(X, Z, np.zeros(6), 6, ORDER, ct)[1][0]
    assert np.array_equal(first, kept) and not np.shares_memory(first, second) and np.array_equal(ct, X)
    assert np.allclose(second, X[ORDER] * Z)


def test_numbas_arrays(tmp_path: Path) -> None:
    numba = pytest.importorskip("numba")

    @numba.njit(numba.float64(numba.float64[::1], numba.float64[:, ::1]))
    def f(x: Any, a: Any) -> Any:
        total = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                total += x[i] * a[i, j]
        return total

    a = np.arange(6.0).reshape(2, 3)
    gradient = gradir.load(f).grad(wrt=(0, 1))
    for _ in range(2):
        dx, da = gradient(np.array([2.0, 3.0]), a)
        assert np.array_equal(dx, a.sum(1)) and np.array_equal(da, [[2.0] * 3, [3.0] * 3])
