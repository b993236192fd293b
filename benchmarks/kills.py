"""Kill training at random moments, again and again: it must always resume, and end with the bits of a run left alone.

A quarter of the kills come while it starts, the others while it trains.

python benchmarks/kills.py            # twenty kills, some minutes
python benchmarks/kills.py --kills 5
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


class Run:
    """`gradir train` on the model, with files of its own."""

    def __init__(self, folder: Path, name: str, epochs: int) -> None:
        self.checkpoint, self.output = folder / f"{name}.ckpt", folder / f"{name}.safetensors"
        recipe = ["--optimizer", "adam", "--rate", "0.001", "--batch", "20", "--schedule", "cosine"]
        files = ["--checkpoint", self.checkpoint, "--resume", "--every", "0", "-o", self.output]
        model = [folder / "model.py", "--epochs", str(epochs)]
        self.command = [sys.executable, "-m", "gradir", "train", *model, *recipe, *files]

    def start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def finish(self) -> float:
        """Run to the end; the seconds that it took to begin."""
        start = time.monotonic()
        process = self.start()
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


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--epochs", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.py").write_text(MODEL)
        whole, killed = Run(folder, "whole", arguments.epochs), Run(folder, "killed", arguments.epochs)
        began = whole.finish()
        print(f"left alone: {whole.step()} steps, the first after {began:.1f} s")
        kills = 0
        while kills < arguments.kills:
            process, before = killed.start(), killed.written()
            if draw.random() < 0.25:
                time.sleep(draw.uniform(0, began))
            else:
                while killed.written() == before and process.poll() is None:
                    time.sleep(0.001)
                time.sleep(draw.uniform(0, 1))
            if process.poll() is not None:
                sys.exit(f"it ended by itself, with status {process.returncode}: more --epochs, if that is 0")
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            print(f"kill {kills}: the checkpoint is of step {killed.step()}", flush=True)
        killed.finish()
        left = sorted(p.name for p in folder.iterdir() if p.name.startswith("."))
        agree = same(whole.output, killed.output) and same(whole.checkpoint, killed.checkpoint)
        verdict = "the same bits" if agree else "DIFFERENT"
        print(f"parameters, optimiser and losses: {verdict}; left over: {', '.join(left) or 'nothing'}")
        sys.exit(not agree)


if __name__ == "__main__":
    main()
