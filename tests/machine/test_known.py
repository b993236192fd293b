"""What is known of functions without a body, as compilers declare them."""

from __future__ import annotations

import pytest

from gradir.machine.ir.text.reader import read
from gradir.machine.rules.known import known

INACTIVE = """
printf fprintf puts fwrite __printf_chk fflush abort exit __assert_fail strlen strcmp rand clock omp_get_num_threads
__cxa_throw __cxa_begin_catch _ZSt20__throw_length_errorPKc
_ZNSt6chrono3_V212steady_clock3nowEv _ZN4core9panicking5panic17h0123456789abcdefE
_RNvNtCslNYArtu3iFV_4core9panicking5panic _RNvNtNtCs1_3std2io5stdio6__print
_RNvNtCslNYArtu3iFV_5alloc7raw_vec12handle_error _RNvCs5QPtLeU_7___rustc35___rust_no_alloc_shim_is_unstable_v2
rust_eh_personality _FortranAStopStatementText
_FortranANint8_4 PyErr_SetString llvm.dbg.value llvm.lifetime.start.p0 llvm.assume llvm.ctpop.i64 llvm.umax.i64
llvm.sadd.with.overflow.i32 llvm.is.fpclass.f64 llvm.experimental.noalias.scope.decl llvm.vector.reduce.add.v4i32
llvm.fptosi.sat.i32.f64 llvm.x86.sse2.pause
"""


@pytest.mark.parametrize("name", INACTIVE.split())
def test_inactive(name: str) -> None:
    found = known(name)
    assert found is not None and found.kind == "inactive" and found.writes_nothing


@pytest.mark.parametrize(
    ("name", "operand"),
    [("snprintf", 0), ("sscanf", 2), ("sscanf", 5), ("__isoc99_sscanf", 3), ("fread", 0), ("time", 0)],
)
def test_inactive_that_writes(name: str, operand: int) -> None:
    found = known(name)
    assert found is not None and found.kind == "inactive" and found.may_write(operand) and not found.writes_nothing
    assert name != "snprintf" or not found.may_write(3)


CHANGING = """
_ZNSo9_M_insertIdEERSoT_ _ZNSolsEd _ZNSt8ios_base4InitC1Ev _ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc
_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_createERmm
_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE9_M_appendEPKcm
_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc
_FortranAioBeginInternalListOutput _FortranAioBeginExternalListOutput _FortranAioOutputReal64
"""


@pytest.mark.parametrize("name", CHANGING.split())
def test_objects_of_a_library_are_changed_with_all_that_is_reached_from_them(name: str) -> None:
    found = known(name)
    assert found is not None and found.kind == "inactive" and found.may_write(0) and found.reaches_on(0)


@pytest.mark.parametrize(
    "name",
    [
        "_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base",
        "_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_",
        "_ZNSt8__detail15_List_node_base7_M_hookEPS0_",
    ],
)
def test_what_only_rearranges_pointers(name: str) -> None:
    found = known(name)
    assert found is not None and found.kind == "mirrored"


ALLOCATORS = [
    ("malloc", "allocate", (0,), "free"),
    ("calloc", "zero_allocate", (0, 1), "free"),
    ("realloc", "reallocate", (1,), "free"),
    ("aligned_alloc", "allocate", (1,), "free"),
    ("_Znwm", "allocate", (0,), "_ZdlPv"),
    ("_Znam", "allocate", (0,), "_ZdaPv"),
    ("_ZnwmRKSt9nothrow_t", "allocate", (0,), "_ZdlPv"),
    ("_ZnwmSt11align_val_t", "allocate", (0,), "_ZdlPvSt11align_val_t"),
    ("__rust_alloc", "allocate", (0,), "__rust_dealloc"),
    ("__rust_alloc_zeroed", "zero_allocate", (0,), "__rust_dealloc"),
    ("_RNvCs1_7___rustc19___rust_alloc_zeroed", "zero_allocate", (0,), "_RNvCs1_7___rustc14___rust_dealloc"),
    ("_RNvCs1_7___rustc14___rust_realloc", "reallocate", (3,), "_RNvCs1_7___rustc14___rust_dealloc"),
    ("NRT_MemInfo_alloc_safe_aligned", "allocate", (0,), "NRT_MemInfo_call_dtor"),
]


@pytest.mark.parametrize(("name", "kind", "size", "free"), ALLOCATORS)
def test_allocators(name: str, kind: str, size: tuple, free: str) -> None:
    found = known(name)
    assert found is not None and (found.kind, found.size, found.free) == (kind, size, free)
    release = known(free)
    assert release is not None and release.kind == "free" and release.pointer == 0


def test_rust_frees_with_size_and_alignment() -> None:
    found = known("__rust_alloc")
    assert found is not None and found.free_operands == (0, 1)


@pytest.mark.parametrize("name", ["memcpy", "llvm.memcpy.p0.p0.i64", "memmove", "llvm.memmove.p0.p0.i64"])
def test_copies(name: str) -> None:
    found = known(name)
    assert found is not None and (found.kind, found.pointer, found.source, found.size) == ("copy", 0, 1, (2,))


def test_sets() -> None:
    memset, bzero = known("llvm.memset.p0.i64"), known("bzero")
    assert memset is not None and (memset.kind, memset.value) == ("set", 1)
    assert bzero is not None and (bzero.kind, bzero.value, bzero.size) == ("set", None, (1,))


def test_declarations_tell_more_than_names() -> None:
    module = read("""
declare double @exp(double)
declare double @mystery(double)
declare i32 @hash(i32) #0
declare ptr @arena_alloc(i64, i64) #1
declare void @arena_free(ptr allocptr) #2
attributes #0 = { memory(none) }
attributes #1 = { allockind("alloc,zeroed") allocsize(1) }
attributes #2 = { allockind("free") }
""")
    kinds = {name: (k.kind if (k := known(name, f)) else None) for name, f in module.functions.items()}
    assert kinds == {
        "exp": "pure",
        "mystery": None,
        "hash": "inactive",
        "arena_alloc": "zero_allocate",
        "arena_free": "free",
    }


@pytest.mark.parametrize("name", ["solve", "qsort", "longjmp", "llvm.sqrt.f64"])
def test_what_is_not_known_by_name_alone(name: str) -> None:
    assert known(name) is None
