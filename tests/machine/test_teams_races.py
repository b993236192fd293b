"""ThreadSanitizer finds no race in derivatives of parallel regions, and finds those that a mistake would make.

libomp itself is not instrumented: by LLVM's Archer, which comes with it, it tells ThreadSanitizer where threads wait
for each other. Without Archer every region would look like a race.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from glob import glob
from pathlib import Path

import pytest

from gradir.cli import main
from gradir.machine.ir.text.reader import read
from gradir.machine.transform.frame import Frame

SOURCE = Path(__file__).parent / "openmp" / "regions.c"
_ARCHER = sorted(glob("/usr/lib/llvm-19/lib/libarcher.so"))
_SANITIZER = glob("/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.tsan*.a")
pytestmark = pytest.mark.skipif(
    not _ARCHER or not _SANITIZER or not shutil.which("clang-19"), reason="no clang-19 with ThreadSanitizer and Archer"
)

_MAIN = """
#include <stdio.h>
{declarations}
int main(void) {{
  double x[40], d[40] = {{0}};
  for (int i = 0; i < 40; i++) x[i] = 0.5 + 0.02 * i;
  for (int round = 0; round < 5; round++) {{ {calls} }}
  return 0;
}}
"""


def reports(names: list[str], folder: Path) -> str:
    """What ThreadSanitizer says of gradients on four threads."""
    text, instrumented, driver, program = (folder / n for n in ("d.ll", "t.ll", "main.c", "program"))
    wanted = [word for name in names for word in ("--fn", name)]
    assert main(["diff", str(SOURCE), "--flag=-fopenmp", *wanted, "--grad", "--wrt", "x", "-o", str(text)]) == 0
    module = read(text.read_text())
    for function in module.definitions:
        function.attributes.add("sanitize_thread")
    instrumented.write_text(str(module))
    declarations = "\n".join(f"void grad_{name}(const double *, double *, int);" for name in names)
    driver.write_text(_MAIN.format(declarations=declarations, calls=" ".join(f"grad_{n}(x, d, 40);" for n in names)))
    flags = ["-O1", "-w", "-fsanitize=thread", "-fopenmp"]
    subprocess.run(["clang-19", *flags, instrumented, driver, "-o", program, "-lm"], check=True)
    environment = {
        "OMP_TOOL_LIBRARIES": _ARCHER[-1],
        "LD_LIBRARY_PATH": str(Path(_ARCHER[-1]).parent),
        "OMP_NUM_THREADS": "4",
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
    }
    # ThreadSanitizer wants memory where it expects it, not at random places.
    run = subprocess.run(
        ["setarch", "-R", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if "FATAL: ThreadSanitizer" in run.stderr:
        pytest.skip("ThreadSanitizer does not run here")
    assert run.returncode in (0, 66), run.stderr
    return run.stderr


def test_derivatives_have_no_races(tmp_path):
    said = reports(
        ["heat", "neighbours", "rows", "criticals", "dynamic_chunks", "singles", "copies", "calls"], tmp_path
    )
    assert "data race" not in said, said


def test_adding_without_atomics_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(Frame, "may_be_shared", lambda self, i, pointer: False)
    assert "data race" in reports(["heat"], tmp_path)
