"""How long `gradir opt` takes as files grow: by what a derivative reaches, not by what lies beside it.

    python benchmarks/scale.py [--most 1000]

Prints seconds for files of 10, 100 and 1,000 functions of which the derivative reaches one or all, for a C++ file of
some 2 MB of LLVM IR that is made of standard headers, and for a function that erases from a deque. Needs clang.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter

from gradir.machine.enzyme import lower_text

CLANG = next((found for v in ("", *(f"-{n}" for n in range(22, 16, -1))) if (found := shutil.which(f"clang++{v}"))), "")

ONE = """
__attribute__((noinline)) static double f{k}(const double *x, int n) {{
  double s = {before};
  for (int i = 0; i < n; i++) s += x[i] > {k} ? sin(x[i] * s) : x[i] / (s * s + {k} + 1);
  return s;
}}
"""
ASK = """
extern "C" void __enzyme_autodiff(void *, const double *, double *, int);
extern "C" void gradient(const double *x, double *dx, int n) {{ __enzyme_autodiff((void *)f{last}, x, dx, n); }}
"""

HEADERS = """
#include <algorithm>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
extern "C" double __enzyme_autodiff(void *, double);
static double square(double x) { return x * x; }
double slope(double x) { return __enzyme_autodiff((void *)square, x); }
std::vector<std::string> words(const std::string &text) {
  std::regex word("[a-z]+(-[a-z]+)*");
  std::vector<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) found.push_back(i->str());
  std::sort(found.begin(), found.end());
  return found;
}
std::map<std::string, int> counts(std::istream &in) {
  std::map<std::string, int> table;
  for (std::string word; in >> word;) ++table[word];
  return table;
}
struct Shape { virtual double area() const { return 1; } virtual ~Shape() {} };
double total(std::deque<std::shared_ptr<Shape>> &shapes, std::unordered_map<int, std::vector<double>> &rows) {
  double s = 0;
  std::stable_sort(shapes.begin(), shapes.end(), [](auto &a, auto &b) { return a->area() < b->area(); });
  for (auto &shape : shapes) s += shape->area();
  for (auto &[k, row] : rows) std::partial_sort(row.begin(), row.begin() + row.size() / 2, row.end()), s += row[k];
  std::cout << s << std::endl;
  return s;
}
"""

ERASE = """
#include <deque>
extern "C" double __enzyme_autodiff(void *, double, int);
static double erased(double x, int n) {
  std::deque<double> d;
  for (int i = 0; i < n; i++) d.push_back(x * i);
  d.erase(d.begin() + 1, d.begin() + 3);
  double s = 0;
  for (double v : d) s += v * v;
  return s;
}
double slope(double x, int n) { return __enzyme_autodiff((void *)erased, x, n); }
"""


def functions(count: int, chained: bool) -> str:
    """So many functions, of which the derivative reaches all, or one."""
    made = ["#include <math.h>\n"]
    for k in range(count):
        before = f"f{k - 1}(x, n)" if chained and k else "1"
        made.append(ONE.format(k=k, before=before).replace("static", "static" if chained or k == count - 1 else ""))
    return "".join(made) + ASK.format(last=count - 1)


def seconds(source: str) -> tuple[float, int]:
    """How long it takes, and the size of the text that clang gives."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "source.cpp")
        path.write_text(source)
        command = [CLANG, "-std=c++17", "-w", "-O1", "-S", "-emit-llvm", str(path), "-o", "-"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    start = perf_counter()
    lower_text(text)
    return perf_counter() - start, len(text)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--most", type=int, default=1000, help="the largest number of functions")
    most = parser.parse_args().most
    seconds(functions(2, chained=True))  # once, so that all code is loaded
    print(f"{'functions':>12} {'reached one':>14} {'reached all':>14}")
    for count in (n for n in (10, 100, 1000) if n <= most):
        one, all_ = (seconds(functions(count, chained))[0] for chained in (False, True))
        print(f"{count:12} {one:13.2f}s {all_:13.2f}s")
    for name, source in (("standard headers", HEADERS), ("deque::erase", ERASE)):
        taken, size = seconds(source)
        print(f"{name} ({size / 1e6:.1f} MB): {taken:.2f} s")


if __name__ == "__main__":
    main()
