"""The derivatives of a module: what is asked for is written beside the original, once, with all that it calls.

program = Program(text)                      # a module as `llvm.normalise` leaves it
name = program.derivative(Request(...))      # of a function, in a mode, for given activities
program.text()                               # the module with its derivatives
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from gradir.errors import InputError, NoRule, RequestError
from gradir.machine.analysis.activity import Activity
from gradir.machine.analysis.bits.taint import Summaries
from gradir.machine.analysis.bytes.types import Kind, TypeAnalysis
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.languages.texts import keeps_numbers
from gradir.machine.analysis.memory import Memory, Place, Summary
from gradir.machine.analysis.parallel.grid import Launch
from gradir.machine.analysis.variables import holds_functions, may_change
from gradir.machine.ir import Function, Global, Instruction, Module, Value
from gradir.machine.ir.collector import seldom_collected
from gradir.machine.ir.constants import scaled_address, table
from gradir.machine.ir.graphs import mentioners, reachable
from gradir.machine.ir.locations import Part, marked
from gradir.machine.ir.text.printer import print_function
from gradir.machine.ir.text.reader import read
from gradir.machine.ir.text.tokens import global_names, renamed
from gradir.machine.passes import custom
from gradir.machine.passes.flow import freed
from gradir.machine.passes.flow.throwing import give_landing_pads
from gradir.machine.passes.languages import byvalue, messages, texts
from gradir.machine.passes.loops import rounds
from gradir.machine.passes.loops.rounds import Kept, LoopFunction
from gradir.machine.passes.parallel import exchanges, teams, threads
from gradir.machine.passes.words import (
    aggregates,
    blends,
    byte_copies,
    byte_words,
    disguised,
    lanes,
    masked_lanes,
    moved_words,
    packed,
)
from gradir.machine.rules import mpi
from gradir.machine.rules.effects import STREAMS
from gradir.machine.rules.known import COPY_BYTES, JOINED
from gradir.machine.rules.library import add_functions_of_rules
from gradir.machine.rules.registry import Registry
from gradir.machine.rules.rule import rule_named
from gradir.machine.transform import rounds as checkpointed
from gradir.machine.transform.frame import UNKNOWN, Analyses, Frame, Given, metadata_of
from gradir.machine.transform.parallel import teams as team_derivatives
from gradir.machine.transform.parallel import threads as thread_derivatives
from gradir.machine.transform.reverse import Reverse
from gradir.machine.transform.runtime import arena as arena_runtime
from gradir.machine.transform.runtime import functions as runtime
from gradir.machine.transform.shadows.called import taken
from gradir.machine.transform.shadows.lasting import Lasting
from gradir.machine.transform.shadows.payload import carries_floats, room_in
from gradir.machine.transform.shadows.shadow import Layout, Shadows
from gradir.machine.transform.signatures import Signatures
from gradir.machine.transform.unwinding import catches, throws
from gradir.machine.transform.verify import Verify, asked_for, stop
from gradir.policy import AUTO, Policy
from gradir.request import Activity as Mark
from gradir.request import Mode, Request

__all__ = ["Layout", "Options", "Program"]


@dataclass(frozen=True)
class Options:
    """How a derivative is made.

    With `noalias`, pointer arguments and their shadows are known not to overlap: the fast version. With `fast`, the
    arithmetic of the derivative may be reassociated. `layout` tells where the shadows of several directions lie. With
    `verify`, derivatives in reverse mode check themselves (`transform.verify`). With `runtime_activity`, a shadow that
    is given may be the memory itself, which says that it is constant. With `locations`, the code of derivatives says
    which line of the source it comes from, and why (`ir.locations`). With `threads`, several threads may run it at
    once, on memory that they share. `policy` tells what is kept of loop functions (`transform.rounds`). With
    `strong_zero`, a shadow that is zero stays zero, whatever it is multiplied by. With `grid`, each thread of a GPU's
    grid runs it, from beginning to end; `launch` is what is known of the grid. With `late_shadows` the reverse half
    takes shadows of its own, and with `repeatable` it may run several times (`transform.halves`).
    """

    noalias: bool = False
    fast: bool = False
    layout: Layout = Layout.separate
    verify: Verify = field(default_factory=asked_for)
    runtime_activity: bool = False
    locations: bool = False
    threads: bool = False
    policy: Policy = AUTO
    strong_zero: bool = False
    grid: bool = False
    launch: Launch | None = None
    late_shadows: bool = False
    repeatable: bool = False

    @property
    def of_callees(self) -> tuple[bool, ...]:
        """What tells the derivatives of a callee apart in both modes."""
        return self.fast, self.runtime_activity, self.strong_zero

    def asked_by(self, request: Request) -> Options:
        """With what a request asks for besides."""
        return replace(
            self,
            runtime_activity=self.runtime_activity or request.runtime_activity,
            strong_zero=self.strong_zero or request.strong_zero,
        )


@dataclass(frozen=True)
class Setting:
    """What the shadow of an address depends on, besides the address."""

    mode: Mode = Mode.reverse
    options: Options = field(default_factory=Options)


class Program:
    """A normalised LLVM module that derivatives are added to.

    >>> from gradir.request import Activity, Mode, Request
    >>> program = Program('''
    ... define double @square(double %x) {
    ... entry:
    ...   %y = fmul double %x, %x
    ...   ret double %y
    ... }''')
    >>> program.derivative(Request("square", Mode.reverse, (Activity.active,), (Activity.activenoneed,)))
    'gradir_reverse_square'
    """

    def __init__(
        self,
        text: str,
        registry: Registry | None = None,
        loops: Sequence[LoopFunction] = (),
        *,
        grid: bool = False,
    ) -> None:
        """`loops` are the loop functions in the text, of which a policy says what is kept. With `grid`, the threads of
        a GPU run what is in it."""
        self.source = text
        self.loops = {loop.name: loop for loop in loops}
        self.kept: Kept = {}
        """Of the derivatives that were made: the loops that keep anything."""
        self.module = _with_texts_closed(text)
        teams.join(self.module)
        threads.run_at_once(self.module)
        byvalue.run(self.module)
        aggregates.run(self.module)
        freed.run(self.module)
        asks = messages.run(self.module)
        blends.run(self.module)
        byte_copies.reread(self.module)
        byte_copies.widen(self.module)
        lanes.run(self.module)
        disguised.run(self.module)
        self.registry = Registry.of(self.module)
        if registry is not None:
            self.registry.add(registry)
        self.registry.inactive_globals |= mpi.objects(self.module)
        if wrappers := custom.run(self.module, self.registry):
            self.source = "\n".join([text.rstrip(), *map(print_function, wrappers), ""])
        self.types = TypeAnalysis(self.module)
        if not grid and exchanges.run(self.module, self.types):
            self.types = TypeAnalysis(self.module)
        if masked_lanes.run(self.module, self.types):
            self.types = TypeAnalysis(self.module)
        if byte_copies.gather(self.module, self.types):
            self.types = TypeAnalysis(self.module)
        if byte_words.run(self.module):
            self.types = TypeAnalysis(self.module)
        if packed.copy_pieces(self.module, self.types):
            self.types = TypeAnalysis(self.module)
        while moved_words.run(self.module, self.types):  # of what is moved in memory more is known
            self.types = TypeAnalysis(self.module)
        self._bits_summaries = Summaries()
        self._summaries: dict[str, Summary] = {}
        self._made: dict[object, tuple[str, ...]] = {}
        self._definitions: dict[str, str] = {}
        self._declarations: dict[str, str] = {}
        self._globals: dict[str, str] = {}
        self._types: dict[str, str] = {}
        self._pools: list[str] = []
        self._pending: list[Callable[[], None]] = []
        self._writers: dict[object, Callable[[], None]] = {}
        self._by_address: dict[object, Callable[[], None]] = {}
        self._constants_by_address = False
        self.differentiated: frozenset[str] | None = None
        """What the functions reach that derivatives are asked of; None if others may be asked of later, and given
        addresses that are not here."""
        self._shadow_globals: dict[tuple[str, Shadows, Mode], list[str]] = {}
        self._cleared: dict[str, list[str]] = {}
        self.lasting = Lasting(self)
        self.signatures = Signatures()
        self._scopes: dict[str, str] = {}
        self._said: dict[tuple[str | None, ...], str] = {}
        self._lists: dict[str, tuple[list[str], list[str]]] = {}
        """Of each kind of memory: its scope, and those of the others."""
        self._next_node = 1 + max((int(k[1:]) for k in self.module.metadata if k[1:].isdigit()), default=-1)
        self._nodes: list[str] = []
        self._locations: dict[tuple[str, Part], str] = {}
        self.throws = throws(self.module)
        if asks:
            self._declarations[messages.WHAT] = messages.DECLARED
        if COPY_BYTES in self.module.functions:
            self.need_runtime(COPY_BYTES)

    @cached_property
    def catches(self) -> bool:
        """Whether an exception may be caught, so that a part of what a call did is undone."""
        return self.throws and catches(self.module)

    @cached_property
    def meeting_functions(self) -> frozenset[str]:
        """The functions in which threads wait for each other."""
        return team_derivatives.meeting_functions(self.module)

    @cached_property
    def has_threads(self) -> bool:
        """Whether several threads may run what is in it."""
        return bool(self.spawning) or any(map(teams.is_team, self.module.functions))

    @cached_property
    def spawning(self) -> frozenset[str]:
        """The functions that make threads, themselves or by what they call, or that are made for that."""
        return self._mentioning(*filter(threads.is_spawn, self.module.functions))

    @cached_property
    def joining(self) -> frozenset[str]:
        """The functions that wait for such threads."""
        return self._mentioning(JOINED)

    def runs_through(self, function: str) -> bool:
        """Whether a thread that runs a function waits for nobody: all that it reads and does not write itself is as it
        is until it has ended."""
        return not any(function in names for names in (self.spawning, self.joining, self.meeting_functions))

    def _mentioning(self, *names: str) -> frozenset[str]:
        return frozenset(reachable(mentioners(self.module.definitions), *names)) if names else frozenset()

    @cached_property
    def throws_floats(self) -> bool:
        """Whether exceptions may hold floats."""
        return self.throws and carries_floats(self.module, self.types)

    @cached_property
    def exception_room(self) -> int:
        """Where shadows of exceptions are found."""
        return room_in(self.module)

    @cached_property
    def communicating(self) -> frozenset[str]:
        """The functions by which data comes from other processes and goes there."""
        return mpi.communicating(self.module)

    @property
    def functions(self) -> Mapping[str, Function]:
        return self.module.functions

    # -- what is asked for ------------------------------------------------------------------------------------------

    @seldom_collected()
    def derivative(self, request: Request, options: Options | None = None) -> str:
        """Add a derivative to the module; gives the new function's name. The same request gives the same function."""
        options = (options or Options()).asked_by(request)
        key = (request, options)
        if key not in self._made:
            function = self._function(request.function)
            self._check(request, function)
            name = self._name(request, function)
            with self._all_or_nothing():
                if request.mode is Mode.reverse:
                    self._reverse(request, options, function, name)
                else:
                    self._forward(request, options, function, name)
                self._made[key] = (name,)
                self._drain()
        return self._made[key][0]

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """What is refused leaves nothing behind: neither half a derivative nor the promise of one."""
        made = (self._made, self._shadow_globals, self._writers, self._by_address)
        signatures = (self.signatures.believed, self.signatures.written)
        written = (self._definitions, self._globals, self._types, *signatures)
        parts: tuple[dict[Any, Any], ...] = (*made, *written)
        before, pending = [dict(part) for part in parts], list(self._pending)
        try:
            yield
        except BaseException:
            self._pending = pending
            for part, was in zip(parts, before, strict=True):
                part.clear()
                part.update(was)
            raise

    @seldom_collected()
    def split(self, request: Request, options: Options | None = None) -> tuple[str, str, str]:
        """An augmented forward function, which gives a tape, and the reverse function that takes it; and the tape's
        type."""
        options = (options or Options()).asked_by(request)
        function = self._function(request.function)
        self._check(request, function)
        mark = request.ret_activity[0] if request.ret_activity else None
        with self._all_or_nothing():
            shadows = Shadows(request.width, options.layout)
            names = self.split_of(request.function, request.activity, mark, shadows, options)
            self._drain()
        return names[0], names[1], "ptr"

    def shadow_address(self, value: Value, setting: Setting | None = None) -> str:
        """The shadow of the address of a function or of a table of functions: where their derivatives are found."""
        setting = setting or Setting()
        with self._all_or_nothing():
            made = self.shadow_of_constant(value, Shadows(1, setting.options.layout), setting)[0]
            self._drain()
        return made

    def _reverse(self, request: Request, options: Options, function: Function, name: str) -> None:
        mark = request.ret_activity[0] if request.ret_activity else None
        shadows = Shadows(request.width, options.layout)
        frame = self._frame(function, request.activity, mark, shadows, options)
        self._add(name, Reverse(frame, name))

    def _forward(self, request: Request, options: Options, function: Function, name: str) -> None:
        from gradir.machine.transform.forward import Forward

        mark = request.ret_activity[0] if request.ret_activity else None
        shadows = Shadows(request.width, options.layout)
        frame = self._frame(function, request.activity, mark, shadows, options, mode=Mode.forward)
        self._definitions[name] = Forward(frame, name).write()

    def _add(self, name: str, reverse: Reverse) -> None:
        texts = reverse.write()
        self.signatures.write(reverse.forward)
        self.signatures.write(reverse.reverse)
        for n, text in zip(reverse.split_name or (name,), texts, strict=True):
            self._definitions[n] = text
        if reverse.tape.struct_name is not None:
            body = ", ".join(map(str, reverse.tape.fields)) or "i8"
            self._types[reverse.tape.struct_name] = f"{reverse.tape.struct_name} = type {{ {body} }}"

    def give_constants_by_address(self) -> None:
        """Derivatives that are called by a pointer are given constant memory: all of them have to look out for it."""
        if not self._constants_by_address:
            self._constants_by_address = True
            self._pending += self._by_address.values()

    def _call_by_address(self, key: object) -> None:
        if key not in self._by_address:
            self._by_address[key] = self._writers[key]
            if self._constants_by_address:
                self._pending.append(self._writers[key])

    def _options_by_address(self, key: object, options: Options) -> Options:
        constant = key in self._by_address and self._constants_by_address
        return replace(options, noalias=False, runtime_activity=options.runtime_activity or constant)

    def split_of(
        self,
        function: str,
        marks: Sequence[Mark],
        result: Mark | None,
        shadows: Shadows,
        options: Options,
        given: Given = UNKNOWN,
        *,
        by_address: bool = False,
    ) -> tuple[str, str]:
        """The augmented and the reverse function, whose texts are written in due course (a function may call
        itself)."""
        forks, spawns = teams.is_fork(function), threads.is_spawn(function)
        late = options.late_shadows and not (by_address or forks or spawns or function in self.loops)
        options = replace(options, threads=options.threads or forks or spawns, late_shadows=late)
        made_by = (*options.of_callees, options.threads, options.policy, late, options.repeatable, given)
        key = ("split", function, tuple(marks), result, shadows, *made_by)
        if key not in self._made:
            n = len(self._made)
            base = _identifier(function)
            names = (f"gradir_augmented_{base}_{n}", f"gradir_undo_{base}_{n}")
            self._made[key] = names
            if function == JOINED:
                self._define_all(thread_derivatives.joined(self, names, marks, result, shadows))
                return names
            loop = self.loops.get(function)
            callee = self._function(rounds.rounds_of(function) if loop is not None else _run_by(function))
            part = "rounds" if loop is not None else "thread" if forks or spawns else None
            own = (f"{names[0]}.{part}", f"{names[1]}.{part}") if part is not None else names

            def write() -> None:
                inner = replace(self._options_by_address(key, options), noalias=given.apart)
                frame = self._frame(callee, marks, result, shadows, inner, nested=True)
                reverse = Reverse(frame, own[0], own, given=given)
                self._add(own[0], reverse)
                if forks:
                    self._define_all(team_derivatives.augmented(self, names[0], reverse))
                    self._define_all(team_derivatives.undone(self, names[1], reverse))
                if spawns:
                    self._define_all(thread_derivatives.augmented(self, names[0], names[1], reverse))
                    self._define_all(thread_derivatives.undone(self, names[1], reverse))
                if loop is not None:
                    self._define_all(checkpointed.derivative(self, names, reverse, loop, options.policy))

            self._pending.append(write)
            self._writers[key] = write
        if by_address:
            self._call_by_address(key)
        return self._made[key]  # type: ignore[return-value]

    def forward_of(
        self,
        function: str,
        marks: Sequence[Mark],
        result: Mark | None,
        shadows: Shadows,
        options: Options,
        *,
        by_address: bool = False,
    ) -> str:
        """The forward derivative of a function that is called, written in due course."""
        forks, spawns = teams.is_fork(function), threads.is_spawn(function)
        options = replace(options, threads=options.threads or forks or spawns)
        key = ("forward", function, tuple(marks), result, shadows, *options.of_callees)
        if key not in self._made:
            name = f"gradir_forward_{_identifier(function)}_{len(self._made)}"
            self._made[key] = (name,)
            if function == JOINED:
                self._define_all(thread_derivatives.joined_forward(name, marks, result, shadows))
                return name
            callee = self._function(_run_by(function))
            own = f"{name}.thread" if forks or spawns else name

            def write() -> None:
                from gradir.machine.transform.forward import Forward

                inner = self._options_by_address(key, options)
                frame = self._frame(callee, marks, result, shadows, inner, mode=Mode.forward, nested=True)
                forward = Forward(frame, own, nested=True)
                self._definitions[own] = forward.write()
                self.signatures.write(forward.code)
                if forks:
                    self._define_all(teams.forked(name, own, [p.type for p in forward.code.parameters]))
                if spawns:
                    self._define_all(thread_derivatives.forward(name, forward.code))

            self._pending.append(write)
            self._writers[key] = write
        if by_address:
            self._call_by_address(key)
        return self._made[key][0]

    def _define_all(self, texts: Sequence[str]) -> None:
        """Add functions by their texts. What is written anew takes the place of the old."""
        for text in texts:
            self._definitions[global_names(text)[0]] = text

    def _drain(self) -> None:
        while self._pending:
            self._pending.pop()()
        self.signatures.check()

    def analyse(
        self,
        function: Function,
        marks: Sequence[Mark],
        result: Mark | None,
        *,
        mode: Mode = Mode.reverse,
        options: Options | None = None,
        nested: bool = False,
    ) -> Analyses:
        """All that is known of a function, for given activities. Loops of any shape will do for forward mode.

        What a callee did before it threw counts, so the ways by which exceptions leave it are ways of its own.
        """
        options = options or Options()
        unwinding = nested and self.throws and not function.has("nounwind")
        if unwinding:
            give_landing_pads(function, self.module)
            self.declare("declare i32 @__gxx_personality_v0(...)")
        cfg = CFG(function, loops=mode is Mode.reverse, unwinding=unwinding)
        ruled = {*self.registry.gradients, *self.registry.derivatives}
        memory = Memory(
            self.module,
            function,
            cfg,
            noalias=options.noalias,
            provenance=self.types.provenance,
            finished=self._summaries,
            ruled=ruled,
            threads=options.threads,
            own=self.registry.shadow_globals if options.grid else (),
        )
        types = self.types.of(function)
        activity = Activity(
            self.module,
            function,
            cfg,
            memory,
            types,
            marks,
            result,
            self.registry,
            nested=nested,
            summaries=self._bits_summaries,
            exceptions=self.throws_floats,
            communicating=self.communicating,
        )
        return Analyses(function, cfg, memory, types, activity)

    def _frame(
        self,
        function: Function,
        marks: Sequence[Mark],
        result: Mark | None,
        shadows: Shadows,
        options: Options,
        *,
        mode: Mode = Mode.reverse,
        nested: bool = False,
    ) -> Frame:
        analyses = self.analyse(function, marks, result, mode=mode, options=options, nested=nested)
        return Frame(self, analyses, marks, result, shadows, options, mode, nested=nested)

    def _function(self, name: str) -> Function:
        name = self.module.aliases.get(name, name)
        function = self.module.functions.get(name)
        if function is None:
            there = ", ".join(f"@{f.name}" for f in self.module.functions.values() if not f.is_declaration)
            raise InputError(f"there is no function @{name}", hint=f"the module holds: {there or 'none'}")
        if function.is_declaration:
            raise InputError(f"@{name} has no body here", hint="link its code, or give a rule for it")
        return function

    def _check(self, request: Request, function: Function) -> None:
        if len(request.activity) != len(function.arguments):
            raise RequestError(
                f"@{function.name} takes {len(function.arguments)} arguments, "
                f"{len(request.activity)} activities were given"
            )
        wanted = 0 if function.result.kind == "void" else 1
        if len(request.ret_activity) > wanted:
            returns = "one result" if wanted else "nothing"
            given = len(request.ret_activity)
            raise RequestError(f"@{function.name} returns {returns}, but {given} activities were given for results")
        for a, mark in zip(function.arguments, request.activity, strict=True):
            if request.mode is Mode.reverse and mark.has_cotangent and a.type.is_pointer:
                raise RequestError(
                    f"argument {a.index} ({a.name}) of @{function.name} is a pointer: its derivative goes to memory",
                    hint="give it a shadow (dup)",
                )
            if request.mode is Mode.reverse and mark.has_shadow and not a.type.is_pointer:
                raise RequestError(
                    f"argument {a.index} ({a.name}) of @{function.name} is passed by value, and has no shadow memory",
                    hint="mark it active: its derivative is returned",
                )
        if request.width < 1:
            raise RequestError(f"a derivative in {request.width} directions")

    def _name(self, request: Request, function: Function) -> str:
        base = f"gradir_{request.mode.value}_{_identifier(function.name)}"
        taken = set(self._definitions) | set(self.module.functions)
        name, n = base, 1
        while name in taken:
            name, n = f"{base}_{n}", n + 1
        return name

    # -- what derivatives need around them --------------------------------------------------------------------------

    def declare(self, line: str) -> None:
        name = global_names(line)[0]
        if name not in self.module.functions:
            self._declarations.setdefault(name, line)

    def define(self, name: str, text: str) -> None:
        """Add a function of the runtime."""
        self._definitions.setdefault(name, text)

    def stop(self, message: str) -> str:
        """The instruction that says a message at run time, and aborts."""
        return stop(self, message)

    def defines(self, name: str) -> bool:
        return name in self._definitions

    @cached_property
    def taken(self) -> frozenset[str]:
        """The functions that may be called by their address."""
        return taken(self.module)

    def need_runtime(self, name: str) -> None:
        if name in self._definitions or name in self._declarations:
            return
        text = runtime.definition(name)
        if name in runtime.FUNCTIONS:
            body = [line for line in text.splitlines() if not line.startswith("declare")]
            self._definitions[name] = "\n".join(body)
            if f"@{arena_runtime.POOL}" in text and arena_runtime.POOL not in self._pools:
                self._pools.append(arena_runtime.POOL)
            for line in text.splitlines():
                if line.startswith("declare"):
                    self.declare(line)
            for other in runtime.FUNCTIONS[name]:
                self.need_runtime(other)
        else:
            self.declare(text)

    def pool(self) -> str:
        """A place where memory waits for the next call."""
        name = f"gradir.pool.{len(self._pools)}"
        self._pools.append(name)
        return name

    def freed_pool(self) -> str:
        """The pool of the lists of freed memory."""
        if "gradir.pool.freed" not in self._pools:
            self._pools.append("gradir.pool.freed")
        return "gradir.pool.freed"

    def attributes_for(self, function: Function) -> str:
        return "nounwind" if function.has("nounwind") else ""

    def text_constant(self, text: str) -> str:
        """The address of a text, for messages at run time."""
        name = f"@gradir.text.{len(self._globals)}"
        content = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\\\' else f"\\{b:02X}" for b in text.encode())
        self._globals[name] = f'{name} = private constant [{len(text.encode()) + 1} x i8] c"{content}\\00"'
        return name

    def of_primal(self, i: Instruction) -> str:
        """The metadata of an access of the program's to its own memory: what it says, and `scope`."""
        said = tuple(i.metadata.get(key) for key in ("alias.scope", "noalias"))
        kept = metadata_of(i, without=("alias.scope", "noalias"))
        if said not in self._said:
            self.scope("primal")
            both = []
            for own, ours in zip(said, self._lists["primal"], strict=True):
                text = "" if own is None else self.module.metadata.get(own, own)
                nodes = [n.strip() for n in text.removeprefix("!{").removesuffix("}").split(",") if n.strip()]
                both.append(self._node(_listed([*nodes, *ours])))
            self._said[said] = f", !alias.scope {both[0]}, !noalias {both[1]}"
        return kept + self._said[said]

    def scope(self, which: str) -> str:
        """That memory of the program, its shadows and what is kept never overlap."""
        if not self._scopes:
            domain = self._node('distinct !{{{0}, !"gradir"}}')
            scopes = {
                w: self._node(f'distinct !{{{{{{0}}, {domain}, !"{w}"}}}}') for w in ("primal", "shadow", "cache")
            }
            for w, node in scopes.items():
                self._lists[w] = [node], [n for v, n in scopes.items() if v != w]
                mine, others = (self._node(_listed(nodes)) for nodes in self._lists[w])
                self._scopes[w] = f", !alias.scope {mine}, !noalias {others}"
        return self._scopes[which]

    def scopes_of(self, count: int) -> tuple[list[str], list[str]]:
        """Scopes for the shadows of so many arguments that lead to memory apart, in one function: how they are declared
        there, so that each place where it is inlined has its own, and what accesses to each carry."""
        self.scope("shadow")
        domain = self._node('distinct !{{{0}, !"gradir.arguments"}}')
        own = [self._node(f"distinct !{{{{{{0}}, {domain}}}}}") for _ in range(count)]
        self.declare("declare void @llvm.experimental.noalias.scope.decl(metadata)")
        lists = [self._node(_listed([node])) for node in own]
        declared = [f"call void @llvm.experimental.noalias.scope.decl(metadata {node})" for node in lists]
        shadow, others = self._lists["shadow"]
        carried = []
        for k, node in enumerate(own):
            mine = self._node(_listed([*shadow, node]))
            apart = self._node(_listed([*others, *own[:k], *own[k + 1 :]]))
            carried.append(f", !alias.scope {mine}, !noalias {apart}")
        return declared, carried

    def location(self, i: Instruction, part: Part) -> str:
        """The metadata by which a part of the derivative points to where an instruction stands in the source."""
        node = self.module.nodes.node(i.metadata.get("dbg"))
        if node is None:
            return ""
        key = node.name, part
        if key not in self._locations:
            self._locations[key] = f", !dbg {marked(node, part, self._node)}"
        return self._locations[key]

    def scalar_loop(self) -> str:
        """That a loop is not to be vectorised."""
        off = self._node('!{{!"llvm.loop.vectorize.enable", i1 false}}')
        return f", !llvm.loop {self._node(f'distinct !{{{{{{0}}, {off}}}}}')}"

    def _node(self, text: str) -> str:
        name = f"!{self._next_node}"
        self._next_node += 1
        self._nodes.append(f"{name} = {text.format(name)}")
        return name

    # -- globals ----------------------------------------------------------------------------------------------------

    @cached_property
    def has_global_shadows(self) -> bool:
        return any(
            not g.constant and g.line and g.name not in self.module.functions for g in self.module.globals.values()
        )

    def shadow_of_constant(self, value: Value, shadows: Shadows, frame: Frame | Setting) -> list[str]:
        """The shadows of the address of a global or a function, or of an expression of such."""
        return [self._shadow_text(value.ref, shadows, frame, k) for k in range(shadows.pointers)]

    def _shadow_text(self, text: str, shadows: Shadows, frame: Frame | Setting, k: int) -> str:
        """An address as it is written, with the shadow of each global for the global."""
        if shadows.scale > 1 and "getelementptr" in text:
            text = scaled_address(text, shadows.scale)

        def shadow(ref: str) -> str:
            name = ref[1:].strip('"')
            is_global = ref[0] == "@" and name in self.module.globals
            return self._shadow_global(name, shadows, frame)[k] if is_global else ref

        return renamed(text, shadow)

    def _shadow_entry(self, text: str, shadows: Shadows, frame: Frame | Setting, k: int) -> str:
        """Of an address in a table: what is defined elsewhere (such as C++'s type information) stays itself."""
        for name in global_names(text):
            function, other = self.module.functions.get(name), self.module.globals.get(name)
            if function is not None:
                if function.is_declaration and self._thunk(function) is None:
                    return text
            elif other is None or other.initializer is None:
                return text
        return self._shadow_text(text, shadows, frame, k)

    def _shadow_global(self, name: str, shadows: Shadows, frame: Frame | Setting) -> list[str]:
        key = (name, shadows, frame.mode)
        if key in self._shadow_globals:
            return self._shadow_globals[key]
        if name in self.module.functions:
            made = [self._shadow_function(name, shadows, frame)] * shadows.pointers
            self._shadow_globals[key] = made
            return made
        if name in self.registry.shadow_globals:
            return [f"@{self.registry.shadow_globals[name]}"] * shadows.pointers
        g = self.module.globals[name]
        if g.initializer is None and name in STREAMS:  # files hold no derivatives: the shadow is the file itself
            return [g.ref] * shadows.pointers
        if g.initializer is None and not g.constant and any(t.is_pointer for _, t in g.value_type.parts()):
            raise self._foreign_pointers(g, frame)
        suffix = f".{shadows.width}{shadows.layout.name[0]}" if shadows.width > 1 else ""
        suffix += ".forward" if frame.mode is Mode.forward else ""
        made = [f'@"{name}.shadow{k or ""}{suffix}"' for k in range(shadows.pointers)]
        self._shadow_globals[key] = made
        type = g.value_type
        # A table of numbers may share a place with active memory: what is added to its shadow is lost, as it should be.
        kind = "constant" if g.constant and "@" in (g.initializer or "") else "global"
        for k, ref in enumerate(made):
            shape, initial = f"[{shadows.scale} x {type}]" if shadows.scale > 1 else str(type), "zeroinitializer"
            if "@" in (g.initializer or ""):
                entry = partial(self._shadow_entry, shadows=shadows, frame=frame, k=k)
                shape, initial = table(type, g.initializer or "", shadows.scale, entry)
            elif not g.constant:
                self._refuse_constructed(g, frame)
                self._cleared[ref] = [
                    f"call void @llvm.memset.p0.i64(ptr getelementptr (i8, ptr {ref}, i64 {at * shadows.scale}), "
                    f"i8 0, i64 {size * shadows.scale}, i1 false)"
                    for at, size in self._stretches_without_pointers(g, frame)
                ]
            if kind == "global" and self._may_hold_pointers(g, frame):
                self.lasting.add_root(ref, type.size * shadows.scale)
            local = "thread_local " if any(word.startswith("thread_local") for word in g.parts.words) else ""
            said = g.parts.trailing.get("align", "align 1").split()[-1]
            align = max(16, type.align, int(said))  # as accesses were told
            self._globals[ref] = f"{ref} = internal {local}{kind} {shape} {initial}, align {align}"
        return made

    def _stretches_without_pointers(self, g: Global, frame: Frame | Setting) -> list[tuple[int, int]]:
        """Where a global's shadow is cleared when a derivative begins: offsets and sizes.

        Its pointers may still point to memory that an earlier call has allocated, together with that memory's shadow.
        """
        size = g.value_type.size
        fields = frame.types.region(g, size).until(size) if isinstance(frame, Frame) else []
        pointers = [f for f in fields if f.kind is Kind.pointer]
        ends = [0, *(f.offset + f.size for f in pointers)]
        return [(at, end - at) for at, end in zip(ends, [*(f.offset for f in pointers), size], strict=True) if end > at]

    def _may_hold_pointers(self, g: Global, frame: Frame | Setting) -> bool:
        kinds = frame.types.region(g, g.value_type.size).kinds if isinstance(frame, Frame) else {Kind.unknown}
        return not kinds.isdisjoint({Kind.pointer, Kind.unknown})

    def _refuse_constructed(self, g: Global, frame: Frame | Setting) -> None:
        """Memory that a constructor of a global allocates has no shadow: it is there before any derivative begins."""
        if not isinstance(frame, Frame):
            return
        self._refuse_made_elsewhere(g, frame)
        if g.name in self._constructed and Kind.pointer in frame.types.region(g, g.value_type.size).kinds:
            message = f"{g.ref} gets its memory before the program begins, when nothing gives that a shadow"
            hint = "make it a local variable, or one that is static in the function; or pass it as an argument"
            raise NoRule(message, location=self._place_of(g, frame), hint=hint)

    def _refuse_made_elsewhere(self, g: Global, frame: Frame) -> None:
        """Memory that only others allocate has no shadow either."""
        if self.differentiated is None or self.is_set_here(g) or holds_functions(frame.function, g):
            return
        place, seen = frame.memory.place(g).content, set[Place]()
        while place is not None and place.find() not in seen:
            place = place.find()
            if frame.activity.floats_active(place):
                message = f"{g.ref} leads to memory that carries derivatives here, and that other functions have made"
                hint = "make it where it is differentiated, or pass it as an argument"
                raise NoRule(message, location=self._place_of(g, frame), hint=hint)
            seen.add(place)
            place = place.content

    def is_set_here(self, g: Global) -> bool:
        """Whether a function that is differentiated may change a variable."""
        here = self.differentiated if self.differentiated is not None else self.module.functions.keys()
        users = (self.module.functions[name] for name in here if name in self.module.functions)
        return any(may_change(f, g) for f in users if not f.is_declaration and g.name in f.mentioned)

    @cached_property
    def _constructed(self) -> frozenset[str]:
        """The globals that functions use which run before the program begins."""
        begin = self.module.globals.get("llvm.global_ctors")
        names = set(global_names(begin.initializer or "")) if begin is not None else set()
        work, found = list(names), set[str]()
        while work:
            function = self.module.functions.get(work.pop())
            if function is None or function.is_declaration:
                continue
            more = set(function.mentioned)
            work += more - found
            found |= more
        return frozenset(found)

    def _place_of(self, g: Global, frame: Frame) -> str:
        all = list(frame.function.instructions())
        users = [i for i in all if g.name in i.mentioned]
        return next(filter(None, map(self.module.location, [*users, *all])), f"@{frame.function.name}")

    def _foreign_pointers(self, g: Global, frame: Frame | Setting) -> NoRule:
        where = self._place_of(g, frame) if isinstance(frame, Frame) else None
        message = f"{g.ref} is defined elsewhere: nothing is known of the derivatives of what its pointers point to"
        return NoRule(message, location=where, hint="load the source that defines it too")

    def _shadow_function(self, name: str, shadows: Shadows, frame: Frame | Setting) -> str:
        """Of a function whose address is taken: its derivatives, with all arguments active."""
        function = self.module.functions[name]
        if function.is_declaration:
            thunk = self._thunk(function)
            if thunk is None:
                return "null"
            function, name = thunk, thunk.name
        marks, result = full_activity(function, frame.mode)
        # Any thread may call it by its address.
        options = replace(frame.options, threads=frame.options.threads or self.has_threads)
        if frame.mode is Mode.forward:
            return f"@{self.forward_of(name, marks, result, shadows, options, by_address=True)}"
        pair = self.split_of(name, marks, result, shadows, options, by_address=True)
        ref = f'@"gradir.pair.{name}.{shadows.width}{shadows.layout.name[0]}"'
        self._globals[ref] = f"{ref} = internal constant {{ ptr, ptr }} {{ ptr @{pair[0]}, ptr @{pair[1]} }}"
        return ref

    def has_derivative_by_address(self, function: Function) -> bool:
        return not function.is_declaration or self._thunk(function) is not None

    def _thunk(self, function: Function) -> Function | None:
        """Of a function with a rule, whose address is taken: one with a body that calls it."""
        types = [a.type for a in function.arguments]
        if rule_named(function.name, types, function.result) is None:
            return None
        name = f"gradir.thunk.{function.name}"
        if name not in self.module.functions:
            given = ", ".join(f"{type} %x{n}" for n, type in enumerate(types))
            text = (
                f"define internal {function.result} @{name}({given}) {{\nentry:\n"
                f"  %y = call {function.result} {function.ref}({given})\n  ret {function.result} %y\n}}"
            )
            declaration = f"declare {function.result} {function.ref}({', '.join(map(str, types))})"
            self.module.functions[name] = read(f"{declaration}\n{text}").functions[name]
            self.define(name, text)
        return self.module.functions[name]

    # -- the result -------------------------------------------------------------------------------------------------

    def text(self) -> str:
        """The whole module, with the derivatives and the runtime that they need."""
        parts = [self.source.rstrip(), *self._types.values()]
        parts += [f"@{name} = internal global ptr null" for name in self._pools]
        parts += self._globals.values()
        definitions = dict(self._definitions)
        if self.has_global_shadows:
            cleared = [line for ref, lines in self._cleared.items() if ref in self._globals for line in lines]
            if cleared:
                self.declare("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)")
            lasting = self.lasting.clear(self._globals)
            if not lasting:
                definitions.update(self.lasting.nothing())
            body = "\n".join(f"  {line}" for line in (*cleared, *lasting))
            definitions["gradir.clear_globals"] = (
                f"define internal void @gradir.clear_globals() nounwind {{\n{body}\n  ret void\n}}"
            )
        parts += definitions.values()
        parts += [line for name, line in self._declarations.items() if name not in definitions]
        parts += self._nodes
        text = "\n".join(parts) + "\n"
        declared = [*self._declarations, *(f.name for f in self.module.functions.values() if f.is_declaration)]
        if not any(name.startswith("gradir.") and name not in definitions for name in declared):
            return text
        module = read(text)
        add_functions_of_rules(module)
        return str(module)


def _run_by(function: str) -> str:
    """What is run by a function: by threads if it makes some, else it is itself."""
    if teams.is_fork(function):
        return teams.team_of(function)
    return threads.thread_of(function) if threads.is_spawn(function) else function


def _with_texts_closed(text: str) -> Module:
    """A module without the bodies of what works on strings of the C++ library, where nobody looks into these."""
    module = read(text)
    if texts.take_out(module) and (call := keeps_numbers(module, TypeAnalysis(module))) is not None:
        raise NoRule(
            f"the bytes of numbers may be kept in a string: {call}",
            location=module.location(call) or f"@{call.block.function.name}",
            hint="keep numbers in a std::vector<double>, or in an array",
        )
    return module


def full_activity(function: Function, mode: Mode) -> tuple[list[Mark], Mark | None]:
    """All that can carry a derivative does: for a function that is called by a pointer."""
    by_value = Mark.active if mode is Mode.reverse else Mark.dup
    marks = [
        Mark.dup if a.type.is_pointer else by_value if a.type.holds_float else Mark.const for a in function.arguments
    ]
    result = function.result
    if result.kind == "void":
        return marks, None
    if result.holds_pointer:
        return marks, Mark.dup
    return marks, by_value if result.holds_float else Mark.const


def _listed(nodes: Sequence[str]) -> str:
    """A node of nodes, as `Program._node` takes it."""
    return f"!{{{{{', '.join(nodes)}}}}}"


def _identifier(name: str) -> str:
    return "".join(c if c.isalnum() or c == "_" else "_" for c in name)
