"""One function being differentiated: its analyses, its signature, and how primal values and shadows are named in the
new code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gradir.errors import NeedsShadow, NoRule, RequestError
from gradir.machine.analysis.activity import Activity, carried_float
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.analysis.types import FunctionTypes, Kind
from gradir.machine.ir import (
    I64,
    PTR,
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
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.passes.packed import pieces_of
from gradir.machine.transform.shadow import Shadows
from gradir.request import Activity as Mark
from gradir.request import Mode

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Options, Program

__all__ = ["Analyses", "Frame", "pack"]


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
    ) -> None:
        self.mode = mode
        self.program, self.module, self.options = program, program.module, options
        self.function, self.cfg = analyses.function, analyses.cfg
        self.memory, self.types, self.activity = analyses.memory, analyses.types, analyses.activity
        self.marks, self.result, self.shadows = marks, result, shadows
        self.names = [
            v.ref[1:] for v in [*self.function.arguments, *self.function.blocks, *self.function.instructions()] if v.ref
        ]
        self.shadow_values: dict[Value, list[Expr]] = {}
        """Shadows of pointers, as the forward sweep has them."""

    # -- errors -----------------------------------------------------------------------------------------------------

    def refuse(self, instruction: Instruction, message: str, hint: str) -> NoRule:
        where = self.module.location(instruction) or f"@{self.function.name}"
        return NoRule(f"{message}: {instruction}", location=where, hint=hint)

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

    def shadow_types(self, value: Value) -> tuple[Type, Type]:
        """The type in which a value's derivative is kept, and the one in which it is passed."""
        return self.float_of(value) or value.type, value.type

    def stored_float(self, i: Instruction) -> Type | None:
        """The floats that a store or an atomic writes, also where they are constant or in the guise of an integer."""
        value = i.value if i.opcode == "store" else i.operands[1]
        type = self.float_of(value)
        if type is None and value.type.is_integer:
            element = self.types.memory(i.pointer, 0, value.type.size).float_type
            if element is not None and value.type.size % element.size == 0:
                count = value.type.size // element.size
                return element if count == 1 else vector(count, element)
        return type

    def atomic_float(self, i: Instruction) -> Type:
        """The float that an atomic adds to, subtracts from or exchanges (in the guise of an integer, too)."""
        type, given, operation = self.stored_float(i), i.operands[1].type, i.info["operation"]
        exchanged = operation == "xchg" and type is not None and given.size == type.size
        if type is None or type.kind != "float" or not (exchanged or (operation in ("fadd", "fsub") and given == type)):
            raise self.refuse(i, f"an atomic {operation} on active memory has no derivative", "use a plain store")
        return type

    def compares_active(self, i: Instruction) -> bool:
        """Whether a `cmpxchg` is on memory that carries derivatives, not on an integer beside it."""
        size = i.operands[1].type.size
        return self.shadowed(i.pointer) and self.types.memory(i.pointer, 0, size) is not Kind.integer

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
                if i.opcode not in ("load", "store"):
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
                if self.types.value(moved) is not Kind.unknown or self.float_of(moved) is not None:
                    continue
                if self.types.memory(i.pointer, 0, moved.type.size) is Kind.unknown and self.types.may_hold_floats(
                    i.pointer
                ):
                    raise self.refuse(
                        i,
                        f"it is not known whether these are the bits of floats\n  {self.types.explain(i.pointer)}\n ",
                        "compile with debug information and strict aliasing, or move floats as floats",
                    )

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
        if "returns_twice" in str(call.info["attributes"]).split() or (call.callee_name in _RETURNING_TWICE):
            return True
        return function is not None and function.has("returns_twice")

    def _check_overwritten(self, store: Instruction) -> None:
        """Refuse integers that overwrite the head of an active float and leave the rest of it."""
        value = store.value
        if not value.type.scalar.is_integer or not self.activity.holds_active_floats(store.pointer):
            return
        if self.stored_float(store) is None and self.types.cuts_floats(store.pointer, value.type.size):
            raise self.refuse(
                store,
                f"a part of a float is overwritten\n  {self.types.explain(store.pointer)}\n ",
                "write floats as floats; if these are no floats, keep them in memory of their own",
            )

    def active(self, value: Value) -> bool:
        return self.activity.active(value)

    def carries_pointer(self, value: Value) -> bool:
        """Whether a value is, or holds, a pointer, perhaps in the guise of an integer."""
        if value.type.holds_pointer:
            return True
        return value.type == I64 and isinstance(value, Instruction) and self.types.value(value) is Kind.pointer

    def shadowed(self, value: Value) -> bool:
        return self.carries_pointer(value) and self.activity.has_shadow(value)

    # -- code -------------------------------------------------------------------------------------------------------

    def code(self, name: str, result: Type, parameters: Sequence[tuple[Type, str]], **more: str) -> Code:
        """A function whose forward sweep may use the names of the original."""
        made = Code(
            name,
            result,
            [],
            declare=self.program.declare,
            fast="fast" if self.options.fast else "nsz",  # the sign of a zero derivative means nothing, and x + 0 is x
            taken=self.names,
            **more,  # type: ignore[arg-type]
        )
        for type, hint in parameters:
            # The original's own arguments keep their names, so that its instructions can be repeated as they are.
            ref = hint if hint.startswith("%") else f"%{made.name_for(hint)}"
            made.parameters.append(Expr(made, type, ref))
        return made

    def parameters(self) -> list[tuple[Type, str]]:
        """Arguments with their shadows after them."""
        found: list[tuple[Type, str]] = []
        for a, mark in zip(self.function.arguments, self.marks, strict=True):
            found.append((a.type, a.ref))
            if mark.has_shadow:
                found += self.shadow_parameters(a)
        return found

    def shadow_parameters(self, a: Argument) -> list[tuple[Type, str]]:
        if a.type.is_pointer:
            n = self.shadows.pointers
            return [(PTR, f"{a.name}.shadow{k if n > 1 else ''}") for k in range(n)]
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
        if value in self.shadow_values:
            return self.shadow_values[value]
        message = f"argument {value.index} ({value.name}) of @{self.function.name} is marked const, "
        message += "but the memory it points to may carry derivatives"
        if self.activity.nested:
            raise RequestError(message, hint="give it a shadow (dup)")
        raise NeedsShadow(message, value.index, hint="give it a shadow (dup)")


_RETURNING_TWICE = frozenset(
    ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "getcontext", "vfork", "llvm.eh.sjlj.setjmp"]
)

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


def metadata_of(i: Instruction) -> str:
    """What stays true of an instruction in another function."""
    return "".join(f", !{k} {v}" for k, v in i.metadata.items() if k in _KEPT)


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
