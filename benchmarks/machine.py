"""Derivatives of C code against the code itself, in one process and one run.

    python benchmarks/machine.py            # all tables
    python benchmarks/machine.py --quick    # fewer repeats
    python benchmarks/machine.py gmm hand   # only some of the objectives

The first table is the time of a derivative over the time of its primal, for the four ADBench objectives (`adbench/*.c`,
as their authors write such code: external functions, no `restrict`, no `static`): both by LLVM's O3 for this machine.
Beside the one that is called in this process stand the one that ships (a library as `gradir diff --restrict -o x.so`
writes it), the one written by hand (`*_by_hand.c`), all measured in the same run, and what was measured for others
elsewhere, as gradir's first users reported it. The second
table is the time from the C source to the derivative that can be called, phase by phase. The third is what it gains to
optimise before differentiating. Contenders take turns and the best time of each counts, since machines are noisy.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import objectives
from objectives import SOURCES, Arguments

import gradir
from gradir.errors import GradirError
from gradir.frontends import to_llvm
from gradir.machine import jit, llvm
from gradir.machine.transform.derive import Layout, Options, Program
from gradir.native.save import export, save
from gradir.request import Activity, Mode, Request

HERE = Path(__file__).parent

PEERS = ("Enzyme", "+restrict", "Tapenade", "ADOL-C", "by hand")
"""The columns of others' ratios: Enzyme at O3, its best with `restrict` added by hand, and so on."""


# -- Calling without Python in between -------------------------------------------------------------------------------


def parameter_type(value: Any) -> str:
    return "ptr" if isinstance(value, np.ndarray) else "double" if isinstance(value, float) else "i32"


def compile_functions(
    text: str, functions: Mapping[str, Sequence[str]], phases: llvm.Phases | None = None, libraries: Sequence[str] = ()
) -> dict[str, int]:
    """Compile a module; the addresses of functions that take their arguments from a frame of eight-byte slots."""
    parts = [text]
    for name, types in functions.items():
        lines = [f"  %p{i} = getelementptr i64, ptr %frame, i64 {i}" for i in range(len(types))]
        lines += [f"  %a{i} = load {type}, ptr %p{i}" for i, type in enumerate(types)]
        arguments = ", ".join(f"{type} %a{i}" for i, type in enumerate(types))
        body = "\n".join([*lines, f"  call void @{name}({arguments}) noinline"])
        parts.append(f"define void @frame.{name}(ptr %frame) {{\n{body}\n  ret void\n}}")
        parts.append(f"define ptr @address.{name}() {{\n  ret ptr @frame.{name}\n}}")
    entries = [jit.Entry(f"address.{name}", (), "ptr") for name in functions]
    library = jit.compile_library("\n".join(parts), entries, libraries=libraries, phases=phases)
    _alive.append(library)
    return {name: library[f"address.{name}"]() for name in functions}


_alive: list[jit.Library] = []


@cache
def repeater() -> Callable[..., None]:
    module = to_llvm(HERE / "repeat.c")
    text = f"{module}\ndefine ptr @address.repeat() {{\n  ret ptr @repeat\n}}"
    library = jit.compile_library(text, [jit.Entry("address.repeat", (), "ptr")])
    _alive.append(library)
    pointer, number = ctypes.c_void_p, ctypes.c_long
    return ctypes.CFUNCTYPE(None, number, pointer, pointer, pointer, number)(library["address.repeat"]())


class Kernel:
    """A compiled function with its arguments in place, and what must be fresh at each call: zero, or as given."""

    def __init__(self, address: int, values: Sequence[Any], fresh: Sequence[tuple[np.ndarray, np.ndarray | None]] = ()):
        self.address = address
        self._kept = list(values), list(fresh)
        self._frame = ctypes.create_string_buffer(b"".join(map(_slot, values)))
        parts = [struct.pack("<QQq", to.ctypes.data, 0 if at is None else at.ctypes.data, to.size) for to, at in fresh]
        self._fresh = ctypes.create_string_buffer(b"".join(parts) or b"\0")
        self._count = len(parts)

    def __call__(self, times: int = 1) -> None:
        repeater()(times, self.address, ctypes.addressof(self._frame), ctypes.addressof(self._fresh), self._count)

    def seconds(self, times: int) -> float:
        """Of this thread's own time: what else the machine does meanwhile doesn't count."""
        start = time.thread_time()
        self(times)
        return (time.thread_time() - start) / times


def _slot(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        return struct.pack("<Q", value.ctypes.data)
    return struct.pack("<d", value) if isinstance(value, float) else struct.pack("<q", value)


def best_times(kernels: Sequence[Kernel], rounds: int) -> list[float]:
    """The best time of a call of each, taking turns of about 5 ms."""
    times = [max(1, int(0.005 / max(kernel.seconds(1), 1e-7))) for kernel in kernels]
    best = [np.inf] * len(kernels)
    for _ in range(rounds):
        for i, kernel in enumerate(kernels):
            best[i] = min(best[i], kernel.seconds(times[i]))
    return best


# -- Making derivatives ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Wanted:
    """One derivative of one function: which of its arguments carry derivatives."""

    function: str
    mode: Mode
    active: tuple[str, ...]
    width: int = 1
    layout: Layout = Layout.separate

    def request(self, names: Sequence[str]) -> Request:
        activity = tuple(Activity.dup if name in self.active else Activity.const for name in names)
        return Request(self.function, self.mode, activity, (), self.width)


def differentiate(
    source: Path, wanted: Mapping[Wanted, Sequence[str]], phases: llvm.Phases | None = None, *, optimise: bool = True
) -> tuple[str, list[str]]:
    """The text of a module with derivatives, and their names. No buffers that are passed overlap: see `no_overlap`."""
    keep = [w.function for w in wanted]
    module = llvm.normalise(to_llvm(source, phases=phases), keep=keep, noalias=keep, optimise=optimise, phases=phases)
    with llvm.phase(phases, "differentiate"):
        program = Program(llvm.canonical_text(module))
        names = [program.derivative(w.request(n), Options(noalias=True, layout=w.layout)) for w, n in wanted.items()]
        return program.text(), names


def no_overlap(arrays: Sequence[np.ndarray]) -> bool:
    """What `NativeModule` checks before it calls the version that assumes so."""
    ranges = sorted((a.ctypes.data, a.ctypes.data + a.nbytes) for a in arrays)
    return all(end <= start for (_, end), (start, _) in pairwise(ranges))


def with_shadows(arguments: Arguments, shadows: Mapping[str, np.ndarray]) -> list[Any]:
    """The operands of a derivative: after each argument that has one, its shadow."""
    operands = []
    for name, value in arguments.items():
        operands.append(value)
        if name in shadows:
            operands.append(shadows[name])
    assert no_overlap([v for v in operands if isinstance(v, np.ndarray)])
    return operands


def plain(source: Path, function: str, values: Sequence[Any]) -> int:
    """A function as it is, by O3."""
    return compile_functions(str(to_llvm(source)), {function: list(map(parameter_type, values))})[function]


def shipped(source: Path, wanted: Mapping[str, Wanted]) -> str:
    """A library with derivatives by these names, as `gradir diff --restrict --cpu native` writes it."""
    module = gradir.load(fresh_copy(source))
    library = str(source_folder() / f"{source.stem}.so")
    exports = []
    for name, w in wanted.items():
        derivative = (module.vjp if w.mode is Mode.reverse else module.jvp)(w.function, wrt=list(w.active))
        exports.append(export(derivative, name, noalias=True, width=w.width))
    save(module._engine, library, [], exports, cpu="native")
    return library


def of_library(source: Path, wanted: Wanted, operands: Sequence[Any]) -> int:
    """A derivative that ships, to be called."""
    types = list(map(parameter_type, operands))
    declared = f"declare void @shipped({', '.join(types)})"
    return compile_functions(declared, {"shipped": types}, libraries=[shipped(source, {"shipped": wanted})])["shipped"]


# -- The rows --------------------------------------------------------------------------------------------------------


@dataclass
class Contest:
    """One row: the primal, our derivative, the one written by hand, and how far apart their results are."""

    primal: Kernel
    ours: Kernel
    by_hand: Kernel
    results: Callable[[], list[tuple[np.ndarray, np.ndarray]]]
    phases: llvm.Phases
    make_shipped: Callable[[], Kernel]
    shipped_results: Callable[[], list[tuple[np.ndarray, np.ndarray]]] | None = None
    """The same of what ships, if it leaves them elsewhere."""

    @cached_property
    def shipped(self) -> Kernel:
        """Our derivative as a library has it."""
        return self.make_shipped()

    def error(self) -> float:
        """How far ours is from the one by hand."""
        return self._error(self.ours, self.results)

    def error_of_shipped(self) -> float:
        return self._error(self.shipped, self.shipped_results or self.results)

    def _error(self, kernel: Kernel, results: Callable[[], list[tuple[np.ndarray, np.ndarray]]]) -> float:
        self.by_hand()
        kernel()
        return max(float(np.max(np.abs(a - b)) / np.max(np.abs(b))) for a, b in results())


def gradient(
    name: str, arguments: Arguments, by: tuple[str, ...], state: tuple[str, ...], out: str, optimise: bool = True
) -> Contest:
    """The gradient of one number, `out`, `by` some arguments; `state` is what carries derivatives besides."""
    entry, phases = f"{name}_objective", {}
    values = list(arguments.values())
    wanted = Wanted(entry, Mode.reverse, (*by, *state, out))
    text, (derivative,) = differentiate(
        fresh_copy(SOURCES / f"{name}.c"), {wanted: list(arguments)}, phases, optimise=optimise
    )
    shadows = {n: np.zeros_like(arguments[n]) for n in (*by, *state, out)}
    operands = with_shadows(arguments, shadows)
    address = compile_functions(text, {derivative: list(map(parameter_type, operands))}, phases)[derivative]
    hand = {n: np.zeros_like(arguments[n]) for n in by}
    hand_values = [*values, *hand.values()]
    first = {n: arguments[n].copy() for n in state}
    kept = [(arguments[n], first[n]) for n in state]  # the state goes on from where it was
    resets = [(shadows[n], None) for n in (*by, *state)] + [(shadows[out], np.ones(1)), *kept]
    return Contest(
        Kernel(plain(SOURCES / f"{name}.c", entry, values), values, kept),
        Kernel(address, operands, resets),
        Kernel(plain(SOURCES / f"{name}_by_hand.c", f"{name}_by_hand", hand_values), hand_values, kept),
        lambda: [(shadows[n], hand[n]) for n in by],
        phases,
        lambda: Kernel(of_library(SOURCES / f"{name}.c", replace(wanted, active=by), operands), operands, resets),
    )


def gmm(d: int, k: int, n: int, optimise: bool = True) -> Contest:
    return gradient("gmm", objectives.gmm(d, k, n), ("alphas", "means", "icf"), (), "err", optimise)


def lstm(l: int, c: int, b: int, optimise: bool = True) -> Contest:
    return gradient("lstm", objectives.lstm(l, c, b), ("main", "extra"), ("state",), "loss", optimise)


def ba(n: int, m: int, p: int, optimise: bool = True) -> Contest:
    """Every observation's block of the Jacobian, both rows in one sweep of width two."""
    arguments, phases = objectives.ba(n, m, p), {}
    values = list(arguments.values())
    rows = Wanted("ba_reprojection_error", Mode.reverse, ("camera", "point", "weight", "error"), 2)
    weight = Wanted("ba_weight_error", Mode.reverse, ("weight", "error"))
    requests = {rows: ["camera", "point", "weight", "feature", "error"], weight: ["weight", "error"]}
    text, names = differentiate(fresh_copy(SOURCES / "ba.c"), requests, phases, optimise=optimise)
    blocks, weight_blocks = np.zeros((2, p, 2, 15)), np.zeros((2, p))
    operands = [*values, blocks[0], weight_blocks[0]]
    with llvm.phase(phases, "link"):
        loop = to_llvm(SOURCES / "ba_jacobian.c")
        glue = [forward_to("ba_reprojection_rows", names[0], 13), forward_to("ba_weight_row", names[1], 4)]
        linked = str(llvm.link([llvm.parse("\n".join([text, *glue])), loop]))
    types = list(map(parameter_type, operands))
    address = compile_functions(linked, {"ba_jacobian": types}, phases)["ba_jacobian"]
    hand_values = [*values, blocks[1], weight_blocks[1]]
    return Contest(
        Kernel(plain(SOURCES / "ba.c", "ba_objective", values), values),
        Kernel(address, operands),
        Kernel(plain(SOURCES / "ba_by_hand.c", "ba_by_hand", hand_values), hand_values),
        lambda: [(blocks[0], blocks[1]), (weight_blocks[0], weight_blocks[1])],
        phases,
        lambda: ba_shipped(operands, rows, weight),
        lambda: [
            (blocks[0].reshape(p, 15, 2).transpose(0, 2, 1), blocks[1]),
            (weight_blocks[0], weight_blocks[1]),
        ],
    )


def ba_shipped(operands: Sequence[Any], rows: Wanted, weight: Wanted) -> Kernel:
    """The same by derivatives in two libraries, which go on side by side: the blocks are of another order in memory."""
    rows, weight = (replace(w, active=tuple(n for n in w.active if n != "error")) for w in (rows, weight))
    libraries = [shipped(SOURCES / "ba.c", {"ba_rows": rows}), shipped(SOURCES / "ba.c", {"ba_weight_row": weight})]
    text = str(to_llvm(SOURCES / "ba_shipped.c"))
    types = list(map(parameter_type, operands))
    return Kernel(compile_functions(text, {"ba_shipped": types}, libraries=libraries)["ba_shipped"], operands)


def forward_to(name: str, target: str, count: int) -> str:
    """A function of pointers that is another by another name."""
    parameters = ", ".join(f"ptr %{i}" for i in range(count))
    return f"define void @{name}({parameters}) alwaysinline {{\n  call void @{target}({parameters})\n  ret void\n}}"


def hand_sweep(optimise: bool = True) -> Contest:
    """One product with the transposed Jacobian."""
    arguments, phases = objectives.hand(), {}
    seed = np.random.default_rng(5).normal(size=arguments["errors"].shape)
    shadows = {"theta": np.zeros(26), "errors": np.zeros_like(seed)}
    wanted = Wanted("hand_objective", Mode.reverse, tuple(shadows))
    text, (name,) = differentiate(fresh_copy(SOURCES / "hand.c"), {wanted: list(arguments)}, phases, optimise=optimise)
    operands = with_shadows(arguments, shadows)
    address = compile_functions(text, {name: list(map(parameter_type, operands))}, phases)[name]
    values, by_hand = list(arguments.values()), np.zeros(26)
    resets = [(shadows["theta"], None), (shadows["errors"], seed)]
    hand_values = [*values, seed, by_hand]
    return Contest(
        Kernel(plain(SOURCES / "hand.c", "hand_objective", values), values),
        Kernel(address, operands, resets),
        Kernel(plain(SOURCES / "hand_by_hand.c", "hand_by_hand_vjp", hand_values), hand_values),
        lambda: [(shadows["theta"], by_hand)],
        phases,
        lambda: Kernel(of_library(SOURCES / "hand.c", replace(wanted, active=("theta",)), operands), operands, resets),
    )


def hand_jacobian(optimise: bool = True) -> Contest:
    """All 26 directions in one forward sweep; the shadows of neighbours in memory are the directions of one number."""
    arguments, phases = objectives.hand(), {}
    shadows = {"theta": np.eye(26), "errors": np.zeros((*arguments["errors"].shape, 26))}
    wanted = Wanted("hand_objective", Mode.forward, tuple(shadows), 26, Layout.interleaved)
    text, (name,) = differentiate(fresh_copy(SOURCES / "hand.c"), {wanted: list(arguments)}, phases, optimise=optimise)
    operands = with_shadows(arguments, shadows)
    address = compile_functions(text, {name: list(map(parameter_type, operands))}, phases)[name]
    values, by_hand = list(arguments.values()), np.zeros_like(shadows["errors"])
    hand_values = [*values, by_hand]
    return Contest(
        Kernel(plain(SOURCES / "hand.c", "hand_objective", values), values),
        Kernel(address, operands),
        Kernel(plain(SOURCES / "hand_by_hand.c", "hand_by_hand_jacobian", hand_values), hand_values),
        lambda: [(shadows["errors"], by_hand)],
        phases,
        lambda: Kernel(of_library(SOURCES / "hand.c", replace(wanted, active=("theta",)), operands), operands),
    )


def fresh_copy(source: Path) -> Path:
    """A copy that no compiler has seen yet: some keep what they made of a source."""
    folder = source_folder()
    copy = folder / source.name
    copy.write_text(f"{source.read_text()}\n/* {folder.name} */\n")
    return copy


def source_folder() -> Path:
    """A folder of its own."""
    return Path(tempfile.mkdtemp(prefix="gradir-bench-", dir=_folder().name))


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="gradir-bench-")


@dataclass(frozen=True)
class Row:
    """A row of the first table, with others' ratios (see `PEERS`)."""

    name: str
    make: Callable[..., Contest]
    peers: tuple[float | None, ...]


ROWS = {
    "gmm": [
        Row("GMM d=10 K=25 n=1000", partial(gmm, 10, 25, 1000), (9.2, 3.8, 3.5, 32.8, 2.8)),
        Row("GMM d=20 K=50 n=1000", partial(gmm, 20, 50, 1000), (11.9, 3.5, 3.3, 39.9, 2.7)),
        Row("GMM d=64 K=25 n=1000", partial(gmm, 64, 25, 1000), (14.5, 5.6, 10.2, 89.4, 5.3)),
    ],
    "lstm": [
        Row("LSTM l=2 c=1024 b=14", partial(lstm, 2, 1024, 14), (3.4, 3.1, 4.1, 10.0, 6.3)),
        Row("LSTM l=4 c=1024 b=14", partial(lstm, 4, 1024, 14), (3.7, 3.2, 4.2, 10.3, 12.0)),
    ],
    "ba": [Row("BA n=49 m=7776 p=31843", partial(ba, 49, 7776, 31843), (7.3, 6.8, 9.2, None, 3.3))],
    "hand": [
        Row("HAND one reverse sweep", hand_sweep, (2.7, None, None, None, None)),
        Row("HAND whole Jacobian", hand_jacobian, (33.9, None, 61.9, None, None)),
    ],
}


# -- The tables ------------------------------------------------------------------------------------------------------


def ratios(names: Sequence[str], rounds: int) -> dict[str, llvm.Phases]:
    """The first table; gives the phases for the second."""
    print("time of the derivative / time of the primal; the last columns are as measured elsewhere")
    columns = f"{'':24}{'primal':>10}{'gradir':>8}{'shipped':>9}{'by hand':>9}{'error':>10}   "
    print(columns + "".join(f"{p:>11}" for p in PEERS))
    phases = {}
    for row in (row for name in names for row in ROWS[name]):
        contest = row.make()
        error = max(contest.error(), contest.error_of_shipped())
        kernels = [contest.primal, contest.ours, contest.shipped, contest.by_hand]
        primal, ours, shipped, by_hand = best_times(kernels, rounds)
        elsewhere = "".join(f"{'' if p is None else p:>11}" for p in row.peers)
        print(
            f"{row.name:24}{1e3 * primal:8.3f}ms{ours / primal:8.2f}{shipped / primal:9.2f}{by_hand / primal:9.2f}"
            f"{error:10.0e}   {elsewhere}",
            flush=True,
        )
        phases[row.name] = contest.phases
    return phases


def time_to_differentiate(phases: Mapping[str, llvm.Phases]) -> None:
    print("\nfrom the C source to the derivative that can be called, milliseconds")
    columns = list(dict.fromkeys(name for times in phases.values() for name in times))
    print(f"{'':24}" + "".join(f"{column:>14}" for column in columns) + f"{'total':>10}")
    for name, times in phases.items():
        cells = "".join(f"{1e3 * times.get(column, 0):14.0f}" for column in columns)
        print(f"{name:24}{cells}{1e3 * sum(times.values()):10.0f}")


def gain_of_optimising_first(names: Sequence[str], rounds: int) -> None:
    print("\nderivative made before optimising / made after it (both optimised once made)")
    for row in (row for name in names for row in ROWS[name]):
        try:
            after, before = row.make(), row.make(optimise=False)
        except GradirError as refusal:
            print(f"{row.name:24}{'-':>8}   {refusal.message}", flush=True)
            continue
        error = before.error()
        seconds = best_times([after.ours, before.ours], rounds)
        print(f"{row.name:24}{seconds[1] / seconds[0]:8.2f}   error {error:.0e}", flush=True)
    print("\nout[i] = in[i] / norm(in): time of the reverse sweep, microseconds")
    print(f"{'n':>24}{'made after':>12}{'made before':>13}{'before/after':>14}")
    for n in (250, 500, 1000, 2000, 4000):
        seconds = best_times([norm_sweep(n, True), norm_sweep(n, False)], rounds)
        print(f"{n:24}{1e6 * seconds[0]:12.1f}{1e6 * seconds[1]:13.1f}{seconds[1] / seconds[0]:14.1f}", flush=True)


def norm_sweep(n: int, optimise: bool) -> Kernel:
    arguments = {"in": np.random.default_rng(6).normal(size=n), "out": np.zeros(n), "n": n}
    shadows = {"in": np.zeros(n), "out": np.ones(n)}
    text, (name,) = differentiate(
        HERE / "norm.c", {Wanted("norm", Mode.reverse, ("in", "out")): list(arguments)}, optimise=optimise
    )
    operands = with_shadows(arguments, shadows)
    address = compile_functions(text, {name: list(map(parameter_type, operands))})[name]
    return Kernel(address, operands, [(shadows["in"], None), (shadows["out"], np.ones(n))])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("objectives", nargs="*", help=f"some of {', '.join(ROWS)} (all of them if none is named)")
    parser.add_argument("--quick", action="store_true", help="fewer repeats")
    options = parser.parse_args()
    unknown = [name for name in options.objectives if name not in ROWS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(ROWS)}")
    os.environ["GRADIR_CACHE"] = "off"  # or the time to differentiate would be the time to read a file
    names, rounds = options.objectives or list(ROWS), 10 if options.quick else 50
    phases = ratios(names, rounds)
    time_to_differentiate(phases)
    gain_of_optimising_first(names, max(5, rounds // 3))


if __name__ == "__main__":
    main()
