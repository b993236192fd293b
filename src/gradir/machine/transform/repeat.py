"""The function's own code once more, with shadows of its pointers: what all sweeps that run forward have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradir.machine.analysis.intrinsics import handed_on
from gradir.machine.ir import I1, I64, PTR, Block, Constant, Instruction, Type, Value, is_null
from gradir.machine.ir.builder import Code, CodeBlock, Expr
from gradir.machine.rules.known import Known
from gradir.machine.transform.frame import Frame, metadata_of, render_call
from gradir.machine.transform.shadows.pointers import PointerShadow, load_moved, store_moved
from gradir.machine.transform.unwinding import as_invoke

__all__ = ["Repeat"]


class Repeat:
    """Repeats a function's blocks and instructions under their own names, so that text can be taken over as it is."""

    def __init__(self, frame: Frame, code: Code) -> None:
        self.frame, self.code = frame, code
        self.cfg, self.shadows = frame.cfg, frame.shadows
        self.pointers = PointerShadow(frame)
        self.blocks: dict[Block, CodeBlock] = {}
        self.tails: dict[Block, CodeBlock] = {}
        """Where a block ends that is written in several parts."""
        self.returned: dict[Block, CodeBlock] = {}
        """Of a block that ends in an `invoke`: the last that is run when the call has returned."""
        self._invoked: set[Instruction] = set()
        self.open_phis: list[tuple[CodeBlock, str, Type, Instruction, int]] = []

    # -- blocks -----------------------------------------------------------------------------------------------------

    def open_blocks(self) -> None:
        for block in self.cfg.reachable:
            made = CodeBlock(block.name)
            self.code.blocks.append(made)
            self.blocks[block] = made
            if self.in_parts(block):
                self.tails[block] = self.code.block(f"{block.name.strip(chr(34))}.end")
            if block.terminator.opcode == "invoke":
                self.returned[block] = self.code.block(f"{block.name.strip(chr(34))}.returned")

    def in_parts(self, block: Block) -> bool:
        """Whether the block is written as several: one that holds calls with a landing pad of their own."""
        return False

    def way(self, block: Block, to: Block) -> CodeBlock:
        """The block from which one comes to `to`, where the program comes from `block`."""
        if block in self.returned and to is block.terminator.normal:
            return self.returned[block]
        return self.tails.get(block) or self.blocks[block]

    def end(self, block: Block) -> None:
        """Go where the terminator of a block is written."""
        if block in self.tails:
            self.code.br(self.tails[block])
            self.code.at(self.tails[block])

    def repeat_phi(self, phi: Instruction) -> None:
        pairs = ", ".join(f"[ {v.ref}, {self.way(b, phi.block).ref} ]" for v, b in phi.incoming if b in self.blocks)
        self.code.here.phis.append(f"{phi.ref} = {phi.pieces[0].rstrip().removesuffix('[').rstrip()} {pairs}")
        if self.frame.shadowed(phi):
            self._open_phi(phi)

    def _open_phi(self, phi: Instruction) -> None:
        """The shadows of a phi, whose own operands may not be there yet."""
        self.frame.shadow_values[phi] = []
        for k in range(self.shadows.pointers):
            name = f"%{self.code.name_for('shadow')}"
            self.open_phis.append((self.code.here, name, phi.type, phi, k))
            self.frame.shadow_values[phi].append(Expr(self.code, phi.type, name))

    def close_phis(self) -> None:
        for made, name, type, phi, k in self.open_phis:
            pairs = []
            for v, block in phi.incoming:
                if block in self.blocks:
                    way = self.way(block, phi.block)
                    self.code.at(way)
                    pairs.append(f"[ {self.shadow_text(v, k)}, {way.ref} ]")
            made.phis.append(f"{name} = phi {type} {', '.join(pairs)}")

    def repeat_branch(self, i: Instruction) -> None:
        """A terminator that doesn't return."""
        if i.opcode in ("br", "switch"):
            place = self.frame.locate(self.code, i, "primal")
            self.code.here.terminator = i.render("", lambda v: v.ref, metadata_of(i)) + self.code.location
            self.code.location = place
        elif i.opcode == "resume":
            self.code.here.terminator = i.render("", lambda v: v.ref)
        elif i.opcode in ("indirectbr", "callbr"):
            raise self.frame.refuse(i, "a jump to a computed address has no derivative", "use a switch")
        else:
            self.code.here.terminator = "unreachable"

    def go_on(self, invoke: Instruction) -> None:
        """After an `invoke` that was written in whatever way: on to where it goes when it returns."""
        if invoke not in self._invoked:  # the way to its landing pad has to be there
            self.frame.program.declare("declare void @llvm.donothing()")
            self.write_call(invoke, "call void @llvm.donothing()")
        last = self.returned[invoke.block]
        self.code.br(last)
        self.code.at(last).br(self.blocks[invoke.normal])

    # -- instructions -----------------------------------------------------------------------------------------------

    def repeat(self, i: Instruction) -> None:
        if i.opcode == "landingpad":
            self.code.here.pad = i.render(i.ref, lambda v: v.ref)
            return
        suffix = self.frame.program.of_primal(i) if i.opcode in ("load", "store") else metadata_of(i)
        self.code.line(i.render(i.ref, lambda v: v.ref, suffix))

    def repeat_call(self, i: Instruction) -> None:
        self.write_call(i, render_call(i, i.render(i.ref, lambda v: v.ref)), metadata_of(i))

    def write_call(self, i: Instruction, line: str, metadata: str = "") -> None:
        """Write a call for a call of the program: if that one has a landing pad, the first such call has it, too."""
        pad = self.landing_pad(i)
        if pad is None:
            self.code.line(line + metadata)
            return
        self._invoked.add(i)
        on = self.code.block("on")
        self.code.here.terminator = as_invoke(line, on, pad)
        self.code.at(on)

    def landing_pad(self, i: Instruction) -> CodeBlock | None:
        """Where an exception goes from the next call that is written for a call of the program."""
        if i.opcode == "invoke" and i not in self._invoked:
            return self.blocks[i.unwind]
        return None

    def emit_call(self, i: Instruction, type: Type, text: str, hint: str = "t") -> Expr:
        """Write a call with a result, for a call of the program."""
        name = f"%{self.code.name_for(hint)}"
        self.write_call(i, f"{name} = {text}")
        return Expr(self.code, type, name)

    def shadow_text(self, v: Value, k: int) -> str:
        """The shadow of a pointer, or of a number that stands in the place of one."""
        if self.frame.shadowed(v):
            return self.frame.shadow(self.code, v)[k].ref
        if self.shadows.scale == 1 or not v.type.is_integer or (isinstance(v, Constant) and v.integer == 0):
            return v.ref
        return (Expr(self.code, v.type, v.ref) * self.shadows.scale).ref

    def usable_shadow(self, pointer: Value, type: Type) -> list[Expr]:
        """The shadows of memory where something of a type is read or written."""
        code = self.code
        primal = Expr(code, pointer.type, pointer.ref)
        return self.frame.usable(code, pointer, type, primal, self.frame.shadow(code, pointer))

    def shadow(self, i: Instruction) -> list[Expr]:
        """The shadow of a pointer that an instruction makes."""
        code, frame = self.code, self.frame
        if i.opcode == "landingpad":  # only the runtime looks there
            return [Expr(code, i.type, i.ref)] * self.shadows.pointers
        if i.opcode == "load":
            shadows = frame.shadow(code, i.pointer)
            return [load_moved(code, i.type, p, frame.shadow_align(i), self.shadows.scale) for p in shadows]
        return [
            self.pointers.write(code, i, lambda v: Expr(code, v.type, v.ref), lambda v, k=k: frame.shadow(code, v)[k])  # type: ignore[misc]
            for k in range(self.shadows.pointers)
        ]

    def moves_pointer(self, store: Instruction) -> bool:
        """Whether a store puts a pointer somewhere, or a number where others put integers made of pointers: a float in
        the guise of an integer is neither, though an array of floats may end where a pointer begins."""
        value = store.value
        if self.frame.carries_pointer(value) or self.frame.types.provenance.variable_carries(store.pointer):
            return True
        if self.frame.types.is_colour(store.pointer, value.type):
            return True
        size = value.type.size
        if not value.type.is_integer or size < 8 or self.frame.stored_float(store) is not None:
            return False
        return self.frame.types.holds_addresses(store.pointer, size)

    def store_pointer(self, i: Instruction) -> None:
        """Where a pointer goes into active memory, its shadow goes into the shadow of that memory."""
        code = self.code
        for k, target in enumerate(self.usable_shadow(i.pointer, i.value.type)):
            value = Expr(code, i.value.type, self.shadow_text(i.value, k))
            store_moved(code, value, target, self.frame.shadow_align(i), self.shadows.scale)

    def shadow_returned(self, i: Instruction, fact: Known | None) -> list[Expr]:
        """The shadow of a pointer that a function without a body gives: into the memory of an operand, or to memory
        where nothing active is (what a getter of a table gives). LLVM's own hand on what they are given."""
        if handed_on(i) is not None:
            return self.shadow(i)
        code, n = self.code, None if fact is None else fact.points_into
        result = Expr(code, i.type, i.ref)
        if n is None or not i.type.is_pointer or not self.frame.shadowed(i.arguments[n]):
            return [result] * self.shadows.pointers
        null = Expr(code, PTR, "null")
        at, begin = (code.emit(I64, f"ptrtoint {p} to i64") for p in (result, Expr(code, PTR, i.arguments[n].ref)))
        distance = at - begin if self.shadows.scale == 1 else (at - begin) * self.shadows.scale
        nowhere = code.emit(I1, f"icmp eq {result}, null")
        return [nowhere.select(null, code.offset(s, distance)) for s in self.frame.shadow(code, i.arguments[n])]

    def store_ends(self, i: Instruction, fact: Known | None) -> None:
        """Where a function without a body has put the end of the text that it read, the shadow of that goes into the
        shadow of the memory."""
        code = self.code
        for n, a in enumerate(i.arguments if fact is not None else ()):
            if fact is None or fact.operands[n].way != "t" or is_null(a) or not self.frame.shadowed(a):
                continue
            text, end = i.arguments[0], code.load(PTR, Expr(code, PTR, a.ref))
            at, begin = (code.emit(I64, f"ptrtoint {p} to i64") for p in (end, Expr(code, PTR, text.ref)))
            distance = at - begin if self.shadows.scale == 1 else (at - begin) * self.shadows.scale
            for k, target in enumerate(self.usable_shadow(a, PTR)):
                own = not self.frame.shadowed(text)
                code.store(end if own else code.offset(self.frame.shadow(code, text)[k], distance), target)

    # -- memory -----------------------------------------------------------------------------------------------------

    def mirror(self, i: Instruction) -> None:
        """A call that rearranges pointers, then the same for their shadows, which so have the same order."""
        code, frame = self.code, self.frame
        self.repeat_call(i)
        pointers = [a for a in i.arguments if a.type.is_pointer]
        if not any(frame.shadowed(p) for p in pointers):
            return
        if self.shadows.scale > 1:
            raise frame.refuse_several(
                i, f"@{i.callee_name} doesn't know how interleaved shadows lie", "use separate shadows, or width 1"
            )
        made = []
        for k in range(self.shadows.pointers):
            text = render_call(i, i.render("", self._shadow_for(pointers, k)))
            if i.type.kind == "void":
                code.line(text)
            else:
                made.append(code.emit(i.type, text.partition(" = ")[2], "shadow"))
        if i.type.is_pointer:
            frame.shadow_values[i] = made

    def _shadow_for(self, pointers: Sequence[Value], k: int) -> Callable[[Value], str]:
        shadows = {p: self.shadow_text(p, k) for p in pointers}
        return lambda v: shadows.get(v, v.ref)

    def shadow_allocation(self, i: Instruction, fact: Known) -> None:
        """Allocate shadows where the program allocates: in the same way, and zero."""
        code, scale = self.code, self.shadows.scale
        if fact.data is not None and scale > 1:
            raise self.frame.refuse_several(
                i, "memory with a head of its own has no interleaved shadow", "use separate shadows"
            )
        scaled: dict[Value, str] = {}
        total: Expr | None = None
        for n in fact.size:
            x = Expr(code, i.arguments[n].type, i.arguments[n].ref)
            if n == fact.size[0] and scale > 1:
                x = x * scale
                scaled[i.arguments[n]] = x.ref
            total = x if total is None else total * x
        text = render_call(i, i.render("", lambda v: scaled.get(v, v.ref))).partition(" = ")[2]
        made = []
        for _ in range(self.shadows.pointers):
            pointer = self.emit_call(i, PTR, text, "shadow")
            if fact.kind == "allocate" and total is not None:
                data = pointer if fact.data is None else code.load(PTR, code.offset(pointer, fact.data))
                code.clear(data, code.to_i64(total))
            if fact.data is None and total is not None:
                self._keep_shadow(i, fact, pointer, code.to_i64(total))
            made.append(pointer)
        self.frame.shadow_values[i] = made

    def _keep_shadow(self, i: Instruction, fact: Known, shadow: Expr, total: Expr) -> None:
        code, frame = self.code, self.frame
        size = i.arguments[fact.size[0]] if len(fact.size) == 1 else None
        bytes = total if self.shadows.scale == 1 else code.emit(I64, f"udiv {total}, {self.shadows.scale}")
        frame.program.lasting.keep(frame, code, i, size, shadow, bytes)
