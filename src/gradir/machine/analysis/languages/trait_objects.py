"""Objects of Rust's `dyn Trait`: an address, and beside it the table of its type's methods.

Whoever has such a pair knows nothing of the object but by its methods. What lies in objects of different types behind
one trait is therefore told apart: each method sees the objects that were put beside its own table, and not all that any
of them may be called with.
"""

from __future__ import annotations

from gradir.machine.analysis.addresses import gep_steps
from gradir.machine.ir import Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.text.tokens import global_names

__all__ = ["TraitObjects"]

_WORD = 8
_TABLE = "vtable."
"""How rustc calls the tables."""


class TraitObjects:
    """Where a module makes such pairs."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.methods = {g.name: names for g in module.globals.values() if (names := _methods(module, g))}
        """The functions in each table."""
        self.stored: dict[Instruction, str] = {}
        """Stores of an address beside which a table is stored: its name."""
        self.passed: dict[Instruction, dict[int, str]] = {}
        """Calls, and the tables that come after their arguments."""
        for function in module.definitions if self.methods else ():
            self._find(function)

    def tables_of(self, method: str) -> list[str]:
        return [name for name, methods in self.methods.items() if method in methods]

    def _find(self, function: Function) -> None:
        for i in function.instructions():
            if i.opcode == "store" and (table := self._table(i.value)) is not None:
                if (beside := _stored_before(i)) is not None:
                    self.stored[beside] = table
            elif i.opcode in ("call", "invoke"):
                pairs = zip(i.arguments, i.arguments[1:], strict=False)
                found = {n: t for n, (a, b) in enumerate(pairs) if a.type.is_pointer and (t := self._table(b))}
                if found:
                    self.passed[i] = found

    def _table(self, v: Value) -> str | None:
        return v.name if isinstance(v, Global) and v.name in self.methods else None


def _methods(module: Module, g: Global) -> list[str]:
    """The functions in a table: after the one that drops an object, its size and its alignment."""
    if not g.name.startswith(_TABLE) or not g.constant or g.initializer is None:
        return []
    leaves = read_constant(g.value_type, g.initializer, module.types).leaves()
    names = [name for _, leaf in leaves if leaf.type.is_pointer for name in global_names(leaf.text)]
    return names if all(name in module.functions for name in names) else []


def _stored_before(store: Instruction) -> Instruction | None:
    """The store of an address to the word before, in the same block."""
    base, at = _place(store.pointer)
    found = [
        i
        for i in store.block.instructions
        if i.opcode == "store" and i.value.type.is_pointer and _place(i.pointer) == (base, at - _WORD)
    ]
    return found[0] if len(found) == 1 and not isinstance(found[0].value, (Constant, Global)) else None


def _place(pointer: Value) -> tuple[Value, int]:
    """An address that another is computed from, and how far it is from there."""
    total = 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        offsets, steps = gep_steps(pointer)
        if steps or len(offsets) != 1:
            break
        total, pointer = total + offsets[0], pointer.operands[0]
    return pointer, total
