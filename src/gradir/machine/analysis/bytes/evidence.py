"""Gathers the evidence for the types of memory and of integers from a module: what `types` answers from.

Values that hold integers have a cell, pointers have a target (see `contents`). Each instruction is read once for what
it says of its operands; those that deal with pointers are read again until nothing new is learned of where the pointers
point to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd
from typing import Any

from gradir.machine.analysis.addresses import at_most, gep_steps, member_offset
from gradir.machine.analysis.bits.operations import is_swap
from gradir.machine.analysis.bytes import prototypes
from gradir.machine.analysis.bytes.contents import (
    ACCESS,
    BITS,
    DECLARED,
    NOTHING,
    Cell,
    Contents,
    Kind,
    Spot,
    Target,
    access_spot,
    joined,
    shift,
)
from gradir.machine.analysis.bytes.declared import COPIED, Declarations, Key
from gradir.machine.analysis.bytes.relations import Relations
from gradir.machine.analysis.bytes.resolution import Contradictions, fields_over
from gradir.machine.analysis.bytes.resolution import Key as Field
from gradir.machine.analysis.bytes.typed_integers import reads_integer, stores_integer
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.languages.trait_objects import TraitObjects
from gradir.machine.ir import PTR, Argument, Constant, Function, Global, Instruction, Module, Type, Value
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.metadata import Node
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules.known import known
from gradir.machine.rules.texts import OPAQUE, is_member, size_of_text, takes_string

__all__ = ["Evidence"]

_NEUTRAL = tuple(
    f"llvm.{name}"
    for name in (
        *("expect", "launder", "strip", "ptrmask", "ssa.copy", "lifetime", "dbg", "invariant", "assume", "objectsize"),
        *("vector.insert", "vector.extract", "vector.reverse", "vector.interleave", "vector.splice", "fake"),
        *("experimental", "prefetch", "sideeffect", "donothing", "va_", "stack", "returnaddress", "threadlocal"),
    )
)
_BIT_FUNCTIONS = tuple(f"llvm.{name}." for name in ("bswap", "bitreverse", "fshl", "fshr", "ctpop", "ctlz", "cttz"))
_ROUNDS = 40
_OF_TREES = ("_ZSt29_Rb_tree_insert_and_rebalance", "_ZSt28_Rb_tree_rebalance_for_erase")


class Evidence:
    """All that a module says about types."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.memory = Contents()
        self.declarations = Declarations(module)
        self.cells: dict[Value, Cell] = {}
        self.targets: dict[Value, Target] = {}
        self.aggregates: dict[Value, dict[int, Cell]] = {}
        self.results: dict[str, Value] = {}
        self.pointer_work: list[tuple[Callable[[Instruction], None], Instruction]] = []
        self.loose = False
        """Whether what is not settled by now is taken for anything."""
        self.relations = Relations(self)
        self.traits = TraitObjects(module)
        self.done: dict[Instruction, list[Spot]] = {}
        self.steps: dict[Instruction, tuple[list[int], list[int]]] = {}
        self.constants: dict[str, Target | None] = {}
        self.regions: dict[tuple[int, Spot, int], list[Any]] = {}
        """What stretches of memory were found to hold, once all is learnt."""
        self.claims: dict[tuple[int, int, tuple[Spot, ...], int, int], list[tuple[Kind, int, int]]] = {}
        """What was said of some bytes, once all is learnt."""
        self.contradicted: Contradictions = {}
        """Which fields are, once all is learnt."""
        self.colours: list[Cell] = []
        """Numbers that decide what a library does to pointers, in memory and in its shadows alike."""
        self.swapped: list[Cell] = []
        """Integers with their bytes in reverse order, and what they were before: a float is known in either order."""

    def learn(self) -> None:
        functions = [f for f in self.module.functions.values() if not f.is_declaration]
        for function in functions:
            self._begin(function)
        for function in functions:
            for instruction in function.instructions():
                self._read(instruction)
        for name in list(self.module.globals):
            self._global_contents(self.module.globals[name])
        for self.loose in (False, True):
            for turn in range(_ROUNDS):
                before, self.memory.waiting = self.memory.changes, False
                for work, instruction in self.pointer_work:
                    work(instruction)
                self._hand_to_methods()
                self.relations.relate(self.loose)
                if self.memory.changes == before and not self.memory.waiting:
                    break
                if self.memory.changes == before or turn > _ROUNDS // 2:
                    self.memory.pass_on(all=turn > _ROUNDS // 2)

    # -- values -----------------------------------------------------------------------------------------------------

    def cell(self, v: Value) -> Cell | None:
        """The cell of an integer that is no constant."""
        found = self.cells.get(v)
        if found is None:
            if isinstance(v, (Constant, Global)) or not v.type.scalar.is_integer:
                return None
            found = self.cells[v] = Cell()
        return found.find() if found.forward is not None else found

    def fields_over(self, pointer: Value, size: int, at: int = 0) -> Iterator[tuple[Spot, int, Field, Cell]]:
        """What lies over some bytes, `at` after a pointer: where that points to, where a field begins, the field."""
        target = self.target(pointer)
        if target is not None:
            obj = self.memory.settle(target)
            for spot in target.spots:
                for offset, _, key, cell in fields_over(obj, access_spot(shift(spot, at), size), size):
                    yield spot, offset, key, cell

    def target(self, v: Value) -> Target | None:
        """Where a pointer points to; None if it is null, or undefined."""
        found = self.targets.get(v)
        if found is not None:
            return found
        if isinstance(v, Global):
            found = self.targets[v] = self._global(v)
            return found
        if isinstance(v, Constant):
            return self._constant_target(v)
        if v.type.scalar.is_pointer:
            found = self.targets[v] = self.memory.pointer(v.ref)
        return found

    def parts(self, v: Value) -> dict[int, Cell]:
        """The cells of a struct or an array that is held in a register, by offset."""
        found = self.aggregates.get(v)
        if found is None:
            found = self.aggregates[v] = {}
            for offset, type in v.type.parts():
                cell = found[offset] = Cell()
                if (kind := Kind.of(type)) is not None:
                    cell.claims[kind] = (ACCESS, "it is of that type", v if isinstance(v, Instruction) else None)
        return found

    def claim(self, v: Value, kind: Kind, weight: int, why: str, where: Instruction | None) -> None:
        cell = self.cell(v)
        if cell is not None:
            self.memory.claim(cell, kind, weight, why, where)

    def connect(self, source: Value, sink: Value, where: Instruction | None = None) -> None:
        """What `source` is, `sink` may be."""
        scalar = sink.type.scalar
        if scalar.is_pointer:
            if source not in self.targets and isinstance(source, Instruction):
                return  # not seen yet: the next round
            a = self.target(source)
            if a is not None:
                self._flow(a, sink)
        elif scalar.is_integer:
            self._connect_cell(source, self.cell(sink), where)
        elif sink.type.is_aggregate and not isinstance(source, Constant):
            ours, theirs = self.parts(sink), self.parts(source)
            for offset, cell in theirs.items():
                if offset in ours:
                    self.memory.unify(ours[offset], cell)

    def _connect_cell(self, source: Value, cell: Cell | None, where: Instruction | None) -> None:
        if cell is None:
            return
        if isinstance(source, Constant):
            zero = source.is_undefined or source.integer == 0
            kind, weight = (Kind.anything, NOTHING) if zero else (Kind.integer, BITS)
            self.memory.claim(cell, kind, weight, "a constant", where)
        elif (other := self.cell(source)) is not None and other is not cell:
            self.memory.unify(cell, other)

    def _flow(self, source: Target, sink: Value) -> None:
        there = self.targets.get(sink)
        if there is None:
            self.targets[sink] = Target(source.object, source.spots)
            self.memory.changes += 1
        else:
            self.memory.flow(source, there)

    # -- functions --------------------------------------------------------------------------------------------------

    def _begin(self, function: Function) -> None:
        """The arguments, with what debug information and attributes say of them."""
        self.results[function.name] = Value(function.result, f"{function.ref}'s result")
        declared = self.declarations.arguments(function)
        for argument in function.arguments:
            if argument.type.is_pointer:
                self.target(argument)
                held = argument.attributes.value("byval") or argument.attributes.value("sret")
                if held is not None and (type := self.module.types.get(held)) is not None:
                    self.declarations.lay(self.memory, self.targets[argument], type, "its declared type")
        numbers = [a for a in function.arguments if not a.has("sret")]
        fortran = bool(declared) and self.declarations.is_fortran(function)
        if declared and len(numbers) == max(declared) and (fortran or self._fit(numbers, declared)):
            for n, (name, node) in declared.items():
                self._declare(numbers[n - 1], node, f"the declaration of {name or 'the parameter'}", fortran)
        elif len(numbers) <= len(declared):  # LLVM took out what nobody uses: their numbers are not the source's
            self._declare_told(function, fortran)
        elif declared:
            entries = [declared.get(n) for n in range(1, max(declared) + 1)]
            if self._splits(numbers, entries):
                self._declare_split(numbers, entries, fortran)
            else:
                self._declare_told(function, fortran)

    def _declare_told(self, function: Function, fortran: bool) -> None:
        """What the debug records in the body say: of which parameter an argument is the value."""
        for argument, (name, node) in self.declarations.told(function).items():
            self._declare(argument, node, f"the declaration of {name}", fortran)

    def _fit(self, numbers: list[Argument], declared: dict[int, tuple[str, Node]]) -> bool:
        """Whether parameters, of which there are as many as were declared, may be those: a slice became two, and
        another one that nobody uses was taken out."""
        for n, (_, node) in declared.items():
            if self.declarations.is_pointer(node) and not numbers[n - 1].type.scalar.is_pointer:
                return False
            argument = numbers[n - 1]
            is_less = argument.type.size < self.declarations.size(node) and not self._is_in_memory(argument)
            if is_less and self.declarations.passed_by_value(node):
                return False
        return True

    def _declare(self, argument: Argument, node: Node, why: str, fortran: bool) -> None:
        declarations = self.declarations
        if argument.type.is_pointer:
            if declarations.is_descriptor(node):
                return
            # Fortran's arguments are addresses of what is declared, as are structs that don't fit into registers.
            pointee: Key | None = declarations.pointee(node) if declarations.is_pointer(node) else node
            if not fortran and not self._is_in_memory(argument) and declarations.passed_by_value(node):
                pointee = next((f.pointee for f in declarations.fields(node) if f.offset == 0), None)
            if pointee is not None:
                declarations.lay(self.memory, self.targets[argument], pointee, why, array=True)
        elif (cell := self.cell(argument)) is not None:
            for field in declarations.fields(node)[:1]:
                if field.size == argument.type.size:
                    self.memory.claim(cell, field.kind, DECLARED, why)

    @staticmethod
    def _is_in_memory(argument: Argument) -> bool:
        """Whether a struct is passed by its address that is small enough for registers, of which none were left."""
        return argument.has("byval") or argument.has(COPIED)

    def _splits(self, numbers: list[Argument], declared: list[tuple[str, Node] | None]) -> bool:
        """Whether parameters are those that were declared, some as two each, and none was taken out."""
        at = 0
        for entry in declared:
            if entry is None or at >= len(numbers):
                return False
            node = entry[1]
            if self.declarations.is_pointer(node) and not numbers[at].type.scalar.is_pointer:
                return False
            at += 2 if self._is_pair(numbers[at : at + 2], node) else 1
        return at == len(numbers)

    def _is_pair(self, taken: list[Argument], node: Node) -> bool:
        """Whether two parameters are the two members of what was declared."""
        fields = self.declarations.fields(node)
        is_pair = len(fields) == 2 and not self.declarations.is_pointer(node)
        return is_pair and [Kind.of(a.type) or Kind.integer for a in taken] == [f.kind for f in fields]

    def _declare_split(self, numbers: list[Argument], declared: list[tuple[str, Node] | None], fortran: bool) -> None:
        """Rust passes a slice as a pointer and a length: two arguments for one that was declared."""
        at = 0
        for entry in declared:
            if entry is None or at >= len(numbers):
                return
            name, node = entry
            fields = self.declarations.fields(node)
            why = f"the declaration of {name}"
            taken = numbers[at : at + 2]
            if self._is_pair(taken, node):
                for argument, field in zip(taken, fields, strict=True):
                    if field.pointee is not None:
                        self.declarations.lay(self.memory, self.targets[argument], field.pointee, why, array=True)
                at += 2
            else:
                self._declare(numbers[at], node, why, fortran)
                at += 1

    # -- instructions -----------------------------------------------------------------------------------------------

    def _read(self, i: Instruction) -> None:
        opcode = i.opcode
        work = _POINTER_WORK.get(opcode)
        if work is not None:
            self.pointer_work.append((work.__get__(self), i))
            if opcode == "getelementptr":
                for index in i.operands[1:]:
                    self.claim(index, Kind.integer, ACCESS, "it is an index", i)
            return
        if opcode in ("phi", "select", "freeze"):
            if i.type.is_float:
                return
            if i.type.scalar.is_pointer or i.type.is_aggregate:
                self.pointer_work.append((self._join, i))
            else:
                self._join(i)
        elif (said := OPCODES[opcode].types) == "number" and opcode != "switch":
            self._integers(i, ACCESS, "integer arithmetic")
        elif said == "bits":
            self._integers(i, BITS, "bit operations")
            if opcode in ("trunc", "zext", "shl", "lshr", "or"):
                self.relations.carries.append(i)
            if OPCODES[opcode].derivative == "mask":
                self.relations.changes.append(i)
            elif opcode == "ptrtoint":
                self.pointer_work.append((self._ptrtoint, i))
        elif opcode == "inttoptr":
            self.pointer_work.append((self._inttoptr, i))
        elif opcode == "bitcast":
            self._bitcast(i)
        elif opcode == "switch":
            self.claim(i.operands[0], Kind.integer, ACCESS, "it is branched on", i)
        elif opcode in ("extractelement", "insertelement", "shufflevector") and not i.type.is_float:
            if i.type.scalar.is_pointer:
                self.pointer_work.append((self._vector, i))
            else:
                self._vector(i)

    def _integers(self, i: Instruction, weight: int, why: str) -> None:
        for v in i.operands:
            self.claim(v, Kind.integer, weight, why, i)
        if i.type.count != 1:
            self.claim(i, Kind.integer, weight, why, i)

    def _bitcast(self, i: Instruction) -> None:
        source, a, b = i.operands[0], i.operands[0].type.scalar, i.type.scalar
        if b.kind == "float":
            self.claim(source, _kind(b), ACCESS, "it is taken for a float", i)
        elif a.kind == "float":
            self.claim(i, _kind(a), ACCESS, "it is the bits of a float", i)
        elif a.is_pointer:
            self.pointer_work.append((self._vector, i))
        else:
            self.connect(source, i, i)

    def _vector(self, i: Instruction) -> None:
        for operand in i.operands[: 2 if i.opcode in ("insertelement", "shufflevector") else 1]:
            self.connect(operand, i, i)

    def _join(self, i: Instruction) -> None:
        operands = i.operands
        if i.opcode == "phi":
            operands = operands[::2]
        elif i.opcode == "select":
            operands = operands[1:]
        for operand in operands:
            self.connect(operand, i, i)

    def _ptrtoint(self, i: Instruction) -> None:
        cell, target = self.cell(i), self.target(i.operands[0])
        if cell is None or target is None:
            return
        self.memory.claim(cell, Kind.pointer, BITS, "it is an address", i)
        if cell.target is None:
            cell.target = Target(target.object, target.spots)
        else:
            self.memory.flow(target, cell.target)

    def _inttoptr(self, i: Instruction) -> None:
        source = i.operands[0]
        cell = self.cell(source)
        if cell is None:
            return
        if isinstance(source, Instruction) and source.opcode in ("add", "sub", "and", "or"):
            for operand in source.operands:  # address arithmetic done on integers: into the object, nobody says where
                inner = self.cell(operand)
                if inner is not None and inner.target is not None:
                    there = inner.target
                    self._flow(Target(self.memory.settle(there), [shift(p, 0, 1) for p in there.spots]), i)
                    return
        self.memory.claim(cell, Kind.pointer, ACCESS, "it is used as an address", i)
        self._flow(self.memory.point(cell, source.ref), i)

    # -- addresses --------------------------------------------------------------------------------------------------

    def _gep(self, i: Instruction) -> None:
        base = self.target(i.operands[0])
        if base is None:
            return
        known = self.steps.get(i)
        if known is None:
            known = self.steps[i] = gep_steps(i)
        offsets, steps = known
        if steps == [1] and (ends := _distance(i)) is not None:
            apart = self._apart(*ends)
            if apart is None and not self.loose:
                return  # it may turn out that they point into one object
            steps = [1] if apart is None else [apart]
        obj = self.memory.settle(base)
        source = i.accessed_type
        if source.kind == "struct":
            for spot in base.spots:
                if (source, spot) not in obj.declared:
                    self.declarations.lay(self.memory, base, source, f"the type {source} of an address")
                    obj = self.memory.settle(base)
                    break
        spots: list[Spot] = []
        for spot in base.spots:
            for offset in offsets:
                new = shift(spot, offset)
                for step in steps:
                    new = shift(new, 0, step)
                spots = joined(spots, new)
        there = self.targets.get(i)
        if there is None:
            self.targets[i] = Target(obj, spots)
            self.memory.changes += 1
            return
        now = self.memory.settle(there)
        if now is not obj:
            self.memory.flow(Target(obj, spots), there)
        elif there.spots != spots:
            there.spots = spots
            self.memory.changes += 1

    def _apart(self, p: Value, q: Value) -> int | None:
        """What divides the distance of two pointers into one object; None if they may point into two."""
        one, two = self.target(p), self.target(q)
        if one is None or two is None or self.memory.settle(one) is not self.memory.settle(two):
            return None
        return gcd(*(n for a, step, _ in one.spots for b, other, _ in two.spots for n in (a - b, step, other)))

    def _alloca(self, i: Instruction) -> None:
        if i not in self.targets:
            target = self.targets[i] = self.memory.pointer(i.ref)
            target.object.zero = True  # what was never stored there is undefined, which fits every type
            self.declarations.lay(self.memory, target, i.accessed_type, "the type of the variable")
            for count in i.operands:
                self.claim(count, Kind.integer, ACCESS, "it is a count", i)

    # -- accesses ---------------------------------------------------------------------------------------------------

    def _load(self, i: Instruction) -> None:
        self._access(i, i.operands[0], i, i.type, stores=False)

    def _store(self, i: Instruction) -> None:
        self._access(i, i.operands[1], i.operands[0], i.operands[0].type, stores=True)

    def _access(self, i: Instruction, pointer: Value, value: Value, type: Type, *, stores: bool) -> None:
        target = self.target(pointer)
        if target is None:
            return
        obj = self.memory.settle(target)
        is_pointer = type.scalar.is_pointer
        if not is_pointer and self.done.get(i) is target.spots:
            return
        spots = target.spots
        self.done[i] = spots
        memory = self.memory
        kind = Kind.of(type.scalar)
        for spot in spots:
            for offset, part in _parts(type):
                cell = memory.field(obj, access_spot(shift(spot, offset), part.size), part.size)
                if kind is not None:
                    if kind not in cell.claims or cell.claims[kind][0] < ACCESS:
                        memory.claim(cell, kind, ACCESS, "it is stored" if stores else "it is loaded", i)
                    if is_pointer:
                        self._access_pointer(i, value, cell, stores)
                        obj = memory.settle(target)
                elif type.is_aggregate:
                    self._access_part(i, value, offset, part, cell, stores)
                elif stores_integer(i) if stores else reads_integer(i):
                    memory.claim(cell, Kind.integer, ACCESS, "it is an integer in the source", i)
                    self.claim(value, Kind.integer, ACCESS, "it is an integer in the source", i)
                else:
                    self._connect_cell(value, cell, i)
        if "tbaa" in i.metadata:
            self._tbaa(i, target, type)
        if "range" in i.metadata and not is_pointer:
            self.claim(i, Kind.integer, ACCESS, "it has a range", i)

    def _access_pointer(self, i: Instruction, value: Value, cell: Cell, stores: bool) -> None:
        if not stores:
            self._flow(self.memory.point(cell, i.ref), value)
        elif i in self.traits.stored and self._is_closed(self.memory.point(cell, i.ref)):
            self.memory.settle(self.memory.point(cell, i.ref)).closed = True
        elif value in self.targets or not isinstance(value, Instruction):
            source = self.target(value)
            if source is None:
                return
            cell = cell.find()
            if cell.target is None:
                cell.target = Target(source.object, source.spots)
                self.memory.changes += 1
            else:
                self.memory.flow(source, cell.target)

    def _access_part(self, i: Instruction, value: Value, offset: int, part: Type, cell: Cell, stores: bool) -> None:
        kind = Kind.of(part)
        if kind is not None:
            self.memory.claim(cell, kind, ACCESS, "it is stored" if stores else "it is loaded", i)
        if not isinstance(value, Constant):
            self.memory.unify(cell, self.parts(value)[offset])

    def _tbaa(self, i: Instruction, target: Target, type: Type) -> None:
        kind, around, offset = self.declarations.tag(i.metadata["tbaa"])
        obj = self.memory.settle(target)
        scalar = type.scalar
        if kind is not None and scalar.is_integer and kind.size in (0, scalar.size) and not type.is_aggregate:
            for spot in target.spots:
                cell = self.memory.field(obj, access_spot(spot, scalar.size), scalar.size)
                weight = DECLARED if kind is Kind.integer else ACCESS  # integers are used to move other things
                self.memory.claim(cell, kind, weight, "its TBAA tag says so", i)
        if around is not None and (offset or len(self.declarations.fields(around)) > 1):
            base = Target(obj, [shift(p, -offset) for p in target.spots])
            self.declarations.lay(self.memory, base, around, "the TBAA type of the struct around it")

    def _atomicrmw(self, i: Instruction) -> None:
        self._access(i, i.operands[0], i.operands[1], i.type, stores=True)
        if i.type.is_integer:
            if i.info["operation"] != "xchg":
                self.claim(i.operands[1], Kind.integer, ACCESS, "integer arithmetic", i)
                self.claim(i, Kind.integer, ACCESS, "integer arithmetic", i)
            self.connect(i.operands[1], i, i)

    def _cmpxchg(self, i: Instruction) -> None:
        for value in i.operands[1:3]:
            self.done.pop(i, None)
            self._access(i, i.operands[0], value, value.type, stores=True)

    # -- structs in registers ---------------------------------------------------------------------------------------

    def _extractvalue(self, i: Instruction) -> None:
        source = i.operands[0]
        if isinstance(source, Constant):
            return
        self._link(self.parts(source), member_offset(source.type, i.indices), i, into_parts=False)

    def _insertvalue(self, i: Instruction) -> None:
        ours = self.parts(i)
        at = member_offset(i.type, i.indices)
        inserted = i.operands[1]
        size = inserted.type.size
        if not isinstance(i.operands[0], Constant):
            for offset, cell in self.parts(i.operands[0]).items():
                if not at <= offset < at + size:
                    self.memory.unify(ours[offset], cell)
        self._link(ours, at, inserted, into_parts=True)

    def _link(self, parts: dict[int, Cell], at: int, v: Value, *, into_parts: bool) -> None:
        """Make a value one with what is at an offset in a struct."""
        scalar = v.type.scalar
        if v.type.is_aggregate:
            if not isinstance(v, Constant):
                for offset, cell in self.parts(v).items():
                    self.memory.unify(parts[at + offset], cell)
        elif scalar.is_pointer:
            cell = parts[at].find()
            if not into_parts:
                self._flow(self.memory.point(cell, v.ref), v)
            elif v in self.targets or not isinstance(v, Instruction):
                source = self.target(v)
                if source is not None:
                    self.memory.flow(source, self.memory.point(cell, v.ref))
        elif scalar.is_integer:
            self._connect_cell(v, parts[at].find(), v if isinstance(v, Instruction) else None)

    # -- calls ------------------------------------------------------------------------------------------------------

    def _call(self, i: Instruction) -> None:
        name = i.callee_name
        if name is None:
            self._indirect(i)
            return
        name = self.module.aliases.get(name, name)
        function = self.module.functions.get(name)
        if function is not None and not function.is_declaration:
            self._bind(i, function)
        elif name.startswith("llvm.masked."):
            self._masked(i)
        else:
            if i not in self.done:
                self.done[i] = []
                self._outside(i, name, function)
            self._returned(i, name, function)
            if function is not None and function.has(OPAQUE) and is_member(name):
                self._member_of_text(i, function)
            elif name.startswith(_OF_TREES):
                self._colours(i)

    def _bind(self, i: Instruction, function: Function) -> None:
        if function.name in prototypes.POLYMORPHIC:
            return
        paired = self.traits.passed.get(i, {})
        for n, (actual, formal) in enumerate(zip(i.arguments, function.arguments, strict=False)):
            if formal is _self(function) and self._is_of_a_trait(i, function):
                continue  # what its methods are called with is told by their tables
            if n in paired and (there := self.target(formal)) is not None and self._is_closed(there):
                self.memory.settle(there).closed = True
            elif not formal.type.is_float:
                self.connect(actual, formal, i)
        if i.type.is_pointer and "noalias" in function.result_attributes:
            # Memory of its own for each call: what one caller uses it for is nothing to the others.
            if i not in self.targets:
                self.targets[i] = self.memory.pointer(i.ref)
                self.relations.instances.append((self.results[function.name], i))
        elif i.type.kind != "void" and not i.type.is_float:
            self.connect(self.results[function.name], i, i)

    def _indirect(self, i: Instruction) -> None:
        target = self.target(i.callee)
        if target is None:
            return
        for name in sorted(self.memory.settle(target).functions):
            function = self.module.functions.get(name)
            if function is None or function.is_declaration or len(function.arguments) != len(i.arguments):
                continue
            if all(a.type == f.type for a, f in zip(i.arguments, function.arguments, strict=True)):
                self._bind(i, function)

    # -- objects of traits ------------------------------------------------------------------------------------------

    def _is_closed(self, target: Target) -> bool:
        """Whether nobody looks into an object, other than the methods of its type."""
        obj = self.memory.settle(target)
        return not obj.fields and not obj.functions

    def _is_of_a_trait(self, i: Instruction, function: Function) -> bool:
        """Whether a call by address hands a closed object to a method of a table."""
        given = _self(function)
        if i.callee_name is not None or given is None or not self.traits.tables_of(function.name):
            return False
        target = self.target(i.arguments[given.index])
        return target is not None and self._is_closed(target)

    def _hand_to_methods(self) -> None:
        """Objects that were put beside a table are what its methods are called with."""
        pairs = [(i.value, table) for i, table in self.traits.stored.items()]
        pairs += [(i.arguments[n], table) for i, found in self.traits.passed.items() for n, table in found.items()]
        for value, table in pairs:
            for name in self.traits.methods[table]:
                if (given := _self(self.module.functions[name])) is not None:
                    self.connect(value, given)

    def _outside(self, i: Instruction, name: str, function: Function | None) -> None:
        """A function without a body."""
        arguments = i.arguments
        fact = known(name, function)
        kind = fact.kind if fact else ""
        if fact is not None:
            for n in fact.size:
                self.claim(arguments[n], Kind.integer, ACCESS, "it is a size", i)
        if fact is not None and kind == "copy":
            number = at_most(arguments[fact.size[0]])
            self.relations.copies.append((arguments[fact.pointer or 0], arguments[fact.source or 0], number, set()))
        elif fact is not None and kind == "set":
            byte = arguments[fact.value] if fact.value is not None else None
            target = self.target(arguments[fact.pointer or 0])
            if target is not None and (byte is None or (isinstance(byte, Constant) and byte.integer == 0)):
                self.memory.settle(target).zero = True
        elif fact is not None and kind in ("allocate", "zero_allocate") and i.type.is_pointer:
            target = self.targets[i] = self.memory.pointer(i.ref)
            target.object.zero = True  # or undefined, which fits every type as well
            if fact.data is not None:
                cell = self.memory.field(target.object, (fact.data, 0, False), 8)
                self.memory.claim(cell, Kind.pointer, ACCESS, f"{name} keeps the address of the data there", i)
                self.memory.settle(self.memory.point(cell, i.ref)).zero = True
        elif not name.startswith(_NEUTRAL) and kind != "reallocate":
            weight = ACCESS if name.startswith("llvm.") and not name.startswith(_BIT_FUNCTIONS) else BITS
            for v in (*arguments, i):
                self.claim(v, Kind.integer, weight, f"{name} takes and gives integers", i)
            if is_swap(i) and (result := self.cell(i)) is not None:
                self.connect(arguments[0], i, i)
                self.swapped.append(result)
            self._prototype(i, name)

    def _returned(self, i: Instruction, name: str, function: Function | None) -> None:
        """Functions that give back what they are given."""
        if not i.type.is_pointer and not name.startswith(_NEUTRAL):
            return
        fact = known(name, function)
        if fact is not None and fact.kind == "reallocate":
            self.connect(i.arguments[fact.pointer or 0], i, i)
        elif fact is not None and fact.returns is not None:
            self.connect(i.arguments[fact.returns], i, i)
        elif name.startswith(_NEUTRAL):
            for argument in i.arguments:
                if argument.type.scalar == i.type.scalar:
                    self.connect(argument, i, i)

    def _prototype(self, i: Instruction, name: str) -> None:
        for argument, pointee in zip(i.arguments, prototypes.pointees(name, len(i.arguments)), strict=False):
            if pointee is None or not argument.type.is_pointer or (target := self.target(argument)) is None:
                continue
            kind, size = pointee
            obj = self.memory.settle(target)
            for spot in target.spots:
                for step in (0, size):
                    cell = self.memory.field(obj, shift(spot, 0, step) if step else spot, size)
                    self.memory.claim(cell, kind, ACCESS if not step else DECLARED, f"{name} works on it", i)

    def _member_of_text(self, i: Instruction, function: Function) -> None:
        """What a member of `std::string` works on is words that nobody else looks into."""
        gives_struct = bool(function.arguments) and function.arguments[0].has("sret")
        objects = i.arguments[: 1 + gives_struct + takes_string(function.name)]
        for target in filter(None, (self.target(a) for a in objects if a.type.is_pointer)):
            obj = self.memory.settle(target)
            for spot in target.spots:
                for at in range(0, size_of_text(function.name), 8):
                    cell = self.memory.field(obj, access_spot(shift(spot, at), 8), 8)
                    self.memory.claim(cell, Kind.integer, DECLARED, "a text of the C++ library lies there", i)

    def _colours(self, i: Instruction) -> None:
        """What the library does to a tree of GNU's goes by the colours of nodes, which are their first member."""
        for target in filter(None, (self.target(a) for a in i.arguments if a.type.is_pointer)):
            for spot in target.spots:
                cell = self.memory.field(self.memory.settle(target), access_spot(spot, 4), 4)
                self.memory.claim(cell, Kind.integer, DECLARED, "the colour of a node of a tree", i)
                self.colours.append(cell)

    def _masked(self, i: Instruction) -> None:
        access = masked_access(i)
        if access is not None:
            moved = access.stored or i
            # Lanes that are gathered lie each where its own pointer points to, the others one behind the other.
            type = moved.type if access.pointer.type.is_pointer else moved.type.element
            self._access(i, access.pointer, moved, type, stores=access.stored is not None)

    def _ret(self, i: Instruction) -> None:
        if i.operands and not i.operands[0].type.is_float:
            self.connect(i.operands[0], self.results[i.block.function.name], i)

    # -- globals ----------------------------------------------------------------------------------------------------

    def _global(self, g: Global) -> Target:
        name = self.module.aliases.get(g.name, g.name)
        if name != g.name and name in self.module.globals:
            target = self.target(self.module.globals[name])
            assert target is not None
            return Target(target.object, target.spots)
        made = self.memory.pointer(g.ref)
        if name in self.module.functions:
            made.object.functions.add(name)
        elif g.value_type.kind != "void":
            made.object.zero = g.initializer is not None
            self.declarations.lay(self.memory, made, g.value_type, f"the type of {g.ref}")
        return made

    def _global_contents(self, g: Global) -> None:
        """The addresses that a global begins with."""
        if g.initializer is None or "@" not in g.initializer or g.name.startswith("llvm."):
            return
        target = self.target(g)
        assert target is not None
        for offset, leaf in read_constant(g.value_type, g.initializer, self.module.types).leaves():
            names = global_names(leaf.text) if leaf.type.is_pointer else []
            pointed = self._named_address(leaf.text, names) if names else None
            if pointed is not None:
                cell = self.memory.field(self.memory.settle(target), shift(target.spots[0], offset), 8)
                self.memory.claim(cell, Kind.pointer, ACCESS, f"{g.ref} begins with an address")
                self.memory.flow(pointed, self.memory.point(cell, leaf.text))

    def _named_address(self, text: str, names: list[str]) -> Target | None:
        if text.startswith("@"):
            g = self.module.globals.get(names[0])
            return self.target(g) if g is not None else None
        return self._constant_target(Constant(PTR, text, tuple(names[:1])))

    def _constant_target(self, v: Constant) -> Target | None:
        """Of an address that is computed from that of a global."""
        if not v.globals or v.globals[0] not in self.module.globals:
            return None
        if v.ref not in self.constants:
            g = self.module.globals[v.globals[0]]
            base = self.target(g)
            assert base is not None
            address = read_constant(PTR, v.ref, self.module.types).address
            offset = address.offset if address is not None else None
            spots = [shift(p, offset) if offset is not None else shift(p, 0, 1) for p in base.spots]
            self.constants[v.ref] = Target(base.object, spots)
        return self.constants[v.ref]


def _self(method: Function) -> Argument | None:
    """The parameter of a method that is its object: the first, but for the place of the result."""
    found = [a for a in method.arguments if not a.has("sret")] if not method.is_declaration else []
    return found[0] if found and found[0].type.is_pointer else None


def _kind(type: Type) -> Kind:
    kind = Kind.of(type)
    assert kind is not None
    return kind


_PARTS: dict[Type, list[tuple[int, Type]]] = {}


def _parts(type: Type) -> list[tuple[int, Type]]:
    if type.kind in ("int", "float", "ptr"):
        return [(0, type)]
    found = _PARTS.get(type)
    if found is None:
        found = _PARTS[type] = list(type.parts())
    return found


_POINTER_WORK: dict[str, Callable[[Evidence, Instruction], None]] = {
    "getelementptr": Evidence._gep,
    "alloca": Evidence._alloca,
    "load": Evidence._load,
    "store": Evidence._store,
    "atomicrmw": Evidence._atomicrmw,
    "cmpxchg": Evidence._cmpxchg,
    "extractvalue": Evidence._extractvalue,
    "insertvalue": Evidence._insertvalue,
    "call": Evidence._call,
    "invoke": Evidence._call,
    "ret": Evidence._ret,
    "addrspacecast": Evidence._vector,
}


def _distance(gep: Instruction) -> tuple[Value, Value] | None:
    """The two pointers, if a step of bytes is as far as one is from the other: as LLVM writes the place in a new block
    that an element had in an old one."""
    index = gep.operands[-1]
    if len(gep.operands) != 2 or not isinstance(index, Instruction) or index.opcode != "sub":
        return None
    ends = [
        o.operands[0] for o in index.operands if isinstance(o, Instruction) and o.opcode in ("ptrtoint", "ptrtoaddr")
    ]
    return (ends[0], ends[1]) if len(ends) == 2 else None
