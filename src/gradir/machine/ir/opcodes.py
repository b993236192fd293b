"""What each instruction is, in one table: what it says of types, where its derivative comes from, how it is repeated.

Every floor asks here instead of having a list of its own, so a new instruction begins with a line of this table
(`docs/architecture.md` has the whole checklist, and a test holds the table against the code). The columns:

form        how it is written: `unary`, `binary` and `cast` are read alike, what is `own` has a reader of its own

types       what it says of integers that it takes or gives
            .          nothing
            number     they are numbers: arithmetic
            bits       they are bits, of numbers or of floats
            move       they are what its operands are
            own        type evidence has code for it: accesses, addresses, calls

derivative  what a small change of its operands does to its result
            rule       a formula in `rules/`
            convert    the same number in another precision
            move       the result is made of its operands as they are
            mask       the bits of a float are changed: signs, rounding, choices, the next one
                       (`analysis/bits/operations.py`)
            count      none, but for numbers that are made of the digits of floats (`analysis/bits/counts.py`)
            integer    none as an integer, but the bits of a float may be in it (`analysis/bits/taint.py`)
            memory     it reads or writes memory
            call       it is what the callee is
            none       nothing, almost everywhere: comparisons, conversions to integers, addresses
            flow       it has no result: it tells where to go on
            refused    it is not known, and refused where it would matter

again       `again` if the reverse sweep may compute it once more from its operands
lanes       `lanes` if each lane of its result depends on that lane of its operands alone
finite      `finite` if it makes numbers of numbers, and has slopes that are numbers
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["OPCODES", "Opcode"]

_TABLE = """
                                                        form    types   derivative  again   lanes   finite
fneg                                                    unary   .       rule        again   lanes   finite
fadd fsub fmul                                          binary  .       rule        again   lanes   finite
fdiv                                                    binary  .       rule        again   lanes   -
frem                                                    binary  .       rule        -       lanes   -
add sub                                                 binary  bits    mask        again   lanes   -
mul                                                     binary  number  integer     again   lanes   -
udiv sdiv urem srem                                     binary  number  integer     again   -       -
and or xor                                              binary  bits    mask        again   lanes   -
shl lshr ashr                                           binary  bits    integer     again   lanes   -
icmp                                                    own     bits    none        again   lanes   -
fcmp                                                    own     .       none        again   lanes   -
fptrunc fpext                                           cast    .       convert     again   lanes   finite
fptoui fptosi                                           cast    number  none        again   lanes   -
uitofp sitofp                                           cast    number  count       again   lanes   -
sext                                                    cast    number  integer     again   lanes   -
trunc zext                                              cast    bits    integer     again   lanes   -
ptrtoint ptrtoaddr                                      cast    bits    none        again   -       -
inttoptr addrspacecast                                  cast    own     none        again   -       -
bitcast                                                 cast    own     move        again   -       finite
freeze select                                           own     move    move        again   lanes   finite
phi                                                     own     move    move        -       lanes   -
extractelement insertelement shufflevector              own     move    move        again   -       finite
extractvalue insertvalue                                own     own     move        again   -       finite
getelementptr                                           own     own     none        again   -       -
load store atomicrmw cmpxchg                            own     own     memory      -       -       -
alloca                                                  own     own     none        -       -       -
call invoke                                             own     own     call        -       -       -
fence                                                   own     .       none        -       -       -
ret                                                     own     own     flow        -       -       -
br indirectbr unreachable resume                        own     .       flow        -       -       -
switch                                                  own     number  flow        -       -       -
landingpad                                              own     .       none        -       -       -
va_arg                                                  own     .       refused     -       -       -
"""

Form = Literal["unary", "binary", "cast", "own"]
Types = Literal[".", "number", "bits", "move", "own"]
Derivative = Literal[
    "rule", "convert", "move", "mask", "count", "integer", "memory", "call", "none", "flow", "refused"
]


@dataclass(frozen=True)
class Opcode:
    """A line of the table, for one instruction."""

    name: str
    form: Form
    types: Types
    derivative: Derivative
    again: bool
    lanewise: bool
    finite: bool

    @property
    def moves(self) -> bool:
        """Whether its result is made of its operands as they are."""
        return self.derivative == "move"

    @property
    def keeps_bits(self) -> bool:
        """Whether the bits of its operands are in its result, in some way."""
        return self.derivative in ("move", "mask", "integer")


def _rows() -> dict[str, Opcode]:
    found = {}
    for line in _TABLE.strip().splitlines()[1:]:
        *names, form, types, derivative, again, lanes, finite = line.split()
        for name in names:
            flags = (again == "again", lanes == "lanes", finite == "finite")
            found[name] = Opcode(name, form, types, derivative, *flags)  # type: ignore[arg-type]
    return found


OPCODES = _rows()
"""All instructions that are read, by name.

>>> OPCODES["fadd"].derivative, OPCODES["xor"].derivative, OPCODES["load"].again
('rule', 'mask', False)
"""
