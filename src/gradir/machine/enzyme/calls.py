"""Reads calls of Enzyme's functions: which derivative is asked for, and which operand of the call is what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from gradir.errors import RequestError
from gradir.machine.enzyme.choices import functions_in
from gradir.machine.enzyme.names import ACTIVITIES, Hook, hook_of, marker_of
from gradir.machine.ir import Argument, Constant, Function, Global, Instruction, Module, Type, Value
from gradir.machine.ir.attributes import Attributes
from gradir.request import Activity, Mode, Request

__all__ = ["EnzymeCall", "Passed", "find_calls", "read_call"]

_REFUSED = {
    "enzyme_byref": "pass the value",
}


@dataclass(frozen=True)
class Passed:
    """What a call passes for one argument of the function that is differentiated."""

    activity: Activity
    primal: Value
    shadows: tuple[Value, ...] = ()
    stride: Value | None = None
    """Of `enzyme_dupv` and `enzyme_buffer`: the bytes from one shadow, or element, to the next; the first is passed."""


@dataclass(eq=False)
class EnzymeCall:
    """One call of one of Enzyme's functions, understood."""

    hook: Hook
    caller: Function
    instruction: Instruction
    location: str | None
    target: Function
    passed: list[Passed] = field(default_factory=list)
    width: int = 1
    seeds: tuple[Value, ...] = ()
    """The cotangents of the result, one for each direction, or those of its members; without any they are 1."""
    tape: Value | None = None
    """Split mode: the tape, or the memory for it."""
    allocated: bool = False
    """Whether the tape's memory is the caller's."""
    allocated_bytes: int | None = None
    """How much that is, if it is known."""
    free: bool = True
    strong_zero: bool = False
    runtime_activity: bool = False
    ret: Activity | None = None
    destination: Value | None = None
    """Where the result is written, if it is not returned in registers."""
    destination_type: Type | None = None
    tables: tuple[Global | Constant, ...] = ()
    """Of `__enzyme_virtualreverse`: the function, or the table of functions, that is to have a shadow; or several, of
    which the call is passed one."""
    chosen: Value | None = None
    hidden_result: Type | None = None
    """What the function returns through memory that the call doesn't mention."""
    is_used: bool = False
    """Whether the value of the call is used."""

    @property
    def mode(self) -> Mode:
        return Mode.forward if self.hook in (Hook.fwddiff, Hook.fwdsplit) else Mode.reverse

    @property
    def request(self) -> Request:
        activity = [p.activity for p in self.passed]
        if self.hidden_result is not None:
            hidden = Activity.dup if self.ret is Activity.dup else Activity.dupnoneed
            activity.insert(0, hidden)
        ret = () if self.target.result.kind == "void" or self.ret is None else (self.ret,)
        name, mode = self.target.name, self.mode
        return Request(name, mode, tuple(activity), ret, self.width, self.strong_zero, self.runtime_activity)

    def operands(self) -> list[Value]:
        """All values that are needed, in a fixed order."""
        values = [value for value in (self.destination, self.chosen) if value is not None]
        for p in self.passed:
            values += [p.primal, *p.shadows, *([p.stride] if p.stride is not None else [])]
        return [*values, *self.seeds, *([self.tape] if self.tape is not None else [])]

    @property
    def takes_result(self) -> bool:
        """Whether anybody looks at what the call gives: one declaration often serves functions of many kinds."""
        return self.destination is not None or self.is_used


def find_calls(module: Module) -> list[tuple[Function, Instruction, Hook]]:
    """Every call of one of Enzyme's functions, in the order of the text."""
    found: list[tuple[Function, Instruction, Hook]] = []
    for function in module.definitions:
        for instruction in function.instructions() if function.may_hold("__enzyme_") else ():
            hook = hook_of(instruction.callee_name)
            if hook is not None and hook is not Hook.todense:  # which gives memory, and asks for no derivative
                found.append((function, instruction, hook))
    return found


def read_call(module: Module, caller: Function, instruction: Instruction, hook: Hook, name: str) -> EnzymeCall:
    """Understand a call, or say what is wrong with it. `name` is the module's, for messages."""
    location = module.location(instruction) or f"{name}: in {caller.ref}"
    return _CallReader(module, caller, instruction, hook, location).read()


class _CallReader:
    def __init__(self, module: Module, caller: Function, instruction: Instruction, hook: Hook, location: str) -> None:
        self.module, self.hook, self.location = module, hook, location
        self.values = list(instruction.arguments)
        attributes: Sequence[str] = instruction.info["argument_attributes"]  # type: ignore[assignment]
        destination, destination_type = None, None
        if attributes and (held := Attributes(attributes[0]).value("sret")):
            destination, destination_type = self.values.pop(0), module.types.parse(held)
        if not self.values:
            raise self.error("it is called without a function", "the first argument is the function to differentiate")
        target = caller if hook is Hook.virtualreverse else self.function(self.values.pop(0))
        self.call = EnzymeCall(hook, caller, instruction, location, target)
        self.call.destination, self.call.destination_type = destination, destination_type
        self.call.is_used = bool(caller.users.get(instruction))
        self.flags: set[str] = set()
        self.at = 0
        self.apart: list[Value] | None = None
        """The shadows, where they all stand behind the arguments, after `enzyme_interleave`."""

    def error(self, message: str, hint: str | None = None) -> RequestError:
        return RequestError(f"{self.hook.value}: {message}", location=self.location, hint=hint)

    # -- the function -----------------------------------------------------------------------------------------------

    def function(self, value: Value) -> Function:
        names = {self.module.aliases.get(name, name) for name in functions_in(self.module, value)}
        if len(names) != 1:
            raise self.error(
                "the first argument is not one function that is known here",
                "pass the function itself; optimise first if it comes through variables or lambdas",
            )
        function = self.module.functions.get(names.pop())
        if function is None:
            raise self.error(f"the first argument, {value.ref}, is not a function")
        if function.variadic and self.hook is not Hook.call_inactive:
            raise self.error(f"{function.ref} takes a variable number of arguments, which can't be differentiated")
        return function

    # -- markers and values -----------------------------------------------------------------------------------------

    def read(self) -> EnzymeCall:
        call = self.call
        if self.hook is Hook.virtualreverse:
            return self.read_table()
        self.read_options()
        parameters = list(call.target.arguments)
        if self.hook is Hook.augmentsize:
            return self.read_activities_only(parameters)
        if self.returns_through_hidden_memory(parameters):
            call.hidden_result = self.module.types.parse(parameters.pop(0).attributes.value("sret") or "i8")
        pieces = self.pieces(parameters)
        if pieces:
            self.read_pieces(parameters, pieces)
        else:
            for parameter in parameters:
                call.passed.append(self.read_argument(parameter))
        self.read_rest()
        if self.hook is Hook.fwdsplit and not _is_repeatable(call.target, "enzyme_not_overwritten" in self.flags):
            raise self.error(
                f"{call.target.ref} works on memory, and what it found there may be gone",
                "use __enzyme_fwddiff, which runs the function again; or say enzyme_not_overwritten, if it only reads "
                "what nobody has changed since",
            )
        call.ret = self.result_activity()
        if not call.takes_result and self.hook is Hook.autodiff:  # cotangents that nobody takes
            call.passed = [
                Passed(Activity.const, p.primal) if p.activity is Activity.active else p for p in call.passed
            ]
        return call

    def read_options(self) -> None:
        """Take out the markers that stand for the whole call, with what belongs to them."""
        call, given, values = self.call, list[Value](), iter(self.values)
        kept = given
        for value in values:
            match marker_of(value):
                case "enzyme_interleave" if self.apart is None:
                    kept = self.apart = []
                case "enzyme_width":
                    width = next(values, None)
                    number = width.integer if isinstance(width, Constant) else None
                    if number is None or not 1 <= number <= 1024:
                        raise self.error("enzyme_width needs a number that is known when compiling, from 1 to 1024")
                    call.width = number
                case "enzyme_tape":
                    call.tape = next(values, None)
                    if call.tape is None:
                        raise self.error("enzyme_tape needs the tape after it")
                case "enzyme_allocated":
                    size = next(values, None)
                    call.allocated = size is not None
                    call.allocated_bytes = size.integer if isinstance(size, Constant) else None
                case "enzyme_nofree":
                    call.free = False
                case "enzyme_strong_zero":
                    call.strong_zero = True
                case "enzyme_runtime_activity":
                    call.runtime_activity = True
                case "enzyme_active_return" | "enzyme_dup_return" | "enzyme_noret":
                    pass  # as it is without them
                case "enzyme_primal_return" | "enzyme_const_return" | "enzyme_not_overwritten" as flag:
                    self.flags.add(flag)
                case str(marker) if marker in _REFUSED:
                    raise self.error(f"{marker} is not understood", _REFUSED[marker])
                case _:
                    kept.append(value)
        self.values = given
        if self.apart is not None and (call.width > 1 or self.hook is Hook.batch):
            raise self.error("enzyme_interleave is for one direction", "pass the shadows of each argument behind it")

    def returns_through_hidden_memory(self, parameters: Sequence[Argument]) -> bool:
        return bool(parameters) and parameters[0].has("sret") and self.call.takes_result

    def read_argument(self, parameter: Argument) -> Passed:
        activity, strided, vector = self.default(parameter), False, self.hook is Hook.batch
        while self.at < len(self.values) and (marker := marker_of(self.values[self.at])) is not None:
            self.at += 1
            if marker in ACTIVITIES:
                activity, strided = ACTIVITIES[marker], marker.endswith("v")
            elif marker in ("enzyme_scalar", "enzyme_vector", "enzyme_buffer") and self.hook is Hook.batch:
                vector, strided = marker == "enzyme_vector", marker == "enzyme_buffer"
            else:
                raise self.error(f"{marker} means nothing {self.place(parameter)}")
        if self.hook is Hook.batch:
            if strided:
                if not parameter.type.is_pointer:
                    raise self.error(f"enzyme_buffer {self.place(parameter)} is for pointers", "use enzyme_vector")
                distance = self.take_any(parameter, "the bytes between its elements")
                first = self.take(parameter, "the first element")
                return Passed(Activity.dup, first, (first,), distance)
            if not vector:
                return Passed(Activity.const, self.take(parameter, "the value"))
            elements = tuple(self.take(parameter, f"element {i + 1}") for i in range(self.call.width))
            return Passed(Activity.dup, elements[0], elements)
        self.check(parameter, activity)
        stride = self.take_any(parameter, "the bytes between its shadows") if strided else None
        primal = self.take(parameter, "the value")
        if not activity.has_shadow:
            return Passed(activity, primal)
        count = 1 if strided else self.call.width
        return Passed(activity, primal, tuple(self.take_shadow(parameter, count) for _ in range(count)), stride)

    def pieces(self, parameters: Sequence[Argument]) -> list[int]:
        """How many parameters each argument takes, where C passes structs by value in pieces: all pieces come first,
        then those of the shadow. Debug information tells that there are fewer arguments than parameters, and how many
        pieces there are shows if each argument is marked.
        """
        subprogram = self.module.nodes.node(self.call.target.metadata.get("dbg"))
        type = subprogram.node("type") if subprogram is not None else None
        count = len(type.nodes("types")) - 1 if type is not None else -1
        marks = [i for i, value in enumerate(self.values) if marker_of(value) in ACTIVITIES]
        if count < 0 or count >= len(parameters) or len(marks) != count or marks[:1] != [0]:
            return []
        found = []
        for begin, end in pairwise([*marks, len(self.values)]):
            marker = marker_of(self.values[begin])
            shadowed = ACTIVITIES[marker].has_shadow if marker else False
            found.append((end - begin - 1) // (1 + self.call.width if shadowed and self.apart is None else 1))
        found[-1] = len(parameters) - sum(found[:-1])  # what stands behind may be a cotangent or a tape
        return found if min(found) > 0 else []

    def read_pieces(self, parameters: Sequence[Argument], pieces: Sequence[int]) -> None:
        waiting = list(parameters)
        for n in pieces:
            taken, waiting = waiting[:n], waiting[n:]
            marker = marker_of(self.values[self.at]) or ""
            self.at += 1
            if marker.endswith("v") and n > 1:
                raise self.error(f"{marker} {self.place(taken[0])} is for pointers, and this is a struct in {n} pieces")
            stride = self.take_any(taken[0], "the bytes between its shadows") if marker.endswith("v") else None
            primals = [self.take(parameter, "the value") for parameter in taken]
            shadows: list[list[Value]] = [[] for _ in taken]
            if ACTIVITIES[marker].has_shadow:
                for _ in range(1 if stride is not None else self.call.width):
                    for kept, parameter in zip(shadows, taken, strict=True):
                        kept.append(self.take_shadow(parameter))
            for parameter, primal, kept in zip(taken, primals, shadows, strict=True):
                activity = ACTIVITIES[marker] if not parameter.type.is_integer or n == 1 else Activity.const
                self.check(parameter, activity)
                self.call.passed.append(Passed(activity, primal, tuple(kept) if activity.has_shadow else (), stride))

    def default(self, parameter: Argument) -> Activity:
        if parameter.type.is_float:
            return Activity.dup if self.call.mode is Mode.forward else Activity.active
        return Activity.dup if parameter.type.is_pointer else Activity.const

    def check(self, parameter: Argument, activity: Activity) -> None:
        type, place = parameter.type, self.place(parameter)
        if activity is Activity.active and self.call.mode is Mode.forward:
            raise self.error(f"enzyme_out means nothing in forward mode ({place})", "use enzyme_dup, with a tangent")
        if activity is Activity.active and not any(t.is_float for _, t in type.parts()):
            raise self.error(
                f"enzyme_out {place} is for floats passed by value, and this is {type}",
                "a pointer is enzyme_dup with its shadow, or enzyme_const",
            )
        if activity.has_shadow and type.is_float and self.call.mode is Mode.reverse:
            raise self.error(
                f"enzyme_dup {place}: a float passed by value has no shadow memory to add to",
                "use enzyme_out (its derivative is returned), or enzyme_const",
            )

    def place(self, parameter: Argument) -> str:
        return f"at argument {parameter.index + 1} of {self.call.target.ref}"

    def take_any(self, parameter: Argument, what: str) -> Value:
        if self.at >= len(self.values):
            raise self.error(
                f"{what} {self.place(parameter)} is missing",
                "each argument is passed, a pointer followed by its shadow unless enzyme_const stands before it",
            )
        value = self.values[self.at]
        self.at += 1
        if (marker := marker_of(value)) is not None:
            raise self.error(f"{what} {self.place(parameter)} is missing: {marker} stands there")
        return value

    def take(self, parameter: Argument, what: str) -> Value:
        return self.fitting(self.take_any(parameter, what), parameter, what)

    def take_shadow(self, parameter: Argument, count: int = 1) -> Value:
        """The next shadow: behind its argument, or of those that stand apart."""
        which = "the shadow" if count == 1 else f"one of its {count} shadows"
        if self.apart is None:
            return self.take(parameter, which)
        if not self.apart or marker_of(self.apart[0]) is not None:
            raise self.error(f"{which} {self.place(parameter)} is missing after enzyme_interleave")
        return self.fitting(self.apart.pop(0), parameter, which)

    def fitting(self, value: Value, parameter: Argument, what: str) -> Value:
        if not _fits(value, parameter.type):
            raise self.error(
                f"{what} {self.place(parameter)} must be {parameter.type}, but {value.type} is passed",
                "markers are variables, e.g. `extern int enzyme_dup;`: the value of a constant can't be told from data",
            )
        return value

    def read_rest(self) -> None:
        """What stands after the arguments: the cotangent of the result, and the tape."""
        call, rest = self.call, self.values[self.at :]
        if self.hook in (Hook.reverse, Hook.fwdsplit) and call.tape is None:
            if not rest:
                raise self.error("the tape is missing", "it is the last argument: what __enzyme_augmentfwd gave")
            call.tape = rest.pop()
        seeded = self.result_is_active() and self.hook in (Hook.autodiff, Hook.reverse)
        if seeded and len(rest) == call.width and all(_fits(v, call.target.result) for v in rest):
            call.seeds, rest = tuple(rest), []
        elif seeded and call.target.result.kind == "struct":  # C passes the two numbers of a complex one as two
            members = list(call.target.result.elements) * call.width
            if len(rest) == len(members) and all(map(_fits, rest, members)):
                call.seeds, rest = tuple(rest), []
        if self.apart is not None and (call.seeds or self.apart):
            raise self.error(
                "after enzyme_interleave there is a shadow for each argument that has one, and nothing else",
                "mark arguments without a shadow by enzyme_const, and the tape by enzyme_tape",
            )
        if rest:
            n = len(call.target.arguments)
            raise self.error(
                f"{len(rest)} more arguments are passed than {call.target.ref} takes ({n}, and the shadows)",
                "a pointer without a shadow is marked by enzyme_const",
            )

    # -- the result -------------------------------------------------------------------------------------------------

    def result_is_active(self) -> bool:
        result = self.call.target.result
        return "enzyme_const_return" not in self.flags and any(t.is_float for _, t in result.parts())

    def result_activity(self) -> Activity | None:
        call, result = self.call, self.call.target.result
        primal = "enzyme_primal_return" in self.flags
        if call.hidden_result is not None:
            if call.mode is Mode.reverse:
                raise self.error(
                    f"{call.target.ref} returns a struct through memory, which has no cotangent here",
                    "let it write to an argument, and pass that with its shadow",
                )
            return Activity.dup if primal else Activity.dupnoneed
        if result.kind == "void":
            return None
        if self.hook in (Hook.augmentfwd, Hook.reverse, Hook.augmentsize):  # one request for both halves
            if self.result_is_active():
                return Activity.active
            return Activity.dup if result.is_pointer and "enzyme_const_return" not in self.flags else Activity.const
        if self.result_is_active() and call.mode is Mode.reverse:
            return Activity.active if primal else Activity.activenoneed
        has_tangent = self.result_is_active() or (result.is_pointer and "enzyme_const_return" not in self.flags)
        if has_tangent and call.takes_result and call.mode is Mode.forward:
            return Activity.dup if primal else Activity.dupnoneed
        return Activity.const if primal else Activity.constnoneed

    def read_table(self) -> EnzymeCall:
        """`__enzyme_virtualreverse` is given a function or a table of functions, and nothing else."""
        value = self.values[0]
        self.call.tables = tuple(self.addresses(value))
        self.call.chosen = value if len(self.call.tables) > 1 else None
        return self.call

    def addresses(self, value: Value, depth: int = 0) -> list[Global | Constant]:
        """The functions or tables that a value may be."""
        if isinstance(value, Global) or (isinstance(value, Constant) and value.globals):
            return [value]
        if isinstance(value, Instruction) and depth < 8:
            if value.opcode == "select":
                return [a for v in value.operands[1:] for a in self.addresses(v, depth + 1)]
            if value.opcode == "phi":
                return [a for v, _ in value.incoming for a in self.addresses(v, depth + 1)]
        raise self.error("its argument is no function and no table that is known here", "pass the function itself")

    def read_activities_only(self, parameters: Sequence[Argument]) -> EnzymeCall:
        """`__enzyme_augmentsize` is given markers and no values."""
        markers = [marker_of(value) for value in self.values]
        given = [ACTIVITIES[m] for m in markers if m in ACTIVITIES]
        if len(given) != len(parameters):
            raise self.error(f"{len(given)} activities are given for the {len(parameters)} arguments")
        for parameter, activity in zip(parameters, given, strict=True):
            self.check(parameter, activity)
            self.call.passed.append(Passed(activity, Constant(parameter.type, "poison")))
        self.call.ret = self.result_activity()
        return self.call


def _is_repeatable(function: Function, is_unchanged: bool) -> bool:
    """Whether a function does the same again: LLVM knows that it needs no memory, or only reads what `is_unchanged`."""
    said = function.attributes.value("memory")
    parts = [part.strip() for part in said.split(",")] if said is not None else ["readwrite"]
    kinds = {p.rpartition(" ")[2] for p in parts if not p.startswith(("errnomem:", "inaccessiblemem:"))}
    return kinds <= ({"none", "read"} if is_unchanged else {"none"})


def _fits(value: Value, type: Type) -> bool:
    """Whether what C passes (where a float becomes a double, and a short an int) can be turned into what is taken."""
    given = value.type
    if given == type or (given.kind == type.kind and given.kind in ("float", "int", "ptr")):
        return True
    if {given.kind, type.kind} == {"int", "ptr"}:
        return given.size == type.size or (isinstance(value, Constant) and value.integer == 0)
    return given.size == type.size and [t for _, t in given.parts()] == [t for _, t in type.parts()]
