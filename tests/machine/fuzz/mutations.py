# ruff: noqa: E501
"""Changes of LLVM IR as text, one line or a few at a time. LLVM's verifier says which of them are programs.

Some keep the meaning and change the shape (a float loaded as an integer, an address through an integer, an operation in
vectors); others change what is computed. None adds a promise (`nsw`, `inbounds`, `noalias`, `nonnull`): a program that
breaks one has no meaning. Those that change integers take such promises back first.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field

__all__ = ["MUTATIONS", "mutated"]

_TYPE = r"(?:double|float|half|i\d+|ptr|<\d+ x (?:double|float|i\d+|ptr)>)"
_FLAGS = (
    r"(?:(?:fast|nnan|ninf|nsz|arcp|contract|afn|reassoc|nsw|nuw|exact|inbounds|disjoint|nneg|tail|samesign|nusw) )*"
)
_RESULT = re.compile(rf"^  (%[\w.$-]+) = {_FLAGS}(\w+) {_FLAGS}(.*)$")
_VALUE = re.compile(r"%[\w.$-]+")
_PROMISES = re.compile(
    r"(?<= )(?:nsw|nuw|exact|inbounds|disjoint|nneg|samesign|nusw) (?=\S)|, !(?:range|nonnull|tbaa|align|noundef|dereferenceable) !\d+"
)


@dataclass
class Function:
    """The lines of a definition in a module's text, and the types of its values."""

    start: int
    stop: int
    types: dict[str, str] = field(default_factory=dict)


class Text:
    """A module's text in lines."""

    def __init__(self, text: str, rng: random.Random) -> None:
        self.lines = text.split("\n")
        self.random = rng
        self.fresh_count = 0
        self.functions = list(self._functions())

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def _functions(self) -> list[Function]:
        found, start = [], None
        for i, line in enumerate(self.lines):
            if line.startswith("define "):
                start = i
            elif line == "}" and start is not None:
                found.append(Function(start, i, self._types(start, i)))
                start = None
        return found

    def _types(self, start: int, stop: int) -> dict[str, str]:
        types = {
            name: type for type, name in re.findall(rf"\b({_TYPE})(?: [a-z][\w()]*)* (%[\w.$-]+)", self.lines[start])
        }
        for line in self.lines[start + 1 : stop]:
            if (match := _RESULT.match(line)) and (type := _type_of(match[2], match[3])):
                types[match[1]] = type
        return types

    def fresh(self) -> str:
        self.fresh_count += 1
        return f"%mutant{self.fresh_count}"

    def pick(self, pattern: str) -> tuple[Function, int, re.Match[str]] | None:
        """A line of some function that fits."""
        compiled = re.compile(pattern)
        fits = [
            (f, i, m)
            for f in self.functions
            for i in range(f.start + 1, f.stop)
            if (m := compiled.match(self.lines[i]))
        ]
        return self.random.choice(fits) if fits else None

    def replace_line(self, at: int, *lines: str) -> None:
        self.lines[at : at + 1] = lines

    def rename_uses(self, function: Function, name: str, new: str, after: int) -> None:
        """Of a value in a function, from a line on."""
        pattern = re.compile(rf"{re.escape(name)}(?![\w.$-])")
        for i in range(after, function.stop):
            self.lines[i] = pattern.sub(lambda _: new, self.lines[i])

    def without_promises(self) -> None:
        for f in self.functions:
            for i in range(f.start + 1, f.stop):
                self.lines[i] = _PROMISES.sub("", self.lines[i])
        self.lines = [re.sub(r"\b(?:noundef|nonnull|dereferenceable(?:_or_null)?\(\d+\)|range\([^)]*\)) (?=\S)|"
                             r" (?:noundef|nonnull|dereferenceable(?:_or_null)?\(\d+\))(?=[,) ])", " ", line)
                      if line.startswith(("define ", "declare ")) or " call " in line else line
                      for line in self.lines]  # fmt: skip


def _type_of(opcode: str, rest: str) -> str | None:
    if opcode in ("icmp", "fcmp"):
        return "i1" if "<" not in rest.split(",")[0] else None
    if opcode in ("getelementptr", "alloca", "inttoptr"):
        return "ptr"
    if " to " in rest and opcode in (
        "bitcast",
        "fptrunc",
        "fpext",
        "sitofp",
        "uitofp",
        "fptosi",
        "fptoui",
        "zext",
        "sext",
        "trunc",
        "ptrtoint",
    ):
        match = re.search(rf" to ({_TYPE})$", rest.split(", !")[0])
        return match[1] if match else None
    if opcode == "select":
        rest = rest.partition(", ")[2]
    if opcode in ("extractvalue", "extractelement", "insertvalue", "landingpad", "cmpxchg", "va_arg"):
        return None
    match = re.match(rf"(?:volatile |atomic )*(?:[a-z_]+ )*?({_TYPE})\b", rest)
    return match[1] if match else None


Mutation = Callable[[Text], bool]
MUTATIONS: list[tuple[float, Mutation]] = []


def mutation(weight: float) -> Callable[[Mutation], Mutation]:
    def register(change: Mutation) -> Mutation:
        MUTATIONS.append((weight, change))
        return change

    return register


# -- What is computed ---------------------------------------------------------------------------------------------------


@mutation(6)
def other_operand(text: Text) -> bool:
    """Another value of the same type, that comes before."""
    function = text.random.choice(text.functions)
    lines = [
        i
        for i in range(function.start + 1, function.stop)
        if "%" in text.lines[i].partition("= ")[2] or "store" in text.lines[i]
    ]
    if not lines:
        return False
    at = text.random.choice(lines)
    line = text.lines[at]
    begin = line.index(" = ") if " = " in line else 0
    uses = [m for m in _VALUE.finditer(line, begin) if m[0] in function.types]
    if not uses:
        return False
    use = text.random.choice(uses)
    type = function.types[use[0]]
    before = set(_VALUE.findall("\n".join(text.lines[function.start : at])))
    choices = [v for v, t in function.types.items() if t == type and v != use[0] and v in before]
    if not choices:
        return False
    if type != "double" and type != "float":
        text.without_promises()
        line = text.lines[at]
        uses = [m for m in _VALUE.finditer(line, begin) if m[0] == use[0]]
        if not uses:
            return False
        use = text.random.choice(uses)
    text.lines[at] = line[: use.start()] + text.random.choice(choices) + line[use.end() :]
    return True


@mutation(4)
def other_float_operation(text: Text) -> bool:
    found = text.pick(r"^  %\S+ = (fadd|fsub|fmul|fdiv) ")
    if found is None:
        return False
    _, at, match = found
    new = text.random.choice([o for o in ("fadd", "fsub", "fmul", "fdiv") if o != match[1]])
    text.lines[at] = text.lines[at].replace(f"= {match[1]} ", f"= {new} ", 1)
    return True


@mutation(2)
def other_integer_operation(text: Text) -> bool:
    found = text.pick(r"^  %\S+ = (add|sub|mul|and|or|xor) ")
    if found is None:
        return False
    _, at, match = found
    text.without_promises()
    new = text.random.choice([o for o in ("add", "sub", "mul", "and", "or", "xor") if o != match[1]])
    text.lines[at] = text.lines[at].replace(f"= {match[1]} ", f"= {new} ", 1)
    return True


@mutation(3)
def other_predicate(text: Text) -> bool:
    found = text.pick(rf"^  %\S+ = fcmp {_FLAGS}(\w+) ")
    if text.random.random() < 0.4 or found is None:
        found = text.pick(r"^  %\S+ = icmp (?:samesign )?(\w+) ")
    if found is None:
        return False
    _, at, match = found
    floats = ("oeq", "ogt", "oge", "olt", "ole", "one", "ueq", "ugt", "uge", "ult", "ule", "une", "ord", "uno")
    integers = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
    new = text.random.choice(floats if " fcmp " in text.lines[at] else integers)
    text.lines[at] = text.lines[at].replace(f" {match[1]} ", f" {new} ", 1)
    if " icmp " in text.lines[at]:
        text.lines[at] = text.lines[at].replace("samesign ", "")
    return True


@mutation(2)
def other_function(text: Text) -> bool:
    """Another mathematical function."""
    names = ["sin", "cos", "tanh", "exp", "atan", "fabs", "sqrt", "log", "cbrt", "erf", "expm1", "log1p"]
    found = text.pick(rf"^  %\S+ = .*call .*@(?:llvm\.)?({'|'.join(names)})(?:\.f64)?\(double")
    if found is None:
        return False
    _, at, match = found
    new = text.random.choice([n for n in names if n != match[1]])
    text.lines[at] = re.sub(r"@(?:llvm\.)?\w+(?:\.f64)?\(double", f"@{new}(double", text.lines[at], count=1)
    if f"@{new}(" not in "\n".join(line for line in text.lines if line.startswith(("declare", "define"))):
        text.lines.append(f"declare double @{new}(double)")
    return True


@mutation(3)
def other_constant(text: Text) -> bool:
    """A float is changed; of an integer bits are taken away, which makes indices smaller."""
    if text.random.random() < 0.5:
        found = text.pick(r"^  .*(?:, |double )(-?\d\.\d+e[+-]\d+|0x[0-9A-F]{16})(?=,|$|\))")
        if found is None:
            return False
        _, at, match = found
        new = text.random.choice(["0.000000e+00", "1.000000e+00", "-5.000000e-01", "1.250000e-01", "2.000000e+00"])
        text.lines[at] = text.lines[at].replace(match[1], new, 1)
        return True
    found = text.pick(r"^  .*(?:, |i32 |i64 )(\d+)(?=,|$|\))")
    if found is None:
        return False
    _, at, match = found
    text.without_promises()
    match = re.match(r"^(  .*(?:, |i32 |i64 ))(\d+)(?=,|$|\))", text.lines[at])
    if match is None or "align" in match[1][-8:]:
        return False
    number = int(match[2]) & text.random.randrange(256)
    text.lines[at] = f"{match[1]}{number}{text.lines[at][match.end() :]}"
    return True


@mutation(3)
def dropped(text: Text) -> bool:
    """An instruction less: what used it uses its operand."""
    found = text.pick(r"^  (?:store |call void @(?!llvm\.dbg))") if text.random.random() < 0.4 else None
    if found is not None:
        text.replace_line(found[1])
        text.functions = text._functions()
        return True
    found = text.pick(r"^  (%\S+) = (?:fadd|fsub|fmul|fdiv|fneg|call|select|add|sub|mul|xor|and|or|load) ")
    if found is None:
        return False
    function, at, match = found
    type = function.types.get(match[1])
    operands = [v for v in _VALUE.findall(text.lines[at].partition("= ")[2]) if function.types.get(v) == type]
    if type is None or not operands:
        return False
    if not type.startswith(("double", "float")):
        text.without_promises()
    new = text.random.choice(operands)
    text.replace_line(at)
    text.rename_uses(function, match[1], new, function.start + 1)
    text.functions = text._functions()
    return True


@mutation(2)
def duplicated(text: Text) -> bool:
    """An instruction twice; some uses take the second."""
    found = text.pick(r"^  (?:(%\S+) = (?!phi|alloca|landingpad)|store )")
    if found is None:
        return False
    function, at, match = found
    line = text.lines[at]
    if " invoke " in line or " to label" in line:
        return False
    if match[1] is None:
        text.replace_line(at, line, line)
    else:
        new = text.fresh()
        text.replace_line(at, line, line.replace(match[1], new, 1))
        function.stop += 1
        uses = [
            i for i in range(at + 2, function.stop) if re.search(rf"{re.escape(match[1])}(?![\w.$-])", text.lines[i])
        ]
        for i in uses:
            if text.random.random() < 0.5 and " phi " not in text.lines[i]:
                text.lines[i] = re.sub(rf"{re.escape(match[1])}(?![\w.$-])", lambda _: new, text.lines[i])
    text.functions = text._functions()
    return True


@mutation(3)
def exchanged(text: Text) -> bool:
    """Two neighbours in the other order."""
    found = text.pick(r"^  (?:%\S+ = (?!phi)|store |call )")
    if found is None:
        return False
    function, at, _ = found
    if at + 1 >= function.stop or not re.match(r"^  (?:%\S+ = (?!phi)|store |call )", text.lines[at + 1]):
        return False
    text.lines[at], text.lines[at + 1] = text.lines[at + 1], text.lines[at]
    return True


@mutation(1)
def exchanged_operands(text: Text) -> bool:
    found = text.pick(rf"^  %\S+ = (?:fsub|fdiv|sub|fcmp|fadd|fmul) .*?{_TYPE} ([^,]+), ([^,]+)$")
    if found is None:
        return False
    _, at, match = found
    text.lines[at] = text.lines[at].replace(f"{match[1]}, {match[2]}", f"{match[2]}, {match[1]}")
    return True


@mutation(1)
def exchanged_labels(text: Text) -> bool:
    """The other way at a branch."""
    found = text.pick(r"^  br i1 (\S+), label (%\S+), label (%[\w.$-]+)")
    if found is None:
        return False
    _, at, match = found
    text.lines[at] = text.lines[at].replace(
        f"label {match[2]}, label {match[3]}", f"label {match[3]}, label {match[2]}"
    )
    return True


# -- What is said -------------------------------------------------------------------------------------------------------


@mutation(2)
def fewer_promises(text: Text) -> bool:
    before = str(text)
    text.without_promises()
    return str(text) != before


@mutation(2)
def fewer_attributes(text: Text) -> bool:
    """Some of the attributes of functions and parameters are gone."""
    words = ["noalias", "nocapture", "captures\\(none\\)", "readonly", "writeonly", "noundef", "nounwind", "willreturn",
             "norecurse", "nofree", "nosync", "mustprogress", "dso_local", "local_unnamed_addr", "nonnull",
             "memory\\([^)]*\\)", "uwtable", "returned", "tail", "unnamed_addr"]  # fmt: skip
    chosen = text.random.sample(words, 4)
    pattern = re.compile(rf"(?<= )(?:{'|'.join(chosen)}) (?=\S)|(?<=\S) (?:{'|'.join(chosen)})(?=[,)])")
    changed = False
    for i, line in enumerate(text.lines):
        if line.startswith(("define ", "declare ", "attributes ")) or " call " in line:
            new = pattern.sub("", line)
            changed |= new != line
            text.lines[i] = re.sub(r"= \{ *\}", '= { "empty" }', new)
    return changed


@mutation(1)
def no_metadata(text: Text) -> bool:
    """Nothing said of types, ranges or source lines."""
    before = str(text)
    text.lines = [re.sub(r"(?:, ![\w.]+ ![\w]+)+(?=$|, |\))| ![\w.]+ !\d+(?= \{$)", "", line) for line in text.lines]
    text.lines = [line for line in text.lines if "@llvm.dbg" not in line and not re.match(r"^\s+#dbg_", line)]
    return str(text) != before


@mutation(1.5)
def other_definition(text: Text) -> bool:
    """Linkage, or whether it is inlined."""
    function = text.random.choice(text.functions)
    line = text.lines[function.start]
    if text.random.random() < 0.5 and line.startswith("define internal"):
        new = text.random.choice(["define", "define linkonce_odr", "define weak_odr", "define hidden"])
        text.lines[function.start] = line.replace("define internal", new, 1)
        return True
    attribute = text.random.choice(
        ["noinline", "noinline optnone", "optsize", "minsize optsize", "cold", "alwaysinline"]
    )
    match = re.search(r"\)( (?:local_)?unnamed_addr)?(?= (?:#|\{|!|comdat|align|personality|section))", line)
    if match is None:
        return False
    text.lines[function.start] = f"{line[: match.end()]} {attribute}{line[match.end() :]}"
    return True


@mutation(1)
def other_alignment(text: Text) -> bool:
    found = text.pick(r"^  .*(?:load|store) .*, align (\d+)")
    if found is None:
        return False
    _, at, match = found
    text.lines[at] = re.sub(r", align \d+", f", align {text.random.choice([1, 2, 4])}", text.lines[at], count=1)
    return match[1] != "1"


@mutation(1)
def other_global(text: Text) -> bool:
    """A constant becomes a variable, something internal becomes visible."""
    globals = [i for i, line in enumerate(text.lines) if re.match(r"^@\S+ = .*\b(?:constant|global) ", line)]
    if not globals:
        return False
    at = text.random.choice(globals)
    line = text.lines[at]
    new = text.random.choice(
        [
            line.replace(" constant ", " global ", 1),
            line.replace("internal ", "", 1),
            line.replace("unnamed_addr ", "", 1),
        ]
    )
    text.lines[at] = new
    return new != line


@mutation(1.5)
def volatile(text: Text) -> bool:
    found = text.pick(rf"^  (?:%\S+ = )?(load|store) (?!volatile|atomic)({_TYPE})")
    if found is None:
        return False
    _, at, match = found
    text.lines[at] = text.lines[at].replace(f"{match[1]} ", f"{match[1]} volatile ", 1)
    return True


@mutation(1)
def atomic(text: Text) -> bool:
    found = text.pick(r"^  (?:%\S+ = )?(load|store) (?!volatile|atomic)(double|float|i32|i64|ptr) ")
    if found is None:
        return False
    _, at, match = found
    order = text.random.choice(["monotonic", "seq_cst", "acquire" if match[1] == "load" else "release", "unordered"])
    line = text.lines[at].replace(f"{match[1]} ", f"{match[1]} atomic ", 1)
    text.lines[at] = re.sub(r"(ptr [%@][\w.$-]+)(?:, align \d+)?", rf"\1 {order}, align 8", line, count=1)
    if "store" in text.lines[at]:
        head, _, tail = line.rpartition(", ptr ")
        text.lines[at] = (
            f"{head}, ptr {re.sub(r'^([%@][^,]+)(?:, align [0-9]+)?', lambda m: f'{m[1]} {order}, align 8', tail)}"
        )
    return True


# -- The shape ------------------------------------------------------------------------------------------------------------


@mutation(2)
def loaded_as_integer(text: Text) -> bool:
    found = text.pick(r"^  (%\S+) = load double, ptr ([%@][\w.$-]+)(.*)$")
    if found is None:
        return False
    _, at, match = found
    bits = text.fresh()
    rest = re.sub(r", !tbaa !\d+", "", match[3])
    text.replace_line(at, f"  {bits} = load i64, ptr {match[2]}{rest}", f"  {match[1]} = bitcast i64 {bits} to double")
    text.functions = text._functions()
    return True


@mutation(2)
def stored_as_integer(text: Text) -> bool:
    found = text.pick(r"^  store double (\S+), ptr ([%@][\w.$-]+)(.*)$")
    if found is None:
        return False
    _, at, match = found
    rest = re.sub(r", !tbaa !\d+", "", match[3])
    bits = text.fresh()
    made = [f"  {bits} = bitcast double {match[1]} to i64"]
    if text.random.random() < 0.3:
        low, shifted, high, second = (text.fresh() for _ in range(4))
        made += [
            f"  {low} = trunc i64 {bits} to i32",
            f"  {shifted} = lshr i64 {bits}, 32",
            f"  {high} = trunc i64 {shifted} to i32",
            f"  {second} = getelementptr i8, ptr {match[2]}, i64 4",
            f"  store i32 {low}, ptr {match[2]}, align 4",
            f"  store i32 {high}, ptr {second}, align 4",
        ]
    else:
        made.append(f"  store i64 {bits}, ptr {match[2]}{rest}")
    text.replace_line(at, *made)
    text.functions = text._functions()
    return True


@mutation(2)
def address_through_integer(text: Text) -> bool:
    found = text.pick(r"^  (?:%\S+ = load|store) .*ptr (%[\w.$-]+)")
    if found is None:
        return False
    function, at, match = found
    if function.types.get(match[1]) != "ptr":
        return False
    number, back = text.fresh(), text.fresh()
    line = text.lines[at]
    head, _, tail = line.rpartition(f"ptr {match[1]}")
    made = [f"  {number} = ptrtoint ptr {match[1]} to i64"]
    if text.random.random() < 0.4:
        more = text.fresh()
        made.append(f"  {more} = {text.random.choice(['add', 'xor', 'or'])} i64 {number}, 0")
        number = more
    text.replace_line(at, *made, f"  {back} = inttoptr i64 {number} to ptr", f"{head}ptr {back}{tail}")
    text.functions = text._functions()
    return True


@mutation(1.5)
def through_memory(text: Text) -> bool:
    """A value is put into memory, copied by `memcpy` or bytes, and read again."""
    found = text.pick(r"^  (%\S+) = (?:fadd|fsub|fmul|fdiv|fneg|load|call|fpext|sitofp) .*double")
    if found is None:
        return False
    function, at, match = found
    if function.types.get(match[1]) != "double":
        return False
    one, two, back = text.fresh(), text.fresh(), text.fresh()
    entry = next(i for i in range(function.start + 1, function.stop) if text.lines[i].startswith("  "))
    text.rename_uses(function, match[1], back, at + 1)
    if " phi " in "\n".join(line for line in text.lines[function.start : at] if match[1] in line):
        return False
    copies = [
        f"  call void @llvm.memcpy.p0.p0.i64(ptr {two}, ptr {one}, i64 8, i1 false)",
        *(f"  {n} = load i8, ptr {one}, align 1" for n in ()),
    ]
    text.lines[at + 1 : at + 1] = [
        f"  store double {match[1]}, ptr {one}, align 8", *copies, f"  {back} = load double, ptr {two}, align 8",
    ]  # fmt: skip
    text.lines[entry:entry] = [f"  {one} = alloca [8 x i8], align 8", f"  {two} = alloca double, align 8"]
    if not any("@llvm.memcpy.p0.p0.i64(" in line for line in text.lines if line.startswith("declare")):
        text.lines.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    text.functions = text._functions()
    return True


@mutation(2)
def operation_in_vectors(text: Text) -> bool:
    found = text.pick(rf"^  (%\S+) = (fadd|fsub|fmul|fdiv) ({_FLAGS})double ([^,]+), ([^,]+?)(, !.*)?$")
    if found is None:
        return False
    _, at, match = found
    a, b, c = text.fresh(), text.fresh(), text.fresh()
    text.replace_line(
        at,
        f"  {a} = insertelement <2 x double> <double 1.0, double 1.0>, double {match[4]}, i64 0",
        f"  {b} = insertelement <2 x double> <double 1.0, double 2.0>, double {match[5]}, i64 0",
        f"  {c} = {match[2]} {match[3]}<2 x double> {a}, {b}",
        f"  {match[1]} = extractelement <2 x double> {c}, i64 0",
    )
    text.functions = text._functions()
    return True


@mutation(1.5)
def through_aggregate(text: Text) -> bool:
    found = text.pick(rf"^  (%\S+) = (fadd|fsub|fmul|fdiv) ({_FLAGS})double ([^,]+), ([^,]+?)(, !.*)?$")
    if found is None:
        return False
    _, at, match = found
    a, b, c = text.fresh(), text.fresh(), text.fresh()
    type = text.random.choice(["{ i64, double }", "[2 x double]", "{ [1 x double], double }"])
    first = {
        "{ i64, double }": "i64 7",
        "[2 x double]": "double 3.0",
        "{ [1 x double], double }": "[1 x double] zeroinitializer",
    }[type]
    text.replace_line(
        at,
        f"  {a} = insertvalue {type} poison, double {match[4]}, 1",
        f"  {b} = insertvalue {type} {a}, {first}, 0",
        f"  {c} = extractvalue {type} {b}, 1",
        f"  {match[1]} = {match[2]} {match[3]}double {c}, {match[5]}",
    )
    text.functions = text._functions()
    return True


@mutation(1)
def in_single_precision(text: Text) -> bool:
    found = text.pick(rf"^  (%\S+) = (fadd|fsub|fmul|fdiv) ({_FLAGS})double (%[^,]+), (%[^,]+?)(, !.*)?$")
    if found is None:
        return False
    _, at, match = found
    a, b, c = text.fresh(), text.fresh(), text.fresh()
    text.replace_line(
        at,
        f"  {a} = fptrunc double {match[4]} to float",
        f"  {b} = fptrunc double {match[5]} to float",
        f"  {c} = {match[2]} float {a}, {b}",
        f"  {match[1]} = fpext float {c} to double",
    )
    text.functions = text._functions()
    return True


@mutation(1)
def frozen(text: Text) -> bool:
    found = text.pick(r"^  (%\S+) = (?!phi|alloca|landingpad|call|invoke)")
    if found is None:
        return False
    function, at, match = found
    type = function.types.get(match[1])
    if type is None or " invoke " in text.lines[at]:
        return False
    new = text.fresh()
    text.rename_uses(function, match[1], new, at + 1)
    text.lines.insert(at + 1, f"  {new} = freeze {type} {match[1]}")
    text.functions = text._functions()
    return True


@mutation(1)
def negated_by_bits(text: Text) -> bool:
    """The sign of a float is changed, or taken away, as an integer's bit."""
    found = text.pick(r"^  store double (%\S+), ")
    if found is None:
        return False
    _, at, match = found
    bits, changed, back = text.fresh(), text.fresh(), text.fresh()
    way = text.random.choice(
        ["xor i64 {}, -9223372036854775808", "and i64 {}, 9223372036854775807", "or i64 {}, -9223372036854775808"]
    )
    line = text.lines[at].replace(f"double {match[1]},", f"double {back},", 1)
    text.replace_line(
        at,
        f"  {bits} = bitcast double {match[1]} to i64",
        f"  {changed} = {way.format(bits)}",
        f"  {back} = bitcast i64 {changed} to double",
        line,
    )
    text.functions = text._functions()
    return True


@mutation(1)
def called_by_pointer(text: Text) -> bool:
    """The function's address comes from memory."""
    found = text.pick(r"^  (?:%\S+ = )?(?:tail )?call [^@]*(@(?!llvm\.)[\w.$]+)\(")
    if found is None:
        return False
    _, at, match = found
    slot, loaded = text.fresh(), text.fresh()
    text.replace_line(
        at,
        f"  {slot} = alloca ptr, align 8",
        f"  store volatile ptr {match[1]}, ptr {slot}, align 8"
        if text.random.random() < 0.2
        else f"  store ptr {match[1]}, ptr {slot}, align 8",
        f"  {loaded} = load ptr, ptr {slot}, align 8",
        text.lines[at].replace(f"{match[1]}(", f"{loaded}(", 1),
    )
    text.functions = text._functions()
    return True


@mutation(1)
def selected(text: Text) -> bool:
    """One of two values, by a condition of the program's."""
    found = text.pick(r"^  (%\S+) = icmp ")
    if found is None:
        return False
    function, at, match = found
    if function.types.get(match[1]) != "i1":
        return False
    stores = [i for i in range(at + 1, function.stop) if re.match(r"^  store double %", text.lines[i])]
    if not stores:
        return False
    i = text.random.choice(stores)
    value = re.match(r"^  store double (%[\w.$-]+)", text.lines[i])
    if value is None:
        return False
    new = text.fresh()
    text.lines[i] = text.lines[i].replace(value[1], new, 1)
    text.lines.insert(i, f"  {new} = select i1 {match[1]}, double {value[1]}, double 2.500000e-01")
    text.functions = text._functions()
    return True


def mutated(source: str, seed: int, is_valid: Callable[[str], bool], count: int | None = None) -> tuple[str, list[str]]:
    """The text after a few changes that LLVM accepts, and their names."""
    rng = random.Random(seed)
    weights = [w for w, _ in MUTATIONS]
    names: list[str] = []
    for _ in range(60):
        if len(names) >= (count or 1 + seed % 3):
            break
        text = Text(source, rng)
        text.fresh_count = 100 * len(names)
        change = rng.choices(MUTATIONS, weights)[0][1]
        if not text.functions or not change(text):
            continue
        new = str(text)
        if new != source and is_valid(new):
            source = new
            names.append(change.__name__)
    return source, names
