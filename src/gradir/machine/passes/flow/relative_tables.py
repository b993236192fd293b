"""Tables of distances, as LLVM writes constant tables of addresses in position-independent code, as such tables again.

A distance from the table to what it leads to has no shadow, an address has one.
"""

from __future__ import annotations

from gradir.machine.ir import I64, PTR, Global, Instruction, Module
from gradir.machine.ir.constants import Address, Part, read_constant
from gradir.machine.ir.instructions import binary, constant, element, load, located
from gradir.machine.ir.text.reader import extend

__all__ = ["run"]

_LOAD = "llvm.load.relative."
_DISTANCE, _ADDRESS = 4, 8


def run(module: Module) -> None:
    """Load addresses where distances are looked up.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''@x = global double 1.0
    ... @t = internal constant [1 x i32] [i32 trunc (i64 sub (i64 ptrtoint (ptr @x to i64),
    ...     i64 ptrtoint (ptr @t to i64)) to i32)]
    ... declare ptr @llvm.load.relative.i64(ptr, i64)
    ... define ptr @f(i64 %at) {
    ... entry:
    ...   %p = call ptr @llvm.load.relative.i64(ptr @t, i64 %at)
    ...   ret ptr %p
    ... }'''.replace(",\\n", ","))
    >>> run(module)
    >>> print(module.globals["t.addresses"].line)
    @"t.addresses" = internal constant [1 x ptr] [ptr getelementptr (i8, ptr @"x", i64 0)]
    >>> print(*map(str, module.functions["f"].instructions()), sep="\\n")
    %twice = mul i64 %at, 2
    %v = getelementptr i8, ptr @"t.addresses", i64 %twice
    %p.1 = load ptr, ptr %v, align 8
    ret ptr %p.1
    """
    if not any(name.startswith(_LOAD) for name in module.functions):
        return
    for function in module.definitions:
        if function.may_hold(_LOAD):
            for i in [i for i in function.instructions() if (i.callee_name or "").startswith(_LOAD)]:
                _load_address(module, i)


def _load_address(module: Module, i: Instruction) -> None:
    table, at = i.arguments
    addresses = _addresses(module, table) if isinstance(table, Global) else None
    if addresses is None:
        return
    twice = located(binary("mul", at, constant(at.type, _ADDRESS // _DISTANCE), "twice"), i)
    place = located(element(addresses, twice), i)
    found = located(load(PTR, place, _ADDRESS, i.ref.strip('%"')), i)
    i.insert_before(twice, place, found)
    i.erase(found)


def _addresses(module: Module, table: Global) -> Global | None:
    """The table of what the distances in another one lead to, made when it is first asked for."""
    name = f"{table.name}.addresses"
    if name not in module.globals:
        parts = read_constant(table.value_type, table.initializer or "", module.types).parts
        found = [_led_to(part, table.name) for part in parts]
        if not found or None in found:
            return None
        entries = [f'ptr getelementptr (i8, ptr @"{a.name}", {I64} {a.offset})' for a in found if a is not None]
        extend(module, f'@"{name}" = internal constant [{len(entries)} x ptr] [{", ".join(entries)}]')
    return module.globals[name]


def _led_to(distance: Part, table: str) -> Address | None:
    """What lies at a distance from the begin of a table: `trunc (i64 sub (…, ptrtoint (ptr @table)))`."""
    if distance.opcode != "trunc" or distance.parts[0].opcode != "sub":
        return None
    to, origin = (part.address for part in distance.parts[0].parts)
    return to if origin == Address(table, 0) else None
