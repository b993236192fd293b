"""Native functions and their derivatives on NumPy arrays: checked calls, every kind of derivative, and files."""

import ctypes
import gc
import subprocess
import threading
from pathlib import Path

import numba
import numpy as np
import pytest

import gradir
from gradir.errors import InputError, OutputError, RequestError

KERNELS = """
#include <math.h>
#include <stdlib.h>
struct particle { double position[3]; float charge; int kind; };

double energy(const double *x, int n, double k) {
  double s = 0;
  for (int i = 0; i < n; i++) s += k * x[i] * x[i] + sin(x[i]);
  return s;
}
void scaled(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++) y[i] = x[i] * x[0] + i;
}
void in_place(double *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] * x[i] * x[0]; }
double through_workspace(const double *x, double *work, int n) {
  for (int i = 0; i < n; i++) work[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; i++) s += work[i] * x[i];
  return s;
}
float single(float x, float y) { return x * y * y; }
double charges(const struct particle *p, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += p[i].position[1] * p[i].charge;
  return s;
}
void mean(const double *x, int n, double *result) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i];
  *result = s / n * s;
}
void three(const double *x, double *y) { y[0] = x[0]; y[1] = x[1]; y[2] = x[2]; }
double on_the_heap(const double *x, int n) {
  double *w = malloc(n * sizeof *w), s = 0;
  for (int i = 0; i < n; i++) w[i] = x[i] * x[i];
  for (int i = 0; i < n; i++) s += w[i] * w[i];
  free(w);
  return s;
}
long counts(const int *x, unsigned char k) { return x[0] + k; }
"""

x = np.array([0.5, 1.5, 2.0, 3.0])


@pytest.fixture(scope="module")
def m(loaded):
    return loaded("kernels.c", KERNELS)


def differences(f, at, step=1e-6):
    """Central differences of a function of one array, of any shape of result: result's shape, then the array's."""
    columns = []
    for index in np.ndindex(at.shape):
        up, down = at.copy(), at.copy()
        up[index] += step
        down[index] -= step
        columns.append((np.asarray(f(up)) - np.asarray(f(down))) / (2 * step))
    return np.stack(columns, -1).reshape(*np.shape(columns[0]), *at.shape)


def scaled(m, at):
    y = np.zeros_like(at)
    m.scaled(at, y, at.size)
    return y


# -- Calls


def test_functions_have_names_and_signatures(m):
    assert list(m.functions)[:2] == ["energy", "scaled"]
    assert str(m.functions["energy"]) == "energy(x: const double *, n: int, k: double) -> double"
    assert "energy" in dir(m) and "energy" in repr(m)
    assert m["energy"] is m.energy is m.function("energy")
    with pytest.raises(AttributeError, match="did you mean energy"):
        m.enrgy
    with pytest.raises(InputError, match="which function"):
        m.grad()


def test_calls(m):
    assert m.energy(x, 4, 2.0) == pytest.approx(np.sum(2 * x * x + np.sin(x)))
    assert m.energy(x, k=2.0, n=2) == pytest.approx(np.sum(2 * x[:2] ** 2 + np.sin(x[:2])))
    assert m.single(2.0, 3) == 18.0
    assert m.counts(np.array([-5], np.int32), 255) == 250
    assert np.allclose(scaled(m, x), x * x[0] + np.arange(4))


def test_arrays_are_not_copied(m):
    y = np.zeros(8)
    m.scaled(x, y[2:6], 4)
    assert np.array_equal(y != 0, [False] * 2 + [True] * 4 + [False] * 2)


def test_structs(m):
    kind = m.charges.arguments[0].pointee.dtype
    p = np.zeros(2, kind)
    p["position"][:, 1] = 2.0, 3.0
    p["charge"] = 10.0, 100.0
    assert m.charges(p, 2) == 320.0
    gradient = m.grad("charges")(p, 2)
    assert np.array_equal(gradient["position"][:, 1], [10.0, 100.0]) and np.array_equal(gradient["charge"], [2.0, 3.0])
    with pytest.raises(InputError, match="of 32 bytes"):
        m.charges(np.zeros(5, np.uint8), 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((x, 4), "takes 3 arguments, not 2"),
        ((x, 4, 2.0, 1), "takes 3 arguments, not 4"),
        ((x.astype(np.float32), 4, 2.0), "'x: const double *' must be an array of float64, not one of float32"),
        ((x[::2], 2, 2.0), "must be contiguous in C's order"),
        (([1.0, 2.0], 2, 2.0), "must be a NumPy array of float64, not a list"),
        ((x, 4.5, 2.0), "'n: int' must be an integer, not 4.5"),
        ((x, 1 << 31, 2.0), "must be from -2147483648 to 2147483647"),
        ((x, 4, "k"), "'k: double' must be a number, not 'k' of type str"),
        ((x.astype(">f8"), 4, 2.0), "must be an array of float64"),
    ],
)
def test_wrong_arguments_are_named_before_the_call(m, arguments, message):
    for call in (m.energy, m.grad("energy")):
        with pytest.raises(InputError) as caught:
            call(*arguments)
        assert message in str(caught.value)


def test_arrays_that_are_too_short(m):
    assert m.energy(x[:0], 0, 1.0) == 0 and m.grad("energy")(x[:0], 0, 1.0).shape == (0,)
    with pytest.raises(InputError, match="'y: double \\*' must be of at least 24 bytes, not 16"):
        m.three(x, np.zeros(2))


def test_outputs_must_be_writable(m):
    y = np.zeros(4)
    y.flags.writeable = False
    with pytest.raises(InputError, match="writable"):
        m.scaled(x, y, 4)
    with pytest.raises(InputError, match="no argument 'z'"):
        m.energy(x, 4, z=3)


# -- What is an output


def test_outputs_are_inferred(m):
    assert m.scaled.outputs == ("y",) and m.energy.outputs == () and m.in_place.outputs == ("x",)
    assert m.through_workspace.outputs == ("work",) and m.mean.outputs == ("result",)


# -- First derivatives


def test_grad(m):
    expected = 2 * 2.0 * x + np.cos(x)
    assert np.allclose(m.grad("energy")(x, 4, 2.0), expected)
    value, gradient = m.value_and_grad("energy", "x")(x, n=4, k=2.0)
    assert value == m.energy(x, 4, 2.0) and np.allclose(gradient, expected)
    by_x, by_k = m.grad("energy", ("x", 2))(x, 4, 2.0)
    assert np.allclose(by_x, expected) and by_k == pytest.approx(np.sum(x * x))
    assert np.allclose(m.energy.grad()(x, 4, 2.0), expected)


def test_grad_of_a_number_that_is_written(m):
    result = np.zeros(1)
    value, gradient = m.value_and_grad("mean")(x, 4, result)
    assert value == result[0] == pytest.approx(x.sum() ** 2 / 4) and np.allclose(gradient, 2 * x.sum() / 4)


def test_what_goes_through_a_workspace_is_not_lost(m):
    work = np.zeros(4)
    assert np.allclose(m.grad("through_workspace")(x, work, 4), 3 * x * x)


def test_single_precision(m):
    value, (by_x, by_y) = m.value_and_grad("single", (0, 1))(2.0, 3.0)
    assert (value, by_x, by_y) == (18.0, 9.0, 12.0)


def test_vjp(m):
    y, cotangent = np.zeros(4), np.array([1.0, -2.0, 0.5, 3.0])
    value, gradient = m.vjp("scaled")(x, y, 4, cotangent)
    assert value is None and np.allclose(y, scaled(m, x))
    assert np.allclose(gradient, cotangent @ differences(lambda a: scaled(m, a), x))
    assert np.array_equal(cotangent, [1.0, -2.0, 0.5, 3.0]), "the caller's cotangent is not consumed"
    value, gradient = m.vjp("energy")(x, 4, 2.0, 10.0)
    assert value == m.energy(x, 4, 2.0) and np.allclose(gradient, 10 * (4 * x + np.cos(x)))


def test_vjp_in_place(m):
    def run(a):
        a = a.copy()
        m.in_place(a, 4)
        return a

    at, cotangent = x.copy(), np.array([1.0, -2.0, 0.5, 3.0])
    _, gradient = m.vjp("in_place")(at, 4, cotangent)
    assert np.allclose(at, run(x)) and np.allclose(gradient, cotangent @ differences(run, x))


def test_jvp(m):
    tangent = np.array([1.0, 0.0, -1.0, 2.0])
    y = np.zeros(4)
    value, dy = m.jvp("scaled")(x, y, 4, tangent)
    assert value is None and np.allclose(dy, differences(lambda a: scaled(m, a), x) @ tangent)
    value, d = m.jvp("energy", ("x", "k"))(x, 4, 2.0, tangent, 0.5)
    assert value == m.energy(x, 4, 2.0) and d == pytest.approx((4 * x + np.cos(x)) @ tangent + 0.5 * np.sum(x * x))


@pytest.mark.parametrize("mode", ["forward", "reverse", "auto"])
@pytest.mark.parametrize("width", [1, 3, 8])
def test_jacobian(m, mode, width):
    expected = differences(lambda a: scaled(m, a), x)
    y = np.zeros(4)
    assert np.allclose(m.jacobian("scaled", mode=mode, width=width)(x, y, 4), expected)
    assert np.allclose(y, scaled(m, x))
    by_x, by_k = m.jacobian("energy", ("x", "k"), mode=mode, width=width)(x, 4, 2.0)
    assert np.allclose(by_x, 4 * x + np.cos(x)) and by_k == pytest.approx(np.sum(x * x))


def test_jacobian_in_place(m):
    def run(a):
        a = a.copy()
        m.in_place(a, 4)
        return a

    for mode in ("forward", "reverse"):
        at = x.copy()
        assert np.allclose(m.jacobian("in_place", mode=mode)(at, 4), differences(run, x))
        assert np.allclose(at, run(x))


@pytest.mark.parametrize("width", [1, 8])
def test_hessian(m, width):
    assert np.allclose(m.hessian("energy", width=width)(x, 4, 2.0), np.diag(4 - np.sin(x)))
    (xx, xk), (kx, kk) = m.hessian("energy", ("x", "k"), width=width)(x, 4, 2.0)
    assert np.allclose(xx, np.diag(4 - np.sin(x))) and np.allclose(xk, 2 * x) and np.allclose(kx, 2 * x) and kk == 0
    assert np.allclose(m.hessian("through_workspace", width=width)(x, np.zeros(4), 4), np.diag(6 * x))


@pytest.mark.parametrize("width", [1, 8])
def test_hessian_through_the_heap(m, width):
    assert np.allclose(m.grad("on_the_heap")(x, 4), 4 * x**3)
    assert np.allclose(m.hessian("on_the_heap", width=width)(x, 4), np.diag(12 * x**2))


def test_overlapping_arguments_give_the_same_answer(m):
    def run(whole):
        whole = whole.copy()
        m.scaled(whole[:4], whole[2:6], 4)
        return whole[2:6]

    whole = np.array([0.5, 1.5, 2.0, 3.0, -1.0, 0.25])
    expected = np.ones(4) @ differences(run, whole)
    memory = whole.copy()
    _, gradient = m.vjp("scaled")(memory[:4], memory[2:6], 4, np.ones(4))
    assert np.allclose(memory[2:6], run(whole))
    assert np.allclose(gradient, expected[:4])


def test_threads_differentiate_at_once(m):
    gradient = m.grad("energy")
    wrong = []

    def work(k: int) -> None:
        at = x + k
        for _ in range(50):
            if not np.allclose(gradient(at, 4, 2.0), 4 * at + np.cos(at)):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_requests_that_dont_fit(m):
    with pytest.raises(RequestError, match="no derivative by 'n: int'"):
        m.grad("energy", "n")
    with pytest.raises(RequestError, match="did you mean 'work'"):
        m.grad("through_workspace", "wrk")
    with pytest.raises(RequestError, match="has no argument number 7"):
        m.grad("energy", 7)
    with pytest.raises(RequestError, match="different arguments"):
        m.grad("energy", ("x", "x"))
    with pytest.raises(RequestError, match="its outputs are y"):
        m.grad("scaled")(x, np.zeros(4), 4)
    with pytest.raises(RequestError, match="writes no floats into 'x'"):
        m.vjp("scaled", outputs="x")
    with pytest.raises(RequestError, match="takes no floats"):
        m.grad("counts")
    with pytest.raises(InputError, match="a cotangent is needed for y"):
        m.vjp("scaled")(x, np.zeros(4), 4)
    with pytest.raises(InputError, match=r"must have shape \(4,\), not \(3,\)"):
        m.vjp("scaled")(x, np.zeros(4), 4, np.zeros(3))
    with pytest.raises(RequestError, match="mode="):
        m.jacobian("scaled", mode="sideways")


def test_before_and_after_optimising(tmp_path):
    source = tmp_path / "k.c"
    source.write_text(KERNELS)
    raw = gradir.load(source, optimise_first=False)
    assert np.allclose(raw.grad("energy")(x, 4, 2.0), 4 * x + np.cos(x))
    assert {"front end", "normalise", "differentiate", "optimise"} <= set(raw.phases)


def test_other_languages_are_differentiated():
    @numba.njit
    def f(a, k):
        t = a * a
        return np.sum(t) * k

    m = gradir.load(f, signature="(float64[:], float64)")
    at = np.arange(8.0)[::2]
    by_a, by_k = m.grad(wrt=("a", "k"))(at, 3.0)
    assert np.allclose(by_a, 6 * at) and by_k == pytest.approx(np.sum(at * at))
    assert np.allclose(m.hessian()(at, 3.0), 6 * np.eye(4))


def test_memory_is_kept_and_given_back(tmp_path):
    source = tmp_path / "k.c"
    source.write_text(
        "void f(double *x, int n) { for (int k = 0; k < 4; k++) for (int i = 0; i < n; i++) x[i] *= x[i]; }"
    )
    m = gradir.load(source)
    n = 1 << 21  # a tape beyond what malloc keeps for itself
    vjp = m.vjp("f")

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    def gradient() -> float:
        return vjp(np.full(n, 1.0), n, np.ones(n))[1][0]

    assert gradient() == 16.0
    before = resident()
    for _ in range(5):
        assert gradient() == 16.0
    assert resident() - before < 8 * n, "a tape is kept, not one for each call"
    m.release_memory()
    assert resident() < before - 8 * n
    assert gradient() == 16.0
    before = resident()
    m = vjp = gradient = None
    gc.collect()
    assert resident() < before - 8 * n, "what a module keeps goes with it"


# -- Files


@pytest.mark.parametrize("suffix", [".ll", ".bc", ".s", ".o", ".so", ".h"])
def test_derivatives_are_written(m, tmp_path, suffix):
    m.value_and_grad("energy", ("x", "k")).save(tmp_path / f"d{suffix}")
    assert (tmp_path / f"d{suffix}").stat().st_size
    if suffix in (".o", ".so", ".h"):
        given = "const double *x, double *d_x, int32_t n, double k, double *d_k"
        assert f"double value_and_grad_energy({given});" in (tmp_path / "d.h").read_text()


def test_a_c_program_calls_them(m, tmp_path):
    m.save(tmp_path / "kernels.so", [m.value_and_grad("energy", ("x", "k")), m.vjp("scaled")], functions=["scaled"])
    library = ctypes.CDLL(str(tmp_path / "kernels.so"))
    library.value_and_grad_energy.restype = ctypes.c_double
    dx, dk = np.zeros(4), ctypes.c_double()
    address = [ctypes.c_void_p(a.ctypes.data) for a in (x, dx)]
    value = library.value_and_grad_energy(*address, 4, ctypes.c_double(2.0), ctypes.byref(dk))
    assert (
        value == m.energy(x, 4, 2.0) and np.allclose(dx, 4 * x + np.cos(x)) and dk.value == pytest.approx(np.sum(x * x))
    )
    symbols = subprocess.run(["nm", "-D", tmp_path / "kernels.so"], capture_output=True, text=True, check=False).stdout
    assert not symbols or {"T scaled", "T vjp_scaled"} <= {" ".join(line.split()[1:]) for line in symbols.splitlines()}


def test_objects_for_another_machine(m, tmp_path):
    m.save(tmp_path / "k.o", [m.grad("energy")], triple="aarch64-linux-gnu")
    assert (tmp_path / "k.o").read_bytes()[18] == 183  # AArch64


def test_files_that_cant_be_written(m, tmp_path):
    with pytest.raises(OutputError, match="no format"):
        m.save(tmp_path / "k.exe")
    with pytest.raises(OutputError, match="a call for each number"):
        m.jacobian("scaled").save(tmp_path / "k.o")
    with pytest.raises(OutputError, match="can't write"):
        m.save(tmp_path / "no" / "folder.ll")
