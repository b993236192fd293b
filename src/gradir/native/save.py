"""Derivatives for other programs: LLVM IR, objects, shared libraries, and a C header that declares them.

A derivative is exported as a plain C function: after each argument that carries a derivative comes its shadow (memory
for an array, a place for the gradient of a number), and at the end the cotangent of what the function returns.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path

from gradir.errors import BackendError, OutputError
from gradir.files import write_file
from gradir.frontends.compiler import find
from gradir.machine import llvm
from gradir.machine.ir.text.reader import read
from gradir.machine.jit.arguments import parameter_count
from gradir.machine.jit.signature import Array, Descriptor, Pointer, Scalar, Struct, Type, View
from gradir.machine.passes.portable import portable
from gradir.machine.rules.registry import with_internal_registrations
from gradir.native.derivative import Derivative, Grad, Jacobian, Jvp, Vjp, _returned
from gradir.native.engine import Engine, definition, passed, release_function
from gradir.native.function import NativeFunction
from gradir.native.state import with_shared
from gradir.native.versions import target_and_versions, with_versions
from gradir.request import Activity, Mode, Request, operand_slots, result_slots

__all__ = ["SUFFIXES", "Export", "export", "prototype_of", "request_of", "save"]

SUFFIXES = (".ll", ".bc", ".s", ".o", ".so", ".dylib", ".dll", ".h")


@dataclass(frozen=True)
class Export:
    """A function of a library: its module as text, its name, and how C declares it."""

    text: str
    name: str
    prototype: str


def export(derivative: Derivative, name: str | None = None, *, noalias: bool = False, width: int = 1) -> Export:
    """The code of a derivative as a C function of its own, in `width` directions at once."""
    from gradir.machine.transform.derive import Layout, Options

    function = derivative.function
    request = replace(request_of(derivative), width=width)
    if width != 1:
        _check_width(derivative, request)
    layout = Layout.separate if width == 1 else Layout.interleaved
    options = Options(noalias=noalias, fast=derivative.fast, policy=derivative.policy, layout=layout)
    if (said := name or derivative.export_name) and not re.fullmatch(r"[A-Za-z_]\w*", said, re.ASCII):
        raise OutputError(f"{said!r} is no name of a C function", hint="use letters, digits and _")
    text, symbol = function._engine.derived(function.signature.symbol, [request], options)
    name = name or derivative.name
    _check_name(name, text)
    release = release_function(text, f"{name}_release_memory")
    prototypes = [_prototype(function, request, name, _is_seeded(derivative), noalias)]
    prototypes += [f"void {name}_release_memory(void);"] if release else []
    wrapper = _wrapper(request, text, symbol, name, _is_seeded(derivative))
    return Export(text + wrapper + release, name, "\n".join(prototypes))


def _check_name(name: str, text: str) -> None:
    """Refuse a name that the derivative's own program has."""
    found = read(text).functions.get(name)
    if found is not None and not found.is_declaration:
        raise _taken(name)


def _taken(name: str) -> OutputError:
    hint = "give the derivative another name: derivative.export_name, or --name"
    return OutputError(f"there is a function {name} already", hint=hint)


def _check_width(derivative: Derivative, request: Request) -> None:
    """Refuse several directions of what is no memory, and of kinds that have one."""
    if request.width < 1:
        raise OutputError(f"{request.width} directions are none", hint="name one, or more")
    if not isinstance(derivative, (Jvp, Vjp)):
        raise OutputError(f"a {derivative.kind} has one direction", hint="save the vjp or the jvp")
    function = derivative.function
    numbers = [function.arguments[i].name for i in derivative.wrt if not function.roles[i].is_memory]
    numbers += ["what it returns"] * any(a is not Activity.const for a in request.ret_activity)
    if numbers:
        hint = "pass it by a pointer, or save one direction"
        raise OutputError(f"{function.name}: {numbers[0]} is no memory that could have several directions", hint=hint)


def prototype_of(derivative: Derivative) -> str:
    """How C declares a derivative."""
    return _prototype(derivative.function, request_of(derivative), derivative.name, _is_seeded(derivative))


def _is_seeded(derivative: Derivative) -> bool:
    """Whether the cotangent of what the function returns is 1, and no argument."""
    result = derivative.function.signature.result
    return isinstance(derivative, (Grad, Jacobian)) and isinstance(result, Scalar) and result.kind == "f"


def request_of(derivative: Derivative) -> Request:
    """What a derivative asks for, with all memory that the function writes floats into differentiated through."""
    function = derivative.function
    ret: Activity | None
    if isinstance(derivative, Jvp):
        mode = Mode.forward
        ret = Activity.dup if function.returns_float else Activity.const
    elif isinstance(derivative, (Grad, Vjp)) or _is_gradient(derivative):
        mode = Mode.reverse
        keep = isinstance(derivative, Vjp) or (isinstance(derivative, Grad) and derivative.value)
        ret = _returned(function, keep, derivative.outputs is None or isinstance(derivative, Vjp))
    else:
        raise OutputError(
            f"a {derivative.kind} of native code takes a call for each number that it is by: it is no one function",
            hint="write the vjp or the jvp (--mode reverse or forward), or call it from Python: "
            f"gradir.load(…).{derivative.kind}('{function.name}')",
        )
    activity: list[Activity] = []
    for i, argument in enumerate(function.signature.arguments):
        role = function.roles[i] if i < len(function.arguments) else None
        first = Activity.const
        if role is not None and role.is_memory:
            first = Activity.dup if i in derivative.wrt or role.is_output else Activity.const
        elif i in derivative.wrt:
            first = Activity.dup if mode is Mode.forward else Activity.active
        activity += [first, *[Activity.const] * (parameter_count(argument) - 1)]
    results = () if ret is None or function.signature.result_type == "void" else (ret,)
    return Request(function.signature.symbol, mode, tuple(activity), results)


def _is_gradient(derivative: Derivative) -> bool:
    """Whether it is the Jacobian of a function that returns one number and writes none."""
    function = derivative.function
    is_one = function.returns_float and derivative.outputs is None and not function.written
    return type(derivative) is Jacobian and is_one


def _wrapper(request: Request, text: str, symbol: str, name: str, seeded: bool) -> str:
    """A function around a derivative that gives back through memory all but the primal result.

    If it is `seeded`, the cotangent of what the function returns is 1, and no argument.
    """
    given, result = definition(read(text), symbol)
    slots = list(operand_slots(request.mode, request.activity, request.ret_activity))
    own, arguments = [], []
    for k, ((where, index, part), parameter) in enumerate(zip(slots, given, strict=True)):
        if seeded and where == "result":
            arguments.append(f"{passed(parameter)} {_one(passed(parameter))}")
            continue
        own.append(f"{passed(parameter)} %a{k}")
        arguments.append(f"{passed(parameter)} %a{k}")
        if where == "arg" and part == "primal" and request.activity[index] is Activity.active:
            own.append(f"ptr %g{index}")
    gives = list(result_slots(request.mode, request.activity, request.ret_activity))
    # Not inlined: the derivative is optimised as it stands, with all that is known of its parameters.
    lines = [f'  {"" if result == "void" else "%r = "}call {result} @"{symbol}"({", ".join(arguments)}) noinline']
    returned = "ret void"
    for k, (where, index, part) in enumerate(gives):
        value, type_ = "%r", result
        if len(gives) > 1:
            value, type_ = f"%r{k}", _element(result, k)
            lines.append(f"  {value} = extractvalue {result} %r, {k}")
        if where == "result" and part == "primal":
            returned = f"ret {type_} {value}"
            continue
        place = f"%g{index}" if where == "arg" else "%tangent"
        if where == "result":
            own.append("ptr %tangent")
        lines.append(f"  store {type_} {value}, ptr {place}")
    kind = returned.split(" ")[1]
    body = "\n".join([*lines, f"  {returned}"])
    return f'\ndefine {kind} @"{name}"({", ".join(own)}) {{\n{body}\n}}\n'


def _one(type_: str) -> str:
    """The number 1 of a float's type, as LLVM writes it."""
    return {"x86_fp80": "0xK3FFF8000000000000000", "fp128": "0xL00000000000000003FFF000000000000"}.get(
        type_.split()[0], "1.0"
    )


def _element(struct_text: str, k: int) -> str:
    return struct_text.strip("{} ").split(", ")[k]


# -- C ---------------------------------------------------------------------------------------------------------------


def _prototype(function: NativeFunction, request: Request, name: str, seeded: bool, restrict: bool = False) -> str:
    given = []
    at = 0
    for i, argument in enumerate(function.signature.arguments):
        label = re.sub(r"\W", "_", argument.name)
        activity = request.activity[at]
        writes = i >= len(function.roles) or function.roles[i].writes
        base = _c_argument(argument.type, label, argument.by_reference, not writes)
        if activity.has_shadow and (isinstance(argument.type, View) or argument.pointee is not None):
            first, *rest = base.split(", ")
            given += [
                first,
                _c_argument(argument.type, f"d_{label}", argument.by_reference, False).split(", ")[0],
                *rest,
            ]
        elif activity.has_shadow:
            given += [base, f"{_c_type(argument.type)} d_{label}"]
        elif activity is Activity.active:
            given += [base, f"{_c_type(argument.type)} *d_{label}"]
        else:
            given.append(base)
        at += parameter_count(argument)
    result = function.signature.result
    ret = request.ret_activity[0] if request.ret_activity else None
    if ret is not None and request.mode is Mode.reverse and ret.has_cotangent and not seeded:
        given.append(f"{_c_type(result)} d_result")
    elif ret is not None and ret.has_shadow:
        given.append(f"{_c_type(result)} *d_result")
    keeps = ret is not None and ret.keeps_primal
    if restrict:
        given = [argument.replace(" *", " *__restrict ") for argument in given]
    return f"{_c_type(result) if keeps else 'void'} {name}({', '.join(given) or 'void'});"


def prototype(function: NativeFunction) -> str:
    """How C declares a function itself."""
    given = [
        _c_argument(a.type, re.sub(r"\W", "_", a.name), a.by_reference, i < len(function.roles) and not role.writes)
        for i, (a, role) in enumerate(zip(function.signature.arguments, function.roles, strict=False))
    ]
    result = "void" if function.signature.result is None else _c_type(function.signature.result)
    return f"{result} {function.signature.symbol}({', '.join(given) or 'void'});"


_C_FLOATS = {("f", 32): "float", ("f", 64): "double", ("f", 128): "long double"}
_C_FLOATS |= {("c", 64): "float _Complex", ("c", 128): "double _Complex"}


def _c_type(type_: Type | None) -> str:
    match type_:
        case Scalar(kind="b"):
            return "_Bool"
        case Scalar(kind=kind, bits=bits) if kind in "fc":
            return _C_FLOATS.get((kind, bits), "void")
        case Scalar(kind=kind, bits=bits):
            return f"{'u' if kind == 'u' else ''}int{bits}_t"
        case Pointer(target):
            return f"{_c_type(target)} *"
        case Array(element) | View(element) | Descriptor(element):
            return _c_type(element)
        case Struct(name=name) if name:
            return f"struct {name}"
    return "void"


def _c_argument(type_: Type, name: str, by_reference: bool, is_const: bool) -> str:
    const = "const " if is_const else ""
    if isinstance(type_, View):
        extents = [f"int64_t {name}_shape{i}" for i in range(type_.rank)]
        strides = [f"int64_t {name}_stride{i}" for i in range(type_.rank)] if type_.order == "A" else []
        return ", ".join([f"{const}{_c_type(type_)} *{name}", *extents, *strides])
    if isinstance(type_, Descriptor):
        return f"{const}void *{name}"
    if isinstance(type_, Pointer):
        return f"{const}{_c_type(type_.target)} *{name}"
    return f"{const}{_c_type(type_)} *{name}" if by_reference else f"{_c_type(type_)} {name}"


def header(prototypes: Sequence[str], stem: str) -> str:
    """A C header with some functions."""
    guard = re.sub(r"\W", "_", stem.upper()) + "_H"
    structs = sorted(set(re.findall(r"struct \w+", " ".join(prototypes))))
    return "\n".join(
        [
            "/* Written by gradir. A parameter d_x is the shadow of x: gradients are added to it (zero it first), and",
            "   that of memory which is written is the cotangent of what was written, and is zero afterwards. What a",
            "   derivative keeps for its next call is given back by its _release_memory. */",
            f"#ifndef {guard}",
            f"#define {guard}",
            "#include <stdint.h>",
            "#ifdef __cplusplus",
            'extern "C" {',
            "#endif",
            *(f"{s};" for s in structs),
            *prototypes,
            "#ifdef __cplusplus",
            "}",
            "#endif",
            "#endif",
            "",
        ]
    )


# -- Files -----------------------------------------------------------------------------------------------------------


def save(
    engine: Engine,
    path: str | os.PathLike[str],
    functions: Sequence[NativeFunction],
    derivatives: Sequence[Export],
    *,
    triple: str = "",
    cpu: str = "",
    level: int = 3,
) -> None:
    """Write functions and derivatives of a module into one file, in a form chosen by the suffix.

    A header is written beside an object or a shared library.
    """
    suffix = Path(path).suffix
    _check_names(functions, derivatives)
    if suffix not in SUFFIXES:
        raise OutputError(f"no format for the suffix '{suffix}'", location=str(path), hint=f"use {', '.join(SUFFIXES)}")
    text = header([*map(prototype, functions), *(d.prototype for d in derivatives)], Path(path).stem).encode()
    if suffix == ".h":
        write_file(path, text)
        return
    write_file(path, content(engine, suffix, functions, derivatives, triple=triple, cpu=cpu, level=level))
    if suffix in (".o", ".so", ".dylib", ".dll"):
        write_file(Path(path).with_suffix(".h"), text)


def _check_names(functions: Sequence[NativeFunction], derivatives: Sequence[Export]) -> None:
    names = [d.name for d in derivatives]
    for name in names:
        if any(name == f.signature.symbol for f in functions):
            raise _taken(name)
        if names.count(name) > 1:
            hint = "give each a name of its own: derivative.export_name, or --name"
            raise OutputError(f"two derivatives are called {name}", hint=hint)


def content(
    engine: Engine,
    suffix: str,
    functions: Sequence[NativeFunction],
    derivatives: Sequence[Export],
    *,
    triple: str = "",
    cpu: str = "",
    level: int = 3,
) -> bytes:
    """What a file of a suffix would hold."""
    _check_names(functions, derivatives)
    target, cpus = target_and_versions(triple, cpu)
    module = _linked(engine, functions, derivatives)
    if cpus:
        module = with_versions(module, _names(module, functions, derivatives), cpus)
    module = llvm.optimise(module, target=target, level=level)
    match suffix:
        case ".ll":
            return portable(str(module)).encode()
        case ".bc":
            return llvm.bitcode(module)
        case ".s":
            return llvm.emit_assembly(module, target=target).encode()
    compiled = llvm.emit_object(module, target=target)
    return compiled if suffix == ".o" else _shared_library(compiled, suffix)


def _names(module: llvm.Module, functions: Sequence[NativeFunction], derivatives: Sequence[Export]) -> list[str]:
    """What others can call in a linked module."""
    names = [f.signature.symbol for f in functions]
    names += [name for d in derivatives for name in (d.name, f"{d.name}_release_memory")]
    return [name for name in names if name in llvm.defined_functions(module)]


def _linked(engine: Engine, functions: Sequence[NativeFunction], derivatives: Sequence[Export]) -> llvm.Module:
    parts = []
    shared = sorted(engine.state.names)
    if functions or shared:
        module = llvm.parse(with_internal_registrations(engine.text))
        parts.append(llvm.prepare(module, [*(f.signature.symbol for f in functions), *shared]))
    for derivative in derivatives:
        module = llvm.parse(with_shared(derivative.text, shared) if shared else derivative.text, derivative.name)
        llvm.internalise(module, [derivative.name, f"{derivative.name}_release_memory"])
        parts.append(module)
    linked = llvm.link(parts)
    llvm.hide(linked, shared)
    return linked


def _shared_library(content: bytes, suffix: str) -> bytes:
    linkers = [[found] for name in ("cc", "gcc", "clang", "clang-19") if (found := find([name]))]
    if find_spec("ziglang") is not None:
        linkers.append([sys.executable, "-m", "ziglang", "cc"])
    if not linkers:
        raise BackendError("there is no linker", hint="install gcc or clang, or pip install 'gradir[c]'")
    with tempfile.TemporaryDirectory(prefix="gradir-") as folder:
        source, target = Path(folder) / "code.o", Path(folder) / f"library{suffix}"
        source.write_bytes(content)
        message = ""
        for linker in linkers:
            command = [*linker, "-shared", "-o", str(target), str(source), "-lm"]
            run = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
            if run.returncode == 0 and target.is_file():
                return target.read_bytes()
            message = message or run.stderr.strip()
    raise BackendError(f"the library can't be linked:\n{message}")
