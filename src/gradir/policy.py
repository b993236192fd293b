"""What reverse mode keeps for the backward sweep and what that computes again: the choice.

A policy holds for a loop (attribute `gradir.checkpointing`), for a function and what it calls (the same attribute, or
`jax.checkpoint(f, policy=gradir.Policy.of("sqrt"))`), or for all that is derived within `gradir.checkpointing("sqrt")`.
What is nearer goes before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from gradir.errors import RequestError

__all__ = ["AUTO", "Policy", "checkpointing", "policy_now"]

LEAST, MOST = 2, 2**20
"""States that a loop can keep."""

_UNITS = {"": 1, "B": 1, **{f"{p}B": 1000**k for k, p in enumerate(("k", "M", "G", "T"), 1)}}
_UNITS |= {f"{p}iB": 1024**k for k, p in enumerate(("K", "M", "G", "T"), 1)} | {"KB": 1000}
_HINT = "auto, none, full, sqrt, periodic:SEGMENTS, revolve:STATES, or budget:BYTES (budget:64MiB)"


@dataclass(frozen=True)
class Policy:
    """How much a backward sweep keeps.

    - `auto`: what a minimum cut over bytes and operations says; of a loop of unknown length 64 states.
    - `none`: no checkpointing: all that the backward sweep asks for is kept, nothing is computed again.
    - `full`: nothing but the inputs of the loop or function, which is run again before it is undone.
    - `sqrt`: the states of about √n of n rounds; the rounds between them are run again.
    - `periodic:s`: the states at the beginning of s segments.
    - `revolve:k`: k states at any time, whatever n is; rounds are run again as often as that takes.
    - `budget:b`: the fewest rounds that are run again, within so many bytes for all loops of a function.

    >>> Policy.of("revolve:64"), str(Policy.of(16)), Policy.of("budget:2MiB").amount
    (Policy(kind='revolve', amount=64), 'revolve:16', 2097152)
    """

    kind: str
    amount: int = 0

    @classmethod
    def of(cls, given: Policy | str | int) -> Policy:
        """The policy that a word says; a number is one of states."""
        if isinstance(given, Policy):
            return given
        kind, _, amount = f"revolve:{given}".partition(":") if isinstance(given, int) else given.partition(":")
        if kind in ("auto", "none", "full", "sqrt") and not amount:
            return cls(kind)
        if kind == "budget" and (found := re.fullmatch(r"\s*(\d+(?:\.\d*)?(?:e\d+)?)\s*([kKMGT]?i?B?)\s*", amount)):
            unit = _UNITS.get(found[2])
            if unit is not None:
                return cls(kind, int(float(found[1]) * unit))
        if kind in ("periodic", "revolve") and amount.lstrip("-").isdecimal():
            if not LEAST <= int(amount) <= MOST:
                raise RequestError(f"a loop can't keep {amount} states", hint=f"{LEAST} to {MOST}")
            return cls(kind, int(amount))
        raise RequestError(f"there is no checkpointing policy {given!r}", hint=_HINT)

    def __str__(self) -> str:
        return f"{self.kind}:{self.amount}" if self.kind in ("periodic", "revolve", "budget") else self.kind

    def __call__(self, *_: object, **__: object) -> bool:
        """As a policy of `jax.checkpoint`, where JAX itself differentiates: whether a value is kept."""
        return self.kind != "full"


AUTO = Policy("auto")
_policy: ContextVar[Policy] = ContextVar("gradir_checkpointing", default=AUTO)


def policy_now() -> Policy:
    return _policy.get()


@contextmanager
def checkpointing(policy: Policy | str | int) -> Iterator[None]:
    """Within, derivatives are made with this policy of what loops and functions keep for their backward sweeps.

    A number is that of the states that a loop keeps: 16 stands for "revolve:16". A policy of a loop or a function of
    its own (attribute `gradir.checkpointing`) goes before.

    >>> with checkpointing("sqrt"):
    ...     policy_now()
    Policy(kind='sqrt', amount=0)
    """
    token = _policy.set(Policy.of(policy))
    try:
        yield
    finally:
        _policy.reset(token)
