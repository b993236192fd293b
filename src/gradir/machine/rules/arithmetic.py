"""LLVM's instructions of floating-point arithmetic: each row is the formula."""

from __future__ import annotations

from gradir.machine.rules.rule import partials

partials("fneg", lambda x, r: -1.0)
partials("fadd", lambda x, y, r: 1.0, lambda x, y, r: 1.0)
partials("fsub", lambda x, y, r: 1.0, lambda x, y, r: -1.0)
partials("fmul", lambda x, y, r: y, lambda x, y, r: x)
# 1/y is written twice, and LLVM divides once.
partials("fdiv", lambda x, y, r: 1.0 / y, lambda x, y, r: -(r * (1.0 / y)))
# The quotient is a whole number: x - r loses nothing that counts, where rounding x/y could come out one too high.
partials(
    "frem",
    lambda x, y, r: 1.0,
    lambda x, y, r: -((x - r) / y),
    note="by y: minus the quotient, rounded towards zero",
)
