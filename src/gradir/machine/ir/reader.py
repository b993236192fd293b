"""Reads LLVM IR text, as LLVM prints it, into `ir` objects.

The text was printed and verified by LLVM, so there is one well-formed spelling of each instruction, and the reader is
strict: what it does not know is an error that quotes the line, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gradir.errors import InputError
from gradir.machine.ir import (
    I1,
    PTR,
    VOID,
    Argument,
    Block,
    Constant,
    Function,
    Global,
    Instruction,
    Module,
    Type,
    Value,
    array,
    struct,
    vector,
)
from gradir.machine.ir.tokens import Tokens, words

__all__ = ["read"]

_METADATA = re.compile(r", !([\w.]+) (!\d+|!\{\}|![A-Z]\w*\([^()]*\))$")
_ASSIGN = re.compile(r'  (%(?:"(?:[^"\\]|\\..)*"|[-\w.$]+)) = ')
_LABEL = re.compile(r'((?:"(?:[^"\\]|\\..)*"|[-\w.$]+)):(?:\s|$)')

_IGNORED = ("source_filename = ", "target ", "module asm ", "$", "^", "uselistorder")
"""How lines of a module begin that say nothing about its code."""

_BINARY = words("fadd fsub fmul fdiv frem add sub mul udiv sdiv urem srem shl lshr ashr and or xor")
_CASTS = words(
    "trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast ptrtoaddr"
)
_PREFIXES = frozenset({"tail", "musttail", "notail"})
_CONVENTIONS = re.compile(r"(?:fastcc|ccc|coldcc|\w+cc|cc)$")
_FLOATS = words("half bfloat float double x86_fp80 fp128 ppc_fp128")


class _Reader:
    def __init__(self, text: str) -> None:
        self.module = Module(text)
        self.types: dict[str, Type] = self.module.types
        self.cache: dict[str, Type] = {}
        self.locals: dict[str, Value] = {}
        self.type_lines: dict[str, str] = {}

    # -- the module -------------------------------------------------------------------------------------------------

    def read(self) -> Module:
        lines = self.module.text.split("\n")
        bodies: list[tuple[Function, list[str]]] = []
        functions: list[tuple[str, list[str] | None]] = []
        i = 0
        while i < len(lines):
            line = lines[i]
            i += 1
            if not line or line[0] == ";":
                continue
            first = line[0]
            if first == "%":
                name, _, body = line.partition(" = type ")
                self.type_lines[name] = body
            elif first == "@":
                self.read_global(line)
            elif first == "!":
                name, _, body = line.partition(" = ")
                self.module.metadata[name] = body
            elif line.startswith("attributes #"):
                m = re.match(r"attributes (#\d+) = \{ ?(.*?) ?\}$", line)
                if m:
                    self.module.groups[m[1]] = m[2]
            elif line.startswith("declare "):
                functions.append((line, None))
            elif line.startswith("define "):
                try:
                    end = lines.index("}", i)
                except ValueError:
                    raise InputError(f"can't read this LLVM IR (it never ends): {line}") from None
                functions.append((line, lines[i:end]))
                i = end + 1
            elif not line.startswith(_IGNORED):
                raise InputError(f"can't read this LLVM IR: {line}")
        for name in list(self.type_lines):
            self.named(name)
        for g in list(self.module.globals.values()):  # an initialiser may mention what has not been seen
            self.finish_global(g)
        for header, written in functions:
            function = self.read_header(header)
            if written is not None:
                bodies.append((function, written))
        for function, written in bodies:
            self.read_body(function, written)
        return self.module

    def global_value(self, ref: str) -> Global:
        name = ref[1:].strip('"')
        found = self.module.globals.get(name)
        if found is None:
            found = self.module.globals[name] = Global(ref)
        return found

    def read_global(self, line: str) -> None:
        ref = line.partition(" = ")[0]
        self.global_value(ref).line = line

    def finish_global(self, g: Global) -> None:
        if not g.line:
            return
        line, g.metadata = _strip_metadata(g.line)
        tokens = Tokens(line.partition(" = ")[2])
        words = []
        while tokens.peek() not in ("global", "constant", "alias", "ifunc"):
            words.append(tokens.next())
        g.linkage = " ".join(words)
        what = tokens.next()
        g.constant = what == "constant"
        g.value_type = self.type(tokens)
        if what == "alias":
            tokens.expect(",")
            target = self.operand(tokens, self.type(tokens))
            names = [target.name] if isinstance(target, Global) else list(getattr(target, "globals", ()))
            if names:
                self.module.aliases[g.name] = names[0]
            return
        if tokens.peek() not in ("", ",") and "external" not in words:
            g.initializer = self.operand(tokens, g.value_type).ref

    # -- types ------------------------------------------------------------------------------------------------------

    def named(self, name: str) -> Type:
        found = self.types.get(name)
        if found is None:
            body = self.type_lines.get(name, "opaque")
            # What refers to itself is opaque: only pointers can, and they don't say.
            self.types[name] = Type(name, "struct")
            inner = struct([]) if body == "opaque" else self.type(Tokens(body))
            found = self.types[name] = Type(name, inner.kind, inner.count, inner.elements, inner.packed)
        return found

    def type(self, tokens: Tokens) -> Type:
        base = self.simple_type(tokens)
        while tokens.peek() == "(" and base.kind != "metadata":
            base = self.function_type(tokens, base)
        return base

    def function_type(self, tokens: Tokens, result: Type) -> Type:
        tokens.expect("(")
        parameters: list[Type] = []
        names: list[str] = []
        while not tokens.accept(")"):
            if tokens.accept("..."):
                names.append("...")
            else:
                parameters.append(self.type(tokens))
                names.append(parameters[-1].text)
            tokens.accept(",")
        return Type(f"{result} ({', '.join(names)})", "function", 0, (result, *parameters))

    def simple_type(self, tokens: Tokens) -> Type:
        word = tokens.next()
        match word:
            case "ptr":
                if tokens.accept("addrspace"):
                    tokens.expect("(")
                    space = tokens.next()
                    tokens.expect(")")
                    return Type(f"ptr addrspace({space})", "ptr")
                return PTR
            case "void":
                return VOID
            case "label" | "metadata" | "token":
                return Type(word, word)
            case "[":
                n = tokens.number()
                tokens.expect("x")
                element = self.type(tokens)
                tokens.expect("]")
                return array(n, element)
            case "{":
                return self.struct_type(tokens, "}")
            case "<":
                if tokens.accept("{"):
                    body = self.struct_type(tokens, "}")
                    tokens.expect(">")
                    return struct(body.elements, packed=True)
                if tokens.accept("vscale"):
                    hint = "compile for vectors of a fixed length"
                    raise InputError(f"scalable vectors can't be differentiated: {tokens.line.strip()}", hint=hint)
                n = tokens.number()
                tokens.expect("x")
                element = self.type(tokens)
                tokens.expect(">")
                return vector(n, element)
        if word in _FLOATS:
            return Type(word, "float")
        if word[0] == "i" and word[1:].isdigit():
            return Type(word, "int", int(word[1:]))
        if word[0] == "%":
            return self.named(word)
        if word == "target":
            start = tokens.at
            tokens.skip_balanced()
            return Type(word + "".join(tokens.texts[start : tokens.at]), "token")
        raise tokens.unreadable(f"no type {word!r}")

    def struct_type(self, tokens: Tokens, end: str) -> Type:
        fields = []
        while not tokens.accept(end):
            fields.append(self.type(tokens))
            tokens.accept(",")
        return struct(fields)

    def at_type(self, tokens: Tokens) -> bool:
        """Whether a type begins here."""
        word = tokens.peek()
        return word in ("ptr", "void", "[", "{", "<", "label", "metadata", "token", "target") or (
            word in _FLOATS or (word[:1] == "i" and word[1:].isdigit()) or word in self.type_lines
        )

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
            inner = self.type(tokens)
            self.operand(tokens, inner)
        written = tokens.line[tokens.spans[start][0] : tokens.spans[tokens.at - 1][1]]
        return Constant(type, written)

    # -- functions --------------------------------------------------------------------------------------------------

    def read_header(self, line: str) -> Function:
        header = line.rstrip().removesuffix("{").rstrip()
        stripped, metadata = _strip_function_metadata(header)
        tokens = Tokens(stripped)
        tokens.next()  # define or declare
        start = tokens.at
        while not self.at_type(tokens):
            tokens.next()
            if tokens.peek() == "(":
                tokens.skip_balanced()
        result_attributes = " ".join(tokens.texts[start : tokens.at])
        result = self.simple_type(tokens)
        ref = tokens.next()
        arguments: list[Argument] = []
        variadic = False
        tokens.expect("(")
        while not tokens.accept(")"):
            if tokens.accept("..."):
                variadic = True
                continue
            type = self.type(tokens)
            start = tokens.at
            while tokens.peek() not in (",", ")") and tokens.kinds[tokens.at] != "local":
                tokens.next()
                if tokens.peek() == "(":
                    tokens.skip_balanced()
            begin = tokens.spans[start][0]
            attributes = stripped[begin : tokens.spans[tokens.at][0]].strip()
            name = tokens.next() if tokens.kinds[tokens.at] == "local" else f"%{len(arguments)}"
            arguments.append(Argument(type, name, len(arguments), attributes))
            tokens.accept(",")
        rest = stripped[tokens.spans[tokens.at - 1][1] :]
        groups = " ".join(self.module.groups.get(g, "") for g in re.findall(r"#\d+", rest))
        name = ref[1:].strip('"')
        function = Function(name, ref, result, arguments, variadic, header, f"{rest} {groups}", result_attributes)
        function.metadata = metadata
        function.personality = rest.partition(" personality ")[2].strip()
        self.module.functions[name] = function
        self.global_value(ref)
        return function

    def read_body(self, function: Function, lines: list[str]) -> None:
        self.locals = {a.ref: a for a in function.arguments}
        pending: list[tuple[Instruction, str]] = []
        block: Block | None = None
        i = 0
        while i < len(lines):
            line = lines[i]
            i += 1
            if not line or line.startswith("    #dbg") or line[0] == ";":
                continue
            if line[0] != " ":
                m = _LABEL.match(line)
                if m is None:
                    raise InputError(f"can't read this LLVM IR: {line}")
                block = Block(f"%{m[1]}", function, len(function.blocks))
                function.blocks.append(block)
                self.locals[block.ref] = block
                continue
            if block is None:  # an entry without a label is numbered after the arguments without names
                unnamed = sum(a.name.isdigit() for a in function.arguments)
                block = Block(f"%{unnamed}", function, 0)
                function.blocks.append(block)
                self.locals[block.ref] = block
            if line.lstrip().startswith("switch ") and not re.search(r"\](?:, !.*)?$", line):
                while not lines[i].startswith("  ]"):
                    line += lines[i]
                    i += 1
                line += lines[i]
                i += 1
            else:
                while i < len(lines) and lines[i].startswith("          "):  # invoke's labels, landingpad's clauses
                    line += " " + lines[i].strip()
                    i += 1
            m = _ASSIGN.match(line)
            instruction = Instruction(m[1] if m else "", block, len(block.instructions))
            block.instructions.append(instruction)
            if m:
                self.locals[m[1]] = instruction
            pending.append((instruction, line[m.end() :] if m else line.strip()))
        for instruction, text in pending:
            self.instruction(instruction, text)
        for b in function.blocks:
            for successor in b.successors:
                successor.predecessors.append(b)

    # -- instructions -----------------------------------------------------------------------------------------------

    def instruction(self, out: Instruction, line: str) -> None:
        line, out.metadata = _strip_metadata(line)
        tokens = Tokens(line)
        builder = _Operands(self, tokens, out)
        opcode = tokens.next()
        while opcode in _PREFIXES:
            opcode = tokens.next()
        out.opcode = opcode
        if opcode in _BINARY or opcode == "fneg":
            out.flags = tokens.flags()
            out.type = self.type(tokens)
            builder.add(out.type)
            if opcode != "fneg":
                tokens.expect(",")
                builder.add(out.type)
        elif opcode in _CASTS:
            out.flags = tokens.flags()
            builder.typed()
            tokens.expect("to")
            out.type = self.type(tokens)
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
        return self.add(self.reader.type(self.tokens))

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
    out.type = reader.type(tokens)
    ops.add(out.type)
    tokens.expect(",")
    ops.typed()


def _phi(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.type = reader.type(tokens)
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
    out.type = reader.type(tokens)
    tokens.expect(",")
    ops.typed()
    _memory_tail(tokens, out)


def _store(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    stored = reader.type(tokens)
    ops.add(stored)
    out.info["type"] = stored
    tokens.expect(",")
    ops.typed()
    _memory_tail(tokens, out)


def _alloca(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    while tokens.peek() in ("inalloca", "swifterror"):
        tokens.next()
    out.info["type"] = reader.type(tokens)
    out.type = PTR
    while tokens.accept(","):
        if reader.at_type(tokens):
            ops.typed()
        else:
            break
    tokens.at = 0
    _memory_tail(tokens, out)


def _gep(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.flags = tokens.flags()
    out.info["type"] = reader.type(tokens)
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
    while not reader.at_type(tokens):
        word = tokens.next()
        if tokens.peek() == "(" and not (_CONVENTIONS.match(word) and tokens.kinds[tokens.at] == "number"):
            tokens.skip_balanced()
    out.info["result_attributes"] = " ".join(tokens.texts[start : tokens.at])
    written = reader.simple_type(tokens)
    if tokens.peek() == "(":
        written = reader.function_type(tokens, written)
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
        type = reader.type(tokens)
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
    out.info["attributes"] = " ".join(
        reader.module.groups.get(t, t) for t in tokens.texts[tokens.at :] if t not in (",", "to", "unwind", "label")
    )
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
    aggregate = reader.type(tokens)
    ops.add(aggregate)
    out.info["indices"] = _indices(tokens)
    out.type = aggregate.at(out.indices)


def _insertvalue(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.type(tokens)
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
    of = reader.type(tokens)
    ops.add(of)
    out.type = of.element
    tokens.expect(",")
    ops.typed()


def _insertelement(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.type(tokens)
    ops.add(out.type)
    tokens.expect(",")
    ops.typed()
    tokens.expect(",")
    ops.typed()


def _shufflevector(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    of = reader.type(tokens)
    ops.add(of)
    tokens.expect(",")
    ops.typed()
    tokens.expect(",")
    mask_type = reader.type(tokens)
    mask = reader.operand(tokens, mask_type)
    out.type = vector(mask_type.count, of.element)
    out.info["mask"] = _mask(mask.ref, mask_type.count)


def _mask(text: str, count: int) -> tuple[int, ...]:
    """The lanes that a shuffle takes; -1 where any will do."""
    if text == "zeroinitializer":
        return (0,) * count
    if text in ("poison", "undef"):
        return (-1,) * count
    if splat := re.fullmatch(r"splat \(i32 (-?\d+)\)", text):
        return (int(splat[1]),) * count
    return tuple(-1 if w in ("poison", "undef") else int(w) for w in re.findall(r"i32 (-?\w+)", text))


def _freeze(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.type(tokens)
    ops.add(out.type)


def _atomicrmw(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    tokens.flags()
    out.info["operation"] = tokens.next()
    ops.typed()
    tokens.expect(",")
    out.type = reader.type(tokens)
    ops.add(out.type)


def _cmpxchg(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    while not reader.at_type(tokens):
        tokens.next()
    ops.typed()
    tokens.expect(",")
    compared = reader.type(tokens)
    ops.add(compared)
    tokens.expect(",")
    ops.typed()
    out.type = struct([compared, I1])


def _landingpad(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    out.type = reader.type(tokens)


def _resume(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()


def _va_arg(reader: _Reader, tokens: Tokens, ops: _Operands, out: Instruction) -> None:
    ops.typed()
    tokens.expect(",")
    out.type = reader.type(tokens)


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
    return _Reader(text).read()
