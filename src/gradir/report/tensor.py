"""The report on a derivative of a StableHLO program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from jaxlib.mlir import ir

from gradir.errors import GradirError
from gradir.memory import MemoryReport, usage
from gradir.report import text as say
from gradir.report.model import Cost, Derived, Edge, Figure, Graph, Model, Node, Place, Role, Rule, Table, by_role
from gradir.report.sources import Sources
from gradir.tensor.analysis.activity import ActiveValues
from gradir.tensor.analysis.cost import cost, size
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.sweeps import Sweeps
from gradir.tensor.ir.entry import MAIN, isolate
from gradir.tensor.ir.expr import is_differentiable
from gradir.tensor.ir.inline import inline_calls
from gradir.tensor.ir.module import functions, location_text, operations, parse, to_text
from gradir.tensor.ir.regions import captures, terminator
from gradir.tensor.optimize import RULES, Fired
from gradir.tensor.transform.derive import Deriver

__all__ = ["Derivation", "tensor_model"]

CONTROL = ("stablehlo.while", "stablehlo.if", "stablehlo.case")
PRINTED = "program.mlir"
"""The name of a program that no file holds."""
ELEMENTS_SHOWN = 16
"""Of a constant: more are left out."""
ROLES = {
    "reverse": {Role.primal: "primal", Role.partial: "partial derivative", Role.again: "recomputed",
                Role.shadow: "cotangent"},
    "forward": {Role.primal: "primal", Role.partial: "partial derivative", Role.again: "recomputed",
                Role.shadow: "tangent"},
}  # fmt: skip


@dataclass(frozen=True)
class Derivation:
    """A derivative of a function and how it was made."""

    mode: str
    module: ir.Module
    """With the derivative, as it is run."""
    plain: ir.Module
    """With the derivative, made without the optimiser."""
    name: str
    fired: Sequence[Fired]
    memory: MemoryReport | None = None
    """What other policies would take, where that makes a difference."""


def tensor_model(
    module: ir.Module,
    function: str,
    wrt: Sequence[int],
    derive: Callable[[ir.Module], Derivation],
    *,
    title: str | None = None,
) -> Model:
    """The report on a function's derivative by some arguments, which `derive` makes of a module without enzyme ops."""
    sources, notes = Sources(), list[str]()
    primal = _Whole(module, function)
    if not any(map(sources_of(sources), primal.ops)):
        text = to_text(module)
        if "dense_resource" in text or len(text) > 4_000_000:
            notes.append("The program has no locations in a source that can be read, so no lines are linked.")
        else:
            notes.append("No source file can be read from the program's locations: it is shown as MLIR, as it stands.")
            sources = Sources({PRINTED: text})
            module = parse(text, PRINTED)
            primal = _Whole(module, function)
    made = derive(module)
    locate = sources_of(sources)
    derived = _Whole(made.module, made.name)
    shadows, results = _ends(primal, derived, made.mode, wrt)
    sweeps = Sweeps(derived.block, shadows, results)
    _note_primal(primal, wrt, sources, locate)
    graphs = _graphs(made, primal, wrt, locate, derived, sweeps)
    lines = list(_lines(derived, sweeps, locate))  # at last: it takes the locations away
    if any(w.is_open for w in (primal, derived)):
        notes.append(
            "The length of a loop is known at run time only: costs count one round of it, and the derivative's are a "
            "lower bound."
        )
    name = title or function
    return Model(
        function=name,
        derivative=made.name if title is None else made.name.replace(function, title),
        mode=made.mode,
        signature=str(primal.signature).replace(function, name, 1),
        derived_signature=str(derived.signature).replace(function, name, 1),
        language="MLIR",
        sources=sources.sources(lines),
        lines=lines,
        figures=_figures(primal, derived, sweeps),
        tables=[_cost_table(primal, derived, sweeps), *([_policies(made.memory)] if made.memory else [])],
        rules=_rules(made.fired, sources),
        rules_note="Savings are of one run of the place that was rewritten, by the optimiser's estimate.",
        graphs=graphs,
        notes=notes,
        roles=ROLES[made.mode],
    )


class _Whole:
    """A function with all that it calls put into it."""

    def __init__(self, module: ir.Module, function: str) -> None:
        isolated = isolate(module, function)
        self.signature, self.module = isolated.signature, isolated.module
        with self.module.context:
            inline_calls(self.module)
        self.function = functions(self.module)[MAIN]
        self.block = self.function.entry_block
        self.ops = operations(self.function)[1:]
        self.usage = usage(module, function)
        self.rounds: dict[ir.Value, float] = {}
        """How often each op is run, by its first result."""
        self.is_open = False
        self._count(self.block, 1)

    def _count(self, block: ir.Block, times: float) -> None:
        for view in block.operations:
            op = view.operation
            if len(op.results):
                self.rounds[op.results[0]] = times
            if op.name not in CONTROL:
                continue
            inner = times
            if op.name == "stablehlo.while":
                counter = count(op)
                self.is_open = self.is_open or counter is None
                inner = times * (counter.trips if counter is not None else 1)
            for region in op.regions:
                for nested in region.blocks:
                    self._count(nested, inner)

    def cost(self, op: ir.Operation) -> Cost:
        """Of an op in one run of the function; what is in it counts for itself."""
        times = self.rounds.get(op.results[0], 0) if len(op.results) and op.name not in CONTROL else 0
        if not times:  # the end of a block, or within an op that is counted as one
            return Cost()
        once = cost(op)
        return Cost(times * once.flops, times * once.bytes)

    @cached_property
    def total(self) -> Cost:
        whole = Cost()
        for op in self.ops:
            whole += self.cost(op)
        return whole

    @property
    def steps(self) -> Iterator[ir.Operation]:
        """What is done: not what holds it, nor ends of blocks."""
        return (op for op in self.ops if len(op.results) and op.results[0] in self.rounds and op.name not in CONTROL)


# -- places ------------------------------------------------------------------------------------------------------------

Locate = Callable[[ir.Operation], tuple[Place, ...]]


def sources_of(sources: Sources) -> Locate:
    """What finds the lines of sources that an op comes from."""
    known: dict[ir.Location, tuple[Place, ...]] = {}

    def locate(op: ir.Operation) -> tuple[Place, ...]:
        location = op.location
        found = known.get(location)
        if found is None:
            places = filter(None, (_first(names, sources) for names in _frames(location)))
            found = known[location] = tuple(dict.fromkeys(places))
        return found

    return locate


def _first(frames: Iterable[tuple[str, int]], sources: Sources) -> Place | None:
    """The innermost frame of a call stack whose source can be read."""
    return next((p for name, line in frames if (p := sources.place(name, line)) is not None), None)


def _frames(loc: ir.Location) -> Iterator[list[tuple[str, int]]]:
    """For each of the places that an op was made of, its file and line and those it was called from."""
    if isinstance(loc, ir.FileLineColLoc):
        yield [(loc.filename, loc.start_line)]
    elif isinstance(loc, ir.NameLoc):
        yield from _frames(loc.child_loc)
    elif isinstance(loc, ir.CallSiteLoc):
        outer = next(iter(_frames(loc.caller)), [])
        for inner in _frames(loc.callee):
            yield [*inner, *outer]
    elif isinstance(loc, ir.FusedLoc):
        for part in cast(Sequence[ir.Location], loc.locations):
            yield from _frames(part)


# -- what goes in and comes out ----------------------------------------------------------------------------------------


def _ends(primal: _Whole, derived: _Whole, mode: str, wrt: Sequence[int]) -> tuple[list[ir.Value], list[int]]:
    """The derivative's arguments that are shadows, and its results that are the function's own."""
    given = len(primal.block.arguments)
    shadows = list(derived.block.arguments)[given:]
    results = list(range(len(terminator(primal.block).operands)))
    if mode == "forward" and len(shadows) != len(wrt):
        raise AssertionError("a jvp has a tangent for each argument")
    return shadows, results


def _note_primal(primal: _Whole, wrt: Sequence[int], sources: Sources, locate: Locate) -> None:
    """What is active, and what the function itself costs, line by line."""
    active = _active(primal, wrt)
    for op in primal.ops:
        for place in (places := locate(op)):
            found = sources.at(place)
            found.is_active = found.is_active or (active is not None and any(r in active for r in op.results))
            work = primal.cost(op)
            found.primal += Cost(work.operations / len(places), work.bytes / len(places))


def _active(primal: _Whole, wrt: Sequence[int]) -> ActiveValues | None:
    """What is active; None where that can't be told, as in a body that has no derivative but a rule in its place."""
    arguments = [i in wrt for i in range(len(primal.block.arguments))]
    results = [is_differentiable(v.type) for v in terminator(primal.block).operands]
    try:
        return ActiveValues(Deriver(primal.module), primal.block, arguments, results)
    except GradirError:
        return None


# -- the derivative, line by line --------------------------------------------------------------------------------------


def _lines(derived: _Whole, sweeps: Sweeps, locate: Locate) -> Iterator[Derived]:
    kept: dict[ir.Value, float] = {}
    for value in sweeps.kept:
        first = _maker(value).results[0]
        kept[first] = kept.get(first, 0) + size(value.type)[1]
    facts = []
    for op in derived.ops:
        part = sweeps.part(op)
        bytes_kept = kept.get(op.results[0], 0) if part else 0
        facts.append((Role(part) if part else None, derived.cost(op), bytes_kept, locate(op)))
    seen: set[int] = set()
    for number, (text, which) in enumerate(_listing(derived), 1):
        if which is None:
            yield Derived(number, text)
            continue
        role, work, bytes_kept, places = facts[which]
        is_first = which not in seen  # an op of several lines costs once
        seen.add(which)
        yield Derived(number, text, role, work if is_first else Cost(), bytes_kept if is_first else 0, places)


def _maker(value: ir.Value) -> ir.Operation:
    """The op that makes a value; of what a loop stacks up, the op in it that makes what is put there."""
    op = value.owner.operation
    if op.name != "stablehlo.while" or not isinstance(value, ir.OpResult):
        return op
    put = terminator(op.regions[1].blocks[0]).operands[value.result_number]
    if isinstance(put, ir.BlockArgument):
        return op
    inner = put.owner.operation
    return inner if inner.name == "stablehlo.dynamic_update_slice" else op


_LOCATED = re.compile(r' loc\((?:unknown|"op":(\d+):0)\)')


def _listing(derived: _Whole) -> list[tuple[str, int | None]]:
    """The lines of the function's text, each with the number of its op.

    Ops are told apart in the text by their locations, which are given up for that.
    """
    with derived.module.context:
        for n, op in enumerate(derived.ops):
            op.location = ir.Location.file("op", n, 0)
        for op in (derived.function.operation, *derived.ops):
            for region in op.regions:
                for block in region.blocks:
                    for argument in block.arguments:
                        argument.set_location(ir.Location.unknown())
        derived.function.operation.location = ir.Location.unknown()
        ir.SymbolTable.set_symbol_name(derived.function.operation, derived.signature.name)
    text = derived.function.operation.get_asm(
        enable_debug_info=True, use_local_scope=True, large_elements_limit=ELEMENTS_SHOWN
    )
    found: list[tuple[str, int | None]] = []
    waiting: list[tuple[int, int]] = []  # lines of an op whose last line is still to come, with their margins
    for line in text.splitlines():
        numbers = [int(m[1]) for m in _LOCATED.finditer(line) if m[1]]
        plain = _LOCATED.sub("", line)
        margin = len(plain) - len(plain.lstrip())
        found.append((plain, numbers[-1] if numbers else None))
        if not numbers:
            waiting.append((len(found) - 1, margin))
            continue
        while waiting and waiting[-1][1] >= margin:
            at, _ = waiting.pop()
            found[at] = (found[at][0], numbers[-1])
    return found


# -- figures -----------------------------------------------------------------------------------------------------------


def _figures(primal: _Whole, derived: _Whole, sweeps: Sweeps) -> list[Figure]:
    p, d = primal.total, derived.total
    kept = sum(size(v.type)[1] for v in sweeps.kept)
    values = "1 value" if len(sweeps.kept) == 1 else f"{len(sweeps.kept)} values"
    return [
        Figure("operations", say.number(d.operations), say.compared(d.operations, p.operations)),
        Figure("bytes moved", say.bytes(d.bytes), say.compared(d.bytes, p.bytes)),
        Figure("peak memory", say.bytes(derived.usage.bytes), f"primal {say.bytes(primal.usage.bytes)}"),
        Figure("kept", say.bytes(kept), f"{values} from sweep to sweep, before they are fused"),
    ]


def _cost_table(primal: _Whole, derived: _Whole, sweeps: Sweeps) -> Table:
    p, whole = primal.total, derived.total
    parts = by_role((Role(part) if (part := sweeps.part(op)) else None, derived.cost(op)) for op in derived.steps)

    def row(name: str, ops: int, work: Cost, peak: str = "") -> list[str]:
        return [name, f"{ops:,}", *say.costs(work, p), peak]

    ops = sum(1 for _ in primal.steps)
    names = {
        Role.primal: "primal in it",
        Role.partial: "partial derivatives",
        Role.again: "recomputed",
        Role.shadow: "tangents, cotangents",
        None: "neither: counters, indices",
    }
    rows = [row("primal", ops, p, say.bytes(primal.usage.bytes))]
    rows.append(row("derivative", sum(1 for _ in derived.steps), whole, say.bytes(derived.usage.bytes)))
    rows += [row(f"· {names[role]}", *parts[role]) for role in names if role in parts]
    return Table(
        "Cost of one run",
        ["", "ops", "FLOPs", "× primal", "bytes moved", "× primal", "peak memory"],
        rows,
        "Estimates by gradir's cost model. Peak memory is that of temporary values, beside arguments and results.",
    )


def _policies(report: MemoryReport) -> Table:
    rows = [["primal", say.bytes(report.primal.bytes), say.number(report.primal.flops), ""]]
    for row in report.rows:
        again = say.number(row.recomputed)
        rows.append([str(row.policy), say.bytes(row.usage.bytes), say.number(row.usage.flops), again])
    return Table(
        "Memory under other checkpointing policies",
        ["policy", "peak memory", "FLOPs", "done again"],
        rows,
        "What loops keep is a choice: gradir diff --checkpoints, or gradir.checkpointing.",
    )


def _rules(fired: Sequence[Fired], sources: Sources) -> list[Rule]:
    """The rewrites that fired, those that saved most before the others."""
    groups: dict[str, list[Fired]] = {}
    for f in fired:
        groups.setdefault(f.rule, []).append(f)
    rules = []
    for name, mine in groups.items():
        saved, places = Cost(), dict[Place, None]()
        for f in mine:
            difference = f.before - f.after
            saved += Cost(difference.flops, difference.bytes)
            if (place := _place_of(f.location, sources)) is not None:
                places[place] = None
        rule = RULES.get(name)
        rules.append(Rule(name, mine[0].family, rule.formula if rule else "", len(mine), saved, tuple(places)))
    return sorted(rules, key=lambda r: (-r.saved.operations - r.saved.bytes, -r.times, r.name))


def _place_of(location: str | None, sources: Sources) -> Place | None:
    """The place of `file:line:column`, in a file that is shown."""
    name, _, rest = (location or "").rpartition(":")
    name, _, line = name.rpartition(":")
    return sources.place(name, int(line)) if name in sources.files and line.isdigit() and rest.isdigit() else None


# -- graphs ------------------------------------------------------------------------------------------------------------

MOST_NODES = 500
"""Of a graph whose nodes are ops; in a larger one they are lines of the source."""


def _graphs(
    made: Derivation, primal: _Whole, wrt: Sequence[int], locate: Locate, derived: _Whole, sweeps: Sweeps
) -> list[Graph]:
    plain = _Whole(made.plain, made.name)
    before = Sweeps(plain.block, *_ends(primal, plain, made.mode, wrt))
    graphs = []
    for title, whole, found in (("Before optimisation", plain, before), ("After optimisation", derived, sweeps)):
        names = [a.name or f"argument {i}" for i, a in enumerate(whole.signature.arguments)]
        graphs.append(_Grapher(found, locate, made.mode == "reverse").graph(title, whole.block, names))
    return [_by_line(g) for g in graphs] if max(g.count for g in graphs) > MOST_NODES else graphs


class _Grapher:
    """Makes graphs of blocks."""

    def __init__(self, sweeps: Sweeps, locate: Locate, runs_up: bool) -> None:
        self.sweeps, self.locate, self.runs_up = sweeps, locate, runs_up

    def graph(self, title: str, block: ir.Block, names: Sequence[str] = ()) -> Graph:
        nodes: list[Node] = []
        edges: dict[tuple[int, int], Edge] = {}
        made: dict[ir.Value, int] = {}
        for i, argument in enumerate(block.arguments):
            if names and any(True for _ in argument.uses):
                made[argument] = len(nodes)
                nodes.append(Node(names[i], str(argument.type), is_end=True))
        for view in block.operations:
            op = view.operation
            if not len(op.operands) and not len(op.regions):
                continue  # a constant
            number = len(nodes)
            nodes.append(self._node(op))
            for v in dict.fromkeys([*op.operands, *_taken(op)]):
                if v in made:
                    kept = v in self.sweeps.kept and op in self.sweeps.kept[v]
                    edges[made[v], number] = Edge(made[v], number, kept or edges.get((made[v], number), _NONE).is_kept)
            made.update(dict.fromkeys(op.results, number))
        return Graph(title, nodes, list(edges.values()), runs_up=self.runs_up)

    def _node(self, op: ir.Operation) -> Node:
        name = op.name.rpartition(".")[2]
        if not len(op.results):
            return Node("results" if op.name == "func.return" else "next", is_end=True)
        part = self.sweeps.part(op)
        inside = None
        if op.name in CONTROL:
            blocks = [block for region in op.regions for block in region.blocks]
            chosen = blocks[1:] if op.name == "stablehlo.while" else blocks
            graphs = [self.graph(name, block) for block in chosen]
            inside = graphs[0] if len(graphs) == 1 else _beside(graphs)
        types = ", ".join(str(r.type) for r in op.results)
        where = location_text(op.location) or ""
        about = " · ".join(filter(None, [types if len(types) < 80 else "", where]))
        return Node(name, about, Role(part) if part else None, self.locate(op), inside)


_NONE = Edge(0, 0)


def _taken(op: ir.Operation) -> list[ir.Value]:
    return captures(op.regions) if len(op.regions) else []


def _beside(graphs: Sequence[Graph]) -> Graph:
    """Several graphs as one."""
    nodes: list[Node] = []
    edges: list[Edge] = []
    for graph in graphs:
        edges += [Edge(e.source + len(nodes), e.target + len(nodes), e.is_kept) for e in graph.edges]
        nodes += graph.nodes
    return Graph("", nodes, edges, runs_up=graphs[0].runs_up)


def _by_line(graph: Graph) -> Graph:
    """A graph whose nodes are all that a line of the source has become, in each role; without arguments."""
    groups: dict[object, int] = {}
    members: list[list[Node]] = []
    which: dict[int, int] = {}
    for k, node in enumerate(graph.nodes):
        if not node.is_end:
            which[k] = groups.setdefault((node.places, node.role), len(members))
            if which[k] == len(members):
                members.append([])
            members[which[k]].append(node)
    edges: dict[tuple[int, int], Edge] = {}
    for e in graph.edges:
        pair = which.get(e.source, -1), which.get(e.target, -1)
        if pair[0] != pair[1] and min(pair) >= 0:
            edges[pair] = Edge(*pair, e.is_kept or (pair in edges and edges[pair].is_kept))
    note = "Each node is what a line of the source has become, with the number of its ops."
    nodes = [_line_node(mine) for mine in members]
    return Graph(graph.title, nodes, list(edges.values()), note, graph.runs_up, graph.count)


def _line_node(nodes: Sequence[Node]) -> Node:
    count = sum(n.inside.count if n.inside else 1 for n in nodes)
    where = f"line {nodes[0].places[0].line}" if nodes[0].places else "elsewhere"
    return Node(f"{where} · {count}", f"{count} ops", nodes[0].role, nodes[0].places)
