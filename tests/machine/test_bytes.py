"""Floats that are moved as bytes: the derivative is right, or refused, in both modes, however the code was compiled.

Each function in `bytes/` is one program, `double f(const double *x, long n)`: the comment before it gives the values of
`n` that it is tried with. They are polynomials (but where a float is taken apart), so that central differences are
exact up to rounding.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from differential import Bench, Derivative, central_difference, function_of

from gradir import frontends
from gradir.errors import NoRule
from gradir.machine import ir, llvm
from gradir.request import Mode

FOLDER = Path(__file__).parent / "bytes"
_CLANGS = ("clang-19", "clang", *(f"clang-{n}" for n in range(22, 16, -1)))
CLANG = next((found for name in _CLANGS if (found := shutil.which(name))), None)
POINT = np.array([0.7, 1.3, -0.4, 2.1])
STEP = 0.05
"""Of differences: no float changes its exponent on the way, and float's rounding divided by it is below 1e-5."""
TOLERANCE = 2e-5
"""Of programs with floats in them: 6e-8 of rounding by the step and the size of the values; of doubles it is less."""


class Way(NamedTuple):
    """How a program is compiled, and whether gradir optimises it before it is differentiated."""

    flags: str
    optimise: bool = True


WAYS = {
    "front end": Way(""),
    "O0": Way("-O0"),
    "O0, as it is": Way("-O0 -Xclang -disable-O0-optnone", optimise=False),
    "O1, no types": Way("-O1 -fno-strict-aliasing", optimise=False),
    "O2": Way("-O2"),
    "O3": Way("-O3 -march=x86-64-v3"),
}


class Program(NamedTuple):
    file: str
    name: str
    lengths: tuple[int, ...]


def programs(file: str) -> list[Program]:
    found = re.findall(r"^// n = ([\d, ]+)\n^double (\w+)\(", (FOLDER / file).read_text(), re.MULTILINE)
    return [Program(file, name, tuple(map(int, lengths.split(",")))) for lengths, name in found]


@cache
def text_of(file: str, way: str) -> str:
    flags = WAYS[way].flags
    if not flags:
        return str(frontends.to_llvm(FOLDER / file))
    if CLANG is None:
        pytest.skip("needs clang (Debian: apt install clang-19)")
    command = [CLANG, "-S", "-emit-llvm", "-o", "-", *flags.split(), str(FOLDER / file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def bench_of(program: Program, way: str) -> Bench:
    entry, _ = function_of(program.name, "double", [POINT, 0])
    entry = replace(entry, parameters=(ir.PTR, ir.I64))
    return Bench(llvm.parse(text_of(program.file, way)), entry, optimise=WAYS[way].optimise)


def check(bench: Bench, derivatives: list[Derivative], n: int) -> None:
    """Derivatives against differences, at one length."""
    directions = np.eye(len(POINT))

    def value(x: np.ndarray) -> np.ndarray:
        return np.array(bench.run(bench.entry, [x, n])[-1])

    expected = [central_difference(lambda h, v=v: value(POINT + h * v), STEP) for v in directions]  # type: ignore[misc]
    for derivative in derivatives:
        if derivative.request.mode is Mode.forward:
            found = [bench.jvp(derivative, [POINT, n], [v])[1][-1] for v in directions]
        else:
            found = list(bench.vjp(derivative, [POINT, n], [np.array([0, 0, 0, 0, 1.0])])[1])
        where = f"{derivative.request.mode}, n = {n}"
        np.testing.assert_allclose(found, expected, rtol=TOLERANCE, atol=TOLERANCE, err_msg=where)


BITS = ("bits.c", "arithmetic.c", "links.c", "loops.c")

SUPPORTED = [
    "byte_loop", "byte_run", "byte_first", "byte_back", "byte_while", "shifts", "shifts_big", "shifts_float", "serial",
    "fabs_mask", "neg_mask", "fabsf_mask", "exp2_bits", "exponent_test", "hashed", "memcmped", "signbit_t",
    "isnan_bits", "words", "half16", "lerp_int", "xor_swap", "select_bits", "select_mul", "global_bits",
    "global_buf", "bits_calls", "atomic_bits", "i128", "two_floats", "union_bytes", "union_rev", "zero_bytes",
    "two_zeros", "tagged_union", "table_by_bits", "scaled_by_whole", "hash_in_memory", "own_allocator", "generic_copy",
    "array_of_unions", "workspace", "arena",
    "next_up", "negated_add", "st_callee", "swap_twice", "by_shifts", "not_not", "keyed", "float_next",
    "sign_of", "sign_flip", "sign_shift", "sign_calls", "sign_float", "big_endian", "big_endian_file",
    "big_endian_float", "big_endian_array", "sign_of_constant", "raw_offset",
    "either_local", "either_calls", "either_copied", "either_count",
    "loop_up", "loop_next", "loop_down", "loop_either", "loop_one", "loop_floats", "loop_structs", "loop_constants",
    "in_registers", "bits_not_inlined", "constant_or_bits",
]
"""What is right, not only not wrong, where LLVM's passes have come before."""

ALWAYS_SUPPORTED = [
    "fabs_mask", "neg_mask", "fabsf_mask", "exp2_bits", "exponent_test", "hashed", "memcmped", "signbit_t",
    "isnan_bits", "lerp_int", "global_bits", "global_buf", "bits_calls", "table_by_bits", "scaled_by_whole",
    "hash_in_memory", "own_allocator", "generic_copy",
    "array_of_unions", "workspace", "arena",
    "next_up", "next_calls", "arg_put", "arg_put_word", "arg_bump", "arg_bump_bytes", "st_callee",
    "negated_add", "ret_sum",
    "sign_of", "sign_flip", "sign_shift", "sign_calls", "sign_float", "swap_twice", "big_endian", "big_endian_file",
    "either_local", "either_calls", "either_copied", "either_count",
]
"""What is right in unoptimised code, too: bits that only guide branches and indices, masks through memory, unions."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", [p for f in BITS for p in programs(f)], ids=lambda p: p.name)
def test_bits(program: Program, way: str) -> None:
    """Right, or refused: never silently something else."""
    bench = bench_of(program, way)
    derivatives = []
    for make in (bench.forward, bench.reverse):
        try:
            derivatives.append(make(bench.entry))
        except NoRule as refusal:
            assert "way out:" in str(refusal)
            assert program.name not in (SUPPORTED if WAYS[way].optimise else ALWAYS_SUPPORTED)
    bench.build(level=1)
    for n in program.lengths:
        check(bench, derivatives, n)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("program", [*programs("copies.c"), *programs("words.c")], ids=lambda p: p.name)
def test_copies(program: Program, way: str) -> None:
    """Lengths known at run time only, structs cut in the middle, overlaps, reallocation, long doubles, numbers and
    pointers in turns."""
    bench = bench_of(program, way)
    derivatives = [bench.forward(bench.entry), bench.reverse(bench.entry)]
    bench.build(level=1)
    for n in program.lengths:
        check(bench, derivatives, n)
