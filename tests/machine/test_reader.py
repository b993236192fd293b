"""The reader against LLVM itself: every instruction as LLVM prints it, types as LLVM lays them out, and refusals."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradir.errors import InputError
from gradir.machine import ir, llvm
from gradir.machine.ir import Argument, Constant, Function, Global, Instruction, Module
from gradir.machine.ir.text.reader import read

# -- The same text


def printed(text: str) -> str:
    """As LLVM writes it."""
    return str(llvm.parse(text))


def lines_of(text: str) -> list[str]:
    """The instructions of all functions, one to a line, without metadata and labels."""
    found: list[str] = []
    body = False
    for line in text.split("\n"):
        if line.startswith("define "):
            body = True
        elif line == "}":
            body = False
        elif body and line.startswith(("          ", "    i", "  ]")):  # goes on with the line before
            found[-1] += line if found[-1].startswith("switch") else " " + line.strip()
        elif body and line.startswith("  ") and not line.strip().startswith(("#dbg", ";")):
            found.append(line.strip())
    return [re.sub(r"(, ![\w.]+ (!\d+|!\{\}))+$", "", line) for line in found]


def assert_round_trip(text: str) -> Module:
    module = read(text)
    here = [str(i) for f in module.functions.values() for i in f.instructions()]
    assert here == lines_of(text)
    return module


def read_all(text: str) -> Module:
    """With nothing left to be read later."""
    module = read(text)
    for g in module.variables:
        assert g.parts
    for function in module.functions.values():
        assert function.signature and (function.blocks or function.is_declaration or not function.body)
    return module


EVERYTHING = """
%pair = type { i32, double }
%"odd name" = type <{ i8, %pair, [3 x i16] }>
@number = global double 1.5, align 8
@"quoted \\22name" = internal constant [2 x ptr] [ptr @number, ptr null], section "here", align 16
@text = private unnamed_addr constant [3 x i8] c"a\\22\\00"
@other = external thread_local global i32
@alias = alias double, ptr @number
$any = comdat any
declare i32 @__gxx_personality_v0(...)
declare double @f(double, ...)
declare void @g(ptr noalias nocapture readonly align 8 dereferenceable(16), i32 signext) nounwind
declare i1 @llvm.is.fpclass.f64(double, i32 immarg)
declare void @llvm.assume(i1)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)

define linkonce_odr noundef double @arithmetic(double noundef %x, float %y, i32 %n, i64 %m) #0 comdat($any) {
entry:
  %a = fadd fast double %x, 1.000000e+00
  %b = fsub nnan ninf double %a, 0x3FB999999999999A
  %c = fmul reassoc contract double %b, %a
  %d = fdiv arcp afn nsz double %c, -2.000000e+00
  %e = frem double %d, 0x7FF0000000000000
  %f = fneg fast double %e
  %g = add nuw nsw i32 %n, 1
  %h = sub nsw i32 %g, -7
  %i = mul i32 %h, %h
  %j = udiv exact i32 %i, 3
  %k = sdiv i32 %j, 5
  %l = urem i32 %k, 9
  %o = srem i32 %l, 9
  %p = shl nuw i32 %o, 2
  %q = lshr exact i32 %p, 1
  %r = ashr i32 %q, 1
  %s = and i32 %r, 255
  %t = or disjoint i32 %s, 256
  %u = xor i32 %t, -1
  %v = trunc nuw nsw i32 %u to i8
  %w = zext nneg i8 %v to i64
  %z = sext i8 %v to i128
  %aa = fptrunc double %f to float
  %bb = fpext float %y to double
  %cc = fptoui double %bb to i16
  %dd = fptosi double %bb to i16
  %ee = uitofp nneg i32 %u to double
  %ff = sitofp i64 %w to half
  %gg = inttoptr i64 %m to ptr
  %hh = ptrtoint ptr %gg to i64
  %ii = bitcast double %f to i64
  %jj = addrspacecast ptr %gg to ptr addrspace(3)
  %kk = icmp samesign ult i64 %ii, %hh
  %ll = fcmp fast olt double %x, 0.000000e+00
  %mm = select i1 %kk, double %f, double 0xFFF8000000000000
  %nn = select fast i1 %ll, double %mm, double undef
  %oo = freeze double %nn
  %pp = fadd x86_fp80 0xK3FFF8000000000000000, 0xK3FFF8000000000000000
  %qq = fadd half 0xH3C00, %ff
  %rr = fadd bfloat 0xR3F80, 0xR3F80
  %ss = fadd fp128 0xL00000000000000003FFF000000000000, 0xL00000000000000003FFF000000000000
  ret double %oo
}

define void @memory(ptr %p, ptr %"a b", i64 %n, <4 x float> %v, { i32, [2 x double] } %s) #1 {
entry:
  %a = alloca i32, align 4
  %b = alloca %pair, i64 %n, align 16
  %c = alloca inalloca %"odd name", align 1
  %d = load i32, ptr %a, align 4
  %e = load volatile double, ptr %"a b", align 8
  %f = load atomic i64, ptr %p syncscope("singlethread") seq_cst, align 8
  store i32 %d, ptr %a, align 4
  store volatile double 0.000000e+00, ptr %p, align 8
  store atomic i64 %f, ptr %p release, align 8
  store <4 x float> <float 1.000000e+00, float undef, float poison, float 0.000000e+00>, ptr %p, align 1
  store [2 x { i8, ptr }] [{ i8, ptr } { i8 1, ptr @number }, { i8, ptr } zeroinitializer], ptr %p, align 8
  %g = getelementptr inbounds nuw %pair, ptr %b, i64 %n, i32 1
  %h = getelementptr i8, ptr getelementptr inbounds (i8, ptr @text, i64 1), i64 %n
  %i = getelementptr nusw double, ptr %p, <2 x i64> <i64 1, i64 2>
  store ptr inttoptr (i64 ptrtoint (ptr @number to i64) to ptr), ptr %h, align 8
  %j = atomicrmw volatile fadd ptr %g, double %e syncscope("agent") monotonic, align 8
  %k = cmpxchg weak volatile ptr %p, i64 %f, i64 1 acq_rel monotonic, align 8
  fence syncscope("singlethread") acquire
  %l = extractvalue { i32, [2 x double] } %s, 1, 0
  %m = insertvalue { i32, [2 x double] } %s, double %l, 1, 1
  %o = extractelement <4 x float> %v, i64 %n
  %q = insertelement <4 x float> splat (float 2.000000e+00), float %o, i32 3
  %r = shufflevector <4 x float> %q, <4 x float> poison, <2 x i32> <i32 3, i32 poison>
  %t = shufflevector <4 x float> %q, <4 x float> %v, <4 x i32> zeroinitializer
  %u = shufflevector <4 x float> %q, <4 x float> %v, <3 x i32> splat (i32 5)
  %w = va_arg ptr %p, double
  ret void
}

define i32 @control(i32 %n, ptr %p) personality ptr @__gxx_personality_v0 {
entry:
  switch i32 %n, label %other [
    i32 0, label %zero
    i32 -1, label %"minus one"
  ]

zero:
  br label %other

"minus one":
  br i1 undef, label %other, label %zero, !prof !0

other:
  %x = phi i32 [ 1, %entry ], [ %n, %zero ], [ add (i32 ptrtoint (ptr @number to i32), i32 1), %"minus one" ]
  %y = call double (double, ...) @f(double noundef 1.000000e+00, i32 %x)
  %z = tail call fast double %p(double %y) #1
  musttail call void @nothing()
  ret i32 0

again:
  %u = invoke fastcc noundef i32 @h(i32 signext 3)
          to label %fine unwind label %bad

fine:
  call void asm sideeffect "nop # $0, $1", "r,~{memory}"(i32 %u)
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 8), "nonnull"(ptr %p) ]
  %v = call i32 inttoptr (i64 16 to ptr)(i32 2)
  %w = notail call range(i32 0, 8) i32 @h(i32 %v)
  %q = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %w, i32 1)
  unreachable

bad:
  %s = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @number]
  resume { ptr, i32 } %s
}

define void @nothing() {
  ret void
}

define fastcc i32 @h(i32 signext %0) {
  ret i32 %0
}

attributes #0 = { nounwind "a"="b,c" memory(argmem: read) }
attributes #1 = { noinline }
!0 = !{!"branch_weights", i32 1, i32 2}
"""


def everything() -> str:
    # A musttail call must come right before a return of its result: here it stands for its spelling only.
    return printed(EVERYTHING.replace("  musttail call void @nothing()\n", ""))


def test_every_instruction_is_written_back_as_llvm_wrote_it():
    module = assert_round_trip(everything())
    opcodes = {i.opcode for f in module.functions.values() for i in f.instructions()}
    expected = """fadd fsub fmul fdiv frem fneg add sub mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext
        fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast icmp fcmp select freeze alloca
        load store getelementptr atomicrmw cmpxchg fence extractvalue insertvalue extractelement insertelement
        shufflevector va_arg br switch phi call invoke landingpad resume unreachable ret"""
    assert opcodes == set(expected.split())


def test_every_type_is_llvms():
    module = read(everything())
    arithmetic, memory = module.functions["arithmetic"], module.functions["memory"]
    types = {i.ref: i.type.text for f in (arithmetic, memory) for i in f.instructions()}
    assert types["%kk"] == "i1" and types["%jj"] == "ptr addrspace(3)" and types["%pp"] == "x86_fp80"
    memory_types = {i.ref: i.type.text for i in memory.instructions()}
    assert memory_types["%k"] == "{ i64, i1 }" and memory_types["%i"] == "<2 x ptr>"
    assert (
        memory_types["%l"] == "double" and memory_types["%r"] == "<2 x float>" and memory_types["%u"] == "<3 x float>"
    )


def instruction(module: Module, function: str, ref: str) -> Instruction:
    return next(i for i in module.functions[function].instructions() if i.ref == ref)


def test_what_opcodes_hold_besides_operands():
    module = read(everything())
    assert instruction(module, "arithmetic", "%kk").predicate == "ult"
    assert instruction(module, "arithmetic", "%kk").flags == {"samesign"}
    assert instruction(module, "memory", "%e").flags == {"volatile"} and instruction(module, "memory", "%e").align == 8
    assert instruction(module, "memory", "%f").flags == {"atomic"}
    assert instruction(module, "memory", "%b").accessed_type.text == "%pair"
    assert instruction(module, "memory", "%b").align == 16
    assert [o.ref for o in instruction(module, "memory", "%b").operands] == ["%n"]
    assert instruction(module, "memory", "%g").accessed_type.text == "%pair"
    assert instruction(module, "memory", "%m").indices == (1, 1)
    assert instruction(module, "memory", "%r").info["mask"] == (3, -1)
    assert instruction(module, "memory", "%t").info["mask"] == (0, 0, 0, 0)
    assert instruction(module, "memory", "%u").info["mask"] == (5, 5, 5)
    assert instruction(module, "memory", "%j").info["operation"] == "fadd"


def test_calls():
    module = read(everything())
    varied = instruction(module, "control", "%y")
    assert varied.callee_name == "f" and [a.ref for a in varied.arguments] == ["1.000000e+00", "%x"]
    assert varied.info["argument_attributes"] == ["noundef", ""]
    pointer = instruction(module, "control", "%z")
    assert pointer.callee_name is None and isinstance(pointer.callee, Argument)
    assert "noinline" in str(pointer.info["attributes"])
    invoked = instruction(module, "control", "%u")
    assert invoked.callee_name == "h" and [b.name for b in invoked.block.successors] == ["fine", "bad"]
    assert invoked.info["result_attributes"] == "fastcc noundef"
    assert "range" in str(instruction(module, "control", "%w").info["result_attributes"])
    assembly = module.functions["control"].blocks[-2].instructions[0]
    assert assembly.callee.ref.startswith("asm sideeffect") and [a.ref for a in assembly.arguments] == ["%u"]


def test_control():
    module = read(everything())
    function = module.functions["control"]
    switch = function.entry.terminator
    assert [b.name for b in function.entry.successors] == ["other", "zero", '"minus one"']
    assert [o.integer for o in switch.operands if isinstance(o, Constant)] == [0, -1]
    phi = instruction(module, "control", "%x")
    assert [b.name for _, b in phi.incoming] == ["entry", "zero", '"minus one"']
    (constant,) = (v for v, _ in phi.incoming if isinstance(v, Constant) and v.globals)
    assert constant.globals == ("number",)
    assert sorted(b.name for b in phi.block.predecessors) == ['"minus one"', "entry", "zero"]


def test_globals_and_headers():
    module = read(everything())
    assert module.globals["number"].initializer == "1.500000e+00" and not module.globals["number"].constant
    quoted = next(g for g in module.globals.values() if "quoted" in g.name)
    assert quoted.constant and quoted.value_type.text == "[2 x ptr]" and quoted.ref == '@"quoted \\22name"'
    assert module.globals["other"].initializer is None and module.aliases == {"alias": "number"}
    g, f, a = module.functions["g"], module.functions["f"], module.functions["arithmetic"]
    assert g.is_declaration and g.arguments[0].has("noalias") and g.arguments[0].has("readonly")
    assert not g.arguments[0].has("read") and g.arguments[1].has("signext") and g.has("nounwind")
    assert f.variadic and not g.variadic
    assert a.has("nounwind") and a.has("memory(argmem: read)") and "noundef" in a.result_attributes
    assert [x.name for x in a.arguments] == ["x", "y", "n", "m"]


def test_unnamed_values_and_blocks():
    text = printed("""
define i64 @f(i64 %n, i64 %0) {
  br label %2
2:
  %3 = phi i64 [ 0, %1 ], [ %4, %2 ]
  %4 = add i64 %3, %0
  %5 = icmp slt i64 %4, %n
  br i1 %5, label %2, label %6
6:
  ret i64 %4
}""")
    module = assert_round_trip(text)
    assert [b.name for b in module.functions["f"].blocks] == ["1", "2", "6"]


def test_places_in_the_source():
    text = printed("""
define double @f(double %x) !dbg !4 {
  %p = alloca double
  %y = load double, ptr %p, !dbg !7, !tbaa !9
  %z = fadd double %y, %x
  ret double %z, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a b.c", directory: "/somewhere")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 3, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !6)
!6 = !{}
!7 = !DILocation(line: 12, column: 7, scope: !4)
!8 = !DILocation(line: 13, scope: !2)
!2 = distinct !DILexicalBlock(scope: !4, file: !1, line: 11)
!9 = !{!10, !10, i64 0}
!10 = !{!"double", !11}
!11 = !{!"root"}
""")
    module = assert_round_trip(text)
    places = [module.location(i) for i in module.functions["f"].instructions()]
    assert places == [None, "a b.c:12:7", None, "a b.c:13"]
    assert set(instruction(module, "f", "%y").metadata) == {"dbg", "tbaa"}
    assert module.source_location(module.functions["f"].metadata["dbg"]) == "a b.c:3"


def test_constants():
    def value(text: str) -> int | None:
        return Constant(ir.I64, text).integer

    assert [value(t) for t in ("7", "-1", "true", "false", "null", "zeroinitializer", "undef", "1.5")] == [
        7, -1, 1, 0, 0, 0, None, None,
    ]  # fmt: skip
    assert Constant(ir.I64, "poison").is_undefined and not Constant(ir.I64, "0").is_undefined


# -- Types as LLVM lays them out

SCALARS = st.sampled_from(
    [
        "i1",
        "i7",
        "i8",
        "i16",
        "i17",
        "i24",
        "i32",
        "i48",
        "i63",
        "i64",
        "i65",
        "i128",
        "i129",
        "i256",
        "half",
        "bfloat",
        "float",
        "double",
        "x86_fp80",
        "fp128",
        "ptr",
    ]
)
VECTORS = st.builds(
    lambda n, t: f"<{n} x {t}>",
    st.integers(1, 9),
    st.sampled_from(["i1", "i7", "i8", "i16", "i24", "i32", "i64", "half", "float", "double", "x86_fp80", "ptr"]),
)


def _struct(fields: list[str], packed: bool) -> str:
    body = f"{{ {', '.join(fields)} }}" if fields else "{}"
    return f"<{body}>" if packed else body


TYPES = st.recursive(
    SCALARS | VECTORS,
    lambda inner: (
        st.builds(lambda n, t: f"[{n} x {t}]", st.integers(0, 4), inner)
        | st.builds(_struct, st.lists(inner, max_size=4), st.booleans())
    ),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(st.lists(TYPES, min_size=1, max_size=4), st.booleans())
def test_sizes_offsets_and_alignments_are_llvms(fields: list[str], packed: bool):
    name = _struct(fields, packed)
    module = llvm.parse(f"%t = type {name}\n@g = global %t zeroinitializer\n")
    (g,) = module.global_variables
    data = llvm.target_machine().target_data
    theirs = g.global_value_type
    here = read(str(module)).types["%t"]
    assert here.size == data.get_abi_size(theirs)
    assert here.align == data.get_abi_alignment(theirs)
    assert [here.offsets[k] for k in range(len(fields))] == [
        data.get_element_offset(theirs, k) for k in range(len(fields))
    ]
    for k, (mine, his) in enumerate(zip(here.elements, theirs.elements, strict=True)):
        assert (mine.size, mine.align) == (data.get_abi_size(his), data.get_abi_alignment(his)), fields[k]


def test_types_that_name_each_other():
    module = read(
        printed("""
%node = type { ptr, %inner, double }
%inner = type { i8, %opaque.user }
%opaque.user = type { ptr }
%hidden = type opaque
@a = global %node zeroinitializer
@b = external global %hidden
""")
    )
    node = module.types["%node"]
    assert node.size == 32 and [(o, t.text) for o, t in node.parts()] == [
        (0, "ptr"),
        (8, "i8"),
        (16, "ptr"),
        (24, "double"),
    ]
    assert node.at((1, 1, 0)).is_pointer


# -- What it does not know


@pytest.mark.parametrize(
    "line",
    [
        "%y = frobnicate double %x, %x",
        "%y = fadd double %x",
        "%y = fadd",
        "%y = fadd dooble %x, %x",
        "%y = fadd double %nobody, %x",
        "%y = load double ptr %x",
        "%y = bitcast double %x",
        "%y = fmul double %x; %x",
        "%y = phi double [ %x ]",
        "%y = extractvalue { double, double } zeroinitializer, one",
        "%y = catchswitch within none [label %entry] unwind to caller",
        "%y = call double",
        "%y = fadd <vscale x 2 x double> zeroinitializer, zeroinitializer",
        'callbr void asm "", ""() to label %entry []',
    ],
)
def test_what_is_not_known_is_quoted(line: str):
    with pytest.raises(InputError) as caught:
        read_all(f"define double @f(double %x) {{\nentry:\n  {line}\n  ret double %x\n}}\n")
    assert line.partition(" = ")[2] in str(caught.value) or line in str(caught.value) or "scalable" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "define double @f(double %x) {\nentry:\n  ret double %x\n",
        "define double @f(dooble %x) {\n}\n",
        "@g = global\n",
        "declare\n",
        "define\n",
    ],
)
def test_broken_modules_are_input_errors(text: str):
    with pytest.raises(InputError, match="can't read this LLVM IR"):
        read_all(text)


# -- Code of real compilers

CPP = """
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>
#include <complex>
#include <atomic>
struct Shape { virtual double area() const = 0; virtual ~Shape() {} };
struct Circle : Shape { double r; double area() const override { return 3.14 * r * r; } };
double total(const std::vector<std::unique_ptr<Shape>> &shapes) {
    double sum = 0;
    for (auto &s : shapes) { if (!s) throw std::runtime_error("none"); sum += s->area(); }
    return sum;
}
std::map<std::string, double> table(int n) { std::map<std::string, double> t; t["x"] = n; return t; }
long double wide(long double x, _Float16 h) { return sinl(x) + h; }
std::complex<float> turn(std::complex<float> z) { return z * std::exp(z); }
int pick(int k) { switch (k) { case 1: return 3; case 5: return 7; case 1000: return 2; default: return k; } }
std::atomic<double> shared; double add(double x) { return shared.exchange(x); }
thread_local int count; int counted() { return ++count; }
double apply(const std::function<double(double)> &f, double x) {
    try { return f(x); } catch (const std::exception &) { return 0; }
}
__attribute__((noinline)) void saxpy(float *y, const float *x, float a, int n) {
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
Circle unit() { Circle c; c.r = 1; return c; }
__int128 big(__int128 a, unsigned __int128 b) { return a * 3 + b / 7; }
void assembly() { asm volatile("nop" ::: "memory"); }
"""


@pytest.mark.parametrize("level", ["-O0", "-O3"])
def test_code_of_clang(level: str, tmp_path):
    compiler = shutil.which("clang++-19") or shutil.which("clang-19")
    if compiler is None:
        pytest.skip("no clang-19 on PATH")
    source, out = tmp_path / "shapes.cpp", tmp_path / "shapes.ll"
    source.write_text(CPP)
    command = [compiler, "-x", "c++", "-std=c++20", level, "-g", "-S", "-emit-llvm", str(source), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode and "file not found" in done.stderr:
        pytest.skip("clang-19 finds no C++ library")
    assert done.returncode == 0, done.stderr
    module = assert_round_trip(printed(out.read_text()))
    counts = Counter(i.opcode for f in module.functions.values() for i in f.instructions())
    assert counts["invoke"] and counts["landingpad"] and counts["switch"]
    assert any(module.location(i) for i in module.functions["_Z5saxpyPfPKffi"].instructions())


def test_values_are_objects_by_identity():
    module = read(everything())
    function: Function = module.functions["arithmetic"]
    a = instruction(module, "arithmetic", "%a")
    assert a.operands[0] is function.arguments[0]
    assert instruction(module, "arithmetic", "%c").operands == [instruction(module, "arithmetic", "%b"), a]
    assert function.users[a] == [instruction(module, "arithmetic", "%b"), instruction(module, "arithmetic", "%c")]
    store = next(i for i in module.functions["memory"].instructions() if "inttoptr" in str(i))
    assert isinstance(store.value, Constant) and store.value.globals == ("number",)
    table = next(i for i in module.functions["memory"].instructions() if "getelementptr inbounds (i8" in str(i))
    assert isinstance(table.pointer, Constant) and not isinstance(table.pointer, Global)
