"""Functions that NumPy's arrays can be passed to: around each of a module's own, which take memrefs in pieces.

A tensor is an array too: an argument that is read, or for a result one more at the end, which is written.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.carriers import Tensor
from gradir.frontends.mlir.layout import Layout, llvm_type
from gradir.frontends.mlir.requests import Function, functions
from gradir.frontends.mlir.substrate import location_text
from gradir.machine.jit.signature import Argument, Parameter, Scalar, Several, Signature, Type, View

__all__ = ["add_entries"]

_FLOATS = {"f16": "half", "f32": "float", "f64": "double"}


def add_entries(module: ir.Module, but: Collection[str] = ()) -> dict[str, Signature]:
    """Add an entry for each public function, `but` some, that takes and gives what Python has; what these are."""
    described: dict[str, Signature] = {}
    with module.context, ir.Location.unknown():
        for function in list(functions(module).values()):
            if not function.is_private and function.has_body and function.name not in but:
                made = _entry(module, function)
                if made is not None:
                    described[made.symbol] = made
    return described


def _entry(module: ir.Module, function: Function) -> Signature | None:
    inputs, results = list(function.type.inputs), list(function.type.results)
    written = [t for t in results if isinstance(t, ir.RankedTensorType)]
    numbers = [t for t in results if not isinstance(t, ir.RankedTensorType)]
    kinds = [_argument_type(t) for t in (*inputs, *written)]
    gives = [_scalar(t) for t in numbers]
    if None in kinds or None in gives or not all(t.has_static_shape for t in written):
        return None
    names = _argument_names(function)
    arguments = tuple(Argument(n, t) for n, t in zip(names, kinds, strict=True) if t is not None)
    symbol = f"{function.name}.entry"
    with function.op.location:
        taken = _write(module, function, symbol, inputs, results)
    parameters = tuple(Parameter(_llvm_text(t)) for t in taken)
    scalars = [g for g in gives if g is not None]
    text = [_llvm_text(llvm_type(t)) for t in numbers]
    result: Type | None = scalars[0] if len(scalars) == 1 else Several(tuple(scalars))
    if not scalars:
        result = None
    result_text = "void" if not text else text[0] if len(text) == 1 else f"{{ {', '.join(text)} }}"
    place = location_text(function.op.location, "-")
    return Signature(symbol, function.name, arguments, result, parameters, result_text, place)


def _argument_names(function: Function) -> list[str]:
    """MLIR keeps no names of arguments: they are numbered, and so are results that are written."""
    results = [f"result{j}" for j, t in enumerate(function.type.results) if isinstance(t, ir.RankedTensorType)]
    return [*(f"arg{i}" for i in range(len(function.type.inputs))), *results]


def _argument_type(t: ir.Type) -> Type | None:
    if isinstance(t, ir.RankedTensorType):
        t = Tensor(t).buffer.type
    if not isinstance(t, ir.MemRefType):
        return _scalar(t)
    layout, element = Layout(t), _scalar(t.element_type)
    if element is None or element.kind == "b" or not layout.is_known:
        return None
    if layout.is_plain:
        return View(element, layout.rank, "C", tuple(layout.sizes))
    return None


def _scalar(t: ir.Type) -> Scalar | None:
    if isinstance(t, ir.FloatType):
        return Scalar("f", t.width, str(t)) if str(t) in _FLOATS else None
    if isinstance(t, ir.IndexType):
        return Scalar("i", 64, "index")
    if isinstance(t, ir.IntegerType) and t.width in (1, 8, 16, 32, 64):
        return Scalar("b", 8, "i1") if t.width == 1 else Scalar("u" if t.is_unsigned else "i", t.width, str(t))
    return None


def _llvm_text(t: ir.Type) -> str:
    return "ptr" if str(t) == "!llvm.ptr" else _FLOATS.get(str(t), str(t))


def _write(
    module: ir.Module, function: Function, symbol: str, inputs: Sequence[ir.Type], results: Sequence[ir.Type]
) -> list[ir.Type]:
    """Write the entry; its parameters: an array's address and all of its sizes, and numbers."""
    written = [t for t in results if isinstance(t, ir.RankedTensorType)]
    pieces = [_parameters(t) for t in (*inputs, *written)]
    taken = [t for piece in pieces for t in piece]
    numbers = [llvm_type(t) for t in results if not isinstance(t, ir.RankedTensorType)]
    made = emit.function(module, symbol, taken, numbers)
    block = ir.Block.create_at_start(made.regions[0], taken, [function.op.location] * len(taken))
    parameters = iter(block.arguments)
    given = [[next(parameters) for _ in piece] for piece in pieces]
    with ir.InsertionPoint(block):
        passed = [_passed(t, part) for t, part in zip(inputs, given, strict=False)]
        callee = ir.FlatSymbolRefAttr.get(function.name)
        call = ir.Operation.create("func.call", list(results), passed, attributes={"callee": callee})
        places, returned = iter(given[len(inputs) :]), []
        for result in call.results:
            if isinstance(result.type, ir.RankedTensorType):
                whole = Tensor(result.type)
                whole.put(result, whole.destinations([next(places)[0]]))
            else:
                returned.append(emit.cast(result, llvm_type(result.type)))
        emit.emit("func.return", [], returned)
    return taken


def _parameters(t: ir.Type) -> list[ir.Type]:
    if isinstance(t, ir.RankedTensorType):
        t = Tensor(t).buffer.type
    if isinstance(t, ir.MemRefType):
        return [emit.pointer(), *[emit.i64()] * Layout(t).rank]
    return [llvm_type(t)]


def _passed(t: ir.Type, parameters: Sequence[ir.Value]) -> ir.Value:
    if isinstance(t, ir.RankedTensorType):
        whole = Tensor(t)
        return whole.as_tensor(_passed(whole.buffer.type, parameters))
    if not isinstance(t, ir.MemRefType):
        return emit.cast(parameters[0], t)
    layout = Layout(t)
    unknown = [size for size, n in zip(parameters[1:], layout.sizes, strict=True) if n is None]
    return layout.rebuilt(parameters[0], unknown)
