"""A derivative that is differentiated in its turn becomes ordinary code of the program.

Its tape comes from `malloc` instead of a pool (whose exchanges between threads have no derivative), and its names make
way for those of the next derivative.
"""

from __future__ import annotations

import re

__all__ = ["as_program"]

_PLAIN = {
    "gradir.acquire": """
define internal noalias ptr @gradir.acquire(ptr %pool, i64 %bytes) alwaysinline nounwind {
entry:
  %data = call ptr @malloc(i64 %bytes)
  ret ptr %data
}""",
    "gradir.release": """
define internal void @gradir.release(ptr %pool, ptr %data) alwaysinline nounwind {
entry:
  call void @free(ptr %data)
  ret void
}""",
    "gradir.grow": """
define internal void @gradir.grow(ptr %buffer, ptr %pool, i64 %needed) alwaysinline nounwind {
entry:
  %capacity.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 1
  %data = load ptr, ptr %buffer
  %wanted = shl i64 %needed, 1
  %moved = call ptr @realloc(ptr %data, i64 %wanted)
  store ptr %moved, ptr %buffer
  store i64 %wanted, ptr %capacity.at
  ret void
}""",
    # By C's `free`, whichever function an entry names: a call through a pointer would need that function's shadow.
    "gradir.free_all": """
define internal void @gradir.free_all(ptr %buffer, ptr %pool) alwaysinline nounwind {
entry:
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %used = load i64, ptr %used.at
  br label %head
head:
  %at = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp ult i64 %at, %used
  br i1 %more, label %body, label %done
body:
  %place = getelementptr i8, ptr %data, i64 %at
  %memory = load ptr, ptr %place
  call void @free(ptr %memory)
  %next = add i64 %at, 32
  br label %head
done:
  call void @free(ptr %data)
  ret void
}""",
}
_CALLED = {
    "malloc": "declare ptr @malloc(i64)",
    "free": "declare void @free(ptr)",
    "realloc": "declare ptr @realloc(ptr, i64)",
}


def as_program(text: str, round: int) -> str:
    """The text of a module whose derivatives are no derivatives any more."""
    for name, plain in _PLAIN.items():
        pattern = rf"^define [^\n]*@{re.escape(name)}\(.*?^\}}"
        text = re.sub(pattern, plain.strip(), text, flags=re.MULTILINE | re.DOTALL)
    for name, declaration in _CALLED.items():
        if f"@{name}(" in text and re.search(rf"^(?:declare|define) .*@{name}\(", text, re.MULTILINE) is None:
            text += f"{declaration}\n"
    text = re.sub(r'(@"?|%(?=gradir\.(?:tape|seed)\b))gradir(?=[._])', rf"\g<1>gradir{round}", text)
    return re.sub(r'(@"[^"]*\.shadow)(?=[\d."])', rf"\g<1>{round}_", text)
