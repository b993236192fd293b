"""A training step of four networks: PyTorch's eager mode, `torch.compile`, and gradir on XLA, in one run.

    python benchmarks/pytorch.py
    python benchmarks/pytorch.py --quick            # small networks
    python benchmarks/pytorch.py --only gpt,lstm --threads 1

A step is the loss, its gradients, and SGD with momentum by PyTorch, in f32. The ways take turns, and the best time of
each counts, since machines are noisy. Compiling is not counted, but printed. All must have the same losses over the
first steps, or the run fails. XLA takes as many threads as there are cores; `taskset -c 0` gives it one, too.
"""

from __future__ import annotations

import argparse
import copy
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

sys.path.append(str(Path(__file__).parent.parent / "tests" / "torch"))  # last, since it is called as a package is
from torch_models import GPT, LSTM, ResNet18, UNet

import gradir.torch

Step = Callable[[], float]


def by_token(logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return F.cross_entropy(logits.flatten(0, 1), target.flatten())


def networks(quick: bool) -> dict[str, tuple[nn.Module, Callable[..., torch.Tensor], tuple[torch.Tensor, ...]]]:
    n = 1 if quick else 4
    return {
        "resnet18": (ResNet18(4 * n), F.cross_entropy, (torch.randn(8, 3, 32, 32), torch.arange(8))),
        "gpt": (
            GPT(65, 16 * n, 32 * n, 4, 2 * n),
            by_token,
            (torch.randint(65, (8, 16 * n)), torch.randint(65, (8, 16 * n))),
        ),
        "lstm": (LSTM(8 * n, 16 * n), F.cross_entropy, (torch.randn(8, 16 * n, 8 * n), torch.arange(8) % 3)),
        "unet": (
            UNet(4 * n),
            F.cross_entropy,
            (torch.randn(4, 1, 16 * n, 16 * n), torch.randint(2, (4, 16 * n, 16 * n))),
        ),
    }


def trained(module: nn.Module, gradients: Callable[[], torch.Tensor]) -> Step:
    """A step, by what computes the loss and puts gradients into the module."""
    optimizer = torch.optim.SGD(module.parameters(), lr=1e-3, momentum=0.9)

    def step() -> float:
        optimizer.zero_grad()
        value = gradients()
        optimizer.step()
        return value.item()

    return step


def backward(value: torch.Tensor) -> torch.Tensor:
    value.backward()
    return value


def eager(module: nn.Module, loss: Callable[..., torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> Step:
    return trained(module, lambda: backward(loss(module(x), y)))


def compiled(module: nn.Module, loss: Callable[..., torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> Step:
    forward = torch.compile(lambda x, y: loss(module(x), y))
    return trained(module, lambda: backward(forward(x, y)))


def on_xla(module: nn.Module, loss: Callable[..., torch.Tensor], x: torch.Tensor, y: torch.Tensor) -> Step:
    gradients = gradir.torch.value_and_grad(module, loss)
    return trained(module, lambda: gradients.backward(x, y))


WAYS = {"eager": eager, "torch.compile": compiled, "gradir": on_xla}


def survives(name: str, quick: bool) -> bool:
    """Whether torch.compile's code for a network runs: that of torch 2.13.0 for convolutions crashes on some CPUs."""
    command = [sys.executable, __file__, "--probe", name, *(["--quick"] if quick else [])]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def measure(name: str, module: nn.Module, loss: Any, data: Any, ways: list[str], seconds: float) -> None:
    steps, starts, losses = {}, {}, {}
    for way in ways:
        step = WAYS[way](copy.deepcopy(module), loss, *data)
        before = time.perf_counter()
        try:
            losses[way] = [step()]
        except Exception as error:  # PyTorch's compiler raises what it likes
            if way != "torch.compile":
                raise
            print(f"{name}: torch.compile: {str(error).splitlines()[0]}", file=sys.stderr)
            continue
        starts[way] = time.perf_counter() - before
        losses[way] += [step() for _ in range(4)]
        steps[way] = step
    ways = list(steps)
    for way in ways[1:]:
        for ours, theirs in zip(losses[way], losses[ways[0]], strict=True):
            if abs(ours - theirs) > 1e-3 * abs(theirs):
                raise SystemExit(f"{name}: {way} has the losses {losses[way]}, and {ways[0]} {losses[ways[0]]}")
    best = dict.fromkeys(ways, float("inf"))
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for way in ways:
            before = time.perf_counter()
            steps[way]()
            best[way] = min(best[way], time.perf_counter() - before)
    times = "  ".join(f"{way} {best[way] * 1e3:9.2f} ms (first {starts[way]:5.1f} s)" for way in ways)
    times += "" if "torch.compile" in ways else "  torch.compile left out"
    print(f"{name:10} {times}  gradir/{ways[0]} {best['gradir'] / best[ways[0]]:.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small networks")
    parser.add_argument("--only", default="", help="names of networks, with commas")
    parser.add_argument(
        "--without-compile", action="store_true", help="leave out torch.compile, which needs a compiler"
    )
    parser.add_argument("--threads", type=int, help="threads of PyTorch")
    parser.add_argument("--seconds", type=float, default=10, help="for each network")
    parser.add_argument("--probe", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    torch.manual_seed(0)
    if arguments.probe:
        module, loss, data = networks(arguments.quick)[arguments.probe]
        step = compiled(module, loss, *data)
        step(), step()
        return
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    for name, (module, loss, data) in networks(arguments.quick).items():
        if not arguments.only or name in arguments.only.split(","):
            compiles = not arguments.without_compile and survives(name, arguments.quick)
            ways = [way for way in WAYS if compiles or way != "torch.compile"]
            measure(name, module, loss, data, ways, arguments.seconds)


if __name__ == "__main__":
    main()
