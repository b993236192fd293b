"""How derivatives are optimised: on or off, and how far numbers may move. It holds for what is made within."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from gradir.tensor.optimize.effects import Numerics

_on: ContextVar[bool] = ContextVar("gradir_optimizing", default=True)
_numerics: ContextVar[Numerics] = ContextVar("gradir_numerics", default=Numerics.DEFAULT)


def is_optimizing() -> bool:
    return _on.get()


def numerics_now() -> Numerics:
    return _numerics.get()


@contextmanager
def optimizing(on: bool = True, *, numerics: str | None = None) -> Iterator[None]:
    """Within, derivatives are made with the optimiser on or off, and with these numerics (else those around).

    `"exact"` changes no bit of a result. `"default"` may round in another order, but no finite result becomes infinite
    or NaN, nothing but 0 becomes 0, and nothing right becomes wrong. `"fast"` may do all that; numbers are taken to be
    finite and far from the ends of their range.

    >>> with optimizing(False):
    ...     is_optimizing()
    False
    >>> with optimizing(numerics="exact"):
    ...     numerics_now()
    <Numerics.EXACT: 'exact'>
    >>> is_optimizing()
    True
    """
    level = numerics_now() if numerics is None else Numerics.of(numerics)
    tokens = _on.set(on), _numerics.set(level)
    try:
        yield
    finally:
        _on.reset(tokens[0])
        _numerics.reset(tokens[1])
