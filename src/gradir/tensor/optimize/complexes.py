"""Complex numbers: parts of what has just been put together, and the reverse."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor import expr as E
from gradir.tensor.expr import Expr
from gradir.tensor.optimize.reading import kind
from gradir.tensor.optimize.rule import Family

complexes = Family("complex", "real and imaginary parts")
row, rule = complexes.row, complexes.rule

row("real_of_complex", "real(complex(x, y))", "x", "float")
row("imag_of_complex", "imag(complex(x, y))", "y", "float")
row("complex_of_parts", "complex(real(z), imag(z))", "z", "complex")
row("complex_add", "complex(x, y) + complex(u, v)", "complex(x + u, y + v)", "complex")
row("complex_sub", "complex(x, y) - complex(u, v)", "complex(x - u, y - v)", "complex")
row("complex_neg", "-complex(x, y)", "complex(-x, -y)", "complex")
row("real_neg", "real(-z)", "-real(z)", "float")
row("imag_neg", "imag(-z)", "-imag(z)", "float")
row("real_add", "real(z + w)", "real(z) + real(w)", "float", phase="up")
row("imag_add", "imag(z + w)", "imag(z) + imag(w)", "float", phase="up")
row("real_sub", "real(z - w)", "real(z) - real(w)", "float", phase="up")
row("imag_sub", "imag(z - w)", "imag(z) - imag(w)", "float", phase="up")
row("abs_of_real", "abs(complex(x, 0))", "abs(x)", "float")
row("abs_of_imag", "abs(complex(0, x))", "abs(x)", "float")
row("real_mul_real", "real(complex(x, 0) * z)", "x * real(z)", "float", fast_math=True)
row("imag_mul_real", "imag(complex(x, 0) * z)", "x * imag(z)", "float", fast_math=True)
row("real_mul_conj", "real(z * complex(real(z), -imag(z)))", "real(z) * real(z) + imag(z) * imag(z)", "float",
    rounds=True, fast_math=True)  # fmt: skip
row("abs_conj", "abs(complex(real(z), -imag(z)))", "abs(z)", "float")
row("exp_conj", "exp(complex(real(z), -imag(z)))", "complex(real(exp(z)), -imag(exp(z)))", "complex", rounds=True)


@rule("real(convert(x))", "float")
def real_of_convert(op: ir.Operation, x: Expr) -> Expr | None:
    """real(convert(x)) -> convert(x) for real x."""
    return E.convert(x, op.results[0].type.element_type) if kind(x.type) == "float" else None


@rule("imag(convert(x))", "float")
def imag_of_convert(op: ir.Operation, x: Expr) -> Expr | None:
    """imag(convert(x)) -> 0 for real x."""
    return E.full(op.results[0].type, 0) if kind(x.type) == "float" else None


@rule("real(x)", "float")
def real_of_real(x: Expr) -> Expr | None:
    """real(x) -> x for real x."""
    return x if kind(x.type) == "float" else None


@rule("imag(x)", "float")
def imag_of_real(op: ir.Operation, x: Expr) -> Expr | None:
    """imag(x) -> 0 for real x."""
    return E.full(op.results[0].type, 0) if kind(x.type) == "float" else None
