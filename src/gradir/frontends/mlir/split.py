"""A module with functions of both levels, taken apart function by function.

A function is of the machine level if it uses one of that level's dialects, takes or gives anything but tensors, or
needs a function that does. What it needs comes along, StableHLO included: that is lowered like the rest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from torch_mlir import ir

from gradir.frontends.mlir.levels import MACHINE
from gradir.frontends.mlir.requests import Function, functions
from gradir.frontends.mlir.substrate import operations

__all__ = ["drop_machine_level", "drop_tensor_level", "of_machine_level"]

_NAMES_A_FUNCTION = ("callee", "fn", "decomposition", "called_computations", "value")


def of_machine_level(module: ir.Module) -> set[str]:
    """The functions that are lowered to LLVM IR."""
    known = functions(module)
    found = {name for name, f in known.items() if _uses_machine_level(f)}
    more = True
    while more:
        needing = {name for name, f in known.items() if name not in found and found & set(_needed(f))}
        found |= needing
        more = bool(needing)
    return found


def drop_tensor_level(module: ir.Module) -> None:
    """Leave the functions of the machine level, and what they need."""
    known = functions(module)
    kept: set[str] = set()
    waiting = sorted(of_machine_level(module))
    while waiting:
        name = waiting.pop()
        if name not in kept and name in known:
            kept.add(name)
            waiting += _needed(known[name])
    _drop(known, kept)


def drop_machine_level(module: ir.Module) -> None:
    """Leave the functions of the tensor level."""
    known = functions(module)
    _drop(known, set(known) - of_machine_level(module))
    for view in list(module.body.operations):
        if view.operation.name not in ("func.func", "sdy.mesh"):
            view.operation.erase()


def _drop(known: Mapping[str, Function], kept: set[str]) -> None:
    for name, function in known.items():
        if name not in kept:
            function.op.erase()


def _uses_machine_level(function: Function) -> bool:
    t = function.type
    if any(not isinstance(v, (ir.RankedTensorType, ir.UnrankedTensorType)) for v in (*t.inputs, *t.results)):
        return not any(str(v).startswith("!stablehlo") for v in (*t.inputs, *t.results))
    return any(
        op.name.partition(".")[0] in MACHINE or (op.name.startswith("arith.") and op.name != "arith.constant")
        for op in operations(function.op)
    )


def _needed(function: Function) -> Iterator[str]:
    for op in operations(function.op):
        for attribute in _NAMES_A_FUNCTION:
            if attribute in op.attributes:
                yield from _symbols(op.attributes[attribute])


def _symbols(attribute: ir.Attribute) -> Iterator[str]:
    if isinstance(attribute, ir.FlatSymbolRefAttr):
        yield attribute.value
    elif isinstance(attribute, ir.ArrayAttr):
        for element in attribute:
            yield from _symbols(element)
