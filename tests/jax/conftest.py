"""What the tests of `gradir.jax` share: JAX's double precision, and a compiler in a hurry."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

if version("jaxlib").startswith("0.10."):  # later ones don't know the option, and abort
    # This version's way to emit fusions takes most of the time to compile. Must be set before XLA starts.
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_cpu_use_fusion_emitters=false".strip()

import jax

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
