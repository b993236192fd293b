"""Native functions and their derivatives, to be read; and formulas as C."""

from __future__ import annotations

from pathlib import Path

import jax
import numpy as np
import pytest

import gradir
from gradir.cli import main
from gradir.errors import InputError, RequestError
from gradir.show import view_of_native

SOURCE = """\
#include <math.h>
double f(double x, double y) { return sin(x) * y + exp(x * y) / 3; }
double rosenbrock(const double *x) {
  double a = 1 - x[0], b = x[1] - x[0] * x[0];
  return a * a + 100 * b * b;
}
double kinked(double x) { return x > 0 ? x * x : -x; }
float single(float x) { return sqrtf(x) / 3; }
double norm(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("ziglang", reason="C comes with gradir[c]")
    path = tmp_path_factory.mktemp("show") / "small.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def module(path: Path) -> gradir.NativeModule:
    return gradir.load(path)


def test_formulas(module: gradir.NativeModule) -> None:
    assert view_of_native(module, "f", ["x", "y"]).text("formula").splitlines() == [
        "grad_x = y * (cos(x) + exp(x * y) / 3)",
        "grad_y = x * exp(x * y) / 3 + sin(x)",
    ]
    assert view_of_native(module, "f", []).text("sexpr") == "(+ (/ (exp (* x y)) 3) (* y (sin x)))"
    assert view_of_native(module, "rosenbrock", ["x"]).text("formula").splitlines() == [
        "grad_x_0 = 2 * x_0 + 400 * x_0 * (x_0^2 - x_1) - 2",
        "grad_x_1 = 200 * (x_1 - x_0^2)",
    ]


@pytest.mark.parametrize(
    ("function", "by", "arguments"),
    [("f", ["x"], (0.3, 1.7)), ("kinked", ["x"], (1.5,)), ("kinked", [], (-1.5,)), ("single", ["x"], (0.7,))],
)  # fmt: skip
def test_c_source_computes_what_the_code_does(
    module: gradir.NativeModule, tmp_path: Path, function: str, by: list[str], arguments: tuple[float, ...]
) -> None:
    """The C that is shown, compiled, and the Python, against the derivative that runs."""
    view = view_of_native(module, function, by)
    expected = module.grad(function, by[0])(*arguments) if by else module.function(function)(*arguments)
    shown = tmp_path / "shown.c"
    shown.write_text(view.text("c"))
    compiled = gradir.load(shown)
    # The formula is put in another order: a few roundings, of f32 or f64.
    rtol = 1e-6 if function == "single" else 1e-14
    np.testing.assert_allclose(compiled.function()(*arguments), expected, rtol=rtol)
    scope: dict[str, object] = {}
    exec(view.text("python"), scope)
    name = "grad_x" if by == ["x"] else "grad_y" if by else function
    np.testing.assert_allclose(scope[name](*arguments), expected, rtol=rtol)  # type: ignore[operator]


def test_several_results_in_c(module: gradir.NativeModule, tmp_path: Path) -> None:
    shown = tmp_path / "shown.c"
    shown.write_text(view_of_native(module, "rosenbrock", ["x"]).text("c"))
    first, second = np.zeros(1), np.zeros(1)
    gradir.load(shown).grad_x(0.4, -0.2, first, second)
    expected = jax.grad(lambda x: (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2)(np.array([0.4, -0.2], np.float32))
    np.testing.assert_allclose([first[0], second[0]], expected, rtol=1e-5)  # JAX's are of f32


def test_llvm_is_plain(module: gradir.NativeModule) -> None:
    text = view_of_native(module, "norm", ["x"]).text("llvm")
    assert text.startswith("define ") and "@grad_norm(" in text and text.endswith("}")
    for clutter in ("!dbg", "#dbg", "!tbaa", " x double>", "attributes"):
        assert clutter not in text
    gradir.machine.llvm.parse(f"declare double @llvm.sqrt.f64(double)\n{text}")  # LLVM can read it


def test_what_is_no_formula_is_refused(module: gradir.NativeModule) -> None:
    with pytest.raises(InputError, match="norm is no formula: it has branches or loops"):
        view_of_native(module, "norm", []).text("formula")
    tensor = gradir.load("func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> { return %x : tensor<3xf32> }")
    from gradir.show import view_of_module

    view = view_of_module(tensor, "f", [], Path("nowhere"))
    with pytest.raises(InputError, match="of numbers, without arrays"):
        view.text("c")
    with pytest.raises(InputError, match=r"^the derivative of norm is no formula: it has branches or loops"):
        view_of_native(module, "norm", ["x"]).text("formula")
    with pytest.raises(RequestError, match="for native code"):
        view.text("llvm")


def test_the_command(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", str(path), "--fn", "f", "--grad", "x", "--as", "formula"]) == 0
    assert capsys.readouterr().out == "y * (cos(x) + exp(x * y) / 3)\n"
    assert main(["show", str(path), "--fn", "kinked"]) == 0
    assert capsys.readouterr().out.startswith("define double @kinked(double %x) {")


@pytest.mark.parametrize(
    ("expression", "point"),
    [("(fn [x y] (+ (/ (maximum x y) 3) (sigmoid x)))", (2.0, 5.0)),
     ("(fn [x y] (+ (** x y) (* 0.5 (** x 3))))", (1.3, 2.2))],
)  # fmt: skip
def test_sheaf_as_c(expression: str, point: tuple[float, ...], tmp_path: Path) -> None:
    from gradir.show import view_of_text

    view = view_of_text(expression, [], {})
    shown = tmp_path / "shown.c"
    shown.write_text(view.text("c"))
    value = gradir.load(shown).function()(*point)
    np.testing.assert_allclose(value, view.module.run(view.function, *point), rtol=1e-6)  # f32
