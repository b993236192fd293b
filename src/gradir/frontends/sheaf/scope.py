"""Names and what they are bound to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gradir.frontends.sheaf.values import Value

__all__ = ["Scope"]


class Scope:
    """The names that are bound where a form stands, innermost first."""

    def __init__(self, names: Mapping[str, Value] | None = None, around: Scope | None = None) -> None:
        self.names = dict(names or {})
        self.around = around

    def find(self, name: str) -> Scope | None:
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.around
        return scope

    def __iter__(self) -> Iterator[str]:
        yield from self.names
        if self.around is not None:
            yield from self.around
