"""What is still there later: never "not overwritten" where a run overwrites, nor the other way where it is plain."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.ir import Instruction
from gradir.machine.ir.text.reader import read


def memory_of(text: str, name: str = "f", *, noalias: bool = False) -> Memory:
    module = read(text)
    function = module.functions[name]
    return Memory(module, function, CFG(function), noalias=noalias)


def instruction(memory: Memory, ref: str) -> Instruction:
    return next(i for i in memory.function.instructions() if i.ref == ref)


def overwritten(text: str, ref: str = "%x", name: str = "f", *, noalias: bool = False) -> bool:
    memory = memory_of(text, name, noalias=noalias)
    return memory.overwritten(instruction(memory, ref))


# -- Random programs, run as they are made

HELPERS = """
@kept = global ptr null
@field = global [8 x double] zeroinitializer
declare void @unknown(ptr)
declare void @poke()
define void @put(ptr %p) {
entry:
  store double 1.0, ptr %p
  ret void
}
define void @link(ptr %slot, ptr %p) {
entry:
  store ptr %p, ptr %slot
  ret void
}
define ptr @follow(ptr %slot) {
entry:
  %p = load ptr, ptr %slot
  ret ptr %p
}
define void @put_through(ptr %slot) {
entry:
  %p = call ptr @follow(ptr %slot)
  call void @put(ptr %p)
  ret void
}
define void @remember(ptr %p) {
entry:
  store ptr %p, ptr @kept
  ret void
}
define void @put_remembered() {
entry:
  %p = load ptr, ptr @kept
  store double 1.0, ptr %p
  ret void
}
define ptr @choose(i1 %c, ptr %p, ptr %q) {
entry:
  %r = select i1 %c, ptr %p, ptr %q
  ret ptr %r
}
define void @down(ptr %p, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %more
last:
  store double 1.0, ptr %p
  br label %done
more:
  %q = getelementptr i8, ptr %p, i64 8
  %m = sub i64 %n, 1
  call void @down(ptr %q, i64 %m)
  br label %done
done:
  ret void
}
define void @even(ptr %slot, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %more
last:
  %p = load ptr, ptr %slot
  store double 1.0, ptr %p
  br label %done
more:
  %m = sub i64 %n, 1
  call void @odd(ptr %slot, i64 %m)
  br label %done
done:
  ret void
}
define void @odd(ptr %slot, i64 %n) {
entry:
  %m = sub i64 %n, 1
  call void @even(ptr %slot, i64 %m)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


@dataclass(eq=False)
class Thing:
    """A piece of memory of 64 bytes, with the addresses that lie in it."""

    pointers: dict[int, Address] = field(default_factory=dict)


@dataclass(frozen=True)
class Address:
    thing: Thing
    at: int


SIZE = 64


class Run:
    """A program that is made and run at once."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.count = 0
        self.pointers: dict[str, Address] = {}
        self.loads: dict[str, tuple[Thing, int, int]] = {}
        self.overwritten: set[str] = set()
        self.captured: list[Address] = []
        outside = Thing()
        self.pointers["%a"] = Address(Thing({0: Address(outside, 0)}), 0)
        self.distinct = rng.random() < 0.5
        same = not self.distinct and rng.random() < 0.5
        self.pointers["%b"] = Address(self.pointers["%a"].thing if same else Thing(), 8 if same else 0)
        self.kept, self.field = Thing(), Thing()
        self.pointers["@field"] = Address(self.field, 0)
        if not self.distinct and rng.random() < 0.2:
            self.pointers["%b"] = Address(self.field, 0)
        self.index = {"%i": rng.randrange(3), "%j": rng.randrange(3)}

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def pick(self) -> tuple[str, Address]:
        return self.rng.choice(list(self.pointers.items()))

    def room(self, address: Address, size: int) -> bool:
        return 0 <= address.at <= SIZE - size

    def write(self, address: Address, size: int, value: Address | None = None) -> None:
        thing, low, high = address.thing, address.at, address.at + size
        for ref, (where, a, b) in self.loads.items():
            if where is thing and a < high and low < b:
                self.overwritten.add(ref)
        for at in [o for o in thing.pointers if low - 8 < o < high]:
            del thing.pointers[at]
        if value is not None:
            thing.pointers[low] = value

    def step(self) -> None:
        kinds = [
            "alloca",
            "gep",
            "gep",
            "gep",
            "load",
            "load",
            "load",
            "store",
            "store",
            "store_ptr",
            "store_ptr",
            "load_ptr",
            "load_ptr",
            "select",
            "put",
            "link",
            "follow",
            "put_through",
            "remember",
            "put_remembered",
            "choose",
            "down",
            "even",
            "odd",
            "copy",
            "set",
            "unknown",
            "poke",
            "as_integer",
        ]
        getattr(self, f"do_{self.rng.choice(kinds)}")()

    def do_alloca(self) -> None:
        name = self.name()
        self.lines.append(f"{name} = alloca [8 x double], align 8")
        self.pointers[name] = Address(Thing(), 0)

    def do_gep(self) -> None:
        ref, p = self.pick()
        form = self.rng.choice(["bytes", "double", "index", "struct"])
        name = self.name()
        if form == "bytes":
            k = self.rng.choice([-8, -4, 4, 8, 16, 24])
            text, by = f"getelementptr i8, ptr {ref}, i64 {k}", k
        elif form == "double":
            k = self.rng.choice([-1, 1, 2, 3])
            text, by = f"getelementptr inbounds double, ptr {ref}, i64 {k}", 8 * k
        elif form == "index":
            i, step = self.rng.choice(["%i", "%j"]), self.rng.choice([8, 16])
            text, by = f"getelementptr [{step} x i8], ptr {ref}, i64 {i}", self.index[i] * step
        else:
            i, k = self.rng.choice(["%i", "%j"]), self.rng.randrange(2)
            text, by = f"getelementptr {{ double, i32 }}, ptr {ref}, i64 {i}, i32 {k}", self.index[i] * 16 + 8 * k
        moved = Address(p.thing, p.at + by)
        if self.room(moved, 8):
            self.lines.append(f"{name} = {text}")
            self.pointers[name] = moved

    def do_load(self) -> None:
        ref, p = self.pick()
        type, size = self.rng.choice([("double", 8), ("float", 4), ("i64", 8), ("i32", 4)])
        if self.room(p, size):
            name = self.name()
            self.lines.append(f"{name} = load {type}, ptr {ref}, align 1")
            self.loads[name] = (p.thing, p.at, p.at + size)

    def do_store(self) -> None:
        ref, p = self.pick()
        text, size = self.rng.choice([("double 1.0", 8), ("float 2.0", 4), ("i64 7", 8), ("i32 3", 4)])
        if self.room(p, size):
            self.lines.append(f"store {text}, ptr {ref}, align 1")
            self.write(p, size)

    def do_store_ptr(self) -> None:
        (ref, p), (value, address) = self.pick(), self.pick()
        if self.room(p, 8):
            self.lines.append(f"store ptr {value}, ptr {ref}, align 1")
            self.write(p, 8, address)

    def do_load_ptr(self) -> None:
        slots = [(r, p) for r, p in self.pointers.items() if p.at in p.thing.pointers]
        if slots:
            ref, p = self.rng.choice(slots)
            name = self.name()
            self.lines.append(f"{name} = load ptr, ptr {ref}, align 1")
            self.loads[name] = (p.thing, p.at, p.at + 8)
            self.pointers[name] = p.thing.pointers[p.at]

    def do_as_integer(self) -> None:
        """An address on its way through integers."""
        ref, p = self.pick()
        a, b, c = self.name(), self.name(), self.name()
        if self.room(Address(p.thing, p.at + 8), 8):
            self.lines += [
                f"{a} = ptrtoint ptr {ref} to i64",
                f"{b} = add i64 {a}, 8",
                f"{c} = inttoptr i64 {b} to ptr",
            ]
            self.pointers[c] = Address(p.thing, p.at + 8)

    def do_select(self) -> None:
        (x, p), (y, q) = self.pick(), self.pick()
        name = self.name()
        self.lines.append(f"{name} = select i1 %c, ptr {x}, ptr {y}")
        self.pointers[name] = p if self.index["%i"] % 2 else q

    def do_choose(self) -> None:
        (x, p), (y, q) = self.pick(), self.pick()
        name = self.name()
        self.lines.append(f"{name} = call ptr @choose(i1 %c, ptr {x}, ptr {y})")
        self.pointers[name] = p if self.index["%i"] % 2 else q

    def do_put(self) -> None:
        ref, p = self.pick()
        if self.room(p, 8):
            self.lines.append(f"call void @put(ptr {ref})")
            self.write(p, 8)

    def do_link(self) -> None:
        (ref, p), (value, address) = self.pick(), self.pick()
        if self.room(p, 8):
            self.lines.append(f"call void @link(ptr {ref}, ptr {value})")
            self.write(p, 8, address)

    def slot(self) -> tuple[str, Address] | None:
        found = [(r, p.thing.pointers[p.at]) for r, p in self.pointers.items() if p.at in p.thing.pointers]
        found = [(r, q) for r, q in found if self.room(q, 8)]
        return self.rng.choice(found) if found else None

    def do_follow(self) -> None:
        if slot := self.slot():
            name = self.name()
            self.lines.append(f"{name} = call ptr @follow(ptr {slot[0]})")
            self.pointers[name] = slot[1]

    def do_put_through(self) -> None:
        if slot := self.slot():
            self.lines.append(f"call void @put_through(ptr {slot[0]})")
            self.write(slot[1], 8)

    def do_even(self) -> None:
        if slot := self.slot():
            self.lines.append(f"call void @even(ptr {slot[0]}, i64 2)")
            self.write(slot[1], 8)

    def do_odd(self) -> None:
        if slot := self.slot():
            self.lines.append(f"call void @odd(ptr {slot[0]}, i64 3)")
            self.write(slot[1], 8)

    def do_remember(self) -> None:
        ref, p = self.pick()
        self.lines.append(f"call void @remember(ptr {ref})")
        self.write(Address(self.kept, 0), 8, p)

    def do_put_remembered(self) -> None:
        p = self.kept.pointers.get(0)
        if p is not None and self.room(p, 8):
            self.lines.append("call void @put_remembered()")
            self.write(p, 8)

    def do_down(self) -> None:
        ref, p = self.pick()
        target = Address(p.thing, p.at + 16)
        if self.room(target, 8):
            self.lines.append(f"call void @down(ptr {ref}, i64 2)")
            self.write(target, 8)

    def do_copy(self) -> None:
        (ref, p), (source, q) = self.pick(), self.pick()
        if p.thing is not q.thing and self.room(p, 16) and self.room(q, 16):
            self.lines.append(f"call void @llvm.memcpy.p0.p0.i64(ptr {ref}, ptr {source}, i64 16, i1 false)")
            self.write(p, 16)
            for k in (0, 8):
                if (found := q.thing.pointers.get(q.at + k)) is not None:
                    p.thing.pointers[p.at + k] = found

    def do_set(self) -> None:
        ref, p = self.pick()
        if self.room(p, 24):
            self.lines.append(f"call void @llvm.memset.p0.i64(ptr {ref}, i8 0, i64 24, i1 false)")
            self.write(p, 24)

    def do_unknown(self) -> None:
        """It may write all that it can reach, and remember it."""
        ref, p = self.pick()
        self.lines.append(f"call void @unknown(ptr {ref})")
        self.captured.append(p)
        self.scribble()

    def do_poke(self) -> None:
        self.lines.append("call void @poke()")
        self.scribble()

    def scribble(self) -> None:
        begin = [*self.captured, *self.kept.pointers.values(), Address(self.field, 0)]
        things: list[Thing] = []
        work = [p.thing for p in begin]
        while work:
            thing = work.pop()
            if thing not in things:
                things.append(thing)
                work += [q.thing for q in thing.pointers.values()]
        self.write(Address(self.rng.choice(things), 8 * self.rng.randrange(8)), 8)

    def text(self) -> str:
        note = "noalias " if self.distinct else ""
        body = "\n".join(f"  {line}" for line in self.lines)
        header = f"define void @f(ptr {note}%a, ptr {note}%b, i64 %i, i64 %j, i1 %c) {{\nentry:"
        return f"{HELPERS}{header}\n{body}\n  ret void\n}}\n"


@settings(max_examples=250, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(3, 40))
def test_what_a_run_overwrites_is_said_to_be_overwritten(seed: int, length: int):
    run = Run(random.Random(seed))
    for _ in range(length):
        run.step()
    memory = memory_of(run.text())
    missed = [ref for ref in sorted(run.overwritten) if not memory.overwritten(instruction(memory, ref))]
    assert not missed, f"{missed} in\n" + run.text().removeprefix(HELPERS)


# -- Loops with strides


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 1 << 32))
def test_strides_in_loops(seed: int):
    rng = random.Random(seed)
    read_step, write_step = rng.choice([0, 8, 16, 24, 32]), rng.choice([0, 8, 16, 24, 32])
    read_at, write_at = rng.choice([0, 4, 8, 16, 24]), rng.choice([0, 4, 8, 12, 16, 24])
    read_size, write_size = rng.choice([("double", 8), ("float", 4)]), rng.choice([("double", 8), ("float", 4)])
    by_pointer = rng.random() < 0.5
    turns = 6
    order = ["read", "write"] if rng.random() < 0.7 else ["write", "read"]
    parts = {
        "read": f"""  %r = getelementptr i8, ptr %a, i64 {read_at}
  %p = getelementptr [{read_step} x i8], ptr %r, i64 %i
  %x = load {read_size[0]}, ptr %p, align 1""",
        "write": f"""  %w = getelementptr i8, ptr %q, i64 {write_at}
  store {write_size[0]} 0.0, ptr %w, align 1""",
    }
    if by_pointer:
        begin, end = (
            "%q = phi ptr [ %a, %entry ], [ %q.next, %loop ]",
            f"%q.next = getelementptr i8, ptr %q, i64 {write_step}",
        )
    else:
        begin, end = f"%q = getelementptr [{write_step} x i8], ptr %a, i64 %i", "%unused = add i64 %i, 0"
    text = f"""
define void @f(ptr %a, i64 %n) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  {begin}
{parts[order[0]]}
{parts[order[1]]}
  {end}
  %next = add i64 %i, 1
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  ret void
}}
"""
    events = [(k, what) for k in range(turns) for what in order]
    happens = False
    for n, (k, what) in enumerate(events):
        if what == "read":
            low = read_at + k * read_step
            for j, later in events[n + 1 :]:
                start = write_at + j * write_step
                happens |= later == "write" and start < low + read_size[1] and low < start + write_size[1]
    if happens:
        assert overwritten(text)


def test_fields_of_structs_are_apart_in_loops():
    text = """
define void @f(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr { double, double }, ptr %a, i64 %i, i32 0
  %x = load double, ptr %p
  %q = getelementptr { double, double }, ptr %a, i64 %i, i32 1
  store double %x, ptr %q
  %next = add i64 %i, 1
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  ret void
}
"""
    assert not overwritten(text)
    assert overwritten(text.replace("i64 %i, i32 1", "i64 %i, i32 0"))


# -- What is plain


def straight(body: str, arguments: str = "ptr %a, ptr %b, i64 %i") -> str:
    return f"define void @f({arguments}) {{\nentry:\n{body}\n  ret void\n}}\n"


PLAIN = {
    "nothing is written": "  %x = load double, ptr %a",
    "written before": "  store double 1.0, ptr %a\n  %x = load double, ptr %a",
    "another offset": "  %x = load double, ptr %a\n  %p = getelementptr i8, ptr %a, i64 8\n  store double 1.0, ptr %p",
    "stack memory": "  %s = alloca double\n  %x = load double, ptr %a\n  store double 1.0, ptr %s",
    "other stack memory": "  %s = alloca double\n  %t = alloca double\n  %x = load double, ptr %s\n"
    "  store double 1.0, ptr %t",
    "fresh memory": "  %x = load double, ptr %a\n  %s = call ptr @malloc(i64 8)\n  store double 1.0, ptr %s",
    "told by the loader": "  %x = load double, ptr %a, !invariant.load !0\n  store double 1.0, ptr %b",
}


@pytest.mark.parametrize("case", PLAIN)
def test_what_is_plainly_still_there(case: str):
    assert not overwritten(straight(PLAIN[case]) + "declare ptr @malloc(i64)\n!0 = !{}\n")


LOST = {
    "the same address": "  %x = load double, ptr %a\n  store double 1.0, ptr %a",
    "an argument that may be the same": "  %x = load double, ptr %a\n  store double 1.0, ptr %b",
    "half of it": "  %x = load double, ptr %a\n  %p = getelementptr i8, ptr %a, i64 4\n  store float 1.0, ptr %p",
    "an index": "  %x = load double, ptr %a\n  %p = getelementptr double, ptr %a, i64 %i\n  store double 1.0, ptr %p",
    "a volatile load": "  %x = load volatile double, ptr %a",
    "an atomic": "  %x = load double, ptr %a\n  %y = atomicrmw fadd ptr %a, double 1.0 monotonic, align 8",
    "an exchange": "  %x = load i64, ptr %a\n  %y = cmpxchg ptr %a, i64 1, i64 2 monotonic monotonic, align 8",
    "an unknown function": "  %x = load double, ptr %a\n  call void @unknown()",
    "what was handed out": "  %s = alloca double\n  call void @take(ptr %s)\n"
    "  %x = load double, ptr %s\n  call void @unknown()",
    "what was handed out, by a pointer": "  %s = alloca double\n  call void %b(ptr %s)\n"
    "  %x = load double, ptr %s\n  call void @unknown()",
    "what is in what was handed out": "  %s = alloca double\n  %t = alloca ptr\n  store ptr %s, ptr %t\n"
    "  call void @take(ptr %t)\n  %x = load double, ptr %s\n  call void @unknown()",
    "a masked store": "  %x = load <4 x double>, ptr %a\n"
    "  call void @llvm.masked.store.v4f64.p0(<4 x double> zeroinitializer, ptr %a, i32 8, <4 x i1> zeroinitializer)",
    "a masked store of x86": "  %x = load <4 x double>, ptr %a\n"
    "  call void @llvm.x86.avx.maskstore.pd.256(ptr %a, <4 x i64> zeroinitializer, <4 x double> zeroinitializer)",
}
DECLARED = """
declare void @unknown()
declare void @take(ptr)
declare void @llvm.masked.store.v4f64.p0(<4 x double>, ptr, i32, <4 x i1>)
declare void @llvm.x86.avx.maskstore.pd.256(ptr, <4 x i64>, <4 x double>)
"""


@pytest.mark.parametrize("case", LOST)
def test_what_is_lost(case: str):
    assert overwritten(straight(LOST[case]) + DECLARED)


def test_arguments_that_overlap_nothing():
    body = "  %x = load double, ptr %a\n  store double 1.0, ptr %b"
    assert overwritten(straight(body)) and not overwritten(straight(body), noalias=True)
    assert not overwritten(straight(body, "ptr %a, ptr noalias %b, i64 %i"))
    assert not overwritten(straight(body, "ptr noalias %a, ptr %b, i64 %i"))
    # What is read from memory may point anywhere outside, but not to what nobody else points to.
    loaded = "  %p = load ptr, ptr %b\n  %x = load double, ptr %a\n  store double 1.0, ptr %p"
    assert overwritten(straight(loaded)) and not overwritten(straight(loaded, "ptr noalias %a, ptr %b, i64 %i"))


def test_types_tell_apart():
    tags = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !2, i64 0}
!2 = !{!"omnipotent char", !3, i64 0}
!3 = !{!"Simple C/C++ TBAA"}
!4 = !{!5, !5, i64 0}
!5 = !{!"long", !2, i64 0}
!6 = !{!2, !2, i64 0}
!7 = !{!8, !1, i64 8}
!8 = !{!"pair", !5, i64 0, !1, i64 8}
!9 = !{!8, !5, i64 0}
"""

    def changed(tag: str, value: str) -> bool:
        body = f"  %x = load double, ptr %a, !tbaa !0\n  store {value}, ptr %b, !tbaa {tag}"
        memory = memory_of(straight(body) + tags, "f")
        load = instruction(memory, "%x")
        # What is written later may well be of another type: allocated memory has the type that it was written with.
        assert memory.overwritten(load)
        [write] = memory.writes
        return memory.may_change(memory.access(load, load.pointer, 8), write)

    assert not changed("!4", "i64 1") and not changed("!9", "i64 1")
    assert changed("!0", "double 1.0") and changed("!6", "i8 1") and changed("!7", "double 1.0")


def test_constant_globals_stay():
    text = "@table = constant [4 x double] zeroinitializer\n@other = global [4 x double] zeroinitializer\n"
    body = "  %p = getelementptr double, ptr @{}, i64 %i\n  %x = load double, ptr %p\n  store double 1.0, ptr %a"
    assert not overwritten(text + straight(body.format("table"))) and overwritten(text + straight(body.format("other")))


# -- Calls


CALLEE = """
define void @g(ptr %p, ptr %q) {{
entry:
  {}
  ret void
}}
"""


def test_a_call_writes_what_its_body_writes():
    body = "  %x = load double, ptr %a\n  call void @g(ptr %a, ptr %b)"
    assert not overwritten(straight(body, "ptr noalias %a, ptr noalias %b") + CALLEE.format("store double 1.0, ptr %q"))
    assert overwritten(straight(body, "ptr noalias %a, ptr noalias %b") + CALLEE.format("store double 1.0, ptr %p"))
    assert not overwritten(straight(body) + CALLEE.format("%y = load double, ptr %p"))


def test_attributes_of_a_function_without_a_body():
    body = "  %x = load double, ptr %a\n  call void @g(ptr %a)"
    writing = ["", "memory(argmem: readwrite)", "memory(write)", "nounwind"]
    for note in [*writing, "memory(none)", "memory(read)", "memory(argmem: read)"]:
        assert overwritten(straight(body) + f"declare void @g(ptr) {note}\n") == (note in writing), note


def test_mutual_recursion_writes_through_what_it_is_given():
    """Whichever of the two is looked at first."""
    caller = """
define double @f(ptr noalias %s, ptr noalias %x) {{
entry:
  %slot = alloca ptr
  %array = alloca double
  store ptr %array, ptr %slot
  call void @{first}(ptr %slot, i64 2)
  %x1 = load double, ptr %array
  call void @{second}(ptr %slot, i64 3)
  ret double %x1
}}
"""
    for first, second in [("even", "odd"), ("odd", "even"), ("even", "even")]:
        assert overwritten(HELPERS + caller.format(first=first, second=second), "%x1"), (first, second)


def test_a_function_that_is_looked_at_again_on_the_way():
    """What a call does is told in places of the one who asks, not of whoever asked last."""
    text = """
define void @f(i64 %n) {
entry:
  %s = alloca double
  %x = load double, ptr %s
  call void @put(ptr %s)
  call void @g(i64 %n)
  ret void
}
define void @g(i64 %n) {
entry:
  call void @f(i64 %n)
  ret void
}
"""
    assert overwritten(HELPERS + text)


def test_a_cycle_of_three():
    text = """
define void @one(ptr %slot, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %last, label %more
more:
  %m = sub i64 %n, 1
  call void @two(ptr %slot, i64 %m)
  br label %done
last:
  %p = load ptr, ptr %slot
  store double 1.0, ptr %p
  br label %done
done:
  ret void
}
define void @two(ptr %slot, i64 %n) {
entry:
  call void @three(ptr %slot, i64 %n)
  ret void
}
define void @three(ptr %slot, i64 %n) {
entry:
  call void @one(ptr %slot, i64 %n)
  ret void
}
define void @f(ptr %b) {
entry:
  %slot = alloca ptr
  %array = alloca double
  %other = alloca double
  store ptr %array, ptr %slot
  call void @one(ptr %slot, i64 2)
  %x = load double, ptr %array
  %y = load double, ptr %other
  call void @WHICH(ptr %slot, i64 2)
  ret void
}
"""
    for which in ("one", "two", "three"):
        assert overwritten(text.replace("WHICH", which)) and not overwritten(text.replace("WHICH", which), "%y")


def test_what_a_callee_of_a_callee_writes_unseen():
    text = """
declare void @unknown()
define void @g() {
entry:
  call void @unknown()
  ret void
}
define void @h() {
entry:
  call void @g()
  ret void
}
"""
    assert overwritten(text + straight("  %x = load double, ptr %a\n  call void @h()"))
    assert not overwritten(text + straight("  %s = alloca double\n  %x = load double, ptr %s\n  call void @h()"))


def test_a_callee_that_only_reads_for_its_caller():
    text = """
define void @inner(ptr %p, ptr %q) {
entry:
  %v = load double, ptr %p
  store double %v, ptr %q
  ret void
}
define void @outer(ptr %p, ptr %q) {
entry:
  call void @inner(ptr %p, ptr %q)
  ret void
}
"""
    body = "  %x = load double, ptr %a\n  call void @outer(ptr %a, ptr %b)"
    assert not overwritten(text + straight(body, "ptr noalias %a, ptr noalias %b")) and overwritten(
        text + straight(body)
    )


def test_places_by_name():
    memory = memory_of("""
define void @f(ptr %a, ptr %b, ptr %slot) {
entry:
  %s = alloca double
  store ptr %a, ptr %slot
  %p = load ptr, ptr %slot
  %q = getelementptr double, ptr %p, i64 1
  ret void
}
""")
    a, b, slot = memory.function.arguments
    s, p, q = (instruction(memory, r) for r in ("%s", "%p", "%q"))
    assert memory.place(a) is memory.place(p) is memory.place(q) is memory.place(slot).inside()
    assert memory.place(a) is not memory.place(b) and memory.places_overlap(memory.place(a), memory.place(b))
    assert not memory.places_overlap(memory.place(s), memory.place(a))
    assert memory.place(s).origins == {s} and memory.base(q) == (p, 8, 0)
    assert "%s" in repr(memory.place(s))
