"""Code for several CPUs in one file, of which each call takes the best that the CPU at hand can run.

Every function is there once for each CPU, and once more under its own name: that one asks the CPU what it can do, at
the first call, and goes on to the version for it. Nothing is needed of the linker or of the loader.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache

from gradir.errors import OutputError, UnknownTarget, nearest
from gradir.machine import llvm
from gradir.machine.ir import Function, Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import renamed

__all__ = ["LEVELS", "target_and_versions", "with_versions"]

LEVELS = ("x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4")
"""The CPUs that a version can be for: each runs the code for those before it."""


def target_and_versions(triple: str, cpu: str) -> tuple[llvm.Target, tuple[str, ...]]:
    """The machine that is meant by a triple and by `native`, one CPU, or several after each other with commas.

    >>> target_and_versions("", "x86-64-v3,x86-64")
    (Target(triple='', cpu='x86-64', features=''), ('x86-64', 'x86-64-v3'))
    """
    if "," not in cpu:
        if cpu == "native" and triple:
            raise UnknownTarget(
                f"the CPU of this machine is not known to be one of {triple}", hint="leave out the triple, or the CPU"
            )
        if cpu not in ("", "native", *LEVELS):
            _check(triple, cpu)
        return llvm.Target(triple, "" if cpu == "native" else cpu), ()
    names = [name.strip() for name in cpu.split(",")]
    for name in names:
        if name not in LEVELS:
            hint = nearest(name, LEVELS, f"there are versions for {', '.join(LEVELS)}")
            raise UnknownTarget(f"there is no version for the CPU '{name}'", hint=hint)
    target = llvm.Target(triple, LEVELS[0])
    if not llvm.target_machine(target).triple.startswith("x86_64"):
        machine = triple or "this machine"
        raise UnknownTarget(f"there are versions for x86-64 only, not for {machine}", hint="name one CPU")
    return target, tuple(name for name in LEVELS if name in names)


_LIST = """
import sys
from llvmlite import binding
binding.initialize_all_targets()
triple = sys.argv[1] or binding.get_process_triple()
binding.Target.from_triple(triple).create_target_machine("help")
"""


@cache
def _cpus(triple: str) -> tuple[str, ...]:
    """What LLVM says on stderr, and to nobody else."""
    said = subprocess.run([sys.executable, "-c", _LIST, triple], capture_output=True, text=True, check=False).stderr
    listed = said.partition("Available CPUs")[2].partition("Available features")[0]
    return tuple(line.split(" - ")[0].strip() for line in listed.splitlines() if " - " in line)


def _check(triple: str, cpu: str) -> None:
    """Refuse a CPU that LLVM doesn't know: it would make code for any of the kind."""
    known = _cpus(triple)
    if known and cpu not in known:
        machine = triple or "this machine"
        raise UnknownTarget(
            f"there is no CPU '{cpu}' for {machine}",
            hint=nearest(cpu, ["native", *known], "clang -mcpu=help lists all"),
        )


def with_versions(module: llvm.Module, names: Sequence[str], cpus: Sequence[str]) -> llvm.Module:
    """A module whose functions of these names are there once for each CPU."""
    text = str(module)
    source = read(text)
    if "llvm.global_ctors" in source.globals:
        raise OutputError(
            "the program has constructors that run before it, once for each version",
            hint="name one CPU",
        )
    first, *others = (_version(text, names, cpu) for cpu in cpus)
    declared = [f"declare {_head(source.functions[n], _called(n, cpu))}" for n in names for cpu in cpus[1:]]
    chosen = [_choice(source.functions[name], cpus) for name in names]
    extend(first, "\n".join([_LOOK, *declared, *chosen]))
    made = llvm.link(llvm.parse(str(version), "<versions>") for version in (first, *others))
    llvm.hide(made, [_called(name, cpu) for name in names for cpu in cpus])
    return made


def _called(name: str, cpu: str) -> str:
    return f"{name}.{cpu}"


def _version(text: str, names: Sequence[str], cpu: str) -> Module:
    """The module for one CPU, with names of its own."""
    others = {spelt: f'@"{_called(name, cpu)}"' for name in names for spelt in (f"@{name}", f'@"{name}"')}
    version = read(renamed(text, lambda ref: others.get(ref, ref)))
    for function in version.definitions:
        function.attributes.remove("target-cpu", "target-features", "tune-cpu")
        function.attributes.add(f'"target-cpu"="{cpu}"')
    return version


def _head(function: Function, name: str, parameters: bool = False) -> str:
    given = [f"{a.type} {a.attributes}" + (f" %{k}" if parameters else "") for k, a in enumerate(function.arguments)]
    if function.variadic:
        given.append("...")
    return f'{function.result_attributes} {function.result} @"{name}"({", ".join(given)})'.strip()


def _choice(function: Function, cpus: Sequence[str]) -> str:
    """The function that goes on to one of its versions, and runs on any CPU; the first one is for all that is less."""
    cases = " ".join(f"i32 {LEVELS.index(cpu) + 1}, label %v{k}" for k, cpu in _ranked(cpus))
    lines = [f"define {_head(function, function.name, parameters=True)} {{", "  %level = call i32 @gradir.level()"]
    lines.append(f"  switch i32 %level, label %v0 [ {cases} ]")
    passed = [f"{a.type} {a.attributes} %{k}" for k, a in enumerate(function.arguments)]
    kind = str(function.result)
    if function.variadic:
        passed.append("...")
        kind = f"{kind} ({', '.join([*(str(a.type) for a in function.arguments), '...'])})"
    gives = kind != "void"
    for k, cpu in enumerate(cpus):
        call = f'musttail call {kind} @"{_called(function.name, cpu)}"({", ".join(passed)})'
        ends = [f"  %r{k} = {call}", f"  ret {function.result} %r{k}"] if gives else [f"  {call}", "  ret void"]
        lines += [f"v{k}:", *ends]
    return "\n".join([*lines, "}"])


def _ranked(cpus: Sequence[str]) -> list[tuple[int, str]]:
    """For each level above the first version's, the best version that it runs."""
    first = LEVELS.index(cpus[0])
    best = {
        level: max(k for k, c in enumerate(cpus) if LEVELS.index(c) <= LEVELS.index(level)) for level in LEVELS[first:]
    }
    return [(k, level) for level, k in best.items()]


def _test(value: str, name: str, *bits: int) -> str:
    """Whether all of these bits are set."""
    mask = sum(1 << bit for bit in bits)
    mask -= (mask >> 31) << 32  # as LLVM writes integers
    return f"  %{name}.set = and i32 {value}, {mask}\n  %{name} = icmp eq i32 %{name}.set, {mask}"


_CPUID = 'call { i32, i32, i32, i32 } asm "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx},~{dirflag},~{fpsr},~{flags}"'
_LOOK = f"""
@gradir.level.known = internal global i32 0

define internal i32 @gradir.level() nounwind {{
  %known = load atomic i32, ptr @gradir.level.known monotonic, align 4
  %is.known = icmp ne i32 %known, 0
  br i1 %is.known, label %end, label %look
look:
  %found = call i32 @gradir.level.look()
  store atomic i32 %found, ptr @gradir.level.known monotonic, align 4
  br label %end
end:
  %level = phi i32 [ %known, %0 ], [ %found, %look ]
  ret i32 %level
}}

; What the CPU and the system that runs on it can do, as the number of a level of x86-64.
define internal i32 @gradir.level.look() noinline nounwind {{
  %most = {_CPUID}(i32 0, i32 0)
  %leaves = extractvalue {{ i32, i32, i32, i32 }} %most, 0
  %few = icmp ult i32 %leaves, 7
  br i1 %few, label %first, label %ask
ask:
  %one = {_CPUID}(i32 1, i32 0)
  %seven = {_CPUID}(i32 7, i32 0)
  %more = {_CPUID}(i32 -2147483647, i32 0)
  %c1 = extractvalue {{ i32, i32, i32, i32 }} %one, 2
  %b7 = extractvalue {{ i32, i32, i32, i32 }} %seven, 1
  %c8 = extractvalue {{ i32, i32, i32, i32 }} %more, 2
; SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF
{_test("%c1", "sse", 0, 9, 13, 19, 20, 23)}
{_test("%c8", "lahf", 0)}
  %v2 = and i1 %sse, %lahf
  br i1 %v2, label %second, label %first
second:
; FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
{_test("%c1", "avx", 12, 22, 27, 28, 29)}
{_test("%b7", "avx2", 3, 5, 8)}
{_test("%c8", "lzcnt", 5)}
  %wide = and i1 %avx, %avx2
  %v3 = and i1 %wide, %lzcnt
  br i1 %v3, label %saved, label %end
saved:
; which registers the system saves: XMM and YMM; opmask, ZMM
  %saves = call {{ i32, i32 }} asm "xgetbv", "={{ax}},={{dx}},{{cx}},~{{dirflag}},~{{fpsr}},~{{flags}}"(i32 0)
  %x = extractvalue {{ i32, i32 }} %saves, 0
{_test("%x", "ymm", 1, 2)}
  br i1 %ymm, label %third, label %end
third:
; AVX-512: F, DQ, CD, BW, VL
{_test("%b7", "avx512", 16, 17, 28, 30, 31)}
{_test("%x", "zmm", 5, 6, 7)}
  %v4 = and i1 %avx512, %zmm
  %last = select i1 %v4, i32 4, i32 3
  br label %end
first:
  br label %end
end:
  %level = phi i32 [ 1, %first ], [ 2, %second ], [ 2, %saved ], [ %last, %third ]
  ret i32 %level
}}
"""
