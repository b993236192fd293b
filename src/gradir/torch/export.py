"""From a module to a graph of ATen ops that all stand in our table, with marks where derivatives end.

`torch.export` traces the module; PyTorch's own decompositions then take apart what the table doesn't have, and make
values of what was written in place. They are for programs whose derivative is no longer asked for: `detach` and
`no_grad` would vanish in them. So these are turned into ops of our own before.
"""

from __future__ import annotations

import io
import logging
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import jax.numpy as jnp
import torch
from torch import nn
from torch._decomp import decomposition_table
from torch.export import ExportedProgram

from gradir.errors import InputError
from gradir.jax.lowering import ended
from gradir.torch.aten.table import TABLE
from gradir.torch.inner import TakesDerivatives, noticed, taken
from gradir.torch.replaced import replaced

__all__ = ["export", "lowered_to_table", "place"]

Graph = Any

# -- Tracing ---------------------------------------------------------------------------------------------------------


def export(
    module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], *, name: str | None = None
) -> ExportedProgram:
    """A module, which errors call by its `name`, at some inputs: as a graph of ops that our table has, or should."""
    _refuse_hooks(module)
    said = io.StringIO()  # torch.export prints the graph so far when it fails
    try:
        with _quiet(), _watching(), _whole_attention(), replaced(), redirect_stderr(said):
            program = _exported(module, args, kwargs)
    except InputError:
        raise
    except Exception as error:  # torch.export raises whatever the module does
        raise _translated(error, name or type(module).__name__) from error
    sys.stderr.write(said.getvalue())
    return lowered_to_table(program)


def _exported(module: nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> ExportedProgram:
    try:
        with noticed():
            return torch.export.export(module, args, dict(kwargs), strict=False)
    except TakesDerivatives:
        pass  # the same again, without what is in flight here
    return torch.export.export(taken(module, args, kwargs, _stop), args, dict(kwargs), strict=False)


def _stop(node: Any, shared: bool) -> None:
    """Turn `detach` into an op of our own, if nobody writes to a tensor whose memory others see."""
    if shared:
        _refuse_writes_to(node)
    node.target = STOP


def lowered_to_table(program: ExportedProgram) -> ExportedProgram:
    """The same program, without in-place ops and without what can be taken apart."""
    _mark(program.graph_module)
    try:
        with _quiet():
            return program.run_decompositions(dict(_decompositions()))
    except RuntimeError as error:
        raise _translated(error, "the exported program") from error


@cache
def _decompositions() -> dict[Any, Any]:
    table = {op: f for op, f in decomposition_table.items() if _is_plain(op)}
    table |= dict(torch.export.default_decompositions().items())
    return {op: f for op, f in table.items() if op not in TABLE}


def _is_plain(op: Any) -> bool:
    """Whether this is an op of ATen that writes to none of its arguments."""
    return isinstance(op, torch._ops.OpOverload) and op.namespace == "aten" and not op._schema.is_mutable


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what PyTorch prints on the way: what matters of it is in the error that it raises."""
    loggers = [logging.getLogger(f"torch.{name}") for name in _TALKATIVE]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


_TALKATIVE = ("_subclasses.fake_tensor", "fx.experimental.symbolic_shapes", "fx.experimental.recording")


@contextmanager
def _whole_attention() -> Iterator[None]:
    """`nn.MultiheadAttention` in the ops that it is made of, not as one for inference."""
    before = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        yield
    finally:
        torch.backends.mha.set_fastpath_enabled(before)


def _translated(error: Exception, name: str) -> InputError:
    """What torch.export says, in a few lines, at the user's line if it tells."""
    text = str(error).strip() or type(error).__name__
    location = None
    for file, line in re.findall(r'File "([^"]+)", line (\d+)', text):
        if _is_users(file):
            location = f"{file}:{line}"
    traceback = error.__traceback__
    while location is None and traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if _is_users(file):
            location = f"{file}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _ADVICE.match(line)]
    said, hint = "\n  ".join(lines[:4]), None
    if "data-dependent" in text or "Unbacked" in text or "DataDependent" in type(error).__name__:
        said = f"Python asks for what is in a tensor, by `if`, bool(), int(), float() or a shape ({lines[0]})"
        hint = "use torch.where or torch.cond; a number from `.item()` may be computed with, but not looked at"
    elif "lifted_tensor" in text or "fake tensor in the exported program constant" in text:
        said = "`.data` of a tensor that is no parameter or buffer"
        hint = "use detach(), or torch.no_grad()"
    return InputError(
        f"torch.export can't trace {name}: {type(error).__name__}: {said}", location=location, hint=hint
    )


_ADVICE = re.compile(r"\s*(consider using|Caused by|For more info|For extended logs|Use tlparse|While executing)")
"""What PyTorch says to its own developers."""


# -- What would be lost ----------------------------------------------------------------------------------------------


def _refuse_hooks(module: nn.Module) -> None:
    for name, part in module.named_modules():
        if part._backward_hooks or getattr(part, "_backward_pre_hooks", None):
            raise InputError(f"{name or 'the module'} has a backward hook, which a program can't call")
    for name, parameter in module.named_parameters():
        if parameter._backward_hooks:
            raise InputError(
                f"the parameter {name} has a hook, which a program can't call", hint="apply it to the gradient instead"
            )


@contextmanager
def _watching() -> Iterator[None]:
    """Refuse derivatives of the user's own, which torch.export drops without a word."""

    def getattribute(cls: type, name: str) -> Any:
        """Whoever applies a function asks for its forward pass: `apply` itself may have been taken from it long ago."""
        if name == "forward" and type.__getattribute__(cls, "__module__").partition(".")[0] != "torch":
            raise InputError(
                f"{type.__getattribute__(cls, '__name__')} has a backward pass of its own, which torch.export drops",
                hint="write the function without torch.autograd.Function: gradir differentiates its forward pass",
            )
        return type.__getattribute__(cls, name)

    def register_hook(tensor: torch.Tensor, hook: Any) -> Any:
        raise InputError("a hook on a tensor, which a program can't call", hint="apply it to the gradient instead")

    functions = type(torch.autograd.Function)
    functions.__getattribute__ = getattribute  # type: ignore[assignment]
    try:
        with patch.object(torch.Tensor, "register_hook", register_hook):
            yield
    finally:
        del functions.__getattribute__


@torch.library.custom_op("gradir::stop_gradient", mutates_args=())
def _stop_gradient(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


_stop_gradient.register_fake(torch.empty_like)
STOP = torch.ops.gradir.stop_gradient.default
TABLE[STOP] = ended


@torch.library.custom_op("gradir::overwritten", mutates_args=())
def _overwritten(x: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
    """What stands in x after a write that is not recorded: the derivative is that of x, as if nothing had happened."""
    return new.clone()


_overwritten.register_fake(lambda x, new: torch.empty_like(x))
OVERWRITTEN = torch.ops.gradir.overwritten.default


def _carried_on(x: Any, new: Any) -> Any:
    if not jnp.issubdtype(x.dtype, jnp.inexact):
        return new
    known = jnp.where(jnp.isfinite(x), x, 0)
    return ended(new) + (known - ended(known))


TABLE[OVERWRITTEN] = _carried_on

_DETACH = torch.ops.aten.detach.default
_DETACH_IN_PLACE = torch.ops.aten.detach_.default
_GRAD_ENABLED = torch.ops.higher_order.wrap_with_set_grad_enabled
_LIFTED = (torch.ops.aten.lift_fresh_copy.default, torch.ops.aten.lift_fresh.default)


def _mark(graph_module: Any, *, recorded: bool = True) -> None:
    """Turn `detach` and what leaves a `no_grad` block into ops that decompositions leave alone.

    From a block whose derivatives are not `recorded`, values go out as results, or are written to tensors from outside.
    """
    graph = graph_module.graph
    for node in list(graph.nodes):
        if node.op != "call_function":
            continue
        if node.target is _DETACH:
            _stop(node, shared=True)
        elif node.target is _DETACH_IN_PLACE and getattr(node.args[0], "target", None) not in _LIFTED:
            raise InputError("detach_() in a module", location=place(node), hint="use detach() and a new name")
        elif node.target is torch._C._set_grad_enabled:
            raise InputError("gradients are switched on or off here, not in a block", location=place(node),
                             hint="use `with torch.no_grad():`")  # fmt: skip
        elif node.target is _GRAD_ENABLED:
            enabled, body = node.args[:2]
            if enabled and not recorded:
                raise InputError("enable_grad() within no_grad()", location=place(node))
            _mark(getattr(graph_module, body.target), recorded=enabled)
        elif not recorded:
            _write_unrecorded(graph, node)
    if not recorded:
        (output,) = graph.find_nodes(op="output")
        for used in output.all_input_nodes:
            if used.op == "placeholder":  # a tensor from outside, perhaps written to, is what it was
                continue
            with graph.inserting_before(output):
                output.replace_input_with(used, _stopped(graph, used))
    for node in graph.find_nodes(op="get_attr"):
        inner = getattr(graph_module, node.target, None)
        if isinstance(inner, torch.fx.GraphModule) and all(u.target is not _GRAD_ENABLED for u in node.users):
            _mark(inner, recorded=recorded)
    graph_module.recompile()


def _write_unrecorded(graph: Graph, node: Any) -> None:
    """Let an op in a `no_grad` block that writes to a tensor from outside write its values, and no derivative."""
    written = list(_written(node))
    if not written:
        return
    for used in [n for n in node.all_input_nodes if n not in written]:
        with graph.inserting_before(node):
            node.replace_input_with(used, _stopped(graph, used))
    outside = [n for n in written if _owner(n).op == "placeholder" and _carries(n)]
    for tensor in outside:
        with graph.inserting_before(node):
            beside = _stopped(graph, tensor)
            node.replace_input_with(tensor, beside)
        with graph.inserting_after(node):
            new = graph.call_function(OVERWRITTEN, (tensor, beside))
            new.meta = dict(beside.meta)
        with graph.inserting_after(new):
            copied = graph.call_function(torch.ops.aten.copy_.default, (tensor, new))
            copied.meta = dict(beside.meta)
    if len(outside) == 1 and len(written) == 1:  # such an op gives what it has written to
        node.replace_all_uses_with(outside[0], delete_user_cb=lambda user: user.target is not OVERWRITTEN)


def _owner(node: Any) -> Any:
    """The tensor whose memory a view is one of."""
    while node.op == "call_function" and getattr(node.target, "is_view", False):
        node = node.args[0]
    return node


def _carries(node: Any) -> bool:
    value = node.meta.get("val")
    return isinstance(value, torch.Tensor) and (value.is_floating_point() or value.is_complex())


def _stopped(graph: Graph, node: Any) -> Any:
    if not _carries(node):
        return node
    stopped = graph.call_function(STOP, (node,))
    stopped.meta = {key: node.meta[key] for key in ("val", "stack_trace", "nn_module_stack") if key in node.meta}
    return stopped


def _written(node: Any) -> Iterator[Any]:
    """The arguments that an op writes to."""
    schema = getattr(node.target, "_schema", None)
    if schema is None:
        return
    for i, argument in enumerate(schema.arguments):
        if argument.alias_info is not None and argument.alias_info.is_write:
            value = node.args[i] if i < len(node.args) else node.kwargs.get(argument.name)
            if isinstance(value, torch.fx.Node):
                yield value


def _refuse_writes_to(node: Any) -> None:
    """A detached tensor shares its memory with the other, which our mark does not."""
    seen, aliases = set(), [node]
    while aliases:
        one = aliases.pop()
        for user in one.users:
            if one in set(_written(user)):
                raise InputError(
                    f"{user.target} writes to a detached tensor, and by that to the tensor itself",
                    location=place(user),
                    hint="write to a clone, or under torch.no_grad() to the tensor",
                )
            if user not in seen and getattr(user.target, "is_view", False):
                seen.add(user)
                aliases.append(user)


# -- Places ----------------------------------------------------------------------------------------------------------

_HERE = Path(__file__).parent
_TORCH = Path(torch.__file__).parent


def _is_users(file: str) -> bool:
    return not file.startswith((str(_TORCH), str(_HERE), "<")) and "importlib" not in file


def place(node: Any) -> str | None:
    """The line of the user's code that a node of a graph comes from, and the part of the module that it is in."""
    frames = re.findall(r'File "([^"]+)", line (\d+), in (\w+)\n\s*(.*)', node.meta.get("stack_trace") or "")
    layers = list((node.meta.get("nn_module_stack") or {}).values())
    where = next((f"{file}:{line}" for file, line, _, _ in reversed(frames) if _is_users(file)), None)
    layer = str(layers[-1][0]).removeprefix("module").removeprefix(".") if layers else ""
    return f"{where}{f' ({layer})' if layer else ''}" if where else f"layer {layer}" if layer else None
