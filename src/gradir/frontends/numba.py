"""Numba: a function compiled by `njit`, for one signature.

Numba's own code takes its arrays in pieces, counts references to memory, and gives a status besides its result. What
comes out of here is a plain function around it: addresses, extents, numbers, and a place for the status at the end.
"""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import CellType, FunctionType
from typing import Any

from gradir.errors import InputError, MissingExtra
from gradir.machine import llvm
from gradir.machine.ir import PTR, Module, Variable
from gradir.machine.ir.graphs import reachable
from gradir.machine.ir.text.reader import read
from gradir.machine.jit.signature import Argument, Parameter, Pointer, Scalar, Signature, View, parameters
from gradir.machine.rules.numpy_routines import numpy_function

__all__ = ["STATUS", "is_dispatcher", "to_llvm", "types_of"]

STATUS = "gradir.status"
"""The last argument: where a number is put that is not zero if Numba's function raised an exception."""


def is_dispatcher(value: Any) -> bool:
    """Whether a value is a function that Numba compiles."""
    return hasattr(value, "py_func") and hasattr(value, "overloads") and hasattr(value, "targetoptions")


def types_of(inputs: Any) -> tuple[Any, ...]:
    """Numba's types of some arguments: of a tuple or list of them, or of one."""
    from numba import typeof

    try:
        return tuple(typeof(x) for x in (inputs if isinstance(inputs, (tuple, list)) else [inputs]))
    except ValueError as error:
        raise InputError(f"Numba has no type for an example input: {error}") from None


def to_llvm(dispatcher: Any, signature: Any = None) -> tuple[llvm.Module, Signature]:
    """The code of an `njit` function for some argument types, and how to call it.

    The signature is Numba's (a string, a tuple of types, `float64(float64[::1])`); without one, the function must have
    been compiled for just one already.
    """
    if find_spec("numba") is None:
        raise MissingExtra("numba", "numba")
    types = _argument_types(dispatcher, signature)
    text, symbol, result = _compile(dispatcher, types)
    name = dispatcher.py_func.__name__
    entry, described = _entry(text, symbol, name, dispatcher, types, result)
    return llvm.parse(_alone(text, symbol, dispatcher) + entry, name), described


def _argument_types(dispatcher: Any, signature: Any) -> tuple[Any, ...]:
    from numba.core import sigutils

    if signature is not None:
        try:
            return tuple(sigutils.normalize_signature(signature)[0])
        except Exception as error:  # Numba raises whatever evaluating the text of a signature raises
            raise InputError(f"not a Numba signature: {signature!r} ({error})") from None
    known = list(dispatcher.overloads)
    if len(known) != 1:
        raise InputError(
            f"{dispatcher.py_func.__name__}: for which argument types?",
            hint="give a Numba signature, such as gradir.load(f, signature='float64(float64[::1])'), or examples: "
            "gradir.load(f, (x, y))",
        )
    return tuple(known[0])


# -- Numba's code, before Numba optimises it -------------------------------------------------------------------------

_patching = threading.Lock()
_UNRESOLVED = ".numba.unresolved$"
"""Before the name of a function: the variable that Numba puts its address into, once it is compiled."""


def _compile(dispatcher: Any, types: tuple[Any, ...]) -> tuple[str, str, Any]:
    from numba.core.errors import NumbaError

    fresh = _fresh(dispatcher)
    try:
        with _patching, _unoptimised_kept() as compiled:
            fresh.compile(types)
    except NumbaError as error:
        said = re.sub(r"\x1b\[[\d;]*m", "", str(error))  # without what makes letters bold at a terminal
        raise InputError(f"Numba can't compile it: {said}", location=_location(dispatcher)) from None
    result = fresh.overloads[types]
    return _linked(result.library, compiled), result.fndesc.llvm_func_name, result.fndesc.restype


def _fresh(dispatcher: Any) -> Any:
    """A copy that has compiled nothing yet. If functions call each other in circles, all that it calls are copied."""
    calls = {dispatcher: _named(dispatcher.py_func)}
    waiting = [dispatcher]
    while waiting:
        for other in calls[waiting.pop()].values():
            if other not in calls:
                calls[other] = _named(other.py_func)
                waiting.append(other)
    graph = {one: set(named.values()) for one, named in calls.items()}
    if not any(one in reachable(graph, *graph[one]) for one in graph):
        return _copy(dispatcher, dispatcher.py_func)
    copies = {one: _copy(one, _apart(one.py_func)) for one in calls}
    for one, named in calls.items():
        function = copies[one].py_func
        for name, other in named.items():
            if name in function.__code__.co_freevars:
                function.__closure__[function.__code__.co_freevars.index(name)].cell_contents = copies[other]
            else:
                function.__globals__[name] = copies[other]
    return copies[dispatcher]


def _copy(dispatcher: Any, function: Any) -> Any:
    import numba

    return numba.jit(**{k: v for k, v in dispatcher.targetoptions.items() if k not in ("parallel", "cache")})(function)


def _named(function: Any) -> dict[str, Any]:
    """The functions for Numba that a function calls, by the names it has for them."""
    known = inspect.getclosurevars(function)
    return {name: value for name, value in {**known.globals, **known.nonlocals}.items() if is_dispatcher(value)}


def _apart(function: Any) -> Any:
    """A copy of a function with variables of its own around it."""
    cells = tuple(CellType(cell.cell_contents) for cell in function.__closure__ or ())
    made = FunctionType(
        function.__code__, dict(function.__globals__), function.__name__, function.__defaults__, cells or None
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return made


def _linked(library: Any, compiled: Sequence[Any]) -> str:
    """A library's code, with that of functions in a circle, which Numba finds by their names at run time."""
    module = library._gradir_unoptimised
    while True:
        wanted = {g.name.removeprefix(_UNRESOLVED) for g in module.global_variables if g.name.startswith(_UNRESOLVED)}
        wanted -= _defined(module)
        found = next((l._shared_module for l in compiled if wanted & _defined(l._shared_module)), None)
        if found is None:
            return str(module)
        other = found.clone()
        for function in other.functions:
            if function.name in wanted:  # nothing calls it by its name, and a linker leaves such out
                function.linkage = "external"
        module.link_in(other)


def _defined(module: Any) -> set[str]:
    return {f.name for f in module.functions if not f.is_declaration}


@contextmanager
def _unoptimised_kept() -> Iterator[list[Any]]:
    """While it lasts, libraries that Numba compiles also keep their code as it was before optimisation: these.

    What links to them gets that code too. The code that runs is optimised as ever.
    """
    from numba.core import codegen

    library = codegen.CPUCodeLibrary
    optimise, optimise_functions = library._optimize_final_module, library._optimize_functions
    compiled: list[Any] = []

    def keep(self: Any) -> None:
        self._gradir_unoptimised = self._final_module.clone()
        shared = self._final_module.clone()
        for function in shared.functions:
            if not function.is_declaration and function.linkage.name == "external":
                function.linkage = "linkonce_odr"
        self._shared_module = shared
        compiled.append(self)
        optimise(self)

    library._optimize_final_module = keep
    library._optimize_functions = lambda self, module: None
    try:
        yield compiled
    finally:
        library._optimize_final_module, library._optimize_functions = optimise, optimise_functions


# -- Memory without Numba's runtime ----------------------------------------------------------------------------------

# Memory is described by a block of its own, so that LLVM sees that no store into the memory can change it, and removes
# the counting. The block is laid out as Numba's, since code that Numba has compiled before knows where its address is.
_MEMORY = """
declare ptr @malloc(i64)
declare ptr @realloc(ptr, i64)
declare void @free(ptr)

define internal ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) alwaysinline {
  %info = call ptr @malloc(i64 48)
  %data = call ptr @malloc(i64 %size)
  store i64 1, ptr %info
  %destructor = getelementptr inbounds i8, ptr %info, i64 8
  store ptr null, ptr %destructor
  %place = getelementptr inbounds i8, ptr %info, i64 24
  store ptr %data, ptr %place
  %extent = getelementptr inbounds i8, ptr %info, i64 32
  store i64 %size, ptr %extent
  ret ptr %info
}
define internal ptr @NRT_MemInfo_alloc_safe_aligned(i64 %size, i32 %align) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align)
  ret ptr %info
}
define internal ptr @NRT_MemInfo_alloc(i64 %size) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}
define internal ptr @NRT_MemInfo_alloc_safe(i64 %size) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}
define internal ptr @NRT_MemInfo_new_varsize_dtor(i64 %size, ptr %destructor) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}
define internal ptr @NRT_MemInfo_new_varsize(i64 %size) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  ret ptr %info
}
define internal ptr @NRT_MemInfo_varsize_alloc(ptr %info, i64 %size) alwaysinline {
  %data = call ptr @malloc(i64 %size)
  %place = getelementptr inbounds i8, ptr %info, i64 24
  store ptr %data, ptr %place
  ret ptr %data
}
define internal ptr @NRT_MemInfo_varsize_realloc(ptr %info, i64 %size) alwaysinline {
  %place = getelementptr inbounds i8, ptr %info, i64 24
  %old = load ptr, ptr %place
  %data = call ptr @realloc(ptr %old, i64 %size)
  store ptr %data, ptr %place
  ret ptr %data
}
define internal void @NRT_MemInfo_varsize_free(ptr %info, ptr %data) alwaysinline {
  call void @free(ptr %data)
  ret void
}
define internal ptr @NRT_MemInfo_data_fast(ptr %info) alwaysinline {
  %place = getelementptr inbounds i8, ptr %info, i64 24
  %data = load ptr, ptr %place
  ret ptr %data
}
define internal void @NRT_incref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = add i64 %old, 1
  store i64 %new, ptr %info
  br label %done
done:
  ret void
}
define internal void @NRT_decref(ptr %info) alwaysinline {
  %none = icmp eq ptr %info, null
  br i1 %none, label %done, label %count
count:
  %old = load i64, ptr %info
  %new = sub i64 %old, 1
  store i64 %new, ptr %info
  %last = icmp eq i64 %new, 0
  br i1 %last, label %release, label %done
release:
  call void @NRT_MemInfo_call_dtor(ptr %info)
  br label %done
done:
  ret void
}
define internal ptr @NRT_Allocate(i64 %size) alwaysinline {
  %data = call ptr @malloc(i64 %size)
  ret ptr %data
}
define internal void @NRT_Free(ptr %data) alwaysinline {
  call void @free(ptr %data)
  ret void
}
"""

_RELEASE = """
define internal void @NRT_MemInfo_call_dtor(ptr %info) alwaysinline {
  %place = getelementptr inbounds i8, ptr %info, i64 24
  %data = load ptr, ptr %place
  call void @free(ptr %data)
  call void @free(ptr %info)
  ret void
}
"""

# A `numba.typed.List` is a block that holds the address of a description: how many items there are, of how many bytes,
# for how many there is room, and where they lie. Numba's code knows the description by these functions alone. What the
# block is marked as is where Numba has the address of a destructor. Items that are counted themselves, as arrays are,
# would have to be counted here, too: nobody defines what that takes.
_LISTS = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @numba_typed_lists_of_arrays()

define internal ptr @NRT_MemInfo_alloc_dtor(i64 %size, ptr %destructor) alwaysinline {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 16)
  %mark = getelementptr inbounds i8, ptr %info, i64 8
  store ptr %info, ptr %mark
  ret ptr %info
}
define internal void @NRT_MemInfo_call_dtor(ptr %info) alwaysinline {
  %place = getelementptr inbounds i8, ptr %info, i64 24
  %data = load ptr, ptr %place
  %mark = getelementptr inbounds i8, ptr %info, i64 8
  %marked = load ptr, ptr %mark
  %plain = icmp eq ptr %marked, null
  br i1 %plain, label %release, label %list
list:
  %described = load ptr, ptr %data
  call void @numba_list_free(ptr %described)
  br label %release
release:
  call void @free(ptr %data)
  call void @free(ptr %info)
  ret void
}
define internal i32 @numba_list_new(ptr %place, i64 %bytes, i64 %room) alwaysinline {
  %list = call ptr @malloc(i64 32)
  store i64 0, ptr %list
  %bytes.at = getelementptr inbounds i8, ptr %list, i64 8
  store i64 %bytes, ptr %bytes.at
  %few = icmp slt i64 %room, 4
  %first = select i1 %few, i64 4, i64 %room
  %room.at = getelementptr inbounds i8, ptr %list, i64 16
  store i64 %first, ptr %room.at
  %size = mul i64 %first, %bytes
  %items = call ptr @malloc(i64 %size)
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  store ptr %items, ptr %items.at
  store ptr %list, ptr %place
  ret i32 0
}
define internal void @numba_list_set_method_table(ptr %list, ptr %methods) alwaysinline {
  %count = load ptr, ptr %methods
  %plain = icmp eq ptr %count, null
  br i1 %plain, label %done, label %counted
counted:
  call void @numba_typed_lists_of_arrays()
  br label %done
done:
  ret void
}
define internal void @numba_list_free(ptr %list) alwaysinline {
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  %items = load ptr, ptr %items.at
  call void @free(ptr %items)
  call void @free(ptr %list)
  ret void
}
define internal i64 @numba_list_length(ptr %list) alwaysinline {
  %size = load i64, ptr %list
  ret i64 %size
}
define internal ptr @numba_list_size_address(ptr %list) alwaysinline {
  ret ptr %list
}
define internal ptr @numba_list_base_ptr(ptr %list) alwaysinline {
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  %items = load ptr, ptr %items.at
  ret ptr %items
}
define internal i32 @numba_list_is_mutable(ptr %list) alwaysinline {
  ret i32 1
}
define internal i32 @numba_list_append(ptr %list, ptr %item) alwaysinline {
  %size = load i64, ptr %list
  %bytes.at = getelementptr inbounds i8, ptr %list, i64 8
  %bytes = load i64, ptr %bytes.at
  %room.at = getelementptr inbounds i8, ptr %list, i64 16
  %room = load i64, ptr %room.at
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  %full = icmp eq i64 %size, %room
  br i1 %full, label %grow, label %add
grow:
  %more = mul i64 %room, 2
  store i64 %more, ptr %room.at
  %old = load ptr, ptr %items.at
  %all = mul i64 %more, %bytes
  %new = call ptr @realloc(ptr %old, i64 %all)
  store ptr %new, ptr %items.at
  br label %add
add:
  %items = load ptr, ptr %items.at
  %offset = mul i64 %size, %bytes
  %at = getelementptr inbounds i8, ptr %items, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %item, i64 %bytes, i1 false)
  %longer = add i64 %size, 1
  store i64 %longer, ptr %list
  ret i32 0
}
define internal i32 @numba_list_setitem(ptr %list, i64 %index, ptr %item) alwaysinline {
  %size = load i64, ptr %list
  %there = icmp ult i64 %index, %size
  br i1 %there, label %set, label %wrong
set:
  %bytes.at = getelementptr inbounds i8, ptr %list, i64 8
  %bytes = load i64, ptr %bytes.at
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  %items = load ptr, ptr %items.at
  %offset = mul i64 %index, %bytes
  %at = getelementptr inbounds i8, ptr %items, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %at, ptr %item, i64 %bytes, i1 false)
  ret i32 0
wrong:
  ret i32 -1
}
define internal i32 @numba_list_delitem(ptr %list, i64 %index) alwaysinline {
  %size = load i64, ptr %list
  %there = icmp ult i64 %index, %size
  br i1 %there, label %close, label %wrong
close:
  %bytes.at = getelementptr inbounds i8, ptr %list, i64 8
  %bytes = load i64, ptr %bytes.at
  %items.at = getelementptr inbounds i8, ptr %list, i64 24
  %items = load ptr, ptr %items.at
  %offset = mul i64 %index, %bytes
  %at = getelementptr inbounds i8, ptr %items, i64 %offset
  %next = getelementptr inbounds i8, ptr %at, i64 %bytes
  %shorter = sub i64 %size, 1
  %behind = sub i64 %shorter, %index
  %rest = mul i64 %behind, %bytes
  call void @llvm.memmove.p0.p0.i64(ptr %at, ptr %next, i64 %rest, i1 false)
  store i64 %shorter, ptr %list
  ret i32 0
wrong:
  ret i32 -1
}
"""


def _alone(text: str, symbol: str, dispatcher: Any) -> str:
    """The module without what Numba brings at run time: its memory functions are ones on `malloc` and `free`, and what
    calls itself finds its own address."""
    module = read(text)
    memory = _MEMORY + (_LISTS if "NRT_MemInfo_alloc_dtor" in module.functions else _RELEASE)
    for name in list(module.functions):
        # What Python would call is left out: it needs Python.
        if name.startswith(("_ZN7cpython", "cfunc.")) or name in _functions_of(memory):
            module.remove(name)
    _refuse_runtime(module, symbol, _functions_of(memory), dispatcher)
    for variable in module.variables:
        function = module.functions.get(variable.name.removeprefix(_UNRESOLVED))
        if variable.name.startswith(_UNRESOLVED) and function is not None:
            variable.parts = Variable(["internal"], "constant", PTR, function.ref)
    return f"{module}{memory}"


def _refuse_runtime(module: Module, symbol: str, known: frozenset[str], dispatcher: Any) -> None:
    """Refuse what would call Numba's own functions for lists and dictionaries, which know other memory than this."""
    calls = {f.name: [n for n in f.mentioned if n in module.functions] for f in module.functions.values()}
    for name in reachable(calls, symbol):
        if name not in known and name.startswith(("numba_list_", "numba_dict_")) and (written := numpy_function(name)):
            what, instead = written
            raise InputError(
                f"{dispatcher.py_func.__name__}: {what} needs Numba's own run-time library",
                location=_location(dispatcher),
                hint=instead,
            )


@cache
def _functions_of(memory: str) -> frozenset[str]:
    return frozenset(read(memory).functions)


# -- The plain function ----------------------------------------------------------------------------------------------


def _entry(
    text: str, symbol: str, name: str, dispatcher: Any, types: Sequence[Any], result: Any
) -> tuple[str, Signature]:
    line = next(line for line in text.split("\n") if line.startswith("define ") and f"@{symbol}(" in line)
    expected = list(parameters(line)[1])[2:]  # after the places of the result and of the exception
    names = dispatcher.py_func.__code__.co_varnames[: len(types)]
    body: list[str] = []
    passed: list[str] = []
    own: list[Parameter] = []
    arguments: list[Argument] = []
    for argument, type_ in zip(names, types, strict=True):
        kind = _type(type_, argument, name)
        arguments.append(Argument(argument, kind))
        if isinstance(kind, View):
            own += _view(argument, kind, body, passed)
        else:
            llvm_type = expected[len(passed)].type
            own.append(Parameter(llvm_type, argument))
            passed.append(f"{llvm_type} %{argument}")
    if len(passed) != len(expected):
        raise InputError(
            f"{name}: Numba passes its arguments in a way that isn't known", location=_location(dispatcher)
        )
    own.append(Parameter("ptr", STATUS))
    arguments.append(Argument(STATUS, Pointer(Scalar("i", 32, "int32"))))
    returned, result_text = _result(result, text, symbol, name)
    described = Signature(name, name, tuple(arguments), returned, tuple(own), result_text, _location(dispatcher))
    given = ", ".join(f"{p.type} %{p.name}" for p in own)
    lines = [
        f'define {result_text} @"{name}"({given}) {{',
        f"  %gradir.result = alloca {'ptr' if returned is None else result_text}",
        "  %gradir.exception = alloca ptr",
        *([] if returned is None else [f"  store {result_text} {_zero(result_text)}, ptr %gradir.result"]),
        *body,
        f"  %gradir.code = call i32 @{symbol}(ptr %gradir.result, ptr %gradir.exception, {', '.join(passed)})",
        "  %gradir.none = icmp eq i32 %gradir.code, -2",
        "  %gradir.failed = select i1 %gradir.none, i32 0, i32 %gradir.code",
        f"  store i32 %gradir.failed, ptr %{STATUS}",
        *([] if returned is None else [f"  %gradir.value = load {result_text}, ptr %gradir.result"]),
        "  ret void" if returned is None else f"  ret {result_text} %gradir.value",
        "}",
    ]
    return "\n".join(lines) + "\n", described


def _view(name: str, kind: View, body: list[str], passed: list[str]) -> list[Parameter]:
    """The parameters that an array comes in, and the pieces that Numba wants of it."""
    size = kind.element.bits // 8
    shape = [f"%{name}.shape{i}" for i in range(kind.rank)]
    own = [Parameter("ptr", name), *(Parameter("i64", s[1:]) for s in shape)]
    strides = [f"%{name}.stride{i}" for i in range(kind.rank)]
    count = str(1)
    for i, extent in enumerate(shape):
        body.append(f"  %{name}.count{i} = mul nsw i64 {count}, {extent}")
        count = f"%{name}.count{i}"
    if kind.order == "A":
        own += [Parameter("i64", s[1:]) for s in strides]
    else:
        step = str(size)
        order = range(kind.rank) if kind.order == "F" else range(kind.rank - 1, -1, -1)
        for i in order:
            body.append(f"  {strides[i]} = add i64 {step}, 0")
            body.append(f"  %{name}.step{i} = mul nsw i64 {strides[i]}, {shape[i]}")
            step = f"%{name}.step{i}"
    passed += ["ptr null", "ptr null", f"i64 {count}", f"i64 {size}", f"ptr %{name}"]
    passed += [f"i64 {s}" for s in shape] + [f"i64 {s}" for s in strides]
    return own


def _type(type_: Any, argument: str, function: str) -> Scalar | View:
    from numba.core import types

    if isinstance(type_, types.Array):
        element = _scalar(type_.dtype)
        if element is not None:
            return View(element, type_.ndim, type_.layout)
    scalar = _scalar(type_)
    if scalar is None:
        raise InputError(
            f"{function}: the argument '{argument}' is a {type_}",
            hint="numbers and NumPy arrays of numbers can be passed",
        )
    return scalar


def _scalar(type_: Any) -> Scalar | None:
    types: Any = import_module("numba.core.types")

    if isinstance(type_, types.Boolean):
        return Scalar("b", 8, "bool")
    if isinstance(type_, types.Integer):
        return Scalar("i" if type_.signed else "u", type_.bitwidth, type_.name)
    if isinstance(type_, (types.Float, types.Complex)):
        return Scalar("f" if isinstance(type_, types.Float) else "c", type_.bitwidth, type_.name)
    return None


def _result(result: Any, text: str, symbol: str, name: str) -> tuple[Scalar | None, str]:
    types: Any = import_module("numba.core.types")
    if isinstance(result, types.NoneType):
        return None, "void"
    scalar = _scalar(result)
    if scalar is None or scalar.kind == "c":
        raise InputError(
            f"{name}: its result is a {result}",
            hint="a function to be differentiated gives a number, or nothing and writes into an array it is given",
        )
    if scalar.kind == "f":
        return scalar, {16: "half", 32: "float", 64: "double"}[scalar.bits]
    return scalar, f"i{scalar.bits}"


def _zero(type_: str) -> str:
    return "0" if type_.startswith("i") else "0.0"


def _location(dispatcher: Any) -> str:
    code = dispatcher.py_func.__code__
    return f"{code.co_filename}:{code.co_firstlineno}"
