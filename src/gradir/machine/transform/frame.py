"""One function being differentiated: its analyses, its signature, and how primal values and shadows are named in the
new code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from gradir.errors import NeedsShadow, NoRule, OneDirection
from gradir.machine.analysis.activity import Activity, carried_float
from gradir.machine.analysis.addresses import offsets_asked_for
from gradir.machine.analysis.bits.counts import Term
from gradir.machine.analysis.bytes.counters import counts
from gradir.machine.analysis.bytes.typed_integers import reads_integer, stores_integer
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.analysis.parallel.beside import Beside
from gradir.machine.ir import (
    DOUBLE,
    VOID,
    Argument,
    Constant,
    Function,
    Global,
    Instruction,
    Type,
    Value,
    is_null,
    struct,
    vector,
)
from gradir.machine.ir.builder import OURS, Code, Expr
from gradir.machine.ir.locations import Part
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.passes.flow.jumps import RETURNING_TWICE
from gradir.machine.passes.words.packed import pieces_of
from gradir.machine.transform.shadows.constancy import Constancy
from gradir.machine.transform.shadows.shadow import Shadows
from gradir.request import Activity as Mark
from gradir.request import Mode

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Options, Program

__all__ = ["UNKNOWN", "Analyses", "Frame", "Given", "pack"]


class Given(NamedTuple):
    """What a caller knows of the memory that it hands to a function."""

    apart: bool = False
    """No two of its arguments lead to memory that overlaps."""
    lasting: frozenset[int] = frozenset()
    """The arguments that lead to memory which nobody writes between the call and its undoing."""
    alone: bool = False
    """It is run by the threads of one team, and nobody else runs at the same time; or by a thread that waits for
    nobody."""
    closed: bool = False
    """It is undone right after it has run: nobody writes anywhere in between."""
    unread: frozenset[int] = frozenset()
    """The arguments that lead to memory which nobody else reads."""


UNKNOWN = Given()

_COMPARES = ("bcmp", "memcmp")
"""Functions that take a length, of nothing that is a float."""

_LEAST_AND_MOST = ("llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.")


@dataclass(frozen=True)
class Analyses:
    """All that is known of a function, for given activities of its arguments and result."""

    function: Function
    cfg: CFG
    memory: Memory
    types: FunctionTypes
    activity: Activity


class Frame:
    """What both sweeps of a derivative share."""

    def __init__(
        self,
        program: Program,
        analyses: Analyses,
        marks: Sequence[Mark],
        result: Mark | None,
        shadows: Shadows,
        options: Options,
        mode: Mode = Mode.reverse,
        *,
        nested: bool = False,
    ) -> None:
        self.mode = mode
        self.program, self.module, self.options = program, program.module, options
        self.function, self.cfg = analyses.function, analyses.cfg
        self.memory, self.types, self.activity = analyses.memory, analyses.types, analyses.activity
        self.marks, self.result, self.shadows = marks, result, shadows
        self.names = [
            v.ref[1:] for v in [*self.function.arguments, *self.function.blocks, *self.function.instructions()] if v.ref
        ]
        self.constancy = Constancy(self)
        self.beside = Beside(self.cfg, self.memory, program.spawning, program.joining, returns=nested)
        self.shadow_values: dict[Value, list[Expr]] = {}
        """Shadows of pointers, as the forward sweep has them."""

    # -- errors -----------------------------------------------------------------------------------------------------

    def refuse(self, instruction: Instruction, message: str, hint: str) -> NoRule:
        where = self.module.location(instruction) or f"@{self.function.name}"
        return NoRule(f"{message}: {instruction}", location=where, hint=hint)

    def refuse_several(self, instruction: Instruction, message: str, hint: str) -> OneDirection:
        """Of what has a derivative in one direction, but not in several at once."""
        where = self.module.location(instruction) or f"@{self.function.name}"
        return OneDirection(f"{message}: {instruction}", location=where, hint=hint)

    def refuse_bits(self, instruction: Instruction) -> NoRule:
        if instruction.opcode == "store":
            return self.refuse(
                instruction,
                f"integers are written where floats are read\n  {self.types.explain(instruction.pointer)}\n ",
                "move floats as floats; if these are no floats, keep them in memory of their own",
            )
        return self.refuse(
            instruction,
            "the bits of an active float are changed as an integer, in a way whose derivative is not known",
            "work on the float itself (fabs, copysign, ldexp, frexp), mark the function inactive, or give a rule",
        )

    def check_rules(self) -> None:
        """Refuse constant pointers that a rule of the program's own takes: it may write to their shadows."""
        for block in self.cfg.reachable:
            for i in block.instructions:
                ruled = i.opcode in ("call", "invoke") and i.callee_name in self.memory.ruled
                if ruled and self.activity.active_call(i):
                    self._check_rule(i)

    def _check_rule(self, call: Instruction) -> None:
        for a in call.arguments:
            if not a.type.is_pointer or not self.shadowed(a):
                continue
            if self.constancy.asked and self.constancy.may_be(a):
                raise self.refuse(
                    call, f"the rule of @{call.callee_name} takes memory that may be constant", "give it a shadow"
                )
            for o in self.memory.place(a).origins:
                if isinstance(o, Argument) and not self.marks[o.index].has_shadow:
                    raise NeedsShadow(
                        f"argument {o.index} ({o.name}) of @{self.function.name} is marked const, but the rule of "
                        f"@{call.callee_name} takes its shadow, and may write there",
                        o.index,
                        location=self.module.location(call) or f"@{self.function.name}",
                        hint="give it a shadow (dup) of its own, and leave out what comes back there",
                    )

    # -- types ------------------------------------------------------------------------------------------------------

    def float_of(self, value: Value) -> Type | None:
        """The type in which a value's derivative is kept."""
        return carried_float(value, self.types)

    def counted_float(self, i: Instruction, term: Term) -> Type:
        """The floats whose digits are counted in a number that is converted, or made by the bits that are cast."""
        found = i.type if i.opcode == "bitcast" else self.float_of(term.source)
        assert found is not None
        return found

    def shuffled(self, i: Instruction) -> tuple[int, ...]:
        """The mask of a shuffle, by floats: one lane may carry several in the guise of an integer."""
        mask: tuple[int, ...] = i.info["mask"]  # type: ignore[assignment]
        floats = {f for v in (i, *i.operands[:2]) if self.active(v) and (f := self.float_of(v)) is not None}
        if len({f.element for f in floats}) != 1:
            raise self.refuse_bits(i)
        each = next(iter(floats)).element
        count = i.type.element.size // each.size
        return tuple(k * count + n if k >= 0 else -1 for k in mask for n in range(count))

    def shadow_types(self, value: Value) -> tuple[Type, Type]:
        """The type in which a value's derivative is kept, and the one in which it is passed."""
        return self.float_of(value) or value.type, value.type

    def stored_float(self, i: Instruction) -> Type | None:
        """The floats that a store or an atomic writes, also where they are constant or in the guise of an integer."""
        value = i.value if i.opcode == "store" else i.operands[1]
        type = self.float_of(value)
        if type is None and value.type.is_integer:
            kind = self.types.memory(i.pointer, 0, value.type.size)
            element = DOUBLE if self._ends_unknown(i, value, kind) else kind.float_type
            if element is not None and value.type.size % element.size == 0:
                count = value.type.size // element.size
                return element if count == 1 else vector(count, element)
        return type

    def _ends_unknown(self, i: Instruction, value: Value, kind: Kind) -> bool:
        """Whether zero is stored in memory of the caller's of which nobody here says what it holds: it may be floats,
        and their cotangents end here."""
        zero = isinstance(value, Constant) and value.integer == 0
        return zero and kind is Kind.anything and self.memory.place(i.pointer).external

    def overwrites(self, store: Instruction) -> bool:
        """Whether integers are stored where active floats may be, constants as far as those are concerned."""
        value = store.value
        if not value.type.scalar.is_integer or not self.activity.holds_active_floats(store.pointer):
            return False
        if self._counts_up(store):
            return False
        types, pointer, size = self.types, store.pointer, value.type.size
        kind = types.memory(pointer, 0, size)
        if kind is Kind.pointer or (kind is Kind.integer and types.surely_integer(pointer, size)):
            return False
        if self.stored_float(store) is not None:
            return False
        # Two floats don't overlap: where one is overwritten whole, one that would be cut is none.
        cut, whole = self._overwritten(store)
        return bool(whole) or not cut

    def _counts_up(self, store: Instruction) -> bool:
        """Whether a counter is put back: whatever lies there, its shadow stays as it is."""
        return counts(store) and not self.shadowed(store.value) and self.stored_float(store) is None

    def wipe(self, code: Code, store: Instruction, pointers: Sequence[Expr]) -> None:
        """Clear the shadows of the bytes that a store writes to."""
        size = store.value.type.store_size * 8 * self.shadows.scale  # a vector of three ends before the fourth
        for p in pointers:
            code.store(code.constant(Type(f"i{size}", "int", size), 0), p, ", align 1")

    def float_inserted(self, i: Instruction) -> Type:
        """The float that an `insertelement` puts into a lane, perhaps in the guise of an integer, or as a constant."""
        whole, value = self.float_of(i), i.operands[1]
        return self.float_of(value) or (whole.element if whole is not None else value.type)

    def atomic_float(self, i: Instruction) -> Type:
        """The float that an atomic adds to, subtracts from or exchanges (in the guise of an integer, too)."""
        type, given, operation = self.stored_float(i), i.operands[1].type, i.info["operation"]
        exchanged = operation == "xchg" and type is not None and given.size == type.size
        if type is None or type.kind != "float" or not (exchanged or (operation in ("fadd", "fsub") and given == type)):
            raise self.refuse(i, f"an atomic {operation} on active memory has no derivative", "use a plain store")
        if self.may_be_shared(i, i.pointer) and (operation == "xchg" or self.function.users.get(i)):
            raise self.refuse(
                i,
                "what an atomic gives in a parallel region has no derivative: it depends on the order",
                "use omp critical",
            )
        return type

    def compares_active(self, i: Instruction) -> bool:
        """Whether a `cmpxchg` is on memory that carries derivatives, not on an integer beside it."""
        types, size = self.types, i.operands[1].type.size
        if not self.shadowed(i.pointer) or types.memory(i.pointer, 0, size) is Kind.integer:
            return False
        # A count in one of two objects that the types take for one: it is calculated with, and nobody has floats there.
        counted = {types.value(v) for v in i.operands[1:]} <= {Kind.integer, Kind.anything}
        return not counted or types.overlaps_floats(i.pointer, size)

    def check_types(self, moved_along: Collection[Value] = ()) -> None:
        """Refuse integers that may be the bits of floats in active memory: their derivative would be lost without a
        word.

        But for those whose shadows are moved along with them, whatever they are.
        """
        for block in self.cfg.reachable:
            for i in block.instructions:
                moved = i.value if i.opcode == "store" else i
                if moved in moved_along:
                    continue
                if i in self.activity.taint.lossy and self.activity.taint.matters(i):
                    raise self.refuse_bits(i)
                if self._passes_bits_by_address(i):
                    raise self.refuse(
                        i,
                        "the bits of an active float are passed as an integer by a call of an address",
                        "pass the float itself",
                    )
                if i.opcode in ("phi", "select"):
                    self._check_choice(i)
                if i.opcode == "inttoptr":
                    self._check_address(i)
                self._check_distance(i)
                if i.opcode not in ("load", "store"):
                    self._check_vector(i)
                    continue
                if i.opcode == "store" and self._counts_up(i):
                    continue
                if i.opcode == "store":
                    self._check_overwritten(i)
                if (
                    not moved.type.scalar.is_integer
                    or moved.type.size < 2
                    or not self.activity.holds_active_floats(i.pointer)
                ):
                    continue
                if moved.type.size in (8, 16) and pieces_of(self.types, i.pointer, moved.type.size) is not None:
                    if i.opcode == "store":  # copies and constants are in pieces already
                        raise self.refuse_bits(i)
                    continue
                if i.opcode == "store" and self._wipes_what_may_be_moved(i):
                    raise self.refuse_bits(i)
                if self.types.value(moved) is not Kind.unknown or self.float_of(moved) is not None:
                    continue
                if reads_integer(i) if i.opcode == "load" else stores_integer(i):
                    continue
                if i.opcode == "load" and self._is_only_counted(i):
                    continue
                if i.opcode == "store" and self.overwrites(i) and not self._may_be_active(moved):
                    continue
                if self.types.memory(i.pointer, 0, moved.type.size) is Kind.unknown and self.types.may_hold_floats(
                    i.pointer
                ):
                    raise self.refuse(
                        i,
                        f"it is not known whether these are the bits of floats\n  {self.types.explain(i.pointer)}\n ",
                        "compile with debug information and strict aliasing, or move floats as floats",
                    )

    def _check_choice(self, i: Instruction) -> None:
        """Refuse integers of which it depends whether they are addresses or floats, unless nothing is done with them
        but to move them (`passes/words/moved_words.py`)."""
        if not i.type.is_integer or not self.shadowed(i):
            return
        for value in i.operands:
            if value.type == i.type and not self.carries_pointer(value) and self._may_be_active(value):
                raise self.refuse(
                    i, "an integer is an address here, and there the bits of a float", "keep the two in a union"
                )

    def _is_only_counted(self, value: Value) -> bool:
        """Whether an integer is a number to all that is done with it: a length, where other objects have floats.

        If it were the bits of one, taint would follow them through arithmetic and calls, and tell what becomes of them.
        """
        work, seen = [value], {value}
        while work:
            for user in self.function.users.get(work.pop(), ()):
                if user.opcode in ("phi", "select", "freeze") or (user.callee_name or "").startswith(_LEAST_AND_MOST):
                    work += [user] if user not in seen else []
                    seen.add(user)
                elif not self._counts(user):
                    return False
        return True

    def _counts(self, user: Instruction) -> bool:
        """Whether an instruction takes an integer for a number, or hands it to code that can be seen."""
        if user.opcode in ("call", "invoke"):
            return user.callee_name in _COMPARES or self.activity.taint.follows(user)
        return user.opcode == "getelementptr" or OPCODES[user.opcode].types in ("number", "bits")

    def _passes_bits_by_address(self, i: Instruction) -> bool:
        """Whether a call by address takes or gives an integer that carries a derivative.

        Who calls by address knows the types of what it passes alone: integers have no shadows there.
        """
        if i.opcode not in ("call", "invoke") or i.callee_name is not None:
            return False
        activity = self.activity
        return any(
            v.type.scalar.is_integer and v in activity.varied and activity.carries(v) for v in (*i.arguments, i)
        )

    def _wipes_what_may_be_moved(self, store: Instruction) -> bool:
        """Whether an integer that is loaded from active memory, and taken for a pointer, is stored where floats may be:
        two objects are one to the types, and in the other one it may be a float itself."""
        value = store.value
        loaded = isinstance(value, Instruction) and value.opcode == "load" and self.shadowed(value.pointer)
        return loaded and self.types.value(value) is Kind.pointer and self.overwrites(store)

    def _may_be_active(self, value: Value) -> bool:
        """Whether there may be bits of active floats in an integer, whatever it is."""
        return value in self.activity.varied or value in self.activity.taint.values

    def check_jumps(self) -> None:
        """Refuse calls that return more than once: what ran before the second return is not undone, nor found again."""
        for block in self.cfg.reachable:
            for i in block.instructions:
                if i.opcode in ("call", "invoke") and self._returns_twice(i):
                    called = i.callee_name or "a function by its address"
                    raise self.refuse(
                        i,
                        f"@{called} may return twice: a jump back has no derivative",
                        "leave by return codes or C++ exceptions, or mark the function that jumps as inactive",
                    )

    def _returns_twice(self, call: Instruction) -> bool:
        function = self.module.functions.get(call.callee_name or "")
        if "returns_twice" in str(call.info["attributes"]).split() or (call.callee_name in RETURNING_TWICE):
            return True
        return function is not None and function.has("returns_twice")

    def _check_address(self, i: Instruction) -> None:
        """Refuse pointers that are made of addresses in a way from which no shadow comes back, and floats in the guise
        of pointers."""
        source = i.operands[0]
        if self.types.is_called_float(source):
            raise self.refuse(i, "floats and addresses are in one vector", "compile without vectorising loops")
        used = any(u.opcode in ("load", "store", "getelementptr", "call") for u in self.function.users.get(i, []))
        if used and not self.carries_pointer(source) and self.types.may_hold_floats(i):
            raise self.refuse(
                i, "a pointer is made of an integer in a way that has no shadow", "keep the pointer a pointer"
            )

    def _check_distance(self, i: Instruction) -> None:
        """Refuse pointers that are found by a distance that was kept: their shadows are at another."""
        if self.types.provenance.steps_by_kept_distance(i) and self.shadowed(i):
            raise self.refuse(
                i,
                "a pointer is found by its distance from another one, which was kept as a number",
                "keep pointers as pointers, or all of it in one array",
            )

    def _check_vector(self, i: Instruction) -> None:
        """Refuse vectors of integers some of which are floats and others addresses."""
        if i.type.kind != "vector" or not i.type.element.is_integer or self.float_of(i) is None:
            return
        if self.shadowed(i):
            raise self.refuse(i, "floats and addresses are in one vector", "compile without vectorising loops")

    def _check_overwritten(self, store: Instruction) -> None:
        """Refuse integers that overwrite the head of an active float and leave the rest of it."""
        if not store.value.type.scalar.is_integer or not self.activity.holds_active_floats(store.pointer):
            return
        if _is_field_beside_floats(store.pointer, store.value.type) or self._ends_before_floats(store):
            return
        if stores_integer(store):  # nobody reads the rest as a part of what it was
            return
        if self.stored_float(store) is None and any(
            f.start < 0 < f.stop <= store.value.type.size for f in self._overwritten(store)[0]
        ):
            raise self.refuse(
                store,
                f"a part of a float is overwritten\n  {self.types.explain(store.pointer)}\n ",
                "write floats as floats; if these are no floats, keep them in memory of their own",
            )

    def _ends_before_floats(self, store: Instruction) -> bool:
        """Whether a byte goes to where the program has asked for less than a bound, before which there are no floats:
        text is written into a struct that has numbers as well."""
        pointer = store.pointer
        if not isinstance(pointer, Instruction) or pointer.opcode != "getelementptr":
            return False
        bytes = offsets_asked_for(pointer)
        size = store.value.type.size
        return bytes is not None and not self.types.has_floats(pointer.pointer, bytes.start, len(bytes) + size - 1)

    def _overwritten(self, store: Instruction) -> tuple[list[range], list[range]]:
        """The floats of which a store overwrites a part, and no other store beside it the rest; and those of which one
        does."""
        floats = self.types.cut_floats(store.pointer, store.value.type.size)
        if not floats:
            return [], []
        base, at = self.memory.distance(store.pointer)
        beside = [i for i in store.block.instructions if i.opcode == "store"]
        places = [(self.memory.distance(i.pointer), i.value.type.size) for i in beside]
        written = {byte for (origin, n), size in places if origin is base for byte in range(n - at, n - at + size)}
        whole = [f for f in floats if written.issuperset(f)]
        return [f for f in floats if f not in whole], whole

    def active(self, value: Value) -> bool:
        return self.activity.active(value)

    def undoes_store(self, i: Instruction) -> bool:
        """Whether a store writes floats that have derivatives."""
        return self.activity.holds_active_floats(i.pointer) and self.stored_float(i) is not None

    def may_be_shared(self, i: Instruction, pointer: Value) -> bool:
        """Whether other threads may add to the shadow of what an instruction reads there, at the same time."""
        if not self.options.threads and not self.beside.others(i):
            return False
        place = self.memory.place(pointer)
        return place.external or place in self.beside.handed

    def carries_pointer(self, value: Value) -> bool:
        """Whether a value is, or holds, a pointer, perhaps in the guise of an integer."""
        return self.memory.points(value)

    def is_pointer(self, value: Value) -> bool:
        """Whether a value is a pointer, or an integer that is made of one."""
        return value.type.is_pointer or (value.type.is_integer and self.carries_pointer(value))

    def passed_with_shadow(self, value: Value) -> bool:
        """Whether a callee is given the shadow of a pointer, or of an integer that is made of one."""
        return self.shadowed(value) and not self.types.provenance.is_difference(value)

    def gives_pointer(self, function: Function) -> bool:
        """Whether the result of a function is, or holds, such."""
        return function.result.holds_pointer or self.types.provenance.result_carries(function.name)

    def shadowed(self, value: Value) -> bool:
        return self.carries_pointer(value) and self.activity.has_shadow(value)

    def shadow_align(self, i: Instruction) -> int:
        """What the shadow is aligned to that a load or store goes to. More than `malloc` promises is promised of the
        program's memory, not of shadows; and an address that was aligned moved its shadow as far, wherever that was."""
        base = self.memory.base(i.pointer)[0]
        made = isinstance(base, Instruction) and base.opcode in ("inttoptr", "call")
        return min(i.align, i.accessed_type.scalar.size if made and i.accessed_type.size else 16)

    # -- code -------------------------------------------------------------------------------------------------------

    def code(self, name: str, result: Type, parameters: Sequence[tuple[Type, str]], **more: str) -> Code:
        """A function whose forward sweep may use the names of the original."""
        made = Code(
            name,
            result,
            [],
            declare=self.program.declare,
            fast="fast" if self.options.fast else OURS,
            taken=self.names,
            **more,  # type: ignore[arg-type]
        )
        if not self.options.fast:
            made.strict = "nsz "
        for type, hint in parameters:
            # The original's own arguments keep their names, so that its instructions can be repeated as they are.
            ref = hint if hint.startswith("%") else f"%{made.name_for(hint)}"
            made.parameters.append(Expr(made, type, ref))
        return made

    def locate(self, code: Code, i: Instruction, part: Part) -> str:
        """Let what is written next point to an instruction's line of the source; gives where it pointed to before."""
        before = code.location
        if self.options.locations:
            code.location = self.program.location(i, part)
        return before

    def parameters(self) -> list[tuple[Type, str]]:
        """Arguments with their shadows after them."""
        found: list[tuple[Type, str]] = []
        for a, mark in zip(self.function.arguments, self.marks, strict=True):
            found.append((a.type, a.ref))
            if mark.has_shadow:
                found += self.shadow_parameters(a)
        return found

    def shadow_parameters(self, a: Argument) -> list[tuple[Type, str]]:
        if self.is_pointer(a):
            n = self.shadows.pointers
            return [(a.type, f"{a.name}.shadow{k if n > 1 else ''}") for k in range(n)]
        return [(self.shadows.passed(a.type), f"{a.name}.shadow")]

    def bind_parameters(self, code: Code) -> dict[Argument, list[Expr]]:
        """The shadow parameters of each argument."""
        found: dict[Argument, list[Expr]] = {}
        at = 0
        for a, mark in zip(self.function.arguments, self.marks, strict=True):
            at += 1
            if mark.has_shadow:
                n = len(self.shadow_parameters(a))
                found[a] = code.parameters[at : at + n]
                at += n
        return found

    # -- shadows of pointers in the forward sweep -------------------------------------------------------------------

    def shadow(self, code: Code, value: Value) -> list[Expr]:
        """The shadow of a pointer, where the pointer itself is defined."""
        n = self.shadows.pointers
        if isinstance(value, Instruction):
            return self.shadow_values[value]
        if is_null(value):
            return [Expr(code, value.type, value.ref)] * n
        if isinstance(value, (Global, Constant)):
            return [Expr(code, value.type, text) for text in self.program.shadow_of_constant(value, self.shadows, self)]
        assert isinstance(value, Argument)
        return self.shadow_values[value]

    def bind_constants(self, code: Code) -> None:
        """Arguments that are constant, though they meet active memory, are their own shadows."""
        self.constancy.check()
        for a in self.constancy.constant_arguments:
            self.shadow_values[a] = [Expr(code, a.type, a.ref)] * self.shadows.pointers

    def product(self, d: Expr, partial: Expr) -> Expr:
        """A shadow times a partial derivative."""
        made = d * partial
        if not self.options.strong_zero:
            return made
        return d.eq(0.0).select(Expr(d.code, d.type, "zeroinitializer"), made)

    def options_for(self, call: Instruction) -> Options:
        """How the derivative of a callee that is called by its name is made: which shadows may be the memory itself."""
        constant = self.options.runtime_activity or self._hands_on_constant(call)
        threads = self.options.threads or self.beside.others(call)
        return replace(self.options, runtime_activity=constant, threads=threads)

    def announce_constants(self, call: Instruction) -> None:
        """Before a call by address: whoever is called has to look out for constant memory, if it is given such."""
        own = any(a.type.is_pointer and not is_null(a) and not self.shadowed(a) for a in call.arguments)
        if own or self._hands_on_constant(call):
            self.program.give_constants_by_address()

    def _hands_on_constant(self, call: Instruction) -> bool:
        return any(self.constancy.reaches_constant(a) for a in call.arguments if self.shadowed(a))

    def usable(self, code: Code, pointer: Value, type: Type, primal: Expr, shadows: list[Expr]) -> list[Expr]:
        """Shadows of memory that a float (or a pointer) is read from or written to, whatever that memory is."""
        return self.constancy.instead(code, type, primal, shadows) if self.constancy.may_be(pointer) else shadows


_KEPT = (
    "tbaa",
    "alias.scope",
    "noalias",
    "range",
    "nonnull",
    "noundef",
    "invariant.load",
    "prof",
    "align",
    "dereferenceable",
)


def metadata_of(i: Instruction, without: Collection[str] = ()) -> str:
    """What stays true of an instruction in another function."""
    return "".join(f", !{k} {v}" for k, v in i.metadata.items() if k in _KEPT and k not in without)


def render_call(i: Instruction, text: str) -> str:
    """A call as a plain call: an `invoke` without its ways out, not marked as a tail call (stack memory may be passed
    now)."""
    if i.opcode == "invoke":
        text = text[: text.rindex(" to label")].replace("invoke ", "call ", 1)
    for marked in ("musttail call ", "notail call ", "tail call "):
        text = text.replace(marked, "call ", 1)
    return text


def pack(code: Code, parts: Sequence[Expr]) -> Expr | None:
    """Several results as one: nothing, the value itself, or a struct."""
    if len(parts) <= 1:
        return parts[0] if parts else None
    whole = Expr(code, result_type([p.type for p in parts]), "poison")
    for k, part in enumerate(parts):
        whole = code.emit(whole.type, f"insertvalue {whole}, {part}, {k}")
    return whole


def result_type(types: Sequence[Type]) -> Type:
    if not types:
        return VOID
    return types[0] if len(types) == 1 else struct(types)


def _is_field_beside_floats(pointer: Value, type: Type) -> bool:
    """Whether a struct that has floats, too, has a field of this type there, which then is no part of a float."""
    if not isinstance(pointer, Instruction) or pointer.opcode != "getelementptr":
        return False
    source, members = pointer.accessed_type, pointer.operands[2:]
    if source.kind != "struct" or not source.holds_float:
        return False
    path = [v.integer for v in members if isinstance(v, Constant) and v.integer is not None]
    return len(path) == len(members) and source.at(path) == type
