"""The processes that train together: who is there, what they agree on, and who is lost.

What is computed goes by JAX's own engine (`jax.distributed`, with collectives by gloo on CPUs and NCCL on GPUs). Beside
it each process has a line to process 0, for what that engine has no good answer to: it ends all processes by a crash
that names none if one never arrives, and is silent for a minute and a half if one dies. A line that breaks tells it at
once, and by number.
"""

from __future__ import annotations

import json
import os
import queue
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import jax

from gradir.errors import GradirError, InputError, LostProcess

__all__ = ["EXIT_LOST", "Team", "free_port"]

BEAT = 2.0
"""Seconds between signs of life."""
GRACE = 5.0
"""Seconds that a process has to end by itself after another was lost: it may wait for it inside of XLA for ever."""
HEARTBEAT = 3600
"""Seconds after which JAX's engine crashes what has stopped to answer: we do that earlier, with a message."""
END = object()
"""What an inbox has, when nothing will come any more."""
EXIT_LOST = 75
"""The status of a process that ends since another was lost."""


class Team:
    """The processes that train together, seen by one of them."""

    def __init__(self, number: int = 0, count: int = 1) -> None:
        self.number, self.count = number, count
        self.lost: LostProcess | None = None
        self._lines: dict[int, _Line] = {}
        self._is_over = threading.Event()

    @classmethod
    def join(
        cls, coordinator: str, number: int, count: int, timeout: float = 120.0, *, ends_with_parent: bool = False
    ) -> Team:
        """Wait for all others, and start JAX's engine. Nothing may have been computed before."""
        team, engine = cls.meet(coordinator, number, count, timeout, ends_with_parent=ends_with_parent)
        host, _ = _address(coordinator)
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
        jax.distributed.initialize(
            f"{host}:{engine}",
            count,
            number,
            cluster_detection_method="deactivate",
            coordinator_bind_address=f"{_bound(host)}:{engine}" if _bound(host) else None,
            initialization_timeout=max(1, round(timeout)),
            heartbeat_timeout_seconds=HEARTBEAT,
        )
        return team

    @classmethod
    def meet(
        cls, coordinator: str, number: int, count: int, timeout: float, *, ends_with_parent: bool = False
    ) -> tuple[Team, int]:
        """Wait for all others; the team, and the port for JAX's engine. From then on a line that breaks is noticed."""
        if not 0 <= number < count:
            raise InputError(f"there is no process {number} of {count}", hint=f"they are numbered 0 to {count - 1}")
        team = cls(number, count)
        host, port = _address(coordinator)
        engine = team._call_roll(host, port, timeout) if number == 0 else team._arrive(host, port, timeout)
        for other, line in team._lines.items():
            threading.Thread(target=team._listen, args=(other, line, timeout), daemon=True).start()
        parent = os.getppid() if ends_with_parent else None
        threading.Thread(target=team._live, args=(parent,), daemon=True).start()
        return team, engine

    @property
    def leads(self) -> bool:
        """Whether this is the process that decides, and speaks to people."""
        return self.number == 0

    # -- At the start --------------------------------------------------------------------------------------------------

    def _call_roll(self, host: str, port: int, timeout: float) -> int:
        """Process 0: wait for all, then tell them where JAX's engine will be."""
        end = time.monotonic() + timeout
        try:
            server = socket.create_server((_bound(host) or "", port))
        except OSError as error:
            raise InputError(f"can't listen at {host}:{port}: {error.strerror or error}") from None
        with server:
            while len(self._lines) < self.count - 1:
                server.settimeout(max(0.01, end - time.monotonic()))
                try:
                    connection, _ = server.accept()
                except TimeoutError:
                    self._refuse(
                        LostProcess(self._missing(timeout), hint="start it, or give all more time by --timeout")
                    )
                line = _Line(connection)
                hello = line.receive(5.0)
                if not isinstance(hello, dict) or "number" not in hello:
                    line.close()  # some other program that knocks at the door
                    continue
                self._greet(hello["number"], hello["count"], line)
        engine = free_port(_bound(host) or "")
        self._tell({"engine": engine})
        return engine

    def _greet(self, number: int, count: int, line: _Line) -> None:
        """Take a process in, if it fits the others."""
        known = self._lines.setdefault(number, line)
        if count != self.count:
            self._refuse(LostProcess(f"process {number} is one of {count}, and process 0 one of {self.count}"))
        if number == 0 or known is not line:
            self._lines[self.count] = line  # it is to hear of it, too
            self._refuse(LostProcess(f"there are two processes of number {number}"))

    def _missing(self, timeout: float) -> str:
        missing = [str(n) for n in range(1, self.count) if n not in self._lines]
        which = f"process {missing[0]}" if len(missing) == 1 else f"processes {', '.join(missing)}"
        return f"{which} of {self.count} did not arrive within {timeout:g} s"

    def _refuse(self, error: LostProcess) -> None:
        self._tell({"lost": error.message})
        raise error

    def _arrive(self, host: str, port: int, timeout: float) -> int:
        """Any other process: call process 0, and wait until all are there."""
        end = time.monotonic() + timeout
        while True:
            try:
                line = _Line(socket.create_connection((host, port), timeout=max(0.1, end - time.monotonic())))
                break
            except OSError as error:
                if time.monotonic() > end:
                    raise LostProcess(
                        f"process 0 did not arrive within {timeout:g} s: nobody listens at {host}:{port} ({error})",
                        hint="start it with this --coordinator, or give it more time by --timeout",
                    ) from None
                time.sleep(0.1)
        line.send({"number": self.number, "count": self.count})
        self._lines[0] = line
        answer = line.receive(timeout + GRACE)
        if not isinstance(answer, dict) or "engine" not in answer:
            raise LostProcess(answer["lost"] if isinstance(answer, dict) else "process 0 died before all had arrived")
        return answer["engine"]

    # -- While training ------------------------------------------------------------------------------------------------

    def exchange(self, value: Any) -> list[Any]:
        """What each process has to say, by number. All must ask for it; values are what JSON can hold."""
        if self.count == 1:
            return [value]
        if self.leads:
            values = [json.loads(json.dumps(value)), *(self._heard(n) for n in range(1, self.count))]
            self._tell({"values": values})
            return values
        self._tell({"value": value})
        return self._heard(0)

    def _heard(self, number: int) -> Any:
        got = self._lines[number].inbox.get()
        if got is END:
            assert self.lost is not None
            raise self.lost
        return got

    def compare(self, facts: dict[str, Any]) -> None:
        """Complain of facts, by what they are about, in which a process differs from process 0."""
        everyone = self.exchange(facts)
        for number, theirs in enumerate(everyone):
            for what, fact in everyone[0].items():
                if theirs.get(what) != fact:
                    raise InputError(
                        f"process {number} has {what} other than process 0: {theirs.get(what)}, not {fact}",
                        hint="start all of them with the same files and options",
                    )

    @contextmanager
    def together(self) -> Iterator[None]:
        """Work that all do. An error of XLA's that is due to a lost process names it; one's own is told the others."""
        try:
            yield
        except BaseException as error:
            if not isinstance(error, (GradirError, KeyboardInterrupt)) and self._is_lost_within(GRACE / 2):
                assert self.lost is not None
                raise self.lost from error
            if self.count > 1 and self.lost is None:
                said = error.message if isinstance(error, GradirError) else f"{type(error).__name__}: {error}"
                self._is_over.set()
                self._tell({"failed": said or "it was interrupted"})
            raise
        self.exchange("done")
        self.leave()
        if self.count > 1:
            jax.distributed.shutdown()

    def leave(self) -> None:
        """Take no more notice of the others."""
        self._is_over.set()

    def _is_lost_within(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        while self.count > 1 and self.lost is None and time.monotonic() < end:
            time.sleep(0.02)
        return self.lost is not None

    def _tell(self, message: Any) -> None:
        for line in self._lines.values():
            with suppress(OSError):
                line.send(message)

    def _live(self, parent: int | None) -> None:
        """Give signs of life; and end, if the parent that this process should not outlive is gone."""
        while not self._is_over.wait(BEAT):
            self._tell({})
            if parent is not None and os.getppid() != parent:
                os._exit(EXIT_LOST)

    def _listen(self, other: int, line: _Line, patience: float) -> None:
        while not self._is_over.is_set():
            got = line.receive(patience)
            if isinstance(got, str):
                self._lose(f"process {other} {got}", other)
            elif "lost" in got:
                self._lose(got["lost"], other)
            elif "failed" in got:
                self._lose(f"process {other} failed: {got['failed']}", other)
            elif got:
                line.inbox.put(got.get("value", got.get("values")))
                continue
            else:
                continue
            return

    def _lose(self, message: str, other: int) -> None:
        """Note that a process is lost, tell the others, and see to it that this one ends."""
        if self.lost is not None or self._is_over.is_set():
            return
        self.lost = LostProcess(message, hint="start all again, with --checkpoint and --resume")
        if self.leads:
            self._tell({"lost": message})
        for line in self._lines.values():
            line.inbox.put(END)
        if not self._is_over.wait(GRACE):
            print(f"gradir: error: {self.lost}", file=sys.stderr, flush=True)
            os._exit(EXIT_LOST)


class _Line:
    """A connection on which JSON goes, a message on each line."""

    def __init__(self, connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection = connection
        self.inbox: queue.Queue[Any] = queue.Queue()
        self._rest = b""
        self._lock = threading.Lock()

    def send(self, message: Any) -> None:
        with self._lock:
            self.connection.sendall(json.dumps(message).encode() + b"\n")

    def receive(self, patience: float) -> Any:
        """The next message; or, as text, why there is none."""
        try:
            while b"\n" not in self._rest:
                self.connection.settimeout(patience)
                got = self.connection.recv(1 << 16)
                if not got:
                    return "died"
                self._rest += got
            line, _, self._rest = self._rest.partition(b"\n")
            return json.loads(line)
        except TimeoutError:
            return f"has given no sign of life for {patience:g} s"
        except OSError:
            return "died"
        except ValueError:
            return "speaks another language"

    def close(self) -> None:
        self.connection.close()


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 1 << 16:
        raise InputError(f"a coordinator is HOST:PORT, not {text}", hint="for example 10.0.0.1:1234")
    return host, int(port)


def _bound(host: str) -> str | None:
    """What process 0 listens on: this machine alone, where the others are on it, too."""
    return host if host in ("localhost", "127.0.0.1") else None


def free_port(host: str = "127.0.0.1") -> int:
    """A port that nobody listens on now."""
    with socket.create_server((host, 0)) as server:
        return server.getsockname()[1]
