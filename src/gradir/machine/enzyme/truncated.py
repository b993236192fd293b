"""`__enzyme_truncate_op_func(f, 64, 32)`: f with its arithmetic in fewer digits.

The numbers in memory, the arguments and the result keep their type; each operation takes its operands, and gives its
result, in the narrower one. So does what f calls. `__enzyme_truncate_mem_func` is the same here, of memory whose
numbers were rounded before (`__enzyme_truncate_mem_value`): they stay numbers, which `__enzyme_expand_mem_value` gives.

The narrower type is said by its bits, or by those of its exponent and its fraction: `(f, 64, 8, 23)`.
"""

from __future__ import annotations

from gradir.errors import RequestError
from gradir.machine.ir import Constant, Function, Global, Instruction, Module, Type, Value, vector
from gradir.machine.ir.builder import overload
from gradir.machine.ir.instructions import binary, call, cast, located
from gradir.machine.ir.text.reader import extend
from gradir.machine.passes.apart import copied, forget_description
from gradir.machine.rules.rule import rule_for

__all__ = ["run"]

_FUNCTIONS = ("__enzyme_truncate_op_func", "__enzyme_truncate_mem_func")
_VALUE, _BACK = "__enzyme_truncate_mem_value", "__enzyme_expand_mem_value"
_BY_BITS = {64: "double", 32: "float", 16: "half"}
_BY_PARTS = {(11, 52): "double", (8, 23): "float", (5, 10): "half", (8, 7): "bfloat"}
_ARITHMETIC = frozenset({"fadd", "fsub", "fmul", "fdiv", "frem"})
_READS, _GIVES = frozenset({"fcmp", "fptosi", "fptoui"}), frozenset({"sitofp", "uitofp"})


def run(module: Module, name: str) -> None:
    """Replace the calls that ask for fewer digits. `name` is the module's, for messages."""
    if not any("__enzyme_truncate_" in f or _BACK in f for f in module.functions):
        return
    for function in module.definitions:
        if function.may_hold("__enzyme_"):
            for i in [i for i in function.instructions() if i.opcode == "call"]:
                _replace(module, i, name)


def _replace(module: Module, i: Instruction, name: str) -> None:
    callee = i.callee_name or ""
    if any(word in callee for word in _FUNCTIONS):
        request = _Request(module, i, name)
        i.erase(module.globals[request.function(i.arguments[0])])
    elif _VALUE in callee:
        request = _Request(module, i, name)
        i.erase(request.rounded(request.number(i.arguments[0]), i))
    elif _BACK in callee:
        request = _Request(module, i, name)
        i.erase(request.number(i.arguments[0]))


class _Request:
    """From which type to which, and the functions that were made for it."""

    def __init__(self, module: Module, i: Instruction, name: str) -> None:
        self.module, self.asked = module, i
        self.location = module.location(i) or f"{name}: in {i.block.function.ref}"
        numbers = [v.integer if isinstance(v, Constant) else None for v in i.arguments[1:]]
        wide = _BY_BITS.get(numbers[0] or 0) if numbers else None
        match numbers[1:]:
            case [int(bits)]:
                narrow = _BY_BITS.get(bits)
            case [int(exponent), int(fraction)]:
                narrow = _BY_PARTS.get((exponent, fraction))
            case _:
                narrow = None
        if wide is None or narrow is None:
            raise self.error(
                "it is known for the floats of 64, 32 and 16 bits, as numbers that are known when compiling",
                "pass the bits of both, e.g. (f, 64, 32), or of the exponent and the fraction, e.g. (f, 64, 8, 23)",
            )
        self.wide, self.narrow = module.types.parse(wide), module.types.parse(narrow)
        if self.wide.size <= self.narrow.size:
            raise self.error(f"{narrow} has not fewer digits than {wide}")

    def error(self, message: str, hint: str | None = None) -> RequestError:
        callee = self.asked.callee_name or ""
        name = next(word for word in (*_FUNCTIONS, _VALUE, _BACK) if word in callee)
        return RequestError(f"{name}: {message}", location=self.location, hint=hint)

    def number(self, value: Value) -> Value:
        if value.type != self.wide or self.asked.type != self.wide:
            raise self.error(f"it takes a {self.wide} and gives one, here it is {value.type}")
        return value

    # -- functions --------------------------------------------------------------------------------------------------

    def function(self, value: Value) -> str:
        """The name of the function with fewer digits."""
        given = self.module.functions.get(self.plain(value.name)) if isinstance(value, Global) else None
        if given is None or given.is_declaration:
            raise self.error("its first argument is not a function with a body here", "pass the function itself")
        names = {f.name: f"gradir.{self.narrow}.for.{self.wide}.{f.name}" for f in self.reached(given)}
        for name in [name for name, copy in names.items() if copy not in self.module.functions]:
            copy = copied(self.module, self.module.functions[name], names)
            forget_description(copy)
            for i in list(copy.instructions()):
                self.narrow_down(i)
        return names[given.name]

    def plain(self, name: str) -> str:
        return self.module.aliases.get(name, name)

    def reached(self, function: Function) -> list[Function]:
        """The functions with a body that may run when one is called."""
        found = [function]
        for f in found:  # which grows meanwhile
            for i in f.instructions():
                if i.opcode not in ("call", "invoke"):
                    continue
                name = i.callee_name
                if name is None or "__enzyme_" in name:
                    what = i.callee.ref if name is None else name
                    raise self.error(f"{f.ref} calls {what}, which keeps all digits", "call functions by name there")
                called = self.module.functions[self.plain(name)]
                if not called.is_declaration and called not in found:
                    found.append(called)
        return found

    # -- instructions -----------------------------------------------------------------------------------------------

    def narrow_down(self, i: Instruction) -> None:
        if i.opcode in _ARITHMETIC and self.is_wide(i):
            a, b = (self.cut(v, i) for v in i.operands)
            self.put(i, binary(i.opcode, a, b))
        elif i.opcode in _READS and self.is_wide(i.operands[0]):
            for k, value in enumerate(i.operands):
                i.set_operand(k, self.rounded(value, i))
        elif i.opcode in _GIVES and self.is_wide(i):
            self.put(i, cast(i.opcode, i.operands[0], self.type(i.type)))
        elif i.opcode in ("call", "invoke") and self.is_wide(i):
            name = i.callee_name or ""
            called = self.module.functions.get(self.plain(name))  # None: a copy that comes later
            if i.opcode == "call" and rule_for(i) is not None:
                self.narrow_call(i)
            elif called is not None and called.is_declaration and not name.startswith("llvm."):
                raise self.error(f"{i.block.function.ref} calls {name}, which keeps all digits", "link its code")
        elif i.opcode == "atomicrmw" and self.is_wide(i):
            raise self.error(f"{i.block.function.ref} adds atomically, which is not known in fewer digits")

    def narrow_call(self, i: Instruction) -> None:
        """A function of mathematics: LLVM has its in all types; of others the operands and the result are rounded."""
        name = i.callee_name or ""
        if not name.startswith("llvm."):
            for k, value in enumerate(i.arguments):
                if self.is_wide(value):
                    i.set_operand(k, self.rounded(value, i))
            users = list(i.block.function.users.get(i, ()))
            after = self.rounded(i, i, after=True)
            for user in users:
                user.replace_operand(i, after)
            return
        other = name.replace(overload(self.wide), overload(self.narrow))
        operands = [self.cut(v, i) if self.is_wide(v) else v for v in i.arguments]
        if other not in self.module.functions:
            extend(self.module, f"declare {self.type(i.type)} @{other}({', '.join(str(v.type) for v in operands)})")
        self.put(i, call(self.type(i.type), self.module.globals[other], operands))

    def is_wide(self, value: Value) -> bool:
        return value.type.scalar == self.wide

    def type(self, wide: Type) -> Type:
        return vector(wide.count, self.narrow) if wide.kind == "vector" else self.narrow

    def put(self, i: Instruction, made: Instruction) -> None:
        """In place of an instruction one in fewer digits."""
        i.insert_before(located(made, i))
        whole = located(cast("fpext", made, i.type), i)
        i.insert_before(whole)
        i.erase(whole)

    def cut(self, value: Value, before: Instruction) -> Value:
        made = located(cast("fptrunc", value, self.type(value.type)), before)
        before.insert_before(made)
        return made

    def rounded(self, value: Value, at: Instruction, after: bool = False) -> Value:
        """A number with fewer digits, in the wide type."""
        less = located(cast("fptrunc", value, self.type(value.type)), at)
        whole = located(cast("fpext", less, value.type), at)
        if after:
            at.insert_after(less, whole)
        else:
            at.insert_before(less, whole)
        return whole
