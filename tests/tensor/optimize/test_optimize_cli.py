"""The optimiser from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradir.cli import main

TEXT = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = stablehlo.negate %x : tensor<4xf32>
  %z = stablehlo.negate %y : tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %r = stablehlo.add %z, %zero : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "f.mlir"
    path.write_text(TEXT)
    return str(path)


def test_without_passes_a_program_stays_as_it_is(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", program]) == 0
    assert capfd.readouterr().out.count("stablehlo.negate") == 2


def test_passes_are_families_or_rules_or_all(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", program, "--passes=add_zero"]) == 0  # the caller can tell -0 from 0
    assert "stablehlo.add" in capfd.readouterr().out
    assert main(["opt", program, "--passes=add_zero", "--numerics=fast"]) == 0
    out = capfd.readouterr().out
    assert "stablehlo.add" not in out and "stablehlo.negate" in out
    assert main(["opt", program, "--passes=shapes,algebra", "--numerics=fast"]) == 0
    assert "stablehlo.negate" not in capfd.readouterr().out
    assert main(["opt", program, "--passes=all", "--numerics=fast"]) == 0
    assert "stablehlo." not in capfd.readouterr().out


def test_an_unknown_pass_is_refused_by_name(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", program, "--passes=nonsense"]) == 2
    assert "no rule or family 'nonsense'" in capfd.readouterr().err


def test_explain_says_what_fired_and_what_it_saved(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", program, "--passes=all", "--explain", "--numerics=fast"]) == 0
    said = capfd.readouterr().err
    row = next(line for line in said.splitlines() if line.startswith("algebra/neg_neg"))
    assert row.split()[1:4] == ["1", "+8", "+16"] and "stablehlo.negate at" in row and "f.mlir:4:8" in row
    assert "before: 5 ops, 12 flops" in said and "after: 1 ops, 0 flops" in said


def test_rules_are_listed_by_family(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["opt", "--list-rules"])
    assert left.value.code == 0
    out = capfd.readouterr().out
    assert "algebra: identities" in out and "neg_neg" in out and "-(-x) -> x" in out and "[rounds, finite" in out
