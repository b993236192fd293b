"""Derivatives that call each other agree on what is passed."""

from __future__ import annotations

import pytest

from gradir.errors import InternalError
from gradir.machine.ir import DOUBLE, I64, array
from gradir.machine.ir.builder import Code
from gradir.machine.transform.signatures import Signatures


def test_calls_with_other_types_are_found() -> None:
    signatures = Signatures()
    made = Code("derivative", DOUBLE, [(I64, "count"), (array(4, I64), "shadow")])
    signatures.write(made)
    signatures.call("@elsewhere", DOUBLE, made.parameters[:1])
    signatures.call("@derivative", DOUBLE, made.parameters)
    signatures.check()
    signatures.call("@derivative", DOUBLE, made.parameters[:1] * 2)
    with pytest.raises(InternalError, match=r"called as double \(i64, i64\), but is double \(i64, \[4 x i64\]\)"):
        signatures.check()
