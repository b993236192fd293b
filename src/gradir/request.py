"""What is asked for: which function, which mode, what each argument and result carries.

Both levels share this file: the activities, the request and the order of a derivative's operands and results
(the `enzyme` dialect's order).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Literal

__all__ = ["Activity", "Mode", "Part", "Request", "Slot", "operand_slots", "result_slots"]


class Activity(IntEnum):
    """What an argument or a result carries besides its primal value. The numbers are the `enzyme` dialect's."""

    active = 0
    dup = 1
    const = 2
    dupnoneed = 3
    activenoneed = 4
    constnoneed = 5

    @property
    def attribute_name(self) -> str:
        """The name in MLIR: `Activity.active.attribute_name == "enzyme_active"`."""
        return f"enzyme_{self.name}"

    @property
    def has_shadow(self) -> bool:
        return self in (Activity.dup, Activity.dupnoneed)

    @property
    def has_cotangent(self) -> bool:
        return self in (Activity.active, Activity.activenoneed)

    @property
    def keeps_primal(self) -> bool:
        return self in (Activity.active, Activity.dup, Activity.const)


class Mode(Enum):
    forward = "forward"
    reverse = "reverse"


@dataclass(frozen=True)
class Request:
    """One derivative of one function.

    `activity` has an entry per argument, `ret_activity` one per result. With `width` n > 1, n shadows (tangents or
    cotangents) are carried at once, each with a leading dimension n. With `strong_zero`, a zero shadow stays zero
    even where it meets an infinite or undefined factor. With `runtime_activity`, a shadow of memory that is that memory
    itself says that it is constant.
    """

    function: str
    mode: Mode
    activity: tuple[Activity, ...]
    ret_activity: tuple[Activity, ...]
    width: int = 1
    strong_zero: bool = False
    runtime_activity: bool = False


Part = Literal["primal", "shadow"]
Slot = tuple[Literal["arg", "result"], int, Part]
"""One operand or result of a derivative: of which argument or result of the function it is the primal or the shadow."""


def operand_slots(mode: Mode, activity: Sequence[Activity], ret_activity: Sequence[Activity]) -> Iterator[Slot]:
    """The operands of a derivative, in order.

    >>> list(operand_slots(Mode.reverse, [Activity.active], [Activity.active]))
    [('arg', 0, 'primal'), ('result', 0, 'shadow')]
    """
    for i, a in enumerate(activity):
        yield ("arg", i, "primal")
        if a.has_shadow:
            yield ("arg", i, "shadow")
    if mode is Mode.reverse:
        for j, a in enumerate(ret_activity):
            if a.has_cotangent:
                yield ("result", j, "shadow")


def result_slots(mode: Mode, activity: Sequence[Activity], ret_activity: Sequence[Activity]) -> Iterator[Slot]:
    """The results of a derivative, in order.

    In forward mode primals and tangents alternate; in reverse mode all primals come first, then all gradients.

    >>> list(result_slots(Mode.forward, [Activity.dup], [Activity.dup]))
    [('result', 0, 'primal'), ('result', 0, 'shadow')]
    """
    for j, a in enumerate(ret_activity):
        if a.keeps_primal:
            yield ("result", j, "primal")
        if mode is Mode.forward and a.has_shadow:
            yield ("result", j, "shadow")
    if mode is Mode.reverse:
        for i, a in enumerate(activity):
            if a is Activity.active:
                yield ("arg", i, "shadow")


def shadow_results(request: Request) -> list[int]:
    """The places of a derivative's results that are derivatives themselves.

    >>> shadow_results(Request("f", Mode.forward, (Activity.dup,), (Activity.dup,)))
    [1]
    """
    slots = result_slots(request.mode, request.activity, request.ret_activity)
    return [k for k, (_, _, part) in enumerate(slots) if part == "shadow"]
