"""What carries a derivative: values and memory that depend on an active input and that an active output depends on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import gradir
from gradir import frontends
from gradir.machine import llvm
from gradir.machine.analysis.activity import Activity
from gradir.machine.ir import Instruction, Value
from gradir.machine.transform.derive import Program
from gradir.machine.transform.frame import Analyses
from gradir.request import Activity as Mark
from gradir.request import Mode, Request

ACTIVE, DUP, CONST = Mark.active, Mark.dup, Mark.const


def analysed(text: str, marks: str, result: Mark | None = ACTIVE, name: str = "f", *, nested: bool = False) -> Analyses:
    """With a mark for each argument: a (active), d (with a shadow) or c (constant)."""
    program = Program(text)
    given = [{"a": ACTIVE, "d": DUP, "c": CONST}[m] for m in marks]
    return program.analyse(program.functions[name], given, result, nested=nested)


def body(lines: str, arguments: str, result: str = "double") -> str:
    return f"""
@table = constant [4 x double] zeroinitializer
@state = global double 0.0
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @printf(ptr, ...)
declare double @drand48()
declare double @sin(double)
declare double @pow(double, double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.powi.f64.i32(double, i32)
define {result} @f({arguments}) {{
entry:
{lines}
}}
"""


def value(a: Analyses, ref: str) -> Value:
    return next(v for v in [*a.function.arguments, *a.function.instructions()] if v.ref == ref)


def actives(a: Analyses) -> set[str]:
    found = [*a.function.arguments, *a.function.instructions()]
    return {v.ref for v in found if a.activity.active(v)}


# -- Values


def test_what_depends_on_a_constant_only_is_constant():
    text = body("  %u = fmul double %k, %k\n  %v = fmul double %u, %x\n  ret double %v", "double %x, double %k")
    assert actives(analysed(text, "ac")) == {"%x", "%v"}
    assert actives(analysed(text, "aa")) == {"%x", "%k", "%u", "%v"}
    assert actives(analysed(text, "cc")) == set()


def test_what_no_result_depends_on_is_not_active():
    text = body("  %u = fmul double %x, %x\n  %v = fadd double %x, 1.0\n  ret double %v", "double %x")
    a = analysed(text, "a")
    assert "%u" not in actives(a) and "%u" in {v.ref for v in a.activity.varied}
    assert actives(analysed(text, "a", CONST)) == {"%x"}


@pytest.mark.parametrize(
    "line",
    [
        "%i = fptosi double %x to i64\n  %y = sitofp i64 %i to double",
        "%c = fcmp olt double %x, 0.0\n  %y = select i1 %c, double 1.0, double 2.0",
        "%y = call double @drand48()",
        "%y = load double, ptr @table",
        "%y = call double @sin(double 1.0)",
    ],
)
def test_steps_and_constants_carry_nothing(line: str):
    a = analysed(body(f"  {line}\n  %z = fmul double %y, %x\n  ret double %z", "double %x"), "a")
    assert actives(a) == {"%x", "%z"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("%y = select i1 true, double %x, double %k", True),
        ("%y = call double @sin(double %x)", True),
        ("%y = call double @pow(double %k, double %x)", True),
        ("%y = call double @llvm.copysign.f64(double %x, double %k)", True),
        ("%y = call double @llvm.copysign.f64(double %k, double %x)", False),
        ("%y = call double @llvm.powi.f64.i32(double %x, i32 3)", True),
        ("%h = fptrunc double %x to half\n  %y = fpext half %h to double", True),
        ("%b = bitcast double %x to i64\n  %y = bitcast i64 %b to double", True),
        ("%v = insertelement <2 x double> zeroinitializer, double %x, i32 0\n"
         "  %y = extractelement <2 x double> %v, i32 0", True),
        ("%y = freeze double %x", True),
    ],
)  # fmt: skip
def test_what_moves_with_its_operands(line: str, expected: bool):
    a = analysed(body(f"  {line}\n  ret double %y", "double %x, double %k"), "ac")
    assert ("%y" in actives(a)) == expected


def test_loops_come_to_a_fixed_point():
    text = """
define double @f(double %x, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %a = phi double [ 0.0, %entry ], [ %b, %loop ]
  %b = phi double [ 1.0, %entry ], [ %c, %loop ]
  %c = phi double [ 2.0, %entry ], [ %x, %loop ]
  %d = phi double [ 3.0, %entry ], [ 4.0, %loop ]
  %next = add i64 %i, 1
  %go = icmp slt i64 %next, %n
  br i1 %go, label %loop, label %done
done:
  %r = fadd double %a, %d
  ret double %r
}
"""
    assert actives(analysed(text, "ac")) == {"%x", "%a", "%b", "%c", "%r"}


# -- Memory


def shadowed(a: Analyses, ref: str) -> bool:
    return a.activity.has_shadow(value(a, ref))


def test_stack_memory_with_what_is_active_in_it_has_a_shadow():
    text = body(
        """  %s = alloca double
  %t = alloca double
  %u = alloca double
  store double %x, ptr %s
  store double 1.0, ptr %t
  store double %x, ptr %u
  %a = load double, ptr %s
  %b = load double, ptr %t
  %r = fmul double %a, %b
  ret double %r""",
        "double %x",
    )
    a = analysed(text, "a")
    assert [shadowed(a, r) for r in ("%s", "%t", "%u")] == [True, False, False]
    assert actives(a) == {"%x", "%a", "%r"}


def test_arguments_are_as_they_are_marked():
    text = body(
        "  %a = load double, ptr %p\n  %b = load double, ptr %q\n  %r = fmul double %a, %b\n  ret double %r",
        "ptr %p, ptr %q",
    )
    a = analysed(text, "dc")
    assert shadowed(a, "%p") and not shadowed(a, "%q") and actives(a) == {"%a", "%r"}


def test_integers_in_memory_carry_nothing():
    text = body(
        """  %i = load i32, ptr %at
  %j = sext i32 %i to i64
  %p = getelementptr double, ptr %x, i64 %j
  %r = load double, ptr %p
  ret double %r""",
        "ptr %x, ptr %at",
    )
    assert actives(analysed(text, "dd")) == {"%r"}


def test_pointers_to_pointers():
    text = body("  %p = load ptr, ptr %s\n  %r = load double, ptr %p\n  ret double %r", "ptr %s")
    a = analysed(text, "d")
    assert shadowed(a, "%p") and shadowed(a, "%s") and a.activity.holds_active_floats(value(a, "%p"))
    assert actives(a) == {"%r"} and actives(analysed(text, "c")) == set()


def test_copies_carry_what_they_copy():
    text = body(
        """  %s = alloca double
  %t = alloca double
  store double %x, ptr %s
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %s, i64 8, i1 false)
  %r = load double, ptr %t
  ret double %r""",
        "double %x",
    )
    a = analysed(text, "a")
    assert shadowed(a, "%s") and shadowed(a, "%t") and actives(a) == {"%x", "%r"}


def test_heap_memory():
    text = body(
        """  %p = call ptr @malloc(i64 8)
  store double %x, ptr %p
  %r = load double, ptr %p
  call void @free(ptr %p)
  ret double %r""",
        "double %x",
    )
    a = analysed(text, "a")
    assert shadowed(a, "%p") and actives(a) == {"%x", "%r"} and not shadowed(analysed(text, "c"), "%p")


def test_globals_carry_within_a_derivative():
    text = body("  store double %x, ptr @state\n  %r = load double, ptr @state\n  ret double %r", "double %x")
    assert "%r" in actives(analysed(text, "a"))
    read = body("  %r = load double, ptr @state\n  ret double %r", "double %x")
    assert "%r" not in actives(analysed(read, "a")) and "%r" in actives(analysed(read, "a", nested=True))


def test_printing_is_no_use():
    text = body(
        """  %u = call double @sin(double %x)
  %n = call i32 (ptr, ...) @printf(ptr @table, double %u)
  %r = fadd double %x, 1.0
  ret double %r""",
        "double %x",
    )
    a = analysed(text, "a")
    assert actives(a) == {"%x", "%r"} and a.activity.inactive(value(a, "%n"))


# -- Calls


CALLS = """
define double @f(ptr %x, ptr %y, ptr %z) {
entry:
  call void @g(ptr %x, ptr %y)
  call void @g(ptr %z, ptr %z)
  %r = load double, ptr %y
  ret double %r
}
define void @g(ptr %from, ptr %to) {
entry:
  %v = load double, ptr %from
  %w = fmul double %v, %v
  store double %w, ptr %to
  ret void
}
"""


def test_calls_carry_from_what_they_read_to_what_they_write():
    a = analysed(CALLS, "ddc")
    first, second = (i for i in a.function.instructions() if i.opcode == "call")
    assert a.activity.active_call(first) and not a.activity.active_call(second)
    assert "%r" in actives(a) and not shadowed(a, "%z")


def test_recursion():
    text = """
define double @f(double %x, i64 %n) {
entry:
  %end = icmp eq i64 %n, 0
  br i1 %end, label %done, label %more
more:
  %m = sub i64 %n, 1
  %y = call double @f(double %x, i64 %m)
  %z = fmul double %y, %x
  br label %done
done:
  %r = phi double [ 1.0, %entry ], [ %z, %more ]
  ret double %r
}
"""
    a = analysed(text, "ac")
    assert actives(a) == {"%x", "%y", "%z", "%r"} and a.activity.active_call(value(a, "%y"))


def test_integers_passed_to_calls_are_not_active():
    a = analysed(CALLS, "ccc")
    assert actives(a) == set() and not any(a.activity.active_call(i) for i in calls_of(a))


def calls_of(a: Analyses) -> list[Instruction]:
    return [i for i in a.function.instructions() if i.opcode == "call"]


# -- Real code

SOURCE = """
#include <string.h>
#include <stdlib.h>
typedef struct { double value; int count; double *data; } Record;
double sum(const Record *r) { double s = r->value; for (int i = 0; i < r->count; i++) s += r->data[i]; return s; }
double scaled(const double *x, const double *weights, int n, double *log) {
    double s = 0;
    for (int i = 0; i < n; i++) { s += weights[i] * x[i]; log[i] = weights[i] * 2; }
    return s;
}
double bits(double x, unsigned long *where) {
    unsigned long u; memcpy(&u, &x, 8); *where = u; memcpy(&u, where, 8);
    double y; memcpy(&y, &u, 8); return y * y;
}
"""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Analyses]:
    path = tmp_path_factory.mktemp("activity") / "records.c"
    path.write_text(SOURCE)
    text = llvm.canonical_text(llvm.normalise(frontends.to_llvm([path])))
    return lambda marks, name: analysed(text, marks, name=name)


def active_loads(a: Analyses) -> list[str]:
    return [i.type.text for i in a.function.instructions() if i.opcode == "load" and a.activity.active(i)]


def test_fields_of_structs(real: Callable[..., Analyses]):
    a = real("d", "sum")
    assert set(active_loads(a)) == {"double"} and len(active_loads(a)) == 2


def test_floats_in_the_guise_of_integers(real: Callable[..., Analyses]):
    a = real("ad", "bits")
    returned = a.function.blocks[-1].terminator.operands[0]
    assert a.activity.active(returned)


def test_weights_are_constant(real: Callable[..., Analyses]):
    a = real("dccd", "scaled")
    assert len(active_loads(a)) == 1
    stored = [i.value for i in a.function.instructions() if i.opcode == "store"]
    assert stored and not any(a.activity.active(v) for v in stored)


def test_activity_is_what_the_derivative_has(real: Callable[..., Analyses], tmp_path):
    """A constant argument takes no part: the derivative neither reads nor writes a shadow of it."""
    path = tmp_path / "records.c"
    path.write_text(SOURCE)
    program = Program(llvm.canonical_text(llvm.normalise(frontends.to_llvm([path]))))
    name = program.derivative(Request("scaled", Mode.reverse, (DUP, CONST, CONST, CONST), (ACTIVE,)))
    made = program.text().partition(f"@{name}(")[2].partition("\n}")[0]
    assert "weights.shadow" not in made and "log.shadow" not in made and "x.shadow" in made


def test_an_activity_is_a_question_of_marks():
    program = Program(CALLS)
    function = program.functions["f"]
    found: list[Activity] = [program.analyse(function, m, ACTIVE).activity for m in ([DUP, DUP, DUP], [CONST] * 3)]
    ((r,),) = ([i for i in function.instructions() if i.ref == "%r"],)
    assert found[0].active(r) and not found[1].active(r)


CLOSURE = """
@a = internal constant i8 0
@table = internal constant { ptr, ptr } { ptr @a, ptr @a }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define double @f(ptr %x, double %v, i1 %c, i64 %n) {
entry:
  %closure = alloca { ptr, double }, align 8
  %kept = alloca double, align 8
  %slot = alloca ptr, align 8
  %square = fmul double %v, %v
  store double %square, ptr %kept, align 8
  store ptr %x, ptr %closure, align 8
  %at = getelementptr i8, ptr %closure, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %at, ptr align 8 %kept, i64 8, i1 false)
  %which = select i1 %c, ptr @table, ptr %closure
  store volatile ptr %which, ptr %slot, align 8
  %word = load i64, ptr %at, align 8
  store i64 %word, ptr %x, align 8
  %element = getelementptr double, ptr %x, i64 %n
  %r = load double, ptr %element, align 8
  %s = fmul double %r, %v
  ret double %s
}
"""


def test_a_float_that_is_moved_as_a_word_and_taken_for_a_pointer() -> None:
    """What a closure keeps is a pointer in a table that the types can't tell from it: the tangent goes along."""
    m = gradir.load(CLOSURE, optimise_first=False)
    value, (slope, dx) = m.jvp("f", wrt=(0, 1))(np.array([0.3, 0.4]), 1.3, False, 0, np.ones(2), 1.0)
    assert value == pytest.approx(1.3**3, rel=1e-15)
    assert slope == pytest.approx(3 * 1.3**2, rel=1e-15)
    assert dx.tolist() == pytest.approx([2.6, 1.0], rel=1e-15)
    dx, slope = m.grad("f", wrt=(0, 1))(np.array([0.3, 0.4]), 1.3, False, 0)
    assert slope == pytest.approx(3 * 1.3**2, rel=1e-15) and not dx.any()
