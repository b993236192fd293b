"""Lowering `enzyme.autodiff` and `enzyme.fwddiff` to what the machine level has for them: calls of Enzyme's functions.

Each op becomes a call `__enzyme_autodiff.N(f.request, enzyme_dup, x, dx, ...)`, where `f.request` is a function around
`f` whose parameters are numbers and pointers (see `carriers`): the results are written to places that it is given. What
stands around the call, and the function, are ops of `llvm`, `memref` and `func`, which upstream MLIR lowers like any.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from torch_mlir import ir

from gradir.errors import RequestError
from gradir.frontends.mlir import emit
from gradir.frontends.mlir.carriers import Carrier, Memory, Slots, Tensor, carrier, joined, lanes, shadow_types
from gradir.frontends.mlir.substrate import location_text
from gradir.request import Activity, Mode, Request, Slot, operand_slots, result_slots

__all__ = ["DIFFERENTIATE", "MARK", "Function", "callee", "functions", "lower_request", "read_activities", "refusal"]

MARK = "gradir.request"
"""Marks the functions around those that are differentiated."""

DIFFERENTIATE = {"enzyme.autodiff": Mode.reverse, "enzyme.fwddiff": Mode.forward}

_HOOKS = {Mode.reverse: "__enzyme_autodiff", Mode.forward: "__enzyme_fwddiff"}
_ACTIVITY = re.compile(r"#enzyme(?:\.activity<|<activity )enzyme_(\w+)>")
_MARKERS = {
    Activity.const: "enzyme_const",
    Activity.constnoneed: "enzyme_const",
    Activity.dup: "enzyme_dup",
    Activity.dupnoneed: "enzyme_dupnoneed",
}
_ALLOWED = {
    (Mode.forward, "argument"): (Activity.const, Activity.dup, Activity.dupnoneed),
    (Mode.forward, "result"): (Activity.const, Activity.constnoneed, Activity.dup, Activity.dupnoneed),
    (Mode.reverse, "argument"): (Activity.const, Activity.active, Activity.dup, Activity.dupnoneed),
    (Mode.reverse, "result"): tuple(Activity),
}


@dataclass(frozen=True)
class Function:
    """A function of the module: its op, and what it takes and gives."""

    name: str
    op: ir.Operation

    @property
    def type(self) -> ir.FunctionType:
        return ir.FunctionType(ir.TypeAttr(self.op.attributes["function_type"]).value)

    @property
    def has_body(self) -> bool:
        return len(self.op.regions[0].blocks) > 0

    @property
    def is_private(self) -> bool:
        said = self.op.attributes
        return "sym_visibility" in said and ir.StringAttr(said["sym_visibility"]).value == "private"

    def argument_has(self, i: int, attribute: str) -> bool:
        said = self.op.attributes
        return "arg_attrs" in said and attribute in ir.DictAttr(ir.ArrayAttr(said["arg_attrs"])[i])


def functions(module: ir.Module) -> dict[str, Function]:
    """The functions of a module by name, in order."""
    found = {}
    for view in module.body.operations:
        op = view.operation
        if op.name == "func.func":
            name = ir.StringAttr(op.attributes["sym_name"]).value
            found[name] = Function(name, op)
    return found


def refusal(op: ir.Operation, message: str, hint: str | None = None) -> RequestError:
    """The error that says what is wrong with an op."""
    function = f" {op.attributes['fn']}" if "fn" in op.attributes else ""
    return RequestError(f"{op.name}{function}: {message}", location=location_text(op.location, "-"), hint=hint)


# -- Reading an op ---------------------------------------------------------------------------------------------------


def callee(op: ir.Operation, known: Mapping[str, Function]) -> Function:
    """The function that an op names."""
    name = op.attributes.get("fn")
    if not isinstance(name, ir.FlatSymbolRefAttr):
        raise refusal(op, "needs the attribute fn, a function of this module", "write fn = @f")
    if name.value not in known:
        held = ", ".join(f"@{n}" for n in known)
        raise refusal(op, f"there is no function @{name.value}", f"the module holds {held or 'no functions'}")
    return known[name.value]


def _read(op: ir.Operation, function: Function) -> Request:
    mode, t = DIFFERENTIATE[op.name], function.type
    activity = read_activities(op, "activity", "argument", len(t.inputs), mode)
    ret_activity = read_activities(op, "ret_activity", "result", len(t.results), mode)
    width, strong = op.attributes.get("width"), op.attributes.get("strong_zero")
    if width is not None and (not isinstance(width, ir.IntegerAttr) or width.value < 1):
        raise refusal(op, f"width is an integer of at least 1, not {width}")
    if strong is not None and not isinstance(strong, ir.BoolAttr):
        raise refusal(op, f"strong_zero is true or false, not {strong}")
    count = 1 if width is None else width.value
    return Request(function.name, mode, activity, ret_activity, count, strong is not None and strong.value)


def read_activities(op: ir.Operation, attribute: str, kind: str, count: int, mode: Mode) -> tuple[Activity, ...]:
    """What an op says of each argument or result."""
    array = op.attributes.get(attribute)
    if not isinstance(array, ir.ArrayAttr):
        raise refusal(op, f"needs the attribute {attribute}, an array of activities", f"one for each {kind}")
    read: list[Activity] = []
    for n, a in enumerate(array):
        found = _ACTIVITY.fullmatch(str(a))
        activity = Activity.__members__.get(found[1]) if found else None
        if activity is None:
            names = ", ".join(f"#enzyme<activity {known.attribute_name}>" for known in Activity)
            raise refusal(op, f"{a} in {attribute} is not an activity", f"there are {names}")
        if activity not in (allowed := _ALLOWED[mode, kind]):
            names = ", ".join(a.attribute_name for a in allowed)
            message = f"{activity.attribute_name} on {kind} {n} has no meaning in {mode.value} mode"
            raise refusal(op, message, f"{'an' if kind == 'argument' else 'a'} {kind} is one of {names}")
        read.append(activity)
    if len(read) != count:
        raise refusal(op, f"{attribute} has {len(read)} entries, but the function has {count} {kind}s", "give one each")
    return tuple(read)


# -- Lowering an op --------------------------------------------------------------------------------------------------


def lower_request(op: ir.Operation, known: Mapping[str, Function], module: ir.Module, number: int) -> None:
    """Replace an op by a call of one of Enzyme's functions. `number` tells it from others."""
    function = callee(op, known)
    request = _read(op, function)
    lowering = _Lowering(op, function, request, module, number)
    lowering.check()
    with op.location, ir.InsertionPoint(op):
        lowering.run()
    op.erase()


@dataclass
class _Passed:
    """A parameter of the function that is differentiated, with what the call passes for it."""

    type: ir.Type
    marker: str
    primal: ir.Value
    shadows: Sequence[ir.Value] = ()
    noalias: bool = False


@dataclass
class _Lowering:
    op: ir.Operation
    function: Function
    request: Request
    module: ir.Module
    number: int
    passed: list[_Passed] = field(default_factory=list)
    made: dict[Slot, ir.Value] = field(default_factory=dict)

    def __post_init__(self) -> None:
        request, t = self.request, self.function.type
        self.given_slots = list(operand_slots(request.mode, request.activity, request.ret_activity))
        self.wanted_slots = list(result_slots(request.mode, request.activity, request.ret_activity))
        self.arguments = [self.carrier("argument", n, t, a) for n, t, a in _each(t.inputs, request.activity)]
        self.results = [self.carrier("result", n, t, a) for n, t, a in _each(t.results, request.ret_activity)]

    def is_active(self, kind: str, activity: Activity) -> bool:
        if kind == "argument" and self.request.mode is Mode.reverse and activity.has_shadow:
            return True
        return activity.has_shadow or activity.has_cotangent

    def carrier(self, kind: str, n: int, t: ir.Type, activity: Activity) -> Carrier:
        active = self.is_active(kind, activity)
        found = carrier(t, constant=not active)
        if found is None:
            raise refusal(
                self.op,
                f"{kind} {n} has type {t}, which can't be passed to a derivative",
                "pass numbers, vectors, and memrefs with strides in the memory of the host",
            )
        if active and not found.is_differentiable:
            raise refusal(
                self.op,
                f"{kind} {n} has type {t}, which carries no derivative, and is marked {activity.attribute_name}",
                f"mark it {Activity.const.attribute_name}",
            )
        if found.is_memory and activity.has_cotangent:
            what = "a memref's derivative lies in its shadow" if kind == "argument" else "a memref has no cotangent"
            raise refusal(
                self.op,
                f"{kind} {n} has type {t} and is marked {activity.attribute_name}: {what}",
                "mark it enzyme_dup, and pass the shadow memref after it"
                if kind == "argument"
                else "let the function write to an argument that is enzyme_dup",
            )
        if isinstance(found, Tensor) and not t.has_static_shape:
            self._check_size(kind, n, t, activity)
        return found

    def _check_size(self, kind: str, n: int, t: ir.Type, activity: Activity) -> None:
        """The buffer of a result is as large as its cotangent: there is none that says it elsewhere."""
        known = activity.has_cotangent if kind == "result" else True
        if not known and activity is not Activity.constnoneed:
            hint = "give a static shape, or in reverse mode a cotangent"
            raise refusal(self.op, f"{kind} {n} has type {t}: its buffer's size is not known", hint)
        if self.request.width > 1 and self.is_active(kind, activity):
            hint = "give a static shape, or ask with width = 1, once for each"
            raise refusal(self.op, f"{kind} {n} has type {t}, and its shadow {self.request.width} parts", hint)

    # -- Checking

    def check(self) -> None:
        self._compare("operand", self.given_slots, self.op.operands)
        self._compare("result", self.wanted_slots, self.op.results)

    def _compare(self, kind: str, slots: Sequence[Slot], values: Sequence[ir.Value]) -> None:
        words = [self._words(slot, kind) for slot in slots]
        if len(slots) != len(values):
            listed = f" ({', '.join(words)})" if words else ""
            verb = "takes" if kind == "operand" else "gives"
            raise refusal(
                self.op,
                f"{verb} {len(slots)} {kind}{'s' * (len(slots) != 1)}{listed}, {len(values)} given",
                f"the activities ask for these {kind}s, in this order" if words else None,
            )
        for n, (slot, value) in enumerate(zip(slots, values, strict=True)):
            t = (self.function.type.inputs if slot[0] == "arg" else self.function.type.results)[slot[1]]
            allowed = shadow_types(t, self.request.width) if slot[2] == "shadow" else [t]
            if not allowed:
                raise refusal(
                    self.op,
                    f"{words[n]} of type {t} can't be held {self.request.width} times in one value",
                    "ask with width = 1, once for each",
                )
            if value.type not in allowed:
                raise refusal(self.op, f"{kind} {n} is {words[n]} and has type {allowed[0]}, not {value.type}")

    def _words(self, slot: Slot, kind: str) -> str:
        where, n, part = slot
        words = f"{'argument' if where == 'arg' else 'result'} {n}"
        if part == "primal":
            return words
        if self.request.mode is Mode.forward:
            return f"the tangent of {words}"
        if where == "result":
            return f"the cotangent of {words}"
        return f"the {'gradient' if kind == 'result' else 'shadow'} of {words}"

    # -- Emitting

    def run(self) -> None:
        given = dict(zip(self.given_slots, self.op.operands, strict=True))
        slots, release = _stack(self.op)
        gradients: dict[int, list[ir.Value]] = {}
        for i, (by, activity) in enumerate(zip(self.arguments, self.request.activity, strict=True)):
            self._pass_argument(i, by, activity, given, slots, gradients)
        places = [self._pass_result(j, *pair, given, slots) for j, pair in enumerate(self._results())]
        _let_keep_arguments(self.function)
        self._call(self._function(places))
        self._take_results(places, gradients)
        release()
        for slot, result in zip(self.wanted_slots, self.op.results, strict=True):
            result.replace_all_uses_with(self.made[slot])

    def _results(self) -> list[tuple[Carrier, Activity]]:
        return list(zip(self.results, self.request.ret_activity, strict=True))

    def _pass_argument(
        self,
        i: int,
        by: Carrier,
        activity: Activity,
        given: Mapping[Slot, ir.Value],
        slots: Slots,
        gradients: dict[int, list[ir.Value]],
    ) -> None:
        primal, reverse = given["arg", i, "primal"], self.request.mode is Mode.reverse
        first, *rest = by.give(primal, slots)
        marker, shadows = "enzyme_const", list[ir.Value]()
        if activity.has_cotangent:
            marker = "enzyme_dup"
            gradients[i] = shadows = [self._shadow(by, None, slots, primal) for _ in range(self.request.width)]
        elif activity.has_shadow and by.is_memory:
            marker, shadow = _MARKERS[activity], given["arg", i, "shadow"]
            shadows = lanes(shadow, by.type, self.request.width)
            self._check_strides(i, by, primal, shadow)
        elif activity.has_shadow and not reverse:  # in reverse mode, a value has no shadow that could be added to
            marker = "enzyme_dup"
            if isinstance(by, Tensor) and not by.type.has_static_shape:
                message = f"{self.op.name} @{self.function.name}: the tangent of argument {i} has another size than it"
                by.check_sizes(primal, given["arg", i, "shadow"], message)
            tangents = lanes(given["arg", i, "shadow"], by.type, self.request.width)
            shadows = [self._shadow(by, tangent, slots, tangent) for tangent in tangents]
        noalias = not by.is_memory or self.function.argument_has(i, "llvm.noalias")
        self.passed.append(_Passed(by.parameters[0], marker, first, shadows, noalias))
        self.passed += [_Passed(t, "enzyme_const", v) for t, v in zip(by.parameters[1:], rest, strict=True)]

    def _shadow(self, by: Carrier, value: ir.Value | None, slots: Slots, like: ir.Value) -> ir.Value:
        place = by.make_places(slots, like)[0]
        by.set_shadow(value, place)
        return place

    def _check_strides(self, i: int, by: Carrier, primal: ir.Value, shadow: ir.Value) -> None:
        """A derivative finds an element's shadow by the strides of the primal."""
        if not isinstance(by, Memory):
            return
        layout, lane = by.layout, shadow.type != by.type
        whole = type(layout)(shadow.type)
        for d, n in enumerate(layout.strides):
            if n is None:
                message = f"{self.op.name} @{self.function.name}: the shadow of argument {i} has other strides than it"
                emit.check_equal(layout.stride(primal, d), whole.stride(shadow, d + lane), message)

    def _pass_result(
        self, j: int, by: Carrier, activity: Activity, given: Mapping[Slot, ir.Value], slots: Slots
    ) -> _Places | None:
        if activity is Activity.constnoneed:
            return None
        width = self.request.width
        like = given.get(("result", j, "shadow"))
        primals = by.make_places(slots, like)
        marker, shadows = "enzyme_const", list[ir.Value]()
        if activity.has_cotangent:
            marker = "enzyme_dup" if activity.keeps_primal else "enzyme_dupnoneed"
            cotangents = lanes(given["result", j, "shadow"], by.type, width)
            shadows = [self._shadow(by, cotangent, slots, cotangent) for cotangent in cotangents]
        elif activity.has_shadow and self.request.mode is Mode.forward:
            marker = _MARKERS[activity]
            shadows = [by.make_places(slots, None)[0] for _ in range(width)]
        for n, place in enumerate(primals):
            self.passed.append(
                _Passed(
                    place.type, marker if n == 0 else "enzyme_const", place, shadows if n == 0 else (), noalias=True
                )
            )
        return _Places(primals, shadows)

    def _function(self, places: Sequence[_Places | None]) -> str:
        """Write the function that is differentiated; its name."""
        name = f"{self.function.name}.request{self.number}"
        inputs = [p.type for p in self.passed]
        said = [{"llvm.noalias": ir.UnitAttr.get()} if p.noalias and _is_pointer(p.type) else {} for p in self.passed]
        arg_attrs = ir.ArrayAttr.get([ir.DictAttr.get(a) for a in said])
        mark = {MARK: ir.UnitAttr.get()}
        made = emit.private_function(self.module, name, inputs, [], arg_attrs=arg_attrs, **mark)
        block = ir.Block.create_at_start(made.regions[0], inputs, [self.op.location] * len(inputs))
        parameters = iter(block.arguments)
        with ir.InsertionPoint(block):
            taken = [by.take([next(parameters) for _ in by.parameters]) for by in self.arguments]
            destinations = [
                None if place is None else by.destinations([next(parameters) for _ in place.primals])
                for by, place in zip(self.results, places, strict=True)
            ]
            call = ir.Operation.create(
                "func.call",
                list(self.function.type.results),
                taken,
                attributes={"callee": ir.FlatSymbolRefAttr.get(self.function.name)},
            )
            for by, destination, value in zip(self.results, destinations, call.results, strict=True):
                if destination is not None:
                    by.put(value, destination)
            emit.emit("func.return", [], [])
        return name

    def _call(self, function: str) -> None:
        operands = [_function_address(function, [p.type for p in self.passed])]
        if self.request.width > 1:
            operands += [self._marker("enzyme_width"), emit.constant(self.request.width, 32)]
        if self.request.strong_zero:
            operands.append(self._marker("enzyme_strong_zero"))
        for p in self.passed:
            operands += [self._marker(p.marker), p.primal, *p.shadows]
        name = f"{_HOOKS[self.request.mode]}.{self.number}"
        emit.private_function(self.module, name, [v.type for v in operands], [])
        emit.emit("func.call", [], operands, callee=ir.FlatSymbolRefAttr.get(name))

    def _marker(self, name: str) -> ir.Value:
        if not any(_symbol(view.operation) == name for view in self.module.body.operations):
            made = ir.Operation.parse(f"llvm.mlir.global external @{name}() : i32")
            ir.InsertionPoint.at_block_begin(self.module.body).insert(made)
        return emit.address_of(name)

    def _take_results(self, places: Sequence[_Places | None], gradients: Mapping[int, Sequence[ir.Value]]) -> None:
        types = dict(zip(self.wanted_slots, (r.type for r in self.op.results), strict=True))
        for j, ((by, _), place) in enumerate(zip(self._results(), places, strict=True)):
            if ("result", j, "primal") in types:
                assert place is not None
                self.made["result", j, "primal"] = by.collect(place.primals)
            if ("result", j, "shadow") in types:
                assert place is not None
                self.made["result", j, "shadow"] = self._tangent(by, place, types["result", j, "shadow"])
        for i, shadows in gradients.items():
            values = [self.arguments[i].shadow_at(place) for place in shadows]
            self.made["arg", i, "shadow"] = joined(values, types["arg", i, "shadow"])

    def _tangent(self, by: Carrier, place: _Places, t: ir.Type) -> ir.Value:
        if by.is_memory:  # its own address, and the sizes of what it is the shadow of
            return by.collect([place.shadows[0], *place.primals[1:]])
        return joined([by.shadow_at(shadow) for shadow in place.shadows], t)


@dataclass(frozen=True)
class _Places:
    """Where a result is written, and the shadows of the first of these places."""

    primals: Sequence[ir.Value]
    shadows: Sequence[ir.Value]


def _let_keep_arguments(function: Function) -> None:
    """Let a function write to memory of its own, not into a tensor that it is given: the derivative needs that."""
    inputs, said = function.type.inputs, function.op.attributes
    given = [{a.name: a.attr for a in d} for d in said["arg_attrs"]] if "arg_attrs" in said else [{} for _ in inputs]
    for t, attributes in zip(inputs, given, strict=True):
        if isinstance(t, ir.RankedTensorType):
            attributes.setdefault("bufferization.writable", ir.BoolAttr.get(False))
    if any(given):
        said["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a) for a in given])


def _each(types: Sequence[ir.Type], activities: Sequence[Activity]) -> Iterator[tuple[int, ir.Type, Activity]]:
    for n, (t, activity) in enumerate(zip(types, activities, strict=True)):
        yield n, t, activity


def _is_pointer(t: ir.Type) -> bool:
    return str(t) == "!llvm.ptr"


def _symbol(op: ir.Operation) -> str | None:
    return ir.StringAttr(op.attributes["sym_name"]).value if "sym_name" in op.attributes else None


def _function_address(name: str, inputs: Sequence[ir.Type]) -> ir.Value:
    return emit.emit("func.constant", [ir.FunctionType.get(list(inputs), [])], [], value=ir.FlatSymbolRefAttr.get(name))


# -- The stack -------------------------------------------------------------------------------------------------------

_SHARED = ("scf.parallel", "scf.forall", "gpu.launch", "affine.parallel")


def _stack(op: ir.Operation) -> tuple[Slots, Callable[[], object]]:
    """What makes slots for an op, and what gives them back.

    They stand at the begin of the function, so that a loop takes them once; in code that several threads may run, each
    has its own, for as long as it needs them.
    """
    around = op.parent.operation
    while around.name != "func.func":
        if around.name in _SHARED or around.name.startswith(("omp.", "gpu.")):
            return emit.alloca, partial(_restore, emit.emit("llvm.intr.stacksave", [emit.pointer()], []))
        around = around.parent.operation
    entry = ir.InsertionPoint.at_block_begin(around.regions[0].blocks[0])

    def slot(t: ir.Type) -> ir.Value:
        with entry:
            return emit.alloca(t)

    return slot, lambda: None


def _restore(kept: ir.Value) -> None:
    emit.emit("llvm.intr.stackrestore", [], [kept])
