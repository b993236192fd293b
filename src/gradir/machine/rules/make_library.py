"""Compiles library.c and mpi.c: `python -m gradir.machine.rules.make_library`, after a change of the C files.

The text is made small and bound to no machine: no metadata, no attributes (LLVM finds them again), no target.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

__all__ = ["CFLAGS", "fingerprint", "main", "small"]

HERE = Path(__file__).parent
LIBRARY = HERE / "library.ll"
MADE = {
    LIBRARY: ("library.c",),
    HERE / "mpich.ll": ("mpi.c",),
    HERE / "openmpi.ll": ("mpi.c", "-DOPEN_MPI"),
}
"""What is made from what, with which options."""

CFLAGS = (
    *("-target", "x86_64-linux-gnu", "-mcpu=baseline", "-std=c17", "-Oz", "-g0", "-S", "-emit-llvm"),
    *("-fno-math-errno", "-ffp-contract=off", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops"),
    *("-fno-stack-protector", "-fno-sanitize=all", "-Wall", "-Werror", "-Wno-unused-command-line-argument"),
    *("-mllvm", "-disable-loop-idiom-all"),
)

_WORDS = re.compile(
    r" (?:noundef|nonnull|noalias|nocapture|readonly|readnone|writeonly|returned|signext|zeroext|local_unnamed_addr"
    r"|unnamed_addr|dso_local|allocalign|allocptr|nofree|immarg)\b"
    r"| (?:captures|initializes|range|dereferenceable|dereferenceable_or_null|nofpclass|align)\((?:[^()]|\([^()]*\))*\)"
    r"| align \d+(?= [%@\w])| #\d+"
)


def fingerprint() -> str:
    """What tells that the modules were made from the C files as they are."""
    sources = sorted([*HERE.glob("*.c"), *HERE.glob("*.h")])
    return hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()[:16]


def compiled(source: str, *options: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "library.ll")
        command = [sys.executable, "-m", "ziglang", "cc", *CFLAGS, *options, str(HERE / source), "-o", str(out)]
        subprocess.run(command, check=True)
        return out.read_text()


_CUTS = (
    (re.compile(r"\s*; preds = .*"), ""),
    (re.compile(r"(, ![\w.]+ !\d+)+$"), ""),
    (re.compile(r'([@%])"([\w$.]+)"'), r"\1\2"),
    (_WORDS, ""),
    (re.compile(r" (?:nuw|nneg|samesign|disjoint)\b"), ""),  # older LLVMs don't know them everywhere
    (re.compile(r"\b(?:tail|musttail|notail) call\b"), "call"),
    (re.compile(r"^define (?:hidden |internal )?"), "define internal "),
    # What static variables hold is one for all derivatives in a module.
    (re.compile(r"^(@(?!gradir)\S+ = )internal global "), r"\1linkonce_odr hidden global "),
)


def small(text: str, prefix: str) -> str:
    """The text cut; what is static in C gets a prefix, for a program may have functions of the same names."""
    kept = []
    for line in text.splitlines():
        if line.startswith((";", "!", "attributes", "source_filename", "target", "$")) or "@llvm.lifetime." in line:
            continue
        cut = line
        for pattern, replacement in _CUTS:
            cut = pattern.sub(replacement, cut)
        kept.append(re.sub(r"gradir\$[\w$]+", lambda m: m[0].replace("$", "."), cut))
    made = re.sub(r"\n{2,}", "\n", "\n".join(kept)).strip() + "\n"
    defined = re.findall(r"^(?:define [^@]*)?@([\w.]++)(?! = external)", made, re.MULTILINE)
    static = {name for name in defined if "gradir" not in name}
    return re.sub(r"@([\w.]+)", lambda m: f"@{prefix}{m[1].lstrip('.')}" if m[1] in static else m[0], made)


def main() -> None:
    for module, (source, *options) in MADE.items():
        first = f"; Made by make_library.py from the C files beside it, {fingerprint()}"
        module.write_text(f"{first}\n{small(compiled(source, *options), f'gradir.{Path(source).stem}.')}")


if __name__ == "__main__":
    main()
