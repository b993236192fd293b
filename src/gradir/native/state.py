"""Variables that functions of a module leave to each other: what one sets, another reads in a later call.

Functions and derivatives are compiled one by one, each with what it needs. A variable that only they themselves change
(a table, a buffer that is allocated once) is a copy in each. One that is changed from outside, as by `init()` or
`set_gain(…)`, must be the same everywhere: it lies with the functions that share it, and derivatives refer to it there.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from gradir.errors import NoRule
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.analysis.variables import may_change
from gradir.machine.ir import Global, Module, array
from gradir.machine.ir.constants import read_constant
from gradir.machine.ir.graphs import reachable
from gradir.machine.ir.text.reader import read
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.jit.thread_locals import control_of, is_thread_local
from gradir.machine.passes.flow import jumps

__all__ = ["State", "check_constant", "with_shared"]

_CONSTRUCTORS = "llvm.global_ctors"
_GUARD = "_ZGV"
"""How the names of variables begin that tell whether a static object was made yet."""


class State:
    """Who changes the variables of a module.

    >>> module = read('''
    ... @gain = internal global double 1.0
    ... @scratch = internal global double 0.0
    ... define void @set_gain(double %g) {
    ...   store double %g, ptr @gain
    ...   ret void
    ... }
    ... define double @f(double %x) {
    ...   store double %x, ptr @scratch
    ...   %g = load double, ptr @gain
    ...   ret double %g
    ... }''')
    >>> state = State(module)
    >>> sorted(state.of("f")), sorted(state.functions)
    (['gain'], ['f', 'set_gain'])
    """

    def __init__(self, module: Module, home: State | None = None) -> None:
        """`home` is that of a module which this one adds functions to: its variables lie there."""
        self.module, self.home = module, home
        self.variables = {g.name: g for g in module.variables if _is_variable(g) and not jumps.is_buffer(module, g)}
        self._reached: dict[str, set[str]] = {}
        self._writers: dict[str, set[str]] = {}

    def of(self, symbol: str) -> frozenset[str]:
        """The variables that a function shares with others."""
        if self.home is not None:
            return frozenset(n for root in self.home.roots if root in self._reach(symbol) for n in self.home.of(root))
        used = self._used(symbol)
        if not used:
            return frozenset()
        outside = {name for name in used if self._writers_of(name) & self._callable - self._reach(symbol)}
        if not self._own_pointers(symbol, used - outside):
            outside |= {n for n in used if not self._holds_pointers(n) and self._is_left_to_others(n, symbol)}
        set_up = self._constructors_of(*outside)
        return frozenset(outside | {name for name in used if self._constructors_of(name) & set_up})

    def pointers_of(self, symbol: str) -> frozenset[str]:
        """Those of them that lead to memory."""
        return frozenset(filter(self._holds_pointers, self.of(symbol)))

    @cached_property
    def functions(self) -> frozenset[str]:
        """The functions that read or change shared variables."""
        return frozenset(root for root in self.roots if self._used(root) & self.names)

    @cached_property
    def names(self) -> frozenset[str]:
        """All shared variables."""
        if self.home is not None:
            return self.home.names
        return frozenset(name for root in self.roots for name in self.of(root)) if self.variables else frozenset()

    @cached_property
    def symbols(self) -> dict[str, str]:
        """What code that runs here knows each of them by: of one that each thread has, by what threads ask for it."""
        known = self.variables if self.home is None else self.home.variables
        return {name: control_of(name) if is_thread_local(known[name]) else name for name in self.names}

    def check(self, symbol: str) -> None:
        """Refuse what can't be told of variables that are in part a derivative's own."""
        shared = self.of(symbol)
        if not shared:
            return
        own = self._own_pointers(symbol, self._used(symbol) - shared)
        if not own:
            return
        reached = self._reach(symbol)
        if both := sorted(name for name in shared if self._writers_of(name) & reached):
            writers = sorted(self._writers_of(both[0]) & self._callable - reached)
            raise NoRule(
                f"@{symbol}: the variable @{both[0]} is changed by @{', @'.join(writers)} as well, and tells of memory "
                f"that @{own[0]} holds from one call to the next",
                hint="let one function do both, or pass that memory as an argument",
            )

    # -- who mentions whom ------------------------------------------------------------------------------------------

    @cached_property
    def _mentioned(self) -> dict[str, list[str]]:
        found = {f.name: f.mentioned for f in self.module.definitions}
        found |= {g.name: global_names(g.line)[1:] for g in self.module.variables if g.name != _CONSTRUCTORS}
        return {name: [self.module.aliases.get(m, m) for m in mentioned] for name, mentioned in found.items()}

    def _reach(self, symbol: str) -> set[str]:
        if symbol not in self._reached:
            self._reached[symbol] = reachable(self._mentioned, symbol)
        return self._reached[symbol]

    def _used(self, symbol: str) -> set[str]:
        return self._reach(symbol) & self.variables.keys()

    @cached_property
    def roots(self) -> list[str]:
        """The functions that are called from outside."""
        return [f.name for f in self.module.definitions if f.signature.linkage not in ("internal", "private")]

    @cached_property
    def _callable(self) -> set[str]:
        """What these call; not what only runs when the code is loaded."""
        return reachable(self._mentioned, *self.roots)

    # -- who changes what -------------------------------------------------------------------------------------------

    def _writers_of(self, name: str) -> set[str]:
        """The functions that may change a variable: all that do more than load from it."""
        if name not in self._writers:
            tables = {g.name for g in self.module.variables if name in self._mentioned.get(g.name, ())}
            self._writers[name] = {
                f.name
                for f in self.module.definitions
                if not tables.isdisjoint(mentioned := self._mentioned[f.name])
                or (name in mentioned and may_change(f, self.module.globals[name]))
            }
        return self._writers[name]

    def _is_left_to_others(self, name: str, symbol: str) -> bool:
        used = any(root != symbol and name in self._reach(root) for root in self.roots)
        return used and not self._callable.isdisjoint(self._writers_of(name))

    def _own_pointers(self, symbol: str, used: Iterable[str]) -> list[str]:
        """Variables that hold memory of a function's own, which derivatives have shadows of."""
        reached = self._reach(symbol)
        return sorted(name for name in used if self._holds_pointers(name) and self._writers_of(name) & reached)

    def _holds_pointers(self, name: str) -> bool:
        return name.startswith(_GUARD) or self.variables[name].value_type.holds_pointer

    def _constructors_of(self, *names: str) -> set[str]:
        """The functions that give variables their first values when the code is loaded."""
        return {c for c in self._constructors for name in names if self._writers_of(name) & self._reach(c)}

    @cached_property
    def _constructors(self) -> list[str]:
        g = self.module.globals.get(_CONSTRUCTORS)
        return [name for name in global_names(g.line)[1:] if name in self.module.functions] if g is not None else []


def _is_variable(g: Global) -> bool:
    said = g.parts
    if said.kind != "global" or said.initializer is None or g.name.startswith(("llvm.", "__enzyme", "enzyme_")):
        return False
    return g.name != "__dso_handle"


def check_constant(module: Module, symbol: str, names: Iterable[str]) -> None:
    """Refuse a derivative that would write to memory which others have allocated: it has no shadow."""
    function = module.functions[symbol]
    memory = Memory(module, function, CFG(function))
    for name in sorted(names):
        if name not in module.globals:
            continue
        place, seen = memory.place(module.globals[name]), set()
        while place.content is not None and place not in seen:
            seen.add(place)
            place = place.content.find()
            if memory.is_written(place):
                raise NoRule(
                    f"@{symbol}: memory is written here that @{name} leads to, which other functions have made: "
                    "a derivative has no shadow of it",
                    hint="pass it as an argument, or allocate it in the same function",
                )


def with_shared(text: str, names: Iterable[str]) -> str:
    """A module's text that refers to shared variables, instead of having them; what sets them up ran elsewhere.

    Those that are internal there are copies of its own.
    """
    module = read(text)
    known = [g for name in names if (g := module.globals.get(name)) is not None]
    here = [g for g in known if g.initializer is not None and not {"internal", "private"} & {*g.parts.words}]
    if not here:
        return text
    for g in here:
        g.parts.words, g.parts.initializer = ["external", *(w for w in g.parts.words if "thread_local" in w)], None
        g.parts.trailing.pop("comdat", None)
    _drop_constructors(module, {g.name for g in here})
    return str(module)


def _drop_constructors(module: Module, shared: set[str]) -> None:
    g = module.globals.get(_CONSTRUCTORS)
    if g is None or g.initializer is None:
        return
    mentioned = {f.name: f.mentioned for f in module.definitions}
    entries = read_constant(g.value_type, g.initializer).parts
    left = [e.text for e in entries if not reachable(mentioned, *global_names(e.text)) & shared]
    if len(left) == len(entries):
        return
    element = g.value_type.element
    g.parts.type, g.parts.initializer = array(len(left), element), f"[{', '.join(f'{element} {e}' for e in left)}]"
    if not left:
        module.remove(_CONSTRUCTORS)
