"""Rust and Numba, whose allocators live in the process that runs them: what derivatives allocate is freed or reused.

`test_leaks.py` runs the other languages under valgrind, as programs of their own.
"""

from __future__ import annotations

import ctypes
import gc
import sys

import numpy as np
import pytest
from corpus import PROGRAMS, Program
from differential import Bench, function_of

from gradir.errors import BackendError, MissingExtra

CALLS = 60


class MallInfo(ctypes.Structure):
    names = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    _fields_ = tuple((name, ctypes.c_size_t) for name in names)


def allocated() -> int:
    """Bytes that are in use, as glibc's malloc counts them."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = MallInfo
    gc.collect()
    info = mallinfo()
    return info.uordblks + info.hblkhd


IN_PROCESS = [p for p in PROGRAMS if str(p).endswith((".rs", ".py"))]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "mallinfo2"), reason=f"no mallinfo2 on {sys.platform}")
@pytest.mark.parametrize("program", IN_PROCESS, ids=str)
def test_derivatives_free_what_they_allocate(program: Program) -> None:
    function, values = function_of(program.name, program.returns, program.arguments(np.random.default_rng(0)))
    try:
        bench = Bench(program.to_llvm(), function)
    except (BackendError, MissingExtra) as error:
        pytest.skip(str(error))
    reverse = bench.reverse(function)
    forward = bench.forward(function)
    bench.build()
    seed = np.ones(len(bench.run(function, values)))
    direction = np.ones(len(function.input(values)))

    def call() -> None:
        bench.vjp(reverse, values, [seed])
        bench.jvp(forward, values, [direction])

    for _ in range(5):  # what is kept for the next call is there now
        call()
    before = allocated()
    for _ in range(CALLS):
        call()
    # Python itself moves by a few hundred bytes. What leaked in each call would be 16 bytes times the calls at least,
    # and in these programs (arrays of floats) far more.
    assert allocated() - before < 16 * CALLS
