"""Loops with several entries (a jump into a loop, Duff's device) become loops with one.

All ways into such a region, from outside and from within, go through one new block, which is told by a number where to
go on. This works on the text of functions whose values all go from block to block through memory (LLVM's `reg2mem`), so
that there are no phis to mend; LLVM promotes that memory again afterwards (`sroa`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

__all__ = ["irreducible_functions", "with_single_entries"]

_FUNCTION = re.compile(r"^define .*?^\}", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r'@("[^"]*"|[-\w$.]+)\(')
_LABEL = re.compile(r'^("[^"]*"|[-\w$.]+):.*\n', re.MULTILINE)
_TERMINATOR = re.compile(
    r'^  (?:%(?:"[^"]*"|\S+) = )?(?:br|switch|ret|unreachable|invoke|resume|\w+br|catchswitch|\w+ret)\b', re.MULTILINE
)
_TARGET = re.compile(r'\blabel %("[^"]*"|[-\w$.]+)')
_FIXED = re.compile(r'^  (?:%(?:"[^"]*"|\S+) = )?(?:indirectbr|callbr)\b', re.MULTILINE)
"""Terminators whose targets are addresses, which nothing can be put before."""
_MARK = re.compile(r'^  %"reg2mem alloca point\S* = .*\n', re.MULTILINE)
"""An instruction that does nothing, which LLVM leaves behind."""

Edges = Mapping[str, Collection[str]]


def irreducible_functions(text: str) -> list[str]:
    """The functions of a module, as LLVM prints it with all blocks named, that have loops with several entries.

    >>> irreducible_functions('''
    ... define void @f(i1 %c) {
    ... entry:
    ...   br i1 %c, label %a, label %b
    ... a:
    ...   br label %b
    ... b:
    ...   br i1 %c, label %a, label %end
    ... end:
    ...   ret void
    ... }''')
    ['f']
    """
    found = []
    for function in _FUNCTION.finditer(text):
        blocks = _blocks(function[0])
        if _region(blocks) and (name := _NAME.search(function[0])):
            found.append(name[1].strip('"'))
    return found


def with_single_entries(text: str) -> str:
    """The module with one entry to each of its loops. There are no phis in it."""
    return _FUNCTION.sub(lambda function: _mended(function[0]), text)


@dataclass
class _Block:
    body: str
    """All lines but the label, up to the terminator."""
    terminator: str

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(_TARGET.findall(self.terminator)))

    @property
    def is_landing_pad(self) -> bool:
        return " = landingpad " in self.body


def _blocks(function: str) -> dict[str, _Block]:
    labels = list(_LABEL.finditer(function))
    ends = [label.start() for label in labels[1:]] + [function.rindex("}")]
    blocks = {}
    for label, end in zip(labels, ends, strict=True):
        content = function[label.end() : end]
        terminator = list(_TERMINATOR.finditer(content))[-1].start()
        blocks[label[1]] = _Block(content[:terminator], content[terminator:].rstrip() + "\n")
    return blocks


def _mended(function: str) -> str:
    blocks = _blocks(function)
    if not _region(blocks):
        return function
    names = _Names(function)
    head = function[: function.index("\n") + 1]
    while region := _region(blocks):
        _route(blocks, region, names)
    first = blocks[next(iter(blocks))]
    first.body = _MARK.sub("", first.body)
    return head + "\n".join(f"{name}:\n{b.body}{b.terminator}" for name, b in blocks.items()) + "}"


class _Names:
    """Names that a function doesn't use yet."""

    def __init__(self, function: str) -> None:
        self.taken = set(re.findall(r"%?([-\w$.]+)", function))

    def new(self, hint: str) -> str:
        n = 0
        while f"{hint}.{n}" in self.taken:
            n += 1
        self.taken.add(f"{hint}.{n}")
        return f"{hint}.{n}"


def _route(blocks: dict[str, _Block], region: _Region, names: _Names) -> None:
    """Lead every way to an entry of a region through one block, and those from within through one block before."""
    slot, dispatch, again, goal = (names.new(hint) for hint in ("route", "dispatch", "again", "goal"))
    entries = [name for name in blocks if name in region.entries]
    first = blocks[next(iter(blocks))]
    first.body = f"  %{slot} = alloca i32, align 4\n{first.body}"
    for name, block in list(blocks.items()):
        for number, entry in enumerate(entries):
            if entry in block.targets:
                edge = names.new("way")
                block.terminator = _TARGET.sub(
                    lambda m, entry=entry, edge=edge: f"label %{edge}" if m[1] == entry else m[0],  # type: ignore[misc]
                    block.terminator,
                )
                onwards = again if name in region.blocks else dispatch
                blocks[edge] = _Block(f"  store i32 {number}, ptr %{slot}, align 4\n", f"  br label %{onwards}\n")
    blocks[again] = _Block("", f"  br label %{dispatch}\n")
    cases = " ".join(f"i32 {n}, label %{entry}" for n, entry in enumerate(entries) if n)
    blocks[dispatch] = _Block(
        f"  %{goal} = load i32, ptr %{slot}, align 4\n", f"  switch i32 %{goal}, label %{entries[0]} [ {cases} ]\n"
    )


# -- Graphs ----------------------------------------------------------------------------------------------------------


@dataclass
class _Region:
    """Blocks that reach each other, and those of them that are reached from outside."""

    blocks: set[str]
    entries: set[str]


def _region(blocks: Mapping[str, _Block]) -> _Region | None:
    """An outermost region with several entries, if there is one (that can be mended)."""
    edges = {name: [t for t in block.targets if t in blocks] for name, block in blocks.items()}
    reachable = _reachable(edges, next(iter(blocks)))
    waiting: list[set[str]] = [reachable]
    while waiting:
        nodes = waiting.pop()
        for region in _components(edges, nodes):
            entered = {t for b in reachable - region for t in edges[b] if t in region}
            if len(region) == 1:
                continue
            into = [b for b in reachable if entered & set(edges[b])]
            fixed = any(_FIXED.match(blocks[b].terminator) for b in into) or any(
                blocks[e].is_landing_pad for e in entered
            )
            if len(entered) > 1 and not fixed:
                return _Region(region, entered)
            waiting.append(region - entered)
    return None


def _reachable(edges: Edges, start: str) -> set[str]:
    found, waiting = {start}, [start]
    while waiting:
        for target in edges[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


def _components(edges: Edges, nodes: set[str]) -> Iterator[set[str]]:
    """The strongly connected components of a part of a graph (Tarjan), without recursion."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
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
                if target not in nodes:
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
                    region = set(stack[stack.index(node) :])
                    del stack[stack.index(node) :]
                    on_stack -= region
                    yield region
