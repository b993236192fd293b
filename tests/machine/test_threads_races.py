"""ThreadSanitizer finds no race in derivatives of threads made by hand, and finds those that a mistake would make."""

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

SOURCE = Path(__file__).parent / "threads" / "joined.c"
_SANITIZER = glob("/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.tsan*.a")
pytestmark = pytest.mark.skipif(
    not _SANITIZER or not shutil.which("clang-19") or not shutil.which("setarch"),
    reason="no clang-19 with ThreadSanitizer",
)

_MAIN = """
{declarations}
int main(void) {{
  double x[40], d[40] = {{0}};
  for (int i = 0; i < 40; i++) x[i] = 0.5 + 0.02 * i;
  for (int round = 0; round < 5; round++) {{ {calls} }}
  return 0;
}}
"""


def reports(names: list[str], folder: Path) -> str:
    """What ThreadSanitizer says of gradients."""
    text, instrumented, driver, program = (folder / n for n in ("d.ll", "t.ll", "main.c", "program"))
    wanted = [word for name in names for word in ("--fn", name)]
    assert main(["diff", str(SOURCE), *wanted, "--grad", "--wrt", "x", "-o", str(text)]) == 0
    module = read(text.read_text())
    assert "pthread_create" in module.functions
    for function in module.definitions:
        function.attributes.add("sanitize_thread")
    instrumented.write_text(str(module))
    declarations = "\n".join(f"void grad_{name}(const double *, double *, int);" for name in names)
    driver.write_text(_MAIN.format(declarations=declarations, calls=" ".join(f"grad_{n}(x, d, 40);" for n in names)))
    flags = ["-O1", "-w", "-fsanitize=thread"]
    subprocess.run(["clang-19", *flags, instrumented, driver, "-o", program, "-lm"], check=True)
    # ThreadSanitizer wants memory where it expects it, not at random places.
    run = subprocess.run(
        ["setarch", "-R", program], env=os.environ, capture_output=True, text=True, timeout=120, check=False
    )
    if "FATAL: ThreadSanitizer" in run.stderr:
        pytest.skip("ThreadSanitizer does not run here")
    assert run.returncode in (0, 66), run.stderr
    return run.stderr


def test_derivatives_have_no_races_and_leave_no_thread(tmp_path):
    said = reports(["beside", "both_locked", "branching", "chosen", "heat", "leaving"], tmp_path)
    assert "ThreadSanitizer" not in said, said


def test_adding_without_atomics_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr(Frame, "may_be_shared", lambda self, i, pointer: False)
    assert "data race" in reports(["beside"], tmp_path)
