"""Loops: how their rounds are counted, and programs whose derivatives are checked in every mode.

The oracle is that of `test_rules.py`: central differences of the program itself in f64, of first and second order, with
that harness's tolerances (1e-6 and 1e-5; the differences' own error is about 1e-9, and ten times that for the second).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from operator import eq, ge, gt, le, lt, ne

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import test_rules
from cases import Case, Inputs, normal
from cases.control import F, V, compare, function, loop, read, write
from sound import count, sound, texts

import gradir
from gradir.tensor.analysis import counting
from gradir.tensor.ir.module import functions, operations, parse

I, X = "tensor<i32>", "tensor<4x3xf64>"


# -- counting ----------------------------------------------------------------------------------------------------------


def counter(text: str) -> counting.Counter | None:
    module = parse(text)
    loops = [op for op in operations(module) if op.name == "stablehlo.while"]
    return counting.count(loops[-1])


def rounds(element: str, start: int, step: int, direction: str, limit: int) -> list[int] | None:
    """The counter's values, by running the loop; None if it has not ended after so many rounds, or wraps around."""
    info = np.iinfo({"i": "int", "u": "uint"}[element[0]] + element.lstrip("ui"))
    goes_on = {f.__name__.strip("_").upper(): f for f in (lt, le, gt, ge, ne, eq)}[direction]
    values, i = [], start
    while goes_on(i, limit):
        values.append(i)
        i += step
        if not info.min <= i <= info.max or len(values) > 300:
            return None
    return values


def counted(element: str, start: int, step: int, direction: str, limit: int) -> str:
    t = f"tensor<{element}>"
    return function(
        f"%x: {F}",
        f"{t}, {F}",
        f"""%start = stablehlo.constant dense<{start}> : {t}
      %limit = stablehlo.constant dense<{limit}> : {t}
      %r:2 = stablehlo.while(%i = %start, %a = %x) : {t}, {F}
      cond {{
        {compare(direction, "%i", "%limit", t)}
        stablehlo.return %p : tensor<i1>
      }} do {{
        %step = stablehlo.constant dense<{abs(step)}> : {t}
        %next = stablehlo.{"add" if step > 0 else "subtract"} %i, %step : {t}
        %b = stablehlo.sine %a : {F}
        stablehlo.return %next, %b : {t}, {F}
      }}""",
        "%r#0, %r#1",
    )


@pytest.mark.parametrize("element", ["i8", "ui8", "i32", "i64"])
@pytest.mark.parametrize("direction", ["LT", "LE", "GT", "GE", "NE", "EQ"])
def test_counting(direction: str, element: str) -> None:
    """Every start, step and limit of a few, those at the ends of the type's range among them."""
    low, high = (0, 255) if element == "ui8" else (-128, 127)  # the ends of a larger type lie further out
    ends = [low, low + 1, 0, 3, 4, 7, high - 1, high]
    known = 0
    for start, limit, step in itertools.product(ends, ends, [1, 2, 3, 50, -1, -2, -100]):
        found = counter(counted(element, start, step, direction, limit))
        expected = rounds(element, start, step, direction, limit)
        assert (None if found is None else found.values.tolist()) == expected, (start, step, direction, limit)
        known += expected is not None
    assert known > 40


def one_loop(
    test: str, *, carried: str = f"%i = %zero, %a = %x : {I}, {F}", advance: str = "stablehlo.add %i, %one"
) -> str:
    """A loop over %i; %zero, %one and %three are constants outside."""
    given, _, types = carried.partition(" : ")
    names = [part.split()[0] for part in given.split(", ")]
    yields = ", ".join({"%i": "%next", "%a": "%b"}.get(n, n) for n in names)
    return function(
        f"%x: {F}, %k: {I}",
        F,
        f"""%zero = stablehlo.constant dense<0> : {I}
      %one = stablehlo.constant dense<1> : {I}
      %three = stablehlo.constant dense<3> : {I}
      %r:{len(names)} = stablehlo.while({given}) : {types}
      cond {{
        {test}
        stablehlo.return %p : tensor<i1>
      }} do {{
        %next = {advance} : {I}
        %b = stablehlo.sine %a : {F}
        stablehlo.return {yields} : {types}
      }}""",
        f"%r#{names.index('%a')}",
    )


LIMITS = {
    "a constant outside": one_loop(compare("LT", "%i", "%three")),
    "a constant inside": one_loop(f"%c = stablehlo.constant dense<3> : {I}\n{compare('LT', '%i', '%c')}"),
    "on the left": one_loop(compare("GT", "%three", "%i")),
    "carried": one_loop(compare("LT", "%i", "%n"), carried=f"%n = %three, %i = %zero, %a = %x : {I}, {I}, {F}"),
    "carried, on the left": one_loop(
        compare("GT", "%n", "%i"), carried=f"%n = %three, %i = %zero, %a = %x : {I}, {I}, {F}"
    ),
    "converted": one_loop(
        f"""%c = stablehlo.constant dense<3> : tensor<1xi64>
        %s = stablehlo.reshape %c : (tensor<1xi64>) -> tensor<i64>
        %d = stablehlo.convert %s : (tensor<i64>) -> {I}
        {compare("LT", "%i", "%d")}"""
    ),
    "the step on the left": one_loop(compare("LT", "%i", "%three"), advance="stablehlo.add %one, %i"),
    "the step carried": one_loop(
        compare("LT", "%i", "%three"),
        carried=f"%s = %one, %i = %zero, %a = %x : {I}, {I}, {F}",
        advance="stablehlo.add %i, %s",
    ),
}
UNKNOWN = {
    "a limit that is an argument": one_loop(compare("LT", "%i", "%k")),
    "a start that is an argument": one_loop(compare("LT", "%i", "%three"), carried=f"%i = %k, %a = %x : {I}, {F}"),
    "a step that is an argument": one_loop(compare("LT", "%i", "%three"), advance="stablehlo.add %i, %k"),
    "a counter that doubles": one_loop(
        compare("LT", "%i", "%three"), carried=f"%i = %one, %a = %x : {I}, {F}", advance="stablehlo.add %i, %i"
    ),
    "a counter that stands still": one_loop(compare("LT", "%i", "%three"), advance="stablehlo.add %i, %zero"),
    "a counter that is subtracted": one_loop(compare("LT", "%i", "%three"), advance="stablehlo.subtract %one, %i"),
    "a counter on both sides": one_loop(compare("LE", "%i", "%i")),
    "a counter that runs away": one_loop(compare("GE", "%i", "%zero")),
    "a step over the limit": one_loop(compare("NE", "%i", "%three"), advance="stablehlo.subtract %i, %one"),
    "a limit cut short": one_loop(
        f"""%c = stablehlo.constant dense<259> : {I}
        %s = stablehlo.convert %c : ({I}) -> tensor<i8>
        %d = stablehlo.convert %s : (tensor<i8>) -> {I}
        {compare("LT", "%i", "%d")}"""
    ),
    "the end of a carried value": one_loop(
        f"""%c = stablehlo.constant dense<0.5> : {F}
        {compare("LT", "%a", "%c", F)}"""
    ),
    "two tests": one_loop(
        f"""{compare("LT", "%i", "%three", name="%q")}
        {compare("LT", "%i", "%k", name="%s")}
        %p = stablehlo.and %q, %s : tensor<i1>"""
    ),
}


@pytest.mark.parametrize("text", LIMITS.values(), ids=LIMITS.keys())
def test_where_the_limit_is(text: str) -> None:
    found = counter(text)
    assert found is not None
    assert found.values.tolist() == [0, 1, 2]


CONDITIONS: dict[str, tuple[str, Callable[[int, int], bool]]] = {
    "i + 1 <= n": ("add %i, %one; compare LE, %0, %n", lambda i, n: i + 1 <= n),
    "2 i < n": ("multiply %i, %two; compare LT, %0, %n", lambda i, n: 2 * i < n),
    "i i < n": ("multiply %i, %i; compare LT, %0, %n", lambda i, n: i * i < n),
    "n - i > 0": ("subtract %n, %i; compare GT, %0, %zero", lambda i, n: n - i > 0),
    "i < 2 n - 1": ("multiply %n, %two; subtract %0, %one; compare LT, %i, %1", lambda i, n: i < 2 * n - 1),
    "i < min(n, 2)": ("minimum %n, %two; compare LT, %i, %0", lambda i, n: i < min(n, 2)),
    "max(i, 2) < n": ("maximum %i, %two; compare LT, %0, %n", lambda i, n: max(i, 2) < n),
    "not i >= n": ("compare GE, %i, %n; not %0", lambda i, n: not i >= n),
    "i < n and i != 2": ("compare LT, %i, %n; compare NE, %i, %two; and %0, %1", lambda i, n: i < n and i != 2),
    "i > 0 (down)": ("compare GT, %i, %zero", lambda i, n: i > 0),
    "n <= i (down)": ("compare LE, %n, %i", lambda i, n: n <= i),
}


def with_condition(element: str, condition: str, start: int, step: int, limit: int) -> str:
    """A loop whose limit is carried, with an attribute that says nothing of what it does."""
    t, lines = f"tensor<{element}>", []
    for k, line in enumerate(condition.split("; ")):
        of = "tensor<i1>" if line.startswith(("not", "and")) else t
        types = f"({of}, {of}) -> tensor<i1>" if line.startswith("compare") else of
        lines.append(f"%{k} = stablehlo.{line} : {types}")
    number = {"zero": 0, "one": 1, "two": 2, "n0": limit, "start": start, "step": abs(step)}
    constants = "".join(f"%{name} = stablehlo.constant dense<{v}> : {t}\n" for name, v in number.items())
    return function(
        f"%x: {F}",
        F,
        f"""{constants}
      %r:3 = "stablehlo.while"(%start, %n0, %x) ({{
      ^bb0(%i: {t}, %n: {t}, %a: {F}):
        {chr(10).join(lines)}
        stablehlo.return %{len(lines) - 1} : tensor<i1>
      }}, {{
      ^bb0(%i: {t}, %n: {t}, %a: {F}):
        %j = stablehlo.{"add" if step > 0 else "subtract"} %i, %step : {t}
        %b = stablehlo.sine %a : {F}
        stablehlo.return %j, %n, %b : {t}, {t}, {F}
      }}) {{mhlo.frontend_attributes = {{hint = "1"}}}} : ({t}, {t}, {F}) -> ({t}, {t}, {F})""",
        "%r#2",
    )


@pytest.mark.parametrize("element", ["i32", "ui8", "i8"])
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_of_other_forms(name: str, element: str) -> None:
    """Against running them; where a number would not fit its type, nothing is said."""
    condition, goes_on = CONDITIONS[name]
    info = np.iinfo({"i": "int", "u": "uint"}[element[0]] + element.lstrip("ui"))
    seen = set()
    for start, step, limit in itertools.product([0, 1, 5, 90], [1, 3, -1, -2], [0, 4, 9, 100]):
        found = counter(with_condition(element, condition, start, step, limit))
        rounds, i = 0, start
        while rounds < 1000 and goes_on(i, limit) and info.min <= i <= info.max:
            rounds, i = rounds + 1, i + step
        seen.add(found is not None and found.trips > 0)
        assert found is None or (found.start, found.step, found.trips) == (start, step, rounds)
    assert True in seen


def test_derivatives_of_loops_with_conditions_of_other_forms() -> None:
    """So many sines of sines, by the chain rule."""
    for condition, goes_on in CONDITIONS.values():
        start, step, limit = (5, -1, 3) if goes_on(5, 3) and not goes_on(0, 3) else (0, 1, 5)
        x, slope, i = 0.7, 1.0, start
        while goes_on(i, limit):
            x, slope, i = np.sin(x), slope * np.cos(x), i + step
        assert i != start
        source = gradir.load(with_condition("i32", condition, start, step, limit))
        np.testing.assert_allclose(sound(source.grad("f"), source).run("grad_f", 0.7), slope, rtol=1e-13)


@pytest.mark.parametrize("reverse", [False, True])
def test_backward_loops_count_up(reverse: bool) -> None:
    """From 0 by 1 to below a number: of a loop of 200 rounds that counts down, XLA does not know the length."""

    def f(xs: jax.Array) -> jax.Array:
        return jax.lax.scan(lambda c, x: (jnp.sin(c * x), c), 0.5, xs, reverse=reverse)[0]

    module = parse(str(gradir.load(jax.jit(f).lower(jnp.ones(200)).as_text()).grad(name="d")))
    loops = [op for op in operations(module) if op.name == "stablehlo.while"]
    counters = [counting.count(op) for op in loops]
    assert len(loops) >= 3  # the program's own, its forward sweep and its backward sweep
    for op, found in zip(loops, counters, strict=True):
        assert found is not None and (found.start, found.step) == (0, 1)
        (test,) = (view.operation for view in op.regions[0].blocks[0].operations if "compare" in view.operation.name)
        assert "comparison_direction LT" in str(test.attributes["comparison_direction"])


@pytest.mark.parametrize("text", UNKNOWN.values(), ids=UNKNOWN.keys())
def test_what_is_not_counted_has_checkpoints_in_reverse_mode(text: str) -> None:
    assert counter(text) is None
    source = gradir.load(text)
    with gradir.checkpointing(5):
        assert "tensor<6xf64>" in str(sound(source.grad("f"), source))
    sound(source.jvp("f"), source)
    sound(source.batch("f", 2), source)


def test_the_limit_of_an_inner_loop_is_carried_by_the_outer_one() -> None:
    inner = f"""%s:2 = stablehlo.while(%j = %zero, %c = %a) : {I}, {F}
        cond {{
          {compare("LT", "%j", "%n", name="%q")}
          stablehlo.return %q : tensor<i1>
        }} do {{
          %j_next = stablehlo.add %j, %one : {I}
          %d = stablehlo.sine %c : {F}
          stablehlo.return %j_next, %d : {I}, {F}
        }}
        %b = stablehlo.multiply %s#1, %a : {F}"""
    text = one_loop(compare("LT", "%i", "%n"), carried=f"%n = %three, %i = %zero, %a = %x : {I}, {I}, {F}")
    text = text.replace(f"%b = stablehlo.sine %a : {F}", inner)
    found = counter(text)
    assert found is not None and found.trips == 3
    gradir.load(text).grad("f")


def test_values_by_round() -> None:
    """Integers that follow from the counter, as numpy computes them; and none where one would wrap around."""
    text = """
    func.func @f(%k: tensor<i32>) -> tensor<i32> {
      %c = stablehlo.constant dense<2> : tensor<i32>
      %r:2 = stablehlo.while(%i = %c, %k1 = %k) : tensor<i32>, tensor<i32>
      cond {
        %n = stablehlo.constant dense<7> : tensor<i32>
        %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %three = stablehlo.constant dense<3> : tensor<i32>
        %add = stablehlo.add %i, %three : tensor<i32>
        %subtract = stablehlo.subtract %three, %i : tensor<i32>
        %multiply = stablehlo.multiply %i, %add : tensor<i32>
        %minimum = stablehlo.minimum %i, %three : tensor<i32>
        %maximum = stablehlo.maximum %i, %three : tensor<i32>
        %negate = stablehlo.negate %i : tensor<i32>
        %clamp = stablehlo.clamp %c, %subtract, %three : tensor<i32>
        %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
        %select = stablehlo.select %less, %negate, %multiply : tensor<i1>, tensor<i32>
        %convert = stablehlo.convert %i : (tensor<i32>) -> tensor<i64>
        %wide = stablehlo.multiply %multiply, %multiply : tensor<i32>
        %byte = stablehlo.convert %wide : (tensor<i32>) -> tensor<i8>
        %unsigned = stablehlo.convert %negate : (tensor<i32>) -> tensor<ui32>
        %unknown = stablehlo.add %i, %k : tensor<i32>
        %carried = stablehlo.add %i, %k1 : tensor<i32>
        %j = stablehlo.add %c, %i : tensor<i32>
        stablehlo.return %j, %carried : tensor<i32>, tensor<i32>
      }
      return %r#0 : tensor<i32>
    }"""
    module = parse(text)
    (op,) = [op for op in operations(module) if op.name == "stablehlo.while"]
    found = counting.count(op)
    assert found is not None and found.values.tolist() == [2, 4, 6]
    i = found.values
    body = op.regions[1].blocks[0]
    names = [line.split(" = ")[0].strip("% ") for line in text.splitlines()[9:24]]
    results = [view.operation.results[0] for view in list(body.operations)[:-1]]
    expected = {
        "three": np.full(3, 3),
        "add": i + 3,
        "subtract": 3 - i,
        "multiply": i * (i + 3),
        "minimum": np.minimum(i, 3),
        "maximum": np.maximum(i, 3),
        "negate": -i,
        "clamp": np.clip(3 - i, 2, 3),
        "less": i < 3,
        "select": np.where(i < 3, -i, i * (i + 3)),
        "convert": i,
        "wide": (i * (i + 3)) ** 2,
        "byte": None,
        "unsigned": None,
        "unknown": None,
    }
    assert names == list(expected)
    for (name, wanted), value in zip(expected.items(), results, strict=False):
        got = counting.values_by_round(value, op, found)
        assert (got is None and wanted is None) or np.array_equal(got, wanted), name  # type: ignore[arg-type]
    assert counting.values_by_round(body.arguments[1], op, found) is None


# -- programs ----------------------------------------------------------------------------------------------------------

PROGRAMS: list[Case] = []


def program(label: str, text: str, inputs: Inputs) -> None:
    PROGRAMS.append(Case("stablehlo.while", label, text, inputs))


def number(i: str, name: str, t: str = V) -> str:
    """The counter as a float."""
    return f"""{name}_f = stablehlo.convert {i} : ({I}) -> {F}
        {name} = stablehlo.broadcast_in_dim {name}_f, dims = [] : ({F}) -> {t}"""


STEP = f"""%m = stablehlo.multiply %a, %w : {V}
        %b = stablehlo.sine %m : {V}"""
for start, step, until in [
    (0, 1, "LT 1"),
    (0, 1, "LE 2"),
    (5, -2, "GE 0"),
    (5, -2, "GT 0"),
    (-4, 3, "NE 5"),
    (7, 1, "LE 6"),
    (2, 2, "NE 2"),
]:
    program(
        f"from {start} by {step} while {until}",
        function(
            f"%x: {V}, %w: {V}",
            V,
            loop(
                [("%a", "%x", V)],
                f"""{STEP}
        {number("%i", "%n")}
        %c = stablehlo.multiply %b, %n : {V}""",
                "%c",
                start=start,
                step=step,
                until=until,
            ),
            "%r#1",
        ),
        normal([3], [3]),
    )
program(
    "a value that is written and never read",
    function(
        f"%x: {V}, %y: {V}",
        V,
        loop(
            [("%a", "%y", V)],
            f"""{number("%i", "%n")}
        %m = stablehlo.multiply %x, %n : {V}
        %b = stablehlo.sine %m : {V}""",
            "%b",
        ),
        "%r#1",
    ),
    normal([3], [3]),
)
program(
    "a value that is inactive at first",
    function(
        f"%x: {V}",
        V,
        f"""%one = stablehlo.constant dense<1.0> : {V}
      {loop([("%a", "%one", V)], STEP.replace("%w", "%x"), "%b")}""",
        "%r#1",
    ),
    normal([3]),
)
program(
    "activity that takes two rounds to arrive",
    function(
        f"%x: {V}",
        V,
        f"""%one = stablehlo.constant dense<1.0> : {V}
      {
            loop(
                [("%a", "%one", V), ("%b", "%one", V), ("%c", "%one", V)],
                f'''%s = stablehlo.multiply %c, %b : {V}
        %t = stablehlo.sine %x : {V}''',
                "%s, %a, %t",
                until="LT 4",
            )
        }""",
        "%r#1",
    ),
    normal([3]),
)
program(
    "a value that becomes a constant",
    function(
        f"%x: {V}, %y: {V}",
        f"{V}, {V}",
        f"""%one = stablehlo.constant dense<2.0> : {V}
      {
            loop(
                [("%a", "%x", V), ("%b", "%y", V)],
                f"%c = stablehlo.multiply %a, %b : {V}",
                "%one, %c",
            )
        }""",
        "%r#1, %r#2",
    ),
    normal([3], [3]),
)
program(
    "an active value that is not useful",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop(
            [("%a", "%x", V), ("%u", "%w", V)],
            f"""{STEP}
        %v = stablehlo.exponential %u : {V}""",
            "%b, %v",
        ),
        "%r#1",
    ),
    normal([3], [3]),
)
program(
    "a useful value whose result is not",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop(
            [("%a", "%x", V), ("%s", "%w", V)],
            f"""%b = stablehlo.sine %a : {V}
        %m = stablehlo.multiply %s, %b : {V}
        %t = stablehlo.add %m, %w : {V}""",
            "%b, %t",
        ),
        "%r#2",
    ),
    normal([3], [3]),
)
program(
    "values that change places",
    function(
        f"%x: {V}, %y: {V}, %z: {V}",
        f"{V}, {V}, {V}",
        loop(
            [("%a", "%x", V), ("%b", "%y", V), ("%c", "%z", V)],
            f"%d = stablehlo.multiply %a, %b : {V}",
            "%c, %d, %b",
            until="LT 4",
        ),
        "%r#1, %r#2, %r#3",
    ),
    normal([3], [3], [3]),
)
program(
    "one value carried twice, captured, handed on and returned",
    function(
        f"%x: {V}, %w: {V}",
        f"{V}, {V}, {V}",
        loop(
            [("%a", "%x", V), ("%v", "%w", V), ("%b", "%w", V)],
            f"""%m = stablehlo.multiply %a, %v : {V}
        %n = stablehlo.multiply %m, %w : {V}
        %c = stablehlo.sine %n : {V}
        %d = stablehlo.multiply %b, %c : {V}""",
            "%c, %v, %d",
        ),
        "%r#1, %r#2, %r#3",
    ),
    normal([3], [3]),
)
program(
    "a value from outside that is handed on in the last round",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop([("%a", "%x", V), ("%b", "%w", V)], f"%c = stablehlo.multiply %a, %b : {V}", "%w, %c"),
        "%r#2",
    ),
    normal([3], [3]),
)
program(
    "the same initial value twice",
    function(
        f"%x: {V}",
        f"{V}, {V}",
        loop([("%a", "%x", V), ("%b", "%x", V)], f"%c = stablehlo.multiply %a, %b : {V}", "%b, %c"),
        "%r#1, %r#2",
    ),
    normal([3]),
)
program(
    "integers that count otherwise",
    function(
        f"%x: {V}, %k: {I}",
        f"{V}, {I}, {I}",
        loop(
            [("%a", "%x", V), ("%m", "%k", I), ("%n", "%k", I)],
            f"""%s = stablehlo.add %m, %n : {I}
        {number("%s", "%g")}
        %t = stablehlo.divide %a, %g : {V}
        %b = stablehlo.sine %t : {V}""",
            "%b, %n, %s",
            until="LT 4",
        ),
        "%r#1, %r#2, %r#3",
    ),
    lambda rng: [rng.normal(size=3), np.int32(rng.integers(1, 3))],
)
program(
    "a truth value that changes",
    function(
        f"%x: {V}, %p: tensor<i1>",
        V,
        loop(
            [("%a", "%x", V), ("%q", "%p", "tensor<i1>")],
            f"""%s = stablehlo.sine %a : {V}
        %c = stablehlo.cosine %a : {V}
        %b = stablehlo.select %q, %s, %c : tensor<i1>, {V}
        %o = stablehlo.not %q : tensor<i1>""",
            "%b, %o",
        ),
        "%r#1",
    ),
    lambda rng: [rng.normal(size=3), np.bool_(rng.integers(2))],
)
program(
    "arrays without elements",
    function(
        "%x: tensor<0x2xf64>, %y: tensor<f64>",
        "tensor<0x2xf64>, tensor<f64>",
        loop(
            [("%a", "%x", "tensor<0x2xf64>"), ("%b", "%y", F)],
            f"""%c = stablehlo.multiply %a, %a : tensor<0x2xf64>
        %d = stablehlo.sine %b : {F}""",
            "%c, %d",
        ),
        "%r#1, %r#2",
    ),
    normal([0, 2], []),
)

# Stacks: what each round writes.
NEXT = f"""%s = stablehlo.multiply %a, %a : {V}
        %u = stablehlo.sine %s : {V}"""


def stacking(label: str, index: str, *, rounds: int = 4, more: str = "", written: str | None = None) -> None:
    """Each round writes a row, at an `index` (an op, or %i); the rows that were there are active too."""
    op = "" if index == "%i" else f"%at = {index}"
    place = "%i" if index == "%i" else "%at"
    body = f"""{NEXT}
        %one = stablehlo.constant dense<1> : {I}
        %two = stablehlo.constant dense<2> : {I}
        %three = stablehlo.constant dense<3> : {I}
        {op}
        {written or write("%stack", place, "%u")}
        {more}"""
    program(
        f"rows written {label}",
        function(
            f"%x: {V}, %ys: {X}",
            f"{V}, {X}",
            loop([("%a", "%x", V), ("%stack", "%ys", X)], body, "%u, %written", until=f"LT {rounds}"),
            "%r#1, %r#2",
        ),
        normal([3], [4, 3]),
    )


stacking("everywhere", "%i")
stacking("at some places", "%i", rounds=2)
stacking("from the last to the first", f"stablehlo.subtract %three, %i : {I}")
stacking("at every second place", f"stablehlo.multiply %i, %two : {I}", rounds=2)
stacking("at one place", f"stablehlo.minimum %i, %one : {I}")
stacking("beyond the end", f"stablehlo.add %i, %two : {I}", rounds=3)
stacking("before the beginning", f"stablehlo.subtract %i, %two : {I}")
stacking(
    "and read again",
    "%i",
    written=f"""{read("%stack", "%i", name="%old")}
        %v = stablehlo.multiply %u, %old : {V}
        {write("%stack", "%i", "%v")}""",
)
stacking(
    "two at a time",
    "%i",
    rounds=2,
    written=f"""%zero = stablehlo.constant dense<0> : {I}
        %rows = stablehlo.broadcast_in_dim %u, dims = [1] : ({V}) -> tensor<2x3xf64>
        %written = stablehlo.dynamic_update_slice %stack, %rows, %i, %zero : ({X}, tensor<2x3xf64>, {I}, {I}) -> {X}""",
)
stacking(
    "twice in a round",
    "%i",
    written=f"""{write("%stack", "%i", "%u", name="%first")}
        {write("%first", "%three", "%a")}""",
)
stacking(
    "element by element",
    "%i",
    rounds=3,
    written=f"""%element = stablehlo.slice %u [0:1] : ({V}) -> tensor<1xf64>
        %block = stablehlo.reshape %element : (tensor<1xf64>) -> tensor<1x1xf64>
        %written = stablehlo.dynamic_update_slice %stack, %block, %i, %i : ({X}, tensor<1x1xf64>, {I}, {I}) -> {X}""",
)
stacking(
    "as columns",
    "%i",
    rounds=2,
    written=f"""%zero = stablehlo.constant dense<0> : {I}
        %column = stablehlo.slice %u [0:1] : ({V}) -> tensor<1xf64>
        %four = stablehlo.broadcast_in_dim %column, dims = [1] : (tensor<1xf64>) -> tensor<4x1xf64>
        %written = stablehlo.dynamic_update_slice %stack, %four, %zero, %i : ({X}, tensor<4x1xf64>, {I}, {I}) -> {X}""",
)
program(
    "a stack of one row",
    function(
        f"%x: {V}, %ys: tensor<1x3xf64>",
        f"{V}, tensor<1x3xf64>",
        loop(
            [("%a", "%x", V), ("%stack", "%ys", "tensor<1x3xf64>")],
            f"""{NEXT}
        {write("%stack", "%i", "%u", "tensor<1x3xf64>")}""",
            "%u, %written",
            until="LT 1",
        ),
        "%r#1, %r#2",
    ),
    normal([3], [1, 3]),
)
program(
    "rows of the array that is written",
    function(
        f"%ys: {X}",
        X,
        loop(
            [("%stack", "%ys", X)],
            f"""{read("%ys", "%i")}
        %u = stablehlo.sine %x : {V}
        {write("%stack", "%i", "%u")}""",
            "%written",
        ),
        "%r#1",
    ),
    normal([4, 3]),
)
program(
    "rows read from an array that is carried",
    function(
        f"%xs: {X}, %h: {V}",
        f"{V}, {X}",
        loop(
            [("%a", "%h", V), ("%ys", "%xs", X)],
            f"""{read("%ys", "%i")}
        %m = stablehlo.multiply %a, %x : {V}
        %b = stablehlo.sine %m : {V}""",
            "%b, %ys",
        ),
        "%r#1, %r#2",
    ),
    normal([4, 3], [3]),
)
program(
    "rows read from both ends of an array with two names",
    function(
        f"%xs: {X}, %h: {V}",
        V,
        loop(
            [("%a", "%h", V), ("%ys", "%xs", X)],
            f"""%last = stablehlo.constant dense<3> : {I}
        %back = stablehlo.subtract %last, %i : {I}
        {read("%ys", "%i")}
        {read("%xs", "%back", name="%y")}
        %m = stablehlo.multiply %x, %y : {V}
        %n = stablehlo.add %a, %m : {V}
        %b = stablehlo.sine %n : {V}""",
            "%b, %ys",
        ),
        "%r#1",
    ),
    normal([4, 3], [3]),
)

# Loops, branches and calls in each other.
program(
    "three deep",
    function(
        f"%x: {F}, %w: {F}",
        F,
        loop(
            [("%a", "%x", F)],
            loop(
                [("%b", "%a", F)],
                loop(
                    [("%c", "%b", F)],
                    f"""%d = stablehlo.multiply %c, %w : {F}
        %e = stablehlo.multiply %d, %a : {F}
        %f = stablehlo.sine %e : {F}""",
                    "%f",
                    name="%u",
                    counter="%k",
                    until="LT 2",
                ),
                "%u#1",
                name="%t",
                counter="%j",
                until="LT 2",
            ),
            "%t#1",
            until="LT 2",
        ),
        "%r#1",
    ),
    normal([], []),
)
program(
    "an inner loop that stacks, read by the outer one",
    function(
        f"%x: {V}",
        f"{V}, {X}",
        f"""%none = stablehlo.constant dense<0.0> : {X}
      {
            loop(
                [("%h", "%x", V), ("%last", "%none", X)],
                loop(
                    [("%a", "%h", V), ("%stack", "%none", X)],
                    f'''{NEXT}
        {write("%stack", "%j", "%u")}''',
                    "%u, %written",
                    name="%inner",
                    counter="%j",
                    until="LT 4",
                )
                + f'''
        {read("%inner#2", "%i")}
        %o = stablehlo.multiply %x, %inner#1 : {V}'''.replace("%x_", "%q_")
                .replace("%x =", "%q =")
                .replace("multiply %x", "multiply %q"),
                "%o, %inner#2",
                until="LT 2",
            )
        }""",
        "%r#1, %r#2",
    ),
    normal([3]),
)
program(
    "two loops over one value",
    function(
        f"%x: {V}, %w: {V}",
        V,
        f"""{loop([("%a", "%x", V)], STEP, "%b")}
      {loop([("%a", "%r#1", V)], STEP.replace("%w", "%x"), "%b", name="%s", counter="%j", until="LT 2")}""",
        "%s#1",
    ),
    normal([3], [3]),
)
program(
    "a loop in a case in a loop",
    function(
        f"%x: {V}, %w: {V}",
        V,
        loop(
            [("%h", "%x", V)],
            f"""%o = "stablehlo.case"(%i) ({{
          {loop([("%a", "%h", V)], STEP, "%b", counter="%j", until="LT 2", name="%s")}
          stablehlo.return %s#1 : {V}
        }}, {{
          %s = stablehlo.cosine %h : {V}
          stablehlo.return %s : {V}
        }}) : ({I}) -> {V}""",
            "%o",
        ),
        "%r#1",
    ),
    normal([3], [3]),
)
CALLS = f"""
    func.func private @product(%a: {V}, %w: {V}) -> {V} {{
      %m = stablehlo.multiply %a, %w : {V}
      return %m : {V}
    }}
    func.func private @turn(%a: {V}, %w: {V}) -> ({V}, {V}) {{
      %m = call @product(%a, %w) : ({V}, {V}) -> {V}
      %b = stablehlo.sine %m : {V}
      return %b, %a : {V}, {V}
    }}
    func.func private @turns(%x: {V}, %w: {V}) -> {V} {{
      {loop([("%a", "%x", V)], f"%b:2 = func.call @turn(%a, %w) : ({V}, {V}) -> ({V}, {V})", "%b#0", until="LT 2")}
      return %r#1 : {V}
    }}"""
program(
    "calls in calls, and loops in calls",
    CALLS
    + function(
        f"%x: {V}, %w: {V}",
        V,
        f"""%first = call @turns(%x, %w) : ({V}, {V}) -> {V}
      {
            loop(
                [("%a", "%first", V), ("%c", "%w", V)],
                f'''%b:2 = func.call @turn(%a, %c) : ({V}, {V}) -> ({V}, {V})
        %d = func.call @turns(%b#1, %b#0) : ({V}, {V}) -> {V}''',
                "%d, %b#1",
                until="LT 2",
            )
        }
      %t = call @turn(%r#1, %r#2) : ({V}, {V}) -> ({V}, {V})""".replace("%t = call", "%t:2 = call"),
        "%t#0",
    ),
    normal([3], [3]),
)
program(
    "a loop that does not end by counting, on the way to no derivative",
    function(
        f"%x: {V}, %k: {I}",
        f"{V}, {I}",
        f"""%half = stablehlo.constant dense<0.5> : {F}
      %two = stablehlo.constant dense<2> : {I}
      %one = stablehlo.constant dense<1> : {I}
      %c:2 = stablehlo.while(%n = %k, %log = %one) : {I}, {I}
      cond {{
        {compare("GT", "%n", "%one")}
        stablehlo.return %p : tensor<i1>
      }} do {{
        %h = stablehlo.divide %n, %two : {I}
        %l = stablehlo.add %log, %one : {I}
        stablehlo.return %h, %l : {I}, {I}
      }}
      {number("%c#1", "%f")}
      %m = stablehlo.multiply %x, %f : {V}
      %y = stablehlo.sine %m : {V}""",
        "%y, %c#1",
    ),
    lambda rng: [rng.normal(size=3), np.int32(rng.integers(1, 40))],
)


@pytest.mark.parametrize("case", PROGRAMS, ids=[c.label for c in PROGRAMS])
def test_derivatives(case: Case) -> None:
    test_rules.test_derivatives(case, "xla")


@pytest.mark.parametrize("case", PROGRAMS, ids=[c.label for c in PROGRAMS])
def test_second_derivatives(case: Case) -> None:
    test_rules.test_second_derivatives(case)


@pytest.mark.parametrize("case", PROGRAMS, ids=[c.label for c in PROGRAMS])
def test_what_is_made_is_sound(case: Case) -> None:
    source = gradir.load(case.text)
    wrt = [i for i, a in enumerate(source.function("f").arguments) if a.kind == "real"]
    forward = sound(source.jvp("f", wrt), source)
    sound(forward.batch("jvp_f", 2), forward)
    reverse = sound(source.vjp("f", wrt), source)
    sound(reverse.vjp("vjp_f", wrt), reverse)
    assert str(source.vjp("f", wrt)) == str(reverse), "the same program has the same derivative each time"


# -- what is kept, and what is left alone ------------------------------------------------------------------------------


def loops(module: gradir.Module, function: str) -> list[list[str]]:
    """The types that each loop of a function carries, in the order of the loops."""
    copy = module.ir
    return [
        [str(r.type).removeprefix("tensor<").removesuffix(">") for r in op.results]
        for op in operations(functions(copy)[function])
        if op.name == "stablehlo.while"
    ]


@pytest.mark.usefixtures("plain")
def test_a_loop_that_is_linear_needs_no_forward_sweep() -> None:
    text = function(
        f"%x: {F}", F, loop([("%a", "%x", F)], f"%b = stablehlo.add %a, %a : {F}", "%b", until="LT 5"), "%r#1"
    )
    m = gradir.load(text).grad("f")
    assert loops(m, "f.reverse") == [["i32", "f64"]]
    assert m.run("grad_f", 1.0) == 32


def test_one_array_is_kept_where_the_rest_follows_from_it() -> None:
    """tanh is kept, not what it is computed from nor what is made of it."""
    body = f"""%s = stablehlo.add %a, %w : {V}
        %d = stablehlo.add %s, %s : {V}
        %t = stablehlo.tanh %d : {V}
        %m = stablehlo.multiply %t, %t : {V}
        %b = stablehlo.multiply %m, %t : {V}"""
    text = function(f"%x: {V}, %w: {V}", V, loop([("%a", "%x", V)], body, "%b", until="LT 7"), "%r#1")
    m = gradir.load(text).vjp("f", (0, 1))
    forward, backward = loops(m, "f.reverse")
    assert forward == ["3xf64", "i32", "7x3xf64"]
    assert backward == ["i32", "3xf64", "3xf64"]


@pytest.mark.usefixtures("plain")
def test_counters_and_rows_at_the_counter_are_not_kept() -> None:
    body = f"""{read("%xs", "%i")}
        %m = stablehlo.multiply %a, %x : {V}
        {number("%i", "%n")}
        %b = stablehlo.multiply %m, %n : {V}"""
    text = function(f"%xs: {X}, %h: {V}", V, loop([("%a", "%h", V)], body, "%b", until="LT 4"), "%r#1")
    m = gradir.load(text).vjp("f", 1)
    assert loops(m, "f.reverse")[-1] == ["i32", "3xf64"]
    assert not any("4x3xf64" in carried for carried in loops(m, "f.reverse")), "%xs is there already"


@pytest.mark.usefixtures("plain")
def test_a_stack_does_not_travel_through_the_backward_loop() -> None:
    """The cotangent of a stack stays where it is; each round takes its row."""
    body = f"""{NEXT}
        {write("%stack", "%i", "%u")}"""
    text = function(
        f"%x: {V}, %ys: {X}",
        X,
        loop([("%a", "%x", V), ("%stack", "%ys", X)], body, "%u, %written", until="LT 4"),
        "%r#2",
    )
    m = gradir.load(text).vjp("f", (0, 1))
    assert loops(m, "f.reverse")[-1] == ["i32", "3xf64"]


@pytest.mark.usefixtures("plain")
def test_what_no_result_needs_is_not_carried() -> None:
    """The rows that were written, a sum of integers and the counter are of no use to the gradient of %a."""
    body = f"""%u = stablehlo.sine %a : {F}
        %row = stablehlo.broadcast_in_dim %u, dims = [] : ({F}) -> {V}
        %m = stablehlo.add %k, %n : {I}
        {write("%stack", "%i", "%row")}"""
    text = function(
        f"%x: {F}, %ys: {X}, %k: {I}",
        f"{F}, {X}, {I}",
        loop([("%a", "%x", F), ("%stack", "%ys", X), ("%n", "%k", I)], body, "%u, %written, %m"),
        "%r#1, %r#2, %r#3",
    )
    source = gradir.load(text)
    assert loops(source.value_and_grad("f"), "f.reverse")[0] == ["i32", "f64", "4x3xf64", "i32", "i32", "3xf64"]
    m = source.grad("f")
    assert loops(m, "f.reverse")[0] == ["f64", "i32", "3xf64"]
    assert count(m, "stablehlo.dynamic_update_slice", function="f.reverse") == 1
    expected = np.prod(np.cos([0.5, np.sin(0.5), np.sin(np.sin(0.5))]))
    np.testing.assert_allclose(m.run("grad_f", 0.5, np.ones((4, 3)), np.int32(1)), expected, rtol=1e-12)


@pytest.mark.usefixtures("plain")
def test_calls_in_loops_are_inlined_in_a_copy() -> None:
    text = CALLS + function(f"%x: {V}, %w: {V}", V, f"%y = call @turns(%x, %w) : ({V}, {V}) -> {V}", "%y")
    source = gradir.load(text)
    m = source.vjp("f")
    old, new = texts(source), texts(m)
    assert {name: new[name] for name in old} == old
    assert "call" not in new["turns.augmented"]
    assert "call" not in new["turns.backward"]


@pytest.mark.usefixtures("plain")
def test_calls_outside_loops_stay_calls() -> None:
    text = CALLS + function(f"%x: {V}, %w: {V}", V, f"%y:2 = call @turn(%x, %w) : ({V}, {V}) -> ({V}, {V})", "%y#0")
    m = gradir.load(text).vjp("f")
    assert "call @turn.augmented" in texts(m)["f.reverse"]
    assert "call @product.augmented" in texts(m)["turn.augmented"]


def test_a_round_with_many_ops() -> None:
    """Not a recursion over them, nor anything that grows faster than they do (2000 take about a second)."""
    n = 2000
    chain = "\n".join(f"%a{k + 1} = stablehlo.{'sine' if k % 10 == 0 else 'negate'} %a{k} : {F}" for k in range(n))
    products = "\n".join(f"%p{k + 1} = stablehlo.multiply %p{k}, %p{k} : {F}" for k in range(n))
    text = function(
        f"%x: {F}, %y: {F}",
        f"{F}, {F}",
        loop([("%a0", "%x", F), ("%p0", "%y", F)], f"{chain}\n{products}", f"%a{n}, %p{n}", until="LT 2"),
        "%r#1, %r#2",
    )
    m = gradir.load(text).vjp("f", (0, 1))
    kept = [t for t in loops(m, "f.reverse")[0] if t == "2xf64"]
    assert len(kept) == 2, "the first of the chain and of the products: a round is cheaper to run again than to keep"


# -- batches -----------------------------------------------------------------------------------------------------------

HALVING = f"""
    func.func public @f(%x: {F}, %n: {I}) -> ({F}, {I}) {{
      %one = stablehlo.constant dense<1> : {I}
      %two = stablehlo.constant dense<2.0> : {F}
      %r:2 = stablehlo.while(%a = %x, %m = %n) : {F}, {I}
      cond {{
        {compare("GT", "%a", "%two", F)}
        stablehlo.return %p : tensor<i1>
      }} do {{
        %h = stablehlo.divide %a, %two : {F}
        %k = stablehlo.add %m, %one : {I}
        stablehlo.return %h, %k : {F}, {I}
      }}
      return %r#0, %r#1 : {F}, {I}
    }}"""


def test_each_example_ends_when_it_ends() -> None:
    source = gradir.load(HALVING)
    x, n = np.array([1.0, 5.0, 100.0, 2.0]), np.array([0, 10, 20, 30], np.int32)
    got = sound(source.batch("f", 4), source).run("batch_f", x, n)
    np.testing.assert_array_equal(got[0], [1.0, 1.25, 1.5625, 2.0])
    np.testing.assert_array_equal(got[1], [0, 12, 26, 30])
    # n alone does not decide how long the loop runs
    got = sound(source.batch("f", 4, in_axes=[None, 0]), source).run("batch_f", 5.0, n)
    np.testing.assert_array_equal(got[0], [1.25] * 4)
    np.testing.assert_array_equal(got[1], n + 2)
    tangents = source.batch("f", 4).jvp("batch_f").run("jvp_batch_f", x, n, np.ones(4))[-1]
    np.testing.assert_array_equal(tangents, [1.0, 0.25, 1 / 64, 1.0])


@pytest.mark.usefixtures("plain")
def test_what_the_batch_does_not_reach_is_computed_once() -> None:
    body = f"""%b = stablehlo.sine %a : {V}
        %d = stablehlo.multiply %c, %b : {V}"""
    text = function(f"%x: {V}, %y: {V}", V, loop([("%a", "%x", V), ("%c", "%y", V)], body, "%b, %d"), "%r#2")
    m = gradir.load(text).batch("f", 5, in_axes=[None, 0])
    assert loops(m, "f.batch5") == [["i32", "3xf64", "5x3xf64"]]


# -- against JAX -------------------------------------------------------------------------------------------------------


def test_programs_from_jax() -> None:
    """What `scan` and `fori_loop` make: an RNN with stacked outputs, and a loop in a loop. Both compute in f64."""

    def f(w: jax.Array, xs: jax.Array, h: jax.Array) -> jax.Array:
        def step(h: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
            h = jnp.tanh(w @ h + x)
            return h, jnp.sum(h * x)

        def power(i: int, a: jax.Array) -> jax.Array:
            return jax.lax.fori_loop(0, 2, lambda j, b: jnp.sin(b @ w) * (i + j), a)

        h, ys = jax.lax.scan(step, h, xs, reverse=True)
        return jnp.sum(jax.lax.fori_loop(1, 4, power, h)) + jnp.prod(ys)

    with jax.enable_x64(True):
        rng = np.random.default_rng(0)
        arguments = [jnp.asarray(rng.normal(size=s)) for s in ((3, 3), (4, 3), (3,))]
        m = gradir.load(jax.jit(f).lower(*arguments)).grad("main", (0, 1, 2))
        got = m.run("grad_main", *arguments)
        expected = jax.grad(f, (0, 1, 2))(*arguments)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)  # the same sums in another order


def test_three_times() -> None:
    """f(x) = sin(sin(sin(x))) by a loop, against JAX's third derivative."""
    text = function(f"%x: {F}", F, loop([("%a", "%x", F)], f"%b = stablehlo.sine %a : {F}", "%b"), "%r#1")
    m = gradir.load(text).grad("f").grad("grad_f").grad("grad_grad_f")
    with jax.enable_x64(True):
        third = jax.grad(jax.grad(jax.grad(lambda x: jnp.sin(jnp.sin(jnp.sin(x))))))
        expected = third(0.7)
    np.testing.assert_allclose(m.run("grad_grad_grad_f", 0.7), expected, rtol=1e-12)
    mixed = gradir.load(text).jvp("f").grad("f", name="g").hessian("g", name="h")
    np.testing.assert_allclose(mixed.run("h", 0.7), expected, rtol=1e-12)
