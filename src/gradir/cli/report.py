"""`gradir report`: a page about a derivative."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from gradir.cli.output import write_content
from gradir.cli.parser import add_compiler, add_input, names, only, refuse_what_does_not_apply
from gradir.cli.source import Inputs
from gradir.cli.terminal import progress

if TYPE_CHECKING:
    from gradir.report import Report
    from gradir.show import View

__all__ = ["add_commands"]

EXAMPLES = """
gradir report kernel.c --fn energy --wrt x,k -o energy.html
gradir report f.mlir --fn f --wrt 0,1 -o f.html
gradir report model.py --fn loss --shape w=8x3,x=3 --wrt w -o loss.html
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    report = commands.add_parser(
        "report",
        help="write a page about a derivative: the source beside it, costs, memory, graphs",
        description="Write one self-contained HTML page about the derivative of a function: the source beside it, "
        "linked line by line; what is active, kept and recomputed; costs by line; the rewrites that fired; graphs. "
        "IN may also be a .py or .shf file.",
        examples=EXAMPLES,
    )
    add_input(report)
    add_compiler(report)
    report.add_argument("--fn", metavar="F", help="the function (may be left out if there is one, or a main)")
    report.add_argument("--wrt", metavar="X,Y", help="arguments to differentiate by, by name or number (the first)")
    report.add_argument("--mode", choices=["reverse", "forward"], default="reverse", help="reverse: vjp, forward: jvp")
    only(
        "traced",
        report.add_argument(
            "--shape",
            action="append",
            default=[],
            metavar="X=2x8",
            help="the shape of an argument of a .py or .shf file",
        ),
    )
    report.add_argument(
        "-o", "--output", metavar="OUT", default="report.html", help="the page (report.html); - is stdout"
    )
    report.set_defaults(command=_report)


def _report(arguments: argparse.Namespace) -> None:
    inputs: Inputs = arguments.inputs
    by = names(arguments.wrt or "")
    if inputs.traced is not None:
        from gradir.show import parse_shapes, view_of_file

        refuse_what_does_not_apply(arguments, {"traced"})
        made = _tensor(view_of_file(inputs.traced, arguments.fn, (), parse_shapes(arguments.shape)), by, arguments)
    else:
        made = _native(by, arguments) if inputs.is_native(arguments) else _mlir(by, arguments)
    if arguments.output == "-":
        write_content(made.html.encode(), "-")
        print(made, file=sys.stderr)
        return
    made.save(arguments.output)
    print(made)
    print(f"written to {arguments.output}")


def _native(by: list[str], arguments: argparse.Namespace) -> Report:
    wrt = [int(word) if word.isdigit() else word for word in by] or None
    module = arguments.inputs.native(arguments.flags)
    with progress("differentiating"):
        return module.report(arguments.fn, wrt, mode=arguments.mode)


def _mlir(by: list[str], arguments: argparse.Namespace) -> Report:
    from gradir.show import view_of_module

    module, [first, *_] = arguments.inputs.module(), arguments.inputs.sources
    return _tensor(view_of_module(module, arguments.fn, (), first.path), by, arguments)


def _tensor(view: View, by: list[str], arguments: argparse.Namespace) -> Report:
    from gradir.show import places_of

    with progress("differentiating"):
        return view.module.report(view.function, places_of(view, by), mode=arguments.mode, title=view.name)
