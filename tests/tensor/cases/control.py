"""Control flow: loops, branches and calls. More programs, and what is refused, are in `test_loops.py` and others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import Inputs, case, complex_normal, normal

F, V, P = "tensor<f64>", "tensor<3xf64>", "tensor<i1>"
IN_RANGE = 3
"""Branches of the `stablehlo.case`s below; an index out of range takes the last."""


def compare(direction: str, a: str, b: str, t: str = "tensor<i32>", name: str = "%p") -> str:
    return f"{name} = stablehlo.compare {direction}, {a}, {b} : ({t}, {t}) -> tensor<i1>"


def loop(
    carried: Sequence[tuple[str, str, str]],
    body: str,
    yields: str,
    *,
    name: str = "%r",
    counter: str = "%i",
    start: int = 0,
    step: int = 1,
    until: str = "LT 3",
) -> str:
    """A counted loop. `carried` are names, initial values and types; the results are the counter and those."""
    direction, limit = until.split()
    names = [counter, *(n for n, _, _ in carried)]
    inits = [f"{counter}_start", *(i for _, i, _ in carried)]
    types = ", ".join(["tensor<i32>", *(t for _, _, t in carried)])
    return f"""
      {counter}_start = stablehlo.constant dense<{start}> : tensor<i32>
      {name}:{len(names)} = stablehlo.while({", ".join(map(" = ".join, zip(names, inits, strict=True)))}) : {types}
      cond {{
        {counter}_limit = stablehlo.constant dense<{limit}> : tensor<i32>
        {compare(direction, counter, f"{counter}_limit", name=f"{counter}_goes_on")}
        stablehlo.return {counter}_goes_on : tensor<i1>
      }} do {{
        {counter}_step = stablehlo.constant dense<{step}> : tensor<i32>
        {counter}_next = stablehlo.add {counter}, {counter}_step : tensor<i32>
        {body}
        stablehlo.return {counter}_next, {yields} : {types}
      }}"""


def function(arguments: str, results: str, body: str, returned: str) -> str:
    return f"""
    func.func public @f({arguments}) -> ({results}) {{
      {body}
      return {returned} : {results}
    }}"""


def read(xs: str, i: str, t: str = "tensor<4x3xf64>", name: str = "%x") -> str:
    """Row `i` of an array of rows of three."""
    return f"""{name}_zero = stablehlo.constant dense<0> : tensor<i32>
        {name}_row = stablehlo.dynamic_slice {xs}, {i}, {name}_zero, sizes = [1, 3]
          : ({t}, tensor<i32>, tensor<i32>) -> tensor<1x3xf64>
        {name} = stablehlo.reshape {name}_row : (tensor<1x3xf64>) -> {V}"""


def write(ys: str, i: str, y: str, t: str = "tensor<4x3xf64>", name: str = "%written") -> str:
    return f"""{name}_zero = stablehlo.constant dense<0> : tensor<i32>
        {name}_row = stablehlo.reshape {y} : ({V}) -> tensor<1x3xf64>
        {name} = stablehlo.dynamic_update_slice {ys}, {name}_row, {i}, {name}_zero
          : ({t}, tensor<1x3xf64>, tensor<i32>, tensor<i32>) -> {t}"""


# -- loops -------------------------------------------------------------------------------------------------------------

case(
    "stablehlo.while",
    "a value from outside and an integer that matters",
    function(
        f"%h: {V}, %w: {V}, %k: tensor<i32>",
        f"{V}, tensor<i32>",
        loop(
            [("%a", "%h", V), ("%n", "%k", "tensor<i32>")],
            f"""%s = stablehlo.multiply %a, %w : {V}
        %t = stablehlo.tanh %s : {V}
        %m = stablehlo.add %n, %i : tensor<i32>
        %g = stablehlo.convert %m : (tensor<i32>) -> {F}
        %b = stablehlo.broadcast_in_dim %g, dims = [] : ({F}) -> {V}
        %u = stablehlo.multiply %b, %t : {V}""",
            "%u, %m",
            start=1,
            step=2,
            until="LE 5",
        ),
        "%r#1, %r#2",
    ),
    lambda rng: [*normal([3], [3])(rng), np.int32(rng.integers(-2, 3))],
)
case(
    "stablehlo.while",
    "counted down, reads rows and writes rows",
    function(
        f"%xs: tensor<4x3xf64>, %h: {V}, %ys: tensor<4x3xf64>",
        f"{V}, tensor<4x3xf64>",
        loop(
            [("%a", "%h", V), ("%stack", "%ys", "tensor<4x3xf64>")],
            f"""{read("%xs", "%i")}
        %s = stablehlo.multiply %a, %x : {V}
        %u = stablehlo.sine %s : {V}
        {write("%stack", "%i", "%u")}""",
            "%u, %written",
            start=3,
            step=-1,
            until="GT 0",
        ),
        "%r#1, %r#2",
    ),
    normal([4, 3], [3], [4, 3]),
)
case(
    "stablehlo.while",
    "in a loop, with the outer counter",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop(
            [("%a", "%x", V)],
            loop(
                [("%b", "%a", V)],
                f"""%m = stablehlo.add %i, %j : tensor<i32>
        %g = stablehlo.convert %m : (tensor<i32>) -> {F}
        %gs = stablehlo.broadcast_in_dim %g, dims = [] : ({F}) -> {V}
        %c = stablehlo.multiply %b, %w : {V}
        %d = stablehlo.add %c, %gs : {V}
        %e = stablehlo.cosine %d : {V}""",
                "%e",
                name="%inner",
                counter="%j",
                until="LT 2",
            )
            + f"\n        %o = stablehlo.multiply %inner#1, %a : {V}",
            "%o",
            until="NE 2",
        ),
        "%r#1",
    ),
    normal([3], [3]),
)
case(
    "stablehlo.while",
    "calls and branches inside",
    f"""
    func.func private @step(%a: {V}, %w: {V}) -> ({V}, tensor<i1>) {{
      %s = stablehlo.multiply %a, %w : {V}
      %t = stablehlo.sine %s : {V}
      %zero = stablehlo.constant dense<0.0> : {V}
      %positive = stablehlo.compare GT, %t, %zero : ({V}, {V}) -> tensor<3xi1>
      %no = stablehlo.constant dense<false> : tensor<i1>
      %any = stablehlo.reduce(%positive init: %no) applies stablehlo.or across dimensions = [0]
        : (tensor<3xi1>, tensor<i1>) -> tensor<i1>
      return %t, %any : {V}, tensor<i1>
    }}"""
    + function(
        f"%h: {V}, %w: {V}, %v: {V}",
        V,
        loop(
            [("%a", "%h", V)],
            f"""%c:2 = func.call @step(%a, %w) : ({V}, {V}) -> ({V}, tensor<i1>)
        %b = "stablehlo.if"(%c#1) ({{
          %y = stablehlo.multiply %c#0, %v : {V}
          stablehlo.return %y : {V}
        }}, {{
          %y:2 = func.call @step(%a, %a) : ({V}, {V}) -> ({V}, tensor<i1>)
          stablehlo.return %y#0 : {V}
        }}) : (tensor<i1>) -> {V}""",
            "%b",
        ),
        "%r#1",
    ),
    normal([3], [3], [3]),
)
case(
    "stablehlo.while",
    "complex numbers change places",
    function(
        "%a: tensor<2xcomplex<f64>>, %b: tensor<2xcomplex<f64>>, %c: tensor<2xf64>",
        "tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>",
        loop(
            [("%x", "%a", "tensor<2xcomplex<f64>>"), ("%y", "%b", "tensor<2xcomplex<f64>>")],
            """%z = stablehlo.complex %c, %c : tensor<2xcomplex<f64>>
        %p = stablehlo.multiply %x, %z : tensor<2xcomplex<f64>>
        %q = stablehlo.multiply %p, %y : tensor<2xcomplex<f64>>""",
            "%y, %q",
        ),
        "%r#1, %r#2",
    ),
    lambda rng: [*complex_normal([2], [2])(rng), rng.normal(size=2)],
)
case(
    "stablehlo.while",
    "no rounds",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop([("%a", "%x", V)], f"%b = stablehlo.multiply %a, %w : {V}", "%b", until="LT -1"),
        "%r#1",
    ),
    normal([3], [3]),
)
case(
    "stablehlo.while",
    "an end that depends on values",
    function(
        f"%x: {F}, %w: {F}, %n: tensor<i32>",
        f"{F}, tensor<i32>",
        f"""%zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %limit = stablehlo.constant dense<5.0> : {F}
      %r:2 = stablehlo.while(%a = %x, %i = %zero) : {F}, tensor<i32>
      cond {{
        {compare("LT", "%a", "%limit", F, "%small")}
        {compare("LT", "%i", "%n", name="%early")}
        %both = stablehlo.and %small, %early : tensor<i1>
        stablehlo.return %both : tensor<i1>
      }} do {{
        %s = stablehlo.multiply %a, %a : {F}
        %b = stablehlo.add %s, %w : {F}
        %j = stablehlo.add %i, %one : tensor<i32>
        stablehlo.return %b, %j : {F}, tensor<i32>
      }}""",
        "%r#0, %r#1",
    ),
    lambda rng: [rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5), np.int32(rng.integers(1, 5))],
    # reverse mode refuses it: see test_loops.py
    modes=("forward", "batch"),
)

# -- branches ----------------------------------------------------------------------------------------------------------


def chosen(*options: Inputs) -> Inputs:
    return lambda rng: [x for inputs in options for x in inputs(rng)]


def index(low: int, high: int) -> Inputs:
    return lambda rng: [np.int32(rng.integers(low, high))]


def coin(rng: np.random.Generator) -> list[np.ndarray]:
    return [np.bool_(rng.integers(2))]


case(
    "stablehlo.if",
    "branches use different values, one gives a constant",
    function(
        f"%p: {P}, %x: {V}, %y: {V}",
        f"{V}, {V}, tensor<i32>",
        f"""%one = stablehlo.constant dense<1.0> : {V}
      %e = stablehlo.exponential %x : {V}
      %0:3 = "stablehlo.if"(%p) ({{
        %s = stablehlo.sine %e : {V}
        %k = stablehlo.constant dense<7> : tensor<i32>
        stablehlo.return %s, %one, %k : {V}, {V}, tensor<i32>
      }}, {{
        %t = stablehlo.tanh %y : {V}
        %u = stablehlo.multiply %t, %y : {V}
        %k = stablehlo.constant dense<8> : tensor<i32>
        stablehlo.return %y, %u, %k : {V}, {V}, tensor<i32>
      }}) : ({P}) -> ({V}, {V}, tensor<i32>)""",
        "%0#0, %0#1, %0#2",
    ),
    chosen(coin, normal([3], [3])),
)
case(
    "stablehlo.if",
    "by a comparison, in an if",
    function(
        f"%x: {F}, %y: {F}, %p: {P}",
        F,
        f"""{compare("LT", "%x", "%y", F, "%less")}
      %0 = "stablehlo.if"(%less) ({{
        %1 = "stablehlo.if"(%p) ({{
          %s = stablehlo.multiply %x, %y : {F}
          %t = stablehlo.sine %s : {F}
          stablehlo.return %t : {F}
        }}, {{
          stablehlo.return %x : {F}
        }}) : ({P}) -> {F}
        %2 = stablehlo.multiply %1, %1 : {F}
        stablehlo.return %2 : {F}
      }}, {{
        %s = stablehlo.divide %y, %x : {F}
        stablehlo.return %s : {F}
      }}) : (tensor<i1>) -> {F}""",
        "%0",
    ),
    # a distance between x and y that no difference bridges, and x away from 0
    lambda rng: [rng.uniform(1, 2), rng.choice([0.5, 2.5]) + rng.uniform(-0.1, 0.1), *coin(rng)],
)
SINE_OF_PRODUCT = f"""%m = stablehlo.multiply %a, %w : {V}
        %b = stablehlo.sine %m : {V}"""
case(
    "stablehlo.if",
    "loops in branches",
    function(
        f"%p: {P}, %x: {V}, %w: {V}",
        V,
        f"""%0 = "stablehlo.if"(%p) ({{
        {loop([("%a", "%x", V)], SINE_OF_PRODUCT, "%b")}
        stablehlo.return %r#1 : {V}
      }}, {{
        {loop([("%a", "%w", V)], f"%b = stablehlo.multiply %a, %x : {V}", "%b", until="LT 2")}
        stablehlo.return %r#1 : {V}
      }}) : ({P}) -> {V}""",
        "%0",
    ),
    chosen(coin, normal([3], [3])),
)
case(
    "stablehlo.case",
    "an index in range or not",
    function(
        f"%k: tensor<i32>, %x: {V}, %y: {V}",
        V,
        f"""%e = stablehlo.sine %x : {V}
      %0 = "stablehlo.case"(%k) ({{
        %s = stablehlo.multiply %e, %y : {V}
        stablehlo.return %s : {V}
      }}, {{
        %s = stablehlo.constant dense<2.0> : {V}
        stablehlo.return %s : {V}
      }}, {{
        %s = stablehlo.exponential %y : {V}
        %t = stablehlo.cosine %s : {V}
        %u = stablehlo.multiply %s, %t : {V}
        stablehlo.return %u : {V}
      }}) : (tensor<i32>) -> {V}""",
        "%0",
    ),
    chosen(index(-1, IN_RANGE + 1), normal([3], [3])),
)
case(
    "stablehlo.case",
    "in a loop, chosen by its counter",
    function(
        f"%x: {V}, %y: {V}",
        V,
        loop(
            [("%a", "%x", V)],
            f"""%b = "stablehlo.case"(%i) ({{
          %s = stablehlo.multiply %a, %y : {V}
          stablehlo.return %s : {V}
        }}, {{
          %s = stablehlo.sine %a : {V}
          stablehlo.return %s : {V}
        }}) : (tensor<i32>) -> {V}""",
            "%b",
        ),
        "%r#1",
    ),
    normal([3], [3]),
)
case(
    "stablehlo.case",
    "one branch",
    function(
        f"%k: tensor<i32>, %x: {V}",
        f"{V}, {V}",
        f"""%0:2 = "stablehlo.case"(%k) ({{
        %s = stablehlo.tanh %x : {V}
        stablehlo.return %s, %x : {V}, {V}
      }}) : (tensor<i32>) -> ({V}, {V})""",
        "%0#0, %0#1",
    ),
    chosen(index(0, 2), normal([3])),
)

# -- calls -------------------------------------------------------------------------------------------------------------

case(
    "func.call",
    "one function several times",
    f"""
    func.func private @g(%x: {V}, %k: tensor<i32>, %y: {V}) -> (tensor<i32>, {V}, {V}) {{
      %f = stablehlo.convert %k : (tensor<i32>) -> {F}
      %b = stablehlo.broadcast_in_dim %f, dims = [] : ({F}) -> {V}
      %s = stablehlo.multiply %x, %b : {V}
      %t = stablehlo.sine %s : {V}
      %u = stablehlo.multiply %t, %y : {V}
      return %k, %u, %y : tensor<i32>, {V}, {V}
    }}"""
    + function(
        f"%x: {V}, %y: {V}, %k: tensor<i32>",
        f"{V}, {V}",
        f"""%one = stablehlo.constant dense<1.0> : {V}
      %a:3 = call @g(%x, %k, %y) : ({V}, tensor<i32>, {V}) -> (tensor<i32>, {V}, {V})
      %b:3 = call @g(%a#1, %a#0, %x) : ({V}, tensor<i32>, {V}) -> (tensor<i32>, {V}, {V})
      %c:3 = call @g(%one, %k, %y) : ({V}, tensor<i32>, {V}) -> (tensor<i32>, {V}, {V})
      %d:3 = call @g(%y, %k, %y) : ({V}, tensor<i32>, {V}) -> (tensor<i32>, {V}, {V})
      %s = stablehlo.add %b#1, %c#1 : {V}
      %t = stablehlo.multiply %s, %d#1 : {V}""",
        "%t, %b#2",
    ),
    chosen(normal([3], [3]), index(1, 3)),
)
case(
    "func.call",
    "in a call, in a branch",
    f"""
    func.func private @inner(%x: {V}, %y: {V}) -> {V} {{
      %s = stablehlo.multiply %x, %y : {V}
      %t = stablehlo.tanh %s : {V}
      return %t : {V}
    }}
    func.func private @outer(%x: {V}, %p: {P}) -> {V} {{
      %0 = "stablehlo.if"(%p) ({{
        %s = func.call @inner(%x, %x) : ({V}, {V}) -> {V}
        stablehlo.return %s : {V}
      }}, {{
        %c = stablehlo.constant dense<[0.5, 1.5, -0.5]> : {V}
        %s = func.call @inner(%c, %x) : ({V}, {V}) -> {V}
        stablehlo.return %s : {V}
      }}) : ({P}) -> {V}
      return %0 : {V}
    }}"""
    + function(
        f"%x: {V}, %p: {P}",
        V,
        f"""%a = call @outer(%x, %p) : ({V}, {P}) -> {V}
      %b = call @inner(%a, %x) : ({V}, {V}) -> {V}""",
        "%b",
    ),
    chosen(normal([3]), coin),
)
