"""Kernels as XLA calls them: handlers of its foreign function interface, written in LLVM IR.

XLA calls `XLA_FFI_Error *handler(XLA_FFI_CallFrame *)`. A handler takes the buffers' addresses from the frame, and from
its attributes what else a kernel is passed; calls the kernel once, or for each element of a batch; and makes an
error of XLA's of one that it reports. No compiler and nothing of Python is in between.
"""

from __future__ import annotations

from gradir.machine import jit
from gradir.machine.jit.engine import MANY, MANY_TEXT, frame_size, wrapper_name
from gradir.machine.jit.thrown import guard_for
from gradir.native.kernel import Kernel

__all__ = ["HANDLER", "handler_library"]

HANDLER = "gradir.xla"

# Places in the structures of XLA's C interface (xla/ffi/api/c_api.h), which it promises to keep: new members come after
# those that were there.
_EXTENSIONS, _API, _ARGUMENTS, _RESULTS, _ATTRIBUTES = 8, 16, 40 + 32, 80 + 32, 120 + 40  # of XLA_FFI_CallFrame
_BUFFER_DATA = 24  # of XLA_FFI_Buffer
_ARRAY_DATA, _SCALAR_VALUE = 16, 8  # of XLA_FFI_Array and XLA_FFI_Scalar
_EXTENSION_TYPE, _METADATA = 8, 24  # of XLA_FFI_Metadata_Extension
_METADATA_MAJOR, _METADATA_MINOR = 24, 28  # of XLA_FFI_Metadata
_ERROR_CREATE = 48  # of XLA_FFI_Api
_IS_METADATA = 1
_VERSION = 0, 1
_INTERNAL = 13  # of XLA_FFI_Error_Code

ATTRIBUTES = ("count", "statics", "steps")
"""What a handler is told, in the order in which XLA has it: how often to call, with which numbers, how far apart."""


def handler_library(kernel: Kernel) -> jit.Library:
    """The kernel's code with a handler, `HANDLER`, to be called by its address."""
    text = kernel.text
    return jit.compile_library(
        "\n".join([text, MANY_TEXT.replace("define void", "define internal void"), _handler(kernel, text)]),
        [kernel.entry],
        libraries=kernel.engine.libraries,
        phases=kernel.engine.phases,
        exports=[HANDLER],
    )


def _handler(kernel: Kernel, text: str) -> str:
    pointers = len(kernel.ins) + len(kernel.outs)
    report, size = frame_size(kernel.entry)
    guarded = guard_for(text) is not None
    body = _Lines()
    frame = body.value(f"alloca [{size} x i8], align 16")
    body.add(f"call void @llvm.memset.p0.i64(ptr {frame}, i8 0, i64 {size}, i1 false)")
    for k, (where, n) in enumerate(
        [(_ARGUMENTS, i) for i in range(len(kernel.ins))] + [(_RESULTS, o) for o in range(len(kernel.outs))]
    ):
        buffer = body.load("ptr", body.load("ptr", "%call", where), 8 * n)
        body.store("ptr", body.load("ptr", buffer, _BUFFER_DATA), frame, 8 * k)
    attributes = body.load("ptr", "%call", _ATTRIBUTES)
    count_at, statics_at, steps_at = (body.load("ptr", attributes, 8 * k) for k in range(3))
    count = body.load("i64", body.load("ptr", count_at, _SCALAR_VALUE), 0)
    steps, statics = (body.load("ptr", at, _ARRAY_DATA) for at in (steps_at, statics_at))
    for k in range(kernel.statics):
        body.store("i64", body.load("i64", statics, 8 * k), frame, 8 * (pointers + k))
    status = "null"
    if kernel.has_status:
        status = body.value("alloca i32")
        body.add(f"store i32 0, ptr {status}")
        body.store("ptr", status, frame, 8 * (pointers + kernel.statics))
    said = body.place(frame, report) if guarded else "null"
    passed = f'ptr @"{wrapper_name(kernel.symbol)}", ptr {frame}, ptr {steps}, i64 {pointers}, i64 {count}'
    body.add(f"call void @{MANY}({passed}, ptr {said}, ptr {status})")
    what, failed = "null", "false"
    if kernel.has_status:
        failed = body.value(f"icmp ne i32 {body.load('i32', status, 0)}, 0")
    if guarded:
        thrown = body.value(f"icmp ne i64 {body.load('i64', frame, report)}, 0")
        failed = body.value(f"or i1 {failed}, {thrown}")
        what = body.load("ptr", frame, report + 16)
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


class _Lines:
    """Lines of code, whose values are numbered."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.count = 0

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def value(self, made: str) -> str:
        self.count += 1
        self.add(f"%v{self.count} = {made}")
        return f"%v{self.count}"

    def place(self, base: str, offset: int) -> str:
        return self.value(f"getelementptr i8, ptr {base}, i64 {offset}")

    def load(self, type: str, base: str, offset: int) -> str:
        return self.value(f"load {type}, ptr {self.place(base, offset)}")

    def store(self, type: str, value: str, base: str, offset: int) -> None:
        self.add(f"store {type} {value}, ptr {self.place(base, offset)}")

    def __str__(self) -> str:
        return "\n".join(self.lines)
