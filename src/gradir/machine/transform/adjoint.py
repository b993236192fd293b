"""What each instruction hands back in the reverse sweep: its adjoint, times the partial derivatives, to its
operands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gradir.machine.analysis.bits.operations import bit_operation
from gradir.machine.analysis.cache import Need
from gradir.machine.ir import Argument, Block, Constant, Instruction, Type, Value
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.rules.rule import Rule, constants_of
from gradir.machine.transform.bits import count_slope, slope
from gradir.machine.transform.runtime.teams import add_alone
from gradir.machine.transform.shadows.constants import Written, constants_written
from gradir.machine.transform.shadows.shadow import Addition, float_paths

if TYPE_CHECKING:
    from gradir.machine.transform.reverse import Reverse

__all__ = ["Adjoint"]

_WRITERS = ("call", "invoke", "store", "atomicrmw", "cmpxchg")
"""What may have something to undo, though nobody uses its result."""


class Adjoint:
    """The adjoints of a function's values, and the reverse of its instructions.

    The adjoint of a value that is used in its own block only is a value in turn: the sum of what its users hand back.
    Any other
    has a stack slot that is zero until its users add to it, and is read and cleared where the value is undone; LLVM
    makes
    registers of the slots.
    """

    def __init__(self, reverse: Reverse) -> None:
        self.r, self.frame, self.shadows = reverse, reverse.frame, reverse.frame.shadows
        self.slots: dict[Value, Expr] = {}
        self._restored: dict[Instruction, Expr] = {}
        self.sums: dict[Value, Expr] = {}
        self.choices: dict[Expr, tuple[Expr, bool, Expr]] = {}
        """Adjoints that are those of a `select` where its condition is so, else zero: condition, which, that
        adjoint."""
        self._local: dict[Value, bool] = {}
        self._scopes: dict[Argument, str] = {}

    @property
    def code(self) -> Code:
        return self.r.reverse

    # -- slots ------------------------------------------------------------------------------------------------------

    def type(self, value: Value) -> Type:
        type = self.frame.float_of(value)
        assert type is not None, value
        return self.shadows.of(type)

    def slot(self, value: Value) -> Expr:
        if value not in self.slots:
            type = self.type(value)
            self.slots[value] = self.code.alloca(type, "adjoint")
            self.code.entry.lines.append(f"store {type} zeroinitializer, {self.slots[value]}")
        return self.slots[value]

    def add(self, value: Value, amount: Expr) -> None:
        """Add to the adjoint of a value, if it has one."""
        if isinstance(value, Constant) or not self.frame.active(value):
            return
        if self._is_local(value):
            before = self.sums.get(value)
            self.sums[value] = amount if before is None else self.shadows.add(self.code, before, amount)
            return
        slot = self.slot(value)
        type = self.type(value)
        self.code.store(self.shadows.add(self.code, self.code.load(type, slot), amount), slot)

    def take(self, value: Value) -> Expr:
        """Read an adjoint, and clear it."""
        if not self.frame.active(value):
            return Expr(self.code, self.shadows.of(value.type), "zeroinitializer")
        if self._is_local(value):
            return self.sums.pop(value, None) or Expr(self.code, self.type(value), "zeroinitializer")
        slot, type = self.slot(value), self.type(value)
        found = self.code.load(type, slot, hint="d")
        self.code.line(f"store {type} zeroinitializer, {slot}")
        return found

    def _is_local(self, value: Value) -> bool:
        """Whether all users of a value run after it, in its own block."""
        if not isinstance(value, Instruction) or value.opcode == "phi":
            return False
        if value not in self._local:
            users = self.frame.function.users.get(value, [])
            self._local[value] = all(u.block is value.block and u.opcode != "phi" for u in users)
        return self._local[value]

    def take_phis(self, block: Block) -> dict[Instruction, Expr]:
        return {p: self.take(p) for p in block.phis if self.frame.active(p)}

    def give_phis(self, taken: dict[Instruction, Expr], entry: Block) -> None:
        """To what the phis were when their block was entered from `entry`."""
        for phi, d in taken.items():
            for value, block in phi.incoming:
                if block is entry:
                    self.add(value, d)
                    break

    # -- instructions -----------------------------------------------------------------------------------------------

    def has_work(self, i: Instruction) -> bool:
        """Whether there is anything to undo."""
        match i.opcode:
            case "store" if self.frame.overwrites(i):
                return True
            case "store" | "atomicrmw":
                return self.frame.undoes_store(i)
            case "cmpxchg":
                return self.frame.compares_active(i)
            case "call" | "invoke":
                if self.r.masked.is_masked(i):
                    return self.r.masked.has_work(i)
                if self.r.copies.has_work(i) or self.frame.active(i) or self.r.meetings.is_one(i):
                    return True
                return self.r.calls.is_active(i) or bool(constants_written(self.frame, i))
        return self.frame.active(i)

    def undo(self, i: Instruction) -> None:
        if not self.has_work(i):
            return
        if self._is_local(i) and i not in self.sums and i.opcode not in _WRITERS:
            return  # nobody handed anything back
        if self.r.grid is not None and i.opcode in _WRITERS:
            self.r.grid.flush()
        method = getattr(self, f"_undo_{i.opcode}", None)
        if method is not None:
            method(i)
        elif (rule := self.frame.activity.rule(i)) is not None:
            self._undo_by_rule(i, rule)
        else:
            raise self.frame.refuse(
                i,
                f"no derivative of `{i.opcode}` on active data is known",
                "mark what it belongs to as inactive, or give a rule",
            )

    def _undo_by_rule(self, i: Instruction, rule: Rule) -> None:
        operands = i.arguments if i.opcode in ("call", "invoke") else i.operands
        types, constants = tuple(o.type for o in operands), constants_of(i)
        spot = self.r.spot(i.block)
        d = self.take(i)
        choice = self.choices.get(d) if self.r.idle.is_unused(i) else None
        cells: dict[int, Expr] = {}
        for n, formula in enumerate(rule.partials):
            if formula is None or not self.frame.active(operands[n]):
                continue
            used = rule.uses(n, types, i.type, constants)
            given = []
            for k, o in enumerate([*operands, i]):
                key = k if k < len(operands) else -1
                if key in used and key not in cells:
                    cells[key] = self.r.primal(o, spot)
                plain = Expr(self.code, o.type, o.ref if isinstance(o, Constant) else "poison")
                given.append(cells[key] if key in used else plain)
            place = self.frame.locate(self.code, i, "partial")
            with self.code.strictly():
                partial = formula(*given)
            self.code.location = place
            if (
                choice is not None
                and isinstance(partial, Expr)
                and operands[n].type == i.type
                and i.type.kind == "float"
            ):
                self.add(operands[n], self._chosen(choice, self._contract(choice[2], partial, i.type)))
            else:
                type = self.frame.float_of(operands[n]) or operands[n].type
                self.add(operands[n], self._unless_idle(i, d, partial, self._contract(d, partial, type)))

    def _chosen(self, choice: tuple[Expr, bool, Expr], amount: Expr) -> Expr:
        """An amount where a condition is so, else zero: whatever the amount is there, it was computed for nothing."""
        condition, which, _ = choice
        nothing = Expr(self.code, amount.type, "zeroinitializer")
        made = condition.select(amount, nothing) if which else condition.select(nothing, amount)
        self.choices[made] = (condition, which, amount)
        return made

    def _unless_idle(self, i: Instruction, d: Expr, partial: Expr | float | tuple, product: Expr) -> Expr:  # type: ignore[type-arg]
        """Zero times anything is zero: in lanes that nobody reads, and of values that may be computed for nothing."""
        if not isinstance(partial, Expr) or product.type != d.type or not d.type.is_float:
            return product
        nothing = Expr(self.code, d.type, "zeroinitializer")
        if (read := self.r.idle.read_lanes(i)) is not None:
            bits = ", ".join(f"i1 {str(b).lower()}" for b in read for _ in range(self.shadows.width))
            product = self.code.emit(d.type, f"select <{d.type.count} x i1> <{bits}>, {product}, {nothing}")
        if self.r.idle.is_unused(i):
            product = d.eq(0.0).select(nothing, product)
        return product

    def _contract(self, d: Expr, partial: Expr | float | tuple, operand: Type) -> Expr:  # type: ignore[type-arg]
        """The adjoint times the partial derivative."""
        if isinstance(partial, tuple):  # of a struct of results, field by field
            total: Expr | None = None
            for k, p in enumerate(partial):
                if p is None:
                    continue
                field = self.code.emit(d.type.elements[k], f"extractvalue {d}, {k}")
                term = self._contract(field, p, operand)
                total = term if total is None else total + term
            assert total is not None
            return total
        target = self.shadows.of(operand)
        if isinstance(partial, (int, float)):
            if d.type != target:
                d = self._spread(d, target, operand)
            if partial == 1.0:
                return d
            return -d if partial == -1.0 else d * partial
        wide = self.shadows.widen(self.code, partial)
        if d.type != wide.type:
            d = self._spread(d, wide.type, operand)
        return self.frame.product(d, wide)

    def _spread(self, d: Expr, target: Type, operand: Type) -> Expr:
        """The adjoint of a reduction, in each lane of what was reduced."""
        if self.shadows.width == 1:
            return self.code.splat(d, target)
        lanes = [k for _ in range(operand.count) for k in range(self.shadows.width)]
        return self.shadows._shuffle(self.code, d, lanes)

    # -- moves ------------------------------------------------------------------------------------------------------

    def _undo_fpext(self, i: Instruction) -> None:
        self.add(i.operands[0], self._cast("fptrunc", i))

    def _undo_fptrunc(self, i: Instruction) -> None:
        self.add(i.operands[0], self._cast("fpext", i))

    def _cast(self, opcode: str, i: Instruction) -> Expr:
        type = self.shadows.of(i.operands[0].type)
        return self.code.emit(type, f"{opcode} {self.take(i)} to {type}")

    def _undo_freeze(self, i: Instruction) -> None:
        self.add(i.operands[0], self.take(i))

    def _undo_and(self, i: Instruction) -> None:
        """Floats in the guise of integers."""
        carried = self.frame.float_of(i)
        operation = bit_operation(i, carried, self.frame.float_of) if carried is not None else None
        if operation is None or carried is None:
            raise self.frame.refuse_bits(i)
        d, spot = self.take(i), self.r.spot(i.block)
        if operation.mask is not None:
            mask = self.r.primal(operation.mask, spot)
            if mask.type.kind == "vector":
                mask = self.shadows.widen(self.code, mask)
            d = mask.select(d, Expr(self.code, d.type, "zeroinitializer"))
        else:
            d = self._contract(d, slope(self.code, i, operation, carried, lambda v: self.r.primal(v, spot)), carried)
        self.add(operation.operand, d)

    _undo_or = _undo_xor = _undo_add = _undo_sub = _undo_and

    def _undo_uitofp(self, i: Instruction) -> None:
        """Numbers that are made of the digits of floats, and floats whose digits are made of numbers."""
        d, spot = self.take(i), self.r.spot(i.block)
        for term in self.frame.activity.terms(i):
            if self.frame.active(term.source):
                of = self.frame.counted_float(i, term)
                slope = count_slope(self.code, i, term, of, lambda v: self.r.primal(v, spot))
                product = self._contract(self.code.float_cast(d, self.shadows.of(of)), slope, of)
                self.add(term.source, self.code.float_cast(product, self.type(term.source)))

    _undo_sitofp = _undo_uitofp

    def _undo_bitcast(self, i: Instruction) -> None:
        if self.frame.activity.terms(i):
            if self.frame.active(i.operands[0]):
                raise self.frame.refuse_bits(i)
            self._undo_uitofp(i)
            return
        if not self.frame.active(i.operands[0]):
            self.take(i)
            return
        d, type = self.take(i), self.type(i.operands[0])
        if d.type == type:
            self.add(i.operands[0], d)
        elif d.type.scalar == type.scalar:
            self.add(i.operands[0], self.code.emit(type, f"bitcast {d} to {type}"))
        else:
            raise self.frame.refuse(
                i, "floats of one kind are read as floats of another", "convert the number, not its bits"
            )

    def _undo_select(self, i: Instruction) -> None:
        condition, yes, no = i.operands
        chosen = self.r.primal(condition, self.r.spot(i.block))
        if chosen.type.kind == "vector":
            chosen = self.shadows.widen(self.code, chosen)
        d = self.take(i)
        for arm, which in ((yes, True), (no, False)):
            amount = self._chosen((chosen, which, d), d)
            if self.r.idle.is_unused(i):  # the adjoint itself may be zero because this, too, was computed for nothing
                del self.choices[amount]
            self.add(arm, amount)

    def _undo_extractvalue(self, i: Instruction) -> None:
        of = i.operands[0]
        where = ", ".join(map(str, i.indices))
        whole = Expr(self.code, self.type(of), "zeroinitializer")
        self.add(of, self.code.emit(whole.type, f"insertvalue {whole}, {self.take(i)}, {where}"))

    def _undo_insertvalue(self, i: Instruction) -> None:
        into, value = i.operands
        where = ", ".join(map(str, i.indices))
        d = self.take(i)
        if self.frame.float_of(value) is not None:
            self.add(value, self.code.emit(self.shadows.of(value.type), f"extractvalue {d}, {where}"))
            for path in float_paths(value.type):
                full = ", ".join(map(str, (*i.indices, *path)))
                leaf = self.shadows.of(value.type.at(path))
                d = self.code.emit(d.type, f"insertvalue {d}, {leaf} zeroinitializer, {full}")
        self.add(into, d)

    def _undo_extractelement(self, i: Instruction) -> None:
        of, index = i.operands
        carried = self.frame.float_of(i)
        if carried is not None and carried.kind == "vector" and i.type.is_integer:  # several floats as one integer
            self._undo_part(i, of, index)
            return
        whole = Expr(self.code, self.type(of), "zeroinitializer")
        self.add(of, self.shadows.insert_lane(self.code, whole, self.take(i), self._lane(index, i)))

    def _undo_insertelement(self, i: Instruction) -> None:
        into, value, index = i.operands
        lane, d = self._lane(index, i), self.take(i)
        type = self.frame.float_inserted(i)
        self.add(value, self.shadows.extract_lane(self.code, d, type, lane))
        self.add(into, self.shadows.insert_lane(self.code, d, self.shadows.zero(self.code, type), lane))

    def _undo_part(self, i: Instruction, of: Value, index: Value) -> None:
        at = index.integer if isinstance(index, Constant) else None
        carried, whole = self.frame.float_of(i), self.frame.float_of(of)
        if at is None or carried is None or whole is None:
            raise self.frame.refuse_bits(i)
        n = carried.count
        lanes = [lane - at * n if at * n <= lane < (at + 1) * n else -1 for lane in range(whole.count)]
        self.add(of, self._gather(self.take(i), lanes))

    def _lane(self, index: Value, i: Instruction) -> Expr:
        lane = self.r.primal(index, self.r.spot(i.block))
        return self.code.to_i64(lane)

    def _undo_shufflevector(self, i: Instruction) -> None:
        mask, d = self.frame.shuffled(i), self.take(i)
        n = i.operands[0].type.count * (len(mask) // i.type.count)
        for which, operand in enumerate(i.operands[:2]):
            if isinstance(operand, Constant) or not self.frame.active(operand):
                continue
            rest = [(to, lane - which * n) for to, lane in enumerate(mask) if which * n <= lane < (which + 1) * n]
            while rest:  # a lane that was taken several times gets several adjoints, one shuffle at a time
                lanes, used, later = [-1] * n, set(), []
                for to, lane in rest:
                    if lane in used:
                        later.append((to, lane))
                    else:
                        used.add(lane)
                        lanes[lane] = to
                self.add(operand, self._gather(d, lanes))
                rest = later

    def _gather(self, d: Expr, lanes: list[int]) -> Expr:
        """Lanes of an adjoint; zero where -1."""
        count = d.type.count
        full = [count if k < 0 else k for k in self.shadows.lanes(lanes)]
        mask = ", ".join(f"i32 {k}" for k in full)
        type = Type(f"<{len(full)} x {d.type.element}>", "vector", len(full), (d.type.element,))
        return self.code.emit(type, f"shufflevector {d}, {d.type} zeroinitializer, <{len(full)} x i32> <{mask}>")

    # -- memory -----------------------------------------------------------------------------------------------------

    def _suffix(self, i: Instruction) -> str:
        align = f", align {self.frame.shadow_align(i)}" if i.align > 1 or "align" in i.info else ""
        return align + self._scope(i)

    def _scope(self, i: Instruction) -> str:
        return self._own_scope(i) or self.frame.program.scope("shadow")

    def _own_scope(self, i: Instruction) -> str | None:
        """In a function of its own, whose pointers come from a tape: that shadows are apart where arguments are."""
        options = self.frame.options
        if not self.r.split or not options.noalias or options.runtime_activity:
            return None
        base = self.frame.memory.base(i.pointer)[0]
        if not isinstance(base, Argument):
            return None
        if not self._scopes:
            pointers = [a for a in self.frame.function.arguments if a.type.is_pointer]
            declared, carried = self.frame.program.scopes_of(len(pointers))
            self.code.entry.lines += declared
            self._scopes = dict(zip(pointers, carried, strict=True))
        return self._scopes[base]

    def _undo_load(self, i: Instruction) -> None:
        type = self.frame.float_of(i)
        assert type is not None
        pointers = self.r.usable_shadow(i.pointer, type, self.r.spot(i.block))
        d = self.take(i)
        if self.r.grid is not None and self.frame.may_be_shared(i, i.pointer):
            self.shadows.add_atomically(self.code, d, type, pointers, self.r.grid.addition(i))
            return
        if self.frame.may_be_shared(i, i.pointer) and (reach := self._reach(i)) != 0:
            if reach is None and (windows := self.r.windows.of(i, len(pointers))):
                self.r.windows.add(i, windows, self.shadows.unpack(self.code, d, type), pointers)
                return
            self.shadows.add_atomically(self.code, d, type, pointers, None if reach is None else self._alone(i))
            return
        there = self.shadows.load(self.code, type, pointers, self._suffix(i))
        self.shadows.store(self.code, self.shadows.add(self.code, there, d), type, pointers, self._suffix(i))

    def _reach(self, read: Instruction) -> int | None:
        """Within how many turns other reads may meet this one; None if any thread's may."""
        return self.r.sharing.reach(read) if self.r.sharing is not None else None

    def _alone(self, read: Instruction) -> Addition:
        """By no atomics, if the turns of its loop that meet this one are this thread's own."""
        assert self.r.sharing is not None
        self.frame.program.define(*add_alone(str(self.type(read).scalar)))
        alone = self.r.parts[self.r.sharing.loop_of(read)].alone
        scope = self._scope(read)
        return lambda at, x: self.code.line(f"call void @gradir.add.{x.type}({at}, {x}, {alone}){scope}")

    def _undo_store(self, i: Instruction) -> None:
        self._undo_shadow_of_store(i)
        if (before := self._restored.pop(i, None)) is not None:
            self.code.store(before, self.r.primal(i.pointer, self.r.spot(i.block)), f", align {i.align}")

    def fetch(self, block: Block) -> None:
        """Of memory that is put back as it was: have what is put back in the undoing of a block at its beginning, since
        it may take long to come."""
        for i in block.instructions:
            if i.opcode == "store" and Need("tape", i) in self.r.kept:
                self._restored[i] = self.r.lookup(Need("tape", i), self.r.spot(block))

    def _undo_shadow_of_store(self, i: Instruction) -> None:
        if self.frame.overwrites(i):
            self.frame.wipe(self.code, i, self.r.usable_shadow(i.pointer, i.value.type, self.r.spot(i.block)))
            return
        type = self.frame.stored_float(i)
        assert type is not None
        pointers = self.r.usable_shadow(i.pointer, type, self.r.spot(i.block))
        there = self.shadows.load(self.code, type, pointers, self._suffix(i))
        zero = Expr(self.code, self.shadows.of(type), "zeroinitializer")
        if type.is_aggregate and type.holds_pointer:
            raise self.frame.refuse(
                i, "a store of pointers and floats in one piece has no derivative yet", "store field by field"
            )
        if self.r.grid is None or not self.r.grid.clear(i, there, pointers):
            self.shadows.store(self.code, zero, type, pointers, self._suffix(i))
        self.add(i.value, there)

    def _undo_atomicrmw(self, i: Instruction) -> None:
        """It gives what was there, and puts the sum, the difference or the new value in its place."""
        operation, value = i.info["operation"], i.operands[1]
        if self.frame.options.grid and (operation == "xchg" or self.frame.active(i)):
            raise self.frame.refuse(
                i,
                "what was there before an atomic operation has no derivative: it depends on the order of threads",
                "do not use the result of atomicAdd, nor atomicExch, for floats",
            )
        type = self.frame.atomic_float(i)
        pointers = self.r.usable_shadow(i.pointer, type, self.r.spot(i.block))
        there = self.shadows.load(self.code, type, pointers)
        given = self.take(i) if self.frame.active(i) else self.shadows.zero(self.code, type)
        self.add(value, -there if operation == "fsub" else there)
        if operation == "xchg" or self.frame.active(i):
            before = given if operation == "xchg" else self.shadows.add(self.code, there, given)
            self.shadows.store(self.code, before, type, pointers)

    def _undo_cmpxchg(self, i: Instruction) -> None:
        raise self.frame.refuse(i, "an atomic exchange on active memory has no derivative", "use plain accesses")

    # -- calls ------------------------------------------------------------------------------------------------------

    def _undo_call(self, i: Instruction) -> None:
        if self.r.masked.is_masked(i):
            self.r.masked.undo(i)
        elif self.r.meetings.is_one(i):
            self.r.meetings.undo(i)
        elif self.r.copies.has_work(i):
            self.r.copies.undo(i)
        elif (rule := self.frame.activity.rule(i)) is not None:
            self._undo_by_rule(i, rule)
        elif constants := constants_written(self.frame, i):
            self._forget(constants)
        else:
            self.r.calls.undo(i)

    def _forget(self, constants: list[Written]) -> None:
        """What was overwritten by constants has no part in what came after."""
        spot = self.r.spot(constants[0].call.block)
        for written in constants:
            size = written.size(self.code, self.shadows.scale, lambda v: self.r.primal(v, spot))
            for s in self.r.shadow(written.pointer, spot):
                self.code.clear(s, size)

    _undo_invoke = _undo_call
