"""Strings of the C++ library stay closed: their members are neither inlined nor looked into.

A string of a few characters lies in itself, so that its own pointer leads to the struct around it: in code that members
were inlined into, bytes of text and the numbers beside them can't be told apart. As calls they can: only members know
how a string is made, nobody else follows its pointer, and no derivative is in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.analysis.bytes.types import TypeAnalysis
from gradir.machine.analysis.languages.texts import keeps_numbers
from gradir.machine.ir import Function, Module
from gradir.machine.ir.text.reader import read
from gradir.machine.rules.texts import OPAQUE, is_member

__all__ = ["are_to_be_opened", "close", "leave_open", "mark", "open_again", "take_out"]

_APART = "linkonce"
"""LLVM assumes nothing of the body of such a function, since another may take its place, and drops it if unused."""

_WRITES_NUMBER = "_ZN9__gnu_cxx12__to_xstring"
"""What `std::to_string` calls for floats, with a variable number of arguments."""


def mark(module: Module) -> bool:
    """Say that members alone work on strings in a module, which comes as the front end wrote it. Whether there are
    any."""
    found = [f for f in module.functions.values() if is_member(f.name)]
    for function in found:
        function.attributes.add(f'"{OPAQUE}"')
    return bool(found)


def leave_open(module: Module) -> None:
    """Take the mark away: there is other code that works on strings."""
    for function in _members(module):
        function.attributes.remove(OPAQUE)


def close(module: Module) -> None:
    """Keep LLVM from looking into members, or from inlining them."""
    for function in _members(module):
        if function.is_declaration:
            continue
        function.attributes.remove("alwaysinline")
        if function.signature.linkage == "available_externally":
            function.become_declaration()
        else:
            function.signature.linkage = _APART


def open_again(module: Module) -> None:
    """Make members internal as all other functions are, once LLVM has seen the others."""
    for function in _members(module):
        if not function.is_declaration:
            function.signature.linkage = "internal"
            function.signature.trailing.pop("comdat", None)


def take_out(module: Module) -> bool:
    """Take the bodies of members out of what analyses see. Whether there are any members."""
    members = list(_members(module))
    writing = [f for f in module.definitions if f.name.startswith(_WRITES_NUMBER)]
    for function in (*members, *writing):
        if not function.is_declaration:
            function.become_declaration()
    return bool(members)


def are_to_be_opened(text: str) -> bool:
    """Whether the bytes of numbers may be kept in strings, and all members have a body, so that they can be followed
    there."""
    if OPAQUE not in text:
        return False
    module = read(text)
    bodies = [not f.is_declaration for f in _members(module)]
    return all(bodies) and take_out(module) and keeps_numbers(module, TypeAnalysis(module)) is not None


def _members(module: Module) -> Iterator[Function]:
    for function in module.functions_saying(OPAQUE):
        if is_member(function.name):
            yield function
