"""What the tests of `gradir.jax` share: JAX's double precision, and a compiler in a hurry.

Flags of XLA are for the whole process, so none is set here: other tests run in it too.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import jax
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))


@pytest.fixture(autouse=True)
def _compile_in_a_hurry() -> Iterator[None]:
    """What runs here runs for microseconds: XLA's expensive passes would take most of the time."""
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.fixture
def x64() -> Iterator[None]:
    """Double precision: what two derivatives differ by is then far below what a wrong rule would do."""
    with jax.enable_x64(True):
        yield
