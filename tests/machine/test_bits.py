"""Floats read as integers: what becomes a float again without a derivative is refused, integers beside them are not."""

from __future__ import annotations

import pytest

from gradir.errors import NoRule
from gradir.machine.analysis.bits import bit_operation
from gradir.machine.ir import DOUBLE, vector
from gradir.machine.ir.reader import read
from gradir.machine.transform.derive import Program
from gradir.request import Activity, Mode, Request

MANTISSA = """
define double @f(ptr %x) {
entry:
  %bits = load i64, ptr %x, align 8
  %low = and i64 %bits, 4503599627370495
  %one = or i64 %low, 4607182418800017408
  %y = bitcast i64 %one to double
  ret double %y
}"""

RANDOM = """
define double @f(ptr %x) {
entry:
  %at = getelementptr i8, ptr %x, i64 8
  %state = load i64, ptr %at, align 8
  %next = mul i64 %state, 6364136223846793005
  store i64 %next, ptr %at, align 8
  %low = lshr i64 %next, 12
  %one = or i64 %low, 4607182418800017408
  %uniform = bitcast i64 %one to double
  %scale = load double, ptr %x, align 8
  %y = fmul double %scale, %uniform
  ret double %y
}"""


def derivative(text: str, mode: Mode) -> str:
    program = Program(text)
    result = Activity.activenoneed if mode is Mode.reverse else Activity.dupnoneed
    name = program.derivative(Request("f", mode, (Activity.dup,), (result,)))
    return program.text().partition(f"@{name}(")[2].partition("\n}")[0]


@pytest.mark.parametrize("mode", Mode)
def test_active_bits_that_nothing_calls_floats_are_refused(mode: Mode) -> None:
    """No access says that there are floats, but the argument is active, and its bits become a float."""
    with pytest.raises(NoRule, match="bits of an active float"):
        derivative(MANTISSA, mode)


@pytest.mark.parametrize("mode", Mode)
def test_random_numbers_made_of_bits_are_constants(mode: Mode) -> None:
    assert "%uniform" in derivative(RANDOM, mode)


@pytest.mark.parametrize(
    ("mask", "kind"),
    [
        ("splat (i64 9223372036854775807)", "absolute"),
        ("<i64 9223372036854775807, i64 9223372036854775807>", "absolute"),
        ("<i64 9223372036854775807, i64 poison>", "absolute"),
        ("<i64 9223372036854775807, i64 1>", None),
        ("<i64 9223372036854775807, i64 ptrtoint (ptr @g to i64)>", None),
    ],
)
def test_masks_of_vectors(mask: str, kind: str | None) -> None:
    """An expression in a lane is not known: the other lanes say nothing of it."""
    text = f"@g = external global i8\ndefine <2 x i64> @f(<2 x i64> %x) {{\n  %y = and <2 x i64> %x, {mask}\n"
    function = read(f"{text}  ret <2 x i64> %y\n}}\n").functions["f"]
    found = bit_operation(next(function.instructions()), vector(2, DOUBLE), carries=lambda v: True)
    assert (found.kind if found is not None else None) == kind
