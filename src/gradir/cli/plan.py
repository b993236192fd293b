"""`gradir plan`: what training would take on devices that are not there."""

from __future__ import annotations

import argparse
import os
from math import prod
from typing import TYPE_CHECKING, Any

from gradir.cli.terminal import UsageError
from gradir.cli.train import add_split, add_task, mesh_sizes, split_rules, task_and_recipe

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
        "--mesh",
        action="append",
        required=True,
        metavar="AxB",
        help="devices for the data, and for the model: 8, 8x64; or by names of axes: stage=4,data=2",
    )
    plan.add_argument("--device", default="h200", metavar="NAME", help="h200, h100, a100 or cpu (h200)")
    add_split(plan)
    plan.set_defaults(command=_plan)


def _plan(arguments: argparse.Namespace) -> None:
    meshes = [mesh_sizes(text) for text in arguments.mesh]
    _pretend(max(prod(sizes.values()) for sizes in meshes))
    from gradir.train.loop import Loop
    from gradir.train.plan import CHIPS, plan

    if arguments.device not in CHIPS:
        raise UsageError(f"no device '{arguments.device}'", word=arguments.device, hint=f"one of {', '.join(CHIPS)}")
    chip = CHIPS[arguments.device]
    task, recipe = task_and_recipe(arguments, defers=True)
    rules = split_rules(arguments, task)
    loop = Loop(task, recipe)
    print(f"{'mesh':>10} {'batch':>6} {'memory':>12} {'FLOPs':>10} {'time':>10}  sent to each device")
    for sizes in meshes:
        print(_row(plan(loop, sizes, batch=arguments.batch, rules=rules), chip), flush=True)


def _row(made: Plan, chip: Chip) -> str:
    from gradir.train.mesh import mesh_name

    sent = ", ".join(f"{axes} {number} of {size / 1e6:.3g} MB" for axes, (number, size) in sorted(made.sent.items()))
    short = "" if made.fits(chip) else f"  DOES NOT FIT: {chip.memory / 1e9:.0f} GB"
    needs = f"{made.memory / 1e6:9.3f} MB {made.flops:10.3g} {1e6 * made.seconds(chip):7.1f} µs"
    return f"{mesh_name(made.mesh):>10} {made.batch:6d} {needs}  {sent or 'nothing'}{short}"


def _pretend(devices: int) -> None:
    """Let the CPU be so many devices, if JAX has not looked at what there is yet."""
    flag = f"--xla_force_host_platform_device_count={devices}"
    if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
