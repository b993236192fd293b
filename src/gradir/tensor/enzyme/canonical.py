"""Asking for less: what a request can leave out when some results are unused or some shadows are zero.

Only slots disappear, so that each operand and result of the smaller derivative is one of the larger.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from gradir.request import Activity, Mode, Request, Slot

__all__ = ["canonicalise", "canonicalise_jacobian"]

_UNNEEDED = {
    Activity.active: Activity.activenoneed,
    Activity.dup: Activity.dupnoneed,
    Activity.const: Activity.constnoneed,
}
"""The same without the primal."""

_INACTIVE = {a: Activity.const if a.keeps_primal else Activity.constnoneed for a in Activity}
"""The same without the shadow."""


def canonicalise(request: Request, used: Collection[Slot], zero: Collection[Slot]) -> Request:
    """The smallest request that gives the `used` results, where the shadows in `zero` are zero.

    >>> f = Request("f", Mode.reverse, (Activity.active, Activity.active), (Activity.active,))
    >>> small = canonicalise(f, used={("arg", 1, "shadow")}, zero=())
    >>> [a.name for a in (*small.activity, *small.ret_activity)]
    ['const', 'active', 'activenoneed']
    """
    shrink = _forward if request.mode is Mode.forward else _reverse
    activity, ret_activity = shrink(request, used, zero)
    ret_activity = [a if ("result", j, "primal") in used else _UNNEEDED.get(a, a) for j, a in enumerate(ret_activity)]
    return replace(request, activity=tuple(activity), ret_activity=tuple(ret_activity))


def _forward(
    request: Request, used: Collection[Slot], zero: Collection[Slot]
) -> tuple[Sequence[Activity], Sequence[Activity]]:
    ret_activity = [a if ("result", j, "shadow") in used else _INACTIVE[a] for j, a in enumerate(request.ret_activity)]
    asked = any(a.has_shadow for a in ret_activity)
    activity = [
        Activity.dup if asked and a.has_shadow and ("arg", i, "shadow") not in zero else Activity.const
        for i, a in enumerate(request.activity)
    ]
    return activity, ret_activity


def _reverse(
    request: Request, used: Collection[Slot], zero: Collection[Slot]
) -> tuple[Sequence[Activity], Sequence[Activity]]:
    # A tensor is immutable: a shadow given for it (dup) is neither read nor written in reverse mode.
    activity = [
        Activity.active if a is Activity.active and ("arg", i, "shadow") in used else Activity.const
        for i, a in enumerate(request.activity)
    ]
    asked = Activity.active in activity
    ret_activity = [
        a if asked and a.has_cotangent and ("result", j, "shadow") not in zero else _INACTIVE[a]
        for j, a in enumerate(request.ret_activity)
    ]
    return activity, ret_activity


def canonicalise_jacobian(
    activity: Sequence[Activity], ret_activity: Sequence[Activity], used: Collection[tuple[int, int]]
) -> tuple[tuple[Activity, ...], tuple[Activity, ...]]:
    """Only the arguments and results that some used pair (result, argument) has, each marked active or const."""

    def shrunk(count: int, kept: Collection[int]) -> tuple[Activity, ...]:
        return tuple(Activity.active if n in kept else Activity.const for n in range(count))

    return shrunk(len(activity), {i for _, i in used}), shrunk(len(ret_activity), {j for j, _ in used})
