"""Options on how derivatives are made: numerics, checkpoints, checks."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext

from gradir.cli.parser import only

__all__ = ["add_numerics", "add_verify", "checkpointing", "policy", "verifying"]


def add_verify(parser: argparse.ArgumentParser) -> None:
    only(
        "native",
        parser.add_argument(
            "--verify", action="store_true", help="check what is written, and let it check itself when it runs"
        ),
    )


def verifying(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    from gradir.machine.transform.verify import verifying

    return verifying() if arguments.verify else nullcontext()


def add_numerics(parser: argparse.ArgumentParser) -> None:
    only(
        "mlir",
        parser.add_argument(
            "--numerics",
            choices=["exact", "default", "fast"],
            help="how far rewrites may move numbers: not a bit, rounding (default), or all that holds if finite",
        ),
    )


def checkpointing(arguments: argparse.Namespace) -> AbstractContextManager[None]:
    from gradir.policy import checkpointing

    return nullcontext() if arguments.checkpoints is None else checkpointing(policy(arguments.checkpoints))


def policy(words: str) -> str | int:
    """What --checkpoints says: a number is one of states."""
    return int(words) if words.lstrip("-").isdecimal() else words
