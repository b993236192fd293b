"""What Numba's functions call: NumPy's reductions and sorts, linear algebra, lists and views."""

from pathlib import Path

import numba
import numpy as np
import pytest
from numba.typed import List

import gradir
from gradir.errors import BackendError, InputError, NoRule

X = np.array([0.5, 1.2, 2.0, 0.7, 1.6, 0.9])
A = np.array([[2.0, 0.3, 0.1], [0.2, 3.0, 0.4], [0.5, 0.1, 4.0]])


def ordered(x):
    return np.max(x) * np.sort(x)[1]


def shaped(x):
    grid = x.reshape(2, 3)
    return grid[1, 2] * grid[0, 1] + grid[1, 0]


def factored(a):
    return np.linalg.norm(a) + np.sum(np.linalg.cholesky(a @ a.T) * a)


def solved(a):
    return np.sum(np.linalg.solve(a, np.arange(3.0)) ** 2)


def lists(x):
    squares = [v * v for v in x]
    for i in range(3):
        squares.append(squares[i] * x[0])
    last = squares.pop()
    total = last * last
    for k, v in enumerate(squares):
        total += k * v * v
    for a, b in zip(x[1:], x[:-1]):
        total += a * b
    return total + sum(squares)


def differences(f, at, h=1e-6):
    """Central differences: an error of about h² times the third derivative, and ε / h times the value."""
    found = np.zeros_like(at)
    for index in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[index] += h
        down[index] -= h
        found[index] = (f(up) - f(down)) / (2 * h)
    return found


@pytest.mark.parametrize(("f", "at"), [(ordered, X), (shaped, X), (factored, A), (solved, A), (lists, X)])
def test_derivatives(f, at):
    signature = f"float64(float64[{':,' * (at.ndim - 1)}::1])"
    m = gradir.load(numba.njit(f), signature=signature)
    expected = differences(f, at)
    value, gradient = m.value_and_grad(f.__name__)(at)
    assert value == pytest.approx(f(at), rel=1e-12)
    assert np.allclose(gradient, expected, rtol=1e-6, atol=1e-7)
    if f is lists:
        direction = np.linspace(1, 2, at.size)
        assert np.isclose(m.jvp(f.__name__)(at, direction)[1], np.vdot(expected, direction), rtol=1e-6)


@numba.njit
def descends(v, n):
    return v * v if n < 2 else 0.5 * descends(v, n - 1) + descends(0.9 * v, n - 2)


def around():
    @numba.njit
    def grows(v, n):
        return v if n == 0 else grows(v * v, n - 1) + v

    @numba.njit
    def calls(v, n):
        return grows(v, n) * descends(v, 4)

    return calls


@pytest.mark.parametrize("f", [descends, around()])
def test_recursion(f):
    assert f(0.7, 3) == f.py_func(0.7, 3)  # compiled before, and not for what is asked for below
    m = gradir.load(f, (0.7, 3))
    [name] = m.functions
    value, slope = m.value_and_grad(name)(0.7, 3)
    h = 1e-6
    assert value == f(0.7, 3)
    assert slope == pytest.approx((f(0.7 + h, 3) - f(0.7 - h, 3)) / (2 * h), rel=1e-8)
    assert m.jvp(name)(0.7, 3, 2.0)[1] == pytest.approx(2 * slope, rel=1e-12)


def test_what_is_only_read_has_no_tangent_of_its_own():
    """NumPy's functions look whether arrays overlap, and LLVM can't tell then that an argument is only read."""

    @numba.njit
    def steps(x):
        return np.sum(np.diff(x) ** 2)

    m = gradir.load(steps, (X,))
    assert m.steps.outputs == ()
    value, tangent = m.jvp("steps")(X, np.arange(6.0))
    assert value == pytest.approx(steps(X)) and tangent == pytest.approx(2 * np.sum(np.diff(X)))


def test_single_precision_and_failures():
    @numba.njit
    def determinant(a):
        return np.linalg.det(a) + np.linalg.inv(a)[0, 0]

    m = gradir.load(determinant, signature="float32(float32[:,::1])")
    wanted = differences(lambda a: np.linalg.det(a) + np.linalg.inv(a)[0, 0], A)
    assert np.allclose(m.grad("determinant")(A.astype(np.float32)), wanted, rtol=1e-4)  # single precision
    with pytest.raises(BackendError, match="determinant raised an exception"):
        m.grad("determinant")(np.zeros((3, 3), np.float32))


def test_complex_factorisations_are_refused():
    @numba.njit
    def spun(a):
        return np.linalg.inv(a + 1j * np.eye(3))[0, 0].real

    with pytest.raises(BackendError, match="nobody defines factorisation_of_complex_numbers"):
        gradir.load(spun, signature="float64(float64[:,::1])").grad("spun")(A)


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda a: np.linalg.qr(a)[0].sum(), r"np\.linalg\.qr"),
        (lambda a: np.linalg.svd(a)[1].sum(), r"np\.linalg\.svd"),
        (lambda a: np.linalg.eigvalsh(a).sum(), r"np\.linalg\.eigh"),
        (lambda a: np.linalg.lstsq(a, a)[0].sum(), r"np\.linalg\.lstsq"),
    ],
)
def test_what_has_no_derivative_is_called_by_numpys_name(f, name):
    m = gradir.load(numba.njit(f), (A,))
    with pytest.raises(NoRule, match=name + ".* has no derivative here"):
        m.grad(*m.functions)(A)


def test_example_inputs_say_the_types():
    @numba.njit
    def scaled(x, k):
        return k * np.sum(x * x)

    x = np.array([1.0, 2.0])
    m = gradir.load(scaled, (x, 3.0))
    assert np.allclose(m.grad("scaled")(x, 3.0), 6 * x)
    narrow = gradir.load(scaled, [x.astype(np.float32), np.float32(3)])
    assert narrow.grad("scaled")(x.astype(np.float32), np.float32(3)).dtype == np.float32
    assert gradir.load(numba.njit(lambda x: x * x), 2.0)
    with pytest.raises(InputError, match="Numba has no type for an example input"):
        gradir.load(scaled, (object(), 1.0))
    with pytest.raises(InputError, match="example inputs are not for a str"):
        gradir.load("f.c", (x,))


def appended(x):
    squares = List()
    for v in x:
        squares.append(v * v)
    total = 0.0
    for v in squares:
        total += v * squares[1]
    return total * len(squares)


def changed(x):
    numbers = List()
    for v in x:
        numbers.append(v)
    numbers[0] = 3 * x[1]
    numbers.insert(1, x[2] * x[3])
    numbers.extend(x[:2])
    numbers.reverse()
    last = numbers.pop()
    while len(numbers) > 2:
        top = numbers.pop(1)
        numbers[-1] = numbers[-1] * top + 0.1
    return numbers[0] * numbers[1] * last


def sorted_list(x):
    squares = List([v * v for v in x])
    squares.sort()
    return squares[0] * squares[-2]


def of_pairs(x):
    pairs = List()
    for i in range(x.size):
        pairs.append((i, x[i]))
    total = 0.0
    for i, v in pairs:
        total += i * v * v
    return total


def of_places(x):
    places = List.empty_list(numba.int64, allocated=20)
    for i in range(x.size):
        places.append(x.size - 1 - i)
    total = 0.0
    for i in range(x.size):
        total += i * x[i] * x[places[i]]
    return total


def with_arrays_beside(x):
    doubled = 2 * x
    first, second = List(), List()
    for v in doubled:
        first.append(v * v)
    for v in first:
        second.append(v * doubled[0])
    return second[1] + np.sum(doubled[1:] * doubled[:-1])


LISTS = [appended, changed, sorted_list, of_pairs, of_places, with_arrays_beside]


@pytest.mark.parametrize("f", LISTS, ids=lambda f: f.__name__)
def test_typed_lists(f):
    """(They ended the process.)"""
    compiled = numba.njit(f)
    m = gradir.load(compiled, (X,))
    assert m[f.__name__](X) == pytest.approx(compiled(X), rel=1e-15)
    gradient = m.grad(f.__name__)(X)
    assert np.allclose(gradient, differences(compiled, X), rtol=1e-6, atol=1e-8)
    _, tangent = m.jvp(f.__name__)(X, np.arange(6.0))
    assert tangent == pytest.approx(gradient @ np.arange(6.0))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no one says how much memory is taken")
def test_typed_lists_are_given_back():
    @numba.njit
    def long(x):
        squares = List()
        for i in range(20000):
            squares.append(x[i % 6] * x[0])
        return squares[7] * squares[-1]

    m = gradir.load(long, (X,))
    gradient = m.grad("long")
    runs = [lambda: m.long(X), lambda: gradient(X)]

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    for run in runs:
        for _ in range(20):
            run()
        before = resident()
        for _ in range(200):
            run()
        # Lost, the items alone would be 32 MB, 7800 pages.
        assert resident() - before < 1000


def test_typed_lists_raise():
    @numba.njit
    def beyond(x):
        one = List()
        one.append(x[0])
        return one[3]

    with pytest.raises(BackendError, match="beyond raised an exception"):
        gradir.load(beyond, (X,)).grad("beyond")(X)


def cut(x):
    numbers = List([x[0], x[1], x[2]])
    del numbers[0:2]
    return numbers[0]


def looked_up(x):
    return {1: x[0]}[1]


def of_arrays(x):
    arrays = List()
    arrays.append(x)
    return arrays[0][1]


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (cut, InputError, "cut: delete_slice of numba.typed.List needs Numba's own run-time library"),
        (looked_up, InputError, "looked_up: a dictionary needs Numba's own run-time library"),
        (of_arrays, BackendError, "nobody defines numba_typed_lists_of_arrays"),
    ],
)
def test_what_of_typed_lists_and_dictionaries_is_refused(f, error, message):
    with pytest.raises(error, match=message):
        gradir.load(numba.njit(f), (X,))[f.__name__](X)


def test_messages_are_plain_text():
    @numba.njit
    def wrong(x):
        return x.nothing

    with pytest.raises(InputError, match="Unknown attribute 'nothing' of type array") as raised:
        gradir.load(wrong, (X,))
    assert "\x1b" not in str(raised.value)


def test_functions_that_nothing_has_compiled():
    def plain(x):
        return x[0]

    with pytest.raises(InputError, match="plain is a function of Python, which nothing has compiled yet"):
        gradir.load(plain, (X,))
