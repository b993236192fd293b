# ruff: noqa: E501
"""Random C and C++ programs that are differentiable by construction, all of them defined and bounded.

Each is generic in its scalar T: `double` for gradir, dual numbers for the oracle. What a program may touch is known
where it is written: a buffer has at least LENGTH elements (indices are taken modulo that), a pointer never outlives what
it points to, loops end, and what is assigned is bounded.

`python generate.py 7` prints the program of seed 7.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.features import LATER, MORE, Features
from fuzz.tree import Block, Expression, Node, Program, Statement, expression, statement

__all__ = ["LENGTH", "program"]

LENGTH = 8
"""Of x and y, and the least of any buffer."""

BOUNDED = (
    "sin($)",
    "cos($)",
    "tanh($)",
    "atan($)",
    "erf($)",
    "asin(0.5 * sin($))",
    "exp(-fabs($))",
    "log1p(exp(-fabs($)))",
    "expm1(-fabs($))",
    "sin(sinh(tanh($)))",
    "tanh(cbrt(2.0 + sin($)))",
    "log(1.5 + tanh($))",
    "exp2(-fabs($))",
    "asinh(sin($))",
)
BOUNDED_WEIGHTS = (6, 6, 6, 4) + (1,) * 10
ANY = (
    "($ + $)",
    "($ - $)",
    "($ * $)",
    "($ * 0.5 + $)",
    "($ / sqrt(1.5 + sin($)))",
    "fmax($, $)",
    "fmin($, $)",
    "hypot($, 1.0 + fabs($))",
    "atan2($, 1.5 + fabs($))",
    "pow(1.5 + sin($), $)",
    "fma($, $, T(0.25))",
    "copysign($, $)",
)
ANY_WEIGHTS = (8, 6, 8, 4, 3, 2, 1, 1, 1, 1, 1, 1)


@dataclass(frozen=True)
class Struct:
    """A struct type: its fields are "T", "int", "F", "T3" (three of T), "ptr" (to a buffer), or another struct."""

    name: str
    fields: tuple[tuple[str, str | Struct], ...]

    @property
    def has_pointer(self) -> bool:
        return any(f == "ptr" or (isinstance(f, Struct) and f.has_pointer) for _, f in self.fields)


@dataclass(frozen=True)
class Buffer:
    """Memory of at least LENGTH scalars. `root` names the object where that is known; `depth` is its scope's."""

    name: str
    depth: int
    root: str | None = None
    writable: bool = True
    stable: bool = True
    """Whether its address stays the same while it lives, so that a pointer may point to it."""
    contiguous: bool = True


@dataclass(frozen=True)
class Variable:
    """A struct that can be read and written."""

    name: str
    type: Struct
    depth: int


@dataclass
class Scope:
    depth: int = 0
    scalars: list[str] = field(default_factory=list)
    buffers: list[Buffer] = field(default_factory=list)
    pointers: list[tuple[str, int]] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    states: list[str] = field(default_factory=list)
    structs: list[Variable] = field(default_factory=list)
    tables: list[Variable] = field(default_factory=list)
    """Arrays of four structs."""
    narrow: list[str] = field(default_factory=list)
    loops: int = 0
    returns: str = "return $;"
    """How to leave the function, with a scalar."""

    def inner(self) -> Scope:
        lists = {k: list(v) for k, v in vars(self).items() if isinstance(v, list)}
        return replace(self, depth=self.depth + 1, **lists)


class Impossible(Exception):
    """What was to be written needs something that isn't in scope."""


class Writer(Features):
    """Writes one program."""

    def __init__(self, seed: int, name: str | None = None) -> None:
        self.random = random.Random(seed)
        self.id = name or f"fuzz_{seed}"
        self.language = self.random.choice(["c", "cpp"])
        self.top = Block(braces=False)
        self.entry: list[Statement] = []
        """What the program does first: globals get their values."""
        self.scope = Scope()
        self.globals = Scope()
        self.counter = 0
        self.budget = self.random.randint(6, 16)
        self.nesting = 0
        self.structs: list[Struct] = []
        self.functions: list[Callable[[], Expression]] = []
        self.features: set[str] = set()
        self.kinds = STATEMENTS + (MORE if seed >= LATER else [])
        favourites = self.random.sample(range(len(self.kinds)), 5)
        self.weights = [w * (4 if i in favourites else 1) for i, (w, _, _) in enumerate(self.kinds)]

    # -- Names, choices, scopes

    def fresh(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}"

    def global_name(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}{self.counter}_{self.id}"

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    @contextmanager
    def inside(self, scope: Scope | None = None) -> Iterator[Scope]:
        outer = self.scope
        self.scope = outer.inner() if scope is None else scope
        self.nesting += 1
        try:
            yield self.scope
        finally:
            self.nesting -= 1
            self.scope = outer

    def block(self, low: int = 1, high: int = 3) -> Block:
        with self.inside():
            return self.statements(self.random.randint(low, high))

    def statements(self, count: int) -> Block:
        block = Block()
        cleanup: list[Statement] = []
        for _ in range(count):
            block.parts += self.one(cleanup)
        block.parts += cleanup
        return block

    def one(self, cleanup: list[Statement]) -> list[Statement]:
        self.budget -= 1
        while True:
            _, kind, condition = self.random.choices(self.kinds, self.weights)[0]
            if condition and self.language != condition:
                continue
            if kind in COMPOUND and (self.nesting > 3 or self.budget < 1):
                continue
            self.cleanup = cleanup
            try:
                made = getattr(self, f"write_{kind}")()
            except Impossible:
                continue
            if made is not None:
                self.features.add(kind)
                return made

    # -- Expressions

    def index(self) -> Expression:
        return expression("int", f"(($) & {LENGTH - 1})", self.int())

    def int(self) -> Expression:
        scope, r = self.scope, self.random
        choices = [str(r.randrange(LENGTH)), f"k[{r.randrange(4)}]" if "k" in scope.ints else "3", *scope.ints]
        choices = [c for c in choices if c != "k"]
        one = r.choice(choices)
        kind = r.random()
        if kind < 0.7:
            return expression("int", one)
        return expression("int", r.choice(["$ + $", "$ * 3 + $", "$ ^ $", "7 - $ + $"]), one, r.choice(choices))

    def element(self, writable: bool = False) -> str | None:
        buffers = [b for b in self.scope.buffers if b.writable or not writable]
        return f"{self.random.choice(buffers).name}[{self.index().text()}]" if buffers else None

    def fields(self, type: Struct, base: str, kind: str = "T") -> list[str]:
        """The scalars of a kind in a struct."""
        found = []
        for name, f in type.fields:
            if f == kind:
                found.append(f"{base}.{name}")
            elif f == "T3" and kind == "T":
                found.append(f"{base}.{name}[{self.index().text()} % 3]")
            elif f == "ptr" and kind == "T":
                found.append(f"{base}.{name}[{self.index().text()}]")
            elif isinstance(f, Struct):
                found += self.fields(f, f"{base}.{name}", kind)
        return found

    def struct_base(self) -> tuple[str, Struct] | None:
        """A struct, or an element of an array of them."""
        scope = self.scope
        choices = [(v.name, v.type) for v in scope.structs]
        choices += [(f"{v.name}[{self.index().text()} & 3]", v.type) for v in scope.tables]
        return self.random.choice(choices) if choices else None

    def place(self, writable: bool = True) -> Expression:
        """Something that can be read and written."""
        for _ in range(20):
            kind = self.random.random()
            if kind < 0.3 and self.scope.scalars:
                return expression("T", self.random.choice(self.scope.scalars))
            if kind < 0.7 and (element := self.element(writable)):
                return expression("T", element)
            if (base := self.struct_base()) and (fields := self.fields(base[1], base[0])):
                return expression("T", self.random.choice(fields))
        raise Impossible

    def scalar(self, depth: int = 2) -> Expression:
        r = self.random
        if depth == 0 or self.chance(0.15):
            kind = r.random()
            if kind < 0.82:
                return self.place(writable=False)
            if kind < 0.92 or not self.scope.narrow:
                return expression("T", f"T({r.uniform(-1, 1):.3f})" if self.language == "cpp" else self.literal())
            return expression("T", f"(T){r.choice(self.scope.narrow)}")
        kind = r.random()
        if kind < 0.35:
            return expression("T", r.choices(BOUNDED, BOUNDED_WEIGHTS)[0], self.scalar(depth - 1))
        if kind < 0.42:
            return expression("T", "($ ? $ : $)", self.condition(), self.scalar(depth - 1), self.scalar(depth - 1))
        if kind < 0.46:
            return expression("T", "(T)($) * 0.125", self.index())
        if kind < 0.56 and self.functions and self.nesting < 6:
            with suppress(Impossible):
                return r.choice(self.functions)()
        if kind < 0.60:
            return self.through_bits(self.scalar(depth - 1))
        template = r.choices(ANY, ANY_WEIGHTS)[0]
        if self.language == "c":
            template = template.replace("T(0.25)", "(T)0.25")
        return expression("T", template, *(self.scalar(depth - 1) for _ in range(template.count("$"))))

    def literal(self) -> str:
        return f"(T){self.random.uniform(-1, 1):.3f}"

    def bounded(self, depth: int = 2) -> Expression:
        return expression("T", self.random.choices(BOUNDED, BOUNDED_WEIGHTS)[0], self.scalar(depth))

    def through_bits(self, value: Expression) -> Expression:
        self.features.add("bits")
        ways = [
            "of_bits(bits_abs(to_bits($)))",
            "of_bits(bits_neg(bits_through_union($)))",
            "of_bits(bits_halves(to_bits($)))",
            "by_shifts($)",
            "of_bits(bits_swapped(bits_swapped(to_bits($))))",
        ]
        two = ["of_bits(bits_select($, to_bits($), to_bits($)))", "of_bits(bits_sign_of(to_bits($), to_bits($)))"]
        if self.chance(0.75):
            return expression("T", self.random.choice(ways), value)
        way = self.random.choice(two)
        if way.count("$") == 3:
            return expression("T", way, self.condition(), value, self.scalar(0))
        return expression("T", way, value, self.scalar(0))

    def condition(self) -> Expression:
        kind, r = self.random.random(), self.random
        if kind < 0.35:
            return expression("bool", f"($ < {r.uniform(-0.5, 0.5):.3f})", self.place(writable=False))
        if kind < 0.55:
            return expression("bool", "($ > $)", self.place(writable=False), self.place(writable=False))
        if kind < 0.9:
            return expression("bool", f"(($) % 3 == {r.randrange(3)})", self.index())
        return expression("bool", r.choice(["($ && $)", "($ || $)"]), self.condition(), self.condition())

    # -- Plain statements

    def assign(self, place: Expression | str, depth: int = 2) -> Statement:
        if self.chance(0.4):
            return statement("$ = 0.6 * $ + 0.4 * $;", place, place, self.bounded(depth))
        if self.chance(0.15):
            return statement("$ += 0.3 * $;", place, self.bounded(depth))
        return statement("$ = $;", place, self.bounded(depth))

    def write_assign(self) -> list[Statement]:
        return [self.assign(self.place())]

    def write_local(self) -> list[Statement]:
        name = self.fresh("v")
        made = statement(f"T {name} = $;", self.bounded())
        self.scope.scalars.append(name)
        return [made]

    def write_state(self) -> list[Statement]:
        """Integers that guide floats."""
        if self.scope.states and self.chance(0.7):
            state = self.random.choice(self.scope.states)
            forms = ["{0} = ({0} * 3 + 1) & 7;", "{0} ^= $;", "{0} += $ ? 2 : 1;", "{0} = (int)(4.0 + 3.5 * $);"]
            form = self.random.choice(forms)
            inner: list[Node] = []
            if form.endswith("^= $;"):
                inner = [self.index()]
            elif "?" in form:
                inner = [self.condition()]
            elif "(int)" in form:
                inner = [expression("T", "tanh($)", self.scalar(1))]
            return [statement(form.format(state), *inner)]
        name = self.fresh("s")
        made = statement(f"int {name} = $;", self.index())
        self.scope.states.append(name)
        self.scope.ints.append(name)
        return [made]

    def write_swap(self) -> list[Statement]:
        a, b = self.place(), self.place()
        if self.language == "cpp" and self.chance(0.5):
            return [statement("std::swap($, $);", a, b)] if a.text() != b.text() else None
        return [statement("{ T swapped = $; $ = $; $ = swapped; }", a, a, b, b)]

    def write_if(self) -> list[Statement]:
        condition, block = self.condition(), self.block()
        if self.chance(0.5):
            return [statement("if ($) $ else $", condition, block, self.block())]
        return [statement("if ($) $", condition, block)]

    def write_for(self) -> list[Statement]:
        i = self.fresh("i")
        r = self.random
        ints = [v for v in self.scope.ints if v.startswith("i")]
        count = r.choice(["n", "3", "5", "n - 2", "n + 1", *[f"{v} + 1" for v in ints], "(k[1] & 3) + 1"])
        if "k" not in self.scope.ints:
            count = count.replace("k[1]", "5")
        if "n" not in self.scope.ints:
            count = count.replace("n", "4")
        header = r.choice(
            [
                f"int {i} = {r.randrange(3)}; {i} < {count}; {i}++",
                f"int {i} = {count}; {i} > {r.randrange(2)}; {i}--",
                f"int {i} = 0; {i} < {count}; {i} += 2",
                f"int {i} = 0; {i} != {r.randint(1, 6)}; ++{i}",
            ]
        )
        with self.inside() as scope:
            scope.ints.append(i)
            scope.loops += 1
            block = self.statements(r.randint(1, 3))
        return [statement(f"for ({header}) $", block)]

    def write_while(self) -> list[Statement]:
        left = self.fresh("left")
        first = statement(f"int {left} = {self.random.randint(2, 6)};")
        condition = self.condition()
        with self.inside() as scope:
            scope.loops += 1
            scope.ints.append(left)
            block = self.statements(self.random.randint(1, 3))
        if self.chance(0.5):
            return [first, statement(f"while ($ && {left}-- > 0) $", condition, block)]
        return [first, statement(f"do $ while ({left}-- > 0 && $);", block, condition)]

    def write_leave(self) -> list[Statement] | None:
        ways = ["break;", "continue;"] * 2 if self.scope.loops else []
        ways.append(self.scope.returns)
        way = self.random.choice(ways)
        if way.startswith("return") and self.scope.loops == 0 and self.chance(0.6):
            return None
        children = [self.scalar(1)] if "$" in way else []
        return [statement(f"if ($) {{ {way} }}", self.condition(), *children)]

    def write_switch(self) -> list[Statement]:
        cases: list[Node | str] = []
        template = "switch (($) % 4) {"
        loops, self.scope.loops = self.scope.loops, 0  # a break would leave the switch
        for label in ("case 0:", "case 1:", "case 2:", "default:")[self.random.randrange(2) :]:
            template += f"\n{label} $" + ("" if self.chance(0.25) else " break;")
            cases.append(self.block(1, 2))
        self.scope.loops = loops
        return [statement(template + "\n}", self.index(), *cases)]

    def write_goto(self) -> list[Statement] | None:
        """A loop by hand."""
        if self.scope.loops or self.nesting > 2:
            return None
        label, left = f"again{self.counter}", self.fresh("left")
        self.counter += 1
        with self.inside() as scope:
            scope.ints.append(left)
            block = self.statements(self.random.randint(1, 2))
        block.braces = True
        return [
            statement(f"{{ int {left} = {self.random.randint(2, 4)};\n{label}: $\nif (--{left} > 0 && $) goto {label}; }}",
                      block, self.condition())
        ]  # fmt: skip

    # -- Memory

    def filled(self, name: str, count: int = LENGTH) -> Statement:
        """A loop that gives each element a value."""
        i = self.fresh("i")
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        return statement(f"for (int {i} = 0; {i} < {count}; {i}++) {name}[{i}] = $;", value)

    def write_array(self) -> list[Statement]:
        name = self.fresh("t")
        size = self.random.choice([LENGTH, LENGTH, 2 * LENGTH])
        buffer = Buffer(name, self.scope.depth, name)
        if self.chance(0.3):
            zero = "{0}" if self.language == "c" else "{}"
            made = [statement(f"T {name}[{size}] = {zero};")]
        else:
            made = [statement(f"T {name}[{size}];"), self.filled(name, size)]
        self.scope.buffers.append(buffer)
        if size > LENGTH and self.chance(0.7):
            made += self.pointer_to(f"{name} + $", self.index())
        return made

    def write_matrix(self) -> list[Statement]:
        name = self.fresh("mat")
        i, j = self.fresh("i"), self.fresh("j")
        with self.inside() as scope:
            scope.ints += [i, j]
            value = self.bounded(1)
        made = [
            statement(f"T {name}[3][{LENGTH}];"),
            statement(
                f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < {LENGTH}; {j}++) {name}[{i}][{j}] = $;",
                value,
            ),
        ]
        depth = self.scope.depth
        self.scope.buffers += [Buffer(f"{name}[{row}]", depth, f"{name}[{row}]") for row in range(3)]
        self.scope.buffers.append(Buffer(f"{name}[({self.index().text()}) % 3]", depth))
        return made

    def write_heap(self) -> list[Statement]:
        name, size = self.fresh("m"), self.random.choice([f"{LENGTH}", f"({LENGTH} + n)", "16"])
        if "n" not in self.scope.ints:
            size = size.replace("n", "2")
        made = []
        if self.language == "cpp" and self.chance(0.5):
            made.append(statement(f"T *{name} = new T[{size}];"))
            self.cleanup.insert(0, statement(f"delete[] {name};"))
        elif self.chance(0.3):
            made.append(statement(f"T *{name} = (T *)calloc({size}, sizeof(T));"))
            self.cleanup.insert(0, statement(f"free({name});"))
        else:
            made.append(statement(f"T *{name} = (T *)malloc({size} * sizeof(T));"))
            self.cleanup.insert(0, statement(f"free({name});"))
        made.append(self.filled(name))
        self.scope.buffers.append(Buffer(name, self.scope.depth, name))
        return made

    def write_grown(self) -> list[Statement]:
        """An array that is reallocated, in one step or in many."""
        name = self.fresh("grown")
        made = [statement(f"T *{name} = (T *)malloc({LENGTH} * sizeof(T));"), self.filled(name)]
        if self.chance(0.5):
            made.append(statement(f"{name} = (T *)realloc({name}, {self.random.randint(9, 20)} * sizeof(T));"))
        else:
            i, count, space = self.fresh("i"), self.fresh("count"), self.fresh("space")
            with self.inside() as scope:
                scope.ints.append(i)
                value = self.bounded(1)
            rounds = "n + 2" if "n" in self.scope.ints else "5"
            made += [
                statement(f"int {count} = {LENGTH}, {space} = {LENGTH};"),
                statement(
                    f"for (int {i} = 0; {i} < {rounds}; {i}++) {{\n"
                    f"if ({count} == {space}) {{ {space} *= 2; {name} = (T *)realloc({name}, {space} * sizeof(T)); }}\n"
                    f"{name}[{count}++] = $;\n}}",
                    value,
                ),
                statement(f"memmove({name}, {name} + ({count} - {LENGTH}), {LENGTH} * sizeof(T));"),
            ]
        self.cleanup.insert(0, statement(f"free({name});"))
        self.scope.buffers.append(Buffer(name, self.scope.depth, name, stable=False))
        return made

    def contiguous(self, writable: bool = False) -> Buffer | None:
        found = [b for b in self.scope.buffers if b.contiguous and (b.writable or not writable)]
        return self.random.choice(found) if found else None

    def address(self, buffer: Buffer) -> str:
        """Of its first element: containers give theirs by `data()`."""
        return f"&{buffer.name}[0]" if not buffer.stable else buffer.name

    def write_copy(self) -> list[Statement] | None:
        to, source = self.contiguous(True), self.contiguous()
        if to is None or source is None:
            return None
        apart = to.root is not None and source.root is not None and to.root != source.root
        length = self.random.choice(
            ["$ * sizeof(T)", "3 * sizeof(T)", f"{LENGTH} * sizeof(T)", "($ + 1) * sizeof(T)", "(size_t)$ * sizeof(T)"]
        )
        way = "memcpy" if apart else "memmove"
        if apart and self.chance(0.2):
            way = "copy_bytes"
        first, second = self.address(to), self.address(source)
        children: list[Node] = [self.index()] if "$" in length else []
        if self.chance(0.3):
            first, length = f"{first} + {self.random.randrange(4)}", "3 * sizeof(T)"
            children = []
        return [statement(f"{way}({first}, {second}, {length});", *children)]

    def write_memset(self) -> list[Statement] | None:
        to = self.contiguous(True)
        if to is None:
            return None
        length = self.random.choice(["2 * sizeof(T)", "($ & 3) * sizeof(T)"])
        children: list[Node] = [self.index()] if "$" in length else []
        return [statement(f"memset({self.address(to)}, 0, {length});", *children)]

    def pointer_to(self, template: str, *children: Node) -> list[Statement]:
        name = self.fresh("p")
        made = statement(f"T *{name} = {template};", *children)
        self.scope.pointers.append((name, self.scope.depth))
        self.scope.buffers.append(Buffer(name, self.scope.depth))
        return [made]

    def targets(self, depth: int) -> list[Buffer]:
        """What a pointer declared at a depth may point to."""
        buffers = self.scope.buffers
        return [b for b in buffers if b.depth <= depth and b.stable and b.writable and b.contiguous]

    def write_pointer(self) -> list[Statement] | None:
        r, scope = self.random, self.scope
        if scope.pointers and self.chance(0.5):
            name, depth = r.choice(scope.pointers)
            targets = [b for b in self.targets(depth) if b.name != name]
            if not targets:
                return None
            to = r.choice(targets).name
            return [statement(f"{name} = $ ? {to} : {name};", self.condition())] if self.chance(0.6) else [
                statement(f"{name} = {to};")
            ]  # fmt: skip
        targets = self.targets(scope.depth)
        if not targets:
            return None
        if self.chance(0.4):
            return self.pointer_to(f"$ ? {r.choice(targets).name} : {r.choice(targets).name}", self.condition())
        return self.pointer_to(r.choice(targets).name)

    def write_pointer_pointer(self) -> list[Statement] | None:
        r, scope = self.random, self.scope
        targets = self.targets(scope.depth)
        if scope.pointers and self.chance(0.5):
            name, depth = r.choice(scope.pointers)
            if depth != scope.depth:
                return None
            pp = self.fresh("pp")
            made = [statement(f"T **{pp} = &{name};")]
            scope.buffers.append(Buffer(f"(*{pp})", scope.depth))
            if targets:
                made.append(statement(f"*{pp} = {r.choice(targets).name};"))
            return made
        if len(targets) < 2:
            return None
        table = self.fresh("rows")
        chosen = [r.choice(targets).name for _ in range(3)]
        made = [statement(f"T *{table}[3] = {{{', '.join(chosen)}}};")]
        scope.buffers += [Buffer(f"{table}[($) % 3]".replace("$", self.index().text()), scope.depth)]
        if self.chance(0.6):
            made.append(statement(f"{{ T *kept = {table}[0]; {table}[0] = {table}[2]; {table}[2] = kept; }}"))
        return made

    def write_ping_pong(self) -> list[Statement] | None:
        """Two buffers that change roles in each round."""
        targets = [b for b in self.targets(self.scope.depth) if b.root]
        if len(targets) < 2:
            return None
        one, two = self.random.sample(targets, 2)
        a, b, i, j = self.fresh("from"), self.fresh("to"), self.fresh("i"), self.fresh("j")
        rounds = self.random.choice(["n", "3", "2"]) if "n" in self.scope.ints else "3"
        with self.inside() as scope:
            scope.ints += [i, j]
            value = expression("T", f"({a}[({j} + 1) & 7] - 0.5 * {a}[{j}] + 0.3 * $)", self.scalar(1))
        return [
            statement(
                f"{{ T *{a} = {one.name}, *{b} = {two.name};\nfor (int {i} = 0; {i} < {rounds}; {i}++) {{\n"
                f"for (int {j} = 0; {j} < {LENGTH}; {j}++) {b}[{j}] = sin($);\n"
                f"T *kept = {a}; {a} = {b}; {b} = kept;\n}} }}",
                value,
            )
        ]

    def write_bit_buffer(self) -> list[Statement] | None:
        """Scalars kept as integers, and taken out again."""
        source, to = self.contiguous(), self.contiguous(True)
        if source is None or to is None:
            return None
        self.features.add("bits")
        name, i = self.fresh("bits"), self.fresh("i")
        way = self.random.choice(["to_bits($)", "bits_through_union($)", "bits_swapped(to_bits($))"])
        back = "of_bits(bits_swapped({}))" if "swapped" in way else "of_bits({})"
        inside = f"{source.name}[{i}]"
        if self.chance(0.3) and "swapped" not in way:
            fill = statement(f"memcpy({name}, {self.address(source)}, sizeof {name});")
        else:
            fill = statement(f"for (int {i} = 0; {i} < {LENGTH}; {i}++) {name}[{i}] = {way};", inside)
        out = back.format(f"{name}[$]")
        return [
            statement(f"Bits {name}[{LENGTH}];"),
            fill,
            statement(f"$ = 0.5 * $ + 0.5 * tanh({out});", place := self.place(), place, self.index()),
        ]

    # -- Narrow and wide

    def write_narrow(self) -> list[Statement]:
        scope = self.scope
        if scope.narrow and self.chance(0.6):
            name = self.random.choice(scope.narrow)
            forms = ["{0} = 0.5f * {0} + (F)($);", "{0} = sinf({0} + (F)$);", "{0} = tanhf((F)$) * 0.75f;"]
            return [statement(self.random.choice(forms).format(name), self.bounded(1))]
        name = self.fresh("f")
        made = statement(f"F {name} = (F)($);", self.bounded(1))
        scope.narrow.append(name)
        return [made]

    def write_narrow_array(self) -> list[Statement]:
        name, i = self.fresh("fs"), self.fresh("i")
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        made = [
            statement(f"F {name}[{LENGTH}];"),
            statement(f"for (int {i} = 0; {i} < {LENGTH}; {i}++) {name}[{i}] = (F)($);", value),
        ]
        if self.chance(0.5):
            made.append(statement(f"memmove({name} + 1, {name}, ($ & 3) * sizeof(F));", self.index()))
        self.scope.narrow += [f"{name}[{self.index().text()}]" for _ in range(2)]
        return made

    def write_wide(self) -> list[Statement]:
        name = self.fresh("w")
        self.features.add("wide")
        place = self.place()
        made = [statement(f"L {name} = (L)($);", self.bounded(1))]
        if self.chance(0.5):
            made.append(statement(f"{name} = {name} * {name} + sinl((L)$);", self.scalar(1)))
        return [*made, statement(f"$ = 0.5 * tanh((T){name});", place)]

    # -- Structs

    def struct(self) -> Struct:
        if self.structs and (self.chance(0.6) or len(self.structs) > 2):
            return self.random.choice(self.structs)
        kinds: list[str | Struct] = ["T", *self.random.choices(["T", "int", "F", "T3", "ptr"], [5, 3, 1, 2, 1], k=3)]
        if self.structs and self.chance(0.5):
            kinds.append(self.random.choice(self.structs))
        kinds = kinds[: self.random.randint(1, len(kinds))]
        self.random.shuffle(kinds)
        letters = {"T": "u", "int": "i", "F": "f", "T3": "v", "ptr": "p"}
        fields = tuple((f"{letters.get(kind, 's')}{i}", kind) if isinstance(kind, str) else (f"s{i}", kind)
                       for i, kind in enumerate(kinds))  # fmt: skip
        made = Struct(self.global_name("S"), fields)
        declared = {"T": "T {};", "int": "int {};", "F": "F {};", "T3": "T {}[3];", "ptr": "T *{};"}
        body = " ".join(declared.get(f, "{}").format(n) if isinstance(f, str) else f"{f.name} {n};" for n, f in fields)
        self.top.parts.append(statement(f"typedef struct {{ {body} }} {made.name};"))
        self.structs.append(made)
        return made

    def field_values(self, type: Struct, base: str) -> list[Statement] | None:
        """Give each field of a struct a value."""
        made = []
        for name, f in type.fields:
            place = f"{base}.{name}"
            if isinstance(f, Struct):
                inner = self.field_values(f, place)
                if inner is None:
                    return None
                made += inner
            elif f == "T":
                made.append(statement(f"{place} = $;", self.bounded(1)))
            elif f == "int":
                made.append(statement(f"{place} = $;", self.index()))
            elif f == "F":
                made.append(statement(f"{place} = (F)($);", self.bounded(1)))
            elif f == "T3":
                made.append(self.filled(place, 3))
            else:
                targets = self.targets(self.scope.depth)
                if not targets:
                    return None
                made.append(statement(f"{place} = {self.random.choice(targets).name};"))
        return made

    def write_struct(self) -> list[Statement] | None:
        type, name = self.struct(), self.fresh("st")
        same = [v for v in self.scope.structs if v.type is type]
        if same and self.chance(0.4):
            made = [statement(f"{type.name} {name} = {self.random.choice(same).name};")]
        else:
            values = self.field_values(type, name)
            if values is None:
                return None
            made = [statement(f"{type.name} {name};"), *values]
        self.scope.structs.append(Variable(name, type, self.scope.depth))
        self.scope.ints += self.fields(type, name, "int")
        self.scope.narrow += self.fields(type, name, "F")
        return made

    def write_struct_array(self) -> list[Statement] | None:
        type, name, i = self.struct(), self.fresh("sa"), self.fresh("i")
        with self.inside() as scope:
            scope.ints.append(i)
            scope.depth -= 1  # pointers in it live as long as the array
            values = self.field_values(type, f"{name}[{i}]")
        if values is None:
            return None
        if self.chance(0.3):
            first = statement(f"{type.name} *{name} = ({type.name} *)malloc(4 * sizeof({type.name}));")
            self.cleanup.insert(0, statement(f"free({name});"))
        else:
            first = statement(f"{type.name} {name}[4];")
        made = [first, statement(f"for (int {i} = 0; {i} < 4; {i}++) $", Block(list(values)))]
        self.scope.tables.append(Variable(name, type, self.scope.depth))
        return made

    def write_struct_copy(self) -> list[Statement] | None:
        scope = self.scope
        tables = list(scope.tables)
        if tables and self.chance(0.5):
            t = self.random.choice(tables)
            ways = [
                f"{t.name}[$ & 3] = {t.name}[$ & 3];",
                f"memmove({t.name} + 1, {t.name}, ($ & 1) * sizeof({t.type.name}) + 0 * $);",
                f"{{ {t.type.name} kept = {t.name}[$ & 3]; {t.name}[0] = {t.name}[$ & 3]; {t.name}[3] = kept; }}",
            ]
            return [statement(self.random.choice(ways), self.index(), self.index())]
        if len(scope.structs) < 2:
            return None
        a, b = self.random.sample(scope.structs, 2)
        if a.type is not b.type or b.depth > a.depth:
            return None
        if self.chance(0.3):
            return [statement(f"memcpy(&{a.name}, &{b.name}, sizeof {a.name});")]
        if self.chance(0.2):
            return [statement(f"copy_bytes(&{a.name}, &{b.name}, sizeof {a.name});")]
        return [statement(f"{a.name} = {b.name};")]

    # -- Calls

    def function_scope(self, returns: str = "return $;") -> Scope:
        inner = self.globals.inner()
        inner.returns = returns
        return inner

    def attributes(self) -> str:
        return self.random.choice(["static ", "static NOINLINE ", "static inline ", "static NOINLINE "])

    def write_function(self) -> list[Statement] | None:
        """A new function, and a call of it."""
        if len(self.functions) > 4 or self.nesting > 4:
            return None
        kinds = ["memory"] * 3 + ["pure", "struct", "fortran", "recursive", "pointer", "out"]
        if self.language == "cpp":
            kinds += ["template", "reference", "virtual", "functor"]
        call = getattr(self, f"function_{self.random.choice(kinds)}")()
        if call is None:
            return None
        self.functions.append(call)
        return [statement("$ = 0.5 * $ + tanh($);", place := self.place(), place, call())]

    def body(self, scope: Scope, count: tuple[int, int] = (1, 3)) -> tuple[Block, Expression]:
        """Of a function: its statements, and what it returns."""
        known, self.functions = self.functions, list(self.functions)
        cleanup: list[Statement] = []
        nesting, self.nesting = self.nesting, max(2, self.nesting)
        try:
            with self.inside(scope):
                block = Block()
                for _ in range(self.random.randint(*count)):
                    block.parts += self.one(cleanup)
                result = self.bounded(1)
                if cleanup:
                    name = self.fresh("result")
                    block.parts += [statement(f"T {name} = $;", result), *cleanup]
                    result = expression("T", name)
        finally:
            self.nesting = nesting
            self.functions = known
        return block, result

    def two_buffers(self) -> tuple[str, str]:
        first, second = self.contiguous(True), self.contiguous()
        if first is None or second is None:
            raise Impossible
        return self.address(first), self.address(second)

    def function_memory(self) -> Callable[[], Expression]:
        name = self.global_name("fn")
        scope = self.function_scope()
        scope.buffers += [Buffer("p", 0), Buffer("q", 0, writable=False)]
        scope.scalars.append("v")
        scope.ints.append("i")
        block, result = self.body(scope)
        self.top.parts.append(
            statement(f"{self.attributes()}T {name}(T *p, const T *q, int i, T v)\n{{\n$\nreturn $;\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip

        def call() -> Expression:
            p, q = self.two_buffers()
            return expression("T", f"{name}({p}, {q}, $, $)", self.index(), self.scalar(0))

        return call

    def function_pure(self) -> Callable[[], Expression]:
        name = self.global_name("pure")
        scope = self.function_scope()
        scope.scalars += ["u", "v"]
        scope.buffers = []
        block, result = self.body(scope, (0, 2))
        self.top.parts.append(
            statement(f"{self.attributes()}T {name}(T u, T v)\n{{\n$\nreturn $;\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip
        return lambda: expression("T", f"{name}($, $)", self.scalar(0), self.scalar(1))

    def function_struct(self) -> Callable[[], Expression]:
        """A struct in by value, and out again."""
        type, name = self.struct(), self.global_name("by_value")
        scope = self.function_scope("{ (void)$; return s; }")
        scope.structs.append(Variable("s", type, 0))
        scope.scalars.append("v")
        block, result = self.body(scope, (1, 2))
        with self.inside(scope):
            fields = self.fields(type, "s")
            place = self.random.choice(fields) if fields else "v"
        self.top.parts.append(
            statement(f"{self.attributes()}{type.name} {name}({type.name} s, T v)\n{{\n$\n{place} = $;\nreturn s;\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip
        read = self.global_name("read")
        with self.inside(scope):
            first = self.random.choice(self.fields(type, "s") or ["v"])
        self.top.parts.append(
            statement(f"{self.attributes()}T {read}({type.name} s, T v) {{ return tanh({first} + v); }}")
        )

        def call() -> Expression:
            found = [b for b in [self.struct_base() for _ in range(4)] if b is not None and b[1] is type]
            if not found:
                return self.scalar(0)
            return expression("T", f"{read}({name}({found[0][0]}, $), $)", self.scalar(0), self.scalar(0))

        return call

    def function_fortran(self) -> Callable[[], Expression]:
        """Everything by reference, and nothing overlaps."""
        name = self.global_name("sub")
        scope = self.function_scope()
        scope.buffers += [Buffer("p", 0)]
        scope.scalars += ["(*v)"]
        scope.ints.append("(*i)")
        block, result = self.body(scope)
        self.top.parts.append(
            statement(f"{self.attributes()}T {name}(T *RESTRICT p, int *RESTRICT i, T *RESTRICT v)\n{{\n$\nreturn $;\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip
        wrapper = self.global_name("call")
        self.top.parts.append(statement(f"static inline T {wrapper}(T *p, int i, T v) {{ return {name}(p, &i, &v); }}"))
        return lambda: expression("T", f"{wrapper}({self.two_buffers()[0]}, $, $)", self.index(), self.scalar(0))

    def function_recursive(self) -> Callable[[], Expression]:
        name = self.global_name("rec")
        scope = self.function_scope()
        scope.buffers += [Buffer("p", 0)]
        scope.scalars.append("v")
        scope.ints.append("i")
        block, result = self.body(scope, (1, 2))
        ways = ["return 0.5 * $ + {0}(p, i - 1, v * 0.5);", "T w = {0}(p, i - 1, $); return w * 0.75 + p[i & 7];"]
        if self.chance(0.4):
            ways = ["return 0.5 * {0}(p, i - 1, $) + 0.25 * {0}(p, i - 2, v);"]
        way = self.random.choice(ways).format(name)
        self.top.parts.append(
            statement(f"static T {name}(T *p, int i, T v)\n{{\nif (i <= 0) return v;\n$\n{way}\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip
        return lambda: expression("T", f"{name}({self.two_buffers()[0]}, ($) & 3, $)", self.index(), self.scalar(0))

    def function_pointer(self) -> Callable[[], Expression]:
        """A table of functions."""
        names = []
        for _ in range(self.random.randint(2, 3)):
            names.append(self.global_name("entry"))
            scope = self.function_scope()
            scope.buffers = [Buffer("p", 0)]
            scope.scalars = ["v"]
            block, result = self.body(scope, (0, 2))
            self.top.parts.append(
                statement(f"static T {names[-1]}(T *p, T v)\n{{\n$\nreturn $;\n}}",
                          Block(block.parts, braces=False), result)
            )  # fmt: skip
        table = self.global_name("table")
        const = self.random.choice(["const ", ""])
        items = ", ".join(names)
        self.top.parts.append(statement(f"static T (*{const}{table}[{len(names)}])(T *, T) = {{{items}}};"))
        apply = self.global_name("apply")
        self.top.parts.append(
            statement(f"{self.attributes()}T {apply}(T (*h)(T *, T), T *p, T v) {{ return h(p, v) * 0.75; }}")
        )

        def call() -> Expression:
            p = self.two_buffers()[0]
            chosen = f"{table}[($) % {len(names)}]"
            if self.chance(0.5):
                return expression("T", f"{chosen}({p}, $)", self.index(), self.scalar(0))
            return expression("T", f"{apply}({chosen}, {p}, $)", self.index(), self.scalar(0))

        return call

    def function_out(self) -> Callable[[], Expression]:
        """Results through pointers, one of them to a pointer."""
        name = self.global_name("out")
        self.top.parts.append(
            statement(
                f"{self.attributes()}void {name}(T *p, T **where, T *to, int i)\n{{\n"
                "*where = i & 1 ? p : *where;\n*to = *to * 0.5 + sin(p[i & 7]);\n}"
            )
        )
        wrapper = self.global_name("call")
        self.top.parts.append(
            statement(
                f"{self.attributes()}T {wrapper}(T *p, T *q, int i, T v)\n{{\n"
                f"T *w = q;\n{name}(p, &w, &v, i);\nw[(i + 1) & 7] = tanh(w[(i + 1) & 7] + v);\nreturn v * w[i & 7];\n}}"
            )
        )

        def call() -> Expression:
            p, q = self.two_buffers()[0], self.two_buffers()[0]
            return expression("T", f"{wrapper}({p}, {q}, $, $)", self.index(), self.scalar(0))

        return call

    # -- C++

    def function_template(self) -> Callable[[], Expression]:
        name = self.global_name("poly")
        self.top.parts.append(
            statement(
                f"template <int N, class U> {self.attributes()}U {name}(const U *p, U v)\n{{\n"
                f"U r = p[0];\nfor (int i = 1; i < N; i++) r = r * v + p[i];\n"
                f"if constexpr (N > 2) r = r + {name}<N - 1>(p, v * 0.5);\nreturn sin(r);\n}}"
            )
        )
        count = self.random.randint(2, 5)

        def call() -> Expression:
            return expression("T", f"{name}<{count}>((const T *){self.two_buffers()[1]}, $)", self.place(False))

        return call

    def function_reference(self) -> Callable[[], Expression]:
        name = self.global_name("ref")
        scope = self.function_scope()
        scope.scalars += ["u", "w"]
        scope.buffers = []
        block, result = self.body(scope, (1, 2))
        self.top.parts.append(
            statement(f"{self.attributes()}T {name}(T &u, const T &v)\n{{\nT w = v;\n$\nu = 0.5 * u + 0.1 * v;\nreturn $;\n}}",
                      Block(block.parts, braces=False), result)
        )  # fmt: skip
        return lambda: expression("T", f"{name}($, $)", self.place(), self.scalar(0))

    def function_virtual(self) -> Callable[[], Expression]:
        base = self.global_name("Shape")
        self.top.parts.append(
            statement(f"struct {base} {{ T w; {base}(T v) : w(v) {{}} virtual ~{base}() {{}} virtual T eval(T *p, T v) const = 0; }};")
        )  # fmt: skip
        names = []
        for _ in range(2):
            names.append(self.global_name("Derived"))
            scope = self.function_scope()
            scope.buffers = [Buffer("p", 0)]
            scope.scalars = ["v"]
            block, result = self.body(scope, (0, 2))
            self.top.parts.append(
                statement(
                    f"struct {names[-1]} : {base} {{ T e; {names[-1]}(T a, T b) : {base}(a), e(b) {{}}\n"
                    "T eval(T *p, T v) const override {\n$\nreturn w * $ + e;\n} };",
                    Block(block.parts, braces=False), result,
                )
            )  # fmt: skip
        wrapper = self.global_name("dispatch")
        made = f"{base} *s = c ? ({base} *)new {names[0]}(u, v) : ({base} *)new {names[1]}(v, u);"
        self.top.parts.append(
            statement(
                f"{self.attributes()}T {wrapper}(int c, T u, T v, T *p)\n{{\n{made}\n"
                "T r = s->eval(p, u) + s->eval(p, v);\ndelete s;\nreturn r;\n}"
            )
        )
        return lambda: expression(
            "T", f"{wrapper}($, $, $, {self.two_buffers()[0]})", self.condition(), self.place(False), self.scalar(0)
        )

    def function_functor(self) -> Callable[[], Expression]:
        """A small algebra: operators of a class, as expression templates have them."""
        name = self.global_name("Vec")
        self.top.parts.append(
            statement(
                f"template <class U, int N> struct {name} {{\nU c[N];\nU &operator[](int i) {{ return c[i]; }}\n"
                f"{name} operator+(const {name} &o) const {{ {name} r; for (int i = 0; i < N; i++) r.c[i] = c[i] + o.c[i]; return r; }}\n"
                f"{name} operator*(U s) const {{ {name} r = *this; for (auto &e : r.c) e *= s; return r; }}\n"
                "U dot(const Self &o) const { U r = 0; for (int i = 0; i < N; i++) r += c[i] * o.c[i]; return r; }\n};"
                .replace("Self", name)
            )
        )  # fmt: skip
        wrapper, size = self.global_name("algebra"), self.random.randint(2, 4)
        values = ", ".join(f"p[(i + {j}) & 7]" for j in range(size))
        self.top.parts.append(
            statement(
                f"{self.attributes()}T {wrapper}(T *p, int i, T v)\n{{\n{name}<T, {size}> a = {{{{{values}}}}}, b = a * v;\n"
                f"b[i % {size}] = sin(b[0]);\np[i & 7] = tanh((a + b * 0.5).dot(b));\nreturn (a + b).dot(a) * 0.25;\n}}"
            )
        )
        return lambda: expression("T", f"tanh({wrapper}({self.two_buffers()[0]}, $, $))", self.index(), self.scalar(0))

    def write_lambda(self) -> list[Statement]:
        name = self.fresh("lambda")
        place = self.place()
        scope = self.scope.inner()
        scope.scalars.append("u")
        scope.returns, scope.loops = "return T($);", 0
        block, result = self.body(scope, (0, 2))
        block.braces = False
        capture = self.random.choice(["[&]", "[&]", "[=]"])
        mutable = "mutable " if capture == "[=]" else ""
        kind = "std::function<T(T)>" if self.chance(0.3) else "auto"
        return [
            statement(f"{kind} {name} = {capture}(T u) {mutable}-> T {{\n$\nreturn $;\n}};", block, result),
            statement(f"$ = 0.5 * {name}($) + 0.25 * {name}($);", place, self.scalar(0), self.scalar(0)),
        ]

    def write_vector(self) -> list[Statement]:
        name, i = self.fresh("vec"), self.fresh("i")
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        kind = self.random.choice(["vector", "vector", "vector", "deque"])
        count = "n + 6" if "n" in self.scope.ints else "9"
        ways = [
            f"for (int {i} = 0; {i} < {count}; {i}++) {name}.push_back($);",
            f"{name}.resize({LENGTH}); for (int {i} = 0; {i} < {LENGTH}; {i}++) {name}[{i}] = $;",
            f"for (int {i} = 0; {i} < {count}; {i}++) {name}.insert({name}.begin(), $);",
            f"for (int {i} = 0; {i} < {count}; {i}++) {name}.emplace_back($);",
        ]
        made = [statement(f"std::{kind}<T> {name};"), statement(self.random.choice(ways), value)]
        self.scope.buffers.append(Buffer(name, self.scope.depth, name, stable=False, contiguous=kind == "vector"))
        extra = [
            f"std::sort({name}.begin(), {name}.end());",
            f"std::reverse({name}.begin(), {name}.end());",
            f"std::rotate({name}.begin(), {name}.begin() + 2, {name}.end());",
            f"{name}.push_back({name}.front()); {name}.erase({name}.begin() + 1);",
            f"{{ auto copy = {name}; copy[1] = copy[0] * copy[1]; {name}.swap(copy); }}",
            f"{{ std::{kind}<T> moved = std::move({name}); moved[2] = sin(moved[3]); {name} = moved; }}",
            f"std::swap({name}[1], {name}[4]);",
            f"std::sort({name}.begin(), {name}.end(), [](const T &l, const T &r) {{ return r < l; }});",
            f"for (T &e : {name}) e = sin(e) * 0.5;",
            f"std::partial_sum({name}.begin(), {name}.end(), {name}.begin()); for (T &e : {name}) e = tanh(e);",
            f"{name}.insert({name}.begin() + 3, {name}.begin(), {name}.begin() + 2);" if kind == "deque" else
            f"{name}.reserve(64); {name}.insert({name}.begin() + 3, 2, {name}[0]);",
        ]  # fmt: skip
        for _ in range(self.random.randrange(3)):
            made.append(statement(self.random.choice(extra)))
        if self.chance(0.4):
            reductions = [
                f"std::accumulate({name}.begin(), {name}.end(), T(0.0))",
                f"std::inner_product({name}.begin(), {name}.end(), {name}.begin(), T(0.0))",
                f"*std::max_element({name}.begin(), {name}.end())",
                f"*std::min_element({name}.begin(), {name}.begin() + 3)",
                f"({name}.back() * {name}.front())",
            ]
            made.append(statement(f"$ = 0.5 * tanh({self.random.choice(reductions)});", self.place()))
        return made

    def write_rows(self) -> list[Statement]:
        """A vector of vectors."""
        name, i, j = self.fresh("rows"), self.fresh("i"), self.fresh("j")
        with self.inside() as scope:
            scope.ints += [i, j]
            value = self.bounded(1)
        fill = f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < {LENGTH}; {j}++) {name}[{i}][{j}] = $;"
        made = [statement(f"std::vector<std::vector<T>> {name}(3, std::vector<T>({LENGTH}));"), statement(fill, value)]
        extra = [
            f"std::swap({name}[0], {name}[2]);",
            f"std::reverse({name}.begin(), {name}.end());",
            f"{name}.push_back({name}[1]); {name}.erase({name}.begin());",
            f"std::sort({name}.begin(), {name}.end(), [](const auto &l, const auto &r) {{ return l[0] < r[0]; }});",
            f"{name}[1] = {name}[0];",
            f"{name}.emplace_back({LENGTH}, {name}[0][1]); std::swap({name}.front(), {name}.back());",
        ]
        for _ in range(self.random.randrange(3)):
            made.append(statement(self.random.choice(extra)))
        buffer = Buffer(f"{name}[{self.random.randrange(3)}]", self.scope.depth, stable=False)
        self.scope.buffers.append(buffer)
        return made

    def write_std_array(self) -> list[Statement]:
        name = self.fresh("arr")
        made = [statement(f"std::array<T, {LENGTH}> {name};"), self.filled(name)]
        if self.chance(0.4):
            other = self.fresh("arr")
            made.append(
                statement(f"std::array<T, {LENGTH}> {other} = {name}; std::sort({other}.begin(), {other}.end());")
            )
            self.scope.buffers.append(Buffer(other, self.scope.depth, other, stable=False))
        self.scope.buffers.append(Buffer(name, self.scope.depth, name, stable=False))
        return made

    def write_pair(self) -> list[Statement]:
        name = self.fresh("pair")
        ways = [
            "std::pair<T, T> {0}($, $);",
            "std::pair<T, T> {0} = std::make_pair(T($), T($)); std::swap({0}.first, {0}.second);",
        ]
        self.scope.scalars += [f"{name}.first", f"{name}.second"]
        made = [statement(self.random.choice(ways).format(name), self.fresh_scalar(), self.fresh_scalar())]
        if self.chance(0.3):
            pairs, i = self.fresh("pairs"), self.fresh("i")
            made += [
                statement(f"std::vector<std::pair<T, int>> {pairs};"),
                statement(f"for (int {i} = 0; {i} < 5; {i}++) {pairs}.push_back({{sin(T({i}) + {name}.first), {i}}});"),
                statement(f"std::sort({pairs}.begin(), {pairs}.end());"),
                statement(f"$ = 0.5 * {pairs}[2].first * T({pairs}[1].second) * 0.25;", self.place()),
            ]
        return made

    def fresh_scalar(self) -> Expression:
        """One that doesn't mention what is being declared."""
        return expression(
            "T",
            "sin($)",
            expression("T", self.random.choice(["a", "T(0.4)"]) if "a" in self.scope.scalars else "T(0.4)"),
        )

    def write_tuple(self) -> list[Statement]:
        name, u, w = self.fresh("tuple"), self.fresh("u"), self.fresh("w")
        place = self.place()
        made = [
            statement(f"auto {name} = std::make_tuple(T($), $, T($));", self.scalar(1), self.index(), self.scalar(1)),
            statement(f"auto [{u}, {u}i, {w}] = {name};"),
            statement(f"$ = tanh({u} * {w} + T({u}i) * std::get<0>({name}));", place),
        ]
        return made

    def write_unique(self) -> list[Statement]:
        name = self.fresh("unique")
        kind = self.random.choice(
            [f"std::unique_ptr<T[]> {name}(new T[{LENGTH}]);", f"auto {name} = std::make_unique<T[]>({LENGTH});"]
        )
        made = [statement(kind), self.filled(name)]
        if self.chance(0.4):
            other = self.fresh("unique")
            made.append(statement(f"std::unique_ptr<T[]> {other} = std::move({name});"))
            name = other
        self.scope.buffers.append(Buffer(name, self.scope.depth, name, stable=False))
        return made

    def write_shared(self) -> list[Statement]:
        name, node, place = self.fresh("list"), self.global_name("Node"), self.place()
        self.top.parts.append(statement(f"struct {node} {{ T w; std::shared_ptr<{node}> next; }};"))
        i = self.fresh("i")
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        rounds = "n" if "n" in self.scope.ints else "3"
        return [
            statement(f"std::shared_ptr<{node}> {name};"),
            statement(
                f"for (int {i} = 0; {i} < {rounds}; {i}++) {{ auto fresh = std::make_shared<{node}>(); fresh->w = $; fresh->next = {name}; {name} = fresh; }}",
                value,
            ),
            statement(f"for (auto at = {name}; at; at = at->next) $ = 0.5 * $ + 0.4 * sin(at->w);", place, place),
        ]

    def write_map(self) -> list[Statement]:
        name, i, place = self.fresh("map"), self.fresh("i"), self.place()
        kind = self.random.choice(["std::map<int, T>", "std::map<int, T>", "std::unordered_map<int, T>"])
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        made = [
            statement(f"{kind} {name};"),
            statement(f"for (int {i} = 0; {i} < 5; {i}++) {name}[({i} * 3) % 4] = $;", value),
            statement(f"$ = 0.5 * $ + 0.25 * {name}[($) % 4];", place, place, self.index()),
        ]
        if kind.startswith("std::map"):
            made.append(statement(f"for (auto &e : {name}) $ = sin($ + e.second * T(e.first));", place, place))
        return made

    def write_list(self) -> list[Statement]:
        name, i, place = self.fresh("list"), self.fresh("i"), self.place()
        kind = self.random.choice(["std::list<T>", "std::queue<T>", "std::stack<T>", "std::priority_queue<T>"])
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        push = "push_back" if "list" in kind else "push"
        made = [statement(f"{kind} {name};"), statement(f"for (int {i} = 0; {i} < 4; {i}++) {name}.{push}($);", value)]
        if "list" in kind:
            more = [
                f"{name}.sort();",
                f"{name}.reverse();",
                f"{name}.push_front({name}.back());",
                f"{name}.pop_front();",
            ]
            made.append(statement(self.random.choice(more)))
            made.append(statement(f"for (T &e : {name}) $ = 0.5 * $ + sin(e);", place, place))
        else:
            top = "front" if "queue" in kind and "priority" not in kind else "top"
            made.append(
                statement(
                    f"while (!{name}.empty()) {{ $ = 0.5 * sin($) + {name}.{top}(); {name}.pop(); }}", place, place
                )
            )
        return made

    def write_string(self) -> list[Statement]:
        """A string that only guides."""
        name, size = self.fresh("text"), self.fresh("size")
        made = [statement(f'std::string {name} = "ab";')]
        extra = [
            f"{name} += 'c';",
            f'{name}.append("a longer piece than fits into the object itself");',
            f"{name} = {name} + {name};",
            f"{name}.insert(1, 1, 'x');",
            f"for (int i = 0; i < $; i++) {name}.push_back((char)('a' + i));",
            f"{name} += std::to_string($);",
        ]
        for _ in range(self.random.randint(1, 2)):
            one = self.random.choice(extra)
            made.append(statement(one, *([self.index()] if "$" in one else [])))
        made.append(statement(f"int {size} = (int){name}.size();"))
        self.scope.ints.append(size)
        return made

    def write_optional(self) -> list[Statement]:
        name, place = self.fresh("maybe"), self.place()
        if self.chance(0.5):
            return [
                statement(f"std::optional<T> {name};"),
                statement(f"if ($) {name} = $;", self.condition(), self.bounded(1)),
                statement(f"$ = sin({name}.value_or($));", place, self.scalar(0)),
            ]
        return [
            statement(f"std::variant<int, T> {name} = $;", self.index()),
            statement(f"if ($) {name} = T($);", self.condition(), self.bounded(1)),
            statement(
                f"if (std::holds_alternative<T>({name})) $ = 0.5 * std::get<T>({name}); else $ *= 0.5;", place, place
            ),
        ]

    def write_throw(self) -> list[Statement]:
        """An exception on the way, and a handler."""
        name, place = self.global_name("may_throw"), self.place()
        kinds = ['std::runtime_error("negative")', "42"]
        kind = self.random.choice(kinds)
        catch = "const std::exception &" if "std" in kind else "int"
        self.top.parts.append(
            statement(
                f"{self.attributes()}T {name}(T u, int i)\n{{\nif (i % 3 == 1) throw {kind};\nreturn u * sin(u);\n}}"
            )
        )
        with self.inside():
            handler = self.assign(self.place())
        return [
            statement(
                f"try {{ $ = 0.5 * {name}($, $); }} catch ({catch}) {{ $ }}",
                place,
                self.scalar(1),
                self.index(),
                handler,
            )
        ]

    # -- Rarer things of C

    def write_volatile(self) -> list[Statement]:
        name, place = self.fresh("vol"), self.place()
        if self.chance(0.5):
            return [
                statement(f"volatile int {name} = $;", self.index()),
                statement(f"$ = $ * (T){name} * 0.125;", place, place),
            ]
        return [
            statement(f"VOLATILE T {name} = $;", self.bounded(1)),
            statement(f"$ = 0.5 * sin({name} + $);", place, place),
        ]

    def write_jump(self) -> list[Statement] | None:
        """Another try after a longjmp."""
        if self.scope.loops:
            return None
        env, tries, sum, place = self.fresh("env"), self.fresh("tries"), self.fresh("sum"), self.place()
        return [
            statement(f"jmp_buf {env}; volatile int {tries} = 0; VOLATILE T {sum} = $;", self.scalar(0)),
            statement(
                f"if (setjmp({env}) < 2) {{ {tries} = {tries} + 1; {sum} = 0.5 * {sum} + sin($); longjmp({env}, {tries}); }}",
                self.scalar(0),
            ),
            statement(f"$ = sin({sum});", place),
        ]

    def write_tagged(self) -> list[Statement] | None:
        """A pointer with a bit in its address."""
        targets = self.targets(self.scope.depth)
        if not targets:
            return None
        name, place = self.fresh("tagged"), self.place()
        target = self.random.choice(targets).name
        ways = [
            (f"uintptr_t {name} = (uintptr_t){target} | ($ ? 1u : 0u);", f"((T *)({name} & ~(uintptr_t)1))[$]"),
            (f"uintptr_t {name} = (uintptr_t)({target} + (($) & 3 & 0));", f"*(T *)({name} + sizeof(T) * (($) & 7))"),
        ]
        make, use = self.random.choice(ways)
        first: Node = self.condition() if "?" in make else self.index()
        if self.chance(0.5):
            return [statement(make, first), statement(f"$ = 0.5 * sin({use});", place, self.index())]
        return [statement(make, first), statement(f"{use} = 0.5 * sin($);", self.index(), self.scalar(1))]

    def write_linked(self) -> list[Statement]:
        """A list of nodes on the heap."""
        node, head, at = self.global_name("Node"), self.fresh("head"), self.fresh("at")
        self.top.parts.append(statement(f"typedef struct {node} {{ T w; struct {node} *next; int i; }} {node};"))
        i, place = self.fresh("i"), self.place()
        with self.inside() as scope:
            scope.ints.append(i)
            value = self.bounded(1)
        rounds = "n" if "n" in self.scope.ints else "4"
        return [
            statement(f"{node} *{head} = NULL;"),
            statement(
                f"for (int {i} = 0; {i} < {rounds}; {i}++) {{\n{node} *fresh = ({node} *)malloc(sizeof({node}));\n"
                f"fresh->w = $;\nfresh->i = {i};\nfresh->next = {head};\n{head} = fresh;\n}}",
                value,
            ),
            statement(
                f"for ({node} *{at} = {head}; {at}; {at} = {at}->next) $ = 0.5 * $ + {at}->w * sin({at}->w + (T){at}->i);",
                place,
                place,
            ),
            statement(f"while ({head}) {{ {node} *next = {head}->next; free({head}); {head} = next; }}"),
        ]

    def write_global(self) -> list[Statement]:
        """A global, which functions made from here on see too."""
        name = self.global_name("g")
        static = self.random.choice(["static ", "static "])
        if self.chance(0.5):
            self.top.parts.insert(0, statement(f"{static}T {name};"))
            self.entry.append(statement(f"{name} = 0.5 * x[{self.random.randrange(LENGTH)}];"))
            self.globals.scalars.append(name)
            self.scope.scalars.append(name)
        else:
            self.top.parts.insert(0, statement(f"{static}T {name}[{LENGTH}];"))
            self.entry.append(statement(f"for (int i = 0; i < {LENGTH}; i++) {name}[i] = sin(x[i] + (T)i);"))
            buffer = Buffer(name, 0, name)
            self.globals.buffers.append(buffer)
            self.scope.buffers.append(buffer)
        return [self.assign(self.place())]

    def write_union(self) -> list[Statement]:
        """A union with a tag."""
        type, name, place = self.global_name("Either"), self.fresh("either"), self.place()
        self.top.parts.append(
            statement(f"typedef struct {{ int kind; union {{ T t; T pair[2]; long i; }} u; }} {type};")
        )
        return [
            statement(f"{type} {name};"),
            statement(
                f"if ($) {{ {name}.kind = 0; {name}.u.t = $; }} else {{ {name}.kind = 1; {name}.u.i = $; }}",
                self.condition(), self.bounded(1), self.index(),
            ),
            statement(f"if ({name}.kind == 0) $ = sin({name}.u.t); else $ = $ * 0.25 * (T)(int){name}.u.i;", place, place, place),
        ]  # fmt: skip

    def write_bytes(self) -> list[Statement] | None:
        """A buffer of bytes that floats are put into and taken from."""
        source, to = self.contiguous(), self.contiguous(True)
        if source is None or to is None:
            return None
        name = self.fresh("raw")
        way = self.random.choice(["memcpy", "copy_bytes", "memcpy"])
        self.features.add("bits")
        return [
            statement(f"unsigned char {name}[4 * sizeof(T)];"),
            statement(f"{way}({name}, {self.address(source)}, sizeof {name});"),
            statement(f"{way}({self.address(to)} + 4, {name} + ($ & 1) * sizeof(T), 3 * sizeof(T));", self.index()),
        ]

    def write_alloca(self) -> list[Statement] | None:
        name = self.fresh("vla")
        if self.scope.loops or "n" not in self.scope.ints:
            return None
        made = [statement(f"T *{name} = (T *)__builtin_alloca(({LENGTH} + n) * sizeof(T));"), self.filled(name)]
        self.scope.buffers.append(Buffer(name, self.scope.depth, name))
        return made

    # -- The whole

    def program(self) -> Program:
        scope = self.scope
        scope.depth = 1
        self.globals.depth = 0
        scope.scalars += ["a", "b"]
        scope.buffers += [Buffer("x", 0, "x"), Buffer("y", 0, "y")]
        scope.ints += ["n", "k"]
        cleanup: list[Statement] = []
        body = Block(braces=False)
        while self.budget > 0:
            body.parts += self.one(cleanup)
        total = expression("T", "a * b + sin($) * $", self.scalar(1), self.scalar(1))
        end = f"for (int i = 0; i < {LENGTH}; i++) total += (x[i] + 0.5) * y[i] * (T)(i + 1) * 0.25;"
        main = Block([*self.entry, *body.parts], braces=False)
        self.top.parts.append(
            statement(
                f"LINK T {self.id}(T *x, T *y, const int *k, int n, T a)\n{{\nT b = $;\n$\nT total = $;\n{end}\n$\nreturn total;\n}}",
                expression("T", "(T)0.3 * a"), main, total, Block(list(cleanup), braces=False),
            )
        )  # fmt: skip
        return Program(self.id, self.language, self.top, self.features)


STATEMENTS: list[tuple[float, str, str]] = [
    # weight, what, in which languages (any if none is named)
    (14, "assign", ""),
    (4, "local", ""),
    (3, "state", ""),
    (3, "swap", ""),
    (5, "if", ""),
    (7, "for", ""),
    (4, "while", ""),
    (3, "leave", ""),
    (2, "switch", ""),
    (0.7, "goto", "c"),
    (4, "array", ""),
    (2, "matrix", ""),
    (3, "heap", ""),
    (2, "grown", ""),
    (4, "copy", ""),
    (1.5, "memset", ""),
    (4, "pointer", ""),
    (2, "pointer_pointer", ""),
    (1.5, "ping_pong", ""),
    (1.5, "bit_buffer", ""),
    (2, "narrow", ""),
    (1, "narrow_array", ""),
    (0.5, "wide", ""),
    (4, "struct", ""),
    (3, "struct_array", ""),
    (3, "struct_copy", ""),
    (6, "function", ""),
    (0.5, "volatile", ""),
    (0.7, "tagged", ""),
    (1.5, "linked", ""),
    (2, "global", ""),
    (1.5, "union", ""),
    (1.5, "bytes", ""),
    (0.7, "alloca", ""),
    (0.3, "jump", "c"),
    (2.5, "lambda", "cpp"),
    (5, "vector", "cpp"),
    (2, "rows", "cpp"),
    (2, "std_array", "cpp"),
    (1.5, "pair", "cpp"),
    (1, "tuple", "cpp"),
    (1.5, "unique", "cpp"),
    (1, "shared", "cpp"),
    (1, "map", "cpp"),
    (1, "list", "cpp"),
    (1, "string", "cpp"),
    (1, "optional", "cpp"),
    (1, "throw", "cpp"),
]
COMPOUND = frozenset({"if", "for", "while", "switch", "lambda", "function", "goto"})


def program(seed: int, name: str | None = None) -> Program:
    """The program of a seed."""
    return Writer(seed, name).program()


if __name__ == "__main__":
    print(program(int(sys.argv[1])).text())
