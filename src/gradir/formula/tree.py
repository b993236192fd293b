"""Formulas as trees: what a program computes, in the words of NumPy.

Nodes are immutable, and unique: equal formulas are the same object, so that what is shared is seen to be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numpy as np

__all__ = [
    "Formula", "Node", "array", "depth", "dtype_kind", "make", "nodes_of", "number", "numeric", "postorder", "size",
    "variable",
]  # fmt: skip

T = TypeVar("T", bound=Hashable)

Shape = tuple[int, ...]


class Node:
    """An operation on other nodes. Its operands are broadcast as NumPy does it.

    `data` is what an operation needs beside its operands: axes, a name, a number.
    """

    __slots__ = ("__weakref__", "args", "data", "dtype", "label", "op", "shape", "size")

    def __init__(self, op: str, args: tuple[Node, ...], shape: Shape, dtype: str, data: Any) -> None:
        self.op, self.args, self.shape, self.dtype = op, args, shape, dtype
        self.data = data
        # About the number of signs that it takes to write it.
        self.size: int = sum(a.size for a in args) + (max(1, len(args) - 1) if data != -1 else 0)
        # By which equals are put in order; the beginning of a large formula tells enough.
        self.label: str = f"{op}{data}({','.join(a.label for a in args)})"[:LABEL]

    @property
    def rank(self) -> int:
        return len(self.shape)

    def __repr__(self) -> str:
        return f"<{self.label}: {self.dtype}{list(self.shape)}>"


LABEL = 160
_nodes: WeakValueDictionary[Hashable, Node] = WeakValueDictionary()


def make(op: str, args: Sequence[Node], shape: Sequence[int], dtype: str, data: Hashable = ()) -> Node:
    """The one node of these parts."""
    key = (op, tuple(args), tuple(shape), dtype, data)
    found = _nodes.get(key)
    if found is None:
        found = _nodes[key] = Node(*key)
    return found


def variable(name: str, shape: Sequence[int] = (), dtype: str = "f32") -> Node:
    return make("variable", (), shape, dtype, name)


def number(value: Fraction | float, dtype: str = "f32") -> Node:
    """A number, as exact as it was written; infinities and NaN are floats."""
    return make("number", (), (), dtype, value if isinstance(value, float) else Fraction(value))


def array(values: np.ndarray[Any, Any], dtype: str) -> Node:
    """A constant with elements that differ."""
    return make("array", (), values.shape, dtype, tuple(values.ravel().tolist()))


def numeric(node: Node) -> Fraction | None:
    """The number that a node is, if it is one and finite."""
    return node.data if node.op == "number" and isinstance(node.data, Fraction) else None


def dtype_kind(dtype: str) -> str:
    """`bool`, `int` or `float`, by an MLIR element type."""
    return "bool" if dtype == "i1" else "int" if dtype.startswith(("i", "ui")) else "float"


def size(shape: Sequence[int]) -> int:
    return int(np.prod(shape, dtype=np.int64))


def postorder(roots: Sequence[T], operands: Callable[[T], Sequence[T]]) -> Iterator[T]:
    """Every node once, operands first."""
    seen: set[T] = set()
    todo: list[tuple[T, bool]] = [(root, False) for root in reversed(roots)]
    while todo:
        node, is_done = todo.pop()
        if is_done:
            yield node
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo += [(a, False) for a in reversed(operands(node))]


def nodes_of(roots: Sequence[Node]) -> Iterator[Node]:
    """The nodes of trees, each once, arguments first."""
    return postorder(roots, lambda node: node.args)


def depth(formula: Formula) -> int:
    """How many operations stand within each other, at most."""
    levels: dict[Node, int] = {}
    for node in nodes_of(formula.results):
        levels[node] = 1 + max((levels[a] for a in node.args), default=0)
    return max((levels[r] for r in formula.results), default=0)


@dataclass(frozen=True)
class Formula:
    """What a function computes: its parameters, and a tree for each result."""

    name: str
    parameters: tuple[Node, ...]
    results: tuple[Node, ...]
    result_names: tuple[str, ...]

    def shared(self, least: int) -> list[Node]:
        """The nodes of at least this size that are used more than once, operands first."""
        uses = Counter(a for node in nodes_of(self.results) for a in node.args)
        uses.update(self.results)
        return [node for node in nodes_of(self.results) if uses[node] > 1 and node.size >= least]
