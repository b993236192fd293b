"""What the attributes of functions and calls say of memory."""

from __future__ import annotations

from dataclasses import dataclass

from gradir.machine.ir.attributes import Attributes

__all__ = ["MemoryEffects", "memory_effects"]

_UNSEEN = ("inaccessiblemem", "target_mem")
"""Memory that no program can look at: of an allocator, say, or a register of the machine."""


@dataclass(frozen=True)
class MemoryEffects:
    """Which memory a call may change, as far as the program can see."""

    arguments: bool = True
    """Where its arguments point to."""
    other: bool = True
    """Any other: globals, `errno`, what is reached by pointers in memory."""

    @property
    def writes_nothing(self) -> bool:
        return not (self.arguments or self.other)

    def __and__(self, more: MemoryEffects) -> MemoryEffects:
        """What two descriptions of one call leave."""
        return MemoryEffects(self.arguments and more.arguments, self.other and more.other)


def memory_effects(attributes: Attributes) -> MemoryEffects:
    """What `memory(...)` says: an access for each kind of memory, after one for all that aren't named.

    >>> memory_effects(Attributes("nounwind memory(none)")).writes_nothing
    True
    >>> memory_effects(Attributes("memory(argmem: readwrite, inaccessiblemem: readwrite)"))
    MemoryEffects(arguments=True, other=False)
    >>> memory_effects(Attributes("memory(read, errnomem: write)")).other
    True
    """
    said = attributes.value("memory")
    if said is None:
        return MemoryEffects()
    default, named = "none", {}
    for entry in said.split(","):
        where, colon, access = (part.strip() for part in entry.partition(":"))
        if colon:
            named[where] = access
        else:
            default = where
    kinds = {"argmem": default, "other": default} | named
    writes = {where for where, access in kinds.items() if access not in ("none", "read")}
    other = {w for w in writes if w != "argmem" and not w.startswith(_UNSEEN)}
    return MemoryEffects("argmem" in writes, bool(other))
