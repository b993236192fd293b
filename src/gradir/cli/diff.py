"""`gradir diff`: add derivatives of functions to a program."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.making import add_numerics, add_verify, checkpointing, policy, verifying
from gradir.cli.observe import Observer, add_observation, observing
from gradir.cli.output import llvm_text, mlir_form, write_content, write_module
from gradir.cli.parser import add_compiler, add_input, add_output, only, refuse_together
from gradir.cli.source import Inputs
from gradir.cli.terminal import UsageError, progress
from gradir.errors import RequestError

if TYPE_CHECKING:
    from gradir.module import Module
    from gradir.native import Derivative, NativeModule

__all__ = ["add_commands"]

EXAMPLES = """
gradir diff f.mlir --fn f --wrt 0,2 -o f_vjp.mlir            a program with f and vjp_f
gradir diff f.mlir --value-and-grad | gradir run - --fn value_and_grad_f --input x.npy
gradir diff f.mlir --hessian --timing --explain              what it takes, on stderr
gradir diff kernel.c --fn energy --wrt x,k -o energy.so      a library, and its header
gradir diff kernel.c --restrict --cpu x86-64,x86-64-v3 -o energy.so
gradir diff a.c b.f90 --fn f --fn g -DN=3 -o both.o          several files, several functions
gradir diff kernel.cu --fn saxpy -o saxpy.ptx                a kernel of CUDA's, for its driver
gradir diff f.mlir --grad -o f.vmfb                          for IREE's runtime, which needs no Python
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    diff = commands.add_parser(
        "diff",
        help="add derivatives of functions to a program",
        description="Add the derivative of a function, or of several, to a program.",
        examples=EXAMPLES,
    )
    add_input(diff)
    add_compiler(diff)
    diff.add_argument(
        "--fn",
        metavar="F",
        action="append",
        help="the function (may be left out if there is one, or a main); again for another one",
    )
    diff.add_argument(
        "--mode",
        choices=["reverse", "forward"],
        help="reverse (default): vjp_F, forward: jvp_F; or how --jacobian goes",
    )
    kinds = diff.add_mutually_exclusive_group()
    for kind, text in (
        ("grad", "of a scalar function: grad_F, arguments -> gradients"),
        ("value-and-grad", "of a scalar function: value_and_grad_F, arguments -> (value, gradients)"),
        ("jacobian", "jacobian_F: arguments -> all derivatives of all results"),
        ("hessian", "of a scalar function: hessian_F, arguments -> all second derivatives"),
    ):
        kinds.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind.replace("-", "_"), help=text)
    diff.add_argument(
        "--wrt", type=_arguments, metavar="X,Y", help="arguments to differentiate by (the first), by name or number"
    )
    diff.add_argument("--name", metavar="N", action="append", help="what to call the derivative; one for each --fn")
    add_numerics(diff)
    diff.add_argument(
        "--checkpoints",
        metavar="POLICY",
        help="what reverse mode keeps of loops: auto, none, full, sqrt, revolve:64 (or 64), budget:64MiB, ...",
    )
    only(
        "mlir",
        diff.add_argument(
            "--report", action="store_true", help="say what the derivative takes, and would with other --checkpoints"
        ),
    )
    add_output(diff, ["text", "bytecode", "portable", "vmfb", "bitcode", "object", "assembly"])
    _add_machine(diff)
    add_verify(diff)
    add_observation(diff)
    diff.set_defaults(command=_diff)


def _add_machine(parser: argparse.ArgumentParser) -> None:
    for action in (
        parser.add_argument(
            "--restrict", action="store_true", help="callers vouch that arrays and shadows don't overlap: faster code"
        ),
        parser.add_argument(
            "--cpu",
            metavar="C[,C]",
            default="",
            help="what the code is for: native (default), x86-64-v3, ...; of several the best that runs is called",
        ),
        parser.add_argument(
            "--width", metavar="N", type=int, default=1, help="directions in one sweep, side by side: d_x[i * N + k]"
        ),
        parser.add_argument("--triple", metavar="T", default="", help="another machine, as LLVM names it"),
    ):
        only("native", action)


def _arguments(text: str) -> tuple[int | str, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"-?\d+|[^\W\d]\w*", part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of arguments such as 0,2 or x,y")
    return tuple(int(part) if part.lstrip("-").isdigit() else part for part in parts)


def _diff(arguments: argparse.Namespace) -> None:
    inputs: Inputs = arguments.inputs
    if arguments.kind != "jacobian" and arguments.kind is not None:
        refuse_together(arguments, "--mode", f"is not for --{arguments.kind.replace('_', '-')}")
    if arguments.mode == "forward":
        refuse_together(arguments, "--checkpoints", "is for reverse mode")
    functions: list[str | None] = arguments.fn or [None]
    if arguments.name and len(arguments.name) != len(functions):
        raise UsageError(
            f"{len(arguments.name)} names for {len(functions)} functions", word="--name", hint="one --name for each"
        )
    if any(name.endswith(".cu") for name in inputs.names):
        _diff_kernels(arguments, functions)
        return
    is_native = inputs.is_native(arguments)
    with observing(arguments) as observer:
        (_diff_native if is_native else _diff_mlir)(arguments, functions, observer)


# -- CUDA ------------------------------------------------------------------------------------------------------------


def _diff_kernels(arguments: argparse.Namespace, functions: Sequence[str | None]) -> None:
    """Write the derivative of a kernel as PTX, with a comment that says how it is launched."""
    from gradir.frontends import cuda

    names = arguments.inputs.names
    kind = arguments.kind or ("jvp" if arguments.mode == "forward" else "vjp")
    if len(names) != 1 or len(functions) != 1 or kind not in ("vjp", "jvp"):
        raise UsageError("of kernels, one derivative is written: --vjp or --jvp of one function", word=names[-1])
    module = cuda.load(Path(names[0]), flags=arguments.flags or (), compiler=getattr(arguments, "compiler", None))
    write_content(getattr(module, kind)(functions[0], arguments.wrt).listing().encode(), arguments.output)


# -- StableHLO -------------------------------------------------------------------------------------------------------


def _diff_mlir(arguments: argparse.Namespace, functions: Sequence[str | None], observer: Observer) -> None:
    from gradir.tensor.optimize.switch import optimizing

    form = mlir_form(arguments)
    kind = arguments.kind or ("jvp" if arguments.mode == "forward" else "vjp")
    given = module = arguments.inputs.module()
    observer.saw_module("before", module)
    with progress("differentiating") as bar, optimizing(numerics=arguments.numerics), checkpointing(arguments):
        for i, function in enumerate(functions):
            wrt = _indices(arguments, given, function)
            module = _derivation(module, kind, arguments.mode)(function, wrt, name=_name(arguments, i))
            bar.advance(i + 1, len(functions))
    observer.saw_module("after", module)
    if arguments.report:
        _report(given, functions, kind, arguments)
    if not arguments.report or arguments.output != "-":
        write_module(module, form, arguments)


def _derivation(module: Module, kind: str, mode: str | None) -> Callable[..., Module]:
    from functools import partial

    derive: Callable[..., Module] = getattr(module, kind)
    return partial(derive, mode=mode or "auto") if kind == "jacobian" else derive


def _name(arguments: argparse.Namespace, i: int) -> str | None:
    return arguments.name[i] if arguments.name else None


def _indices(arguments: argparse.Namespace, module: Module, function: str | None) -> tuple[int, ...]:
    """The numbers of the arguments to differentiate by, which the program's text may name."""
    which: tuple[int | str, ...] = arguments.wrt or (0,)
    if all(isinstance(i, int) for i in which):
        return tuple(i for i in which if isinstance(i, int))
    from gradir.show import places_of, view_of_module

    view = view_of_module(module, function, (), arguments.inputs.sources[0].path)
    try:
        return tuple(i if isinstance(i, int) else places_of(view, [i])[0] for i in which)
    except RequestError as error:
        raise UsageError(error.message, word=",".join(map(str, which)), hint=error.hint) from None


def _report(
    module: Module,
    functions: Sequence[str | None],
    kind: str,
    arguments: argparse.Namespace,
) -> None:
    from gradir.memory import POLICIES
    from gradir.tensor.optimize.switch import optimizing

    policies = [] if arguments.checkpoints is None else [policy(arguments.checkpoints)]
    for function in functions:
        with progress("comparing"), optimizing(numerics=arguments.numerics):
            wrt = _indices(arguments, module, function)
            print(module.memory_report(function, wrt, derivative=kind, policies=[*policies, *POLICIES]))


# -- Native code -----------------------------------------------------------------------------------------------------


def _diff_native(arguments: argparse.Namespace, functions: Sequence[str | None], observer: Observer) -> None:
    """Write a native program with derivatives of its functions, as C functions."""
    from gradir.native.save import SUFFIXES

    suffix = _native_suffix(arguments, SUFFIXES)
    how = {"noalias": arguments.restrict, "width": arguments.width, "triple": arguments.triple, "cpu": arguments.cpu}
    module = arguments.inputs.native(arguments.flags)
    observer.saw_llvm("before", str(module))
    with progress("differentiating") as bar, verifying(arguments), checkpointing(arguments):
        derivatives: list[Derivative] = []
        for i, function in enumerate(functions):
            derivative = _native_derivative(module, function, arguments)
            derivative.export_name = _name(arguments, i)
            derivatives.append(derivative)
            bar.advance(i + 1, len(functions))
        if observer.counts:
            observer.saw_llvm("after", module.to_llvm(derivatives, **how))
        if arguments.llvm_version is not None:
            text = llvm_text(module.to_llvm(derivatives, **how), arguments.llvm_version)
            write_content(text.encode(), arguments.output)
        elif arguments.output == "-" or arguments.emit:
            write_content(module.to_bytes(suffix, derivatives, **how), arguments.output)
        else:
            module.save(arguments.output, derivatives, **how)
    for note in module.loops:
        print(note, file=sys.stderr)
    observer.phases = dict(module.phases)


def _native_derivative(module: NativeModule, function: str | None, arguments: argparse.Namespace) -> Derivative:
    match arguments.kind:
        case "grad":
            return module.grad(function, arguments.wrt)
        case "value_and_grad":
            return module.value_and_grad(function, arguments.wrt)
        case "jacobian":
            return module.jacobian(function, arguments.wrt, mode=arguments.mode or "auto")
        case "hessian":
            return module.hessian(function, arguments.wrt)
    return (module.jvp if arguments.mode == "forward" else module.vjp)(function, arguments.wrt)


_EMITTED = {"text": ".ll", "bitcode": ".bc", "object": ".o", "assembly": ".s"}


def _native_suffix(arguments: argparse.Namespace, suffixes: Sequence[str]) -> str:
    """What is written, before the work begins."""
    if arguments.emit and arguments.emit not in _EMITTED:
        raise UsageError(
            f"native code is not written as {arguments.emit}",
            word=arguments.emit,
            hint=f"it is written as {', '.join(_EMITTED)}",
        )
    suffix = Path(arguments.output).suffix
    chosen = _EMITTED[arguments.emit] if arguments.emit else suffix if arguments.output != "-" else ".ll"
    if chosen not in suffixes:
        raise UsageError(
            f"native code has no form for the suffix '{suffix}'",
            word=arguments.output,
            hint=f"use one of {', '.join(suffixes)}, or say --emit",
        )
    if arguments.llvm_version is not None and chosen != ".ll":
        raise UsageError("--emit-llvm writes text", word="--emit-llvm", hint="name a .ll file with -o")
    if arguments.output == "-" and chosen in (".bc", ".o") and sys.stdout.isatty():
        raise UsageError(f"{arguments.emit} is no reading for a terminal", hint="name a file with -o")
    return chosen
