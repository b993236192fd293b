"""What a report shows, whatever the program was written in: sources, the derivative, costs, rewrites and graphs.

Nothing here knows of MLIR, LLVM or HTML. `report.tensor` and `report.native` fill it, `report.page` writes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

__all__ = [
    "Cost",
    "Derived",
    "Edge",
    "Figure",
    "Graph",
    "Model",
    "Node",
    "Place",
    "Role",
    "Rule",
    "Source",
    "SourceLine",
    "Table",
    "by_role",
]


class Role(Enum):
    """What a part of a derivative is there for."""

    primal = "primal"
    partial = "partial"
    again = "again"
    shadow = "shadow"
    kept = "kept"


@dataclass(frozen=True)
class Place:
    """A line of a source, by the number of the file in the report. Lines count from 1."""

    file: int
    line: int


@dataclass(frozen=True)
class Cost:
    """Operations on numbers, and bytes that are moved.

    >>> Cost(1, 8) + Cost(2, 16)
    Cost(operations=3, bytes=24)
    """

    operations: float = 0
    bytes: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.operations + other.operations, self.bytes + other.bytes)


def by_role(steps: Iterable[tuple[Role | None, Cost]]) -> dict[Role | None, tuple[int, Cost]]:
    """How many steps of a derivative there are for each role, and what they cost together.

    >>> by_role([(None, Cost(1, 8)), (Role.primal, Cost(2, 8)), (None, Cost(1, 0))])[None]
    (2, Cost(operations=2, bytes=8))
    """
    found: dict[Role | None, tuple[int, Cost]] = {}
    for role, cost in steps:
        count, together = found.get(role, (0, Cost()))
        found[role] = count + 1, together + cost
    return found


@dataclass(frozen=True)
class SourceLine:
    """A line of a source, and what the derivative has to do with it."""

    number: int
    text: str
    is_active: bool = False
    cost: Cost = Cost()
    """Of the derivative, for this line: the primal, its partial derivatives and its shadows."""
    primal: Cost = Cost()
    """Of the function itself."""
    kept: float = 0
    """Bytes that are kept from here for the reverse sweep. (In native code, of each turn of the loops around it.)"""
    is_recomputed: bool = False
    derived: tuple[int, ...] = ()
    """The lines of the derivative that come from here."""


@dataclass(frozen=True)
class Source:
    """A file, or the part of it that matters: lines that are left out are missing from `lines`."""

    name: str
    language: str
    lines: Sequence[SourceLine]
    total: int
    """How many lines the file has."""


@dataclass(frozen=True)
class Derived:
    """A line of the derivative."""

    number: int
    text: str
    role: Role | None = None
    cost: Cost = Cost()
    kept: float = 0
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rewrite that fired, how often (or how much), and what that saved on each run."""

    name: str
    family: str
    formula: str
    times: int
    saved: Cost
    places: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Node:
    """A box of a graph, which may hold a graph of its own (the body of a loop)."""

    label: str
    about: str = ""
    role: Role | None = None
    places: tuple[Place, ...] = ()
    inside: Graph | None = None
    is_end: bool = False
    """Whether it is an argument, a result or a constant: not something that is done."""


@dataclass(frozen=True)
class Edge:
    source: int
    target: int
    is_kept: bool = False
    """Whether what flows here is kept from one sweep for the other."""


@dataclass(frozen=True)
class Graph:
    """Nodes in the order of the program, and edges between their numbers."""

    title: str
    nodes: Sequence[Node]
    edges: Sequence[Edge]
    note: str = ""
    runs_up: bool = False
    """Whether shadows run against the program, as in reverse mode."""
    stands_for: int | None = None
    """How many things its nodes stand for, if not each for one."""

    @property
    def count(self) -> int:
        """How many things are done, those inside of others included."""
        if self.stands_for is not None:
            return self.stands_for
        return sum(n.inside.count if n.inside else 0 if n.is_end else 1 for n in self.nodes)


@dataclass(frozen=True)
class Figure:
    """A number that matters most, with a name and what it is compared to."""

    name: str
    value: str
    about: str = ""


@dataclass(frozen=True)
class Table:
    """Rows of texts under a title; the first column names the row."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Model:
    """All that a report shows."""

    function: str
    derivative: str
    mode: str
    """`reverse` or `forward`."""
    signature: str
    derived_signature: str
    language: str
    """In which the derivative is written."""
    sources: Sequence[Source]
    lines: Sequence[Derived]
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    rules: Sequence[Rule] = ()
    rules_title: str = "Rewrites that fired"
    rules_count: str = "times"
    """What is counted by `Rule.times`."""
    rules_note: str = ""
    graphs: Sequence[Graph] = ()
    graph_title: str = "Graph of the derivative"
    notes: Sequence[str] = ()
    """What the reader has to know, such as that there is no debug information."""
    roles: Mapping[Role, str] = field(default_factory=dict)
    """What the roles are called here."""
