"""From a linked module to compiled functions and derivatives, each made once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from gradir.errors import BackendError, InternalError, NoRule, RequestError
from gradir.machine import jit, llvm
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory, Place
from gradir.machine.enzyme import ignored, marked
from gradir.machine.enzyme.adapter import thunk
from gradir.machine.enzyme.prepare import Shields
from gradir.machine.ir import Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.jit.signature import Parameter, Signature, parameters_of, signatures
from gradir.machine.passes.inner import as_program
from gradir.machine.passes.languages import texts
from gradir.machine.passes.loops.rounds import Note, outline
from gradir.machine.rules.registry import Registry, mentions_rules, with_internal_registrations
from gradir.native.state import State, check_constant, with_shared
from gradir.policy import AUTO
from gradir.request import Mode, Request

if TYPE_CHECKING:
    from gradir.machine.transform.derive import Options, Program

__all__ = ["Engine", "Written"]


class Written(NamedTuple):
    """What memory a function may write, by the numbers of its parameters."""

    at: frozenset[int]
    """What a parameter points to."""
    behind: frozenset[int]
    """What addresses there point to: Fortran's descriptions of arrays, of which LLVM says that they are only read."""


def _with_constants(module: llvm.Module) -> tuple[llvm.Module, str]:
    """A module and its text, where single calls and numbers that are said to carry no derivative are calls of functions
    that say it."""
    text = str(module)
    if "enzyme_inactive" not in text and ignored.NAME not in text:
        return module, text
    said = read(text)
    marked.run(said, "this module")
    ignored.shut(said, "this module")
    changed = llvm.parse(str(said))
    return changed, str(changed)


class Engine:
    """A linked module, and what was made of it so far. Safe to use from several threads."""

    def __init__(
        self,
        module: llvm.Module,
        *,
        described: Mapping[str, Signature] | None = None,
        libraries: Sequence[str] = (),
        optimise_first: bool = True,
        phases: llvm.Phases | None = None,
        rules: Registry | None = None,
        home: Engine | None = None,
        again: Callable[[], llvm.Module] | None = None,
    ) -> None:
        """`rules` are what the module itself can't say of its functions. `home` is the engine of a module that this one
        adds to: variables that functions share lie there. `again` gives the module as derivatives are made of it, if
        it holds derivatives itself."""
        self._home, self._again = home or self, again
        module, self.text = _with_constants(module)
        self.bitcode = llvm.bitcode(module)
        self.signatures = dict(described) if described is not None else signatures(self.text)
        self.libraries = tuple(libraries)
        self.optimise_first = optimise_first
        self.phases: llvm.Phases = {} if phases is None else phases
        self.rules = Registry() if rules is None else rules
        said = Registry.of(read(self.text)) if mentions_rules(self.text) else Registry()
        self._ruled = frozenset(said.rules() | self.rules.rules())
        self.notes: dict[Note, None] = {}
        """What became of the loops of what was derived with a checkpointing policy."""
        self._lock = threading.RLock()
        self._calls: dict[Any, jit.Call] = {}
        self._normalised: dict[tuple[str, bool, bool], str] = {}
        self._programs: dict[tuple[str, bool, bool], Program] = {}

    @cached_property
    def module(self) -> Module:
        """It as objects, to look at."""
        return read(self.text)

    @cached_property
    def _to_derive(self) -> bytes:
        """The bitcode that derivatives are made of."""
        return self.bitcode if self._again is None else llvm.bitcode(_with_constants(self._again())[0])

    # -- What is known of a function after LLVM has looked at it

    def normalised(self, symbol: str, noalias: bool = False, threads: bool = True) -> str:
        """The text that derivatives of a function are made from; without `threads`, one runs all parallel regions."""
        # A function that the program calls itself may be called with anything.
        noalias = noalias and not any(f.may_hold(symbol) and symbol in f.mentioned for f in self.module.definitions)
        with self._lock:
            key = (symbol, noalias, threads)
            if key not in self._normalised:
                shared = self.state.of(symbol)
                self._normalised[key] = self._normal(llvm.parse(self._to_derive), symbol, shared, noalias, threads)
            return self._normalised[key]

    def _normal(
        self, module: llvm.Module, symbol: str, shared: Collection[str], noalias: bool, threads: bool = True
    ) -> str:
        text = self._shaped(module, symbol, shared, noalias, threads)
        if not texts.are_to_be_opened(text):
            return text
        opened = read(str(module))
        texts.leave_open(opened)
        return self._shaped(llvm.reparsed(str(opened)), symbol, shared, noalias, threads)

    def _shaped(self, module: llvm.Module, symbol: str, shared: Collection[str], noalias: bool, threads: bool) -> str:
        shields = Shields(opaque=self._ruled)
        if self._ruled:
            with llvm.phase(self.phases, "normalise"):
                shielded = read(str(module))
                shields.raise_in(shielded)
                module = llvm.parse(str(shielded))
        module = llvm.normalise(
            module,
            [symbol, *self._ruled, *shared],
            optimise=self.optimise_first,
            noalias=[symbol] if noalias else [],
            threads=threads,
            beside=threads,
            phases=self.phases,
        )
        shields.linkage = {name: "" if name == symbol else "internal" for name in shields.linkage}
        text = llvm.canonical_text(module)
        if not self._ruled:
            return text
        lowered = read(text)
        shields.lower_in(lowered)
        return str(lowered)

    def parameters(self, symbol: str) -> tuple[Parameter, ...]:
        """A function's parameters with what LLVM found out about them (`readonly`, `writeonly`, ...).

        Whether memory is read or written doesn't depend on overlap, so it is looked up where most is known.
        """
        return definition(read(self.normalised(symbol, noalias=True)), symbol)[0]

    def written(self, symbol: str) -> Written:
        """What memory the function may write.

        Arguments don't overlap here, as Fortran has it, and as above.
        """
        module = read(self.normalised(symbol, noalias=True))
        function = module.functions[symbol]
        memory = Memory(module, function, CFG(function), noalias=True)
        written = {memory.place(access.pointer) for access in memory.writes}
        unseen = False
        for call in memory.opaque_calls:
            places, elsewhere = memory.changed_by(call)
            written |= {place.find() for place in places}
            unseen |= elsewhere
        at = {a.index: memory.place(a) for a in function.arguments if a.type.is_pointer}
        behind = {i: place.inside() for i, place in at.items()}

        def among(places: Mapping[int, Place]) -> frozenset[int]:
            return frozenset(i for i, place in places.items() if place in written or (unseen and place.external))

        return Written(among(at), among(behind))

    # -- Code

    def primal(self, symbol: str) -> jit.Call:
        with self._lock:
            if symbol not in self._calls:
                if self._home is self and symbol in self.state.functions:
                    self._calls[symbol] = self._stateful[symbol]
                else:
                    text = str(llvm.prepare(llvm.parse(self.bitcode), [symbol]))
                    self._calls[symbol] = self._compiled(text, symbol)
            return self._calls[symbol]

    @cached_property
    def state(self) -> State:
        """The variables that functions leave to each other."""
        return State(self.module, None if self._home is self else self._home.state)

    @cached_property
    def _stateful(self) -> jit.Library:
        """The functions that leave variables to each other, and those variables."""
        functions, names = sorted(self.state.functions), sorted(self.state.names)
        text = str(llvm.prepare(llvm.parse(self.bitcode), [*functions, *names]))
        module = read(text)
        return jit.compile_library(
            text,
            [_entry(module, f) for f in functions],
            libraries=self.libraries,
            phases=self.phases,
            exports=sorted(self.state.symbols.values()),
        )

    def program(self, symbol: str, noalias: bool, threads: bool = True) -> Program:
        try:
            from gradir.machine.transform.derive import Program
        except ImportError:
            raise BackendError("this build of gradir can't differentiate native code") from None
        with self._lock:
            key = (symbol, noalias, threads)
            if key not in self._programs:
                text = self.normalised(symbol, noalias, threads)
                with llvm.phase(self.phases, "read"):
                    if symbol in self._ruled:
                        module = read(text)
                        extend(module, thunk(module.functions[symbol], _thunk_of(symbol)))
                        text = str(module)
                    self.state.check(symbol)
                    self._programs[key] = program = Program(text, self._rules_for(symbol))
                    check_constant(program.module, symbol, self.state.pointers_of(symbol))
            return self._programs[key]

    def _rules_for(self, symbol: str) -> Registry:
        """What is said of functions and variables; memory that other functions have made is constant."""
        if not (held := self.state.pointers_of(symbol)):
            return self.rules
        both = Registry()
        both.add(self.rules)
        both.inactive_globals |= held
        return both

    def _derived(self, symbol: str, requests: Sequence[Request], options: Options) -> tuple[str, str]:
        with self._lock:
            # What threads leave to each other for the reverse sweep has no derivative in turn: one thread does it all.
            if len(requests) > 1:
                return self._derived_from(self.program(symbol, options.noalias, False), symbol, requests, options)
            program = self.program(symbol, options.noalias)
            try:
                return self._derived_from(program, symbol, requests, options)
            except NoRule:
                if not program.spawning:
                    raise
                # Threads that the program makes may do what has a derivative only where one runs after the other.
                alone = self.program(symbol, options.noalias, threads=False)
                return self._derived_from(alone, symbol, requests, options)

    def _derived_from(
        self, program: Program, symbol: str, requests: Sequence[Request], options: Options
    ) -> tuple[str, str]:
        # A function with a rule is asked for by that, not by its body.
        name = _thunk_of(symbol) if symbol in self._ruled else symbol
        if requests[0].mode is Mode.reverse and options.policy.kind not in ("auto", "none"):
            program = self._checkpointed(program, symbol, replace(requests[0], function=name), options)
        for i, request in enumerate(requests):
            if i:
                text = as_program(program.text(), i)
                name = as_program_name(name, i)
                program = self._program_of(text, name, self.state.of(symbol), options.noalias)
            with llvm.phase(self.phases, "differentiate"):
                name = program.derivative(replace(request, function=name), options)
        with llvm.phase(self.phases, "differentiate"):
            text = program.text()
            return with_internal_registrations(text) if self._ruled else text, name

    def _checkpointed(self, program: Program, symbol: str, request: Request, options: Options) -> Program:
        """The same with functions in the place of loops that keep something for a derivative, as far as their rounds
        can be run again."""
        from gradir.machine.transform.derive import Program

        if options.policy.kind == "budget":
            left = "how many bytes a round keeps is not known before it has run; revolve:64 keeps 64 states"
            self.notes[Note(symbol, str(options.policy), left)] = None
            return program
        with llvm.phase(self.phases, "differentiate"):
            program.derivative(request, replace(options, policy=AUTO))
            module = read(program.source)
            loops, notes = outline(module, symbol, program.kept, self._ruled)
            if loops:
                checkpointed = Program(str(module), self.rules, loops)
                try:
                    checkpointed.derivative(request, options)
                    program = checkpointed
                except (NoRule, RequestError) as refused:  # what works without a policy works with one
                    notes = [n if n.left else n._replace(left=str(refused)) for n in notes]
        self.notes |= dict.fromkeys(notes)
        return program

    def _program_of(self, text: str, symbol: str, shared: Collection[str], noalias: bool) -> Program:
        from gradir.machine.transform.derive import Program

        normal = self._normal(llvm.parse(text), symbol, shared, noalias)
        with llvm.phase(self.phases, "read"):
            return Program(normal, self.rules)

    def extended(self, text: str, rules: Registry) -> Engine:
        """The same module with more said of its functions, in its text and besides."""
        both = Registry()
        both.add(self.rules)
        both.add(rules)
        return Engine(
            llvm.parse(text),
            described=self.signatures,
            libraries=self.libraries,
            optimise_first=self.optimise_first,
            phases=dict(self.phases),
            rules=both,
            home=self._home,
        )

    def derivative(self, symbol: str, requests: Sequence[Request], options: Options) -> jit.Call:
        key = (symbol, tuple(requests), options)
        with self._lock:
            if key not in self._calls:
                self._calls[key] = self._compiled(*self.derived(symbol, requests, options))
            return self._calls[key]

    def derived(self, symbol: str, requests: Sequence[Request], options: Options) -> tuple[str, str]:
        """The text of a module with a derivative (of a derivative ...), and its name.

        The first request is for the function, each other for what the one before it gave, which is optimised first.
        """
        try:
            return self._derived(symbol, requests, options)
        except (AssertionError, LookupError, AttributeError, TypeError, ValueError, RecursionError) as error:
            raise InternalError(f"{type(error).__name__}: {error}", location=f"@{symbol}") from error

    def _compiled(self, text: str, symbol: str) -> jit.Call:
        return self.library(text, _entry(read(text), symbol))[symbol]

    def library(self, text: str, entry: jit.Entry) -> jit.Library:
        """The code of a module, which gives back what derivatives keep between calls when it is closed."""
        release = release_function(text, _RELEASE)
        entries = [entry, *([jit.Entry(_RELEASE, ())] if release else [])]
        library = self.linked(text + release, entries)
        if release:
            library.on_close(_RELEASE)
        return library

    def linked(self, text: str, entries: Sequence[jit.Entry], exports: Sequence[str] = ()) -> jit.Library:
        """The code of a module, with what it needs from elsewhere: libraries, and variables that functions share."""
        shared = [name for name in sorted(self.state.names) if f"@{name}" in text] if self.state.names else []
        if shared:
            text = with_shared(text, shared)
        symbols = [self.state.symbols[name] for name in shared]
        return jit.compile_library(
            text,
            entries,
            libraries=self.libraries,
            phases=self.phases,
            exports=exports,
            given={symbol: self._home._stateful.address(symbol) for symbol in symbols},
        )

    def release_memory(self) -> None:
        """Give back the memory that derivatives keep for their next call."""
        with self._lock:
            calls = list(self._calls.values())
        for call in calls:
            call.library.release()


_RELEASE = "gradir.release_memory"


def _entry(module: Module, symbol: str) -> jit.Entry:
    given, result = definition(module, symbol)
    return jit.Entry(symbol, tuple(passed(p) for p in given), result)


def as_program_name(name: str, level: int) -> str:
    """What a derivative is called once `as_program` has made ordinary code of it."""
    is_own = name.startswith(("gradir.", "gradir_"))
    return f"gradir{level}{name.removeprefix('gradir')}" if is_own else name


def _thunk_of(symbol: str) -> str:
    return f"gradir.thunk.{symbol}"


def release_function(text: str, name: str) -> str:
    """A function that frees what the derivatives of a module keep between calls; nothing if they keep nothing."""
    if "gradir.pool." not in text:
        return ""
    module = read(text)
    pools = [g.name for g in module.variables if g.name.startswith("gradir.pool.")]
    lines = [f'define void @"{name}"() {{']
    for i, pool in enumerate(pools):
        lines.append(f"  %block{i} = atomicrmw xchg ptr @{pool}, ptr null acq_rel")
        lines.append(f"  call void @free(ptr %block{i})")
    declared = "" if "free" in module.functions else "declare void @free(ptr)"
    return "\n" + "\n".join([*lines, "  ret void", "}", declared]) + "\n"


def definition(module: Module, symbol: str) -> tuple[tuple[Parameter, ...], str]:
    """The parameters and the result of a function that a module defines."""
    function = module.functions[symbol]
    return parameters_of(function), function.result.text


def passed(parameter: Parameter) -> str:
    """A parameter's type with the attributes that the caller must repeat."""
    kept = [said for said in parameter.said if said.startswith(("zeroext", "signext", "byval(", "sret("))]
    return " ".join([parameter.type, *kept])
