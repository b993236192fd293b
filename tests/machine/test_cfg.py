"""Dominators and reachability against their definitions; loops and trip counts against running them."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from gradir.errors import NoRule
from gradir.machine import jit
from gradir.machine.analysis.cfg import CFG, Loop, TripCount
from gradir.machine.ir import I64, Block, Function, Type
from gradir.machine.ir.builder import Code
from gradir.machine.ir.text.reader import read
from gradir.machine.transform.storage import span_of, times_back

# -- Dominators


def graph(edges: list[list[int]]) -> Function:
    """A function with a block for each entry, which goes on to the blocks of these numbers."""
    lines = ["define void @f(i1 %c, i32 %k) {"]
    for k, targets in enumerate(edges):
        lines.append(f"b{k}:")
        match targets:
            case []:
                lines.append("  ret void" if k % 3 else "  unreachable")
            case [t]:
                lines.append(f"  br label %b{t}")
            case [t, u]:
                lines.append(f"  br i1 %c, label %b{t}, label %b{u}")
            case [t, *rest]:
                cases = " ".join(f"i32 {n}, label %b{u}" for n, u in enumerate(rest))
                lines.append(f"  switch i32 %k, label %b{t} [ {cases} ]")
    return read("\n".join([*lines, "}"])).functions["f"]


def reached(start: Block, without: Block | None = None) -> set[Block]:
    """The blocks that can be come to, none of them by way of `without`."""
    if start is without:
        return set()
    found, work = {start}, [start]
    while work:
        for s in work.pop().successors:
            if s is not without and s not in found:
                found.add(s)
                work.append(s)
    return found


@st.composite
def graphs(draw: st.DrawFn) -> list[list[int]]:
    n = draw(st.integers(1, 9))
    return [draw(st.lists(st.integers(1, n - 1), max_size=3)) if n > 1 else [] for _ in range(n)]


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_dominators_are_those_of_the_definition(edges: list[list[int]]):
    function = graph(edges)
    cfg = CFG(function, loops=False)
    everything = reached(function.entry)
    assert set(cfg.reachable) == everything
    for a in everything:
        cut = reached(function.entry, without=a)
        for b in everything:
            assert cfg.dominates(a, b) == (b not in cut), (a.name, b.name)
    for b in everything - {function.entry}:
        above = [a for a in everything if a is not b and cfg.dominates(a, b)]
        assert all(cfg.dominates(a, cfg.idom[b]) for a in above) and cfg.idom[b] in above


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_only_what_returns_is_in_order(edges: list[list[int]]):
    function = graph(edges)
    cfg = CFG(function, loops=False)
    returning = {b for b in reached(function.entry) if any(r.terminator.opcode == "ret" for r in reached(b))}
    assert set(cfg.order) == cfg.live == returning
    for b in cfg.order:
        after = set().union(*(reached(s) for s in b.successors)) & cfg.live
        assert cfg.reaches[b] == after
        last, first = b.instructions[-1], b.instructions[0]
        assert cfg.may_follow(last, first) == (b in after)
    numbers = [cfg.number[b] for b in cfg.order]
    assert numbers == sorted(numbers)


# -- Loops

NEST = """
define double @f(ptr %x, i64 %n, i64 %m, double %limit) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %row = phi ptr [ %x, %entry ], [ %row.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i64 [ %m, %outer ], [ %j.next, %inner ]
  %p = getelementptr double, ptr %row, i64 %j
  %v = load double, ptr %p
  %j.next = add nsw i64 %j, -2
  %go = icmp sgt i64 %j.next, %i
  br i1 %go, label %inner, label %check
check:
  %stop = fcmp ogt double %v, %limit
  br i1 %stop, label %out, label %outer.latch
outer.latch:
  %row.next = getelementptr [4 x double], ptr %row, i64 2
  %i.next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %n, %i.next
  br i1 %done, label %last, label %outer
out:
  br label %end
last:
  br label %third
third:
  %k = phi i64 [ 0, %last ], [ %k.next, %third ]
  %k.next = add i64 %k, 3
  %more = icmp ult i64 %k.next, 30
  br i1 %more, label %third, label %end.from.third
end.from.third:
  br label %end
end:
  ret double %limit
}
"""


def test_a_nest():
    cfg = CFG(read(NEST).functions["f"])
    loops = {loop.header.name: loop for loop in cfg.loops}
    outer, inner, third = loops["outer"], loops["inner"], loops["third"]
    assert [l.depth for l in cfg.loops] == sorted(l.depth for l in cfg.loops)
    assert inner.parent is outer and outer.children == [inner] and outer.parent is None and third.parent is None
    assert inner.nest == [outer, inner]
    assert (outer.latch.name, outer.preheader.name) == ("outer.latch", "entry")
    assert {b.name for b in outer.blocks} == {"outer", "inner", "check", "outer.latch"}
    assert {(a.name, b.name) for a, b in outer.exits} == {("check", "out"), ("outer.latch", "last")}
    steps = {phi.ref: i.step for l in cfg.loops for phi, i in l.inductions.items()}
    assert steps == {"%i": 1, "%row": 64, "%j": -2, "%k": 3}
    assert cfg.loop_of[cfg.function.blocks[-1]] is None
    names = {b.name: b for b in cfg.function.blocks}
    assert cfg.loop_of[names["inner"]] is inner and cfg.loop_of[names["check"]] is outer


def test_trip_counts_of_a_nest():
    cfg = CFG(read(NEST).functions["f"])
    outer, inner, third = (next(l for l in cfg.loops if l.header.name == n) for n in ("outer", "inner", "third"))
    assert (outer.trip.predicate, outer.trip.after, outer.trip.bound.ref, outer.trip.exact) == ("ne", True, "%n", False)
    assert (inner.trip.predicate, inner.trip.after, inner.trip.bound.ref, inner.trip.exact) == ("sgt", True, "%i", True)
    assert third.trip.constant == 9 and outer.trip.constant is None
    # A bound that the loop around changes is not known before that.
    assert span_of(inner, cfg) == [inner] and span_of(outer, cfg) == [outer]


def test_a_nest_of_known_counts_is_one_span():
    text = NEST.replace("icmp sgt i64 %j.next, %i", "icmp sgt i64 %j.next, 0")
    cfg = CFG(read(text).functions["f"])
    outer, inner = (next(l for l in cfg.loops if l.header.name == n) for n in ("outer", "inner"))
    assert span_of(inner, cfg) == [outer, inner]


def test_ways_that_never_return_are_no_exits():
    text = NEST.replace("out:\n  br label %end", "out:\n  unreachable").replace(", [ %v, %out ]", "")
    cfg = CFG(read(text).functions["f"])
    outer = next(l for l in cfg.loops if l.header.name == "outer")
    assert [(a.name, b.name) for a, b in outer.exits] == [("outer.latch", "last")] and outer.trip.exact


def graph_with_loop(body: str, arguments: str = "i64 %n, ptr %p") -> tuple[CFG, Loop]:
    text = f"define void @f({arguments}) {{\nentry:\n  br label %loop\nloop:\n{body}\ndone:\n  ret void\n}}"
    cfg = CFG(read(text).functions["f"])
    (loop,) = cfg.loops
    return cfg, loop


def loop_of(body: str, arguments: str = "i64 %n, ptr %p") -> Loop:
    return graph_with_loop(body, arguments)[1]


UNKNOWN = {
    "a float": """
  %x = phi double [ 0.0, %entry ], [ %y, %loop ]
  %y = fadd double %x, 1.0
  %go = fcmp olt double %y, 10.0
  br i1 %go, label %loop, label %done""",
    "a bound that is loaded": """
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %m = load i64, ptr %p
  %go = icmp slt i64 %j, %m
  br i1 %go, label %loop, label %done""",
    "a step that varies": """
  %i = phi i64 [ 1, %entry ], [ %j, %loop ]
  %j = add i64 %i, %i
  %go = icmp slt i64 %j, %n
  br i1 %go, label %loop, label %done""",
    "goes on while equal": """
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, 1
  %go = icmp eq i64 %j, %n
  br i1 %go, label %loop, label %done""",
    "runs away from its bound": """
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  %j = add i64 %i, -1
  %go = icmp slt i64 %j, %n
  br i1 %go, label %loop, label %done""",
    "a list": """
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = load ptr, ptr %q
  %go = icmp ne ptr %next, null
  br i1 %go, label %loop, label %done""",
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_counts_that_can_not_be_told(case: str):
    cfg, loop = graph_with_loop(UNKNOWN[case])
    assert loop.trip is None and span_of(loop, cfg) == []


def test_irreducible_loops_are_refused_in_reverse_only():
    text = """
define void @f(i1 %c) {
entry:
  br i1 %c, label %a, label %b
a:
  br label %b
b:
  br i1 %c, label %a, label %done
done:
  ret void
}
"""
    function = read(text).functions["f"]
    assert CFG(function, loops=False).loops == []
    with pytest.raises(NoRule, match="@f") as caught:
        CFG(function)
    assert caught.value.hint


def test_loops_in_another_form_are_refused():
    text = """
define void @f(i1 %c, i1 %d) {
entry:
  br label %head
head:
  br i1 %c, label %a, label %b
a:
  br i1 %d, label %head, label %done
b:
  br i1 %d, label %head, label %done
done:
  ret void
}
"""
    with pytest.raises(NoRule, match="simple form"):
        CFG(read(text).functions["f"])


# -- Trip counts against running the loop

LIMIT = 400


def signed(x: int, bits: int) -> int:
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def holds(predicate: str, a: int, b: int, bits: int) -> bool:
    if predicate[0] == "s":
        a, b = signed(a, bits), signed(b, bits)
    return {"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[predicate.lstrip("su")]


def times(start: int, bound: int, step: int, predicate: str, after: bool, bits: int) -> int | None:
    """How often the loop goes back; None if it takes too long, or goes over the edge of its type before it is left."""
    mask = (1 << bits) - 1
    i, bound, count = start & mask, bound & mask, 0
    while True:
        exact = (signed(i, bits) if predicate[0] == "s" else i) + step
        following = (i + step) & mask
        wraps = exact != (signed(following, bits) if predicate[0] == "s" else following)
        if wraps and predicate != "ne" and (after or holds(predicate, i, bound, bits)):
            return None
        if not holds(predicate, following if after else i, bound, bits):
            return count
        i, count = following, count + 1
        if count > LIMIT:
            return None


def loop_text(
    start: str, bound: str, step: int, predicate: str, after: bool, bits: int, swap: bool = False, inverse: bool = False
) -> str:
    a, b = "%next" if after else "%i", bound
    inverses = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "le": "gt", "gt": "le"}
    written = predicate
    if inverse:
        sign, rest = ("", predicate) if predicate in ("eq", "ne") else (predicate[0], predicate[1:])
        written = sign + inverses[rest]
    if swap:
        a, b = b, a
        written = written if written in ("eq", "ne") else written.translate(str.maketrans("lg", "gl"))
    targets = ("%done", "%loop") if inverse else ("%loop", "%done")
    t = f"i{bits}"
    return f"""
define void @f({t} %start, {t} %bound) {{
entry:
  br label %loop
loop:
  %i = phi {t} [ {start}, %entry ], [ %next, %loop ]
  %next = add {t} %i, {step}
  %go = icmp {written} {t} {a}, {b}
  br i1 %go, label {targets[0]}, label {targets[1]}
done:
  ret void
}}
"""


PREDICATES = {1: ["ne", "slt", "sle", "ult", "ule"], -1: ["ne", "sgt", "sge", "ugt", "uge"]}


@st.composite
def counted(draw: st.DrawFn) -> tuple[int, int, int, str, bool, int]:
    bits = draw(st.sampled_from([8, 16, 32, 64]))
    ends = st.integers(-200, 200) | st.integers(0, (1 << bits) - 1)
    start = draw(ends)
    step = draw(st.integers(1, 5)) * draw(st.sampled_from([1, -1]))
    predicate = draw(st.sampled_from(PREDICATES[1 if step > 0 else -1]))
    distance = draw(st.integers(-20, 200))
    if predicate == "ne":
        distance = abs(distance) * abs(step)
    bound = start + (distance if step > 0 else -distance)
    return signed(start, bits), signed(bound, bits), step, predicate, draw(st.booleans()), bits


def trip(text: str) -> TripCount | None:
    (loop,) = CFG(read(text).functions["f"]).loops
    return loop.trip


@settings(max_examples=150, deadline=None)
@given(counted(), st.booleans(), st.booleans())
@example((0, signed(200, 8), 1, "ult", True, 8), False, False)
@example((0, signed(200, 8), 1, "ne", True, 8), False, False)
@example((signed(200, 8), 0, -1, "ugt", False, 8), True, True)
@example((-6, 5, 1, "ne", True, 32), False, False)
@example((0, 0, 1, "slt", True, 64), False, False)
@example((0, 0, 1, "ne", True, 8), False, False)
def test_constant_counts_are_those_of_the_run(case: tuple[int, int, int, str, bool, int], swap: bool, inverse: bool):
    start, bound, step, predicate, after, bits = case
    expected = times(*case)
    assume(expected is not None)
    found = trip(loop_text(str(start), str(bound), step, predicate, after, bits, swap, inverse))
    distance = (bound - start if step > 0 else start - bound) % (1 << bits)
    if predicate == "ne" and (distance % abs(step) or (after and distance < abs(step))):
        assert found is None  # it goes round once or more, which no program means
        return
    assert found is not None and found.exact and found.predicate == predicate and found.after == after
    assert found.constant == expected


_compiled: dict[tuple[int, str, bool, int], jit.Call] = {}


def counter(step: int, predicate: str, after: bool, bits: int) -> jit.Call:
    """`times_back` as code."""
    key = (step, predicate, after, bits)
    if key not in _compiled:
        found = trip(loop_text("%start", "%bound", step, predicate, after, bits))
        assert found is not None
        declared: list[str] = []
        type = Type(f"i{bits}", "int", bits)
        code = Code("f", I64, [(type, "start"), (type, "bound")], declare=declared.append)
        code.ret(times_back(code, found, *code.parameters))
        text = "\n".join([*dict.fromkeys(declared), code.text()])
        _compiled[key] = jit.compile_library(text, [jit.Entry("f", (f"i{bits}",) * 2, "i64")])["f"]
    return _compiled[key]


KINDS = [
    (step, predicate, after, bits)
    for step in (1, 3, -1, -4)
    for predicate in PREDICATES[1 if step > 0 else -1]
    for after, bits in ((False, 8), (True, 32), (True, 64))
]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(KINDS), st.lists(st.tuples(st.integers(-300, 300), st.integers(-5, 120)), min_size=5, max_size=20)
)
def test_counts_at_run_time_are_those_of_the_run(kind: tuple[int, str, bool, int], ends: list[tuple[int, int]]):
    step, predicate, after, bits = kind
    for start, distance in ends:
        far = abs(distance) * step if predicate == "ne" else distance if step > 0 else -distance
        expected = times(start, start + far, step, predicate, after, bits)
        goes_round = abs(far) >= 1 << bits or (predicate == "ne" and after and far == 0)  # which no program means
        if expected is not None and not goes_round:
            mask = (1 << bits) - 1
            assert counter(*kind)(start & mask, (start + far) & mask) == expected, (start, start + far)


def test_counts_of_pointers():
    loop = loop_of(
        """
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %next = getelementptr { double, i32 }, ptr %q, i64 1
  %go = icmp ne ptr %next, %end
  br i1 %go, label %loop, label %done""",
        "ptr %p, ptr %end",
    )
    assert loop.trip is not None and loop.trip.induction.step == 16
    code = Code("f", I64, [(Type("ptr", "ptr"), "a"), (Type("ptr", "ptr"), "b")])
    code.ret(times_back(code, loop.trip, *code.parameters))
    call = jit.compile_library(code.text(), [jit.Entry("f", ("ptr", "ptr"), "i64")])["f"]
    assert [call(1000, 1000 + 16 * n) for n in (1, 2, 10)] == [0, 1, 9]
