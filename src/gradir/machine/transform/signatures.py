"""Derivatives that call each other are written apart, each from its own analysis: both sides must mean the same
function.

LLVM doesn't look: a call with other types than the function has is undefined, and would give any number.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.errors import InternalError
from gradir.machine.ir import Type
from gradir.machine.ir.builder import Code, Expr

__all__ = ["Signatures"]

Types = tuple[Type, ...]


class Signatures:
    """What derivatives take and give, as those who call them believe, and as they were written."""

    def __init__(self) -> None:
        self.believed: dict[str, frozenset[Types]] = {}
        self.written: dict[str, Types] = {}

    def call(self, callee: str, result: Type, given: Sequence[Expr]) -> str:
        """The text of a call of a derivative, by its name (`@f`) or by its address."""
        if callee.startswith("@"):
            types = (result, *(g.type for g in given))
            self.believed[callee[1:]] = self.believed.get(callee[1:], frozenset()) | {types}
        return f"call {result} {callee}({', '.join(map(str, given))})"

    def write(self, code: Code) -> None:
        """Note a function that was written."""
        self.written[code.name] = (code.result, *(p.type for p in code.parameters))

    def check(self) -> None:
        """Compare what is believed of the functions that are there by now."""
        for name in self.believed.keys() & self.written.keys():
            written = self.written[name]
            for believed in self.believed.pop(name) - {written}:
                raise InternalError(f"@{name} is called as {_shown(believed)}, but is {_shown(written)}")


def _shown(types: Types) -> str:
    return f"{types[0]} ({', '.join(map(str, types[1:]))})"
