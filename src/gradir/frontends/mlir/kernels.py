"""Kernels of the `gpu` dialect as loops over blocks and threads on the host.

Threads that never wait for each other may run one after the other. Memory of the device is memory of the host here, and
what is asynchronous happens in the order of the text. What needs threads at the same time, or memory that a block
shares, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from torch_mlir import ir

from gradir.errors import NoRule
from gradir.frontends.mlir import emit
from gradir.frontends.mlir.substrate import location_text, operations

__all__ = ["run_on_host"]

_COORDINATES = {"gpu.block_id": 0, "gpu.thread_id": 3, "gpu.grid_dim": 6, "gpu.block_dim": 9}
"""Where the three numbers that an op asks for stand among those that a kernel is given."""
_DIMENSIONS = {"#gpu<dim x>": 0, "#gpu<dim y>": 1, "#gpu<dim z>": 2}

Body = Callable[[Sequence[ir.Value]], None]


def run_on_host(module: ir.Module) -> None:
    """Replace every op of the `gpu` dialect, in place."""
    ops = [op for op in operations(module.operation) if op.name.startswith("gpu.")]
    if not ops:
        return
    for op in ops:
        if op.name not in _KNOWN:
            raise NoRule(
                f"{op.name}: kernels run on the host here, one thread after the other",
                location=location_text(op.location, "-"),
                hint="split the kernel where its threads wait for each other, or write the loop in scf.parallel",
            )
    work = [op for op in ops if op.name in _LOWER]
    holders = [op for op in ops if op.name == "gpu.module"]
    kernels = {}
    for op in [o for o in ops if o.name == "gpu.func"]:
        with op.location:
            name = _symbol(op.parent.operation), _symbol(op)
            kernels[name] = _as_function(op, "_".join(name), module)
    for op in work:
        with op.location, ir.InsertionPoint(op):
            _LOWER[op.name](op, kernels)
    for op in [*reversed(work), *holders]:  # those that wait for others before them
        op.erase()


def _symbol(op: ir.Operation) -> str:
    return ir.StringAttr(op.attributes["sym_name"]).value


def _refuse(op: ir.Operation, what: str) -> NoRule:
    place = location_text(op.location, "-")
    return NoRule(f"{op.name}: {what}", location=place, hint="use memory that is passed to it")


# -- Kernels ---------------------------------------------------------------------------------------------------------


def _as_function(op: ir.Operation, name: str, module: ir.Module) -> str:
    """A kernel as a function, which takes the numbers of its block and thread, and how many there are, at the end."""
    t = ir.FunctionType(ir.TypeAttr(op.attributes["function_type"]).value)
    index = ir.IndexType.get()
    block = op.regions[0].blocks[0]
    if len(block.arguments) != len(t.inputs):
        raise _refuse(op, "memory of its own for a block or a thread is not supported")
    given = [block.add_argument(index, op.location) for _ in range(12)]
    for inner in operations(op):
        if inner.name in _COORDINATES:
            place = _COORDINATES[inner.name] + _DIMENSIONS[str(inner.attributes["dimension"])]
            inner.results[0].replace_all_uses_with(given[place])
            inner.erase()
        elif inner.name == "gpu.return":
            with ir.InsertionPoint(inner), inner.location:
                emit.emit("func.return", [], list(inner.operands))
            inner.erase()
    made = emit.private_function(module, name, [*t.inputs, *[index] * 12], t.results)
    _move_blocks(op.regions[0], made.regions[0])
    return name


def _move_blocks(source: ir.Region, target: ir.Region) -> None:
    for block in list(source.blocks):
        block.append_to(target)


def _launch_function(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    """``gpu.launch_func @module::@kernel blocks in (...) threads in (...) args(...)``"""
    segments = list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
    parts, at = [], 0
    for n in segments:
        parts.append(list(op.operands)[at : at + n])
        at += n
    sizes = [value for part in parts[1:7] for value in part]
    name = kernels.get(tuple(ir.SymbolRefAttr(op.attributes["kernel"]).value))  # type: ignore[arg-type]
    if name is None or len(sizes) != 6 or any(parts[7:11]):
        raise _refuse(op, "only blocks and threads of a kernel of this module can be launched")
    arguments = parts[11]
    callee = ir.FlatSymbolRefAttr.get(name)

    def body(coordinates: Sequence[ir.Value]) -> None:
        emit.emit("func.call", [], [*arguments, *coordinates, *sizes], callee=callee)

    _loops([_as_index(v) for v in sizes], body)


def _launch(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    """``gpu.launch blocks(...) in (...) threads(...) in (...) { ... }``"""
    del kernels
    region = op.regions[0]
    sizes = [v for v in op.operands if isinstance(v.type, ir.IndexType)]
    block = region.blocks[0]
    if len(sizes) != 6 or len(block.arguments) != 12:
        raise _refuse(op, "clusters, shared memory and memory of its own for a thread are not supported")

    def body(coordinates: Sequence[ir.Value]) -> None:
        inner = ir.Operation.create("scf.execute_region", regions=1)
        for argument, value in zip(block.arguments, [*coordinates, *sizes], strict=True):
            argument.replace_all_uses_with(value)
        for _ in sizes * 2:
            block.erase_argument(0)
        _move_blocks(region, inner.regions[0])
        for nested in operations(inner):
            if nested.name == "gpu.terminator":
                with ir.InsertionPoint(nested):
                    emit.emit("scf.yield", [], [])
                nested.erase()

    _loops(sizes, body)


def _as_index(value: ir.Value) -> ir.Value:
    index = ir.IndexType.get()
    return value if value.type == index else emit.emit("arith.index_cast", [index], [value])


def _loops(counts: Sequence[ir.Value], body: Body, done: Sequence[ir.Value] = ()) -> None:
    """A loop from zero to each count, one in the other."""
    if len(done) == len(counts):
        body(done)
        return
    index = ir.IndexType.get()
    zero, one = (emit.emit("arith.constant", [index], [], value=ir.IntegerAttr.get(index, n)) for n in (0, 1))
    loop = ir.Operation.create("scf.for", [], [zero, counts[len(done)], one], regions=1)
    block = ir.Block.create_at_start(loop.regions[0], [index], [ir.Location.current])
    with ir.InsertionPoint(block):
        _loops(counts, body, [*done, block.arguments[0]])
        emit.emit("scf.yield", [], [])


# -- Memory ----------------------------------------------------------------------------------------------------------


def _alloc(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    del kernels
    sizes = [v for v in op.operands if isinstance(v.type, ir.IndexType)]
    segments = ir.DenseI32ArrayAttr.get([len(sizes), 0])
    made = emit.emit("memref.alloc", [op.results[0].type], sizes, operandSegmentSizes=segments)
    op.results[0].replace_all_uses_with(made)


def _values(op: ir.Operation) -> list[ir.Value]:
    return [v for v in op.operands if str(v.type) != "!gpu.async.token"]


def _dealloc(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    del kernels
    emit.emit("memref.dealloc", [], _values(op))


def _memcpy(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    del kernels
    target, source = _values(op)
    emit.emit("memref.copy", [], [source, target])


def _nothing(op: ir.Operation, kernels: dict[tuple[str, str], str]) -> None:
    del op, kernels


_LOWER = {
    "gpu.launch": _launch,
    "gpu.launch_func": _launch_function,
    "gpu.alloc": _alloc,
    "gpu.dealloc": _dealloc,
    "gpu.memcpy": _memcpy,
    "gpu.wait": _nothing,
    "gpu.host_register": _nothing,
    "gpu.host_unregister": _nothing,
}
_KNOWN = {*_LOWER, *_COORDINATES, "gpu.func", "gpu.module", "gpu.return", "gpu.terminator"}
