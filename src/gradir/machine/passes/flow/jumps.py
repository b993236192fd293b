"""Jumps back by `setjmp` and `longjmp` become branches, where it is known which one leads where.

It is where both are in one function, once calls are inlined, and nobody else sees the buffer between them, which lies
on the stack, or is static. Other calls that return twice stay, and have no derivative.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from gradir.machine.analysis.addresses import gep_steps
from gradir.machine.ir import Block, Constant, Function, Global, Instruction, Module, Value
from gradir.machine.ir.graphs import mentioners, reachable
from gradir.machine.ir.instructions import constant, equals, jump, phi, select

__all__ = ["RETURNING_TWICE", "connect", "inline_leaps", "is_buffer", "may_be_in"]

_SETTING = frozenset(["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp"])
_LEAPING = frozenset(["longjmp", "_longjmp", "siglongjmp"])

RETURNING_TWICE = _SETTING | {"savectx", "getcontext", "vfork", "llvm.eh.sjlj.setjmp"}
"""The functions that are known to, whether or not they are declared so."""

_HARMLESS = ("llvm.lifetime.", "llvm.dbg.")
_FILLING = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")

_Sites = frozenset[Instruction | None]
"""The calls of `setjmp` any of which may be the last one so far; None: there may have been none."""


def may_be_in(names: Iterable[str]) -> bool:
    """Whether a module that has functions of these names may jump back."""
    found = set(names)
    return bool(_SETTING & found and _LEAPING & found)


def is_buffer(module: Module, g: Global) -> bool:
    """Whether a variable only tells where a jump leads, which nobody may ask once the function has returned."""
    if not may_be_in(module.functions):
        return False
    users = [f for f in module.definitions if g.name in f.mentioned]
    naming = [i for f in users for i in f.instructions() if g.name in i.mentioned]
    return bool(naming) and all(i.callee_name in _SETTING | _LEAPING for i in naming)


def inline_leaps(module: Module) -> None:
    """Ask that functions be inlined that call `longjmp`, or call such, where `setjmp` is called."""
    if not may_be_in(module.functions):
        return
    calls = {f.name: set(f.mentioned) & module.functions.keys() for f in module.definitions}
    leaping = reachable(mentioners(module.definitions), *_LEAPING)
    setting = {name for name, called in calls.items() if called & _SETTING}
    for name in (reachable(calls, *setting) & leaping & calls.keys()) - setting:
        said = module.functions[name].attributes
        if name not in reachable(calls, *calls[name]):
            said.remove("noinline")
            said.add("alwaysinline")


def connect(module: Module) -> bool:
    """Make branches of the jumps that can be; whether there was one.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... declare i32 @setjmp(ptr)
    ... declare void @longjmp(ptr, i32)
    ... define i32 @f(i1 %again) {
    ... entry:
    ...   %here = alloca [25 x i64], align 16
    ...   %n = call i32 @setjmp(ptr %here)
    ...   br i1 %again, label %leap, label %end
    ... leap:
    ...   call void @longjmp(ptr %here, i32 7)
    ...   unreachable
    ... end:
    ...   ret i32 %n
    ... }''')
    >>> connect(module)
    True
    >>> print(*module.functions["f"].blocks[1].instructions, sep="; ")
    %returned = phi i32 [ 0, %entry ], [ 7, %leap ]; br i1 %again, label %leap, label %end
    """
    changed = False
    for function in module.definitions if may_be_in(module.functions) else ():
        if any(function.may_hold(f"@{name}(") for name in _SETTING):
            buffers = dict.fromkeys(_buffer(i) for i in function.instructions() if i.callee_name in _SETTING)
            for base, offset in buffers:
                changed |= _connect(module, function, base, offset)
    return changed


def _buffer(call: Instruction) -> tuple[Value, int]:
    """The memory that a buffer lies in, and where; what is computed in other ways is memory by itself."""
    pointer, offset = call.arguments[0], 0
    while isinstance(pointer, Instruction) and pointer.opcode == "getelementptr":
        offsets, strides = gep_steps(pointer)
        if len(offsets) != 1 or strides:
            break
        pointer, offset = pointer.pointer, offset + offsets[0]
    return pointer, offset


def _connect(module: Module, function: Function, base: Value, offset: int) -> bool:
    if not _is_own(module, function, base):
        return False
    uses = list(_uses(function, base))
    if not all(i.callee_name in _SETTING | _LEAPING and _buffer(i)[0] is base for i in uses):
        return False
    here = [i for i in uses if _buffer(i)[1] == offset]
    settings, leaps = ([i for i in here if i.callee_name in names] for names in (_SETTING, _LEAPING))
    if not all(map(_restores_no_signals, settings)) or not all(map(_ends_block, leaps)):
        return False
    last = _last_before(function, settings, leaps)
    if any(len(sites) != 1 or None in sites for sites in last.values()):
        return False
    ways: dict[Instruction, list[tuple[Value, Block]]] = {}
    for setting in settings:
        block = setting.block
        block.append(jump(block.split_after(setting)))
        ways[setting] = [(constant(setting.type, 0), block)]
    for leap in leaps:
        [site] = last[leap]
        assert site is not None
        ways[site].append((_number(leap), leap.block))
        _leave(leap, site.block.successors[0])
    for setting, incoming in ways.items():
        returned = phi(setting.type, incoming, "returned")
        setting.block.successors[0].insert(0, returned)
        setting.erase(returned)
    return True


def _uses(function: Function, base: Value) -> Iterator[Instruction]:
    """What is done with memory, but for reading and writing what else it holds."""
    for i in function.users.get(base, ()):
        name = i.callee_name or ""
        if i.opcode == "getelementptr":
            yield from _uses(function, i)
        elif i.opcode == "load" or (i.opcode == "store" and i.value is not base) or name.startswith(_HARMLESS):
            continue
        elif not name.startswith(_FILLING) or base in i.arguments[1:]:
            yield i


def _is_own(module: Module, function: Function, base: Value) -> bool:
    """Whether nobody else can name some memory."""
    if isinstance(base, Instruction):
        return base.opcode == "alloca"
    if not isinstance(base, Global) or base.linkage not in ("internal", "private"):
        return False
    constants = (o for i in function.instructions() for o in i.operands if isinstance(o, Constant))
    return not any(base.name in c.globals for c in constants) and not any(
        base.name in f.mentioned for f in module.definitions if f is not function
    )


def _restores_no_signals(setting: Instruction) -> bool:
    """Whether it takes no note of which signals are blocked."""
    return all(isinstance(a, Constant) and a.integer == 0 for a in setting.arguments[1:])


def _ends_block(leap: Instruction) -> bool:
    return leap.opcode == "call" and leap.block.terminator.opcode == "unreachable"


def _last_before(
    function: Function, settings: Collection[Instruction], leaps: Collection[Instruction]
) -> dict[Instruction, _Sites]:
    """For each jump, the calls of `setjmp` that may have been the last before."""
    nowhere: _Sites = frozenset([None])
    at_begin: dict[Block, _Sites] = {function.entry: nowhere}
    found: dict[Instruction, _Sites] = {}
    waiting = [function.entry]
    while waiting:
        block = waiting.pop()
        sites = at_begin[block]
        for i in block.instructions:
            if i in settings:
                sites = frozenset([i])
            elif i in leaps:
                found[i] = sites
        for successor in block.successors:
            known = at_begin.get(successor, frozenset())
            if not sites <= known:
                at_begin[successor] = known | sites
                waiting.append(successor)
    return {leap: found.get(leap, nowhere) for leap in leaps}


def _number(leap: Instruction) -> Value:
    """What `setjmp` returns then: the number that is passed, but never zero."""
    value = leap.arguments[1]
    if isinstance(value, Constant):
        return constant(value.type, value.integer or 1)
    none = equals(value, constant(value.type, 0), "none")
    given = select(none, constant(value.type, 1), value, "given")
    leap.insert_before(none, given)
    return given


def _leave(leap: Instruction, goal: Block) -> None:
    block = leap.block
    for i in reversed(block.instructions[leap.position :]):
        i.erase()
    block.append(jump(goal))
