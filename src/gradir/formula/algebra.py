"""Operations on formulas that keep them short: sums and products are collected, signs and shapes put in their place.

For reading, not for computing: the identities are those of real numbers, and hold wherever both sides are defined.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np

from gradir.formula.tree import Node, dtype_kind, make, number, numeric, size

__all__ = [
    "COMPARISONS", "add", "broadcast", "compare", "concat", "elementwise", "expand", "index", "matmul", "mul", "power",
    "reduction", "squeeze", "transpose", "unary", "where",
]  # fmt: skip

# -- Shapes ----------------------------------------------------------------------------------------------------------


def broadcast(x: Node, shape: Sequence[int]) -> Node:
    """`x` spread to a shape by NumPy's rules; where only ones are added in front, that and no more."""
    shape = tuple(shape)
    if x.op == "broadcast":
        x = x.args[0]
    if x.shape == shape:
        return x
    added = len(shape) - x.rank
    if x.op not in ("number", "broadcast") and shape == (1,) * added + x.shape:
        return expand(x, tuple(range(added)))
    return make("broadcast", (x,), shape, x.dtype)


def expand(x: Node, axes: Sequence[int]) -> Node:
    """`x` with new axes of length one, which stand at `axes` in the result."""
    if not axes:
        return x
    if set(x.shape) == {1}:  # one element: in front is as good as anywhere
        axes = range(len(axes))
    axes = tuple(axes)
    if x.op == "squeeze" and x.data == axes:
        return x.args[0]
    if x.op in ("add", "mul") and any(_squeezed(a, axes) for a in x.args):
        parts = [expand(a, axes) if a.rank == x.rank else a for a in x.args]
        if all(a.rank in (0, x.rank) for a in x.args):
            return add(*parts) if x.op == "add" else mul(*parts)
    sizes = iter(x.shape)
    shape = tuple(1 if d in axes else next(sizes) for d in range(x.rank + len(axes)))
    if x.op == "number" or (x.op == "broadcast" and not x.args[0].shape):
        return broadcast(x, shape)
    return make("expand", (x,), shape, x.dtype, axes)


def _squeezed(x: Node, axes: tuple[int, ...]) -> bool:
    """Whether axes were taken away, perhaps with a number in front."""
    _, rest = split(x)
    return rest is not None and rest.op == "squeeze" and rest.data == axes


def squeeze(x: Node, axes: Sequence[int]) -> Node:
    """`x` without these axes, which have the length one."""
    axes = tuple(axes)
    shape = tuple(n for d, n in enumerate(x.shape) if d not in axes)
    if not axes:
        return x
    if x.op == "expand" and set(axes) <= set(x.data):
        rest = [d for d in x.data if d not in axes]
        return expand(x.args[0], tuple(d - sum(a < d for a in axes) for d in rest))
    if x.op == "broadcast":
        inner = x.args[0]
        gone = tuple(a - (x.rank - inner.rank) for a in axes)
        return broadcast(squeeze(inner, [a for a in gone if a >= 0]), shape)
    if x.op in ("add", "mul", "power"):
        build: dict[str, Callable[..., Node]] = {"add": add, "mul": mul, "power": power}
        if all(a.rank in (0, x.rank) for a in x.args):
            return build[x.op](*(squeeze(a, axes) if a.shape else a for a in x.args))
    if x.op == "index":
        places = [d for d, part in enumerate(x.data) if not isinstance(part, int)]
        cuts = list(x.data)
        for axis in axes:
            cuts[places[axis]] = cuts[places[axis]][0]
        return index(x.args[0], cuts)
    return make("squeeze", (x,), shape, x.dtype, axes)


def index(x: Node, parts: Sequence[int | tuple[int, int, int]]) -> Node:
    """The elements of `x` at a place, or from start to stop by step, in each axis."""
    whole = all(p == (0, n, 1) for p, n in zip(parts, x.shape, strict=True))
    shape = [len(range(*p)) for p in parts if not isinstance(p, int)]
    if whole:
        return x
    if x.op == "broadcast" and x.args[0].shape == ():
        return broadcast(x.args[0], shape)
    if x.op == "concat" and (found := _of_pieces(x, parts)) is not None:
        return found
    return make("index", (x,), shape, x.dtype, tuple(parts))


def _of_pieces(x: Node, parts: Sequence[int | tuple[int, int, int]]) -> Node | None:
    """The elements of what is put together, from the pieces that have them."""
    axis: int = x.data
    cut = parts[axis]
    if not isinstance(cut, int) and cut[2] != 1:
        return None
    start, stop = (cut, cut + 1) if isinstance(cut, int) else cut[:2]
    found, before = [], 0
    for piece in x.args:
        low, high = max(start - before, 0), min(stop - before, piece.shape[axis])
        if low < high:
            inner: int | tuple[int, int, int] = low if isinstance(cut, int) else (low, high, 1)
            found.append(index(piece, [*parts[:axis], inner, *parts[axis + 1 :]]))
        before += piece.shape[axis]
    return concat(found, axis - sum(isinstance(p, int) for p in parts[:axis]))


def concat(pieces: Sequence[Node], axis: int) -> Node:
    """Arrays one after the other; what is put together in them is put together here."""
    flat = [q for p in pieces for q in (p.args if p.op == "concat" and p.data == axis else (p,))]
    if len(flat) == 1:
        return flat[0]
    shape = list(flat[0].shape)
    shape[axis] = sum(p.shape[axis] for p in flat)
    return make("concat", flat, shape, flat[0].dtype, axis)


def transpose(x: Node, order: Sequence[int]) -> Node:
    order = tuple(order)
    if order == tuple(range(x.rank)):
        return x
    if x.op == "transpose":
        inner = x.data
        return transpose(x.args[0], [inner[d] for d in order])
    shape = [x.shape[d] for d in order]
    if x.op == "broadcast" and x.args[0].shape == ():
        return broadcast(x.args[0], shape)
    if x.op == "expand" and x.args[0].rank == 1 and x.rank == 2:
        return broadcast(x.args[0], shape) if shape[0] == 1 else expand(x.args[0], (1,))
    if x.op == "matmul" and x.rank == 2 and all(a.rank == 2 for a in x.args):
        a, b = x.args
        if {a.op, b.op} & {"transpose"}:
            return matmul(transpose(b, (1, 0)), transpose(a, (1, 0)))
    if x.op == "mul" and (coefficient := numeric(x.args[0])) is not None:
        return mul(number(coefficient, x.dtype), transpose(mul(*x.args[1:]), order))
    return make("transpose", (x,), shape, x.dtype, order)


def elementwise(op: Callable[..., Node], *args: Node) -> Node:
    """Apply `op` to operands as small as they may be: what is spread is spread afterwards, if still needed."""
    wanted = np.broadcast_shapes(*(a.shape for a in args))
    bare = [_bare(a) for a in args]
    shaped = [a for a in bare if a.shape]
    alike = {(a.op, a.data, a.rank) for a in shaped}
    if len(shaped) > 1 and shaped[0].op == "expand" and len(alike) == 1:
        made = expand(elementwise(op, *(a.args[0] if a.shape else a for a in bare)), shaped[0].data)
    else:
        made = op(*bare)
    return broadcast(made, wanted) if made.shape != wanted else made


def _bare(x: Node) -> Node:
    """`x` without what NumPy's broadcasting does by itself."""
    while x.op == "broadcast" or (x.op == "expand" and x.data == tuple(range(len(x.data)))):
        x = x.args[0]
    return x


def _shape(*args: Node) -> tuple[int, ...]:
    return tuple(np.broadcast_shapes(*(a.shape for a in args)))


# -- Sums ------------------------------------------------------------------------------------------------------------


def add(*args: Node) -> Node:
    return elementwise(_add, *args)


def _add(*args: Node) -> Node:
    dtype = args[0].dtype
    constant, terms = Fraction(0), dict[Node, Fraction]()
    for arg in args:
        for term in terms_of(arg):
            coefficient, rest = split(term)
            if rest is None:
                constant += coefficient
            else:
                terms[rest] = terms.get(rest, Fraction(0)) + coefficient
    terms = {rest: c for rest, c in terms.items() if c}
    plain = _sum(terms, constant, dtype)
    for rewrite in (_expanded, _factored):
        other = rewrite(terms, constant, dtype)
        if other is not None and other.size < plain.size:
            plain = other
    return plain


def _sum(terms: dict[Node, Fraction], constant: Fraction, dtype: str) -> Node:
    """The sum of multiples of terms and a number."""
    for rewrite in (_softplus, _logsumexp, _one_choice):
        if (other := rewrite(terms)) is not None:
            return add(*(scaled(rest, c) for rest, c in other.items()), number(constant, dtype))
    if len(terms) > 1 and not constant and len({abs(c) for c in terms.values()}) == 1:
        common = abs(next(iter(terms.values())))
        if common != 1 and dtype_kind(dtype) == "float":
            return scaled(_sum({t: c / common for t, c in terms.items()}, constant, dtype), common)
    parts = sorted((scaled(rest, c) for rest, c in terms.items()), key=_place_in_sum)
    if constant or not parts:
        parts.append(number(constant, dtype))
    if len(parts) == 1:
        return parts[0]
    positive = next((i for i, p in enumerate(parts) if split(p)[0] > 0), 0)  # a - b, not -b + a
    parts.insert(0, parts.pop(positive))
    return make("add", parts, _shape(*parts), dtype)


def split(term: Node) -> tuple[Fraction, Node | None]:
    """A term as a number times the rest."""
    if (value := numeric(term)) is not None:
        return value, None
    if term.op == "mul" and (value := numeric(term.args[0])) is not None:
        rest = term.args[1:]
        return value, rest[0] if len(rest) == 1 else make("mul", rest, _shape(*rest), term.dtype)
    if term.op == "expand":
        value, inner = split(term.args[0])
        if value != 1 and inner is not None:
            return value, expand(inner, term.data)
    return Fraction(1), term


def terms_of(node: Node) -> list[Node]:
    """The terms of a sum; of a sum with new axes, its terms with them."""
    if node.op == "add":
        return list(node.args)
    if node.op == "expand" and node.args[0].op == "add":
        return [_expanded_alone(t, node) for t in node.args[0].args]
    return [node]


def _expanded_alone(part: Node, whole: Node) -> Node:
    """A part of what `whole` gives new axes to, with them."""
    axes: tuple[int, ...] = whole.data
    added = whole.args[0].rank - part.rank
    return expand(broadcast(part, (1,) * added + part.shape), axes) if part.shape else part


def scaled(rest: Node, coefficient: Fraction) -> Node:
    return rest if coefficient == 1 else mul(number(coefficient, rest.dtype), rest)


def _place_in_sum(term: Node) -> tuple[int, int, str]:
    """Matrix products, then powers of variables from high to low, then functions."""
    _, rest = split(term)
    assert rest is not None
    parts = _factors_of(rest)
    if any(f.op in ("matmul", "einsum") for f in parts):
        return 0, rest.size, rest.label
    degrees = [d for f in parts if (d := _degree(f)) is not None]
    if len(degrees) == len(parts):  # x^2, then x * y, then x
        return 1, -100 * sum(degrees) - max(degrees), rest.label
    return 2 + any(f.op == "array" for f in parts), 0, rest.label


def _degree(factor: Node) -> int | None:
    if factor.op == "variable":
        return 1
    if factor.op == "index" and factor.args[0].op == "variable":  # a coefficient
        return 0
    if factor.op == "power" and factor.args[0].op == "variable" and (e := numeric(factor.args[1])) is not None:
        return int(e)
    return None


def _expanded(terms: dict[Node, Fraction], constant: Fraction, dtype: str) -> Node | None:
    """With products of sums multiplied out: `1 - t + (1 - t) * t` is `1 - t^2`."""
    products = [t for t in terms if any(f.op == "add" and len(f.args) < 4 for f in _factors_of(t))]
    if not products or len(products) > 4:
        return None
    rest, total = dict(terms), constant
    for product in products:
        coefficient = rest.pop(product)
        sums = [f for f in _factors_of(product) if f.op == "add" and len(f.args) < 4]
        others = [f for f in _factors_of(product) if f is not sums[0]]
        for term in sums[0].args:
            c, factor = split(mul(*others, term))
            if factor is None:
                total += coefficient * c
            else:
                rest[factor] = rest.get(factor, Fraction(0)) + coefficient * c
    return _sum({t: c for t, c in rest.items() if c}, total, dtype)


def _factors_of(node: Node) -> tuple[Node, ...]:
    return node.args if node.op == "mul" else (node,)


def _factored(terms: dict[Node, Fraction], constant: Fraction, dtype: str) -> Node | None:
    """With a factor of several terms put in front, unless it is but a variable: `x^2 + x` stays as it is."""
    each = {t: dict(factors(t)) for t in terms}
    for base in dict.fromkeys(b for f in each.values() for b in f):
        group = [t for t in terms if base in each[t] and each[t][base].denominator == 1]
        if base.op == "variable" and not (len(group) == len(terms) and len({each[t][base] for t in group}) == 1):
            continue  # unless all have it below the line
        if base.op == "variable" and each[group[0]][base] > 0:
            continue
        if len(group) > 1:
            common = _common([each[t] for t in group])
            rest = [
                mul(number(terms[t], dtype), *_powers({b: e - common.get(b, 0) for b, e in each[t].items()}, dtype))
                for t in group
            ]
            made = mul(*_powers(common, dtype), add(*rest))
            others = [scaled(t, c) for t, c in terms.items() if t not in group]
            return add(made, *others, number(constant, dtype))
    return None


def _common(products: Sequence[dict[Node, Fraction]]) -> dict[Node, Fraction]:
    """What products have in common, above or below the line."""
    made = {}
    for base in products[0]:
        exponents = [p.get(base, Fraction(0)) for p in products]
        if all(e > 0 for e in exponents) or all(e < 0 for e in exponents):
            made[base] = min(exponents, key=abs)
    return made


def _powers(powers: dict[Node, Fraction], dtype: str) -> list[Node]:
    return [power(base, number(e, dtype)) for base, e in powers.items()]


def _softplus(terms: dict[Node, Fraction]) -> dict[Node, Fraction] | None:
    """`max(x, 0) + log1p(exp(-abs(x)))` is `softplus(x)`."""
    for term, c in terms.items():
        if term.op != "log1p" or term.args[0].op != "exp":
            continue
        coefficient, inner = split(term.args[0].args[0])
        if coefficient != -1 or inner is None or inner.op != "abs":
            continue
        for x in (inner.args[0], scaled(inner.args[0], Fraction(-1))):
            larger = make("maximum", (x, number(0, x.dtype)), x.shape, x.dtype)
            if terms.get(larger) == c:
                rest = {t: d for t, d in terms.items() if t not in (term, larger)}
                return _with(rest, unary("softplus", x), c)
    return None


def _logsumexp(terms: dict[Node, Fraction]) -> dict[Node, Fraction] | None:
    """`m + log(sum(exp(x - m)))` is `logsumexp(x)`."""
    for term, c in terms.items():
        if term.op == "logsumexp" and term.args[0].op == "add":
            x, axes = term.args[0], term.data
            steady = [t for t in x.args if _is_steady(t, axes, x.rank)]
            if steady and len(steady) < len(x.args):
                rest = add(*(t for t in x.args if t not in steady))
                if rest.shape != x.shape:
                    continue
                made = {t: d for t, d in terms.items() if t is not term}
                for t in steady:
                    d, outer = split(_without(t, axes, x.rank))
                    if outer is None:
                        return None
                    made = _with(made, outer, d * c)
                return _with(made, make("logsumexp", (rest,), term.shape, term.dtype, axes), c)
    return None


def _one_choice(terms: dict[Node, Fraction]) -> dict[Node, Fraction] | None:
    """`where(c, x, 0) + where(c, 0, y)` is `where(c, x, y)`."""
    choices = [t for t in terms if t.op == "where"]
    for u in choices:
        for v in choices:
            if u is not v and u.args[0] is v.args[0] and numeric(u.args[2]) == 0 and numeric(v.args[1]) == 0:
                rest = {t: c for t, c in terms.items() if t not in (u, v)}
                joined = where(u.args[0], scaled(u.args[1], terms[u]), scaled(v.args[2], terms[v]))
                if joined.shape == _shape(u, v):
                    c, inner = split(joined)
                    return _with(rest, inner, c) if inner is not None else None
    return None


def _with(terms: dict[Node, Fraction], term: Node, coefficient: Fraction) -> dict[Node, Fraction]:
    made = {**terms, term: terms.get(term, Fraction(0)) + coefficient}
    return {t: c for t, c in made.items() if c}


def _is_steady(term: Node, axes: Sequence[int], rank: int) -> bool:
    """Whether a term is the same along axes of what it is broadcast to."""
    return all(d < 0 or term.shape[d] == 1 for d in (a - (rank - term.rank) for a in axes))


def _without(term: Node, axes: Sequence[int], rank: int) -> Node:
    """A term that is steady along axes, without them."""
    return squeeze(term, [d for a in axes if (d := a - (rank - term.rank)) >= 0])


# -- Products --------------------------------------------------------------------------------------------------------


def mul(*args: Node) -> Node:
    return elementwise(_mul, *args)


def factors(node: Node) -> list[tuple[Node, Fraction]]:
    """A product as powers of its factors, numbers among them."""
    if node.op == "mul":
        return [part for a in node.args for part in factors(a)]
    if node.op == "expand" and node.args[0].op in ("mul", "power"):
        return [(_expanded_alone(base, node), e) for base, e in factors(node.args[0])]
    if node.op == "power" and (exponent := numeric(node.args[1])) is not None:
        return [(node.args[0], exponent)]
    return [(node, Fraction(1))]


def _mul(*args: Node) -> Node:
    dtype = args[0].dtype
    coefficient, powers = Fraction(1), dict[Node, Fraction]()
    for base, exponent in (part for arg in args for part in factors(arg)):
        if (value := numeric(base)) is not None and exponent == 1:
            coefficient *= value
        else:
            powers[base] = powers.get(base, Fraction(0)) + exponent
    if not coefficient:
        return number(0, dtype)
    for rewrite in (_softmax, _logistic, _masked, _squares, _joined_powers):
        if (others := rewrite(powers)) is not None:
            return mul(number(coefficient, dtype), *others)
    parts = sorted((p for b, e in powers.items() if e for p in [power(b, number(e, dtype))]), key=_place_in_product)
    if any(p.op in ("number", "mul") for p in parts):  # a power of a number, or of a product
        return mul(number(coefficient, dtype), *parts)
    if not parts:
        return number(coefficient, dtype)
    if coefficient == -1 and len(parts) == 1 and len(terms_of(parts[0])) > 1:
        return add(*(mul(number(-1, dtype), t) for t in terms_of(parts[0])))
    if len(parts) > 1:
        coefficient, parts = _turned(coefficient, parts)
    if coefficient != 1:
        parts.insert(0, number(coefficient, dtype))
    made = parts[0] if len(parts) == 1 else make("mul", parts, _shape(*parts), dtype)
    other = _distributed(parts)
    return other if other is not None and other.size < made.size else made


def _distributed(parts: Sequence[Node]) -> Node | None:
    """A monomial times a sum of monomials, multiplied out: `r^-2 * (r - r^3)` is `1 / r - r`."""
    sums = [p for p in parts if p.op == "add"]
    others = [p for p in parts if p.op != "add"]
    if len(sums) != 1 or not all(_is_monomial(p) for p in (*others, *sums[0].args)):
        return None
    bases = {b for p in others for b, _ in factors(p) if b.op == "variable"}
    if not bases & {b for term in sums[0].args for b, _ in factors(term)}:
        return None  # nothing to put together
    return add(*(mul(*others, term) for term in sums[0].args))


def _place_in_product(factor: Node) -> tuple[int, str]:
    """Variables, then sums of them, then functions, then sums of functions."""
    base = factor.args[0] if factor.op == "power" and factor.args[1].op == "number" else factor
    if base.op in ("variable", "index"):
        return 0, base.label
    if base.op == "power" and base.args[0].op == "variable":
        return 1, factor.label
    if base.op == "add":
        return 1 if all(_is_monomial(t) for t in base.args) else 3, factor.label
    return 2, factor.label


def _is_monomial(term: Node) -> bool:
    _, rest = split(term)
    return rest is None or all(_degree(f) is not None for f in _factors_of(rest))


def _turned(coefficient: Fraction, parts: list[Node]) -> tuple[Fraction, list[Node]]:
    """A product's sign, taken into a difference: `(m - x) * y`, not `-(x - m) * y`."""
    if coefficient < 0:
        for i, part in enumerate(parts):
            if part.op == "add" and len(part.args) == 2 and split(part.args[1])[0] < 0:
                turned = mul(number(-1, part.dtype), part)
                return -coefficient, [*parts[:i], turned, *parts[i + 1 :]]
    return coefficient, parts


def _softmax(powers: dict[Node, Fraction]) -> list[Node] | None:
    """`exp(x) / sum(exp(x))` is `softmax(x)`, and what is the same along the axes of the sum drops out."""
    for exponential, e in powers.items():
        if exponential.op != "exp" or e < 1:
            continue
        for total, f in powers.items():
            spread = total.args[0] if total.op == "expand" else total
            if f > -1 or spread.op != "sum" or spread.args[0] is not exponential:
                continue
            axes: tuple[int, ...] = spread.data
            if len(axes) != 1 or not _fits(total, spread, axes, exponential.rank):
                continue
            rest = {**powers, exponential: e - 1, total: f + 1}
            x = exponential.args[0]
            moving = [t for t in x.args if not _is_steady(t, axes, x.rank)] if x.op == "add" else [x]
            x = broadcast(add(*moving), x.shape)
            made = make("softmax", (x,), x.shape, x.dtype, axes)
            return [made, *_powers(rest, x.dtype)]
    return None


def _fits(total: Node, spread: Node, axes: tuple[int, ...], rank: int) -> bool:
    """Whether a sum along axes stands where its terms are broadcast against it along the same axes."""
    if total is spread:
        return spread.rank == 0 or axes == (0,)
    return total.data == axes and total.rank == rank


def _logistic(powers: dict[Node, Fraction]) -> list[Node] | None:
    """`exp(-x) * sigmoid(x)` is `sigmoid(-x)`."""
    for sigmoid, e in powers.items():
        if sigmoid.op == "sigmoid" and e >= 1:
            turned = mul(number(-1, sigmoid.dtype), sigmoid.args[0])
            exponential = make("exp", (turned,), turned.shape, turned.dtype)
            if powers.get(exponential, 0) >= 1:
                rest = {**powers, sigmoid: e - 1, exponential: powers[exponential] - 1}
                return [unary("sigmoid", turned), *_powers(rest, sigmoid.dtype)]
    return None


def _masked(powers: dict[Node, Fraction]) -> list[Node] | None:
    """`x * where(c, 1, 0)` is `where(c, x, 0)`."""
    for mask, e in powers.items():
        if mask.op == "where" and e == 1 and len(powers) > 1 and any(numeric(a) == 0 for a in mask.args[1:]):
            condition, x, y = mask.args
            rest = mul(*_powers({b: f for b, f in powers.items() if b is not mask}, mask.dtype))
            return [where(condition, mul(x, rest), mul(y, rest))]
    return None


def _squares(powers: dict[Node, Fraction]) -> list[Node] | None:
    """`(1 - t) * (1 + t)` is `1 - t^2`."""
    sums = [b for b, e in powers.items() if b.op == "add" and len(b.args) == 2 and e == 1]
    for i, u in enumerate(sums):
        for v in sums[i + 1 :]:
            total = add(u, v)
            if (twice := numeric(total)) is not None and twice:
                half = number(twice / 2, u.dtype)
                rest = add(u, mul(number(-1, u.dtype), half))
                others = {b: e for b, e in powers.items() if b not in (u, v)}
                return [add(mul(half, half), mul(number(-1, u.dtype), rest, rest)), *_powers(others, u.dtype)]
    return None


def _joined_powers(powers: dict[Node, Fraction]) -> list[Node] | None:
    """`x^(y - 1) * x` is `x^y`."""
    for whole, e in powers.items():
        if whole.op == "power" and e == 1 and powers.get(whole.args[0]):
            base, exponent = whole.args
            joined = power(base, add(exponent, number(powers[base], base.dtype)))
            return [joined, *_powers({b: f for b, f in powers.items() if b not in (whole, base)}, base.dtype)]
    return None


def power(base: Node, exponent: Node) -> Node:
    return elementwise(_power, base, exponent)


def _power(base: Node, exponent: Node) -> Node:
    e, b = numeric(exponent), numeric(base)
    if e == 1:
        return base
    if e == 0:
        return number(1, base.dtype)
    if e == Fraction(1, 2):
        return unary("sqrt", base)
    if e is not None:
        if b is not None and e.denominator == 1 and (b or e > 0) and abs(e) < 64:
            return number(b**e.numerator, base.dtype)
        if e.denominator == 1 and e < 0 and (x := _exp_plus_one(base)) is not None:  # 1 / (exp(-x) + 1)
            return power(unary("sigmoid", mul(number(-1, x.dtype), x)), number(-e, x.dtype))
        if base.op == "sqrt" and e == 2:
            return base.args[0]
        if base.op == "abs" and e.denominator == 1 and e % 2 == 0:
            return power(base.args[0], exponent)
        if base.op == "exp" and base.shape == () and e.denominator == 1 and abs(e) != 1:
            whole = unary("exp", mul(number(abs(e), base.dtype), base.args[0]))
            return whole if e > 0 else power(whole, number(-1, base.dtype))
        if base.op == "power" and (inner := numeric(base.args[1])) is not None and e.denominator == 1:
            return power(base.args[0], number(inner * e, base.dtype))
        if base.op == "mul" and e.denominator == 1:
            return mul(*(power(a, exponent) for a in base.args))
    return make("power", (base, exponent), _shape(base, exponent), base.dtype)


def _exp_plus_one(node: Node) -> Node | None:
    """The `x` of `exp(x) + 1`."""
    is_one_more = node.op == "add" and len(node.args) == 2 and numeric(node.args[1]) == 1
    return node.args[0].args[0] if is_one_more and node.args[0].op == "exp" else None


# -- Functions -------------------------------------------------------------------------------------------------------

POSITIVE = {"exp", "sigmoid", "softmax", "sqrt", "abs", "norm", "cosh"}


def is_positive(x: Node) -> bool:
    """Whether a value is never negative, by what makes it."""
    if x.op in ("sum", "expand", "mul", "add"):
        return all(is_positive(a) for a in x.args)
    if x.op == "power":
        e = numeric(x.args[1])
        return is_positive(x.args[0]) or (e is not None and e.denominator == 1 and e % 2 == 0)
    return x.op in POSITIVE or (x.op == "number" and x.data >= 0)


OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def unary(name: str, x: Node) -> Node:
    """A function of each element."""
    return elementwise(lambda y: _unary(name, y), x)


def _unary(name: str, x: Node) -> Node:
    if name == "abs" and is_positive(x):
        return x
    value = numeric(x)
    if value == 0 and name in ("sin", "tanh", "sqrt", "log1p", "expm1", "sinh", "tan"):
        return x
    if value == 0 and name in ("exp", "cos", "cosh"):
        return number(1, x.dtype)
    if name == "exp" and x.op == "add":
        for part in x.args:
            c, inner = split(part)
            if c == -1 and inner is not None and inner.op == "softplus" and add(x, inner) is inner.args[0]:
                return unary("sigmoid", inner.args[0])  # exp(x - softplus(x))
    if name == "log" and x.op == "where" and _zero_of(x.args[0]) is x.args[2]:
        return unary("log", x.args[2])  # log(where(x == 0, 1, x))
    if name == "not" and x.op in OPPOSITE:
        return compare(OPPOSITE[x.op], *x.args)
    if name == "log" and x.op == "sum" and x.args[0].op == "exp":
        made = make("logsumexp", x.args[0].args, x.shape, x.dtype, x.data)
        return _sum({made: Fraction(1)}, Fraction(0), x.dtype)
    if name == "sqrt" and x.op == "sum" and x.shape == ():
        squared = x.args[0]
        if squared.op == "power" and numeric(squared.args[1]) == 2 and squared.rank == 1:
            return make("norm", squared.args[:1], (), x.dtype)
    return make(name, (x,), x.shape, x.dtype)


COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def compare(direction: str, x: Node, y: Node) -> Node:
    """`==`, `<` and so on. Numbers are taken to be finite: formulas say nothing of infinities and NaN."""

    def test(x: Node, y: Node) -> Node:
        if (a := numeric(x)) is not None and (b := numeric(y)) is not None:
            return number(int(COMPARISONS[direction](a, b)), "i1")
        infinite = [v for v in (x, y) if v.op == "number" and not isinstance(v.data, Fraction)]
        if x is y or infinite:
            if x is y:
                return number(int(direction in ("==", "<=", ">=")), "i1")
            if direction in ("==", "!="):
                return number(int(direction == "!="), "i1")
        if is_positive(x) and numeric(y) == 0 and direction in (">=", "<"):
            return number(int(direction == ">="), "i1")
        if numeric(y) == 0 and x.op == "add" and len(x.args) == 2 and split(x.args[1])[0] == -1:
            return compare(direction, x.args[0], mul(number(-1, x.dtype), x.args[1]))
        highest = y.args[0] if y.op == "expand" else y
        if direction == ">=" and highest.op == "max" and highest.args[0] is x:
            return make("==", (x, y), _shape(x, y), "i1")
        return make(direction, (x, y), _shape(x, y), "i1")

    return elementwise(test, x, y)


def where(condition: Node, x: Node, y: Node) -> Node:
    def choose(condition: Node, x: Node, y: Node) -> Node:
        known = numeric(condition)
        if known is not None or x is y:
            return x if x is y or known else y
        if condition.op == "isfinite" and condition.args[0] is x and x.op == "max" and numeric(y) == 0:
            return x  # what keeps a logsumexp from inf - inf
        if numeric(x) == 0 and (zero := _zero_of(condition)) is not None:
            reached = mul(*(_otherwise(condition, part) for part in (y.args if y.op == "mul" else (y,))))
            if (zero, Fraction(1)) in factors(reached):
                return reached  # where(u == 0, 0, u * f)
        if x.op == y.op == "where" and x.args[0] is y.args[0] and x.args[1] is y.args[1]:
            return where(x.args[0], x.args[1], where(condition, x.args[2], y.args[2]))
        scale = _scale(x, y)
        if scale != 1:
            by = number(1 / scale, x.dtype)
            return mul(number(scale, x.dtype), where(condition, mul(by, x), mul(by, y)))
        return make("where", (condition, x, y), _shape(condition, x, y), x.dtype)

    return elementwise(choose, condition, x, y)


def _zero_of(condition: Node) -> Node | None:
    """The `x` of `x == 0`, or of that and something else."""
    if condition.op == "and":
        return _zero_of(condition.args[0])
    return condition.args[0] if condition.op == "==" and numeric(condition.args[1]) == 0 else None


def _otherwise(condition: Node, factor: Node) -> Node:
    """A factor where a condition does not hold: of a power, whose base is kept from the pole, `where(c, 1, u) ** e`."""
    if factor.op == "power" and factor.args[0].op == "where" and factor.args[0].args[0] is condition:
        return power(factor.args[0].args[2], factor.args[1])
    return factor


def _scale(x: Node, y: Node) -> Fraction:
    """The number that two branches are multiples of, if it is worth a place in front of them."""
    if dtype_kind(x.dtype) != "float":
        return Fraction(1)
    scales = {abs(split(v)[0]) for v in (x, y)} - {0}
    return scales.pop() if len(scales) == 1 else Fraction(1)


# -- Reductions and products of matrices -----------------------------------------------------------------------------


def reduction(op: str, x: Node, axes: Sequence[int]) -> Node:
    """`sum`, `max` and their kin along axes."""
    axes = tuple(sorted(axes))
    shape = [n for d, n in enumerate(x.shape) if d not in axes]
    if not axes:
        return x
    if op == "sum" and (other := _shorter_sum(x, axes, shape)) is not None:
        return other
    if op in ("max", "min") and x.op == "broadcast" and x.args[0].shape == ():
        return broadcast(x.args[0], shape)
    return make(op, (x,), shape, x.dtype, axes)


def _shorter_sum(x: Node, axes: tuple[int, ...], shape: Sequence[int]) -> Node | None:
    if all(x.shape[a] == 1 for a in axes):
        return squeeze(x, axes)
    if x.op == "broadcast":
        inner = x.args[0]
        lead = x.rank - inner.rank
        spread = [a for a in axes if a < lead or inner.shape[a - lead] != x.shape[a]]
        if spread:
            times = number(size([x.shape[a] for a in spread]), x.dtype)
            ones = [a - lead for a in spread if a >= lead]
            rest = squeeze(inner, ones)
            left = [n for d, n in enumerate(x.shape) if d not in spread]
            kept = [a - sum(s < a for s in spread) for a in axes if a not in spread]
            return broadcast(mul(times, reduction("sum", broadcast(rest, left), kept)), shape)
    if x.op == "number":
        return x
    if x.op == "mul":
        steady = [f for f in x.args if _is_steady(f, axes, x.rank)]
        if steady:
            rest = mul(*(f for f in x.args if f not in steady))
            total = reduction("sum", broadcast(rest, x.shape), axes)
            return broadcast(mul(*(_without(f, axes, x.rank) for f in steady), total), shape)
    if x.op == "add":
        each = add(*(reduction("sum", broadcast(t, x.shape), axes) for t in x.args))
        if each.size <= x.size:
            return each
    if x.op == "sum":
        inner_axes: tuple[int, ...] = x.data
        kept_axes = [d for d in range(x.args[0].rank) if d not in inner_axes]
        return reduction("sum", x.args[0], (*inner_axes, *(kept_axes[a] for a in axes)))
    return None


def matmul(a: Node, b: Node) -> Node:
    """`a @ b`, with numbers in front."""
    scalars, a, b = [*_scalars(a), *_scalars(b)], _unscaled(a), _unscaled(b)
    if a.rank == 1 and b.rank == 2:  # as people write it: W.T @ x
        a, b = transpose(b, (1, 0)), a
    shape = a.shape[:-1] if b.rank == 1 else (*_shape_of_batch(a, b), a.shape[-2], b.shape[-1])
    made = make("matmul", (a, b), shape, a.dtype)
    return mul(*scalars, made) if scalars else made


def _shape_of_batch(a: Node, b: Node) -> tuple[int, ...]:
    return tuple(np.broadcast_shapes(a.shape[:-2], b.shape[:-2]))


def _scalars(x: Node) -> list[Node]:
    """The factors of an array that are numbers, if it has its shape without them."""
    return [f for f in x.args if f.shape == ()] if x.op == "mul" else []


def _unscaled(x: Node) -> Node:
    return mul(*(f for f in x.args if f.shape)) if _scalars(x) else x
