"""`gradir plan`: what training would take on devices that are not there."""

from __future__ import annotations

import argparse
import os
from math import prod
from typing import TYPE_CHECKING, Any

from gradir.cli.terminal import UsageError
from gradir.cli.train import add_task, task_and_recipe

if TYPE_CHECKING:
    from gradir.train.plan import Chip, Plan

__all__ = ["add_commands"]

EXAMPLES = """
gradir plan examples/gpt.shf --mesh 8
gradir plan examples/gpt.shf --mesh 8 --mesh 8x8 --mesh 64x8 --batch 512 --device h200
gradir plan model.py --mesh 4x2 --split '*.up=-,model' --split '*.down=model,-'
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    what = "say what a step of training would take on a mesh of devices that need not be there"
    plan = commands.add_parser("plan", help=what, description=f"{what.capitalize()}.", examples=EXAMPLES)
    add_task(plan)
    plan.add_argument(
        "--mesh", action="append", required=True, metavar="AxB", help="devices for the data, and for the model: 8, 8x64"
    )
    plan.add_argument("--device", default="h200", metavar="NAME", help="h200, h100, a100 or cpu (h200)")
    plan.add_argument(
        "--split", action="append", default=[], metavar="P=A,B", help="parameters' dimensions over axes: '*.up=-,model'"
    )
    plan.set_defaults(command=_plan)


def _plan(arguments: argparse.Namespace) -> None:
    meshes = [_sizes(text) for text in arguments.mesh]
    rules = [_rule(text) for text in arguments.split]
    _pretend(max(map(prod, meshes)))
    from gradir.train.loop import Loop
    from gradir.train.plan import CHIPS, plan

    if arguments.device not in CHIPS:
        raise UsageError(f"no device '{arguments.device}'", word=arguments.device, hint=f"one of {', '.join(CHIPS)}")
    chip = CHIPS[arguments.device]
    task, recipe = task_and_recipe(arguments)
    loop = Loop(task, recipe)
    print(f"{'mesh':>10} {'batch':>6} {'memory':>12} {'FLOPs':>10} {'time':>10}  sent to each device")
    for sizes in meshes:
        print(_row(plan(loop, sizes, batch=arguments.batch, rules=rules), chip), flush=True)


def _row(made: Plan, chip: Chip) -> str:
    mesh = "x".join(map(str, made.mesh.values())).removesuffix("x1")
    sent = ", ".join(f"{axes} {number} of {size / 1e6:.3g} MB" for axes, (number, size) in sorted(made.sent.items()))
    short = "" if made.fits(chip) else f"  DOES NOT FIT: {chip.memory / 1e9:.0f} GB"
    cells = (
        f"{mesh:>10} {made.batch:6d} {made.memory / 1e6:9.3f} MB {made.flops:10.3g} {1e6 * made.seconds(chip):7.1f} µs"
    )
    return f"{cells}  {sent or 'nothing'}{short}"


def _sizes(text: str) -> list[int]:
    words = text.split("x")
    if not all(word.isdigit() and int(word) for word in words) or len(words) > 2:
        raise UsageError(f"a mesh is one number or two, like 8 or 8x64, not {text}", word=text)
    return [int(word) for word in words]


def _rule(text: str) -> tuple[str, list[str | None]]:
    pattern, found, axes = text.partition("=")
    if not found:
        raise UsageError(f"a rule is a name or pattern, then axes: '*.up=-,model', not {text}", word=text)
    return pattern, [None if axis in ("-", "") else axis for axis in axes.split(",")]


def _pretend(devices: int) -> None:
    """Let the CPU be so many devices, if JAX has not looked at what there is yet."""
    flag = f"--xla_force_host_platform_device_count={devices}"
    if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
