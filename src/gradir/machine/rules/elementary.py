"""Functions of values under construction, for formulas: LLVM's own where there is one, else the C library's."""

from __future__ import annotations

import struct as bits
from collections.abc import Callable

from gradir.machine.ir import DOUBLE, I32, Type
from gradir.machine.ir.builder import Expr, overload

__all__ = [
    "both_hold",
    "constant_of",
    "copysign",
    "cos",
    "cosh",
    "exp",
    "extract",
    "floor",
    "integer",
    "library",
    "log",
    "one_like",
    "pow",
    "power_of_two",
    "powi",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "to_float",
    "where",
]


def _intrinsic(name: str) -> Callable[..., Expr]:
    return lambda x, *more: x.code.intrinsic(name, x, *more)


copysign, cos, cosh, exp, floor, log, pow, sin, sinh, sqrt = map(
    _intrinsic, ["copysign", "cos", "cosh", "exp", "floor", "log", "pow", "sin", "sinh", "sqrt"]
)


def powi(x: Expr, n: Expr) -> Expr:
    """x to a whole power of 32 bits."""
    return x.code.call(x.type, f"llvm.powi.{overload(x.type)}.{overload(n.type)}", x, n)


def power_of_two(n: Expr, like: Expr) -> Expr:
    """2 to the power of an integer (of any width), as a float of the type of `like`."""
    code, bits_of_n = like.code, n.type.scalar.count
    if bits_of_n > 32:  # what is beyond the range of any float stays beyond it
        high, low = (code.constant(n.type, limit) for limit in (1 << 20, -(1 << 20)))
        n = code.call(n.type, f"llvm.smax.{overload(n.type)}", n, low)
        n = code.call(n.type, f"llvm.smin.{overload(n.type)}", n, high)
        n = code.emit(I32, f"trunc {n} to i32")
    one = code.constant(like.type, 1.0)
    return code.call(like.type, f"llvm.ldexp.{overload(like.type)}.{overload(n.type)}", one, n)


def to_float(n: Expr, like: Expr) -> Expr:
    """An integer as a float of the type of `like`, in every lane."""
    scalar = like.type if n.type.kind == "vector" else like.type.scalar
    converted = n.code.emit(scalar, f"sitofp {n} to {scalar}")
    return n.code.splat(converted, like.type) if scalar != like.type else converted


def integer(number: int, like: Expr) -> Expr:
    """A C `int`, in the code that `like` is in."""
    return like.code.constant(I32, number)


def both_hold(a: Expr, b: Expr) -> Expr:
    return a.code.emit(a.type, f"and {a}, {b.ref}")


def one_like(x: Expr) -> Expr:
    return x.code.constant(x.type, 1.0)


def where(condition: Expr, yes: Expr | float, no: Expr | float, like: Expr) -> Expr:
    """`yes` where the condition holds, else `no`: numbers of the type of `like`."""
    return condition.select(_of_type(yes, like), _of_type(no, like))


def _of_type(x: Expr | float, like: Expr) -> Expr:
    return x if isinstance(x, Expr) else like.code.constant(like.type, x)


def sign(x: Expr) -> Expr:
    """1, -1, or 0 at zero: the slope of `fabs`."""
    return where(x.eq(0.0), 0.0, copysign(one_like(x), x), x)


def extract(aggregate: Expr, index: int) -> Expr:
    """A field of a struct."""
    return aggregate.code.emit(aggregate.type.at([index]), f"extractvalue {aggregate}, {index}")


def constant_of(x: Expr) -> float | None:
    """The number that a literal is (also the same one in all lanes), if it is one."""
    return number_of(x.type, x.ref)


def number_of(type: Type, ref: str) -> float | None:
    """The number that is written so (also the same one in all lanes), if it is one."""
    ref = ref.removeprefix(f"splat ({type.scalar} ").removesuffix(")")
    if ref.startswith("0x") and type.scalar.text in ("double", "float"):
        return float(bits.unpack(">d", bits.pack(">Q", int(ref, 16)))[0])
    try:
        return float(ref)
    except ValueError:
        return None


_SUFFIXES = {"float": "f", "double": "", "x86_fp80": "l", "fp128": "l", "ppc_fp128": "l"}
_PURE = " nounwind willreturn memory(none)"


def library(name: str, *arguments: Expr) -> Expr:
    """A function of the C library, in the precision of its last argument, or one of gradir's, which has 64 bits.

    Of a vector, lane by lane.
    """
    shape = arguments[-1]
    code, type = shape.code, shape.type
    if type.kind == "vector":
        result = Expr(code, type, "poison")
        for lane in range(type.count):
            parts = [_lane(a, lane) for a in arguments]
            result = code.emit(type, f"insertelement {result}, {library(name, *parts)}, i64 {lane}")
        return result
    own = name.startswith("gradir.")
    if type == DOUBLE or (not own and type.text in _SUFFIXES):
        suffix = "" if own else _SUFFIXES[type.text]
        return code.call(type, name + suffix, *arguments, attributes=_PURE)
    inner = DOUBLE if own else Type("float", "float")  # there is no C library for 16 bits
    converted = [_convert(a, inner) if a.type.is_float else a for a in arguments]
    return _convert(library(name, *converted), type)


def _lane(x: Expr, lane: int) -> Expr:
    return x.code.emit(x.type.element, f"extractelement {x}, i64 {lane}") if x.type.kind == "vector" else x


def _convert(x: Expr, to: Type) -> Expr:
    return x.code.emit(to, f"{'fpext' if to.size > x.type.size else 'fptrunc'} {x} to {to}")
