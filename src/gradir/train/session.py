"""A training session at the terminal: progress, checkpoints, and a clean stop."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from gradir.errors import InputError, OutputError
from gradir.interrupts import on_interrupt
from gradir.train.checkpoint import drop_unfinished, load_checkpoint, save_checkpoint
from gradir.train.loop import CHUNK, Loop, State
from gradir.train.team import Team

__all__ = ["Session"]

PACE = 0.25
"""Seconds that a chunk of steps should take: how long an interrupt waits, and how often the bar moves."""


@dataclass
class Session:
    """Runs a loop to its end, or to an interrupt, from where its checkpoint stands."""

    loop: Loop
    checkpoint: Path | None = None
    resumes: bool = False
    every: float = 10.0
    """Seconds between checkpoints."""
    shown: TextIO | None = field(default_factory=lambda: sys.stderr if sys.stderr.isatty() else None)
    was_interrupted: bool = False
    team: Team = field(default_factory=Team)

    def start(self) -> State:
        """Where training stands. All processes must be of one mind about it, and about the program."""
        self.team.compare(self.loop.facts())
        state = self._found()
        self.team.compare({"training at step": state.step})
        if self.checkpoint is not None and self.team.leads:
            drop_unfinished(self.checkpoint)
        self.team.compare({"a compiled program": self.loop.prepare(state)})
        return state

    def _found(self) -> State:
        if self.checkpoint is None:
            return self.loop.start()
        if self.checkpoint.exists():
            if not self.resumes:
                raise InputError(
                    "this checkpoint is there already", location=str(self.checkpoint), hint="--resume, or another name"
                )
            return load_checkpoint(self.checkpoint, self.loop)
        return self.loop.start()

    def run(self) -> State:
        state = self.start()
        began = saved = time.monotonic()
        first, size = state.step, 1
        with self._interruptible():
            while state.step < self.loop.steps and not self.was_interrupted:
                at = time.monotonic()
                after = self.loop.advance(state, size)
                self.loop.check(state, after)
                state = after
                now = time.monotonic()
                self._show(state, first, now - began)
                size, is_due = self._agreed(_next_size(size, now - at), now - saved >= self.every)
                if self.checkpoint is not None and is_due:
                    self._try_to_save(self.checkpoint, state)
                    saved = time.monotonic()
        if self.checkpoint is not None:
            save_checkpoint(self.checkpoint, self.loop, state, self.team)
        if self.shown:
            print(file=self.shown)
        return state

    def _agreed(self, size: int, is_due: bool) -> tuple[int, bool]:
        """How many steps come next, and whether a checkpoint is due: as process 0 has it. If one stops, all do."""
        said = self.team.exchange([size, is_due, self.was_interrupted])
        self.was_interrupted = any(interrupted for *_, interrupted in said)
        return said[0][0], said[0][1]

    def _try_to_save(self, path: Path, state: State) -> None:
        """Write a checkpoint; a disk that is full now may have room for the next, and the last one is still there."""
        try:
            save_checkpoint(path, self.loop, state, self.team)
        except OutputError as error:
            if self.team.leads:
                print(f"gradir: warning: no checkpoint of step {state.step}: {error}", file=sys.stderr)

    def _interruptible(self) -> AbstractContextManager[None]:
        """The first interrupt, or request to end, is for the end of the chunk; a second is for now."""

        def note(number: int) -> None:
            if self.was_interrupted:
                raise KeyboardInterrupt
            self.was_interrupted = True

        in_main = threading.current_thread() is threading.main_thread()  # others get no signals
        return on_interrupt(note) if in_main else nullcontext()

    def _show(self, state: State, first: int, seconds: float) -> None:
        if self.shown is None or not len(state.losses):
            return
        speed = (state.step - first) / max(seconds, 1e-9)
        left = (self.loop.steps - state.step) / max(speed, 1e-9)
        share = state.step / self.loop.steps
        bar = "█" * round(30 * share) + "░" * (30 - round(30 * share))
        self.shown.write(
            f"\r{bar} {state.step}/{self.loop.steps}  loss {state.losses[-1]:.6g}  "
            f"{speed:,.0f} steps/s  {_duration(left)} left\x1b[K"
        )
        self.shown.flush()


def _next_size(size: int, seconds: float) -> int:
    """More steps while a chunk is quick, fewer where it is slow. The first takes the compiler's time, too."""
    if seconds < PACE / 2:
        return min(CHUNK, 2 * size)
    return max(1, size // 2) if seconds > 2 * PACE else size


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
