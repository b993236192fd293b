"""Threads that a program makes itself and joins, by `pthread_create` or by what C++'s libraries have for it.

`rules/library.c` says with two functions what all of these do: `gradir.spawn` runs a function on a thread and gives a
handle, `gradir.joined` waits for it and gives its result. They come in two forms. In the first a thread runs where it
is made, before its maker goes on. In the second (`fits` says where) it runs beside its maker: both are functions
without a body for LLVM's passes, so that these move nothing past them. Afterwards (`start`) there is a *spawn function*
for each function that is run (`gradir.thread.spawn.f`), which has a thread call it, and the handle is the address of a
*record* of the thread.

For the analyses (`run_at_once`) a spawn function calls what is run, and its result is the handle. In a program without
races memory is found and left the same that way, as long as threads wait for each other by joins alone; where they take
locks, a join is where what they write may change (`analysis/memory.py`). Derivatives of spawn functions run derivatives
of what is run on threads (`transform/parallel/threads.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gradir.machine.ir import I32, I64, PTR, Block, Constant, Function, Instruction, Module, Type, Value, array, struct
from gradir.machine.ir.builder import Code, Expr
from gradir.machine.ir.graphs import components
from gradir.machine.ir.instructions import call, constant, located, ret
from gradir.machine.ir.text.reader import extend, read
from gradir.machine.ir.text.tokens import global_names, renamed
from gradir.machine.rules.known import JOINED, SPAWN
from gradir.machine.rules.threads import MAKING, may_run_beside

__all__ = [
    "FORMS",
    "TAPE",
    "UNDO",
    "UNDOER",
    "UNDOING",
    "arguments_in",
    "fits",
    "handle_of",
    "is_spawn",
    "keep_result",
    "new_record",
    "record_of",
    "result_in",
    "return_for_exit",
    "run_at_once",
    "shadow_in",
    "start",
    "thread_of",
    "wait",
    "waits_in_loop",
]

_MAKE, _WAIT = "gradir.spawn", "gradir.joined"
FORMS = {_MAKE: f"declare i64 @{_MAKE}(ptr, ptr) nounwind", _WAIT: f"declare ptr @{_WAIT}(i64) nounwind"}
"""What has two forms: how it is declared in the one for which LLVM is not shown what it does."""
_ANY = "gradir.thread.any"
"""Runs what it is given a pointer to."""

_RECORD = struct([array(7, I64), I64, I64, PTR, I64, I64, PTR, PTR, I64, PTR])
_, _HANDLE, UNDOER, UNDO, WAITED, UNDOING, TAPE, RESULT, SHADOWS, _ARGUMENTS = _RECORD.offsets
"""What is where in the record of a thread: first the list of what it frees, its team and its arena (`storage.FREED`);
the thread, and the one that undoes what it did, with the function that does so; whether the first was waited for, and
whether the second was begun; the tape, the result, and how many shadows of it follow; and the arguments."""

# -- before LLVM's passes --------------------------------------------------------------------------------------------


def fits(module: Module) -> bool:
    """Whether threads may run beside each other: they are joined, and data passes by joins and locks alone.

    Where it does by atomics, or where a lock may be taken without waiting, there are derivatives of the order in which
    each thread runs where it is made.
    """
    if not may_run_beside([f.name for f in module.functions.values() if f.is_declaration]):
        return False
    return not any(_may_hand_over(i) for f in module.definitions for i in f.instructions())


def return_for_exit(module: Module) -> bool:
    """Let functions that only threads run return, where they end their thread. Whether there were any."""
    if _EXIT not in module.functions:
        return False
    changed = False
    users = [f for f in module.definitions if f.may_hold("@")]
    for function in module.definitions:
        if function.may_hold(f"@{_EXIT}") and function.result == PTR and _is_run_by_threads_alone(module, function):
            for i in [i for i in function.instructions() if i.callee_name == _EXIT]:
                if i.opcode == "call" and i.block.terminator.opcode == "unreachable":
                    i.block.terminator.erase()
                    i.insert_before(located(ret(i.arguments[0]), i))
                    i.erase()
                    changed = True
    if not any(i.callee_name == _EXIT for f in users if f.may_hold(f"@{_EXIT}") for i in f.instructions()):
        module.remove(_EXIT)
    return changed


_EXIT, _CREATE = "pthread_exit", "pthread_create"


def _is_run_by_threads_alone(module: Module, function: Function) -> bool:
    if any(function.name in global_names(g.initializer or "") for g in module.variables):
        return False
    users = [f for f in module.definitions if f.may_hold(function.ref)]
    mentions = [i for f in users for i in f.instructions() if function.name in i.mentioned]
    return bool(mentions) and all(
        i.callee_name == _CREATE and i.arguments[2].ref == function.ref and i.mentioned.count(function.name) == 1
        for i in mentions
    )


def waits_in_loop(module: Module) -> Instruction | None:
    """What is read again and again until somebody else has changed it, in a program that makes threads: a thread that
    runs where it is made would wait for ever."""
    if not any(map(MAKING.fullmatch, module.functions)):
        return None
    for function in module.definitions:
        if function.may_hold("atomic") or function.may_hold("volatile"):
            for loop in _loops(function):
                inside = [i for block in loop for i in block.instructions]
                read = next((i for i in inside if i.opcode == "load" and i.flags & {"atomic", "volatile"}), None)
                if read is not None and not any(map(_may_change, inside)):
                    return read
    return None


def _loops(function: Function) -> Iterator[list[Block]]:
    edges = {block: block.successors for block in function.blocks}
    for part in components(edges, function.blocks):
        if len(part) > 1 or part[0] in edges[part[0]]:
            yield part


def _may_change(i: Instruction) -> bool:
    """Whether an instruction changes anything but what is only in the function."""
    match i.opcode:
        case "store":
            return not isinstance(i.pointer, Instruction) or i.pointer.opcode != "alloca"
        case "call" | "invoke":
            name = i.callee_name or ""
            return not name.startswith(_HARMLESS) and not i.callee.ref.startswith("asm")
    return i.opcode in ("atomicrmw", "cmpxchg")


_PAUSES = ("sched_yield", "usleep", "nanosleep", "pthread_yield", "_ZNSt3__111this_thread", "_ZNSt11this_thread")
_HARMLESS = ("llvm.", *_PAUSES)


def _may_hand_over(i: Instruction) -> bool:
    """Whether a thread may learn there that another one has come so far."""
    match i.opcode:
        case "fence" | "cmpxchg":
            return True
        case "load":
            return "atomic" in i.flags and _acquires(i)
        case "atomicrmw":
            return bool(i.block.function.users.get(i)) and _acquires(i)
        case "call" | "invoke":
            if i.callee_name == "pthread_attr_setdetachstate":
                state = i.arguments[1]
                return not isinstance(state, Constant) or state.integer != 0  # not joinable
            return i.callee_name is None and i.callee.ref.startswith("asm")
    return False


def _acquires(i: Instruction) -> bool:
    """Whether what another thread did before it wrote what is read here is seen from here on."""
    return not {"unordered", "monotonic"} & {word.rstrip(",") for word in str(i).split()}


# -- after LLVM's passes ---------------------------------------------------------------------------------------------


def is_spawn(name: str | None) -> bool:
    """Whether a function has a thread run another one."""
    return name is not None and name.startswith(SPAWN)


def thread_of(spawn: str) -> str:
    """What the thread runs that a spawn function makes."""
    return spawn.removeprefix(SPAWN)


def start(module: Module) -> Module:
    """The module with functions that are run on threads, where LLVM was not shown what that does."""
    make = module.functions.get(_MAKE)
    if make is None or not make.is_declaration:
        return module
    if defined := {f"@{f.name}": f"@gradir.{f.name}" for f in module.definitions if f.name in _DECLARATIONS}:
        module = read(renamed(str(module), lambda ref: defined.get(ref, ref)))  # what was not inlined
    extend(module, "\n".join([_joining(), _RUNTIME]))
    extend(module, "\n".join(line for name, line in _DECLARATIONS.items() if name not in module.functions))
    for function in module.definitions:
        for i in [i for i in function.instructions() if i.callee_name in FORMS]:
            made = call(I64, *_spawned(module, *i.arguments)) if i.callee_name == _MAKE else _awaited(module, i)
            i.insert_before(located(made, i))
            i.erase(made)
        for i in [i for i in function.instructions() if _is_for_nobody(i)]:
            i.erase(constant(I32, _INVALID))
    for name in FORMS:
        if name in module.functions:
            module.remove(name)
    return module


_INVALID = 22


def _is_for_nobody(i: Instruction) -> bool:
    """Whether something is noted under a key that there is not, as threads of libc++ do here (`rules/library.c`)."""
    key = i.arguments[0] if i.callee_name == "pthread_setspecific" else None
    return isinstance(key, Constant) and key.integer == -1


def _awaited(module: Module, i: Instruction) -> Instruction:
    return call(PTR, module.globals[JOINED], i.arguments)


def _spawned(module: Module, run: Value, given: Value) -> tuple[Value, list[Value]]:
    """The function that has a thread run another one, and its arguments."""
    known = module.functions.get(run.ref[1:].strip('"')) if run.ref.startswith("@") else None
    arguments = [given]
    if known is None or not _is_runnable(known):
        if _ANY not in module.functions:
            extend(module, _ANY_TEXT)
        known, arguments = module.functions[_ANY], [run, given]
    name = f"{SPAWN}{known.name}"
    if name not in module.functions:
        extend(module, "\n".join(_spawning(name, known.name, [a.type for a in arguments])))
    return module.globals[name], arguments


def _joining() -> str:
    code = Code(JOINED, PTR, [(I64, "handle")], linkage="internal", attributes="noinline nounwind")
    made = record_of(code, code.parameters[0])
    wait(code, made)
    result = result_in(code, made)
    code.line(f"call void @gradir.thread.end({made})")
    code.ret(result)
    return code.text()


_DECLARATIONS = {
    "calloc": "declare ptr @calloc(i64, i64)",
    "free": "declare void @free(ptr)",
    "pthread_create": "declare i32 @pthread_create(ptr, ptr, ptr, ptr)",
    "pthread_join": "declare i32 @pthread_join(i64, ptr)",
}

_RUNTIME = f"""
define internal void @gradir.thread.start(ptr %record, ptr %run) noinline nounwind {{
  %handle = getelementptr i8, ptr %record, i64 {_HANDLE}
  %failed = call i32 @pthread_create(ptr %handle, ptr null, ptr %run, ptr %record)
  %none = icmp ne i32 %failed, 0
  br i1 %none, label %here, label %done
here:
  %nothing = call ptr %run(ptr %record)
  %waited = getelementptr i8, ptr %record, i64 {WAITED}
  store i64 1, ptr %waited
  br label %done
done:
  ret void
}}
define internal void @gradir.thread.wait(ptr %record) noinline nounwind {{
  %waited.at = getelementptr i8, ptr %record, i64 {WAITED}
  %waited = load i64, ptr %waited.at
  %over = icmp ne i64 %waited, 0
  br i1 %over, label %done, label %join
join:
  %handle.at = getelementptr i8, ptr %record, i64 {_HANDLE}
  %handle = load i64, ptr %handle.at
  %said = call i32 @pthread_join(i64 %handle, ptr null)
  store i64 1, ptr %waited.at
  br label %done
done:
  ret void
}}
define internal void @gradir.thread.end(ptr %record) noinline nounwind {{
  %undo.at = getelementptr i8, ptr %record, i64 {UNDO}
  %undo = load ptr, ptr %undo.at
  %plain = icmp eq ptr %undo, null
  br i1 %plain, label %drop, label %done
drop:
  call void @free(ptr %record)
  br label %done
done:
  ret void
}}
"""
"""A thread that can't be had is done without: what it would run runs at once. A record is kept as long as anything is
to be undone."""


def _is_runnable(function: Function) -> bool:
    """Whether it is called as a thread's function is, and its name is one that needs no quotes."""
    if function.is_declaration or function.result != PTR or function.ref.startswith('@"'):
        return False
    return [a.type for a in function.arguments] == [PTR] and not function.variadic


_ANY_TEXT = f"""
define internal ptr @{_ANY}(ptr %run, ptr %given) noinline {{
  %result = call ptr %run(ptr %given)
  ret ptr %result
}}"""


def _spawning(name: str, callee: str, types: Sequence[Type]) -> list[str]:
    """The text of a spawn function: one that only runs what it is to run."""
    code = Code(name, I64, [(t, "x") for t in types], linkage="internal", attributes="noinline nounwind")
    record = new_record(code, code.parameters)
    code.line(f"call void @gradir.thread.start({record}, ptr @{name}.run)")
    code.ret(handle_of(code, record))
    run = Code(f"{name}.run", PTR, [(PTR, "record")], linkage="internal", attributes="nounwind")
    [record] = run.parameters
    result = run.emit(PTR, f"call ptr @{callee}({', '.join(map(str, arguments_in(run, record, types)))})", "result")
    run.store(result, run.offset(record, RESULT))
    run.ret(Expr(run, PTR, "null"))
    return [code.text(), run.text()]


def new_record(code: Code, given: Sequence[Expr], shadows: int = 0, freed: Expr | None = None) -> Expr:
    """A record with room for so many shadows of the result, and with the arguments of what is to run; in the list of
    what is to be freed, if there is one."""
    size = _ARGUMENTS + 8 * shadows + struct([g.type for g in given]).size
    make = f"@calloc(i64 1, i64 {size})" if freed is None else f"@gradir.thread.new({freed}, i64 {size})"
    record = code.emit(PTR, f"call ptr {make}", "record")
    code.store(code.constant(I64, shadows), code.offset(record, SHADOWS))
    frame = struct([g.type for g in given])
    for at, value in zip(frame.offsets, given, strict=True):
        code.store(value, code.offset(record, _ARGUMENTS + 8 * shadows + at))
    return record


def arguments_in(code: Code, record: Expr, types: Sequence[Type], shadows: int = 0) -> list[Expr]:
    begin = _ARGUMENTS + 8 * shadows
    return [code.load(t, code.offset(record, begin + at)) for t, at in zip(types, struct(types).offsets, strict=True)]


def keep_result(code: Code, record: Expr, parts: Sequence[Expr]) -> None:
    """Note what was run has given: the result, and its shadows."""
    for at, part in zip((RESULT, *range(_ARGUMENTS, _ARGUMENTS + 8 * len(parts), 8)), parts, strict=False):
        code.store(part, code.offset(record, at))


def wait(code: Code, record: Expr) -> None:
    code.line(f"call void @gradir.thread.wait({record})")


def result_in(code: Code, record: Expr) -> Expr:
    return code.load(PTR, code.offset(record, RESULT), hint="result")


def shadow_in(code: Code, record: Expr, k: int) -> Expr:
    """One of the shadows of the result. What has none is its own."""
    count = code.load(I64, code.offset(record, SHADOWS), hint="shadows")
    own, others = code.offset(record, RESULT), code.offset(record, _ARGUMENTS + 8 * k)
    return code.load(PTR, count.eq(0).select(own, others), hint="shadow")


def handle_of(code: Code, record: Expr) -> Expr:
    return code.emit(I64, f"ptrtoint {record} to i64", "handle")


def record_of(code: Code, handle: Expr) -> Expr:
    return code.emit(PTR, f"inttoptr {handle} to ptr", "record")


def run_at_once(module: Module) -> None:
    """For those who look at the module: spawn functions call what is run, and nobody waits.

    A handle is what was run has given, if that is asked for where a thread is joined, else some number.
    """
    if JOINED not in module.functions:
        return
    asked = any(f.users.get(i) for f in module.definitions if f.may_hold(f"@{JOINED}") for i in _joins(f))
    for spawn in [f for f in module.definitions if is_spawn(f.name)]:
        if spawn.name.endswith(".run"):
            code = Code(spawn.name, PTR, [(PTR, "record")], linkage="internal", attributes="nounwind")
            code.ret(Expr(code, PTR, "null"))
        else:
            code = Code(spawn.name, I64, [(a.type, "x") for a in spawn.arguments], linkage="internal")
            result = code.emit(PTR, f"call ptr @{thread_of(spawn.name)}({', '.join(map(str, code.parameters))})")
            code.ret(handle_of(code, result) if asked else code.constant(I64, 1))
        extend(module, code.text())
    code = Code(JOINED, PTR, [(I64, "handle")], linkage="internal", attributes="nounwind")
    code.ret(record_of(code, code.parameters[0]) if asked else Expr(code, PTR, "null"))
    extend(module, code.text())


def _joins(function: Function) -> list[Instruction]:
    return [i for i in function.instructions() if i.callee_name == JOINED]
