"""Kill training at random moments, again and again: it must always resume, and end with the bits of a run left alone.

A quarter of the kills come while it starts, the others while it trains.

python benchmarks/kills.py            # twenty kills, some minutes
python benchmarks/kills.py --kills 5
python benchmarks/kills.py --processes 4 --kills 10 --model examples/gpt.shf --epochs 6

With several processes, one of them is killed, drawn at random; every third start has two processes, and so has the
last. The losses must then be those of one process that was left alone, to float noise: sums are made in another order.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file

MODEL = """
import jax.numpy as jnp
import numpy as np

def loss(p, x, y):
    hidden = jnp.tanh(x @ p["W1"] + p["b1"])
    return jnp.mean((hidden @ p["W2"] - y) ** 2)

_draw = np.random.default_rng(0)
params = {"W1": _draw.normal(size=(8, 64)), "b1": np.zeros(64), "W2": _draw.normal(size=(64, 1)) / 8}
params = {n: v.astype(np.float32) for n, v in params.items()}
_x = _draw.normal(size=(1000, 8)).astype(np.float32)
data = {"x": _x, "y": np.sin(_x.sum(1, keepdims=True))}
"""


RECIPE = ["--optimizer", "adam", "--rate", "0.001", "--batch", "20", "--schedule", "cosine"]
NOISE = 1e-4
"""Relative: some hundreds of steps of the GPT, in 32 bits and with sums in another order."""


class Run:
    """`gradir train` on a model, with files of its own."""

    def __init__(self, folder: Path, name: str, model: list[str]) -> None:
        self.checkpoint, self.output = folder / f"{name}.ckpt", folder / f"{name}.safetensors"
        files = ["--checkpoint", str(self.checkpoint), "--resume", "--every", "0", "-o", str(self.output)]
        self.command = [sys.executable, "-m", "gradir", "train", *model, *files]

    def start(self, processes: int = 1) -> subprocess.Popen[bytes]:
        more = ["--processes", str(processes)] if processes > 1 else []
        return subprocess.Popen([*self.command, *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def finish(self, processes: int = 1) -> float:
        """Run to the end; the seconds that it took to begin."""
        start = time.monotonic()
        process = self.start(processes)
        while not self.checkpoint.exists() and process.poll() is None:
            time.sleep(0.01)
        began = time.monotonic() - start
        if process.wait():
            sys.exit(f"it failed, with status {process.returncode}")
        return began

    def written(self) -> float:
        """When its checkpoint was written."""
        return self.checkpoint.stat().st_mtime if self.checkpoint.exists() else 0.0

    def step(self) -> int:
        """The steps that its checkpoint has seen."""
        return len(load_file(self.checkpoint)["losses"]) if self.checkpoint.exists() else 0


def same(one: Path, other: Path) -> bool:
    a, b = load_file(one), load_file(other)
    return a.keys() == b.keys() and all(a[n].tobytes() == b[n].tobytes() for n in a)


def difference(one: Path, other: Path) -> float:
    """The greatest relative difference of the losses of two checkpoints."""
    a, b = load_file(one)["losses"], load_file(other)["losses"]
    return float(np.max(np.abs(a - b) / np.abs(a))) if a.shape == b.shape else float("inf")


def kill(process: subprocess.Popen[bytes], processes: int, draw: random.Random) -> str:
    """Kill a process, or one of those that it has started: who it was."""
    if processes == 1:
        process.kill()
        process.wait()
        return "it"
    number = draw.randrange(processes)
    while process.poll() is None:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                words = path.read_bytes().decode().split("\0")
                parent = int((path.parent / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
            if parent == process.pid and "--process-id" in words and words[-2] == str(number):
                os.kill(int(path.parent.name), signal.SIGKILL)
                process.wait()
                return f"process {number} of {processes}"
    return "nobody"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--model", help="another model, with a recipe of its own")
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.py").write_text(MODEL)
        model = [arguments.model] if arguments.model else [str(folder / "model.py"), *RECIPE]
        model += ["--epochs", str(arguments.epochs)]
        whole, killed = Run(folder, "whole", model), Run(folder, "killed", model)
        began = whole.finish()
        print(f"left alone: {whole.step()} steps, the first after {began:.1f} s")
        kills = 0
        while kills < arguments.kills:
            processes = 2 if arguments.processes > 1 and kills % 3 == 2 else arguments.processes
            process, before = killed.start(processes), killed.written()
            if draw.random() < 0.25:
                time.sleep(draw.uniform(0, began))
            else:
                while killed.written() == before and process.poll() is None:
                    time.sleep(0.001)
                time.sleep(draw.uniform(0, 1))
            if process.poll() is not None:
                sys.exit(f"it ended by itself, with status {process.returncode}: more --epochs, if that is 0")
            who = kill(process, processes, draw)
            kills += 1
            print(f"kill {kills}: {who}; the checkpoint is of step {killed.step()}", flush=True)
        killed.finish(min(2, arguments.processes))
        left = sorted(p.name for p in folder.rglob(".*"))
        if arguments.processes == 1:
            agree = same(whole.output, killed.output) and same(whole.checkpoint, killed.checkpoint)
            verdict = f"parameters, optimiser and losses: {'the same bits' if agree else 'DIFFERENT'}"
        else:
            worst = difference(whole.checkpoint, killed.checkpoint)
            agree = worst <= NOISE
            verdict = f"losses of {killed.step()} steps: relative difference {worst:.1e}{'' if agree else ' TOO MUCH'}"
        print(f"{verdict}; left over: {', '.join(left) or 'nothing'}")
        sys.exit(not agree)


if __name__ == "__main__":
    main()
