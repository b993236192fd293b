"""A StableHLO program as JAX sees it: a function over flat arrays, with its derivatives and batches."""

from __future__ import annotations

import functools
import itertools
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import jax
from jaxlib.mlir import ir

from gradir.jax.lowering import AnyRule, Lowered, NotAProgram, content, is_inexact, lower, with_open_consts
from gradir.jax.scope import Scope, abstract, names_in
from gradir.jax.structure import SMALL, structure
from gradir.jax_internals import clear_with_jax, dispatch, has_open_shape, hoisted, jax_core, mlir
from gradir.policy import policy_now
from gradir.request import Activity, Mode, Request
from gradir.tensor.analysis.activity import Mask
from gradir.tensor.analysis.cost import CPU, GPU, Device
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.annotations import spell_out
from gradir.tensor.ir.entry import isolate
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import clone, run_passes, to_bytecode, to_text
from gradir.tensor.optimize import optimizer
from gradir.tensor.optimize.switch import is_optimizing, numerics_now
from gradir.tensor.rules.rule import prepend
from gradir.tensor.transform.derive import Deriver
from gradir.tensor.transform.laplacian import laplacian_function
from gradir.tensor.transform.taylor import taylor_function

Avals = tuple[jax_core.ShapedArray, ...]

T = TypeVar("T")

_lock = threading.RLock()
"""MLIR's context and a deriver's memo are shared: one program is derived at a time."""


def locked(method: Callable[..., Any]) -> Callable[..., Any]:
    """Run with the lock held, in gradir's MLIR context."""

    @functools.wraps(method)
    def run(self: Program, *args: Any) -> Any:
        with _lock, self.deriver.module.context, ir.Location.unknown():
            key = (method.__name__, self.symbol, *args)
            if key not in self.memo:
                self.memo[key] = method(self, *args)
            return self.memo[key]

    return run


@dataclass(eq=False)
class Program:
    """One function of a module, over flat arrays. Derived programs live in the same module, and are made once."""

    deriver: Deriver
    symbol: str
    ins: Avals
    outs: Avals
    rules: list[AnyRule]
    source: Any
    """The traced function, where it names devices; else None."""
    scope: Scope
    memo: dict[Any, Any]
    twins: tuple[tuple[int, int], ...] = ()
    """Arguments and the results that are their gradients, by their places: they lie on devices alike."""

    def __repr__(self) -> str:
        ins, outs = (", ".join(a.str_short() for a in avals) for avals in (self.ins, self.outs))
        return f"{self.symbol}: ({ins}) -> ({outs})"

    @property
    def listing(self) -> str:
        """What the program does, to be read: its ops, those of functions that it calls after them."""
        return self.locked_in(lambda: _listing(self))

    def _sibling(
        self, symbol: str, ins: Sequence[Any], outs: Sequence[Any], twins: Iterable[tuple[int, int]] = ()
    ) -> Program:
        ins, outs, twins = tuple(ins), tuple(outs), tuple(twins)
        return Program(self.deriver, symbol, ins, outs, self.rules, self.source, self.scope, self.memo, twins)

    def locked_in(self, read: Callable[[], T]) -> T:
        """What is read from the module's functions, while no one changes them."""
        with _lock, self.deriver.module.context, ir.Location.unknown():
            return read()

    @locked
    def bytecode(self) -> bytes:
        """The program as a module with the one public function `main`, ready for a compiler."""
        self.deriver.write_called(self.symbol)
        module = isolate(self.deriver.module, self.symbol).module
        run_passes(module, "cse")
        return to_bytecode(module)

    @locked
    def with_rules(self) -> bytes:
        """The same, with what a further derivative has to know still in it."""
        return to_bytecode(isolate(self.deriver.module, self.symbol, rules=True).module)

    @locked
    def optimized(self) -> Program:
        """The program itself, rewritten."""
        return self._sibling(self.deriver.prepared(self.symbol, last=True).name.value, self.ins, self.outs)

    @locked
    def forward(self, args: Mask, outs: Mask) -> Program:
        """`(args…, tangents…) -> (tangents of the outs…)`: linear in the tangents."""
        activity = tuple(Activity.dup if a else Activity.const for a in args)
        rets = tuple(Activity.dupnoneed if o else Activity.constnoneed for o in outs)
        symbol = self.deriver.derive(Request(self.symbol, Mode.forward, activity, rets))
        tangents = picked(self.ins, args)

        def body(values: Sequence[Expr]) -> list[Expr]:
            shadows = iter(values[len(args) :])
            return self.deriver.call(
                symbol, [x for v, a in zip(values, args, strict=False) for x in ([v, next(shadows)] if a else [v])]
            )

        types = [ir_type(t) for t in (*self.ins, *tangents)]
        here = self.deriver.define(f"{self.symbol}.pushforward", types, body, ir.Location.unknown())
        return self._sibling(here, [*self.ins, *tangents], picked(self.outs, outs))

    def gradient(self, args: Mask, outs: Mask) -> Program:
        """`(args…) -> (results…, gradients…)`: the cotangents are 1."""
        return self.reverse(args, outs, True, True)

    @locked
    def reverse(self, args: Mask, outs: Mask, keep: bool, seeded: bool = False) -> Program:
        """`(args…, cotangents…) -> (results… if kept, gradients…)`, in JAX's convention for complex numbers.

        If it is `seeded`, the cotangents are 1 and no arguments.
        """
        activity = tuple(Activity.active if a else Activity.const for a in args)
        yes, no = (Activity.active, Activity.const) if keep else (Activity.activenoneed, Activity.constnoneed)
        request = Request(self.symbol, Mode.reverse, activity, tuple(yes if o else no for o in outs))
        symbol = self.deriver.gradient(request) if seeded else self.deriver.derive(request)
        cotangents = () if seeded else cotangents_of(self.outs, outs)
        results = [*(self.outs if keep else ()), *cotangents_of(self.ins, args)]
        kept = len(self.outs) if keep else 0
        ins = [*self.ins, *cotangents]
        if any(is_complex(a) for a in (*cotangents, *picked(self.ins, args))):
            symbol = self._conjugated(symbol, ins, len(self.ins), kept)
        gradients = itertools.count(kept)
        return self._sibling(symbol, ins, results, [(k, next(gradients)) for k, a in enumerate(args) if a])

    def _conjugated(self, symbol: str, ins: Sequence[Any], first_in: int, first_out: int) -> str:
        """gradir's cotangents are the conjugates of JAX's."""

        def body(values: Sequence[Expr]) -> list[Expr]:
            flipped = [*values[:first_in], *(E.conj(v) for v in values[first_in:])]
            outs = self.deriver.call(symbol, flipped)
            return [*outs[:first_out], *(E.conj(o) for o in outs[first_out:])]

        return self.deriver.define(symbol, [ir_type(a) for a in ins], body, ir.Location.unknown())

    @locked
    def split(self, args: Mask, outs: Mask) -> tuple[Program, Program]:
        """The two sweeps: `(args…) -> (results…, residuals…)` and `(residuals…, cotangents…) -> (gradients…)`."""
        made = self.deriver.split_of(self.symbol, args, outs, False)
        cotangents, gradients = cotangents_of(self.outs, outs), cotangents_of(self.ins, args)
        n = len(self.outs)

        def augmented(values: Sequence[Expr]) -> list[Expr]:
            results = self.deriver.call(made.augmented, values)
            return [*results[:n], *((values if kind == "arg" else results)[i] for kind, i in made.residuals)]

        here = ir.Location.unknown()
        first = self.deriver.define(f"{self.symbol}.sweep", [ir_type(a) for a in self.ins], augmented, here)
        types = list(self.deriver.functions[first].type.results)[n:]

        def backward(values: Sequence[Expr]) -> list[Expr]:
            flipped = [E.conj(v) for v in values[len(types) :]]
            return [E.conj(g) for g in self.deriver.call(made.backward, [*flipped, *values[: len(types)]])]

        second = self.deriver.define(f"{first}.back", [*types, *(ir_type(c) for c in cotangents)], backward, here)
        residuals = tuple(self.scope.varying(aval_of(t)) for t in types)
        return (
            self._sibling(first, self.ins, [*self.outs, *residuals]),
            self._sibling(second, [*residuals, *cotangents], gradients),
        )

    @locked
    def laplacian(self, args: Mask, outs: Mask) -> Program:
        """`(args…) -> (results…, derivatives of the outs…, Laplacians of the outs…)`: see `laplacian_function`."""
        symbol = laplacian_function(self.deriver, self.symbol, args, outs)
        n = sum(math.prod(a.shape) for a in picked(self.ins, args))
        chosen = picked(self.outs, outs)
        return self._sibling(symbol, self.ins, [*self.outs, *(batched(a, n) for a in chosen), *chosen])

    @locked
    def taylor(self, args: Mask, outs: Mask, order: int) -> Program:
        """`(args…, derivatives of the active…) -> (results…, derivatives of the outs…)`: see `taylor_function`."""
        symbol = taylor_function(self.deriver, self.symbol, args, outs, order)
        given, made = (
            [a for a in picked(avals, mask) for _ in range(order)]
            for avals, mask in ((self.ins, args), (self.outs, outs))
        )
        return self._sibling(symbol, [*self.ins, *given], [*self.outs, *made])

    @locked
    def batch(self, args: Mask, size: int, axes: Any = None) -> tuple[Program, Mask]:
        """The program over a batch, first dimension of the arguments in the mask, and which results have it.

        The batch may be split over axes of the mesh.
        """
        symbol, has = self.deriver.batch_of(self.symbol, args, size)
        ins = [batched(a, size, axes) if b else a for a, b in zip(self.ins, args, strict=True)]
        outs = [batched(a, size, axes) if b else a for a, b in zip(self.outs, has, strict=True)]
        return self._sibling(symbol, ins, outs), has

    @locked
    def batch_all(self, args: Mask, size: int, axes: Any = None) -> Program:
        """The program over a batch that every result has."""
        some, has = self.batch(args, size, axes)
        if all(has):
            return some

        def body(values: Sequence[Expr]) -> list[Expr]:
            outs = self.deriver.call(some.symbol, values)
            return [o if h else prepend(o, size) for o, h in zip(outs, has, strict=True)]

        symbol = self.deriver.define(some.symbol, [ir_type(a) for a in some.ins], body, ir.Location.unknown())
        return self._sibling(symbol, some.ins, [batched(a, size, axes) for a in self.outs])


LINES = 40
"""So many lines of a program are for a person to read."""


def _listing(program: Program) -> str:
    program.deriver.write_called(program.symbol)
    module = isolate(program.deriver.module, program.symbol).module
    lines = [line[2:].rstrip() for line in to_text(module).rstrip().split("\n")[1:-1]]
    left = len(lines) - LINES
    return "\n".join([str(program), *(lines if left <= 0 else [*lines[:LINES], f"... and {left} lines more"])])


# -- types -------------------------------------------------------------------------------------------------------------


def picked(avals: Sequence[Any], mask: Sequence[bool]) -> list[Any]:
    return [a for a, chosen in zip(avals, mask, strict=True) if chosen]


def cotangents_of(avals: Sequence[Any], mask: Sequence[bool]) -> list[Any]:
    """The types of the cotangents: they lie on a mesh as the values do."""
    return [a.to_ct_aval() for a in picked(avals, mask)]


def is_complex(aval: Any) -> bool:
    return bool(jax.numpy.issubdtype(aval.dtype, jax.numpy.complexfloating))


def batched(aval: Any, n: int, axes: Any = None) -> jax_core.ShapedArray:
    """The type of n values of a type, which are split over some axes of the mesh."""
    spec = aval.sharding.spec
    sharding = aval.sharding.update(spec=spec.update(partitions=(axes, *spec)))
    return aval.update(shape=(n, *aval.shape), sharding=sharding)


def ir_type(aval: Any) -> ir.RankedTensorType:
    """The MLIR type of a JAX array, in gradir's context: of random keys, that of the integers that they are."""
    aval = jax_core.physical_aval(aval)
    return ir.RankedTensorType.get(list(aval.shape), mlir.dtype_to_ir_type(jax.numpy.dtype(aval.dtype)))


_NAMES = {"i1": "bool", "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def aval_of(t: ir.Type) -> jax_core.ShapedArray:
    """The JAX type of an MLIR tensor."""
    assert isinstance(t, ir.RankedTensorType)
    name = str(t.element_type)
    if name in _NAMES:
        name = _NAMES[name]
    elif name.startswith("complex"):
        name = "complex64" if "f32" in name else "complex128"
    elif name.startswith("f8"):
        name = "float8_" + name[2:].lower()
    else:
        name = name.replace("ui", "uint") if name.startswith("ui") else name.replace("i", "int")
    return jax_core.ShapedArray(tuple(t.shape), jax.numpy.dtype(name))


# -- from functions ----------------------------------------------------------------------------------------------------

_programs: OrderedDict[Any, Program] = OrderedDict()
_KEPT = 512


def program_of(fun: Callable[..., Sequence[Any]], leaves: Sequence[Any]) -> tuple[Program, list[Any]]:
    """The program of a function at flat arrays, and the values that it closes over, which come first in it.

    JAX traces the function every time, since it may close over something else now; what is made from the trace is
    found again by its structure, or (with derivatives that users define) by what it is lowered to.
    """
    traced = jax.jit(fun, keep_unused=True).trace(*(abstract(jax.typeof(x)) for x in leaves))
    closed = traced.jaxpr
    scope = Scope.here(closed.in_avals)
    _refuse_effects(closed, scope)
    if has_open_shape(closed.in_avals):
        raise NotAProgram("an argument has a symbolic shape", hint="give a shape of numbers")
    consts = hoisted(traced)  # with a tracer among them, JAX itself makes them the first arguments
    opens = not consts and any(getattr(c, "size", 1) > SMALL for c in closed.consts)
    known = None
    if not any(isinstance(x, jax_core.Tracer) for x in (*consts, *closed.consts, *leaves)):
        known = (structure(closed, open_consts=opens), *_settings(scope))
        if (program := _found(known)) is not None:
            return program, list(closed.consts) if opens else consts
    if opens:
        consts = list(closed.consts)
        traced = with_open_consts(closed)
    lowered = lower(traced)
    if any(isinstance(x, jax_core.Tracer) for x in (*consts, *leaves)):
        return _new_program(lowered, traced, scope), consts  # an outer transformation keeps what is made from it
    types = (*traced.jaxpr.in_avals, *traced.jaxpr.out_avals)
    key = (content(lowered), *(rule.fingerprint() for rule in lowered.rules), types, *_settings(scope))
    program = _found(key) or _new_program(lowered, traced, scope)
    for k in (key, known):
        if k is not None:
            _keep(k, program)
    return program, consts


def _forget_programs() -> None:
    with _lock:
        _programs.clear()


clear_with_jax(_forget_programs, "gradir's programs")


def _settings(scope: Scope) -> tuple[Any, ...]:
    """What else a program depends on."""
    return scope, jax.config.jax_enable_x64, is_optimizing(), numerics_now(), policy_now(), _device()


def _found(key: Any) -> Program | None:
    with _lock:
        program = _programs.pop(key, None)
        if program is not None:
            _programs[key] = program  # the last to be dropped
        return program


def _keep(key: Any, program: Program) -> None:
    with _lock:
        _programs[key] = program
        while len(_programs) > _KEPT:
            _programs.popitem(last=False)


def _device() -> Device:
    """For what programs are optimised: what JAX runs on by default."""
    return CPU if jax.default_backend() == "cpu" else GPU


def _refuse_effects(closed: Any, scope: Scope) -> None:
    if scope.batches and (batches := sorted(map(str, names_in(closed.jaxpr) & scope.batches))):
        raise NotAProgram(
            f"the function communicates over the axis {batches[0]!r} of a jax.vmap around the derivative",
            hint="take the derivative of the function that has the vmap in it",
        )
    effects = [e for e in closed.effects if not isinstance(e, jax_core.NamedAxisEffect)]
    if effects:
        kinds = ", ".join(sorted(map(str, effects)))
        raise NotAProgram(f"the function has side effects ({kinds})", hint="take them out of what is differentiated")


def _new_program(lowered: Lowered, traced: Any, scope: Scope) -> Program:
    with lowered.module.context, ir.Location.unknown():
        deriver = Deriver(lowered.module, optimizer(_device()))
        ins, outs = map(tuple, (traced.jaxpr.in_avals, traced.jaxpr.out_avals))
        assert len(deriver.functions["main"].type.inputs) == len(ins), "JAX passes every argument"
        source = traced.jaxpr if dispatch.get_intermediate_shardings(traced.jaxpr.jaxpr) else None
        return Program(deriver, "main", ins, outs, lowered.rules, source, scope, {})


def program_in(module: ir.Module, symbol: str) -> Program:
    """The program of a function of a StableHLO module, whose shapes are known."""
    own = clone(module)
    spell_out(own)
    with own.context, ir.Location.unknown():
        deriver = Deriver(own, optimizer(_device()))
        kind = deriver.functions[symbol].type
        ins, outs = (tuple(map(aval_of, types)) for types in (kind.inputs, kind.results))
        return Program(deriver, symbol, ins, outs, [], None, Scope.here(), {})


def differentiable(avals: Sequence[Any]) -> Mask:
    return tuple(is_inexact(a) for a in avals)
