"""An exported graph as a function of JAX arrays, and as a StableHLO module."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import jax
import jax.numpy as jnp
import torch
from jax import lax
from jaxlib.mlir import ir
from torch.export import ExportedProgram
from torch.export.graph_signature import ConstantArgument, InputKind, OutputKind

from gradir.errors import InputError, InternalError
from gradir.jax.lowering import lower_plainly
from gradir.module import Module
from gradir.tensor.ir.module import functions
from gradir.torch.aten import DRAWING, TABLE
from gradir.torch.aten.elementwise import converted
from gradir.torch.aten.table import dtype
from gradir.torch.export import place

__all__ = ["Argument", "Program"]

Array = Any
SEED = "seed"


@dataclass(frozen=True)
class Argument:
    """One argument of a program: what it is to the module, and under which name."""

    kind: InputKind
    name: str
    shape: tuple[Any, ...]
    dtype: Any
    is_used: bool

    @property
    def is_state(self) -> bool:
        """Whether the module holds it, rather than the caller."""
        return self.kind is not InputKind.USER_INPUT


@dataclass(frozen=True)
class Program:
    """An exported program, whose ops stand in the table, as a function of arrays."""

    exported: ExportedProgram

    @cached_property
    def arguments(self) -> list[Argument]:
        """Parameters, buffers and constants, then the inputs: those that are tensors."""
        found = []
        for node, spec in zip(self._placeholders, self.exported.graph_signature.input_specs, strict=True):
            value = node.meta.get("val")
            if isinstance(value, torch.Tensor):
                name = spec.target if spec.kind is not InputKind.USER_INPUT else node.name
                shape, kind = tuple(value.shape), _dtype_of(value, node)
                found.append(Argument(spec.kind, name or node.name, shape, kind, bool(node.users)))
        return found

    @cached_property
    def _placeholders(self) -> list[Any]:
        return list(self.exported.graph.find_nodes(op="placeholder"))

    @cached_property
    def buffers(self) -> list[str]:
        """The names of the buffers that the module writes to, which come after its results."""
        return [s.target for s in self._outputs if s.kind is OutputKind.BUFFER_MUTATION]

    @property
    def _outputs(self) -> list[Any]:
        for spec in self.exported.graph_signature.output_specs:
            if spec.kind is OutputKind.USER_INPUT_MUTATION:
                raise InputError(f"the module writes to its input {spec.target}", hint="write to a clone of it")
            if spec.kind is OutputKind.PARAMETER_MUTATION:
                raise InputError(
                    f"the module writes to its parameter {spec.target}",
                    hint="write to it between the steps, or use what it should be without writing it",
                )
            if spec.kind not in (OutputKind.USER_OUTPUT, OutputKind.BUFFER_MUTATION):
                raise InputError(f"the module has a result of the kind {spec.kind.name}")
        return list(self.exported.graph_signature.output_specs)

    @cached_property
    def draws(self) -> bool:
        """Whether the program draws random numbers, and so needs a seed."""
        drawn = []

        def draw() -> Any:
            drawn.append(True)
            return _key(0)

        with jax.enable_x64(True):
            jax.eval_shape(lambda *values: self(values, draw), *self._structs())
        return bool(drawn)

    def __call__(self, values: Sequence[Array], draw: Callable[[], Any]) -> list[Array]:
        """The results, then the new contents of `buffers`."""
        given = iter(values)
        inputs = []
        for node, spec in zip(self._placeholders, self.exported.graph_signature.input_specs, strict=True):
            if isinstance(node.meta.get("val"), torch.Tensor):
                inputs.append(next(given))
            else:
                inputs.append(spec.arg.value if isinstance(spec.arg, ConstantArgument) else node.meta.get("val"))
        outs = Evaluator(self.exported.graph_module, draw)(inputs)
        mutated = [o for o, s in zip(outs, self._outputs, strict=True) if s.kind is OutputKind.BUFFER_MUTATION]
        results = [o for o, s in zip(outs, self._outputs, strict=True) if s.kind is OutputKind.USER_OUTPUT]
        return [*(jnp.asarray(r) for r in results if r is not None), *mutated]

    def _structs(self) -> list[Any]:
        return [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in self.arguments]

    def module(self, *, constants: bool = True, seed: Any = jnp.int64) -> Module:
        """The StableHLO module with the entry `main`: arguments and inputs, then a seed of this type if one is needed.

        With `constants`, tensors that are neither parameters nor buffers are part of the program.
        """
        fixed = self._fixed if constants else {}
        chosen = [i for i in range(len(self.arguments)) if i not in fixed]
        names = [self.arguments[i].name for i in chosen]

        def main(*values: Array) -> list[Array]:
            keys = _Keys(values[-1]) if self.draws else _no_seed
            inputs = dict(zip(chosen, values, strict=False)) | fixed
            return self([inputs[i] for i in range(len(self.arguments))], keys)

        with jax.enable_x64(True):
            structs = [self._structs()[i] for i in chosen]
            if self.draws:
                structs.append(jax.ShapeDtypeStruct((), seed))
                names.append(SEED)
            traced = jax.jit(main, keep_unused=True).trace(*structs)
            lowered = lower_plainly(traced)
        _name(lowered, names)
        return Module(lowered)

    @cached_property
    def _fixed(self) -> dict[int, Array]:
        from gradir.torch.exchange import to_jax

        tensors = self.exported.constants
        return {i: to_jax(tensors[a.name]) for i, a in enumerate(self.arguments) if a.kind is InputKind.CONSTANT_TENSOR}


def _dtype_of(value: torch.Tensor, node: Any) -> Any:
    try:
        return dtype(value.dtype)
    except ValueError as error:
        raise InputError(f"{node.name}: {error}") from None


def _name(module: ir.Module, names: Sequence[str]) -> None:
    with module.context:
        for argument, name in zip(functions(module)["main"].arguments, names, strict=True):
            argument.set_location(ir.Location.name(name))


# -- Random numbers --------------------------------------------------------------------------------------------------


def _key(seed: Any) -> Any:
    return jax.random.key(seed, impl="rbg")


class _Keys:
    """New keys, one after the other, from a seed."""

    def __init__(self, seed: Array) -> None:
        self._key = _key(seed)
        self._count = 0

    def __call__(self) -> Any:
        self._count += 1
        return jax.random.fold_in(self._key, self._count)


def _no_seed() -> Any:
    raise InternalError("a program that needs no seed draws a random number")


# -- Evaluation ------------------------------------------------------------------------------------------------------


@dataclass
class Evaluator:
    """Goes through a graph's nodes, computing each with JAX."""

    graph_module: Any
    draw: Callable[[], Any]
    values: dict[Any, Any] = field(default_factory=dict)

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        given = iter(inputs)
        for node in self.graph_module.graph.nodes:
            if node.op == "placeholder":
                self.values[node] = next(given)
            elif node.op == "get_attr":
                self.values[node] = self._attribute(node)
            elif node.op == "call_function":
                args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), self.values.__getitem__)
                self.values[node] = self._call(node, args, kwargs)
            elif node.op == "output":
                return list(torch.fx.node.map_arg(node.args[0], self.values.__getitem__))
        raise InternalError("a graph without an output")

    def _attribute(self, node: Any) -> Any:
        value = self.graph_module
        for part in node.target.split("."):
            value = getattr(value, part)
        if isinstance(value, torch.Tensor):
            from gradir.torch.exchange import to_jax

            return to_jax(value)
        return value

    def _call(self, node: Any, args: Any, kwargs: Any) -> Any:
        target = node.target
        if target in _PLAIN:
            return _PLAIN[target](*args, **kwargs)
        if target in _CONTROL:
            return _CONTROL[target](self, *args, **kwargs)
        if target not in TABLE:
            raise _refused(node, "it has no lowering, and PyTorch no decomposition for it")
        _check_strides(node)
        try:
            found = TABLE[target](*([self.draw] if target in DRAWING else []), *args, **kwargs)
        except NotImplementedError as error:
            raise _refused(node, str(error)) from None
        except (TypeError, ValueError, IndexError) as error:
            raise _refused(node, f"{type(error).__name__}: {error}".partition("\n")[0]) from error
        return _conforming(node, found, node.meta.get("val"))

    def within(self, body: Any, inputs: Sequence[Any]) -> list[Any]:
        """The results of a graph within this one."""
        return Evaluator(body, self.draw)(inputs)


def _refused(node: Any, why: str) -> InputError:
    op = node.args[1] if str(node.target) == "with_effects" else node.target
    return InputError(
        f"PyTorch's op {op} can't be lowered to StableHLO: {why}",
        location=place(node),
        hint="write it with other ops, or keep it out of the module",
    )


def _check_strides(node: Any) -> None:
    """`as_strided` speaks of memory, which is known of contiguous tensors only."""
    if "as_strided" in str(node.target) and not node.args[0].meta["val"].is_contiguous():
        raise _refused(node, "its argument is not contiguous")


def _conforming(node: Any, found: Any, wanted: Any) -> Any:
    """A result of the type that PyTorch says it has; another shape would be a mistake of the table."""
    if isinstance(wanted, (tuple, list)):
        return [_conforming(node, f, w) for f, w in zip(found, wanted, strict=True)]
    if not isinstance(wanted, torch.Tensor):
        return found
    same = len(found.shape) == wanted.ndim and all(
        not (isinstance(a, int) and isinstance(b, int)) or a == b
        for a, b in zip(found.shape, wanted.shape, strict=False)
    )
    kind = dtype(wanted.dtype)
    if found.dtype != kind:
        lossy = jnp.issubdtype(found.dtype, jnp.inexact) and not jnp.issubdtype(kind, jnp.inexact)
        same = same and not lossy
        found = converted(found, wanted.dtype)
    if not same:
        raise InternalError(
            f"{node.target} gave {found.dtype}{list(found.shape)} instead of {kind}{list(wanted.shape)}",
            location=place(node),
        )
    return found


def _cond(evaluator: Evaluator, predicate: Any, true: Any, false: Any, operands: Sequence[Any] = ()) -> Any:
    if isinstance(predicate, (bool, int)):
        return evaluator.within(true if predicate else false, operands)
    branches = [lambda *xs, body=body: evaluator.within(body, xs) for body in (true, false)]
    return lax.cond(jnp.reshape(predicate, ()), *branches, *operands)


def _while_loop(
    evaluator: Evaluator, condition: Any, body: Any, carried: Sequence[Any], others: Sequence[Any] = ()
) -> Any:
    return lax.while_loop(
        lambda state: jnp.reshape(evaluator.within(condition, [*state, *others])[0], ()),
        lambda state: tuple(evaluator.within(body, [*state, *others])),
        tuple(jnp.asarray(c) for c in carried),
    )


def _scan(evaluator: Evaluator, body: Any, init: Sequence[Any], xs: Sequence[Any], others: Sequence[Any] = ()) -> Any:
    def step(state: Any, x: Any) -> Any:
        outs = evaluator.within(body, [*state, *x, *others])
        return tuple(outs[: len(init)]), tuple(outs[len(init) :])

    last, out = lax.scan(step, tuple(init), tuple(xs))
    return [*last, *out]


def _map(evaluator: Evaluator, body: Any, xs: Sequence[Any], others: Sequence[Any] = ()) -> Any:
    return lax.map(lambda x: tuple(evaluator.within(body, [*x, *others])), tuple(xs))


def _inline(evaluator: Evaluator, body: Any, *operands: Any, **_: Any) -> Any:
    return evaluator.within(body, operands)


def _higher(*names: str) -> list[Any]:
    """Those of PyTorch's higher-order ops that this version has."""
    return [op for op in (getattr(torch.ops.higher_order, name, None) for name in names) if op is not None]


_CONTROL: dict[Any, Callable[..., Any]] = {
    **dict.fromkeys(_higher("cond"), _cond),
    **dict.fromkeys(_higher("while_loop"), _while_loop),
    **dict.fromkeys(_higher("scan"), _scan),
    **dict.fromkeys(_higher("map_impl"), _map),
    **dict.fromkeys(_higher("tag_activation_checkpoint", "invoke_subgraph", "wrap"), _inline),
}
"""Control flow, by functions that take the evaluator first."""


def _nothing(*_: Any, **__: Any) -> None:
    return None


_ATEN = torch.ops.aten
_PLAIN: Mapping[Any, Callable[..., Any]] = {
    operator.getitem: operator.getitem,
    **{f: f for f in (
        operator.add, operator.sub, operator.mul, operator.floordiv, operator.truediv, operator.mod, operator.neg,
        operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge, operator.pow, operator.and_,
        operator.or_, operator.not_, math.ceil, math.floor, math.trunc,
    )},
    torch.sym_max: max, torch.sym_min: min, torch.sym_not: operator.not_, torch.sym_float: float, torch.sym_int: int,
    torch.sym_ite: lambda condition, a, b: a if condition else b, torch.sym_sum: sum,
    _ATEN.sym_size.int: lambda x, d: x.shape[d], _ATEN.sym_numel.default: lambda x: math.prod(x.shape),
    **dict.fromkeys((
        _ATEN._assert_scalar.default, _ATEN._assert_tensor_metadata.default, _ATEN._assert_async.msg,
        _ATEN.sym_constrain_range_for_size.default, _ATEN.sym_constrain_range.default,
    ), _nothing),
}  # fmt: skip
"""Arithmetic of sizes, which are numbers here, and assertions about them."""
