"""What gradir adds to a module for functions without a body: bodies, registered derivatives, functions that rules call.

The text comes from `library.ll` (compiled from `library.c`), cut to what is asked for. It is a module of its own, to be
linked with the program before that is normalised.

- A *body* (`modf`, `cexp`, `__divdc3`) is defined under the function's own name, in the calling convention that the
  program's declaration shows. It is differentiated as any function.
- *Registered derivatives* (`cblas_dgemm`, `dpotrf_`) come with the globals that `registry.py` reads.
- MPI is a module of its own for each ABI (`mpich.ll`, `openmpi.ll`, compiled from `mpi.c`): registered derivatives of
  C's calls, and bodies of Fortran's.
- *Functions that rules call* (`gradir.polygamma`) have a rule, and a body which is not to be differentiated. A module
  of derivatives gets them by `add_functions_of_rules`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import resources

from gradir.machine.ir import VOID, Function, Global, Module, Type
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.text.printer import print_function
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules import blas, mpi, reallocate, threads
from gradir.machine.rules.known import SHADOWS

__all__ = ["add_functions_of_rules", "makes_threads", "provides", "text_for", "texts_for", "wanted"]

_BSDS = ("apple", "darwin", "bsd")
_KINDS = ("_FortranA", "LAPACKE_", "numba_", "mpi_", "qsort", "bsearch", "pthread_", "_ZNSt")
_INLINED = (
    *(f"gradir.body.{name}" for name in _KINDS),
    *("gradir.library.fortran_", "gradir.spawn", "gradir.joined", "gradir.library.run_state"),
)


@cache
def _library(name: str = "library") -> Module:
    """The module that library.ll holds, or another beside it. Nobody changes it."""
    return read(resources.files("gradir.machine.rules").joinpath(f"{name}.ll").read_text())


@cache
def _variables(library: str) -> dict[str, Global]:
    return {g.name: g for g in _library(library).variables}


def _core(name: str) -> Function | None:
    """The body of a function in library.ll, which takes complex numbers as two."""
    return _library(_home(name)).functions.get(f"gradir.body.{name}")


def _home(name: str) -> str:
    """Which of the modules has what there is for a function; of those for MPI, the first."""
    return "mpich" if name.lower().startswith(("mpi_", "gradir.mpi.")) else "library"


def provides(function: Function) -> bool:
    """Whether the library has a body or derivatives of a function, called as this declaration says."""
    if function.name.startswith("gradir."):
        found = _library(_home(function.name)).functions.get(function.name)
        return found is not None and not found.is_declaration
    core = _core(function.name)
    if core is not None:
        return _fits(function, core)
    if mpi.is_call(function):
        return True
    return blas.spelling(function) is not None or reallocate.body(function) is not None


def wanted(module: Module) -> list[Function]:
    """The functions that a module declares and the library provides, but for those that no derivative is made of.

    >>> [f.name for f in wanted(read("declare double @modf(double, ptr)\\ndeclare double @exp(double)"))]
    ['modf']
    """
    declared = [f for f in module.functions.values() if f.is_declaration]
    found = [f for f in declared if f.name not in SHADOWS and not mpi.is_rule(f.name) and provides(f)]
    if any(system in module.triple for system in _BSDS):
        found = [f for f in found if f.name != "qsort_r"]  # which has its operands in another order there
    if not threads.may_run_at_once([f.name for f in declared]):
        return [f for f in found if not makes_threads(f)]
    return found


def makes_threads(function: Function) -> bool:
    """Whether a function of a library makes, joins or keeps threads."""
    return threads.MAKING.fullmatch(function.name) is not None


def add_functions_of_rules(module: Module) -> None:
    """Add the bodies of gradir's own functions that a module declares."""
    own = [f for f in module.functions.values() if f.is_declaration and f.name.startswith("gradir.") and provides(f)]
    if not own:
        return
    for text in texts_for(own, module):
        _extend(module, read(text))


def _extend(module: Module, added: Module) -> None:
    """Add what a module doesn't have: of a derivative of a derivative, the first already brought some of it along."""
    for function in added.functions.values():
        there = module.functions.get(function.name)
        if there is None or (there.is_declaration and not function.is_declaration):
            extend(module, print_function(function))
    extend(module, "\n".join(g.line for g in added.variables if g.name not in module.globals))
    types = ((name, said) for name, said in added.types.lines.items() if name not in module.types.lines)
    extend(module, "\n".join(f"{name} = type {said}" for name, said in types))


def texts_for(functions: Iterable[Function], module: Module, but: Mapping[str, str] | None = None) -> list[str]:
    """Modules that hold what there is for these declarations of a module (and what that needs in turn), but for some
    functions that are only declared: lines by name."""
    by_library: dict[str, list[Function]] = {}
    for function in functions:
        home = _home(function.name)
        by_library.setdefault(mpi.abi_of(module) if home == "mpich" else home, []).append(function)
    return [text_for(wanted, library, but) for library, wanted in by_library.items()]


def text_for(functions: Iterable[Function], library: str = "library", but: Mapping[str, str] | None = None) -> str:
    """The text of a module that holds what one of the libraries has for these declarations."""
    wanted, done, parts = list(functions), set[str](), _Parts(library)
    for name, line in (but or {}).items():
        parts.put_off.add(name)
        parts.declare(line)
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
        elif mpi.is_call(function):
            parts.put_off.update(mpi.rules_of(function.name))
            parts.add(f"gradir.{function.name}", mpi.registration(function, parts.declare))
        elif form := blas.spelling(function):
            parts.add(f"gradir.{function.name}", blas.registration(form, parts.declare))
            forms.setdefault(form.letter, form)
        parts.resolve(forms)
        if not mpi.is_rule(function.name):  # a rule's own calls are no calls of the program's
            more = (f for f in parts.undefined() if f.name not in done and f.name not in parts.put_off)
            wanted += [f for f in more if provides(f)]
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

    def __init__(self, library: str) -> None:
        self.library = library
        self.defined: dict[str, str] = {}
        self.declared: dict[str, str] = {}
        self.put_off: set[str] = set()
        """What is only declared here, and added where it is used."""

    def declare(self, line: str) -> None:
        self.declared.setdefault(global_names(line)[0], line)

    def add(self, name: str, text: str) -> None:
        """Text that defines `name`, and maybe functions and globals besides."""
        self.defined[name] = text
        made = read(text)
        for other in (*(f.name for f in made.definitions), *(g.name for g in made.variables)):
            self.defined.setdefault(other, "")

    def add_item(self, name: str, public: bool = False) -> None:
        function = _library(self.library).functions.get(name)
        if function is None:
            self.defined[name] = _variables(self.library)[name].line
        elif function.is_declaration:
            self.declare(print_function(function))
        else:
            # Inlined, descriptors, kinds of number and callbacks can vanish.
            inlined = name.startswith(_INLINED)
            shared = public or self.library != "library"  # MPI's rules share what they know of messages under way
            linkage = "linkonce_odr hidden" if shared else "internal"
            attributes = " alwaysinline" if inlined else " noinline optsize minsize" if shared and not public else ""
            header = function.header.removeprefix("define internal ")
            self.defined[name] = f"define {linkage} {header}{attributes} {{\n{function.body}}}"

    def resolve(self, forms: dict[str, blas.Spelling]) -> None:
        """Add what the text refers to, until all of it is there or declared."""
        there = {**_library(self.library).functions, **_variables(self.library)}
        read_already: set[str] = set()
        while new := [name for name in self.defined if name not in read_already]:
            read_already.update(new)
            mentioned = {n for name in new for n in global_names(self.defined[name])}
            for name in sorted(mentioned - self.defined.keys()):
                if primitive := blas.primitive_named(name):
                    self.defined[name] = blas.primitive(forms[primitive[0]], primitive[1], self.declare)
                elif name in there and name not in self.put_off:
                    self.add_item(name)

    def undefined(self) -> list[Function]:
        lines = [line for name, line in self.declared.items() if name not in self.defined and "llvm." not in name]
        return list(read("\n".join(lines)).functions.values())

    def text(self) -> str:
        lines = [line for name, line in self.declared.items() if name not in self.defined]
        body = "\n".join([*lines, *(text for text in self.defined.values() if text)]) + "\n"
        types = [f"{name} = type {said}" for name, said in _library(self.library).types.lines.items() if name in body]
        return "\n".join([*types, body])
