"""What a function takes and gives: from debug info, and where there is none, from LLVM's types.

Read from the text of a module as the front end made it, when all of its debug info is still there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from gradir.machine.ir import Function, Module
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.metadata import Node
from gradir.machine.ir.text.reader import read
from gradir.machine.ir.text.tokens import Tokens

__all__ = [
    "Argument",
    "Array",
    "Descriptor",
    "Member",
    "Parameter",
    "Pointer",
    "Scalar",
    "Several",
    "Signature",
    "Struct",
    "Type",
    "Unknown",
    "View",
    "holds_floats",
    "parameters",
    "parameters_of",
    "signatures",
]


# -- Types -----------------------------------------------------------------------------------------------------------


_KIND_NAMES = {"f": "float", "c": "complex", "u": "uint"}


@dataclass(frozen=True)
class Scalar:
    """A number: `kind` is NumPy's letter for it (f, i, u, b, c), and `bits` its size in memory."""

    kind: str
    bits: int
    name: str = ""

    @cached_property
    def dtype(self) -> np.dtype[np.generic] | None:
        if self.kind == "b":
            return np.dtype(np.bool_) if self.bits == 8 else np.dtype(f"i{self.bits // 8}")
        try:
            return np.dtype(f"{self.kind}{self.bits // 8}")
        except TypeError:
            return None

    @property
    def is_float(self) -> bool:
        return self.kind in "fc"

    def __str__(self) -> str:
        return self.name or f"{_KIND_NAMES.get(self.kind, 'int')}{self.bits}"


@dataclass(frozen=True)
class Pointer:
    """An address. `target` is None where nobody says of what (`void *`); it may be written as a reference."""

    target: Type | None = None
    const: bool = False
    is_reference: bool = field(default=False, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{'const ' if self.const else ''}{self.target or 'void'} {'&' if self.is_reference else '*'}"


@dataclass(frozen=True)
class Array:
    """Elements in a row. An extent that is only known at run time is None."""

    element: Type
    extents: tuple[int | None, ...]

    def __str__(self) -> str:
        return f"{self.element}{''.join('[]' if n is None else f'[{n}]' for n in self.extents)}"


@dataclass(frozen=True)
class Descriptor:
    """A Fortran array that carries its shape: `real :: a(:,:)`."""

    element: Type
    rank: int

    def __str__(self) -> str:
        return f"{self.element}({','.join(':' * self.rank)})"


@dataclass(frozen=True)
class View:
    """A NumPy array as Numba takes it: address, shape, and where `order` is "A" the strides, each a parameter.

    `extents` has those that its shape must have, and None for others; it is empty where none is fixed.
    """

    element: Scalar
    rank: int
    order: str = "C"
    extents: tuple[int | None, ...] = ()

    @property
    def parameter_count(self) -> int:
        return 1 + self.rank * (2 if self.order == "A" else 1)

    def __str__(self) -> str:
        return f"array({self.element}, {self.rank}d, {self.order})"


@dataclass(frozen=True)
class Member:
    name: str
    offset: int
    type: Type


@dataclass(frozen=True)
class Struct:
    """Named members at byte offsets. A union has several at one."""

    name: str
    size: int
    members: tuple[Member, ...] = ()

    @property
    def dtype(self) -> np.dtype[np.void]:
        """NumPy's type of the same layout, to make arrays of."""
        known = [(m, d) for m in self.members if (d := _dtype(m.type)) is not None]
        return np.dtype(
            {
                "names": [m.name for m, _ in known],
                "formats": [d for _, d in known],
                "offsets": [m.offset for m, _ in known],
                "itemsize": self.size,
            }
        )

    def __str__(self) -> str:
        return f"struct {self.name}"


def _dtype(type_: Type) -> Any:
    match type_:
        case Pointer():
            return np.dtype(np.uintp)
        case Array(element, extents) if None not in extents:
            inner = _dtype(element)
            return None if inner is None else np.dtype((inner, tuple(n or 0 for n in extents)))
        case Scalar() | Struct():
            return type_.dtype
    return None


def holds_floats(type_: Type | None) -> bool | None:
    """Whether memory of a type holds floats; None if nobody knows."""
    match type_:
        case Scalar():
            return type_.is_float
        case Array(element) | Descriptor(element) | View(element):
            return holds_floats(element)
        case Struct(members=members):
            found = [holds_floats(m.type) for m in members]
            return True if True in found else None if None in found else False
        case Pointer(target):
            return holds_floats(target)
    return None


@dataclass(frozen=True)
class Unknown:
    """A type that LLVM's spelling alone is known of."""

    text: str = ""

    def __str__(self) -> str:
        return self.text or "?"


@dataclass(frozen=True)
class Several:
    """Several results of one function: a tuple, in Python."""

    types: tuple[Scalar, ...]

    def __str__(self) -> str:
        return f"({', '.join(map(str, self.types))})"


Type = Scalar | Pointer | Array | Descriptor | View | Struct | Several | Unknown


@dataclass(frozen=True)
class Parameter:
    """One parameter of an LLVM function: its type as text, its name, and the attributes that LLVM gave it."""

    type: str
    name: str = ""
    attributes: str = ""

    @cached_property
    def said(self) -> Attributes:
        return Attributes(self.attributes)

    def has(self, attribute: str) -> bool:
        return self.said.has(attribute)

    @cached_property
    def minimum_bytes(self) -> int:
        """How much memory there must be at an address: what LLVM knows to be there, or to be written in any case."""
        there = int(self.said.value("dereferenceable") or 0)
        written = Tokens(self.said.value("initializes") or "").texts  # (0, 8), (16, 24): from and to
        ends = [int(text) for text, after in pairwise(written) if after == ")"]
        return max(there, *ends, 0)


@dataclass(frozen=True)
class Argument:
    """One argument. `by_reference` ones are values in the source whose address is passed, as Fortran does."""

    name: str
    type: Type
    by_reference: bool = False

    @cached_property
    def pointee(self) -> Type | None:
        """What the address that is passed points to; None for what is passed as a value."""
        if self.by_reference:
            return self.type
        if isinstance(self.type, Pointer):
            return self.type.target or Unknown("void")
        return None

    @cached_property
    def is_const(self) -> bool:
        return isinstance(self.type, Pointer) and self.type.const

    def __str__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclass(frozen=True)
class Signature:
    """What a function takes and gives.

    `symbol` is its name for the linker, `name` the one in the source. `parameters` are LLVM's; where they can't be
    matched with the source's arguments (a struct passed by value in pieces), `arguments` are made of them.
    """

    symbol: str
    name: str
    arguments: tuple[Argument, ...]
    result: Type | None
    parameters: tuple[Parameter, ...] = field(default=(), compare=False, repr=False)
    result_type: str = "void"
    location: str | None = None
    scope: str = field(default="", compare=False)
    """The namespaces, classes or modules that it stands in, with `::` between."""

    @property
    def qualified(self) -> str:
        return f"{self.scope}::{self.name}" if self.scope else self.name

    def __str__(self) -> str:
        given = ", ".join(str(a) for a in self.arguments if not a.name.startswith("gradir."))
        return f"{self.name}({given}) -> {self.result or 'nothing'}"


# -- LLVM's side -----------------------------------------------------------------------------------------------------


def parameters(line: str) -> tuple[str, tuple[Parameter, ...], str]:
    """The name, parameters and result type of a `define` line.

    >>> parameters("define noundef double @f(ptr readonly captures(none) %x, i32 %n) {")
    ('f', (Parameter(type='ptr', name='x', attributes='readonly captures(none)'),
           Parameter(type='i32', name='n', attributes='')), 'double')
    """
    (function,) = read(f"{line}\n}}\n").functions.values()
    return function.name, parameters_of(function), function.result.text


def parameters_of(function: Function) -> tuple[Parameter, ...]:
    return tuple(Parameter(a.type.text, a.name, str(a.attributes)) for a in function.arguments)


_LLVM_FLOATS = {"half": 16, "float": 32, "double": 64, "x86_fp80": 128, "fp128": 128}


def _type_of_llvm(text: str) -> Type:
    if text == "ptr":
        return Pointer()
    if text in _LLVM_FLOATS:
        return Scalar("f", _LLVM_FLOATS[text])
    if text[0] == "i" and text[1:].isdigit():
        return Scalar("b", 8) if text == "i1" else Scalar("i", int(text[1:]))
    return Unknown(text)


# -- Debug info ------------------------------------------------------------------------------------------------------


def signatures(text: str) -> dict[str, Signature]:
    """The functions that a module defines and that can be called from outside, by symbol."""
    module = read(text)
    info = _DebugInfo(module)
    return {f.name: info.signature(f) for f in module.definitions if f.signature.linkage not in _LOCAL}


_LOCAL = frozenset({"internal", "private", "linkonce", "linkonce_odr", "available_externally"})


_ENCODINGS = {
    "DW_ATE_float": "f",
    "DW_ATE_complex_float": "c",
    "DW_ATE_signed": "i",
    "DW_ATE_signed_char": "i",
    "DW_ATE_unsigned": "u",
    "DW_ATE_unsigned_char": "u",
    "DW_ATE_UTF": "u",
    "DW_ATE_boolean": "b",
}


_QUALIFIERS = frozenset(f"DW_TAG_{name}_type" for name in ("const", "volatile", "restrict", "atomic"))


class _DebugInfo:
    """What the debug information of a module says of its functions."""

    def __init__(self, module: Module) -> None:
        self.nodes = module.nodes
        self.types: dict[Node, Type] = {}

    @cached_property
    def variables(self) -> Mapping[Node, dict[int, Node]]:
        """For each subprogram, its arguments by their number."""
        found: dict[Node, dict[int, Node]] = {}
        for variable in self.nodes.of_kind("DILocalVariable"):
            scope, number = variable.node("scope"), variable.number("arg")
            if scope is not None and number is not None:
                found.setdefault(scope, {})[number] = variable
        return found

    def signature(self, function: Function) -> Signature:
        symbol, given, result = function.name, parameters_of(function), function.result.text
        plain = tuple(
            Argument(p.name if p.name and not p.name.isdigit() else f"arg{i}", _type_of_llvm(p.type))
            for i, p in enumerate(given)
        )
        result_type = None if result == "void" else _type_of_llvm(result)
        subprogram = self.nodes.node(function.metadata.get("dbg"))
        if subprogram is None or subprogram.kind != "DISubprogram":
            return Signature(symbol, symbol, plain, result_type, given, result)
        name, location = subprogram.string("name") or symbol, _location(subprogram)
        described = subprogram.node("type")
        types = described.nodes("types") if described is not None else []
        gives = types[0] if types else None
        # flang 19 forgets to say that a subroutine gives nothing
        has_result = not (result == "void" and gives is not None and len(types) == len(given))
        arguments, scope = self.arguments(function, subprogram, types[has_result:], given), _scope(subprogram)
        if arguments is None:
            return Signature(symbol, name, plain, result_type, given, result, location, scope)
        if gives is not None and result != "void":
            result_type = self.type(gives)
        return Signature(symbol, name, arguments, result_type, given, result, location, scope)

    def arguments(
        self, function: Function, subprogram: Node, types: Sequence[Node | None], given: tuple[Parameter, ...]
    ) -> tuple[Argument, ...] | None:
        """The source's arguments, if they are LLVM's parameters one by one."""
        variables = self.variables.get(subprogram, {})
        if len(types) != len(given):
            if sorted(variables) != list(range(1, len(given) + 1)):
                return None
            types = [variables[i + 1].node("type") for i in range(len(given))]
        found = []
        for i, (node, parameter) in enumerate(zip(types, given, strict=True)):
            variable = variables[i + 1] if i + 1 in variables else self.variable_of(function, subprogram, parameter)
            name = variable.string("name") if variable is not None else None
            if not name:
                name = parameter.name if parameter.name and not parameter.name.isdigit() else f"arg{i}"
            argument = _fitted(name, self.type(node), parameter)
            if argument is None:
                return None
            found.append(argument)
        return tuple(found)

    def variable_of(self, function: Function, subprogram: Node, parameter: Parameter) -> Node | None:
        """The variable whose value a parameter is, where the variable doesn't say that it is an argument."""
        record = f"    #dbg_value({parameter.type} %{parameter.name}, "
        for line in (function.body or "").split("\n"):
            if line.startswith(record):
                variable = self.nodes.node(line.removeprefix(record).partition(",")[0])
                if variable is not None and variable.node("scope") is subprogram:
                    return variable
        return None

    def type(self, node: Node | None) -> Type:
        if node is None:
            return Unknown("void")
        if node not in self.types:
            self.types[node] = Unknown("a type that holds itself")
            self.types[node] = self.read_type(node)
        return self.types[node]

    def read_type(self, node: Node) -> Type:
        name, size = node.string("name") or "", node.number("size")
        match node.tag:
            case "DIBasicType" if node.word("encoding") in _ENCODINGS and size is not None:
                return Scalar(_ENCODINGS[node.word("encoding")], size, name)
            case "DIBasicType":
                return Unknown(name)
            case "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type":
                target = node.node("baseType")
                is_reference = node.tag != "DW_TAG_pointer_type"
                const = _is_const(target) or name.startswith("*const ")  # as Rust says it
                return Pointer(None if target is None else self.type(target), const, is_reference)
            case "DW_TAG_array_type":
                return self.array(node)
            case "DW_TAG_enumeration_type":
                return Scalar("i", size or 32, name)
            case "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type":
                return Struct(name, (size or 0) // 8, tuple(self.members(node)))
            case "DISubroutineType":
                return Unknown("function")
            case tag if tag == "DW_TAG_typedef" or tag in _QUALIFIERS:
                return self.type(node.node("baseType"))
            case other:
                return Unknown(name or other)

    def array(self, node: Node) -> Type:
        lengths = [bound.number("count") if bound is not None else None for bound in node.nodes("elements")]
        element = self.type(node.node("baseType"))
        if "dataLocation" in node:
            return Descriptor(element, len(lengths))
        return Array(element, tuple(n if n is not None and n >= 0 else None for n in lengths))

    def members(self, record: Node, base: int = 0, depth: int = 0) -> Iterator[Member]:
        for member in record.nodes("elements"):
            if member is None:
                continue
            offset = base + (member.number("offset") or 0) // 8
            inner = member.node("baseType")
            if member.tag == "DW_TAG_inheritance" and inner is not None and depth < _NESTING:
                yield from self.members(inner, offset, depth + 1)
            elif member.tag == "DW_TAG_member" and "DIFlagStaticMember" not in member.words("flags"):
                yield Member(member.string("name") or "", offset, self.type(inner))


_NESTING = 64
"""How deep bases and typedefs are followed: broken debug information may go in a circle."""


def _is_const(type_: Node | None) -> bool:
    for _ in range(_NESTING):
        if type_ is None or not (type_.tag == "DW_TAG_typedef" or type_.tag in _QUALIFIERS):
            return False
        if type_.tag == "DW_TAG_const_type":
            return True
        type_ = type_.node("baseType")
    return False


_SCOPES = frozenset({"DINamespace", "DICompositeType", "DIModule"})


def _scope(subprogram: Node) -> str:
    """What a function stands in, from the outside in."""
    found: list[str] = []
    scope = subprogram.node("scope")
    while scope is not None and scope.kind in _SCOPES and len(found) < _NESTING:
        found.insert(0, scope.string("name") or "(anonymous)")
        scope = scope.node("scope")
    return "::".join(found)


def _location(subprogram: Node) -> str | None:
    file = subprogram.node("file")
    name = file.string("filename") if file is not None else None
    return f"{name}:{subprogram.number('line') or 0}" if name else None


def _fitted(name: str, type_: Type, parameter: Parameter) -> Argument | None:
    """An argument of the source as LLVM passes it, or None if it does so in another way."""
    if parameter.has("byval") or parameter.has("sret"):
        return None
    if parameter.type == "ptr":
        return Argument(name, type_, by_reference=not isinstance(type_, Pointer))
    passed = _type_of_llvm(parameter.type)
    if isinstance(type_, Scalar) and isinstance(passed, Scalar) and type_.is_float == passed.is_float:
        return Argument(name, type_)
    return None
