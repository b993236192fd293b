"""Stores to memory that nobody needs to see are dropped, with what they alone need.

Of an argument that is `enzyme_dupnoneed` the caller wants what the shadow holds. He may pass null, if what is written
there is never read again but to be written there once more, as in `y[i] += x[i]`.
"""

from __future__ import annotations

from gradir.machine.ir import Constant, Function, Instruction, Module, Value
from gradir.machine.rules.rule import rule_for

__all__ = ["drop"]

_MOVES = frozenset({"getelementptr", "bitcast", "freeze"})
_JOINS = frozenset({"phi", "select"})
_FILLS = ("llvm.memset.", "llvm.memcpy.", "llvm.memmove.")


def drop(module: Module, function: Function, parameter: int) -> bool:
    """Drop all accesses to what one parameter points to. False, and nothing changed, if something depends on them."""
    plans: dict[str, _Plan] = {}
    if not _plan(module, function, parameter, plans):
        return False
    for plan in plans.values():
        plan.carry_out()
    return True


def _plan(module: Module, function: Function, parameter: int, plans: dict[str, _Plan]) -> bool:
    plan = _Plan(function, parameter)
    if function.is_declaration or function.name in plans or not plan.is_possible():
        return False
    plans[function.name] = plan
    for user, k in plan.passed:
        callee = module.functions.get(user.callee_name or "")
        if callee is None or not _is_only_called_by(module, callee, user) or not _plan(module, callee, k, plans):
            return False
    return True


def _is_only_called_by(module: Module, callee: Function, user: Instruction) -> bool:
    mentioning = [f for f in module.definitions if f.may_hold(callee.ref) and callee.name in f.mentioned]
    if callee.signature.linkage not in ("internal", "private") or mentioning != [user.block.function]:
        return False
    if any(callee.ref in g.line for g in module.variables):
        return False
    return sum(callee.name in i.mentioned for i in user.block.function.instructions()) == 1


class _Plan:
    """What can be dropped of one function."""

    def __init__(self, function: Function, parameter: int) -> None:
        self.function = function
        self.pointers: set[Value] = set()
        self.loads: list[Instruction] = []
        self.dropped: set[Instruction] = set()
        self.passed: list[tuple[Instruction, int]] = []
        """Calls that are passed such a pointer, and as which argument."""
        self.live: set[Value] = set()
        self.understood = function.is_declaration or self.follow(function.arguments[parameter])

    def is_possible(self) -> bool:
        if not self.understood:
            return False
        self.find_live()
        return self.live.isdisjoint(self.loads)

    def follow(self, parameter: Value) -> bool:
        """Find what points there, and what is done with it. Whether all of it is understood."""
        waiting, joins = [parameter], list[Instruction]()
        while waiting:
            pointer = waiting.pop()
            if pointer in self.pointers:
                continue
            self.pointers.add(pointer)
            for user in dict.fromkeys(self.function.users.get(pointer, ())):
                if user.opcode in _MOVES or user.opcode in _JOINS:
                    waiting.append(user)
                    joins += [user] if user.opcode in _JOINS else []
                elif user.opcode != "icmp" and not self.note(user, pointer):
                    return False
        return all(v in self.pointers or isinstance(v, Constant) for join in joins for v in _joined(join))

    def note(self, user: Instruction, pointer: Value) -> bool:
        name = user.callee_name or ""
        if user.opcode == "load":
            self.loads.append(user)
        elif _writes_to(user, pointer):
            self.dropped.add(user)
        elif user.opcode in ("call", "invoke") and user.arguments.count(pointer) == 1 and not name.startswith("llvm."):
            self.passed.append((user, user.arguments.index(pointer)))
        else:
            return False
        return True

    def find_live(self) -> None:
        """What all else depends on."""
        waiting: list[Value] = [i for i in self.function.instructions() if i not in self.dropped and _is_root(i)]
        while waiting:
            value = waiting.pop()
            if isinstance(value, Instruction) and value not in self.live:
                self.live.add(value)
                waiting += value.operands

    def carry_out(self) -> None:
        for i in [i for i in self.function.instructions() if i not in self.live]:
            i.erase(Constant(i.type, "poison") if i.type.kind != "void" else None)


def _writes_to(user: Instruction, pointer: Value) -> bool:
    """Whether all that it does with a pointer is to write there."""
    if user.opcode == "store":
        return user.operands[0] is not pointer
    fills = (user.callee_name or "").startswith(_FILLS)
    return fills and user.arguments[0] is pointer and pointer not in user.arguments[1:]


def _joined(join: Instruction) -> list[Value]:
    return [v for v, _ in join.incoming] if join.opcode == "phi" else list(join.operands[1:])


def _is_root(i: Instruction) -> bool:
    """Whether it does something besides its value."""
    if i.opcode in ("call", "invoke"):
        return rule_for(i) is None
    return i.is_terminator or i.opcode in (
        "store", "fence", "atomicrmw", "cmpxchg", "va_arg", "landingpad", "alloca",
    ) or "volatile" in i.flags  # fmt: skip
