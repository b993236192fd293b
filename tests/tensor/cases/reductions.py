"""Reductions along whole dimensions. Ties and other conventions are in `test_reductions.py`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import Case, Inputs, case, complex_normal, normal

D, Z = "tensor<f64>", "tensor<complex<f64>>"


def computation(ops: str, *types: str) -> str:
    """A region: arguments %p0, … of these types (left sides first), and ops that end in a return."""
    arguments = ", ".join(f"%p{i}: {t}" for i, t in enumerate(types))
    return f"({{\n^bb0({arguments}):\n{ops}\n}})"


def one(op: str, element: str = "f64") -> str:
    t = f"tensor<{element}>"
    return computation(f"%c = stablehlo.{op} %p0, %p1 : {t}\nstablehlo.return %c : {t}", t, t)


def reduction(
    label: str, inputs: Inputs, types: Sequence[str], results: Sequence[str], dims: str, region: str, **options: object
) -> Case:
    """`types` are those of the operands and then of the initial values; all are arguments of @f."""
    arguments = ", ".join(f"%a{i}: {t}" for i, t in enumerate(types))
    values = ", ".join(f"%a{i}" for i in range(len(types)))
    outs = ", ".join(results)
    returned = ", ".join(f"%r#{k}" for k in range(len(results)))
    text = (
        f"func.func public @f({arguments}) -> ({outs}) {{\n"
        f'%r:{len(results)} = "stablehlo.reduce"({values}) {region} {{dimensions = array<i64{dims}>}}'
        f" : ({', '.join(types)}) -> ({outs})\nreturn {returned} : {outs}\n}}"
    )
    return case("stablehlo.reduce", label, text, inputs, **options)


M = "tensor<3x4xf64>"

for op in ("add", "multiply", "maximum", "minimum"):
    reduction(op, normal((3, 4), ()), [M, D], ["tensor<3xf64>"], ": 1", one(op))
    reduction(f"{op} over all", normal((2, 3), ()), ["tensor<2x3xf64>", D], [D], ": 0, 1", one(op))
for op in ("add", "multiply"):
    reduction(
        f"{op} of complex", complex_normal((2, 3), ()), ["tensor<2x3xcomplex<f64>>", Z], ["tensor<3xcomplex<f64>>"],
        ": 0", one(op, "complex<f64>"),
    )  # fmt: skip
case(
    "stablehlo.reduce",
    "add over no dimension",  # here the back ends agree only on an initial value that changes nothing
    f"""func.func public @f(%x: tensor<3xf64>) -> tensor<3xf64> {{
      %i = stablehlo.constant dense<0.0> : {D}
      %r = "stablehlo.reduce"(%x, %i) {one("add")} {{dimensions = array<i64>}} : (tensor<3xf64>, {D}) -> tensor<3xf64>
      return %r : tensor<3xf64>
    }}""",
    normal((3,)),
)
reduction("maximum of nothing", normal((2, 0), ()), ["tensor<2x0xf64>", D], ["tensor<2xf64>"], ": 1", one("maximum"))
reduction("maximum over outer dimensions", normal((2, 3, 2), ()), ["tensor<2x3x2xf64>", D], ["tensor<3xf64>"], ": 0, 2",
          one("maximum"))  # fmt: skip
reduction("multiply with zeros", lambda rng: [np.array([[0.0, 2, 3], [0, 4, 0]]) + 0 * rng.normal(), np.array(2.0)],
          ["tensor<2x3xf64>", D], ["tensor<2xf64>"], ": 1", one("multiply"))  # fmt: skip

case(
    "stablehlo.reduce",
    "multiply and maximum of the same operand",
    f"""func.func public @f(%x: {M}) -> (tensor<4xf64>, tensor<4xf64>) {{
      %one = stablehlo.constant dense<1.0> : {D}
      %least = stablehlo.constant dense<0xFFF0000000000000> : {D}
      %p = stablehlo.reduce(%x init: %one) applies stablehlo.multiply across dimensions = [0]
        : ({M}, {D}) -> tensor<4xf64>
      %m = stablehlo.reduce(%x init: %least) applies stablehlo.maximum across dimensions = [0]
        : ({M}, {D}) -> tensor<4xf64>
      return %p, %m : tensor<4xf64>, tensor<4xf64>
    }}""",
    normal((3, 4)),
)

for op in ("add", "maximum"):
    reduction(
        f"{op}, sizes known at run time", normal((2, 3), ()), ["tensor<?x?xf64>", D], ["tensor<?xf64>"], ": 1", one(op)
    )

reduction(
    "logsumexp",
    normal((3, 4), ()),
    [M, D],
    ["tensor<3xf64>"],
    ": 1",
    computation(
        f"""%m = stablehlo.maximum %p0, %p1 : {D}
        %a = stablehlo.subtract %p0, %m : {D}
        %b = stablehlo.subtract %p1, %m : {D}
        %ea = stablehlo.exponential %a : {D}
        %eb = stablehlo.exponential %b : {D}
        %s = stablehlo.add %ea, %eb : {D}
        %l = stablehlo.log %s : {D}
        %c = stablehlo.add %m, %l : {D}
        stablehlo.return %c : {D}""",
        D,
        D,
    ),
)
reduction(
    "not associative",
    normal((3, 4), ()),
    [M, D],
    ["tensor<3xf64>"],
    ": 1",
    computation(
        f"""%s = stablehlo.sine %p0 : {D}
        %q = stablehlo.multiply %p1, %p1 : {D}
        %c = stablehlo.add %s, %q : {D}
        stablehlo.return %c : {D}""",
        D,
        D,
    ),
)
reduction(
    "not associative, over all",
    normal((2, 3), ()),
    ["tensor<2x3xf64>", D],
    [D],
    ": 0, 1",
    computation(
        f"""%k = stablehlo.constant dense<0.5> : {D}
        %s = stablehlo.multiply %p0, %k : {D}
        %c = stablehlo.subtract %p1, %s : {D}
        stablehlo.return %c : {D}""",
        D,
        D,
    ),
)
reduction(
    "from the other side",  # one op, but of its right side and its left
    normal((2, 3), ()),
    ["tensor<2x3xf64>", D],
    ["tensor<2xf64>"],
    ": 1",
    computation(f"%c = stablehlo.subtract %p1, %p0 : {D}\nstablehlo.return %c : {D}", D, D),
)
reduction(
    "a value and its index",
    lambda rng: [rng.normal(size=(3, 5)), np.tile(np.arange(5, dtype=np.int32), (3, 1)), np.array(-9.0), np.int32(-1)],
    ["tensor<3x5xf64>", "tensor<3x5xi32>", D, "tensor<i32>"],
    ["tensor<3xf64>", "tensor<3xi32>"],
    ": 1",
    computation(
        f"""%g = stablehlo.compare GE, %p0, %p2 : ({D}, {D}) -> tensor<i1>
        %u = stablehlo.select %g, %p0, %p2 : tensor<i1>, {D}
        %w = stablehlo.select %g, %p1, %p3 : tensor<i1>, tensor<i32>
        stablehlo.return %u, %w : {D}, tensor<i32>""",
        D,
        "tensor<i32>",
        D,
        "tensor<i32>",
    ),
)
reduction(
    "products of 2x2 matrices",  # associative, but not commutative
    normal((3,), (3,), (3,), (3,), (), (), (), ()),
    ["tensor<3xf64>"] * 4 + [D] * 4,
    [D] * 4,
    ": 0",
    computation(
        "\n".join(
            f"""%x{i}{j} = stablehlo.multiply %p{2 * i}, %p{4 + j} : {D}
            %y{i}{j} = stablehlo.multiply %p{2 * i + 1}, %p{6 + j} : {D}
            %z{i}{j} = stablehlo.add %x{i}{j}, %y{i}{j} : {D}"""
            for i in range(2)
            for j in range(2)
        )
        + f"\nstablehlo.return %z00, %z01, %z10, %z11 : {D}, {D}, {D}, {D}",
        *[D] * 8,
    ),
)
case(
    "stablehlo.reduce",
    "a constant from outside",
    f"""func.func public @f(%x: {M}, %i: {D}) -> tensor<3xf64> {{
      %k = stablehlo.constant dense<0.7> : {D}
      %r = stablehlo.reduce(%x init: %i) across dimensions = [1] : ({M}, {D}) -> tensor<3xf64>
      reducer(%a: {D}, %b: {D}) {{
        %s = stablehlo.multiply %a, %k : {D}
        %c = stablehlo.add %s, %b : {D}
        stablehlo.return %c : {D}
      }}
      return %r : tensor<3xf64>
    }}""",
    normal((3, 4), ()),
)

# -- map ---------------------------------------------------------------------------------------------------------------

case(
    "stablehlo.map",
    "two operands",
    f"""func.func public @f(%x: {M}, %y: {M}) -> {M} {{
      %r = "stablehlo.map"(%x, %y) {
        computation(
            f'''%k = stablehlo.constant dense<2.0> : {D}
        %s = stablehlo.multiply %p0, %k : {D}
        %t = stablehlo.sine %p1 : {D}
        %c = stablehlo.multiply %s, %t : {D}
        stablehlo.return %c : {D}''',
            D,
            D,
        )
    } {{dimensions = array<i64: 0, 1>}} : ({M}, {M}) -> {M}
      return %r : {M}
    }}""",
    normal((3, 4), (3, 4)),
    backends=("xla",),  # the reference back end refuses to legalise map
)
case(
    "stablehlo.map",
    "to another type",
    f"""func.func public @f(%x: tensor<5xf64>) -> tensor<5xcomplex<f64>> {{
      %r = "stablehlo.map"(%x) {
        computation(
            f'''%s = stablehlo.exponential %p0 : {D}
        %c = stablehlo.complex %s, %p0 : {Z}
        stablehlo.return %c : {Z}''',
            D,
        )
    } {{dimensions = array<i64: 0>}} : (tensor<5xf64>) -> tensor<5xcomplex<f64>>
      return %r : tensor<5xcomplex<f64>>
    }}""",
    normal((5,)),
    backends=("xla",),
)

# -- scan --------------------------------------------------------------------------------------------------------------


def scan(label: str, reverse: bool, dim: int, shape: Sequence[int], running: str = "") -> None:
    row = [n for d, n in enumerate(shape) if d != dim]
    whole, part = (f"tensor<{'x'.join(map(str, [*s, 'f64']))}>" for s in (shape, row))
    region = computation(
        f"""%c = stablehlo.multiply %p0, %p1 : {part}
        %d = stablehlo.sine %p1 : {part}
        stablehlo.return %d, %c : {part}, {part}""",
        part,
        part,
    )
    if running:
        ops = f"%c = stablehlo.{running} %p0, %p1 : {part}\nstablehlo.return %c, %c : {part}, {part}"
        region = computation(ops, part, part)
    case(
        "chlo.scan",
        label,
        f"""func.func public @f(%x: {whole}, %i: {part}) -> ({whole}, {part}) {{
          %r:2 = "chlo.scan"(%x, %i) <{{dimension = {dim} : i64, is_reverse = {str(reverse).lower()},
            operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}}> {region}
            : ({whole}, {part}) -> ({whole}, {part})
          return %r#0, %r#1 : {whole}, {part}
        }}""",
        normal(shape, row),
        backends=("xla",),  # the reference back end has no way to lower it
    )


scan("forwards", False, 0, [4, 2])
scan("backwards along the last dimension", True, 1, [2, 3])
scan("a running sum", False, 0, [3, 2], "add")
scan("a running product, backwards", True, 1, [2, 4], "multiply")
