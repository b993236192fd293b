"""Random C programs: loops, branches, arrays, calls and updates in place, all of them defined and bounded.

`python random_c.py 7` prints the program of seed 7.
"""

from __future__ import annotations

import random
import sys

__all__ = ["LENGTH", "program"]

LENGTH = 8
"""Of each array; indices are taken modulo it."""

BOUNDED = ("sin({})", "cos({})", "tanh({})", "({0}) / (1 + ({0}) * ({0}))", "exp(-({0}) * ({0}))", "atan({})")
ANY = (
    "({}) + ({})",
    "({}) - ({})",
    "({}) * ({})",
    "({}) * 0.5 + ({})",
    "({0}) / sqrt(1.5 + ({1}) * ({1}))",
    "fmax({}, {})",
)


class Writer:
    """Writes one function. Loops end: those that count do, and those on conditions are given a number of rounds."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 0
        self.loops: list[str] = []
        self.counters = 0
        self.budget = 14
        """How many statements may still be written."""

    def line(self, text: str) -> None:
        self.lines.append("    " * (self.depth + 1) + text)

    def index(self) -> str:
        choices = [str(self.random.randrange(LENGTH)), f"k[{self.random.randrange(4)}]"]
        for loop in self.loops:
            choices += [loop, f"{LENGTH - 1} - {loop}", f"{loop} * 3 + 1", f"{loop} + k[{self.random.randrange(4)}]"]
        if len(self.loops) > 1:
            choices.append(" + ".join(self.loops[-2:]))
        return f"({self.random.choice(choices)}) & {LENGTH - 1}"

    def place(self) -> str:
        """Something that can be read and written."""
        kind = self.random.random()
        if kind < 0.35:
            return self.random.choice(["a", "b", "c"])
        array = self.random.choice(["x", "y", "t", "m"])
        return f"{array}[{self.index()}]"

    def expression(self, depth: int = 2) -> str:
        if depth == 0 or self.random.random() < 0.15:
            return self.place() if self.random.random() < 0.85 else f"{self.random.uniform(-1, 1):.2f}"
        if self.random.random() < 0.4:
            return self.random.choice(BOUNDED).format(self.expression(depth - 1))
        return self.random.choice(ANY).format(self.expression(depth - 1), self.expression(depth - 1))

    def condition(self) -> str:
        choices = [f"{self.place()} < {self.random.uniform(-0.5, 0.5):.3f}", f"{self.place()} > {self.place()}"]
        choices += [f"({loop} + {self.random.randrange(3)}) % 3 == 0" for loop in self.loops]
        return self.random.choice(choices)

    def statement(self) -> None:
        self.budget -= 1
        kinds = ["assign"] * 5 + ["update"] * 3 + ["if"] * 2 + ["for"] * 2 + ["while", "call", "swap", "copy"]
        if self.loops:
            kinds += ["leave"]
        kind = self.random.choice(kinds)
        if kind in ("if", "for", "while") and (self.depth >= 3 or self.budget < 2):
            kind = "assign"
        getattr(self, f"write_{kind}")()

    def block(self) -> None:
        self.depth += 1
        for _ in range(self.random.randint(1, 3)):
            self.statement()
        self.depth -= 1
        self.line("}")

    def write_assign(self) -> None:
        self.line(f"{self.place()} = {self.random.choice(BOUNDED).format(self.expression())};")

    def write_update(self) -> None:
        place = self.place()
        self.line(f"{place} = 0.6 * {place} + {self.random.choice(BOUNDED).format(self.expression())};")

    def write_if(self) -> None:
        self.line(f"if ({self.condition()}) {{")
        self.block()
        if self.random.random() < 0.5:
            self.line("else {")
            self.block()

    def write_for(self) -> None:
        i = f"i{self.counters}"
        self.counters += 1
        start, count = (
            self.random.randrange(3),
            self.random.choice(["n", "3", "n - 2", *[f"{l} + 1" for l in self.loops]]),
        )
        forms = [f"int {i} = {start}; {i} < {count}; {i}++", f"int {i} = {count}; {i} > {start}; {i}--"]
        forms.append(f"int {i} = 0; {i} < {count}; {i} += 2")
        self.line(f"for ({self.random.choice(forms)}) {{")
        self.loops.append(i)
        self.block()
        self.loops.pop()

    def write_while(self) -> None:
        left = f"left{self.counters}"
        self.counters += 1
        self.line(f"int {left} = {self.random.randint(2, 6)};")
        if self.random.random() < 0.5:
            self.line(f"while ({self.condition()} && {left}-- > 0) {{")
            self.block()
        else:
            self.line("do {")
            self.block()
            self.lines[-1] += f" while ({left}-- > 0 && {self.condition()});"

    def write_leave(self) -> None:
        self.line(f"if ({self.condition()}) {self.random.choice(['break', 'continue', 'return a'])};")

    def write_call(self) -> None:
        arrays = self.random.sample(["x", "y", "t", "m"], 2)
        self.line(f"{self.place()} = mix({arrays[0]}, {arrays[1]}, {self.index()}, {self.expression(1)});")

    def write_swap(self) -> None:
        a, b = self.place(), self.place()
        self.line(f"{{ double s = {a}; {a} = {b}; {b} = s; }}")

    def write_copy(self) -> None:
        to, source = self.random.sample(["x", "y", "t", "m"], 2)
        self.line(f"memcpy({to} + {self.random.randrange(4)}, {source}, 3 * sizeof(double));")


PRELUDE = """#include <math.h>
#include <stdlib.h>
#include <string.h>

static __attribute__((noinline)) double mix(double *p, const double *q, int i, double v)
{
    double r = p[i] * 0.5 + sin(v) * q[7 - i];
    if (r > 0.2)
        p[(i + 3) & 7] = tanh(r + p[(i + 3) & 7]);
    return cos(r);
}
"""


def program(seed: int) -> str:
    """A C function `double fuzz_<seed>(double *x, double *y, const int *k, int n, double a)`."""
    writer = Writer(seed)
    while writer.budget > 0:
        writer.statement()
    body = "\n".join(writer.lines)
    returned = body.replace("return a;", "{ free(m); return a; }")
    return f"""
double fuzz_{seed}(double *x, double *y, const int *k, int n, double a)
{{
    double b = 0.3, c = -0.2, t[{LENGTH}], *m = malloc({LENGTH} * sizeof(double));
    for (int i = 0; i < {LENGTH}; i++) {{
        t[i] = x[i] * 0.5;
        m[i] = y[{LENGTH - 1} - i];
    }}
{returned}
    double sum = a * b + c;
    for (int i = 0; i < {LENGTH}; i++)
        sum += t[i] * m[i] + x[i] * y[i];
    free(m);
    return sum;
}}
"""


if __name__ == "__main__":
    print(PRELUDE, program(int(sys.argv[1])))
