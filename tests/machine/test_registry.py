"""What a module says of its own functions, in all the ways it can be said."""

from __future__ import annotations

import pytest

from gradir.errors import RequestError
from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.rules.registry import Allocation, CustomGradient, Registry


def registry(text: str) -> Registry:
    return Registry.of(read(llvm.canonical_text(llvm.parse(text))))


FUNCTIONS = """
declare double @f(double)
declare { ptr, double } @f_augmented(double)
declare double @f_reverse(double, double, ptr)
declare double @f_forward(double, double)
declare ptr @allocate(i32, i64)
declare void @release(ptr)
"""


def test_rules_in_arrays_and_structs() -> None:
    found = registry(
        FUNCTIONS
        + """
        @__enzyme_register_gradient_f = global [3 x ptr] [ptr @f, ptr @f_augmented, ptr @f_reverse]
        @_ZN2ns30__enzyme_register_derivative_fE = internal constant { ptr, ptr } { ptr @f, ptr @f_forward }
        @__enzyme_register_splitderivative_f = global [3 x ptr] [ptr @f, ptr @f_augmented, ptr @f_forward]
        """
    )
    assert found.gradients == {"f": CustomGradient("f_augmented", "f_reverse")}
    assert found.derivatives == {"f": "f_forward"}
    assert found.split_derivatives == {"f": ("f_augmented", "f_forward")}
    assert found.rules() == {"f"}


def test_facts() -> None:
    found = registry(
        FUNCTIONS
        + """
        @name = private constant [6 x i8] c"log1p\\00"
        @numbers = private constant [5 x i8] c"-1,0\\00"
        @counter = global i32 0
        @state = global double 0.0
        @shadow = global double 0.0
        @__enzyme_inactivefn = global ptr @f
        @__enzyme_inactivefn_2 = global [2 x ptr] [ptr @f_forward, ptr null]
        @__enzyme_inactive_global_counter = global [1 x ptr] [ptr @counter]
        @__enzyme_shadow_global_state = global [2 x ptr] [ptr @state, ptr @shadow]
        @__enzyme_function_like_f = global [2 x ptr] [ptr @f, ptr @name]
        @__enzyme_allocation_like_a =
          global [4 x ptr] [ptr @allocate, ptr inttoptr (i64 1 to ptr), ptr @numbers, ptr @release]
        @__enzyme_nofree_f = global [1 x ptr] [ptr @f]
        """
    )
    assert found.inactive == {"f", "f_forward"}
    assert found.inactive_globals == {"counter"}
    assert found.shadow_globals == {"state": "shadow"}
    assert found.function_like == {"f": "log1p"}
    assert found.allocation_like == {"allocate": Allocation(1, "release", (-1, 0))}
    assert found.nofree == {"f"}


def test_attributes_and_metadata() -> None:
    found = registry(
        """
        @state = global double 0.0, !enzyme_shadow !2
        @shadow = global double 0.0
        declare !enzyme_augment !0 !enzyme_gradient !1 double @f(double)
        declare { ptr, double } @f_augmented(double)
        declare double @f_reverse(double, double, ptr)
        declare double @g(double) "enzyme_inactive"
        declare double @h(double) "enzyme_math"="sin"
        !0 = !{ptr @f_augmented}
        !1 = !{ptr @f_reverse}
        !2 = !{ptr @shadow}
        """
    )
    assert found.gradients == {"f": CustomGradient("f_augmented", "f_reverse")}
    assert found.inactive == {"g"}
    assert found.function_like == {"h": "sin"}
    assert found.shadow_globals == {"state": "shadow"}


@pytest.mark.parametrize(
    "line",
    [
        "@__enzyme_register_gradient_f = global [3 x ptr] zeroinitializer",
        "@__enzyme_register_gradient_f = global [2 x ptr] [ptr @f, ptr @f_augmented]",
        "@__enzyme_function_like_f = global [2 x ptr] [ptr @f, ptr @f_augmented]",
    ],
)
def test_what_is_no_registration_is_refused(line: str) -> None:
    with pytest.raises(RequestError, match="of @__enzyme_"):
        registry(FUNCTIONS + line)
