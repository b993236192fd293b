"""Floats read as integers: what becomes a float again without a derivative is refused, integers beside them are not."""

from __future__ import annotations

import numpy as np
import pytest
from differential import Bench, function_of

import gradir
from gradir.errors import NoRule
from gradir.machine import llvm
from gradir.machine.analysis.bits.operations import bit_operation
from gradir.machine.ir import DOUBLE, vector
from gradir.machine.ir.text.reader import read
from gradir.machine.transform.derive import Program
from gradir.request import Activity, Mode, Request

MANTISSA = """
define double @f(ptr %x) {
entry:
  %bits = load i64, ptr %x, align 8
  %low = and i64 %bits, 4503599627370495
  %one = or i64 %low, 4607182418800017408
  %y = bitcast i64 %one to double
  ret double %y
}"""

THROUGH_EACH_OTHER = """
define i64 @g(i64 %bits, i32 %n) noinline {
entry:
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %on
end:
  ret i64 %bits
on:
  %m = sub i32 %n, 1
  %r = call i64 @h(i64 %bits, i32 %m)
  ret i64 %r
}
define i64 @h(i64 %bits, i32 %n) noinline {
entry:
  %last = icmp eq i32 %n, 0
  br i1 %last, label %end, label %on
end:
  ret i64 0
on:
  %m = sub i32 %n, 1
  %r = call i64 @g(i64 %bits, i32 %m)
  ret i64 %r
}
define double @f(ptr %x, i32 %n) {
entry:
  %bits = load i64, ptr %x, align 8
  %low = and i64 %bits, 4503599627370495
  %first = call i64 @g(i64 %low, i32 %n)
  %second = call i64 @h(i64 %low, i32 %n)
  %one = or i64 %second, 4607182418800017408
  %y = bitcast i64 %one to double
  %scale = uitofp i64 %first to double
  %result = fmul double %y, %scale
  ret double %result
}"""

RANDOM = """
define double @f(ptr %x) {
entry:
  %at = getelementptr i8, ptr %x, i64 8
  %state = load i64, ptr %at, align 8
  %next = mul i64 %state, 6364136223846793005
  store i64 %next, ptr %at, align 8
  %low = lshr i64 %next, 12
  %one = or i64 %low, 4607182418800017408
  %uniform = bitcast i64 %one to double
  %scale = load double, ptr %x, align 8
  %y = fmul double %scale, %uniform
  ret double %y
}"""


def derivative(text: str, mode: Mode) -> str:
    program = Program(text)
    result = Activity.activenoneed if mode is Mode.reverse else Activity.dupnoneed
    others = [Activity.const] * (len(program.module.functions["f"].arguments) - 1)
    name = program.derivative(Request("f", mode, (Activity.dup, *others), (result,)))
    return program.text().partition(f"@{name}(")[2].partition("\n}")[0]


@pytest.mark.parametrize("mode", Mode)
def test_active_bits_that_nothing_calls_floats_are_refused(mode: Mode) -> None:
    """No access says that there are floats, but the argument is active, and its bits become a float."""
    with pytest.raises(NoRule, match="bits of an active float"):
        derivative(MANTISSA, mode)


@pytest.mark.parametrize("mode", Mode)
def test_bits_that_pass_through_functions_that_call_each_other_are_refused(mode: Mode) -> None:
    """What `h` does with bits is not known before `g` is, which is asked for first."""
    with pytest.raises(NoRule, match="bits of an active float"):
        derivative(THROUGH_EACH_OTHER, mode)


def test_calls_of_any_depth() -> None:
    """Python's stack is not as deep as a chain of calls may be."""
    depth = 400
    links = [
        f"define double @f{k}(double %x) noinline {{\n  %y = call double @f{k + 1}(double %x)\n  ret double %y\n}}"
        for k in range(depth)
    ]
    lines = ("%a = load double, ptr %x", "%y = call double @f0(double %a)", "ret double %y")
    first = "\n  ".join(["define double @f(ptr %x) {", *lines]) + "\n}"
    last = f"define double @f{depth}(double %x) noinline {{\n  %y = fmul double %x, %x\n  ret double %y\n}}"
    for mode in Mode:
        assert derivative("\n".join([first, *links, last]), mode)


@pytest.mark.parametrize("mode", Mode)
def test_random_numbers_made_of_bits_are_constants(mode: Mode) -> None:
    assert "%uniform" in derivative(RANDOM, mode)


@pytest.mark.parametrize(
    ("mask", "kind"),
    [
        ("splat (i64 9223372036854775807)", "absolute"),
        ("<i64 9223372036854775807, i64 9223372036854775807>", "absolute"),
        ("<i64 9223372036854775807, i64 poison>", "absolute"),
        ("<i64 9223372036854775807, i64 1>", None),
        ("<i64 9223372036854775807, i64 ptrtoint (ptr @g to i64)>", None),
    ],
)
def test_masks_of_vectors(mask: str, kind: str | None) -> None:
    """An expression in a lane is not known: the other lanes say nothing of it."""
    text = f"@g = external global i8\ndefine <2 x i64> @f(<2 x i64> %x) {{\n  %y = and <2 x i64> %x, {mask}\n"
    function = read(f"{text}  ret <2 x i64> %y\n}}\n").functions["f"]
    found = bit_operation(next(function.instructions()), vector(2, DOUBLE), carries=lambda v: True)
    assert (found.kind if found is not None else None) == kind


SHUFFLES = {
    "doubles": """
  %a = load <2 x i64>, ptr %x, align 8
  %b = shufflevector <2 x i64> %a, <2 x i64> poison, <2 x i32> <i32 1, i32 0>
  store <2 x i64> %b, ptr %x, align 8""",
    "several floats in a lane": """
  %x1 = getelementptr i8, ptr %x, i64 16
  %a = load <2 x i64>, ptr %x, align 8
  %b = load <2 x i64>, ptr %x1, align 8
  %c = shufflevector <2 x i64> %a, <2 x i64> %b, <4 x i32> <i32 3, i32 0, i32 0, i32 2>
  store <4 x i64> %c, ptr %x, align 8""",
    "with constants": """
  %a = load <2 x i64>, ptr %x, align 8
  %b = shufflevector <2 x i64> <i64 4607182418800017408, i64 0>, <2 x i64> %a, <4 x i32> <i32 2, i32 0, i32 3, i32 2>
  store <4 x i64> %b, ptr %x, align 8""",
}


@pytest.mark.parametrize("what", SHUFFLES)
@pytest.mark.parametrize("width", [1, 2])
def test_floats_change_places_in_vectors_of_integers(what: str, width: int) -> None:
    type = "float" if what == "several floats in a lane" else "double"
    x = np.array([0.5, 1.5, -2.0, 3.0, 0.25, -1.0, 2.5, 0.75], np.float32 if type == "float" else np.float64)
    squares = "\n".join(
        f"""  %p{k} = getelementptr {type}, ptr %x, i64 {k}
  %v{k} = load {type}, ptr %p{k}, align 4
  %w{k} = fmul {type} %v{k}, %v{k}
  store {type} %w{k}, ptr %p{k}, align 4"""
        for k in range(8)
    )
    text = f"define void @f(ptr %x) {{{SHUFFLES[what]}\n{squares}\n  ret void\n}}"
    function, values = function_of("f", "void", [x])
    bench = Bench(llvm.parse(text), function, optimise=False)
    forward, reverse = bench.forward(function, width), bench.reverse(function, width)
    bench.build(level=1)
    rng = np.random.default_rng(0)
    vectors = [rng.normal(size=8) for _ in range(width)]
    seeds = [rng.normal(size=8) for _ in range(width)]
    # Moves are exact: the Jacobian is that of the squares, with its columns moved.
    moved = bench.run(function, [np.arange(1, 9).astype(x.dtype)]) ** 0.5
    after = bench.run(function, [x])
    jacobian = np.zeros((8, 8))
    for row, (source, square) in enumerate(zip(moved, after, strict=True)):
        column = round(source) - 1
        if moved[row] != 1 or x[column] ** 2 == square:  # else it is the constant 1
            jacobian[row, column] = 2 * x[column]
    for v, found in zip(vectors, bench.jvp(forward, values, vectors)[1:], strict=True):
        np.testing.assert_allclose(found, jacobian @ v, rtol=1e-6)
    for s, found in zip(seeds, bench.vjp(reverse, values, seeds)[1:], strict=True):
        np.testing.assert_allclose(found, s @ jacobian, rtol=1e-6)


CAPTURED = """
%closure = type { ptr, [4 x double], i32, ptr, ptr }
define double @f(ptr %x, i32 %n) {
entry:
  %local = alloca [4 x double], align 16
  %closure = alloca %closure, align 8
  %copy = getelementptr inbounds i8, ptr %closure, i64 8
  br label %fill
fill:
  %k = phi i64 [ 0, %entry ], [ %k.next, %fill ]
  %from = getelementptr inbounds double, ptr %x, i64 %k
  %number = load double, ptr %from, align 8
  %here = getelementptr inbounds double, ptr %local, i64 %k
  store double %number, ptr %here, align 8
  %k.next = add i64 %k, 1
  %k.done = icmp eq i64 %k.next, 4
  br i1 %k.done, label %capture, label %fill
capture:
  %i = phi i64 [ 0, %fill ], [ %i.next, %capture ]
  %to = getelementptr inbounds double, ptr %copy, i64 %i
  %source = getelementptr inbounds double, ptr %local, i64 %i
  %bits = load i64, ptr %source, align 8
  store i64 %bits, ptr %to, align 8
  %i.next = add i64 %i, 1
  %i.done = icmp eq i64 %i.next, 4
  br i1 %i.done, label %end, label %capture
end:
  %index = zext i32 %n to i64
  %one = getelementptr inbounds double, ptr %copy, i64 %index
  %a = load double, ptr %one, align 8
  %last = getelementptr inbounds i8, ptr %closure, i64 32
  %b = load double, ptr %last, align 8
  %y = fmul double %a, %b
  ret double %y
}"""


@pytest.mark.parametrize("optimise", [False, True])
def test_array_that_ends_where_a_pointer_begins(optimise: bool) -> None:
    """A closure has the array as its member, between pointers. What is moved there in the guise of integers is moved
    as floats: for pointers, the number itself would be put into the shadow."""
    x = np.array([0.5, 1.5, -2.0, 3.0])
    function, values = function_of("f", "double", [x, 1])
    bench = Bench(llvm.parse(CAPTURED), function, optimise=optimise)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    expected = np.array([0, x[3], 0, x[1]])
    for k, direction in enumerate(np.eye(4)):
        tangent = bench.jvp(forward, values, [direction])[1]
        np.testing.assert_array_equal(tangent, [*direction, expected[k]])
    np.testing.assert_array_equal(bench.vjp(reverse, values, [np.array([0, 0, 0, 0, 1.0])])[1], expected)


CHOSEN = {
    "by a mask of a flag that was kept": (
        """
define double @f(ptr %x, i32 %n) {
entry:
  %a = load i64, ptr %x, align 8
  %q = getelementptr i8, ptr %x, i64 8
  %b = load i64, ptr %q, align 8
  %some = icmp sgt i32 %n, 1
  br i1 %some, label %on, label %end
on:
  %odd = and i32 %n, 1
  br label %end
end:
  %flag = phi i32 [ 0, %entry ], [ %odd, %on ]
  %fixed = freeze i32 %flag
  %wide = zext nneg i32 %fixed to i64
  %mask = sub nsw i64 0, %wide
  %yes = and i64 %a, %mask
  %none = icmp eq i32 %fixed, 0
  %no = select i1 %none, i64 %b, i64 0
  %bits = or i64 %no, %yes
  %v = bitcast i64 %bits to double
  %y = fmul double %v, %v
  ret double %y
}""",
        lambda x, n: [2 * x[0], 0] if n > 1 and n % 2 else [0, 2 * x[1]],
    ),
    "by flags of the way that was taken": (
        """
define double @f(ptr %x, i32 %n) {
entry:
  %a = load i64, ptr %x, align 8
  %q = getelementptr i8, ptr %x, i64 8
  %b = load i64, ptr %q, align 8
  %some = icmp sgt i32 %n, 1
  br i1 %some, label %on, label %end
on:
  br label %end
end:
  %first = phi i1 [ true, %entry ], [ false, %on ]
  %second = phi i64 [ 0, %entry ], [ 1, %on ]
  %mask = sub nsw i64 0, %second
  %no = and i64 %mask, %b
  %yes = select i1 %first, i64 %a, i64 0
  %bits = or i64 %no, %yes
  %v = bitcast i64 %bits to double
  %y = fmul double %v, %v
  ret double %y
}""",
        lambda x, n: [0, 2 * x[1]] if n > 1 else [2 * x[0], 0],
    ),
    "by a union of a float and a number": (
        """
define double @f(ptr %x, i32 %n) {
entry:
  %old = load double, ptr %x, align 8
  %square = fmul double %old, %old
  %kept = bitcast double %square to i64
  %high = and i64 %kept, -4294967296
  %low = zext i32 %n to i64
  %number = or disjoint i64 %high, %low
  %union = bitcast i64 %number to double
  %is = icmp sgt i32 %n, 1
  br i1 %is, label %float, label %end
float:
  %q = getelementptr i8, ptr %x, i64 8
  %new = load double, ptr %q, align 8
  br label %end
end:
  %slot = phi double [ %union, %entry ], [ %new, %float ]
  br i1 %is, label %take, label %count
take:
  %y = fmul double %slot, %square
  ret double %y
count:
  %bits = bitcast double %slot to i64
  %part = trunc i64 %bits to i32
  %z = sitofp i32 %part to double
  %w = fmul double %old, %z
  ret double %w
}""",
        lambda x, n: [2 * x[0] * x[1], x[0] ** 2] if n > 1 else [n, 0],
    ),
    "by its exponent": (
        """
define double @f(ptr %x, i32 %n) {
entry:
  %v = load double, ptr %x, align 8
  %bits = bitcast double %v to i64
  %shifted = lshr i64 %bits, 52
  %exponent = and i64 %shifted, 2047
  %wide = sext i32 %n to i64
  %sum = add i64 %exponent, %wide
  %placed = shl i64 %sum, 52
  %sign = and i64 %bits, -9223372036854775808
  %both = or i64 %placed, %sign
  %power = bitcast i64 %both to double
  %y = fmul double %power, %v
  ret double %y
}""",
        lambda x, n: [np.sign(x[0]) * 2.0 ** (np.frexp(x[0])[1] - 1 + n), 0],
    ),
    "by a sign of the way that was taken": (
        """
define double @f(ptr %x, i32 %n) {
entry:
  %bits = load i64, ptr %x, align 8
  %q = getelementptr i8, ptr %x, i64 8
  %some = icmp sgt i32 %n, 1
  br i1 %some, label %on, label %end
on:
  %other = load i64, ptr %q, align 8
  %taken = and i64 %other, -9223372036854775808
  br label %end
end:
  %sign = phi i64 [ 0, %entry ], [ %taken, %on ]
  %number = and i64 %bits, 9223372036854775807
  %both = or disjoint i64 %number, %sign
  %v = bitcast i64 %both to double
  %y = fmul double %v, 3.0
  ret double %y
}""",
        lambda x, n: [3.0 * np.sign(x[0]) * (np.sign(x[1]) if n > 1 else 1), 0],
    ),
    "beside others whose bytes are swapped": (
        """
declare i64 @llvm.bswap.i64(i64)
define double @f(ptr %x, i32 %n) {
entry:
  %file = alloca [2 x i64], align 8
  %bits = load i64, ptr %x, align 8
  %plain = and i64 %bits, 9223372036854775807
  %v = bitcast i64 %plain to double
  %swapped = call i64 @llvm.bswap.i64(i64 %bits)
  %k = sext i32 %n to i64
  %at = getelementptr i64, ptr %file, i64 %k
  store i64 %swapped, ptr %at, align 8
  %read = load i64, ptr %at, align 8
  %again = call i64 @llvm.bswap.i64(i64 %read)
  %w = bitcast i64 %again to double
  %y = fmul double %v, %w
  ret double %y
}""",
        lambda x, n: [2 * abs(x[0]), 0],
    ),
}


@pytest.mark.parametrize("how", CHOSEN)
def test_floats_chosen_by_bits(how: str) -> None:
    """Masks of ones and zeros, unions, exponents, signs: each has a derivative, in closed form here."""
    text, derivative = CHOSEN[how]
    x = np.array([-1.25, 3.5])
    function, _ = function_of("f", "double", [x, 0])
    bench = Bench(llvm.parse(text), function, optimise=False)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    for n in (0, 1) if "swapped" in how else (0, 1, 2, 3):
        expected = np.array(derivative(x, n), float)
        found = [bench.jvp(forward, [x, n], [v])[1][-1] for v in np.eye(2)]
        np.testing.assert_array_equal(found, expected)
        np.testing.assert_array_equal(bench.vjp(reverse, [x, n], [np.array([0, 0, 1.0])])[1], expected)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("%odd = and i32 %n, 1", "%odd = and i32 %n, 3"),  # a mask that isn't all ones
        ("icmp eq i32 %fixed, 0", "icmp ne i32 %fixed, 0"),  # both at once
        ("select i1 %none, i64 %b, i64 0", "select i1 %some, i64 %b, i64 0"),  # another condition
    ],
)
def test_masks_that_choose_nothing(before: str, after: str) -> None:
    """What may be the bits of two floats at once has no derivative."""
    text = CHOSEN["by a mask of a flag that was kept"][0]
    assert before in text
    function, _ = function_of("f", "double", [np.ones(2), 0])
    bench = Bench(llvm.parse(text.replace(before, after)), function, optimise=False)
    for derive in (bench.forward, bench.reverse):
        with pytest.raises(NoRule, match="way out:"):
            derive(function)


def test_masks_on_swapped_bytes() -> None:
    """Where the types see both orders, a mask is known only on a float in its own."""
    text = CHOSEN["beside others whose bytes are swapped"][0]
    text = text.replace("bswap.i64(i64 %read)", "bswap.i64(i64 %masked)")
    text = text.replace("%again =", "%masked = and i64 %read, 9223372036854775807\n  %again =")
    function, _ = function_of("f", "double", [np.ones(2), 0])
    bench = Bench(llvm.parse(text), function, optimise=False)
    for derive in (bench.forward, bench.reverse):
        with pytest.raises(NoRule, match="way out:"):
            derive(function)


ODD = {
    "moved": (
        """
  %bits = load <3 x i64>, ptr %x, align 8
  %other = shufflevector <3 x i64> %bits, <3 x i64> poison, <3 x i32> <i32 2, i32 0, i32 1>
  store <3 x i64> %other, ptr %x, align 8""",
        [2, 0, 1, 3],
    ),
    "overwritten": ("\n  store <3 x i64> splat (i64 4607182418800017408), ptr %x, align 8", [-1, -1, -1, 3]),
    "overwritten by a number": ("\n  store i48 1234567, ptr %x, align 1", [-1, 1, 2, 3]),
}


@pytest.mark.parametrize("what", ODD)
def test_odd_vectors_of_integers(what: str) -> None:
    """A vector of three has no fourth lane, though it takes the place of four in an array."""
    body, source = ODD[what]
    x = np.array([0.5, 1.5, -2.0, 3.0])
    function, values = function_of("f", "void", [x])
    floats = "".join(
        f"""
  %p{k} = getelementptr double, ptr %x, i64 {k}
  %v{k} = load double, ptr %p{k}, align 8
  %w{k} = fmul double %v{k}, 2.0
  store double %w{k}, ptr %p{k}, align 8"""
        for k in range(4)
    )
    text = f"define void @f(ptr %x) {{{body}{floats}\n  ret void\n}}"
    bench = Bench(llvm.parse(text), function, optimise=False)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    jacobian = np.array([[2.0 * (k == s) for k in range(4)] for s in source])
    for direction in np.eye(4):
        np.testing.assert_array_equal(bench.jvp(forward, values, [direction])[1], jacobian @ direction)
        np.testing.assert_array_equal(bench.vjp(reverse, values, [direction])[1], direction @ jacobian)
# Nothing but bit operations says what is written: only who asks for the derivative knows.
ROTATED = """
define void @f(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %w = fmul double %v, %v
  %bits = bitcast double %w to i64
  %up = shl i64 %bits, 32
  %down = lshr i64 %bits, 32
  %rotated = or i64 %up, %down
  store i64 %rotated, ptr %y
  ret void
}
"""


def test_bits_that_are_written_for_others() -> None:
    """What goes out by a pointer with a shadow may be read as floats there, though nothing here says so."""
    function, _ = function_of("f", "void", [np.ones(1), np.ones(1)])
    bench = Bench(llvm.parse(ROTATED), function, optimise=False)
    for derive in (bench.forward, bench.reverse):
        with pytest.raises(NoRule, match="integers are written where floats are read"):
            derive(function)


BY_ADDRESS = """
declare i64 @llvm.bswap.i64(i64)
define internal i64 @swapped(i64 %bits) {
  %s = call i64 @llvm.bswap.i64(i64 %bits)
  ret i64 %s
}
define double @f(double %x) {
  %p = alloca ptr
  store ptr @swapped, ptr %p
  %y = fmul double %x, %x
  %bits = bitcast double %y to i64
  %q = load ptr, ptr %p
  %there = call i64 %q(i64 %bits)
  %back = call i64 @swapped(i64 %there)
  %z = bitcast i64 %back to double
  ret double %z
}
"""


def test_bits_that_are_passed_by_address() -> None:
    """Integers have no shadows where only an address is called: it was 0 forward, and a crash in reverse."""
    function, _ = function_of("f", "double", [0.7])
    bench = Bench(llvm.parse(BY_ADDRESS), function, optimise=False)
    for derive in (bench.forward, bench.reverse):
        with pytest.raises(NoRule, match="passed as an integer by a call of an address"):
            derive(function)


def test_bits_that_are_passed_by_name() -> None:
    """The same with the function known."""
    function, _ = function_of("f", "double", [0.7])
    bench = Bench(llvm.parse(BY_ADDRESS.replace("call i64 %q(", "call i64 @swapped(")), function, optimise=False)
    forward, reverse = bench.forward(function), bench.reverse(function)
    bench.build(level=0)
    assert bench.jvp(forward, [0.7], [np.ones(1)])[1] == pytest.approx([1.4], rel=1e-15)
    assert bench.vjp(reverse, [0.7], [np.ones(1)])[1] == pytest.approx([1.4], rel=1e-15)


HASHED = """
define double @f(ptr %x) {
entry:
  %value = load double, ptr %x, align 8
  %bits = bitcast double %value to i64
  %mixed = mul i64 %bits, %bits
  %high = add i64 %mixed, 1
  %y = uitofp i64 %high to double
  %r = fmul double %y, %value
  ret double %r
}"""


@pytest.mark.parametrize("mode", [Mode.forward, Mode.reverse])
@pytest.mark.parametrize("number", ["mul i64 %bits, %bits", "xor i64 %bits, 3"])
def test_numbers_made_of_digits_in_ways_not_understood_are_refused(mode: Mode, number: str) -> None:
    program = Program(HASHED.replace("mul i64 %bits, %bits", number))
    ret = Activity.dup if mode is Mode.forward else Activity.active
    with pytest.raises(NoRule, match="bits of an active float"):
        program.derivative(Request("f", mode, (Activity.dup,), (ret,)))


DECLARED_ALONE = """
#include <stdint.h>
#include <string.h>
double cast(const double *x) { const uint64_t *p = (const uint64_t *)x; return (double)p[0] * 1e-18; }
double copied(const double *x) { uint64_t u; memcpy(&u, x, 8); return (double)u * 1e-18; }
double beside(const double *x) { const int64_t *p = (const int64_t *)x; return p[0] * 1e-18 + x[1]; }
double counted(double *x) { uint64_t *p = (uint64_t *)x; double y = x[1]; p[0] = 3; return y * (double)p[0]; }
double shifted(const double *x, int n)
{
    uint64_t v[8];
    memcpy(v, x, 8 * n);
    double s = 0;
    for (int i = 0; i < n; i++) s += (double)(v[i] >> 2) * 1e-18;
    return s;
}
"""


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> gradir.NativeModule:
    path = tmp_path_factory.mktemp("bits") / "declared.c"
    path.write_text(DECLARED_ALONE)
    return gradir.load(path)


@pytest.mark.parametrize("name", ["cast", "copied", "beside"])
def test_digits_of_what_is_only_declared_to_be_floats(declared: gradir.NativeModule, name: str) -> None:
    """Nothing in the code reads a float there: the derivative was 0."""
    x = np.array([1.3, 2.1])
    with pytest.raises(NoRule, match="bits of an active float"):
        declared.grad(name)(x)
    with pytest.raises(NoRule, match="bits of an active float"):
        declared.jvp(name)(x, x)


def test_numbers_that_overwrite_declared_floats_are_numbers(declared: gradir.NativeModule) -> None:
    assert np.allclose(declared.grad("counted", wrt="x")(np.array([1.3, 2.1])), [0, 3])
    x = np.array([1.3, 2.1])
    slopes = [(declared["shifted"](x + e, 2) - declared["shifted"](x - e, 2)) / 2e-6 for e in 1e-6 * np.eye(2)]
    assert np.allclose(declared.grad("shifted", wrt="x")(x, 2), slopes, rtol=1e-6)
