"""Compile LLVM IR and call it from this process.

Every function that is called gets a wrapper `void wrapper(ptr frame)` that takes its arguments from memory and puts the
result there, so that a call costs one packing and one jump. Compiled objects are kept on disk by content.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import itertools
import json
import os
import struct
import sys
import tempfile
import threading
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
from llvmlite import binding

from gradir.errors import BackendError, InputError
from gradir.machine import llvm
from gradir.machine.ir import Type
from gradir.machine.ir.text.typetext import read_type
from gradir.machine.jit.elf import undefined_symbols
from gradir.machine.jit.standins import stand_in
from gradir.machine.jit.startup import STARTUP, with_startup
from gradir.machine.jit.thread_locals import with_thread_locals
from gradir.machine.jit.thrown import REPORT_SIZE, Guard, guard_for, native_exception
from gradir.version import __version__

__all__ = [
    "MANY",
    "MANY_TEXT",
    "Call",
    "Entry",
    "Library",
    "cache_folder",
    "compile_library",
    "frame_size",
    "keep_in_cache",
    "wrapper_name",
]


@dataclass(frozen=True)
class Entry:
    """A function to be called: its symbol, and its types as LLVM spells them (`i8 signext`, `double`, `ptr`)."""

    symbol: str
    parameters: tuple[str, ...]
    result: str = "void"


class Call:
    """A function of a library, called with one value for each parameter: numbers and addresses."""

    def __init__(self, library: Library, entry: Entry, address: int) -> None:
        self.entry = entry
        self.library = library  # the code lives as long as it
        self.address = address
        self._function: Callable[[Any], None] = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
        frame = _frame(entry)
        self._frame: Any = ctypes.c_char * frame.size
        self._count = len(entry.parameters)
        self._pack_into = _packer(frame.parameters).pack_into
        forms = [form for slot in frame.parameters for _, form in slot.numbers]
        masks = [_mask(form) for form in forms]
        self._wide = [i for i, form in enumerate(forms) if form == "16s"]
        self._masked = [(i, mask) for i, mask in enumerate(masks) if mask is not None]
        self._is_flat = all(_is_number(slot.type) for slot in frame.parameters)
        self._result = None if frame.result is None else frame.result.type
        self._gives_number = self._result is not None and _is_number(self._result)
        self._unpack_from = _packer([] if frame.result is None else [frame.result]).unpack_from
        self._report = frame.report if library.guarded else None

    def __call__(self, *values: Any) -> Any:
        if len(values) != self._count:
            raise TypeError(f"{self.entry.symbol} takes {self._count} values, not {len(values)}")
        buffer = self._frame()
        try:
            self._pack_into(buffer, 0, *values)
        except (struct.error, TypeError):  # an integer below zero, or what is not one number
            self._pack_into(buffer, 0, *self._unsigned(values))
        self._function(buffer)
        if self._report is not None:
            self._raise_what_was_thrown(buffer)
        if self._result is None:
            return None
        numbers = self._unpack_from(buffer, 0)
        return numbers[0] if self._gives_number else _grouped(self._result, iter(numbers))

    def _unsigned(self, values: Sequence[Any]) -> list[Any]:
        """All numbers in the form in which they are packed."""
        flat = list(values if self._is_flat else _flattened(values))
        for i, mask in self._masked:
            if flat[i] < 0:
                flat[i] &= mask
        for i in self._wide:
            flat[i] = _wide(flat[i])
        return flat

    def many(self, count: int, steps: Sequence[int], *values: Any, status: int = 0) -> None:
        """Call it `count` times; after each call the first values, which are addresses, move on by these steps.

        It ends with a call that leaves anything but 0 at the address `status`, if there is one.
        """
        buffer = self._frame()
        self._pack_into(buffer, 0, *values)
        report = 0 if self._report is None else ctypes.addressof(buffer) + self._report
        packed = (ctypes.c_int64 * len(steps))(*steps)
        _many()(self.address, ctypes.addressof(buffer), ctypes.addressof(packed), len(steps), count, report, status)
        self._raise_what_was_thrown(buffer)

    def _raise_what_was_thrown(self, buffer: Any) -> None:
        if self._report is not None and (thrown := native_exception(buffer, self._report)) is not None:
            raise thrown


MANY = "gradir.many"
"""A function that calls a wrapper again and again, on a frame whose first addresses move on, until a call fails: one
that has thrown an exception reports so, one of Numba's has a status."""

MANY_TEXT = f"""
define void @{MANY}(ptr %function, ptr %frame, ptr %steps, i64 %pointers, i64 %count, ptr %report, ptr %status) {{
entry:
  %guarded = icmp ne ptr %report, null
  %watched = icmp ne ptr %status, null
  br label %head
head:
  %turn = phi i64 [ 0, %entry ], [ %turn.next, %moved ]
  %more = icmp slt i64 %turn, %count
  br i1 %more, label %call, label %end
call:
  call void %function(ptr %frame)
  br i1 %guarded, label %look, label %called
look:
  %thrown = load i64, ptr %report
  %stop = icmp ne i64 %thrown, 0
  br i1 %stop, label %end, label %called
called:
  br i1 %watched, label %watch, label %move
watch:
  %code = load i32, ptr %status
  %failed = icmp ne i32 %code, 0
  br i1 %failed, label %end, label %move
move:
  %k = phi i64 [ 0, %called ], [ 0, %watch ], [ %k.next, %one ]
  %some = icmp slt i64 %k, %pointers
  br i1 %some, label %one, label %moved
one:
  %place = getelementptr i64, ptr %frame, i64 %k
  %address = load i64, ptr %place
  %step.at = getelementptr i64, ptr %steps, i64 %k
  %step = load i64, ptr %step.at
  %next = add i64 %address, %step
  store i64 %next, ptr %place
  %k.next = add i64 %k, 1
  br label %move
moved:
  %turn.next = add i64 %turn, 1
  br label %head
end:
  ret void
}}
"""


@cache
def _many() -> Call:
    return compile_library(MANY_TEXT, [Entry(MANY, ("ptr", "ptr", "ptr", "i64", "i64", "ptr", "ptr"))])[MANY]


def _flattened(values: Iterable[Any]) -> Iterable[Any]:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from _flattened(value)
        else:
            yield value


def _grouped(type: Type, numbers: Iterator[Any]) -> Any:
    if _is_number(type):
        return next(numbers)
    members = type.elements if type.kind == "struct" else type.elements * type.count
    return tuple(_grouped(member, numbers) for member in members)


def _is_number(type: Type) -> bool:
    return type.kind not in ("struct", "array", "vector")


def _numbers(type: Type, at: int) -> Iterator[tuple[int, str]]:
    """The numbers that a value at some place is made of: their places in bytes, and their format.

    The letters are those of `struct`; integers are packed unsigned, so that both readings of a number fit.
    """
    end = at
    for offset, part in type.parts():
        form = _FLOAT_FORMS.get(part.text) if part.kind == "float" else _INTEGER_FORMS.get(part.size)
        if form is None or at + offset < end:  # lanes of single bits lie in one byte
            raise InputError(f"a type that can't be passed: {type}")
        yield at + offset, form
        end = at + offset + part.store_size


_FLOAT_FORMS = {"half": "e", "bfloat": "H", "float": "f", "double": "d", "x86_fp80": "16s", "fp128": "16s"}
_INTEGER_FORMS = {1: "B", 2: "H", 4: "I", 8: "Q", 16: "16s"}


def _wide(value: Any) -> bytes:
    """The sixteen bytes of a long double, or of an integer of 128 bits."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, int):
        return (value & (1 << 128) - 1).to_bytes(16, "little")
    return np.longdouble(value).tobytes()


def _mask(form: str) -> int | None:
    return {"B": 0xFF, "H": 0xFFFF, "I": 0xFFFFFFFF, "Q": 0xFFFFFFFFFFFFFFFF}.get(form)


# -- Frames and wrappers ---------------------------------------------------------------------------------------------


class _Slot:
    """The place of a value in a frame."""

    def __init__(self, at: int, text: str) -> None:
        self.type = read_type(text)
        align = max(self.type.align, 8)
        self.at = -(-at // align) * align
        self.end = self.at + self.type.size
        self.numbers = tuple(_numbers(self.type, self.at))


@dataclass(frozen=True)
class _Frame:
    parameters: list[_Slot]
    result: _Slot | None
    report: int
    """Where it is told that the function threw an exception."""

    @property
    def size(self) -> int:
        return self.report + REPORT_SIZE


def _frame(entry: Entry) -> _Frame:
    at = 0
    parameters = []
    for text in entry.parameters:
        parameters.append(_Slot(at, text))
        at = parameters[-1].end
    at = -(-at // 16) * 16
    if entry.result == "void":
        return _Frame(parameters, None, at)
    result = _Slot(at, entry.result)
    return _Frame(parameters, result, -(-result.end // 16) * 16)


def frame_size(entry: Entry) -> tuple[int, int]:
    """Where the report of an exception is in the frame of a call, and how large that is."""
    frame = _frame(entry)
    return frame.report, frame.size


def _packer(slots: Sequence[_Slot]) -> struct.Struct:
    form, at = "=", 0
    for slot in slots:
        for place, letter in slot.numbers:
            form += "x" * (place - at) + letter
            at = place + struct.calcsize("=" + letter)
    return struct.Struct(form)


def wrapper_name(symbol: str) -> str:
    return f"gradir.call.{symbol}"


def _wrapper(entry: Entry, guard: Guard | None) -> str:
    frame = _frame(entry)
    lines, arguments = [], []
    for i, (text, slot) in enumerate(zip(entry.parameters, frame.parameters, strict=True)):
        lines.append(f"  %p{i} = getelementptr inbounds i8, ptr %frame, i64 {slot.at}")
        lines.append(f"  %a{i} = load {slot.type}, ptr %p{i}, align 8")
        arguments.append(f"{text} %a{i}")
    # Not inlined: the function is optimised as it stands, with all that is known of its parameters.
    called = f'{entry.result} @"{entry.symbol}"({", ".join(arguments)}) noinline'
    result = "" if frame.result is None else "%result = "
    if guard is None:
        lines.append(f"  {result}call {called}")
    else:
        lines += [f"  {result}invoke {called} to label %done unwind label %thrown", *guard.pad(frame.report), "done:"]
    if frame.result is not None:
        lines.append(f"  %place = getelementptr inbounds i8, ptr %frame, i64 {frame.result.at}")
        lines.append(f"  store {entry.result} %result, ptr %place, align 8")
    body = "\n".join(lines)
    personality = "" if guard is None else f" {guard.personality}"
    return f'define void @"{wrapper_name(entry.symbol)}"(ptr %frame){personality} {{\n{body}\n  ret void\n}}\n'


# -- Libraries -------------------------------------------------------------------------------------------------------


class Library:
    """Compiled code in memory. It goes when nothing refers to it or to its calls any more."""

    def __init__(
        self,
        compiled: _Compiled,
        entries: Sequence[Entry],
        libraries: Sequence[str],
        guarded: bool = False,
        exports: Sequence[str] = (),
        given: Mapping[str, int] | None = None,
    ) -> None:
        """`guarded` if the functions that are called report exceptions that leave them."""
        self.guarded = guarded
        builder = binding.JITLibraryBuilder().add_object_img(compiled.content).add_current_process()
        for name, address in _resolve(compiled.imports, libraries, given or {}).items():
            builder.import_symbol(name, address)
        for entry in entries:
            builder.export_symbol(wrapper_name(entry.symbol))
        for name in exports:
            builder.export_symbol(name)
        try:
            self._tracker = builder.link(_jit(), f"gradir{next(_serial)}")
        except RuntimeError as error:
            raise BackendError(f"the compiled code can't be loaded: {error}") from None
        self._entries = {e.symbol: e for e in entries}
        self._release: Callable[[Any], None] | None = None

    def __getitem__(self, symbol: str) -> Call:
        return Call(self, self._entries[symbol], self._tracker[wrapper_name(symbol)])

    def address(self, symbol: str) -> int:
        """Where a function or a variable is that others know by its address: one of `exports`."""
        return int(self._tracker[symbol])

    def on_close(self, symbol: str) -> None:
        """Name a function, without arguments, that gives back what the code holds: called when the code goes."""
        address = self._tracker[wrapper_name(symbol)]
        self._release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address)
        # It holds the tracker, without which there is no code: in a circle, nobody says which of two goes first.
        weakref.finalize(self, _give_back, self._release, self._tracker).atexit = False

    def release(self) -> None:
        """Give back what the code holds."""
        if self._release is not None:
            self._release(None)


def _give_back(release: Callable[[Any], None], tracker: Any) -> None:
    """What a library does last; the tracker is there as long as this has not been called."""
    release(None)


_serial = itertools.count()
_lock = threading.RLock()


@cache
def _jit() -> Any:
    return binding.create_lljit_compiler(llvm.target_machine(), use_jit_link=True, suppress_errors=True)


_MORE_LIBRARIES = {"linux": ("libm.so.6", "libstdc++.so.6", "libgcc_s.so.1")}.get(sys.platform, ())


_OPENMP = ("libomp.so.5", "libomp.so", "/usr/lib/llvm-*/lib/libomp.so.5", "libiomp5.so")
"""Where LLVM's runtime of OpenMP may be found. GNU's has no functions of these names."""


def _openmp() -> Any:
    """LLVM's runtime of OpenMP: the one that GRADIR_LIBOMP names, or one that is found."""
    wanted = os.environ.get("GRADIR_LIBOMP")
    names = [wanted] if wanted else [found for name in _OPENMP for found in sorted(glob(name), reverse=True) or [name]]
    for name in names:
        with contextlib.suppress(OSError):
            return ctypes.CDLL(name)
    raise BackendError(
        f"can't load LLVM's runtime of OpenMP, {' or '.join(names)}",
        hint="install it (libomp-19-dev on Debian), or name its file by GRADIR_LIBOMP or libraries=[...]",
    )


def _resolve(names: Sequence[str], libraries: Sequence[str], given: Mapping[str, int]) -> dict[str, int]:
    """The addresses of functions and variables that the code needs from elsewhere: those that are given, and others."""
    found = {name: given[name] for name in names if name in given}
    names = [name for name in names if name not in given]
    places: list[Any] = []
    for library in libraries:
        try:
            places.append(ctypes.CDLL(library))
        except OSError as error:
            raise BackendError(f"can't load the library {library}: {error}") from None
    if any(name.startswith("__kmpc_") and not _find(name, places, {}) for name in names):
        # Not whatever the process has: GNU's runtime, which PyTorch brings along, has functions of some of these names.
        places.append(_openmp())
    places.append(ctypes.CDLL(None))
    missing = [name for name in names if not _find(name, places, found)]
    if missing:
        for library in _MORE_LIBRARIES:
            with contextlib.suppress(OSError):
                places.append(ctypes.CDLL(library))
        missing = [name for name in missing if not _find(name, places, found)]
    for name in missing:
        # LLVM has been told of functions of Numba's own.
        if (address := stand_in(name, lambda wanted: _found(wanted, places)) or binding.address_of_symbol(name)):
            found[name] = address
    missing = [name for name in missing if name not in found]
    if missing:
        raise BackendError(
            f"nobody defines {', '.join(missing)}",
            hint="load the source that does too, or name the shared library by libraries=[...]",
        )
    return found


def _found(name: str, places: Sequence[Any]) -> int:
    found: dict[str, int] = {}
    if not _find(name, places, found):
        raise LookupError(name)
    return found[name]


def _find(name: str, places: Sequence[Any], found: dict[str, int]) -> bool:
    for place in places:
        with contextlib.suppress(AttributeError):
            found[name] = ctypes.cast(getattr(place, name), ctypes.c_void_p).value or 0
            return True
    return False


def compile_library(
    text: str,
    entries: Sequence[Entry],
    *,
    libraries: Sequence[str] = (),
    level: int = 3,
    phases: llvm.Phases | None = None,
    exports: Sequence[str] = (),
    given: Mapping[str, int] | None = None,
) -> Library:
    """Compile a module for this machine and make some of its functions callable. `exports` are known by address to
    others, and `given` are the addresses that others tell.

    >>> library = compile_library("define double @f(double %x) { %y = fmul double %x, %x  ret double %y }",
    ...                           [Entry("f", ("double",), "double")])
    >>> library["f"](3.0)
    9.0
    """
    text, starts = with_startup(with_thread_locals(text))
    if starts:
        entries = [*entries, Entry(STARTUP, (), "void")]
    guard = guard_for(text)
    whole = "\n".join([text, *(_wrapper(entry, guard) for entry in entries), guard.text if guard else ""])
    with _lock:
        keep = {*exports, *(name for e in entries for name in (e.symbol, wrapper_name(e.symbol)))}
        compiled = _cached(whole, keep, level, phases)
        with llvm.phase(phases, "load"):
            library = Library(compiled, entries, libraries, guard is not None, exports, given)
        if starts:
            library[STARTUP]()
        return library


# -- Objects, kept on disk -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Compiled:
    """An object file, and the names that it needs from elsewhere."""

    content: bytes
    imports: tuple[str, ...]


_MAGIC = b"gradir object 1\n"


def cache_folder() -> Path | None:
    """Where compiled objects are kept: GRADIR_CACHE, or a folder of the user's; None if GRADIR_CACHE is "off"."""
    wanted = os.environ.get("GRADIR_CACHE")
    if wanted is not None:
        return None if wanted in ("", "off", "0") else Path(wanted)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "gradir"


def _cached(text: str, keep: Collection[str], level: int, phases: llvm.Phases | None) -> _Compiled:
    folder = cache_folder()
    if folder is None:
        return _compile(text, keep, level, phases)
    path = folder / f"{_key(text, level)}.o"
    found = _read_entry(path)
    if found is None:
        found = _compile(text, keep, level, phases)
        _write_entry(path, found)
    return found


def _key(text: str, level: int) -> str:
    host = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten(), binding.get_process_triple())
    about = json.dumps([__version__, binding.llvm_version_info, host, level])
    return hashlib.sha256(f"{about}\n{text}".encode()).hexdigest()


def _compile(text: str, keep: Collection[str], level: int, phases: llvm.Phases | None) -> _Compiled:
    with llvm.phase(phases, "parse"):
        module = llvm.without_debug_info(text)
        llvm.verify(module)
        llvm.internalise(module, keep)
    llvm.optimise(module, level=level, phases=phases)
    content = llvm.emit_object(module, level=level, phases=phases)
    imports = undefined_symbols(content)
    return _Compiled(content, tuple(llvm.imports(module) if imports is None else imports))


def _read_entry(path: Path) -> _Compiled | None:
    """What an earlier run left, if all of it is there."""
    try:
        magic, digest, imports, content = path.read_bytes().split(b"\n", 3)
        if magic + b"\n" != _MAGIC or hashlib.sha256(imports + content).hexdigest().encode() != digest:
            return None
        return _Compiled(content, tuple(json.loads(imports)))
    except (OSError, ValueError):
        return None


def _write_entry(path: Path, compiled: _Compiled) -> None:
    imports = json.dumps(compiled.imports).encode()
    digest = hashlib.sha256(imports + compiled.content).hexdigest().encode()
    keep_in_cache(path, _MAGIC + digest + b"\n" + imports + b"\n" + compiled.content)


def keep_in_cache(path: Path, content: bytes) -> None:
    """Write all of a file of the cache or nothing. Without a cache it works as well."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
