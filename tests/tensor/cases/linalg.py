"""Cholesky factors and triangular systems."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from cases import case

R, C = "f64", "complex<f64>"


def tensor(shape: Sequence[int], dtype: str) -> str:
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


def draw(rng: np.random.Generator, shape: Sequence[int], dtype: str) -> np.ndarray:
    out = rng.normal(size=tuple(shape))
    return out if dtype == R else out + 1j * rng.normal(size=tuple(shape))


# -- cholesky: of x xᴴ + 1, since one triangle alone is read, and the derivative is that by a Hermitian matrix ---------


def cholesky(label: str, shape: Sequence[int], dtype: str, lower: bool) -> None:
    t, ints, n = tensor(shape, dtype), tensor(shape, "i32"), len(shape)
    flip = [*range(n - 2), n - 1, n - 2]
    text = f"""
    func.func public @f(%x: {t}) -> {t} {{
      %0 = stablehlo.transpose %x, dims = {flip} : ({t}) -> {t}
      %1 = chlo.conj %0 : {t} -> {t}
      %2 = stablehlo.dot_general %x, %1, batching_dims = {flip[:-2]} x {flip[:-2]},
        contracting_dims = [{n - 1}] x [{n - 2}] : ({t}, {t}) -> {t}
      %one = stablehlo.constant dense<{"1.0" if dtype == R else "(1.0, 0.0)"}> : {t}
      %row = stablehlo.iota dim = {n - 2} : {ints}
      %column = stablehlo.iota dim = {n - 1} : {ints}
      %diagonal = stablehlo.compare EQ, %row, %column : ({ints}, {ints}) -> {tensor(shape, "i1")}
      %zero = stablehlo.constant dense<{"0.0" if dtype == R else "(0.0, 0.0)"}> : {t}
      %3 = stablehlo.select %diagonal, %one, %zero : {tensor(shape, "i1")}, {t}
      %4 = stablehlo.add %2, %3 : {t}
      %5 = "stablehlo.cholesky"(%4) {{lower = {str(lower).lower()}}} : ({t}) -> {t}
      return %5 : {t}
    }}"""
    # The reference interpreter has no cholesky.
    case("stablehlo.cholesky", label, text, lambda rng: [draw(rng, shape, dtype)], backends=("xla",))


for _dtype in (R, C):
    _kind = "real" if _dtype == R else "complex"
    cholesky(f"{_kind} lower", (3, 3), _dtype, True)
    cholesky(f"{_kind} upper", (3, 3), _dtype, False)
cholesky("a stack", (2, 2, 2), R, True)
cholesky("one by one", (1, 1), C, False)


# -- triangular_solve --------------------------------------------------------------------------------------------------


def system(
    label: str,
    dtype: str,
    left: bool,
    lower: bool,
    unit: bool,
    transpose: str,
    stack: Sequence[int] = (),
    **options: object,
) -> None:
    a, b = (*stack, 3, 3), (*stack, *((3, 2) if left else (2, 3)))
    ta, tb = tensor(a, dtype), tensor(b, dtype)
    text = f"""
    func.func public @f(%a: {ta}, %b: {tb}) -> {tb} {{
      %x = "stablehlo.triangular_solve"(%a, %b) {{
        left_side = {str(left).lower()}, lower = {str(lower).lower()}, unit_diagonal = {str(unit).lower()},
        transpose_a = #stablehlo<transpose {transpose}>}} : ({ta}, {tb}) -> {tb}
      return %x : {tb}
    }}"""

    def inputs(rng: np.random.Generator) -> Sequence[np.ndarray]:
        return [draw(rng, a, dtype) + 2 * np.eye(3), draw(rng, b, dtype)]

    # The reference interpreter solves no stack of systems, and so no batch of them.
    case("stablehlo.triangular_solve", label, text, inputs, **{"backends": ("xla",), **options})


for _left, _lower, _transpose in itertools.product((True, False), (True, False), ("NO_TRANSPOSE", "TRANSPOSE")):
    _side, _half = "left" if _left else "right", "lower" if _lower else "upper"
    system(f"{_side} {_half} {_transpose}", R, _left, _lower, False, _transpose)
for _left, _transpose in itertools.product((True, False), ("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")):
    system(f"complex {'left' if _left else 'right'} {_transpose}", C, _left, _left, False, _transpose)
    if _left == (_transpose == "TRANSPOSE"):
        on = {"backends": ("reference",), "modes": ("forward", "reverse")}
        system(
            f"complex {'left' if _left else 'right'} {_transpose}, no stack", C, _left, _left, False, _transpose, **on
        )
system("left lower ADJOINT", R, True, True, False, "ADJOINT")
for _left in (True, False):
    system(f"a unit diagonal, {'left' if _left else 'right'}", R, _left, not _left, True, "NO_TRANSPOSE")
    system(f"a stack, {'left' if _left else 'right'}", R, _left, _left, False, "TRANSPOSE", (2,))
