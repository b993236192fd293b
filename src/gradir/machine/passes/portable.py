"""LLVM text that older LLVMs read too: what newer ones have added is dropped or said in the old words.

A derivative is made by the LLVM inside llvmlite; what compiles and links it is the user's, often some versions behind.
All that is dropped are facts that help the optimiser, which has had its turn.

Text that comes out of this is read by LLVM 17 and newer (15 and 16 too, but for the debug records of LLVM 19).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

__all__ = ["portable"]

_NEW_FLAGS = re.compile(r" (icmp|trunc|or|zext|uitofp)(?: samesign| disjoint| nneg| nuw| nsw)+(?= )")
_ADDRESS_FLAGS = re.compile(r"\bgetelementptr((?: inbounds| nusw| nuw)+)(?= )")
_DROPPED_ATTRIBUTES = re.compile(
    r" (?:captures|initializes|range|nofpclass)\((?:[^()]|\([^()]*\))*\)"
    r"| (?:dead_on_return|dead_on_unwind|writable|nocreateundeforpoison|noext|nooutline|nodivergencesource)"
    r"(?:\(\d+\))?(?=[ ,)]|$)"
)
_NEW_FIELDS = re.compile(r", (?:keyInstructions: \w+|atomGroup: \d+|atomRank: \d+)")
_NEW_MEMORY = re.compile(r" memory\([^()]*(?:errnomem|target_mem)[^()]*\)")
_LIFETIME = re.compile(r"^(?:  (?:tail )?call void|declare void) @llvm\.lifetime\.(?:start|end)\.p0\(")
_MASKED = re.compile(r"@llvm\.masked\.(load|store|gather|scatter)\.[\w.]+\(")
_MATH = re.compile(r"@llvm\.(tan|asin|acos|atan|atan2|sinh|cosh|tanh|exp10|ldexp)\.(f32|f64|f80)(?:\.i32)?\(")
_SUFFIXES = {"f32": "f", "f64": "", "f80": "l"}
_DECLARED = re.compile(r"^(?:declare|define) [^@]*@([-\w.$]+)\(", re.MULTILINE)
_SPLAT = re.compile(r"splat \(((?:i\d+|half|bfloat|float|double|ptr) [^()]*)\)")


def portable(text: str) -> str:
    """Rewrite a module's text.

    >>> portable("declare double @f(ptr captures(none), i32) #0")
    'declare double @f(ptr nocapture, i32) #0'
    """
    lines = (line for line in text.split("\n") if not _LIFETIME.match(line))
    return "\n".join(_portable_line(line) for line in _with_libm(lines, set(_DECLARED.findall(text))))


def _with_libm(lines: Iterable[str], declared: set[str]) -> Iterator[str]:
    """Functions of libm, where there are intrinsics for them that LLVM 17 doesn't know."""
    for line in lines:
        match = _MATH.search(line) if "@llvm." in line else None
        if match is None:
            yield line
            continue
        name = match[1] + _SUFFIXES[match[2]]
        renamed = f"{line[: match.start()]}@{name}({line[match.end() :]}"
        if not line.startswith("declare "):
            yield renamed
        elif name not in declared:
            declared.add(name)
            yield renamed[: renamed.rindex(")") + 1]  # what is said of an intrinsic may not hold for the function


def _portable_line(line: str) -> str:
    if line.startswith("!"):
        return _NEW_FIELDS.sub("", line)
    if not line.startswith(("  ", "define ", "declare ", "attributes ")):
        return line
    if " splat (" in line:
        line = _SPLAT.sub(lambda m: _elements(m[1], line[: m.start()]), line)
    if "@llvm.masked." in line and (match := _MASKED.search(line)):
        line = _old_masked(line, match)
    line = line.replace(" captures(none)", " nocapture")
    line = _DROPPED_ATTRIBUTES.sub("", line)
    if line.startswith("  "):
        line = _NEW_FLAGS.sub(r" \1", line)
        line = _ADDRESS_FLAGS.sub(lambda m: f"getelementptr{' inbounds' if 'inbounds' in m[1] else ''}", line)
    return _NEW_MEMORY.sub("", line)


def _elements(element: str, before: str) -> str:
    """A constant with one value in all lanes, written out; the nearest vector type before it says how many."""
    type = element.partition(" ")[0]
    counts = re.findall(rf"<(\d+) x {type}>", before)
    if not counts:
        return f"splat ({element})"
    return f"<{', '.join([element] * int(counts[-1]))}>"


def _old_masked(line: str, match: re.Match[str]) -> str:
    """Until LLVM 21 the alignment of a masked access was an operand, not an attribute of the pointer."""
    operands, end = _operands(line, match.end())
    at = 0 if match[1] in ("load", "gather") else 1
    pointer = operands[at]
    is_declaration = line.startswith("declare ")
    align = re.search(r" align (\d+)", pointer)
    operands[at] = re.sub(r" align \d+", "", pointer)
    operands.insert(at + 1, "i32" if is_declaration else f"i32 {align[1] if align else 1}")
    return f"{line[: match.end()]}{', '.join(operands)}{line[end:]}"


def _operands(line: str, start: int) -> tuple[list[str], int]:
    """The operands of a call, and where its parenthesis closes."""
    depth, begin, found = 0, start, list[str]()
    for m in re.finditer(r'"[^"]*"|[][(){}<>,]', line[start:]):
        at = start + m.start()
        if m[0] in "([{<":
            depth += 1
        elif m[0] in ")]}>":
            depth -= 1
            if depth < 0:
                return [*found, line[begin:at].strip()], at
        elif m[0] == "," and depth == 0:
            found.append(line[begin:at].strip())
            begin = at + 1
    return found, len(line)
