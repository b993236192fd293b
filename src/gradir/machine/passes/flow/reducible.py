"""Loops with several entries (a jump into a loop, Duff's device) become loops with one.

All ways into such a region, from outside and from within, go through one new block, which is told by a number where to
go on. This works on functions whose values all go from block to block through memory (LLVM's `reg2mem`), so that there
are no phis to mend; LLVM promotes that memory again afterwards (`sroa`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from gradir.machine.ir import I32, Block, Function, Module
from gradir.machine.ir.graphs import components, reachable
from gradir.machine.ir.instructions import alloca, constant, jump, load, store, switch

__all__ = ["irreducible_functions", "run"]

_FIXED = ("indirectbr", "callbr")
"""Terminators whose targets are addresses, which nothing can be put before."""

_BRANCHES = ("br i1 ", "switch ", "invoke ", "indirectbr ", "callbr ")


def irreducible_functions(module: Module) -> list[Function]:
    """The functions of a module that have loops with several entries.

    >>> from gradir.machine.ir.text.reader import read
    >>> irreducible_functions(read('''
    ... define void @f(i1 %c) {
    ... entry:
    ...   br i1 %c, label %a, label %b
    ... a:
    ...   br label %b
    ... b:
    ...   br i1 %c, label %a, label %end
    ... end:
    ...   ret void
    ... }'''))
    [<function @f>]
    """
    branching = (f for f in module.definitions if any(map(f.may_hold, _BRANCHES)))
    return [f for f in branching if len(f.blocks) > 3 and _region(f) is not None]


def run(module: Module) -> None:
    """Give every loop one entry. There are no phis in functions where one has more."""
    for function in irreducible_functions(module):
        for i in list(function.entry.instructions):
            if "reg2mem alloca point" in i.ref:  # LLVM leaves it behind, and it does nothing
                i.erase()
        while (region := _region(function)) is not None:
            _route(function, region)


def _targets(block: Block) -> list[Block]:
    """All blocks that may follow, those of an exception too."""
    return list(dict.fromkeys(op for op in block.terminator.operands if isinstance(op, Block)))


def _route(function: Function, region: _Region) -> None:
    """Lead every way to an entry of a region through one block, and those from within through one block before."""
    slot = alloca(I32, 4, "route")
    function.entry.insert(0, slot)
    entries = [block for block in function.blocks if block in region.entries]
    ways = [(block, n, e) for block in function.blocks for n, e in enumerate(entries) if e in _targets(block)]
    again, dispatch = function.add_block("again"), function.add_block("dispatch")
    for block, number, entry in ways:
        way = function.add_block("way")
        way.append(store(constant(I32, number), slot, 4), jump(again if block in region.blocks else dispatch))
        block.terminator.replace_operand(entry, way)
    again.append(jump(dispatch))
    goal = load(I32, slot, 4, "goal")
    dispatch.append(goal, switch(goal, entries[0], list(enumerate(entries))[1:]))


# -- Graphs ----------------------------------------------------------------------------------------------------------


@dataclass
class _Region:
    """Blocks that reach each other, and those of them that are reached from outside."""

    blocks: set[Block]
    entries: set[Block]


def _region(function: Function) -> _Region | None:
    """An outermost region with several entries, if there is one (that can be mended)."""
    edges = {block: _targets(block) for block in function.blocks}
    live = reachable(edges, function.entry)
    waiting = [live]
    while waiting:
        nodes = waiting.pop()
        for region in map(set, components(edges, sorted(nodes, key=lambda block: block.index))):
            if len(region) == 1:
                continue
            entered = {t for b in live - region for t in edges[b] if t in region}
            if len(entered) > 1 and not _is_fixed(edges, live, entered):
                return _Region(region, entered)
            waiting.append(region - entered)
    return None


def _is_fixed(edges: Mapping[Block, Collection[Block]], live: set[Block], entered: set[Block]) -> bool:
    into = [b for b in live if not entered.isdisjoint(edges[b])]
    return any(b.terminator.opcode in _FIXED for b in into) or any(
        i.opcode == "landingpad" for e in entered for i in e.instructions
    )
