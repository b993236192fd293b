"""`gradir doctor`: what is installed, and what the rest would add."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from gradir.cli.terminal import paint
from gradir.errors import GradirError
from gradir.version import __version__

__all__ = ["add_commands"]

EXAMPLES = """
gradir doctor
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    what = "say what is installed, and what the rest would add"
    doctor = commands.add_parser("doctor", help=what, description=f"{what.capitalize()}.", examples=EXAMPLES)
    doctor.set_defaults(command=_doctor)


def _doctor(arguments: argparse.Namespace) -> None:
    del arguments
    print(f"gradir {__version__}, Python {sys.version.split()[0]}")
    for package, extra, adds in _PACKAGES:
        try:
            print(f"  {paint('ok', '32')}       {package} {version(package)}: {adds}")
        except PackageNotFoundError:
            way = f"pip install 'gradir[{extra}]'" if extra else "pip install --force-reinstall gradir"
            print(f"  {paint('missing', '33')}  {package}: {way} adds {adds}")
    from gradir.backends import BACKENDS, backend

    for name in BACKENDS:
        chosen = backend(name)
        state = chosen.describe() if chosen.available() else f"not installed: pip install 'gradir[{chosen.extra}]'"
        print(f"  back end {name}: {state}")
    _list_compilers()


def _list_compilers() -> None:
    from gradir.frontends.c import clang
    from gradir.frontends.c import version as clang_version
    from gradir.frontends.fortran import flang
    from gradir.frontends.rust import rustc

    def describe_clang() -> str:
        return clang_version(clang())

    for language, describe in (("C and C++", describe_clang), ("Fortran", flang), ("Rust", rustc)):
        try:
            print(f"  compiler for {language}: {describe()}")
        except GradirError as error:
            print(f"  compiler for {language}: none ({error.hint})")


_PACKAGES = (
    ("jax", None, "MLIR, and running on XLA"),
    ("llvmlite", None, "LLVM IR"),
    ("iree-base-compiler", "iree", "compiling for IREE"),
    ("iree-base-runtime", "iree", "running on IREE"),
    ("ziglang", "c", "programs in C and C++"),
    ("torch-mlir", "mlir", "MLIR's own dialects"),
    ("numba", "numba", "functions compiled by Numba"),
    ("torch", "torch", "programs out of PyTorch, and functions in it"),
    ("tensorflow", "tensorflow", "programs out of TensorFlow, and functions in it"),
)
