"""The command line: each command does its work, and whatever is wrong is one message and an exit code."""

import io
import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import gradir
from gradir import cli

PROGRAM = """\
func.func @f(%x: tensor<f64>, %y: tensor<f64>) -> tensor<f64> {
  %s = stablehlo.sine %x : tensor<f64>
  %r = stablehlo.multiply %s, %y : tensor<f64>
  return %r : tensor<f64>
}
"""
ENZYME = (
    PROGRAM
    + """\
func.func @df(%x: tensor<f64>, %y: tensor<f64>, %dr: tensor<f64>) -> (tensor<f64>, tensor<f64>) {
  %0:2 = "enzyme.autodiff"(%x, %y, %dr) <{
    fn = @f,
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>]
  }> : (tensor<f64>, tensor<f64>, tensor<f64>) -> (tensor<f64>, tensor<f64>)
  return %0#0, %0#1 : tensor<f64>, tensor<f64>
}
"""
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "f.mlir"
    path.write_text(PROGRAM)
    return path


def run(*arguments: object) -> int:
    return cli.main([str(a) for a in arguments])


def fails(capfd: pytest.CaptureFixture[str], *arguments: object, code: int = 2) -> str:
    """Run a command that must fail, and give its one message."""
    assert run(*arguments) == code
    said = capfd.readouterr()
    assert said.out == "" and said.err.startswith("gradir: error: ") and "Traceback" not in said.err
    return said.err


# -- opt


def test_opt_lowers(tmp_path: Path):
    source, out = tmp_path / "e.mlir", tmp_path / "o.mlir"
    source.write_text(ENZYME)
    assert run("opt", source, "-o", out) == 0
    assert "enzyme" not in out.read_text()
    np.testing.assert_allclose(gradir.load(out).run("df", 0.5, 2.0, 1.0), [2 * np.cos(0.5), np.sin(0.5)])


@pytest.mark.parametrize(
    ("out", "options", "start"),
    [
        ("o.mlir", [], b"module"),
        ("o.mlirbc", [], b"ML\xefR"),
        ("o.mlirpa", ["--version", "1.0.0"], b"ML\xefR\rStableHLO_v1.0.0"),
        ("o.bin", ["--emit", "bytecode"], b"ML\xefR"),
        ("o.bin", ["--version", "1.0.0"], b"ML\xefR\rStableHLO_v1.0.0"),
        ("o", [], b"module"),
    ],
)
def test_formats(program: Path, out: str, options: list[str], start: bytes):
    assert run("opt", program, "-o", out, *options) == 0
    assert Path(out).read_bytes().startswith(start)
    assert gradir.load(Path(out)).run(0.5, 2.0) == pytest.approx(2 * np.sin(0.5))


def test_from_stdin_to_stdout():
    command = [sys.executable, "-m", "gradir", "opt", "-"]
    done = subprocess.run(command, input=ENZYME, capture_output=True, text=True, check=True)
    assert done.stderr == "" and "enzyme" not in done.stdout and "func.func @df" in done.stdout


# -- diff


def test_diff_reverse(program: Path):
    assert run("diff", program, "--fn", "f", "--wrt", "1,0", "-o", "d.mlir") == 0
    value, dy, dx = gradir.load("d.mlir").run("vjp_f", 0.5, 2.0, 1.0)
    assert (value, dy, dx) == pytest.approx((2 * np.sin(0.5), np.sin(0.5), 2 * np.cos(0.5)))


def test_diff_forward(program: Path):
    assert run("diff", program, "--mode", "forward", "--wrt", "0", "--name", "tangent", "-o", "d.mlirpa") == 0
    value, tangent = gradir.load("d.mlirpa").run("tangent", 0.5, 2.0, 10.0)
    assert (value, tangent) == pytest.approx((2 * np.sin(0.5), 20 * np.cos(0.5)))


def test_diff_value_and_grad(program: Path):
    assert run("diff", program, "--value-and-grad", "-o", "d.mlirbc") == 0
    assert gradir.load("d.mlirbc").run("value_and_grad_f", 0.5, 2.0) == pytest.approx(
        (2 * np.sin(0.5), 2 * np.cos(0.5))
    )


# -- run


def test_run_prints(program: Path, capfd):
    assert run("run", program, "--input", "0.5", "2") == 0
    said = capfd.readouterr()
    assert said.out.splitlines() == ["result 0: tensor<f64>", f"{2 * np.sin(0.5):.8f}"] and said.err == ""


@pytest.mark.parametrize("backend", ["xla", "reference"])
def test_run_with_files(program: Path, backend: str, capfd):
    np.save("x.npy", np.array(0.5))
    np.savez("both.npz", a=np.array(0.5), b=np.array(2.0))
    for inputs in (["x.npy", "2.0"], ["both.npz"]):
        assert run("run", program, "--backend", backend, "--output-dir", "out/here", "--input", *inputs) == 0
        assert np.load("out/here/result_0.npy") == pytest.approx(2 * np.sin(0.5))
        assert "result_0.npy" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("element", "shape", "text", "want"),
    [
        ("f32", "2x", "[1, 2.5]", [1, 2.5]),
        ("f32", "2x", "[1, 2.5]xf32", [1, 2.5]),
        ("i32", "1x2x", "[[-1, 2]]xi32", [[-1, 2]]),
        ("i1", "2x", "[true, false]", [True, False]),
        ("bf16", "", "1.5 x bf16", 1.5),
        ("complex<f32>", "", "1+2j", 1 + 2j),
        ("complex<f32>", "", "(1+2j)xcomplex<f32>", 1 + 2j),
        ("f32", "2x", "[NaN, Infinity]", [np.nan, np.inf]),
        ("f32", "", "-1.5", -1.5),
    ],
)
def test_literals(tmp_path: Path, element: str, shape: str, text: str, want: object):
    t = f"tensor<{shape}{element}>"
    path = tmp_path / "f.mlir"
    path.write_text(f"func.func @f(%x: {t}) -> {t} {{ return %x : {t} }}")
    assert run("run", path, "--output-dir", tmp_path, f"--input={text}") == 0
    saved = np.load(tmp_path / "result_0.npy")
    if element == "bf16":  # NumPy keeps it as two bytes
        saved = saved.view(ml_dtypes.bfloat16)
        assert run("run", path, "--input", tmp_path / "result_0.npy") == 0
    np.testing.assert_array_equal(saved, np.array(want))


# -- What is wrong


def test_bad_commands(program: Path, capfd, monkeypatch):
    assert "none.mlir: can't read it" in fails(capfd, "opt", "none.mlir", code=3)
    assert "there is no function @g" in fails(capfd, "diff", program, "--fn", "g")
    assert "wrt=5: @f has 2 arguments" in fails(capfd, "diff", program, "--wrt", "5")
    assert "--mode is not for --grad" in fails(capfd, "diff", program, "--grad", "--mode", "forward")
    assert "f takes 2 arguments but got 1" in fails(capfd, "run", program, "--input", "1", code=3)
    assert "f takes 2 arguments but got 3" in fails(capfd, "run", program, "--input", "1", "2", "3", code=3)
    assert "expected tensor<f64> but got float32[]" in fails(capfd, "run", program, "--input", "1xf32", "2", code=3)
    assert "--input abc: neither" in fails(capfd, "run", program, "--input", "abc", "2")
    assert "no element type 'q7'" in fails(capfd, "run", program, "--input", "1xq7", "2")
    assert "none.npy: can't read it" in fails(capfd, "run", program, "--input", "none.npy", "2", code=3)
    assert "there is no back end 'abacus'" in fails(capfd, "run", program, "--backend", "abacus", "--input", "1", "2")
    Path("bad.npy").write_text("not NumPy's")
    assert "bad.npy" in fails(capfd, "run", program, "--input", "bad.npy", "2", code=3)
    Path("bad.mlir").write_text(PROGRAM.replace("%s, %y", "%s, %z"))
    assert "bad.mlir:3:31: use of undeclared SSA value" in fails(capfd, "opt", "bad.mlir", code=3)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert "<stdin>: the program holds no function" in fails(capfd, "opt", "-", code=3)


def test_output_that_can_not_be_written(program: Path, capfd):
    assert "can't write it" in fails(capfd, "opt", program, "-o", "none/o.mlir")
    Path("o.mlirpa").write_text("precious")
    assert "no portable artifact" in fails(capfd, "opt", program, "-o", "o.mlirpa", "--version", "999.0.0")
    assert "there is no function" in fails(capfd, "diff", program, "--fn", "g", "-o", "o.mlirpa")
    assert Path("o.mlirpa").read_text() == "precious"
    Path("file").touch()
    assert "can't make the folder" in _fails_after_output(
        capfd, "run", program, "--input", "1", "2", "--output-dir", "file/x"
    )


def _fails_after_output(capfd, *arguments: object) -> str:
    assert run(*arguments) == 2
    return capfd.readouterr().err


@pytest.mark.parametrize(
    "arguments", [[], ["nonsense"], ["diff", "f.mlir", "--wrt", "a b"], ["diff", "f.mlir", "--mode", "up"]]
)
def test_usage_errors(arguments: list[str], capfd):
    with pytest.raises(SystemExit) as stop:
        run(*arguments)
    assert stop.value.code == 2
    assert "usage: gradir" in capfd.readouterr().err


def test_a_bug_is_called_one(program: Path, capfd, monkeypatch):
    monkeypatch.delenv("GRADIR_DEBUG", raising=False)
    monkeypatch.setattr(cli.opt, "write_module", lambda *_: 1 / 0)
    assert run("opt", program) == 70
    assert "a bug in gradir: ZeroDivisionError" in capfd.readouterr().err
    monkeypatch.setenv("GRADIR_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("opt", program)


def test_interrupt(program: Path, monkeypatch):
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.opt, "write_module", interrupt)
    assert run("opt", program) == 130


def test_a_reader_who_leaves_early(program: Path):
    command = f"{sys.executable} -m gradir opt {program} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stderr == ""


# -- To a person


def test_doctor(capfd):
    assert run("doctor") == 0
    out = capfd.readouterr().out
    assert f"gradir {gradir.__version__}" in out
    for word in ("jax", "llvmlite", "iree-base-compiler", "ziglang", "back end xla", "back end reference: StableHLO"):
        assert word in out
    assert "\033" not in out


def at_a_terminal(
    *arguments: str, command: Sequence[str] = (sys.executable, "-m", "gradir"), **environment: str
) -> str:
    """What a command shows at a terminal."""
    main, terminal = pty.openpty()
    command = [*command, *arguments]
    env = {**os.environ, "TERM": "xterm", **environment}
    process = subprocess.Popen(command, stdout=terminal, stderr=terminal, env=env)
    os.close(terminal)
    shown = b""
    while True:
        try:
            part = os.read(main, 4096)
        except OSError:  # the terminal has gone with the process
            break
        if not part:
            break
        shown += part
    process.wait()
    os.close(main)
    return shown.decode()


def test_colours_at_a_terminal_only(program: Path):
    assert "\033[31merror:\033[0m" in at_a_terminal("opt", "none.mlir")
    assert "\033[31m" not in at_a_terminal("opt", "none.mlir", NO_COLOR="1")


def test_progress_and_no_bytes_at_a_terminal(program: Path):
    assert "lowering ..." in at_a_terminal("opt", str(program))
    assert "name a file with -o" in at_a_terminal("opt", str(program), "--emit", "bytecode")


def test_long_work_shows_a_bar():
    work = (
        "import time; from gradir.cli.terminal import progress\n"
        "with progress('thinking') as bar:\n  time.sleep(0.8); bar.advance(1, 2); time.sleep(0.3)"
    )
    shown = at_a_terminal(command=[sys.executable, "-c", work])
    assert "thinking [" in shown and "] 50 %, 1 s" in shown and "thinking: 1.1 s" in shown


def test_version(capfd):
    with pytest.raises(SystemExit):
        run("--version")
    assert capfd.readouterr().out == f"gradir {gradir.__version__}\n"


def test_several_modules_in_one_text(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    one = "func.func @f(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }"
    source, out = tmp_path / "two.mlir", tmp_path / "out.mlir"
    source.write_text(f"{one}\n// -----\n{one}\n")
    assert run("opt", source, "--split-input-file", "-o", out) == 0
    parts = out.read_text().split("// -----")
    assert [part.count("func.func @f") for part in parts] == [1, 1]
    source.write_text(f"{one}\n// -----\n{one}\nnonsense\n")
    assert f"{source}:4:1" in fails(capfd, "opt", source, "--split-input-file", "-o", out, code=3)
    assert out.read_text().split("// -----") == parts, "the output of before is still there"


def test_diff_of_native_code(tmp_path, capfd):
    source = tmp_path / "k.c"
    source.write_text("double f(const double *x, double a) { return a * x[0] * x[0]; }")
    assert run("diff", source, "--wrt", "x,a", "--value-and-grad") == 0
    assert "define double @value_and_grad_f(" in capfd.readouterr().out
    assert run("diff", source, "--wrt", "0", "-o", tmp_path / "k.o", "--name", "df") == 0
    assert "double df(const double *x, double *d_x, double a, double d_result);" in (tmp_path / "k.h").read_text()
    assert "no argument 'y'" in fails(capfd, "diff", source, "--wrt", "y")


def test_doctor_lists_compilers(capfd):
    assert run("doctor") == 0
    assert "compiler for C and C++: " in capfd.readouterr().out


def test_print_analysis(tmp_path, capfd):
    source = tmp_path / "k.c"
    source.write_text(
        "int enzyme_const, enzyme_dup;\n"
        "void __enzyme_autodiff(void*, ...);\n"
        "double f(const double *x, double a) { double s = 0; for (int i = 0; i < 9; i++) s += a * x[i]; return s; }\n"
        "void g(double *x, double *dx, double a) { __enzyme_autodiff((void*)f, enzyme_dup, x, dx, enzyme_const, a); }\n"
    )
    assert run("opt", source, "--print-analysis=loops,types", "--fn", "f") == 0
    told = capfd.readouterr().out
    assert "goes back 8 times" in told
    assert "ptr %x -> {0 + 8k: double}" in told
    assert "@g" not in told
    assert run("opt", source, "--print-analysis", "activity", "-o", tmp_path / "told.txt") == 0
    assert "%a: constant" in (tmp_path / "told.txt").read_text()  # as the call says
    for analysis in ("dominators", "alias", "cache"):
        assert run("opt", source, f"--print-analysis={analysis}") == 0
        assert f"{analysis} of @f" in capfd.readouterr().out
    assert "no analysis 'shape'" in fails(capfd, "opt", source, "--print-analysis=shape")
    assert "no function @h" in fails(capfd, "opt", source, "--print-analysis=types", "--fn", "h")
    (tmp_path / "f.mlir").write_text(PROGRAM)
    assert "--print-analysis is for native code" in fails(capfd, "opt", tmp_path / "f.mlir", "--print-analysis=types")
    assert "--fn is for" in fails(capfd, "opt", source, "--fn", "f")
