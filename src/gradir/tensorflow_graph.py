"""What graphs of TensorFlow say of derivatives, and the programs that XLA is given of them no longer do.

To XLA `tf.stop_gradient` and the ops that stand for a function with a `tf.custom_gradient` are copies of their input,
and a fake quantisation is what it rounds to. A derivative of the program would be another one than TensorFlow's.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from gradir.errors import RequestError

__all__ = ["refuse_lost_derivatives"]

_STOPS = {
    "StopGradient": "tf.stop_gradient",
    "PreventGradient": "PreventGradient",
    **{f"QuantizeAndDequantize{version}": "a quantisation" for version in ("V2", "V3", "V4")},
    **{f"FakeQuantWithMinMax{kind}": "a fake quantisation" for kind in ("Args", "Vars", "VarsPerChannel")},
}
_CALLS = ("PartitionedCall", "StatefulPartitionedCall")
"""Whose gradient TensorFlow names, too: that of the function which is called."""

_EXACT = {("math_ops.py", "reduce_logsumexp"), ("nn_impl.py", "moments"), ("nn_impl.py", "swish")}
"""Functions of TensorFlow's own that end a derivative which is zero, or write one out that is that of the program."""


_PACKAGES = ("tensorflow", "keras", "gradir")
"""Whose lines are not those of a user."""


def refuse_lost_derivatives(concrete: Any) -> None:
    """Refuse a function of which a part has a derivative of its own, by the line that it stands in."""
    for node, op in _nodes(concrete.graph):
        what = _STOPS.get(node.op)
        if what is None and "_gradient_op_type" in node.attr and node.op not in _CALLS:
            what = "tf.custom_gradient"
        if what is None:
            continue
        frames = [(Path(f.filename), f.lineno, f.name) for f in (op.traceback if op is not None else None) or ()]
        if any(_is_in(file, "tensorflow") and (file.name, name) in _EXACT for file, _, name in frames):
            continue
        own = [f"{file}:{line}" for file, line, _ in frames if not any(_is_in(file, p) for p in _PACKAGES)]
        raise RequestError(
            f"{what} is not in the program that TensorFlow gives to XLA, whose derivative would be another one",
            location=own[-1] if own else None,
            hint="keep it out of the function: give what it is of as an input, or write it with other ops",
        )


def _is_in(file: Path, package: str) -> bool:
    spec = find_spec(package)
    return spec is not None and spec.origin is not None and file.is_relative_to(Path(spec.origin).parent)


def _nodes(graph: Any) -> Iterator[tuple[Any, Any]]:
    """The nodes of a graph and of the functions that it calls, each with its op, where that is known."""
    definition = graph.as_graph_def()
    yield from ((node, _op(graph, node.name)) for node in definition.node)
    inner = _functions(graph)
    for function in definition.library.function:
        body = inner.get(function.signature.name)
        yield from ((node, _op(body, node.name)) for node in function.node_def)


def _functions(graph: Any) -> dict[str, Any]:
    """The graphs of the functions that a graph calls, by whatever detour: as far as TensorFlow tells."""
    found: dict[str, Any] = {}
    todo = [graph]
    while todo:
        for name, function in getattr(todo.pop(), "_functions", {}).items():
            body = getattr(function, "graph", None)
            if body is not None and name not in found:
                found[name] = body
                todo.append(body)
    return found


def _op(graph: Any, name: str) -> Any:
    try:
        return graph.get_operation_by_name(name)
    except (AttributeError, KeyError, ValueError):
        return None
