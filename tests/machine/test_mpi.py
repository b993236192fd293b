"""MPI: derivatives of programs on several processes, against central differences and programs for one process."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from compilers import has_flang

import gradir
from gradir.cli import main
from gradir.errors import NoRule

HERE = Path(__file__).parent / "mpi"
PROGRAMS, FORTRAN = HERE / "programs.c", HERE / "programs.f90"
NAMES = re.findall(r"^double (\w+)\(const double \*x, int n\)", PROGRAMS.read_text(), re.MULTILINE)
NAMES_IN_FORTRAN = re.findall(r"^function (\w+)\(x, n\)", FORTRAN.read_text(), re.MULTILINE)
PAGE = Path(__file__).parents[2] / "docs" / "mpi.md"
LIMIT = 300  # seconds for all programs of a run, which take a few, more on busy cores: a deadlock ends as an error


def told_by_mpicc(option: str, library: str = "mpich") -> str:
    """An option that mpicc passes to the compiler."""
    shown = subprocess.run([f"mpicc.{library}", "-show"], capture_output=True, text=True, check=True).stdout
    return next(word for word in shown.split() if word.startswith(option))


def include(library: str = "mpich") -> str:
    return told_by_mpicc("-I", library)


def needs(library: str, package: str) -> pytest.MarkDecorator:
    there = shutil.which(f"mpiexec.{library}") and shutil.which(f"mpicc.{library}")
    return pytest.mark.skipif(not there, reason=f"needs {library} (apt install {package})")


needs_mpi = needs("mpich", "mpich libmpich-dev")
needs_open_mpi = needs("openmpi", "openmpi-bin libopenmpi-dev")


def run(processes: int, *command: object, library: str = "mpich") -> str:
    options = ["--allow-run-as-root", "--oversubscribe"] if library == "openmpi" else []
    words = [f"mpiexec.{library}", *options, "-n", str(processes), sys.executable, *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def right(said: str) -> list[str]:
    """The programs that a run found to be right: it says what is wrong with others."""
    return [line.split(":")[0] for line in said.splitlines() if ": right in process 0 of" in line]


def names(level: str) -> list[str]:
    """The programs; of those in C the first ten are also run as optimised code."""
    return [*(NAMES[:10] if level == "-O2" else NAMES), *(NAMES_IN_FORTRAN if has_flang() else [])]


@cache
def kernels(folder: Path, level: str) -> Path:
    """The programs and their derivatives in a shared library, made once."""
    sources = [PROGRAMS, HERE / "alone.c", *([FORTRAN] if has_flang() else [])]
    m = gradir.load(sources, flags=[include(), level])
    alone = [m.grad(name, wrt="x") for name in m.functions if name.startswith("alone_")]
    derivatives = [d(name, wrt="x") for name in names(level) for d in (m.grad, m.jvp)]
    path = folder / f"kernels{level}.so"
    m.save(path, derivatives + alone, functions=names(level))
    return path


@needs_mpi
@pytest.mark.parametrize("level, processes", [("-O0", 2), ("-O2", 2), ("-O2", 4)])
def test_programs(tmp_path_factory, level, processes):
    chosen = names(level)[:5] if processes == 4 else names(level)  # (more than cores take their time)
    library = kernels(tmp_path_factory.getbasetemp(), level)
    assert right(run(processes, HERE / "ranks.py", "mpich", library, *chosen)) == chosen


@needs_open_mpi
def test_programs_with_open_mpi(tmp_path):
    """Handles are pointers there, and constants are others."""
    chosen = ["ring", "reductions", "datatypes", "workers"]
    m = gradir.load(PROGRAMS, flags=[include("openmpi")])
    m.save(tmp_path / "kernels.so", [d(f, wrt="x") for f in chosen for d in (m.grad, m.jvp)], functions=chosen)
    said = run(3, HERE / "ranks.py", "openmpi", tmp_path / "kernels.so", *chosen, library="openmpi")
    assert right(said) == chosen


@needs_mpi
def test_large_messages_and_no_deadlock(tmp_path):
    """As C, by Enzyme's calls."""
    made, program = tmp_path / "large.o", tmp_path / "large"
    assert main(["opt", str(HERE / "large.c"), include(), "-o", str(made)]) == 0
    subprocess.run(["mpicc.mpich", made, "-o", program, "-lm"], check=True)
    words = ["mpiexec.mpich", "-n", "3", str(program)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT)
    assert done.stdout.count("right") == 3, done.stdout + done.stderr  # mpiexec may join processes' lines


@needs_mpi
def test_derivatives_of_derivatives_are_refused():
    m = gradir.load(PROGRAMS, flags=[include()])
    with pytest.raises(NoRule, match=r"derivatives of MPI's calls have no derivatives[^\0]*way out: take differences"):
        m.hvp("dot", wrt="x")(np.ones(4), 4, np.ones(4))


DIRECTIONS = """
import ctypes, sys
import numpy as np
import gradir
source, include, library = sys.argv[1:]
mpi = ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
m = gradir.load(source, flags=[include], libraries=[library])
x = np.arange(1.0, 5.0)
rows = m.jacobian("dot", wrt="x", mode="forward", width=4)(x, 4)
_, dx = m.value_and_grad("dot", wrt="x")(x, 4)
np.testing.assert_allclose(rows, dx, rtol=1e-14)  # one moves x of both processes, the other has both results
mpi.MPI_Finalize()
print("right")
"""


@needs_mpi
def test_several_directions_are_taken_one_by_one(tmp_path):
    script = tmp_path / "directions.py"
    script.write_text(DIRECTIONS)
    library = Path(told_by_mpicc("-L").removeprefix("-L")) / "libmpich.so.12"
    assert run(2, script, PROGRAMS, include(), library).count("right") == 2  # mpiexec may join processes' lines


@needs_mpi
def test_under_mpi4py(tmp_path, monkeypatch):
    """What the page on MPI shows."""
    pytest.importorskip("mpi4py")
    for title, body in re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```$', PAGE.read_text(), re.MULTILINE | re.DOTALL):
        (tmp_path / title).write_text(body)
    library = Path(told_by_mpicc("-L").removeprefix("-L")) / "libmpich.so.12"
    for name in ("libmpi.so.12", "libmpi.so"):  # what mpi4py and others know it by
        (tmp_path / name).symlink_to(library)
    (tmp_path / "mpicc").symlink_to(shutil.which("mpicc.mpich"))
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("MPI4PY_MPIABI", "mpich")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.chdir(tmp_path)
    assert run(2, "gradient.py").strip() == "[[0.316, 0.316], [0.632, 0.632]]"


@needs_mpi
@pytest.mark.parametrize(
    "call, way_out",
    [
        ("MPI_Iallreduce(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &r);", "use the blocking call"),
        ("MPI_Scan(&s, &t, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);", "MPI_Allgather"),
        ("MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);", "MPI_Get_count"),
        ("MPI_Put(&s, 1, MPI_DOUBLE, 0, 0, 1, MPI_DOUBLE, 0);", "send and receive"),
        ("MPI_Pack(&s, 1, MPI_DOUBLE, &t, 8, &n, MPI_COMM_WORLD);", "derived datatype"),
        ("MPI_Comm_spawn(0, 0, 1, 0, 0, MPI_COMM_WORLD, 0, 0);", "keep it out"),
    ],
)
def test_what_is_refused(tmp_path, call, way_out):
    source = tmp_path / "refused.c"
    begin = "#include <mpi.h>\ndouble f(const double *x, int n) {\n  double s = x[0], t = 0; MPI_Request r; (void)r;\n"
    source.write_text(f"{begin}  {call}\n  return s * t;\n}}\n")
    m = gradir.load(source, flags=[include()])
    name = call.partition("(")[0]
    for derivative in (m.grad("f", wrt="x"), m.jvp("f", wrt="x")):
        with pytest.raises(NoRule, match=rf"refused.c:4:3: {name} has no derivative[^\0]*way out: [^\0]*{way_out}"):
            derivative.save(tmp_path / "refused.o")


REFUSED_WHEN_RUN = {
    "MPI_Allreduce(x, &t, 1, MPI_DOUBLE, MPI_REPLACE, MPI_COMM_WORLD)": "a reduction of floats by another operation",
    "MPI_Bcast(&t, 8, MPI_BYTE, 0, MPI_COMM_WORLD)": "MPI_BYTE or MPI_PACKED of memory that may hold floats",
    "MPI_Send(x, 1, MPI_DOUBLE, 0, 200000000, MPI_COMM_WORLD)": "a tag in the upper half of the tags",
}


@needs_mpi
def test_what_is_refused_when_it_runs(tmp_path):
    """Operations, datatypes and tags are values: what they are is seen when the derivative runs."""
    source = tmp_path / "refused.c"
    functions = [
        f"double f{k}(const double *x, int n) {{ double t = x[0] * 2; {call}; return t * t; }}"
        for k, call in enumerate(REFUSED_WHEN_RUN)
    ]
    source.write_text("\n".join(["#include <mpi.h>", *functions, ""]))
    m = gradir.load(source, flags=[include()])
    library = tmp_path / "refused.so"
    m.save(library, [d(f"f{k}", wrt="x") for k in range(len(functions)) for d in (m.grad, m.jvp)])
    for k, message in enumerate(REFUSED_WHEN_RUN.values()):
        for mode in ("grad", "jvp"):
            words = ["mpiexec.mpich", "-n", "1", sys.executable, HERE / "once.py", library, f"{mode}_f{k}"]
            done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=LIMIT)
            assert done.returncode != 0
            assert f"gradir: MPI: {message}" in done.stderr and "way out: " in done.stderr
