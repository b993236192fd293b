"""The report on a derivative of native code: C, C++, Fortran, Rust or LLVM IR.

The derivative is shown as LLVM IR after LLVM's O2, without vectors and unrolled loops, so that it can be read. Debug
locations lead through it to the source (`machine.ir.locations`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePath

from gradir.errors import GradirError
from gradir.machine import llvm
from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.ir import Block, Function, Instruction, Module
from gradir.machine.ir.locations import Origin, origin
from gradir.machine.ir.text.reader import read
from gradir.machine.jit.report import kept_values
from gradir.machine.transform.derive import Options, Program
from gradir.native.derivative import Derivative
from gradir.native.engine import Engine
from gradir.native.save import prototype_of, request_of
from gradir.report import text as say
from gradir.report.model import Cost, Derived, Edge, Figure, Graph, Model, Node, Place, Role, Rule, Table, by_role
from gradir.report.sources import Sources
from gradir.request import Mode

__all__ = ["native_model"]

ROLES = {Role.primal: "primal", Role.kept: "keeping", Role.partial: "partial derivative", Role.again: "recomputed"}
WORK = {"fadd": 1, "fsub": 1, "fmul": 1, "fneg": 1, "fdiv": 4, "frem": 6, "fcmp": 1}
CALLED = {"fmuladd": 2, "fma": 2, "sqrt": 4, "fabs": 1, "copysign": 1, "minnum": 1, "maxnum": 1, "pow": 30}
MATHEMATICS = 10
"""Operations of a function of the mathematical library, if `CALLED` doesn't say."""
CLEANING = (
    ("sroa", "memory of the stack becomes registers"),
    ("simplify_cfg", "blocks that need not be apart are joined"),
    ("instruction_combine", "instructions are put together"),
    ("new_gvn", "what was computed before is not computed again"),
    ("dead_store_elimination", "what is overwritten unread is not written"),
    ("aggressive_dce", "what nobody needs is not computed"),
)
"""The passes of LLVM whose effect is told one by one, in this order."""


def native_model(derivative: Derivative) -> Model:
    """The report on a derivative in reverse or forward mode."""
    function, engine = derivative.function, derivative.function._engine
    request, symbol = request_of(derivative), derivative.function.signature.symbol
    written, name = engine.derived(symbol, [request], Options(fast=derivative.fast, locations=True))
    primal = _Code(read(engine.normalised(symbol)), symbol)
    derived = _Code(llvm.normalise(llvm.parse(written), [name]), name)
    sources, notes = Sources(), list[str]()
    for place, work in primal.work(sources):
        sources.at(place).primal += work
    lines = list(_lines(derived, derivative.name, sources))
    for line in lines:
        for place in line.places:
            found = sources.at(place)
            found.is_active = found.is_active or line.role in (Role.shadow, Role.partial)
    if not sources.files:
        notes.append(_no_source(engine))
    if derived.is_open or primal.is_open:
        notes.append("Of loops whose length is known at run time only, costs count one turn.")
    mode = "reverse" if request.mode is Mode.reverse else "forward"
    before = read(written)
    return Model(
        function=function.name,
        derivative=derivative.name,
        mode=mode,
        signature=str(function.signature),
        derived_signature=prototype_of(derivative).partition(";")[0],
        language="LLVM IR",
        sources=sources.sources(lines),
        lines=lines,
        figures=_figures(primal, derived),
        tables=[_cost_table(primal, derived, before, name), *_kept_table(engine, derivative, mode)],
        rules=list(_passes(written, name)),
        rules_title="What LLVM's passes do to the derivative",
        rules_count="instructions saved",
        rules_note="Each pass is run once, in this order, on the derivative as gradir wrote it. LLVM itself runs more, "
        "and again.",
        graphs=[
            _graph("As it was written", _Code(before, name), sources),
            _graph("After optimisation", derived, sources),
        ],
        graph_title="Blocks of the derivative",
        notes=notes,
        roles={**ROLES, Role.shadow: "cotangent" if mode == "reverse" else "tangent"},
    )


def _no_source(engine: Engine) -> str:
    if any("dbg" in i.metadata for f in engine.module.definitions for i in f.instructions()):
        return "The source that the debug information names can't be read, so no lines are linked."
    return "The code has no debug information, so no lines are linked: compile it with -g."


# -- code with costs ---------------------------------------------------------------------------------------------------


@dataclass
class _Code:
    """A function, and the others of its module that come from the source."""

    module: Module
    name: str

    @cached_property
    def functions(self) -> list[Function]:
        first = self.module.functions[self.name]
        others = [f for f in self.module.definitions if f is not first and f.name in self._reached]
        return [first, *(f for f in others if any(self.origin(i) for i in f.instructions()))]

    @cached_property
    def _reached(self) -> set[str]:
        """The functions that the first one leads to."""
        seen, todo = set[str](), [self.name]
        while todo:
            name = todo.pop()
            function = self.module.functions.get(name)
            if function is not None and name not in seen and not function.is_declaration:
                seen.add(name)
                todo += function.mentioned
        return seen

    def origin(self, i: Instruction) -> Origin | None:
        return origin(self.module.nodes, i.metadata.get("dbg"))

    @cached_property
    def _cfgs(self) -> dict[Function, CFG]:
        return {f: CFG(f) for f in self.functions}

    @cached_property
    def is_open(self) -> bool:
        """Whether there is a loop whose length is known at run time only."""
        return any(_turns(loop) is None for cfg in self._cfgs.values() for loop in cfg.loops)

    @cached_property
    def times(self) -> dict[Block, int]:
        """How often each block is run, as far as that is known."""
        found = {}
        for function, cfg in self._cfgs.items():
            for block in function.blocks:
                loop = cfg.loop_of.get(block)
                times = 1
                for around in loop.nest if loop is not None else []:
                    times *= _turns(around) or 1
                found[block] = times
        return found

    def cost(self, i: Instruction) -> Cost:
        once, times = _once(i), self.times.get(i.block, 1)
        return Cost(times * once.operations, times * once.bytes)

    @cached_property
    def total(self) -> Cost:
        whole = Cost()
        for function in self.functions:
            for i in function.instructions():
                whole += self.cost(i)
        return whole

    @property
    def size(self) -> int:
        """How many instructions there are."""
        return sum(1 for f in self.functions for _ in f.instructions())

    def places(self, i: Instruction, sources: Sources) -> tuple[Place, ...]:
        found = self.origin(i)
        if found is None:
            return ()
        for file, line in ((found.file, found.line), *found.callers):
            if (place := sources.place(file, line)) is not None:
                return (place,)
        return ()

    def work(self, sources: Sources) -> Iterator[tuple[Place, Cost]]:
        for function in self.functions:
            for i in function.instructions():
                for place in self.places(i, sources):
                    yield place, self.cost(i)


def _turns(loop: Loop) -> int | None:
    trip = loop.trip
    return None if trip is None or not trip.exact or trip.constant is None else trip.constant + 1


def _once(i: Instruction) -> Cost:
    """What one run of an instruction costs."""
    if i.opcode in ("load", "store"):
        return Cost(0, i.accessed_type.size)
    lanes = i.type.count if i.type.kind == "vector" else 1
    if i.opcode in WORK:
        return Cost(lanes * WORK[i.opcode])
    if i.opcode in ("call", "invoke") and i.callee_name is not None and i.type.scalar.is_float:
        name = i.callee_name.removeprefix("llvm.").partition(".")[0]
        return Cost(lanes * CALLED.get(name, MATHEMATICS))
    return Cost()


# -- the derivative, line by line --------------------------------------------------------------------------------------


def _lines(code: _Code, title: str, sources: Sources) -> Iterator[Derived]:
    number = 0

    def line(text: str) -> Derived:
        nonlocal number
        number += 1
        return Derived(number, text)

    for function in code.functions:
        if number:
            yield line("")
        name = title if function.name == code.name else function.name
        arguments = ", ".join(f"{a.type} {a.ref}" for a in function.arguments)
        yield line(f"define {function.result} @{name}({arguments}) {{")
        for block in function.blocks:
            yield line(f"{block.name}:")
            for i in block.instructions:
                found = code.origin(i)
                made = line(f"  {i}")
                if found is None:
                    yield replace(made, cost=code.cost(i))
                    continue
                role = Role(found.part)
                kept = i.value.type.size if role is Role.kept and i.opcode == "store" else 0
                yield replace(made, role=role, cost=code.cost(i), kept=kept, places=code.places(i, sources))
        yield line("}")


# -- figures -----------------------------------------------------------------------------------------------------------


def _figures(primal: _Code, derived: _Code) -> list[Figure]:
    p, d = primal.total, derived.total
    kept = sum(
        i.value.type.size
        for f in derived.functions
        for i in f.instructions()
        if i.opcode == "store" and (o := derived.origin(i)) is not None and o.part == "kept"
    )
    return [
        Figure("operations", say.number(d.operations), say.compared(d.operations, p.operations)),
        Figure("bytes moved", say.bytes(d.bytes), say.compared(d.bytes, p.bytes)),
        Figure("instructions", say.number(derived.size), f"primal {say.number(primal.size)}"),
        Figure("kept", say.bytes(kept), "in each turn of the loops around"),
    ]


def _cost_table(primal: _Code, derived: _Code, before: Module, name: str) -> Table:
    steps = [i for function in derived.functions for i in function.instructions()]
    parts = by_role((Role(found.part) if (found := derived.origin(i)) else None, derived.cost(i)) for i in steps)
    p = primal.total

    def row(title: str, count: int, work: Cost) -> list[str]:
        return [title, f"{count:,}", *say.costs(work, p)]

    written = _Code(before, name)
    names = {
        Role.primal: "primal in it",
        Role.kept: "keeping, and reading what was kept",
        Role.again: "recomputed",
        Role.partial: "partial derivatives",
        Role.shadow: "tangents, cotangents",
        None: "without a line: loops, addresses",
    }
    return Table(
        "Cost of one run",
        ["", "instructions", "FLOPs", "× primal", "bytes moved", "× primal"],
        [
            row("primal", primal.size, p),
            row("derivative", derived.size, derived.total),
            *(row(f"· {names[role]}", *parts[role]) for role in names if role in parts),
            row("derivative, as written", written.size, written.total),
        ],
        "Counted in LLVM IR before vectorising. A function of the mathematical library counts as ten operations.",
    )


def _kept_table(engine: Engine, derivative: Derivative, mode: str) -> Iterator[Table]:
    """What the reverse sweep needs of the forward sweep."""
    if mode != "reverse":
        return
    request = request_of(derivative)
    program = Program(engine.normalised(request.function), engine.rules)
    try:
        kept = kept_values(program, request)
    except GradirError:
        return
    rows = []
    for value in kept:
        deep = len(value.loops)
        often = "once" if not deep else "each turn" if deep == 1 else f"each turn, {deep} loops deep"
        rows.append([f"{value.what} {value.ref}", f"{value.bytes} B", often, PurePath(value.place or "").name])
    yield Table(
        "What is kept for the reverse sweep",
        ["", "size", "how often", "where"],
        rows or [["nothing", "", "", ""]],
        "Peak memory is what is kept, times the turns of the loops around it: lengths are known at run time.",
    )


# -- what LLVM does ----------------------------------------------------------------------------------------------------


def _passes(text: str, name: str) -> Iterator[Rule]:
    module = llvm.parse(text)
    llvm.extract(module, [name])
    before = _Code(read(str(module)), name)
    for title, about in CLEANING:
        llvm.run_pass(module, title)
        after = _Code(read(str(module)), name)
        gone = before.size - after.size
        saved = Cost(before.total.operations - after.total.operations, before.total.bytes - after.total.bytes)
        if gone or saved != Cost():
            yield Rule(title, "LLVM", about, gone, saved)
        before = after


def _graph(title: str, code: _Code, sources: Sources) -> Graph:
    """The blocks of the derivative, and the ways between them."""
    function = code.module.functions[code.name]
    blocks = CFG(function).reachable
    numbers = {block: k for k, block in enumerate(blocks)}
    nodes = [_node(code, block, sources) for block in blocks]
    edges = {(numbers[b], numbers[s]): None for b in blocks for s in b.successors}
    return Graph(title, nodes, [Edge(*pair) for pair in edges])


def _node(code: _Code, block: Block, sources: Sources) -> Node:
    roles: dict[Role, int] = {}
    places: dict[Place, None] = {}
    for i in block.instructions:
        if (found := code.origin(i)) is not None:
            roles[Role(found.part)] = roles.get(Role(found.part), 0) + 1
            places.update(dict.fromkeys(code.places(i, sources)))
    role = Role.shadow if roles.get(Role.shadow) else max(roles, key=roles.__getitem__, default=None)
    lines = sorted({p.line for p in places})
    about = f"{len(block.instructions)} instructions" + (f", lines {_ranges(lines)}" if lines else "")
    return Node(f"{block.name} · {len(block.instructions)}", about, role, tuple(places))


def _ranges(numbers: Sequence[int]) -> str:
    """
    >>> _ranges([1, 2, 3, 7])
    '1–3, 7'
    """
    found: list[list[int]] = []
    for n in numbers:
        if found and found[-1][-1] == n - 1:
            found[-1].append(n)
        else:
            found.append([n])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in found)
