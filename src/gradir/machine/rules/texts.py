"""The C++ library's text, `std::string`: its members, and what they do with what they are passed.

Where all that is done with strings is calls of their members, as in code that nothing was inlined into yet, a string
is a few words that nobody else looks into, and the memory of its characters is the library's own.
"""

from __future__ import annotations

import re

from gradir.machine.rules.effects import Operand, Operands

__all__ = ["OPAQUE", "is_member", "member_operands", "size_of_text", "takes_string"]

OPAQUE = "gradir-opaque-text"
"""The attribute of members in a module where strings are worked on by these alone."""

_GNU = "St7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE"
_LLVM = "St3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE"
_ITSELF = {_GNU: "S4_", _LLVM: "S5_"}
"""How a member's name spells the string's own type after that was named."""
_SIZES = {_GNU: 32, _LLVM: 24}
_MEMBER = re.compile(rf"_ZN(K?)({_GNU}|{_LLVM})")
_CHANGES_MORE = re.compile("[OR][Sm]|4swap")
"""What is moved from, or swapped, or a reference to a number that may change."""
_COPIES_OUT = "4copyE"


def is_member(name: str) -> bool:
    """Whether a function is a member of `std::string`, of GNU's library or of LLVM's.

    >>> is_member("_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm"), is_member("_ZNSaIcEC1Ev")
    (True, False)
    """
    return _MEMBER.match(name) is not None


def size_of_text(name: str) -> int:
    """How many bytes a string has, of the library that a member belongs to."""
    found = _MEMBER.match(name)
    assert found is not None
    return _SIZES[found[2]]


def takes_string(name: str) -> bool:
    """Whether the first parameter of a member, besides its object, is another string.

    >>> [takes_string(f"_ZN{_GNU}{rest}") for rest in ("C1EOS4_", "6appendERKS4_", "6appendEPKcm")]
    [True, True, False]
    """
    found = _MEMBER.match(name)
    return found is not None and re.match(f"[^E]*E(?:RK|O|R){_ITSELF[found[2]]}", name[found.end() :]) is not None


def member_operands(name: str, *, gives_struct: bool) -> Operands:
    """What a member does with each operand. With `gives_struct`, the first is where its result goes.

    >>> [o.way for o in member_operands(f"_ZNK{_GNU}6substrEmm", gives_struct=True).each]
    ['i', 'r']
    >>> moves = member_operands(f"_ZN{_GNU}aSEOS4_", gives_struct=False)
    >>> moves[0].way, moves[1].way, moves.result
    ('i', 'i', 'own')
    """
    found = _MEMBER.match(name)
    assert found is not None
    told = name[found.end() :]
    rest = Operand("w" if told.startswith(_COPIES_OUT) else "i" if _CHANGES_MORE.search(told) else "r")
    itself = Operand("r" if found[1] else "i")
    return Operands((Operand("i"), itself) if gives_struct else (itself,), rest, "own")
