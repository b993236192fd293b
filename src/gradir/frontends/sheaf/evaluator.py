"""The evaluator: what forms mean.

It walks a program once for each shape of its arguments: tensors may be traced by JAX, and what is left is a StableHLO
program. A function that is called with tensors, and has no effects, is compiled when first called and kept.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import gradir.jax
from gradir.errors import nearest
from gradir.frontends.sheaf.forms import Form, Keyword, List, Map, Number, String, Symbol, Vector, head_of, walk
from gradir.frontends.sheaf.functions import BUILTINS, Builtin, Closure, split
from gradir.frontends.sheaf.macros import Macro, as_data, as_form, instantiate
from gradir.frontends.sheaf.reader import read
from gradir.frontends.sheaf.scope import Scope
from gradir.frontends.sheaf.source import Place, SheafError, Source, at, called
from gradir.frontends.sheaf.values import DTYPES, Key, Value, describe, is_tensor, is_traced, tensor

__all__ = ["SPECIAL", "Evaluator"]

Special = Callable[["Evaluator", List, Scope], Value]
SPECIAL: dict[str, Special] = {}
"""The forms that don't evaluate what stands in them first."""

FOREIGN = {
    "define": "def or defn", "lambda": "fn", "set!": "let", "println": "print", "var": "def", "const": "def",
    "return": "the last form, whose value is the function's", "import": "use", "require": "use", "list": "[a b]",
    "for": "map, repeat or scan", "loop": "while or repeat", "recur": "while or repeat", "matmul": "@", "dot": "@",
    "mul": "*", "add": "+", "sub": "-", "div": "/", "pow": "**", "progn": "do", "begin": "do",
}  # fmt: skip
"""Names of other languages, and what they are here."""

CAUGHT = (TypeError, ValueError, IndexError, KeyError, ZeroDivisionError, OverflowError, AttributeError, OSError)
"""What functions raise at arguments that don't fit."""


def special(*names: str) -> Callable[[Special], Special]:
    def add(form: Special) -> Special:
        SPECIAL.update(dict.fromkeys(names, form))
        return form

    return add


class NotKnown(SheafError):
    """A function must look at a value that is computed only when the compiled program runs."""

    def __init__(self, function: Closure) -> None:
        super().__init__(
            f"{function.name} needs to know a value that is computed when the program runs",
            function.place,
            hint="shapes, and indices and lengths of lists, can't depend on tensors; use where, or get on a tensor",
        )


class Evaluator:
    """A program: its definitions, and how it is run."""

    def __init__(self, value_and_grad: Callable[..., Any] = gradir.jax.value_and_grad, compiles: bool = True) -> None:
        self.globals: dict[str, Value] = {}
        self.macros: dict[str, Macro] = {}
        self.value_and_grad = value_and_grad
        self.compiles = compiles
        self.loaded: set[str] = set()
        self.find_module: Callable[[str, Place], Source | None] = lambda _name, _place: None
        self.stages = 0
        """How many of JAX's transformations we are in: nothing is compiled by itself there, and loops stay loops."""
        self.guards_left = False
        """Whether guards were met that could not be checked, since their values are traced."""
        self.watches = False
        """Whether every op is looked at: the first that makes NaN of numbers is an error."""
        self._compiled: dict[Any, Callable[..., Value]] = {}
        self._known: set[Any] = set()
        self._looking: set[Any] = set()
        self._guarded: set[Any] = set()

    # -- Programs

    def run(self, source: Source) -> Value:
        """Evaluate all forms of a source; gives the value of the last."""
        value = None
        for form in read(source):
            value = self.run_form(form)
        return value

    def run_form(self, form: Form) -> Value:
        """Evaluate one form that stands outside of all others."""
        return self.evaluate(form, Scope())

    @contextmanager
    def stage(self) -> Iterator[None]:
        self.stages += 1
        try:
            yield
        finally:
            self.stages -= 1

    def staged(self, function: Callable[..., Value]) -> Callable[..., Value]:
        """A function for JAX to trace."""

        def traced(*arguments: Value, **keywords: Value) -> Value:
            with self.stage():
                return function(*arguments, **keywords)

        return traced

    def replayed(self, function: Callable[[], Value], watch: bool = False) -> Value:
        """Run something op by op, loops and branches, too, so that guards see their values."""
        before, self.watches = self.watches, watch
        try:
            with jax.disable_jit():
                return function()
        finally:
            self.watches = before

    # -- Forms

    def evaluate(self, form: Form, scope: Scope) -> Value:
        match form:
            case Symbol():
                return self.lookup(form, scope)
            case Number(value=value) | String(value=value):
                return value
            case Keyword(name):
                return Key(name)
            case List():
                return self.call(form, scope)
            case Vector():
                return self.vector(form, scope)
            case Map(items=items):
                return {key: self.evaluate(value, scope) for key, value in items}
        raise AssertionError(form)

    def lookup(self, symbol: Symbol, scope: Scope) -> Value:
        name = symbol.name
        everywhere = name in self.globals or name in BUILTINS
        if not (symbol.is_global and everywhere) and (found := scope.find(name)) is not None:
            return found.names[name]
        if name in self.globals:
            return self.globals[name]
        if name in BUILTINS:
            return BUILTINS[name]
        if name in CONSTANTS:
            return CONSTANTS[name]
        raise SheafError(f"there is no name '{name}'", symbol.place, hint=self._nearest(name, scope))

    def _nearest(self, name: str, scope: Scope) -> str | None:
        if name in SPECIAL or name in self.macros:
            return f"{name} is a form, not a value: write ({name} ...)"
        if name in FOREIGN:
            return f"here that is {FOREIGN[name]}"
        return nearest(name, [*scope, *self.globals, *BUILTINS, *SPECIAL, *self.macros], form="'{}'")

    def vector(self, form: Vector, scope: Scope) -> Value:
        numbers = _literal(form)
        if numbers is not None and _is_even(numbers):
            # Not JAX's array, which would be traced, too: a shape can be made of it.
            return np.array(numbers, np.float32 if form.dtype is None else DTYPES[form.dtype])
        items = tuple(self.evaluate(item, scope) for item in form.items)
        if form.dtype is None:
            return items
        with at(form.place):
            return jnp.asarray(tensor(items)).astype(DTYPES[form.dtype])

    def body(self, forms: Sequence[Form], scope: Scope) -> Value:
        value = None
        for form in forms:
            value = self.evaluate(form, scope)
        return value

    # -- Calls

    def call(self, form: List, scope: Scope) -> Value:
        if not form.items:
            return ()
        head = form.items[0]
        if isinstance(head, Symbol) and (head.is_global or scope.find(head.name) is None):
            if head.name in self.macros:
                return self.evaluate(self.expand(form, scope), scope)
            if head.name in SPECIAL and head.name not in self.globals:
                return called(form.place, SPECIAL[head.name], (self, form, scope), {})
        function = self.evaluate(head, scope)
        if not callable(function):
            holds = isinstance(function, (dict, tuple, Key)) or is_tensor(function)
            hint = "use get to look something up" if holds else None
            raise SheafError(f"{describe(function)} is not a function", head.place, hint=hint)
        given = [(item, self.evaluate(item, scope)) for item in form.items[1:]]
        return self.invoke(function, given, form)

    def invoke(self, function: Value, given: Sequence[tuple[Form, Value]], form: List) -> Value:
        arguments, keywords = split(function, given)
        if isinstance(function, Closure):
            try:
                return called(form.place, function, arguments, keywords)
            except SheafError as error:
                if error.place is None:
                    error.place, error.location = form.place, str(form.place)
                elif len(error.notes) < CALLS_SHOWN:
                    error.note(f"in {function.name}, called", form.place)
                raise
            except RecursionError:
                raise SheafError(
                    f"{function.name} calls itself too often", form.place, hint="use repeat, while, reduce or scan"
                ) from None
        try:
            result = called(form.place, function, arguments, keywords)
            if self.watches:
                _watch(result, given, form)
            return result
        except SheafError as error:
            if error.place is None:
                error.place, error.location = form.place, str(form.place)
                _say_arguments(error, given)
            raise
        except jax.errors.ConcretizationTypeError:
            raise
        except CAUGHT as error:
            name = getattr(function, "name", str(form.items[0]))
            raise _say_arguments(SheafError(f"{name}: {_first_line(error)}", form.place), given) from error

    def apply(self, function: Closure, arguments: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
        """Call a function of the program: compiled, if that is possible and worth it."""
        if self.stages == 0 and self.compiles and function.is_global and self._is_worth_compiling(function, arguments):
            return self.compiled(function, self.arrange(function, arguments, keywords))
        try:
            return self.enter(function, self.arrange(function, arguments, keywords))
        except jax.errors.ConcretizationTypeError:
            raise NotKnown(function) from None

    def arrange(
        self, function: Closure, arguments: Sequence[Value], keywords: Mapping[str, Value]
    ) -> tuple[Value, ...]:
        """The arguments in the order of the parameters."""
        wanted = len(function.parameters)
        names = [p.name if isinstance(p, Symbol) else None for p in function.parameters]
        if len(arguments) > wanted and function.rest is None:
            raise SheafError(_arity(function, len(arguments) + len(keywords))).note("it is defined", function.place)
        given: list[Value] = list(arguments[:wanted])
        for name in names[len(given) :]:
            if name is None or name not in keywords:
                missing = f" ({name} is missing)" if name else ""
                raise SheafError(_arity(function, len(arguments) + len(keywords)) + missing).note(
                    "it is defined", function.place
                )
            given.append(keywords[name])
        twice = next((n for n in names[: len(arguments)] if n in keywords), None)
        if twice:
            raise SheafError(f"{function.name} gets {twice} twice: in its place, and by the keyword :{twice}")
        return (*given, tuple(arguments[wanted:])) if function.rest is not None else tuple(given)

    def enter(self, function: Closure, arguments: Sequence[Value]) -> Value:
        scope = Scope({}, function.scope)
        for pattern, value in zip(function.parameters, arguments, strict=False):
            bind(pattern, value, scope)
        if function.rest is not None:
            scope.names[function.rest] = arguments[-1]
        return self.body(function.body, scope)

    # -- Macros

    def expand(self, form: List, scope: Scope) -> Form:
        """What a call of a macro stands for."""
        for _ in range(EXPANSIONS):
            macro = self.macros.get(head_of(form) or "")
            if macro is None:
                return form
            bound = Scope(macro.bind(form.items[1:], form.place))
            made = self._at_macro_time(macro.body, bound, form.place)
            expanded = as_form(made, form.place)
            if not isinstance(expanded, List):
                return expanded
            form = expanded
        raise SheafError("this macro expands without end", form.place)

    def _at_macro_time(self, form: Form, scope: Scope, place: Place) -> Value:
        """Evaluate a part of a macro: its parameters stand for forms, which functions see as data."""
        if head_of(form) == "quasiquote" and isinstance(form, List):
            return instantiate(form.items[1], lambda inner: self._at_macro_time(inner, scope, place), place)
        if isinstance(form, Symbol):
            found = scope.find(form.name)
            return found.names[form.name] if found else self.lookup(form, scope)
        if isinstance(form, List) and form.items and head_of(form) not in SPECIAL:
            function = self.evaluate(form.items[0], Scope())
            given = [(item, as_data(self._at_macro_time(item, scope, place))) for item in form.items[1:]]
            return self.invoke(function, given, form)
        return self.evaluate(form, Scope({n: as_data(v) for n, v in scope.names.items()}))

    # -- Compiling

    def _is_worth_compiling(self, function: Closure, arguments: Sequence[Value]) -> bool:
        leaves = jax.tree.leaves(arguments)
        return (
            any(is_tensor(leaf) for leaf in leaves)
            and not is_traced(leaves)
            and self.is_pure(function)
            and all(self.is_pure(leaf) for leaf in leaves if callable(leaf))
        )

    def is_pure(self, function: Value, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a function does nothing but compute, as far as the names in it tell."""
        if isinstance(function, Builtin):
            return function.is_pure
        if not isinstance(function, Closure):
            return False
        for form in function.body:
            for part in walk(form):
                if not isinstance(part, Symbol) or part.name in seen:
                    continue
                seen |= {part.name}
                if part.name in self.macros and not self._is_pure_form(self.macros[part.name].body, seen):
                    return False
                found = function.scope.find(part.name)
                value = found.names[part.name] if found else self.globals.get(part.name, BUILTINS.get(part.name))
                if callable(value) and not self.is_pure(value, seen):
                    return False
        return True

    def _is_pure_form(self, form: Form, seen: frozenset[str]) -> bool:
        names = {s.name for s in walk(form) if isinstance(s, Symbol)}
        return all(self.is_pure(BUILTINS[n], seen) for n in names if n in BUILTINS)

    def compiled(self, function: Closure, arguments: Sequence[Value]) -> Value:
        """The value of a call, by a program that is compiled once for each shape of the arguments.

        Numbers are arguments of that program, too, so that a new rate or a counter needs no new one; whole numbers are
        built in if it can't be made otherwise, as where a shape depends on them. What must look at its tensors, to make
        a text or a list of them, is not compiled as a whole, but the functions that it calls may be.
        """
        leaves, tree = jax.tree.flatten(tuple(arguments))
        kind = (function, tree, tuple(_kind(leaf) for leaf in leaves))
        while kind not in self._looking:
            fixed = [_is_fixed(leaf, kind in self._known) for leaf in leaves]
            built_in = tuple((type(v), v) for v, is_fixed in zip(leaves, fixed, strict=True) if is_fixed)
            key = (kind, built_in)
            if key not in self._compiled:
                self._compiled[key] = self._specialised(function, leaves, fixed, tree, key)
            try:
                value = self._compiled[key](*(v for v, is_fixed in zip(leaves, fixed, strict=True) if not is_fixed))
            except (SheafError, jax.errors.ConcretizationTypeError) as error:
                del self._compiled[key]
                if kind in self._known or not any(type(v) is int for v in leaves):
                    if not isinstance(error, (NotKnown, jax.errors.ConcretizationTypeError)):
                        raise
                    self._looking.add(kind)
                self._known.add(kind)
                continue
            if key in self._guarded:
                self.replayed(lambda: self.enter(function, arguments))
            return value
        return self.enter(function, arguments)

    def _specialised(
        self, function: Closure, leaves: Sequence[Value], fixed: Sequence[bool], tree: Any, key: Any
    ) -> Callable[..., Value]:
        results: list[Any] = []

        def run(*tensors: Any) -> list[Any]:
            given = iter(tensors)
            everything = [v if is_fixed else next(given) for v, is_fixed in zip(leaves, fixed, strict=True)]
            self.guards_left = False
            with self.stage():
                value = self.enter(function, jax.tree.unflatten(tree, everything))
            if self.guards_left:
                self._guarded.add(key)
            made, shape = jax.tree.flatten(value)
            known = {i: v for i, v in enumerate(made) if not is_tensor(v)}
            results[:] = [shape, known, len(made)]
            return [v for i, v in enumerate(made) if i not in known]

        program = jax.jit(run)

        def called(*tensors: Any) -> Value:
            made = iter(program(*tensors))
            shape, known, length = results
            return jax.tree.unflatten(shape, [known[i] if i in known else next(made) for i in range(length)])

        return called


CALLS_SHOWN = 4
EXPANSIONS = 100
CONSTANTS: dict[str, Value] = {"true": True, "false": False, "nil": None, "pi": float(np.pi), "...": Ellipsis}
sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))


def bind(pattern: Form, value: Value, scope: Scope) -> None:
    """Bind the names of a pattern: a name, or a vector of patterns for a list or a tensor."""
    if isinstance(pattern, Symbol):
        if pattern.name != "_":
            scope.names[pattern.name] = value
        return
    if not isinstance(pattern, Vector):
        raise SheafError("a name or [names] is bound here", pattern.place)
    if not isinstance(value, (tuple, list)) and not (is_tensor(value) and value.ndim):
        raise SheafError(f"{describe(value)} can't be taken to pieces", pattern.place)
    items = list(pattern.items)
    if len(items) > 1 and isinstance(items[-2], Symbol) and items[-2].name == "&":
        rest, items = items[-1], items[:-2]
        bind(rest, tuple(value[len(items) :]) if isinstance(value, (tuple, list)) else value[len(items) :], scope)
        value = value[: len(items)]
    if len(items) != len(value):
        raise SheafError(f"{len(items)} names for {len(value)} values", pattern.place)
    for i, item in enumerate(items):
        bind(item, value[i], scope)


def _literal(form: Form) -> Any:
    """The numbers of a vector that holds nothing else, or None."""
    if isinstance(form, Number):
        return form.value
    if isinstance(form, Symbol) and form.name in ("true", "false"):
        return None
    if not isinstance(form, Vector):
        return None
    parts = [_literal(item) for item in form.items]
    return None if any(p is None for p in parts) else parts


def _is_even(numbers: Any) -> bool:
    """Whether nested lists of numbers are a tensor: rows of equal lengths."""
    if not isinstance(numbers, list):
        return True
    shapes = {np.shape(n) if _is_even(n) else None for n in numbers}
    return len(shapes) <= 1 and None not in shapes


def _kind(leaf: Value) -> Any:
    return (leaf.shape, str(leaf.dtype), getattr(leaf, "weak_type", False)) if is_tensor(leaf) else type(leaf)


def _is_fixed(leaf: Value, whole_numbers: bool) -> bool:
    """Whether a leaf is built into the compiled program."""
    if is_tensor(leaf) or isinstance(leaf, float):
        return False
    return whole_numbers or type(leaf) is not int


def _arity(function: Closure, given: int) -> str:
    wanted = len(function.parameters)
    more = " or more" if function.rest is not None else ""
    return f"{function.name} takes {wanted} argument{'s' * (wanted != 1)}{more}, not {given}"


def _first_line(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"there is no {error.args[0]!r}"
    return str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__


def _watch(result: Value, given: Sequence[tuple[Form, Value]], form: Form) -> None:
    """Stop at the op that made NaN of numbers."""
    if _has_nan(result) and not any(_has_nan(value) for _, value in given):
        raise SheafError("this is the first op that made NaN", form.place)


def _has_nan(value: Value) -> bool:
    leaves = (leaf for leaf in jax.tree.leaves(value) if is_tensor(leaf) and not is_traced(leaf))
    return any(jnp.issubdtype(v.dtype, jnp.floating) and bool(jnp.isnan(v).any()) for v in leaves)


def _say_arguments(error: SheafError, given: Sequence[tuple[Form, Value]]) -> SheafError:
    """Say what each argument was, and where it stands."""
    for form, value in given:
        if is_tensor(value) or (isinstance(value, (tuple, dict, str)) and not isinstance(value, Key)):
            shown = str(form)
            error.note(f"{shown if len(shown) < 40 else shown[:37] + '...'} is {describe(value)}", form.place)
    return error
