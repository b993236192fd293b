"""Several devices on the CPU, for programs that run on more than one. Must be set before jax is imported."""

import gc
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4".strip()
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("GRADIR_VERIFY", "structure")

# Tracing makes much that dies soon: to look for what is dead as often as Python does takes a quarter of the time.
gc.set_threshold(100_000, 50, 50)

# The same examples in every run: what CI says of a change is then due to the change.
settings.register_profile("reproducible", derandomize=True)
settings.load_profile("reproducible")


collect_ignore_glob = ["machine/mpi/*.py"]
"""What `mpiexec` runs, and pytest is not to read."""

BY_TURNS = {
    "frontends/test_mlir_programs.py": 4,
    "jax/test_jax_control_flow.py": 3,
    "jax/test_jax_primitives.py": 10,
    "jax/test_jax_programs.py": 6,
    "machine/test_bytes.py": 5,
    "machine/test_formulas.py": 3,
    "machine/test_forward.py": 6,
    "machine/test_programs.py": 10,
    "machine/test_real.py": 8,
    "tensor/optimize/test_optimize_derivatives.py": 8,
    "tensor/optimize/test_optimize_ranges.py": 8,
    "tensor/optimize/test_optimize_rules.py": 8,
    "tensor/test_linalg.py": 3,
    "tensor/test_rules.py": 6,
    "tensor/test_strong_zero.py": 6,
    "torch/test_torch_ops.py": 2,
}
"""Families of hundreds of instances, of which one in so many is run unless all are asked for: CI has half an hour."""


WHOLE = 5000
"""So many tests are a run of the whole suite."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--every", action="store_true", help="every instance of the families that are taken by turns")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take a part of the large families: always the same, whatever is added beside. Of some files alone, take all."""
    if config.getoption("--every") or len(items) < WHOLE:
        return
    turns = {f"tests/{name}": n for name, n in BY_TURNS.items()}
    left = [i for i in items if hasattr(i, "callspec") and _turn(i.nodeid) % turns.get(i.nodeid.partition("::")[0], 1)]
    config.hook.pytest_deselected(items=left)
    gone = set(left)
    items[:] = [i for i in items if i not in gone]


def _turn(nodeid: str) -> int:
    return zlib.crc32(nodeid.encode())


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """The file of a program, by its name and its text."""

    def write(name: str, text: str) -> Path:
        path = tmp_path_factory.mktemp("program") / name
        path.write_text(text)
        return path

    return write


@pytest.fixture(scope="session")
def loaded(written: Callable[[str, str], Path]) -> Callable[[str, str], Any]:
    """The module of a program, by its name and its text. A test of Fortran is skipped where there is no compiler."""
    import gradir
    from gradir.frontends.fortran import flang

    def load(name: str, text: str) -> Any:
        if name.endswith(".f90"):
            try:
                flang()
            except gradir.GradirError:
                pytest.skip("needs flang (apt install flang-19)")
        return gradir.load(written(name, text))

    return load


@pytest.fixture
def plain() -> Iterator[None]:
    """Derivatives as the rules make them, without the optimiser: for tests of what a transform itself does."""
    import gradir

    with gradir.optimizing(False):
        yield


@pytest.fixture
def calls_of() -> Callable[[Callable[[], object]], int]:
    """How many calls a piece of work makes: what it costs, whatever else the machine does."""

    def count(work: Callable[[], object]) -> int:
        calls = 0

        def seen(frame: object, event: str, argument: object) -> None:
            nonlocal calls
            calls += event in ("call", "c_call")

        before = sys.getprofile()
        sys.setprofile(seen)
        try:
            work()
        finally:
            sys.setprofile(before)
        return calls

    return count
