"""gradir differentiates compiler IR: StableHLO in, derivative StableHLO out; LLVM IR in, derivative LLVM IR out.

In short:

    m = gradir.load(source)              # path, text, bytes, jax Lowered or Exported
    m = m.grad("f", wrt=(0, 2))          # a new module that also holds grad_f
    m.run("grad_f", x, y, z)             # on XLA, IREE or the reference interpreter
    m.save("grad.mlir")

    m = gradir.load("kernel.c")          # C, C++, Fortran, Rust, LLVM IR, or an njit function
    m.grad("f", wrt="x")(x, n)           # on NumPy arrays, without a copy
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gradir.version import __version__

if TYPE_CHECKING:
    from gradir.backends import Executable as Executable
    from gradir.errors import BackendError as BackendError
    from gradir.errors import GradirError as GradirError
    from gradir.errors import InputError as InputError
    from gradir.errors import MissingExtra as MissingExtra
    from gradir.errors import NoRule as NoRule
    from gradir.errors import OutputError as OutputError
    from gradir.errors import RequestError as RequestError
    from gradir.mixed import MixedModule as MixedModule
    from gradir.module import Module as Module
    from gradir.native import NativeFunction as NativeFunction
    from gradir.native import NativeModule as NativeModule
    from gradir.policy import Policy as Policy
    from gradir.policy import checkpointing as checkpointing
    from gradir.report import Report as Report
    from gradir.request import Activity as Activity
    from gradir.request import Mode as Mode
    from gradir.request import Request as Request
    from gradir.sources import load as load
    from gradir.tensor.ir.signature import Signature as Signature
    from gradir.tensor.ir.signature import TensorSpec as TensorSpec
    from gradir.tensor.optimize.switch import optimizing as optimizing
    from gradir.tensor.rules.custom_call import register_composite as register_composite
    from gradir.tensor.rules.custom_call import register_custom_call as register_custom_call

# Where each public name lives. It is imported when first used, so that `import gradir` costs next to nothing.
_HOMES = {
    "gradir.backends": ("Executable",),
    "gradir.errors": (
        "BackendError",
        "GradirError",
        "InputError",
        "MissingExtra",
        "NoRule",
        "OutputError",
        "RequestError",
    ),
    "gradir.mixed": ("MixedModule",),
    "gradir.module": ("Module",),
    "gradir.native": ("NativeFunction", "NativeModule"),
    "gradir.policy": ("Policy", "checkpointing"),
    "gradir.report": ("Report",),
    "gradir.request": ("Activity", "Mode", "Request"),
    "gradir.sources": ("load",),
    "gradir.tensor.optimize.switch": ("optimizing",),
    "gradir.tensor.rules.custom_call": ("register_composite", "register_custom_call"),
    "gradir.tensor.ir.signature": ("Signature", "TensorSpec"),
}
# As JAX does: XLA's start-up messages are for XLA's authors. (`jaxlib` may be imported before JAX.)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "1")

_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_SUBMODULES = ("jax", "scipy", "tensorflow", "torch")

__all__ = ["__version__", *_HOME_OF, *_SUBMODULES]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(import_module(_HOME_OF[name]), name)
    elif name in _SUBMODULES:
        value = import_module(f"gradir.{name}")
    else:
        raise AttributeError(f"module 'gradir' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
