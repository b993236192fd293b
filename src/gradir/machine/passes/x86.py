"""x86's own vector instructions, in LLVM's words.

Compilers write most intrinsics of SSE, AVX and AVX-512 in plain LLVM IR: `_mm256_add_pd` is an `fadd`. Others stay
calls of functions that only this processor has (`llvm.x86.avx.hadd.pd.256`): sums of neighbours, maxima, permutations,
roundings, accesses by masks. Each becomes a call of a function that does the same in plain IR. LLVM inlines it, and
mostly makes the same instruction of it.

Estimates (`rcp`, `rsqrt`) and the parts of a float (`getexp`, `getmant`, `scalef`, `reduce`) stay as they are and have
rules (`rules/intrinsics.py`); where a mask chooses among their lanes, that becomes a choice of its own. What gives
integers has no derivative (`rules/known.py`). All others are left to be refused by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from gradir.machine.ir import I1, I32, I64, PTR, VOID, Constant, Instruction, Module, Type, integer, vector
from gradir.machine.ir.builder import Code, Expr, overload
from gradir.machine.ir.instructions import call, located
from gradir.machine.ir.text.reader import extend
from gradir.machine.ir.text.tokens import global_names
from gradir.machine.rules.x86 import family_of

__all__ = ["run"]

_X86, _OWN = "llvm.x86.", "gradir.x86."


def run(module: Module) -> None:
    """Have such instructions done by functions in plain IR, where that is known."""
    for function in module.definitions:
        if function.may_hold('"vfmadd231'):
            for i in [i for i in function.instructions() if i.opcode == "call" and _is_fused(i)]:
                _fuse(module, i)
    if not any(name.startswith(_X86) for name in module.functions):
        return
    for function in [f for f in module.definitions if f.may_hold(_X86) and not f.name.startswith(_OWN)]:
        for i in [i for i in function.instructions() if i.opcode == "call" and (i.callee_name or "").startswith(_X86)]:
            _replace(module, i)


def _is_fused(i: Instruction) -> bool:
    """Whether it is `a * b + c` as Eigen asks for it, which does not leave the choice among its forms to compilers."""
    kind = ("p" if i.type.kind == "vector" else "s") + {"double": "d", "float": "s"}.get(i.type.scalar.text, "?")
    return i.callee.ref.startswith(f'asm "vfmadd231{kind} $1, $2, $0", "=x,x,x,0')


def _fuse(module: Module, i: Instruction) -> None:
    name = f"llvm.fma.{overload(i.type)}"
    if name not in module.functions:
        extend(module, f"declare {i.type} @{name}({i.type}, {i.type}, {i.type})")
    made = located(call(i.type, Constant(PTR, f"@{name}", (name,)), i.arguments), i)
    i.insert_before(made)
    i.erase(made)


def _replace(module: Module, i: Instruction) -> None:
    declared = module.functions[i.callee_name or ""].arguments
    told = [v.integer if isinstance(v, Constant) and a.attributes.has("immarg") else None
            for v, a in zip(i.arguments, declared, strict=True)]  # fmt: skip
    name = (i.callee_name or "").removeprefix(_X86)
    own = ".".join([_OWN + name, *(str(number) for number in told if number is not None)])
    if own not in module.functions and not _define(module, own, name, i, told):
        return
    passed = [v for v, number in zip(i.arguments, told, strict=True) if number is None]
    made = located(call(i.type, Constant(PTR, f"@{own}", (own,)), passed), i)
    i.insert_before(made)
    i.erase(made if i.type.kind != "void" else None)


def _define(module: Module, own: str, name: str, i: Instruction, told: Sequence[int | None]) -> bool:
    """Add the function that does what an instruction does. Whether that is known."""
    lines: dict[str, str] = {}

    def declare(line: str) -> None:
        lines.setdefault(global_names(line)[0], line)

    types = [a.type for a, number in zip(i.arguments, told, strict=True) if number is None]
    said = {"linkage": "internal", "attributes": "alwaysinline nounwind"}
    code = Code(own, i.type, [(t, "x") for t in types], declare=declare, **said)
    given = iter(code.parameters)
    x = _Call(code, name, [next(given) if number is None else number for number in told], i.type)
    found = family_of(name)
    made = _FAMILIES[found[0]](x, *found[1]) if found is not None else None
    if made is None:
        return False
    code.ret(made if made.type.kind != "void" else None)
    declarations = [line for named, line in lines.items() if named not in module.functions]
    extend(module, "\n".join([*declarations, code.text()]))
    return True


# -- what functions are written with -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Call:
    """An instruction: its operands, of which immediate ones are numbers, and the type of its result."""

    code: Code
    name: str
    operands: Sequence[Expr | int]
    type: Type

    @cached_property
    def values(self) -> list[Expr]:
        return [x for x in self.operands if isinstance(x, Expr)]

    @cached_property
    def immediates(self) -> list[int]:
        return [x for x in self.operands if isinstance(x, int)]

    @property
    def rounds_as_usual(self) -> bool:
        """Whether the last immediate asks for the rounding that all other arithmetic has (`_MM_FROUND_…`)."""
        return self.immediates[-1] in (4, 8, 12)


_Write = Callable[..., Expr | None]
_FAMILIES: dict[str, _Write] = {}


def _family(name: str) -> Callable[[_Write], _Write]:
    """What writes a family of `rules/x86.py`; it is given the groups of the name's pattern. None: not known."""

    def add(write: _Write) -> _Write:
        _FAMILIES[name] = write
        return write

    return add


def _low(v: Expr) -> Expr:
    return v.code.emit(v.type.element, f"extractelement {v}, i64 0")


def _with_low(v: Expr, lane: Expr) -> Expr:
    return v.code.emit(v.type, f"insertelement {v}, {lane}, i64 0")


def _lanes(a: Expr, b: Expr, which: Sequence[int]) -> Expr:
    """Lanes of two vectors, counted through both."""
    mask = ", ".join(f"i32 {n}" for n in which)
    type = vector(len(which), a.type.element)
    return a.code.emit(type, f"shufflevector {a}, {b}, <{len(which)} x i32> <{mask}>")


def _zero(x: _Call, type: Type) -> Expr:
    return Expr(x.code, type, "zeroinitializer" if type.kind == "vector" else "0.0" if type.is_float else "0")


def _cast(opcode: str, v: Expr, element: Type) -> Expr:
    """A conversion, in each lane of a vector."""
    type = vector(v.type.count, element) if v.type.kind == "vector" else element
    return v.code.emit(type, f"{opcode} {v} to {type}")


def _bits(v: Expr) -> Expr:
    """Floats as integers."""
    return v if not v.type.is_float else _cast("bitcast", v, integer(v.type.element.size * 8))


def _negative(v: Expr) -> Expr:
    """Where the first bit is set, which is how masks are told in floats."""
    return _bits(v) < 0


def _chosen(mask: Expr, count: int) -> Expr:
    """The lanes that the bits of an integer tell."""
    if mask.type.kind == "vector":
        return mask if mask.type.count == count else _lanes(mask, mask, range(count))
    bits = mask.code.emit(vector(mask.type.count, I1), f"bitcast {mask} to <{mask.type.count} x i1>")
    return bits if bits.type.count == count else _lanes(bits, bits, range(count))


def _is_on(mask: Expr) -> Expr:
    """Whether the lowest bit of a mask is set."""
    return mask.code.emit(I1, f"trunc {mask} to i1")


def _in_pieces(v: Expr, per: int = 16) -> list[range]:
    """The lanes in each piece of so many bytes: many instructions don't cross their borders."""
    n = per // v.type.element.size
    return [range(first, first + n) for first in range(0, v.type.count, n)]


# -- arithmetic --------------------------------------------------------------------------------------------------------

_ORDER = {"max": "ogt", "min": "olt"}


def _extreme(which: str, a: Expr, b: Expr) -> Expr:
    """The second operand, unless the first is greater (less): also of zeros, and where one is NaN."""
    return a.compare(_ORDER[which], b).select(a, b)


@_family("extremes")
def _extremes(x: _Call, which: str) -> Expr:
    return _extreme(which, *x.values)


@_family("low_extreme")
def _low_extreme(x: _Call, which: str) -> Expr:
    a, b = x.values
    return _with_low(a, _extreme(which, _low(a), _low(b)))


_ARITHMETIC: dict[str, Callable[[Expr, Expr], Expr]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "max": lambda a, b: _extreme("max", a, b),
    "min": lambda a, b: _extreme("min", a, b),
    "sqrt": lambda a, b: a.code.intrinsic("sqrt", b),
}


@_family("rounded")
def _rounded(x: _Call, which: str) -> Expr | None:
    return _ARITHMETIC[which](*x.values) if x.rounds_as_usual else None


@_family("root")
def _root(x: _Call) -> Expr | None:
    return x.code.intrinsic("sqrt", *x.values) if x.rounds_as_usual else None


@_family("low_masked")
def _low_masked(x: _Call, which: str) -> Expr | None:
    a, b, through, mask = x.values
    if not x.rounds_as_usual:
        return None
    # Of all lanes: LLVM makes the square root of another lane of a choice between the root of one and another number.
    return _with_low(a, _is_on(mask).select(_low(_ARITHMETIC[which](a, b)), _low(through)))


@_family("fused")
def _fused(x: _Call) -> Expr | None:
    return x.code.intrinsic("fma", *x.values) if x.rounds_as_usual else None


@_family("fused_by_turns")
def _fused_by_turns(x: _Call) -> Expr | None:
    a, b, c = x.values
    if x.immediates and not x.rounds_as_usual:
        return None
    return _by_turns(x.code.intrinsic("fma", a, b, -c), x.code.intrinsic("fma", a, b, c))


@_family("sums_by_turns")
def _sums_by_turns(x: _Call) -> Expr:
    a, b = x.values
    return _by_turns(a - b, a + b)


def _by_turns(even: Expr, odd: Expr) -> Expr:
    n = even.type.count
    return _lanes(even, odd, [lane + n * (lane % 2) for lane in range(n)])


@_family("neighbours")
def _neighbours(x: _Call, which: str) -> Expr:
    a, b = x.values
    n = a.type.count
    first = [lane + of for piece in _in_pieces(a) for of in (0, n) for lane in piece if lane % 2 == 0]
    return _ARITHMETIC[which](_lanes(a, b, first), _lanes(a, b, [lane + 1 for lane in first]))


@_family("products")
def _products(x: _Call) -> Expr:
    """Of four bits, which products are added up; of four more, which lanes are the sum."""
    (a, b), [said] = x.values, x.immediates
    products, made = a * b, _zero(x, x.type)
    for piece in _in_pieces(a):
        terms = [x.code.emit(x.type.element, f"extractelement {products}, i64 {lane}") if said >> 4 + n & 1
                 else _zero(x, x.type.element) for n, lane in enumerate(piece)]  # fmt: skip
        while len(terms) > 1:  # neighbours first
            terms = [p + q for p, q in zip(terms[::2], terms[1::2], strict=True)]
        for lane in (lane for n, lane in enumerate(piece) if said >> n & 1):
            made = x.code.emit(x.type, f"insertelement {made}, {terms[0]}, i64 {lane}")
    return made


# -- rounding and conversions ------------------------------------------------------------------------------------------

_HALF = Type("half", "float")
_ROUNDINGS = ("roundeven", "floor", "ceil", "trunc")


def _round(v: Expr, said: int) -> Expr:
    """To so many bits behind the point as the higher four bits of an immediate say."""
    how = "nearbyint" if said & 4 else _ROUNDINGS[said & 3]
    if scale := said >> 4:
        large = v * 2.0**scale
        rounded = v.code.intrinsic(how, large) * 2.0**-scale
        return v.code.intrinsic("fabs", large).eq(inf).select(v, rounded)  # what is as large has no digits to lose
    return v.code.intrinsic(how, v)


@_family("rounds")
def _rounds(x: _Call) -> Expr:
    return _round(x.values[0], x.immediates[0])


@_family("low_rounds")
def _low_rounds(x: _Call) -> Expr:
    a, b = x.values
    return _with_low(a, _round(_low(b), x.immediates[0]))


@_family("rounds_masked")
def _rounds_masked(x: _Call) -> Expr:
    v, through, mask = x.values
    return _chosen(mask, v.type.count).select(_round(v, x.immediates[0]), through)


@_family("low_rounds_masked")
def _low_rounds_masked(x: _Call) -> Expr:
    a, b, through, mask = x.values
    return _with_low(a, _is_on(mask).select(_round(_low(b), x.immediates[0]), _low(through)))


@_family("narrowed")
def _narrowed(x: _Call) -> Expr:
    return _filled(x, _cast("fptrunc", x.values[0], x.type.element))


def _filled(x: _Call, v: Expr) -> Expr:
    """A vector with zeros behind it, if the result has more lanes."""
    n = x.type.count
    if v.type.count == n:
        return v
    return _lanes(v, _zero(x, v.type), [*range(v.type.count), *[v.type.count] * (n - v.type.count)])


@_family("low_narrowed")
def _low_narrowed(x: _Call) -> Expr:
    a, b = x.values
    return _with_low(a, x.code.float_cast(_low(b), a.type.element))


@_family("converted_masked")
def _converted_masked(x: _Call) -> Expr | None:
    v, through, mask = x.values
    return _chosen(mask, v.type.count).select(x.code.float_cast(v, x.type), through) if x.rounds_as_usual else None


@_family("low_converted_masked")
def _low_converted_masked(x: _Call) -> Expr | None:
    a, b, through, mask = x.values
    if not x.rounds_as_usual:
        return None
    return _with_low(a, _is_on(mask).select(x.code.float_cast(_low(b), a.type.element), _low(through)))


@_family("to_half")
def _to_half(x: _Call) -> Expr | None:
    return _filled(x, _bits(_cast("fptrunc", x.values[0], _HALF))) if x.immediates[0] in (0, 4, 8, 12) else None


@_family("to_half_masked")
def _to_half_masked(x: _Call) -> Expr | None:
    v, through, mask = x.values
    if x.immediates[0] not in (0, 4, 8, 12):
        return None
    made = _filled(x, _bits(_cast("fptrunc", v, _HALF)))
    return _chosen(mask, x.type.count).select(made, through) if v.type.count == x.type.count else None


@_family("from_half_masked")
def _from_half_masked(x: _Call) -> Expr | None:
    v, through, mask = x.values
    made = _cast("fpext", _cast("bitcast", v, _HALF), x.type.element)
    return _chosen(mask, x.type.count).select(made, through) if x.rounds_as_usual else None


@_family("from_integers")
def _from_integers(x: _Call, sign: str) -> Expr | None:
    return _cast(f"{sign}itofp", x.values[0], x.type.element) if x.rounds_as_usual else None


@_family("low_from_integer")
def _low_from_integer(x: _Call, unsigned: str) -> Expr | None:
    a, n = x.values
    return _with_low(a, _cast(f"{unsigned or 's'}itofp", n, a.type.element)) if x.rounds_as_usual else None


# -- comparisons, choices and permutations -----------------------------------------------------------------------------

_PREDICATES = (
    *("oeq", "olt", "ole", "uno", "une", "uge", "ugt", "ord"),
    *("ueq", "ult", "ule", "false", "one", "oge", "ogt", "true"),
)


@_family("low_compared")
def _low_compared(x: _Call) -> Expr:
    (a, b), [said] = x.values, x.immediates
    holds = _low(a).compare(_PREDICATES[said & 15], _low(b))
    bits = integer(a.type.element.size * 8)
    mask = x.code.emit(bits, f"sext {holds} to {bits}")
    return _with_low(a, x.code.emit(a.type.element, f"bitcast {mask} to {a.type.element}"))


@_family("blended")
def _blended(x: _Call) -> Expr:
    a, b, mask = x.values
    return _negative(mask).select(b, a)


@_family("permuted_in_pieces")
def _permuted_in_pieces(x: _Call) -> Expr:
    v, index = x.values
    pieces = _in_pieces(v)
    count, shift = len(pieces[0]), 1 if v.type.element.size == 8 else 0  # of doubles the second bit tells
    first = [piece[0] for piece in pieces for _ in piece]
    return _permuted(v, index, lambda n, at: _shifted(at, shift, count - 1) + first[n])


@_family("permuted_all")
def _permuted_all(x: _Call) -> Expr:
    v, index = x.values
    return _permuted(v, index, lambda n, at: _shifted(at, 0, v.type.count - 1))


@_family("permuted_of_two")
def _permuted_of_two(x: _Call) -> Expr:
    a, index, b = x.values
    both = _lanes(a, b, range(2 * a.type.count))
    return _permuted(both, index, lambda n, at: _shifted(at, 0, both.type.count - 1))


def _shifted(at: Expr, shift: int, mask: int) -> Expr:
    shifted = at.code.emit(at.type, f"lshr {at}, {shift}") if shift else at
    return at.code.emit(at.type, f"and {shifted}, {mask}")


def _permuted(v: Expr, index: Expr, place: Callable[[int, Expr], Expr]) -> Expr:
    code, type = v.code, vector(index.type.count, v.type.element)
    made = Expr(code, type, "poison")
    for n in range(type.count):
        at = place(n, code.emit(index.type.element, f"extractelement {index}, i64 {n}"))
        lane = code.emit(type.element, f"extractelement {v}, {at}")
        made = code.emit(type, f"insertelement {made}, {lane}, i64 {n}")
    return made


# -- memory ------------------------------------------------------------------------------------------------------------


@_family("loaded")
def _loaded(x: _Call) -> Expr:
    pointer, mask = x.values
    return _access(x, "load", x.type, _at(pointer), _negative(mask), _zero(x, x.type))


@_family("stored")
def _stored(x: _Call) -> Expr:
    pointer, mask, v = x.values
    return _access(x, "store", v.type, v, _at(pointer), _negative(mask))


@_family("gathered_by_signs")
def _gathered_by_signs(x: _Call) -> Expr:
    through, pointer, index, mask = x.values
    return _gathered(x, pointer, index, _negative(mask), through)


@_family("gathered_by_bits")
def _gathered_by_bits(x: _Call) -> Expr:
    through, pointer, index, mask = x.values
    return _gathered(x, pointer, index, mask, through)


def _gathered(x: _Call, pointer: Expr, index: Expr, mask: Expr, through: Expr) -> Expr:
    """Of as many lanes as there are both indices and room; the rest of the result is zero."""
    count = min(x.type.count, index.type.count)
    type = vector(count, x.type.element)
    kept = through if through.type.count == count else _lanes(through, through, range(count))
    places = _places(pointer, index, x.immediates[0], count)
    return _filled(x, _access(x, "gather", type, places, _chosen(mask, count), kept))


@_family("scattered")
def _scattered(x: _Call) -> Expr:
    pointer, mask, index, v = x.values
    count = min(v.type.count, index.type.count)
    stored = v if v.type.count == count else _lanes(v, v, range(count))
    places = _places(pointer, index, x.immediates[0], count)
    return _access(x, "scatter", stored.type, stored, places, _chosen(mask, count))


def _places(pointer: Expr, index: Expr, scale: int, count: int) -> Expr:
    """The address of each lane: so many times the index behind a pointer."""
    code, wide = pointer.code, vector(count, I64)
    lanes = index if index.type.count == count else _lanes(index, index, range(count))
    if lanes.type != wide:
        lanes = code.emit(wide, f"sext {lanes} to {wide}")
    return _at(code.emit(vector(count, PTR), f"getelementptr i8, {pointer}, {lanes * scale}"))


def _at(pointer: Expr) -> Expr:
    """An address as an operand of an access: nothing is known of its alignment."""
    return Expr(pointer.code, pointer.type, f"align 1 {pointer.ref}")


def _access(x: _Call, what: str, moved: Type, *operands: Expr) -> Expr:
    """A call of `llvm.masked.load` and its kind."""
    pointers = next(o.type for o in operands if o.type.scalar.is_pointer)
    name = f"llvm.masked.{what}.{overload(moved)}.{overload(pointers)}"
    return x.code.call(VOID if what in ("store", "scatter") else moved, name, *operands)


# -- what has rules, of all lanes --------------------------------------------------------------------------------------


@_family("low_estimate")
def _low_estimate(x: _Call, which: str) -> Expr:
    [v] = x.values
    return _with_low(v, _low(x.code.call(v.type, f"{_X86}sse.{which}.ps", v)))


@_family("of_all_lanes")
def _of_all_lanes(x: _Call) -> Expr | None:
    *_, through, mask = x.values
    if isinstance(x.operands[-1], int) and not x.rounds_as_usual:
        return None
    all_lanes = {id(through): _zero(x, through.type), id(mask): x.code.constant(mask.type, -1)}
    passed = [all_lanes.get(id(o), o) if isinstance(o, Expr) else x.code.constant(I32, o) for o in x.operands]
    made = x.code.call(x.type, _X86 + x.name, *passed)
    return _chosen(mask, x.type.count).select(made, through)
