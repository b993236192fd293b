"""Programs as JAX primitives, so that every JAX transformation works on them.

`program_p` calls a program. Under `jax.vmap` it becomes the batched program, under `jax.jvp` the program and its
`tangent_p`, which is linear in the tangents and so can be transposed by `jax.grad`. Their parameter `source` is the
traced function, where that names devices: JAX looks into functions that primitives hold to know where they run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func, sdy

from gradir.jax.lowering import lower_nested, note_rules
from gradir.jax.program import Program, differentiable, picked
from gradir.jax_internals import ad, batching, constrained, dispatch, is_partitioned, jax_core, mlir, print_by
from gradir.tensor.analysis.activity import Mask

Values = Sequence[Any]

program_p = jax_core.Primitive("gradir_program")
program_p.multiple_results = True
tangent_p = jax_core.Primitive("gradir_tangent")
tangent_p.multiple_results = True


def call(program: Program, *args: Any) -> list[Any]:
    return program_p.bind(*args, program=program, source=program.source)


def _tangents(program: Program, active: Mask, primals: Values, tangents: Values) -> list[Any]:
    return tangent_p.bind(*primals, *tangents, program=program, active=active, source=program.source)


def pushforward(program: Program, active: Mask) -> Program:
    return program.forward(active, differentiable(program.outs))


# -- what a call is ----------------------------------------------------------------------------------------------------

program_p.def_impl(partial(dispatch.apply_primitive, program_p))
tangent_p.def_impl(partial(dispatch.apply_primitive, tangent_p))


@program_p.def_abstract_eval
def _program_types(*_: Any, program: Program, source: Any = None) -> Sequence[Any]:
    return program.outs


@tangent_p.def_abstract_eval
def _tangent_types(*_: Any, program: Program, active: Mask, source: Any = None) -> Sequence[Any]:
    # Known without deriving: `jax.grad` transposes what is never run forwards, and may have no rule for that.
    return picked(program.outs, differentiable(program.outs))


# -- printing in jaxprs ------------------------------------------------------------------------------------------------


def _about_program(program: Program, source: Any = None) -> str:
    return program.listing


def _about_tangent(program: Program, active: Mask, source: Any = None) -> str:
    return f"tangent of {program}"


print_by(program_p, _about_program)
print_by(tangent_p, _about_tangent)


# -- lowering ----------------------------------------------------------------------------------------------------------


def _emit(ctx: mlir.LoweringRuleContext, bytecode: bytes, args: Values) -> Values:
    """Merge a program into the module that JAX is building, and call it."""
    module = ctx.module_context.module
    made = ir.Module.parse(bytecode, module.context)
    main = next(op for op in made.body.operations if isinstance(op, func.FuncOp) and op.name.value == "main")
    results = list(main.type.results)
    symbol = mlir.merge_mlir_modules(module, "gradir", made, dst_symtab=ctx.module_context.symbol_table)
    made_here = func.CallOp(results, ir.FlatSymbolRefAttr.get(symbol), list(args)).results
    return [constrained(ctx, x, aval) for x, aval in zip(made_here, ctx.avals_out, strict=True)]


def _lower_program(ctx: mlir.LoweringRuleContext, *args: Any, program: Program, source: Any = None) -> Values:
    results = _emit(ctx, program.bytecode(), args)
    if is_partitioned(ctx):
        _lie_alike(ctx.module_context.module, [(args[i], results[k]) for i, k in program.twins])
    return results


def _lie_alike(module: ir.Module, pairs: Sequence[tuple[ir.Value, ir.Value]]) -> None:
    """Let the partitioner split two values of a pair in the same way."""
    first = len(module.body.operations) << 16  # each program that is merged into the module has made it longer
    for number, pair in enumerate(pairs, first):
        for value in pair:
            sdy.ShardingGroupOp(value, number)


def _lower_tangent(
    ctx: mlir.LoweringRuleContext, *args: Any, program: Program, active: Mask, source: Any = None
) -> Values:
    return _emit(ctx, pushforward(program, active).bytecode(), args)


mlir.register_lowering(program_p, _lower_program)
mlir.register_lowering(tangent_p, _lower_tangent)


def _emit_with_rules(ctx: mlir.LoweringRuleContext, program: Program, args: Values) -> Values:
    """A program inside another gradir transform: with its rules, for the derivative to come."""
    note_rules(program.rules)
    return _emit(ctx, program.with_rules(), args)


def _lower_nested_program(ctx: mlir.LoweringRuleContext, *args: Any, program: Program, source: Any = None) -> Values:
    return _emit_with_rules(ctx, program, args)


def _lower_nested_tangent(
    ctx: mlir.LoweringRuleContext, *args: Any, program: Program, active: Mask, source: Any = None
) -> Values:
    return _emit_with_rules(ctx, pushforward(program, active), args)


lower_nested(program_p, _lower_nested_program)
lower_nested(tangent_p, _lower_nested_tangent)


# -- jvp and transpose -------------------------------------------------------------------------------------------------


def _program_jvp(primals: Values, tangents: Values, *, program: Program, source: Any = None) -> tuple[Values, Values]:
    active = tuple(
        type(t) is not ad.Zero and inexact for t, inexact in zip(tangents, differentiable(program.ins), strict=True)
    )
    outs = call(program, *primals)
    given = [ad.instantiate_zeros(t) for t, a in zip(tangents, active, strict=True) if a]
    moved = iter(_tangents(program, active, primals, given))
    out_tangents = [
        next(moved) if inexact else ad.Zero(jax.typeof(o).to_tangent_aval())
        for o, inexact in zip(outs, differentiable(program.outs), strict=True)
    ]
    return outs, out_tangents


ad.primitive_jvps[program_p] = _program_jvp


def _tangent_jvp(
    primals: Values, tangents: Values, *, program: Program, active: Mask, source: Any = None
) -> tuple[Values, Values]:
    return _program_jvp(primals, tangents, program=pushforward(program, active))


ad.primitive_jvps[tangent_p] = _tangent_jvp


def _program_transpose(cotangents: Values, *args: Any, program: Program, source: Any = None) -> Values:
    """Of a program that is linear in the arguments that are not known: their derivative, taken anywhere."""
    linear = tuple(ad.is_undefined_primal(x) for x in args)
    rets = differentiable(program.outs)
    given = [ad.instantiate_zeros(ct) for ct, r in zip(cotangents, rets, strict=True) if r]
    primals = [jax.numpy.zeros(x.aval.shape, x.aval.dtype) if l else x for x, l in zip(args, linear, strict=True)]
    gradients = iter(call(program.reverse(linear, rets, False), *primals, *given))
    return [next(gradients) if l else None for l in linear]


ad.primitive_transposes[program_p] = _program_transpose


def _tangent_transpose(cotangents: Values, *args: Any, program: Program, active: Mask, source: Any = None) -> Values:
    n = len(program.ins)
    rets = differentiable(program.outs)
    full = iter(ad.instantiate_zeros(ct) for ct in cotangents)
    given = [next(full) for r in rets if r]
    gradients = call(program.reverse(active, rets, False), *args[:n], *given)
    return [None] * n + list(gradients)


ad.primitive_transposes[tangent_p] = _tangent_transpose


# -- batching ----------------------------------------------------------------------------------------------------------


def _to_front(args: Values, dims: Sequence[Any]) -> list[Any]:
    return [x if d is None else jax.numpy.moveaxis(x, d, 0) for x, d in zip(args, dims, strict=True)]


def _batch(args: Values, dims: Sequence[Any]) -> tuple[int, Any]:
    """How many there are in a batch, and over which axes of the mesh they are split, by their types."""
    found = ((jax.typeof(x), d) for x, d in zip(args, dims, strict=True) if d is not None)
    return next((t.shape[d], t.sharding.spec[d]) for t, d in found)


def _batch_program(
    args: Values, dims: Sequence[Any], *, program: Program, source: Any = None
) -> tuple[Values, Sequence[Any]]:
    mask = tuple(d is not None for d in dims)
    many, has = program.batch(mask, *_batch(args, dims))
    outs = call(many, *_to_front(args, dims))
    return outs, [0 if h else None for h in has]


def _batch_tangent(
    args: Values, dims: Sequence[Any], *, program: Program, active: Mask, source: Any = None
) -> tuple[Values, Sequence[Any]]:
    """The tangent of the batched program: an argument is batched if it or its tangent is."""
    n, (size, axes) = len(program.ins), _batch(args, dims)
    spread = [batching.bdim_at_front(x, d, size, axes) for x, d in zip(args, dims, strict=True)]
    many = program.batch_all((True,) * n, size, axes)
    outs = _tangents(many, active, spread[:n], spread[n:])
    return outs, [0] * len(outs)


batching.primitive_batchers[program_p] = _batch_program
batching.primitive_batchers[tangent_p] = _batch_tangent
