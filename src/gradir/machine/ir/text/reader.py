"""Reads LLVM IR text, as LLVM prints it, into `ir` objects.

The text was printed and verified by LLVM, so there is one well-formed spelling of each instruction, and the reader is
strict: what it does not know is an error that quotes the line, never a guess.

A module is only split at first. Types, variables, signatures and bodies are read when they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from gradir.errors import InputError
from gradir.machine.ir import (
    I1,
    PTR,
    VOID,
    Argument,
    Block,
    Constant,
    DebugRecord,
    Function,
    Global,
    Instruction,
    Module,
    Signature,
    Type,
    Value,
    Variable,
    struct,
    vector,
)
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.layout import DataLayout
from gradir.machine.ir.opcodes import OPCODES
from gradir.machine.ir.text.tokens import Tokens, unescaped, words
from gradir.machine.ir.text.typetext import Types

__all__ = ["extend", "read"]

_METADATA = re.compile(r", !([\w.]+) (!\d+|!\{\}|![A-Z]\w*\([^()]*\))$")
_ASSIGN = re.compile(r'  (%(?:"(?:[^"\\]|\\..)*"|[-\w.$]+)) = ')
_LABEL = re.compile(r'((?:"(?:[^"\\]|\\..)*"|[-\w.$]+)):(?:\s|$)')

_PREAMBLE = ("source_filename = ", "target ", "module asm ")
_IGNORED = ("^", "uselistorder")
"""How lines of a module begin that say nothing about its code."""
_LINKAGES = words(
    "private internal available_externally linkonce weak common appending extern_weak linkonce_odr weak_odr external"
)
_BEFORE_RESULT = words("dso_local dso_preemptable default hidden protected dllimport dllexport unnamed_addr")
_TRAILING = words(
    "unnamed_addr local_unnamed_addr addrspace section partition comdat align gc prefix prologue personality"
)
"""What follows the parameters of a function besides attributes."""

_PREFIXES = frozenset({"tail", "musttail", "notail"})
_CONVENTIONS = re.compile(r"(?:fastcc|ccc|coldcc|\w+cc|cc|ptx_kernel|ptx_device)$")
_NAME = re.compile(r'@(?:"(?:[^"\\]|\\..)*"|[-\w.$]+)(?=\()')


class _Reader:
    def __init__(self, module: Module) -> None:
        self.module = module
        self.types: Types = module.types
        self.locals: dict[str, Value] = {}

    # -- the module -------------------------------------------------------------------------------------------------

    def split(self, text: str) -> None:
        """Find what the module is made of, and read none of it."""
        module = self.module
        for line, body in _pieces(text):
            first = line[0]
            if first == "%":
                name, _, said = line.partition(" = type ")
                self.types.lines[name] = said
            elif first == "@":
                self.add_variable(line)
            elif first == "!":
                name, _, said = line.partition(" = ")
                module.metadata[name] = said
            elif first == "$":
                name, _, said = line.partition(" = comdat ")
                module.comdats[name] = said
            elif line.startswith(("declare ", "define ")):
                self.add_function(line, body)
            elif line.startswith("attributes #"):
                name, _, said = line.removeprefix("attributes ").partition(" = ")
                module.groups[name] = Attributes(said.strip("{ }"))
            elif line.startswith(_PREAMBLE):
                module.preamble.append(line)
                if line.startswith("target datalayout = "):
                    self.types.layout = DataLayout.read(unescaped(line.partition(" = ")[2]))
            elif not line.startswith(_IGNORED):
                raise InputError(f"can't read this LLVM IR: {line}")

    def global_value(self, ref: str) -> Global:
        name = ref[1:].strip('"')
        found = self.module.globals.get(name)
        if found is None:
            found = self.module.globals[name] = Global(ref)
        return found

    def add_variable(self, line: str) -> None:
        g = self.global_value(line.partition(" = ")[0])
        g.line, g._read = line, self.variable
        if " alias " in line and g.parts.kind == "alias":
            target = self.aliasee(Tokens(g.parts.initializer or ""))
            names = [target.name] if isinstance(target, Global) else list(getattr(target, "globals", ()))
            if names:
                self.module.aliases[g.name] = names[0]

    def aliasee(self, tokens: Tokens) -> Value:
        """What an alias stands for: an expression has no type before it."""
        return self.operand(tokens, self.types.type(tokens) if self.types.begin(tokens) else PTR)

    def add_function(self, line: str, body: str | None) -> None:
        found = _NAME.search(line)
        if found is None:
            raise InputError(f"can't read this LLVM IR: {line}")
        header = line.rstrip().removesuffix("{").rstrip()
        function = Function(found[0], header, body, self.signature, self.blocks)
        self.module.functions[function.name] = function
        self.global_value(found[0])

    def variable(self, g: Global) -> Variable:
        line, metadata = _strip_metadata(g.line)
        tokens = Tokens(line.partition(" = ")[2])
        out = Variable(metadata=metadata)
        while tokens.peek() not in ("global", "constant", "alias", "ifunc"):
            start = tokens.at
            tokens.next()
            if tokens.peek() == "(":
                tokens.skip_balanced()
            out.words.append(_written(tokens, start))
        out.kind = tokens.next()
        out.type = self.types.type(tokens)
        if out.kind in ("alias", "ifunc"):
            tokens.expect(",")
            start = tokens.at
            self.aliasee(tokens)
            out.initializer = _written(tokens, start)
        elif tokens.peek() not in ("", ",") and not {"external", "extern_weak"} & set(out.words):
            out.initializer = self.operand(tokens, out.type).ref
        while tokens.accept(","):
            start = tokens.at
            key = tokens.next()
            while tokens.peek() not in ("", ","):
                if tokens.peek() == "(":
                    tokens.skip_balanced()
                else:
                    tokens.next()
            out.trailing[key] = _written(tokens, start)
        return out

    # -- values -----------------------------------------------------------------------------------------------------

    def operand(self, tokens: Tokens, type: Type) -> Value:
        """The value that stands here, without its type."""
        if tokens.at == len(tokens.texts):
            raise tokens.unreadable("a value is missing")
        kind, text = tokens.kinds[tokens.at], tokens.peek()
        if kind == "local":
            tokens.at += 1
            try:
                return self.locals[text]
            except KeyError:
                raise tokens.unreadable(f"no value {text}") from None
        if kind == "glob":
            tokens.at += 1
            return self.global_value(text)
        start = tokens.at
        if type.kind == "metadata":
            return self.metadata_operand(tokens, type)
        if text in ("[", "{", "<", "("):
            tokens.skip_balanced()
        elif kind == "word" and text not in ("true", "false", "null", "none", "undef", "poison", "zeroinitializer"):
            ends = () if text == "asm" else (",", ")")  # two strings with a comma between them
            while tokens.peek() != "(" and tokens.at < len(tokens.texts) and tokens.peek() not in ends:
                tokens.at += 1
            if tokens.texts[tokens.at - 1] == "inrange":
                tokens.skip_balanced()
            if text != "asm" and tokens.peek() == "(":
                tokens.skip_balanced()
        else:
            tokens.at += 1
        written = tokens.line[tokens.spans[start][0] : tokens.spans[tokens.at - 1][1]]
        names = tuple(tokens.texts[i][1:].strip('"') for i in range(start, tokens.at) if tokens.kinds[i] == "glob")
        return Constant(type, written, names)

    def metadata_operand(self, tokens: Tokens, type: Type) -> Value:
        start = tokens.at
        if tokens.peek().startswith("!"):
            tokens.at += 1
            if tokens.peek() in ("(", "{"):
                tokens.skip_balanced()
        else:  # a value in the guise of metadata
            inner = self.types.type(tokens)
            self.operand(tokens, inner)
        written = tokens.line[tokens.spans[start][0] : tokens.spans[tokens.at - 1][1]]
        return Constant(type, written)

    # -- functions --------------------------------------------------------------------------------------------------

    def signature(self, function: Function) -> Signature:
        line, metadata = _strip_function_metadata(function.header)
        tokens = Tokens(line)
        tokens.next()  # define or declare
        out = Signature(metadata=metadata)
        if tokens.peek() in _LINKAGES:
            out.linkage = tokens.next()
        start = tokens.at
        while not self.types.begin(tokens):
            word = tokens.next()
            if tokens.peek() == "(":
                tokens.skip_balanced()
            elif word in ("align", "cc") and tokens.peek().isdigit():
                tokens.next()
            if word in _BEFORE_RESULT or _CONVENTIONS.match(word):
                out.words.append(_written(tokens, start))
            else:
                out.result_attributes.add(_written(tokens, start))
            start = tokens.at
        out.result = self.types.simple(tokens)
        tokens.next()  # its name
        tokens.expect("(")
        while not tokens.accept(")"):
            if tokens.accept("..."):
                out.variadic = True
            else:
                out.arguments.append(self.parameter(tokens, len(out.arguments)))
                tokens.accept(",")
        self.after_parameters(tokens, out)
        return out

    def parameter(self, tokens: Tokens, index: int) -> Argument:
        type = self.types.type(tokens)
        start = tokens.at
        while tokens.peek() not in (",", ")") and tokens.kinds[tokens.at] != "local":
            tokens.next()
            if tokens.peek() == "(":
                tokens.skip_balanced()
        attributes = Attributes(_written(tokens, start))
        name = tokens.next() if tokens.kinds[tokens.at] == "local" else f"%{index}"
        return Argument(type, name, index, attributes)

    def after_parameters(self, tokens: Tokens, out: Signature) -> None:
        groups: list[Attributes] = []
        while tokens.peek():
            start = tokens.at
            kind, word = tokens.kinds[start], tokens.next()
            if kind == "group":
                groups.append(self.module.groups.get(word, Attributes()))
            elif word in _TRAILING:
                if word in ("prefix", "prologue", "personality"):
                    self.operand(tokens, self.types.type(tokens))
                elif word in ("section", "partition", "gc", "align"):
                    tokens.next()
                elif tokens.peek() == "(":
                    tokens.skip_balanced()
                out.trailing[word] = _written(tokens, start)
            else:
                if tokens.peek() == "(":
                    tokens.skip_balanced()
                elif tokens.accept("="):
                    tokens.next()
                out.attributes.add(_written(tokens, start))
        for group in groups:
            out.attributes.update(group)

    def blocks(self, function: Function) -> list[Block]:
        self.locals = {a.ref: a for a in function.arguments}
        blocks: list[Block] = []
        pending: list[tuple[Instruction, str, list[str]]] = []
        records: list[str] = []
        for line in _lines(function.body or ""):
            if line.startswith("    #dbg"):
                records.append(line.strip())
                continue
            if line[0] != " ":
                m = _LABEL.match(line)
                if m is None:
                    raise InputError(f"can't read this LLVM IR: {line}")
                self.add_block(blocks, f"%{m[1]}", function)
                continue
            if not blocks:  # an entry without a label is numbered after the arguments without names
                self.add_block(blocks, f"%{sum(a.name.isdigit() for a in function.arguments)}", function)
            m = _ASSIGN.match(line)
            block = blocks[-1]
            instruction = Instruction(m[1] if m else "", block, len(block.instructions))
            block.instructions.append(instruction)
            if m:
                self.locals[m[1]] = instruction
            pending.append((instruction, line[m.end() :] if m else line.strip(), records))
            records = []
        for instruction, text, before in pending:
            self.instruction(instruction, text)
            instruction.records = [self.record(r) for r in before]
        return blocks

    def add_block(self, blocks: list[Block], ref: str, function: Function) -> None:
        blocks.append(Block(ref, function, len(blocks)))
        self.locals[ref] = blocks[-1]

    def record(self, text: str) -> DebugRecord:
        tokens = Tokens(text, 1)
        pieces: list[str] = []
        operands: list[Value] = []
        end = 0
        for kind, word, (begin, after) in zip(tokens.kinds, tokens.texts, tokens.spans, strict=True):
            if kind == "local" and word in self.locals:
                pieces.append(text[end:begin])
                operands.append(self.locals[word])
                end = after
        return DebugRecord([*pieces, text[end:]], operands)

    # -- instructions -----------------------------------------------------------------------------------------------

    def instruction(self, out: Instruction, line: str) -> None:
        line, out.metadata = _strip_metadata(line)
        tokens = Tokens(line)
        builder = _Operands(self, tokens, out)
        opcode = tokens.next()
        while opcode in _PREFIXES:
            opcode = tokens.next()
        out.opcode = opcode
        form = OPCODES[opcode].form if opcode in OPCODES else None
        if form in ("unary", "binary"):
            out.flags = tokens.flags()
            out.type = self.types.type(tokens)
            builder.add(out.type)
            if form == "binary":
                tokens.expect(",")
                builder.add(out.type)
        elif form == "cast":
            out.flags = tokens.flags()
            builder.typed()
            tokens.expect("to")
            out.type = self.types.type(tokens)
        else:
            reader = _READERS.get(opcode)
            if reader is None:
                raise InputError(f"can't read this LLVM IR (no instruction {opcode!r}): {line}")
            reader(self, tokens, builder, out)
        builder.finish()


class _Operands:
    """Collects an instruction's operands, and its text around them."""

    def __init__(self, reader: _Reader, tokens: Tokens, out: Instruction) -> None:
        self.reader, self.tokens, self.out = reader, tokens, out
        self.end = 0

    def add(self, type: Type) -> Value:
        tokens = self.tokens
        start = tokens.at
        value = self.reader.operand(tokens, type)
        if isinstance(value, Instruction) and value.type is VOID:
            value.type = type  # used before its definition: the type written here is its type
        begin, end = tokens.spans[start][0], tokens.spans[tokens.at - 1][1]
        self.out.pieces.append(tokens.line[self.end : begin])
        self.out.operands.append(value)
        self.end = end
        return value

    def typed(self) -> Value:
        return self.add(self.reader.types.type(self.tokens))

    def label(self) -> Value:
        self.tokens.expect("label")
        return self.add(PTR)

    def finish(self) -> None:
        self.out.pieces.append(self.tokens.line[self.end :])


def _compare(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.info["predicate"] = tokens.next()
    first = ops.typed()
    tokens.expect(",")
    ops.add(first.type)
    out.type = vector(first.type.count, I1) if first.type.kind == "vector" else I1


def _select(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    ops.typed()
    tokens.expect(",")
    out.type = reader.types.type(tokens)
    ops.add(out.type)
    tokens.expect(",")
    ops.typed()


def _phi(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.type = reader.types.type(tokens)
    while tokens.accept("["):
        ops.add(out.type)
        tokens.expect(",")
        ops.add(PTR)
        tokens.expect("]")
        tokens.accept(",")


def _memory_tail(tokens: Tokens, out: Instruction) -> None:
    rest = tokens.texts[tokens.at :]
    if "align" in rest:
        out.info["align"] = int(rest[rest.index("align") + 1])


def _load(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.type = reader.types.type(tokens)
    tokens.expect(",")
    ops.typed()
    _memory_tail(tokens, out)


def _store(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    stored = reader.types.type(tokens)
    ops.add(stored)
    out.info["type"] = stored
    tokens.expect(",")
    ops.typed()
    _memory_tail(tokens, out)


def _alloca(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    while tokens.peek() in ("inalloca", "swifterror"):
        tokens.next()
    out.info["type"] = reader.types.type(tokens)
    out.type = PTR
    while tokens.accept(","):
        if reader.types.begin(tokens):
            ops.typed()
        else:
            break
    tokens.at = 0
    _memory_tail(tokens, out)


def _gep(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.info["type"] = reader.types.type(tokens)
    tokens.expect(",")
    out.type = ops.typed().type
    while tokens.accept(","):
        index = ops.typed()
        if index.type.kind == "vector":
            out.type = vector(index.type.count, PTR)


def _br(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    if tokens.peek() == "label":
        ops.label()
        return
    ops.typed()
    tokens.expect(",")
    ops.label()
    tokens.expect(",")
    ops.label()


def _switch(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()
    tokens.expect(",")
    ops.label()
    tokens.expect("[")
    while not tokens.accept("]"):
        ops.typed()
        tokens.expect(",")
        ops.label()


def _indirectbr(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()
    tokens.expect(",")
    tokens.expect("[")
    while not tokens.accept("]"):
        ops.label()
        tokens.accept(",")


def _ret(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    if tokens.peek() != "void":
        ops.typed()


def _nothing(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    pass


def _call(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    start = tokens.at
    while not reader.types.begin(tokens):
        word = tokens.next()
        if tokens.peek() == "(" and not (_CONVENTIONS.match(word) and tokens.kinds[tokens.at] == "number"):
            tokens.skip_balanced()
    out.info["result_attributes"] = " ".join(tokens.texts[start : tokens.at])
    written = reader.types.simple(tokens)
    if tokens.peek() == "(":
        written = reader.types.function(tokens, written)
    out.type = written.element if written.kind == "function" else written
    callee_at = tokens.at
    callee = reader.operand(tokens, PTR)
    after_callee = tokens.at
    tokens.expect("(")
    attributes: list[str] = []
    # The callee stands before the arguments in the text; as an operand it comes last: arguments keep their numbers.
    begin, end = tokens.spans[callee_at][0], tokens.spans[after_callee - 1][1]
    out.pieces.append(tokens.line[ops.end : begin])
    ops.end = end
    arguments: list[Value] = []
    while not tokens.accept(")"):
        type = reader.types.type(tokens)
        mark = tokens.at
        while tokens.peek() in _PARAMETER_WORDS or tokens.kinds[tokens.at] == "string":
            tokens.next()
            if tokens.peek() == "(":
                tokens.skip_balanced()
            elif tokens.kinds[tokens.at] == "number" and tokens.texts[tokens.at - 1] == "align":
                tokens.next()
        attributes.append(tokens.line[tokens.spans[mark][0] : tokens.spans[tokens.at][0]].strip())
        arguments.append(ops.add(type))
        tokens.accept(",")
    out.info["nargs"] = len(arguments)
    out.info["argument_attributes"] = attributes
    groups = reader.module.groups
    said = (t for t in tokens.texts[tokens.at :] if t not in (",", "to", "unwind", "label"))
    out.info["attributes"] = " ".join(str(groups.get(t, t)) for t in said)
    out.info["function_type"] = written if written.kind == "function" else None
    out.operands.append(callee)


def _invoke(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    _call(reader, tokens, ops, out)
    callee = out.operands.pop()
    while tokens.peek() != "to":
        tokens.next()
    tokens.expect("to")
    ops.label()
    tokens.expect("unwind")
    ops.label()
    out.operands.append(callee)


def _extractvalue(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    aggregate = reader.types.type(tokens)
    ops.add(aggregate)
    out.info["indices"] = _indices(tokens)
    out.type = aggregate.at(out.indices)


def _insertvalue(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.types.type(tokens)
    ops.add(out.type)
    tokens.expect(",")
    ops.typed()
    out.info["indices"] = _indices(tokens)


def _indices(tokens: Tokens) -> tuple[int, ...]:
    found = []
    while tokens.accept(","):
        found.append(tokens.number())
    return tuple(found)


def _extractelement(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    of = reader.types.type(tokens)
    ops.add(of)
    out.type = of.element
    tokens.expect(",")
    ops.typed()


def _insertelement(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.types.type(tokens)
    ops.add(out.type)
    tokens.expect(",")
    ops.typed()
    tokens.expect(",")
    ops.typed()


def _shufflevector(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    of = reader.types.type(tokens)
    ops.add(of)
    tokens.expect(",")
    ops.typed()
    tokens.expect(",")
    mask_type = reader.types.type(tokens)
    start = tokens.at
    reader.operand(tokens, mask_type)
    out.type = vector(mask_type.count, of.element)
    out.info["mask"] = _mask(tokens.texts[start : tokens.at], mask_type.count)


def _mask(texts: list[str], count: int) -> tuple[int, ...]:
    """The lanes that a shuffle takes; -1 where any will do."""
    lanes = [lane for type, lane in pairwise(texts) if type == "i32"] or texts
    numbers = [{"poison": -1, "undef": -1, "zeroinitializer": 0}.get(lane) for lane in lanes]
    found = tuple(int(lane) if n is None else n for lane, n in zip(lanes, numbers, strict=True))
    return found if len(found) == count else found * count


def _freeze(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.types.type(tokens)
    ops.add(out.type)


def _atomicrmw(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    tokens.flags()
    out.info["operation"] = tokens.next()
    ops.typed()
    tokens.expect(",")
    out.type = reader.types.type(tokens)
    ops.add(out.type)


def _cmpxchg(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    while not reader.types.begin(tokens):
        tokens.next()
    ops.typed()
    tokens.expect(",")
    compared = reader.types.type(tokens)
    ops.add(compared)
    tokens.expect(",")
    ops.typed()
    out.type = struct([compared, I1])


def _landingpad(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.types.type(tokens)


def _resume(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()


def _va_arg(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()
    tokens.expect(",")
    out.type = reader.types.type(tokens)


_READERS: dict[str, Callable[[_Reader, Tokens, _Operands, Instruction], None]] = {
    "icmp": _compare,
    "fcmp": _compare,
    "select": _select,
    "phi": _phi,
    "load": _load,
    "store": _store,
    "alloca": _alloca,
    "getelementptr": _gep,
    "br": _br,
    "switch": _switch,
    "indirectbr": _indirectbr,
    "ret": _ret,
    "unreachable": _nothing,
    "fence": _nothing,
    "call": _call,
    "invoke": _invoke,
    "extractvalue": _extractvalue,
    "insertvalue": _insertvalue,
    "extractelement": _extractelement,
    "insertelement": _insertelement,
    "shufflevector": _shufflevector,
    "freeze": _freeze,
    "atomicrmw": _atomicrmw,
    "cmpxchg": _cmpxchg,
    "landingpad": _landingpad,
    "resume": _resume,
    "va_arg": _va_arg,
}

_PARAMETER_WORDS = words(
    """noundef nonnull nocapture captures noalias readonly readnone writeonly zeroext signext inreg byval sret byref
    elementtype dereferenceable dereferenceable_or_null align returned immarg allocalign allocptr nofree nest swiftself
    swifterror swiftasync dead_on_unwind dead_on_return writable initializes range nofpclass inalloca preallocated
    noext"""
)


def _strip_metadata(line: str) -> tuple[str, dict[str, str]]:
    found: dict[str, str] = {}
    while m := _METADATA.search(line):
        found[m[1]] = m[2]
        line = line[: m.start()]
    return line, found


def _strip_function_metadata(header: str) -> tuple[str, dict[str, str]]:
    found: dict[str, str] = {}

    def keep(m: re.Match[str]) -> str:
        found[m[1]] = m[2]
        return ""

    return re.sub(r" !([\w.]+) (!\d+)", keep, header), found


def _pieces(text: str) -> Iterator[tuple[str, str | None]]:
    """The lines of a module that are not within functions, a definition's with the lines of its body."""
    if not text.endswith("\n"):
        text += "\n"
    at, size = 0, len(text)
    while at < size:
        end = text.index("\n", at)
        line = text[at:end]
        at = end + 1
        if not line or line[0] == ";":
            continue
        if not line.startswith("define "):
            yield line, None
            continue
        close = text.find("\n}\n", end)
        if close < 0:
            raise InputError(f"can't read this LLVM IR (it never ends): {line}")
        yield line, text[at : close + 1]
        at = close + 3


def _lines(body: str) -> Iterator[str]:
    """The lines of a function's body, each instruction on one."""
    lines = iter(body.split("\n"))
    line = next(lines, None)
    while line is not None:
        following = next(lines, None)
        if not line or line[0] == ";":
            line = following
            continue
        if line.lstrip().startswith("switch ") and not _is_whole_switch(line):
            while following is not None:
                line += following
                done, following = following.startswith("  ]"), next(lines, None)
                if done:
                    break
        else:
            while following is not None and following.startswith("          "):  # invoke's labels, landingpad's clauses
                line += " " + following.strip()
                following = next(lines, None)
        yield line
        line = following


def _is_whole_switch(line: str) -> bool:
    return _strip_metadata(line)[0].rstrip().endswith("]")


def _written(tokens: Tokens, start: int) -> str:
    """The text from a token up to here."""
    return tokens.line[tokens.spans[start][0] : tokens.spans[tokens.at - 1][1]] if tokens.at > start else ""


def extend(module: Module, text: str) -> None:
    """Read more into a module. What it only declared so far may be defined now."""
    _Reader(module).split(text)


def read(text: str) -> Module:
    """Read the text that LLVM prints of a module.

    >>> module = read('''
    ... define double @f(double %x) {
    ... entry:
    ...   %y = fmul double %x, %x
    ...   ret double %y
    ... }''')
    >>> [i.opcode for i in module.functions["f"].instructions()]
    ['fmul', 'ret']
    """
    module = Module(Types({}))
    extend(module, text)
    return module
