"""A module's text without its debug information, for LLVM, which aborts on code whose debug info is bad."""

from __future__ import annotations

__all__ = ["drop_debug_info", "has_debug_info"]

_VERSION = '!"Debug Info Version", i32 3}'
_ATTACHED = " !dbg !"
_RECORDS = ("#dbg_", "call void @llvm.dbg.", "tail call void @llvm.dbg.")


def has_debug_info(text: str) -> bool:
    return _VERSION in text


def drop_debug_info(text: str) -> str:
    """Records of variables, locations of instructions and the list of compile units are left out.

    >>> drop_debug_info("  %x = load i8, ptr %p, !dbg !4, !tbaa !5\\n    #dbg_value(i8 %x, !1, !2, !3)\\n")
    '  %x = load i8, ptr %p, !tbaa !5\\n'
    """
    lines = [line for line in text.split("\n") if not _is_record(line)]
    kept = "\n".join(_without_location(line) if _ATTACHED in line else line for line in lines)
    return kept.replace(_VERSION, '!"gradir dropped debug info", i32 3}')


def _is_record(line: str) -> bool:
    return (line.startswith("  ") and line.lstrip().startswith(_RECORDS)) or line.startswith("!llvm.dbg.cu = ")


def _without_location(line: str) -> str:
    begin, _, rest = line.partition(_ATTACHED)
    return begin.removesuffix(",") + rest.lstrip("0123456789")
