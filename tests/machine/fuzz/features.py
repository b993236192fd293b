# ruff: noqa: E501
"""More that programs do, written by the generator from seed LATER on: earlier seeds give what they always gave.

Each feature is a few statements around places, scalars and conditions that the writer chooses, as in `generate.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.tree import Block, Expression, Statement, expression, statement

if TYPE_CHECKING:
    from fuzz.generate import Writer as _Writer
else:
    _Writer = object

__all__ = ["LATER", "MORE", "Features"]

LATER = 100_000
"""The first seed that has these features."""


class Features(_Writer):
    """What a writer can write besides."""

    def rounds(self, count: str = "3") -> str:
        return "n" if "n" in self.scope.ints else count

    def inner_value(self, *ints: str) -> Expression:
        """A value in a loop over some integers."""
        with self.inside() as scope:
            scope.ints += ints
            return self.bounded(1)

    def declare(self, template: str, *children: Statement | Expression | Block) -> None:
        self.top.parts.append(statement(template, *children))

    # -- Memory: layouts

    def write_ring(self) -> list[Statement]:
        """A ring buffer, with indices that only grow."""
        type, name, i, place = self.global_name("Ring"), self.fresh("ring"), self.fresh("i"), self.place()
        size = self.random.choice([4, 5, 7])
        self.declare(f"typedef struct {{ unsigned head, tail; T b[{size}]; }} {type};")
        return [
            statement(f"{type} {name}; {name}.head = {name}.tail = 0;"),
            statement(f"for (int {i} = 0; {i} < {size}; {i}++) {name}.b[{i}] = $;", self.inner_value(i)),
            statement(
                f"for (int {i} = 0; {i} < {self.rounds()} + {size}; {i}++) {{\n{name}.b[{name}.head++ % {size}] = $;\n"
                f"if ({name}.head - {name}.tail > 3) $ = 0.5 * $ + 0.3 * {name}.b[{name}.tail++ % {size}];\n}}",
                self.inner_value(i), place, place,
            ),
        ]  # fmt: skip

    def write_pointed(self) -> list[Statement]:
        """Variables that a table leads to, which begins with their addresses."""
        a, b, table, place = self.global_name("ga"), self.global_name("gb"), self.global_name("gt"), self.place()
        self.declare(f"static T {a}, {b}[3];")
        const = self.random.choice(["", "const "])
        if self.chance(0.5):
            self.declare(f"static T *{const}{table}[] = {{&{a}, {b} + 1, {b}, &{a}}};")
            use = f"*{table}[$ & 3]"
        else:
            self.declare(
                f'static {const}struct {{ const char *name; T *p; int k; }} {table}[] = {{{{"a", &{a}, 1}}, {{"b", {b} + 2, 0}}, {{"c", {b}, 2}}, {{"d", {b} + 1, 1}}}};'
            )
            use = f"*{table}[$ & 3].p"
        self.entry.append(statement(f"{a} = 0.5 * x[1]; for (int i = 0; i < 3; i++) {b}[i] = sin(x[i]);"))
        return [
            statement(f"{use} = 0.5 * {use} + 0.5 * $;", i := self.index(), i, self.bounded(1)),
            statement(f"$ = 0.5 * $ + {a} * {b}[$ % 3];", place, place, self.index()),
        ]

    def write_bit_fields(self) -> list[Statement]:
        """Bits that are counted beside floats."""
        type, name, place = self.global_name("Packed"), self.fresh("packed"), self.place()
        self.declare(f"typedef struct {{ unsigned a : 3, b : 7; T d; unsigned c : 20; F f; }} {type};")
        bump = self.global_name("bump")
        self.declare(
            f"{self.attributes()}void {bump}({type} *p, T s) {{ p->a += 1; p->b ^= 3; p->d = 0.5 * p->d + sin(s); p->c += p->a; p->f = 0.5f * p->f + (F)s; }}"
        )
        return [
            statement(f"{type} {name}, {name}_; {name}.a = 1; {name}.b = 2; {name}.c = 5; {name}.d = $; {name}.f = (F)($);", self.bounded(1), self.bounded(1)),
            statement(f"{bump}(&{name}, $); {name}_ = {name}; {name}_.d = {name}_.d * (T)(int){name}.a; {name} = {name}_; {bump}(&{name}, $);", self.scalar(0), self.scalar(0)),
            statement(f"$ = 0.25 * tanh({name}.d + (T){name}.f) * (T)(int){name}.b * 0.25;", place),
        ]  # fmt: skip

    def write_flexible(self) -> list[Statement]:
        """A header and numbers in one block, which grows."""
        type, name, i, place = self.global_name("Flex"), self.fresh("flex"), self.fresh("i"), self.place()
        self.declare(f"typedef struct {{ int n; F scale; T d[1]; }} {type};")
        other = self.fresh("flex")
        size = f"(offsetof({type}, d) + (size_t)({{}}) * sizeof(T))"
        made = [
            statement(f"{type} *{name} = ({type} *)malloc({size.format('4')}); {name}->n = 4; {name}->scale = (F)($);", self.bounded(1)),
            statement(f"for (int {i} = 0; {i} < {name}->n; {i}++) {name}->d[{i}] = $;", self.inner_value(i)),
        ]  # fmt: skip
        if self.chance(0.5):
            made.append(statement(f"{name} = ({type} *)realloc({name}, {size.format('9')}); {name}->n = 9; for (int {i} = 4; {i} < 9; {i}++) {name}->d[{i}] = {name}->d[{i} - 4] * {name}->d[3];"))  # fmt: skip
        made += [
            statement(f"{type} *{other} = ({type} *)malloc({size.format(f'{name}->n')}); memcpy({other}, {name}, {size.format(f'{name}->n')});"),
            statement(f"$ = 0.5 * tanh({other}->d[$ % {other}->n] * (T){other}->scale);", place, self.index()),
            statement(f"free({other}); free({name});"),
        ]  # fmt: skip
        return made

    def write_free_list(self) -> list[Statement]:
        """Cells that are a number, or a link to the next free one."""
        type, name, head, i, place = self.global_name("Cell"), self.fresh("cells"), self.fresh("free"), self.fresh("i"), self.place()
        self.declare(f"typedef union {type} {{ T d; union {type} *next; }} {type};")
        held = self.fresh("held")
        return [
            statement(f"{type} {name}[6], *{head} = NULL, *{held}[2];"),
            statement(f"for (int {i} = 5; {i} >= 0; {i}--) {{ {name}[{i}].next = {head}; {head} = &{name}[{i}]; }}"),
            statement(
                f"for (int {i} = 0; {i} < {self.rounds()}; {i}++) {{\n"
                f"for (int j = 0; j < 2; j++) {{ {held}[j] = {head}; {head} = {head}->next; {held}[j]->d = $; }}\n"
                f"$ = 0.5 * sin({held}[0]->d * {held}[1]->d + $);\n"
                f"for (int j = 0; j < 2; j++) {{ {held}[j]->next = {head}; {head} = {held}[j]; }}\n}}",
                self.inner_value(i, "j"), place, place,
            ),
        ]  # fmt: skip

    def write_unaligned(self) -> list[Statement]:
        """Numbers behind a byte and a count, wherever they come to lie."""
        name, at, i, place = self.fresh("message"), self.fresh("at"), self.fresh("i"), self.place()
        value = self.inner_value(i)
        self.features.add("bits")
        return [
            statement(f"unsigned char {name}[5 + 4 * sizeof(T)]; size_t {at} = 0; int {name}n = 4; {name}[{at}++] = 7; memcpy({name} + {at}, &{name}n, 4); {at} += 4;"),
            statement(f"for (int {i} = 0; {i} < 4; {i}++) {{ T sent = $; memcpy({name} + {at}, &sent, sizeof(T)); {at} += sizeof(T); }}", value),
            statement(f"memcpy(&{name}n, {name} + 1, 4); {at} = 5;"),
            statement(f"for (int {i} = 0; {i} < {name}n; {i}++) {{ T got; memcpy(&got, {name} + {at}, sizeof(T)); {at} += sizeof(T); $ = 0.5 * $ + 0.25 * got * got; }}", place, place),
        ]  # fmt: skip

    def write_shifted(self) -> list[Statement]:
        """Moves within an array, of lengths that are known at run time."""
        name, i, place = self.fresh("line"), self.fresh("i"), self.place()
        return [
            statement(f"T {name}[12]; for (int {i} = 0; {i} < 12; {i}++) {name}[{i}] = $;", self.inner_value(i)),
            statement(
                f"for (int {i} = 1; {i} < {self.rounds()} + 2; {i}++) {{ memmove({name} + {i}, {name}, (12 - {i}) * sizeof(T)); {name}[0] = 0.5 * {name}[{i}] + 0.25 * {name}[11]; memmove({name}, {name} + 1, {i} * sizeof(T)); }}"
            ),
            statement(f"$ = 0.5 * {name}[$] * {name}[3];", place, self.index()),
        ]

    def write_rows_of_pointers(self) -> list[Statement]:
        """A matrix by its rows, which change places."""
        name, i, j, place = self.fresh("m"), self.fresh("i"), self.fresh("j"), self.place()
        return [
            statement(f"T **{name} = (T **)malloc(3 * sizeof(T *)); {name}[0] = (T *)malloc(9 * sizeof(T)); T *{name}all = {name}[0]; for (int {i} = 1; {i} < 3; {i}++) {name}[{i}] = {name}[0] + 3 * {i};"),
            statement(f"for (int {i} = 0; {i} < 3; {i}++) for (int {j} = 0; {j} < 3; {j}++) {name}[{i}][{j}] = $;", self.inner_value(i, j)),
            statement(f"if ($) {{ T *kept = {name}[0]; {name}[0] = {name}[2]; {name}[2] = kept; }}", self.condition()),
            statement(f"for (int {i} = 0; {i} < 2; {i}++) for (int {j} = 0; {j} < 3; {j}++) {name}[{i} + 1][{j}] -= 0.5 * sin({name}[{i}][{j}]) * {name}[{i} + 1][0];"),
            statement(f"$ = 0.5 * tanh({name}[2][$ % 3] + {name}[0][1]); free({name}all); free({name});", place, self.index()),
        ]  # fmt: skip

    def write_hashed(self) -> list[Statement]:
        """Sums by keys, in a table with open addressing."""
        name, i, place = self.fresh("table"), self.fresh("i"), self.place()
        return [
            statement(f"struct {{ int key; T v; }} {name}[16]; for (int {i} = 0; {i} < 16; {i}++) {{ {name}[{i}].key = -1; {name}[{i}].v = (T)0.125; }}"),
            statement(
                f"for (int {i} = 0; {i} < 9; {i}++) {{ int key = ({i} * 7) % 5, h = (key * 11) & 15; while ({name}[h].key != -1 && {name}[h].key != key) h = (h + 1) & 15; if ({name}[h].key == -1) {{ {name}[h].key = key; {name}[h].v = (T)0.0; }} {name}[h].v = 0.5 * {name}[h].v + $; }}",
                self.inner_value(i),
            ),
            statement(f"for (int {i} = 0; {i} < 16; {i}++) if ({name}[{i}].key >= 0) $ = 0.6 * $ + 0.1 * {name}[{i}].v * (T){name}[{i}].key;", place, place),
        ]  # fmt: skip

    def write_larger_address(self) -> list[Statement] | None:
        """The further one of two addresses, and one that is aligned."""
        name, i = self.fresh("block"), self.fresh("i")
        p = self.fresh("p")
        ways = [
            f"T *{p} = (T *)(((uintptr_t)({name} + ($ & 3)) > (uintptr_t)({name} + 2)) ? (uintptr_t)({name} + 3) : (uintptr_t){name});",
            f"T *{p} = {name} + ($ & 3) < {name} + 2 ? {name} + 1 : {name} + 3;",
            f"T *{p} = (T *)ALIGNED({name} + ($ & 3));",
        ]
        made = [
            statement(f"T {name}[16]; for (int {i} = 0; {i} < 16; {i}++) {name}[{i}] = $;", self.inner_value(i)),
            statement(self.random.choice(ways), self.index()),
            statement(f"{p}[1] = 0.5 * {p}[$ & 3] * {p}[0] + $;", self.index(), self.bounded(0)),
        ]
        place = self.place()
        return [*made, statement(f"$ = tanh({name}[$] + {p}[2]);", place, self.index())]

    def write_exchanged(self) -> list[Statement]:
        """Additions that are tried until nobody came between."""
        name, i, place = self.fresh("shared"), self.fresh("i"), self.place()
        return [
            statement(f"T {name} = $;", self.bounded(0)),
            statement(f"for (int {i} = 0; {i} < {self.rounds()}; {i}++) atomic_add(&{name}, 0.25 * $);", self.inner_value(i)),
            statement(f"$ = 0.5 * sin({name});", place),
        ]  # fmt: skip

    # -- Control flow

    def write_into_loop(self) -> list[Statement] | None:
        """A jump into the middle of a loop."""
        if self.scope.loops or self.nesting > 2 or self.language != "c":
            return None
        label, left, place = self.fresh("middle"), self.fresh("left"), self.place()
        return [
            statement(
                f"{{ int {left} = {self.random.randint(3, 5)};\nif ($) goto {label};\nwhile ({left} > 0) {{\n$ = 0.5 * $ + 0.5 * $;\n{label}: $ = sin($ + 0.25 * (T){left});\n{left}--;\nif ($) {left}--;\n}} }}",
                self.condition(), place, place, self.bounded(1), place, place, self.condition(),
            )
        ]  # fmt: skip

    def write_out_of_loops(self) -> list[Statement] | None:
        """Out of two loops at once, with a static sum."""
        if self.nesting > 3:
            return None
        sum, i, j, label, place = self.global_name("sum"), self.fresh("i"), self.fresh("j"), self.fresh("out"), self.place()
        self.declare(f"static T {sum};")
        self.entry.append(statement(f"{sum} = 0.25 * x[0];"))
        value = self.inner_value(i, j)
        return [
            statement(
                f"for (int {i} = 0; {i} < {self.rounds()}; {i}++) for (int {j} = 0; {j} < 4; {j}++) {{ {sum} = 0.75 * {sum} + 0.25 * $; if (({i} * 4 + {j}) % 7 == 5) goto {label}; }}\n{label}:;",
                value,
            ),
            statement(f"$ = 0.5 * $ + 0.5 * tanh({sum});", place, place),
        ]

    def write_sorted(self) -> list[Statement]:
        """Insertion sort, of records."""
        type, name, i, place = self.global_name("Rec"), self.fresh("recs"), self.fresh("i"), self.place()
        self.declare(f"typedef struct {{ T key; int id; F w; }} {type};")
        return [
            statement(f"{type} {name}[5]; for (int {i} = 0; {i} < 5; {i}++) {{ {name}[{i}].key = $; {name}[{i}].id = {i}; {name}[{i}].w = (F){name}[{i}].key; }}", self.inner_value(i)),
            statement(f"for (int {i} = 1; {i} < 5; {i}++) {{ {type} held = {name}[{i}]; int j = {i}; while (j > 0 && held.key < {name}[j - 1].key) {{ {name}[j] = {name}[j - 1]; j--; }} {name}[j] = held; }}"),
            statement(f"for (int {i} = 0; {i} < 5; {i}++) $ = 0.5 * $ + 0.1 * {name}[{i}].key * (T){name}[{i}].id + 0.1 * (T){name}[{i}].w;", place, place),
        ]  # fmt: skip

    def write_parsed(self) -> list[Statement]:
        """Text that says what to do with a stack of numbers."""
        name, place = self.fresh("stack"), self.place()
        text = self.random.choice(["01+2*", "012*+3-", "10*1+", "3 2 + 1 *"])
        return [
            statement(f"T {name}[8]; int {name}n = 0;"),
            statement(
                f'for (const char *at = "{text}"; *at; at++) {{\nif (*at >= \'0\' && *at <= \'9\') {name}[{name}n++] = $;\nelse if (*at != \' \') {{ T r = {name}[--{name}n], l = {name}[--{name}n]; switch (*at) {{ case \'+\': l = l + r; break; case \'*\': l = l * r; break; default: l = l - r; }} {name}[{name}n++] = l; }}\n}}',
                expression("T", f"sin($ + (T)(*at - '0') * {name}scale)".replace(f"{name}scale", "(T)0.25"), self.scalar(0)),
            ),
            statement(f"$ = 0.5 * tanh({name}[0]);", place),
        ]  # fmt: skip

    # -- Calls

    def write_context(self) -> list[Statement]:
        """A callback with a context that nobody knows the type of."""
        type, f, apply, name, place = self.global_name("Context"), self.global_name("called"), self.global_name("integrate"), self.fresh("context"), self.place()
        self.declare(f"typedef struct {{ T a; int k; const T *table; F f; }} {type};")
        self.declare(f"static T {f}(T t, void *c) {{ {type} *p = ({type} *)c; p->a = 0.9 * p->a + 0.05 * t; return sin(p->a * t) + p->table[p->k & 7] * (T)p->f; }}")
        self.declare(f"{self.attributes()}T {apply}(T (*f)(T, void *), void *c, T a, int n) {{ T s = 0; for (int i = 0; i < n; i++) s = 0.5 * s + f(a + (T)i * 0.125, c); return s; }}")
        buffers = self.targets(self.scope.depth)
        table = self.random.choice(buffers).name if buffers else "NULL"
        if table == "NULL":
            return self.write_assign()
        return [
            statement(f"{type} {name}; {name}.a = $; {name}.k = $; {name}.table = {table}; {name}.f = (F)0.5;", self.bounded(1), self.index()),
            statement(f"$ = 0.5 * tanh({apply}({f}, &{name}, $, 3)) + 0.25 * {name}.a;", place, self.scalar(0)),
        ]  # fmt: skip

    def write_closures(self) -> list[Statement]:
        """Closures by hand, in an array, each of which calls another."""
        type, name, place = self.global_name("Closure"), self.fresh("closures"), self.place()
        one, two = self.global_name("scaled"), self.global_name("kept")
        self.declare(f"typedef struct {type} {{ T (*f)(struct {type} *, T); T held[2]; struct {type} *next; }} {type};")
        self.declare(f"static T {one}({type} *c, T v) {{ return c->held[0] * sin(v) + (c->next ? 0.5 * c->next->f(c->next, v * c->held[1]) : (T)0.25); }}")
        self.declare(f"static T {two}({type} *c, T v) {{ c->held[0] = 0.5 * c->held[0] + 0.5 * tanh(v); return c->held[0] * c->held[1]; }}")
        fills = " ".join(f"{name}[{k}].f = {(one, two)[k % 2]}; {name}[{k}].held[0] = $; {name}[{k}].held[1] = $; {name}[{k}].next = {f'&{name}[{k - 1}]' if k else 'NULL'};" for k in range(3))
        values = [self.bounded(0) for _ in range(6)]
        return [
            statement(f"{type} {name}[3]; {fills}", *values),
            statement(f"for (int i = 0; i < 4; i++) $ = 0.5 * $ + 0.5 * {name}[($ + i) % 3].f(&{name}[($ + i) % 3], $);", place, place, i := self.index(), i, place),
        ]  # fmt: skip

    def write_small_structs(self) -> list[Statement]:
        """Structs that are passed and returned in registers, in various guises."""
        shapes = ["F a; int i; F b; int j;", "T a; F b; int i;", "F a, b, c;", "F a; int i; T b;", "T a; long i;", "F a, b;", "int i; F a;"]
        shape = self.random.choice(shapes)
        type, f, name, place = self.global_name("Small"), self.global_name("small"), self.fresh("small"), self.place()
        self.declare(f"typedef struct {{ {shape} }} {type};")
        floats = [n for part in shape.split(";") if part.strip().startswith(("F", "T")) for n in part.strip()[2:].replace(" ", "").split(",")]
        ints = [n for n in ("i", "j") if f"int {n};" in shape or f"long {n};" in shape]
        kinds = {n: "F" if any(part.strip().startswith("F") and n in part.strip()[2:].replace(" ", "").split(",") for part in shape.split(";")) else "T" for n in floats}
        changes = " ".join(f"p.{n} = ({kinds[n]})(0.5 * (T)p.{n} + 0.4 * sin(s));" for n in floats) + "".join(f" p.{n} += 1;" for n in ints)
        self.declare(f"{self.random.choice(['static ', 'static NOINLINE '])}{type} {f}({type} p, T s) {{ {changes} return p; }}")
        fills = " ".join([f"{name}.{n} = ({kinds[n]})($);" for n in floats] + [f"{name}.{n} = 2;" for n in ints])
        total = " + ".join([f"(T){name}.{n}" for n in floats] + [f"(T)(int){name}.{n} * 0.125" for n in ints])
        return [
            statement(f"{type} {name}; {fills}", *(self.bounded(0) for _ in floats)),
            statement(f"{name} = {f}({f}({name}, $), $);", self.scalar(0), self.scalar(0)),
            statement(f"$ = 0.5 * tanh({total});", place),
        ]

    def write_stack_recursion(self) -> list[Statement]:
        """A function that calls itself with an array of its own."""
        f, place = self.global_name("deep"), self.place()
        self.declare(
            f"static T {f}(const T *p, int d) {{ T t[4]; for (int i = 0; i < 4; i++) t[i] = 0.5 * p[(i + d) & 3] + (T)i * 0.125; if (d <= 0) return t[1]; for (int i = 0; i < 3; i++) t[i + 1] = 0.5 * t[i + 1] + 0.5 * sin(t[i] * {f}(t, d - 2)); return t[3] + 0.5 * {f}(t, d - 1); }}"
        )
        buffer = self.contiguous()
        if buffer is None:
            return self.write_assign()
        return [statement(f"$ = 0.5 * tanh({f}({self.address(buffer)}, 2));", place)]

    # -- C++

    def write_bases(self) -> list[Statement]:
        """Two bases, one of which is virtual, and casts between them."""
        base, left, right, both, name, place = (*(self.global_name(n) for n in ("Base", "Left", "Right", "Both")), self.fresh("both"), self.place())
        virtual = self.random.choice(["", "virtual "])
        if virtual:
            self.declare(f"struct {base} {{ T b; virtual T get() const {{ return b; }} virtual ~{base}() {{}} }};")
            self.declare(f"struct {left} : virtual {base} {{ T l; T get() const override {{ return l * b; }} }};")
            self.declare(f"struct {right} : virtual {base} {{ F r; virtual T more() const {{ return T(r) + b; }} }};")
        else:
            self.declare(f"struct {base} {{ T b; virtual T get() const {{ return b; }} virtual ~{base}() {{}} }};")
            self.declare(f"struct {left} : {base} {{ T l; T get() const override {{ return l * b; }} }};")
            self.declare(f"struct {right} {{ F r; T k; virtual T more() const {{ return T(r) + k; }} virtual ~{right}() {{}} }};")
        self.declare(f"struct {both} : {left}, {right} {{ T d; T get() const override {{ return {left}::get() + d; }} }};")
        k = "" if virtual else f"{name}.k = $;"
        values = [self.bounded(1) for _ in range(4 + bool(k))]
        return [
            statement(f"{both} {name}; {name}.b = $; {name}.l = $; {name}.r = F($); {name}.d = $; {k}", *values),
            statement(f"{{ {base} *p = &{name}; {right} *q = &{name}; {both} copy = {name}; copy.b = 0.5 * copy.b; {left} *l = &copy; $ = 0.25 * (p->get() + q->more() * l->get()); if (auto *c = dynamic_cast<{both} *>(p)) $ = 0.5 * $ + 0.25 * sin(c->d); }}", place, place, place),
        ]  # fmt: skip

    def write_variants(self) -> list[Statement]:
        """Values of one of several types, in a vector."""
        name, i, place = self.fresh("variants"), self.fresh("i"), self.place()
        kinds = self.random.choice(["int, T", "T, std::array<T, 2>", "T, std::vector<T>", "int, T, std::array<T, 2>"])
        second = {"int, T": f"{i}", "T, std::array<T, 2>": "std::array<T, 2>{{T(value), T(0.5)}}", "T, std::vector<T>": "std::vector<T>(2, value)", "int, T, std::array<T, 2>": "std::array<T, 2>{{T(0.25), T(value)}}"}[kinds]
        return [
            statement(f"std::vector<std::variant<{kinds}>> {name};"),
            statement(f"for (int {i} = 0; {i} < 4; {i}++) {{ T value = $; if ({i} % 2) {name}.push_back(value); else {name}.push_back({second}); }}", self.inner_value(i)),
            statement(f"for (auto &e : {name}) std::visit([&](auto &u) {{ using U = std::decay_t<decltype(u)>; if constexpr (std::is_same_v<U, int>) $ = 0.5 * $; else if constexpr (std::is_same_v<U, T>) $ = 0.5 * $ + 0.3 * u; else $ = 0.4 * $ + 0.3 * u[0] * u[1]; }}, e);", *[place] * 6),
        ]  # fmt: skip

    def write_operations(self) -> list[Statement]:
        """Functions with captures in a vector of structs."""
        type, name, i, place = self.global_name("Op"), self.fresh("ops"), self.fresh("i"), self.place()
        self.declare(f"struct {type} {{ std::function<T(T)> f; T w; }};")
        return [
            statement(f"std::vector<{type}> {name};"),
            statement(f"for (int {i} = 0; {i} < 3; {i}++) {{ T held = $; {name}.push_back({{[held, {i}](T v) {{ return sin(held * v) + T({i}) * 0.125; }}, held}}); }}", self.inner_value(i)),
            statement(f"for (auto &o : {name}) $ = 0.5 * o.f($) + 0.25 * o.w;", place, place),
        ]  # fmt: skip

    def write_ordered(self) -> list[Statement]:
        """Pairs of a number and an index, in order."""
        name, i, place = self.fresh("ordered"), self.fresh("i"), self.place()
        kind = self.random.choice(["std::set<std::pair<T, int>>", "std::multimap<T, int>", "std::priority_queue<std::pair<T, int>>"])
        push = "push" if "queue" in kind else "insert"
        made = [
            statement(f"{kind} {name};"),
            statement(f"for (int {i} = 0; {i} < 5; {i}++) {name}.{push}({{T($) + T({i}) * 0.03125, {i}}});", self.inner_value(i)),
        ]
        if "queue" in kind:
            made.append(statement(f"while (!{name}.empty()) {{ auto [first, second] = {name}.top(); {name}.pop(); $ = 0.5 * $ + 0.1 * first * T(second); }}", place, place))
        else:
            made.append(statement(f"for (auto &e : {name}) $ = 0.5 * $ + 0.1 * e.first * T(e.second);", place, place))
        return made

    def write_grouped(self) -> list[Statement]:
        """Lists by key."""
        name, i, place = self.fresh("groups"), self.fresh("i"), self.place()
        made = [
            statement(f"std::map<int, std::vector<T>> {name};"),
            statement(f"for (int {i} = 0; {i} < 7; {i}++) {name}[{i} % 3].push_back($);", self.inner_value(i)),
            statement(f"for (auto &[key, list] : {name}) {{ list.push_back(list[0] * T(key)); $ = 0.5 * $ + 0.1 * std::accumulate(list.begin(), list.end(), T(0.0)); }}", place, place),
        ]  # fmt: skip
        if self.chance(0.5):
            made.append(statement(f"{name}.erase(1); $ = 0.5 * $ + 0.25 * {name}.begin()->second[1];", place, place))
        return made

    def write_arranged(self) -> list[Statement]:
        """What algorithms of the library make of a vector."""
        name, i, place = self.fresh("arranged"), self.fresh("i"), self.place()
        ways = [
            f"std::nth_element({name}.begin(), {name}.begin() + 3, {name}.end());",
            f"std::stable_sort({name}.begin(), {name}.end(), [](const T &l, const T &r) {{ return r < l; }});",
            f"std::partition({name}.begin(), {name}.end(), [](const T &v) {{ return v < T(0.1); }});",
            f"std::make_heap({name}.begin(), {name}.end()); std::pop_heap({name}.begin(), {name}.end());",
            f"std::transform({name}.begin(), {name}.end() - 1, {name}.begin() + 1, {name}.begin(), [](const T &l, const T &r) {{ return 0.5 * l * r; }});",
            f"{name}.erase(std::remove_if({name}.begin(), {name}.end(), [](const T &v) {{ return v > T(0.7); }}), {name}.end()); while ({name}.size() < 8) {name}.push_back(T(0.5));",
            f"{{ std::vector<int> by({name}.size()); std::iota(by.begin(), by.end(), 0); std::sort(by.begin(), by.end(), [&](int l, int r) {{ return {name}[l] < {name}[r]; }}); std::swap({name}[by[0]], {name}[by[5]]); }}",
        ]
        return [
            statement(f"std::vector<T> {name}; for (int {i} = 0; {i} < 8; {i}++) {name}.push_back($ + T({i}) * 0.03125);", self.inner_value(i)),
            *[statement(self.random.choice(ways)) for _ in range(2)],
            statement(f"$ = 0.5 * tanh({name}[$ % 8] * {name}[2]);", place, self.index()),
        ]  # fmt: skip

    def write_guarded(self) -> list[Statement]:
        """A destructor that adds up, on every way out of a loop."""
        type, i, place = self.global_name("Guard"), self.fresh("i"), self.place()
        self.declare(f"struct {type} {{ T &sum; T v; ~{type}() {{ sum = 0.5 * sum + 0.25 * v * v; }} }};")
        kept = self.fresh("kept")
        return [
            statement(f"{{ T {kept} = $;\nfor (int {i} = 0; {i} < 4; {i}++) {{ {type} guard{{{kept}, $}}; if ($) continue; if ({i} == 3) break; guard.v = sin(guard.v); }}\n$ = 0.5 * {kept}; }}", self.scalar(0), self.inner_value(i), self.condition(), place),
        ]  # fmt: skip

    def write_thrown(self) -> list[Statement]:
        """A number that is thrown."""
        f, place = self.global_name("throws"), self.place()
        self.declare(f"{self.attributes()}T {f}(T u, int i)\n{{\nif (i % 3 == 1) throw u * u;\nreturn sin(u);\n}}")
        return [statement(f"try {{ $ = 0.5 * {f}($, $); }} catch (T thrown) {{ $ = 0.25 * $ + 0.5 * thrown; }}", place, self.scalar(1), self.index(), place, place)]  # fmt: skip

    def write_owned(self) -> list[Statement]:
        """A matrix that owns its memory, moved and copied, in a vector."""
        type, name, i, place = self.global_name("Matrix"), self.fresh("matrix"), self.fresh("i"), self.place()
        self.declare(
            f"struct {type} {{ int r, c; std::unique_ptr<T[]> d; {type}(int r, int c) : r(r), c(c), d(new T[r * c]) {{ for (int i = 0; i < r * c; i++) d[i] = T(0.0); }}\n"
            f"{type}(const {type} &o) : {type}(o.r, o.c) {{ std::copy(o.d.get(), o.d.get() + r * c, d.get()); }} {type}({type} &&) = default; {type} &operator=({type} &&) = default;\n"
            "T &operator()(int i, int j) { return d[i * c + j]; } const T &operator()(int i, int j) const { return d[i * c + j]; } };"
        )
        multiply = self.global_name("multiply")
        self.declare(f"{self.attributes()}{type} {multiply}(const {type} &a, const {type} &b) {{ {type} r(a.r, b.c); for (int i = 0; i < a.r; i++) for (int j = 0; j < b.c; j++) for (int k = 0; k < a.c; k++) r(i, j) += 0.5 * a(i, k) * b(k, j); return r; }}")
        more = self.random.choice([f"{name} = {multiply}({name}, {name});", f"std::vector<{type}> {name}s; for (int {i} = 0; {i} < 3; {i}++) {name}s.push_back({i} % 2 ? {name} : {multiply}({name}, {name})); {name} = std::move({name}s[2]);", f"{type} {name}c = {name}; {name}c(0, 1) = sin({name}c(1, 1)); {name} = {multiply}({name}c, {name});"])
        return [
            statement(f"{type} {name}(2, 2); for (int {i} = 0; {i} < 4; {i}++) {name}.d[{i}] = $;", self.inner_value(i)),
            statement(more),
            statement(f"$ = 0.5 * tanh({name}($ & 1, 1));", place, self.index()),
        ]  # fmt: skip


MORE: list[tuple[float, str, str]] = [
    (2, "ring", ""),
    (2, "pointed", ""),
    (2, "bit_fields", ""),
    (2, "flexible", ""),
    (1.5, "free_list", ""),
    (2, "unaligned", ""),
    (2, "shifted", ""),
    (2, "rows_of_pointers", ""),
    (2, "hashed", ""),
    (1.5, "larger_address", ""),
    (1, "exchanged", ""),
    (1, "into_loop", "c"),
    (1.5, "out_of_loops", ""),
    (2, "sorted", ""),
    (1.5, "parsed", ""),
    (2, "context", ""),
    (2, "closures", ""),
    (2.5, "small_structs", ""),
    (1.5, "stack_recursion", ""),
    (1.5, "bases", "cpp"),
    (1.5, "variants", "cpp"),
    (1, "operations", "cpp"),
    (1.5, "ordered", "cpp"),
    (1.5, "grouped", "cpp"),
    (2, "arranged", "cpp"),
    (1.5, "guarded", "cpp"),
    (1.5, "thrown", "cpp"),
    (1.5, "owned", "cpp"),
]
