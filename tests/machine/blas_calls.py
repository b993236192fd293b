"""Calls a BLAS routine and gradir's derivatives of it on the same random problem, in each spelling."""

from __future__ import annotations

import ctypes
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import numpy as np
import scipy
from formulas import jit

from gradir.machine.ir import Type
from gradir.machine.ir.text.reader import read
from gradir.machine.rules import library
from gradir.machine.rules.blas import ROUTINES, Spelling, spelling

SIZE = 64
"""Every array has so many elements, more than any problem needs: what must not be touched is seen."""
DIMENSIONS = {"m": 4, "n": 3, "k": 5}
LETTERS = {"trans": "NT", "uplo": "UL", "diag": "NU", "side": "LR"}
NUMBERS = {"N": 111, "T": 112, "U": 121, "L": 122}
SIDES, DIAGONALS = {"L": 141, "R": 142}, {"N": 131, "U": 132}
FAMILIES = {
    "fortran": "scipy_{}_",
    "cblas": "scipy_cblas_{}",
    "fortran 64": "scipy_{}_64_",
    "cblas 64": "scipy_cblas_{}64_",
}


def openblas(wide: bool) -> Path | None:
    """The BLAS that SciPy brings with it; that of NumPy has integers of 64 bits."""
    folder = Path(scipy.__file__).parents[1]
    pattern = "numpy.libs/libscipy_openblas64_*.so" if wide else "scipy.libs/libscipy_openblas-*.so"
    return next(iter(folder.glob(pattern)), None)


@cache
def loaded(wide: bool) -> ctypes.CDLL:
    return ctypes.CDLL(str(openblas(wide)))


def form_of(routine: str, letter: str, family: str) -> Spelling | None:
    """How the family spells a routine, read from its declaration as from any program's."""
    name = FAMILIES[family].format(letter + routine)
    wide, cblas = "64" in family, "cblas" in family
    integer = Type("i64", "int", 64) if wide else Type("i32", "int", 32)
    wanted = Spelling(ROUTINES[routine], letter, cblas, "scipy_", "", integer)
    if ROUTINES[routine].lapack and (cblas or wide):
        return None
    parameters = ", ".join(t.text for t in wanted.parameters())
    found = spelling(read(f"declare {wanted.result} @{name}({parameters})").functions[name])
    assert found is not None, name
    return found


@dataclass
class Problem:
    """The arguments of one call: options, sizes, numbers and arrays by field."""

    form: Spelling
    options: dict[str, str]
    order: int
    scalars: dict[str, float]
    arrays: dict[str, np.ndarray]
    sizes: dict[str, int]
    integers: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def real(self) -> type:
        return np.float64 if self.form.letter == "d" else np.float32


def problems(form: Spelling, seed: int) -> Iterator[Problem]:
    """All options of a routine, by columns and by rows."""
    rng, routine = np.random.default_rng(seed), form.routine
    named = [f for f in routine.fields if routine.kind(f) in LETTERS]
    orders = (101, 102) if form.cblas and routine.by_rows is not None else (102,)
    for letters in itertools.product(*(LETTERS[routine.kind(f)] for f in named)):
        for order in orders:
            yield problem(form, dict(zip(named, letters, strict=True)), order, rng)


def problem(form: Spelling, options: dict[str, str], order: int, rng: np.random.Generator) -> Problem:
    routine = form.routine
    real = np.float64 if form.letter == "d" else np.float32
    arrays = {f: rng.uniform(-1, 1, SIZE).astype(real) for f in routine.fields if routine.kind(f) == "array"}
    sizes = {}
    for f in routine.fields:
        if routine.kind(f) == "int":
            sizes[f] = DIMENSIONS.get(f, 6 if f.startswith("ld") else int(rng.choice([1, 2, -1, 3])))
    if routine.name in ("nrm2", "asum", "scal"):  # which need positive increments
        sizes["incx"] = abs(sizes["incx"])
    if routine.name in ("getrf",) and rng.random() < 0.5:
        sizes["m"], sizes["n"] = sizes["n"], sizes["m"]
    made = Problem(form, options, order, {}, arrays, sizes)
    made.scalars = {f: float(real(rng.uniform(0.5, 1.5))) for f in routine.fields if routine.kind(f) == "real"}
    if routine.name in ("trsv", "trsm", "potrf", "potrs", "getrs"):
        matrix = arrays["A"].reshape(-1)[: 6 * 6].reshape(6, 6)
        matrix *= 0.4
        matrix[np.arange(6), np.arange(6)] += 2.5
    made.integers = {"info": np.zeros(1, np.int32), "ipiv": np.array([3, 2, 3, 4, 5], np.int32)}
    return made


# -- the routine itself ------------------------------------------------------------------------------------------------


def number(kind: str, letter: str) -> int:
    return {"side": SIDES, "diag": DIAGONALS}.get(kind, NUMBERS)[letter]


def plain_arguments(p: Problem, state: Problem) -> list[object]:
    """What the routine is called with: numbers of ctypes and pointers, and what they point to is kept alive."""
    routine, integer = p.form.routine, ctypes.c_int64 if p.form.integer.count == 64 else ctypes.c_int32
    real = ctypes.c_double if p.form.letter == "d" else ctypes.c_float
    arguments: list[object] = []
    for f in routine.fields:
        kind = routine.kind(f)
        if kind == "array":
            arguments.append(state.arrays[f].ctypes.data_as(ctypes.c_void_p))
        elif kind == "inactive":
            arguments.append(state.integers[f].ctypes.data_as(ctypes.c_void_p))
        else:
            if kind in LETTERS or kind == "job":
                letter = p.options[f]
                value = ctypes.c_int32(number(kind, letter)) if p.form.cblas else ctypes.c_char(letter.encode())
            else:
                value = integer(p.sizes[f]) if kind == "int" else real(state.scalars[f])
            arguments.append(value if p.form.cblas else ctypes.pointer(value))
    return arguments


def copied(p: Problem, real: type | None = None) -> Problem:
    arrays = {f: a.astype(real or a.dtype).copy() for f, a in p.arrays.items()}
    integers = {f: a.copy() for f, a in p.integers.items()}
    return Problem(p.form, p.options, p.order, dict(p.scalars), arrays, p.sizes, integers)


def run(p: Problem) -> tuple[dict[str, np.ndarray], float]:
    """The routine on a copy: the arrays after it, and its result."""
    state = copied(p)
    function = getattr(loaded(p.form.integer.count == 64), p.form.name(p.form.routine.name))
    function.restype = None
    if p.form.routine.returns:
        function.restype = ctypes.c_double if p.form.letter == "d" else ctypes.c_float
    order = [ctypes.c_int32(p.order)] if p.form.cblas and p.form.routine.by_rows is not None else []
    result = function(*order, *plain_arguments(p, state))
    return state.arrays, float(result or 0)


# -- its derivatives ---------------------------------------------------------------------------------------------------


class Derivatives:
    """The three derivatives of a routine, compiled; each with a shim that writes its result to memory."""

    def __init__(self, form: Spelling) -> None:
        name = form.name(form.routine.name)
        parameters = ", ".join(t.text for t in form.parameters())
        declared = read(f"declare {form.result} @{name}({parameters})").functions.values()
        text = library.text_for(declared)
        wide = form.integer.count == 64
        outside = re.findall(r"^declare.*?@(scipy_\w+)", text, flags=re.MULTILINE)
        symbols = {n: ctypes.cast(getattr(loaded(wide), n), ctypes.c_void_p).value for n in outside}
        self.form, self.prefix = form, f"gradir.{name}"
        modes = ("augmented", "reverse", "forward")
        self.types = {m: read(text).functions[f"{self.prefix}.{m}"] for m in modes}
        shims = "\n".join(self.shim(m) for m in modes)
        self.addresses = jit(f"{text}\n{shims}", [f"shim.{m}" for m in modes], symbols)

    def shim(self, mode: str) -> str:
        f = self.types[mode]
        parameters = ", ".join(f"{a.type} %a{a.index}" for a in f.arguments)
        call = f"call {f.result} @{f.name}({parameters})"
        if f.result.kind == "void":
            return f"define void @shim.{mode}(ptr %out, {parameters}) {{\n  {call}\n  ret void\n}}"
        return (
            f"define void @shim.{mode}(ptr %out, {parameters}) {{\n  %r = {call}\n"
            f"  store {f.result} %r, ptr %out\n  ret void\n}}"
        )

    def call(self, mode: str, arguments: list[object]) -> bytes:
        by_text = {"ptr": ctypes.c_void_p, "i32": ctypes.c_int32, "i64": ctypes.c_int64}
        by_text |= {"double": ctypes.c_double, "float": ctypes.c_float}
        types = [by_text[a.type.text] for a in self.types[mode].arguments]
        out = ctypes.create_string_buffer(32)
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, *types)(self.addresses[f"shim.{mode}"])(
            ctypes.addressof(out), *arguments
        )
        return out.raw


def interleaved(p: Problem, state: Problem, shadows: dict[str, object], mode: str) -> list[object]:
    """The routine's arguments, each pointer followed by its shadow, each number by its tangent in forward mode."""
    routine = p.form.routine
    arguments: list[object] = [p.order] if p.form.cblas and routine.by_rows is not None else []
    for f, value in zip(routine.fields, plain_arguments(p, state), strict=True):
        by_value = p.form.cblas and routine.kind(f) not in ("array", "inactive")
        shadow = shadows.get(f)
        if by_value:
            arguments.append(value.value)
            if routine.kind(f) == "real" and mode == "forward":
                arguments.append(0.0 if shadow is None else float(shadow[0]))
        else:
            arguments.append(ctypes.cast(value, ctypes.c_void_p))
            arguments.append(None if shadow is None else shadow.ctypes.data_as(ctypes.c_void_p))
    return arguments


def forward(d: Derivatives, p: Problem, tangents: dict[str, np.ndarray]) -> tuple[Problem, float, float]:
    """The state afterwards (`tangents` are changed in place), the result, and its tangent."""
    state = copied(p)
    raw = d.call("forward", interleaved(p, state, dict(tangents), "forward"))
    result, tangent = np.frombuffer(raw, p.real, 2) if p.form.routine.returns else (0.0, 0.0)
    return state, float(result), float(tangent)


def reverse(d: Derivatives, p: Problem, cotangents: dict[str, np.ndarray], seed: float) -> tuple[Problem, float]:
    """Both sweeps (`cotangents` are changed in place); between them the program overwrites all that it can."""
    state = copied(p)
    raw = d.call("augmented", interleaved(p, state, dict(cotangents), "augmented"))
    tape = int(np.frombuffer(raw, np.int64, 1)[0])
    result = float(np.frombuffer(raw[8:], p.real, 1)[0]) if p.form.routine.returns else 0.0
    after = copied(state)
    for a in state.arrays.values():
        a[:] = np.nan
    for integers in state.integers.values():
        integers[:] = 1
    arguments = interleaved(p, state, dict(cotangents), "reverse")
    raw = d.call("reverse", [*arguments, *([seed] if p.form.routine.returns else []), tape or None])
    if p.form.cblas:
        returned = [f for f in p.form.routine.fields if p.form.routine.kind(f) == "real"]
        for f, value in zip(returned, np.frombuffer(raw, p.real, len(returned)), strict=True):
            cotangents[f][0] += value
    return after, result
