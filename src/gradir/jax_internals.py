"""What gradir uses of JAX beyond its public interface. No other file imports `jax._src`.

JAX makes no promise to keep these, so each new version is tried before it is named here (`TESTED`): with
`tests/jax` and `tests/test_data_parallel.py`, in an environment of that version. Where two versions differ, this is the
file that knows.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import jax.numpy as jnp
from jax._src import (
    ad_checkpoint,
    ad_util,
    api_util,
    config,
    custom_derivatives,
    dispatch,
    pjit,
    pretty_printer,
    random,
    shard_map,
    source_info_util,
    traceback_util,
    util,
    xla_bridge,
)
from jax._src import core as jax_core
from jax._src.interpreters import ad, batching, mlir, partial_eval
from jax._src.lax import lax, linalg, other, parallel, special
from jax._src.lax.control_flow import loops, solves
from jax._src.sharding_impls import GSPMDSharding, ShardingContext, SPMDAxisContext
from jaxlib.mlir import ir

__all__ = [
    "TESTED",
    "ClosedOver",
    "Forms",
    "GSPMDSharding",
    "ad",
    "ad_checkpoint",
    "ad_util",
    "api_boundary",
    "batching",
    "checks_varying",
    "clear_with_jax",
    "constrained",
    "custom_derivatives",
    "dispatch",
    "has_open_shape",
    "hide_frames",
    "hoisted",
    "integer_pow",
    "is_call_of",
    "is_for_one",
    "is_lowered_by_jax",
    "is_partitioned",
    "jax_core",
    "lax",
    "linalg",
    "logaddexp",
    "loops",
    "lowered_by",
    "lowered_on",
    "lowering_of",
    "mlir",
    "opened",
    "parallel",
    "pjit",
    "print_by",
    "random",
    "saves",
    "says_where",
    "shard_map",
    "solves",
    "sourceinfo",
    "speak_of",
    "special",
    "use_axis_env",
]

TESTED = ("0.10.2", "0.11.2")
"""The versions of JAX that all of this is known to be right for."""

ClosedOver: type[Exception] = ad.CustomVJPException
"""What JAX raises where a `custom_vjp` is differentiated by a value that it closes over."""

integer_pow: mlir.LoweringRule = lax._integer_pow_lowering
"""How JAX lowers a power by an integer."""


logaddexp: Any = getattr(other, "logaddexp", jnp.logaddexp)
"""The function that has the rule: from JAX 0.10 on, `jax.numpy.logaddexp` calls it."""


# JAX makes an MLIR context for each module that it lowers, and takes none. Where gradir lowers (`_lowering_into`), and
# only in the thread that does, it finds one.
_context: ContextVar[ir.Context | None] = ContextVar("context", default=None)
_make_ir_context = mlir.make_ir_context
mlir.make_ir_context = lambda: _context.get() or _make_ir_context()


# Nor does it take what equations of other modules in the same context were lowered to.
_forms: ContextVar[dict[Any, Any] | None] = ContextVar("forms", default=None)
_init_module_context = mlir.ModuleContext.__init__


def _with_forms(self: mlir.ModuleContext, *args: Any, **given: Any) -> None:
    """The next module that is lowered, and none that JAX lowers on the way, begins with what is known."""
    known = _forms.get()
    if known is not None:
        _forms.set(None)
        given["lowering_cache"] = known
    _init_module_context(self, *args, **given)


if "lowering_cache" in inspect.signature(mlir.ModuleContext).parameters:
    mlir.ModuleContext.__init__ = _with_forms


@contextmanager
def _lowering_into(context: ir.Context, known: dict[Any, Any] | None = None) -> Iterator[None]:
    """Let JAX lower in an MLIR context that is there: to make one takes as long as to lower a small program.

    What equations were lowered to before may be known, and is added to.
    """
    tokens = _context.set(context), _forms.set(known)
    try:
        yield
    finally:
        _context.reset(tokens[0])
        _forms.reset(tokens[1])


class Forms:
    """What equations are lowered to, for modules that are lowered one after the other, by the same rules.

    JAX lowers equal equations of a module once, to a function whose ops it copies to where they stand, and forgets it
    with the module. A function that names nothing of its module is as good for the next one.
    """

    def __init__(self) -> None:
        self._known: dict[Any, Any] = {}
        self._context: ir.Context | None = None

    def known(self, context: ir.Context) -> dict[Any, Any]:
        """What is known for a module in a context, to be added to while that is lowered."""
        if context is not self._context:
            self._context, self._known = context, {}
        return dict(self._known)

    def learn(self, found: dict[Any, Any], context: ir.Context) -> None:
        """Keep what has been added in a context, as far as another module there can have it."""
        if context is self._context:
            self._known |= {
                k: v
                for k, v in found.items()
                if k not in self._known and getattr(v, "inline", False) and _stands_alone(v.func)
            }


def _stands_alone(function: Any) -> bool:
    """Whether what an equation was lowered to names no function and no mesh, and speaks to no other device."""
    stands = True

    def visit(op: ir.Operation) -> ir.WalkResult:
        nonlocal stands
        name = op.name
        stands = name.startswith(_ALONE) and name not in _NAMING
        return ir.WalkResult.ADVANCE if stands else ir.WalkResult.INTERRUPT

    function.operation.walk(visit, ir.WalkOrder.PRE_ORDER)
    return stands


_ALONE = ("stablehlo.", "chlo.", "enzyme.ignore_derivatives", "func.func", "func.return")
_NAMING = frozenset(
    f"stablehlo.{name}"
    for name in (
        "all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "composite",
        "custom_call", "infeed", "outfeed", "recv", "reduce_scatter", "send",
    )
)  # fmt: skip
"""Ops that may name functions, or channels that a module has numbered."""


Rules = Sequence[tuple[jax_core.Primitive, mlir.LoweringRule]]


def lowered_by(traced: Any, rules: Rules, context: ir.Context) -> tuple[ir.Module, bool]:
    """A `jax.jit(f).trace(…)` lowered with these rules in the place of JAX's, and whether it calls back into Python."""
    with _lowering_into(context):
        lowered = traced.lower(_private_parameters=mlir.LoweringParameters(override_lowering_rules=tuple(rules)))
    return lowered.compiler_ir("stablehlo"), bool(lowered._lowering.compile_args["host_callbacks"])


_LOWERING_TAKES = frozenset(inspect.signature(mlir.lower_jaxpr_to_module).parameters)
"""From JAX 0.11 on, `out_avals` among others."""


def lowered_on(
    mesh: Any, closed: Any, rules: Rules, context: ir.Context, forms: Forms | None = None
) -> tuple[ir.Module, bool]:
    """The same for a jaxpr on an abstract mesh, some axes of which may be manual (as inside a `shard_map`).

    Without a mesh, it is for one device; of which, its equations must not say (`says_where`). `forms` holds what
    equations of other modules in this context were lowered to, by the same rules and for the same devices.
    """
    backend = xla_bridge.get_backend()
    manual = frozenset(mesh.manual_axes) if mesh is not None else frozenset()
    size = 1 if mesh is None else mesh.size
    newer = {"out_avals": closed.out_avals} if "out_avals" in _LOWERING_TAKES else {}
    forms = Forms() if forms is None else forms
    known = forms.known(context)
    with _lowering_into(context, known):
        lowered = mlir.lower_jaxpr_to_module(
            "main",
            closed,
            num_const_args=0,
            in_avals=closed.in_avals,
            ordered_effects=[],
            platforms=(backend.platform,),
            backend=backend,
            axis_context=SPMDAxisContext(mesh, manual) if manual else ShardingContext(size, None, mesh),
            **newer,
            donated_args=(False,) * len(closed.in_avals),
            arg_names=_names_of(closed.jaxpr),
            num_partitions=size,
            lowering_parameters=mlir.LoweringParameters(override_lowering_rules=tuple(rules)),
        )
    forms.learn(known, context)
    return lowered.module, bool(lowered.host_callbacks)


def _names_of(jaxpr: Any) -> Any:
    """The names of a function's arguments; not those of one with some that are no arrays, which it names as well."""
    about, count = jaxpr.debug_info, len(jaxpr.invars)
    return None if about.arg_names is not None and len(about.arg_names) != count else about.safe_arg_names(count)


_WHERE = frozenset(
    ("call_exported", "compute_on", "device_put", "mesh_cast", "reshard", "shard_map", "sharding_constraint")
)


def says_where(jaxpr: Any) -> bool:
    """Whether equations of a jaxpr say on which devices, or in what memory, values lie: `jit` knows what follows."""
    return any(
        eqn.primitive.name in _WHERE or any(map(says_where, jax_core.jaxprs_in_params(eqn.params)))
        for eqn in jaxpr.eqns
    )


def opened(closed: Any) -> Any:
    """A jaxpr whose first arguments are the constants that it closes over."""
    return jax_core.ClosedJaxpr(partial_eval.convert_constvars_jaxpr(closed.jaxpr), ())


def is_lowered_by_jax(primitive: jax_core.Primitive) -> bool:
    """Whether no other package says how a primitive is lowered: others may call anything, Python too."""
    tables = (mlir._lowerings, *mlir._platform_specific_lowerings.values())
    return all(_maker(table[primitive].rule).startswith("jax.") for table in tables if primitive in table)


def _maker(rule: Any) -> str:
    while isinstance(rule, functools.partial):
        rule = rule.func
    return f"{getattr(rule, '__module__', '')}."


def lowering_of(primitive: jax_core.Primitive) -> mlir.LoweringRule:
    """How JAX lowers a primitive, on every platform."""
    return mlir._lowerings[primitive].rule


checks_varying = config._check_vma
"""Whether JAX checks which values in a `shard_map` vary along which axes: to be read (`.value`) and to be set."""

constrained = mlir.lower_with_sharding_in_types
"""A value, where its type says how it lies on the mesh, with the annotation that says so."""


def is_partitioned(ctx: mlir.LoweringRuleContext) -> bool:
    """Whether what is lowered is for several devices, and Shardy decides who has what."""
    context = ctx.module_context.axis_context
    several = isinstance(context, ShardingContext) and context.num_devices > 1
    return several and bool(config.use_shardy_partitioner.value)


def is_for_one(context: mlir.ModuleContext) -> bool:
    """Whether a module is lowered for one device, and on no mesh."""
    axes = context.axis_context
    return isinstance(axes, ShardingContext) and axes.num_devices == 1 and axes.abstract_mesh is None


@contextmanager
def use_axis_env(names: Any) -> Iterator[None]:
    """Let collectives know these names of axes, and no others."""
    before = jax_core.get_axis_env()
    jax_core.trace_ctx.set_axis_env(names)
    try:
        yield
    finally:
        jax_core.trace_ctx.set_axis_env(before)


def hoisted(traced: Any) -> list[Any]:
    """The values from outside that JAX makes a traced function's first arguments, since one of them is a tracer."""
    return list(traced._consts)


def saves(policy: Any, eqn: Any) -> bool:
    """Whether a policy of `jax.checkpoint` keeps the results of an equation (to offload them is to keep them, here)."""
    answer = policy(eqn.primitive, *(v.aval for v in eqn.invars), **eqn.params)
    return not isinstance(partial_eval.ensure_enum(answer), partial_eval.RecomputeType)


def has_open_shape(avals: Sequence[Any]) -> bool:
    """Whether some array has dimensions that are symbols, as `jax.export` takes them."""
    return not all(jax_core.is_constant_shape(a.shape) for a in avals if hasattr(a, "shape"))


def speak_of(fun: Any, traced_for: str, about: str, names: Sequence[str]) -> None:
    """Let JAX's messages on a function that stands for another speak of that, and name arguments by its names."""
    api_util.save_wrapped_fun_debug_info(
        fun, api_util.debug_info(traced_for, fun, (), {}, sourceinfo=about)._replace(arg_names=tuple(names))
    )


sourceinfo = api_util.fun_sourceinfo
"""A function's name and the place where it is written, as JAX's messages have it."""


def is_call_of(fun: Any, closed: Any) -> bool:
    """Whether a jaxpr is what a function of JAX's own was traced to, by the place where that is written."""
    return bool(closed.jaxpr.debug_info.func_src_info == sourceinfo(fun))


api_boundary = traceback_util.api_boundary
"""What makes a function filter the tracebacks of its errors."""


class _Cache:
    """What JAX asks of what it clears."""

    def __init__(self, clear: Callable[[], None]) -> None:
        self.cache_clear = clear


_cleared: list[_Cache] = []
"""JAX does not keep them."""


def clear_with_jax(clear: Callable[[], None], of: str) -> None:
    """Let `jax.clear_caches()` clear something of gradir's, too."""
    _cleared.append(_Cache(clear))
    util.register_cache(_cleared[-1], of)  # type: ignore[arg-type]


def hide_frames(folder: str) -> None:
    """Leave the files of a folder out of filtered tracebacks, and of the places where ops come from."""
    traceback_util.register_exclusion(folder)
    source_info_util.register_exclusion(folder)


def print_by(primitive: jax_core.Primitive, about: Any) -> None:
    """Let a primitive be printed in jaxprs with the text that `about` gives for its parameters."""

    def rule(eqn: Any, context: Any, settings: Any) -> Any:
        left = jax_core.pp_vars(eqn.outvars, context, print_shapes=settings.print_shapes)
        lines = about(**eqn.params).split("\n")
        inside = pretty_printer.concat([pretty_printer.brk(""), *_lines(lines)])
        return pretty_printer.concat(
            [
                left,
                pretty_printer.text(f" = {eqn.primitive.name}["),
                pretty_printer.group(pretty_printer.concat([pretty_printer.nest(2, inside), pretty_printer.brk("")])),
                pretty_printer.text("] "),
                jax_core.pp_vars(eqn.invars, context),
            ]
        )

    jax_core.pp_eqn_rules[primitive] = rule


def _lines(lines: Sequence[str]) -> list[Any]:
    shown: list[Any] = []
    for i, line in enumerate(lines):
        shown += [pretty_printer.brk()] * (i > 0) + [pretty_printer.text(line)]
    return shown
