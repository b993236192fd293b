"""Arrays in pieces: each process writes those of its devices to a file of its own, and any process reads any part.

A piece is named with its place in the whole array, its file and a checksum in the manifest that the main file of a
checkpoint holds. Files are named by their content, so that none is ever written over by another.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any

import jax
import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gradir.errors import InputError
from gradir.files import unfinished_files, write_file

__all__ = ["Manifest", "Shards", "drop_others", "folder_of", "merged", "missing", "write_shard"]

Array = np.ndarray[Any, Any]
Index = tuple[slice, ...]
Manifest = dict[str, Any]
"""`files`: bytes by name. `arrays`: by name, their shape and their pieces: file, name in it, first element, shape,
checksum."""


def folder_of(path: Path) -> Path:
    """Where the shards of a checkpoint are."""
    return path.with_name(f"{path.name}.shards")


# -- Writing -----------------------------------------------------------------------------------------------------------


def write_shard(path: Path, step: int, arrays: Mapping[str, jax.Array]) -> Manifest:
    """Write the pieces that are this process's to write, and say what they are."""
    mine = {
        name: list(_own_pieces(array, turn)) for turn, (name, array) in enumerate(arrays.items())
    }  # in turns: what all have is written by one of them
    tensors = {f"{name}@{i}": data for name, pieces in mine.items() for i, (_, data) in enumerate(pieces)}
    if not tensors:
        return {"files": {}, "arrays": {}}
    content = save(tensors)
    process, count = jax.process_index(), jax.process_count()
    file = f"{step}-{process}of{count}-{zlib.crc32(content):08x}.safetensors"
    folder = folder_of(path)
    folder.mkdir(exist_ok=True)
    write_file(folder / file, content)
    described = {
        name: {
            "shape": list(arrays[name].shape),
            "pieces": [
                [file, f"{name}@{i}", list(start), list(data.shape), zlib.crc32(data.tobytes())]
                for i, (start, data) in enumerate(pieces)
            ],
        }
        for name, pieces in mine.items()
        if pieces
    }
    return {"files": {file: len(content)}, "arrays": described}


def _own_pieces(array: jax.Array, turn: int) -> Iterable[tuple[tuple[int, ...], Array]]:
    """The pieces of an array that this process writes, each with its first element's place.

    Where several processes have a piece, they take turns from array to array.
    """
    owners: dict[tuple[int, ...], set[int]] = {}
    for device, index in array.sharding.devices_indices_map(array.shape).items():
        owners.setdefault(_start(index), set()).add(device.process_index)
    held = {_start(shard.index): shard.data for shard in array.addressable_shards}
    for start, data in sorted(held.items(), key=lambda item: item[0]):
        processes = sorted(owners[start])
        if processes[turn % len(processes)] == jax.process_index():
            yield start, np.ascontiguousarray(data).reshape(data.shape)


def _start(index: Index) -> tuple[int, ...]:
    return tuple(s.start or 0 for s in index)


def merged(parts: Sequence[Manifest]) -> Manifest:
    """The manifest of what all processes have written."""
    made: Manifest = {"files": {}, "arrays": {}}
    for part in parts:
        made["files"].update(part["files"])
        for name, array in part["arrays"].items():
            known = made["arrays"].setdefault(name, {"shape": array["shape"], "pieces": []})
            known["pieces"] += array["pieces"]
    return made


def missing(path: Path, manifest: Manifest) -> list[str]:
    """The files of a manifest that are not there, or not as long as they should be."""
    folder = folder_of(path)
    return [n for n, size in manifest["files"].items() if not (folder / n).is_file() or _size(folder / n) != size]


def _size(path: Path) -> int:
    return path.stat().st_size


def drop_others(path: Path, manifest: Manifest) -> None:
    """Remove shards that a manifest does not name: those of older checkpoints, and of some that never were whole."""
    folder = folder_of(path)
    if not folder.is_dir():
        return
    for file in folder.iterdir():
        if file.suffix == ".safetensors" and file.name not in manifest["files"]:
            for left in (file, *unfinished_files(file)):
                left.unlink(missing_ok=True)
    for file in folder.glob(".*.safetensors.*"):  # of which not even the name was ever there
        file.unlink(missing_ok=True)
    if not manifest["files"]:
        folder.rmdir()


# -- Reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shards:
    """The arrays of a checkpoint in shards, any part of which can be read."""

    path: Path
    manifest: Manifest

    def check(self) -> None:
        """Complain of files that are not there, or not as long as they were."""
        if lost := missing(self.path, self.manifest):
            raise self._damaged(lost[0], "is not there" if not (folder_of(self.path) / lost[0]).exists() else "is cut")

    def shape(self, name: str) -> tuple[int, ...] | None:
        array = self.manifest["arrays"].get(name)
        return None if array is None else tuple(array["shape"])

    def reader(self, name: str) -> Callable[[Index], Array]:
        """A function that gives any part of an array. It reads the pieces that the part touches, each once."""
        array = self.manifest["arrays"][name]
        piece = lru_cache(maxsize=None)(lambda at: self._piece(name, *array["pieces"][at]))

        def read(index: Index) -> Array:
            begin = [s.start or 0 for s in index]
            end = [n if s.stop is None else s.stop for s, n in zip(index, array["shape"], strict=True)]
            found = []
            for at, (_, _, start, shape, _) in enumerate(array["pieces"]):
                low = [max(a, b) for a, b in zip(begin, start, strict=True)]
                high = [min(a, b + n) for a, b, n in zip(end, start, shape, strict=True)]
                if all(a < b for a, b in zip(low, high, strict=True)):
                    there = tuple(slice(a - o, b - o) for a, b, o in zip(low, high, start, strict=True))
                    here = tuple(slice(a - o, b - o) for a, b, o in zip(low, high, begin, strict=True))
                    found.append((here, piece(at)[there]))
            size = [b - a for a, b in zip(begin, end, strict=True)]
            if sum(data.size for _, data in found) != prod(size):
                raise InputError(f"this checkpoint has not all of {name}", location=str(self.path))
            made = np.empty(size, found[0][1].dtype) if found else np.zeros(size, np.float32)
            for here, data in found:
                made[here] = data
            return made

        return read

    def _piece(self, name: str, file: str, key: str, start: object, shape: object, checksum: int) -> Array:
        try:
            with safe_open(folder_of(self.path) / file, framework="numpy") as opened:
                data: Array = opened.get_tensor(key)
        except FileNotFoundError:
            raise self._damaged(file, "is not there") from None
        except (OSError, SafetensorError) as error:
            raise self._damaged(file, f"is damaged: {error}") from None
        if zlib.crc32(data.tobytes()) != checksum:
            raise self._damaged(file, f"is damaged: {name} is not what was written")
        return data

    def _damaged(self, file: str, how: str) -> InputError:
        return InputError(
            f"the shard {file} of this checkpoint {how}",
            location=str(self.path),
            hint=f"put it back into {folder_of(self.path)}, or begin anew with another --checkpoint",
        )
