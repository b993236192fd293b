"""Data layouts: machines whose memory is laid out as ours are supported, others are refused by name."""

import shutil

import pytest

import gradir
from gradir.cli import main
from gradir.errors import InputError
from gradir.machine import llvm
from gradir.machine.ir import I64, PTR, Type, array, struct, vector
from gradir.machine.ir.layout import DataLayout
from gradir.machine.ir.text.reader import read

F80 = Type("x86_fp80", "float")

X86_SPACES = "p270:32:32-p271:32:32-p272:64:64"
OTHERS = {
    "i386-unknown-linux-gnu": (f"e-m:e-p:32:32-{X86_SPACES}-i128:128-f64:32:64-f80:32-n8:16:32-S128", "4 bytes"),
    "wasm32-unknown-unknown": ("e-m:e-p:32:32-p10:8:8-p20:8:8-i64:64-i128:128-n32:64-S128-ni:1:10:20", "4 bytes"),
    "armv7-unknown-linux-gnueabihf": ("e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64", "4 bytes"),
    "avr-unknown-unknown": ("e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8", "2 bytes"),
    "msp430-unknown-unknown": ("e-m:e-p:16:16-i32:16-i64:16-f32:16-f64:16-a:8-n8:16-S16", "2 bytes"),
    "x86_64-unknown-linux-gnux32": (f"e-m:e-p:32:32-{X86_SPACES}-i64:64-i128:128-f80:128-n8:16-S128", "4 bytes"),
    "s390x-unknown-linux-gnu": ("E-S64-m:e-i1:8:16-i8:8:16-i64:64-f128:64-v128:64-a:8:16-n32:64", "big-endian"),
    "powerpc64-unknown-linux-gnu": ("E-m:e-Fi64-i64:64-i128:128-n32:64", "big-endian"),
    "aarch64_be-unknown-linux-gnu": ("E-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32", "big-endian"),
    "amdgcn-amd-amdhsa": ("e-p:64:64-p3:32:32-p5:32:32-i64:64-S32-A5-G1-ni:7:8:9", "address space of their own"),
}

SAME = [
    "x86_64-unknown-linux-gnu", "x86_64-pc-windows-msvc", "aarch64-unknown-linux-gnu", "arm64-apple-darwin",
    "riscv64-unknown-linux-gnu", "powerpc64le-unknown-linux-gnu", "nvptx64-nvidia-cuda", "loongarch64-linux",
]  # fmt: skip

SQUARE = "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n"


def written(tmp_path, *lines, name="f.ll"):
    path = tmp_path / name
    path.write_text("\n".join([*lines, SQUARE]))
    return path


@pytest.mark.parametrize("triple", OTHERS)
@pytest.mark.parametrize("said", ["layout", "triple", "both"])
def test_other_machines_are_refused(tmp_path, triple, said):
    layout, why = OTHERS[triple]
    lines = [f'target datalayout = "{layout}"'] * (said != "triple") + [f'target triple = "{triple}"'] * (
        said != "layout"
    )
    path = written(tmp_path, *lines)
    with pytest.raises(InputError, match=why) as caught:
        gradir.load(path)
    assert "f.ll" in str(caught.value) and "x86_64" in (caught.value.hint or "")


@pytest.mark.parametrize("triple", ["i386-unknown-linux-gnu", "s390x-unknown-linux-gnu"])
def test_the_command_line_refuses_them_too(tmp_path, triple, capsys):
    path = written(tmp_path, f'target datalayout = "{OTHERS[triple][0]}"', f'target triple = "{triple}"')
    for command in ("diff", "opt"):
        assert main([command, str(path), "-o", str(tmp_path / "out.ll")]) != 0
        assert "not supported" in capsys.readouterr().err and not (tmp_path / "out.ll").exists()


def test_bitcode_is_refused(tmp_path):
    path = written(tmp_path, f'target datalayout = "{OTHERS["i386-unknown-linux-gnu"][0]}"')
    from llvmlite import binding

    code = tmp_path / "f.bc"
    code.write_bytes(binding.parse_assembly(path.read_text()).as_bitcode())
    with pytest.raises(InputError, match="4 bytes"):
        gradir.load(code)


@pytest.mark.parametrize("flag", ["--target=i386-linux-gnu", "-m32", "--target=wasm32", "--target=s390x-linux-gnu"])
def test_sources_for_other_machines_are_refused(tmp_path, flag):
    path = tmp_path / "k.c"
    path.write_text("struct s { char c; long n; double *p; };\ndouble f(struct s *s) { return s->p[s->n] * s->c; }\n")
    compiler = next((c for c in ("clang", "clang-19") if shutil.which(c)), None)
    if compiler is None:
        pytest.skip("zig's clang has its own names for targets")
    with pytest.raises(InputError, match=r"k\.c.*not supported"):
        gradir.load(path, flags=[flag], compiler=compiler)


@pytest.mark.parametrize("triple", ["i686-unknown-linux-gnu", "wasm32-unknown-unknown", "mips-unknown-linux-gnu"])
def test_saving_for_other_machines_is_refused(tmp_path, triple):
    m = gradir.load(written(tmp_path))
    with pytest.raises(InputError, match=f"{triple}.*not supported"):
        m.grad("f").save(tmp_path / "f.o", triple=triple)
    assert not (tmp_path / "f.o").exists()


@pytest.mark.parametrize("triple", SAME)
def test_machines_that_are_as_ours(tmp_path, triple):
    machine = llvm.target_machine(llvm.Target(triple))
    path = written(tmp_path, f'target datalayout = "{machine.target_data}"', f'target triple = "{triple}"')
    m = gradir.load(path)
    assert m.grad("f")(3.0) == 6.0
    if "nvptx" not in triple:  # has no external functions to speak of
        m.grad("f").save(tmp_path / "f.s", triple=triple)


def test_rare_types_matter_where_they_are_used(tmp_path):
    old = 'target datalayout = "e-m:e-i64:64-f80:128-n8:16:32:64-S128"'  # before LLVM 18: i128 at multiples of 8
    assert gradir.load(written(tmp_path, old)).grad("f")(3.0) == 6.0
    wide = "%s = type { i64, i128 }\n@g = global %s zeroinitializer"
    with pytest.raises(InputError, match="i128 is aligned to 8 bytes, not 16"):
        gradir.load(written(tmp_path, old, wide))
    assert gradir.load(written(tmp_path, wide)).grad("f")(3.0) == 6.0
    with pytest.raises(InputError, match="i64 is aligned to 4 bytes, not 8"):
        gradir.load(written(tmp_path, 'target datalayout = "e-p:64:64"'))
    with pytest.raises(InputError, match="double is aligned to 4 bytes, not 8"):
        gradir.load(written(tmp_path, 'target datalayout = "e-i64:64-f64:32"'))


ADDRESS_SPACE = """define double @g(ptr %p) {
  %q = load ptr addrspace(SPACE), ptr %p
  %x = load double, ptr addrspace(SPACE) %q
  %y = fmul double %x, %x
  ret double %y
}"""


@pytest.mark.parametrize(
    ("layout", "space", "why"),
    [
        ("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", 270, "have 4 bytes, not 8"),
        ("e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:10:11:12:13", 10, r".*non-integral"),
        ("e-m:e-p7:160:256:256:32-i64:64-i128:128-n8:16:32:64-S128", 7, "have 4 bytes, not 8"),
        ("e-m:e-p1:64:64-i64:64-i128:128-n8:16:32:64-S128", 1, None),
    ],
)
def test_pointers_of_other_address_spaces(layout, space, why):
    text = f'target datalayout = "{layout}"\n{ADDRESS_SPACE.replace("SPACE", str(space))}\n'
    function = read(text).functions["g"]
    if why is None:
        assert [i.opcode for i in function.instructions()] == ["load", "load", "fmul", "ret"]
    else:
        with pytest.raises(InputError, match=f"address space {space} {why}"):
            list(function.instructions())


def test_pointers_that_are_no_integers_stay_so(tmp_path):
    """Which address spaces are non-integral is said by the program, not by the machine that it is compiled for."""
    julia = 'target datalayout = "e-m:e-i64:64-i128:128-f80:128-n8:16:32:64-S128-ni:10:11:12:13"'
    path = written(tmp_path, julia, ADDRESS_SPACE.replace("SPACE", "10"))
    m = gradir.load(path)
    assert m.grad("f")(3.0) == 6.0
    with pytest.raises(InputError, match=r"address space 10 .*non-integral"):
        m.grad("g").save(tmp_path / "g.ll")


def test_long_doubles():
    assert (F80.size, F80.store_size, F80.align, F80.bits) == (16, 10, 16, 80)
    assert struct([F80, I64]).offsets == (0, 16) and array(3, F80).size == 48
    assert (vector(2, F80).size, vector(2, F80).store_size, vector(2, F80).offsets) == (32, 20, (0, 10))
    bits = vector(12, Type("i1", "int", 1))
    assert (bits.store_size, bits.size) == (2, 2) and {at for at, _ in bits.parts()} == {0, 1}


def test_long_doubles_of_x86_are_no_numbers_elsewhere(tmp_path):
    """LLVM's code generator would end the process."""
    m = gradir.load(written(tmp_path, LONG_DOUBLE))
    with pytest.raises(InputError, match=r"aarch64.*no floats of 80 bits"):
        m.grad("g").save(tmp_path / "g.o", triple="aarch64-unknown-linux-gnu")


LONG_DOUBLE = """define double @g(double %x) {
  %y = fpext double %x to x86_fp80
  %z = fmul x86_fp80 %y, %y
  %r = fptrunc x86_fp80 %z to double
  ret double %r
}"""


def test_alignments_of_a_layout():
    i386 = DataLayout.read(OTHERS["i386-unknown-linux-gnu"][0])
    assert [i386.align(t) for t in (I64, PTR, F80, Type("double", "float"), Type("i24", "int", 24))] == [4, 4, 4, 4, 4]
    assert i386.pointers(272).size == 64 and i386.pointers(5).size == 32 and not i386.is_big_endian
    flagged = DataLayout.read("e-pu3:32:32-pe4:64:64:64:32-ni:5")
    assert flagged.pointers(3).size == 32 and flagged.pointers(4).index == 32 and not flagged.pointers(5).is_integral
