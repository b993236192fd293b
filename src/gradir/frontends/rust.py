"""Rust, by rustc. Functions to be called are `#[no_mangle] pub extern "C"`."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

from gradir.errors import BackendError
from gradir.frontends import DEFAULT, CompilerOptions
from gradir.frontends.compiler import compile_to_llvm, find
from gradir.machine import llvm
from gradir.machine.analysis.bytes.contents import Kind
from gradir.machine.analysis.bytes.declared import Declarations
from gradir.machine.ir import Module, Type
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.passes.words import typed_integers
from gradir.machine.rules.known import MAKES_TEXT

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
_EDITION = "--edition=2021"
"""What `cargo new` has written for years; rustc by itself takes a file for one of 2015."""


def to_llvm(source: Path, options: CompilerOptions = DEFAULT) -> llvm.Module:
    """Compile a Rust file, a crate of its own."""
    wanted = options.compiler if "rustc" in (options.compiler or "") else None
    edition = [] if any(flag.startswith("--edition") for flag in options.flags) else [_EDITION]
    command = [rustc(wanted), *_FLAGS, *edition, *_with_attributes(options.flags), str(source), "-o"]
    module = compile_to_llvm(command, source, environment=_ENVIRONMENT)
    return llvm.parse(_self_contained(str(module), typed=_keeps_types(source, options.flags)), str(source))


def _with_attributes(flags: Sequence[str]) -> list[str]:
    """The flags, with the level at which nothing is optimised as the first one with all that it checks: LLVM's passes
    stay out at any level, but at that one nothing is said of values and arguments."""
    found: list[str] = []
    for before, flag in pairwise(("", *flags)):
        if flag == "-Copt-level=0" or (before, flag) in (("-C", "opt-level=0"), ("--codegen", "opt-level=0")):
            found += [flag.replace("=0", "=1"), *_CHECKS]
        else:
            found.append(flag)
    return found


_CHECKS = ("-Cdebug-assertions=yes", "-Coverflow-checks=yes")

_WAYS_AROUND = (
    *("union", "transmute", "cast", "align_to", "_bits", "_bytes", "exposed", "packed"),
    *("include", "extern crate"),
)
_CASTS = re.compile(r"\bas\s*[*_]|\bmod\s+\w+\s*;")


def _keeps_types(source: Path, flags: Sequence[str]) -> bool:
    """Whether what a program reads as an integer was written as one: Rust's types say so, unless it has words that get
    around them (or other files, that nobody looks into here). Any such word counts, in a comment too."""
    if any(flag.startswith(("--extern", "-L", "-l")) for flag in flags):
        return False
    text = source.read_text(errors="replace")
    return not any(word in text for word in _WAYS_AROUND) and _CASTS.search(text) is None


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


def _self_contained(text: str, *, typed: bool) -> str:
    """The module with its allocations on `malloc`, and its panics on `abort`.

    `malloc` aligns to 16 bytes, which is enough for numbers; a type that asks for more doesn't reach it by this way.
    Where the program is `typed`, its integers are marked.
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
    _own_texts(module)
    if typed:
        typed_integers.run(module)
    return str(module)


def _own_the_keys_of_hashes(module: Module) -> None:
    """Define what each thread has of the keys of `HashMap`, which the standard library has: any keys will do.

    They are made when they are first asked for; zeros say that they are not there yet.
    """
    for variable in module.variables:
        if "11RandomState3new4KEYS" in variable.name and "external" in variable.parts.words:
            variable.parts.words = ["internal", *(w for w in variable.parts.words if w.startswith("thread_local"))]
            variable.parts.initializer = "zeroinitializer"


_FORMAT = "3fmt6format12format_inner"

_TEXT = """
define internal void @gradir.text(ptr noalias sret([24 x i8]) align 8 %out, ptr %pieces, ptr %shown) alwaysinline {{
entry:
  %made = alloca [24 x i8], align 8
  call void {format}(ptr sret([24 x i8]) align 8 %made, ptr %pieces, ptr %shown)
  %first.at = getelementptr inbounds i8, ptr %made, i64 {first}
  %first = load i64, ptr %first.at, align 8
  %second.at = getelementptr inbounds i8, ptr %made, i64 {second}
  %second = load i64, ptr %second.at, align 8
  %less = icmp ult i64 %first, %second
  %length = select i1 %less, i64 %first, i64 %second
  %capacity = select i1 %less, i64 %second, i64 %first
  %empty = icmp eq i64 %capacity, 0
  br i1 %empty, label %done, label %copy
copy:
  %from.at = getelementptr inbounds i8, ptr %made, i64 {pointer}
  %from = load ptr, ptr %from.at, align 8
  %kept = call ptr @malloc(i64 %capacity)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %kept, ptr align 1 %from, i64 %length, i1 false)
  call void @free(ptr %from)
  br label %done
done:
  %text = phi ptr [ inttoptr (i64 1 to ptr), %entry ], [ %kept, %copy ]
  %to.first = getelementptr inbounds i8, ptr %out, i64 {first}
  store i64 %first, ptr %to.first, align 8
  %to.second = getelementptr inbounds i8, ptr %out, i64 {second}
  store i64 %second, ptr %to.second, align 8
  %to.text = getelementptr inbounds i8, ptr %out, i64 {pointer}
  store ptr %text, ptr %to.text, align 8
  ret void
}}
"""
"""What `format!` does: the library writes a text of its own, which is copied here. Which of a text's two numbers is its
length, and which the capacity, is told by their size."""


_CLONE = "6StringNtNt"
_CLONED = "5clone5Clone5clone"

_COPY_OF_TEXT = """
define internal void {clone}(ptr noalias sret([24 x i8]) align 8 %out, ptr %text) alwaysinline {{
entry:
  %first.at = getelementptr inbounds i8, ptr %text, i64 {first}
  %first = load i64, ptr %first.at, align 8, !noundef {defined}
  %second.at = getelementptr inbounds i8, ptr %text, i64 {second}
  %second = load i64, ptr %second.at, align 8, !noundef {defined}
  %length = call i64 @llvm.umin.i64(i64 %first, i64 %second)
  %empty = icmp eq i64 %length, 0
  br i1 %empty, label %done, label %copy
copy:
  %from.at = getelementptr inbounds i8, ptr %text, i64 {pointer}
  %from = load ptr, ptr %from.at, align 8
  %kept = call ptr @malloc(i64 %length)
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %kept, ptr align 1 %from, i64 %length, i1 false)
  br label %done
done:
  %copied = phi ptr [ inttoptr (i64 1 to ptr), %entry ], [ %kept, %copy ]
  %to.first = getelementptr inbounds i8, ptr %out, i64 {first}
  store i64 %length, ptr %to.first, align 8
  %to.second = getelementptr inbounds i8, ptr %out, i64 {second}
  store i64 %length, ptr %to.second, align 8
  %to.text = getelementptr inbounds i8, ptr %out, i64 {pointer}
  store ptr %copied, ptr %to.text, align 8
  ret void
}}
"""
"""What `String::clone` does, which comes compiled: the copy is no larger than the text."""


_USED = {
    "llvm.memcpy.p0.p0.i64": "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)",
    "llvm.umin.i64": "declare i64 @llvm.umin.i64(i64, i64)",
}


def _own_texts(module: Module) -> None:
    """Let texts that the library makes be memory that the program has asked for: they lie in structs beside floats,
    whose shadows hold the shadow of a text's address."""
    layout = _layout_of_text(module)
    declared = [f for f in module.functions.values() if f.is_declaration]
    makes = next((f for f in declared if _FORMAT in f.name and len(f.arguments) == 3), None)
    clones = next((f for f in declared if _CLONE in f.name and _CLONED in f.name and len(f.arguments) == 2), None)
    if layout is None or (makes is None and clones is None):
        return
    extend(module, "\n".join(line for name, line in _USED.items() if name not in module.functions))
    places = dict(zip(("pointer", "first", "second"), layout, strict=True))
    if clones is not None:
        extend(module, _COPY_OF_TEXT.format(clone=clones.ref, defined=module.add_node("!{}"), **places))
    if makes is not None:
        callers = [f for f in module.definitions if f.may_hold(makes.ref)]
        calls = [i for f in callers for i in f.instructions() if i.callee_name == makes.name]
        makes.attributes.add(f'"{MAKES_TEXT}"')
        extend(module, _TEXT.format(format=makes.ref, **places))
        for i in calls:
            i.replace_operand(i.callee, module.globals["gradir.text"])


def _layout_of_text(module: Module) -> tuple[int, int, int] | None:
    """Where in a `String` its address is, and its two numbers, as debug information has it."""
    names = [n for n, said in module.metadata.items() if 'name: "String"' in said and "DW_TAG_structure_type" in said]
    declarations = Declarations(module)
    for node in filter(None, map(module.nodes.node, names)):
        fields = declarations.fields(node)
        pointers = [f.offset for f in fields if f.kind is Kind.pointer]
        numbers = [f.offset for f in fields if f.kind is Kind.integer]
        if len(pointers) == 1 and len(numbers) == 2 and all(f.size == Kind.pointer.size for f in fields):
            return pointers[0], numbers[0], numbers[1]
    return None


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
