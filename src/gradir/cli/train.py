"""`gradir train` and `gradir build`: training at the command line."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.parser import refuse_together, verbatim
from gradir.cli.terminal import UsageError

if TYPE_CHECKING:
    from gradir.train import Recipe, Task

__all__ = ["add_commands", "add_task", "task_and_recipe"]

EXAMPLES = """
gradir train examples/xor.shf -o weights.safetensors
gradir train model.py --data x=x.npy --data y=y.npy --optimizer adam --epochs 20 --curve -
gradir train gpt.shf --checkpoint state.safetensors --resume
"""
BUILD_EXAMPLES = """
gradir build examples/xor.shf -o out/
gradir build model.shf -o out/ --machine aarch64 --only train_step,predict
"""
RECIPE = {
    "optimizer": (str, "NAME", "sgd, momentum, adam or adamw"),
    "rate": (float, "R", "the learning rate"),
    "epochs": (int, "N", "how often the data are seen"),
    "batch": (int, "N", "examples in a batch; all, if not said"),
    "schedule": (str, "NAME", "of the rate: constant, linear, cosine, exponential or warmup-cosine"),
    "warmup": (int, "N", "steps in which the rate rises (warmup-cosine)"),
    "clip": (float, "X", "the largest global norm of the gradients"),
    "momentum": (float, "X", "of momentum (0.9)"),
    "decay": (float, "X", "weight decay of adamw (0.01)"),
    "seed": (int, "N", "of all that is random (0)"),
}
"""The settings of a recipe that can be said at the command line."""


def add_commands(commands: Any) -> None:
    """Add the commands to a parser's."""
    train = commands.add_parser(
        "train",
        help="train a model: a Sheaf file, a JAX loss in Python, or StableHLO",
        description="Train a model: a Sheaf file, a JAX loss in Python, or StableHLO.",
        examples=EXAMPLES,
    )
    add_task(train)
    train.add_argument("-o", "--output", metavar="FILE", help="write the parameters, as .safetensors")
    train.add_argument("--checkpoint", metavar="FILE", help="keep the state of training here")
    train.add_argument("--every", type=float, default=10.0, metavar="S", help="seconds between checkpoints (10)")
    train.add_argument("--resume", action="store_true", help="go on from the checkpoint, if it is there")
    train.add_argument("--curve", metavar="FILE", help="the loss curve: a .png file, or - for the terminal")
    train.add_argument("--overwrite", action="store_true", help="OUTPUT and the curve may be there already")
    train.set_defaults(command=_train)

    build = commands.add_parser(
        "build",
        help="compile training for a device: a folder with a VMFB of a few kilobytes",
        description="Compile training for a device: a folder with a VMFB of a few kilobytes.",
        examples=BUILD_EXAMPLES,
    )
    add_task(build)
    build.add_argument("-o", "--output", required=True, metavar="DIR", help="a folder that is new or empty")
    build.add_argument("--target", default="llvm-cpu", help="IREE's compiler target (llvm-cpu)")
    build.add_argument("--machine", default="host", help="host, x86_64, aarch64, arm or riscv64")
    build.add_argument("--triple", metavar="T", help="another machine, as LLVM names it")
    build.add_argument("--cpu", default="generic", help="the CPU to compile for (generic)")
    build.add_argument("--only", metavar="A,B", help="of train, train_step, loss and predict")
    build.add_argument("--form", metavar="F", help="compact or parallel; compact for a small model, if not said")
    verbatim(build.add_argument("--flag", action="append", default=[], metavar="F", help="a flag for IREE's compiler"))
    build.set_defaults(command=_build)


def add_task(parser: argparse.ArgumentParser) -> None:
    """Add what says what is to be trained, and how."""
    parser.add_argument("source", metavar="IN", help="a .shf or .py file with a loss and its parameters; or StableHLO")
    parser.add_argument("--loss", default="loss", metavar="F", help="the function to make small (loss)")
    parser.add_argument("--params", metavar="A,B", help="which arguments of the loss are trained")
    parser.add_argument("--init", metavar="FILE", help="the parameters to begin with, as .safetensors")
    parser.add_argument(
        "--data", action="append", default=[], metavar="X", help="x=file.npy, file.npz, file.csv or file.safetensors"
    )
    group = parser.add_argument_group("recipe", "what is not said here is as the program's own `train` says")
    for name, (kind, word, text) in RECIPE.items():
        group.add_argument(f"--{name}", type=kind, metavar=word, help=text)
    group.add_argument("--no-shuffle", action="store_true", help="take the examples in their order")


def task_and_recipe(arguments: argparse.Namespace) -> tuple[Task, Recipe]:
    """What is to be trained, and how."""
    from functools import partial

    from gradir.train import Recipe, load
    from gradir.train.checkpoint import load_parameters
    from gradir.train.data import read_data

    names = arguments.params.split(",") if arguments.params else None
    initial = partial(load_parameters, Path(arguments.init)) if arguments.init else None
    task = load(arguments.source, loss=arguments.loss, parameters=names, initial=initial, seed=arguments.seed or 0)
    task = task.with_data(read_data(arguments.data))
    said = {name: getattr(arguments, name) for name in RECIPE}
    return task, Recipe.of(task.settings, **said, shuffle=False if arguments.no_shuffle else None)


def _train(arguments: argparse.Namespace) -> None:
    from gradir.files import write_file
    from gradir.train.checkpoint import save_parameters
    from gradir.train.curve import in_terminal, png
    from gradir.train.loop import Loop
    from gradir.train.session import Session

    for path in (arguments.output, arguments.curve if arguments.curve != "-" else None):
        if path and Path(path).exists() and not arguments.overwrite:
            raise UsageError(f"{path} is there already", word=path, hint="--overwrite, or another name")
    if arguments.output and Path(arguments.output).suffix != ".safetensors":
        raise UsageError("parameters are written as .safetensors", word=arguments.output)
    for option in () if arguments.checkpoint else ("--every", "--resume"):
        refuse_together(arguments, option, "is for --checkpoint", "name the file that it is kept in")
    task, recipe = task_and_recipe(arguments)
    loop = Loop(task, recipe)
    checkpoint = Path(arguments.checkpoint) if arguments.checkpoint else None
    session = Session(loop, checkpoint, arguments.resume, arguments.every)
    state = session.run()
    if len(state.losses):
        print(f"loss {state.losses[-1]:.6g} in step {state.step} of {loop.steps}")
    if arguments.curve == "-":
        print(in_terminal(state.losses))
    elif arguments.curve:
        write_file(arguments.curve, png(state.losses))
    if session.was_interrupted:
        rest = f"; go on with --checkpoint {checkpoint} --resume" if checkpoint else ""
        print(f"stopped after {state.step} of {loop.steps} steps{rest}", file=sys.stderr)
        raise KeyboardInterrupt
    if arguments.output:
        save_parameters(Path(arguments.output), state.parameters)


def _build(arguments: argparse.Namespace) -> None:
    from gradir.train.loop import Loop
    from gradir.train.package import build

    task, recipe = task_and_recipe(arguments)
    package = build(
        Loop(task, recipe),
        Path(arguments.output),
        target=arguments.target,
        machine=arguments.machine,
        triple=arguments.triple,
        cpu=arguments.cpu,
        flags=arguments.flag,
        only=arguments.only.split(",") if arguments.only else None,
        form=arguments.form,
    )
    for name, size in package.files.items():
        print(f"{size:>9,} bytes  {Path(arguments.output) / name}")
    shown = ", ".join(f"{name} {difference:.1g}" for name, difference in package.checked.items())
    print(f"{package.form} form, differences to XLA: {shown}")
