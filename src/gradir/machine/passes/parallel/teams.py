"""Parallel regions of OpenMP, as functions that a team of threads runs.

A compiler moves a parallel region into a function of its own, and the runtime calls that on each thread of a team, by
its address (`__kmpc_fork_call`). Before LLVM's passes (`gather`) this becomes a plain call of a *team function*: what
one thread does. So LLVM and the analyses see an ordinary call with the effects of the region, since a team of one
thread is a team. Afterwards (`fork`) it is a *fork function* that is called, which hands its arguments to the threads
in memory, so that they may be of any type. For the analyses it calls the team function itself (`join`); derivatives of
it fork derivatives of the team function (`transform/parallel/teams.py`).

The compiler writes a reduction in three ways, of which the runtime picks one; here it is always the one with a lock, in
which each thread adds its part.
"""

from __future__ import annotations

from collections.abc import Sequence

from gradir.machine.analysis.parallel.sharing import GIVERS
from gradir.machine.ir import I32, PTR, VOID, Argument, Function, Global, Instruction, Module, Type, struct
from gradir.machine.ir.attributes import Attributes
from gradir.machine.ir.builder import Code, Expr, plain_name
from gradir.machine.ir.instructions import call, cast, constant, located
from gradir.machine.ir.text.reader import extend

__all__ = ["IDENT", "declare_runtime", "fork", "fork_call", "forked", "gather", "is_fork", "is_team", "join", "team_of"]

_TEAM, _FORK = "gradir.region.", "gradir.fork."
"""What begins the names of team and fork functions, and of nothing else: derivatives that are read again have theirs,
and functions of the runtime beside them (`gradir.team.new`)."""

_CALL = "__kmpc_fork_call"

IDENT = "@gradir.ident"
"""What the runtime is told of where in the source a region is: nowhere in particular."""

_IDENT_TEXT = f"""
@gradir.ident.text = private unnamed_addr constant [23 x i8] c";unknown;unknown;0;0;;\\00"
{IDENT} = private constant {{ i32, i32, i32, i32, ptr }} {{ i32 0, i32 2, i32 0, i32 22, ptr @gradir.ident.text }}
"""

_QUIET = "nounwind willreturn memory(argmem: readwrite, inaccessiblemem: readwrite)"
"""Of calls that share out work: they write where they are told, and keep nothing of it."""

def is_fork(name: str | None) -> bool:
    """Whether a function has a team of threads run another one."""
    return name is not None and name.startswith(_FORK)


def team_of(fork: str) -> str:
    """What the threads run that a fork function has started."""
    return _TEAM + fork.removeprefix(_FORK)


def is_team(name: str) -> bool:
    return name.startswith(_TEAM)


# -- before LLVM's passes --------------------------------------------------------------------------------------------


def gather(module: Module) -> bool:
    """Write parallel regions as calls of team functions. Whether there are any."""
    if not any(name.startswith("__kmpc_") for name in module.functions):
        return False
    for function in module.definitions:
        for i in _calls(function, "__kmpc_"):
            if i.callee_name == _CALL:
                _call_team(module, i)
            elif i.callee_name in ("__kmpc_reduce", "__kmpc_reduce_nowait"):
                _begin_reduction(module, i)
            elif i.callee_name in ("__kmpc_end_reduce", "__kmpc_end_reduce_nowait"):
                _end_reduction(module, i)
    for name in GIVERS:
        if (declared := module.functions.get(name)) is not None:
            declared.attributes.add(_QUIET)
            for a in declared.arguments:
                a.attributes.add("captures(none)" if a.type.is_pointer else "")
    return any(map(is_team, module.functions))


def _calls(function: Function, prefix: str) -> list[Instruction]:
    if not function.may_hold(f"@{prefix}"):
        return []
    return [i for i in function.instructions() if (i.callee_name or "").startswith(prefix)]


def _call_team(module: Module, i: Instruction) -> None:
    """Call what one thread does. What is forked by an address that nobody knows stays, and is refused by its name."""
    _, _, region, *given = i.arguments
    outlined = module.functions.get(region.ref[1:].strip('"'))
    if outlined is None or outlined.is_declaration:
        return
    if [a.type for a in outlined.arguments[2:]] != [g.type for g in given]:
        return
    name = _TEAM + plain_name(outlined.name)
    if name not in module.functions:
        declare_runtime(module)
        extend(module, _team_text(name, outlined))
        if not outlined.has("noinline"):
            outlined.attributes.add("alwaysinline")
    i.insert_before(located(call(VOID, module.globals[name], given), i))
    i.erase()


def _team_text(name: str, outlined: Function) -> str:
    """What one thread does, which finds out its number by itself."""
    own = outlined.arguments[2:]
    code = Code(name, VOID, [(a.type, "x") for a in own], linkage="internal", attributes="noinline nounwind")
    code.parameter_attributes = {n: str(a.attributes) for n, a in enumerate(own) if a.attributes}
    slots = [code.alloca(I32, hint) for hint in ("thread", "bound")]
    number = code.emit(I32, f"call i32 @__kmpc_global_thread_num(ptr {IDENT})")
    for slot, value in zip(slots, (number, code.constant(I32, 0)), strict=True):
        code.store(value, slot)
    code.line(f"call void {outlined.ref}({', '.join(map(str, (*slots, *code.parameters)))})")
    code.ret()
    return code.text()


_DECLARATIONS = {
    _CALL: f"declare void @{_CALL}(ptr, i32, ptr, ...)",
    "__kmpc_global_thread_num": "declare i32 @__kmpc_global_thread_num(ptr)",
    "__kmpc_critical": "declare void @__kmpc_critical(ptr, i32, ptr)",
    "__kmpc_end_critical": "declare void @__kmpc_end_critical(ptr, i32, ptr)",
    "__kmpc_barrier": "declare void @__kmpc_barrier(ptr, i32)",
}


def declare_runtime(module: Module) -> None:
    """Make sure that the module knows the functions of the runtime that code here calls."""
    if IDENT[1:] not in module.globals:  # LLVM drops what is not used
        extend(module, _IDENT_TEXT)
    for name, line in _DECLARATIONS.items():
        if name not in module.functions:
            extend(module, line)


def _begin_reduction(module: Module, i: Instruction) -> None:
    declare_runtime(module)
    place, thread, *_, lock = i.arguments
    i.insert_before(call(VOID, module.globals["__kmpc_critical"], [place, thread, lock]))
    i.erase(constant(I32, 1))


def _end_reduction(module: Module, i: Instruction) -> None:
    declare_runtime(module)
    place, thread, lock = i.arguments
    i.insert_before(call(VOID, module.globals["__kmpc_end_critical"], [place, thread, lock]))
    if i.callee_name == "__kmpc_end_reduce":
        i.insert_before(call(VOID, module.globals["__kmpc_barrier"], [place, thread]))
    i.erase()


# -- after LLVM's passes ---------------------------------------------------------------------------------------------


def fork(module: Module) -> None:
    """Let team functions be run by teams again."""
    teams = [f for f in module.definitions if is_team(f.name)]
    if not teams:
        return
    declare_runtime(module)
    for team in teams:
        callers = [i for f in module.definitions for i in _calls(f, team.name) if i.callee_name == team.name]
        floats = _take_floats_as_floats(team)
        name = _FORK + team.name.removeprefix(_TEAM)
        team.signature.words = [word for word in team.signature.words if word != "fastcc"]
        extend(module, "\n".join(forked(name, team.name, [a.type for a in team.arguments])))
        for i in callers:
            _call_fork(i, module.globals[name], floats)


def _call_fork(i: Instruction, fork: Global, floats: dict[int, Type]) -> None:
    given = list(i.arguments)
    for n, type in floats.items():
        bits = Type(f"i{8 * type.size}", "int", 8 * type.size)
        for opcode, to in (("trunc", bits), ("bitcast", type)):
            if opcode == "bitcast" or given[n].type != bits:
                made = cast(opcode, given[n], to)
                i.insert_before(made)
                given[n] = made
    i.insert_before(located(call(VOID, fork, given), i))
    i.erase()


def _take_floats_as_floats(team: Function) -> dict[int, Type]:
    """Floats that the compiler handed over in the guise of integers are passed as they are: their types by number."""
    found: dict[int, Type] = {}
    for a in list(team.arguments):
        users = team.users.get(a, [])
        cut = [u for u in users if u.opcode == "trunc"]
        casts = [c for u in users for c in (team.users.get(u, []) if u in cut else [u])]
        types = {c.type for c in casts}
        if not a.type.is_integer or len(types) != 1 or any(c.opcode != "bitcast" for c in casts):
            continue
        found[a.index] = types.pop()
        team.arguments[a.index] = made = Argument(found[a.index], a.ref, a.index, Attributes())
        for user in casts:
            user.erase(made)
        for user in cut:
            user.erase()
    return found


def forked(name: str, callee: str, types: Sequence[Type]) -> list[str]:
    """The text of a function that has a team of threads call another one, with the same arguments."""
    code = Code(name, VOID, [(t, "x") for t in types], linkage="internal", attributes="nounwind")
    frame = code.alloca(struct(types), "frame", align=16)
    store_all(code, code.parameters, frame)
    fork_call(code, f"{name}.run", frame)
    code.ret()
    run = thread_code(f"{name}.run")
    given = load_all(run, types, run.parameters[2])
    run.line(f"call void @{callee}({', '.join(map(str, given))})")
    run.ret()
    return [code.text(), run.text()]


def fork_call(code: Code, run: str, frame: Expr) -> None:
    """Have a team of threads run a function that takes what is in a frame."""
    code.line(f"call void (ptr, i32, ptr, ...) @{_CALL}(ptr {IDENT}, i32 1, ptr @{run}, {frame})")


def thread_code(name: str) -> Code:
    """What the runtime calls on each thread: by its number, that in the outer team, and a frame."""
    given = [(PTR, "thread"), (PTR, "bound"), (PTR, "frame")]
    return Code(name, VOID, given, linkage="internal", attributes="nounwind")


def store_all(code: Code, values: Sequence[Expr], frame: Expr) -> None:
    type = struct([v.type for v in values])
    for k, value in enumerate(values):
        code.store(value, code.emit(PTR, f"getelementptr {type}, {frame}, i32 0, i32 {k}", "at"))


def load_all(code: Code, types: Sequence[Type], frame: Expr) -> list[Expr]:
    whole = struct(types)
    return [
        code.load(t, code.emit(PTR, f"getelementptr {whole}, {frame}, i32 0, i32 {k}", "at"))
        for k, t in enumerate(types)
    ]


def join(module: Module) -> None:
    """For those who look at the module: fork functions call the team function themselves."""
    for fork in [f for f in module.definitions if is_fork(f.name) and team_of(f.name) in module.functions]:
        code = Code(fork.name, VOID, [(a.type, "x") for a in fork.arguments], linkage="internal", attributes="nounwind")
        code.line(f"call void @{team_of(fork.name)}({', '.join(map(str, code.parameters))})")
        code.ret()
        extend(module, code.text())
