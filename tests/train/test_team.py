"""Processes that train together: how they find each other, agree, and lose each other.

The lines between them are tried with threads. Real processes, which take seconds to start, are tried once: killed,
started again, and resumed in another number.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import pytest
from safetensors.numpy import load_file

from gradir import train
from gradir.cli.launch import share_of_gpus
from gradir.cli.terminal import UsageError
from gradir.errors import GradirError, InputError, LostProcess, OutputError
from gradir.train import team as module
from gradir.train.checkpoint import _agreed
from gradir.train.team import Team, free_port


def met(count: int, work: Callable[[Team], Any], numbers: list[int] | None = None, timeout: float = 5.0) -> list[Any]:
    """What each of some processes, here threads, comes to; or the error that it ends with."""
    coordinator = f"127.0.0.1:{free_port()}"
    teams = []

    def one(number: int) -> Any:
        try:
            team, _ = Team.meet(coordinator, number, count, timeout)
            teams.append(team)
            made = work(team)
            team.exchange("done")
            return made
        except GradirError as error:
            return error

    with ThreadPoolExecutor(count + 2) as pool:
        made = list(pool.map(one, range(count) if numbers is None else numbers))
    end(teams)
    return made


def end(teams: list[Team]) -> None:
    """Let all go, and hear no more of each other."""
    for team in teams:
        team.leave()
    for team in teams:
        for line in team._lines.values():
            with suppress(OSError):
                line.connection.shutdown(socket.SHUT_RDWR)


def drop(team: Team) -> NoReturn:
    """End as a process that is killed does: its connections are closed."""
    team.leave()
    for line in team._lines.values():
        line.connection.shutdown(socket.SHUT_RDWR)
    raise GradirError("killed")


@pytest.fixture(autouse=True)
def lives(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Processes that would end at once do not, in a thread."""
    ended: list[int] = []
    monkeypatch.setattr(module.os, "_exit", ended.append)
    monkeypatch.setattr(module, "GRACE", 0.2)
    yield ended
    deadline = time.monotonic() + 10
    while any("_live" in t.name or "_listen" in t.name for t in threading.enumerate()):
        assert time.monotonic() < deadline, "a thread is left that could end the process that runs the tests"
        time.sleep(0.02)


def test_what_all_say() -> None:
    def work(team: Team) -> Any:
        return [team.exchange([team.number, k, None]) for k in range(20)]

    wanted = [[[n, k, None] for n in range(4)] for k in range(20)]
    assert met(4, work) == [wanted] * 4


def test_one_alone() -> None:
    team = Team()
    assert team.leads and team.exchange(7) == [7]
    team.compare({"a program": "x"})
    with team.together():
        pass


@pytest.mark.parametrize(
    ("count", "numbers", "message"),
    [
        (3, [0, 1], "process 2 of 3 did not arrive within 0.5 s"),
        (4, [0, 2], "processes 1, 3 of 4 did not arrive within 0.5 s"),
        (3, [0, 1, 1], "there are two processes of number 1"),
    ],
)
def test_who_does_not_arrive(count: int, numbers: list[int], message: str) -> None:
    for error in met(count, lambda team: None, numbers, timeout=0.5):
        assert isinstance(error, LostProcess) and message in error.message


def test_process_0_does_not_arrive() -> None:
    (error,) = met(2, lambda team: None, [1], timeout=0.3)
    assert isinstance(error, LostProcess) and "process 0 did not arrive within 0.3 s" in error.message


def test_bad_coordinators() -> None:
    with pytest.raises(InputError, match="HOST:PORT"):
        Team.meet("nowhere", 0, 2, 1.0)
    with pytest.raises(InputError, match="no process 2 of 2"):
        Team.meet("127.0.0.1:1234", 2, 2, 1.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        with pytest.raises(InputError, match="can't listen"):
            Team.meet(f"127.0.0.1:{server.getsockname()[1]}", 0, 2, 1.0)


def test_numbers_of_processes_differ() -> None:
    coordinator = f"127.0.0.1:{free_port()}"
    with ThreadPoolExecutor(2) as pool:
        some = [pool.submit(Team.meet, coordinator, n, 2 + n, 2.0) for n in range(2)]
        for one in some:
            assert "process 1 is one of 3, and process 0 one of 2" in str(one.exception())


def test_strangers_are_turned_away() -> None:
    port = free_port()

    def knock() -> None:
        for _ in range(50):
            try:
                with socket.create_connection(("127.0.0.1", port)) as stranger:
                    stranger.sendall(b"GET / HTTP/1.1\r\n\r\n")
                    return
            except OSError:
                time.sleep(0.02)

    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(Team.meet, f"127.0.0.1:{port}", 0, 2, 5.0)
        pool.submit(knock).result()
        second = pool.submit(Team.meet, f"127.0.0.1:{port}", 1, 2, 5.0)
        end([team for team, _ in (first.result(), second.result())])


@pytest.mark.parametrize("dead", [0, 2])
def test_one_dies(dead: int, lives: list[int]) -> None:
    def work(team: Team) -> Any:
        team.exchange(1)
        if team.number == dead:
            drop(team)
        return team.exchange(2)

    for number, error in enumerate(met(3, work)):
        if number != dead:
            assert isinstance(error, LostProcess) and error.message == f"process {dead} died"


def test_one_waits_inside_of_xla_when_another_dies(lives: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    """Its main thread sees nothing of it, so that another ends it."""

    def work(team: Team) -> Any:
        if team.number == 1:
            drop(team)
        time.sleep(1.0)
        raise team.lost or GradirError("nobody is lost")

    assert "process 1 died" in str(met(2, work)[0])
    assert module.EXIT_LOST in lives and "process 1 died" in capsys.readouterr().err


def test_one_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT", 60.0)

    def work(team: Team) -> Any:
        if team.number == 1:
            time.sleep(1.0)
        return team.exchange(1)

    error = met(2, work, timeout=0.3)[0]
    assert isinstance(error, LostProcess) and "process 1 has given no sign of life for 0.3 s" in error.message


def test_signs_of_life(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BEAT", 0.05)

    def work(team: Team) -> Any:
        if team.number == 1:
            time.sleep(1.0)
        return team.exchange(1)

    assert met(2, work, timeout=0.5) == [[1, 1], [1, 1]]


def test_one_fails() -> None:
    def work(team: Team) -> Any:
        with team.together():
            if team.number == 2:
                raise InputError("no such file", location="x.npy")
            team.exchange(1)

    errors = met(3, work)
    assert isinstance(errors[2], InputError)
    for error in errors[:2]:
        assert isinstance(error, LostProcess) and error.message == "process 2 failed: no such file"


def test_an_error_of_xla_names_who_died() -> None:
    def work(team: Team) -> Any:
        with team.together():
            if team.number == 1:
                drop(team)
            raise ValueError("Gloo all-reduce failed: Connection reset by peer")

    error = met(2, work)[0]
    assert isinstance(error, LostProcess) and error.message == "process 1 died"


def test_processes_that_disagree() -> None:
    def work(team: Team) -> Any:
        team.compare({"a program": "same", "the setting rate": 0.1 if team.number < 2 else 0.2})

    for error in met(3, work):
        assert isinstance(error, InputError)
        assert "process 2 has the setting rate other than process 0: 0.2, not 0.1" in error.message


def test_a_shard_that_one_can_not_write_is_an_error_of_all(tmp_path: Path) -> None:
    def work(team: Team) -> Any:
        def write() -> Any:
            if team.number == 1:
                raise OutputError("can't write it: No space left on device")
            return team.number

        return _agreed(team, tmp_path / "run.ckpt", write)

    for error in met(3, work):
        assert isinstance(error, OutputError) and "process 1: can't write it: No space left" in error.message


def test_gpus_are_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAX_PLATFORMS")
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5,6,7")
    assert [share_of_gpus(n, 2)["CUDA_VISIBLE_DEVICES"] for n in range(2)] == ["4,5", "6,7"]
    with pytest.raises(UsageError, match="3 processes can't share 4 GPUs"):
        share_of_gpus(0, 3)
    monkeypatch.setenv("JAX_PLATFORMS", "cpu")
    assert share_of_gpus(0, 3) == {}


# -- Real processes ----------------------------------------------------------------------------------------------------

MODEL = """
import jax.numpy as jnp, numpy as np
rng = np.random.default_rng(0)
params = {"p": {"up": rng.normal(size=(6, 12)).astype("f"), "down": rng.normal(size=(12, 3)).astype("f")}}
data = {"x": rng.normal(size=(64, 6)).astype("f"), "y": rng.normal(size=(64, 3)).astype("f")}
train = {"optimizer": "adam", "batch": 12, "rate": 0.001}
sharded = {"*.up": "-,data", "*.down": "longest:data"}
def loss(p, x, y):
    return jnp.mean((jnp.tanh(x @ p["up"]) @ p["down"] - y) ** 2)
"""


def children(parent: int) -> dict[int, int]:
    """The processes that a process has started, by their number in the team."""
    found = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            words = (path / "cmdline").read_bytes().decode().split("\0")
            status = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if "--process-id" in words and int(status[1]) == parent and status[0] != "Z":
            found[int(words[words.index("--process-id") + 1])] = int(path.name)
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_killed_started_again_and_resumed_in_another_number(tmp_path: Path) -> None:
    """Two processes, of which one is killed; they start again; three go on from there: the losses of one process."""
    source, checkpoint = tmp_path / "model.py", tmp_path / "run.ckpt"
    source.write_text(MODEL)
    environment = {**os.environ, "XLA_FLAGS": "", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, "-m", "gradir", "train", str(source), "--checkpoint", str(checkpoint), "--every", "0"]
    first = [*command, "--processes", "2", "--restarts", "1", "--epochs", "400"]
    with subprocess.Popen(first, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 240
        while not checkpoint.exists() and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        os.kill(children(process.pid)[1], signal.SIGKILL)
        _, said = process.communicate(timeout=240)
    assert process.returncode == 0, said.decode()
    assert "process 1 of 2 was killed by SIGKILL; starting again from the last checkpoint" in said.decode()
    second = [*command, "--processes", "3", "--resume", "--epochs", "420", "-o", str(tmp_path / "p.safetensors")]
    made = subprocess.run(second, env=environment, capture_output=True, timeout=240, check=False)
    assert made.returncode == 0, made.stderr.decode()
    assert made.stdout.decode().startswith("loss "), "nothing but results"
    files = sorted(f.name.split("-")[1] for f in (tmp_path / "run.ckpt.shards").iterdir())
    assert files == ["0of3", "1of3", "2of3"]
    task = train.load(source)
    alone = train.run(task, train.Recipe.of(task.settings, epochs=420))
    # 2100 steps of means in 32 bits whose order differs; the losses are of size 1.
    np.testing.assert_allclose(load_file(checkpoint)["losses"], alone.losses, rtol=1e-5)
    assert load_file(tmp_path / "p.safetensors").keys() == {"p.up", "p.down"}
