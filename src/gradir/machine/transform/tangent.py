"""What each instruction does to tangents in forward mode: partial derivatives times the operands' tangents, summed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gradir.machine.analysis.bits.operations import bit_operation
from gradir.machine.analysis.bytes.types import Kind
from gradir.machine.ir import I64, Constant, Instruction, Type, Value
from gradir.machine.ir.builder import CodeBlock, Expr
from gradir.machine.ir.types import leaves
from gradir.machine.rules.rule import Partial, Rule
from gradir.machine.transform.bits import count_slope, slope
from gradir.machine.transform.repeat import Repeat

__all__ = ["Tangents"]


class Tangents:
    """The tangents of a function's values, written beside the values themselves.

    Where it is not known what the bits of an integer are, and they are only moved, the same bits of the shadow memory
    are moved along: whether tangents or shadows of pointers, they are right.
    """

    def __init__(self, repeat: Repeat) -> None:
        self.repeat, self.frame, self.code, self.shadows = repeat, repeat.frame, repeat.code, repeat.shadows
        self.values: dict[Value, Expr] = {}
        self.bits: dict[Value, list[Expr]] = {}
        """Of integers whose kind is unknown: their shadows, one for each shadow of a pointer."""
        self.moved = self._find_moved()
        self.open: list[tuple[CodeBlock, str, Type, Instruction, Callable[[Value], str]]] = []

    # -- tangents ---------------------------------------------------------------------------------------------------

    def type(self, value: Value) -> Type:
        type = self.frame.float_of(value)
        assert type is not None, value
        return self.shadows.of(type)

    def of(self, value: Value, type: Type) -> Expr:
        """The tangent of a value; where it has none, zero."""
        return self.values.get(value) or Expr(self.code, type, "zeroinitializer")

    def _bits_of(self, value: Value, k: int, type: Type) -> Expr:
        found = self.bits.get(value)
        return found[k] if found else Expr(self.code, type, "zeroinitializer")

    # -- instructions -----------------------------------------------------------------------------------------------

    def phi(self, i: Instruction) -> None:
        """A phi of tangents, whose operands may not be there yet."""
        if self.frame.active(i):
            type = self.type(i)
            self.values[i] = self._open(i, type, "d", lambda v: self.of(v, type).ref)
        elif i in self.moved:
            made = []
            for k in range(self.shadows.pointers):
                type = self._bits_type(i)
                made.append(self._open(i, type, "bits", lambda v, k=k, type=type: self._bits_of(v, k, type).ref))  # type: ignore[misc]
            self.bits[i] = made

    def _open(self, i: Instruction, type: Type, hint: str, text: Callable[[Value], str]) -> Expr:
        name = f"%{self.code.name_for(hint)}"
        self.open.append((self.code.here, name, type, i, text))
        return Expr(self.code, type, name)

    def close_phis(self) -> None:
        blocks, way = self.repeat.blocks, self.repeat.way
        for made, name, type, phi, text in self.open:
            pairs = (f"[ {text(v)}, {way(b, phi.block).ref} ]" for v, b in phi.incoming if b in blocks)
            made.phis.append(f"{name} = phi {type} {', '.join(pairs)}")

    def push(self, i: Instruction) -> None:
        """Write the tangent of an instruction that was just repeated."""
        if i.opcode in ("store", "atomicrmw", "cmpxchg"):
            getattr(self, f"_{i.opcode}")(i)
        elif not self.frame.active(i):
            self._push_bits(i)
        elif (method := getattr(self, f"_{i.opcode}", None)) is not None:
            self.values[i] = method(i)
        elif (rule := self.frame.activity.rule(i)) is not None:
            self.values[i] = self.by_rule(i, rule)
        else:
            raise self.frame.refuse(
                i,
                f"no derivative of `{i.opcode}` on active data is known",
                "mark what it belongs to as inactive, or give a rule",
            )

    def by_rule(self, i: Instruction, rule: Rule) -> Expr:
        operands = i.arguments if i.opcode in ("call", "invoke") else i.operands
        given = [Expr(self.code, o.type, o.ref) for o in (*operands, i)]
        total: Expr | None = None
        for operand, formula in zip(operands, rule.partials, strict=True):
            if formula is None or operand not in self.values:
                continue
            with self.code.strictly():
                partial = formula(*given)
            term = self._times(partial, self.values[operand], operand.type, i.type)
            total = term if total is None else self.shadows.add(self.code, total, term)
        return total if total is not None else self.shadows.zero(self.code, i.type)

    def _times(self, partial: Partial, d: Expr, operand: Type, result: Type) -> Expr:
        """A partial derivative times a tangent."""
        if isinstance(partial, tuple):  # of a struct of results, field by field
            whole = self.shadows.zero(self.code, result)
            for k, p in enumerate(partial):
                if p is not None:
                    field = self._times(p, d, operand, result.elements[k])
                    whole = self.code.emit(whole.type, f"insertvalue {whole}, {field}, {k}")
            return whole
        if isinstance(partial, Expr):
            term = self.frame.product(d, self.shadows.widen(self.code, partial))
        else:
            term = d if partial == 1.0 else -d if partial == -1.0 else d * partial
        if operand.kind == "vector" and result.kind == "float":
            return self.shadows.sum_lanes(self.code, term, operand)
        return term

    # -- moves ------------------------------------------------------------------------------------------------------

    def _fpext(self, i: Instruction) -> Expr:
        type = self.type(i)
        return self.code.emit(type, f"{i.opcode} {self.values[i.operands[0]]} to {type}", "d")

    _fptrunc = _fpext

    def _freeze(self, i: Instruction) -> Expr:
        return self.values[i.operands[0]]

    def _and(self, i: Instruction) -> Expr:
        """Floats in the guise of integers."""
        carried = self.frame.float_of(i)
        operation = bit_operation(i, carried, self.frame.float_of) if carried is not None else None
        if operation is None or carried is None:
            raise self.frame.refuse_bits(i)
        d = self.of(operation.operand, self.type(i))
        if operation.mask is not None:
            mask = Expr(self.code, operation.mask.type, operation.mask.ref)
            if mask.type.kind == "vector":
                mask = self.shadows.widen(self.code, mask)
            return mask.select(d, Expr(self.code, d.type, "zeroinitializer"))
        return self._times(
            slope(self.code, i, operation, carried, lambda v: Expr(self.code, v.type, v.ref)), d, carried, carried
        )

    _or = _xor = _add = _sub = _and

    def _uitofp(self, i: Instruction) -> Expr:
        """Numbers that are made of the digits of floats, and floats whose digits are made of numbers."""
        type = self.type(i)
        total = Expr(self.code, type, "zeroinitializer")
        for term in self.frame.activity.terms(i):
            if (d := self.values.get(term.source)) is None:
                continue
            of = self.frame.counted_float(i, term)
            slope = count_slope(self.code, i, term, of, lambda v: Expr(self.code, v.type, v.ref))
            d = self._times(slope, self.code.float_cast(d, self.shadows.of(slope.type)), slope.type, slope.type)
            total = total + self.code.float_cast(d, type)
        return total

    _sitofp = _uitofp

    def _bitcast(self, i: Instruction) -> Expr:
        if self.frame.activity.terms(i):
            if i.operands[0] in self.values:
                raise self.frame.refuse_bits(i)
            return self._uitofp(i)
        d, type = self.values[i.operands[0]], self.type(i)
        if d.type == type:
            return d
        if d.type.scalar == type.scalar:
            return self.code.emit(type, f"bitcast {d} to {type}", "d")
        raise self.frame.refuse(
            i, "floats of one kind are read as floats of another", "convert the number, not its bits"
        )

    def _select(self, i: Instruction) -> Expr:
        type = self.type(i)
        condition = Expr(self.code, i.operands[0].type, i.operands[0].ref)
        if condition.type.kind == "vector":
            condition = self.shadows.widen(self.code, condition)
        yes, no = (self.of(o, type) for o in i.operands[1:])
        return self.code.emit(type, f"select {condition}, {yes}, {no}", "d")

    def _extractvalue(self, i: Instruction) -> Expr:
        if i.type.is_integer:
            raise self.frame.refuse(
                i, "the bits of a float come out of a struct as an integer", "make the field a float"
            )
        where = ", ".join(map(str, i.indices))
        return self.code.emit(self.type(i), f"extractvalue {self.values[i.operands[0]]}, {where}", "d")

    def _insertvalue(self, i: Instruction) -> Expr:
        into, value = i.operands
        type = self.type(i)
        d = self.of(into, type)
        if value.type.is_integer and value in self.values:
            raise self.frame.refuse(i, "the bits of a float go into a struct as an integer", "make the field a float")
        if value.type.is_integer or self.frame.float_of(value) is None:
            return d
        return self.code.emit(
            type,
            f"insertvalue {d}, {self.of(value, self.shadows.of(value.type))}, {', '.join(map(str, i.indices))}",
            "d",
        )

    def _extractelement(self, i: Instruction) -> Expr:
        of, index = i.operands
        carried = self.frame.float_of(i)
        if carried is not None and carried.kind == "vector" and i.type.is_integer:  # several floats as one integer
            carried, at = self.frame.float_of(i), index.integer if isinstance(index, Constant) else None
            if carried is None or at is None:
                raise self.frame.refuse_bits(i)
            lanes = self.shadows.lanes(range(at * carried.count, (at + 1) * carried.count))
            mask = ", ".join(f"i32 {k}" for k in lanes)
            d = self.values[of]
            return self.code.emit(
                self.type(i), f"shufflevector {d}, {d.type} poison, <{len(lanes)} x i32> <{mask}>", "d"
            )
        type = self.frame.float_of(i) or i.type
        return self.shadows.extract_lane(self.code, self.values[of], type, self._lane(index))

    def _insertelement(self, i: Instruction) -> Expr:
        into, value, index = i.operands
        x = self.of(value, self.shadows.of(self.frame.float_inserted(i)))
        return self.shadows.insert_lane(self.code, self.of(into, self.type(i)), x, self._lane(index))

    def _lane(self, index: Value) -> Expr:
        lane = Expr(self.code, index.type, index.ref)
        return self.code.to_i64(lane)

    def _shufflevector(self, i: Instruction) -> Expr:
        lanes = self.shadows.lanes(self.frame.shuffled(i))
        type = next(self.values[o].type for o in i.operands if o in self.values)
        a, b = (self.of(o, type) for o in i.operands[:2])
        text = ", ".join(f"i32 {k}" if k >= 0 else "i32 poison" for k in lanes)
        return self.code.emit(self.type(i), f"shufflevector {a}, {b}, <{len(lanes)} x i32> <{text}>", "d")

    # -- memory -----------------------------------------------------------------------------------------------------

    def _suffix(self, i: Instruction) -> str:
        align = f", align {self.frame.shadow_align(i)}" if "align" in i.info else ""
        return align + self.frame.program.scope("shadow")

    def _load(self, i: Instruction) -> Expr:
        type = self.frame.float_of(i)
        assert type is not None
        return self.shadows.load(self.code, type, self.repeat.usable_shadow(i.pointer, type), self._suffix(i))

    def _store(self, i: Instruction) -> None:
        frame, value = self.frame, i.value
        if not frame.shadowed(i.pointer):
            return
        pointers = self.repeat.usable_shadow(i.pointer, value.type)
        if self.repeat.moves_pointer(i) and not self._goes_with_its_shadow(value):
            self._store_pointers(i, pointers)
            return
        type = frame.stored_float(i)
        if value in self.bits:  # whatever is known of where it goes to
            for bits, p in zip(self.bits[value], pointers, strict=True):
                self.code.store(bits, p, ", align 1")
        elif type is not None and frame.activity.holds_active_floats(i.pointer):
            self.shadows.store(self.code, self.of(value, self.shadows.of(type)), type, pointers, self._suffix(i))
        elif frame.overwrites(i):
            frame.wipe(self.code, i, pointers)

    def _goes_with_its_shadow(self, value: Value) -> bool:
        """Whether what lies in the shadow was loaded with an integer: that is stored with it then, whatever it is."""
        if value not in self.bits:
            return False
        if not isinstance(value, Instruction) or value.opcode != "load":
            return not self.frame.carries_pointer(value)
        return not self.frame.constancy.may_be(value.pointer)

    def _store_pointers(self, i: Instruction, pointers: Sequence[Expr]) -> None:
        """Where a pointer goes into active memory, its shadow goes into the shadow of that memory."""
        code, value, type = self.code, i.value, i.value.type
        if not type.is_aggregate or self.frame.float_of(value) is None:
            self.repeat.store_pointer(i)
            return
        shadows = self.frame.shadow(code, value) if self.frame.shadowed(value) else None
        d = self.of(value, self.shadows.of(type))
        for path, offset in leaves(type):
            leaf = type.at(path)
            x = code.emit(self.shadows.of(leaf), f"extractvalue {d}, {', '.join(map(str, path))}")
            self.shadows.store(code, x, leaf, [code.offset(p, offset * self.shadows.scale) for p in pointers])
        for path, offset in leaves(type, lambda t: t.is_pointer):
            for k, p in enumerate(pointers):
                x = Expr(code, type.at(path), "null")
                if shadows:
                    x = code.emit(x.type, f"extractvalue {shadows[k]}, {', '.join(map(str, path))}")
                code.store(x, code.offset(p, offset * self.shadows.scale))

    def _atomicrmw(self, i: Instruction) -> None:
        operation, value = i.info["operation"], i.operands[1]
        type = self.frame.stored_float(i)
        holds = self.frame.activity.holds_active_floats(i.pointer)
        if value.type.holds_pointer and self.frame.shadowed(i.pointer):
            raise self.frame.refuse(
                i, "an atomic exchange of pointers to active memory has no derivative", "use plain accesses"
            )
        if not holds or type is None:
            return
        type = self.frame.atomic_float(i)
        ordering = str(i.info.get("ordering", "seq_cst"))
        d = self.of(value, self.shadows.of(type))
        pointers = self.repeat.usable_shadow(i.pointer, type)
        if self.shadows.scale > 1:
            pointers = [self.code.offset(pointers[0], k * type.size) for k in range(self.shadows.width)]
        parts = [
            self.code.emit(type, f"atomicrmw {operation} {p}, {x} {ordering}", "d")
            for p, x in zip(pointers, self.shadows.unpack(self.code, d, type), strict=True)
        ]
        self.values[i] = self.shadows.pack(self.code, parts, type)

    def _cmpxchg(self, i: Instruction) -> None:
        if self.frame.compares_active(i):
            raise self.frame.refuse(i, "an atomic exchange on active memory has no derivative", "use plain accesses")

    def _find_moved(self) -> set[Value]:
        """The integers that may be the bits of a float or of a pointer, and come from memory with a shadow."""
        found: set[Value] = set()
        changed = True
        while changed:
            changed = False
            for block in self.repeat.cfg.reachable:
                for i in block.instructions:
                    if i not in found and self._may_move(i, found):
                        found.add(i)
                        changed = True
        return found

    def only_moved(self) -> set[Value]:
        """Those of them that nothing else is done with."""
        users = self.frame.function.users
        return {
            v
            for v in self.moved
            if all(
                u.opcode in ("store", "icmp") or u in self.moved
                for u in users.get(v, ())
                if u.block in self.repeat.cfg.number
            )
        }

    def _may_move(self, i: Instruction, found: set[Value]) -> bool:
        match i.opcode:
            case "load":
                comes = i.type.scalar.is_integer and self.frame.shadowed(i.pointer)
            case "ptrtoint":
                comes = i.type == I64 and self.frame.shadowed(i.operands[0])
            case "phi" | "select" | "freeze":
                comes = any(o in found for o in i.operands)
            case _:
                return False
        if not comes or i.type.store_size not in (1, 2, 4, 8, 16, 32, 64) or i.type.scalar.count == 1:
            return False
        return self.frame.types.value(i) in (Kind.unknown, Kind.pointer)

    def _bits_type(self, i: Instruction) -> Type:
        count = i.type.store_size * 8 * self.shadows.scale
        return Type(f"i{count}", "int", count)

    def _push_bits(self, i: Instruction) -> None:
        if i not in self.moved:
            return
        code, type = self.code, self._bits_type(i)
        match i.opcode:
            case "load":
                made = [code.load(type, p, ", align 1", "bits") for p in self.repeat.usable_shadow(i.pointer, type)]
            case "ptrtoint":
                made = [
                    code.emit(type, f"ptrtoint {p} to {type}", "bits") for p in self.frame.shadow(code, i.operands[0])
                ]
            case "select":
                condition = Expr(code, i.operands[0].type, i.operands[0].ref)
                if condition.type.kind == "vector":
                    return
                made = [
                    code.emit(
                        type, f"select {condition}, {self._bits_of(a, k, type)}, {self._bits_of(b, k, type)}", "bits"
                    )
                    for k, (a, b) in enumerate([(i.operands[1], i.operands[2])] * self.shadows.pointers)
                ]
            case _:
                made = self.bits[i.operands[0]]
        self.bits[i] = made
