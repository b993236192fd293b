"""The parts of libc++ that are not in its headers, compiled from the sources that come with zig.

zig's C++ has libc++'s headers, but a Python process has no libc++ to call: `std::sort` of doubles, `std::string`,
`std::shared_ptr` and hash tables would be names that nobody defines. Their sources are in the `ziglang` package, so
what a program needs of them is compiled once and linked to it like code of its own. Then it has derivatives, too.
Streams and locales are large and have none: they are compiled to a shared library, once.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from gradir.errors import BackendError, InputError
from gradir.frontends.compiler import compile_to_llvm, find
from gradir.machine import llvm
from gradir.machine.jit import cache_folder, keep_in_cache

__all__ = ["asks_runtime", "runtime_library", "with_library"]

_SOURCES = {
    "algorithm": ("_ZNSt3__16__sort",),
    "string": (
        "_ZNSt3__112basic_string", "_ZNKSt3__112basic_string", "_ZNSt3__19to_string", "_ZNSt3__1pl",
        "_ZNSt3__14sto", "_ZNSt3__15sto",
    ),
    "hash": ("_ZNSt3__112__next_prime",),
    "functional": ("_ZNSt3__113__hash_memory",),
    "memory": (
        "_ZNSt3__114__shared_count", "_ZNSt3__119__shared_weak_count", "_ZNKSt3__119__shared_weak_count",
        "_ZTINSt3__114__shared_count", "_ZTINSt3__119__shared_weak_count", "_ZTVNSt3__119__shared_weak_count",
    ),
    "charconv": ("_ZNSt3__16__itoa",),
}  # fmt: skip
"""Source files, and how the names begin that they define."""

_LANGUAGE = ("-std=c++23", "-D_LIBCPP_BUILDING_LIBRARY")
_FLAGS = ("-c", "-emit-llvm", "-O1", "-Xclang", "-disable-llvm-passes", *_LANGUAGE)
# Without aliases: each constructor and destructor has a body of its own under its name.
_PLAIN = ("-g0", "-fno-sanitize=all", "-fno-stack-protector", "-w", "-Xclang", "-mno-constructor-aliases")


def with_library(module: llvm.Module, driver: Sequence[str]) -> llvm.Module:
    """The module, linked with what it needs of libc++'s sources; `driver` is zig's C++ compiler."""
    linked: set[str] = set()
    while wanted := _wanted(llvm.imports(module), linked):
        for stem, names in wanted.items():
            linked.add(stem)
            content = _compiled(stem, driver)
            if content is not None:
                module = _linked(module, llvm.parse(content, f"libc++ {stem}"), names)
    return module


def _wanted(names: Sequence[str], linked: set[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for stem, beginnings in _SOURCES.items():
        if stem not in linked and (needed := [name for name in names if name.startswith(beginnings)]):
            found[stem] = needed
    return found


def _linked(module: llvm.Module, part: llvm.Module, names: Sequence[str]) -> llvm.Module:
    """Only what is needed of the part is linked, and nobody outside can name it."""
    llvm.extract(part, names)
    whole = llvm.link([module, part])
    llvm.hide(whole, names)
    return whole


def _compiled(stem: str, driver: Sequence[str]) -> bytes | None:
    """The bitcode of a source file of libc++; None if it can't be had."""
    sources = _sources()
    source = sources / f"{stem}.cpp" if sources is not None else None
    if source is None or not source.is_file():
        return None
    key = hashlib.sha256(f"{version('ziglang')} {_FLAGS} {_PLAIN}".encode()).hexdigest()[:16]
    folder = cache_folder()
    kept = folder / f"libcxx-{stem}-{key}.bc" if folder is not None else None
    if kept is not None and kept.is_file():
        return kept.read_bytes()
    command = [*driver, *_FLAGS, *_PLAIN, f"-I{source.parent}", str(source), "-o"]
    try:
        content = llvm.bitcode(compile_to_llvm(command, source))
    except (BackendError, InputError):
        return None
    if kept is not None:
        keep_in_cache(kept, content)
    return content


# -- What compiled code needs at run time ------------------------------------------------------------------------------

_STREAMS = (
    *("ios", "ios.instantiations", "iostream", "fstream", "locale", "ostream", "string", "stdexcept", "memory"),
    *("system_error", "error_category", "call_once", "verbose_abort", "functional"),
    *("../../libcxxabi/src/stdlib_typeinfo", "../../libcxxabi/src/stdlib_exception"),
)
"""Source files of streams and of all that they need."""


def asks_runtime(names: Sequence[str]) -> bool:
    """Whether a module with these imports uses streams or locales of libc++."""
    return any("St3__1" in name and ("stream" in name or "ios" in name or "locale" in name) for name in names)


def runtime_library(driver: Sequence[str], folder: Path | None) -> str | None:
    """libc++'s streams as a shared library, made once and kept in a folder; None where it can't be made."""
    sources, linker = _sources(), find(("cc", "gcc", "clang"))
    if sources is None or linker is None:
        return None
    folder = folder or Path(tempfile.gettempdir()) / f"gradir-{os.getuid()}"
    library = folder / f"libcxx-{version('ziglang')}.so"
    if library.is_file():
        return str(library)
    with tempfile.TemporaryDirectory(prefix="gradir-") as scratch:
        objects = []
        for number, stem in enumerate(_STREAMS):
            objects.append(f"{scratch}/{number}.o")
            flags = ("-c", "-O1", "-fPIC", *_LANGUAGE, "-g0", "-fno-sanitize=all", "-w", f"-I{sources}")
            include = sources.parents[1] / "libcxxabi" / "include"
            command = [*driver, *flags, f"-I{include}", str(sources / f"{stem}.cpp"), "-o", objects[-1]]
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                return None
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = folder / f".libcxx.{os.getpid()}.so"
        # Exceptions and memory are those of the process, whose C++ library has them by the same names.
        command = [linker, "-shared", "-o", str(fresh), *objects, "-l:libstdc++.so.6", "-lm"]
        if subprocess.run(command, capture_output=True, check=False).returncode != 0:
            return None
    os.replace(fresh, library)
    return str(library)


def _sources() -> Path | None:
    """Where the sources of libc++ are."""
    spec = find_spec("ziglang")
    folder = Path(spec.origin).parent / "lib" / "libcxx" / "src" if spec and spec.origin else None
    return folder if folder is not None and folder.is_dir() else None
