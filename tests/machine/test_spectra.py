"""LAPACK's eigenvalues and singular values: derivatives against differences of the routines, programs against Torch."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from blas_calls import ROUTINES, Derivatives, Problem, form_of, forward, openblas, reverse, run

import gradir

torch = pytest.importorskip("torch")
pytest.importorskip("ziglang", reason="C is compiled by zig")

pytestmark = pytest.mark.skipif(openblas(False) is None, reason="this SciPy comes without its own OpenBLAS")

LD, WORK = 6, 600


@dataclass(frozen=True)
class Vectors:
    """Where a routine gives vectors: `count` of a length, of which the first `valued` belong to values."""

    field: str
    length: int
    count: int
    valued: int
    by_rows: bool = False

    def of(self, arrays: dict[str, np.ndarray]) -> np.ndarray:
        """A view, by columns."""
        rows, columns = (self.count, self.length) if self.by_rows else (self.length, self.count)
        view = arrays[self.field][: columns * LD].reshape(columns, LD)[:, :rows].T
        return view.T if self.by_rows else view

    def aligned(self, found: np.ndarray, base: np.ndarray) -> np.ndarray:
        """The signs, and the basis of what is left over, as near to those at the base as can be."""
        signs = np.sign((found * base)[:, : self.valued].sum(0))
        k = self.valued
        others = found[:, k:] @ (found[:, k:].T @ base[:, k:])
        return np.hstack([found[:, :k] * signs, others])


@dataclass
class Case:
    problem: Problem
    vectors: list[Vectors]
    scratch: dict[str, np.ndarray | slice]
    """Which elements are only worked in."""


def matrix(letter: str, rng: np.random.Generator) -> np.ndarray:
    """By columns, with values that lie apart."""
    a = rng.uniform(-1, 1, (LD, LD)) * 0.4 + np.diag([1.0, 2.2, 3.5, 5.0, 6.5, 8.0])
    return a.reshape(-1).astype(np.float64 if letter == "d" else np.float32)


def problem(routine: str, letter: str, options: dict[str, str], m: int, n: int, rng: np.random.Generator) -> Problem:
    form = form_of(routine, letter, "fortran")
    assert form is not None
    real = np.float64 if letter == "d" else np.float32
    fields = form.routine.fields
    arrays = {f: rng.uniform(-1, 1, LD * LD).astype(real) for f in fields if form.routine.kind(f) == "array"}
    arrays["A"], arrays["work"] = matrix(letter, rng), rng.uniform(-1, 1, WORK).astype(real)
    sizes = {f: LD for f in fields if f.startswith("ld")}
    sizes |= {"m": m, "n": n, "lwork": WORK, "liwork": WORK}
    made = Problem(form, options, 102, {}, arrays, sizes)
    made.integers = {f: np.zeros(WORK, np.int32) for f in ("info", "iwork", "isuppz", "found")}
    made.integers |= {"il": np.array([2], np.int32), "iu": np.array([3], np.int32)}
    made.integers |= {f: np.array([x], real) for f, x in (("vl", 1.6), ("vu", 4.2), ("abstol", 0.0))}
    return made


def symmetric(routine: str, letter: str, rng: np.random.Generator) -> Iterator[Case]:
    n = 4
    for job, u, range_ in itertools.product("NV", "UL", "AIV" if routine == "syevr" else "A"):
        p = problem(routine, letter, {"job": job, "u": u, "range": range_}, n, n, rng)
        count = n if range_ == "A" else 2
        vectors = [Vectors("Z" if routine == "syevr" else "A", n, count, count)] if job == "V" else []
        worked = np.zeros((LD, LD), bool)
        worked[:n, :n] = np.tril(np.ones((n, n), bool)) if u == "U" else np.triu(np.ones((n, n), bool))
        if job == "V" and routine != "syevr":
            worked[:n, :n] = True
        yield Case(p, vectors, {"A": worked.reshape(-1), "W": slice(count, n), "work": slice(None)})


def singular(routine: str, letter: str, rng: np.random.Generator) -> Iterator[Case]:
    jobs = [(j, j) for j in "ASNO"] if routine == "gesdd" else itertools.product("ASON", "ASON")
    for (jobu, jobvt), (m, n) in itertools.product(jobs, ((4, 3), (3, 4), (3, 3))):
        k = min(m, n)
        own = {"job": jobu, "jobu": jobu, "jobvt": jobvt}
        if routine == "gesdd" and jobu == "O":
            jobu, jobvt = "OS" if m >= n else "SO"
        if jobu == jobvt == "O":
            continue  # which LAPACK does not do
        p = problem(routine, letter, own, m, n, rng)
        vectors = []
        for job, length, field in ((jobu, m, "U"), (jobvt, n, "VT")):
            if job != "N":
                count = length if job == "A" else k
                vectors.append(Vectors("A" if job == "O" else field, length, count, k, by_rows=field == "VT"))
        worked = np.zeros((LD, LD), bool)
        worked[:n, :m] = True
        yield Case(p, vectors, {"A": worked.reshape(-1), "work": slice(None)})


def moved(case: Case, tangents: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Central differences of what a routine gives, in f64 whatever the precision is; 0 of what it only works with."""
    p, h = case.problem, 1e-5
    double = form_of(p.form.routine.name, "d", "fortran")
    assert double is not None
    integers = {f: a.astype(np.float64) if a.dtype.kind == "f" else a for f, a in p.integers.items()}

    def at(step: float) -> dict[str, np.ndarray]:
        arrays = {f: a.astype(float) for f, a in p.arrays.items()}
        for f, t in tangents.items():
            arrays[f] += step * t
        return run(Problem(double, p.options, p.order, {}, arrays, p.sizes, integers))[0]

    base, above, below = run(p)[0], at(h), at(-h)
    found = {f: (above[f] - below[f]) / (2 * h) for f in above}
    for f, elements in case.scratch.items():
        found[f][elements] = 0
    for v in case.vectors:
        first, last = (v.aligned(v.of(x), v.of(base)) for x in (above, below))
        v.of(found)[:] = (first - last) / (2 * h)
    return found


def directions(p: Problem, rng: np.random.Generator, active: set[str]) -> dict[str, np.ndarray]:
    return {f: rng.uniform(-1, 1, a.shape).astype(p.real) for f, a in p.arrays.items() if f in active}


CASES = [(r, letter) for r in ("syev", "syevd", "syevr", "gesvd", "gesdd") for letter in "ds"]


@pytest.mark.parametrize(("routine", "letter"), CASES)
def test_derivatives_are_those_of_the_routine(routine: str, letter: str) -> None:
    form = form_of(routine, letter, "fortran")
    assert form is not None
    d, rng = Derivatives(form), np.random.default_rng(3)
    tolerance = 1e-7 if letter == "d" else 5e-4  # the gaps between values are about 1
    for case in (symmetric if routine.startswith("sy") else singular)(routine, letter, rng):
        p = case.problem
        expected, _ = run(p)
        everything = set(p.arrays)
        for active in (everything, everything - {"A"}, everything - {"work", "W", "S"}):
            tangents = directions(p, rng, active)
            slopes = moved(case, tangents)
            found = {f: t.copy() for f, t in tangents.items()}
            state, _, _ = forward(d, p, found)
            for f in p.arrays:
                np.testing.assert_array_equal(state.arrays[f], expected[f])
                if f in found:
                    said = f"{f} {p.options} {p.sizes}"
                    np.testing.assert_allclose(found[f], slopes[f], rtol=tolerance, atol=tolerance, err_msg=said)

            weights = directions(p, rng, active)
            gradient = {f: w.copy() for f, w in weights.items()}
            after, _ = reverse(d, p, gradient, 0.0)
            for f in p.arrays:
                np.testing.assert_array_equal(after.arrays[f], expected[f])
            said = sum(float(gradient[f].astype(float) @ tangents[f]) for f in active)
            wanted = sum(float(weights[f] @ slopes[f]) for f in active)
            assert said == pytest.approx(wanted, rel=10 * tolerance, abs=10 * tolerance), (p.options, p.sizes, active)


@pytest.mark.parametrize("routine", ["syevd", "gesdd"])
def test_asking_for_the_size_of_the_workspace_does_nothing_else(routine: str) -> None:
    form = form_of(routine, "d", "fortran")
    assert form is not None
    d, rng = Derivatives(form), np.random.default_rng(3)
    p = problem(routine, "d", {"job": "N", "u": "U"}, 4, 3, rng)
    p.sizes["lwork"] = p.sizes["liwork"] = -1
    for mode in (forward, lambda *given: reverse(*given, 0.0)):
        given = directions(p, rng, set(p.arrays))
        left = {f: a.copy() for f, a in given.items()}
        mode(d, p, left)
        given["work"][0] = 0
        for f in given:
            np.testing.assert_array_equal(left[f], given[f])


def test_equal_eigenvalues() -> None:
    """The values have a gradient, and the space of their vectors as well; single vectors have none."""
    form = form_of("syevd", "d", "fortran")
    assert form is not None
    d = Derivatives(form)
    p = problem("syevd", "d", {"job": "V", "u": "U"}, 3, 3, np.random.default_rng(3))
    view = p.arrays["A"].reshape(LD, LD)
    view[:3, :3] = np.diag([1.0, 3.0, 1.0])
    values, space = np.array([2.0, 2.0, 5.0]), np.array([[1, 4, 2], [4, 0, 3], [2, 3, 6.0]])
    found, _ = run(p)
    vectors = Vectors("A", 3, 3, 3).of(found)

    def gradient(w: np.ndarray, v: np.ndarray) -> np.ndarray:
        cotangents = {f: np.zeros_like(a) for f, a in p.arrays.items()}
        cotangents["W"][:3], cotangents["A"].reshape(LD, LD)[:3, :3] = w, v.T
        reverse(d, p, cotangents, 0.0)
        return cotangents["A"].reshape(LD, LD)[:3, :3].T

    # of 2 (w0 + w1) + 5 w2: V diag(w) V', which is diagonal here
    np.testing.assert_allclose(gradient(values, np.zeros((3, 3))), np.diag([2.0, 5.0, 2.0]))
    # of sum(space * P), where P = v0 v0' + v1 v1' moves by (v v' dA u u' + its transpose) / (1 - 3)
    first = vectors.copy()
    first[:, 2] = 0
    projector = first @ first.T
    full = 2 * projector @ space @ (np.eye(3) - projector) / (1 - 3)
    folded = np.triu(full + full.T, 1) + np.diag(np.diag(full))
    np.testing.assert_allclose(gradient(np.zeros(3), 2 * space @ first), folded, atol=1e-14)
    assert not np.isfinite(gradient(np.zeros(3), np.triu(space))).all()


PROGRAM = """
#include <math.h>
#include <stdlib.h>
#include <string.h>
void scipy_dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *,
                   int *, const int *, int *);
void scipy_dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *, double *,
                   const int *, double *, const int *, double *, const int *, int *);
/* sum of c_ij exp(A)_ij */
double exponential(const double *a, const double *c, int n) {
  double *v = malloc(n * n * sizeof(double)), *w = malloc(n * sizeof(double)), wanted, sum = 0;
  memcpy(v, a, n * n * sizeof(double));
  int lwork = -1, liwork = -1, wanted_integers, info;
  scipy_dsyevd_("V", "U", &n, v, &n, w, &wanted, &lwork, &wanted_integers, &liwork, &info);
  lwork = (int)wanted, liwork = wanted_integers;
  double *work = malloc(lwork * sizeof(double));
  int *iwork = malloc(liwork * sizeof(int));
  scipy_dsyevd_("V", "U", &n, v, &n, w, work, &lwork, iwork, &liwork, &info);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) sum += c[i * n + j] * v[i + k * n] * v[j + k * n] * exp(w[k]);
  free(work), free(iwork), free(v), free(w);
  return sum;
}
/* values alone, of a matrix in memory that is used again */
double volume(const double *a, int m, int n) {
  double copy[64], s[8], work[200], nothing, product = 1;
  memcpy(copy, a, m * n * sizeof(double));
  int lwork = 200, one = 1, info;
  scipy_dgesvd_("N", "N", &m, &n, copy, &m, s, &nothing, &one, &nothing, &one, work, &lwork, &info);
  n = m < n ? m : n;
  for (int i = 0; i < n; i++) product *= s[i] * s[i] + 1;
  return product;
}
"""


def test_programs_twice_and_in_many_directions(tmp_path: Path) -> None:
    (tmp_path / "f.c").write_text(PROGRAM)
    module = gradir.load(tmp_path / "f.c", libraries=[str(openblas(False))])
    rng = np.random.default_rng(0)
    x, c, v = rng.normal(size=(3, 3, 3))
    c += c.T

    def exponential(y: torch.Tensor) -> torch.Tensor:  # the upper triangle by columns is the lower one by rows
        whole = torch.tril(y) + torch.tril(y, -1).T
        return (torch.tensor(c) * torch.linalg.matrix_exp(whole)).sum()

    def volume(y: torch.Tensor) -> torch.Tensor:
        return torch.linalg.det(y @ y.T + torch.eye(len(y)))

    gradient = torch.func.grad(exponential)(torch.tensor(x)).numpy()
    second = torch.func.hessian(exponential)(torch.tensor(x)).numpy()
    np.testing.assert_allclose(module.jvp("exponential", wrt="a")(x, c, 3, v)[1], (gradient * v).sum(), rtol=1e-11)
    np.testing.assert_allclose(module.hessian("exponential", wrt="a")(x, c, 3), second, rtol=1e-10, atol=1e-11)
    y = rng.normal(size=(2, 3))
    second = torch.func.hessian(volume)(torch.tensor(y)).numpy()
    np.testing.assert_allclose(module.hessian("volume", wrt="a")(y, 3, 2), second, rtol=1e-10, atol=1e-11)


BY_C = """
#include <math.h>
#include <string.h>
int LAPACKE_dsyevd(int, char, char, int, double *, int, double *);
int LAPACKE_dgesdd(int, char, int, int, double *, int, double *, double *, int, double *, int);
int LAPACKE_dposv(int, char, int, int, double *, int, double *, int);
/* sum of c_ij (U V')_ij, and of c_ij (A A' + 1)^-1_ij, of a matrix by rows or by columns that lies in a larger one */
double polar(const double *a, const double *c, int layout, int n) {
  double copy[36], s[6], u[36], vt[36], sum = 0;
  memcpy(copy, a, sizeof copy);
  int row = layout == 101 ? 6 : 1, column = layout == 101 ? 1 : 6;
  LAPACKE_dgesdd(layout, 'S', n + 1, n, copy, 6, s, u, 6, vt, 6);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) sum += c[i * 6 + j] * u[i * row + k * column] * vt[k * row + j * column];
  return sum;
}
double root(const double *a, const double *c, int layout, int n) {
  double copy[36], w[6], x[36], sum = 0;
  int row = layout == 101 ? 6 : 1, column = layout == 101 ? 1 : 6;
  memcpy(copy, a, sizeof copy);
  memcpy(x, c, sizeof x);
  if (LAPACKE_dsyevd(layout, 'V', 'L', n, copy, 6, w) != 0) return 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        sum += c[i * 6 + j] * copy[i * row + k * column] * copy[j * row + k * column] * sqrt(w[k]);
  memcpy(copy, a, sizeof copy);
  LAPACKE_dposv(layout, 'L', n, n, copy, 6, x, 6);
  for (int i = 0; i < n; i++) sum += x[i * row + i * column] + copy[i * row];
  return sum;
}
"""


@pytest.fixture(scope="module")
def fortran_names(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A library with Fortran's own names, of the BLAS whose names begin otherwise."""
    folder, blas = tmp_path_factory.mktemp("names"), str(openblas(False))
    source, made, lines = folder / "names.c", str(folder / "names.so"), []
    for name, routine in ROUTINES.items():
        taken = ", ".join(f"void *x{i}" for i in range(len(routine.fields)))
        passed = ", ".join(f"x{i}" for i in range(len(routine.fields)))
        kind = "double" if routine.returns else "void"
        lines.append(f"{kind} scipy_d{name}_({taken}); {kind} d{name}_({taken}) {{ return scipy_d{name}_({passed}); }}")
    source.write_text("\n".join(lines))
    command = [sys.executable, "-m", "ziglang", "cc", "-w", "-shared", "-fPIC", str(source), blas, "-o", made]
    subprocess.run([*command, f"-Wl,-rpath,{Path(blas).parent}"], check=True)
    return made


def test_by_the_interface_for_c(tmp_path: Path, fortran_names: str) -> None:
    (tmp_path / "f.c").write_text(BY_C)
    module = gradir.load(tmp_path / "f.c", libraries=[fortran_names])
    rng, n = np.random.default_rng(1), 3
    a, c = rng.uniform(-1, 1, (2, LD, LD))
    a[:n, :n] += a[:n, :n].T + np.diag([3.0, 5.0, 8.0])
    c[:n, :n] += c[:n, :n].T

    def matrix(y: torch.Tensor, layout: int, rows: int) -> torch.Tensor:
        return y[:rows, :n] if layout == 101 else y[:n, :rows].T

    def polar(y: torch.Tensor, layout: int) -> torch.Tensor:
        x = matrix(y, layout, n + 1)
        u, _, vh = torch.linalg.svd(x, full_matrices=False)
        return (torch.tensor(c[: n + 1, :n]) * (u @ vh)).sum()

    def root(y: torch.Tensor, layout: int) -> torch.Tensor:
        lower, weights = torch.tril(matrix(y, layout, n)), torch.tensor(c[:n, :n])
        whole = lower + torch.tril(lower, -1).T
        w, v = torch.linalg.eigh(whole)
        solved = torch.linalg.solve(whole, weights)
        return (weights * (v * w.sqrt() @ v.T)).sum() + solved.trace() + torch.linalg.cholesky(whole)[:, 0].sum()

    for (name, reference), layout in itertools.product({"polar": polar, "root": root}.items(), (101, 102)):
        expected = torch.func.grad(reference)(torch.tensor(a), layout).numpy()
        value, gradient = module.value_and_grad(name, wrt="a")(a, c, layout, n)
        assert value == pytest.approx(float(reference(torch.tensor(a), layout)), rel=1e-12)
        np.testing.assert_allclose(gradient, expected, rtol=1e-10, atol=1e-11)
