"""Several devices on the CPU, for programs that run on more than one. Must be set before jax is imported."""

import gc
import os
import sys
from collections.abc import Callable, Iterator

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
