"""What functions and calls say of their own derivatives, as the machine level reads it.

A call of a function that carries no derivative, and a function with a rule of its own (`gradir.jvp`, `gradir.vjp`),
become what C would write: LLVM's attribute `enzyme_inactive`, and globals `__enzyme_register_…` of functions whose
arguments are in the order that the machine level has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from torch_mlir import ir

from gradir.frontends.mlir import emit
from gradir.frontends.mlir.layout import llvm_type
from gradir.frontends.mlir.requests import Function, functions, refusal
from gradir.frontends.mlir.substrate import operations

__all__ = ["say_rules"]

_INACTIVE = ("enzyme_inactive", "enzyme.inactive", "gradir.inactive")
_OF_THE_TENSOR_LEVEL = ("gradir.implicit", "gradir.fixed_point")


def say_rules(module: ir.Module) -> None:
    """Bring all that a module says into the machine level's words, in place."""
    known = functions(module)
    for function in known.values():
        if _is_inactive(function.op):
            _mark(function.op)
    for op in operations(module.operation):
        if op.name == "func.call" and _is_inactive(op):
            _call_inactively(op, known, module)
    for function in known.values():
        _say_rule(function, known, module)


def _is_inactive(op: ir.Operation) -> bool:
    return any(name in op.attributes for name in _INACTIVE)


def _mark(function: ir.Operation) -> None:
    said = list(function.attributes.get("llvm.passthrough", []))
    function.attributes["llvm.passthrough"] = ir.ArrayAttr.get([*said, ir.StringAttr.get("enzyme_inactive")])


def _call_inactively(op: ir.Operation, known: Mapping[str, Function], module: ir.Module) -> None:
    """Let a call go through a function that is marked."""
    callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
    name, t = f"{callee}.inactive", known[callee].type
    if name not in functions(module):
        with op.location:
            made = emit.private_function(module, name, t.inputs, t.results)
            _mark(made)
            _body(made, t.inputs, lambda given: _call(callee, t.results, given))
    op.attributes["callee"] = ir.FlatSymbolRefAttr.get(name)


# -- Rules of one's own ----------------------------------------------------------------------------------------------


def _say_rule(function: Function, known: Mapping[str, Function], module: ir.Module) -> None:
    for name in _OF_THE_TENSOR_LEVEL:
        if name in function.op.attributes:
            raise _refusal(function, f"{name} is a rule of the tensor level", "give it gradir.jvp and gradir.vjp")
    with function.op.location:
        if "gradir.jvp" in function.op.attributes:
            (rule,) = _named(function, "gradir.jvp", known)
            _register(module, function, "derivative", [_forward(function, rule, module)])
            if "gradir.vjp" not in function.op.attributes:
                transposed = [_transposed(function, rule, module)]
                _register(module, function, "gradient", _reverse(function, transposed, functions(module), module))
        if "gradir.vjp" in function.op.attributes:
            rules = _named(function, "gradir.vjp", known)
            _register(module, function, "gradient", _reverse(function, rules, known, module))


def _refusal(function: Function, message: str, hint: str) -> Exception:
    return refusal(function.op, f"@{function.name}: {message}", hint)


def _named(function: Function, attribute: str, known: Mapping[str, Function]) -> list[str]:
    said = function.op.attributes[attribute]
    symbols = list(said) if isinstance(said, ir.ArrayAttr) else [said]
    names = [ir.FlatSymbolRefAttr(s).value for s in symbols if isinstance(s, ir.FlatSymbolRefAttr)]
    if len(names) != len(symbols) or len(names) > (2 if attribute == "gradir.vjp" else 1) or not names:
        raise _refusal(function, f"{attribute} = {said} names no rule", "see the attributes of functions in rules.md")
    if missing := [n for n in names if n not in known]:
        raise _refusal(function, f"there is no function @{missing[0]}", f"the module holds @{', @'.join(known)}")
    numbers = [*function.type.inputs, *function.type.results]
    if any(not isinstance(t, (ir.FloatType, ir.IntegerType, ir.IndexType)) for t in numbers):
        message = f"{attribute} of a function of {', '.join(map(str, numbers))}"
        raise _refusal(function, f"{message}: at the machine level, rules are of numbers", "pass and return numbers")
    if len(function.type.results) != 1:
        raise _refusal(function, f"{attribute} of a function with {len(function.type.results)} results", "return one")
    return names


def _check(function: Function, rule: Function, inputs: Sequence[ir.Type], results: Sequence[ir.Type] | None) -> None:
    t = rule.type
    if list(t.inputs) != list(inputs) or (results is not None and list(t.results) != list(results)):
        gives = "" if results is None else f" and gives ({', '.join(map(str, results))})"
        raise _refusal(
            function,
            f"its rule @{rule.name} takes ({', '.join(map(str, inputs))}){gives}, but has type {t}",
            "there is a tangent or a cotangent for every argument or result of a float type, in order",
        )


def _floats(types: Sequence[ir.Type]) -> list[ir.Type]:
    return [t for t in types if isinstance(t, ir.FloatType)]


def _forward(function: Function, rule: str, module: ir.Module) -> str:
    """The rule with each tangent behind its argument."""
    inputs, results = list(function.type.inputs), list(function.type.results)
    gives = [*results, *_floats(results)]
    _check(function, functions(module)[rule], [*inputs, *_floats(inputs)], gives)
    mixed = [t for one in inputs for t in (one, one)[: 1 + isinstance(one, ir.FloatType)]]

    def body(given: Sequence[ir.Value]) -> Sequence[ir.Value]:
        primals, tangents, parts = [], [], iter(given)
        for t in inputs:
            primals.append(next(parts))
            if isinstance(t, ir.FloatType):
                tangents.append(next(parts))
        return _call(rule, gives, [*primals, *tangents])

    name = f"{function.name}.forward"
    _body(emit.private_function(module, name, mixed, gives), mixed, body)
    return name


def _transposed(function: Function, rule: str, module: ir.Module) -> str:
    """A vjp that is made of a jvp: the tangent in each direction, times the cotangent."""
    inputs, (result,) = list(function.type.inputs), function.type.results
    floats, taken = _floats(inputs), [*inputs, *_floats([result])]

    def body(given: Sequence[ir.Value]) -> Sequence[ir.Value]:
        if not isinstance(result, ir.FloatType):
            return [_number(0.0, t) for t in floats]
        made = []
        for n, t in enumerate(floats):
            unit = [_number(float(k == n), s) for k, s in enumerate(floats)]
            _, tangent = _call(rule, [result, result], [*given[:-1], *unit])
            made.append(_as(emit.emit("arith.mulf", [result], [tangent, given[-1]]), t))
        return made

    name = f"{function.name}.transposed"
    _body(emit.private_function(module, name, taken, floats), taken, body)
    return name


def _number(value: float, t: ir.Type) -> ir.Value:
    return emit.emit("arith.constant", [t], [], value=ir.FloatAttr.get(t, value))


def _as(value: ir.Value, t: ir.Type) -> ir.Value:
    if value.type == t:
        return value
    wider = ir.FloatType(t).width > ir.FloatType(value.type).width
    return emit.emit("arith.extf" if wider else "arith.truncf", [t], [value])


def _reverse(function: Function, rules: Sequence[str], known: Mapping[str, Function], module: ir.Module) -> list[str]:
    """The function that keeps what the rule needs, and the rule, which takes that last."""
    inputs, results = list(function.type.inputs), list(function.type.results)
    gives, cotangents = _floats(inputs), _floats(results)
    if len(rules) == 2:
        kept = list(known[rules[0]].type.results)[1:]
        _check(function, known[rules[0]], inputs, [*results, *kept])
        _check(function, known[rules[1]], [*kept, *cotangents], gives)
    else:
        kept = inputs
        _check(function, known[rules[0]], [*inputs, *cotangents], gives)
    if any(llvm_type(t) is None for t in kept):
        raise _refusal(function, f"@{rules[0]} keeps {', '.join(map(str, kept))}", "keep numbers and vectors")
    tape = ir.Type.parse(f"!llvm.struct<({', '.join(str(llvm_type(t)) for t in kept)})>")

    def augmented(given: Sequence[ir.Value]) -> Sequence[ir.Value]:
        if len(rules) == 2:
            value, *residuals = _call(rules[0], [*results, *kept], given)
        else:
            (value,), residuals = _call(function.name, results, given), list(given)
        packed = emit.emit("llvm.mlir.poison", [tape], [])
        for n, part in enumerate(residuals):
            packed = emit.insert(emit.cast(part, llvm_type(part.type)), packed, n)
        return [packed, value]

    def reverse(given: Sequence[ir.Value]) -> Sequence[ir.Value]:
        *_, packed = given
        parts = [emit.cast(emit.extract(packed, llvm_type(t), n), t) for n, t in enumerate(kept)]
        return _call(rules[-1], gives, [*parts, *given[len(inputs) : -1]])

    names = [f"{function.name}.augmented", f"{function.name}.reverse"]
    _body(emit.private_function(module, names[0], inputs, [tape, *results]), inputs, augmented)
    taken = [*inputs, *cotangents, tape]
    _body(emit.private_function(module, names[1], taken, gives), taken, reverse)
    return names


def _register(module: ir.Module, function: Function, kind: str, rules: Sequence[str]) -> None:
    """A global that names the function and its rules, as the machine level's registry reads it."""
    known = functions(module)
    names = [function.name, *rules]
    t = ir.Type.parse(f"!llvm.array<{len(names)} x ptr>")
    made = ir.Operation.parse(f'llvm.mlir.global external @"__enzyme_register_{kind}_{function.name}"() : {t}')
    ir.InsertionPoint(module.body).insert(made)
    with ir.InsertionPoint(ir.Block.create_at_start(made.operation.regions[0], [], [])):
        listed = emit.emit("llvm.mlir.poison", [t], [])
        for n, name in enumerate(names):
            address = emit.emit("func.constant", [known[name].type], [], value=ir.FlatSymbolRefAttr.get(name))
            listed = emit.insert(emit.cast(address, emit.pointer()), listed, n)
        emit.emit("llvm.return", [], [listed])


# -- Writing functions -----------------------------------------------------------------------------------------------


def _body(
    function: ir.Operation, inputs: Sequence[ir.Type], made: Callable[[Sequence[ir.Value]], Sequence[ir.Value]]
) -> None:
    block = ir.Block.create_at_start(function.regions[0], list(inputs), [ir.Location.current] * len(inputs))
    with ir.InsertionPoint(block):
        emit.emit("func.return", [], list(made(list(block.arguments))))


def _call(name: str, results: Sequence[ir.Type], given: Sequence[ir.Value]) -> list[ir.Value]:
    callee = ir.FlatSymbolRefAttr.get(name)
    return list(ir.Operation.create("func.call", list(results), list(given), attributes={"callee": callee}).results)
