"""MPI: derivatives of programs on several processes, against central differences and programs for one process."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import gradir
from gradir.errors import NoRule

HERE = Path(__file__).parent / "mpi"
PROGRAMS = HERE / "programs.c"
NAMES = re.findall(r"^double (\w+)\(const double \*x, int n\)", PROGRAMS.read_text(), re.MULTILINE)
LIMIT = 120  # seconds for all programs of a run, which take a few: a deadlock ends as an error


def include() -> str:
    """Where mpi.h is, as mpicc says."""
    shown = subprocess.run(["mpicc.mpich", "-show"], capture_output=True, text=True, check=True).stdout
    return next(word for word in shown.split() if word.startswith("-I"))


needs_mpi = pytest.mark.skipif(
    not (shutil.which("mpiexec.mpich") and shutil.which("mpicc.mpich")), reason="needs MPICH (apt install libmpich-dev)"
)


def run(processes: int, *command: object) -> str:
    words = ["mpiexec.mpich", "-n", str(processes), sys.executable, *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def kernels(request, tmp_path_factory) -> Path:
    """The programs and their derivatives in a shared library, made once."""
    m = gradir.load([PROGRAMS, HERE / "alone.c"], flags=[include(), request.param])
    alone = [m.grad(name, wrt="x") for name in m.functions if name.startswith("alone_")]
    derivatives = [d(name, wrt="x") for name in NAMES for d in (m.grad, m.jvp)]
    path = tmp_path_factory.mktemp("mpi") / f"kernels{request.param}.so"
    m.save(path, derivatives + alone, functions=NAMES)
    return path


@needs_mpi
@pytest.mark.parametrize("processes", [2, 3, 4])
def test_programs(kernels, processes):
    if processes == 3 and "-O0" in kernels.name:
        pytest.skip("odd and even numbers of processes have been seen")
    said = run(processes, HERE / "ranks.py", kernels, *NAMES)
    assert [line.split(":")[0] for line in said.splitlines()] == NAMES
