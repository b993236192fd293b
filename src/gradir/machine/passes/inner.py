"""A derivative that is differentiated in its turn becomes ordinary code of the program.

Its tape comes from `malloc` instead of a pool (whose exchanges between threads have no derivative), and its names make
way for those of the next derivative.
"""

from __future__ import annotations

from gradir.machine.ir import Module
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import renamed
from gradir.machine.rules.known import CLEAR, SHADOWS

__all__ = ["as_program", "is_derivative", "run"]

_OF_BOTH = {
    "acquire": """
define internal noalias ptr @NAME(ptr %pool, i64 %bytes) alwaysinline nounwind {
entry:
  %data = call ptr @malloc(i64 %bytes)
  ret ptr %data
}""",
    "release": """
define internal void @NAME(ptr %pool, ptr %data) alwaysinline nounwind {
entry:
  call void @free(ptr %data)
  ret void
}""",
    "grow": """
define internal void @NAME(ptr %buffer, ptr %pool, i64 %needed) alwaysinline nounwind {
entry:
  %capacity.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 1
  %data = load ptr, ptr %buffer
  %wanted = shl i64 %needed, 1
  %moved = call ptr @realloc(ptr %data, i64 %wanted)
  store ptr %moved, ptr %buffer
  store i64 %wanted, ptr %capacity.at
  ret void
}""",
}
"""What takes memory from a pool as from an arena, by its verb."""

_BORROWED = """
define internal ptr @NAME(ptr %list, GIVEN) alwaysinline {
entry:
  %borrowed = call ptr @MAKE
  %note = call ptr @malloc(i64 16)
  %before.at = getelementptr { ptr, ptr }, ptr %note, i32 0, i32 1
  %last.at = getelementptr i8, ptr %list, i64 32
  %last = load ptr, ptr %last.at
  store ptr %borrowed, ptr %note
  store ptr %last, ptr %before.at
  store ptr %note, ptr %last.at
  ret ptr %borrowed
}"""
"""What is to be freed is noted where the arena would begin, apart from tapes: these are not what that is."""


def _borrowed(name: str, given: str, make: str) -> str:
    return _BORROWED.replace("NAME", name).replace("GIVEN", given).replace("MAKE", make)


_PLAIN = {
    **{f"gradir.{verb}": text.replace("NAME", f"gradir.{verb}") for verb, text in _OF_BOTH.items()},
    **{f"gradir.arena.{verb}": text.replace("NAME", f"gradir.arena.{verb}") for verb, text in _OF_BOTH.items()},
    "gradir.arena.borrow": _borrowed(
        "gradir.arena.borrow", "ptr %pool, i64 %bytes, ptr %allocate, ptr %free", "malloc(i64 %bytes)"
    ),
    "gradir.arena.borrow_zero": _borrowed(
        "gradir.arena.borrow_zero", "ptr %pool, i64 %bytes", "calloc(i64 1, i64 %bytes)"
    ),
    "gradir.arena.tape": """
define internal noalias ptr @gradir.arena.tape(ptr %list, i64 %bytes) alwaysinline nounwind {
entry:
  %data = call ptr @malloc(i64 %bytes)
  ret ptr %data
}""",
    "gradir.arena.wide_tape": """
define internal noalias ptr @gradir.arena.wide_tape(i64 %align, ptr %list, i64 %bytes) alwaysinline nounwind {
entry:
  %data = call ptr @aligned_alloc(i64 %align, i64 %bytes)
  ret ptr %data
}""",
    "gradir.arena.pop": """
define internal ptr @gradir.arena.pop(ptr %buffer, i64 %bytes) alwaysinline nounwind {
entry:
  %used.at = getelementptr { ptr, i64, i64 }, ptr %buffer, i32 0, i32 2
  %data = load ptr, ptr %buffer
  %before = load i64, ptr %used.at
  %used = sub i64 %before, %bytes
  store i64 %used, ptr %used.at
  %place = getelementptr i8, ptr %data, i64 %used
  ret ptr %place
}""",
    "gradir.arena.back": """
define internal void @gradir.arena.back(ptr %tape) alwaysinline nounwind {
entry:
  call void @free(ptr %tape)
  ret void
}""",
    "gradir.arena.rewind": """
define internal void @gradir.arena.rewind(ptr %tape) alwaysinline nounwind {
entry:
  ret void
}""",
    "gradir.arena.end": """
define internal void @gradir.arena.end(ptr %list) alwaysinline nounwind {
entry:
  %last.at = getelementptr i8, ptr %list, i64 32
  %last = load ptr, ptr %last.at
  br label %look
look:
  %note = phi ptr [ %last, %entry ], [ %before, %give ]
  %none = icmp eq ptr %note, null
  br i1 %none, label %done, label %give
give:
  %before.at = getelementptr { ptr, ptr }, ptr %note, i32 0, i32 1
  %before = load ptr, ptr %before.at
  %borrowed = load ptr, ptr %note
  call void @free(ptr %borrowed)
  call void @free(ptr %note)
  br label %look
done:
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
    "calloc": "declare ptr @calloc(i64, i64)",
    "aligned_alloc": "declare ptr @aligned_alloc(i64, i64)",
    "free": "declare void @free(ptr)",
    "realloc": "declare ptr @realloc(ptr, i64)",
}


def as_program(text: str, round: int) -> str:
    """The text of a module whose derivatives are no derivatives any more.

    >>> print(as_program("declare double @gradir_reverse_f(double, ptr)", 1).strip())
    declare double @gradir1_reverse_f(double, ptr)
    """
    module = read(text)
    run(module)
    return renamed(str(module), lambda ref: _other_name(ref, round))


def is_derivative(name: str) -> bool:
    """Whether a function is a derivative that has become ordinary code.

    >>> is_derivative("gradir1_reverse_f"), is_derivative("gradient")
    (True, False)
    """
    return name.startswith("gradir") and name.removeprefix("gradir")[:1].isdigit()


def run(module: Module) -> None:
    """Take the memory of derivatives from `malloc`, and give it back by `free`.

    Of shadows that last there is one table for both: they are memory of the program now, whose shadows may last, too.
    """
    if CLEAR in module.functions:
        for name in SHADOWS:
            if name in module.functions:
                module.functions[name].become_declaration()
    plain = [text for name, text in _PLAIN.items() if name in module.functions]
    needed = [line for name, line in _CALLED.items() if name not in module.functions] if plain else []
    extend(module, "\n".join([*needed, *plain]))


def _other_name(ref: str, round: int) -> str:
    mark, quote, name = ref[0], '"' if ref[1] == '"' else "", ref[1:].strip('"')
    if name in SHADOWS:
        return ref
    if name.startswith(("gradir.", "gradir_")) and (mark == "@" or name.startswith(("gradir.tape", "gradir.seed"))):
        name = f"gradir{round}{name.removeprefix('gradir')}"
    before, shadow, after = name.rpartition(".shadow")
    if mark == "@" and shadow and (not after or after[0].isdigit() or after[0] == "."):
        name, quote = f"{before}.shadow{round}_{after}", '"'
    return f"{mark}{quote}{name}{quote}"
