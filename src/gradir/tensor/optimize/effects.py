"""What a rewrite may do to numbers, and how much of it is allowed.

A rule states its effects; a level says which of them are allowed, and which only where a proof is at hand:

| | exact | default | fast |
|---|---|---|---|
| rounds: adds, multiplies or rounds in another order | no | yes | yes |
| range: may overflow or underflow where the program did not | no | where it is shown not to | yes |
| zero-sign: may give +0 for -0, or -0 for +0 | no | where nobody can see it | yes |
| finite: holds for finite numbers alone | no | no | yes |
| kinks: may move a derivative at ties and corners | not before differentiation | … | … |
| derivative: has one that may overflow or lose digits where the program's does not | not before it is taken | … | yes |

A rule that has looked for itself (`0 * x -> 0` for an x that is shown to be finite) need not state what it has ruled
out.
"""

from __future__ import annotations

import enum

from gradir.errors import RequestError


class Effect(enum.Flag):
    """What a rewrite may change, beside the program."""

    NONE = 0
    ROUNDS = enum.auto()
    RANGE = enum.auto()
    ZERO_SIGN = enum.auto()
    FINITE = enum.auto()
    KINKS = enum.auto()
    DERIVATIVE = enum.auto()

    def names(self) -> list[str]:
        """How they are called on a screen."""
        return [(e.name or "").lower().replace("_", "-") for e in Effect if e in self]


NONE = Effect.NONE
ROUNDS = Effect.ROUNDS
RANGE = Effect.RANGE
ZERO_SIGN = Effect.ZERO_SIGN
FINITE = Effect.FINITE
KINKS = Effect.KINKS
DERIVATIVE = Effect.DERIVATIVE


class Numerics(enum.StrEnum):
    """How far the numbers of a program may move."""

    EXACT = "exact"
    DEFAULT = "default"
    FAST = "fast"

    @staticmethod
    def of(name: str) -> Numerics:
        """
        >>> Numerics.of("fast")
        <Numerics.FAST: 'fast'>
        """
        try:
            return Numerics(name)
        except ValueError:
            levels = ", ".join(repr(str(level)) for level in Numerics)
            raise RequestError(f"there are no numerics called {name!r}", hint=f"it is one of {levels}") from None

    def allows(self, effects: Effect) -> bool:
        """Whether a rule with these effects may be tried at all."""
        return not effects & _REFUSED[self]


_REFUSED = {
    Numerics.EXACT: ROUNDS | RANGE | ZERO_SIGN | FINITE,
    Numerics.DEFAULT: FINITE,
    Numerics.FAST: NONE,
}
