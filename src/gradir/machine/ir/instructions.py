"""New instructions, ready to be inserted: `store.insert_before(address, load(DOUBLE, address, 8))`.

Each has its operands as values, and gets a name (after its hint) when it is inserted.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.machine.ir.model import Block, Constant, Instruction, Value
from gradir.machine.ir.types import I1, I8, I32, I64, PTR, VOID, Type, struct, vector

__all__ = [
    "add_offset",
    "alloca",
    "atomic_add",
    "binary",
    "branch",
    "call",
    "cast",
    "cleanup_pad",
    "compare",
    "constant",
    "element",
    "equals",
    "extract_lane",
    "extract_value",
    "freeze",
    "insert_lane",
    "insert_value",
    "invoke",
    "jump",
    "load",
    "located",
    "phi",
    "resume",
    "ret",
    "select",
    "shuffle",
    "store",
    "subtract",
    "switch",
]


def _made(
    opcode: str, type: Type, pieces: list[str], operands: list[Value], hint: str = "", /, **info: object
) -> Instruction:
    made = Instruction("")
    made.hint = hint or "v"
    made.opcode, made.type, made.pieces, made.operands, made.info = opcode, type, pieces, operands, dict(info)
    return made


def constant(type: Type, number: int) -> Constant:
    """An integer."""
    return Constant(type, str(number))


def load(type: Type, pointer: Value, align: int, hint: str = "") -> Instruction:
    return _made("load", type, [f"load {type}, {pointer.type} ", f", align {align}"], [pointer], hint, align=align)


def store(value: Value, pointer: Value, align: int) -> Instruction:
    pieces = [f"store {value.type} ", f", {pointer.type} ", f", align {align}"]
    return _made("store", VOID, pieces, [value, pointer], align=align, type=value.type)


def alloca(type: Type, align: int, hint: str = "") -> Instruction:
    return _made("alloca", PTR, [f"alloca {type}, align {align}"], [], hint, type=type, align=align)


def add_offset(pointer: Value, bytes: int, hint: str = "") -> Instruction:
    """The address so many bytes further on."""
    pieces = [f"getelementptr i8, {pointer.type} ", ", i64 ", ""]
    return _made("getelementptr", PTR, pieces, [pointer, constant(I64, bytes)], hint, type=I8)


def element(pointer: Value, index: Value, hint: str = "") -> Instruction:
    """The address as many bytes further on as a value says."""
    pieces = [f"getelementptr i8, {pointer.type} ", f", {index.type} ", ""]
    return _made("getelementptr", PTR, pieces, [pointer, index], hint, type=I8)


def binary(opcode: str, a: Value, b: Value, hint: str = "") -> Instruction:
    return _made(opcode, a.type, [f"{opcode} {a.type} ", ", ", ""], [a, b], hint)


def atomic_add(pointer: Value, value: Value) -> Instruction:
    """Add a float to what lies at an address, at once."""
    pieces = [f"atomicrmw fadd {pointer.type} ", f", {value.type} ", " monotonic"]
    return _made("atomicrmw", value.type, pieces, [pointer, value], operation="fadd", ordering="monotonic")


def subtract(a: Value, b: Value, hint: str = "") -> Instruction:
    return _made("sub", a.type, [f"sub {a.type} ", ", ", ""], [a, b], hint)


def cast(opcode: str, value: Value, type: Type, hint: str = "") -> Instruction:
    return _made(opcode, type, [f"{opcode} {value.type} ", f" to {type}"], [value], hint)


def extract_lane(value: Value, lane: int, hint: str = "") -> Instruction:
    pieces = [f"extractelement {value.type} ", ", i64 ", ""]
    return _made("extractelement", value.type.element, pieces, [value, constant(I64, lane)], hint)


def insert_lane(value: Value, part: Value, lane: int, hint: str = "") -> Instruction:
    pieces = [f"insertelement {value.type} ", f", {part.type} ", ", i64 ", ""]
    return _made("insertelement", value.type, pieces, [value, part, constant(I64, lane)], hint)


def shuffle(value: Value, lanes: Sequence[int], hint: str = "", other: Value | None = None) -> Instruction:
    """Some lanes of a vector, or of two that are counted through, as a vector."""
    mask = ", ".join(f"i32 {lane}" for lane in lanes)
    pieces = [f"shufflevector {value.type} ", f", {value.type} ", f", <{len(lanes)} x i32> <{mask}>"]
    type, both = vector(len(lanes), value.type.element), [value, other or Constant(value.type, "poison")]
    return _made("shufflevector", type, pieces, both, hint, mask=tuple(lanes))


def extract_value(value: Value, path: Sequence[int], hint: str = "") -> Instruction:
    """A member of a struct or an array."""
    pieces = [f"extractvalue {value.type} ", f", {', '.join(map(str, path))}"]
    return _made("extractvalue", value.type.at(path), pieces, [value], hint, indices=tuple(path))


def insert_value(value: Value, part: Value, path: Sequence[int], hint: str = "") -> Instruction:
    """A struct or an array with another member."""
    pieces = [f"insertvalue {value.type} ", f", {part.type} ", f", {', '.join(map(str, path))}"]
    return _made("insertvalue", value.type, pieces, [value, part], hint, indices=tuple(path))


def freeze(value: Value, hint: str = "") -> Instruction:
    """What a value is, or anything if it isn't defined."""
    return _made("freeze", value.type, [f"freeze {value.type} ", ""], [value], hint)


def located(made: Instruction, like: Instruction) -> Instruction:
    """An instruction that comes from the same line of the source as another."""
    made.metadata = {k: v for k, v in like.metadata.items() if k == "dbg"}
    return made


def call(result: Type, callee: Value, arguments: Sequence[Value], hint: str = "") -> Instruction:
    types = [a.type for a in arguments]
    pieces = [f"call {result} ", f"({types[0]} " if types else "()", *(f", {t} " for t in types[1:])]
    if types:
        pieces.append(")")
    return _made(
        "call", result, pieces, [*arguments, callee], hint,
        nargs=len(arguments), argument_attributes=[""] * len(arguments), attributes="", result_attributes="",
        function_type=None,
    )  # fmt: skip


def invoke(result: Type, callee: Value, arguments: Sequence[Value], normal: Block, unwind: Block) -> Instruction:
    """A call that goes on in one block, and with an exception in another."""
    made = call(result, callee, arguments)
    made.opcode = "invoke"
    made.pieces[0] = f"invoke {result} "
    made.pieces[-1] += " to label "
    made.pieces += [" unwind label ", ""]
    made.operands[-1:] = [normal, unwind, callee]
    made.info["normal"] = len(arguments)
    return made


def phi(type: Type, incoming: Sequence[tuple[Value, Block]], hint: str = "") -> Instruction:
    """What a value is, by the block that control comes from."""
    pieces = [f"phi {type} [ ", *[", ", " ], [ "] * (len(incoming) - 1), ", ", " ]"]
    return _made("phi", type, pieces, [part for pair in incoming for part in pair], hint)


def compare(predicate: str, a: Value, b: Value, hint: str = "") -> Instruction:
    return _made("icmp", I1, [f"icmp {predicate} {a.type} ", ", ", ""], [a, b], hint, predicate=predicate)


def equals(a: Value, b: Value, hint: str = "") -> Instruction:
    return compare("eq", a, b, hint)


def select(condition: Value, yes: Value, no: Value, hint: str = "") -> Instruction:
    pieces = [f"select {I1} ", f", {yes.type} ", f", {no.type} ", ""]
    return _made("select", yes.type, pieces, [condition, yes, no], hint)


def jump(target: Block) -> Instruction:
    return _made("br", VOID, ["br label ", ""], [target])


def branch(condition: Value, yes: Block, no: Block) -> Instruction:
    return _made("br", VOID, [f"br {I1} ", ", label ", ", label ", ""], [condition, yes, no])


def switch(value: Value, default: Block, cases: Sequence[tuple[int, Block]]) -> Instruction:
    pieces = [f"switch {value.type} ", ", label "]
    operands: list[Value] = [value, default]
    before = " [ "
    for number, target in cases:
        pieces += [f"{before}{value.type} ", ", label "]
        operands += [constant(value.type, number), target]
        before = " "
    pieces.append(" ]" if cases else " [ ]")
    return _made("switch", VOID, pieces, operands)


def cleanup_pad(hint: str = "") -> Instruction:
    """What any exception comes to that is to go on."""
    return _made("landingpad", struct([PTR, I32]), ["landingpad { ptr, i32 } cleanup"], [], hint)


def ret(value: Value | None) -> Instruction:
    return _made("ret", VOID, ["ret void"] if value is None else [f"ret {value.type} ", ""], [value] if value else [])


def resume(thrown: Value) -> Instruction:
    """Let an exception go on."""
    return _made("resume", VOID, [f"resume {thrown.type} ", ""], [thrown])
