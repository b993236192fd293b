"""How to train: the optimiser, its rate over time, the batches, and how long."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any

import jax

from gradir.errors import InputError, nearest
from gradir.frontends.sheaf import Program
from gradir.train import loss_scaling

__all__ = ["OPTIMIZERS", "PRECISIONS", "SCHEDULES", "Recipe"]

Tree = Any
Step = Callable[[Tree, Tree, Tree, Any, Any], tuple[Tree, Tree]]


@cache
def _library() -> Program:
    """The optimisers are written in the language's own library."""
    return Program()


def _zeros(tree: Tree) -> Tree:
    return jax.tree.map(jax.numpy.zeros_like, tree)


@dataclass(frozen=True)
class Optimizer:
    """An optimiser: the state it begins with, and its step from parameters and gradients to new ones."""

    start: Callable[[Tree], Tree]
    step: Callable[[Recipe, Tree, Tree, Tree, Any], tuple[Tree, Tree]]


def _sgd(r: Recipe, p: Tree, g: Tree, s: Tree, rate: Any) -> tuple[Tree, Tree]:
    return _library()["sgd-step"](p, g, rate), s


def _momentum(r: Recipe, p: Tree, g: Tree, s: Tree, rate: Any) -> tuple[Tree, Tree]:
    p, v = _library()["sgd-momentum-step"](p, g, s["v"], rate, r.momentum)
    return p, {"v": v}


def _adam(r: Recipe, p: Tree, g: Tree, s: Tree, rate: Any) -> tuple[Tree, Tree]:
    p, m, v, t = _library()["adam-step"](p, g, s["m"], s["v"], s["t"], rate, r.beta1, r.beta2, r.epsilon)
    return p, {"m": m, "v": v, "t": t}


def _adamw(r: Recipe, p: Tree, g: Tree, s: Tree, rate: Any) -> tuple[Tree, Tree]:
    p, m, v, t = _library()["adamw-step"](p, g, s["m"], s["v"], s["t"], rate, r.beta1, r.beta2, r.epsilon, r.decay)
    return p, {"m": m, "v": v, "t": t}


def _moments(parameters: Tree) -> Tree:
    return {"m": _zeros(parameters), "v": _zeros(parameters), "t": jax.numpy.zeros((), jax.numpy.int32)}


OPTIMIZERS = {
    "sgd": Optimizer(lambda _: {}, _sgd),
    "momentum": Optimizer(lambda p: {"v": _zeros(p)}, _momentum),
    "adam": Optimizer(_moments, _adam),
    "adamw": Optimizer(_moments, _adamw),
}
PRECISIONS = ("float32", "bfloat16", "float16")
SCHEDULES = ("constant", "linear", "cosine", "exponential", "warmup-cosine")


@dataclass(frozen=True)
class Recipe:
    """How to train.

    >>> Recipe(optimizer="adam", rate=1e-3, epochs=10)
    Recipe(optimizer='adam', rate=0.001, epochs=10, ...)
    """

    optimizer: str = "sgd"
    rate: float = 0.01
    epochs: int = 1
    batch: int | None = None
    """Examples in a batch; all of them, if None. What is left at the end of an epoch comes in the next."""
    schedule: str = "constant"
    warmup: int = 0
    """Steps in which the rate rises, for `warmup-cosine`."""
    clip: float | None = None
    """The largest global norm of the gradients."""
    momentum: float = 0.9
    beta1: float = 0.9
    beta2: float = 0.999
    epsilon: float = 1e-8
    decay: float = 0.01
    """Weight decay, for `adamw`."""
    shuffle: bool = True
    seed: int = 0
    accumulate: int = 1
    """Parts in which a batch is computed, one after the other: loss and gradients are their means."""
    precision: str = "float32"
    """What the loss is computed in. Parameters and the optimiser's state stay as they are; with `float16` the loss is
    scaled, so that small gradients don't vanish."""

    def __post_init__(self) -> None:
        _one_of("optimizer", self.optimizer, OPTIMIZERS)
        _one_of("schedule", self.schedule, SCHEDULES)
        _one_of("precision", self.precision, PRECISIONS)
        if not isinstance(self.accumulate, int) or self.accumulate < 1:
            raise InputError(f"a batch has at least one part, not {self.accumulate!r}")
        for name in ("rate", "epsilon"):
            if not getattr(self, name) > 0:
                raise InputError(f"{name} must be positive, not {getattr(self, name)}")
        for name in ("epochs", "warmup", "seed"):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < 0:
                raise InputError(f"{name} must be a whole number and not negative, not {getattr(self, name)!r}")
        if self.batch is not None and self.batch < 1:
            raise InputError(f"a batch has at least one example, not {self.batch}")
        if self.clip is not None and not self.clip > 0:
            raise InputError(f"clip must be positive, not {self.clip}")

    @classmethod
    def of(cls, settings: Mapping[str, Any], **more: Any) -> Recipe:
        """A recipe from settings by name. What is None in `more` is as the settings say."""
        known = {f.name for f in fields(cls)}
        for name in settings:
            if name not in known:
                raise InputError(f"there is no setting '{name}'", hint=nearest(name, known))
        plain = {k: str(v) if isinstance(v, str) else v for k, v in settings.items()}
        return cls(**{**plain, **{k: v for k, v in more.items() if v is not None}})

    @property
    def is_scaled(self) -> bool:
        """Whether the loss is scaled before it is differentiated."""
        return self.precision == "float16"

    def start(self, parameters: Tree) -> Tree:
        """The optimiser's state at the beginning."""
        state = OPTIMIZERS[self.optimizer].start(parameters)
        return {**state, **loss_scaling.start()} if self.is_scaled else state

    def scale(self, state: Tree) -> Any:
        """What the loss is multiplied by before it is differentiated."""
        return state[loss_scaling.SCALE] if self.is_scaled else None

    def update(self, parameters: Tree, gradients: Tree, state: Tree, rate: Any) -> tuple[Tree, Tree]:
        """One step of the optimiser, from gradients of the scaled loss if it is scaled."""
        if self.is_scaled:
            return loss_scaling.update(self._update, parameters, gradients, state, rate)
        return self._update(parameters, gradients, state, rate)

    def _update(self, parameters: Tree, gradients: Tree, state: Tree, rate: Any) -> tuple[Tree, Tree]:
        if self.clip is not None:
            gradients = _library()["clip-by-global-norm"](gradients, self.clip)
        return OPTIMIZERS[self.optimizer].step(self, parameters, gradients, state, rate)

    def rate_at(self, step: Any, steps: Any, rate: Any) -> Any:
        """The rate in a step of so many."""
        arguments = (step, steps, rate, float(self.warmup)) if self.schedule == "warmup-cosine" else (step, steps, rate)
        return _library()[f"{self.schedule}-schedule"](*arguments)

    def settings(self) -> dict[str, Any]:
        return asdict(self)

    def with_(self, **changes: Any) -> Recipe:
        return replace(self, **changes)


def _one_of(what: str, name: str, known: Any) -> None:
    if name not in known:
        raise InputError(f"there is no {what} '{name}'", hint=nearest(name, known, f"there are {', '.join(known)}"))
