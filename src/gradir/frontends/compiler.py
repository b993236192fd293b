"""Find a compiler, run it, and tell its complaints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from gradir.errors import BackendError, InputError
from gradir.machine import llvm

__all__ = ["compile_to_llvm", "find", "kept_library"]


def find(names: Iterable[str]) -> str | None:
    """The first of some programs that is there: by path, or on PATH."""
    return next((found for name in names if (found := shutil.which(name))), None)


def compile_to_llvm(
    command: Sequence[str],
    source: Path,
    *,
    text: bool = False,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> llvm.Module:
    """Run a compiler that writes LLVM IR to the file named after it, and read that.

    The compiler's own message is the error's, with the place of its first complaint. An older compiler's `text`
    can be read where its bitcode can't.
    """
    with tempfile.TemporaryDirectory(prefix="gradir-") as folder:
        output = Path(folder) / ("module.ll" if text else "module.bc")
        try:
            run = subprocess.run(
                [*command, str(output)],
                capture_output=True,
                check=False,
                stdin=subprocess.DEVNULL,
                env=os.environ | dict(environment),
            )
        except OSError as error:
            raise BackendError(f"can't run {command[0]}: {error.strerror or error}") from None
        message = run.stderr.decode(errors="replace").strip()
        if run.returncode != 0 or not output.is_file():
            raise _complaint(message or f"the compiler gave no output ({command[0]}, {run.returncode})", source)
        return llvm.parse(output.read_bytes(), str(source))


def kept_library(folder: Path | None, name: str, inputs: Callable[[Path], Sequence[str] | None]) -> str | None:
    """A shared library that is linked once and kept in a folder, or in one of this user's own.

    `inputs` gives what the linker is given, perhaps made in the scratch folder it gets. None where it can't be made;
    what the code lacks is then named when it is loaded.
    """
    folder = folder or Path(tempfile.gettempdir()) / f"gradir-{os.getuid()}"
    library = folder / f"{name}.so"
    if library.is_file():
        return str(library)
    linker = find(("cc", "gcc", "clang"))
    if linker is None:
        return None
    with tempfile.TemporaryDirectory(prefix="gradir-") as scratch:
        given = inputs(Path(scratch))
        if given is None:
            return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = folder / f".{name}.{os.getpid()}.so"
        run = subprocess.run([linker, "-shared", "-o", str(fresh), *given, "-lm"], capture_output=True, check=False)
        if run.returncode != 0:
            return None
        os.replace(fresh, library)
    return str(library)


def _complaint(message: str, source: Path) -> InputError:
    # clang and flang: "k.c:3:5: error: ..."; rustc: "error[E0425]: ...\n --> k.rs:3:5"
    place = re.search(r"^(.+?:\d+:\d+):? (?:fatal )?error:", message, re.MULTILINE) or re.search(
        r"^error.*\n\s*--> (.+:\d+:\d+)", message, re.MULTILINE
    )
    return InputError(f"it doesn't compile:\n{message}", location=place[1] if place else str(source))
