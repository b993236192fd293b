"""Make a failing program small, so that it still fails in the same way.

    python tests/machine/fuzz/shrink.py 17 --level O2 --mode reverse

Parts of the program's tree are taken out, statements first, then the statements around others, then expressions, as
long as what is left fails alike. Some candidates are tried at once, as functions of one module.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

from fuzz.case import case_of
from fuzz.compile import COMPILERS
from fuzz.differentiate import MODES, Setting
from fuzz.generate import program
from fuzz.levels import LEVELS
from fuzz.oracle import source_of
from fuzz.run import outcomes, prepared
from fuzz.store import Outcome
from fuzz.tree import Block, Expression, Node, Program, Statement

__all__ = ["shrink"]

Edit = tuple[list[str | Node], int, int, list[str | Node]]
"""In a list of parts, from, to, what comes instead."""


class Frozen(Program):
    """A program that is only text, under a name of its own."""

    def __init__(self, source: Program, name: str) -> None:
        self.name, self.language, self.features = name, source.language, source.features
        self.source = source.text().replace(source.name, name)

    def text(self) -> str:
        return self.source


def edits(tree: Program) -> Iterator[Edit]:
    """What could be done to a tree, the largest things first."""
    blocks = [n for n in tree.top.nodes() if isinstance(n, Block)]
    longest = max(len(b.parts) for b in blocks)
    size = max(longest // 2, 1)
    while size:
        for block in blocks:
            for at in range(len(block.parts) - size, -1, -size):
                yield block.parts, at, at + size, []
        size //= 2
    for block in blocks:
        for at, part in enumerate(block.parts):
            if isinstance(part, Statement):
                for inner in part.parts:
                    if isinstance(inner, Block):
                        yield block.parts, at, at + 1, list(inner.parts)
    for node in tree.top.nodes():
        for at, part in enumerate(node.parts):
            if isinstance(part, Expression):
                literals = {"T": ["(T)0.5", "a"], "int": ["1", "0"], "bool": ["1", "0"]}.get(part.type, [])
                if part.text() in literals:
                    continue
                for literal in literals:
                    yield node.parts, at, at + 1, [Expression([literal], part.type)]
                for inner in part.nodes():
                    if inner is not part and isinstance(inner, Expression) and inner.type == part.type:
                        yield node.parts, at, at + 1, [inner]


def apply(edit: Edit) -> Edit:
    """Do it, and say how to undo it."""
    parts, start, stop, new = edit
    old = parts[start:stop]
    parts[start:stop] = new
    return parts, start, start + len(new), old


def shrink(
    tree: Program, fails: Callable[[Sequence[Program]], Sequence[bool]], at_once: int = 8, limit: float = 900
) -> Program:
    """The smallest program found that still fails."""
    end = time.time() + limit
    changed = True
    while changed and time.time() < end:
        changed = False
        pending = iter(edits(tree))
        while time.time() < end:
            chosen: list[Edit] = []
            candidates: list[Program] = []
            for edit in pending:
                before = tree.text()
                undo = apply(edit)
                candidate = Frozen(tree, f"{tree.name}v{len(chosen)}")
                apply(undo)
                if candidate.source != before.replace(tree.name, candidate.name):
                    chosen.append(edit)
                    candidates.append(candidate)
                if len(chosen) == at_once:
                    break
            if not chosen:
                break
            result = fails(candidates)
            if any(result):
                apply(chosen[list(result).index(True)])
                changed = True
                pending = iter(edits(tree))
    return tree


def found_in(programs: Sequence[Program], seed: int, setting: Setting, compiler: str, folder: Path) -> list[Outcome]:
    batches = prepared(programs, [seed] * len(programs), compiler, folder)
    return [o for told in outcomes(batches, lambda _: (setting,)) for o in told]


def failure(outcome: Outcome) -> tuple[str, str]:
    """In which way a program fails: for wrong numbers, in which."""
    return outcome.kind, outcome.why.partition("[")[0] if outcome.kind == "wrong" else ""


def failing(
    setting: Setting, how: tuple[str, str], seed: int, compiler: str, folder: Path
) -> Callable[[Sequence[Program]], list[bool]]:
    """Whether programs fail in the same way."""

    def fails(programs: Sequence[Program]) -> list[bool]:
        found = found_in(programs, seed, setting, compiler, folder)
        bad = {o.name for o in found if failure(o) == how and o.mode == setting.modes[0]}
        return [p.name in bad for p in programs]

    return fails


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--level", default="O2", choices=list(LEVELS))
    parser.add_argument("--mode", default="reverse", choices=MODES)
    parser.add_argument("--compiler", default="clang", choices=list(COMPILERS))
    parser.add_argument("--noalias", action="store_true")
    parser.add_argument("--as-it-is", action="store_true", help="differentiate what the compiler wrote")
    parser.add_argument("--limit", type=float, default=900, help="seconds")
    options = parser.parse_args()
    os.environ["GRADIR_CACHE"] = "off"
    tree, case = program(options.seed), case_of(options.seed)
    setting = Setting(options.level, (options.mode,), not options.as_it_is, options.noalias)
    with tempfile.TemporaryDirectory(prefix="gradir-shrink-") as root:
        (folder := Path(root) / "work").mkdir()
        first = found_in([tree], options.seed, setting, options.compiler, folder)
        kinds = [o for o in first if o.mode == options.mode and o.kind != "right"]
        if not kinds:
            print(f"it doesn't fail: {first}")
            return
        how = failure(kinds[0])
        shrink(tree, failing(setting, how, options.seed, options.compiler, folder), limit=options.limit)
        last = [o for o in found_in([tree], options.seed, setting, options.compiler, folder) if failure(o) == how]
    print(f"// {options.seed} at {setting}, {options.mode}: {how[0]}")
    print("\n".join(f"// {line}" for o in last[:1] for line in o.why.strip().splitlines()[-6:]))
    print(f"// x, y, a = {case.input.round(3).tolist()}, k = {case.k.tolist()}, n = {case.n}")
    print(source_of([tree]))


if __name__ == "__main__":
    main()
