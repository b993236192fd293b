"""The derivative of `relu3`, made by gradir, is what one would write by hand: instruction by instruction, after O3."""

from __future__ import annotations

import re

import pytest

from gradir.frontends import CompilerOptions
from gradir.frontends.c import to_llvm
from gradir.machine import llvm
from gradir.machine.transform.derive import Options, Program
from gradir.request import Activity, Mode, Request

REQUESTS = {
    "reverse": Request("relu3", Mode.reverse, (Activity.active,), (Activity.activenoneed,)),
    "forward": Request("relu3", Mode.forward, (Activity.dup,), (Activity.dupnoneed,)),
}
FAST = ("-ffast-math",)
HEADER = "#include <math.h>\n"
PRODUCT = "double relu3(double x) { return x > 0 ? x * x * x : 0; }"
POWER = f"{HEADER}double relu3(double x) {{ return x > 0 ? pow(x, 3) : 0; }}"
BRANCH = f"{HEADER}double relu3(double x) {{ if (x > 0) return pow(x, 3); return 0; }}"


def instructions(text: str, name: str) -> list[str]:
    """What a function does, without names, flags of arithmetic, attributes and blank lines."""
    body = re.search(rf"^define [^\n]*@{name}\([^\n]*\n(.*?)^}}", text, re.MULTILINE | re.DOTALL)[1]
    lines = [re.sub(r"\b(fast|reassoc|nsz|contract) ", "", line.strip()) for line in body.split("\n")]
    lines = [line for line in lines if line and not line.endswith(":")]
    names: dict[str, str] = {"%x": "%x"}
    for line in lines:
        if m := re.match(r"(%[\w.]+) = ", line):
            names[m[1]] = f"%{len(names)}"
    renamed = [re.sub(r"%[\w.]+", lambda m: names[m[0]], line) for line in lines]
    return [_ordered(line) for line in renamed]


def _ordered(line: str) -> str:
    """The operands of a product in one order."""
    if m := re.fullmatch(r"(.*fmul double )(\S+), (\S+)", line):
        return m[1] + ", ".join(sorted(m.groups()[1:]))
    return line


def derivative(tmp_path, source: str, mode: str, flags: tuple[str, ...]) -> list[str]:
    """With the seed, or the tangent, one."""
    path = tmp_path / "relu3.c"
    path.write_text(source)
    module = llvm.normalise(to_llvm(path, CompilerOptions(flags)), ["relu3"])
    program = Program(llvm.canonical_text(module))
    name = program.derivative(REQUESTS[mode], Options(fast=flags == FAST))
    caller = (
        f"define double @slope(double %x) {{\n  %y = call double @{name}(double %x, double 1.0)\n  ret double %y\n}}\n"
    )
    whole = llvm.without_debug_info(program.text() + caller)
    llvm.internalise(whole, ["slope"])
    return instructions(str(llvm.optimise(whole)), "slope")


def by_hand(tmp_path, source: str, flags: tuple[str, ...]) -> list[str]:
    path = tmp_path / "by_hand.c"
    path.write_text(source)
    module = llvm.without_debug_info(str(llvm.prepare(to_llvm(path, CompilerOptions(flags)))))
    return instructions(str(llvm.optimise(module)), "by_hand")


@pytest.mark.parametrize(
    ("source", "written", "mode", "flags"),
    [
        (POWER, "3 * pow(x, 2)", "reverse", ()),
        (POWER, "3 * pow(x, 2)", "forward", ()),
        (BRANCH, "3 * pow(x, 2)", "reverse", ()),
        (BRANCH, "3 * pow(x, 2)", "forward", ()),
        (POWER, "3 * pow(x, 2)", "reverse", FAST),
        (POWER, "3 * pow(x, 2)", "forward", FAST),
        (PRODUCT, "3 * x * x", "reverse", FAST),
        (PRODUCT, "3 * x * x", "forward", FAST),
        # Sums and products of derivatives are ours to order, with or without leave to reorder the program's own.
        (PRODUCT, "3 * (x * x)", "forward", ()),
    ],
)
def test_as_by_hand(tmp_path, source, written, mode, flags):
    expected = by_hand(tmp_path, f"{HEADER}double by_hand(double x) {{ return x > 0 ? {written} : 0; }}", flags)
    assert derivative(tmp_path, source, mode, flags) == expected


@pytest.mark.parametrize("mode", REQUESTS)
def test_what_is_ours_to_order(tmp_path, mode):
    """Products and sums of derivatives, not the formulas of partial derivatives; nothing is said to be finite."""
    path = tmp_path / "f.c"
    path.write_text(f"{HEADER}double relu3(double x) {{ return tanh(x) * x; }}")
    program = Program(llvm.canonical_text(llvm.normalise(to_llvm(path, CompilerOptions()), ["relu3"])))
    name = program.derivative(REQUESTS[mode], Options())
    body = re.search(rf"^define [^\n]*@{name}\([^\n]*\n(.*?)^}}", program.text(), re.MULTILINE | re.DOTALL)[1]
    assert "reassoc nsz contract" in body and not re.search(r"\b(fast|nnan|ninf|afn|arcp)\b", body)
    (square, one_minus) = (re.search(rf"= {op} ([a-z ]*)double", body)[1] for op in ("fmul", "fsub"))
    assert square.strip() in ("", "nsz") and one_minus.strip() == "nsz", "1 - tanh(x)² is rounded as it is written"
