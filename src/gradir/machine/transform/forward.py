"""Forward mode: the function's own code, with tangents of active floats and shadows of pointers beside them."""

from __future__ import annotations

from collections.abc import Sequence

from gradir.machine.analysis.bytes.types import Kind
from gradir.machine.analysis.cache import is_static_alloca
from gradir.machine.ir import I1, I64, PTR, VOID, Block, Constant, Instruction, Type, Value, array, is_null
from gradir.machine.ir.builder import Expr
from gradir.machine.ir.types import leaves
from gradir.machine.rules.known import COPY_BYTES, Known
from gradir.machine.transform.calls import check_callee
from gradir.machine.transform.frame import Frame, pack, render_call, result_type
from gradir.machine.transform.parallel import teams
from gradir.machine.transform.repeat import Repeat
from gradir.machine.transform.shadows import payload
from gradir.machine.transform.shadows.called import derivatives_called, may_lack_shadow
from gradir.machine.transform.shadows.constants import constants_written
from gradir.machine.transform.shadows.copies import Copied
from gradir.machine.transform.tangent import Tangents
from gradir.request import Activity as Mark

__all__ = ["Forward"]


class Forward(Repeat):
    """The derivative of one function in forward mode."""

    def __init__(self, frame: Frame, name: str, *, nested: bool = False) -> None:
        linkage = {"linkage": "internal"} if nested else {}
        code = frame.code(name, result_type(_result_types(frame)), frame.parameters(), **linkage)
        code.attributes = frame.program.attributes_for(frame.function)
        code.personality = frame.function.personality
        super().__init__(frame, code)
        self.nested = nested
        self.tangents = Tangents(self)

    def write(self) -> str:
        frame, code = self.frame, self.code
        frame.check_types(self.tangents.only_moved())
        frame.check_rules()
        payload.check(frame)
        frame.check_jumps()
        teams.check(frame)
        if frame.options.noalias:
            for k, p in enumerate(code.parameters):
                if p.type.is_pointer:
                    code.parameter_attributes[k] = "noalias"
        if frame.program.has_global_shadows and not self.nested:
            code.line("call void @gradir.clear_globals()")
        for argument, shadows in frame.bind_parameters(code).items():
            self._take(argument, shadows)
        frame.bind_constants(code)
        self.open_blocks()
        for block in self.cfg.reachable:
            self._block(block)
        self.close_phis()
        self.tangents.close_phis()
        code.at(code.entry).br(self.blocks[frame.function.entry])
        return code.text()

    def _block(self, block: Block) -> None:
        code = self.code
        code.at(self.blocks[block])
        for phi in block.phis:
            self.repeat_phi(phi)
            self.tangents.phi(phi)
        for i in block.body:
            self.frame.locate(code, i, "primal")
            self._instruction(i)
        code.location = ""
        end = block.terminator
        if end.opcode == "ret":
            self._return(end)
        elif end.opcode == "invoke":
            self._call(end)
            self.go_on(end)
        else:
            self.repeat_branch(end)

    def _instruction(self, i: Instruction) -> None:
        if i.opcode in ("call", "invoke"):
            self._call(i)
            return
        if i.opcode == "alloca":
            self._alloca(i)
            return
        self.repeat(i)
        self.frame.locate(self.code, i, "shadow")
        if self.frame.shadowed(i):
            self.frame.shadow_values[i] = self.shadow(i)
        self.tangents.push(i)

    # -- what is passed and returned --------------------------------------------------------------------------------

    def _take(self, value: Value, shadows: Sequence[Expr]) -> None:
        """The shadow of an argument, or of the result of a call, as it was passed."""
        code, type = self.code, value.type
        if self.frame.is_pointer(value):
            self.frame.shadow_values[value] = list(shadows)
            return
        [passed] = shadows
        parts = [passed]
        if self.shadows.width > 1:
            parts = [code.emit(type, f"extractvalue {passed}, {k}") for k in range(self.shadows.width)]
        if self.frame.carries_pointer(value):
            self.frame.shadow_values[value] = parts[: self.shadows.pointers]
        carried = self.frame.float_of(value)
        if carried is None or not self.frame.active(value):
            return
        if carried != type:
            parts = [code.emit(carried, f"bitcast {p} to {carried}") for p in parts]
        self.tangents.values[value] = self.shadows.pack(code, parts, carried)

    def _give(self, value: Value) -> list[Expr]:
        """The shadow of a value, as it is passed."""
        code, frame, type = self.code, self.frame, value.type
        if frame.is_pointer(value):
            n = self.shadows.pointers
            return frame.shadow(code, value) if frame.shadowed(value) else [Expr(code, type, value.ref)] * n
        carried = frame.float_of(value)
        parts = [Expr(code, type, "zeroinitializer")] * self.shadows.width
        if carried is not None:
            parts = self.shadows.unpack(code, self.tangents.of(value, self.shadows.of(carried)), carried)
            if carried != type:
                parts = [code.emit(type, f"bitcast {p} to {type}") for p in parts]
        if frame.shadowed(value):
            parts = [self._with_pointers(p, frame.shadow(code, value), k) for k, p in enumerate(parts)]
        if self.shadows.width == 1:
            return parts
        whole = Expr(code, array(self.shadows.width, type), "poison")
        for k, part in enumerate(parts):
            whole = code.emit(whole.type, f"insertvalue {whole}, {part}, {k}")
        return [whole]

    def _with_pointers(self, tangent: Expr, shadows: Sequence[Expr], k: int) -> Expr:
        """The tangent of an aggregate, with the shadows of the pointers in it."""
        code, type = self.code, tangent.type
        shadow = shadows[min(k, len(shadows) - 1)]
        for path, _ in leaves(type, lambda t: t.is_pointer or t.is_integer):
            where = ", ".join(map(str, path))
            pointer = code.emit(type.at(path), f"extractvalue {shadow}, {where}")
            tangent = code.emit(type, f"insertvalue {tangent}, {pointer}, {where}")
        return tangent

    def _return(self, i: Instruction) -> None:
        mark, code = self.frame.result, self.code
        parts: list[Expr] = []
        if i.operands and mark is not None:
            value = i.operands[0]
            if mark.keeps_primal:
                parts.append(Expr(code, value.type, value.ref))
            if mark.has_shadow:
                parts += self._give(value)
        code.ret(pack(code, parts))

    # -- stack ------------------------------------------------------------------------------------------------------

    def _alloca(self, i: Instruction) -> None:
        code = self.code
        text = i.render(i.ref, lambda v: v.ref)
        static = is_static_alloca(i, self.cfg)
        if static:
            code.entry.phis.append(text)
        else:
            code.line(text)
        if not self.frame.shadowed(i):
            return
        type, count, scale = i.accessed_type, "", self.shadows.scale
        size = code.constant(I64, type.size * scale)
        if i.operands:
            number = i.operands[0]
            count = f", {number.type} {number.ref}"
            if isinstance(number, Constant) and number.integer is not None:
                size = code.constant(I64, type.size * scale * number.integer)
            else:
                size = code.to_i64(Expr(code, number.type, number.ref)) * size
        shape = array(scale, type) if scale > 1 else type
        made = []
        here = code.here
        for _ in range(self.shadows.pointers):
            name = f"%{code.name_for('shadow')}"
            line = f"{name} = alloca {shape}{count}, align {max(i.align, type.align)}"
            pointer = Expr(code, PTR, name)
            if static:
                code.entry.phis.append(line)
                code.at(code.entry)
            else:
                code.line(line)
            code.clear(pointer, size)
            code.at(here)
            made.append(pointer)
        self.frame.shadow_values[i] = made

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, i: Instruction) -> None:
        name, frame = i.callee_name or "", self.frame
        if name.startswith("llvm.dbg."):
            return
        fact = frame.memory.known(i)
        kind = fact.kind if fact else None
        if name in frame.program.registry.derivatives and frame.activity.active_call(i):
            self._call_registered(i)
        elif payload.is_allocation(i) and frame.shadowed(i):
            frame.shadow_values[i] = payload.shadow_of_thrown(self, i, lasting=False)
        elif payload.is_handler(i) and frame.shadowed(i):
            self.repeat_call(i)
            frame.shadow_values[i] = payload.shadow_of_caught(self, i)
        elif kind in ("allocate", "zero_allocate", "reallocate", "free", "copy", "set"):
            self.repeat_call(i)
            assert fact is not None
            self._manage_memory(i, fact)
        elif kind == "mirrored":
            self.mirror(i)
        elif frame.activity.rule(i) is not None:
            self.repeat_call(i)
            frame.locate(self.code, i, "shadow")
            self.tangents.push(i)
        elif self._is_active(i):
            if name.startswith("llvm.masked."):
                self._masked(i)
            else:
                self._call_derivative(i)
        else:
            self.repeat_call(i)
            for written in constants_written(frame, i):
                size = written.size(self.code, self.shadows.scale, lambda v: Expr(self.code, v.type, v.ref))
                for s in frame.shadow(self.code, written.pointer):
                    self.code.clear(s, size)
            self.store_ends(i, fact)
            if frame.shadowed(i):
                frame.shadow_values[i] = self.shadow_returned(i, fact)

    def _is_active(self, i: Instruction) -> bool:
        """Whether a call is differentiated by calling a derivative."""
        activity = self.frame.activity
        if activity.inactive(i) or activity.is_harmless(i) or self.frame.memory.known(i) is not None:
            return False
        return activity.active_call(i)

    def _check(self, i: Instruction) -> None:
        frame, name = self.frame, i.callee_name
        if name in frame.program.registry.gradients:
            raise frame.refuse(
                i,
                f"@{name} has a reverse rule of its own, but none for forward mode",
                "register a forward derivative too (__enzyme_register_derivative_…)",
            )
        check_callee(frame, i, "__enzyme_register_derivative_…")

    def _mark(self, value: Value, indirect: bool) -> Mark:
        """What a callee is told of an argument, or asked of the result. Through a pointer, which could be anyone's, all
        is active."""
        if indirect:
            called = value.type.is_pointer or value.type.holds_float
            return Mark.dup if called or (isinstance(value, Instruction) and value.type.holds_pointer) else Mark.const
        if value.type.is_pointer and is_null(value):
            return Mark.dup
        return Mark.dup if self.frame.passed_with_shadow(value) or self.frame.active(value) else Mark.const

    def _call_derivative(self, i: Instruction) -> None:
        frame, code = self.frame, self.code
        self._check(i)
        indirect = i.callee_name is None
        marks = [self._mark(a, indirect) for a in i.arguments]
        result = None if i.type.kind == "void" else self._mark(i, indirect)
        given: list[Expr] = []
        for a, mark in zip(i.arguments, marks, strict=True):
            given.append(Expr(code, a.type, a.ref))
            if mark is Mark.dup:
                given += self._give(a)
        if i.callee_name is None:
            frame.announce_constants(i)
            shadow = frame.shadow(code, i.callee)[0]
            if may_lack_shadow(frame, i):
                shadow = derivatives_called(frame, code, i, Expr(code, PTR, i.callee.ref), shadow)
            callee = shadow.ref
        else:
            options = frame.options_for(i)
            callee = f"@{frame.program.forward_of(i.callee_name, marks, result, frame.shadows, options)}"
        frame.locate(code, i, "shadow")
        types = [] if result is None else [i.type, *(_shadow_types(frame, i) if result is Mark.dup else [])]
        type = result_type(types)
        text = frame.program.signatures.call(callee, type, given)
        if result is not Mark.dup:
            self.write_call(i, text if result is None else f"{i.ref} = {text}")
            return
        whole = self.emit_call(i, type, text, "forward")
        code.line(f"{i.ref} = extractvalue {whole}, 0")
        self._take(i, [code.emit(t, f"extractvalue {whole}, {k}") for k, t in enumerate(types[1:], 1)])

    def _call_registered(self, i: Instruction) -> None:
        """A forward rule of the program's own: arguments, each float and pointer followed by its tangent or shadow."""
        frame, code = self.frame, self.code
        assert i.callee_name is not None
        rule = frame.module.functions[frame.program.registry.derivatives[i.callee_name]]
        if self.shadows.width > 1 and any(a.type.is_pointer for a in i.arguments):
            raise frame.refuse_several(
                i,
                f"the forward rule of @{i.callee_name} takes memory, and one direction at a time",
                "differentiate with width 1",
            )
        carrying = [a.type.is_pointer or frame.float_of(a) is not None for a in i.arguments]
        if len(rule.arguments) != len(i.arguments) + sum(carrying):
            raise frame.refuse(
                i,
                f"the forward rule @{rule.name} takes {len(rule.arguments)} arguments, "
                f"not {len(i.arguments) + sum(carrying)}",
                "it takes the function's arguments, each float and pointer followed by its tangent or shadow",
            )
        types = [a.type for a, c in zip(i.arguments, carrying, strict=True) for _ in range(1 + c)]
        for n, (wanted, taken) in enumerate(zip(types, rule.arguments, strict=True), 1):
            if wanted != taken.type:
                raise frame.refuse(
                    i,
                    f"the forward rule @{rule.name} takes {taken.type} as argument {n}, not {wanted}",
                    "it takes the function's arguments, each float and pointer followed by its tangent or shadow",
                )
        shadows = [self._directions(a) if c else None for a, c in zip(i.arguments, carrying, strict=True)]
        tangents = []
        for k in range(self.shadows.width):
            given: list[Expr] = []
            for a, shadow in zip(i.arguments, shadows, strict=True):
                given.append(Expr(code, a.type, a.ref))
                if shadow is not None:
                    given.append(shadow[k])
            text = f"call {rule.result} @{rule.name}({', '.join(map(str, given))})"
            if rule.result.kind == "void":
                self.write_call(i, text)
            else:
                tangents.append(self._registered_result(i, self.emit_call(i, rule.result, text), first=k == 0))
        if not tangents:
            return
        if i.type.is_pointer:
            frame.shadow_values[i] = tangents
        elif frame.active(i):
            self.tangents.values[i] = self.shadows.pack(code, tangents, i.type)

    def _directions(self, a: Value) -> list[Expr]:
        """The shadow of an argument for each direction."""
        if a.type.is_pointer and not self.frame.shadowed(a):  # there are no floats: it is its own shadow
            return [Expr(self.code, PTR, a.ref)]
        [passed] = self._give(a)
        if self.shadows.width == 1:
            return [passed]
        return [self.code.emit(a.type, f"extractvalue {passed}, {k}") for k in range(self.shadows.width)]

    def _registered_result(self, i: Instruction, whole: Expr, first: bool) -> Expr:
        """The tangent that a forward rule gives, with the result or without."""
        code, type = self.code, whole.type
        if type == i.type and self.frame.float_of(i) is None and not type.holds_pointer:
            code.line(f"{i.ref} = add {whole}, 0")  # the result itself, which has no tangent
            return whole
        if type == i.type:
            if first and self.frame.function.users.get(i):
                self.repeat_call(i)
            return whole
        both = [i.type, i.type]
        if type.kind == "vector" and type.count == 2 and type.element == i.type:
            take = "extractelement {}, i64 {}"
        elif type.is_aggregate and [t for _, t in type.parts()] == [t for part in both for _, t in part.parts()]:
            take = "extractvalue {}, {}"
        else:
            raise self.frame.refuse(
                i,
                f"the forward rule of @{i.callee_name} gives {type}, where the function gives {i.type}",
                "give {result, tangent}",
            )
        if first:
            code.line(f"{i.ref} = {take.format(whole, 0)}")
        return code.emit(i.type, take.format(whole, 1))

    def _masked(self, i: Instruction) -> None:
        """Loads and stores of some lanes of a vector: the same of shadows, one direction at a time."""
        frame, code = self.frame, self.code
        self.repeat_call(i)
        stores = i.type.kind == "void"
        moved: Value = i.arguments[0] if stores else i
        pointer = i.arguments[1 if stores else 0]
        through = i.arguments[-1]
        if frame.types.is_number(pointer, moved.type.element):
            return
        carried = frame.float_of(moved)
        if carried is None or not moved.type.is_float:
            raise frame.refuse(
                i, "some lanes of a vector of pointers or integers in active memory", "move floats as floats"
            )
        if "expand" in (i.callee_name or "") or "compress" in (i.callee_name or ""):
            raise frame.refuse(i, "lanes that close up or spread have no derivative", "compile without vectors")
        if self.shadows.scale > 1:
            raise frame.refuse_several(
                i, "this access to some lanes has no derivative in this layout", "use separate shadows"
            )
        if not frame.shadowed(pointer):
            return
        tangent = moved if stores else through
        parts = self.shadows.unpack(code, self.tangents.of(tangent, self.shadows.of(carried)), carried)
        made = []
        for p, part in zip(self.usable_shadow(pointer, carried), parts, strict=True):
            changed = {pointer: p.ref, tangent: part.ref}
            text = render_call(i, i.render("", lambda v, changed=changed: changed.get(v, v.ref)))  # type: ignore[misc]
            if stores:
                code.line(text)
            else:
                made.append(code.emit(carried, text.partition(" = ")[2], "d"))
        if not stores and frame.active(i):
            self.tangents.values[i] = self.shadows.pack(code, made, carried)

    # -- memory by calls --------------------------------------------------------------------------------------------

    def _manage_memory(self, i: Instruction, fact: Known) -> None:
        """Do to the shadows what a call did to the memory."""
        frame, code = self.frame, self.code
        if fact.kind in ("allocate", "zero_allocate"):
            if frame.shadowed(i):
                self.shadow_allocation(i, fact)
            return
        assert fact.pointer is not None
        target = i.arguments[fact.pointer]
        if not frame.shadowed(target) and not frame.shadowed(i):
            return
        shadows = frame.shadow(code, target)
        primal = Expr(code, target.type, target.ref)
        if fact.kind in ("free", "reallocate"):
            if frame.constancy.may_be(target):
                if fact.kind == "reallocate":
                    raise frame.refuse(i, "memory that may be constant is allocated anew", "give it a shadow (dup)")
                shadows = [frame.constancy.or_null(code, primal, s) for s in shadows]
            again = [self._again(i, fact, target, s) for s in shadows]
            if fact.kind == "reallocate":
                frame.shadow_values[i] = again
            return
        if i.type.is_pointer:
            frame.shadow_values[i] = shadows
        length = code.to_i64(Expr(code, i.arguments[fact.size[0]].type, i.arguments[fact.size[0]].ref))
        if self.shadows.scale > 1:
            length = length * self.shadows.scale
        source = i.arguments[fact.source] if fact.source is not None else None
        if frame.constancy.may_be(target):
            length = frame.constancy.length(code, length, primal, shadows[0])
        if source is None:
            for s in shadows:
                code.clear(s, length)
            return
        origins = frame.shadow(code, source) if frame.shadowed(source) else [Expr(code, PTR, source.ref)] * len(shadows)
        constant = not frame.shadowed(source) or frame.constancy.may_be(source)
        # A plain copy is right for tangents and shadows of pointers alike, whatever lies where. But constant memory
        # holds numbers, not tangents, and pointers that are their own shadows.
        copy = "llvm.memcpy.p0.p0.i64" if "memcpy" in (i.callee_name or "") else "llvm.memmove.p0.p0.i64"
        pointers = self._pointers_of_constant(i) if constant else None
        for to, origin in zip(shadows, origins, strict=True):
            moved = length
            if pointers is not None:
                moved = frame.constancy.length(code, length, Expr(code, PTR, source.ref), origin)
                code.clear(to, length - moved)
                if pointers:
                    code.line(f"call void @{pointers}({to}, {origin}, {length - moved})")
            if i.callee_name == COPY_BYTES:
                code.line(f"call void @{COPY_BYTES}({to}, {origin}, {moved})")
            else:
                code.call(VOID, copy, to, origin, moved, Expr(code, I1, "false"))

    def _pointers_of_constant(self, i: Instruction) -> str | None:
        """The function that copies pointers, and nothing else, from constant memory; none if there are none ("") or if
        there is nothing else (None)."""
        copied = Copied(self.frame)
        region = copied.told_at_run_time(i, copied.region(i))
        if region.kinds <= {Kind.pointer, Kind.integer, Kind.anything}:
            return None
        if not region.kinds & {Kind.pointer, Kind.word}:
            return ""
        if Kind.unknown in region.kinds:
            raise self.frame.refuse(
                i, "pointers and floats are copied that may be constant", "copy them field by field"
            )
        return copied.pointer_function(region, i, "copy")

    def _again(self, i: Instruction, fact: Known, target: Value, shadow: Expr) -> Expr:
        """Free or reallocate a shadow."""
        self.frame.program.lasting.drop(self.code, shadow)
        changed = {target: shadow.ref}
        if fact.kind == "reallocate" and self.shadows.scale > 1:
            size = i.arguments[fact.size[0]]
            changed[size] = (Expr(self.code, size.type, size.ref) * self.shadows.scale).ref
        text = render_call(i, i.render("", lambda v: changed.get(v, v.ref)))
        if i.type.kind == "void":
            self.code.line(text)
            return shadow
        return self.code.emit(i.type, text.partition(" = ")[2], "shadow")


def _shadow_types(frame: Frame, value: Value) -> list[Type]:
    """The types of the shadow of a value, as it is passed."""
    return [value.type] * frame.shadows.pointers if frame.is_pointer(value) else [frame.shadows.passed(value.type)]


def _result_types(frame: Frame) -> list[Type]:
    mark, type = frame.result, frame.function.result
    types = [type] if mark is not None and mark.keeps_primal else []
    if mark is not None and mark.has_shadow:
        types += _shadow_types(frame, frame.types.result)
    return types
