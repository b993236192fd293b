"""Compile LLVM IR, call it from this process, and say what a function takes and gives."""

from gradir.machine.jit.engine import Call, Entry, Library, cache_folder, compile_library, keep_in_cache

__all__ = [
    "Call",
    "Entry",
    "Library",
    "cache_folder",
    "compile_library",
    "keep_in_cache",
]
