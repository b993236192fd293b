"""What a program gives by gradir, with and without its optimiser, and by JAX, in its own types and in a wider one.

For each program there are three modules: JAX's value and derivatives, gradir's without the optimiser, and with it. All
are interpreted in their own types; JAX's is also interpreted in a wider one, which is the truth. A result of gradir's
is bad if

- it raises where JAX does not (`crash`; `refused` if by one of gradir's own errors);
- an element is not finite, where the truth is in the range of the type and the references are finite (`not finite`);
- an element is 0, and otherwise would be `wrong` (`lost`);
- an element's error is more than `UNITS` units of rounding and `NOISE` times what the references themselves err by
  (`wrong`).

The references of gradir without its optimiser are JAX's; those of the optimised program are both. How much a reference
errs is not judged by one point, where it may be exact by chance: the inputs are shaken by some units, and the greatest
error and the greatest change of the truth count; derivatives are also added up of those along one direction at a time.
So a decision that hangs on the last digit (a comparison, a tie) makes no finding, nor does a sum that cancels.
"""

from __future__ import annotations

import signal
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import compress
from typing import Any

import jax
import ml_dtypes
import numpy as np
from jaxlib.mlir import ir

import gradir
import gradir.jax
from fuzzing.generate import Program, cotangents, directions, inputs
from fuzzing.interpreter import Interpreter, Unknown

Array = Any

UNITS = 16
"""How many units of rounding a result may be off by anyway: a gradient is a sum of some products."""
NOISE = 16
"""How much more than its references an optimised result may err: another order of the same sums errs otherwise, and
the greatest of a few errors is not the greatest there is."""
SHAKES = 12
SECONDS = 60
"""Of the processor's time, however busy the machine is."""


WAYS = ("plain", "optimised")
"""Whose results are judged: gradir's without the optimiser, and with it."""


class Hang(BaseException):
    """A program took too long. (No code that handles errors of its own may take this for one.)"""


class NotInJax(Exception):
    """JAX itself does not differentiate the program."""


@dataclass(frozen=True)
class Finding:
    """What is bad about a program: of which kind, where, and whose it is (`plain` is gradir without its optimiser)."""

    kind: str
    whose: str
    where: str
    why: str


@dataclass
class Case:
    """A program with its inputs."""

    program: Program
    given: list[Array]
    second: list[Array]
    seed: int
    order: int = 1
    """Of the derivatives that are judged: 1 or 2."""

    @classmethod
    def of(cls, program: Program, seed: int, order: int = 1) -> Case:
        return cls(program, inputs(program, seed), inputs(program, seed + 10**9), seed, order)


@contextmanager
def limited(seconds: int = SECONDS) -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# -- derivatives -------------------------------------------------------------------------------------------------------


def calculus(m: Any, case: Case, optimised: bool) -> Callable[..., dict[str, Any]]:
    """Value, tangent, gradient and a batch of either, of the program's floats; `m` is `jax` or `gradir.jax`.

    Of the second order: forward over reverse mode, and reverse over forward.
    """
    p = case.program
    f = p.function
    is_float = [v.type in "FG" for v in p.inputs]

    def run(xs: list[Array], pairs: list[Array], ts: list[Array], cts: list[Array]) -> dict[str, Any]:
        floats, some = (list(compress(values, is_float)) for values in (xs, pairs))
        rest = [x for x, k in zip(xs, is_float, strict=True) if not k]

        def g(*chosen: Array) -> tuple[Array, ...]:
            left, right = iter(chosen), iter(rest)
            return f(*(next(left) if k else next(right) for k in is_float))

        out: dict[str, Any] = {"value": (m.optimize(g) if optimised else g)(*floats)}
        if case.order == 2:
            if len(p.modes) == 2:
                out["jvp of vjp"] = m.jvp(lambda *x: m.vjp(g, *x)[1](tuple(cts)), tuple(floats), tuple(ts))[1]
                out["vjp of jvp"] = m.vjp(lambda *x: m.jvp(g, x, tuple(ts))[1], *floats)[1](tuple(cts))
            return out
        if "jvp" in p.modes:
            out["jvp"] = m.jvp(g, tuple(floats), tuple(ts))[1]
        if "vjp" in p.modes:
            out["vjp"] = m.vjp(g, *floats)[1](tuple(cts))
        mode = p.modes[case.seed % len(p.modes)] if p.modes else "value"
        each = {
            "jvp": lambda *x: m.jvp(g, x, tuple(ts)),
            "vjp": lambda *x: m.vjp(g, *x)[1](tuple(cts)),
            "value": lambda *x: m.optimize(g)(*x) if optimised else g(*x),
        }[mode]
        out[f"batch of {mode}"] = jax.vmap(each)(*some)
        return out

    if optimised and case.seed % 4 == 0:
        return m.optimize(run)
    return run


class Lowered:
    """One way's module, and where its results stand."""

    def __init__(self, m: Any, case: Case, optimised: bool) -> None:
        p = case.program
        structs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in case.given]
        pairs = [jax.ShapeDtypeStruct((2, *x.shape), x.dtype) for x in case.given]
        ts = [s for s, v in zip(structs, p.inputs, strict=True) if v.type in "FG"]
        outs = jax.eval_shape(p.function, *structs)
        with gradir.optimizing(optimised):
            self.run = calculus(m, case, optimised)
            lowered = jax.jit(self.run, keep_unused=True).lower(structs, pairs, ts, list(outs))
        tree = jax.tree_util.tree_flatten_with_path(lowered.out_info)[0]
        self.places = [jax.tree_util.keystr(path) for path, _ in tree]
        self.module: ir.Module = lowered.compiler_ir("stablehlo")

    def interpreter(self, wide: bool = False) -> Interpreter:
        return Interpreter(self.module, wide=wide)


# -- judging -----------------------------------------------------------------------------------------------------------


def arguments(case: Case, given: Sequence[Array], second: Sequence[Array], cts: Sequence[Array]) -> list[Array]:
    pairs = [np.stack([x, y]) for x, y in zip(given, second, strict=True)]
    return [*given, *pairs, *directions(case.program, given, case.seed), *cts]


def shaken(xs: Sequence[Array], rng: np.random.Generator) -> list[Array]:
    """Each float but 0 moved by up to two units, each its own way. (The unit of all that is subnormal is one.)"""

    def move(x: Array) -> Array:
        if x.dtype.kind in "ib":
            return x
        ends, wide = ml_dtypes.finfo(x.dtype), x.astype(np.float64)
        unit = np.maximum(float(ends.eps) * np.abs(wide), float(ends.smallest_subnormal))
        with np.errstate(over="ignore"):
            return np.asarray(wide + np.where(wide == 0, 0, unit * rng.uniform(-2, 2, x.shape))).astype(x.dtype)

    return [move(x) for x in xs]


def is_float(x: Array) -> bool:
    return x.dtype.kind == "f" or x.dtype == ml_dtypes.bfloat16


class Judge:
    """A case with all its interpreters: JAX's in both precisions, and those of gradir that could be made."""

    def __init__(self, case: Case, ways: Sequence[str] = WAYS) -> None:
        self.case = case
        self.findings: list[Finding] = []
        try:
            reference = Lowered(jax, case, False)
        except Exception as error:
            raise NotInJax(f"{type(error).__name__}: {str(error)[:200]}") from error
        self.places = reference.places
        self.jax, self.truth = reference.interpreter(), reference.interpreter(wide=True)
        self.ours: dict[str, Interpreter] = {}
        for whose in ways:
            try:
                self.ours[whose] = Lowered(gradir.jax, case, whose == "optimised").interpreter()
            except Unknown:
                raise
            except Exception as error:
                kind = "refused" if isinstance(error, gradir.GradirError) else "crash"
                last = traceback.extract_tb(error.__traceback__)[-1]
                why = f"{type(error).__name__}: {str(error)[:300]} ({last.filename.rsplit('/', 1)[-1]}:{last.name})"
                self.findings.append(Finding(kind, whose, "", why))
        count = sum(s.startswith("['value']") for s in self.places)
        structs = jax.eval_shape(case.program.function, *case.given)
        blank = arguments(case, case.given, case.second, [np.zeros(s.shape, s.dtype) for s in structs])
        first = self.places.index("['value'][0]")
        self.given = [
            *blank[: len(blank) - count],
            *cotangents(self.jax(*blank)[first : first + count], case.seed),
        ]

    def verdict(self) -> list[Finding]:
        theirs, truth = self.jax(*self.given), self.truth(*self.given)
        results = {whose: run(*self.given) for whose, run in self.ours.items()}
        still = [(whose, k) for whose, rs in results.items() for k in range(len(rs))]
        noise: list[Array] = [np.zeros(t.shape) for t in truth]
        for step in range(SHAKES + 1):
            if step == 1:
                self._superpose(truth, noise)
            if step:
                self._shake(step, truth, noise)
            found = {}
            for whose, k in still:
                references = [theirs[k]]
                if whose == "optimised" and "plain" in results:
                    references.append(results["plain"][k])
                if said := compare(results[whose][k], references, truth[k], noise[k]):
                    found[whose, k] = said
            still = list(found)
            if not still:
                break
        for (whose, k), (kind, why) in found.items():
            self.findings.append(Finding(kind, whose, self.places[k], why))
        return self.findings

    def _superpose(self, truth: list[Array], noise: list[Array]) -> None:
        """How much derivatives differ from the sum of those along one direction, or of one result, at a time.

        What is small is lost where something large is added to it that cancels later, in any precision: 1e-20 + 1 - 1.
        """
        if "clip_gradient(" in "".join(step.text for step in self.case.program.steps):
            return  # whose derivative is not linear
        first = 2 * len(self.case.given)
        zeros = [np.zeros_like(x) for x in self.given[first:]]
        with np.errstate(all="ignore"):
            alone = [
                self.truth(*self.given[:first], *zeros[:n], x, *zeros[n + 1 :])
                for n, x in enumerate(self.given[first:])
            ]
            for k, place in enumerate(self.places):
                if place.startswith(("['jvp']", "['vjp']", "['batch of jvp'][1]", "['batch of vjp']")):
                    change = np.abs(sum(a[k] for a in alone) - truth[k])
                    noise[k] = np.maximum(noise[k], np.where(np.isfinite(change), change, np.inf))

    def _shake(self, step: int, truth: list[Array], noise: list[Array]) -> None:
        """How much JAX's results err, and the truth moves, nearby; infinite where either is not finite there."""
        near = shaken(self.given, np.random.default_rng([self.case.seed, 5, step]))
        with np.errstate(all="ignore"):
            for k, (j, t) in enumerate(zip(self.jax(*near), self.truth(*near), strict=True)):
                if is_float(j):
                    change = np.maximum(np.abs(j.astype(np.float64) - t), np.abs(t - truth[k]))
                    noise[k] = np.maximum(noise[k], np.where(np.isfinite(change), change, np.inf))


def compare(x: Array, references: Sequence[Array], truth: Array, noise: Array) -> tuple[str, str] | None:
    """What is bad about a result, and where, if anything."""
    if x.shape != truth.shape or any(x.dtype != r.dtype for r in references):
        return "wrong", f"{references[0].dtype}{truth.shape} became {x.dtype}{x.shape}"
    if not is_float(x):
        return None  # what decides has its own place among the steps
    ends = ml_dtypes.finfo(x.dtype)
    wide = x.astype(np.float64)
    refs = [r.astype(np.float64) for r in references]
    with np.errstate(all="ignore"):
        sound = np.isfinite(truth) & (np.abs(truth) <= float(ends.max)) & np.isfinite(noise)
        for r in refs:
            sound &= np.isfinite(r)
        least = float(ends.smallest_subnormal)
        own = np.max([np.abs(r - truth) for r in refs], 0)
        allowed = NOISE * np.maximum(noise, own) + UNITS * (float(ends.eps) * np.abs(truth) + least)
        broken = sound & ~np.isfinite(wide)
        wrong = sound & np.isfinite(wide) & (np.abs(wide - truth) > allowed)
    for kind, where in (("not finite", broken), ("lost", wrong & (wide == 0)), ("wrong", wrong)):
        if where.any():
            at = tuple(int(i) for i in np.argwhere(where)[0])
            said = f"{at}: {wide[at]:.6g} instead of {truth[at]:.6g} (JAX {refs[0][at]:.6g}"
            return kind, said + (f", plain {refs[1][at]:.6g})" if len(refs) > 1 else ")")
    return None


@dataclass
class Outcome:
    """What became of a seed: `right`, `bad`, or why it says nothing."""

    seed: int
    kind: str
    findings: list[Finding]
    why: str = ""


def judge(case: Case, ways: Sequence[str] = WAYS) -> Outcome:
    try:
        with jax.enable_x64(True), limited():
            findings = Judge(case, ways).verdict()
    except NotInJax as error:
        return Outcome(case.seed, "not in JAX", [], str(error))
    except Unknown as error:
        return Outcome(case.seed, "unknown", [], str(error))
    except Hang as error:
        return Outcome(case.seed, "bad", [Finding("hang", "either", "", str(error))])
    return Outcome(case.seed, "bad" if findings else "right", findings)
