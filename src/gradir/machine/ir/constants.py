"""Constants as structures: aggregates with their elements, expressions with their operands, and addresses in them.

A constant is kept as it was written until somebody looks inside it: a module has large tables that nobody asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from gradir.errors import OneDirection, RequestError
from gradir.machine.ir.text.tokens import Tokens, unescaped, words
from gradir.machine.ir.text.typetext import Types
from gradir.machine.ir.types import I8, I64, PTR, VOID, Type

__all__ = [
    "BLOCK_ADDRESS",
    "Address",
    "Part",
    "pointers_in",
    "read_constant",
    "scaled_address",
    "table",
    "with_numbered_blocks",
]

_LITERALS = words("true false null none undef poison zeroinitializer")
_CASTS = words("bitcast addrspacecast inttoptr ptrtoint")


class Address(NamedTuple):
    """So many bytes from the beginning of a global."""

    name: str
    offset: int


@dataclass(frozen=True)
class Part:
    """A constant, or a part of one."""

    type: Type
    text: str
    """How it is written, without its type."""
    opcode: str = ""
    """Of an expression: what it does."""
    parts: tuple[Part, ...] = ()
    """The elements of an aggregate that is spelled out; the operands of an expression."""
    source: Type = VOID
    """Of a `getelementptr`: what it steps over."""

    @property
    def integer(self) -> int | None:
        if self.opcode:
            return None
        try:
            return int(self.text)
        except ValueError:
            return {"true": 1, "false": 0, "null": 0, "zeroinitializer": 0}.get(self.text)

    @property
    def is_undefined(self) -> bool:
        return self.text in ("undef", "poison")

    @property
    def string(self) -> str | None:
        """The characters of a C string, without the zeros at its end."""
        return unescaped(self.text[1:]).rstrip("\0") if self.text.startswith('c"') else None

    @property
    def address(self) -> Address | None:
        """What it points to, if that is known: a global, with a number added to its address or not."""
        if self.text.startswith("@"):
            return Address(self.text[1:].strip('"'), 0)
        base = self.parts[0].address if self.opcode and self.parts else None
        added = self._added() if base is not None else None
        return Address(base.name, base.offset + added) if base is not None and added is not None else None

    def _added(self) -> int | None:
        """What an expression adds to its first operand."""
        if self.opcode in _CASTS:
            return 0
        numbers = [operand.integer for operand in self.parts[1:]]
        match self.opcode, numbers:
            case "add", [int(number)]:
                return number
            case "sub", [int(number)]:
                return -number
            case "getelementptr", _:
                return _stepped(self.source, numbers)
        return None

    def leaves(self) -> Iterator[tuple[int, Part]]:
        """The scalars of an aggregate that are spelled out, and what is not spelled out, with their byte offsets."""
        if self.opcode or not self.parts:
            yield 0, self
            return
        for at, element in zip(self.type.offsets, self.parts, strict=True):
            for offset, leaf in element.leaves():
                yield at + offset, leaf


def _stepped(type: Type, indices: list[int | None]) -> int | None:
    """How far a `getelementptr` with these indices goes."""
    offset = 0
    for n, index in enumerate(indices):
        if index is None:
            return None
        if n == 0:
            offset += index * type.size
        elif type.kind == "struct":
            offset, type = offset + type.offsets[index], type.elements[index]
        else:
            type = type.element
            offset += index * type.size
    return offset


# -- Reading ---------------------------------------------------------------------------------------------------------


def read_constant(type: Type, text: str, types: Types | None = None) -> Part:
    """A constant of a type. `types` are those of its module, for expressions that mention them.

    >>> value = read_constant(PTR, "getelementptr inbounds ([3 x double], ptr @table, i64 1, i64 2)")
    >>> value.opcode, value.address
    ('getelementptr', Address(name='table', offset=40))
    """
    return _read(Tokens(text), type, types or Types({}))


def _read(tokens: Tokens, type: Type, types: Types) -> Part:
    start, first = tokens.at, tokens.peek()
    kind = tokens.kinds[start] if start < len(tokens.kinds) else ""
    opcode, source, parts = "", VOID, tuple[Part, ...]()
    if first in ("[", "{", "<"):
        parts = _elements(tokens, type, types)
    elif kind != "word" or first in _LITERALS:
        tokens.next()
    elif tokens.peek(1) == "(" and first == "splat":
        tokens.next()
        tokens.expect("(")
        parts = (_typed(tokens, types, type.element),) * type.count
        tokens.expect(")")
    else:
        opcode, source, parts = _expression(tokens, types)
    text = tokens.line[tokens.spans[start][0] : tokens.spans[tokens.at - 1][1]]
    return Part(type, text, opcode, parts, source)


def _typed(tokens: Tokens, types: Types, type: Type | None = None) -> Part:
    """A constant with its type before it; where the type is known, the one that is written is passed over."""
    written = types.type(tokens)
    return _read(tokens, type or written, types)


def _elements(tokens: Tokens, type: Type, types: Types) -> tuple[Part, ...]:
    packed = tokens.peek() == "<" and tokens.peek(1) == "{"
    if packed:
        tokens.next()
    end = {"[": "]", "{": "}", "<": ">"}[tokens.next()]
    of = type.elements if type.kind == "struct" else type.elements * type.count
    found = []
    for n, element in enumerate(of):
        if n:
            tokens.expect(",")
        found.append(_typed(tokens, types, element))
    tokens.expect(end)
    if packed:
        tokens.expect(">")
    return tuple(found)


def _expression(tokens: Tokens, types: Types) -> tuple[str, Type, tuple[Part, ...]]:
    opcode = tokens.next()
    while tokens.peek() != "(" or tokens.texts[tokens.at - 1] == "inrange":
        if tokens.peek() == "(":
            tokens.skip_balanced()
        elif tokens.kinds[tokens.at] == "glob":  # `no_cfi @f`
            return opcode, VOID, (Part(PTR, tokens.next()),)
        else:
            tokens.next()
    if opcode in (BLOCK_ADDRESS, "ptrauth"):
        tokens.skip_balanced()
        return opcode, VOID, ()
    tokens.expect("(")
    source = VOID
    if opcode == "getelementptr":
        source = types.type(tokens)
        tokens.expect(",")
    operands = [_typed(tokens, types)]
    while tokens.accept(","):
        operands.append(_typed(tokens, types))
    if tokens.accept("to"):
        types.type(tokens)
    tokens.expect(")")
    return opcode, source, tuple(operands)


# -- Addresses of blocks ---------------------------------------------------------------------------------------------

BLOCK_ADDRESS = "blockaddress"


def with_numbered_blocks(text: str, numbers: Mapping[str, Mapping[str, int]]) -> str:
    """A constant with numbers in place of addresses of blocks, for functions whose blocks have some.

    >>> with_numbered_blocks("[ptr blockaddress(@f, %a), ptr blockaddress(@g, %a)]", {"f": {"a": 7}})
    '[ptr inttoptr (i64 7 to ptr), ptr blockaddress(@g, %a)]'
    """
    tokens, found = Tokens(text), list[tuple[int, int, int]]()
    for at, word in enumerate(tokens.texts):
        if word == BLOCK_ADDRESS:
            function, block = (tokens.texts[at + n][1:].strip('"') for n in (2, 4))
            if (number := numbers.get(function, {}).get(block)) is not None:
                found.append((tokens.spans[at][0], tokens.spans[at + 5][1], number))
    for begin, end, number in reversed(found):
        text = f"{text[:begin]}inttoptr (i64 {number} to ptr){text[end:]}"
    return text


# -- Tables of shadows -----------------------------------------------------------------------------------------------


def pointers_in(type: Type, text: str) -> Iterator[tuple[int, str]]:
    """The addresses in a constant, with the bytes where they lie.

    >>> from gradir.machine.ir import DOUBLE, array, struct
    >>> list(pointers_in(struct([DOUBLE, array(2, PTR)]), "{ double 1.0, [2 x ptr] [ptr @f, ptr null] }"))
    [(8, '@f')]
    """
    if "@" not in text:
        return
    for offset, leaf in read_constant(type, text).leaves():
        if "@" not in leaf.text or leaf.string is not None:
            continue
        if leaf.opcode == "ptrtoint" and leaf.type.size == PTR.size:
            yield offset, leaf.parts[0].text
            continue
        if not leaf.type.is_pointer:
            raise RequestError(
                f"an address in the guise of {leaf.type} has no shadow: {leaf.text}", hint="keep the pointer a pointer"
            )
        yield offset, leaf.text


def table(type: Type, text: str, scale: int, shadow: Callable[[str], str]) -> tuple[str, str]:
    """The type and the text of a shadow: `shadow` of each address, `scale` times as far from the start; else zero."""
    types, values, at = [], [], 0
    for offset, pointer in pointers_in(type, text):
        if gap := offset * scale - at:
            types.append(f"[{gap} x i8]")
            values.append(f"[{gap} x i8] zeroinitializer")
        types.append("ptr")
        values.append(f"ptr {shadow(pointer)}")
        at = offset * scale + 8
    if rest := type.size * scale - at:
        types.append(f"[{rest} x i8]")
        values.append(f"[{rest} x i8] zeroinitializer")
    return f"<{{ {', '.join(types)} }}>", f"<{{ {', '.join(values)} }}>"


def scaled_address(text: str, scale: int) -> str:
    """An address inside a global, so many times as far from its beginning.

    >>> scaled_address("getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @table, i64 16)", 3)
    'getelementptr (i8, ptr @table, i64 48)'
    """
    if "getelementptr" not in text:
        return text
    found = read_constant(PTR, text)
    match found.opcode, found.parts:
        case "getelementptr", [base, index] if found.source == I8 and base.text.startswith("@") and index.type == I64:
            if index.integer is not None:
                return f"getelementptr (i8, ptr {base.text}, i64 {index.integer * scale})"
    raise OneDirection(f"an address inside a global has no interleaved shadow: {text}", hint="use separate shadows")
