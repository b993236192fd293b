"""Frees the buffers that tensors become, by upstream's ownership-based deallocation, where functions leave that to it.

Upstream's pass takes a function for the owner of all memory that it allocates, and of all that calls give it. So a
function is left alone if it handles memory by itself (it allocates or frees, or gives or is given memrefs), or needs a
function of tensors that is left alone: what that gives may be an argument of it. Buffers of such functions stay.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from torch_mlir import ir

from gradir.errors import InputError
from gradir.frontends.mlir import emit
from gradir.frontends.mlir.requests import Function, functions
from gradir.frontends.mlir.results import is_memory, made_by, pass_results
from gradir.frontends.mlir.substrate import operations, run_passes, run_passes_on

__all__ = ["frees_its_own", "owners", "release"]

_OWN_MEMORY = ("memref.alloc", "memref.dealloc", "memref.realloc", "bufferization.dealloc_tensor")
_STRUCTURED = frozenset({"func", "scf", "linalg", "tensor", "affine", "memref", "vector", "stablehlo"})
"""Dialects of ops with regions that the pass understands."""

_RELEASE = (
    "canonicalize",
    "ownership-based-buffer-deallocation",
    "canonicalize",
    "buffer-deallocation-simplification",
)


def frees_its_own(module: ir.Module) -> set[str]:
    """The functions whose text handles memory by itself."""
    return {
        f.name
        for f in functions(module).values()
        if any(op.name in _OWN_MEMORY for op in operations(f.op)) or any(map(is_memory, f.type.results))
    }


def owners(module: ir.Module, but: Iterable[str]) -> list[str]:
    """The functions, `but` some, whose tensors' buffers can be freed. The module is one that still has tensors."""
    known, left_out = functions(module), set(but)
    found = {name: f for name, f in known.items() if f.has_body and name not in left_out and _is_simple(f)}
    more = True
    while more:
        owned = {name for name, f in found.items() if all(_is_owned(op, known, found) for op in _calls(f))}
        more = len(owned) < len(found)
        found = {name: found[name] for name in found if name in owned}
    return list(found)


def _is_simple(function: Function) -> bool:
    ops = operations(function.op)
    tensors = any(isinstance(v.type, ir.RankedTensorType) for op in ops for v in (*op.operands, *op.results))
    return tensors and all(
        op.name.partition(".")[0] in _STRUCTURED and all(len(region.blocks) <= 1 for region in op.regions)
        for op in ops
        if len(op.regions)
    )


def _calls(function: Function) -> Iterator[ir.Operation]:
    return (op for op in operations(function.op) if op.name in ("func.call", "func.call_indirect"))


def _is_owned(call: ir.Operation, known: dict[str, Function], found: dict[str, Function]) -> bool:
    """Whether a call gives no memory, or memory that is the caller's from then on."""
    types = [r.type for r in call.results]
    if any(map(is_memory, types)):
        return False
    if not any(isinstance(t, (ir.RankedTensorType, ir.UnrankedTensorType)) for t in types):
        return True
    return call.name == "func.call" and ir.FlatSymbolRefAttr(call.attributes["callee"]).value in found


def release(module: ir.Module, names: Collection[str], name: str) -> None:
    """Let functions free what they own, in place; none of them, if upstream can't say it of one."""
    before = {f.name: f.op.clone() for f in functions(module).values()}
    try:
        with module.context:
            names = pass_results(module, names)
        chosen = [f.op for f in functions(module).values() if f.name in names]
        for op in chosen:
            _give_fresh(op)
            run_passes_on(op, _RELEASE, name)
            _tell_apart(op, names)
    except InputError:
        _restore(module, before)
        return
    run_passes(module, ["bufferization-lower-deallocations"], name)
    for op in chosen:
        run_passes_on(op, ("cse", "canonicalize"), name)


def _restore(module: ir.Module, before: Mapping[str, ir.Operation]) -> None:
    for function in functions(module).values():
        function.op.erase()
    for op in before.values():
        with module.context:
            ir.InsertionPoint(module.body).insert(op)


# -- Results of calls ------------------------------------------------------------------------------------------------


def _give_fresh(function: ir.Operation) -> None:
    """Let a function of several results give memory that none of them shares with another."""
    for end in [op for op in operations(function) if op.name == "func.return"]:
        seen: set[ir.Value] = set()
        several = sum(is_memory(v.type) for v in end.operands) > 1
        for n, value in enumerate(end.operands):
            if several and is_memory(value.type):
                made = made_by(value, "memref.alloc")
                if made is None or value in seen:
                    with end.location, ir.InsertionPoint(end):
                        end.operands[n] = emit.emit("bufferization.clone", [value.type], [value])
                seen.add(value)


def _tell_apart(function: ir.Operation, fresh: Collection[str]) -> None:
    """Let memory be freed by itself where it is that of allocations and of calls of functions that give fresh memory.

    Upstream doesn't know that the results of calls are not one another, and compares their addresses.
    """
    for op in [o for o in operations(function) if o.name == "bufferization.dealloc"]:
        memrefs, conditions, retained = _segments(op)
        if retained or len(memrefs) < 2 or not _all_apart(memrefs, fresh):
            continue
        with op.location, ir.InsertionPoint(op):
            for memref, condition in zip(memrefs, conditions, strict=True):
                segments = ir.DenseI32ArrayAttr.get([1, 1, 0])
                emit.emit("bufferization.dealloc", [], [memref, condition], operandSegmentSizes=segments)
        op.erase()


def _segments(op: ir.Operation) -> list[list[ir.Value]]:
    found, at = [], 0
    for n in ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]):
        found.append(list(op.operands)[at : at + n])
        at += n
    return found


def _all_apart(memrefs: Collection[ir.Value], fresh: Collection[str]) -> bool:
    roots = [_base(m) for m in memrefs]
    return len(set(roots)) == len(roots) and all(
        made_by(root, "memref.alloc") is not None
        or (
            (call := made_by(root, "func.call")) is not None
            and ir.FlatSymbolRefAttr(call.attributes["callee"]).value in fresh
        )
        for root in roots
    )


def _base(memref: ir.Value) -> ir.Value:
    """The memref whose allocated memory a value is."""
    made = made_by(memref, "memref.extract_strided_metadata")
    return memref if made is None else made.operands[0]
