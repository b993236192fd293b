"""What a traced function is, apart from where it was written: a key by which what was made of it is found again."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from gradir.jax_internals import jax_core

__all__ = ["parameters", "structure"]

SMALL = 64
"""Elements of an array that is compared by its content."""


class Same:
    """An object that is like no other. It is kept, so that no other gets its place in memory."""

    __slots__ = ("it",)

    def __init__(self, it: Any) -> None:
        self.it = it

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.it is self.it

    def __hash__(self) -> int:
        return id(self.it)


def structure(closed: Any, *, open_consts: bool = False) -> Hashable:
    """The equations of a closed jaxpr with their parameters, without names and source locations.

    Two functions with equal structures compute the same; that some with different ones do, too (each trace has its own
    thunks for derivatives that users define) costs time only. With `open_consts`, constants are arguments.

    >>> import jax
    >>> made = [structure(jax.make_jaxpr(f)(1.0)) for f in (lambda x: x * 2, lambda y: y * 2, lambda x: x * 3)]
    >>> made[0] == made[1], made[0] == made[2]
    (True, False)
    """
    consts = () if open_consts else tuple(_value(c) for c in closed.consts)
    return _jaxpr(closed.jaxpr), consts


def parameters(params: Mapping[str, Any]) -> Hashable:
    """The parameters of an equation, likewise."""
    return tuple((name, _value(params[name])) for name in sorted(params))


def _jaxpr(jaxpr: Any) -> Hashable:
    numbers: dict[Any, int] = {}

    def define(var: Any) -> Hashable:
        numbers[var] = len(numbers)
        return var.aval

    def use(atom: Any) -> Hashable:
        return (atom.aval, _value(atom.val)) if isinstance(atom, jax_core.Literal) else numbers[atom]

    given = tuple(map(define, (*jaxpr.constvars, *jaxpr.invars)))
    equations = tuple(
        (
            eqn.primitive,
            tuple(map(use, eqn.invars)),
            parameters(eqn.params),
            _value(getattr(eqn, "ctx", None)),
            tuple(map(define, eqn.outvars)),
        )
        for eqn in jaxpr.eqns
    )
    return given, equations, tuple(map(use, jaxpr.outvars))


def _value(value: Any) -> Hashable:
    """What tells a value from all that differ in anything: 1 from True, 0.0 from -0.0."""
    match value:
        case jax_core.Jaxpr():
            return _jaxpr(value)
        case jax_core.ClosedJaxpr():
            return structure(value)
        case tuple() | list():
            return type(value), tuple(map(_value, value))
        case Mapping():
            return type(value), tuple((_value(k), _value(v)) for k, v in value.items())
        case float() | complex():
            return type(value), repr(value)
        case np.ndarray() | np.generic() if value.size <= SMALL and value.dtype != object:
            return np.ndarray, str(value.dtype), value.shape, value.tobytes()
        case str() | bytes() | int() | None:
            return type(value), value
    try:
        hash(value)  # by identity, where a class says nothing else: the key keeps the object
    except TypeError:
        return Same(value)
    return type(value), value
