"""PyTorch: programs out of it, and functions into it."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from gradir.errors import MissingExtra

# Where each public name lives. It is imported when first used.
_HOMES: dict[str, tuple[str, ...]] = {
    "gradir.torch.exchange": ("to_jax", "to_torch"),
    "gradir.torch.losses": ("Objective", "objective"),
    "gradir.torch.operators": ("function",),
    "gradir.torch.loading": ("load",),
    "gradir.torch.training": ("ValueAndGrad", "value_and_grad"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [*_HOME_OF]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'gradir.torch' has no attribute '{name}'")
    if find_spec("torch") is None:
        raise MissingExtra("torch", "torch")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
