"""How threads that a program makes agree on who goes first, by the names of the functions that they call.

Threads may run beside each other in derivatives if data passes by joins and locks alone
(`passes/parallel/threads.py`). Where some may be let go, or may take a lock without waiting, each runs where it is
made; and where one may wait for what its maker does later, neither will do.
"""

from __future__ import annotations

import re
from collections.abc import Collection

__all__ = ["MAKING", "may_run_at_once", "may_run_beside", "why_refused"]

MAKING = re.compile(r"pthread_(create|join|detach)|_ZNSt(3__1)?6thread\w*|_ZNSt3__1(15|19)__thread_\w*")
"""Of functions that make threads."""

_WAITING = re.compile(
    r"pthread_(cond_(timed|clock)?wait|barrier_wait|exit)|sem_(timed|clock)?wait|\w*condition_variable\w*wait\w*"
    r"|\w*futex\w*|\w*atomic\w*wait\w*|syscall"
)
"""By these a thread may wait for what its maker does later: it can't run before that one goes on then."""

_MAKE = re.compile(r"pthread_create|_ZNSt6thread15_M_start_thread\w*")
_JOIN = re.compile(r"pthread_join|_ZNSt(3__1)?6thread4joinEv")
_UNDERSTOOD = re.compile(
    r"pthread_(create|join|self|equal|once|(mutex|spin)_(init|destroy|lock|unlock)|mutexattr_(init|destroy)"
    r"|attr_\w+|cond_(init|destroy|signal|broadcast)|key_create|[gs]etspecific)"
)
"""Functions for threads that leave the order to joins and locks, and take no handle but to join or compare it."""
_OTHERS = re.compile(
    r"pthread_\w+|_ZNSt(3__1)?6thread6detachEv|\w*try_?lock\w*|\w*(recursive|shared|timed)_mutex\w*|sem_\w+"
    r"|__cxa_guard_\w+|__kmpc_\w+"
)
"""All functions by which threads agree on something, or part."""


def why_refused(names: Collection[str]) -> tuple[str, str]:
    """What of a program's threads has no derivative, by the names of the functions that it uses; and a way out."""
    if not any(map(_MAKE.fullmatch, names)):
        return "what a thread did that was made elsewhere has no derivative", "load what makes it, too"
    by = _waiting(names)
    return (
        f"threads that end or wait for each other {f'by @{by}' if by else 'in a loop'} have no derivative",
        "let their functions return, and hand over data by joins, or under a mutex that all of them lock",
    )


def _waiting(names: Collection[str]) -> str | None:
    """A function by which a thread may wait for what its maker does later."""
    return next(filter(_WAITING.fullmatch, sorted(names)), None)


def may_run_at_once(declared: Collection[str]) -> bool:
    """Whether each thread may run where it is made, as far as names tell: what is only joined was made by others."""
    return any(map(_MAKE.fullmatch, declared)) and _waiting(declared) is None


def may_run_beside(declared: Collection[str]) -> bool:
    """Whether threads are made, and all that orders them are joins and locks, as far as names tell.

    >>> may_run_beside(["pthread_create", "pthread_join"]), may_run_beside(["pthread_create", "pthread_detach"])
    (True, False)
    """
    if not may_run_at_once(declared) or not any(map(_JOIN.fullmatch, declared)):
        return False
    return not any(_OTHERS.fullmatch(name) and not _UNDERSTOOD.fullmatch(name) for name in declared)
