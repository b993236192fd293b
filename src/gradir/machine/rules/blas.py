"""BLAS and LAPACK: the derivatives of `blas.h`, `lapack.h` and `spectra.h` in the spellings that programs use.

The derivatives know one way to call a routine: matrices by columns, scalars by value. Programs know two: `dgemm_`, with
everything passed by reference, and `cblas_dgemm`, with an order and enumerations. One table of routines gives both, and
the way back: the primitives that the derivatives call are the program's own BLAS.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gradir.machine.ir import I1, I8, I32, I64, PTR, VOID, Function, Type, struct
from gradir.machine.ir.builder import Code, Expr

__all__ = ["ROUTINES", "Routine", "Spelling", "primitive", "primitive_named", "registration", "spelling", "written"]

_KINDS = {
    "trans": ("t", "ta", "tb"),
    "uplo": ("u",),
    "diag": ("d",),
    "side": ("side",),
    "job": ("job", "jobu", "jobvt", "range"),
    "real": ("alpha", "beta", "c", "s"),
    "array": ("x", "y", "A", "B", "C", "W", "Z", "S", "U", "VT", "work"),
    # memory that carries no derivative: integers, and bounds that are only read in some calls
    "inactive": ("ipiv", "info", "iwork", "isuppz", "found", "vl", "vu", "il", "iu", "abstol"),
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names}
# The numbers of CBLAS for the first letter of an option, and the two letters.
_OPTIONS = {"trans": (111, "N", "T"), "uplo": (121, "U", "L"), "diag": (131, "N", "U"), "side": (141, "L", "R")}
_LETTERS = frozenset(_OPTIONS) | {"job"}
_BY_ROWS, _BY_COLUMNS = 101, 102


@dataclass(frozen=True)
class Routine:
    """One routine of BLAS or LAPACK, in Fortran's order of arguments.

    `by_rows` says how a matrix by rows is one by columns, transposed: `a-b` are exchanged, `~a` is the other letter.
    """

    name: str
    fields: tuple[str, ...]
    by_rows: tuple[str, ...] | None = None
    lapack: bool = False
    outputs: tuple[str, ...] = ()
    """The arrays and integers that it writes through, if that isn't the last array and `info`."""

    @property
    def returns(self) -> bool:
        return self.name in ("dot", "nrm2", "asum")

    @property
    def written(self) -> tuple[str, ...]:
        """The fields that it writes through: as a rule the last array."""
        if self.returns or self.outputs:
            return self.outputs
        arrays = [f for f in self.fields if self.kind(f) == "array"]
        outputs = arrays if self.name in ("swap", "rot") else arrays[-1:]
        return (*outputs, *(f for f in ("info",) if f in self.fields))

    def kind(self, field: str) -> str:
        return _KIND_OF.get(field, "int")

    @property
    def letters(self) -> int:
        """How many arguments are text, each of which Fortran may follow up with its length."""
        return sum(self.kind(f) in _LETTERS for f in self.fields)

    def source(self, field: str) -> tuple[str, bool]:
        """Of a matrix by rows: which field takes this one's place, and whether it is flipped."""
        for rule in self.by_rows or ():
            if rule == f"~{field}":
                return field, True
            pair = rule.split("-")
            if field in pair:
                return pair[1 - pair.index(field)], False
        return field, False


def _table() -> Iterator[Routine]:
    level_1 = {
        "dot": "n x incx y incy",
        "nrm2": "n x incx",
        "asum": "n x incx",
        "axpy": "n alpha x incx y incy",
        "scal": "n alpha x incx",
        "copy": "n x incx y incy",
        "swap": "n x incx y incy",
        "rot": "n x incx y incy c s",
    }
    for name, fields in level_1.items():
        yield Routine(name, tuple(fields.split()))
    levels_2_and_3 = {
        "gemv": ("t m n alpha A lda x incx beta y incy", "~t m-n"),
        "symv": ("u n alpha A lda x incx beta y incy", "~u"),
        "trmv": ("u t d n A lda x incx", "~u ~t"),
        "trsv": ("u t d n A lda x incx", "~u ~t"),
        "ger": ("m n alpha x incx y incy A lda", "m-n x-y incx-incy"),
        "syr": ("u n alpha x incx A lda", "~u"),
        "gemm": ("ta tb m n k alpha A lda B ldb beta C ldc", "ta-tb m-n A-B lda-ldb"),
        "symm": ("side u m n alpha A lda B ldb beta C ldc", "~side ~u m-n"),
        "syrk": ("u t n k alpha A lda beta C ldc", "~u ~t"),
        "trmm": ("side u t d m n alpha A lda B ldb", "~side ~u m-n"),
        "trsm": ("side u t d m n alpha A lda B ldb", "~side ~u m-n"),
    }
    for name, (fields, by_rows) in levels_2_and_3.items():
        yield Routine(name, tuple(fields.split()), tuple(by_rows.split()))
    work = "work lwork iwork liwork info"
    lapack = {
        "potrf": ("u n A lda info", ""),
        "potrs": ("u n k A lda B ldb info", ""),
        "getrf": ("m n A lda ipiv info", "A ipiv info"),
        "getrs": ("t n k A lda ipiv B ldb info", ""),
        "syev": ("job u n A lda W work lwork info", "A W work info"),
        "syevd": (f"job u n A lda W {work}", "A W work iwork info"),
        "syevr": (
            f"job range u n A lda vl vu il iu abstol found W Z ldz isuppz {work}",
            "A found W Z isuppz work iwork info",
        ),
        "gesvd": ("jobu jobvt m n A lda S U ldu VT ldvt work lwork info", "A S U VT work info"),
        "gesdd": ("job m n A lda S U ldu VT ldvt work lwork iwork info", "A S U VT work iwork info"),
    }
    for name, (fields, outputs) in lapack.items():
        yield Routine(name, tuple(fields.split()), lapack=True, outputs=tuple(outputs.split()))


ROUTINES = {routine.name: routine for routine in _table()}

_NAME = re.compile(rf"(\w*?)(cblas_)?([sd])({'|'.join(ROUTINES)})(_|64_|_64_|_64|)")
_REALS = {"d": Type("double", "float"), "s": Type("float", "float")}


@dataclass(frozen=True)
class Spelling:
    """How a program calls a routine: the pieces of its name, the width of its integers, lengths of text at the end."""

    routine: Routine
    letter: str
    cblas: bool
    prefix: str = ""
    suffix: str = ""
    integer: Type = I32
    lengths: int = 0

    @property
    def real(self) -> Type:
        return _REALS[self.letter]

    def name(self, routine: str) -> str:
        """Another routine, spelled the same way."""
        return f"{self.prefix}{'cblas_' if self.cblas else ''}{self.letter}{routine}{self.suffix}"

    def parameters(self) -> list[Type]:
        if not self.cblas:
            return [PTR] * len(self.routine.fields) + [I64] * self.lengths
        by_kind = {"int": self.integer, "real": self.real, "array": PTR, "inactive": PTR}
        types = [by_kind.get(self.routine.kind(f), I32) for f in self.routine.fields]
        return [I32, *types] if self.routine.by_rows is not None else types

    @property
    def result(self) -> Type:
        return self.real if self.routine.returns else VOID


def spelling(function: Function) -> Spelling | None:
    """The routine that a declaration is of, if it is one, called as expected.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read("declare double @cblas_ddot(i32, ptr, i32, ptr, i32)")
    >>> spelling(module.functions["cblas_ddot"]).routine.fields
    ('n', 'x', 'incx', 'y', 'incy')
    """
    m = _NAME.fullmatch(function.name)
    if m is None or not (m[2] or m[5]):
        return None
    routine = ROUTINES[m[4]]
    types = [a.type for a in function.arguments]
    wide = "64" in m[5]
    if routine.lapack and (m[2] or wide):
        return None
    lengths = 0 if m[2] else len(types) - len(routine.fields)
    for integer in (I64,) if wide else (I32, I64) if m[2] else (I32,):
        found = Spelling(routine, m[3], bool(m[2]), m[1], m[5], integer, lengths)
        if (
            found.parameters() == types
            and found.result.text == function.result.text
            and lengths in (0, routine.letters)
        ):
            return found
    return None


def written(function: Function) -> frozenset[int] | None:
    """The arguments that a routine writes through, by number; None where the function is no such routine.

    Of all other memory that it is passed it only reads, it reaches no other, and it keeps no pointer.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read("declare void @cblas_daxpy(i32, double, ptr, i32, ptr, i32)")
    >>> written(module.functions["cblas_daxpy"])
    frozenset({4})
    """
    form = spelling(function)
    if form is None:
        return None
    first = len(form.parameters()) - len(form.routine.fields) - form.lengths
    return frozenset(first + form.routine.fields.index(f) for f in form.routine.written)


# -- the derivatives in the program's spelling -------------------------------------------------------------------------


@dataclass
class _Arguments:
    """A wrapper's arguments by field: the value as the derivatives want it, and what follows it (its shadow, …)."""

    value: dict[str, Expr]
    shadow: dict[str, Expr]


def registration(form: Spelling, declare: Callable[[str], None]) -> str:
    """The text of the three derivatives of a routine as the program calls it, and of their registration."""
    name = form.name(form.routine.name)
    texts = [_wrapper(form, mode, declare) for mode in ("augmented", "reverse", "forward")]
    own = [f"@gradir.{name}.{mode}" for mode in ("augmented", "reverse", "forward")]
    listed = ", ".join(f"ptr {f}" for f in (f"@{name}", *own[:2]))
    texts.append(f"@__enzyme_register_gradient_{name} = weak_odr hidden global [3 x ptr] [{listed}]")
    listed = f"ptr @{name}, ptr {own[2]}"
    texts.append(f"@__enzyme_register_derivative_{name} = weak_odr hidden global [2 x ptr] [{listed}]")
    declare(f"declare {form.result} @{name}({', '.join(t.text for t in form.parameters())})")
    return "\n".join(texts)


def _parameters(form: Spelling, mode: str) -> list[tuple[Type, str]]:
    """Pointers are followed by their shadows; numbers by their tangents in forward mode."""
    fields = [*(["order"] if form.cblas and form.routine.by_rows is not None else []), *form.routine.fields]
    fields += [f"length{i}" for i in range(form.lengths)]
    parameters = []
    for type, field in zip(form.parameters(), fields, strict=True):
        parameters.append((type, field))
        if type == PTR or (mode == "forward" and type == form.real):
            parameters.append((type, f"d.{field}"))
    if mode == "reverse":
        parameters += [*([(form.real, "d.result")] if form.routine.returns else []), (PTR, "tape")]
    return parameters


def _wrapper(form: Spelling, mode: str, declare: Callable[[str], None]) -> str:
    parameters = _parameters(form, mode)
    routine, real = form.routine, form.real
    by_value = [f for f in routine.fields if form.cblas and routine.kind(f) == "real"] if mode == "reverse" else []
    result = _result(form, mode, len(by_value))
    name = f"gradir.{form.name(routine.name)}.{mode}"
    code = Code(name, result, parameters, declare=declare, linkage="internal")
    given = {hint: p for (_, hint), p in zip(parameters, code.parameters, strict=True)}
    arguments = _from_cblas(form, mode, code, given) if form.cblas else _from_fortran(form, mode, code, given)
    passed = [a for f in routine.fields for a in _pass(arguments, f)]
    target = f"gradir.{form.letter}.{routine.name}.{mode}"
    match mode:
        case "augmented" if routine.returns:
            slot = code.alloca(real, "result")
            tape = code.call(PTR, target, *passed, slot)
            code.ret(_pair(code, result, tape, code.load(real, slot)))
        case "augmented":
            code.ret(code.call(PTR, target, *passed))
        case "forward" if routine.returns:
            slot = code.alloca(real, "result")
            tangent = code.call(real, target, *passed, slot)
            code.ret(_pair(code, result, code.load(real, slot), tangent))
        case "forward":
            code.call(VOID, target, *passed)
            code.ret()
        case _:
            seed = [given["d.result"]] if routine.returns else []
            code.call(VOID, target, *passed, *seed, given["tape"])
            cotangents = [code.load(real, arguments.shadow[f]) for f in by_value]
            code.ret(
                cotangents[0] if len(cotangents) == 1 else _pair(code, result, *cotangents) if cotangents else None
            )
    return code.text()


def _result(form: Spelling, mode: str, cotangents: int) -> Type:
    match mode:
        case "augmented":
            return struct([PTR, form.real]) if form.routine.returns else PTR
        case "forward":
            return struct([form.real, form.real]) if form.routine.returns else VOID
        case _:
            return {0: VOID, 1: form.real}.get(cotangents, struct([form.real] * cotangents))


def _pair(code: Code, type: Type, *parts: Expr) -> Expr:
    made = Expr(code, type, "poison")
    for i, part in enumerate(parts):
        made = code.emit(type, f"insertvalue {made}, {part}, {i}")
    return made


def _pass(arguments: _Arguments, field: str) -> Sequence[Expr]:
    value = [arguments.value[field]]
    return [*value, arguments.shadow[field]] if field in arguments.shadow else value


def _from_fortran(form: Spelling, mode: str, code: Code, given: dict[str, Expr]) -> _Arguments:
    found = _Arguments({}, {})
    for field in form.routine.fields:
        pointer, shadow = given[field], given[f"d.{field}"]
        match form.routine.kind(field):
            case "array":
                found.value[field], found.shadow[field] = pointer, shadow
            case "inactive":
                found.value[field] = pointer
            case "real":
                found.value[field] = code.load(form.real, pointer)
                found.shadow[field] = shadow if mode != "forward" else _loaded_or_zero(code, form.real, shadow)
            case "int":
                found.value[field] = _widened(code, code.load(form.integer, pointer))
            case _:
                found.value[field] = code.load(I8, pointer)
    return found


def _loaded_or_zero(code: Code, type: Type, pointer: Expr) -> Expr:
    """What a shadow holds; nothing moves where there is none."""
    zero = code.alloca(type, "zero")
    code.store(code.constant(type, 0.0), zero)
    missing = code.emit(I1, f"icmp eq {pointer}, null")
    return code.load(type, code.emit(PTR, f"select {missing}, {zero}, {pointer}"))


def _widened(code: Code, x: Expr) -> Expr:
    return x if x.type == I64 else code.emit(I64, f"sext {x} to i64")


def _from_cblas(form: Spelling, mode: str, code: Code, given: dict[str, Expr]) -> _Arguments:
    routine, found = form.routine, _Arguments({}, {})
    for field in routine.fields:
        value, kind = given[field], routine.kind(field)
        if kind in _OPTIONS:
            number, first, second = _OPTIONS[kind]
            value = value.eq(number).select(code.constant(I8, ord(first)), code.constant(I8, ord(second)))
        elif kind == "int":
            value = _widened(code, value)
        elif kind == "real" and mode != "forward":
            found.shadow[field] = code.alloca(form.real, f"d.{field}")  # always wanted: nothing tells that it is not
            code.store(code.constant(form.real, 0.0), found.shadow[field])
        if f"d.{field}" in given:
            found.shadow[field] = given[f"d.{field}"]
        found.value[field] = value
    if routine.by_rows is None:
        return found
    rows = given["order"].eq(_BY_ROWS)
    turned = _Arguments({}, {})
    for field in routine.fields:
        source, flipped = routine.source(field)
        value = _other_letter(found.value[field], routine.kind(field)) if flipped else found.value[source]
        turned.value[field] = rows.select(value, found.value[field])
        if field in found.shadow:
            turned.shadow[field] = rows.select(found.shadow[source], found.shadow[field])
    return turned


def _other_letter(letter: Expr, kind: str) -> Expr:
    _, first, second = _OPTIONS[kind]
    letters = [letter.code.constant(I8, ord(c)) for c in (second, first)]
    return letter.eq(ord(first)).select(letters[0], letters[1])


# -- the way back: what the derivatives call ---------------------------------------------------------------------------


def primitive_named(name: str) -> tuple[str, str] | None:
    """The letter and the routine of a primitive's name.

    >>> primitive_named("gradir.d.blas.gemm"), primitive_named("gradir.digamma")
    (('d', 'gemm'), None)
    """
    match name.split("."):
        case ["gradir", ("s" | "d") as letter, "blas", routine]:
            return letter, routine
    return None


def primitive(form: Spelling, name: str, declare: Callable[[str], None]) -> str:
    """The text of the primitive that calls a routine of the program's BLAS, spelled as `form` is."""
    routine = ROUTINES[name]
    real = form.real
    types = {"real": real, "array": PTR, "inactive": PTR, "int": I64}
    parameters = [(types.get(routine.kind(f), I8), f) for f in routine.fields]
    result = real if routine.returns else VOID
    code = Code(f"gradir.{form.letter}.blas.{name}", result, parameters, declare=declare, linkage="internal")
    values = dict(zip(routine.fields, code.parameters, strict=True))
    call = _cblas_call if form.cblas and not routine.lapack else _fortran_call
    returned = call(form, routine, code, values)
    code.ret(returned if routine.returns else None)
    return code.text()


def _fortran_call(form: Spelling, routine: Routine, code: Code, values: dict[str, Expr]) -> Expr:
    passed = []
    for field, value in values.items():
        narrowed = _narrowed(form, value) if routine.kind(field) == "int" else value
        if narrowed.type != PTR:
            slot = code.alloca(narrowed.type, field)
            code.store(narrowed, slot)
            passed.append(slot)
        else:
            passed.append(narrowed)
    lengths = [code.constant(I64, 1)] * (routine.letters if form.lengths else 0)
    spelled = Spelling(routine, form.letter, False, form.prefix, "_" if form.cblas else form.suffix)
    return code.call(form.real if routine.returns else VOID, spelled.name(routine.name), *passed, *lengths)


def _cblas_call(form: Spelling, routine: Routine, code: Code, values: dict[str, Expr]) -> Expr:
    passed = [code.constant(I32, _BY_COLUMNS)] if routine.by_rows is not None else []
    for field, value in values.items():
        kind = routine.kind(field)
        if kind in _OPTIONS:
            number, first, _ = _OPTIONS[kind]
            upper = code.emit(I8, f"and {value}, -33")  # either case will do
            passed.append(upper.eq(ord(first)).select(code.constant(I32, number), code.constant(I32, number + 1)))
        else:
            passed.append(_narrowed(form, value) if kind == "int" else value)
    return code.call(form.real if routine.returns else VOID, form.name(routine.name), *passed)


def _narrowed(form: Spelling, x: Expr) -> Expr:
    return x if form.integer == I64 else x.code.emit(form.integer, f"trunc {x} to {form.integer}")
