"""Ops that are known by a name of their own: custom calls and composites, and the public way to give one a rule."""

from __future__ import annotations

from jaxlib.mlir import ir

from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.computation import count_up
from gradir.tensor.rules.control import Call
from gradir.tensor.rules.rule import Batch, Expand, Jvp, Rule, Site, Vjp, add, batched_type, transposed, zero_of

CUSTOM_CALLS: dict[str, Rule] = {}
"""The rules of custom-call targets, by name."""

COMPOSITES: dict[str, Rule] = {}
"""The rules of composites that are not differentiated as their decompositions, by name."""


def register_custom_call(
    target: str,
    *,
    jvp: Jvp | None = None,
    vjp: Vjp | None = None,
    batch: Batch | None = None,
    expand: Expand | None = None,
    inactive: bool = False,
) -> None:
    """Say how `stablehlo.custom_call @target` is differentiated and batched; the last word on a target counts.

    Each rule is a function of the *site*, which has the op's operands and results as expressions (`site.ins`,
    `site.outs`; arithmetic on them, and the functions of `gradir.tensor.ir.expr`, emit StableHLO) and its attributes
    (`site.attr`):

    - `jvp(site, tangents)` gives the tangent of each result; a tangent of None is zero;
    - `vjp(site, cotangents)` gives the cotangent of each operand (conjugated factors where they are complex), None
      where `site.active` does not ask for one. Without it, reverse mode transposes the jvp;
    - `batch(site)` gives the results with the batch dimension first, for operands of which those in `site.batched`
      have one. Without it, the call is made for one example after the other;
    - `expand(site)` gives the results by other ops, which are differentiated in place of the call;
    - `inactive=True`: the derivative is zero.

    >>> import gradir
    >>> gradir.register_custom_call("cube", jvp=lambda site, tangents: [tangents[0] * (3 * site.ins[0] * site.ins[0])])
    >>> text = '''func.func @f(%x: tensor<f64>) -> tensor<f64> {
    ...   %y = stablehlo.custom_call @cube(%x) : (tensor<f64>) -> tensor<f64>
    ...   return %y : tensor<f64> }'''
    >>> gradir.load(text).grad("f").run("grad_f", 2.0)
    array(12.)
    """
    CUSTOM_CALLS[target] = _rule(f"custom_call @{target}", jvp, vjp, batch, expand, inactive)


def register_composite(
    name: str,
    *,
    jvp: Jvp | None = None,
    vjp: Vjp | None = None,
    batch: Batch | None = None,
    expand: Expand | None = None,
    inactive: bool = False,
) -> None:
    """Give `stablehlo.composite "name"` a rule, as `register_custom_call` does for a custom call.

    Without one, a composite is differentiated as its decomposition.
    """
    COMPOSITES[name] = _rule(f'composite "{name}"', jvp, vjp, batch, expand, inactive)


def _rule(
    name: str, jvp: Jvp | None, vjp: Vjp | None, batch: Batch | None, expand: Expand | None, inactive: bool
) -> Rule:
    if vjp is None and jvp is not None and expand is None:
        vjp = transposed(jvp)
    if batch is None and expand is None:
        batch = one_by_one
    return Rule(name, jvp=jvp, vjp=vjp, batch=batch, expand=expand, inactive=inactive)


def one_by_one(site: Site) -> list[Expr]:
    """Batch any op without side effects: a loop over the examples."""

    def example(i: Expr, *so_far: Expr) -> list[Expr]:
        def starts(x: Expr) -> list[Expr]:
            return [i, *[E.full(i.type, 0)] * (x.rank - 1)]

        def own(x: Expr) -> Expr:
            return E.reshape(E.dynamic_slice(x, starts(x), [1, *x.shape[1:]]), x.shape[1:])

        results = site.again([own(x) if has else x for x, has in zip(site.ins, site.batched, strict=True)])
        return [
            E.dynamic_update_slice(stack, E.reshape(r, [1, *r.shape]), starts(stack))
            for stack, r in zip(so_far, results, strict=True)
        ]

    return count_up(site.size, example, [zero_of(batched_type(r.type, site.size)) for r in site.op.results])


# -- which rule --------------------------------------------------------------------------------------------------------


class Composite(Call):
    """A composite means what its decomposition does."""

    def symbol(self, op: ir.Operation) -> str:
        return ir.FlatSymbolRefAttr(op.attributes["decomposition"]).value


_DECOMPOSED = Rule("stablehlo.composite", control=Composite())


def _of_target(op: ir.Operation) -> Rule | None:
    return CUSTOM_CALLS.get(ir.StringAttr(op.attributes["call_target_name"]).value)


def _of_composite(op: ir.Operation) -> Rule:
    return COMPOSITES.get(ir.StringAttr(op.attributes["name"]).value, _DECOMPOSED)


add(Rule("stablehlo.custom_call", variant=_of_target))
add(Rule("stablehlo.composite", variant=_of_composite))
