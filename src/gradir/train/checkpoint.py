"""Checkpoints: all that training needs to go on, in one file that is there whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save

from gradir.definitions import leaf_names
from gradir.errors import InputError
from gradir.files import unfinished_files, write_file
from gradir.train.loop import Loop, State

__all__ = ["drop_unfinished", "load_checkpoint", "load_parameters", "save_checkpoint", "save_parameters"]

FORMAT = "1"


def named(tree: Any, prefix: str) -> dict[str, np.ndarray[Any, Any]]:
    """The leaves of a tree, by dotted names."""
    names = (".".join([prefix, *words]) for words in leaf_names(tree))
    return dict(zip(names, map(np.asarray, jax.tree.leaves(tree)), strict=True))


def save_parameters(path: Path, parameters: Any) -> None:
    arrays = {name.partition(".")[2]: array for name, array in named(parameters, "p").items()}
    write_file(path, save(arrays))


def save_checkpoint(path: Path, loop: Loop, state: State) -> None:
    """Write where training stands. What was there before stays until the new file is whole."""
    arrays = {**named(state.parameters, "parameters"), **named(state.optimizer, "optimizer"), "losses": state.losses}
    about = {"format": FORMAT, "step": str(state.step), "task": loop.task.identity, "recipe": _recipe(loop)}
    write_file(path, save(arrays, about))


def drop_unfinished(path: Path) -> None:
    """Remove what a process that was killed while it wrote this checkpoint has left beside it."""
    for unfinished in unfinished_files(path):
        unfinished.unlink(missing_ok=True)


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
    was, now = json.loads(about["recipe"]), loop.recipe.settings()
    changed = [k for k in now if was.get(k) != now[k] and not (k == "epochs" and loop.recipe.schedule == "constant")]
    if changed:
        shown = ", ".join(f"{k} {was.get(k)} -> {now[k]}" for k in changed)
        raise InputError(f"the recipe has changed since this checkpoint: {shown}", location=str(path))
    start = loop.start()
    parameters = _filled(start.parameters, "parameters", arrays, path)
    optimizer = _filled(start.optimizer, "optimizer", arrays, path)
    return State(parameters, optimizer, int(about["step"]), arrays["losses"])


def load_parameters(path: Path, like: Any) -> Any:
    """Parameters from a file, for a task with such parameters."""
    arrays, _ = _open(path)
    return _filled(like, "p", {f"p.{name}": array for name, array in arrays.items()}, path)


def _open(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    try:
        with safe_open(path, framework="numpy") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, file.metadata() or {}  # noqa: SIM118
    except FileNotFoundError:
        raise InputError("no such file", location=str(path)) from None
    except (OSError, SafetensorError) as error:
        raise InputError(f"malformed: {error}", location=str(path)) from None


def _filled(like: Any, prefix: str, arrays: dict[str, Any], path: Path) -> Any:
    """A tree of the same form, with its leaves from a file."""

    filled = []
    for name, old in named(like, prefix).items():
        if name not in arrays or arrays[name].shape != old.shape:
            found = f"of shape {list(arrays[name].shape)}" if name in arrays else "not there"
            raise InputError(f"{name} should be of shape {list(old.shape)}, and is {found}", location=str(path))
        filled.append(jnp.asarray(arrays[name], old.dtype))
    return jax.tree.unflatten(jax.tree.structure(like), filled)
