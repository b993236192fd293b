"""Types of memory and integers: programs by hand, for each way in which knowledge comes and goes, and compiled ones."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from gradir import frontends
from gradir.machine import ir, llvm
from gradir.machine.analysis.bytes import resolution
from gradir.machine.analysis.bytes.contents import ACCESS, Cell, Contents, joined
from gradir.machine.analysis.bytes.types import FunctionTypes, Kind, Region, TypeAnalysis
from gradir.machine.ir.text.reader import read


class Types:
    """A module's types, asked for by the names of values."""

    def __init__(self, text: str) -> None:
        self.module = read(llvm.canonical_text(llvm.parse(text)))
        self.analysis = TypeAnalysis(self.module)

    def function(self, name: str = "f") -> FunctionTypes:
        return self.analysis.of(self.module.functions[name])

    def find(self, ref: str, name: str = "f") -> ir.Value:
        function = self.module.functions[name]
        found = [v for v in (*function.arguments, *function.instructions()) if v.ref == ref]
        assert found, f"no {ref} in {name}"
        return found[0]

    def value(self, ref: str, name: str = "f") -> Kind:
        return self.function(name).value(self.find(ref, name))

    def memory(self, ref: str, offset: int = 0, size: int = 8, name: str = "f") -> Kind:
        return self.function(name).memory(self.find(ref, name), offset, size)

    def region(self, ref: str, length: int | None, name: str = "f") -> Region:
        return self.function(name).region(self.find(ref, name), length)

    def explain(self, ref: str, name: str = "f") -> str:
        return self.function(name).explain(self.find(ref, name))


def body(text: str, arguments: str = "ptr %p, ptr %q, i64 %n", result: str = "void", rest: str = "") -> Types:
    ending = "" if "ret " in text else "\n  ret void"
    return Types(f"define {result} @f({arguments}) {{\nentry:\n{text}{ending}\n}}\n{rest}")


LOOP = """
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{}
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void"""


TBAA = """
!0 = !{!1, !1, i64 0}
!1 = !{!"double", !3, i64 0}
!2 = !{!"long", !3, i64 0}
!3 = !{!"omnipotent char", !4, i64 0}
!4 = !{!"Simple C/C++ TBAA"}
!5 = !{!2, !2, i64 0}
!6 = !{!"S", !1, i64 0, !2, i64 8, !7, i64 16}
!7 = !{!"p1 double", !8, i64 0}
!8 = !{!"any pointer", !3, i64 0}
!9 = !{!6, !2, i64 8}
"""


# -- moves -----------------------------------------------------------------------------------------------------------


def test_an_integer_that_moves_a_double_is_one():
    t = body("  %v = load i64, ptr %p\n  store i64 %v, ptr %q\n  %x = load double, ptr %q")
    assert t.value("%v") is t.memory("%p") is t.memory("%q") is Kind.float64


def test_knowledge_flows_from_source_to_destination_as_well():
    t = body("  %x = load double, ptr %p\n  %v = load i64, ptr %p\n  store i64 %v, ptr %q")
    assert t.memory("%q") is Kind.float64


def test_an_integer_that_is_computed_with_is_an_integer():
    t = body("  %v = load i64, ptr %p\n  %w = add i64 %v, 1\n  store i64 %w, ptr %q")
    assert t.value("%v") is t.value("%w") is t.memory("%p") is t.memory("%q") is Kind.integer


def test_what_is_only_moved_and_never_looked_at_is_unknown():
    t = body("  %v = load i64, ptr %p\n  store i64 %v, ptr %q")
    assert t.value("%v") is t.memory("%q") is Kind.unknown
    assert "nothing says" in t.explain("%v")


def test_zero_and_undefined_fit_everything():
    t = body("  %a = alloca i64\n  store i64 0, ptr %a\n  %z = load i64, ptr %a\n  store i64 %z, ptr %q")
    assert t.function().value(ir.Constant(ir.I64, "0")) is Kind.anything
    assert t.function().value(ir.Constant(ir.I64, "undef")) is Kind.anything
    assert t.memory("%a", 8) is Kind.anything  # beyond it: never stored, so nobody can mind
    t = body("  store i64 0, ptr %p\n  %x = load double, ptr %p")
    assert t.memory("%p") is Kind.float64


def test_bit_operations_do_not_make_an_integer_of_a_double():
    t = body("  %x = load double, ptr %p\n  %v = load i64, ptr %p\n  %s = icmp slt i64 %v, 0\n  %w = and i64 %v, 255")
    assert t.value("%v") is t.memory("%p") is Kind.float64
    assert t.value("%w") is Kind.integer


def test_bitcasts_say_what_an_integer_carries():
    t = body("  %v = load i64, ptr %p\n  %x = bitcast i64 %v to double\n  %b = bitcast double %x to i64")
    assert t.value("%v") is t.value("%b") is t.memory("%p") is Kind.float64


def test_phi_and_select_mix_integers():
    t = body(
        LOOP.format("  %a = load i64, ptr %p\n  %b = load i64, ptr %q\n  %v = select i1 true, i64 %a, i64 %b").replace(
            "done:", "done:\n  %x = bitcast i64 %v to double"
        ),
    )
    assert t.value("%a") is t.value("%b") is Kind.float64
    assert t.value("%i") is Kind.integer


# -- addresses ---------------------------------------------------------------------------------------------------------


def test_fields_of_a_struct_are_kept_apart():
    t = body(
        """  %n4 = getelementptr i8, ptr %p, i64 8
  %c = load i32, ptr %n4
  %d = add i32 %c, 1
  %x = load double, ptr %p
  %t4 = getelementptr i8, ptr %p, i64 12
  %y = load float, ptr %t4"""
    )
    assert [t.memory("%p", o, s) for o, s in ((0, 8), (8, 4), (12, 4))] == [Kind.float64, Kind.integer, Kind.float32]
    assert t.memory("%p", 8, 8) is Kind.unknown
    assert t.memory("%n4", 0, 4) is Kind.integer


def test_an_array_is_what_its_elements_are():
    t = body(LOOP.format("  %e = getelementptr double, ptr %p, i64 %i\n  %x = load double, ptr %e"))
    assert t.memory("%p", 0) is t.memory("%p", 8000) is t.memory("%e") is Kind.float64
    assert t.memory("%p", 4) is Kind.unknown
    assert t.region("%p", None) == t.region("%p", 80) == Region(8, ((0, 8, Kind.float64),))


def test_a_double_moved_as_an_integer_through_an_array():
    t = body(
        LOOP.format(
            """  %e = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %e
  %s = getelementptr i64, ptr %q, i64 %i
  store i64 %v, ptr %s"""
        ).replace("done:", "done:\n  %x = load double, ptr %q")
    )
    assert t.value("%v") is t.memory("%p", 16) is Kind.float64


def test_an_array_that_is_filled_from_its_end_as_integers():
    t = body(
        LOOP.format(
            """  %r = sub i64 %n, %i
  %e = getelementptr i64, ptr %q, i64 %r
  %s = getelementptr i8, ptr %e, i64 -120
  %v = load i64, ptr %p, !tbaa !5
  store i64 %v, ptr %s, !tbaa !5
  %d = getelementptr double, ptr %q, i64 %i
  %x = load double, ptr %d"""
        ),
        rest=TBAA,
    )
    assert t.value("%v") is t.memory("%p") is t.memory("%s") is Kind.float64


@pytest.mark.parametrize("step", [8, -8])
def test_a_pointer_that_walks(step):
    walk = LOOP.format(
        f"""  %w = phi ptr [ %p, %entry ], [ %v, %loop ]
  %x = load double, ptr %w
  %v = getelementptr i8, ptr %w, i64 {step}"""
    )
    t = body(walk)
    assert t.memory("%w") is t.memory("%p") is t.memory("%p", 5 * step) is Kind.float64


def test_an_array_of_structs():
    t = body(
        LOOP.format(
            """  %e = getelementptr { double, i32 }, ptr %p, i64 %i
  %x = load double, ptr %e
  %c = getelementptr i8, ptr %e, i64 8
  %k = load i32, ptr %c
  %l = mul i32 %k, 3"""
        )
    )
    expected = Region(16, ((0, 8, Kind.float64), (8, 4, Kind.integer), (12, 4, Kind.anything)))
    assert t.region("%p", None) == t.region("%p", 160) == t.region("%e", 32) == expected


def test_a_long_array_that_is_not_all_alike_does_not_repeat():
    element = "  %e = getelementptr double, ptr %p, i64 %i\n  %x = load double, ptr %e\n"
    link = "  %c = getelementptr i8, ptr %p, i64 4000\n  %k = load ptr, ptr %c"
    t = body(LOOP.format(element + link))
    assert t.region("%p", 4000) == Region(8, ((0, 8, Kind.float64),))
    assert t.region("%p", 8000).kinds == t.region("%p", None).kinds == {Kind.unknown}


def test_integers_that_an_array_of_floats_would_reach_are_moved_as_floats():
    """It may be another object's integer; an integer's shadow is zero, and may be moved as a float's."""
    element = "  %e = getelementptr double, ptr %p, i64 %i\n  %x = load double, ptr %e\n"
    count = "  %c = getelementptr i8, ptr %p, i64 4000\n  %k = load i64, ptr %c\n  %l = mul i64 %k, 3"
    t = body(LOOP.format(element + count))
    assert t.region("%p", 8000) == t.region("%p", None) == Region(8, ((0, 8, Kind.float64),))
    assert t.memory("%p", 4000) is Kind.integer


def test_a_member_after_an_array_is_not_of_the_array():
    t = body(
        LOOP.format(
            """  %e = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %e
  %c = getelementptr i8, ptr %p, i64 80
  %k = load i64, ptr %c
  %l = mul i64 %k, 3"""
        )
    )
    assert t.memory("%p", 72) is Kind.float64
    assert t.memory("%p", 80) is Kind.integer


def test_two_arrays_in_a_struct():
    t = body(
        LOOP.format(
            """  %e = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %e
  %b = getelementptr i8, ptr %p, i64 80
  %c = getelementptr i32, ptr %b, i64 %i
  %k = load i32, ptr %c
  %l = mul i32 %k, 3"""
        )
    )
    assert t.memory("%p", 16) is Kind.float64
    assert t.memory("%b", 4, 4) is t.memory("%p", 84, 4) is Kind.integer


def test_a_header_before_an_array():
    t = body(
        LOOP.format(
            """  %k = load i64, ptr %p
  %l = mul i64 %k, 3
  %b = getelementptr i8, ptr %p, i64 8
  %e = getelementptr double, ptr %b, i64 %i
  %x = load double, ptr %e"""
        )
    )
    assert t.memory("%p") is Kind.integer
    assert t.memory("%p", 8) is t.memory("%p", 800) is Kind.float64


def test_a_stride_that_is_not_known_until_run_time():
    t = body(
        LOOP.format("  %o = mul i64 %i, %s\n  %e = getelementptr i8, ptr %p, i64 %o\n  %x = load double, ptr %e"),
        "ptr %p, i64 %s, i64 %n",
    )
    assert t.memory("%e") is t.memory("%p", 8) is Kind.float64


def test_one_of_two_members():
    t = body(
        """  %b = getelementptr i8, ptr %p, i64 16
  %s = select i1 true, ptr %p, ptr %b
  %x = load double, ptr %s
  %m = getelementptr i8, ptr %p, i64 8
  %v = load i64, ptr %m
  %w = add i64 %v, 1"""
    )
    assert [t.memory("%p", o) for o in (0, 8, 16)] == [Kind.float64, Kind.integer, Kind.float64]


def test_whether_there_may_be_floats():
    t = body(
        """  %a = load ptr, ptr %p
  %x = load double, ptr %a
  %v = load i64, ptr %q
  %w = add i64 %v, 1
  %m = alloca ptr
  store ptr %q, ptr %m
  %s = alloca { i32, float }""",
        "ptr %p, ptr %q, ptr %r",
    )
    asked = {ref: t.function().may_hold_floats(t.find(ref)) for ref in ("%p", "%q", "%r", "%m", "%s")}
    assert asked == {"%p": True, "%q": False, "%r": True, "%m": False, "%s": True}


def test_a_stride_that_nobody_knows_makes_no_array_of_a_struct():
    t = body(
        LOOP.format(
            """  %o = mul i64 %i, %s
  %e = getelementptr i8, ptr %p, i64 %o
  %x = load double, ptr %e
  %c = getelementptr i8, ptr %p, i64 8
  %k = load i32, ptr %c
  %l = mul i32 %k, 3"""
        ),
        "ptr %p, i64 %s, i64 %n",
    )
    assert t.memory("%p", 8, 4) is Kind.integer
    assert t.memory("%p", 8) is not Kind.float64
    assert t.memory("%p", 16) is t.memory("%e") is Kind.unknown


def test_two_integers_that_are_moved_as_one_after_an_array_of_doubles():
    t = body(
        LOOP.format(
            """  %e = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %e
  %c = getelementptr i8, ptr %p, i64 16
  %k = load i32, ptr %c
  %l = mul i32 %k, 3
  %d = getelementptr i8, ptr %p, i64 20
  store i32 %l, ptr %d
  %v = load i64, ptr %c
  store i64 %v, ptr %q"""
        )
    )
    assert t.memory("%p", 8) is Kind.float64
    assert t.memory("%p", 16, 4) is t.memory("%p", 20, 4) is t.value("%v") is t.memory("%q") is Kind.integer


def test_a_difference_of_pointers_is_counted_in_what_it_is_divided_by():
    t = body(
        """  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %d = sub i64 %a, %b
  %c = ashr exact i64 %d, 4
  %e = getelementptr i8, ptr %q, i64 %d
  %x = load double, ptr %e
  %f = getelementptr i8, ptr %e, i64 8
  %k = load i32, ptr %f
  %l = mul i32 %k, 3"""
    )
    assert t.region("%q", 32).period == 16


# -- conflicts ---------------------------------------------------------------------------------------------------------


def test_a_union_with_an_integer_has_the_shadow_of_a_float_and_both_guesses_are_told():
    t = body("  %x = load double, ptr %p\n  %v = load i64, ptr %p\n  %w = mul i64 %v, 3\n  store i64 %w, ptr %p")
    assert t.memory("%p") is t.value("%v") is Kind.float64
    assert "double: it is loaded" in t.explain("%p")
    assert "integer: integer arithmetic `%w = mul i64 %v, 3`" in t.explain("%p")


def test_to_the_bits_of_a_float_numbers_are_added():
    """The next float is found so; of an integer in a union's place the derivative is zero whatever it is taken for."""
    t = body("  %x = load double, ptr %p\n  %v = load i64, ptr %p\n  %w = add i64 %v, 1\n  store i64 %w, ptr %p")
    assert t.memory("%p") is t.value("%v") is t.value("%w") is Kind.float64
    u = body("  %v = load i64, ptr %p\n  %w = add i64 %v, 1\n  %y = bitcast i64 %w to double")
    assert u.memory("%p") is Kind.float64
    n = body("  %v = load i64, ptr %p\n  %w = add i64 %v, 1\n  store i64 %w, ptr %p")
    assert n.memory("%p") is Kind.integer


def test_half_of_a_double_is_unknown():
    t = body(
        """  %x = load double, ptr %p
  %h = getelementptr i8, ptr %p, i64 4
  %v = load i32, ptr %h
  %w = and i32 %v, 2147483647
  store i32 %w, ptr %h"""
    )
    assert t.memory("%p") is Kind.float64
    assert t.memory("%h", 0, 4) is Kind.unknown


def test_a_union_of_a_pointer_and_an_integer_has_the_shadow_of_a_pointer():
    t = body("  %x = load ptr, ptr %p\n  %v = load i64, ptr %p\n  %w = add i64 %v, 1\n  store i64 %w, ptr %p")
    assert t.memory("%p") is Kind.pointer


# -- memory functions --------------------------------------------------------------------------------------------------

COPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
COPY += "declare ptr @malloc(i64)\ndeclare ptr @calloc(i64, i64)\ndeclare ptr @realloc(ptr, i64)\n"


def test_a_copy_tells_what_its_bytes_are_and_no_more():
    t = body(
        """  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false)
  %x = load double, ptr %p
  %b = getelementptr i8, ptr %q, i64 16
  %v = load double, ptr %b
  %c = getelementptr i8, ptr %p, i64 16
  %w = load ptr, ptr %c""",
        rest=COPY,
    )
    assert t.memory("%q") is Kind.float64
    assert t.memory("%q", 8) is Kind.unknown
    assert t.memory("%q", 16) is Kind.float64
    assert t.memory("%p", 16) is Kind.pointer
    assert t.region("%q", 16) == Region(0, ((0, 8, Kind.float64), (8, 8, Kind.unknown)))


def test_a_copy_of_n_structs():
    t = body(
        LOOP.format(
            """  %e = getelementptr { double, i32 }, ptr %q, i64 %i
  %x = load double, ptr %e
  %c = getelementptr i8, ptr %e, i64 8
  %k = load i32, ptr %c
  %l = mul i32 %k, 3"""
        ).replace(
            "done:",
            "done:\n  %bytes = shl i64 %n, 4\n  %m = call ptr @malloc(i64 %bytes)\n"
            "  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %q, i64 %bytes, i1 false)",
        ),
        rest=COPY,
    )
    fields = ((0, 8, Kind.float64), (8, 4, Kind.integer), (12, 4, Kind.anything))
    assert t.region("%m", None) == Region(16, fields)
    assert t.function().region(t.find("%m"), t.find("%bytes")) == Region(16, fields)
    assert t.function().region(t.find("%m"), t.find("%n")) == Region(16, fields)  # it may end within a struct


def test_zeroed_memory_fits_everything():
    t = body(
        """  %m = call ptr @calloc(i64 %n, i64 8)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 32, i1 false)
  %x = load double, ptr %p""",
        rest=COPY,
    )
    assert t.memory("%m") is Kind.anything
    assert t.memory("%p") is Kind.float64
    assert t.memory("%p", 8) is Kind.anything


def test_what_is_reallocated_stays_what_it_was():
    t = body("  %r = call ptr @realloc(ptr %p, i64 %n)\n  %x = load double, ptr %r", rest=COPY)
    assert t.memory("%p") is Kind.float64
    assert t.value("%n") is Kind.integer


# -- calls -------------------------------------------------------------------------------------------------------------


def test_a_caller_tells_its_callee_and_a_callee_its_caller():
    t = Types(
        """
define void @swap(ptr %a, ptr %b) {
  %x = load i64, ptr %a
  %y = load i64, ptr %b
  store i64 %y, ptr %a
  store i64 %x, ptr %b
  ret void
}
define double @f(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 24
  call void @swap(ptr %p, ptr %q)
  %x = load double, ptr %p
  call void @show(ptr %p)
  ret double %x
}
define void @show(ptr %s) {
  %m = getelementptr i8, ptr %s, i64 16
  %v = load float, ptr %m
  ret void
}"""
    )
    assert t.value("%x", "swap") is t.memory("%a", name="swap") is t.memory("%p", 24) is Kind.float64
    assert t.memory("%p", 16, 4) is Kind.float32


def test_results_and_recursion():
    t = Types(
        """
define i64 @get(ptr %p, i64 %n) {
entry:
  %stop = icmp eq i64 %n, 0
  br i1 %stop, label %yes, label %no
yes:
  %v = load i64, ptr %p
  ret i64 %v
no:
  %q = getelementptr i8, ptr %p, i64 8
  %m = sub i64 %n, 1
  %r = call i64 @get(ptr %q, i64 %m)
  ret i64 %r
}
define double @f(ptr %p) {
  %v = call i64 @get(ptr %p, i64 4)
  %x = bitcast i64 %v to double
  ret double %x
}"""
    )
    assert t.value("%v", "get") is t.value("%r", "get") is t.memory("%p", 40) is Kind.float64


def test_a_function_that_gives_new_memory_gives_each_caller_its_own():
    t = Types(
        """
define noalias ptr @make(i64 %n) noinline {
  %m = call ptr @malloc(i64 %n)
  %z = getelementptr i8, ptr %m, i64 16
  store i32 7, ptr %z
  %w = load i32, ptr %z
  %v = add i32 %w, 1
  ret ptr %m
}
declare noalias ptr @malloc(i64)
define void @f() {
  %a = call ptr @make(i64 80)
  %b = call ptr @make(i64 80)
  %x = load double, ptr %a
  %y = load i64, ptr %b
  %s = add i64 %y, 1
  ret void
}"""
    )
    assert (t.memory("%a"), t.memory("%b")) == (Kind.float64, Kind.integer)
    assert t.memory("%a", 16, 4) is t.memory("%b", 16, 4) is t.memory("%m", 16, 4, "make") is Kind.integer


def test_a_linked_list():
    t = body(
        LOOP.format(
            """  %node = phi ptr [ %p, %entry ], [ %after, %loop ]
  %x = load double, ptr %node
  %link = getelementptr i8, ptr %node, i64 8
  %after = load ptr, ptr %link"""
        )
    )
    assert t.memory("%p") is t.memory("%after") is Kind.float64
    assert t.memory("%p", 8) is t.memory("%after", 8) is Kind.pointer


def test_pointers_to_pointers():
    t = body("  %a = load ptr, ptr %p\n  %x = load double, ptr %a\n  %b = load ptr, ptr %p\n  store ptr %q, ptr %p")
    assert t.memory("%b") is t.memory("%q") is Kind.float64


def test_functions_in_a_table():
    t = Types(
        """
@table = internal constant [2 x ptr] [ptr @first, ptr @second]
define double @first(ptr %a) {
  %x = load double, ptr %a
  ret double %x
}
define double @second(ptr %a) {
  ret double 0.0
}
define double @f(i64 %i, ptr %p) {
  %e = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i
  %g = load ptr, ptr %e
  %r = call double %g(ptr %p)
  ret double %r
}"""
    )
    assert t.memory("%p") is t.memory("%a", name="second") is Kind.float64


def test_globals():
    t = Types(
        """
@numbers = internal global [100 x double] zeroinitializer
@record = internal global { i32, double } { i32 3, double 2.0 }
define i64 @f(ptr %p) {
  %v = load i64, ptr getelementptr inbounds (i8, ptr @numbers, i64 16)
  %w = load i64, ptr getelementptr inbounds (i8, ptr @record, i64 8)
  ret i64 %v
}"""
    )
    assert t.value("%v") is t.value("%w") is Kind.float64


def test_known_functions():
    t = body(
        "  %a = call double @modf(double 1.5, ptr %p)\n  call double @ddot_(ptr %m, ptr %q, ptr %m, ptr %q, ptr %m)",
        "ptr %p, ptr %q, ptr %m",
        rest="declare double @modf(double, ptr)\ndeclare double @ddot_(ptr, ptr, ptr, ptr, ptr)",
    )
    assert t.memory("%p") is t.memory("%q") is Kind.float64
    assert t.memory("%m", 0, 4) is Kind.integer


# -- several floats in one integer, vectors, structs -------------------------------------------------------------------


def test_two_floats_in_an_integer():
    t = body(
        """  %v = load i64, ptr %p
  %low = trunc i64 %v to i32
  %x = bitcast i32 %low to float
  %up = lshr i64 %v, 32
  %high = trunc i64 %up to i32
  store i64 %v, ptr %q"""
    )
    assert t.function().carried(t.find("%v")) == ir.vector(2, ir.Type("float", "float"))
    assert t.value("%v") is Kind.unknown
    assert t.memory("%q", 4, 4) is t.memory("%p", 0, 4) is t.memory("%q") is Kind.float32


def test_an_integer_that_moves_two_floats():
    t = body("  %x = load <2 x float>, ptr %p\n  %v = load i64, ptr %p\n  store i64 %v, ptr %q")
    assert t.memory("%q", 4, 4) is Kind.float32
    assert str(t.function().carried(t.find("%v"))) == "<2 x float>"


def test_vectors_of_integers_that_move_doubles():
    t = body("  %v = load <4 x i64>, ptr %p\n  store <4 x i64> %v, ptr %q\n  %x = load <4 x double>, ptr %q")
    assert t.value("%v") is t.memory("%p", 24) is Kind.float64


def test_structs_in_registers():
    t = body(
        """  %v = load i64, ptr %p
  %a = insertvalue { ptr, i64 } poison, i64 %v, 1
  %b = insertvalue { ptr, i64 } %a, ptr %q, 0
  %r = extractvalue { ptr, i64 } %b, 0
  %w = extractvalue { ptr, i64 } %b, 1
  %x = load double, ptr %r
  %y = bitcast i64 %w to double"""
    )
    assert t.value("%v") is t.memory("%p") is t.memory("%q") is Kind.float64


# -- what was declared -------------------------------------------------------------------------------------------------


def test_tbaa():
    t = body("  %v = load i64, ptr %p, !tbaa !0\n  %w = load i64, ptr %q, !tbaa !5", rest=TBAA)
    assert (t.value("%v"), t.value("%w")) == (Kind.float64, Kind.integer)
    assert "TBAA" in t.explain("%v")


def test_tbaa_of_a_struct_tells_its_other_members():
    t = body("  %m = getelementptr i8, ptr %p, i64 8\n  %v = load i64, ptr %m, !tbaa !9", rest=TBAA)
    assert [t.memory("%p", o) for o in (0, 8, 16)] == [Kind.float64, Kind.integer, Kind.pointer]


def test_doubles_that_are_moved_as_long():
    t = body(
        "  %v = load i64, ptr %p, !tbaa !5\n  store i64 %v, ptr %q, !tbaa !5\n  %x = load double, ptr %q", rest=TBAA
    )
    assert t.value("%v") is t.memory("%p") is Kind.float64


# -- compiled ----------------------------------------------------------------------------------------------------------


def compiled(folder: Path, name: str, source: str, keep: list[str] | None = None) -> Types:
    path = folder / name
    path.write_text(source)
    return Types(str(llvm.normalise(frontends.to_llvm([path]), keep)))


def test_c_with_debug_information(tmp_path):
    t = compiled(
        tmp_path,
        "s.c",
        """
        #include <string.h>
        struct inner { float a[3]; char flag; };
        struct outer { double x[2]; int n; struct inner *in; struct outer *next; union { double d; long l; } u; };
        void f(struct outer *to, const struct outer *from, long n) { memcpy(to, from, n * sizeof *to); }
        """,
    )
    to = t.module.functions["f"].arguments[0]
    region = t.function().region(
        to, next(i for i in t.module.functions["f"].instructions() if i.opcode in ("mul", "shl"))
    )
    assert region.period == 48
    assert [(f.offset, f.kind) for f in region.fields] == [
        (0, Kind.float64),
        (8, Kind.float64),
        (16, Kind.integer),
        (20, Kind.anything),
        (24, Kind.pointer),
        (32, Kind.pointer),
        (40, Kind.float64),
    ]


def test_c_whose_pointers_say_what_they_point_to(tmp_path):
    t = compiled(tmp_path, "g.c", "#include <string.h>\nvoid f(double *a, int *b, void *c) { memmove(a, c, 24); }")
    a, b, c = t.module.functions["f"].arguments
    assert t.function().region(a, 24) == t.function().region(c, 24) == Region(8, ((0, 8, Kind.float64),))
    assert t.function().memory(b, 0, 4) is Kind.integer


@pytest.mark.skipif(not shutil.which("rustc"), reason="no rustc")
def test_rust_slices(tmp_path):
    source = "#[no_mangle] pub fn f(x: &mut [f64], k: &[u32]) { x[0] = x[1]; x.copy_within(4..8, 1); let _ = k; }"
    t = compiled(tmp_path, "s.rs", source, ["f"])
    x, k = (a for a in t.module.functions["f"].arguments if a.type.is_pointer)
    assert t.function().memory(x, 80, 8) is Kind.float64
    assert t.function().memory(k, 0, 4) is Kind.integer


@pytest.mark.skipif(not shutil.which("flang-new-19") and not shutil.which("flang-new"), reason="no flang")
def test_fortran_arguments(tmp_path):
    source = """
subroutine f(n, a, x, y)
  integer, intent(in) :: n
  real(8), intent(in) :: a, x(n)
  real(4), intent(inout) :: y(:)
  y(2) = real(a * x(n), 4)
end subroutine
"""
    t = compiled(tmp_path, "s.f90", source, ["f_"])
    function = t.module.functions["f_"]
    types = t.analysis.of(function)
    n, a, x, y = function.arguments
    assert types.memory(n, 0, 4) is Kind.integer
    assert types.memory(a, 0, 8) is types.memory(x, 16, 8) is Kind.float64
    assert types.memory(y, 0, 8) is Kind.pointer


def test_the_work_grows_with_the_length_of_the_program(calls_of):
    line = "  %e{0} = getelementptr double, ptr %p, i64 %n\n  %v{0} = load i64, ptr %e{0}\n  store i64 %v{0}, ptr %q\n"

    def work(length: int) -> int:
        t = body("".join(line.format(i) for i in range(length)))
        assert t.module.functions["f"].blocks  # read before the work is counted
        return calls_of(lambda: t.memory("%p"))

    assert work(1000) < 6 * work(250)


def test_arrays_that_say_the_same_are_looked_at_once(monkeypatch: pytest.MonkeyPatch):
    """Copies let arrays grow, each from its own begin on: hundreds may say the same of the same bytes."""
    looked_at = []
    accept = resolution._accept
    monkeypatch.setattr(resolution, "_accept", lambda found, item: (looked_at.append(item), accept(found, item)))
    memory, double = Contents(), Cell()
    memory.claim(double, Kind.float64, ACCESS, "it is loaded")
    array = memory.object("an array")
    array.fields = {(8 * k, 8, False, 8): double for k in range(500)}
    found = resolution.resolve(array, (0, 0, False), 1024)
    assert [(i.offset, i.kind) for i in found] == [(8 * k, Kind.float64) for k in range(128)]
    assert len(looked_at) <= 3 * 128  # some begin here, others don't, and some bytes before and after matter


def test_objects_seen_from_the_middle_of_an_endless_array_are_laid_over_each_other_close_by():
    """An array that is walked downwards has no lower end. Where such pointers are found to be one, only the place
    within an element counts: else fields end up at multiples of that end, more of them with each merge."""
    memory = Contents()
    walked = [memory.pointer(f"{i}") for i in range(6)]
    for i, target in enumerate(walked):
        memory.field(target.object, (0, 0, False), 8)
        memory.field(target.object, (-8, 16, False), 8)
        target.spots = joined(joined(target.spots, (16, 16, False)), (-8 * i, 16, False))
    for one, other in pairwise(walked):
        memory.flow(one, other)
    (obj,) = memory.roots.values()
    assert {start for start, step, _, _ in obj.fields if not step} <= set(range(-64, 65, 8))


def test_lanes_that_are_gathered_lie_apart():
    """Doubles of structs, of which each has an integer behind it: not one double behind the other."""
    t = body(
        """  %f = getelementptr { double, i32 }, ptr %p, <4 x i64> <i64 0, i64 1, i64 2, i64 3>
  %i = getelementptr { double, i32 }, ptr %p, <4 x i64> <i64 0, i64 1, i64 2, i64 3>, i32 1
  %x = call <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr> %f, <4 x i1> splat (i1 true), <4 x double> poison)
  call void @llvm.masked.scatter.v4i32.v4p0(<4 x i32> splat (i32 7), <4 x ptr> %i, <4 x i1> splat (i1 true))""",
        rest="""declare <4 x double> @llvm.masked.gather.v4f64.v4p0(<4 x ptr>, <4 x i1>, <4 x double>)
declare void @llvm.masked.scatter.v4i32.v4p0(<4 x i32>, <4 x ptr>, <4 x i1>)""",
    )
    assert t.memory("%p") is t.memory("%f") is Kind.float64
    assert t.memory("%i", size=4) is Kind.integer


def test_an_array_begins_where_a_loop_does():
    """The header before it is no element, though the loop looks back by so many elements."""
    t = body(
        "  store i32 7, ptr %p\n  %four = getelementptr i8, ptr %p, i64 4\n  store float 1.0, ptr %four"
        + LOOP.replace("phi i64 [ 0,", "phi i64 [ 4,").replace("add i64", "add nuw nsw i64").format(
            "  %a = getelementptr i8, ptr %p, i64 8\n  %b = getelementptr double, ptr %a, i64 %i\n"
            "  %c = getelementptr i8, ptr %b, i64 -32\n  %x = load double, ptr %c\n  store double %x, ptr %b"
        )
    )  # fmt: skip
    assert t.memory("%p", size=4) is Kind.integer
    assert t.memory("%four", size=4) is Kind.float32
    assert t.memory("%a") is Kind.float64


DISTANCE = """  %e = getelementptr {{ i32, i32, double }}, ptr %p, i64 %n
  store double 1.0, ptr %p
  %x = load double, ptr %e
  %b = ptrtoint ptr %{} to i64
  %a = ptrtoint ptr %e to i64
  %d = sub i64 %a, %b
  %at = getelementptr i8, ptr %r, i64 %d
  store double %x, ptr %at
  %c = getelementptr i8, ptr %at, i64 8
  store ptr %q, ptr %c"""


def test_distances_are_of_whole_elements():
    """An element goes to where it was in another block: its members are known, as far as the distance is."""
    arguments = "ptr %p, ptr %q, ptr %r, ptr %s, i64 %n"
    t = body(DISTANCE.format("p"), arguments)
    assert t.memory("%at") is Kind.float64
    assert t.memory("%c") is Kind.pointer
    t = body(DISTANCE.format("s"), arguments)  # of two blocks, nothing is known of it
    assert t.memory("%at") is Kind.unknown
