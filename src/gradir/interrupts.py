"""Requests to stop: Ctrl-C, and the signal that asks a process to end."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

__all__ = ["on_interrupt"]


@contextmanager
def on_interrupt(handler: Callable[[int], None]) -> Iterator[None]:
    """Hand requests to stop to a function, by their number, instead of what was to be done before."""

    def handle(number: int, frame: FrameType | None) -> None:
        handler(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, usual in before.items():
            signal.signal(number, usual)
