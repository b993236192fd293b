"""What people trip over at the command line: languages, several files, options, places in messages, shells."""

from __future__ import annotations

import ctypes
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir import cli
from gradir.cli import completion
from gradir.frontends.languages import by_content

PROGRAM = """\
func.func @f(%x: tensor<2xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.sine %x : tensor<2xf32>
  %p = stablehlo.multiply %s, %x : tensor<2xf32>
  %r = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
"""
NEGATED = """%m = stablehlo.negate %s : tensor<2xf32>
  %n = stablehlo.negate %m : tensor<2xf32>
  %p = stablehlo.multiply %n, %x"""
C = "double f(double x) { return N * x * x; }\ndouble g(double x) { return x * x * x; }\n"
ENZYME_C = """\
#include <gradir/enzyme.h>
double square(double x) { return x * x; }
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
"""
X = np.array([0.5, -1.0], np.float32)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("f.mlir").write_text(PROGRAM)
    Path("k.c").write_text(C)
    return tmp_path


def run(*words: str) -> int:
    try:
        return cli.main(list(words))
    except SystemExit as stop:
        return int(stop.code or 0)


def from_stdin(monkeypatch: pytest.MonkeyPatch, content: bytes, *words: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return run(*words)


# -- Languages


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("// hi\nmodule @m attributes {a = 1} {\n}", "mlir"),
        ("#loc = loc(unknown)\nmodule {\n}", "mlir"),
        ('"builtin.module"() ({\n}) : () -> ()', "mlir"),
        ("ML\N{LATIN SMALL LETTER I WITH DIAERESIS}R", None),
        ("; ModuleID = 'a.c'\n", "llvm"),
        ("@g = internal global i32 0\n", "llvm"),
        ("%s = type { i32 }\n", "llvm"),
        ("define void @f() {\n  ret void\n}\n!llvm.ident = !{!0}\n!0 = !{!\"clang\"}\n", "llvm"),
        ("/* f */\nstatic inline double f(double x);\n", "c"),
        ("#include <math.h>\n", "c"),
        ("#include <cmath>\n", "c++"),
        ("#include <math.h>\nnamespace a { double f(double x); }\n", "c++"),
        ("template <class T> T f(T x) { return x; }\n", "c++"),
        ("subroutine f(x, y)\n", "fortran"),
        ("pure double precision function f(x)\n", "fortran"),
        ("module m\ncontains\nend module\n", "fortran"),
        ("! c\nreal(8) function f(x)\n", "fortran"),
        ("#[no_mangle]\npub extern \"C\" fn f(x: f64) -> f64 { x }\n", "rust"),
        ("pub fn f(x: f64) -> f64 { x }\n", "rust"),
        ("a song, no program", None),
    ],
)  # fmt: skip
def test_a_language_is_found_in_the_text(text: str, language: str | None):
    assert by_content(text.encode()) == language


def test_standard_input_in_any_language(monkeypatch: pytest.MonkeyPatch, capfdbinary):
    assert from_stdin(monkeypatch, C.replace("N", "3").encode(), "diff", "-", "--fn", "g") == 0
    assert b"define double @vjp_g(" in capfdbinary.readouterr().out
    assert from_stdin(monkeypatch, PROGRAM.encode(), "diff", "-") == 0
    assert b"@vjp_f" in capfdbinary.readouterr().out
    ll = b"define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
    assert from_stdin(monkeypatch, ll, "opt", "-", "--emit", "bitcode") == 0
    bitcode = capfdbinary.readouterr().out
    assert bitcode.startswith(b"BC\xc0\xde")
    assert from_stdin(monkeypatch, bitcode, "diff", "-") == 0
    assert b"@vjp_f" in capfdbinary.readouterr().out


def test_the_language_may_be_told(monkeypatch: pytest.MonkeyPatch, capfd):
    Path("program").write_text("double f(double x) { return x * x; }")
    Path("words").write_text("nothing to go by")
    assert run("diff", "program") == 0  # found in the text
    assert run("diff", "-x", "c++", "program", "--fn", "f") == 0
    capfd.readouterr()
    assert run("diff", "words") == 3
    assert "-x mlir, llvm, c" in capfd.readouterr().err
    assert run("diff", "program", "-x", "fortan") == 2
    assert "did you mean fortran?" in capfd.readouterr().err
    assert run("diff", "program", "f.mlir") == 2
    assert "can't be linked" in capfd.readouterr().err


def test_errors_on_standard_input_speak_of_it(monkeypatch: pytest.MonkeyPatch, capfd):
    assert from_stdin(monkeypatch, b"double f(double x) { return y; }", "diff", "-") == 3
    said = capfd.readouterr().err
    assert "<stdin>:1:29: it doesn't compile" in said and "gradir-" not in said


# -- Several files and functions


def test_several_files_of_one_level(capfd):
    Path("g.mlir").write_text(
        "func.func private @h(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }\n"
        "func.func @g(%x: tensor<f32>) -> tensor<f32> {\n  %y = call @h(%x) : (tensor<f32>) -> tensor<f32>\n"
        "  %z = stablehlo.multiply %y, %y : tensor<f32>\n  return %z : tensor<f32>\n}\n"
    )
    Path("h.mlir").write_text(
        "func.func @h(%x: tensor<f32>) -> tensor<f32> {\n"
        "  %y = stablehlo.negate %x : tensor<f32>\n  return %y : tensor<f32>\n}"
    )
    functions = ["--fn", "f", "--fn", "g", "--fn", "h"]
    assert run("diff", "f.mlir", "g.mlir", "h.mlir", *functions, "--grad", "-o", "d.mlir") == 0
    made = gradir.load("d.mlir")
    np.testing.assert_allclose(made.run("grad_f", X), np.sin(X) + X * np.cos(X), rtol=1e-6)
    assert made.run("grad_g", 3.0) == 6.0 and made.run("h", 3.0) == -3.0 and made.run("grad_h", 3.0) == -1.0
    assert run("diff", "f.mlir", "f.mlir") == 3
    assert "two functions @f" in capfd.readouterr().err


def test_several_native_files_and_functions():
    Path("other.c").write_text("double g(double); double h(double x) { return g(x) + x; }")
    words = ["--fn", "f", "--fn", "h", "--name", "df", "--name", "dh", "-DN=5", "-o", "both.so"]
    assert run("diff", "k.c", "other.c", *words, "--grad") == 0
    library = ctypes.CDLL("./both.so")
    made = []
    for name in ("df", "dh"):
        slope = ctypes.c_double()
        getattr(library, name)(ctypes.c_double(2.0), ctypes.byref(slope))
        made.append(slope.value)
    assert made == [20.0, 13.0]


def test_names_are_counted(capfd):
    assert run("diff", "f.mlir", "--name", "a", "--name", "b") == 2
    assert "2 names for 1 function" in capfd.readouterr().err


# -- Whole derivatives, without a seed


def test_derivatives_without_a_seed():
    for kind, name in (("--jacobian", "jacobian_f"), ("--grad", "grad_f")):
        assert run("diff", "f.mlir", kind, "-o", "d.mlir") == 0
        np.testing.assert_allclose(gradir.load("d.mlir").run(name, X), np.sin(X) + X * np.cos(X), rtol=1e-6)
    assert run("diff", "f.mlir", "--hessian", "-o", "d.mlir") == 0
    hessian = np.diag(2 * np.cos(X) - X * np.sin(X))
    np.testing.assert_allclose(gradir.load("d.mlir").run("hessian_f", X), hessian, rtol=1e-5)
    assert run("diff", "f.mlir", "--jacobian", "--mode", "forward", "--name", "j", "-o", "d.mlir") == 0
    assert "func.func @j(" in Path("d.mlir").read_text()


def test_a_native_gradient_has_no_seed():
    assert run("diff", "k.c", "--fn", "g", "--value-and-grad", "-DN=1", "-o", "g.so") == 0
    assert "double value_and_grad_g(double x, double *d_x);" in Path("g.h").read_text()
    library, slope = ctypes.CDLL("./g.so"), ctypes.c_double()
    library.value_and_grad_g.restype = ctypes.c_double
    assert library.value_and_grad_g(ctypes.c_double(2.0), ctypes.byref(slope)) == 8.0 and slope.value == 12.0


def test_a_native_jacobian_of_one_number_is_a_gradient(capfd):
    assert run("diff", "k.c", "--fn", "g", "--jacobian", "-DN=1", "-o", "j.so") == 0
    assert "void jacobian_g(double x, double *d_x);" in Path("j.h").read_text()
    library, slope = ctypes.CDLL("./j.so"), ctypes.c_double()
    library.jacobian_g(ctypes.c_double(2.0), ctypes.byref(slope))
    assert slope.value == 12.0
    assert run("diff", "k.c", "--fn", "g", "--hessian", "-DN=1", "-o", "h.so") == 2
    said = capfd.readouterr().err
    assert "write the vjp or the jvp" in said and "hessian('g')" in said


# -- For the compiler


@pytest.mark.parametrize("words", [["-DN=3"], ["-D", "N=3"], ["--flag", "-DN=3"], ["--flag=-DN=3"], ["-I", "include"]])
def test_flags_for_the_compiler(words: list[str], capfd):
    if words[0] == "-I":
        Path("include").mkdir()
        Path("include/n.h").write_text("#define N 3\n")
        Path("k.c").write_text('#include "n.h"\n' + C)
    assert run("run", "k.c", "--fn", "f", "--input", "2.0", *words) == 0
    assert "12." in capfd.readouterr().out
    assert run("opt", "k.c", *words, "-o", "k.ll") == 0


def test_the_header_of_enzymes_calls_is_found():
    Path("slope.c").write_text(ENZYME_C)
    assert run("opt", "slope.c", "-o", "slope.bc") == 0
    assert gradir.load("slope.bc").slope(3.0) == 6.0


# -- What is written


def test_a_vmfb_is_written_and_its_size_told(capfd):
    runtime = pytest.importorskip("iree.runtime")
    assert run("diff", "f.mlir", "--grad", "-o", "d.vmfb") == 0
    content = Path("d.vmfb").read_bytes()
    assert f"d.vmfb: {len(content):,} bytes" in capfd.readouterr().err
    config = runtime.Config("local-task")
    module = runtime.VmModule.copy_buffer(config.vm_instance, content)
    made = runtime.SystemContext(vm_modules=[module], config=config).modules[module.name]["grad_f"](X)
    np.testing.assert_allclose(np.asarray(made), np.sin(X) + X * np.cos(X), rtol=1e-5)


def test_functions_of_f64_that_iree_lacks_have_a_way_out(capfd):
    pytest.importorskip("iree.compiler")
    Path("d.mlir").write_text(PROGRAM.replace("f32", "f64"))
    assert run("diff", "d.mlir", "--grad", "-o", "d.vmfb") == 1
    assert "way out: IREE has no mathematical functions of f64 on the CPU" in capfd.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["opt", "f.mlir", "-o", "o.txt"],
        ["opt", "f.mlir", "-o", "o.ll"],
        ["opt", "f.mlir", "--emit", "object", "-o", "o.bin"],
        ["opt", "k.c", "-DN=1", "-o", "o.mlir"],
        ["diff", "k.c", "-DN=1", "--fn", "g", "-o", "o.txt"],
        ["diff", "k.c", "-DN=1", "--fn", "g", "--emit", "portable"],
        ["opt", "k.c", "-DN=1", "--emit-llvm", "-o", "o.bc"],
        ["opt", "f.mlir", "--version", "1.0.0", "-o", "o.mlirbc"],
    ],
)
def test_forms_that_do_not_fit_are_refused(words: list[str], capfd):
    assert run(*words) == 2
    assert "^" in capfd.readouterr().err and not list(Path().glob("o.*"))


@pytest.mark.skipif(shutil.which("clang-19") is None, reason="there is no clang 19")
def test_text_for_an_older_llvm():
    Path("slope.c").write_text(ENZYME_C)
    Path("s.c").write_text(
        "#include <math.h>\nvoid f(const double *x, double *y, int n)"
        " { for (int i = 0; i < n; i++) y[i] = tanh(x[i]) * fabs(x[0]) / (1u + (unsigned)i); }"
    )
    for words in (["opt", "slope.c"], ["diff", "s.c"], ["diff", "s.c", "--mode", "forward"]):
        for version in ("17", "19"):
            assert run(*words, f"--emit-llvm={version}", "-o", "old.ll") == 0
            subprocess.run(["clang-19", "-c", "old.ll", "-o", "old.o"], check=True, capture_output=True)


# -- What happens on the way


def test_timing_and_statistics(capfd):
    assert run("diff", "f.mlir", "--timing", "--statistics", "--grad", "-o", "d.mlir") == 0
    said = capfd.readouterr().err
    assert "differentiating" in said and "in all" in said and "stablehlo.cosine" in said
    assert run("diff", "k.c", "-DN=2", "--fn", "g", "--timing=json", "--statistics=json", "-o", "g.ll") == 0
    told = json.loads(capfd.readouterr().err)
    assert told["timing"]["differentiating"] > 0 and "front end" in told["timing"]["phases"]
    assert told["statistics"]["after"]["functions"] > told["statistics"]["before"]["functions"]


def test_rules_that_fire_while_lowering_are_explained(capfd):
    Path("e.mlir").write_text(
        PROGRAM.replace("%p = stablehlo.multiply %s, %x", NEGATED)
        + """\
func.func @df(%x: tensor<2xf32>) -> tensor<2xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = "enzyme.autodiff"(%x, %one) <{fn = @f, activity = [#enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>]}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    )
    assert run("opt", "e.mlir", "--statistics=json", "-o", "plain.mlir") == 0
    rules = json.loads(capfd.readouterr().err)["statistics"]["rules"]
    assert rules and all(row["times"] >= 1 for row in rules.values())
    before = Path("plain.mlir").read_text()
    assert run("opt", "e.mlir", "--explain", "-o", "plain.mlir") == 0
    said = capfd.readouterr().err
    assert "algebra/neg_neg" in rules and "algebra/neg_neg" in said and "times" in said and "after: " in said
    assert Path("plain.mlir").read_text() == before, "to explain changes nothing"


def test_a_function_is_shown_after_a_rule(capfd):
    Path("n.mlir").write_text(
        "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  %y = stablehlo.negate %x : tensor<f32>\n"
        "  %z = stablehlo.negate %y : tensor<f32>\n  return %z : tensor<f32>\n}"
    )
    assert run("opt", "n.mlir", "--passes=all", "--print-after=neg_neg") == 0
    said = capfd.readouterr().err
    assert said.count("// after ") == 1 and "algebra/neg_neg" in said and "func.func @f" in said
    assert run("opt", "n.mlir", "--print-after=neg_ngg") == 2
    assert "did you mean neg_neg?" in capfd.readouterr().err


# -- What does not apply


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["opt", "k.c", "--passes=all"], "--passes"),
        (["opt", "k.c", "--fast-math"], "--fast-math"),
        (["opt", "k.c", "--explain"], "--explain"),
        (["opt", "k.c", "--split-input-file"], "--split-input-file"),
        (["opt", "k.c", "--version", "1.0.0"], "--version"),
        (["opt", "k.c", "--print-analysis=loops", "--emit=text"], "--emit"),
        (["diff", "k.c", "--report"], "--report"),
        (["diff", "k.c", "--numerics", "exact"], "--numerics"),
        (["opt", "f.mlir", "--verify"], "--verify"),
        (["opt", "f.mlir", "-DN=3"], "-D"),
        (["opt", "f.mlir", "--flag", "-O3"], "--flag"),
        (["opt", "f.mlir", "--emit-llvm=19"], "--emit-llvm"),
        (["opt", "f.mlir", "--fn", "f"], "--fn"),
        (["diff", "f.mlir", "--mode=forward", "--checkpoints=8"], "--checkpoints"),
        (["diff", "f.mlir", "--hessian", "--mode=forward"], "--mode"),
        (["run", "k.c", "--backend", "iree"], "--backend"),
        (["cache", "--older", "3"], "--older"),
        (["show", "-e", "(fn [x] x)", "--fn", "f"], "--fn"),
        (["train", "f.shf", "--resume"], "--resume"),
    ],
)
def test_options_that_do_not_apply_are_refused(words: list[str], option: str, capfd):
    assert run(*words) == 2
    lines = capfd.readouterr().err.splitlines()
    assert option in lines[0]
    shown, carets = lines[1:3]
    assert shown[carets.index("^") :].startswith(option) and set(carets) <= set(" ^~")


# -- Places and codes


def caret_at(said: str) -> str:
    """What of the source stands above the first caret."""
    lines = said.splitlines()
    below = next(i for i, line in enumerate(lines) if "^" in line)
    return lines[below - 1][lines[below].index("^") :]


def test_carets_under_the_place(capfd):
    Path("bad.mlir").write_text(PROGRAM.replace("%s, %x", "%q, %x"))
    assert run("diff", "bad.mlir") == 3
    assert caret_at(capfd.readouterr().err).startswith("%q, %x")
    Path("infeed.mlir").write_text(
        "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n"
        "  %y = stablehlo.custom_call @unknown(%x) : (tensor<f32>) -> tensor<f32>\n  return %y : tensor<f32>\n}"
    )
    assert run("diff", "infeed.mlir") == 1
    assert caret_at(capfd.readouterr().err).startswith("stablehlo.custom_call @unknown")
    Path("u.c").write_text("double unknown(double);\ndouble f(double x) {\n  return 2 * unknown(x);\n}\n")
    assert run("diff", "u.c") == 1
    assert caret_at(capfd.readouterr().err).startswith("unknown(x)")


@pytest.mark.parametrize(
    ("words", "word", "near"),
    [
        (["dif", "f.mlir"], "dif", "diff"),
        (["diff", "f.mlir", "--wtr", "0"], "--wtr", "--wrt"),
        (["diff", "f.mlir", "--checkpoint=3"], "", ""),
        (["diff", "f.mlir", "--mode=revers"], "revers", "reverse"),
        (["diff", "f.mlir", "--fn", "ff"], "", "f"),
        (["opt", "f.mlir", "--numeric=exakt"], "exakt", "exact"),
        (["run", "f.mlir", "--inputs", "3"], "--inputs", "--input"),
    ],
)
def test_the_nearest_spelling(words: list[str], word: str, near: str, capfd):
    code = run(*words)
    said = capfd.readouterr().err
    if near:
        assert code == 2 and f"did you mean {near}?" in said
    if word:
        assert caret_at(said).startswith(word)


def test_arguments_of_mlir_by_name(capfd):
    """As `gradir show` and `gradir report` take them."""
    Path("two.mlir").write_text(
        "func.func @f(%x: tensor<f32>, %rate: tensor<f32>) -> tensor<f32> {\n"
        "  %y = stablehlo.multiply %x, %rate : tensor<f32>\n  return %y : tensor<f32>\n}"
    )
    assert run("diff", "two.mlir", "--grad", "--wrt", "rate,0", "-o", "named.mlir") == 0
    assert run("diff", "two.mlir", "--grad", "--wrt", "1,0", "-o", "numbered.mlir") == 0
    assert Path("named.mlir").read_text() == Path("numbered.mlir").read_text()
    assert run("diff", "two.mlir", "--wrt", "x,rat") == 2
    said = capfd.readouterr().err
    assert "there is no argument 'rat'" in said and "there are x, rate" in said
    assert caret_at(said) == "x,rat"


def test_what_is_shown_may_come_as_for_other_commands(monkeypatch: pytest.MonkeyPatch, capfd):
    """Standard input, a language that is told, macros, several files."""
    for words in (["-"], ["-", "-x", "c"]):
        assert from_stdin(monkeypatch, C.encode(), "show", *words, "-DN=3", "--fn", "f", "--as", "formula") == 0
        assert capfd.readouterr().out == "3 * x^2\n"
    assert from_stdin(monkeypatch, PROGRAM.encode(), "show", "-", "--grad", "0", "--as", "formula") == 0
    assert capfd.readouterr().out == "x * cos(x) + sin(x)\n"
    Path("h.c").write_text("double g(double);\ndouble h(double x) { return g(x) + x; }\n")
    assert run("show", "k.c", "h.c", "-D", "N=1", "--fn", "h", "--grad", "x", "--as", "formula") == 0
    assert capfd.readouterr().out == "3 * x^2 + 1\n"
    assert run("show", "f.mlir", "-DN=3") == 2
    assert "-D is for sources that are compiled here" in capfd.readouterr().err
    assert run("show", "-e", "(fn [x] x)", "-x", "c") == 2
    assert "-x is for a file" in capfd.readouterr().err
    assert run("show", "k.c", "--shape", "x=3") == 2
    assert "--shape is for .py and .shf files" in capfd.readouterr().err


def test_a_page_on_standard_output(capfd):
    assert run("report", "k.c", "-DN=3", "--fn", "f", "-o", "-") == 0
    said = capfd.readouterr()
    assert said.out.startswith("<!doctype html>") and said.out.rstrip().endswith("</html>")
    assert said.err.startswith("vjp_f: ") and not Path("-").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("words", ["diff f.mlir", "man", "report k.c -DN=3 --fn f -o -"])
def test_a_disk_that_is_full_is_no_bug_of_ours(words: str):
    command = f"{sys.executable} -m gradir {words} >/dev/full"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1] == "gradir: error: <stdout>: can't write it: No space left on device"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--name", "g"], "there is a function g already"),
        (["--name", "f"], "there is a function f already"),
        (["--name", "a b"], "'a b' is no name of a C function"),
        (["--cpu", "abacus"], "there is no CPU 'abacus'"),
        (["--triple", "abacus"], "no such target"),
    ],
)
def test_what_the_command_asks_for_in_vain(words: list[str], message: str, capfd):
    assert run("diff", "k.c", "-DN=3", "--fn", "f", "-o", "o.ll", *words) == 2
    assert message in capfd.readouterr().err
    assert not Path("o.ll").exists()


def test_where_python_goes_wrong(capfd):
    Path("model.py").write_text(
        "import jax.numpy as jnp\n\n\ndef helper(w):\n    return jnp.nothing(w)\n\n\n"
        "def loss(w):\n    return helper(w)\n"
    )
    assert run("show", "model.py", "--fn", "loss", "--grad", "w") == 3
    said = capfd.readouterr().err
    assert "model.py:5: loss can't be traced: AttributeError" in said and "way out" not in said
    assert caret_at(said) == "return jnp.nothing(w)"
    Path("model.py").write_text("def f(x):\n    return (x +\n")
    assert run("show", "model.py") == 3
    said = capfd.readouterr().err
    assert "model.py:2:12: can't run it: SyntaxError: '(' was never closed" in said
    assert caret_at(said) == "(x +"


def test_a_source_without_functions_is_named(capfd):
    Path("none.c").write_text("static double f(double x) { return x; }\n")
    assert run("diff", "none.c") == 3
    assert "none.c: the program defines no function that can be called from outside" in capfd.readouterr().err


def test_readers_who_leave_early():
    for words in ("opt --list-rules", "--help", "man", "diff f.mlir --explain"):
        command = f"{sys.executable} -m gradir {words} 2>&1 | head -n 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stderr == ""


# -- Shells and readers


def test_every_help_has_examples(capfd):
    for name in completion.commands_of(cli._parser()):
        assert run(name, "--help") == 0
        assert f"examples:\n  gradir {name}" in capfd.readouterr().out or name in ("completion", "opt")


def test_examples_are_commands():
    """Each example's options are known to its command."""
    commands = completion.commands_of(cli._parser())
    for name, (parser, _) in commands.items():
        for line in parser.examples.strip().splitlines():
            command = line.split("  ")[0].partition("|")[0] if line.startswith("gradir") else ""
            for word in command.split()[2:]:
                option = word.partition("=")[0]
                assert not option.startswith("--") or option in parser.options(), f"{name}: {line}"


def completed(*words: str) -> list[str]:
    """What bash offers for the last of some words."""
    script = completion.bash(completion.commands_of(cli._parser()))
    quoted = " ".join(f"'{w}'" for w in ("gradir", *words))
    ask = f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words)}; _gradir; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    return subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True).stdout.split()


def test_bash_completes():
    assert completed("di") == ["diff"]
    assert completed("diff", "--chec") == ["--checkpoints"]
    assert completed("diff", "--mode", "") == ["reverse", "forward"]
    assert completed("diff", "f.m") == ["f.mlir"]
    assert completed("completion", "f") == ["fish"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_scripts_for_other_shells(shell: str, capfd):
    assert run("completion", shell) == 0
    script = capfd.readouterr().out
    assert "diff" in script and "checkpoints" in script and "list-rules" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_the_manual(capfd):
    assert run("man") == 0
    page = capfd.readouterr().out
    assert page.startswith(".TH GRADIR 1") and ".SS gradir diff" in page and "\\-\\-checkpoints" in page
    if shutil.which("groff"):
        command = ["groff", "-man", "-Tascii", "-P-cbou", "-ww"]
        done = subprocess.run(command, input=page, capture_output=True, text=True, check=True)
        assert "EXIT STATUS" in done.stdout and done.stderr == ""


def test_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd):
    monkeypatch.setenv("GRADIR_CACHE", str(tmp_path / "kept"))
    assert run("cache") == 0 and "0 files" in capfd.readouterr().out
    gradir.load("k.c", flags=["-DN=1"]).g(2.0)
    Path("kept/mine.txt").write_text("not gradir's")
    assert run("cache") == 0 and "1 files" in capfd.readouterr().out
    assert run("cache", "--clear", "--older", "1") == 0 and "0 files deleted" in capfd.readouterr().out
    assert run("cache", "--clear") == 0 and "1 files deleted" in capfd.readouterr().out
    assert os.listdir("kept") == ["mine.txt"]
    monkeypatch.setenv("GRADIR_CACHE", "off")
    assert run("cache") == 0 and "nothing is kept" in capfd.readouterr().out
