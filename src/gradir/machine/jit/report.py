"""The analyses as text, for `gradir opt --print-analysis=…`: a line for each thing that is known, with its source."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gradir.errors import GradirError, RequestError, UnknownFunction
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind
from gradir.machine.analysis.cfg import CFG, Loop
from gradir.machine.analysis.memory import Place
from gradir.machine.enzyme.lower import normalised_text
from gradir.machine.ir import Argument, Block, Function, Instruction, Value
from gradir.machine.transform.derive import Options, Program
from gradir.machine.transform.frame import Analyses, Frame
from gradir.machine.transform.reverse import Reverse
from gradir.machine.transform.shadows.shadow import Shadows
from gradir.request import Activity as Mark
from gradir.request import Request

__all__ = ["ANALYSES", "Kept", "default_marks", "kept_values", "report", "report_text"]


def report_text(
    text: str, analyses: Sequence[str], names: Sequence[str] = (), *, optimise: bool = True, location: str = "<module>"
) -> str:
    """What some analyses find in the functions of a module, after it was normalised.

    What is active is as Enzyme's calls in the module say, where they say anything of a function.
    """
    normal, requests = normalised_text(text, optimise=optimise, name=location)
    program, asked = Program(normal), {request.function: request for request in requests}
    defined = [f.name for f in program.functions.values() if not f.is_declaration]
    parts = [report(program, a, asked.get(name), [name]) for a in analyses for name in names or defined]
    return "\n".join(parts) + "\n" if parts else ""


def report(program: Program, analysis: str, request: Request | None = None, names: Sequence[str] = ()) -> str:
    """What an analysis finds in the functions of a program (or those named).

    What is active depends on the request; without one, all floats that go in and come out are.

    >>> program = Program('''
    ... define double @f(ptr %x) {
    ... entry:
    ...   %y = load double, ptr %x, align 8
    ...   ret double %y
    ... }''')
    >>> print(report(program, "types"))
    types of @f
      ptr %x -> {0: double}
    """
    printer = _PRINTERS.get(analysis)
    if printer is None:
        raise RequestError(f"there is no analysis '{analysis}'", hint=f"there are {', '.join(ANALYSES)}")
    wanted = names or ([request.function] if request else [])
    for name in wanted:
        if name not in program.functions:
            raise UnknownFunction(f"no function @{name}", hint=f"the module holds: {', '.join(program.functions)}")
    facts = _Facts(program, request)
    found: list[str] = []
    for function in program.functions.values():
        if not function.is_declaration and (not wanted or function.name in wanted):
            where = program.module.source_location(function.metadata.get("dbg"))
            found.append(f"{analysis} of @{function.name}" + (f" ({where})" if where else ""))
            try:
                found += [f"  {line}" for line in printer(facts, function)]
            except GradirError as error:  # of this function; the others may do
                found.append(f"  can't be told: {error}")
    return "\n".join(found)


def default_marks(function: Function) -> tuple[list[Mark], Mark | None]:
    """The activities of arguments and result that are meant where none are given: all that can be active is."""
    marks = [
        Mark.active if a.type.is_float else Mark.dup if a.type.holds_pointer else Mark.const for a in function.arguments
    ]
    if function.result.kind == "void":
        return marks, None
    return marks, Mark.active if function.result.is_float else Mark.const


class _Facts:
    """The analyses of a program, as a request wants them."""

    def __init__(self, program: Program, request: Request | None) -> None:
        self.program, self.request = program, request

    def at(self, i: Instruction) -> str:
        """The end of a line about an instruction."""
        where = self.program.module.location(i)
        return f"  ; {where}" if where else ""

    def marks(self, function: Function) -> tuple[list[Mark], Mark | None]:
        request = self.request
        if request is None or request.function != function.name:
            return default_marks(function)
        return list(request.activity), request.ret_activity[0] if request.ret_activity else None

    def of(self, function: Function) -> Analyses:
        return self.program.analyse(function, *self.marks(function))

    def reverse(self, function: Function) -> Reverse:
        """The derivative in reverse mode, written."""
        marks, result = self.marks(function)
        made = Reverse(Frame(self.program, self.of(function), marks, result, Shadows(), Options()), "derivative")
        made.write()
        return made


# -- types -----------------------------------------------------------------------------------------------------------


def _types(facts: _Facts, function: Function) -> Iterator[str]:
    types = facts.program.types.of(function)
    for v in _values(function):
        if v.type.scalar.is_pointer:
            line = f"{v.type} {v.ref} -> {types.pattern(v)}"
        elif v.type.scalar.is_integer and v.type.scalar.count > 1:
            kind = types.value(v)
            if kind is Kind.integer:  # what an integer is, unless told otherwise
                continue
            carried = types.carried(v) if kind is Kind.unknown else None
            line = f"{v.type} {v.ref}: {carried or kind.value}"
        else:
            continue
        yield line + (facts.at(v) if isinstance(v, Instruction) else "")
        if "unknown" in line:
            yield from _why(types, v)


def _why(types: FunctionTypes, v: Value) -> Iterator[str]:
    """What speaks for each of the guesses."""
    for line in types.explain(v).split("\n")[1:]:
        yield f"  {line}"


# -- shape -----------------------------------------------------------------------------------------------------------


def _dominators(facts: _Facts, function: Function) -> Iterator[str]:
    cfg = CFG(function)
    children: dict[Block, list[Block]] = {}
    for block in cfg.reachable[1:]:
        children.setdefault(cfg.idom[block], []).append(block)
    stack = [(function.entry, 0)]
    while stack:
        block, depth = stack.pop()
        note = "" if block in cfg.live else "  (never returns)"
        yield f"{'  ' * depth}{block.ref}{note}{facts.at(block.terminator)}"
        stack += [(child, depth + 1) for child in reversed(children.get(block, []))]


def _loops(facts: _Facts, function: Function) -> Iterator[str]:
    cfg = CFG(function)
    if not cfg.loops:
        yield "no loops"
    for loop in sorted(cfg.loops, key=lambda l: cfg.number[l.header]):
        margin = "  " * (loop.depth - 1)
        yield f"{margin}loop {loop.header.ref}: {_trip(loop)}{facts.at(loop.header.terminator)}"
        for phi, induction in loop.inductions.items():
            sign = "-" if induction.step < 0 else "+"
            yield f"{margin}  {phi.ref} = {induction.start.ref} {sign} {abs(induction.step)} k"
        for inside, outside in loop.exits:
            yield f"{margin}  leaves from {inside.ref} to {outside.ref}"


def _trip(loop: Loop) -> str:
    trip = loop.trip
    if trip is None:
        return "nobody knows how often it goes back"
    if trip.constant is not None:
        count = f"{trip.constant} times"
    else:
        step = trip.induction.next if trip.after else trip.induction.phi
        count = f"while {step.ref} {trip.predicate} {trip.bound.ref}"
    return f"goes back {count}" + ("" if trip.exact else ", or less often")


# -- memory and activity ---------------------------------------------------------------------------------------------


def _alias(facts: _Facts, function: Function) -> Iterator[str]:
    memory = facts.of(function).memory
    places: dict[Place, list[Value]] = {}
    for v in _values(function):
        if v.type.is_pointer:
            places.setdefault(memory.place(v), []).append(v)
    numbers = {place: n for n, place in enumerate(places)}
    for place, pointers in places.items():
        notes = ["from outside"] if place.external else []
        others = [numbers[p] for p in places if p is not place and memory.places_overlap(place, p)]
        if others:
            notes.append(f"may overlap {', '.join(f'#{n}' for n in others)}")
        note = f"  ({'; '.join(notes)})" if notes else ""
        yield f"#{numbers[place]}: {' '.join(p.ref for p in pointers)}{note}"
    for i in function.instructions():
        if i.opcode == "load" and i.block in memory.cfg.live:
            state = "may be overwritten" if memory.overwritten(i) else "stays"
            place = memory.place(i.pointer)
            yield f"{i.ref} from {f'#{numbers[place]}' if place in numbers else i.pointer.ref} {state}{facts.at(i)}"


def _activity(facts: _Facts, function: Function) -> Iterator[str]:
    activity, types = (analyses := facts.of(function)).activity, analyses.types
    for v in _values(function):
        if v.type.holds_pointer:
            yield f"{v.ref}: {'has a shadow' if activity.has_shadow(v) else 'constant memory'}{_where(facts, v)}"
        elif v.type.is_float or v.type.is_aggregate or types.value(v).is_float:
            varied, useful = v in activity.varied, v in activity.useful
            why = "active" if varied and useful else "constant" if not varied else "has no influence on a result"
            yield f"{v.ref}: {why}{_where(facts, v)}"
        elif isinstance(v, Instruction) and v.opcode in ("call", "invoke") and activity.active_call(v):
            yield f"{v}: active{_where(facts, v)}"


# -- what is kept ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """Something that the reverse sweep needs of the forward sweep."""

    what: str
    ref: str
    bytes: int
    loops: tuple[str, ...]
    """The headers of the loops in each turn of which there is one."""
    place: str | None
    """Where in the source it comes from."""


def kept_values(program: Program, request: Request) -> list[Kept]:
    """What the derivative of a function in reverse mode keeps."""
    return list(_kept(_Facts(program, request), program.functions[request.function]))


def _kept(facts: _Facts, function: Function) -> Iterator[Kept]:
    reverse = facts.reverse(function)
    for need in sorted(reverse.kept, key=lambda n: (n.kind, getattr(n.of, "ref", ""))):
        of = need.of.header if isinstance(need.of, Loop) else need.of
        loop = reverse.needs.loop(need)
        loops = tuple(l.header.ref for l in loop.nest) if loop else ()
        place = facts.program.module.location(of) if isinstance(of, Instruction) else None
        yield Kept(_NEEDS[need.kind], of.ref, reverse.needs.size(need), loops, place)


def _cache(facts: _Facts, function: Function) -> Iterator[str]:
    total, found = 0, list(_kept(facts, function))
    for kept in found:
        times = f" for each turn of {' '.join(kept.loops)}" if kept.loops else ""
        total += 0 if kept.loops else kept.bytes
        yield f"{kept.what} {kept.ref}: {kept.bytes} bytes{times}" + (f"  ; {kept.place}" if kept.place else "")
    if not found:
        yield "nothing is kept"
    elif total:
        yield f"{total} bytes outside of loops"


_NEEDS = {
    "primal": "the value",
    "shadow": "the shadow of",
    "limit": "how often it may go back, the loop",
    "turns": "how often it went back, the loop",
    "left": "by which way it was left, the loop",
    "came": "where it was entered from, the block",
    "tape": "what was recorded by the call",
}


def _where(facts: _Facts, v: Value) -> str:
    return facts.at(v) if isinstance(v, Instruction) else ""


def _values(function: Function) -> Iterator[Argument | Instruction]:
    yield from function.arguments
    yield from function.instructions()


_PRINTERS: dict[str, Callable[[_Facts, Function], Iterator[str]]] = {
    "types": _types,
    "dominators": _dominators,
    "loops": _loops,
    "alias": _alias,
    "activity": _activity,
    "cache": _cache,
}
ANALYSES = tuple(_PRINTERS)
