"""Calls of linear algebra routines: LAPACK's on the CPU, those of cuSOLVER and hipSOLVER on a GPU, as JAX makes them.

All take stacks of matrices, in leading dimensions, so a batch is one dimension more. A routine may overwrite its
operands; what it leaves of them comes back as results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import sdy
from jaxlib.mlir.dialects import stablehlo as hlo

from gradir.errors import NoRule
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.rules.linalg import Triangle, solve_triangular
from gradir.tensor.rules.rule import Site, batched_type, with_batch

# -- calls -------------------------------------------------------------------------------------------------------------


def options_of(site: Site) -> dict[str, Any]:
    """The routine's options, as numbers: letters are character codes on the CPU, flags are Booleans on a GPU."""
    attr = site.get("mhlo.backend_config") or site.get("backend_config")
    if not isinstance(attr, ir.DictAttr):
        return {}
    return {attr[i].name: attr[i].attr.value for i in range(len(attr)) if hasattr(attr[i].attr, "value")}


def letter(letter: str) -> ir.Attribute:
    return ir.IntegerAttr.get(ir.IntegerType.get_unsigned(8), ord(letter))


def order(t: ir.RankedTensorType, stack: int, by_columns: bool = True) -> list[int]:
    """Dimensions from the fastest to the slowest: the columns of matrices lie together, or their rows do."""
    inner = list(range(stack, t.rank))
    if not by_columns or len(inner) < 2:
        inner.reverse()
    return [*inner, *reversed(range(stack))]


def layouts(orders: Sequence[Sequence[int]]) -> ir.ArrayAttr:
    index = ir.IndexType.get()
    return ir.ArrayAttr.get([ir.DenseIntElementsAttr.get(np.array(d, np.int64), type=index) for d in orders])


def _stacked(
    stack: int, ins: Sequence[ir.RankedTensorType], outs: Sequence[ir.RankedTensorType]
) -> dict[str, ir.Attribute]:
    """What tells XLA's partitioners that the leading dimensions may be split over devices, and no others."""
    sizes = list(ins[0].shape[:stack])

    def mapping(t: ir.RankedTensorType) -> ir.Attribute:
        shared = stack if t.rank >= stack else 0  # a result that is left out has no stack
        own = range(len(sizes), len(sizes) + t.rank - shared)
        sizes.extend(t.shape[shared:])
        return sdy.TensorMappingAttr.get([sdy.DimMappingAttr.get([k]) for k in (*range(shared), *own)])

    operands, results = [mapping(t) for t in ins], [mapping(t) for t in outs]
    return {
        "mhlo.frontend_attributes": ir.DictAttr.get({"num_batch_dims": ir.StringAttr.get(str(stack))}),
        "sdy.sharding_rule": sdy.OpShardingRuleAttr.get(sizes, operands, results, [], [], [], [], True),
    }


def call(
    site: Site,
    target: str,
    operands: Sequence[Expr],
    results: Sequence[ir.RankedTensorType],
    alias: tuple[int, int],
    options: Mapping[str, ir.Attribute],
) -> list[Expr]:
    """Call another routine of `site`'s library; operand `alias[0]` may be overwritten by result `alias[1]`."""
    stack = operands[0].rank - 2
    ins = [o.type for o in operands]
    typed = site.get("mhlo.backend_config") is None
    given = ir.DictAttr.get(dict(options))
    attributes: dict[str, ir.Attribute] = {
        "call_target_name": ir.StringAttr.get(target),
        "backend_config": given if typed else ir.StringAttr.get(""),
        "operand_layouts": layouts([order(t, stack) for t in ins]),
        "result_layouts": layouts([order(t, stack) for t in results]),
        "output_operand_aliases": ir.ArrayAttr.get(
            [hlo.OutputOperandAlias.get([] if len(results) == 1 else [alias[1]], alias[0], [])]
        ),
        **_stacked(stack, ins, results),
    }
    if not typed:
        attributes["mhlo.backend_config"] = given
    if (version := site.get("api_version")) is not None:
        attributes["api_version"] = version
    return E.exprs(E.ops("stablehlo.custom_call", operands, results, attributes).results)


def batch_stack(site: Site) -> list[Expr]:
    """One dimension more in front of the stack of every operand and result."""
    operands = [with_batch(site, i) for i in range(len(site.ins))]
    results = [batched_type(r.type, site.size) for r in site.op.results]
    changed: dict[str, ir.Attribute] = {}
    for name in ("operand_layouts", "result_layouts"):
        if (old := site.get(name)) is not None:
            changed[name] = layouts([[*(d + 1 for d in ir.DenseIntElementsAttr(a)), 0] for a in old])
    if (old := site.get("mhlo.frontend_attributes")) is not None and "num_batch_dims" in old:
        stack = int(ir.StringAttr(old["num_batch_dims"]).value) + 1
        changed |= _stacked(stack, [o.type for o in operands], results)  # type: ignore[list-item]
    return site.again(operands, results, **changed)


def rerun(site: Site, results: Sequence[ir.RankedTensorType], **changed: ir.Attribute) -> list[Expr]:
    """The same call with other options, and so with results of other types."""
    key = "mhlo.backend_config" if site.get("mhlo.backend_config") is not None else "backend_config"
    old = site.get(key)
    kept = {old[i].name: old[i].attr for i in range(len(old))} if isinstance(old, ir.DictAttr) else {}
    attributes: dict[str, ir.Attribute] = {key: ir.DictAttr.get({**kept, **changed})}
    ins = [site.in_type(i) for i in range(len(site.op.operands))]
    stack = ins[0].rank - 2
    if (orders := site.get("operand_layouts")) is not None:
        by_columns = list(ir.DenseIntElementsAttr(orders[0]))[:2] == [stack, stack + 1]
        attributes["result_layouts"] = layouts([order(t, stack, by_columns) for t in results])
    if site.get("sdy.sharding_rule") is not None:
        attributes |= _stacked(stack, ins, results)
    return site.again(site.ins, results, **attributes)


# -- libraries ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Library:
    """The library that a routine is from, which its derivative takes other routines from: here XLA itself."""

    site: Site

    def solve(self, a: Expr, b: Expr, how: Triangle) -> Expr:
        return solve_triangular(a, b, how)

    def product(self, reflectors: Expr, taus: Expr) -> Expr:
        """The leading columns of the product of Householder reflectors."""
        target = ir.StringAttr.get("ProductOfElementaryHouseholderReflectors")
        return E.op("stablehlo.custom_call", reflectors, taus, result=reflectors.type, call_target_name=target)

    def factor(self, a: Expr) -> tuple[Expr, Expr]:
        """Triangular factors of square matrices with their rows exchanged, and the rows they were exchanged with."""
        raise AssertionError("only LAPACK's general eigenvectors need it")


class Lapack(Library):
    def solve(self, a: Expr, b: Expr, how: Triangle) -> Expr:
        options = {
            "side": letter("L" if how.left else "R"),
            "uplo": letter("L" if how.lower else "U"),
            "trans_x": letter(how.transpose),
            "diag": letter("U" if how.unit else "N"),
        }
        return call(self.site, self._of(a, "trsm"), [a, b], [b.type], (1, 0), options)[0]

    def product(self, reflectors: Expr, taus: Expr) -> Expr:
        target = self._of(reflectors, "ungqr" if E.is_complex(reflectors.dtype) else "orgqr")
        return call(self.site, target, [reflectors, taus], [reflectors.type], (0, 0), {})[0]

    def factor(self, a: Expr) -> tuple[Expr, Expr]:
        i32, stack = ir.IntegerType.get_signless(32), a.shape[:-2]
        results = [a.type, E.tensor([*stack, a.shape[-1]], i32), E.tensor(stack, i32)]
        lu, pivots, _ = call(self.site, self._of(a, "getrf"), [a], results, (0, 0), {})
        return lu, pivots

    def _of(self, a: Expr, routine: str) -> str:
        """The routine for the element type of `a`."""
        return f"lapack_{_LETTERS[str(a.dtype)]}{routine}_ffi"


_LETTERS = {"f32": "s", "f64": "d", "complex<f32>": "c", "complex<f64>": "z"}


class Solver(Library):
    """cuSOLVER or hipSOLVER. Triangular systems are XLA's own."""

    def product(self, reflectors: Expr, taus: Expr) -> Expr:
        library = target_of(self.site).partition("_")[0]
        return call(self.site, f"{library}_orgqr_ffi", [reflectors, taus], [reflectors.type], (0, 0), {})[0]


def target_of(site: Site) -> str:
    return ir.StringAttr(site.attr("call_target_name")).value


def library(site: Site) -> Library:
    target = target_of(site)
    if target.startswith("lapack_"):
        return Lapack(site)
    return Solver(site) if target.partition("_")[0].endswith("solver") else Library(site)


def overwritten(site: Site, *results: int) -> None:
    """Refuse to differentiate through results that hold what a routine left of its operands."""
    for k in results:
        if next(iter(site.op.results[k].uses), None) is not None:
            raise NoRule(
                f"result {k} of custom_call @{target_of(site)} is scratch space, and has no derivative",
                location=location_text(site.op.location),
                hint="use the results that the routine is for, or put enzyme.ignore_derivatives around this one",
            )
