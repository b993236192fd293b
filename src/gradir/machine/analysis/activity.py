"""What carries a derivative: values and places that depend on an active input and that an active output depends on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gradir.machine.analysis.bits.counts import Term, Unclear, digits_counted, digits_made
from gradir.machine.analysis.bits.operations import bit_operation, is_swap
from gradir.machine.analysis.bits.rounding import rounds
from gradir.machine.analysis.bits.taint import Summaries, Taint
from gradir.machine.analysis.bytes.typed_integers import converts_integer, reads_integer
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.intrinsics import handed_on, masked_access
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Argument, Constant, Function, Global, Instruction, Module, Type, Value, is_null
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.rules.registry import Registry
from gradir.machine.rules.rule import Rule, rule_for, rule_named
from gradir.request import Activity as Mark

__all__ = ["Activity", "carried_float"]


_NOTES = (
    "llvm.lifetime", "llvm.dbg", "llvm.assume", "llvm.invariant", "llvm.experimental.noalias",
    "llvm.prefetch", "llvm.stack",
    "llvm.var.annotation", "llvm.donothing", "llvm.trap", "llvm.expect",
)  # fmt: skip


_MOVED = Rule("llvm.bswap", (lambda x, r: 1.0,))
"""Of the bytes of a float in reverse order: the derivative goes with them, and is the float's when they are back."""


class Activity:
    """Which values and places of a function are active, for given marks of its arguments and result."""

    def __init__(
        self,
        module: Module,
        function: Function,
        cfg: CFG,
        memory: Memory,
        types: FunctionTypes,
        marks: Sequence[Mark],
        result: Mark | None,
        registry: Registry,
        *,
        nested: bool = False,
        tainted: frozenset[int] | None = None,
        summaries: Summaries | None = None,
        exceptions: bool = False,
        communicating: Collection[str] = (),
    ) -> None:
        """With `exceptions`, those may carry derivatives: in a callee, also those that others throw, or catch.

        With `tainted`, it is made for the summary of what a function does with such arguments.

        `communicating` are the functions by which data comes from other processes and goes there.
        """
        self.module, self.function, self.cfg, self.memory, self.types = module, function, cfg, memory, types
        self.marks, self.result, self.registry, self.nested = marks, result, registry, nested
        self.communicating = communicating
        self._rules: dict[Instruction, Rule | None] = {}
        self._terms: dict[Instruction, list[Term]] = {}
        self._unclear: dict[Instruction, tuple[Value, ...]] = {}
        self._floatless: dict[Value, bool] = {}
        self.varied: set[Value] = set()
        self.useful: set[Value] = set()
        self._varied_words: set[Value] = set()
        self._useful_words: set[Value] = set()
        """Integers that may be floats, though they are not known to be."""
        self.varied_places: set[Place] = set()
        self.useful_places: set[Place] = set()
        self.taint = Taint(self, Summaries() if summaries is None else summaries, tainted)
        self._mark_interface()
        self.taint.values.update(function.arguments[n] for n in tainted or ())
        self._thrown = memory.place(module.exceptions)
        others = self._thrown.find().origins - {module.exceptions}
        self._carried = exceptions or any(map(types.may_hold_floats, others))
        """Whether there may be floats where exceptions are: theirs, or of memory that can't be told from them."""
        if exceptions and nested:
            self._mark_reachable(self._thrown)
        self._spread(self._vary)
        while self.taint.spread():
            self._spread(self._vary)
        self._spread(self._use)

    # -- answers ----------------------------------------------------------------------------------------------------

    def active(self, value: Value) -> bool:
        """Whether a float (or an aggregate of floats, or the bits of one) carries a derivative."""
        return value in self.varied and value in self.useful

    def has_shadow(self, pointer: Value) -> bool:
        """Whether the memory that a pointer points to (or memory reached from there) carries derivatives."""
        return not is_null(pointer) and self.place_active(self.memory.place(pointer))

    def place_active(self, place: Place) -> bool:
        seen: set[Place] = set()
        p: Place | None = place.find()
        while p is not None and p not in seen:
            if self.floats_active(p):
                return True
            seen.add(p)
            p = p.content.find() if p.content is not None else None
        return False

    def holds_active_floats(self, pointer: Value) -> bool:
        """Whether floats that lie directly where the pointer points to carry derivatives."""
        return self.floats_active(self.memory.place(pointer).find())

    def floats_active(self, place: Place) -> bool:
        """Whether floats in a place carry derivatives."""
        if place is self._thrown.find() and not self._carried:
            return False
        return place in self.varied_places and place in self.useful_places

    def active_call(self, call: Instruction) -> bool:
        """Whether a call of a function has a part in the derivative."""
        if self.communicates(call) or any(self.active(a) for a in call.arguments) or self.active(call):
            return True
        return any(self.place_active(p) for p in self.reached(call, *self.memory.taken_by(call), call))

    def communicates(self, call: Instruction) -> bool:
        """Whether a call may receive what is active elsewhere, or send what is useful there."""
        name = call.callee_name
        if name is None:
            return bool(self.communicating)
        return name in self.communicating and name not in self.registry.inactive

    # -- beginnings -------------------------------------------------------------------------------------------------

    def _mark_interface(self) -> None:
        for argument, mark in zip(self.function.arguments, self.marks, strict=True):
            if mark in (Mark.const, Mark.constnoneed):
                continue
            if self.memory.points(argument):
                self._mark_reachable(self.memory.place(argument))
            else:
                self.varied.add(argument)
                self.useful.add(argument)
        for g in self._active_globals():
            self._mark_reachable(self.memory.place(g))
        if self.result is not None and self.result not in (Mark.const, Mark.constnoneed):
            for block in self.cfg.order:
                if block.terminator.opcode == "ret" and block.terminator.operands:
                    returned = block.terminator.operands[0]
                    if self.memory.points(returned) and not is_null(returned):
                        self._mark_reachable(self.memory.place(returned))
                    self.useful.add(returned)

    def _active_globals(self) -> list[Global]:
        """Globals that bring a derivative in: those with a shadow of the user's; in a callee, all that the caller may
        have changed."""
        return [
            g
            for g in self.memory.globals
            if not g.constant and g.name not in self.registry.inactive_globals
            if self.nested or g.name in self.registry.shadow_globals
        ]

    def _is_set_apart(self, pointer: Value) -> bool:
        """Whether an address is in a variable of which the program says that no derivative goes through it."""
        base = self.memory.base(pointer)[0]
        names = {base.name} if isinstance(base, Global) else set(base.globals) if isinstance(base, Constant) else set()
        return bool(names) and names <= self.registry.inactive_globals

    def _mark_reachable(self, place: Place) -> None:
        self._mark_useful(place)
        seen: set[Place] = set()
        p: Place | None = place.find()
        while p is not None and p not in seen:
            seen.add(p)
            self.varied_places.add(p)
            p = p.content.find() if p.content is not None else None

    def _mark_useful(self, place: Place) -> None:
        seen: set[Place] = set()
        p: Place | None = place.find()
        while p is not None and p not in seen:
            seen.add(p)
            self.useful_places.add(p)
            p = p.content.find() if p.content is not None else None

    def _spread(self, step: object) -> None:
        changed = True
        order = list(self.cfg.order if step == self._vary else reversed(self.cfg.order))
        while changed:
            changed = False
            for block in order:
                instructions = block.instructions if step == self._vary else reversed(block.instructions)
                for i in instructions:
                    changed |= step(i)  # type: ignore[operator]

    # -- forward: what depends on an active input -------------------------------------------------------------------

    def _vary(self, i: Instruction) -> bool:
        match i.opcode:
            case "load":
                varied = self.memory.place(i.pointer) in self.varied_places and not self._is_set_apart(i.pointer)
                return varied and (self.carries(i) or self._is_word(i)) and _add(self._varied_of(i), i)
            case "store":
                if (i.value in self._varied_of(i.value) or i in self.taint.lossy) and not self._is_set_apart(i.pointer):
                    return _add(self.varied_places, self.memory.place(i.pointer))
                return False
            case "atomicrmw" | "cmpxchg":  # reads, changes and writes
                place, new = self.memory.place(i.pointer), i.operands[-1]
                changed = new in self.varied and self.carries(new) and _add(self.varied_places, place)
                return (place in self.varied_places and self.carries(i) and _add(self.varied, i)) or changed
            case "call" | "invoke":
                return self._vary_call(i)
            case "phi" | "select" | "freeze" if self._is_word(i):
                return any(o in self._varied_words for o in i.operands) and _add(self._varied_words, i)
        if not self.carries(i):
            return False
        if i in self.taint.lossy or any(o in self.varied for o in self._smooth_operands(i)):
            return _add(self.varied, i)
        return False

    def _vary_call(self, call: Instruction) -> bool:
        if self.inactive(call):
            return False
        if rule := self.rule(call):
            if not any(a in self.varied for a, p in zip(call.arguments, rule.partials, strict=True) if p):
                return False
            return _add(self.varied, call)
        if (masked := masked_access(call)) is not None:
            place, value = self.memory.place(masked.pointer), masked.stored or call
            if not self.carries(value):
                return False
            if masked.stored is not None:
                return masked.stored in self.varied and _add(self.varied_places, place)
            return (place in self.varied_places or masked.passthrough in self.varied) and _add(self.varied, call)
        fact = self.memory.known(call)
        if fact is not None and fact.kind == "copy":
            source, target = (self.memory.place(call.arguments[n]) for n in (fact.source or 0, fact.pointer or 0))
            varied = source in self.varied_places or call in self.taint.lossy
            return varied and _add(self.varied_places, target)
        if fact is not None:
            return False
        if self.is_harmless(call):
            return False
        reached = self._reached_floats(call, *self.memory.taken_by(call))
        varied = any(a in self.varied for a in call.arguments) or any(p in self.varied_places for p in reached)
        if call.callee_name is None and self.memory.points(call):  # new memory comes with a shadow
            varied = varied or any(p in self.varied_places for p in _reachable(self.memory.place(call)))
        if not varied and call not in self.taint.lossy and not self.communicates(call):
            return False
        changed = False
        effects = self.memory.effects(call)
        for place in reached:
            unseen = effects.written is None or (effects.unseen and place.external)
            if unseen or any(place is w.find() for w in effects.written or ()):
                changed |= _add(self.varied_places, place)
        # The derivatives of what is called by a pointer are found by the pointer's shadow; a rule takes all shadows.
        for place in self.memory.called_by(call):
            if self._holds_no_floats(call, place):
                continue
            changed |= _add(self.varied_places, place.find())
            changed |= _add(self.useful_places, place.find())
        if self.carries(call):
            changed |= _add(self.varied, call)
        if self.memory.points(call):
            for place in _reachable(self.memory.place(call)):
                changed |= _add(self.varied_places, place)
        return changed

    def _holds_no_floats(self, call: Instruction, place: Place) -> bool:
        """Whether a place that a call is passed is known to hold integers and the like alone."""
        passed = [a for a in call.arguments if a.type.is_pointer and self.memory.place(a) is place.find()]
        return bool(passed) and not any(self.types.functions(a) or self.types.may_hold_floats(a) for a in passed)

    # -- backward: what an active output depends on -----------------------------------------------------------------

    def _use(self, i: Instruction) -> bool:
        match i.opcode:
            case "load":
                useful = i in self._useful_words or (i in self.useful and self.carries(i))
                return useful and _add(self.useful_places, self.memory.place(i.pointer))
            case "store":
                if self.memory.place(i.pointer) not in self.useful_places:
                    return False
                if self.carries(i.value):
                    return _add(self.useful, i.value)
                return self._is_word(i.value) and _add(self._useful_words, i.value)
            case "atomicrmw" | "cmpxchg":
                place, new = self.memory.place(i.pointer), i.operands[-1]
                changed = i in self.useful and self.carries(i) and _add(self.useful_places, place)
                return (place in self.useful_places and self.carries(new) and _add(self.useful, new)) or changed
            case "call" | "invoke":
                return self._use_call(i)
            case "phi" | "select" | "freeze" if i in self._useful_words:
                words = [o for o in i.operands if self._is_word(o) and o not in self._useful_words]
                self._useful_words.update(words)
                return bool(words)
        if i not in self.useful or not self.carries(i):
            return False
        changed = False
        for o in self._smooth_operands(i):
            changed |= self.carries(o) and _add(self.useful, o)
        return changed

    def _is_word(self, value: Value) -> bool:
        """Whether an integer may be a float although it is taken for a pointer, or for nothing: where the types see one
        object in two, it is a pointer in the one and a float in the other."""
        if not isinstance(value, Instruction) or not value.type.scalar.is_integer or self.carries(value):
            return False
        return self.types.value(value) in (Kind.pointer, Kind.unknown)

    def _varied_of(self, value: Value) -> set[Value]:
        """Where it is noted that a value varies: floats, or words that may be some."""
        return self.varied if self.carries(value) else self._varied_words

    def _use_call(self, call: Instruction) -> bool:
        if self.inactive(call):
            return False
        changed = False
        if rule := self.rule(call):
            if call in self.useful:
                for a, p in zip(call.arguments, rule.partials, strict=True):
                    changed |= p is not None and _add(self.useful, a)
            return changed
        if (masked := masked_access(call)) is not None:
            place, value = self.memory.place(masked.pointer), masked.stored or call
            if not self.carries(value):
                return False
            if masked.stored is not None:
                return place in self.useful_places and _add(self.useful, masked.stored)
            if call in self.useful and masked.passthrough is not None:
                changed |= _add(self.useful_places, place)
                changed |= self.carries(masked.passthrough) and _add(self.useful, masked.passthrough)
            return changed
        fact = self.memory.known(call)
        if fact is not None and fact.kind == "copy":
            source, target = (self.memory.place(call.arguments[n]) for n in (fact.source or 0, fact.pointer or 0))
            return target in self.useful_places and _add(self.useful_places, source)
        if fact is not None or self.is_harmless(call):
            return False
        reached = self._reached_floats(call, *self.memory.taken_by(call), call)
        effects = self.memory.effects(call)
        seen = effects.written is not None and not effects.unseen
        changes = {w.find() for w in effects.written or ()} if seen else set(reached)
        useful = call in self.useful or any(p in self.useful_places for p in changes)
        if not useful and not self.communicates(call):
            return False
        for place in reached:
            changed |= _add(self.useful_places, place)
        for a in call.arguments:
            changed |= self.carries(a) and _add(self.useful, a)
        return changed

    def reached(self, call: Instruction, *values: Value) -> list[Place]:
        """The places that a call can get at, by pointers that it is passed and by globals."""
        begin = [self.memory.place(v) for v in values if self.memory.points(v) and not is_null(v)]
        begin += self.memory.effects(call).globals
        return [p for place in begin for p in _reachable(place)]

    def _reached_floats(self, call: Instruction, *values: Value) -> list[Place]:
        """The same, but for pointers to what is known to have no floats: text, counters."""
        return self.reached(call, *(v for v in values if not self._leads_to_none(v)))

    def _leads_to_none(self, pointer: Value) -> bool:
        """Whether a pointer surely leads to text and counters alone."""
        if is_null(pointer) or not pointer.type.is_pointer:
            return is_null(pointer)
        if pointer not in self._floatless:
            self._floatless[pointer] = self.types.leads_to_integers(pointer)
        return self._floatless[pointer]

    # -- what instructions do ---------------------------------------------------------------------------------------

    def carries(self, value: Value) -> bool:
        """Whether a value is, or holds, a float (perhaps in the guise of an integer)."""
        return self.carried(value) is not None

    def carried(self, value: Value) -> Type | None:
        return carried_float(value, self.types)

    def _smooth_operands(self, i: Instruction) -> list[Value]:
        """The operands that a small change of which changes the result."""
        if OPCODES[i.opcode].derivative == "none":
            return []
        if OPCODES[i.opcode].derivative == "count":
            return [term.source for term in self.terms(i)]
        if i.opcode == "bitcast" and i.type.is_float:
            return [*i.operands, *(term.source for term in self.terms(i))]
        if OPCODES[i.opcode].derivative in ("move", "convert"):
            return i.operands[1:] if i.opcode == "select" else [o for o in i.operands if o.type.kind != "label"]
        rule = self.rule(i)
        if rule is not None:
            return [o for o, p in zip(i.operands, rule.partials, strict=True) if p]
        if OPCODES[i.opcode].derivative == "mask" and (carried := carried_float(i, self.types)) is not None:
            operation = bit_operation(i, carried, self.carries)
            return [operation.operand] if operation is not None and operation.kind != "constant" else []
        return i.operands if not i.type.is_integer else []

    def terms(self, i: Instruction) -> list[Term]:
        """The floats that an integer which becomes a float, as a number or as bits, is made of."""
        if i not in self._terms:
            if converts_integer(i):
                self._terms[i] = []
                return []
            try:
                self._terms[i] = digits_made(i) if i.opcode == "bitcast" else digits_counted(i, self)
            except Unclear as unclear:
                self._terms[i], self._unclear[i] = [], unclear.sources
        return self._terms[i]

    def is_unclear(self, conversion: Instruction) -> bool:
        """Whether a number is made of the digits of active floats in a way that is not understood."""
        self.terms(conversion)
        sources = self._unclear.get(conversion, ())
        return any(source in self.varied or source in self.taint.values for source in sources)

    def may_carry(self, load: Instruction) -> bool:
        """Whether what is taken for an integer is read where floats lie."""
        size = load.type.scalar.size
        if reads_integer(load):
            return False
        if not self.types.accessed_as_float(load.pointer, size):  # nobody does, but somebody says that they are floats
            declared = self.types.accessed_as_float(load.pointer, size, or_declared=True)
            return declared and not self._is_stored_as_number(load)
        return not self._is_stored_as_number(load) or self.types.accessed_as_float(
            load.pointer, size, spaced_alike=True
        )

    def _is_stored_as_number(self, load: Instruction) -> bool:
        """Whether what a load reads of an array of structs is written as an integer that has no float's bits."""
        return any(
            i.opcode == "store"
            and i.value.type == load.type
            and not self.carries(i.value)
            and i.value not in self.taint.values
            and self.types.meets(load.pointer, i.pointer)
            for block in self.cfg.reachable
            for i in block.instructions
        )

    def rule(self, i: Instruction) -> Rule | None:
        """The rule of an instruction, or of a function of the library; a function with a body is what its body says."""
        if i not in self._rules:
            self._rules[i] = self._find_rule(i)
        return self._rules[i]

    def _find_rule(self, i: Instruction) -> Rule | None:
        if rounds(i):
            return Rule("rounding", (None,) * len(i.arguments if i.opcode == "call" else i.operands))
        if i.opcode not in ("call", "invoke"):
            return rule_for(i)
        name = i.callee_name
        if is_swap(i):
            return _MOVED if self.keeps_float(i) else None
        if name is not None and name in self.registry.formulas:
            return self.registry.formulas[name]
        if name is None or name in self.registry.gradients or name in self.registry.derivatives:
            return None
        if name in self.registry.function_like:
            return rule_named(self.registry.function_like[name], [a.type for a in i.arguments], i.type)
        function = self.module.functions.get(name)
        if function is not None and not function.is_declaration:
            return None
        return rule_for(i)

    def keeps_float(self, swap: Instruction) -> bool:
        """Whether bytes in reverse order are those of one float each: of several, the floats change places, too."""
        carried = self.carried(swap)
        return carried is not None and carried.scalar.size == swap.type.scalar.size

    def inactive(self, call: Instruction) -> bool:
        """Whether a call carries no derivative, whatever it is given."""
        name = call.callee_name
        if name is None:
            return False
        if name in self.registry.inactive or handed_on(call) is not None:
            return True
        if is_swap(call):
            return not self.keeps_float(call)
        fact = self.memory.known(call)
        return fact is not None and fact.kind == "inactive"

    def is_harmless(self, call: Instruction) -> bool:
        """Whether it is a note to the compiler."""
        return (call.callee_name or "").startswith(_NOTES)


def carried_float(value: Value, types: FunctionTypes) -> Type | None:
    """The type in which a value's derivative is kept: its own, if there are floats in it; of an integer that is
    really the bits
    of a float, that float's."""
    type = value.type
    if type.is_float:
        return type
    if type.is_aggregate:
        return type if type.holds_float else None
    if isinstance(value, (Instruction, Argument)) and type.scalar.is_integer:
        return types.carried(value)
    return None


def _add(found: set, item: object) -> bool:  # type: ignore[type-arg]
    if item in found:
        return False
    found.add(item)
    return True


def _reachable(place: Place) -> list[Place]:
    found: list[Place] = []
    p: Place | None = place.find()
    while p is not None and p not in found:
        found.append(p)
        p = p.content.find() if p.content is not None else None
    return found
