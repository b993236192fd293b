"""The four ADBench objectives, small, against derivatives written by hand; and made before optimisation as well."""

from __future__ import annotations

import machine
import pytest

CONTESTS = {
    "gmm": lambda **o: machine.gmm(4, 3, 6, **o),
    "lstm": lambda **o: machine.lstm(3, 5, 4, **o),
    "ba": lambda **o: machine.ba(3, 5, 9, **o),
    "hand_sweep": machine.hand_sweep,
    "hand_jacobian": machine.hand_jacobian,
}


@pytest.mark.parametrize("name", CONTESTS)
def test_as_by_hand(name: str) -> None:
    assert CONTESTS[name]().error() < 1e-11


@pytest.mark.parametrize("name", CONTESTS)
def test_what_ships_is_as_by_hand(name: str) -> None:
    assert CONTESTS[name]().error_of_shipped() < 1e-11


@pytest.mark.parametrize("name", CONTESTS)
def test_as_by_hand_when_made_before_optimising(name: str) -> None:
    assert CONTESTS[name](optimise=False).error() < 1e-11


def test_time_to_differentiate_is_told_by_phase() -> None:
    phases = machine.gmm(2, 2, 2).phases
    assert {"front end", "normalise", "differentiate", "optimise"} <= set(phases)
    assert all(seconds > 0 for seconds in phases.values())
