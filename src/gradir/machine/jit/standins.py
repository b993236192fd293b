"""Stand-ins for exceptions of libc++ in a process that has another C++ library.

What libc++'s headers throw on errors (`std::bad_optional_access` and its kind) has its type, its table of functions and
its destructor in libc++ itself. Here they are made from `std::exception`, which every C++ library has by the same name,
so that such an error can be thrown, caught and reported.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from typing import Any

__all__ = ["stand_in"]

_ERRORS = re.compile(
    r"_Z(?:T[ISV])?(?:NK?)?St(?:3__1)?.*"
    r"(?:bad_function_call|bad_array_new_length|bad_optional_access|bad_variant_access|verbose_abort|__throw_)"
)

_LIVING: list[Any] = []
"""Memory that stand-ins are made of. Code that refers to it may live as long as the process."""


def stand_in(name: str, find: Callable[[str], int]) -> int | None:
    """The address of a stand-in for a symbol, if it is one of an error; `find` finds those of the process's library."""
    if not _ERRORS.match(name):
        return None
    try:
        return _address(name, find)
    except LookupError:  # no C++ library at all: the process ends, as it would for an error nobody catches
        return find("abort")


def _address(name: str, find: Callable[[str], int]) -> int:
    if name.startswith("_ZTS"):
        return _text(name[4:])
    if name.startswith("_ZTI"):  # of a class that is derived from std::exception
        table = find("_ZTVN10__cxxabiv120__si_class_type_infoE") + 16
        return _words(table, _text(name[4:]), find("_ZTISt9exception"))
    if name.startswith("_ZTV"):
        return find("_ZTVSt9exception")
    if name.endswith("4whatEv"):
        return find("_ZNKSt9exception4whatEv")
    if re.search(r"D[012]Ev$", name):
        return find(f"_ZNSt9exception{name[-4:]}")
    if "__throw_system_error" in name:
        return find("_ZSt20__throw_system_errori")
    if "__throw_bad_function_call" in name:
        return find("_ZSt25__throw_bad_function_callv")
    return find("abort")


def _text(name: str) -> int:
    _LIVING.append(ctypes.create_string_buffer(name.encode()))
    return ctypes.addressof(_LIVING[-1])


def _words(*words: int) -> int:
    _LIVING.append((ctypes.c_uint64 * len(words))(*words))
    return ctypes.addressof(_LIVING[-1])
