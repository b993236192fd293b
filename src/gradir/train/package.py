"""Packages for a device: training as an IREE module, which runs without Python, with what is needed to call it."""

from __future__ import annotations

import io
import json
import platform
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jax
import numpy as np
from jaxlib.mlir import ir

from gradir.backends.iree import compile_dispatches, compile_module, load_functions
from gradir.errors import BackendError, InputError
from gradir.files import write_file
from gradir.module import Module
from gradir.tensor.ir.module import clone, to_text
from gradir.tensor.ir.signature import Signature, TensorSpec
from gradir.train import compact
from gradir.train.loop import Loop, run
from gradir.train.program import ENTRIES, Interface, add_training, pieces

__all__ = ["Package", "build"]

SMALL = (
    "--iree-vm-emit-polyglot-zip=false",
    "--iree-vm-bytecode-module-strip-source-map=true",
    "--iree-vm-bytecode-module-strip-debug-ops=true",
    "--iree-llvmcpu-debug-symbols=false",
    "--iree-opt-level=O3",
)
"""What a device has no use for is left out."""

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

FORMS = ("compact", "parallel")
MODULE = "training_loop"
SCRIPT = "run.sh"


@dataclass(frozen=True)
class Package:
    """What was built."""

    files: dict[str, int]
    """The files, with their sizes in bytes."""
    form: str
    """`compact`, each function one dispatch; or `parallel`, dispatches that are shared among workers."""
    checked: dict[str, float] = field(default_factory=dict)
    """The largest relative difference to XLA, by function."""


def build(
    loop: Loop,
    folder: Path,
    *,
    target: str = "llvm-cpu",
    machine: str = "host",
    triple: str | None = None,
    cpu: str = "generic",
    flags: Sequence[str] = (),
    only: Collection[str] | None = None,
    form: str | None = None,
) -> Package:
    """Write a package into a new folder, once its functions agree with XLA.

    Without a form, it is the compact one for a small model, if IREE can compile it and it agrees.
    """
    device = _device(target, machine, triple, cpu, flags)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("this folder holds something already", location=str(folder), hint="name a new one")
    interface = Interface(loop)
    wanted = _wanted(loop, only)
    parts = pieces(interface, wanted)
    whole = clone(parts)
    if "train" in wanted:
        add_training(whole, loop)
    whole.operation.verify()
    signed = Module(whole).functions
    built = _built(device, _forms(interface, parts, whole, wanted, target, form), _expected(interface, wanted))
    files = {
        f"{MODULE}.vmfb": built.binary,
        f"{MODULE}.mlir": to_text(whole).encode(),
        "manifest.json": _manifest(interface, signed, device, built).encode(),
    }
    if "train" in signed:
        files |= _runner(interface)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"can't make it: {error.strerror}", location=str(folder)) from None
    for name, content in files.items():
        write_file(folder / name, content)
    if SCRIPT in files:
        (folder / SCRIPT).chmod(0o755)
    return Package({name: len(content) for name, content in files.items()}, built.form, built.checked)


def _wanted(loop: Loop, only: Collection[str] | None) -> list[str]:
    """The functions of a package: those of `only`, or all."""
    for name in only or ():
        if name not in ENTRIES:
            raise InputError(f"a package has no function '{name}'", hint=f"it has {', '.join(ENTRIES)}")
        if name == "predict" and loop.task.predict is None:
            raise InputError("the program has no function 'predict'", hint="define one, or leave it out of --only")
    return [n for n in ENTRIES if n in (only or ENTRIES) and (n != "predict" or loop.task.predict is not None)]


# -- Devices -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Device:
    """What a package is for."""

    name: str
    target: str
    flags: list[str]
    """For IREE's compiler."""
    stand_in: list[str] | None = None
    """The flags of code that can be checked here, where the device's can't be run."""


def _device(target: str, machine: str, triple: str | None, cpu: str, flags: Sequence[str]) -> _Device:
    if machine not in TARGETS:
        hint = f"there are {', '.join(TARGETS)}; others by their --triple"
        raise InputError(f"there is no machine '{machine}'", hint=hint)
    if triple is not None and machine != "host":
        raise InputError(f"the machine is said twice: {machine} and {triple}", hint="leave out one of the two")
    special = [f for f in flags if f.startswith("--iree-llvmcpu-target-")]
    common = [*SMALL, *(f for f in flags if f not in special)]
    if target != "llvm-cpu":
        return _Device(triple or machine, target, [*common, *special])
    own = [f"--iree-llvmcpu-target-triple={triple}"] if triple else list(TARGETS[machine])
    if not any("target-cpu=" in f for f in special):
        own.append(f"--iree-llvmcpu-target-cpu={cpu}")
    # A CPU of another name may have instructions that this one hasn't.
    is_here = machine in ("host", platform.machine()) and cpu in ("generic", "host") and not (triple or special)
    stand_in = None if is_here else [*common, "--iree-llvmcpu-target-cpu=generic"]
    return _Device(triple or machine, target, [*common, *own, *special], stand_in)


# -- Forms -------------------------------------------------------------------------------------------------------------

Compile = Callable[[Sequence[str]], bytes]


def _forms(
    interface: Interface, parts: ir.Module, whole: ir.Module, wanted: Sequence[str], target: str, form: str | None
) -> dict[str, Compile]:
    """The forms to try, each with how it is compiled with flags."""
    if form not in (None, *FORMS):
        raise InputError(f"there is no form '{form}'", hint=f"there are {', '.join(FORMS)}")
    if form == "compact" and target != "llvm-cpu":
        raise InputError(f"the compact form is for CPUs, not for {target}", hint="--target llvm-cpu, or another form")
    found: dict[str, Compile] = {}
    if form != "parallel" and target == "llvm-cpu":
        small = _compact(interface, parts, wanted)
        if small is not None:
            text = to_text(small)
            found["compact"] = lambda flags: compile_dispatches(text, [*compact.FLAGS, *flags])
        elif form == "compact":
            raise InputError("this model is too large for the compact form", hint="leave --form out")
    if form != "compact":
        found["parallel"] = lambda flags: compile_module(to_text(whole), target, flags)
    return found


def _compact(interface: Interface, parts: ir.Module, wanted: Sequence[str]) -> ir.Module | None:
    """The module in its compact form; None if it computes too much for that."""
    module = clone(parts)
    steps = [n for n in ("train_step", "loss") if n in wanted]
    first = jax.tree.leaves(interface.values[interface.given[0]])[0]
    is_shared = "train" in wanted and bool(steps) and interface.loop.is_whole and first.nbytes >= compact.RATE
    if "train" in wanted:
        add_training(module, interface.loop, CORE if is_shared else "train", gradients=is_shared)
    names = {n: interface.arguments[n] for n in wanted}
    taken = interface.arguments["train"]
    if is_shared:
        names = {CORE: taken, **{n: names[n] for n in wanted if n == "predict"}}
    compact.flatten(module, names)
    if not compact.is_small(module):
        return None
    compact.to_dispatches(module, names, private=[CORE])
    if is_shared:
        # The core gives the parameters, the loss before the last step, and its gradients.
        count = len(interface.results["train"])
        results = {"train": range(count), "train_step": range(count - 1, 2 * count - 1), "loss": [count - 1]}
        for name in ("train", *steps):
            given = interface.arguments[name]
            compact.add_forward(module, name, CORE, given, taken, results[name], 2 * count - 1)
    return module


CORE = "core"


@dataclass(frozen=True)
class _Built:
    form: str
    binary: bytes
    checked: dict[str, float]


def _built(device: _Device, forms: Mapping[str, Compile], expected: Mapping[str, Call]) -> _Built:
    """The first form that IREE compiles, and that agrees with XLA."""
    for form, compiled in forms.items():
        try:
            binary = compiled(device.flags)
            tested = binary if device.stand_in is None else compiled(device.stand_in)
            return _Built(form, binary, _check(expected, tested, device.target))
        except BackendError:
            if form == list(forms)[-1]:
                raise
    raise AssertionError("there is a form")


# -- The check ---------------------------------------------------------------------------------------------------------

Call = tuple[list[Any], list[Any]]
"""Arguments, and the results that they should have."""

EPOCHS_CHECKED = 7
BATCHED_EPOCHS_CHECKED = 2
"""So that a second order of the examples is seen, too."""
RATE_CHECKED = 1e-3
"""The least: the change that a smaller one makes is lost among roundings, be it right or wrong."""
TOLERANCE = 1e-4
"""The largest relative difference to XLA that is let through: f32 sums in another order, after a few epochs."""


def _expected(interface: Interface, wanted: Sequence[str]) -> dict[str, Call]:
    """What each function should give, by XLA, on the data and parameters at hand."""
    loop, task, values = interface.loop, interface.loop.task, interface.values

    def flat(names: Sequence[str], of: Mapping[str, Any]) -> list[Any]:
        return [np.asarray(v) for v in jax.tree.leaves([of[n] for n in names])]

    found: dict[str, Call] = {}
    data = loop.batch_of(loop.data, slice(loop.batch))
    batch = {**values, **data}
    if {"loss", "train_step"} & set(wanted):
        loss, gradients = jax.value_and_grad(lambda p: loop.loss(p, 0, data))(dict(task.parameters))
        given = flat(interface.given, batch)
        found["loss"] = given, [loss]
        found["train_step"] = given, [loss, *flat(interface.trained, gradients)]
    if "train" in wanted:
        epochs = EPOCHS_CHECKED if loop.is_whole else BATCHED_EPOCHS_CHECKED
        rate = max(loop.recipe.rate, RATE_CHECKED)
        after = run(task, loop.recipe.with_(epochs=epochs, rate=rate))
        given = [*flat(list(loop.data), loop.data), *flat(interface.trained, values)]
        results = [*flat(interface.trained, after.parameters), after.losses[-1]]
        found["train"] = [*given, np.float32(rate), epochs], results
    if "predict" in wanted and task.predict is not None:
        predicted = task.predict(*(batch[n] for n in task.predict_arguments))
        found["predict"] = flat(task.predict_arguments, batch), jax.tree.leaves(predicted)
    return {n: call for n, call in found.items() if n in wanted}


def _check(expected: Mapping[str, Call], binary: bytes, target: str) -> dict[str, float]:
    """Run every function here, and compare it with what XLA computes."""
    made = load_functions(binary, list(expected), target)
    differences = {}
    for name, (arguments, results) in expected.items():
        differences[name] = _difference(made[name](*arguments), results)
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


# -- What stands beside the module -------------------------------------------------------------------------------------


def _manifest(interface: Interface, signed: Mapping[str, Signature], device: _Device, built: _Built) -> str:
    functions = {
        name: {
            "arguments": _described(interface.arguments[name], signature.arguments),
            "results": _described(interface.results.get(name) or _numbered(signature.results), signature.results),
            "difference_to_xla": built.checked[name],
        }
        for name, signature in signed.items()
    }
    about = {"task": interface.loop.task.name, "target": device.target, "machine": device.name, "form": built.form}
    return json.dumps({**about, "recipe": interface.loop.recipe.settings(), "functions": functions}, indent=2) + "\n"


def _described(names: Sequence[str], types: Sequence[TensorSpec]) -> list[dict[str, str]]:
    return [{"name": n, "type": str(t)} for n, t in zip(names, types, strict=True)]


def _numbered(results: Sequence[Any]) -> list[str]:
    return [f"result{i}" for i in range(len(results))]


def _runner(interface: Interface) -> dict[str, bytes]:
    """A shell script that trains by IREE's own runner, and what it reads."""
    trees = [*interface.loop.data.values(), *(interface.values[n] for n in interface.trained)]
    files, words = {}, []
    for i, value in enumerate(jax.tree.leaves(trees)):
        array = np.asarray(value)
        if _is_written_out(array):
            words.append(_literal(array))
        else:
            files[f"input{i}.npy"] = _npy(array)
            words.append(f"@input{i}.npy")
    script = [
        "#!/bin/sh",
        "# Train; the first argument is the number of epochs.",
        'cd "$(dirname "$0")" || exit',
        f"exec iree-run-module --module={MODULE}.vmfb --device=local-task --function=train \\",
        *(f'  --input="{word}" \\' for word in words),
        f'  --input="f32={interface.loop.recipe.rate!r}" --input="${{1:-{interface.loop.recipe.epochs}}}"',
        "",
    ]
    return {SCRIPT: "\n".join(script).encode(), **files}


WRITTEN_OUT = 64
"""Elements of an array that stands in a command; larger ones have files."""
KINDS = {"float": "f", "bfloat": "bf", "int": "i", "uint": "ui"}
"""The kinds of numbers that the runner reads, as it calls them."""


def _is_written_out(array: np.ndarray[Any, Any]) -> bool:
    kind = array.dtype.name.rstrip("0123456789")
    return kind in KINDS and (array.size <= WRITTEN_OUT or kind == "bfloat")  # NumPy's files have no bfloat16


def _literal(array: np.ndarray[Any, Any]) -> str:
    kind = array.dtype.name.rstrip("0123456789")
    element = KINDS[kind] + array.dtype.name.removeprefix(kind)
    numbers = ",".join(str(x) if isinstance(x, int) else f"{x:.9g}" for x in array.ravel().tolist())
    return f"{'x'.join([*map(str, array.shape), element])}={numbers}"


def _npy(array: np.ndarray[Any, Any]) -> bytes:
    file = io.BytesIO()
    np.save(file, array, allow_pickle=False)
    return file.getvalue()
