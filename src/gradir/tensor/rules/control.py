"""Control flow: calls, branches and loops.

These rules emit their op themselves, since its primal changes too: forward mode carries tangents through it, reverse
mode takes residuals out of it, batching may turn a branch into a select. Each says for itself how facts (activity,
batchedness) flow through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir

from gradir.errors import NoRule
from gradir.policy import Policy
from gradir.request import Activity, Mode, Request
from gradir.tensor.analysis.activity import Batched, Flow
from gradir.tensor.analysis.schedule import own_policy
from gradir.tensor.ir import expr as E
from gradir.tensor.ir.expr import Expr
from gradir.tensor.ir.module import location_text
from gradir.tensor.ir.regions import captures, copy_op, defined_in, terminator
from gradir.tensor.rules.again import behind, with_saved
from gradir.tensor.rules.interface import Batch, Derivations, Forward, Pullback, Reverse, Shadow, Split
from gradir.tensor.rules.rule import Rule, add, prepend, zero_of


def or_zero(x: Shadow, t: ir.Type) -> Expr:
    return zero_of(t) if x is None else x


def is_ruled(deriver: Derivations, name: str) -> bool:
    """Whether a function says itself what its derivative is."""
    return "gradir.inactive" in deriver.known_function(name).attributes or deriver.custom_rule(name) is not None


def is_open(deriver: Derivations, name: str) -> bool:
    """Whether a function is differentiated by its body."""
    return not deriver.known_function(name).is_external and not is_ruled(deriver, name)


def detached_block(types: Sequence[ir.Type]) -> tuple[ir.Operation, ir.Block]:
    """A block to build before the op that will own it can be made.

    Until then its holder stands here: what uses a function's values must be in it, to be erased with it if something
    fails. `drop_dead` takes the empty holder away.
    """
    holder = ir.Operation.create("gradir.holder", regions=1)
    here = ir.Location.current
    return holder, ir.Block.create_at_start(holder.regions[0], list(types), [here] * len(types))


def give_back(values: Sequence[Expr]) -> None:
    ir.Operation.create("stablehlo.return", operands=[v.value for v in values])


def is_run_again(function: ir.Operation) -> bool:
    """Whether calls of a function keep nothing but its arguments."""
    return "gradir.remat" in function.attributes or own_policy(function) == Policy("full")


# -- calls -------------------------------------------------------------------------------------------------------------


class Call:
    """`func.call`: the callee is derived once for each pattern of activity, however often it is called."""

    def symbol(self, op: ir.Operation) -> str:
        return ir.FlatSymbolRefAttr(op.attributes["callee"]).value

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        ins, outs = (op.results, op.operands) if flow.backwards else (op.operands, op.results)
        for v, reached in zip(outs, flow.callee(self.symbol(op), flow.mask(ins)), strict=True):
            if reached:
                flow.mark(v)

    def forward(self, t: Forward, op: ir.Operation) -> None:
        tangents = [t.tangents.get(v) for v in op.operands]
        if not any(r in t.varied for r in op.results):
            copy_op(op, t.env)
            return
        custom = t.deriver.custom_rule(self.symbol(op))
        if custom is not None:
            custom.forward(t, op)
            return
        args = tuple(Activity.const if x is None else Activity.dup for x in tangents)
        rets = tuple(Activity.dup if r in t.varied else Activity.const for r in op.results)
        symbol = t.deriver.derive(Request(self.symbol(op), Mode.forward, args, rets, strong_zero=t.strong_zero))
        given = [x for v, d in zip(op.operands, tangents, strict=True) for x in (t.lookup(v), d) if x is not None]
        outs = iter(t.deriver.call(symbol, given))
        for result in op.results:
            t.bind(result, next(outs), next(outs) if result in t.varied else None)

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        symbol = self.symbol(op)
        function, custom = t.deriver.known_function(symbol), t.deriver.custom_rule(symbol)
        if custom is not None and t.linear and custom.vjp is None and not function.is_external:
            symbol = t.deriver.without_rule(symbol)  # a tangent's function is linear: it is its own rule, if it has one
        elif custom is not None:
            return custom.augment(t, op)
        elif is_run_again(function.operation) and not t.linear:  # there is nothing to keep
            return self._recomputed(t, op)
        operands, results = list(op.operands), list(op.results)
        args, rets = t.active.mask(operands), t.active.mask(results)
        split = t.deriver.split_of(symbol, args, rets, t.strong_zero, t.linear)
        ins = [t.primal(v) for v in operands]
        outs = t.deriver.call(split.augmented, ins)
        for result, value in zip(results, outs, strict=False):
            t.env[result] = value.value

        def pullback(cotangents: Sequence[Shadow]) -> None:
            given = [or_zero(ct, v.type) for ct, v, active in zip(cotangents, results, rets, strict=True) if active]
            kept = [t.residual((ins if kind == "arg" else outs)[i].value) for kind, i in split.residuals]
            gradients = iter(t.deriver.call(split.backward, [*given, *kept]))
            for v, active in zip(operands, args, strict=True):
                if active:
                    t.add(v, next(gradients))

        return pullback

    def _recomputed(self, t: Reverse, op: ir.Operation) -> Pullback:
        """A function that keeps its arguments, and what it marks, alone: the backward sweep runs it once more."""
        operands, results = list(op.operands), list(op.results)
        saving, given = with_saved(t.deriver, self.symbol(op))
        outs = t.deriver.call(saving, [t.primal(v) for v in operands])
        for result, value in zip(results, outs, strict=False):
            t.env[result] = value.value
        saved = outs[len(results) :]
        args = tuple(Activity.active if v in t.active else Activity.const for v in operands)
        rets = tuple(Activity.activenoneed if v in t.active else Activity.constnoneed for v in results)
        request = Request(given, Mode.reverse, args + (Activity.const,) * len(saved), rets, strong_zero=t.strong_zero)

        def pullback(cotangents: Sequence[Shadow]) -> None:
            cts = [or_zero(ct, v.type) for ct, v in zip(cotangents, results, strict=True) if v in t.active]
            kept = [*(t.lookup(v) for v in operands), *(t.residual(x.value) for x in saved)]
            inputs, cts = behind(kept, cts, tied=[_is_computed(x) for x in kept])
            gradients = iter(t.deriver.call(t.deriver.derive(request), [*inputs, *cts]))
            for v in operands:
                if v in t.active:
                    t.add(v, next(gradients))

        return pullback

    def batch(self, t: Batch, op: ir.Operation) -> None:
        mask = t.batched.mask(op.operands)
        if not any(mask):
            copy_op(op, t.env)
            return
        if t.deriver.custom_rule(self.symbol(op)) is not None:
            # Examples share what does not depend on the batch, which the function gives n times: it is that of any one.
            outs = t.deriver.call(t.deriver.batch_with_rule(self.symbol(op), t.size), [*map(t.with_batch, op.operands)])
            for result, value in zip(op.results, outs, strict=True):
                one = value if result in t.batched else E.reshape(E.slice_in_dim(value, 0, 1, 0), value.shape[1:])
                t.env[result] = one.value
            return
        symbol, has = t.deriver.batch_of(self.symbol(op), mask, t.size)
        outs = t.deriver.call(symbol, [t.lookup(v) for v in op.operands])
        for result, value, batched in zip(op.results, outs, has, strict=True):
            # An op's expansion may show that one of its results does not depend on what is batched.
            t.env[result] = (value if batched or result not in t.batched else prepend(value, t.size)).value


def _is_computed(x: Expr) -> bool:
    """Whether a value is no argument of its function: those are often weights, of which there should be no copies."""
    return not isinstance(x.value, ir.BlockArgument)


@dataclass
class CallTo(Call):
    """Any op, seen as a call to a function that means the same."""

    name: str

    def symbol(self, op: ir.Operation) -> str:
        return self.name


# -- branches ----------------------------------------------------------------------------------------------------------


class Branches:
    """`stablehlo.if` and `stablehlo.case`: one operand chooses a region."""

    def blocks(self, op: ir.Operation) -> list[ir.Block]:
        return [region.blocks[0] for region in op.regions]

    def flow(self, flow: Flow, op: ir.Operation) -> None:
        for block in self.blocks(op):
            if flow.backwards:
                for result, v in zip(op.results, terminator(block).operands, strict=True):
                    flow.link(result, v)
            flow.block(block)
            if not flow.backwards:
                for result, v in zip(op.results, terminator(block).operands, strict=True):
                    flow.link(v, result)
        if isinstance(flow, Batched) and op.operands[0] in flow:
            for result in op.results:
                flow.mark(result)

    def emit(self, op: ir.Operation, choice: Expr, types: Sequence[ir.Type], blocks: Sequence[ir.Block]) -> list[Expr]:
        """The same op with other blocks."""
        made = E.ops(op.name, [choice], types, regions=len(blocks))
        for region, block in zip(made.regions, blocks, strict=True):
            block.append_to(region)
        return E.exprs(made.results)

    def forward(self, t: Forward, op: ir.Operation) -> None:
        built: list[tuple[ir.Operation, ir.Block, list[tuple[Expr, Shadow]]]] = []
        for block in self.blocks(op):
            holder, new = detached_block([])
            with ir.InsertionPoint(new):
                built.append((holder, new, t.block(block)))
        has = [any(outs[j][1] is not None for _, _, outs in built) for j in range(len(op.results))]
        for _, new, outs in built:
            with ir.InsertionPoint(new):
                shadows = [or_zero(s, p.type) for (p, s), h in zip(outs, has, strict=True) if h]
                give_back([*(p for p, _ in outs), *shadows])
        types = [r.type for r in op.results] + [r.type for r, h in zip(op.results, has, strict=True) if h]
        made = self.emit(op, t.lookup(op.operands[0]), types, [new for _, new, _ in built])
        rest = iter(made[len(op.results) :])
        for result, primal, h in zip(op.results, made, has, strict=False):
            t.bind(result, primal, next(rest) if h else None)

    def augment(self, t: Reverse, op: ir.Operation) -> Pullback:
        results = [r for r in op.results if r in t.active]
        positions = [j for j, r in enumerate(op.results) if r in t.active]
        inputs = [v for v in captures(op.regions) if v in t.active]
        built: list[tuple[ir.Operation, ir.Block, Split, list[Expr]]] = []
        for block in self.blocks(op):
            holder, new = detached_block([])
            with ir.InsertionPoint(new):
                yields = list(terminator(block).operands)
                # A branch may return an inactive value (a constant) for an active result: its cotangent ends there.
                split = t.split(block, cotangents=[yields[j] for j in positions], want=inputs)
                built.append((holder, new, split, [t.primal(v) for v in yields]))
        slots, places = _share([split.residuals for _, _, split, _ in built], [new for _, new, _, _ in built])
        for (_, new, _, yields), place in zip(built, places, strict=True):
            with ir.InsertionPoint(new):
                extra = [or_zero(place.get(k), slot) for k, slot in enumerate(slots)]
                give_back([*yields, *extra])
        choice = t.primal(op.operands[0])
        types = [*(r.type for r in op.results), *slots]
        outs = self.emit(op, choice, types, [new for _, new, _, _ in built])
        for result, value in zip(op.results, outs, strict=False):
            t.env[result] = value.value
        extra = outs[len(op.results) :]

        def pullback(cotangents: Sequence[Shadow]) -> None:
            given = [or_zero(cotangents[j], r.type).value for j, r in zip(positions, results, strict=True)]
            blocks: list[ir.Block] = []
            for (_, _, split, _), place in zip(built, places, strict=True):
                slot_of = {value.value: k for k, value in place.items()}
                kept = [t.residual(extra[slot_of[v]].value if v in slot_of else v).value for v, _ in split.residuals]
                split.bind([*given, *kept])
                blocks.append(split.block)
            made = self.emit(op, t.residual(choice.value), [v.type for v in inputs], blocks)
            for v, ct in zip(inputs, made, strict=True):
                t.add(v, ct)

        return pullback

    def batch(self, t: Batch, op: ir.Operation) -> None:
        choice = op.operands[0]
        if choice in t.batched:
            return self._batch_by_select(t, op)
        built: list[tuple[ir.Operation, ir.Block]] = []
        for block in self.blocks(op):
            holder, new = detached_block([])
            with ir.InsertionPoint(new):
                t.block(block)
                yields = terminator(block).operands
                give_back(
                    [
                        t.with_batch(v) if r in t.batched else t.lookup(v)
                        for r, v in zip(op.results, yields, strict=True)
                    ]
                )
            built.append((holder, new))
        outs = self.emit(op, t.lookup(choice), [t.type(r) for r in op.results], [new for _, new in built])
        for result, value in zip(op.results, outs, strict=True):
            t.env[result] = value.value
        return None

    def _batch_by_select(self, t: Batch, op: ir.Operation) -> None:
        """Examples differ in their branch: every branch is computed, and each example takes its own."""
        refuse_tokens(op)
        choice = t.lookup(op.operands[0])
        returned: list[list[Expr]] = []
        for block in self.blocks(op):
            t.block(block)
            returned.append([t.with_batch(v) for v in terminator(block).operands])
        for j, result in enumerate(op.results):
            out = returned[-1][j]  # an index out of range takes the last branch
            for k, outs in enumerate(returned[:-1]):
                here = choice if op.name == "stablehlo.if" else choice.eq(k)
                out = E.select(E.broadcast_like(here, outs[j], [0]), outs[j], out)
            t.env[result] = out.value


def refuse_tokens(op: ir.Operation) -> None:
    """Where each example goes its own way, things would happen for all of them that should for some."""
    if any(not isinstance(r.type, ir.RankedTensorType) for r in op.results):
        raise NoRule(
            f"{op.name} hands on a token, and its examples go different ways: it can't be batched",
            location=location_text(op.location),
            hint="let all examples share what decides",
        )


def _share(
    residuals: Sequence[Sequence[tuple[ir.Value, ir.Value]]], blocks: Sequence[ir.Block]
) -> tuple[list[ir.Type], list[dict[int, Expr]]]:
    """Slots for the values that branches hand to the backward sweep: branches share slots of one type.

    Gives the slots' types and, for each branch, its value for each slot.
    """
    slots: list[ir.Type] = []
    places: list[dict[int, Expr]] = []
    for needed, block in zip(residuals, blocks, strict=True):
        place: dict[int, Expr] = {}
        for value, _ in needed:
            if not defined_in(value, block):
                continue
            free = next((k for k, t in enumerate(slots) if t == value.type and k not in place), None)
            if free is None:
                slots.append(value.type)
                free = len(slots) - 1
            place[free] = Expr(value)
        places.append(place)
    return slots, places


CALL, BRANCHES = Call(), Branches()
add(Rule("func.call", control=CALL))
add(Rule("stablehlo.if", control=BRANCHES))
add(Rule("stablehlo.case", control=BRANCHES))
