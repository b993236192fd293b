"""`gradir train` and `gradir build`: training at the command line."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gradir.cli.launch import STARTED, launch
from gradir.cli.parser import refuse_together, verbatim
from gradir.cli.terminal import EXIT_BUG, EXIT_INTERRUPTED, UsageError, complain, exit_code, unexpected
from gradir.errors import GradirError

if TYPE_CHECKING:
    from gradir.train import Loop, Recipe, State, Task
    from gradir.train.mesh import Rules
    from gradir.train.session import Session
    from gradir.train.team import Team

__all__ = ["add_commands", "add_split", "add_task", "mesh_sizes", "split_rules", "task_and_recipe"]

EXAMPLES = """
gradir train examples/xor.shf -o weights.safetensors
gradir train model.py --data x=x.npy --data y=y.npy --optimizer adam --epochs 20 --curve -
gradir train gpt.shf --checkpoint state.safetensors --resume
gradir train gpt.shf --processes 4 --checkpoint run.ckpt --resume
gradir train gpt.shf --coordinator 10.0.0.1:1234 --process-id 2 --processes 8 --mesh 4x2 --split '*.up=-,model'
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
    "accumulate": (int, "N", "parts in which a batch is computed one after the other (1)"),
    "precision": (str, "NAME", "what the loss is computed in: float32, bfloat16, or float16 with a scaled loss"),
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
    _add_devices(train)
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


def _add_devices(train: argparse.ArgumentParser) -> None:
    group = train.add_argument_group("devices", "one device of one process, if nothing is said")
    group.add_argument("--mesh", metavar="AxB", help="devices for the data, and for the model: 4, 4x2; stage=4,data=2")
    add_split(group)
    group.add_argument("--processes", type=int, metavar="N", help="so many processes; they are started here")
    group.add_argument("--restarts", type=int, default=0, metavar="N", help="start again so often if one dies (0)")
    group.add_argument("--coordinator", metavar="HOST:PORT", help="where process 0 is: join those started elsewhere")
    group.add_argument("--process-id", type=int, metavar="I", help="the number of this process, from 0")
    group.add_argument(
        "--timeout", type=float, default=120.0, metavar="S", help="wait so long for a process that is silent (120)"
    )


def add_split(parser: Any) -> None:
    """Add what says how parameters are split."""
    parser.add_argument(
        "--split",
        action="append",
        default=[],
        metavar="P=A,B",
        help="parameters' dimensions over axes: '*.up=-,model', '*=longest:data'",
    )


def mesh_sizes(text: str) -> dict[str, int]:
    """The sizes of a mesh as it is written: `8x64`, or by the names of axes, `stage=4,data=2`."""
    words = [word.partition("=") for word in text.split(",")] if "=" in text else []
    sizes = [size for _, _, size in words] or text.split("x")
    names = [name.strip() for name, _, _ in words] or ["data", "model"][: len(sizes)]
    if not all(size.isdigit() and int(size) for size in sizes) or len(set(names)) < len(sizes) or "" in names:
        raise UsageError(f"a mesh is one number or two, like 8 or 8x64, or axes: stage=4,data=2; not {text}", word=text)
    return dict(zip(names, map(int, sizes), strict=True))


def split_rules(arguments: argparse.Namespace, task: Task) -> Rules:
    """How parameters are split: as the command says, or else as the program does."""
    from gradir.train.mesh import read_axes

    rules = []
    for text in arguments.split:
        pattern, found, axes = text.partition("=")
        if not found:
            raise UsageError(f"a rule is a name or pattern, then axes: '*.up=-,model', not {text}", word=text)
        rules.append((pattern, read_axes(axes)))
    return [*rules, *task.sharded]


def task_and_recipe(arguments: argparse.Namespace, *, defers: bool = False) -> tuple[Task, Recipe]:
    """What is to be trained, and how; with first parameters that are yet to be made, perhaps."""
    from functools import partial

    from gradir.train import Recipe, load
    from gradir.train.checkpoint import load_parameters
    from gradir.train.data import read_data

    names = arguments.params.split(",") if arguments.params else None
    initial = partial(load_parameters, Path(arguments.init)) if arguments.init else None
    seed = arguments.seed or 0
    task = load(arguments.source, loss=arguments.loss, parameters=names, initial=initial, seed=seed, defers=defers)
    task = task.with_data(read_data(arguments.data))
    said = {name: getattr(arguments, name) for name in RECIPE}
    return task, Recipe.of(task.settings, **said, shuffle=False if arguments.no_shuffle else None)


def _train(arguments: argparse.Namespace) -> None:
    for path in (arguments.output, arguments.curve if arguments.curve != "-" else None):
        if path and Path(path).exists() and not arguments.overwrite:
            raise UsageError(f"{path} is there already", word=path, hint="--overwrite, or another name")
    if arguments.output and Path(arguments.output).suffix != ".safetensors":
        raise UsageError("parameters are written as .safetensors", word=arguments.output)
    for option in () if arguments.checkpoint else ("--every", "--resume", "--restarts"):
        refuse_together(arguments, option, "is for --checkpoint", "name the file that it is kept in")
    if arguments.processes is None:
        for option in ("--restarts", "--coordinator", "--process-id", "--timeout"):
            refuse_together(arguments, option, "is for --processes", "say how many there are")
        return _train_in(arguments, None)
    if arguments.processes < 1:
        raise UsageError(f"{arguments.processes} processes", word=str(arguments.processes), hint="at least one")
    if (arguments.coordinator is None) != (arguments.process_id is None):
        raise UsageError("--coordinator and --process-id go together", hint="leave both out to start all of them here")
    if arguments.coordinator is None:
        return launch(arguments.words, arguments.processes, arguments.restarts)
    _train_as_one_of_several(arguments)


def _train_as_one_of_several(arguments: argparse.Namespace) -> None:
    """Join the others. What goes wrong ends this process at once: JAX would wait for all to say goodbye."""
    from gradir.train.team import Team

    _mute_libraries()
    try:
        team = Team.join(
            arguments.coordinator,
            arguments.process_id,
            arguments.processes,
            arguments.timeout,
            ends_with_parent=STARTED in os.environ,
        )
        return _train_in(arguments, team)
    except GradirError as error:
        complain(error, arguments.words)
        code = exit_code(error)
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    except Exception as error:
        if os.environ.get("GRADIR_DEBUG"):
            traceback.print_exc()
        complain(unexpected(error))
        code = EXIT_BUG
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _mute_libraries() -> None:
    """Keep what gloo says off the output, which is for results."""
    kept = os.dup(1)
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    sys.stdout = os.fdopen(kept, "w", encoding=sys.stdout.encoding)


def _train_in(arguments: argparse.Namespace, team: Team | None) -> None:
    """Train, in one process or as one of a team."""
    from gradir.train.session import Session
    from gradir.train.team import Team

    team = team or Team()
    with team.together():
        loop = _loop(arguments, team)
        checkpoint = Path(arguments.checkpoint) if arguments.checkpoint else None
        session = Session(loop, checkpoint, arguments.resume, arguments.every, team=team)
        if not team.leads:
            session.shown = None
        state = session.run()
        parameters = loop.fetched(state.parameters) if arguments.output and not session.was_interrupted else None
        if team.leads:
            _tell(arguments, loop, session, state, parameters)
    if session.was_interrupted:
        raise KeyboardInterrupt


def _loop(arguments: argparse.Namespace, team: Team) -> Loop:
    """The loop: on a mesh, if one is asked for or there are several processes."""
    from gradir.train.loop import Loop
    from gradir.train.mesh import Layout
    from gradir.train.sharded import ShardedLoop

    is_alone = arguments.mesh is None and team.count == 1
    task, recipe = task_and_recipe(arguments, defers=not is_alone)
    if is_alone:
        refuse_together(arguments, "--split", "is for a mesh", "--mesh says how many devices there are")
        return Loop(task, recipe)
    sizes = mesh_sizes(arguments.mesh) if arguments.mesh else {"data": jax_devices()}
    return ShardedLoop(task, recipe, Layout.of(sizes, split_rules(arguments, task), all_devices=team.count > 1))


def jax_devices() -> int:
    """How many devices there are, in all processes together."""
    import jax

    return jax.device_count()


def _tell(arguments: argparse.Namespace, loop: Loop, session: Session, state: State, parameters: Any) -> None:
    """Say how it went, and write what was asked for."""
    from gradir.files import write_file
    from gradir.train.checkpoint import save_parameters
    from gradir.train.curve import in_terminal, png

    if len(state.losses):
        print(f"loss {state.losses[-1]:.6g} in step {state.step} of {loop.steps}")
    if arguments.curve == "-":
        print(in_terminal(state.losses))
    elif arguments.curve:
        write_file(arguments.curve, png(state.losses))
    if session.was_interrupted:
        rest = f"; go on with --checkpoint {session.checkpoint} --resume" if session.checkpoint else ""
        print(f"stopped after {state.step} of {loop.steps} steps{rest}", file=sys.stderr)
    elif arguments.output:
        save_parameters(Path(arguments.output), parameters)


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
