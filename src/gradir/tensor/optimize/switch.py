"""Whether derivatives are optimised: they are, unless someone asks for them as the rules made them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_on: ContextVar[bool] = ContextVar("gradir_optimizing", default=True)


def is_optimizing() -> bool:
    return _on.get()


@contextmanager
def optimizing(on: bool = True) -> Iterator[None]:
    """Within, derivatives are made with the optimiser on or off.

    >>> with optimizing(False):
    ...     is_optimizing()
    False
    >>> is_optimizing()
    True
    """
    token = _on.set(on)
    try:
        yield
    finally:
        _on.reset(token)
