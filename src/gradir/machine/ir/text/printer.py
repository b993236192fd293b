"""Prints functions and variables so that LLVM reads them again. What nobody asked for is printed as it was written."""

from __future__ import annotations

from collections.abc import Iterable

from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.model import Argument, Block, Function, Global, Instruction

__all__ = ["print_function", "print_global", "print_group"]


def print_group(said: Attributes) -> str:
    """As groups write attributes. LLVM can't read a group with nothing in it."""
    align = said.value("alignstack")
    texts = [f"alignstack={align}" if align and text.startswith("alignstack(") else text for text in said]
    return " ".join(texts) or '"gradir"'


def print_global(g: Global) -> str:
    """The line of a variable or an alias."""
    if not g.is_read:
        return g.line
    said = g.parts
    head = [*said.words, said.kind, str(said.type)]
    if said.kind in ("alias", "ifunc"):
        head[-1] += ","
    if said.initializer is not None:
        head.append(said.initializer)
    return f"{g.ref} = {', '.join([' '.join(head), *said.trailing.values()])}{_metadata(said.metadata, ', ')}"


def print_function(function: Function) -> str:
    header = _signature(function) if function.has_signature_read else function.header
    if function.is_declaration:
        return header
    body = _body(function.blocks) if function.has_body_read else function.body
    return f"{header} {{\n{body}}}"


def _signature(function: Function) -> str:
    said = function.signature
    words = ["declare" if function.is_declaration else "define", said.linkage, *said.words]
    parameters = [_parameter(a, named=not function.is_declaration) for a in said.arguments]
    if said.variadic:
        parameters.append("...")
    trailing = dict(said.trailing)
    first = [trailing.pop(word, "") for word in _BEFORE_ATTRIBUTES]
    last = [trailing.pop(word, "") for word in _AFTER_ATTRIBUTES]
    metadata = _metadata(said.metadata, " ")
    # The order is LLVM's: what a declaration says of debugging stands in front.
    if function.is_declaration and metadata:
        words.insert(1, metadata.strip())
    head = [*words, str(said.result_attributes), f"{said.result} {function.ref}({', '.join(parameters)})"]
    after = [*first, str(said.attributes), *trailing.values(), *last]
    return " ".join(filter(None, [*head, *after])) + ("" if function.is_declaration else metadata)


_BEFORE_ATTRIBUTES = ("unnamed_addr", "local_unnamed_addr", "addrspace")
_AFTER_ATTRIBUTES = ("section", "partition", "comdat", "align", "gc", "prefix", "prologue", "personality")


def _parameter(a: Argument, named: bool) -> str:
    return " ".join(filter(None, [str(a.type), str(a.attributes), a.ref if named else ""]))


def _body(blocks: Iterable[Block]) -> str:
    return "\n".join(_block(block) for block in blocks)


def _block(block: Block) -> str:
    lines = [f"{block.name}:"]
    for i in block.instructions:
        lines += (f"    {record}" for record in i.records)
        lines.append(f"  {_instruction(i)}")
    return "\n".join(lines) + "\n"


def _instruction(i: Instruction) -> str:
    return f"{i}{_metadata(i.metadata, ', ')}"


def _metadata(nodes: dict[str, str], before: str) -> str:
    return "".join(f"{before}!{kind} {node}" for kind, node in nodes.items())
