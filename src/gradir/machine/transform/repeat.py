"""The function's own code once more, with shadows of its pointers: what all sweeps that run forward have in common."""

from __future__ import annotations

from gradir.machine.ir import PTR, Block, Instruction, Type, Value
from gradir.machine.ir.builder import Code, CodeBlock, Expr
from gradir.machine.rules.known import Known
from gradir.machine.transform.frame import Frame, metadata_of, render_call

__all__ = ["Repeat"]

_POINTER_MOVES = ["select", "freeze", "bitcast", "addrspacecast", "extractvalue", "insertvalue", "ptrtoint", "inttoptr"]


class Repeat:
    """Repeats a function's blocks and instructions under their own names, so that text can be taken over as it is."""

    def __init__(self, frame: Frame, code: Code) -> None:
        self.frame, self.code = frame, code
        self.cfg, self.shadows = frame.cfg, frame.shadows
        self.blocks: dict[Block, CodeBlock] = {}
        self.open_phis: list[tuple[CodeBlock, str, Type, Instruction, int]] = []

    # -- blocks -----------------------------------------------------------------------------------------------------

    def open_blocks(self) -> None:
        for block in self.cfg.reachable:
            made = CodeBlock(block.name)
            self.code.blocks.append(made)
            self.blocks[block] = made

    def repeat_phi(self, phi: Instruction) -> None:
        pairs = ", ".join(f"[ {v.ref}, {self.blocks[b].ref} ]" for v, b in phi.incoming if b in self.blocks)
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
            pairs = (f"[ {self.shadow_text(v, k)}, {self.blocks[b].ref} ]" for v, b in phi.incoming if b in self.blocks)
            made.phis.append(f"{name} = phi {type} {', '.join(pairs)}")

    def repeat_branch(self, i: Instruction) -> None:
        """A terminator that doesn't return."""
        if i.opcode in ("br", "switch"):
            self.code.here.terminator = i.render("", lambda v: v.ref, metadata_of(i))
        elif i.opcode in ("indirectbr", "callbr"):
            raise self.frame.refuse(i, "a jump to a computed address has no derivative", "use a switch")
        else:
            self.code.here.terminator = "unreachable"

    # -- instructions -----------------------------------------------------------------------------------------------

    def repeat(self, i: Instruction) -> None:
        suffix = metadata_of(i)
        if i.opcode in ("load", "store"):
            suffix += self.frame.program.scope("primal", i)
        self.code.line(i.render(i.ref, lambda v: v.ref, suffix))

    def repeat_call(self, i: Instruction) -> None:
        self.code.line(render_call(i, i.render(i.ref, lambda v: v.ref, metadata_of(i))))

    def shadow_text(self, v: Value, k: int) -> str:
        if self.frame.shadowed(v):
            return self.frame.shadow(self.code, v)[k].ref
        return "null" if v.type.is_pointer else v.ref

    def shadow(self, i: Instruction) -> list[Expr]:
        """The shadow of a pointer that an instruction makes."""
        code, frame = self.code, self.frame
        if i.opcode == "getelementptr":
            return self.shadows.gep(code, i, frame.shadow(code, i.pointer), lambda v: v.ref, "shadow")
        if i.opcode == "load":
            return [code.load(i.type, p, hint="shadow") for p in frame.shadow(code, i.pointer)]
        if i.opcode in _POINTER_MOVES:
            return [self._move(i, k) for k in range(self.shadows.pointers)]
        raise frame.refuse(
            i, "a pointer to active memory is made in a way that has no shadow", "keep the pointer a pointer"
        )

    def _move(self, i: Instruction, k: int) -> Expr:
        text = i.render("", lambda v: self.shadow_text(v, k) if self.frame.carries_pointer(v) else v.ref)
        return self.code.emit(i.type, text.partition(" = ")[2], "shadow")

    # -- memory -----------------------------------------------------------------------------------------------------

    def shadow_allocation(self, i: Instruction, fact: Known) -> None:
        """Allocate shadows where the program allocates: in the same way, and zero."""
        code, scale = self.code, self.shadows.scale
        if fact.data is not None and scale > 1:
            raise self.frame.refuse(
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
            pointer = code.emit(PTR, text, "shadow")
            if fact.kind == "allocate" and total is not None:
                data = pointer if fact.data is None else code.load(PTR, code.offset(pointer, fact.data))
                code.clear(data, code.to_i64(total))
            made.append(pointer)
        self.frame.shadow_values[i] = made
