"""`gradir show` and `gradir repl`: functions and their derivatives, to be read."""

from __future__ import annotations

import argparse
from typing import Any

from gradir.cli.parser import add_compiler, add_input, only, refuse_together, refuse_what_does_not_apply
from gradir.cli.source import Inputs
from gradir.cli.terminal import UsageError

__all__ = ["add_commands"]

EXAMPLES = """
gradir show model.shf --fn f --grad x                 (+ y 1)
gradir show model.py --fn loss --grad w --as python   NumPy source
gradir show f.mlir --grad x --as formula
gradir show kernel.c --fn f --grad x --as llvm        plain LLVM IR; or formula, c, python, if it has no loops
gradir show - -x c -DN=3 --fn f --grad x --as c < kernel.c
gradir show -e '(fn [x y] (+ (* x y) x))' --grad x
"""
REPL_EXAMPLES = """
gradir repl
gradir repl model.shf
"""
NOTATIONS = ("sexpr", "formula", "python", "c", "mlir", "llvm")


def add_commands(commands: Any) -> None:
    """Add the commands to a parser's."""
    show = commands.add_parser(
        "show",
        help="print a function or its derivative, to be read",
        description="Print a function or its derivative, to be read. IN may also be a .py or .shf file.",
        examples=EXAMPLES,
    )
    add_input(show, nargs="*")
    add_compiler(show)
    show.add_argument("-e", "--expr", metavar="E", help="instead, a function in Sheaf: '(fn [x y] (+ (* x y) x))'")
    show.add_argument("--fn", metavar="F", help="the function (may be left out if there is one)")
    show.add_argument("--grad", metavar="X,Y", help="show the derivative by these arguments; else the function itself")
    show.add_argument(
        "--as",
        dest="notation",
        choices=NOTATIONS,
        help=f"the notation: {', '.join(NOTATIONS)} (sexpr, which is Sheaf; of native code llvm)",
    )
    only(
        "traced",
        show.add_argument(
            "--shape",
            action="append",
            default=[],
            metavar="X=2x8",
            help="the shape of an argument of a .shf or .py file; if not said, as in its params and data, or a number",
        ),
    )
    show.set_defaults(command=_show)

    repl = commands.add_parser(
        "repl", help="Sheaf, line by line", description="Sheaf, line by line, with :grad f.", examples=REPL_EXAMPLES
    )
    repl.add_argument("source", metavar="IN", nargs="?", help="a .shf file to begin with")
    repl.set_defaults(command=_repl)


def _show(arguments: argparse.Namespace) -> None:
    from gradir.show import parse_shapes, view_of_file, view_of_module, view_of_native, view_of_text

    inputs: Inputs = arguments.inputs
    if bool(arguments.sources) == (arguments.expr is not None):
        raise UsageError("what is to be shown?", hint="name a file, or give a function by -e")
    by = [name.strip() for name in (arguments.grad or "").split(",") if name.strip()]
    shapes = parse_shapes(arguments.shape)
    if arguments.expr is not None:
        refuse_together(arguments, "--fn", "is for a file, which may hold several")
        refuse_together(arguments, "-x", "is for a file")
        refuse_what_does_not_apply(arguments, {"traced"})
        view = view_of_text(arguments.expr, by, shapes)
    elif inputs.traced is not None:
        refuse_what_does_not_apply(arguments, {"traced"})
        view = view_of_file(inputs.traced, arguments.fn, by, shapes)
    elif inputs.is_native(arguments):
        found = view_of_native(inputs.native(arguments.flags), arguments.fn, by)
        print(found.text(arguments.notation or "llvm"))
        return
    else:
        view = view_of_module(inputs.module(), arguments.fn, by, inputs.sources[0].path)
    print(view.text(arguments.notation or "sexpr"))


def _repl(arguments: argparse.Namespace) -> None:
    from gradir.repl import run

    run(arguments)
