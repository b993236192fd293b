"""Derivatives of a native function as callables on NumPy arrays.

Each asks the engine for the code of one or more sweeps, gives it the arguments with fresh shadows beside them, and
reads the shadows afterwards. An argument is differentiated through if it is asked for, or if the function writes floats
there: what goes through a workspace must not be lost.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from gradir.errors import InputError, NeedsShadow, OneDirection, RequestError
from gradir.machine.jit.arguments import Bound, NDArray, are_apart, bind_shadow, overlapping, shadow_like, shadows_like
from gradir.machine.jit.signature import Several
from gradir.native.direct import Direct, gives_plain
from gradir.native.function import NativeFunction, Wrt, result_value, several
from gradir.policy import AUTO, Policy, policy_now
from gradir.request import Activity, Mode, Request, Slot, operand_slots, result_slots

if TYPE_CHECKING:
    from gradir.machine import jit
    from gradir.machine.transform.derive import Options

__all__ = ["Derivative", "Grad", "Hessian", "HessianProduct", "Jacobian", "Jvp", "Vjp"]


class Derivative(ABC):
    """What `NativeFunction.grad` and the others give: call it with the function's arguments."""

    kind = "derivative"
    export_name: str | None = None
    """What it is called in files, if not by what it is and of what."""
    _direct: Callable[..., Any] | None = None
    """What calls it with plain arguments, once it has been called."""

    def __init__(self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool = False) -> None:
        self.function = function
        self.fast = fast
        self.policy = policy_now()
        """What loops keep for a reverse sweep: as it was said where the derivative was asked for."""
        self.is_single = wrt is None or isinstance(wrt, (str, int))
        self.wrt = self._wrt(wrt)
        self.outputs = None if outputs is None else tuple(function.index(w) for w in several(outputs))
        for i in self.outputs or ():
            if not function.roles[i].is_output:
                raise RequestError(f"{function.name} writes no floats into '{function.arguments[i].name}'")

    @property
    def name(self) -> str:
        return self.export_name or re.sub(r"\W+", "_", f"{self.kind}_{self.function.name}").strip("_")

    def __repr__(self) -> str:
        names = ", ".join(self.function.arguments[i].name for i in self.wrt)
        return f"<gradir {self.kind} of {self.function.signature} by {names}>"

    def __call__(self, *values: Any, **named: Any) -> Any:
        if named or self._direct is None:
            return self._general(values, named)
        return self._direct(*values)

    @abstractmethod
    def _general(self, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call it with any arguments."""

    def _plain(self, sweep: Sweep) -> Direct | None:
        """What a call like this one is to be written with, if its arguments can be plain ones."""
        if not sweep.noalias or self.function.scratch:
            return None
        made = Direct(self.function)
        if not gives_plain(self.function) or not made.take_arguments():
            return None
        made.names["general"] = self._general
        made.keep_apart(_ELSE)
        return made

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        name: str | None = None,
        noalias: bool = False,
        width: int = 1,
        triple: str = "",
        cpu: str = "",
    ) -> None:
        """Write it as a C function: `.ll`, `.bc`, `.s`, `.o`, `.so` or `.h`, with a header beside an object.

        For `noalias`, `width`, `triple` and `cpu` see `NativeModule.save`.
        """
        from gradir.native.save import export, save

        exported = export(self, name, noalias=noalias, width=width)
        save(self.function._engine, path, [], [exported], triple=triple, cpu=cpu)

    def _wrt(self, wrt: Wrt) -> tuple[int, ...]:
        if isinstance(self.function.signature.result, Several):
            raise RequestError(
                f"{self.function.name} gives several results, of which no derivative can be asked for from here",
                hint="let it write them to memory, or ask within the program: enzyme.fwddiff, enzyme.autodiff",
            )
        roles, arguments = self.function.roles, self.function.arguments
        if wrt is None:
            first = [i for i, role in enumerate(roles) if role.is_input][:1]
            if not first:
                raise RequestError(f"{self.function.name} takes no floats", hint=str(self.function.signature))
            return tuple(first)
        chosen = tuple(self.function.index(w) for w in several(wrt))
        for i in chosen:
            if roles[i].floats is False:
                raise RequestError(f"{self.function.name}: there is no derivative by '{arguments[i]}'")
        if len(set(chosen)) != len(chosen) or not chosen:
            raise RequestError(f"{self.function.name}: wrt={wrt!r} must name different arguments, and at least one")
        return chosen

    def _packed(self, values: Sequence[Any], bounds: Sequence[Bound] | None = None) -> Any:
        """One derivative for each of `wrt`, as an array of the kind that the caller gave for it."""
        if bounds is not None and any(bounds[i].like for i in self.wrt):
            values = [_alike(bounds[i], value) for i, value in zip(self.wrt, values, strict=True)]
        return values[0] if self.is_single else tuple(values)

    # -- What is an output

    def targets(self, bounds: Sequence[Bound]) -> list[int]:
        """The memory arguments that are outputs of this call; what the function returns comes before them."""
        if self.outputs is not None:
            return list(self.outputs)
        return [i for i in self.function.written if _has_floats(self.function, i, bounds[i])]

    def objective(self, bounds: Sequence[Bound]) -> int | None:
        """The output that is a single number: None for what the function returns."""
        if self.function.returns_float and self.outputs is None:
            return None
        targets = self.targets(bounds)
        numbers = [i for i in targets if (a := bounds[i].array) is not None and a.size == 1]
        if len(targets) != 1 or not numbers:
            names = ", ".join(self.function.arguments[i].name for i in targets) or "none"
            raise RequestError(
                f"{self.function.name}: a gradient is of one number, but its outputs are {names}",
                hint="name one by outputs=, or use vjp or jacobian",
            )
        return targets[0]


def _alike(bound: Bound, value: Any) -> Any:
    """A derivative as an array of the kind of the argument that it belongs to."""
    return value if bound.like is None or not isinstance(value, np.ndarray) else bound.like(value)


def _is_carrier(function: NativeFunction, i: int, bound: Bound) -> bool:
    """Whether the function writes floats into an argument."""
    return i in function.written and _has_floats(function, i, bound)


def _has_floats(function: NativeFunction, i: int, bound: Bound) -> bool:
    """Whether there are floats in an argument's memory, as far as one can tell."""
    floats = function.roles[i].floats
    if bound.array is None or floats is False:
        return False
    return floats is True or bound.array.dtype.kind in "fc"


# -- One sweep -------------------------------------------------------------------------------------------------------


_ELSE = "general(values, {})"


class Sweep:
    """One call of a derivative: the arguments, and the shadows of those that carry one.

    `shadows` are arrays for memory, and for numbers (in forward mode) their tangents. Where arguments overlap, so do
    their shadows, and all of them carry one.
    """

    __slots__ = ("bounds", "fast", "function", "mode", "noalias", "policy", "ret", "shadows", "width", "wrt")

    def __init__(
        self,
        function: NativeFunction,
        mode: Mode,
        bounds: Sequence[Bound],
        wrt: tuple[int, ...],
        ret: Activity | None,
        width: int = 1,
        fast: bool = False,
        policy: Policy = AUTO,
    ) -> None:
        self.function, self.mode, self.bounds, self.wrt = function, mode, bounds, wrt
        self.ret, self.width, self.fast, self.policy = ret, width, fast, policy
        self.shadows: dict[int, Any] = {}
        memory = {i: array for i in function.memory if (array := bounds[i].array) is not None}
        nothing = [i for i in wrt if i in function.memory and i not in memory]
        if nothing:
            argument = function.arguments[nothing[0]].name
            raise InputError(f"{function.name}: '{argument}' is None, and there is no derivative by nothing")
        groups: list[list[int]] = []
        if function.writes and not are_apart([bounds[i] for i in memory]):
            roles = function.roles
            groups = overlapping([(array, roles[i].writes) for i, array in memory.items()])
        self.noalias = not groups and not function.holds_pointers
        carriers = [i for i in memory if i in wrt or (i in function.written and _has_floats(function, i, bounds[i]))]
        if groups:
            self._share(groups, memory, carriers)
        for i in carriers:
            if i not in self.shadows:
                self.shadows[i] = shadow_like(memory[i], width)
        for i in function.scratch:
            if i in memory and i not in self.shadows:
                self.shadows[i] = shadow_like(memory[i], width)
        if mode is Mode.forward:
            for i in wrt:
                if i not in memory:
                    self.shadows[i] = 0.0 if width == 1 else (0.0,) * width

    def _share(self, groups: Sequence[Sequence[int]], memory: dict[int, NDArray], carriers: Sequence[int]) -> None:
        """Shadows that overlap as their arguments do."""
        index = list(memory)
        for group in groups:
            members = [i for k in group if (i := index[k]) in carriers or _has_floats(self.function, i, self.bounds[i])]
            if not set(carriers).isdisjoint(members):
                self.shadows.update(zip(members, shadows_like([memory[i] for i in members], self.width), strict=True))

    @property
    def activity(self) -> tuple[Activity, ...]:
        found = []
        for i, bound in enumerate(self.bounds):
            if i in self.shadows:
                first = Activity.dup
            else:
                first = Activity.active if i in self.wrt else Activity.const
            found += [first, *[Activity.const] * (len(bound.values) - 1)]
        return tuple(found)

    @property
    def request(self) -> Request:
        ret = () if self.ret is None else (self.ret,)
        return Request(self.function.signature.symbol, self.mode, self.activity, ret, self.width)

    @property
    def options(self) -> Options:
        from gradir.machine.transform.derive import Layout, Options

        layout = Layout.interleaved if self.width > 1 else Layout.separate
        return Options(noalias=self.noalias, fast=self.fast, layout=layout, policy=self.policy)

    @property
    def code(self) -> tuple[jit.Call, list[Slot]]:
        """The compiled sweep, and what it gives."""
        # Modes and activities are few and live on: comparing them takes longer than all the rest.
        how = (self.width, self.fast, self.noalias, self.policy)
        key = (id(self.mode), tuple(self.shadows), self.wrt, id(self.ret), *how)
        found = self.function.sweeps.get(key)
        if found is None:
            try:
                call = self.function._engine.derivative(self.function.signature.symbol, [self.request], self.options)
            except NeedsShadow as needed:
                return self._with_scratch(needed)
            request = self.request
            slots = list(result_slots(self.mode, request.activity, request.ret_activity))
            found = self.function.sweeps[key] = (call, slots)
        return found

    def _with_scratch(self, needed: NeedsShadow) -> tuple[jit.Call, list[Slot]]:
        """The sweep with a shadow for one more argument, which derivatives may write to and nobody reads."""
        i = self._argument_of(needed.argument)
        array = self.bounds[i].array if i < len(self.function.arguments) else None
        if array is None or i in self.shadows:
            raise needed
        self.shadows[i] = shadow_like(array, self.width)
        self.function.scratch.add(i)
        return self.code

    def seed(self, i: int, tangent: Any) -> None:
        """Give an argument a tangent, in one direction."""
        if self.bounds[i].array is None:
            self.shadows[i] = float(tangent)
        else:
            self.shadows[i][...] = tangent

    def operands(self, seed: Any = None) -> tuple[list[Any], list[Any]]:
        """The values to be passed, and what must live meanwhile."""
        values: list[Any] = []
        alive: list[Any] = []
        shadows = self.shadows
        for i, bound in enumerate(self.bounds):
            if i not in shadows:
                values += bound.values
                continue
            shadow = shadows[i]
            if bound.array is not None:
                shadow, keep = bind_shadow(bound, shadow)
                alive.append(keep)
            values += (bound.values[0], shadow, *bound.values[1:])
        if self.takes_seed:
            values.append(seed)
        return values, alive

    @property
    def takes_seed(self) -> bool:
        """Whether what the function returns has a cotangent that is passed."""
        return self.mode is Mode.reverse and self.ret is not None and self.ret.has_cotangent

    def run(self, seed: Any = None) -> tuple[Any, dict[int, Any], Any]:
        """Run it: the returned value, the gradients of numbers by argument, the tangent of the returned value."""
        signature = self.function.signature
        call, slots = self.code
        values, alive = self.operands(seed)
        result = call(*values)
        del alive
        self.function.check_status(self.bounds)
        value, tangent = None, None
        gradients: dict[int, Any] = {}
        if not slots:
            return value, gradients, tangent
        for (where, index, part), found in zip(slots, (result,) if len(slots) == 1 else result, strict=True):
            if where == "arg":
                gradients[self._argument_of(index)] = _number(found)
            elif part == "primal":
                value = result_value(signature.result, found)
            else:
                tangent = _number(found)
        return value, gradients, tangent

    def _argument_of(self, parameter: int) -> int:
        return next(i for i, slot in enumerate(self.function.slots) if slot.start <= parameter < slot.stop)

    def gradient(self, i: int, numbers: dict[int, Any]) -> Any:
        """The gradient by an argument after a reverse sweep."""
        if i not in self.shadows:
            return numbers[i]
        shadow = self.shadows[i]
        if i in self.function.structs and shadow.dtype == np.uint8:
            return shadow.view(self.function.structs[i])
        return shadow[()] if shadow.ndim == 0 else shadow


def _number(found: Any) -> Any:
    """A derivative as a call gave it: the bytes of a long double are a number."""
    return np.frombuffer(found, np.longdouble)[0] if type(found) is bytes else found


def _returned(function: NativeFunction, keep: bool, seeded: bool) -> Activity | None:
    """The activity of what a function returns, in a reverse sweep."""
    if function.signature.result_type == "void":
        return None
    if seeded and function.returns_float:
        return Activity.active if keep else Activity.activenoneed
    return Activity.const if keep else Activity.constnoneed


# -- The derivatives -------------------------------------------------------------------------------------------------


class Grad(Derivative):
    """Arguments -> gradients, or (value, gradients)."""

    kind = "grad"

    def __init__(self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, value: bool = False) -> None:
        super().__init__(function, wrt, outputs, fast)
        self.value = value
        self.kind = "value_and_grad" if value else "grad"
        self._ret = [_returned(function, value, seeded) for seeded in (False, True)]

    def sweep(self, bounds: Sequence[Bound]) -> tuple[Sweep, int | None]:
        objective = self.objective(bounds)
        ret = self._ret[objective is None]
        sweep = Sweep(self.function, Mode.reverse, bounds, self.wrt, ret, fast=self.fast, policy=self.policy)
        if objective is not None:
            sweep.shadows[objective][...] = 1.0
        return sweep, objective

    def _general(self, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        bounds = self.function.bind(values, named)
        sweep, objective = self.sweep(bounds)
        value, numbers, _ = sweep.run(1.0)
        if self._direct is None and (made := self._plain(sweep)) is not None:
            self._direct = self._written(made, sweep, objective)
        gradients = self._packed([sweep.gradient(i, numbers) for i in self.wrt], bounds)
        if not self.value:
            return gradients
        written = None if objective is None else bounds[objective].array
        return (value if written is None else written.reshape(-1)[0]), gradients

    def _written(self, made: Direct, sweep: Sweep, objective: int | None) -> Callable[..., Any]:
        if objective is not None:
            made.tests.append(f"x{objective}.size == 1")
        for i in sweep.shadows:
            made.begin(i, value=1.0 if i == objective else 0.0)
        call, slots = sweep.code
        made.call(call, "1.0" if sweep.takes_seed else None)
        value, numbers, _ = made.results(slots)
        gradients = _together(self.is_single, [made.shadows.get(i) or numbers[i] for i in self.wrt])
        if objective is not None:
            value = f"x{objective}.reshape(-1)[0]"
        return made.written(f"({value}, {gradients})" if self.value else gradients, _ELSE)


def _together(single: bool, parts: Sequence[str]) -> str:
    return parts[0] if single else f"({''.join(f'{part}, ' for part in parts)})"


class Vjp(Derivative):
    """(arguments, cotangents) -> (returned value, gradients)."""

    kind = "vjp"

    @cached_property
    def _ret(self) -> Activity | None:
        return _returned(self.function, True, True)

    def _general(self, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        function = self.function
        bounds, cotangents = function.bind_before(values, named)
        targets = self.targets(bounds)
        _check_count(function, "cotangent", cotangents, targets)
        sweep = Sweep(function, Mode.reverse, bounds, self.wrt, self._ret, fast=self.fast, policy=self.policy)
        seed = float(cotangents.pop(0)) if function.returns_float else None
        for i, cotangent in zip(targets, cotangents, strict=True):
            sweep.shadows[i][...] = _fitting(function, i, bounds[i], cotangent, "cotangent")
        value, numbers, _ = sweep.run(seed)
        if self._direct is None and (made := self._plain(sweep)) is not None:
            self._direct = self._written(made, sweep, targets)
        return value, self._packed([sweep.gradient(i, numbers) for i in self.wrt], bounds)

    def _written(self, made: Direct, sweep: Sweep, targets: Sequence[int]) -> Callable[..., Any]:
        seed = made.take_more(None) if self.function.returns_float else None
        given = {i: made.take_more(i) for i in targets}
        for i in sweep.shadows:
            made.begin(i, given.get(i))
        call, slots = sweep.code
        made.call(call, seed if sweep.takes_seed else None)
        value, numbers, _ = made.results(slots)
        gradients = _together(self.is_single, [made.shadows.get(i) or numbers[i] for i in self.wrt])
        return made.written(f"({value}, {gradients})", _ELSE)


class Jvp(Derivative):
    """(arguments, tangents) -> (returned value, tangents)."""

    kind = "jvp"

    @cached_property
    def _ret(self) -> Activity | None:
        return _forward_returned(self.function)

    def _general(self, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        function = self.function
        bounds, tangents = function.bind_before(values, named)
        if len(tangents) != len(self.wrt):
            raise InputError(f"{function.name}: {len(self.wrt)} tangents are needed, not {len(tangents)}")
        sweep = Sweep(function, Mode.forward, bounds, self.wrt, self._ret, fast=self.fast)
        for i, tangent in zip(self.wrt, tangents, strict=True):
            sweep.seed(i, _fitting(function, i, bounds[i], tangent, "tangent"))
        value, _, tangent = sweep.run()
        targets = self.targets(bounds)
        if self._direct is None and (made := self._plain(sweep)) is not None:
            self._direct = self._written(made, sweep, targets)
        found = [tangent] if function.returns_float else []
        found += [_alike(bounds[i], sweep.gradient(i, {})) for i in targets]
        return value, found[0] if len(found) == 1 else tuple(found)

    def _written(self, made: Direct, sweep: Sweep, targets: Sequence[int]) -> Callable[..., Any]:
        given = {i: made.take_more(i) for i in self.wrt}
        for i in sweep.shadows:
            made.begin(i, given.get(i))
        call, slots = sweep.code
        made.call(call)
        value, _, tangent = made.results(slots)
        found = [tangent] if self.function.returns_float else []
        found += [made.shadows[i] for i in targets]
        return made.written(f"({value}, {_together(len(found) == 1, found)})", _ELSE)


def _forward_returned(function: NativeFunction) -> Activity | None:
    if function.signature.result_type == "void":
        return None
    return Activity.dup if function.returns_float else Activity.const


def _check_count(function: NativeFunction, what: str, given: Sequence[Any], targets: Sequence[int]) -> None:
    if len(given) != function.returns_float + len(targets):
        wanted = ["its result"] * function.returns_float + [function.arguments[i].name for i in targets]
        raise InputError(f"{function.name}: a {what} is needed for {', '.join(wanted)}, but {len(given)} came")


def _fitting(function: NativeFunction, i: int, bound: Bound, value: Any, what: str) -> Any:
    shape = () if bound.array is None else bound.array.shape
    if (value.shape if type(value) is np.ndarray else np.shape(value)) != shape:
        name = function.arguments[i].name
        raise InputError(f"{function.name}: the {what} of '{name}' must have shape {shape}, not {np.shape(value)}")
    return value


# -- Many directions -------------------------------------------------------------------------------------------------


Seeder = Callable[[Sweep, range], None]
"""Fills the lanes of a sweep's shadows, which are zero, with the seeds of these numbers."""


@dataclass(frozen=True)
class _Direction:
    """One number of one argument (`argument` None: what the function returns)."""

    argument: int | None
    at: tuple[Any, ...]


def _directions(which: Sequence[int], bounds: Sequence[Bound]) -> list[_Direction]:
    found = []
    for i in which:
        array = bounds[i].array
        found += [_Direction(i, at) for at in np.ndindex(() if array is None else array.shape)]
    return found


def _units(directions: Sequence[_Direction]) -> Seeder:
    """Seeds that are unit vectors: seed k is 1 in direction k, and 0 elsewhere."""

    def seed(sweep: Sweep, chunk: range) -> None:
        for lane, k in enumerate(chunk):
            if directions[k].argument is not None:
                _set(sweep, directions[k], lane)

    return seed


def _chunks(count: int, width: int) -> Iterator[range]:
    for first in range(0, count, width):
        yield range(first, min(first + width, count))


class _ManySweeps(Derivative):
    def __init__(self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, width: int) -> None:
        super().__init__(function, wrt, outputs, fast)
        if width < 1:
            raise RequestError(f"width={width}", hint="a sweep carries at least one direction")
        self.width = width

    def _general(self, values: Sequence[Any], named: Mapping[str, Any]) -> Any:
        try:
            return self.sweeps(*values, **named)
        except OneDirection:
            if self.width == 1:
                raise
            self.width = 1
            return self.sweeps(*values, **named)

    @abstractmethod
    def sweeps(self, *values: Any, **named: Any) -> Any:
        """The derivative, put together from sweeps of `width` directions."""

    def chosen_width(self, bounds: Sequence[Bound], directions: int) -> int:
        """How many directions a sweep carries: one where shadows are more than rows of floats."""
        for i, bound in enumerate(bounds[: len(self.function.arguments)]):
            carries = bound.array is not None and (i in self.wrt or _is_carrier(self.function, i, bound))
            if carries and bound.array is not None and bound.array.dtype.kind != "f":
                if i in self.wrt:
                    given = f"{self.function.arguments[i]}, given {bound.array.dtype}"
                    raise RequestError(f"{self.function.name}: no Jacobian by '{given}'", hint="use vjp or jvp")
                return 1
        return max(1, min(self.width, directions))

    def originals(self, bounds: Sequence[Bound]) -> dict[int, NDArray]:
        """Copies of what the function will overwrite, to start every sweep from the same values."""
        roles = self.function.roles
        return {
            i: b.array.copy()
            for i, (b, r) in enumerate(zip(bounds, roles, strict=False))
            if b.array is not None and r.writes
        }

    def restore(self, bounds: Sequence[Bound], originals: dict[int, NDArray]) -> None:
        for i, array in originals.items():
            target = bounds[i].array
            if target is not None:
                target[...] = array

    def start(self, bounds: Sequence[Bound], originals: dict[int, NDArray], sweep: Sweep) -> None:
        self.restore(bounds, originals)
        for i, shadow in sweep.shadows.items():
            if isinstance(shadow, np.ndarray):
                shadow[...] = 0
            else:
                sweep.shadows[i] = 0.0 if sweep.width == 1 else (0.0,) * sweep.width


def _set(sweep: Sweep, direction: _Direction, lane: int) -> None:
    i = direction.argument
    if i is None:
        raise AssertionError("a tangent of a result can't be set")
    shadow = sweep.shadows[i]
    if isinstance(shadow, np.ndarray):
        shadow[(*direction.at, lane) if sweep.width > 1 else direction.at] = 1.0
    elif sweep.width == 1:
        sweep.shadows[i] = 1.0
    else:
        sweep.shadows[i] = tuple(1.0 if k == lane else s for k, s in enumerate(shadow))


def _zeros(row: int | None, column: int, bounds: Sequence[Bound]) -> NDArray:
    """A derivative to be filled: of one argument (None: of what the function returns) by another."""
    first, second = None if row is None else bounds[row].array, bounds[column].array
    shape = (() if first is None else first.shape) + (() if second is None else second.shape)
    dtype = next((a.dtype for a in (first, second) if a is not None), np.dtype(float))
    return np.zeros(shape, dtype)


def _lane(value: Any, lane: int, width: int) -> Any:
    if width == 1:
        return value
    return value[lane] if isinstance(value, tuple) else value[..., lane]


class Jacobian(_ManySweeps):
    """Arguments -> one array for each output and each of `wrt`."""

    kind = "jacobian"

    def __init__(
        self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, mode: str = "auto", width: int = 8
    ) -> None:
        super().__init__(function, wrt, outputs, fast, width)
        if mode not in ("auto", "forward", "reverse"):
            raise RequestError(f"mode={mode!r}", hint="a Jacobian's mode is 'auto', 'forward' or 'reverse'")
        self.mode = mode

    def sweeps(self, *values: Any, **named: Any) -> Any:
        bounds = self.function.bind(values, named)
        targets = self.targets(bounds)
        outputs: list[int | None] = [*([None] if self.function.returns_float else []), *targets]
        if not outputs:
            raise RequestError(f"{self.function.name} gives no floats", hint=str(self.function.signature))
        inputs = _directions(self.wrt, bounds)
        seeds = [_Direction(None, ())] * self.function.returns_float + _directions(targets, bounds)
        mode = self.mode if self.mode != "auto" else "forward" if len(inputs) <= 2 * len(seeds) else "reverse"
        found = {(o, i): _zeros(o, i, bounds) for o in outputs for i in self.wrt}
        if mode == "forward":
            self._forward(bounds, inputs, found)
        else:
            self._reverse(bounds, seeds, found)
        rows = [self._packed([found[o, i] for i in self.wrt], bounds) for o in outputs]
        return rows[0] if len(rows) == 1 else tuple(rows)

    def _forward(self, bounds: Sequence[Bound], inputs: Sequence[_Direction], found: dict[Any, NDArray]) -> None:
        for chunk, width, sweep, tangent in self.pushed(bounds, len(inputs), _units(inputs)):
            for (output, argument), jacobian in found.items():
                for lane, k in enumerate(chunk):
                    if inputs[k].argument == argument:
                        column = tangent if output is None else sweep.shadows[output]
                        jacobian[(..., *inputs[k].at)] = _lane(column, lane, width)

    def pushed(self, bounds: Sequence[Bound], count: int, seed: Seeder) -> Iterator[tuple[range, int, Sweep, Any]]:
        """Forward sweeps, as many as it takes: which seeds, in how many lanes, the shadows, what the result has."""
        width = self.chosen_width(bounds, count)
        ret = Activity.dup if self.function.returns_float else _forward_returned(self.function)
        sweep = Sweep(self.function, Mode.forward, bounds, self.wrt, ret, width, self.fast)
        originals = self.originals(bounds)
        for chunk in _chunks(count, width):
            self.start(bounds, originals, sweep)
            seed(sweep, chunk)
            _, _, tangent = sweep.run()
            yield chunk, width, sweep, tangent

    def _reverse(self, bounds: Sequence[Bound], seeds: Sequence[_Direction], found: dict[Any, NDArray]) -> None:
        returned = np.array([float(d.argument is None) for d in seeds])
        for chunk, width, sweep, numbers in self.pulled(bounds, len(seeds), _units(seeds), returned):
            for (output, argument), jacobian in found.items():
                gradient = numbers[argument] if argument in numbers else sweep.shadows[argument]
                for lane, k in enumerate(chunk):
                    if seeds[k].argument == output:
                        jacobian[(*seeds[k].at, ...)] = _lane(gradient, lane, width)

    def pulled(
        self, bounds: Sequence[Bound], count: int, seed: Seeder, returned: NDArray
    ) -> Iterator[tuple[range, int, Sweep, dict[int, Any]]]:
        """Reverse sweeps: which seeds, in how many lanes, the shadows, and the gradients of numbers.

        `returned` has each seed's cotangent of what the function returns.
        """
        width = self.chosen_width(bounds, count)
        ret = _returned(self.function, False, True)
        sweep = Sweep(self.function, Mode.reverse, bounds, self.wrt, ret, width, self.fast, self.policy)
        originals = self.originals(bounds)
        for chunk in _chunks(count, width):
            self.start(bounds, originals, sweep)
            seed(sweep, chunk)
            lanes = [*map(float, returned[chunk.start : chunk.stop]), *[0.0] * (width - len(chunk))]
            _, numbers, _ = sweep.run(lanes[0] if width == 1 else tuple(lanes))
            yield chunk, width, sweep, numbers


class Hessian(_ManySweeps):
    """Arguments -> for each pair of `wrt` an array: forward mode through the gradient."""

    kind = "hessian"

    def __init__(
        self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool, width: int = 8, weighted: bool = False
    ) -> None:
        super().__init__(function, wrt, outputs, fast, width)
        self.weighted = weighted

    def sweeps(self, *values: Any, **named: Any) -> Any:
        weights = None
        if self.weighted:
            bounds, given = self.function.bind_before(values, named)
            weights = self._weights(bounds, given)
        else:
            bounds = self.function.bind(values, named)
        inputs = _directions(self.wrt, bounds)
        found = {(i, j): _zeros(i, j, bounds) for i in self.wrt for j in self.wrt}
        for chunk, width, gradients in self.products(bounds, len(inputs), _units(inputs), weights):
            for (i, j), hessian in found.items():
                for lane, k in enumerate(chunk):
                    if inputs[k].argument == j:
                        hessian[(..., *inputs[k].at)] = _lane(gradients[i], lane, width)
        rows = [self._packed([found[i, j] for j in self.wrt], bounds) for i in self.wrt]
        return rows[0] if self.is_single else tuple(rows)

    def _weights(self, bounds: Sequence[Bound], given: list[Any]) -> dict[int | None, Any]:
        """What each output counts; None is what the function returns."""
        targets = self.targets(bounds)
        _check_count(self.function, "weight", given, targets)
        weights: dict[int | None, Any] = {None: float(given.pop(0))} if self.function.returns_float else {}
        for i, weight in zip(targets, given, strict=True):
            weights[i] = _fitting(self.function, i, bounds[i], weight, "weight")
        return weights

    def product(self, bounds: Sequence[Bound], vectors: Sequence[Any]) -> Any:
        """The Hessian's product with one vector for each of `wrt`."""

        def seed(sweep: Sweep, chunk: range) -> None:
            for i, vector in zip(self.wrt, vectors, strict=True):
                sweep.seed(i, vector)

        ((_, _, found),) = self.products(bounds, 1, seed)
        return self._packed([found[i] for i in self.wrt], bounds)

    def products(
        self, bounds: Sequence[Bound], count: int, seed: Seeder, weights: dict[int | None, Any] | None = None
    ) -> Iterator[tuple[range, int, dict[int, Any]]]:
        """Products of the Hessian with seeds: which, in how many lanes, and by argument the gradient's tangents."""
        function = self.function
        if weights is None:
            weights = {self.objective(bounds): 1.0}
        width = self.chosen_width(bounds, count)
        if any(bounds[i].array is None for i in self.wrt):
            width = 1
        ret = _returned(function, False, None in weights)
        reverse = Sweep(function, Mode.reverse, bounds, self.wrt, ret, fast=self.fast)
        tangents = Sweep(function, Mode.forward, bounds, self.wrt, None, width)
        shadow_tangents = {i: shadow_like(b.array, width) for i, b in self._carriers(reverse)}
        request, slots = self._forward_request(reverse, width)
        call = self._code([reverse.request, request], self._options(reverse, width))
        originals = self.originals(bounds)
        for chunk in _chunks(count, width):
            self.start(bounds, originals, reverse)
            self.start(bounds, {}, tangents)
            for shadow in shadow_tangents.values():
                shadow[...] = 0
            for i, weight in weights.items():
                if i is not None:
                    reverse.shadows[i][...] = weight
            seed(tangents, chunk)
            operands, alive = self._operands(reverse, tangents, shadow_tangents, slots, weights.get(None))
            result = call(*operands)
            del alive
            function.check_status(bounds)
            numbers = self._numbers(reverse.request, result)
            yield chunk, width, {i: numbers[i] if i in numbers else shadow_tangents[i] for i in self.wrt}

    def _code(self, requests: Sequence[Request], options: Options) -> jit.Call:
        """The compiled sweep, made once."""
        key = (*requests, options)
        found = self.function.curvatures.get(key)
        if found is None:
            found = self.function._engine.derivative(self.function.signature.symbol, list(requests), options)
            self.function.curvatures[key] = found
        return found

    def _carriers(self, reverse: Sweep) -> Iterator[tuple[int, Any]]:
        return ((i, reverse.bounds[i]) for i in reverse.shadows)

    def _options(self, reverse: Sweep, width: int) -> Options:
        from dataclasses import replace

        from gradir.machine.transform.derive import Layout

        return replace(reverse.options, layout=Layout.interleaved if width > 1 else Layout.separate)

    def _forward_request(self, reverse: Sweep, width: int) -> tuple[Request, list[Any]]:
        """Forward mode through the reverse sweep: tangents for all that carried a derivative in it, and its shadows."""
        request = reverse.request
        slots = list(operand_slots(Mode.reverse, request.activity, request.ret_activity))
        activity = []
        for where, index, part in slots:
            is_dup = where == "arg" and (part == "shadow" or request.activity[index] is not Activity.const)
            activity.append(Activity.dup if is_dup else Activity.const)
        gives = list(result_slots(Mode.reverse, request.activity, request.ret_activity))
        ret = (Activity.dupnoneed,) if gives else ()
        return Request("", Mode.forward, tuple(activity), ret, width), slots

    def _operands(
        self, reverse: Sweep, tangents: Sweep, shadow_tangents: dict[int, NDArray], slots: list[Any], seed: Any
    ) -> tuple[list[Any], list[Any]]:
        values: list[Any] = []
        alive: list[Any] = []

        def add(bound: Bound, shadow: Any) -> None:
            address, keep = bind_shadow(bound, shadow)
            values.append(address)
            alive.append(keep)

        for where, index, part in slots:
            if where == "result":
                values.append(seed)
                continue
            i = reverse._argument_of(index)
            bound = reverse.bounds[i]
            offset = index - self.function.slots[i].start
            if part == "shadow":
                add(bound, reverse.shadows[i])
                add(bound, shadow_tangents[i])
                continue
            values.append(bound.values[offset])
            if offset == 0 and i in tangents.shadows and reverse.request.activity[index] is not Activity.const:
                if bound.array is None:
                    values.append(tangents.shadows[i])
                else:
                    add(bound, tangents.shadows[i])
        return values, alive

    def _numbers(self, request: Request, result: Any) -> dict[int, Any]:
        gives = list(result_slots(Mode.reverse, request.activity, request.ret_activity))
        if not gives:
            return {}
        results = [result] if len(gives) == 1 else list(result)
        sweep_index = {slot.start: i for i, slot in enumerate(self.function.slots)}
        found = zip(gives, results, strict=True)
        return {sweep_index[index]: _number(r) for (where, index, _), r in found if where == "arg"}


class HessianProduct(Hessian):
    """(arguments, vectors of the shapes of `wrt`) -> the Hessian's product with them, in a few gradients' time."""

    kind = "hvp"

    def __init__(self, function: NativeFunction, wrt: Wrt, outputs: Wrt, fast: bool) -> None:
        super().__init__(function, wrt, outputs, fast, width=1)

    def sweeps(self, *values: Any, **named: Any) -> Any:
        function = self.function
        bounds, vectors = function.bind_before(values, named)
        if len(vectors) != len(self.wrt):
            raise InputError(f"{function.name}: {len(self.wrt)} vectors are needed, not {len(vectors)}")
        fitting = [_fitting(function, i, bounds[i], v, "vector") for i, v in zip(self.wrt, vectors, strict=True)]
        return self.product(bounds, fitting)
