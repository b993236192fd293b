"""`gradir train --processes N`: starts the processes, watches them, and starts them again if one dies."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from gradir.cli.terminal import EXIT_LOST, UsageError
from gradir.errors import LostProcess
from gradir.interrupts import on_interrupt

__all__ = ["STARTED", "launch"]

STARTED = "GRADIR_STARTED"
"""Set in the environment of processes that are started here: they end when this one does."""
PATIENCE = 10.0
"""Seconds that the others have to end by themselves after one has died."""


def launch(words: Sequence[str], count: int, restarts: int) -> None:
    """Run `gradir` with these words in so many processes; again from the last checkpoint, if one is killed."""
    while True:
        try:
            return _Crew(words, count).run()
        except LostProcess as error:
            if not restarts:
                raise
            restarts -= 1
            print(f"gradir: warning: {error.message}; starting again from the last checkpoint", file=sys.stderr)
            words = [*words, *(["--resume"] if "--resume" not in words else [])]


@dataclass
class _Crew:
    """The processes of one start."""

    words: Sequence[str]
    count: int
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    said: list[IO[bytes]] = field(default_factory=list)
    """What each has to complain of. Process 0 speaks for itself."""
    forwarded: bool = False

    def run(self) -> None:
        with tempfile.TemporaryDirectory() as folder, on_interrupt(self._forward):
            try:
                self._start(Path(folder))
                while all(p.poll() in (None, 0) for p in self.processes):
                    if all(p.poll() == 0 for p in self.processes):
                        return
                    time.sleep(0.05)
                self._wait(PATIENCE)
                self._complain()
            finally:
                self._kill()
                for file in self.said:
                    file.close()

    def _start(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        for number in range(self.count):
            self.said.append((folder / f"{number}.txt").open("w+b"))
            whose = ["--coordinator", f"127.0.0.1:{port}", "--process-id", str(number)]
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "gradir", *self.words, *whose],
                    env={**os.environ, STARTED: "1", **share_of_gpus(number, self.count)},
                    stdout=None if number == 0 else subprocess.DEVNULL,
                    stderr=None if number == 0 else self.said[number],
                    start_new_session=True,  # signals of the terminal are forwarded, to all alike
                )
            )

    def _wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while any(p.poll() is None for p in self.processes) and time.monotonic() < end:
            time.sleep(0.05)

    def _kill(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()

    def _complain(self) -> None:
        """Tell what went wrong: one that was killed is to blame, or else one that failed by itself."""
        codes = {n: p.poll() for n, p in enumerate(self.processes)}
        if self.forwarded:
            raise KeyboardInterrupt
        for number, code in codes.items():
            if code is not None and code < 0:
                name = signal.Signals(-code).name
                hint = "the same command with --resume goes on from the checkpoint; --restarts does so by itself"
                raise LostProcess(f"process {number} of {self.count} was killed by {name}", hint=hint)
        failed = [n for n, code in codes.items() if code]
        guilty = next((n for n in failed if codes[n] != EXIT_LOST), failed[0])
        if guilty != 0:
            self.said[guilty].seek(0)
            sys.stderr.write(self.said[guilty].read().decode(errors="replace"))
        raise SystemExit(codes[guilty])

    def _forward(self, number: int) -> None:
        """Hand a request to stop on to all processes, which then stop together."""
        self.forwarded = True
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(number)


def share_of_gpus(number: int, count: int) -> dict[str, str]:
    """The environment by which a process sees its share of this machine's NVIDIA GPUs, if there are any."""
    if os.environ.get("JAX_PLATFORMS") == "cpu":
        return {}
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    found = sorted(p.name.removeprefix("nvidia") for p in Path("/dev").glob("nvidia[0-9]*"))
    gpus = named.split(",") if named else found
    if not gpus:
        return {}
    if len(gpus) % count:
        raise UsageError(
            f"{count} processes can't share {len(gpus)} GPUs alike", hint="JAX_PLATFORMS=cpu, or another --processes"
        )
    each = len(gpus) // count
    return {"CUDA_VISIBLE_DEVICES": ",".join(gpus[number * each : (number + 1) * each])}
