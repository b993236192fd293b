"""Text for older LLVMs: nothing new is left in it, and it still means the same to ours."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from gradir.machine import llvm
from gradir.machine.passes.portable import portable

NEW = """
define void @f(ptr captures(none) dead_on_unwind writable %x, ptr initializes((0, 8)) %y, i64 range(i64 0, 9) %n) {
entry:
  %m = zext nneg i32 3 to i64
  %c = icmp samesign ult i64 %m, %n
  %o = or disjoint i64 %m, %n
  %t = trunc nuw nsw i64 %o to i32
  %p = getelementptr inbounds nuw double, ptr %x, i64 %n
  %q = getelementptr nuw double, ptr %x, i64 %m
  %v = load <4 x double>, ptr %p, align 8
  %w = fmul <4 x double> %v, splat (double 2.0)
  %k = insertelement <4 x i1> zeroinitializer, i1 %c, i64 0
  %l = call <4 x double> @llvm.masked.load.v4f64.p0(ptr align 8 %q, <4 x i1> %k, <4 x double> %w)
  call void @llvm.masked.store.v4f64.p0(<4 x double> %l, ptr align 8 %y, <4 x i1> %k)
  ret void
}
"""
WORDS = ["captures(", "initializes(", "range(", "nneg", "samesign", "disjoint", "nuw", "splat", "dead_on_unwind"]


def test_new_words_are_gone_and_old_ones_stay() -> None:
    text = str(llvm.parse(NEW))
    old = portable(text)
    assert [word for word in WORDS if word not in text] == []
    assert [word for word in WORDS if word in old] == []
    assert "nocapture" in old
    assert "getelementptr inbounds double" in old
    assert "<double 2.000000e+00, double 2.000000e+00, double 2.000000e+00, double 2.000000e+00>" in old
    assert "@llvm.masked.load.v4f64.p0(ptr %q, i32 8, <4 x i1> %k, <4 x double> %w)" in old
    assert "masked.load.v4f64.p0(ptr align 8 %q," in str(llvm.parse(old)), "our LLVM reads the old spelling"


@pytest.mark.parametrize("version", range(17, 22))
def test_older_clangs_read_it(version: int, tmp_path: Path) -> None:
    clang = shutil.which(f"clang-{version}")
    if clang is None:
        pytest.skip(f"clang-{version} is not installed")
    source = tmp_path / "portable.ll"
    source.write_text(portable(str(llvm.parse(NEW))))
    run = subprocess.run(
        [clang, "-c", "-w", str(source), "-o", str(tmp_path / "out.o")], capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


def test_intrinsics_of_libm_are_functions_again() -> None:
    old = portable(
        "define double @f(double %x) {\n"
        "  %a = tail call double @llvm.atan2.f64(double %x, double 2.0)\n"
        "  %b = call double @atan2(double %a, double %x)\n"
        "  ret double %b\n}\n"
        "declare double @llvm.atan2.f64(double, double) #1\n"
        "declare double @atan2(double, double)\n"
        "declare float @llvm.tan.f32(float) #1"
    )
    assert "llvm." not in old
    assert old.count("declare double @atan2(") == 1
    assert "declare float @tanf(float)\n" in old + "\n"


def test_addresses_in_constants_say_less() -> None:
    text = str(
        llvm.parse("""
@table = constant { [3 x ptr] } { [3 x ptr] [ptr null, ptr @f, ptr @f] }
@start = global ptr getelementptr inbounds nuw inrange(-16, 8) (i8, ptr @table, i64 16)
define void @f(ptr %p) {
entry:
  store ptr getelementptr inbounds nuw inrange(-8, 8) (i8, ptr @table, i64 8), ptr %p
  ret void
}
""")
    )
    assert "inrange(" in text and "nuw" in text
    old = portable(text)
    assert "inrange" not in old and "nuw" not in old
    assert old.count("getelementptr inbounds (i8, ptr @table, i64") == 2
    llvm.parse(old)


def test_what_calls_say_in_new_words() -> None:
    text = """
declare void @g(ptr, i64)
define void @f(ptr %p, i64 %n) {
entry:
  call void @g(ptr nonnull captures(none) dead_on_return %p, i64 range(i64 0, 9) %n) #0, !dbg !3
  call void @g(ptr captures(address) %p, i64 noundef %n) memory(read, errnomem: write)
  ret void
}
attributes #0 = { nounwind memory(argmem: read, target_mem0: none) }
!3 = !DILocation(line: 1, scope: !4, atomGroup: 2, atomRank: 1)
"""
    old = portable(text)
    assert "@g(ptr nonnull nocapture %p, i64 %n)" in old
    assert "@g(ptr %p, i64 noundef %n)" in old
    assert "!DILocation(line: 1, scope: !4)" in old
    assert "memory(" not in old and "#0" in old
