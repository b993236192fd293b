"""The shape of a function: order of blocks, dominators, loops, induction variables and trip counts.

Only what can return counts: a block that ends in `unreachable` or `resume` (a failed check, an exception that nobody
here catches) is no part of a derivative. One that is caught here goes its way like any other branch.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

from gradir.errors import NoRule
from gradir.machine.ir import Block, Constant, Function, Instruction, Value

__all__ = ["CFG", "Induction", "Loop", "TripCount"]


@dataclass(eq=False)
class Loop:
    """A natural loop with one entry (`preheader`) and one way back (from `latch`)."""

    header: Block
    latch: Block
    preheader: Block
    blocks: set[Block]
    parent: Loop | None = None
    children: list[Loop] = field(default_factory=list)
    exits: list[tuple[Block, Block]] = field(default_factory=list)
    """The edges that leave it, on ways that return."""
    inductions: dict[Instruction, Induction] = field(default_factory=dict)
    trip: TripCount | None = None
    """How often it goes back to the header, if that can be told before it is entered."""

    @property
    def depth(self) -> int:
        return 1 + (self.parent.depth if self.parent else 0)

    @property
    def nest(self) -> list[Loop]:
        """The loops around it and itself, outermost first."""
        return [*(self.parent.nest if self.parent else []), self]

    def holds(self, value: Value) -> bool:
        """Whether the value is computed inside."""
        return isinstance(value, Instruction) and value.block in self.blocks

    def __repr__(self) -> str:
        return f"<loop {self.header.ref}>"


@dataclass(frozen=True, eq=False)
class Induction:
    """A header phi that is `start + step * (times gone back)`. Of a pointer, `step` is in bytes."""

    phi: Instruction
    start: Value
    step: int
    next: Instruction


@dataclass(frozen=True, eq=False)
class TripCount:
    """The number of times a loop goes back, by its induction variable and what bounds it.

    It goes on while `induction (+ step, if after) predicate bound`. With `exact` false, it may leave earlier by
    another way.
    """

    induction: Induction
    after: bool
    predicate: str
    bound: Value
    exact: bool

    @property
    def operands(self) -> list[Value]:
        return [self.induction.start, self.bound]

    @property
    def constant(self) -> int | None:
        """The number itself, if both ends are literals."""
        start, bound = (v.integer if isinstance(v, Constant) else None for v in self.operands)
        if start is None or bound is None:
            return None
        step, skip = self.induction.step, 1 if self.after else 0
        size = abs(step)
        modulus = 1 << (self.bound.type.count if self.bound.type.is_integer else 64)
        if self.predicate == "ne":  # over the edge of the type, if need be
            distance = (bound - start if step > 0 else start - bound) % modulus
            return distance // size - skip if distance % size == 0 and distance >= size * skip else None
        if self.predicate[0] == "u":  # LLVM writes all literals with a sign
            start, bound = start % modulus, bound % modulus
        distance = (bound - start if step > 0 else start - bound) + self.predicate.endswith("e")
        return max(0, -(-distance // size) - skip)


_INVERSE = {
    "eq": "ne", "ne": "eq", "slt": "sge", "sge": "slt", "sgt": "sle", "sle": "sgt",
    "ult": "uge", "uge": "ult", "ugt": "ule", "ule": "ugt",
}  # fmt: skip
_SWAP = {
    "eq": "eq", "ne": "ne", "slt": "sgt", "sgt": "slt", "sle": "sge", "sge": "sle",
    "ult": "ugt", "ugt": "ult", "ule": "uge", "uge": "ule",
}  # fmt: skip


class CFG:
    """Blocks that lie on a way from the entry to a return, with dominators and loops.

    >>> from gradir.machine.ir.text.reader import read
    >>> module = read('''
    ... define void @f(i64 %n) {
    ... entry:
    ...   br label %loop
    ... loop:
    ...   %i = phi i64 [ 0, %entry ], [ %next, %loop ]
    ...   %next = add i64 %i, 1
    ...   %go = icmp slt i64 %next, %n
    ...   br i1 %go, label %loop, label %exit
    ... exit:
    ...   ret void
    ... }''')
    >>> cfg = CFG(module.functions["f"])
    >>> [(loop.header.name, loop.trip.predicate) for loop in cfg.loops]
    [('loop', 'slt')]
    """

    def __init__(self, function: Function, *, loops: bool = True, unwinding: bool = False) -> None:
        """Without `loops`, none are looked for, and so none are refused for their shape. With `unwinding`, to let an
        exception go on is to return."""
        self.function = function
        self.ends = ("ret", "resume") if unwinding else ("ret",)
        self.reachable = self._postorder()[::-1]
        """Blocks that the entry reaches, each before what it dominates."""
        returning = self._returning()
        self.order = [b for b in self.reachable if b in returning]
        """Those of them that reach a return."""
        self.live = set(self.order)
        self.number = {b: i for i, b in enumerate(self.reachable)}
        self.idom = self._dominators()
        self.loops: list[Loop] = []
        """Outer loops before those inside them."""
        self.headers: dict[Block, Loop] = {}
        self.loop_of: dict[Block, Loop | None] = dict.fromkeys(self.reachable)
        if loops:
            self._find_loops()
        for loop in self.loops:
            self._find_inductions(loop)
            loop.trip = self._trip_count(loop)

    # -- order and dominators ---------------------------------------------------------------------------------------

    def _postorder(self) -> list[Block]:
        seen: set[Block] = {self.function.entry}
        order: list[Block] = []
        stack = [(self.function.entry, iter(self.function.entry.successors))]
        while stack:
            block, rest = stack[-1]
            for successor in rest:
                if successor not in seen:
                    seen.add(successor)
                    stack.append((successor, iter(successor.successors)))
                    break
            else:
                order.append(block)
                stack.pop()
        return order

    def _returning(self) -> set[Block]:
        reachable = set(self.reachable)
        work = [b for b in self.reachable if b.terminator.opcode in self.ends]
        found = set(work)
        while work:
            for p in work.pop().predecessors:
                if p in reachable and p not in found:
                    found.add(p)
                    work.append(p)
        return found

    def predecessors(self, block: Block) -> list[Block]:
        """Those that can be reached."""
        return [p for p in block.predecessors if p in self.number]

    def successors(self, block: Block) -> list[Block]:
        """Those from which a return can be reached."""
        return [s for s in block.successors if s in self.live]

    def _dominators(self) -> dict[Block, Block]:
        """Immediate dominators (Cooper, Harvey and Kennedy)."""
        entry = self.function.entry
        idom: dict[Block, Block] = {entry: entry}
        changed = True
        while changed:
            changed = False
            for block in self.reachable[1:]:
                new: Block | None = None
                for p in self.predecessors(block):
                    if p in idom:
                        new = p if new is None else self._meet(idom, p, new)
                assert new is not None
                if idom.get(block) is not new:
                    idom[block] = new
                    changed = True
        return idom

    def _meet(self, idom: dict[Block, Block], a: Block, b: Block) -> Block:
        while a is not b:
            while self.number[a] > self.number[b]:
                a = idom[a]
            while self.number[b] > self.number[a]:
                b = idom[b]
        return a

    @cached_property
    def _intervals(self) -> dict[Block, tuple[int, int]]:
        """Entry and exit times of a walk over the dominator tree."""
        children: dict[Block, list[Block]] = {b: [] for b in self.reachable}
        for b in self.reachable[1:]:
            children[self.idom[b]].append(b)
        times: dict[Block, tuple[int, int]] = {}
        clock = 0
        stack: list[tuple[Block, int, bool]] = [(self.function.entry, 0, False)]
        while stack:
            block, start, done = stack.pop()
            if done:
                times[block] = (start, clock)
                continue
            clock += 1
            stack.append((block, clock, True))
            stack.extend((c, 0, False) for c in children[block])
        return times

    def dominates(self, a: Block, b: Block) -> bool:
        (start, end), (at, _) = self._intervals[a], self._intervals[b]
        return start <= at <= end

    def available(self, i: Instruction, block: Block) -> bool:
        """Whether a value is there whenever one comes to the end of a block: where a call threw, it has no result."""
        if i.opcode == "invoke":
            return self.predecessors(i.normal) == [i.block] and self.dominates(i.normal, block)
        return self.dominates(i.block, block)

    @cached_property
    def reaches(self) -> dict[Block, set[Block]]:
        """The blocks that can run after (a part of) a block: itself only if it lies on a cycle."""
        reach: dict[Block, set[Block]] = {}
        for block in self.order:
            found: set[Block] = set()
            work = self.successors(block)
            while work:
                b = work.pop()
                if b not in found:
                    found.add(b)
                    work.extend(self.successors(b))
            reach[block] = found
        return reach

    def may_follow(self, first: Instruction, then: Instruction) -> bool:
        """Whether `then` may run after `first`."""
        if then.block in self.reaches.get(first.block, ()):
            return True
        return first.block is then.block and then.position > first.position

    # -- loops ------------------------------------------------------------------------------------------------------

    def _find_loops(self) -> None:
        latches: dict[Block, list[Block]] = {}
        for block in self.reachable:
            for successor in block.successors:
                if self.number[successor] <= self.number[block]:
                    if not self.dominates(successor, block):
                        raise NoRule(
                            f"@{self.function.name} has a loop with two entries (at {successor.ref})",
                            hint="write it without goto into the loop, or compile with optimisation",
                        )
                    latches.setdefault(successor, []).append(block)
        for header in self.reachable:
            ends = [b for b in latches.get(header, ()) if b in self.live]
            if header in self.live and (loop := self._loop(header, ends)):
                self.loops.append(loop)
        for loop in self.loops:
            around = [l for l in self.loops if l is not loop and loop.header in l.blocks]
            loop.parent = min(around, key=lambda l: len(l.blocks), default=None)
            if loop.parent:
                loop.parent.children.append(loop)
            for block in loop.blocks:
                self.loop_of[block] = loop  # inner loops come later, and overwrite
        self.headers = {l.header: l for l in self.loops}
        self.loops.sort(key=lambda l: l.depth)
        for loop in self.loops:
            for block in loop.blocks:
                self.loop_of[block] = loop

    def _loop(self, header: Block, latches: list[Block]) -> Loop | None:
        if not latches:
            return None
        outside = [p for p in self.predecessors(header) if p not in latches and not self.dominates(header, p)]
        if len(latches) != 1 or len(outside) != 1:
            raise NoRule(
                f"@{self.function.name}: the loop at {header.ref} is not in simple form",
                hint="pass the module through gradir's normalisation",
            )
        blocks = {header}
        work = [latches[0]]
        while work:
            block = work.pop()
            if block not in blocks:
                blocks.add(block)
                work.extend(p for p in self.predecessors(block))
        loop = Loop(header, latches[0], outside[0], blocks)
        for block in self.order:
            if block in blocks:
                loop.exits += [(block, s) for s in self.successors(block) if s not in blocks]
        return loop

    def _find_inductions(self, loop: Loop) -> None:
        for phi in loop.header.phis:
            values = {block: value for value, block in phi.incoming}
            start, around = values[loop.preheader], values[loop.latch]
            if not isinstance(around, Instruction) or around.block not in loop.blocks:
                continue
            if (step := _step(around, phi)) is not None:
                loop.inductions[phi] = Induction(phi, start, step, around)

    def _trip_count(self, loop: Loop) -> TripCount | None:
        """The first bound that is tested in each turn."""
        found: TripCount | None = None
        for exiting, _ in loop.exits:
            if self.loop_of[exiting] is loop and self.dominates(exiting, loop.latch):
                bound = self._bound(loop, exiting, exact=len(loop.exits) == 1)
                if bound and (found is None or bound.constant is not None):
                    found = bound
        return found

    def _bound(self, loop: Loop, exiting: Block, exact: bool) -> TripCount | None:
        br = exiting.terminator
        if br.opcode != "br" or len(br.operands) != 3:
            return None
        test = br.operands[0]
        if not isinstance(test, Instruction) or test.opcode != "icmp" or test.operands[0].type.kind == "vector":
            return None
        predicate = test.predicate
        if br.operands[1] not in loop.blocks:  # leaves where the test holds
            predicate = _INVERSE[predicate]
        left, right = test.operands
        for a, b, p in ((left, right, predicate), (right, left, _SWAP[predicate])):
            if loop.holds(b):
                continue
            for induction in loop.inductions.values():
                if a is induction.phi or a is induction.next:
                    trip = TripCount(induction, a is induction.next, p, b, exact)
                    if _countable(trip):
                        return trip
        return None


def _step(next: Instruction, phi: Instruction) -> int | None:
    if next.opcode in ("add", "sub") and next.operands[0] is phi and isinstance(next.operands[1], Constant):
        step = next.operands[1].integer
        return None if step is None else (step if next.opcode == "add" else -step)
    if next.opcode == "getelementptr" and next.pointer is phi and len(next.operands) == 2:
        index = next.operands[1]
        if isinstance(index, Constant) and index.integer is not None:
            return index.integer * next.accessed_type.size
    return None


def _countable(trip: TripCount) -> bool:
    step = trip.induction.step
    match trip.predicate:
        case "ne":  # ends that are no whole number of steps apart meet only after going round
            literal = all(isinstance(v, Constant) for v in trip.operands)
            return step != 0 and (not literal or trip.constant is not None)
        case "slt" | "sle" | "ult" | "ule":
            return step > 0
        case "sgt" | "sge" | "ugt" | "uge":
            return step < 0
    return False
