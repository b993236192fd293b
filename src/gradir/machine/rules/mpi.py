"""MPI: which calls have derivatives, what they do to memory, and which functions of a program communicate.

The derivatives are in `mpi.c`, compiled for each ABI to a file of its own. A program's declarations tell which ABI it
was compiled for: handles are numbers in MPICH's and its kin, pointers in Open MPI's. Fortran's names (`mpi_send_`) have
bodies there that call C's.

What one process sends another receives, and neither knows what the other one's memory carries. So a call that
communicates always takes part in a derivative, with all that it reads and writes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from gradir.machine.ir import I32, PTR, Function, Module, Type
from gradir.machine.ir.graphs import mentioners, reachable
from gradir.machine.rules.effects import operands_of

__all__ = [
    "CALLS",
    "COMMON_BLOCKS",
    "abi_of",
    "buffers",
    "communicates",
    "communicating",
    "is_call",
    "is_rule",
    "objects",
    "registration",
    "rules_of",
    "way_out",
    "written",
    "written_later",
]

_TABLE = """
Send Ssend Bsend Rsend:                     in n type n n comm
Recv:                                       out n type n n comm status
Sendrecv:                                   in n type n n out n type n n comm status
Sendrecv_replace:                           out n type n n n n comm status
Isend Issend Ibsend Irsend:                 in n type n n comm request
Send_init Ssend_init Bsend_init Rsend_init: in n type n n comm request
Irecv Recv_init:                            later n type n n comm request
Start:                                      request
Startall:                                   n request
Wait:                                       request status
Waitall:                                    n request status
Waitany:                                    n request numbers status
Waitsome Testsome:                          n request numbers numbers status
Test:                                       request numbers status
Testall:                                    n request numbers status
Testany:                                    n request numbers numbers status
Request_free:                               request
Bcast:                                      out n type n comm
Reduce:                                     in out n type op n comm
Allreduce:                                  in out n type op comm
Reduce_scatter:                             in out counts type op comm
Reduce_scatter_block:                       in out n type op comm
Gather:                                     in n type out n type n comm
Gatherv:                                    in n type out counts counts type n comm
Scatter:                                    in n type out n type n comm
Scatterv:                                   in counts counts type out n type n comm
Allgather:                                  in n type out n type comm
Allgatherv:                                 in n type out counts counts type comm
Alltoall:                                   in n type out n type comm
Alltoallv:                                  in counts counts type out counts counts type comm
Comm_free:                                  handle
Type_free:                                  handle
"""

COMMON_BLOCKS = ("mpipriv1_", "mpipriv2_", "mpiprivc_", "mpifcmb5_", "mpifcmb9_")
"""Fortran's special addresses (MPI_IN_PLACE, MPI_STATUS_IGNORE) in MPICH."""

_MODES = ("augmented", "reverse", "forward")
_HANDLES = ("type", "comm", "op")
_BACKWARD_ONLY = ("Comm_free", "Type_free")
"""What is freed only when the reverse sweep is done; in forward mode there is nothing to do."""


def _calls() -> dict[str, tuple[str, ...]]:
    lines = (line.partition(":") for line in _TABLE.strip().splitlines())
    return {f"MPI_{name}": tuple(fields.split()) for names, _, fields in lines for name in names.split()}


CALLS = _calls()
"""The calls that have derivatives: what each argument is."""


def is_call(function: Function) -> bool:
    """Whether a declaration is of a call that has a derivative.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read("declare i32 @MPI_Send(ptr, i32, i32, i32, i32, i32)\\ndeclare i32 @MPI_Scan(ptr)")
    >>> [is_call(f) for f in module.functions.values()]
    [True, False]
    """
    fields = CALLS.get(function.name)
    return fields is not None and any(_fits(function, fields, handle) for handle in (I32, PTR))


def is_rule(name: str) -> bool:
    """Whether a function is a derivative of a call, or a part of it: a module gets its body when its derivatives are
    written. In a derivative that has become a program, it is renamed with the rest.

    >>> is_rule("gradir.mpi.Send.reverse"), is_rule("gradir1.mpi.pull"), is_rule("gradir.body.mpi_send_")
    (True, True, False)
    """
    return re.match(r"gradir\d*\.mpi\.", name) is not None


def _fits(function: Function, fields: tuple[str, ...], handle: Type) -> bool:
    types = [I32 if f == "n" else handle if f in _HANDLES else PTR for f in fields]
    return [a.type for a in function.arguments] == types and function.result == I32


def abi_of(module: Module) -> str:
    """The ABI that a program was compiled for: `mpich` or `openmpi`; the former, if nothing in it tells.

    >>> from gradir.machine.ir.text.reader import read
    >>> abi_of(read("declare i32 @MPI_Send(ptr, i32, ptr, i32, i32, ptr)"))
    'openmpi'
    """
    if objects(module):
        return "openmpi"
    calls = [(f, CALLS[f.name]) for f in module.functions.values() if f.name in CALLS]
    by_address = any(set(fields).intersection(_HANDLES) and _fits(f, fields, PTR) for f, fields in calls)
    return "openmpi" if by_address else "mpich"


def objects(module: Module) -> set[str]:
    """The library's own objects that a program has the addresses of: handles in Open MPI."""
    return {name for name in module.globals if name.startswith(("ompi_mpi_", "ompi_request_"))}


def rules_of(name: str) -> tuple[str, ...]:
    """The names of a call's derivatives: augmented, reverse and, as a rule, forward."""
    own = name.replace("MPI_", "gradir.mpi.")
    modes = ("augmented", "reverse") if name.removeprefix("MPI_") in _BACKWARD_ONLY else _MODES
    return tuple(f"{own}.{mode}" for mode in modes)


def registration(function: Function, declare: Callable[[str], None]) -> str:
    """The lines that register the derivatives of a call. These are only declared: a module gets what it uses of them
    when its derivatives are written, and nobody has to look at them before."""
    name, types = function.name, [a.type.text for a in function.arguments]
    with_shadows = ", ".join(f"{t}, ptr" if t == "ptr" else t for t in types)
    declare(f"declare i32 @{name}({', '.join(types)})")
    augmented, reverse, *forward = rules_of(name)
    declare(f"declare {{ ptr, i32 }} @{augmented}({with_shadows})")
    declare(f"declare void @{reverse}({with_shadows}, ptr)")
    rules = f"ptr @{name}, ptr @{augmented}, ptr @{reverse}"
    lines = [f"@__enzyme_register_gradient_{name} = weak_odr hidden global [3 x ptr] [{rules}]"]
    for rule in forward:
        declare(f"declare i32 @{rule}({with_shadows})")
        rules = f"ptr @{name}, ptr @{rule}"
        lines.append(f"@__enzyme_register_derivative_{name} = weak_odr hidden global [2 x ptr] [{rules}]")
    return "\n".join(lines)


def written(function: Function) -> frozenset[int] | None:
    """The arguments that a call writes through, now or later; None where the function is no such call.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read("declare i32 @MPI_Bcast(ptr, i32, i32, i32, i32)\\ndeclare i32 @MPI_Wait(ptr, ptr)")
    >>> [sorted(written(f)) for f in module.functions.values()]
    [[0], [0, 1]]
    """
    if not is_call(function):
        return None
    read = ("in", "counts", "n", *_HANDLES)
    return frozenset(n for n, field in enumerate(CALLS[function.name]) if field not in read)


def written_later(name: str | None) -> tuple[int, ...]:
    """The arguments whose memory is written at a time that nobody tells: until a request is complete."""
    return tuple(n for n, field in enumerate(CALLS.get(name or "", ())) if field == "later")


def buffers(name: str | None) -> tuple[int, ...] | None:
    """The arguments that data is sent from or received in: no other memory that a call is passed holds floats.

    >>> buffers("MPI_Irecv"), buffers("MPI_Wait"), buffers("cblas_ddot")
    ((0,), (), None)
    """
    if name is None or name not in CALLS:
        return None
    return tuple(n for n, field in enumerate(CALLS[name]) if field in ("in", "out", "later"))


# -- what communicates -------------------------------------------------------------------------------------------------

_FORTRAN = re.compile(r"p?mpi_\w+?_(?:f08(?:ts)?_)?")


def communicates(name: str) -> bool:
    """Whether a function without a body may send or receive: MPI's, unless it is known not to.

    >>> communicates("MPI_Send"), communicates("MPI_Ibcast"), communicates("MPI_Comm_rank"), communicates("mpi_scan_")
    (True, True, False, True)
    """
    if name in CALLS:
        return True
    return (name.startswith(("MPI_", "PMPI_")) or bool(_FORTRAN.fullmatch(name))) and operands_of(name) is None


def communicating(module: Module) -> frozenset[str]:
    """The functions of a module that communicate, themselves or by what they call or mention."""
    found = {f.name for f in module.functions.values() if f.is_declaration and communicates(f.name)}
    if not found:
        return frozenset()
    # A derivative's own calls are no calls of the program's.
    bodies = (f for f in module.definitions if not is_rule(f.name))
    return frozenset(reachable(mentioners(bodies), *found))


def way_out(name: str) -> str | None:
    """What to use in place of a call of MPI's that has no derivative."""
    if not communicates(name):
        return None
    plain = re.sub(r"^p?mpi_|_$|_f08\w*$", "", name.lower())
    for pattern, hint in _WAYS_OUT:
        if re.fullmatch(pattern, plain):
            return hint
    return "use a call that has a derivative (the page on MPI lists them), or keep it out of what is differentiated"


_WAYS_OUT = [
    (r"i(?:bcast|barrier|reduce\w*|allreduce|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|scan|exscan)",
     "use the blocking call: MPI_Allreduce for MPI_Iallreduce"),
    (r"i?m?i?probe|i?mrecv|improbe", "receive with a count that is large enough, and ask the status (MPI_Get_count)"),
    (r"scan|exscan", "gather what is to be summed (MPI_Allgather), and sum it in code of your own"),
    (r"alltoallw", "use MPI_Alltoallv with a derived datatype"),
    (r"win_\w+|r?put|r?get|r?accumulate|r?get_accumulate|fetch_and_op|compare_and_swap",
     "send and receive instead of writing to another process's memory"),
    (r"i?neighbor_\w+", "send to each neighbour (MPI_Sendrecv, MPI_Isend)"),
    (r"pack|unpack|pack_external|unpack_external", "describe the data by a derived datatype (MPI_Type_create_struct)"),
    (r"cancel", "complete the request (MPI_Wait)"),
    (r"p(?:send|recv)_init|pready\w*|parrived", "use MPI_Send_init and MPI_Recv_init"),
]  # fmt: skip
