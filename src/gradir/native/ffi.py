"""Kernels as XLA calls them: handlers of its foreign function interface, written in LLVM IR.

XLA calls `XLA_FFI_Error *handler(XLA_FFI_CallFrame *)`. A handler takes the buffers' addresses from the frame, and from
its attributes what else a kernel is passed; calls the kernel once, or for each element of a batch; and makes an
error of XLA's of one that it reports. No compiler and nothing of Python is in between.
"""

from __future__ import annotations

import ctypes
from typing import Any

from gradir.machine import jit
from gradir.machine.jit.engine import MANY, MANY_TEXT, frame_size, wrapper_name
from gradir.machine.jit.thrown import guard_for
from gradir.native.kernel import Kernel, Lines

__all__ = ["HANDLER", "Frame", "handler_library"]

HANDLER = "gradir.xla"

# Places in the structures of XLA's C interface (xla/ffi/api/c_api.h), which it promises to keep: new members come after
# those that were there.
_EXTENSIONS, _API, _ARGUMENTS, _RESULTS, _ATTRIBUTES = 8, 16, 40 + 32, 80 + 32, 120 + 40  # of XLA_FFI_CallFrame
_BUFFER_DATA = 24  # of XLA_FFI_Buffer
_ARRAY_DATA, _SCALAR_VALUE = 16, 8  # of XLA_FFI_Array and XLA_FFI_Scalar
_EXTENSION_TYPE, _METADATA = 8, 24  # of XLA_FFI_Metadata_Extension
_METADATA_MAJOR, _METADATA_MINOR = 24, 28  # of XLA_FFI_Metadata
_ERROR_CREATE, _STREAM_GET = 48, 80  # of XLA_FFI_Api
_CONTEXT = 24  # of XLA_FFI_CallFrame
_IS_METADATA = 1
_VERSION = 0, 1
_INTERNAL = 13  # of XLA_FFI_Error_Code


def handler_library(kernel: Kernel) -> jit.Library:
    """The kernel's code with a handler, `HANDLER`, to be called by its address."""
    parts = [kernel.text, MANY_TEXT.replace("define void", "define internal void"), _error(kernel), _handler(kernel)]
    return kernel.engine.linked("\n".join(parts), [kernel.entry], exports=[HANDLER])


class Frame:
    """What XLA calls a handler with, for a handler that is written in Python."""

    def __init__(self, address: int) -> None:
        self._address = address

    def tells_version(self) -> bool:
        """Whether XLA asks for the version of the interface alone, which it is told."""
        extension = _word(self._address + _EXTENSIONS)
        if not extension or ctypes.c_int.from_address(extension + _EXTENSION_TYPE).value != _IS_METADATA:
            return False
        metadata = _word(extension + _METADATA)
        for at, number in zip((_METADATA_MAJOR, _METADATA_MINOR), _VERSION, strict=True):
            ctypes.c_int.from_address(metadata + at).value = number
        return True

    def arguments(self, count: int) -> list[int]:
        """The addresses of the buffers that are passed."""
        return self._buffers(_ARGUMENTS, count)

    def results(self, count: int) -> list[int]:
        """The addresses of the buffers that are to be filled."""
        return self._buffers(_RESULTS, count)

    def _buffers(self, where: int, count: int) -> list[int]:
        buffers = _word(self._address + where)
        return [_word(_word(buffers + 8 * k) + _BUFFER_DATA) for k in range(count)]

    def stream(self) -> int:
        """The stream of a GPU that the work belongs to."""
        given = (ctypes.c_uint64 * 4)(32, 0, _word(self._address + _CONTEXT), 0)
        self._call(_STREAM_GET, given)
        return int(given[3])

    def error(self, text: str) -> int:
        """An error of XLA's, for a handler to return."""
        message = ctypes.create_string_buffer(text.encode())
        given = (ctypes.c_uint64 * 4)(28, 0, ctypes.addressof(message), _INTERNAL)
        return self._call(_ERROR_CREATE, given)

    def _call(self, function: int, given: Any) -> int:
        address = _word(_word(self._address + _API) + function)
        return int(ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p)(address)(ctypes.addressof(given)) or 0)


def _word(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value


def _handler(kernel: Kernel) -> str:
    """Runs the kernel; or, where XLA asks by an extension, tells the version of the interface it is written for."""
    body = Lines()
    failed, what = _run(kernel, body)
    return f"""
define ptr @{HANDLER}(ptr %call) {{
entry:
  %extension.at = getelementptr i8, ptr %call, i64 {_EXTENSIONS}
  %extension = load ptr, ptr %extension.at
  %plain = icmp eq ptr %extension, null
  br i1 %plain, label %run, label %extended
extended:
  %type.at = getelementptr i8, ptr %extension, i64 {_EXTENSION_TYPE}
  %type = load i32, ptr %type.at
  %asked = icmp eq i32 %type, {_IS_METADATA}
  br i1 %asked, label %tell, label %run
tell:
  %metadata.at = getelementptr i8, ptr %extension, i64 {_METADATA}
  %metadata = load ptr, ptr %metadata.at
  %major = getelementptr i8, ptr %metadata, i64 {_METADATA_MAJOR}
  store i32 {_VERSION[0]}, ptr %major
  %minor = getelementptr i8, ptr %metadata, i64 {_METADATA_MINOR}
  store i32 {_VERSION[1]}, ptr %minor
  ret ptr null
run:
{body}
  br i1 {failed}, label %failed, label %done
failed:
  %error = call ptr @{HANDLER}.error(ptr %call, ptr {what})
  ret ptr %error
done:
  ret ptr null
}}
"""


def _run(kernel: Kernel, body: Lines) -> tuple[str, str]:
    """Calls the kernel as often as XLA says, and gives whether it failed, and the text of what was thrown (or null)."""
    at, size = frame_size(kernel.entry)
    frame = body.fresh(f"alloca [{size} x i8], align 16")
    body.clear(frame, str(size))
    addresses = _buffers(body, _ARGUMENTS, len(kernel.ins)) + _buffers(body, _RESULTS, len(kernel.outs))
    count, statics, steps = _attributes(body)
    passed = [("ptr", address) for address in addresses]
    passed += [("i64", body.load("i64", statics, 8 * k)) for k in range(kernel.statics)]
    status = "null"
    if kernel.has_status:
        status = body.fresh("alloca i32")
        body.store("i32", "0", status)
        passed.append(("ptr", status))
    for k, (type, value) in enumerate(passed):
        body.store(type, value, frame, 8 * k)
    report = "null" if guard_for(kernel.text) is None else body.at(frame, at)
    turns = f"ptr {steps}, i64 {len(addresses)}, i64 {count}, ptr {report}, ptr {status}"
    body.add(f'call void @{MANY}(ptr @"{wrapper_name(kernel.symbol)}", ptr {frame}, {turns})')
    return _outcome(body, status, report)


def _buffers(body: Lines, where: int, count: int) -> list[str]:
    """The addresses of the buffers that XLA passes or wants to be filled."""
    buffers = body.load("ptr", "%call", where)
    return [body.load("ptr", body.load("ptr", buffers, 8 * k), _BUFFER_DATA) for k in range(count)]


def _attributes(body: Lines) -> tuple[str, str, str]:
    """How often to call, and where the numbers are that are passed, and how far apart. XLA has them by their names."""
    attributes = body.load("ptr", "%call", _ATTRIBUTES)
    count, statics, steps = (body.load("ptr", attributes, 8 * k) for k in range(3))
    number = body.load("i64", body.load("ptr", count, _SCALAR_VALUE))
    return number, body.load("ptr", statics, _ARRAY_DATA), body.load("ptr", steps, _ARRAY_DATA)


def _outcome(body: Lines, status: str, report: str) -> tuple[str, str]:
    """Whether a call failed, by Numba's status or by an exception, and the text of that. Either place may be null."""
    failed, what = "false", "null"
    if status != "null":
        failed = body.fresh(f"icmp ne i32 {body.load('i32', status)}, 0")
    if report != "null":
        thrown = body.fresh(f"icmp ne i64 {body.load('i64', report)}, 0")
        failed = body.fresh(f"or i1 {failed}, {thrown}")
        what = body.load("ptr", report, 16)
    return failed, what


def _error(kernel: Kernel) -> str:
    """Makes an error of XLA's, with the text of what was thrown, or the name of the kernel that failed."""
    message = f"{kernel.name} raised an exception".encode()
    content = "".join(f"\\{b:02X}" for b in message)
    return f"""
@{HANDLER}.message = private constant [{len(message) + 1} x i8] c"{content}\\00"

define internal ptr @{HANDLER}.error(ptr %call, ptr %what) noinline {{
entry:
  %none = icmp eq ptr %what, null
  %message = select i1 %none, ptr @{HANDLER}.message, ptr %what
  %given = alloca {{ i64, ptr, ptr, i32 }}, align 8
  store {{ i64, ptr, ptr, i32 }} zeroinitializer, ptr %given
  store i64 28, ptr %given
  %message.at = getelementptr i8, ptr %given, i64 16
  store ptr %message, ptr %message.at
  %code.at = getelementptr i8, ptr %given, i64 24
  store i32 {_INTERNAL}, ptr %code.at
  %api.at = getelementptr i8, ptr %call, i64 {_API}
  %api = load ptr, ptr %api.at
  %create.at = getelementptr i8, ptr %api, i64 {_ERROR_CREATE}
  %create = load ptr, ptr %create.at
  %error = call ptr %create(ptr %given)
  ret ptr %error
}}
"""
