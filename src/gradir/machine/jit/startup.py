"""What a program does before `main`: the constructors of its globals, run when its code is loaded.

Destructors of globals don't run: the code may be gone by the time the process ends.
"""

from __future__ import annotations

from gradir.machine.ir import Global
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.text.reader import read

__all__ = ["STARTUP", "with_startup"]

STARTUP = "gradir.startup"

_CONSTRUCTORS = "llvm.global_ctors"
_OWN = {
    "__dso_handle": "@__dso_handle = internal global i8 0",
    "__cxa_atexit": "define internal i32 @__cxa_atexit(ptr %function, ptr %object, ptr %library) {\n  ret i32 0\n}",
}
"""What C++ expects every shared object to have, and how destructors of globals are announced: nobody calls them."""

_SECTION = ' section "'
"""Exceptions don't find their way through code that is loaded in several sections."""


def with_startup(text: str) -> tuple[str, bool]:
    """A module's text as code that is loaded by itself needs it, and whether it has a function STARTUP to be called.

    >>> text, has = with_startup('''@k = global double 0.0
    ... @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 9, ptr @c, ptr null }]
    ... define internal void @c() {
    ...   store double 1.0, ptr @k
    ...   ret void
    ... }''')
    >>> has, "call void @c()" in text
    (True, True)
    """
    if not any(mark in text for mark in (f"@{_CONSTRUCTORS}", *(f"@{name}" for name in _OWN), _SECTION)):
        return text, False
    module = read(text)
    for function in module.functions_saying(_SECTION):
        function.signature.trailing.pop("section", None)
    made = []
    for name, definition in _OWN.items():
        if name in module.globals:
            module.remove(name)
            made.append(definition)
    found = _in_order(module.globals.get(_CONSTRUCTORS))
    if found:
        calls = "\n".join(f"  call void {ref}()" for ref in found)
        made.append(f"define void @{STARTUP}() {{\n{calls}\n  ret void\n}}")
    return "\n".join([str(module), *made, ""]), bool(found)


def _in_order(constructors: Global | None) -> list[str]:
    """The functions in an array of `{ priority, function, data }`, lowest priority first."""
    if constructors is None or constructors.initializer is None:
        return []
    entries = [part.parts for part in read_constant(constructors.value_type, constructors.initializer).parts]
    ordered = sorted(entries, key=lambda entry: entry[0].integer or 0)
    return [function.text for _, function, *_ in ordered if function.text != "null"]
