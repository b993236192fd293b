"""What is known of functions without a body: those that have no derivative, those that manage memory, pure ones.

A function that is inactive takes no part in the derivative: it is called where it stands, once, and its result and what
it writes are constants. What is not known here and has no body can't be differentiated without being told how.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from gradir.machine.ir import Function
from gradir.machine.rules.effects import Operand, Operands, operands_of
from gradir.machine.rules.rule import rule_named
from gradir.machine.rules.texts import OPAQUE, is_member, member_operands

__all__ = [
    "CLEAR",
    "COPY_BYTES",
    "DROP",
    "JOINED",
    "KEEP",
    "MAKES_TEXT",
    "SHADOWS",
    "SPAWN",
    "Kind",
    "Known",
    "known",
]

COPY_BYTES = "gradir.copy_bytes"
"""Copies byte by byte, from the first on, also where the two ends overlap: later bytes are then copies of copies."""

KEEP, DROP, CLEAR = SHADOWS = tuple(f"gradir.shadows.{verb}" for verb in ("keep", "drop", "clear"))
"""What is done to the table of shadows that last, in rules/library.c."""

SPAWN, JOINED = "gradir.thread.spawn.", "gradir.thread.joined"
"""How functions begin that have a thread run something, and what waits for it: `passes/parallel/threads.py`."""

Kind = Literal["inactive", "allocate", "zero_allocate", "reallocate", "free", "copy", "set", "pure", "mirrored"]
"""`mirrored`: it only rearranges pointers, and what it does to memory it does to the shadows of the memory as well."""


@dataclass(frozen=True)
class Known:
    """One function. Operands are told by their numbers; None where there is no such operand."""

    kind: Kind
    size: tuple[int, ...] = ()
    """The operands whose product is the number of bytes that are allocated, copied or set."""
    pointer: int | None = None
    """What is freed, reallocated, copied to or set. Allocations are results."""
    source: int | None = None
    """What is copied from."""
    value: int | None = None
    """The byte that is set; zero where there is none."""
    free: str | None = None
    """What frees an allocation: called with the pointer, then the allocation's operands `free_operands`."""
    free_operands: tuple[int, ...] = ()
    data: int | None = None
    """Of an allocation that has a head of its own: at which byte of it the pointer to the data is."""
    operands: Operands = field(default_factory=Operands)
    """Of an inactive function: what it does with each operand."""
    returns: int | None = None
    """The operand that is the result, as in `memcpy`."""

    @property
    def points_into(self) -> int | None:
        """The operand whose memory the result points into, if it is one's: `strchr`, `__dynamic_cast`."""
        if self.returns is not None or not isinstance(self.operands.result, int):
            return self.returns
        return self.operands.result

    @property
    def writes_nothing(self) -> bool:
        """Whether no memory that the program can see is changed."""
        every = (*self.operands.each, self.operands.rest)
        return self.kind in ("inactive", "pure") and not any(o.writes for o in every)

    def may_write(self, operand: int) -> bool:
        """Whether it may write through this operand."""
        if self.kind in ("inactive", "mirrored"):
            return self.operands[operand].writes
        return self.kind in ("copy", "set", "reallocate", "free") and operand == self.pointer

    def reaches_on(self, operand: int) -> bool:
        """Whether it may also write what is reached by pointers from where this operand points to."""
        return self.operands[operand].way in ("d", "m")


MAKES_TEXT = "gradir-makes-text"
"""The attribute of functions that write a text of their own, of which the caller makes a copy: what operand 0 points to
is nobody else's, and no float is reached from there."""

_MAKES_TEXT = Known("inactive", operands=Operands((Operand("i"),), Operand("r")))


def known(name: str, function: Function | None = None) -> Known | None:
    """What is known of the function; its declaration tells more than its name.

    >>> known("printf").writes_nothing, known("calloc").size, known("_Znwm").free
    (True, (0, 1), '_ZdlPv')
    >>> known("sscanf").may_write(2), known("_RNvCs5QPtLeU_7___rustc12___rust_alloc").free
    (True, '_RNvCs5QPtLeU_7___rustc14___rust_dealloc')
    >>> known("solve") is None
    True
    """
    if function is not None and function.has(MAKES_TEXT):
        return _MAKES_TEXT
    if function is not None and function.has(OPAQUE) and is_member(name):
        gives_struct = bool(function.arguments) and function.arguments[0].has("sret")
        return Known("inactive", operands=member_operands(name, gives_struct=gives_struct))
    found = _by_name(name)
    if found is None and function is not None:
        types = [a.type for a in function.arguments]
        if rule_named(name, types, function.result) is not None:
            return Known("pure")
        return _by_attributes(function)
    return found


@cache
def _by_name(name: str) -> Known | None:
    if name.startswith("llvm."):
        return _intrinsic(name)
    if found := _MEMORY.get(name):
        return found
    if m := _RUST_ALLOCATOR.fullmatch(name):
        return _rust(m[1], m[2])
    if name in SHADOWS:
        return Known("inactive")
    operands = operands_of(name)
    if operands is None:
        return None
    return Known("mirrored" if any(o.way == "m" for o in operands.each) else "inactive", operands=operands)


def _by_attributes(function: Function) -> Known | None:
    """What LLVM's own attributes tell: an allocator says so, and what touches neither floats nor memory is inactive."""
    if said := function.attributes.value("allockind"):
        kinds = said.strip('"').split(",")
        size = function.attributes.value("allocsize")
        if "alloc" in kinds and size:
            operands = tuple(int(n) for n in size.split(","))
            return Known("zero_allocate" if "zeroed" in kinds else "allocate", size=operands)
        if "free" in kinds:
            pointers = [a.index for a in function.arguments if a.has("allocptr")] or [0]
            return Known("free", pointer=pointers[0])
    types = [function.result, *(a.type for a in function.arguments)]
    if function.has("memory(none)") and all(t.kind in ("int", "void") for t in types):
        return Known("inactive")
    return None


# -- memory -----------------------------------------------------------------------------------------------------------


def _allocators() -> dict[str, Known]:
    table = {
        "malloc": Known("allocate", size=(0,), free="free"),
        "calloc": Known("zero_allocate", size=(0, 1), free="free"),
        "realloc": Known("reallocate", size=(1,), pointer=0, free="free"),
        "reallocarray": Known("reallocate", size=(1, 2), pointer=0, free="free"),
        "valloc": Known("allocate", size=(0,), free="free"),
        "aligned_alloc": Known("allocate", size=(1,), free="free"),
        "memalign": Known("allocate", size=(1,), free="free"),
        "free": Known("free", pointer=0),
        "cfree": Known("free", pointer=0),
    }
    # C++: size_t is `unsigned long` or `unsigned int`; each with an alignment, with std::nothrow, or both.
    for size in "mj":
        for new, delete in (("_Znw", "_ZdlPv"), ("_Zna", "_ZdaPv")):
            for nothrow in ("", "RKSt9nothrow_t"):
                table[f"{new}{size}{nothrow}"] = Known("allocate", size=(0,), free=delete)
                aligned = f"{delete}St11align_val_t"
                table[f"{new}{size}St11align_val_t{nothrow}"] = Known(
                    "allocate", size=(0,), free=aligned, free_operands=(1,)
                )
            for sized in ("", size):
                for rest in ("", "St11align_val_t", "RKSt9nothrow_t", "St11align_val_tRKSt9nothrow_t"):
                    table[f"{delete}{sized}{rest}"] = Known("free", pointer=0)
    # Numba: a head with a reference count, and in it a pointer to the data.
    for name in ("NRT_MemInfo_alloc", "NRT_MemInfo_alloc_safe"):
        table[name] = Known("allocate", size=(0,), free="NRT_MemInfo_call_dtor", data=24)
        table[f"{name}_aligned"] = table[name]
    table["NRT_Allocate"] = Known("allocate", size=(0,), free="NRT_Free")
    table["NRT_Reallocate"] = Known("reallocate", size=(1,), pointer=0, free="NRT_Free")
    for name in ("NRT_Free", "NRT_MemInfo_call_dtor"):
        table[name] = Known("free", pointer=0)
    return table


def _copies() -> dict[str, Known]:
    table = {}
    for name in ("memcpy", "memmove", "__memcpy_chk", "__memmove_chk"):
        table[name] = Known("copy", size=(2,), pointer=0, source=1, returns=0)
    table[COPY_BYTES] = Known("copy", size=(2,), pointer=0, source=1)
    table["bcopy"] = Known("copy", size=(2,), pointer=1, source=0)
    for name in ("memset", "__memset_chk"):
        table[name] = Known("set", size=(2,), pointer=0, value=1, returns=0)
    for name in ("bzero", "explicit_bzero"):
        table[name] = Known("set", size=(1,), pointer=0)
    return table


_MEMORY = _allocators() | _copies()

# `__rust_alloc`, and as rustc since 1.87 spells it: inside the crate `__rustc`, with a hash.
_RUST_ALLOCATOR = re.compile(
    r"(_RNvC\w*?_7___rustc)?(?:\d+_)?__(rust_alloc|rust_alloc_zeroed|rust_realloc|rust_dealloc)"
)


def _rust(crate: str | None, what: str) -> Known:
    free = f"{crate}14___rust_dealloc" if crate else "__rust_dealloc"
    match what:
        case "rust_dealloc":
            return Known("free", pointer=0)
        case "rust_realloc":
            return Known("reallocate", size=(3,), pointer=0, free=free, free_operands=(3, 2))
        case _:
            kind: Kind = "zero_allocate" if what.endswith("zeroed") else "allocate"
            return Known(kind, size=(0,), free=free, free_operands=(0, 1))


# -- intrinsics -------------------------------------------------------------------------------------------------------

_INACTIVE_INTRINSICS = re.compile(
    r"llvm\.(?:dbg|lifetime|invariant|assume|expect|donothing|trap|debugtrap|ubsantrap|prefetch|objectsize|is\.constant"
    r"|is\.fpclass|ctpop|ctlz|cttz|bswap|bitreverse|fsh[lr]|[su](?:min|max|cmp|add|sub|mul|shl|div)|abs|vscale"
    r"|stepvector"
    r"|get\.|set\.|reset\.|fpto[su]i\.sat|l?lrint|l?lround|readcyclecounter|readsteadycounter|var\.annotation|eh\."
    r"|experimental\.noalias|experimental\.constrained\.(?:fcmps?|fpto[su]i)|sideeffect|pseudoprobe|codeview|instrprof"
    r"|experimental\.widenable|allow\.|fake\.use|vector\.reduce\.(?:add|mul|and|or|xor|[su](?:min|max))"
    r"|get\.active\.lane\.mask|type\.test|clear_cache|x86\.(?:rdtsc|sse2?\.(?:pause|[lms]fence)|sse\.sfence))(?:\.|$)"
    # Comparisons of floats, and conversions of floats to integers.
    r"|llvm\.x86\.\w+\.(?:mask\.)?(?:u?comi\w+|vcomi|cmp|fpclass|movmsk|[vp]test\w+|v?cvtt?\.?[ps][sd]2u?(?:si|dq|qq))"
    r"|llvm\.(?:dbg|lifetime|invariant|get|set|reset|eh|instrprof|allow)\."
)


def _intrinsic(name: str) -> Known | None:
    if name.startswith(("llvm.memcpy.", "llvm.memmove.")):
        return Known("copy", size=(2,), pointer=0, source=1)
    if name.startswith("llvm.memset."):
        return Known("set", size=(2,), pointer=0, value=1)
    if name.startswith("llvm.x86.atomic."):  # of integers, such as a count of references
        return Known("inactive", operands=Operands((Operand("i"),)))
    return Known("inactive") if _INACTIVE_INTRINSICS.match(name) else None
