"""What a front end said for another CPU or another pass is taken back, and what must not be done yet is said.

The host's CPU is chosen when the code is made. Loop hints stop or force passes. `optnone` comes from builds without
optimisation, together with a `noinline` that nobody wrote. What turns loops of loads and stores into `memcpy` is
stopped, since bytes hide what they are bytes of.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradir.machine.ir import Function, Module
from gradir.machine.ir.attributes import Attributes
from gradir.machine.rules.mpi import COMMON_BLOCKS

__all__ = [
    "allow_idioms", "allow_inlining", "drop_loop_hints", "leave_groups", "run", "stop_idioms", "stop_inlining", "vouch",
]  # fmt: skip

_FOR_OTHERS = (
    *("frame-pointer", "stack-protector-buffer-size", "target-cpu", "target-features", "tune-cpu", "probe-stack"),
    *("min-legal-vector-width", "ssp", "sspstrong", "sspreq", "safestack"),
)
_APART = "gradir-noinline"
_IDIOMS = ("no-builtin-memcpy", "no-builtin-memmove", "no-builtin-memset")


def run(module: Module) -> None:
    """Drop what would bind LLVM's hands, here and after differentiating."""
    for said in _attribute_sets(module):
        said.remove(*_FOR_OTHERS, *(name for name in said.names if name.startswith("sanitize_")))
        if said.remove("optnone"):
            said.remove("noinline")
    drop_loop_hints(module)
    _drop_tail_calls(module)
    _drop_thread_local_calls(module)
    _leave_to_libraries(module)


def stop_idioms(module: Module) -> None:
    """Keep loops that copy or clear memory from becoming calls: bytes hide what they are bytes of.

    But not where the loops themselves move bytes, of which a copy is the better description.
    """
    for function in module.definitions:
        if not _moves_bytes(function):
            for name in _IDIOMS:
                function.attributes.add(f'"{name}"')


def _moves_bytes(function: Function) -> bool:
    """Whether a function loads and stores single bytes."""
    for byte in _BYTES:
        if function.may_hold(f"load {byte},") and function.may_hold(f"store {byte} "):
            accesses = [i for i in function.instructions() if i.opcode in ("load", "store")]
            if {i.opcode for i in accesses if i.accessed_type.text == byte} == {"load", "store"}:
                return True
    return False


_BYTES = ("i8", "i16")


def stop_inlining(module: Module) -> bool:
    """Keep functions from being inlined for now, unless somebody has said it already. Whether any could be."""
    functions = module.definitions
    called = {name for f in functions for name in f.mentioned}
    for function in functions:
        if function.name in called and not function.has("noinline") and not function.has("alwaysinline"):
            function.attributes.add(f'noinline "{_APART}"')
    return not called.isdisjoint(f.name for f in functions)


def allow_inlining(module: Module) -> None:
    for said in _attribute_sets(module):
        if said.remove(_APART):
            said.remove("noinline")


def allow_idioms(module: Module) -> None:
    for said in _attribute_sets(module):
        said.remove(*_IDIOMS)


def vouch(function: Function) -> None:
    """What the pointer parameters of a function point to doesn't overlap."""
    for argument in function.arguments:
        if argument.type.text == "ptr" and not any(map(argument.has, ("noalias", "byval", "sret"))):
            argument.attributes.add("noalias")


def leave_groups(module: Module) -> None:
    """What is internal leaves the group it was in, since a linker keeps one such group of all objects."""
    for function in module.definitions:
        if function.header.startswith("define internal ") and " comdat" in function.header:
            function.signature.trailing.pop("comdat", None)
    for g in module.variables:
        if " comdat" in g.line and "internal" in g.parts.words:
            g.parts.trailing.pop("comdat", None)


def _attribute_sets(module: Module) -> Iterator[Attributes]:
    """All groups, and the attributes of those functions that were asked for theirs."""
    yield from module.groups.values()
    for function in module.functions.values():
        if function.has_signature_read:
            yield function.attributes


def _leave_to_libraries(module: Module) -> None:
    """A common block of MPI's is the library's, which knows its constants by their addresses there."""
    for name in COMMON_BLOCKS:
        g = module.globals.get(name)
        if g is not None and g.initializer is not None:
            g.parts.words, g.parts.initializer = ["external"], None


def drop_loop_hints(module: Module) -> None:
    """Take back what is said of loops: a loop's node names itself, and then that. Only that it ends may be said."""
    beginning = '!{!"llvm.loop.'
    hints = {
        name
        for name, text in module.metadata.items()
        if beginning in text and text.removeprefix("distinct ").startswith(beginning) and "mustprogress" not in text
    }
    for name, text in module.metadata.items() if hints else ():
        if text.startswith(f"distinct !{{{name}, "):
            said = text.removeprefix("distinct !{").removesuffix("}").split(", ")
            module.metadata[name] = f"distinct !{{{', '.join(part for part in said if part not in hints)}}}"


def _drop_tail_calls(module: Module) -> None:
    """A call that must be the last thing that a function does would bind us: a function has one return for us.

    But not where the rest of the arguments is handed on, which can't be said otherwise.
    """
    for function in module.definitions:
        if function.may_hold(f"{_MUST}call ") and not function.variadic:
            for i in function.instructions():
                if i.opcode == "call":
                    i.pieces[0] = i.pieces[0].replace(_MUST, "tail ", 1)


_MUST = "musttail "


def _drop_thread_local_calls(module: Module) -> None:
    """The address of the variable itself, which has a shadow of the same kind."""
    name = "llvm.threadlocal.address.p0"
    for function in module.definitions if name in module.functions else ():
        for i in list(function.instructions()) if function.may_hold(f"@{name}") else ():
            if i.callee_name == name:
                i.erase(i.arguments[0])
