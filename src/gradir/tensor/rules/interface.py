"""What rules and transforms say to each other.

A rule is handed the program that is being built (`Forward`, `Reverse`, `Batch`) and the desk at which functions are
derived (`Derivations`), and knows them by what is written here; `transform/` fits it, and is not imported by any rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, TypeVar

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.request import Request
from gradir.tensor.analysis import activity
from gradir.tensor.analysis.activity import ActiveValues, Batched, Flow, Mask, Varied
from gradir.tensor.ir.expr import Expr

T = TypeVar("T")

Shadow = Expr | None
"""A tangent or a cotangent; None is a zero that is never built."""


class Into(Protocol):
    """A cotangent that touches only a part of its target: it is added in place to what is already there."""

    def add_to(self, accumulated: Expr | None) -> Expr: ...


Cotangent = Expr | Into | None

Pullback = Callable[[Sequence[Shadow]], None]
"""Takes the cotangents of an op's results and adds those of its operands and captures to the sweep's."""


# -- functions and their derivatives -----------------------------------------------------------------------------------


class SplitFunction(Protocol):
    """A function's sweeps as two functions: what reverse mode calls in place of a call."""

    @property
    def augmented(self) -> str:
        """`(args…) -> (results…, more residuals…)`"""

    @property
    def backward(self) -> str:
        """`(cotangents of active results…, residuals…) -> (cotangents of active args…)`"""

    @property
    def residuals(self) -> Sequence[tuple[str, int]]:
        """Where each residual is found: `("arg", i)` of the call, or `("result", i)` of the augmented function."""


class FunctionRule(Protocol):
    """The derivative that a function brings along: the functions that compute it, and how it is called in each mode."""

    @property
    def jvp(self) -> Callable[[Mask], str] | None: ...
    @property
    def vjp(self) -> Callable[[Mask, Mask], tuple[str, ...]] | None: ...
    def forward(self, t: Forward, op: ir.Operation) -> None: ...
    def augment(self, t: Reverse, op: ir.Operation) -> Pullback: ...


class Derivations(Protocol):
    """The functions of a module, with those that are derived from them on demand, each once."""

    @property
    def module(self) -> ir.Module: ...
    @property
    def functions(self) -> Mapping[str, func.FuncOp]: ...

    def once(self, key: tuple[str, str], make: Callable[[], T]) -> T:
        """What `make` gives, the first time that it is asked for under this key: what it is, and of which function."""

    def known_function(self, name: str) -> func.FuncOp: ...

    def function(self, name: str) -> func.FuncOp:
        """A function that has a body."""

    def custom_rule(self, name: str) -> FunctionRule | None: ...

    def derive(self, request: Request) -> str:
        """The symbol of the derivative."""

    def split_of(
        self, name: str, args: Mask, results: Mask, strong_zero: bool, linear: bool = False
    ) -> SplitFunction: ...

    def without_rule(self, name: str) -> str:
        """The function by its body alone."""

    def batch(self, function: str, batch_shape: Sequence[int]) -> str:
        """The function with `batch_shape` in front of every argument's and result's shape."""

    def batch_of(self, name: str, args: Mask, size: int) -> tuple[str, Mask]:
        """The function over n examples where the arguments in the mask carry them, and which results do."""

    def batch_with_rule(self, name: str, size: int) -> str:
        """A function with a rule of its own over n examples of every argument and result; its rule is over n, too."""

    def define(
        self,
        name: str,
        types: Sequence[ir.Type],
        body: Callable[[Sequence[Expr]], Sequence[Expr]],
        location: ir.Location,
    ) -> str:
        """Add a private function; `body` emits its ops and gives its results."""

    def take_in(self, module: ir.Module, name: str) -> str:
        """Copy what another module holds into this one; gives the symbol of its `main`, which is called `name` here."""

    def call(self, symbol: str, operands: Sequence[Expr]) -> list[Expr]:
        """Emit a call."""


# -- programs being built ----------------------------------------------------------------------------------------------


class Forward(Protocol):
    """A program with tangents, being built beside its source."""

    @property
    def deriver(self) -> Derivations: ...
    @property
    def varied(self) -> Varied: ...
    @property
    def strong_zero(self) -> bool: ...
    @property
    def env(self) -> dict[ir.Value, ir.Value]:
        """The source's values in the new program."""

    @property
    def tangents(self) -> dict[ir.Value, Expr]:
        """Those of the varied ones."""

    @property
    def useful(self) -> Flow:
        """The values on whose tangents those that are asked for depend."""

    def lookup(self, value: ir.Value) -> Expr: ...
    def bind(self, value: ir.Value, primal: Expr, tangent: Shadow = None) -> None: ...

    def block(self, block: ir.Block) -> list[tuple[Expr, Shadow]]:
        """Emit the block's ops with their tangents; gives what its terminator returns."""


class Residuals(Protocol):
    """The forward sweep's values for the backward sweep."""

    @property
    def block(self) -> ir.Block: ...
    @property
    def known(self) -> dict[ir.Value, Expr]: ...


class Split(Protocol):
    """A block whose forward sweep has been emitted and whose backward sweep waits to be placed."""

    @property
    def block(self) -> ir.Block:
        """Ends in a return of the wanted cotangents; its arguments: those asked for, the cotangents, the residuals."""

    @property
    def residuals(self) -> Sequence[tuple[ir.Value, ir.Value]]:
        """A forward value and the argument of `block` that stands for it."""

    @property
    def known(self) -> Mapping[ir.Value, Expr]:
        """Forward values that the block can compute for itself, and its arguments for the others."""

    def at_residuals(self) -> ir.InsertionPoint:
        """Where residuals that are not at hand can be computed."""

    def bind(self, values: Sequence[ir.Value], first: int = 0) -> None:
        """Replace the block's arguments, from number `first` on, by values that are visible where it will stand."""


class Reverse(Protocol):
    """A program with a forward and a backward sweep, being built beside its source."""

    @property
    def deriver(self) -> Derivations: ...
    @property
    def active(self) -> ActiveValues: ...
    @property
    def strong_zero(self) -> bool: ...
    @property
    def linear(self) -> bool:
        """Whether it is the transpose of a tangent that is built: no derivative but that is asked for any more."""

    @property
    def env(self) -> dict[ir.Value, ir.Value]:
        """The source's values in the forward sweep."""

    @property
    def residual(self) -> Callable[[ir.Value], Expr]:
        """A value of the forward sweep, as the backward sweep sees it."""

    def primal(self, value: ir.Value) -> Expr:
        """A source value in the forward sweep."""

    def lookup(self, value: ir.Value) -> Expr:
        """A source value in the backward sweep."""

    def add(self, value: ir.Value, ct: Cotangent) -> None:
        """Add to the cotangent of a source value, if it is active."""

    def take(self, value: ir.Value) -> Shadow:
        """The whole cotangent of a source value, which is not kept any longer."""

    def split(
        self,
        source: ir.Block,
        *,
        cotangents: Sequence[ir.Value],
        accumulate: Sequence[ir.Value] = (),
        want: Sequence[ir.Value] = (),
        leading: Sequence[ir.Type] = (),
        prepare: Callable[[Residuals], None] | None = None,
        returns: str = "stablehlo.return",
    ) -> Split:
        """Emit the forward sweep of `source` here, and its backward sweep into a block that waits.

        `cotangents` are the source values whose cotangents come in; `accumulate` those (from outside) whose sum so far
        comes in and goes out; `want` those whose cotangents go out, before the accumulated ones.
        """

    def again(self, values: Mapping[ir.Value, ir.Value]) -> AbstractContextManager[None]:
        """Within, forward sweeps are emitted once more, in the backward sweep; `values` are those from outside."""

    def undo_here(
        self,
        source: ir.Block,
        values: Mapping[ir.Value, ir.Value],
        *,
        cotangents: Sequence[tuple[ir.Value, Expr]],
        want: Sequence[ir.Value],
        accumulate: Mapping[ir.Value, Expr],
    ) -> list[Expr]:
        """Emit both sweeps of `source` here, in the backward sweep; `values` are those that it takes from outside.

        Gives the cotangents of `want`, then the sums of `accumulate`.
        """


class Batch(Protocol):
    """A program over n examples, being built beside its source."""

    @property
    def deriver(self) -> Derivations: ...
    @property
    def batched(self) -> Batched: ...
    @property
    def size(self) -> int: ...
    @property
    def env(self) -> dict[ir.Value, ir.Value]: ...

    def lookup(self, value: ir.Value) -> Expr: ...

    def with_batch(self, value: ir.Value) -> Expr:
        """A source value with the batch dimension, broadcast if it has none of its own."""

    def type(self, value: ir.Value) -> ir.Type:
        """The type of a source value in the new program."""

    def block(self, block: ir.Block) -> None: ...


class Control(activity.Control, Protocol):
    """How an op that holds control flow (or hands things on) is treated: it emits itself, since its primal changes."""

    def flow(self, flow: Flow, op: ir.Operation) -> None: ...
    def forward(self, t: Forward, op: ir.Operation) -> None: ...
    def augment(self, t: Reverse, op: ir.Operation) -> Pullback: ...
    def batch(self, t: Batch, op: ir.Operation) -> None: ...
