"""What happens on the way, told on stderr: time, numbers, and the rules that fire."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from gradir.cli.parser import bare, names, only
from gradir.cli.terminal import stages

if TYPE_CHECKING:
    from gradir.module import Module
    from gradir.tensor.optimize.watch import Fired

__all__ = ["Observer", "add_observation", "observing"]


def add_observation(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("what happens on the way, on stderr")
    only(
        "mlir",
        group.add_argument("--explain", action="store_true", help="which rewrites fired, how often, what they saved"),
    )
    only(
        "mlir",
        group.add_argument(
            "--print-after", type=names, metavar="RULE,...", help="the function after each firing of a rule or family"
        ),
    )
    for option, text in (
        ("--timing", "how long each stage took"),
        ("--statistics", "the size of the program before and after, and its cost"),
    ):
        bare(group.add_argument(option, metavar="[=json]", choices=_FORMS, help=f"{text} (as JSON)"), "text")


_FORMS = ("text", "json")


class Observer:
    """Keeps what was asked for while a command works, and tells it at the end."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.explains: bool = arguments.explain
        self.timing: str | None = arguments.timing
        self.statistics: str | None = arguments.statistics
        self.programs: dict[str, Mapping[str, Any]] = {}
        self.fired: list[Fired] = []
        self.phases: dict[str, float] = {}

    @property
    def counts(self) -> bool:
        return self.explains or self.statistics is not None

    def saw_module(self, when: str, module: Module) -> None:
        """Take down the size of a StableHLO program."""
        if self.counts:
            self.programs[when] = _module_numbers(module)

    def saw_llvm(self, when: str, text: str) -> None:
        """Take down the size of an LLVM module."""
        if self.counts:
            self.programs[when] = _llvm_numbers(text)

    def tell(self) -> None:
        if self.explains:
            _explain(self.fired, self.programs)
        as_json: dict[str, Any] = {}
        if self.statistics == "json":
            as_json["statistics"] = dict(self.programs) | ({"rules": _by_rule(self.fired)} if self.fired else {})
        elif self.statistics:
            _print_statistics(self.programs)
        if self.timing == "json":
            as_json["timing"] = dict(stages.get()) | ({"phases": self.phases} if self.phases else {})
        elif self.timing:
            _print_timing(stages.get(), self.phases)
        if as_json:
            print(json.dumps(as_json), file=sys.stderr)


@contextmanager
def observing(arguments: argparse.Namespace) -> Iterator[Observer]:
    """Within, what is asked for is kept; it is told at the end, if there is a good one."""
    observer = Observer(arguments)
    if not (observer.counts or arguments.print_after):
        yield observer
    else:
        from gradir.tensor.optimize import chosen
        from gradir.tensor.optimize.watch import Watch, watching

        after = frozenset(arguments.print_after or ())
        if after - {"all"}:
            chosen(sorted(after - {"all"}))  # which refuses what it does not know
        with watching(Watch(observer.fired, after, _show)):
            yield observer
    observer.tell()


def _show(fired: Fired, function: Any) -> None:
    print(f"// after {fired}\n{function}\n", file=sys.stderr)


# -- Numbers ---------------------------------------------------------------------------------------------------------


def _module_numbers(module: Module) -> dict[str, Any]:
    from gradir.tensor.ir.module import functions, operations
    from gradir.tensor.optimize import total

    held = module.ir
    outermost = [op for op in operations(held) if _is_outermost(op)]
    work = total(outermost)
    by_name = Counter(op.name for op in operations(held) if op.name not in ("builtin.module", "func.func"))
    return {
        "functions": len(functions(held)),
        "ops": len(outermost),
        "flops": work.flops,
        "bytes": work.bytes,
        "by op": dict(by_name.most_common()),
    }


def _is_outermost(op: Any) -> bool:
    """An op that stands in a function itself: the cost of a loop has that of its body in it."""
    return op.parent is not None and op.parent.operation.name == "func.func"


def _llvm_numbers(text: str) -> dict[str, Any]:
    from gradir.machine.ir.text.reader import read

    module = read(text)
    defined = list(module.definitions)
    by_opcode = Counter(i.opcode for f in defined for i in f.instructions())
    return {"functions": len(defined), "instructions": by_opcode.total(), "by op": dict(by_opcode.most_common())}


def _by_rule(fired: list[Fired]) -> dict[str, dict[str, float]]:
    """What each rule has saved in all, those that saved most first."""
    sums: dict[str, dict[str, float]] = {}
    for one in fired:
        saved = one.before - one.after
        row = sums.setdefault(f"{one.family}/{one.rule}", {"times": 0, "flops": 0, "bytes": 0})
        row["times"] += 1
        row["flops"] += saved.flops
        row["bytes"] += saved.bytes
    return dict(sorted(sums.items(), key=lambda item: (-item[1]["flops"], -item[1]["bytes"])))


# -- As text ---------------------------------------------------------------------------------------------------------


def _explain(fired: list[Fired], programs: Mapping[str, Mapping[str, Any]]) -> None:
    first = {f"{one.family}/{one.rule}": one for one in reversed(fired)}
    rows = [
        (rule, f"{row['times']:.0f}", f"{row['flops']:+.0f}", f"{row['bytes']:+.0f}", _origin(first[rule]))
        for rule, row in _by_rule(fired).items()
    ]
    _print_table([("rule", "times", "flops saved", "bytes saved", "first on"), *rows])
    for when, numbers in programs.items():
        told = f"{numbers['ops']} ops, {numbers['flops']:.0f} flops, {numbers['bytes']:.0f} bytes moved"
        print(f"{when}: {told}", file=sys.stderr)


def _origin(fired: Fired) -> str:
    return f"{fired.op} at {fired.location}" if fired.location else fired.op


def _print_statistics(programs: Mapping[str, Mapping[str, Any]]) -> None:
    ops = Counter[str]()
    for numbers in programs.values():
        ops.update(numbers["by op"])
    whole = [k for k in next(iter(programs.values()), {}) if k != "by op"]
    rows = [(k, *(f"{p[k]:.0f}" for p in programs.values())) for k in whole]
    rows += [(op, *(str(p["by op"].get(op, 0)) for p in programs.values())) for op, _ in ops.most_common()]
    _print_table([("", *programs), *rows])


def _print_timing(taken: Mapping[str, float], phases: Mapping[str, float]) -> None:
    whole = sum(taken.values())
    rows = [(stage, f"{t:.3f} s", f"{t / whole:.0%}" if whole else "") for stage, t in taken.items()]
    rows += [(f"  {phase}", f"{t:.3f} s", "") for phase, t in phases.items()]
    _print_table([("stage", "time", "share"), *rows, ("in all", f"{whole:.3f} s", "")])


def _print_table(rows: list[tuple[str, ...]]) -> None:
    """Columns as wide as they need to be: words to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [
            cell.rjust(width) if 0 < i < 4 else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip(), file=sys.stderr)
