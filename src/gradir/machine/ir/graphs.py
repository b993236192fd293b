"""Graphs of blocks, and of functions that call each other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from gradir.machine.ir.model import Constant, Function, Global, Instruction, Value
from gradir.machine.ir.module import Module

__all__ = ["callees_first", "components", "direct_calls", "mentioners", "reachable"]

T = TypeVar("T")


def reachable(edges: Mapping[T, Iterable[T]], *starts: T) -> set[T]:
    """What one comes to from some nodes, themselves included.

    >>> sorted(reachable({1: [2], 2: [3]}, 2, 5))
    [2, 3, 5]
    """
    found, waiting = set(starts), list(starts)
    while waiting:
        for target in edges.get(waiting.pop(), ()):
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def components(edges: Mapping[T, Iterable[T]], nodes: Collection[T]) -> Iterator[list[T]]:
    """The strongly connected components of a part of a graph (Tarjan), without recursion: what is led to comes first.

    >>> list(components({1: [2], 2: [3, 1], 3: []}, [1, 2, 3]))
    [[3], [1, 2]]
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    stack: list[T] = []
    on_stack: set[T] = set()
    wanted = set(nodes)
    for root in nodes:
        if root in index:
            continue
        work = [(root, iter(edges[root]))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
                on_stack.add(node)
            for target in rest:
                if target not in wanted:
                    continue
                if target not in index:
                    work.append((target, iter(edges[target])))
                    break
                if target in on_stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    found = stack[at:]
                    del stack[at:]
                    on_stack.difference_update(found)
                    yield found


def mentioners(functions: Iterable[Function]) -> dict[str, list[str]]:
    """For each name that functions call or mention, who does."""
    found: dict[str, list[str]] = {}
    for f in functions:
        for name in f.mentioned:
            found.setdefault(name, []).append(f.name)
    return found


def callees_first(module: Module, function: Function, but: Collection[str] = ()) -> list[str]:
    """The functions with bodies that one calls, directly or not; callees before callers.

    Those that call themselves, directly or not, are left out, and some others with all that only they call.
    """
    edges: dict[str, list[str]] = {}
    waiting = [function.name]
    while waiting:
        name = waiting.pop()
        if name not in edges:
            called = (i.callee_name for i in module.functions[name].instructions())
            edges[name] = [n for n in dict.fromkeys(called) if n is not None and n not in but and _has_body(module, n)]
            waiting += edges[name]
    alone = [part[0] for part in components(edges, list(edges)) if len(part) == 1]
    return [name for name in alone if name not in edges[name] and name != function.name]


def _has_body(module: Module, name: str) -> bool:
    function = module.functions.get(name)
    return function is not None and not function.is_declaration


def direct_calls(module: Module, function: Function) -> list[Instruction] | None:
    """All calls of a function (but for those that may throw); None if it is used in any other way."""
    if any(function.ref in g.line for g in module.variables):
        return None
    found = []
    for i in (i for f in module.definitions if f.may_hold(function.ref) for i in f.instructions()):
        if i.opcode == "call" and i.callee_name == function.name and not _mentions(i.arguments, function):
            found.append(i)
        elif _mentions(i.operands, function):
            return None
    return found


def _mentions(values: Sequence[Value], function: Function) -> bool:
    constants = (v for v in values if isinstance(v, (Constant, Global)))
    return any(function.name in (c.globals if isinstance(c, Constant) else (c.name,)) for c in constants)
