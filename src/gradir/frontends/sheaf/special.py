"""The special forms: those that bind, define, choose and repeat."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

import jax
import jax.numpy as jnp

from gradir.frontends.sheaf import control
from gradir.frontends.sheaf.evaluator import SPECIAL, Evaluator, bind, special
from gradir.frontends.sheaf.forms import Form, Keyword, List, Map, Symbol, Vector
from gradir.frontends.sheaf.functions import BUILTINS, Closure
from gradir.frontends.sheaf.macros import Macro, as_data, instantiate
from gradir.frontends.sheaf.scope import Scope
from gradir.frontends.sheaf.source import SheafError, at
from gradir.frontends.sheaf.values import DTYPES, Value, describe, is_tensor, is_traced, tensor, truth

__all__: list[str] = []

# -- Definitions -------------------------------------------------------------------------------------------------------


@special("def")
def _def(e: Evaluator, form: List, scope: Scope) -> Value:
    name, value = _items(form, "a name and a value", 2)
    e.globals[_new_name(e, name)] = made = e.evaluate(value, scope)
    return made


@special("defn")
def _defn(e: Evaluator, form: List, scope: Scope) -> Value:
    name, parameters, *body = _items(form, "a name, [parameters] and a body", 2, None)
    if body and isinstance(body[0], Keyword) and body[0].name == "jit":
        body = body[1:]  # functions are compiled anyway
    if body and isinstance(body[-1], Keyword) and body[-1].name == "jit":
        body = body[:-1]
    made = _closure(e, _new_name(e, name), parameters, body, Scope(), form)
    made.is_global = True
    e.globals[made.name] = made
    return made


@special("fn")
def _fn(e: Evaluator, form: List, scope: Scope) -> Value:
    parameters, *body = _items(form, "[parameters] and a body", 1, None)
    return _closure(e, "fn", parameters, body, scope, form)


def _closure(e: Evaluator, name: str, parameters: Form, body: Sequence[Form], scope: Scope, form: List) -> Closure:
    if not isinstance(parameters, Vector):
        raise SheafError("the parameters of a function stand in [brackets]", parameters.place)
    if not body:
        raise SheafError(f"the function {name} has no body", form.place)
    items, rest = _rest(parameters)
    names = [i.name for i in items if isinstance(i, Symbol)]
    for item in items:
        if not isinstance(item, (Symbol, Vector)):
            raise SheafError("a parameter is a name, or [names] for a list", item.place)
        if isinstance(item, Symbol) and (item.name in SPECIAL or (names.count(item.name) > 1 and item.name != "_")):
            why = "stands here twice" if names.count(item.name) > 1 else "is a form of the language"
            raise SheafError(f"'{item.name}' can't be a parameter: it {why}", item.place)
    return Closure(name, items, rest, body, scope, e, form.place, tuple(names))


def _rest(parameters: Vector) -> tuple[Sequence[Form], str | None]:
    """The parameters, and the name after & that takes what is left."""
    items = parameters.items
    if not any(isinstance(i, Symbol) and i.name == "&" for i in items):
        return items, None
    if len(items) < 2 or not isinstance(items[-1], Symbol) or items[-2] != Symbol("&"):
        raise SheafError("one name follows the &, and nothing after it", parameters.place)
    return items[:-2], items[-1].name


def _new_name(e: Evaluator, name: Form) -> str:
    if not isinstance(name, Symbol):
        raise SheafError("a name is wanted here", name.place)
    if name.name in SPECIAL or name.name in BUILTINS or name.name in e.macros:
        kind = "a form of the language" if name.name in SPECIAL else "already there"
        raise SheafError(f"'{name.name}' can't be defined: it is {kind}", name.place, hint="take another name")
    return name.name


@special("defmacro")
def _defmacro(e: Evaluator, form: List, scope: Scope) -> Value:
    name, parameters, *body = _items(form, "a name, [parameters] and a template", 3, None)
    if not isinstance(name, Symbol) or not isinstance(parameters, Vector):
        raise SheafError("a macro is (defmacro name [parameters] template)", form.place)
    items, rest = _rest(parameters)
    names = [i.name for i in items if isinstance(i, Symbol)]
    if name.name in SPECIAL or len(names) != len(items):
        raise SheafError(f"'{name.name}' can't be a macro with these parameters", form.place)
    e.macros[name.name] = Macro(name.name, names, rest, body[-1], form.place)
    return None


@special("use")
def _use(e: Evaluator, form: List, scope: Scope) -> Value:
    (name,) = _items(form, "the name of a module", 1)
    text = str(as_data(name)) if not isinstance(name, Symbol) else name.name
    if text not in e.loaded:
        source = e.find_module(text, form.place)
        if source is None:
            raise SheafError(f"there is no module '{text}'", name.place, hint="it is looked for beside the program")
        e.loaded.add(text)
        e.run(source)
    return None


@special("quote")
def _quote(e: Evaluator, form: List, scope: Scope) -> Value:
    (inner,) = _items(form, "one form", 1)
    return _data(inner)


def _data(form: Form) -> Value:
    match form:
        case Vector(items=items, dtype=dtype) if dtype is not None:
            return jnp.asarray(tensor(tuple(map(_data, items)))).astype(DTYPES[dtype])
        case List(items=items) | Vector(items=items):
            return tuple(map(_data, items))
        case Map(items=pairs):
            return {k: _data(v) for k, v in pairs}
        case Symbol(name):
            return {"true": True, "false": False, "nil": None}.get(name, name)
    return as_data(form)


@special("quasiquote")
def _quasiquote(e: Evaluator, form: List, scope: Scope) -> Value:
    (inner,) = _items(form, "one form", 1)
    return _data(instantiate(inner, lambda f: e.evaluate(f, scope), form.place))


@special("unquote", "unquote-splicing")
def _unquote(e: Evaluator, form: List, scope: Scope) -> Value:
    raise SheafError("an unquote stands in a template, after a `", form.place)


# -- Bindings and sequences --------------------------------------------------------------------------------------------


@special("do")
def _do(e: Evaluator, form: List, scope: Scope) -> Value:
    return e.body(form.items[1:], scope)


@special("let")
def _let(e: Evaluator, form: List, scope: Scope) -> Value:
    bindings, *body = _items(form, "[name value ...] and a body", 1, None)
    inner = scope
    for pattern, value in _pairs(bindings):
        made = e.evaluate(value, inner)
        inner = Scope({}, inner)
        bind(pattern, made, inner)
    return e.body(body, inner)


@special("with-params")
def _with_params(e: Evaluator, form: List, scope: Scope) -> Value:
    where, *body = _items(form, "[parameters] and a body", 2, None)
    if not isinstance(where, Vector) or not where.items:
        raise SheafError("write (with-params [p] ...) or (with-params [p :key] ...)", where.place)
    value = e.evaluate(where.items[0], scope)
    for key in where.items[1:]:
        name = e.evaluate(key, scope)
        if not isinstance(value, dict) or name not in value:
            raise SheafError(f"there is no :{name} in {describe(value)}", key.place)
        value = value[name]
    if not isinstance(value, dict):
        raise SheafError(f"with-params takes a dictionary, not {describe(value)}", where.place)
    return e.body(body, Scope(value, scope))


@special("->", "->>")
def _thread(e: Evaluator, form: List, scope: Scope) -> Value:
    first, *steps = _items(form, "a value and steps", 1, None)
    is_last = form.items[0] == Symbol("->>")
    for step in steps:
        if isinstance(step, List) and step.items:
            head, *rest = step.items
            first = List((head, *rest, first) if is_last else (head, first, *rest), place=step.place)
        else:
            first = List((step, first), place=step.place)
    return e.evaluate(first, scope)


@special("as->")
def _as(e: Evaluator, form: List, scope: Scope) -> Value:
    first, name, *steps = _items(form, "a value, a name and steps", 2, None)
    value = e.evaluate(first, scope)
    for step in steps:
        inner = Scope({}, scope)
        bind(name, value, inner)
        value = e.evaluate(step, inner)
    return value


# -- Choices -----------------------------------------------------------------------------------------------------------


@special("if")
def _if(e: Evaluator, form: List, scope: Scope) -> Value:
    condition, then, *otherwise = _items(form, "a condition, a value and perhaps another", 2, 3)
    decided = e.evaluate(condition, scope)
    branches = [e.staged(lambda f=f: e.evaluate(f, scope)) for f in (then, *otherwise)]
    if not is_traced(decided):
        chosen = then if _decided(decided, condition) else (otherwise[0] if otherwise else None)
        return e.evaluate(chosen, scope) if chosen is not None else None
    if not otherwise:
        raise SheafError("this `if` is decided when the program runs, so it needs both branches", form.place)
    with _placed(form):
        return control.choose(decided, branches[0], branches[1])


@special("cond")
def _cond(e: Evaluator, form: List, scope: Scope) -> Value:
    rest = form.items[1:]
    if len(rest) % 2:
        raise SheafError("cond takes conditions and values in turn", form.place, hint="end with :else and a value")
    if not rest:
        return None
    condition, value = rest[:2]
    if isinstance(condition, Keyword):
        return e.evaluate(value, scope)
    left = List((form.items[0], *rest[2:]), place=form.place)
    return _if(e, List((Symbol("if"), condition, value, left), place=form.place), scope)


@special("case")
def _case(e: Evaluator, form: List, scope: Scope) -> Value:
    subject, *rest = _items(form, "a value, then values and results in turn", 1, None)
    value = e.evaluate(subject, scope)
    default = rest.pop() if len(rest) % 2 else None
    pairs = list(zip(rest[::2], rest[1::2], strict=True))
    if not is_traced(value):
        for wanted, result in pairs:
            if _is_same(value, e.evaluate(wanted, scope)):
                return e.evaluate(result, scope)
        return e.evaluate(default, scope) if default is not None else None
    if default is None:
        raise SheafError("this `case` is decided when the program runs, so it needs a default", form.place)

    def pick(rest: Sequence[tuple[Form, Form]]) -> Value:
        if not rest:
            return e.evaluate(default, scope)
        (wanted, result), *others = rest
        return control.choose(
            jnp.all(value == tensor(e.evaluate(wanted, scope))),
            e.staged(lambda: e.evaluate(result, scope)),
            e.staged(lambda: pick(others)),
        )

    with _placed(form):
        return pick(pairs)


@special("and", "or")
def _and_or(e: Evaluator, form: List, scope: Scope) -> Value:
    """Values of the host decide at once, and only `false` and `nil` are false. Tensors are combined by elements."""
    is_and = form.items[0] == Symbol("and")
    value: Value = is_and
    for i, item in enumerate(form.items[1:]):
        after = e.evaluate(item, scope)
        if i and (is_tensor(value) or is_tensor(after)):
            with _placed(form):
                value = (jnp.logical_and if is_and else jnp.logical_or)(tensor(value), tensor(after))
        else:
            value = after
        if not is_tensor(value) and (value is None or value is False) == is_and:
            break
    return value


def _decided(value: Value, where: Form) -> bool:
    with _placed(where):
        return truth(value)


def _is_same(a: Value, b: Value) -> bool:
    if is_tensor(a) or is_tensor(b):
        return bool(jnp.array_equal(tensor(a), tensor(b)))
    return type(a) is type(b) and a == b if isinstance(a, bool) or isinstance(b, bool) else bool(a == b)


# -- Loops -------------------------------------------------------------------------------------------------------------


@special("while")
def _while(e: Evaluator, form: List, scope: Scope) -> Value:
    condition, state, *body = _items(form, "a condition, [state start] and a body", 3, None)
    ((pattern, start),) = _pairs(state, 1)
    value = e.evaluate(start, scope)

    def within(value: Value) -> Scope:
        inner = Scope({}, scope)
        bind(pattern, value, inner)
        return inner

    while not is_traced(decided := e.evaluate(condition, within(value))):
        if not _decided(decided, condition):
            return value
        value = e.body(body, within(value))
    with _placed(form):
        return control.loop(
            e.staged(lambda v: e.evaluate(condition, within(v))), e.staged(lambda v: e.body(body, within(v))), value
        )


@special("repeat")
def _repeat(e: Evaluator, form: List, scope: Scope) -> Value:
    counter, state, *body = _items(form, "[counter times], [state start] and a body", 3, None)
    ((name, times),) = _pairs(counter, 1)
    ((pattern, start),) = _pairs(state, 1)
    rounds, value = e.evaluate(times, scope), e.evaluate(start, scope)

    def round_(i: Any, value: Value) -> Value:
        inner = Scope({}, scope)
        bind(name, i, inner)
        bind(pattern, value, inner)
        return e.body(body, inner)

    with _placed(form):
        if is_traced(rounds):
            return control.counted(rounds, e.staged(round_), value)
        n = _whole(rounds, times)
        if e.stages and n > 1:
            try:
                return control.counted(n, e.staged(round_), value)
            except (SheafError, jax.errors.ConcretizationTypeError):
                if n > control.UNROLLED:
                    raise
        # On the host; or a body that must know its counter, or whose state changes its shape: round by round.
        for i in range(n):
            value = round_(i, value)
        return value


def _whole(value: Value, where: Form) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if is_tensor(value) and value.size == 1 and float(value.reshape(())).is_integer():
        return int(value.reshape(()))
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise SheafError(f"a whole number is wanted here, not {describe(value)}", where.place)


@special("guard")
def _guard(e: Evaluator, form: List, scope: Scope) -> Value:
    """`(guard :no-nan x)`, `(guard :range [low high] x)`, `(guard :shape [2 nil] x)`: x, if it is as it should be.

    What is known only when the program runs is left for later: who runs it does so once more, op by op (`replayed`).
    """
    kind, *rest = _items(form, "what to check, and a value", 2, 3)
    name = kind.name if isinstance(kind, Keyword) else None
    if name not in ("no-nan", "range", "shape") or len(rest) != (1 if name == "no-nan" else 2):
        hint = "(guard :no-nan x), (guard :range [low high] x), (guard :shape [2 3] x)"
        raise SheafError("a guard is of :no-nan, :range or :shape", form.place, hint=hint)
    value = e.evaluate(rest[-1], scope)
    wanted = e.evaluate(rest[0], scope) if len(rest) == 2 else None
    for leaf in jax.tree.leaves(value):
        array = jnp.asarray(tensor(leaf))
        e.guards_left |= is_traced(array) and name != "shape"
        if wrong := _breach(name, wanted, array):
            raise SheafError(f"guard: {wrong}", rest[-1].place)
    return value


def _breach(name: str, wanted: Value, value: Any) -> str | None:
    """What is wrong with a guarded value, if anything can be told."""
    if name == "shape":
        shape = [None if w is None else int(w) for w in wanted]
        fits = len(shape) == value.ndim and all(w in (None, n) for w, n in zip(shape, value.shape, strict=True))
        return None if fits else f"{describe(value)} has not the shape {list(shape)}"
    if is_traced(value):
        return None
    if name == "no-nan":
        return f"{describe(value)} holds NaN" if bool(jnp.isnan(value).any()) else None
    low, high = wanted
    if value.size and not bool(((value >= low) & (value <= high)).all()):
        return f"values from {float(value.min())} to {float(value.max())} are not within {float(low)} to {float(high)}"
    return None


@special("static")
def _static(e: Evaluator, form: List, scope: Scope) -> Value:
    (inner,) = _items(form, "one value", 1)
    value = e.evaluate(inner, scope)
    if is_traced(value):
        raise SheafError("this value is known only when the program runs", inner.place)
    return value.item() if is_tensor(value) and value.size == 1 else value


# -- Reading forms -----------------------------------------------------------------------------------------------------


def _items(form: List, what: str, least: int, most: int | None = -1) -> list[Form]:
    """What follows the head, in the right number."""
    items = list(form.items[1:])
    most = least if most == -1 else most
    if len(items) < least or (most is not None and len(items) > most):
        raise SheafError(f"{form.items[0]} takes {what}", form.place)
    return items


def _pairs(form: Form, wanted: int | None = None) -> list[tuple[Form, Form]]:
    if not isinstance(form, Vector) or len(form.items) % 2 or (wanted and len(form.items) != 2 * wanted):
        raise SheafError("names and values stand here in turn, in [brackets]", form.place)
    return list(zip(form.items[::2], form.items[1::2], strict=True))


def _placed(form: Form) -> AbstractContextManager[None]:
    return at(form.place)
