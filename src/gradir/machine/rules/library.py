"""What gradir adds to a module for functions without a body: bodies, registered derivatives, functions that rules call.

The text comes from `library.ll` (compiled from `library.c`), cut to what is asked for. It is a module of its own, to be
linked with the program before that is normalised: `llvm.link([module, llvm.parse(text_for(wanted(str(module))))])`.

- A *body* (`modf`, `cexp`, `__divdc3`) is defined under the function's own name, in the calling convention that the
  program's declaration shows. It is differentiated as any function.
- *Registered derivatives* (`cblas_dgemm`, `dpotrf_`) come with the globals that `registry.py` reads.
- *Functions that rules call* (`gradir.polygamma`) have a rule, and a body which is not to be differentiated. A module
  of derivatives gets them by `with_functions_of_rules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources

from gradir.machine.ir import VOID, Function, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.reader import read
from gradir.machine.rules import blas, reallocate

__all__ = ["provides", "text_for", "wanted", "with_functions_of_rules"]

_ITEM = re.compile(r"^(?:declare|define)[^@]*@([\w.$]+)|^@([\w.$]+) =")
_REFERENCE = re.compile(r"@([\w.$]+)")


@cache
def _text() -> str:
    return resources.files("gradir.machine.rules").joinpath("library.ll").read_text()


@cache
def _types() -> dict[str, str]:
    """The lines that name types."""
    return {m[1]: m[0] for m in re.finditer(r"^(%[\w.]+) = type .*", _text(), flags=re.MULTILINE)}


@cache
def _items() -> dict[str, str]:
    """The functions and globals of library.ll by name."""
    items: dict[str, str] = {}
    for part in re.split(r"^(?=define|declare|@|%)", _text(), flags=re.MULTILINE):
        if m := _ITEM.match(part):
            items[m[1] or m[2]] = part.rstrip()
    return items


@cache
def _core(name: str) -> Function | None:
    """The body of a function in library.ll, which takes complex numbers as two."""
    text = _items().get(f"gradir.body.{name}")
    return (
        read(text.split("{\n")[0].replace("define internal", "declare")).functions[f"gradir.body.{name}"]
        if text
        else None
    )


def provides(function: Function) -> bool:
    """Whether the library has a body or derivatives of a function, called as this declaration says."""
    if function.name.startswith("gradir."):
        return function.name in _items()
    core = _core(function.name)
    if core is not None:
        return _fits(function, core)
    return blas.spelling(function) is not None or reallocate.body(function) is not None


def wanted(text: str) -> list[Function]:
    """The functions that a module declares and the library provides.

    >>> [f.name for f in wanted("declare double @modf(double, ptr)\\ndeclare double @exp(double)")]
    ['modf']
    """
    lines = [line for line in text.split("\n") if line.startswith(("declare ", "attributes #", "%"))]
    return [f for f in read("\n".join(lines)).functions.values() if provides(f)]


def with_functions_of_rules(text: str) -> str:
    """The module with the bodies of gradir's own functions that it declares."""
    own = [f for f in wanted(text) if f.name.startswith("gradir.")]
    if not own:
        return text
    defined = {_named(line) for line in text.split("\n") if line.startswith(("define", "@"))}
    declared = {_named(line) for line in text.split("\n") if line.startswith("declare")}
    # Of a derivative of a derivative, the first already brought some of it along.
    parts = [
        p for p in re.split(r"^(?=define|declare|@)", text_for(own), flags=re.MULTILINE) if _named(p) not in defined
    ]
    parts = [p for p in parts if not (p.startswith("declare") and _named(p) in declared)]
    given = {_named(p) for p in parts if not p.startswith("declare")}
    kept = [line for line in text.split("\n") if not (line.startswith("declare") and _named(line) in given)]
    return "\n".join([*kept, *parts])


def _named(line: str) -> str:
    m = _ITEM.match(line)
    return (m[1] or m[2]) if m else ""


def text_for(functions: Iterable[Function]) -> str:
    """The text of a module that holds what the library has for these declarations (and what that needs in turn)."""
    wanted, done, parts = list(functions), set[str](), _Parts()
    forms: dict[str, blas.Spelling] = {}
    for named in filter(None, map(blas.spelling, wanted)):
        if named.letter not in forms or forms[named.letter].cblas:  # who calls Fortran's names has them
            forms[named.letter] = named
    while wanted:
        function = wanted.pop(0)
        if function.name in done:
            continue
        done.add(function.name)
        if function.name.startswith("gradir."):
            parts.add_item(function.name, public=True)
        elif (core := _core(function.name)) and _fits(function, core):
            parts.add(function.name, _body(function, core, parts.declare))
        elif text := reallocate.body(function):
            definition, _, declarations = text.partition("\n}\n")
            parts.add(function.name, definition + "\n}")
            for line in declarations.split("\n"):
                if line:
                    parts.declare(line)
        elif form := blas.spelling(function):
            parts.add(f"gradir.{function.name}", blas.registration(form, parts.declare))
            forms.setdefault(form.letter, form)
        parts.resolve(forms)
        wanted += [f for f in parts.undefined() if f.name not in done and provides(f)]
    return parts.text()


def _fits(function: Function, core: Function) -> bool:
    shape = [t.text for a in function.arguments for t in _leaves(a.type)]
    expected = [t.text for a in core.arguments for t in _leaves(a.type)]
    results = [[t.text for t in _leaves(f.result)] for f in (function, core)]
    return shape == expected and results[0] == results[1]


def _leaves(type: Type) -> Iterator[Type]:
    """The scalars of a type: a complex number is passed as two, as a vector or as a struct."""
    return iter(()) if type.kind == "void" else (part for _, part in type.parts())


def _body(function: Function, core: Function, declare: Callable[[str], None]) -> str:
    """The function as the program calls it, made of the one that library.ll has."""
    parameters = [(a.type, f"a{a.index}") for a in function.arguments]
    linkage = "linkonce_odr hidden"
    code = Code(function.name, function.result, parameters, declare=declare, linkage=linkage, attributes="alwaysinline")
    scalars = [leaf for p in code.parameters for leaf in _split(p)]
    passed = []
    for argument in core.arguments:
        count = len(list(_leaves(argument.type)))
        passed.append(_joined(code, argument.type, scalars[:count]))
        scalars = scalars[count:]
    result = code.call(VOID if core.result.kind == "void" else core.result, core.name, *passed)
    leaves = [] if core.result.kind == "void" else _split(result)
    code.ret(None if function.result.kind == "void" else _joined(code, function.result, leaves))  # flang: {} for void
    return code.text()


def _split(x: Expr) -> list[Expr]:
    if x.type.kind == "vector":
        return [x.code.emit(x.type.element, f"extractelement {x}, i64 {i}") for i in range(x.type.count)]
    if x.type.is_aggregate:
        members = x.type.elements if x.type.kind == "struct" else [x.type.element] * x.type.count
        parts = [x.code.emit(t, f"extractvalue {x}, {i}") for i, t in enumerate(members)]
        return [leaf for part in parts for leaf in _split(part)]
    return [x]


def _joined(code: Code, type: Type, leaves: list[Expr]) -> Expr:
    if type.kind not in ("vector", "struct", "array"):
        return leaves[0]
    made = Expr(code, type, "poison")
    insert = "insertelement {}, {}, i64 {}" if type.kind == "vector" else "insertvalue {}, {}, {}"
    for i, leaf in enumerate(leaves):
        made = code.emit(type, insert.format(made, leaf, i))
    return made


class _Parts:
    """The pieces of a module in the making."""

    def __init__(self) -> None:
        self.defined: dict[str, str] = {}
        self.declared: dict[str, str] = {}

    def declare(self, line: str) -> None:
        m = _ITEM.match(line)
        assert m is not None
        self.declared.setdefault(m[1], line)

    def add(self, name: str, text: str) -> None:
        self.defined[name] = text
        for m in re.finditer(r"^(?:define[^@]*)?@([\w.$]+)", text, flags=re.MULTILINE):
            self.defined.setdefault(m[1], "")

    def add_item(self, name: str, public: bool = False) -> None:
        text = _items()[name]
        if name.startswith(("gradir.body._FortranA", "gradir.body.numba_xx")):
            text = text.replace(") {\n", ") alwaysinline {\n", 1)  # then descriptors and kinds of number can vanish
        if text.startswith("declare"):
            self.declare(text)
        else:
            self.defined[name] = text.replace("define internal", "define linkonce_odr hidden", 1) if public else text

    def resolve(self, forms: dict[str, blas.Spelling]) -> None:
        """Add what the text refers to, until all of it is there or declared."""
        seen: set[str] = set()
        while True:
            names = {n for text in self.defined.values() for n in _REFERENCE.findall(text)} - seen
            if not names:
                return
            seen |= names
            for name in sorted(names - self.defined.keys()):
                if m := re.fullmatch(r"gradir\.([sd])\.blas\.(\w+)", name):
                    self.defined[name] = blas.primitive(forms[m[1]], m[2], self.declare)
                elif name in _items() and name not in self.declared.keys() - _items().keys():
                    self.add_item(name)

    def undefined(self) -> list[Function]:
        lines = [line for name, line in self.declared.items() if name not in self.defined and "llvm." not in name]
        return list(read("\n".join(lines)).functions.values())

    def text(self) -> str:
        lines = [line for name, line in self.declared.items() if name not in self.defined]
        body = "\n".join([*lines, *(text for text in self.defined.values() if text)]) + "\n"
        types = [line for name, line in _types().items() if name in body]
        return "\n".join([*types, body])
