"""Only what Enzyme's calls reach is touched: the rest stays as it was written, and both still share what they share."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.machine import ir, llvm
from gradir.machine.analysis.cfg import CFG
from gradir.machine.analysis.memory import Memory
from gradir.machine.enzyme import lower_text
from gradir.machine.enzyme.reach import cut, joined
from gradir.machine.ir.graphs import callees_first
from gradir.machine.ir.text.reader import read

CLANG = next((found for v in ("", *(f"-{n}" for n in range(22, 16, -1))) if (found := shutil.which(f"clang{v}"))), None)
needs_clang = pytest.mark.skipif(CLANG is None, reason="needs clang (Debian: apt install clang-19)")

PARTS = """
$shared = comdat any
@count = internal global i32 0
@table = private constant [2 x ptr] [ptr @f, ptr @far]
@far_alias = alias double (double), ptr @far
declare double @__enzyme_autodiff(ptr, ...)
define internal double @f(double %x) {
  %old = load i32, ptr @count
  %new = add i32 %old, 1
  store i32 %new, ptr @count
  %y = call double @shared(double %x)
  ret double %y
}
define linkonce_odr double @shared(double %x) comdat {
  %y = fmul double %x, %x
  ret double %y
}
define linkonce_odr double @beside(double %x) comdat($shared) {
  ret double %x
}
define double @df(double %x) {
  %d = call double (ptr, ...) @__enzyme_autodiff(ptr @f, double %x)
  ret double %d
}
define double @far(double %x) {
  %a = call double @shared(double %x)
  %b = call double @beside(double %a)
  %c = load ptr, ptr @table
  %d = call double %c(double %b)
  ret double %d
}
define i32 @counted() {
  %n = load i32, ptr @count
  ret i32 %n
}
"""


def parts() -> tuple[ir.Module, ir.Module]:
    made = cut(str(llvm.parse(PARTS)))
    assert made is not None
    return read(str(llvm.parse(made.reached))), read(str(llvm.parse(made.rest)))


def test_a_module_is_cut_where_derivatives_end():
    part, rest = parts()
    assert {f.name for f in part.definitions} == {"f", "shared", "df"}
    assert {f.name for f in rest.definitions} == {"far", "beside", "counted"}
    assert part.globals["count"].initializer == "0" and rest.globals["count"].initializer is None
    assert "table" not in part.globals and rest.functions["f"].is_declaration


def test_what_both_use_is_as_it_was_in_the_end():
    made = cut(str(llvm.parse(PARTS)))
    assert made is not None
    whole = read(str(llvm.parse(joined(made.reached, made))))
    assert {f.name for f in whole.definitions} == {"f", "shared", "beside", "df", "far", "counted"}
    assert whole.functions["f"].signature.linkage == "internal" and whole.globals["count"].linkage == "internal"
    assert whole.functions["shared"].signature.linkage == "linkonce_odr"
    assert "comdat" in whole.functions["shared"].signature.trailing
    assert whole.functions["beside"].signature.trailing["comdat"] == "comdat($shared)"
    assert whole.aliases == {"far_alias": "far"}


def test_nothing_is_cut_where_nothing_is_left_over():
    module = read(str(llvm.parse(PARTS)))
    for name in ("far_alias", "table", "far", "beside", "counted"):
        module.remove(name)
    assert cut(str(llvm.parse(str(module)))) is None


def test_the_rest_stays_as_it_was_written():
    slow = "  %a = fmul double %x, 1.0\n  %b = fsub double %a, 0.0\n  ret double %b\n"
    text = lower_text(f"{PARTS}define double @slow(double %x) {{\n{slow}}}\n")
    assert "fsub double %a, 0.0" in text and "__enzyme" not in text
    whole = lower_text(f"{PARTS}define double @slow(double %x) {{\n{slow}}}\n", whole=True)
    assert "%a = fmul" not in whole.partition("@slow(")[2].partition("}")[0] and "__enzyme" not in whole


PROGRAMS = {
    "static.c": """
#include <stdio.h>
static int calls;
static double table[3] = {1, 2, 3};
static double f(double x) { calls++; return x * x * table[1]; }
double __enzyme_autodiff(void *, double);
double slope(double x) { return __enzyme_autodiff((void *)f, x); }
static void report(double x) { table[1] = 5; printf("%g %g %d\\n", f(x), slope(x), calls > 1); }
int main(void) { report(3); return 0; }
""",
    "virtual.cpp": """
#include <cstdio>
struct Shape { virtual double area(double) const = 0; virtual ~Shape() {} };
struct Square : Shape { double area(double x) const override { return x * x; } };
struct Circle : Shape { double area(double x) const override { return 3 * x * x; } };
static double f(double x, int n) { Square s; Circle c; const Shape *p = n ? (const Shape *)&s : &c; return p->area(x); }
double __enzyme_autodiff(void *, double, int);
__attribute__((noinline)) double slope(double x, int n) { return __enzyme_autodiff((void *)f, x, n); }
int main() { Circle c; const Shape *p = &c; printf("%g %g %g\\n", slope(3, 0), slope(3, 1), p->area(1)); }
""",
    "inline.cpp": """
#include <algorithm>
#include <cstdio>
#include <vector>
inline int &counter() { static int n = 0; return n; }
template <class T> T cube(T x) { counter()++; return x * x * x; }
double __enzyme_autodiff(void *, double);
double slope(double x) { return __enzyme_autodiff((void *)cube<double>, x); }
int main() {
  std::vector<double> v{3, 1, 2};
  std::sort(v.begin(), v.end());
  printf("%g %g %g %d\\n", v[0], cube(2.0), slope(2), counter() > 1);
}
""",
}
SAID = {"static.c": "45 30 1\n", "virtual.cpp": "18 6 3\n", "inline.cpp": "1 8 12 1\n"}


@needs_clang
@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("source", PROGRAMS)
def test_programs_run_as_one(source: str, level: str, tmp_path: Path):
    path, lowered, program = tmp_path / source, tmp_path / "lowered.ll", tmp_path / "program"
    path.write_text(PROGRAMS[source])
    front = [str(CLANG), *(["--driver-mode=g++"] if source.endswith("pp") else []), "-w"]
    text = subprocess.run([*front, level, "-S", "-emit-llvm", str(path), "-o", "-"], capture_output=True, check=True)
    lowered.write_text(lower_text(text.stdout.decode(), whole=level == "-O0"))
    subprocess.run([*front, str(lowered), "-lm", "-o", str(program)], check=True)
    said = subprocess.run([str(program)], capture_output=True, check=True).stdout.decode()
    assert said == SAID[source]


# -- Long chains of calls


def test_a_chain_of_calls_may_be_longer_than_pythons_stack():
    chain = "define void @f0(ptr %p) {\nentry:\n  store i64 1, ptr %p\n  ret void\n}\n"
    for k in range(1, 600):
        chain += f"define void @f{k}(ptr %p) {{\nentry:\n  call void @f{k - 1}(ptr %p)\n  ret void\n}}\n"
    module = read(chain)
    last = module.functions["f599"]
    assert callees_first(module, last) == [f"f{k}" for k in range(599)]
    finished: dict = {}
    memory = Memory(module, last, CFG(last), finished=finished)
    assert len(finished) == 599 and all(s.writes and not s.waits for s in finished.values())
    assert memory.effects(last.entry.instructions[0]).written
    assert callees_first(module, last, finished) == []


LISTS = """
struct node { double x; struct node *next; };
static double g(struct node *p, double s);
__attribute__((noinline)) static double f(struct node *p, double s) { return p ? g(p->next, s * p->x) : s; }
__attribute__((noinline)) static double g(struct node *p, double s) { return p ? f(p->next, s + p->x * p->x) : s; }
double lists(const double *x) {
  struct node c = {x[2], 0}, b = {x[1], &c}, a = {x[0], &b};
  return f(&a, 1.0);
}
"""


def test_functions_that_take_a_list_in_turns(tmp_path):
    path = tmp_path / "lists.c"
    path.write_text(LISTS)
    lists = gradir.load(path)["lists"]
    x = np.array([2.0, 3.0, 5.0])
    value, gradient = lists.value_and_grad("x")(x)  # (x0 + x1^2) x2, exact in small whole numbers
    assert value == 55 and gradient.tolist() == [5, 30, 11]
    assert lists.jvp("x")(x, np.array([1.0, 1.0, 0.0])) == (55, 35)


def test_what_calls_itself_comes_in_no_order():
    text = "".join(
        f"define void @{name}() {{\nentry:\n{''.join(f'  call void @{c}(){chr(10)}' for c in calls)}  ret void\n}}\n"
        for name, calls in {"a": "bc", "b": "a", "c": "d", "d": "", "e": "ae"}.items()
    )
    module = read(text)
    assert callees_first(module, module.functions["e"]) == ["d", "c"]
