"""Functions without a body that write memory which the program reads: what was there before is kept, not read again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import gradir
from gradir.errors import NoRule
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.memory_effects import MemoryEffects, memory_effects

needs_libstdcxx = pytest.mark.skipif(shutil.which("clang-19") is None, reason="needs clang-19 with libstdc++")

C = r"""
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <stddef.h>

double grown(double x, int n) {
  char text[64] = "a";
  double sum = 0;
  for (int i = 0; i < n; i++) { strcat(text, "bc"); sum += x * x * (double)strlen(text) * text[1]; }
  return sum;
}
double printed(double x, int n) {
  char text[32];
  double sum = 0;
  for (int i = 0; i < n; i++) { snprintf(text, sizeof text, "%d", 7 * i * i + i); sum += x * x * x * (text[0] - '0'); }
  return sum;
}
double tokens(double x, int n) {
  char text[] = "a,bcd,ef,ghijk";
  double sum = 0;
  for (char *word = strtok(text, ","); word && n--; word = strtok(NULL, ",")) sum = sum * x + x * (double)strlen(word);
  return sum;
}
double scanned(double x, int n) {
  const char *texts[] = {"3 1", "1 4", "2 2", "5 0"};
  int power, factor;
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sscanf(texts[i % 4], "%d %d", &power, &factor);
    double y = factor + x;
    for (int k = 0; k < power; k++) y *= x;
    sum += y;
  }
  return sum;
}
double ends(double x, int n) {
  const char *at = "1.5 2.5 -3 4";
  double sum = 0;
  for (int i = 0; i < n; i++) { char *end; double value = strtod(at, &end); at = end; sum += x * x * value; }
  return sum;
}
double errors(double x, int n) {
  const char *texts[] = {"12", "99999999999999999999999", "7", "8888888888888888888888888"};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    errno = 0;
    strtol(texts[i % 4], NULL, 10);
    sum += x * x * (errno + 1);
  }
  return sum;
}
double seeds(double x, int n) {
  unsigned seed = 42;
  double sum = 0;
  for (int i = 0; i < n; i++) { rand_r(&seed); sum += x * x * (seed % 100); }
  return sum;
}
double calendar(double x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) {
    time_t when = (time_t)i * 86400 * 400;
    struct tm *day = gmtime(&when);
    sum += x * x * x * day->tm_yday;
  }
  return sum;
}
static int by_size(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
double sorted(double x, int n) {
  int order[4] = {4, 3, 2, 1};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x * x * order[0];
    order[i % 4] += 3;
    qsort(order, 4, sizeof(int), by_size);
  }
  return sum;
}
/* What is read into active memory is constant. */
double replaced(double x, int n) {
  double y = x * x, sum = 0;
  for (int i = 0; i < n; i++) { sum += y * x; sscanf("2.5", "%lf", &y); }
  return sum;
}
double not_replaced(double x, int n) {
  double y = x * x, sum = 0;
  for (int i = 0; i < n; i++) { sum += y * x; if (sscanf(i % 2 ? "7" : "none", "%lf", &y) != 1) y *= x; }
  return sum;
}
double from_file(double x, int n) {
  double values[4] = {x, x * x, x * x * x, 1}, two[2] = {10, 20};
  FILE *file = tmpfile();
  fwrite(two, sizeof(double), 2, file);
  rewind(file);
  for (int i = 0; i < n; i++) values[i % 4] *= 3;
  fread(values + 1, sizeof(double), 3, file); /* there are only two */
  fclose(file);
  return values[0] * values[1] + values[2] * x + values[3] * x * x;
}
double random_numbers(double x, int n) {
  srand(7);
  double sum = 0;
  for (int i = 0; i < n; i++) { double u = rand() / (double)RAND_MAX; sum += u * x * x + atof("0.5") * x; }
  return sum;
}
"""

CXX = r"""
#include <list>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
extern "C" {
double appended(double x, int n) {
  std::string text;
  double sum = 0;
  for (int i = 0; i < n; i++) { text.append("abc"); sum += x * x * (double)text.size(); }
  return sum;
}
double characters(double x, int n) {
  std::string text = "some text that is too long to lie in the object itself";
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x * x * text[i] + (double)text.size() * x;
    text.insert(0, "zy");
    text.replace(3, 2, "0123456789");
  }
  return sum;
}
double streamed(double x, int n) {
  double sum = 0;
  std::ostringstream out;
  for (int i = 0; i < n; i++) { out << i * 37 << ' '; sum += x * x * (double)out.str().size(); }
  return sum;
}
double read_back(double x, int n) {
  std::istringstream in("1.5 2 3.25 -4 0.5");
  double value = x, sum = 0;
  for (int i = 0; i < n; i++) { sum += value * x; in >> value; }
  return sum + value * x * x;
}
double counted(double x, int n) {
  std::set<int> seen;
  double sum = 0;
  for (int i = 0; i < n; i++) { seen.insert(i * i % 5); sum += x * x * (double)seen.size() * (*seen.rbegin() + 1); }
  return sum;
}
double mapped(double x, int n) {
  std::map<int, double> values;
  for (int i = 0; i < n; i++) values[(i * 7) % 5] += x * x * (i + 1);
  values.erase(2);
  double sum = 0;
  for (auto &p : values) sum = sum * x + p.second * p.first + p.second;
  return sum;
}
double hashed(double x, int n) {
  std::unordered_map<int, double> values;
  for (int i = 0; i < n; i++) values[i * 31 % 7] += x * x * i;
  double sum = 0;
  for (int i = 0; i < 7; i++) {
    auto found = values.find(i);
    if (found != values.end()) sum += found->second * (i + x);
  }
  return sum;
}
}
"""


UNSURE = r"""
#include <list>
#include <string>
#include <vector>
extern "C" {
double listed(double x, int n) {
  std::list<double> values;
  for (int i = 0; i < n; i++) { if (i % 2) values.push_back(x * i); else values.push_front(x * x + i); }
  values.reverse();
  values.pop_front();
  double sum = 0;
  for (double v : values) sum = sum * 0.5 + v * v;
  return sum;
}
struct Named { std::string name; double weight; };
double named(double x, int n) {
  std::vector<Named> all;
  for (int i = 0; i < n; i++) {
    all.push_back({std::string("a name that is longer than the object") + char('a' + i), x * i});
    all.back().name += "more";
  }
  double sum = 0;
  for (auto &each : all) sum += each.weight * each.weight * (double)each.name.size();
  return sum;
}
}
"""


def differences(f, x: float, n: int) -> float:
    """Central differences: the error is about h² times the third derivative, and ε / h."""
    h = 1e-5
    return (f(x + h, n) - f(x - h, n)) / (2 * h)


def check(m, name: str) -> None:
    f = m[name]
    for x, n in ((1.3, 1), (0.7, 5)):
        expected = differences(f, x, n)
        reverse = m.grad(name)(x, n)
        _, forward = m.jvp(name)(x, n, 1.0)
        assert np.isclose(reverse, forward, rtol=1e-12, atol=1e-12), (name, x, n, reverse, forward, expected)
        assert np.isclose(reverse, expected, rtol=1e-7, atol=1e-7), (name, x, n, reverse, expected)


def functions(source: str) -> list[str]:
    return [line.split("(")[0].split()[1] for line in source.splitlines() if line.startswith("double ")]


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def c(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("effects") / "effects.c"
    path.write_text(C)
    return gradir.load(path, flags=[] if request.param == "-O2" else ["-O0"])


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def cxx(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("effects") / "effects.cpp"
    path.write_text(CXX)
    return gradir.load(path, flags=[] if request.param == "-O2" else ["-O0"], compiler="clang-19")


@pytest.mark.parametrize("name", functions(C))
def test_c(c, name: str) -> None:
    check(c, name)


@needs_libstdcxx
@pytest.mark.parametrize("name", functions(CXX))
def test_cxx(cxx, name: str) -> None:
    check(cxx, name)


@needs_libstdcxx
@pytest.mark.parametrize("flags", [[], ["-O0"]])
@pytest.mark.parametrize("name", functions(UNSURE))
def test_right_or_refused(tmp_path: Path, name: str, flags: list[str]) -> None:
    """Where text or a list's own numbers lie beside floats, types may not tell them apart."""
    path = tmp_path / "unsure.cpp"
    path.write_text(UNSURE)
    m = gradir.load(path, flags=flags, compiler="clang-19")
    try:
        check(m, name)
    except NoRule as refused:
        assert "way out" in str(refused)


UNKNOWN = """
void advance(int *state);
void scale(double *values);
double stepped(double x, int n) {
  int state = 1;
  double sum = 0;
  for (int i = 0; i < n; i++) { advance(&state); sum += x * x * state; }
  return sum;
}
double scaled(double x, int n) { double y = x * x; scale(&y); return y * n; }
"""


def test_a_function_that_nobody_knows_may_write_whatever_it_reaches(tmp_path: Path) -> None:
    library, source, path = tmp_path / "libstate.so", tmp_path / "state.c", tmp_path / "unknown.c"
    source.write_text("void advance(int *state) { *state = *state * 3 + 1; } void scale(double *v) { *v *= 2; }")
    path.write_text(UNKNOWN)
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(library)], check=True)
    m = gradir.load(path, libraries=[str(library)])
    check(m, "stepped")
    for derivative in (m.grad("scaled"), lambda x, n: m.jvp("scaled")(x, n, 1.0)):
        with pytest.raises(NoRule, match=r"unknown.c:10.*@scale has no body here(?s:.*)__enzyme_inactivefn"):
            derivative(1.5, 2)


@pytest.mark.parametrize(
    ("text", "arguments", "other"),
    [
        ("memory(none)", False, False),
        ("memory(read)", False, False),
        ("nounwind memory(argmem: read)", False, False),
        ("memory(argmem: write)", True, False),
        ("memory(inaccessiblemem: readwrite)", False, False),
        ("memory(read, inaccessiblemem: readwrite)", False, False),
        ("memory(argmem: readwrite, inaccessiblemem: readwrite)", True, False),
        ("memory(errnomem: write)", False, True),
        ("memory(readwrite, argmem: none)", False, True),
        ("memory(read, argmem: readwrite, target_mem0: write)", True, False),
        ("memory(write)", True, True),
        ("nounwind willreturn", True, True),
        ('"some-memory"="none"', True, True),
    ],
)
def test_what_attributes_say_of_memory(text: str, arguments: bool, other: bool) -> None:
    assert memory_effects(Attributes(text)) == MemoryEffects(arguments, other)
