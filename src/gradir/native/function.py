"""A native function: called on NumPy arrays without a copy, and differentiated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gradir.errors import BackendError, InputError, RequestError, nearest
from gradir.frontends.numba import STATUS
from gradir.machine.jit.arguments import Binder, Bound, address_of, binder, parameter_count
from gradir.machine.jit.signature import (
    Argument,
    Array,
    Descriptor,
    Parameter,
    Pointer,
    Scalar,
    Several,
    Signature,
    Struct,
    Type,
    View,
    holds_floats,
)

if TYPE_CHECKING:
    from gradir.machine.jit import Call
    from gradir.native.derivative import Derivative
    from gradir.native.engine import Engine, Written
    from gradir.request import Slot

__all__ = ["NativeFunction", "Role", "Wrt", "raised", "result_value", "several"]

Wrt = str | int | Sequence[str | int] | None
"""By which arguments to differentiate: by name or number, several, or None for the first that holds floats."""


def several(which: Wrt) -> tuple[str | int, ...]:
    """What is named or numbered, one or many."""
    if which is None:
        return ()
    return (which,) if isinstance(which, (str, int)) else tuple(which)


def index_of(function: str, arguments: Sequence[Argument], which: str | int) -> int:
    """The number of a function's argument that is named or numbered."""
    names = [a.name for a in arguments]
    if isinstance(which, str):
        if which not in names:
            hint = nearest(which, names, f"its arguments are {', '.join(names) or 'none'}", form="'{}'")
            raise RequestError(f"{function} has no argument '{which}'", hint=hint)
        return names.index(which)
    if not -len(names) <= which < len(names):
        raise RequestError(f"{function} has no argument number {which}", hint=f"it has {len(names)}")
    return which % len(names)


@dataclass(frozen=True)
class Role:
    """What a function does with an argument. `floats` is None where nobody says what its memory holds."""

    reads: bool
    writes: bool
    floats: bool | None
    is_memory: bool

    @property
    def is_input(self) -> bool:
        return self.reads and self.floats is not False

    @property
    def is_output(self) -> bool:
        return self.is_memory and self.writes and self.floats is not False


class NativeFunction:
    """A function of a `NativeModule`.

    Call it as in its own language: arrays are passed by address and written in place, numbers by value, and what it
    returns comes back. Arguments can be named.
    """

    def __init__(self, engine: Engine, signature: Signature) -> None:
        self._engine = engine
        self.signature = signature
        self.sweeps: dict[Any, tuple[Call, list[Slot]]] = {}
        self.curvatures: dict[Any, Call] = {}
        self.scratch: set[int] = set()
        """Arguments that have a shadow only because what is called may write to it."""

    @property
    def name(self) -> str:
        return self.signature.name

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """The arguments that a caller gives."""
        return tuple(a for a in self.signature.arguments if a.name != STATUS)

    def __repr__(self) -> str:
        return f"<gradir.NativeFunction {self.signature}>"

    # -- What it does with its arguments

    @cached_property
    def slots(self) -> tuple[slice, ...]:
        """For each argument, which of LLVM's parameters it is passed in."""
        found, at = [], 0
        for argument in self.signature.arguments:
            found.append(slice(at, at + parameter_count(argument)))
            at += parameter_count(argument)
        return tuple(found)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return self._engine.parameters(self.signature.symbol)

    @cached_property
    def roles(self) -> tuple[Role, ...]:
        """What LLVM's analysis says of each argument, ours where that can't tell, and the source (`const`)."""
        found = []
        for argument, slot in zip(self.arguments, self.slots, strict=False):
            parameter = self.parameters[slot.start]
            is_memory = isinstance(argument.type, View) or argument.pointee is not None
            floats = holds_floats(argument.type if isinstance(argument.type, View) else argument.pointee)
            if isinstance(argument.pointee, Descriptor):
                found.append(Role(True, slot.start in self._written.behind, floats, True))
            elif is_memory:
                nothing = parameter.has("readnone")
                reads = not nothing and not parameter.has("writeonly")
                writes = not nothing and not parameter.has("readonly") and not argument.is_const
                writes = writes and (not reads or slot.start in self._written.at)
                found.append(Role(reads, writes, floats, True))
            else:
                found.append(Role(True, False, holds_floats(argument.type), False))
        return tuple(found)

    @cached_property
    def _written(self) -> Written:
        return self._engine.written(self.signature.symbol)

    @property
    def outputs(self) -> tuple[str, ...]:
        """The pointer arguments that the function writes floats into."""
        return tuple(a.name for a, role in zip(self.arguments, self.roles, strict=True) if role.is_output)

    @cached_property
    def memory(self) -> tuple[int, ...]:
        """The arguments that are memory."""
        return tuple(i for i, role in enumerate(self.roles) if role.is_memory)

    @cached_property
    def written(self) -> tuple[int, ...]:
        """The arguments that the function may write floats into."""
        return tuple(i for i, role in enumerate(self.roles) if role.is_output)

    @cached_property
    def writes(self) -> bool:
        """Whether the function writes into any argument."""
        return any(role.writes for role in self.roles)

    @cached_property
    def structs(self) -> Mapping[int, np.dtype[np.void]]:
        """NumPy's types of the arguments that are structs."""
        return {i: a.pointee.dtype for i, a in enumerate(self.arguments) if isinstance(a.pointee, Struct)}

    @cached_property
    def returns_float(self) -> bool:
        return isinstance(self.signature.result, Scalar) and self.signature.result.kind == "f"

    @cached_property
    def holds_pointers(self) -> bool:
        """Whether arguments lead to memory that can't be checked for overlap."""
        return any(_holds_pointers(a.pointee) for a in self.arguments)

    def index(self, which: str | int) -> int:
        """The number of an argument that is named or numbered."""
        return index_of(self.name, self.arguments, which)

    # -- Calling

    def bind(self, values: Sequence[Any], named: Mapping[str, Any]) -> list[Bound]:
        """Check all arguments of a call."""
        binders = self._binders
        given = self._ordered(values, named) if named or len(values) != len(binders) else values
        bounds = [bind(value) for bind, value in zip(binders, given, strict=True)]
        if self._has_status:
            status = np.zeros(1, np.int32)
            bounds.append(Bound((address_of(status),), status))
        return bounds

    def bind_before(self, values: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Bound], list[Any]]:
        """Check the arguments of a call, and give what stands after them."""
        count = len(self.arguments) - len(named)
        return self.bind(values[:count], named), list(values[count:])

    @cached_property
    def _has_status(self) -> bool:
        return len(self.arguments) != len(self.signature.arguments)

    @cached_property
    def _binders(self) -> list[Binder]:
        slots = zip(self.arguments, self.slots, self.roles, strict=False)
        return [binder(a, self.parameters[slot], self.name, writes=role.writes) for a, slot, role in slots]

    def _ordered(self, values: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
        names = [a.name for a in self.arguments]
        extra = [name for name in named if name not in names[len(values) :]]
        if extra:
            raise InputError(f"{self.name} has no argument '{extra[0]}' left to be named", hint=str(self.signature))
        given = [*values, *(named[name] for name in names[len(values) :] if name in named)]
        if len(given) != len(names):
            raise InputError(f"{self.name} takes {len(names)} arguments, not {len(given)}", hint=str(self.signature))
        return given

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._general(*values, **named) if named else self._direct(*values)

    @cached_property
    def _direct(self) -> Callable[..., Any]:
        """What calls it with plain arguments."""
        from gradir.native.direct import direct_call

        return direct_call(self, self._primal, self._general)

    def _general(self, *values: Any, **named: Any) -> Any:
        bounds = self.bind(values, named)
        result = self._primal(*[value for bound in bounds for value in bound.values])
        if self._has_status:
            self.check_status(bounds)
        return result if type(result) is float else result_value(self.signature.result, result)

    @cached_property
    def _primal(self) -> Call:
        return self._engine.primal(self.signature.symbol)

    def check_status(self, bounds: Sequence[Bound]) -> None:
        """Numba's functions say by a number that they raised an exception."""
        if self._has_status and bounds[-1].array is not None and bounds[-1].array[0] != 0:
            raise raised(self.name)

    # -- Derivatives

    def grad(self, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """Arguments -> gradients of what the function returns (or of the one number that it writes)."""
        from gradir.native.derivative import Grad

        return Grad(self, wrt, outputs, fast)

    def value_and_grad(self, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """Arguments -> (value, gradients)."""
        from gradir.native.derivative import Grad

        return Grad(self, wrt, outputs, fast, value=True)

    def vjp(self, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, cotangents of what it returns and of its outputs) -> (returned value, gradients)."""
        from gradir.native.derivative import Vjp

        return Vjp(self, wrt, outputs, fast)

    def jvp(self, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, tangents of `wrt`) -> (returned value, tangents of what it returns and of its outputs)."""
        from gradir.native.derivative import Jvp

        return Jvp(self, wrt, outputs, fast)

    def jacobian(
        self, wrt: Wrt = None, *, outputs: Wrt = None, mode: str = "auto", width: int = 8, fast: bool = False
    ) -> Derivative:
        """Arguments -> for each output and each of `wrt` an array of the output's shape and then the argument's."""
        from gradir.native.derivative import Jacobian

        return Jacobian(self, wrt, outputs, fast, mode=mode, width=width)

    def hessian(
        self, wrt: Wrt = None, *, outputs: Wrt = None, weighted: bool = False, width: int = 8, fast: bool = False
    ) -> Derivative:
        """Arguments -> for each pair of `wrt` an array of both their shapes.

        It is that of one number; `weighted` that of a sum of all outputs, whose weights come after the arguments.
        """
        from gradir.native.derivative import Hessian

        return Hessian(self, wrt, outputs, fast, width=width, weighted=weighted)

    def hvp(self, wrt: Wrt = None, *, outputs: Wrt = None, fast: bool = False) -> Derivative:
        """(arguments, vectors) -> the Hessian's product with vectors of the shapes of `wrt`."""
        from gradir.native.derivative import HessianProduct

        return HessianProduct(self, wrt, outputs, fast)

    def sparse_jacobian(
        self,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        pattern: Any = None,
        check: bool = True,
        mode: str = "auto",
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> a sparse matrix: a row for each element of the outputs, a column for each of `wrt`."""
        from gradir.native.sparse import Compression, SparseJacobian

        return SparseJacobian(self, wrt, outputs, fast, mode, width, Compression(self.name, pattern, check))

    def sparse_hessian(
        self,
        wrt: Wrt = None,
        *,
        outputs: Wrt = None,
        pattern: Any = None,
        check: bool = True,
        width: int = 8,
        fast: bool = False,
    ) -> Derivative:
        """Arguments -> a sparse symmetric matrix: a row and a column for each element of `wrt`."""
        from gradir.native.sparse import Compression, SparseHessian

        return SparseHessian(self, wrt, outputs, fast, width, Compression(self.name, pattern, check, symmetric=True))


def raised(name: str) -> BackendError:
    """The error of a Numba function that says that it raised an exception."""
    return BackendError(
        f"{name} raised an exception", hint="call the Numba function itself with these arguments to see it"
    )


def result_value(type_: Type | None, value: Any) -> Any:
    """What a call gave, as Python sees it."""
    if isinstance(type_, Several):
        return tuple(result_value(t, v) for t, v in zip(type_.types, value, strict=True))
    if not isinstance(type_, Scalar):
        return value
    if isinstance(value, bytes):
        if type_.is_float:
            return np.frombuffer(value, np.longdouble)[0]
        return int.from_bytes(value, "little", signed=type_.kind == "i")
    if type_.kind == "c" and isinstance(value, tuple):
        return complex(*value)
    if type_.kind == "b":
        return bool(value)
    if type_.kind == "i" and isinstance(value, int) and value >> (type_.bits - 1):
        return value - (1 << type_.bits)
    return value


def _holds_pointers(type_: Type | None) -> bool:
    """Whether memory of a type leads to other memory, which nobody can check for overlap."""
    match type_:
        case Pointer():
            return True
        case Array(element) | Descriptor(element) | View(element):
            return _holds_pointers(element)
        case Struct(members=members):
            return any(_holds_pointers(m.type) for m in members)
    return False
