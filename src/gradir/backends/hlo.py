"""What a program that XLA has compiled for a mesh sends and computes on one device, by its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

__all__ = ["Collective", "Work", "collectives", "repeated"]

_COMPUTATION = re.compile(r"^(?P<entry>ENTRY )?%?(?P<name>[\w.-]+) .*\{$")
_OP = re.compile(
    r"^ *(?P<root>ROOT )?%?(?P<name>[\w.-]+) = (?P<types>\(.*?\)|\S+) (?P<kind>[a-z][\w-]*)\((?P<operands>[^)]*)\)"
)
_OPERAND = re.compile(r"%(?P<name>[\w.-]+)")
_COLLECTIVE = re.compile(
    r"= (?P<types>.*?) (?P<kind>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\("
)
_ARRAY = re.compile(r"(?P<type>pred|[a-z]+(?P<bits>\d+)\w*)\[(?P<shape>[\d,]*)\]")
_BODY = re.compile(r"body=%?(?P<name>[\w.-]+)")
_ROUNDS = re.compile(r'"known_trip_count":\{"n":"(?P<n>\d+)"')
_CALLED = re.compile(r"(?:calls|to_apply|true_computation|false_computation)=%?(?P<name>[\w.-]+)")
_CONTRACTED = re.compile(r"lhs_contracting_dims=\{(?P<dims>[\d,]*)\}")
_OUT_FEATURES = re.compile(r"dim_labels=\w+_(?P<kernel>\w+)->")
_GROUPS = re.compile(
    r"(?:replica_groups|source_target_pairs)=(?:"
    r"\{(?P<listed>\{[\d,{}]*\})\}"
    r"|\[(?P<shape>[\d,]+)\]<=\[(?P<from>[\d,]+)\](?:T\((?P<order>[\d,]+)\))?"
    r"|mesh\[(?P<mesh>[^\]]*)\](?:, device_ids=\(\[(?P<ids>[\d,]+)\](?:T\((?P<ids_order>[\d,]+)\))?\))?"
    r" \{(?P<axes>[^}]*)\}"
    r")"
)


@dataclass(frozen=True)
class Collective:
    """What one device gets by a collective: so many bytes, so many times, from devices of its group."""

    kind: str
    bytes: int
    times: int
    group: tuple[int, ...]
    """The first group's devices (of a permutation, the first pair); none where the text does not say."""


@dataclass(frozen=True)
class Work:
    """What a device computes, and reads from and writes to its memory."""

    flops: float
    bytes: float


def collectives(text: str) -> list[Collective]:
    """The collectives of a program for one device of many, as often as its loops say where that is known."""
    program = _Text.read(text)
    return [
        Collective(made["kind"], sum(_sizes(made["types"])), program.times(where), _first_group(op.line))
        for where, ops in program.computations.items()
        for op in ops.values()
        if (made := _COLLECTIVE.search(op.line))
    ]


def repeated(text: str) -> Work:
    """What loops do after their first round: XLA's own analysis of a program counts that one only.

    An elementwise op is one FLOP to an element, and what a loop takes of an array by slices is read by slices.
    """
    program = _Text.read(text)
    flops = size = 0.0
    for where, ops in program.computations.items():
        more = program.times(where) - 1
        if more and where not in program.scalar:
            flops += more * sum(program.flops(where, op) for op in ops.values())
        if more and where not in program.scalar | program.fused:
            size += more * sum(program.moved(where, op) for op in ops.values())
    return Work(flops, size)


@dataclass(frozen=True)
class _Op:
    """A line of the program."""

    kind: str
    types: str
    operands: tuple[str, ...]
    line: str
    is_root: bool

    @property
    def size(self) -> int:
        """Bytes of its result."""
        return sum(_sizes(self.types))

    @property
    def shape(self) -> list[int]:
        found = _ARRAY.search(self.types)
        return _numbers(found["shape"]) if found else []


@dataclass(frozen=True)
class _Text:
    """A program's computations, and where each is called."""

    computations: dict[str, dict[str, _Op]]
    rounds: dict[str, int]
    within: dict[str, str]
    fused: set[str]
    """Those whose values are never in memory."""
    scalar: set[str]
    """Those that combine two numbers: of a reduction, a sort."""

    @staticmethod
    def read(text: str) -> _Text:
        made = _Text({}, {}, {}, set(), set())
        name = ""
        for line in text.splitlines():
            if head := _COMPUTATION.match(line):
                name = head["name"]
                made.computations[name] = {}
            elif op := _OP.match(line):
                operands = tuple(o["name"] for o in _OPERAND.finditer(op["operands"]))
                made.computations.setdefault(name, {})[op["name"]] = _Op(
                    op["kind"], op["types"], operands, line, op["root"] is not None
                )
                made._note_calls(name, op["kind"], line)
        return made

    def _note_calls(self, where: str, kind: str, line: str) -> None:
        if kind == "while" and (body := _BODY.search(line)):
            known = _ROUNDS.search(line)
            self.within[body["name"]], self.rounds[body["name"]] = where, int(known["n"]) if known else 1
        for call in _CALLED.finditer(line):
            self.within.setdefault(call["name"], where)
            if kind == "fusion":
                self.fused.add(call["name"])
            elif kind not in ("call", "conditional", "while"):
                self.scalar.add(call["name"])

    def times(self, computation: str) -> int:
        """How often a computation is run, where that is known."""
        outer = self.within.get(computation)
        return self.rounds.get(computation, 1) * (1 if outer is None else self.times(outer))

    def flops(self, where: str, op: _Op) -> float:
        """As XLA counts them: products of matrices, convolutions, reductions, elementwise arithmetic."""
        operands = [self.computations[where][o] for o in op.operands if o in self.computations[where]]
        if op.kind == "dot" and operands and (found := _CONTRACTED.search(op.line)):
            return 2.0 * prod(op.shape) * prod(operands[0].shape[d] for d in _numbers(found["dims"]))
        if op.kind == "convolution" and len(operands) == 2 and (found := _OUT_FEATURES.search(op.line)):
            kernel = operands[1].shape
            return 2.0 * prod(op.shape) * prod(kernel) / max(1, kernel[found["kernel"].index("o")])
        if op.kind == "reduce" and operands:
            return float(prod(operands[0].shape))
        return float(prod(op.shape)) if op.kind in _ARITHMETIC else 0.0

    def moved(self, where: str, op: _Op) -> float:
        """Bytes that an op reads and writes."""
        if op.kind in _FREE:
            return 0.0
        operands = [self.computations[where][o] for o in op.operands if o in self.computations[where]]
        if op.kind in ("dynamic-slice", "slice", "gather"):
            return 2.0 * op.size
        if op.kind in ("dynamic-update-slice", "scatter") and len(operands) > 1:
            return 2.0 * operands[1].size
        called = _CALLED.search(op.line)
        if op.kind != "fusion" or called is None or called["name"] not in self.computations:
            return float(op.size + sum(o.size for o in operands))
        inside = self.computations[called["name"]]
        written = next((self._written(inside, o) for o in inside.values() if o.is_root), op.size)
        return float(written + sum(self._read(inside, i, o) for i, o in enumerate(operands)))

    @staticmethod
    def _written(inside: dict[str, _Op], root: _Op) -> int:
        """Of an array of which a part is replaced, that part."""
        while root.kind in ("bitcast", "copy", "convert") and root.operands and root.operands[0] in inside:
            root = inside[root.operands[0]]
        if root.kind == "dynamic-update-slice" and root.operands[1] in inside:
            return inside[root.operands[1]].size
        return root.size

    @staticmethod
    def _read(inside: dict[str, _Op], number: int, operand: _Op) -> int:
        """What a fused computation reads of an operand: all of it, or slices."""
        names = {n for n, o in inside.items() if o.kind == "parameter" and f" parameter({number})" in o.line}
        users = [o for o in inside.values() if names & set(o.operands)]
        sliced = [o.size for o in users if o.kind in ("dynamic-slice", "slice", "gather")]
        kept = [o for o in users if o.kind == "dynamic-update-slice" and o.operands[0] in names]
        return sum(sliced) if users and len(sliced) + len(kept) == len(users) else operand.size


_FREE = {"parameter", "constant", "tuple", "get-tuple-element", "bitcast", "while", "conditional", "call"}
"""What moves nothing, or whose parts are counted themselves."""
_ARITHMETIC = {
    *("add", "subtract", "multiply", "divide", "maximum", "minimum", "negate", "abs", "compare", "select", "and", "or"),
    *("convert", "floor", "ceil", "clamp", "not", "xor", "sign", "remainder"),
}
"""Of one FLOP to an element. (XLA counts exponentials and the like apart.)"""


def _sizes(types: str) -> Iterator[int]:
    for array in _ARRAY.finditer(types):
        yield max(1, int(array["bits"] or 8) // 8) * prod(_numbers(array["shape"]))


def _numbers(text: str | None) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", text or "")]


def _first_group(line: str) -> tuple[int, ...]:
    """The devices of the first group: groups are listed, or are rows of an array, or lie along axes of a mesh."""
    found = _GROUPS.search(line)
    if found is None:
        return ()
    if found["listed"] is not None:
        return tuple(_numbers(found["listed"].partition("}")[0]))
    if found["shape"] is not None:
        groups, size = _numbers(found["shape"])
        return tuple(_laid_out(_numbers(found["from"]), _numbers(found["order"])).reshape(groups, size)[0].tolist())
    axes = dict(re.findall(r"'([^']+)'=(\d+)", found["mesh"]))
    shape = [int(n) for n in axes.values()]
    devices = _laid_out(_numbers(found["ids"]) or shape, _numbers(found["ids_order"])).reshape(shape)
    chosen = re.findall(r"'([^']+)'", found["axes"])
    return tuple(devices[tuple(slice(None) if a in chosen else 0 for a in axes)].reshape(-1).tolist())


def _laid_out(shape: Sequence[int], order: Sequence[int]) -> np.ndarray:
    """The numbers of devices in a grid, its axes in another order."""
    grid = np.arange(prod(shape)).reshape(tuple(shape))
    return grid.transpose(tuple(order)) if order else grid
