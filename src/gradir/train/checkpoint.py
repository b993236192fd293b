"""Checkpoints: all that training needs to go on, in one file that is there whole or not at all.

What lies on a mesh is written in shards beside it (`shards`), by each process its own. The one file, with the losses
and a manifest of the shards, takes the place of the one before when all of them are there, and makes them valid.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gradir.definitions import leaf_names
from gradir.errors import InputError, OutputError
from gradir.files import unfinished_files, write_file
from gradir.train.loop import Loop, State
from gradir.train.recipe import Recipe
from gradir.train.shards import Manifest, Shards, drop_others, merged, missing, write_shard
from gradir.train.team import Team

__all__ = ["drop_unfinished", "load_checkpoint", "load_parameters", "save_checkpoint", "save_parameters"]

FORMAT = "1"
NOTHING: Manifest = {"files": {}, "arrays": {}}


def named(tree: Any, prefix: str) -> dict[str, Any]:
    """The leaves of a tree, by dotted names."""
    names = (".".join([prefix, *words]) for words in leaf_names(tree))
    return dict(zip(names, jax.tree.leaves(tree), strict=True))


def _on_host(arrays: dict[str, Any]) -> dict[str, np.ndarray[Any, Any]]:
    return {name: np.asarray(array) for name, array in arrays.items()}


def save_parameters(path: Path, parameters: Any) -> None:
    arrays = {name.partition(".")[2]: array for name, array in _on_host(named(parameters, "p")).items()}
    write_file(path, save(arrays))


def save_checkpoint(path: Path, loop: Loop, state: State, team: Team | None = None) -> None:
    """Write where training stands. What was there before stays until the new file is whole."""
    team = team or Team()
    arrays = {**named(state.parameters, "parameters"), **named(state.optimizer, "optimizer")}
    about = {"format": FORMAT, "step": str(state.step), "task": loop.task.identity, "recipe": _recipe(loop)}
    if loop.shardings is None:
        write_file(path, save({**_on_host(arrays), "losses": state.losses}, about))
        drop_others(path, NOTHING)
        return
    parts = _agreed(team, path, lambda: write_shard(path, state.step, arrays))
    manifest = merged(parts)

    def write_main() -> None:
        if lost := missing(path, manifest):
            raise OutputError(f"process 0 can't see the shard {lost[0]}: do all write to one file system?")
        write_file(path, save({"losses": state.losses}, {**about, "shards": json.dumps(manifest)}))
        drop_others(path, manifest)  # while the others wait: none of them is writing

    _agreed(team, path, write_main if team.leads else lambda: None)


def _agreed(team: Team, path: Path, write: Callable[[], Any]) -> list[Any]:
    """What each process has written. That one could not is an error of all."""
    try:
        said = {"made": write(), "error": None}
    except OutputError as error:
        said = {"made": None, "error": error.message}
    answers = team.exchange(said)
    for number, answer in enumerate(answers):
        if answer["error"] is not None:
            who = f"process {number}: " if team.count > 1 else ""
            raise OutputError(f"{who}{answer['error']}", location=str(path))
    return [answer["made"] for answer in answers]


def drop_unfinished(path: Path) -> None:
    """Remove what a process that was killed while it wrote this checkpoint has left beside it."""
    for unfinished in unfinished_files(path):
        unfinished.unlink(missing_ok=True)
    if path.exists():
        drop_others(path, json.loads(_open(path)[1].get("shards", "null")) or NOTHING)
    else:
        drop_others(path, NOTHING)


def _recipe(loop: Loop) -> str:
    return json.dumps(loop.recipe.settings(), sort_keys=True)


def load_checkpoint(path: Path, loop: Loop) -> State:
    """Where training stood. It must be of the same program and recipe, but may be told to last longer."""
    arrays, about = _open(path)
    if about.get("format") != FORMAT:
        raise InputError("this is no checkpoint of gradir", location=str(path))
    if about.get("task") != loop.task.identity:
        raise InputError(
            "this checkpoint is of another program, or of the program as it was before", location=str(path)
        )
    was, now = {**Recipe().settings(), **json.loads(about["recipe"])}, loop.recipe.settings()
    changed = [k for k in now if was.get(k) != now[k] and not (k == "epochs" and loop.recipe.schedule == "constant")]
    if changed:
        shown = ", ".join(f"{k} {was.get(k)} -> {now[k]}" for k in changed)
        raise InputError(f"the recipe has changed since this checkpoint: {shown}", location=str(path))
    stored = Shards(path, json.loads(about["shards"])) if "shards" in about else _Whole(path, arrays)
    stored.check()
    parameters = dict(loop.task.parameters)
    on, state_on = loop.shardings or (None, None)
    return State(
        _filled(parameters, "parameters", stored, on),
        _filled(jax.eval_shape(loop.recipe.start, parameters), "optimizer", stored, state_on),
        int(about["step"]),
        arrays["losses"],
    )


@dataclass(frozen=True)
class _Whole:
    """The arrays of a file."""

    path: Path
    arrays: dict[str, Any]

    def check(self) -> None:
        """There is nothing besides the file, which has been read."""

    def shape(self, name: str) -> tuple[int, ...] | None:
        return self.arrays[name].shape if name in self.arrays else None

    def reader(self, name: str) -> Callable[[Any], Any]:
        return lambda index: self.arrays[name][index]


def load_parameters(path: Path, like: Any) -> Any:
    """Parameters from a file, for a task with such parameters."""
    arrays, _ = _open(path)
    return _filled(like, "p", _Whole(path, {f"p.{name}": array for name, array in arrays.items()}))


def _open(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except FileNotFoundError:
        raise InputError("no such file", location=str(path)) from None
    except (OSError, SafetensorError) as error:
        raise InputError(f"malformed: {error}", location=str(path)) from None


def _filled(like: Any, prefix: str, stored: _Whole | Shards, shardings: Any = None) -> Any:
    """A tree of the same form, with its leaves from a file, and on a mesh if shardings say so."""
    leaves = named(like, prefix)
    places = [None] * len(leaves) if shardings is None else jax.tree.leaves(shardings)
    filled = []
    for (name, old), place in zip(leaves.items(), places, strict=True):
        shape, found = np.shape(old), stored.shape(name)
        if found != shape:
            what = "not there" if found is None else f"of shape {list(found)}"
            raise InputError(f"{name} should be of shape {list(shape)}, and is {what}", location=str(stored.path))
        filled.append(_read(stored.reader(name), shape, jnp.result_type(old), place))
    return jax.tree.unflatten(jax.tree.structure(like), filled)


def _read(read: Callable[[Any], Any], shape: tuple[int, ...], dtype: Any, place: Any) -> Any:
    if place is None:
        return jnp.asarray(read((slice(None),) * len(shape)), dtype)
    return jax.make_array_from_callback(shape, place, lambda index: np.asarray(read(index), dtype))
