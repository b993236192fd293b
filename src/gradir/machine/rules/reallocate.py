"""Reallocation said in other words: allocate, copy, free. Each of these has a derivative.

A block that grows in place would take the memory from under the shadows and the reverse sweep.
"""

from __future__ import annotations

from gradir.machine.ir import Function
from gradir.machine.rules.known import known

__all__ = ["body"]


def body(function: Function) -> str | None:
    """The text of a body for a declared function that reallocates, with what it calls; None for any other function.

    >>> from gradir.machine.ir.text.reader import read
    >>> realloc = read("declare ptr @realloc(ptr, i64)").functions["realloc"]
    >>> "call ptr @malloc" in body(realloc)
    True
    """
    fact = known(function.name, function)
    if fact is None or fact.kind != "reallocate" or len(function.arguments) not in (2, 3, 4):
        return None
    arguments = ", ".join(f"{a.type} %a{a.index}" for a in function.arguments)
    if len(function.arguments) == 4:  # Rust's: pointer, old size, alignment, new size
        allocate = function.name.replace("14___rust_realloc", "12___rust_alloc").replace(
            "__rust_realloc", "__rust_alloc"
        )
        old, new = "  %old = add i64 %a1, 0", "  %new = add i64 %a3, 0"
        fresh = f"call ptr @{allocate}(i64 %new, i64 %a2)"
        release = f"call void @{fact.free}(ptr %a0, i64 %a1, i64 %a2)"
        declared = f"declare noalias ptr @{allocate}(i64, i64)\ndeclare void @{fact.free}(ptr, i64, i64)"
    else:
        allocate = "NRT_Allocate" if function.name.startswith("NRT") else "malloc"
        old = "  %old = call i64 @malloc_usable_size(ptr %a0)"
        new = "  %new = " + ("mul i64 %a1, %a2" if len(function.arguments) == 3 else "add i64 %a1, 0")
        fresh, release = f"call ptr @{allocate}(i64 %new)", f"call void @{fact.free}(ptr %a0)"
        declared = f"declare noalias ptr @{allocate}(i64)\ndeclare void @{fact.free}(ptr)\n"
        declared += "declare i64 @malloc_usable_size(ptr) memory(none)"
    return f"""
define linkonce_odr hidden ptr @{function.name}({arguments}) alwaysinline {{
entry:
{new}
  %fresh = {fresh}
  %none = icmp eq ptr %a0, null
  br i1 %none, label %done, label %move
move:
{old}
  %count = call i64 @llvm.umin.i64(i64 %old, i64 %new)
  call void @llvm.memcpy.p0.p0.i64(ptr %fresh, ptr %a0, i64 %count, i1 false)
  {release}
  br label %done
done:
  ret ptr %fresh
}}
{declared}
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
"""
