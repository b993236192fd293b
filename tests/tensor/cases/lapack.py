"""LAPACK's routines, as XLA's CPU back end calls them. (No other back end here has them.)

Hermitian matrices are made from what is given, since a routine reads one triangle of them. Eigenvectors and singular
vectors of complex matrices have phases that no one chose: what is compared does not depend on them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cases import CASES, Inputs, case, complex_normal, normal

R, C = "f64", "complex<f64>"


def tensor(shape: Sequence[int], dtype: str = R) -> str:
    return f"tensor<{'x'.join([*map(str, shape), dtype])}>"


class Body:
    """The lines of a function, written as calls: each gives a value's name and keeps its type."""

    def __init__(self, *arguments: tuple[Sequence[int], str]) -> None:
        self.types = {f"%a{i}": (tuple(s), d) for i, (s, d) in enumerate(arguments)}
        self.arguments = list(self.types)
        self.lines: list[str] = []

    def t(self, name: str) -> str:
        return tensor(*self.types[name])

    def new(self, line: str, shape: Sequence[int], dtype: str) -> str:
        name = f"%v{len(self.lines)}"
        self.types[name] = (tuple(shape), dtype)
        self.lines.append(f"{name} = {line}")
        return name

    def adjoint(self, x: str) -> str:
        shape, dtype = self.types[x]
        n = len(shape)
        flipped = (*shape[:-2], shape[-1], shape[-2])
        dims = [*range(n - 2), n - 1, n - 2]
        y = self.new(
            f"stablehlo.transpose {x}, dims = {dims} : ({self.t(x)}) -> {tensor(flipped, dtype)}", flipped, dtype
        )
        return y if dtype == R else self.new(f"chlo.conj {y} : {self.t(y)} -> {self.t(y)}", flipped, dtype)

    def matmul(self, x: str, y: str) -> str:
        (a, dtype), (b, _) = self.types[x], self.types[y]
        n = len(a)
        stack, shape = list(range(n - 2)), (*a[:-1], b[-1])
        line = (
            f"stablehlo.dot_general {x}, {y}, batching_dims = {stack} x {stack}, "
            f"contracting_dims = [{n - 1}] x [{n - 2}] : ({self.t(x)}, {self.t(y)}) -> {tensor(shape, dtype)}"
        )
        return self.new(line, shape, dtype)

    def scaled(self, x: str, v: str) -> str:
        """The columns of x, each times an element of the real vector v."""
        shape, dtype = self.types[x]
        at = [*range(len(shape) - 2), len(shape) - 1]
        if dtype != R:
            v = self.new(f"stablehlo.convert {v} : ({self.t(v)}) -> {tensor(self.types[v][0], C)}", self.types[v][0], C)
        wide = self.new(f"stablehlo.broadcast_in_dim {v}, dims = {at} : ({self.t(v)}) -> {self.t(x)}", shape, dtype)
        return self.new(f"stablehlo.multiply {x}, {wide} : {self.t(x)}", shape, dtype)

    def columns(self, x: str, start: int, limit: int) -> str:
        shape, dtype = self.types[x]
        out = (*shape[:-1], limit - start)
        dims = ", ".join([*(f"0:{n}" for n in shape[:-1]), f"{start}:{limit}"])
        return self.new(f"stablehlo.slice {x} [{dims}] : ({self.t(x)}) -> {tensor(out, dtype)}", out, dtype)

    def gram(self, x: str) -> str:
        return self.matmul(x, self.adjoint(x))

    def call(
        self, target: str, operands: Sequence[str], results: Sequence[tuple[Sequence[int], str]], **options: object
    ) -> list[str]:
        stack = max(len(self.types[o][0]) for o in operands) - 2

        def layout(shape: Sequence[int]) -> str:
            n = len(shape)
            inner = range(stack, n) if n - stack == 2 else reversed(range(stack, n))
            dims = [*inner, *reversed(range(stack))]
            return f"dense<{dims if dims else ''}> : tensor<{n}xindex>"

        config = ", ".join(
            f"{k} = {str(v).lower() if isinstance(v, bool) else f'{ord(str(v))} : ui8'}" for k, v in options.items()
        )
        ins = ", ".join(layout(self.types[o][0]) for o in operands)
        outs = ", ".join(layout(s) for s, _ in results)
        line = (
            f"stablehlo.custom_call @{target}({', '.join(operands)}) {{mhlo.backend_config = {{{config}}}, "
            f'mhlo.frontend_attributes = {{num_batch_dims = "{stack}"}}, '
            f"operand_layouts = [{ins}], result_layouts = [{outs}]}} : ({', '.join(map(self.t, operands))}) -> "
            f"({', '.join(tensor(s, d) for s, d in results)})"
        )
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name}:{len(results)} = {line}" if len(results) > 1 else f"{name} = {line}")
        names = [name] if len(results) == 1 else [f"{name}#{k}" for k in range(len(results))]
        self.types.update(zip(names, ((tuple(s), d) for s, d in results), strict=True))
        return names

    def text(self, *returned: str) -> str:
        arguments = ", ".join(f"{a}: {self.t(a)}" for a in self.arguments)
        types = ", ".join(map(self.t, returned))
        lines = "\n".join(self.lines)
        return f"func.func public @f({arguments}) -> ({types}) {{\n{lines}\nreturn {', '.join(returned)} : {types} }}"


def lapack(routine: str, label: str, body: Body, returned: Sequence[str], inputs: Inputs, **options: object) -> None:
    op = f"custom_call @lapack_{routine}_ffi"
    first = not any(c.op == op for c in CASES)
    case(op, label, body.text(*returned), inputs, backends=("xla",), second=first, **options)


def draw(*shapes: Sequence[int], dtype: str = R) -> Inputs:
    return normal(*shapes) if dtype == R else complex_normal(*shapes)


def letter(dtype: str) -> str:
    return "d" if dtype == R else "z"


def plus(rng: np.random.Generator, shape: Sequence[int], dtype: str, shift: float) -> np.ndarray:
    (x,) = draw(shape, dtype=dtype)(rng)
    return x + shift * np.eye(shape[-1])


# -- cholesky, triangular systems, LU ----------------------------------------------------------------------------------


def potrf(label: str, shape: Sequence[int], dtype: str, uplo: str) -> None:
    body = Body((shape, dtype))
    factor, _ = body.call(
        f"lapack_{letter(dtype)}potrf_ffi", [body.gram("%a0")], [(shape, dtype), (shape[:-2], "i32")], uplo=uplo
    )
    lapack(f"{letter(dtype)}potrf", label, body, [factor], lambda rng: [plus(rng, shape, dtype, 2)])


potrf("lower", (3, 3), R, "L")
potrf("upper", (3, 3), R, "U")
potrf("a stack", (2, 2, 2), R, "L")
potrf("lower", (3, 3), C, "L")


def trsm(label: str, dtype: str, side: str, uplo: str, trans: str, diag: str, stack: Sequence[int] = ()) -> None:
    a, b = (*stack, 3, 3), (*stack, *((3, 2) if side == "L" else (2, 3)))
    body = Body((a, dtype), (b, dtype))
    (x,) = body.call(
        f"lapack_{letter(dtype)}trsm_ffi",
        ["%a0", "%a1"],
        [(b, dtype)],
        side=side,
        uplo=uplo,
        trans_x=trans,
        diag=diag,
    )
    lapack(f"{letter(dtype)}trsm", label, body, [x], lambda rng: [plus(rng, a, dtype, 2), *draw(b, dtype=dtype)(rng)])


trsm("left lower", R, "L", "L", "N", "N")
trsm("right upper transposed", R, "R", "U", "T", "U")
trsm("a stack", R, "L", "U", "N", "N", (2,))
trsm("left upper transposed", C, "L", "U", "T", "N")
trsm("right lower adjoint", C, "R", "L", "C", "N")


def getrf(label: str, shape: Sequence[int], dtype: str) -> None:
    body = Body((shape, dtype))
    k = min(shape[-2:])
    lu, _, _ = body.call(
        f"lapack_{letter(dtype)}getrf_ffi",
        ["%a0"],
        [(shape, dtype), ((*shape[:-2], k), "i32"), (shape[:-2], "i32")],
    )
    lapack(f"{letter(dtype)}getrf", label, body, [lu], draw(shape, dtype=dtype))


for _label, _shape in {"square": (3, 3), "tall": (3, 2), "wide": (2, 3), "a stack": (2, 2, 2)}.items():
    getrf(_label, _shape, R)
getrf("square", (3, 3), C)

# -- QR ----------------------------------------------------------------------------------------------------------------


def geqrf(label: str, shape: Sequence[int], dtype: str) -> None:
    body = Body((shape, dtype))
    results = [(shape, dtype), ((*shape[:-2], min(shape[-2:])), dtype)]
    packed, taus = body.call(f"lapack_{letter(dtype)}geqrf_ffi", ["%a0"], results)
    lapack(f"{letter(dtype)}geqrf", label, body, [packed, taus], draw(shape, dtype=dtype))


for _label, _shape in {"tall": (4, 2), "square": (3, 3), "wide": (2, 3), "a stack": (2, 3, 2)}.items():
    geqrf(_label, _shape, R)
geqrf("tall", (3, 2), C)
geqrf("square", (2, 2), C)


def products(label: str, shape: Sequence[int], k: int, dtype: str) -> None:
    """The reflectors are anything, orthogonal or not."""
    body = Body((shape, dtype), ((*shape[:-2], k), dtype))
    routine = f"{letter(dtype)}{'or' if dtype == R else 'un'}gqr"
    (q,) = body.call(f"lapack_{routine}_ffi", ["%a0", "%a1"], [(shape, dtype)])
    lapack(routine, label, body, [q], draw(shape, (*shape[:-2], k), dtype=dtype))


products("all columns", (4, 3), 3, R)
products("more columns than reflectors", (3, 3), 2, R)
products("a stack", (2, 3, 2), 2, R)
products("all columns", (3, 2), 2, C)

for _left, _transpose, _dtype in ((True, False, R), (False, True, R), (True, True, C), (False, False, C)):
    _body = Body(((3, 2), _dtype), ((2,), _dtype), ((3, 2) if _left else (2, 3), _dtype))
    _routine = f"{letter(_dtype)}{'or' if _dtype == R else 'un'}mqr"
    (_out,) = _body.call(
        f"lapack_{_routine}_ffi", list(_body.types), [_body.types["%a2"]], left=_left, transpose=_transpose
    )
    _shapes = [s for s, _ in _body.types.values()][:3]
    lapack(
        _routine,
        f"{'left' if _left else 'right'}{', adjoint' * _transpose}",
        _body,
        [_out],
        draw(*_shapes, dtype=_dtype),
    )


def geqp3(dtype: str) -> None:
    body = Body(((3, 2), dtype), ((2,), "i32"))
    packed, _, taus = body.call(
        f"lapack_{letter(dtype)}geqp3_ffi", ["%a0", "%a1"], [((3, 2), dtype), ((2,), "i32"), ((2,), dtype)]
    )

    def inputs(rng: np.random.Generator) -> Sequence[np.ndarray]:
        return [*draw((3, 2), dtype=dtype)(rng), np.zeros(2, np.int32)]

    lapack(f"{letter(dtype)}geqp3", "columns in any order", body, [packed, taus], inputs)


geqp3(R)
geqp3(C)

# -- eigenvalues -------------------------------------------------------------------------------------------------------


def syevd(label: str, shape: Sequence[int], dtype: str, mode: str, uplo: str = "L") -> None:
    body = Body((shape, dtype))
    routine = f"{letter(dtype)}{'sy' if dtype == R else 'he'}evd"
    v, w, _ = body.call(
        f"lapack_{routine}_ffi",
        [body.gram("%a0")],
        [(shape, dtype), (shape[:-1], R), (shape[:-2], "i32")],
        mode=mode,
        uplo=uplo,
    )
    returned = [w]
    if mode == "V":
        some = body.columns(v, 1, shape[-1])
        returned.append(
            v if dtype == R else body.matmul(body.scaled(some, body.columns(w, 1, shape[-1])), body.adjoint(some))
        )
    lapack(routine, label, body, returned, draw(shape, dtype=dtype))


syevd("eigenvectors", (3, 3), R, "V")
syevd("eigenvalues alone", (3, 3), R, "N")
syevd("a stack, upper", (2, 2, 2), R, "V", "U")
syevd("eigenvectors", (3, 3), C, "V")


def geev(label: str, dtype: str, left: str, right: str) -> None:
    n = 3
    body = Body(((n, n), dtype))
    values = [((n,), R)] * 2 if dtype == R else [((n,), C)]
    out = body.call(
        f"lapack_{letter(dtype)}geev_ffi",
        ["%a0"],
        [*values, ((n, n), C), ((n, n), C), ((), "i32")],
        compute_left=left,
        compute_right=right,
    )
    vectors = [out[len(values) + k] for k, want in enumerate((left, right)) if want == "V"]
    lapack(f"{letter(dtype)}geev", label, body, [*out[: len(values)], *vectors], draw((n, n), dtype=dtype))


geev("eigenvectors", R, "N", "V")
geev("eigenvalues alone", R, "N", "N")
geev("eigenvectors of both sides", C, "V", "V")

# -- singular values ---------------------------------------------------------------------------------------------------


def svd(routine: str, label: str, shape: Sequence[int], dtype: str, mode: str) -> None:
    body = Body((shape, dtype))
    *stack, m, n = shape
    k = min(m, n)
    left, right = (m, n) if mode == "A" else (k, k)
    _, s, u, vt, _ = body.call(
        f"lapack_{letter(dtype)}{routine}_ffi",
        ["%a0"],
        [(shape, dtype), ((*stack, k), R), ((*stack, m, left), dtype), ((*stack, right, n), dtype), (stack, "i32")],
        mode=mode,
    )
    returned = [s]
    if mode != "N":
        first = body.columns(u, 0, 1)
        returned += [u, vt] if dtype == R and mode == "S" else [body.gram(first)]
        v = body.adjoint(vt)
        returned += [body.gram(body.columns(v, 0, 1))]
        # The first left vector times the first right one: of its phase, each takes a part.
        returned += [body.matmul(first, body.adjoint(body.columns(v, 0, 1)))]
        if mode == "A" and m > n:
            returned += [body.gram(body.columns(u, n, m))]
        if mode == "A" and n > m:
            returned += [body.gram(body.columns(v, m, n))]
    lapack(f"{letter(dtype)}{routine}", label, body, returned, draw(shape, dtype=dtype))


svd("gesdd", "thin, tall", (4, 2), R, "S")
svd("gesdd", "thin, wide", (2, 3), R, "S")
svd("gesdd", "thin, a stack", (2, 2, 2), R, "S")
svd("gesdd", "whole, tall", (4, 2), R, "A")
svd("gesdd", "whole, wide", (2, 3), R, "A")
svd("gesdd", "singular values alone", (3, 2), R, "N")
svd("gesdd", "thin", (3, 2), C, "S")
svd("gesvd", "thin", (3, 2), R, "S")

# -- tridiagonal systems -----------------------------------------------------------------------------------------------


def gtsv(label: str, dtype: str, stack: Sequence[int] = ()) -> None:
    v, b = (*stack, 4), (*stack, 4, 2)
    body = Body((v, dtype), (v, dtype), (v, dtype), (b, dtype))

    def inputs(rng: np.random.Generator) -> Sequence[np.ndarray]:
        lower, middle, upper, right = draw(v, v, v, b, dtype=dtype)(rng)
        return [lower, middle + 4, upper, right]

    *_, x, _ = body.call(
        f"lapack_{letter(dtype)}gtsv_ffi", list(body.types), [(v, dtype)] * 3 + [(b, dtype), (stack, "i32")]
    )
    lapack(f"{letter(dtype)}gtsv", label, body, [x], inputs)


gtsv("one system", R)
gtsv("a stack", R, (2,))
gtsv("one system", C)
