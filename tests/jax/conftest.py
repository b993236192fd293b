"""What the tests of `gradir.jax` share: JAX's double precision, and a compiler in a hurry.

Flags of XLA are for the whole process, so none is set here: other tests run in it too. What is set is set for a test.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import jax
import pytest
from jax._src import compiler

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

SLOW_EMITTERS = version("jaxlib").startswith("0.10.")
"""This version's way to emit fused loops takes most of the time to compile. Later ones don't have the option."""

_done = itertools.count(1)


@pytest.fixture(autouse=True)
def _compile_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What runs here runs for microseconds: XLA's expensive passes would take most of the time."""
    compile_and_load = compiler.backend_compile_and_load

    def hurried(backend: Any, module: Any, devices: Any, options: Any, *rest: Any, **more: Any) -> Any:
        options.env_option_overrides = [*options.env_option_overrides, ("xla_cpu_use_fusion_emitters", False)]
        return compile_and_load(backend, module, devices, options, *rest, **more)

    if SLOW_EMITTERS:
        monkeypatch.setattr(compiler, "backend_compile_and_load", hurried)
    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)


@pytest.fixture(autouse=True)
def _forget_what_was_compiled() -> Iterator[None]:
    """No test uses another's programs, and some hundred of them take gigabytes."""
    yield
    if next(_done) % 50 == 0:
        jax.clear_caches()


@pytest.fixture
def x64() -> Iterator[None]:
    """Double precision: what two derivatives differ by is then far below what a wrong rule would do."""
    with jax.enable_x64(True):
        yield
