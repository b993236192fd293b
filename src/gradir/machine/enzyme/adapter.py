"""Writes the function that stands in for one of Enzyme's calls: from its operands to the derivative's, and back."""

from __future__ import annotations

from collections.abc import Sequence

from gradir.errors import RequestError
from gradir.machine.enzyme.calls import EnzymeCall, Passed
from gradir.machine.enzyme.names import Hook
from gradir.machine.ir import I1, I64, PTR, VOID, Argument, Block, Function, Module, Type, Value, array, is_null, struct
from gradir.machine.ir.builder import Code, Expr, literal
from gradir.machine.ir.instructions import call, invoke
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.flow.unneeded import drop
from gradir.machine.transform.storage import FREED
from gradir.request import Activity, Request, Slot, operand_slots, result_slots

__all__ = ["Adapter", "reference", "thunk"]


_KEPT = struct([PTR, FREED])
"""Between the halves of a derivative: the tape, and the list of memory to free when the reverse half has run."""


def reference(name: str) -> str:
    """How a global of this name is written."""
    plain = all(c.isascii() and (c.isalnum() or c in "-_.$") for c in name)
    return f"@{name}" if plain else f'@"{name}"'


def thunk(function: Function, name: str) -> str:
    """A function that only calls another, so that what is known of that call is its derivative."""
    attributes = [" ".join(s for s in a.attributes if s.startswith(("sret(", "byval("))) for a in function.arguments]
    taken = ", ".join(f"{a.type} {s} %x{a.index}" for a, s in zip(function.arguments, attributes, strict=True))
    head = f"define internal {function.result} {reference(name)}({taken}) {{"
    call = f"call {function.result} {function.ref}({taken})"
    if function.result.kind == "void":
        return f"{head}\nentry:\n  {call}\n  ret void\n}}\n"
    return f"{head}\nentry:\n  %y = {call}\n  ret {function.result} %y\n}}\n"


class Adapter:
    """The function `name`, which takes the operands of a call and gives its result."""

    def __init__(self, module: Module, call: EnzymeCall, name: str) -> None:
        self.types, self.call, self.name = module.types, call, name
        operands = call.operands()
        self.declarations: list[str] = []
        self.code = Code(
            name,
            call.instruction.type,
            [(value.type, f"x{i}") for i, value in enumerate(operands)],
            declare=self.declarations.append,
            attributes="alwaysinline" if call.hook is not Hook.call_inactive else 'noinline "enzyme_inactive"',
            linkage="internal",
        )
        self.nowhere: list[tuple[int, Argument]] = []
        """Operands of the derivative that are null, since what is written there is not needed, and their arguments."""
        self.derivative = ""
        """The function that does the work, of a call in one piece."""
        self.expr = dict(zip(map(id, operands), self.code.parameters, strict=False))

    def insert(self, module: Module) -> None:
        """Call this function instead."""
        taken = ", ".join(str(v.type) for v in self.call.operands())
        extend(module, f"declare {self.call.instruction.type} {reference(self.name)}({taken})")
        old, callee, operands = self.call.instruction, module.globals[self.name], self.call.operands()
        if old.opcode == "invoke":
            normal, unwind = old.operands[-3:-1]
            assert isinstance(normal, Block) and isinstance(unwind, Block)
            made = invoke(old.type, callee, operands, normal, unwind)
        else:
            made = call(old.type, callee, operands)
        made.ref = old.ref
        made.metadata = {kind: node for kind, node in old.metadata.items() if kind == "dbg"}
        old.insert_before(made)
        old.erase(made)

    def text(self) -> str:
        return self.code.text()

    def error(self, message: str, hint: str | None = None) -> RequestError:
        return RequestError(f"{self.call.hook.value}: {message}", location=self.call.location, hint=hint)

    # -- whole calls ------------------------------------------------------------------------------------------------

    def differentiate(self, derivative: str, request: Request) -> None:
        """The body: call the derivative."""
        hidden = self.hidden_memory()
        operands = self.derivative_operands(request, hidden)
        self.derivative = derivative
        types = self.result_types(request)
        result = self.code.call(_bundle(types), derivative, *operands)
        if hidden:
            self.give(self.hidden_result(hidden))
        else:
            self.give(result if types else None)

    def run_again(self, derivative: str, request: Request, pool: str) -> None:
        """The body: call the derivative, which needs no tape. It is released, if there is one."""
        assert self.call.tape is not None
        if self.call.free and not is_null(self.call.tape):
            self.release(self.fit(self.value(self.call.tape), PTR), pool)
        self.differentiate(derivative, request)

    def drop_unneeded(self, module: Module, others: Sequence[Adapter]) -> None:
        """Let the derivative not write where null is passed."""
        for place, parameter in self.nowhere:
            shared = any(o.derivative == self.derivative and o.nowhere != self.nowhere for o in others)
            if shared or not drop(module, module.functions[self.derivative], place):
                reason = "is passed elsewhere" if shared else "is used"
                raise self.error(
                    f"null is passed at argument {parameter.index + 1} of {self.call.target.ref}, but memory {reason}",
                    "pass memory: enzyme_dupnoneed can do without where nothing else depends on what is written",
                )

    def augment(self, augmented: str, request: Request) -> None:
        """The body: call the augmented function, and keep what its reverse needs where one pointer finds it."""
        if self.call.tape is not None:
            if self.call.allocated_bytes is not None and self.call.allocated_bytes < _KEPT.size:
                raise self.error(
                    f"the tape takes {_KEPT.size} bytes, and {self.call.allocated_bytes} are allocated for it",
                    "allocate as many as __enzyme_augmentsize says",
                )
            memory = self.fit(self.value(self.call.tape), PTR)
        else:
            memory = self.code.call(PTR, "malloc", self.code.constant(I64, _KEPT.size))
        freed = self.code.offset(memory, _KEPT.offsets[1])
        self.code.line(f"store {_KEPT.elements[1]} zeroinitializer, {freed}")
        result, ret = self.call.target.result, request.ret_activity[0] if request.ret_activity else None
        values = [result] if result.kind != "void" else []
        shadows = [PTR] * request.width if result.is_pointer and ret is not None and ret.has_shadow else []
        types = [PTR, *values, *shadows]
        operands = self.derivative_operands(request, [], seeds=False)
        parts = _parts(self.code, self.code.call(_bundle(types), augmented, *operands, freed), types)
        self.code.store(parts[0], memory)
        given = parts[1:2]
        if shadows:
            given.append(parts[2] if request.width == 1 else _array(self.code, parts[2:]))
        self.give(_join(self.code, self.augmented_results(memory, given)))

    def augmented_results(self, tape: Expr, given: list[Expr]) -> list[Expr]:
        """What the call takes, of the tape, the result and its shadow: in this order, or the tape last, or without it
        if its memory is the caller's. The types of the call's members tell which.
        """
        wanted = self.call.destination_type or self.call.instruction.type
        if not given or not self.call.takes_result or wanted.is_pointer:
            return [tape]
        orders = [[tape, *given], [*given, tape], *([given] if self.call.tape is not None else [])]
        return next((order for order in orders if _members([v.type for v in order]) == _members([wanted])), orders[0])

    def reverse(self, undo: str, request: Request, pool: str, repeatable: bool) -> None:
        """The body: call the reverse function with the tape, then release what was kept for it, unless it is called
        again."""
        assert self.call.tape is not None
        memory = self.fit(self.value(self.call.tape), PTR)
        tape = self.code.load(PTR, memory)
        has_seed = bool(request.ret_activity) and request.ret_activity[0].has_cotangent
        operands = [self.seed(self.call.target.result)] if has_seed else []
        for parameter, given in zip(self.call.target.arguments, self.call.passed, strict=True):
            if given.activity.has_shadow:
                operands += self.shadows(parameter, given)
        if repeatable:
            operands.append(Expr(self.code, I1, "true" if self.call.free else "false"))
        types = [t for t, (kind, _, _) in self.slot_types(request) if kind == "arg"]
        result = self.code.call(_bundle(types), undo, *operands, tape)
        if self.call.free:
            self.release(memory, pool)
        self.give(result if types else None)

    def release(self, memory: Expr, pool: str) -> None:
        """What was kept for the reverse half."""
        pool_at, freed = Expr(self.code, PTR, reference(pool)), self.code.offset(memory, _KEPT.offsets[1])
        self.code.call(VOID, "gradir.free_all", freed, pool_at)
        self.code.call(VOID, "gradir.arena.end", freed)
        if not self.call.allocated:
            self.code.call(VOID, "free", memory)

    def size(self) -> None:
        """The body: the bytes that are kept between the halves."""
        self.give(self.fit(self.code.constant(I64, _KEPT.size), self.call.instruction.type))

    def address(self, shadows: list[str]) -> None:
        """The body: the address of a shadow that is made once and for all."""
        result = Expr(self.code, PTR, shadows[0])
        for table, shadow in zip(self.call.tables[1:], shadows[1:], strict=True):
            assert self.call.chosen is not None
            is_this = self.value(self.call.chosen).compare("eq", Expr(self.code, PTR, table.ref))
            result = is_this.select(Expr(self.code, PTR, shadow), result)
        self.give(result)

    def batch(self) -> None:
        """The body: call the function once for each element."""
        function = self.call.target
        results = []
        for i in range(self.call.width):
            given = [self.element(p, i, a.type) for a, p in zip(function.arguments, self.call.passed, strict=True)]
            results.append(self.code.call(function.result, function.ref[1:], *given))
        self.give(_array(self.code, results) if function.result.kind != "void" else None)

    def element(self, given: Passed, i: int, type: Type) -> Expr:
        """One of the values that a batch is called with."""
        if given.stride is None:
            return self.fit(self.value(given.shadows[i] if given.shadows else given.primal), type)
        return self.strided(given, i)

    def strided(self, given: Passed, i: int) -> Expr:
        assert given.stride is not None
        first, stride = self.value(given.shadows[0]), self.fit(self.value(given.stride), I64)
        return self.code.offset(first, stride * i) if i else first

    def call_plainly(self) -> None:
        """The body: call the function itself."""
        function = self.call.target
        given = [
            self.fit(self.value(p.primal), a.type) for a, p in zip(function.arguments, self.call.passed, strict=True)
        ]
        result = self.code.call(function.result, function.ref[1:], *given)
        self.give(result if function.result.kind != "void" else None)

    # -- operands ---------------------------------------------------------------------------------------------------

    def value(self, value: Value) -> Expr:
        return self.expr[id(value)]

    def derivative_operands(self, request: Request, hidden: list[Expr], seeds: bool = True) -> list[Expr]:
        function, operands = self.call.target, list[Expr]()
        passed: list[Passed | None] = [*([None] if hidden else []), *self.call.passed]
        for kind, i, part in operand_slots(request.mode, request.activity, request.ret_activity):
            if kind == "result":
                operands += [self.seed(function.result)] if seeds else []
                continue
            parameter, given = function.arguments[i], passed[i]
            if given is None:
                operands += hidden[:1] if part == "primal" else hidden[1:]
            elif part == "primal":
                if given.activity is Activity.dupnoneed and parameter.type.is_pointer and is_null(given.primal):
                    self.nowhere.append((len(operands), parameter))
                operands.append(self.primal(parameter, given))
            else:
                operands += self.shadows(parameter, given)
        return operands

    def primal(self, parameter: Argument, given: Passed) -> Expr:
        value = self.fit(self.value(given.primal), parameter.type)
        if (held := parameter.attributes.value("byval")) is None:
            return value
        type = self.types.parse(held)
        copy = self.code.alloca(type, align=16)  # by value: the function may write to it
        bytes = self.code.constant(I64, type.size)
        self.code.call(VOID, "llvm.memcpy.p0.p0.i64", copy, value, bytes, Expr(self.code, I1, "false"))
        return copy

    def shadows(self, parameter: Argument, given: Passed) -> list[Expr]:
        width = self.call.width
        if given.stride is not None:
            shadows = [self.strided(given, i) for i in range(width)]
        else:
            shadows = [self.fit(self.value(s), parameter.type) for s in given.shadows]
        if parameter.type.is_pointer or width == 1:
            return shadows
        return [_array(self.code, shadows)]

    def seed(self, type: Type) -> Expr:
        given = [self.value(s) for s in self.call.seeds]
        if len(given) > self.call.width:  # member by member
            n = len(type.elements)
            fitting = [self.fit(v, type.elements[k % n]) for k, v in enumerate(given)]
            values = [self.whole(type, fitting[k : k + n]) for k in range(0, len(fitting), n)]
        else:
            values = [self.fit(v, type) for v in given]
        values = values or [Expr(self.code, type, _ones(type))] * self.call.width
        return values[0] if self.call.width == 1 else _array(self.code, values)

    def whole(self, type: Type, members: list[Expr]) -> Expr:
        made = Expr(self.code, type, "poison")
        for k, member in enumerate(members):
            made = self.code.emit(type, f"insertvalue {made}, {member}, {k}")
        return made

    def hidden_memory(self) -> list[Expr]:
        """Memory for a result that the function writes to where its first argument says, and for its shadows."""
        if self.call.hidden_result is None:
            return []
        made = [self.code.alloca(self.call.hidden_result, "result", align=16) for _ in range(1 + self.call.width)]
        for shadow in made[1:]:
            self.code.line(f"store {self.call.hidden_result} zeroinitializer, {shadow}")
        return made

    def hidden_result(self, memory: list[Expr]) -> Expr:
        type = self.call.hidden_result
        assert type is not None
        shadows = [self.code.load(type, m) for m in memory[1:]]
        shadow = shadows[0] if self.call.width == 1 else _array(self.code, shadows)
        if self.call.ret is not Activity.dup:
            return shadow
        return _join(self.code, [self.code.load(type, memory[0]), shadow])

    # -- results ----------------------------------------------------------------------------------------------------

    def shadow_type(self, type: Type) -> Type:
        return type if self.call.width == 1 else array(self.call.width, type)

    def slot_types(self, request: Request) -> list[tuple[Type, Slot]]:
        types = []
        for slot in result_slots(request.mode, request.activity, request.ret_activity):
            kind, i, part = slot
            of = self.call.target.result if kind == "result" else self.call.target.arguments[i].type
            types.append((of if part == "primal" else self.shadow_type(of), slot))
        return types

    def result_types(self, request: Request) -> list[Type]:
        return [type for type, _ in self.slot_types(request)]

    def give(self, result: Expr | None) -> None:
        """Return what the call gives, in the type that its declaration says."""
        wanted, destination = self.call.instruction.type, self.call.destination
        if not self.call.takes_result:
            self.code.ret(None if wanted.kind == "void" else Expr(self.code, wanted, "poison"))
        elif result is None:
            taken = self.call.destination_type or wanted
            raise self.error(f"the derivative has no result, but the call takes {taken}", "declare it to return void")
        elif destination is not None:
            memory, type = self.value(destination), self.call.destination_type
            if type is None or type == result.type:
                self.code.store(result, memory)
            else:
                self.copy_members(result, memory, type)
            self.code.ret()
        else:
            self.code.ret(self.convert(result, wanted))

    def convert(self, result: Expr, wanted: Type) -> Expr:
        if result.type == wanted:
            return result
        if not wanted.is_aggregate and not result.type.is_aggregate and wanted.kind == result.type.kind != "vector":
            return self.fit(result, wanted)
        slot = self.code.alloca(wanted, align=16)
        self.copy_members(result, slot, wanted)
        return self.code.load(wanted, slot)

    def copy_members(self, result: Expr, memory: Expr, type: Type) -> None:
        """Write each scalar of a result where it belongs in a struct: C++ has empty members between them, as bytes."""
        given, taken = list(result.type.parts()), list(type.parts())
        if not any(t.text == "i8" for _, t in given):
            taken = [(at, t) for at, t in taken if t.text != "i8"]
        if not taken and type.size == result.type.size:  # nothing is known of what it holds
            self.code.store(result, memory)
            return
        if [t for _, t in given] != [t for _, t in taken]:
            raise self.error(
                f"the derivative gives {result.type}, but the call takes {type}",
                "declare it to return a struct with a member for each enzyme_out argument"
                " (after the function's own result, with enzyme_primal_return)",
            )
        source = self.code.alloca(result.type, align=16)
        self.code.store(result, source)
        for (source_at, t), (at, _) in zip(given, taken, strict=True):
            value = self.code.load(t, self.code.offset(source, source_at))
            self.code.store(value, self.code.offset(memory, at))

    def through_memory(self, value: Expr, type: Type) -> Expr:
        larger = max(value.type, type, key=lambda t: t.size)
        slot = self.code.alloca(larger, align=16)
        self.code.store(value, slot)
        return self.code.load(type, slot)

    def fit(self, value: Expr, type: Type) -> Expr:
        """Undo what C does to arguments that no prototype types: a float becomes a double, a short an int."""
        given = value.type
        if given == type:
            return value
        match given.kind, type.kind:
            case "float", "float":
                opcode = "fptrunc" if given.size > type.size else "fpext"
            case "int", "int":
                opcode = "trunc" if given.count > type.count else "sext"
            case "int", "ptr":
                opcode = "inttoptr"
            case "ptr", "int":
                opcode = "ptrtoint"
            case _:
                return self.through_memory(value, type)
        return self.code.emit(type, f"{opcode} {value} to {type}")


def _bundle(types: list[Type]) -> Type:
    """How a derivative returns so many results."""
    return VOID if not types else types[0] if len(types) == 1 else struct(types)


def _parts(code: Code, bundle: Expr, types: list[Type]) -> list[Expr]:
    if len(types) <= 1:
        return [bundle][: len(types)]
    return [code.emit(type, f"extractvalue {bundle}, {i}") for i, type in enumerate(types)]


def _join(code: Code, values: list[Expr]) -> Expr:
    if len(values) == 1:
        return values[0]
    made = Expr(code, struct([v.type for v in values]), "poison")
    for i, value in enumerate(values):
        made = code.emit(made.type, f"insertvalue {made}, {value}, {i}")
    return made


def _members(types: list[Type]) -> list[Type]:
    """The scalars that types are made of. C++ has empty members, as bytes."""
    return [t for type in types for _, t in type.parts() if t.text != "i8"]


def _array(code: Code, values: list[Expr]) -> Expr:
    made = Expr(code, array(len(values), values[0].type), "poison")
    for i, value in enumerate(values):
        made = code.emit(made.type, f"insertvalue {made}, {value}, {i}")
    return made


def _ones(type: Type) -> str:
    """1 in each float of a value, 0 in what is not a float."""
    if type.is_aggregate:
        fields = type.elements if type.kind == "struct" else type.elements * type.count
        inner = ", ".join(f"{t} {_ones(t)}" for t in fields)
        opening, closing = ("<{ ", " }>") if type.packed else ("{ ", " }") if type.kind == "struct" else ("[", "]")
        return f"{opening}{inner}{closing}"
    return literal(type, 1) if type.is_float else "zeroinitializer"
