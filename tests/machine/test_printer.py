"""What is read is printed so that LLVM reads the same module again; what is changed is changed there too."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from corpus import FOLDER
from test_reader import EVERYTHING, everything, read_all

from gradir.errors import InputError
from gradir.frontends import to_llvm
from gradir.machine import llvm
from gradir.machine.ir import DOUBLE, I32, I64, PTR, Module
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.instructions import add_offset, alloca, branch, constant, jump, load, store, switch
from gradir.machine.ir.text.reader import extend, read

SOURCES = sorted(p.name for p in FOLDER.iterdir() if p.suffix in (".c", ".cpp", ".f90", ".rs"))


def compiled(path: Path, level: str) -> str:
    """By a compiler of its own, with debug information; C without clang by the front end."""
    clang, flang = shutil.which("clang-19") or shutil.which("clang"), shutil.which("flang-new-19")
    commands = {
        ".c": [clang, "-g", "-w"],
        ".cpp": [clang, "-g", "-w", "-xc++", "-std=c++17"],
        ".f90": [flang, "-g"],
        ".rs": ["rustc", "-g", "--crate-type=lib", "--emit=llvm-bc", f"-Copt-level={level}"],
    }
    command = [part for part in commands[path.suffix] if part is not None]
    if shutil.which(command[0]) is None:
        if level != "2" or path.suffix not in (".c", ".cpp"):
            pytest.skip("no such compiler")
        return str(to_llvm(path))
    if path.suffix != ".rs":
        command += [f"-O{level}", "-c", "-emit-llvm"]
    made = subprocess.run([*command, str(path), "-o", "/dev/stdout"], capture_output=True, check=False)
    if made.returncode:
        pytest.skip(f"the compiler refuses it: {made.stderr[:200]!r}")
    try:
        return str(llvm.parse(made.stdout))
    except InputError as error:  # an initialiser whose arithmetic this LLVM has no constants for any more
        if "unsupported constant expression" not in str(error):
            raise
        pytest.skip(str(error))


def assert_same_module(text: str) -> None:
    text = str(llvm.parse(text))
    assert str(llvm.parse(str(read_all(text)))) == text
    assert str(llvm.parse(str(read(text)))) == text


@pytest.mark.parametrize("level", ["0", "2"])
@pytest.mark.parametrize("source", SOURCES)
def test_programs_are_printed_as_they_were_read(source: str, level: str):
    assert_same_module(compiled(FOLDER / source, level))


def test_every_instruction_is_printed_as_it_was_read():
    assert_same_module(everything())
    assert "musttail" in EVERYTHING


def test_what_surrounds_functions():
    assert_same_module("""
source_filename = "a \\22b\\22.c"
target triple = "x86_64-unknown-linux-gnu"
module asm "nop"
%self = type { ptr, %other }
%other = type opaque
$group = comdat any
$"another group" = comdat nodeduplicate
@a = linkonce_odr hidden thread_local(initialexec) local_unnamed_addr global [2 x i32] [i32 1, i32 2], comdat($group)
@b = external dso_local unnamed_addr addrspace(1) constant i8, section "x, y", align 2, !note !0
@c = weak alias i32, getelementptr inbounds (i32, ptr @a, i64 1)
@d = internal ifunc i32 (i32), ptr @resolver
@e = extern_weak global ptr
define internal ptr @resolver() { ret ptr @f }
define linkonce_odr hidden fastcc noundef range(i32 0, 8) i32 @f(i32 noundef signext %0) unnamed_addr nounwind "a"="b" \
alignstack(16) memory(none) section "t" comdat($group) align 32 gc "none" prefix i32 7 personality ptr @p !note !0 {
  ret i32 0
}
declare !note !0 void @g(ptr sret(%self), ptr byval({ i32, [2 x double] }) align 8, ...) uwtable
declare ptr @h(i64) allockind("alloc,zeroed") allocsize(0)
declare i32 @p(...)
!named = !{!0, !1}
!0 = !{!"text, with {brackets}", i32 1}
!1 = distinct !{!1}
""")


# -- Laziness


def test_what_nobody_asks_for_is_not_read():
    module = read("define void @f() {\nentry:\n  frobnicate\n}\n\ndefine void @g() {\nentry:\n  ret void\n}\n")
    assert [f.name for f in module.functions.values()] == ["f", "g"]
    assert len(module.functions["g"].blocks) == 1
    assert "frobnicate" in str(module) and not module.functions["f"].has_body_read


# -- Attributes


def test_attributes_are_a_set():
    said = Attributes('noundef captures(none) align 16 dereferenceable(8) "no-builtins" "cpu"="a b"')
    said.add("memory(read, argmem: none)")
    assert said.has("captures") and said.has("captures(none)") and not said.has("captures(address)")
    assert said.value("align") == "16" and said.value("cpu") == "a b" and said.value("no-builtins") == ""
    assert said.value("memory") == "read, argmem: none" and said.value("byval") is None
    said.add("align 8")
    assert said.remove("cpu", "noundef") and not said.remove("cpu")
    assert str(said) == 'captures(none) align 8 dereferenceable(8) "no-builtins" memory(read, argmem: none)'


def test_groups_are_resolved_and_functions_change_alone():
    bodies = "".join(f"define void @{name}() #0 {{\nentry:\n  ret void\n}}\n" for name in "fg")
    module = read(bodies + 'attributes #0 = { nounwind "x"="y" }\n')
    f = module.functions["f"]
    assert f.has("nounwind") and f.attributes.value("x") == "y"
    f.attributes.remove("nounwind")
    f.attributes.add("noinline")
    again = read(verified(module))
    assert again.functions["g"].has("nounwind") and not again.functions["f"].has("nounwind")
    assert again.functions["f"].has("noinline") and again.functions["f"].attributes.value("x") == "y"


def test_functions_that_say_something():
    text = 'declare void @f() #0\ndeclare void @g(ptr "mark")\ndeclare void @h() #10\n'
    text += 'attributes #0 = { "mark" }\nattributes #10 = { nounwind }\n'
    assert [f.name for f in read(text).functions_saying("mark")] == ["f", "g"]


# -- Changes


def verified(module: Module) -> str:
    made = llvm.parse(str(module))
    llvm.verify(made)
    return str(made)


SUM = """
define double @sum(ptr %p, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %t, %loop ]
  %at = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %at, align 8
  %t = fadd double %s, %x
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end

end:
  ret double %t
}
"""


def sum_module() -> Module:
    return read(str(llvm.parse(SUM)))


def test_instructions_are_inserted_replaced_and_erased():
    module = sum_module()
    f = module.functions["sum"]
    x = next(i for i in f.instructions() if i.ref == "%x")
    users = f.users
    place = alloca(DOUBLE, 8, "x")  # the name is taken
    f.entry.insert(0, place)
    kept, again = store(x, place, 8), load(DOUBLE, place, 8)
    x.insert_after(kept, again)
    for user in list(users[x]):
        if user is not kept:
            user.replace_operand(x, again)
    assert place.ref == "%x.1" and users[x] == [kept] and users[place] == [kept, again]
    assert [i.position for i in x.block.instructions] == list(range(len(x.block.instructions)))
    text = verified(module)
    assert "store double %x, ptr %x.1, align 8" in text and f"fadd double %s, {again.ref}" in text
    again.erase(x)
    kept.erase()
    place.erase()
    assert verified(module) == str(llvm.parse(SUM)) and [i.ref for i in users[x]] == ["%t"]


def test_blocks_are_added_and_edges_led_elsewhere():
    module = sum_module()
    f = module.functions["sum"]
    _, loop, end = f.blocks
    between = f.add_block("between", before=end)
    between.append(jump(end))
    loop.terminator.replace_operand(end, between)
    assert [b.name for b in f.blocks] == ["entry", "loop", "between", "end"] and end.index == 3
    assert end.predecessors == [between] and between.predecessors == [loop]
    verified(module)


def test_terminators():
    module = read("define void @f(i1 %c, i32 %n) {\nentry:\n  unreachable\n}\n")
    f = module.functions["f"]
    one, two = f.add_block("one"), f.add_block("two")
    f.entry.terminator.erase()
    f.entry.append(branch(f.arguments[0], one, two))
    one.append(switch(f.arguments[1], two, [(3, one), (-1, f.add_block("end"))]))
    two.append(switch(f.arguments[1], f.blocks[-1], []))
    f.blocks[-1].append(jump(one))
    text = verified(module)
    assert "i32 -1, label %end" in text
    assert [b.name for b in f.blocks[0].successors] == ["one", "two"]


def test_debug_records_follow_what_takes_the_place_of_a_value():
    module = read(str(llvm.parse(DEBUGGED)))
    f = module.functions["f"]
    y, z = f.entry.instructions[:2]
    z.erase(y)
    assert "#dbg_value(double %y" in verified(module)
    y.erase(f.arguments[0])
    assert "#dbg_value(double %x" in verified(module)


DEBUGGED = """
define double @f(double %x) !dbg !4 {
entry:
  %y = fadd double %x, %x
  %z = fmul double %y, %y
    #dbg_value(double %z, !7, !DIExpression(), !8)
  ret double %z
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocalVariable(name: "z", scope: !4, file: !1, line: 4, type: !9)
!8 = !DILocation(line: 4, scope: !4)
!9 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
"""


def test_more_is_read_into_a_module():
    module = sum_module()
    extend(module, "declare double @h(double)\n")
    extend(module, "define internal double @h(double %x) {\nentry:\n  %p = alloca double\n  ret double %x\n}\n")
    h = module.functions["h"]
    at = add_offset(h.entry.instructions[0], 0, "at")
    h.entry.insert(1, at, store(h.arguments[0], at, 8))
    text = verified(module)
    assert "define internal double @h" in text and "declare double @h" not in text
    module.remove("h")
    assert "@h" not in verified(module)


def test_constants_have_types():
    assert constant(I32, -1).type is I32 and alloca(I64, 8).type is PTR
