"""Tasks in forked processes: what crashes or hangs ends its own process, and nothing else.

The process that forks has imported everything, so that a task costs no start of Python. A task says what it does, as
it goes, in lines of JSON; whoever asked gets them, with how the process ended.
"""

from __future__ import annotations

import json
import os
import resource
import selectors
import signal
import sys
import tempfile
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import IO, Any

__all__ = ["Ended", "Forks", "Say", "Task"]

Say = Callable[..., None]
Task = Callable[[Say], None]

_PATIENCE = 20
"""How many times its seconds of CPU time a process may take on the clock: others may run, but it must not sleep."""
_MEMORY = 16 << 30


@dataclass(frozen=True)
class Ended:
    """What a task said, and how it ended: "" (well), "crash" or "hang", and why."""

    task: Task
    said: list[dict[str, Any]]
    how: str
    why: str


@dataclass
class _Process:
    task: Task
    pid: int
    errors: IO[bytes]
    heard: float
    output: bytearray = field(default_factory=bytearray)
    is_killed: bool = False


class Forks:
    """Runs tasks in processes of their own, a few at a time. They have some seconds of CPU time for all that they do
    without a word."""

    def __init__(self, jobs: int, seconds: float) -> None:
        self.jobs, self.seconds = jobs, seconds
        self._next: deque[Task] = deque()
        self._running = selectors.DefaultSelector()

    def add(self, task: Task) -> None:
        """One more task, before those that weren't begun."""
        self._next.append(task)

    def run(self, tasks: Iterator[Task], until: float = float("inf")) -> Iterator[Ended]:
        """All tasks, as they end. At a time of `time.monotonic` those that run are ended, without a word."""
        try:
            while time.monotonic() < until:
                self._fill(tasks)
                if not self._running.get_map():
                    return
                yield from self._step()
        finally:
            for key in list(self._running.get_map().values()):
                self._kill(key.data)
                self._end(key)

    def _fill(self, tasks: Iterator[Task]) -> None:
        while len(self._running.get_map()) < self.jobs:
            task = self._next.popleft() if self._next else next(tasks, None)
            if task is None:
                return
            self._start(task)

    def _start(self, task: Task) -> None:
        reader, writer = os.pipe()
        errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed when the process has ended
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            os.close(reader)
            _run(task, writer, errors.fileno(), self.seconds)
        os.close(writer)
        self._running.register(reader, selectors.EVENT_READ, _Process(task, pid, errors, time.monotonic()))

    def _step(self) -> Iterator[Ended]:
        for key, _ in self._running.select(timeout=1):
            content = os.read(key.fd, 1 << 16)
            key.data.output += content
            key.data.heard = time.monotonic()
            if not content:
                yield self._end(key)
        for key in self._running.get_map().values():
            if time.monotonic() - key.data.heard > self.seconds * _PATIENCE:
                self._kill(key.data)

    def _kill(self, process: _Process) -> None:
        process.is_killed = True
        os.kill(process.pid, signal.SIGKILL)

    def _end(self, key: selectors.SelectorKey) -> Ended:
        self._running.unregister(key.fd)
        os.close(key.fd)
        process: _Process = key.data
        _, status = os.waitpid(process.pid, 0)
        code = os.waitstatus_to_exitcode(status)
        with process.errors as errors:
            errors.seek(0)
            told = errors.read().decode(errors="replace")[-2000:]
        # A last line without an end was cut off by the process's end.
        said = [json.loads(line) for line in process.output.split(b"\n")[:-1]]
        if process.is_killed or code == -signal.SIGXCPU:
            return Ended(process.task, said, "hang", f"more than {self.seconds:.0f} s")
        return Ended(process.task, said, "crash" if code else "", f"ended by {code}: {told}" if code else "")


def _run(task: Task, writer: int, errors: int, seconds: float) -> None:
    """The life of a forked process."""

    def say(**what: Any) -> None:
        _write(writer, json.dumps(what).encode() + b"\n")
        until = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))

    code = 1
    try:
        os.dup2(errors, 1)
        os.dup2(errors, 2)
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        say()
        task(say)
        code = 0
    except BaseException:
        os.write(errors, traceback.format_exc().encode())
    finally:
        os._exit(code)


def _write(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]
