"""Compiles library.c and mpi.c: `python -m gradir.machine.rules.make_library`, after a change of the C files.

The text is made small and bound to no machine: no metadata, no attributes (LLVM finds them again), no target.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gradir.machine.ir import Constant, Function, Instruction
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.instructions import call
from gradir.machine.ir.text.reader import read
from gradir.machine.ir.text.tokens import renamed, without_words, words

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

_NEWER = words("nuw nneg samesign disjoint")
"""Flags that older LLVMs don't know everywhere."""
_PASSED = words("byval sret")
"""Attributes that say how an argument is passed."""
_SAID_FOR_LINKERS = words("unnamed_addr local_unnamed_addr dso_local")


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


def small(text: str, prefix: str) -> str:
    """The text cut; what is static in C gets a prefix, for a program may have functions of the same names."""
    module = read(text)
    for said in (module.preamble, module.metadata, module.groups, module.comdats):
        said.clear()
    for function in list(module.functions.values()):
        if function.name.startswith("llvm.lifetime."):
            module.remove(function.name)
        else:
            _say_little(function)
    static = {f.name for f in module.definitions if "gradir" not in f.name}
    for g in module.variables:
        g.parts.metadata.clear()
        linkage = [word for word in g.parts.words if word not in _SAID_FOR_LINKERS]
        if "external" not in linkage and "gradir" not in g.name:
            static.add(g.name)
            if g.parts.kind == "global":  # what static variables hold is one for all derivatives in a module
                linkage = ["linkonce_odr", "hidden"]
        g.parts.words = linkage

    def rename(ref: str) -> str:
        mark, name = ref[0], ref[1:].strip('"')
        if mark == "@" and name in static:
            return f"@{prefix}{name.lstrip('.')}"
        return mark + (name.replace("$", ".") if "gradir$" in name else name)

    return renamed(str(module), rename)


def _say_little(function: Function) -> None:
    """Leave what a function does, and little else."""
    said = function.signature
    said.linkage, said.words = "" if function.is_declaration else "internal", []
    for attributes in (said.attributes, said.result_attributes, *(a.attributes for a in said.arguments)):
        attributes.remove(*(name for name in attributes.names if name not in _PASSED))
    said.trailing.clear()
    said.metadata.clear()
    for i in list(function.instructions()):
        i.metadata, i.records = {}, []
        if (i.callee_name or "").startswith("llvm.lifetime."):
            i.erase()
            continue
        if i.flags & _NEWER:
            i.pieces[0] = without_words(i.pieces[0], _NEWER)
        for n, operand in enumerate(i.operands):
            if isinstance(operand, Constant):
                i.set_operand(n, Constant(operand.type, without_words(operand.ref, _NEWER), operand.globals))
        if i.opcode == "call":
            _call_plainly(i)


def _call_plainly(i: Instruction) -> None:
    """A call that says how its arguments are passed, and nothing of what they are."""
    made = call(i.type, i.callee, i.arguments)
    if i.info["function_type"] is not None:  # of a variable number of arguments
        made.pieces[0] = f"call {i.info['function_type']} "
    said: Sequence[str] = i.info["argument_attributes"]  # type: ignore[assignment]
    for n, text in enumerate(said, 1):
        attributes = Attributes(text)
        attributes.remove(*(name for name in attributes.names if name not in _PASSED))
        made.pieces[n] += f"{attributes} " if len(attributes) else ""
    made.ref = i.ref
    i.insert_before(made)
    i.erase(made)


def main() -> None:
    for module, (source, *options) in MADE.items():
        first = f"; Made by make_library.py from the C files beside it, {fingerprint()}"
        module.write_text(f"{first}\n{small(compiled(source, *options), f'gradir.{Path(source).stem}.')}")


if __name__ == "__main__":
    main()
