"""The derivatives of one module's functions: each made once, as private functions beside the others.

`Deriver` is the desk at which the transforms meet: it finds rules and callees, remembers what has been derived, and
names new functions. Recursion among functions is refused here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import func

from gradir.errors import InputError, NoRule, RequestError
from gradir.policy import policy_now
from gradir.request import Activity, Mode, Request, operand_slots, result_slots
from gradir.tensor.analysis.activity import Batched, Flow, Mask, Useful, Varied
from gradir.tensor.analysis.schedule import CHECKPOINTING
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.dead import drop_dead, merge_equal
from gradir.tensor.ir.expr import Expr, exprs
from gradir.tensor.ir.inline import callee_of, calls_in, calls_in_loops, inline_loops, inline_small
from gradir.tensor.ir.module import clone, location_text, symbols
from gradir.tensor.ir.regions import copy_op, terminator
from gradir.tensor.rules import rule_of
from gradir.tensor.rules.control import CallTo, is_ruled
from gradir.tensor.rules.custom import UNWRITTEN, CustomRule, body_of, read_rule
from gradir.tensor.rules.refused import REFUSED
from gradir.tensor.rules.rule import Rule, Site, prepend
from gradir.tensor.transform.batch import batch_function
from gradir.tensor.transform.desk import Optimizer
from gradir.tensor.transform.forward import forward_function
from gradir.tensor.transform.jacobian import jacobian_function
from gradir.tensor.transform.reverse import SplitFunction, reverse_function, split_function

T = TypeVar("T")

NUMERICS = "gradir.numerics"
"""The attribute by which a function says how far its numbers may move."""
SETTINGS = (NUMERICS, CHECKPOINTING)
"""What a function may say of how it is differentiated, without a rule of its own."""


class Deriver:
    """Derives functions of `module`, adding private functions to it in place."""

    def __init__(self, module: ir.Module, optimizer: Optimizer | None = None) -> None:
        self.module = module
        self.optimizer = optimizer
        """By what functions are optimised before they are differentiated, and their derivatives afterwards."""
        self._finished: set[str] = set()
        self._copies: list[str] = []
        self.functions: dict[str, func.FuncOp] = {}
        self._unwritten: set[str] = set()
        """Functions whose bodies the sources of their rules give when someone asks for them: few do."""
        for op in module.body.operations:
            if isinstance(op, func.FuncOp):
                self._know(op.name.value, op)
        self.symbols = set(symbols(module))
        self._memo: dict[Hashable, Any] = {}
        self._busy: list[Hashable] = []

    # -- what is asked for

    def derive(self, request: Request) -> str:
        """The symbol of the derivative: operands and results in the order of `operand_slots` and `result_slots`."""
        return self._once(("derive", request, policy_now()), lambda: self._derive(request))

    def gradient(self, request: Request) -> str:
        """The same in reverse mode, but all cotangents are 1 and no operands: what is known is not multiplied with."""
        key = "gradient", request, policy_now()
        return self._once(key, lambda: reverse_function(self, self._by_rule(request), seeded=True))

    def batch(self, function: str, batch_shape: Sequence[int]) -> str:
        """The function with `batch_shape` in front of every argument's and result's shape."""
        symbol = function
        for n in reversed(list(batch_shape)):
            symbol = self._once(("batch", symbol, n), partial(self._batch_all, symbol, n))
        return symbol

    def jacobian(
        self,
        function: str,
        activity: Sequence[Activity],
        ret_activity: Sequence[Activity],
        strong_zero: bool = False,
        mode: str = "auto",
    ) -> str:
        """The function that gives, for each active result and then each active argument, the array of derivatives.

        Its shape is the result's, then the argument's; its element type is the result's. Forward mode is used where the
        arguments together have no more elements than the results, reverse mode otherwise, unless `mode` says which. (A
        request for primals is one for the function itself.)
        """
        key = ("jacobian", function, tuple(activity), tuple(ret_activity), strong_zero, mode, policy_now())
        return self._once(key, lambda: jacobian_function(self, function, activity, ret_activity, strong_zero, mode))

    # -- what the transforms ask for

    def known_function(self, name: str) -> func.FuncOp:
        found = self.functions.get(name)
        if found is None:
            known = ", ".join(f"@{n}" for n in self.functions if "." not in n)
            raise InputError(f"there is no function @{name}", hint=f"the module holds: {known or 'no functions'}")
        return found

    def _know(self, name: str, function: func.FuncOp) -> None:
        self.functions[name] = function
        if UNWRITTEN in function.operation.attributes:
            self._unwritten.add(name)

    def function(self, name: str) -> func.FuncOp:
        """A function that has a body."""
        found = self.known_function(name)
        if name in self._unwritten:
            self._write(name)
        if found.is_external:
            raise NoRule(
                f"function @{name} has no body, so it can't be differentiated or batched",
                location=location_text(found.location),
                hint="give it a body, or a rule by the attributes gradir.jvp or gradir.vjp, or mark it gradir.inactive",
            )
        return found

    def write_called(self, *names: str) -> None:
        """See to it that functions, and those that they call, have their bodies: before they are run."""
        todo = list(names)
        seen = set(todo)
        while self._unwritten and todo:
            function = self.known_function(name := todo.pop())
            if name in self._unwritten:
                self._write(name)
            fresh = {callee_of(op) for op in calls_in(function)} - seen
            seen |= fresh
            todo += fresh

    def _write(self, name: str) -> None:
        self._unwritten.discard(name)
        here = self.functions[name]
        there = self.functions.pop(self.take_in(body_of(here).module, f"{name}.body"))
        del here.operation.attributes[UNWRITTEN]
        for view in reversed(list(here.entry_block.operations)):
            view.operation.erase()
        for old, new in zip(there.entry_block.arguments, here.entry_block.arguments, strict=True):
            old.replace_all_uses_with(new)
        for view in list(there.entry_block.operations):
            view.operation.detach_from_parent()
            here.entry_block.append(view.operation)
        there.operation.erase()

    def _write_in_loops(self, function: func.FuncOp) -> None:
        """What loops call is looked at where it is seen whether their rounds can be taken together."""
        if self._unwritten:
            for _, callee in calls_in_loops(function.entry_block, self.known_function):
                self.write_called(callee.name.value)

    def prepared(self, name: str, *, reverse: bool = False, last: bool = False) -> func.FuncOp:
        """A function that has a body, as it is differentiated: optimised, in a copy (the original stays as it is).

        For reverse mode the calls in its loops are inlined in any case. If it is the `last` word on the function, what
        pays for a function that is not differentiated is done, too.
        """
        return self._once(("prepared", name, reverse, last), lambda: self._prepared(name, reverse, last))

    def _prepared(self, name: str, reverse: bool, last: bool) -> func.FuncOp:
        source = self.function(name)
        if self._has_rule(source) or (self.optimizer and name in self._finished):  # it was optimised when it was made
            return source
        if not self.optimizer and not (reverse and next(calls_in_loops(source.entry_block, self._inlinable), None)):
            return source
        self._refuse_recursion(name)
        with ir.InsertionPoint(self.module.body):
            copy: func.FuncOp = source.operation.clone().opview  # type: ignore[assignment]
        symbol = self._fresh(f"{name}.inlined")
        copy.operation.attributes["sym_name"] = ir.StringAttr.get(symbol)
        copy.operation.attributes["sym_visibility"] = ir.StringAttr.get("private")
        inline_loops(copy.entry_block, self._inlinable)
        if self.optimizer is not None:
            inline_small(copy, self._inlinable)
            self._write_in_loops(copy)
            self.optimizer(copy.operation, last=last, settled=())
        self.functions[symbol] = copy
        self._copies.append(symbol)
        return copy

    def _has_rule(self, function: func.FuncOp) -> bool:
        return any(a.startswith("gradir.") and a not in SETTINGS for a in function.operation.attributes)

    def _inlinable(self, name: str) -> func.FuncOp | None:
        function = self.known_function(name)
        apart = any(a.startswith("gradir.") for a in function.operation.attributes)
        return None if apart or function.is_external else function

    def _refuse_recursion(self, name: str) -> None:
        """Visit every callee, but for those that have a rule: what these call is not looked at."""

        def visit() -> None:
            function = self.known_function(name)
            apart = function.is_external or "gradir.inactive" in function.operation.attributes
            if not apart and self.custom_rule(name) is None:
                for callee in dict.fromkeys(callee_of(op) for op in calls_in(function)):
                    self._refuse_recursion(callee)

        self._once(("callees", name), visit)

    def custom_rule(self, name: str) -> CustomRule | None:
        """The derivative that the function's attributes give it."""
        return self._once(("rule", name), lambda: read_rule(self, self.known_function(name)))

    def rule(self, op: ir.Operation) -> Rule | None:
        return rule_of(op)

    def outlined(self, op: ir.Operation) -> CallTo:
        """An op with an `expand` rule, as a call to a function that holds its expansion."""
        rule = self.rule(op)
        assert rule is not None and rule.expand is not None
        expand, types = rule.expand, [v.type for v in op.operands]

        def body(arguments: Sequence[Expr]) -> Sequence[Expr]:
            values = dict(zip(op.operands, arguments, strict=False))
            return expand(Site(op, self, lambda v: values.get(v) or self.sunk(v, op)))

        return CallTo(self.define(op.name.replace("stablehlo.", ""), types, body, op.location))

    def sunk(self, value: ir.Value, op: ir.Operation) -> Expr:
        """A constant that the op's region takes from outside, made again here."""
        if isinstance(value, ir.BlockArgument) or value.owner.operation.name != "stablehlo.constant":
            raise NoRule(
                f"the region of {op.name} uses a value from outside that is not a constant",
                location=location_text(op.location),
                hint="make it an operand of the op",
            )
        return Expr(copy_op(value.owner.operation, {}).results[0])

    def varied_results(self, name: str, args: Mask) -> Mask:
        return self._through(Varied, name, args)

    def useful_args(self, name: str, results: Mask) -> Mask:
        return self._through(Useful, name, results)

    def batched_results(self, name: str, args: Mask) -> Mask:
        return self._through(Batched, name, args)

    def _through(self, flow: type[Flow], name: str, mask: Mask) -> Mask:
        """How a fact about arguments reaches results (or backwards, how one about results reaches arguments)."""

        def make() -> Mask:
            function = self.known_function(name)
            targets = function.type.inputs if flow.backwards else function.type.results
            if flow is not Batched and "gradir.inactive" in function.operation.attributes:
                return (False,) * len(targets)
            # Who can't look inside takes it that everything depends on everything. (Deriving it may then be refused.)
            if function.is_external or (flow is not Batched and self.custom_rule(name) is not None):
                return tuple(any(mask) and (flow is Batched or E.is_differentiable(t)) for t in targets)
            entry = self.function(name).entry_block
            returned = list(terminator(entry).operands)
            start, end = (returned, entry.arguments) if flow.backwards else (entry.arguments, returned)
            reached = flow(self)
            for v, is_reached in zip(start, mask, strict=True):
                if is_reached:
                    reached.mark(v)
            reached.block(entry)
            return reached.mask(end)

        return self._once((flow, name, mask), make)

    def split_of(self, name: str, args: Mask, results: Mask, strong_zero: bool, linear: bool = False) -> SplitFunction:
        return self._once(
            ("split", name, args, results, strong_zero, linear, policy_now()),
            lambda: split_function(self, name, args, results, strong_zero, linear),
        )

    def without_rule(self, name: str) -> str:
        """The function by its body alone: a copy that has no derivative of its own."""
        return self._once(("without rule", name), lambda: self._without_rule(name))

    def _without_rule(self, name: str) -> str:
        with ir.InsertionPoint(self.module.body):
            copy: func.FuncOp = self.function(name).operation.clone().opview  # type: ignore[assignment]
        symbol = self._fresh(f"{name}.body")
        attributes = copy.operation.attributes
        for rule in [a for a in attributes if a.startswith("gradir.")]:
            del attributes[rule]
        attributes["sym_name"] = ir.StringAttr.get(symbol)
        attributes["sym_visibility"] = ir.StringAttr.get("private")
        self.functions[symbol] = copy
        return symbol

    def batch_of(self, name: str, args: Mask, size: int) -> tuple[str, Mask]:
        """The function over n examples where the arguments in the mask carry them, and which results do."""
        if self.custom_rule(name) is not None:
            name = self._called(name)
        return self._once(("batched function", name, args, size), lambda: batch_function(self, name, args, size))

    def batch_with_rule(self, name: str, size: int) -> str:
        """A function with a rule of its own over n examples of every argument and result; its rule is over n, too."""

        def make() -> str:
            args = (True,) * len(self.known_function(name).type.inputs)
            symbol = self._with_batch(*batch_function(self, name, args, size), size)
            batched = [ir.FlatSymbolRefAttr.get(name), E.i64(size)]
            self.functions[symbol].operation.attributes["gradir.batched"] = ir.ArrayAttr.get(batched)
            return symbol

        return self._once(("batch with rule", name, size), make)

    def no_rule(self, op: ir.Operation, mode: str) -> NoRule:
        what, hint = (
            op.name,
            "put it in a function with a rule of its own (gradir.jvp, gradir.vjp), or behind enzyme.ignore_derivatives",
        )
        if op.name == "stablehlo.custom_call":
            what = f"custom_call @{ir.StringAttr(op.attributes['call_target_name']).value}"
            hint = "register a rule for this target with gradir.register_custom_call"
        reason = f": {REFUSED[op.name]}" if op.name in REFUSED else ""
        return NoRule(f"no {mode} rule for {what}{reason}", location=location_text(op.location), hint=hint)

    # -- new functions

    def define(
        self,
        name: str,
        types: Sequence[ir.Type],
        body: Callable[[Sequence[Expr]], Sequence[Expr]],
        location: ir.Location,
        settled: Callable[[], Collection[int]] = tuple,
        shadows: Collection[int] = (),
    ) -> str:
        """Add a private function (see `desk`)."""
        with location, ir.InsertionPoint(self.module.body):
            symbol = self._fresh(name)
            function = func.FuncOp(symbol, ir.FunctionType.get(list(types), []), visibility="private")
            try:
                block = function.add_entry_block([location] * len(types))
                with ir.InsertionPoint(block):
                    results = body(exprs(block.arguments))
                    ir.Operation.create("func.return", operands=[r.value for r in results])
            except BaseException:
                function.operation.erase()
                raise
            return self._finish(function, block, settled(), shadows)

    def adopt(self, name: str, block: ir.Block, location: ir.Location, shadows: Collection[int] = ()) -> str:
        """Add a private function made of a block that is ready, `func.return` included."""
        with location, ir.InsertionPoint(self.module.body):
            types = ir.FunctionType.get([a.type for a in block.arguments], [])
            function = func.FuncOp(self._fresh(name), types, visibility="private")
            block.append_to(function.operation.regions[0])
            return self._finish(function, block, shadows=shadows)

    def take_in(self, module: ir.Module, name: str) -> str:
        """Copy what another module holds into this one; gives the symbol of its `main`, which is called `name` here."""
        copy = clone(module, self.module.context)
        mine = symbols(self.module)
        theirs = symbols(copy)
        names: dict[str, str] = {}
        for old, op in theirs.items():
            if old in mine and not isinstance(op.opview, func.FuncOp) and str(mine[old]) == str(op):
                continue  # the same mesh
            new = names[old] = self._fresh(name if old == "main" else old, avoid=theirs)
            if new != old:
                ir.SymbolTable.replace_all_symbol_uses(old, new, copy.operation)
                ir.SymbolTable.set_symbol_name(op, new)
        for old, new in names.items():
            op = theirs[old]
            op.detach_from_parent()
            self.module.body.append(op)
            if isinstance(function := op.opview, func.FuncOp):
                op.attributes["sym_visibility"] = ir.StringAttr.get("private")
                self._know(new, function)
        return names["main"]

    def _finish(
        self, function: func.FuncOp, block: ir.Block, settled: Collection[int] = (), shadows: Collection[int] = ()
    ) -> str:
        drop_dead(block)
        self._inherit_settings(function.operation)
        if self.optimizer is not None:
            self._write_in_loops(function)
            self.optimizer(function.operation, last=True, settled=settled, shadows=shadows)
            self._finished.add(function.name.value)
        else:
            merge_equal(function.operation)
        types = [a.type for a in block.arguments], [v.type for v in terminator(block).operands]
        function.operation.attributes["function_type"] = ir.TypeAttr.get(ir.FunctionType.get(*types))
        symbol = function.name.value
        self.functions[symbol] = function
        return symbol

    def _inherit_settings(self, function: ir.Operation) -> None:
        """What is derived from a function with settings of its own has these, too."""
        for key in reversed(self._busy):
            of: Any = key[1]  # type: ignore[index]
            source = self.functions.get(str(getattr(of, "function", of)))
            found = {} if source is None else {a: source.operation.attributes.get(a) for a in SETTINGS}
            if any(value is not None for value in found.values()):
                for name, value in found.items():
                    if value is not None:
                        function.attributes[name] = value
                return

    def _fresh(self, name: str, avoid: Collection[str] = ()) -> str:
        symbol, n = name, 0
        while symbol in self.symbols or (n and symbol in avoid):
            n += 1
            symbol = f"{name}_{n}"
        self.symbols.add(symbol)
        return symbol

    def call(self, symbol: str, operands: Sequence[Expr]) -> list[Expr]:
        """Emit a call of a function of this module."""
        types = self.functions[symbol].type.results
        callee = {"callee": ir.FlatSymbolRefAttr.get(symbol)}
        return exprs(E.ops("func.call", operands, types, callee).results)

    def once(self, key: tuple[str, str], make: Callable[[], T]) -> T:
        return self._once(key, make)

    def _once(self, key: Hashable, make: Callable[[], T]) -> T:
        if key in self._memo:
            return self._memo[key]
        if key in self._busy:
            name = str(getattr(key[1], "function", key[1]))  # type: ignore[index]
            raise RequestError(
                f"@{name} calls itself; recursive functions can't be differentiated",
                location=location_text(self.functions[name].location),
                hint="write the recursion as a stablehlo.while",
            )
        self._busy.append(key)
        try:
            value = self._memo[key] = make()
        except BaseException:
            if len(self._busy) == 1:
                self._drop_copies()
            raise
        finally:
            self._busy.pop()
        return value

    def _drop_copies(self) -> None:
        """After a failure: no derivative needs the copies of functions any more that were made to be differentiated."""
        for symbol in self._copies:
            self.functions.pop(symbol).operation.erase()
        self._copies.clear()
        self._memo = {key: value for key, value in self._memo.items() if key[0] != "prepared"}  # type: ignore[index]

    # -- requests

    def _derive(self, request: Request) -> str:
        if request.width > 1:
            return self._widened(request)
        transform = forward_function if request.mode is Mode.forward else reverse_function
        return transform(self, self._by_rule(request))

    def _by_rule(self, request: Request) -> Request:
        """A function that has a rule of its own is differentiated as one that calls it."""
        name = request.function
        if is_ruled(self, name):
            return replace(request, function=self._called(name))
        return request

    def _called(self, name: str) -> str:
        """A function that calls this one and does nothing else: calls are where a function's own rule counts."""

        def make() -> str:
            function = self.known_function(name)
            return self.define(
                f"{name}.call", function.type.inputs, lambda args: self.call(name, args), function.location
            )

        return self._once(("call", name), make)

    def _widened(self, request: Request) -> str:
        """n shadows at once: the derivative batched over its shadows."""
        narrow = replace(request, width=1)
        slots = operand_slots(request.mode, request.activity, request.ret_activity)
        outs = list(result_slots(request.mode, request.activity, request.ret_activity))
        mask = tuple(part == "shadow" for _, _, part in slots)
        symbol, batched = self.batch_of(self.derive(narrow), mask, request.width)
        wrong = [part == "shadow" and not has for (_, _, part), has in zip(outs, batched, strict=True)]
        return self._prepended(symbol, wrong, request.width) if any(wrong) else symbol

    def _batch_all(self, name: str, n: int) -> str:
        args = (True,) * len(self.function(name).type.inputs)
        return self._with_batch(*self.batch_of(name, args, n), n)

    def _with_batch(self, symbol: str, has: Mask, n: int) -> str:
        return symbol if all(has) else self._prepended(symbol, [not h for h in has], n)

    def _prepended(self, symbol: str, which: Sequence[bool], n: int) -> str:
        """The function with some results repeated n times."""
        source = self.function(symbol)

        def body(arguments: Sequence[Expr]) -> list[Expr]:
            outs = self.call(symbol, arguments)
            return [prepend(o, n) if repeat else o for o, repeat in zip(outs, which, strict=True)]

        return self.define(symbol, source.type.inputs, body, source.location)
