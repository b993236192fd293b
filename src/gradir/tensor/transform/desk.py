"""What forward mode, reverse mode and batching ask of the desk they work at, which is a `Deriver`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import NoRule
from gradir.tensor.analysis.activity import Ways
from gradir.tensor.ir.expr import Expr
from gradir.tensor.rules.interface import Control, Derivations
from gradir.tensor.rules.rule import Rule


class Optimizer(Protocol):
    """What makes a function cheaper, in place, in such a way that it can still be differentiated."""

    def __call__(
        self, function: ir.Operation, *, last: bool, settled: Collection[int], shadows: Collection[int] = ()
    ) -> object:
        """If it is not the `last` word on the function, a derivative of it is still to come.

        Ops that are `settled` (by the hash of their first result) need a look only if something around them changes.
        Results that are `shadows` (by their place) are derivatives: nobody asks for the sign of their zeros.
        """


class Desk(Derivations, Ways, Protocol):
    """Where functions are prepared, rules found and new functions added."""

    def rule(self, op: ir.Operation) -> Rule | None: ...

    def prepared(self, name: str, *, reverse: bool = False) -> func.FuncOp:
        """A function that has a body, as it is differentiated."""

    def outlined(self, op: ir.Operation) -> Control:
        """An op with an `expand` rule, as a call to a function that holds its expansion."""

    def no_rule(self, op: ir.Operation, mode: str) -> NoRule:
        """The error that says so."""

    def define(
        self,
        name: str,
        types: Sequence[ir.Type],
        body: Callable[[Sequence[Expr]], Sequence[Expr]],
        location: ir.Location,
        settled: Callable[[], Collection[int]] = tuple,
        shadows: Collection[int] = (),
    ) -> str:
        """Add a private function; `body` emits its ops and gives its results.

        Ops that no result needs are dropped, and of equal ops one is kept. The optimiser need not look at those that
        are `settled` (copies of what it has made), unless something around them changes. The results that are
        `shadows`, by their place, are derivatives.
        """

    def adopt(self, name: str, block: ir.Block, location: ir.Location, shadows: Collection[int] = ()) -> str:
        """Add a private function made of a block that is ready, `func.return` included."""
