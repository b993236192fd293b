"""What reverse mode costs under each checkpointing policy: bytes of temporary values, and operations done again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from jaxlib.mlir import ir

from gradir.policy import Policy, checkpointing
from gradir.tensor.analysis.cost import total
from gradir.tensor.analysis.counting import count
from gradir.tensor.analysis.footprint import peak_bytes
from gradir.tensor.ir.entry import MAIN, isolate
from gradir.tensor.ir.inline import inline_calls
from gradir.tensor.ir.module import functions, operations

__all__ = ["POLICIES", "MemoryReport", "Usage", "memory_report", "usage"]

POLICIES = ("auto", "none", "full", "sqrt", "revolve:16", "revolve:64")


@dataclass(frozen=True)
class Usage:
    """What one function takes. Bytes are those beside arguments and results, at the worst moment."""

    bytes: int
    flops: float | None
    """None where a loop's length is known at run time only."""


@dataclass(frozen=True)
class Row:
    """One policy."""

    policy: Policy
    usage: Usage
    recomputed: float | None
    """Operations beyond those of a derivative that keeps all it needs."""


@dataclass(frozen=True)
class MemoryReport:
    """Bytes and operations of a derivative, for each policy; its text is a table."""

    function: str
    primal: Usage
    rows: Sequence[Row]

    def __getitem__(self, policy: Policy | str | int) -> Row:
        return next(row for row in self.rows if row.policy == Policy.of(policy))

    def __str__(self) -> str:
        lines = [f"{self.function:16}{'peak bytes':>16}{'operations':>16}{'done again':>16}"]
        lines += [_line("itself", self.primal, "")]
        lines += [_line(str(row.policy), row.usage, _number(row.recomputed)) for row in self.rows]
        if any(row.usage.flops is None for row in self.rows):
            lines.append("(?: the length of a loop is known at run time only.)")
        return "\n".join(lines)


def _line(name: str, usage: Usage, again: str) -> str:
    return f"{name:16}{usage.bytes:16,}{_number(usage.flops):>16}{again:>16}"


def _number(x: float | None) -> str:
    return "?" if x is None else f"{x:,.0f}"


def memory_report(
    module: ir.Module,
    function: str,
    derive: Callable[[], tuple[ir.Module, str]],
    policies: Sequence[Policy | str | int] = POLICIES,
) -> MemoryReport:
    """The report on a function's derivative, which `derive` makes (a module, and the name of the derivative in it)."""

    def under(policy: Policy) -> Usage:
        with checkpointing(policy):
            return usage(*derive())

    chosen = list(dict.fromkeys(map(Policy.of, policies)))
    found = {policy: under(policy) for policy in dict.fromkeys([*chosen, Policy("none")])}
    least = found[Policy("none")].flops
    rows = []
    for policy in chosen:
        flops = found[policy].flops
        rows.append(Row(policy, found[policy], None if flops is None or least is None else max(flops - least, 0)))
    return MemoryReport(function, usage(module, function), rows)


def usage(module: ir.Module, function: str) -> Usage:
    """What a function of a module takes when it is run."""
    program = isolate(module, function).module
    with program.context:
        inline_calls(program)
        main = functions(program)[MAIN].operation
        is_counted = all(count(op) is not None for op in operations(program) if op.name == "stablehlo.while")
        flops = total(view.operation for view in main.regions[0].blocks[0].operations).flops
        return Usage(peak_bytes(main), flops if is_counted else None)
