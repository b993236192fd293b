"""Rust, by rustc. Functions to be called are `#[no_mangle] pub extern "C"`."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_llvm, find
from gradir.machine import llvm
from gradir.machine.ir import Module, Type
from gradir.machine.ir.reader import extend, read

__all__ = ["runtime_library", "rustc", "to_llvm"]

# Level 2 brings the standard library's small functions along as IR, but LLVM's passes stay out: what is differentiated
# is chosen by gradir. A panic ends the process, so no call has a second way out.
_FLAGS = (
    "--emit=llvm-bc",
    "--crate-type=lib",
    "-g",
    "-Copt-level=2",
    "-Cno-prepopulate-passes",
    "-Cpanic=abort",
    "-Ccodegen-units=1",
    # Without optimisation, what other crates have made of generic functions would be left out. The compiler of a
    # release knows this flag, but only takes it if told that it builds itself.
    "-Zshare-generics=no",
)
_ENVIRONMENT = {"RUSTC_BOOTSTRAP": "1"}


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile a Rust file, a crate of its own."""
    wanted = options.compiler if "rustc" in (options.compiler or "") else None
    module = compile_to_llvm(
        [rustc(wanted), *_FLAGS, *options.flags, str(source), "-o"], source, environment=_ENVIRONMENT
    )
    return llvm.parse(_self_contained(str(module)), str(source))


_UNTYPED = (
    *("11RawVecInner", "8grow_one", "17grow_impl_runtime", "9Allocator4grow"),
    *("9const_ptrPu", "7mut_ptrOu", "9ub_checks", "18precondition_check"),
)
"""What vectors of all types share, and what asks for no more than an address: inlined, memory is told apart by what it
holds."""

# What the compiler would link in from Rust's runtime, on C's.
_RUNTIME = {
    "__rust_alloc": "define internal ptr @{name}(i64 %size, i64 %align) alwaysinline {{\n"
    "  %memory = call ptr @malloc(i64 %size)\n  ret ptr %memory\n}}",
    "__rust_alloc_zeroed": "define internal ptr @{name}(i64 %size, i64 %align) alwaysinline {{\n"
    "  %memory = call ptr @calloc(i64 1, i64 %size)\n  ret ptr %memory\n}}",
    "__rust_dealloc": "define internal void @{name}(ptr %memory, i64 %size, i64 %align) alwaysinline {{\n"
    "  call void @free(ptr %memory)\n  ret void\n}}",
    "__rust_realloc": "define internal ptr @{name}(ptr %old, i64 %before, i64 %align, i64 %size) alwaysinline {{\n"
    "  %memory = call ptr @realloc(ptr %old, i64 %size)\n  ret ptr %memory\n}}",
    "__rust_no_alloc_shim_is_unstable_v2": "define internal void @{name}() alwaysinline {{\n  ret void\n}}",
    "rust_eh_personality": "define internal i32 @{name}(i32 %0, i32 %1, i64 %2, ptr %3, ptr %4) {{\n  ret i32 0\n}}",
}
_C_RUNTIME = {
    "malloc": "declare noalias ptr @malloc(i64)",
    "calloc": "declare noalias ptr @calloc(i64, i64)",
    "realloc": "declare noalias ptr @realloc(ptr, i64)",
    "free": "declare void @free(ptr)",
    "abort": "declare void @abort() noreturn nounwind",
}


def _self_contained(text: str) -> str:
    """The module with its allocations on `malloc`, and its panics on `abort`.

    `malloc` aligns to 16 bytes, which is enough for numbers; a type that asks for more doesn't reach it by this way.
    """
    module = read(text)
    for function in module.definitions:
        if any(part in function.name for part in _UNTYPED) or _gives_address_and_number(function.result):
            function.attributes.remove("noinline")
            function.attributes.add("alwaysinline")
    for function in [f for f in module.functions.values() if f.is_declaration]:
        runtime = next((body for suffix, body in _RUNTIME.items() if function.name.endswith(suffix)), None)
        if runtime is not None:
            extend(module, runtime.format(name=function.name))
        elif function.name.startswith(("_R", "_ZN")) and function.has("noreturn"):
            given = ", ".join(f"{a.type} %a{a.index}" for a in function.arguments)
            head = f"define internal void {function.ref}({given}) noreturn nounwind cold noinline"
            extend(module, f"{head} {{\n  call void @abort()\n  unreachable\n}}")
    extend(module, "\n".join(line for name, line in _C_RUNTIME.items() if name not in module.functions))
    _own_the_keys_of_hashes(module)
    return str(module)


def _own_the_keys_of_hashes(module: Module) -> None:
    """Define what each thread has of the keys of `HashMap`, which the standard library has: any keys will do.

    They are made when they are first asked for; zeros say that they are not there yet.
    """
    for variable in module.variables:
        if "11RandomState3new4KEYS" in variable.name and "external" in variable.parts.words:
            variable.parts.words = ["internal", *(w for w in variable.parts.words if w.startswith("thread_local"))]
            variable.parts.initializer = "zeroinitializer"


def _gives_address_and_number(result: Type) -> bool:
    """Whether a function gives both in one piece, as iterators over two things do: its parts can't be told apart by who
    calls it."""
    if not result.is_aggregate:
        return False
    kinds = {part.scalar.kind for _, part in result.parts()}
    return {"ptr", "float"} <= kinds


@cache
def runtime_library() -> str | None:
    """The shared library with what of Rust's standard library comes compiled: text, printing, parts of sorting."""
    try:
        run = subprocess.run([rustc(), "--print", "sysroot"], capture_output=True, text=True, check=False)
    except (BackendError, OSError):
        return None
    found = sorted(Path(run.stdout.strip()).glob("lib/rustlib/*/lib/libstd-*.so"))
    return str(found[0]) if found else None


def rustc(wanted: str | None = None) -> str:
    """The path of a rustc: the one asked for, the one that GRADIR_RUSTC names, or the one on PATH."""
    wanted = wanted or os.environ.get("GRADIR_RUSTC") or "rustc"
    found = find([wanted])
    if found is None:
        raise BackendError(
            f"there is no compiler '{wanted}'",
            hint="install Rust (https://rustup.rs) with an LLVM of at most 22, or name its rustc by GRADIR_RUSTC",
        )
    return found
