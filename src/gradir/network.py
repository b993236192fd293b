"""The least that must be kept: a minimum cut of a network with capacities.

Both levels decide with it what a backward sweep keeps and what it computes again.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Sequence

__all__ = ["Network"]


class Network:
    """Flow from "source" to "sink" through edges of limited (or, for None, unlimited) capacity."""

    def __init__(self) -> None:
        self.capacity: dict[object, dict[object, float]] = {"source": {}, "sink": {}}

    def link(self, a: object, b: object, capacity: int | None) -> None:
        self.capacity.setdefault(a, {})[b] = float("inf") if capacity is None else capacity
        self.capacity.setdefault(b, {}).setdefault(a, 0)

    def cut_at_sink(self) -> set[object]:
        """Send the greatest flow; gives the nodes from which more could still reach the sink."""
        while self._augment():
            pass
        reached: set[object] = {"sink"}
        todo: list[object] = ["sink"]
        while todo:
            b = todo.pop()
            for a in self.capacity[b]:
                if a not in reached and self.capacity[a][b] > 0:
                    reached.add(a)
                    todo.append(a)
        return reached

    def _augment(self) -> bool:
        """Fill all shortest paths with room on them (a phase of Dinic's algorithm)."""
        level: dict[object, int] = {"source": 0}
        queue: deque[object] = deque(["source"])
        while queue:
            a = queue.popleft()
            for b, room in self.capacity[a].items():
                if room > 0 and b not in level:
                    level[b] = level[a] + 1
                    queue.append(b)
        if "sink" not in level:
            return False
        onwards = {a: [b for b in self.capacity[a] if level.get(b) == level[a] + 1] for a in level}
        path: list[object] = ["source"]
        while path:
            a = path[-1]
            if a == "sink":
                del path[self._fill(path) + 1 :]
                continue
            while onwards[a] and self.capacity[a][onwards[a][-1]] == 0:
                onwards[a].pop()
            if onwards[a]:
                path.append(onwards[a][-1])
            else:  # a dead end
                path.pop()
                if path:
                    onwards[path[-1]].pop()
        return True

    def _fill(self, path: Sequence[object]) -> int:
        """Send what a path has room for; gives the place of the first edge that is full now."""
        edges = list(itertools.pairwise(path))
        room = min(self.capacity[a][b] for a, b in edges)
        assert room < float("inf"), "a value that can't be computed again is always kept"
        for a, b in edges:
            self.capacity[a][b] -= room
            self.capacity[b][a] += room
        return next(k for k, (a, b) in enumerate(edges) if self.capacity[a][b] == 0)
