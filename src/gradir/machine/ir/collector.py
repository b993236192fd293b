"""Python's garbage collector while modules are read and derived: seldom, since what is made then stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["seldom_collected"]

_SELDOM = (100_000, 50, 50)


@contextmanager
def seldom_collected() -> Iterator[None]:
    """Within, the collector comes a hundred times less often than by default; also a decorator.

    It looks at all that there is whenever a quarter has been added, which takes up to two fifths of the time to
    differentiate some hundred lines of C++. Where it comes less often than this already, or never, that stays.

    >>> before = gc.get_threshold()
    >>> with seldom_collected():
    ...     within = gc.get_threshold()
    >>> within >= before == gc.get_threshold()
    True
    """
    before = gc.get_threshold()
    is_often = 0 < before[0] < _SELDOM[0]
    if is_often:
        gc.set_threshold(*_SELDOM)
    try:
        yield
    finally:
        if is_often:
            gc.set_threshold(*before)
