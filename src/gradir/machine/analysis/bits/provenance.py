"""Which integers are made of addresses, and how: those have shadows, as pointers have.

An address may travel as an integer: with a tag in its low bits, XORed with a neighbour's, aligned, packed beside a
count, or as its distance from another one. What an integer is made of is told by a *coefficient*: how many addresses
are summed up in it. An address has 1, the difference of two has 0, and what was shifted or mixed is `scrambled`. The
shadow of such an integer is what the same operations make of the shadows of the addresses. From a few operations (a
remainder, a byte swap) no address comes back: what they make is `lost`, and a pointer made of it is refused. The low
bits of an address are a number, unless they are put beside high ones again.

Integers in memory and in calls are known by the cells of the type analysis, so that they are found over the whole
module. Differences are followed only within a function: those of one object (the size of a container) are equal for
addresses and shadows, and nobody need keep the latter. Where one that was kept, in bytes, moves a pointer again (a link
that is relative to itself), it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from gradir.machine.analysis.bytes.contents import BITS, Cell, Kind
from gradir.machine.analysis.bytes.evidence import Evidence
from gradir.machine.ir import Constant, Function, Global, Instruction, Value, is_null

__all__ = ["HIGH_BITS", "Made", "Provenance"]

Made = int | Literal["scrambled", "lost"] | None
"""The coefficient of addresses in an integer; None of a plain number."""

HIGH_BITS = (1 << 47) - (1 << 32)
"""Bits that tell objects apart: a mask that has them keeps an address, one without leaves a number."""

_ADDRESS_BITS, _DIFFERENCE_BITS, _PIECE_BITS = 48, 32, 8
_TAG = 15
"""The low bits of an address that may be a tag, or tell how it is aligned, and no more."""
_MOVES = frozenset(("phi", "select", "freeze", "bitcast", "extractelement", "insertelement", "shufflevector"))
_SOURCES = ("load", "call", "invoke", "extractvalue")
_CHOICES = ("llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.")
_ARITHMETIC = frozenset(
    "add sub mul shl lshr ashr and or xor trunc zext sext udiv sdiv urem srem".split(),  # noqa: SIM905
)
_MAKERS = _MOVES | _ARITHMETIC | {"ptrtoint", "ptrtoaddr", "load", "extractvalue", "atomicrmw", "call", "invoke"}


class Provenance:
    """What the integers of a module are made of.

    >>> from gradir.machine.analysis.bytes.types import TypeAnalysis
    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define i64 @f(ptr %p, ptr %q) {
    ... entry:
    ...   %a = ptrtoint ptr %p to i64
    ...   %b = ptrtoint ptr %q to i64
    ...   %tagged = or i64 %a, 1
    ...   %apart = sub i64 %b, %a
    ...   %mixed = xor i64 %a, %b
    ...   %tag = and i64 %a, 7
    ...   ret i64 %tag
    ... }''')
    >>> provenance = TypeAnalysis(module).provenance
    >>> {i.ref: provenance.made(i) for i in module.functions["f"].instructions() if i.ref}
    {'%a': 1, '%b': 1, '%tagged': 1, '%apart': 0, '%mixed': 'scrambled', '%tag': None}
    """

    def __init__(self, facts: Evidence) -> None:
        self.facts = facts
        self._values: dict[Value, Made] = {}
        self._cells: dict[Cell, Made] = {}
        self._variables: dict[Instruction, list[Value]] = {}
        """Local integers that are only loaded and stored: what is stored in each."""
        for function in facts.module.functions.values():
            self._find_variables(function)
        self._learn()
        self._distances = {
            cell.find()
            for v, made in self._values.items()
            if made == 0
            and isinstance(v, Instruction)
            and v.opcode == "sub"
            and (cell := facts.cells.get(v)) is not None
        }
        """What holds the distance of two objects, in bytes: not the number of elements between two pointers."""
        self._wanted: set[Value] = set()
        self._find_wanted()
        for cell, made in self._cells.items():
            if made not in (None, 0, "lost"):
                _claim_address(cell)

    # -- answers ----------------------------------------------------------------------------------------------------

    def made(self, v: Value) -> Made:
        """What an integer (or a vector of integers) is made of."""
        if isinstance(v, (Constant, Global)):
            return 1 if v.type.scalar.is_integer and isinstance(v, Constant) and v.globals else None
        found = self._values.get(v)
        return self._looked_up(v) if found is None and not isinstance(v, Instruction) else found

    def carries(self, v: Value) -> bool:
        """Whether an integer, or an integer in an aggregate, has a shadow as a pointer has."""
        if v.type.is_aggregate:
            parts = self.facts.aggregates.get(v, {})
            return any(t.is_integer and self._carried(parts.get(o)) for o, t in v.type.parts())
        if not v.type.scalar.is_integer or self.made(v) in (None, "lost"):
            return False
        return not isinstance(v, Instruction) or v in self._wanted

    def is_difference(self, v: Value) -> bool:
        """Whether an integer is a difference of addresses: to other functions, and in memory, it is a number."""
        return v.type.scalar.is_integer and self.made(v) == 0

    def variable_carries(self, pointer: Value) -> bool:
        """Whether a local variable holds such an integer, at times."""
        stored = self._variables.get(pointer)  # type: ignore[call-overload]
        return stored is not None and any(self.carries(v) for v in stored)

    def leads(self, gep: Instruction, index: Value) -> bool:
        """Whether an index leads from one object into another, or from null. One that is merely computed from an
        address, as a hash is, counts elements."""
        made = self.made(index)
        return made in (0, -1) or (is_null(gep.pointer) and made not in (None, "lost"))

    def steps_by_kept_distance(self, i: Instruction) -> bool:
        """Whether an address is moved by a number from memory, or from another function, that was the distance between
        two objects: between their shadows it is another."""
        if i.opcode == "getelementptr":
            moved = i.operands[1:] if len(i.operands) == 2 and i.accessed_type.size == 1 else []
        elif i.opcode in ("add", "sub") and any(self.made(o) == 1 for o in i.operands):
            moved = i.operands
        else:
            return False
        return any(self.made(o) is None and self._is_kept_distance(o) for o in moved)

    def _is_kept_distance(self, number: Value) -> bool:
        """Whether a number that is no distance by what made it here comes from where distances are kept."""
        if not self._may_be_distance(number):
            return False
        work, seen = [number], {number}
        while work:
            v = work.pop()
            if not isinstance(v, Instruction) or v.opcode not in _MOVES | _ARITHMETIC:
                if self._may_be_distance(v):
                    return True
                continue
            work += [o for o in v.operands if o.type.scalar.is_integer and o not in seen]
            seen.update(v.operands)
        return False

    def _may_be_distance(self, v: Value) -> bool:
        cell = self.facts.cells.get(v)
        return cell is not None and cell.find() in self._distances

    def result_carries(self, function: str) -> bool:
        """Whether a function gives such an integer."""
        result = self.facts.results.get(function)
        return result is not None and self.carries(result)

    def holds_address(self, cells: Iterable[Cell]) -> bool:
        """Whether some memory holds integers that are made of addresses."""
        return any(self._carried(cell) for cell in cells)

    def _carried(self, cell: Cell | None) -> bool:
        return cell is not None and self._of_cell(cell) not in (None, "lost")

    # -- gathering --------------------------------------------------------------------------------------------------

    def _find_variables(self, function: Function) -> None:
        for i in function.instructions():
            if i.opcode != "alloca" or not i.accessed_type.is_integer or i.operands:
                continue
            users = [u for u in function.users.get(i, []) if not (u.callee_name or "").startswith("llvm.lifetime")]
            if all(_accesses(u, i) for u in users):
                self._variables[i] = [u.value for u in users if u.opcode == "store"]

    def _learn(self) -> None:
        work = [
            i
            for function in self.facts.module.functions.values()
            for i in function.instructions()
            if i.type.scalar.is_integer and i.type.scalar.count >= _least_bits(i) and i.opcode in _MAKERS
        ]
        self._seed_used(i for f in self.facts.module.functions.values() for i in f.instructions())
        changed = True
        while changed:
            changed = False
            for i in work:
                changed |= self._note(i, self._of(i))

    def _note(self, v: Value, made: Made) -> bool:
        before = self._values.get(v)
        after = _join(before, made)
        if after == before:
            return False
        self._values[v] = after
        cell = self.facts.cells.get(v)
        if cell is not None:
            root = cell.find()
            self._cells[root] = _join_cell(self._cells.get(root), after)
        return True

    def _seed_used(self, instructions: Iterable[Instruction]) -> None:
        """What a pointer is made of is an address, though it be loaded or passed as an integer from who knows where."""
        for i in instructions:
            if i.opcode != "inttoptr":
                continue
            source: Value | None = i.operands[0]
            while isinstance(source, Instruction) and source.opcode in ("and", "or", "xor", "add", "sub", "freeze"):
                source = _address_operand(source)
            cell = self.facts.cells.get(source) if source is not None else None
            if cell is not None and not (isinstance(source, Instruction) and source.opcode not in _SOURCES):
                root = cell.find()
                self._cells[root] = _join_cell(self._cells.get(root), 1)

    def _find_wanted(self) -> None:
        """The integers of which the shadow matters: those that are used for more than to compare or to count."""
        work = []
        for v, made in self._values.items():
            if made not in (None, "lost") and isinstance(v, Instruction):
                users = v.block.function.users.get(v, [])
                if any(self._wants(u, v) for u in users):
                    work.append(v)
        while work:
            v = work.pop()
            if v in self._wanted:
                continue
            self._wanted.add(v)
            operands = v.operands
            if v.opcode == "load":
                operands = self._variables.get(v.pointer, [])  # type: ignore[call-overload]
            work.extend(o for o in operands if isinstance(o, Instruction) and self.made(o) not in (None, "lost"))

    def _wants(self, user: Instruction, v: Value) -> bool:
        """Whether what is done with an integer by itself asks for its shadow."""
        match user.opcode:
            case "getelementptr":
                return self.leads(user, v)
            case "store":
                return user.pointer not in self._variables
            case "call" | "invoke":
                if (user.callee_name or "").startswith("llvm."):
                    return "masked" in (user.callee_name or "")
                return self.made(v) != 0  # to other functions a difference is a number
            case "ret":
                return self.made(v) != 0
        return user.opcode in ("inttoptr", "insertvalue", "atomicrmw", "cmpxchg")

    # -- what instructions make -------------------------------------------------------------------------------------

    def _of(self, i: Instruction) -> Made:
        if i.opcode in ("ptrtoint", "ptrtoaddr"):
            return 1 if i.type.scalar.count >= _ADDRESS_BITS else "lost"
        if i.opcode in _MOVES:
            return self._moved(i)
        if i.opcode in _ARITHMETIC:
            return self._computed(i)
        if i.opcode == "load" and (i.type.scalar.count < _DIFFERENCE_BITS or i.type.scalar.count % 32):
            if not self._is_among_pointers(i.pointer, i.type.scalar.count // 8):
                return None
            # Nothing but a part of something has 56 bits.
            return "scrambled" if i.type.scalar.count > _DIFFERENCE_BITS or self._is_joined_again(i) else None
        if i.opcode == "load" and i.pointer in self._variables:
            return _joined(self.made(v) for v in self._variables[i.pointer])  # type: ignore[index]
        name = i.callee_name or ""
        if name.startswith(_CHOICES):
            return _joined(self.made(a) for a in i.arguments)
        if name.startswith("llvm.") and any(self.made(a) not in (None, 0) for a in i.arguments):
            return self._looked_up(i) if name.startswith(("llvm.ssa.copy", "llvm.expect")) else "lost"
        return self._looked_up(i)

    def _looked_up(self, v: Value) -> Made:
        """Of what comes from memory or through a call. A difference is a number there."""
        if not v.type.scalar.is_integer or v.type.scalar.count < _ADDRESS_BITS:
            return None
        return self._of_cell(self.facts.cells.get(v))

    def _of_cell(self, cell: Cell | None) -> Made:
        if cell is None:
            return None
        root = cell.find()
        found = self._cells.get(root)
        if found in (None, 0):
            return 1 if root.kind is Kind.pointer else None
        return found

    def _moved(self, i: Instruction) -> Made:
        operands = i.operands
        if i.opcode == "phi":
            operands = operands[::2]
        elif i.opcode == "select":
            operands = operands[1:]
        elif i.opcode in ("extractelement", "freeze", "bitcast"):
            operands = operands[:1]
        else:
            operands = operands[:2]
        return _joined(self.made(o) for o in operands if o.type.scalar.is_integer)

    def _computed(self, i: Instruction) -> Made:
        first = self.made(i.operands[0])
        second = self.made(i.operands[1]) if len(i.operands) > 1 else None
        if first is None and second is None:
            return None
        if "lost" in (first, second):
            return "lost"
        match i.opcode:
            case "add" | "sub":
                return self._summed(i, first, second)
            case "and" if first == 1 and second is None and _cuts(i) and self._is_joined_again(i):
                return "scrambled"
            case "and":
                return _masked(first, second, i)
            case "or" | "xor" if first is None or second is None:
                made = second if first is None else first
                return made if made in (0, 1) else "scrambled"
            case "or" | "xor":
                return "scrambled" if (first, second) != (0, 0) else 0
            case "lshr" | "ashr" if first == 0 and second is None and "exact" not in i.flags:
                return None  # how many, rounded: what is w times as much is rounded elsewhere
            case "mul" | "shl" | "lshr" | "ashr":
                return _scaled(i, first, second)
            case "trunc" if first in (1, "scrambled") and self._is_joined_again(i):
                return "scrambled"
            case "trunc" if i.type.scalar.count < _DIFFERENCE_BITS:
                return None
            case "trunc" | "zext" | "sext":
                return first if first == 0 or i.type.scalar.count >= _ADDRESS_BITS else "lost"
            case "urem" | "srem" if first == 1 and second is None:
                return None  # how far an address is past a multiple
        return None if first in (None, 0) and second in (None, 0) else "lost"

    def _is_joined_again(self, piece: Instruction) -> bool:
        """Whether low bits of an address are put beside the high ones of one again, in a register or in memory. LLVM
        takes a pointer apart that shares its place with a smaller number (an error's, say)."""
        users = piece.block.function.users
        todo, seen = [piece], {piece}
        while todo:
            v = todo.pop()
            for user in users.get(v, []):
                if user.opcode == "or" and user.type.scalar.count >= _ADDRESS_BITS:
                    if any(o is not v and self.made(o) in (1, "scrambled") for o in user.operands):
                        return True
                elif user.opcode == "store" and user.value is v:
                    if self._is_among_pointers(user.pointer, v.type.scalar.size):
                        return True
                elif user.opcode in ("phi", "select", "freeze", "zext") and user not in seen:
                    seen.add(user)
                    todo.append(user)
        return False

    def _is_among_pointers(self, pointer: Value, size: int) -> bool:
        """Whether some bytes are a part of what is a pointer at other times."""
        return any(Kind.pointer in cell.find().claims for *_, cell in self.facts.fields_over(pointer, size))

    def _summed(self, i: Instruction, first: Made, second: Made) -> Made:
        if "scrambled" in (first, second):
            return "scrambled"
        a, b = int(first or 0), int(second or 0)
        if i.opcode == "sub" and a == b == 1 and one_object(i.operands[0], i.operands[1]):
            return None
        return a + b if i.opcode == "add" else a - b


def _least_bits(i: Instruction) -> int:
    """The size of integers that may be made of addresses: pieces are small."""
    return _PIECE_BITS if i.opcode in ("load", "trunc", "phi", "select", "freeze") else _DIFFERENCE_BITS


def _cuts(i: Instruction) -> bool:
    """Whether a mask leaves the low bits of an address, and more than a tag."""
    literal = i.operands[1].integer if isinstance(i.operands[1], Constant) and not i.operands[1].globals else None
    return literal is not None and literal & HIGH_BITS == 0 and literal > _TAG


def _accesses(i: Instruction, variable: Instruction) -> bool:
    plain = i.opcode in ("load", "store") and i.pointer is variable
    return plain and i.accessed_type == variable.accessed_type


def one_object(a: Value, b: Value) -> bool:
    """Whether two addresses (as integers) are surely addresses within one object."""
    seen: set[Value] = set()
    bases = _bases(a, seen) | _bases(b, seen)
    if len(bases) != 1:
        return False
    [base] = bases
    # Only through a phi can what it was in an earlier round of a loop meet what it is now.
    joined = any(isinstance(v, Instruction) and v.opcode == "phi" for v in seen)
    return not isinstance(base, Instruction) or base.block is base.block.function.entry or not joined


def _bases(v: Value, seen: set[Value]) -> set[Value]:
    """What an address is computed from by steps within an object."""
    if v in seen:
        return set()
    if isinstance(v, Instruction):
        match v.opcode:
            case "getelementptr" | "ptrtoint" | "freeze":
                seen.add(v)
                return _bases(v.operands[0], seen)
            case "phi":
                seen.add(v)
                return set().union(*(_bases(o, seen) for o in v.operands[::2]))
            case "select":
                seen.add(v)
                return set().union(*(_bases(o, seen) for o in v.operands[1:]))
            case "load" if (only := _only_value(v.pointer)) is not None:
                return _bases(only, seen)
    return {v}


def _only_value(pointer: Value) -> Value | None:
    """What a local variable is, if it is only loaded, and stored to once, where the function begins."""
    if not isinstance(pointer, Instruction) or pointer.opcode != "alloca":
        return None
    function = pointer.block.function
    users = [u for u in function.users.get(pointer, []) if not (u.callee_name or "").startswith("llvm.lifetime")]
    stores = [u for u in users if u.opcode == "store"]
    if len(stores) != 1 or stores[0].block is not function.entry or not all(_accesses(u, pointer) for u in users):
        return None
    return stores[0].value


def _address_operand(i: Instruction) -> Value | None:
    """The operand of an operation that can be an address; None if that can't be told."""
    found = [
        o
        for o in i.operands
        if not isinstance(o, Constant)
        and not (isinstance(o, Instruction) and o.opcode in ("mul", "shl", "zext", "sext", "trunc", "lshr", "ashr"))
    ]
    return found[0] if len(found) == 1 else None


def _masked(first: Made, second: Made, i: Instruction) -> Made:
    if first is not None and second is not None:
        return 0 if (first, second) == (0, 0) else "lost"
    made = second if first is None else first
    mask = i.operands[0 if first is None else 1]
    literal = mask.integer if isinstance(mask, Constant) and not mask.globals else None
    if made == 0 or literal is None:
        return made if made in (0, 1) else "scrambled"
    kept = literal & HIGH_BITS
    if kept == 0:
        return None if made == 1 else "scrambled"
    return 1 if made == 1 and kept == HIGH_BITS else "scrambled"


def _scaled(i: Instruction, first: Made, second: Made) -> Made:
    if first in (None, 0) and second in (None, 0):
        return 0 if first == 0 or i.opcode == "mul" else None
    if i.opcode != "mul" and first is None:
        return "lost"  # shifted by an address
    return "scrambled" if first is None or second is None else "lost"


def _join(a: Made, b: Made) -> Made:
    if a == b or b is None:
        return a
    if a is None:
        return b
    if "lost" in (a, b):
        return "lost"
    if "scrambled" in (a, b):
        return "scrambled"
    return max(int(a), int(b)) if {a, b} == {0, 1} else "scrambled"


def _joined(all: Iterable[Made]) -> Made:
    found: Made = None
    for made in all:
        found = _join(found, made)
    return found


def _join_cell(a: Made, b: Made) -> Made:
    """Where addresses are kept among others, what is loaded may be one."""
    if "lost" in (a, b):
        other = b if a == "lost" else a
        return other if other not in (None, 0) else "lost"
    return _join(a, b)


def _claim_address(cell: Cell) -> None:
    """Let it count as a pointer where it would count as an integer."""
    weight = max((claim[0] for kind, claim in cell.claims.items() if not kind.is_float), default=BITS)
    cell.claims[Kind.pointer] = (weight, "it is made of an address", None)
