"""Asking for all derivatives of a case's function at once, and knowing the answers.

An exam is one program that holds `enzyme` ops; the answers come from differences of the function itself. A function
from tensors to tensors is seen as one from real vectors to real vectors, where a complex number is a pair of reals.
Where a program runs on several replicas, each array has a first axis for them, and the vectors have all their elements.
"""

from __future__ import annotations

import importlib
import itertools
import pkgutil
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import cases
import numpy as np
from cases import CASES, Case
from jaxlib.mlir import ir

import gradir
from gradir.request import Activity, Mode, operand_slots, result_slots
from gradir.tensor.ir.module import verify
from gradir.tensor.ir.signature import Signature, TensorSpec

for _family in pkgutil.iter_modules(cases.__path__):
    importlib.import_module(f"cases.{_family.name}")

WIDTHS = (1, 2, 3)
SMALL = 64
"""Jacobians of up to this many elements are asked for."""

Arrays = Sequence[np.ndarray]
Named = tuple[str, TensorSpec]
"""A value of the program, as it is written there."""


def replicas(module: gradir.Module) -> int:
    attributes = module.ir.operation.attributes
    return ir.IntegerAttr(attributes["mhlo.num_replicas"]).value if "mhlo.num_replicas" in attributes else 1


def compiled(module: gradir.Module, function: str, backend: str) -> Callable[..., list[np.ndarray]]:
    """XLA compiles in a hurry: what runs here runs for microseconds."""
    hurry = {"xla_backend_optimization_level": "0", "xla_llvm_disable_expensive_passes": "True"}
    options: dict[str, Any] = {"xla_options": hurry} if backend == "xla" else {}
    run = module.compile(function, backend=backend, **options)
    split = list if replicas(module) > 1 else np.asarray

    def call(*arguments: np.ndarray) -> list[np.ndarray]:
        results = run(*map(split, arguments))
        return [np.asarray(r) for r in results] if isinstance(results, tuple) else [np.asarray(results)]

    return call


def fastest(case: Case) -> str:
    return "xla" if "xla" in case.backends else case.backends[0]


def some_of_each(cases: Sequence[Case], n: int) -> Iterator[Case]:
    """The first n cases of each op: enough for what does not depend on an op's every attribute."""
    count: dict[str, int] = {}
    for case in cases:
        count[case.op] = count.get(case.op, 0) + 1
        if count[case.op] <= n:
            yield case


# -- the oracle --------------------------------------------------------------------------------------------------------


def as_reals(arrays: Arrays) -> np.ndarray:
    """All elements as one real vector; a complex array is its real parts and then its imaginary parts."""
    parts = [p for x in arrays for p in ((x.real, x.imag) if np.iscomplexobj(x) else (x,))]
    return np.concatenate([np.zeros(0), *(np.asarray(p, np.float64).ravel() for p in parts)])


def from_reals(vector: np.ndarray, like: Arrays) -> list[np.ndarray]:
    """The inverse of `as_reals`, with the shapes and dtypes of `like`."""
    out, rest = [], vector
    for x in like:
        part, rest = rest[: x.size], rest[x.size :]
        if np.iscomplexobj(x):
            part, rest = part + 1j * rest[: x.size], rest[x.size :]
        out.append(part.reshape(x.shape).astype(x.dtype))
    return out


def central_differences(f: Callable[[np.ndarray], np.ndarray], at: np.ndarray, step: float) -> np.ndarray:
    """The Jacobian of a function from real vectors to real vectors."""
    columns = [(f(at + step * e) - f(at - step * e)) / (2 * step) for e in np.eye(len(at))]
    return np.stack(columns, axis=1) if columns else np.zeros((len(f(at)), 0))


def is_float(spec: TensorSpec) -> bool:
    return spec.element.startswith(("f", "bf", "complex"))


def with_prefix(spec: TensorSpec, *prefix: int) -> TensorSpec:
    return replace(spec, shape=(*prefix, *spec.shape))


# -- the program -------------------------------------------------------------------------------------------------------


def derivative(
    mode: Mode,
    function: str,
    arguments: Sequence[tuple[Named, Activity, Named | None]],
    results: Sequence[tuple[TensorSpec, Activity, Named | None]],
    width: int = 1,
    strong_zero: bool = False,
) -> tuple[str, list[Named], list[TensorSpec]]:
    """An `enzyme` op (with `{operands}` where they stand), its operands, and the types of its results.

    Arguments and results of the function come with their activities and, where that asks for one, a shadow.
    """
    activity, ret_activity = [a for _, a, _ in arguments], [a for _, a, _ in results]
    operands: list[Named] = []
    for kind, k, part in operand_slots(mode, activity, ret_activity):
        primal, shadow = arguments[k][0::2] if kind == "arg" else (None, results[k][2])
        value = primal if part == "primal" else shadow
        assert value is not None
        operands.append(value)
    types: list[TensorSpec] = []
    for kind, k, part in result_slots(mode, activity, ret_activity):
        spec = arguments[k][0][1] if kind == "arg" else results[k][0]
        types.append(with_prefix(spec, width) if part == "shadow" and width > 1 else spec)
    name = "fwddiff" if mode is Mode.forward else "autodiff"
    listed = [", ".join(f"#enzyme<activity {a.attribute_name}>" for a in which) for which in (activity, ret_activity)]
    attributes = (
        f"activity = [{listed[0]}], ret_activity = [{listed[1]}], width = {width} : i64, "
        f"strong_zero = {str(strong_zero).lower()}"
    )
    return f"enzyme.{name} @{function}({{operands}}) {{{{{attributes}}}}}", operands, types


def written(name: str, op: str, operands: Sequence[Named], results: Sequence[TensorSpec]) -> str:
    """The line of a program that gives `name` the results of an op."""
    values, types = (", ".join(str(o[k]) for o in operands) for k in (0, 1))
    return f"    {name}:{len(results)} = {op.format(operands=values)} : ({types}) -> ({', '.join(map(str, results))})\n"


@dataclass
class Paper:
    """A function @check that asks many questions: its arguments, its text, and the answers that it should give."""

    lead: int
    """How many axes an array has before those that its type says: one, if there are several replicas."""
    arguments: list[np.ndarray] = field(default_factory=list)
    expected: list[tuple[str, np.ndarray | None]] = field(default_factory=list)
    _types: list[TensorSpec] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)
    _returned: list[Named] = field(default_factory=list)
    _counter: Iterator[int] = field(default_factory=itertools.count)

    def argument(self, value: np.ndarray, spec: TensorSpec) -> Named:
        assert spec.accepts(value.shape[self.lead :])
        self.arguments.append(np.ascontiguousarray(value).reshape(value.shape))
        self._types.append(spec)
        return f"%a{len(self.arguments) - 1}", spec

    def ask(
        self,
        what: str,
        op: str,
        operands: Sequence[Named],
        types: Sequence[TensorSpec],
        answers: Sequence[np.ndarray | None],
    ) -> None:
        name = f"%q{next(self._counter)}"
        self._lines.append(written(name, op, operands, types))
        self._returned += [(f"{name}#{k}", spec) for k, spec in enumerate(types)]
        self.expected += [(what, answer) for _, answer in zip(types, answers, strict=True)]

    @property
    def text(self) -> str:
        arguments = ", ".join(f"%a{i}: {spec}" for i, spec in enumerate(self._types))
        values, outs = (", ".join(str(r[k]) for r in self._returned) for k in (0, 1))
        head = f"  func.func public @check({arguments}) -> ({outs}) {{\n"
        return f"{head}{''.join(self._lines)}    func.return {values} : {outs}\n  }}\n"


class Exam:
    """One case at one point, and the questions about it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.rng = np.random.default_rng(zlib.crc32(case.id.encode()))
        self.module = gradir.load(case.text)
        self.function: Signature = self.module.function("f")
        self.replicas = replicas(self.module)
        self.lead = int(self.replicas > 1)
        self.paper = Paper(self.lead)
        self.values = self.draw()
        self.at = self.given(self.values)
        """The point, as arguments of the program."""

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        return self.function.arguments

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        return self.function.results

    @property
    def differentiable(self) -> bool:
        return any(map(is_float, self.inputs)) and any(map(is_float, self.outputs))

    def draw(self) -> list[np.ndarray]:
        """Another point."""
        points = [[np.asarray(x) for x in self.case.inputs(self.rng)] for _ in range(self.replicas)]
        return [np.stack(xs) for xs in zip(*points, strict=True)] if self.lead else points[0]

    def given(self, values: Arrays) -> list[Named]:
        return [self.paper.argument(x, s) for x, s in zip(values, self.inputs, strict=True)]

    def stacked(self, arrays: Arrays) -> np.ndarray:
        """Along a new axis, the first that types have."""
        return np.stack(arrays, axis=self.lead)

    def random(self, spec: TensorSpec, shape: Sequence[int], *prefix: int) -> np.ndarray:
        out = np.asarray(self.rng.normal(size=(*shape[: self.lead], *prefix, *shape[self.lead :])))
        if spec.element.startswith("complex"):
            out = out + 1j * self.rng.normal(size=out.shape)
        return out.astype(spec.dtype)

    def lowered(self, more: str = "") -> gradir.Module:
        """The program without `enzyme` ops. `more` are functions beside @f and @check."""
        verify(self.module.ir)
        text = str(self.module).rstrip()
        assert text.endswith("}")
        return gradir.load(f"{text[:-1]}{more}{self.paper.text}}}\n").lower()


class FirstOrder(Exam):
    """Every mode, width and batch of a case, answered by differences of the function."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.run = compiled(self.module, "f", fastest(case))
        self.results = self.run(*self.values)
        if self.differentiable and {"forward", "reverse"} & set(case.modes):
            self.ask_derivatives(self.jacobian())
        if "batch" in case.modes:
            self.ask_batch(2)
            if case is next(c for c in CASES if c.op == case.op):
                self.ask_batch(2, 2)
            if len(self.values) > 1:
                for i in range(len(self.values)):
                    self.ask_batch_over(i, 2)

    def jacobian(self) -> np.ndarray:
        """All float results by all float arguments."""
        floats = [i for i, s in enumerate(self.inputs) if is_float(s)]
        inputs = [self.values[i] for i in floats]

        def f(vector: np.ndarray) -> np.ndarray:
            arguments = list(self.values)
            for i, x in zip(floats, from_reals(vector, inputs), strict=True):
                arguments[i] = x
            return as_reals([y for y, s in zip(self.run(*arguments), self.outputs, strict=True) if is_float(s)])

        out = central_differences(f, as_reals(inputs), self.case.step)
        assert np.isfinite(out).all(), f"{self.case.id}: differences are not finite; choose other inputs"
        return out

    def ask_derivatives(self, jacobian: np.ndarray) -> None:
        for mode in Mode:
            if mode.value in self.case.modes:
                for width in WIDTHS:
                    self.ask_products(mode, jacobian, width)
        is_real = not any(map(np.iscomplexobj, [*self.values, *self.results]))
        both = {"forward", "reverse"} <= set(self.case.modes)
        if both and is_real and self.function.is_static and not self.lead and 0 < jacobian.size <= SMALL:
            self.ask_jacobian(jacobian)

    def ask_products(self, mode: Mode, jacobian: np.ndarray, width: int) -> None:
        """Tangents J·t, or cotangents Jᵀ·c (of complex numbers, that is d/dRe + i·d/dIm); primals come along."""
        sides = (self.inputs, self.values), (self.outputs, self.results)
        (given, points), (wanted, likes) = sides if mode is Mode.forward else sides[::-1]
        matrix = jacobian if mode is Mode.forward else jacobian.T
        prefix = () if width == 1 else (width,)
        seeds = {
            k: self.random(s, x.shape, *prefix)
            for k, (s, x) in enumerate(zip(given, points, strict=True))
            if is_float(s)
        }
        like = [y for s, y in zip(wanted, likes, strict=True) if is_float(s)]
        products = [
            from_reals(matrix @ as_reals([x.take(w, self.lead) if prefix else x for x in seeds.values()]), like)
            for w in range(width)
        ]
        answers = [self.stacked(xs) if prefix else xs[0] for xs in zip(*products, strict=True)]

        shadows = {k: self.paper.argument(x, with_prefix(given[k], *prefix)) for k, x in seeds.items()}
        active = Activity.dup if mode is Mode.forward else Activity.active
        marked = [[active if is_float(s) else Activity.const for s in specs] for specs in (self.inputs, self.outputs)]
        tangents = shadows if mode is Mode.forward else {}
        cotangents = {} if mode is Mode.forward else shadows
        op, operands, types = derivative(
            mode,
            "f",
            [(x, a, tangents.get(i)) for i, (x, a) in enumerate(zip(self.at, marked[0], strict=True))],
            [(s, a, cotangents.get(j)) for j, (s, a) in enumerate(zip(self.outputs, marked[1], strict=True))],
            width,
        )
        rest = iter(answers)
        slots = result_slots(mode, *marked)
        expected = [self.results[k] if part == "primal" else next(rest) for _, k, part in slots]
        self.paper.ask(f"{mode.value} mode of width {width}", op, operands, types, expected)

    def ask_jacobian(self, jacobian: np.ndarray) -> None:
        listed = [
            ", ".join(f"#enzyme<activity enzyme_{'active' if is_float(s) else 'const'}>" for s in specs)
            for specs in (self.inputs, self.outputs)
        ]
        op = f"enzyme.jacobian @f({{operands}}) {{{{activity = [{listed[0]}], ret_activity = [{listed[1]}]}}}}"
        types, answers, row = [], [], 0
        for r, y in zip(self.outputs, self.results, strict=True):
            column = 0
            for a, x in zip(self.inputs, self.values, strict=True):
                if is_float(a) and is_float(r):
                    block = jacobian[row : row + y.size, column : column + x.size]
                    types.append(with_prefix(replace(a, element=r.element), *y.shape))
                    answers.append(block.reshape((*y.shape, *x.shape)))
                column += x.size if is_float(a) else 0
            row += y.size if is_float(r) else 0
        self.paper.ask("the Jacobian", op, self.at, types, answers)

    def ask_batch(self, *shape: int) -> None:
        points = [self.draw() for _ in range(int(np.prod(shape)))]
        answers = [self.run(*p) for p in points]

        def stacked(arrays: Sequence[Arrays]) -> list[np.ndarray]:
            lead = self.lead
            return [
                self.stacked(xs).reshape((*xs[0].shape[:lead], *shape, *xs[0].shape[lead:]))
                for xs in zip(*arrays, strict=True)
            ]

        operands = [
            self.paper.argument(x, with_prefix(s, *shape)) for x, s in zip(stacked(points), self.inputs, strict=True)
        ]
        op = f"enzyme.batch @f({{operands}}) {{{{batch_shape = array<i64: {', '.join(map(str, shape))}>}}}}"
        types = [with_prefix(s, *shape) for s in self.outputs]
        self.paper.ask(f"batch of {shape}", op, operands, types, stacked(answers))

    def ask_batch_over(self, i: int, n: int) -> None:
        """Only argument i carries the batch. There is no `enzyme` op for that, so a function is put beside @f."""
        name = f"batched_in_{i}"
        axes = [0 if k == i else None for k in range(len(self.inputs))]
        self.module = self.module.batch("f", n, in_axes=axes, name=name)
        xs = [self.draw()[i] for _ in range(n)]
        answers = [self.run(*self.values[:i], x, *self.values[i + 1 :]) for x in xs]
        operands = list(self.at)
        operands[i] = self.paper.argument(self.stacked(xs), with_prefix(self.inputs[i], n))
        types = [with_prefix(s, n) for s in self.outputs]
        stacked = [self.stacked(ys) for ys in zip(*answers, strict=True)]
        self.paper.ask(f"batch over argument {i} alone", f"func.call @{name}({{operands}})", operands, types, stacked)


class Nested(Exam):
    """Shadows of the float arguments (tangents) and of the float results (cotangents), for a derivative in another.

    With @gradient(x, c) = Jᵀ·c and @push(x, t) = J·t, these are all the same: the tangent of @gradient along t, the
    gradient of t·@gradient, and the gradient of c·@push.
    """

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        results = compiled(self.module, "f", fastest(case))(*self.values)
        self.tangents = {i: self.random(s, self.values[i].shape) for i, s in enumerate(self.inputs) if is_float(s)}
        cotangents = {j: self.random(s, results[j].shape) for j, s in enumerate(self.outputs) if is_float(s)}
        self.t = {i: self.paper.argument(x, self.inputs[i]) for i, x in self.tangents.items()}
        self.c = {j: self.paper.argument(x, self.outputs[j]) for j, x in cotangents.items()}
        self.answered = [self.inputs[i] for i in self.t]

        for way in (+1, -1):
            moved = [
                x + way * case.step * self.tangents[i] if i in self.tangents else x for i, x in enumerate(self.values)
            ]
            operands = [*self.given([np.asarray(x) for x in moved]), *self.c.values()]
            call = "func.call @gradient({operands})"
            self.paper.ask("the gradient nearby", call, operands, self.answered, [None] * len(self.answered))
        self.ask("forward over reverse", Mode.forward, "gradient", self.c, self.answered, self.t)
        self.ask("reverse over reverse", Mode.reverse, "gradient", self.c, self.answered, self.t)
        outputs = [self.outputs[j] for j in self.c]
        self.ask("reverse over forward", Mode.reverse, "push", self.t, outputs, self.c)

    def ask(
        self,
        what: str,
        mode: Mode,
        function: str,
        fixed: dict[int, Named],
        results: Sequence[TensorSpec],
        shadows: dict[int, Named],
    ) -> None:
        forward = mode is Mode.forward
        active, result = (Activity.dup, Activity.dupnoneed) if forward else (Activity.active, Activity.activenoneed)
        arguments = [
            (x, active if i in self.t else Activity.const, self.t.get(i) if forward else None)
            for i, x in enumerate(self.at)
        ]
        arguments += [(x, Activity.const, None) for x in fixed.values()]
        returned = [
            (s, result, None if forward else shadow) for s, shadow in zip(results, shadows.values(), strict=True)
        ]
        op, operands, types = derivative(mode, function, arguments, returned)
        self.paper.ask(what, op, operands, types, [None] * len(types))

    @property
    def functions(self) -> str:
        """@gradient and @push."""
        at = [(f"%x{i}", s) for i, s in enumerate(self.inputs)]
        t = {i: (f"%t{i}", self.inputs[i]) for i in self.t}
        c = {j: (f"%c{j}", self.outputs[j]) for j in self.c}

        def one(name: str, mode: Mode, given: dict[int, Named]) -> str:
            forward = mode is Mode.forward
            active, result = (Activity.dup, Activity.dupnoneed) if forward else (Activity.active, Activity.activenoneed)
            op, operands, types = derivative(
                mode,
                "f",
                [
                    (x, active if i in t else Activity.const, given.get(i) if forward else None)
                    for i, x in enumerate(at)
                ],
                [
                    (s, result if j in c else Activity.constnoneed, None if forward else given.get(j))
                    for j, s in enumerate(self.outputs)
                ],
            )
            parameters = ", ".join(f"{n}: {s}" for n, s in (*at, *given.values()))
            outs, values = ", ".join(map(str, types)), ", ".join(f"%y#{k}" for k in range(len(types)))
            body = f"{written('%y', op, operands, types)}    func.return {values} : {outs}\n"
            return f"  func.func private @{name}({parameters}) -> ({outs}) {{\n{body}  }}\n"

        return one("gradient", Mode.reverse, c) + one("push", Mode.forward, t)


# -- marks -------------------------------------------------------------------------------------------------------------


def complaint(got: np.ndarray, expected: np.ndarray, rtol: float) -> str | None:
    """What is wrong with the worst element, if anything is."""
    if got.shape != expected.shape:
        return f"shape {got.shape} instead of {expected.shape}"
    if got.dtype != expected.dtype:
        return f"dtype {got.dtype} instead of {expected.dtype}"
    if not got.size:
        return None
    if got.dtype.kind in "biu":
        error, allowed = (got != expected).astype(float), np.zeros(got.shape)
    else:
        with np.errstate(invalid="ignore"):
            error = np.where((got == expected) | (np.isnan(got) & np.isnan(expected)), 0.0, np.abs(got - expected))
        largest = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
        allowed = rtol * (np.nan_to_num(np.abs(expected), nan=0.0, posinf=0.0) + largest)
    excess = np.where(np.isnan(error), np.inf, error - allowed)
    worst = np.unravel_index(np.argmax(excess), got.shape)
    if excess[worst] <= 0:
        return None
    return f"element {[int(k) for k in worst]} is {got[worst]}, expected {expected[worst]}"
