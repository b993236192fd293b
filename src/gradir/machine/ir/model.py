"""LLVM IR as Python objects: values, instructions, blocks, functions.

The objects mirror LLVM's own: they come from LLVM's printer (`reader.py`), passes change them, and `str(module)` is
text that LLVM reads again (`printer.py`). An instruction keeps its own text in pieces around its operands, so that it
can be repeated with other operands without knowing what it does.

Reading is lazy: of a function only its name is known until its signature or its blocks are asked for, and what was
never asked for is printed as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.ir.types import PTR, VOID, Type

__all__ = [
    "Argument",
    "Block",
    "Constant",
    "DebugRecord",
    "Function",
    "Global",
    "Instruction",
    "Signature",
    "Value",
    "Variable",
    "is_null",
]

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

    def __init__(self, type: Type, ref: str, index: int, attributes: Attributes) -> None:
        super().__init__(type, ref)
        self.index = index
        self.attributes = attributes

    def has(self, attribute: str) -> bool:
        return self.attributes.has(attribute)

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
    """A global variable or a function, used as a value: its address. An alias has the type of its target."""

    __slots__ = ("_parts", "_read", "line")

    def __init__(self, ref: str) -> None:
        super().__init__(PTR, ref)
        self.line = ""
        """How it was written; nothing of a function, or of what is only mentioned."""
        self._read: Callable[[Global], Variable] | None = None
        self._parts: Variable | None = None

    @property
    def name(self) -> str:
        return self.ref[1:].strip('"')

    @property
    def parts(self) -> Variable:
        """What is said of a variable. Once it was asked for, the variable is printed from it."""
        if self._parts is None:
            self._parts = self._read(self) if self._read is not None else Variable()
        return self._parts

    @parts.setter
    def parts(self, said: Variable) -> None:
        self._parts = said

    @property
    def is_read(self) -> bool:
        return self._parts is not None

    @property
    def linkage(self) -> str:
        """All words before `global` or `constant`."""
        return " ".join(self.parts.words)

    @property
    def constant(self) -> bool:
        return self.parts.kind == "constant"

    @property
    def value_type(self) -> Type:
        return self.parts.type

    @property
    def initializer(self) -> str | None:
        return self.parts.initializer

    @property
    def metadata(self) -> dict[str, str]:
        return self.parts.metadata


@dataclass
class Variable:
    """What is said of a global variable, or of an alias."""

    words: list[str] = field(default_factory=list)
    """Linkage, visibility, `thread_local`, `unnamed_addr`, in the order of the text."""
    kind: str = "global"
    """`global`, `constant`, `alias` or `ifunc`."""
    type: Type = VOID
    initializer: str | None = None
    """Its value as text; of an alias, what it stands for (with its type)."""
    trailing: dict[str, str] = field(default_factory=dict)
    """`section`, `comdat`, `align` and their kind, as they are written."""
    metadata: dict[str, str] = field(default_factory=dict)


class DebugRecord:
    """What a debugger is told before an instruction (`#dbg_value(...)`): text in pieces around values."""

    __slots__ = ("operands", "pieces")

    def __init__(self, pieces: list[str], operands: list[Value]) -> None:
        self.pieces = pieces
        self.operands = operands

    def __str__(self) -> str:
        text = self.pieces[0]
        for operand, piece in zip(self.operands, self.pieces[1:], strict=True):
            text += _lasting(operand) + piece
        return text


def _lasting(value: Value) -> str:
    """A value, or what took its place when it was erased."""
    while isinstance(value, Instruction) and value.is_erased:
        if value.replacement is None:
            return "poison"
        value = value.replacement
    return value.ref


class Instruction(Value):
    """One instruction. Its text is `pieces[0] operands[0] pieces[1] operands[1] … pieces[-1]`, without its result.

    `info` holds what the opcode has besides operands: the predicate of a comparison, the indices of an `extractvalue`,
    the source type of a `getelementptr`, the allocated type of an `alloca`, the callee and attributes of a call.
    """

    __slots__ = (
        "_position", "block", "flags", "hint", "info", "metadata", "opcode", "operands", "pieces", "records",
        "replacement",
    )  # fmt: skip

    def __init__(self, ref: str, block: Block | None = None, position: int = 0) -> None:
        super().__init__(VOID, ref)
        self.opcode = ""
        self.operands: list[Value] = []
        self.pieces: list[str] = []
        self.flags: frozenset[str] = frozenset()
        self.info: dict[str, object] = {}
        self.metadata: dict[str, str] = {}
        self.block: Block = block  # type: ignore[assignment]  # None until it is inserted, and after it was erased
        self._position = position
        self.hint = "v"
        """What it is called, more or less, if it is inserted without a name."""
        self.records: list[DebugRecord] = []
        """What a debugger is told just before it."""
        self.replacement: Value | None = None
        """Of an erased instruction: what was put in its place."""

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

    @property
    def mentioned(self) -> list[str]:
        """The names of functions and variables among its operands, and in its text between them."""
        found: list[str] = []
        for operand in self.operands:
            if isinstance(operand, Global):
                found.append(operand.name)
            elif isinstance(operand, Constant):
                found += operand.globals
        if self.opcode == "landingpad":
            found += global_names(self.pieces[0])
        return found

    # -- changes ----------------------------------------------------------------------------------------------------

    @property
    def position(self) -> int:
        """Its number in its block."""
        if self.block.is_stale:
            self.block.renumber()
        return self._position

    @property
    def is_erased(self) -> bool:
        return self.block is None

    def set_operand(self, index: int, value: Value) -> None:
        old, self.operands[index] = self.operands[index], value
        if self.block is not None:
            self.block.function.note_operand(self, old, value)

    def replace_operand(self, old: Value, new: Value) -> None:
        """Use another value wherever one is used here."""
        for k, operand in enumerate(self.operands):
            if operand is old:
                self.set_operand(k, new)

    def replace_uses(self, value: Value) -> None:
        """Let all who use this instruction use another value."""
        for user in list(self.block.function.users.get(self, ())):
            user.replace_operand(self, value)

    def insert_before(self, *made: Instruction) -> None:
        self.block.insert(self.position, *made)

    def insert_after(self, *made: Instruction) -> None:
        self.block.insert(self.position + 1, *made)

    def erase(self, replacement: Value | None = None) -> None:
        """Take it out of its block. With a replacement, who used it uses that."""
        if replacement is not None:
            self.replace_uses(replacement)
        self.replacement = replacement
        self.block.remove(self)

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

    def align_of_argument(self, n: int) -> int:
        """Of a call: what the address that it is given is said to be a multiple of."""
        said: Sequence[str] = self.info["argument_attributes"]  # type: ignore[assignment]
        return int(Attributes(said[n]).value("align") or 1)


class Block(Value):
    __slots__ = ("function", "index", "instructions", "is_stale")

    def __init__(self, ref: str, function: Function, index: int) -> None:
        super().__init__(Type("label", "label"), ref)
        self.function = function
        self.index = index
        self.instructions: list[Instruction] = []
        self.is_stale = False
        """Whether the numbers of its instructions are out of date."""

    def renumber(self) -> None:
        for n, i in enumerate(self.instructions):
            i._position = n
        self.is_stale = False

    def insert(self, at: int, *made: Instruction) -> None:
        """Insert new instructions; those with results that have no name yet get one."""
        self.instructions[at:at] = made
        self.is_stale = True
        for i in made:
            i.block = self
            self.function.note_inserted(i)

    def append(self, *made: Instruction) -> None:
        self.insert(len(self.instructions), *made)

    def split_after(self, instruction: Instruction) -> Block:
        """Make what follows an instruction a block of its own, to which nothing leads yet."""
        at = self.function.blocks.index(self) + 1
        following = self.function.blocks[at] if at < len(self.function.blocks) else None
        rest = self.function.add_block(f"{self.name.strip(chr(34))}.on", before=following)
        begin = instruction.position + 1
        rest.instructions, self.instructions[begin:] = self.instructions[begin:], []
        for i in rest.instructions:
            i.block = rest
        rest.renumber()
        for successor in rest.successors:
            for phi in successor.phis:
                phi.replace_operand(self, rest)
        return rest

    def remove(self, instruction: Instruction) -> None:
        self.instructions.remove(instruction)
        self.is_stale = True
        if instruction.records and self.instructions:  # they belong to what is run here next
            following = self.instructions[min(instruction._position, len(self.instructions) - 1)]
            following.records[:0] = instruction.records
        self.function.note_erased(instruction)
        instruction.block = None  # type: ignore[assignment]

    @property
    def predecessors(self) -> list[Block]:
        """Each block once, in the order of the blocks."""
        return self.function.predecessors[self]

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


@dataclass
class Signature:
    """What the line that begins a function says."""

    linkage: str = ""
    """`internal`, `linkonce_odr` and so on; nothing if it is external."""
    words: list[str] = field(default_factory=list)
    """Visibility, `dso_local`, calling convention and so on."""
    result: Type = VOID
    result_attributes: Attributes = field(default_factory=Attributes)
    arguments: list[Argument] = field(default_factory=list)
    variadic: bool = False
    attributes: Attributes = field(default_factory=Attributes)
    """The function's own and those of its groups."""
    trailing: dict[str, str] = field(default_factory=dict)
    """`unnamed_addr`, `section`, `comdat`, `align`, `personality` and their kind, as they are written."""
    metadata: dict[str, str] = field(default_factory=dict)


class Function:
    """A function with a body, or the declaration of one."""

    def __init__(
        self,
        ref: str,
        header: str,
        body: str | None,
        read_signature: Callable[[Function], Signature],
        read_blocks: Callable[[Function], list[Block]],
    ) -> None:
        self.ref = ref
        self.header = header
        """The line that begins it, up to the `{`, as it was written."""
        self.body = body
        """What stands between the braces, as it was written."""
        self._read_signature, self._read_blocks = read_signature, read_blocks
        self._signature: Signature | None = None
        self._blocks: list[Block] | None = None if body is not None else []
        self._users: dict[Value, list[Instruction]] | None = None
        self._predecessors: dict[Block, list[Block]] | None = None
        self._taken: set[str] | None = None

    @property
    def name(self) -> str:
        return self.ref[1:].strip('"')

    # -- signature --------------------------------------------------------------------------------------------------

    @property
    def signature(self) -> Signature:
        """Once it was asked for, the function's first line is printed from it."""
        if self._signature is None:
            self._signature = self._read_signature(self)
        return self._signature

    @property
    def has_signature_read(self) -> bool:
        return self._signature is not None

    @property
    def has_body_read(self) -> bool:
        return self._blocks is not None

    @property
    def result(self) -> Type:
        return self.signature.result

    @property
    def arguments(self) -> list[Argument]:
        return self.signature.arguments

    @property
    def variadic(self) -> bool:
        return self.signature.variadic

    @property
    def attributes(self) -> Attributes:
        return self.signature.attributes

    @property
    def result_attributes(self) -> Attributes:
        return self.signature.result_attributes

    @property
    def metadata(self) -> dict[str, str]:
        return self.signature.metadata

    @property
    def personality(self) -> str:
        """Who decides at run time which of its landing pads an exception goes to, as it is written: `ptr @...`."""
        return self.signature.trailing.get("personality", "").removeprefix("personality ")

    def has(self, attribute: str) -> bool:
        """Whether it carries the attribute, such as `nounwind` or `memory(none)`."""
        return self.attributes.has(attribute)

    def says(self, word: str, groups: Iterable[str] = ()) -> bool:
        """Whether its first line contains a word, or one of the groups that do."""
        if self._signature is None:
            line = f"{self.header} "
            return word in line or any(group in line for group in groups)
        said = self._signature
        attributes = (said.attributes, said.result_attributes, *(a.attributes for a in said.arguments))
        return any(a.mentions(word) for a in attributes) or any(word in kind for kind in said.metadata)

    # -- body -------------------------------------------------------------------------------------------------------

    @property
    def blocks(self) -> list[Block]:
        if self._blocks is None:
            self._blocks = self._read_blocks(self)
        return self._blocks

    @property
    def is_declaration(self) -> bool:
        return self.body is None

    @property
    def entry(self) -> Block:
        return self.blocks[0]

    @property
    def mentioned(self) -> list[str]:
        """The names of functions and variables in its body."""
        if self._blocks is None:
            return global_names(self.body or "")
        return list(dict.fromkeys(name for i in self.instructions() for name in i.mentioned))

    @property
    def taken(self) -> list[str]:
        """The names in its body that stand for addresses: all but those of the functions that it calls itself."""
        if self._blocks is None:  # not read yet: any of them may be
            return self.mentioned
        return [n for i in self.instructions() for n in (i.mentioned[:-1] if i.callee_name else i.mentioned)]

    def may_hold(self, word: str) -> bool:
        """Whether a word may stand in its body: an opcode or a name. What is not read is quickly told."""
        return self._blocks is not None or word in (self.body or "")

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks:
            yield from block.instructions

    @property
    def users(self) -> dict[Value, list[Instruction]]:
        """For each value, the instructions that use it (each once per use)."""
        if self._users is None:
            self._users = {}
            for instruction in self.instructions():
                for operand in instruction.operands:
                    if not isinstance(operand, (Constant, Block)):
                        self._users.setdefault(operand, []).append(instruction)
        return self._users

    @property
    def predecessors(self) -> dict[Block, list[Block]]:
        """For each block those that lead to it, each once, in the order of the blocks."""
        if self._predecessors is None:
            self._predecessors = {block: [] for block in self.blocks}
            for block in self.blocks:
                for successor in block.successors:
                    self._predecessors[successor].append(block)
        return self._predecessors

    # -- changes ----------------------------------------------------------------------------------------------------

    def fresh(self, hint: str) -> str:
        """A name (`%hint`, `%hint.1`) that nothing in the function has."""
        if self._taken is None:
            values: Iterable[Value] = (*self.arguments, *self.blocks, *self.instructions())
            self._taken = {v.ref.strip('%"') for v in values}
        hint = "".join(c if c.isascii() and (c.isalnum() or c in "._-$") else "_" for c in hint) or "v"
        hint = f"v{hint}" if hint[0].isdigit() else hint
        name, n = hint, 0
        while name in self._taken:
            n += 1
            name = f"{hint}.{n}"
        self._taken.add(name)
        return f"%{name}"

    def add_block(self, hint: str, before: Block | None = None) -> Block:
        """A new block without instructions, at the end or before another."""
        at = len(self.blocks) if before is None else self.blocks.index(before)
        made = Block(self.fresh(hint), self, at)
        self.blocks.insert(at, made)
        for n, block in enumerate(self.blocks[at:], at):
            block.index = n
        self._predecessors = None
        return made

    def become_declaration(self) -> None:
        """Forget the body: it is defined elsewhere."""
        said = self.signature
        said.linkage = "extern_weak" if said.linkage == "extern_weak" else ""
        said.metadata.clear()
        for word in ("comdat", "section", "gc", "prefix", "prologue", "personality", "partition"):
            said.trailing.pop(word, None)
        self.body, self._blocks = None, []

    def note_inserted(self, i: Instruction) -> None:
        """Keep what is known of the function true: an instruction is new."""
        if i.type.kind != "void" and not i.ref:
            i.ref = self.fresh(i.hint)
        elif i.ref and self._taken is not None:
            self._taken.add(i.ref.strip('%"'))
        for operand in i.operands:
            self._note_use(i, operand)
        if i.is_terminator:
            self._predecessors = None

    def note_erased(self, i: Instruction) -> None:
        for operand in i.operands:
            self._note_unused(i, operand)
        if i.is_terminator:
            self._predecessors = None

    def note_operand(self, i: Instruction, old: Value, new: Value) -> None:
        self._note_unused(i, old)
        self._note_use(i, new)
        if isinstance(old, Block):
            self._predecessors = None

    def _note_use(self, i: Instruction, value: Value) -> None:
        if self._users is not None and not isinstance(value, (Constant, Block)):
            self._users.setdefault(value, []).append(i)

    def _note_unused(self, i: Instruction, value: Value) -> None:
        if self._users is not None and value in self._users:
            self._users[value].remove(i)

    def __repr__(self) -> str:
        return f"<function {self.ref}>"
