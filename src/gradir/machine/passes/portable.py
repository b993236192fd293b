"""A module that older LLVMs read too: what newer ones have added is dropped or said in the old words.

A derivative is made by the LLVM inside llvmlite; what compiles and links it is the user's, often some versions behind.
All that is dropped are facts that help the optimiser, which has had its turn.

What comes out of this is read by LLVM 17 and newer (15 and 16 too, but for the debug records of LLVM 19).
"""

from __future__ import annotations

from gradir.errors import InputError
from gradir.machine.ir import I32, Argument, Constant, Function, Instruction, Module
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.instructions import call, constant
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import Tokens, without_words, words

__all__ = ["portable", "run"]

_NEW_ATTRIBUTES = words(
    """captures initializes range nofpclass dead_on_return dead_on_unwind writable nocreateundeforpoison noext nooutline
    nodivergencesource"""
)
_NEW_MEMORY = ("errnomem", "target_mem")
_NEW_FLAGS = {opcode: words("samesign disjoint nneg nuw nsw") for opcode in ("icmp", "trunc", "or", "zext", "uitofp")}
_NEW_FLAGS["getelementptr"] = _ADDRESS_FLAGS = words("nuw nusw")
_NEW_FIELDS = words("keyInstructions atomGroup atomRank")
_MATH = words("tan asin acos atan atan2 sinh cosh tanh exp10 ldexp")
_SUFFIXES = {"f32": "f", "f64": "", "f80": "l"}
_SIGNS = (
    *(f" {word}" for word in _NEW_ATTRIBUTES | _NEW_FLAGS["icmp"] | _ADDRESS_FLAGS),
    "splat (", "inrange(", *_NEW_MEMORY, "@llvm.lifetime.", "@llvm.masked.", *(f"@llvm.{name}." for name in _MATH),
)  # fmt: skip
"""What a body contains if anything in it is new."""


def portable(text: str) -> str:
    """The text of a module for older LLVMs.

    >>> portable("declare double @f(ptr captures(none), i32)").strip()
    'declare double @f(ptr nocapture, i32)'
    """
    module = read(text)
    run(module)
    return str(module)


def run(module: Module) -> None:
    """Say all in old words."""
    for said in module.groups.values():
        _say_in_old_words(said)
    for function in list(module.functions.values()):
        if any(word in function.header for word in (*_NEW_ATTRIBUTES, *_NEW_MEMORY)):
            signature = function.signature
            for said in (
                signature.attributes,
                signature.result_attributes,
                *(a.attributes for a in signature.arguments),
            ):
                _say_in_old_words(said)
        if not function.is_declaration and any(map(function.may_hold, _SIGNS)):
            for i in _instructions(function):
                _rewrite(module, i)
    for function in [f for f in module.functions.values() if f.is_declaration]:
        _rewrite_declaration(module, function)
    for g in module.variables:
        if g.initializer is not None and ("inrange(" in g.initializer or "nuw " in g.initializer):
            g.parts.initializer = _old_expression(g.initializer)
    for name, text in module.metadata.items():
        if any(word in text for word in _NEW_FIELDS):
            module.metadata[name] = _without_fields(text)


def _instructions(function: Function) -> list[Instruction]:
    """None of a function that can't be read: no derivative was made of it, and it is printed as it was written."""
    try:
        return list(function.instructions())
    except InputError:
        return []


# -- Attributes and metadata -----------------------------------------------------------------------------------------


def _say_in_old_words(said: Attributes) -> None:
    if said.value("captures") == "none":
        said.add("nocapture")
    said.remove(*_NEW_ATTRIBUTES)
    if any(word in (said.value("memory") or "") for word in _NEW_MEMORY):
        said.remove("memory")


def _without_fields(text: str) -> str:
    """A node without the fields that are new, each with the comma before it."""
    tokens, gone = Tokens(text), []
    for n, word in enumerate(tokens.texts):
        if word in _NEW_FIELDS and tokens.texts[n + 1 : n + 2] == [":"]:
            gone.append((tokens.spans[n - 1][0], tokens.spans[n + 2][1]))
    return _cut(text, gone)


def _cut(text: str, gone: list[tuple[int, int]]) -> str:
    for begin, end in reversed(gone):
        text = text[:begin] + text[end:]
    return text


# -- Instructions ----------------------------------------------------------------------------------------------------


def _rewrite(module: Module, i: Instruction) -> None:
    if i.opcode in _NEW_FLAGS and i.flags & _NEW_FLAGS[i.opcode]:
        i.pieces[0] = without_words(i.pieces[0], _NEW_FLAGS[i.opcode])
        i.flags -= _NEW_FLAGS[i.opcode]
    for k, operand in enumerate(i.operands):
        if isinstance(operand, Constant) and (old := _old_constant(module, operand)) != operand.ref:
            i.set_operand(k, Constant(operand.type, old, operand.globals))
    name = i.callee_name
    if i.opcode not in ("call", "invoke"):
        return
    if any(word in piece for piece in i.pieces for word in (*_NEW_ATTRIBUTES, *_NEW_MEMORY)):
        i.pieces = [_old_attributes(piece) for piece in i.pieces]
    if name is None or not name.startswith("llvm."):
        return
    if name.startswith("llvm.lifetime."):
        i.erase()
    elif name.startswith("llvm.masked."):
        _pass_alignment(i, name)
    elif (function := _math_function(name)) is not None:
        _call_libm(module, i, function)


def _old_constant(module: Module, value: Constant) -> str:
    if value.type.kind == "vector" and value.ref.startswith("splat "):
        parts = read_constant(value.type, value.ref, module.types).parts
        return f"<{', '.join(f'{part.type} {part.text}' for part in parts)}>"
    return _old_expression(value.ref) if "getelementptr" in value.ref else value.ref


def _old_expression(text: str) -> str:
    """A constant whose addresses say less of how they were computed."""
    tokens, gone = Tokens(text), list[tuple[int, int]]()
    while tokens.at < len(tokens.texts):
        begin = tokens.spans[tokens.at][0]
        word, is_word = tokens.peek(), tokens.kinds[tokens.at] == "word"
        tokens.next()
        if is_word and word == "inrange":
            tokens.skip_balanced()
        if is_word and (word in _ADDRESS_FLAGS or word == "inrange"):
            gone.append((begin, _next(tokens, text)))
    return _cut(text, gone)


def _next(tokens: Tokens, text: str) -> int:
    """Where the next token begins."""
    return tokens.spans[tokens.at][0] if tokens.at < len(tokens.texts) else len(text)


def _old_attributes(piece: str) -> str:
    """What stands between the operands of a call, without attributes that are new."""
    tokens, made, at = Tokens(piece), "", 0
    while tokens.at < len(tokens.texts):
        begin = tokens.spans[tokens.at][0]
        word = tokens.next()
        if word not in _NEW_ATTRIBUTES and word != "memory":
            continue
        if tokens.peek() == "(":
            tokens.skip_balanced()
        said = Attributes(piece[begin : tokens.spans[tokens.at - 1][1]])
        _say_in_old_words(said)
        made += piece[at:begin] + (f"{said} " if len(said) else "")
        at = _next(tokens, piece)
    return made + piece[at:]


def _math_function(name: str) -> str | None:
    """The function of libm for an intrinsic that LLVM 17 doesn't know."""
    match name.split("."):
        case ["llvm", function, type, *_] if function in _MATH and type in _SUFFIXES:
            return function + _SUFFIXES[type]
    return None


def _call_libm(module: Module, i: Instruction, name: str) -> None:
    if name not in module.functions:  # what is said of an intrinsic may not hold for the function
        extend(module, f"declare {i.type} @{name}({', '.join(str(a.type) for a in i.arguments)})")
    i.set_operand(len(i.operands) - 1, module.globals[name])


def _masked_pointer(name: str) -> int | None:
    """Which operand of a masked access is the pointer."""
    return {"load": 0, "gather": 0, "store": 1, "scatter": 1}.get(name.split(".")[2])


def _pass_alignment(i: Instruction, name: str) -> None:
    """Until LLVM 21 the alignment of a masked access was an operand, not an attribute of the pointer."""
    at = _masked_pointer(name)
    if at is None:
        return
    attributes: list[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    align = int(Attributes(attributes[at]).value("align") or 1)
    made = call(i.type, i.callee, [*i.arguments[: at + 1], constant(I32, align), *i.arguments[at + 1 :]])
    made.ref, made.metadata = i.ref, i.metadata
    i.insert_before(made)
    i.erase(made)


def _rewrite_declaration(module: Module, function: Function) -> None:
    name = function.name
    if name.startswith("llvm.lifetime.") or _math_function(name) is not None:
        if (other := _math_function(name)) is not None and other not in module.functions:
            types = ", ".join(str(a.type) for a in function.arguments)
            extend(module, f"declare {function.result} @{other}({types})")
        module.remove(name)
    elif name.startswith("llvm.masked.") and (at := _masked_pointer(name)) is not None:
        function.arguments[at].attributes.remove("align")
        function.arguments.insert(at + 1, Argument(I32, f"%{at + 1}", at + 1, Attributes()))
