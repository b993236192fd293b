"""One function of a module as a program of its own: what a back end runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import BackendError, GradirError, InputError
from gradir.tensor.ir.expr import i64
from gradir.tensor.ir.inline import callee_of, inline_calls
from gradir.tensor.ir.module import clone, expand_chlo, functions, location_text, operations, run_passes
from gradir.tensor.ir.signature import Signature, signature

__all__ = ["MAIN", "Program", "isolate", "single_device"]

MAIN = "main"

# What JAX says about buffers it may overwrite: true of its own call, not of ours.
_DONATION = ("tf.aliasing_output", "jax.buffer_donor")


@dataclass(frozen=True)
class Program:
    """A module whose one public function is `main`. `signature` still has the name its author gave it."""

    module: ir.Module
    signature: Signature
    replicas: int = 1
    partitions: int = 1

    def refined(self, shapes: Sequence[tuple[int, ...]]) -> Program:
        """The program for arguments of these shapes, where some dimensions were left open."""
        specs = [replace(spec, shape=shape) for spec, shape in zip(self.signature.arguments, shapes, strict=True)]
        module = clone(self.module)
        expand_chlo(module)
        types = ",".join(map(str, specs))
        inline_calls(module)  # a function that is called with different shapes can't be refined in place
        passes = (
            f"symbol-dce,stablehlo-refine-arguments{{types={types}}},stablehlo-refine-shapes,"
            "func.func(stablehlo-canonicalize-dynamism)"
        )
        try:
            run_passes(module, passes)
        except GradirError as error:
            reason = error.message.rpartition("failed: ")[2]
            raise InputError(
                f"{self.signature.name} can't take {', '.join(map(str, specs))}: {reason}", location=error.location
            ) from None
        _check_shape_assertions(module)
        made = signature(functions(module)[MAIN])
        if not made.is_static:
            raise BackendError(f"{self.signature.name}: shapes of results depend on values, which no back end runs")
        return replace(self, module=module, signature=replace(made, name=self.signature.name))


def isolate(module: ir.Module, function: str, *, rules: bool = False) -> Program:
    """A copy of `module` that holds `function`, as the public `main`, and what it calls.

    What only a further derivative has to know is taken out, unless `rules` says that one is to come.
    """
    called = None if rules else _called_from(module, function)
    copy = clone(module) if called is None else clone(module, keep=called)
    _make_plain(copy, rules=rules)
    found = functions(copy)
    made = signature(found[function])
    with copy.context:
        if function != MAIN:
            if MAIN in found:
                _rename(copy, found[MAIN], next(n for i in range(len(found) + 1) if (n := f"main_{i}") not in found))
            _rename(copy, found[function], MAIN)
        for op in found.values():
            op.attributes["sym_visibility"] = ir.StringAttr.get("private")
        del found[function].attributes["sym_visibility"]
        _drop_argument_attributes(found[function], lambda name: name in _DONATION)
        if "sym_name" not in copy.operation.attributes:  # some back ends name their program after it
            copy.operation.attributes["sym_name"] = ir.StringAttr.get(made.name)
    if called is None or any(not isinstance(op, func.FuncOp) for op in copy.body.operations):
        run_passes(copy, "symbol-dce")
    return Program(copy, made, _count(copy, "mhlo.num_replicas"), _count(copy, "mhlo.num_partitions"))


def _called_from(module: ir.Module, function: str) -> set[str] | None:
    """The names of a function and of those that it calls; None if an op might name functions in some other way."""
    found, names, todo = functions(module), {function}, [function]
    while todo:
        for op in operations(found[todo.pop()]):
            name = op.name
            if name == "func.call":
                if (callee := callee_of(op)) not in names:
                    names.add(callee)
                    todo.append(callee)
            elif _may_name_functions(op, name):
                return None
    return names


def _may_name_functions(op: ir.Operation, name: str) -> bool:
    if name == "stablehlo.custom_call":
        attributes = op.attributes
        return "called_computations" in attributes and len(ir.ArrayAttr(attributes["called_computations"])) > 0
    return name == "stablehlo.composite" or not name.startswith(_KNOWN)


_KNOWN = ("stablehlo.", "chlo.", "func.", "gradir.", "enzyme.ignore_derivatives")
"""How the names of ops begin that name no functions besides these."""


_MARKS = frozenset({"enzyme.ignore_derivatives", "gradir.saved", "gradir.given", "gradir.vary"})
_MARKED = frozenset({"func.func", "stablehlo.while", "stablehlo.all_reduce", "sdy.manual_computation"})
"""Ops and attributes of ops that only a further derivative has to know."""


def _make_plain(module: ir.Module, *, rules: bool) -> None:
    """Take out what only a further derivative has to know, unless that stays; sorts are written as XLA reads them."""
    sorts, wanted = list[ir.Operation](), list[ir.Operation]()

    def visit(op: ir.Operation) -> ir.WalkResult:
        name = op.name
        if name == "stablehlo.sort":
            sorts.append(op)
        elif name in _MARKS or name in _MARKED:
            wanted.append(op)
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    with module.context:
        for op in wanted if not rules else ():
            _drop_rules(op)
        for op in sorts:
            _count_dimension_from_the_first(op)


def _drop_rules(op: ir.Operation) -> None:
    if op.name in _MARKS:
        op.results[0].replace_all_uses_with(op.operands[len(op.operands) - 1])
        op.erase()
    else:
        for attribute in [a for a in op.attributes if a.startswith(("gradir.", "enzyme."))]:
            del op.attributes[attribute]


def _count_dimension_from_the_first(sort: ir.Operation) -> None:
    """StableHLO may count a sort's dimension from the last (and does where none is said); XLA takes it as it is.

    There it reads before the array's shape in memory, and a number below 2 that it finds there makes it drop the sort.
    """
    dim = ir.IntegerAttr(sort.attributes["dimension"]).value if "dimension" in sort.attributes else -1
    if dim < 0:
        sort.attributes["dimension"] = i64(dim + sort.operands[0].type.rank)


def _rename(module: ir.Module, function: func.FuncOp, name: str) -> None:
    old = ir.StringAttr(function.attributes["sym_name"]).value
    ir.SymbolTable.replace_all_symbol_uses(old, name, module.operation)
    ir.SymbolTable.set_symbol_name(function, name)


def _count(module: ir.Module, attribute: str) -> int:
    attributes = module.operation.attributes
    return ir.IntegerAttr(attributes[attribute]).value if attribute in attributes else 1


def _drop_argument_attributes(function: func.FuncOp, unwanted: Callable[[str], bool]) -> None:
    for key in ("arg_attrs", "res_attrs"):
        if key not in function.attributes:
            continue
        dictionaries = [
            ir.DictAttr.get({name: d[name] for name in (d[i].name for i in range(len(d))) if not unwanted(name)})
            for d in map(ir.DictAttr, ir.ArrayAttr(function.attributes[key]))
        ]
        function.attributes[key] = ir.ArrayAttr.get(dictionaries)


def _check_shape_assertions(module: ir.Module) -> None:
    """JAX writes what it demands of open dimensions as custom calls; with all shapes known, their truth is known."""
    for op in operations(module):
        if op.name != "stablehlo.custom_call" or _text(op, "call_target_name") != "shape_assertion":
            continue
        holds, *sizes = (_constant(value) for value in op.operands)
        if not holds:
            message = _text(op, "error_message").format(*sizes)
            raise InputError(message.partition(" Please see")[0], location=location_text(op.location))
        op.erase()


def _text(op: ir.Operation, attribute: str) -> str:
    return ir.StringAttr(op.attributes[attribute]).value


def _constant(value: ir.Value) -> int:
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.operation.name != "stablehlo.constant":
        raise BackendError("a demand on shapes that depends on values", location=location_text(value.location))
    return ir.IntegerAttr(ir.DenseElementsAttr(owner.attributes["value"]).get_splat_value()).value


def single_device(program: Program, backend: str) -> Program:
    """The program without what tells several devices apart: for a back end that has one device.

    Sharding annotations don't change what a program computes, so they are dropped; a program whose body speaks to
    other devices is refused.
    """
    if program.replicas > 1:
        raise BackendError(
            f"{program.signature.name} runs on {program.replicas} replicas, the {backend} back end on one device",
            hint="use backend='xla'",
        )
    module = clone(program.module)
    with module.context:
        for op in operations(module):
            if op.name == "sdy.mesh":
                op.erase()
            elif op.name in ("sdy.sharding_constraint", "sdy.reshard"):
                op.results[0].replace_all_uses_with(op.operands[0])
                op.erase()
            elif op.name.startswith("sdy."):
                raise BackendError(
                    f"{op.name} needs several devices, the {backend} back end has one",
                    location=location_text(op.location),
                    hint="use backend='xla'",
                )
            else:
                for attribute in [a for a in op.attributes if _is_sharding(a)]:
                    del op.attributes[attribute]
                if isinstance(op.opview, func.FuncOp):
                    _drop_argument_attributes(op.opview, _is_sharding)
    return Program(module, program.signature)


def _is_sharding(attribute: str) -> bool:
    return attribute.startswith("sdy.") or attribute in ("mhlo.sharding", "mhlo.num_partitions")
