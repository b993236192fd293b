"""`gradir`: lower, differentiate and run programs from the command line.

Results go to stdout or to files, messages to stderr. Exit codes: 0 done, 1 the program can't be differentiated,
2 the command makes no sense, 3 what was given can't be read, 70 something is wrong with gradir, 75 another process
was lost, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

from gradir.cli import cache, completion, diff, doctor, opt, plan, report, run, show, train
from gradir.cli.parser import Parser, parsed
from gradir.cli.source import Inputs
from gradir.cli.terminal import (
    EXIT_BUG,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    UsageError,
    complain,
    exit_code,
    stages,
    unexpected,
    unwritten,
)
from gradir.errors import GradirError
from gradir.version import __version__

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    # XLA's start-up messages are for XLA's authors.
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _run(words)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has seen enough
        _discard(sys.stdout, sys.stderr)
        return 0
    except OSError as error:
        told = unwritten(error)
        if told is None:
            raise
        complain(told, words)
        _discard(sys.stdout)
        return EXIT_USAGE
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _discard(*streams: Any) -> None:
    """Let what is still to be written to some streams go nowhere, at the latest when Python ends."""
    for stream in streams:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _run(words: list[str]) -> int:
    parser = _parser()
    try:
        arguments = parsed(parser, {n: p for n, (p, _) in completion.commands_of(parser).items()}, words)
    except UsageError as error:
        print(f"usage: gradir {_command(words)}[options] ...", file=sys.stderr)
        complain(error, words)
        raise SystemExit(EXIT_USAGE) from None
    arguments.words, arguments.whole = words, parser
    inputs = Inputs(getattr(arguments, "sources", []), getattr(arguments, "language", None))
    arguments.inputs = inputs
    token = stages.set({})
    try:
        arguments.command(arguments)
        return 0
    except GradirError as error:
        inputs.renamed(error)
        complain(error, words, inputs.text_of)
        return exit_code(error, asked_by_program=arguments.command is opt.opt)
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:
        if isinstance(error, OSError) and unwritten(error):
            raise
        if os.environ.get("GRADIR_DEBUG"):
            raise
        complain(unexpected(error))
        return EXIT_BUG
    finally:
        stages.reset(token)
        inputs.close()


def _command(words: Sequence[str]) -> str:
    return f"{words[0]} " if words and not words[0].startswith("-") else "COMMAND "


EXAMPLES = """
gradir diff f.mlir --fn f --wrt 0,2 -o f_vjp.mlir    differentiate StableHLO
gradir diff kernel.c --fn energy --wrt x -o energy.so
gradir opt enzyme.mlir -o plain.mlir                 lower what Enzyme's ops or calls ask for
gradir run f.mlir --input x.npy '[1, 2]' 3.0         execute
gradir show model.shf --fn f --grad x                read a derivative
gradir report kernel.c --fn energy -o energy.html    see it beside its source
"""


def _parser() -> Parser:
    parser = Parser(
        prog="gradir",
        description="Differentiate StableHLO and native programs.",
        examples=EXAMPLES,
    )
    parser.add_argument("--version", action="version", version=f"gradir {__version__}")
    commands = parser.add_subparsers(dest="==command", required=True, metavar="COMMAND", parser_class=Parser)
    for command in (opt, diff, run, train, plan, show, report, doctor, cache, completion):
        command.add_commands(commands)
    for own in commands.choices.values():
        own.set_defaults(parser=own)
    return parser
