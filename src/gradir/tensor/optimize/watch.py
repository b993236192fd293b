"""What is told of the rules that fire."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from jaxlib.mlir import ir

from gradir.tensor.analysis.cost import Cost


@dataclass(frozen=True)
class Fired:
    """That a rule has fired: where, and what that saves on each run of the program."""

    rule: str
    family: str
    op: str
    location: str | None
    before: Cost
    after: Cost

    def __str__(self) -> str:
        saved = self.before - self.after
        where = f" at {self.location}" if self.location else ""
        return (
            f"{self.family}/{self.rule} on {self.op}{where}: {saved.flops:+.0f} flops, {saved.bytes:+.0f} bytes saved"
        )


@dataclass
class Watch:
    """Someone who wants to know of all rules that fire, and to see what some of them leave."""

    fired: list[Fired] = field(default_factory=list)
    after: frozenset[str] = frozenset()
    """Rules and families (or "all") after which the function is shown."""
    show: Callable[[Fired, ir.Operation], None] | None = None

    def note(self, function: ir.Operation) -> None:
        """Show the function in which the last rule fired, if that is asked for."""
        last = self.fired[-1]
        if self.show is not None and self.after & {last.rule, last.family, "all"}:
            self.show(last, function)


_watch: ContextVar[Watch | None] = ContextVar("gradir_watch", default=None)


def watch_now() -> Watch | None:
    return _watch.get()


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Within, someone is told of the rules that fire, wherever derivatives are made."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)
