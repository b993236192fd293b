"""Tasks of OpenMP, run where they are made: by the thread that comes to them, before it goes on.

That is an order in which they may always run, since whatever they wait for was made before. What is made in parallel
this way are derivatives of regions whose threads make tasks each; where one thread makes them all, it also runs them.
The memory by which a task gets what it needs is the maker's own, so that LLVM sees through it.
"""

from __future__ import annotations

from gradir.machine.ir import I8, I32, Constant, Function, Instruction, Module, array, is_null
from gradir.machine.ir.instructions import alloca, call, constant, located, store

__all__ = ["run"]

_NEW = "__kmpc_omp_task_alloc"
_RUN = ("__kmpc_omp_task", "__kmpc_omp_task_with_deps", "__kmpc_taskloop")
_WAITS = (
    *("__kmpc_omp_taskwait", "__kmpc_omp_taskwait_deps_51", "__kmpc_omp_wait_deps", "__kmpc_omp_taskyield"),
    *("__kmpc_taskgroup", "__kmpc_end_taskgroup", "__kmpc_omp_task_begin_if0", "__kmpc_omp_task_complete_if0"),
)
_DETACHED_OR_DESTROYED = 0x48
"""Of the flags of a task: it ends later than its code does, or objects of C++ are destroyed after it."""


def run(module: Module) -> None:
    """Call what tasks do. If one is not understood all stay, and are refused by their name."""
    if _NEW not in module.functions:
        return
    users = [f for f in module.definitions if f.may_hold("@__kmpc_")]
    if all(_is_plain(i) for f in users for i in _calls(f, (_NEW, *_RUN))):
        for function in users:
            _run_tasks(function)


def _calls(function: Function, names: tuple[str, ...]) -> list[Instruction]:
    return [i for i in function.instructions() if i.callee_name in names]


def _is_plain(i: Instruction) -> bool:
    """Whether it is known what is run, and that nothing is done after it."""
    if i.callee_name == _NEW:
        _, _, flags, size, shared, _ = i.arguments
        numbers = [a.integer if isinstance(a, Constant) else None for a in (flags, size, shared)]
        return None not in numbers and not (numbers[0] or 0) & _DETACHED_OR_DESTROYED
    task = i.arguments[2]
    made = isinstance(task, Instruction) and task.callee_name == _NEW
    # The last argument of a task loop's call tells how to copy tasks, where there are objects of C++.
    return made and (i.callee_name != "__kmpc_taskloop" or is_null(i.arguments[-1]))


def _run_tasks(function: Function) -> None:
    for i in _calls(function, _RUN):
        task = i.arguments[2]
        assert isinstance(task, Instruction)
        entry = task.arguments[-1]
        i.insert_before(located(call(I32, entry, [i.arguments[1], task]), i))
        i.erase(constant(I32, 0) if i.type.kind != "void" else None)
    for i in _calls(function, _WAITS):
        i.erase(constant(I32, 0) if i.type.kind != "void" else None)
    for i in _calls(function, (_NEW,)):
        _, _, _, size, shared, _ = i.arguments
        assert isinstance(size, Constant) and isinstance(shared, Constant)
        own, given = (alloca(array(max(n.integer or 0, 8), I8), 16, "task") for n in (size, shared))
        function.entry.insert(0, own, given)
        i.insert_before(store(given, own, 8))  # what is shared is found by the first pointer in it
        i.erase(own)
