"""Short formulas have the values of the long ones: on random trees, and one by one for what algebra knows."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from gradir.formula import python, simplify
from gradir.formula.infix import infix
from gradir.formula.tree import Formula, Node, array, make, number, variable

SHAPES = [(), (3,), (2, 3), (2, 1), (1, 3)]


def evaluate(formula: Formula, values: dict[str, Any]) -> list[np.ndarray[Any, Any]]:
    """The values of the results, by running the Python that is printed."""
    names: dict[str, Any] = {}
    exec(python(formula), names)
    made = names[formula.name](*(values[str(p.data)] for p in formula.parameters))
    return [np.asarray(m) for m in (made if isinstance(made, tuple) else (made,))]


def elementwise(op: str, *args: Node, dtype: str = "f64") -> Node:
    """A raw node, whose operands are spread before, as in StableHLO."""
    shape = np.broadcast_shapes(*(a.shape for a in args))
    spread = [a if a.shape == shape else make("broadcast", (a,), shape, a.dtype) for a in args]
    return make(op, spread, shape, dtype)


class Trees:
    """Random formulas over some variables."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.leaves = [variable(f"x{i}", s, "f64") for i, s in enumerate(SHAPES)]
        self.known: list[Node] = list(self.leaves)

    def pick(self) -> Node:
        if self.random.random() < 0.15:
            return number(self.random.choice([0, 1, -1, 2, Fraction(1, 2), Fraction(3, 10)]), "f64")
        return self.random.choice(self.known[-6:] + self.leaves)

    def grow(self) -> None:
        roll = self.random.random()
        x, y = self.pick(), self.pick()
        if roll < 0.55:
            made = elementwise(self.random.choice(["add", "sub", "mul", "add", "sub", "mul", "maximum"]), x, y)
        elif roll < 0.62:
            made = elementwise("div", x, elementwise("add", elementwise("mul", y, y), number(2, "f64")))
        elif roll < 0.80:
            made = elementwise(self.random.choice(["sin", "tanh", "sigmoid", "neg", "abs", "cos"]), x)
        elif roll < 0.84:
            made = elementwise("where", elementwise(">", x, y, dtype="i1"), self.pick(), number(0, "f64"))
        elif roll < 0.90 and x.rank:
            axes = tuple(sorted(self.random.sample(range(x.rank), self.random.randint(1, x.rank))))
            kept = [n for d, n in enumerate(x.shape) if d not in axes]
            made = make("sum", (x,), kept, "f64", axes)
        elif roll < 0.95 and x.rank == 1:
            made = make("expand", (x,), (*x.shape, 1), "f64", (1,))
        elif x.rank == 2:
            made = make("transpose", (x,), x.shape[::-1], "f64", (1, 0))
            if y.rank == 2 and made.shape[1] == y.shape[0]:
                made = make("matmul", (made, y), (made.shape[0], y.shape[1]), "f64")
        else:
            made = elementwise("mul", x, x)
        if np.prod(made.shape) <= 36 and made.rank <= 2:
            self.known.append(made)

    def formula(self, steps: int) -> Formula:
        while len(self.known) < len(self.leaves) + steps:
            try:
                self.grow()
            except ValueError:  # shapes that don't go together
                continue
        return Formula("f", tuple(self.leaves), tuple(self.known[-2:]), ("a", "b"))


@pytest.mark.parametrize("seed", range(120))
def test_random_formulas(seed: int) -> None:
    raw = Trees(seed).formula(4 + seed % 12)
    short = simplify(raw)
    rng = np.random.default_rng(seed)
    values = {str(p.data): rng.uniform(-2, 2, p.shape) for p in raw.parameters}
    for wanted, got in zip(evaluate(raw, values), evaluate(short, values), strict=True):
        assert np.shape(wanted) == np.shape(got)
        # Sums of a dozen steps, each rounded to 53 bits, in another order; what cancels is of the size of its terms.
        scale = 1 + np.max(np.abs(wanted))
        assert np.max(np.abs(wanted - got), initial=0) <= 1e-11 * scale, infix(short)
    assert sum(r.size for r in short.results) <= sum(r.size for r in raw.results) + 4


x, y = variable("x"), variable("y")
v, w = variable("v", (3,)), variable("w", (3,))
u, A = variable("u", (2,)), variable("A", (2, 3))
one, zero = number(1), number(0)


def raw(op: str, *args: Node) -> Node:
    return elementwise(op, *args, dtype="i1" if op in ("<", "==", ">=", "not", "isfinite") else "f32")


def exp_of_max(a: Node) -> Node:
    highest = make("max", (a,), (), "f32", (0,))
    return raw("exp", raw("sub", a, highest))


def total(a: Node) -> Node:
    return make("sum", (a,), (), "f32", (0,))


CASES: dict[str, tuple[Node, str]] = {
    "order": (raw("add", one, y), "y + 1"),
    "collect": (raw("add", raw("add", x, x), x), "3 * x"),
    "square": (raw("mul", x, x), "x^2"),
    "signs": (raw("sub", zero, raw("sub", x, y)), "y - x"),
    "cancel": (raw("sub", raw("add", x, y), x), "y"),
    "number": (raw("mul", raw("mul", number(2), x), number(Fraction(1, 2))), "x"),
    "third": (raw("div", x, number(3)), "x / 3"),
    "root": (raw("mul", raw("rsqrt", x), number(Fraction(1, 2))), "1 / (2 * sqrt(x))"),
    "two below": (raw("div", raw("div", x, y), y), "x / y^2"),
    "factor": (
        raw("add", raw("mul", raw("exp", x), raw("sin", x)), raw("mul", raw("exp", x), raw("cos", x))),
        "exp(x) * (cos(x) + sin(x))",
    ),
    "polynomials stay": (raw("add", raw("mul", x, x), raw("mul", x, y)), "x^2 + x * y"),
    "tanh": (
        raw("add", raw("sub", one, raw("tanh", x)), raw("mul", raw("sub", one, raw("tanh", x)), raw("tanh", x))),
        "1 - tanh(x)^2",
    ),
    "squares": (
        raw("mul", raw("sub", one, raw("sin", x)), raw("add", one, raw("sin", x))),
        "1 - sin(x)^2",
    ),
    "softmax": (raw("div", exp_of_max(v), total(exp_of_max(v))), "softmax(v)"),
    "logsumexp": (
        raw("add", make("max", (v,), (), "f32", (0,)), raw("log", total(exp_of_max(v)))),
        "logsumexp(v)",
    ),
    "softplus": (
        raw("add", raw("maximum", x, zero), raw("log1p", raw("exp", raw("neg", raw("abs", x))))),
        "softplus(x)",
    ),
    "sigmoid": (raw("div", one, raw("add", one, raw("exp", raw("neg", x)))), "sigmoid(x)"),
    "norm": (raw("div", v, raw("sqrt", total(raw("mul", v, v)))), "v / norm(v)"),
    "mean": (raw("div", total(v), number(3)), "mean(v)"),
    "deviations": (
        total(raw("sub", v, raw("div", total(v), number(3)))),
        "0",
    ),
    "scalars leave sums": (total(raw("mul", x, v)), "x * sum(v)"),
    "constant sums": (total(make("broadcast", (x,), (3,), "f32")), "3 * x"),
    "masks": (
        raw("mul", v, make("cast", (raw("<", v, zero),), (3,), "f32")),
        "where(v < 0, v, 0)",
    ),
    "one choice": (
        raw("add", raw("where", raw("<", x, y), x, zero), raw("where", raw("<", x, y), zero, y)),
        "where(x < y, x, y)",
    ),
    "outer": (raw("mul", make("expand", (v,), (3, 1), "f32", (1,)), w), "outer(v, w)"),
    "transposed": (
        make("matmul", (v, variable("A", (3, 2))), (2,), "f32"),
        "Aᵀ @ v",
    ),
    "number before a product": (
        make("matmul", (variable("A", (2, 3)), raw("mul", number(2), v)), (2,), "f32"),
        "2 * A @ v",
    ),
    "one-hot": (raw("add", v, array(np.array([0.0, -1.0, 0.0]), "f32")), "v - [0, 1, 0]"),
    "powers": (raw("mul", raw("power", x, raw("sub", y, one)), x), "x^y"),
    "guarded logarithm": (raw("log", raw("where", raw("==", x, zero), one, x)), "log(x)"),
    "polynomials": (
        raw("mul", raw("div", one, raw("mul", x, x)), raw("sub", raw("mul", x, y), raw("mul", x, x))),
        "y / x - 1",
    ),
    "one denominator": (raw("sub", raw("div", one, x), raw("div", raw("log", x), x)), "(1 - log(x)) / x"),
    "logistic": (raw("mul", raw("exp", raw("neg", x)), raw("sigmoid", x)), "sigmoid(-x)"),
    "powers of exp": (raw("mul", raw("exp", x), raw("exp", x)), "exp(2 * x)"),
    "even powers": (raw("mul", raw("abs", x), raw("abs", x)), "x^2"),
    "kept axes": (
        raw("div", A, make("expand", (raw("sqrt", make("sum", (A,), (2,), "f32", (1,))),), (2, 1), "f32", (1,))),
        "A / sqrt(sum(A, axis=1, keepdims=True))",
    ),
    "steady factors leave sums": (
        make("sum", (raw("mul", A, make("expand", (u,), (2, 1), "f32", (1,))),), (2,), "f32", (1,)),
        "u * sum(A, axis=1)",
    ),
    "pi": (raw("mul", x, number(Fraction("3.1415927"))), "π * x"),
    "twice pi": (raw("mul", x, number(Fraction("6.2831855"))), "2 * π * x"),
    "spread": (make("broadcast", (y,), (3,), "f32"), "y * ones(3)"),
}


@pytest.mark.parametrize("name", CASES)
def test_rewrites(name: str) -> None:
    node, wanted = CASES[name]
    parameters = tuple(dict.fromkeys(p for p in _variables(node)))
    long = Formula("f", parameters, (node,), ("f",))
    short = simplify(long)
    assert infix(short) == wanted
    rng = np.random.default_rng(1)
    values = {str(p.data): rng.uniform(0.2, 2, p.shape) for p in parameters}
    # π as f32 has it is off by 3e-8.
    np.testing.assert_allclose(*(evaluate(f, values)[0] for f in (short, long)), rtol=1e-7, atol=1e-15)


def _variables(node: Node) -> list[Node]:
    return [node] if node.op == "variable" else [p for a in node.args for p in _variables(a)]


@pytest.mark.parametrize("write", [infix, python])
def test_names_that_python_has_not(write: Callable[[Formula], str]) -> None:
    odd = [variable(n) for n in ("learning-rate", "lambda", "2nd", "np")]
    total = raw("add", raw("add", odd[0], odd[1]), raw("add", odd[2], odd[3]))
    text = write(Formula("f", tuple(odd), (total,), ("f",)))
    assert all(word in text for word in ("learning_rate", "_lambda", "_2nd", "np_"))
