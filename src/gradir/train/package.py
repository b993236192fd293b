"""Packages for a device: the training loop, a step, the loss and the prediction as one IREE module, without Python.

The module's functions are

    train(data…, parameters…, rate, epochs) -> (parameters…, last loss)
    train_step(the loss's arguments) -> (loss, gradients…)
    loss(the loss's arguments) -> loss
    predict(its arguments) -> its results

with dictionaries flattened in the order of their keys.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import arith, func, scf, stablehlo

import gradir.jax
from gradir.backends.iree import compile_module, load_functions
from gradir.errors import BackendError, InputError
from gradir.files import write_file
from gradir.tensor.ir.module import clone, functions, to_text
from gradir.tensor.ir.signature import Signature, signature
from gradir.tensor.optimize import optimize
from gradir.train.loop import Loop
from gradir.train.task import leaf_names

__all__ = ["Package", "build", "training_module"]

Tree = Any

SMALL = (
    "--iree-vm-emit-polyglot-zip=false",
    "--iree-vm-bytecode-module-strip-source-map=true",
    "--iree-vm-bytecode-module-strip-debug-ops=true",
    "--iree-llvmcpu-debug-symbols=false",
    "--iree-opt-level=O3",
)
"""What a device has no use for is left out."""

ENTRIES = ("train", "train_step", "loss", "predict")
INNER = ("update", "start")
"""What `train` is made of."""

TARGETS = {
    "host": (),
    "x86_64": ("--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu",),
    "aarch64": ("--iree-llvmcpu-target-triple=aarch64-unknown-linux-gnu",),
    "arm": ("--iree-llvmcpu-target-triple=armv7a-unknown-linux-gnueabihf", "--iree-llvmcpu-target-float-abi=hard"),
    "riscv64": (
        "--iree-llvmcpu-target-triple=riscv64-unknown-linux-gnu", "--iree-llvmcpu-target-abi=lp64d",
        "--iree-llvmcpu-target-cpu-features=+m,+a,+f,+d,+c",
    ),
}  # fmt: skip
"""The machines a package can be for."""


@dataclass(frozen=True)
class Package:
    """What was built."""

    files: dict[str, int]
    """The files, with their sizes in bytes."""
    checked: dict[str, float] = field(default_factory=dict)
    """The largest relative difference to XLA, by function."""


# -- The module --------------------------------------------------------------------------------------------------------


def training_module(loop: Loop, only: Collection[str] | None = None) -> ir.Module:
    """The functions of a package, all or some, as StableHLO with the loop of epochs around a step."""
    task = loop.task
    for name in only or ():
        if name not in ENTRIES:
            raise InputError(f"a package has no function '{name}'", hint=f"it has {', '.join(ENTRIES)}")
    if loop.recipe.schedule != "constant":
        raise InputError(f"a package trains at one rate, not by '{loop.recipe.schedule}'", hint="--schedule constant")
    if not loop.is_whole:
        raise InputError("a package trains on all of its data at once", hint="leave out --batch")
    data = {n: _shape(x) for n, x in loop.data.items()}
    parameters = jax.tree.map(_shape, dict(task.parameters))
    everything: dict[str, Tree] = {**data, **parameters}
    state = jax.eval_shape(loop.recipe.start, parameters)
    rate, step = jax.ShapeDtypeStruct((), jnp.float32), jax.ShapeDtypeStruct((), jnp.int32)
    ordered = [everything[n] for n in task.arguments if n in everything]
    trained = [n for n in task.arguments if n in parameters]

    def loss(*given: Tree) -> Any:
        values = dict(zip((n for n in task.arguments if n in everything), given, strict=True))
        return loop.loss({n: values[n] for n in trained}, 0, {n: values[n] for n in data})

    def train_step(*given: Tree) -> Any:
        places = tuple(i for i, n in enumerate(n for n in task.arguments if n in everything) if n in parameters)
        return gradir.jax.value_and_grad(loss, argnums=places)(*given)

    def update(data: Tree, values: Sequence[Tree], state: Tree, step: Any, rate: Any) -> Any:
        before = dict(zip(trained, values, strict=True))
        value, after, state = loop.one_step(before, state, step, data, rate)
        return [after[n] for n in trained], state, step + 1, value

    def start(*values: Tree) -> Tree:
        return loop.recipe.start(dict(zip(trained, values, strict=True)))

    pieces: dict[str, tuple[Callable[..., Any], Sequence[Tree]]] = {
        "loss": (loss, ordered),
        "train_step": (train_step, ordered),
        "update": (update, (data, [parameters[n] for n in trained], state, step, rate)),
        "start": (start, [parameters[n] for n in trained]),
    }
    if task.predict is not None:
        missing = [n for n in task.predict_arguments if n not in everything]
        if missing:
            raise InputError(f"predict takes {', '.join(missing)}, of which the shape is not known")
        pieces["predict"] = (task.predict, [everything[n] for n in task.predict_arguments])
    kept = {n: piece for n, piece in pieces.items() if only is None or n in only or (n in INNER and "train" in only)}
    module = _merged({name: _lowered(f, given) for name, (f, given) in kept.items()}, private=INNER)
    optimize(module)
    if only is None or "train" in only:
        with module.context, ir.Location.unknown():
            _add_loop(module, len(data), len(jax.tree.leaves([parameters[n] for n in trained])))
    module.operation.verify()
    return module


def _shape(x: Any) -> jax.ShapeDtypeStruct:
    return jax.ShapeDtypeStruct(np.shape(x), jnp.asarray(x).dtype)


def _lowered(function: Callable[..., Any], given: Sequence[Tree]) -> ir.Module:
    return clone(jax.jit(function, keep_unused=True).lower(*given).compiler_ir("stablehlo"))


def _merged(pieces: dict[str, ir.Module], private: Sequence[str]) -> ir.Module:
    """One module with the `main` of each piece under its name."""
    first = next(iter(pieces.values()))
    with first.context, ir.Location.unknown():
        whole = ir.Module.create()
        for name, piece in pieces.items():
            for old, op in functions(piece).items():
                new = name if old == "main" else f"{name}.{old}"
                ir.SymbolTable.replace_all_symbol_uses(old, new, piece.operation)
                ir.SymbolTable.set_symbol_name(op.operation, new)
                hidden = old != "main" or name in private
                ir.SymbolTable.set_visibility(op.operation, "private" if hidden else "public")
            for op in list(piece.body.operations):
                whole.body.append(op)
    return whole


def _add_loop(module: ir.Module, inputs: int, trained: int) -> None:
    """`train`: the loop of epochs around `update`.

    The loop is of the `scf` dialect: IREE 3.13 can't compile a `stablehlo.while` that carries its limit.
    """
    found = functions(module)
    update = found["update"].type
    start = found["start"]
    types = list(update.inputs)
    i32 = ir.IntegerType.get_signless(32)
    rate = types[-1]
    with ir.InsertionPoint(module.body):
        train = func.FuncOp(
            "train", ([*types[: inputs + trained], rate, i32], [*types[inputs : inputs + trained], rate])
        )
    block = train.add_entry_block()
    with ir.InsertionPoint(block):
        *given, rate_value, epochs = block.arguments
        data, parameters = given[:inputs], given[inputs:]
        index = ir.IndexType.get()
        low, one = (arith.constant(index, n) for n in (0, 1))
        state = list(func.CallOp(start, list(parameters)).results) if start.type.results else []
        zero = stablehlo.constant(ir.DenseElementsAttr.get(np.zeros((), np.int32)))
        nothing = stablehlo.constant(ir.DenseElementsAttr.get(np.zeros((), np.float32)))
        carried = [*parameters, *state, zero, nothing]
        loop = scf.ForOp(low, arith.index_cast(index, epochs), one, carried)
        with ir.InsertionPoint(loop.body):
            now = list(loop.inner_iter_args)
            made = func.CallOp(found["update"], [*data, *now[:-1], rate_value])
            scf.YieldOp(list(made.results))
        results = list(loop.results)
        func.ReturnOp([*results[:trained], results[-1]])


MODULE = "training_loop"


# -- Building ----------------------------------------------------------------------------------------------------------


def build(
    loop: Loop,
    folder: Path,
    *,
    target: str = "llvm-cpu",
    machine: str = "host",
    cpu: str = "generic",
    flags: Sequence[str] = (),
    only: Collection[str] | None = None,
) -> Package:
    """Write a package into a new folder, once its functions agree with XLA."""
    if machine not in TARGETS:
        raise InputError(f"there is no machine '{machine}'", hint=f"there are {', '.join(TARGETS)}")
    if folder.exists() and any(folder.iterdir()):
        raise InputError("this folder holds something already", location=str(folder), hint="name a new one")
    module = training_module(loop, only)
    text = to_text(module)
    extra = [*SMALL, *flags]
    if target == "llvm-cpu" and not any("target-cpu=" in f for f in (*TARGETS[machine], *flags)):
        extra.append(f"--iree-llvmcpu-target-cpu={cpu}")
    binary = compile_module(text, target, [*TARGETS[machine], *extra])
    is_here = machine == "host" or machine == platform.machine()
    tested = binary if is_here else compile_module(text, target, extra)
    names = [n for n, f in functions(module).items() if _is_public(f)]
    signatures = {n: signature(functions(module)[n]) for n in names}
    checked = _check(loop, tested, names, target)
    files = {
        f"{MODULE}.vmfb": binary,
        f"{MODULE}.mlir": text.encode(),
        "manifest.json": _manifest(loop, signatures, target, machine, checked).encode(),
    }
    if "train" in signatures:
        files["run.sh"] = _script(loop).encode()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"can't make it: {error.strerror}", location=str(folder)) from None
    for name, content in files.items():
        write_file(folder / name, content)
    if "run.sh" in files:
        (folder / "run.sh").chmod(0o755)
    return Package({name: len(content) for name, content in files.items()}, checked)


def _is_public(function: Any) -> bool:
    return "sym_visibility" not in function.attributes or function.attributes["sym_visibility"].value == "public"


EPOCHS_CHECKED = 7
TOLERANCE = 1e-4
"""The largest relative difference to XLA that is let through: f32 sums in another order, after a few epochs."""


def _check(loop: Loop, binary: bytes, names: Sequence[str], target: str) -> dict[str, float]:
    """Run every function here, and compare it with what XLA computes."""
    made = load_functions(binary, names, target)
    task = loop.task
    values: dict[str, Any] = {**loop.data, **task.parameters}
    ordered = [values[n] for n in task.arguments if n in values]
    trained = [n for n in task.arguments if n in task.parameters]
    flat = [np.asarray(v) for v in jax.tree.leaves(ordered)]
    parameters = [np.asarray(v) for v in jax.tree.leaves([task.parameters[n] for n in trained])]
    state = Loop(task, loop.recipe.with_(epochs=EPOCHS_CHECKED, shuffle=False))
    after = state.advance(state.start(), EPOCHS_CHECKED)
    value, gradients = jax.value_and_grad(lambda p: loop.loss(p, 0, loop.data))(dict(task.parameters))
    data = [np.asarray(x) for x in loop.data.values()]
    wanted: dict[str, tuple[list[Any], list[Any]]] = {
        "loss": (flat, [value]),
        "train_step": (flat, [value, *jax.tree.leaves([gradients[n] for n in trained])]),
        "train": (
            [*data, *parameters, np.float32(loop.recipe.rate), EPOCHS_CHECKED],
            [*jax.tree.leaves([after.parameters[n] for n in trained]), after.losses[-1]],
        ),
    }
    if "predict" in names and task.predict is not None:
        given = [values[n] for n in task.predict_arguments]
        wanted["predict"] = ([np.asarray(v) for v in jax.tree.leaves(given)], jax.tree.leaves(task.predict(*given)))
    differences = {}
    for name, (arguments, expected) in wanted.items():
        if name not in names:
            continue
        differences[name] = _difference(made[name](*arguments), expected)
        if not differences[name] <= TOLERANCE:
            raise BackendError(
                f"IREE's {name} differs from XLA's by {differences[name]:.3g}, relatively: nothing was written",
                hint="other flags; the inline execution models of IREE are known to drop loops",
            )
    return differences


def _difference(made: Sequence[Any], expected: Sequence[Any]) -> float:
    """The largest difference, relative to the largest element of each array."""
    worst = 0.0
    for one, other in zip(made, expected, strict=True):
        a, b = np.asarray(one, np.float64), np.asarray(other, np.float64)
        if a.shape != b.shape or np.isnan(a).any() != np.isnan(b).any():
            return np.inf
        scale = max(float(np.abs(b).max(initial=0)), 1e-6)
        worst = max(worst, float(np.abs(a - b).max(initial=0)) / scale)
    return worst


def _manifest(
    loop: Loop, signatures: dict[str, Signature], target: str, machine: str, checked: dict[str, float]
) -> str:
    task = loop.task
    trees = {**dict.fromkeys(loop.data, 0), **task.parameters}
    names = _flat_names(task.arguments, trees)
    trained = _flat_names(task.arguments, dict(task.parameters))
    order = {
        "train": [*loop.data, *trained, "rate", "epochs"],
        "train_step": names,
        "loss": names,
        "predict": _flat_names(task.predict_arguments, trees),
    }
    results = {"train": [*trained, "loss"], "train_step": ["loss", *trained], "loss": ["loss"]}
    described = {
        name: {
            "arguments": [{"name": n, "type": str(s)} for n, s in zip(order[name], sig.arguments, strict=True)],
            "results": [
                {"name": n, "type": str(s)}
                for n, s in zip(results.get(name) or _numbered(sig.results), sig.results, strict=True)
            ],
            "difference_to_xla": checked.get(name),
        }
        for name, sig in signatures.items()
    }
    about = {"task": task.name, "target": target, "machine": machine, "recipe": loop.recipe.settings()}
    return json.dumps({**about, "functions": described}, indent=2) + "\n"


def _numbered(results: Sequence[Any]) -> list[str]:
    return [f"result{i}" for i in range(len(results))]


def _flat_names(arguments: Sequence[str], trees: dict[str, Tree]) -> list[str]:
    """The names of arguments, those of trees by their leaves."""
    return [".".join([name, *words]) for name in arguments if name in trees for words in leaf_names(trees[name])]


def _script(loop: Loop) -> str:
    """A shell script that trains by IREE's own runner."""
    trained = [n for n in loop.task.arguments if n in loop.task.parameters]
    values = [*loop.data.values(), *jax.tree.leaves([loop.task.parameters[n] for n in trained])]
    return "\n".join(
        [
            "#!/bin/sh",
            "# Train; the first argument is the number of epochs.",
            'cd "$(dirname "$0")"',
            f"iree-run-module --module={MODULE}.vmfb --device=local-task --function=train \\",
            *(f'  --input="{_literal(np.asarray(v))}" \\' for v in values),
            f'  --input="f32={loop.recipe.rate!r}" --input="${{1:-{loop.recipe.epochs}}}"',
            "",
        ]
    )


def _literal(array: np.ndarray[Any, Any]) -> str:
    kind = {"float32": "f32", "int32": "i32", "float16": "f16", "bfloat16": "bf16"}.get(str(array.dtype), "f32")
    numbers = ",".join(f"{x:.9g}" for x in array.ravel().tolist())
    return f"{'x'.join([*map(str, array.shape), kind])}={numbers}"
