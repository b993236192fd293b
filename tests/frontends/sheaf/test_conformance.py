"""Expressions with their values or errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gradir.frontends.sheaf import Program, SheafError
from gradir.frontends.sheaf.values import show

LINES = [
    line
    for line in (Path(__file__).parent / "conformance.txt").read_text().splitlines()
    if " => " in line or " !! " in line
]
UNITS = 2e-6
"""Of a value: a few units in the last place of an f32."""


def test_there_are_many() -> None:
    assert len(LINES) >= 300


@pytest.mark.parametrize("line", LINES)
def test_line(line: str) -> None:
    program = Program()
    if " !! " in line:
        text, _, wanted = line.rpartition(" !! ")
        with pytest.raises(SheafError) as caught:
            program.run(text)
        assert wanted in str(caught.value)
    else:
        text, _, wanted = line.rpartition(" => ")
        assert alike(_words(show(program.run(text))), _words(wanted)), f"{show(program.run(text))} is not {wanted}"


def _words(text: str) -> list[str]:
    for bracket in "[]{}":
        text = text.replace(bracket, f" {bracket} ")
    return text.split()


def alike(a: list[str], b: list[str]) -> bool:
    return len(a) == len(b) and all(map(_same_word, a, b))


def _same_word(a: str, b: str) -> bool:
    x, y = _number(a), _number(b)
    if x is None or y is None:
        return a == b
    return type(x) is type(y) and (x == y or abs(x - y) <= UNITS * max(abs(x), abs(y)))


def _number(word: str) -> Any:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return None
