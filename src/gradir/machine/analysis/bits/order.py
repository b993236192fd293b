"""In which order the bytes of integers may be that have the bits of floats: files have them in reverse.

A byte swap makes no other float of a float: it is moved, as far as its derivative goes. But a bit operation on bytes in
reverse order changes something else than it does in theirs. The types tell what is, somewhere in the module, the one
and the other; here it is told for a function's own values and places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gradir.machine.analysis.bits.operations import is_swap
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.intrinsics import masked_access
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.ir import Argument, Constant, Function, Instruction, Module, Value
from gradir.machine.ir.opcodes import OPCODES

__all__ = ["ByteOrder"]

Orders = frozenset[bool]
"""Whether bytes may be in reverse order (True), in theirs (False), or either."""

_OWN: Orders = frozenset((False,))
_ANY: Orders = frozenset((False, True))
_NEITHER: Orders = frozenset()


class ByteOrder:
    """The orders that a function's values and places may have: the least solution.

    Who calls the derivative gives floats as they are. What one function gives another may have been swapped before.
    """

    def __init__(
        self,
        module: Module,
        cfg: CFG,
        memory: Memory,
        reached: Callable[[Instruction], Iterable[Place]],
        nested: bool,
    ) -> None:
        self.memory, self.reached, self.nested = memory, reached, nested
        called = any(cfg.function.name in f.mentioned for f in module.definitions)
        self.others_swap = any(_swaps(f) for f in module.definitions if called or f is not cfg.function)
        self._values: dict[Value, Orders] = {}
        self._places: dict[Place, Orders] = {}
        changed = True
        while changed:
            changed = False
            for block in cfg.order:
                for i in block.instructions:
                    changed |= self._visit(i)

    def may_be_reversed(self, value: Value) -> bool:
        return True in self._of(value)

    def _of(self, value: Value) -> Orders:
        if isinstance(value, Constant):
            return _OWN
        if isinstance(value, Argument):
            return _ANY if self.nested and not value.type.is_float else _OWN
        return self._values.get(value, _NEITHER)

    def _at(self, place: Place) -> Orders:
        place = place.find()
        unknown = place.external and (self.nested or self.others_swap)
        return self._places.get(place, _NEITHER) | (_ANY if unknown else _OWN)

    def _visit(self, i: Instruction) -> bool:
        if i.opcode == "store":
            return self._put(self.memory.place(i.pointer), self._of(i.value))
        if i.opcode in ("call", "invoke"):
            return self._call(i)
        if i.opcode == "load":
            return self._make(i, self._at(self.memory.place(i.pointer)))
        if i.type.is_float and not OPCODES[i.opcode].moves:
            return self._make(i, _OWN)  # computed
        given = _NEITHER.union(*(self._of(o) for o in i.operands if o.type.kind not in ("label", "ptr")))
        if i.opcode in ("atomicrmw", "cmpxchg"):
            place = self.memory.place(i.pointer)
            return self._put(place, given) | self._make(i, self._at(place))
        return self._make(i, given)

    def _call(self, call: Instruction) -> bool:
        if is_swap(call):
            return self._make(call, frozenset(not order for order in self._of(call.arguments[0])))
        if (masked := masked_access(call)) is not None:
            place = self.memory.place(masked.pointer)
            if masked.stored is not None:
                return self._put(place, self._of(masked.stored))
            return self._make(call, self._at(place))
        reached = list(self.reached(call))
        given = [self._of(a) for a in call.arguments if not a.type.is_pointer]
        swaps = self.others_swap and self.memory.known(call) is None
        orders = (_ANY if swaps else _OWN).union(*given, *map(self._at, reached))
        changed = self._make(call, orders)
        for place in reached:
            changed |= self._put(place, orders)
        return changed

    def _make(self, value: Instruction, orders: Orders) -> bool:
        before = self._values.get(value, _NEITHER)
        self._values[value] = before | orders
        return not orders <= before

    def _put(self, place: Place, orders: Orders) -> bool:
        place = place.find()
        before = self._places.get(place, _NEITHER)
        self._places[place] = before | orders
        return not orders <= before


def _swaps(function: Function) -> bool:
    return function.may_hold("llvm.bswap.") and any(is_swap(i) for i in function.instructions() if i.opcode == "call")
