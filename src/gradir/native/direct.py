"""Calls with arguments as they nearly always are, by a Python function that is written for them.

Numbers that are Python's own and NumPy arrays of the right type, without gaps, that don't overlap: all that is left to
do is to compare a few things, to make room for shadows, and to jump. What would be a dozen calls in Python is one,
whose text is made here once for each derivative. For any other argument it hands over to the general way, which has all
that can be said of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from gradir.machine.jit.arguments import address_of, integer_limits
from gradir.machine.jit.signature import Scalar, View

if TYPE_CHECKING:
    from gradir.machine.jit import Call
    from gradir.native.function import NativeFunction
    from gradir.request import Slot

__all__ = ["Direct", "direct_call", "gives_plain"]


@dataclass
class Direct:
    """The text of a function of a call's values, `x0, x1, …`, as it is written."""

    function: NativeFunction
    tests: list[str] = field(default_factory=list)
    """What must hold of the values, in order."""
    lines: list[str] = field(default_factory=list)
    """What is done then."""
    names: dict[str, Any] = field(default_factory=dict)
    """What the text refers to."""
    arrays: list[int] = field(default_factory=list)
    """The arguments that are memory."""
    shadows: dict[int, str] = field(default_factory=dict)
    """Of arguments that carry one: the variable that holds the shadow, or the tangent of a number."""
    count: int = 0
    """How many values there are."""

    def take(self, name: str, kind: Any, least: int = 0, writes: bool = False, rank: int | None = None) -> bool:
        """Test that a value is a plain one: a number of a kind, or an array of a type. Whether that can be tested."""
        if isinstance(kind, np.dtype):
            self.names[f"type_of_{name}"] = kind
            self.tests += [f"type({name}) is ndarray", f"{name}.dtype is type_of_{name}", f"{name}.flags.c_contiguous"]
            self.tests += [f"{name}.ndim"] if rank is None else [f"{name}.ndim == {rank}"]
            self.tests += [f"{name}.nbytes >= {least}"] * bool(least) + [f"{name}.flags.writeable"] * writes
            return rank != 0
        if kind == "f":
            self.tests.append(f"type({name}) is float")
            return True
        if isinstance(kind, Scalar) and kind.kind in "iu":
            low, high = integer_limits(kind)
            self.tests.append(f"type({name}) is int and {low} <= {name} < {high}")
            return True
        return False

    def take_arguments(self) -> bool:
        """Test all arguments of the function. Whether all of them are of kinds that are plain."""
        function = self.function
        if len(function.arguments) != len(function.signature.arguments) or function.holds_pointers:
            return False
        for i, (argument, slot) in enumerate(zip(function.arguments, function.slots, strict=True)):
            kind, first = argument.type, function.parameters[slot.start]
            if isinstance(kind, Scalar) and argument.pointee is None:
                is_float = kind.kind == "f" and first.type in ("double", "float", "half")
                fits = self.take(f"x{i}", "f" if is_float else kind)
            else:
                is_view = isinstance(kind, View)
                element = kind.element if isinstance(kind, View) else argument.pointee
                if not isinstance(element, Scalar) or element.dtype is None:
                    return False
                if isinstance(kind, View) and (kind.order != "C" or any(n is not None for n in kind.extents)):
                    return False
                least = max(first.minimum_bytes, element.dtype.itemsize * argument.by_reference)
                rank = kind.rank if isinstance(kind, View) else None
                writes = function.roles[i].writes
                fits = self.take(f"x{i}", element.dtype, 0 if is_view else least, writes, rank)
                self.arrays.append(i)
                self.lines.append(f"a{i} = address_of(x{i})")
            if not fits:
                return False
        self.count = len(function.arguments)
        return True

    def keep_apart(self, otherwise: str) -> None:
        """Leave calls to the general way whose arrays overlap, if one of them is written."""
        roles = self.function.roles
        for i, j in combinations(self.arrays, 2):
            if roles[i].writes or roles[j].writes:
                self.lines.append(f"if a{i} < a{j} + x{j}.nbytes and a{j} < a{i} + x{i}.nbytes: return {otherwise}")

    def take_more(self, i: int | None) -> str | None:
        """Test one more value: a tangent or cotangent of an argument, or of what the function returns."""
        name = f"x{self.count}"
        self.count += 1
        if i is None or i not in self.arrays:
            return name if self.take(name, "f") else None
        self.names[f"type_of_{name}"] = self.names[f"type_of_x{i}"]
        self.tests += [f"type({name}) is ndarray", f"{name}.dtype is type_of_{name}", f"{name}.shape == x{i}.shape"]
        return name

    def begin(self, i: int, given: str | None = None, value: float = 0.0) -> None:
        """Make the shadow of an argument: with what was given for it, or with one number in all of it."""
        if i not in self.arrays:
            self.shadows[i] = given or repr(value)
            return
        self.shadows[i] = f"s{i}"
        zeros = f"(zeros if x{i}.nbytes < {_MANY} else touched_zeros)(x{i}.shape, type_of_x{i})"
        self.lines.append(f"s{i} = {zeros if given is None else f'copy({given})'}")
        if given is None and value:
            self.lines.append(f"s{i}.fill({value!r})")

    def call(self, call: Call, seed: str | None = None) -> None:
        """Call the code with what was made ready; what it gives is `r`."""
        passed = []
        for i, slot in enumerate(self.function.slots):
            is_array = i in self.arrays
            passed.append(f"a{i}" if is_array else f"x{i}")
            if i in self.shadows:
                passed.append(f"address_of({self.shadows[i]})" if is_array else self.shadows[i])
            passed += [f"x{i}.shape[{d}]" for d in range(slot.stop - slot.start - 1)]
        passed += [] if seed is None else [seed]
        self.names["call"] = call
        self.lines.append(f"r = call({', '.join(passed)})")

    def results(self, slots: Sequence[Slot]) -> tuple[str, dict[int, str], str]:
        """Where the call leaves its value, the gradients of numbers, and the tangent of the value."""
        value, gradients, tangent = "None", dict[int, str](), "None"
        for k, (where, index, part) in enumerate(slots):
            found = "r" if len(slots) == 1 else f"r[{k}]"
            if where == "arg":
                gradients[next(i for i, s in enumerate(self.function.slots) if s.start == index)] = found
            elif part == "primal":
                value = found
            else:
                tangent = found
        return value, gradients, tangent

    def written(self, result: str, general: str) -> Callable[..., Any]:
        """The function, which gives `result`; `general` is called in all other cases."""
        values = "".join(f"x{k}, " for k in range(self.count))
        tests = " and ".join(self.tests) or "True"
        lines = [f"if len(values) == {self.count}:", f"    {values}= values" if values else "    pass"]
        lines += [f"    if {tests}:", *(f"        {line}" for line in self.lines), f"        return {result}"]
        body = "\n".join(f"    {line}" for line in [*lines, f"return {general}"])
        known: dict[str, Any] = {"ndarray": np.ndarray, "copy": _copy, "address_of": address_of}
        known |= {"zeros": np.zeros, "touched_zeros": _touched_zeros, **self.names}
        exec(compile(f"def direct(*values):\n{body}\n", f"<call of {self.function.name}>", "exec"), known)
        return known["direct"]  # type: ignore[no-any-return]


_MANY = 1 << 20
"""Bytes from which on an array's pages are touched where it is made."""


def _touched_zeros(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros whose pages are there: threads that touch new ones at the same time wait for each other.

    (A gradient of 16 MB takes 3 ms on two threads, and 8 to 14 where its threads touch them.)
    """
    made = np.empty(shape, dtype)
    made.fill(0)
    return made


def _copy(array: Any) -> Any:
    return array.copy("C")


def gives_plain(function: NativeFunction) -> bool:
    """Whether what a function returns needs nothing to be Python's."""
    result = function.signature.result
    return result is None or (isinstance(result, Scalar) and result.kind == "f" and result.bits in (32, 64))


def direct_call(function: NativeFunction, call: Call, general: Callable[..., Any]) -> Callable[..., Any]:
    """A function itself, for plain arguments."""
    made = Direct(function)
    if not gives_plain(function) or not made.take_arguments():
        return general
    made.call(call)
    made.names["general"] = general
    return made.written("r", "general(*values)")
