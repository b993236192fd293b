"""Compiling and calling: every kind of argument and result, threads, the cache on disk, and what is missing."""

import ctypes
import gc
import threading

import numpy as np
import pytest

from gradir.errors import BackendError, InputError
from gradir.machine import jit
from gradir.machine.ir.text.typetext import read_type

MIXED = """
define { double, [2 x float], i8 } @mixed(double %x, i32 %n, ptr %p, i8 signext %c, [2 x float] %a, half %h) {
  %k = sitofp i32 %n to double
  %s = fadd double %x, %k
  store double %s, ptr %p
  %r = insertvalue { double, [2 x float], i8 } poison, double %s, 0
  %t = insertvalue { double, [2 x float], i8 } %r, [2 x float] %a, 1
  %u = insertvalue { double, [2 x float], i8 } %t, i8 %c, 2
  ret { double, [2 x float], i8 } %u
}
define void @nothing() {
  ret void
}
"""
ENTRIES = [
    jit.Entry("mixed", ("double", "i32", "ptr", "i8 signext", "[2 x float]", "half"), "{ double, [2 x float], i8 }"),
    jit.Entry("nothing", ()),
]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("GRADIR_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_arguments_and_results_of_every_kind():
    library = jit.compile_library(MIXED, ENTRIES)
    place = np.zeros(1)
    result = library["mixed"](1.5, -3, place.ctypes.data, -1, (2.5, 3.5), 0.5)
    assert result == (-1.5, (2.5, 3.5), 255) and place[0] == -1.5
    assert library["nothing"]() is None


def test_wrong_counts_are_errors():
    with pytest.raises(TypeError, match="takes 6 values, not 1"):
        jit.compile_library(MIXED, ENTRIES)["mixed"](1.0)


def test_code_lives_as_long_as_its_calls():
    call = jit.compile_library(MIXED, ENTRIES)["nothing"]
    gc.collect()
    assert call() is None


def test_many_libraries_come_and_go():
    for k in range(20):
        text = f"define i64 @f() {{\n  ret i64 {k}\n}}\n"
        assert jit.compile_library(text, [jit.Entry("f", (), "i64")])["f"]() == k


def test_threads_share_a_call():
    text = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"
    call = jit.compile_library(text, [jit.Entry("f", ("double",), "double")])["f"]
    wrong = []

    def work(k: int) -> None:
        wrong.extend(i for i in range(2000) if call(float(i + k)) != float(i + k) ** 2)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_threads_compile_at_once():
    found = {}

    def work(k: int) -> None:
        text = f"define i64 @f() {{\n  ret i64 {k}\n}}\n"
        found[k] = jit.compile_library(text, [jit.Entry("f", (), "i64")])["f"]()

    threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: k for k in range(6)}


def test_what_nobody_defines_is_named():
    text = "declare void @no_such_function()\ndefine void @f() {\n  call void @no_such_function()\n  ret void\n}\n"
    with pytest.raises(BackendError, match="nobody defines no_such_function"):
        jit.compile_library(text, [jit.Entry("f", ())])
    with pytest.raises(BackendError, match="can't load the library"):
        jit.compile_library(text, [jit.Entry("f", ())], libraries=["no_such_library.so"])


def test_what_the_code_generator_calls_is_found():
    text = """
declare double @llvm.powi.f64.i32(double, i32)
declare double @llvm.sin.f64(double)
define double @f(double %x, i32 %n) {
  %p = call double @llvm.powi.f64.i32(double %x, i32 %n)
  %s = call double @llvm.sin.f64(double %p)
  ret double %s
}
"""
    call = jit.compile_library(text, [jit.Entry("f", ("double", "i32"), "double")])["f"]
    assert call(2.0, 3) == pytest.approx(np.sin(8.0))


def test_invalid_code_is_an_error():
    with pytest.raises(InputError):
        jit.compile_library("define double @f() {\n  ret i32 0\n}\n", [jit.Entry("f", (), "double")])


def test_objects_are_kept_and_damaged_ones_ignored(cache):
    phases: dict[str, float] = {}
    jit.compile_library(MIXED, ENTRIES, phases=phases)
    assert "optimise" in phases
    (entry,) = cache.glob("*.o")
    phases.clear()
    jit.compile_library(MIXED, ENTRIES, phases=phases)
    assert "optimise" not in phases
    content = entry.read_bytes()
    for damaged in (b"", content[: len(content) // 2], content[:-1] + bytes([content[-1] ^ 1]), b"\n\n\n\n"):
        entry.write_bytes(damaged)
        phases.clear()
        assert jit.compile_library(MIXED, ENTRIES, phases=phases)["nothing"]() is None
        assert "optimise" in phases
    assert entry.read_bytes() == content and len(list(cache.iterdir())) == 1


def test_without_a_cache(cache, monkeypatch):
    monkeypatch.setenv("GRADIR_CACHE", "off")
    jit.compile_library(MIXED, ENTRIES)
    assert not cache.exists()
    monkeypatch.setenv("GRADIR_CACHE", "/proc/nowhere")  # can't be written
    assert jit.compile_library(MIXED, ENTRIES)["nothing"]() is None


def test_layouts_are_those_of_c():
    class Mixed(ctypes.Structure):
        _fields_ = (("a", ctypes.c_int8), ("b", ctypes.c_double), ("c", ctypes.c_int16 * 3), ("d", ctypes.c_float))

    found = read_type("{ i8, double, [3 x i16], float }")
    assert found.size == ctypes.sizeof(Mixed)
    assert found.offsets[1] == Mixed.b.offset and found.offsets[-1] == Mixed.d.offset
    with pytest.raises(InputError):
        read_type("%struct.x")


@pytest.mark.parametrize("type", ["%struct.x", "<8 x i1>", "{ i8, <4 x i1> }", "i256", "metadata"])
def test_types_that_cant_be_passed(type):
    with pytest.raises(InputError, match="type that"):
        jit.compile_library("", [jit.Entry("f", (type,))])


def test_packed_structs_are_passed():
    text = """
define <{ i8, double, <2 x i16> }> @f(<{ i8, double, <2 x i16> }> %x) {
  %a = extractvalue <{ i8, double, <2 x i16> }> %x, 1
  %b = fadd double %a, 1.0
  %y = insertvalue <{ i8, double, <2 x i16> }> %x, double %b, 1
  ret <{ i8, double, <2 x i16> }> %y
}"""
    packed = "<{ i8, double, <2 x i16> }>"
    f = jit.compile_library(text, [jit.Entry("f", (packed,), packed)])["f"]
    assert f((3, 1.5, (7, 65535))) == (3, 2.5, (7, 65535))
