"""Compiles emulator.c: `python -m gradir.frontends.cuda.make_emulator`, after a change of it."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

from gradir.machine.rules.make_library import CFLAGS, small

__all__ = ["fingerprint", "main"]

HERE = Path(__file__).parent
SOURCE, MADE = HERE / "emulator.c", HERE / "emulator.ll"


def fingerprint() -> str:
    """What tells that the module was made from the C file as it is."""
    return hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "emulator.ll")
        subprocess.run([sys.executable, "-m", "ziglang", "cc", *CFLAGS, str(SOURCE), "-o", str(out)], check=True)
        text = small(out.read_text(), "gradir.emulator.")
    MADE.write_text(f"; Made by make_emulator.py from emulator.c, {fingerprint()}\n{text}")


if __name__ == "__main__":
    main()
