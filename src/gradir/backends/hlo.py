"""What a program that XLA has compiled for a mesh sends from device to device, by its text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

__all__ = ["Collective", "collectives"]

_COMPUTATION = re.compile(r"^(?:ENTRY )?%?(?P<name>[\w.-]+) .*\{$")
_COLLECTIVE = re.compile(
    r"= (?P<types>.*?) (?P<kind>all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)(?:-start)?\("
)
_ARRAY = re.compile(r"(?P<type>pred|[a-z]+(?P<bits>\d+)\w*)\[(?P<shape>[\d,]*)\]")
_LOOP = re.compile(r" while\(.*body=%?(?P<body>[\w.-]+)")
_ROUNDS = re.compile(r'"known_trip_count":\{"n":"(?P<n>\d+)"')
_CALLED = re.compile(r"(?:calls|to_apply|true_computation|false_computation)=%?(?P<name>[\w.-]+)")
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


def collectives(text: str) -> list[Collective]:
    """The collectives of a program for one device of many, as often as its loops say where that is known."""
    found: list[tuple[str, str, int, tuple[int, ...]]] = []
    rounds: dict[str, int] = {}
    within: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        if head := _COMPUTATION.match(line):
            name = head["name"]
        if loop := _LOOP.search(line):
            known = _ROUNDS.search(line)
            within[loop["body"]], rounds[loop["body"]] = name, int(known["n"]) if known else 1
        for call in _CALLED.finditer(line):
            within.setdefault(call["name"], name)
        if made := _COLLECTIVE.search(line):
            found.append((made["kind"], name, sum(_sizes(made["types"])), _first_group(line)))

    def times(computation: str) -> int:
        return rounds.get(computation, 1) * (times(within[computation]) if computation in within else 1)

    return [Collective(kind, size, times(where), group) for kind, where, size, group in found]


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
