"""What the types that a compiler noted at accesses (TBAA) say: memory of one type is not read as another."""

from __future__ import annotations

from gradir.machine.ir import Instruction, Module
from gradir.machine.ir.metadata import Node

__all__ = ["types_differ"]

_BY_FUNCTION = "Flang function root"
"""How the root of TBAA's types begins of which there is one for each function."""


def types_differ(module: Module, a: Instruction, b: Instruction) -> bool:
    """Whether two accesses are of types that never share memory."""
    x, y = a.metadata.get("tbaa"), b.metadata.get("tbaa")
    if x is None or y is None or x == y:
        return False
    p, q = _access_type(module, x), _access_type(module, y)
    if p is None or q is None or p is q:
        return False
    ours, theirs = _ancestors(p), _ancestors(q)
    if ours[-1] != theirs[-1]:  # of two languages, or of two functions of Fortran's
        return False
    if (ours[-1].string(0) or "").startswith(_BY_FUNCTION):
        # Which dummy argument it was tells memory apart in one call of the function, not in two that are inlined.
        return ours[-3:-2] != theirs[-3:-2] and len(ours) > 2 and len(theirs) > 2
    return p not in theirs and q not in ours


def _access_type(module: Module, tag: str) -> Node | None:
    node = module.nodes.node(tag)
    return node.node(1) if node is not None and node.node(0) is not None else None


def _ancestors(type: Node) -> list[Node]:
    """A TBAA type and those that it is a special case of."""
    found = [type]
    for _ in range(32):
        parent = found[-1].node(1) if found[-1].string(0) is not None else None
        if parent is None:
            break
        found.append(parent)
    return found
