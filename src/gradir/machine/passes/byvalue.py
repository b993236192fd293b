"""Structs passed by value: the callee's own copy, made in plain sight.

A `byval` parameter is a pointer to a copy that the call makes. Derivatives take such a parameter as a plain pointer,
so the copy is
written out at the begin of the function, where it has a derivative like any other copy.
"""

from __future__ import annotations

import re

from gradir.machine.ir import Module

__all__ = ["with_own_copies"]

_PARAMETER = re.compile(r'ptr(?:(?! %)[^,])*?\bbyval\((%(?:"[^"]*"|[-\w.$]+)|[^()]*)\)[^,%]*(%(?:"[^"]*"|[-\w.$]+))')
_COPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"


def with_own_copies(module: Module) -> str:
    """The module's text, with the copies of `byval` parameters as instructions of the functions that have them."""
    lines: list[str] = []
    copies: list[str] = []
    for line in module.text.split("\n"):
        written = line
        if line.startswith("define ") and " byval(" in line:
            written, copies = _rewritten(line, module)
        lines.append(written)
        if copies and re.match(r'(?:"[^"]*"|[-\w.$]+):', line):
            lines += copies
            copies = []
    if not re.search(r"^declare .*@llvm\.memcpy\.p0\.p0\.i64\(", module.text, re.MULTILINE):
        lines.append(_COPY)
    return "\n".join(lines)


def _rewritten(header: str, module: Module) -> tuple[str, list[str]]:
    copies: list[str] = []

    def parameter(m: re.Match[str]) -> str:
        written, name = m[1], m[2]
        given = f'{name[:-1]}.given"' if name.endswith('"') else f"{name}.given"
        type = module.types.get(written)
        size = type.size if type is not None else 0
        found = re.search(r"\balign (\d+)", m[0])
        align = int(found[1]) if found else (type.align if type else 8)
        copies.append(f"  {name} = alloca {written}, align {align}")
        operands = f"ptr align {align} {name}, ptr align {align} {given}, i64 {size}, i1 false"
        copies.append(f"  call void @llvm.memcpy.p0.p0.i64({operands})")
        return f"ptr {given}"

    return _PARAMETER.sub(parameter, header), copies
