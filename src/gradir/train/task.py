"""What to train: a loss, the parameters it is to be small in, and the data."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import jax
import numpy as np

from gradir.definitions import Definitions, leaf_names, read_definitions
from gradir.errors import InputError, RequestError, UnknownFunction
from gradir.train import stablehlo
from gradir.train.mesh import Rules, read_axes

__all__ = ["Task", "load"]

Array = Any
Tree = Any


@dataclass(frozen=True, eq=False)
class Task:
    """A loss with its arguments by name: some are parameters, which are trained, the others data.

    A parameter may be a tree: a dictionary, with its keys in sorted order. An argument called `key` that is neither is
    given a new random key in each step.
    """

    name: str
    loss: Callable[..., Any]
    arguments: Sequence[str]
    """The names of the loss's arguments, in its order."""
    parameters: Mapping[str, Tree]
    """The first parameters; or their shapes and types, where `init` makes them later."""
    data: Mapping[str, Array] = field(default_factory=dict)
    predict: Callable[..., Any] | None = None
    predict_arguments: Sequence[str] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    """What the program itself says of how it is to be trained."""
    sharded: Rules = ()
    """What the program itself says of how parameters are split over a mesh."""
    identity: str = ""
    """A digest of the program, by which a checkpoint knows its own."""
    explain: Callable[..., None] | None = None
    """Runs the loss op by op, and raises at the first that makes NaN."""
    init: Callable[[], Tree] | None = None
    """Makes the first parameters: traced, so that each device makes what it will have of them."""

    def __post_init__(self) -> None:
        for name in self.parameters:
            if name not in self.arguments:
                raise InputError(
                    f"the loss has no argument '{name}' to train", hint=f"it has {', '.join(self.arguments)}"
                )
        if not jax.tree.leaves(dict(self.parameters)):
            raise InputError("there is nothing to train", hint="name parameters of the loss, and give their values")
        for name, leaf in self.leaves():
            kind = jax.numpy.result_type(leaf)
            if not jax.numpy.issubdtype(kind, np.floating):
                raise InputError(f"the parameter {name} is of {kind}, which can't be trained")

    def first(self, shardings: Tree = None) -> dict[str, Tree]:
        """The first parameters; if they are yet to be made, where shardings say."""
        if self.init is None:
            return dict(self.parameters)
        return jax.jit(self.init, out_shardings=shardings)()  # type: ignore[no-any-return]

    @property
    def inputs(self) -> list[str]:
        """The arguments that are data, in the loss's order."""
        return [n for n in self.arguments if n not in self.parameters and not self.is_key(n)]

    def is_key(self, name: str) -> bool:
        return name == "key" and name not in self.data and name not in self.parameters

    def leaves(self) -> list[tuple[str, Array]]:
        """The parameters one by one, with dotted names."""
        tree = dict(self.parameters)
        return list(zip(map(".".join, leaf_names(tree)), jax.tree.leaves(tree), strict=True))

    def with_data(self, data: Mapping[str, Array]) -> Task:
        """The same with these data, which must be what the loss takes."""
        known = {*self.inputs, *(["key"] if "key" in self.arguments else [])}
        for name in data:
            if name not in known:
                raise InputError(f"the loss takes no data '{name}'", hint=f"it takes {', '.join(self.inputs)}")
        return replace(self, data={**self.data, **data})

    def checked_data(self) -> dict[str, Array]:
        """All data that the loss takes, with an equal number of examples."""
        missing = [n for n in self.inputs if n not in self.data]
        if missing:
            raise InputError(
                f"there are no data for {', '.join(missing)}", hint="give them by --data, or in the program"
            )
        data = {n: self.data[n] for n in self.inputs}
        counts = {n: np.shape(x)[0] for n, x in data.items() if np.ndim(x)}
        if len(set(counts.values())) > 1:
            shown = ", ".join(f"{n} {c}" for n, c in counts.items())
            raise InputError(f"the data differ in their number of examples: {shown}")
        if counts and not next(iter(counts.values())):
            raise InputError("there are no examples in the data")
        return data


def load(
    source: str | Path,
    *,
    loss: str = "loss",
    parameters: Sequence[str] | None = None,
    initial: Initial | None = None,
    seed: int = 0,
    defers: bool = False,
) -> Task:
    """Read what to train.

    A Sheaf file defines the loss, its first parameters (`params`, a dictionary by argument, or `init`, a function of a
    random key that gives one), and perhaps `data`, `predict`, `train`, a dictionary of settings, and `sharded`, one of
    rules by which parameters are split over a mesh. A Python file does the same with JAX. Where one argument of the
    loss is a dictionary, `params` may be its value itself.

    A StableHLO module has the loss, and perhaps `predict`; which arguments are `parameters` is said here, and where
    they begin: `initial` is a dictionary, or a function that gives one of the same form as the one that it is given.

    With `defers`, the program's `init` is not run: the task has the shapes of parameters, and makes them on the mesh.
    """
    path = Path(source)
    if not path.is_file():
        raise InputError("no such file", location=str(path))
    if path.suffix in (".shf", ".py"):
        return _task(read_definitions(path), loss, parameters, initial, seed, defers)
    if path.suffix in stablehlo.FORMATS:
        return _task(stablehlo.stablehlo_definitions(path), loss, parameters, initial, seed, defers)
    known = ", ".join((".shf", ".py", *stablehlo.FORMATS))
    raise InputError(f"can't train a '{path.suffix}' file", location=str(path), hint=f"known are {known}")


Initial = Mapping[str, Tree] | Callable[[Tree], Tree]
"""The first parameters, or a function that gives some of the same form as those that it is given."""


def _task(
    found: Definitions,
    loss: str,
    parameters: Sequence[str] | None,
    initial: Initial | None,
    seed: int,
    defers: bool,
) -> Task:
    function = found.get(loss)
    if not callable(function):
        hint = f"name one by --loss: it has {', '.join(found.functions)}" if found.functions else None
        raise UnknownFunction(f"it defines no function '{loss}'", location=str(found.path), hint=hint)
    arguments = found.names(function)

    def first() -> Tree:
        start = initial if isinstance(initial, Mapping) else _start(found, loss, parameters, seed, callable(initial))
        if not isinstance(start, Mapping):
            raise InputError("params is a dictionary", location=str(found.path))
        # By argument; or the value of the first argument itself.
        if not set(start) <= set(arguments):
            start = {(parameters or arguments)[0]: start}
        chosen = dict(start) if parameters is None else {n: start[n] for n in parameters if n in start}
        if callable(initial):
            chosen = initial(jax.tree.map(_float_array, chosen))
        return jax.tree.map(_float_array, chosen)

    can_wait = defers and initial is None and found.get("params") is None and callable(found.get("init"))
    shapes = _traced_shapes(first) if can_wait else None
    settings = found.get("train")
    predict = found.get("predict")
    data = found.get("data")
    return Task(
        name=found.path.stem,
        loss=function,
        arguments=arguments,
        parameters=first() if shapes is None else shapes,
        init=None if shapes is None else first,
        data={k: np.asarray(v) for k, v in (data if isinstance(data, Mapping) else {}).items() if k in arguments},
        predict=predict if callable(predict) else None,
        predict_arguments=found.names(predict) if callable(predict) else (),
        settings=settings if isinstance(settings, Mapping) else {},
        sharded=_rules(found),
        identity=hashlib.sha256(found.text).hexdigest()[:16],
        explain=found.replay(loss) if found.replay else None,
    )


def _traced_shapes(make: Callable[[], Tree]) -> Tree | None:
    """The shapes of what a function makes, if it can be traced: Python code may look at its numbers."""
    try:
        return jax.eval_shape(make)
    except (jax.errors.JAXTypeError, jax.errors.JAXIndexError):
        return None


def _rules(found: Definitions) -> Rules:
    """The rules of a program's `sharded`: a dictionary from patterns of names to axes, as text or one by one."""
    said = found.get("sharded")
    if said is None or callable(said):
        return ()
    if not isinstance(said, Mapping):
        raise InputError("sharded is a dictionary from names to axes", location=str(found.path))
    return [(str(name), read_axes(axes) if isinstance(axes, str) else list(axes)) for name, axes in said.items()]


def _start(found: Definitions, loss: str, parameters: Sequence[str] | None, seed: int, as_form: bool) -> Any:
    """The first parameters, as the file has them; or, if their form is all that is asked, some like them."""
    if found.path.suffix in stablehlo.FORMATS:
        blank = stablehlo.zeros(found, loss, parameters)
        if as_form:
            return blank
        raise RequestError(
            "where do the parameters begin?", location=str(found.path), hint="--init FILE.safetensors has their values"
        )
    if (start := found.get("params")) is not None:
        return start
    if callable(init := found.get("init")):
        return init(jax.random.key(seed))
    raise InputError(
        "where do the parameters begin?", location=str(found.path), hint="define params, or init of a random key"
    )


def _float_array(value: Any) -> Any:
    array = jax.numpy.asarray(value)
    return array.astype(jax.numpy.float32) if isinstance(value, (int, float)) else array
