"""LAPACK as JAX calls it: custom calls on the CPU, and those of cuSOLVER and hipSOLVER that mean the same on a GPU.

Forward mode is written out (as in JAX, in whose conventions the phases of eigenvectors and singular vectors stand
still); reverse mode is its transpose, except where a shorter way is known. Results that hold what a routine left of
its operands are read only where they are what the routine is for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.computation import count_up
from gradir.tensor.rules.custom_call import CUSTOM_CALLS
from gradir.tensor.rules.interface import Cotangent, Shadow
from gradir.tensor.rules.linalg import (
    Triangle,
    adjoint,
    cholesky_cotangent,
    cholesky_tangent,
    diagonal,
    eye_like,
    hermitian,
    matmul,
    on_diagonal,
    spread_columns,
    spread_rows,
    transpose,
    triangle,
    triangular_rule,
    whole,
)
from gradir.tensor.rules.routines import (
    Library,
    batch_stack,
    letter,
    library,
    options_of,
    overwritten,
    rerun,
    target_of,
)
from gradir.tensor.rules.rule import Rule, Site, transposed

# -- Cholesky factors and triangular systems ---------------------------------------------------------------------------


def _is_lower(site: Site) -> bool:
    options = options_of(site)
    return options["uplo"] == ord("L") if "uplo" in options else bool(options.get("lower", True))


def _jvp_potrf(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """The other triangle is left as it was, so it has the operand's tangent."""
    (da,) = tangents
    assert da is not None
    lower = _is_lower(site)
    dl = cholesky_tangent(site.outs[0], da, lower, library(site).solve)
    out = dl + triangle(da, not lower, strict=True)
    return [whole(site, tangents, da.rank - 2, out), None]


def _vjp_potrf(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    ct = cotangents[0]
    assert ct is not None
    lower = _is_lower(site)
    out = cholesky_cotangent(site.outs[0], ct, lower, library(site).solve)
    return [whole(site, [ct], ct.rank - 2, out + triangle(ct, not lower, strict=True))]


def _read_trsm(site: Site) -> tuple[Triangle, Callable[[Expr, Expr, Triangle], Expr]]:
    options = {name: chr(code) for name, code in options_of(site).items()}
    how = Triangle(options["side"] == "L", options["uplo"] == "L", options["diag"] == "U", options["trans_x"])
    return how, library(site).solve


# -- LU ----------------------------------------------------------------------------------------------------------------


def permutation(pivots: Expr, n: int) -> Expr:
    """The order of n rows after row i has been exchanged with row `pivots[i]` (counted from 1) for each i in turn."""
    i32, stack = ir.IntegerType.get_signless(32), pivots.rank - 1
    shape = [*pivots.shape[:-1], n]

    def exchange(i: Expr, order: Expr) -> list[Expr]:
        place = E.iota(shape, stack, i32)
        mine = place.eq(E.broadcast(i, shape, []))
        start = [*[E.full(i.type, 0)] * stack, i]
        other = E.dynamic_slice(pivots, start, [*pivots.shape[:-1], 1]) - 1
        its = place.eq(E.broadcast(other, shape, range(stack + 1)))

        def at(where: Expr) -> Expr:
            found = E.reduce_sum(E.select(where, order, 0), [stack])
            return E.broadcast(found, shape, range(stack))

        return [E.select(mine, at(its), E.select(its, at(mine), order))]

    return count_up(pivots.shape[-1], exchange, [E.iota(shape, stack, i32)])[0]


def take_rows(x: Expr, order: Expr) -> Expr:
    """The rows of matrices in another order: row i of the result is row `order[i]`."""
    n = x.rank - 2
    stack = list(range(n))
    numbers = hlo.GatherDimensionNumbers.get(
        offset_dims=[n + 1],
        collapsed_slice_dims=[n],
        operand_batching_dims=stack,
        start_indices_batching_dims=stack,
        start_index_map=[n],
        index_vector_dim=n + 1,
    )
    return E.op(
        "stablehlo.gather",
        x,
        order,
        result=x.type,
        dimension_numbers=numbers,
        slice_sizes=E.i64s([*[1] * (n + 1), x.shape[-1]]),
    )


def resize(x: Expr, rows: int, columns: int) -> Expr:
    """Matrices cut, or filled up with zeros, to another shape."""
    m, n = x.shape[-2:]
    stack = x.shape[:-2]
    cut = E.slice_(x, [0] * x.rank, [*stack, min(m, rows), min(n, columns)])
    return E.pad(cut, 0, [0] * x.rank, [*[0] * len(stack), max(0, rows - m), max(0, columns - n)])


def _jvp_getrf(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """`l⁻¹ dl + du u⁻¹ = l⁻¹ p da u⁻¹`, whose parts are in the lower and the upper triangle (De Hoog et al., 2011)."""
    (da,) = tangents
    assert da is not None
    lu, solve = site.outs[0], library(site).solve
    m, n = lu.shape[-2:]
    l = resize(lu, m, m)
    l = triangle(E.select(on_diagonal(l), 1, l), lower=True)
    u = triangle(resize(lu, n, n), lower=False)
    if m < n:  # below the factor's rows, those of the identity
        row = E.iota(u.shape, u.rank - 2, ir.IntegerType.get_signless(32))
        u = E.select(on_diagonal(u) & (row >= m), 1, u)
    inner = solve(l, take_rows(da, permutation(site.outs[1], m)), Triangle(lower=True, unit=True))
    inner = solve(u, inner, Triangle(left=False, lower=False))
    out = matmul(l, triangle(inner, lower=True, strict=True)) + matmul(triangle(inner, lower=False), u)
    return [whole(site, tangents, da.rank - 2, out), None, None]


# -- QR ----------------------------------------------------------------------------------------------------------------


def _reflectors(packed: Expr, taus: Expr) -> Expr:
    """The vectors of Householder reflectors, as columns: below the diagonal as they are packed, on it ones."""
    v = resize(packed, packed.shape[-2], taus.shape[-1])
    return triangle(E.select(on_diagonal(v), 1, v), lower=True)


def _compact(site: Site, packed: Expr, taus: Expr) -> tuple[Expr, Expr]:
    """The product of reflectors `1 - tau v vᴴ` as `1 - v t vᴴ`, where `t⁻¹ = diag(1/tau) + upper(vᴴ v)`.

    It holds for any taus, those that don't make a reflector orthogonal included (Joffrain et al., 2006).
    """
    v = _reflectors(packed, taus)
    k = taus.shape[-1]
    tau = spread_columns(taus, k)
    scaled = tau * triangle(matmul(adjoint(v), v), lower=False, strict=True)
    t = library(site).solve(scaled, E.select(on_diagonal(tau), tau, 0), Triangle(lower=False, unit=True))
    return v, t


def _expand_orgqr(site: Site) -> list[Expr]:
    packed, taus = site.ins
    v, t = _compact(site, packed, taus)
    columns = packed.shape[-1]
    top = adjoint(resize(v, columns, v.shape[-1]))
    return [eye_like(packed) - matmul(v, matmul(t, top))]


def _expand_ormqr(site: Site) -> list[Expr]:
    packed, taus, c = site.ins
    v, t = _compact(site, packed, taus)
    options = options_of(site)
    t = adjoint(t) if options["transpose"] else t
    if options["left"]:
        return [c - matmul(v, matmul(t, matmul(adjoint(v), c)))]
    return [c - matmul(matmul(matmul(c, v), t), adjoint(v))]


def qr_tangent(site: Site, packed: Expr, taus: Expr, da: Expr) -> tuple[Expr, Expr]:
    """The tangents of packed factors and taus.

    From `a = q r` come `dq` and `dr` (Walter and Lehmann, 2018), with r's diagonal real. And `e - q = v u` for the
    first columns `e` of the identity, with v the reflectors' vectors and u upper triangular with diagonal tau: an LU
    factorisation without exchanges, so from dq come dv and dtau.

    A column that is zero below the diagonal before its reflection is not reflected (tau = 0), though its neighbours
    are: there dq jumps, and its tangent is not a number.
    """
    solve, k = library(site).solve, taus.shape[-1]
    m, n = packed.shape[-2:]
    left = resize(packed, m, k)
    r = triangle(resize(packed, k, n), lower=False)
    r1 = resize(r, k, k)
    q = library(site).product(left, taus)
    da1 = resize(da, m, k)
    dx = solve(r1, da1, Triangle(left=False, lower=False))
    inner = matmul(adjoint(q), dx)
    below = triangle(inner, lower=True, strict=True)
    turn = below - adjoint(below)
    if E.is_complex(inner.dtype):
        imaginary = E.complex_(E.zeros_like(E.real(inner)), E.imag(inner))
        turn = turn + E.select(on_diagonal(inner), imaginary, 0)
    dq = dx + matmul(q, turn - inner)
    dr = matmul(inner - turn, r1)
    if n > k:
        rest = _columns(da, k, n) - matmul(dq, _columns(r, k, n))
        dr = E.concatenate([dr, matmul(adjoint(q), rest)], da.rank - 1)

    v = _reflectors(packed, taus)
    v1 = resize(v, k, k)
    unit = Triangle(lower=True, unit=True)
    u = solve(v1, eye_like(v1) - resize(q, k, k), unit)
    pivot = taus
    if m == k:  # the last reflector has no elements but its first: it may be the identity, and tau is no divisor
        last = E.iota(taus.shape, taus.rank - 1, ir.IntegerType.get_signless(32)).eq(k - 1)
        pivot = E.select(last & taus.eq(0), 1, taus)
    u = E.select(on_diagonal(u), spread_rows(pivot, k), u)
    dm = solve(u, -dq, Triangle(left=False, lower=False))
    top = triangle(solve(v1, resize(dm, k, k), unit), lower=False)
    dv = dm - matmul(v, top)
    below = triangle(resize(dv, m, n), lower=True, strict=True)
    return below + resize(triangle(dr, lower=False), m, n), diagonal(top) * pivot


def _columns(x: Expr, start: int, limit: int) -> Expr:
    return E.slice_in_dim(x, start, limit, x.rank - 1)


def _jvp_geqrf(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (da,) = tangents
    assert da is not None
    packed, taus = site.outs
    return [whole(site, tangents, da.rank - 2, d) for d in qr_tangent(site, packed, taus, da)]


def _jvp_geqp3(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """A QR factorisation of the columns in another order."""
    da = tangents[0]
    assert da is not None
    packed, order, taus = site.outs
    moved = transpose(take_rows(transpose(da), order - 1))
    dpacked, dtaus = (whole(site, tangents, da.rank - 2, d) for d in qr_tangent(site, packed, taus, moved))
    return [dpacked, None, dtaus]


# -- eigenvalues -------------------------------------------------------------------------------------------------------


def _differences(w: Expr) -> Expr:
    """`1 / (w[j] - w[i])`, and zero on the diagonal. Equal eigenvalues have infinities here, as they have in JAX."""
    n = w.shape[-1]
    apart = spread_rows(w, n) - spread_columns(w, n)
    same = on_diagonal(apart)
    return E.select(same, 0, 1 / E.select(same, 1, apart))


def _jvp_syevd(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """First-order perturbation: `dw = diag(vᴴ da v)`, `dv = v (f ∘ vᴴ da v)`."""
    (da,) = tangents
    assert da is not None
    v, w = site.outs[0], site.outs[1]
    if options_of(site).get("mode") == ord("N"):
        overwritten(site, 0)
        v, w, _ = rerun(site, [site.out_type(k) for k in range(3)], mode=letter("V"))
    inner = matmul(matmul(adjoint(v), hermitian(da)), v)
    dw = diagonal(E.real(inner) if E.is_complex(inner.dtype) else inner)
    dv = matmul(v, E.convert(_differences(w), v.dtype) * inner)
    return [whole(site, tangents, da.rank - 2, dv), whole(site, tangents, da.rank - 2, dw), None]


def _solve_general(of: Library, a: Expr, b: Expr) -> Expr:
    lu, pivots = of.factor(a)
    moved = take_rows(b, permutation(pivots, a.shape[-1]))
    return of.solve(lu, of.solve(lu, moved, Triangle(lower=True, unit=True)), Triangle(lower=False))


def _eigenvector_tangents(of: Library, w: Expr, v: Expr, da: Expr) -> tuple[Expr, Expr]:
    """The tangents of eigenvalues and eigenvectors, where each vector keeps LAPACK's scale.

    That is: of length 1, with its largest element real. `dv = u + v c` for any diagonal c solves the equation.
    """
    inner = _solve_general(of, v, matmul(da, v))
    u = matmul(v, _differences(w) * inner)
    column = [v.rank - 2]
    size = E.absolute(v)
    largest = E.reduce(size, column, "stablehlo.maximum", 0)
    row = E.iota(v.shape, v.rank - 2, ir.IntegerType.get_signless(32))
    n = v.shape[-1]
    first = E.reduce(E.select(size.eq(spread_rows(largest, n)), row, n), column, "stablehlo.minimum", n)
    here = row.eq(spread_rows(first, n))

    def element(x: Expr) -> Expr:
        return E.reduce_sum(E.select(here, x, 0), column)

    shrink = E.real(E.reduce_sum(E.conj(v) * u, column))
    turn = E.imag(element(u)) / E.real(element(v))
    return diagonal(inner), u - v * spread_rows(E.complex_(shrink, turn), n)


def _jvp_geev(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    (da,) = tangents
    assert da is not None
    options, outs = options_of(site), site.outs
    if options["compute_right"] != ord("V"):
        overwritten(site, len(outs) - 2)
        outs = rerun(site, [site.out_type(k) for k in range(len(outs))], compute_right=letter("V"))
    *values, left, right, _ = outs
    w = E.complex_(*values) if len(values) == 2 else values[0]
    da = E.convert(da, w.dtype)
    dw, dright = _eigenvector_tangents(library(site), w, right, da)
    dleft: Shadow = None
    if options["compute_left"] == ord("V"):
        _, dleft = _eigenvector_tangents(library(site), E.conj(w), left, adjoint(da))
    else:
        overwritten(site, len(outs) - 3)
    dvalues = [E.real(dw), E.imag(dw)] if len(values) == 2 else [dw]
    return [
        *(None if d is None else whole(site, tangents, da.rank - 2, d) for d in (*dvalues, dleft, dright)),
        None,
    ]


# -- singular values ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SVD:
    """`a = u diag(s) vᴴ` among the results of a call: u and v thin, or with all their columns."""

    u: Expr
    s: Expr
    v: Expr
    """Singular vectors as columns."""
    at: tuple[int, int]
    """Which results have u and v."""
    adjoint: bool
    """Whether the second one is `vᴴ`."""


def _svd(site: Site) -> SVD:
    """The decomposition with its vectors, computed again if the call left them out."""
    options, outs = options_of(site), site.outs
    a = site.in_type(0)
    stack, (m, n) = a.shape[:-2], a.shape[-2:]
    at = (3, 2) if options.get("transposed") else (2, 3)
    jacobi = "svdj" in target_of(site) or "svdp" in target_of(site)
    overwritten(site, 0)
    if options.get("mode") == ord("N") or options.get("compute_uv") is False:
        overwritten(site, 2, 3)
        types = [site.out_type(k) for k in range(len(outs))]
        changed = {"mode": letter("S")} if "mode" in options else {"compute_uv": ir.BoolAttr.get(True)}
        if not jacobi:
            k = min(m, n)
            types[at[0]], types[at[1]] = (E.tensor([*stack, *d], a.element_type) for d in ((m, k), (k, n)))
            if "full_matrices" in options:
                changed["full_matrices"] = ir.BoolAttr.get(False)
        outs = rerun(site, types, **changed)
    u, second = outs[at[0]], outs[at[1]]
    return SVD(u, outs[1], second if jacobi else adjoint(second), at, not jacobi)


def _jvp_svd(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """`ds = Re diag(uᴴ da v)`; du and dv have skew parts within their columns, and parts outside them.

    Where u (or v) has more columns than there are singular values, those further ones follow the turn of the others.
    """
    (da,) = tangents
    assert da is not None
    svd = _svd(site)
    k = svd.s.shape[-1]
    m, n = da.shape[-2:]
    u, v = _columns(svd.u, 0, k), _columns(svd.v, 0, k)
    inner = matmul(matmul(adjoint(u), da), v)
    ds = diagonal(E.real(inner) if E.is_complex(inner.dtype) else inner)
    s = E.convert(svd.s, u.dtype)
    across, down = spread_rows(s, k), spread_columns(s, k)
    same = on_diagonal(inner)
    gap = E.select(same, 0, 1 / E.select(same, 1, (across + down) * (across - down)))
    right, left = across * inner, down * inner
    phase = E.select(same & across.ne(0), (inner - adjoint(inner)) * 0.5 / E.select(across.eq(0), 1, across), 0)
    du = matmul(u, gap * (right + adjoint(right)) + phase)
    dv = matmul(v, gap * (left + adjoint(left)))
    if m > k:
        du = du + _outside(u, matmul(da, v)) / spread_rows(s, m)
    if n > k:
        dv = dv + _outside(v, matmul(adjoint(da), u)) / spread_rows(s, n)
    du, dv = _follow(svd.u, u, du), _follow(svd.v, v, dv)
    out: list[Shadow] = [None] * len(site.op.results)
    out[1], out[svd.at[0]], out[svd.at[1]] = ds, du, adjoint(dv) if svd.adjoint else dv
    for at in svd.at:
        if out[at].type != site.out_type(at):  # type: ignore[union-attr]
            out[at] = None  # the call left this result out
    return [None if d is None else whole(site, tangents, da.rank - 2, d) for d in out]


def _outside(basis: Expr, x: Expr) -> Expr:
    """What of the columns of `x` is orthogonal to those of `basis`."""
    return x - matmul(basis, matmul(adjoint(basis), x))


def _follow(every: Expr, first: Expr, dfirst: Expr) -> Expr:
    """The tangent of a unitary matrix from that of its first columns: the others stay orthogonal to them."""
    k, n = first.shape[-1], every.shape[-1]
    if n == k:
        return dfirst
    others = _columns(every, k, n)
    return E.concatenate([dfirst, -matmul(first, matmul(adjoint(dfirst), others))], every.rank - 1)


# -- tridiagonal systems -----------------------------------------------------------------------------------------------


def _neighbour(x: Expr, step: int, dim: int) -> Expr:
    """Element i + step in place of element i, zero where there is none."""
    low, high = [0] * x.rank, [0] * x.rank
    low[dim], high[dim] = -step, step
    return E.pad(x, 0, low, high)


def _tridiagonal(site: Site, diagonals: Sequence[Expr], b: Expr) -> Expr:
    return site.again([*diagonals, b])[_solution(site)]


def _solution(site: Site) -> int:
    """On the CPU what is overwritten comes back too: the diagonals, the solution, a code."""
    return 3 if len(site.op.results) > 1 else 0


def _shadows(site: Site, x: Shadow) -> list[Shadow]:
    out: list[Shadow] = [None] * len(site.op.results)
    out[_solution(site)] = x
    return out


def _jvp_gtsv(site: Site, tangents: Sequence[Shadow]) -> list[Shadow]:
    """`t dx = db - dt x`"""
    if _solution(site):
        overwritten(site, 0, 1, 2)
    *diagonals, right = tangents
    x = site.outs[_solution(site)]
    n, row = x.shape[-1], x.rank - 2
    for step, d in zip((-1, 0, 1), diagonals, strict=True):
        if d is not None:
            term = spread_columns(d, n) * (_neighbour(x, step, row) if step else x)
            right = -term if right is None else right - term
    assert right is not None
    return _shadows(site, whole(site, tangents, x.rank - 2, _tridiagonal(site, site.ins[:3], right)))


def _vjp_gtsv(site: Site, cotangents: Sequence[Shadow]) -> list[Cotangent]:
    ct = cotangents[_solution(site)]
    if ct is None or sum(c is not None for c in cotangents) > 1:
        overwritten(site, 0, 1, 2)
    assert ct is not None
    lower, middle, upper, _ = site.ins
    last = lower.rank - 1
    flipped = (_neighbour(upper, -1, last), middle, _neighbour(lower, 1, last))
    ct_b = _tridiagonal(site, [E.conj(x) for x in flipped], ct)
    ct_b = whole(site, [ct], ct.rank - 2, ct_b)
    if not any(site.active[:3]):
        return [None, None, None, ct_b]
    x = E.conj(site.outs[_solution(site)])
    row, column = x.rank - 2, x.rank - 1

    def of(step: int) -> Expr:
        return -E.reduce_sum(ct_b * (_neighbour(x, step, row) if step else x), [column])

    return [*(whole(site, [ct], ct.rank - 2, of(step)) for step in (-1, 0, 1)), ct_b]


# -- the table ---------------------------------------------------------------------------------------------------------


def _register(targets: Sequence[str], make: Callable[[str], Rule]) -> None:
    for target in targets:
        CUSTOM_CALLS[target] = make(f"custom_call @{target}")


def _cpu(real: str, complex_: str | None = None) -> list[str]:
    return [f"lapack_{p}{real}_ffi" for p in "sd"] + [f"lapack_{p}{complex_ or real}_ffi" for p in "cz"]


def _gpu(routine: str) -> list[str]:
    return [f"{p}solver_{routine}_ffi" for p in ("cu", "hip")]


def _by(jvp: Callable[[Site, Sequence[Shadow]], Sequence[Shadow]]) -> Callable[[str], Rule]:
    return lambda name: Rule(name, jvp=jvp, vjp=transposed(jvp), batch=batch_stack)


_register(_cpu("potrf") + _gpu("potrf"), lambda name: Rule(name, jvp=_jvp_potrf, vjp=_vjp_potrf, batch=batch_stack))
_register(_cpu("trsm"), lambda name: triangular_rule(name, _read_trsm))
_register(_cpu("getrf") + _gpu("getrf"), _by(_jvp_getrf))
_register([*_cpu("geqrf"), *_gpu("geqrf"), "Qr"], _by(_jvp_geqrf))
_register(_cpu("geqp3"), _by(_jvp_geqp3))
_register(
    [*_cpu("orgqr", "ungqr"), *_gpu("orgqr"), "ProductOfElementaryHouseholderReflectors"],
    lambda name: Rule(name, expand=_expand_orgqr, batch=batch_stack),
)
_register(_cpu("ormqr", "unmqr") + _gpu("ormqr"), lambda name: Rule(name, expand=_expand_ormqr, batch=batch_stack))
_register(_cpu("syevd", "heevd") + _gpu("syevd"), _by(_jvp_syevd))
_register(_cpu("geev"), _by(_jvp_geev))
_register([*_cpu("gesdd"), *_cpu("gesvd"), *(t for r in ("gesvd", "gesvdj", "gesvdp") for t in _gpu(r))], _by(_jvp_svd))
_register(
    [*_cpu("gtsv"), "cusparse_gtsv2_ffi", "hipsparse_gtsv2_ffi", "tridiagonal_solve_perturbed_ffi"],
    lambda name: Rule(name, jvp=_jvp_gtsv, vjp=_vjp_gtsv, batch=batch_stack),
)
_register(
    [f"{p}_lu_pivots_to_permutation" for p in ("cu", "hip")],
    lambda name: Rule(name, batch=batch_stack, inactive=True),
)
# No derivative is known here of the Schur form and of reductions to Hessenberg and tridiagonal form.
_register(
    [*_cpu("gees"), *_cpu("gehrd"), *_cpu("sytrd", "hetrd"), *_gpu("sytrd")],
    lambda name: Rule(name, batch=batch_stack),
)
