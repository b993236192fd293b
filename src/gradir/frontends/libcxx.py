"""The parts of libc++ that are not in its headers, compiled from the sources that come with zig.

zig's C++ has libc++'s headers, but a Python process has no libc++ to call: `std::sort` of doubles, `std::string`,
`std::shared_ptr` and hash tables would be names that nobody defines. Their sources are in the `ziglang` package, so
what a program needs of them is compiled once and linked to it like code of its own. Then it has derivatives, too.
Streams, locales and threads are large and have none: they are compiled to a shared library, once.
"""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from gradir.errors import BackendError, InputError
from gradir.frontends.compiler import compile_to_llvm, kept_library
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
    "exceptions": (
        "_ZNSt11logic_errorC1ERKNSt3", "_ZNSt11logic_errorC2ERKNSt3", "_ZNSt13runtime_errorC1ERKNSt3",
        "_ZNSt13runtime_errorC2ERKNSt3", "_ZNSt9bad_allocC", "_ZNSt20bad_array_new_lengthC", "_ZNSt8bad_castC",
        "_ZNSt10bad_typeidC",
    ),
}  # fmt: skip
"""Source files, and how the names begin that they define."""

_OWN = Path(__file__).parent / "libcxx_exceptions.cpp"
"""In the place of libc++'s own: its exceptions would not be those that the process knows."""

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
    source = _OWN if stem == "exceptions" else sources / f"{stem}.cpp" if sources is not None else None
    if source is None or not source.is_file():
        return None
    of = _OWN.read_text() if source is _OWN else ""
    key = hashlib.sha256(f"{version('ziglang')} {_FLAGS} {_PLAIN} {of}".encode()).hexdigest()[:16]
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

_RUNTIME = (
    *("ios", "ios.instantiations", "iostream", "fstream", "locale", "ostream", "string", "stdexcept", "memory"),
    *("system_error", "error_category", "call_once", "verbose_abort", "functional"),
    *("thread", "mutex", "mutex_destructor", "condition_variable", "condition_variable_destructor", "future"),
    *("shared_mutex", "chrono", "atomic"),
    *("../../libcxxabi/src/stdlib_typeinfo", "../../libcxxabi/src/stdlib_exception"),
)
"""Source files of streams and threads, and of all that they need."""

_AT_RUN_TIME = ("stream", "ios", "locale", "thread", "mutex", "condition_variable", "chrono")
"""What is in the names of the functions that they define."""


_NOT_THERE = """
#include <cstdlib>
extern "C" {
void made() __asm__("_ZNSt13exception_ptr31__from_native_exception_pointerEPv");
void copied() __asm__("_ZNSt13exception_ptrC1ERKS_");
void gone() __asm__("_ZNSt13exception_ptrD1Ev");
void assigned() __asm__("_ZNSt13exception_ptraSERKS_");
void thrown() __asm__("_ZSt17rethrow_exceptionSt13exception_ptr");
void made() { std::abort(); }
void copied() { std::abort(); }
void gone() { std::abort(); }
void assigned() { std::abort(); }
void thrown() { std::abort(); }
}
"""
"""What futures do with exceptions of libc++'s own kind, which the process's C++ library doesn't have."""


def asks_runtime(names: Sequence[str]) -> bool:
    """Whether a module with these imports uses streams, locales or threads of libc++."""
    return any("St3__1" in name and any(word in name for word in _AT_RUN_TIME) for name in names)


def runtime_library(driver: Sequence[str], folder: Path | None) -> str | None:
    """libc++'s streams and threads as a shared library, made once and kept in a folder; None where it can't be made."""
    sources = _sources()
    if sources is None:
        return None

    def objects(scratch: Path) -> list[str] | None:
        made = [str(scratch / f"{number}.o") for number in range(len(_RUNTIME) + 1)]
        flags = ("-c", "-O1", "-fPIC", *_LANGUAGE, "-g0", "-fno-sanitize=all", "-w", f"-I{sources}")
        include = sources.parents[1] / "libcxxabi" / "include"
        stubs = scratch / "not_there.cpp"
        stubs.write_text(_NOT_THERE)
        files = [*(str(sources / f"{stem}.cpp") for stem in _RUNTIME), str(stubs)]
        for source, output in zip(files, made, strict=True):
            command = [*driver, *flags, f"-I{include}", source, "-o", output]
            if subprocess.run(command, capture_output=True, check=False).returncode != 0:
                return None
        # Exceptions and memory are those of the process, whose C++ library has them by the same names.
        return [*made, "-l:libstdc++.so.6"]

    parts = hashlib.sha256(" ".join(_RUNTIME).encode()).hexdigest()[:8]
    return kept_library(folder, f"libcxx-{version('ziglang')}-{parts}", objects)


def _sources() -> Path | None:
    """Where the sources of libc++ are."""
    spec = find_spec("ziglang")
    folder = Path(spec.origin).parent / "lib" / "libcxx" / "src" if spec and spec.origin else None
    return folder if folder is not None and folder.is_dir() else None
