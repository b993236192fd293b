"""Data from files: `.npy`, `.npz`, `.csv`, `.safetensors`."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import load_file

from gradir.errors import InputError

__all__ = ["read_data"]

Arrays = dict[str, np.ndarray[Any, Any]]


def read_data(given: Iterable[str]) -> Arrays:
    """Arrays by name, from words such as `x=images.npy`, `data.npz` or `table.csv`.

    A file of several arrays gives them all; of a table, each column is one, by its head.
    """
    found: Arrays = {}
    for word in given:
        name, equals, rest = word.partition("=")
        path = Path(rest if equals else word)
        arrays = _read(path)
        if equals and len(arrays) == 1:
            arrays = {name: next(iter(arrays.values()))}
        elif equals:
            # Columns of a table together, in their order.
            if path.suffix != ".csv":
                raise InputError(
                    f"it holds several arrays: {', '.join(arrays)}", location=str(path), hint=f"give {path}"
                )
            arrays = {name: np.stack(list(arrays.values()), axis=1)}
        for key, array in arrays.items():
            if key in found:
                raise InputError(f"there are two sets of data for '{key}'", location=str(path))
            found[key] = array
    return found


def _read(path: Path) -> Arrays:
    if not path.is_file():
        raise InputError("no such file", location=str(path))
    read = READERS.get(path.suffix)
    if read is None:
        raise InputError(
            f"can't read data from '{path.suffix}'", location=str(path), hint=f"known are {', '.join(READERS)}"
        )
    try:
        return read(path)
    except (OSError, ValueError, EOFError, SafetensorError) as error:
        raise InputError(f"malformed: {error}", location=str(path)) from None


def _npy(path: Path) -> Any:
    """An array that stays in its file, of which only what is used is read."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:  # nothing in it, or nothing that could stay there
        return np.load(path, allow_pickle=False)


def _npz(path: Path) -> Arrays:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def _csv(path: Path) -> Arrays:
    with path.open(newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    if not rows:
        raise ValueError("it is empty")
    has_head = not all(map(_is_number, rows[0]))
    head = [cell.strip() for cell in rows[0]] if has_head else [f"column{i}" for i in range(len(rows[0]))]
    columns: dict[str, list[float]] = {name: [] for name in head}
    for number, row in enumerate(rows[has_head:], 1 + has_head):
        if len(row) != len(head):
            raise ValueError(f"row {number} has {len(row)} cells, not {len(head)}")
        for name, cell in zip(head, row, strict=True):
            if not _is_number(cell):
                raise ValueError(f"row {number}, {name}: '{cell}' is no number")
            columns[name].append(float(cell))
    return {name: np.array(column, np.float32) for name, column in columns.items()}


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


READERS: dict[str, Callable[[Path], Arrays]] = {
    ".npy": lambda path: {path.stem: _npy(path)},
    ".npz": _npz,
    ".csv": _csv,
    ".safetensors": lambda path: dict(load_file(path)),
}
