"""The names that Enzyme's interface is made of: functions that are called, and globals that mark what follows them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from gradir.machine.ir import Constant, Global, Instruction, Value
from gradir.request import Activity

__all__ = ["ACTIVITIES", "Hook", "asks_for_derivative", "hook_of", "is_annotation", "marker_named", "marker_of"]


class Hook(Enum):
    """A function whose calls are replaced. Any name that contains the hook's counts, so that it can have many types."""

    autodiff = "__enzyme_autodiff"
    fwddiff = "__enzyme_fwddiff"
    fwdsplit = "__enzyme_fwdsplit"
    augmentfwd = "__enzyme_augmentfwd"
    augmentsize = "__enzyme_augmentsize"
    reverse = "__enzyme_reverse"
    batch = "__enzyme_batch"
    virtualreverse = "__enzyme_virtualreverse"
    call_inactive = "__enzyme_call_inactive"
    todense = "__enzyme_todense"


_ANNOTATIONS = ("__enzyme_float", "__enzyme_double", "__enzyme_integer", "__enzyme_pointer")
"""Calls that only say what memory holds: `__enzyme_double(pointer, bytes)`."""

ACTIVITIES = {
    "enzyme_dup": Activity.dup,
    "enzyme_dupnoneed": Activity.dupnoneed,
    "enzyme_out": Activity.active,
    "enzyme_const": Activity.const,
    "enzyme_dupv": Activity.dup,
    "enzyme_dupnoneedv": Activity.dupnoneed,
}
"""Markers that say what the next argument carries."""

_OTHERS = (
    "enzyme_width",
    "enzyme_primal_return",
    "enzyme_noret",
    "enzyme_const_return",
    "enzyme_active_return",
    "enzyme_dup_return",
    "enzyme_tape",
    "enzyme_allocated",
    "enzyme_nofree",
    "enzyme_runtime_activity",
    "enzyme_strong_zero",
    "enzyme_not_overwritten",
    "enzyme_scalar",
    "enzyme_vector",
    "enzyme_buffer",
    "enzyme_byref",
    "enzyme_interleave",
    "enzyme_trace",
    "enzyme_likelihood",
    "enzyme_observations",
    "enzyme_active_rand_var",
    "enzyme_duplicated_likelihood",
)
_MARKERS = frozenset((*ACTIVITIES, *_OTHERS))
_OLD_MARKERS = {f"diffe_{kind}": f"enzyme_{kind}" for kind in ("dup", "dupnoneed", "out", "const")}
_CASTS = frozenset({"bitcast", "addrspacecast", "zext", "sext", "trunc", "inttoptr", "ptrtoint", "freeze"})


def hook_of(name: str | None) -> Hook | None:
    """
    >>> hook_of("_Z17__enzyme_autodiffIdJdEET_PvDpT0_")
    <Hook.autodiff: '__enzyme_autodiff'>
    """
    if name is None or "__enzyme_" not in name:
        return None
    return next((hook for hook in Hook if hook.value in name), None)


def asks_for_derivative(name: str) -> bool:
    """Whether a function is called for a derivative, or for another form of a function.

    >>> asks_for_derivative("__enzyme_fwddiff_double"), asks_for_derivative("__enzyme_ignore_derivatives")
    (True, False)
    """
    return hook_of(name) is not None or "__enzyme_truncate_" in name or "__enzyme_iter" in name


def marker_named(name: str) -> str | None:
    """The marker that a global of this name is: in C, in C++ within a namespace or a file, in Fortran.

    >>> marker_named("enzyme_dup"), marker_named("_ZN4mine10enzyme_dupE"), marker_named("_QMmarksEenzyme_out")
    ('enzyme_dup', 'enzyme_dup', 'enzyme_out')
    >>> marker_named("enzyme_dup_count") is None
    True
    """
    if "enzyme_" not in name and "diffe_" not in name:
        return None
    words = [name, name.removesuffix("_"), name.rpartition("E")[2], *_mangled(name)]
    return next((word for word in (_OLD_MARKERS.get(w, w) for w in words) if word in _MARKERS), None)


def _mangled(name: str) -> Iterator[str]:
    """The words within a mangled name that begin as markers do: before each stands its length."""
    for begin in ("enzyme_", "diffe_"):
        at = name.find(begin)
        while at >= 0:
            first = at
            while first > 0 and name[first - 1].isdigit():
                first -= 1
                yield name[at : at + int(name[first:at])]
            at = name.find(begin, at + 1)


def is_annotation(name: str) -> bool:
    return any(word in name for word in _ANNOTATIONS)


def marker_of(value: Value) -> str | None:
    """The marker that a value is: a global's address, a load of it (cast or not), or its name as metadata."""
    for _ in range(8):
        if isinstance(value, Global):
            return marker_named(value.name)
        if isinstance(value, Constant):
            if value.type.kind == "metadata":
                return marker_named(value.ref.removeprefix("!").strip('"'))
            return marker_named(value.globals[0]) if len(value.globals) == 1 else None
        if not isinstance(value, Instruction) or (value.opcode != "load" and value.opcode not in _CASTS):
            return None
        value = value.operands[0]
    return None
