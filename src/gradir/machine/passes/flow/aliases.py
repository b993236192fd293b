"""Aliases: who uses one uses what it stands for.

C++ compilers write a constructor once, and give it a second name. LLVM takes such names away itself, but not where code
is made for shared libraries; and nobody else asks whether two names are one function, or one place in memory.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from gradir.machine.ir import Constant, Global, Module, Value
from gradir.machine.ir.text.tokens import global_names, renamed

__all__ = ["run"]


def run(module: Module, keep: Collection[str] | None = None) -> None:
    """Use functions and variables by their own names. Aliases that are not in `keep` go, unless that is None.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''@other = alias void (), ptr @f
    ... @table = constant [1 x ptr] [ptr @other]
    ... define void @f() {
    ...   ret void
    ... }
    ... define void @g() {
    ...   call void @other()
    ...   ret void
    ... }''')
    >>> run(module)
    >>> module.globals["table"].initializer, next(module.functions["g"].instructions()).callee_name
    ('[ptr @f]', 'f')
    """
    meant = {alias: _meant(module, alias) for alias in module.aliases}
    meant = {alias: name for alias, name in meant.items() if name != alias}
    if not meant:
        return
    for function in [f for f in module.definitions if not meant.keys().isdisjoint(f.mentioned)]:
        for i in function.instructions():
            if not meant.keys().isdisjoint(i.mentioned):
                for n, operand in enumerate(i.operands):
                    i.set_operand(n, _named(operand, module, meant))
    for g in module.variables:
        if g.name not in module.aliases and not meant.keys().isdisjoint(global_names(g.initializer or "")):
            g.parts.initializer = _renamed(g.initializer or "", module, meant)
    for alias in meant:
        if keep is not None and alias not in keep:
            module.remove(alias)
            del module.aliases[alias]


def _meant(module: Module, alias: str) -> str:
    """What an alias stands for, if it begins there."""
    seen = {alias}
    while alias in module.aliases:
        target = module.aliases[alias]
        if target in seen or module.globals[alias].initializer not in (ref := _ref(module, target), f"ptr {ref}"):
            break
        alias = target
        seen.add(alias)
    return alias


def _ref(module: Module, name: str) -> str:
    return module.globals[name].ref if name in module.globals else ""


def _named(value: Value, module: Module, meant: Mapping[str, str]) -> Value:
    if isinstance(value, Global) and value.name in meant:
        return module.globals[meant[value.name]]
    if isinstance(value, Constant) and not meant.keys().isdisjoint(value.globals):
        text = _renamed(value.ref, module, meant)
        return Constant(value.type, text, tuple(global_names(text)))
    return value


def _renamed(text: str, module: Module, meant: Mapping[str, str]) -> str:
    return renamed(text, lambda ref: _ref(module, meant.get(ref[1:].strip('"'), "")) or ref)
