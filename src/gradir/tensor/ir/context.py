"""The MLIR contexts in which programs live, and what is remembered of their types and attributes.

A context keeps whatever it has seen: types and attributes are unique in it, and so a constant of a program that is long
gone is still there. A context therefore takes in programs until they have brought along `ROOM` bytes together. The next
one begins a new context, and the old one goes with the last of its programs.
"""

from __future__ import annotations

import sys
import threading
import types
from typing import Any

from jaxlib.mlir import ir
from jaxlib.mlir._mlir_libs import _jax_mlir_ext
from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

__all__ = ["ROOM", "Context", "context", "remembered"]

ROOM = 2**24
"""How many bytes of programs a context takes in. (To make one takes milliseconds, to read this much takes tenths.)"""


class Context(ir.Context):  # type: ignore[misc]
    """A context with every dialect that gradir reads."""

    def __init__(self) -> None:
        super().__init__()
        self.taken_in = 0
        registry = ir.DialectRegistry()
        _jax_mlir_ext.register_dialects(registry)
        self.append_dialect_registry(registry)
        self.load_all_available_dialects()
        for register in (
            sdy.register_dialect,
            chlo.register_dialect,
            stablehlo.register_dialect,
            mhlo.register_mhlo_dialect,
        ):
            register(self)
        # The `enzyme` dialect has no C++ here: its ops live in generic form until they are lowered. Its Python module
        # would be looked for, in vain, each time such an op is met.
        for dialect in ("enzyme", "gradir"):
            sys.modules.setdefault(f"jaxlib.mlir.dialects.{dialect}", types.ModuleType(dialect))
        self.allow_unregistered_dialects = True
        stablehlo.register_stablehlo_passes()


_lock = threading.Lock()
_newest: Context | None = None
_memories: list[dict[Any, Any]] = []


def context(size: int = 0) -> Context:
    """The context for a program of `size` bytes that comes from outside: the newest, or a new one if that is full.

    >>> context() is context()
    True
    """
    global _newest
    with _lock:
        if _newest is None or (size and _newest.taken_in and _newest.taken_in + size > ROOM):
            _newest = Context()
            for memory in _memories:
                memory.clear()
        _newest.taken_in += size
        return _newest


def remembered() -> dict[Any, Any]:
    """A dictionary of what was read off types and attributes.

    These keep their context alive, so it is emptied when a new one begins: look things up with `get`.
    """
    memory: dict[Any, Any] = {}
    _memories.append(memory)
    return memory
