"""`gradir opt`: lower Enzyme's requests in a program, and make it cheaper."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.making import add_numerics, add_verify, verifying
from gradir.cli.observe import Observer, add_observation, observing
from gradir.cli.output import llvm_form, mlir_form, write_content, write_llvm, write_module
from gradir.cli.parser import add_compiler, add_input, add_output, names, only, refuse_together
from gradir.cli.source import Inputs
from gradir.cli.terminal import UsageError, progress
from gradir.errors import InputError

if TYPE_CHECKING:
    from gradir.module import Module

__all__ = ["add_commands"]

SPLIT = "\n// -----\n"
"""What stands between the modules of one text, by MLIR's custom."""

EXAMPLES = """
gradir opt enzyme.mlir -o plain.mlir                 lower enzyme.autodiff and its kin to StableHLO
gradir opt memref.mlir -o memref.o                   the same of memref, scf, affine, linalg, ...: by LLVM IR
gradir opt in.mlir --passes=all --explain            make a program cheaper, and say by which rules
gradir opt slope.c -I include -o slope.o             replace __enzyme_autodiff(f, ...) in C
clang -S -emit-llvm f.c -o - | gradir opt - --emit-llvm=19 -o f.ll
gradir opt kernel.c --print-analysis=types,loops --fn energy
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    parser = commands.add_parser(
        "opt",
        help="lower every enzyme op of an MLIR module, every __enzyme call of LLVM IR",
        description="Lower every enzyme op of an MLIR module, or every __enzyme call of LLVM IR.",
        examples=EXAMPLES,
    )
    add_input(parser)
    add_compiler(parser)
    add_output(parser, ["text", "bytecode", "portable", "vmfb", "bitcode", "object", "assembly"])
    only(
        "mlir",
        parser.add_argument(
            "--split-input-file",
            action="store_true",
            help="IN is text that holds several modules, between lines // -----",
        ),
    )
    parser.add_argument("--no-optimise", action="store_true", help="differentiate the code as it stands")
    only(
        "native",
        parser.add_argument(
            "--print-analysis",
            type=names,
            metavar="A,B",
            help="instead, say what is known: types, dominators, loops, alias, activity, cache",
        ),
    )
    only(
        "native",
        parser.add_argument(
            "--fn", metavar="F", action="append", help="--print-analysis: of this function only"
        ),
    )
    only(
        "mlir",
        parser.add_argument(
            "--passes", type=names, metavar="A,B", help="then rewrite by these families, rules or all"
        ),
    )
    add_numerics(parser)
    only(
        "mlir",
        parser.add_argument(
            "--fast-math", dest="numerics", action="store_const", const="fast", help="the same as --numerics=fast"
        ),
    )
    parser.add_argument("--list-rules", action=_ListRules, nargs=0, help="print all rewrites by family, and stop")
    add_verify(parser)
    add_observation(parser)
    parser.set_defaults(command=opt)


class _ListRules(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from gradir.tensor.optimize import FAMILIES, RULES

        for family in FAMILIES.values():
            mine = [r for r in RULES.values() if r.family == family.name]
            print(f"{family.name}: {family.about} ({len(mine)})")
            for r in mine:
                marks = r.effects.names() + ["by cost"] * r.gated
                print(f"  {r.name:28} {r.formula}" + (f"  [{', '.join(marks)}]" if marks else ""))
        parser.exit()


def opt(arguments: argparse.Namespace) -> None:
    """Lower what a program asks for."""
    inputs: Inputs = arguments.inputs
    if arguments.fn and not arguments.print_analysis:
        raise UsageError(
            "--fn is for --print-analysis", word="--fn", hint="gradir diff --fn F differentiates one function"
        )
    is_native = inputs.is_native(arguments)
    inputs.say_level()
    with observing(arguments) as observer:
        if not is_native:
            _opt_mlir(arguments, observer)
        elif arguments.print_analysis:
            _print_analysis(arguments)
        else:
            _opt_llvm(arguments, observer)


# -- StableHLO -------------------------------------------------------------------------------------------------------


def _opt_mlir(arguments: argparse.Namespace, observer: Observer) -> None:
    form = mlir_form(arguments)
    if arguments.split_input_file:
        _opt_each(arguments, form, observer)
        return
    module = arguments.inputs.module()
    observer.saw_module("before", module)
    made = _lowered(module, arguments)
    observer.saw_module("after", made)
    write_module(made, form, arguments)


def _lowered(module: Module, arguments: argparse.Namespace) -> Module:
    """The module without enzyme ops, and after the rewrites that were asked for."""
    from gradir.tensor.optimize.switch import optimizing

    with progress("lowering"), optimizing(not arguments.no_optimise, numerics=arguments.numerics):
        module = module.lower()
    if arguments.passes or arguments.numerics:
        passes = None if arguments.passes in (None, ["all"]) else arguments.passes
        with progress("optimising"):
            module = module.optimize(passes, numerics=arguments.numerics)
    return module


def _opt_each(arguments: argparse.Namespace, form: str, observer: Observer) -> None:
    """Lower the modules of one text, each on its own; lines keep their numbers in locations."""
    from gradir.module import Module
    from gradir.tensor.ir.module import functions, parse

    if form != "text":
        raise UsageError("several modules are written as text", word=arguments.output, hint="name a .mlir file with -o")
    if len(arguments.inputs.sources) > 1:
        raise UsageError("--split-input-file takes one file", word=arguments.inputs.sources[1].name)
    if observer.counts:
        option = "--explain" if observer.explains else "--statistics"
        raise UsageError(f"{option} is for one module", word=option, hint="leave out --split-input-file")
    source = arguments.inputs.sources[0]
    try:
        parts = source.read().decode().split(SPLIT)
    except UnicodeDecodeError:
        raise InputError("not a text", location=source.name, hint="only text can hold several modules") from None
    lowered: list[str] = []
    lines_before = 0
    for part in parts:
        module = parse("\n" * lines_before + part, source.name)
        lines_before += part.count("\n") + SPLIT.count("\n")
        lowered.append(str(_lowered(Module(module), arguments) if functions(module) else Module(module)).strip())
    write_content((SPLIT.join(f"{text}\n" for text in lowered)).encode(), arguments.output)


# -- LLVM IR ---------------------------------------------------------------------------------------------------------


def _opt_llvm(arguments: argparse.Namespace, observer: Observer) -> None:
    """Replace Enzyme's calls in a program of the machine level."""
    from gradir.machine.enzyme import lower_text

    inputs: Inputs = arguments.inputs
    form = llvm_form(arguments)
    given = str(inputs.llvm(arguments.flags))
    observer.saw_llvm("before", given)
    # Where no other compiler will see all of it.
    whole = form in ("object", "assembly") or inputs.is_compiled_here
    with progress("lowering"), verifying(arguments):
        text = lower_text(given, optimise=not arguments.no_optimise, whole=whole, name=inputs.title)
    observer.saw_llvm("after", text)
    write_llvm(text, form, arguments, inputs.title)


def _print_analysis(arguments: argparse.Namespace) -> None:
    """Write what the analyses find, in place of a module."""
    from gradir.machine.jit.report import report_text

    for option in ("--emit", "--emit-llvm", "--verify", "--statistics"):
        refuse_together(arguments, option, "is not for --print-analysis, which writes no module")
    if Path(arguments.output).suffix in (".ll", ".bc", ".o", ".s"):
        raise UsageError("--print-analysis writes a text, no module", word=arguments.output, hint="name a .txt file")
    inputs: Inputs = arguments.inputs
    module = inputs.llvm(arguments.flags)
    with progress("analysing"):
        reports = report_text(
            str(module),
            arguments.print_analysis,
            arguments.fn or [],
            optimise=not arguments.no_optimise,
            location=inputs.title,
        )
    write_content(reports.encode(), arguments.output)
