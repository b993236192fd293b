"""The world outside: printing, strings, files, time."""

from __future__ import annotations

import io as io_module
import json
import os
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import load_file, save

from gradir.files import write_file
from gradir.frontends.sheaf.functions import builtin
from gradir.frontends.sheaf.source import SheafError
from gradir.frontends.sheaf.values import Value, show

__all__: list[str] = []


@builtin("print", pure=False)
def print_(*values: Value, end: Value = "\n") -> Value:
    """Print values with blanks between. A text with {} first is filled in with the others."""
    if len(values) > 1 and isinstance(values[0], str) and "{" in values[0]:
        print(values[0].format(*map(_printable, values[1:])), end=end)
    else:
        print(*(show(v, quoted=False) for v in values), end=end)
    return None


def _printable(value: Value) -> Value:
    if isinstance(value, (int, float, str)):
        return value
    return value.item() if getattr(value, "size", 0) == 1 and not isinstance(value, jax.core.Tracer) else show(value)


@builtin("println", pure=False)
def println(*values: Value) -> Value:
    return print_(*values)


@builtin("str")
def str_(*values: Value) -> Value:
    return "".join(show(v, quoted=False) for v in values)


METHODS = """capitalize casefold center count endswith find format isalnum isalpha isdigit islower isspace isupper join
ljust lower lstrip partition replace removeprefix removesuffix rfind rjust rpartition rsplit rstrip split splitlines
startswith strip swapcase title upper zfill""".split()  # noqa: SIM905


@builtin("str-call")
def str_call(method: Value, text: Value, /, *arguments: Value) -> Value:
    """A method of Python's strings."""
    if method not in METHODS:
        raise SheafError(f"strings have no method '{method}'", hint=f"there are {', '.join(METHODS)}")
    made = getattr(str(text), method)(*arguments)
    return tuple(made) if isinstance(made, list) else made


@builtin("time", pure=False)
def time(*nothing: Value) -> Value:
    return clock.time()


# -- Files -------------------------------------------------------------------------------------------------------------


def _load_safetensors(path: Path) -> Value:
    return _nested({k: jnp.asarray(v) for k, v in load_file(path).items()})


def _nested(flat: dict[str, Value]) -> Value:
    """Dotted keys as dictionaries in dictionaries."""
    tree: dict[str, Value] = {}
    for name, value in flat.items():
        *path, last = name.split(".")
        inner = tree
        for part in path:
            inner = inner.setdefault(part, {})
        inner[last] = value
    return tree


READERS: dict[str, Callable[[Path], Value]] = {
    ".npy": lambda p: jnp.asarray(np.load(p, allow_pickle=False)),
    ".npz": lambda p: {k: jnp.asarray(v) for k, v in np.load(p, allow_pickle=False).items()},
    ".csv": lambda p: jnp.asarray(np.loadtxt(p, delimiter=",", dtype=np.float32, ndmin=2)),
    ".safetensors": _load_safetensors,
    ".json": lambda p: _frozen(json.loads(p.read_text())),
    ".jsonl": lambda p: tuple(_frozen(json.loads(line)) for line in p.read_text().splitlines() if line.strip()),
}


def _frozen(value: Value) -> Value:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {k: _frozen(v) for k, v in value.items()} if isinstance(value, dict) else value


@builtin("io", pure=False)
def io(what: Value, path: Value = None, value: Value = None, /) -> Value:
    """Files by their suffix: "load", "save", "read", "lines", "exists"; and "entropy" for a seed."""
    if what == "entropy":
        return int.from_bytes(os.urandom(4), "little") >> 1
    if not isinstance(path, str):
        raise SheafError(f'(io "{what}" path) wants the path of a file')
    file = Path(path)
    match str(what):
        case "exists":
            return file.exists()
        case "read":
            return file.read_text()
        case "lines":
            return tuple(file.read_text().splitlines())
        case "load":
            return READERS.get(file.suffix, Path.read_text)(file)
        case "save":
            _save(file, value)
            return None
    raise SheafError(f'there is no (io "{what}" ...)', hint='"load", "save", "read", "lines", "exists" or "entropy"')


def _save(file: Path, value: Value) -> None:
    match file.suffix:
        case ".npy":
            made = io_module.BytesIO()
            np.save(made, np.asarray(value))
            write_file(file, made.getvalue())
        case ".safetensors":
            write_file(file, save(dict(_flat(value))))
        case ".json":
            write_file(file, json.dumps(jax.tree.map(lambda x: np.asarray(x).tolist(), value)).encode())
        case _ if isinstance(value, str):
            write_file(file, value.encode())
        case suffix:
            raise SheafError(f"can't save to '{suffix}'", hint=".npy, .safetensors, .json, or a string to any file")


def _flat(tree: Value, path: str = "") -> Iterator[tuple[str, np.ndarray[Any, Any]]]:
    """Dictionaries in dictionaries as dotted keys."""
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _flat(value, f"{path}.{key}" if path else key)
    else:
        yield path, np.asarray(tree)
