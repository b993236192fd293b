"""One small program for each op (and each way to use it): what the rule tests and `docs/ops.md` are made from.

Each file of this package holds the cases of one family of rules, and begins with `from cases import case, normal`. The
harness (`exam.py`, `test_rules.py`) finds the files by itself and checks every case in every mode against central
differences, on the reference interpreter and on XLA.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

Inputs = Callable[[np.random.Generator], Sequence[np.ndarray]]


@dataclass(frozen=True)
class Case:
    op: str
    """The rule it is for, as the table names it: `stablehlo.tanh`; a custom call is `custom_call @target`."""
    label: str
    """Tells this case from others of the op: `complex`, `batched`, `with duplicates`."""
    text: str
    """A module with `func.func public @f`. Floats are f64 (or complex<f64>), so that differences are accurate.

    If the module says `mhlo.num_replicas`, each replica has arguments of its own (and XLA alone can run it).
    """
    inputs: Inputs
    """Random arguments of @f. Those of a float or complex dtype are differentiated, the rest are constants."""
    backends: tuple[str, ...] = ("reference", "xla")
    """Where it can run at all; why not everywhere is said beside the case."""
    modes: tuple[str, ...] = ("forward", "reverse", "batch")
    """What is checked (widths 2 and 3 come with forward and reverse)."""
    rtol: float = 1e-6
    """Central differences with a step of 1e-5 or so leave about 1e-9 to 1e-7 of relative error on smooth functions."""
    step: float = 1e-5
    """The step of the central differences."""
    second: bool = True
    """Whether it is differentiated twice, too (if both modes are checked)."""

    @property
    def id(self) -> str:
        return f"{self.op}: {self.label}"


CASES: list[Case] = []


def case(op: str, label: str, text: str, inputs: Inputs, **options: object) -> Case:
    new = Case(op, label, text, inputs, **options)  # type: ignore[arg-type]
    assert all(c.id != new.id for c in CASES), f"two cases {new.id}"
    CASES.append(new)
    return new


def normal(*shapes: Sequence[int]) -> Inputs:
    """Standard normal f64 arrays of these shapes."""
    return lambda rng: [rng.normal(size=tuple(s)) for s in shapes]


def uniform(low: float, high: float, *shapes: Sequence[int]) -> Inputs:
    return lambda rng: [rng.uniform(low, high, size=tuple(s)) for s in shapes]


def complex_normal(*shapes: Sequence[int]) -> Inputs:
    return lambda rng: [rng.normal(size=tuple(s)) + 1j * rng.normal(size=tuple(s)) for s in shapes]
