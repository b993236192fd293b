"""Programs in all the forms that front ends give them: optimising never fails, and keeps what is not its own.

In `forms/`, a file for each. `// KEEP: text` says what must be found afterwards, too; `// RUN` that the program can be
run here: then its results are compared.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from random_programs import Value
from test_optimize_fuzz import difference, some_values

import gradir
from gradir.cli import main
from gradir.tensor.ir.module import functions, parse, verify
from gradir.tensor.optimize import CPU, optimize, total

FORMS = sorted((Path(__file__).parent / "forms").glob("*.mlir"))


def marked(text: str, mark: str) -> list[str]:
    return [line.removeprefix(f"// {mark}").lstrip(": ") for line in text.splitlines() if line.startswith(f"// {mark}")]


def public_types(text: str) -> dict[str, str]:
    module = parse(text)  # which the functions do not keep alive
    return {name: str(f.type) for name, f in functions(module).items() if "sym_visibility" not in f.attributes}


@pytest.mark.parametrize("path", FORMS, ids=lambda p: p.stem)
def test_every_form_is_optimised_and_keeps_what_it_must(path: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.mlir"
    assert main(["opt", str(path), "--passes=all", "-o", str(out)]) == 0
    text, made = path.read_text(), out.read_text()
    verify(parse(made))
    for kept in marked(text, "KEEP"):
        assert kept in made, f"{kept} is gone:\n{made}"
    assert public_types(text) == public_types(made)


@pytest.mark.parametrize("special", [False, True])
@pytest.mark.parametrize("path", [p for p in FORMS if marked(p.read_text(), "RUN")], ids=lambda p: p.stem)
def test_every_form_that_runs_gives_the_same(path: Path, special: bool) -> None:
    before = gradir.load(path)
    after, rng = before.optimize(), np.random.default_rng(0)
    if special and "complex" in str(before):
        pytest.skip("what becomes of complex numbers with an infinite part is nobody's law")
    given = []
    for spec in before.function("main").arguments:
        name = {"float32": "f32", "float64": "f64", "bool": "i1"}.get(spec.dtype.name)
        plain = some_values(
            Value("", tuple(spec.shape), name or "f32", exact=name is None), rng, special and bool(name)
        )
        given.append((abs(plain) if spec.dtype.kind == "u" else plain).astype(spec.dtype))
    expected, got = before.run("main", *given), after.run("main", *given)
    many = isinstance(expected, tuple)
    for a, b in zip(expected if many else [expected], got if many else [got], strict=True):
        said = difference(np.asarray(a), np.asarray(b))
        assert said is None, f"{said}\n{after}"


def test_what_is_no_program_gets_a_message(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "f.mlir"
    path.write_text("func.func @f(%x: tensor<*xf32>) -> tensor<*xf32> { %0 = stablehlo.negate %x : tensor<*xf32>")
    assert main(["opt", str(path), "--passes=all"]) == 3
    assert "Traceback" not in capfd.readouterr().err


# -- time --------------------------------------------------------------------------------------------------------------


def recurrence(n: int) -> str:
    """Steps of a recurrence, written out: products of rows with what came before."""
    lines, last = [], "%y"
    for i in range(n):
        lines.append(
            f"%s{i} = stablehlo.slice %x [{4 * i}:{4 * i + 4}, 0:4] : (tensor<{4 * n}x4xf32>) -> tensor<4x4xf32>"
        )
        lines.append(
            f"%d{i} = stablehlo.dot_general %s{i}, {last}, contracting_dims = [1] x [0] "
            ": (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"
        )
        lines.append(f"%u{i} = stablehlo.tanh %d{i} : tensor<4x4xf32>")
        last = f"%u{i}"
    body = "\n".join(lines)
    return (
        f"func.func @main(%x: tensor<{4 * n}x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> {{\n{body}\n"
        f"return {last} : tensor<4x4xf32>\n}}"
    )


def pieces(n: int) -> str:
    """An array taken to pieces, element by element, and put together again."""
    lines = []
    for i in range(n):
        lines.append(f"%s{i} = stablehlo.slice %x [{i}:{i + 1}] : (tensor<{n}xf32>) -> tensor<1xf32>")
        lines.append(f"%t{i} = stablehlo.sine %s{i} : tensor<1xf32>")
    names, types = ", ".join(f"%t{i}" for i in range(n)), ", ".join(["tensor<1xf32>"] * n)
    body = "\n".join(lines)
    return (
        f"func.func @main(%x: tensor<{n}xf32>) -> tensor<{n}xf32> {{\n{body}\n"
        f"%r = stablehlo.concatenate {names}, dim = 0 : ({types}) -> tensor<{n}xf32>\nreturn %r : tensor<{n}xf32>\n}}"
    )


@pytest.mark.parametrize("make", [recurrence, pieces])
def test_long_programs_take_work_by_their_length(
    make: Callable[[int], str], calls_of: Callable[[Callable[[], object]], int]
) -> None:
    work = []
    for n in (100, 400, 1200):
        module = parse(make(n))
        before = cost_of(module)
        work.append(calls_of(lambda module=module: optimize(module)))
        assert cost_of(module) <= before
    assert work[-1] < 36 * work[0], work


def test_comparisons_of_both_orders_come_to_rest() -> None:
    module = parse("""
    func.func @main(%x: tensor<4xi32>, %y: tensor<4xi32>) -> (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) {
      %0 = stablehlo.compare EQ, %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %1 = stablehlo.compare LE, %x, %y : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      %2 = stablehlo.compare LT, %y, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
      return %0, %1, %2 : tensor<4xi1>, tensor<4xi1>, tensor<4xi1>
    }""")
    assert optimize(module) <= 3


def test_a_pad_that_is_sliced_often_stays_one_pad() -> None:
    cuts = ["[2:10, 1:9]", "[0:8, 1:9]", "[1:9, 2:10]", "[1:9, 0:8]"]
    slices = "\n".join(
        f"%{k} = stablehlo.slice %p {cut} : (tensor<10x10xf32>) -> tensor<8x8xf32>" for k, cut in enumerate(cuts)
    )
    types = ", ".join(["tensor<8x8xf32>"] * 4)
    module = parse(f"""
    func.func @main(%x: tensor<8x8xf32>) -> ({types}) {{
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %p = stablehlo.pad %x, %z, low = [1, 1], high = [1, 1], interior = [0, 0]
        : (tensor<8x8xf32>, tensor<f32>) -> tensor<10x10xf32>
      {slices}
      return %0, %1, %2, %3 : {types}
    }}""")
    before = cost_of(module)
    optimize(module)
    assert cost_of(module) <= before
    assert str(module).count("stablehlo.pad") == 1


def cost_of(module: object) -> float:
    return total(view.operation for view in functions(module)["main"].regions[0].blocks[0].operations).on(CPU)  # type: ignore[arg-type]
