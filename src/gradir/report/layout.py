"""Where the nodes of a graph go.

The program runs down the left side. What belongs to the shadows stands on the right: in reverse mode it runs up again,
so that what is kept crosses over on a level; in forward mode it runs down as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gradir.report.model import Edge, Graph, Node, Role

__all__ = ["Box", "Drawing", "draw"]

LETTER, MARGIN, HEIGHT, ROW, GAP, LANE, PAD, HEAD = 6.7, 10, 24, 22, 12, 70, 12, 22
"""Pixels: of a letter, beside a label, of a box, between rows, boxes and lanes, around and above what is in a box."""
ORDERINGS = 4
"""How often the boxes of each row are put in the order of their neighbours."""


@dataclass
class Box:
    """A node and where it is; what it holds is drawn from its upper left corner."""

    node: Node
    width: float
    height: float
    x: float = 0
    y: float = 0
    inside: Drawing | None = None


@dataclass
class Drawing:
    boxes: Sequence[Box]
    edges: Sequence[Edge]
    width: float
    height: float


def draw(graph: Graph) -> Drawing:
    """Lay out a graph."""
    boxes = [_box(node) for node in graph.nodes]
    forward = [e for e in graph.edges if e.source < e.target]  # graphs by line may have edges that go back
    lanes = _lanes(graph.nodes, forward)
    rows = _rows(lanes, forward, graph.runs_up)
    order = _order(lanes, rows, forward)
    width, height = _place(boxes, order)
    return Drawing(boxes, graph.edges, width, height)


def _box(node: Node) -> Box:
    width = len(node.label) * LETTER + 2 * MARGIN
    if node.inside is None or not node.inside.nodes:
        return Box(node, width, HEIGHT)
    inside = draw(node.inside)
    return Box(node, max(width, inside.width + 2 * PAD), inside.height + HEAD + PAD, inside=inside)


def _lanes(nodes: Sequence[Node], edges: Sequence[Edge]) -> list[int]:
    """0 for the left side, 1 for the right: shadows, and ends that only they have to do with."""
    lanes = [int(n.role is Role.shadow) for n in nodes]
    after: list[list[int]] = [[] for _ in nodes]
    before: list[list[int]] = [[] for _ in nodes]
    for e in edges:
        after[e.source].append(e.target)
        before[e.target].append(e.source)
    for k, node in enumerate(nodes):
        if node.is_end:
            beside = [lanes[m] for m in after[k] or before[k]]
            lanes[k] = int(bool(beside) and all(beside))
    return lanes


def _rows(lanes: Sequence[int], edges: Sequence[Edge], upwards: bool) -> list[int]:
    """On which row each node is: below all that it needs on its own side, if that side runs down, else above."""
    n = len(lanes)
    depth = [0] * n
    incoming: list[list[int]] = [[] for _ in range(n)]
    outgoing: list[list[int]] = [[] for _ in range(n)]
    for e in edges:
        if lanes[e.source] == lanes[e.target] or not upwards:
            incoming[e.target].append(e.source)
            outgoing[e.source].append(e.target)
    for k in range(n):
        depth[k] = max((depth[s] + 1 for s in incoming[k]), default=0)
    for k in reversed(range(n)):  # what nothing comes before stands where it is first needed
        if not incoming[k] and outgoing[k]:
            depth[k] = min(depth[t] for t in outgoing[k]) - 1
    if not upwards:
        return depth
    last = max((depth[k] for k in range(n) if not lanes[k]), default=0)
    return [last - depth[k] if lanes[k] else depth[k] for k in range(n)]


def _order(lanes: Sequence[int], rows: Sequence[int], edges: Sequence[Edge]) -> dict[int, list[list[int]]]:
    """The nodes of each row, on each side from left to right, each near those that it is connected to."""
    table: dict[int, list[list[int]]] = {}
    for k, row in enumerate(rows):
        table.setdefault(row, [[], []])[lanes[k]].append(k)
    near: list[list[int]] = [[] for _ in rows]
    for e in edges:
        if lanes[e.source] == lanes[e.target]:
            near[e.source].append(e.target)
            near[e.target].append(e.source)
    at = [0.0] * len(rows)
    for turn in range(ORDERINGS):
        for row in sorted(table, reverse=bool(turn % 2)):
            for side in table[row]:
                middle = (len(side) - 1) / 2
                if turn:
                    side.sort(key=lambda k: sum(at[m] for m in near[k]) / len(near[k]) if near[k] else at[k])
                for i, k in enumerate(side):
                    at[k] = i - middle
    return table


def _place(boxes: Sequence[Box], table: dict[int, list[list[int]]]) -> tuple[float, float]:
    """Give every box its corner; the size of the whole."""

    def width(side: Sequence[int]) -> float:
        return sum(boxes[k].width + GAP for k in side) - GAP

    full = [max((width(table[row][s]) for row in table if table[row][s]), default=0.0) for s in (0, 1)]
    starts = [0.0, full[0] + LANE if full[0] and full[1] else full[0]]
    y = 0.0
    for row in sorted(table):
        tallest = max(boxes[k].height for side in table[row] for k in side)
        for s, side in enumerate(table[row]):
            x = starts[s] + (full[s] - width(side)) / 2
            for k in side:
                boxes[k].x, boxes[k].y = x, y + (tallest - boxes[k].height) / 2
                x += boxes[k].width + GAP
        y += tallest + ROW
    return starts[1] + full[1], max(y - ROW, 0)
