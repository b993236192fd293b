"""Programs in and out: every form that is read, every form that is written, and what is said when that fails."""

import os
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jaxlib.mlir import ir

import gradir
from gradir.errors import GradirError, InputError, OutputError
from gradir.module import write_file
from gradir.tensor.ir import module as mlir
from gradir.tensor.ir.context import Context, context
from gradir.tensor.ir.entry import inline_calls
from gradir.tensor.ir.signature import _DTYPES, element_dtype

TEXT = """\
func.func private @twice(%x: tensor<3xf32>) -> tensor<3xf32> {
  %y = stablehlo.add %x, %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func @f(%x: tensor<3xf32>, %n: tensor<i32>) -> (tensor<3xf32>, tensor<i32>) {
  %y = call @twice(%x) : (tensor<3xf32>) -> tensor<3xf32>
  %z = chlo.sinh %y : tensor<3xf32> -> tensor<3xf32>
  return %z, %n : tensor<3xf32>, tensor<i32>
}
"""
X = np.array([0.5, -1.0, 2.0], np.float32)


def value(module: gradir.Module, fn: str | None = None) -> np.ndarray:
    result = module.run(fn, X, 3)
    assert result[1] == 3
    return result[0]


# -- Reading


def test_text_bytecode_and_artifact_mean_the_same(tmp_path: Path):
    m = gradir.load(TEXT)
    np.testing.assert_allclose(value(m), np.sinh(2 * X), rtol=1e-6)
    for name in ("f.mlir", "f.mlirbc", "f.mlirpa", "f.stablehlo"):
        m.save(tmp_path / name)
        for source in (tmp_path / name, str(tmp_path / name), (tmp_path / name).read_bytes()):
            np.testing.assert_allclose(value(gradir.load(source)), np.sinh(2 * X), rtol=1e-6)


def test_generic_form_is_read():
    m = gradir.load(TEXT)
    generic = mlir.to_text(m.ir, generic=True)
    assert '"stablehlo.add"' in generic
    assert str(gradir.load(generic)) == str(m)


def test_text_is_a_fixed_point():
    assert str(gradir.load(str(gradir.load(TEXT)))) == str(gradir.load(TEXT))


def test_jax_lowered_keeps_names_and_lines():
    def f(speed, angle):
        return jnp.sin(angle) * speed

    m = gradir.load(jax.jit(f).lower(1.0, 2.0))
    assert str(m.function()) == "main(speed: tensor<f32>, angle: tensor<f32>) -> tensor<f32>"
    module = m.ir
    places = [mlir.location_text(op.location) for op in mlir.operations(module) if op.name == "stablehlo.sine"]
    assert places and places[0] is not None and Path(__file__).name in places[0]
    np.testing.assert_allclose(m.run(2.0, 0.5), 2 * np.sin(0.5), rtol=1e-6)


def test_jax_exported():
    exported = jax.export.export(jax.jit(lambda x: jnp.cos(x)))(1.0)
    np.testing.assert_allclose(gradir.load(exported).run(0.5), np.cos(0.5), rtol=1e-6)


def test_mlir_module_is_copied():
    module = mlir.parse(TEXT)
    m = gradir.load(module)
    mlir.functions(module)["f"].operation.erase()
    assert "f" in m.functions
    copy = m.ir
    mlir.functions(copy)["f"].operation.erase()
    assert "f" in m.functions and "f" not in mlir.functions(copy)


def test_module_of_another_context_is_moved():
    lowered = jax.jit(lambda x: x + 1).lower(1.0).compiler_ir("stablehlo")
    assert not isinstance(lowered.context, Context)
    assert isinstance(gradir.load(lowered).ir.context, Context)


def test_clone_keeps_module_attributes():
    text = "module @name attributes {mhlo.num_partitions = 2 : i32, x.y} { func.func @f() { return } }"
    copy = mlir.clone(mlir.parse(text))
    assert "module @name attributes {mhlo.num_partitions = 2 : i32, x.y}" in mlir.to_text(copy)


BAD = {
    "undefined value": ("func.func @f() -> tensor<f32> {\n  return %y : tensor<f32>\n}", "f.mlir:2:10"),
    "cut short": (TEXT[:-20], "f.mlir"),
    "wrong type": (TEXT.replace("%y : tensor<3xf32>\n}", "%y : tensor<2xf32>\n}"), "f.mlir:3:10"),
    "rejected by the verifier": (
        "func.func @f(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
        "  %y = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
        "  return %y : tensor<2x3xf32>\n}",
        "f.mlir:2:8",
    ),
    "unknown op": ("func.func @f() {\n  nonsense.op\n}", "f.mlir:2:3"),
    "a call of nothing": ("func.func @f() {\n  call @g() : () -> ()\n  return\n}", "f.mlir:2:3"),
    "not MLIR": ("once upon a time", "f.mlir:1:1"),
    "no function": ("module {\n}\n", "f.mlir"),
    "empty": ("", "f.mlir"),
    "a zero byte": ("func.func @f() {\n\0}", "f.mlir:2"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_programs_are_refused_with_their_place(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd):
    text, place = BAD[case]
    monkeypatch.chdir(tmp_path)
    Path("f.mlir").write_text(text)
    with pytest.raises(InputError) as error:
        gradir.load("f.mlir")
    assert error.value.location is not None and error.value.location.startswith(place)
    assert capfd.readouterr().err == ""  # MLIR printed nothing of its own


def test_unreadable_sources(tmp_path: Path):
    with pytest.raises(InputError, match="No such file"):
        gradir.load(tmp_path / "none.mlir")
    with pytest.raises(InputError, match="No such file"):
        gradir.load("none.mlir")
    with pytest.raises(InputError, match="directory"):
        gradir.load(tmp_path)
    with pytest.raises(InputError, match="can't load a int"):
        gradir.load(3)
    with pytest.raises(InputError, match="not UTF-8"):
        gradir.load(b"\xff\xfe")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["bytecode", "portable"]), st.floats(0, 1, exclude_max=True))
def test_a_file_cut_short(form: str, part: float):
    content = gradir.load(TEXT).to_bytes(form)
    with pytest.raises(InputError) as error:
        gradir.load(content[: int(part * len(content))])
    assert (error.value.location or "<bytes>").startswith("<bytes>")


# -- Locations


def test_location_text():
    with context():
        place, other = ir.Location.file("f.py", 3, 9), ir.Location.file("g.py", 1, 1)
        assert mlir.location_text(place) == "f.py:3:9"
        assert mlir.location_text(ir.Location.name("sin", place)) == "f.py:3:9"
        assert mlir.location_text(ir.Location.callsite(place, [other])) == "f.py:3:9"
        assert mlir.location_text(ir.Location.fused([ir.Location.unknown(), other])) == "g.py:1:1"
        assert mlir.location_text(ir.Location.name("outer", ir.Location.name("inner"))) == "inner"
        assert mlir.location_text(ir.Location.unknown()) is None


def test_locations_travel_through_text_and_bytecode():
    module = mlir.parse(TEXT, "f.mlir")
    for again in (mlir.parse(mlir.to_text(module, locations=True)), mlir.parse(mlir.to_bytecode(module))):
        places = [mlir.location_text(op.location) for op in mlir.operations(again) if op.name == "chlo.sinh"]
        assert places == ["f.mlir:7:8"]
        argument = mlir.functions(again)["f"].entry_block.arguments[0]
        assert mlir.location_text(argument.location) == "f.mlir:5:14"


# -- Writing


def test_version_of_an_artifact(tmp_path: Path):
    m = gradir.load(TEXT)
    m.save(tmp_path / "f.mlirpa", version="1.0.0")
    content = (tmp_path / "f.mlirpa").read_bytes()
    assert b"StableHLO_v1.0.0" in content
    np.testing.assert_allclose(value(gradir.load(content)), np.sinh(2 * X), rtol=1e-6)


@pytest.mark.parametrize("version", ["0.1.0", "999.0.0", "1", "new"])
def test_impossible_versions(version: str, capfd):
    with pytest.raises(OutputError, match="no portable artifact"):
        gradir.load(TEXT).to_bytes("portable", version)
    assert capfd.readouterr().err == ""


def test_artifact_of_foreign_ops_is_refused():
    m = gradir.load('func.func @f() {\n  "other.op"() : () -> ()\n  return\n}')
    with pytest.raises(OutputError, match=r"other\.op is not part of StableHLO"):
        m.to_bytes("portable")


def test_sharded_artifact():
    text = """
      sdy.mesh @mesh = <["x"=4]>
      func.func @f(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
        return %x : tensor<8xf32>
      }"""
    again = gradir.load(gradir.load(text).to_bytes("portable"))
    assert "sdy.mesh @mesh" in str(again) and "sdy.sharding" in str(again)


def test_unknown_formats(tmp_path: Path):
    with pytest.raises(OutputError, match=r"suffix '\.txt'"):
        gradir.load(TEXT).save(tmp_path / "f.txt")
    with pytest.raises(OutputError, match="no format 'yaml'"):
        gradir.load(TEXT).to_bytes("yaml")
    with pytest.raises(OutputError, match="text has no version"):
        gradir.load(TEXT).save(tmp_path / "f.mlir", version="1.0.0")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "f.mlir"
    path.write_text("precious")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OutputError, match="No space left"):
        gradir.load(TEXT).save(path)
    assert path.read_text() == "precious"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(OutputError, match="No such file"):
        gradir.load(TEXT).save(tmp_path / "none" / "f.mlir")


def test_writing_keeps_links_and_modes(tmp_path: Path):
    real, link = tmp_path / "real.mlir", tmp_path / "link.mlir"
    real.write_text("old")
    real.chmod(0o640)
    link.symlink_to(real)
    write_file(link, b"new")
    assert link.is_symlink() and real.read_bytes() == b"new" and real.stat().st_mode & 0o777 == 0o640


# -- Passes and inspection


def test_passes():
    module = mlir.parse(TEXT)
    mlir.run_passes(module, "func.func(chlo-legalize-to-stablehlo),cse")
    assert "chlo" not in mlir.to_text(module)
    mlir.verify(module)
    with pytest.raises(GradirError, match="not a pass pipeline"):
        mlir.run_passes(module, "no-such-pass")


def test_verify_finds_an_invalid_module():
    module = mlir.parse(TEXT, "f.mlir")
    mlir.functions(module)["twice"].attributes["sym_name"] = ir.StringAttr.get("f", module.context)
    with pytest.raises(GradirError, match="redefinition"):
        mlir.verify(module)


def test_inline_calls():
    module = mlir.parse(TEXT)
    inline_calls(module)
    mlir.verify(module)
    assert "call @" not in mlir.to_text(module)
    np.testing.assert_allclose(value(gradir.load(module), "f"), np.sinh(2 * X), rtol=1e-6)


def test_functions_and_signatures():
    m = gradir.load(TEXT)
    assert list(m.functions) == ["f"]
    assert str(m.function("twice")) == "twice(tensor<3xf32>) -> tensor<3xf32>"
    assert str(m.function("@f")) == "f(tensor<3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<i32>)"
    assert repr(m) == "<gradir.Module: f(tensor<3xf32>, tensor<i32>) -> (tensor<3xf32>, tensor<i32>)>"
    assert m.function().arguments[0].dtype == np.float32
    with pytest.raises(InputError, match="no function @g"):
        m.function("g")
    with pytest.raises(InputError, match="did you mean twice"):
        m.function("twoce")


def test_which_function_is_meant():
    two = "func.func @{}() {{ return }}\nfunc.func @g() {{ return }}"
    assert gradir.load(two.format("main")).function().name == "main"
    with pytest.raises(InputError, match="name one of f, g"):
        gradir.load(two.format("f")).function()


@pytest.mark.parametrize("element", _DTYPES)
def test_element_types_are_mlirs_own(element: str):
    with context():
        assert str(ir.Type.parse(element)) == element
    dtype = element_dtype(element)
    assert dtype is not None and dtype.itemsize > 0
