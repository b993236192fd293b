"""From a JAX function to a StableHLO module that still knows the function's own derivative rules.

JAX drops `stop_gradient`, `custom_jvp` and `custom_vjp` when it lowers, since by then it has differentiated. Here
lowering comes first, so those primitives are lowered by rules of ours: `stop_gradient` to
`enzyme.ignore_derivatives`, a function with its own derivative to a call of a function that names its rule. The same
way out serves primitives that JAX lowers to something which can't be differentiated (an iterative solver, an incomplete
gamma function by a loop of unknown length): JAX's own derivative of the primitive becomes the rule.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.jax import written
from gradir.jax.scope import Scope, abstract
from gradir.jax.structure import parameters
from gradir.jax.written import Elementwise, declared
from gradir.jax_internals import (
    ClosedOver,
    Forms,
    ad_checkpoint,
    ad_util,
    checks_varying,
    constrained,
    custom_derivatives,
    hoisted,
    integer_pow,
    is_call_of,
    is_for_one,
    is_lowered_by_jax,
    jax_core,
    lax,
    linalg,
    logaddexp,
    loops,
    lowered_by,
    lowered_on,
    lowering_of,
    mlir,
    opened,
    parallel,
    pjit,
    random,
    saves,
    says_where,
    shard_map,
    solves,
    special,
)
from gradir.policy import Policy
from gradir.tensor.analysis.activity import Mask
from gradir.tensor.analysis.schedule import CHECKPOINTING
from gradir.tensor.ir.annotations import drop_open
from gradir.tensor.ir.context import context
from gradir.tensor.ir.module import clone, functions, to_bytecode, to_text
from gradir.tensor.optimize.annotations import drop_implied
from gradir.tensor.rules.collectives import SHARED, VARY
from gradir.tensor.rules.custom import RULE_SOURCES

Values = Sequence[Any]


def is_inexact(aval: Any) -> bool:
    return bool(jax.numpy.issubdtype(aval.dtype, np.inexact))


class NotAProgram(NoRule):
    """What a function does that no program can hold, and JAX can do on the way: it differentiates while Python runs."""


class ClosesOverTracer(NotAProgram):
    """A rule needs a value of another trace when it is called, at a time when none of that trace's is at hand."""

    def __init__(self) -> None:
        super().__init__(
            "a custom derivative rule closes over a value that is being traced",
            hint="make the value an argument of the function that has the rule",
        )


@dataclass(eq=False, repr=False)
class OwnRule:
    """JAX's derivative of one primitive, lowered when a derivative asks for it (a rule may call its own function).

    A user's rule is for all arguments, as in JAX, but for values that the function closes over, and if it wants to know
    which zeros are known to be zeros. A primitive's is for those that carry a derivative: JAX may have none for the
    others.
    """

    primitive: jax_core.Primitive
    params: dict[str, Any]
    avals: Sequence[Any]
    modes: frozenset[str]
    primal: Any = None
    """The function as a closed jaxpr; that of an opaque primitive is found when it is asked for."""

    def __post_init__(self) -> None:
        self.id = RULE_SOURCES.add(self)
        self.inexact = [i for i, a in enumerate(self.avals) if is_inexact(a)]
        self.scope = Scope.here()
        self.forms = _lowering.get().forms
        self._made: dict[tuple[str, Mask, Mask], tuple[Lowered, ...]] = {}
        self._is_told = self.primitive in OPAQUE or bool(self.params.get("symbolic_zeros"))

    def _bound(self, xs: Values, active: Sequence[int]) -> Callable[..., Values]:
        """The primitive as a function of its active arguments."""

        def bound(*chosen: Any) -> Values:
            given = list(xs)
            for i, x in zip(active, chosen, strict=True):
                given[i] = x
            bind = OTHERWISE.get(self.primitive, self.primitive.bind)
            out = bind(*given, **self.primitive.get_bind_params(self.params))
            return list(out) if self.primitive.multiple_results else [out]

        return bound

    def __call__(self, *xs: Any) -> Values:
        return self._bound(xs, ())()

    @functools.cached_property
    def body(self) -> Lowered:
        """The function itself. Its own derivative is never asked for, so it is lowered as JAX does it."""
        with self.scope.entered():
            module, calls_back = lowered_on(None, self.traced, (), context(1), self.forms.plain)
        if calls_back:  # the program's own module must know, or XLA calls what is not there
            raise NoRule(
                f"{self.primitive.name}: what it calls back in Python can't be seen before it is lowered",
                hint="call back by jax.pure_callback",
            )
        return Lowered(_own(module), [])

    @functools.cached_property
    def traced(self) -> Any:
        """The function as a closed jaxpr."""
        return jax.make_jaxpr(self)(*self.avals) if self.primal is None else self.primal

    @property
    def can_wait(self) -> bool:
        """Whether the body may be left unwritten at first: it calls nothing back, and says not where it runs."""
        here = is_lowered_by_jax(self.primitive)
        return here and not any(map(_has_more_to_say, jax_core.jaxprs_in_params(self.params)))

    def _once(
        self, mode: str, active: Mask, wanted: Mask, make: Callable[[list[int], Mask], tuple[Lowered, ...]]
    ) -> tuple[Lowered, ...]:
        closed_over = self.params.get("num_consts", 0)
        told = [self._is_told or i < closed_over for i in self.inexact]
        active = tuple(on or not t for on, t in zip(active, told, strict=True))
        wanted = tuple(on or not self._is_told for on in wanted)
        key = mode, active, wanted
        if key not in self._made:
            try:
                with self.scope.entered():
                    self._made[key] = make([i for i, on in zip(self.inexact, active, strict=True) if on], wanted)
            except (jax.errors.UnexpectedTracerError, ClosedOver) as error:
                raise ClosesOverTracer from error
        return self._made[key]

    def jvp(self, active: Mask) -> Lowered:
        """`(args…, tangents…) -> (results…, tangents…)`"""
        return self._once("jvp", active, (), self._jvp)[0]

    def _jvp(self, active: list[int], _: Mask) -> tuple[Lowered, ...]:
        n = len(self.avals)

        def forward(*values: Any) -> Values:
            xs, tangents = values[:n], dict(zip(self.inexact, values[n:], strict=True))
            chosen = [xs[i] for i in active], [tangents[i] for i in active]
            outs, moved = jax.jvp(self._bound(xs, active), *map(tuple, chosen))
            return [*outs, *(t for o, t in zip(outs, moved, strict=True) if is_inexact(o))]

        return (self._lowered(forward, [*self.avals, *(self.avals[i] for i in self.inexact)]),)

    def _lowered(self, fun: Callable[..., Values], avals: Sequence[Any]) -> Lowered:
        traced = jax.jit(fun, keep_unused=True).trace(*(abstract(a.update(weak_type=False)) for a in avals))
        if hoisted(traced):
            raise ClosesOverTracer
        return lower(traced, self.forms)

    def vjp(self, active: Mask, wanted: Mask) -> tuple[Lowered, Lowered]:
        """`(args…) -> (results…, residuals…)` and `(residuals…, cotangents…) -> (cotangents…)`"""
        first, second = self._once("vjp", active, wanted, self._vjp)
        return first, second

    def _vjp(self, active: list[int], wanted: Mask) -> tuple[Lowered, ...]:
        found: list[Any] = []

        def augmented(*xs: Any) -> Values:
            def chosen(*some: Any) -> tuple[Values, Values]:
                """The results, but for those whose cotangents are zero and known to be."""
                outs, mask = self._bound(xs, active)(*some), iter(wanted)
                return [o for o in outs if not is_inexact(o) or next(mask)], outs

            _, pull, outs = jax.vjp(chosen, *(xs[i] for i in active), has_aux=True)
            residuals, tree = jax.tree.flatten(pull)
            found[:] = [tree, [jax.typeof(o) for o in outs], [jax.typeof(r) for r in residuals]]
            return [*outs, *residuals]

        first = self._lowered(augmented, self.avals)
        tree, outs, residuals = found

        def backward(*values: Any) -> Values:
            rest, mask = iter(values[len(residuals) :]), iter(wanted)
            # JAX's cotangents are the conjugates of gradir's.
            all_ = [_conj(next(rest)) if is_inexact(o) else np.zeros(o.shape, jax.dtypes.float0) for o in outs]
            cotangents = [ct for o, ct in zip(outs, all_, strict=True) if not is_inexact(o) or next(mask)]
            gradients = dict(zip(active, jax.tree.unflatten(tree, values[: len(residuals)])(cotangents), strict=True))
            zero = {i: ad_util.zeros_like_aval(self.avals[i].to_ct_aval()) for i in self.inexact}
            # A rule may give gradients of another type than the argument's.
            return [_conj((zero | gradients)[i]).astype(self.avals[i].dtype) for i in self.inexact]

        return first, self._lowered(backward, [*residuals, *(o for o in outs if is_inexact(o))])

    @property
    def _parts(self) -> tuple[Lowered, ...]:
        closed_over = self.params.get("num_consts", 0)
        everywhere = tuple(i >= closed_over for i in self.inexact)
        if "jvp" in self.modes:
            return (self.jvp(everywhere),)
        return self.vjp(everywhere, (True,) * sum(map(is_inexact, self.params["call_jaxpr"].out_avals)))

    def fingerprint(self) -> tuple[object, ...]:
        """What tells this rule from others: rules are lowered anew with each trace, and found again by content.

        A rule may name further rules, its own among them. Where there is no end of new ones, it is like no other.
        """
        if self.primitive in OPAQUE and not any(True for _ in jax_core.jaxprs_in_params(self.params)):
            return self.primitive.name, str(self.params), str(self.avals)
        try:
            return self._family()
        except ClosesOverTracer:  # of which none is like another
            return (object(),)

    def _family(self) -> tuple[object, ...]:
        seen: list[object] = []
        rules = [self]
        for rule in rules:
            here = tuple(content(part) for part in (rule.body, *rule._parts))
            if here in seen:
                continue
            if len(seen) == _FAMILY:
                return (object(),)
            seen.append(here)
            rules += [r for part in rule._parts for r in part.rules if isinstance(r, OwnRule)]  # (others say it all)
        return tuple(seen)


_FAMILY = 8
"""How many rules that name each other are compared."""


AnyRule = OwnRule | Elementwise


@dataclass(frozen=True)
class Lowered:
    """A module in gradir's context with the entry `main`, and the rules that its functions name."""

    module: ir.Module
    rules: list[AnyRule]


class ProgramForms:
    """What equations of one program are lowered to: its function and its rules are modules of their own at first."""

    def __init__(self) -> None:
        self.ruled, self.plain = Forms(), Forms()
        self.rules: dict[Any, OwnRule] = {}
        self.written: dict[Any, Elementwise] = {}


class Lowering:
    """A module that is being lowered."""

    def __init__(self, forms: ProgramForms) -> None:
        self.forms = forms
        self.rules: list[AnyRule] = []
        """Those that its functions name."""
        self.declared: dict[Any, func.FuncOp] = {}
        """The functions of rules that several calls share."""
        self.plain: tuple[dict[Any, Any], dict[Any, Any], ir.Context] | None = None
        """What equations and functions were lowered to, where that is done as JAX does it, and in what context."""

    def plainly(self, of: mlir.ModuleContext) -> mlir.ModuleContext:
        """The module where it is lowered as JAX does it.

        What is called there is not to be shared with calls from elsewhere, whose own derivatives are asked for.
        """
        known: dict[Any, Any] = {}
        called: dict[Any, Any] = {}
        if is_for_one(of):
            if self.plain is None:
                self.plain = self.forms.plain.known(of.context), called, of.context
            known, called, _ = self.plain
        return of.replace(
            lowering_parameters=mlir.LoweringParameters(), lowering_cache=known, cached_primitive_lowerings=called
        )

    def learn(self) -> None:
        if self.plain is not None:
            self.forms.plain.learn(self.plain[0], self.plain[2])


_lowering: ContextVar[Lowering] = ContextVar("what is being lowered")


def note_rules(rules: Sequence[AnyRule]) -> None:
    """The module that is being lowered names these rules: they must live as long as it does."""
    _lowering.get().rules.extend(rules)


def _has_more_to_say(jaxpr: Any) -> bool:
    """Whether a function calls back into Python, has effects or large constants, or says where things lie."""
    return bool(jaxpr.effects) or bool(jax_core.jaxpr_const_args(jaxpr)) or says_where(jaxpr) or _calls_back(jaxpr)


def _calls_back(jaxpr: Any) -> bool:
    return any(
        "callback" in eqn.primitive.name
        or not is_lowered_by_jax(eqn.primitive)
        or any(map(_calls_back, jax_core.jaxprs_in_params(eqn.params)))
        for eqn in jaxpr.eqns
    )


def _call_with_rule(ctx: mlir.LoweringRuleContext, rule: OwnRule, args: Values) -> Values:
    """A call to the primitive as a private function that names its rule.

    A derivative mostly calls the rule in the function's place, so that is lowered when someone asks for it.
    """
    here = _lowering.get()
    if rule in here.declared:
        return _call(here.declared[rule], rule.primitive, args)
    note_rules([rule])
    name = f"{rule.primitive.name}_{len(here.rules)}"
    outer = ctx.module_context
    if is_for_one(outer) and rule.can_wait:
        outs = map(jax_core.physical_aval, ctx.avals_out)
        types = [ir.RankedTensorType.get(a.shape, mlir.dtype_to_ir_type(a.dtype)) for a in outs]
        with outer.ip:
            made = declared(name, rule.id, [x.type for x in args], types)
        outer.symbol_table.insert(made.operation)
        here.declared[rule] = made
    else:
        made, *_ = mlir.lower_called_computation(
            name, rule.traced, here.plainly(outer), 0, rule.traced.in_avals, rule.traced.out_avals, mlir.TokenSet()
        )
        made.operation.attributes["gradir.rule"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), rule.id)
    return _call(made, rule.primitive, args)


def _call(made: func.FuncOp, primitive: jax_core.Primitive, args: Values) -> Values:
    call = func.CallOp(made.type.results, ir.FlatSymbolRefAttr.get(made.name.value), list(args))
    call.operation.attributes["gradir.primitive"] = ir.StringAttr.get(primitive.name)
    return list(call.results)


def _call_written(
    ctx: mlir.LoweringRuleContext,
    primitive: jax_core.Primitive,
    make: Callable[..., Elementwise],
    xs: Values,
    *how: int,
) -> Values:
    """A call to a function whose rule is written out: one for all operands of a type."""
    here, outer = _lowering.get(), ctx.module_context
    key = make, str(xs[0].type), how
    if key not in here.forms.written:
        here.forms.written[key] = make(str(xs[0].type), *how)
    rule = here.forms.written[key]
    if rule not in here.declared:
        note_rules([rule])
        with outer.ip:
            here.declared[rule] = declared(rule.name, rule.id, [x.type for x in xs], [xs[0].type])
        outer.symbol_table.insert(here.declared[rule].operation)
    return _call(here.declared[rule], primitive, xs)


def _conj(x: Any) -> Any:
    return jax.numpy.conj(x) if jax.numpy.iscomplexobj(x) else x


def _stop_gradient(ctx: mlir.LoweringRuleContext, x: Any) -> Values:
    if not is_inexact(ctx.avals_in[0]):
        return [x]
    x.context.allow_unregistered_dialects = True  # gradir reads this module, no one else
    return list(ir.Operation.create("enzyme.ignore_derivatives", results=[x.type], operands=[x]).results)


def _custom(primitive: jax_core.Primitive, mode: str) -> mlir.LoweringRule:
    """`custom_jvp` and `custom_vjp`: the user's rule."""

    def lower(ctx: mlir.LoweringRuleContext, *args: Any, **params: Any) -> Values:
        if is_call_of(jax.nn.relu, params["call_jaxpr"]) and is_inexact(ctx.avals_in[0]):
            return _relu(ctx, *args)
        if is_call_of(logaddexp, params["call_jaxpr"]) and len(args) == 2 and _is_plain(ctx):
            return _call_written(ctx, primitive, written.logaddexp, _repeated(args))
        rule = OwnRule(primitive, params, list(ctx.avals_in), frozenset({mode}), params["call_jaxpr"])
        return _call_with_rule(ctx, rule, args)

    return lower


def _relu(ctx: mlir.LoweringRuleContext, x: Any) -> Values:
    """A choice whose derivative at 0 is that of JAX's rule, 0: no program has this rule lowered by itself.

    Written so that what is not a number stays so.
    """
    (aval,) = ctx.avals_in
    zero = mlir.full_like_aval(ctx, 0, aval)
    is_off = hlo.compare(x, zero, hlo.ComparisonDirectionAttr.get("LE"))
    return [constrained(ctx, hlo.select(is_off, zero, x), aval)]


def _opaque(primitive: jax_core.Primitive) -> mlir.LoweringRule:
    """A primitive with JAX's own rules."""

    def lower(ctx: mlir.LoweringRuleContext, *args: Any, **params: Any) -> Values:
        return _call_with_rule(ctx, _rule_of(ctx, primitive, params), args)

    return lower


def _rule_of(ctx: mlir.LoweringRuleContext, primitive: jax_core.Primitive, params: dict[str, Any]) -> OwnRule:
    """JAX's rule of a primitive; in a program, that of equal equations is one."""

    def make() -> OwnRule:
        return OwnRule(primitive, params, list(ctx.avals_in), frozenset({"jvp", "vjp"}))

    if not is_for_one(ctx.module_context):
        return make()
    known = _lowering.get().forms.rules
    key = primitive, parameters(params), tuple(ctx.avals_in)
    if key not in known:
        known[key] = make()
    return known[key]


def _logistic(ctx: mlir.LoweringRuleContext, x: Any, **_: Any) -> Values:
    """As one op, whose derivative needs its result alone, where JAX emits its definition by an exponential."""
    return [hlo.logistic(x)]


def _integer_pow(ctx: mlir.LoweringRuleContext, x: Any, *, y: int) -> Values:
    """1 / x ** n by JAX's rule: a quotient's derivative has the square of it as a factor, which may be out of range."""
    if y >= -1:
        return integer_pow(ctx, x, y=y)
    if _is_plain(ctx):
        return _call_written(ctx, lax.integer_pow_p, written.negative_power, [x], y)
    return _opaque(lax.integer_pow_p)(ctx, x, y=y)


def _abs(ctx: mlir.LoweringRuleContext, x: Any) -> Values:
    """Its derivative at 0 is 1 in JAX."""
    if not is_inexact(ctx.avals_in[0]):
        return list(lowering_of(lax.abs_p)(ctx, x))
    return _call_written(ctx, lax.abs_p, written.absolute, [x]) if _is_plain(ctx) else _opaque(lax.abs_p)(ctx, x)


def _is_plain(ctx: mlir.LoweringRuleContext) -> bool:
    """Whether an equation is one of real arrays of one type, or scalars, on one device."""
    types, shapes = {a.dtype for a in ctx.avals_in}, {a.shape for a in ctx.avals_in} - {()}
    alike = len(types) == 1 and len(shapes) <= 1
    return is_for_one(ctx.module_context) and alike and bool(jax.numpy.issubdtype(*types, np.floating))


def _repeated(xs: Values) -> Values:
    """Scalars as arrays of the others' shape."""
    largest = max((x.type for x in xs), key=lambda t: len(t.shape))
    nowhere = ir.DenseI64ArrayAttr.get([])
    return [x if x.type == largest else hlo.broadcast_in_dim(largest, x, nowhere) for x in xs]


def _remat(ctx: mlir.LoweringRuleContext, *args: Any, jaxpr: Any, policy: Any, **_: Any) -> Values:
    """`jax.checkpoint`: a function whose backward sweep computes it again, but for what its policy saves."""
    closed = jax_core.ClosedJaxpr(jaxpr, ())
    again = policy is not jax.checkpoint_policies.everything_saveable and not isinstance(policy, Policy)
    if again and policy not in (None, jax.checkpoint_policies.nothing_saveable):
        closed = jax.make_jaxpr(functools.partial(_with_saves, closed, policy))(*closed.in_avals)
    made, *_rest = mlir.lower_called_computation(
        "checkpoint", closed, ctx.module_context, 0, ctx.avals_in, ctx.avals_out, mlir.TokenSet()
    )
    if again:
        made.operation.attributes["gradir.remat"] = ir.UnitAttr.get()
    elif isinstance(policy, Policy):
        made.operation.attributes[CHECKPOINTING] = ir.StringAttr.get(str(policy))
    return list(func.CallOp(made.type.results, ir.FlatSymbolRefAttr.get(made.name.value), list(args)).results)


def _with_saves(closed: Any, policy: Any, *args: Any) -> Values:
    """Evaluate a function, with marks at what a policy saves. (What is saved in a loop is computed again.)"""
    env = dict(zip((*closed.jaxpr.constvars, *closed.jaxpr.invars), (*closed.consts, *args), strict=True))

    def read(v: Any) -> Any:
        return v.val if isinstance(v, jax_core.Literal) else env[v]

    for eqn in closed.jaxpr.eqns:
        given = [read(v) for v in eqn.invars]
        if eqn.primitive is pjit.jit_p:
            outs = _with_saves(eqn.params["jaxpr"], policy, *given)
        else:
            found = eqn.primitive.bind(*given, **eqn.primitive.get_bind_params(eqn.params))
            outs = found if eqn.primitive.multiple_results else [found]
            if saves(policy, eqn):
                outs = [saved_p.bind(x) for x in outs]
        env.update(zip(eqn.outvars, outs, strict=True))
    return [read(v) for v in closed.jaxpr.outvars]


saved_p = jax_core.Primitive("gradir_saved")
saved_p.def_abstract_eval(lambda x: x)


def _saved(ctx: mlir.LoweringRuleContext, x: Any) -> Values:
    return list(ir.Operation.create("gradir.saved", results=[x.type], operands=[x]).results)


mlir.register_lowering(saved_p, _saved)


OPAQUE = [
    lax.integer_pow_p,  # by negative numbers; where no rule of ours is at hand, as for
    lax.abs_p,  # whose derivative at 0 is 1 in JAX
    special.igamma_p,
    special.igammac_p,
    special.regularized_incomplete_beta_p,
    special.bessel_i0e_p,  # by polynomials that overflow where they are not taken
    random.random_gamma_p,
    loops.cumlogsumexp_p,
    solves.linear_solve_p,
    linalg.cholesky_p,  # and the other factorisations, whose lowering differs from platform to platform
    linalg.eig_p,
    linalg.eigh_p,
    linalg.lu_p,
    linalg.qr_p,
    linalg.svd_p,
    parallel.all_gather_invariant_p,  # whose transpose takes each device's part
    parallel.ragged_all_to_all_p,
]
"""Primitives whose lowering can't be differentiated, or not as JAX does: its derivative of them serves both modes."""


@jax.custom_jvp
def _betainc(a: Any, b: Any, x: Any) -> Any:
    return special.regularized_incomplete_beta_p.bind(a, b, x)


@functools.partial(_betainc.defjvp, symbolic_zeros=True)
def _(primals: Any, tangents: Any) -> Any:
    """By x as in JAX; by a and b, where JAX refuses, by the tangents of its continued fraction."""
    a, b, x = primals
    inside = (x > 0) & (x < 1)  # at both ends it is 0 or 1, whatever a and b are
    wide = [v.astype(jax.numpy.promote_types(v.dtype, np.float32)) for v in jax.numpy.broadcast_arrays(a, b, x)]
    wide[2] = jax.numpy.where(inside, wide[2], 0.5)

    def by(i: int) -> Any:
        if i == 2:
            return special.betainc_gradx(jax.numpy.ones_like(x), a, b, x)
        of = functools.partial(special.regularized_incomplete_beta_impl, dtype=wide[i].dtype)
        ones = jax.numpy.ones_like(wide[i])
        slope = jax.jvp(lambda v: of(*wide[:i], v, *wide[i + 1 :]), (wide[i],), (ones,))[1]
        return jax.numpy.where(inside, slope, 0).astype(x.dtype)

    moved = [t * by(i) for i, t in enumerate(tangents) if not isinstance(t, custom_derivatives.SymbolicZero)]
    return special.regularized_incomplete_beta_p.bind(a, b, x), sum(moved)


OTHERWISE: dict[jax_core.Primitive, Callable[..., Any]] = {special.regularized_incomplete_beta_p: _betainc}
"""Functions in the place of primitives of which JAX has only some derivatives."""

_nested: list[tuple[jax_core.Primitive, mlir.LoweringRule]] = []


def lower_nested(primitive: jax_core.Primitive, rule: mlir.LoweringRule) -> None:
    """Say how a primitive of gradir's own is lowered inside another of its transforms."""
    _nested.append((primitive, rule))
    overrides.cache_clear()


def lower_opaquely(primitive: jax_core.Primitive) -> None:
    """Let a primitive of gradir's own have JAX's derivatives inside another of its transforms."""
    OPAQUE.append(primitive)
    overrides.cache_clear()


# -- values that differ from device to device, and such that all share -------------------------------------------------


def _vary(ctx: mlir.LoweringRuleContext, x: Any, *, axes: Any) -> Values:
    """A value that devices share becomes one that each has for itself, and whose cotangents are to be added up."""
    if not is_inexact(ctx.avals_in[0]):
        return [x]
    (added,) = lowering_of(parallel.psum_invariant_p)(ctx, x, axes=axes)
    like = added.owner  # among the same devices, and not wanted itself
    made = ir.Operation.create(VARY, results=[x.type], operands=[x], attributes=dict(like.attributes.items()))
    like.erase()
    return list(made.results)


def _shared(primitive: jax_core.Primitive) -> mlir.LoweringRule:
    """A collective whose result devices share: so is its cotangent."""

    def lower(ctx: mlir.LoweringRuleContext, x: Any, **params: Any) -> Values:
        results = list(lowering_of(primitive)(ctx, x, **params))
        if checks_varying.value:
            for made in {r.owner for r in results if r.owner.name == "stablehlo.all_reduce"}:
                made.attributes[SHARED] = ir.UnitAttr.get()
        return results

    return lower


def _shard_map(ctx: mlir.LoweringRuleContext, *args: Any, check_vma: bool, **params: Any) -> Values:
    """A `shard_map` that says of its values along which axes they differ (`check_vma`) is marked as such."""
    results = list(lowering_of(shard_map.shard_map_p)(ctx, *args, check_vma=check_vma, **params))
    if check_vma:
        for made in {_behind_constraint(r) for r in results}:
            if made.name == "sdy.manual_computation":
                made.attributes[SHARED] = ir.UnitAttr.get()
    return results


def _behind_constraint(value: ir.Value) -> ir.Operation:
    """The op that makes a value; JAX 0.11 says of a shard_map's results how they lie."""
    made = value.owner
    while made.name == "sdy.sharding_constraint":
        made = made.operands[0].owner
    return made


@functools.cache
def overrides() -> tuple[tuple[jax_core.Primitive, mlir.LoweringRule], ...]:
    jvp_call, vjp_call = custom_derivatives.custom_jvp_call_p, custom_derivatives.custom_vjp_call_p
    return (
        (ad_util.stop_gradient_p, _stop_gradient),
        (jvp_call, _custom(jvp_call, "jvp")),
        (vjp_call, _custom(vjp_call, "vjp")),
        (lax.integer_pow_p, _integer_pow),
        (lax.abs_p, _abs),
        *((p, _opaque(p)) for p in OPAQUE),
        (lax.logistic_p, _logistic),
        (ad_checkpoint.remat_p, _remat),
        *((p, _vary) for p in (jax_core.pvary_p, parallel.preduced_p)),
        *((p, _shared(p)) for p in (parallel.psum_invariant_p, parallel.unreduced_psum_p)),
        *((p, _shared(p)) for p in (parallel.pmax_p, parallel.pmin_p)),
        (shard_map.shard_map_p, _shard_map),
        *_nested,
    )


def lower(traced: Any, forms: ProgramForms | None = None) -> Lowered:
    """A `jax.jit(f).trace(…)` as a module of gradir's, with `main` as its entry.

    Of a rule, it is known what equations of the program were lowered to.
    """
    here = Lowering(forms or ProgramForms())
    token = _lowering.set(here)
    try:
        module, calls_back = lowered_here(traced, overrides(), here.forms.ruled)
    finally:
        _lowering.reset(token)
    here.learn()
    if calls_back:
        raise NotAProgram(
            "the function calls back into Python, which no program can hold",
            hint="take the callback (jax.pure_callback, jax.debug.print) out of what is differentiated",
        )
    return Lowered(_own(module), here.rules)


def _own(module: ir.Module) -> ir.Module:
    """The module that JAX has made, as gradir has it. Only now its size is known to its context."""
    module.context.taken_in += len(to_bytecode(module))
    with module.context:
        drop_open(module)
    return module


def lowered_here(
    traced: Any, rules: Sequence[tuple[jax_core.Primitive, mlir.LoweringRule]], forms: Forms | None = None
) -> tuple[ir.Module, bool]:
    """A traced function, lowered in the scope that it was traced in; and whether it calls back into Python."""
    closed = traced.jaxpr
    scope = Scope.here(closed.in_avals)
    if _is_for_one_device(closed):
        return lowered_on(None, closed, rules, context(1), forms)
    if not scope.is_typed:
        module, calls_back = lowered_by(traced, rules, context(1))
        return clone(module), calls_back  # JAX may keep it
    with scope.entered():
        module, calls_back = lowered_on(scope.mesh, closed, rules, context(1))
    with module.context:
        drop_implied(module)
    return module, calls_back


def _is_for_one_device(closed: Any) -> bool:
    """Whether a jaxpr is lowered the same way wherever it runs, so that `jit` need not find out where that is."""
    no_mesh = Scope.here(closed.in_avals).mesh.empty and jax.config.jax_default_device is None
    return no_mesh and not closed.effects and not says_where(closed.jaxpr)


@dataclass(frozen=True)
class Alone:
    """What was traced, for one device."""

    jaxpr: Any


def with_open_consts(closed: Any) -> Any:
    """What was traced, with the constants that it closes over as its first arguments."""
    made = opened(closed)
    if _is_for_one_device(made):
        return Alone(made)
    fun = jax_core.jaxpr_as_fun(made)
    return jax.jit(fun, keep_unused=True).trace(*map(abstract, made.in_avals))


def lower_plainly(traced: Any) -> ir.Module:
    """As `lower`, as a module that stands by itself: of what JAX knows of derivatives it has nothing.

    Where derivatives end is said by `ended`, since JAX's own functions use `stop_gradient` where a rule of JAX's takes
    over: a linear solver ends the derivatives of the matrix that it factors, and its rule has those of the matrix.
    """
    return _own(lowered_here(traced, ((lax.logistic_p, _logistic),))[0])


def ended(x: Any) -> Any:
    """`stop_gradient`, for functions that are lowered plainly."""
    return ended_p.bind(x) if is_inexact(jax.typeof(x)) else x


ended_p = jax_core.Primitive("gradir_ended")
ended_p.def_impl(lambda x: x)
ended_p.def_abstract_eval(lambda x: x)
mlir.register_lowering(ended_p, _stop_gradient)


def content(lowered: Lowered) -> str:
    """The module's text without source locations, with rules named by their place instead of their number."""
    named = [f for f in functions(lowered.module).values() if "gradir.rule" in f.operation.attributes]
    numbers = [f.operation.attributes["gradir.rule"] for f in named]
    with lowered.module.context:
        for place, f in enumerate(named):
            f.operation.attributes["gradir.rule"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), place)
        found = to_text(lowered.module)
        for number, f in zip(numbers, named, strict=True):
            f.operation.attributes["gradir.rule"] = number
    return found
