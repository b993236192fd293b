"""Exceptions that leave compiled code: caught where Python calls it, and raised there as errors of gradir."""

from __future__ import annotations

import contextlib
import ctypes
import struct
import sys
from dataclasses import dataclass
from functools import cache
from typing import Any

from gradir.errors import NativeException, RequestError

__all__ = ["REPORT_SIZE", "Guard", "guard_for", "native_exception"]

_REPORT = struct.Struct("=QQQ")
"""Whether something was thrown, the mangled name of its type, and what it says (a copy)."""

REPORT_SIZE = _REPORT.size

_DESCRIBE = """
define internal void @gradir.describe(ptr %thrown, i1 %is.exception, i1 %is.text, ptr %report) noinline {
entry:
  %object = call ptr @__cxa_begin_catch(ptr %thrown)
  store i64 1, ptr %report
  %type = call ptr @__cxa_current_exception_type()
  %foreign = icmp eq ptr %type, null
  br i1 %foreign, label %end, label %native
native:
  %name.at = getelementptr i8, ptr %type, i64 8
  %name = load ptr, ptr %name.at
  %report.name = getelementptr i8, ptr %report, i64 8
  store ptr %name, ptr %report.name
  br i1 %is.exception, label %ask, label %other
ask:
  %table = load ptr, ptr %object
  %what.at = getelementptr i8, ptr %table, i64 16
  %what = load ptr, ptr %what.at
  %said = call ptr %what(ptr %object)
  br label %copy
other:
  br i1 %is.text, label %copy, label %end
copy:
  %words = phi ptr [ %said, %ask ], [ %object, %other ]
  %copied = call ptr @strdup(ptr %words)
  %report.what = getelementptr i8, ptr %report, i64 16
  store ptr %copied, ptr %report.what
  br label %end
end:
  call void @__cxa_end_catch()
  ret void
}
"""

_DECLARED = {
    "@__gxx_personality_v0(": "declare i32 @__gxx_personality_v0(...)",
    "@__cxa_begin_catch(": "declare ptr @__cxa_begin_catch(ptr)",
    "@__cxa_end_catch(": "declare void @__cxa_end_catch()",
    "@__cxa_current_exception_type(": "declare ptr @__cxa_current_exception_type()",
    "@llvm.eh.typeid.for.p0(": "declare i32 @llvm.eh.typeid.for.p0(ptr)",
    "@strdup(": "declare ptr @strdup(ptr)",
    "@_ZTISt9exception = ": "@_ZTISt9exception = external constant ptr",
    "@_ZTIPKc = ": "@_ZTIPKc = external constant ptr",
}


@dataclass(frozen=True)
class Guard:
    """What catches all exceptions that leave a function, as LLVM IR."""

    text: str
    """What is to be added to the module once."""
    personality: str = "personality ptr @__gxx_personality_v0"

    def pad(self, report: int) -> list[str]:
        """The block `thrown`, for a caller whose frame has a report at this byte."""
        return [
            "thrown:",
            "  %pad = landingpad { ptr, i32 } catch ptr @_ZTISt9exception catch ptr @_ZTIPKc catch ptr null",
            "  %object = extractvalue { ptr, i32 } %pad, 0",
            "  %selector = extractvalue { ptr, i32 } %pad, 1",
            "  %exception = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTISt9exception)",
            "  %is.exception = icmp eq i32 %selector, %exception",
            "  %text = call i32 @llvm.eh.typeid.for.p0(ptr @_ZTIPKc)",
            "  %is.text = icmp eq i32 %selector, %text",
            f"  %report = getelementptr inbounds i8, ptr %frame, i64 {report}",
            "  call void @gradir.describe(ptr %object, i1 %is.exception, i1 %is.text, ptr %report)",
            "  ret void",
        ]


def guard_for(text: str) -> Guard | None:
    """The guard of a module that may throw: one with C++ in it. C and Fortran need no library of C++."""
    if not any(mark in text for mark in ("@_Z", "@__cxa_", "@__gxx_personality_v0")):
        return None
    if "@__cxa_throw(" in text and "tensorflow" in sys.modules:
        raise RequestError(
            "this C++ code throws exceptions, which end the process beside the unwinder that TensorFlow brings along",
            hint="run it in a process that does not import tensorflow",
        )
    missing = [line for mark, line in _DECLARED.items() if mark not in text]
    return Guard("\n".join([_DESCRIBE, *missing, ""]))


def native_exception(frame: Any, at: int) -> NativeException | None:
    """What a guarded call has reported in its frame, if anything."""
    thrown, name, what = _REPORT.unpack_from(frame, at)
    if not thrown:
        return None
    type = _demangled(ctypes.string_at(name).removeprefix(b"*")) if name else None
    said = ctypes.string_at(what).decode(errors="replace") if what else None
    _free(what)
    return NativeException(type, said)


def _free(address: int) -> None:
    ctypes.CDLL(None).free(ctypes.c_void_p(address))


@cache
def _cpp_library() -> Any:
    for name in (None, "libstdc++.so.6", "libc++abi.dylib", "libc++abi.so.1"):
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(name)
            library.__cxa_demangle.restype = ctypes.c_void_p
            return library
    return None


def _demangled(name: bytes) -> str:
    library = _cpp_library()
    made = library.__cxa_demangle(name, None, None, None) if library is not None else None
    if not made:
        return name.decode(errors="replace")
    text = ctypes.string_at(made).decode(errors="replace")
    _free(made)
    return text
