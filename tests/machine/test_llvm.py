"""LLVM through llvmlite: what comes in is checked, what is differentiated has one shape, what goes out is fast."""

import random
import re

import pytest

from gradir.errors import InputError
from gradir.frontends import CompilerOptions
from gradir.frontends.c import to_llvm
from gradir.machine import llvm
from gradir.machine.transform.derive import Program
from gradir.request import Activity, Mode, Request

KERNELS = """
#include <math.h>
#include <stddef.h>
static double mag(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  return sqrt(s);
}
void norm(double *restrict out, const double *restrict in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / mag(in, n);
}
void plain_norm(double *out, const double *in, int n) {
  for (int i = 0; i < n; i++) out[i] = in[i] / mag(in, n);
}
void copy(double *restrict a, const double *restrict b, size_t n) { for (size_t i = 0; i < n; i++) a[i] = b[i]; }
double four(const double *a) {
  double s = 0;
#pragma clang loop unroll(full) vectorize(enable)
  for (int i = 0; i < 4; i++) s += a[i] * a[i];
  return s;
}
void pairs(const double *a, const double *b, double *c) { for (int i = 0; i < 4; i++) c[i] = a[i] * b[i]; }
int choose(int x, int k) { if (x < 0) return 1; switch (k) { case 0: return x; case 7: return -x; } return 3; }
__attribute__((noinline)) double apart(double x) { return x * x; }
double calls_apart(double x) { return apart(x) + 1; }
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    source = tmp_path_factory.mktemp("llvm") / "kernels.c"
    source.write_text(KERNELS)
    return to_llvm(source)


def body(text: str, name: str) -> str:
    return re.search(rf"^define [^\n]*@{name}\(.*?^}}", text, re.MULTILINE | re.DOTALL)[0]


def loops(text: str) -> int:
    """The number of blocks that jump back to a block before them or to themselves."""
    names = re.findall(r"^([\w.]+):", text, re.MULTILINE)
    blocks = re.split(r"^[\w.]+:.*$", text, flags=re.MULTILINE)[1:]
    order = {name: i for i, name in enumerate(names)}
    return sum(
        any(order[target] <= i for target in re.findall(r"label %([\w.]+)", block)) for i, block in enumerate(blocks)
    )


# -- Reading


def test_what_is_not_llvm_is_said_to_be_so():
    for content in (b"\xff\xfe\0garbage", b"\x00\x01"):
        with pytest.raises(InputError, match="neither LLVM text nor LLVM bitcode"):
            llvm.parse(content, "x.bc")


def test_a_mistake_in_text_has_a_place():
    with pytest.raises(InputError, match=r"f\.ll:2:.*expected instruction opcode"):
        llvm.parse("define void @f() {\n  nonsense\n}", "f.ll")


def test_typed_pointers_of_old_text_are_read():
    assert "ptr %x" in str(llvm.parse("define i32 @f(i32* %x) {\n  %y = load i32, i32* %x\n  ret i32 %y\n}"))


def test_invalid_code_is_an_error_with_debug_info_too(kernels):
    text = str(kernels).replace("ret void, !dbg", "%oops = add i32 %oops, 1 ret void, !dbg", 1)
    with pytest.raises(InputError, match="not valid LLVM IR"):
        llvm.parse(text)


def test_damaged_files_are_errors_and_the_process_lives(kernels):
    rng = random.Random(1)
    content = llvm.bitcode(kernels)
    complaints = 0
    for _ in range(8):
        damaged = bytearray(content)
        for _ in range(10):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        try:
            llvm.parse(bytes(damaged), "damaged.bc", untrusted=True)
        except InputError:
            complaints += 1
    assert complaints
    with pytest.raises(InputError):
        llvm.parse(content[:1000], "short.bc", untrusted=True)


def test_bitcode_and_text_are_the_same_module(kernels):
    assert str(llvm.parse(llvm.bitcode(kernels))).count("define") == str(llvm.parse(str(kernels))).count("define")


def test_linking_binds_names_and_refuses_doubles():
    f = llvm.parse("declare i32 @g()\ndefine i32 @f() {\n %x = call i32 @g()\n ret i32 %x\n}")
    g = llvm.parse("define i32 @g() {\n ret i32 7\n}")
    assert sorted(llvm.defined_functions(llvm.link([f, g]))) == ["f", "g"]
    with pytest.raises(InputError, match="symbol multiply defined"):
        llvm.link([g, g])


# -- Before differentiating


def test_normalised_code_is_scalar_rolled_and_named(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels, ["copy", "four", "pairs", "choose", "norm"]))
    assert not re.search(r"<\d+ x ", text)
    assert loops(body(text, "four")) == 1 and loops(body(text, "pairs")) == 1
    assert "llvm.memcpy" not in text and loops(body(text, "copy")) == 1
    assert not re.search(r"^\s+%\d+ = |^\d+:", text, re.MULTILINE)
    for function in ("copy", "four", "pairs", "choose", "norm"):
        assert len(re.findall(r"^  ret ", body(text, function), re.MULTILINE)) == 1
    assert "!tbaa" in text and "!DISubprogram" in text


def test_calls_that_depend_on_nothing_leave_loops(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels, ["norm"]))
    assert "@mag" not in text.split("!0 =")[0].replace("mag.exit", "")
    assert "sqrt" in body(text, "norm").split("fdiv")[0]
    outer = body(text, "norm")
    sqrt_block = next(b for b in re.split(r"\n\n", outer) if "@llvm.sqrt" in b)
    assert "fdiv" not in sqrt_block, "the norm is computed before the loop, not in it"


def test_pointers_can_be_vouched_for(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels, ["plain_norm"], noalias=["plain_norm"]))
    assert body(text, "plain_norm").count("noalias") >= 2
    sqrt_block = next(b for b in re.split(r"\n\n", body(text, "plain_norm")) if "@llvm.sqrt" in b)
    assert "fdiv" not in sqrt_block


def test_only_what_is_kept_can_be_called(kernels):
    module = llvm.normalise(kernels, ["four"])
    assert [f.name for f in module.definitions] == ["four"]
    assert {f.name for f in llvm.normalise(kernels).definitions} >= {"four", "norm", "choose"}


def test_noinline_is_kept_where_a_person_wrote_it(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels, ["calls_apart"]))
    assert "@apart(" in body(text, "calls_apart")


def test_unoptimised_builds_are_optimised(tmp_path):
    source = tmp_path / "o0.c"
    source.write_text("static double g(double x) { return x * x; } double f(double x) { return g(x) + 1; }")
    module = to_llvm(source, CompilerOptions(("-O0",)))
    text = body(llvm.canonical_text(llvm.normalise(module, ["f"])), "f")
    assert "alloca" not in text and "call" not in text.replace("fmuladd", "")


def test_code_can_stay_as_the_front_end_wrote_it(kernels):
    module = llvm.normalise(kernels, ["norm", "choose"], optimise=False)
    text = llvm.canonical_text(module)
    llvm.verify(llvm.parse(text))
    assert "alloca" in text and "@mag" in text
    assert len(re.findall(r"^  ret ", body(text, "choose"), re.MULTILINE)) == 1


def test_hints_for_other_machines_are_dropped(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels))
    for word in (
        '"frame-pointer"=',
        "target-cpu",
        "stack-protector",
        "llvm.loop.unroll",
        "llvm.loop.vectorize",
        "no-builtin",
    ):
        assert word not in text


# -- After differentiating, and out


def test_optimised_code_is_vectorised_for_the_host(kernels):
    text = llvm.canonical_text(llvm.normalise(kernels, ["pairs", "copy"], noalias=["pairs"]))
    assert re.search(r"<\d+ x double>", str(llvm.optimise(llvm.parse(text))))


@pytest.mark.parametrize(
    ("triple", "magic"),
    [("", b"\x7fELF"), ("aarch64-linux-gnu", b"\x7fELF"), ("riscv64-linux-gnu", b"\x7fELF"), ("wasm64", b"\0asm")],
)
def test_objects_for_several_machines(kernels, triple, magic):
    module = llvm.parse(str(llvm.normalise(kernels, ["choose"])))
    assert llvm.emit_object(module, target=llvm.Target(triple)).startswith(magic)


def test_assembly_and_ptx(kernels):
    module = llvm.parse(str(llvm.normalise(kernels, ["choose"])))
    assert "choose" in llvm.emit_assembly(module)
    assert ".visible .func" in llvm.emit_assembly(module, target=llvm.Target("nvptx64-nvidia-cuda", "sm_90"))


def test_unknown_targets_are_refused(kernels):
    with pytest.raises(InputError, match="no such target"):
        llvm.emit_object(kernels, target=llvm.Target("z80-sinclair"))


def test_phases_are_timed(kernels):
    phases = {}
    module = llvm.parse(str(llvm.normalise(kernels, ["four"], phases=phases)))
    llvm.emit_object(llvm.optimise(module, phases=phases), phases=phases)
    assert set(phases) == {"normalise", "optimise", "emit"} and all(t > 0 for t in phases.values())


# -- The border


def test_text_crosses_the_border_twice_each_way(tmp_path, monkeypatch):
    """Of two functions that call nobody: a print and a parse to take back what the front end said, a print for the
    derivatives and a parse of them."""
    source = tmp_path / "two.c"
    source.write_text("double f(double x) { return x * x; } double g(double x) { return x + 1; }")
    module = to_llvm(source)
    crossings: dict[str, int] = {"prints": 0, "parses": 0, "reads": 0}

    def counted(name, function):
        def count(*arguments, **options):
            crossings[name] += 1
            return function(*arguments, **options)

        return count

    monkeypatch.setattr(type(module), "__str__", counted("prints", type(module).__str__))
    monkeypatch.setattr(llvm.binding, "parse_assembly", counted("parses", llvm.binding.parse_assembly))
    monkeypatch.setattr(llvm, "read", counted("reads", llvm.read))
    normal = llvm.normalise(module, ["f", "g"])
    assert crossings == {"prints": 2, "parses": 1, "reads": 2}
    program = Program(str(normal))
    program.derivative(Request("f", Mode.reverse, (Activity.active,), (Activity.activenoneed,)))
    llvm.optimise(llvm.parse(program.text()))
    assert crossings == {"prints": 2, "parses": 3, "reads": 2}  # with debug info LLVM reads twice, to be safe
