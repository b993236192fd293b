"""The table of instructions against the code of every floor: what a line promises is there."""

from __future__ import annotations

import pytest

from gradir.machine.analysis.bytes import evidence
from gradir.machine.ir.opcodes import OPCODES, Opcode
from gradir.machine.ir.text import reader
from gradir.machine.rules import RULES
from gradir.machine.transform.adjoint import Adjoint
from gradir.machine.transform.tangent import Tangents

everywhere = pytest.mark.parametrize("row", OPCODES.values(), ids=lambda row: row.name)


def test_the_reader_knows_just_these():
    assert set(reader._READERS) == {row.name for row in OPCODES.values() if row.form == "own"}


@everywhere
def test_types(row: Opcode):
    own = {*evidence._POINTER_WORK, "bitcast", "inttoptr"}
    assert (row.types == "own") == (row.name in own)


@everywhere
def test_derivatives(row: Opcode):
    """Both modes have code, or there is a formula for both."""
    forward, reverse = hasattr(Tangents, f"_{row.name}"), hasattr(Adjoint, f"_undo_{row.name}")
    match row.derivative:
        case "rule":
            assert row.name in RULES and not forward and not reverse
        case "move" if row.name == "phi":  # where it stands, not what it is, tells what to do
            assert hasattr(Tangents, "phi") and hasattr(Adjoint, "take_phis")
        case "convert" | "move" | "mask" | "count":
            assert forward and reverse
        case "none" | "integer" | "flow" | "refused":
            assert not reverse


@everywhere
def test_what_is_computed_again_needs_nothing_but_its_operands(row: Opcode):
    assert not (row.again and row.derivative in ("memory", "call", "flow", "refused"))
