"""Native functions as kernels: from memory to memory, with kernels for their derivatives, and of these again.

A kernel is a function `void kernel(ptr inputs…, ptr outputs…, i64 statics…)` that reads its inputs, fills its outputs
and changes nothing else. Arrays and floating-point numbers are memory; integers by value and the extents of arrays are
`statics`. This is what other frameworks call: pointers and integers, with nothing of Python about them.

The one of a `Pure` function is written around it, in LLVM IR; those of its derivatives are written around the sweeps
that the machine level makes of that. Since each is of the same form, derivatives of any order are.
"""

from __future__ import annotations

import hashlib
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from typing import Any, TypeVar

import numpy as np

from gradir.errors import InputError, NeedsShadow, RequestError
from gradir.machine import jit, llvm
from gradir.machine.analysis.languages.derived_types import CFI_TYPES, CFI_VERSION
from gradir.machine.ir.text.reader import read
from gradir.machine.jit.signature import Argument, Array, Descriptor, Pointer, Scalar, View
from gradir.machine.passes.inner import as_program
from gradir.machine.rules.registry import Registry
from gradir.native.engine import Engine, as_program_name, definition
from gradir.native.function import NativeFunction, raised
from gradir.native.pure import Pure, Shaped, element_of, is_fortran
from gradir.native.state import State
from gradir.request import Activity, Mode, Request

__all__ = ["Form", "Kernel", "Layout", "Lines", "Mask", "Spec", "kernel_of"]

Mask = tuple[bool, ...]
"""Which of some inputs or outputs are meant."""

T = TypeVar("T")


@dataclass(frozen=True)
class Spec:
    """One input or output: its type, and which statics are multiplied for its number of elements (none: a number)."""

    name: str
    dtype: np.dtype[Any]
    extents: tuple[int, ...] = ()
    fortran: bool = False
    """Whether the first dimension's elements lie side by side."""

    @property
    def is_float(self) -> bool:
        return self.dtype.kind == "f"


@dataclass(frozen=True)
class Form:
    """What a call of a kernel is besides memory: the shapes of its outputs, and the statics."""

    outs: tuple[tuple[int, ...], ...]
    statics: tuple[int, ...]

    def giving(self, shapes: Sequence[tuple[int, ...]], chosen: Mask) -> Form:
        """The same with other outputs, of those shapes that are chosen: what a derivative's call is.

        A vjp gives what has the shapes of active inputs, a jvp what has those of float outputs.
        """
        return Form(tuple(tuple(s) for s in compress(shapes, chosen)), self.statics)


class Kernel:
    """A compiled kernel. `call` takes addresses and statics; frameworks ask for `vjp` and `jvp`."""

    def __init__(
        self,
        engine: Engine,
        module: str,
        writer: _Writer,
        name: str,
        level: int = 0,
    ) -> None:
        """`module` is the text of what the kernel calls, and `writer` knows the kernel's own."""
        self.engine, self.module, self.writer = engine, module, writer
        self.symbol, self.ins, self.outs, self.statics = writer.symbol, writer.ins, writer.outs, writer.statics
        self.has_status = writer.has_status
        self.level = level
        self.name = name
        self._made: dict[Any, Kernel] = {}
        self._lock = threading.RLock()

    def __repr__(self) -> str:
        return f"<kernel {self.name}({', '.join(s.name for s in self.ins)}) -> {', '.join(s.name for s in self.outs)}>"

    @cached_property
    def text(self) -> str:
        """The module with the kernel, to be compiled."""
        written = _with(self.module, self.writer.text())
        if self.level:
            return written
        known = self.engine.state
        shared = State(read(written), known).of(self.symbol) if known.names else ()
        return str(llvm.prepare(llvm.parse(written), [self.symbol, *shared]))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """LLVM's types of what is passed: inputs, outputs, statics, and where Numba tells that it failed."""
        pointers = len(self.ins) + len(self.outs)
        return ("ptr",) * pointers + ("i64",) * self.statics + ("ptr",) * self.has_status

    @property
    def entry(self) -> jit.Entry:
        return jit.Entry(self.symbol, self.parameters)

    @cached_property
    def float_ins(self) -> Mask:
        """Which inputs one can differentiate by."""
        return tuple(s.is_float for s in self.ins)

    @cached_property
    def float_outs(self) -> Mask:
        """Which outputs have derivatives."""
        return tuple(s.is_float for s in self.outs)

    @cached_property
    def digest(self) -> str:
        """What tells it from any other kernel, in any process."""
        return hashlib.sha256(f"{self.symbol}\n{self.text}".encode()).hexdigest()[:24]

    @cached_property
    def call(self) -> jit.Call:
        """The compiled code: addresses of inputs and of outputs, statics -> nothing."""
        return self.library[self.symbol]

    @cached_property
    def library(self) -> jit.Library:
        with self._lock:
            return self.engine.library(self.text, self.entry)

    def run(self, ins: Sequence[int], outs: Sequence[int], statics: Sequence[int]) -> None:
        """Call it on addresses."""
        if not self.has_status:
            self.call(*ins, *outs, *statics)
            return
        status = np.zeros(1, np.int32)
        self.call(*ins, *outs, *statics, status.ctypes.data)
        if status[0]:
            raise raised(self.name)

    def run_many(self, addresses: Sequence[int], steps: Sequence[int], count: int, statics: Sequence[int]) -> None:
        """Call it on many blocks of memory that follow each other by these steps."""
        if not self.has_status:
            self.call.many(count, steps, *addresses, *statics)
            return
        status = np.zeros(1, np.int32)
        at = status.ctypes.data
        self.call.many(count, steps, *addresses, *statics, at, status=at)
        if status[0]:
            raise raised(self.name)

    # -- Derivatives

    def vjp(self, active: Mask) -> Kernel:
        """`(inputs…, cotangents of float outputs…) -> gradients of the active inputs…`."""
        return self._derived(Mode.reverse, active)

    def jvp(self, active: Mask) -> Kernel:
        """`(inputs…, tangents of the active inputs…) -> tangents of float outputs…`."""
        return self._derived(Mode.forward, active)

    def vjp_ins(self, ins: Sequence[T], outs: Sequence[T]) -> tuple[T, ...]:
        """For each input of a vjp what is said of the input or output that it belongs to: shapes, say, or batches."""
        return (*ins, *compress(outs, self.float_outs))

    def jvp_ins(self, ins: Sequence[T], active: Mask) -> tuple[T, ...]:
        """The same for each input of a jvp."""
        return (*ins, *compress(ins, active))

    def _derived(self, mode: Mode, active: Mask) -> Kernel:
        with self._lock:
            key = (mode, active)
            if key not in self._made:
                self._made[key] = self._derive(mode, active)
            return self._made[key]

    @cached_property
    def _source(self) -> Engine:
        """The module that derivatives are made from: with what a derivative keeps in memory of its own."""
        module, sweep = self.module, ""
        if isinstance(self.writer, _SweepWriter):
            module, sweep = as_program(module, self.level), as_program_name(self.writer.sweep, self.level)
        return self.engine.extended(_with(module, self.writer.text(sweep)), Registry())

    def _derive(self, mode: Mode, active: Mask) -> Kernel:
        from gradir.machine.transform.derive import Options

        for spec, chosen in zip(self.ins, active, strict=True):
            if chosen and not spec.is_float:
                raise RequestError(f"{self.name}: there is no derivative by '{spec.name}', of type {spec.dtype}")
        shadows = [*active, *self.float_outs]
        scratch: set[int] = set()
        while True:
            marks = [Activity.dup if s or i in scratch else Activity.const for i, s in enumerate(shadows)]
            marks += [Activity.const] * (len(self.parameters) - len(marks))
            request = Request(self.symbol, mode, tuple(marks), ())
            try:
                text, sweep = self._source.derived(self.symbol, [request], Options(noalias=True))
                break
            except NeedsShadow as needed:
                if needed.argument >= len(shadows) or needed.argument in scratch:
                    raise
                scratch.add(needed.argument)
        name = f"{'vjp' if mode is Mode.reverse else 'jvp'} of {self.name}"
        return Kernel(self._source, text, _SweepWriter(self, mode, active, scratch, sweep), name, self.level + 1)


class _Writer(ABC):
    """Writes a kernel as LLVM IR."""

    symbol: str
    ins: Sequence[Spec]
    outs: Sequence[Spec]
    statics: int
    has_status: bool

    @abstractmethod
    def body(self, sweep: str) -> _Body:
        """The code. The `sweep` of a derivative is called by that name."""

    def text(self, sweep: str = "") -> str:
        body = self.body(sweep)
        for block in body.blocks:
            body.add(f"call void @free(ptr {block})")
        own = [f"ptr %i{k}" for k in range(len(self.ins))] + [f"ptr noalias %o{k}" for k in range(len(self.outs))]
        own += [f"i64 %s{k}" for k in range(self.statics)] + ["ptr %status"] * self.has_status
        # Copies stay loops: LLVM would make them calls that move bytes of unknown type.
        define = f'\ndefine void @"{self.symbol}"({", ".join(own)}) "no-builtin-memcpy" "no-builtin-memmove" {{'
        return "\n".join([define, "entry:", *body.lines, "  ret void", "}\n"])


class _SweepWriter(_Writer):
    """Writes the kernel of a derivative around a sweep, which adds to shadows and leaves cotangents as zero."""

    def __init__(self, kernel: Kernel, mode: Mode, active: Mask, scratch: set[int], sweep: str) -> None:
        self.kernel, self.mode, self.sweep = kernel, mode, sweep
        self.statics, self.has_status = kernel.statics, kernel.has_status
        marks = "".join("01"[a] for a in active)
        self.symbol = (
            f"bridge{kernel.level + 1}.{'vjp' if mode is Mode.reverse else 'jvp'}{marks}.{_plain(kernel.name)}"
        )
        self.active, self.scratch = active, scratch
        chosen, floats = list(compress(kernel.ins, active)), list(compress(kernel.outs, kernel.float_outs))
        if mode is Mode.reverse:
            self.ins = [*kernel.ins, *(replace(s, name=f"ct_{s.name}") for s in floats)]
            self.outs = [replace(s, name=f"d_{s.name}") for s in chosen]
        else:
            self.ins = [*kernel.ins, *(replace(s, name=f"d_{s.name}") for s in chosen)]
            self.outs = [replace(s, name=f"d_{s.name}") for s in floats]

    def body(self, sweep: str) -> _Body:
        kernel, reverse = self.kernel, self.mode is Mode.reverse
        n = len(kernel.ins)
        body = _Body()
        extra_in, extra_out = iter(range(n, len(self.ins))), iter(range(len(self.outs)))
        passed: list[str] = []
        for i, spec in enumerate(kernel.ins):
            passed.append(f"ptr %i{i}")
            if self.active[i]:
                shadow = f"%o{next(extra_out)}" if reverse else f"%i{next(extra_in)}"
                if reverse:
                    body.clear(shadow, body.size(spec))
                passed.append(f"ptr {shadow}")
            elif i in self.scratch:
                passed.append(f"ptr {body.zeroed(spec)}")
        for o, spec in enumerate(kernel.outs):
            passed.append(f"ptr {body.block(spec)}")
            if spec.is_float:
                if reverse:
                    place = body.block(spec)
                    body.copy(place, f"%i{next(extra_in)}", spec)
                else:
                    place = f"%o{next(extra_out)}"
                    body.clear(place, body.size(spec))
                passed.append(f"ptr {place}")
            elif n + o in self.scratch:
                passed.append(f"ptr {body.zeroed(spec)}")
        passed += [f"i64 %s{k}" for k in range(kernel.statics)] + ["ptr %status"] * kernel.has_status
        # Inlined, so that what the sweep writes and nobody reads needs no memory.
        body.add(f'call void @"{sweep or self.sweep}"({", ".join(passed)}) alwaysinline')
        return body


class Lines:
    """Lines of LLVM IR, whose values are numbered."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._count = 0

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def add(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def fresh(self, made: str) -> str:
        """A new value."""
        self._count += 1
        self.add(f"%v{self._count} = {made}")
        return f"%v{self._count}"

    def at(self, base: str, offset: int) -> str:
        """The address so many bytes behind another."""
        return self.fresh(f"getelementptr i8, ptr {base}, i64 {offset}") if offset else base

    def load(self, type: str, base: str, offset: int = 0) -> str:
        return self.fresh(f"load {type}, ptr {self.at(base, offset)}")

    def store(self, type: str, value: str, base: str, offset: int = 0) -> None:
        self.add(f"store {type} {value}, ptr {self.at(base, offset)}")

    def clear(self, place: str, size: str) -> None:
        self.add(f"call void @llvm.memset.p0.i64(ptr {place}, i8 0, i64 {size}, i1 false)")


class _Body(Lines):
    """The lines of a kernel's code."""

    def __init__(self) -> None:
        super().__init__()
        self.blocks: list[str] = []
        self._sizes: dict[tuple[tuple[int, ...], int], str] = {}

    def size(self, spec: Spec) -> str:
        """How many bytes it takes."""
        key = spec.extents, spec.dtype.itemsize
        if key not in self._sizes:
            found = str(spec.dtype.itemsize)
            for k in spec.extents:
                found = self.fresh(f"mul nsw i64 {found}, %s{k}")
            self._sizes[key] = found
        return self._sizes[key]

    def block(self, spec: Spec) -> str:
        """Memory for it, given back at the end."""
        if not spec.extents:
            return self.fresh(f"alloca [{max(spec.dtype.itemsize, 8)} x i8], align 16")
        self.blocks.append(self.fresh(f"call ptr @malloc(i64 {self.size(spec)})"))
        return self.blocks[-1]

    def zeroed(self, spec: Spec) -> str:
        block = self.block(spec)
        self.clear(block, self.size(spec))
        return block

    def copy(self, to: str, source: str, spec: Spec) -> None:
        """Element by element: so it is seen in any derivative what they are."""
        kind = _LLVM_TYPES[spec.dtype.str[1:]]
        if not spec.extents:
            self.store(kind, self.load(kind, source), to)
            return
        count = "1"
        for k in spec.extents:
            count = self.fresh(f"mul nsw i64 {count}, %s{k}")
        self._count += 1
        at = f"copy{self._count}"
        self.add(f"br label %{at}.from")
        self.lines += [f"{at}.from:", f"  br label %{at}.head", f"{at}.head:"]
        self.add(f"%{at} = phi i64 [ 0, %{at}.from ], [ %{at}.next, %{at}.body ]")
        self.add(f"%{at}.more = icmp slt i64 %{at}, {count}")
        self.add(f"br i1 %{at}.more, label %{at}.body, label %{at}.end")
        self.lines.append(f"{at}.body:")
        read, write = (self.fresh(f"getelementptr inbounds {kind}, ptr {p}, i64 %{at}") for p in (source, to))
        self.store(kind, self.load(kind, read), write)
        self.add(f"%{at}.next = add nuw nsw i64 %{at}, 1")
        self.add(f"br label %{at}.head")
        self.lines.append(f"{at}.end:")


_LLVM_TYPES = {"f2": "half", "f4": "float", "f8": "double", "b1": "i8"}
_LLVM_TYPES |= {f"{letter}{size}": f"i{8 * size}" for letter in "iu" for size in (1, 2, 4, 8)}


_DECLARED = {
    "malloc": "declare noalias ptr @malloc(i64)",
    "free": "declare void @free(ptr)",
    "llvm.memset.p0.i64": "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
}


def _with(text: str, function: str) -> str:
    """A module with one more function, and declarations of what that calls."""
    known = read(text).functions
    return "\n".join([text, *(line for name, line in _DECLARED.items() if name not in known), function])


# -- The kernel of a function ----------------------------------------------------------------------------------------


class Layout:
    """Which of a native function's arguments are a kernel's inputs, outputs and statics, and what a call passes."""

    def __init__(self, pure: Pure) -> None:
        self.pure = pure
        function = pure.function
        self.tensors: list[int] = []
        """Arguments that are inputs of the kernel."""
        self.numbers: list[int] = []
        """Arguments that are integers by value, or such by reference that are not written."""
        for i, argument in enumerate(function.arguments):
            if i in pure.fresh:
                continue
            is_number = _is_plain_integer(argument) and i not in pure.written
            (self.numbers if is_number else self.tensors).append(i)
        self.given = tuple(i for i in self.tensors if i in pure.inputs)
        """The kernel's inputs that the caller gives; others have fixed values."""
        self.integers = tuple(i for i in self.numbers if i in pure.inputs)
        """The integers that the caller gives."""
        places = {i: at for at, i in enumerate((*pure.inputs, *(i for i in self.tensors if i not in pure.inputs)))}
        self.places = [places[i] for i in self.tensors], [places[i] for i in self.integers]
        """Where the kernel's inputs and the integers are among what the caller gives and, after that, what is fixed."""
        for i in pure.written:
            self._element(i)
        self.extents: dict[int, tuple[int, ...]] = {}
        count = 0
        for i in sorted({*self.tensors, *pure.written}):
            rank = _rank(function.arguments[i])
            self.extents[i] = tuple(range(count, count + rank))
            count += rank
        self.count = count + len(self.numbers)

    def _element(self, i: int) -> Scalar:
        function = self.pure.function
        element = element_of(function.arguments[i])
        if element is None or element.dtype is None or element.kind not in "fiub" or element.dtype.itemsize > 8:
            raise RequestError(
                f"{function.name}: '{function.arguments[i]}' can't be passed from here",
                hint="numbers and arrays of numbers can; write a function around it that takes those",
            )
        return element

    def spec(self, i: int) -> Spec:
        argument, element = self.pure.function.arguments[i], self._element(i)
        assert element.dtype is not None
        return Spec(argument.name, element.dtype, self.extents[i], is_fortran(argument))

    @cached_property
    def ins(self) -> list[Spec]:
        return [self.spec(i) for i in self.tensors]

    @cached_property
    def result(self) -> Spec | None:
        kind = self.pure.function.signature.result
        if kind is None:
            return None
        if not isinstance(kind, Scalar) or kind.dtype is None or kind.kind not in "fiub" or kind.dtype.itemsize > 8:
            raise RequestError(f"{self.pure.function.name}: its result, of type {kind}, can't be passed from here")
        return Spec("result", kind.dtype)

    @cached_property
    def outs(self) -> list[Spec]:
        """What the function returns, then what it writes and is asked for."""
        return [*([] if self.result is None else [self.result]), *(self.spec(i) for i in self.pure.outputs)]

    @cached_property
    def fixed(self) -> dict[int, Any]:
        """The kernel's inputs that have fixed values."""
        for i in set(self.tensors) - set(self.given):
            if callable(self.pure.rules[i]):
                name = self.pure.function.arguments[i].name
                raise RequestError(
                    f"{self.pure.function.name}: '{name}' is no integer, so it can't be computed from shapes",
                    hint="let the caller give it",
                )
        return {i: self.pure.rules[i] for i in self.tensors if i not in self.given}

    def passed(self, args: Sequence[Any], fixed: Iterable[Any]) -> tuple[list[Any], list[Any]]:
        """The values of the kernel's inputs, of what the caller gives and what is `fixed`, and the integers."""
        if len(args) != len(self.pure.inputs):
            raise self.miscounted(args)
        values = (*args, *fixed)
        tensors, integers = self.places
        return [values[k] for k in tensors], [values[k] for k in integers]

    def miscounted(self, args: Sequence[Any]) -> InputError:
        pure = self.pure
        return InputError(f"{pure.function.name} takes {', '.join(pure.names)}, and {len(args)} arguments came")

    def form(self, shapes: Sequence[tuple[int, ...]], integers: Sequence[int]) -> Form:
        """What a call passes besides memory, for inputs of these shapes."""
        by_index: dict[int, tuple[int, ...]] = dict(zip(self.tensors, shapes, strict=True))
        values: dict[int, Any] = dict(zip(self.integers, integers, strict=True))
        known = {**{i: Shaped(by_index[i]) for i in self.given}, **values}
        for i, found in self.pure.resolved([known[i] for i in self.pure.inputs]).items():
            if i in self.pure.fresh:
                by_index[i] = found
            else:
                values[i] = found
        statics: list[int] = []
        for i in self.extents:
            statics += self._extents(i, by_index[i])
        statics += [self._integer(i, values[i]) for i in self.numbers]
        outs = [by_index[i] for i in self.pure.outputs]
        return Form(tuple([()] * (self.result is not None) + outs), tuple(statics))

    def _extents(self, i: int, shape: tuple[int, ...]) -> Iterator[int]:
        argument = self.pure.function.arguments[i]
        rank = len(self.extents[i])
        if isinstance(argument.type, View) or isinstance(argument.pointee, Descriptor):
            if len(shape) != rank:
                raise RequestError(
                    f"{self.pure.function.name}: '{argument}' must have {rank} dimensions, not {len(shape)}"
                )
            fixed = argument.type.extents if isinstance(argument.type, View) else ()
            if any(n is not None and n != shape[d] for d, n in enumerate(fixed)):
                raise RequestError(f"{self.pure.function.name}: '{argument}' must have the shape {fixed}, not {shape}")
            yield from shape
            return
        size = math.prod(shape)
        self._check_size(i, size)
        if rank:
            yield size

    def _check_size(self, i: int, size: int) -> None:
        function = self.pure.function
        argument, element = function.arguments[i], self._element(i)
        assert element.dtype is not None
        if isinstance(argument.type, Scalar) and size != 1:
            raise RequestError(f"{function.name}: '{argument}' is one number, not {size} of them")
        least = function.parameters[function.slots[i].start].minimum_bytes // element.dtype.itemsize
        if isinstance(argument.pointee, Array) and argument.by_reference and None not in argument.pointee.extents:
            least = max(least, int(np.prod([n or 0 for n in argument.pointee.extents])))
        if size < least:
            raise RequestError(f"{function.name}: '{argument}' must have at least {least} elements, not {size}")

    def _integer(self, i: int, value: Any) -> int:
        function = self.pure.function
        element = self._element(i)
        try:
            number = value.__index__()
        except (AttributeError, TypeError):
            raise RequestError(
                f"{function.name}: '{function.arguments[i]}' must be an integer known beforehand, "
                f"not a {type(value).__name__}"
            ) from None
        low, high = (
            (0, 1 << element.bits) if element.kind in "ub" else (-(1 << element.bits - 1), 1 << element.bits - 1)
        )
        if not low <= number < high:
            raise RequestError(
                f"{function.name}: '{function.arguments[i]}' must be from {low} to {high - 1}, not {number}"
            )
        return int(number) if number < 1 << 63 else int(number) - (1 << 64)


def _is_plain_integer(argument: Argument) -> bool:
    kind = argument.type
    return isinstance(kind, Scalar) and kind.kind in "iub"


def _rank(argument: Argument) -> int:
    """How many extents are passed for an argument: for plain memory the number of its elements."""
    if isinstance(argument.type, View):
        return argument.type.rank
    match argument.pointee:
        case Descriptor(rank=rank):
            return rank
        case None:
            return 0
        case Scalar() if argument.by_reference:
            return 0
    return 1


def kernel_of(layout: Layout) -> Kernel:
    """The kernel of a native function."""
    function = layout.pure.function
    engine: Engine = function._engine
    return Kernel(engine, engine.text, _FunctionWriter(layout, engine), function.name)


class _FunctionWriter(_Writer):
    """Writes the kernel of a native function around it."""

    def __init__(self, layout: Layout, engine: Engine) -> None:
        self.layout = layout
        self.function: NativeFunction = layout.pure.function
        signature = self.function.signature
        self.symbol = f"bridge.{_plain(signature.symbol)}"
        self.ins, self.outs, self.statics = layout.ins, layout.outs, layout.count
        self.has_status = len(self.function.arguments) != len(signature.arguments)
        self.given, self.result = definition(engine.module, signature.symbol)
        self.code = _Body()

    def body(self, sweep: str) -> _Body:
        layout = self.layout
        body = self.code = _Body()
        first = int(layout.result is not None)
        places: dict[int, str] = {i: f"%i{k}" for k, i in enumerate(layout.tensors)}
        asked_for = {i: f"%o{first + k}" for k, i in enumerate(layout.pure.outputs)}
        for i in layout.pure.written:
            place = asked_for.get(i) or body.block(layout.spec(i))
            if i in places:
                body.copy(place, places[i], layout.spec(i))
            else:
                body.clear(place, body.size(layout.spec(i)))
            places[i] = place
        numbers = {i: f"%s{layout.count - len(layout.numbers) + k}" for k, i in enumerate(layout.numbers)}
        passed: list[str] = []
        for i, slot in enumerate(self.function.slots[: len(self.function.arguments)]):
            kinds = [" ".join([p.type, *_attributes(p)]) for p in self.given[slot]]
            values = self._number(i, numbers[i]) if i in numbers else self._memory(i, places[i])
            passed += [f"{kind} {value}" for kind, value in zip(kinds, values, strict=True)]
        passed += ["ptr %status"] * self.has_status
        call = f'call {self.result} @"{self.function.signature.symbol}"({", ".join(passed)})'
        if self.result == "void":
            body.add(call)
        else:
            value = body.fresh(call)
            if layout.result is not None:
                self._store(value)
        return body

    def _store(self, value: str) -> None:
        if self.result == "i1":
            self.code.store("i8", self.code.fresh(f"zext i1 {value} to i8"), "%o0")
        else:
            self.code.store(self.result, value, "%o0")

    def _number(self, i: int, static: str) -> list[str]:
        """An integer, or the address of one."""
        argument = self.function.arguments[i]
        kind = self.given[self.function.slots[i].start].type
        if argument.pointee is None:
            return [static if kind == "i64" else self.code.fresh(f"trunc i64 {static} to {kind}")]
        bits = f"i{self.layout._element(i).bits}"
        place = self.code.fresh(f"alloca {bits}")
        value = static if bits == "i64" else self.code.fresh(f"trunc i64 {static} to {bits}")
        self.code.store(bits, value, place)
        return [place]

    def _memory(self, i: int, place: str) -> list[str]:
        """What is passed for memory, or for a number that lies there."""
        argument, body = self.function.arguments[i], self.code
        extents = [f"%s{k}" for k in self.layout.extents[i]]
        if isinstance(argument.type, View):
            strides = self._strides(i) if argument.type.order == "A" else []
            return [place, *extents, *strides]
        if argument.pointee is None:
            return [body.load(self.given[self.function.slots[i].start].type, place)]
        if isinstance(argument.pointee, Descriptor):
            return [self._descriptor(i, place)]
        if isinstance(argument.pointee, (Pointer, View)):
            raise RequestError(f"{self.function.name}: '{argument}' can't be passed from here")
        return [place]

    def _strides(self, i: int) -> list[str]:
        """In bytes, of memory without gaps."""
        spec = self.layout.spec(i)
        step, found = str(spec.dtype.itemsize), []
        order = spec.extents if spec.fortran else spec.extents[::-1]
        for k in order:
            found.append(step)
            step = self.code.fresh(f"mul nsw i64 {step}, %s{k}")
        return found if spec.fortran else found[::-1]

    def _descriptor(self, i: int, place: str) -> str:
        """Fortran's description of an array (CFI_cdesc_t), whose fields are stored one by one."""
        spec, body = self.layout.spec(i), self.code
        rank = len(spec.extents)
        made = body.fresh(f"alloca {{ ptr, i64, i32, i8, i8, i8, i8, [{rank} x [3 x i64]] }}, align 8")
        kind = CFI_TYPES.get(f"{spec.dtype.kind}{spec.dtype.itemsize}", -1)
        body.store("ptr", place, made)
        body.store("i64", str(spec.dtype.itemsize), made, 8)
        body.store("i32", str(CFI_VERSION), made, 16)
        for at, value in zip(range(20, 24), (rank, kind, 0, 0), strict=True):
            body.store("i8", str(value), made, at)
        for k, (extent, stride) in enumerate(zip(spec.extents, self._strides(i), strict=True)):
            for j, number in enumerate(("1", f"%s{extent}", stride)):
                body.store("i64", number, made, 24 + 24 * k + 8 * j)
        return made


def _plain(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._" else "_" for c in name)


def _attributes(parameter: Any) -> list[str]:
    return [said for said in parameter.said if said.startswith(("zeroext", "signext"))]
