"""MLIR's own dialects with `enzyme` ops: what is asked for, what is refused, and how files come in and go out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradir
from gradir.cli import main

pytest.importorskip("torch_mlir")

SET = """
func.func @set(%arr: memref<?xf32>, %val: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %j = arith.muli %i, %c2 : index
    memref.store %val, %arr[%j] : memref<?xf32>
  }
  %r = arith.mulf %val, %val : f32
  return %r : f32
}
"""
CONSTANT = """
func.func @dset(%X: memref<?xf32>, %v: f32, %dout: f32) -> (f32, f32) {
  %r:2 = enzyme.autodiff @set(%X, %v, %dout) {
    activity = [#enzyme<activity enzyme_const>, #enzyme<activity enzyme_active>],
    ret_activity = [#enzyme<activity enzyme_active>]
  } : (memref<?xf32>, f32, f32) -> (f32, f32)
  return %r#0, %r#1 : f32, f32
}
"""
DUPLICATED = """
func.func @dset(%X: memref<?xf32>, %dX: memref<?xf32>, %v: f32, %dout: f32) -> (f32, f32) {
  %r:2 = enzyme.autodiff @set(%X, %dX, %v, %dout) <{
    activity = [#enzyme.activity<enzyme_dup>, #enzyme.activity<enzyme_active>],
    ret_activity = [#enzyme.activity<enzyme_active>]
  }> : (memref<?xf32>, memref<?xf32>, f32, f32) -> (f32, f32)
  return %r#0, %r#1 : f32, f32
}
"""


def test_set_with_constant_memory() -> None:
    m = gradir.load(SET + CONSTANT)
    memory = np.zeros(20, np.float32)
    assert m.dset(memory, 3.0, 2.0) == (9.0, 12.0)
    np.testing.assert_array_equal(memory, np.where(np.arange(20) % 2 == 0, 3, 0))


def test_set_with_duplicated_memory() -> None:
    m = gradir.load(SET + DUPLICATED)
    memory, shadow = np.zeros(20, np.float32), np.arange(20, dtype=np.float32)
    assert m.dset(memory, shadow, 3.0, 2.0) == (9.0, 12.0 + sum(range(0, 20, 2)))
    np.testing.assert_array_equal(memory, np.where(np.arange(20) % 2 == 0, 3, 0))
    np.testing.assert_array_equal(shadow, np.where(np.arange(20) % 2 == 0, 0, np.arange(20)))


def test_constant_memory_has_no_loop_over_a_shadow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The derivative stores what the function does (by a loop, or by ten stores), and reads nothing."""
    source = tmp_path / "set.mlir"
    source.write_text(SET + CONSTANT)
    assert main(["opt", str(source)]) == 0
    said = capsys.readouterr()
    assert "machine level (arith, memref, scf)" in said.err
    body = said.out.partition("@dset(")[2].partition("\n}")[0]
    assert "load" not in body and " br " not in body and body.count("store float") == 10


def test_derivatives_from_python_on_arrays() -> None:
    m = gradir.load(SET)
    memory = np.zeros(20, np.float32)
    assert m.grad("set", wrt=1)(memory, 3.0) == 6.0
    value, gradient = m.vjp("set", wrt=1, outputs=0)(memory, 3.0, 2.0, np.ones(20, np.float32))
    assert value == 9.0 and gradient == 12.0 + 10.0


def test_several_results_have_no_derivative_from_python() -> None:
    m = gradir.load(SET + CONSTANT)
    with pytest.raises(gradir.RequestError, match="dset gives several results"):
        m.jvp("dset", wrt=1)


def test_results_keep_their_signs() -> None:
    m = gradir.load(
        "func.func @f(%m: memref<1xi8>) -> (index, i8, f64) {\n  %c0 = arith.constant 0 : index\n"
        "  %i = arith.constant -3 : index\n  %b = memref.load %m[%c0] : memref<1xi8>\n"
        "  %x = arith.constant 0.5 : f64\n  return %i, %b, %x : index, i8, f64\n}"
    )
    assert m.f(np.array([-7], np.int8)) == (-3, -7, 0.5)


def test_an_op_outside_of_functions_is_refused() -> None:
    with pytest.raises(gradir.RequestError, match="stands outside of the module's functions") as raised:
        gradir.load(
            "func.func private @f(%x: f64) -> f64 {\n  return %x : f64\n}\nllvm.func @g(%x: f64) -> f64 {\n"
            f"  %r = enzyme.autodiff @f(%x, %x) {{activity = [{ACTIVITIES['active']}],"
            f" ret_activity = [{ACTIVITIES['const']}]}} : (f64, f64) -> f64\n  llvm.return %r : f64\n}}"
        )
    assert raised.value.location == "<text>:5:8"


def test_bytecode() -> None:
    from torch_mlir import ir

    class Sink(list[bytes]):
        def write(self, data: bytes) -> None:
            self.append(bytes(data))

    sink = Sink()
    with ir.Context():
        ir.Module.parse(SET).operation.write_bytecode(sink)
    assert gradir.load(b"".join(sink)).set(np.zeros(20, np.float32), 3.0) == 9.0


def test_constants_of_every_float() -> None:
    """LLVM writes those that are no short decimals, or not finite, in words that older ones don't read."""
    m = gradir.load(
        """
memref.global "private" constant @table : memref<3xf32> = dense<[0.1, 0xFF800000, 1.0e-44]>
func.func @f(%x: f32) -> (f32, f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = arith.constant 0.1 : f32
  %p = arith.mulf %x, %a : f32
  %low = arith.constant 0xFF800000 : f32
  %q = arith.maximumf %p, %low : f32
  %v = arith.constant dense<[0x7F800000, 0.3]> : vector<2xf32>
  %w = vector.broadcast %x : f32 to vector<2xf32>
  %m = arith.minimumf %v, %w : vector<2xf32>
  %b = arith.constant 0.1 : bf16
  %be = arith.extf %b : bf16 to f32
  %h = arith.constant -0.1 : f16
  %he = arith.extf %h : f16 to f32
  %t = memref.get_global @table : memref<3xf32>
  %t0 = memref.load %t[%c0] : memref<3xf32>
  %t2 = memref.load %t[%c2] : memref<3xf32>
  %sum = vector.reduction <add>, %m : vector<2xf32> into f32
  %s = arith.addf %sum, %be : f32
  %nan = arith.constant 0x7FC00000 : f32
  %u = arith.addf %t2, %nan : f32
  return %q, %s, %he, %t0, %u : f32, f32, f32, f32, f32
}
func.func @slope(%x: f32) -> f32 {
  %r:5 = func.call @f(%x) : (f32) -> (f32, f32, f32, f32, f32)
  %y = arith.addf %r#0, %r#1 : f32
  return %y : f32
}
"""
    )
    tenth = np.float32(0.1)
    *found, nan = m.f(2.0)
    assert found == [2 * tenth, np.float32(2.3) + np.float32(0.10009765625), np.float32(np.float16(-0.1)), tenth]
    assert np.isnan(nan)
    assert m.grad("slope")(2.0) == np.float32(1) + tenth


def test_ops_that_other_passes_write_in_simpler_ones() -> None:
    """And a module that is all of another."""
    m = gradir.load(
        """
module {
module @inner attributes {my.mark} {
func.func @f(%x: f64, %n: i64, %m: memref<8xf64>) -> f64 {
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %low = arith.constant 0.5 : f64
  %high = arith.constant 2.5 : f64
  %a = memref.alloc(%c4) : memref<?xf64>
  memref.store %x, %a[%c1] : memref<?xf64>
  %b = memref.realloc %a : memref<?xf64> to memref<16xf64>
  %v = memref.load %b[%c1] : memref<16xf64>
  memref.dealloc %b : memref<16xf64>
  %k = math.ipowi %n, %n : i64
  %kf = arith.sitofp %k : i64 to f64
  %p = math.fpowi %v, %n : f64, i64
  %c = math.clampf %p to [%low, %high] : f64
  %mask = vector.create_mask %c4 : vector<8xi1>
  %w = vector.mask %mask { vector.transfer_read %m[%c1], %low : memref<8xf64>, vector<8xf64> }
      : vector<8xi1> -> vector<8xf64>
  %s = vector.reduction <add>, %w : vector<8xf64> into f64
  %q = arith.mulf %c, %kf : f64
  %r = arith.mulf %q, %s : f64
  return %r : f64
}
func.func @df(%x: f64, %n: i64, %m: memref<8xf64>) -> f64 {
  %one = arith.constant 1.0 : f64
  %r = enzyme.autodiff @f(%x, %n, %m, %one) {
    activity = [#enzyme<activity enzyme_active>, #enzyme<activity enzyme_const>, #enzyme<activity enzyme_const>],
    ret_activity = [#enzyme<activity enzyme_activenoneed>]
  } : (f64, i64, memref<8xf64>, f64) -> f64
  return %r : f64
}
}
}
"""
    )
    memory = np.arange(8.0)
    total = memory[1:5].sum() + 4 * 0.5
    assert m.f(1.5, 2, memory) == 1.5**2 * 4 * total and m.df(1.5, 2, memory) == 3.0 * 4 * total
    assert m.f(0.5, 2, memory) == 0.5 * 4 * total and m.df(0.5, 2, memory) == 0.0


def test_functions_of_inner_modules_are_not_lost() -> None:
    with pytest.raises(gradir.InputError, match="a module within another") as raised:
        gradir.load(
            "func.func @f(%x: f64) -> f64 {\n  %y = arith.mulf %x, %x : f64\n  return %y : f64\n}\n"
            "module @inner {\n  func.func @g() { return }\n}\n"
        )
    assert raised.value.location == "<text>:5:1" and "file of its own" in str(raised.value.hint)


def test_shapes_are_checked() -> None:
    m = gradir.load("func.func @f(%x: memref<2x3xf64>) -> f64 {\n %c = arith.constant 0.0 : f64\n return %c : f64\n}")
    assert m.f(np.zeros((2, 3))) == 0.0
    with pytest.raises(gradir.InputError, match=r"of shape \(2, 3\), not of shape \(3, 2\)"):
        m.f(np.zeros((3, 2)))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("(%x: f64) -> f64 {\n  %y = arith.mulf %x, %z : f64\n  return %y : f64\n}", "2:23", "undeclared SSA"),
        ("(%x: f64, %m: memref<f64>) {\n  memref.store %x, %m[%x] : memref<f64>\n  return\n}", "2:23", "different"),
        ("(%x: f64) -> f64 {\n  %y = arith.frobnicate %x : f64\n  return %y : f64\n}", "2:8", "frobnicate"),
        ("(%x: f64) -> f32 {\n  %0 = arith.addf %x, %x : f64\n  return %x : f64\n}", "3:3", "type of return"),
        ("(%x: f64) -> f64 {\n  %y = scf.if %x -> f64 {\n", "2:15", "expects different type"),
    ],
)
def test_bad_modules_get_the_diagnostics_of_mlir(text: str, place: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "bad.mlir"
    source.write_text(f"func.func @f{text}")
    with pytest.raises(gradir.InputError) as raised:
        gradir.load(source)
    assert str(raised.value.location).startswith(f"{source}:{place}") and message in raised.value.message


def test_command_line_shows_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "bad.mlir"
    source.write_text("func.func @f(%x: f64) -> f64 {\n  %y = arith.mulf %x, %z : f64\n  return %y : f64\n}")
    assert main(["opt", str(source)]) != 0
    said = capsys.readouterr().err
    assert "bad.mlir:2:23: use of undeclared SSA value name" in said and "%y = arith.mulf %x, %z" in said


@pytest.mark.parametrize("suffix", [".ll", ".bc", ".o", ".s"])
def test_output_by_suffix(suffix: str, tmp_path: Path) -> None:
    source, output = tmp_path / "set.mlir", tmp_path / f"set{suffix}"
    source.write_text(SET + CONSTANT)
    assert main(["opt", str(source), "-o", str(output)]) == 0
    assert b"dset" in output.read_bytes()


ACTIVITIES: dict[str, Any] = {
    "dup": "#enzyme<activity enzyme_dup>",
    "const": "#enzyme<activity enzyme_const>",
    "active": "#enzyme<activity enzyme_active>",
}


def asked(operands: str, types: str, results: str, activity: str, ret: str, rest: str = "") -> str:
    given = ", ".join(ACTIVITIES[a] for a in activity.split())
    gives = ", ".join(ACTIVITIES[a] for a in ret.split())
    return (
        f"enzyme.autodiff @set({operands}) {{activity = [{given}], ret_activity = [{gives}]{rest}}}"
        f" : ({types}) -> {results}"
    )


@pytest.mark.parametrize(
    ("op", "message"),
    [
        (asked("%X, %v", "memref<?xf32>, f32", "(f32, f32)", "const active", "active"), "takes 3 operands"),
        (asked("%X, %v, %v", "memref<?xf32>, f32, f32", "(f32, f32)", "const const", "active"), "gives 1 result"),
        (asked("%X, %v, %v", "memref<?xf32>, f32, f32", "(f32, f32)", "active active", "active"), "lies in its shadow"),
        (asked("%X, %v, %v", "memref<?xf32>, f32, f32", "(f32, f32)", "const", "active"), "activity has 1 entries"),
        (asked("%X, %v, %v, %v", "memref<?xf32>, f32, f32, f32", "(f32, f32)", "dup active", "active"), "operand 1 is"),
        (
            asked("%X, %v, %v", "memref<?xf32>, f32, f32", "(f32, f32)", "const active", "active", ", width = 2 : i64"),
            "has type tensor<2xf32>",
        ),
    ],
)
def test_requests_that_do_not_fit(op: str, message: str) -> None:
    with pytest.raises(gradir.RequestError, match=message) as raised:
        gradir.load(f"{SET}func.func @g(%X: memref<?xf32>, %v: f32) {{\n  %r:2 = {op}\n  return\n}}\n")
    assert raised.value.location == "<text>:15:10"


def test_ops_that_no_pass_lowers() -> None:
    text = "func.func @f(%x: memref<2xf64>) {\n  gpu.barrier\n  return\n}\n"
    with pytest.raises(gradir.NoRule, match=r"gpu\.barrier") as raised:
        gradir.load(text)
    assert raised.value.location == "<text>:2:3" and raised.value.hint
    with pytest.raises(gradir.InputError, match=r"no lowering of test\.op"):
        gradir.load('func.func @f(%x: memref<2xf64>) {\n  "test.op"() : () -> ()\n  return\n}\n')


def test_without_torch_mlir() -> None:
    """StableHLO needs no torch-mlir; memrefs are refused with a way out."""
    code = (
        "import sys; sys.modules['torch_mlir'] = None\n"
        "import gradir\n"
        "gradir.load('func.func @f(%x: tensor<f32>) -> tensor<f32> {\\n return %x : tensor<f32>\\n}')\n"
        "try: gradir.load('func.func @f(%x: memref<f32>) {\\n return\\n}')\n"
        "except gradir.MissingExtra as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "pip install 'gradir[mlir]'" in done.stdout, done.stderr
