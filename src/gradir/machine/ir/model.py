"""LLVM IR as Python objects: types, values, instructions, blocks, functions, a module.

The objects mirror LLVM's own and are read-only in spirit: they come from LLVM's printer (`reader.py`), were verified by
LLVM, and derivative code is written as new text beside them. An instruction keeps its own text in pieces around its
operands, so that it can be repeated with other operands without knowing what it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from gradir.machine.ir.metadata import Metadata

__all__ = [
    "DOUBLE",
    "I1",
    "I8",
    "I32",
    "I64",
    "PTR",
    "VOID",
    "Argument",
    "Block",
    "Constant",
    "Function",
    "Global",
    "Instruction",
    "Module",
    "Type",
    "Value",
    "array",
    "is_null",
    "struct",
    "vector",
]

_FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

_COMPOSED = ("vector", "array", "struct")


@dataclass(frozen=True)
class Type:
    """A type, known by its text.

    `kind` is one of void, int, float, ptr, vector, array, struct, label, metadata, token, function.

    >>> vector(4, DOUBLE).text, struct([DOUBLE, I32]).text
    ('<4 x double>', '{ double, i32 }')
    """

    text: str
    kind: str
    count: int = 0
    """Of a vector or an array the number of its elements; of an integer the number of its bits."""
    elements: tuple[Type, ...] = ()
    """The element of a vector or an array, the fields of a struct, the result and parameters of a function."""
    packed: bool = False
    scalable: bool = False

    def __str__(self) -> str:
        return self.text

    @property
    def element(self) -> Type:
        return self.elements[0]

    @property
    def is_float(self) -> bool:
        """A float or a vector of floats: what arithmetic has derivatives for."""
        return self.kind == "float" or (self.kind == "vector" and self.elements[0].kind == "float")

    @property
    def is_pointer(self) -> bool:
        return self.kind == "ptr"

    @property
    def is_integer(self) -> bool:
        return self.kind == "int"

    @property
    def is_aggregate(self) -> bool:
        return self.kind in ("struct", "array")

    @cached_property
    def holds_pointer(self) -> bool:
        """Whether it is, or is made of, pointers among others."""
        return self.is_pointer or (self.kind in _COMPOSED and any(e.holds_pointer for e in self.elements))

    @cached_property
    def holds_float(self) -> bool:
        """Whether it is, or is made of, floats among others."""
        return self.kind == "float" or (self.kind in _COMPOSED and any(e.holds_float for e in self.elements))

    @property
    def scalar(self) -> Type:
        """The element of a vector; any other type itself."""
        return self.elements[0] if self.kind == "vector" else self

    @property
    def lanes(self) -> int:
        return self.count if self.kind == "vector" else 1

    @cached_property
    def size(self) -> int:
        """Bytes from one such value to the next in an array (x86-64, AArch64 and RISC-V agree)."""
        match self.kind:
            case "int":
                return _up((self.count + 7) // 8, self.align)
            case "float":
                return _up(_FLOAT_BITS[self.text] // 8, self.align)
            case "ptr":
                return 8
            case "array":
                return self.count * self.element.size
            case "vector":
                return _up(self._packed_bytes, self.align)
            case "struct":
                end = self.offsets[-1] + self.elements[-1].size if self.elements else 0
                return _up(end, self.align)
            case _:
                return 0

    @cached_property
    def align(self) -> int:
        match self.kind:
            case "int":
                return min(16, _power((self.count + 7) // 8))
            case "float":
                return min(16, _power(_FLOAT_BITS[self.text] // 8))
            case "ptr":
                return 8
            case "array":
                return self.element.align
            case "vector":
                return _power(self._packed_bytes)
            case "struct":
                return 1 if self.packed else max((e.align for e in self.elements), default=1)
            case _:
                return 1

    @property
    def _packed_bytes(self) -> int:
        """Of a vector: the bytes of its elements, which follow each other bit by bit."""
        bits = self.element.count if self.element.is_integer else self.element.size * 8
        return (self.count * bits + 7) // 8

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """Where the fields of a struct begin, or the elements of an array or a vector."""
        if self.kind in ("array", "vector"):
            return tuple(i * self.element.size for i in range(self.count))
        at, offsets = 0, []
        for e in self.elements:
            at = at if self.packed else _up(at, e.align)
            offsets.append(at)
            at += e.size
        return tuple(offsets)

    def parts(self) -> Iterator[tuple[int, Type]]:
        """The scalars (and pointers) that a value of this type is made of, with their byte offsets.

        >>> [(o, t.text) for o, t in struct([I32, array(2, DOUBLE)]).parts()]
        [(0, 'i32'), (8, 'double'), (16, 'double')]
        """
        match self.kind:
            case "array" | "vector":
                inner = list(self.element.parts())
                for i in range(self.count):
                    for o, t in inner:
                        yield i * self.element.size + o, t
            case "struct":
                for at, e in zip(self.offsets, self.elements, strict=True):
                    for o, t in e.parts():
                        yield at + o, t
            case _:
                yield 0, self

    def at(self, indices: Sequence[int]) -> Type:
        """The type of a member, as `extractvalue` names it."""
        inner = self
        for i in indices:
            inner = inner.elements[i] if inner.kind == "struct" else inner.element
        return inner


def _up(n: int, align: int) -> int:
    return -(-n // align) * align


def _power(n: int) -> int:
    return 1 << max(0, n - 1).bit_length()


VOID = Type("void", "void")
I1, I8, I32, I64 = (Type(f"i{n}", "int", n) for n in (1, 8, 32, 64))
DOUBLE = Type("double", "float")
PTR = Type("ptr", "ptr")


def vector(count: int, element: Type) -> Type:
    return Type(f"<{count} x {element}>", "vector", count, (element,))


def array(count: int, element: Type) -> Type:
    return Type(f"[{count} x {element}]", "array", count, (element,))


def struct(fields: Sequence[Type], packed: bool = False) -> Type:
    body = f"{{ {', '.join(map(str, fields))} }}" if fields else "{}"
    return Type(f"<{body}>" if packed else body, "struct", 0, tuple(fields), packed)


class Value:
    """Anything an instruction can have as an operand. Values are compared by identity."""

    __slots__ = ("ref", "type")

    def __init__(self, type: Type, ref: str) -> None:
        self.type = type
        self.ref = ref
        """How it is written where it is used: `%x`, `@g`, `1.0`, `label`'s `%bb`."""

    def __repr__(self) -> str:
        return f"<{self.type} {self.ref}>"


class Argument(Value):
    __slots__ = ("attributes", "index")

    def __init__(self, type: Type, ref: str, index: int, attributes: str) -> None:
        super().__init__(type, ref)
        self.index = index
        self.attributes = attributes

    def has(self, attribute: str) -> bool:
        return re.search(rf"(?<![\w-]){re.escape(attribute)}(?![\w-])", self.attributes) is not None

    @property
    def name(self) -> str:
        return self.ref[1:].strip('"')


class Constant(Value):
    """A literal or a constant expression; `globals` are the names that it mentions."""

    __slots__ = ("globals",)

    def __init__(self, type: Type, ref: str, globals: tuple[str, ...] = ()) -> None:
        super().__init__(type, ref)
        self.globals = globals

    @property
    def integer(self) -> int | None:
        """The number, if it is an integer literal."""
        if self.ref in ("true", "false"):
            return int(self.ref == "true")
        try:
            return int(self.ref)
        except ValueError:
            return 0 if self.ref in ("null", "zeroinitializer") else None

    @property
    def is_undefined(self) -> bool:
        return self.ref in ("undef", "poison")


def is_null(value: Value) -> bool:
    """Whether it points nowhere: `null`, or undefined."""
    return isinstance(value, Constant) and not value.globals


class Global(Value):
    """A global variable or a function, used as a value: its address."""

    __slots__ = ("constant", "initializer", "line", "linkage", "metadata", "value_type")

    def __init__(self, ref: str) -> None:
        super().__init__(PTR, ref)
        self.value_type: Type = VOID
        self.constant = False
        self.initializer: str | None = None
        self.linkage = ""
        self.line = ""
        self.metadata: dict[str, str] = {}

    @property
    def name(self) -> str:
        return self.ref[1:].strip('"')


class Instruction(Value):
    """One instruction. Its text is `pieces[0] operands[0] pieces[1] operands[1] … pieces[-1]`, without its result.

    `info` holds what the opcode has besides operands: the predicate of a comparison, the indices of an `extractvalue`,
    the source type of a `getelementptr`, the allocated type of an `alloca`, the callee and attributes of a call.
    """

    __slots__ = ("block", "flags", "info", "metadata", "opcode", "operands", "pieces", "position")

    def __init__(self, ref: str, block: Block, position: int) -> None:
        super().__init__(VOID, ref)
        self.opcode = ""
        self.operands: list[Value] = []
        self.pieces: list[str] = []
        self.flags: frozenset[str] = frozenset()
        self.info: dict[str, object] = {}
        self.metadata: dict[str, str] = {}
        self.block = block
        self.position = position

    def render(self, name: str, lookup: Callable[[Value], str], metadata: str = "") -> str:
        """The instruction's text with operands as `lookup` says, its result called `name` (if it has one)."""
        text = self.pieces[0]
        for operand, piece in zip(self.written_operands, self.pieces[1:], strict=True):
            text += lookup(operand) + piece
        head = f"{name} = " if self.type.kind != "void" else ""
        return f"{head}{text}{metadata}"

    def __str__(self) -> str:
        return self.render(self.ref, lambda v: v.ref)

    @property
    def written_operands(self) -> list[Value]:
        """The operands in the order of the text, where a callee stands before what it is passed."""
        if self.opcode in ("call", "invoke"):
            return [self.operands[-1], *self.operands[:-1]]
        return self.operands

    @property
    def is_terminator(self) -> bool:
        return self.opcode in ("br", "switch", "ret", "unreachable", "invoke", "resume", "indirectbr", "callbr")

    # -- what particular opcodes hold -----------------------------------------------------------------------------

    @property
    def callee(self) -> Value:
        """Of a call: what is called (the last operand)."""
        return self.operands[-1]

    @property
    def callee_name(self) -> str | None:
        """Of a call: the name of the function, if it is known."""
        return self.callee.name if self.opcode in ("call", "invoke") and isinstance(self.callee, Global) else None

    @property
    def arguments(self) -> list[Value]:
        """Of a call: what is passed."""
        return self.operands[: int(self.info["nargs"])]  # type: ignore[call-overload]

    @property
    def normal(self) -> Block:
        """Of an `invoke`: where it goes on if the call returns."""
        return self.operands[-3]  # type: ignore[return-value]

    @property
    def unwind(self) -> Block:
        """Of an `invoke`: where it goes on if the call throws."""
        return self.operands[-2]  # type: ignore[return-value]

    @property
    def incoming(self) -> list[tuple[Value, Block]]:
        """Of a phi: values and the blocks they come from."""
        ops = self.operands
        return [(ops[i], ops[i + 1]) for i in range(0, len(ops), 2)]  # type: ignore[misc]

    @property
    def pointer(self) -> Value:
        """Of a load, a store, an atomic or a `getelementptr`: the address."""
        return self.operands[1] if self.opcode == "store" else self.operands[0]

    @property
    def value(self) -> Value:
        """Of a store: what is stored."""
        return self.operands[0]

    @property
    def predicate(self) -> str:
        return str(self.info["predicate"])

    @property
    def indices(self) -> tuple[int, ...]:
        """Of `extractvalue` and `insertvalue`."""
        return self.info["indices"]  # type: ignore[return-value]

    @property
    def accessed_type(self) -> Type:
        """Of a load, store, `alloca` or `getelementptr`: the type that is read, written, allocated or stepped over."""
        match self.opcode:
            case "load":
                return self.type
            case "store":
                return self.operands[0].type
            case _:
                return self.info["type"]  # type: ignore[return-value]

    @property
    def align(self) -> int:
        return int(self.info.get("align", 0) or 1)  # type: ignore[call-overload]


class Block(Value):
    __slots__ = ("function", "index", "instructions", "predecessors")

    def __init__(self, ref: str, function: Function, index: int) -> None:
        super().__init__(Type("label", "label"), ref)
        self.function = function
        self.index = index
        self.instructions: list[Instruction] = []
        self.predecessors: list[Block] = []
        """Each block once, in the order of the blocks."""

    @property
    def name(self) -> str:
        return self.ref[1:]

    @property
    def terminator(self) -> Instruction:
        return self.instructions[-1]

    @property
    def successors(self) -> list[Block]:
        """Each block once, in the order of the terminator."""
        return list(dict.fromkeys(op for op in self.terminator.operands if isinstance(op, Block)))

    @property
    def phis(self) -> list[Instruction]:
        return [i for i in self.instructions if i.opcode == "phi"]

    @property
    def body(self) -> list[Instruction]:
        """What stands between the phis and the terminator."""
        return [i for i in self.instructions[:-1] if i.opcode != "phi"]


@dataclass(eq=False)
class Function:
    """A function with a body, or (without blocks) the declaration of one."""

    name: str
    ref: str
    result: Type
    arguments: list[Argument]
    variadic: bool
    header: str
    """The line that begins it, up to the `{`."""
    attributes: str
    """Its own attributes and those of its group, as text."""
    result_attributes: str = ""
    blocks: list[Block] = field(default_factory=list)
    metadata: dict[str, str] = field(default_factory=dict)
    personality: str = ""
    """Who decides at run time which of its landing pads an exception goes to, as it is written: `ptr @...`."""

    @property
    def is_declaration(self) -> bool:
        return not self.blocks

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    def has(self, attribute: str) -> bool:
        """Whether it carries the attribute, such as `nounwind` or `memory(none)`."""
        return re.search(rf"(?<![\w-]){re.escape(attribute)}(?![\w-])", self.attributes) is not None

    @cached_property
    def users(self) -> dict[Value, list[Instruction]]:
        """For each value, the instructions that use it (each once per use)."""
        users: dict[Value, list[Instruction]] = {}
        for instruction in self.instructions():
            for operand in instruction.operands:
                if not isinstance(operand, (Constant, Block)):
                    users.setdefault(operand, []).append(instruction)
        return users

    def __repr__(self) -> str:
        return f"<function {self.ref}>"


@dataclass
class Module:
    text: str
    types: dict[str, Type] = field(default_factory=dict)
    globals: dict[str, Global] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    metadata: dict[str, str] = field(default_factory=dict)
    """Numbered and named nodes: `"!12"` to its text."""
    groups: dict[str, str] = field(default_factory=dict)
    """Attribute groups: `"#0"` to the text between its braces."""
    aliases: dict[str, str] = field(default_factory=dict)
    """Names of aliases to the names of the functions or globals that they stand for."""

    @cached_property
    def nodes(self) -> Metadata:
        """Its metadata, read as far as it is asked for."""
        return Metadata(self.metadata)

    def location(self, instruction: Instruction) -> str | None:
        """Where in the source an instruction comes from, as `file:line:column`, if debug information tells."""
        return self.source_location(instruction.metadata.get("dbg"))

    def source_location(self, node: str | None) -> str | None:
        scope = self.nodes.node(node)
        line = scope.number("line") if scope is not None else None
        if scope is None or line is None:
            return None
        column = scope.number("column")
        for _ in range(64):  # from scope to scope until one names a file
            if (file := scope.node("file")) is not None:
                return f"{file.string('filename') or '?'}:{line}" + (f":{column}" if column is not None else "")
            scope = scope.node("scope")
            if scope is None:
                return None
        return None
