"""Modules that take derivatives themselves, by `torch.func.grad`, `torch.autograd.grad` and their kin.

`torch.export` traces above PyTorch's autograd, where a derivative that is asked for can't be written down. So such a
module is traced below it first: what comes out is a module of the same parameters, whose `forward` consists of the ops
that derivatives were made of. There `detach` and `no_grad` would have no meaning any more, and autograd's own `detach`
none at all: those of the user are marked while they are traced.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import torch
import torch._dynamo  # makes tables of functions, which must not be those that stand in for them below
import torch.fx.traceback as fx_traceback
from torch import Tensor, nn
from torch._functorch import eager_transforms
from torch.fx.experimental.proxy_tensor import make_fx
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten, tree_map, tree_unflatten

from gradir.errors import InputError

__all__ = ["TakesDerivatives", "noticed", "taken"]

Stop = Callable[[Any, bool], None]


class TakesDerivatives(BaseException):
    """A module asks for a derivative. (Not an `Exception`: those are caught on the way.)"""


@contextmanager
def noticed() -> Iterator[None]:
    """Where a module that asks for a derivative is stopped."""

    def stop(*_: Any, **__: Any) -> Any:
        raise TakesDerivatives

    with (
        patch.object(eager_transforms, "grad_increment_nesting", stop),
        patch.object(eager_transforms, "jvp_increment_nesting", stop),
        patch.object(torch.autograd.forward_ad, "enter_dual_level", stop),
        _Noticing(),
    ):
        yield


class _Noticing(TorchFunctionMode):  # type: ignore[misc]
    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        if func is torch.autograd.grad:
            raise TakesDerivatives
        _refuse_backward(func)
        return func(*args, **(kwargs or {}))


def _refuse_backward(func: Any) -> None:
    if func in (Tensor.backward, torch.autograd.backward):
        raise InputError("backward() in a module", hint="use torch.autograd.grad(…, create_graph=True)")


def taken(module: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any], stop: Stop) -> nn.Module:
    """The module for inputs like these, with the derivatives that it takes written out.

    `stop` makes a node that stands for `detach()` one that ends derivatives. It is told whether others see its memory.
    """
    return _Written(module, args, kwargs, stop)


class _Written(nn.Module):  # type: ignore[misc]
    """A module with the parameters, buffers and parts of another, and a graph of what that one does."""

    def __init__(
        self, module: nn.Module, args: Sequence[Any], kwargs: Mapping[str, Any], stop: Stop
    ) -> None:
        super().__init__()
        shared = ("_parameters", "_buffers", "_modules", "_non_persistent_buffers_set")
        self.__dict__.update({name: module.__dict__[name] for name in shared})
        results: list[Any] = []

        def run(state: dict[str, Tensor], tensors: list[Tensor]) -> list[Tensor]:
            given = iter(tensors)
            leaves, tree = tree_flatten((args, dict(kwargs)))
            leaves = [next(given) if isinstance(leaf, Tensor) else leaf for leaf in leaves]
            args_, kwargs_ = tree_unflatten(leaves, tree)
            with _Marking():
                found, of = tree_flatten(torch.func.functional_call(module, state, args_, kwargs_))
            results[:] = found, of
            return [leaf for leaf in found if isinstance(leaf, Tensor)]

        with (
            torch.enable_grad(),
            fx_traceback.preserve_node_meta(),
            sdpa_kernel(SDPBackend.MATH),
            torch.backends.mkldnn.flags(enabled=False),
        ):
            trace = make_fx(run, tracing_mode="fake", _allow_non_fake_inputs=True, record_stack_traces=True)
            graph = trace(self._state(), _tensors(args, kwargs))
        _write_stops(graph, stop)
        found, of = results

        def forward(*args: Any, **kwargs: Any) -> Any:
            with fx_traceback.preserve_node_meta():  # with the lines that ops come from
                outs = iter(torch.fx.Interpreter(graph).run(self._state(), _tensors(args, kwargs)))
            return tree_unflatten([next(outs) if isinstance(leaf, Tensor) else leaf for leaf in found], of)

        self.__dict__["forward"] = functools.wraps(module.forward)(forward)

    def _state(self) -> dict[str, Tensor]:
        return dict(self.named_parameters()) | dict(self.named_buffers())


def _tensors(args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Tensor]:
    return [leaf for leaf in tree_flatten((tuple(args), dict(kwargs)))[0] if isinstance(leaf, Tensor)]


# -- Where derivatives end -------------------------------------------------------------------------------------------

_MARK = "gradir_detached"
_DETACH = torch.ops.aten.detach.default


def _stopped(x: Any, beside: Sequence[Any] | None = None) -> Any:
    """A tensor detached by the user, marked as such; or a new one, if nothing `beside` it has its memory."""
    if not isinstance(x, Tensor) or not (x.is_floating_point() or x.is_complex()):
        return x
    new = beside is not None and not x._is_view() and all(x is not other for other in beside)
    with fx_traceback.annotate({_MARK: "new" if new else "shared"}):
        return torch._C._TensorBase.detach(x)


class _Marking(TorchFunctionMode):  # type: ignore[misc]
    """What the user detaches, or computes without recording, is marked."""

    def __torch_function__(
        self, func: Any, types: Any, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        if func in _DETACHING:
            return _stopped(args[0])
        _refuse_backward(func)
        if func in _REFUSED:
            raise InputError(f"{_REFUSED[func]} in a module that takes derivatives itself", hint="use detach()")
        if func is torch.autograd.grad:
            found = func(*args, **kwargs)
            return found if _keeps_graph(*args, **kwargs) else tree_map(_stopped, found)
        if torch.is_grad_enabled():
            return func(*args, **kwargs)
        if _writes(getattr(func, "__name__", ""), kwargs):
            return _unrecorded_write(func, args, kwargs)
        return tree_map(lambda x: _stopped(x, tree_flatten((args, kwargs))[0]), func(*args, **kwargs))


def _keeps_graph(
    outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: Any = None, create_graph: bool = False, *_: Any,
    **__: Any,
) -> bool:  # fmt: skip
    return create_graph


def _writes(name: str, kwargs: Mapping[str, Any]) -> bool:
    """Whether a function writes to its first argument, by PyTorch's names."""
    return name in _WRITING or "out" in kwargs or (name.endswith("_") and not name.endswith("__"))


def _unrecorded_write(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    if any(isinstance(x, Tensor) and x.requires_grad for x in (*args[:1], kwargs.get("out"))):
        raise InputError(
            "a write under no_grad() to what has a derivative, in a module that takes derivatives itself",
            hint="write to a clone",
        )
    values = {name: x if name == "out" else _stopped(x) for name, x in kwargs.items()}
    return func(*args[:1], *tree_map(_stopped, args[1:]), **values)


_WRITING = {"__setitem__", *(f"__i{op}__" for op in ("add", "sub", "mul", "truediv", "floordiv", "pow", "mod"))}
_DETACHING = {Tensor.detach, torch.detach, Tensor.data.__get__}
_REFUSED = {Tensor.detach_: "detach_()", torch.detach_: "detach_()", Tensor.data.__set__: "a write to .data"}


def _write_stops(graph: Any, stop: Stop) -> None:
    """Let what the user has detached end derivatives; autograd detaches what it has saved, which does not."""
    for node in graph.graph.nodes:
        if node.target is _DETACH:
            mark = node.meta.get("custom", {}).get(_MARK)
            if mark is None:
                node.target = torch.ops.aten.alias.default
            else:
                stop(node, mark == "shared")
    graph.recompile()
